"""Findings about files that a setting names: they are not there, or the run cannot read them."""

from ..frameworks.shared.json_files import is_opened, meant
from ..frameworks.shared.json_kinds import PRESETS
from ..frameworks.versions import bits_of
from ..message import Message
from .findings import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Attached, Iterable, Iterator, JsonFile, Launch


def file_findings(launch: "Launch", unusable: "Iterable[Attached]") -> "Iterator[Finding]":
    """What is wrong with the files of JSON that settings of a launch name; `unusable`: what is wrong with which."""
    for found in unusable:
        if not found.key:
            from .rewards import about_rewards  # few runs name files of rewards or data that are here

            yield from about_rewards(launch, found)
            continue
        kind = launch.framework.reader.files.json_files[found.key]
        if not is_opened(kind, launch):
            continue
        if found.value:
            yield _unreadable(launch, found.key, found)
        elif not _starts_on_one_machine(launch):
            yield _missing(launch, found.key, kind)


def _starts_on_one_machine(launch: "Launch") -> bool:
    """Whether the script goes to a folder of one machine, as in `cd /home/me/project`: nobody here knows what is there."""
    folder = launch.origin.invocation.command.folder if launch.origin is not None else None
    return folder is not None and folder[0] == "absolute"


def _missing(launch: "Launch", name: str, kind: "JsonFile") -> "Finding":
    at = launch.setting(name)
    value = str(at.value) if at is not None else ""
    preset = meant(value, launch.framework.reader.files.json_files, name)
    hint = Message("; did you mean {name}?", {"name": preset}) if preset else ""
    if value in PRESETS and not kind.presets:
        hint = Message(
            "; {preset} is a name of ms-swift's, and {title} has none of its own",
            {"preset": value, "title": launch.framework.title},
        )
    values = {"key": name, "file": value, "hint": hint, "meant": preset}
    return Finding("named-file-exists", "warning", "never", candidate=launch.candidates[0], at=at, values=values)


def _unreadable(launch: "Launch", name: str, found: "Attached") -> "Finding":
    newest = launch.candidates[0]
    path = found.file.path if found.file is not None else ""
    values = {"key": name, "file": path, "problem": found.value}
    finding = Finding("named-file-is-json", "error", "config", candidate=newest, at=launch.setting(name), values=values)
    known = launch.framework.catalogue.known(name, launch.groups)
    finding.refusing = bits_of(each.index for each in launch.candidates if known >> each.index & 1)
    finding.abstaining = ~known
    return finding
