"""What is said about a file: its findings, and the report that holds them."""

from ..frameworks.rule_sets import rule_named
from ..launch.launch import SearchBudget
from ..launch.sighting import Asked
from ..launch.topology import PROCESSES
from ..message import NOTHING, Message, parts
from ..source.text import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    from ..shared_types import (
        Candidate,
        Code,
        Document,
        Edit,
        Enforcement,
        Iterable,
        Launch,
        Plan,
        Rule,
        Sequence,
        Setting,
        Severity,
        Stage,
        Text,
    )
    from .baseline import BaselineEntry
    from .expectations import Expectation

    Safety = Literal["safe", "unsafe", "display"]

Place = tuple[tuple[str, "str | None"], Span]  # what a finding is about, and where
MOST_ALIKE = 100  # findings of one rule that are told of one file

FOREIGN = Message("nothing of GRPO-family training")  # why most files are passed over


def passed_over(text: "Text", why: Message) -> Message:
    """Why a text in which nothing was found is passed over: it may be of a framework that is known and not judged."""
    from ..frameworks.not_judged import why_not_judged

    return why_not_judged(text.text) or why


class Finding:
    """One broken rule in one launch. Where it is, and in which words, is made concrete by `report.messages` and the
    reports.

    rule, severity, stage   what (a rule, or the name of one), how bad, and when the framework notices
    enforced                how it refuses (`Enforcement`), None when nobody refuses
    candidate, plan         the release and the numbers it was judged with
    at                      the Setting that is pointed at, None when none stands in the file
    values                  further texts and numbers for the message; "rename" and "replacement" are for the fixes
    related                 further places in the file, [(name, value, span)]
    note                    what the verdict hinges on, in words
    assumes                 what was taken for granted: "version", "companion:trl", ...
    counts                  of several stated numbers of processes, those that break the rule
    message                 the template that tells it, that of the rule unless another one is given
    fixes                   filled by `fixes`; `search_stopped`: more was to be tried than may be tried for one file
    launch                  the Launch it is about, None for one about the reading of a file
    elsewhere               the same of further launches of the file: of one cause the worst finding is told
    refusing, abstaining    of a refusal: the releases that refuse this, and those that have no say in it, as bits
    check                   the line of a copy's code that refuses this, (Text, Span)
    stays                   of a command that was cut: the keys of what is wrong with the whole of it as well
    """

    __slots__ = (
        "launch",
        "elsewhere",
        "rule",
        "severity",
        "stage",
        "enforced",
        "candidate",
        "plan",
        "at",
        "span",
        "values",
        "note",
        "assumes",
        "counts",
        "message",
        "fixes",
        "search_stopped",
        "related",
        "refusing",
        "abstaining",
        "stays",
        "check",
        "held_by",
    )

    def __init__(
        self, rule: "Rule | str", severity: "Severity", stage: "Stage", *, enforced: "Enforcement | None" = None,
        candidate: "Candidate | None" = None, plan: "Plan | None" = None, at: "Setting | None" = None,
        span: "Span | None" = None, values: "dict[str, Any] | None" = None, note: Message = NOTHING,
        assumes: "Iterable[str]" = (), counts: "tuple[int, ...]" = (), message: "Message | None" = None,
    ) -> None:  # fmt: skip
        self.rule: Rule = rule_named(rule) if isinstance(rule, str) else rule
        self.severity = severity
        self.stage = stage
        self.enforced = enforced
        self.candidate = candidate
        self.plan = plan
        self.at = at
        self.span = span
        self.values: dict[str, Any] = values or {}
        self.note = note
        self.assumes: list[str] = list(assumes)
        self.counts = counts
        self.message: str = message or self.rule.message
        self.fixes: list[Fix] = []
        self.search_stopped = False
        self.launch: Launch | None = None
        self.elsewhere: list[Finding] = []
        self.related: list[tuple[str, object, Span]] = []
        self.refusing = self.abstaining = 0
        self.stays: frozenset[tuple[str, str | None]] | None = None
        self.held_by: Message = NOTHING
        self.check: tuple[Text, Span] | None = None

    def absorb(self, other: "Finding") -> None:
        """Hide another finding, of which this one is the cause: what the framework refuses there, it refuses because
        of this."""
        if other.enforced is not None and other.severity == "error" and self.severity != "error":
            self.severity, self.stage, self.enforced, self.candidate = (
                other.severity,
                other.stage,
                other.enforced,
                other.candidate,
            )

    def hinge_on(self, doubts: "Iterable[tuple[str, str]]") -> None:
        """Make it a warning that says what is taken for granted: (what, in words) of each doubt. Without any it stays as it is."""
        found = [*doubts]
        if found:
            self.severity = "warning"
            self.assumes += [assumed for assumed, _ in found]
            self.note = parts((*(told for _, told in found), self.note))

    def say_first(self, told: str) -> None:
        """Put a clause before what there is to note."""
        self.note = parts((told, self.note))

    @property
    def key(self) -> "tuple[str, str | None]":
        """What identifies the finding in its file, whatever the line."""
        return self.rule.code, self.at.name if self.at else self.values.get("slip", self.rule.on)

    def __repr__(self) -> str:
        return f"Finding({self.rule.code}, {self.severity}, {self.at.name if self.at else None})"


