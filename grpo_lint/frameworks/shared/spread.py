"""How a copy of a model is spread over processes by trainers that shard it with ZeRO or FSDP, and why one cannot."""

from ...message import NOTHING, Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Key, Mapping, Shape


def settings(shape: "Shape", key: "Key") -> "dict[str, object] | None":
    """The settings of a way that has none; None where it would need some."""
    return {} if shape.ranks == shape.processes and shape.expert == 1 else None


def why_not(shape: "Shape", key: "Key", release: "Mapping[str, object]") -> Message:
    """Why a trainer that shards the copy of each rank cannot have a shape; `release`: its title and version."""
    if max(shape.tensor, shape.pipeline, shape.expert) > 1:
        return Message(
            "{title} {version} is planned with FSDP alone, without tensor, pipeline and expert parallel", release
        )
    return NOTHING


def why_not_spread(shape: "Shape", title: str, version: str, parts: bool) -> Message:
    """Why a trainer that counts passes cannot have a shape; `parts`: whether it spreads sequences over processes."""
    told = {"title": title, "version": version}
    if max(shape.tensor, shape.pipeline, shape.expert) > 1:
        return Message(
            "in {title} {version} each process is a data-parallel rank with the whole model, sharded by ZeRO or FSDP: it has no tensor, pipeline "
            "or expert parallel training",
            told,
        )
    if shape.context > 1 and not parts:
        return Message(
            "{title} {version} trains each sequence on one process: GRPO has no context parallel there", told
        )
    return NOTHING
