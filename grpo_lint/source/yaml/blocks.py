"""Incremental reading: after an edit, the unchanged top-level keys of a text are not parsed again.

The text is cut into pieces, each from one line that begins like a top-level key to the next. The parser is in the same
state at the beginning of each piece: in a block mapping, before its next key. So a piece that consists of whole blocks
means the same at any place, and only new pieces are read. From the first piece that is not made of whole blocks, all
the rest is read.
"""

import re

from yaml.error import Mark, MarkedYAMLError

from .parsing import _SECOND_OPINION_DEPTH, _SECOND_OPINION_LENGTH, _read, _refuse_signs, may_hold_signs
from .reader import (
    MOST_EVENTS,
    Entry,
    Mapping,
    Reading,
    Scalar,
    Sequence,
    nodes,
    parts_of,
    read_whole,
)
from .recovery import MOST_PIECES, WORD_LINE, recover, shift

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...shared_types import Node, ReadError


# Lines that begin or end a document, after any of the line breaks that a parser knows.
_MARKER = re.compile(r"(?:\A|[\r\n\x85\u2028\u2029])(?:---|\.\.\.|%)")
_MOST_DEPTH = 50  # of lists and mappings in a piece; deeper ones are not reused
# Replaces the text before a piece, so that the parser expects a key.
_BEFORE = "k: v\n"
_AROUND = 6  # events around the entries of a text: for its stream, its document and its mapping


class Piece:
    """The content of a piece. `entries`: those of its top-level keys, at its last place, the offset `start`; `events`:
    how many the parser emits for it."""

    __slots__ = ("start", "entries", "events")

    def __init__(self, start: int, entries: "list[Entry]", events: int) -> None:
        self.start = start
        self.entries = entries
        self.events = events

    def at(self, start: int) -> "list[Entry]":
        """Its entries at an offset. Earlier entries are not moved, since findings may refer to them."""
        distance = start - self.start
        if distance:
            self.start = start
            self.entries = [_moved_entry(entry, distance) for entry in self.entries]
        return [Entry(entry.key, entry.value) for entry in self.entries]  # whether they are duplicates may change


class Blocks:
    """The pieces of a text when it was last read."""

    def __init__(self) -> None:
        self._known: dict[str, Piece | None] = {}
        self._now: dict[str, Piece | None] = {}

    def read(self, source: str) -> "tuple[Reading, bool]":
        """What `read_whole` gives, with the pieces that have not changed taken from the last reading."""
        self._now = {}
        found = self._read(source) or read_whole(source, self.entries)
        self._known = self._now
        return found

    def _read(self, source: str) -> "tuple[Reading, bool] | None":
        starts = [match.start() for match in WORD_LINE.finditer(source)]
        if not starts or len(starts) > MOST_PIECES or len(source) > _SECOND_OPINION_LENGTH:
            return None
        head, error = _read(source[: starts[0]])
        if error is not None or head.roots or _MARKER.search(source[: starts[0]]):
            return None
        root = Mapping(starts[0])
        events = _AROUND
        pieces = [self._piece(source[start:end]) for start, end in zip(starts, [*starts[1:], len(source)])]
        for start, piece in zip(starts, pieces):
            if piece is None:
                return self._read_rest(source, start, root, events)
            root.entries += piece.at(start)
            events += piece.events
        if events > MOST_EVENTS:
            return None
        reading = Reading(source)
        reading.roots.append(root)
        reading._close(root, root.start)
        return reading, False

    def _read_rest(self, source: str, start: int, before: "Mapping", events: int) -> "tuple[Reading, bool] | None":
        """Read a text that cannot be parsed, from the first piece that cannot. None where it can be parsed, or where
        too little of it can."""
        if not before.entries:  # nothing shows that the text is a mapping at all
            return None
        reading: Reading
        reading, error = _read(_BEFORE + source[start:])
        root = reading.roots[0] if len(reading.roots) == 1 else None
        if error is None or type(root) is not Mapping or root.flow or not root.entries:
            return None
        if not 0 < len(reading.open) <= _SECOND_OPINION_DEPTH or reading.open[0][0] is not root:
            return None
        if events + _count(root) > MOST_EVENTS:
            return None
        _move(reading, error, start - len(_BEFORE))
        reading.source = source
        root.entries[:1] = before.entries
        root.start = before.start
        reading = recover(source, reading, error, self.entries)
        if any(piece is None and may_hold_signs(text) for text, piece in self._now.items()):
            _refuse_signs(reading)
        return reading, True

    def entries(self, source: str, start: int) -> "list[Entry] | None":
        """The entries of a piece at an offset; None where the piece is not made of whole blocks."""
        piece = self._piece(source)
        return None if piece is None else piece.at(start)

    def _piece(self, source: str) -> "Piece | None":
        if source not in self._now:
            self._now[source] = self._known[source] if source in self._known else _read_piece(source)
        return self._now[source]


