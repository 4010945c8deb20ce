"""What few files need to know of a tree: its sections that are left empty, and its sizes that are not one."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Catalogue, Fields


def is_left_open(name: str, fields: "Fields") -> bool:
    """Whether a key stands in a section that the tree leaves empty, for settings of something else: the model, or an engine."""
    section = fields[name.rpartition(".")[0]]
    below = f"{name.rpartition('.')[0]}."
    return section is not None and section.type == "map" and not any(each.startswith(below) for each in fields.names())


def holds_several(name: str, catalogue: "Catalogue") -> bool:
    """Whether a size of a copy is another one than 1 where nobody sets it."""
    newest = len(catalogue.releases) - 1
    found = (catalogue.fields((tree,), newest)[name] for tree in ("dp", "megatron"))
    return any(field is not None and field.default not in (None, 1) for field in found)
