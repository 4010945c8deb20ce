"""Programs of a repository whose arguments are written like those of a framework: from which file Hydra starts there, and whether
the framework's own main function runs."""

import ast
import os
from warnings import catch_warnings, simplefilter

from ..files import disk
from ..files.budget import PROGRAMS
from ..frameworks.registry import commands, framework as framework_named, recognise
from ..record import Record, kept
from ..source.entry import loaded, mapping_of, reader_of
from ..source.python.reader import dotted, has_endless_name
from ..source.yaml.reader import entries_of
from .commands import Invocation
from .overrides import read_overrides
from .program_paths import path_of
from .programs import path_of_program
from .scripts import place_of_config

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from ..shared_types import Budget, Callable, Commands, Files, Framework, Iterable, Iterator, Sequence
    from .files import NamedFile

    # root of a repository -> (file of settings -> the programs that start from it, why there may be others)
    Configured: TypeAlias = "dict[str, tuple[dict[str, list[tuple[str, OwnProgram]]], str]]"

_LIBRARY = "hydra"
_DECORATOR = f"{_LIBRARY}.main"
_WITH_OTHERS = tuple(own for own in commands() if own.others is not None)
HARMLESS = frozenset(("print", "pprint.pprint", "ray.init", "ray.is_initialized", "omegaconf.OmegaConf.resolve"))
_PREPARING = frozenset(each for own in _WITH_OTHERS for each in own.prepares)
# what the text of a program that only calls the main function of a framework names
_MAIN_FILES = frozenset(
    os.path.basename(place.replace(".py", "").replace(".", "/")) for own in _WITH_OTHERS for place in own.modules
)
_WAITS, _REMOTE = "ray.get", ".remote"
_TRAINER = "Trainer"  # in the names of the classes that train
MOST_STEPS = 3  # functions of a program that hand on what they are handed


def adopted(invocation: "Invocation", files: "Files") -> "Invocation":
    """A command as one of the framework whose settings it writes, where it starts from a file that is here, or from the framework's
    own tree. One whose words show no framework is of that whose settings are in the file.

    The same command where nothing of this is known: nothing but the writing is judged."""
    if invocation.own is not None:
        return invocation
    path = path_of_program(invocation, files)
    program = _program_at(path, files) if path is not None else None
    if invocation.alike is not None:
        _adopt(invocation, invocation.alike, path, program, files, is_shown=program is not None)
        return invocation
    for own in _WITH_OTHERS:
        found = read_again(invocation, own)
        if _adopt(found, own, path, program, files, is_shown=False):
            return found
    return invocation


def read_again(invocation: "Invocation", own: "Commands", is_shown: bool = False) -> "Invocation":
    """The same command where its program takes settings as those of a framework do, though none of its words shows it. `is_shown`:
    whether it is one of that framework."""
    words = invocation.command.words
    at = next((at for at, word in enumerate(words) if word is invocation.program), len(words))
    found = Invocation(invocation.command, invocation.start, invocation.starter, invocation.program)
    found.is_listed, found.lacks_words = invocation.is_listed, invocation.lacks_words
    found.own = own if is_shown else None
    read_overrides(found, words[at + 1 :])
    return found


def _adopt(
    invocation: "Invocation",
    own: "Commands",
    path: "str | None",
    program: "OwnProgram | None",
    files: "Files",
    is_shown: bool,
) -> bool:
    """Let a command be one of a framework, whose file it names or which its words show; whether it is."""
    program = program or _NOT_READ
    is_usual = path is not None and _is_the_usual_program(path, program, own, files)
    name = _name_of_file(invocation, program, own, is_usual)
    is_of_the_tree = not invocation.names_its_folder and _is_of_the_tree(program.folder, name, own, is_usual)
    place = None if is_of_the_tree else _place_of(invocation, path, program, name, files)
    file = files.at(place) if place is not None else None
    if not is_of_the_tree and (file is None or not (is_shown or _is_of(file, own))):
        return False
    invocation.own, invocation.entry = own, None if is_usual or program.runs in own.mains else own.others
    invocation.own_file, invocation.config_levels = place, name.count("/")
    return True


def _name_of_file(invocation: "Invocation", program: "OwnProgram", own: "Commands", is_usual: bool) -> str:
    """The name of the file from which a program starts, where its command or it says so; empty where nobody knows it."""
    return invocation.named_file or program.file or (own.primaries[0] if is_usual else "")


