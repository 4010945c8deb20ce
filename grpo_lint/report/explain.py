"""`grpo-lint explain`: the run that a file describes, as a table of every quantity, its formula and its origin."""

import ast

from ..launch.facts import IN_PLAN, option_name, told
from ..plan.formula import VOCABULARY, Formula, Unknown, Unset
from ..plan.quantities import GROUPS, QUANTITIES
from ..source.yaml.scalars import shown_value
from .messages import origin, processes
from .printable import clean, shown_path
from .side_by_side import Each, SideBySide, shown_plan
from .text import cells, count, painter, wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    from ..checker.findings import Report
    from ..launch.launch import Launch
    from ..plan.plan import Plan
    from .side_by_side import ShownPlan
    from .text import Paint

    Row: TypeAlias = tuple[str, str, str, str, str]  # (name, value, unit, formula with its numbers, meaning)

INPUTS = "what the file and its surroundings say"
_GAP = 2
_NARROWEST_FORMULA = 24


def explanation(report: "Report", colour: bool, width: int, verbose: bool = False) -> str:
    """The text about one file: for each launch what was recognised, the table of its plan, and its steps."""
    paint = painter(colour)
    path = shown_path(report.path)
    if not report.launches:
        return f"{paint('strong', path)}: {clean(report.skipped or _why_not(report))}\n\n"
    parts = []
    for launch in report.launches:
        lines = [paint("strong", path), *_recognised(report, launch, width)]
        if launch.candidates:
            lines += Explanation(report, launch, paint, width, verbose).lines()
        else:
            lines += wrapped(_why_not(report), width, first="  ", rest="    ")
        parts.append("\n".join(lines) + "\n\n")
    return "".join(parts)


def _why_not(report: "Report") -> str:
    from .messages import message

    return clean("; ".join(message(finding) for finding in report.findings)) or "no launch in it"


def _recognised(report: "Report", launch: "Launch", width: int) -> "list[str]":
    from .messages import judged_as

    lines = wrapped(judged_as(launch), width, first="  ", rest="    ")
    lines += wrapped(f"recognised: {clean(report.why)}", width, first="  ", rest="    ")
    if launch.origin is not None:
        lines += wrapped(f"starts: {clean(launch.origin.invocation.resolved)}", width, first="  ", rest="    ")
    return lines


