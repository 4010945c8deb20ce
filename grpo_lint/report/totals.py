"""What a run has seen so far, what of it makes the run fail, and the lines that say so."""

from ..message import Message, clauses, parts
from ..source.quoting import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Callable, Finding, Iterator, Report
    from .statistics import Count

RUN_FAILED = "the run failed (standard error says why)"
THRESHOLDS = ("error", "warning", "info", "never")  # the last one: nothing fails


def fails(finding: "Finding", fail_on: str) -> bool:
    """Whether a finding is at or above a threshold."""
    return THRESHOLDS.index(finding.severity) <= THRESHOLDS.index(fail_on) < 3


class Totals:
    """Counts of files and findings."""

    errors = warnings = infos = checked = skipped = failing = failing_infos = known = 0
    fixed: "int | None" = None  # how many findings are gone by --fix, None where it was not asked for
    safe = unsafe = 0  # findings that could be fixed without and with --unsafe-fixes
    broken = False  # whether settings, writing or grpo-lint itself failed: not all was checked as it should be

    def add(self, report: "Report", fail_on: "Callable[[str], str]") -> None:
        """Count the report of one file; `fail_on` gives the threshold of a path."""
        if report.skipped is not None:
            self.skipped += 1
            return
        threshold = fail_on(report.path)
        self.checked += 1
        self.known += len(report.known)
        for finding in report.findings:
            severity = finding.severity
            if severity == "error":
                self.errors += 1
            elif severity == "warning":
                self.warnings += 1
            else:
                self.infos += 1
                self.failing_infos += fails(finding, threshold)
            self.failing += fails(finding, threshold)
            if finding.fixes:
                from ..checker.findings import preferred

                self.safe += preferred(finding) is not None
                self.unsafe += preferred(finding) is None and preferred(finding, unsafe=True) is not None


def summary(totals: "Totals") -> Message:
    """'2 fixed; 2 errors, 1 warning in 12 files checked, 30 skipped'. It says that a run failed, and never that there are no
    problems in it."""
    return parts((RUN_FAILED, _counts(totals))) if totals.broken else _counts(totals)


def _counts(totals: Totals) -> Message:
    if not totals.checked and not totals.skipped:
        return Message("no file to check was found")
    if not totals.checked:
        return Message(
            "no config of GRPO-family training found, {skipped} skipped (-v says why)",
            {"skipped": plural(totals.skipped, "file")},
        )
    numbers = ((totals.errors, "error"), (totals.warnings, "warning"), (totals.failing_infos, "info"))
    found = [plural(number, noun) for number, noun in numbers if number]
    nothing = Message("nothing found") if totals.broken else Message("no problems")
    checked = Message(
        "{found} in {files} checked", {"found": clauses(found) or nothing, "files": plural(totals.checked, "file")}
    )
    besides = clauses(
        (
            Message("{count} skipped", {"count": totals.skipped}) if totals.skipped else "",
            plural(totals.known, "known finding") if totals.known else "",
        )
    )
    told = Message("{checked}, {besides}", {"checked": checked, "besides": besides}) if besides else checked
    return parts((Message("{count} fixed", {"count": totals.fixed}), told)) if totals.fixed else told


def fixable(totals: "Totals | Count") -> "Iterator[Message]":
    """'2 fixable with --fix, 1 more with --unsafe-fixes': a line, when anything is."""
    if totals.safe:
        told = {"safe": totals.safe, "unsafe": totals.unsafe}
        if totals.unsafe:
            yield Message("{safe} fixable with --fix, {unsafe} more with --unsafe-fixes", told)
        else:
            yield Message("{safe} fixable with --fix", told)
    elif totals.unsafe:
        yield Message("{unsafe} fixable with --fix --unsafe-fixes", {"unsafe": totals.unsafe})
