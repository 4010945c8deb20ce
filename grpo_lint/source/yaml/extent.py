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
    pending = [node]
    while pending:
        each = pending.pop()
        known = getattr(each, "extent", None)
        if known is None:
            each.extent = _OPEN
            pending.append(each)
            pending += (part for part in _parts(each) if not isinstance(part, Scalar))
        elif known is _OPEN:  # popped again: its parts are measured
            each.extent = _sum(_parts(each))
    return node.extent


def _sum(parts: "list[Target]") -> "tuple[float, float]":
    characters: float = 0
    levels: float = 0
    for part in parts:
        size, depth = _of_scalar(part) if isinstance(part, Scalar) else part.extent
        characters += size
        levels = max(levels, depth)
    return min(characters + 1, ENOUGH), levels + 1


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
