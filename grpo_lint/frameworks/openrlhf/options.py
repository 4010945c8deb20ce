"""The flags of OpenRLHF by their names in formulas, and its arithmetic by release.

Its sizes of batches count completions but for the prompts of a rollout. Sizes of groups of GPUs are products of nodes and GPUs of a node.
"""

from ...plan.formula import Reading, calculation, word, words
from ..shared.memory import LARGEST, MEMORY
from .catalogue import RENAMED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..by_release import Changes, Idle

FIRST, DOTTED = "0.5.9", "0.10.2"  # the release from which on flags are in sections
# {name in formulas: (the flag until 0.10.1, what holds where a release has no such flag, or it is not written)}
_FLAGS: "dict[str, tuple[str, str]]" = {
    "prompts": ("rollout_batch_size", ""),
    "rollout_n": ("n_samples_per_prompt", ""),
    "rollout_micro": ("micro_rollout_batch_size", ""),
    "update_size": ("train_batch_size", ""),
    "train_micro": ("micro_train_batch_size", ""),
    "passes": ("max_epochs", ""),
    "episodes": ("num_episodes", ""),
    "most_rows": ("max_samples", ""),
    "actor_nodes": ("actor_num_nodes", ""),
    "actor_gpus": ("actor_num_gpus_per_node", ""),
    "ref_nodes": ("ref_num_nodes", ""),
    "ref_gpus": ("ref_num_gpus_per_node", ""),
    "critic_nodes": ("critic_num_nodes", ""),
    "critic_gpus": ("critic_num_gpus_per_node", ""),
    "reward_nodes": ("reward_num_nodes", ""),
    "reward_gpus": ("reward_num_gpus_per_node", ""),
    "ring": ("ring_attn_size", "1"),
    "train_tp": ("ds_tensor_parallel_size", "1"),
    "zero": ("zero_stage", ""),
    "dynamic": ("use_dynamic_batch", "False"),
    "packs_written": ("packing_samples", "False"),
    "engines_written": ("vllm_num_engines", ""),
    "engine_tp": ("vllm_tensor_parallel_size", "1"),
    "engines_sleep": ("vllm_enable_sleep", "False"),
    "estimator": ("advantage_estimator", ""),
    "model": ("pretrain", ""),
    "critic_model": ("critic_pretrain", ""),
    "reward_model": ("reward_pretrain", ""),
    "reward_url": ("remote_rm_url", ""),
    "agent": ("agent_func_path", ""),
    "kl": ("init_kl_coef", ""),
    "is_async": ("async_train", "False"),
    "is_partial": ("partial_rollout", "False"),
    "generated_at_once": ("vllm_generate_batch_size", "prompts"),
    "filters": ("dynamic_filtering", "False"),
    "filter_range": ("dynamic_filtering_reward_range", ""),
    "colocates_all": ("colocate_all_models", "False"),
    "colocates_reference": ("colocate_actor_ref", "False"),
    "colocates_reward": ("colocate_critic_reward", "False"),
    "eval_data": ("eval_dataset", ""),
    "most_images": ("max_images_per_prompt", "0"),
    "peak_rate": ("actor_learning_rate", ""),
    "adam_offloads": ("adam_offload", "False"),
    "rank_of_lora": ("lora_rank", "0"),
    "in_4_bit": ("load_in_4bit", "False"),
    "computes_in_bf16": ("bf16", "param_type == 'bf16'"),
    "param_type": ("param_dtype", ""),
}


def dotted(flag: str) -> str:
    """A flag as releases from 0.10.2 on call it."""
    return RENAMED[flag][0] if flag in RENAMED else flag


def _read(flag: str, default: str) -> "str | tuple[str, ...]":
    return (flag, default) if default else flag


def rewards_are_apart(reading: Reading) -> object:
    """whether the lower end of the range is below the upper one"""
    ends = reading.filter_range
    return type(ends) is not list or len(ends) != 2 or ends[0] < ends[1]


def _is_set(name: str) -> "tuple[str, ...]":
    return (f"{name} is not None", "False")


