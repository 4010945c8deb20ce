"""The mutants of `python -m mutation`: each changes one place, and the same seed makes the same ones."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from mutation.__main__ import TESTS, changes, mutants  # noqa: E402

sys.path.pop(0)


@pytest.mark.parametrize("text, expected", [
    ("a < b", {"a <= b"}),
    ("a is b", {"a is not b"}),
    ("a and b", {"a or b"}),
    ("f(7)", {"f(8)"}),
    ("a if b else c", {"a if not b else c"}),
    ("def f():\n    if a:\n        return\n    b()", {"def f():\n    if not a:\n        return\n    b()", "def f():\n    if False:\n        return\n    b()"}),
    ("if a:\n    b()\nelse:\n    c()", {"if not a:\n    b()\nelse:\n    c()"}),
    ("f('x', True, None)", set()),
])  # fmt: skip
def test_each_change_is_made_alone(text, expected):
    made = set()
    for number in range(len(changes(ast.parse(text)))):
        tree = ast.parse(text)
        changes(tree)[number][2]()
        made.add(ast.unparse(ast.fix_missing_locations(tree)))
    assert made == expected


def test_the_same_seed_makes_the_same_mutants_and_each_is_another_module():
    first, second, other = (list(mutants(5, seed)) for seed in (3, 3, 4))
    assert first == second != other
    for path, _, _, text in first:
        whole = (ROOT / "grpo_lint" / path).read_text(encoding="utf-8")
        assert ast.dump(ast.parse(text)) != ast.dump(ast.parse(whole))
        assert path.parts[0] in TESTS


def test_the_tests_that_are_to_notice_are_there():
    assert all((ROOT / path).is_file() for words in TESTS.values() for path in words.split())
