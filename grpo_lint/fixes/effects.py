"""A change in words: what to do, and what that does to training."""

from ..message import Message, ands
from ..source.quoting import plural
from .edits import written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet
    from typing import Any, TypeAlias

    from ..checker.verdict import Condition
    from .search import Change

    Quantity: TypeAlias = Any  # of a plan: a number, None where it is not known; formulas tell no types


def title(change: "Change") -> str:
    """'set global_batch_size to 32 and num_generations to 4'."""
    return " and ".join(_step(key, value) for key, value in change.values.items())


def _step(key: str, value: object) -> str:
    if key == "world_size":
        return Message("run on {counts}", {"counts": plural(value, "process")})
    return (
        Message("remove {name}", {"name": key})
        if value is None
        else Message("set {name} to {value}", {"name": key, "value": written(value)})
    )


def named_place(place: str) -> str:
    """' in zero3.json, line 4'; for the judged file itself, the key."""
    return " in the value of deepspeed" if place == "deepspeed" else f" in {place}"


def effect(change: "Change", sizes: "AbstractSet[str]") -> str:
    """'2x completions per update, same memory per GPU': what changes for training, and the findings that stay.

    `sizes`: the settings that change no memory but that of activations; nothing is said about memory where others
    change.
    """
    before, after = change.before, change.after
    words = [
        _factor(
            before.value("completions_per_update"), after.value("completions_per_update"), "completions per update"
        ),
        _group(before.value("group_size"), after.value("group_size")),
        _updates(before.value("updates_per_rollout"), after.value("updates_per_rollout")),
        _memory(before.value("micro_batch"), after.value("micro_batch")) if change.values.keys() <= sizes else "",
        _left(change.left),
    ]
    return ", ".join(word for word in words if word)


def _factor(before: "Quantity", after: "Quantity", what: str) -> str:
    if max(before or 0, after or 0) > 1 << 50:
        return ""
    if not before or not after or before == after:
        return f"same {what}" if before == after and before else ""
    ratio = after / before
    return (
        f"{ratio:.3g}x {what}"
        if ratio >= 1
        else f"1/{1 / ratio:g} of the {what}"
        if (1 / ratio).is_integer()
        else f"{ratio:.2g}x {what}"
    )


def _group(before: "Quantity", after: "Quantity") -> str:
    return (
        Message("groups of {after} instead of {before}", {"after": after, "before": before})
        if before != after and after
        else ""
    )


def _updates(before: "Quantity", after: "Quantity") -> str:
    return (
        f"{plural(after, 'update', 'g')} per rollout instead of {before:g}"
        if before != after and before and after
        else ""
    )


def _memory(before: "Quantity", after: "Quantity") -> str:
    if not before or not after:
        return ""
    if before == after:
        return "same memory per GPU"
    return "less memory per GPU" if after < before else "more memory per GPU"


def _left(rules: "Iterable[Condition]") -> str:
    return Message("leaves {rules}", {"rules": ands(sorted(rule.name for rule in rules))}) if rules else ""
