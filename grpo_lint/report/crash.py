"""`check --error`: which findings explain a crash."""

import re
from math import ceil

from ..frameworks.all_rules import ALL
from ..message import Message, sentences, series
from .rule_search import cause_in, in_log, of_cause, search, texts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Finding, Launch, Report

_CAPACITY = re.compile(
    r"total capacity of (\d{1,4}\.\d{1,3}) GiB|(\d{1,4}\.\d{1,3}) GiB total capacity"
)  # as PyTorch says it
_OF_MEMORY = "training-state-fits-the-gpu"
MOST_OF_A_LOG = 16 << 20  # bytes


class Crash:
    """A log or traceback. `leave` keeps the findings of a report that explain it; `told` is the summary for all
    reports."""

    def __init__(self, log: str) -> None:
        found = in_log(log)
        capacity = _CAPACITY.search(log)
        self.gpu_memory = (
            ceil(float(capacity[1] or capacity[2])) if capacity else 0
        )  # in GiB; 0 where the log does not say it
        self._least_memory = 0
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
        if _OF_MEMORY in self._rules:
            self._least_memory = max(self._least_memory, *map(_least_memory, report.launches), 0)

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
            meaning = Message("{layer}: {meaning}", {"layer": self.cause.layer, "meaning": self.cause.tells})
            return sentences([meaning, _told_of_memory(self._least_memory)]) if self._least_memory else meaning
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


def _least_memory(launch: "Launch") -> int:
    """The megabytes that a run holds on each GPU at least; 0 where that is not known."""
    least = launch.plan(launch.candidates[0]).value("training_memory") if launch.candidates else None
    return least if type(least) is int else 0


def _told_of_memory(megabytes: int) -> Message:
    return Message(
        "Weights, gradients and AdamW's states of this run take {count} MB of each GPU at least: grpo-lint explain shows how.",
        {"count": f"{megabytes:,}"},
    )
