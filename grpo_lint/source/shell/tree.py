"""The syntax tree of a script: pieces of text, words, commands. It holds no values.

Every piece has its place in the file, also in a nested script (`bash -c "..."`, `eval`, backticks, a here-document).
"""

import re
from bisect import bisect_right

from ...record import Record
from ..patterns import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal as Choice, TypeAlias

    from ...shared_types import Word

    Place: TypeAlias = tuple[str, str]  # (base, path): a folder known by its role, and the path from it
    Part: TypeAlias = "Literal | Parameter | Substitution | Arithmetic | Opaque"
    Node: TypeAlias = "Simple | Pipeline | Group | If | For | While | Case | Function | Test | Arithmetic"
    Cause: TypeAlias = Choice["blank-after-backslash", "blank-after-variables", "comment", "blank-line", "no-backslash"]

# Stands for something unknown inside the text of a nested script. No file holds this character: `read_shell` replaces
# it.
UNKNOWN = "\0"

NAME = pattern(r"[A-Za-z_]\w*", re.ASCII)
DECLARATIONS = frozenset("export declare typeset local readonly".split())


class Piece:
    """A part of a value, and its place.

    `exact`: the file has this very text at start..end. `overridable`: it is only a default, such as `${X:-8}`. An
    unknown piece has the text None. It is `outside` when only the caller of the script can know it (an empty default
    is), and `many` when it may be any number of words. `place`: a folder known by its role only, such as the script's
    own: (base, path), see `folders`.
    """

    __slots__ = ("text", "start", "end", "exact", "overridable", "outside", "many", "place")

    def __init__(
        self,
        text: "str | None",
        start: int,
        end: int,
        exact: bool = False,
        overridable: bool = False,
        outside: bool = False,
        many: bool = False,
        place: "Place | None" = None,
    ) -> None:
        self.text = text
        self.start = start
        self.end = end
        self.exact = exact
        self.overridable = overridable
        self.outside = outside
        self.many = many
        self.place = place

    def cut(self, start: int, end: int) -> "Piece":
        """The part text[start:end]."""
        assert self.text is not None
        if start == 0 and end == len(self.text):
            return self
        span = (self.start + start, self.start + end) if self.exact else (self.start, self.end)
        return Piece(self.text[start:end], *span, self.exact, self.overridable)

    def __eq__(self, other: object) -> bool:
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]  # that is how Python says it

    def __repr__(self) -> str:
        return f"Piece({self.text!r}, {self.start}, {self.end})"


class Source:
    """A text to parse, made of pieces of the file: the file itself, or a string that is itself a script."""

    def __init__(self, pieces: "list[Piece]") -> None:
        self.text = "".join([UNKNOWN if piece.text is None else piece.text for piece in pieces])
        self._pieces = pieces
        self._starts: list[int] = []
        offset = 0
        for piece in pieces:
            self._starts.append(offset)
            offset += 1 if piece.text is None else len(piece.text)
        # A whole file is one piece, and the most frequent case.
        self._shift: int | None = (
            pieces[0].start if len(pieces) == 1 and pieces[0].exact and not pieces[0].overridable else None
        )

    def pieces(self, start: int, end: int) -> "list[Piece]":
        """The pieces of text[start:end]; a single empty one for an empty span."""
        if start >= end:
            at, _ = self.span(start, start)
            return [Piece("", at, at, exact=True)]
        if self._shift is not None:
            return [Piece(self.text[start:end], self._shift + start, self._shift + end, True)]
        found: list[Piece] = []
        index = bisect_right(self._starts, start) - 1
        while index < len(self._pieces) and self._starts[index] < end:
            piece = self._pieces[index]
            offset = self._starts[index]
            if piece.text is None:
                found.append(piece)
            elif piece.text:
                found.append(piece.cut(max(start - offset, 0), min(end - offset, len(piece.text))))
            index += 1
        return found

    def span(self, start: int, end: int) -> "tuple[int, int]":
        """The place in the file of text[start:end]."""
        if self._shift is not None:
            return self._shift + start, self._shift + max(start, end)
        first = self._place(start)[0]
        return (first, first) if end <= start else (first, max(self._place(end - 1)[1], first))

    def _place(self, at: int) -> "tuple[int, int]":
        """(start, end) of one character, or the end of the text."""
        index = bisect_right(self._starts, at) - 1
        if index < 0:
            return 0, 0
        piece = self._pieces[index]
        at -= self._starts[index]
        if not piece.exact:
            return piece.start, piece.end
        return min(piece.start + at, piece.end), min(piece.start + at + 1, piece.end)


# The parts of a word
# ---------------------------------------------------------------------------------------------------


class Literal:
    """Text that stands for itself. `quoted`: whether it is exempt from word splitting and file name patterns."""

    __slots__ = ("pieces", "quoted")

    def __init__(self, pieces: "list[Piece]", quoted: bool) -> None:
        self.pieces = pieces
        self.quoted = quoted

    @property
    def text(self) -> str:
        """Its text, as far as it is known."""
        return "".join([piece.text or "" for piece in self.pieces])


