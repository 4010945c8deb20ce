"""Directives (comments that begin with `grpo-lint:`): what may be written in them, and what their words mean."""

import re

from ..frameworks.all_rules import ALL
from ..frameworks.registry import NAMES, framework as framework_named
from ..launch.comment_grammar import VERBS, comment_verb, read_comment
from ..launch.facts import CHOICE, FACTS, fact_named, option_name
from ..message import NOTHING, Message, sentences
from ..plan.quantities import QUANTITIES
from ..report.messages import formula_with_numbers, judged_as, text_of
from ..report.side_by_side import Each, shown_plan
from ..source.yaml.scalars import shown_value
from .words import about, aside, capital, equal, headed, one_of, paragraphs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Context, Json, Launch, Rule, Sequence, ShownPlan


PROPERTY, ENUM_MEMBER, KEYWORD, VALUE, REFERENCE = 10, 20, 14, 12, 18  # LSP CompletionItemKind
_SUPPRESSED = re.compile(r"\[(?:[^\[\]\n]*,)?\s*([\w-]*)\Z")
_NAME_AND_VALUE = re.compile(r"(?<![\w-])([\w-]+)=([\w.|-]*)\Z")
_WORD = re.compile(r"(?<![\w-])[\w-]*\Z")
_ABOUT_VERB = {
    "expect": Message("what the runs of this file are to be"),
    "ignore": Message("findings that are not reported"),
    "ignore-file": Message("findings that are not reported in this file"),
}
_BEHIND_VERB = {"expect": " "}


# --- completion -----------------------------------------------------------------------------------------------------


def in_comment(comment: str, before: str, launches: "list[Launch]", context: "Context") -> "tuple[int, list[Json]]":
    """(column, items) of the completions at the end of `before`, the line as far as it is typed, inside a directive."""
    suppressed = _SUPPRESSED.search(before)
    if suppressed:
        own = context.policy.rules if context.policy else None
        return suppressed.start(1), [_rule(rule) for rule in (*ALL, *(own or {}).values())]
    expects = comment_verb(comment) == "expect"
    value = _NAME_AND_VALUE.search(before)
    if value:
        values = (
            _present_value(launches, value[1]) if expects else _values_of_fact(fact_named(value[1]), comment, launches)
        )
        return value.start(2), values
    start = _WORD.search(before).start()  # type: ignore[union-attr]  # an empty word stands everywhere
    if not re.search(r"grpo[-_]lint\s*:", before, re.IGNORECASE):
        return start, []
    if expects and re.search(r"\bexpect\s", before, re.IGNORECASE):
        return start, _expectable(launches)
    present = read_comment(comment, 0)[0]
    facts = [
        {
            "label": option_name(name),
            "kind": PROPERTY,
            "detail": Message(spec.kind),
            "documentation": Message(spec.help),
            "new": f"{option_name(name)}=",
        }
        for name, spec in FACTS.items()
        if name not in present
    ]
    verbs = (
        []
        if present
        else [
            {"label": verb, "kind": KEYWORD, "detail": _ABOUT_VERB[verb], "new": verb + _BEHIND_VERB.get(verb, "[")}
            for verb in VERBS
        ]
    )
    return start, facts + verbs


def _rule(rule: "Rule") -> "Json":
    return {
        "label": rule.code,
        "kind": REFERENCE,
        "detail": rule.name,
        "documentation": text_of(rule, rule.summary),
        "filterText": f"{rule.code} {rule.name}",
    }


def _values_of_fact(name: "str | None", comment: str, launches: "list[Launch]") -> "list[Json]":
    if name is None:
        return []
    spec = FACTS[name]
    if spec.kind == CHOICE:
        return [{"label": choice, "kind": ENUM_MEMBER} for choice in spec.choices]
    return [{"label": release, "kind": VALUE} for release in reversed(_releases(name, comment, launches))]


def _releases(name: str, comment: str, launches: "list[Launch]") -> "Sequence[str]":
    """The releases that a fact may state, oldest first."""
    if name in NAMES:  # installed beside the framework
        return framework_named(name).catalogue.releases
    if name != "version":
        return ()
    stated = read_comment(comment, 0)[0].get("dialect")
    if stated is not None:
        return framework_named(stated.value).catalogue.releases
    return launches[0].framework.catalogue.releases if launches else ()


def _expectable(launches: "list[Launch]") -> "list[Json]":
    """What can be expected of a run: its quantities, the known ones first, and the settings of the file."""
    if not launches:
        return []
    plan = shown_plan(launches[0])
    quantities = [name for name in QUANTITIES if name in launches[0].candidates[0].regime.quantities]
    known = sorted(quantities, key=lambda name: plan.value(name) is None)
    return [_expectation(plan, name) for name in (*known, *launches[0].entries)]


def _expectation(plan: "ShownPlan", name: str) -> "Json":
    _, unit, meaning = QUANTITIES.get(name, ("", "", ""))
    value = plan.value(name)
    now = NOTHING if value is None else Message("now {value}", {"value": shown_value(value)})
    return {
        "label": name,
        "kind": PROPERTY,
        "detail": aside([Message(unit), now]),
        "documentation": Message(meaning),
        "new": f"{name}=",
    }


def _present_value(launches: "list[Launch]", name: str) -> "list[Json]":
    value = shown_plan(launches[0]).value(name.replace("-", "_")) if launches else None
    if value is None or isinstance(value, (Each, dict, list, tuple)):
        return []
    return [{"label": shown_value(value), "kind": VALUE, "detail": Message("what it is now")}]


# --- hover ----------------------------------------------------------------------------------------------------------


def about_fact(name: str) -> Message:
    """What a fact is, in Markdown."""
    spec = FACTS[name]
    told = Message("{sentence}.", {"sentence": capital(Message(spec.help))})
    return paragraphs([headed(option_name(name), Message(spec.kind)), sentences([told, one_of(spec.choices)])])


def about_quantity(launch: "Launch", name: str) -> Message:
    """What a quantity is and its value in this file, in Markdown."""
    _, unit, meaning = QUANTITIES[name]
    plan = shown_plan(launch)
    value = plan.value(name)
    parts = [headed(name, Message(unit)), Message("{sentence}.", {"sentence": capital(Message(meaning))})]
    if value is not None:
        how = formula_with_numbers(plan, plan.chosen[name]) if name in plan.chosen else NOTHING
        number = Message("**{number}**", {"number": shown_value(value)})
        parts.append(about(judged_as(launch), equal((how, number))))
    return paragraphs(parts)
