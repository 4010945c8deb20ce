"""A YAML file as a tree of nodes with positions. Keys with simple values in blocks are read here (`PlainReading`), everything else is
built of PyYAML's events in `parsing`.

Unlike PyYAML's own composer, this reader keeps what a linter reports on (duplicate keys, merge keys, aliases, quotes,
comments). It also continues after an error: the error becomes a `Problem`, and the tree holds everything else.
"""

from ...message import Message
from ..text import Problem
from .scalars import PAIRS, SET, WORDS, plain_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from yaml.error import YAMLError

    from ...shared_types import Blocks, Callable, Iterable, Iterator, Text

    Target: TypeAlias = "Scalar | Mapping | Sequence"  # the possible targets of an alias
    Node: TypeAlias = "Scalar | Mapping | Sequence | Alias"
    Anchors: TypeAlias = "Iterable[tuple[str, Target]] | dict[str, Target]"
    Collection: TypeAlias = "list[object] | set[object] | dict[object, object]"
    ReadError: TypeAlias = "YAMLError | ValueError | OverflowError"
    PlainValue: TypeAlias = "tuple[int, int, str, str]"  # (start, end, text, style) of a scalar on its line
    KnownPieces: TypeAlias = "Callable[[str, int], list[Entry] | None]"  # (piece, its offset) -> its entries

# The tag of a scalar whose value could not be read: its text is the text of the file, untyped.
UNREADABLE = "!unreadable"

# Patterns for rare cases are strings, and `re` is imported where one is used: most files need none.
_BREAK = r"[\r\n\x85\u2028\u2029]"
_TO_BREAK = r"[^\r\n\x85\u2028\u2029]*"
# Keys known to be plain texts: no numbers, booleans or merge keys. This makes mappings of known keys cheap.
_words: "set[object]" = set()
_WORDS_LIMIT = 10_000

MOST_EVENTS = 50_000  # beginnings and ends of keys, values, lists and mappings, including entries that `<<` merges
MOST_DEPTH = 1000


class Scalar:
    """A single value. Its span is the value as written, including quotes, without anchors and tags."""

    # `value` is what `yaml.safe_load` would return, computed on first use; the text where PyYAML would refuse the value

    __slots__ = ("start", "end", "text", "style", "tag", "anchor", "value")
    value: object

    def __init__(
        self, start: int, end: int, text: str, style: str = "", tag: "str | None" = None, anchor: "str | None" = None
    ) -> None:
        self.start = start
        self.end = end
        self.text = text
        self.style = style
        self.tag = tag
        self.anchor = anchor

    def __getattr__(self, name: str) -> object:
        """Called only while the slot `value` is unset."""
        if name != "value":
            raise AttributeError(name)
        tag = self.tag
        if tag is None:
            value = self.text if self.style else plain_value(self.text)
        elif tag == "!":  # PyYAML reads `! x` as unquoted x, even where there are quotes
            value = plain_value(self.text)
        else:
            from .pyyaml_values import construct

            value = construct(self.text, tag)
        self.value = value
        return value

    def __repr__(self) -> str:
        return f"Scalar({self.start}, {self.end}, {self.text!r})"


# Plain words that PyYAML does not read as texts.
_NO_TEXTS = frozenset("null true false yes no on off".split())


def is_text(node: "Node") -> bool:
    """Whether a node is a text, as far as that is known without resolving it: it begins with a letter, or is quoted."""
    if type(node) is not Scalar or node.tag is not None:
        return False
    return bool(node.style) or (node.text[:1].isalpha() and node.text.lower() not in _NO_TEXTS)


