"""The commands in the code blocks of a README: with how many processes they start a config, and with which program."""

import re

from ..files import disk
from ..message import Message
from ..source.shell.reader import read_shell
from ..source.shell.tree import Piece
from ..source.text import Text
from .commands import STARTS, invocations
from .facts import Fact
from .programs import path_of_program
from .scripts import launcher_of, more_facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Files, Invocation, Iterator


MOST_BLOCKS = 50  # of one README that are looked at


def processes_of(text: str, path: str, config: str, files: "Files") -> "Iterator[Fact]":
    """The numbers of processes with which the commands of a README start a config, a path without links."""
    for invocation, place in _starting(text, path, config, files):
        told = {**more_facts(invocation, files, launcher_of(invocation, files)), **invocation.facts}
        if fact := told.get("world_size"):
            yield Fact(fact.value, place, (path, invocation.start, invocation.start), is_weak=True)


def programs_of(text: str, path: str, config: str, files: "Files") -> "Iterator[tuple[str, Message]]":
    """(the path without links, the place of the command) of each program with which the commands of a README start a config."""
    for invocation, place in _starting(text, path, config, files):
        program = path_of_program(invocation, files)
        if program is not None:
            yield disk.real(program), place


def _starting(text: str, path: str, config: str, files: "Files") -> "Iterator[tuple[Invocation, Message]]":
    """(the invocation, its place) of each command of a README that starts a config."""
    whole = Text(text, path)
    for start, end in _blocks(text):
        if not re.search(STARTS, text[start:end]):
            continue
        for invocation in invocations(read_shell(whole, [Piece(text[start:end], start, end, exact=True)])):
            if _starts(invocation, config, files):
                line = whole.position(invocation.start)[0] + 1
                yield invocation, Message("{path}, line {line}", {"path": path, "line": line})


def _starts(invocation: "Invocation", file: str, files: "Files") -> bool:
    """Whether a command starts a config, or a program, at a path without links."""
    words = [word for word in (invocation.config, invocation.program) if word]
    places = (files.place_by(invocation.command, word) for word in words)
    return any(place is not None and disk.real(place) == file for place in places)


def _blocks(text: str) -> "list[tuple[int, int]]":
    """The places of the code blocks between fences."""
    fences = [match.span() for match in re.finditer(r"(?m)^[ \t]{0,12}```[^\n`]*$", text)][: 2 * MOST_BLOCKS]
    return [(begin[1], end[0]) for begin, end in zip(fences[::2], fences[1::2])]
