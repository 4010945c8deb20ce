"""Paths that a program computes from the place of a module: `Path(pkg.module.__file__).parent / "config"`, or of its own file."""

import ast
from posixpath import dirname, join, normpath

from ..source.python.reader import dotted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import abc
    from typing import Any, TypeAlias

    from ..shared_types import Mapping

    Inner: TypeAlias = abc.Callable[[ast.expr], "str | None"]  # the path of an expression in another one

_SAME = frozenset("str Path PurePath abspath realpath resolve absolute fspath as_posix".split())
_DEEPEST = 20
_OF_PACKAGE = "pkg://"


def path_of(
    node: "ast.expr | None", names: "Mapping[str, str]", bound: "Mapping[str, ast.expr]", depth: int = 0
) -> "str | None":
    """The folder or file that an expression computes: seen from the program's own folder, or `pkg://a/b` for one of a package; None
    where it is not known.

    `names`: {name: what it is imported as, dotted}; `bound`: {name of the module: the one expression that it stands for}."""
    if isinstance(node, ast.Name) and node.id != "__file__":
        node = bound.get(node.id)
    if node is None or depth > _DEEPEST:
        return None
    read = _READERS.get(type(node))
    return None if read is None else read(node, lambda each: path_of(each, names, bound, depth + 1), names)


def _constant(node: ast.Constant, inner: "Inner", names: "Mapping[str, str]") -> "str | None":
    return node.value if isinstance(node.value, str) else None


def _own_file(node: ast.Name, inner: "Inner", names: "Mapping[str, str]") -> "str | None":
    return "./file.py" if node.id == "__file__" else inner(node)


def _divided(node: ast.BinOp, inner: "Inner", names: "Mapping[str, str]") -> "str | None":
    return _joined(map(inner, (node.left, node.right))) if isinstance(node.op, ast.Div) else None


def _attribute(node: ast.Attribute, inner: "Inner", names: "Mapping[str, str]") -> "str | None":
    if node.attr == "__file__":
        return _file_of(dotted(node.value), names)
    found = inner(node.value) if node.attr == "parent" else None
    return found and _above(found)


def _called(call: ast.Call, inner: "Inner", names: "Mapping[str, str]") -> "str | None":
    function = dotted(call.func).rpartition(".")[2]
    of = [call.func.value] if isinstance(call.func, ast.Attribute) and not call.args else []
    given = [inner(each) for each in (*of, *call.args)]
    if function in ("join", "joinpath"):
        return _joined(given)
    if len(given) != 1 or given[0] is None:
        return None
    if function == "files":  # of importlib.resources
        return f"{_OF_PACKAGE}{given[0].replace('.', '/')}"
    if function == "dirname":
        return _above(given[0])
    return given[0] if function in _SAME else None


def _file_of(name: str, names: "Mapping[str, str]") -> "str | None":
    """The file of a module: of a program, whose name begins so, and of a package anything else."""
    first, dot, rest = name.partition(".")
    full = f"{names.get(first, first)}{dot}{rest}".replace(".", "/")
    is_program = full.rpartition("/")[2].startswith("main")
    return f"{_OF_PACKAGE}{full}{'.py' if is_program else '/__init__.py'}" if full.strip("/") else None


def _joined(parts: "abc.Iterable[str | None]") -> "str | None":
    known = [*parts]
    return _kept(join, *known) if known and None not in known else None  # type: ignore[arg-type]


def _above(path: str) -> str:
    return _kept(dirname, path)


def _kept(compute: "abc.Callable[..., str]", first: str, *rest: str) -> str:
    """What is computed of a path, whose package stays in front."""
    mark = _OF_PACKAGE if first.startswith(_OF_PACKAGE) else ""
    return mark + normpath(compute(first.removeprefix(mark), *rest) or ".")


_READERS: "dict[type[ast.expr], abc.Callable[[Any, Inner, Mapping[str, str]], str | None]]" = {
    ast.Constant: _constant,
    ast.Name: _own_file,
    ast.BinOp: _divided,
    ast.Attribute: _attribute,
    ast.Call: _called,
}