class Line:
    """What a line of plain YAML says, whatever is around it: `key: value`, `key:` or `- item`. Two entries of one Line say the same."""

    # Most files of a repository hold the same lines, and each of them is read once.
    #
    # column   its indentation
    # name     the key, empty for an item of a list
    # value    (start, end, text, style) of its scalar, counted from the beginning of the line; None where a key has none on its line
    # text     what is written of the value
    # end      where its value ends, counted likewise
    # is_set   whether it has a value that is not null
    # is_text  whether this value is a text, as `is_text` has it

    __slots__ = ("column", "name", "value", "text", "end", "is_set", "is_text")

    def __init__(self, column: int, name: str, value: "PlainValue | None") -> None:
        self.column = column
        self.name = name
        self.value = value
        self.text: str = value[2] if value is not None else ""
        self.end: int = value[1] if value is not None else 0
        self.is_set: bool = value is not None and (bool(value[3]) or WORDS.get(value[2], value) is not None)
        self.is_text: bool = value is not None and is_text(Scalar(*value))

    def key_at(self, start: int) -> Scalar:
        """The key of a line that begins at an offset."""
        return Scalar(start + self.column, start + self.column + len(self.name), self.name)

    def value_at(self, start: int) -> "Node":
        """The value of a line that begins at an offset, and has one."""
        first, last, text, style = self.value  # type: ignore[misc]  # it has one
        return Scalar(start + first, start + last, text, style)


class Section(Line):
    """A key of plain YAML with the lines below it, which hold its value; `text`: all of them."""

    __slots__ = ()

    def __init__(self, text: str, entry: "Entry") -> None:
        self.column = 0
        self.name = entry.name
        self.value = None
        self.is_text = False
        self.end = entry.value.end
        self.is_set = type(entry.value) is not Scalar
        self.text = text

    def value_at(self, start: int) -> "Node":
        reading = PlainSection(self.text)
        reading.read(start)
        return reading.entry.value


class Entry:
    """One `key: value` of a mapping. `name` is the text of the key as written, empty for a key that is no scalar; `line`, `offset`: of an
    entry of plain YAML its Line and where that begins."""

    # Its `key` and `value` are made when they are first asked for: of the settings of most files nothing more is needed than that they are
    # those of the file before.

    __slots__ = ("key", "value", "name", "merged", "line", "offset")
    line: "Line | None"
    offset: int

    def __init__(self, key: "Node", value: "Node", merged: bool = False) -> None:
        self.key = key
        self.value = value
        self.name = key.text if type(key) is Scalar else _name_of(key)
        self.merged = merged
        self.line = None

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """Called only while a slot is unset."""
            if name == "value":
                self.value = found = self.line.value_at(self.offset)
            elif name == "key":
                self.key = found = self.line.key_at(self.offset)
            else:
                raise AttributeError(name)
            return found

    @property
    def value_end(self) -> int:
        """Where its value ends."""
        line = self.line
        return self.value.end if line is None else self.offset + line.end

    def __repr__(self) -> str:
        return f"Entry({self.name!r}, {self.value!r})"


class _Collection:
    """What a list and a mapping have in common. `python`: the object that it stands for, and `extent`: its size; both unset until they
    are computed."""

    __slots__ = ("start", "end", "flow", "anchor", "tag", "python", "extent", "origin")
    python: "Collection"
    extent: "tuple[float, float]"
    origin: "tuple[Any, int] | None"  # of a moved node whose parts are not set yet: (the original node, distance)

    def __init__(self, start: int, flow: bool = False, tag: "str | None" = None) -> None:
        self.start = self.end = start
        self.flow = flow
        self.anchor: str | None = None
        self.tag = tag

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """Called for a slot that is unset: sets the parts of a moved node (`blocks`)."""
            if name not in ("entries", "_table", "items"):
                raise AttributeError(name)
            from .blocks import move_parts

            move_parts(self)
            return object.__getattribute__(self, name)


