"""The proof of a fix: the edited text is linted, and what is found there is compared with what was found before."""

from .edits import apply

MOST_CHARACTERS = 2_000_000  # of text that are linted again for one file: hundreds of times what people write, a few times what they may
_SEVERITIES = ("warning", "error")


class Proof:
    """prove(findings, edits): whether these findings are gone after the edits, and nothing of severity warning or error is new or worse."""

    def __init__(self, report, surroundings):
        self.text = report.text
        self._report = report
        self._surroundings = surroundings
        self._known = _worst(report)
        self._left = MOST_CHARACTERS

    @property
    def stopped(self):
        """Whether there was more to prove than may be; what is not proven is not offered."""
        return self._left < 0

    def __call__(self, findings, edits):
        from ..engine import lint

        self._left -= len(self.text.text)
        if self.stopped:
            return False
        after = _worst(lint(apply(self.text, edits), self._surroundings, fixes=False))
        gone = all(_key(self._report, finding) not in after for finding in findings)
        return gone and all(rank <= self._known.get(key, -1) for key, rank in after.items())


def _worst(report):
    """{key: rank of the severity} of what is more than an info."""
    found = {}
    for finding in report.findings:
        if finding.severity != "info":
            key = _key(report, finding)
            found[key] = max(found.get(key, 0), _SEVERITIES.index(finding.severity))
    return found


def _key(report, finding):
    """(code, key, place of the launch): a script may start several runs."""
    place = report.launches.index(finding.launch) if len(report.launches) > 1 and finding.launch else 0
    return *finding.key, place
