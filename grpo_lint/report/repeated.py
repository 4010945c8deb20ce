"""What is said once of a file in which several commands start runs: an info that is the same for several of them, and what one variable of
the script does to all of them. Loaded where a file has several findings about several launches."""

from copy import copy

from ..checker.findings import span_of, told as told_of
from ..fixes.outside import set_outside
from ..message import Message, both
from ..source.text import Span
from .messages import message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Finding, Fix, Report

    Cause = tuple[object, ...]


def told(report: "Report") -> "list[Finding]":
    """The findings of a report as everybody is told them: those of one cause once, and of each rule the first ones."""
    findings, report.findings = report.findings, once(report)
    shown, report.findings = told_of(report), findings
    return shown


def once(report: "Report") -> "list[Finding]":
    """The findings of a report, those of one cause as one that names the lines of the others and holds them as `elsewhere`."""
    if not len(report.launches) > 1 < len(report.findings):
        return report.findings
    of_one_cause: dict[Cause, list[Finding]] = {}
    for finding in report.findings:
        of_one_cause.setdefault(_cause(report, finding), []).append(finding)
    return [same[0] if len(same) < 2 else _together(report, same) for same in of_one_cause.values()]


def _cause(report: "Report", finding: "Finding") -> "Cause":
    """Equal for findings that one edit cures, or that nobody has to cure."""
    variable = _variable(report, finding)
    if finding.launch is None or (variable is None and finding.severity != "info"):
        return (id(finding),)
    return finding.rule, finding.severity, message(finding), finding.note, variable


def _variable(report: "Report", finding: "Finding") -> "tuple[str, Span] | None":
    """The variable of the script that gives the setting of a finding its value, and where."""
    launch, at = finding.launch, finding.at
    found = set_outside(report, launch, at.name) if launch is not None and at is not None and at.text is None else None
    if found is None or not found[0] or at is None:
        return None
    return found[0], Span(at.entry.value.start, at.entry.value.end)


def _together(report: "Report", same: "list[Finding]") -> "Finding":
    """One finding for several: at the variable that causes them, or at the first of them."""
    told = copy(same[0])
    told.elsewhere = [part for each in same for part in (each, *each.elsewhere)]
    told.fixes = shared_fixes(same)
    variable = _variable(report, told)
    others = same if variable is not None else same[1:]
    lines = [str(report.text.position(span_of(each).start)[0] + 1) for each in others]
    if variable is not None:
        told.span = variable[1]
        name = told.at.name if told.at is not None else ""
        told.say_first(
            Message(
                "{variable} sets {name} in lines {lines}", {"variable": variable[0], "name": name, "lines": both(lines)}
            )
        )
    else:
        told.say_first(same_in(lines))
    return told


def same_in(lines: "list[str]") -> Message:
    """Where a finding is the same."""
    return Message("the same in line {lines}", {"lines": both(lines)}, "the same in lines {lines}", len(lines))


def spoken_for(report: "Report", finding: "Finding") -> "list[Finding]":
    """The findings of a report for which one that is told speaks: that itself, or all of its cause."""
    itself = [each for each in report.findings if each is finding]
    return itself or [each for each in report.findings if each in finding.elsewhere]


def shared_fixes(same: "list[Finding]") -> "list[Fix]":
    """The fixes of findings of one cause: those that cure all with the same edits; where there are none, those that all have with edits of
    their own, else those of the first."""

    def is_shared(fix: "Fix", edits: bool) -> bool:
        return all(
            any(fix.title == other.title and (not edits or other.edits == fix.edits) for other in each.fixes)
            for each in same[1:]
        )

    fixes = same[0].fixes
    return next(filter(None, ([fix for fix in fixes if is_shared(fix, edits)] for edits in (True, False))), fixes)