class Mapping(_Collection):
    """A block or flow mapping. `entries` are all entries of the file; `items` and `get` return the ones in force."""

    __slots__ = ("entries", "_table", "_names", "_items")

    def __init__(self, start: int, flow: bool = False, tag: "str | None" = None) -> None:
        super().__init__(start, flow, tag)
        self.entries: list[Entry] = []
        self._table: dict[object, Entry] = {}  # the value of a key -> the entry in force
        self._names: dict[str, Entry] | None = None
        self._items: list[tuple[str, Entry]] | None = None

    def items(self) -> "list[tuple[str, Entry]]":
        """(name, entry) of all entries in force: merges applied, the last of several duplicates."""
        if self._items is None:
            self._items = [(entry.name, entry) for entry in self._table.values()]
        return self._items

    def get(self, name: str) -> "Entry | None":
        """The entry in force for a key as written: `get("on")` finds `on:` although its value is True."""
        if self._names is None:
            self._names = dict(self.items())
        return self._names.get(name)


class Sequence(_Collection):
    """A block or flow sequence."""

    __slots__ = ("items",)

    def __init__(self, start: int, flow: bool = False, tag: "str | None" = None) -> None:
        super().__init__(start, flow, tag)
        self.items: list[Node] = []


class Alias:
    """`*name`. `target` is the anchored node, which may contain this alias; None if there is no such anchor."""

    __slots__ = ("start", "end", "name", "target")

    def __init__(self, start: int, end: int, name: str, target: "Target | None") -> None:
        self.start = start
        self.end = end
        self.name = name
        self.target = target


class Document:
    """The content of a file, and what is wrong with it."""

    # partial      PyYAML cannot read the file, and `root` is what could be recovered; otherwise `problems` may still hold what only `safe_load`
    #              refuses, such as an unknown tag
    # duplicates   (mapping, earlier, later)

    def __init__(self, text: "Text") -> None:
        self.text = text
        self.root: Node | None = None
        self.documents: list[Node] = []
        self.problems: list[Problem] = []
        self.duplicates: list[tuple[Mapping, Entry, Entry]] = []
        self.partial = False
        self._comments: list[tuple[int, int]] | None = None
        self._holders: dict[int, Mapping] | None = None  # by the identity of the keys in them

    def holder_of(self, entry: "Entry") -> "Mapping":
        """The mapping in which an entry is written."""
        if self._holders is None:
            mappings = [node for node in nodes(self.documents) if isinstance(node, Mapping)]
            self._holders = {id(each.key): mapping for mapping in mappings for each in mapping.entries}
        return self._holders[id(entry.key)]

    def comments_naming(self, word: str) -> "list[tuple[int, int]]":
        """[(start, end)] of the comments that hold `word`."""
        return _find_comments_naming(self.text.text, self.documents, word)

    @property
    def comments(self) -> "list[tuple[int, int]]":
        """(start, end) of every comment, from its `#` to the end of the line."""
        if self._comments is None:
            from .comments import find_comments  # few ask

            self._comments = find_comments(self.text.text, self.documents)
        return self._comments


def read_yaml(text: "Text", blocks: "Blocks | None" = None) -> "Document":
    """Read a `Text`. Never raises for bad input: see `Document.problems`. `blocks`: the pieces of its last reading."""
    document = Document(text)
    reading, document.partial = read_whole(text.text) if blocks is None else blocks.read(text.text)
    document.documents = reading.roots
    document.root = reading.roots[0] if reading.roots else None
    document.problems = reading.problems
    document.duplicates = reading.duplicates
    return document


def read_whole(source: str, known: "KnownPieces | None" = None) -> "tuple[Reading, bool]":
    """(the reading of a source, whether only a part of it could be recovered)."""
    plain = PlainReading(source)
    if plain.read():
        return plain, False
    from .libyaml import install_if_wanted

    install_if_wanted()
    from .parsing import read_events  # which loads PyYAML

    return read_events(source, known)


def nodes(roots: "Iterable[Node]") -> "Iterator[Node]":
    """All nodes of some trees, in no particular order, without following aliases."""
    pending = list(roots)
    while pending:
        node = pending.pop()
        yield node
        pending += parts_of(node)


def parts_of(node: "Node") -> "list[Node]":
    """The nodes that are written directly inside another one."""
    if isinstance(node, Mapping):
        return [part for entry in node.entries for part in (entry.key, entry.value)]
    return node.items if isinstance(node, Sequence) else []


