"""What is known of the model that a wish names: a folder here, or a model of the table."""

import os

from ..frameworks.shared.models import attached
from ..launch.files import Files, read_text

# Parameters of models whose checkpoints hold weights in fewer bits: no bound of memory is claimed of them, but an engine that is fed by the
# training holds two bytes of each.
_IN_FEWER_BITS = {
    ("deepseek-ai/DeepSeek-V3", "deepseek-ai/DeepSeek-R1"): 671_026_419_200,
    ("moonshotai/Kimi-K2",): 1_026_408_232_448,
}


def files_of(model: str) -> "Files | None":
    """The config.json of a model that is a folder here; None of another one."""
    path = os.path.normpath(os.path.join(model, "config.json"))
    text = read_text(path) if "/" in model else None
    return Files("run.sh", {path: text}.get) if text else None


def facts_of(model: str) -> "dict[str, object]":
    """{operand: number} of a model."""
    return {name: each.value for name, each in attached(model, files_of(model)).items()}


def size_of(model: str, known: "dict[str, object]") -> "int | None":
    """How many parameters a model has, as far as that is known. `known`: its facts."""
    if not known:
        return None
    near = (count for names, count in _IN_FEWER_BITS.items() if model.startswith(names) and "Distill" not in model)
    count = known.get("model_parameters") or next(near, None)
    return count if type(count) is int else None