def _is_the_usual_program(path: str, program: "OwnProgram", own: "Commands", files: "Files") -> bool:
    """Whether a file is the usual program of a framework in a copy that is part of another package, or stands beside it in a copy and
    trains with the same class: a changed copy of that program."""
    place = f"/{os.path.abspath(path).replace(os.sep, '/').lstrip('/')}"
    if any(place.endswith(f"/{known}") for known in own.modules):
        return True
    folder, trainers = os.path.dirname(place), {each for each in program.uses if _TRAINER in each.rpartition(".")[2]}
    usual = [os.path.basename(known) for known in own.modules if f"{folder}/".endswith(f"/{os.path.dirname(known)}/")]
    beside = (files.read(os.path.join(os.path.dirname(path), name)) for name in usual if program.file in own.primaries)
    return bool(trainers) and any(trainers & uses for uses in map(_used_by, filter(None, beside)))


def _used_by(text: str) -> "frozenset[str]":
    program = read_program(text)
    return program.uses if program is not None else frozenset()


def _place_of(
    invocation: "Invocation", path: "str | None", program: "OwnProgram", name: str, files: "Files"
) -> "str | None":
    """The path of the file from which a program starts; a folder that is no whole path counts from that of the program."""
    folder = invocation.names_its_folder
    if path is None or invocation.config_by_flag or (folder is not None and not _is_relative(folder.value)):
        return place_of_config(invocation, files)
    return _beside(path, program.folder if folder is None else folder.value or "", name)


def _is_relative(folder: "str | None") -> bool:
    return folder is not None and not folder.startswith(("/", "~", "pkg:", "file:"))


def _is_of(file: "NamedFile", own: "Commands") -> bool:
    """Whether a file holds settings of a framework, or builds on its tree."""
    root = mapping_of(file.document)
    entries = entries_of(root)
    if recognise(entries.keys(), reader_of(entries))[0] == own.framework:
        return True
    parts = loaded(entries["defaults"].value) if "defaults" in entries else None
    return type(parts) is list and any(type(part) is str and part.lstrip("/") in own.primaries for part in parts)


def _program_at(path: str, files: "Files") -> "OwnProgram | None":
    text = files.read(path)
    may_be = text is not None and (_LIBRARY in text or any(module in text for module in _MAIN_FILES))
    if text is None or not may_be or not files.budget.allows(PROGRAMS, path, len(text)):
        return None
    return read_program(text)


def programs_from(
    path: str, known: "Configured", modules: "Callable[[str], Iterable[tuple[str, str, str]]]", budget: "Budget"
) -> "Sequence[tuple[str, OwnProgram]]":
    """The programs of a repository that say themselves that they start from the file of settings at a path, with their own paths.

    `known` keeps what is found, `modules` gives (path, text, why there may be more) of the Python below a folder."""
    root = disk.project_of(path)
    if root is None:
        return ()
    if root not in known:
        known[root] = _configured_below(root, modules)
    found, problem = known[root]
    if problem:
        budget.cut(PROGRAMS, problem)
    name = os.path.basename(path).removesuffix(".yaml")
    return [*found.get(disk.real(path), ()), *found.get(name, ())]


def _configured_below(
    root: str, modules: "Callable[[str], Iterable[tuple[str, str, str]]]"
) -> "tuple[dict[str, list[tuple[str, OwnProgram]]], str]":
    """The programs by the file, or by its name alone where they compute its folder."""
    found: dict[str, list[tuple[str, OwnProgram]]] = {}
    problem = ""
    for path, text, problem in modules(root):
        program = read_program(text) if _LIBRARY in text and "main" in text else None
        if program is not None and program.file:
            file = _beside(path, program.folder, program.file)
            key = program.file if file is None else disk.real(file)
            found.setdefault(key, []).append((path, program.but(name=_called(path))))
    return found, problem


def _called(path: str) -> str:
    """By what a command may call the module at a path."""
    name = os.path.basename(path).removesuffix(".py")
    return os.path.basename(os.path.dirname(os.path.abspath(path))) if name == "__main__" else name


def as_programs_have_it(framework: "Framework", programs: "Sequence[tuple[str, OwnProgram]]") -> "Framework":
    """A framework as those programs have it that start from one of its files. Of what only some of them refuse nothing is said."""
    own = next((each for each in _WITH_OTHERS if each.framework == framework.name), None)
    if own is None or all(program.runs in own.mains for _, program in programs):
        return framework
    return framework_named(framework.name, own.others)


