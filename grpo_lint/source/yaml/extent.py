"""The size of a tree with its aliases expanded: a few hundred characters of nested aliases can expand to more than any
memory holds."""

from math import inf

from ...unknown import is_beyond
from .reader import Mapping, Scalar, target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .reader import Node, Sequence, Target

ENOUGH = 1 << 30  # characters; larger numbers are not told apart
_OPEN = inf, inf  # of a node whose parts are being measured: one that contains itself is infinite


def extent(node: "Mapping | Sequence") -> "tuple[float, float]":
    """(characters, levels) of a list or a mapping written without aliases; infinite for one that contains itself, and
    ENOUGH for a larger one.

    Every node is measured once, after its parts, and stores the result.
    """
    pending: list[tuple[Mapping | Sequence, list[Target] | None]] = [(node, None)]
    while pending:
        each, parts = pending.pop()
        if parts is not None:
            each.extent = _sum(parts)
        elif not hasattr(each, "extent"):
            each.extent = _OPEN
            parts = _parts(each)
            pending.append((each, parts))
            pending += [(part, None) for part in parts if not isinstance(part, Scalar)]
    return node.extent


def _sum(parts: "list[Target]") -> "tuple[float, float]":
    """The extent of what holds these parts; the levels of one that is too large do not count."""
    characters: float = 1
    levels: float = 0
    for part in parts:
        size, depth = _of_scalar(part) if isinstance(part, Scalar) else part.extent
        characters += size
        levels = max(levels, depth)
        if characters >= ENOUGH:
            return ENOUGH, levels + 1
    return characters, levels + 1


def _of_scalar(node: Scalar) -> "tuple[float, float]":
    return (ENOUGH if is_beyond(node.value) else max(1, len(node.text))), 0


def _parts(node: "Mapping | Sequence") -> "list[Target]":
    """The nodes in a list or a mapping, with aliases followed and `<<` merged."""
    parts: Iterable[Node] = (
        (part for entry in node._table.values() for part in (entry.key, entry.value))
        if isinstance(node, Mapping)
        else node.items
    )
    return [part for part in map(target, parts) if part is not None]
