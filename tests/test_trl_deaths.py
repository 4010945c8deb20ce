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