class Explanation:
    """The table of one launch, judged with its newest candidate release."""

    def __init__(self, report: "Report", launch: "Launch", paint: "Paint", width: int, verbose: bool) -> None:
        self.report = report
        self.launch = launch
        self.paint = paint
        self.width = width
        self.verbose = verbose
        self.candidate = launch.candidates[0]
        self.plan = shown_plan(launch, self.candidate)
        self.release = f"{launch.framework.title} {self.candidate.text}"
        self.own_names = launch.framework.own_names

    def lines(self) -> "list[str]":
        tables: dict[str, list[Row]] = {group: [] for group in GROUPS}
        for name in self.names():
            row = self.row(name)
            if row is not None:
                tables[_described(name)[0]].append(row)
        tables = {INPUTS: [self.input_row(name) for name in self.inputs()], **tables}
        widths = [
            max((cells(row[column]) for rows in tables.values() for row in rows), default=0) for column in (0, 1, 2)
        ]
        lines = []
        for group, rows in tables.items():
            if rows:
                lines += ["", f"  {self.paint('label', group)}"]
                lines += [line for row in rows for line in self.laid_out(row, widths)]
        if any(name in self.own_names for name in self.names()):
            note = f"in parentheses: what {self.launch.framework.title} itself calls a quantity"
            lines += ["", self.paint("grey", f"  {note}")]
        return [*lines, *self.steps()]

    def names(self) -> "list[str]":
        """The quantities to show, in order: those about an evaluation only when there is one."""
        names = sorted(self.candidate.regime.quantities, key=_place_in_table)
        if self.verbose or self.plan.value("evaluates") is not False:
            return names
        return [name for name in names if name == "evaluates" or _described(name)[0] != "evaluation"]

    def laid_out(self, row: "Row", widths: "list[int]") -> "list[str]":
        """The lines of one row: name, value, unit, and the formula wrapped in what is left of the width."""
        name, value, unit, how, meaning = row
        head = f"    {_padded(name, widths[0])}  {value:>{widths[1]}} {_padded(unit, widths[2])}"
        room = " " * (cells(head) + _GAP)
        if self.width - len(room) < _NARROWEST_FORMULA:
            lines = [head.rstrip(), *(wrapped(how, self.width, "        ", "          ") if how else [])]
        else:
            lines = [line.rstrip() for line in wrapped(how, self.width, head + " " * _GAP, room)]
        lines = [line.replace(_TIE, " ") for line in lines]
        lines[0] = lines[0].replace(name, self.paint("strong", name), 1)
        if meaning and self.verbose:
            lines += [self.paint("grey", line) for line in wrapped(meaning, self.width, "      ", "      ")]
        return lines

    # --- quantities

    def row(self, name: str) -> "Row | None":
        """(name, value, unit, formula with its numbers, meaning) of a quantity; None for one that says nothing here."""
        plan = self.plan
        _, unit, meaning = _described(name)
        own = self.own_names.get(name)
        if own:
            meaning = f"{meaning}; {self.launch.framework.title} calls it {own}"
        if plan.is_unset(name):
            return None
        value = plan.value(name)
        if value is None:
            return name, "unknown", "", missing(plan, name), meaning
        how = numbers_put_in(plan, plan.chosen[name]) if _is_one_formula(plan, name) else ""
        if how == "false":
            return None
        how = "" if how in ("", str(value)) else f"= {how}"
        if own and own not in how:
            how += f" ({own})"
        shown = ("yes" if value else "no") if value is True or value is False else _shown(value)
        return name, shown, _singular(unit) if value == 1 else unit, how, meaning

    # --- what the numbers come from

    def inputs(self) -> "Iterable[str]":
        """The settings and facts behind all quantities, in the order in which the table needs them."""
        found: dict[str, object] = {"world_size": True}
        for name in self.names():
            self.plan.value(name)
            found.update(dict.fromkeys(_leaves(self.plan, name)))
        if self.plan.is_unset("eval_dataset_size"):
            found.pop("eval_dataset_size", None)
        return found

    def input_row(self, name: str) -> "Row":
        value = self.plan.value(name)
        if value is None and not self.plan.is_unset(name):
            option = option_name(name) if name in IN_PLAN else ""
            said = f"say it with --{option}, or in a comment" if option else "what the file holds is filled in later"
            return name, "unknown", "", said, ""
        return name, _shown(value), "", self.where(name), ""

    def where(self, name: str) -> str:
        """Where a setting or a fact comes from: a line of the file, the default of a release, another source."""
        found = origin(self.launch, self.candidate, self.plan, name)
        return found.where(self.report.text) if found else f"default of {self.release}"

    # --- steps

    def steps(self) -> "list[str]":
        """The steps in a sentence, when the number of rows is known."""
        told = steps_in_words(self.launch, self.plan)
        return ["", *wrapped(told, self.width, "  ", "  ")] if told else []


def _is_one_formula(plan: "ShownPlan", name: str) -> bool:
    """Whether a quantity comes from the same formula, with the same branches taken, on every number of processes."""
    if not isinstance(plan, SideBySide):
        return True
    return len({ast.unparse(_taken(each, each.chosen[name])) for each in plan}) == 1


def steps_in_words(launch: "Launch", plan: "ShownPlan") -> str:
    """How many updates a run takes, and why; empty when nobody knows."""
    if isinstance(plan, SideBySide):
        told: dict[str, list[object]] = {}
        for each in plan:
            told.setdefault(_steps_in_words(launch, each), []).append(each["world_size"])
        return " ".join(
            text if len(told) == 1 else f"On {processes(counts)}: {text}" for text, counts in told.items() if text
        )
    return _steps_in_words(launch, plan)


