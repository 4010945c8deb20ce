"""What becomes of a setting that another framework does not have: whether the training changes without it."""

from ...message import NOTHING, Message
from ...unknown import UNKNOWN
from ..roles import BESIDE_TRAINING, OF_MEMORY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Collection

LOST, IMPLIED, NO_EFFECT = "lost", "implied", "no effect"
REWARDS = "rewards"  # what is said of them has this name
FATES = (LOST, IMPLIED, NO_EFFECT)  # the worst first

_ANY = object()
# {the end of a path: values with which the other framework does the same without being told}
_IMPLIED: "dict[str, tuple[object, ...]]" = {
    **dict.fromkeys(("rlhf_type", "rlhf-type"), (_ANY,)),
    **dict.fromkeys(("train_type", "tuner_type"), ("full", "lora")),  # the rank of an adapter says so elsewhere
    **dict.fromkeys(("bf16", "use_vllm", "load_safetensors", "save_safetensors", "use_distributed_optimizer"), (True,)),
    **dict.fromkeys(("torch_dtype", "dtype", "precision"), ("bfloat16", "bf16")),
    **dict.fromkeys(("fp16", "load_in_4bit", "load_in_8bit", "dynamic_sample", "streaming", "padding_free"), (False,)),
    "vllm_mode": ("colocate",),
    "model_type": (_ANY,),  # the config of the model says it
    "scale_rewards": (True, "group"),
    "loss_scale": ("default",),
    "adv_estimator": ("grpo",),
    "eval_strategy": ("no",),
    # what a model that is trained from its checkpoint has anyway
    "finetune": (True,),
    **dict.fromkeys(("attention_dropout", "hidden_dropout", "entropy_coef", "entropy_coeff", "moe_aux_loss_coeff"), (0.0,)),
    "optimizer": ("adam", "adamw"),
    **dict.fromkeys(("min_lr", "min_lr_ratio"), (0, 0.0)),
    "apply_chat_template": (True,),
    **dict.fromkeys(("kl_loss_type", "kl_penalty", "estimator", "kl_estimator", "reference_policy_kl_type"), ("k3", "low_var_kl")),
    "ref_load": (_ANY,),  # the model at its start
}  # fmt: skip
# Flags of Megatron that say what a model is, as the scripts of slime's models list them: elsewhere its own config does.
_OF_THE_MODEL = frozenset(
    """
    swiglu num_layers hidden_size ffn_hidden_size num_attention_heads group_query_attention num_query_groups kv_channels qk_layernorm
    use_rotary_position_embeddings position_embedding_type no_position_embedding rotary_base rotary_percent rotary_interleaved
    rotary_scaling_factor use_rope_scaling rope_scaling_factor max_position_embeddings disable_bias_linear add_bias_linear add_qkv_bias
    normalization norm_epsilon apply_layernorm_1p vocab_size padded_vocab_size make_vocab_size_divisible_by
    untie_embeddings_and_output_weights num_experts moe_router_topk moe_router_score_function moe_router_pre_softmax
    moe_router_enable_expert_bias moe_router_num_groups moe_router_group_topk moe_router_topk_scaling_factor moe_layer_freq
    moe_ffn_hidden_size moe_shared_expert_intermediate_size moe_shared_expert_gate multi_latent_attention q_lora_rank kv_lora_rank
    qk_head_dim qk_pos_emb_head_dim v_head_dim mscale mscale_all_dim attention_output_gate use_gated_attention post_self_attn_layernorm
    post_mlp_layernorm spec seq_length
    """.split()
)
# Parts of the last name of a path: how a run is computed, logged and kept, which is the same training in exact arithmetic.
_COMPUTED = (
    "offload", "checkpointing", "recompute", "max_token_len", "dynamic_bsz", "log_prob_micro", "log_prob_max", "remove_padding", "flash",
    "attn_impl", "num_proc", "num_workers", "tensor_parallel", "tensor_model_parallel", "pipeline_model_parallel", "context_parallel", "expert_model_parallel",
    "memory_utilization", "eager", "chunked_prefill", "max_num_seqs", "max_num_batched", "sleep", "test_freq", "save_freq", "save_period", "padding_free", "packing",
    "pin_memory", "fusion", "grouped_gemm", "dispatcher", "deepep", "overlap", "in_fp32", "attention_backend", "virtual_pipeline", "cuda_graph",
    "precision_aware", "distributed_optimizer", "mem_fraction", "balance_batch", "balance_data", "dynamic_batch", "tokens_per_gpu", "async_save", "deepspeed", "zero_stage", "sequence_parallel", "logger", "profil", "timeout", "_port", "ddp_", "project_name", "experiment_name", "gc_collect", "eval", "validation",
)  # fmt: skip
_ENGINES = ("rollout.name", "generation.backend")  # which engine makes the rollouts


def fate(name: str, value: object, idle: "Collection[str]") -> str:
    """What becomes of a setting without a counterpart. `idle`: settings that do nothing in the run itself."""
    last = name.rpartition(".")[2].replace("-", "_")
    if name in idle or value is None or value == []:
        return NO_EFFECT
    if last in _OF_THE_MODEL:
        return IMPLIED
    value = (
        {"true": True, "false": False}.get(value, value) if type(value) is str else value
    )  # of a name that is not known
    accepted = () if value is UNKNOWN else _IMPLIED.get(last, ())
    if _ANY in accepted or any(value == each and type(value) is type(each) for each in accepted):
        return IMPLIED
    is_beside = name.replace("-", "_").startswith(BESIDE_TRAINING) or last.startswith(BESIDE_TRAINING)
    return NO_EFFECT if is_beside or _is_computed(name, last) else LOST


def why_implied(name: str) -> Message:
    """Why the other framework does so anyway, where that is not plain."""
    last = name.rpartition(".")[2].replace("-", "_")
    if last in _OF_THE_MODEL:
        return Message("it is read from the config of the model")
    return Message("the model at its start is the reference") if last == "ref_load" else NOTHING


def _is_computed(name: str, last: str) -> bool:
    """Whether a setting says how a run is computed, logged or kept; `last`: the last name of its path."""
    is_named = last in OF_MEMORY or last.startswith("val_") or name.endswith(_ENGINES)
    return is_named or any(part in last for part in _COMPUTED)


def is_of_rewards(name: str) -> bool:
    """Whether a setting says what rewards a completion."""
    return "reward" in name or name.endswith(("external_plugins", "remote_rm_url", "rm_type", "custom_rm_path"))
