"""Hover: what a key is, which numbers of this file depend on it, and what a rule is about."""

import re

from ..checker.findings import span_of
from ..frameworks.all_rules import find_rule, is_of_a_team
from ..launch.facts import fact_named
from ..launch.origin import place_of
from ..message import NOTHING, Message, series
from ..plan.quantities import QUANTITIES
from ..report.explain import steps_in_words
from ..report.json import lsp_range, page_of
from ..report.language import ENGLISH
from ..report.messages import judged_as, text_of, verdict
from ..report.printable import JOINER, MARKS_OF_MARKDOWN, in_markdown_of_an_editor as in_markdown
from ..report.side_by_side import shown_plan
from ..source.quoting import shortened
from ..source.yaml.scalars import shown_value
from .comments import about_fact, about_quantity
from .numbers import batches, per_rank, reuse
from .places import findings_at, kind_of, our_comment, properties, releases_with, setting_at, word_at
from .surroundings import about_launch_key, section_at, variable_at
from .words import about, capital, headed, one_of, paragraphs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Finding, Json, Language, Launch, Report, Rule, Setting
    from ..source.text import Span


def hover(
    report: "Report", offset: int, encoding: str, explains: str = "", language: "Language" = ENGLISH
) -> "Json | None":
    """The LSP Hover for a place; None when there is nothing to show. `explains`: the client's command that shows the
    plan of the run, for a link to it; `language`: of the texts about rules."""
    if our_comment(report.text, offset) is not None:
        found = _in_comment(report, offset, language)
    else:
        found = (
            _around_settings(report, offset, variable_at(report, offset), language)
            or _at_setting(report, offset, language)
            or _around_settings(report, offset, section_at(report, offset), language)
            or _at_finding(report, offset, language)
        )
    if found is None:
        return None
    text, span = found
    if explains and report.launches:
        text += f"\n\n[{language.text(Message('Explain this run'))}](command:{explains})"
    return {"contents": {"kind": "markdown", "value": text}, "range": lsp_range(report.text, span, encoding)}


def plain(markdown: str) -> str:
    """The same text without Markdown, for a client that renders none."""
    text = re.sub(r"(?<!\\)(?:\*\*|`|(?<!\S)\*(?=\S)|(?<=\S)\*$)", "", markdown, flags=re.MULTILINE)
    text = re.sub(r"(?<!\\)\[([^\[\]\\]*)\]\(([^()]*)\)", r"\1: \2", text)
    return re.sub(rf"\\({MARKS_OF_MARKDOWN})", r"\1", text).replace(JOINER, "")


# --- keys -----------------------------------------------------------------------------------------------------------


def _at_setting(report: "Report", offset: int, language: "Language") -> "tuple[str, Span] | None":
    found = setting_at(report, offset)
    if found is None:
        return None
    launch, setting, is_key = found
    span = setting.key if is_key else setting.span
    parts = [
        language.text(about_key(launch, setting.name)),
        _layers(report, setting, language),
        _numbers(launch, setting.name, language),
        *(about_rule(finding.rule, finding, language) for finding in findings_at(report, offset)),
    ]
    return "\n\n---\n\n".join(filter(None, parts)), span


def _around_settings(
    report: "Report", offset: int, found: "tuple[Message, Span] | None", language: "Language"
) -> "tuple[str, Span] | None":
    """A section or a variable, with the findings there."""
    if found is None:
        return None
    told, span = found
    findings = (about_rule(finding.rule, finding, language) for finding in findings_at(report, offset))
    return "\n\n---\n\n".join([language.text(told), *findings]), span


def about_key(launch: "Launch", name: str) -> Message:
    """What a key is, in Markdown: type, default, meaning, releases."""
    release = f"{launch.framework.title} {launch.candidates[0].text}"
    described = properties(launch).get(name)
    if described is None:
        told = about_launch_key(launch, name)
        return paragraphs([headed(name), told]) if told else _unknown_key(launch, name, release)
    default = NOTHING
    if "default" in described:
        default = Message("default `{value}`", {"value": shown_value(described["default"])})
    values = one_of(described.get("enum", ()))
    if "enum" not in described and "examples" in described:
        values = Message("Such as {values}.", {"values": series([f"`{each}`" for each in described["examples"]])})
    head = headed(name, kind_of(described), default)
    return paragraphs([head, described["description"], values, Message("*{release}*", {"release": release})])


