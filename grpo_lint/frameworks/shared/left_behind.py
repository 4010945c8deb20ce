"""What becomes of a setting that another framework does not have: whether the training changes without it."""

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
}  # fmt: skip
# Parts of the last name of a path: how a run is computed, logged and kept, which is the same training in exact arithmetic.
_COMPUTED = (
    "offload", "checkpointing", "recompute", "max_token_len", "dynamic_bsz", "log_prob_micro", "log_prob_max", "remove_padding", "flash",
    "attn_impl", "num_proc", "num_workers", "tensor_parallel", "tensor_model_parallel", "pipeline_model_parallel", "context_parallel", "expert_model_parallel",
    "memory_utilization", "eager", "chunked_prefill", "max_num_seqs", "max_num_batched", "sleep", "test_freq", "save_freq", "save_period", "padding_free", "packing",
    "pin_memory", "async_save", "deepspeed", "zero_stage", "sequence_parallel", "logger", "profil", "timeout", "_port", "ddp_", "project_name", "experiment_name", "gc_collect", "eval", "validation",
)  # fmt: skip
_ENGINES = ("rollout.name", "generation.backend")  # which engine makes the rollouts


def fate(name: str, value: object, idle: "Collection[str]") -> str:
    """What becomes of a setting without a counterpart. `idle`: settings that do nothing in the run itself."""
    last = name.rpartition(".")[2].replace("-", "_")
    if name in idle or value is None or value == []:
        return NO_EFFECT
    accepted = () if value is UNKNOWN else _IMPLIED.get(last, ())
    if _ANY in accepted or any(value == each and type(value) is type(each) for each in accepted):
        return IMPLIED
    is_beside = name.replace("-", "_").startswith(BESIDE_TRAINING) or last.startswith(BESIDE_TRAINING)
    return NO_EFFECT if is_beside or _is_computed(name, last) else LOST


def _is_computed(name: str, last: str) -> bool:
    """Whether a setting says how a run is computed, logged or kept; `last`: the last name of its path."""
    is_named = last in OF_MEMORY or last.startswith("val_") or name.endswith(_ENGINES)
    return is_named or any(part in last for part in _COMPUTED)


def is_of_rewards(name: str) -> bool:
    """Whether a setting says what rewards a completion."""
    return "reward" in name or name.endswith(("external_plugins", "remote_rm_url", "rm_type", "custom_rm_path"))
