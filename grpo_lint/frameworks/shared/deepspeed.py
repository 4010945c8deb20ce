"""The DeepSpeed configuration of a run, which the Hugging Face trainer under TRL and ms-swift compares with its own
arguments.

A value of "auto" there becomes the trainer's value. Any other value must equal it: the trainer collects all that
differ, and refuses them when training starts (`transformers.integrations.deepspeed`, unchanged since before TRL had a
GRPO trainer).
"""

from math import inf

from ...unknown import is_beyond
from ..base import Attached, Enforcement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..base import NamedFile, NamedFiles

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
        Enforcement(rule, since, None, "run", _WORDING.format(*keys), "when training starts, after the model is loaded")
        for rule, keys in _COMPARED.items()
    )


def attached(value: object, files: "NamedFiles | None") -> "dict[str, Attached]":
    """{operand: Attached} of the DeepSpeed configuration that the value of `deepspeed` names; empty when it cannot be
    read.

    The names of ms-swift's own configurations (zero2, zero3_offload) refer to no file: all their values are "auto".
    """
    if type(value) is not str or not value.strip():
        return {}
    file: NamedFile | None = None
    if value.lstrip()[:1] == "{":
        path, text = "", value
    else:
        file = files.find(value) if files else None
        if not file:
            return {}
        path, text = file.path, file.text
    settings = _parsed(text)
    found = {operand: _look_up(settings, key) for operand, key in KEYS.items()}
    return {
        operand: Attached(
            KEYS[operand], value, f"{path}, line {_line_of(text, KEYS[operand])}" if path else "deepspeed", file
        )
        for operand, value in found.items()
        if type(value) in (bool, int, float, str)
        and value != "auto"
        and not is_beyond(value)
        and value not in (inf, -inf)
        and value == value
    }


def _parsed(text: str) -> "dict[str, Any]":
    import json  # loaded only for runs with such a file

    try:
        settings = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return settings if isinstance(settings, dict) else {}


def _look_up(settings: object, path: str) -> object:
    for key in path.split("."):
        settings = settings.get(key) if isinstance(settings, dict) else None
    return settings


def _line_of(text: str, path: str) -> int:
    """The line of the last key of a dotted path, found below the keys before it."""
    import re

    position = 0
    for key in path.split("."):
        match = re.compile(rf'"{re.escape(key)}"\s*:').search(text, position)
        position = match.start() if match else position
    return text.count("\n", 0, position) + 1
