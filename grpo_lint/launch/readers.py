"""Which programs of a repository may read a file of settings that no command names, and which of them are shown to."""

import os

from ..files import disk
from ..files.patterns import name_matches
from ..frameworks.registry import PACKAGES, commands, script_reader
from ..message import NOTHING, Message
from .files import read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Framework, Program


def reader_of(path: str, programs: "list[Program]", partial: bool) -> "Program | None":
    """What the programs that may read the file at a path have in common; None for none. `partial`: whether there may be more."""
    possible, shown_by = _possible(path, programs)
    if not possible and not partial:
        return None
    partial = partial and shown_by is not _NAMED
    return script_reader().together(possible, partial, bool(shown_by)).but(shown_by=shown_by)


_NAMED, _ALONE = Message("its text names this file"), Message("no other program here takes such files")


def _possible(path: str, programs: "list[Program]") -> "tuple[list[Program], Message]":
    """(the programs that may read the file at a path, what shows that they do): those whose text names it, else those that take files
    of its form, else those of which that is not known."""
    naming = [program for program in programs if any(_names(mention, path) for mention in program.mentions)]
    if naming:
        return naming, _NAMED
    form = "json" if path.lower().endswith(".json") else "yaml"
    taking = [program for program in programs if form in program.takes]
    unclear = [program for program in programs if not program.takes_no_other]
    return (taking, _ALONE) if taking else (unclear, NOTHING)


def _names(mention: str, path: str) -> bool:
    """Whether the name of a file, or a pattern of names, is that of the file at a path, as seen from wherever."""
    parts = [part for part in mention.split("/") if part.strip(".")]
    pattern = [_pattern(part) for part in (parts[-2:] if mention.startswith("/") else parts)]
    says_nothing = not pattern or (len(pattern) == 1 and pattern[0].startswith("*."))
    own = disk.real(path).split(os.sep)[-len(pattern) :]
    return not says_nothing and len(own) == len(pattern) and all(map(name_matches, pattern, own))


def _pattern(part: str) -> str:
    """A part of a path as a pattern: what is filled in may be anything."""
    start, opening, rest = part.partition("{")
    return "*" if "$" in part else f"{start}*{_pattern(rest.partition('}')[2])}" if opening else part


def stranger_beside(path: str, framework: "Framework") -> str:
    """The name of the one program in the folder of a file where it neither imports a framework nor names a program of it; empty where
    there is none, or where other Python is beside it."""
    folder = os.path.dirname(os.path.abspath(path))
    names = [name for name, kind in disk.entries(folder) if kind == disk.FILE and name.endswith(".py")]
    text = read_text(os.path.join(folder, names[0])) if len(names) == 1 else None
    if text is None or "__main__" not in text:
        return ""
    package = PACKAGES[framework.releases.package][0].partition("/")[0]
    programs = [name for own in commands() if own.framework == framework.name for name in own.modules]
    is_used = any(name.rpartition("/")[2] in text for name in programs) or any(
        words[0] in ("from", "import") and words[1].partition(".")[0].rstrip(",") == package
        for words in (line.split(maxsplit=2) for line in text.splitlines())
        if len(words) > 1
    )
    return "" if is_used else names[0]
