"""What the layers below say is what these packages say: each wording of ours is in the file of the releases that tests/truth/below.json names, as
`conformance/below.py` finds it there."""

import json
from pathlib import Path

import pytest

from grpo_lint.rules.layers_below import CAUSES

ROWS = json.loads((Path(__file__).parent / "truth" / "below.json").read_text(encoding="utf-8"))
LOOKED_UP = ("DeepSpeed", "accelerate", "FlashAttention", "NCCL")  # the layers of which every wording was looked up


@pytest.mark.parametrize(
    "cause", [each for each in CAUSES if each.layer in LOOKED_UP], ids=lambda cause: cause.wordings[0]
)
def test_each_wording_was_found_in_a_release(cause):
    found = {row["wording"] for row in ROWS}
    assert [wording for wording in cause.wordings if wording not in found] == []


def test_nothing_was_looked_up_that_is_not_ours():
    ours = {wording for cause in CAUSES for wording in cause.wordings}
    assert [row["wording"] for row in ROWS if row["wording"] not in ours] == []


def test_each_is_of_several_releases_or_of_one_that_is_named():
    for row in ROWS:
        assert row["file"] and row["repository"].count("/") == 1 and row["releases"]
