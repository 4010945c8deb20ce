"""The token around a place, which an accepted completion replaces as a whole, and what stands behind it already."""

import re

from ..report.json import lsp_range
from ..source.text import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern

    from ..shared_types import Json, Text

# What a new key ends with, and what stands behind the token where it is there already: after these blanks one of these signs.
_SEPARATORS = ((": ", " \t", ":"), (":", " \t", ":"), ("=", " \t", "="), (" ", "", " \t="), ("[", "", "["))
ANYTHING = re.compile("")


class Token:
    """What is replaced: the columns of a line, and the rest of the line behind it."""

    __slots__ = ("start", "end", "rest")

    def __init__(self, start: int, end: int, rest: str) -> None:
        self.start = start
        self.end = end
        self.rest = rest


def token(line: str, start: int, column: int, tail: "Pattern[str]", ends: "Pattern[str]" = ANYTHING) -> "Token | None":
    """The token that begins in a line at `start`, before the place at `column`, and goes on with `tail`; None where what
    follows it is none of `ends`, so that it is only a piece of something else."""
    end = column + tail.match(line, column).end() - column  # type: ignore[union-attr]  # it may be empty
    return Token(start, end, line[end:]) if ends.match(line, end) else None


def items_for(text: "Text", offset: int, where: "Token", items: "list[Json]", encoding: str) -> "list[Json]":
    """The items in LSP form, in their order. Each replaces the token around an offset; a separator that stands behind
    it is left out."""
    start = text.starts[text.position(offset)[0]]
    replaced = lsp_range(text, Span(start + where.start, start + where.end), encoding)
    for place, item in enumerate(items):
        new = item.pop("new", item["label"])
        fitted = _fitted(new, where.rest)
        if fitted != new:  # what follows is there
            item.pop("goes_on", None)
            item.pop("snippet", None)
        item["textEdit"] = {"range": replaced, "newText": fitted}
        item["sortText"] = f"{place:04}"
        item.setdefault("filterText", item["label"])
    return items


def _fitted(new: str, rest: str) -> str:
    """A text without the separator at its end that follows it already."""
    for separator, blanks, signs in _SEPARATORS:
        if new.endswith(separator):
            is_there = rest.lstrip(blanks).startswith(tuple(signs)) if blanks else rest.startswith(tuple(signs))
            return new[: -len(separator)] if is_there else new
    return new
