"""What an expression in the source of grpo-lint can be, told from the source alone.

A name is a constant of its module, or what its function assigns to it, imports, or takes out of a loop, or, where it is
a parameter, what all calls hand in. Of `a if condition else b` both count, of a table with an unknown key all its
values. An escaped text is only a literal, so one stands for all of them, and one whole number for all numbers.
"""

import ast
from functools import cache
from importlib import import_module
from itertools import product
from pathlib import Path

import grpo_lint

PACKAGE = Path(grpo_lint.__file__).parent
FILES = [path for path in sorted(PACKAGE.rglob("*.py")) if path.name != "catalogue.py"]
ESCAPED = r"a\-b\.c"
NUMBER = 4


class Unknown(Exception):
    """An expression is made of what only a user can say."""


class Place:
    """Where an expression stands: its file, the function around it (None at the top), and the names whose values are
    being looked for already."""

    def __init__(self, node, path, asked=()):
        self.path = path
        self.asked = asked
        while node is not None and not isinstance(node, ast.FunctionDef):
            node = parents(path)[node]
        self.function = node


@cache
def parents(path):
    """{each node of a file: the node it is in}."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {tree: None, **{child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}}


@cache
def calls(path):
    """{name of a function or method: its calls in a file}."""
    found = {}
    for node in parents(path):
        if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            found.setdefault(name, []).append(node)
    return found


def values(node, place):
    """Each value that an expression can have at its place."""
    choices = _Choices(node, place)
    expression = ast.Expression(choices.visit(ast.parse(ast.unparse(node), mode="eval").body))
    code = compile(ast.fix_missing_locations(expression), str(place.path), "eval")
    names = [f"choice_{number}" for number in range(len(choices.found))]
    try:
        return [
            eval(code, {**_constants(place.path), **dict(zip(names, chosen))}) for chosen in product(*choices.found)
        ]
    except Exception as error:  # whatever it does with what is not there
        raise Unknown(ast.unparse(node)) from error


@cache
def _constants(path):
    return vars(import_module("grpo_lint." + ".".join(path.relative_to(PACKAGE).with_suffix("").parts)))


class _Choices(ast.NodeTransformer):
    """Puts a name in the place of each part of an expression that can have several values; `found`: these values."""

    def __init__(self, node, place):
        self.found = []
        self._place = place
        self._own = {each.id for each in ast.walk(node) if type(each) is ast.Name and type(each.ctx) is ast.Store}

    def _one_of(self, found):
        self.found.append(found)
        return ast.Name(f"choice_{len(self.found) - 1}", ast.Load())

    def visit_IfExp(self, node):
        return self._one_of([*values(node.body, self._place), *values(node.orelse, self._place)])

    def visit_Call(self, node):
        return self._one_of([ESCAPED]) if ast.unparse(node.func) == "re.escape" else self.generic_visit(node)

    def visit_Subscript(self, node):
        if isinstance(node.slice, (ast.Constant, ast.Slice)):
            return self.generic_visit(node)
        return self._one_of([each for table in values(node.value, self._place) for each in table.values()])

    def visit_Name(self, node):
        found = None if node.id in self._own else _of_name(node.id, self._place)
        return node if found is None else self._one_of(found)


def _of_name(name, place):
    """The values of a name that is one of its function's; None for any other."""
    function = place.function
    if function is None:
        return None
    if (function, name) in place.asked:
        raise Unknown(name)
    inner = Place(function, place.path, (*place.asked, (function, name)))
    if name in _parameters(function):
        return _handed_in(name, inner)
    found = [each for node in ast.walk(function) for each in _given(name, node, inner)]
    return found or None


def _parameters(function):
    return {each.arg: each for each in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)}


def _handed_in(name, place):
    """What the calls of a function hand in for a parameter: all of the package, of a private one those of its file."""
    function = place.function
    parameters = _parameters(function)
    annotation = parameters[name].annotation
    if annotation is not None and ast.unparse(annotation) == "int":
        return [NUMBER]
    position = list(parameters).index(name) - ("self" in parameters)
    found = []
    for path in [place.path] if function.name.startswith("_") else FILES:
        for call in calls(path).get(function.name, ()):
            argument = [each.value for each in call.keywords if each.arg == name] or call.args[position : position + 1]
            found += values(argument[0], Place(call, path, place.asked)) if argument else []
    if not found:
        raise Unknown(name)
    return found


def _given(name, node, place):
    """The values that a statement, or a loop in an expression, gives a name."""
    if isinstance(node, ast.ImportFrom):
        above = ["grpo_lint", *place.path.relative_to(PACKAGE).parts[: -node.level], *(node.module or "").split(".")]
        original = next((each.name for each in node.names if (each.asname or each.name) == name), None)
        return [getattr(import_module(".".join(filter(None, above))), original)] if original else []
    if isinstance(node, (ast.For, ast.comprehension)):
        sources = [(node.target, node.iter)]
    else:
        sources = [(each, node.value) for each in node.targets] if isinstance(node, ast.Assign) else []
    found = []
    for target, source in sources:
        stored = [each.id for each in ast.walk(target) if type(each) is ast.Name and type(each.ctx) is ast.Store]
        if name in stored:
            wholes = values(source, place)
            if not isinstance(node, ast.Assign):
                wholes = [each for whole in wholes for each in whole]
            if any(isinstance(each, ast.Starred) for each in ast.walk(target)):
                raise Unknown(name)
            found += wholes if isinstance(target, ast.Name) else [whole[stored.index(name)] for whole in wholes]
    return found
