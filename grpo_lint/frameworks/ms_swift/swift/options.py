"""What ms-swift demands of options beside the batch: formulas and refusals, each as {version: what changed then}.

Reward functions, schedulers and loss types are those that each release registers.
"""

from ...base import Enforced, first_of
from ..options import DISTILLATION, FIRST_REWARDS, LABELS, OUTDATED_VLLM, QUANTISATION, REWARDS, SHARED, SHARED_IDLE

# what transformers knows; 5.0 added one
SCHEDULES = (
    "('linear', 'cosine', 'cosine_with_restarts', 'polynomial', 'constant', 'constant_with_warmup', 'inverse_sqrt', "
    "'reduce_lr_on_plateau', 'cosine_with_min_lr', 'cosine_warmup_with_min_lr', 'warmup_stable_decay')"
)


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

FORMULAS = {
    "3.1": {
        **SHARED,
        "has_model": (
            "len(model) > 0", "len(ckpt_dir) > 0", "len(resume_from_checkpoint) > 0", "len(adapters) > 0",
        ),
        "has_dataset": "load_data_args or len(dataset) > 0",
        "reward_models": ("1 if reward_model else 0", "0"),
        "reward_sources": "len(reward_funcs) + reward_models",
        "server_may_reward": "False",
        "registered_rewards": FIRST_REWARDS,
        "refused_truncations": "('right', 'delete')",
        "tuner": "train_type",
        "kl_weight": ("beta", "0.04"),
        "chooses_vllm_mode": "use_vllm",
        "serves_from": ("len(vllm_server_host) > 0", "len(vllm_server_base_url) > 0", "False"),
        "uses_deepspeed": ("len(deepspeed) > 0", "False"),
        "uses_fsdp": ("len(fsdp) > 0", "False"),
        "sets_delta": ("delta is not None", "False"),
        "counts_devices": ("not use_vllm and not use_lmdeploy", "not use_vllm"),
        "devices_per_process": "visible_devices // processes_per_node",
        "split_over_devices": first_of(deepspeed="uses_deepspeed"),
        "rollout_mode": "'none'",
        "warmup_is_no_part": "warmup_ratio < 0 or warmup_ratio > 1",
        "evaluates_by": ("eval_strategy", "save_strategy"),
        "warmup": "warmup_steps",
        "streams": "streaming and has_model and has_dataset",
        "eval_interval": ("eval_steps if eval_steps != 0 else logging_steps", "save_steps if save_steps != 0 else logging_steps"),
        "eval_steps_follow_logging": ("eval_steps == 0", "save_steps == 0"),
        "known_schedules": SCHEDULES,
        "loss": ("loss_type", "'grpo'"),
    },
    "3.2": {
        # engines on devices of their own, unless there are as many as devices
        "workers_share": "visible_devices == num_infer_workers",
        "counts_workers": "(use_vllm or use_lmdeploy) and not serves_from",
        "devices_wanted": "processes_per_node if workers_share else processes_per_node + num_infer_workers",
        "scheduler": ("multi_turn_scheduler", "multi_turn_func"),
        "unknown_scheduler": "beyond([scheduler], registered_schedulers) if scheduler else ''",
        "registered_schedulers": "('math_tip_trick', 'math_tip_trick_multi_turn')",
        "rollout_mode": "'colocate' if counts_workers and workers_share else 'server'",
    },
    "3.3": {
        "registered_rewards": REWARDS,
        # before, torch_dtype follows fp16 and bf16, or overrides them
        "trains_in_fp16": ("fp16", "torch_dtype != 'bfloat16'"),
        "trains_in_bf16": ("bf16", "torch_dtype == 'bfloat16'"),
        "model_gives_type": ("torch_dtype is None", "bf16 is None", "True"),
    },
    "3.4": {
        "reward_models": ("len(reward_model)", "0"),
        "split_over_devices": first_of(deepspeed="uses_deepspeed", use_liger_kernel="use_liger_kernel"),
        "needs_flash_attention": "packing",
        "flash_attentions": "('flash_attn',)",
        "uses_flash_attention": ("attn_impl in flash_attentions", "False"),
        "known_losses": "('grpo', 'bnpo', 'dr_grpo')",
    },
    "3.5": {
        "needs_flash_attention": "packing or padding_free",
        "liger_refuses": first_of(delta="sets_delta"),
        # the old name wins
        "engine_ranks": ("tensor_parallel_size", "vllm_tensor_parallel_size"),
        # until 3.11.0 a missing or wrong vllm_mode is replaced: by server when a server is named, else by colocate
        "rollout_mode": "('server' if serves_from else 'colocate') if use_vllm else vllm_mode",
        "replaces_vllm_mode": "use_vllm and vllm_mode != rollout_mode",
    },
    "3.5.3": {"liger_refuses": first_of(delta="sets_delta", sequence_parallel_size="sequence_parallel_size > 1")},
    "3.6": {
        "counts_devices": "True",
        "split_over_devices": first_of(**_SPLIT_36),
        "liger_refuses": first_of(**_LIGER_36),
        "evaluates_by": (
            "eval_strategy if has_validation_set or has_evaluation_set or splits_validation_set else 'no'",
            "save_strategy if has_validation_set or has_evaluation_set or splits_validation_set else 'no'",
        ),
        "has_labels": LABELS,
    },
    "3.7": {
        "has_dataset": "load_data_args or len(dataset) + len(cached_dataset) > 0",
        "server_may_reward": "use_vllm and rollout_mode == 'server'",
        "refused_truncations": "('right',)",
        "flash_attentions": "('flash_attn', 'flash_attention_2', 'flash_attention_3')",
        "liger_refuses": first_of(**_LIGER_37, importance_sampling_level="importance_sampling_level != 'token'"),
        "caches_data": "len(cached_dataset) > 0",
        "loss": ("loss_type[0]", "'grpo'"),
        "tokens_wait": first_of(packing="packing", streaming="streaming"),
    },
    "3.8": {"registered_schedulers": "('math_tip_trick', 'gym_scheduler', 'thinking_tips_scheduler')"},
    "3.10": {
        "split_over_devices": first_of(**_SPLIT_310),
        "engine_ranks": "vllm_tensor_parallel_size",
        "uses_liger": "use_liger_kernel and importance_sampling_level != 'token'",
        "liger_refuses": first_of(**_LIGER_37, advantage_estimator="advantage_estimator != 'grpo'"),
    },
    "3.11.0": {
        "refused_truncations": "('right', 'split')",
        "caches_data": "len(cached_dataset) + len(cached_val_dataset) > 0",
        "known_losses": "('grpo', 'bnpo', 'dr_grpo', 'dapo', 'cispo', 'sapo')",
    },
    "3.11.1": {"rollout_mode": ("vllm_mode", "'none'"), "replaces_vllm_mode": None},
    "3.12": {"split_over_devices": first_of(**_SPLIT_310, fsdp="uses_fsdp and not use_ray")},
    "4.0": {
        "uses_liger": "use_liger_kernel",
        "tuner": ("train_type", "tuner_type"),
        "liger_refuses": first_of(**_LIGER_40),
    },
    "4.1": {
        "known_losses": "('grpo', 'bnpo', 'dr_grpo', 'dapo', 'cispo', 'sapo', 'real')",
        "real_drops_scaling": "loss == 'real' and scaling != 'none'",
    },
    "4.2": {
        "known_schedules": f"(*{SCHEDULES}, 'greedy')",
        "warmup_is_no_part": "warmup_ratio < 0",
        "flash_attentions": "('flash_attn', 'flash_attention_2', 'flash_attention_3', 'flash_attention_4')",
    },
    "4.2.2": {"known_losses": "('grpo', 'bnpo', 'dr_grpo', 'dapo', 'cispo', 'sapo', 'real', 'fipo')"},
    "4.3": {"reward_sources": "len(reward_funcs) + reward_models + (1 if adds_gym_reward else 0)"},
    "4.4": {
        "registered_schedulers": "('math_tip_trick', 'gym_scheduler', 'openenv_scheduler', 'thinking_tips_scheduler')",
        "distillation_refuses": first_of(use_liger_kernel="use_liger_kernel", **DISTILLATION),
    },
    "4.5": {
        "warmup_is_no_part": "warmup_ratio < 0 or warmup_ratio >= 1",
        "steps_are_replaced": "warmup_ratio == 0 and ratio_replaces_steps",
        "rlsd_refuses": first_of(
            reward_funcs="len(reward_funcs) == 0",
            use_liger_kernel="use_liger_kernel",
            loss_type="loss in ('real', 'fipo')",
            off_policy_sequence_mask_delta="masks_off_policy",
            teacher_model_server="asks_teacher_server",
        ),
        "asks_teacher_server": ("teacher_model_server is not None", "False"),
        "sdar_refuses": first_of(
            use_liger_kernel="use_liger_kernel", advantage_reweight="reweights", teacher_model_server="asks_teacher_server"
        ),
        "reweights": ("advantage_reweight == 'rlsd'", "False"),
    },
}  # fmt: skip