def _unknown_key(launch: "Launch", name: str, release: str) -> Message:
    known = releases_with(launch, name)
    if not known:
        return headed(in_markdown(name), Message("no key of {release}", {"release": launch.framework.title}))
    fields = launch.fields(launch.candidates[0])
    successor, remark = launch.framework.reader.renames.successor(name, fields)
    told = {"release": release, "framework": launch.framework.title, "releases": known}
    return paragraphs(
        [
            headed(
                name,
                Message("no key of {release}; {framework} {releases} know it", told)
                if "-" in known or "," in known
                else Message("no key of {release}; {framework} {releases} knows it", told),
            ),
            Message("`{key}` took its place.", {"key": successor}) if successor else NOTHING,
            Message("{sentence}.", {"sentence": capital(Message(remark))}) if remark else NOTHING,
        ]
    )


def _layers(report: "Report", setting: "Setting", language: "Language") -> str:
    """The other places that set the same key in the runs of the file: those that override this one, and those that it
    overrides."""
    lines: dict[str, None] = {}
    for launch in report.launches:
        counts, *lost = launch.all_occurrences(setting.name) or (None,)
        if counts is None or not any(each.entry is setting.entry for each in (counts, *lost)):
            continue
        overrides = counts.entry is setting.entry
        for other in lost if overrides else [counts]:
            told = {
                "setting": f"{setting.name}: {shortened(shown_value(other.value))}",
                "place": place_of(other.text or report.text, other.key.start),
            }
            line = (
                Message("Overrides {setting} in {place}.", told)
                if overrides
                else Message("Overridden by {setting} in {place}.", told)
            )
            lines[in_markdown(language.text(line))] = None
    return "\n\n".join(lines)


def _numbers(launch: "Launch", name: str, language: "Language") -> str:
    """The quantities that a setting enters, with the numbers of this file."""
    plan = shown_plan(launch)
    lines = [batch.line(plan) for batch in batches(launch, plan) if batch.reads(plan, name)]
    if plan.value("total_steps") is not None and name in plan.leaves(["total_steps"]):
        lines.append(about(Message("the run"), steps_in_words(launch, plan)))
    if not lines:
        return ""
    lines += filter(None, (reuse(plan), per_rank(plan)))
    head = f"{in_markdown(language.text(judged_as(launch)))}{language.colon.rstrip()}"
    return f"{head}\n\n" + "\n".join(f"* {language.text(line)}" for line in lines)


# --- rules ----------------------------------------------------------------------------------------------------------


def _at_finding(report: "Report", offset: int, language: "Language") -> "tuple[str, Span] | None":
    found = findings_at(report, offset)
    if not found:
        return None
    return "\n\n---\n\n".join(about_rule(finding.rule, finding, language) for finding in found), span_of(found[0])


def about_rule(rule: "Rule", finding: "Finding | None" = None, language: "Language" = ENGLISH) -> str:
    """What a rule is about, in Markdown; with a finding, also who refuses the run here."""
    text = in_markdown if is_of_a_team(rule.code) else str  # a team's text may have come with a stranger's branch
    tr = language.text
    lines = [f"**{rule.code} {rule.name}** · {text(tr(text_of(rule, rule.summary)))}{language.stop}"]
    if finding is not None and finding.launch is not None and finding.candidate is not None:
        who = in_markdown(language.text(verdict(finding, finding.launch)))
        lines.append(who + language.stop if who and not who.endswith(('"', "”")) else who)
    page = f"[{language.text(Message('The page of this rule'))}]({page_of(rule)})"
    lines += [text(tr(text_of(rule, rule.why))), text(tr(text_of(rule, rule.instead))), page]
    return "\n\n".join(filter(None, lines))


# --- comments -------------------------------------------------------------------------------------------------------


def _in_comment(report: "Report", offset: int, language: "Language") -> "tuple[str, Span] | None":
    span = word_at(report.text, offset)
    word = report.text[span]
    launches = [launch for launch in report.launches if launch.candidates]
    rule, name = find_rule(word, report.rules), word.replace("-", "_")
    if rule is not None:
        return about_rule(rule, language=language), span
    fact = fact_named(word)
    if fact is not None:
        return language.text(about_fact(fact)), span
    if launches and name in QUANTITIES:
        return language.text(about_quantity(launches[0], name)), span
    if launches and launches[0].fields(launches[0].candidates[0])[name]:
        return language.text(about_key(launches[0], name)), span
    judged = (in_markdown(language.text(judged_as(launch))) for launch in launches)
    return ("\n\n".join(judged), span) if launches else None
