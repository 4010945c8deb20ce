"""`grpo-lint check`: the findings of files and folders, printed, counted, and turned into an exit status."""

import io
import os
import sys

from ..checker.findings import told
from ..files import disk
from ..files.discovery import NOTEBOOKS, PYTHON, SUFFIXES, has_suffix
from ..report.language import ENGLISH
from ..report.totals import Totals, fails, summary
from ..rules.base import SEVERITIES
from .console import CLEAN, FOUND, language_for, make_room, note, uses_colour, with_progress
from .options import FOR_PEOPLE, FORMATS, STATISTICS, Usage
from .run import Run, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import IO, Protocol

    from ..checker.findings import Report
    from ..launch.launch import Launch
    from ..report.crash import Crash
    from .options import Arguments
    from .run import File

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
    # the fixed text of standard input goes to standard output, and so nothing else may
    to_errors = arguments.get("--fix") and "-" in arguments.operands
    status, totals = report_files(arguments, run, sys.stderr if to_errors else sys.stdout)
    status = status or (FOUND if totals.failing and not arguments.get("--diff") else CLEAN)
    return CLEAN if status == FOUND and arguments.get("--exit-zero") else status


def _command_in(arguments: "Arguments") -> "list[str] | None":
    """The words behind `--`, where they are a command: not where all of them are files or folders, or the first one looks
    like a file or is no program."""
    words = arguments.behind_dashes
    if not words or (has_suffix(words[0], SUFFIXES) and os.sep not in words[0]) or all(map(disk.exists, words)):
        return None
    from ..launch.starting import is_program

    return words if is_program(words[0]) else None


def report_files(arguments: "Arguments", run: "Run", stream: "IO[str]") -> "tuple[int, Totals]":
    """(2 where we or the settings failed, else 0 or what `run` says; the counts) of the files of a run, whose findings are
    printed to a stream."""
    totals = Totals()
    linked: list[str] = []
    passed_over: list[Report] = []  # files that were named
    output_file = arguments.get("--output-file")
    kept = io.StringIO()
    if output_file or arguments.get("--write-baseline"):
        stream = kept
    printer, quiet, verbose = _printer(arguments, run, stream), arguments.get("--quiet"), arguments.get("--verbose")
    printer.fail_on = run.fail_on
    if arguments.get("--show-settings"):
        run.show_settings()
        return run.status, totals

    def report_on(file: "File", was_asked: bool) -> "str | None":
        report = run.lint(file, printer.shows_fixes, repairs=was_asked)
        if was_asked:
            linked.extend(report.linked)
        else:
            if run.companions:
                linked.extend(report.linked)
            _keep_launches_of(run, report)
        if verbose:
            _say_how_recognised(report)
        elif report.skipped is not None and was_asked and run.is_asked_about(file):
            passed_over.append(report)
        text = tell(report)
        run.tally(report)
        return text

    crash = _crash(arguments)

    def tell(report: "Report") -> "str | None":
        """The text about a file; only what could be printed counts."""
        if crash:
            crash.leave(report)
        found = report.findings
        report.findings = told(report)
        if quiet:
            report.findings = [
                finding
                for finding in report.findings
                if finding.severity != "info" or fails(finding, run.fail_on(report.path))
            ]
        text = printer.file(report)
        report.findings = found
        totals.add(report, run.fail_on)
        return text

    for files, was_asked in ((run.files(), True), (_not_asked(run, linked), False)):
        for file in with_progress(files, run.name, arguments):
            text = run.guarded(file, lambda file: report_on(file, was_asked), instead=tell)
            if text:
                make_room()
                stream.write(text)
    if arguments.get("--write-baseline"):
        run.write_baselines()
        return run.status, Totals()
    for report in run.stale() if not crash else ():
        stream.write(tell(report) or "")
    if crash and not quiet:
        note(crash.told)
    if not quiet and arguments.get("--output-format", "full") in FOR_PEOPLE:
        _say_what_is_passed_over(passed_over)
    totals.fixed = run.fixed if arguments.get("--fix") else None
    text = printer.end(totals)
    if text:
        stream.write(text)
    if output_file:
        write("--output-file", output_file, kept.getvalue())
    return run.status, totals


