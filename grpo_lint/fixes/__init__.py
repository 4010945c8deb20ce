"""Fixes: found by search on plain integers, and proven by linting the edited text.

A fix is offered only when its own finding is gone and no new (code, key) of severity warning or error appeared.
"""

from ..plan import UNKNOWN


def offer_fixes(report, surroundings):
    """Add proven fixes to the findings of a report."""
    wanted = [finding for finding in report.findings if finding.severity != "info" and finding.launch is not None]
    if not wanted:
        return
    from .proof import Proof

    prove = Proof(report, surroundings)
    for finding in wanted:
        if finding.rule.broken is None:
            _offer_key_fix(report, finding, prove)
    arithmetic = [finding for finding in wanted if finding.rule.broken and finding.candidate is not None]
    if arithmetic:
        _search(report, arithmetic, prove)


def _offer_key_fix(report, finding, prove):
    from .keys import key_fix

    fix = key_fix(report, finding)
    if fix is not None and prove([finding], fix.edits):
        finding.fixes.append(fix)


def _search(report, findings, prove):
    """Look for changes that cure the findings; all searches of a file share what may be tried."""
    from .search import Search, Work, chosen

    work, searches = Work(), {}
    for finding in findings:
        world_size = finding.plan.value("world_size")
        place = id(finding.launch), world_size
        search = searches.get(place)
        if search is None:
            search = searches[place] = Search(finding.launch, work, UNKNOWN if world_size is None else world_size)
        ranked = search.alternatives(finding.rule)
        proven = _Proven(report, finding, prove)
        finding.fixes += [proven.fixes[id(change)] for change in chosen(ranked, search.refuses, proven)]
        finding.search_stopped = work.stopped or prove.stopped


class _Proven:
    """Whether a change holds in the text; `fixes`: {id of a change: Fix} of those that do."""

    def __init__(self, report, finding, prove):
        self.report = report
        self.finding = finding
        self.prove = prove
        self.fixes = {}

    def __call__(self, change):
        from .edits import edits_for
        from .effects import effect, named, title
        from .fix import Fix

        edits = edits_for(self.report, self.finding.launch, change.values)
        if edits is not None and not self.prove([self.finding], edits):
            return False
        safety = "display" if edits is None else "unsafe"
        self.fixes[id(change)] = Fix(title(change), effect(change), safety, named(change), edits or [])
        return True
