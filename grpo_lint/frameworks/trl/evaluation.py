"""The trainer of TRL that a file of Python makes with a config: what else it is given."""

import ast

from ...source.python.reader import dotted, modules_of
from .names import EXPERIMENTS, PACKAGE, TRAINERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...source.python.scopes import Scopes

# Where the constructor takes what, counted from 0, when it is given without a name.
_PLACES = {"args": 2, "eval_dataset": 4}
# Around a call that is meant to fail, or to be made up for.
_GUARDS = (ast.Try, ast.With, ast.AsyncWith)


def made_without_evaluation(scopes: "Scopes", config: ast.Call) -> "ast.Call | None":
    """The call that makes a trainer with the config that another one makes, and surely without a set to evaluate on; None where any call that
    takes the config is another trainer's, may hand such a set in, or may be meant to fail."""
    calls = [call for call in scopes.calls if _makes_use_of(config, call, scopes)]
    return calls[0] if calls and all(_is_without_evaluation(call, scopes) for call in calls) else None


def _makes_use_of(made: ast.Call, call: ast.Call, scopes: "Scopes") -> bool:
    """Whether a call takes the config that another one makes as its `args`."""
    argument = _argument(call, "args")
    if isinstance(argument, ast.Name):
        binding = scopes.binding(argument.id, call)
        return binding is not None and binding.value is made and binding.index is None and not binding.argument
    return argument is made


def _is_without_evaluation(call: ast.Call, scopes: "Scopes") -> bool:
    evaluated = _argument(call, "eval_dataset")
    is_told = not any(isinstance(each, ast.Starred) for each in call.args) and all(each.arg for each in call.keywords)
    is_none = evaluated is None or (isinstance(evaluated, ast.Constant) and evaluated.value is None)
    is_guarded = any(isinstance(node, _GUARDS) for node in scopes.source.above(call))
    return is_told and is_none and not is_guarded and _is_of_package(dotted(call.func), call, scopes)


def _argument(call: ast.Call, name: str) -> "ast.expr | None":
    named = next((each.value for each in call.keywords if each.arg == name), None)
    return named if named is not None else next(iter(call.args[_PLACES[name] : _PLACES[name] + 1]), None)


def _is_of_package(name: str, call: ast.Call, scopes: "Scopes") -> bool:
    """Whether a name is that of a trainer of TRL, and of no class made from it."""
    root, _, rest = name.partition(".")
    binding = scopes.binding(root, call)
    wholes = (
        [f"{module}.{rest}".rstrip(".") for module in modules_of(binding.node, root)] if binding is not None else []
    )
    return any(
        whole.partition(".")[0] == PACKAGE
        and not whole.startswith(EXPERIMENTS)
        and whole.rpartition(".")[2] in TRAINERS
        for whole in wholes
    )
