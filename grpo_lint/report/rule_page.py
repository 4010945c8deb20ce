"""The page of a rule, made from its declaration and from the rows of those that enforce it: for the terminal and for
docs/rules.

    python -m grpo_lint.report.rule_page docs/rules     writes all pages and their index again

The example on a page is run when the page is made, so its output cannot lie.
"""

import os
import re
import sys

from ..checker.verdict import is_refusal
from ..engine import lint
from ..frameworks.all_rules import ALL, is_of_a_team
from ..frameworks.by_release import borders_of
from ..frameworks.registry import NAMES, framework as framework_named, places
from ..frameworks.versions import minor, version_key
from ..launch.facts import FACTS, IN_PLAN
from ..message import NOTHING, Message, any_of, series, verbatim
from ..plan.quantities import QUANTITIES
from ..rules.base import STAGES
from ..settings.policy import Policy
from ..source.text import Text
from .cases import cases_of
from .language import ENGLISH
from .messages import moment, text_of
from .rule_search import MOST_FOUND, of_cause
from .text import TextPrinter, cells, painter, wrapped
from .totals import Totals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..rules.layers_below import Cause
    from ..shared_types import (
        Callable,
        Enforcement,
        Formula,
        Found,
        Framework,
        Iterable,
        Iterator,
        Language,
        Paint,
        Regime,
        Rule,
        Sequence,
        Severity,
    )
    from .cases import Case

    Block = tuple[Any, ...]  # its kind, and what that kind holds: see `blocks`

GENERATED = "<!-- Generated from the rule and the tables of enforcement; to write it again: python -m grpo_lint.report.rule_page docs/rules -->"
MOST_RELATED = 6  # rules that a page names at its end


# --- examples -------------------------------------------------------------------------------------------------------


def output_of(case: "Case", rule: "Rule | None" = None, language: "Language" = ENGLISH) -> str:
    """What `grpo-lint PATH` prints for a case, without colours. `rule`: one of a team's own that is asked as well."""
    context = case.context(Policy(rules={rule.name: rule}) if rule else None)
    report, totals, printer = lint(Text(case.config, case.path), context), Totals(), TextPrinter(language=language)
    totals.add(report, lambda path: "warning")
    return printer.file(report) + printer.end(totals)


# --- who refuses it -------------------------------------------------------------------------------------------------


class Span:
    """How consecutive releases of one framework take what the rule describes; `row`: their Enforcement, None when they
    do not mind; `severity`: of the finding."""

    def __init__(
        self, framework: "Framework", since: str, until: "str | None", row: "Enforcement | None", severity: "Severity"
    ) -> None:
        self.framework = framework.name
        self.title = framework.title
        self.since = since
        self.until = until
        self.row: Enforcement | None = row if is_refusal(row) else None
        self.severity = severity
        self.happens = moment(row) if row and row.moment and not self.row else NOTHING  # where nobody refuses it

    @property
    def versions(self) -> Message:
        if self.until is None:
            return Message("{since} and later", {"since": self.since})
        if self.until == f"{self.since}.0":
            return verbatim(self.until)
        return (
            verbatim(self.since)
            if self.since == self.until
            else Message("{since} - {until}", {"since": self.since, "until": self.until})
        )

    def is_like(self, other: "Span") -> bool:
        """Whether two spans of one framework tell the same."""
        return self._told() == other._told()

    def _told(self) -> "tuple[object, ...]":
        row = self.row
        told = row and (row.stage, row.wording, row.moment, places(self.framework).get(f"{row.rule} {row.since}"))
        return self.title, self.severity, str(self.happens), told


def spans_of(rule: "Rule") -> "list[Span]":
    """The Span of every framework and its releases that the rule is about, oldest first."""
    found: list[Span] = []
    for framework in map(framework_named, reversed(NAMES)):
        for span in _pieces(framework, rule):
            if found and found[-1].is_like(span):
                found[-1].until = span.until
            else:
                found.append(span)
    return found


