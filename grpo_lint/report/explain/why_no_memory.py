"""Why nothing is known of the least memory of a GPU: loaded where that is so."""

import ast

from ...launch.facts import IN_PLAN, told
from ...message import NOTHING, Message, ands, clauses
from ...plan.formula import VOCABULARY
from .arithmetic import NO_NAME, first_unknown, leaves, missing, state, taken, value_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Attached, Mapping, ShownPlan

BOUND = "training_memory"
_ALL = "holds_all_states"  # a bound counts all that is trained,
_ADAPTER = "trains_adapter"  # or what stays beside an adapter
_OFFLOADS = "offloads"
_UNREAD = "zero_offloads"


def why_no_memory(plan: "ShownPlan", framework: str, attached: "Mapping[str, Attached]") -> Message:
    """'memory: no bound, since load_in_4bit is true'; nothing where there is a bound."""
    if BOUND not in plan.formulas:
        return Message("memory: no bound is known of runs of {framework}", {"framework": framework})
    if plan.value(BOUND) is not None:
        return NOTHING
    if plan.value("parameter_count") is None:
        return Message("memory: no bound, since the size of the model is not known; --parameters 7.6B states it")
    if plan.value(_UNREAD) is None and not plan.is_unset(_UNREAD):
        if attached[_UNREAD].key == "config_file":
            return Message(
                "memory: no bound, since the file that accelerate launch names is not here, and may offload to the host"
            )
        return Message("memory: no bound, since the DeepSpeed configuration is not here, and may offload to the host")
    reasons = dict.fromkeys(_reasons(plan))
    facts = [told(leaf) for leaf in reasons if leaf in IN_PLAN and plan.value(leaf) is None]
    found = [_state(plan, leaf, attached) for leaf in reasons if plan.value(leaf) is not None]
    if facts:
        return Message("memory: no bound: {why}", {"why": Message("needs {names}", {"names": ands(facts)})})
    if found:
        return Message("memory: no bound, since {reasons}", {"reasons": clauses(found)})
    return Message("memory: no bound: {why}", {"why": missing(plan, BOUND)})


def _state(plan: "ShownPlan", leaf: str, attached: "Mapping[str, Attached]") -> Message:
    return Message("{setting} is set", {"setting": attached[leaf].key}) if leaf in attached else state(plan, leaf)


def _reasons(plan: "ShownPlan") -> "list[str]":
    """The settings for which something else than the GPU, or than AdamW in full, holds a part."""
    if _ALL not in plan.formulas or plan.value(_ALL) is True:
        return []
    if plan.value(_ADAPTER) is True:
        return _behind(plan, ast.UnaryOp(ast.Not(), ast.Name(_OFFLOADS)))
    found = _behind(plan, ast.Name(_ALL))
    if (
        found
        and _ADAPTER in plan.formulas
        and set(found) <= {*leaves(plan, _ADAPTER)} - {*_behind(plan, ast.Name(_ADAPTER), True)}
    ):
        return _behind(plan, ast.Name(_ADAPTER))  # an adapter that has no bound for another reason
    return found


def _behind(plan: "ShownPlan", node: "ast.expr", every: bool = False) -> "list[str]":
    """The settings that make a condition false, or true below a `not`: of the first part that does, or of each."""
    if isinstance(node, ast.UnaryOp):
        return _behind(plan, node.operand, every)
    if isinstance(node, ast.BoolOp):
        parts = _deciding(plan, node)[: None if every else 1]
        return [name for part in parts for name in _behind(plan, part, every)]
    if isinstance(node, ast.Name):
        formula = plan.chosen.get(node.id) or first_unknown(plan, node.id)
        tree = ast.Name(NO_NAME) if formula is None or formula.is_path else taken(plan, formula)
        is_known = not isinstance(tree, ast.Name) or tree.id != NO_NAME
        return _behind(plan, tree, every) if is_known else _leaves(plan, node.id)
    return [leaf for name in _read_in(node) for leaf in _leaves(plan, name)]


def _read_in(node: "ast.expr") -> "list[str]":
    """The names that a condition reads, without those of functions."""
    return [each.id for each in ast.walk(node) if isinstance(each, ast.Name) and each.id not in VOCABULARY]


def _deciding(plan: "ShownPlan", node: "ast.BoolOp") -> "list[ast.expr]":
    """The parts of a condition that make it what it is: those that settle it, else those that nobody knows, else all."""
    values = [(part, value_of(plan, part)) for part in node.values]
    settled = [part for part, value in values if value is isinstance(node.op, ast.Or)]
    return settled or [part for part, value in values if value is None] or node.values


def _leaves(plan: "ShownPlan", name: str) -> "list[str]":
    return [leaf for leaf in leaves(plan, name) if leaf != NO_NAME]
