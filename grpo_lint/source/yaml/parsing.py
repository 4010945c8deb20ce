"""Builds the tree of a YAML file from PyYAML's events.

The events come from libyaml when PyYAML has it (twenty times as fast), else from PyYAML's own parser. Where the two
disagree the pure parser is right by definition, because the frameworks call `yaml.safe_load`. So it reads every text
that libyaml refuses, and every text with a character that libyaml is known to treat differently.
"""

from yaml.error import YAMLError
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from ...message import Message
from .reader import (
    _BREAK,
    _TO_BREAK,
    MOST_DEPTH,
    MOST_EVENTS,
    Alias,
    Entry,
    Mapping,
    Reading,
    Scalar,
    Sequence,
    line_end,
    nodes,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from ...shared_types import Callable, Iterable
    from .pure_parser import PureParser
    from .reader import Anchors, KnownPieces, Node, ReadError, Target

    class Mark(Protocol):
        index: int

    class Event(Protocol):
        """An event of PyYAML; its kind decides which attributes it has."""

        start_mark: Mark
        end_mark: Mark
        tag: str | None
        anchor: str
        value: str
        style: str | None
        flow_style: bool


try:
    from yaml._yaml import CParser
except ImportError:
    CParser = None  # type: ignore[assignment, misc]  # a name that an import may give has the type of the import

# A comment that must reach the end of its line matches in one way only, so no text makes this slow.
_BLANK = rf"(?:[ \t]|{_BREAK}|(?<=\s)\#{_TO_BREAK}(?={_BREAK}|\Z))"
_PROPERTY = r"(?:&[-\w]+|!<[^>\s]*>|![^\s,\[\]{}]*)"
# The anchor and the tag before a node, and what separates them from it; they are no part of the node's span.
_ONE_PROPERTY = rf"({_PROPERTY}){_BLANK}*"
_TWO_PROPERTIES = rf"({_PROPERTY}{_BLANK}+{_PROPERTY}){_BLANK}*"
_ANY_PROPERTIES = rf"([&!]\S*(?:{_BLANK}+[&!]\S*)?){_BLANK}*"
_COLON = rf"{_BLANK}*:"

# The pure parser takes a second per megabyte, and its time grows faster than the depth of nesting. So beyond these
# limits libyaml decides about a broken file.
_SECOND_OPINION_LENGTH = 400_000
_SECOND_OPINION_DEPTH = 200


def read_events(source: str, known: "KnownPieces | None" = None) -> "tuple[Reading, bool]":
    """What `read_whole` gives, of any text."""
    reading: Reading
    reading, error = _read(source)
    if error is not None:
        from .recovery import recover

        reading = recover(source, reading, error, known)
    _refuse_signs(reading)
    return reading, error is not None


def _read(source: str, anchors: "Anchors" = (), twice: bool = True) -> "tuple[EventReading, ReadError | None]":
    """A `Reading` of the source, and the error that ended it or None. `twice`: whether what libyaml refuses is read by
    the pure parser too."""
    if CParser is not None and "\t" not in source and "\ufeff" not in source:  # libyaml accepts `key:<tab>value`
        reading = EventReading(source, anchors)
        error = reading.run(CParser)
        if error is None and not _libyaml_may_differ(source, reading.roots):
            return reading, error
        if error is not None and not twice:
            return reading, error
        if type(error) is TooMuch or len(source) > _SECOND_OPINION_LENGTH or _is_deep(source, reading):
            return reading, error
    from .pure_parser import PureParser

    reading = EventReading(source, anchors)
    return reading, reading.run(PureParser)


def _is_deep(source: str, reading: Reading) -> bool:
    """Whether a text nests so deep that the pure parser is not asked: as far as libyaml read it, or by its brackets, all of which it may
    look at before it tells of the first."""
    if len(reading.open) > _SECOND_OPINION_DEPTH:
        return True
    if source.count("[") + source.count("{") <= _SECOND_OPINION_DEPTH:
        return False
    depth = deepest = 0
    for sign in source:
        depth += (sign in "[{") - (sign in "]}" and depth > 0)
        deepest = max(deepest, depth)
    return deepest > _SECOND_OPINION_DEPTH


_COMMENTS_AT_BLOCKS = [f"{sign}#" for sign in "|>+-123456789"]


def _libyaml_may_differ(source: str, roots: "Iterable[Node]") -> bool:
    """Whether libyaml may have accepted something that PyYAML's own parser refuses, or report other places.

    This concerns a comment that touches the `|` of a block, a `?` in an unquoted value of a flow collection, an empty
    key after a `?`, and a tag with several `!`.
    """
    if ("|" in source or ">" in source) and any(mark in source for mark in _COMMENTS_AT_BLOCKS):
        return True
    if "?" not in source and "!" not in source:
        return False
    return any(map(_is_read_otherwise, nodes(roots)))


def _is_read_otherwise(node: "Node") -> bool:
    """Whether a node has a `?` or a tag that the pure parser may read in another way."""
    if isinstance(node, Alias):
        return False
    if node.tag is not None and not node.tag.startswith("tag:"):
        return True
    if isinstance(node, Scalar):
        return not node.style and "?" in node.text
    return isinstance(node, Mapping) and any(entry.name == "" for entry in node.entries)


_TOO_DEEP = f"this file nests more than {MOST_DEPTH:,} lists and mappings, and the rest is not read"


_TOO_DEEP_FOR_LIBYAML = "exceeded maximum nesting depth"


class TooMuch(YAMLError):
    """A file holds more than is read."""


def _bounded(next_event: "Callable[[], Event]") -> "Callable[[], Event]":
    """The function that returns the next event, for up to MOST_EVENTS of them."""
    left = MOST_EVENTS

    def bounded() -> "Event":
        nonlocal left
        left -= 1
        if left < 0:
            raise TooMuch(
                Message(
                    "this file holds more than {most} keys and values, and the rest is not read",
                    {"most": f"{MOST_EVENTS:,}"},
                )
            )
        return next_event()

    return bounded


class EventReading(Reading):
    """One run of a parser over a text."""

    __slots__ = ()

    def run(self, parser: "type[CParser | PureParser]") -> "ReadError | None":
        """Build the trees of all documents. Returns the error that ended the reading too early, or None."""
        try:
            next_event: Callable[[], Event] = parser(self.source).get_event  # type: ignore[assignment]  # the stubs tell no kinds
            if len(self.source) > MOST_EVENTS:  # fewer characters make no more events
                next_event = _bounded(next_event)
            while True:
                event = next_event()
                kind: type[object] = type(event)
                if kind is StreamEndEvent:
                    return None
                node = _TAKE[kind](self, event) if kind in _TAKE else None
                if node is None:
                    continue
                container, key = self.open[-1] if self.open else (None, None)
                if container is None:
                    self.roots.append(node)
                elif isinstance(container, Sequence):
                    container.items.append(node)
                elif key is None:
                    self.open[-1] = container, node
                else:
                    self.open[-1] = container, None
                    container.entries.append(Entry(key, node))
                if isinstance(node, (Mapping, Sequence)):
                    if len(self.open) == MOST_DEPTH:
                        raise TooMuch(_TOO_DEEP)
                    self.open.append((node, None))
        except (YAMLError, ValueError, OverflowError) as error:  # `"\U00110000"` makes PyYAML raise a bare ValueError
            return TooMuch(_TOO_DEEP) if getattr(error, "problem", "") == _TOO_DEEP_FOR_LIBYAML else error

    def _scalar(self, event: "Event") -> Scalar:
        style = event.style or ""
        node = Scalar(event.start_mark.index, event.end_mark.index, event.value, style)
        if event.tag is not None or event.anchor is not None:
            self._take_properties(node, event)
        elif not node.text and not style and self.open and self.open[-1][1] is not None:
            self._move_to_colon(node, self.open[-1][1])
        if style == "|" or style == ">":
            node.end = self._block_end(node)
        return node

    def _collection(self, event: "Event") -> "Mapping | Sequence":
        kind = Mapping if isinstance(event, MappingStartEvent) else Sequence
        node = kind(event.start_mark.index, bool(event.flow_style))
        if event.tag is not None or event.anchor is not None:
            self._take_properties(node, event)
        return node

    def _end(self, event: "Event") -> None:
        self._close(self.open.pop()[0], event.end_mark.index)

    def _start_document(self, event: "Event") -> None:
        if self.roots:
            self.anchors = {}
        if len(self.roots) == 1:
            start = event.start_mark.index
            message = Message("a second YAML document begins here, but a config is a single one")
            self._complain(start, start + 3, "several-documents", message)

    def _take_properties(self, node: "Target", event: "Event") -> None:
        """Give the node its anchor and tag, and begin its span after them."""
        node.tag = tag = event.tag
        node.anchor = anchor = event.anchor
        import re

        both = tag is not None and anchor is not None  # else the other may belong to the first key
        properties = re.compile(_TWO_PROPERTIES if both else _ONE_PROPERTY).match(self.source, node.start)
        if properties is None:  # PyYAML's own parser, unlike libyaml, takes commas and brackets for a part of a tag
            properties = re.compile(_ANY_PROPERTIES).match(self.source, node.start)
        assert properties is not None  # the parser has seen them
        if anchor is not None:
            if anchor in self.anchors:
                message = Message("the anchor &{anchor} is defined twice, which PyYAML refuses", {"anchor": anchor})
                self._complain(node.start, properties.end(1), "duplicate-anchor", message)
            self.anchors[anchor] = node
        if tag is not None and tag != "!":
            from .pyyaml_values import collection_refusal, refusal

            is_mapping = isinstance(node, Mapping)
            reason = refusal(tag, node.text) if isinstance(node, Scalar) else collection_refusal(tag, is_mapping)
            if reason:
                self._complain(node.start, properties.end(1), "tag", reason)
        node.start = properties.end()
        node.end = max(node.start, node.end)
        if isinstance(node, Scalar):
            self._tagged |= tag is not None
            if node.text == "" and not node.style:
                node.start = node.end = properties.end(1)

    def _block_end(self, node: "Scalar") -> int:
        """The end of the last non-blank line of a block scalar, without its line break."""
        written = self.source[node.start : node.end].rstrip()
        return line_end(self.source, node.start + len(written), node.end)

    def _move_to_colon(self, node: "Scalar", key: "Node") -> None:
        """Place an empty value right after its colon; in flow mappings the parsers place it elsewhere."""
        if self.source[node.start - 1] != ":":
            import re

            colon = re.compile(_COLON).match(self.source, key.end)
            if colon:
                node.start = node.end = colon.end()

    def _alias(self, event: "Event") -> Alias:
        start = event.start_mark.index
        end = event.end_mark.index
        target = self.anchors.get(event.anchor)
        if target is None:
            self._complain(
                start,
                end,
                "undefined-alias",
                Message("there is no anchor &{anchor} above this alias", {"anchor": event.anchor}),
            )
        return Alias(start, end, event.anchor, target)


# {kind of event: what it means, the node that it adds or None}
_TAKE: "dict[type[object], Callable[[EventReading, Event], Node | None]]" = {
    AliasEvent: EventReading._alias,
    DocumentStartEvent: EventReading._start_document,
    MappingEndEvent: EventReading._end,
    MappingStartEvent: EventReading._collection,
    ScalarEvent: EventReading._scalar,
    SequenceEndEvent: EventReading._end,
    SequenceStartEvent: EventReading._collection,
}


def may_hold_signs(source: str) -> bool:
    """Whether a text may hold a sign for which YAML 1.1 has a type: `<<`, or an `=` that may end a scalar."""
    if "<<" in source:
        return True
    at = source.find("=")
    while at >= 0:
        if source[at + 1 : at + 2] in "\n\r \t,]}:":  # this includes the empty text after the last character
            return True
        at = source.find("=", at + 1)
    return False


def _refuse_signs(reading: "Reading") -> None:
    """Report a bare `=` or `<<` that is not a key: YAML 1.1 has types for them, which safe_load cannot construct."""
    if not may_hold_signs(reading.source):
        return
    signs = [
        node
        for node in nodes(reading.roots)
        if isinstance(node, Scalar) and node.text in ("=", "<<") and not node.style and node.tag is None
    ]
    if not signs:  # in nearly every file the signs are in comments
        return
    keys = {id(entry.key) for node in nodes(reading.roots) if isinstance(node, Mapping) for entry in node.entries}
    for node in signs:
        if id(node) not in keys:
            reading._complain(
                node.start,
                node.end,
                "sign",
                Message("yaml.safe_load refuses a bare `{text}`: it needs quotes", {"text": node.text}),
            )
