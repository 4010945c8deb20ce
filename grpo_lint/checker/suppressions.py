"""Suppressions: comments that say which findings a file is not to be told about.

    num_generations: 8  # grpo-lint: ignore[GRPO203, rollout-holds-whole-groups] a reason

They hold for what begins on their line, or on the next line when they stand alone: a key with all that is below it, or
a command with its continued lines. `ignore-file[...]` holds for the file. A suppression that suppresses nothing is a
finding itself.
"""

import re

from ..frameworks.all_rules import RULES, find_rule, is_of_a_team
from ..launch.comments import comments_of, region_of
from ..message import NOTHING, Message
from ..rules.linter import RULES as ABOUT_OURSELVES
from ..source.quoting import did_you_mean, shown
from ..source.text import Edit, Span
from ..unknown import UNKNOWN
from .findings import Finding, Fix, comment_finding, span_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Report, Rule, Text

    Named = dict[Rule | str, Span]  # rules, and words for those that are not at hand -> where they stand

_SUPPRESSION = r"grpo[-_]lint\s*:?\s*(ignore-file|ignore)\b[ \t]*(?:\[([^\]\n]*)(\]?))?"
MOST_PROBLEMS = 20  # of words that name no rule: whoever wrote so many will look at the rest anyway


class Suppression:
    """One comment: its span, that of its brackets, the offsets for which it holds, and {rule: Span of the word that
    names it}."""

    def __init__(self, comment: "Span", brackets: "Span", region: "Span", rules: "Named") -> None:
        self.comment = comment
        self.brackets = brackets
        self.region = region
        self.rules = rules
        self.used: set[Rule] = set()

    def covers(self, finding: "Finding") -> bool:
        return finding.rule in self.rules and span_of(finding).start in self.region.offsets


def suppress(report: "Report") -> None:
    """Take the findings that a comment suppresses out of a report, and put in what is wrong with these comments."""
    suppressions, problems = _suppressions(report)
    left = []
    for finding in report.findings:
        covering = [suppression for suppression in suppressions if suppression.covers(finding)]
        for suppression in covering:
            suppression.used.add(finding.rule)
        if not covering:
            left.append(finding)
    report.findings = left + problems
    unused = (_unused(report, suppression) for suppression in suppressions)
    report.findings += [finding for finding in unused if finding is not None]


# --- reading --------------------------------------------------------------------------------------------------------


def _suppressions(report: "Report") -> "tuple[list[Suppression], list[Finding]]":
    """The Suppressions of a file, and findings about those that cannot be understood."""
    source, found, problems = report.text.text, [], []
    for comment in comments_of(report):
        match = re.compile(_SUPPRESSION, re.IGNORECASE).search(source, *comment)
        if match is None or "#" in source[comment.start + 1 : match.start()].lstrip("#"):
            continue
        verb, span = match[1].lower(), Span(match.start(1), match.end())
        if not match[2] or not match[2].strip():
            problems.append(
                comment_finding(
                    span,
                    Message(
                        "{verb} needs a rule: {verb}[GRPO203]; without one it would also hide future findings",
                        {"verb": verb},
                    ),
                )
            )
        elif not match[3]:
            problems.append(
                comment_finding(
                    span,
                    Message(
                        "{verb}[ has no end: write {verb}[{value}]",
                        {"verb": verb, "value": match[2].split()[0].strip(",")},
                    ),
                )
            )
        else:
            rules = _rules(match, report.rules, problems)
            if rules:
                whole = verb == "ignore-file"
                region = Span(0, len(source) + 1) if whole else region_of(report, comment.start, report.starts_runs)
                found.append(Suppression(comment, Span(*match.span(2)), region, rules))
    return found, problems


def _rules(match: "re.Match[str]", team: "dict[str, Rule]", problems: "list[Finding]") -> "Named":
    """{rule: span of its word} of what stands in the brackets; a rule of the team that is not at hand in this run is
    its word."""
    found: Named = {}
    for word in re.finditer(r"[^\s,]+", match[2]):
        rule, span = find_rule(word[0], team), Span(*word.span()).moved(match.start(2))
        if rule is None and is_of_a_team(word[0]):
            found[word[0]] = span
        elif rule is None and len(problems) < MOST_PROBLEMS:
            hint = did_you_mean(word[0], RULES) or Message("; `grpo-lint rule` lists them")
            problems.append(
                comment_finding(span, Message("there is no rule {name}{hint}", {"name": shown(word[0]), "hint": hint}))
            )
        elif rule in ABOUT_OURSELVES:  # what is said of suppressions and the like cannot be suppressed
            problems.append(
                comment_finding(
                    span,
                    Message(
                        "{code} is about comments like this one, and no comment suppresses it", {"code": rule.code}
                    ),
                )
            )
        elif rule is not None:
            found.setdefault(rule, span)
    return found


# --- unused ones ----------------------------------------------------------------------------------------------------


def _unused(report: "Report", suppression: "Suppression") -> "Finding | None":
    """The finding about a suppression, or the part of it, that suppresses nothing; None for one that does."""
    idle = [
        rule
        for rule in suppression.rules
        if not isinstance(rule, str) and rule not in suppression.used and is_decided(report, rule)
    ]
    if not idle:
        return None
    spans = sorted(suppression.rules[rule] for rule in idle)
    names = ", ".join(report.text[span] for span in spans)
    span = Span(spans[0].start, spans[-1].end)
    finding = Finding(RULES["suppression-is-needed"], "warning", "never", span=span, values={"rules": names})
    fix = _removal(report.text, suppression, idle)
    if fix is not None:
        finding.fixes.append(fix)
    return finding


def is_decided(report: "Report", rule: "Rule") -> bool:
    """Whether a rule has had its say on a file: it could be parsed, and nothing that the rule may depend on is unknown
    in this run."""
    if report.skipped is not None:
        return True
    if not report.launches or (report.document is not None and report.document.problems):
        return False
    return rule.broken is None or all(launch.world_size is not UNKNOWN for launch in report.launches)


def _removal(text: "Text", suppression: "Suppression", idle: "list[Rule]") -> "Fix | None":
    """The fix that leaves of a comment what is needed; None where a command would go on that now ends at the comment."""
    kept = [text[span] for rule, span in suppression.rules.items() if rule not in idle]
    if kept:
        return Fix(
            Message("suppress {rules} only", {"rules": ", ".join(kept)}),
            NOTHING,
            "safe",
            {},
            [Edit(*suppression.brackets, ", ".join(kept))],
        )
    row, column = text.position(suppression.comment.start)
    before = text.line_text(row)[:column].rstrip()
    if (before or text.line_text(row - 1)).endswith("\\"):
        return None
    if before:
        edit = Edit(text.starts[row] + len(before), suppression.comment.end, "")
    else:
        edit = Edit(text.starts[row], text.offset(row + 1, 0), "")
    return Fix(Message("remove the comment"), NOTHING, "safe", {}, [edit])
