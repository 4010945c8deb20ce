"""What TRL requires of the packages installed beside it, where their versions are stated."""

from ...message import Message
from ..versions import version_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeVar

    from ..by_release import Key

    Stated = TypeVar("Stated")

# Read from `trl/import_utils.py` of the releases: {first TRL with it: ...}, the newest first.
_VLLM: "dict[Key, tuple[str, str]]" = {  # the oldest and the newest vLLM for which TRL does not warn
    (1, 16): ("0.22.0", "0.31.0"),
    (1, 15): ("0.21.0", "0.31.0"),
    (1, 14): ("0.20.0", "0.30.0"),
    (1, 13): ("0.19.1", "0.28.0"),
    (1, 11): ("0.19.0", "0.27.1"),
    (1, 10): ("0.17.0", "0.26.0"),
    (1, 9): ("0.17.0", "0.25.1"),
    (1, 8): ("0.16.0", "0.23.0"),
    (1, 7): ("0.14.0", "0.23.0"),
    (1, 6): ("0.12.0", "0.19.0"),
    (1, 3): ("0.12.0", "0.18.0"),
    (1, 2): ("0.11.0", "0.18.0"),
    (1, 1): ("0.11.0", "0.17.1"),
    (1, 0): ("0.10.2", "0.17.1"),
    (0, 27): ("0.10.2", "0.12.0"),
    (0, 26): ("0.10.2", "0.11.2"),
    (0, 24): ("0.10.2", "0.10.2"),
}
_LIGER: "dict[Key, str]" = {  # the oldest liger-kernel that counts as installed
    (1, 11): "0.8.2",
    (1, 4): "0.8.0",
    (0, 29): "0.7.0",
    (0, 26): "0.6.4",
    (0, 18): "0.5.8",
    (0, 17): "0.5.6",
}
# The transformers that the releases require in their metadata: {first TRL: the oldest transformers}.
_TRANSFORMERS: "dict[Key, Key]" = {
    (0, 27): (4, 56, 2),
    (0, 23): (4, 56, 1),
    (0, 21): (4, 55),
    (0, 20): (4, 53, 2),
    (0, 19): (4, 51),
    (0, 18): (4, 50),
    (0, 14): (4, 46),
}


def oldest_transformers(key: "Key") -> "Key":
    """The oldest transformers with which a release of TRL can be installed."""
    return _at(_TRANSFORMERS, key) or ()


def _at(table: "Mapping[Key, Stated]", key: "Key") -> "Stated | None":
    return next((entry for since, entry in table.items() if key >= since), None)


def companion_facts(companions: "Mapping[str, str]", key: "Key") -> dict[str, object]:
    """The facts that rules and formulas derive from the versions {package: version} beside a version of TRL."""
    transformers = version_key(companions["transformers"])
    # from 4.52 a partial last update counts as a step
    facts: dict[str, object] = {
        "last_update_may_be_partial": transformers >= (4, 52),
        "batches_continuously": transformers >= (5, 8),
        "transformers_minor": transformers[0] * 100 + transformers[1],
        # of a model that a newer transformers than 4.49 has saved
        "zero_temperature_is_greedy": (4, 54) <= transformers[:2] < (5, 0),
    }
    vllm, liger = companions.get("vllm"), companions.get("liger-kernel")
    supported, liger_oldest = _at(_VLLM, key), _at(_LIGER, key)
    if vllm and supported:
        oldest, newest = supported
        facts["vllm"], facts["supported_vllm"] = (
            vllm,
            oldest if oldest == newest else Message("{old} to {new}", {"old": oldest, "new": newest}),
        )
        facts["vllm_is_supported"] = version_key(oldest) <= version_key(vllm) <= version_key(newest)
    if liger and liger_oldest:
        facts["liger_kernel"], facts["oldest_liger_kernel"] = liger, liger_oldest
        facts["liger_is_supported"] = version_key(liger) >= version_key(liger_oldest)
    return facts
