"""`grpo-lint check -- COMMAND...` and `grpo-lint run COMMAND...`: a command is checked as it is about to start, and started."""

import os
import sys

from .. import engine
from ..files import disk
from ..frameworks.recognition import is_foreign_program
from ..launch.starting import Start
from ..message import Message, told_by
from .check import report_files
from .console import FAILED, FOUND, note
from .options import Usage
from .run import Run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from ..shared_types import Arguments, Context, File, Finding, Iterator, Report


NOT_EXECUTABLE, NOT_FOUND = 126, 127  # what a shell reports of a command that it cannot start


class RunOfCommand(Run):
    """A command that is about to start: its scripts, the configs that they name and the files of Python that they run.
    Each is judged only as this command starts it."""

    def __init__(self, arguments: "Arguments", words: "list[str]") -> None:
        for option in ("--fix", "--diff", "--files-from", "--write-baseline", "--show-settings"):
            if arguments.get(option):
                raise Usage(Message("{option} goes with files, and not with a command", {"option": option}))
        super().__init__(arguments, named=[])
        self._start = Start(words, disk.whole_environment(), os.getcwd())
        self._scripts = {script.text.path: script for script in self._start.scripts}
        self._mistakes_in_commands: set[tuple[object, ...]] = set()  # the mistakes that stand in a command

    def files(self, others: "tuple[str, ...]" = ()) -> "Iterator[File]":
        """The files of the command; no `others`, since nobody has named a folder."""
        if others:
            return
        yield from self._scripts
        configs = self._start.repository.configs()
        yield from configs
        for program in self._start.repository.programs():
            if program not in configs and self._makes_a_config(program):
                yield program

    def _makes_a_config(self, program: str) -> bool:
        try:
            return engine.read(program, is_foreign_program) is not None
        except engine.CannotRead:
            return False

    def is_asked_about(self, file: "File") -> bool:
        return super().is_asked_about(file) and file in self._start.repository.configs()

    def lint(self, file: "File", fixes: bool, repairs: bool = False) -> "Report":
        name = self.name(file)
        self.settings(name)
        script = self._scripts.get(name)
        if script is not None:
            report = engine.lint(script.text, self._context(name), fixes)
            report.linked = []
            self._mistakes_in_commands.update(map(_mistake, report.findings))
            return report
        try:
            data = engine.read(name) or b""
        except engine.CannotRead as problem:
            return engine.unreadable(name, told_by(problem), problem.severity)
        report = engine.lint_bytes(data, name, self._context(name), fixes)
        report.linked = []
        report.findings = [
            each for each in report.findings if each.launch is None or _mistake(each) not in self._mistakes_in_commands
        ]
        return report

    def _context(self, name: str) -> "Context":
        """The context of a file in which only this command counts."""
        context = self._around.of(name)
        script = self._scripts.get(name)
        if script is not None:
            script.files.budget = context.budget
            context.files = script.files
        context.repository = self._start.repository
        return context


def _mistake(finding: "Finding") -> "tuple[object, ...]":
    """What makes two findings the same mistake, whether they are about the command or about the file that it names."""
    origin = finding.launch.origin if finding.launch else None
    key = finding.at.name if finding.at is not None and finding.rule.broken is None else None
    return finding.rule.name, key, origin and origin.invocation.resolved, origin and origin.invocation.start


class _Guard(RunOfCommand):
    """The files of a command that is started afterwards: a failure of grpo-lint keeps nobody from training."""

    reports_own_failures = False


def run(arguments: "Arguments") -> int:
    """`grpo-lint run`: check a command, print on standard error what is wrong, and become the command unless an error
    stops it."""
    words = arguments.operands
    if not words:
        raise Usage(Message("run takes a command: grpo-lint run accelerate launch train.py --config recipe.yaml"))
    arguments.values.setdefault("--fail-on", "error")
    arguments.values["--quiet"] = True
    status, totals = report_files(arguments, _Guard(arguments, words), sys.stderr)
    if totals.failing and not arguments.get("--anyway"):
        note(
            Message(
                "not started: {program}; `grpo-lint run --anyway` starts it all the same",
                {"program": os.path.basename(words[0])},
            )
        )
        return FOUND
    if status == FAILED:
        note(Message("the command is started, although not all of it could be checked"))
    _become(words)


def _become(words: "list[str]") -> "NoReturn":
    """Replace this process by the command, so that signals and the exit status are those of the command."""
    import signal

    sys.stdout.flush()
    sys.stderr.flush()
    # Python ignores these signals, and a signal that is ignored stays so in the program that is started
    for name in ("SIGPIPE", "SIGXFSZ"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    try:
        if os.name == "nt":  # a program cannot take the place of another one there
            os._exit(os.spawnvp(os.P_WAIT, words[0], words))
        os.execvp(words[0], words)
    except OSError as error:
        note(Message("{program} cannot be started: {reason}", {"program": words[0], "reason": disk.why(error)}))
        os._exit(NOT_FOUND if isinstance(error, FileNotFoundError) else NOT_EXECUTABLE)
