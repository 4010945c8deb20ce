"""Texts of a file for messages: quoted, shortened, listed, counted; and the known word that is nearest to a misspelt
one."""

from ..message import NOTHING, Message, both
from ..unknown import LARGEST_NUMBER, is_beyond

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


LONGEST_VALUE = 1000  # characters of a text of a file that a message shows


def did_you_mean(word: object, known: "Iterable[str]", given: "Collection[str]" = ()) -> Message:
    """The end of a message that suggests the most similar known word; empty when none is similar, or it is among those that are
    `given` beside it, which is no slip then."""
    if not isinstance(word, str) or len(word) > 80:
        return NOTHING
    from difflib import get_close_matches  # loaded only for mistakes

    similar = get_close_matches(word, known, n=1)
    return Message("; did you mean '{name}'?", {"name": similar[0]}) if similar and similar[0] not in given else NOTHING


def shown(value: object) -> str:
    """A value as it may appear in a message: quoted, short, and free of control characters."""
    if is_beyond(value):  # Python converts no number of 4,300 digits or more to a text
        return f"a number beyond {LARGEST_NUMBER}"
    text = repr(value) if isinstance(value, (str, int, float)) else f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:56] + "..." + text[-1]


def shortened(text: str, most: int = LONGEST_VALUE) -> str:
    """A text of a file for a message; of a long one the beginning and the end."""
    return text if type(text) is not str or len(text) <= most else f"{text[: most - 13]}...{text[-10:]}"


MOST_LISTED = 30
LONGEST_NAME = 80


def listed(names: "Iterable[str]") -> Message:
    """Names listed in a sentence: a, b and c; of many names only the first."""
    names = [name if isinstance(name, Message) else shortened(name, LONGEST_NAME) for name in names]
    if len(names) > MOST_LISTED:
        names[MOST_LISTED:] = [Message("{count} more", {"count": len(names) - MOST_LISTED})]
    return both(names)


def plural(number: object, noun: str, form: str = "") -> Message:
    """A counted noun: 1 run, 2 runs, 2 launches; `form`: the format of the number, such as ','."""
    return amount(format(number, form), noun, number)


def amount(told: object, noun: str, number: object) -> Message:
    """A counted noun whose number is told in a way of its own."""
    return Message(f"{{count}} {noun}", {"count": told}, f"{{count}} {NOUNS[noun]}", number)


# {what is counted: of several}
NOUNS = {
    noun: f"{noun}{'es' if noun.endswith(('s', 'sh', 'nch', 'tch')) else 's'}"
    for noun in (
        "completion", "data-parallel rank", "edit", "epoch", "error", "file", "finding", "info", "item", "known finding", "launch",
        "micro step", "process", "prompt", "rank", "row", "run", "update", "warning",
    )
}  # fmt: skip
