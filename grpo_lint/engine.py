"""`lint(text)`: one file in, its report out. The only entry for the command line, the hook and the editor."""

from .checker.findings import FOREIGN, Finding, Report, passed_over, position
from .files import disk
from .files.discovery import COMMAND, DOCUMENTS, NOTEBOOKS, PYTHON, RECIPES, SCRIPTS, has_suffix
from .frameworks.recognition import (
    has_nothing_for_us,
    is_foreign,
    is_foreign_notebook,
    may_be_looked_into,
    may_be_of_others,
)
from .launch.files import LARGEST_FILE, LARGEST_NOTEBOOK
from .message import NOTHING, Message, Telling, told_by
from .rules.functions import reason
from .source.text import NotText, Span, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .fixes.offering import Offering
    from .fixes.search import Work
    from .shared_types import Callable, Context, Iterator, Mapping, Neighbours, Repair, Severity, Stage


_SETTINGS = (".yaml", ".yml", ".json")
_AS_IT_IS: "Mapping[str, str]" = {}  # what stands beside a file


def _alone() -> "Context":
    """The context of a text of which nothing else is told."""
    from .checker.contexts import of_text  # the command line, an editor and an agent tell it always

    return of_text()


def is_script(text: "Text") -> bool:
    """Whether a text is a shell script, by its name or its first line."""
    return has_suffix(text.path, (*SCRIPTS, COMMAND)) or (
        text.text[:2] == "#!" and "sh" in text.text[:60].partition("\n")[0].rpartition("/")[2]
    )


def lint(text: "Text", context: "Context | None" = None, fixes: bool = True) -> "Report":
    """Check the text of one file. Never raises for what the file says."""
    context = context or _alone()
    report = Report(text.path, text)
    context.budget.judge_anew()
    if context.policy and context.policy.rules:
        report.rules = context.policy.wanted_rules()
        for rule in report.rules.values():
            rule.start_anew()
    _judge(report, context)
    if report.rules and report.launches:
        report.findings += _failures(report)
    if report.skipped is None:
        report.findings += [_cut_off(problem) for problem in context.budget.problems()]
    _suppress(report)
    if report.findings or not fixes:  # something will be told
        from .source.credentials import remember

        remember(text.path, text.text)
    _take_out_what_is_not_told(report, context)
    # an info has no fix
    if fixes and report.launches and any(finding.severity != "info" for finding in report.findings):
        offering(report, context).add(report.findings)
    report.findings.sort(key=position)
    return report


def _judge(report: "Report", context: "Context") -> None:
    """Find the launches of a text and what is wrong with each, by its kind."""
    text = report.text
    if has_suffix(text.path, PYTHON):
        from .checker.python_file import judge_python as judge
    elif has_suffix(text.path, NOTEBOOKS):
        from .checker.notebook_file import judge_notebook as judge
    elif has_suffix(text.path, DOCUMENTS):
        from .checker.document_file import judge_document as judge
    elif (
        is_script(text)
        or has_suffix(text.path, RECIPES)
        or (not text.path.endswith(_SETTINGS) and _holds_commands(text))
    ):
        from .checker.script_file import judge_script as judge
    elif may_be_looked_into(text.text) or context.forces(
        context.outside.get("dialect") or context.settings.get("dialect")
    ):
        from .checker.config_file import judge_config as judge
    else:  # most of what a hook is asked about: nothing of what judges is loaded for it
        report.skipped = _foreign(text)
        return
    judge(report, context)
    if not (report.launches or context.is_met or text.path.endswith(_SETTINGS) or has_suffix(text.path, NOTEBOOKS)):
        _judge_fragment(report, context)


def _foreign(text: "Text") -> Message:
    return passed_over(text, FOREIGN) if may_be_of_others(text.text) else FOREIGN


def _judge_fragment(report: "Report", context: "Context") -> None:
    """Judge a text that somebody named, which is no config and starts nothing, where it is said whose settings it holds."""
    from .checker.fragment import judge_fragment

    findings, report.findings = report.findings, []
    why, report.why = report.why, NOTHING
    if judge_fragment(report, context):
        report.skipped = None
    else:
        report.findings, report.skipped = findings, report.why or report.skipped
    report.why = report.why or why


