"""ms-swift: `swift rlhf --rlhf_type grpo`, the Hugging Face trainer of ms-swift."""

from ...base import Enforced, Refusal, Regime, in_force, without_devices
from ...catalogue import Catalogue
from ...shared import deepspeed
from ...shared.hugging_face import refusals_of_arguments
from ...versions import version_key
from ..shared import MsSwift
from . import catalogue
from .options import FORMULAS, IDLE, REFUSED

_GROUP_TOO_SMALL = "GRPO requires at least 2 generations per prompt to calculate the advantages. You provided ..."
_DIVISORS = "must be evenly divisible by the number of generations per prompt (...). Given the current ..."

_BATCH = {
    "group_size": "num_generations",
    "distils": "False",
    "micro_batch": "per_device_train_batch_size",
    "accumulation": (
        "gradient_accumulation_steps",
        "max(1, ceil(16 / per_device_train_batch_size / world_size))",
    ),
    "dp_size": "world_size",
    "completions_per_step": "micro_batch * world_size",
    "completions_per_update": "completions_per_step * accumulation",
    "completions_per_rollout": "completions_per_step",
    "steps_per_rollout": "1",
    "updates_per_rollout": "ratio(num_iterations, accumulation)",
    "prompts_per_rollout": "completions_per_rollout // group_size",
    "rollout_prompts_per_rank": "ratio(prompts_per_rollout, dp_size)",
    "prompts_per_update": "ratio(completions_per_update, group_size)",
    "evaluation_is_on": ("eval_strategy != 'no'", "save_strategy != 'no'"),
    "evaluates": "evaluation_is_on",
    "eval_group_size": "num_generations",
    "eval_completions": "per_device_eval_batch_size * world_size",
    "has_validation_set": ("len(val_dataset) > 0", "False"),
    "splits_validation_set": "split_dataset_ratio > 0 and not has_validation_set and not streaming",
    "training_rows": (
        "dataset_size - max(int(dataset_size * split_dataset_ratio), 1) if splits_validation_set else dataset_size"
    ),
}

_V34 = {
    **_BATCH,
    "completions_per_rollout": "completions_per_step * accumulation",
    "steps_per_rollout": "accumulation",
    "updates_per_rollout": "num_iterations",
}

_V35 = {
    **_BATCH,
    "rollout_size_by_steps": "completions_per_step * steps_per_generation",
    "completions_per_rollout": (
        "generation_batch_size",
        "completions_per_step * steps_per_generation",
        "completions_per_step * accumulation",
    ),
    "steps_per_rollout": ("generation_batch_size // completions_per_step", "steps_per_generation", "accumulation"),
    "updates_per_rollout": "ratio(num_iterations * steps_per_rollout, accumulation)",
    "prompts_per_sampled_batch": "prompts_per_rollout",
    "micro_steps_per_epoch": "training_rows // prompts_per_rollout * steps_per_rollout * num_iterations",
    "steps_per_epoch": (
        "max(ceil(micro_steps_per_epoch / accumulation), 1) if last_update_may_be_partial "
        "else max(micro_steps_per_epoch // accumulation, 1)"
    ),
    "total_steps": "max_steps if max_steps > 0 else ceil(num_train_epochs * steps_per_epoch)",
    # until 3.11.0 a missing or wrong vllm_mode is replaced: by server when a server is named, else by colocate
    "vllm_shares_gpus": (
        "use_vllm and not vllm_server_host",
        "use_vllm and not vllm_server_base_url",
        "use_vllm",
    ),
}

_EVALUATES_WITH_A_SET = "evaluation_is_on and (has_validation_set or has_evaluation_set or splits_validation_set)"

_V36 = {
    **_V35,
    "has_evaluation_set": ("len(eval_dataset) > 0", "False"),
    "evaluates": _EVALUATES_WITH_A_SET,
}

_V37 = {**_V36, "accumulation": ("gradient_accumulation_steps", "1")}

_V3111 = {**_V37, "vllm_shares_gpus": "use_vllm and vllm_mode == 'colocate'"}

_V312 = {
    **_V3111,
    "eval_group_size": ("num_generations_eval or num_generations", "num_generations"),
}

_V44 = {
    **_V312,
    "distils": ("len(teacher_model) > 0", "len(teacher_model_server) > 0", "False"),
    # with a group of 1 (distillation) these versions test neither the rollout nor the evaluation batch
    "eval_group_size": (
        "num_generations_eval or num_generations if num_generations > 1 else 1",
        "num_generations if num_generations > 1 else 1",
    ),
}

_NOT_A_BATCH = "batch_size should be a positive integer value, but got batch_size=0"
_SIZES_LATE = {
    "batch-sizes-are-positive": Enforced("run", _NOT_A_BATCH, "when the data loader is built"),
}


