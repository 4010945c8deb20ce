"""The comment `# grpo-lint: name=value ...`: which comments are directives, and what they say."""

from ..message import Message, told_by
from ..record import kept
from ..source.quoting import did_you_mean, shown
from ..source.text import Span
from .facts import BY_OPTION, FACTS, BadFact, Fact, canonical_name, fact_named, option_name, parse_fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from .facts import Counts

    Problem = tuple[Span, Message]  # where, message

# Comments with one of these words belong to other readers; they hold no facts.
VERBS = ("ignore", "ignore-file", "expect")

# --- the comment ----------------------------------------------------------------------------------------------------

# The colon may be missing where a `name=` or brackets make the intention plain: a comment that is silently ignored
# helps nobody.
_ADDRESS = r"(?:^|\s)#+\s*grpo[-_]lint(?:\s*:|(?=\s+[\w-]+=)|(?=\s+ignore(?:-file)?\s*\[)|(?=\s+expect\s))"
_VERB = r"\s*([\w-]+)\s*(?:\[|\s|$)"
MOST_PROBLEMS = 10  # of one comment
LONGEST_PLAIN = 500  # characters
_COMMENT = Message("comment")

# A value runs to the next blank, or to a comma that does not continue a list: `visible-devices=0,1,2` is one bad value.
_PAIR = (
    r"(?P<name>[\w-]+)[ \t]*=(?:[ \t]+(?![\w-]+[ \t]*=))?"
    r"(?P<value>\"[^\"\n]*\"|'[^'\n]*'|[^\s,]*(?:,(?=[^\s,])(?![\w-]+[ \t]*=)[^\s,]*)*)"
)


def comment_verb(comment_text: str) -> str | None:
    """What a comment asks for: "facts", one of VERBS, or None when it is no directive."""
    address = _address(comment_text)
    return address and _verb_at(comment_text, address.end())


def expected_in(comment_text: str) -> int | None:
    """The place behind the word `expect` of a comment that says what its file expects; None for any other comment."""
    import re

    address = _address(comment_text)
    verb = address and re.compile(_VERB).match(comment_text, address.end())
    return verb.end(1) if verb and verb[1].lower() == "expect" else None


def read_comment(comment_text: str, start_offset: int) -> "tuple[dict[str, Fact], list[Problem]]":
    """The facts in one comment, and its mistakes as (Span, message); offsets are those of the whole file.

    `comment_text` starts at its `#`, which stands at `start_offset`. A second `#` ends the facts, so that a reason may
    follow. What is wrong is left out; the rest of the comment still counts.
    """
    facts: dict[str, Fact] = {}
    problems: list[Problem] = []
    plain = _plain_pairs(comment_text, start_offset)
    if plain is not None:
        return plain, problems
    address = _address(comment_text)
    if address is None or _verb_at(comment_text, address.end()) != "facts":
        return facts, problems
    for word, name, value, value_start in pairs(comment_text, address.end()):
        place = word.moved(start_offset)
        if len(problems) == MOST_PROBLEMS:
            break
        if name is None:
            problems.append((place, _not_a_pair(comment_text[word.start : word.end])))
            break  # prose, most likely: one finding for it is enough
        fact = fact_named(name) or name
        try:
            parsed = parse_fact(name, value, _names_beside(fact, comment_text, address.end()))
        except BadFact as bad:
            # An empty value has no width to underline; its name has.
            is_about_value = bad.about == "value" and value
            wrong = (
                Span(value_start + start_offset, place.end)
                if is_about_value
                else Span(place.start, place.start + len(name))
            )
            problems.append((wrong, told_by(bad)))
            continue
        earlier = facts.setdefault(fact, Fact(parsed, _COMMENT, (None, *place))).value
        if earlier != parsed:
            problems.append((place, _given_twice(fact, earlier)))
    return facts, problems


def _names_beside(fact: str, text: str, position: int) -> "set[str]":
    """The names in a comment, as options have them, where one of them is no fact."""
    if fact in FACTS:
        return set()
    return {canonical_name(name) for _, name, _, _ in pairs(text, position) if name is not None}


def _given_twice(fact: str, counts: object) -> Message:
    return Message("{fact} is given twice; {value} counts", {"fact": option_name(fact), "value": counts})


def _plain_pairs(comment_text: str, start_offset: int) -> "dict[str, Fact] | None":
    """The facts of a comment that holds nothing but well-formed pairs, each name once; None for any other comment.

    Nearly every comment is like that, and this way it costs no regular expression.
    """
    said = _plainly_said(comment_text) if len(comment_text) <= LONGEST_PLAIN else None
    if said is None:
        return None
    return {
        fact: Fact(value, _COMMENT, (None, start_offset + start, start_offset + end))
        for fact, (value, start, end) in said.items()
    }


@kept(1000)
def _plainly_said(comment_text: str) -> "dict[str, tuple[str | int | Counts, int, int]] | None":
    """{fact: (value, start, end in the comment)} of such a comment: the files of a repository have the same ones."""
    opening, address, rest = comment_text.partition("grpo-lint:")
    if not address or opening.strip("# ") or not rest.isprintable():
        return None
    said: dict[str, tuple[str | int | Counts, int, int]] = {}
    position = len(opening) + len(address)
    for word in rest.split(" "):
        if word:
            name, _, value = word.partition("=")
            fact = BY_OPTION.get(name)
            if fact is None or fact in said or not value.replace(".", "").replace("|", "").isalnum():
                return None
            try:
                said[fact] = parse_fact(name, value), position, position + len(word)
            except BadFact:
                return None
        position += len(word) + 1
    return said


def _address(comment_text: str) -> "re.Match[str] | None":
    import re

    return re.search(_ADDRESS, comment_text, re.IGNORECASE)


def _verb_at(text: str, position: int) -> str:
    import re

    verb = re.compile(_VERB).match(text, position)
    return verb[1].lower() if verb and verb[1].lower() in VERBS else "facts"


def pairs(text: str, position: int) -> "Iterator[tuple[Span, str | None, str, int]]":
    """Each word after `position` as (Span, name, value, start of the value); no name: not a pair."""
    import re

    pair, gap, word = re.compile(_PAIR), re.compile(r"[\s,]*"), re.compile(r"[^\s,]+")
    while True:
        position = gap.match(text, position).end()  # type: ignore[union-attr]  # nothing matches as well
        if position == len(text) or text[position] == "#":
            return
        match = pair.match(text, position)
        if match is None:
            end = word.match(text, position).end()  # type: ignore[union-attr]  # the gap ends before a word
            yield Span(position, end), None, "", end
        else:
            value, end = match["value"], match.end()
            if len(value) > 1 and value[0] in "\"'" and value[0] == value[-1]:
                value = value[1:-1]
            yield Span(position, end), match["name"], value, match.start("value")
        position = end


def _not_a_pair(word: str) -> Message:
    known = [*VERBS, *BY_OPTION]
    hint = did_you_mean(word.partition("[")[0].lower(), known)
    return Message(
        "{word} is not a fact; write name=value, such as world-size=8{hint}", {"word": shown(word), "hint": hint}
    )
