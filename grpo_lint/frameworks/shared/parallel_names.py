"""What the frameworks call the sizes over which a copy of a model is spread, by the kinds of a `Shape`."""

from ...message import NOTHING, Message
from .megatron_rules import NAMES_OF_ENDS as NAMES_OF_ENDS, cut as cut  # handed on to what plans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Callable, Mapping

# {kind: {framework: its settings, which are multiplied where it has several}}
PARALLEL: "Mapping[str, Mapping[str, tuple[str, ...]]]" = {
    "tensor": {
        "megatron": ("tensor_model_parallel_size",),
        "verl": ("actor_rollout_ref.actor.megatron.tensor_model_parallel_size",),
        "nemo-rl": ("policy.dtensor_cfg.tensor_parallel_size", "policy.megatron_cfg.tensor_model_parallel_size"),
        "openrlhf": ("ds.tensor_parallel_size", "ds_tensor_parallel_size"),
        "slime": ("tensor_model_parallel_size",),
    },
    "pipeline": {
        "megatron": ("pipeline_model_parallel_size",),
        "verl": ("actor_rollout_ref.actor.megatron.pipeline_model_parallel_size",),
        "nemo-rl": ("policy.megatron_cfg.pipeline_model_parallel_size",),
        "slime": ("pipeline_model_parallel_size",),
    },
    "context": {
        "swift": ("sequence_parallel_size",),
        "megatron": ("context_parallel_size",),
        "verl": (
            "actor_rollout_ref.actor.megatron.context_parallel_size",
            "actor_rollout_ref.actor.ulysses_sequence_parallel_size",
        ),
        "easyr1": ("worker.actor.ulysses_size", "worker.actor.ulysses_sequence_parallel_size"),
        "nemo-rl": ("policy.dtensor_cfg.context_parallel_size", "policy.megatron_cfg.context_parallel_size"),
        "openrlhf": ("ds.ring_attn_size", "ring_attn_size"),
        "slime": ("context_parallel_size",),
    },
    "expert": {
        "megatron": ("expert_model_parallel_size",),
        "verl": ("actor_rollout_ref.actor.megatron.expert_model_parallel_size",),
        "nemo-rl": ("policy.megatron_cfg.expert_model_parallel_size",),
        "slime": ("expert_model_parallel_size",),
    },
}
# How many processes share each expert; where it is not said, as many as share another layer, but in Megatron-SWIFT and NeMo-RL one.
OF_EXPERTS = {
    "megatron": "expert_tensor_parallel_size",
    "verl": "actor_rollout_ref.actor.megatron.expert_tensor_parallel_size",
    "nemo-rl": "policy.megatron_cfg.expert_tensor_parallel_size",
    "slime": "expert_tensor_parallel_size",
}
_ALONE = ("megatron", "nemo-rl")
SEQUENCES = (
    "sequence_parallel",
    "actor_rollout_ref.actor.megatron.sequence_parallel",
    "policy.megatron_cfg.sequence_parallel",
    "policy.dtensor_cfg.sequence_parallel",
)
# What follows those of the actor, or says the same of another model of the run.
_FOLLOW = (
    *("actor_rollout_ref.ref.ulysses_sequence_parallel_size", "actor_rollout_ref.ref.megatron.sequence_parallel"),
    *(f"actor_rollout_ref.ref.megatron.{kind}_parallel_size" for kind in ("tensor_model", "pipeline_model", "context", "expert_model", "expert_tensor")),
    *OF_EXPERTS.values(),
    # the norms between the parts of tensor parallel: on wherever those are several, and nothing that is learned depends on it
    *SEQUENCES,
)  # fmt: skip
NAMES = frozenset((*(name for table in PARALLEL.values() for names in table.values() for name in names), *_FOLLOW))


def sizes_of(framework: str, value: "Callable[[str], object]") -> "dict[str, int]":
    """{kind: processes that share a copy} of a run, those of one alone left out. `value`: that of a setting, its default included."""
    found: dict[str, int] = {}
    for kind, names in PARALLEL.items():
        for name in names.get(framework, ()):
            size = value(name)
            if type(size) is int and size > 1:
                found[kind] = found.get(kind, 1) * size
    return found


def sharers_of_an_expert(framework: str, value: "Callable[[str], object]") -> int:
    """How many processes share each expert of a run whose experts are spread; 0 where that is not known."""
    sizes = sizes_of(framework, value)
    if "expert" not in sizes:
        return 0
    size = value(OF_EXPERTS[framework])
    return size if type(size) is int else 1 if framework in _ALONE else sizes.get("tensor", 1)


def ends_of(value: "Callable[[str], object]", stages_before: int, stages: int) -> "tuple[int, int]":
    """The layers of the first and the last of so many stages; those of the run where it has as many, 0 for what it does not set."""
    if stages == stages_before:
        first, last = (value(f"{end}_stage_layers") for end in ("first", "last"))
        return first if type(first) is int else 0, last if type(last) is int else 0
    layers = value("layers_of_model")
    return cut(layers, stages) if type(layers) is int else (0, 0)


def kind_of(name: str) -> str:
    """The kind of a setting that is such a size; an empty text for any other."""
    return next((kind for kind, table in PARALLEL.items() if any(name in names for names in table.values())), "")


def why_lost(name: str, value: object, spread: "Mapping[str, int]") -> Message:
    """Why a setting that spreads a copy does not arrive where copies are spread in these ways; empty where it does, or says nothing."""
    kind = kind_of(name)
    if kind and value not in (None, 1) and spread.get(kind, 1) == 1:
        return Message("each process holds a copy of the model, or a part of one that it shares")
    if name in OF_EXPERTS.values() and value not in (None, 1) and spread.get("expert", 1) == 1:
        return Message("it goes with expert parallel")
    if name in SEQUENCES and value is True and spread.get("tensor", 1) == 1:
        return Message("it goes with tensor parallel")
    if name in NAMES_OF_ENDS and spread.get("pipeline", 1) == 1:
        return Message("it goes with pipeline parallel")
    return NOTHING
