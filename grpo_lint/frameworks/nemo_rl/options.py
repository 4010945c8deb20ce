"""The settings of NeMo-RL by their names in formulas, and its arithmetic by release.

Every size counts completions but grpo.num_prompts_per_step. A rollout is used once: there is no number of iterations over it.
"""

from ...plan.formula import Reading, calculation, word, words
from ..shared.megatron_rules import in_section
from ..shared.memory import MEMORY, OF_MASTER_WEIGHTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..by_release import Changes, Idle

FIRST, _POLICY, _ENGINE, _SHARE = "0.2", "policy", "policy.generation.vllm_cfg", "policy.generation.colocated"
_DTENSOR, _MEGATRON = "policy.dtensor_cfg", "policy.megatron_cfg"


def gpus_that_generate(reading: Reading) -> object:
    """all GPUs where generation shares them, else those that colocated.resources sets apart"""
    if reading.colocated:
        return reading.gpus_per_node * reading.nodes
    return reading.split_gpus if reading.nodes == 1 else reading.split_nodes * reading.gpus_per_node


_LATER = "limits_are_first reads_top_k setup_is_checked".split()  # from 0.4 on
OPTIONS: "Changes" = {
    FIRST: {
        **OF_MASTER_WEIGHTS,
        **in_section(_MEGATRON),
        **dict.fromkeys((*_LATER, "offload_needs_gpus"), "False"),
        "trains_adapter": "uses_lora and uses_dtensor and not offloads_to_cpu",
        "holds_all_states": "uses_dtensor and not uses_lora and not offloads_to_cpu and optimizer == 'torch.optim.AdamW'",
        "optimizer": f"{_POLICY}.optimizer.name",
        "distils": "estimator == 'opd'",
        "trains_by_adam": "megatron_optimizer == 'adam' if uses_megatron else optimizer == 'torch.optim.AdamW'",
        "megatron_optimizer": f"{_MEGATRON}.optimizer.optimizer",
        "peak_rate": "megatron_rate if uses_megatron else torch_rate",
        "megatron_rate": f"{_MEGATRON}.optimizer.lr",
        "torch_rate": f"{_POLICY}.optimizer.kwargs.lr",
        "prompts": "grpo.num_prompts_per_step",
        "rollout_n": "grpo.num_generations_per_prompt",
        "update_size": f"{_POLICY}.train_global_batch_size",
        "train_micro": f"{_POLICY}.train_micro_batch_size",
        "logprob_micro": (f"{_POLICY}.logprob_batch_size", "train_micro"),
        "logprob_written": f"{_POLICY}.logprob_batch_size",
        "logprob_micro_is_set": ("logprob_written is not None", "False"),
        "gpus_per_node": "cluster.gpus_per_node",
        "nodes": "cluster.num_nodes",
        "uses_megatron": (f"{_MEGATRON}.enabled", "False"),
        "uses_dtensor": (f"{_DTENSOR}.enabled", "False"),
        "dtensor_tp": (f"{_DTENSOR}.tensor_parallel_size", "1"),
        "dtensor_cp": (f"{_DTENSOR}.context_parallel_size", "1"),
        "dtensor_sequence_parallel": (f"{_DTENSOR}.sequence_parallel", "False"),
        "dtensor_v2": (f"{_DTENSOR}._v2", "False"),
        "replicas": (f"{_DTENSOR}.dp_replicate_size", "1"),
        "uses_lora": (f"{_DTENSOR}.lora_cfg.enabled", "False"),
        "offloads_to_cpu": (f"{_DTENSOR}.cpu_offload", "False"),
        "megatron_written": f"{_MEGATRON}.tensor_model_parallel_size",
        "megatron_is_set_up": ("megatron_written is not None", "not uses_megatron"),
        "train_tp": "megatron_tp if uses_megatron else dtensor_tp",
        "train_cp": "megatron_cp if uses_megatron else dtensor_cp",
        "train_pp": "megatron_pp if uses_megatron else 1",
        "packs": (f"{_POLICY}.sequence_packing.enabled", "False"),
        "dynamic": (f"{_POLICY}.dynamic_batching.enabled", "False"),
        "batches_are_static": "not packs and not dynamic",
        "length": f"{_POLICY}.max_total_sequence_length",
        "packed_train": (f"{_POLICY}.sequence_packing.train_mb_tokens", "length * train_micro"),
        "packed_logprob": (f"{_POLICY}.sequence_packing.logprob_mb_tokens", "length * logprob_micro"),
        "dynamic_train": (f"{_POLICY}.dynamic_batching.train_mb_tokens", "length * train_micro"),
        "dynamic_logprob": (f"{_POLICY}.dynamic_batching.logprob_mb_tokens", "length * logprob_micro"),
        "train_tokens": "packed_train if packs else dynamic_train",
        "logprob_tokens": "packed_logprob if packs else dynamic_logprob",
        "pad_divisor": (f"{_POLICY}.make_sequence_length_divisible_by", "train_tp"),
        "context_divisor": "2 * megatron_cp if megatron_cp > 1 else 1",
        "least_pad_divisor": "context_divisor * (megatron_tp if megatron_sequence_parallel else 1)",
        "precision": f"{_POLICY}.precision",
        "precisions": words("float32", "bfloat16", "float16"),
        "uses_draft": (f"{_POLICY}.draft.enabled", "False"),
        "backend": "policy.generation.backend",
        "backends": words("vllm", "hf"),
        "uses_vllm": "backend == 'vllm'",
        "top_p": ("policy.generation.top_p", "1"),
        "top_k": ("policy.generation.top_k", "-1"),
        "engine_tp": f"{_ENGINE}.tensor_parallel_size",
        "engine_pp": (f"{_ENGINE}.pipeline_parallel_size", "1"),
        "engine_ep": (f"{_ENGINE}.expert_parallel_size", "1"),
        "engine_is_async": (f"{_ENGINE}.async_engine", "False"),
        "engine_size": "engine_tp * engine_pp",
        "colocated": "True",
        "split_gpus": (f"{_SHARE}.resources.gpus_per_node", "0"),
        "split_nodes": (f"{_SHARE}.resources.num_nodes", "0"),
        "generation_gpus": calculation(gpus_that_generate),
        "gpus_left_to_train": "gpus_per_node - split_gpus if nodes == 1 else nodes - split_nodes",
        "val_batch": "grpo.val_batch_size",
        "val_samples": "grpo.max_val_samples",
        "val_period": ("grpo.val_period", "1"),
        "validates_last": ("grpo.val_at_end", "False"),
        "max_steps": "grpo.max_num_steps",
        "max_epochs": "grpo.max_num_epochs",
        "batch_multiplier": ("grpo.batch_multiplier", "1"),
        "dynamic_sampling": ("grpo.use_dynamic_sampling", "False"),
        "is_async": ("grpo.async_grpo.enabled", "False"),
        "validates_first": ("grpo.val_at_start", "False"),
        "scales_rewards": ("grpo.reward_scaling.enabled", "False"),
        "shapes_rewards": ("grpo.reward_shaping.enabled", "False"),
        "estimator": ("grpo.adv_estimator.name", word("grpo")),
        "estimators": words("grpo"),
        "skips_reference": ("grpo.skip_reference_policy_logprobs_calculation", "False"),
        "kl_penalty": ("loss_fn.reference_policy_kl_penalty", "0"),
        "clip_max": "loss_fn.ratio_clip_max",
        "clip_c": ("loss_fn.ratio_clip_c", "0"),
        "forces_ratio": ("loss_fn.force_on_policy_ratio", "False"),
        "sequence_ratios": ("loss_fn.sequence_level_importance_ratios", "False"),
        "token_loss": ("loss_fn.token_level_loss", "True"),
        "uses_cispo": ("loss_fn.use_cispo", "False"),
        "without_ratio": ("loss_fn.disable_ppo_ratio", "False"),
        "corrects_importance": ("loss_fn.use_importance_sampling_correction", "False"),
        "async_lacks": "engine_waits or colocated or not corrects_importance",
        "engine_waits": "not uses_vllm or not engine_is_async",
        "async_excludes": "dynamic_sampling or scales_rewards or shapes_rewards or has_loaders",
        "has_loaders": "False",
        "split_fails": "node_split_fails if nodes == 1 else gpus_left_to_train < 1 or setup_is_checked and nodes_split_fails",
        "node_split_fails": "split_gpus < 1 or gpus_left_to_train < 1 or split_nodes > 1",
        "nodes_split_fails": "split_nodes < 1 or gpus_left_to_train < 1 or split_gpus != gpus_per_node",
        "stages_lack_async": "engine_pp > 1 and not engine_is_async",
        "experts_are_uneven": "engine_ep > 1 and (engine_ep % engine_tp != 0 or engine_is_async and engine_ep != engine_tp)",
        "engines_cross_nodes": "setup_is_checked and nodes > 1 and engine_size < gpus_per_node and gpus_per_node % engine_size != 0",
        "lora_lacks_its_worker": "uses_lora and not dtensor_v2",
        "offload_is_alone": "offload_needs_gpus and dtensor_v2 and offloads_to_cpu and world_size == 1 and gpus_are_known",
        "replicas_are_uneven": "replicas > 1 and (not dtensor_v2 or dp_size % replicas != 0)",
        "limits_are_refused": "limits_have_an_effect if reads_top_k else top_p <= 0 or top_p > 1 or top_k == 0 or top_k < -1",
        "limits_have_an_effect": "top_p < 0.99 or top_k != -1 and top_k < 8000",
        "backends_fail": "not uses_megatron and not uses_dtensor or setup_is_checked and uses_megatron and uses_dtensor",
        "checks_accuracy": ("not ignores_accuracy", "True"),
        "gpus_are_known": ("not gpus_are_open", "True"),
        "saves": ("checkpointing.enabled", "False"),
        "save_period": "checkpointing.save_period",
        "updates_fail": "update_size < 0",
        "save_is_refused": "save_period < 1 or val_period == 0 or save_period % val_period != 0",
        "program_is_missing": "program == 'run_grpo.py' or program == 'run_grpo_rm.py' or program == 'run_vlm_grpo.py'",
    },
    "0.3": {
        "save_is_refused": "save_period == 0 and max_steps > 1",
        "colocated": (f"{_SHARE}.enabled", "True"),
        "backends": words("vllm", "megatron"),
    },
    "0.4": {
        **dict.fromkeys(_LATER, "True"),
        "program_is_missing": "program == 'run_grpo.py'",
        "backends": words("vllm"),
    },
    "0.5": {"backends": words("vllm", "megatron"), "program_is_missing": "False"},
    "0.6": {
        "program_is_missing": "program == 'run_grpo_math.py' or program == 'run_grpo_rm.py'",
        "updates_fail": "update_size < 0 and not batches_are_static",
        "estimators": words("grpo", "gdpo", "reinforce_plus_plus"),
        "reads_top_k": "False",
        "has_loaders": ("data.use_multiple_dataloader", "False"),
        "backends": words("vllm", "sglang", "megatron"),
        "offload_needs_gpus": "True",
    },
    "0.7": {
        "estimators": words("grpo", "gdpo", "reinforce_plus_plus", "opd"),
        # other engines are a copy's own, and where no example has the switch of Megatron's, the engine has none
        "engine_waits": "not engine_is_async if uses_vllm else backend == 'sglang' or backend == 'megatron' and megatron_waits",
        "megatron_waits": ("not megatron_is_async", "False"),
        "megatron_is_async": "policy.generation.mcore_generation_config.async_engine",
    },
}

