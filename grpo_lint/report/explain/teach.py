"""`explain --teach`: what the kinds of parallelism are, and the loop of the run, with its own numbers."""

from ...frameworks.shared.parallel_names import PARALLEL, SEQUENCES, sizes_of
from ...message import Message
from .answer import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Iterator, ShownPlan


def kinds(plan: "ShownPlan", framework: str) -> "Iterator[Message]":
    """A paragraph for each kind of parallelism, and behind it what this run has of it."""
    sizes = sizes_of(framework, plan.value)
    told = {"processes": _or_n(plan, "world_size"), "ranks": _or_n(plan, "dp_size"), "group": _or_n(plan, "group_size")}
    yield Message(
        "Data parallel (DP): copies of the model learn side by side, each from its own part of a batch. Their gradients are averaged at each update. "
        "Here {processes} processes are {ranks} data-parallel ranks. ZeRO and FSDP shard the copies and leave the ranks as they are.",
        told,
    )
    yield Message(
        "Tensor parallel (TP): the matrices of a layer are cut up over processes, which talk to each other in every layer. It is for layers too large "
        "for one GPU, within a node, and has to divide the attention heads. It halves the ranks when it doubles."
    )
    yield from _here(framework, "tensor", sizes)
    yield Message(
        "Pipeline parallel (PP): each process holds some of the layers and passes activations on. It is for models too large for one node. It needs many "
        "micro batches to keep all stages busy, and has to divide the layers. It halves the ranks when it doubles."
    )
    yield from _here(framework, "pipeline", sizes)
    yield Message(
        "Context parallel (CP), also called Ulysses or ring attention: each sequence is cut up over processes. It is for long sequences, and halves "
        "the ranks when it doubles."
    )
    yield from _here(framework, "context", sizes)
    yield Message(
        "Expert parallel (EP): the experts of a mixture are shared out over processes that hold different data. It has to divide the experts, and leaves "
        "the data-parallel ranks as they are."
    )
    yield from _here(framework, "expert", sizes)
    yield Message(
        "Sequence parallel (SP), which goes with tensor parallel: what that would keep whole on each process (norms, dropout) is cut up along the sequence. It costs "
        "nothing, changes no rank, and a mixture of experts under tensor parallel needs it."
    )
    along = next((value for value in map(plan.value, SEQUENCES) if type(value) is bool), None)
    if along is not None and "tensor" in sizes:
        yield Message("In this run it is on.") if along else Message("In this run it is off.")
    yield Message(
        "DP size = processes / (TP x PP x CP). A group of {group} completions is compared within itself; where it lies on several ranks, they exchange rewards.",
        told,
    )


def _here(framework: str, kind: str, sizes: "dict[str, int]") -> "Iterator[Message]":
    """What a run has of a kind of parallelism, where its framework has a setting for it."""
    if framework in PARALLEL[kind]:
        count = sizes.get(kind, 1)
        yield (
            Message("In this run {count} processes share it.", {"count": count})
            if count > 1
            else Message("This run has none of it.")
        )


def loop(plan: "ShownPlan") -> "Iterator[tuple[int, Message]]":
    """(depth, line) of the run's loop as pseudo code."""
    names = (
        "rollouts", "prompts_per_rollout", "group_size", "completions_per_rollout", "updates_per_rollout", "completions_per_update",
        "accumulation", "micro_batch", "dp_size", "total_steps",
    )  # fmt: skip
    told = {name: _or_n(plan, name) for name in names}
    yield 0, Message("repeat {rollouts} times:  # rollouts", told)
    yield 1, Message("take {prompts_per_rollout} prompts", told)
    yield 1, Message("generate {group_size} completions of each: {completions_per_rollout}", told)
    yield (
        1,
        Message(
            "reward each; advantage = reward - mean of its group of {group_size}, by default divided by its deviation",
            told,
        ),
    )
    value = plan.value("updates_per_rollout")
    if type(value) in (int, float) and value < 1:  # type: ignore[operator]  # a number
        yield 1, Message("add up the gradients until {completions_per_update} completions have been seen", told)
    else:
        yield (
            1,
            Message("repeat {updates_per_rollout} times:  # updates, of {completions_per_update} completions", told),
        )
        yield 2, Message("repeat {accumulation} times:  # micro steps", told)
        yield 3, Message("each of {dp_size} ranks: loss of a micro batch of {micro_batch}, add its gradient", told)
    yield 2, Message("average the gradients over the ranks; step of the optimizer")


def _or_n(plan: "ShownPlan", name: str) -> Message:
    """A number of the run, or a question mark."""
    return number(plan, name) or Message("?")
