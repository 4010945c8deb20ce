"""`grpo-lint check`: the findings of files and folders, printed, counted, and turned into an exit status."""

import io
import os
import sys

from ..checker.findings import span_of, told as told_of
from ..files import disk
from ..files.discovery import NOTEBOOKS, PYTHON, SUFFIXES, has_suffix
from ..message import NOTHING, Message, series
from ..report.language import ENGLISH
from ..report.totals import Totals, fails, summary
from ..rules.base import SEVERITIES
from .console import CLEAN, FAILED, FOUND, language_for, make_room, note, uses_colour, with_progress
from .options import FOR_PEOPLE, FORMATS, STATISTICS, Usage
from .run import Run, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Protocol

    from ..shared_types import Arguments, Callable, File, Finding, Iterable, Iterator, Launch, Report

    class Printer(Protocol):
        """The printer of a format."""

        shows_fixes: bool
        fail_on: Callable[[str], str]

        def file(self, report: Report) -> str | None: ...
        def end(self, totals: Totals) -> str | None: ...


def check(arguments: "Arguments") -> int:
    """`grpo-lint check`: print the findings of files and folders, say by the exit status how it went."""
    _refuse_contradictions(arguments)
    command = _command_in(arguments)
    if command is None:
        run = Run(arguments)
    else:
        from .starting import RunOfCommand

        run = RunOfCommand(arguments, command)
    # with `--fix -` the fixed text goes to standard output, so nothing else may go there
    to_errors = arguments.get("--fix") and "-" in arguments.operands
    status, totals = report_files(arguments, run, sys.stderr if to_errors else sys.stdout)
    status = status or (FOUND if totals.failing and not arguments.get("--diff") else CLEAN)
    return CLEAN if status == FOUND and arguments.get("--exit-zero") else status


def _command_in(arguments: "Arguments") -> "list[str] | None":
    """The words behind `--` where they are a command, else None. They are none where all of them are files or folders,
    or where the first one looks like a file or is no program."""
    words = arguments.behind_dashes
    if not words or (has_suffix(words[0], SUFFIXES) and os.sep not in words[0]) or all(map(disk.exists, words)):
        return None
    from ..launch.starting import is_program

    return words if is_program(words[0]) else None


def report_files(arguments: "Arguments", run: "Run", stream: "IO[str]") -> "tuple[int, Totals]":
    """(exit status, counts) of the files of a run, whose findings are printed to a stream. The status is 2 where
    grpo-lint or the settings failed, else 0 or what `run` says."""
    if arguments.get("--show-settings"):
        run.show_settings()
        return run.status, Totals()
    output_file = arguments.get("--output-file")
    kept = io.StringIO() if output_file or arguments.get("--write-baseline") else None
    reporting = _Reporting(arguments, run, kept or stream)
    try:
        reporting.report()
    finally:
        disk.let_go()
    if arguments.get("--write-baseline"):
        run.write_baselines()
        return run.status, Totals()
    reporting.finish()
    if output_file and kept:
        write("--output-file", output_file, kept.getvalue())
    return run.status, reporting.totals


UNREAD = ("file-is-looked-at-to-its-end", "file-can-be-read")
_ALIKE = ("program-is-known", "run-leaves-a-checkpoint")  # most scripts of a folder have them in common


