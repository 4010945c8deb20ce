"""`check --fix`: fixes applied in passes, and the text that results linted once more."""

from bisect import bisect_right, insort
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from types import MappingProxyType

from ..checker.findings import preferred
from ..launch.topology import PROCESSES
from ..source.text import Edit, encoding_of
from .edits import apply
from .offering import MOST_CHARACTERS, Offering, Proof, Room, edited, in_own_command, safe_key_fix
from .search import MOST_TRIES, Work

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Callable, Finding, Fix, Launch, Lint, Mapping, Neighbours, Report, Text
    from .offering import Beside

    Proposal = tuple[Finding, Fix]

_SURELY_LOOKED_AT = 100_000  # characters, of a file of any kind and encoding
MOST_PASSES = 50  # each takes away a finding at least, so this is a bound for the suspicious and not for the patient


class Repair:
    """What came of one file.

    first    the report about the text as it was
    report   the report about the text that results
    data     its bytes; those that were given, when nothing was to be done
    beside   {path: (text as it was, text that results)} of files that it names
    ended    whether nothing more could be applied; False where a limit was reached before
    """

    def __init__(
        self, first: "Report", report: "Report", data: bytes, beside: "dict[str, tuple[str, str]]", ended: bool = True
    ) -> None:
        self.first = first
        self.report = report
        self.data = data
        self.beside = beside
        self.ended = ended

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
    tells: bool = True,
    neighbours: "Callable[[Report], Neighbours | None]" = lambda report: None,
) -> "Repair":
    """Lint the bytes of a file, apply what may be applied, and so on until nothing changes.

    `lint_bytes` gives the Report of bytes beside files of other texts, `lint` that of a text, both without fixes; `unsafe`:
    also what changes the run; `alone`: no other file may be changed; `tells`: whether the fixes that could still be
    applied are wanted too, in the last report; `neighbours` gives the other files whose runs read what is edited.

    A fix is proven when it may be the next one that is applied: one that changes the run may cure other findings, and
    each pass would prove the fixes of all the others again.
    """
    beside: dict[str, str] = {}
    texts: dict[str, str] = {}  # of these files, as they were
    seeing = _Last(lint)
    first = report = lint_bytes(data, beside)
    if report.skipped is not None or not report.findings:
        return Repair(first, report, data, {})
    around = neighbours(report)
    # all passes share the limits: after the first one little is left to be sought
    offering = Offering(report, seeing, Work(MOST_TRIES * 3 // 2), around, Room(MOST_CHARACTERS * 2))
    for left in reversed(range(_passes(data))):
        edits, others = _edits_of_pass(report, offering, offering.proof(), unsafe, alone)
        if not edits and not others:
            break
        text = apply(report.text, edits)
        after_data, after_beside = encoded(text, data), {**beside, **edited(others)}
        if after_data is None:
            break
        after = seeing.report_of(after_beside, text) or lint_bytes(after_data, after_beside)
        if len(after.launches) < len(report.launches):  # a comment was all that told whose file it is
            break
        texts = {**{other.path: other.text for other, _ in others}, **texts}
        data, beside, report = after_data, after_beside, after
        seeing.beside = beside
        if around is not None:
            around.edited = beside
        offering = offering.of(report)
    if tells:
        offering.add(report.findings)
    ended = left > 0 and not offering.stopped
    return Repair(first, report, data, {path: (texts[path], text) for path, text in beside.items()}, ended)


def _passes(data: bytes) -> int:
    """In how many passes a file of these bytes is repaired at most, the last one of which finds that nothing is left."""
    return min(MOST_PASSES, 2 + MOST_CHARACTERS // (4 * len(data) + 1))


class _Last:
    """Lints texts beside files of other texts, and knows the report of the last one: what proves a fix is mostly what
    the fix then makes of the file."""

    def __init__(self, lint: "Lint") -> None:
        self.beside: Mapping[str, str] = {}
        self._lint = lint
        self._known: tuple[Mapping[str, str], str, Report] | None = None

    def __call__(self, text: "Text", others: "Mapping[str, str]" = MappingProxyType({})) -> "Report":
        beside = {**self.beside, **others}
        report = self._lint(text, beside)
        self._known = beside, text.text, report
        return report

    def report_of(self, beside: "Mapping[str, str]", text: "Text") -> "Report | None":
        """The report of a text, None where it was not the last one; a longer one may have grown beyond what is looked at."""
        if self._known is None or len(text.text) > _SURELY_LOOKED_AT or self._known[:2] != (beside, text.text):
            return None
        return self._known[2]


def _serious(report: "Report") -> int:
    return sum(finding.severity != "info" for finding in report.findings)


def _edits_of_pass(
    report: "Report", offering: "Offering", prove: "Proof", unsafe: bool, alone: bool
) -> "tuple[list[Edit], Beside]":
    """All safe fixes that hold together; where there is none, one for each run that changes it: it may cure other
    findings as well. The edits of the file, and those of others."""
    safe = [(finding, fix) for finding in report.findings if (fix := _safe_fix(report, finding)) is not None]
    held = _holding(prove, [], safe)
    if held or not unsafe:
        return [edit for _, fix in held for edit in fix.edits], ()
    return _unsafe_edits(report, offering, prove, alone)


def _safe_fix(report: "Report", finding: "Finding") -> "Fix | None":
    """The fix of a finding that leaves the training as it is, offered already or still to be proven."""
    return preferred(finding) or (None if finding.fixes else safe_key_fix(report, finding))


def _holding(prove: "Proof", held: "list[Proposal]", proposals: "list[Proposal]") -> "list[Proposal]":
    """`held`, and those of the proposals that hold together with it: all of them at once, else by halves. Of two that
    touch the first one counts, if it holds."""
    apart = _apart(held, proposals)
    tried = held + apart
    if apart and (
        prove([finding for finding, _ in tried], [edit for _, fix in tried for edit in fix.edits])
        or (len(tried) == 1 and tried[0][0].fixes)  # it is offered, so it was proven
    ):
        return tried
    if len(proposals) < 2:
        return held
    middle = len(proposals) // 2
    return _holding(prove, _holding(prove, held, proposals[:middle]), proposals[middle:])


def _apart(held: "list[Proposal]", proposals: "list[Proposal]") -> "list[Proposal]":
    """The proposals whose edits touch none of those that are held, nor of one another: what stands at one place has no
    order."""
    taken = sorted([edit for _, fix in held for edit in fix.edits])
    found = []
    for finding, fix in proposals:
        if not any(_touches(taken, edit) for edit in fix.edits):
            found.append((finding, fix))
            for edit in fix.edits:
                insort(taken, edit)
    return found


def _touches(taken: "list[Edit]", edit: "Edit") -> bool:
    """Whether an edit touches one of those that are taken, which are sorted and do not overlap."""
    place = bisect_right(taken, edit.end, key=lambda other: other.start)
    return place > 0 and taken[place - 1].end >= edit.start


def _unsafe_edits(report: "Report", offering: "Offering", prove: "Proof", alone: bool) -> "tuple[list[Edit], Beside]":
    """The fix of the worst finding; in a script with many launches that of each, where these fixes have nothing to do
    with each other."""
    worst = _worst_that_can_be_fixed(report, offering, alone)
    if not worst:
        return [], ()
    apart = [
        (finding, fix) for finding, fix in worst if not fix.beside and in_own_command(report, finding.launch, fix.edits)
    ]
    edits = [edit for _, fix in apart for edit in fix.edits]
    if len(apart) == len(worst) > 1 and prove([finding for finding, _ in apart], edits):
        return edits, ()
    fix = worst[0][1]
    return fix.edits, fix.beside


def _worst_that_can_be_fixed(report: "Report", offering: "Offering", alone: bool) -> "list[tuple[Finding, Fix]]":
    """Of each run the worst finding that can be fixed, with its fix; errors first, then in the order of the file. The
    next finding of a run is asked only where the one before has no fix."""
    ordered = sorted(report.findings, key=lambda finding: finding.severity != "error")
    waiting: dict[Launch | None, list[tuple[int, Finding]]] = {}
    for place in range(len(ordered) - 1, -1, -1):
        waiting.setdefault(ordered[place].launch, []).append((place, ordered[place]))
    found: dict[int, tuple[Finding, Fix]] = {}
    while waiting:
        asked = {launch: findings.pop() for launch, findings in waiting.items()}
        offering.add((finding for _, finding in asked.values()), lambda finding: _is_chosen(finding, alone))
        for launch, (place, finding) in asked.items():
            fix = preferred(finding, unsafe=True, alone=alone)
            if fix is not None:
                found[place] = finding, fix
            if fix is not None or not waiting[launch]:
                del waiting[launch]
    return [found[place] for place in sorted(found)]


def _is_chosen(finding: "Finding", alone: bool) -> bool:
    """Whether the fix of a finding is known that will be applied, however many more there are."""
    fix = preferred(finding, unsafe=True, alone=alone)
    return fix is not None and PROCESSES not in fix.changes


def encoded(text: "Text", like: bytes) -> "bytes | None":
    """The bytes of a `Text`, in the encoding of the bytes `like` that an earlier state of it was read from; None where
    that would change more than the text."""
    for mark, encoding in ((BOM_UTF16_LE, "utf-16-le"), (BOM_UTF16_BE, "utf-16-be"), (BOM_UTF8, "utf-8")):
        if like.startswith(mark):
            return mark + text.text.encode(encoding)
    encoding = encoding_of(like, text.path)
    try:
        data = text.text.encode(encoding)
        # some encodings of East Asia have several bytes for a character
        is_exact = like.decode(encoding).encode(encoding) == like and data.decode(encoding) == text.text
    except UnicodeError:
        return None
    return data if is_exact else None
