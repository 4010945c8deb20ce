"""Programs of somebody's own that read a config and overrides as those of a framework do, and train with its functions: whether they
hand the settings on as they read them."""

import ast
import os
from functools import lru_cache

from ..files.budget import PROGRAMS
from ..frameworks.registry import BEGIN_WITH, commands
from ..message import Message
from ..source.python.reader import TooMuch, dotted, parsed
from .adopted import full, imported, read_again
from .programs import path_of_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Commands, Files, Iterator, Origin
    from .commands import Invocation

_CALLED = tuple(own for own in commands() if own.calls)
_MERGES = ("omegaconf.OmegaConf.merge", "omegaconf.OmegaConf.update")
_METHODS = frozenset(("update", "setdefault", "pop"))


def called_by(invocation: "Invocation", files: "Files") -> "Invocation":
    """A command as one of the framework with whose functions its program trains; the same for any other."""
    text = _text_of(invocation, files, tuple(package for own in _CALLED for package in _packages(own)))
    own = next((each for each in _CALLED if text and _reading(text, each)[0]), None)
    return invocation if own is None else read_again(invocation, own, is_shown=True)


def doubt_of_program(origin: "Origin", title: str) -> "Iterator[Message]":
    """Why a framework may not get the settings as they are written, where a program of somebody's own is started."""
    invocation: Invocation = origin.invocation
    own: Commands = invocation.own  # type: ignore[assignment]  # only such a command is asked for
    name = f"/{invocation.program.shown()}".replace(os.sep, "/")
    if any(name.endswith(f"/{place}") for place in own.modules):
        return
    text = _text_of(invocation, origin.files, ())
    told = {"program": invocation.program.shown(), "framework": title}
    if text is None:
        yield Message("assuming that {program}, which is not here, hands its settings to {framework} as they are", told)
    elif not _reading(text, own)[1]:
        yield Message("assuming that {program} hands its settings to {framework} as they are", told)


def _packages(own: "Commands") -> "Iterator[str]":
    return (call.partition(".")[0] for call in own.calls)


def _text_of(invocation: "Invocation", files: "Files", words: "tuple[str, ...]") -> "str | None":
    """The text of the program of a command, where it holds one of some words; None where it is not here, or too much."""
    path = path_of_program(invocation, files)
    text = files.read(path) if path is not None else None
    if path is None or text is None or (words and not any(word in text for word in words)):
        return None
    return text if files.budget.allows(PROGRAMS, path, len(text)) else None


@lru_cache(maxsize=20)
def _reading(text: str, own: "Commands") -> "tuple[bool, bool]":
    """Whether a program trains with functions of a framework; whether these get the settings as the functions of the framework read
    them."""
    try:
        tree = parsed(text)
    except (SyntaxError, TooMuch):
        return False, False
    names = imported(tree)
    called = {full(node.func, names) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    trains = not called.isdisjoint(own.calls)
    return trains, trains and called.issuperset(own.reads) and called.isdisjoint(_MERGES) and not _changes(tree, own)


def _changes(tree: ast.Module, own: "Commands") -> bool:
    """Whether a program writes to a setting which the framework's own programs leave as it is."""
    sections: dict[str, str] = {}  # {name of the program: the path of the section that it stands for}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            sections[node.targets[0].id] = _path(node.value, sections)
    written = [each for node in ast.walk(tree) for each in _written_by(node)]
    paths = (_path(each, sections) for each in written)
    first = BEGIN_WITH[own.framework]
    others = {setting.partition(".")[0] for setting in own.changes}
    return any(
        path.partition(".")[0] in (*first, *others) and not _is_changed_by_all(path, own)
        for path in filter(None, paths)
    )


def _is_changed_by_all(path: str, own: "Commands") -> bool:
    return any(f"{path}.".startswith(f"{setting}.") for setting in own.changes)


def _written_by(node: ast.AST) -> "list[ast.expr]":
    """What a statement assigns to, or changes by a method."""
    if isinstance(node, ast.Assign):
        return [each for each in node.targets if not isinstance(each, ast.Name)]
    if isinstance(node, ast.AugAssign):
        return [node.target]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS:
        return [node.func.value]
    return []


def _path(node: ast.expr, sections: "dict[str, str]") -> str:
    """The path of a setting, such as `grpo.seed` of `config["grpo"]["seed"]` and of `config.grpo.seed`; empty for other expressions."""
    parts: list[str] = []
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
        elif isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            parts.append(node.slice.value)
        else:
            return ""
        node = node.value
    return ".".join([*filter(None, [sections.get(dotted(node) or "", "")]), *reversed(parts)])
