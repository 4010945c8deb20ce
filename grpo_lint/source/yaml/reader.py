"""A YAML file as a tree of nodes with positions, built from PyYAML's events.

The events come from libyaml when PyYAML has it (twenty times as fast), else from PyYAML's own parser. Where the two
disagree the pure parser is right by definition, because `yaml.safe_load` is what the frameworks call. So it reads
what libyaml refuses, and every text with a character that libyaml is known to treat otherwise.

Unlike PyYAML's own composer this keeps what a linter wants to talk about (duplicate keys, merge keys, aliases, quotes,
comments) and reads on after a mistake: what is wrong becomes a `Problem`, and the tree holds everything else.
"""

from bisect import bisect_right

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

from ..text import Problem
from .scalars import PAIRS, SET, plain_value

try:
    from yaml._yaml import CParser
except ImportError:
    CParser = None

# The tag of a scalar that stands for a value nobody could read: its text is what the file says there, untyped.
UNREADABLE = "!unreadable"

# Patterns for rare places are strings, and `re` is imported where one is used: most files never come there.
_BREAK = r"[\r\n\x85\u2028\u2029]"
_TO_BREAK = r"[^\r\n\x85\u2028\u2029]*"
# A comment that has to reach the end of its line can be matched in one way only, so no text makes this slow.
_BLANK = rf"(?:[ \t]|{_BREAK}|(?<=\s)\#{_TO_BREAK}(?={_BREAK}|\Z))"
_PROPERTY = r"(?:&[-\w]+|!<[^>\s]*>|![^\s,\[\]{}]*)"
# The anchor and the tag in front of a node, and what separates them from it: no part of the node's span.
_ONE_PROPERTY = rf"({_PROPERTY}){_BLANK}*"
_TWO_PROPERTIES = rf"({_PROPERTY}{_BLANK}+{_PROPERTY}){_BLANK}*"
_COLON = rf"{_BLANK}*:"
# A `#` begins a comment after a blank, and after the punctuation of a flow collection or the end of a quoted scalar.
_COMMENT = rf"(?:^|(?<=[\s,\[\]{{}}\"']))#{_TO_BREAK}"

# Keys already seen to be just themselves: no numbers, no booleans, no merge. It makes a mapping of known keys cheap.
_words = set()
_WORDS_LIMIT = 10_000

# The pure parser takes a second per megabyte, and time that grows faster than the depth of nesting. So beyond these
# limits libyaml has the last word about a broken file.
_SECOND_OPINION_LENGTH = 400_000
_SECOND_OPINION_DEPTH = 200

MOST_EVENTS = 50_000  # beginnings and ends of keys, values, lists and mappings; what `<<` brings counts as well
MOST_DEPTH = 1000


class Scalar:
    """A single value. Its span is the value as written, quotes included; anchors and tags are outside of it.

    `value` is what `yaml.safe_load` would give, found on first use; the text when PyYAML would refuse the value.
    """

    __slots__ = ("start", "end", "text", "style", "tag", "anchor", "value")

    def __init__(self, start, end, text, style="", tag=None, anchor=None):
        self.start = start
        self.end = end
        self.text = text
        self.style = style
        self.tag = tag
        self.anchor = anchor

    def __getattr__(self, name):
        """Runs only while the slot `value` is still unset."""
        if name != "value":
            raise AttributeError(name)
        tag = self.tag
        if tag is None:
            value = self.text if self.style else plain_value(self.text)
        elif tag == "!":  # PyYAML reads `! x` as x without quotes, even when there are some
            value = plain_value(self.text)
        else:
            from .pyyaml_values import construct

            value = construct(self.text, tag)
        self.value = value
        return value

    @property
    def plain(self):
        """Whether it is written without quotes and not as a block."""
        return not self.style

    def __repr__(self):
        return f"Scalar({self.start}, {self.end}, {self.text!r})"


# Plain words that are no texts for PyYAML.
_NO_TEXTS = frozenset("null true false yes no on off".split())


def is_text(node):
    """Whether a node is a text, as far as that can be told without resolving it: one that begins with a letter, or in
    quotes."""
    if type(node) is not Scalar or node.tag is not None:
        return False
    return bool(node.style) or (node.text[:1].isalpha() and node.text.lower() not in _NO_TEXTS)


class Entry:
    """One `key: value` of a mapping. `name` is the text of the key as written, empty for a key that is no scalar."""

    __slots__ = ("key", "value", "name", "merged", "duplicate_of")

    def __init__(self, key, value, merged=False):
        self.key = key
        self.value = value
        self.name = key.text if type(key) is Scalar else _name_of(key)
        self.merged = merged
        self.duplicate_of = None

    def __repr__(self):
        return f"Entry({self.name!r}, {self.value!r})"


