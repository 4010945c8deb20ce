"""Whether the text of a program shows that it may read a file of settings."""

import ast
import os

from ..files import disk
from ..files.patterns import name_matches
from ..launch.files import read_text
from ..launch.programs import Library
from ..source.python.reader import TooMuch, dotted, parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Iterator

_STARTS = ("subprocess.", "os.system", "os.popen", "os.exec", "os.spawn", "asyncio.create_subprocess")
_DECLARES = frozenset("add_argument argument option Argument Option DEFINE_string".split())
_CONFIG = ("conf", "cfg", "yaml", "yml")  # parts of the names of arguments


def may_read(text: str, path: "list[str]") -> bool:
    """Whether a program names a file, by its name or a pattern that it fits, or takes the name of a config as an argument. `path`: the
    parts of the path of the file."""
    try:
        tree = parsed(text)
    except (SyntaxError, TooMuch):
        return False
    if "sys.argv" in text and "yaml" in text:
        return True
    return any(_declares_config(node) for node in ast.walk(tree)) or any(_fits(name, path) for name in _texts(tree))


def handed_on(text: str, path: str) -> "Iterator[str]":
    """The files of the repository whose main function, or which as a whole, a program at `path` starts: what it does is done there."""
    try:
        tree = parsed(text)
    except (SyntaxError, TooMuch):
        return
    folder, imported = os.path.dirname(path), _imported(tree)
    library = Library(read_text)
    for node in ast.walk(tree):
        name = dotted(node.func) if isinstance(node, ast.Call) else ""
        if name == "main" or name.endswith(".main"):
            for level, module in imported.get(name.partition(".")[0], ()):
                yield from filter(disk.is_file, library.files(folder, level, module))
        elif name == "runpy.run_path":
            yield from _named_below(tree, folder)


def _imported(tree: ast.Module) -> "dict[str, list[tuple[int, str]]]":
    """{name: (dots, module) of each module that it may come from}."""
    found: dict[str, list[tuple[int, str]]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            module = node.module or ""
            for alias in node.names:
                whole = f"{module}.{alias.name}" if module else alias.name
                found[alias.asname or alias.name] = [(node.level, each) for each in (whole, module) if each]
        elif isinstance(node, ast.Import):
            for alias in node.names:
                found[alias.asname or alias.name.partition(".")[0]] = [(0, alias.name)]
    return found


def _named_below(tree: ast.Module, folder: str) -> "Iterator[str]":
    """The files of Python that a program names by parts (`HERE.parents[1] / "review" / "run.py"`), below a folder on the way to the root."""
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            parts: list[str] = []
            while isinstance(node, ast.BinOp) and isinstance(node.right, ast.Constant):
                parts.insert(0, str(node.right.value))
                node = node.left
            names = "/".join(parts)
            if names.endswith(".py") and ".." not in names and not os.path.isabs(names):
                above = (os.path.join(each, names) for each in disk.folders_up_to_root(folder))
                yield from filter(disk.is_file, above)


def _declares_config(node: ast.AST) -> bool:
    """Whether a part of a program takes the name of a config: from its arguments, or by Hydra."""
    if not isinstance(node, ast.Call):
        return False
    name = dotted(node.func)
    first = [each.value for each in node.args if isinstance(each, ast.Constant) and type(each.value) is str]
    is_argument = name.rpartition(".")[2] in _DECLARES and any(part in word for word in first for part in _CONFIG)
    return is_argument or name == "hydra.main"


def _texts(tree: ast.Module) -> "Iterator[str]":
    """The texts of a program; what is not known of one is `*`. The words of commands that it starts are none: another program reads
    what these name."""
    nodes: list[ast.AST] = [tree]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Constant) and type(node.value) is str:
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            yield "".join(str(each.value) if isinstance(each, ast.Constant) else "*" for each in node.values)
        elif not _is_command(node):
            nodes.extend(ast.iter_child_nodes(node))


def _is_command(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return dotted(node.func).startswith(_STARTS)
    words = [each.value for each in node.elts if isinstance(each, ast.Constant)] if isinstance(node, ast.List) else []
    return any(type(word) is str and word.startswith("-") for word in words)


def _fits(text: str, path: "list[str]") -> bool:
    """Whether a text names a file: with its folders, as far as it gives these, or by its ending alone."""
    ending = os.path.splitext(path[-1])[1]
    if not ending or not text.endswith(ending):
        return False
    named = f"*{text}" if text == ending else text
    parts = [part for part in named.split("/") if part not in ("", ".", "..", "**")]
    return len(parts) <= len(path) and all(map(name_matches, parts[::-1], path[::-1]))
