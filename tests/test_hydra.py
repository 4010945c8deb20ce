"""Configs that Hydra puts together of parts: what is not there has no default, and not every key is TRL's."""

import pytest
from conftest import lint_text, names, plan_of, said

from grpo_lint.plan import UNKNOWN
from grpo_lint.wording import message

PART = "defaults:\n  - base\n  - _self_\nexp_name: sums\nper_device_train_batch_size: 4\nmax_completion_length: 64\nnum_generations: {group}\n{more}"
FACTS = "# grpo-lint: version=1.16.0 world-size=1\n"


def test_what_does_not_stand_there_is_unknown():
    plan = plan_of(lint_text(FACTS + PART.format(group=6, more="")))
    assert plan.value("num_generations") == 6 and plan.value("gradient_accumulation_steps") in (None, UNKNOWN)
    assert not names(lint_text(FACTS + PART.format(group=6, more="")))  # a base may well set accumulation to 3


def test_what_stands_there_is_judged_with_a_doubt():
    finding = said(lint_text(FACTS + PART.format(group=6, more="gradient_accumulation_steps: 2\nsteps_per_generation: 2\ngeneration_batch_size: null\n")),
                   "rollout-holds-whole-groups")  # fmt: skip
    assert (finding.severity, finding.assumes) == ("warning", ["loader"])
    assert "taking Hydra to hand these keys to TRL" in message(finding)


def test_keys_of_its_own_are_none_of_our_business():
    text = FACTS + PART.format(group=4, more="gradient_accumulation_steps: 1\ndataset_streaming:\n  enabled: false\nlearning_rte: 1.0e-6\n")
    assert not names(lint_text(text))


OBJECT = "_target_: {target}\nper_device_train_batch_size: 4\nnum_generations: 3\nmax_completion_length: 64\nmax_steps: ${{steps}}\n"


@pytest.mark.parametrize("target", ["trl.GRPOConfig", "trl.trainer.grpo_config.GRPOConfig"])
def test_an_object_of_trls_is_judged_with_its_defaults(target):
    finding = said(lint_text(FACTS + OBJECT.format(target=target)), "rollout-holds-whole-groups")
    assert finding.severity == "warning" and "Hydra" in message(finding)


@pytest.mark.parametrize("target", ["trl.experimental.online.OnlineConfig", "my_rl.loops.TrainingLoop", "my_rl.AsyncGRPOConfig"])
def test_an_object_of_another_class_is_not_ours(target):
    assert lint_text(FACTS.replace("grpo-lint:", "") + OBJECT.format(target=target)).skipped
