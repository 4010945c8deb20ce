"""What ms-swift requires of options other than the batch: formulas and refusals, each as {version: what changed}.

Reward functions, schedulers and loss types are those that each release registers.
"""

from ....plan.formula import Reading, calculation, first_of, word, words
from ...shared.hugging_face import ANNOUNCED_ROWS, SCHEDULE
from ...shared.memory import OF_TRAINER
from ..options import DISTILLATION, FIRST_REWARDS, LABELS, REWARDS, SHARED, SHARED_IDLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...by_release import Changes, Idle, Table

# the names of transformers; 5.0 added one
SCHEDULES = (
    "linear",
    "cosine",
    "cosine_with_restarts",
    "polynomial",
    "constant",
    "constant_with_warmup",
    "inverse_sqrt",
    "reduce_lr_on_plateau",
    "cosine_with_min_lr",
    "cosine_warmup_with_min_lr",
    "warmup_stable_decay",
)


def _options_of_the_schedule(read: Reading) -> object:
    """lr_scheduler_kwargs as a mapping, which may be written as JSON."""
    return _mapping(read.lr_scheduler_kwargs)


def _mapping(value: object) -> object:
    import json  # few runs have options of a schedule

    try:
        return json.loads(value) if type(value) is str else value
    except RecursionError:
        raise ValueError("nested too deeply") from None


# What the rules about numbers ask of a run that dies of them: runs of 3.9.3 and 4.6.0 were watched (`conformance/deaths-swift --runs`).
def _weights_are_out_of_range(read: Reading) -> bool:
    """Whether a share of AdaLoRA's running means is not between 0 and 1."""
    return not (0 < read.adalora_beta1 < 1 and 0 < read.adalora_beta2 < 1)


_RANGES: "Table" = {
    **SCHEDULE,
    "schedule_options": (calculation(_options_of_the_schedule), "{}"),
    "trains_lora": "tuner == 'lora'",
    "strategy_of_evaluation": ("eval_strategy", "save_strategy"),
    "lora_is_out_of_range": "trains_lora and (lora_rank <= 0 or lora_dropout > 1)",
    "other_adapter_is_out_of_range": "vera_is_out_of_range or tuner == 'fourierft' and fourier_n_frequency <= 0 or adds_no_blocks",
    "vera_is_out_of_range": "tuner == 'vera' and (vera_rank <= 0 or vera_dropout > 1)",
    "adalora_ranks_do_not_fit": "adalora_init_r <= 0 or adalora_target_r > adalora_init_r",
    "adalora_weights_are_out_of_range": calculation(_weights_are_out_of_range),
    "adalora_has_no_steps": "adalora_deltaT == 0 or max_steps > 0 and adalora_tinit + adalora_tfinal >= max_steps",
    "splits_weights": "trains_lora",
    "adds_no_blocks": "tuner == 'llamapro' and llamapro_num_new_blocks == 0",
    "divides_by_zero": (
        "loss == 'sapo' and (tau_pos == 0 or tau_neg == 0) or fipo_decay_rate == 0",
        "loss == 'sapo' and (tau_pos == 0 or tau_neg == 0)",
        "False",
    ),
    "keeps_split": "not has_validation_set and not streaming and (split_dataset_ratio < 0 or strategy_of_evaluation != 'no')",
    "keeps_rows_to_evaluate": (
        "has_validation_set or has_evaluation_set or splits_validation_set and strategy_of_evaluation != 'no'"
    ),
    "thaws_some": (
        "len(trainable_parameters) > 0 or trainable_parameters_regex is not None",
        "len(trainable_parameters) > 0",
    ),
    # with checkpointing, older releases let the gradient flow to the inputs of the model
    "freezing_ends_the_run": ("not gradient_checkpointing", "False"),
    "checks_its_rate": "trains_by_adam",
    "samples_itself": "not use_vllm",
    "samples_at_its_temperature": "samples_itself",
    "greedy_at_zero": "True",
}

_LOGGED: "Table" = {
    "logged_metrics": words(
        *(
            prefix + name
            for prefix in ("", "eval_")
            for name in "loss runtime samples_per_second steps_per_second epoch model_preparation_time reward reward_std "
            "frac_reward_zero_std kl num_tokens num_input_tokens_seen".split()
        )
    ),
    "metric_of_nobody": "'/' not in metric_for_best_model and metric_for_best_model not in logged_metrics",
}

