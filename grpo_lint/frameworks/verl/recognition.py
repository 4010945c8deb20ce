"""Recognises a file of verl by the names of its keys only, since every YAML file is tested."""

from ...message import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import AbstractSet, Lookup


_BESIDE = frozenset(("algorithm", "trainer", "data"))


def detect(names: "AbstractSet[str]", value: "Lookup") -> "Message | None":
    """Why a file with these top-level keys is one of verl; None where it need not be."""
    if "async_training" in names or "rllm" in names:
        return None  # of a trainer with another arithmetic
    if "actor_rollout_ref" not in names:
        return None
    beside = names & _BESIDE
    return Message("has actor_rollout_ref and {beside}, sections of verl", {"beside": min(beside)}) if beside else None
