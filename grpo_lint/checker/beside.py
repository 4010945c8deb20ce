"""The one program in the folder of a file of settings, where it is shown to read such files and does not use the framework at all."""

import os

from ..files import disk
from ..frameworks.registry import commands, imported_as
from ..launch.files import read_text
from ..message import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Finding, Framework, Launch


def name_the_one_beside(launch: "Launch", findings: "list[Finding]", path: str) -> None:
    """Let findings say which program most likely reads the file, and does not train: they weigh less then."""
    serious = [finding for finding in findings if finding.severity != "info"]
    program = _stranger_beside(path, launch.framework) if serious else ""
    for finding in serious if program else ():
        was = finding.severity
        told = {"program": program, "title": launch.framework.title}
        finding.hinge_on(
            [("loader", Message("unless {program} beside this file, which does not use {title}, reads it", told))]
        )
        finding.severity = "warning" if was == "error" else "info"


def _stranger_beside(path: str, framework: "Framework") -> str:
    """The name of the one program in the folder of a file where it neither imports the framework nor names a program of it; empty where
    there is none, or where other Python is beside it."""
    folder = os.path.dirname(os.path.abspath(path))
    names = [name for name, kind in disk.entries(folder) if kind == disk.FILE and name.endswith(".py")]
    place = os.path.join(folder, names[0]) if len(names) == 1 else ""
    text = read_text(place) if place else None
    if text is None or "__main__" not in text or _uses(framework, text):
        return ""
    from .reads_beside import handed_on, may_read  # which parse Python

    texts = [text, *filter(None, map(read_text, handed_on(text, place)))]
    parts = os.path.abspath(path).replace(os.sep, "/").split("/")
    is_stranger = not any(_uses(framework, each) for each in texts) and any(may_read(each, parts) for each in texts)
    return names[0] if is_stranger else ""


def _uses(framework: "Framework", text: str) -> bool:
    package = imported_as(framework.releases.package)
    programs = (name for own in commands() if own.framework == framework.name for name in own.modules)
    imports = (line.split(maxsplit=2) for line in text.splitlines() if line.lstrip().startswith(("from ", "import ")))
    return any(name.rpartition("/")[2] in text for name in programs) or any(
        words[1].partition(".")[0].rstrip(",") == package for words in imports if len(words) > 1
    )
