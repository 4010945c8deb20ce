"""Which programs of a repository may read a file of settings that no command names, and which of them are shown to."""

import os

from ..files import disk
from ..files.patterns import name_matches
from ..frameworks.registry import script_reader
from ..message import NOTHING, Message
from .unpacked import is_of_a_framework

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Files, Iterable, Mapping, Program


def reader_of(path: str, programs: "list[Program]", partial: bool, told: "Mapping[str, Message]") -> "Program | None":
    """What the programs that may read the file at a path have in common; None for none. `partial`: whether there may be more; `told`:
    {path without links of a program: where a README starts it with this file}."""
    possible, shown_by = _told(programs, told)
    if possible:  # as a command starts them
        trains_otherwise = all(program.trains_otherwise for program in possible)
        return script_reader().together(possible, False, True).but(shown_by=shown_by, trains_otherwise=trains_otherwise)
    possible, shown_by = _possible(path, programs)
    if not possible and not partial:
        return None
    partial = partial and shown_by is not _NAMED
    return script_reader().together(possible, partial, bool(shown_by)).but(shown_by=shown_by)


_NAMED, _ALONE = Message("its text names this file"), Message("no other program here takes such files")


def of_this_repository(programs: "list[Program]", root: str) -> "list[Program]":
    """The programs that are no part of a framework which lies below the root; all where none of those trains."""
    own = [each for each in programs if not is_of_a_framework(os.path.dirname(each.name), root)]
    return own if any(each.trains for each in own) else programs


def programs_told_by(readmes: "Iterable[tuple[str, str, Files]]", path: str) -> "dict[str, Message]":
    """{path without links of a program: where a README, given as (path, text, files around it), starts it with the config at a path}."""
    found: dict[str, Message] = {}
    for readme, text, files in readmes:
        from .readme import programs_of  # few name a config

        for program, place in programs_of(text, readme, disk.real(path), files):
            found.setdefault(program, place)
    return found


def _told(programs: "list[Program]", told: "Mapping[str, Message]") -> "tuple[list[Program], Message]":
    """(the programs with which a README starts a file, where it says so)."""
    found = {program.name: program for program in programs if program.path and disk.real(program.path) in told}
    return [*found.values()], next((told[disk.real(each.path)] for each in found.values()), NOTHING)  # type: ignore[arg-type]  # it has a path


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
