"""All that grpo-lint says to people: the templates of its Messages, and what it says about keys.

What stands in records is asked of the records themselves: rules, what each framework refuses and when, quantities, commands
and their options, rows of conversion. Any other template stands as a literal where its Message is made, and is read there.
A Message whose template is neither is refused: nobody could translate it.
"""

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import grpo_lint
from grpo_lint.changes.compare import RUN
from grpo_lint.cli.help import STATUS
from grpo_lint.cli.options import COMMANDS
from grpo_lint.frameworks.all_rules import ALL
from grpo_lint.frameworks.registry import NAMES, framework, meanings, run_template
from grpo_lint.frameworks.shared.counterparts import FRAMEWORKS, LACKS, ROWS
from grpo_lint.frameworks.shared.more_counterparts import LEFT, UNFOUNDED
from grpo_lint.frameworks.variables import VARIABLES
from grpo_lint.launch.facts import FACTS
from grpo_lint.plan.quantities import COUNTED, GROUPS, INNER_LABELS, LABELS, QUANTITIES, QUANTITY, label
from grpo_lint.report.explain.arithmetic import NAMED, forms_of
from grpo_lint.report.explain.symbols import SIGNS
from grpo_lint.report.rule_page import in_words, operands_of
from grpo_lint.rules.base import STAGES, STATUSES
from grpo_lint.source.quoting import NOUNS

PACKAGE = Path(grpo_lint.__file__).parent


class Template(NamedTuple):
    """What a Message is known by in a catalogue."""

    singular: str
    plural: str = ""
    context: str = ""


def messages() -> "dict[Template, list[str]]":
    """{template: where it is from}, in a lasting order."""
    found: dict[Template, list[str]] = {}
    for place, template in (*_of_records(), *_of_code()):
        if template.singular and place not in found.setdefault(template, []):
            found[template].append(place)
    return found


def sentences() -> "dict[Template, list[str]]":
    """{what a key means: the frameworks that say so}."""
    found: dict[Template, list[str]] = {}
    for name in NAMES:
        for told in (told for table in meanings(name).TABLES for told in table.values()):
            places = found.setdefault(Template(told), [])
            if name not in places:
                places.append(name)
    for told in VARIABLES.values():
        found.setdefault(Template(told), []).append("variables")
    return found


# --- records --------------------------------------------------------------------------------------------------------


def _of_records() -> "Iterator[tuple[str, Template]]":
    for rule in ALL:
        for text in (
            rule.summary,
            rule.message,
            *(told for _, told in rule.special),
            rule.why,
            rule.instead,
            rule.refused_by,
        ):
            yield rule.code, Template(text)
        for text in rule.also_called:
            yield rule.code, Template(text)
        for _, formulas in operands_of(rule):
            for formula in formulas:
                yield rule.code, Template(in_words(formula))
    for name in NAMES:
        for text in _of_a_framework(name):
            yield name, Template(text)
        for regime in framework(name).arithmetic.regimes:
            for text in regime.idle:
                yield name, Template(text)
    for name in (*QUANTITIES, *LABELS):
        for template in _of_a_quantity(name):
            yield f"quantity {name}", template
    for name, words in INNER_LABELS.items():
        yield f"formula {name}", Template(words, "", QUANTITY)
        for whole in (True, False):
            yield f"formula {name}", Template(*forms_of(name, whole), COUNTED)
    for name in sorted(NAMED):
        yield "formulas", Template(label(name), "", QUANTITY)
    for text in RUN:
        yield "differences", Template(text, "", QUANTITY)
    for text in (*GROUPS, *(meaning for _, meaning in SIGNS.values())):
        yield "explain", Template(text)
    for spec in FACTS.values():
        yield "facts", Template(spec.kind)
        yield "facts", Template(spec.help)
    for text in (*STAGES, *(status.capitalize() for status in STATUSES), "error", "warning", "info"):
        yield "rule", Template(text)
    for singular, several in NOUNS.items():
        yield "counts", Template(f"{{count}} {singular}", f"{{count}} {several}")
    for command, about in COMMANDS.items():
        for text in (about.purpose, *(option.help for option in about.options())):
            yield f"help {command}", Template(text)
    for text in STATUS:
        yield "help", Template(text)


