"""What is lost of commands that end too early, or in which bash gives up: the flags below, and what is wrong with a run for their
lack alone."""

import re
from itertools import chain

from ..frameworks.recognition import may_be_ours
from ..launch.assembly import started_launch
from ..launch.commands import invocations
from ..launch.scripts import _origins
from ..launch.sighting import sighted
from ..message import Message, series
from ..source.quoting import listed
from ..source.shell.script import Script
from ..source.text import CONFLICT, Span, second_side
from .findings import Finding
from .judge import findings_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Collection, Command, Context, Fact, Report, Word
    from ..source.shell.tree import Lost
    from ..source.text import Problem

_FLAG = r"(?<!\S)(?:--?[A-Za-z][\w-]*|(?:\+\+?|~)?[A-Za-z_]\w*(?:\.\w+)+(?==)|\"?\$\{\w+\[@\]\}\"?)"
_VARIABLE = r"(?<!\S)[A-Za-z_]\w*(?=\+?=)"
_OF_VARIABLES = "blank-after-variables"
_CAUSES = {
    "no-backslash": "the line above does not end in a backslash",
    "blank-after-backslash": "the backslash of the line above is followed by a space, so the command ends there",
    _OF_VARIABLES: "the backslash is followed by a space, so the command below runs without these variables",
    "comment": "a comment line ends the command above it",
    "blank-line": "an empty line ends the command above it",
}

MOST_CUTS = 3  # places that a finding names beside its own


