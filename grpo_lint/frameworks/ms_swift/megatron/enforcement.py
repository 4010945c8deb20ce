"""What each release of Megatron-SWIFT refuses."""

from ...by_release import Enforcement, without_devices
from ...shared.memory import out_of_memory
from ...shared.models import WHEN_BUILT, experts_in_parts, heads_of_engine, model_over_ranks
from ..options import OUTDATED_VLLM, QUANTISATION
from ..rewards import rewards_for_length
from .batch_rules import BY_ZERO, DIVISION_BY_ZERO, NO_PROMPT_PER_RANK, NOT_ON_ALL_RANKS

ENFORCEMENT = (
    # the same in every release
    without_devices("3.11"),
    out_of_memory("3.11"),
    # the training batch
    Enforcement("group-is-positive", "3.11.0", None, "config", f"{BY_ZERO} / {DIVISION_BY_ZERO}"),
    Enforcement(
        "rollout-size-set-once",
        "3.11.0",
        "4.1",
        "config",
        "'generation_batch_size' and 'steps_per_generation' cannot be both configured",
    ),
    Enforcement(
        "rollout-holds-whole-groups",
        "4.2",
        None,
        "config",
        "generation_batch_size (...) must be divisible by num_generations (...).",
    ),
    Enforcement("rollout-is-not-empty", "3.11.0", None, "config", f"{NO_PROMPT_PER_RANK} / {NOT_ON_ALL_RANKS}"),
    Enforcement("batch-sizes-are-positive", "3.11.0", "3.12", "config", BY_ZERO),
    # a negative micro batch gets past every check of the arguments
    Enforcement(
        "batch-sizes-are-positive",
        "4.0",
        None,
        "run",
        "num_iters_per_step=... <= 0. This means no prompts will be generated",
        "in the first rollout",
    ),
    Enforcement(
        "rollout-sizes-agree",
        "4.2",
        None,
        "config",
        "generation_batch_size (...) must equal global_batch_size (...) * steps_per_generation (...)",
    ),
    Enforcement("rollout-takes-steps", "4.2", None, "config", "steps_per_generation must be > 0, got ..."),
    # processes and devices
    Enforcement(
        "model-parallel-divides-world", "3.11.0", None, "init", f"world_size (...) is not divisible by ... / {BY_ZERO}"
    ),
    Enforcement(
        "vllm-tensor-parallel-divides-world",
        "3.11.0",
        None,
        "init",
        "vllm_tensor_parallel_size (...) must divide world size (...) evenly.",
    ),
    heads_of_engine("3.11.0"),
    # how the model is built: tested with Megatron-Core 0.14.0 and 0.16.1
    *model_over_ranks("3.11.0", "run", WHEN_BUILT),
    experts_in_parts("3.11.0"),
    # options of ms-swift
    Enforcement("vllm-has-a-mode", "3.11.1", "4.2", "config", "vllm_mode is required for Megatron GRPO"),
    Enforcement("vllm-has-a-mode", "4.3", None, "init", "Invalid vllm_mode: None"),
    Enforcement("vllm-corrects-its-rollouts", "3.11.0", None, "init", OUTDATED_VLLM),
    Enforcement("rollouts-come-from-vllm", "3.11.0", None, "config", "use_vllm must be True for Megatron GRPO"),
    Enforcement("rewards-have-a-source", "3.11.0", "4.2", "init", "reward_funcs is not set"),
    # since 4.4 each run counts as its own teacher
    Enforcement(
        "rewards-have-a-source", "4.3", "4.3", "init", "reward_funcs is not set (or pass --use_gym_env true ...)"
    ),
    Enforcement(
        "reward-functions-are-registered",
        "3.11.0",
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
        "3.11.0",
        None,
        "init",
        "Number of reward weights (...) must match number of reward functions (...)",
    ),
    *rewards_for_length("3.11.0"),
    Enforcement("engine-holds-prompt-and-completion", "3.11.0", None, "never"),
    Enforcement(
        "soft-overlong-has-a-cache",
        "3.11.0",
        None,
        "config",
        "The soft_cache_length must be set when using soft overlong rewards.",
    ),
    Enforcement(
        "scheduler-is-registered", "4.3", None, "init", "AssertionError (without a message): assert ... in multi_turns"
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
        "OPD-RL (teacher) does not support loss_type='...' (it needs a per-sequence advantage). / OPD-RL "
        "(teacher) does not support off_policy_sequence_mask_delta / dynamic_sample requires reward_funcs "
        "(it filters groups by reward std); pure OPD-RL distillation has no reward variance. / "
        "scale_rewards='gdpo' requires reward_funcs; pure OPD-RL distillation has none.",
    ),
    Enforcement("run-has-a-model", "3.11.0", None, "config", "Please set --model <model_id_or_path>..., model: None"),
    Enforcement(
        "run-has-data",
        "3.11.0",
        None,
        "config",
        "self.dataset: [], self.cached_dataset: []. Please input the training dataset.",
    ),
    Enforcement(
        "truncation-keeps-the-end",
        "3.11.0",
        None,
        "config",
        "GRPO requires `truncation_strategy 'left' or 'delete'`, Current value: `truncation_strategy='...'`.",
    ),
    Enforcement("classifier-has-labels", "3.11.0", None, "config", "Please pass the parameter `num_labels`."),
    Enforcement(
        "tokens-are-made-beforehand",
        "3.11.0",
        None,
        "config",
        "Packing and lazy_tokenize are incompatible. / Streaming and lazy_tokenize are incompatible.",
    ),
    Enforcement("quantisation-has-its-bits", "3.11.0", None, "config", QUANTISATION),
)
