"""What each release of ms-swift refuses, and what it accepts although it harms the run."""

from ...by_release import Enforcement, without_devices
from ...shared import deepspeed
from ...shared.hugging_face import rows_of_arguments
from ...shared.models import heads_of_engine
from ..options import OUTDATED_VLLM, QUANTISATION
from ..rewards import rewards_for_length

_DIVISORS = "must be evenly divisible by the number of generations per prompt (...). Given the current ..."
_GROUP_TOO_SMALL = "GRPO requires at least 2 generations per prompt to calculate the advantages. You provided ..."
_GLOBAL_TRAIN_BATCH = f"The global train batch size (... x ...) {_DIVISORS}"
_GLOBAL_EVAL_BATCH = f"The global eval batch size (... x ...) {_DIVISORS}"
_EFFECTIVE_TRAIN_BATCH = f"The effective train batch size (... x ... x ...) {_DIVISORS}"
_EFFECTIVE_EVAL_BATCH = f"The effective eval batch size (... x ...) {_DIVISORS}"
_EVALUATION_OF_TRL = "The global eval batch size (... * ...) must be divisible by num_generations (...)."
_EVALUATION_OF_SWIFT = (
    "The global eval batch size (... x ...) must be evenly divisible by the number of generations for eval (...)."
)
_NOT_A_BATCH = "batch_size should be a positive integer value, but got batch_size=0"
_NOT_WHOLE_GROUPS = "generation_batch_size (...) must be divisible by num_generations (...)."
_BY_ZERO = "integer modulo by zero"
_NO_SHARE = "warmup_ratio must lie in range [0,1]"
_NO_NUMBER_OF_STEPS = "warmup_steps must be an integer or a float"
_LIGER_DELTA = "Liger ... does not support two-sided GRPO loss yet."
_LIGER_SEQUENCE_PARALLEL = "Liger loss does not support sequence parallel yet."
_LIGER_PADDING_FREE = "Liger loss does not support padding free yet."
_LIGER_ENTROPY_MASK = "Liger loss does not support entropy mask yet."
_LIGER_LOG_ENTROPY = "Liger loss does not support log entropy yet."
_LIGER_ESTIMATOR = "Liger loss currently only support grpo advantage estimator"

