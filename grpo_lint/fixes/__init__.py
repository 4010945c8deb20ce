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
    for launch in report.launches:
        arithmetic = [finding for finding in wanted if finding.rule.broken and finding.launch is launch]
        if arithmetic and launch.world_size is not UNKNOWN:
            _search(report, launch, arithmetic, prove)


def _offer_key_fix(report, finding, prove):
    from .keys import key_fix

    fix = key_fix(report, finding)
    if fix is not None and prove([finding], fix.edits):
        finding.fixes.append(fix)


def _search(report, launch, findings, prove):
    from .edits import edits_for
    from .effects import effect, title
    from .fix import Fix
    from .search import Search

    search = Search(launch)
    for finding in findings:
        for change in search.alternatives(finding.rule):
            edits = edits_for(report, launch, change.values)
            if edits is None:
                finding.fixes.append(Fix(title(change), effect(change), "display", change.values, []))
            elif prove([finding], edits):
                finding.fixes.append(Fix(title(change), effect(change), "unsafe", change.values, edits))
