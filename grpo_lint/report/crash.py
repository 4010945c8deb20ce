"""`check --error`: which findings explain a crash."""

from ..frameworks.all_rules import ALL
from ..message import Message, series
from .rule_search import cause_in, in_log, of_cause, search, texts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Finding, Report

MOST_OF_A_LOG = 16 << 20  # bytes


class Crash:
    """A log or traceback. `leave` keeps the findings of a report that explain it; `told` is the summary for all
    reports."""

    def __init__(self, log: str) -> None:
        found = in_log(log)
        self.cause = cause_in(log, found)
        if self.cause is not None:
            found = [*of_cause(self.cause), *found]
        if not found and self.cause is None and len(log.splitlines()) == 1:  # a sentence, perhaps shortened
            found = search(log)
        self.found = sorted(found, key=lambda each: -each.share)
        self._wordings = {each.wording for each in self.found if each.wording}
        self._rules = {each.rule.name for each in self.found}
        # a rule that no release enforces may be about what the message names, under another condition
        self._rules |= {
            rule.name for rule in ALL if any(name in wording for name in rule.also_called for wording in self._wordings)
        }
        self._explained = 0

    def leave(self, report: "Report") -> None:
        """Keep the findings of a report that explain the crash."""
        report.findings = [finding for finding in report.findings if self._is_explained_by(finding)]
        self._explained += len(report.findings)

    def _is_explained_by(self, finding: "Finding") -> bool:
        """Whether a finding is of a rule that the log names, or hides one."""
        if finding.severity == "info":
            return False
        if finding.rule.name in self._rules:
            return True
        return finding.enforced is not None and not self._wordings.isdisjoint(texts_of(finding.enforced))

    @property
    def told(self) -> Message:
        """What to say on standard error."""
        if self.cause is not None and not self._explained:
            return Message("{layer}: {meaning}", {"layer": self.cause.layer, "meaning": self.cause.tells})
        if not self.found:
            return Message("no rule knows an error in this log")
        codes = series(list(dict.fromkeys(each.rule.code for each in self.found)))
        if self._explained:
            return Message("this explains the crash: the log points to {codes}", {"codes": codes})
        return Message(
            "the log points to {codes} (grpo-lint rule {code}), but nothing that was checked breaks it: are the release, "
            "the number of processes and the command those of the crash?",
            {"codes": codes, "code": self.found[0].rule.code},
        )