def _beside(path: str, folder: str, name: str) -> "str | None":
    """The path of the file that a program names, which is looked for from its own folder; None for one of a package."""
    if not folder or not name or folder.startswith("pkg://"):
        return None
    return os.path.normpath(os.path.join(os.path.dirname(path), folder, f"{name}.yaml"))


def _is_of_the_tree(folder: str, name: str, own: "Commands", is_usual: bool) -> bool:
    """Whether a program starts from a file of the framework itself."""
    if is_usual:
        return name in own.primaries
    tree = framework_named(own.framework).reader.primaries.folder
    place = folder.removeprefix("pkg://").replace(".", "/") if folder.startswith("pkg://") else folder
    return f"/{place}".endswith(f"/{tree}") and name in own.primaries


class OwnProgram(Record):
    """A program of somebody's own that Hydra configures.

    folder, file   of the file from which Hydra starts, as the program says them; empty where it computes them, or leaves them
                   to its command
    runs           the function that is handed its settings, as a dotted name; an empty text where more is done with them
    name           by what commands call it
    uses           what it imports, by its full names
    """

    folder: str
    file: str
    runs: str
    name: str = ""
    uses: "frozenset[str]" = frozenset()


_NOT_READ = OwnProgram(folder="", file="", runs="")


@kept(100)
def read_program(text: str) -> "OwnProgram | None":
    """What a program says of itself; None where that is not known."""
    if has_endless_name(text):
        return None
    with catch_warnings():
        simplefilter("ignore")
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
    names = imported(tree)
    found = _decorated(tree, names)
    if not found:
        from .calls_main import of_a_main  # few programs come here

        return of_a_main(tree, names)
    return _of_decorated(tree, names, *found[0]) if len(found) == 1 else None


