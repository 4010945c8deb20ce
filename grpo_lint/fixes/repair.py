"""`check --fix`: fixes applied in passes, and the text that results linted once more."""

from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from types import MappingProxyType

from ..checker.fix import preferred
from ..source.text import Edit
from . import offer_fixes
from .edits import apply, overlap
from .proof import MOST_CHARACTERS, Proof, edited, in_own_command
from .search import MOST_TRIES, Work

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..checker.findings import Finding, Report
    from ..checker.fix import Fix
    from ..launch.launch import Launch
    from ..source.text import Text
    from .proof import Beside, Lint

MOST_PASSES = 50  # each takes away a finding at least, so this is a bound for the suspicious and not for the patient


class Repair:
    """What came of one file.

    first    the report about the text as it was
    report   the report about the text that results
    data     its bytes; those that were given, when nothing was to be done
    beside   {path: (text as it was, text that results)} of files that it names
    """

    __slots__ = ("first", "report", "data", "beside")
    first: "Report"
    report: "Report"
    data: bytes
    beside: "dict[str, tuple[str, str]]"

    def __init__(self, first: "Report", report: "Report", data: bytes, beside: "dict[str, tuple[str, str]]") -> None:
        self.first = first
        self.report = report
        self.data = data
        self.beside = beside

    @property
    def fixed(self) -> int:
        """How many findings of severity warning or error are gone."""
        return _serious(self.first) - _serious(self.report)


def repair(
    data: bytes,
    lint_bytes: "Callable[[bytes, Mapping[str, str]], Report]",
    lint: "Lint",
    unsafe: bool = False,
    alone: bool = False,
    offer: "Callable[..., None]" = offer_fixes,
) -> "Repair":
    """Lint the bytes of a file, apply what may be applied, and so on until nothing changes.

    `lint_bytes` gives the Report of bytes beside files of other texts, `lint` that of a text, both without fixes; `unsafe`:
    also what changes the run; `alone`: no other file may be changed; `offer`: which fixes are looked for.
    """
    beside: dict[str, str] = {}
    texts: dict[str, str] = {}  # of these files, as they were
    work = Work(2 * MOST_TRIES)  # of all passes: after the first one little is left to be sought

    def linted() -> "Report":
        report = lint_bytes(data, beside)
        if report.launches:
            offer(report, seeing, work=work)
        return report

    def seeing(text: "Text", others: "Mapping[str, str]" = MappingProxyType({})) -> "Report":
        return lint(text, {**beside, **others})

    first = report = linted()
    for _ in range(min(MOST_PASSES, 1 + MOST_CHARACTERS // (10 * len(data) + 1))):
        edits, others = _edits_of_pass(report, seeing, unsafe, alone)
        if not edits and not others:
            break
        before, data = data, encoded(apply(report.text, edits), data)
        for text, _ in others:
            texts.setdefault(text.path, text.text)
        beside = {**beside, **edited(others)}
        after = linted()
        if len(after.launches) < len(report.launches):  # a comment was all that told whose file it is
            data = before
            break
        report = after
    return Repair(first, report, data, {path: (texts[path], text) for path, text in beside.items()})


def _serious(report: "Report") -> int:
    return sum(finding.severity != "info" for finding in report.findings)


def _edits_of_pass(report: "Report", lint: "Lint", unsafe: bool, alone: bool) -> "tuple[list[Edit], Beside]":
    """All safe fixes that hold together; where there is none, one for each run that changes it: it may cure other
    findings as well. The edits of the file, and those of others."""
    safe = [(finding, fix) for finding in report.findings if (fix := preferred(finding)) is not None]
    edits: list[Edit] = []
    cured: list[Finding] = []
    prove = Proof(report, lint)
    for finding, fix in safe:
        if not overlap(edits, fix.edits) and (not edits or prove([*cured, finding], [*edits, *fix.edits])):
            edits += fix.edits
            cured.append(finding)
    if edits or not unsafe:
        return edits, ()
    return _unsafe_edits(report, prove, alone)


def _unsafe_edits(report: "Report", prove: "Proof", alone: bool) -> "tuple[list[Edit], Beside]":
    """The fix of the worst finding; in a script with many launches that of each, where these fixes have nothing to do
    with each other."""
    worst: dict[Launch | None, tuple[Finding, Fix]] = {}
    for finding in sorted(report.findings, key=lambda finding: finding.severity != "error"):
        fix = preferred(finding, unsafe=True, alone=alone)
        if fix is not None:
            worst.setdefault(finding.launch, (finding, fix))
    if not worst:
        return [], ()
    apart = [
        (finding, fix)
        for finding, fix in worst.values()
        if not fix.beside and in_own_command(report, finding.launch, fix.edits)
    ]
    edits = [edit for _, fix in apart for edit in fix.edits]
    if len(apart) == len(worst) > 1 and prove([finding for finding, _ in apart], edits):
        return edits, ()
    fix = next(iter(worst.values()))[1]
    return fix.edits, fix.beside


def encoded(text: "Text", like: bytes) -> bytes:
    """The bytes of a `Text`, in the encoding of the bytes `like` that an earlier state of it was read from."""
    for mark, encoding in ((BOM_UTF16_LE, "utf-16-le"), (BOM_UTF16_BE, "utf-16-be"), (BOM_UTF8, "utf-8")):
        if like.startswith(mark):
            return mark + text.text.encode(encoding)
    return text.text.encode()
