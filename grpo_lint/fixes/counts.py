"""Edits of the number of processes, where a key or the script says it."""

from ..launch.topology import PROCESSES
from ..source.text import Edit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..checker.findings import Report
    from ..launch.facts import Fact
    from ..launch.launch import Launch, Setting


def key_of_count(launch: "Launch", count: object) -> "tuple[Setting, int] | None":
    """(the setting that says how many processes there are, in all or on a node; its value for so many). None where no
    setting says it."""
    fact = launch.facts.get(PROCESSES)
    if fact is None or type(count) is not int or not fact.source.startswith("key "):
        return None
    key = fact.source.removeprefix("key ").partition(" x ")[0]
    setting = launch.setting(key) or launch.setting(key.rpartition(".")[2])
    share = _share(fact, launch, setting.value, count) if setting is not None else 0
    return (setting, count // share) if setting is not None and share else None


def count_edit(report: "Report", launch: "Launch", count: object) -> "Edit | None":
    """The edit after which a script starts so many processes. None where something else says their number, such as a
    comment, or where several launches share the place.

    A config of accelerate may serve other runs. Where it says the number, the command gets a flag instead, which beats
    the config.
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
    """The number where the script says it: of all processes, or of those of one node."""
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
    """1 where the script says the number of all processes, the number of nodes where it says that of one node, 0 where
    it says neither or the new number does not divide."""
    shares = (1, launch.topology.train.nodes or 1)
    return next((each for each in shares if str(written) == str(fact.value // each) and count % each == 0), 0)
