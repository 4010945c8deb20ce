"""What Megatron-SWIFT demands of options beside the batch: formulas and refusals, each as {version: what changed
then}."""

from ...base import Enforced, first_of
from ..options import DISTILLATION, LABELS, OUTDATED_VLLM, QUANTISATION, SHARED, SHARED_IDLE

_NEVER = {
    "async_generate": "async_generate",
    "sync_ref_model": "sync_ref_model",
    "num_iterations": "num_iterations > 1",
}
_TURNS = {"multi_turn_scheduler": "has_scheduler"}
_SHUFFLE = {"dataset_shuffle": "not shuffles"}
_ENTROPY = {"log_entropy": "log_entropy", "top_entropy_quantile": "top_entropy_quantile < 1"}

FORMULAS = {
    "3.11": {
        **SHARED,
        "has_model": (
            "len(model) > 0", "len(ckpt_dir) > 0", "len(mcore_model) > 0", "len(load) > 0", "len(mcore_adapter) > 0",
            "len(adapters) > 0",
        ),
        "has_dataset": "len(dataset) + len(cached_dataset) > 0",
        "has_weights": ("load_safetensors or len(load) > 0", "load_safetensors"),
        "server_may_reward": "False",
        # reward models are not read
        "reward_sources": "len(reward_funcs)",
        "shuffles": ("dataset_shuffle", "True"),
        "has_scheduler": ("len(multi_turn_scheduler) > 0", "False"),
        "unsupported": first_of(**_NEVER, **_SHUFFLE, **_TURNS, **_ENTROPY),
        # vLLM is on by default: a file that is only a part of a run may leave the mode to another part
        "chooses_vllm_mode": "use_vllm and has_model and has_dataset",
        "missing_vllm": "not use_vllm",
        "tuner": ("train_type", "tuner_type"),
        "loss": ("loss_type", "'grpo'"),
        "known_losses": "('grpo', 'bnpo', 'dr_grpo', 'dapo', 'cispo', 'sapo')",
        "estimator_keeps_scaling": "advantage_estimator != 'grpo' and scale_rewards == 'group'",
        "computes_in_sequence_parallel": "sequence_parallel and tensor_model_parallel_size > 1",
        "kl_weight": ("beta", "0.04"),
        "says_iterations": ("train_iters is not None", "False"),
        "has_labels": LABELS,
        "tokens_wait": first_of(packing="packing", streaming="streaming"),
        "parts_sequences": first_of(sequence_parallel="sequence_parallel", context_parallel_size="context_parallel_size > 1"),
    },
    "3.12": {"has_weights": None},
    "3.12.1": {"unsupported": first_of(**_NEVER, **_SHUFFLE, **_TURNS)},
    "4.0": {
        # the layout, where there is one, replaces the number of virtual stages
        "virtual_stages": (
            "stages(pipeline_model_parallel_layout) // pipeline_model_parallel_size", "virtual_pipeline_model_parallel_size",
        ),
        "unknown_layers": "beyond(unrolled(pipeline_model_parallel_layout), 'ELtm|')",
        "starts_decay": ("start_weight_decay is not None", "False"),
        "ends_decay": ("end_weight_decay is not None", "False"),
        "known_backends": "('flash', 'fused', 'unfused', 'local', 'auto')",
    },
    "4.1": {
        "merges": ("merge_lora", "save_safetensors"),
        "lora_llm_lacks": first_of(merge_lora="not merges", no_save_optim="not no_save_optim"),
    },
    "4.2": {"parts_sequences": first_of(context_parallel_size="context_parallel_size > 1")},
    "4.2.1": {
        "unsupported": first_of(**_NEVER, **_TURNS),
        "known_losses": "('grpo', 'bnpo', 'dr_grpo', 'dapo', 'cispo', 'sapo', 'real')",
        "real_drops_scaling": "loss == 'real' and scaling != 'none'",
    },
    "4.2.2": {"known_losses": "('grpo', 'bnpo', 'dr_grpo', 'dapo', 'cispo', 'sapo', 'real', 'fipo')"},
    "4.3": {
        "unsupported": first_of(**_NEVER),
        "scheduler": "multi_turn_scheduler",
        "unknown_scheduler": "beyond([scheduler], registered_schedulers) if scheduler else ''",
        "registered_schedulers": "('math_tip_trick', 'gym_scheduler', 'thinking_tips_scheduler')",
        # in the Ray layout the mode follows from the groups
        "chooses_vllm_mode": "use_vllm and has_model and has_dataset and not use_ray",
        "missing_vllm": "not use_vllm and not use_ray",
        "reward_sources": "len(reward_funcs) + (1 if adds_gym_reward else 0)",
        "server_may_reward": SHARED["server_may_reward"],
        "known_backends": "('flash', 'fused', 'unfused', 'local', 'auto', 'flash_2', 'flash_3', 'flash_4')",
        "lora_llm_lacks": first_of(
            language_model_only="language_model_only", merge_lora="not merges", no_save_optim="not no_save_optim"
        ),
    },
    "4.4": {
        "registered_schedulers": "('math_tip_trick', 'gym_scheduler', 'openenv_scheduler', 'thinking_tips_scheduler')",
        "distillation_refuses": first_of(**DISTILLATION),
        "asks_teacher_server": ("teacher_model_server is not None", "False"),
    },
    "4.6": {"estimator_keeps_scaling": None},
}  # fmt: skip

