"""Edits of the number of processes, where a key or the script that starts them says it."""

from ..launch.topology import PROCESSES
from ..source.text import Edit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..checker.findings import Report
    from ..launch.facts import Fact
    from ..launch.launch import Launch, Setting


def key_of_count(launch: "Launch", count: object) -> "tuple[Setting, int] | None":
    """(the setting that says how many processes there are, or how many of one node; its value for so many); None where no
    setting says it."""
    fact = launch.facts.get(PROCESSES)
    if fact is None or type(count) is not int or not fact.source.startswith("key "):
        return None
    key = fact.source.removeprefix("key ").partition(" x ")[0]
    setting = launch.setting(key) or launch.setting(key.rpartition(".")[2])
    share = _share(fact, launch, setting.value, count) if setting is not None else 0
    return (setting, count // share) if setting is not None and share else None


def count_edit(report: "Report", launch: "Launch", count: object) -> "Edit | None":
    """The edit after which a script starts so many processes; None where something else says their number, such as a comment,
    or several launches share the place where it stands.

    Where a file for accelerate says it, which may serve other runs, the command is given a flag that beats the file.
    """
    fact, origin = launch.facts.get(PROCESSES), launch.origin
    if fact is None or type(count) is not int or origin is None or origin.script is not None:
        return None
    invocation = origin.invocation
    if invocation.facts.get(PROCESSES) is fact:
        return _in_the_script(report, launch, fact, count)
    file = invocation.launcher_config
    if origin.more.get(PROCESSES) is fact and file is not None:
        return Edit(file.end, file.end, f" --num_processes {count}")
    return None


def _in_the_script(report: "Report", launch: "Launch", fact: "Fact", count: int) -> "Edit | None":
    """The number where it is written: of all processes, or of those of one node."""
    path, start, end = fact.where or ("", None, None)
    if path is not None or start is None or end is None:
        return None
    command = launch.origin.invocation.command  # type: ignore[union-attr]  # a command says the number
    if not command.start <= start <= command.end and len(report.launches) > 1:
        return None
    written = report.text.text[start:end].strip("\"'")
    share = _share(fact, launch, written, count)
    return Edit(start, end, str(count // share)) if share else None


def _share(fact: "Fact", launch: "Launch", written: object, count: int) -> int:
    """1 where all processes are written, the number of nodes where those of one node are; 0 where something else is, or the
    new number has no share for a node."""
    shares = (1, launch.topology.train.nodes or 1)
    return next((each for each in shares if str(written) == str(fact.value // each) and count % each == 0), 0)
