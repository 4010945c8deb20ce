"""How Megatron-SWIFT accepts values, as a JSON Schema says it: as ms-swift does, and from 4.3 on in the layout of Ray as well."""

from ....message import Message
from ...schema import KINDS, titled
from ..schema import Flags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ....shared_types import Schema

_RAY_SINCE = (4, 3)


class FlagsOrRay(Flags):
    def launch_keys(self) -> "dict[str, Schema]":
        return {**super().launch_keys(), **(_ray_keys() if self.release.key >= _RAY_SINCE else {})}

    def definitions(self, properties: "dict[str, Schema]") -> "dict[str, Schema]":
        """With what a section of the Ray layout holds: its GPUs, and any field of the file. Settings that its engine does not know are
        dropped."""
        found = super().definitions(properties)
        if self.release.key < _RAY_SINCE:
            return found
        gpus = {
            "title": titled("gpus", KINDS["int"]),
            "description": Message("GPUs of this section, over all nodes."),
            "$ref": "#/$defs/int",
        }
        fields = {name: {"$ref": f"#/properties/{name}"} for name in properties if self.release.fields[name]}
        section = {"type": "object", "properties": {"gpus": gpus, **fields}}
        return {**found, "section": {**section, "additionalProperties": False}, "open-section": section}


def _ray_keys() -> "dict[str, Schema]":
    roles = {
        "train": Message("Ray layout: the GPUs of training, and settings that hold for it alone."),
        "rollout": Message("Ray layout: the GPUs of generation, and settings that hold for it alone."),
        "teacher": Message("Ray layout: the GPUs of the teacher model, and settings that hold for it alone."),
    }
    sections = {
        name: {
            "title": titled(name, KINDS["dict"]),
            "description": about,
            "$ref": f"#/$defs/{'section' if name == 'train' else 'open-section'}",
        }
        for name, about in roles.items()
    }
    return {
        **sections,
        "colocate_groups": {
            "title": titled("colocate_groups", Message("list of lists")),
            "description": Message(
                "Ray layout: sections that share their GPUs, such as [[train, rollout]]; all of a group have as many."
            ),
            "type": "array",
            "items": {"type": "array", "items": {"enum": list(roles)}, "minItems": 2},
        },
        "nnodes": {
            "title": titled("nnodes", KINDS["int"]),
            "description": Message("Ray layout: nodes over which the GPUs of a section are spread evenly."),
            "$ref": "#/$defs/int",
            "default": 1,
        },
    }


KIND = FlagsOrRay
