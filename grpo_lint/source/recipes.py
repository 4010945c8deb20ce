"""The commands of a Makefile or a justfile, each as a script of its own: so they are run.

Variables that the file sets to plain text stand for it; what make or just would compute is unknown.
"""

import re

from .shell.tree import Piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_RECIPES = 200  # that are looked at
_OF_MAKE = r"(?m)^(\w+)[ \t]*(?::{0,3}|\?)=[ \t]*([^\s$#'\"\\][^$#\n\\]*?)[ \t]*$"
_OF_JUST = r"(?m)^(\w+)[ \t]*:=[ \t]*[\"']([^\"'\n\\]*)[\"'][ \t]*$"
_USED_BY_MAKE = r"\$(?:\$|\((\w+)\)|\{(\w+)\}|\([^()\n]*\)|[@<^*?+])"
_USED_BY_JUST = r"\{\{[ \t]*(\w+)[ \t]*\}\}|\{\{[^{}\n]*\}\}"


def recipe_scripts(text: str, is_just: bool) -> "list[list[Piece]]":
    """The commands of a file in its order, each as a list of `Piece`s that know where they stand."""
    values = {
        match[1]: (match[2], match.start(2), match.end(2)) for match in re.finditer(_OF_JUST if is_just else _OF_MAKE, text)
    }
    commands = _of_just(text) if is_just else _of_make(text)
    used = _USED_BY_JUST if is_just else _USED_BY_MAKE
    found: list[list[Piece]] = []
    for start, end in commands:
        if len(found) == MOST_RECIPES:
            break
        found.append(list(_pieces(text, start, end, used, values)))
    return found


def _of_make(text: str) -> "Iterator[tuple[int, int]]":
    """The places of the commands, which begin with a tab and go on behind a backslash."""
    for match in re.finditer(r"(?m)^\t[ \t]*[@+-]*((?:[^\\\n]|\\.|\\\n)*)", text):
        yield match.span(1)


def _of_just(text: str) -> "Iterator[tuple[int, int]]":
    for match in re.finditer(r"(?m)^[ \t]+[@-]*((?:[^\\\n]|\\.|\\\n)*)", text):
        yield match.span(1)


def _pieces(
    text: str, start: int, end: int, used: str, values: "dict[str, tuple[str, int, int]]"
) -> "Iterator[Piece]":
    at = start
    for match in re.compile(used).finditer(text, start, end):
        if match.start() > at:
            yield Piece(text[at : match.start()], at, match.start(), exact=True)
        name = next(filter(None, match.groups()), None)
        if match[0] == "$$":
            yield Piece("$", match.start(), match.end())
        elif name in values:
            value, first, last = values[name]
            yield Piece(value, first, last, exact=True, overridable=True)
        else:
            yield Piece(None, match.start(), match.end(), outside=True)
        at = match.end()
    if at < end:
        yield Piece(text[at:end], at, end, exact=True)
    yield Piece("\n", end, end)