class Reading:
    """What is read of a text."""

    __slots__ = ("source", "anchors", "roots", "problems", "duplicates", "open", "_tagged", "_merged")

    def __init__(self, source: str, anchors: "Anchors" = ()) -> None:
        self.source = source
        self.anchors: dict[str, Target] = dict(anchors)
        self.roots: list[Node] = []
        self.problems: list[Problem] = []
        self.duplicates: list[tuple[Mapping, Entry, Entry]] = []
        # What has begun and not ended, from the outermost in: (collection, its key that has no value yet). An explicit stack, since
        # deep nesting must not recurse. After an error it is what was left open.
        self.open: list[tuple[Mapping | Sequence, Node | None]] = []
        self._merged = 0  # how many entries `<<` has merged
        self._tagged = False  # whether any scalar has an explicit tag

    def _close(self, node: "Mapping | Sequence", end: int) -> None:
        """Complete a collection: a block ends at the end of its last child, not at the next token."""
        if isinstance(node, Mapping):
            if not node.flow and node.entries:
                end = node.entries[-1].value_end
            self.index(node)
        elif not node.flow and node.items:
            end = node.items[-1].end
        node.end = end

    def index(self, mapping: "Mapping") -> None:
        """Find the entries of a mapping that are in force, as SafeLoader does, and the duplicates among them."""
        own: dict[object, Entry] = {entry.name: entry for entry in mapping.entries}
        if len(own) == len(mapping.entries) and not self._tagged and _words.issuperset(own):
            mapping._table = own
            return
        own = {}
        merged: dict[object, Entry] = {}
        for entry in mapping.entries:
            key = target(entry.key)
            if not isinstance(key, Scalar):
                self._complain(entry.key.start, entry.key.end, "unhashable-key", _UNHASHABLE)
                continue
            is_plain = key is entry.key and not key.style and key.tag is None
            if is_plain and key.text == "<<":
                from .merging import merge  # few files have such keys

                merge(self, merged, entry)
                continue
            identity = key.value
            if is_plain and identity is key.text and len(_words) < _WORDS_LIMIT:
                _words.add(identity)
            if identity in own:
                self.duplicates.append((mapping, own[identity], entry))
            own[identity] = entry
        mapping._table = {**merged, **own}

    def _complain(self, start: int, end: int, kind: str, message: Message) -> None:
        self.problems.append(Problem(start, end, kind, message))


class PlainReading(Reading):
    """Reads YAML that consists of keys with simple values in blocks, as nearly every config does, without PyYAML."""

    # Loading PyYAML takes longer than everything else that a check does, and its events take as long as all else about a file of a
    # folder. What is read so is read alike by PyYAML (`tests/source/test_yaml_plain.py` compares the two). Where there is any doubt,
    # nothing is: at an anchor, a tag, brackets, a text over several lines, an escape, a character that may not be printed, an odd
    # indentation.

    __slots__ = ("_root", "_is_begun")

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self._root = Mapping(0)
        self._is_begun = False  # by a line that says so

    def read(self) -> bool:
        """Read the whole source, and return whether it was simple enough."""
        return len(self.source) <= LONGEST_PLAIN and self._read_lines()

    def _read_lines(self) -> bool:
        known, make, add = _plain_lines, Entry.__new__, self._root.entries.append
        key: int | None = None  # where a line begins that has a key and no value
        start = end = 0  # `end`: of what is below such a key
        for written in self.source.split("\n"):
            line = known[written] if written in known else _read_line(written)
            if not line:
                if line is None and (key is not None or not self._begins(written)):
                    return False
            elif line.column or not line.name:
                if key is None:
                    return False
                end = start + len(written)
            else:
                if key is not None and not self._add_section(key, end):
                    return False
                key = None
                if line.value is None:
                    key, end = start, start + len(written)
                else:
                    entry = make(Entry)
                    entry.name, entry.merged, entry.line, entry.offset = line.name, False, line, start
                    add(entry)
            start += len(written) + 1
        return (key is None or self._add_section(key, end)) and self._complete()

    def _complete(self) -> bool:
        """End the mapping that was read, and return whether there is any."""
        root = self._root
        if not root.entries:
            return False
        root.start, root.end = root.entries[0].offset, root.entries[-1].value_end
        self.roots.append(root)
        self.index(root)
        return True

    def _add_section(self, start: int, end: int) -> bool:
        """Add a key that begins at a place with what is below it, and return whether that is simple."""
        text = self.source[start:end]
        section = _plain_sections[text] if text in _plain_sections else _read_section(text)
        if section is None:
            return False
        entry = Entry.__new__(Entry)
        entry.name, entry.merged, entry.line, entry.offset = section.name, False, section, start
        self._root.entries.append(entry)
        return True

    def _begins(self, line: str) -> bool:
        """Whether the document begins with a line that says so, and nothing else."""
        is_first = not (self._root.entries or self._is_begun)
        self._is_begun = is_first and line.rstrip(" ") == "---"
        return self._is_begun


