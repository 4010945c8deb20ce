"""The copy of a framework in a repository that declares flags of its own: what it reads is no mistake, and what releases refuse is only
likely there."""

from itertools import islice

from ..message import Message
from .launch import ASSUMED, Belief

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..frameworks.protocols import Copy
    from .context import Context
    from .sighting import Sighting

_DECLARING = ("add_argument",)


def folder_with_a_parser(parser: str, context: "Context") -> "str | None":
    """The folder of the nearest copy above a run that has the framework's own parser of flags."""
    found = context.files.places(parser) if context.files is not None else ()
    return found[0].removesuffix(parser) + parser.partition("/")[0] if found else None


def declares(copy: "Copy", name: str, abbreviates: bool = False) -> bool:
    """Whether a copy declares a flag, by its name as it is written, or makes it of the name of a field. `abbreviates`: or one that begins
    so."""
    written = {each.strip("\"'") for each in copy.first_arguments(_DECLARING)}
    if f"--{name}" in written or (abbreviates and any(each.startswith(f"--{name}") for each in written)):
        return True
    return name.replace("-", "_") in copy.fields_that_are_flags()


def own_among(sighting: "Sighting", copy: "Copy") -> "Iterator[str]":
    """The names of the flags of a command that the copy declares, and no release has."""
    flags = sighting.origin.flags if sighting.origin is not None else {}
    knows = sighting.framework.catalogue.knows
    return (name for name, flag in flags.items() if not knows(name) and declares(copy, flag.name))


def doubts_of_own_flags(sighting: "Sighting", copy: "Copy") -> "Iterator[Belief]":
    """What a flag of a command shows that the copy declares, and no release has."""
    framework, origin = sighting.framework, sighting.origin
    if origin is None or "version" in sighting.facts:
        return
    for name in islice(own_among(sighting, copy), 1):
        told = {"title": framework.title, "flag": f"--{origin.flags[name].name}"}
        note = Message("the {title} of this repository declares {flag}, which no release has", told)
        yield Belief(about="version", value=note, certainty=ASSUMED, note=note)
