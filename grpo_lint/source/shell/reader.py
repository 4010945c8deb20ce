"""Reads a launch script as the list of the commands it would run, each word with its value and the place of that value.

Nothing is executed. The reader follows the script with a table of the variables whose values are written in it. What
depends on the caller, on another program or on an undecided branch is unknown, and so is everything computed from it.
Commands in branches and loops are reported too, and marked as conditional.

The reader makes four assumptions. A variable with a default (`${X:-8}`) has this value, marked as overridable because
the caller may set another one; the same holds for variables set before a file is sourced. A variable with an empty
default (`X=${X:-}`) is as unknown as without it. A program succeeds where its failure would end the script or skip what
follows: `mkdir x && cd x` changes the folder. A program outside the script does not change the script's variables.
"""

from ...message import Message
from ..text import Problem
from .builtins import BUILTINS, assigned_variable, declare
from .expansion import calculate, expand, has_pattern, unsplit
from .parameters import forget_arithmetic
from .programs import start
from .script import Script
from .state import (
    ARGUMENTS,
    ASSUMED_NO,
    ASSUMED_YES,
    DEPTH,
    FOLDER,
    FOLDER_BEFORE,
    FOLDER_STACK,
    INVERSE,
    LIKELY,
    MOST_ROUNDS,
    MOST_ROUNDS_OF_SCRIPT,
    MOST_STEPS,
    NO,
    OPEN,
    YES,
    Frame,
    Shell,
    Stop,
    decide,
)
from .syntax import Parser
from .tree import (
    DECLARATIONS,
    UNKNOWN,
    Arithmetic,
    Case,
    For,
    Function,
    Group,
    If,
    Literal,
    Opaque,
    Piece,
    Pipeline,
    RawWord,
    Simple,
    Source,
    Substitution,
    Test,
    While,
)
from .variables import MaybeFunction, Variable, after_rounds, changed
from .words import Word, unknown, unknown_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...shared_types import AbstractSet, Callable, Chain, Held, Text
    from .script import Given
    from .state import Result
    from .tree import Assignment, Node

    Region = tuple[int, bool, bool]  # (mark of the trail, whether it counts as conditional, whether it did at first)

_RECURSION = 3
LIMITS = ("too-deep", "too-long", "too-large")  # kinds of problems: limits of the reader, not errors of the script

_QUESTIONS = frozenset(
    "grep egrep command which type hash pgrep pidof diff cmp ping nc mountpoint nvidia-smi read getopts".split()
)
_SUCCEEDS = frozenset(": true echo export set unset shopt trap pushd popd umask ulimit".split())
_OVER_LINES = r"\b(?:[a-z]+\\\n)+[a-z]+"
_RESERVED = frozenset("if then elif else fi for while until do done case esac select time coproc function in".split())


def read_shell(text: "Text", pieces: "list[Piece] | None" = None, given: "Given | None" = None) -> "Script":
    """Read a `Text`, or a script inside it that consists of `pieces`. Never raises for bad input: see
    `Script.problems`.

    `given`: what its caller passes to it, where that is known.
    """
    script = Script(text)
    source = _source(text.text, script.problems) if pieces is None else Source(pieces)
    is_plain = pieces is None and _is_for_bash(text.text) and not _splits_a_reserved_word(text.text)
    refusals = script.refusals if is_plain else None
    body = Parser(source, script.problems, script.lost, refusals=refusals).script()
    reader = _Reader(script, len(source.text))
    if "#SBATCH" in source.text:
        from .headers import note_headers  # of jobs alone

        note_headers(reader, source)
    if given is not None:
        script.is_given_words = bool(given.arguments)
        reader.take(given)
    try:
        reader.run_list(body)
    except Stop:
        pass
    reader.run_what_nobody_called()
    script.steps = MOST_STEPS - max(reader.steps, 0)
    return script


def tree_of(text: "Text") -> "list[Chain]":
    """The chains of a script, which nobody follows."""
    problems: list[Problem] = []
    return Parser(_source(text.text, problems), problems, []).script()


def _is_for_bash(text: str) -> bool:
    """Whether bash reads a text as it is. It does not where the script is for another shell, or where Windows line
    breaks change the meaning of words."""
    first = text.partition("\n")[0]
    return "\r" not in text and not (
        first[:2] == "#!" and any(shell in first for shell in ("zsh", "fish", "ksh", "csh"))
    )