class _Reporting:
    """The findings of a run on their way to a stream: first those of the files that were asked for, then those of the
    files that take part in their launches."""

    def __init__(self, arguments: "Arguments", run: "Run", stream: "IO[str]") -> None:
        self._arguments = arguments
        self._run = run
        self._stream = stream
        self._quiet = arguments.get("--quiet", False)
        self._verbose = arguments.get("--verbose", False)
        self._printer = _printer(arguments, run, stream)
        self._printer.fail_on = run.fail_on
        self._crash = run.crash
        self.totals: Totals = Totals()
        self._linked: list[str] = []  # files that a launch names beside its own
        self._told_once: dict[tuple[str, str], str] = {}  # {folder, what is said of it: the first file of which it is}
        self._passed_over: list[Report] = []  # reports of files that were named and are no configs

    def report(self) -> None:
        """Print the findings of all files. A file on which grpo-lint breaks does not stop the others."""
        run = self._run
        asked: Iterable[File] = run.files()
        if run.repairs is not None:
            asked = list(asked)
            for file in with_progress(asked, run.name, self._arguments):
                run.repair(file)
            if self._arguments.get("--diff"):
                run.repairs.show()
        for files, work in ((asked, self._asked_for), (_not_asked(run, self._linked), self._taking_part)):
            for file in with_progress(files, run.name, self._arguments):
                text = run.guarded(file, work, instead=self._text_of)
                if text:
                    make_room()
                    self._stream.write(text)

    def finish(self) -> None:
        """Print what is told once, after all files: stale baselines, files that were passed over, the totals."""
        for report in () if self._crash else self._run.stale():
            self._stream.write(self._text_of(report) or "")
        if self._verbose:
            from .documents import say_what_documents_hold

            say_what_documents_hold(self._run)
        if self._crash and not self._quiet:
            note(self._crash.told)
        if not self._quiet and self._arguments.get("--output-format", "full") in FOR_PEOPLE:
            _say_what_is_passed_over(self._passed_over, "dialect" in self._arguments.facts)
        self.totals.fixed = self._run.repairs.fixed if self._run.repairs and self._arguments.get("--fix") else None
        self.totals.broken = self._run.status == FAILED
        text = self._printer.end(self.totals)
        if text:
            self._stream.write(text)

    def _asked_for(self, file: "File") -> "str | None":
        report = self._run.lint(file, self._printer.shows_fixes)
        self._linked.extend(report.linked)
        once = [finding for finding in report.findings if _is_told_once(finding)]
        if once and not (self._run.was_named(file) or self._arguments.get("--strict")):
            from .folders import hold_back

            hold_back(report, once, self._told_once)
        if not self._verbose and report.skipped is not None and self._run.is_asked_about(file):
            self._passed_over.append(report)
        return self._text_and_counts(report)

    def _taking_part(self, file: "File") -> "str | None":
        report = self._run.lint(file, self._printer.shows_fixes)
        if self._run.companions:
            self._linked.extend(report.linked)
        _keep_launches_of(self._run, report)
        return self._text_and_counts(report)

    def _text_and_counts(self, report: "Report") -> "str | None":
        if self._verbose:
            from .remarks import say_how_recognised

            say_how_recognised(report)
        text = self._text_of(report)
        self._run.tally(report)
        for launch in report.launches:
            launch.forget_plans()
        return text

    def _text_of(self, report: "Report") -> "str | None":
        """The text about a file, which is counted only when it could be made."""
        if self._crash:
            self._crash.leave(report)
        found = report.findings
        if len(report.launches) > 1 < len(found):
            from ..report.repeated import once

            report.findings = once(report)
        told = report.findings
        report.findings = [each for each in told_of(report) if self._is_shown(each, report)]
        text = self._printer.file(report)
        report.findings = told
        self.totals.add(report, self._run.fail_on)
        report.findings = found
        return text

    def _is_shown(self, finding: "Finding", report: "Report") -> bool:
        return not self._quiet or finding.severity != "info" or fails(finding, self._run.fail_on(report.path))


def _is_told_once(finding: "Finding") -> bool:
    """Whether a finding says of a file as a whole that not all of it is looked at, or what its neighbours have in common with it."""
    name = finding.rule.name
    return finding.severity == "info" and (name in _ALIKE or (name in UNREAD and span_of(finding).start == 0))


def _refuse_contradictions(arguments: "Arguments") -> None:
    """Raise Usage for options that do not go together."""
    given = arguments.values
    diff, fix = given.get("--diff"), given.get("--fix")
    writes_baseline, log = given.get("--write-baseline"), given.get("--error")
    if given.get("--unsafe-fixes") and not (fix or diff):
        raise Usage(Message("--unsafe-fixes goes with --fix or --diff"))
    reads_a_list, reads_a_text = given.get("--files-from") == "-", "-" in arguments.operands
    if reads_a_list and reads_a_text:
        raise Usage(Message("standard input can be the list of --files-from or the text to check, not both"))
    if log is not None and (fix or diff or writes_baseline):
        raise Usage(Message("--error asks what explains a crash: it goes without --fix, --diff and --write-baseline"))
    if log == "-" and (reads_a_text or reads_a_list):
        raise Usage(Message("standard input can be the log of --error or what to check, not both"))
    _refuse_formats(arguments)


def _refuse_formats(arguments: "Arguments") -> None:
    """Raise Usage where the findings cannot be printed in the way that is asked for."""
    given = arguments.values
    diff, form, to_file = given.get("--diff"), given.get("--output-format"), given.get("--output-file")
    if diff and (form or to_file):
        raise Usage(Message("--diff shows changes, not findings: it has no --output-format and no --output-file"))
    if given.get("--write-baseline") and (diff or to_file):
        raise Usage(Message("--write-baseline prints no findings: it goes without --diff and --output-file"))
    if given.get("--statistics") and (diff or form not in (None, *STATISTICS)):
        raise Usage(
            Message(
                "--statistics goes with --output-format {formats}, and without --diff",
                {"formats": series(list(STATISTICS))},
            )
        )
    if form not in (None, *FOR_PEOPLE) and given.get("--fix") and "-" in arguments.operands and not to_file:
        raise Usage(
            Message(
                "--fix writes the fixed text of `-` to standard output, where the {form} report would go: add --output-file",
                {"form": form},
            )
        )


def _not_asked(run: "Run", linked: "list[str]") -> "Iterator[str]":
    """The files that were not asked for and take part in a launch of those that were, each once."""
    for file in run.companions:
        linked.extend(run.around_companion(file))
    seen = set()
    for path in linked:  # which grows while the caller checks the files
        if path not in seen and not run.was_asked_for(path):
            seen.add(path)
            yield path


