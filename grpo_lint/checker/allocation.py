"""The GPUs that a job is given, by Slurm, Kubernetes, Ray or SkyPilot, against the run that it starts."""

import re

from ..message import Message
from ..source.patterns import pattern
from ..source.shell.script import Allocated
from ..source.text import Span
from .findings import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeGuard

    from ..shared_types import Command, Fact, Iterator, Launch, Origin, Script, Word

_OPTIONS = {"-N": "--nodes", "-G": "--gpus", "-n": "--ntasks"}
# Of a node it may have more GPUs than it asks for, or of several jobs in one; a cluster that is joined may have more nodes.
_OPEN = pattern(r"\bhetjob\b|\bpackjob\b|\bray\b|ray_|_ray|\bssh\b|\bpdsh\b", re.IGNORECASE)
_SOURCED = pattern(r"^[ \t]*(?:source|\.)[ \t]+(?!\S*(?:activate|conda|bashrc|profile))", re.MULTILINE)
_OWN_HEAD = pattern(r"\bray[ \t]+(?:stop\b|start\b(?=[^\n]*--head\b))")
_IS_JOINED = pattern(r"address|hostname[ \t]+-|>[ \t]{0,9}[^\s>]{0,200}(?:ip|head|addr)", re.IGNORECASE)
_PODS = pattern(r"\b(?:min|max)?replicas\b|\bparallelism\b|\bcompletions\b", re.IGNORECASE)
_IN_ALL = "gpus_in_all"  # the formula of a framework that places those that train and those that generate
_GENERATES = pattern(r"vllm|sglang|rollout|CUDA_VISIBLE_DEVICES")
_GRES = pattern(r"gpu(?::[A-Za-z_][\w.-]*)?:(\d{1,4})(?:\(.*\))?")
_ON_A_NODE = pattern(r"(?:[A-Za-z_][\w.-]*:)?(\d{1,4})")


def allocation_of(script: "Script") -> "Allocated | None":
    """What the `#SBATCH` lines of a script ask for, or the document around it; None where they leave a part of it open."""
    if not script.headers:
        return script.allocated
    headers = {_OPTIONS.get(header.option, header.option): header for header in script.headers}
    said = {name: header.value or "" for name, header in headers.items()}
    found = _gpus_of(said)
    if found is None:
        return None
    count, name = found
    nodes = said.get("--nodes", "1" if "--ntasks" not in said or name not in _OF_A_NODE else "")
    total = _in_all(count, name, int(nodes), said) if nodes.isdecimal() and 0 < int(nodes) < 10_000 else None
    if total is None:
        return None
    header, of_each = headers[name], count if name in _OF_A_NODE else total
    return Allocated(nodes=int(nodes), gpus=of_each, total=total, key=header.option, value=header.value or "",
                     start=header.start, end=header.end)  # fmt: skip


def _gpus_of(said: "dict[str, str]") -> "tuple[int, str] | None":
    """(number, option) of the one option of a job that says how many GPUs it has; None where there is none, or several."""
    if not said.keys().isdisjoint(("--exclusive", "--gpus-per-socket")):
        return None
    forms = {name: form.fullmatch(said[name]) for name, form in _FORMS.items() if name in said}
    found = [(int(number[1]), name) for name, number in forms.items() if number is not None]
    return found[0] if len(forms) == len(found) == 1 and found[0][0] else None


def _in_all(count: int, name: str, nodes: int, said: "dict[str, str]") -> "int | None":
    """The GPUs of a job whose option says how many of a node, of a task, or of all; None where the tasks are not known."""
    if name == "--gpus":
        return count
    if name != "--gpus-per-task":
        return nodes * count
    tasks = said.get("--ntasks") or said.get("--ntasks-per-node", "1")
    if not tasks.isdecimal() or not 0 < int(tasks) < 10_000:
        return None
    return count * int(tasks) * (1 if "--ntasks" in said else nodes)


_OF_A_NODE = ("--gpus-per-node", "--gres")
_FORMS = {"--gpus-per-node": _ON_A_NODE, "--gres": _GRES, "--gpus": _ON_A_NODE, "--gpus-per-task": _ON_A_NODE}