def _holds_commands(text: "Text") -> bool:
    """Whether a text of which its name says nothing holds commands that may start training."""
    from .launch.scripts import holds_commands

    return holds_commands(text)


def _suppress(report: "Report") -> None:
    """Leave out what a comment suppresses."""
    if report.skipped is None and "ignore" in report.text.text and "lint" in report.text.text:
        from .checker.suppressions import suppress

        suppress(report)


def _take_out_what_is_not_told(report: "Report", context: "Context") -> None:
    """Leave out what the team does not want to hear of, and what its baseline knows."""
    if context.policy and (report.findings or report.held):
        report.findings = context.policy.apply([*report.findings, *_held_no_more(report, context)])
    if context.baseline and report.findings:
        report.known = context.baseline.known(report)
        known = {id(finding) for finding, *_ in report.known}
        report.findings = [finding for finding in report.findings if id(finding) not in known]


def _held_no_more(report: "Report", context: "Context") -> "list[Finding]":
    """What was held back and is told nevertheless, with what it was held back by: where nothing may be taken for granted."""
    if context.policy is None or not context.policy.strict:
        return []
    for finding in report.held:
        finding.note = finding.held_by
    held, report.held = report.held, []
    return held


def offering(report: "Report", context: "Context | None" = None, work: "Work | None" = None) -> "Offering":
    """What adds proven fixes to the findings of a report; `work`: what is left for the search."""
    from .fixes.offering import Offering

    context = context or _alone()
    seeing, around = context.seeing, _neighbours(report, context)
    return Offering(report, lambda text, beside=_AS_IT_IS: lint(text, seeing(beside), fixes=False), work, around)


def _neighbours(report: "Report", context: "Context") -> "Neighbours | None":
    """The other files whose runs may read what a fix edits; None where nobody may look for them."""
    if context.around is None:
        return None
    from .fixes.neighbours import Neighbours

    return Neighbours(report, context.around, lambda text, around: lint(text, around, fixes=False))


def repair(
    data: bytes,
    path: str,
    context: "Context | None" = None,
    unsafe: bool = False,
    alone: bool = False,
    tells: bool = True,
) -> "Repair":
    """The `fixes.repair.Repair` of the bytes of a file. `unsafe`: fixes that change the run count as well;
    `alone`: no other file may be changed; `tells`: whether the report of what results is to hold the fixes that are left."""
    from .fixes.repair import repair

    context = context or _alone()
    return repair(
        data,
        lambda data, beside: lint_bytes(data, path, context.seeing(beside), fixes=False),
        lambda text, beside=_AS_IT_IS: lint(text, context.seeing(beside), fixes=False),
        unsafe,
        alone,
        tells,
        lambda report: _neighbours(report, context),
    )


def _failures(report: "Report") -> "Iterator[Finding]":
    """What rules of the team that are functions failed on, told once for a file."""
    for rule in report.rules.values():
        if problem := rule.failure:
            yield _finding("team-rule-runs", "error", "never", code=rule.code, name=rule.name, problem=problem)


def lint_path(path: str, context: "Context | None" = None, fixes: bool = True) -> "Report":
    """Check the file at `path`; one that cannot be read is a finding."""
    try:
        return lint_bytes(read(path), path, context, fixes)  # type: ignore[arg-type]  # it is None for a test only
    except CannotRead as problem:
        return unreadable(path, told_by(problem), problem.severity)


def lint_bytes(data: bytes, path: str, context: "Context | None" = None, fixes: bool = True) -> "Report":
    """Check the bytes of a file; what is no text is a finding, and so is what looks like ours and is too large to be a
    config or a script."""
    if len(data) > largest(path):
        from .checker.oversized import search

        found = search(data, largest(path))
        return unreadable(path, found.told, found.severity) if found.severity else Report(path, skipped=found.told)
    try:
        text = Text.from_bytes(data, path)
    except NotText as error:
        if has_suffix(path, (*PYTHON, *NOTEBOOKS)):  # in tests stands anything
            has_nothing = is_foreign_notebook if has_suffix(path, NOTEBOOKS) else has_nothing_for_us
            if has_nothing(data):
                return Report(path, skipped=Message("not text that is looked at: {error}", {"error": told_by(error)}))
        # a script in another encoding runs nevertheless
        is_met = has_suffix(path, SCRIPTS) and context is not None and context.is_met
        severity: Severity = "info" if is_met or has_suffix(path, (*PYTHON, *NOTEBOOKS)) else "error"
        return unreadable(path, Message("is not text: {error}", {"error": told_by(error)}), severity)
    return lint(text, context, fixes)


