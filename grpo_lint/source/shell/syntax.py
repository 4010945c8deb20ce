"""The grammar of bash, as far as launch scripts use it: from a text to a tree of commands. Nothing is evaluated
here."""

import re

from ...message import Message, verbatim
from ..patterns import pattern
from .tree import (
    DECLARATIONS,
    Assignment,
    Case,
    Chain,
    For,
    Function,
    Group,
    If,
    Literal,
    Lost,
    Opaque,
    Pipeline,
    RawWord,
    Redirection,
    Simple,
    Source,
    Test,
    While,
)
from .word_syntax import ASSIGNMENT, DEPTH, PLACEHOLDER, WordParser
from .words import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .tree import Arithmetic, Cause, Node
    from .word_syntax import Chains, Parts, Pieces

    Items = list[RawWord]  # inside the parser `list` is a method

_REDIRECTION = pattern(r"([0-9]+|\{[A-Za-z_]\w*\})?(<<<|<<-?|<>|&>>?|[<>]&|>\||>>|<(?!\()|>(?!\())", re.ASCII)
_REDIRECTS = "0123456789{<>&"  # how one may begin
_CONTINUES = pattern(r"(?<!\\)(?:\\\\)*\\\Z")
_FUNCTION = pattern(r"(?!function\b)([^\s\\'\"$`;&|<>()=#]+)[ \t]*\([ \t]*\)")
_HEADER = pattern(r"\(\([^\n]*?\)[ \t]*\)+")  # of a loop
_LOOP_VARIABLE = pattern(r"[A-Za-z_]\w*(?=[\s;]|\Z)", re.ASCII)
_NO_ARGUMENTS = pattern(r"\([ \t]*\)")
_FUNCTION_WORD = pattern(r"function[ \t]+([^\s\\'\"$`;&|<>()]+)(?:[ \t]*\([ \t]*\))?")
_RESERVED = pattern(r"(?:if|for|while|until|case|select|time|coproc|\{|!|\[\[)(?=[\s;&|()<>]|\\\n|\Z)")
_CLOSER = pattern(r"(?:then|elif|else|fi|do|done|esac|\})(?=[\s;&|()<>]|\Z)|;;&|;&|;;|\)")
# what a cut command goes on with; `a.b=c` is not an assignment: its name has a dot, and no command is kept in an array of arguments
_FLAG = pattern(r"-[^ \t\n]|(?:\+\+?|~)?[A-Za-z_]\w*(?:\.\w+)+=|\"?\$\{\w*(?:ARGS|args)\[@\]\}")
_BLANK_LINE = pattern(r"[ \t]*(#.*)?\n[ \t]*")

# a command of nothing but letters, which most lines are: no declaration, nor a word with a meaning of its own
_PLAIN_COMMAND = pattern(
    r"(?!(?:if|for|while|until|case|select|time|coproc|then|elif|else|fi|do|done|esac|function|export|declare|typeset|local|readonly)(?=[ \t\n\\]|\Z))"
    r"[\w./:,@%+-]+(?:[ \t]+(?:\\\n[ \t]*)*[\w./:=,@%+-]+)*[ \t]*(?=\n|\Z)"
)
_WORD = pattern(r"[\w./:=,@%+-]+")

MOST_COMMANDS = 20_000  # of one script: hundreds of times the usual number


