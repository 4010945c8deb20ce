"""A story as a page: one file without network, with sliders for what people turn, computed in the page."""

import ast
import json
import os

from ...plan.quantities import GROUPS
from ..printable import clean
from ..side_by_side import plans_of
from .arithmetic import taken, without_ones
from .checks import claimed
from .document import stories
from .javascript import Untold, function, sentence
from .text import why_not

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from ...checker.findings import Report
    from ...plan.formula import Formula
    from ...plan.plan import Plan
    from ..document import Json
    from .story import Row, Story

    Part: TypeAlias = tuple[Json, list[tuple[Json, str]]]

TEMPLATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page.html")
# what is offered to turn besides the settings: {fact: value where nobody has said one}
_FACTS = {"world_size": 8, "dataset_size": 8000}


def part(report: "Report") -> "Part":
    """What one file gives to the page: {path, why there is no run in it}, and its launches with their programs."""
    told = stories(report)
    file = {"path": clean(report.path), "why": "" if told else clean(report.skipped or why_not(report))}
    return file, [_launch(story) for story in told]


def document(parts: "Sequence[Part]") -> str:
    """All launches of all files on one page."""
    programs = [
        f"launch({_json({**launch, 'file': place})}, {program});"
        for place, (_, launches) in enumerate(parts)
        for launch, program in launches
    ]
    with open(TEMPLATE, encoding="utf-8") as template:
        page = template.read()
    files = f"const files = {_json([file for file, _ in parts])};"
    return page.replace("/*FILES*/", files).replace("/*LAUNCHES*/", "\n".join(programs))


def _json(value: object) -> str:
    """JSON that may stand in a page: nothing in it ends a script or begins a comment."""
    return (
        json.dumps(value)
        .replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026")
        .replace("##", "#\\u0023")
    )


def _launch(story: "Story") -> "tuple[Json, str]":
    plan = plans_of(story.plan)[0]
    compiled = _Compiled(plan)
    rows = [row for row in story.rows if row.is_told]
    for row in rows:
        compiled.take(row.name)
    for name in ("group_size", "dp_size", "world_size", "micro_batch", "updates_per_rollout", "completions_per_update",
                 "completions_per_rollout", "padded_completions_per_rollout", "padding_completions", "training_rows", "rows_dropped",
                 "steps_per_epoch", "total_steps", "prompts_per_update", "on_policy"):  # fmt: skip
        compiled.take(name)
    checks = [
        {"code": check.rule.code, "summary": check.rule.summary, "when": check.when, "text": check.text}
        for check in story.checks
    ]
    broken = [compiled.condition(check.rule.broken) for check in story.checks]
    claims = [_told(claimed(plan, check.rule)) for check in story.checks]
    launch = {
        "judged": clean(story.judged),
        "release": story.release,
        "answer": story.answer,
        "notEvaluated": story.why_not_evaluated,
        "groups": [
            {"name": group, "rows": [_row(row) for row in rows if row.group == group]}
            for group in GROUPS
            if any(row.group == group for row in rows)
        ],
        "given": [
            {"name": each.name, "value": each.text, "where": each.where} for each in story.given if not each.is_default
        ],
        "checks": checks,
        "knobs": _knobs(story, plan, compiled),
        "values": compiled.values,
        "nulls": compiled.nulls,
    }
    how = {row.name: _how(plan, row.name) for row in rows}
    formulas = ", ".join(f"{_json(name)}: [{', '.join(each)}]" for name, each in compiled.formulas.items())
    told = ", ".join(f"{_json(name)}: {code}" for name, code in how.items() if code)
    return (
        launch,
        f"(q, say) => ({{formulas: {{{formulas}}}, broken: [{', '.join(broken)}], claims: [{', '.join(claims)}], how: {{{told}}}}})",
    )


def _row(row: "Row") -> "Json":
    return {
        "name": row.name,
        "label": row.label,
        "text": row.text,
        "own": row.own,
        "meaning": row.meaning,
        "concerns": row.concerns,
    }


def _how(plan: "Plan", name: str) -> str:
    formula = plan.chosen.get(name)
    try:
        is_told = formula is not None and type(plan.value(name)) is not bool
        return sentence(without_ones(plan, taken(plan, formula))) if is_told and formula else ""
    except (Untold, KeyError):
        return ""


def _told(sides: "tuple[ast.expr, ast.expr] | None") -> str:
    """[what is compared, its value] of a constraint, as functions; null where it cannot be told anew."""
    if sides is None:
        return "null"
    try:
        value = function(_Source(ast.unparse(sides[0])))  # type: ignore[arg-type]  # all that is asked for
        return f"[{sentence(sides[0])}, {value}]"
    except (Untold, KeyError):
        return "null"


class _Source:
    is_path = False

    def __init__(self, text: str) -> None:
        self.text = text


def _knobs(story: "Story", plan: "Plan", compiled: "_Compiled") -> "list[Json]":
    """What a reader may turn: the processes, the rows, and the sizes of the framework that the plan reads."""
    read = {*compiled.values, *compiled.unknown}
    own = story.launch.framework.own_names
    implied = {own[name]: name for name in ("steps_per_rollout", "updates_per_rollout") if name in own}
    knobs = [
        {**_turned(plan, name, implied.get(name, name)), "isSet": name in read}
        for name in story.launch.framework.knobs
        if (name in read and type(plan.value(name)) is int) or (name in compiled.nulls and name in implied)
    ]
    return [*({**_turned(plan, fact, fact), "isSet": True} for fact in _FACTS if fact in read), *knobs]


def _turned(plan: "Plan", name: str, quantity: str) -> "Json":
    """A slider; where nobody has set what it turns, it stands at the quantity that follows."""
    value = plan.value(quantity)
    value = value if type(value) is int else _FACTS.get(name, 1)
    return {
        "name": name,
        "value": value,
        "least": 1,
        "most": max(value * 2, 1000) if name == "dataset_size" else max(64, value * 4),
    }


class _Compiled:
    """The formulas behind some quantities, and the values that they read."""

    def __init__(self, plan: "Plan") -> None:
        self.plan = plan
        self.formulas: dict[str, list[str]] = {}
        self.values: dict[str, object] = {}
        self.nulls: list[str] = []
        self.unknown: set[str] = set()

    def take(self, name: str) -> None:
        if name in self.formulas or name in self.values or name in self.nulls or name in self.unknown:
            return
        if name not in self.plan.formulas:
            self._value(name)
            return
        self.formulas[name] = []
        try:
            self.formulas[name] = [function(formula) for formula in self.plan.formulas[name]]
        except Untold:
            del self.formulas[name]
            self._value(name)
            return
        for formula in self.plan.formulas[name]:
            for read in (formula.text,) if formula.is_path else formula.names:
                self.take(read)

    def condition(self, formula: "Formula | None") -> str:
        """A condition as a function, or null."""
        if formula is None:
            return "null"
        try:
            code = function(formula)
        except Untold:
            return "null"
        for read in formula.names:
            self.take(read)
        return code

    def _value(self, name: str) -> None:
        value = self.plan.value(name)
        if value is None:
            self.nulls.append(name) if self.plan.is_unset(name) else self.unknown.add(name)
        elif type(value) in (list, dict):
            self.values[name] = [None] * len(value)  # type: ignore[arg-type]  # only how many matters
        elif type(value) in (bool, int, float):
            self.values[name] = value
        elif type(value) is str:
            self.values[name] = clean(value)
        else:
            self.unknown.add(name)