def _read_piece(source: str) -> "Piece | None":
    """The content of a piece; None where it may depend on its surroundings."""
    if "<<" in source or "\ufeff" in source or _MARKER.search(source):
        return None
    reading, error = _read(_BEFORE + source, twice=False)
    if error is not None or reading.anchors:
        return None
    (root,) = reading.roots
    _refuse_signs(reading)
    if reading.problems or any(mapping is not root for mapping, *_ in reading.duplicates):
        return None
    if any(getattr(node, "tag", None) is not None for node in nodes([root])) or _depth(root) > _MOST_DEPTH:
        return None
    assert isinstance(root, Mapping)
    del root.entries[0]  # the entry of `_BEFORE`
    return Piece(len(_BEFORE), root.entries, _count(root) - 2)


def _count(root: "Mapping") -> int:
    """How many events the parser emits for a tree."""
    return sum(1 if type(node) is Scalar else 2 for node in nodes([root]))


def _depth(root: "Node") -> int:
    depth = 0
    level: list[Node] = [root]
    while level:
        depth += 1
        parts = [part for node in level for part in parts_of(node)]
        level = [part for part in parts if type(part) is not Scalar]
    return depth


def _moved_entry(entry: "Entry", distance: int) -> "Entry":
    return Entry(_moved(entry.key, distance), _moved(entry.value, distance))


def _moved(node: "Node", distance: int) -> "Node":
    """The same node at another place, with what was computed for it. The parts of a list or a mapping are moved when
    they are first read (`move_parts`), which few are."""
    if type(node) is Scalar:
        scalar = Scalar(node.start + distance, node.end + distance, node.text, node.style)
        scalar.value = node.value
        return scalar
    assert type(node) is Mapping or type(node) is Sequence  # a piece holds no alias
    found = type(node)(node.start + distance, node.flow)
    found.end = node.end + distance
    before: tuple[Any, int] = getattr(node, "origin", None) or (node, 0)
    found.origin = before[0], before[1] + distance
    for part in _PARTS[type(node)]:
        delattr(found, part)
    for name in ("python", "extent"):
        if hasattr(node, name):
            setattr(found, name, getattr(node, name))
    return found


_PARTS = {Mapping: ("entries", "_table"), Sequence: ("items",)}  # slots that stay unset until they are read


def move_parts(node: "Mapping | Sequence") -> None:
    """Set the parts of a node that was moved."""
    assert node.origin is not None
    before, distance = node.origin
    node.origin = None
    if isinstance(node, Mapping):
        node.entries = [_moved_entry(entry, distance) for entry in before.entries]
        node._table = dict(zip(before._table, node.entries))  # a moved mapping has no merge keys and no duplicates
    else:
        node.items = [_moved(item, distance) for item in before.items]


def _move(reading: "Reading", error: "ReadError", distance: int) -> None:
    """Move all nodes and problems of a reading that ended with an error."""
    shift([*reading.roots, *(key for _, key in reading.open if key is not None)], distance)
    for problem in reading.problems:
        problem.offset += distance
        problem.end += distance
    if isinstance(error, MarkedYAMLError):
        for name in ("context_mark", "problem_mark"):
            mark = getattr(error, name)
            if mark is not None:
                setattr(error, name, Mark(mark.name, mark.index + distance, 0, 0, None, 0))