class Report:
    """What was found in one file. `skipped`: why it was passed over, None when it was judged.

    `linked`: paths of the files that take part in its launches: the configs that a script names, the scripts that name
    a config.
    `known`: [(finding, path, entry)] that a baseline knows; they are no longer among the findings.
    `held`: what was held back, for it is shown that another program than the framework's own reads the file (`Finding.held_by`).
    `rules`: {name: Rule} of the team that it was judged by; `expected`: what the file expects of its runs
    (`expectations.Expectation`);
    `code`: the Python of a file of Python or a notebook, `comments`: its comments that name us; None for any other file;
    `budget`: how long its launches look for numbers of processes for which these hold.
    """

    def __init__(self, path: str, text: "Text | None" = None, skipped: "Message | None" = None) -> None:
        self.path = path
        self.text: Text = text  # type: ignore[assignment]  # None of a file that is passed over unread: nobody asks
        self.document: Document | None = None
        self.skipped = skipped
        self.why: Message = NOTHING
        self.launches: list[Launch] = []
        self.findings: list[Finding] = []
        self.linked: list[str] = []
        self.known: list[tuple[Finding, str, BaselineEntry]] = []
        self.held: list[Finding] = []
        self.rules: dict[str, Rule] = {}
        self.expected: list[Expectation] = []
        self.budget: SearchBudget = SearchBudget()
        self.code: Code | None = None
        self.comments: list[Span] | None = None
        self._places: dict[Place, int] = {}
        self._placed = 0

    def places_of_other_launches(self) -> "dict[Place, int]":
        """Where among the findings, to which launches only add, those about a launch are that was judged before."""
        for index in range(self._placed, len(self.findings)):
            finding = self.findings[index]
            if finding.launch is not None:
                self._places[finding.key, span_of(finding)] = index
        self._placed = len(self.findings)
        return self._places

    @property
    def asked(self) -> "Asked":
        """What is asked of its runs."""
        expected = self.expected
        return Asked(rules=lambda origin: [each for each in expected if each.concerns(origin)], budget=self.budget)

    @property
    def starts_runs(self) -> bool:
        """Whether the file holds the commands that start its runs: a script, or a job with a script inside."""
        return self.document is None or any(launch.origin and launch.origin.script is None for launch in self.launches)


def span_of(finding: "Finding") -> "Span":
    """The Span of what a finding points at; the start of the file when there is nothing to point at."""
    if finding.span is not None:
        return finding.span
    return finding.at.key if finding.at is not None else Span(0, 0)


def comment_finding(span: "Span", message: Message) -> "Finding":
    return Finding("comment-is-understood", "warning", "never", span=span, values={"problem": message})


def told(report: "Report") -> "list[Finding]":
    """The findings of a report of which there is something new to say: the first ones of each rule, and how many more
    there are."""
    if len(report.findings) <= MOST_ALIKE:
        return report.findings
    counts: dict[Rule, int] = {}
    more: dict[Rule, Finding] = {}
    kept: list[Finding] = []
    for finding in report.findings:
        counts[finding.rule] = counts.get(finding.rule, 0) + 1
        if counts[finding.rule] <= MOST_ALIKE:
            kept.append(finding)
        else:
            more.setdefault(finding.rule, finding)
    for rule, first in more.items():
        more_of_it = {"code": rule.code, "count": f"{counts[rule] - MOST_ALIKE - 1:,}"}
        problem = Message("this finding of {code} and {count} more of its kind in this file are not shown", more_of_it)
        kept.append(
            Finding(
                "file-is-looked-at-to-its-end",
                "info",
                "never",
                span=span_of(first),
                values={"problem": problem},
            )
        )
    return sorted(kept, key=position) if more else report.findings


def position(finding: "Finding") -> int:
    """The offset of what a finding points at."""
    return span_of(finding).start


# --- fixes --------------------------------------------------------------------------------------------------------------


class Fix:
    """A change that makes a finding go away, proven by linting the changed text.

    title     what to do, in words: "set global_batch_size to 32"
    effect    what it changes for training: "2x completions per update"; may be empty
    safety    "safe" (the same training), "unsafe" (changes the run), "display" (cannot be applied mechanically)
    changes   {key: value}
    edits     [Edit] of the file, sorted, not overlapping; empty when the safety is "display"
    beside    [(Text of a file that the judged one names, [Edit] of it)]
    """

    def __init__(
        self,
        title: Message,
        effect: Message,
        safety: "Safety",
        changes: "dict[str, object]",
        edits: "list[Edit]",
        beside: "Sequence[tuple[Text, list[Edit]]]" = (),
    ) -> None:
        self.title = title
        self.effect = effect
        self.safety = safety
        self.changes = changes
        self.edits = edits
        self.beside = beside

    @property
    def can_be_applied(self) -> bool:
        """Whether it says what becomes of which text."""
        return bool(self.edits or self.beside)


def preferred(finding: "Finding", unsafe: bool = False, alone: bool = False) -> "Fix | None":
    """The fix of a finding that is applied: the first that can be, if it is safe or `unsafe` ones may be applied; else
    None. `alone`: no other file may be changed. Whether there are as many devices nobody knows, so that another number of processes comes last."""
    possible = [fix for fix in finding.fixes if fix.can_be_applied and not (alone and fix.beside)]
    fix = min(possible, key=lambda fix: PROCESSES in fix.changes, default=None)
    return fix if fix is not None and (unsafe or fix.safety == "safe") else None
