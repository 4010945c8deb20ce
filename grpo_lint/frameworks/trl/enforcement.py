"""What each release of TRL refuses, and what it accepts although it harms the run."""

from ..by_release import Enforcement, without_devices
from ..shared import deepspeed
from ..shared.hugging_face import rows_of_arguments
from ..shared.memory import out_of_memory
from ..shared.models import heads_of_engine
from .rules import BY_ZERO, NO_LENGTH, NOT_WHOLE_STEPS

_DIVISORS = "must be evenly divisible by the number of generations per prompt (...). Given the current ..."
_GROUP_TOO_SMALL = "... requires at least 2 generations per prompt to calculate the advantages. You provided ..."
_GLOBAL_TRAIN_BATCH = f"The global train batch size (... x ...) {_DIVISORS}"
_GLOBAL_EVAL_BATCH = f"The global eval batch size (... x ...) {_DIVISORS}"
_EFFECTIVE_TRAIN_BATCH = f"The effective train batch size (... x ... x ...) {_DIVISORS}"
_EFFECTIVE_EVAL_BATCH = f"The effective eval batch size (... x ...) {_DIVISORS}"
_NOT_A_BATCH = "batch_size should be a positive integer value, but got batch_size=0"
_NO_CURRENT_BATCH = "cannot access local variable 'current_batch'"


ENFORCEMENT = (
    # the same in every release
    *rows_of_arguments("0.14"),
    *deepspeed.rows("0.14"),
    without_devices("0.14"),
    # the training batch
    Enforcement("group-is-positive", "0.15", "0.16", "init", _GLOBAL_TRAIN_BATCH),
    Enforcement("group-is-positive", "0.17", "0.17", "init", _GROUP_TOO_SMALL),
    Enforcement("group-is-positive", "0.18", "0.19", "config", _GROUP_TOO_SMALL),
    Enforcement("group-is-positive", "0.20", None, "config", f"{BY_ZERO} / {_GROUP_TOO_SMALL}"),
    Enforcement(
        "group-has-two-completions",
        "0.14",
        "0.14",
        "run",
        "probability tensor contains either `inf`, `nan` or element < 0",
        "in the second rollout",
    ),
    Enforcement("group-has-two-completions", "0.15", "0.16", "init", _GLOBAL_TRAIN_BATCH),
    Enforcement("group-has-two-completions", "0.17", "0.17", "init", _GROUP_TOO_SMALL),
    Enforcement("group-has-two-completions", "0.18", None, "config", _GROUP_TOO_SMALL),
    Enforcement(
        "rollout-size-set-once",
        "0.18",
        None,
        "config",
        "'generation_batch_size' and 'steps_per_generation' can not be both configured at the same time",
    ),
    Enforcement("rollout-holds-whole-groups", "0.15", "0.16", "init", _GLOBAL_TRAIN_BATCH),
    Enforcement("rollout-holds-whole-groups", "0.17", "0.17", "init", _EFFECTIVE_TRAIN_BATCH),
    Enforcement("rollout-holds-whole-groups", "0.18", "0.19", "config", _EFFECTIVE_TRAIN_BATCH),
    Enforcement(
        "rollout-holds-whole-groups",
        "0.20",
        None,
        "config",
        "generation_batch_size (...) must be divisible by num_generations (...).",
    ),
    Enforcement("rollout-holds-whole-steps", "0.19.1", None, "config", f"{NOT_WHOLE_STEPS} / {BY_ZERO}"),
    Enforcement("rollout-is-not-empty", "0.15", "0.16", "init", _GLOBAL_TRAIN_BATCH),
    Enforcement("rollout-is-not-empty", "0.17", "0.17", "init", _EFFECTIVE_TRAIN_BATCH),
    Enforcement("rollout-is-not-empty", "0.18", "0.19", "config", f"{_EFFECTIVE_TRAIN_BATCH} / {BY_ZERO}"),
    Enforcement("rollout-is-not-empty", "0.20", None, "run", _NOT_A_BATCH, "when the data loader is built"),
    Enforcement("batch-sizes-are-positive", "0.15", None, "run", _NOT_A_BATCH, "when the data loader is built"),
    # the evaluation batch
    Enforcement("evaluation-holds-whole-groups", "0.15", "0.16", "init", _GLOBAL_EVAL_BATCH),
    Enforcement("evaluation-holds-whole-groups", "0.17", "0.17", "init", _EFFECTIVE_EVAL_BATCH),
    Enforcement("evaluation-holds-whole-groups", "0.18", "0.19", "config", _GLOBAL_EVAL_BATCH),
    Enforcement(
        "evaluation-holds-whole-groups",
        "0.20",
        "0.21",
        "run",
        "shape '[-1, ...]' is invalid for input of size ...",
        "in the first evaluation",
    ),
    Enforcement(
        "evaluation-holds-whole-groups",
        "0.22",
        "0.26.0",
        "config",
        "The global eval batch size (... * ...) must be divisible by num_generations (...).",
    ),
    Enforcement(
        "evaluation-holds-whole-groups",
        "0.26.1",
        None,
        "config",
        "The global eval batch size (... * ...) must be divisible by the number of generations used for "
        "evaluation (...).",
    ),
    Enforcement("evaluation-is-not-empty", "0.15", "0.16", "init", _GLOBAL_EVAL_BATCH),
    Enforcement("evaluation-is-not-empty", "0.17", "0.17", "init", _EFFECTIVE_EVAL_BATCH),
    Enforcement("evaluation-is-not-empty", "0.18", "0.19", "config", _GLOBAL_EVAL_BATCH),
    Enforcement("evaluation-is-not-empty", "0.20", None, "run", _NOT_A_BATCH, "in the first evaluation"),
    # processes and devices
    Enforcement(
        "vllm-tensor-parallel-divides-world",
        "0.18",
        "0.27",
        "init",
        "vllm_tensor_parallel_size (...) must divide world size (...) evenly.",
    ),
    Enforcement(
        "vllm-tensor-parallel-divides-world",
        "0.28",
        None,
        "init",
        "tensor_parallel_size (...) must divide world size (...) evenly.",
    ),
    heads_of_engine("0.18"),
    out_of_memory("0.14"),
    # the schedule
    Enforcement("dataset-fills-a-rollout", "0.16", "0.19", "run", _NO_CURRENT_BATCH, "when the first epoch is read"),
    Enforcement("dataset-fills-a-rollout", "0.20", None, "run", NO_LENGTH, "when the trainer counts its steps"),
    Enforcement("training-takes-steps", "0.16", "0.19", "run", _NO_CURRENT_BATCH, "when the first epoch is read"),
    Enforcement("iterations-are-positive", "0.15", None, "run", NO_LENGTH, "when the trainer counts its steps"),
)
