"""The rooms of the package and their order: each knows only rooms that stand above it in `ROOMS`, and the name of no
framework but where it belongs."""

import ast
import re
from pathlib import Path

import pytest

import grpo_lint
from conftest import imports_at_run_time

PACKAGE = Path(grpo_lint.__file__).parent
# {room: the rooms that its modules may import}, lowest first; docs/architecture.md says what each is for.
ROOMS = {
    "unknown": "",
    "record": "",
    "message": "",
    "files": "message",
    "source": "unknown record message",
    "plan": "unknown record message",
    "rules": "unknown record message plan",
    "frameworks": "unknown record message source plan rules",
    "launch": "unknown record message files source plan frameworks",
    "settings": "unknown record message files source plan rules frameworks launch",
    "checker": "unknown record message files source plan rules frameworks launch settings",
    "fixes": "unknown record message files source plan frameworks launch checker",
    "engine": "unknown record message files source plan rules frameworks launch settings checker fixes",
}
_UP_TO_ENGINE = f"{ROOMS['engine']} engine"
ROOMS |= {"planning": _UP_TO_ENGINE, "changes": _UP_TO_ENGINE, "report": f"{_UP_TO_ENGINE} planning changes"}
_UP_TO_REPORT = f"{ROOMS['report']} report"
ROOMS |= {"lsp": _UP_TO_REPORT, "mcp": _UP_TO_REPORT, "cli": f"{_UP_TO_REPORT} lsp mcp"}

# Lines outside of `frameworks` that name a framework, both of them vLLM. The number may only fall: what a framework says of
# itself stands in its folder.
MOST_FRAMEWORK_NAMES = 2
_FRAMEWORKS = r"""(?x)["'](?:trl|swift|megatron|verl)["']|\b(?:TRL|ms-swift|Megatron|vLLM)\b"""


def modules():
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        yield path, parts[:-1] if parts[-1] == "__init__" else parts, path.name == "__init__.py"


def imported_by(path, parts, is_package):
    """(line, module) of each import of ours, those inside of functions as well."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (
                (node.lineno, tuple(alias.name.split(".")))
                for alias in node.names
                if alias.name.split(".")[0] == "grpo_lint"
            )
        elif isinstance(node, ast.ImportFrom):
            base = parts if is_package else parts[:-1]
            module = (
                (*base[: len(base) - node.level + 1], *(node.module or "").split("."))
                if node.level
                else tuple(node.module.split("."))
            )
            module = tuple(filter(None, module))
            if module == ("grpo_lint",):
                yield from ((node.lineno, (*module, alias.name)) for alias in node.names)
            elif module[0] == "grpo_lint":
                yield node.lineno, module


def room_of(module):
    return module[1] if len(module) > 1 and module[1] in ROOMS else None


def test_every_module_stands_in_a_room():
    homeless = ["/".join(parts) for _, parts, _ in modules() if room_of(parts) is None]
    assert homeless == ["grpo_lint", "grpo_lint/__main__", "grpo_lint/_api"]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_knows_only_rooms_below_it(room):
    allowed = {room, None, *ROOMS[room].split()}  # None: the package itself, which holds the version
    wrong = [
        f"{'.'.join(parts)}:{line} imports {'.'.join(module)}"
        for path, parts, is_package in modules()
        if room_of(parts) == room
        for line, module in imported_by(path, parts, is_package)
        if room_of(module) not in allowed
    ]
    assert wrong == []


def test_the_rooms_are_in_order():
    order = list(ROOMS)
    assert all(order.index(other) < order.index(room) for room, others in ROOMS.items() for other in others.split())


def test_the_frameworks_are_empty_packages():
    """A file that is none of ours is told by a look at its words: that look must not load a framework."""
    for path in (PACKAGE / "frameworks").rglob("__init__.py"):
        assert path.read_text(encoding="utf-8").strip() == "", path
    assert not imports_at_run_time(PACKAGE / "frameworks" / "recognition.py")


def framework_lines():
    """The lines of code outside of `frameworks` and of translations that name a framework."""
    for path, parts, _ in modules():
        if room_of(parts) in ("frameworks", None):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        texts = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node)
        }
        lines = {
            node.lineno
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant)
            and type(node.value) is str
            and id(node) not in texts
            and re.search(_FRAMEWORKS, repr(node.value))
        }
        yield from ((".".join(parts), line) for line in sorted(lines))


def test_frameworks_are_named_in_their_folders():
    found = list(framework_lines())
    assert len(found) <= MOST_FRAMEWORK_NAMES, "\n".join(f"{module}:{line}" for module, line in found)
