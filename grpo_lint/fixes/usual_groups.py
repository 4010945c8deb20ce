"""For a group of one, or of none: the sizes that people train with."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Condition
    from .search import Change, Search, Steps

USUAL_GROUPS = (8, 4, 2)  # the best first


def usual_groups(search: "Search", rule: "Condition") -> "Steps":
    """The first usual size after which the rule holds, all else kept; before it one that makes an update no more than twice as
    large, where an update counts prompts."""
    found: list[Change] = []
    for size in USUAL_GROUPS:
        changes = yield from search.try_all(rule, [{search.group_knob: size}], [])
        for change in changes:
            change.left = change.left - search.broken_before
        if changes and not changes[0].order[0]:
            return [*changes, *found[:1]]
        found += changes
    return found[:1]


def is_among_wrong_sizes(search: "Search", rule: "Condition") -> bool:
    """Whether another rule is broken that depends on the group size: what is about it is mended first."""
    others = search.broken_before - {rule}
    return any(search.group_knob in state.inputs(other) for other in others for state in search.states)