def _splits_a_reserved_word(text: str) -> bool:
    """Whether a word that bash looks for, such as `then`, goes on behind the end of its line: it is not seen here."""
    if "\\\n" not in text:
        return False
    import re

    return any(each[0].replace("\\\n", "") in _RESERVED for each in re.finditer(_OVER_LINES, text))


def _source(text: str, problems: "list[Problem]") -> "Source":
    """The text as one source. Windows line breaks are replaced: git may have written them, and the meaning is clear."""
    nul = text.find(UNKNOWN)
    if nul >= 0:
        problems.append(Problem(nul, nul + 1, "nul", Message("a NUL byte: bash drops it")))
        text = text.replace(UNKNOWN, "\ufffd")
    at = text.find("\r\n")
    if at < 0:
        return Source([Piece(text, 0, len(text), exact=True)])
    problems.append(
        Problem(at, at + 2, "crlf", Message("the lines end in CRLF, which bash takes for a part of the last word"))
    )
    pieces = []
    start = 0
    while start < len(text):
        end = text.find("\r\n", start)
        end = len(text) if end < 0 else end
        if end > start:
            pieces.append(Piece(text[start:end], start, end, exact=True))
        if end < len(text):
            pieces.append(Piece("\n", end + 1, end + 2, exact=True))
        start = end + 2
    return Source(pieces)


