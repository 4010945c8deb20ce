"""The grammar of bash, as far as launch scripts use it: from a text to a tree of commands. Nothing is evaluated here.

Every literal becomes `Piece`s that know where they stand in the file, so the tree of a nested script (`bash -c "..."`, `eval`,
backticks, a here-document) points into the outer file as well. What bash would refuse becomes a `Problem`, and the reading goes on.
"""

import re
from bisect import bisect_right

from .text import Problem

# Stands for something unknown inside the text of a nested script. No file holds it: `read_shell` replaces it.
UNKNOWN = "\0"

# Scripts of people nest less than ten deep. Beyond the limit the rest of the text is left unread.
_DEPTH = 30
# A longer `((...))` is not read as arithmetic.
_ARITHMETIC_LENGTH = 10_000
# How often the reading starts again at the end of the line after a quote or bracket that nobody closes.
_RECOVERIES = 8

_BLANK = re.compile(r"(?:[ \t]|\\\n)+")
_PLAIN = re.compile(r"[^ \t\n\\'\"$`;&|<>()]+")
_PLAIN_WORD = re.compile(r"[\w./:=,@%+-]+(?=[ \t\n]|\Z)")
_IN_DOUBLE_QUOTES = re.compile(r'[^"\\$`]+')
_IN_BRACES = re.compile(r"[^}\\'\"$`]+")
_IN_ARITHMETIC = re.compile(r"[^()\\'\"$`]+")
_BACKQUOTED = re.compile(r"`((?:[^`\\]|\\.)*)`", re.DOTALL)
_ANSI_C = re.compile(r"'((?:[^'\\]|\\.)*)'", re.DOTALL)
_PARAMETER = re.compile(r"\$([A-Za-z_]\w*|[0-9@*#?$!-])", re.ASCII)
_BRACED = re.compile(r"\$\{([#!]?)([A-Za-z_]\w*|[0-9]+|[@*#?$!-])(?:\[([^\]\n}]*)\])?", re.ASCII)
_OPERATOR = re.compile(r":[-=+?]|[-=+?]|##?|%%?|//?|\^\^?|,,?|:|@")
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)(\[[^\]\n]*\])?(\+?)=", re.ASCII)
_REDIRECTION = re.compile(r"([0-9]+|\{[A-Za-z_]\w*\})?(<<<|<<-?|<>|&>>?|[<>]&|>\||>>|<(?!\()|>(?!\())", re.ASCII)
# `<your_model>` in a template: bash would take it for redirections, but whoever starts the script has put something in its place
_PLACEHOLDER = re.compile(r"<[^\W\d](?:[\w /:-]*\w)?>(?=[\s\\,;:/.\"']|\Z)")
_FUNCTION = re.compile(r"(?!function\b)([^\s\\'\"$`;&|<>()=#]+)[ \t]*\([ \t]*\)")
_FUNCTION_WORD = re.compile(r"function[ \t]+([^\s\\'\"$`;&|<>()]+)(?:[ \t]*\([ \t]*\))?")
_RESERVED = re.compile(r"(?:if|for|while|until|case|select|time|coproc|\{|!|\[\[)(?=[\s;&|()<>\\]|\Z)")
_CLOSER = re.compile(r"(?:then|elif|else|fi|do|done|esac|\})(?=[\s;&|()<>]|\Z)|;;&|;&|;;|\)")
_BRACE_SEPARATOR = re.compile(r",|\.\.")
_TILDE = re.compile(r"~[\w.+-]*(?=/|:|\Z)")
NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)

DECLARATIONS = frozenset("export declare typeset local readonly".split())


