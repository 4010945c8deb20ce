"""What Megatron-SWIFT requires of options other than the batch: formulas and refusals, each as {version: what
changed}."""

from ....plan.formula import Reading, beyond, calculation, first_of, unrolled, word, words
from ...shared.megatron_rules import OF_MODEL
from ...shared.memory import OF_MEGATRON
from ..options import DISTILLATION, LABELS, SHARED, SHARED_IDLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...by_release import Changes, Idle

_NEVER = {
    "async_generate": "async_generate",
    "sync_ref_model": "sync_ref_model",
    "num_iterations": "num_iterations > 1",
}
_TURNS = {"multi_turn_scheduler": "has_scheduler"}
_SHUFFLE = {"dataset_shuffle": "not shuffles"}
_ENTROPY = {"log_entropy": "log_entropy", "top_entropy_quantile": "top_entropy_quantile < 1"}


def _unknown_layers(read: Reading) -> str:
    """The letters of pipeline_model_parallel_layout that name no layer."""
    return beyond(unrolled(read.pipeline_model_parallel_layout), "ELtm|")


_OF_MODEL = [f"{each}_of_model" for each in ("layers", "heads", "kv_heads", "experts")]
FORMULAS: "Changes" = {
    "3.11": {
        **SHARED,
        **OF_MEGATRON,
        "ranks_of_an_expert": ("expert_model_parallel_size * expert_tensor_parallel_size", "expert_model_parallel_size"),
        "is_plain": "not in_fewer_bits and not offloads and not use_precision_aware_optimizer and not fsdp_of_megatron",
        "in_fewer_bits": ("quant_method is not None", "quant_bits is not None", "fp8_format is not None", "fp4_format is not None", "torch_dtype == 'float32'", "False"),
        "offloads": "optimizer_cpu_offload",
        "fsdp_of_megatron": ("use_megatron_fsdp", "False"),
        "trains_all": "tuner == 'full' and trains_each_part",
        "holds_all_states": "is_plain and trains_all and optimizer == 'adam'",
        "trains_by_adam": "optimizer == 'adam'",
        "peak_rate": "lr",
        "trains_adapter": "is_plain and tuner == 'lora'",
        "spreads_states": "use_distributed_optimizer",
        "sums_in_full": "main_grads_dtype == 'fp32'",
        "splits_heads": "tensor_model_parallel_size > 1 and heads_of_model % tensor_model_parallel_size == 0",
        "splits_layers": "not splits_layers_unevenly and has_stages and layers_of_model % pipeline_model_parallel_size == 0",
        **OF_MODEL,
        "first_stage_layers": "decoder_first_pipeline_num_layers",
        "last_stage_layers": "decoder_last_pipeline_num_layers",
        "counts_embedding": "account_for_embedding_in_pipeline_split",
        "counts_loss": "account_for_loss_in_pipeline_split",
        "has_own_layout": ("pipeline_model_parallel_layout is not None", "False"),
        "has_stages": "pipeline_model_parallel_size > 1",
        "splits_experts": "expert_model_parallel_size > 1 and experts_of_model % expert_model_parallel_size == 0",
        "fsdp_optimizers": words("sgd", "adam"),
        "expert_factor": "0 if expert_parallel_size == 0 else 1",
        "validation_completions": "validation_rows // completions_per_pass * completions_per_pass * group_size",
        # for the rules shared with other frameworks
        "steps_per_rollout": "updates_per_rollout",
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
        # vLLM is on by default: a partial file may leave the mode to another part
        "chooses_vllm_mode": "use_vllm and has_model and has_dataset",
        "missing_vllm": "not use_vllm",
        "tuner": ("train_type", "tuner_type"),
        "loss": ("loss_type", word("grpo")),
        "known_losses": words("grpo", "bnpo", "dr_grpo", "dapo", "cispo", "sapo"),
        "estimator_keeps_scaling": "advantage_estimator != 'grpo' and scale_rewards == 'group'",
        "computes_in_sequence_parallel": "sequence_parallel and tensor_model_parallel_size > 1",
        "kl_weight": ("beta", "0.04"),
        "says_iterations": ("train_iters is not None", "False"),
        "says_epochs": ("epochs is not None or means_epochs", "epochs is not None", "means_epochs", "False"),
        "under_ray": ("use_ray", "False"),
        "epochs_key": word("max_epochs"),
        "has_labels": LABELS,
        "tokens_wait": first_of(packing="packing", streaming="streaming"),
        "layers_of_model": ("num_layers", "model_layers"),
        "heads_of_model": ("num_attention_heads", "model_heads"),
        "kv_heads_of_model": ("num_query_groups", "model_kv_heads"),
        "experts_of_model": ("num_experts", "model_experts"),
        "splits_sequences": "sequence_parallel",
        "reference_chunks": (
            "num_virtual_stages_per_pipeline_rank",
            "layers_of_model // pipeline_model_parallel_size // num_layers_per_virtual_pipeline_stage",
        ),
        "parts_sequences": first_of(sequence_parallel="sequence_parallel", context_parallel_size="context_parallel_size > 1"),
    },
    "3.12": {"has_weights": None},
    "3.12.1": {"unsupported": first_of(**_NEVER, **_SHUFFLE, **_TURNS)},
    "4.0": {
        "epochs_key": word("num_train_epochs"),
        **{name: OF_MODEL[name] for name in _OF_MODEL},
        # the layout, where there is one, replaces the number of virtual stages
        "virtual_stages": (
            "stages(pipeline_model_parallel_layout) // pipeline_model_parallel_size", "virtual_pipeline_model_parallel_size",
        ),
        "reference_chunks": "virtual_stages",
        "unknown_layers": calculation(_unknown_layers),
        "starts_decay": ("start_weight_decay is not None", "False"),
        "ends_decay": ("end_weight_decay is not None", "False"),
        "known_backends": words("flash", "fused", "unfused", "local", "auto"),
    },
    "4.1": {
        "merges": ("merge_lora", "save_safetensors"),
        "lora_llm_lacks": first_of(merge_lora="not merges", no_save_optim="not no_save_optim"),
    },
    "4.2": {"parts_sequences": first_of(context_parallel_size="context_parallel_size > 1")},
    "4.2.1": {
        "unsupported": first_of(**_NEVER, **_TURNS),
        "known_losses": words("grpo", "bnpo", "dr_grpo", "dapo", "cispo", "sapo", "real"),
        "real_drops_scaling": "loss == 'real' and scaling != 'none'",
    },
    "4.2.2": {"known_losses": words("grpo", "bnpo", "dr_grpo", "dapo", "cispo", "sapo", "real", "fipo")},
    "4.3": {
        "unsupported": first_of(**_NEVER),
        "scheduler": "multi_turn_scheduler",
        "unknown_scheduler": "beyond([scheduler], registered_schedulers) if scheduler else nothing",
        "registered_schedulers": words("math_tip_trick", "gym_scheduler", "thinking_tips_scheduler"),
        # in the Ray layout the mode follows from the groups
        "chooses_vllm_mode": "use_vllm and has_model and has_dataset and not use_ray",
        "missing_vllm": "not use_vllm and not use_ray",
        "reward_sources": "len(reward_funcs) + (1 if adds_gym_reward else 0)",
        "server_may_reward": SHARED["server_may_reward"],
        "known_backends": words("flash", "fused", "unfused", "local", "auto", "flash_2", "flash_3", "flash_4"),
        "lora_llm_lacks": first_of(
            language_model_only="language_model_only", merge_lora="not merges", no_save_optim="not no_save_optim"
        ),
    },
    "4.4": {
        "registered_schedulers": words("math_tip_trick", "gym_scheduler", "openenv_scheduler", "thinking_tips_scheduler"),
        "distillation_refuses": first_of(**DISTILLATION),
        "asks_teacher_server": ("teacher_model_server is not None", "False"),
    },
    "4.6": {"estimator_keeps_scaling": None},
}  # fmt: skip

IDLE: "Idle" = {
    **SHARED_IDLE,
    "Megatron-SWIFT moves its weights in buckets": ("True", ("move_model_batches",)),
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