_LIGER_36 = {
    "delta": "sets_delta",
    "sequence_parallel_size": "sequence_parallel_size > 1",
    "padding_free": "padding_free",
}
_LIGER_37 = {**_LIGER_36, "top_entropy_quantile": "top_entropy_quantile < 1", "log_entropy": "log_entropy"}
_LIGER_40 = {
    **_LIGER_37,
    "off_policy_sequence_mask_delta": "masks_off_policy",
    "importance_sampling_level": "importance_sampling_level == 'sequence_token'",
    "advantage_estimator": "advantage_estimator != 'grpo'",
}

_SPLIT_36 = {"use_vllm": "use_vllm", "deepspeed": "uses_deepspeed", "use_liger_kernel": "use_liger_kernel"}
_SPLIT_310 = {**_SPLIT_36, "deepspeed": "uses_deepspeed and not use_ray"}


FORMULAS: "Changes" = {
    "3.1": {
        **SHARED,
        **OF_TRAINER,
        # a single process of a node spreads the model over all devices that it sees
        "trains_all": "tuner == 'full' and trains_each_part and not uses_other_optimizer and processes_per_node > 1",
        "peak_rate": "learning_rate",
        "trains_by_adam": "not optimizer_is_own and (optim == 'adamw_torch' or optim == 'adamw_torch_fused')",
        "optimizer_is_own": ("len(optimizer) > 0", "False"),
        "uses_other_optimizer": ("optimizer is not None or thins_out", "thins_out"),
        "thins_out": "use_galore or lisa_activated_layers > 0",
        "fsdp_is_detailed": ("'.json' in fsdp or len(fsdp) > 0 and len(fsdp_config) > 0", "'.json' in fsdp", "False"),
        "trains_adapter": "tuner == 'lora' and not says_quantisation and processes_per_node > 1",
        "saves_between_evaluations": (
            "save_steps % eval_interval != 0 and (eval_interval >= 1 or save_steps >= 1 or shares_do_not_fit)"
        ),
        "shares_do_not_fit": "save_steps * 1000000 % (eval_interval * 1000000) != 0",
        "counts_partial_update": "last_update_may_be_partial",
        **ANNOUNCED_ROWS,
        "completions_announced": "completions_per_epoch",
        "completions_taken": "rows_used * group_size",
        "drops_last": ("dataloader_drop_last", "False"),
        "evaluation_strategies": words("no", "steps", "epoch"),
        "has_model": (
            "len(model) > 0", "len(ckpt_dir) > 0", "len(resume_from_checkpoint) > 0", "len(adapters) > 0",
        ),
        "has_dataset": "load_data_args or len(dataset) > 0",
        "reward_models": ("1 if reward_model else 0", "0"),
        "reward_sources": "len(reward_funcs) + reward_models",
        "registered_plugins": words("default", "genrm"),
        "unknown_plugins": "beyond(reward_model_plugin, registered_plugins)",
        "server_may_reward": "False",
        "registered_rewards": FIRST_REWARDS,
        "refused_truncations": words("right", "delete"),
        "tuner": "train_type",
        "kl_weight": ("beta", "0.04"),
        "chooses_vllm_mode": "use_vllm",
        "serves_from": ("len(vllm_server_host) > 0", "len(vllm_server_base_url) > 0", "False"),
        "uses_deepspeed": ("len(deepspeed) > 0", "False"),
        "uses_fsdp": ("len(fsdp) > 0", "False"),
        "sets_delta": ("delta is not None", "False"),
        "counts_devices": ("not use_vllm and not use_lmdeploy", "not use_vllm"),
        "devices_per_process": "visible_devices // processes_per_node",
        # where fewer processes than devices are started, each spreads its copy over several
        "devices_of_a_copy": ("max(stated_devices // processes_per_node, 1) if is_unsharded else 1", "1"),
        "split_over_devices": first_of(deepspeed="uses_deepspeed"),
        "rollout_mode": word("none"),
        "warmup_is_no_part": "warmup_ratio < 0 or warmup_ratio > 1",
        "evaluates_by": ("eval_strategy", "save_strategy"),
        "warmup": "warmup_steps",
        "streams": "streaming and has_model and has_dataset",
        "eval_interval": ("eval_steps if eval_steps != 0 else logging_steps", "save_steps if save_steps != 0 else logging_steps"),
        "eval_steps_follow_logging": ("eval_steps == 0", "save_steps == 0"),
        "known_schedules": words(*SCHEDULES),
        "loss": ("loss_type", word("grpo")),
    },
    "3.2": {
        **ANNOUNCED_ROWS,
        "engine_sleeps": "use_vllm and sleep_level > 0 and not async_generate",
        # engines on devices of their own, unless there are as many as devices
        "workers_share": "visible_devices == num_infer_workers",
        "counts_workers": "(use_vllm or use_lmdeploy) and not serves_from",
        "devices_wanted": "processes_per_node if workers_share else processes_per_node + num_infer_workers",
        "scheduler": ("multi_turn_scheduler", "multi_turn_func"),
        "unknown_scheduler": "beyond([scheduler], registered_schedulers) if scheduler else nothing",
        "registered_schedulers": words("math_tip_trick", "math_tip_trick_multi_turn"),
        "rollout_mode": first_of("server", colocate="counts_workers and workers_share"),
    },
    "3.3": {
        "registered_rewards": REWARDS,
        "drops_last": "True",  # its arguments set it
        # before, torch_dtype follows fp16 and bf16, or overrides them
        "trains_in_fp16": ("fp16", "torch_dtype != 'bfloat16'"),
        "trains_in_bf16": ("bf16", "torch_dtype == 'bfloat16'"),
        "model_gives_type": ("torch_dtype is None", "bf16 is None", "True"),
    },
    "3.4": {
        "engine_sleeps": None,
        "reward_models": ("len(reward_model)", "0"),
        "split_over_devices": first_of(deepspeed="uses_deepspeed", use_liger_kernel="use_liger_kernel"),
        "needs_flash_attention": "packing",
        "flash_attentions": words("flash_attn"),
        "uses_flash_attention": ("attn_impl in flash_attentions", "False"),
        "known_losses": words("grpo", "bnpo", "dr_grpo"),
    },
    "3.5": {
        **dict.fromkeys((*ANNOUNCED_ROWS, "drops_last")),
        "needs_flash_attention": "packing or padding_free",
        "liger_refuses": first_of(delta="sets_delta"),
        # the old name overrides the new one
        "engine_ranks": ("tensor_parallel_size", "vllm_tensor_parallel_size"),
        # until 3.11.0 a missing or wrong vllm_mode is replaced: by server when a server is named, else by colocate
        "mode_of_engine": first_of("colocate", server="serves_from"),
        "rollout_mode": "mode_of_engine if use_vllm else vllm_mode",
        "replaces_vllm_mode": "use_vllm and vllm_mode != rollout_mode",
    },
    "3.5.3": {"liger_refuses": first_of(delta="sets_delta", sequence_parallel_size="sequence_parallel_size > 1")},
    "3.6": {
        # the first that is given sets all three
        "longest_sequence": (
            "longest_prompt + response_length", "longest_prompt + max_new_tokens", "longest_prompt + max_completion_length",
        ),
        "counts_devices": "True",
        "split_over_devices": first_of(**_SPLIT_36),
        "liger_refuses": first_of(**_LIGER_36),
        "no_strategy": word("no"),
        "has_rows_to_evaluate": "has_validation_set or has_evaluation_set or splits_validation_set",
        "evaluates_by": (
            "eval_strategy if has_rows_to_evaluate else no_strategy",
            "save_strategy if has_rows_to_evaluate else no_strategy",
        ),
        "has_labels": LABELS,
    },
    "3.7": {
        "has_dataset": "load_data_args or len(dataset) + len(cached_dataset) > 0",
        "server_may_reward": "use_vllm and rollout_mode == 'server'",
        "refused_truncations": words("right"),
        "flash_attentions": words("flash_attn", "flash_attention_2", "flash_attention_3"),
        "liger_refuses": first_of(**_LIGER_37, importance_sampling_level="importance_sampling_level != 'token'"),
        "caches_data": "len(cached_dataset) > 0",
        "loss": ("loss_type[0]", word("grpo")),
        "tokens_wait": first_of(packing="packing", streaming="streaming"),
    },
    "3.8": {"registered_schedulers": words("math_tip_trick", "gym_scheduler", "thinking_tips_scheduler")},
    "3.9": _RANGES,
    "3.10": {
        "splits_weights": "unknown",
        "split_over_devices": first_of(**_SPLIT_310),
        "engine_ranks": "vllm_tensor_parallel_size",
        "uses_liger": "use_liger_kernel and importance_sampling_level != 'token'",
        "liger_refuses": first_of(**_LIGER_37, advantage_estimator="advantage_estimator != 'grpo'"),
    },
    "3.11": {
        "refused_truncations": words("right", "split"),
        "caches_data": "len(cached_dataset) + len(cached_val_dataset) > 0",
        "known_losses": words("grpo", "bnpo", "dr_grpo", "dapo", "cispo", "sapo"),
    },
    "3.11.1": {"rollout_mode": ("vllm_mode", word("none")), "replaces_vllm_mode": None},
    "3.12": {"split_over_devices": first_of(**_SPLIT_310, fsdp="uses_fsdp and not use_ray")},
    "4.0": {
        "uses_liger": "use_liger_kernel",
        "tuner": ("train_type", "tuner_type"),
        "liger_refuses": first_of(**_LIGER_40),
    },
    "4.1": {
        "known_losses": words("grpo", "bnpo", "dr_grpo", "dapo", "cispo", "sapo", "real"),
        "real_drops_scaling": "loss == 'real' and scaling != 'none'",
    },
    "4.2": {
        "splits_weights": "True",
        "known_schedules": words(*SCHEDULES, "greedy"),
        "warmup_is_no_part": "warmup_ratio < 0",
        "flash_attentions": words("flash_attn", "flash_attention_2", "flash_attention_3", "flash_attention_4"),
    },
    "4.2.2": {"known_losses": words("grpo", "bnpo", "dr_grpo", "dapo", "cispo", "sapo", "real", "fipo")},
    "4.3": {"reward_sources": "len(reward_funcs) + reward_models + (1 if adds_gym_reward else 0)"},
    "4.4": {
        "registered_schedulers": words("math_tip_trick", "gym_scheduler", "openenv_scheduler", "thinking_tips_scheduler"),
        "distillation_refuses": first_of(use_liger_kernel="use_liger_kernel", **DISTILLATION),
    },
    "4.5": {
        "warmup_is_no_part": "warmup_ratio < 0 or warmup_ratio >= 1",
        "steps_are_replaced": "warmup_ratio == 0 and ratio_replaces_steps",
        "rlsd_refuses": first_of(
            reward_funcs="len(reward_funcs) == 0",
            use_liger_kernel="use_liger_kernel",
            loss_type="loss == 'real' or loss == 'fipo'",
            off_policy_sequence_mask_delta="masks_off_policy",
            teacher_model_server="asks_teacher_server",
        ),
        "asks_teacher_server": ("teacher_model_server is not None", "False"),
        "sdar_refuses": first_of(
            use_liger_kernel="use_liger_kernel", advantage_reweight="reweights", teacher_model_server="asks_teacher_server"
        ),
        "reweights": ("advantage_reweight == 'rlsd'", "False"),
    },
    "4.6": {**_LOGGED, "freezing_ends_the_run": "True"},
}  # fmt: skip

_ENGINE = (
    "vllm_gpu_memory_utilization", "vllm_tensor_parallel_size", "vllm_pipeline_parallel_size", "vllm_max_model_len",
    "vllm_max_num_seqs", "vllm_enforce_eager", "vllm_enable_prefix_caching", "vllm_limit_mm_per_prompt", "vllm_enable_lora",
)  # fmt: skip
IDLE: "Idle" = {
    **SHARED_IDLE,
    "use_vllm is off": (
        "not use_vllm",
        (*_ENGINE, "vllm_server_host", "vllm_server_base_url", "vllm_server_port", "vllm_server_timeout", "sleep_level",
         "move_model_batches", "offload_optimizer", "offload_model"),
    ),
    "these belong to `swift rollout`, where the server starts": ("use_vllm and rollout_mode == 'server'", (*_ENGINE, "sleep_level")),
    "there is no validation set": ("not evaluates", ("per_device_eval_batch_size", "eval_steps", "num_generations_eval")),
    "max_steps decides": ("max_steps > 0", ("num_train_epochs",)),
    "beta is 0": ("kl_weight == 0", ("ref_model", "sync_ref_model")),
}  # fmt: skip