REFUSED = {
    "3.11": {
        "run-has-a-model": Enforced("config", "Please set --model <model_id_or_path>..., model: None"),
        "run-has-data": Enforced(
            "config", "self.dataset: [], self.cached_dataset: []. Please input the training dataset."
        ),
        "run-has-weights": Enforced(
            "config",
            "You did not pass `--load` or `--load_safetensors true` to read directly from safetensors weights, ...",
        ),
        "rewards-have-a-source": Enforced("init", "reward_funcs is not set"),
        "reward-functions-are-registered": Enforced("init", "reward_function ... is not implemented in swift.plugin"),
        "reward-weights-match-rewards": Enforced(
            "init", "Number of reward weights (...) must match number of reward functions (...)"
        ),
        "soft-overlong-has-a-cache": Enforced(
            "config", "The soft_cache_length must be set when using soft overlong rewards."
        ),
        "truncation-keeps-the-end": Enforced(
            "config",
            "GRPO requires `truncation_strategy 'left' or 'delete'`, Current value: `truncation_strategy='...'`.",
        ),
        "option-is-supported": Enforced(
            "config",
            "async_generate is not supported for Megatron GRPO right now / sync_ref_model is not supported for Megatron GRPO right "
            "now / num_iterations > 1 is not supported for Megatron GRPO right now / dataset_shuffle false is not supported for "
            "Megatron GRPO / multi_turn_scheduler is not supported for Megatron GRPO right now / log_entropy is not supported for "
            "Megatron GRPO right now / top_entropy_quantile < 1 is not supported for Megatron GRPO right now",
        ),
        "rollouts-come-from-vllm": Enforced("config", "use_vllm must be True for Megatron GRPO"),
        "vllm-corrects-its-rollouts": OUTDATED_VLLM,
        "quantisation-has-its-bits": QUANTISATION,
        "streams-have-iterations": Enforced(
            "run",
            "You are using a streaming training dataset. Please explicitly specify `--train_iters`.",
            "when the iterations are counted",
        ),
        "classifier-has-labels": Enforced("config", "Please pass the parameter `num_labels`."),
        "tokens-are-made-beforehand": Enforced(
            "config", "Packing and lazy_tokenize are incompatible. / Streaming and lazy_tokenize are incompatible."
        ),
        "unpadded-layers-see-whole-sequences": Enforced(
            "config", "mlp_padding_free is not compatible with sequence parallel or context parallel."
        ),
        "reference-has-one-chunk": Enforced("run", "GRPO currently does not support VPP.", "in the first step"),
    },
    "3.11.1": {"vllm-has-a-mode": Enforced("config", "vllm_mode is required for Megatron GRPO")},
    "3.12": {"run-has-weights": None},
    "4.0": {
        "reward-functions-are-registered": Enforced("init", "reward_function ... is not implemented in swift.rewards"),
        "recomputation-is-of-one-kind": Enforced(
            "config", "recompute method is not yet supported for selective recomputing granularity"
        ),
        "grouped-lengths-are-padded": Enforced("config", "group_by_length is not compatible with padding_free."),
        "old-checkpoints-can-go": Enforced(
            "config",
            "save_total_limit must be greater than or equal to 2. / async_save is not supported with save_total_limit.",
        ),
        "overlap-has-sequence-parallel": Enforced(
            "config", "Tensor parallel communication/GEMM overlap can happen only when sequence parallelism is enabled"
        ),
        "weight-decay-has-both-ends": Enforced(
            "config",
            "AssertionError (without a message): assert self.start_weight_decay is None / assert self.end_weight_decay is not None",
        ),
        "layout-has-known-layers": Enforced(
            "config", "Invalid layer character: ..., known layer characters: ['E', 'L', 't', 'm']"
        ),
        "layout-fits-the-pipeline": Enforced(
            "config", "The length of pipeline_model_parallel_layout must be divisible by pipeline_model_parallel_size"
        ),
        "attention-backend-is-known": Enforced("config", "KeyError: '...'"),
    },
    "4.1": {
        "muon-does-not-overlap": Enforced(
            "config",
            "Muon optimizer does not support overlap grad reduce. Use dist_muon instead. / "
            "Muon optimizer does not support overlap param gather. Use dist_muon instead.",
        ),
        "lora-llm-is-merged": Enforced(
            "config",
            "`merge_lora` must be True when using `--tuner_type lora_llm` / `no_save_optim` must be True when using `--tuner_type "
            "lora_llm`",
        ),
    },
    "4.2": {
        "unpadded-layers-see-whole-sequences": Enforced(
            "config", "mlp_padding_free is not compatible with context parallel."
        ),
    },
    # from here on the versions of mcore-bridge decide
    "4.2.1": {"unpadded-layers-see-whole-sequences": None},
    "4.3": {
        "attention-backend-is-known": Enforced(
            "config",
            "KeyError: '...' / Unsupported flash attention version: .... Supported: flash_2, flash_3, flash_4.",
        ),
        "lora-llm-is-merged": Enforced(
            "config",
            '`tuner_type="lora_llm"` is not supported when `language_model_only=True`. / `merge_lora` must be True when using '
            "`--tuner_type lora_llm` / `no_save_optim` must be True when using `--tuner_type lora_llm`",
        ),
        "vllm-has-a-mode": Enforced("init", "Invalid vllm_mode: None"),
        "rewards-have-a-source": Enforced("init", "reward_funcs is not set (or pass --use_gym_env true ...)"),
        "scheduler-is-registered": Enforced("init", "AssertionError (without a message): assert ... in multi_turns"),
    },
    "4.4": {
        "one-teacher": Enforced("config", "setting both `teacher_model` and `teacher_model_server` is not supported."),
        "ray-keeps-its-teacher": Enforced("config", "teacher_model_server is not supported with use_ray"),
        "distillation-has-its-signal": Enforced(
            "config",
            "OPD-RL (teacher) does not support loss_type='...' (it needs a per-sequence advantage). / OPD-RL (teacher) does not "
            "support off_policy_sequence_mask_delta / dynamic_sample requires reward_funcs (it filters groups by reward std); pure "
            "OPD-RL distillation has no reward variance. / scale_rewards='gdpo' requires reward_funcs; pure OPD-RL distillation has "
            "none.",
        ),
    },
    "4.5": {
        "muon-rates-have-muon": Enforced(
            "config", "`muon_lr`/`muon_min_lr` require `--optimizer muon` or `--optimizer dist_muon`."
        ),
        "megatron-bridge-trains-in-full": Enforced(
            "config",
            "LoRA training is not yet supported with bridge_backend=\"megatron-bridge\". / task_type='...' is not yet supported with "
            'bridge_backend="megatron-bridge".',
        ),
        "megatron-fsdp-has-its-optimizer": Enforced(
            "config", 'Megatron-FSDP does not support the "..." optimizer yet.'
        ),
    },
}

IDLE = {
    **SHARED_IDLE,
    "Megatron-SWIFT reads no reward models": ("True", ("reward_model", "reward_model_plugin")),
    "tensor_model_parallel_size is 1": (
        "tensor_model_parallel_size <= 1 and sequence_parallel",
        ("sequence_parallel",),
    ),
    "the epochs decide": ("epochs > 0", ("train_iters",)),
    "there is no validation set": (
        "not evaluates",
        ("eval_iters", "eval_interval", "eval_steps", "num_generations_eval"),
    ),
}
