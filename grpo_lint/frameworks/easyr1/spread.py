"""How EasyR1 spreads a copy of a model over processes: FSDP, and Ulysses for sequences."""

from ..shared.spread import why_not

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Key, Shape

__all__ = ("settings", "why_not")
_RENAMED = (0, 3, 1)  # the first release with the shorter name


def settings(shape: "Shape", key: "Key") -> "dict[str, object] | None":
    """The settings of a way; None where there is none."""
    if why_not(shape, key, {"title": "", "version": ""}):
        return None
    name = "ulysses_size" if key >= _RENAMED else "ulysses_sequence_parallel_size"
    return {f"worker.actor.{name}": shape.context} if shape.context > 1 else {}
