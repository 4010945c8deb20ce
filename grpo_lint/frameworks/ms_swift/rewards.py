"""What the reward functions of ms-swift refuse when they are created, in every trainer."""

from ...message import Message
from ..by_release import Enforcement

# {rule: (setting of names, the registry in which the code looks them up)}
REGISTRIES = {
    "reward-functions-are-registered": ("reward_funcs", "orms"),
    "reward-model-plugins-are-registered": ("reward_model_plugin", "rm_plugins"),
    "scheduler-is-registered": ("multi_turn_scheduler", "multi_turns"),
}
_WITHIN = "soft-overlong-begins-within-the-completion"


def rewards_for_length(since: str) -> "tuple[Enforcement, ...]":
    """The rows about the soft_overlong reward, from the first release of a trainer that has it."""
    return (
        Enforcement(_WITHIN, since, "3.12", "init", "assert soft_cache_length < soft_max_length"),
        Enforcement(_WITHIN, "4.0", None, "init", "assert args.soft_cache_length < args.soft_max_length"),
        Enforcement(
            "soft-overlong-has-tokens-to-grow-over",
            since,
            None,
            "run",
            "division by zero",
            Message("in the first rollout"),
        ),
    )
