"""What is taken for granted where the memory of a GPU is compared with what a run holds in it."""

from ..message import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Iterator, Launch, Plan, Sequence


def assumed_of_memory(launch: "Launch", plan: "Plan", starters: "Sequence[str]") -> "Iterator[tuple[str, str]]":
    """What may leave less in the memory of a GPU than the settings say; `starters`: the programs that read no file of accelerate."""
    if not launch.is_read_by_the_framework:
        yield "loader", Message("your own training script may train less of the model, or hold less of it")
    is_seen = any(plan.value(name) is True for name in ("is_zero", "is_unsharded", "sharding_is_seen"))
    starter = launch.origin.invocation.starter if launch.origin else ""
    if not is_seen and starter not in starters:
        yield "launcher", Message("a default file of accelerate may move states to the host")
    may_share = "devices_per_process" in plan.formulas and "visible_devices" not in launch.facts
    if may_share and plan.value("is_unsharded") is True and _fits_shared_out(plan):
        yield "visible_devices", Message("assuming one device for each process, not several that share its copy")


def _fits_shared_out(plan: "Plan") -> bool:
    """Whether the GPUs would hold the run, if as many devices shared each copy as there are processes."""
    least, largest, processes = (plan.value(name) for name in ("training_memory", "largest_memory", "world_size"))
    if type(least) is not int or type(largest) is not int or type(processes) is not int:
        return True
    return least // processes <= largest
