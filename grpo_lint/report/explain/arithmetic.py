"""Formulas with their numbers: what a quantity was computed from, spelled for people; and what is missing where it is not known."""

import ast
from functools import lru_cache

from ...launch.facts import IN_PLAN, told
from ...message import Message, all_of, ands, clauses, ors, series, tied
from ...plan.formula import VOCABULARY, Formula, Unknown, Unset
from ...plan.quantities import COUNTED, INNER_LABELS, QUANTITIES, QUANTITY, label
from ...source.quoting import plural
from ...source.yaml.scalars import shown_value
from ..printable import clean
from ..side_by_side import Each, plans_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...shared_types import ShownPlan

MOST_SHOWN = 24  # characters of a text in a table
LONGEST_LIST = 60  # characters of a list whose items are shown
MOST_FORMULAS = 1000  # whose names are remembered: all that a plan asks for


def shown(value: object) -> Message:
    """A value as people read it: short, harmless, whole numbers with commas."""
    if isinstance(value, (list, dict)):
        return plural(len(value), "item")
    return Message("{value}", {"value": _in_short(value)})


def _in_short(value: object) -> str:
    if isinstance(value, Each):
        return " | ".join(map(_in_short, value))
    if type(value) is int:
        return f"{value:,}"
    if type(value) is float and value.is_integer() and abs(value) < 1e15:
        return f"{int(value):,}"
    text = clean(shown_value(value))
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 3] + "..."


# --- what stands behind a quantity ----------------------------------------------------------------------------------


NO_NAME = "unknown"  # what formulas read to say that they do not know


def missing(plan: "ShownPlan", name: str) -> Message:
    """'needs world-size': what would have to be known for a quantity to be."""
    open_names = [leaf for leaf in leaves(plan, name) if plan.value(leaf) is None and not plan.is_unset(leaf)]
    wanted = [leaf for leaf in open_names if leaf != NO_NAME]
    if not wanted:
        return Message("cannot be computed from these values")
    return Message("needs {names}", {"names": ands(list(map(told, wanted)))})


def leaves(plan: "ShownPlan", name: str) -> "list[str]":
    """The settings and facts behind a quantity: those of the formula that gave its value, or kept it from having one."""
    found, pending, seen = {}, [name], set()
    while pending:
        name = pending.pop()
        if name in seen:
            continue
        seen.add(name)
        formula = plan.chosen.get(name) or first_unknown(plan, name)
        if formula is not None:
            pending.extend(reversed(_names_read(plan, formula)))
        elif name not in plan.formulas:
            found[name] = True
    return list(found)


def first_unknown(plan: "ShownPlan", name: str) -> "Formula | None":
    """The formula of a quantity whose value is unknown: the first that applies."""
    for formula in plan.formulas.get(name, ()):
        try:
            plan.evaluate(formula)
        except Unset:
            continue
        except Unknown:
            if not _is_passed_over(plan, formula):
                return formula
    return None


def _is_passed_over(plan: "ShownPlan", formula: "Formula") -> bool:
    """Whether a formula reads a null behind something unknown, which was met first."""
    return formula.reads_all and any(map(plan.is_unset, formula.names))


def _names_read(plan: "ShownPlan", formula: "Formula") -> "list[str]":
    """The names a formula reads, in its order, without those of a branch that is not taken."""
    if formula.is_path:
        return [formula.source]
    tests, names = _branches(formula.source)
    return _names_in([taken(plan, formula), *tests]) if tests else names


@lru_cache(MOST_FORMULAS)
def _branches(source: str) -> "tuple[list[ast.expr], list[str]]":
    """(the conditions that choose between the branches of a formula, the names in all of it), neither to be changed."""
    tree = ast.parse(source, mode="eval")
    return [node.test for node in ast.walk(tree) if isinstance(node, ast.IfExp)], _names_in([tree])


def _names_in(nodes: "Sequence[ast.AST]") -> "list[str]":
    """The names that parts of a formula read, in its order."""
    found = [node for each in nodes for node in ast.walk(each) if isinstance(node, ast.Name)]
    return [node.id for node in sorted(found, key=lambda node: node.col_offset) if node.id not in VOCABULARY]


def taken(plan: "ShownPlan", formula: "Formula") -> "ast.expr":
    """A formula as a tree, without the branches that are not taken."""
    if formula.is_path:
        return ast.Name(formula.source)
    whole = ast.parse(formula.source, mode="eval").body
    chosen: ast.expr = _Taken(plan).visit(whole) if _branches(formula.source)[0] else whole
    return chosen


class _Taken(ast.NodeTransformer):
    """Replaces `a if condition else b` by what is taken; by all of it when that cannot be told."""

    def __init__(self, plan: "ShownPlan") -> None:
        self.plan = plan

    def visit_IfExp(self, node: "ast.IfExp") -> "ast.AST":
        try:
            holds = self.plan.evaluate(Formula(ast.unparse(node.test)))
        except (Unknown, Unset):
            return node
        chosen: ast.AST = self.visit(node.body if holds else node.orelse)
        return chosen


# --- formulas with numbers ------------------------------------------------------------------------------------------

