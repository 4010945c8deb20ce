"""What a script is made of: pieces of text, words, commands. A tree that says nothing yet about values.

Every piece knows where it stands in the file, also in a nested script (`bash -c "..."`, `eval`, backticks, a
here-document).
"""

import re
from bisect import bisect_right

# Stands for something unknown inside the text of a nested script. No file holds it: `read_shell` replaces it.
UNKNOWN = "\0"

NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
DECLARATIONS = frozenset("export declare typeset local readonly".split())


class Piece:
    """A part of a value, and the place it comes from.

    `exact`: the file has this very text at start..end. `overridable`: only a default, such as `${X:-8}`. Unknown has
    the text None;
    it is `outside` when only the caller of the script can know it (as an empty default is), and `many` when it may be
    any number of words.
    `place` is a folder known by its role alone, such as the script's own: (base, path), see `shell_folders`.
    """

    __slots__ = ("text", "start", "end", "exact", "overridable", "outside", "many", "place")

    def __init__(self, text, start, end, exact=False, overridable=False, outside=False, many=False, place=None):
        self.text = text
        self.start = start
        self.end = end
        self.exact = exact
        self.overridable = overridable
        self.outside = outside
        self.many = many
        self.place = place

    def cut(self, start, end):
        """The part text[start:end]."""
        if start == 0 and end == len(self.text):
            return self
        span = (self.start + start, self.start + end) if self.exact else (self.start, self.end)
        return Piece(self.text[start:end], *span, self.exact, self.overridable)

    def __eq__(self, other):
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None

    def __repr__(self):
        return f"Piece({self.text!r}, {self.start}, {self.end})"


class Source:
    """A text to parse, made of pieces of the file: the file itself, or a string that is a script again."""

    __slots__ = ("text", "_pieces", "_starts", "_shift")

    def __init__(self, pieces):
        self.text = "".join([UNKNOWN if piece.text is None else piece.text for piece in pieces])
        self._pieces = pieces
        self._starts = []
        offset = 0
        for piece in pieces:
            self._starts.append(offset)
            offset += 1 if piece.text is None else len(piece.text)
        # A file as a whole is one piece, and by far the most that is ever asked for.
        self._shift = pieces[0].start if len(pieces) == 1 and pieces[0].exact and not pieces[0].overridable else None

    def pieces(self, start, end):
        """The pieces behind text[start:end]; a single empty one for an empty span."""
        if start >= end:
            at, _ = self.span(start, start)
            return [Piece("", at, at, exact=True)]
        if self._shift is not None:
            return [Piece(self.text[start:end], self._shift + start, self._shift + end, True)]
        found = []
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

    def span(self, start, end):
        """The place in the file of text[start:end]."""
        if self._shift is not None:
            return self._shift + start, self._shift + max(start, end)
        first = self._place(start)[0]
        return (first, first) if end <= start else (first, max(self._place(end - 1)[1], first))

    def _place(self, at):
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
    """Text that stands for itself. `quoted`: it is neither split into words nor matched with file names."""

    __slots__ = ("pieces", "quoted")

    def __init__(self, pieces, quoted):
        self.pieces = pieces
        self.quoted = quoted


class Parameter:
    """`$X`, `${X[0]:-8}`. `prefix` is `#` for a length and `!` for an indirection; `argument` are the parts after the
    operator."""

    __slots__ = ("name", "prefix", "subscript", "operator", "argument", "start", "end", "quoted")

    def __init__(self, name, quoted, prefix="", subscript=None):
        self.name = name
        self.quoted = quoted
        self.prefix = prefix
        self.subscript = subscript
        self.operator = ""
        self.argument = []
        self.start = self.end = 0


class Substitution:
    """`$(...)` or backticks. `body` is a list of chains."""

    __slots__ = ("body", "start", "end", "quoted")

    def __init__(self, body, start, end, quoted):
        self.body = body
        self.start = start
        self.end = end
        self.quoted = quoted


class Arithmetic:
    """`$((...))`, and `((...))` as a command: the parts of its text."""

    __slots__ = ("parts", "start", "end", "quoted")

    def __init__(self, parts, start, end, quoted=False):
        self.parts = parts
        self.start = start
        self.end = end
        self.quoted = quoted


