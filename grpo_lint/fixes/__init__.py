"""Fixes: found by search on plain integers, and proven by linting the edited text.

A fix is offered only when its own finding is gone and no new (code, key) of severity warning or error appeared.
"""

from ..message import Message
from ..unknown import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

    from ..checker.findings import Finding, Report
    from ..checker.fix import Fix, Safety
    from ..launch.launch import Launch
    from ..plan.plan import Plan
    from ..source.text import Edit
    from .neighbours import Neighbours
    from .proof import Beside, Lint, Proof
    from .search import Change, Search, Work


def offer_fixes(
    report: "Report",
    lint: "Lint",
    findings: "list[Finding] | None" = None,
    work: "Work | None" = None,
    neighbours: "Neighbours | None" = None,
) -> None:
    """Add proven fixes to the findings of a report, or to some of them.

    `lint` gives the Report of a text without fixes; `work`: the `search.Work` that is left for it; `neighbours`: the other
    files whose runs read what is edited.
    """
    Offering(report, lint, work, neighbours).add(report.findings if findings is None else findings)


class Offering:
    """Adds proven fixes to the findings of a report, to each once, when they are asked for.

    `lint` gives the Report of a text without fixes; `work`: the `search.Work` that is left for it. Whatever is asked of
    one Offering shares the limit of text that is linted, and its searches.
    """

    _prove: "Proof"

    def __init__(
        self, report: "Report", lint: "Lint", work: "Work | None" = None, neighbours: "Neighbours | None" = None
    ) -> None:
        self._report = report
        self._neighbours = neighbours
        self._lint = lint
        self._work = work
        self._searches: dict[object, Search] = {}
        self._done: set[int] = set()

    def add(self, findings: "Iterable[Finding]") -> None:
        """Add the fixes of these findings, which are some of the report."""
        wanted = [finding for finding in findings if self._is_wanted(finding)]
        if not wanted:
            return
        if not self._done:
            from .proof import Proof

            self._prove = Proof(self._report, self._lint, self._neighbours)
        self._done.update(map(id, wanted))
        about_keys = [finding for finding in wanted if finding.rule.broken is None]
        if about_keys:
            _offer_key_fixes(self._report, about_keys, self._prove)
        about_numbers = [finding for finding in wanted if finding.rule.broken and finding.candidate is not None]
        for finding in about_numbers:
            _offer_where_it_stands(self._report, finding, self._prove)
        searched = [finding for finding in about_numbers if not _offer_rename(self._report, finding, self._prove)]
        if searched:
            self._search(searched)

    def _is_wanted(self, finding: "Finding") -> bool:
        return _may_be_fixed(finding) and id(finding) not in self._done

    def _search(self, findings: "list[Finding]") -> None:
        """Search for changes that cure the findings. All searches of a file share one limit of tries, and launches with
        the same numbers share a search."""
        from .search import Search, Work

        self._work = work = self._work or Work()
        trials = []
        for finding in findings:
            launch: Launch = finding.launch  # type: ignore[assignment]  # both are known of what is searched for
            plan: Plan = finding.plan  # type: ignore[assignment]
            world_size = plan.value("world_size")
            place = launch if len(self._report.launches) == 1 else _numbers(launch), world_size
            search = self._searches.get(place)
            if search is None:
                search = self._searches[place] = Search(launch, work, UNKNOWN if world_size is None else world_size)
            trials.append(Trial(self._report, finding, search))
            finding.search_stopped = work.stopped
        _prove(trials, self._prove)


def may_have_safe_fixes(report: "Report") -> bool:
    """Whether a fix that leaves the training as it is seems to exist. Nothing is proven."""
    return any(safe_key_fix(report, finding) is not None for finding in report.findings)


def safe_key_fix(report: "Report", finding: "Finding") -> "Fix | None":
    """The fix of a finding that leaves the training as it is, not yet proven; None where there is none. All such fixes
    are about keys, so nothing is searched."""
    if finding.rule.broken is not None or not _may_be_fixed(finding):
        return None
    from .keys import key_fix

    fix = key_fix(report, finding)
    return fix if fix is not None and fix.safety == "safe" else None


def _may_be_fixed(finding: "Finding") -> bool:
    return finding.severity != "info" and finding.launch is not None


def _offer_key_fixes(report: "Report", findings: "list[Finding]", prove: "Proof") -> None:
    """Prove the fixes of keys: one of each command of a script together, the others one by one."""
    from .keys import key_fix
    from .proof import in_own_command

    of_commands: dict[Launch | None, list[tuple[Finding, Fix]]] = {}
    for finding in findings:
        fix = None if prove.stopped else key_fix(report, finding)
        if fix is None:
            continue
        if in_own_command(report, finding.launch, fix.edits):
            of_commands.setdefault(finding.launch, []).append((finding, fix))
        elif prove([finding], fix.edits):
            finding.fixes.append(fix)
    while of_commands:
        batch = [fixes.pop(0) for fixes in of_commands.values()]
        of_commands = {launch: fixes for launch, fixes in of_commands.items() if fixes}
        proven = prove.apart([(finding, fix.edits, frozenset()) for finding, fix in batch])
        for (finding, fix), holds in zip(batch, proven, strict=True):
            if holds:
                finding.fixes.append(fix)


