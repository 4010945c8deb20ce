"""The GPUs that a document gives to the scripts in it: a container of Kubernetes, a job of Ray, a task of SkyPilot."""

from .shell.script import Allocated
from .yaml.reader import Mapping, Scalar, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..shared_types import Node

_GPUS = "nvidia.com/gpu"
_DEEPEST = 12  # mappings in one another in which the containers of a group are looked for


def allocated_by(node: Mapping) -> "Allocated | None":
    """What a mapping gives to the scripts in it; None where it leaves that open."""
    values = _values(node)
    if isinstance(cluster := values.get("rayClusterSpec"), Mapping):
        return _of_cluster(_values(cluster))
    resources = values.get("resources")
    if not isinstance(resources, Mapping):
        return None
    if "run" in values:
        return _of_task(_values(resources).get("accelerators"), values.get("num_nodes"))
    gpus = _of_container(resources)
    return None if gpus is None else _allocated(1, gpus[0], gpus[0], _GPUS, gpus[1])


def _values(node: Mapping) -> "dict[str, Node]":
    return {entry.name: entry.value for entry in node.entries}


def _allocated(nodes: int, gpus: int, total: int, key: str, at: Scalar) -> Allocated:
    return Allocated(nodes=nodes, gpus=gpus, total=total, key=key, value=at.text, start=at.start, end=at.end)


def _whole(node: "Node | None") -> "int | None":
    if not isinstance(node, Scalar) or not node.text.isdecimal() or len(node.text) > 5:
        return None
    return int(node.text)


def _of_container(resources: Mapping) -> "tuple[int, Scalar] | None":
    """(GPUs, where it says so) of the resources of a container."""
    for kind in ("limits", "requests"):
        asked = _values(resources).get(kind)
        found = _values(asked).get(_GPUS) if isinstance(asked, Mapping) else None
        if isinstance(found, Scalar) and (count := _whole(found)):
            return count, found
    return None


def _of_cluster(groups: "dict[str, Node]") -> "Allocated | None":
    """All nodes of a cluster of Ray; None where one of its groups leaves open how many there are."""
    workers = groups.get("workerGroupSpecs")
    found: list[tuple[int, int, Scalar]] = []
    for group in [groups.get("headGroupSpec"), *(workers.items if isinstance(workers, Sequence) else ())]:
        if not isinstance(group, Mapping):
            return None
        gpus = next(filter(None, map(_of_container, _resources(group))), None)
        told = _values(group)
        replicas = 1 if group is groups.get("headGroupSpec") else _whole(told.get("replicas", told.get("minReplicas")))
        if replicas is None or ("maxReplicas" in told and _whole(told["maxReplicas"]) != replicas):
            return None
        if gpus is not None and replicas:
            found.append((replicas, *gpus))
    if not found:
        return None
    most = max(gpus for _, gpus, _ in found)
    total = sum(nodes * gpus for nodes, gpus, _ in found)
    return _allocated(sum(nodes for nodes, _, _ in found), most, total, _GPUS, found[-1][2])


def _resources(node: "Node", depth: int = 0) -> "Iterator[Mapping]":
    """The `resources` of the containers in a group."""
    if depth > _DEEPEST:
        return
    for entry in node.entries if isinstance(node, Mapping) else ():
        if entry.name == "resources" and isinstance(entry.value, Mapping):
            yield entry.value
        else:
            yield from _resources(entry.value, depth + 1)
    for item in node.items if isinstance(node, Sequence) else ():
        yield from _resources(item, depth + 1)


def _of_task(accelerators: "Node | None", nodes: "Node | None") -> "Allocated | None":
    """The GPUs of a task of SkyPilot: `H100:8`, or `{H100: 8}`."""
    if isinstance(accelerators, Mapping) and len(accelerators.entries) == 1:
        accelerators = accelerators.entries[0].value
    if not isinstance(accelerators, Scalar):
        return None
    number = accelerators.text.rpartition(":")[2]
    count = 1 if nodes is None else _whole(nodes)
    if not count or not number.isdecimal() or not 0 < int(number) < 10_000:
        return None
    return _allocated(count, int(number), count * int(number), "accelerators", accelerators)