_SIGNS = {
    ast.Add: "{left} + {right}",
    ast.Sub: "{left} - {right}",
    ast.Mult: "{left} x {right}",
    ast.Div: "{left} / {right}",
    ast.FloorDiv: "{left} // {right}",
    ast.Mod: "{left} % {right}",
}
_BINDS = {ast.Add: 1, ast.Sub: 1, ast.Mult: 2, ast.Div: 2, ast.FloorDiv: 2, ast.Mod: 2}
_COMPARISONS = {
    ast.Eq: "{left} is {right}",
    ast.NotEq: "{left} is not {right}",
    ast.Is: "{left} is {right}",
    ast.IsNot: "{left} is not {right}",
    ast.Gt: "{left} > {right}",
    ast.Lt: "{left} < {right}",
    ast.GtE: "{left} >= {right}",
    ast.LtE: "{left} <= {right}",
    ast.In: "{left} in {right}",
    ast.NotIn: "{left} not in {right}",
}
_CALL = "{function}({arguments})"
_CALLS = {"ceil": "rounded up ({arguments})", "int": "rounded down ({arguments})"}


def numbers_put_in(plan: "ShownPlan", formula: "Formula") -> Message:
    """'8 per micro batch x 6 processes': a formula with the value of each of its names; what changes nothing is left out."""
    return spelled(plan, taken(plan, formula))


def spelled(plan: "ShownPlan", node: "ast.AST", binds: int = 0, whole: bool = False) -> Message:
    """A part of a formula with its numbers. `binds`: how tightly what stands around it does; `whole`: with whole labels."""
    if isinstance(node, ast.Name):
        return operand(plan, node.id, whole)
    if isinstance(node, ast.Constant):
        return shown(node.value)
    if isinstance(node, ast.BinOp):
        return _operation(plan, node, binds, whole)
    if isinstance(node, ast.Call):
        return _call(plan, node, binds, whole)
    if isinstance(node, ast.BoolOp):
        told = [spelled(plan, value, 1, whole) for value in node.values]
        return _bracketed(all_of(told) if isinstance(node.op, ast.And) else ors(told), binds > 0)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return Message("not {condition}", {"condition": spelled(plan, node.operand, 1, whole)})
    if isinstance(node, ast.Compare):
        compared = spelled(plan, node.left, 1, whole)
        for operator, right in zip(node.ops, node.comparators):
            compared = Message(
                _COMPARISONS[type(operator)], {"left": compared, "right": spelled(plan, right, 1, whole)}
            )
        return compared
    return Message("{formula}", {"formula": ast.unparse(node)})


def _bracketed(told: Message, is_part: bool) -> Message:
    return Message("({part})", {"part": told}) if is_part else told


# formulas without a row of their own that others show with their number
NAMED = frozenset(
    "weight_shards gradient_shards optimizer_shards frozen_shards device_rollout_prompt_count steps_of_none ends_on_partial_update sequence_parallel".split()
)


def operand(plan: "ShownPlan", name: str, whole: bool = False) -> Message:
    """'8 prompts per rollout' of a quantity or fact, 'num_generations 8' of a setting. Completions go without saying."""
    name = _behind(plan, name)
    value = plan.value(name)
    is_inner = name in INNER_LABELS and name in plan.formulas
    if name not in QUANTITIES and name not in IN_PLAN and not (is_inner and type(value) is not str):
        called = label_of(name) if name in NAMED else label(name) if name in plan.formulas else name
        told = {"name": called, "value": Message("unset") if value is None else shown(value)}
        return tied(Message("{name} {value}", told))
    if value is None:
        return tied(Message(INNER_LABELS[name], context=QUANTITY) if is_inner else label_of(name))
    return tied(Message("{number} {label}", {"number": shown(value), "label": counted(name, value, whole)}))


def label_of(name: str) -> Message:
    """The label of a quantity or fact."""
    return Message(label(name), context=QUANTITY)


def counted(name: str, value: object, whole: bool = True) -> Message:
    """The label of a quantity behind its value; completions go without saying but for `whole` ones."""
    one, several = forms_of(name, whole)
    return Message(one, {}, several, value, context=COUNTED)


def forms_of(name: str, whole: bool) -> "tuple[str, str]":
    """The label of a quantity behind 1, and behind other numbers."""
    words = INNER_LABELS.get(name) or label(name)
    words = words if whole else words.removeprefix("completions ")
    return words if words.startswith("per ") else of_one(words), words


def _behind(plan: "ShownPlan", name: str) -> str:
    """The setting behind a formula that nobody has described and that only gives it another name."""
    formula = plan.chosen.get(name)
    while formula is not None and name not in QUANTITIES and (formula.is_path or formula.text.isidentifier()):
        name = formula.text
        formula = plan.chosen.get(name)
    return name


def of_one(words: str) -> str:
    """'rollout prompt per rank' for 'rollout prompts per rank'."""
    things, per, whole = words.partition(" per ")
    return (
        ("process" if things == "processes" else things.removesuffix("es" if things.endswith("ches") else "s"))
        + per
        + whole
    )


