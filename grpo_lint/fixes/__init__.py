"""Fixes: found by search on plain integers, and proven by linting the edited text.

A fix is offered only when its own finding is gone and no new (code, key) of severity warning or error appeared.
"""

from ..plan import UNKNOWN


def offer_fixes(report, surroundings):
    """Add proven fixes to the findings of a report."""
    wanted = [finding for finding in report.findings if finding.rule.broken and finding.severity != "info"]
    launches = report.launches
    if not wanted or not launches or launches[0].world_size is UNKNOWN:
        return
    from .search import Search

    search = Search(launches[0])
    known = _keys(report)
    for finding in wanted:
        for change in search.alternatives(finding.rule):
            fix = _proven(report, surroundings, launches[0], finding, change, known)
            if fix is not None:
                finding.fixes.append(fix)


def _keys(report):
    return {finding.key for finding in report.findings if finding.severity != "info"}


def _proven(report, surroundings, launch, finding, change, known):
    """The change as a Fix with edits, when linting the edited text agrees; for display when it cannot be edited in."""
    from ..engine import lint
    from ..source.text import Text
    from .edits import apply, edits_for
    from .effects import effect, title
    from .fix import Fix

    edits = edits_for(report.text, launch, change.values)
    if edits is None:
        return Fix(title(change), effect(change), "display", change.values, [])
    edited = lint(Text(apply(report.text.text, edits), report.path), surroundings, fixes=False)
    keys = _keys(edited)
    if finding.key in keys or not keys <= known:
        return None
    return Fix(title(change), effect(change), "unsafe", change.values, edits)
