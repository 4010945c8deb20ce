"""What each release of Megatron-SWIFT refuses."""

from ...by_release import Enforcement, without_devices
from ...shared.models import WHEN_BUILT, heads_of_engine
from ..options import OUTDATED_VLLM, QUANTISATION
from ..rewards import rewards_for_length

_BY_ZERO = "integer modulo by zero"
_DIVISION_BY_ZERO = "integer division or modulo by zero"
_NOT_ON_ALL_RANKS = (
    "num_rollout_prompt (...) = generation_batch_size (...) // num_generations (...) must be divisible by dp_size (...)"
)
_NO_PROMPT_PER_RANK = "per_device_num_rollout_prompt (...) must be greater than 1"
_NO_MESSAGE = "AssertionError (without a message)"
_NO_MERGE = "`merge_lora` must be True when using `--tuner_type lora_llm`"
_OPTIMIZER_SAVED = "`no_save_optim` must be True when using `--tuner_type lora_llm`"
_UNKNOWN_NAME = "KeyError: '...'"

ENFORCEMENT = (
    # the same in every release
    without_devices("3.11"),
    # pools of GPUs under Ray
    Enforcement(
        "engines-divide-their-pool",
        "4.3",
        None,
        "init",
        "tp*dp (...) exceeds rollout GPUs (...) / rollout GPUs (...) must be divisible by tp*dp (...)",
    ),
    Enforcement(
        "shared-pool-has-one-size",
        "4.3",
        None,
        "read",
        "colocate_groups[...] roles have different GPU counts {...}; colocated roles must share the same GPU set",
    ),
    # the training batch
    Enforcement("group-is-positive", "3.11.0", None, "config", f"{_BY_ZERO} / {_DIVISION_BY_ZERO}"),
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
    Enforcement(
        "rollout-holds-whole-updates",
        "3.11.0",
        None,
        "config",
        "generation_batch_size (...) must be divisible by global_batch_size (...)",
    ),
    Enforcement("rollout-is-not-empty", "3.11.0", None, "config", f"{_NO_PROMPT_PER_RANK} / {_NOT_ON_ALL_RANKS}"),
    Enforcement("batch-sizes-are-positive", "3.11.0", "3.12", "config", _BY_ZERO),
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
    Enforcement("rollout-prompts-divide-over-ranks", "3.11.0", None, "config", _NOT_ON_ALL_RANKS),
    Enforcement("every-rank-gets-a-prompt", "3.11.0", "4.1", "config", _NO_PROMPT_PER_RANK),
    Enforcement("every-rank-gets-a-prompt", "4.2", None, "config", "per_device_num_rollout_prompt (...) must be >= 1"),
    Enforcement(
        "rank-prompts-fill-micro-batches",
        "3.11.0",
        None,
        "config",
        "Per-device rollout prompt count (...) must be divisible by micro_batch_size (...)",
    ),
    Enforcement(
        "every-process-gets-a-completion",
        "3.11.0",
        "4.1",
        "config",
        f"per_device_generation_batch_size (...) must be greater than 1 / {_BY_ZERO}",
    ),
    Enforcement(
        "every-process-gets-a-completion",
        "4.2",
        None,
        "config",
        f"per_device_generation_batch_size (...) must be >= 1 / {_BY_ZERO}",
    ),
    Enforcement(
        "update-holds-whole-micro-batches",
        "3.11.0",
        None,
        "init",
        "global batch size (...) is not divisible by micro batch size (...) times data parallel size (...)",
    ),
    Enforcement("rollout-divides-over-processes", "3.11.0", None, "run", _NO_MESSAGE, "in the first rollout"),
    Enforcement(
        "real-loss-holds-whole-groups",
        "4.2",
        None,
        "config",
        "REAL loss requires that the training micro_batch_size (...) is a multiple of num_generations (...)",
    ),
    Enforcement("rollout-takes-steps", "4.2", None, "config", "steps_per_generation must be > 0, got ..."),
    Enforcement("micro-batch-is-not-zero", "3.11.0", None, "config", _BY_ZERO),
    # the evaluation batch
    Enforcement("evaluation-divides-over-ranks", "3.11.0", "4.3", "run", _NO_MESSAGE, "in the first evaluation"),
    Enforcement(
        "evaluation-divides-over-ranks",
        "4.4",
        None,
        "run",
        "num_iters_per_step=0 <= 0. This means no prompts will be generated / num_prompts_per_dp_group (...) "
        "must be divisible by micro_batch_size (...)",
        "in the first evaluation",
    ),
    # processes and devices
    Enforcement(
        "model-parallel-divides-world", "3.11.0", None, "init", f"world_size (...) is not divisible by ... / {_BY_ZERO}"
    ),
    Enforcement(
        "expert-parallel-divides-world",
        "3.11.0",
        None,
        "init",
        "world_size (...) is not divisible by expert_tensor_model_pipeline_parallel size (...)",
    ),
    Enforcement(
        "vllm-tensor-parallel-divides-world",
        "3.11.0",
        None,
        "init",
        "vllm_tensor_parallel_size (...) must divide world size (...) evenly.",
    ),
    Enforcement("parallel-sizes-are-positive", "3.11.0", None, "config", _DIVISION_BY_ZERO),
    Enforcement(
        "virtual-pipeline-has-a-pipeline",
        "3.11.0",
        None,
        "init",
        "pipeline-model-parallel size should be greater than 1 with interleaved schedule",
    ),
    Enforcement(
        "uneven-pipeline-has-a-pipeline",
        "3.11.0",
        None,
        "config",
        "pipeline_model_parallel_size must be greater than 1 if you want to set "
        "decoder_first_pipeline_num_layers or decoder_last_pipeline_num_layers",
    ),
    Enforcement(
        "frozen-share-needs-one-stage",
        "3.11.0",
        None,
        "config",
        "`freeze_parameters_ratio` is not supported when `pipeline_model_parallel_size` > 1",
    ),
    # how the model is built: tested with Megatron-Core 0.14.0 and 0.16.1
    Enforcement(
        "heads-divide-over-ranks",
        "3.11.0",
        None,
        "run",
        "num_attention_heads (...) must be a multiple of tensor_model_parallel_size (...). / num_query_groups (...) must be a multiple "
        "of tensor_model_parallel_size (...). / num_query_groups (...) must be a multiple or divisor of tensor_model_parallel_size (...).",
        WHEN_BUILT,
    ),
    Enforcement(
        "layers-divide-over-stages",
        "3.11.0",
        None,
        "run",
        "num_layers should be divisible by pipeline_model_parallel_size",
        WHEN_BUILT,
    ),
    Enforcement("experts-divide-over-ranks", "3.11.0", None, "run", _NO_MESSAGE, WHEN_BUILT),
    heads_of_engine("3.11.0"),
    # options of ms-swift
    Enforcement("vllm-has-a-mode", "3.11.1", "4.2", "config", "vllm_mode is required for Megatron GRPO"),
    Enforcement("vllm-has-a-mode", "4.3", None, "init", "Invalid vllm_mode: None"),
    Enforcement("vllm-corrects-its-rollouts", "3.11.0", None, "init", OUTDATED_VLLM),
    Enforcement("rollouts-come-from-vllm", "3.11.0", None, "config", "use_vllm must be True for Megatron GRPO"),
    Enforcement("rewards-have-a-source", "3.11.0", "4.2", "init", "reward_funcs is not set"),
    Enforcement(
        "rewards-have-a-source", "4.3", None, "init", "reward_funcs is not set (or pass --use_gym_env true ...)"
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
    # 3.x leaves the schedule to Megatron-LM, of which only the source was read (core_v0.12.0 - core_v0.15.0)
    Enforcement(
        "run-has-iterations",
        "3.11.0",
        "3.12",
        "run",
        "either train-iters or train-samples should be provided.",
        "when the schedule is made, after the model",
    ),
    Enforcement(
        "run-has-iterations",
        "4.0",
        None,
        "run",
        "unsupported operand type(s) for *: 'NoneType' and 'int'",
        "when the schedule is made, after the model",
    ),
    Enforcement(
        "routers-are-recorded",
        "4.1",
        None,
        "init",
        "The enable_return_routed_experts attribute is not supported. Please upgrade vllm to 0.14.0 or higher",
    ),
    Enforcement("engine-holds-prompt-and-completion", "3.11.0", None, "never", severity="info"),
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
    # options of Megatron-SWIFT
    Enforcement(
        "option-is-supported",
        "3.11.0",
        None,
        "config",
        "async_generate is not supported for Megatron GRPO right now / sync_ref_model is not supported for "
        "Megatron GRPO right now / num_iterations > 1 is not supported for Megatron GRPO right now / "
        "dataset_shuffle false is not supported for Megatron GRPO / multi_turn_scheduler is not supported "
        "for Megatron GRPO right now / log_entropy is not supported for Megatron GRPO right now / "
        "top_entropy_quantile < 1 is not supported for Megatron GRPO right now",
    ),
    Enforcement(
        "recomputation-is-of-one-kind",
        "4.0",
        None,
        "config",
        "recompute method is not yet supported for selective recomputing granularity",
    ),
    Enforcement(
        "grouped-lengths-are-padded", "4.0", None, "config", "group_by_length is not compatible with padding_free."
    ),
    Enforcement(
        "overlap-has-sequence-parallel",
        "4.0",
        None,
        "config",
        "Tensor parallel communication/GEMM overlap can happen only when sequence parallelism is enabled",
    ),
    Enforcement("ray-keeps-its-teacher", "4.4", None, "config", "teacher_model_server is not supported with use_ray"),
    Enforcement(
        "weight-decay-has-both-ends",
        "4.0",
        None,
        "config",
        "AssertionError (without a message): assert self.start_weight_decay is None / assert "
        "self.end_weight_decay is not None",
    ),
    Enforcement(
        "muon-rates-have-muon",
        "4.5",
        None,
        "config",
        "`muon_lr`/`muon_min_lr` require `--optimizer muon` or `--optimizer dist_muon`.",
    ),
    Enforcement(
        "muon-does-not-overlap",
        "4.1",
        None,
        "config",
        "Muon optimizer does not support overlap grad reduce. Use dist_muon instead. / Muon optimizer does "
        "not support overlap param gather. Use dist_muon instead.",
    ),
    Enforcement(
        "layout-has-known-layers",
        "4.0",
        None,
        "config",
        "Invalid layer character: ..., known layer characters: ['E', 'L', 't', 'm']",
    ),
    Enforcement(
        "layout-fits-the-pipeline",
        "4.0",
        None,
        "config",
        "The length of pipeline_model_parallel_layout must be divisible by pipeline_model_parallel_size",
    ),
    Enforcement("attention-backend-is-known", "4.0", "4.2", "config", _UNKNOWN_NAME),
    Enforcement(
        "attention-backend-is-known",
        "4.3",
        None,
        "config",
        f"{_UNKNOWN_NAME} / Unsupported flash attention version: .... Supported: flash_2, flash_3, flash_4.",
    ),
    Enforcement(
        "unpadded-layers-see-whole-sequences",
        "3.11.0",
        "4.1",
        "config",
        "mlp_padding_free is not compatible with sequence parallel or context parallel.",
    ),
    # from 4.2.1 on this depends on the version of mcore-bridge
    Enforcement(
        "unpadded-layers-see-whole-sequences",
        "4.2",
        "4.2.0",
        "config",
        "mlp_padding_free is not compatible with context parallel.",
    ),
    Enforcement("lora-llm-is-merged", "4.1", "4.2", "config", f"{_NO_MERGE} / {_OPTIMIZER_SAVED}"),
    Enforcement(
        "lora-llm-is-merged",
        "4.3",
        None,
        "config",
        f'`tuner_type="lora_llm"` is not supported when `language_model_only=True`. / {_NO_MERGE} / {_OPTIMIZER_SAVED}',
    ),
    Enforcement(
        "megatron-bridge-trains-in-full",
        "4.5",
        None,
        "config",
        "LoRA training is not yet supported with bridge_backend=\"megatron-bridge\". / task_type='...' is not "
        'yet supported with bridge_backend="megatron-bridge".',
    ),
    Enforcement(
        "megatron-fsdp-has-its-optimizer",
        "4.5",
        None,
        "config",
        'Megatron-FSDP does not support the "..." optimizer yet.',
    ),
    Enforcement(
        "reference-has-one-chunk", "3.11.0", None, "run", "GRPO currently does not support VPP.", "in the first step"
    ),
    Enforcement(
        "streams-have-iterations",
        "3.11.0",
        None,
        "run",
        "You are using a streaming training dataset. Please explicitly specify `--train_iters`.",
        "when the iterations are counted",
    ),
    Enforcement(
        "old-checkpoints-can-go",
        "4.0",
        None,
        "config",
        "save_total_limit must be greater than or equal to 2. / async_save is not supported with save_total_limit.",
    ),
    Enforcement(
        "run-has-weights",
        "3.11.0",
        "3.11",
        "config",
        "You did not pass `--load` or `--load_safetensors true` to read directly from safetensors weights, ...",
    ),
)