def largest(path: str) -> int:
    """How many bytes a file may have that is looked at."""
    return LARGEST_NOTEBOOK if has_suffix(path, NOTEBOOKS) else LARGEST_FILE


def unreadable(path: str, reason: Message, severity: "Severity" = "error") -> "Report":
    """The report of a file that cannot be checked."""
    return _report_of(path, _finding("file-can-be-read", severity, "read", problem=reason))


def not_looked_at(path: str, reason: Message) -> "Report":
    """The report of a folder, or of a file in it, that is left out: it fails no run, for a repository may be a
    stranger's."""
    return _report_of(path, _cut_off(reason))


def _report_of(path: str, finding: Finding) -> "Report":
    """The report of a file whose text nobody has looked at."""
    report = Report(path, Text("", path))
    report.findings.append(finding)
    return report


def _finding(rule: str, severity: "Severity", stage: "Stage", **values: object) -> Finding:
    """A finding about a file as a whole."""
    return Finding(rule, severity, stage, span=Span(0, 0), values=values)


def _cut_off(problem: str) -> "Finding":
    return _finding("file-is-looked-at-to-its-end", "info", "never", problem=problem)


def failed(path: str, error: BaseException) -> "Report":
    """The report of a file on which we broke, by an exception that nobody expected: the others still count."""
    return _report_of(path, _finding("linter-does-not-fail", "error", "never", path=path, problem=reason(error)))


def foreign(path: str) -> "Report":
    """The report of a file that is none of ours, and whose text nobody needs."""
    return Report(path, skipped=FOREIGN)


class CannotRead(Telling):
    """A file that cannot be had; the message says why. `severity`: that of the finding; `if_met`: the same where nobody
    named the file."""

    def __init__(self, message: Message, severity: "Severity" = "error", if_met: "Severity | None" = None) -> None:
        super().__init__(message)
        self.severity = severity
        self.if_met: Severity = if_met or severity


def foreign_test(path: str) -> "Callable[[bytes], bool] | None":
    """The test that shows whether a file of this kind is no config of a known framework; None where there is none."""
    name = path.lower()
    if name.endswith(NOTEBOOKS):
        return is_foreign_notebook
    if name.endswith(PYTHON):
        return has_nothing_for_us
    return None if name.endswith((*SCRIPTS, *RECIPES)) or "dockerfile." in name else is_foreign


def read(path: str, unless: "Callable[[bytes], bool] | None" = None) -> "bytes | None":
    """The bytes of a file, at most so many as show that it is too large; None where the test `unless` of the bytes
    holds."""
    most = largest(path)
    try:
        data = _bytes_at(path, most)
    except OSError as error:
        severity: Severity = "info" if isinstance(error, disk.LeadsOutside) else "error"
        if_met: Severity | None = "info" if isinstance(error, disk.LeadsNowhere) else None
        raise CannotRead(Message("cannot be read: {reason}", {"reason": disk.why(error)}), severity, if_met) from None
    except ValueError as error:  # a path with a NUL byte
        raise CannotRead(Message("cannot be read: {reason}", {"reason": disk.why(error)})) from None
    return None if unless and len(data) <= most and unless(data) else data


def _bytes_at(path: str, most: int) -> bytes:
    """The bytes of a file, or of a pipe of the shell (`<(...)`); any other pipe may wait for ever for somebody to write."""
    try:
        data = disk.read(path, most)
    except disk.Special:
        if path.startswith("/dev/"):
            return disk.read_special(path, LARGEST_FILE)
        raise CannotRead(Message("cannot be read: it is a pipe")) from None
    if len(data) > most:
        from .checker.oversized import search

        found = search(data, most, path)
        if found.severity is not None:
            raise CannotRead(found.told, found.severity)
    return data