def _operation(plan: "ShownPlan", node: "ast.BinOp", binds: int, whole: bool) -> Message:
    kind = type(node.op)
    if kind in (ast.Mult, ast.FloorDiv, ast.Div) and _changes_nothing(plan, node.right):
        return spelled(plan, node.left, binds, whole)
    if kind is ast.Mult and _changes_nothing(plan, node.left):
        return spelled(plan, node.right, binds, whole)
    return _joined(plan, node.left, kind, node.right, binds, whole)


def _joined(
    plan: "ShownPlan", left: "ast.expr", kind: "type[ast.operator]", right: "ast.expr", binds: int, whole: bool
) -> Message:
    strength = _BINDS[kind]
    if kind is ast.FloorDiv and _is_exact(plan, left, right):
        kind = ast.Div
    sides = {"left": spelled(plan, left, strength, whole), "right": spelled(plan, right, strength + 1, whole)}
    return _bracketed(Message(_SIGNS[kind], sides), strength < binds)


def _changes_nothing(plan: "ShownPlan", node: "ast.expr") -> bool:
    """Whether a factor is a 1 that nobody has written: a setting at its default."""
    if not isinstance(node, ast.Name) or plan.value(node.id) != 1:
        return False
    name = _behind(plan, node.id)
    return name not in plan.formulas and name not in IN_PLAN and name not in plan.given


def simplified(plan: "ShownPlan", tree: "ast.expr") -> "ast.expr":
    """A formula as a tree, without the factors that change nothing, and with the names that people know."""
    found: ast.expr = _Simplified(plan).visit(tree)
    return found


class _Simplified(ast.NodeTransformer):
    def __init__(self, plan: "ShownPlan") -> None:
        self.plan = plan

    def visit_Name(self, node: "ast.Name") -> "ast.AST":
        return ast.Name(_behind(self.plan, node.id))

    def visit_BinOp(self, node: "ast.BinOp") -> "ast.AST":
        self.generic_visit(node)
        if isinstance(node.op, (ast.Mult, ast.FloorDiv, ast.Div)) and _changes_nothing(self.plan, node.right):
            return node.left
        return node.right if isinstance(node.op, ast.Mult) and _changes_nothing(self.plan, node.left) else node


def _number(plan: "ShownPlan", node: "ast.expr") -> "int | float | None":
    """The value of a part of a formula; None where it is unknown, or differs with the number of processes."""
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) in (int, float) else None  # type: ignore[return-value]  # a number
    value = plan.value(node.id) if isinstance(node, ast.Name) else value_of(plan, node)
    return value if type(value) in (int, float) else None  # type: ignore[return-value]  # a number


def value_of(plan: "ShownPlan", node: "ast.expr") -> object:
    """The value of a part of a formula, None where it is not known; an Each where it differs with the number of processes."""
    formula = Formula(ast.unparse(node))
    values = []
    for each in plans_of(plan):
        try:
            values.append(each.evaluate(formula))
        except (Unknown, Unset):
            return None
    return values[0] if all(value == values[0] for value in values) else Each(values)


def _is_exact(plan: "ShownPlan", left: "ast.expr", right: "ast.expr") -> bool:
    above, below = _number(plan, left), _number(plan, right)
    return above is not None and below is not None and below != 0 and above % below == 0


def _call(plan: "ShownPlan", node: "ast.Call", binds: int, whole: bool) -> Message:
    name = node.func.id  # type: ignore[attr-defined]  # what a formula calls is a name
    if name == "ratio":
        return _joined(plan, node.args[0], ast.Div, node.args[1], binds, whole)
    numbers = [_number(plan, argument) for argument in node.args]
    if name in ("max", "min") and None not in numbers:
        chosen = max(numbers) if name == "max" else min(numbers)  # type: ignore[type-var]  # none is missing
        return spelled(plan, node.args[numbers.index(chosen)], binds, whole)
    if name in ("ceil", "int") and numbers[0] is not None and numbers[0] % 1 == 0:
        return spelled(plan, node.args[0], binds, whole)
    arguments = series([spelled(plan, argument, 0, whole) for argument in node.args])
    return Message(_CALLS.get(name, _CALL), {"function": name, "arguments": arguments})


def in_words(plan: "ShownPlan", name: str) -> Message:
    """'eval_strategy is no': the settings that decide about a yes or no; where some were written, only those."""
    found = leaves(plan, name)
    written = [leaf for leaf in found if leaf in plan.given and plan.value(leaf) is not None]
    return clauses([state(plan, leaf) for leaf in written or found])


def state(plan: "ShownPlan", name: str) -> Message:
    """'num_generations is 8'."""
    value = plan.value(name)
    if plan.is_unset(name):
        return Message("{setting} is not set", {"setting": name})
    if isinstance(value, (list, dict)):
        listed = ", ".join(map(_in_short, value)) if isinstance(value, list) else ""
        if 0 < len(listed) <= LONGEST_LIST:
            return Message("{setting} is {value}", {"setting": name, "value": listed})
        items = {"setting": name, "items": shown(value)}
        return Message("{setting} has {items}", items) if value else Message("{setting} is empty", items)
    return Message("{setting} is {value}", {"setting": name, "value": shown(value)})