class Opaque:
    """What is never known: process substitution, extended patterns, `$[...]`."""

    __slots__ = ("start", "end", "quoted")

    def __init__(self, start, end, quoted=False):
        self.start = start
        self.end = end
        self.quoted = quoted


class RawWord:
    """A word before expansion. `plain` is its text when it is written without quotes and expansions, else None.

    `always`: the words that it becomes whenever it is expanded, None where that depends or nobody has asked yet.
    """

    __slots__ = ("parts", "start", "end", "plain", "braces", "tilde", "always")

    def __init__(self, parts, start, end):
        self.parts = parts
        self.start = start
        self.end = end
        self.plain = self.always = None
        self.braces = False  # `{a,b}`
        self.tilde = ""  # the `~user` in front, or ":" when one stands further inside of an assignment


# Commands
# --------------------------------------------------------------------------------------------------------------


class Assignment:
    """`NAME=value`. `value` is a RawWord, or a list of them for an array."""

    __slots__ = ("name", "element", "append", "value", "start", "end")

    def __init__(self, name, element, append):
        self.name = name
        self.element = element
        self.append = append
        self.value = None
        self.start = self.end = 0


class Redirection:
    """`> file`. A here-document has a `body` (RawWord), and `expands` tells whether `$` in it means anything."""

    __slots__ = ("operator", "descriptor", "target", "body", "expands")

    def __init__(self, operator, descriptor, target):
        self.operator = operator
        self.descriptor = descriptor
        self.target = target
        self.body = None
        self.expands = True


class Simple:
    """Assignments, words and redirections. An argument of `export` and its kin may be an Assignment."""

    __slots__ = ("assignments", "words", "redirections", "start", "end")

    def __init__(self):
        self.assignments = []
        self.words = []
        self.redirections = []
        self.start = self.end = 0


class Chain:
    """Commands joined by `&&` and `||`: [(operator, command)], the first operator empty."""

    __slots__ = ("links", "background")

    def __init__(self):
        self.links = []
        self.background = False


class Pipeline:
    """Commands joined by `|`, or one command behind `!`."""

    __slots__ = ("commands", "negated")

    def __init__(self, commands, negated):
        self.commands = commands
        self.negated = negated


class Group:
    """`{ ...; }`, or `( ... )` in a shell of its own."""

    __slots__ = ("body", "subshell")

    def __init__(self, body, subshell):
        self.body = body
        self.subshell = subshell


class If:
    """`branches` are (condition, body), both lists of chains; `otherwise` is a list of chains or None."""

    __slots__ = ("branches", "otherwise")

    def __init__(self):
        self.branches = []
        self.otherwise = None


class For:
    """`for name in words`; `words` is None without `in`. A C-style loop has no name and its `header`."""

    __slots__ = ("name", "words", "header", "body")

    def __init__(self, name, words, header):
        self.name = name
        self.words = words
        self.header = header
        self.body = []


class While:
    """`while` or `until`."""

    __slots__ = ("condition", "body", "until")

    def __init__(self, condition, body, until):
        self.condition = condition
        self.body = body
        self.until = until


class Case:
    """`arms` are (patterns, body, how it ends: `;;`, `;&` or `;;&`)."""

    __slots__ = ("subject", "arms")

    def __init__(self, subject):
        self.subject = subject
        self.arms = []


class Function:
    """A definition; `body` is one compound command."""

    __slots__ = ("name", "body")

    def __init__(self, name, body):
        self.name = name
        self.body = body


class Test:
    """`[[ ... ]]`: words, and operators as strings."""

    __slots__ = ("items",)

    def __init__(self, items):
        self.items = items


class Lost:
    """Flags that stand alone as a command of their own, because the line before them did not continue.

    `start`, `end`: the lost line. `cause`: "blank-after-backslash", "comment", "blank-line" or "no-backslash", at
    `cause_start`,
    `cause_end`. `command_start` is where the command begins that they were meant for.
    """

    __slots__ = ("start", "end", "cause", "cause_start", "cause_end", "command_start")

    def __init__(self, start, end, cause, cause_start, cause_end, command_start):
        self.start = start
        self.end = end
        self.cause = cause
        self.cause_start = cause_start
        self.cause_end = cause_end
        self.command_start = command_start

    def __repr__(self):
        return f"Lost({self.start}, {self.end}, {self.cause!r})"
