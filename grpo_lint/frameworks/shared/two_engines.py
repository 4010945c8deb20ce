"""How a framework with two training engines spreads a copy of a model over processes: one shards the copies, the other has stages and experts."""

from ...message import NOTHING, Message
from ...record import Record
from .megatron_rules import ends_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Key, Mapping, Shape


class TwoEngines(Record):
    """The two engines of a framework, the one that shards first.

    names, titles    as `--backend` has them, and as people write them
    sections         those of their sizes
    switches         the settings that choose the second one
    padded           the setting of the number of which each length is a multiple
    packed           the setting that packs sequences: context parallel wants it off with the first one, and on with the second
    since            the releases whose example has context parallel, and the second one
    """

    names: "tuple[str, str]"
    titles: "tuple[str, str]"
    sections: "tuple[str, str]"
    switches: "Mapping[str, object]"
    padded: str
    packed: str
    since: "tuple[Key, Key]"

    def settings(self, shape: "Shape", key: "Key") -> "dict[str, object] | None":
        """With the second one where it is asked for, or where a size is one that only it has. None where a release has neither."""
        if self.why_not(shape, key, {}):
            return None
        by_second = shape.backend == self.names[1] or _has_stages(shape)
        found = self._in_stages(shape) if by_second else self._sharded(shape)
        return {**found, self.packed: by_second} if shape.context > 1 else found

    def _sharded(self, shape: "Shape") -> "dict[str, object]":
        sizes = {"tensor": shape.tensor, "context": shape.context}
        return {f"{self.sections[0]}.{kind}_parallel_size": size for kind, size in sizes.items() if size > 1}

    def _in_stages(self, shape: "Shape") -> "dict[str, object]":
        """Tensor and context parallel cut each sequence into equal pieces; experts under tensor parallel need sequence parallel."""
        sizes = {
            "tensor_model": shape.tensor,
            "pipeline_model": shape.pipeline,
            "context": shape.context,
            "expert_model": shape.expert,
        }
        pieces = shape.tensor * (2 * shape.context if shape.context > 1 else 1)
        return {
            **self.switches,
            **{f"{self.sections[1]}.{kind}_parallel_size": size for kind, size in sizes.items() if size > 1},
            **shape.sizes_of_ends(*ends_in(self.sections[1])),
            **shape.sharers_of_experts(f"{self.sections[1]}.expert_tensor_parallel_size", 1),
            **({f"{self.sections[1]}.sequence_parallel": True} if shape.tensor > 1 else {}),
            **({self.padded: pieces} if pieces > 1 else {}),
        }  # fmt: skip

    def why_not(self, shape: "Shape", key: "Key", release: "Mapping[str, object]") -> Message:
        """Why a release cannot have a shape."""
        told = {"version": release.get("version", ""), "first": self.titles[0], "second": self.titles[1]}
        if shape.backend == self.names[0] and _has_stages(shape):
            told["name"] = self.names[1]
            return Message("{first} has no pipeline or expert parallel training: --backend {name} has", told)
        if key < self.since[1] and (shape.backend == self.names[1] or _has_stages(shape)):
            told["since"] = _shown(self.since[1])
            return Message("its example has {second} since {since}, and this is {version}", told)
        if key < self.since[0] and shape.context > 1:
            told["since"] = _shown(self.since[0])
            return Message("context parallel came with {since}, and this is {version}", told)
        return NOTHING


def _has_stages(shape: "Shape") -> bool:
    return max(shape.pipeline, shape.expert) > 1


def _shown(key: "Key") -> str:
    return ".".join(map(str, key))