def _pieces(framework: "Framework", rule: "Rule") -> "Iterator[Span]":
    """The Spans between all borders of regimes and of the rule's rows."""
    rows = [row for row in framework.refusals.enforcement.rows if row.rule == rule.name]
    starts = {regime.since for regime in framework.arithmetic.regimes}
    borders = sorted(starts.union(*map(borders_of, rows)))
    for border, following in zip(borders, [*borders[1:], None]):
        regime = framework.arithmetic.regime(border)
        row = framework.refusals.enforcement.at(border).get(rule.name)
        severity = row.severity if row else rule.harm
        if not severity or not regime or not _has_releases(framework, border, following):
            continue
        if row or _has_operands(framework, regime, rule):
            until = _before(framework, following) if following else None
            yield Span(framework, ".".join(map(str, border)), until, row, severity)


def _has_releases(framework: "Framework", border: "tuple[int, ...]", following: "tuple[int, ...] | None") -> bool:
    """Whether a minor has been released between two borders."""
    minors = (version_key(release)[:2] for release in framework.catalogue.releases)
    return any(border[:2] <= each and (following is None or each < following) for each in minors)


def _before(framework: "Framework", border: "tuple[int, ...]") -> str:
    """The last version before a border: a patch, or the minor of the last release."""
    if len(border) > 2 and border[-1]:
        return ".".join(map(str, (*border[:-1], border[-1] - 1)))
    return minor([release for release in framework.catalogue.releases if version_key(release) < border][-1])


def _has_operands(framework: "Framework", regime: "Regime", rule: "Rule") -> bool:
    """Whether these releases have everything that the rule reads."""
    if rule.broken is None:
        return False
    computed = regime.formulas.keys() | IN_PLAN
    needed = [*rule.broken.names, *(name for name in rule.only_with if name not in FACTS)]
    return all(name in computed or _is_setting(framework, regime, name) for name in needed)


def _is_setting(framework: "Framework", regime: "Regime", name: str) -> bool:
    """Whether a release of the regime has a setting of this name."""
    catalogue = framework.catalogue
    known = 0
    for algorithm in ("grpo", "rloo"):
        known |= catalogue.known(name, framework.reader.trainer.groups(algorithm, "script"))
    return any(
        known >> index & 1 and framework.arithmetic.regime(version_key(release)) is regime
        for index, release in enumerate(catalogue.releases)
    )


def _when(span: Span) -> Message:
    return moment(span.row) if span.row else span.happens or Message("not refused")


# --- the page -------------------------------------------------------------------------------------------------------
# A page is a list of blocks: ("heading", text), ("text", text), ("list", [text]), ("code", language, text),
# ("table", header, rows). Texts are Markdown with `code` as its only mark.


def blocks(rule: "Rule", language: "Language" = ENGLISH) -> "Iterator[Block]":
    tr = language.text
    yield "text", _sentence(tr(text_of(rule, rule.summary)), language)
    yield from _problem_blocks(rule, language)
    shown = next(iter(cases_of(rule)), None)
    if shown:
        yield from _example_blocks(shown, rule, language)
    yield from _refusal_blocks(rule, language)
    if rule.instead:
        yield "heading", tr(Message("The fix"))
        yield "text", tr(text_of(rule, rule.instead))
    if shown and shown.fixed:
        yield "code", "yaml", shown.fixed
    if is_of_a_team(rule.code):
        return
    if near := related(rule):
        yield "heading", tr(Message("Related rules"))
        yield "rules", [(each.code, each.name, tr(text_of(each, each.summary))) for each in near]
    status = {"status": Message(rule.status.capitalize()), "version": rule.since}
    yield "text", tr(Message("{status}, since grpo-lint {version}.", status))


def _problem_blocks(rule: "Rule", language: "Language") -> "Iterator[Block]":
    tr = language.text
    yield "heading", tr(Message("The problem"))
    yield "text", tr(text_of(rule, rule.why))
    if rule.broken:
        yield "text", tr(Message("Reported when `{condition}`.", {"condition": rule.broken.text}))
        legend = [_meaning(name, language) for name in rule.broken.names if name in QUANTITIES]
        legend += _operands(rule, language)
        if legend:
            yield "list", legend
    names = [each for each in rule.also_called if " " not in each]  # not "constraint 4" of a page of ms-swift
    if names:
        yield "text", tr(Message("Also called: {names}.", {"names": series(names)}))


def _example_blocks(shown: "Case", rule: "Rule", language: "Language") -> "Iterator[Block]":
    yield "heading", language.text(Message("The smallest file that shows it"))
    yield "code", "bash" if shown.is_script else "yaml", shown.config
    for name, text in shown.beside.items():
        yield "code", "console", f"$ cat {name}\n{text}"
    output = output_of(shown, rule if is_of_a_team(rule.code) else None, language)
    yield "code", "console", f"$ grpo-lint {shown.path}\n{output}"


