"""No function is so long or so tangled that one has to read it twice (`benchmarks/size.py` measures)."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
spec = importlib.util.spec_from_file_location("size", ROOT / "benchmarks" / "size.py")
size = importlib.util.module_from_spec(spec)
spec.loader.exec_module(size)

MOST_COMPLEX = 15
LOWER = {"plan": 8, "rules": 8, "launch": 12}  # in rooms that are read more often than the others
ROOMS = sorted({path.relative_to(size.PACKAGE).parts[0] for path, _ in size.modules()})  # and the modules above them


@pytest.mark.parametrize("room", ROOMS)
def test_functions_are_short_and_simple(room):
    most = LOWER.get(room, MOST_COMPLEX)
    found = size.functions(size.PACKAGE / room)
    assert [str(each) for each in found if each.lines > size.LONGEST or each.complexity > most] == []


def test_functions_are_found_in_each_room():
    rooms = {path.relative_to(size.PACKAGE).parts[0] for path in (each.path for each in size.functions())}
    assert rooms.issuperset(LOWER)
    assert len(rooms) > 15


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
