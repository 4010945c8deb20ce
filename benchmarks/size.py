"""How large the package is, and how tangled: statements of code, the functions beyond 40 lines, the worst complexities.

    python benchmarks/size.py                # of the package, room by room
    python benchmarks/size.py --worst 20     # the longest and the most complex functions
    python benchmarks/size.py grpo_lint/launch

A statement of code is a node of `ast.stmt` but for docstrings and `pass`, and a comprehension, which is a loop in one expression. So
neither the width of lines nor comments matter, and a table of data is one statement, however long it is. Complexity is one more than
the branches of a function: `if`, `for`, `while`, `except`, `case`, `assert`, each further operand of `and` and `or`, a conditional
expression, each `for` and `if` of a comprehension. Functions inside of a function count as parts of it.
"""

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "grpo_lint"
LONGEST = 40  # lines of a function that needs no second look
_BRANCHES = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.match_case, ast.Assert, ast.IfExp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Function:
    """A function or method: where it stands, its lines and its complexity."""

    def __init__(self, path, name, node):
        self.path, self.name, self.line = path, name, node.lineno
        body = node.body[1:] if _is_text(node.body[0]) and len(node.body) > 1 else node.body
        self.lines = node.end_lineno - node.lineno + 1 - _height(node.body[0]) * (body is not node.body)
        self.complexity = complexity_of(node)

    def __str__(self):
        return f"{self.path.relative_to(ROOT)}:{self.line} {self.name}"


def modules(folder=PACKAGE):
    """(path, tree) of each module."""
    for path in sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]:
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def functions(folder=PACKAGE):
    """The functions of a folder that stand in no other one."""
    for path, tree in modules(folder):
        yield from _functions_in(path, tree, "")


def _functions_in(path, node, around):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _FUNCTIONS):
            yield Function(path, around + child.name, child)
        elif isinstance(child, ast.ClassDef):
            yield from _functions_in(path, child, f"{around}{child.name}.")
        else:
            yield from _functions_in(path, child, around)


def complexity_of(node):
    """One more than the branches of a function."""
    found = 1
    for each in ast.walk(node):
        if isinstance(each, _BRANCHES):
            found += 1
        elif isinstance(each, ast.BoolOp):
            found += len(each.values) - 1
        elif isinstance(each, ast.comprehension):
            found += 1 + len(each.ifs)
    return found


def statements_in(tree):
    """The statements of code of a module."""
    return sum(map(_counts, ast.walk(tree)))


def _counts(node):
    if isinstance(node, ast.stmt):
        return not isinstance(node, ast.Pass) and not _is_text(node)
    return isinstance(node, ast.comprehension)


def _is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _height(node):
    return node.end_lineno - node.lineno + 1


def main(words):
    count = int(words[words.index("--worst") + 1]) if "--worst" in words else 5
    named = [Path(word).resolve() for word in words if word[:2] != "--" and not word.isdigit()]
    folder = named[0] if named else PACKAGE
    rooms = {}
    for path, tree in modules(folder):
        parts = path.relative_to(PACKAGE).parts
        room = parts[0] if len(parts) > 1 else "(top)"
        rooms[room] = rooms.get(room, 0) + statements_in(tree)
    for room, statements in sorted(rooms.items(), key=lambda each: -each[1]):
        print(f"{statements:7,}  {room}")
    print(f"{sum(rooms.values()):7,}  statements of code")
    found = list(functions(folder))
    long = sorted((each for each in found if each.lines > LONGEST), key=lambda each: -each.lines)
    print(f"{len(long):7,}  of {len(found):,} functions beyond {LONGEST} lines")
    for each in long[:count]:
        print(f"{'':9}{each.lines} lines  {each}")
    tangled = sorted(found, key=lambda each: -each.complexity)
    print(f"{tangled[0].complexity:7,}  worst complexity")
    for each in tangled[:count]:
        print(f"{'':9}{each.complexity}  {each}")


if __name__ == "__main__":
    main(sys.argv[1:])
