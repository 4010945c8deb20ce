"""Programs of a repository whose arguments are written like those of a framework: from which file Hydra starts there, and whether
the framework's own main function runs."""

import ast
import os
from warnings import catch_warnings, simplefilter

from ..files.budget import PROGRAMS
from ..frameworks.registry import framework as framework_named
from ..record import Record
from ..source.python.reader import dotted, has_endless_name
from .programs import path_of_program
from .scripts import place_of_config

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..frameworks.command_spec import Commands
    from .commands import Invocation
    from .files import Files

_DECORATOR = "hydra.main"
_HARMLESS = ("print", "pprint.pprint")


def adopt(invocation: "Invocation", files: "Files") -> None:
    """Let a command be one of the framework whose settings it writes, where its program can be read and starts from a file that is
    here, or from the framework's own tree. Of all others nothing but the writing is judged."""
    own = invocation.alike if invocation.own is None else None
    path = path_of_program(invocation, files) if own is not None else None
    program = _program_at(path, files) if path is not None else None
    if own is not None and path is not None and program is not None:
        _adopt(invocation, own, path, program, files)


def _adopt(invocation: "Invocation", own: "Commands", path: str, program: "OwnProgram", files: "Files") -> None:
    name = invocation.named_file or program.file
    is_of_the_tree = not invocation.names_its_folder and _is_of_the_tree(program.folder, name, own)
    file = place_of_config(invocation, files) if invocation.names_its_folder else _beside(path, program.folder, name)
    if is_of_the_tree or (file is not None and files.at(file) is not None):
        invocation.own, invocation.entry = own, None if program.runs in own.mains else own.others
        invocation.own_file = None if is_of_the_tree else file


def _program_at(path: str, files: "Files") -> "OwnProgram | None":
    text = files.read(path)
    return _read(text) if text is not None and files.budget.allows(PROGRAMS, path, len(text)) else None


def _beside(path: str, folder: str, name: str) -> "str | None":
    """The path of the file that a program names, which is looked for from its own folder; None for one of a package."""
    if folder.startswith("pkg://"):
        return None
    return os.path.normpath(os.path.join(os.path.dirname(path), folder, f"{name}.yaml"))


def _is_of_the_tree(folder: str, name: str, own: "Commands") -> bool:
    """Whether a program starts from a file of the framework itself."""
    tree = framework_named(own.framework).reader.configs.tree_folder
    place = folder.removeprefix("pkg://").replace(".", "/") if folder.startswith("pkg://") else folder
    return f"/{place}".endswith(f"/{tree}") and name in own.primaries


class OwnProgram(Record):
    """A program of somebody's own that Hydra configures.

    folder, file   of the file from which Hydra starts, as the program says them
    runs           the function that is handed its settings, as a dotted name; an empty text where more is done with them
    """

    folder: str
    file: str
    runs: str


def _read(text: str) -> "OwnProgram | None":
    """What a program says of itself; None where that is not known."""
    if _DECORATOR.partition(".")[0] not in text or has_endless_name(text):
        return None
    with catch_warnings():
        simplefilter("ignore")
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
    names = _imported(tree)
    found = _decorated(tree, names)
    if len(found) != 1:
        return None
    function, call = found[0]
    given = {keyword.arg: _constant(keyword.value) for keyword in call.keywords}
    given |= dict(zip(("config_path", "config_name"), map(_constant, call.args)))
    folder, name = given.get("config_path"), given.get("config_name")
    if not folder or not name:
        return None
    return OwnProgram(folder=folder, file=name.removesuffix(".yaml"), runs=_only_call(function, names))


def _decorated(tree: ast.Module, names: dict[str, str]) -> "list[tuple[ast.FunctionDef, ast.Call]]":
    """The functions that Hydra calls with its settings, each with the call of its decorator."""
    functions = [each for each in tree.body if isinstance(each, ast.FunctionDef)]
    calls = [(each, call) for each in functions for call in each.decorator_list if isinstance(call, ast.Call)]
    return [(each, call) for each, call in calls if _full(call.func, names) == _DECORATOR]


def _imported(tree: ast.Module) -> dict[str, str]:
    """{name in the module: what it stands for, dotted}."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.update({each.asname or each.name: f"{node.module}.{each.name}" for each in node.names})
        elif isinstance(node, ast.Import):
            found.update({each.asname: each.name for each in node.names if each.asname})
    for node in tree.body:  # one of the same name that the module defines itself
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.pop(node.name, None)
    return found


def _full(node: ast.expr, names: dict[str, str]) -> str:
    """A name or a chain of attributes as what it stands for."""
    written = dotted(node) or ""
    first, dot, rest = written.partition(".")
    return f"{names.get(first, first)}{dot}{rest}"


def _constant(node: ast.expr) -> "str | None":
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _only_call(function: ast.FunctionDef, names: dict[str, str]) -> str:
    """The one function that another one hands its only parameter, and nothing else; empty where it does more."""
    parameter = function.args.args[0].arg if len(function.args.args) == 1 else ""
    told = []
    for statement in function.body:
        call = statement.value if isinstance(statement, ast.Expr) else statement
        if isinstance(call, (ast.Constant, ast.Import, ast.ImportFrom)):
            continue
        if not isinstance(call, ast.Call):
            return ""
        callee = _full(call.func, names)
        if callee in _HARMLESS:
            continue
        is_plain = len(call.args) == 1 and not call.keywords and dotted(call.args[0]) == parameter
        if not is_plain:
            return ""
        told.append(callee)
    return told[0] if len(told) == 1 else ""
