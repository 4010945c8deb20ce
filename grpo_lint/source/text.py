"""The text of one file, and conversions between offsets and the places that users and editors use."""

from bisect import bisect_right
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from itertools import accumulate

from ..message import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Written(Protocol):
        """An object with a place in a text: a YAML node, a word of a script."""

        @property
        def start(self) -> int: ...
        @property
        def end(self) -> int: ...


BOM = "\ufeff"


class Span(tuple[int, int]):
    """A part of one Text, from `start` to before `end`, in code points.

    The readers store places as two numbers, since they create thousands of them. Spans are created only for places that
    are reported.
    """

    __slots__ = ()

    def __new__(cls, start: int, end: int) -> "Span":
        return super().__new__(cls, (start, end))

    @classmethod
    def of(cls, written: "Written") -> "Span":
        """The place of a node, a word or a command."""
        return cls(written.start, written.end)

    @property
    def start(self) -> int:
        return self[0]

    @property
    def end(self) -> int:
        return self[1]

    @property
    def offsets(self) -> range:
        return range(self.start, self.end)

    def moved(self, offset: int) -> "Span":
        """The same part of a text that begins at an offset of another one."""
        return Span(self.start + offset, self.end + offset)


class Edit(tuple[int, int, str]):
    """A change of one Text: `new` replaces the part from `start` to before `end`. Edits sort by their places."""

    __slots__ = ()

    def __new__(cls, start: int, end: int, new: str) -> "Edit":
        return super().__new__(cls, (start, end, new))

    @property
    def start(self) -> int:
        return self[0]

    @property
    def end(self) -> int:
        return self[1]

    @property
    def new(self) -> str:
        return self[2]


class NotText(Exception):
    """The bytes are not a text in an accepted encoding. `offset`: the first byte that shows it."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(f"{reason} (byte {offset})")
        self.reason = reason
        self.offset = offset


CONFLICT = Message("an unresolved merge conflict is here")
_AROUND_CONFLICTS = ("<<<<<<< ", ">>>>>>> ", "=======\n")


def is_in_conflict(text: str, at: int) -> bool:
    """Whether the line at an offset is one of those that git leaves around a conflict of a merge."""
    return text.startswith(_AROUND_CONFLICTS, text.rfind("\n", 0, at) + 1)


def second_side(text: str, at: int) -> "tuple[int, int]":
    """(start, end) of what the other side of a conflict of a merge has, which begins at an offset; (0, 0) where it has no end."""
    middle = text.find("\n=======", at)
    end = text.find("\n>>>>>>> ", middle)
    return (middle, end) if 0 <= middle < end else (0, 0)


class Problem:
    """Something in a file that its real reader refuses, or at which the reader here gave up. `message` is one sentence
    for the user."""

    __slots__ = ("offset", "end", "kind", "message")

    def __init__(self, offset: int, end: int, kind: str, message: Message) -> None:
        self.offset = offset
        self.end = end
        self.kind = kind
        self.message = message

    def __repr__(self) -> str:
        return f"Problem({self.offset}, {self.end}, {self.kind!r}, {self.message!r})"


def encoding_of(data: bytes, path: str) -> str:
    """The encoding of a file: UTF-16 when its byte order mark says so, which PyYAML accepts as well, and
    Python does not; what a file of Python declares; else UTF-8. Raises `NotText`."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        if path[-6:].lower().endswith((".py", ".ipynb")):
            raise NotText(Message("it is UTF-16, and Python and Jupyter read UTF-8"), 0)
        return "utf-16"
    if b"coding" in data and path[-3:].lower() == ".py" and not data.startswith(BOM_UTF8):
        from .python.encoding import declared, known

        name = declared(data)
        if name and not (encoding := known(name)):
            raise NotText(
                Message("it declares the encoding {name}, which is not read", {"name": name[:40]}),
                data.find(name.encode()),
            )
        return encoding if name else "utf-8"
    return "utf-8"


