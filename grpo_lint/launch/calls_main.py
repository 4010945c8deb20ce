"""Programs of a repository that only call the main function of a framework, which then reads the command itself."""

import ast
import sys

from ..frameworks.registry import commands, framework as framework_named
from ..source.python.reader import dotted
from .adopted import HARMLESS, OwnProgram, full

_MODULES = {
    place.replace("/", ".").removesuffix(".py"): own for own in commands() for place in own.modules if own.mains
}
_RUNS_MODULE = "runpy.run_module"
_OF_PATHS = ("sys.path.", "os.environ.", "os.chdir", "os.putenv")  # calls that prepare a start


def of_a_main(tree: ast.Module, names: dict[str, str]) -> "OwnProgram | None":
    """A program that only calls the main function of a framework, which then reads the command; None for any other. What may change
    the framework before, as its own modules may, leaves open what runs."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    called = [module for module in (_main_called(each, names) for each in calls) if module]
    own = _MODULES.get(called[0]) if len(called) == 1 else None
    if own is None:
        return None
    folder = framework_named(own.framework).reader.primaries.folder
    runs = own.mains[0] if _only_starts(tree.body, names) else ""
    used = frozenset(names.values())
    return OwnProgram(folder=f"pkg://{folder.replace('/', '.')}", file=own.primaries[0], runs=runs, uses=used)


def _main_called(call: ast.Call, names: dict[str, str]) -> str:
    """The module of a framework whose main function a call runs; empty for another one."""
    function = full(call.func, names)
    if function == _RUNS_MODULE and call.args and isinstance(call.args[0], ast.Constant):
        return str(call.args[0].value)
    module, _, name = function.rpartition(".")
    return module if name == "main" and not call.args and not call.keywords else ""


def _only_starts(body: "list[ast.stmt]", names: dict[str, str]) -> bool:
    """Whether statements do no more than to import what is Python's own or a framework's, and to start its main function."""
    left = [*body]
    while left:
        each = left.pop()
        if isinstance(each, ast.If):
            left += each.body + each.orelse
        elif isinstance(each, ast.FunctionDef) and not each.decorator_list:
            left += each.body
        elif not _changes_nothing(each, names):
            return False
    return True


def _changes_nothing(statement: ast.stmt, names: dict[str, str]) -> bool:
    if isinstance(statement, ast.Assign):
        return all(_is_plain_place(each) for each in statement.targets)
    if isinstance(statement, ast.Expr):
        return not isinstance(statement.value, ast.Call) or _is_plain_call(statement.value, names)
    return isinstance(statement, ast.Pass) or _imports_what_is_known(statement)


def _is_plain_call(call: ast.Call, names: dict[str, str]) -> bool:
    """Whether a call prepares the start or is the start; a function of the program itself is looked at as well."""
    name = full(call.func, names)
    return name in HARMLESS or name.startswith(_OF_PATHS) or name.isidentifier() or bool(_main_called(call, names))


def _imports_what_is_known(statement: ast.stmt) -> bool:
    """Whether a statement imports what is Python's own or a framework's."""
    if isinstance(statement, ast.ImportFrom):
        return not statement.level and _is_known_module(statement.module or "")
    return isinstance(statement, ast.Import) and all(_is_known_module(each.name) for each in statement.names)


def _is_plain_place(target: ast.expr) -> bool:
    """Whether an assignment to it changes no module: a name of the program, or a variable of the environment."""
    return isinstance(target, ast.Name) or (
        isinstance(target, ast.Subscript) and dotted(target.value) in ("os.environ", "environ")
    )


def _is_known_module(name: str) -> bool:
    first = name.partition(".")[0]
    return first in sys.stdlib_module_names or any(module.partition(".")[0] == first for module in _MODULES)