def _offer_rename(report: "Report", finding: "Finding", prove: "Proof") -> bool:
    """Add the rename of the key that is meant for a setting at whose default the finding came about, where that mends it;
    whether there is such a key. A change that goes with the default would not go with what the key says."""
    misspelt: Finding | None = finding.values.get("misspelt")
    if misspelt is None or prove.stopped:
        return False
    from .keys import key_fix

    fix = key_fix(report, misspelt)
    if fix is None:
        return False
    if prove([finding, misspelt], fix.edits):
        finding.fixes.append(fix)
    else:
        finding.values["advice"] = Message(
            "First {change}; what is left then is about its value.", {"change": fix.title}
        )
    return True


def _offer_where_it_stands(report: "Report", finding: "Finding", prove: "Proof") -> None:
    """Add the fixes that need no search: a number of processes in the command, a value of a DeepSpeed configuration."""
    from .processes import ABOUT_PROCESSES

    if finding.rule.name in ABOUT_PROCESSES:
        from .processes import process_fix as make
    elif finding.rule.name.startswith("deepspeed-"):
        from .attached import auto_fix as make
    else:
        return
    fix = make(report, finding)
    if fix is not None and (not fix.can_be_applied or prove([finding], fix.edits, beside=fix.beside)):
        finding.fixes.append(fix)


def _numbers(launch: "Launch") -> object:
    """Everything that a search in a launch depends on, to be compared; the launch itself where that is more than
    numbers."""
    from ..checker.evaluations import numbers_of

    return launch if launch.demands or launch.incomplete or launch.reader else numbers_of(launch)


def _prove(trials: "list[Trial]", prove: "Proof") -> None:
    """Prove what the trials propose in rounds: changes of different commands together, everything else one by one."""
    while open_trials := [trial for trial in trials if trial.edits is not None]:
        together: dict[Launch | None, Trial] = {}
        for trial in open_trials:
            if trial.apart:
                together.setdefault(trial.finding.launch, trial)
        batch = list(together.values()) or open_trials[:1]
        for trial, holds in zip(batch, _proven(batch, prove), strict=True):
            trial.finding.search_stopped |= prove.stopped
            trial.go_on(holds)


def _proven(trials: "list[Trial]", prove: "Proof") -> "list[bool]":
    first = trials[0]
    if first.beside:  # it is alone
        return [prove([first.finding], first.edits or [], first.open_after, first.beside)]
    return prove.apart([(trial.finding, trial.edits or [], trial.open_after) for trial in trials])


class Trial:
    """The changes that may cure a finding, one after the other.

    edits   those of the change that is to be proven, None when there is none left; `beside`: those of the config that the
            judged script loads
    apart   whether they may be proven together with those of other launches
    """

    edits: "list[Edit] | None"
    apart: bool
    _change: "Change"

    def __init__(self, report: "Report", finding: "Finding", search: "Search") -> None:
        from .search import Offers

        self.finding = finding
        self.beside: Beside = ()
        self._report = report
        self._sizes: AbstractSet[str] = frozenset(search.names) - search.parallel
        self._changes = Offers(search.alternatives(finding.rule), search.refuses, search.parallel)
        self.go_on(False)

    @property
    def open_after(self) -> "set[str]":
        """The codes of the rules that the change leaves broken."""
        return self._change.open_after

    def go_on(self, holds: bool) -> None:
        """Take the verdict on the last change, and propose the next one. A change that cannot be written as edits is
        passed over."""
        from .edits import edits_where_they_belong
        from .proof import in_own_command

        launch: Launch = self.finding.launch  # type: ignore[assignment]  # it is about one
        while True:
            if holds:
                self.finding.fixes.append(self._fix())
                self._changes.hold()
            change = self._changes.next()
            if change is None:
                self.edits = None
                return
            self._change = change
            self.edits, self.beside = edits_where_they_belong(self._report, launch, self._change.values)
            if self.edits or self.beside:
                self.apart = not self.beside and in_own_command(self._report, self.finding.launch, self.edits)
                return
            holds = True

    def _fix(self) -> "Fix":
        from ..checker.fix import Fix
        from .effects import effect, named_place, title

        change, edits = self._change, self.edits or []
        told = title(change)
        if self.beside and not edits:
            told = Message("{change} in {place}", {"change": told, "place": named_place(self.beside[0][0].path)})
        safety: Safety = "unsafe" if edits or self.beside else "display"
        return Fix(told, effect(change, self._sizes), safety, dict(change.values), edits, self.beside)
