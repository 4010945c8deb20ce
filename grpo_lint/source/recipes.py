"""The commands of a Makefile or a justfile, each as a script of its own, since each is run in a shell of its own.

Variables that the file sets to plain text are replaced by it. What make or just would compute is unknown.
"""

import re
from itertools import islice

from .shell.tree import Piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_RECIPES = 200  # of one file that are read
# variables that a file sets to plain text
_OF_MAKE = r"^(\w+)[ \t]{0,9}(?::{0,3}|\?)=[ \t]{0,9}([^\s$#'\"\\][^$#\n\\]{0,400})$"
_OF_JUST = r"^(\w+)[ \t]{0,9}:=[ \t]{0,9}[\"']([^\"'\n\\]*)[\"']"
# commands: in a Makefile they begin with a tab; a backslash continues them
_COMMAND_OF_MAKE = r"^\t[ \t@+-]{0,9}((?:[^\\\n]|\\.|\\\n)*)"
_COMMAND_OF_JUST = r"^[ \t]{1,99}[@-]{0,2}((?:[^\\\n]|\\.|\\\n)*)"
_USED_BY_MAKE = r"\$(?:\$|\((\w{1,80})\)|\{(\w{1,80})\}|\([^()\n]{0,200}\)|[@<^*?+])"
_USED_BY_JUST = r"\{\{[ \t]{0,9}(\w{1,80})[ \t]{0,9}\}\}|\{\{[^{}\n]{0,200}\}\}"


def recipe_scripts(text: str, is_just: bool) -> "list[list[Piece]]":
    """The commands of a file in its order, each as a list of `Piece`s with their places."""
    flags = re.MULTILINE
    set_by_file = re.finditer(_OF_JUST, text, flags) if is_just else re.finditer(_OF_MAKE, text, flags)
    values = {match[1]: (match[2], match.start(2), match.end(2)) for match in set_by_file}
    commands = re.finditer(_COMMAND_OF_JUST, text, flags) if is_just else re.finditer(_COMMAND_OF_MAKE, text, flags)
    found: list[list[Piece]] = []
    for command in islice(commands, MOST_RECIPES):
        line = command[1]
        uses = re.finditer(_USED_BY_JUST, line) if is_just else re.finditer(_USED_BY_MAKE, line)
        found.append(list(_pieces(text, command.start(1), command.end(1), uses, values)))
    return found


def _pieces(
    text: str,
    start: int,
    end: int,
    uses: "Iterator[re.Match[str]]",
    values: "dict[str, tuple[str, int, int]]",
) -> "Iterator[Piece]":
    """The parts of a command at a place. `uses`: the variables in it."""
    at = start
    for match in uses:
        first, last = start + match.start(), start + match.end()
        if first > at:
            yield Piece(text[at:first], at, first, exact=True)
        name = next(filter(None, match.groups()), None)
        if match[0] == "$$":
            yield Piece("$", first, last)
        elif name in values:
            yield Piece(*values[name], exact=True, overridable=True)
        else:
            yield Piece(None, first, last, outside=True)
        at = last
    if at < end:
        yield Piece(text[at:end], at, end, exact=True)
    yield Piece("\n", end, end)
