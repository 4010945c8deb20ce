"""What several releases say together, when nobody says which one is meant: arithmetic, keys and values alike."""

import pytest

from conftest import lint_config, names, said

BATCH = {"per_device_train_batch_size": 8, "num_generations": 8, "learning_rate": 1e-6}
RECENT = {**BATCH, "importance_sampling_level": "token", "mask_truncated_completions": True}  # 0.20 and later


def lint(settings, **facts):
    return lint_config(settings, dialect="trl", world_size=1, **facts)


def told(report, rule):
    finding = said(report, rule)
    return finding.severity, finding.note


# --- values ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "rule"),
    [
        ("importance_sampling_level", "tokens", "value-is-a-choice"),
        ("num_generations_eval", "abc", "value-has-the-type-of-its-key"),
        ("top_entropy_quantile", "high", "value-has-the-type-of-its-key"),
        ("loss_type", "dapoo", "value-is-a-choice"),
        ("scale_rewards", "groups", "value-is-a-choice"),
    ],
)
def test_a_value_that_no_release_takes_is_an_error(key, value, rule):
    """Releases that do not know the key have no say in its value."""
    finding = said(lint({**RECENT, key: value}), rule)
    assert (finding.severity, finding.at.name) == ("error", key)


def test_a_value_that_only_some_take_chooses_these():
    report = lint({**BATCH, "loss_type": "vespo"})
    assert names(report) == []
    assert report.launches[0].candidates[-1].text == "1.0.0"


def test_a_value_that_only_older_releases_refuse_is_an_info_at_most():
    report = lint({**BATCH, "scale_rewards": "batch"})  # a switch before 0.22
    assert names(report, "error", "warning") == []


# --- keys -----------------------------------------------------------------------------------------------------------


def test_a_key_that_all_refuse_is_an_error():
    assert told(lint({**BATCH, "num_generation": 8}, loader="kwargs"), "key-is-known") == ("error", "")


def test_a_neighbour_refuses_the_key_that_it_does_not_know():
    settings = {**RECENT, "loss_type": "dapo", "vllm_importance_sampling_correction": True, "max_prompt_length": 512}
    report = lint(settings, loader="kwargs")
    assert names(report, "error", "warning") == []  # 0.23 - 0.27 know them all
    settings.update(use_bias_correction_kl=True, pad_to_multiple_of=8)  # of later ones
    assert told(lint(settings, loader="kwargs"), "key-is-of-this-version") == ("error", "")


def test_a_key_of_each_era_is_refused_by_all_where_keys_are_refused():
    """vllm_device went with 0.18, vllm_mode came with it: each release refuses one of them."""
    settings = {**BATCH, "vllm_device": "auto", "vllm_mode": "colocate"}
    finding = said(lint(settings, loader="kwargs"), "key-is-of-this-version")
    assert (finding.severity, finding.at.name) == ("error", "vllm_device")
    assert names(lint(settings), "error") == []  # a script drops them


def test_two_eras_in_one_file_are_refused_by_all():
    """The old releases refuse the new keys, the new ones the old keys: no release takes the file."""
    old = {"vllm_device": "auto", "vllm_dtype": "auto", "vllm_max_model_len": 2048}
    new = {"importance_sampling_level": "token", "mask_truncated_completions": True, "steps_per_generation": 1}
    report = lint({**BATCH, **old, **new}, loader="kwargs")
    assert "error" in {finding.severity for finding in report.findings}


# --- arithmetic -----------------------------------------------------------------------------------------------------


def test_what_only_older_releases_refuse_is_an_info():
    settings = {"per_device_train_batch_size": 4, "gradient_accumulation_steps": 2, "num_generations": 8}
    severity, note = told(lint(settings), "rollout-holds-whole-groups")
    assert (severity, note) == ("info", "refused by TRL 0.15 - 0.16, accepted by 0.14, 0.17 - 1.16")


def test_a_release_that_knows_one_key_less_makes_an_error_a_warning():
    settings = {"per_device_train_batch_size": 1, "num_generations": 8, "reward_funcs": ["accuracy"]}
    severity, note = told(lint(settings), "rollout-holds-whole-groups")
    assert severity == "warning"
    assert note.endswith(", accepted by 0.14")


def test_an_error_needs_all_of_them():
    severity, note = told(lint({**RECENT, "per_device_train_batch_size": 1}), "rollout-holds-whole-groups")
    assert (severity, note) == ("error", "")


def test_the_reason_may_be_another_one_in_each_release():
    """The batch is refused by all but 0.14, which refuses a key that it does not know."""
    settings = {"per_device_train_batch_size": 1, "num_generations": 8, "log_completions": True}
    assert told(lint(settings), "rollout-holds-whole-groups") == (
        "warning",
        "refused by TRL 0.15 - 1.16, accepted by 0.14",
    )
    assert told(lint(settings, loader="kwargs"), "rollout-holds-whole-groups") == ("error", "")


@pytest.mark.parametrize("severity", ["error", "warning", "info"])
def test_a_stated_version_is_weighed_by_nobody(severity):
    settings = {"per_device_train_batch_size": 1, "num_generations": 8, "reward_funcs": ["accuracy"]}
    report = lint(settings, version="1.16.0")
    assert [finding.note for finding in report.findings if finding.severity == severity] == [""] * (severity == "error")


def test_all_releases_are_asked_about_each_number_of_processes():
    """8 processes are in order, 7 are refused by all: what holds on the first number is asked again on the others."""
    report = lint_config({**RECENT, "per_device_train_batch_size": 1}, dialect="trl", world_size="8|7")
    assert told(report, "rollout-holds-whole-groups") == ("error", "")
