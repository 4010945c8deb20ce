"""Fixes: found by search on plain integers, and proven by linting the edited text.

A fix is offered only when its own finding is gone and no new (code, key) of severity warning or error appeared.
"""

from ..unknown import UNKNOWN


def offer_fixes(report, lint, findings=None, work=None):
    """Add proven fixes to the findings of a report, or to some of them.

    `lint` gives the Report of a text without fixes; `work`: the `search.Work` that is left for it.
    """
    findings = report.findings if findings is None else findings
    wanted = [finding for finding in findings if finding.severity != "info" and finding.launch is not None]
    if not wanted:
        return
    from .proof import Proof

    prove = Proof(report, lint)
    for finding in wanted:
        if finding.rule.broken is None:
            _offer_key_fix(report, finding, prove)
    arithmetic = [finding for finding in wanted if finding.rule.broken and finding.candidate is not None]
    if arithmetic:
        _search(report, arithmetic, prove, work)


def offer_safe_fixes(report, lint, work=None):
    """Add only those that leave the training as it is: they are about keys, and nothing has to be searched."""
    offer_fixes(report, lint, _of_keys(report))


def may_have_safe_fixes(report):
    """Whether there seems to be a fix that leaves the training as it is: nothing is proven."""
    from .keys import key_fix

    found = (key_fix(report, finding) for finding in _of_keys(report) if finding.launch is not None)
    return any(fix is not None and fix.safety == "safe" for fix in found)


def _of_keys(report):
    return [finding for finding in report.findings if finding.rule.broken is None]


def _offer_key_fix(report, finding, prove):
    from .keys import key_fix

    fix = key_fix(report, finding)
    if fix is not None and prove([finding], fix.edits):
        finding.fixes.append(fix)


def _search(report, findings, prove, work):
    """Look for changes that cure the findings; all searches of a file share what may be tried, and launches of the
    same numbers a search."""
    from .search import Search, Work

    work, searches, trials = work or Work(), {}, []
    for finding in findings:
        world_size = finding.plan.value("world_size")
        place = _numbers(finding.launch), world_size
        search = searches.get(place)
        if search is None:
            search = searches[place] = Search(finding.launch, work, UNKNOWN if world_size is None else world_size)
        trials.append(Trial(report, finding, search))
        finding.search_stopped = work.stopped
    _prove(trials, prove)


def _numbers(launch):
    """What a search in a launch can depend on; the launch itself, where that is more than its numbers."""
    from ..checker.judge import numbers_of

    return launch if launch.demands or launch.incomplete or launch.reader else (launch.dialect.name, numbers_of(launch))


def _prove(trials, prove):
    """Prove what the trials propose in rounds: changes of different commands together, everything else one by one."""
    while open_trials := [trial for trial in trials if trial.edits is not None]:
        together = {}
        for trial in open_trials:
            if trial.apart:
                together.setdefault(trial.finding.launch, trial)
        batch = list(together.values()) or open_trials[:1]
        for trial, holds in zip(batch, prove.apart([(trial.finding, trial.edits) for trial in batch]), strict=True):
            trial.finding.search_stopped |= prove.stopped
            trial.go_on(holds)


class Trial:
    """The changes that may cure a finding, one after the other.

    edits   those of the change that is to be proven, None when there is none left
    apart   whether they may be proven together with those of other launches
    """

    def __init__(self, report, finding, search):
        from .search import in_turn

        self.finding = finding
        self._report = report
        self._changes = in_turn(search.alternatives(finding.rule), search.refuses, search.parallel)
        self._change = None
        self.go_on(None)

    def go_on(self, holds):
        """Take the verdict on the last change, and go on to the next that needs one; what nobody can apply needs none."""
        from .edits import edits_for
        from .proof import in_own_command

        while True:
            if holds:
                self.finding.fixes.append(self._fix())
            try:
                self._change = self._changes.send(holds)
            except StopIteration:
                self.edits = None
                return
            self.edits = edits_for(self._report, self.finding.launch, self._change.values) or []
            if self.edits:
                self.apart = in_own_command(self._report, self.finding.launch, self.edits)
                return
            holds = True

    def _fix(self):
        from ..checker.fix import Fix
        from .effects import effect, named, title

        change = self._change
        return Fix(title(change), effect(change), "unsafe" if self.edits else "display", named(change), self.edits)