class Mapping:
    """A block or flow mapping: its `entries` as the file has them, and the effective ones by `items` and `get`."""

    __slots__ = ("start", "end", "entries", "flow", "anchor", "tag", "_table", "_names", "_items", "python", "extent")

    def __init__(self, start, flow=False, anchor=None, tag=None):
        self.start = start
        self.end = start
        self.entries = []
        self.flow = flow
        self.anchor = anchor
        self.tag = tag
        self._table = {}  # the value of a key -> the entry that counts
        self._names = None
        self._items = None

    def items(self):
        """(name, entry) of all entries that count: merges applied, the last of several duplicates."""
        if self._items is None:
            self._items = [(entry.name, entry) for entry in self._table.values()]
        return self._items

    def get(self, name):
        """The entry that counts for a key as written: `get("on")` finds `on:` although its value is True."""
        if self._names is None:
            self._names = dict(self.items())
        return self._names.get(name)

    def __repr__(self):
        return f"Mapping({self.start}, {self.end}, {[entry.name for entry in self.entries]})"


class Sequence:
    """A block or flow sequence."""

    __slots__ = ("start", "end", "items", "flow", "anchor", "tag", "python", "extent")

    def __init__(self, start, flow=False, anchor=None, tag=None):
        self.start = start
        self.end = start
        self.items = []
        self.flow = flow
        self.anchor = anchor
        self.tag = tag

    def __repr__(self):
        return f"Sequence({self.start}, {self.end}, {len(self.items)} items)"


class Alias:
    """`*name`. `target` is the anchored node, perhaps one that contains this alias; None if there is no such anchor."""

    __slots__ = ("start", "end", "name", "target")

    def __init__(self, start, end, name, target):
        self.start = start
        self.end = end
        self.name = name
        self.target = target

    def __repr__(self):
        return f"Alias({self.start}, {self.end}, {self.name!r})"


class Document:
    """What a file says, and what is wrong with it.

    `partial` tells that PyYAML cannot read the file and `root` is what could be saved; otherwise `problems` may still
    name things that only `safe_load` refuses, such as an unknown tag. `duplicates` holds (mapping, earlier, later).
    """

    __slots__ = ("text", "root", "documents", "problems", "duplicates", "partial", "_comments")

    def __init__(self, text):
        self.text = text
        self.root = None
        self.documents = []
        self.problems = []
        self.duplicates = []
        self.partial = False
        self._comments = None

    def comments_naming(self, word):
        """[(start, end)] of the comments that hold `word`."""
        return _find_comments_naming(self.text.text, self.documents, word)

    @property
    def comments(self):
        """(start, end) of every comment, from its `#` to the end of the line."""
        if self._comments is None:
            self._comments = _find_comments(self.text.text, self.documents)
        return self._comments


def read_yaml(text):
    """Read a `Text`. Never raises for bad input: see `Document.problems`."""
    document = Document(text)
    source = text.text
    reading, error = _read(source)
    if error is not None:
        from . import recovery as yaml_recovery

        reading = yaml_recovery.recover(source, reading, error)
        document.partial = True
    if "<<" in source or _holds_one_of(source, _LONE_SIGNS) or source.endswith("="):
        _refuse_signs(reading)
    document.documents = reading.roots
    document.root = reading.roots[0] if reading.roots else None
    document.problems = reading.problems
    document.duplicates = reading.duplicates
    return document


def _holds_one_of(source, marks):
    for mark in marks:  # a loop, for this is asked of every file
        if mark in source:
            return True
    return False


_LONE_SIGNS = ("=\n", "=\r", "= ", "=\t", "=,", "=]", "=}", "=:")


def _refuse_signs(reading):
    """Complain about a bare `=` or `<<` that is no key: YAML 1.1 has types for them, of which safe_load knows no
    value."""
    keys = {id(entry.key) for node in nodes(reading.roots) if type(node) is Mapping for entry in node.entries}
    for node in nodes(reading.roots):
        if (
            type(node) is Scalar
            and node.text in ("=", "<<")
            and not node.style
            and node.tag is None
            and id(node) not in keys
        ):
            reading._complain(
                node.start, node.end, "sign", f"yaml.safe_load refuses a bare `{node.text}`: it needs quotes"
            )


