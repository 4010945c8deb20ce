"""The proof of a fix: the edited text is linted, and what is found there is compared with what was found before."""

from .edits import apply

_SEVERITIES = ("warning", "error")


class Proof:
    """prove(findings, edits): whether these findings are gone after the edits, and nothing of severity warning or error is new or worse."""

    def __init__(self, report, surroundings):
        self.text = report.text
        self._surroundings = surroundings
        self._known = _worst(report)

    def __call__(self, findings, edits):
        from ..engine import lint

        after = _worst(lint(apply(self.text, edits), self._surroundings, fixes=False))
        gone = all(finding.key not in after for finding in findings)
        return gone and all(rank <= self._known.get(key, -1) for key, rank in after.items())


def _worst(report):
    """{(code, key): rank of the severity} of what is more than an info."""
    found = {}
    for finding in report.findings:
        if finding.severity != "info":
            found[finding.key] = max(found.get(finding.key, 0), _SEVERITIES.index(finding.severity))
    return found