class _Reader(Shell):
    """Follows the tree of a script."""

    def take(self, given: "Given") -> None:
        """Start with what the caller passes; what does not stand in the file has no place in the text."""
        for name, value in given.environment.items():
            self.write(name, Variable(Word(0, 0, [Piece(value, 0, 0)]), None, True))
        for name, word in given.written.items():
            self.write(name, Variable(word, None, True))
        if given.arguments is not None:
            self.write(ARGUMENTS, [Word(0, 0, [Piece(value, 0, 0)]) for value in given.arguments])

    # Lists, chains, pipelines

    def run(self, node: "Node") -> str:
        self.depth += 1
        try:
            if self.depth > DEPTH:
                self.spend(10)
                return OPEN
            if not self.step():
                return OPEN
            return self._RUN[type(node)](self, node)
        finally:
            self.depth -= 1

    def run_list(self, chains: "list[Chain]") -> str:
        status = YES
        for chain in chains:
            status = self.run_chain(chain)
        return status

    def run_chain(self, chain: "Chain") -> str:
        if chain.background:
            return self.isolated(self._run_links, chain.links, True)
        return self._run_links(chain.links, False)

    def _run_links(self, links: "list[tuple[str, Node]]", background: bool) -> str:
        self.background = self.background or background
        if len(links) == 1:
            return self.run(links[0][1])
        asked, self.asked = self.asked, set()
        try:
            return self._run_linked(links, self.asked)
        finally:
            self.asked = asked

    def _run_linked(self, links: "list[tuple[str, Node]]", asked: "set[str]") -> str:
        """Run several commands of a chain; `asked`: the variables that they look up, which grows."""
        status = self.run(links[0][1])
        region: Region | None = None  # of the commands behind an `&&` that may not run
        for operator, node in links[1:]:
            if operator == "||" and region is not None:
                self._leave_region(region)
                region = None
            outcome = status if operator == "&&" else INVERSE[status]
            if outcome is YES:
                status = self.run(node)
            elif outcome is ASSUMED_YES:
                mark = len(self.trail)
                status = self._run_assumed(node)
                self.decided.update(self.decided_by(self.names_since(mark), asked))
            elif outcome is ASSUMED_NO:
                self._run_unlikely(node, asked)
            elif outcome is NO:
                pass
            elif operator == "&&":
                region = self._widened(region, status is not LIKELY)
                status = self.run(node)
                status = LIKELY if status is YES and not region[1] else status
            else:
                self._run_perhaps(self.run, node)
                status = LIKELY
        if region is not None:
            self._leave_region(region)
            status = LIKELY if status is YES else status
        return status

    def _run_pipeline(self, pipeline: "Pipeline") -> str:
        if len(pipeline.commands) == 1:
            status = self.run(pipeline.commands[0])
        else:
            for command in pipeline.commands:
                status = self.isolated(self.run, command)
            status = OPEN if status is not LIKELY and status is not YES else LIKELY
        return INVERSE[status] if pipeline.negated else status

    def _run_group(self, group: "Group") -> str:
        if group.subshell:
            return self.isolated(self.run_list, group.body)
        return self.run_list(group.body)

    # Branches

    def _enter_region(self, conditional: bool) -> "Region":
        """Begin a part of the script that may not run."""
        self.uncertain += 1
        self.conditional += conditional
        return len(self.trail), conditional, conditional

    def _leave_region(self, region: "Region") -> None:
        mark, conditional, undecided = region
        self.uncertain -= 1
        self.conditional -= conditional
        written = self.rewind(mark)
        # Where a program is assumed to succeed, `cd` has changed the folder.
        self.merge([{}, written], keep=() if undecided else (FOLDER, FOLDER_BEFORE, FOLDER_STACK))

    def _widened(self, region: "Region | None", conditional: bool) -> "Region":
        """The part of a script that may not run, with one more command; it is conditional from the first that is."""
        if region is None:
            return self._enter_region(conditional)
        if conditional and not region[1]:
            self.conditional += 1
            return region[0], True, region[2]
        return region

    def _run_perhaps(self, run: "Callable[..., Result]", *arguments: object) -> "Result":
        """Run what may as well not run."""
        region = self._enter_region(True)
        result = run(*arguments)
        self._leave_region(region)
        return result

    def _run_assumed(self, node: "Node") -> str:
        """Run a branch that is taken only if the defaults are in force."""
        self.assumed += 1
        self.conditional += 1
        self.uncertain += 1
        status = self.run(node)
        self.assumed -= 1
        self.conditional -= 1
        self.uncertain -= 1
        return {YES: ASSUMED_YES, NO: ASSUMED_NO}.get(status, status)

    def _run_unlikely(self, node: "Node | list[Chain]", subjects: "AbstractSet[str]") -> None:
        """Report the commands of a branch that is not taken if the defaults of some variables are in force; note what it
        writes as decided by them."""
        written: set[str] = set()
        self._run_perhaps(self.isolated, self._run_against, node, subjects, written)
        self.decided.update(self.decided_by(written, subjects))

    def _run_against(self, node: "Node | list[Chain]", subjects: "AbstractSet[str]", written: "set[str]") -> str:
        """Run a branch in which the defaults of some variables are not in force. `written` gets the variables that it
        writes."""
        self.disbelieve(subjects)
        mark = len(self.trail)
        try:
            return self.run_list(node) if isinstance(node, list) else self.run(node)
        finally:
            written.update(self.names_since(mark))

    def _run_asking(self, condition: "list[Chain]", asked: "set[str]", maybe_never: bool) -> str:
        """Run a condition, and note in `asked` which variables it looks up."""
        before, self.asked = self.asked, asked
        try:
            return self._run_perhaps(self.run_list, condition) if maybe_never else self.run_list(condition)
        finally:
            self.asked = before
            if before is not None:
                before |= asked

    def _run_if(self, node: "If") -> str:
        alternatives: list[dict[str, Held]] = []
        assuming = False  # defaults have decided against an earlier branch
        asked: set[str] = set()
        for index, (condition, body) in enumerate(node.branches):
            status = self._run_asking(condition, asked, index > 0)
            if status is NO:
                continue
            if status is ASSUMED_NO:
                self._run_unlikely(body, asked)
                assuming = True
                continue
            if status in (YES, ASSUMED_YES):
                if status is ASSUMED_YES:
                    assuming = True
                    for _, other in node.branches[index + 1 :]:
                        self._run_unlikely(other, asked)
                    if node.otherwise:
                        self._run_unlikely(node.otherwise, asked)
                alternatives.append(self._run_branch(body, assuming, bool(alternatives)))
                break
            alternatives.append(self._run_branch(body, assuming, True))
        else:
            if node.otherwise:
                alternatives.append(self._run_branch(node.otherwise, assuming, bool(alternatives)))
            elif alternatives:
                alternatives.append({})
        self._merge_decided(alternatives, asked if assuming else frozenset())
        return LIKELY

    def _merge_decided(self, alternatives: "list[dict[str, Held]]", subjects: "AbstractSet[str]") -> None:
        """Merge the outcomes of branches between which the defaults of some variables decide; none where they do not."""
        names = [name for written in alternatives for name in written if name[0] != " "]
        if not subjects:
            names = [name for name in names if name in self.decided] if self.decided else []
        decided = self.decided_by(names, subjects)
        self.merge(alternatives)
        self.decided.update(decided)

    def _run_branch(self, body: "list[Chain]", assumed: bool, undecided: bool) -> "dict[str, Held]":
        """Run a branch. Returns what it wrote, and undoes it."""
        mark = len(self.trail)
        conditional = int(assumed or undecided)
        self.assumed += assumed
        self.conditional += conditional
        self.uncertain += conditional
        try:
            self.run_list(body)
        except Stop as stop:
            if undecided or assumed:
                raise AssertionError(stop.kind) from None
            raise
        finally:
            self.assumed -= assumed
            self.conditional -= conditional
            self.uncertain -= conditional
        return self.rewind(mark)

    def _run_case(self, node: "Case") -> str:
        subject, asked = self._subject_of(node)
        alternatives: list[dict[str, Held]] = []
        decided = falling = False
        for patterns, body, ending in node.arms:
            status = self._status_of_arm(subject, patterns)
            status = OPEN if falling else status
            falling = ending != ";;" and status is not NO
            if status is NO or decided:
                if decided or subject.overridable:
                    self._run_unlikely(body, asked)
                continue
            certain = status is YES and not falling
            alternatives.append(self._run_branch(body, subject.overridable, bool(alternatives) or not certain))
            decided = certain
            if certain and not subject.overridable:
                break
        if alternatives and not decided:
            alternatives.append({})
        self._merge_decided(alternatives, asked if subject.overridable else frozenset())
        return LIKELY

    def _subject_of(self, node: "Case") -> "tuple[Word, set[str]]":
        """What a `case` compares, and the variables that stand in it."""
        before, self.asked = self.asked, set()
        subject = unsplit(self, node.subject) if node.subject else unknown_word(0, 0)
        asked, self.asked = self.asked, before
        return subject, asked

    def _status_of_arm(self, subject: "Word", patterns: "list[RawWord]") -> str:
        """Whether one of the patterns of an arm matches."""
        matches = [self._matches(subject, pattern) for pattern in patterns]
        if True in matches:
            return YES
        return OPEN if None in matches else NO

    def _matches(self, subject: "Word", pattern: "RawWord") -> "bool | None":
        """Whether a pattern of `case` matches: True, False, or None when that is unknown."""
        word = unsplit(self, pattern)
        if pattern.plain == "*":
            return True
        if word.value is None or subject.value is None:
            return None
        return word.value == subject.value

    # Loops

    def _run_while(self, node: "While") -> str:
        status = self.run_list(node.condition)
        status = INVERSE[status] if node.until else status
        if status is NO:
            return LIKELY
        return self._run_loop(node, [*node.condition], None, status is not YES)

    def _run_for(self, node: "For") -> str:
        if node.header is not None:
            return self._run_loop(node, [], None, True, node.header)
        if node.words is None:
            items = list(self.arguments or [unknown_word(0, 0, many=True)])
        else:
            items = [item for word in node.words for item in expand(self, word)]
        if not items:
            return YES
        if len(items) == 1 and not items[0].many:
            self._set_item(node.name, items[0])
            return self._leaving_loops(node.body)
        is_known = all(item.value is not None and not item.many for item in items)
        if is_known and self._run_each(node, items):
            return LIKELY
        maybe_empty = all(item.many for item in items)
        item = Word(items[0].start, items[-1].end, [unknown(items[0].start, max(items[-1].end, items[0].start))])
        return self._run_loop(node, [], item, maybe_empty)

    def _set_item(self, name: "str | None", item: "Word") -> None:
        if name:
            self.write(name, self.plain_variable(name, item))

    def _run_each(self, node: "For", items: "list[Word]") -> bool:
        """Run the rounds of a loop over known words, one after the other. Returns False, with nothing done, where they are too many,
        or where it is not known after which of them the loop ends."""
        if len(items) * self.rounds > MOST_ROUNDS or len(items) > self.rounds_left:
            self._note_rounds(node)
            return False
        script, mark = self.script, len(self.trail)
        noted: tuple[list[Any], ...] = (script.commands, script.heredocs, script.headers, script.problems, script.lost)
        lengths = [len(each) for each in noted]
        self.rounds *= len(items)
        self.rounds_left -= len(items)
        ended: bool | None = False
        try:
            for item in items:
                self._set_item(node.name, item)
                frame = Frame("loop", self.uncertain)
                before = len(script.problems), len(script.lost)
                self._leaving_loops(node.body, frame)
                ended = frame.ended
                if item is not items[0]:  # the first round has told what is wrong in the text of each
                    del script.problems[before[0] :], script.lost[before[1] :]
                if ended is not False:
                    break
        finally:
            self.rounds //= len(items)
        if ended is None:
            self.rewind(mark)
            for each, length in zip(noted, lengths, strict=True):
                del each[length:]
        return ended is not None

    def _note_rounds(self, node: "For") -> None:
        """Note a loop whose rounds are too many to be followed one by one."""
        if not self.silent:
            message = Message(
                "at most {most} rounds of the loops around a command are followed one by one, and {all} in one script: what this loop varies is taken as unknown",
                {"most": MOST_ROUNDS, "all": MOST_ROUNDS_OF_SCRIPT},
            )
            words = node.words or []
            start, end = (words[0].start, words[-1].end) if words else (node.start, node.start)
            self.script.loops.append((node.start, node.end, Problem(start, end, "too-many-rounds", message)))

    def _leaving_loops(self, body: "list[Chain]", frame: "Frame | None" = None) -> str:
        """Run the body of a loop once. What it writes is unknown when the body may have been left early."""
        mark = len(self.trail)
        self.jumped.append(frame or Frame("loop", self.uncertain))
        try:
            status = self.run_list(body)
        except Stop as stop:
            if stop.kind != "loop":
                raise
            status = LIKELY
        finally:
            jumped = self.jumped.pop().left
        if jumped:
            self.unsettle(mark)
        return status

    def _run_loop(
        self,
        node: "While | For",
        condition: "list[Chain]",
        item: "Word | None",
        maybe_never: bool,
        header: "Arithmetic | Opaque | None" = None,
    ) -> str:
        """Run a loop of any number of rounds: what one round changes is unknown in the next."""

        def round_() -> None:
            if item is not None and type(node) is For:
                self._set_item(node.name, item)
            if header is not None:
                forget_arithmetic(self, header)
            self.run_list(condition)
            self._leaving_loops(node.body)

        self.uncertain += 1
        self.conditional += maybe_never
        try:
            written = self.written_in_loops.get(id(node))
            if written is None:
                self.silent += 1
                written = self._rounds(round_)
                self.silent -= 1
                self.written_in_loops[id(node)] = written
            for name, entry in written.items():
                self.write(name, after_rounds(self.table.get(name), entry))
            last = self._rounds(round_)
        finally:
            self.uncertain -= 1
            self.conditional -= maybe_never
        self.merge([{}, last])
        self.forget([name for name in last if name not in written])
        return LIKELY

    def _rounds(self, round_: "Callable[[], None]") -> "dict[str, Held]":
        """Run one round, undo what it wrote, and return that."""
        mark = len(self.trail)
        try:
            round_()
        except Stop:
            raise AssertionError("a loop was left for certain, although it may never begin") from None
        return self.rewind(mark)

    # Functions

    def _run_function(self, node: "Function") -> str:
        self.functions.setdefault(node, False)
        self.write(f"{node.name}()", node)
        return YES

    def _call(self, function: "Function", words: "list[Word]", overlay: "dict[str, Variable]", node: "Simple") -> str:
        """Run the body of a function."""
        self.functions[function] = True
        if self.running.count(function) >= _RECURSION or self.depth > DEPTH - 10 or not self.spend(100):
            self.doubt()
            return OPEN
        self.running.append(function)
        call, local = self.call, self.locals
        self.call = self.call or (node.start, node.end)
        self.locals = {}
        before = {name: self.table.get(name) for name in (ARGUMENTS, *overlay)}
        self.write(ARGUMENTS, words[1:])
        for name, variable in overlay.items():
            self.write(name, variable)
        inside = {name: self.table[name] for name in overlay}
        mark = len(self.trail)
        self.jumped.append(Frame("return", self.uncertain))
        status = LIKELY
        try:
            status = self.run(function.body)
        except Stop as stop:
            if stop.kind != "return":
                raise
        finally:
            is_left = self.jumped.pop().left
            if is_left:
                self.unsettle(mark)
            touched = [name for name in overlay if self.table[name] is not inside[name]]
            self._put_back(before, touched)
            self.call, self.locals = call, local
            self.running.pop()
        return OPEN if is_left else status

    def _put_back(self, before: "dict[str, Held]", touched: "list[str]") -> None:
        """Return from a function. `before`: the arguments, and the variables that are assigned before its call; `touched`: those that it
        has changed, which bash may keep."""
        self.put_back(ARGUMENTS, before.pop(ARGUMENTS))
        for name, entry in [*(self.locals or {}).items(), *before.items()]:
            self.write(name, entry)
        for name in touched:
            variable = changed(self.table[name])  # type: ignore[arg-type]  # no other entry has such a name
            variable.exported = None
            self.write(name, variable)

    def run_what_nobody_called(self) -> None:
        """Report the functions that only an argument or another script may call, with unknown arguments."""
        self.conditional += 1
        self.uncertain += 1
        self.write(ARGUMENTS, [unknown_word(0, 0, many=True)])
        for _ in range(DEPTH):
            waiting = [node for node, called in self.functions.items() if not called]
            if not waiting:
                break
            for node in waiting:
                self.functions[node] = True
                self.isolated(self.run, node.body)

    # Tests

    def _run_test(self, node: "Test") -> str:
        raws = [item for item in node.items if isinstance(item, RawWord)]
        items = [unsplit(self, raw) for raw in raws]
        if len(items) < len(node.items):
            return OPEN
        if len(items) == 3 and items[1].value in ("=", "==", "!="):
            if any(type(part) is not Literal for part in raws[2].parts) and has_pattern(items[2].value or ""):
                return OPEN
        return decide(items)

    def _run_arithmetic(self, node: "Arithmetic | Opaque") -> str:
        number, overridable = calculate(self, node)
        if number is None:
            return OPEN
        if overridable:
            return ASSUMED_YES if number else ASSUMED_NO
        return YES if number else NO

    # Simple commands

    def _run_simple(self, node: "Simple") -> str:
        self.spend(10)
        first = node.words[0] if node.words else None
        if type(first) is RawWord and first.plain in DECLARATIONS and self.table.get(f"{first.plain}()") is None:
            return declare(self, node, first.plain)
        words = self._words(node)
        if not words:
            return self._assign(node.assignments)
        overlay = self._overlay(node.assignments)
        if words[0].value in ("command", "builtin") and len(words) > 1 and (words[1].value or "-")[0] != "-":
            words = words[1:]
        else:
            called = self._run_called(words, overlay, node)
            if called is not None:
                return called
        builtin = BUILTINS.get(words[0].value or "")
        status = builtin(self, node, words, overlay) if builtin else None
        return self._start(node, words, overlay) if status is None else status

    def _words(self, node: "Simple") -> "list[Word]":
        found: list[Word] = []
        for raw in node.words:
            found += raw.always or expand(self, raw) if type(raw) is RawWord else [unknown_word(raw.start, raw.end)]
        return found

    def _run_called(self, words: "list[Word]", overlay: "dict[str, Variable]", node: "Simple") -> "str | None":
        """Run the function that a command names; None where it certainly is none."""
        function = None if words[0].value is None else self.table.get(f"{words[0].value}()")
        if type(function) is Function:
            return self._call(function, words, overlay, node)
        if type(function) is MaybeFunction:
            self._run_perhaps(self._call, function.function, words, overlay, node)
            return OPEN
        if function is False:
            self.doubt()
        return None

    def _assign(self, assignments: "list[Assignment]") -> str:
        """Run assignments without a command. Their status is that of the last substitution in them."""
        certain = True
        for assignment in assignments:
            self.write(assignment.name, assigned_variable(self, assignment))
            raw = assignment.value
            certain = certain and (isinstance(raw, list) or not any(type(part) is Substitution for part in raw.parts))
        return YES if certain else LIKELY

    def _overlay(self, assignments: "list[Assignment]") -> "dict[str, Variable]":
        """{name: variable} of the assignments before a command, which are in force for it alone."""
        if not assignments:
            return {}
        mark = len(self.trail)
        for assignment in assignments:
            variable = assigned_variable(self, assignment)
            variable.exported = True
            self.write(assignment.name, variable)
        written = self.rewind(mark)
        overlay: dict[str, Variable] = {
            assignment.name: written.pop(assignment.name)  # type: ignore[misc]  # what was written above
            for assignment in assignments
            if assignment.name in written
        }
        for name, entry in written.items():  # the effect of a `${X:=8}` in a value remains
            self.write(name, entry)
        return overlay

    def _start(self, node: "Simple", words: "list[Word]", overlay: "dict[str, Variable]") -> str:
        """Start a program."""
        start(self, node, words, overlay)
        name = words[0].value
        if name in _SUCCEEDS:
            return YES
        if name == "false":
            return NO
        if name in ("[", "test"):
            return decide(words[1:-1] if name == "[" else words[1:])
        return OPEN if name in _QUESTIONS or name is None else LIKELY

    _RUN: "dict[type, Callable[..., str]]" = {
        Arithmetic: _run_arithmetic,
        Case: _run_case,
        For: _run_for,
        Function: _run_function,
        Group: _run_group,
        If: _run_if,
        Opaque: lambda self, node: OPEN,
        Pipeline: _run_pipeline,
        Simple: _run_simple,
        Test: _run_test,
        While: _run_while,
    }
