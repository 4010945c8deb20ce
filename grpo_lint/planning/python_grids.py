"""Grids that a program of Python searches: what Optuna's trials suggest, and what Ray Tune chooses from."""

import ast

from ..message import NOTHING, Message
from ..record import Record
from ..source.python.code import Code
from ..source.python.reader import Unparsed, dotted, read_python
from .grids import MOST_VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Iterator, Text
    from ..source.python.reader import Source

MOST_CHOICES = 40  # of one program
_LISTED = frozenset("choice grid_search sample_from_list suggest_categorical".split())
_WHOLE = frozenset("suggest_int randint qrandint lograndint".split())
_FRACTIONS = frozenset(
    "suggest_float suggest_uniform suggest_loguniform suggest_discrete_uniform uniform loguniform quniform randn qloguniform".split()
)


class Choice(Record):
    """A call that gives one of several values. `name`: as the program calls what varies; `values`: empty where they are not listed, and
    `why`; `start`, `end`: where it stands in the program; `reads`: where a function takes it from the settings that it is handed,
    `whole`: where it hands all of them on (`**config`)."""

    name: str
    values: "list[object]"
    start: int
    end: int
    why: Message = NOTHING
    reads: "tuple[tuple[int, int], ...]" = ()
    whole: "tuple[tuple[int, int], ...]" = ()


def choices_in(text: "Text") -> "list[Choice]":
    """The choices of a program, in its order; none where it is no Python."""
    try:
        source = read_python(Code(text))
    except Unparsed:
        return []
    found: list[Choice] = []
    for node in source.nodes:
        if isinstance(node, ast.Call) and len(found) < MOST_CHOICES:
            values = _values_of(node)
            name = _name_of(node, source.parent.get(node)) if values is not None else ""
            if name and values is not None:
                why = NOTHING if values else _why_not_listed(node)
                choice = Choice(name=name, values=values, start=source.start(node), end=source.end(node), why=why)
                found.append(_with_reads(choice, source) if isinstance(source.parent.get(node), ast.Dict) else choice)
    return sorted(found, key=lambda choice: choice.start)


def _with_reads(choice: Choice, source: "Source") -> Choice:
    """A choice of a mapping that functions are handed, with the places where they take it."""
    reads, whole = [], []
    for node in source.nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and _is_handed(node, source):
            around = source.parent.get(node)
            taking = source.parent.get(around) if isinstance(around, ast.Attribute) else around
            if isinstance(around, ast.keyword) and around.arg is None:
                whole.append((source.start(node), source.end(node)))
            elif isinstance(taking, ast.expr) and _takes(taking, around, choice.name):
                reads.append((source.start(taking), source.end(taking)))
    return choice.but(reads=tuple(reads), whole=tuple(whole))


def _takes(node: ast.AST, around: "ast.AST | None", name: str) -> bool:
    """Whether an expression is `settings[name]` or `settings.get(name)`."""
    if isinstance(node, ast.Subscript):
        return isinstance(node.ctx, ast.Load) and _text(node.slice) == name
    is_get = isinstance(around, ast.Attribute) and around.attr == "get"
    return is_get and isinstance(node, ast.Call) and bool(node.args) and _text(node.args[0]) == name


def _is_handed(name: ast.Name, source: "Source") -> bool:
    """Whether a name is an argument of the function around it."""
    around = source.parent.get(name)
    while around is not None and not isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef)):
        around = source.parent.get(around)
    return around is not None and any(each.arg == name.id for each in (*around.args.posonlyargs, *around.args.args))


def with_values(text: str, choices: "list[Choice]", chosen: "dict[int, int]") -> str:
    """A program in which each choice is its first value, or the one that is chosen for its number."""
    values = {number: repr(each.values[chosen.get(number, 0)]) for number, each in enumerate(choices) if each.values}
    mapping = ", ".join(
        f"{choices[number].name!r}: {value}" for number, value in values.items() if choices[number].whole
    )
    edits = {(choices[number].start, choices[number].end): value for number, value in values.items()}
    for number, value in values.items():
        edits.update(dict.fromkeys(choices[number].reads, value))
        edits.update(dict.fromkeys(choices[number].whole, f"{{{mapping}}}"))
    parts, at = [], 0
    for (start, end), value in sorted(edits.items()):
        if start >= at:
            parts += [text[at:start], value]
            at = end
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
        return list(listed) if isinstance(listed, (list, tuple)) and len(listed) <= MOST_VALUES else []
    if last in _WHOLE:
        return _range(given, call, is_of_tune)
    return [] if last in _FRACTIONS else None


def _why_not_listed(call: ast.Call) -> Message:
    if dotted(call.func).rpartition(".")[2] in _FRACTIONS:
        return Message("its values are drawn from a distribution")
    return Message("its values are computed, or more than {most}", {"most": f"{MOST_VALUES:,}"})


def _literals(call: ast.Call, skipped: int) -> "Iterator[object]":
    """The values of the arguments of a call behind the first ones, or of those with usual names; None for what is computed."""
    named = [
        each.value
        for each in call.keywords
        if each.arg in ("choices", "categories", "values", "low", "high", "lower", "upper")
    ]
    for node in [*call.args[skipped:], *named]:
        try:
            yield _numbers_of(node) or ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            yield None


def _numbers_of(node: ast.expr) -> "list[int] | None":
    """The whole numbers of `range(8)` and of `list(range(1, 9))`; None for anything else."""
    if isinstance(node, ast.Call) and dotted(node.func) in ("list", "tuple") and len(node.args) == 1:
        node = node.args[0]
    if not isinstance(node, ast.Call) or dotted(node.func) != "range" or node.keywords:
        return None
    found = range(*[ast.literal_eval(each) for each in node.args])
    return list(found[: MOST_VALUES + 1])


def _range(given: "list[object]", call: ast.Call, is_of_tune: bool) -> "list[object]":
    """The whole numbers of a range; Optuna's ends with its upper bound, and tune's below it."""
    step = next((each.value for each in call.keywords if each.arg in ("step", "q", "log")), None)
    width = step.value if isinstance(step, ast.Constant) and type(step.value) is int else 1 if step is None else 0
    numbers = [each for each in given if type(each) is int]
    if len(numbers) != 2 or len(given) != 2 or width < 1:
        return []
    found = range(numbers[0], numbers[1] + (not is_of_tune), width)
    return list(found) if len(found) <= MOST_VALUES else []


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
