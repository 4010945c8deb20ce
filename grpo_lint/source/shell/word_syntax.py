"""The words of bash: quotes, parameters, substitutions, arithmetic, as far as launch scripts use them. Nothing is
evaluated here.

Every literal becomes `Piece`s with their places in the file. What bash would refuse becomes a `Problem`, and reading
goes on.
"""

import re

from ...message import Message
from ..patterns import pattern
from ..text import CONFLICT, Problem, is_in_conflict
from .tree import UNKNOWN, Arithmetic, Literal, Opaque, Parameter, Piece, RawWord, Source, Substitution

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .tree import Chain, Lost, Part, Redirection, Simple

    # Names for lists: inside the parser `list` is a method.
    Shape = list[str]
    Parts = list[Part]
    Pieces = list[Piece]
    Chains = list[Chain]
    Problems = list[Problem]
    LostFlags = list[Lost]
    Refusals = list[tuple[int, Problem]]  # (where the outermost command begins, problem)
    Waiting = list[tuple[str, ...]]
    Heredocs = list[tuple[Redirection, str, int]]  # (redirection, line that ends it, offset)

# The usual scripts nest less than ten deep. Beyond the limit the rest of the text is left unread.
DEPTH = 30
# A longer `((...))` is not read as arithmetic.
_ARITHMETIC_LENGTH = 10_000
# How often reading resumes at the end of the line after an unclosed quote or bracket.
_RECOVERIES = 8
_REFUSED = ("unterminated", "unexpected")  # kinds of problems that end a script
_BLANK = pattern(r"(?:[ \t]|\\\n)+")
_OF_BLANKS = " \t\\#"  # how blanks, continuations and comments may begin
_PLAIN = pattern(r"[^ \t\n\\'\"$`;&|<>()]+")
_PLAIN_WORD = pattern(r"[\w./:=,@%+-]+(?=[ \t\n]|\Z)")
_IN_DOUBLE_QUOTES = pattern(r'[^"\\$`]+')
_IN_BRACES = pattern(r"[^}\\'\"$`]+")
_IN_ARITHMETIC = pattern(r"[^()\\'\"$`]+")
_QUOTED = pattern(r"\\.|'[^']*'|\"(?:\\.|[^\"\\])*\"|`(?:\\.|[^`\\])*`", re.DOTALL)
_BACKQUOTED = pattern(r"`((?:[^`\\]|\\.)*)`", re.DOTALL)
_ANSI_C = pattern(r"'((?:[^'\\]|\\.)*)'", re.DOTALL)
_PARAMETER = pattern(r"\$([A-Za-z_]\w*|[0-9@*#?$!-])", re.ASCII)
_BRACED = pattern(r"\$\{([#!]?)([A-Za-z_]\w*|[0-9]+|\$(?![(${\['])|[@*#?!-])(?:\[([^\]\n}]*)\])?", re.ASCII)
_OPERATOR = pattern(r":[-=+?]|[-=+?]|##?|%%?|//?|\^\^?|,,?|:|@")
ASSIGNMENT = pattern(r"([A-Za-z_]\w*)(\[[^\]\n]*\])?(\+?)=", re.ASCII)
# `<your_model>` in a template: bash would read it as redirections, but a user replaces it before starting the script
PLACEHOLDER = pattern(r"<[^\W\d](?:[\w /:-]*\w)?>(?=[\s\\,;:/.\"']|\Z)")
_BRACE_SEPARATOR = pattern(r",|\.\.")
_TILDE = pattern(r"~[\w.+-]*(?=/|:|\Z)")