class Parameter:
    """`$X`, `${X[0]:-8}`. `prefix` is `#` for a length and `!` for an indirection; `argument`: the parts after the
    operator."""

    __slots__ = ("name", "prefix", "subscript", "operator", "argument", "start", "end", "quoted")

    def __init__(self, name: str, quoted: bool, prefix: str = "", subscript: "str | None" = None) -> None:
        self.name = name
        self.quoted = quoted
        self.prefix = prefix
        self.subscript = subscript
        self.operator = ""
        self.argument: list[Part] = []
        self.start = self.end = 0


class Substitution:
    """`$(...)` or backticks. `body` is a list of chains."""

    __slots__ = ("body", "start", "end", "quoted")

    def __init__(self, body: "list[Chain]", start: int, end: int, quoted: bool) -> None:
        self.body = body
        self.start = start
        self.end = end
        self.quoted = quoted


class Arithmetic:
    """`$((...))`, and `((...))` as a command: the parts of its text."""

    __slots__ = ("parts", "start", "end", "quoted")

    def __init__(self, parts: "list[Part]", start: int, end: int, quoted: bool = False) -> None:
        self.parts = parts
        self.start = start
        self.end = end
        self.quoted = quoted


class Opaque:
    """An expression whose value is never known: process substitution, extended patterns, `$[...]`."""

    __slots__ = ("start", "end", "quoted")

    def __init__(self, start: int, end: int, quoted: bool = False) -> None:
        self.start = start
        self.end = end
        self.quoted = quoted


class RawWord:
    """A word before expansion. `plain` is its text when it has no quotes and no expansions, else None.

    `always`: the words to which it always expands; None where that varies, or was not computed yet.
    """

    __slots__ = ("parts", "start", "end", "plain", "braces", "tilde", "always")

    def __init__(self, parts: "list[Part]", start: int, end: int) -> None:
        self.parts = parts
        self.start = start
        self.end = end
        self.plain: str | None = None
        self.always: tuple[Word, ...] | None = None
        self.braces = False  # `{a,b}`
        self.tilde = ""  # the `~user` at the beginning, or ":" when one is further inside an assignment


# Commands
# --------------------------------------------------------------------------------------------------------------


class Assignment:
    """`NAME=value`. `value` is a RawWord, or a list of them for an array."""

    __slots__ = ("name", "element", "append", "value", "start", "end")

    def __init__(self, name: str, element: bool, append: bool) -> None:
        self.name = name
        self.element = element
        self.append = append
        self.value: RawWord | list[RawWord] = []
        self.start = self.end = 0


class Redirection:
    """`> file`. A here-document has a `body` (RawWord), and `expands` says whether `$` is expanded in it."""

    __slots__ = ("operator", "descriptor", "target", "body", "expands")

    def __init__(self, operator: str, descriptor: "str | None", target: "RawWord | None") -> None:
        self.operator = operator
        self.descriptor = descriptor
        self.target = target
        self.body: RawWord | None = None
        self.expands = True


class Simple:
    """Assignments, words and redirections. An argument of `export` and similar commands may be an Assignment."""

    __slots__ = ("assignments", "words", "redirections", "start", "end")

    def __init__(self) -> None:
        self.assignments: list[Assignment] = []
        self.words: list[RawWord | Assignment] = []
        self.redirections: list[Redirection] = []
        self.start = self.end = 0


class Chain:
    """Commands joined by `&&` and `||`: [(operator, command)], the first operator empty."""

    __slots__ = ("links", "background")

    def __init__(self) -> None:
        self.links: list[tuple[str, Node]] = []
        self.background = False


class Pipeline(Record):
    """Commands joined by `|`, or one command after `!`."""

    commands: "list[Node]"
    negated: bool


class Group(Record):
    """`{ ...; }`, or `( ... )` in a child shell."""

    body: "list[Chain]"
    subshell: bool


class If(Record):
    """`branches` are (condition, body), both lists of chains; `otherwise` is a list of chains or None."""

    branches: "list[tuple[list[Chain], list[Chain]]]"
    otherwise: "list[Chain] | None"


class For(Record):
    """`for name in words`; `words` is None without `in`. A C-style loop has no name and its `header`.
    `start`, `end`: where it stands."""

    name: "str | None"
    words: "list[RawWord] | None"
    header: "Arithmetic | Opaque | None"
    body: "list[Chain]"
    start: int
    end: int


class While(Record):
    """`while` or `until`."""

    condition: "list[Chain]"
    body: "list[Chain]"
    until: bool


class Case(Record):
    """`arms` are (patterns, body, how it ends: `;;`, `;&` or `;;&`)."""

    subject: "RawWord | None"
    arms: "list[tuple[list[RawWord], list[Chain], str]]"


class Function(Record):
    """A definition; `body` is one compound command."""

    name: str
    body: "Node"


class Test:
    """`[[ ... ]]`: words, and operators as strings."""

    __slots__ = ("items",)

    def __init__(self, items: "list[RawWord | str]") -> None:
        self.items = items


class Lost(Record):
    """Flags that form a command of their own, because the line before them did not continue, or variables in front of one.

    `start`, `end`: the lost line. `cause`: one of the words above, at `cause_start`, `cause_end`. `command_start`: where the
    command begins that the flags, or the variables, were meant for.
    """

    start: int
    end: int
    cause: "Cause"
    cause_start: int
    cause_end: int
    command_start: int
