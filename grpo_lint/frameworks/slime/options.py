"""The flags of slime by their names in formulas, and its arithmetic by release.

Every size counts completions but --rollout-batch-size, which counts prompts. With Megatron the update is divided over micro batches and
data-parallel ranks whether or not batches are made of tokens.
"""

from ...plan.formula import word, words
from ..shared.megatron_rules import OF_MODEL
from ..shared.memory import MEMORY, OF_MEGATRON

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..by_release import Changes, Idle

FIRST = "0.2.1"

OPTIONS: "Changes" = {
    FIRST: {
        **OF_MEGATRON,
        "ranks_of_an_expert": (
            "expert_model_parallel_size * expert_tensor_parallel_size",
            "expert_model_parallel_size * tensor_model_parallel_size",
        ),
        "holds_all_states": "uses_megatron and is_plain and optimizer == 'adam'",
        "is_plain": "not optimizer_cpu_offload and not use_precision_aware_optimizer and not in_fewer_bits",
        "in_fewer_bits": ("fp8_format is not None", "False"),
        "trains_by_adam": "optimizer == 'adam'",
        "peak_rate": "lr",
        "trains_adapter": "False",
        "spreads_states": "True",  # its own validation switches the distributed optimizer on
        "sums_in_full": "accumulate_allreduce_grads_in_fp32",
        "prompts": "rollout_batch_size",
        "rollout_n": "n_samples_per_prompt",
        "micro": "micro_batch_size",
        "rollout_size": "prompts * rollout_n",
        "update_is_set": ("global_batch_size is not None", "False"),
        "steps_are_set": ("num_steps_per_rollout is not None", "False"),
        "size_by_steps": "rollout_size // num_steps_per_rollout",
        # a rollout of one's own may make more completions of a prompt, or fewer
        "has_own_rollout": (
            "rollout_function_path not in usual_rollouts or makes_own_completions",
            "makes_own_completions",
        ),
        "usual_rollouts": words(
            "slime.rollout.sglang_rollout.generate_rollout", "slime.rollout.sft_rollout.generate_rollout"
        ),
        "makes_own_completions": "has_own_generation or has_own_conversion",
        "has_own_generation": ("custom_generate_function_path is not None", "False"),
        "has_own_conversion": ("custom_convert_samples_to_train_data_path is not None", "False"),
        "only_rolls_out": ("debug_rollout_only", "False"),
        "only_trains": ("debug_train_only", "False"),
        "reads_rollouts": ("load_debug_rollout_data is not None", "False"),
        "rolls_out": "not reads_rollouts and not has_own_rollout",
        "uses_megatron": ("train_backend == 'megatron'", "True"),
        "ramps_up": ("rampup_batch_size is not None", "False"),
        "sizes_its_updates": ("use_dynamic_global_batch_size", "False"),
        "keeps_all": ("disable_rollout_trim_samples", "False"),
        "update_is_fixed": "not ramps_up and not sizes_its_updates and not keeps_all",
        "trains_by_megatron": "uses_megatron and not only_rolls_out",
        "counts_micro_batches": "trains_by_megatron and not ramps_up",
        "trains_on_rollouts": "rolls_out and update_is_fixed and not only_rolls_out",
        "uses_dynamic": ("use_dynamic_batch_size", "False"),
        "tokens_are_set": ("max_tokens_per_gpu is not None", "False"),
        "oversampled": "over_sampling_batch_size",
        "length_is_set": ("num_rollout is not None", "num_epoch is not None", "False"),
        "kl_of_rewards": "kl_coef",
        "kl_of_loss": "kl_loss_coef",
        "compares_with_reference": "use_kl_loss or kl_of_rewards != 0",
        "reference_is_set": ("ref_load is not None", "False"),
        "estimator": "advantage_estimator",
        "to_normalise": words("reinforce_plus_plus", "reinforce_plus_plus_baseline"),
        "normalises": "normalize_advantages",
        "evaluates": ("eval_interval is not None", "False"),
        "eval_data_is_set": ("eval_prompt_data is not None", "eval_config is not None", "False"),
        "saves": ("save_interval is not None", "False"),
        "save_is_set": ("save is not None", "False"),
        "distils_on_policy": ("use_opd", "False"),
        "teacher_place": "opd_type",
        "teacher_place_is_set": ("opd_type is not None", "False"),
        "teacher_is_named": ("opd_teacher_load is not None", "False"),
        "needs_a_teacher": "distils_on_policy and teacher_place == by_megatron",
        "by_megatron": word("megatron"),
        "share_gpus": "colocate",
        "gpus_in_all": "world_size + (0 if share_gpus or only_trains or engines_are_outside else rollout_num_gpus)",
        "engines_are_outside": ("rollout_external", "False"),
        # the mean of a group is taken off its rewards
        "compares_groups": "estimator in of_groups and is_policy_loss and not disable_rewards_normalization and not has_own_rewards",
        "is_policy_loss": "loss_type == policy_loss",
        "policy_loss": word("policy_loss"),
        "of_groups": words("grpo", "gspo", "cispo", "reinforce_plus_plus_baseline"),
        "has_own_rewards": ("custom_reward_post_process_path is not None", "False"),
        "refuses_small_rollouts": "False",
        "takes_the_least": "False",
        "refuses_rests": "True",
        "needs_an_interval": "trains_by_megatron",
        "lacks_gpus": "actor_num_nodes < 1 or actor_num_gpus_per_node < 1",
        "lacks_batches": "micro < 1 or update_is_set and global_batch_size < 1 or steps_are_set and num_steps_per_rollout == 0",
        "never_rolls_out": "rollouts_are_set and num_rollout < 1 and not decay_is_set",
        "rollouts_are_set": ("num_rollout is not None", "False"),
        "saves_never": "save_is_set and save_interval < 1",
        "rate_falls_first": "lr < min_lr or lr_warmup_init > lr",
        "rate_never_falls": "warmup_is_a_share and lr_warmup_fraction >= 1 or decay_is_set and lr_decay_iters < 1",
        "warmup_is_a_share": ("lr_warmup_fraction is not None", "False"),
        "decays_over_rollouts": "trains_on_rollouts and not decay_is_set",
        "decay_is_set": ("lr_decay_iters is not None", "False"),
        **OF_MODEL,
        "layers_of_model": ("num_layers", "model_layers"),
        "heads_of_model": ("num_attention_heads", "model_heads"),
        "kv_heads_of_model": "num_query_groups if group_query_attention else heads_of_model",
        "experts_of_model": ("num_experts", "model_experts"),
        "splits_sequences": "sequence_parallel",
        "first_stage_layers": "decoder_first_pipeline_num_layers",
        "last_stage_layers": "decoder_last_pipeline_num_layers",
        "counts_embedding": "account_for_embedding_in_pipeline_split",
        "counts_loss": "account_for_loss_in_pipeline_split",
        "has_own_layout": (
            "pipeline_model_parallel_layout is not None",
            "custom_model_provider_path is not None",
            "False",
        ),
        "balances_by_cost": ("balance_by_flops", "False"),
    },
    "0.2.2": {"refuses_small_rollouts": "True", "takes_the_least": "True", "refuses_rests": "False"},
    "0.3.1": {
        "needs_an_interval": "trains_by_megatron and not releases_engines",
        "releases_engines": ("release_train", "False"),
    },
}

