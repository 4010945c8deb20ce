"""Messages: a template, and the values that fill it. What people read is made of these, never glued from words.

A `Message` is its English text, so that what machines read needs nothing more. A `Language` renders the template and the
values anew: a text that was glued from Messages has no template, and the doors that take a Message refuse it (mypy).
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeVar

    M = TypeVar("M", bound="Message")

NO_VALUES: "Mapping[str, object]" = {}


class Message(str):
    """A sentence, or a part of one.

    template       English with {placeholders}; it is what translations know the message by
    values         {placeholder: value}, NO_VALUES where it has none; a value that is a Message is translated as well, any other is taken as it is
    plural, number what the template says of any number but 1, and the number; the template may name it as {count}
    context        what tells templates of equal words apart, such as a label from a unit; most need none
    """

    __slots__ = ("template", "values", "plural", "number", "context")
    template: str
    values: "Mapping[str, object]"
    plural: "str | None"
    number: object
    context: str

    def __new__(
        cls: "type[M]",
        template: str,
        values: "Mapping[str, object]" = NO_VALUES,
        plural: "str | None" = None,
        count: object = None,
        context: str = "",
    ) -> "M":
        if plural is None:
            told = template
        else:
            told = template if count == 1 else plural
            values = values or {"count": count}
        self = str.__new__(cls, told.format_map(values) if values else told)
        self.template = template
        self.values = values
        self.plural = plural
        self.number = count
        self.context = context
        return self

    @classmethod
    def saying(cls: "type[M]", english: str, template: str, values: "Mapping[str, object]", context: str = "") -> "M":
        """A Message whose English is more than its filled template."""
        self = str.__new__(cls, english)
        self.template, self.values, self.plural, self.number, self.context = template, values, None, None, context
        return self

    def __getnewargs__(self) -> "tuple[object, ...]":  # type: ignore[override]  # what __new__ takes, to be copied
        return self.template, self.values, self.plural, self.number, self.context

    def __getstate__(self) -> None:
        """Nothing but what `__new__` takes."""


NOTHING = Message("")
TIE = "\xa0"  # a blank at which no line ends


def tied(told: "Message") -> "Tied":
    """A Message on one line."""
    return Tied.saying(told.replace(" ", TIE), "{told}", {"told": told})


def on_lines(text: str) -> str:
    """A text whose lines may end at any blank."""
    return text.replace(TIE, " ")


class Tied(Message):
    """A Message without places at which a line may end, in any language."""

    __slots__ = ()


def joined(told: "Iterable[str]") -> Message:
    """Pieces behind each other, with nothing between them."""
    return folded([each for each in told if each], "{piece}{pieces}", "piece", "pieces")


def parts(told: "Iterable[str]") -> Message:
    """Several remarks behind each other: 'a; b'."""
    return folded([each for each in told if each], "{part}; {parts}", "part", "parts")


def clauses(told: "Iterable[str]") -> Message:
    """Several clauses of one sentence: 'the same memory, 2x completions'."""
    return folded([each for each in told if each], "{clause}, {clauses}", "clause", "clauses")


def sentences(told: "Iterable[str]") -> Message:
    """Sentences behind each other: 'A. B.'."""
    return folded([each for each in told if each], "{sentence} {sentences}", "sentence", "sentences")


def within(told: object, more: object) -> Message:
    """'a (b)'."""
    return Message("{told} ({more})", {"told": told, "more": more})


def series(told: "Sequence[object]") -> Message:
    """Names behind each other: 'a, b'."""
    return folded(told, "{name}, {names}", "name", "names")


def both(told: "Sequence[object]") -> Message:
    """'a, b and c'."""
    *others, last = told
    return Message("{names} and {last}", {"names": series(others), "last": last}) if others else verbatim(last)


def either(told: "Sequence[object]") -> Message:
    """'a, b or c'."""
    *others, last = told
    return Message("{names} or {last}", {"names": series(others), "last": last}) if others else verbatim(last)


def ands(told: "Sequence[object]") -> Message:
    """'a and b and c'."""
    return folded(told, "{name} and {names}", "name", "names")


def ors(told: "Sequence[object]") -> Message:
    """'a or b or c'."""
    return folded(told, "{name} or {names}", "name", "names")


def all_of(told: "Sequence[object]") -> Message:
    """Conditions that hold together: 'at least 2 and a multiple of 8'."""
    return folded(told, "{condition} and {conditions}", "condition", "conditions")


def any_of(told: "Sequence[object]") -> Message:
    """Of which one is wanted: 'a list or a number'."""
    return folded(told, "{alternative} or {alternatives}", "alternative", "alternatives")


def folded(told: "Sequence[object]", template: str, first: str, rest: str) -> Message:
    """Pieces in a row: the template, a Message for two of them, holds the `first` one and the `rest`."""
    found = verbatim(told[-1]) if told else NOTHING
    for each in reversed(told[:-1]):
        found = Message(template, {first: each, rest: found})
    return found


def verbatim(value: object) -> Message:
    """What is none of our words, as a Message."""
    return value if isinstance(value, Message) else Message("{value}", {"value": value})


class Telling(Exception):
    """An exception whose message is meant for the user."""

    def __init__(self, told: Message) -> None:
        super().__init__(told)


def told_by(error: BaseException) -> Message:
    """What an exception says: its Message, or the words of a stranger."""
    first = error.args[0] if error.args else ""
    return first if isinstance(first, Message) else verbatim(str(error))
