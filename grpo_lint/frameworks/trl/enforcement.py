"""What each release of TRL refuses, and what it accepts to the harm of the run."""

from ..base import Enforcement, without_devices
from ..shared import deepspeed
from ..shared.hugging_face import rows_of_arguments

_DIVISORS = "must be evenly divisible by the number of generations per prompt (...). Given the current ..."
_GROUP_TOO_SMALL = "... requires at least 2 generations per prompt to calculate the advantages. You provided ..."
_GLOBAL_TRAIN_BATCH = f"The global train batch size (... x ...) {_DIVISORS}"
_GLOBAL_EVAL_BATCH = f"The global eval batch size (... x ...) {_DIVISORS}"
_EFFECTIVE_TRAIN_BATCH = f"The effective train batch size (... x ... x ...) {_DIVISORS}"
_EFFECTIVE_EVAL_BATCH = f"The effective eval batch size (... x ...) {_DIVISORS}"
_NO_LENGTH = "args.max_steps must be set to a positive value if dataloader does not have a length, was -1"
_NOT_A_BATCH = "batch_size should be a positive integer value, but got batch_size=0"
_NO_CURRENT_BATCH = "cannot access local variable 'current_batch'"
_NOT_WHOLE_STEPS = "generation_batch_size (...) must be divisible by the global batch size (...)."
_BY_ZERO = "integer modulo by zero"

