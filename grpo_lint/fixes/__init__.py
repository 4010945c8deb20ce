"""Fixes: found by search on plain integers, and proven by linting the edited text.

A fix is offered only when its own finding is gone and no new (code, key) of severity warning or error appeared.
"""

from ..plan import UNKNOWN


def offer_fixes(report, surroundings):
    """Add proven fixes to the findings of a report."""
    wanted = [finding for finding in report.findings if finding.severity != "info"]
    if not wanted or not report.launches:
        return
    prove = _Proof(report, surroundings)
    arithmetic = [finding for finding in wanted if finding.rule.broken]
    for finding in wanted:
        if finding.rule.broken is None:
            _offer_key_fix(report, finding, prove)
    if arithmetic and report.launches[0].world_size is not UNKNOWN:
        _search(report.launches[0], arithmetic, prove)


def _offer_key_fix(report, finding, prove):
    from .keys import key_fix

    fix = key_fix(report, finding)
    if fix is not None and prove(finding, fix.edits):
        finding.fixes.append(fix)


def _search(launch, findings, prove):
    from .edits import edits_for
    from .effects import effect, title
    from .fix import Fix
    from .search import Search

    search = Search(launch)
    for finding in findings:
        for change in search.alternatives(finding.rule):
            edits = edits_for(prove.text, launch, change.values)
            if edits is None:
                finding.fixes.append(Fix(title(change), effect(change), "display", change.values, []))
            elif prove(finding, edits):
                finding.fixes.append(Fix(title(change), effect(change), "unsafe", change.values, edits))


class _Proof:
    """Lints edited texts, and compares what is found with what was found before."""

    def __init__(self, report, surroundings):
        self.text = report.text
        self._surroundings = surroundings
        self._known = _keys(report)

    def __call__(self, finding, edits):
        """Whether the finding is gone after the edits, and nothing new of severity warning or error appeared."""
        from ..engine import lint
        from ..source.text import Text
        from .edits import apply

        edited = lint(Text(apply(self.text.text, edits), self.text.path), self._surroundings, fixes=False)
        keys = _keys(edited)
        return finding.key not in keys and keys <= self._known


def _keys(report):
    return {finding.key for finding in report.findings if finding.severity != "info"}
