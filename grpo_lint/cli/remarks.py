"""What -v says of files beside their findings: as what each was judged, and what was held back."""

from ..checker.findings import span_of
from ..message import Message, parts
from ..report.messages import judged_as, sentence
from .console import note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Finding, Report

MOST_HELD = 20  # findings of one file that are held back and told one by one


def say_how_recognised(report: "Report") -> None:
    """Print what a file was taken for, or why it was skipped, and what was held back in it."""
    if report.skipped is not None:
        note(Message("{path}: skipped: {reason}", {"path": report.path, "reason": report.skipped}))
        return
    for launch in report.launches:
        note(Message("{path}: {problem}", {"path": report.path, "problem": parts((judged_as(launch), report.why))}))
    for finding in report.held[:MOST_HELD]:
        told = {"path": report.path, "line": _line_of(finding, report), "code": finding.rule.code}
        told.update(told=sentence(finding), belief=finding.held_by)
        note(
            Message("{path}, line {line}: {code} is not reported, because {belief}: {told} (--strict reports it)", told)
        )


def _line_of(finding: "Finding", report: "Report") -> int:
    start = span_of(finding).start
    if report.code is not None:
        return report.code.line(report.code.text.position(start)[0])
    return report.text.position(start)[0] + 1