def related(rule: "Rule") -> "list[Rule]":
    """Rules that may be broken by the same mistake: those that hide this one, those that it hides, and those about the same keys."""
    hidden = [each for each in ALL if rule.name in each.blocked_by]
    keys = {*rule.at, *(rule.broken.names if rule.broken else ())}
    alike = [each for each in ALL if each.code[:5] == rule.code[:5] and not keys.isdisjoint(each.at)]
    hides = [each for each in ALL if each.name in rule.blocked_by]
    found = [each for each in dict.fromkeys([*hides, *hidden, *alike]) if each is not rule]
    return sorted(found[:MOST_RELATED], key=lambda each: each.code)


def _operands(rule: "Rule", language: "Language" = ENGLISH) -> "list[str]":
    """What the operands of a condition mean that no plan shows: the formula of the newest regime that has one."""
    say = language.text
    otherwise = say(Message(", else "))
    return [
        f"`{name}`{language.colon}{otherwise.join(say(Message(in_words(each)) if in_words(each) else verbatim(_as_code(each))) for each in formulas)}"
        for name, formulas in operands_of(rule)
    ]


def in_words(formula: "Formula") -> str:
    """What a function computes, in the words of its documentation; nothing where these are code, or names alone."""
    told = formula.text.rstrip(".")
    is_code = type(formula.source) is str or all(each.isidentifier() for each in re.split(", |-", told))
    return "" if is_code else told


def _as_code(formula: "Formula") -> str:
    return f"`{formula.text}`" if type(formula.source) is str else formula.text.rstrip(".")


def operands_of(rule: "Rule") -> "Iterator[tuple[str, tuple[Formula, ...]]]":
    """The operands of a condition that no plan shows, and the formulas of each."""
    for name in rule.broken.names if rule.broken else ():
        formulas = next((each for each in _formulas_of(rule, name) if each), ())
        is_alias = any(each.is_path or each.text.replace(".", "").isalnum() for each in formulas)
        if name not in QUANTITIES and formulas and not is_alias and "unknown" not in formulas[0].names:
            yield name, formulas


def _formulas_of(rule: "Rule", name: str) -> "Iterator[tuple[Formula, ...]]":
    for framework in map(framework_named, NAMES):
        if any(row.rule == rule.name for row in framework.refusals.enforcement.rows):
            for regime in reversed(framework.arithmetic.regimes):
                yield regime.formulas.get(name, ())


def _sentence(text: str, language: "Language") -> str:
    return text + language.stop


def _meaning(name: str, language: "Language") -> str:
    _, unit, meaning = QUANTITIES[name]
    told = {"name": name, "unit": Message(unit), "meaning": Message(meaning)}
    return language.text(Message("`{name}` ({unit}): {meaning}" if unit else "`{name}`: whether {meaning}", told))


def _refusal_blocks(rule: "Rule", language: "Language") -> "Iterator[Block]":
    if is_of_a_team(rule.code):
        return
    tr = language.text
    yield "heading", tr(Message("What happens"))
    if rule.broken is None:
        yield from _parser_blocks(rule, language)
        return
    found = spans_of(rule)
    rows = [
        (
            span.title,
            tr(span.versions),
            tr(Message(span.row.stage if span.row else "never")),
            tr(_when(span)),
            _own_words(span.row, rule),
            _place_of_check(span),
        )
        for span in found
    ]
    header = map(Message, ("framework", "versions", "stage", "when", "in its own words", "in its source"))
    yield "table", tuple(map(tr, header)), rows
    severities = sorted({span.severity for span in found if span.row is None})
    if severities:
        worst = any_of(list(map(Message, severities)))
        told = Message(
            "Where it is not refused, the run starts, and grpo-lint reports a finding of severity {severity}.",
            {"severity": worst},
        )
        yield "text", tr(told)


def _parser_blocks(rule: "Rule", language: "Language") -> "Iterator[Block]":
    """The blocks of a rule about keys, values or files: it has no rows of enforcement."""
    if rule.refused_by:
        yield "text", language.text(text_of(rule, rule.refused_by))
    frameworks = [
        framework for framework in map(framework_named, reversed(NAMES)) if rule.name in framework.refusals.parser_says
    ]
    if frameworks:
        yield (
            "list",
            [
                each.title
                + language.colon
                + _sentence(language.text(Message(each.refusals.parser_says[rule.name])), language)
                for each in frameworks
            ],
        )


