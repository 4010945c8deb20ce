"""No function is so long or so tangled that one has to read it twice (`benchmarks/size.py` measures)."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
spec = importlib.util.spec_from_file_location("size", ROOT / "benchmarks" / "size.py")
size = importlib.util.module_from_spec(spec)
spec.loader.exec_module(size)

# {room: the worst complexity of a function}; in what follows each stage of a launch it is lower
ROOMS = {"plan": 8, "rules": 8, "frameworks": 15, "launch": 12}
ROOMS |= dict.fromkeys(
    ("checker", "source", "files", "fixes", "cli", "lsp", "mcp", "planning", "settings", "changes"), 15
)


@pytest.mark.parametrize("room", ROOMS)
def test_functions_are_short_and_simple(room):
    found = list(size.functions(ROOT / "grpo_lint" / room))
    assert len(found) > 5
    assert [str(each) for each in found if each.lines > size.LONGEST or each.complexity > ROOMS[room]] == []


def test_what_is_measured(tmp_path):
    path = tmp_path / "module.py"
    path.write_text(
        'def tangled(values):\n    """A text\n    of two lines."""\n'
        "    return [each for each in values if each and each > 1] if values else [] or None\n"
    )
    size.ROOT = tmp_path
    (function,) = size.functions(path)
    assert (function.lines, function.complexity) == (2, 6)
    assert size.statements_in(next(iter(size.modules(path)))[1]) == 3
