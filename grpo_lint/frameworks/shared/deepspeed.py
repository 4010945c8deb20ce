"""The DeepSpeed configuration of a run, which the Hugging Face trainer under TRL and ms-swift compares with its own
arguments.

A value of "auto" there becomes the trainer's value. Any other value must equal it: the trainer collects all that
differ, and refuses them when training starts (`transformers.integrations.deepspeed`, unchanged since before TRL had a
GRPO trainer).
"""

from ...message import Message
from ..base import Attached
from ..by_release import Enforcement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..protocols import NamedFile, NamedFiles

# operand of the rules -> key of the DeepSpeed configuration
KEYS = {
    "deepspeed_micro_batch": "train_micro_batch_size_per_gpu",
    "deepspeed_accumulation": "gradient_accumulation_steps",
    "deepspeed_batch": "train_batch_size",
    "deepspeed_clipping": "gradient_clipping",
    "deepspeed_learning_rate": "optimizer.params.lr",
    "deepspeed_weight_decay": "optimizer.params.weight_decay",
    "deepspeed_epsilon": "optimizer.params.eps",
    "deepspeed_peak_rate": "scheduler.params.warmup_max_lr",
    "deepspeed_fp16": "fp16.enabled",
    "deepspeed_bf16": "bf16.enabled",
}

_WORDING = "Please correct the following DeepSpeed config values that mismatch TrainingArguments values: - ds {}=... vs hf {}=..."
_COMPARED = {
    "deepspeed-micro-batch-agrees": ("train_micro_batch_size_per_gpu", "per_device_train_batch_size"),
    "deepspeed-accumulation-agrees": ("gradient_accumulation_steps", "gradient_accumulation_steps"),
    "deepspeed-batch-agrees": ("train_batch_size", "train_batch_size (calculated)"),
    "deepspeed-clipping-agrees": ("gradient_clipping", "max_grad_norm"),
    "deepspeed-learning-rate-agrees": ("optimizer.params.lr", "learning_rate"),
    "deepspeed-weight-decay-agrees": ("optimizer.params.weight_decay", "weight_decay"),
    "deepspeed-epsilon-agrees": ("optimizer.params.eps", "adam_epsilon"),
    "deepspeed-peak-rate-agrees": ("scheduler.params.warmup_max_lr", "learning_rate"),
    "deepspeed-half-precision-agrees": ("fp16.enabled", "fp16|fp16_full_eval"),
    "deepspeed-brain-float-agrees": ("bf16.enabled", "bf16|bf16_full_eval"),
}


def rows(since: str) -> "tuple[Enforcement, ...]":
    """The rows of a framework's versions from `since` on for values that differ."""
    return tuple(
        Enforcement(
            rule, since, None, "run", _WORDING.format(*keys), Message("when training starts, after the model is loaded")
        )
        for rule, keys in _COMPARED.items()
    )


def attached(value: object, files: "NamedFiles | None") -> "dict[str, Attached]":
    """{operand: Attached} of the DeepSpeed configuration that the value of `deepspeed` names."""
    from . import deepspeed_files  # only runs with one need it

    return deepspeed_files.attached(value, files)


def of_launcher(
    settings: "Mapping[str, object]", launcher: "NamedFile | None", files: "NamedFiles | None"
) -> "dict[str, Attached]":
    """{operand: Attached} of what a file for accelerate says of DeepSpeed."""
    from . import deepspeed_files

    return deepspeed_files.of_launcher(settings, launcher, files)


def of_starter(starter: str, variables: "Mapping[str, object]") -> "dict[str, Attached]":
    """That each process holds a copy of its own, where a program starts several of them and reads no file for accelerate; a variable may
    ask for FSDP."""
    if starter == "python" or "ACCELERATE_USE_FSDP" in variables:
        return {}
    return {"unsharded": Attached(starter, True, starter)}