def _read(source, anchors=()):
    """A `Reading` of the source, and the error that ended it or None."""
    if CParser is not None and "\t" not in source and "\ufeff" not in source:  # libyaml forgives a `key:<tab>value`
        reading = Reading(source, anchors)
        error = reading.run(CParser)
        if error is None and not _libyaml_may_differ(source, reading.roots):
            return reading, error
        if type(error) is TooMuch or len(source) > _SECOND_OPINION_LENGTH or len(reading.open) > _SECOND_OPINION_DEPTH:
            return reading, error
    from .pure_parser import PureParser

    reading = Reading(source, anchors)
    return reading, reading.run(PureParser)


_COMMENTS_AT_BLOCKS = [f"{sign}#" for sign in "|>+-123456789"]


def _libyaml_may_differ(source, roots):
    """Whether libyaml may have read something that PyYAML's own parser refuses, or places elsewhere.

    That is a comment that touches the `|` of a block, a `?` in an unquoted value of a flow collection, an empty key
    after a `?`, and a tag
    with several `!`.
    """
    if _holds_one_of(source, _COMMENTS_AT_BLOCKS):
        return True
    if "?" not in source and "!" not in source:
        return False
    for node in nodes(roots):
        kind = type(node)
        if kind is Scalar:
            if not node.style and "?" in node.text:
                return True
        elif kind is Mapping and any(entry.name == "" for entry in node.entries):
            return True
        if kind is not Alias and node.tag is not None and not node.tag.startswith("tag:"):
            return True
    return False


def nodes(roots):
    """All nodes of some trees, in no particular order, aliases not followed."""
    pending = list(roots)
    while pending:
        node = pending.pop()
        yield node
        kind = type(node)
        if kind is Mapping:
            for entry in node.entries:
                pending += (entry.key, entry.value)
        elif kind is Sequence:
            pending += node.items


class TooMuch(YAMLError):
    """A file with more in it than anybody's config."""


def _bounded(next_event):
    """The function that gives the next event, for MOST_EVENTS of them."""
    left = MOST_EVENTS

    def bounded():
        nonlocal left
        left -= 1
        if left < 0:
            raise TooMuch(f"this file holds more than {MOST_EVENTS:,} keys and values, and the rest is not read")
        return next_event()

    return bounded