def decoded(data: bytes, path: str) -> "tuple[str, str]":
    """(text, its encoding) of the bytes of a file. Raises `NotText`."""
    encoding = encoding_of(data, path)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        name = encoding.upper().replace("_", "-")
        raise NotText(
            Message("not valid {name}: byte 0x{data}", {"name": name, "data": f"{data[error.start]:02X}"}), error.start
        ) from None
    nul = text.find("\0")
    if nul >= 0:
        raise NotText(Message("a NUL byte: this is a binary file"), len(text[:nul].encode(encoding)))
    return text, encoding


class Text:
    """The text of one file. Offsets are code points into `.text`; lines and columns count from zero.

    A byte order mark is no part of `.text`; `.bom` keeps it for writing the file back. `is_utf16`: whether its bytes are
    UTF-16.
    """

    __slots__ = ("path", "text", "bom", "is_utf16", "_starts")
    has_lines = True  # whether anybody wrote it, so that a line of it is a place

    def __init__(self, text: str, path: str = "<stdin>", bom: bool = False) -> None:
        if text[:1] == BOM:
            text, bom = text[1:], True
        self.path = path
        self.text = text
        self.bom = bom
        self.is_utf16 = False
        self._starts: list[int] | None = None

    @classmethod
    def from_bytes(cls, data: bytes, path: str) -> "Text":
        """Decode the bytes of a file. Raises `NotText`."""
        text, encoding = decoded(data, path)
        found = cls(text, path, bom=encoding == "utf-16" or data.startswith(BOM_UTF8))
        found.is_utf16 = encoding == "utf-16"
        return found

    def __getitem__(self, span: "Span") -> str:
        """The text of a Span."""
        return self.text[span.start : span.end]

    @property
    def starts(self) -> "list[int]":
        """The offset at which each line begins."""
        if self._starts is None:
            self._starts = [0, *line_ends(self.text)]
        return self._starts

    @property
    def line_count(self) -> int:
        """The number of lines. The empty line after a final line break counts, as in an editor."""
        return len(self.starts)

    def position(self, offset: int) -> "tuple[int, int]":
        """(line, column) of an offset; an offset outside the text is clamped to it."""
        offset = min(max(offset, 0), len(self.text))
        starts = self.starts
        line = bisect_right(starts, offset) - 1
        return line, offset - starts[line]

    def encoded_position(self, offset: int, encoding: str = "utf-16") -> "tuple[int, int]":
        """(line, character) of an offset as LSP counts it: in units of an encoding, by default UTF-16 with two for an
        emoji."""
        line, column = self.position(offset)
        start = self.starts[line]
        return line, _units(self.text[start : start + column], encoding)

    def offset(self, line: int, column: int) -> int:
        """The offset of a place. A column beyond the line means its end, a line beyond the text means the end of the
        text."""
        if line < 0:
            return 0
        if line >= self.line_count:
            return len(self.text)
        return self.starts[line] + min(max(column, 0), len(self.line_text(line)))

    def encoded_offset(self, line: int, character: int, encoding: str = "utf-16") -> int:
        """The offset of a place given in units of an encoding, the inverse of `encoded_position`; a place within a
        character means its start."""
        text = self.line_text(line)
        column = min(max(character, 0), len(text))
        if _units(text[:column], encoding) > character:
            column = bisect_right(range(column), character, key=lambda end: _units(text[:end], encoding)) - 1
        return self.offset(line, column)

    def line_text(self, line: int) -> str:
        """One line without its line break; empty for a line that does not exist."""
        starts = self.starts
        if not 0 <= line < len(starts):
            return ""
        end = starts[line + 1] if line + 1 < len(starts) else len(self.text)
        return self.text[starts[line] : end].rstrip("\r\n")


def line_ends(text: str) -> "list[int]":
    """The offset after each line break of a text.

    YAML would also end a line at NEL, U+2028 and U+2029. Editors and LSP do not, and lines are counted for them.
    """
    if "\r" in text:
        import re  # loading it takes as long as checking a file

        return [match.end() for match in re.finditer(r"\r\n|\n|\r", text)]
    return list(accumulate(len(line) + 1 for line in text.split("\n")[:-1]))


def _units(text: str, encoding: str) -> int:
    """The length of a text in units of utf-8, utf-16 or utf-32."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text) + sum(char > "\uffff" for char in text)
