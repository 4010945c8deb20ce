"""Recognises a file of TRL by the names of its keys only, since every YAML file is tested."""

from ...message import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import AbstractSet, Lookup


# Keys that only an online trainer with groups has; two of them, with a key of the Hugging Face trainer, make a file one
# of TRL. Keys of SFT and DPO (beta, max_length, max_prompt_length, loss_type) are left out on purpose.
GROUP_KEYS = frozenset(
    """num_generations num_generations_eval generation_batch_size steps_per_generation num_iterations reward_funcs
    reward_weights scale_rewards epsilon_high importance_sampling_level mask_truncated_completions max_completion_length
    log_completions num_completions_to_print use_vllm vllm_mode vllm_device vllm_gpu_memory_utilization
    vllm_tensor_parallel_size vllm_server_host vllm_server_port vllm_max_model_len vllm_max_model_length
    vllm_enable_sleep_mode vllm_importance_sampling_correction vllm_importance_sampling_mode top_entropy_quantile
    rloo_k normalize_advantages reward_clip_range wandb_log_unique_prompts log_unique_prompts
    ds3_gather_for_generation""".split()
)
TRAINER_KEYS = frozenset(
    """per_device_train_batch_size gradient_accumulation_steps learning_rate output_dir model_name_or_path num_train_epochs
    max_steps per_device_eval_batch_size eval_strategy save_strategy save_steps logging_steps bf16
    gradient_checkpointing""".split()
)
# Those that other online trainers (DPO, distillation) have as well: at least one key must not be among these.
SHARED_KEYS = frozenset(
    key
    for key in GROUP_KEYS
    if key.startswith(("vllm_", "use_vllm", "log_", "max_completion")) and key != "vllm_device"
)
# Keys that show that another trainer or framework reads the file, or that Weights & Biases wrote it.
FOREIGN_KEYS = frozenset(
    """_wandb wandb_version rl rlhf_type stage trainer_type actor_rollout_ref apiVersion judge reward_model_path lmbda pop_size population
    population_size micro_train_batch_size micro_rollout_batch_size""".split()
)
_CONFIGS_OF_TRL = ("GRPOConfig", "RLOOConfig")
# With one of these, declared by TRL's training script, one key of groups is enough.
SURE_KEYS = frozenset(("num_generations", "per_device_train_batch_size"))
_KEYS_OF_SCRIPTS = frozenset(("model_name_or_path", "dataset_name"))
FOREIGN_BEGINNINGS = ("mutation", "crossover")


def detect(names: "AbstractSet[str]", value: "Lookup") -> "Message | None":
    """Why a file with these top-level keys is TRL's; None where it need not be. `value(name)` reads a key."""
    keys = names & GROUP_KEYS
    own = keys - SHARED_KEYS
    is_clear = len(keys) >= 2 or (names >= SURE_KEYS and not names.isdisjoint(_KEYS_OF_SCRIPTS))
    if not is_clear or not own or not names & TRAINER_KEYS or names & FOREIGN_KEYS:
        return None
    if any(name.startswith(FOREIGN_BEGINNINGS) for name in names):
        return None
    if "_target_" in names and str(value("_target_")).rpartition(".")[2] not in _CONFIGS_OF_TRL:
        return None  # Hydra composes something else from it
    if len(keys) == 1:
        return Message("has {own} beside keys of TRL's training script", {"own": min(own)})
    return Message("has {count} keys of TRL's GRPO family, such as {own}", {"count": len(keys), "own": min(own)})


def may_be_trained_with(names: "AbstractSet[str]") -> bool:
    """Whether a script that only trains with groups may read these keys, none of which need identify it."""
    return not names.isdisjoint(TRAINER_KEYS) and names.isdisjoint(FOREIGN_KEYS)


def may_train(names: "AbstractSet[str]") -> bool:
    """Whether a command may start TRL's training, where its script says so: one key of groups is enough then."""
    return (
        not (names & GROUP_KEYS).isdisjoint(GROUP_KEYS - SHARED_KEYS)
        and not names.isdisjoint(TRAINER_KEYS)
        and names.isdisjoint(FOREIGN_KEYS)
    )