ENFORCEMENT = (
    # the same in every release
    *rows_of_arguments("0.14"),
    *deepspeed.rows("0.14"),
    without_devices("0.14"),
    # the training batch
    Enforcement("group-is-positive", "0.15", "0.16", "init", _GLOBAL_TRAIN_BATCH),
    Enforcement("group-is-positive", "0.17", "0.17", "init", _GROUP_TOO_SMALL),
    Enforcement("group-is-positive", "0.18", "0.19", "config", _GROUP_TOO_SMALL),
    Enforcement("group-is-positive", "0.20", None, "config", f"{_BY_ZERO} / {_GROUP_TOO_SMALL}"),
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
    Enforcement("rollout-holds-whole-steps", "0.19.1", None, "config", f"{_NOT_WHOLE_STEPS} / {_BY_ZERO}"),
    Enforcement("rollout-holds-whole-micro-batches", "0.18", "0.19.0", "config", f"{_NOT_WHOLE_STEPS} / {_BY_ZERO}"),
    Enforcement("rollout-is-not-empty", "0.15", "0.16", "init", _GLOBAL_TRAIN_BATCH),
    Enforcement("rollout-is-not-empty", "0.17", "0.17", "init", _EFFECTIVE_TRAIN_BATCH),
    Enforcement("rollout-is-not-empty", "0.18", "0.19", "config", f"{_EFFECTIVE_TRAIN_BATCH} / {_BY_ZERO}"),
    Enforcement("rollout-is-not-empty", "0.20", None, "run", _NOT_A_BATCH, "when the data loader is built"),
    Enforcement("batch-sizes-are-positive", "0.15", None, "run", _NOT_A_BATCH, "when the data loader is built"),
    Enforcement(
        "batch-size-is-fixed",
        "1.9",
        None,
        "config",
        "auto_find_batch_size is not supported by ..., because the generation batch must contain full prompt groups",
    ),
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
    # the schedule
    Enforcement("dataset-fills-a-rollout", "0.16", "0.19", "run", _NO_CURRENT_BATCH, "when the first epoch is read"),
    Enforcement("dataset-fills-a-rollout", "0.20", None, "run", _NO_LENGTH, "when the trainer counts its steps"),
    Enforcement("training-takes-steps", "0.16", "0.19", "run", _NO_CURRENT_BATCH, "when the first epoch is read"),
    Enforcement("iterations-are-positive", "0.15", None, "run", _NO_LENGTH, "when the trainer counts its steps"),
    # options of TRL
    Enforcement("vllm-mode-is-known", "0.18", "0.21", "run", moment="in the first rollout"),
    Enforcement(
        "vllm-mode-is-known", "0.22", None, "init", "vllm_mode must be either 'server' or 'colocate', got '...'."
    ),
    Enforcement(
        "importance-sampling-mode-is-known",
        "0.26",
        None,
        "run",
        "Unknown vLLM importance sampling level: ...",
        "in the first rollout",
    ),
    Enforcement("loss-has-its-ratios", "0.28", None, "never"),
    Enforcement(
        "sapo-has-temperatures",
        "0.26",
        "0.28",
        "init",
        "When using `sapo` loss, both `sapo_temperature_neg` and `sapo_temperature_pos` must be set.",
    ),
    Enforcement(
        "streams-are-not-dispatched", "1.9", None, "init", "Iterable datasets require `dispatch_batches=False`"
    ),
    Enforcement("streams-have-steps", "1.9", None, "run", _NO_LENGTH, "when the trainer counts its steps"),
    Enforcement("batches-are-not-split", "0.14", None, "never"),
    Enforcement("rewards-are-scaled-as-said", "0.22.0", "0.22.1", "never"),
    Enforcement(
        "best-model-has-a-metric",
        "0.14",
        None,
        "init",
        "`args.metric_for_best_model` must be provided when using 'best' save_strategy ...",
    ),
    Enforcement(
        "warmup-is-not-negative",
        "0.14",
        "0.27",
        "config",
        "warmup_steps must be of type int and must be 0 or a positive integer.",
    ),
    Enforcement(
        "warmup-is-not-negative",
        "0.28",
        None,
        "config",
        "warmup_steps must be an integer or a float / Expected value warmup_steps >= 0",
    ),
    Enforcement("warmup-ratio-is-a-share", "0.14", "0.27", "config", "warmup_ratio must lie in range [0,1]"),
    Enforcement(
        "reference-model-is-no-adapter",
        "0.28",
        None,
        "init",
        "You passed `sync_ref_model=True` while using a PEFT model, which is currently not supported.",
    ),
    Enforcement(
        "liger-computes-bnpo",
        "0.17",
        "0.17",
        "init",
        "The provided loss type (`...`) is not supported with `use_liger_loss`.",
    ),
    Enforcement(
        "liger-trains-the-whole-model", "0.17", "0.17", "init", "Liger loss is not supported with a PEFT model."
    ),
    Enforcement("liger-kernel-is-new-enough", "0.17", "1.14", "init", "Liger is required to use ..."),
    Enforcement(
        "continuous-batching-is-there",
        "1.7",
        None,
        "init",
        "Using `use_transformers_continuous_batching` requires transformers>=5.8.0.",
    ),
    Enforcement("vllm-is-supported", "0.24", None, "never"),
    Enforcement(
        "uploaded-completions-are-logged",
        "0.28",
        None,
        "config",
        "log_completions_hub_repo is set, but log_completions is False.",
    ),
    Enforcement(
        "liger-has-no-delta",
        "0.18",
        "1.3",
        "config",
        "Liger loss does not support two-sided GRPO loss yet. / Liger kernel does not support two-sided GRPO loss yet.",
    ),
    Enforcement(
        "importance-clips-are-ordered",
        "1.6",
        None,
        "config",
        "vllm_importance_sampling_clip_min (...) must be less than vllm_importance_sampling_clip_max (...).",
    ),
    Enforcement(
        "importance-sampling-is-bounded",
        "1.6",
        None,
        "config",
        "At least one of `vllm_importance_sampling_clip_min` or `vllm_importance_sampling_clip_max` must be set",
    ),
    Enforcement(
        "liger-has-token-ratios",
        "0.20",
        "0.29",
        "init",
        "Liger Kernels currently only support token-level importance sampling.",
    ),
    Enforcement(
        "rewards-have-weights",
        "0.15",
        None,
        "init",
        "Number of reward weights (...) must match number of reward functions (...)",
    ),
    Enforcement("reference-model-exists", "0.15", "0.27", "never"),
    Enforcement("reference-model-exists", "0.28", None, "init", "You passed `sync_ref_model=True` while `beta=0.0`"),
    Enforcement(
        "vespo-corrects-tokens",
        "1.0",
        None,
        "init",
        "VESPO loss requires `vllm_importance_sampling_mode` to be either 'token_truncate' or 'token_mask'. Got: ...",
    ),
    Enforcement(
        "liger-has-no-entropy-bonus", "1.8", "1.13", "init", "Entropy bonus is not supported with Liger kernel."
    ),
    Enforcement("sequence-ratios-meet-a-sequence-loss", "0.20", None, "never"),
    Enforcement("loss-is-scaled-once", "0.22.0", "1.9.0", "never"),
    Enforcement("head-has-no-adapter", "1.15", None, "init", "Applying a PEFT adapter to `lm_head` is not supported"),
    Enforcement(
        "liger-sees-no-adapter-of-the-head",
        "1.7",
        "1.14",
        "init",
        "`use_liger_kernel=True` is incompatible with applying a PEFT adapter to `lm_head`.",
    ),
    Enforcement("adapter-is-used", "0.14", None, "never"),
    Enforcement(
        "liger-keeps-the-cross-entropy",
        "1.15",
        None,
        "init",
        '`liger_kernel_config={"fused_linear_cross_entropy": True}` is not supported',
    ),
    Enforcement("engine-holds-prompt-and-completion", "0.14", None, "never", severity="info"),
    Enforcement(
        "liger-masks-no-tokens",
        "0.20",
        "1.13",
        "init",
        "Liger Kernels don't currently support masking token positions based on entropy.",
    ),
    Enforcement(
        "liger-has-no-off-policy-mask",
        "0.27",
        "1.13",
        "init",
        "Liger kernel does not support off-policy sequence masking yet.",
    ),
    Enforcement(
        "dataset-has-a-length", "0.19", "1.8", "init", "Iterable datasets are not yet supported in GRPOTrainer."
    ),
    Enforcement("one-quantisation", "0.14", None, "config", "You can't use 8 bit and 4 bit precision at the same time"),
    Enforcement(
        "cache-is-emptied-now-and-then",
        "0.16",
        None,
        "config",
        "`torch_empty_cache_steps` must be an integer bigger than 0, got ...",
    ),
    # options of ms-swift
    Enforcement("sequence-ratios-have-their-own-epsilon", "0.20", None, "never", severity="info"),
)
