"""The settings of verl by their names in formulas, and its arithmetic by era."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..by_release import Changes, Idle

_ACTOR, _ROLLOUT, _REF = "actor_rollout_ref.actor", "actor_rollout_ref.rollout", "actor_rollout_ref.ref"

# {name: path, or several of which the first that is set is used; None removes a name}, by the release that changed it.
# A setting whose default follows another one is null in the catalogue, so that the next formula is used.
OPTIONS: "Changes" = {
    "0.2": {
        "train_batch_size": "data.train_batch_size",
        "rollout_n": ("1 // 0 if trajectories_are_elsewhere else 0", f"{_ROLLOUT}.n"),
        "ppo_mini_batch_size": f"{_ACTOR}.ppo_mini_batch_size",
        "ppo_epochs": f"{_ACTOR}.ppo_epochs",
        "actor_micro": f"{_ACTOR}.ppo_micro_batch_size_per_gpu",
        "actor_micro_global": f"{_ACTOR}.ppo_micro_batch_size",
        "rollout_micro": f"{_ROLLOUT}.log_prob_micro_batch_size_per_gpu",
        "rollout_micro_global": f"{_ROLLOUT}.log_prob_micro_batch_size",
        "ref_micro": f"{_REF}.log_prob_micro_batch_size_per_gpu",
        "ref_micro_global": f"{_REF}.log_prob_micro_batch_size",
        "critic_micro": "critic.ppo_micro_batch_size_per_gpu",
        "critic_micro_global": "critic.ppo_micro_batch_size",
        "critic_mini": ("critic.ppo_mini_batch_size", "ppo_mini_batch_size"),
        "reward_micro": "reward_model.micro_batch_size_per_gpu",
        "reward_micro_global": "reward_model.micro_batch_size",
        "dynamic": (f"{_ACTOR}.use_dynamic_bsz", "False"),
        "rollout_dynamic": (f"{_ROLLOUT}.log_prob_use_dynamic_bsz", "dynamic"),
        "critic_dynamic": ("critic.use_dynamic_bsz", "dynamic"),
        "reward_dynamic": ("reward_model.use_dynamic_bsz", "critic_dynamic"),
        "token_budget": f"{_ACTOR}.ppo_max_token_len_per_gpu",
        "strategy": f"{_ACTOR}.strategy",
        "critic_strategy": ("critic.strategy", "strategy"),
        "strategies_go_together": "strategy == critic_strategy and strategy in ('fsdp', 'megatron')",
        "tensor_parallel": (f"{_ACTOR}.megatron.tensor_model_parallel_size",),
        "pipeline_parallel": (f"{_ACTOR}.megatron.pipeline_model_parallel_size",),
        "context_parallel": (f"{_ACTOR}.megatron.context_parallel_size", "1"),
        "actor_sequence_parallel": (f"{_ACTOR}.ulysses_sequence_parallel_size", "1"),
        "ref_sequence_parallel": (f"{_REF}.ulysses_sequence_parallel_size", "1"),
        "critic_sequence_parallel": ("critic.ulysses_sequence_parallel_size", "1"),
        "sequence_parallel": "actor_sequence_parallel",
        "fsdp_size": (f"{_ACTOR}.fsdp_config.fsdp_size", "-1"),
        "use_remove_padding": "actor_rollout_ref.model.use_remove_padding",
        "rollout_engine": f"{_ROLLOUT}.name",
        "rollout_mode": (f"{_ROLLOUT}.mode", "'sync'"),
        "rollout_tensor_parallel": f"{_ROLLOUT}.tensor_model_parallel_size",
        "rollout_data_parallel": (f"{_ROLLOUT}.data_parallel_size", "1"),
        "rollout_pipeline_parallel": (f"{_ROLLOUT}.pipeline_model_parallel_size", "1"),
        "rollout_expert_parallel": (f"{_ROLLOUT}.expert_parallel_size", "1"),
        "rollout_temperature": f"{_ROLLOUT}.temperature",
        "validation_samples": (f"{_ROLLOUT}.val_kwargs.do_sample", "False"),
        "agent_workers": f"{_ROLLOUT}.agent.num_workers",
        "adv_estimator": "algorithm.adv_estimator",
        "loss_agg_mode": f"{_ACTOR}.loss_agg_mode",
        "loss_mode": f"{_ACTOR}.policy_loss.loss_mode",
        "use_kl_loss": (f"{_ACTOR}.use_kl_loss", "False"),
        # before there was a switch, the KL divergence was in the reward unless it was in the loss
        "use_kl_in_reward": ("algorithm.use_kl_in_reward", "not use_kl_loss"),
        "critic_enable": "critic.enable",
        "lora_rank": "plain_lora_rank",
        "plain_lora_rank": ("actor_rollout_ref.model.lora_rank", "0"),
        "lora_is_merged": "False",
        "checks_ranks_always": "True",
        "trains_on_less": "not is_megatron",
        "engine_is_missing": ("rollout_engine is None", "True"),
        "multi_turn": (f"{_ROLLOUT}.multi_turn.enable", "False"),
        "tool_config": (f"{_ROLLOUT}.multi_turn.tool_config_path", "''"),
        "interaction_config": (f"{_ROLLOUT}.multi_turn.interaction_config_path", "''"),
        "reward_model_is_on": ("reward_model.enable", "False"),
        "max_prompt_length": "data.max_prompt_length",
        "max_response_length": "data.max_response_length",
        # the lengths to which generation pads, unless its own lengths are set
        "longest_sequence": ("1 // 0 if lengths_are_own else 0", "max_prompt_length + max_response_length"),
        # of programs that take what generation says of the probabilities of tokens
        "needs_log_probs": "False",
        "keeps_log_probs": (f"{_ROLLOUT}.calculate_log_probs", "False"),
        "total_epochs": "trainer.total_epochs",
        "total_training_steps": "trainer.total_training_steps",
        # sections, by whether a micro batch is set for them
        "actor_micro_is_set": ("actor_micro is not None", "False"),
        "actor_micro_global_is_set": ("actor_micro_global is not None", "False"),
        "rollout_micro_is_set": ("rollout_micro is not None", "False"),
        "rollout_micro_global_is_set": ("rollout_micro_global is not None", "False"),
        "ref_micro_is_set": ("ref_micro is not None", "False"),
        "ref_micro_global_is_set": ("ref_micro_global is not None", "False"),
        "critic_micro_is_set": ("critic_micro is not None", "False"),
        "critic_micro_global_is_set": ("critic_micro_global is not None", "False"),
        "reward_micro_is_set": ("reward_micro is not None", "False"),
        "reward_micro_global_is_set": ("reward_micro_global is not None", "False"),
        "sections_without_micro": (
            "('' if dynamic or actor_micro_is_set or actor_micro_global_is_set else 'actor ')"
            " + ('' if dynamic or rollout_micro_is_set or rollout_micro_global_is_set else 'rollout ')"
            " + ('' if dynamic or not has_reference or ref_micro_is_set or ref_micro_global_is_set else 'ref ')"
            " + ('' if not has_critic or critic_dynamic or critic_micro_is_set or critic_micro_global_is_set else 'critic ')"
            " + ('' if not asks_reward_micro or reward_micro_is_set or reward_micro_global_is_set else 'reward_model ')"
        ),
        "sections_with_two_micros": (
            "('actor ' if not dynamic and actor_micro_is_set and actor_micro_global_is_set else '')"
            " + ('rollout ' if not dynamic and rollout_micro_is_set and rollout_micro_global_is_set else '')"
            " + ('ref ' if not dynamic and has_reference and ref_micro_is_set and ref_micro_global_is_set else '')"
            " + ('critic ' if has_critic and not critic_dynamic and critic_micro_is_set and critic_micro_global_is_set else '')"
            " + ('reward_model ' if asks_reward_micro and reward_micro_is_set and reward_micro_global_is_set else '')"
        ),
        "ref_dynamic": (f"{_REF}.log_prob_use_dynamic_bsz", "dynamic"),
        "global_micros_are_divided": "strategy in ('fsdp', 'fsdp2')",
        "sections_with_empty_micro": (
            "('rollout ' if global_micros_are_divided and not rollout_dynamic and rollout_micro_global_is_set"
            " and rollout_micro_global // update_divisor == 0 else '')"
            " + ('ref ' if global_micros_are_divided and has_reference and not ref_dynamic and ref_micro_global_is_set"
            " and ref_micro_global // update_divisor == 0 else '')"
        ),
        "asks_reward_micro": "reward_model_is_on and not reward_dynamic",
        "has_critic": "adv_estimator == 'gae'",
        "has_reference": "True",
        "is_megatron": "strategy == 'megatron'",
        "smallest_batch": "world_size",
        "estimators": "('gae', 'grpo', 'reinforce_plus_plus', 'remax')",
        "compares_groups": (
            "adv_estimator in ('grpo', 'rloo', 'grpo_passk', 'grpo_vectorized', 'rloo_vectorized') and not group_is_elsewhere",
            "adv_estimator in ('grpo', 'rloo', 'grpo_passk', 'grpo_vectorized', 'rloo_vectorized')",
        ),
        "padding_matters_to": "strategy == 'fsdp' and (actor_sequence_parallel > 1 or ref_sequence_parallel > 1)",
        "generation_chunks": "1 if is_megatron else world_size",
        "rows_to_generate": "prompts_per_rollout",
        "loader_batch": "prompts_per_rollout",
        "rest_of_fetches": "train_batch_size % prompts_fetched",
        "engine_size": "rollout_tensor_parallel",
        # Megatron's workers only require no more than there are
        "engine_sizes_are_checked": "not is_megatron or rollout_tensor_parallel > world_size",
        "normal_micro": "actor_micro_global // dp_size",
        "critic_rows": "critic_mini",
        "critic_rows_per_rank": "critic_rows // (world_size // critic_sequence_parallel)",
        "critic_normal_micro": "critic_micro_global // (world_size // critic_sequence_parallel)",
        "update_divisor": "(world_size // fsdp_size if fsdp_size > 0 and fsdp_size < world_size else world_size) // sequence_parallel",
        "rows_per_rank": "completions_per_rollout // dp_size",
        "written_update": "ppo_mini_batch_size if is_megatron else ppo_mini_batch_size * rollout_n",
        "update_per_rank": "written_update // (dp_size if is_megatron else update_divisor)",
        "whole_updates": "is_megatron",
        "rest_of_rollout": "rows_per_rank % update_per_rank",
        "rest_of_forward": "rows_per_rank % rollout_micro",
        "rest_of_reference": "rows_per_rank % ref_micro",
        "checks_micro_of_rank": "not is_megatron",
    },
    "0.3": {
        # what the rollout compares with the longest sequence; a length of its own is another one
        "engine_tokens": (
            "1 // 0 if lengths_are_own else 0",
            "max_model_len // 0",
            "batched_tokens * (1 if rollout_engine == 'vllm' and rollout_mode == 'sync' and chunked_prefill else 1 // 0)",
        ),
        "batched_tokens": f"{_ROLLOUT}.max_num_batched_tokens",
        "chunked_prefill": f"{_ROLLOUT}.enable_chunked_prefill",
        "max_model_len": f"{_ROLLOUT}.max_model_len",
        "estimators": "('gae', 'grpo', 'reinforce_plus_plus', 'remax', 'rloo')",
        "trains_on_less": "False",
        "written_update": "ppo_mini_batch_size * rollout_n",
        "update_divisor": "dp_size",
        "update_per_rank": "written_update // update_divisor",
    },
    "0.4": {
        "estimators": "('gae', 'grpo', 'reinforce_plus_plus', 'reinforce_plus_plus_baseline', 'remax', 'rloo', 'opo', 'grpo_passk')",
        "has_reference": "use_kl_in_reward or use_kl_loss",
        "engine_sizes_are_checked": "True",
        "smallest_batch": "dp_size * actor_micro if is_megatron else world_size",
        "loss_modes": "('vanilla', 'clip_cov', 'kl_cov')",
        "needs_tools": "True",
        "strategies_go_together": "is_megatron == (critic_strategy == 'megatron')",
        # the Megatron actor reads it from another place
        "reads_loss_mode": "not is_megatron",
        "loss_aggregations": "('token-mean', 'seq-mean-token-sum', 'seq-mean-token-mean', 'seq-mean-token-sum-norm')",
        "generation_chunks": "world_size if rollout_mode == 'sync' and not is_megatron else 1",
        "normal_micro": ("actor_micro_global // dp_size", "actor_micro"),
        "critic_rows": "critic_mini * rollout_n",
        "critic_normal_micro": (
            "critic_micro_global // (world_size // critic_sequence_parallel)",
            "critic_micro",
        ),
    },
    "0.4.1": {"needs_tools": "False"},
    "0.5": {
        "estimators": "('gae', 'grpo', 'reinforce_plus_plus', 'reinforce_plus_plus_baseline', 'remax', 'rloo', 'opo', 'grpo_passk', 'gpg')",
        "critic_micro": ("critic.ppo_micro_batch_size_per_gpu", "critic_micro_global"),
        "generation_chunks": (
            "agent_workers if rollout_mode == 'async' else world_size if rollout_mode == 'sync' and not is_megatron else 1"
        ),
        "loss_modes": "('vanilla', 'clip_cov', 'kl_cov', 'gpg')",
        "rows_to_generate": "completions_per_rollout",
        "reads_loss_mode": "True",
        "padding_matters_to": "strategy in ('fsdp', 'fsdp2') and (actor_sequence_parallel > 1 or ref_sequence_parallel > 1)",
        "legacy_workers": ("trainer.use_legacy_worker_impl", "'auto'"),
        "longest_sequence": (
            "1 // 0 if lengths_are_own else 0",
            "max_prompt_length + max_response_length if legacy_workers != 'disable' else 1 // 0",
        ),
        "global_micros_are_divided": "strategy in ('fsdp', 'fsdp2') and legacy_workers != 'disable'",
        "update_per_rank": "written_update // update_divisor if legacy_workers != 'disable' else 1 // 0",
    },
    "0.6": {
        "estimators": (
            "('gae', 'grpo', 'reinforce_plus_plus', 'reinforce_plus_plus_baseline', 'remax', 'rloo', 'opo', 'grpo_passk', 'gpg',"
            " 'rloo_vectorized', 'grpo_vectorized')"
        ),
        "loss_modes": "('vanilla', 'clip_cov', 'kl_cov', 'gspo', 'gpg', 'geo_mean', 'rollout_correction')",
        "has_critic": ("critic_enable", "adv_estimator == 'gae'"),
        "checks_ranks_always": "False",
        "smallest_batch": "1 if dynamic else dp_size * actor_micro if is_megatron else world_size",
        "padding_matters_to": "strategy in ('fsdp', 'fsdp2') and actor_sequence_parallel > 1",
        "engine_size": "rollout_tensor_parallel * rollout_data_parallel * rollout_pipeline_parallel",
        "generation_chunks": (
            "agent_workers if rollout_mode == 'async' else "
            "world_size // engine_size if rollout_mode == 'sync' and not is_megatron else 1"
        ),
    },
    "0.7": {
        "rollout_mode": (f"{_ROLLOUT}.mode", "'async'"),
        "sequence_parallel": "max(actor_sequence_parallel, engine_sequence_parallel)",
        "engine_sequence_parallel": (f"{_ACTOR}.fsdp_config.ulysses_sequence_parallel_size", "1"),
        "loss_modes": ("('vanilla', 'clip_cov', 'kl_cov', 'gspo', 'gpg', 'geo_mean', 'sapo', 'cispo', 'bypass_mode')"),
        "reward_loop": ("reward_model.use_reward_loop", "False"),
        "asks_reward_micro": "reward_model_is_on and not reward_dynamic and not reward_loop",
        "generation_chunks": "agent_workers",
    },
    "0.7.1": {
        "lora_is_merged": ("actor_rollout_ref.model.lora.merge", "False"),
        "engine_lora_rank": ("actor_rollout_ref.model.lora.rank", "0"),
        "lora_rank": "engine_lora_rank if engine_lora_rank > 0 else plain_lora_rank",
        "estimators": (
            "('gae', 'grpo', 'reinforce_plus_plus', 'reinforce_plus_plus_baseline', 'remax', 'rloo', 'opo', 'grpo_passk', 'gpg',"
            " 'rloo_vectorized', 'grpo_vectorized', 'optimal_token_baseline', 'tir_optimal_token_baseline', 'gdpo')"
        ),
        "loss_modes": (
            "('vanilla', 'clip_cov', 'kl_cov', 'gspo', 'gpg', 'geo_mean', 'dppo_tv', 'dppo_kl', 'sapo', 'cispo', 'bypass_mode')"
        ),
        "asks_reward_micro": "False",
    },
    "0.8": {
        "longest_sequence": "max_prompt_length + max_response_length",
        "update_per_rank": "written_update // dp_size",
        "normal_micro": "nothing if dynamic else actor_micro",
        "checks_micro_of_rank": "True",
        "whole_updates": "True",
        "micro_is_global_only": "not dynamic and not (actor_micro_is_set and rollout_micro_is_set)",
        "ref_micro_is_global_only": "not dynamic and has_reference and not ref_micro_is_set",
        "rows_per_rank": "completions_per_rollout // dp_size",
    },
    "0.9": {
        "loss_modes": (
            "('vanilla', 'clip_cov', 'kl_cov', 'gspo', 'gpg', 'geo_mean', 'dppo_tv', 'dppo_kl', 'sapo', 'cispo', 'bypass_mode', 'dro')"
        ),
        "loss_aggregations": (
            "('token-mean', 'seq-mean-token-sum', 'seq-mean-token-mean', 'seq-mean-token-sum-norm', 'token-sum')"
        ),
        "generation_chunks": "1",
        "whole_updates": "False",
        "use_v1": ("trainer.use_v1", "True"),
        "trainer_mode": ("trainer.v1.trainer_mode", "'sync'"),
        "is_synchronous": "use_v1 and trainer_mode == 'sync'",
        "is_separate": "use_v1 and trainer_mode == 'separate_async'",
        "parameter_sync_step": "trainer.v1.separate_async.parameter_sync_step",
        "rollout_nodes": f"{_ROLLOUT}.nnodes",
        "rollout_gpus": (f"{_ROLLOUT}.n_gpus_per_node", "trainer.n_gpus_per_node"),
        "weights_travel_by": f"{_ROLLOUT}.checkpoint_engine.backend",
        "written_update": "ppo_mini_batch_size * rollout_n if is_synchronous else 1 // 0",
        "prompts_fetched": ("data.gen_batch_size", "train_batch_size"),
        "batch_multiple": ("lcm(dp_size, critic_mini * rollout_n if has_critic else 1, written_update)"),
        "rows_per_rank": "padded_completions_per_rollout // dp_size",
    },
    "0.9.1": {
        "megatron_replay": (f"{_ACTOR}.megatron.router_replay.mode", "'disabled'"),
        "veomni_replay": (f"{_ACTOR}.veomni.router_replay.mode", "'disabled'"),
        "replay_mode": "megatron_replay if is_megatron else veomni_replay if strategy == 'veomni' else 'disabled'",
        "bypasses_log_probs": ("algorithm.rollout_correction.bypass_mode", "False"),
    },
}

# {quantity: formula} that a plan shows, by the release that changed it
PLAN: "Changes" = {
    "0.2": {
        "model_parallel_size": (
            "tensor_parallel * pipeline_parallel * context_parallel if is_megatron else "
            "sequence_parallel if strategy in ('fsdp', 'fsdp2') else 1 // 0"
        ),
        "dp_size": "world_size // model_parallel_size",
        "generation_engines": "world_size // engine_size",
        "processes_per_engine": "engine_size",
        "rows_used": "training_rows // prompts_per_rollout * prompts_per_rollout",
        "group_size": "rollout_n",
        "distils": "not compares_groups",
        "prompts_per_rollout": "train_batch_size",
        "completions_per_rollout": "prompts_per_rollout * group_size",
        "micro_batch": ("nothing if dynamic else actor_micro", "nothing if dynamic else actor_micro_global // dp_size"),
        "completions_per_update": "update_per_rank * dp_size",
        "accumulation": "ceil(update_per_rank / micro_batch)",
        "prompts_per_update": "ratio(completions_per_update, group_size)",
        "updates_per_rollout": (
            "rows_per_rank // update_per_rank * ppo_epochs if is_megatron else ceil(rows_per_rank / update_per_rank)"
        ),
        "tokens_per_pass": "token_budget * sequence_parallel if dynamic and not is_megatron else nothing",
        "reference_model": "True if has_reference else False",
        "critic_model": "True if has_critic else False",
        "training_rows": "dataset_size",
        "rollouts": ("total_training_steps", "training_rows // prompts_per_rollout * total_epochs"),
        "steps_per_epoch": "training_rows // prompts_per_rollout * updates_per_rollout",
        "total_steps": "rollouts * updates_per_rollout",
    },
    "0.3": {
        "updates_per_rollout": (
            "(rows_per_rank // update_per_rank if is_megatron else ceil(rows_per_rank / update_per_rank)) * ppo_epochs"
        ),
    },
    # where it is appended, it replaces the other one in the data loader
    "0.4": {"prompts_per_rollout": ("appended_gen_batch_size", "train_batch_size")},
    "0.8": {
        "micro_batch": "nothing if dynamic else actor_micro",
        "completions_per_update": "written_update",
        "updates_per_rollout": "completions_per_rollout // completions_per_update * ppo_epochs",
    },
    "0.9": {
        "prompts_per_rollout": "train_batch_size",
        "padded_completions_per_rollout": "ceil(completions_per_rollout / batch_multiple) * batch_multiple",
        "padding_completions": "padded_completions_per_rollout - completions_per_rollout",
        "updates_per_rollout": "padded_completions_per_rollout // completions_per_update * ppo_epochs",
    },
}

# Why settings have no effect, where the condition holds.
IDLE: "Idle" = {
    "use_kl_loss is off": ("not use_kl_loss", (f"{_ACTOR}.kl_loss_coef", f"{_ACTOR}.kl_loss_type")),
    "use_kl_in_reward is off": (
        "not use_kl_in_reward",
        ("algorithm.kl_ctrl.kl_coef", "algorithm.kl_ctrl.type", "algorithm.kl_penalty"),
    ),
}