def _of_a_framework(name: str) -> "Iterator[str]":
    """When and in which words of ours a framework refuses, and what to do about keys that it has no more."""
    found = framework(name)
    yield from (row.moment for row in found.refusals.enforcement.rows)
    yield from found.refusals.parser_says.values()
    yield from found.reader.renames.remarks.values()
    yield run_template(name).about
    if name in FRAMEWORKS:
        yield from (row.look_at for row in ROWS)
        yield from (text for (target, _), text in LACKS.items() if target == name)
        yield from (text for *_, text in (*LEFT.get(name, ()), *UNFOUNDED.get(name, ())))


def _of_a_quantity(name: str) -> "Iterator[Template]":
    if name in QUANTITIES:
        _, unit, meaning = QUANTITIES[name]
        yield Template(unit)
        yield Template(meaning)
    yield Template(label(name), "", QUANTITY)
    for whole in (True, False):
        yield Template(*forms_of(name, whole), COUNTED)


# --- literals -------------------------------------------------------------------------------------------------------

# {module: its tables and constants of templates}: of rows, the last item is one
TABLES = {
    "report.explain.arithmetic": ("_SIGNS", "_COMPARISONS", "_CALL", "_CALLS"),
    "report.explain.checks": ("_MUST",),
    "report.explain.symbols": ("ROUNDED_UP",),
    "report.changes": ("_BEHIND_VERB",),
    "source.yaml.recovery": ("_SENTENCES",),
    "settings.limits": ("_WORDS",),
    "checker.cut_commands": ("_CAUSES",),
}
# what a Message is made of where that is no literal: it stands in a record, in one of the tables, or in another Message
KNOWN = frozenset(
    """rule.summary rule.why rule.instead rule.refused_by finding.rule.instead refusal.rule.summary finding.message
    enforced.moment row.look_at option.help COMMANDS[name].purpose line each.refusals.parser_says[rule.name] severity
    finding.severity each.severity refusal.severity rule.status.capitalize() meaning unit group label(name) INNER_LABELS[name] one told
    template template.about spec.kind spec.help remark label(quantity) behind consequence.template sentence _CALLS.get(name,_CALL) _SIGNS[kind] _COMPARISONS[type(operator)]
    _MUST[ast.Eqifis_knownelseoperator] f'{{count}}{noun}' severities described(name) them several consequence.plural span.row.stage ROUNDED_UP text reason _CAUSES[lost.cause] _WORDS[key] f'{{count}}{NOUNS[noun]}' self.rule.also_called[:numbered] VARIABLES[name] in_words(each)""".split()
)


def _of_code() -> "Iterator[tuple[str, Template]]":
    for path in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                for template in _templates_of(node):
                    yield module, template
    for module, names in TABLES.items():
        for name in names:
            for text in _texts(getattr(importlib.import_module(f"grpo_lint.{module}"), name)):
                yield module, Template(text)


def _texts(table: object) -> "Iterator[str]":
    if isinstance(table, str):
        yield table
    elif isinstance(table, dict):
        yield from table.values()
    elif isinstance(table, tuple):
        yield from (row[-1] for row in table)


def _templates_of(call: "ast.Call") -> "Iterator[Template]":
    """The literal templates of a call that makes Messages."""
    made = ast.unparse(call.func)
    if made == "Message":
        plural = [each.value for each in call.keywords if each.arg == "plural"] or call.args[2:3]
        several = [*_literals(plural[0])] if plural else []
        for first in _literals(call.args[0]):
            yield Template(first, *several)
    elif made in ("_Rounded", "folded"):
        yield from map(Template, _literals(call.args[1 if made == "folded" else 0]))
    elif made == "map" and ast.unparse(call.args[0]) == "Message":
        yield from map(Template, _literals(call.args[1]))


def _literals(node: "ast.expr") -> "Iterator[str]":
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from (*_literals(node.body), *_literals(node.orelse))
    elif isinstance(node, (ast.Tuple, ast.List)):
        for each in node.elts:
            yield from _literals(each)
    elif ast.unparse(node).replace(" ", "") not in KNOWN:
        raise Unknown(ast.unparse(node))


class Unknown(Exception):
    """A Message is made of something that no record knows."""
