"""The DeepSpeed configuration of a run, which the Hugging Face trainer under TRL and ms-swift compares with its own
arguments.

A value of "auto" there becomes the trainer's value. Any other value must equal it: the trainer collects all that
differ, and refuses them when training starts (`transformers.integrations.deepspeed`, unchanged since before TRL had a
GRPO trainer).
"""

from math import inf

from ...message import Message
from ...unknown import is_beyond
from ..base import Attached
from ..by_release import Enforcement
from .json_files import PRESETS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
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
        Enforcement(
            rule, since, None, "run", _WORDING.format(*keys), Message("when training starts, after the model is loaded")
        )
        for rule, keys in _COMPARED.items()
    )


def attached(value: object, files: "NamedFiles | None") -> "dict[str, Attached]":
    """{operand: Attached} of the DeepSpeed configuration that the value of `deepspeed` names; empty when it cannot be
    read.

    The names of ms-swift's own configurations (zero2, zero3_offload) refer to no file: all their other values are "auto".
    """
    if type(value) is not str or not value.strip():
        return {}
    if value in PRESETS:
        return _sharding(int(value[4]), "offload" in value, value)
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
    devices = [_look_up(settings, f"zero_optimization.offload_{part}.device") for part in ("optimizer", "param")]
    sharding = _sharding(
        _look_up(settings, "zero_optimization.stage"), any(map(_is_offload, devices)), path or "deepspeed"
    )
    return sharding | {
        operand: Attached(
            KEYS[operand],
            value,
            Message("{source}, line {line}", {"source": path, "line": _line_of(text, KEYS[operand])})
            if path
            else "deepspeed",
            file,
        )
        for operand, value in found.items()
        if type(value) in (bool, int, float, str)
        and value != "auto"
        and not is_beyond(value)
        and value not in (inf, -inf)
        and value == value
    }


def _sharding(stage: object, offloads: bool, place: str) -> "dict[str, Attached]":
    """How ZeRO spreads the states of training; empty where the stage is none of ZeRO's."""
    if type(stage) is not int or not 0 <= stage <= 3:
        return {}
    found = {"zero_stage": Attached("zero_optimization.stage", stage, place)}
    return found | ({"zero_offloads": Attached("zero_optimization.offload_optimizer", True, place)} if offloads else {})


def _is_offload(device: object) -> bool:
    return device not in (None, "none")


# operand -> key of the section deepspeed_config in a file for accelerate
_OF_ACCELERATE = {"deepspeed_accumulation": "gradient_accumulation_steps", "deepspeed_clipping": "gradient_clipping"}
_FILE = "deepspeed_config_file"


def of_launcher(
    settings: "Mapping[str, object]", launcher: "NamedFile", files: "NamedFiles | None"
) -> "dict[str, Attached]":
    """{operand: Attached} of the DeepSpeed configuration that a file for accelerate makes or names, where the run has none of
    its own. transformers compares it in the same way."""
    section = settings.get("deepspeed_config")
    if settings.get("distributed_type") in ("NO", "MULTI_GPU"):
        return {"unsharded": Attached("distributed_type", True, launcher.path)}
    if settings.get("distributed_type") != "DEEPSPEED" or not isinstance(section, dict):
        return {}
    if section.get(_FILE) is None:
        devices = [section.get(f"offload_{part}_device") for part in ("optimizer", "param")]
        return _sharding(section.get("zero_stage"), any(map(_is_offload, devices)), launcher.path) | {
            operand: Attached(
                key,
                section[key],
                Message("{source}, line {line}", {"source": launcher.path, "line": _line_in_yaml(launcher.text, key)}),
                launcher,
            )
            for operand, key in _OF_ACCELERATE.items()
            if _counts(section.get(key))
        }
    file = files.find(section[_FILE]) if files and type(section[_FILE]) is str else None
    if file is None or not _parsed(file.text):
        return {}
    found = attached(section[_FILE], files)
    key = KEYS["deepspeed_accumulation"]
    if key not in _parsed(file.text):  # accelerate fills in what is not there
        found["deepspeed_accumulation"] = Attached(key, 1, f"{file.path}, which leaves it to accelerate", file)
    return found


def _counts(value: object) -> bool:
    return type(value) in (int, float) and not is_beyond(value) and value not in (inf, -inf) and value == value


def _line_in_yaml(text: str, key: str) -> int:
    """The line of the first key of this name."""
    lines = enumerate(text.splitlines(), 1)
    return next((number for number, line in lines if line.lstrip().startswith(f"{key}:")), 1)


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
