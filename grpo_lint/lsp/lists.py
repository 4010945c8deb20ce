"""Lists in brackets, of any language that has them: the item around a place, and the values that are offered for it."""

import re
from bisect import bisect_right

from ..record import Record
from .offers import values_of
from .tokens import Token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Callable, Launch, Text
    from .completion import Offered

MOST_READ = 20_000  # characters of a list, and before a place in which its list may begin
COMPUTED = "$word"  # stands for an item that is no text
# Texts, which end with their line at the latest; comments; what parts the items; anything else, of which only the place counts.
_SIGN = re.compile(
    r"""(?P<text>"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)|(?P<comment>(?<!\S)\#[^\n]*)|(?P<sign>[\[\](){},])|(?P<other>(?:[^\s"'\[\](){},\\]|\\[^\n])+)"""
)


class WordList(Record):
    """The items of a list around a place.

    start          where its bracket opens, or its first item begins
    before, after  the words of the items on both sides of the one that is being typed
    begins, ends   where that one is, without its quotes
    quote          the one around it; an empty text for none
    needs_quotes   whether an item has to be quoted
    needs_comma    whether another item follows, with no comma before it
    """

    start: int
    before: "list[str]"
    after: "list[str]"
    begins: int
    ends: int
    quote: str = ""
    needs_quotes: bool = True
    needs_comma: bool = False


def in_brackets(source: str, start: int, offset: int) -> "WordList | None":
    """The list whose bracket opens at `start`, around a place; None where the place is in none of its items."""
    read = read_list(source, start)
    return None if read.is_elsewhere(offset) else _around(read, source, start, offset)


def in_values(
    text: "Text", offset: int, start: int, launch: "Launch", name: str, write: "Callable[[str], str]"
) -> "Offered | None":
    """What is offered in the list of values of a key, whose bracket opens at `start`; None where the place is outside of it."""
    read, line = read_list(text.text, start), text.starts[text.position(offset)[0]]
    if read.is_elsewhere(offset) or (not read.is_closed and line > start):  # what is below may be no part of it
        return None
    found = _around(read, text.text, start, offset, has_plain=True)
    if found is None or found.begins < line:
        return None, []
    others = [each for each in read.items if each[1] < found.begins or each[0] > found.ends]
    given = {text.text[begin:end].strip("\"'") for begin, end, _ in others}
    values = [each for each in values_of(launch, name, str if found.quote else write) if each["label"] not in given]
    for each in values if found.needs_comma else ():
        each["new"] += ","
    return Token(found.begins - line, found.ends - line, ""), values


def _around(read: "Brackets", source: str, start: int, offset: int, has_plain: bool = False) -> "WordList | None":
    """A list around a place in it; None where the place is in none of its items. `has_plain`: whether an item may be without quotes."""
    if source[offset - 1 : offset] == "\\":  # which ends the line
        return None
    before, here, after = read.parted(source, offset)
    found = WordList(start=start, before=before, after=after, begins=offset, ends=offset)
    if not here:
        return found
    (begin, end), *others = here
    if others or end < offset:  # a comma is missing
        return None
    if offset < begin:
        return found.but(needs_comma=True)
    return _in_item(found, source, offset, begin, end, has_plain)


def _in_item(found: WordList, source: str, offset: int, begin: int, end: int, has_plain: bool) -> "WordList | None":
    """A list whose item from `begin` to `end` is around a place; None where the place is no part of what is in its quotes."""
    quote, is_closed = source[begin], end - begin > 1 and source[end - 1] == source[begin]
    if quote not in "\"'":
        return found.but(begins=begin, ends=end) if has_plain else None
    if not begin < offset <= end - is_closed:
        return None
    return found.but(begins=begin + 1, ends=end - is_closed, quote=quote)


class Brackets:
    """What was read of a list in brackets: (start, end, word) of its `items`, where each of them may begin, behind its bracket and its
    `commas`, what is `passed` over, and whether it is closed."""

    def __init__(self, start: int) -> None:
        self.items: list[tuple[int, int, str]] = []
        self.commas = [start + 1]
        self.passed: list[tuple[int, int]] = []
        self.is_closed = False

    def parted(self, source: str, offset: int) -> "tuple[list[str], list[tuple[int, int]], list[str]]":
        """(words before the commas around a place, (start, end) of what is between these, words behind them)."""
        at = bisect_right(self.commas, offset) - 1
        first, last = self.commas[at], self.commas[at + 1] if at + 1 < len(self.commas) else len(source)
        here = [(begin, end) for begin, end, _ in self.items if first <= begin < last]
        if not self.is_closed:  # what is below may be no part of it
            here = [each for each in here if "\n" not in source[offset : each[0]]]
        before = [word for begin, _, word in self.items if begin < first]
        return before, here, [word for begin, _, word in self.items if begin >= last]

    def is_elsewhere(self, offset: int) -> bool:
        """Whether a place is outside of the list, in a comment, or in another list in it."""
        is_behind = offset < self.commas[0] or (self.is_closed and offset >= self.commas[-1])
        return is_behind or any(start < offset <= end for start, end in self.passed)


def read_list(source: str, start: int) -> Brackets:
    """The list whose bracket opens at a place."""
    read, depth = Brackets(start), 0
    for sign in _SIGN.finditer(source, start, start + MOST_READ):
        kind = sign.lastgroup
        if kind == "sign":
            if depth == 1 and sign[0] in ",]":
                read.commas.append(sign.end())
            depth += (sign[0] in "[({") - (sign[0] in "])}")
        elif kind != "comment" and depth == 1:
            read.items.append((*sign.span(), sign[0].strip("\"'") if kind == "text" else COMPUTED))
        if kind == "comment" or depth > 1:
            read.passed.append(sign.span())
        if not depth:
            read.is_closed = True
            break
    return read