def _keep_launches_of(run: "Run", report: "Report") -> None:
    """Keep the findings about launches of the files that were asked for. The file of the report only takes part in
    them."""

    def belongs(launch: "Launch | None") -> bool:
        if launch is None:
            return False
        texts = (launch.origin.script, launch.origin.config) if launch.origin else ()
        if any(text is not None and run.was_asked_for(text.path) for text in texts):
            return True
        return bool(run.companions) and _goes_with(launch, run.companions)

    same = ([each for each in (finding, *finding.elsewhere) if belongs(each.launch)] for finding in report.findings)
    report.findings = [min(each, key=lambda finding: SEVERITIES.index(finding.severity)) for each in same if each]


def _goes_with(launch: "Launch", companions: "list[str]") -> bool:
    """Whether a launch takes its number of processes or its release from one of these files."""
    names = {os.path.basename(file) for file in companions}
    if (launch.allowed_by or launch.version_source).rpartition(":")[0] in names:
        return True
    places = [fact.where[0] for fact in launch.facts.values() if fact.where and fact.where[0]]
    return any(disk.real(place) == disk.real(file) for place in places for file in companions)


MOST_PASSED_OVER = 3  # files with a line each: a hook names whatever was committed


def _say_what_is_passed_over(reports: "list[Report]", has_dialect: bool) -> None:
    """Print why files that were named are not checked, and what would change that. `has_dialect`: whether the user says whose they are."""
    for report in reports[:MOST_PASSED_OVER]:
        # the calls of Python tell the framework, and no comment does; what we wrote is no config of anybody
        is_fixed = (
            has_dialect
            or report.path.lower().endswith((*PYTHON, *NOTEBOOKS))
            or f"{report.skipped}".endswith(("grpo-lint wrote", "does not judge yet"))
        )
        hint = Message("; --dialect NAME, or a comment `# grpo-lint: dialect=NAME`, makes it one")
        note(
            Message(
                "{path} is not checked: {skipped}{hint}",
                {"path": report.path, "skipped": report.skipped, "hint": NOTHING if is_fixed else hint},
            )
        )
    if len(reports) > MOST_PASSED_OVER:
        note(
            Message(
                "{count} more of the named files are not checked (-v says why)",
                {"count": len(reports) - MOST_PASSED_OVER},
            )
        )


def _printer(arguments: "Arguments", run: "Run", stream: "IO[str]") -> "Printer":
    """The printer of the chosen format. `file(report)` and `end(totals)` return text; `shows_fixes` says whether it
    needs fixes."""
    name = arguments.get("--output-format", "full")
    if arguments.get("--diff"):
        return _DiffPrinter(run)
    in_english = language_for(arguments, stream) is ENGLISH
    is_plain = name == "full" and in_english and not (uses_colour(arguments, stream) or arguments.get("--statistics"))
    return _PlainPrinter(arguments, stream) if is_plain else _loaded_printer(arguments, stream)


def _loaded_printer(arguments: "Arguments", stream: "IO[str]") -> "Printer":
    from ..report.text import TextPrinter, terminal_width

    formats = STATISTICS if arguments.get("--statistics") else FORMATS
    module, _, name = formats[arguments.get("--output-format", "full")].partition(".")
    printer = getattr(__import__(f"grpo_lint.report.{module}", fromlist=[name]), name)
    made: Printer = printer(uses_colour(arguments, stream), terminal_width(stream), arguments.get("--quiet", False))
    if isinstance(made, TextPrinter):
        made.verbose = arguments.get("--verbose", False)
        made.language = language_for(arguments, stream)
    return made


class _PlainPrinter:
    """Plain text for people. What shows a finding is loaded with the first one: most runs have none, and end with a line of
    numbers."""

    shows_fixes = True
    fail_on: "Callable[[str], str]"

    def __init__(self, arguments: "Arguments", stream: "IO[str]") -> None:
        self._arguments = arguments
        self._stream = stream
        self._loaded: Printer | None = None

    def file(self, report: "Report") -> "str | None":
        if self._loaded is None:
            if not report.findings:
                return None
            self._loaded = _loaded_printer(self._arguments, self._stream)
        return self._loaded.file(report)

    def end(self, totals: "Totals") -> "str | None":
        if self._loaded is not None:
            return self._loaded.end(totals)
        return None if self._arguments.get("--quiet") else f"{summary(totals)}\n"


class _DiffPrinter:
    """Prints to standard error what is no difference: unreadable files and the summary. The differences themselves are
    on standard output already."""

    shows_fixes = False
    fail_on: "Callable[[str], str]"

    def __init__(self, run: "Run") -> None:
        self.run = run

    def file(self, report: "Report") -> None:
        if any(finding.rule.name == "file-can-be-read" for finding in report.findings):
            from ..report.messages import message_of

            if report.findings[0].severity == "error":
                self.run.status = max(self.run.status, FOUND)
            note(Message("{path}: {problem}", {"path": report.path, "problem": message_of(report.findings[0])}))

    def end(self, totals: "Totals") -> None:
        if not self.run.arguments.get("--quiet"):
            note(Message("nothing was written; with these changes: {summary}", {"summary": summary(totals)}))
