"""What a proposal needs of the memory of a GPU, as far as a lower bound of it is known."""

from ..frameworks.registry import run_template
from .named_model import facts_of, size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Plan
    from .batches import Wish

USUAL_MEMORY = 80  # GiB
_BYTES = ("weight_bytes", "gradient_bytes", "optimizer_bytes")  # of a parameter


def megabytes(plan: "Plan", wish: "Wish") -> str:
    """What a GPU holds at least: where everything shards the model that may, and where nothing does; empty where that is not known."""
    least = plan.value("training_memory")
    if type(least) is not int:
        return ""
    most = whole_model(plan) if _may_be_whole(plan, wish) else least
    return f"{least:,}" if most == least else f"{least:,} - {most:,}"


def is_beyond(plan: "Plan", wish: "Wish") -> bool:
    """Whether a model that nothing is known to shard, or the frozen weights beside adapters, are larger than a GPU."""
    largest, frozen = plan.value("largest_memory"), plan.value("frozen_memory")
    if type(largest) is not int:
        return False
    is_too_large = type(frozen) is int and frozen > largest
    return is_too_large or (_may_be_whole(plan, wish) and whole_model(plan) > largest)


def whole_model(plan: "Plan") -> int:
    """The megabytes of a model that is not sharded, with what an update needs besides; 0 where it is unknown."""
    count, sizes = plan.value("parameter_count"), [plan.value(name) for name in _BYTES]
    adapter = type(plan.value("frozen_memory")) is int
    known = [size for size in sizes[: 1 if adapter else None] if type(size) is int]
    return count * sum(known) // 1_000_000 if type(count) is int else 0


def _may_be_whole(plan: "Plan", wish: "Wish") -> bool:
    """Whether the bound holds only where something shards the model that no setting says."""
    return plan.value("may_be_spread") is True and not wish.saver.spreads and plan.value("world_size") != 1


def engine_sizes(wish: "Wish") -> "dict[str, object]":
    """The tensor parallel size of the engine with which its weights, of 2 bytes, take half of a GPU at most, as far as the model is known and
    its heads divide. Where no memory is stated, it is that of the GPUs of most published examples."""
    name, known = run_template(wish.framework).engine_size, facts_of(wish.model)
    count, heads = wish.parameters or size_of(wish.model, known), known.get("model_heads", 0)
    if not name or not count or type(heads) is not int:
        return {}
    size, half = 1, (wish.gpu_memory or USUAL_MEMORY) << 29
    while 2 * count > size * half and wish.processes % (2 * size) == 0 and heads % (2 * size) == 0:
        size *= 2
    return {name: size} if size > 1 else {}
