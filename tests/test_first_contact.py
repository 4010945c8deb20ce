"""What was told wrongly at first contact with repositories that nobody here had seen: one small case of each cause."""

import pytest

from conftest import lint_text, names

# --- sections of other runs -------------------------------------------------------------------------------------------

TWO_RUNS = """\
# grpo-lint: version=1.16.0
{other}:
  warmup_steps: 10
  eval_strategy: steps
  eval_steps: 100
grpo:
  per_device_train_batch_size: 8
  num_generations: 8
  max_completion_length: 64
  learning_rate: 5.0e-6
  max_steps: 3
"""


@pytest.mark.parametrize(
    ("other", "is_told"), [("sft", False), ("sft_training", False), ("dpo", False), ("trainer", True)]
)
def test_what_another_kind_of_training_is_set_is_not_mixed_into_this_one(other, is_told):
    report = lint_text(TWO_RUNS.format(other=other))
    assert report.launches
    assert ("warmup-ends-within-the-run" in names(report), "evaluation-comes-within-the-run" in names(report)) == (
        is_told,
        is_told,
    )