class PlainSection(Reading):
    """Reads a key of plain YAML with the blocks below it."""

    __slots__ = ("_block", "_column", "_around", "_key", "_closed")

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self._block: Any = None  # the innermost that is open
        self._column = 0  # its indentation
        self._around: list[tuple[Mapping | Sequence, int]] = []  # what is open around it, each with its indentation
        self._key: Scalar | None = None  # one that has no value yet
        self._closed: list[Mapping] = []

    def read(self, start: int) -> bool:
        """Read the source, which begins at an offset of its file, and return whether it was simple enough."""
        for written in self.source.split("\n"):
            line = _plain_lines[written] if written in _plain_lines else _read_line(written)
            if line is None or (line and not self._take(start, line)):
                return False
            start += len(written) + 1
        if self._key is not None:
            self._add_nothing(self._key)
        while self._around:
            self._leave()
        for each in self._closed:
            self.index(each)
        return not self.duplicates

    @property
    def entry(self) -> Entry:
        """The key with its value."""
        found: Entry = self._block.entries[0]
        return found

    def _take(self, start: int, line: Line) -> bool:
        """Take what a line says that begins at a place; whether it fits what is above it."""
        column, name = line.column, line.name
        if self._key is not None or column != self._column or type(self._block) is not (Mapping if name else Sequence):
            if not self._goes_to(column, not name, start + column):
                return False
        if line.value is None:
            self._key = line.key_at(start)
        elif not name:
            self._block.items.append(line.value_at(start))
        else:
            self._block.entries.append(Entry(line.key_at(start), line.value_at(start)))
        return True

    def _goes_to(self, column: int, is_item: bool, start: int) -> bool:
        """Go to the block of a line with an indentation, which may begin with it; whether there is one."""
        if self._key is not None:
            self._begin_below(self._key, is_item, column, start)
        elif self._block is None:
            if column or is_item:
                return False
            self._block = Mapping(start)
        while self._around and (column < self._column or (not is_item and type(self._block) is Sequence)):
            self._leave()
        return column == self._column and is_item is (type(self._block) is Sequence)

    def _begin_below(self, key: Scalar, is_item: bool, column: int, start: int) -> None:
        """Begin the block that is the value of a key, on the line below it, unless the key has none."""
        self._key = None
        if column > self._column or (is_item and column == self._column):
            block = Sequence(start) if is_item else Mapping(start)
            self._block.entries.append(Entry(key, block))
            self._around.append((self._block, self._column))
            self._block, self._column = block, column
        else:
            self._add_nothing(key)

    def _add_nothing(self, key: Scalar) -> None:
        """Add a key without a value, which stands behind its colon."""
        self._block.entries.append(Entry(key, Scalar(key.end + 1, key.end + 1, "")))

    def _leave(self) -> None:
        self._leave_block()
        self._block, self._column = self._around.pop()

    def _leave_block(self) -> None:
        """End a block where its last child ends."""
        block = self._block
        if type(block) is Mapping:
            block.end = block.entries[-1].value_end
            self._closed.append(block)
        else:
            block.end = block.items[-1].end