class WordParser:
    """Reads the words of one source. Nesting is limited, and each part is read at most a fixed number of times.

    The commands inside words, as in `$(...)`, are read by the subclass: `list` and `script`.
    """

    if TYPE_CHECKING:

        def script(self) -> "Chains": ...
        def list(self, closers: "tuple[str, ...]") -> "Chains": ...
        def _heredoc_bodies(self) -> None: ...

    def __init__(
        self,
        source: "Source",
        problems: "Problems",
        lost: "LostFlags",
        depth: int = 0,
        refusals: "Refusals | None" = None,
    ) -> None:
        """`refusals`: collects the problems at which bash stops before running the rest; None where it goes on."""
        self.source = source
        self.text = source.text
        self.size = len(source.text)
        self.at = 0
        self.began = 0  # the start of the outermost command
        self.commands = 0  # the number read
        self.problems = problems
        self.refusals = refusals
        self.lost = lost
        self.depth = depth
        self.recoveries = _RECOVERIES
        self.waiting: Waiting = []  # the closing words that each open construct expects
        self.heredocs: Heredocs = []  # those whose bodies begin after the next line break
        self.not_arithmetic: set[int] = set()  # offsets of `((` that turned out to be nested brackets
        self.attempts = 0  # to read as arithmetic what may have to be read again
        self.previous: tuple[Simple, int, int] | None = (
            None  # the simple command before: (it, its end, start of the command that its flags belong to)
        )

    # Helpers

    def problem(self, start: int, end: int, kind: str, message: Message) -> None:
        message = CONFLICT if is_in_conflict(self.text, start) else message
        problem = Problem(*self.source.span(start, end), kind, message)
        self.problems.append(problem)
        if kind not in ("glued", "odd", *_REFUSED):  # limits, or a here-document without an end
            self.refusals = None
        if self.refusals is not None and kind in _REFUSED:
            self.refusals.append((self.source.span(self.began, self.began)[0], problem))

    def _enter(self) -> None:
        """Go one level deeper; beyond the limit the rest of the text is given up."""
        self.depth += 1
        if self.depth > DEPTH and self.at < self.size:
            self._give_up("too-deep", Message("commands and words that nest more than {most} deep", {"most": DEPTH}))

    def _give_up(self, kind: str, what: Message) -> None:
        """Leave the rest of the text unread."""
        self.problem(
            self.at,
            self.at + 1,
            kind,
            Message("{what} are not read: this one and all below it are not looked at", {"what": what}),
        )
        self.size = self.at
        self.recoveries = 0

    def _leave(self) -> None:
        self.depth -= 1

    def _unclosed(self, opening: int, what: str, closing: str) -> bool:
        """Report that what begins at `opening` is never closed, and resume at the end of its line. Returns False where reading has
        resumed too often, and ends."""
        message = Message("this {what} is never closed: `{closer}` is missing", {"what": what, "closer": closing})
        self.problem(opening, opening + 1, "unterminated", message)
        resumes = self.recoveries > 0
        self.recoveries -= resumes
        end = self.text.find("\n", opening, self.size) if resumes else -1
        self.at = self.size if end < 0 else end
        return resumes

    def _take(self, parts: "Parts", end: int, quoted: bool) -> None:
        """Add the text up to an offset as it is written."""
        parts.append(Literal(self.source.pieces(self.at, end), quoted))
        self.at = end

    def _take_as_unknown(self, parts: "Parts", start: int, quoted: bool = False) -> None:
        """Add what was read since an offset."""
        parts.append(Opaque(*self.source.span(start, self.at), quoted))

    def _skip_blanks(self) -> None:
        """Skip blanks, continuations and a comment, but no line break."""
        if self.at >= self.size or self.text[self.at] not in _OF_BLANKS:
            return
        blank = _BLANK.match(self.text, self.at, self.size)
        if blank:
            self.at = blank.end()
        if self.at < self.size and self.text[self.at] == "#":
            end = self.text.find("\n", self.at, self.size)
            self.at = self.size if end < 0 else end

    def _skip_lines(self) -> None:
        """Skip blanks, comments and line breaks."""
        self._skip_blanks()
        while self.at < self.size and self.text[self.at] == "\n":
            self._line_break()
            self._skip_blanks()

    def _line_break(self) -> None:
        self.at += 1
        if self.heredocs:
            self._heredoc_bodies()

    def _looking_at(self, token: str) -> bool:
        return self.text.startswith(token, self.at, self.size)

    # Words

    def word(self, assigned: bool = False) -> "RawWord | None":
        """The word at the current offset, or None."""
        start = self.at
        plain = _PLAIN_WORD.match(self.text, start, self.size)
        if plain:  # most words are only letters
            self.at = end = plain.end()
            word = RawWord([Literal(self.source.pieces(start, end), False)], *self.source.span(start, end))
            word.plain = plain[0]
            return word
        parts: Parts = []
        shape: Shape = []  # the unquoted text, with a stand-in for everything else
        while self.at < self.size and self._word_part(parts, shape, assigned):
            pass
        if self.at == start:
            return None
        word = RawWord(parts, *self.source.span(start, self.at))
        _note_expansions(word, "".join(shape), assigned)
        return word

    def _word_part(self, parts: "Parts", shape: "Shape", assigned: bool) -> bool:
        """Read the next part of a word; False where the word ends."""
        text = self.text
        plain = _PLAIN.match(text, self.at, self.size)
        if plain:
            shape.append(plain[0])
            self._take(parts, plain.end(), False)
            return True
        char = text[self.at]
        if char == "\\" and text[self.at + 1 : min(self.at + 2, self.size)] in ("", "\n"):
            self._end_of_line(shape)
            return True
        if char == "\\":
            parts.append(self._escaped())
        elif char == "'":
            self._single_quoted(parts)
        elif char == '"':
            self.at += 1
            self._double_quoted(parts)
        elif char in "$`":
            self._dollar(parts, False)
        elif not self._bracketed(parts, shape, assigned):
            return False
        shape.append("\1")
        return True

    def _bracketed(self, parts: "Parts", shape: "Shape", assigned: bool) -> bool:
        """Read a process substitution, a placeholder or an extended pattern; False where there is none."""
        start, char = self.at, self.text[self.at]
        if char in "<>" and self.text.startswith("(", start + 1, self.size):
            self._commands_in_brackets(start, 2)
            self._take_as_unknown(parts, start)
        elif char == "<" and (placeholder := PLACEHOLDER.match(self.text, start, self.size)):
            self.at = placeholder.end()
            self._take_as_unknown(parts, start, True)
        elif char == "(" and shape and shape[-1][-1] in "?*+@!" and not (assigned and len(shape) == 1):
            self._extended_pattern(parts)
        else:
            return False
        return True

    def _end_of_line(self, shape: "Shape") -> None:
        """Read a backslash that ends a line, or the script."""
        if self.at + 1 >= self.size:
            self.at += 1
            return
        self.at += 2
        if shape and self._looking_at("-"):
            message = Message("the next line is glued to this word: a blank is missing before the backslash")
            self.problem(self.at - 2, self.at - 1, "glued", message)

    def _escaped(self) -> "Literal":
        """A backslash and the character behind it."""
        span = self.source.span(self.at, self.at + 2)
        self.at += 2
        return Literal([Piece(_known(self.text[self.at - 1]), *span)], True)

    def _single_quoted(self, parts: "Parts") -> None:
        opening = self.at
        end = self.text.find("'", opening + 1, self.size)
        if end < 0:
            self._unclosed(opening, "quote", "'")
            self._take_as_unknown(parts, opening)  # any number of words: where it was meant to end, nobody knows
            return
        self.at = end + 1
        parts.append(Literal(self.source.pieces(opening + 1, end), True))

    def _double_quoted(self, parts: "Parts", closed_by_quote: bool = True) -> None:
        """Read the text after an opening quote, up to the closing one or the end of the text."""
        text = self.text
        opening = self.at - 1
        before = len(parts)
        while self.at < self.size:
            run = _IN_DOUBLE_QUOTES.match(text, self.at, self.size)
            char = text[self.at]
            if run:
                self._take(parts, run.end(), True)
            elif char == '"' and closed_by_quote:
                if len(parts) == before:
                    self._take(parts, self.at, True)
                self.at += 1
                return
            elif char == '"':
                self._take(parts, self.at + 1, True)
            elif char == "\\":
                self._backslash_in_quotes(parts, '$`"\\' if closed_by_quote else "$`\\")
            else:
                self._dollar(parts, True)
        if closed_by_quote and self._unclosed(opening, "quote", '"'):
            del parts[before:]
            self._take_as_unknown(parts, opening)

    def _backslash_in_quotes(self, parts: "Parts", special: str) -> None:
        following = self.text[self.at + 1 : min(self.at + 2, self.size)]
        if following == "\n":
            self.at += 2
        elif following and following in special:
            parts.append(self._escaped())
        else:
            self._take(parts, self.at + 1, True)

    def _dollar(self, parts: "Parts", quoted: bool) -> None:
        """Read what begins with a dollar sign or a backtick."""
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
                self._unclosed(start, "arithmetic", "]")
            else:
                self.at = end + 1
            self._take_as_unknown(parts, start, quoted)
        elif match := _PARAMETER.match(text, start, self.size):
            self.at = match.end()
            part = Parameter(match[1], quoted)
            part.start, part.end = self.source.span(start, self.at)
            parts.append(part)
        else:
            self._take(parts, start + 1, quoted)

    def _braced(self, parts: "Parts", quoted: bool) -> None:
        """`${...}`"""
        start, match = self.at, self._braced_name()
        part = Parameter(match[2], quoted, match[1], match[3] or None) if match else None
        self._enter()
        self.at = match.end() if match else start + 2
        operator = _OPERATOR.match(self.text, self.at, self.size)
        if part and operator:
            part.operator = operator[0]
            self.at = operator.end()
        argument: Parts = []
        is_closed = self._braced_argument(argument, quoted, part.operator if part else "")
        self._leave()
        if not is_closed:
            self._unclosed(start, "expansion", "}")
        if part is None or not is_closed or (argument and not part.operator):
            self._take_as_unknown(parts, start, quoted)
            return
        part.argument = argument
        part.start, part.end = self.source.span(start, self.at)
        parts.append(part)

    def _braced_name(self) -> "re.Match[str] | None":
        """`${`, the sign before the name, the name and the subscript; None for what is not read."""
        if self._looking_at("${#}"):
            return re.compile(r"\$\{()(#)()").match(self.text, self.at)
        match = _BRACED.match(self.text, self.at, self.size)
        is_odd = match and (match[1] == "!" or (match[1] == "#" and self.text[match.end() : match.end() + 1] != "}"))
        return None if is_odd else match

    def _braced_argument(self, parts: "Parts", quoted: bool, operator: str) -> bool:
        """Read the parts up to the closing brace. Returns whether there is one."""
        # A pattern has quotes of its own, even inside double quotes; a default has not.
        quoted = quoted and operator[-1:] in ("-", "=", "+", "?")
        while self.at < self.size:
            run = _IN_BRACES.match(self.text, self.at, self.size)
            char = self.text[self.at]
            if run:
                self._take(parts, run.end(), quoted)
            elif char == "}":
                self.at += 1
                return True
            elif char == "\\" and quoted:
                self._backslash_in_quotes(parts, '$`"\\}')
            elif char == "\\":
                following = self.text[self.at + 1 : self.at + 2]
                if following != "\n" and self.at + 1 < self.size:
                    parts.append(self._escaped())
                else:
                    self.at += 2 if following == "\n" else 1
            elif char == "'" and quoted:
                self._take(parts, self.at + 1, True)
            elif char == "'":
                self._single_quoted(parts)
            elif char == '"':
                self.at += 1
                self._double_quoted(parts)
            else:
                self._dollar(parts, quoted)
        return False

    def _substitution(self, parts: "Parts", quoted: bool) -> None:
        """`$((...))` or `$(...)`"""
        start = self.at
        is_arithmetic = self._looking_at("$((")
        node = self._arithmetic(start, 3, quoted) if is_arithmetic else None
        if node:
            parts.append(node)
            return
        refusals = self.refusals
        if is_arithmetic:  # bash tells arithmetic from commands only when it gets there
            self.refusals = None
        body = self._commands_in_brackets(start, 2)
        if is_arithmetic:
            self.refusals = refusals
        parts.append(Substitution(body, *self.source.span(start, self.at), quoted))

    def _commands_in_brackets(self, start: int, length: int) -> "Chains":
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
            self._unclosed(start, "substitution", ")")
        self._leave()
        return body

    def _arithmetic(self, start: int, length: int, quoted: bool = False) -> "Arithmetic | None":
        """`((...))` when its brackets close as arithmetic, else None."""
        if start in self.not_arithmetic:
            return None
        self._enter()
        problems, lost, recoveries = len(self.problems), len(self.lost), self.recoveries
        heredocs = self.heredocs.copy()
        self.attempts += 1
        self.at = start + length
        parts = self._arithmetic_parts(start + _ARITHMETIC_LENGTH)
        self.attempts -= 1
        self._leave()
        if self._looking_at("))"):
            self.at += 2
            return Arithmetic(parts, *self.source.span(start, self.at), quoted)
        # What was read is read again as commands.
        self.not_arithmetic.add(start)
        gone = set(map(id, self.problems[problems:]))
        if gone and self.refusals:
            self.refusals[:] = [refusal for refusal in self.refusals if id(refusal[1]) not in gone]
        del self.problems[problems:], self.lost[lost:]
        self.recoveries = recoveries if self.recoveries else 0
        self.heredocs = heredocs
        self.at = start
        return None

    def _arithmetic_parts(self, end: int) -> "Parts":
        """The parts up to the bracket that closes the expression, but not beyond an offset."""
        parts: Parts = []
        depth = 0
        while self.at < (size := min(self.size, end)):  # it shrinks where the rest is given up
            run = _IN_ARITHMETIC.match(self.text, self.at, size)
            char = self.text[self.at]
            if run:
                self._take(parts, run.end(), True)
            elif char in "$`":
                start = self.at
                self._dollar(parts, True)
                depth += _brackets_left_open(self.text, start, self.at)
                if not 0 <= depth <= DEPTH:
                    break
            else:
                depth += (char == "(") - (char == ")")
                if not 0 <= depth <= DEPTH:
                    break
                if char == '"':  # quotes are removed before the text is evaluated
                    self.at += 1
                else:
                    self._take(parts, self.at + 1, True)
        return parts

    def _extended_pattern(self, parts: "Parts") -> None:
        """`@(a|b)` and similar patterns: skipped, within one line."""
        start = self.at
        depth = 0
        while self.at < self.size and self.text[self.at] != "\n":
            char = self.text[self.at]
            self.at += 1
            depth += (char == "(") - (char == ")")
            if depth == 0:
                break
        self._take_as_unknown(parts, start)

    def _backquoted(self, parts: "Parts", quoted: bool) -> None:
        start = self.at
        match = _BACKQUOTED.match(self.text, start, self.size) if self.recoveries else None
        if not match:
            self._unclosed(start, "substitution", "`")
            self._take_as_unknown(parts, start, quoted)
            return
        self.at = match.end()
        pieces = self._unescaped(*match.span(1), _ESCAPE, lambda escape: escape[1])
        self._enter()
        body = type(self)(Source(pieces), self.problems, self.lost, self.depth).script() if self.depth <= DEPTH else []
        self._leave()
        parts.append(Substitution(body, *self.source.span(start, self.at), quoted))

    def _ansi_c_quoted(self, parts: "Parts") -> None:
        """`$'a\\tb'`"""
        match = _ANSI_C.match(self.text, self.at + 1, self.size)
        if not match:
            self.at += 1
            self._single_quoted(parts)
            return
        self.at = match.end()
        pieces = self._unescaped(*match.span(1), _ANSI_C_ESCAPE, _ansi_c_character)
        parts.append(Literal(pieces or self.source.pieces(match.end(1), match.end(1)), True))

    def _unescaped(
        self, start: int, end: int, escapes: "re.Pattern[str]", character: "Callable[[re.Match[str]], str | None]"
    ) -> "Pieces":
        """The pieces of a text with the characters that its escapes stand for."""
        pieces: Pieces = []
        for escape in escapes.finditer(self.text, start, end):
            pieces += self.source.pieces(start, escape.start()) if start < escape.start() else []
            pieces.append(Piece(character(escape), *self.source.span(*escape.span())))
            start = escape.end()
        return [*pieces, *(self.source.pieces(start, end) if start < end else [])]


