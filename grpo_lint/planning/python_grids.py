"""Grids that a program of Python searches: what Optuna's trials suggest, and what Ray Tune chooses from."""

import ast

from ..record import Record
from ..source.python.code import Code
from ..source.python.reader import Unparsed, dotted, read_python
from .grids import MOST_VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Iterator, Text

MOST_CHOICES = 40  # of one program
_LISTED = frozenset("choice grid_search sample_from_list suggest_categorical".split())
_WHOLE = frozenset("suggest_int randint qrandint lograndint".split())
_FRACTIONS = frozenset(
    "suggest_float suggest_uniform suggest_loguniform suggest_discrete_uniform uniform loguniform quniform randn qloguniform".split()
)


class Choice(Record):
    """A call that gives one of several values. `name`: as the program calls what varies; `values`: empty where they are continuous;
    `start`, `end`: where it stands in the program."""

    name: str
    values: "list[object]"
    start: int
    end: int


def choices_in(text: "Text") -> "list[Choice]":
    """The choices of a program, in its order; none where it is no Python."""
    try:
        source = read_python(Code(text))
    except Unparsed:
        return []
    found = []
    for node in source.nodes:
        if isinstance(node, ast.Call) and len(found) < MOST_CHOICES:
            values = _values_of(node)
            name = _name_of(node, source.parent.get(node)) if values is not None else ""
            if name and values is not None:
                found.append(Choice(name=name, values=values, start=source.start(node), end=source.end(node)))
    return sorted(found, key=lambda choice: choice.start)


def with_values(text: str, choices: "list[Choice]", chosen: "dict[int, int]") -> str:
    """A program in which each choice is its first value, or the one that is chosen for its number."""
    parts, at = [], 0
    for number, choice in enumerate(choices):
        if choice.values and choice.start >= at:
            parts += [text[at : choice.start], repr(choice.values[chosen.get(number, 0)])]
            at = choice.end
    return "".join([*parts, text[at:]])


def _values_of(call: ast.Call) -> "list[object] | None":
    """The values that a call chooses from, empty for a range without steps; None where it chooses nothing."""
    function = dotted(call.func)
    last = function.rpartition(".")[2]
    is_of_tune = not last.startswith("suggest_")
    if is_of_tune and not function.startswith(("tune.", "ray.tune.")):
        return None
    given = list(_literals(call, skipped=0 if is_of_tune else 1))
    if last in _LISTED:
        listed = given[0] if given else None
        return list(listed)[:MOST_VALUES] if isinstance(listed, (list, tuple)) else []
    if last in _WHOLE:
        return _range(given, call, is_of_tune)
    return [] if last in _FRACTIONS else None


def _literals(call: ast.Call, skipped: int) -> "Iterator[object]":
    """The values of the arguments of a call behind the first ones, or of those with usual names; None for what is computed."""
    named = [
        each.value
        for each in call.keywords
        if each.arg in ("choices", "categories", "values", "low", "high", "lower", "upper")
    ]
    for node in [*call.args[skipped:], *named]:
        try:
            yield ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            yield None


def _range(given: "list[object]", call: ast.Call, is_of_tune: bool) -> "list[object]":
    """The whole numbers of a range; Optuna's ends with its upper bound, and tune's below it."""
    step = next((each.value for each in call.keywords if each.arg in ("step", "q", "log")), None)
    width = step.value if isinstance(step, ast.Constant) and type(step.value) is int else 1 if step is None else 0
    numbers = [each for each in given if type(each) is int]
    if len(numbers) != 2 or len(given) != 2 or width < 1:
        return []
    found = range(numbers[0], numbers[1] + (not is_of_tune), width)
    return list(found[:MOST_VALUES])


def _name_of(call: ast.Call, around: "ast.AST | None") -> str:
    """How what varies is called: by the trial, by the key or the argument that it stands for, or by the name that it is bound to."""
    if dotted(call.func).rpartition(".")[2].startswith("suggest_"):
        return _text(
            call.args[0] if call.args else next((each.value for each in call.keywords if each.arg == "name"), None)
        )
    if isinstance(around, ast.Dict):
        return _text(next((key for key, value in zip(around.keys, around.values) if value is call), None))
    if isinstance(around, ast.keyword):
        return around.arg or ""
    target = around.targets[0] if isinstance(around, ast.Assign) else None
    if isinstance(target, ast.Subscript):
        return _text(target.slice)
    return target.id if isinstance(target, ast.Name) else ""


def _text(node: "ast.expr | None") -> str:
    """The text that an expression is; empty for any other one."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