def about_the_allocation(launch: "Launch", script: "Script") -> "Iterator[Finding]":
    """The GPUs that a run takes, where its job has fewer, or where it leaves half of the job idle."""
    found, text = allocation_of(script), script.text.text
    world, per_node, seen = map(launch.facts.get, ("world_size", "processes_per_node", "visible_devices"))
    if found is None or not _is_counted(per_node) or _is_of_a_cluster(launch, script):
        return
    if seen is not None and seen.value < per_node.value:
        return  # of that another rule speaks
    total = world.value if _is_counted(world) else per_node.value
    nodes = max(total // per_node.value, 1)
    values: dict[str, object] = {"taken": _product(nodes, per_node.value), "given": _told(found)}
    values |= {"unless": UNLESS if script.headers else "", "training": total, "total": total}
    everything = _taken_in_all(launch, total)  # wherever there is room for it
    if everything > found.total:
        told = _told_of_all(values, total, everything)
        yield from () if _has_several_pods(script) else [_finding(launch, per_node, found, *told)]
    elif per_node.value > found.gpus and not _places_anywhere(launch):
        yield _finding(launch, per_node, found, values)
    elif nodes == found.nodes > 1 and total == found.gpus and _counts_all(world, text):
        values |= {"idle": found.total - total, "all": found.total}
        yield _finding(launch, world, found, values, _IDLE)


def _told_of_all(
    values: "dict[str, object]", total: int, everything: int
) -> "tuple[dict[str, object], Message | None]":
    """(values, message) of a run that takes more GPUs than there are: those of its engines are told apart."""
    return (values, None) if everything <= total else ({**values, "taken": f"{everything}"}, _WITH_ENGINES)


def _is_of_a_cluster(launch: "Launch", script: "Script") -> bool:
    """Whether a batch job may be one of several, or of a cluster, by more than the name of its program."""
    program = launch.origin.invocation.program.value if launch.origin is not None else None
    text = script.text.text
    if not _IS_JOINED.search(text):  # the cluster of Ray that the job itself begins has its own nodes alone
        text = _OWN_HEAD.sub("", text)
    return bool(script.headers) and _may_join_others(text.replace(program, "") if program else text)


def given_to(script: "Script") -> "Allocated | None":
    """What the commands of a script surely have no more of on one node; None where they may be elsewhere, or nothing is said."""
    return None if script.headers and _may_join_others(script.text.text) else allocation_of(script)


UNLESS = Message(", unless sbatch is given other options")


def _taken_in_all(launch: "Launch", total: int) -> int:
    """The GPUs of those that train, and of the engines beside them where a framework tells, on a cluster on which it places them; 0
    where its launcher starts them on each node."""
    if _places_anywhere(launch):
        found = launch.plan(launch.candidates[0]).value(_IN_ALL)
        return found if type(found) is int else total
    return total if launch.framework.reader.configs.nested else 0


def _places_anywhere(launch: "Launch") -> bool:
    """Whether a framework places each process wherever a GPU is free."""
    return bool(launch.candidates) and _IN_ALL in launch.candidates[0].regime.formulas


def _has_several_pods(script: "Script") -> bool:
    """Whether a container is one of several that may form a cluster."""
    text = script.text.text
    return not script.headers and "rayClusterSpec" not in text and _PODS.search(text) is not None


def _is_counted(fact: "Fact | None") -> "TypeGuard[Fact]":
    return fact is not None and type(fact.value) is int


# A cluster of Ray that runs already has devices of its own.
_JOINS_RAY = pattern(r"\bray\s+(?:start|job)\b|RAY_ADDRESS|ray_init\.address|address=")


def about_visible_devices(launch: "Launch", script: "Script") -> "Iterator[Finding]":
    """The processes of a node that its command shows fewer devices, where the framework starts them on a cluster that it begins."""
    per_node = launch.facts.get("processes_per_node")
    devices = launch.origin.invocation.devices if launch.origin is not None else None
    if devices is None or not _is_counted(per_node) or len(devices) >= per_node.value:
        return
    if not launch.framework.reader.configs.nested or _JOINS_RAY.search(script.text.text):
        return
    values = {"taken": f"{per_node.value}", "devices": ",".join(devices), "seen": len(devices)}
    yield _finding(launch, per_node, None, values, _SEES_FEWER)


_SEES_FEWER = Message(
    "the run takes {taken} GPUs of its node, and sees {seen}, unless it joins a cluster: CUDA_VISIBLE_DEVICES={devices}"
)


def _told(found: "Allocated") -> str:
    return _product(found.nodes, found.gpus) if found.nodes * found.gpus == found.total else f"{found.total}"


def _may_join_others(text: str) -> bool:
    """Whether the job may be one of several, or of a cluster: what is sourced may join one."""
    return bool(_OPEN.search(text) or _SOURCED.search(text))


def _counts_all(world: "Fact | None", text: str) -> "TypeGuard[Fact]":
    """Whether a number of processes is one of accelerate, which counts all machines, and nothing else may take the other GPUs."""
    return world is not None and world.source.startswith("--num_processes") and not _GENERATES.search(text)


_WITH_ENGINES = Message(
    "the run takes {taken} GPUs, {training} of them to train and the others for its engines, and the job asks for {given}{unless}"
)
_IDLE = Message(
    "--num_processes {total} counts all machines: {idle} of the {all} GPUs of the job ({given}) have no process"
)


def _product(nodes: int, per_node: int) -> str:
    return f"{per_node}" if nodes == 1 else f"{nodes} x {per_node}"


def _finding(
    launch: "Launch",
    fact: "Fact",
    found: "Allocated | None",
    values: "dict[str, object]",
    message: "Message | None" = None,
) -> "Finding":
    """One at the setting or the place in the script that a fact comes from, or else at the command."""
    at = launch.setting(fact.source.removeprefix("key "))
    if at is not None and at.text is not None:
        at = None
    path, start, end = fact.where or ("", None, None)
    span = None
    if at is None and path is None and start is not None and end is not None and start < end:
        span = Span(start, end)
    elif at is None and launch.origin is not None:
        span = launch.origin.invocation.span
    finding = Finding("run-fits-its-allocation", "warning", "never", at=at, span=span, values=values, message=message)
    finding.related = [(found.key, found.value, Span(found.start, found.end))] if found is not None else []
    return finding


# --- ranks ----------------------------------------------------------------------------------------------------------

_RANK_OF_NODE = pattern(r"\$(?:\{(?:SLURM_NODEID|SLURM_PROCID)\}|(?:SLURM_NODEID|SLURM_PROCID)\b)")
_ASKS = pattern(r"(?:^|\s)--(?:machine|node)[_-]rank[= ]\s*[\"']?$")
_MEETS = pattern(r"rdzv[-_]backend|standalone")  # a rendezvous gives the ranks itself
_OF_STEP = ("-N", "-n", "-w", "-r")
_OF_STEP_LONG = ("--nodes", "--ntasks", "--nodelist", "--relative", "--multi-prog")


def about_ranks(script: "Script", ours: "dict[int, Origin]") -> "Iterator[Finding]":
    """The rank of a node that a batch script hands to `srun`, and that its own shell has put in already. `ours`: the commands that
    start our runs, by where they begin."""
    starts = _that_cannot_meet(ours)
    nodes = next((each.value or "" for each in script.headers if each.option in ("--nodes", "-N")), "")
    text = script.text.text
    if not nodes.isdecimal() or int(nodes) < 2 or _MEETS.search(text):
        return
    for command in script.commands:
        if not command.words or command.words[0].value != "srun" or _picks_nodes(command):
            continue
        if any(command.start <= start < command.end for start in starts):
            for start, end in _expanded_once(command.words, text):
                yield Finding("each-node-has-its-own-rank", "warning", "never", span=Span(start, end),
                              values={"rank": text[start:end], "nodes": nodes})  # fmt: skip


def _that_cannot_meet(ours: "dict[int, Origin]") -> "list[int]":
    return [start for start, origin in ours.items() if not origin.may_meet]


def _picks_nodes(command: "Command") -> bool:
    """Whether a step has options of its own for its nodes: it may be one of several, each with another rank."""
    words = [word.value or "" for word in command.words[1:]]
    own = words[: next((at for at, word in enumerate(words) if word in ("bash", "sh", "accelerate", "torchrun")), None)]
    return any(word.startswith(_OF_STEP_LONG) or word[:2] in _OF_STEP for word in own)


def _expanded_once(words: "list[Word]", text: str) -> "Iterator[tuple[int, int]]":
    """The places of the ranks of a node among words which the shell has put in: (start, end)."""
    before = ""
    for word in words:
        for piece in word.pieces:
            written = text[piece.start : piece.end]
            if piece.text is None and _RANK_OF_NODE.fullmatch(written) and _ASKS.search(before):
                yield piece.start, piece.end
            before += written if piece.text is None else piece.text
        before += " "