class Reading:
    """One run of a parser over a text."""

    __slots__ = ("source", "anchors", "roots", "problems", "duplicates", "open", "_tagged", "_merged")

    def __init__(self, source, anchors=()):
        self.source = source
        self.anchors = dict(anchors)
        self.roots = []
        self.problems = []
        self.duplicates = []
        self.open = []  # after an error: (collection, key that still waits for its value), from the outside in
        self._merged = 0  # how many entries `<<` has brought
        self._tagged = False  # whether any scalar has an explicit tag

    def run(self, parser):
        """Build the trees of all documents. Returns the error that ended the reading too early, or None."""
        # One loop with an explicit stack: it is the hot path of the linter, and deep nesting must not recurse.
        stack = []
        container = key = None
        siblings = self.roots  # where the next node goes
        in_mapping = False
        try:
            next_event = parser(self.source).get_event
            if len(self.source) > MOST_EVENTS:  # fewer characters make no more events
                next_event = _bounded(next_event)
            while True:
                event = next_event()
                kind = type(event)
                if kind is ScalarEvent:
                    style = event.style
                    text = event.value
                    node = Scalar(event.start_mark.index, event.end_mark.index, text, style or "")
                    if event.tag is not None or event.anchor is not None:
                        self._take_properties(node, event)
                    elif not text and not style and key is not None:
                        self._move_to_colon(node, key)
                    if style == "|" or style == ">":
                        node.end = self._block_end(node)
                elif kind is MappingStartEvent or kind is SequenceStartEvent:
                    node = (Mapping if kind is MappingStartEvent else Sequence)(
                        event.start_mark.index, bool(event.flow_style)
                    )
                    if event.tag is not None or event.anchor is not None:
                        self._take_properties(node, event)
                elif kind is MappingEndEvent or kind is SequenceEndEvent:
                    self._close(container, event.end_mark.index)
                    container, key = stack.pop()
                    in_mapping = type(container) is Mapping
                    siblings = self.roots if container is None else container.entries if in_mapping else container.items
                    continue
                elif kind is AliasEvent:
                    node = self._alias(event)
                elif kind is StreamEndEvent:
                    return None
                else:
                    if kind is DocumentStartEvent:
                        self._start_document(event)
                    continue

                if not in_mapping:
                    siblings.append(node)
                elif key is None:
                    key = node
                else:
                    siblings.append(Entry(key, node))
                    key = None
                if kind is MappingStartEvent or kind is SequenceStartEvent:
                    stack.append((container, key))
                    if len(stack) > MOST_DEPTH:
                        raise TooMuch(
                            f"this file nests more than {MOST_DEPTH:,} lists and mappings, and the rest is not read"
                        )
                    container = node
                    key = None
                    in_mapping = kind is MappingStartEvent
                    siblings = node.entries if in_mapping else node.items
        except (YAMLError, ValueError, OverflowError) as error:  # `"\U00110000"` makes PyYAML raise a bare ValueError
            self.open = [*stack[1:], (container, key)] if stack else []
            return error

    def _start_document(self, event):
        if self.roots:
            self.anchors = {}
        if len(self.roots) == 1:
            start = event.start_mark.index
            message = "a second YAML document begins here, but a config is a single one"
            self._complain(start, start + 3, "several-documents", message)

    def _take_properties(self, node, event):
        """Give the node its anchor and tag, and let its span begin behind them."""
        node.tag = tag = event.tag
        node.anchor = anchor = event.anchor
        import re

        both = tag is not None and anchor is not None  # what follows one alone may belong to the first key of a mapping
        properties = re.compile(_TWO_PROPERTIES if both else _ONE_PROPERTY).match(self.source, node.start)
        if anchor is not None:
            if anchor in self.anchors:
                message = f"the anchor &{anchor} is defined twice, which PyYAML refuses"
                self._complain(node.start, properties.end(1), "duplicate-anchor", message)
            self.anchors[anchor] = node
        if tag is not None and tag != "!":
            kind = type(node)
            from .pyyaml_values import collection_refusal, refusal

            message = refusal(tag, node.text) if kind is Scalar else collection_refusal(tag, kind is Mapping)
            if message:
                self._complain(node.start, properties.end(1), "tag", message)
        node.start = properties.end()
        node.end = max(node.start, node.end)
        if type(node) is Scalar:
            self._tagged |= tag is not None
            if node.text == "" and not node.style:
                node.start = node.end = properties.end(1)

    def _block_end(self, node):
        """The end of the last line of a block scalar that is not blank, without its line break."""
        written = self.source[node.start : node.end].rstrip()
        return line_end(self.source, node.start + len(written), node.end)

    def _move_to_colon(self, node, key):
        """An empty value sits right after its colon; in flow mappings the parsers place it elsewhere."""
        if self.source[node.start - 1] != ":":
            import re

            colon = re.compile(_COLON).match(self.source, key.end)
            if colon:
                node.start = node.end = colon.end()

    def _alias(self, event):
        start = event.start_mark.index
        end = event.end_mark.index
        target = self.anchors.get(event.anchor)
        if target is None:
            self._complain(start, end, "undefined-alias", f"there is no anchor &{event.anchor} above this alias")
        return Alias(start, end, event.anchor, target)

    def _close(self, node, end):
        """A collection is complete: a block ends where its last child ends, not at the next token."""
        if type(node) is Mapping:
            if not node.flow and node.entries:
                end = node.entries[-1].value.end
            self.index(node)
        elif not node.flow and node.items:
            end = node.items[-1].end
        node.end = end

    def index(self, mapping):
        """Find the entries of a mapping that count, as SafeLoader does, and the duplicates among them."""
        own = {entry.name: entry for entry in mapping.entries}
        if len(own) == len(mapping.entries) and not self._tagged and _words.issuperset(own):
            mapping._table = own
            return
        own = {}
        merged = None
        for entry in mapping.entries:
            key = entry.key
            if type(key) is not Scalar:
                key = target(key)
                if type(key) is not Scalar:
                    self._complain(entry.key.start, entry.key.end, "unhashable-key", _UNHASHABLE)
                    continue
            elif key.text == "<<" and not key.style and key.tag is None:
                merged = self._merge(merged or {}, entry)
                continue
            identity = key.value
            if identity is key.text and not key.style and key.tag is None and len(_words) < _WORDS_LIMIT:
                _words.add(identity)
            earlier = own.get(identity)
            if earlier is not None:
                entry.duplicate_of = earlier
                self.duplicates.append((mapping, earlier, entry))
            own[identity] = entry
        mapping._table = own if merged is None else {**merged, **own}

    def _merge(self, merged, merge):
        """Add what a `<<` brings. In a list the first mapping wins; of several `<<` in one mapping the last."""
        value = target(merge.value)
        sources = reversed([target(item) for item in value.items]) if type(value) is Sequence else [value]
        for source in sources:
            if type(source) is Mapping and self._merged + len(source._table) > MOST_EVENTS:
                self._complain(
                    merge.key.start,
                    merge.value.end,
                    "merge",
                    f"`<<` brings more than {MOST_EVENTS:,} keys in this file, and the rest is not read",
                )
                break
            if type(source) is Mapping:  # one that is still open, around this one, has nothing to give yet
                self._merged += len(source._table)
                merged.update({key: Entry(entry.key, entry.value, True) for key, entry in source._table.items()})
            else:
                message = "`<<` takes a mapping or a list of mappings"
                self._complain(merge.key.start, merge.value.end, "merge", message)
        return merged

    def _complain(self, start, end, kind, message):
        self.problems.append(Problem(start, end, kind, message))


