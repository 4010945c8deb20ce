"""Fixes that need no search: `auto` where a DeepSpeed configuration contradicts the file, which takes the value of the trainer, and
the number of processes, where a key or the script says it."""

from ..checker.findings import Fix
from ..frameworks.roles import ENGINE_PROCESSES
from ..launch.topology import PROCESSES
from ..message import NOTHING, Message
from ..source.text import Edit, Text
from .search import Change, effect, named_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Fact, Finding, Launch, Plan, Report, Setting


def auto_fix(report: "Report", finding: "Finding") -> "Fix | None":
    """Write `auto` in the place of a value, in the judged file or in the one that it names. None for a finding about
    something else."""
    launch = finding.launch
    names = finding.rule.broken.names if finding.rule.broken is not None else ()
    operand = next((name for name in names if name.startswith("deepspeed_")), "")
    attached = launch.attached.get(operand) if launch is not None else None
    if launch is None or attached is None:
        return None
    title = Message('write "auto" for {key} in {place}', {"key": attached.key, "place": named_place(attached.place)})
    if attached.file is not None:
        text = Text(attached.file.text, attached.file.path)
        found = _in_file(text, attached.key)
        return (
            Fix(title, NOTHING, "unsafe", {}, [], [(text, [found])])
            if found
            else Fix(title, NOTHING, "display", {}, [])
        )
    edit = _edit(report, launch, attached.key) if attached.place == "deepspeed" else None
    return Fix(title, NOTHING, "unsafe" if edit else "display", {}, [edit] if edit else [])


def _edit(report: "Report", launch: "Launch", key: str) -> "Edit | None":
    """The value of a key of a mapping in JSON that stands in single quotes or on lines of its own."""
    setting = launch.setting("deepspeed")
    if setting is None or setting.text is not None:
        return None
    start, written = setting.span.start, report.text[setting.span]
    found = None if written[:1] == '"' else _value(written, key)
    return Edit(start + found.start, start + found.end, found.new) if found else None


def _in_file(text: Text, key: str) -> "Edit | None":
    """The edit of a file of JSON, or of one for accelerate; in JSON a key that is missing is written in front of the others."""
    if text.path.endswith((".yaml", ".yml")):
        return _in_yaml(text, key)
    start = text.text.find("{") + 1
    missing = Edit(start, start, f'"{key}": "auto", ') if start and f'"{key}"' not in text.text else None
    return missing or _value(text.text, key)


def _in_yaml(text: Text, key: str) -> "Edit | None":
    """The edit of the first key of this name in YAML, whose value stands on its line."""
    start = 0
    for line in text.text.splitlines(keepends=True):
        name, colon, value = line.partition(":")
        if name.strip() == key and colon:
            told = value.partition("#")[0].strip()
            begin = start + line.index(told, len(name)) if told else 0
            return Edit(begin, begin + len(told), "auto") if told else None
        start += len(line)
    return None


def _value(written: str, key: str) -> "Edit | None":
    """The edit that makes "auto" of the value of a dotted key in a text of JSON."""
    import re

    position = 0
    for name in key.split("."):
        found = re.compile(rf'"{re.escape(name)}"\s*:\s*').search(written, position)
        if found is None:
            return None
        position = found.end()
    value = re.compile(r'[-+.0-9A-Za-z]+|"[^"\\]*"').match(written, position)
    return Edit(value.start(), value.end(), '"auto"') if value else None


# --- processes ----------------------------------------------------------------------------------------------------------

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
    edit = _edit_of_count(report, launch, fact, count)
    if edit is None:
        return None
    nodes = launch.world_size // fact.value if type(launch.world_size) is int else 1
    after = launch.plan(finding.candidate, {PROCESSES: count * nodes, "processes_per_node": count})  # type: ignore[arg-type]  # it is judged
    change = Change({PROCESSES: count * nodes}, set(), (), plan, after)  # of no rank
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


def _edit_of_count(report: "Report", launch: "Launch", fact: "Fact", count: int) -> "Edit | None":
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
