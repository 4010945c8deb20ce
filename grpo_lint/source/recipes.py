"""The commands of a Makefile or a justfile, each as a script of its own, since each is run in a shell of its own; and what an image
starts, by its Dockerfile.

Variables that the file sets to plain text are replaced by it. What make or just would compute is unknown.
"""

import re
from itertools import islice

from .embedded import Embedded, as_command, value_at
from .shell.tree import Piece
from .shell.words import Word
from .text import Text
from .yaml.reader import Scalar, Sequence, read_yaml

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


# a backslash continues an instruction; behind ENV several `A=1`, or one name and its value
_INSTRUCTION = r"^[ \t]{0,9}(FROM|ENV|CMD|ENTRYPOINT)[ \t]{1,9}((?:[^\\\n]|\\[^\n]|\\\n)*)"
_SET = r"(\w{1,80})=(?:\"([^\"\n\\]*)\"|([^\s\"'\\]*))"
_SAYS_SOMETHING = r"=|(?:^|[\s'\"])--|\.(?:ya?ml|json|sh|py)\b"
_SET_ALONE = r"(\w{1,80})[ \t]{1,9}([^\s\"'\\]+)[ \t]*$"


def image_scripts(text: str) -> "list[Embedded]":
    """What the last stage of a Dockerfile starts: its entry point, which is given the words of CMD; or CMD alone."""
    environment: dict[str, Word] = {}
    started: dict[str, list[Piece]] = {}
    for match in islice(re.finditer(_INSTRUCTION, text, re.MULTILINE | re.IGNORECASE), MOST_RECIPES):
        name = match[1].upper()
        if name == "FROM":
            environment, started = {}, {}
        elif name == "ENV":
            found = re.search(_SET_ALONE, match[2]) if "=" not in match[2] else None
            for each in [found] if found else re.finditer(_SET, match[2]):
                group = 2 if each[2] is not None else 3
                environment[each[1]] = value_at(each[group], match.start(2) + each.start(group))
        else:
            started[name] = _command(text, match.start(2), match.end(2))
    pieces = [*started.get("ENTRYPOINT", ()), *started.get("CMD", ())]
    if not re.search(_SAYS_SOMETHING, "".join(piece.text or "=" for piece in pieces)):
        return []  # a program alone, which is told what to do where the image is started
    return [Embedded(start=pieces[0].start, pieces=pieces, environment=environment)]


def _command(text: str, start: int, end: int) -> "list[Piece]":
    """A command as words in brackets, or as the shell reads it."""
    written = text[start:end]
    joined = written.replace("\\\n", "  ")
    root = read_yaml(Text(" " * start + joined)).root if written[:1] == "[" else None
    if isinstance(root, Sequence):
        return as_command([item for item in root.items if isinstance(item, Scalar)], text)
    return [Piece(written, start, end, exact=True), Piece("\n", end, end)]


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