def _steps_in_words(launch: "Launch", plan: "Plan") -> str:
    total = plan.value("total_steps")
    if total is None:
        return ""
    title = launch.framework.title
    told = [f"{title} announces {count(total, 'update')}"]
    executed = plan.value("executed_steps")
    if executed is not None and executed != total:
        told[0] += f", but the run takes {executed}"
    rows, per_epoch = plan.value("training_rows"), plan.value("steps_per_epoch")
    if rows is not None and per_epoch is not None:
        told.append(f"an epoch of {count(rows, 'row')} makes {per_epoch}")
        kept_back = plan.value("dataset_size") - rows  # type: ignore[operator]  # both are numbers
        if kept_back > 0:
            told[-1] += f" ({kept_back} of the {plan.value('dataset_size')} rows are kept back for evaluation)"
    micro, taken = plan.value("micro_steps_per_epoch"), plan.value("micro_steps_taken_per_epoch")
    if micro is not None:
        told.append(f"{title} counts {count(micro, 'micro step')} for it")
        if taken is not None and taken != micro:
            told[-1] += f" and takes {taken}"
    return "; ".join(told) + "."


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cells(text))


def _singular(unit: str) -> str:
    return {"processes": "process", "passes": "pass"}.get(unit, unit.removesuffix("s"))


_ORDER = {name: place for place, name in enumerate(QUANTITIES)}


def _place_in_table(name: str) -> int:
    return _ORDER.get(name, len(_ORDER))


def _described(name: str) -> "tuple[str, str, str]":
    """(group, unit, meaning) of a quantity, also of one that nobody has described yet."""
    return QUANTITIES.get(name, (GROUPS[0], "", ""))


def _shown(value: object) -> str:
    if isinstance(value, (list, dict)):
        return count(len(value), "item")
    text = clean(shown_value(value))
    return text if len(text) <= 24 or isinstance(value, Each) else text[:21] + "..."


# --- unknown values -------------------------------------------------------------------------------------------------


def missing(plan: "ShownPlan", name: str) -> str:
    """'needs world-size': what would have to be known for a quantity to be."""
    wanted = [leaf for leaf in _leaves(plan, name) if plan.value(leaf) is None and not plan.is_unset(leaf)]
    if not wanted:
        return "cannot be computed from these values"
    return f"needs {' and '.join(told(leaf) for leaf in wanted)}"


def _leaves(plan: "ShownPlan", name: str) -> "list[str]":
    """The settings and facts behind a quantity: those of the formula that gave its value, or kept it from having one."""
    found, pending, seen = {}, [name], set()
    while pending:
        name = pending.pop()
        if name in seen:
            continue
        seen.add(name)
        formula = plan.chosen.get(name) or _first_unknown(plan, name)
        if name not in plan.formulas:
            found[name] = True
        if formula is not None:
            pending.extend(reversed(_names_read(plan, formula)))
    return list(found)


def _first_unknown(plan: "ShownPlan", name: str) -> "Formula | None":
    """The formula of a quantity whose value is unknown: the first that applies."""
    for formula in plan.formulas.get(name, ()):
        try:
            plan.evaluate(formula)
        except Unset:
            continue
        except Unknown:
            return formula
    return None


def _names_read(plan: "ShownPlan", formula: "Formula") -> "list[str]":
    """The names a formula reads, in its order, without those of a branch that is not taken."""
    if formula.is_path:
        return [formula.text]
    found = [
        node for node in ast.walk(_taken(plan, formula)) if isinstance(node, ast.Name) and not _is_function(node.id)
    ]
    found += [node for test in _tests(formula) for node in ast.walk(test) if isinstance(node, ast.Name)]
    return [node.id for node in sorted(found, key=lambda node: node.col_offset)]