def _one_test(stage, train, evaluation):
    """The group rules as the older versions enforce them: the group must be among the divisors that are at least 2."""
    return {
        "group-is-positive": Enforced(stage, train),
        "group-has-two-completions": Enforced(stage, train),
        "rollout-holds-whole-groups": Enforced(stage, train),
        "rollout-is-not-empty": Enforced(stage, train),
        "evaluation-holds-whole-groups": Enforced(stage, evaluation),
        "evaluation-is-not-empty": Enforced(stage, evaluation),
        **_SIZES_LATE,
    }


_BY_ZERO = "integer modulo by zero"
_EFFECTIVE_BATCH = f"The effective train batch size (... x ... x ...) {_DIVISORS}"
_NOT_WHOLE_GROUPS = "generation_batch_size (...) must be divisible by num_generations (...)."
# the arguments of TRL come first, and then those of ms-swift
_EVALUATION_OF_TRL = "The global eval batch size (... * ...) must be divisible by num_generations (...)."
_EVALUATION_OF_SWIFT = (
    "The global eval batch size (... x ...) must be evenly divisible by the number of generations for eval (...)."
)
_AT_LEAST_TWO = {
    "group-is-positive": Enforced("config", _GROUP_TOO_SMALL),
    "group-has-two-completions": Enforced("config", _GROUP_TOO_SMALL),
}
_ENFORCED_31 = _one_test(
    "init",
    f"The global train batch size (... x ...) {_DIVISORS}",
    f"The global eval batch size (... x ...) {_DIVISORS}",
)
_ENFORCED_34 = {
    **_one_test(
        "init",
        f"The effective train batch size (... x ... x ...) {_DIVISORS}",
        f"The effective eval batch size (... x ...) {_DIVISORS}",
    ),
    **_AT_LEAST_TWO,
}
_ENFORCED_35 = {
    **_one_test(
        "config",
        f"The effective train batch size (... x ... x ...) {_DIVISORS}",
        f"The global eval batch size (... x ...) {_DIVISORS}",
    ),
    **_AT_LEAST_TWO,
    "group-is-positive": Enforced("config", f"{_GROUP_TOO_SMALL} / {_BY_ZERO}"),
    "rollout-holds-whole-groups": Enforced("config", f"{_NOT_WHOLE_GROUPS} / {_EFFECTIVE_BATCH}"),
    "rollout-is-not-empty": Enforced("config", f"{_EFFECTIVE_BATCH} / {_NOT_WHOLE_GROUPS} / {_BY_ZERO}"),
    "evaluation-holds-whole-groups": Enforced(
        "config", f"The global eval batch size (... x ...) {_DIVISORS} / {_EVALUATION_OF_TRL}"
    ),
    "rollout-size-set-once": Enforced(
        "config", "'generation_batch_size' and 'steps_per_generation' can not be both configured at the same time"
    ),
    "rollout-holds-whole-steps": Enforced(
        "config", f"generation_batch_size (...) must be divisible by the global batch size (...). / {_BY_ZERO}"
    ),
    "vllm-tensor-parallel-divides-world": Enforced(
        "init", "vllm_tensor_parallel_size (...) must divide world size (...) evenly."
    ),
}
_ENFORCED_312 = {
    **_ENFORCED_35,
    "evaluation-holds-whole-groups": Enforced(
        "config",
        "The global eval batch size (... * ...) must be divisible by the number of generations used for evaluation (...). / "
        f"{_EVALUATION_OF_SWIFT} / {_EVALUATION_OF_TRL}",
    ),
    "evaluation-is-not-empty": Enforced("config", _EVALUATION_OF_SWIFT),
    "evaluation-holds-whole-training-groups": Enforced("config", _EVALUATION_OF_TRL),
    "evaluation-group-is-positive": Enforced(
        "config", "... must be evenly divisible by the number of generations for eval (...)."
    ),
}
_ENFORCED_42 = {
    **{name: how for name, how in _ENFORCED_312.items() if name != "evaluation-group-is-positive"},
    "rollout-takes-steps": Enforced("config", f"steps_per_generation must be > 0, got ... / {_NOT_WHOLE_GROUPS}"),
    "rollout-is-not-empty": Enforced("run", _NOT_A_BATCH, "when the data loader is built"),
    "evaluation-is-not-empty": Enforced("run", _NOT_A_BATCH, "in the first evaluation"),
}
_ENFORCED_44 = {
    **_ENFORCED_42,
    "group-is-positive": Enforced("run", "", "when the sampler is built"),
    "group-has-two-completions": Enforced("config", "num_generations must be greater than 1 for GRPO"),
    "rollout-holds-whole-groups": Enforced(
        "config", "generation_batch_size (...) must be evenly divisible by num_generations (...)."
    ),
    "rollout-sizes-agree": Enforced(
        "config",
        "generation_batch_size (...) must equal per_device_train_batch_size * world_size * steps_per_generation = ...",
    ),
    "evaluation-holds-whole-groups": Enforced(
        "config", "The global eval batch size (... x ...) must be evenly divisible by num_generations_eval (...)."
    ),
}
for _name in ("rollout-size-set-once", "evaluation-holds-whole-training-groups"):
    del _ENFORCED_44[_name]

