"""What pydantic takes for a kind, as `grpo_lint/frameworks/shared/pydantic_kinds.py` has it; the real one is asked where it is installed."""

from typing import Literal

import pytest

from grpo_lint.frameworks.shared.pydantic_kinds import is_taken

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
