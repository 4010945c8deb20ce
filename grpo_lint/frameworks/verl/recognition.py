"""Recognises a file of verl by the names of its keys only, since every YAML file is tested."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from ..base import Lookup

_BESIDE = frozenset(("algorithm", "trainer", "data"))


def detect(names: "AbstractSet[str]", value: "Lookup") -> "str | None":
    """Why a file with these top-level keys is one of verl; None where it need not be."""
    if "async_training" in names:
        return None  # of a trainer with another arithmetic
    if "actor_rollout_ref" not in names:
        return None
    beside = names & _BESIDE
    return f"has actor_rollout_ref and {min(beside)}, sections of verl" if beside else None