def _own_words(row: "Enforcement | None", rule: "Rule") -> str:
    return _code(row.wording) if row and row.wording else ""


def _place_of_check(span: Span) -> str:
    """The files that hold the check, with the function in each, or the package whose check it is."""
    told = places(span.framework).get(f"{span.row.rule} {span.row.since}", "") if span.row else ""
    return ", ".join(
        " ".join(map(_code, each.split())) if "/" in each or "." in each else each for each in told.split(", ") if each
    )


def _code(text: str) -> str:
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def page(rule: "Rule", language: "Language" = ENGLISH) -> str:
    """The page in Markdown."""
    parts = [f"# {rule.code} {rule.name}\n"]
    for kind, *content in blocks(rule, language):
        parts.append(_MARKDOWN[kind](*content))
    return "\n".join(parts)


def _markdown_table(header: "Sequence[str]", rows: "Sequence[Sequence[str]]") -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


_MARKDOWN: "dict[str, Callable[..., str]]" = {
    "heading": lambda text: f"## {text}\n",
    "text": lambda text: f"{text}\n",
    "list": lambda items: "".join(f"* {item}\n" for item in items),
    "code": lambda language, text: f"```{language}\n{text.rstrip()}\n```\n",
    "table": _markdown_table,
    "rules": lambda rules: "".join(f"* [{code} {name}]({name}.md): {summary}\n" for code, name, summary in rules),
}


def index() -> str:
    """The list of all rules in Markdown, and which of them are refused at which stage and by which framework."""
    rows = [(f"[{rule.code}]({rule.name}.md)", f"[{rule.name}]({rule.name}.md)", rule.summary) for rule in ALL]
    head = "Every rule has a code and a name; both are accepted wherever a rule is named. `grpo-lint rule GRPO203` shows a page in the\nterminal. Below the table the same rules are listed by [stage](#by-stage) and by [framework](#by-framework)."
    table = _markdown_table(("code", "name", "what must hold"), rows)
    spans = {rule: spans_of(rule) if rule.broken else [] for rule in ALL}
    by_stage = "".join(
        f"* **{stage}** ({_STAGES[stage]}): {_links(rule for rule in ALL if stage in map(_stage, spans[rule]))}\n"
        for stage in STAGES
        if stage in {_stage(span) for found in spans.values() for span in found}
    )
    by_framework = "".join(
        f"* **{title}**: {_links(rule for rule in ALL if title in {span.title for span in spans[rule]})}\n"
        for title in (framework_named(name).title for name in NAMES)
    )
    return (
        f"{GENERATED}\n\n# Rules\n\n{head}\n\n{table}\nFree codes: {', '.join(free_codes())}.\n"
        f"\n## By stage\n\n{_BY_STAGE}\n\n{by_stage}\n## By framework\n\n{_BY_FRAMEWORK}\n\n{by_framework}"
    )


_BY_STAGE = "When a release refuses the run. Rules about keys, values and files are not listed: their pages say what each framework does."
_BY_FRAMEWORK = "Rules about the settings of each framework, whether a release refuses them or not."
_STAGES = {
    "read": "the file or the command cannot be read",
    "config": "the arguments are refused",
    "init": "the trainer or an engine does not start",
    "run": "the first rollout, step or evaluation fails",
    "never": "the run starts, and does something other than the file says",
}


def _stage(span: Span) -> str:
    return span.row.stage if span.row else "never"


def _links(rules: "Iterable[Rule]") -> str:
    return ", ".join(f"[{rule.code}]({rule.name}.md)" for rule in rules)


