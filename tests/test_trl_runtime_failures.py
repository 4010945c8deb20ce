"""Values of which runs of TRL die: what is silent because nobody knows, and what is a warning because the training script may be another.
Real runs are compared in `tests/truth/test_deaths.py`."""

import pytest

from conftest import lint_config

RUN = {"per_device_train_batch_size": 8, "num_generations": 8}


def told(settings, **facts):
    """{rule name: severity} of a config of TRL 1.16."""
    facts = {
        "dialect": "trl",
        "version": "1.16.0",
        "transformers": "5.23.0",
        "world_size": 1,
        "loader": "script",
        **facts,
    }
    facts = {name: value for name, value in facts.items() if value is not None}
    found = lint_config({**RUN, **settings}, **facts).findings
    return {finding.rule.name: finding.severity for finding in found if finding.severity != "info"}


NO_DATA = {"run-has-a-data-set": "error", "run-has-a-reward": "error", "script-has-a-model": "error"}


@pytest.mark.parametrize(
    "settings",
    [
        {"report_to": "${TRACKER}"},
        {"attn_implementation": "${ATTENTION}"},
        {"attn_implementation": "kernels-community/flash-attn"},
        {"lora_target_modules": "q_proj,v_proj"},  # without use_peft
        {"use_vllm": True, "vllm_mode": "colocate", "cache_implementation": "magic"},
        {"use_vllm": True, "vllm_mode": "colocate", "top_p": -1.0},
        {"temperature": 0.0, "generation_kwargs": {"temperature": 0.7}},
        {"lr_scheduler_type": "cosine_with_min_lr", "lr_scheduler_kwargs": {"min_lr": "${MIN_LR}"}},
        {"lr_scheduler_type": "magic${X}", "lr_scheduler_kwargs": {"foo": 1}},
        {"loss_type": "sapo", "epsilon": None},
        {"optim": "lion_8bit", "adam_beta1": None},
        {"optim_args": ""},
        {"model_init_kwargs": {"max_position_embeddings": 4096}},
    ],
    ids=str,
)
def test_what_is_not_known_to_die_is_no_error(settings):
    assert "error" not in told(settings, loader=None).values()


@pytest.mark.parametrize(
    ("settings", "rule"),
    [
        ({"use_peft": True, "lora_target_modules": ["q_proj"]}, "value-has-the-type-of-its-key"),
        ({"use_peft": True, "lora_target_modules": "q_proj,v_proj"}, "value-has-the-type-of-its-key"),
        ({"use_peft": True, "lora_target_modules": "all_linear"}, "value-is-a-choice"),
        ({"dtype": "bf16"}, "value-is-a-choice"),
        ({"eval_on_start": True}, "evaluation-on-start-has-a-set"),
    ],
    ids=str,
)
def test_what_the_script_does_with_its_arguments_is_a_warning_where_the_script_is_not_known(settings, rule):
    assert told(settings)[rule] == "error"
    assert told(settings, loader=None)[rule] == "warning"


def test_what_only_trls_own_script_needs_is_silent_where_the_script_is_not_known():
    assert NO_DATA.items() >= told({"dataset_name": "org/prompts"}).items()
    found = told({"dataset_name": "org/prompts", "reward_funcs": ["accuracy"]}, loader=None)
    assert found == {}


@pytest.mark.parametrize("version", ["0.20.0", "0.21.0", "0.22.0", None])
@pytest.mark.parametrize("settings", [{"model_init_kwargs": {"use_cache": False}}, {"eval_on_start": True}], ids=str)
def test_what_a_call_is_given_no_script_reads(settings, version):
    """A trainer that is given the name of a model takes them, and an evaluation set whatever eval_strategy says."""
    assert told(settings, loader="kwargs", version=version) == {}


def test_a_bound_that_no_companion_decides_assumes_none():
    assert told({"temperature": -1.0}, transformers=None) == {"temperature-is-positive": "error"}
    assert told({"temperature": 0.0}, transformers=None) == {"temperature-is-positive": "warning"}
    kwargs = {"lr_scheduler_type": "cosine", "lr_scheduler_kwargs": {"min_lr": 1e-7}}
    assert told(kwargs, transformers=None) == {"schedule-knows-its-options": "error"}


@pytest.mark.parametrize("name", ["beta", "seed", "num_train_epochs", "learning_rate", "epsilon", "temperature"])
def test_null_of_what_the_trainer_computes_with_is_an_error(name):
    assert told({name: None}) == {"value-has-the-type-of-its-key": "error"}


def test_null_of_the_gradient_norm_hinges_on_transformers():
    assert told({"max_grad_norm": None}) == {"gradient-norm-is-a-number": "error"}
    assert told({"max_grad_norm": None}, transformers="4.57.6") == {}


# --- what TRL's script makes of its own keys ------------------------------------------------------------------------


@pytest.mark.parametrize("name", [5, 5.5, 0, True])
@pytest.mark.parametrize("version", ["0.18.2", "0.20.0", "1.16.0"])
def test_a_number_is_no_name_of_a_data_set(name, version):
    rule = "value-has-the-type-of-its-key"
    assert told({"dataset_name": name}, version=version, transformers=None)[rule] == "error"
    assert told({"dataset_name": name}, version=version, transformers=None, loader="own")[rule] == "warning"


def test_a_mixture_goes_before_a_data_set_of_any_name():
    settings = {"dataset_name": 5, "datasets": [{"path": "org/prompts"}]}
    assert told(settings)["value-has-the-type-of-its-key"] == "warning"
    assert told({**settings, "datasets": None})["value-has-the-type-of-its-key"] == "error"


@pytest.mark.parametrize("version", ["0.20.0", "0.24.0", "1.0.0"])
@pytest.mark.parametrize("rewards", [{}, {"reward_funcs": None}], ids=str)
def test_weights_without_rewards_are_an_error_of_the_script(version, rewards):
    settings = {"model_name_or_path": "m", "dataset_name": "d", "reward_weights": [1.0], **rewards}
    found = told(settings, version=version, transformers=None)
    assert found == {"weights-have-rewards": "error"}
    assert told(settings, version=version, transformers=None, loader="own") == {}


def test_no_reward_at_all_is_told_once():
    settings = {"model_name_or_path": "m", "dataset_name": "d", "reward_weights": [1.0]}
    assert told(settings) == {"weights-have-rewards": "error"}
    none = told({**settings, "reward_funcs": []}, version="1.0.0", transformers=None)
    assert none == {"rewards-have-weights": "error"}