class Piece:
    """A part of a value, and the place it comes from.

    `exact`: the file has this very text at start..end. `overridable`: only a default, such as `${X:-8}`. Unknown has the text None;
    it is `outside` when only the caller of the script can know it, and `many` when it may be any number of words.
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


# The parts of a word ---------------------------------------------------------------------------------------------------


class Literal:
    """Text that stands for itself. `quoted`: it is neither split into words nor matched with file names."""

    __slots__ = ("pieces", "quoted")

    def __init__(self, pieces, quoted):
        self.pieces = pieces
        self.quoted = quoted


class Parameter:
    """`$X`, `${X[0]:-8}`. `prefix` is `#` for a length and `!` for an indirection; `argument` are the parts after the operator."""

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
    """A word before expansion. `plain` is its text when it is written without quotes and expansions, else None."""

    __slots__ = ("parts", "start", "end", "plain", "braces", "tilde")

    def __init__(self, parts, start, end):
        self.parts = parts
        self.start = start
        self.end = end
        self.plain = None
        self.braces = False  # `{a,b}`
        self.tilde = ""  # the `~user` in front, or ":" when one stands further inside of an assignment


# Commands --------------------------------------------------------------------------------------------------------------


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

    `start`, `end`: the lost line. `cause`: "blank-after-backslash", "comment", "blank-line" or "no-backslash", at `cause_start`,
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


class Parser:
    """Recursive descent over one source. Its depth is limited, and nothing is read twice more than a fixed number of times."""

    def __init__(self, source, problems, lost, depth=0):
        self.source = source
        self.text = source.text
        self.size = len(source.text)
        self.at = 0
        self.problems = problems
        self.lost = lost
        self.depth = depth
        self.recoveries = _RECOVERIES
        self.waiting = []  # the closing words that each open construct waits for
        self.heredocs = []  # those whose bodies begin after the next line break
        self.not_arithmetic = set()  # offsets of `((` that turned out to be brackets
        self.previous = None  # the simple command before: (start, end, start of the command that its flags belong to)

    def script(self):
        """The whole source as a list of chains."""
        body = self.list(())
        if self.heredocs:
            self._heredoc_bodies()
        return body

    def quoted_text(self):
        """The whole source as the body of a here-document: the parts of one word."""
        parts = []
        self._double_quoted(parts, closed_by_quote=False)
        return parts

    # Helpers

    def problem(self, start, end, kind, message):
        self.problems.append(Problem(*self.source.span(start, end), kind, message))

    def _enter(self):
        """Go one level deeper; beyond the limit the rest of the text is given up."""
        self.depth += 1
        if self.depth > _DEPTH and self.at < self.size:
            self.problem(self.at, self.at + 1, "too-deep", "nested too deeply; the rest is not read")
            self.size = self.at
            self.recoveries = 0

    def _leave(self):
        self.depth -= 1

    def _unclosed(self, opening, what, closing):
        """Nobody closes what begins at `opening`. Returns where its line ends, to read on from there, or None at the end of the text."""
        self.problem(opening, opening + 1, "unterminated", f"this {what} is never closed: `{closing}` is missing")
        if self.recoveries <= 0:
            return None
        self.recoveries -= 1
        end = self.text.find("\n", opening, self.size)
        return self.size if end < 0 else end

    def _skip_blanks(self):
        """Blanks, continuations and a comment, but no line break."""
        blank = _BLANK.match(self.text, self.at, self.size)
        if blank:
            self.at = blank.end()
        if self.at < self.size and self.text[self.at] == "#":
            end = self.text.find("\n", self.at, self.size)
            self.at = self.size if end < 0 else end

    def _skip_lines(self):
        """Blanks, comments and line breaks."""
        self._skip_blanks()
        while self.at < self.size and self.text[self.at] == "\n":
            self._line_break()
            self._skip_blanks()

    def _line_break(self):
        self.at += 1
        if self.heredocs:
            self._heredoc_bodies()

    def _looking_at(self, token):
        return self.text.startswith(token, self.at, self.size)

    # Lists and pipelines

    def list(self, closers):
        """Chains up to one of `closers`, which is left to the caller."""
        chains = []
        self.waiting.append(closers)
        while True:
            self._skip_lines()
            if self.at >= self.size:
                break
            closer = _CLOSER.match(self.text, self.at, self.size)
            if closer:
                if any(closer[0] in expected for expected in self.waiting):
                    if closer[0] not in closers:
                        self.problem(*closer.span(), "unexpected", f"`{closer[0]}` comes before what stands here is closed")
                    break
                self.problem(*closer.span(), "unexpected", f"`{closer[0]}` closes nothing")
                self.at = closer.end()
            elif self.text[self.at] == ";":
                self.at += 1
            else:
                chains.append(self.chain())
        self.waiting.pop()
        return chains

    def _close(self, closer, opening, what):
        """Take a closing word, or tell that it is missing."""
        if self._looking_at(closer):
            self.at += len(closer)
        else:
            self.problem(opening, opening + 1, "unterminated", f"this {what} is never closed: `{closer}` is missing")

    def chain(self):
        chain = Chain()
        operator = ""
        while True:
            chain.links.append((operator, self.pipeline()))
            self._skip_blanks()
            operator = self.text[self.at : min(self.at + 2, self.size)]
            if operator not in ("&&", "||"):
                break
            self.at += 2
            self._skip_lines()
            if self.at >= self.size or _CLOSER.match(self.text, self.at, self.size):
                self.problem(self.at - 1, self.at, "unexpected", f"nothing stands behind `{operator}`")
                break
        if operator[:1] == "&" and operator != "&&":
            chain.background = True
            self.at += 1
        return chain

    def pipeline(self):
        negated = False
        commands = []
        while True:
            self._skip_blanks()
            reserved = _RESERVED.match(self.text, self.at, self.size)
            if reserved and reserved[0] in ("!", "time", "coproc"):
                negated ^= reserved[0] == "!"
                self.at = reserved.end()
                if reserved[0] == "time":
                    self._skip_blanks()
                    if self._looking_at("-p "):
                        self.at += 3
                continue
            commands.append(self.command(reserved and reserved[0]))
            self._skip_blanks()
            if not self._looking_at("|") or self._looking_at("||"):
                break
            self.at += 2 if self._looking_at("|&") else 1
            self._skip_lines()
        if len(commands) == 1 and not negated:
            return commands[0]
        return Pipeline(commands, negated)

    def command(self, reserved):
        """One command, simple or compound."""
        self._enter()
        start = self.at
        compound = self._COMPOUND.get(reserved)
        if compound is None and self._looking_at("("):
            compound = Parser._bracket
        elif compound is None:
            function = _FUNCTION_WORD.match(self.text, start, self.size) or _FUNCTION.match(self.text, start, self.size)
            node = self._function(function) if function else self._simple()
        if compound is not None:
            self.at += len(reserved or "")
            node = compound(self, start)
            self._redirections_of_compound(node)
        self._leave()
        return node

    def _redirections_of_compound(self, node):
        """`done < file`: read over, the text of a here-document included."""
        while True:
            self._skip_blanks()
            redirection = _REDIRECTION.match(self.text, self.at, self.size)
            if not redirection:
                return
            self._redirection(redirection)

    # Compound commands

    def _group(self, start):
        node = Group(self.list(("}",)), False)
        self._close("}", start, "group")
        return node

    def _bracket(self, start):
        if self._looking_at("(("):
            node = self._arithmetic(start, 2)
            if node:
                return node
        self.at = start + 1
        node = Group(self.list((")",)), True)
        self._close(")", start, "subshell")
        return node

    def _if(self, start):
        node = If()
        word = "if"
        while word in ("if", "elif"):
            condition = self.list(("then",))
            self._close("then", start, f"`{word}`")
            body = self.list(("elif", "else", "fi"))
            node.branches.append((condition, body))
            closer = _CLOSER.match(self.text, self.at, self.size)
            word = closer[0] if closer else ""
            if word in ("elif", "else"):
                self.at = closer.end()
        if word == "else":
            node.otherwise = self.list(("fi",))
        self._close("fi", start, "`if`")
        return node

    def _while(self, start):
        until = self.text.startswith("until", start)
        condition = self.list(("do",))
        return While(condition, self._do(start, "loop"), until)

    def _do(self, start, what):
        self._skip_lines()
        if self._looking_at(";"):
            self.at += 1
            self._skip_lines()
        if self._looking_at("{"):
            self.at += 1
            return self._group(start).body
        self._close("do", start, what)
        body = self.list(("done",))
        self._close("done", start, what)
        return body

    def _for(self, start):
        self._skip_blanks()
        if self._looking_at("(("):
            node = For(None, None, self._arithmetic(self.at, 2) or Opaque(*self.source.span(start, start + 1)))
        else:
            name = NAME.match(self.text, self.at, self.size)
            if name:
                self.at = name.end()
            node = For(name[0] if name else None, None, None)
            self._skip_lines()
            if self._looking_at("in") and self.text[self.at + 2 : self.at + 3] in (" ", "\t", "\n", ";", "\\"):
                self.at += 2
                node.words = []
                while True:
                    self._skip_blanks()
                    word = self.word()
                    if word is None:
                        break
                    node.words.append(word)
        node.body = self._do(start, "loop")
        return node

    def _case(self, start):
        self._skip_blanks()
        node = Case(self.word())
        self._skip_lines()
        if not self._looking_at("in"):
            self.problem(start, self.at, "unexpected", "`in` is missing after `case`")
            return node
        self.at += 2
        while True:
            self._skip_lines()
            if self.at >= self.size or re.compile(r"esac(?=[\s;&|()<>]|\Z)").match(self.text, self.at, self.size):
                break
            if self._looking_at("("):
                self.at += 1
            patterns = []
            while True:
                self._skip_blanks()
                word = self.word()
                if word:
                    patterns.append(word)
                self._skip_blanks()
                if not self._looking_at("|"):
                    break
                self.at += 1
            if not self._looking_at(")"):
                self.problem(start, start + 4, "unexpected", "a pattern of this `case` lacks its `)`")
                break
            self.at += 1
            body = self.list((";;", ";&", ";;&", "esac"))
            ending = _CLOSER.match(self.text, self.at, self.size)
            ending = ending[0] if ending and ending[0][0] == ";" else ";;"
            if self._looking_at(ending):
                self.at += len(ending)
            elif not self._looking_at("esac"):
                node.arms.append((patterns, body, ending))
                break
            node.arms.append((patterns, body, ending))
        self._close("esac", start, "`case`")
        return node

    def _test(self, start):
        items = []
        while True:
            self._skip_blanks()
            if self.at >= self.size:
                break
            char = self.text[self.at]
            if char == "\n":
                if items and items[-1] in ("&&", "||", "("):
                    self._line_break()
                    continue
                break
            if char in "()<>&|;":
                operator = self.text[self.at : self.at + 2]
                operator = operator if operator in ("&&", "||") else char
                items.append(operator)
                self.at += len(operator)
                continue
            word = self.word()
            if word.plain == "]]":
                return Test(items)
            items.append(word)
        self.problem(start, start + 2, "unterminated", "this test is never closed: `]]` is missing")
        return Test(["("])  # a condition that nobody can decide

    def _function(self, match):
        self.at = match.end()
        self._skip_lines()
        reserved = _RESERVED.match(self.text, self.at, self.size)
        body = self.command(reserved and reserved[0])
        return Function(match[1], body)

    _COMPOUND = {
        "{": _group,
        "if": _if,
        "while": _while,
        "until": _while,
        "for": _for,
        "select": _for,
        "case": _case,
        "[[": _test,
    }

    # Simple commands

    def _simple(self):
        node = Simple()
        start = end = self.at
        declares = False
        while True:
            self._skip_blanks()
            if self.at >= self.size:
                break
            redirection = _REDIRECTION.match(self.text, self.at, self.size)
            if redirection and not _PLACEHOLDER.match(self.text, self.at, self.size):
                node.redirections.append(self._redirection(redirection))
                end = self.at
                continue
            if declares or not node.words:
                assignment = _ASSIGNMENT.match(self.text, self.at, self.size)
                if assignment:
                    (node.words if node.words else node.assignments).append(self._assignment(assignment))
                    end = self.at
                    continue
            word = self.word()
            if word is None:
                break
            node.words.append(word)
            if len(node.words) == 1:
                declares = word.plain in DECLARATIONS
            end = self.at
        if end == start:
            char = self.text[self.at : self.at + 1]
            if char and char not in "\n)":
                self.problem(self.at, self.at + 1, "unexpected", f"`{char}` stands where a command should begin")
                if char not in ";":
                    self.at += 1
            return node
        if self._looking_at("("):
            self.problem(self.at, self.at + 1, "unexpected", "`(` cannot stand here without quotes")
        node.start, node.end = self.source.span(start, end)
        self._look_for_lost_flags(node, start, end)
        return node

    def _assignment(self, match):
        node = Assignment(match[1], match[2] is not None, match[3] == "+")
        self.at = match.end()
        start = self.at
        if self._looking_at("("):
            self._enter()
            self.at += 1
            node.value = []
            while True:
                self._skip_lines()
                word = self.word()
                if word is not None:
                    node.value.append(word)
                elif self._looking_at(")"):
                    self.at += 1
                    break
                elif self.at >= self.size:
                    line_end = self._unclosed(start, "array", ")")
                    if line_end is not None:
                        self.at = min(line_end, self.size)
                        node.value = [RawWord([Opaque(*self.source.span(start, self.at))], *self.source.span(start, self.at))]
                    break
                else:
                    self.problem(self.at, self.at + 1, "unexpected", f"`{self.text[self.at]}` cannot stand in an array without quotes")
                    self.at += 1
            self._leave()
        else:
            node.value = self.word(assigned=True) or RawWord([], *self.source.span(start, start))
        node.start, node.end = self.source.span(match.start(), self.at)
        return node

    def _redirection(self, match):
        start = self.at
        self.at = match.end()
        self._skip_blanks()
        operator = match[2]
        target = self.word()
        node = Redirection(operator, match[1], target)
        if target is None:
            self.problem(start, match.end(), "unexpected", f"nothing stands behind `{operator}`")
        elif operator in ("<<", "<<-"):
            delimiter = "".join(piece.text or "" for part in target.parts if type(part) is Literal for piece in part.pieces)
            node.expands = target.plain is not None
            self.heredocs.append((node, delimiter, start))
        return node

    def _heredoc_bodies(self):
        """Read the bodies that begin here, one after the other."""
        waiting, self.heredocs = self.heredocs, []
        for node, delimiter, opening in waiting:
            strip = node.operator == "<<-"
            pieces = []
            while True:
                if self.at >= self.size:
                    self.problem(opening, opening + 2, "unterminated", f"no line `{delimiter}` ends this here-document")
                    break
                end = self.text.find("\n", self.at, self.size)
                end = self.size if end < 0 else end
                begin = self.at
                while strip and begin < end and self.text[begin] == "\t":
                    begin += 1
                self.at = min(end + 1, self.size)
                if self.text[begin:end] == delimiter:
                    break
                pieces += self.source.pieces(begin, self.at)
            start = pieces[0].start if pieces else self.source.span(self.at, self.at)[0]
            end = pieces[-1].end if pieces else start
            if node.expands:
                self._enter()
                parts = Parser(Source(pieces), self.problems, self.lost, self.depth).quoted_text()
                self._leave()
            else:
                parts = [Literal(pieces, True)]
            node.body = RawWord(parts, start, end)

    def _look_for_lost_flags(self, node, start, end):
        """Whether this command is the rest of the one before, and why it was cut off."""
        text = self.text
        previous, self.previous = self.previous, (start, end, start)
        if previous is None or not node.words:
            return
        first, last, owner = previous
        between = text[last:start]
        is_flag = text[start] == "-" and text[start + 1 : start + 2] not in ("", " ", "\t", "\n")
        if last >= 2 and text[last - 2] == "\\" and text[last - 1] in " \t" and re.compile(r"[ \t]*(#.*)?\n[ \t]*").fullmatch(between):
            line = re.compile(r"[ \t]*").match(text, last)
            cause, span = "blank-after-backslash", (last - 2, line.end())
        elif not is_flag or not re.compile(r"[ \t]*(?:\\\n|\n|#)(?:[ \t\n]|\\\n|#[^\n]*(?=\n|\Z))*").fullmatch(between) or "\n" not in between:
            return
        else:
            continued = re.compile(r"(?:[ \t]*\\\n)+").match(between)
            rest = last + continued.end() if continued else last
            comment = re.compile(r"[ \t]*(#.*)").match(text, rest)
            if comment and (continued or text[comment.end() - 1] == "\\"):
                cause, span = "comment", comment.span(1)
            elif continued:
                cause, span = "blank-line", (rest, text.find("\n", rest) + 1)
            else:
                cause, span = "no-backslash", (last, last)
        self.previous = (start, end, owner)
        command = self.source.span(owner, owner)[0]
        self.lost.append(Lost(node.start, node.end, cause, *self.source.span(*span), command))

    # Words

    def word(self, assigned=False):
        """The word that begins here, or None."""
        text = self.text
        start = self.at
        plain = _PLAIN_WORD.match(text, start, self.size)
        if plain:  # most words are nothing but letters
            self.at = end = plain.end()
            pieces = self.source.pieces(start, end)
            word = RawWord([Literal(pieces, False)], *self.source.span(start, end))
            word.plain = plain[0]
            return word
        parts = []
        shape = []  # the unquoted text, with a stand-in for everything else
        while self.at < self.size:
            plain = _PLAIN.match(text, self.at, self.size)
            if plain:
                parts.append(Literal(self.source.pieces(*plain.span()), False))
                shape.append(plain[0])
                self.at = plain.end()
                continue
            char = text[self.at]
            if char == "\\":
                if self.at + 1 >= self.size:
                    self.at += 1
                elif text[self.at + 1] == "\n":
                    self.at += 2
                    if shape and self._looking_at("-"):
                        message = "the next line is glued to this word: a blank is missing before the backslash"
                        self.problem(self.at - 2, self.at - 1, "glued", message)
                else:
                    parts.append(self._escaped())
                    shape.append("\1")
                continue
            if char == "'":
                self._single_quoted(parts)
            elif char == '"':
                self.at += 1
                self._double_quoted(parts)
            elif char in "$`":
                self._dollar(parts, False)
            elif char in "<>" and text.startswith("(", self.at + 1, self.size):
                self._process_substitution(parts)
            elif char == "<" and _PLACEHOLDER.match(text, self.at, self.size):
                end = _PLACEHOLDER.match(text, self.at, self.size).end()
                parts.append(Opaque(*self.source.span(self.at, end), True))
                self.at = end
            elif char == "(" and shape and shape[-1][-1] in "?*+@!" and not (assigned and len(shape) == 1):
                self._extended_pattern(parts)
            else:
                break
            shape.append("\1")
        if self.at == start:
            return None
        word = RawWord(parts, *self.source.span(start, self.at))
        shape = "".join(shape)
        if "\1" not in shape:
            word.plain = shape
        if not assigned and "{" in shape:
            word.braces = _has_brace_expansion(shape)
        if "~" in shape:
            tilde = _TILDE.match(shape)
            if tilde:
                word.tilde = tilde[0]
            value = shape if assigned else _ASSIGNMENT.match(shape) and shape.partition("=")[2]
            if value and (":~" in value or (value[0] == "~" and not assigned)):
                word.tilde = ":"
        return word

    def _escaped(self):
        """A backslash and the character behind it."""
        span = self.source.span(self.at, self.at + 2)
        self.at += 2
        return Literal([Piece(_known(self.text[self.at - 1]), *span)], True)

    def _single_quoted(self, parts):
        opening = self.at
        end = self.text.find("'", opening + 1, self.size)
        if end < 0:
            end = self._unclosed(opening, "quote", "'")
            end = self.size if end is None else end
            self.at = end
        else:
            self.at = end + 1
        parts.append(Literal(self.source.pieces(opening + 1, end), True))

    def _double_quoted(self, parts, closed_by_quote=True):
        """What stands behind an opening quote, up to the closing one or the end of the text."""
        text = self.text
        opening = self.at - 1
        before = len(parts)
        while self.at < self.size:
            run = _IN_DOUBLE_QUOTES.match(text, self.at, self.size)
            if run:
                parts.append(Literal(self.source.pieces(*run.span()), True))
                self.at = run.end()
                continue
            char = text[self.at]
            if char == '"':
                if closed_by_quote:
                    if len(parts) == before:
                        parts.append(Literal(self.source.pieces(self.at, self.at), True))
                    self.at += 1
                    return
                parts.append(Literal(self.source.pieces(self.at, self.at + 1), True))
                self.at += 1
            elif char == "\\":
                self._backslash_in_quotes(parts, '$`"\\' if closed_by_quote else "$`\\")
            else:
                self._dollar(parts, True)
        if closed_by_quote:
            end = self._unclosed(opening, "quote", '"')
            if end is not None:
                del parts[before:]
                parts.append(Literal(self.source.pieces(opening + 1, min(end, self.size)), True))
                self.at = min(end, self.size)

    def _backslash_in_quotes(self, parts, special):
        following = self.text[self.at + 1 : min(self.at + 2, self.size)]
        if following == "\n":
            self.at += 2
        elif following and following in special:
            parts.append(self._escaped())
        else:
            parts.append(Literal(self.source.pieces(self.at, self.at + 1), True))
            self.at += 1

    def _dollar(self, parts, quoted):
        """What begins with a dollar sign or a backtick."""
        text = self.text
        start = self.at
        following = text[start + 1 : min(start + 2, self.size)]
        if text[start] == "`":
            self._backquoted(parts, quoted)
        elif following == "{":
            self._braced(parts, quoted)
        elif following == "(":
            self._substitution(parts, quoted)
        elif following == "'" and not quoted:
            self._ansi_c_quoted(parts)
        elif following == '"' and not quoted:
            self.at += 2
            self._double_quoted(parts)
        elif following == "[":
            end = text.find("]", start, self.size)
            if end < 0:
                end = self._unclosed(start, "arithmetic", "]")
                self.at = self.size if end is None else min(end, self.size)
            else:
                self.at = end + 1
            parts.append(Opaque(*self.source.span(start, self.at), quoted))
        else:
            match = _PARAMETER.match(text, start, self.size)
            if match:
                self.at = match.end()
                part = Parameter(match[1], quoted)
                part.start, part.end = self.source.span(start, self.at)
                parts.append(part)
            else:
                parts.append(Literal(self.source.pieces(start, start + 1), quoted))
                self.at += 1

    def _braced(self, parts, quoted):
        """`${...}`"""
        start = self.at
        match = _BRACED.match(self.text, start, self.size)
        if match and match[1] == "!":
            match = None
        elif match and match[1] == "#" and self.text[match.end() : match.end() + 1] != "}":
            match = None
        elif not match and self._looking_at("${#}"):
            match = re.compile(r"\$\{()(#)()").match(self.text, start)
        part = Parameter(match[2], quoted, match[1], match[3] or None) if match else None
        self._enter()
        if match:
            self.at = match.end()
            operator = _OPERATOR.match(self.text, self.at, self.size)
            if operator:
                part.operator = operator[0]
                self.at = operator.end()
        else:
            self.at = start + 2
        argument = []
        closed = self._braced_argument(argument, quoted, part.operator if part else "")
        self._leave()
        if not closed:
            end = self._unclosed(start, "expansion", "}")
            if end is not None:
                self.at = min(end, self.size)
            part = None
        if part is None or (argument and not part.operator):
            parts.append(Opaque(*self.source.span(start, self.at), quoted))
            return
        part.argument = argument
        part.start, part.end = self.source.span(start, self.at)
        parts.append(part)

    def _braced_argument(self, parts, quoted, operator):
        """The parts up to the closing brace. Returns whether there is one."""
        # A pattern has quotes of its own, also inside of double quotes; a default has not.
        quoted = quoted and operator[-1:] in ("-", "=", "+", "?")
        while self.at < self.size:
            run = _IN_BRACES.match(self.text, self.at, self.size)
            if run:
                parts.append(Literal(self.source.pieces(*run.span()), quoted))
                self.at = run.end()
                continue
            char = self.text[self.at]
            if char == "}":
                self.at += 1
                return True
            if char == "\\":
                if quoted:
                    self._backslash_in_quotes(parts, '$`"\\}')
                elif self.text[self.at + 1 : self.at + 2] == "\n":
                    self.at += 2
                elif self.at + 1 < self.size:
                    parts.append(self._escaped())
                else:
                    self.at += 1
            elif char == "'":
                if quoted:
                    parts.append(Literal(self.source.pieces(self.at, self.at + 1), True))
                    self.at += 1
                else:
                    self._single_quoted(parts)
            elif char == '"':
                self.at += 1
                self._double_quoted(parts)
            else:
                self._dollar(parts, quoted)
        return False

    def _substitution(self, parts, quoted):
        """`$((...))` or `$(...)`"""
        start = self.at
        if self._looking_at("$(("):
            node = self._arithmetic(start, 3, quoted)
            if node:
                parts.append(node)
                return
        body = self._commands_in_brackets(start, 2)
        parts.append(Substitution(body, *self.source.span(start, self.at), quoted))

    def _process_substitution(self, parts):
        start = self.at
        self._commands_in_brackets(start, 2)
        parts.append(Opaque(*self.source.span(start, self.at)))

    def _commands_in_brackets(self, start, length):
        self._enter()
        self.at = min(start + length, self.size)
        previous, self.previous = self.previous, None
        waiting, self.waiting = self.waiting, []
        body = self.list((")",))
        self.previous = previous
        self.waiting = waiting
        if self._looking_at(")"):
            self.at += 1
        else:
            end = self._unclosed(start, "substitution", ")")
            if end is not None:
                self.at = min(end, self.size)
        self._leave()
        return body

    def _arithmetic(self, start, length, quoted=False):
        """`((...))` when its brackets close that way, else None."""
        if start in self.not_arithmetic:
            return None
        self._enter()
        self.at = start + length
        problems = len(self.problems)
        lost = len(self.lost)
        recoveries = self.recoveries
        parts = []
        depth = 0
        size = min(self.size, start + _ARITHMETIC_LENGTH)
        while self.at < size:
            run = _IN_ARITHMETIC.match(self.text, self.at, size)
            if run:
                parts.append(Literal(self.source.pieces(*run.span()), True))
                self.at = run.end()
                continue
            char = self.text[self.at]
            if char in "$`":
                self._dollar(parts, True)
                continue
            if char == ")":
                if depth == 0:
                    break
                depth -= 1
            elif char == "(":
                depth += 1
                if depth > _DEPTH:
                    break
            if char != '"':  # quotes are removed before the text is evaluated
                parts.append(Literal(self.source.pieces(self.at, self.at + 1), True))
            self.at += 1
        self._leave()
        if self._looking_at("))"):
            self.at += 2
            return Arithmetic(parts, *self.source.span(start, self.at), quoted)
        self.not_arithmetic.add(start)
        del self.problems[problems:]
        del self.lost[lost:]
        self.recoveries = recoveries if self.recoveries else 0
        self.at = start
        return None

    def _extended_pattern(self, parts):
        """`@(a|b)` and its kin: read over, on one line."""
        start = self.at
        depth = 0
        while self.at < self.size and self.text[self.at] != "\n":
            char = self.text[self.at]
            self.at += 1
            depth += (char == "(") - (char == ")")
            if depth == 0:
                break
        parts.append(Opaque(*self.source.span(start, self.at)))

    def _backquoted(self, parts, quoted):
        start = self.at
        match = _BACKQUOTED.match(self.text, start, self.size) if self.recoveries else None
        if not match:
            end = self._unclosed(start, "substitution", "`")
            self.at = self.size if end is None else min(end, self.size)
            parts.append(Opaque(*self.source.span(start, self.at), quoted))
            return
        self.at = match.end()
        pieces = []
        end = match.start(1)
        for escape in re.compile(r"\\([\\$`])").finditer(self.text, *match.span(1)):
            pieces += self.source.pieces(end, escape.start()) if end < escape.start() else []
            pieces.append(Piece(escape[1], *self.source.span(*escape.span())))
            end = escape.end()
        pieces += self.source.pieces(end, match.end(1)) if end < match.end(1) else []
        self._enter()
        body = Parser(Source(pieces), self.problems, self.lost, self.depth).script() if self.depth <= _DEPTH else []
        self._leave()
        parts.append(Substitution(body, *self.source.span(start, self.at), quoted))

    def _ansi_c_quoted(self, parts):
        """`$'a\\tb'`"""
        start = self.at
        match = _ANSI_C.match(self.text, start + 1, self.size)
        if not match:
            self.at += 1
            self._single_quoted(parts)
            return
        self.at = match.end()
        pieces = []
        end = match.start(1)
        for escape in re.compile(_ANSI_C_ESCAPE, re.DOTALL).finditer(self.text, *match.span(1)):
            pieces += self.source.pieces(end, escape.start()) if end < escape.start() else []
            pieces.append(Piece(_ansi_c_character(escape), *self.source.span(*escape.span())))
            end = escape.end()
        pieces += self.source.pieces(end, match.end(1)) if end < match.end(1) else []
        parts.append(Literal(pieces or self.source.pieces(end, end), True))


_ANSI_C_ESCAPE = r"\\(?:([abeEfnrtv\\'\"?])|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)|(.))"
_ANSI_C_LETTERS = dict(zip("abeEfnrtv\\'\"?", "\a\b\x1b\x1b\f\n\r\t\v\\'\"?", strict=True))


def _ansi_c_character(escape):
    """What an escape of `$'...'` stands for; None where that depends on the locale, or ends the string."""
    letter, byte, short, long, octal, control, other = escape.groups()
    if letter:
        return _ANSI_C_LETTERS[letter]
    if other:
        return _known(escape[0])
    if control:
        return None
    code = int(byte or short or long, 16) if byte or short or long else int(octal, 8)
    return chr(code) if 0 < code < 0x80 else None


def _has_brace_expansion(shape):
    """Whether a word has a `{`, a separator and a `}`, in this order."""
    separator = _BRACE_SEPARATOR.search(shape, shape.find("{"))
    return separator is not None and shape.find("}", separator.end()) >= 0


def _known(text):
    """A text from a source, where a stand-in means unknown."""
    return None if UNKNOWN in text else text
