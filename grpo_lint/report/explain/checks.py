"""The constraints on the numbers of a run, each with its numbers put in, whether it holds, and who enforces it when."""

import ast

from ...checker.verdict import conditions, is_refusal, one_per_regime
from ...message import NOTHING, Message, all_of, clauses, ors, parts
from ...plan.formula import Unknown, Unset
from ..messages import moment
from ..side_by_side import Each, plans_of
from .arithmetic import missing, shown, spelled, taken, value_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Condition, Iterator, Launch, ShownPlan


OK, FAILS, UNENFORCED, OPEN = map(Message, ("ok", "fails", "not enforced", "open"))
NOBODY = Message("not refused")
# {operator of what breaks a rule: (what has to hold, in words)}
_MUST = {
    ast.NotEq: "{number} = {limit}",
    ast.Eq: "{number}, not {limit}",
    ast.Lt: "{number}, at least {limit}",
    ast.LtE: "{number}, more than {limit}",
    ast.Gt: "{number}, at most {limit}",
    ast.GtE: "{number}, less than {limit}",
}


class Check:
    """One constraint.

    rule    the Rule that it is the other side of
    text    '8 prompts per rollout % 4 ranks = 0'
    mark    whether it holds: one of the four above
    when    when the release refuses what breaks it, NOBODY when it does not
    inner   whether it goes without saying: it holds, and only says that a size is there at all
    behind  the code of a finding of `check`, which says nothing of this one until that is corrected; "" for none
    """

    def __init__(self, rule: "Condition", text: Message, mark: Message, when: Message, is_plain: bool) -> None:
        self.rule = rule
        self.text = text
        self.mark = mark
        self.when = when
        self.inner: bool = is_plain and mark == OK and not rule.also_called
        self.behind = ""

    def codes(self, numbered: bool) -> Message:
        """'GRPO731, not reported while GRPO710 is'; with its number among those of a framework's documents if `numbered`."""
        behind = Message("not reported while {code} is", {"code": self.behind}) if self.behind else NOTHING
        return clauses((self.rule.code, *map(Message, self.rule.also_called[:numbered]), behind))


def checks(launch: "Launch", plan: "ShownPlan") -> "list[Check]":
    """The constraints that the newest release that may be meant puts on the numbers of a launch, in the order of their codes."""
    judged = one_per_regime(launch)[0]
    counted = {"world_size", *judged.regime.quantities}
    found = []
    for rule in sorted(conditions(launch, judged), key=lambda rule: rule.code):
        if rule.broken is None or rule.source or rule.broken.is_path:
            continue
        if not _applies(plan, rule):
            continue
        broken = _is_broken(plan, rule)
        tree = taken(plan, rule.broken)
        claims = list(_claims(plan, tree, counted))
        if not claims:
            continue
        row = judged.enforced.get(rule.name)
        when = moment(row) if is_refusal(row) else NOBODY
        mark = OPEN if broken is None else OK if not broken else FAILS if when != NOBODY else UNENFORCED
        found.append(Check(rule, parts(dict.fromkeys(claims)), mark, when, is_plain=not _computes(tree)))
    return found


def put_behind(found: "list[Check]", reported: "dict[str, str]") -> None:
    """Say of each failing constraint that is not reported which finding hides it. `reported`: {name of a rule: its code}."""
    failing = {check.rule.name: check.rule for check in found if check.mark in (FAILS, UNENFORCED)}
    for check in found:
        if check.rule.name in failing and check.rule.name not in reported:
            blocking = list(check.rule.blocked_by)
            for name in blocking:
                if name in failing:
                    blocking += [each for each in failing[name].blocked_by if each not in blocking]
            check.behind = next((reported[name] for name in blocking if name in reported), "")


def _applies(plan: "ShownPlan", rule: "Condition") -> bool:
    """Whether everything that a condition reads is set, on one of the numbers of processes at least."""
    for each in plans_of(plan):
        try:
            each.evaluate(rule.broken)  # type: ignore[arg-type]  # it has one
        except Unset:
            continue
        except Unknown:
            pass
        return True
    return False


