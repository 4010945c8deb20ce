"""The entries that `<<` merges into a mapping."""

from ...message import Message
from ...unknown import UNKNOWN
from .reader import MOST_EVENTS, Entry, Mapping, Scalar, Sequence, target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Node
    from .reader import Reading


def merge(reading: "Reading", merged: "dict[object, Entry]", entry: "Entry") -> None:
    """Add the entries of a `<<`; of several `<<` in one mapping the last wins. In a list the first mapping does up to PyYAML 6.0.3,
    and the last one since, but for keys of one letter: what differs there is unknown."""
    value = target(entry.value)
    found: dict[object, Entry] = {}
    for source in [target(item) for item in reversed(value.items)] if isinstance(value, Sequence) else [value]:
        if not isinstance(source, Mapping):
            message = Message("`<<` takes a mapping or a list of mappings")
            reading._complain(entry.key.start, entry.value.end, "merge", message)
            continue
        if reading._merged + len(source._table) > MOST_EVENTS:
            message = Message(
                "`<<` brings more than {most} keys in this file, and the rest is not read",
                {"most": f"{MOST_EVENTS:,}"},
            )
            reading._complain(entry.key.start, entry.value.end, "merge", message)
            break
        reading._merged += len(source._table)  # nothing where a mapping contains this one, which is incomplete
        for key, each in source._table.items():
            other = found.get(key)
            value_of = each.value if other is None or _is_same(key, other, each) else _unknown_at(each.value)
            found[key] = each if each.merged and value_of is each.value else Entry(each.key, value_of, True)
    merged.update(found)


def _is_same(key: object, one: Entry, other: Entry) -> bool:
    """Whether it is the same which of two merged entries with a key wins, or clear."""
    first, second = target(one.value), target(other.value)
    both = isinstance(first, Scalar) and isinstance(second, Scalar)
    return len(str(key)) < 2 or first is second or (both and first.value == second.value)  # type: ignore[union-attr]


def _unknown_at(node: "Node") -> Scalar:
    """A value that is unknown, where another one is written."""
    found = Scalar(node.start, node.end, "")
    found.value = UNKNOWN
    return found
