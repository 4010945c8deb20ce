"""What is lost of commands that end too early: the flags below, and what is wrong with a run for their lack alone."""

import re

from ..frameworks.recognition import may_be_ours
from ..launch.assembly import started_launch
from ..launch.commands import invocations
from ..launch.scripts import _origins
from ..launch.sighting import sighted
from ..message import Message
from ..source.quoting import listed
from ..source.shell.script import Script
from ..source.text import Span
from .findings import Finding
from .judge import findings_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Collection, Command, Context, Fact, Report
    from ..source.shell.tree import Lost

_FLAG = r"(?<!\S)(?:--?[A-Za-z][\w-]*|(?:\+\+?|~)?[A-Za-z_]\w*(?:\.\w+)+(?==))"
_CAUSES = {
    "no-backslash": "the line above does not end in a backslash",
    "blank-after-backslash": "a blank stands behind the backslash of the line above, and the command ends there",
    "comment": "a comment line ends the command above it",
    "blank-line": "an empty line ends the command above it",
}


class Cuts:
    """The flags of a script that do not reach the command above them."""

    def __init__(self, script: "Script", report: "Report", facts: "dict[str, Fact]", context: "Context") -> None:
        self._script = script
        self._report = report
        self._facts = facts
        self._context = context
        self._found = [(lost, flags) for lost in script.lost if (flags := self._flags_of(lost))]  # not a lone dash
        self._findings = {id(lost): _finding(lost, flags) for lost, flags in self._found}

    def _written(self, lost: "Lost") -> str:
        return self._script.text.text[lost.start : lost.end]

    def _flags_of(self, lost: "Lost") -> "list[str]":
        return re.findall(_FLAG, self._written(lost))

    def speaking_for(self, command: "Command") -> "list[Finding]":
        """What a command has lost, as findings that speak for all that would not be wrong with the whole of it."""
        cut = [lost for lost, _ in self._found if lost.command_start == command.start]
        stays = self._wrong_with_the_whole(command, cut) if cut else None
        found = [self._findings[id(lost)] for lost in cut] if stays is not None else []
        for finding in found:
            finding.stays = stays
        return found

    def _wrong_with_the_whole(
        self, command: "Command", cut: "list[Lost]"
    ) -> "frozenset[tuple[str, str | None]] | None":
        """The keys of what is wrong with a run where its command goes on below; None where that starts none."""
        starts = {lost.start for lost in cut}
        rest = {each.start: each.words for each in self._script.commands if each.start in starts}
        whole = Script(self._script.text)
        whole.heredocs = self._script.heredocs
        whole.commands = [command.but(words=[*command.words, *(word for words in rest.values() for word in words)])]
        for origin, root in _origins(invocations(whole), whole, self._script.text, self._context):
            launch = started_launch(
                sighted(origin, root, self._facts, self._context, self._report.asked), self._context
            )
            return frozenset(finding.key for finding in findings_of(launch)) if launch is not None else None
        return None

    def told(self, ours: "Collection[int]") -> "list[Finding]":
        """The findings for our commands, by where these begin, and for those that may be ours."""
        return [
            self._findings[id(lost)]
            for lost, _ in self._found
            if lost.command_start in ours or may_be_ours(self._written(lost))
        ]


def _finding(lost: "Lost", flags: "list[str]") -> "Finding":
    values = {
        "flags": listed(flags),
        "are": "is" if len(flags) == 1 else "are",
        "reason": Message(_CAUSES[lost.cause]),
    }
    return Finding("flags-reach-their-command", "warning", "never", span=Span.of(lost), values=values)