_GROUPS = ("rloo", "reinforce_baseline", "group_norm")
_OPTIONS: "dict[str, str | tuple[str, ...] | None]" = {
    # DeepSpeed holds weights and gradients in half precision, and a copy of the weights in full beside the two moments
    **LARGEST,
    "weight_bytes": "2",
    "gradient_bytes": "2",
    "optimizer_bytes": "12",
    "optimizer": word("adam"),
    "trains_by_adam": "optimizer == 'adam'",
    "holds_all_states": "rank_of_lora == 0 and is_plain and optimizer == 'adam'",
    "trains_adapter": "is_plain and rank_of_lora > 0",
    "is_plain": "not in_4_bit and not adam_offloads and computes_in_bf16",
    "frozen_shards": "actor_world if zero == 3 else train_tp",
    "weight_shards": "frozen_shards if holds_all_states else unknown",
    "gradient_shards": "unknown if not holds_all_states else actor_world if zero >= 2 else train_tp",
    "optimizer_shards": "unknown if not holds_all_states else actor_world if zero >= 1 else train_tp",
    "distils": "estimator not in of_groups",  # the others train on one completion of a prompt as well
    "of_groups": words("rloo"),
    "forgets_groups": "estimator == 'dr_grpo' and estimator not in of_groups",
    "with_critic": words("gae"),
    "actor_world": "actor_nodes * actor_gpus",
    "critic_world": "critic_nodes * critic_gpus",
    "engines_are_set": _is_set("engines_written"),
    "engines": ("engines_written", "0"),
    "has_reward_model": _is_set("reward_model"),
    "has_agent": _is_set("agent"),
    "has_reward_url": _is_set("reward_url"),
    "reward_is_remote": "has_reward_url or has_agent",
    "names_critic": _is_set("critic_model"),
    "has_model": _is_set("model"),
    "uses_critic": "estimator in with_critic",
    "has_critic": "uses_critic and (names_critic or (has_model if reward_is_remote else has_reward_model))",
    "evaluates_data": _is_set("eval_data"),
    "packs": "packs_written",
    "filter_is_open": calculation(rewards_are_apart),
    "rollout_chunks": "completions_per_rollout // rollout_micro",
    "chunks": "ceil(completions_per_rollout / rollout_micro)",
    "ranks_with_chunks": "ceil(chunks / ceil(chunks / dp_size))",
    "least_chunks": "actor_world // ring",
    "engine_gpus": "engines * engine_tp",
    "gpus_in_all": "actor_world + (0 if engines_share_gpus else engine_gpus)",
    "engines_share_gpus": "colocates_all",
    "engine_sleep_counts": "engines_sleep and colocates_all",
    "reference_differs": "ref_nodes != actor_nodes or ref_gpus != actor_gpus",
    "reward_differs": "reward_nodes != critic_nodes or reward_gpus != critic_gpus",
    "micro_completions": "train_micro * dp_size",
    "filter_fails": "not filter_is_open or not reward_is_remote or rollout_n <= 1",
}
_PLAIN_FLAGS: "dict[str, str | tuple[str, ...] | None]" = {
    name: _read(flag, default) for name, (flag, default) in _FLAGS.items()
}
_DOTTED_FLAGS: "dict[str, str | tuple[str, ...] | None]" = {
    name: _read(dotted(flag), default) for name, (flag, default) in _FLAGS.items()
}

OPTIONS: "Changes" = {
    FIRST: {**_PLAIN_FLAGS, **_OPTIONS},
    "0.6": {"of_groups": words(*_GROUPS)},
    "0.8": {"engines_share_gpus": "colocates_all and not is_async"},
    "0.8.1": {"least_chunks": "actor_world // ring // train_tp"},
    "0.8.6": {"packs": "packs_written or ring > 1 or dynamic"},
    DOTTED: {**_DOTTED_FLAGS, "optimizer": "actor.optim"},
    "0.11": {"of_groups": words(*_GROUPS, "dr_grpo")},
}

PLAN: "Changes" = {
    FIRST: {
        **MEMORY,
        "model_parallel_size": "ring * train_tp",
        "dp_size": "actor_world // ring // train_tp",
        "generation_engines": "engines",
        "group_size": "rollout_n",
        "prompts_per_rollout": "prompts",
        "completions_per_rollout": "prompts_per_rollout * group_size",
        "micro_batch": "nothing if dynamic else train_micro",
        "completions_per_update": "update_size // dp_size * dp_size if dynamic else update_size",
        "accumulation": "completions_per_update // dp_size // micro_batch",
        "prompts_per_update": "ratio(completions_per_update, group_size)",
        "updates_per_rollout": "completions_per_rollout // update_size * passes",
        "training_rows": "min(dataset_size, most_rows)",
        "prompts_per_sampled_batch": "prompts_per_rollout",
        "epochs": "episodes",
        "rollouts_per_epoch": "training_rows // prompts_per_sampled_batch",
        "steps_per_epoch": "training_rows * group_size // update_size * passes",
        "total_steps": "steps_per_epoch * epochs",
    },
}

# Why settings have no effect, where the condition holds.
IDLE: "Idle" = {
    "the engines have GPUs of their own": ("not colocates_all", ("vllm_enable_sleep", dotted("vllm_enable_sleep"))),
    "batches are dynamic": ("dynamic", ("micro_train_batch_size", dotted("micro_train_batch_size"))),
    "there is no critic": (
        "not uses_critic",
        ("critic_pretrain", dotted("critic_pretrain"), "value_clip", dotted("value_clip")),
    ),
}