def _tests(formula: "Formula") -> "list[ast.expr]":
    """The conditions that choose between the branches of a formula."""
    return [node.test for node in ast.walk(ast.parse(formula.text, mode="eval")) if isinstance(node, ast.IfExp)]


def _is_function(name: str) -> bool:
    return name in VOCABULARY


def _taken(plan: "ShownPlan", formula: "Formula") -> "ast.expr":
    taken: ast.expr = _Taken(plan).visit(ast.parse(formula.text, mode="eval")).body
    return taken


class _Taken(ast.NodeTransformer):
    """Replaces `a if condition else b` by what is taken; by all of it when that cannot be told."""

    def __init__(self, plan: "ShownPlan") -> None:
        self.plan = plan

    def visit_IfExp(self, node: "ast.IfExp") -> "ast.AST":
        try:
            holds = self.plan.evaluate(Formula(ast.unparse(node.test)))
        except (Unknown, Unset):
            return node
        taken: ast.AST = self.visit(node.body if holds else node.orelse)
        return taken


# --- formulas with numbers ------------------------------------------------------------------------------------------

_TIE = "\xa0"  # between a name and its value, until lines are broken
_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "x", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%"}
_BINDS = {ast.Add: 1, ast.Sub: 1, ast.Mult: 2, ast.Div: 2, ast.FloorDiv: 2, ast.Mod: 2}


def numbers_put_in(plan: "ShownPlan", formula: "Formula") -> str:
    """'micro_batch 4 x world_size 8': a formula with the value behind each of its names."""
    return _spelled(plan, _taken(plan, formula))


def _spelled(plan: "ShownPlan", node: "ast.AST", binds: int = 0) -> str:
    if isinstance(node, ast.Name):
        value = plan.value(node.id)
        return f"{node.id}{_TIE}" + ("unset" if value is None else _plain(value))
    if isinstance(node, ast.Constant):
        return _plain(node.value)
    if isinstance(node, ast.BinOp):
        return _operation(plan, node, binds)
    if isinstance(node, ast.Call):
        return _call(plan, node)
    if isinstance(node, ast.BoolOp):
        word = " and " if isinstance(node.op, ast.And) else " or "
        text = word.join(_spelled(plan, value, 1) for value in node.values)
        return f"({text})" if binds else text
    if isinstance(node, ast.UnaryOp):
        return f"not {_spelled(plan, node.operand, 1)}" if isinstance(node.op, ast.Not) else ast.unparse(node)
    if isinstance(node, ast.Compare):
        return _comparison(plan, node)
    return ast.unparse(node)


def _operation(plan: "ShownPlan", node: "ast.BinOp", binds: int) -> str:
    kind = type(node.op)
    left, right = _spelled(plan, node.left, _BINDS[kind]), _spelled(plan, node.right, _BINDS[kind] + 1)
    text = f"{left} {_SIGNS[kind]} {right}"
    return f"({text})" if _BINDS[kind] < binds else text


def _call(plan: "ShownPlan", node: "ast.Call") -> str:
    arguments = [_spelled(plan, argument) for argument in node.args]
    name = node.func.id  # type: ignore[attr-defined]  # what a formula calls is a name
    if name == "ratio":
        return f"{arguments[0]} / {_spelled(plan, node.args[1], 3)}"
    return f"{name}({', '.join(arguments)})"


_COMPARISONS = {
    ast.Eq: "is",
    ast.NotEq: "is not",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.Gt: ">",
    ast.Lt: "<",
    ast.GtE: ">=",
    ast.LtE: "<=",
}


def _comparison(plan: "ShownPlan", node: "ast.Compare") -> str:
    words = [_spelled(plan, node.left, 1)]
    for operator, right in zip(node.ops, node.comparators):
        words += [_COMPARISONS.get(type(operator), "?"), _spelled(plan, right, 1)]
    return " ".join(words)


def _plain(value: object) -> str:
    if isinstance(value, (list, dict)):
        return f"[{count(len(value), 'item')}]"
    return f"'{_shown(value)}'" if isinstance(value, str) else shown_value(value)
