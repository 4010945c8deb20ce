"""Formulas are arithmetic and comparisons; what is more is a table of words, a list of cases, or a typed function."""

import ast
import inspect
import re
from pathlib import Path

import pytest

import grpo_lint
from grpo_lint.frameworks.registry import NAMES, commands, framework
from grpo_lint.frameworks.rule_sets import rules_of
from grpo_lint.plan.formula import VOCABULARY, Formula, Reading, Special

LONGEST = 120  # characters


def every_formula():
    """{source: formula} of all frameworks and their other programs: of quantities, of conditions of rules, of settings without
    effect."""
    found = {}
    for each in (*map(framework, NAMES), *other_programs()):
        for regime in each.arithmetic.regimes:
            for formulas in regime.formulas.values():
                found.update((formula.source, formula) for formula in formulas)
            found.update((condition.source, condition) for condition, _ in regime.idle.values())
        found.update((rule.broken.source, rule.broken) for rule in rules_of(each.name).conditions)
    return found


def other_programs():
    """The frameworks as their other programs have them, those of somebody's own as well."""
    for own in commands():
        for entry in filter(None, (*own.entry_points, own.others)):
            yield framework(entry.fork or own.framework, entry)


FORMULAS = every_formula()
LINES = sorted(
    {source for source in FORMULAS if not isinstance(source, Special)}
    | {line for source in FORMULAS if isinstance(source, Special) for line in source.conditions}
)
CALCULATIONS = {name: value for name, value in VOCABULARY.items() if name.startswith("_") and inspect.isfunction(value)}


def what_is_wrong(line):
    """Why a line is no arithmetic that one reads at once; an empty text where it is."""
    if len(line) > LONGEST:
        return f"{len(line)} characters"
    tree = ast.parse(line, mode="eval")
    compared = {
        id(side) for node in ast.walk(tree) if isinstance(node, ast.Compare) for side in (node.left, *node.comparators)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and type(node.value) is str
            and id(node) not in compared
            and not is_part(node, tree)
        ):
            return f"the text {node.value!r} is compared with nothing"
        if isinstance(node, ast.BinOp) and type(node.op) in (ast.Div, ast.FloorDiv, ast.Mod):
            if isinstance(node.right, ast.Constant) and node.right.value == 0:
                return "a division by 0: write `unknown`"
    return ""


def is_part(text, tree):
    """Whether a text names a part of a setting: `fields['a']`."""
    return any(isinstance(node, ast.Subscript) and node.slice is text for node in ast.walk(tree))


@pytest.mark.parametrize("line", LINES)
def test_a_formula_is_a_short_line_of_arithmetic(line):
    assert not what_is_wrong(line)


@pytest.mark.parametrize(
    "line", ["'a' if x else ''", "x in ('a', 'b')", "1 // 0 if x else y", "x + " * 40 + "x", "beyond(x, 'ab')"]
)
def test_what_is_more_is_noticed(line):
    assert what_is_wrong(line)


@pytest.mark.parametrize("name", sorted(CALCULATIONS))
def test_a_calculation_says_what_it_is(name):
    """Its first line is what explain and the pages of rules show; its names are the attributes of what it reads."""
    function = CALCULATIONS[name]
    assert 20 <= len((function.__doc__ or "").strip().partition("\n")[0]) <= LONGEST
    tree = ast.parse(inspect.getsource(function))
    read = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "read"
    }
    formula = next(formula for source, formula in FORMULAS.items() if source.startswith(f"{name}("))
    assert set(formula.names) == read
    assert list(inspect.signature(function).parameters.values())[0].annotation in (Reading, "Reading")


def test_cases_are_told_apart_from_what_is_unknown():
    assert Formula("unknown if far else near").names == ("far", "unknown", "near")


def test_formulas_are_computed_by_the_plan_alone():
    """It knows no functions but those of VOCABULARY. The Python file of a team, which the user asked to run, is no formula, nor is a
    module of ours that a wheel ships as code."""
    package = Path(grpo_lint.__file__).parent
    found = {path.relative_to(package).as_posix() for path in package.rglob("*.py") if EVALUATED.search(path.read_text(encoding="utf-8"))}  # fmt: skip
    assert found == {"plan/plan.py", "plan/process_counts.py", "settings/python_files.py", "shipped.py"}


EVALUATED = re.compile(r"(?<![\w.])(?:eval|exec)\(")