class Cuts:
    """The flags of a script that do not reach the command above them. `refused`: the finding about the place where bash gives up."""

    def __init__(self, script: "Script", report: "Report", facts: "dict[str, Fact]", context: "Context") -> None:
        self._script = script
        self._report = report
        self._facts = facts
        self._context = context
        problem = script.refusals[0][1] if script.refusals else None
        self.refused = None if problem is None else _about_a_refusal(problem)
        self._ends_at = problem.offset if problem is not None else len(script.text.text)
        self._is_conflict = problem is not None and problem.message is CONFLICT
        self._theirs = second_side(script.text.text, self._ends_at) if self._is_conflict else (0, 0)
        found = [(lost, flags) for lost in script.lost if (flags := self._flags_of(lost))]  # not a lone dash
        self._found = [each for each in found if not self._is_of_the_conflict(each[0])]
        self._of_conflict = [lost for lost, _ in found if self._is_of_the_conflict(lost)]
        self._findings = self._one_of_each_command()

    def _one_of_each_command(self) -> "dict[int, Finding]":
        """{id of what is lost: the finding}: one for all that a command loses, at the first place."""
        losses: dict[tuple[int, bool], list[tuple[Lost, list[str]]]] = {}
        for lost, flags in self._found:
            losses.setdefault((lost.command_start, lost.cause == _OF_VARIABLES), []).append((lost, flags))
        found: dict[int, Finding] = {}
        for (first, flags), *others in losses.values():
            finding = _finding(first, flags)
            if others:
                flags = [*chain(flags, *(more for _, more in others))]
                finding.values.update(flags=listed(flags), are="are")
            self._tell_further_cuts(finding, first, [lost for lost, _ in others[:MOST_CUTS]])
            found.update({id(lost): finding for lost in (first, *(each for each, _ in others))})
        return found

    def _tell_further_cuts(self, finding: "Finding", first: "Lost", others: "list[Lost]") -> None:
        """Say where a command is cut again, in the order of the script: all places of the same cause together."""
        places: dict[str, list[Lost]] = {}
        for lost in others:
            places.setdefault(lost.cause, []).append(lost)
        for cuts in reversed(places.values()):
            lost, numbers = cuts[0], [self._script.text.position(each.start)[0] + 1 for each in cuts]
            told = {"lines": series(numbers), "reason": Message(_CAUSES[lost.cause])}
            if lost.cause == first.cause:
                note = Message(
                    "the same in front of line {lines}", told, "the same in front of lines {lines}", len(cuts)
                )
            else:
                note = Message("it is cut again in front of line {lines}: {reason}", told)
            finding.say_first(note)

    def _is_of_the_conflict(self, lost: "Lost") -> bool:
        """Whether nothing but a conflict of a merge takes flags from their command."""
        return self._is_conflict and self._ends_at < lost.start and lost.command_start < self._theirs[1]

    def _written(self, lost: "Lost") -> str:
        return self._script.text.text[lost.start : lost.end]

    def _flags_of(self, lost: "Lost") -> "list[str]":
        return re.findall(_VARIABLE if lost.cause == _OF_VARIABLES else _FLAG, self._written(lost))

    def speaking_for(self, command: "Command") -> "list[Finding]":
        """What a command has lost, as findings that speak for all that would not be wrong with the whole of it."""
        cut = [lost for lost, _ in self._found if lost.command_start == command.start and lost.cause != _OF_VARIABLES]
        found = [*{self._findings[id(lost)]: None for lost in cut}]
        if self.refused is not None and self._is_broken(command):
            found.append(self.refused)
        stays = self._wrong_with_the_whole(command, cut) if found else None
        if stays is None:
            return []
        for finding in found:
            finding.stays = stays
        return found

    def _is_broken(self, command: "Command") -> bool:
        """Whether bash gives up in a command, or where it goes on below a conflict of a merge."""
        if command.start < self._ends_at < command.end:
            return True
        between = self._script.text.text[command.end : self._ends_at]
        return self._is_conflict and command.end <= self._ends_at and not between.strip(" \t\r\n\\")

    def _wrong_with_the_whole(
        self, command: "Command", cut: "list[Lost]"
    ) -> "frozenset[tuple[str, str | None]] | None":
        """The keys of what is wrong with a run where its command goes on below, and has nothing that bash does not read; None where that
        starts none."""
        theirs = self._theirs
        lines = [*cut, *(each for each in self._of_conflict if each.command_start == command.start)]
        starts = {lost.start for lost in lines if not theirs[0] <= lost.start < theirs[1]}
        rest = {each.start: each.words for each in self._script.commands if each.start in starts}
        words = [word for word in command.words if self._is_meant(word)]
        whole = Script(self._script.text)
        whole.heredocs = self._script.heredocs
        whole.commands = [command.but(words=[*words, *(word for words in rest.values() for word in words)])]
        for origin, root in _origins(invocations(whole), whole, self._script.text, self._context):
            launch = started_launch(
                sighted(origin, root, self._facts, self._context, self._report.asked), self._context
            )
            return frozenset(finding.key for finding in findings_of(launch)) if launch is not None else None
        return None

    def _is_meant(self, word: "Word") -> bool:
        """Whether bash reads a word, and it is more than the blank behind a backslash."""
        is_blank = word.value is not None and word.value.isspace()
        return not is_blank and (self.refused is None or word.end <= self._ends_at)

    @property
    def is_of_ours(self) -> bool:
        """Whether a conflict of a merge takes flags that may be those of a training."""
        return any(may_be_ours(self._written(lost)) for lost in self._of_conflict)

    def told(self, ours: "Collection[int]") -> "list[Finding]":
        """The findings for our commands, by where these begin, and for those that may be ours."""
        told = (
            self._findings[id(lost)]
            for lost, _ in self._found
            if lost.command_start in ours or may_be_ours(self._written(lost))
        )
        return [*dict.fromkeys(told)]


def _finding(lost: "Lost", flags: "list[str]") -> "Finding":
    values = {
        "flags": listed(flags),
        "are": "is" if len(flags) == 1 else "are",
        "reason": Message(_CAUSES[lost.cause]),
    }
    return Finding("flags-reach-their-command", "warning", "never", span=Span.of(lost), values=values)


def _about_a_refusal(problem: "Problem") -> "Finding":
    """What bash cannot read, until it is known which run that stops."""
    values = {"problem": problem.message, "consequence": Message("the commands above it have run by then")}
    return Finding("script-can-be-parsed", "warning", "never", span=Span(problem.offset, problem.end), values=values)