PLAN: "Changes" = {
    FIRST: {
        **MEMORY,
        "model_parallel_size": "train_tp * train_pp * train_cp",
        "dp_size": "world_size // model_parallel_size",
        "generation_engines": "generation_gpus // engine_size",
        "group_size": "rollout_n",
        "prompts_per_rollout": "prompts",
        "completions_per_rollout": "prompts_per_rollout * group_size",
        "micro_batch": "train_micro if batches_are_static else nothing",
        "completions_per_update": "update_size",
        "accumulation": "completions_per_update // dp_size // micro_batch",
        "prompts_per_update": "ratio(completions_per_update, group_size)",
        "updates_per_rollout": "completions_per_rollout // completions_per_update",
        "training_rows": "dataset_size",
        "prompts_per_sampled_batch": "prompts_per_rollout",
        "rollouts_per_epoch": "training_rows // prompts_per_sampled_batch",
        "rollouts": ("min(max_steps, rollouts_per_epoch * max_epochs)", "max_steps"),
        "steps_per_epoch": "rollouts_per_epoch * updates_per_rollout",
        "total_steps": "rollouts * updates_per_rollout",
    },
    "0.4": {
        "prompts_per_sampled_batch": "int(prompts_per_rollout * batch_multiplier) if dynamic_sampling else prompts_per_rollout"
    },
}

_OF_MEGATRON = tuple(f"{_MEGATRON}.{each}_parallel_size" for each in ("tensor_model", "pipeline_model", "context"))
_OF_DTENSOR = tuple(f"{_DTENSOR}.{each}" for each in ("tensor_parallel_size", "context_parallel_size", "sequence_parallel"))  # fmt: skip
# Why settings have no effect, where the condition holds.
IDLE: "Idle" = {
    "sequence packing or dynamic batching is on": ("not batches_are_static", ()),
    "the policy is trained with DTensor": ("uses_dtensor and not uses_megatron", _OF_MEGATRON),
    "the policy is trained with Megatron": ("uses_megatron and not uses_dtensor", _OF_DTENSOR),
}