PLAN: "Changes" = {
    FIRST: {
        **MEMORY,
        "distils": "not compares_groups or only_rolls_out",
        "model_parallel_size": "tensor_model_parallel_size * pipeline_model_parallel_size * context_parallel_size",
        "dp_size": "world_size // model_parallel_size",
        "generation_engines": (
            "world_size // rollout_num_gpus_per_engine if share_gpus else rollout_num_gpus // rollout_num_gpus_per_engine",
        ),
        "group_size": "rollout_n",
        "prompts_per_rollout": "prompts",
        "completions_per_rollout": "prompts_per_rollout * group_size",
        "micro_batch": "nothing if uses_dynamic else micro",
        "completions_per_update": ("global_batch_size", "size_by_steps"),
        "accumulation": "completions_per_update // dp_size // micro_batch",
        "prompts_per_update": "ratio(completions_per_update, group_size)",
        "updates_per_rollout": "completions_per_rollout // completions_per_update",
        "training_rows": "dataset_size",
        "prompts_per_sampled_batch": "prompts_per_rollout",
        "rollouts": "num_rollout",
        "total_steps": "num_rollout * completions_per_rollout // completions_per_update",
    },
    "0.2.2": {"completions_per_update": ("global_batch_size", "size_by_steps", "micro * dp_size")},
}

# Why flags have no effect, where the condition holds.
IDLE: "Idle" = {}