def free_codes() -> "Iterator[str]":
    """The codes, as texts such as "GRPO222 - GRPO299", that no rule has, in the hundreds that have rules."""
    taken = {int(rule.code[4:]) for rule in ALL}
    free = [
        code
        for hundred in sorted({code // 100 for code in taken})
        for code in range(hundred * 100, hundred * 100 + 100)
        if code not in taken
    ]
    for first in free:
        if first - 1 in free and first % 100:
            continue
        last = next(code for code in range(first, first + 100) if code + 1 not in free or code % 100 == 99)
        yield f"GRPO{first:03}" if first == last else f"GRPO{first:03} - GRPO{last:03}"


# --- the terminal ---------------------------------------------------------------------------------------------------


def terminal(rule: "Rule", colour: bool, width: int, language: "Language" = ENGLISH) -> str:
    """The page for a terminal."""
    paint = painter(colour)
    lines = [paint("strong", f"{rule.code} {rule.name}"), ""]
    for kind, *content in blocks(rule, language):
        lines += [*_TERMINAL[kind](paint, width, *content), ""]
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    return text.replace("`` ", "").replace(" ``", "").replace("`", "")


def _terminal_table(
    paint: "Paint", width: int, header: "Sequence[str]", rows: "Sequence[Sequence[str]]"
) -> "list[str]":
    """A table would be too wide for most terminals: each row becomes a line, and the framework's words and where they are lines below it."""
    lines = []
    for framework, versions, stage, when, *more in rows:
        told = f"{framework} {versions}: " + when
        lines += wrapped(told, width, "  ", "    ")
        lines += [line for each in more if each for line in wrapped(_plain(each), width, "    ", "    ")]
    return lines


_TERMINAL: "dict[str, Callable[..., list[str]]]" = {
    "heading": lambda paint, width, text: [paint("label", text)],
    "text": lambda paint, width, text: wrapped(_plain(text), width),
    "list": lambda paint, width, items: [line for item in items for line in wrapped(_plain(item), width, "  ", "    ")],
    "code": lambda paint, width, language, text: [f"    {line}".rstrip() for line in text.rstrip().splitlines()],
    "table": _terminal_table,
    "rules": lambda paint, width, rules: [
        line for code, name, summary in rules for line in wrapped(f"{code} {name}: {summary}", width, "  ", "    ")
    ],
}


def table(colour: bool, team: "dict[str, Rule] | None" = None, language: "Language" = ENGLISH) -> str:
    """All rules, a line for each. `team`: {name: rule} of the team's own."""
    paint, rules = painter(colour), [*ALL, *(team or {}).values()]
    widest = max(cells(rule.name) for rule in rules)
    return "".join(
        f"{paint('strong', rule.code)}  {rule.name:<{widest}}  {language.text(text_of(rule, rule.summary))}\n"
        for rule in rules
    )


def found(likely: "Sequence[Found]", colour: bool, width: int, language: "Language" = ENGLISH) -> str:
    """The rules that a search has found, and why each."""
    paint, say = painter(colour), language.text
    lines = []
    for each in likely[:MOST_FOUND]:
        summary = say(text_of(each.rule, each.rule.summary))
        lines.append(f"{paint('strong', each.rule.code)}  {each.rule.name}{language.colon}{summary}")
        lines += wrapped(say(each.why), width, "          ", "          ")
    if len(likely) > MOST_FOUND:
        more = {"count": len(likely) - MOST_FOUND, "codes": series([each.rule.code for each in likely[MOST_FOUND:]])}
        lines.append(say(Message("and {count} more: {codes}", more)))
    return "\n".join([*lines, "", say(Message("`grpo-lint rule CODE` shows the page of one."))]) + "\n"


def cause(below: "Cause", colour: bool, width: int, language: "Language" = ENGLISH) -> str:
    """What a message of a layer below comes from, and the rules that may be broken then."""
    told = Message("{layer}: {meaning}", {"layer": below.layer, "meaning": below.tells})
    lines = "\n".join(wrapped(language.text(told), width, "", ""))
    rules = of_cause(below)
    return f"{lines}\n" + (f"\n{found(rules, colour, width, language)}" if rules else "")


# --- docs/rules -----------------------------------------------------------------------------------------------------


def pages() -> "dict[str, str]":
    """{file name: text} of everything in docs/rules."""
    return {"README.md": index(), **{f"{rule.name}.md": f"{GENERATED}\n\n{page(rule)}" for rule in ALL}}


def write_pages(folder: str) -> int:
    """Write all pages into a folder, and remove those of rules that are no more."""
    os.makedirs(folder, exist_ok=True)
    current = pages()
    for name in set(os.listdir(folder)) - current.keys():
        if name.endswith(".md"):
            os.remove(os.path.join(folder, name))
    for name, text in current.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(write_pages(*sys.argv[1:]))