def _crash(arguments: "Arguments") -> "Crash | None":
    """The crash that the findings are to explain; None where nobody asks for one."""
    path = arguments.get("--error")
    if path is None:
        return None
    from ..report.crash import MOST_OF_A_LOG, Crash

    try:
        log = disk.standard_input(MOST_OF_A_LOG) if path == "-" else disk.read(path, MOST_OF_A_LOG)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise Usage(f"--error: {path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    return Crash(log.decode("utf-8", "replace"))


def _refuse_contradictions(arguments: "Arguments") -> None:
    diff, fix, form = arguments.get("--diff"), arguments.get("--fix"), arguments.get("--output-format")
    if arguments.get("--unsafe-fixes") and not (fix or diff):
        raise Usage("--unsafe-fixes goes with --fix or --diff")
    if arguments.get("--files-from") == "-" and "-" in arguments.operands:
        raise Usage("standard input can be the list of --files-from or the text to check, not both")
    if arguments.get("--error") is not None:
        if fix or diff or arguments.get("--write-baseline"):
            raise Usage("--error asks what explains a crash: it goes without --fix, --diff and --write-baseline")
        if arguments.get("--error") == "-" and ("-" in arguments.operands or arguments.get("--files-from") == "-"):
            raise Usage("standard input can be the log of --error or what to check, not both")
    if diff and (form or arguments.get("--output-file")):
        raise Usage("--diff shows changes, not findings: it has no --output-format and no --output-file")
    if arguments.get("--write-baseline") and (diff or arguments.get("--output-file")):
        raise Usage("--write-baseline prints no findings: it goes without --diff and --output-file")
    if arguments.get("--statistics") and (diff or (form or "full") not in STATISTICS):
        raise Usage(f"--statistics goes with --output-format {', '.join(STATISTICS)}, and without --diff")
    if fix and form and form not in FOR_PEOPLE and "-" in arguments.operands and not arguments.get("--output-file"):
        raise Usage(
            f"--fix writes the fixed text of `-` to standard output, where the {form} report would go: add --output-file"
        )


def _not_asked(run: "Run", linked: "list[str]") -> "Iterator[str]":
    """The files that take part in a launch of the files that were asked for, each once, when its turn comes."""
    for file in run.companions:
        linked.extend(run.around_companion(file))
    seen = set()
    for path in linked:  # it grows
        if path not in seen and not run.was_asked_for(path):
            seen.add(path)
            yield path


def _keep_launches_of(run: "Run", report: "Report") -> None:
    """Of a file that only takes part in a launch of the files asked for, leave the findings about these launches."""

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
    """Whether a launch takes its processes or its release from one of some files."""
    names = {os.path.basename(file) for file in companions}
    if (launch.allowed_by or launch.version_source).rpartition(":")[0] in names:
        return True
    places = [fact.where[0] for fact in launch.facts.values() if fact.where and fact.where[0]]
    return any(disk.real(place) == disk.real(file) for place in places for file in companions)


def _say_how_recognised(report: "Report") -> None:
    if report.skipped is not None:
        note(f"{report.path}: skipped: {report.skipped}")
        return
    from ..report.messages import judged_as

    for launch in report.launches:
        note(f"{report.path}: {judged_as(launch)}; {report.why}")


MOST_PASSED_OVER = 3  # files that are told one by one: a hook names whatever was committed


def _say_what_is_passed_over(reports: "list[Report]") -> None:
    """Why files that somebody named are not checked, and what would change that."""
    for report in reports[:MOST_PASSED_OVER]:
        is_python = report.path.lower().endswith((*PYTHON, *NOTEBOOKS))  # whose calls tell the framework
        hint = "" if is_python else "; --dialect NAME, or a comment `# grpo-lint: dialect=NAME`, makes it one"
        note(f"{report.path} is not checked: {report.skipped}{hint}")
    if len(reports) > MOST_PASSED_OVER:
        note(f"{len(reports) - MOST_PASSED_OVER} more of the named files are not checked (-v says why)")


def _printer(arguments: "Arguments", run: "Run", stream: "IO[str]") -> "Printer":
    """The printer of the chosen format: `file(report)` and `end(totals)` give text, `shows_fixes` says whether it
    needs them."""
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
    """The differences are on standard output already; on standard error stands what is no difference."""

    shows_fixes = True
    fail_on: "Callable[[str], str]"

    def __init__(self, run: "Run") -> None:
        self.run = run

    def file(self, report: "Report") -> None:
        if any(finding.rule.name == "file-can-be-read" for finding in report.findings):
            from ..report.messages import message

            if report.findings[0].severity == "error":
                self.run.status = max(self.run.status, FOUND)
            note(f"{report.path}: {message(report.findings[0])}")

    def end(self, totals: "Totals") -> None:
        if not self.run.arguments.get("--quiet"):
            note(f"nothing was written; with these changes: {summary(totals)}")
