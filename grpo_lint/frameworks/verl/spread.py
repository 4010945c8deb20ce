"""How verl spreads a copy of a model over processes: FSDP with Ulysses for sequences, or Megatron."""

from ...message import NOTHING, Message
from ..shared.megatron_rules import ENDS_OF_ACTOR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Key, Mapping, Shape

BACKENDS = _FSDP, _MEGATRON = "fsdp", "megatron"
_ACTOR = "actor_rollout_ref.actor"
_SECTIONS = (_ACTOR, "actor_rollout_ref.ref")  # until 0.7 the second one does not follow the first
_ULYSSES = "actor_rollout_ref.actor.ulysses_sequence_parallel_size"


def settings(shape: "Shape", key: "Key") -> "dict[str, object] | None":
    """With Megatron where it is asked for, or where a size is one that only it has; else with FSDP and Ulysses. None where a
    release has neither."""
    if why_not(shape, key, {}):
        return None
    if shape.backend != _MEGATRON and max(shape.tensor, shape.pipeline, shape.expert) == 1:
        return (
            {"actor_rollout_ref.model.use_remove_padding": True, _ULYSSES: shape.context} if shape.context > 1 else {}
        )
    sizes = {
        "tensor_model_parallel_size": shape.tensor,
        "pipeline_model_parallel_size": shape.pipeline,
        "context_parallel_size": shape.context,
        "expert_model_parallel_size": shape.expert,
    }
    # tensor parallel was 4 by default until 0.3
    written = {name: size for name, size in sizes.items() if size > 1 or name == "tensor_model_parallel_size"}
    # else experts are as tensor parallel as the rest, and need so many times the processes
    experts = shape.sharers_of_experts("expert_tensor_parallel_size", shape.tensor)
    chosen: dict[str, object] = {"--config-name": "ppo_megatron_trainer"}
    if any(shape.ends):
        chosen.update(_uneven(shape, key))
    for section in _SECTIONS:
        chosen.update({f"{section}.megatron.{name}": size for name, size in (written | experts).items()})
    return chosen


def _uneven(shape: "Shape", key: "Key") -> "dict[str, object]":
    """Stages with layers of their own. Without the bridge, which has been on since 0.7, the weights are refused when they are loaded."""
    bridge: dict[str, object] = {f"{_ACTOR}.megatron.use_mbridge": True} if key < (0, 7) else {}
    return bridge | {f"+{name}": size for name, size in shape.sizes_of_ends(*ENDS_OF_ACTOR).items()}


def why_not(shape: "Shape", key: "Key", release: "Mapping[str, object]") -> Message:
    """Why a release cannot have a shape."""
    of_megatron = max(shape.tensor, shape.pipeline, shape.expert) > 1
    if shape.backend == _FSDP and of_megatron:
        return Message("FSDP has no tensor, pipeline or expert parallel training: --backend megatron has")
    if key < (0, 4) and (shape.expert > 1 or (shape.context > 1 and (of_megatron or shape.backend == _MEGATRON))):
        version = {"version": release.get("version", "")}
        return Message("context and expert parallel with Megatron came with 0.4, and this is {version}", version)
    if key < (0, 5) and any(shape.ends):
        version = {"version": release.get("version", ""), "stages": shape.pipeline}
        return Message(
            "{version} loads weights only where the layers divide over the {stages} pipeline stages: use_mbridge, which loads others, "
            "came with 0.5",
            version,
        )
    return NOTHING
