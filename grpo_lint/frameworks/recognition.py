"""Which framework a file is for, told by its top-level keys. Reads names only: no catalogue is loaded for a foreign
file."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Set as AbstractSet
    from typing import TypeAlias

    Reader: TypeAlias = Callable[[str], object]

# Every file of ours holds one of these words: the names that tell a dialect do, and so does our comment. Other files,
# most
# of a repository, cost this look and no more.
_HINTS = ("generation", "reward", "rlhf_type", "completion", "vllm", "rloo", "advantages", "unique_prompts",
          "epsilon_high", "num_iterations", "importance_sampling", "top_entropy")  # fmt: skip

# Keys that only an online trainer of groups has; two of them, beside a key of the Hugging Face trainer, make a file
# TRL's.
# Keys of SFT and DPO (beta, max_length, max_prompt_length, loss_type) are left out on purpose.
TRL_GROUP_KEYS = frozenset(
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
# Those of them that other online trainers (DPO, distillation) have as well: at least one key must be of another kind.
SHARED_KEYS = frozenset(
    key for key in TRL_GROUP_KEYS if key.startswith(("vllm_", "use_vllm", "log_", "max_completion"))
)
# Keys that say which other trainer or framework reads the file, or, as Weights & Biases does, wrote it.
FOREIGN_KEYS = frozenset(
    """_wandb wandb_version rl rlhf_type stage trainer_type actor_rollout_ref apiVersion judge reward_model_path lmbda pop_size population
    population_size""".split()
)
_CONFIGS_OF_TRL = ("GRPOConfig", "RLOOConfig")
FOREIGN_BEGINNINGS = ("mutation", "crossover")

# What tells an ms-swift file from a TRL file when rlhf_type comes on the command line.
SWIFT_KEYS = frozenset(
    """external_plugins train_type tuner_type custom_register_path vllm_server_host offload_optimizer offload_model sleep_level
    move_model_batches dynamic_sample lora_rank torch_dtype split_dataset_ratio num_infer_workers async_generate
    overlong_filter load_from_cache_file""".split()
)
SWIFT_GROUP_KEYS = frozenset(
    "num_generations reward_funcs reward_model reward_weights steps_per_generation generation_batch_size".split()
)
MEGATRON_KEYS = frozenset(
    """micro_batch_size global_batch_size tensor_model_parallel_size pipeline_model_parallel_size context_parallel_size
    expert_model_parallel_size train_iters mcore_model sequence_parallel recompute_granularity""".split()
)


# In the file in which ms-swift saves all the arguments of a run, these stand beside the arguments.
SAVED_KEYS = frozenset(("model_info", "model_meta"))


def may_be_ours(text: str) -> bool:
    """Whether a text may be a config of GRPO-family training, before it is parsed."""
    for hint in _HINTS:  # a loop, for this is asked of every file
        if hint in text:
            return True
    return "grpo" in text and ("grpo-lint" in text or "grpo_lint" in text)


def may_hold_a_command(text: str) -> bool:
    """Whether a YAML file may hold a script that starts training."""
    return any(word in text for word in ("rlhf", "launch", "torchrun", "trl", "deepspeed", "python"))


def is_foreign(data: bytes) -> bool:
    """Whether the bytes of a file that is no script show at once that it is none of ours.

    For most files of most repositories this is all that counts, so it is asked before anything else is done with them.
    """
    return data.isascii() and b"\0" not in data and data[:2] != b"#!" and not may_be_ours(str(data, "ascii"))


def may_be_trls(names: "AbstractSet[str]") -> bool:
    """Whether a command may start TRL's training, when the script that it starts says so: one key of a group is enough
    then."""
    return (
        not (names & TRL_GROUP_KEYS).isdisjoint(TRL_GROUP_KEYS - SHARED_KEYS)
        and not names.isdisjoint(TRAINER_KEYS)
        and names.isdisjoint(FOREIGN_KEYS)
    )


def _megatron(names: "AbstractSet[str]", value: "Reader") -> "str | None":
    keys = names & MEGATRON_KEYS
    # one stray key does not turn a file of `swift rlhf` into one of Megatron
    if not keys or (len(keys) == 1 and "per_device_train_batch_size" in names):
        return None
    kind = value("rlhf_type")
    if kind == "grpo":
        return f"rlhf_type is grpo, and {min(keys)} is a key of Megatron-SWIFT"
    groups = names & SWIFT_GROUP_KEYS
    if kind is None and len(keys) >= 2 and len(groups) >= 2 and names & {"model", "mcore_model", "load"}:
        return f"has {min(keys)} and {min(groups)}, which Megatron-SWIFT reads, and no rlhf_type"
    return None


def _swift(names: "AbstractSet[str]", value: "Reader") -> "str | None":
    kind = value("rlhf_type")
    if kind == "grpo":
        return "rlhf_type is grpo"
    keys = names & SWIFT_KEYS
    if kind is None and {"model", "dataset"} <= names and keys and len(names & SWIFT_GROUP_KEYS) >= 2:
        return f"has model, dataset and {min(keys)}, which ms-swift reads, and no rlhf_type"
    return None


def _trl(names: "AbstractSet[str]", value: "Reader") -> "str | None":
    keys = names & TRL_GROUP_KEYS
    own = keys - SHARED_KEYS
    if len(keys) < 2 or not own or not names & TRAINER_KEYS or names & FOREIGN_KEYS:
        return None
    if any(name.startswith(FOREIGN_BEGINNINGS) for name in names):
        return None
    if "_target_" in names and str(value("_target_")).rpartition(".")[2] not in _CONFIGS_OF_TRL:
        return None  # Hydra makes something else of it
    return f"has {len(keys)} keys of TRL's GRPO family, such as {min(own)}"


# {name of a framework: a function of the top-level keys and of `value`, which reads one, that says why a file is its
# own, or gives None}
TOLD_BY = {"trl": _trl, "swift": _swift, "megatron": _megatron}
# {name: whether a command with these flags and keys may start it, when its script trains with it}
TOLD_WITH_A_SCRIPT = {"trl": may_be_trls}