def _of_decorated(tree: ast.Module, names: dict[str, str], function: ast.FunctionDef, call: ast.Call) -> OwnProgram:
    """The program whose function Hydra calls with its settings."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    given |= dict(zip(("config_path", "config_name"), call.args))
    bound = _bound(tree)
    folder, name = (path_of(given.get(each), names, bound) or "" for each in ("config_path", "config_name"))
    functions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef) and not each.decorator_list}
    known = {**names, **{each.name: _as_its_base(each, names) for each in tree.body if isinstance(each, ast.ClassDef)}}
    runs = _handed_on(function, functions, known)
    return OwnProgram(folder=folder, file=name.removesuffix(".yaml"), runs=runs, uses=frozenset(names.values()))


def _decorated(tree: ast.Module, names: dict[str, str]) -> "list[tuple[ast.FunctionDef, ast.Call]]":
    """The functions that Hydra calls with its settings, each with the call of its decorator."""
    functions = [each for each in tree.body if isinstance(each, ast.FunctionDef)]
    calls = [(each, call) for each in functions for call in each.decorator_list if isinstance(call, ast.Call)]
    return [(each, call) for each, call in calls if full(call.func, names) == _DECORATOR]


def imported(tree: ast.Module) -> dict[str, str]:
    """{name in the module: what it stands for, dotted}."""
    found: dict[str, str] = {}
    for node in _statements(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.update({each.asname or each.name: f"{node.module}.{each.name}" for each in node.names})
        elif isinstance(node, ast.Import):
            found.update({each.asname: each.name for each in node.names if each.asname})
    for node in tree.body:  # one of the same name that the module defines itself
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.pop(node.name, None)
    return found


def _statements(tree: ast.Module) -> "Iterator[ast.AST]":
    """All statements, in the order of `ast.walk`, which takes ten times as long for what stands in them."""
    found: list[ast.AST] = [tree]
    for node in found:  # which grows
        yield node
        for block in ("body", "handlers", "orelse", "finalbody", "cases"):
            found += getattr(node, block, ())


def full(node: ast.expr, names: dict[str, str]) -> str:
    """A name or a chain of attributes as what it stands for."""
    written = dotted(node) or ""
    first, dot, rest = written.partition(".")
    return f"{names.get(first, first)}{dot}{rest}"


def _bound(tree: ast.Module) -> "dict[str, ast.expr]":
    """{name of the module: the expression that it stands for}, of those that are set once."""
    found: dict[str, ast.expr] = {}
    twice = set()
    for each in tree.body:
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name):
            twice.update({each.targets[0].id} & found.keys())
            found[each.targets[0].id] = each.value
    return {name: value for name, value in found.items() if name not in twice}


def _as_its_base(node: ast.ClassDef, names: dict[str, str]) -> str:
    """The class that one does the work of which adds nothing to it but imports and output; its own name for any other."""
    if len(node.bases) != 1 or node.keywords or not all(_adds_nothing(each, names) for each in node.body):
        return node.name
    return full(node.bases[0], names)


def _adds_nothing(node: ast.stmt, names: dict[str, str]) -> bool:
    """Whether a part of a class does what its base does: a text, or a method that ends in handing all that it is given on."""
    if isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        return True
    if not isinstance(node, ast.FunctionDef) or node.decorator_list:
        return False
    *before, last = node.body
    given = ", ".join(each.arg for each in node.args.args[1:])
    passed_on = isinstance(last, (ast.Return, ast.Expr)) and last.value is not None
    is_same = passed_on and ast.unparse(last.value) == f"super().{node.name}({given})"  # type: ignore[attr-defined]
    return is_same and all(_handed(each, "", names) is None for each in before)


def _handed_on(
    function: ast.FunctionDef, functions: dict[str, ast.FunctionDef], names: dict[str, str], depth: int = 0
) -> str:
    """The function that is handed the one parameter of another one in the end; empty where more is done with it."""
    arguments = function.args.args
    if not arguments or len(arguments) > 1 + len(function.args.defaults) or depth > MOST_STEPS:
        return ""
    known = dict(names)  # with the objects that are made on the way
    handed = [each for each in (_handed(each, arguments[0].arg, known) for each in function.body) if each is not None]
    if len(handed) != 1:
        return ""
    own = functions.get(handed[0])
    return handed[0] if own is None else _handed_on(own, functions, names, depth + 1)


def _handed(statement: ast.stmt, parameter: str, names: dict[str, str]) -> "str | None":
    """The function that a statement hands a parameter and nothing else; None where it does nothing with it, empty where it does
    more, or nobody knows."""
    if isinstance(statement, ast.If):
        inner = (_handed(each, parameter, names) for each in (*statement.body, *statement.orelse))
        return None if _is_harmless(statement.test, names) and all(each is None for each in inner) else ""
    if isinstance(statement, ast.Assign):
        return None if _is_made(statement, names) else ""
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return None
    return _told(statement.value, parameter, names) if isinstance(statement, ast.Expr) else ""


def _told(value: ast.expr, parameter: str, names: dict[str, str]) -> "str | None":
    """The function that an expression hands a parameter and nothing else; None where it does nothing with it, empty where it does more."""
    if _is_harmless(value, names):
        return None
    if isinstance(value, ast.Call) and full(value.func, names) == _WAITS and len(value.args) == 1:
        value = value.args[0]
    if not isinstance(value, ast.Call):
        return ""
    function = full(value.func, names)
    is_plain = len(value.args) == 1 and dotted(value.args[0]) == parameter
    if is_plain and function in _PREPARING:
        return None
    module = function.rpartition(".")[0]
    return function if is_plain and all(_is_class_of(each.value, module, names) for each in value.keywords) else ""


def _is_class_of(value: ast.expr, module: str, names: dict[str, str]) -> bool:
    """Whether an argument is a class of the module whose function is called, or does the same; it may be made an actor of."""
    while isinstance(value, ast.Call) and len(value.args) == 1:
        value = value.args[0]
    return bool(module) and full(value, names).rpartition(".")[0] == module


def _is_harmless(value: ast.expr, names: dict[str, str]) -> bool:
    """Whether an expression changes nothing that is handed on."""
    if isinstance(value, ast.UnaryOp):
        value = value.operand
    return isinstance(value, ast.Constant) or (isinstance(value, ast.Call) and full(value.func, names) in HARMLESS)


def _is_made(statement: ast.Assign, names: dict[str, str]) -> bool:
    """Whether an assignment only makes an actor of a class, under whose name it is known then, or holds no call at all."""
    target, value = statement.targets[0], statement.value
    if not isinstance(target, ast.Name):
        return False
    names.pop(target.id, None)
    if isinstance(value, ast.Call) and not value.args and not value.keywords:
        made = full(value.func, names)
        names[target.id] = made.removesuffix(_REMOTE)
        return made.endswith(_REMOTE)
    return not any(isinstance(node, ast.Call) for node in ast.walk(value))