def line_end(source, start, end):
    """Where the line that holds `start` ends, but not after `end`. Here YAML's idea of a line counts."""
    import re

    line_break = re.compile(_BREAK).search(source, start, end)
    return line_break.start() if line_break else end


_UNHASHABLE = (
    "this key is itself a mapping or a list, which Python cannot use as a key; "
    "a value that begins with `{` or `[`, such as a template, needs quotes"
)


def target(node):
    return node.target if type(node) is Alias else node


def _name_of(key):
    key = target(key)
    return key.text if type(key) is Scalar else ""


def _find_comments(source, roots):
    """Every `#` that begins a comment, which is one that no scalar covers."""
    spans = sorted(_opaque_spans(source, roots))
    starts = [start for start, _ in spans]
    import re

    pattern = re.compile(_COMMENT)
    comments = []
    position = 0
    while True:
        match = pattern.search(source, position)
        if match is None:
            return comments
        nearest = bisect_right(starts, match.start()) - 1
        covered_until = spans[nearest][1] if nearest >= 0 else 0
        if match.start() < covered_until:
            position = covered_until
        else:
            comments.append(match.span())
            position = match.end()


MOST_COMMENTS = 100  # for us, that are read in one file
_BEFORE_COMMENT = " \t,[]{}\"'"


def _find_comments_naming(source, roots, word):
    """The comments that hold a word, for a few comments much cheaper than all of them; one more than are read, where
    there are more."""
    first_node = min((root.start for root in roots if root is not None), default=len(source))
    comments, covered = [], None
    at = source.find(word)
    while at >= 0 and len(comments) <= MOST_COMMENTS:
        line = max(source.rfind("\n", 0, at), source.rfind("\r", 0, at)) + 1
        end = source.find("\n", at)
        end = len(source) if end < 0 else end - (source[end - 1] == "\r")
        start = source.find("#", line, at)
        while start >= 0:
            if start == line or source[start - 1] in _BEFORE_COMMENT:
                if start >= first_node and covered is None:
                    covered = sorted(_opaque_spans(source, roots))
                if start < first_node or not _is_covered(covered, start):
                    comments.append((start, end))
                    break
            start = source.find("#", start + 1, at)
        at = source.find(word, end)
    return comments


def _is_covered(spans, at):
    """Whether an offset lies inside of a scalar; `spans` are those of all scalars, in order."""
    nearest = bisect_right(spans, (at, float("inf"))) - 1
    return nearest >= 0 and at < spans[nearest][1]


def _opaque_spans(source, roots):
    """The spans of all scalars; of a block scalar what is below its first line, for that may end in a comment."""
    for node in nodes(roots):
        if type(node) is Scalar and node.end > node.start:
            start = node.start
            if node.style in ("|", ">"):
                start = line_end(source, start, node.end)
            yield start, node.end


def to_python(node):
    """What `yaml.safe_load` constructs for a node: aliases give the same object, also inside of itself. It is made
    once.

    Where safe_load refuses (an unknown tag, a key that cannot be hashed) the rest is still built.
    """
    pending = []

    def begin(node):
        """A scalar's value, or the still empty collection; filled later, since a deep tree must not recurse."""
        node = target(node)
        kind = type(node)
        if kind is Scalar:
            return node.value
        if node is None:
            return None
        try:
            return node.python
        except AttributeError:  # asked for the first time
            node.python = result = [] if kind is Sequence else set() if node.tag == SET else {}
            pending.append((node, result))
            return result

    root = begin(node)
    while pending:
        node, result = pending.pop()
        if type(node) is Mapping:
            pairs = {key: begin(entry.value) for key, entry in node._table.items()}
            result.update(pairs)
        elif node.tag in PAIRS and all(type(target(item)) is Mapping for item in node.items):
            for item in node.items:
                result.extend((key, begin(entry.value)) for key, entry in target(item)._table.items())
        else:
            result.extend(begin(item) for item in node.items)
    return root
