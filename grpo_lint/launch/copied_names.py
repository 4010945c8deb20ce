"""Names that the code of a copy of a framework knows: in a registry, an enumeration or a list of choices, or compared with a setting.
Nothing is executed."""

import ast

from ..source.python.reader import TooMuch, dotted, parsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def knows(name: str, words: "tuple[str, ...]", text: str) -> bool:
    """Whether a module in which one of the words stands knows a name; one that cannot be read is taken to."""
    if not any(word in text for word in words) or (f"'{name}'" not in text and f'"{name}"' not in text):
        return False
    try:
        return any(each == name for node in ast.walk(parsed(text)) for each in _known_by(node, words))
    except (SyntaxError, TooMuch):
        return True


def _known_by(node: ast.AST, words: "tuple[str, ...]") -> "Iterator[object]":
    """The values that a node takes for names: not those that it hands to any function, tells or assigns."""
    for each in _places(node, words):
        if isinstance(each, ast.Constant):
            yield each.value


def _places(node: ast.AST, words: "tuple[str, ...]") -> "Iterator[ast.AST | None]":
    if isinstance(node, ast.Compare):
        yield from (node.left, *node.comparators)
    elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        yield from node.elts
    elif isinstance(node, ast.Dict):
        yield from node.keys
    elif isinstance(node, ast.Subscript):
        yield node.slice
    elif isinstance(node, ast.MatchValue):
        yield node.value
    elif isinstance(node, ast.Call) and _registers(node.func, words):
        yield from (*node.args, *(each.value for each in node.keywords))
    elif isinstance(node, ast.ClassDef):  # the members of an enumeration, and the default of a field
        yield from (each.value for each in node.body if isinstance(each, (ast.Assign, ast.AnnAssign)))


def _registers(function: ast.expr, words: "tuple[str, ...]") -> bool:
    called = dotted(function).rpartition(".")[2]
    return called in words or "regist" in called.lower()