_TRAINER = "GRPOTrainer.__init__"
_ARGUMENTS = "RLHFArguments.__post_init__"


def _regime(since, until, table, enforced, source):
    """The batch of a span of versions, and what these demand of the other options."""
    options, refused = in_force(FORMULAS, since), in_force(REFUSED, since)
    return Regime(since, until, table, {**enforced, **refused}, source, IDLE, options)


REGIMES = (
    _regime("3.1", "3.1", _BATCH, _ENFORCED_31, _TRAINER),
    _regime("3.2", "3.2.1", _BATCH, _ENFORCED_31, _TRAINER),
    _regime("3.2.2", "3.2", _BATCH, _ENFORCED_31, _TRAINER),
    _regime("3.3", "3.3", _BATCH, _ENFORCED_31, _TRAINER),
    _regime("3.4", "3.4", _V34, _ENFORCED_34, _TRAINER),
    _regime("3.5", "3.5.2", _V35, _ENFORCED_35, _ARGUMENTS),
    _regime("3.5.3", "3.5", _V35, _ENFORCED_35, _ARGUMENTS),
    _regime("3.6", "3.6", _V36, _ENFORCED_35, _ARGUMENTS),
    _regime("3.7", "3.7", _V37, _ENFORCED_35, _ARGUMENTS),
    _regime("3.8", "3.9", _V37, _ENFORCED_35, _ARGUMENTS),
    _regime("3.10", "3.10", _V37, _ENFORCED_35, _ARGUMENTS),
    _regime("3.11.0", "3.11.0", _V37, _ENFORCED_35, _ARGUMENTS),
    _regime("3.11.1", "3.11", _V3111, _ENFORCED_35, _ARGUMENTS),
    _regime("3.12", "3.12", _V312, _ENFORCED_312, _ARGUMENTS),
    _regime("4.0", "4.0", _V312, _ENFORCED_312, _ARGUMENTS),
    _regime("4.1", "4.1", _V312, _ENFORCED_312, _ARGUMENTS),
    _regime("4.2", "4.2.1", _V312, _ENFORCED_42, _ARGUMENTS),
    _regime("4.2.2", "4.2", _V312, _ENFORCED_42, _ARGUMENTS),
    _regime("4.3", "4.3", _V312, _ENFORCED_42, _ARGUMENTS),
    _regime("4.4", "4.4", _V44, _ENFORCED_44, _ARGUMENTS),
    _regime("4.5", None, _V44, _ENFORCED_44, _ARGUMENTS),
)


class Swift(MsSwift):
    """`swift rlhf`: a trainer of Hugging Face's kind, read as flags."""

    name = "swift"
    title = "ms-swift"
    catalogue = Catalogue(catalogue)
    regimes = REGIMES
    refusals = (
        Refusal(
            "evaluation-strategy-is-known",
            "3.1",
            None,
            "config",
            "... is not a valid IntervalStrategy, please select one of",
        ),
        Refusal("scheduler-is-known", "3.1", None, "config", "... is not a valid SchedulerType, please select one of"),
        Refusal(
            "cache-is-emptied-now-and-then",
            "3.1",
            None,
            "config",
            "`torch_empty_cache_steps` must be an integer bigger than 0, got ...",
        ),
        *refusals_of_arguments("3.1"),
        *deepspeed.refusals("3.1"),
        without_devices("3.1"),
    )
    attachments = {"deepspeed": deepspeed.attached}
    for_any_trainer = frozenset(
        (
            *(refusal.rule for refusal in refusals_of_arguments("3.1")),
            "cache-is-emptied-now-and-then",
            "evaluation-strategy-is-known",
            "scheduler-is-known",
            "warmup-is-not-negative",
            "classifier-has-labels",
            "quantisation-has-its-bits",
            "sharding-is-of-one-kind",
            "streams-have-steps",
            "tokens-are-made-beforehand",
            "run-has-a-model",
            "run-has-data",
            "packing-has-flash-attention",
            "devices-divide-over-processes",
            "warmup-is-said-once",
            "warmup-is-a-part",
            "warmup-steps-count",
        )
    )
    own_names = {"completions_per_rollout": "generation_batch_size"}
    knobs = (
        "gradient_accumulation_steps",
        "steps_per_generation",
        "generation_batch_size",
        "per_device_train_batch_size",
        "num_generations",
        "per_device_eval_batch_size",
        "num_generations_eval",
        "vllm_tensor_parallel_size",
    )

    def companion_facts(self, versions, key):
        """Also the step count and the warm-up from transformers, and an evaluation check from TRL."""
        return {
            **super().companion_facts(versions, key),
            "last_update_may_be_partial": version_key(versions["transformers"]) >= (4, 52),
            "trl_checks_evaluation": version_key(versions["trl"]) < (0, 26),
            "ratio_replaces_steps": (5,) <= version_key(versions["transformers"]) < (5, 15),
        }


FRAMEWORK = Swift()