ENFORCEMENT = (
    # the same in every release
    *rows_of_arguments("3.1"),
    *deepspeed.rows("3.1"),
    without_devices("3.1"),
    # the training batch
    Enforcement("group-is-positive", "3.1", "3.3", "init", _GLOBAL_TRAIN_BATCH),
    Enforcement("group-is-positive", "3.4", "3.4", "config", _GROUP_TOO_SMALL),
    Enforcement("group-is-positive", "3.5", "4.3", "config", f"{_GROUP_TOO_SMALL} / {_BY_ZERO}"),
    Enforcement("group-is-positive", "4.4", None, "run", moment="when the sampler is built"),
    Enforcement("group-has-two-completions", "3.1", "3.3", "init", _GLOBAL_TRAIN_BATCH),
    Enforcement("group-has-two-completions", "3.4", "4.3", "config", _GROUP_TOO_SMALL),
    Enforcement("group-has-two-completions", "4.4", None, "config", "num_generations must be greater than 1 for GRPO"),
    Enforcement(
        "rollout-size-set-once",
        "3.5",
        "4.3",
        "config",
        "'generation_batch_size' and 'steps_per_generation' can not be both configured at the same time",
    ),
    Enforcement("rollout-holds-whole-groups", "3.1", "3.3", "init", _GLOBAL_TRAIN_BATCH),
    Enforcement("rollout-holds-whole-groups", "3.4", "3.4", "init", _EFFECTIVE_TRAIN_BATCH),
    Enforcement(
        "rollout-holds-whole-groups", "3.5", "4.3", "config", f"{_NOT_WHOLE_GROUPS} / {_EFFECTIVE_TRAIN_BATCH}"
    ),
    Enforcement(
        "rollout-holds-whole-groups",
        "4.4",
        None,
        "config",
        "generation_batch_size (...) must be evenly divisible by num_generations (...).",
    ),
    Enforcement(
        "rollout-holds-whole-steps",
        "3.5",
        None,
        "config",
        f"generation_batch_size (...) must be divisible by the global batch size (...). / {_BY_ZERO}",
    ),
    Enforcement("rollout-is-not-empty", "3.1", "3.3", "init", _GLOBAL_TRAIN_BATCH),
    Enforcement("rollout-is-not-empty", "3.4", "3.4", "init", _EFFECTIVE_TRAIN_BATCH),
    Enforcement(
        "rollout-is-not-empty", "3.5", "4.1", "config", f"{_EFFECTIVE_TRAIN_BATCH} / {_NOT_WHOLE_GROUPS} / {_BY_ZERO}"
    ),
    Enforcement("rollout-is-not-empty", "4.2", None, "run", _NOT_A_BATCH, "when the data loader is built"),
    Enforcement("batch-sizes-are-positive", "3.1", None, "run", _NOT_A_BATCH, "when the data loader is built"),
    Enforcement(
        "rollout-sizes-agree",
        "4.4",
        None,
        "config",
        "generation_batch_size (...) must equal per_device_train_batch_size * world_size * steps_per_generation = ...",
    ),
    Enforcement(
        "rollout-takes-steps", "4.2", None, "config", f"steps_per_generation must be > 0, got ... / {_NOT_WHOLE_GROUPS}"
    ),
    # the evaluation batch
    Enforcement("evaluation-holds-whole-groups", "3.1", "3.3", "init", _GLOBAL_EVAL_BATCH),
    Enforcement("evaluation-holds-whole-groups", "3.4", "3.4", "init", _EFFECTIVE_EVAL_BATCH),
    Enforcement(
        "evaluation-holds-whole-groups", "3.5", "3.11", "config", f"{_GLOBAL_EVAL_BATCH} / {_EVALUATION_OF_TRL}"
    ),
    # the arguments of TRL are checked first, and then those of ms-swift
    Enforcement(
        "evaluation-holds-whole-groups",
        "3.12",
        "4.3",
        "config",
        "The global eval batch size (... * ...) must be divisible by the number of generations used for evaluation (...). / "
        f"{_EVALUATION_OF_SWIFT} / {_EVALUATION_OF_TRL}",
    ),
    Enforcement(
        "evaluation-holds-whole-groups",
        "4.4",
        None,
        "config",
        "The global eval batch size (... x ...) must be evenly divisible by num_generations_eval (...).",
    ),
    Enforcement("evaluation-is-not-empty", "3.1", "3.3", "init", _GLOBAL_EVAL_BATCH),
    Enforcement("evaluation-is-not-empty", "3.4", "3.4", "init", _EFFECTIVE_EVAL_BATCH),
    Enforcement("evaluation-is-not-empty", "3.5", "3.11", "config", _GLOBAL_EVAL_BATCH),
    Enforcement("evaluation-is-not-empty", "3.12", "4.1", "config", _EVALUATION_OF_SWIFT),
    Enforcement("evaluation-is-not-empty", "4.2", None, "run", _NOT_A_BATCH, "in the first evaluation"),
    Enforcement("evaluation-holds-whole-training-groups", "3.12", "4.3", "config", _EVALUATION_OF_TRL),
    Enforcement(
        "evaluation-group-is-positive",
        "3.12",
        "4.1",
        "config",
        "... must be evenly divisible by the number of generations for eval (...).",
    ),
    # processes and devices
    Enforcement(
        "vllm-tensor-parallel-divides-world",
        "3.5",
        None,
        "init",
        "vllm_tensor_parallel_size (...) must divide world size (...) evenly.",
    ),
    heads_of_engine("3.5"),
    # the mesh of processes was created as in ms-swift (torch 2.13); for the rest its source was read
    Enforcement(
        "sequence-parallel-divides-world", "3.9", None, "run", "list index out of range", "when the model is prepared"
    ),
    Enforcement(
        "rings-have-no-padding",
        "3.9",
        None,
        "run",
        "The world_size ... needs ulysses/ring-attention, which needs --padding_free true",
        "when the model is prepared",
    ),
    # options of TRL
    Enforcement(
        "streams-have-steps",
        "3.1",
        None,
        "run",
        "The train_dataset does not implement __len__, max_steps has to be specified. / args.max_steps must "
        "be set to a positive value if dataloader does not have a length, was -1",
        "when the trainer counts its steps",
    ),
    Enforcement(
        "warmup-is-not-negative",
        "3.1",
        "4.1",
        "config",
        "warmup_steps must be of type int and must be 0 or a positive integer.",
    ),
    Enforcement("warmup-is-not-negative", "4.2", "4.4", "config", _NO_NUMBER_OF_STEPS),
    Enforcement("liger-kernel-is-new-enough", "3.10", "3.12", "config", "Please update liger-kernel to 0.6.3 or later"),
    Enforcement(
        "liger-kernel-is-new-enough",
        "4.0",
        None,
        "config",
        "Please update liger-kernel to 0.7.0 or later: pip install -U liger-kernel",
    ),
    Enforcement(
        "cache-is-emptied-now-and-then",
        "3.1",
        None,
        "config",
        "`torch_empty_cache_steps` must be an integer bigger than 0, got ...",
    ),
    # options of ms-swift
    Enforcement("vllm-has-a-mode", "3.11.1", None, "config", "vllm_mode is required when use_vllm is true"),
    Enforcement("vllm-mode-has-vllm", "3.11.1", None, "config", "vllm_mode is not supported when use_vllm is false"),
    Enforcement(
        "vllm-server-has-an-address",
        "3.11.1",
        None,
        "config",
        "AssertionError (without a message): assert not self.use_vllm or ...",
    ),
    Enforcement(
        "async-generation-has-a-server",
        "3.2.2",
        "3.4",
        "config",
        "async_generate requires async mode, but you are under colocate mode",
    ),
    Enforcement("async-generation-has-a-server", "3.5", None, "config", "async generate require vllm_mode == server"),
    Enforcement(
        "async-generation-has-one-turn",
        "3.5",
        None,
        "config",
        "Currently, async_generate is not supported with multi-turn functionality.",
    ),
    Enforcement(
        "one-device-per-process",
        "3.1",
        None,
        "config",
        "DeepSpeed is not compatible with `device_map`. / liger_kernel does not support device_map. / GRPO "
        "with vLLM is not compatible with `device_map`. Please set NPROC_PER_NODE equal to num_processes. / "
        "FSDP2 is not compatible with `device_map`.",
    ),
    Enforcement("devices-divide-over-processes", "3.1", None, "config", "n_gpu: ..., local_world_size: ..."),
    Enforcement(
        "devices-are-shared-out",
        "3.2.2",
        "3.4",
        "config",
        "Async mode requires total GPUs(...) = training GPUs(...) + inference workers(...). / Colocate mode "
        "requires device_count(...) == num_infer_workers(...).",
    ),
    Enforcement(
        "apart-engines-take-one-device", "3.2.2", "3.4", "config", "async mode do not support tensor parallel right now"
    ),
    Enforcement(
        "reasoning-parser-is-for-serving",
        "3.8",
        None,
        "config",
        "vllm_reasoning_parser is not supported for GRPO Training, please unset it.",
    ),
    Enforcement(
        "sequence-parallel-is-for-other-trainers", "3.2.2", "3.3", "config", "RLHF do not support sequence parallel"
    ),
    Enforcement(
        "batch-divides-into-mini-batches",
        "3.2.2",
        "3.3",
        "config",
        "per_device_train_batch_size needs be divisible by mini_batch_size",
    ),
    Enforcement(
        "trl-is-new-enough",
        "3.4",
        None,
        "config",
        "Your current version of `trl` is outdated. Please update it by running: pip install -U trl",
    ),
    Enforcement("vllm-corrects-its-rollouts", "3.11.0", None, "init", OUTDATED_VLLM),
    Enforcement("rewards-have-a-source", "3.1", None, "init", "You must specify reward_funcs or reward_model"),
    Enforcement(
        "reward-functions-are-registered",
        "3.1",
        "3.5",
        "init",
        "reward_function ... is not implemented in swift.llm.plugin",
    ),
    Enforcement(
        "reward-functions-are-registered",
        "3.6",
        "3.12",
        "init",
        "reward_function ... is not implemented in swift.plugin",
    ),
    Enforcement(
        "reward-functions-are-registered",
        "4.0",
        None,
        "init",
        "reward_function ... is not implemented in swift.rewards",
    ),
    Enforcement(
        "reward-weights-match-rewards",
        "3.1",
        None,
        "init",
        "Number of reward weights (...) must match number of reward functions (...)",
    ),
    *rewards_for_length("3.3"),
    Enforcement(
        "reward-models-have-plugins",
        "3.5",
        None,
        "init",
        "The number of 'reward_model_plugin' (...) does not match the number of 'reward_model' (...).",
    ),
    Enforcement(
        "reward-model-plugins-are-registered",
        "3.5",
        "3.12",
        "init",
        "rm_plugin ... is not implemented in swift.llm.plugin",
    ),
    Enforcement(
        "reward-model-plugins-are-registered", "4.0", None, "init", "rm_plugin ... is not implemented in swift.rewards"
    ),
    Enforcement("engine-holds-prompt-and-completion", "3.1", None, "never", severity="info"),
    Enforcement(
        "soft-overlong-has-a-cache",
        "3.3",
        None,
        "config",
        "The soft_cache_length must be set when using soft overlong rewards.",
    ),
    Enforcement(
        "one-loss-type",
        "3.7",
        None,
        "config",
        "Multiple loss types (...) are only supported for DPO. Current rlhf_type: grpo.",
    ),
    Enforcement("loss-type-is-known", "3.4", None, "run", "Unknown loss type: ...", "when the first loss is computed"),
    Enforcement("liger-computes-the-loss", "3.5", "3.5", "config", f"{_LIGER_DELTA} / {_LIGER_SEQUENCE_PARALLEL}"),
    Enforcement(
        "liger-computes-the-loss",
        "3.6",
        "3.6",
        "config",
        f"{_LIGER_DELTA} / {_LIGER_SEQUENCE_PARALLEL} / {_LIGER_PADDING_FREE}",
    ),
    Enforcement(
        "liger-computes-the-loss",
        "3.7",
        "3.9",
        "config",
        f"{_LIGER_DELTA} / {_LIGER_SEQUENCE_PARALLEL} / {_LIGER_PADDING_FREE} / "
        f"{_LIGER_ENTROPY_MASK} / {_LIGER_LOG_ENTROPY} / Liger loss currently only support token-level importance samplingPlease set `importance_sampling_level` to `token`",
    ),
    Enforcement(
        "liger-computes-the-loss",
        "3.10",
        "3.12",
        "config",
        f"{_LIGER_DELTA} / {_LIGER_SEQUENCE_PARALLEL} / {_LIGER_PADDING_FREE} / "
        f"{_LIGER_ENTROPY_MASK} / {_LIGER_LOG_ENTROPY} / {_LIGER_ESTIMATOR}",
    ),
    Enforcement(
        "liger-computes-the-loss",
        "4.0",
        None,
        "config",
        f"{_LIGER_DELTA} / {_LIGER_SEQUENCE_PARALLEL} / {_LIGER_PADDING_FREE} / "
        f"{_LIGER_ENTROPY_MASK} / {_LIGER_LOG_ENTROPY} / Liger loss does not support off-policy sequence masking yet. / "
        "Liger loss currently only support token-level and sequence-level importance sampling. / "
        f"{_LIGER_ESTIMATOR}",
    ),
    Enforcement(
        "packing-has-flash-attention",
        "3.4",
        "3.6",
        "config",
        'The "..." feature needs to be used in conjunction with "flash_attn". Please specify `--attn_impl flash_attn`.',
    ),
    Enforcement(
        "packing-has-flash-attention",
        "3.7",
        None,
        "config",
        'The "..." feature requires a flash attention implementation. Please use one of: "flash_attn", ...',
    ),
    Enforcement(
        "reference-model-is-for-full-training",
        "3.1",
        None,
        "config",
        "CPO/ORPO or LoRA training does not require a ref_model to be passed in.",
    ),
    Enforcement(
        "scheduler-is-registered", "3.2", None, "init", "AssertionError (without a message): assert ... in multi_turns"
    ),
    Enforcement(
        "one-teacher",
        "4.4",
        None,
        "config",
        "setting both `teacher_model` and `teacher_model_server` is not supported.",
    ),
    Enforcement(
        "distillation-has-its-signal",
        "4.4",
        None,
        "config",
        "OPD-RL is not supported with use_liger_kernel. / OPD-RL (teacher) does not support loss_type='...' "
        "(it needs a per-sequence advantage). / OPD-RL (teacher) does not support "
        "off_policy_sequence_mask_delta / dynamic_sample requires reward_funcs (it filters groups by reward "
        "std); pure OPD-RL distillation has no reward variance. / scale_rewards='gdpo' requires "
        "reward_funcs; pure OPD-RL distillation has none.",
    ),
    Enforcement(
        "rlsd-values-are-in-range",
        "4.5",
        None,
        "config",
        "rlsd_lambda must be in [0, 1], got .... / rlsd_reweight_clip_range (eps_w) must be >= 0, got ....",
    ),
    Enforcement(
        "rlsd-has-its-signal",
        "4.5",
        None,
        "config",
        "advantage_reweight=rlsd requires reward_funcs / advantage_reweight=rlsd is not compatible with "
        "use_liger_kernel / advantage_reweight=rlsd does not support loss_type='...' / "
        "advantage_reweight=rlsd does not support off_policy_sequence_mask_delta. / advantage_reweight=rlsd "
        "does not support --teacher_model_server",
    ),
    Enforcement("sdar-gate-is-open", "4.5", None, "config", "sdar_gate_beta must be > 0, got ...."),
    Enforcement(
        "sdar-has-its-signal",
        "4.5",
        None,
        "config",
        "sdar_loss_coef>0 is not compatible with use_liger_kernel / sdar_loss_coef>0 cannot be combined with "
        "advantage_reweight=rlsd / sdar_loss_coef>0 does not support --teacher_model_server",
    ),
    Enforcement(
        "evaluation-strategy-is-known",
        "3.1",
        None,
        "config",
        "... is not a valid IntervalStrategy, please select one of",
    ),
    Enforcement("scheduler-is-known", "3.1", None, "config", "... is not a valid SchedulerType, please select one of"),
    Enforcement("run-has-a-model", "3.1", None, "config", "Please set --model <model_id_or_path>..., model: None"),
    Enforcement("run-has-data", "3.1", "3.6", "config", "self.dataset: [], Please input the training dataset."),
    Enforcement(
        "run-has-data",
        "3.7",
        None,
        "config",
        "self.dataset: [], self.cached_dataset: []. Please input the training dataset.",
    ),
    Enforcement("data-is-not-cached", "3.7", None, "config", "cached_dataset is not supported for GRPO."),
    Enforcement(
        "truncation-keeps-the-end",
        "3.3",
        "3.6",
        "config",
        "GRPO requires `truncation_strategy='left'`,Current value: `truncation_strategy='...'`.",
    ),
    Enforcement(
        "truncation-keeps-the-end",
        "3.7",
        None,
        "config",
        "GRPO requires `truncation_strategy 'left' or 'delete'`, Current value: `truncation_strategy='...'`.",
    ),
    Enforcement(
        "warmup-is-said-once",
        "4.5",
        None,
        "config",
        "`warmup_ratio` and `warmup_steps` cannot be set at the same time.",
    ),
    Enforcement("classifier-has-labels", "3.6", None, "config", "Please pass the parameter `num_labels`."),
    Enforcement(
        "one-loss-has-no-weights",
        "3.7",
        None,
        "config",
        "AssertionError (without a message): assert self.rlhf_type == 'dpo'",
    ),
    Enforcement(
        "tokens-are-made-beforehand",
        "3.7",
        None,
        "config",
        "Packing and lazy_tokenize are incompatible. / Streaming and lazy_tokenize are incompatible.",
    ),
    Enforcement("quantisation-has-its-bits", "3.1", None, "config", QUANTISATION),
    Enforcement("sharding-is-of-one-kind", "3.12", None, "config", "FSDP2 is not compatible with DeepSpeed."),
    Enforcement("warmup-is-a-part", "3.1", "4.1", "config", _NO_SHARE),
    # depends on transformers 5, which counts steps from 1
    Enforcement("warmup-is-a-part", "4.2", "4.4", "config", f"{_NO_NUMBER_OF_STEPS} / {_NO_SHARE}"),
    Enforcement(
        "warmup-is-a-part", "4.5", None, "config", f"warmup_ratio: ... must be less than 1. / {_NO_NUMBER_OF_STEPS}"
    ),
)
