"""Files of the checkout that rewards are made of, as far as they show it: functions of Python, and rows of JSON."""

import ast

from ...source.python.reader import TooMuch, parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Iterator, Mapping, NamedFiles, Run

MOST_ROWS = 200  # of a file of data that are looked at
_SCALARS = frozenset("float int bool len".split())  # calls that give one number
NUMBER, COLLECTION, NOTHING = "a number", "a collection", "nothing"


class Mismatch:
    """What a run's reward and its data disagree about: the rule, what its message names, and the setting that names the file."""

    __slots__ = ("rule", "values", "key")

    def __init__(self, rule: str, values: "Mapping[str, object]", key: str) -> None:
        self.rule = rule
        self.values = values
        self.key = key


class Function:
    """What the definition of a function says: its line, the parameters that it needs and that it takes, and what it returns.

    needs      names without a default, in their order
    takes      all that may be given by name; None where any may be
    returns    what each of its ends returns, NUMBER, COLLECTION, NOTHING, or the keys of a mapping; None for the unknown
    """

    __slots__ = ("line", "needs", "takes", "returns")

    def __init__(
        self, line: int, needs: "tuple[str, ...]", takes: "tuple[str, ...] | None", returns: "tuple[object, ...]"
    ) -> None:
        self.line = line
        self.needs = needs
        self.takes = takes
        self.returns = returns


def rows_of(name: str, files: "NamedFiles") -> "list[dict[str, object]]":
    """The first rows of a file of JSON lines, or of a list in JSON; empty where it is not here, too large, or anything else."""
    file = files.find(name) if name.endswith((".json", ".jsonl")) else None
    if file is None:
        return []
    import json  # few runs have data beside them

    text = file.text.lstrip()
    try:
        if text.startswith("["):
            rows = json.loads(text)[:MOST_ROWS]
        else:
            lines = [line for line in text.split("\n", MOST_ROWS)[:MOST_ROWS] if line.strip()]
            rows = [json.loads(line) for line in lines]
    except (ValueError, RecursionError):
        return []
    return rows if all(isinstance(row, dict) for row in rows) else []


def columns_of(rows: "list[dict[str, object]]") -> "frozenset[str]":
    return frozenset().union(*rows)


def tree_of(name: str, files: "NamedFiles") -> "ast.Module | None":
    """A file of Python, parsed; None where it is not here, or no such file."""
    file = files.find(name) if name.endswith(".py") else None
    if file is None:
        return None
    try:
        return parsed(file.text)
    except (SyntaxError, TooMuch):
        return None