LONGEST_PLAIN = 50_000  # characters; fewer make no more events than are read
_LONGEST_KEY = 200
_SIGNS_OF_KEYS = str.maketrans("", "", "_-./")
_FIRST_OF_VALUES = frozenset("_./~$+(")  # beside letters and digits
_LONGEST_LINE = 200  # characters of one that is remembered
_LONGEST_SECTION = 2_000
# What lines say, each read without those around it, and what keys with the lines below them do.
_plain_lines: "dict[str, Line | tuple[()] | None]" = {}
_plain_sections: "dict[str, Section | None]" = {}


def _read_line(written: str) -> "Line | tuple[()] | None":
    """The Line of a text; nothing for a comment, and None where it is not simple."""
    text = written.lstrip(" ")
    column = len(written) - len(text)
    says: Line | tuple[()] | None = ()
    if not written.isprintable():
        says = None
    elif text[:2] == "- ":
        item = _plain_scalar(text[2:].lstrip(" "), len(written))
        says = Line(column, "", item) if item is not None else None
    elif text and text[0] != "#":
        says = _read_pair(text, column, len(written))
    if len(written) <= _LONGEST_LINE:
        if len(_plain_lines) >= _WORDS_LIMIT:
            _plain_lines.clear()
        _plain_lines[written] = says
    return says


def _read_section(text: str) -> "Section | None":
    """The Section of a text, which begins with a key; None where it is not simple."""
    reading = PlainSection(text)
    section = Section(text, reading.entry) if reading.read(0) else None
    if len(text) <= _LONGEST_SECTION:
        if len(_plain_sections) >= _WORDS_LIMIT:
            _plain_sections.clear()
        _plain_sections[text] = section
    return section


def _read_pair(text: str, column: int, end: int) -> "Line | None":
    """What a key with what follows it says, with an indentation, on a line that ends at a place; None where it is not simple."""
    name, colon, rest = text.partition(":")
    if not colon or rest[:1] not in ("", " ") or not _is_plain_key(name):
        return None
    rest = rest.lstrip(" ")
    if not rest or rest[0] == "#":
        return Line(column, name, None)
    value = _plain_scalar(rest, end)
    return Line(column, name, value) if value is not None else None


def _is_plain_key(name: str) -> bool:
    """Whether a text is a key without doubt, whatever it means."""
    is_one = name[:1].isalpha() or name[:1] == "_"
    if not is_one or not name.isascii() or len(name) > _LONGEST_KEY:
        return False
    return name.isidentifier() or name.translate(_SIGNS_OF_KEYS).isalnum()


def _plain_scalar(text: str, end: int) -> "PlainValue | None":
    """(start, end, text, style) of the scalar with which a rest of a line begins that ends at a place; None where it is not simple."""
    start, first = end - len(text), text[:1]
    if first == '"' or first == "'":
        return _quoted_scalar(text, start, first)
    if not (first.isalnum() or first in _FIRST_OF_VALUES or (first == "-" and text[1:2].isalnum())):
        return None
    comment = text.find(" #")
    text = (text if comment < 0 else text[:comment]).rstrip(" ")
    if ": " in text or text[-1] == ":" or "?" in text:
        return None
    return start, start + len(text), text, ""


def _quoted_scalar(text: str, start: int, quote: str) -> "PlainValue | None":
    """(start, end, text, style) of the scalar in quotes with which a text begins; None where it is not simple, or something but a comment
    follows."""
    close = text.find(quote, 1) + 1
    written, after = text[1 : close - 1], text[close:]
    if not close or (quote == '"' and "\\" in written) or after[:1] not in ("", " "):
        return None
    return (start, start + close, written, quote) if after.lstrip(" ")[:1] in ("", "#") else None