def _is_broken(plan: "ShownPlan", rule: "Condition") -> "bool | None":
    """Whether a rule is broken on any of the numbers of processes; None where that is not known."""
    known = True
    for each in plans_of(plan):
        try:
            if each.evaluate(rule.broken):  # type: ignore[arg-type]  # it has one
                return True
        except Unknown:
            known = False
        except Unset:
            pass
    return False if known else None


def _claims(plan: "ShownPlan", node: "ast.expr", counted: "set[str]") -> "Iterator[Message]":
    """What must hold for a condition not to, one text for each comparison of numbers in it that matters."""
    if isinstance(node, ast.BoolOp):
        side = _claims_of_either if isinstance(node.op, ast.Or) else _claims_of_both
        yield from side(plan, node.values, counted)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _MUST:
        if any(isinstance(each, ast.Name) and each.id in counted for each in ast.walk(node)):
            yield from _claim(plan, node.left, type(node.ops[0]), node.comparators[0])


def _claims_of_either(plan: "ShownPlan", alternatives: "list[ast.expr]", counted: "set[str]") -> "Iterator[Message]":
    """Where any of several breaks a rule, none may; "is not 0" goes without saying beside what is divided by it."""
    has_sum = any(map(_computes, alternatives))
    for part in alternatives:
        if _computes(part) or not has_sum or value_of(plan, part):
            yield from _claims(plan, part, counted)


def _claims_of_both(plan: "ShownPlan", conditions: "list[ast.expr]", counted: "set[str]") -> "Iterator[Message]":
    """Where several together break a rule, the guards only say when the others count, and any of these is enough to hold."""
    computed = [part for part in conditions if _computes(part)]
    claimed = computed or [part for part in conditions if not _is_a_guard(part)][-1:]
    guards = [part for part in conditions if part not in claimed]
    if all(value_of(plan, guard) not in (False, None) for guard in guards):
        alternatives = [all_of(list(_claims(plan, part, counted))) for part in claimed]
        yield from filter(None, [ors(list(filter(None, alternatives)))])


def claimed(plan: "ShownPlan", rule: "Condition") -> "tuple[ast.expr, ast.expr] | None":
    """(what is compared, with what) of the one comparison that matters most in a condition; None where there is none."""
    comparisons = [node for node in ast.walk(taken(plan, rule.broken)) if isinstance(node, ast.Compare)]  # type: ignore[arg-type]
    chosen = next((node for node in comparisons if _computes(node)), comparisons[0] if comparisons else None)
    return (chosen.left, chosen.comparators[0]) if chosen is not None else None


def _is_a_guard(node: "ast.expr") -> bool:
    """Whether a part of a condition only says when the others count: a name, or the negation of one."""
    return isinstance(node, (ast.Name, ast.UnaryOp))


def _computes(node: "ast.expr") -> bool:
    return any(isinstance(each, ast.BinOp) for each in ast.walk(node))


def _claim(plan: "ShownPlan", left: "ast.expr", operator: "type[ast.cmpop]", right: "ast.expr") -> "Iterator[Message]":
    value, limit = value_of(plan, left), value_of(plan, right)
    if not all(each is None or isinstance(each, Each) or type(each) in (int, float) for each in (value, limit)):
        return
    told = spelled(plan, left, 0, True)
    wanted = spelled(plan, right, 0, True)
    if _computes(left) and value is not None and not (operator is ast.NotEq and value == limit):
        told = Message("{number} = {value}", {"number": told, "value": shown(value)})
    is_known = operator is ast.NotEq and value is not None and value != limit and _computes(left)
    yield Message(_MUST[ast.Eq if is_known else operator], {"number": told, "limit": wanted})


def why_open(plan: "ShownPlan", check: "Check") -> Message:
    """'needs world-size': what would have to be known for an open constraint to be decided."""
    for name in check.rule.broken.names if check.rule.broken else ():
        if plan.value(name) is None and not plan.is_unset(name):
            return missing(plan, name)
    return NOTHING