_SPLIT = (
    "DeepSpeed is not compatible with `device_map`. / liger_kernel does not support device_map. / "
    "GRPO with vLLM is not compatible with `device_map`. Please set NPROC_PER_NODE equal to num_processes. / "
    "FSDP2 is not compatible with `device_map`."
)
_TRUNCATION = Enforced(
    "config", "GRPO requires `truncation_strategy 'left' or 'delete'`, Current value: `truncation_strategy='...'`."
)
_FIRST_LOSS = "when the first loss is computed"

REFUSED = {
    "3.1": {
        "quantisation-has-its-bits": QUANTISATION,
        "streams-have-steps": Enforced(
            "run",
            "The train_dataset does not implement __len__, max_steps has to be specified. / args.max_steps must be set to a positive value "
            "if dataloader does not have a length, was -1",
            "when the trainer counts its steps",
        ),
        "run-has-a-model": Enforced("config", "Please set --model <model_id_or_path>..., model: None"),
        "run-has-data": Enforced("config", "self.dataset: [], Please input the training dataset."),
        "rewards-have-a-source": Enforced("init", "You must specify reward_funcs or reward_model"),
        "reward-functions-are-registered": Enforced(
            "init", "reward_function ... is not implemented in swift.llm.plugin"
        ),
        "reward-weights-match-rewards": Enforced(
            "init", "Number of reward weights (...) must match number of reward functions (...)"
        ),
        "reference-model-is-for-full-training": Enforced(
            "config", "CPO/ORPO or LoRA training does not require a ref_model to be passed in."
        ),
        "warmup-is-a-part": Enforced("config", "warmup_ratio must lie in range [0,1]"),
        "warmup-is-not-negative": Enforced(
            "config", "warmup_steps must be of type int and must be 0 or a positive integer."
        ),
        "devices-divide-over-processes": Enforced("config", "n_gpu: ..., local_world_size: ..."),
        "one-device-per-process": Enforced("config", _SPLIT),
    },
    "3.2": {
        "scheduler-is-registered": Enforced("init", "AssertionError (without a message): assert ... in multi_turns"),
    },
    "3.2.2": {
        "sequence-parallel-is-for-other-trainers": Enforced("config", "RLHF do not support sequence parallel"),
        "batch-divides-into-mini-batches": Enforced(
            "config", "per_device_train_batch_size needs be divisible by mini_batch_size"
        ),
        "devices-are-shared-out": Enforced(
            "config",
            "Async mode requires total GPUs(...) = training GPUs(...) + inference workers(...). / "
            "Colocate mode requires device_count(...) == num_infer_workers(...).",
        ),
        "apart-engines-take-one-device": Enforced("config", "async mode do not support tensor parallel right now"),
        "async-generation-has-a-server": Enforced(
            "config", "async_generate requires async mode, but you are under colocate mode"
        ),
    },
    "3.3": {
        "soft-overlong-has-a-cache": Enforced(
            "config", "The soft_cache_length must be set when using soft overlong rewards."
        ),
        "truncation-keeps-the-end": Enforced(
            "config", "GRPO requires `truncation_strategy='left'`,Current value: `truncation_strategy='...'`."
        ),
    },
    "3.4": {
        "sequence-parallel-is-for-other-trainers": None,
        "batch-divides-into-mini-batches": None,
        "packing-has-flash-attention": Enforced(
            "config",
            'The "..." feature needs to be used in conjunction with "flash_attn". Please specify `--attn_impl flash_attn`.',
        ),
        "trl-is-new-enough": Enforced(
            "config", "Your current version of `trl` is outdated. Please update it by running: pip install -U trl"
        ),
        "loss-type-is-known": Enforced("run", "Unknown loss type: ...", _FIRST_LOSS),
    },
    "3.5": {
        "devices-are-shared-out": None,
        "apart-engines-take-one-device": None,
        "async-generation-has-a-server": Enforced("config", "async generate require vllm_mode == server"),
        "async-generation-has-one-turn": Enforced(
            "config", "Currently, async_generate is not supported with multi-turn functionality."
        ),
        "liger-computes-the-loss": Enforced(
            "config",
            "Liger ... does not support two-sided GRPO loss yet. / Liger loss does not support sequence parallel yet.",
        ),
    },
    "3.6": {
        "classifier-has-labels": Enforced("config", "Please pass the parameter `num_labels`."),
        "reward-functions-are-registered": Enforced("init", "reward_function ... is not implemented in swift.plugin"),
        "liger-computes-the-loss": Enforced(
            "config",
            "Liger ... does not support two-sided GRPO loss yet. / Liger loss does not support sequence parallel yet. / "
            "Liger loss does not support padding free yet.",
        ),
    },
    "3.7": {
        "run-has-data": Enforced(
            "config", "self.dataset: [], self.cached_dataset: []. Please input the training dataset."
        ),
        "data-is-not-cached": Enforced("config", "cached_dataset is not supported for GRPO."),
        "truncation-keeps-the-end": _TRUNCATION,
        "packing-has-flash-attention": Enforced(
            "config",
            'The "..." feature requires a flash attention implementation. Please use one of: "flash_attn", ...',
        ),
        "one-loss-has-no-weights": Enforced(
            "config", "AssertionError (without a message): assert self.rlhf_type == 'dpo'"
        ),
        "tokens-are-made-beforehand": Enforced(
            "config", "Packing and lazy_tokenize are incompatible. / Streaming and lazy_tokenize are incompatible."
        ),
        "one-loss-type": Enforced(
            "config", "Multiple loss types (...) are only supported for DPO. Current rlhf_type: grpo."
        ),
        "liger-computes-the-loss": Enforced(
            "config",
            "Liger ... does not support two-sided GRPO loss yet. / Liger loss does not support sequence parallel yet. / "
            "Liger loss does not support padding free yet. / Liger loss does not support entropy mask yet. / "
            "Liger loss does not support log entropy yet. / Liger loss currently only support token-level importance sampling"
            "Please set `importance_sampling_level` to `token`",
        ),
    },
    "3.8": {
        "reasoning-parser-is-for-serving": Enforced(
            "config", "vllm_reasoning_parser is not supported for GRPO Training, please unset it."
        ),
    },
    "3.10": {
        "liger-kernel-is-new-enough": Enforced("config", "Please update liger-kernel to 0.6.3 or later"),
        "liger-computes-the-loss": Enforced(
            "config",
            "Liger ... does not support two-sided GRPO loss yet. / Liger loss does not support sequence parallel yet. / "
            "Liger loss does not support padding free yet. / Liger loss does not support entropy mask yet. / "
            "Liger loss does not support log entropy yet. / Liger loss currently only support grpo advantage estimator",
        ),
    },
    "3.11.0": {"vllm-corrects-its-rollouts": OUTDATED_VLLM},
    "3.11.1": {
        "vllm-has-a-mode": Enforced("config", "vllm_mode is required when use_vllm is true"),
        "vllm-mode-has-vllm": Enforced("config", "vllm_mode is not supported when use_vllm is false"),
        "vllm-server-has-an-address": Enforced(
            "config", "AssertionError (without a message): assert not self.use_vllm or ..."
        ),
    },
    "3.12": {"sharding-is-of-one-kind": Enforced("config", "FSDP2 is not compatible with DeepSpeed.")},
    "4.0": {
        "liger-kernel-is-new-enough": Enforced(
            "config", "Please update liger-kernel to 0.7.0 or later: pip install -U liger-kernel"
        ),
        "reward-functions-are-registered": Enforced("init", "reward_function ... is not implemented in swift.rewards"),
        "liger-computes-the-loss": Enforced(
            "config",
            "Liger ... does not support two-sided GRPO loss yet. / Liger loss does not support sequence parallel yet. / "
            "Liger loss does not support padding free yet. / Liger loss does not support entropy mask yet. / "
            "Liger loss does not support log entropy yet. / Liger loss does not support off-policy sequence masking yet. / "
            "Liger loss currently only support token-level and sequence-level importance sampling. / "
            "Liger loss currently only support grpo advantage estimator",
        ),
    },
    # goes with transformers 5, which counts steps from 1 on
    "4.2": {
        "warmup-is-a-part": Enforced(
            "config", "warmup_steps must be an integer or a float / warmup_ratio must lie in range [0,1]"
        ),
        "warmup-is-not-negative": Enforced("config", "warmup_steps must be an integer or a float"),
    },
    "4.4": {
        "one-teacher": Enforced("config", "setting both `teacher_model` and `teacher_model_server` is not supported."),
        "distillation-has-its-signal": Enforced(
            "config",
            "OPD-RL is not supported with use_liger_kernel. / OPD-RL (teacher) does not support loss_type='...' (it needs a "
            "per-sequence advantage). / OPD-RL (teacher) does not support off_policy_sequence_mask_delta / dynamic_sample requires "
            "reward_funcs (it filters groups by reward std); pure OPD-RL distillation has no reward variance. / "
            "scale_rewards='gdpo' requires reward_funcs; pure OPD-RL distillation has none.",
        ),
    },
    "4.5": {
        "warmup-is-said-once": Enforced("config", "`warmup_ratio` and `warmup_steps` cannot be set at the same time."),
        "warmup-is-a-part": Enforced(
            "config", "warmup_ratio: ... must be less than 1. / warmup_steps must be an integer or a float"
        ),
        "warmup-is-not-negative": None,
        "rlsd-values-are-in-range": Enforced(
            "config",
            "rlsd_lambda must be in [0, 1], got .... / rlsd_reweight_clip_range (eps_w) must be >= 0, got ....",
        ),
        "rlsd-has-its-signal": Enforced(
            "config",
            "advantage_reweight=rlsd requires reward_funcs / advantage_reweight=rlsd is not compatible with use_liger_kernel / "
            "advantage_reweight=rlsd does not support loss_type='...' / advantage_reweight=rlsd does not support "
            "off_policy_sequence_mask_delta. / advantage_reweight=rlsd does not support --teacher_model_server",
        ),
        "sdar-gate-is-open": Enforced("config", "sdar_gate_beta must be > 0, got ...."),
        "sdar-has-its-signal": Enforced(
            "config",
            "sdar_loss_coef>0 is not compatible with use_liger_kernel / sdar_loss_coef>0 cannot be combined with "
            "advantage_reweight=rlsd / sdar_loss_coef>0 does not support --teacher_model_server",
        ),
    },
}

_ENGINE = (
    "vllm_gpu_memory_utilization", "vllm_tensor_parallel_size", "vllm_pipeline_parallel_size", "vllm_max_model_len",
    "vllm_max_num_seqs", "vllm_enforce_eager", "vllm_enable_prefix_caching", "vllm_limit_mm_per_prompt", "vllm_enable_lora",
)  # fmt: skip
IDLE = {
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
