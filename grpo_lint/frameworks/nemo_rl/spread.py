"""How NeMo-RL spreads a copy of a model over processes: DTensor, which shards the copies as well, or Megatron."""

from ...message import NOTHING, Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Key, Mapping, Shape

BACKENDS = _DTENSOR, _MEGATRON = "dtensor", "megatron"
_CONTEXT_SINCE, _MEGATRON_SINCE = (0, 3), (0, 4)  # the releases whose example has the settings of each


def settings(shape: "Shape", key: "Key") -> "dict[str, object] | None":
    """With Megatron where it is asked for, or where a size is one that only it has; else with DTensor. None where a release has
    neither."""
    if why_not(shape, key, {}):
        return None
    if shape.backend == _MEGATRON or max(shape.pipeline, shape.expert) > 1:
        return _with_megatron(shape)
    sizes = {"tensor": shape.tensor, "context": shape.context}
    found: dict[str, object] = {
        f"policy.dtensor_cfg.{kind}_parallel_size": size for kind, size in sizes.items() if size > 1
    }
    return {**found, "policy.sequence_packing.enabled": False} if shape.context > 1 else found


def _with_megatron(shape: "Shape") -> "dict[str, object]":
    """Lengths are padded to what tensor and context parallel cut them into, and context parallel needs packed sequences; experts under
    tensor parallel need sequence parallel."""
    sizes = {
        "tensor_model": shape.tensor,
        "pipeline_model": shape.pipeline,
        "context": shape.context,
        "expert_model": shape.expert,
    }
    pieces = shape.tensor * (2 * shape.context if shape.context > 1 else 1)
    section = "policy.megatron_cfg"
    return {
        "policy.dtensor_cfg.enabled": False,
        f"{section}.enabled": True,
        **{f"{section}.{kind}_parallel_size": size for kind, size in sizes.items() if size > 1},
        **({f"{section}.sequence_parallel": True} if shape.tensor > 1 else {}),
        **({"policy.make_sequence_length_divisible_by": pieces} if pieces > 1 else {}),
        **({"policy.sequence_packing.enabled": True} if shape.context > 1 else {}),
    }  # fmt: skip


def why_not(shape: "Shape", key: "Key", release: "Mapping[str, object]") -> Message:
    """Why a release cannot have a shape."""
    of_megatron = max(shape.pipeline, shape.expert) > 1
    if shape.backend == _DTENSOR and of_megatron:
        return Message("DTensor has no pipeline or expert parallel training: --backend megatron has")
    version = {"version": release.get("version", "")}
    if key < _MEGATRON_SINCE and (of_megatron or shape.backend == _MEGATRON):
        return Message("NeMo-RL's example for one model has Megatron since 0.4, and this is {version}", version)
    if key < _CONTEXT_SINCE and shape.context > 1:
        return Message("context parallel came with 0.3, and this is {version}", version)
    return NOTHING
