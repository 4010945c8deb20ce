"""Fixes and edits of the number of processes, where a key or the script says it."""

from ..checker.fix import Fix
from ..frameworks.roles import ENGINE_PROCESSES
from ..launch.topology import PROCESSES
from ..message import Message
from ..source.text import Edit
from .effects import effect
from .search import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..checker.findings import Finding, Report
    from ..launch.facts import Fact
    from ..launch.launch import Launch, Setting
    from ..plan.plan import Plan

ABOUT_PROCESSES = frozenset(
    ("one-device-per-process", "devices-divide-over-processes", "devices-are-shared-out", "processes-have-devices", "devices-have-processes")
)  # fmt: skip
VARIABLE = "NPROC_PER_NODE"


def process_fix(report: "Report", finding: "Finding") -> "Fix | None":
    """The number of processes that fits the visible devices, not yet proven; None where the script does not say it."""
    launch, plan = finding.launch, finding.plan
    if launch is None or plan is None or launch.origin is None or launch.origin.script is not None:
        return None
    fact = launch.facts.get("processes_per_node")
    count = _fitting(plan)
    if fact is None or count is None or count == fact.value:
        return None
    edit = _edit(report, launch, fact, count)
    if edit is None:
        return None
    nodes = launch.world_size // fact.value if type(launch.world_size) is int else 1
    after = launch.plan(finding.candidate, {PROCESSES: count * nodes, "processes_per_node": count})  # type: ignore[arg-type]  # it is judged
    change = Change({PROCESSES: count * nodes}, set(), (), plan, after)  # type: ignore[arg-type]  # of no rank
    name = fact.source if fact.source.startswith("--") else VARIABLE
    title = (
        Message("set {name} to {value}", {"name": name, "value": count})
        if name != VARIABLE
        else Message("set {variable}={value}", {"variable": VARIABLE, "value": count})
    )
    return Fix(title, effect(change, frozenset()), "unsafe", {"processes_per_node": count}, [edit])


def _fitting(plan: "Plan") -> int | None:
    """How many processes a node should have: one for each visible device, less the devices that engines take."""
    devices, engines = plan.value("visible_devices"), plan.value(ENGINE_PROCESSES)
    if type(devices) is not int or devices < 1:
        return None
    taken = engines if plan.value("counts_workers") is True and type(engines) is int and 0 < engines < devices else 0
    return devices - taken


def _edit(report: "Report", launch: "Launch", fact: "Fact", count: int) -> "Edit | None":
    """The edit of the number where the script says it, or the new variable in front of a command that says none and
    reads it."""
    invocation = launch.origin.invocation  # type: ignore[union-attr]  # a command of this script
    path, start, end = fact.where or ("", None, None)
    if path is None and start is not None and end is not None:
        if report.text.text[start:end].strip("\"'") == str(fact.value):
            alone = launch.world_size == fact.value or fact.source == VARIABLE or "per" in fact.source
            return Edit(start, end, str(count)) if alone else None
    own = invocation.own
    if (
        own is None
        or not own.counted_by_environment
        or "processes_per_node" in invocation.facts
        or invocation.is_listed
    ):
        return None
    return Edit(invocation.command.start, invocation.command.start, f"{VARIABLE}={count} ")


# --- edits of the number that a change sets ---------------------------------------------------------------------------


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
