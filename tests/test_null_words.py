"""null, and the words None and null: what says that there is nothing is told once, and can be mended."""

import pytest

from conftest import comment, lint_text, names, said
from grpo_lint.engine import repair
from grpo_lint.launch.context import Context

TRL = "model_name_or_path: q\ndataset_name: d\noutput_dir: o\nnum_generations: 8\nper_device_train_batch_size: 8\n"
SWIFT = "rlhf_type: grpo\nmodel: q\ndataset: d\nnum_generations: 8\nper_device_train_batch_size: 8\n"
REWARD = "reward_funcs: accuracy\n"
SCRIPT = "#!/bin/bash\nswift rlhf --rlhf_type grpo --model q --dataset d --reward_funcs accuracy --num_generations 8 --per_device_train_batch_size 8"


def mended(text, path):
    return repair(text.encode(), path, Context(), unsafe=True)


@pytest.mark.parametrize("word", ["None", "none", "null", "'None'"])
@pytest.mark.parametrize("key", ["loss_type", "importance_sampling_level", "max_steps", "beta"])
def test_a_word_for_nothing_can_be_mended_in_trl(key, word):
    done = mended(f"{comment(dialect='trl', version='1.5.1')}{TRL}{key}: {word}\n", "c.yaml")
    assert names(done.first, "error", "warning"), "the run dies of it"
    assert names(done.report, "error", "warning") == [] and key not in done.data.decode()


def test_where_no_is_a_choice_it_is_meant():
    done = mended(f"{comment(dialect='trl', version='1.16.0')}{TRL}save_strategy: None\n", "c.yaml")
    assert 'save_strategy: "no"' in done.data.decode() and names(done.report, "error", "warning") == []


@pytest.mark.parametrize("key", ["loss_type", "max_steps"])
@pytest.mark.parametrize("word", ["None", "null"])
def test_a_flag_that_says_nothing_goes(key, word):
    done = mended(f"{SCRIPT} --{key} {word}\n", "a.sh")
    assert names(done.first, "error", "warning") and f"--{key}" not in done.data.decode()


@pytest.mark.parametrize("key", ["reward_funcs", "loss_type"])
def test_a_null_of_ms_swift_is_one_finding(key):
    reward = "" if key == "reward_funcs" else REWARD
    report = lint_text(f"{comment(dialect='swift', version='3.12.6')}{SWIFT}{reward}{key}: null\n")
    assert names(report, "error", "warning") == ["null-is-not-a-text"]
    finding = said(report, "null-is-not-a-text")
    assert finding.severity == "error" and finding.enforced


@pytest.mark.parametrize(("version", "key"), [("3.12.6", "max_epochs"), ("4.6.0", "num_train_epochs")])
def test_a_run_of_no_length_is_offered_an_epoch(version, key):
    text = "rlhf_type: grpo\nmodel: q\ndataset: d\nreward_funcs: accuracy\nvllm_mode: colocate\nnum_generations: 8\nmicro_batch_size: 1\nglobal_batch_size: 64\n"
    done = mended(comment(dialect="megatron", version=version, world_size=8) + text, "c.yaml")
    assert names(done.first, "error") == ["run-has-iterations"]
    assert f"{key}: 1" in done.data.decode() and names(done.report, "error") == []
