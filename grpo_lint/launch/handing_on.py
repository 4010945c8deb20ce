"""A function of somebody's own that makes a config of the keywords that it is given, perhaps only of those that the release knows."""

import ast

from ..source.python.reader import dotted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Iterator


def handed_on_by(function: ast.FunctionDef) -> "tuple[ast.Call, bool] | None":
    """(the call that a function hands its keywords on to, whether it drops some of them); None where it does anything else."""
    name, call = _only_keywords_of(function), _only_result_of(function)
    if call is None or not name:
        return None
    handed = dotted(call.keywords[0].value)
    if handed == name:
        return call, False
    sources = [filtered_of(node) for node in _assigned(function, handed)]
    return (call, True) if [each and each.id for each in sources] == [name] else None


def _only_keywords_of(function: ast.FunctionDef) -> str:
    """The name in `def f(**name)`; empty for any other function."""
    given = function.args
    others = [*given.args, *given.posonlyargs, *given.kwonlyargs, *function.decorator_list]
    return given.kwarg.arg if given.kwarg is not None and not others and not given.vararg else ""


def _only_result_of(function: ast.FunctionDef) -> "ast.Call | None":
    """The call in the only `return f(**name)` of a function."""
    made = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
    call = made[0] if len(made) == 1 else None
    is_given_a_mapping = isinstance(call, ast.Call) and not call.args and [each.arg for each in call.keywords] == [None]
    return call if is_given_a_mapping else None  # type: ignore[return-value]  # it is a call


def _assigned(function: ast.FunctionDef, name: str) -> "Iterator[ast.expr]":
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and [dotted(each) for each in node.targets] == [name]:
            yield node.value


def filtered_of(node: "ast.expr | None") -> "ast.Name | None":
    """The NAME in `{key: value for key, value in NAME.items() if ...}`."""
    if not isinstance(node, ast.DictComp) or len(node.generators) != 1:
        return None
    (each,) = node.generators
    pair = [dotted(part) for part in each.target.elts] if isinstance(each.target, ast.Tuple) else []
    function = each.iter.func if isinstance(each.iter, ast.Call) else None
    if not isinstance(function, ast.Attribute) or function.attr != "items" or not isinstance(function.value, ast.Name):
        return None
    return function.value if pair == [dotted(node.key), dotted(node.value)] else None
