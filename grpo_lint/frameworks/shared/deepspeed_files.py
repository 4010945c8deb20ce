"""What the DeepSpeed configuration of a run says: loaded where a run has one."""

from math import inf

from ...message import Message
from ...unknown import UNKNOWN, is_beyond
from ..base import Attached
from .deepspeed import KEYS
from .json_kinds import PRESETS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ..protocols import NamedFile, NamedFiles

_UNREAD = {"zero_offloads": Attached("zero_optimization.offload_optimizer", UNKNOWN, "deepspeed")}
_NOT_HERE = {"zero_offloads": Attached("config_file", UNKNOWN, "accelerate launch")}


def attached(value: object, files: "NamedFiles | None") -> "dict[str, Attached]":
    """{operand: Attached} of the DeepSpeed configuration that the value of `deepspeed` names; whether it offloads is unknown
    where it cannot be read.

    The names of ms-swift's own configurations (zero2, zero3_offload) refer to no file: all their other values are "auto".
    """
    if type(value) is not str or not value.strip():
        return _UNREAD if isinstance(value, dict) else {}
    if value in PRESETS:
        return _sharding(int(value[4]), "offload" in value, value)
    file: NamedFile | None = None
    if value.lstrip()[:1] == "{":
        path, text = "", value
    else:
        file = files.find(value) if files else None
        if not file:
            return _UNREAD
        path, text = file.path, file.text
    settings = _parsed(text)
    devices = [_look_up(settings, f"zero_optimization.offload_{part}.device") for part in ("optimizer", "param")]
    stage = _look_up(settings, "zero_optimization.stage")
    return _sharding(stage, any(map(_is_offload, devices)), path or "deepspeed") | {
        operand: _compared(KEYS[operand], found, path, text, file)
        for operand, key in KEYS.items()
        if _is_compared(found := _look_up(settings, key))
    }


def _compared(key: str, value: object, path: str, text: str, file: "NamedFile | None") -> Attached:
    if not path:
        return Attached(key, value, "deepspeed", file)
    return Attached(key, value, Message("{source}, line {line}", {"source": path, "line": _line_of(text, key)}), file)


def _is_compared(value: object) -> bool:
    """Whether a value is one of its own, which the trainer's has to equal."""
    return (type(value) is str and value != "auto") or type(value) is bool or _counts(value)


def _sharding(stage: object, offloads: bool, place: str) -> "dict[str, Attached]":
    """How ZeRO spreads the states of training; empty where the stage is none of ZeRO's."""
    if type(stage) is not int or not 0 <= stage <= 3:
        return {}
    found = {"zero_stage": Attached("zero_optimization.stage", stage, place)}
    return found | ({"zero_offloads": Attached("zero_optimization.offload_optimizer", True, place)} if offloads else {})


def _precision(name: object, path: str) -> "dict[str, Attached]":
    return {"zero_in_half": Attached("mixed_precision", True, path)} if name in ("bf16", "fp16") else {}


def _of_fsdp(section: object, path: str) -> "dict[str, Attached]":
    if isinstance(section, dict) and section.get("fsdp_offload_params") is True:
        return {"zero_offloads": Attached("fsdp_offload_params", True, path)}
    return {"seen_sharding": Attached("distributed_type", True, path)}


def _is_offload(device: object) -> bool:
    return device not in (None, "none")


# operand -> key of the section deepspeed_config in a file for accelerate
_OF_ACCELERATE = {"deepspeed_accumulation": "gradient_accumulation_steps", "deepspeed_clipping": "gradient_clipping"}
_FILE = "deepspeed_config_file"


def of_launcher(
    settings: "Mapping[str, object]", launcher: "NamedFile | None", files: "NamedFiles | None"
) -> "dict[str, Attached]":
    """{operand: Attached} of the DeepSpeed configuration that a file for accelerate makes or names, where the run has none of
    its own. transformers compares it in the same way. A file that is not here may offload."""
    if launcher is None:
        return _NOT_HERE
    section = settings.get("deepspeed_config")
    if settings.get("distributed_type") in ("NO", "MULTI_GPU"):
        return {"unsharded": Attached("distributed_type", True, launcher.path)}
    if settings.get("distributed_type") == "FSDP":
        return _of_fsdp(settings.get("fsdp_config"), launcher.path)
    if settings.get("distributed_type") != "DEEPSPEED" or not isinstance(section, dict):
        return {}
    if section.get(_FILE) is None:
        devices = [section.get(f"offload_{part}_device") for part in ("optimizer", "param")]
        found = _sharding(section.get("zero_stage"), any(map(_is_offload, devices)), launcher.path)
        return (
            found
            | _precision(settings.get("mixed_precision"), launcher.path)
            | {
                operand: Attached(
                    key,
                    section[key],
                    Message(
                        "{source}, line {line}", {"source": launcher.path, "line": _line_in_yaml(launcher.text, key)}
                    ),
                    launcher,
                )
                for operand, key in _OF_ACCELERATE.items()
                if _counts(section.get(key))
            }
        )
    file = files.find(section[_FILE]) if files and type(section[_FILE]) is str else None
    if file is None or not _parsed(file.text):
        return _UNREAD
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