def line_end(source: str, start: int, end: int) -> int:
    """The end of the line that holds `start`, but not after `end`. Lines are those of YAML."""
    import re

    line_break = re.compile(_BREAK).search(source, start, end)
    return line_break.start() if line_break else end


_UNHASHABLE = Message(
    "this key is itself a mapping or a list, which Python cannot use as a key; "
    "a value that begins with `{` or `[`, such as a template, needs quotes"
)


def target(node: "Node | None") -> "Target | None":
    return node.target if isinstance(node, Alias) else node


def entries_of(root: "Mapping | None", sections: "tuple[str, ...]" = ()) -> "dict[str, Entry]":
    """{name: entry} of a mapping and of the sections in it that count as its top level; empty for None."""
    entries = {} if root is None else dict(root.items())
    for section in sections:
        node = target(entries[section].value) if section in entries else None
        if type(node) is Mapping:
            del entries[section]
            for name, inner in node.items():
                entries.setdefault(name, inner)
    return entries


def _name_of(key: "Node") -> str:
    found = target(key)
    return found.text if isinstance(found, Scalar) else ""


MOST_COMMENTS = 100  # directives that are read in one file
_BEFORE_COMMENT = " \t,[]{}\"'"


def _find_comments_naming(source: str, roots: "Iterable[Node]", word: str) -> "list[tuple[int, int]]":
    """The comments that hold a word, found without searching all comments. Where there are more than are read, one more
    is returned."""
    comments: list[tuple[int, int]] = []
    at = source.find(word)
    while at >= 0 and len(comments) <= MOST_COMMENTS:
        line = max(source.rfind("\n", 0, at), source.rfind("\r", 0, at)) + 1
        end = source.find("\n", at)
        end = len(source) if end < 0 else end - (source[end - 1] == "\r")
        start = source.find("#", line, at)
        while start >= 0:
            touches = start != line and source[start - 1] not in _BEFORE_COMMENT
            if not touches and not _is_in_a_scalar(source, roots, start):
                comments.append((start, end))
                break
            start = source.find("#", start + 1, at)
        at = source.find(word, end)
    return comments


def _is_in_a_scalar(source: str, roots: "Iterable[Node]", at: int) -> bool:
    """Whether an offset is inside a scalar; only the nodes around it are visited."""
    pending = list(roots)
    while pending:
        node = pending.pop()
        if not node.start <= at < node.end:
            continue
        if type(node) is Scalar:
            if node.style not in ("|", ">") or at >= line_end(source, node.start, node.end):
                return True
        pending += parts_of(node)
    return False


def to_python(node: "Node | None") -> object:
    """What `yaml.safe_load` constructs for a node: aliases give the same object, even inside itself. Computed once.

    Where safe_load refuses (an unknown tag, an unhashable key) the rest is still built.
    """
    pending: list[tuple[Any, Any]] = []  # a Mapping or a Sequence, and its object

    def begin(node: "Node | None") -> object:
        """A scalar's value, or an empty collection. Collections are filled later, since a deep tree must not
        recurse."""
        found = target(node)
        if found is None or isinstance(found, Scalar):
            return found and found.value
        if not hasattr(found, "python"):  # on first use
            found.python = [] if isinstance(found, Sequence) else set() if found.tag == SET else {}
            pending.append((found, found.python))
        return found.python

    root = begin(node)
    while pending:
        collection, result = pending.pop()
        if type(collection) is Mapping:
            result.update({key: begin(entry.value) for key, entry in collection._table.items()})
        else:
            pairs = _pairs_of(collection)
            result.extend(
                map(begin, collection.items) if pairs is None else [(key, begin(each)) for key, each in pairs]
            )
    return root


def _pairs_of(node: "Sequence") -> "list[tuple[object, Node]] | None":
    """[(key, value)] of a list that is tagged as one of pairs; None for any other list."""
    items = [target(item) for item in node.items]
    mappings = [item for item in items if isinstance(item, Mapping)]
    if node.tag not in PAIRS or len(mappings) < len(items):
        return None
    return [(key, entry.value) for each in mappings for key, entry in each._table.items()]
