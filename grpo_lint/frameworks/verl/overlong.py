"""The buffer of overlong responses of the reward manager dapo, whose settings no tree holds. Loaded only for runs with this manager."""

from ...unknown import UNKNOWN
from ..base import Attached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base import Lookup

# since 0.7.1 the older section, where it is set, replaces the newer one
_SECTIONS = ("reward_model.reward_kwargs", "reward.reward_kwargs")
# {operand: (setting of the section, type of what can be judged)}
_SETTINGS = {
    "overlong_len": ("overlong_buffer_cfg.len", int),
    "overlong_is_on": ("overlong_buffer_cfg.enable", bool),
    "longest_response": ("max_resp_len", int),
}


def attached(value: "Lookup", is_whole: bool) -> "dict[str, Attached]":
    """{operand: Attached} of the first section of which something is set. What is not set is unknown where arguments are unknown."""
    for section in _SECTIONS:
        found = {name: value(f"{section}.{setting}") for name, (setting, _) in _SETTINGS.items()}
        if value(section) is not None:  # a mapping as a whole
            return {}
        if any(each is not None for each in found.values()):
            return {
                name: Attached(f"{section}.{setting}", found[name] if type(found[name]) is kind else UNKNOWN, "set")
                for name, (setting, kind) in _SETTINGS.items()
                if found[name] is not None or not is_whole
            }
    return {}
