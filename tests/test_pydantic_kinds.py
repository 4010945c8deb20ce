"""What pydantic takes for a kind, as `grpo_lint/frameworks/shared/pydantic_kinds.py` has it; the real one is asked where it is installed."""

from typing import Literal

import pytest

from conftest import lint_text
from grpo_lint.frameworks.shared.pydantic_kinds import Annotations, is_taken

VALUES = (1, 0, -1, 1.5, 2.0, True, None, "abc", "12", "1e-6", "1.5", "true", "Flase", "off", [1], ["a"], [], {"a": 1})
KINDS = {
    "int": int,
    "float": float,
    "bool": bool,
    "str": str,
    "int|null": int | None,
    "dict": dict,
    "list[int]": list[int],
    "list[str]|null": list[str] | None,
    "'pre'|'post'": Literal["pre", "post"],
}


@pytest.mark.parametrize("kinds", KINDS)
def test_what_pydantic_takes(kinds):
    pydantic = pytest.importorskip("pydantic")
    adapter = pydantic.TypeAdapter(KINDS[kinds])
    for value in (*VALUES, "pre"):
        try:
            adapter.validate_python(value)
            takes = True
        except pydantic.ValidationError:
            takes = False
        assert is_taken(value, kinds) == takes, value


@pytest.mark.parametrize(
    ("key", "is_refused"), [((0, 6, 0), False), ((0, 7, 0), True), ((0, 8, 1), False), ((0, 9, 0), False)]
)
def test_a_release_takes_what_it_declares(key, is_refused):
    """A release that is not known takes what the last one does, and what is declared no more may be anything."""
    asked = Annotations({"a": (((0, 7), "int"), ((0, 8), "int|null"), ((0, 9), "any"))}, (), {})
    launch = lint_text("grpo: {num_prompts_per_step: 1}\npolicy: {}\ncluster: {}\n").launches[0]
    assert (asked.fault("a", None, launch, key) is not None) == is_refused
    assert asked.fault("a", 1, launch, key) is None