_ESCAPE = pattern(r"\\([\\$`])")  # in backquotes
_ANSI_C_ESCAPE = pattern(
    r"\\(?:([abeEfnrtv\\'\"?])|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c(.)|(.))",
    re.DOTALL,
)
_ANSI_C_LETTERS = dict(zip("abeEfnrtv\\'\"?", "\a\b\x1b\x1b\f\n\r\t\v\\'\"?", strict=True))


def _ansi_c_character(escape: "re.Match[str]") -> "str | None":
    """The character of an escape in `$'...'`; None where it depends on the locale, or ends the string."""
    letter, byte, short, long, octal, control, other = escape.groups()
    if letter:
        return _ANSI_C_LETTERS[letter]
    if other:
        return _known(escape[0])
    if control:
        return None
    code = int(byte or short or long, 16) if byte or short or long else int(octal, 8)
    return chr(code) if 0 < code < 0x80 else None


def _note_expansions(word: "RawWord", written: str, assigned: bool) -> None:
    """Note on a word which expansion the shell performs on it: none, of braces, or of a tilde.

    `written`: its text without quotes, with a stand-in for everything else; `assigned`: whether it is the value of a
    variable.
    """
    if "\1" not in written:
        word.plain = written
    if not assigned and "{" in written:
        word.braces = _has_brace_expansion(written)
    if "~" in written:
        tilde = _TILDE.match(written)
        if tilde and (tilde[0] != written or "." not in written):  # no user is called `a.b`: the word stays as it is
            word.tilde = tilde[0]
        value = written if assigned else ASSIGNMENT.match(written) and written.partition("=")[2]
        if value and (":~" in value or (value[0] == "~" and not assigned)):
            word.tilde = ":"


def _has_brace_expansion(shape: str) -> bool:
    """Whether a word has a `{`, a separator and a `}`, in this order."""
    separator = _BRACE_SEPARATOR.search(shape, shape.find("{"))
    return separator is not None and shape.find("}", separator.end()) >= 0


def _known(text: str) -> "str | None":
    """A text of a source; None where it has a stand-in for something unknown."""
    return None if UNKNOWN in text else text


def _brackets_left_open(text: str, start: int, end: int) -> int:
    """How many brackets `${...}` or `$[...]` leaves open in arithmetic: bash looks for the end of that by its brackets alone."""
    if text[start + 1 : start + 2] not in ("{", "["):
        return 0
    bare = _QUOTED.sub("", text[start:end])
    return bare.count("(") - bare.count(")")
