"""How many layers each pipeline stage has, where those of the model do not divide over the stages."""

from ..frameworks.shared.parallel_names import cut
from ..message import NOTHING, Message
from .named_model import facts_of


def ends_of(model: str, stages: int) -> "tuple[int, int]":
    """Layers of the first and the last stage of a model by its exact name; 0 where a stage has as many as those between, or the model is not known."""
    return cut(_layers(model), stages)


def why_not_cut(model: str, stages: int) -> Message:
    """Why a model cannot be cut into so many stages by the layers of its first and last one; empty where it can, or is not known."""
    layers = _layers(model)
    if layers % max(stages, 1) == 0 or any(cut(layers, stages)):
        return NOTHING
    told = {"layers": layers, "model": model, "stages": stages, "most": -(-layers // stages)}
    return Message(
        "the {layers} layers of {model} leave nothing for the first or the last of {stages} pipeline stages when those between have {most} each",
        told,
    )


def _layers(model: str) -> int:
    known = facts_of(model).get("model_layers", 0)
    return known if type(known) is int else 0