class Parser(WordParser):
    """Recursive descent over one source."""

    def script(self) -> "Chains":
        """The whole source as a list of chains."""
        body = self.list(())
        if self.heredocs:
            self._heredoc_bodies()
        return body

    def quoted_text(self) -> "Parts":
        """The whole source as the body of a here-document: the parts of one word."""
        parts: Parts = []
        self._double_quoted(parts, closed_by_quote=False)
        return parts

    # Lists and pipelines

    def body(self, closers: "tuple[str, ...]", start: int, what: Message) -> "Chains":
        """The chains of a construct, up to one of `closers`; there must be at least one chain."""
        chains = self.list(closers)
        if not chains and any(self._looking_at(closer) for closer in closers):
            self.problem(start, self.at, "unexpected", Message("this {what} is empty", {"what": what}))
        return chains

    def list(self, closers: "tuple[str, ...]") -> "Chains":
        """Chains up to one of `closers`, which is not consumed."""
        chains = []
        self.waiting.append(closers)
        ends = -1  # the end of the command that a `;` on its line may follow
        while True:
            self._skip_lines()
            if not closers:
                self.began = self.at
            if self.at >= self.size:
                break
            closer = _CLOSER.match(self.text, self.at, self.size)
            if closer:
                if any(closer[0] in expected for expected in self.waiting):
                    if closer[0] not in closers:
                        self.problem(
                            *closer.span(),
                            "unexpected",
                            Message("`{closer}` comes before what begins here is closed", {"closer": closer[0]}),
                        )
                    break
                self.problem(*closer.span(), "unexpected", Message("`{closer}` closes nothing", {"closer": closer[0]}))
                self.at = closer.end()
            elif self.text[self.at] == ";":
                if ends < 0 or "\n" in self.text[ends : self.at].replace("\\\n", ""):
                    self._unexpected(Message("`;` is where a command should begin"))
                ends = -1
                self.at += 1
            else:
                chains.append(self.chain())
                ends = -1 if chains[-1].background else self.at
        self.waiting.pop()
        return chains

    def _close(self, closer: str, opening: int, what: str) -> None:
        """Consume a closing word, or report that it is missing."""
        if self._looking_at(closer):
            self.at += len(closer)
            return
        message = Message("this {what} is never closed: `{closer}` is missing", {"what": what, "closer": closer})
        self.problem(opening, opening + 1, "unterminated", message)

    def _is_at_end(self) -> bool:
        """Whether the text ends here, or what closes a construct stands here."""
        return self.at >= self.size or _CLOSER.match(self.text, self.at, self.size) is not None

    def _lacks_command(self, operator: str) -> bool:
        """Skip the lines behind an operator. Whether no command follows, which is reported."""
        self._skip_lines()
        if not self._is_at_end():
            return False
        self.problem(
            self.at - 1, self.at, "unexpected", Message("nothing follows `{operator}`", {"operator": operator})
        )
        return True

    def chain(self) -> "Chain":
        chain = Chain()
        plain = _PLAIN_COMMAND.match(self.text, self.at, self.size)
        if plain and self.depth < DEPTH and self.commands < MOST_COMMANDS:
            chain.links.append(("", self._plain(plain.end())))
            return chain
        operator = ""
        while True:
            chain.links.append((operator, self.pipeline()))
            self._skip_blanks()
            operator = self.text[self.at : min(self.at + 2, self.size)]
            if operator not in ("&&", "||"):
                break
            self.at += 2
            if self._lacks_command(operator):
                break
        if operator[:1] == "&" and operator != "&&":
            chain.background = True
            self.at += 1
        return chain

    def pipeline(self) -> "Node":
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
            if self._lacks_command("|"):
                break
        if len(commands) == 1 and not negated:
            return commands[0]
        return Pipeline(commands=commands, negated=negated)

    def command(self, reserved: "str | None") -> "Node":
        """One command, simple or compound."""
        self._enter()
        self.commands += 1
        if self.commands > MOST_COMMANDS and self.at < self.size:
            self._give_up(
                "too-long", Message("more than {most} commands of one script", {"most": f"{MOST_COMMANDS:,}"})
            )
        start = self.at
        compound = self._COMPOUND.get(reserved or "")
        if compound is None and self._looking_at("("):
            compound = Parser._bracket
        elif compound is None:
            by_word = self.text.startswith("function", start)
            function = by_word and _FUNCTION_WORD.match(self.text, start, self.size)
            function = function or _FUNCTION.match(self.text, start, self.size)
            node: Node = self._function(function) if function else self._simple()
        if compound is not None:
            self.at += len(reserved or "")
            node = compound(self, start)
            self._redirections_of_compound(node)
            if not self._is_at_end() and self.text[self.at] not in "\n;&|)":
                self._unexpected(Message("`{text}` follows the end of a command", {"text": self.text[self.at]}))
        self._leave()
        return node

    def _unexpected(self, message: Message) -> None:
        """Report the next character."""
        self.problem(self.at, self.at + 1, "unexpected", message)

    def _redirections_of_compound(self, node: "Node") -> None:
        """`done < file`: skipped, including the text of a here-document."""
        while True:
            self._skip_blanks()
            redirection = _REDIRECTION.match(self.text, self.at, self.size)
            if not redirection:
                return
            self._redirection(redirection)

    # Compound commands

    def _group(self, start: int) -> "Group":
        node = Group(body=self.body(("}",), start, Message("group")), subshell=False)
        self._close("}", start, "group")
        return node

    def _bracket(self, start: int) -> "Group | Arithmetic":
        if self._looking_at("(("):
            arithmetic = self._arithmetic(start, 2)
            if arithmetic:
                return arithmetic
        self.at = start + 1
        node = Group(body=self.body((")",), start, Message("subshell")), subshell=True)
        self._close(")", start, "subshell")
        return node

    def _if(self, start: int) -> "If":
        branches = []
        word = "if"
        while word in ("if", "elif"):
            condition = self.body(("then",), start, verbatim(f"`{word}`"))
            self._close("then", start, f"`{word}`")
            body = self.body(("elif", "else", "fi"), start, verbatim(f"`{word}`"))
            branches.append((condition, body))
            closer = _CLOSER.match(self.text, self.at, self.size)
            word = closer[0] if closer else ""
            if closer and word in ("elif", "else"):
                self.at = closer.end()
        otherwise = self.body(("fi",), start, verbatim("`else`")) if word == "else" else None
        self._close("fi", start, "`if`")
        return If(branches=branches, otherwise=otherwise)

    def _while(self, start: int) -> "While":
        until = self.text.startswith("until", start)
        condition = self.body(("do",), start, Message("loop"))
        return While(condition=condition, body=self._do(start, Message("loop")), until=until)

    def _do(self, start: int, what: Message) -> "Chains":
        self._skip_lines()
        if self._looking_at(";"):
            self.at += 1
            self._skip_lines()
        if self._looking_at("{"):
            self.at += 1
            return self._group(start).body
        self._close("do", start, what)
        body = self.body(("done",), start, Message("loop"))
        self._close("done", start, what)
        return body

    def _for(self, start: int) -> "For":
        self._skip_blanks()
        name = words = header = None
        if self._looking_at("(("):
            header = self._arithmetic(self.at, 2) or self._header_of_no_arithmetic(start)
        else:
            name = _LOOP_VARIABLE.match(self.text, self.at, self.size)
            if name:
                self.at = name.end()
            else:
                self.word()  # bash reports this error only when it gets there
            self._skip_lines()
            if self._looking_at("in") and self.text[self.at + 2 : self.at + 3] in (" ", "\t", "\n", ";", "\\"):
                self.at += 2
                words = self._words()
        body = self._do(start, Message("loop"))
        first, end = self.source.span(start, self.at)
        return For(name=name and name[0], words=words, header=header, body=body, start=first, end=end)

    def _header_of_no_arithmetic(self, start: int) -> Opaque:
        """`((...))` of a loop whose brackets do not close as arithmetic: bash tells so only when it gets there."""
        header = _HEADER.match(self.text, self.at, self.size)
        if header:
            self.at = header.end()
        return Opaque(*self.source.span(start, start + 1))

    def _words(self) -> "Items":
        """The words up to what is none."""
        found: Items = []
        while True:
            self._skip_blanks()
            word = self.word()
            if word is None:
                return found
            found.append(word)

    def _case(self, start: int) -> "Case":
        self._skip_blanks()
        node = Case(subject=self.word(), arms=[])
        self._skip_lines()
        if not self._looking_at("in"):
            self.problem(start, self.at, "unexpected", Message("`in` is missing after `case`"))
            return node
        self.at += 2
        while self._arm(node, start):
            pass
        self._close("esac", start, "`case`")
        return node

    def _arm(self, node: "Case", start: int) -> bool:
        """Read the next arm of a `case`; False where it was the last one, or there is none."""
        self._skip_lines()
        if self.at >= self.size or re.compile(r"esac(?=[\s;&|()<>]|\Z)").match(self.text, self.at, self.size):
            return False
        if self._looking_at("("):
            self.at += 1
        patterns = self._patterns()
        if not self._looking_at(")"):
            self.problem(start, start + 4, "unexpected", Message("a pattern of this `case` lacks its `)`"))
            return False
        self.at += 1
        body = self.list((";;", ";&", ";;&", "esac"))
        closer = _CLOSER.match(self.text, self.at, self.size)
        ending = closer[0] if closer and closer[0][0] == ";" else ";;"
        node.arms.append((patterns, body, ending))
        if self._looking_at(ending):
            self.at += len(ending)
            return True
        return self._looking_at("esac")

    def _patterns(self) -> "Items":
        """The patterns of an arm."""
        found: Items = []
        while True:
            self._skip_blanks()
            word = self.word()
            if word:
                found.append(word)
            elif self.text[self.at : self.at + 1] in ("|", ")"):
                self.problem(self.at, self.at + 1, "unexpected", Message("a pattern of this `case` is missing"))
            self._skip_blanks()
            if not self._looking_at("|"):
                return found
            self.at += 1

    def _test(self, start: int) -> "Test":
        items: list[RawWord | str] = []
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
            if word is None:  # the rest was given up
                break
            if word.plain == "]]":
                return Test(items)
            items.append(word)
        self.problem(start, start + 2, "unterminated", Message("this test is never closed: `]]` is missing"))
        return Test(["("])  # a condition of unknown status

    def _function(self, match: "re.Match[str]") -> "Function":
        self.at = match.end()
        self._skip_lines()
        reserved = _RESERVED.match(self.text, self.at, self.size)
        body = self.command(reserved and reserved[0])
        return Function(name=match[1], body=body)

    _COMPOUND: "dict[str, Callable[[Parser, int], Node]]" = {
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

    def _plain(self, end: int) -> "Simple":
        """A command of plain words up to an offset, as `_simple` reads it."""
        self.commands += 1
        node, start, last, source = Simple(), self.at, self.at, self.source
        for found in _WORD.finditer(self.text, start, end):
            began, last = found.span()
            pieces = source.pieces(began, last)
            place = (pieces[0].start, pieces[0].end) if len(pieces) == 1 else source.span(began, last)
            word = RawWord([Literal(pieces, False)], *place)
            word.plain = found[0]
            word.always = (Word(*place, pieces),)
            node.words.append(word)
        self.at = end
        node.start, node.end = source.span(start, last)
        self._look_for_lost_flags(node, start, last)
        return node

    def _simple(self) -> "Simple":
        node = Simple()
        start = end = last = self.at
        declares = False
        while True:
            self._skip_blanks()
            if self.at >= self.size:
                break
            may_redirect = self.text[self.at] in _REDIRECTS
            redirection = _REDIRECTION.match(self.text, self.at, self.size) if may_redirect else None
            may_assign = declares or not node.words
            if redirection and not PLACEHOLDER.match(self.text, self.at, self.size):
                node.redirections.append(self._redirection(redirection))
            elif may_assign and (assignment := ASSIGNMENT.match(self.text, self.at, self.size)):
                (node.words or node.assignments).append(self._assignment(assignment))
            else:
                began, word = self.at, self.word()
                if word is None:
                    break
                last = began
                node.words.append(word)
                if len(node.words) == 1:
                    declares = word.plain in DECLARATIONS
            end = self.at
        if end == start:
            self._no_command()
            return node
        if self._looking_at("("):
            self._odd_bracket(last, len(node.words) == 1)
        self._check_first_word(node, start)
        node.start, node.end = self.source.span(start, end)
        self._look_for_lost_flags(node, start, end)
        return node

    def _check_first_word(self, node: "Simple", start: int) -> None:
        first = node.words[0] if node.words and not node.assignments else None
        if type(first) is RawWord and first.plain == "]]":
            self.problem(start, start + 2, "unexpected", Message("`]]` is where a command should begin"))

    def _no_command(self) -> None:
        """Report and skip what stands where a command should begin."""
        char = self.text[self.at : self.at + 1]
        if char and char not in "\n)":
            self._unexpected(Message("`{char}` is where a command should begin", {"char": char}))
            self.at += char != ";"

    def _odd_bracket(self, last: int, is_name: bool) -> None:
        """Report a bracket behind a command whose last word begins at an offset; `is_name`: whether that is its only word."""
        # a function whose name is in quotes: bash reports this only when it gets there
        brackets = _NO_ARGUMENTS.match(self.text, self.at, self.size) if is_name else None
        is_odd = (
            brackets or "\\\n" in self.text[last : self.at]
        )  # or an assignment whose name continues in the next line
        kind = "odd" if is_odd else "unexpected"
        self.problem(self.at, self.at + 1, kind, Message("`(` needs quotes here"))
        self.at = brackets.end() if brackets else self.at

    def _assignment(self, match: "re.Match[str]") -> "Assignment":
        node = Assignment(match[1], match[2] is not None, match[3] == "+")
        self.at = start = match.end()
        if self._looking_at("("):
            self._enter()
            items = self._array(start)
            self._leave()
            if (
                self.at < self.size and self.text[self.at] not in " \t\n;&|<>()"
            ):  # `A=(x),`: bash accepts it, with unclear meaning
                self.word()
                items = None
            node.value = [self._unknown_since(start)] if items is None else items
        else:
            node.value = self.word(assigned=True) or RawWord([], *self.source.span(start, start))
        node.start, node.end = self.source.span(match.start(), self.at)
        return node

    def _array(self, start: int) -> "Items | None":
        """The words of `(...)`; None where it is never closed."""
        self.at += 1
        found: Items = []
        while True:
            self._skip_lines()
            word = self.word()
            if word is not None:
                found.append(word)
            elif self._looking_at(")"):
                self.at += 1
                return found
            elif self.at >= self.size:
                return None if self._unclosed(start, "array", ")") else found
            else:
                self._unexpected(Message("`{text}` needs quotes in an array", {"text": self.text[self.at]}))
                self.at += 1

    def _unknown_since(self, start: int) -> "RawWord":
        """What was read since an offset, as a word of which only the place is known."""
        span = self.source.span(start, self.at)
        return RawWord([Opaque(*span)], *span)

    def _redirection(self, match: "re.Match[str]") -> "Redirection":
        start = self.at
        self.at = match.end()
        self._skip_blanks()
        operator = match[2]
        target = self.word()
        node = Redirection(operator, match[1], target)
        if target is None:
            self.problem(
                start, match.end(), "unexpected", Message("nothing follows `{operator}`", {"operator": operator})
            )
        elif operator in ("<<", "<<-"):
            delimiter = "".join([part.text for part in target.parts if type(part) is Literal])
            node.expands = target.plain is not None
            self.heredocs.append((node, delimiter, start))
        return node

    def _heredoc_bodies(self) -> None:
        """Read the here-document bodies that begin here, one after the other."""
        waiting, self.heredocs = self.heredocs, []
        for node, delimiter, opening in waiting:
            pieces = self._lines_up_to(delimiter, node, opening)
            start = pieces[0].start if pieces else self.source.span(self.at, self.at)[0]
            end = pieces[-1].end if pieces else start
            if not node.expands:
                parts: Parts = [Literal(pieces, True)]
            elif self.attempts:  # it is not certain that this is a here-document, so nobody looks into it
                parts = [Opaque(start, end, True)]
            else:
                parts = self._expanded(pieces)
            node.body = RawWord(parts, start, end)

    def _lines_up_to(self, delimiter: str, node: "Redirection", opening: int) -> "Pieces":
        """The lines of a here-document, without the one that ends it."""
        pieces: Pieces = []
        line = ""  # with what it goes on from: a backslash in front of a line break is none
        while self.at < self.size:
            end = self.text.find("\n", self.at, self.size)
            end = self.size if end < 0 else end
            begin = self.at
            while node.operator == "<<-" and not line and begin < end and self.text[begin] == "\t":
                begin += 1
            self.at = min(end + 1, self.size)
            line += self.text[begin:end]
            if line == delimiter:
                return pieces
            line = line[:-1] if node.expands and _CONTINUES.search(line) else ""
            pieces += self.source.pieces(begin, self.at)
        message = Message("no line `{delimiter}` ends this here-document", {"delimiter": delimiter})
        self.problem(opening, opening + 2, "endless", message)
        return pieces

    def _expanded(self, pieces: "Pieces") -> "Parts":
        """The parts of the body of a here-document."""
        self._enter()
        body = Parser(Source(pieces), self.problems, self.lost, self.depth)
        body.recoveries = self.recoveries
        parts = body.quoted_text()
        self.recoveries = body.recoveries
        self._leave()
        return parts

    def _look_for_lost_flags(self, node: "Simple", start: int, end: int) -> None:
        """Note whether this command is the rest of the one before, and why it was cut off."""
        previous, self.previous = self.previous, (node, end, start)
        if previous is None or not node.words:
            return
        before, last, owner = previous
        found = self._cut_off(last, start)
        if found is None:
            return
        cause, where = found
        lost, meant_for = node, owner
        if cause == "blank-after-backslash" and before.assignments and len(before.words) == 1:
            cause, lost, meant_for = (
                "blank-after-variables",
                before,
                start,
            )  # `A=1 \ `: bash runs a command named " " with them
        else:
            self.previous = (node, end, owner)
        cause_start, cause_end = self.source.span(*where)
        self.lost.append(
            Lost(
                start=lost.start,
                end=lost.end,
                cause=cause,
                cause_start=cause_start,
                cause_end=cause_end,
                command_start=self.source.span(meant_for, meant_for)[0],
            )
        )

    def _cut_off(self, last: int, start: int) -> "tuple[Cause, tuple[int, int]] | None":
        """Why a command is cut off from the one that ends at `last`, and what does it; None where it is a command of its own."""
        text, between = self.text, self.text[last:start]
        is_blank_escaped = last >= 2 and text[last - 2] == "\\" and text[last - 1] in " \t"
        if is_blank_escaped and _BLANK_LINE.fullmatch(between):
            return "blank-after-backslash", (last - 2, last + len(between) - len(between.lstrip(" \t")))
        lines = r"[ \t]*(?:\\\n|\n|#)(?:[ \t\n]|\\\n|#[^\n]*(?=\n|\Z))*"
        if not _FLAG.match(text, start) or "\n" not in between or not re.compile(lines).fullmatch(between):
            return None
        continued = re.compile(r"(?:[ \t]*\\\n)+").match(between)
        rest = last + continued.end() if continued else last
        comment = re.compile(r"[ \t]*(#.*)").match(text, rest)
        if comment and (continued or text[comment.end() - 1] == "\\"):
            return "comment", comment.span(1)
        if continued:
            return "blank-line", (rest, text.find("\n", rest) + 1)
        return "no-backslash", (last, last)
