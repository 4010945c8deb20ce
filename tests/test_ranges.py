"""Numbers that a package beside the framework takes or refuses, as it was asked itself (`conformance/ranges`), and what is said of them."""

import json
from pathlib import Path

import pytest

from conftest import lint_text

RECORDED = json.loads((Path(__file__).parent / "truth" / "ranges.json").read_text(encoding="utf-8"))
VERL = "algorithm.adv_estimator=grpo actor_rollout_ref.rollout.name=vllm"
# which package is handed the setting: (framework and release, command, section of the setting)
HANDED = {
    "torch": [
        ("verl version=0.9.1", f"-m verl.trainer.main_ppo {VERL}", "actor_rollout_ref.actor.optim"),
        ("verl version=0.9.1", f"-m verl.trainer.main_ppo {VERL} critic.enable=True", "critic.optim"),
        ("verl version=0.6.1", "-m verl.trainer.main_ppo algorithm.adv_estimator=gae", "critic.optim"),
        ("easyr1 version=0.3.2", "-m verl.trainer.main", "worker.actor.optim"),
    ],
    "megatron-core": [
        (
            "verl version=0.9.1",
            f"-m verl.trainer.main_ppo --config-name=ppo_megatron_trainer {VERL}",
            "actor_rollout_ref.actor.optim",
        ),
    ],
    "vllm": [
        ("verl version=0.9.1", f"-m verl.trainer.main_ppo {VERL}", "actor_rollout_ref.rollout"),
        ("verl version=0.4.1", f"-m verl.trainer.main_ppo {VERL}", "actor_rollout_ref.rollout"),
        ("easyr1 version=0.3.2", "-m verl.trainer.main", "worker.rollout"),
    ],
}
# where nobody looks at the number: the critic of a run without one, Megatron's optimizer before there was a schedule, sglang
UNASKED = (
    ("verl version=0.9.1", f"-m verl.trainer.main_ppo {VERL} critic.optim.lr=-1"),
    ("verl version=0.9.1", f"-m verl.trainer.main_ppo {VERL} critic.enable=False critic.optim.weight_decay=-1"),
    (
        "verl version=0.3.0.post1",
        f"-m verl.trainer.main_ppo --config-name=ppo_megatron_trainer {VERL} actor_rollout_ref.actor.optim.lr=-1",
    ),
    ("easyr1 version=0.3.2", "-m verl.trainer.main worker.actor.optim.strategy=adamw_bf16 worker.actor.optim.lr=-1"),
)


def refusals(facts, command):
    report = lint_text(f"# grpo-lint: dialect={facts}\npython3 {command}\n", path="run.sh", fixes=False)
    return [each for each in report.findings if each.severity == "error" and each.rule.code == "GRPO110"]


@pytest.mark.parametrize("package", [each for each in RECORDED if each.split()[0] in HANDED])
def test_numbers_are_refused_as_by_the_package_that_gets_them(package):
    for facts, command, section in HANDED[package.split()[0]]:
        for name, answers in RECORDED[package].items():
            for number, told in answers.items():
                found = refusals(facts, f"{command} {section}.{name}={number}")
                assert [each.stage for each in found] == (["init"] if told else []), (facts, section, name, number)


@pytest.mark.parametrize(("facts", "command"), UNASKED)
def test_a_number_that_nobody_looks_at_is_no_error(facts, command):
    assert refusals(facts, command) == []


def codes_of(text, path):
    return {each.rule.code for each in lint_text(text, path=path, fixes=False).findings if each.severity == "error"}


def test_experts_over_tensor_ranks_are_refused_as_by_their_layer():
    told = next(answers for package, answers in RECORDED.items() if package.split()[0] == "experts")
    for pair, words in told.items():
        ranks, sequences = pair.split()
        text = (
            "# grpo-lint: dialect=megatron version=4.6.0 world-size=8\nrlhf_type: grpo\nmodel: Qwen/Qwen3-30B-A3B\nglobal_batch_size: 16\n"
            f"micro_batch_size: 1\nnum_generations: 8\ntensor_model_parallel_size: {ranks}\nsequence_parallel: {sequences.lower()}\n"
        )
        assert ("GRPO418" in codes_of(text, "a.yaml")) == bool(words), pair


def test_an_engine_that_is_too_short_is_refused_as_by_itself():
    for package, answers in RECORDED.items():
        if package.split()[0] == "sglang":
            for length, words in answers.items():
                settings = f"{VERL.replace('vllm', 'sglang')} data.max_prompt_length=512 data.max_response_length=1024"
                text = f"# grpo-lint: dialect=verl version={package.split()[1]}\npython3 -m verl.trainer.main_ppo {settings} actor_rollout_ref.rollout.max_model_len={length}\n"  # fmt: skip
                assert ("GRPO785" in codes_of(text, "run.sh")) == bool(words), (package, length)