def defines(tree: ast.Module, name: str) -> bool:
    """Whether a module may have a name, be it by a definition, an assignment or an import."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.name == name:
            return True
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
            return True
        if isinstance(node, ast.alias) and name in (node.asname, node.name.partition(".")[0], node.name):
            return True
        if isinstance(node, ast.alias) and node.name == "*":
            return True
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("globals", "setattr", "exec")
        ):
            return True
    return False


def text_of(tree: ast.Module, name: str, otherwise: object) -> object:
    """The text that a module assigns to a name at its top; None where it assigns anything else, `otherwise` where it does not."""
    found = otherwise
    for node in tree.body:
        if not isinstance(node, (ast.Assign, ast.AnnAssign)):
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if any(isinstance(each, ast.Name) and each.id == name for each in targets):
            is_text = isinstance(node.value, ast.Constant) and type(node.value.value) is str
            found = node.value.value if is_text else None  # type: ignore[union-attr]  # it is a constant
    return found


def not_defined(tree: ast.Module, name: str, path: str, key: str) -> "Iterator[Mismatch]":
    """What is wrong where the file that a setting names does not define the function of a reward."""
    if not defines(tree, name):
        yield Mismatch("reward-is-defined", {"function": name, "file": path}, key)


def function_in(tree: ast.Module, name: str) -> "Function | None":
    """The one function of this name at the top of a module; None where there are several, or where something wraps it."""
    nodes = [node for node in ast.walk(tree) if getattr(node, "name", None) == name]
    if (
        len(nodes) != 1
        or nodes[0] not in tree.body
        or not isinstance(nodes[0], (ast.FunctionDef, ast.AsyncFunctionDef))
    ):
        return None
    stored = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name)
    return None if any(isinstance(node.ctx, ast.Store) for node in stored) else function_of(nodes[0], 0)


def method_in(tree: ast.Module, name: str) -> "Function | None":
    """`__call__` of the one class of this name at the top of a module."""
    nodes = [
        node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name and not node.decorator_list
    ]
    calls = [each for node in nodes for each in node.body if getattr(each, "name", "") == "__call__"]
    return function_of(calls[0], 1) if len(nodes) == len(calls) == 1 else None


def function_of(node: ast.AST, skipped: int) -> "Function | None":
    """What a definition says, without its first `skipped` parameters; None where a decorator may change it."""
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or node.decorator_list:
        return None
    given = node.args
    places = [each.arg for each in (*given.posonlyargs, *given.args)]
    free = places[: len(places) - len(given.defaults)][skipped:]
    named = [(each.arg, default) for each, default in zip(given.kwonlyargs, given.kw_defaults)]
    needs = (*free, *(name for name, default in named if default is None))
    takes = (*places[skipped:], *(name for name, _ in named))
    return Function(node.lineno, needs, None if given.kwarg else takes, tuple(_returned(node)))


def _returned(node: "ast.FunctionDef | ast.AsyncFunctionDef") -> "Iterator[object]":
    """What the ends of a function return; nothing of a generator. Running off the end is one where no other is there."""
    found, pending = [], list[ast.AST](node.body)
    while pending:
        each = pending.pop()
        if isinstance(each, (ast.Yield, ast.YieldFrom, ast.Raise)):
            return  # a generator, or one that may be there to be replaced
        if isinstance(each, ast.Return):
            found.append(_kind(each.value))
        if not isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            pending.extend(ast.iter_child_nodes(each))
    yield from found or [NOTHING]


def _kind(value: "ast.expr | None") -> object:
    if value is None or (isinstance(value, ast.Constant) and value.value is None):
        return NOTHING
    if _is_number(value):
        return NUMBER
    if isinstance(value, (ast.List, ast.ListComp, ast.Tuple)):
        return COLLECTION
    if isinstance(value, ast.Dict):
        words = [key.value if isinstance(key, ast.Constant) else None for key in value.keys]
        return None if None in words else frozenset(words)
    return None


def _is_number(value: ast.expr) -> bool:
    if isinstance(value, ast.UnaryOp):
        value = value.operand
    if isinstance(value, ast.Constant):
        return type(value.value) in (int, float, bool)
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in _SCALARS


def never_gives(function: Function, kinds: "tuple[str, ...]", key: str = "") -> bool:
    """Whether each end of a function is known, and of one of these kinds, or a mapping without a key (any mapping, for no key)."""
    ends = function.returns
    return bool(ends) and all(key not in each if isinstance(each, frozenset) else each in kinds for each in ends)


def called_by_name(
    function: Function, given: "tuple[str, ...]", may_be: "frozenset[str]"
) -> "tuple[list[str], list[str]]":
    """(what a function does not take of what it is given by name, what it needs and neither gets nor may get)."""
    refused = [] if function.takes is None else [name for name in given if name not in function.takes]
    return refused, [name for name in function.needs if name not in given and name not in may_be]


def texts_in(value: object) -> "list[str]":
    """The texts of a setting that is one or a list of them."""
    values = value if isinstance(value, list) else [value]
    return [each for each in values if type(each) is str]


def given(launch: "Run", name: str, otherwise: object = None) -> object:
    """What is written for a setting."""
    setting = launch.setting(name)
    return otherwise if setting is None else setting.value
