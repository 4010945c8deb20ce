"""A change in words: what to do, and what that does to training."""

from ..message import Message, ands, clauses
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


def title(change: "Change") -> Message:
    """'set global_batch_size to 32 and num_generations to 4'."""
    *others, told = [_step(key, value) for key, value in change.values.items()]
    for each in reversed(others):
        told = Message("{step} and {steps}", {"step": each, "steps": told})
    return told


def _step(key: str, value: object) -> Message:
    if key == "world_size":
        return Message("run on {counts}", {"counts": plural(value, "process")})
    return (
        Message("remove {name}", {"name": key})
        if value is None
        else Message("set {name} to {value}", {"name": key, "value": written(value)})
    )


def named_place(place: str) -> Message:
    """'zero3.json, line 4'; for the judged file itself, the key."""
    return Message("the value of deepspeed") if place == "deepspeed" else Message("{place}", {"place": place})


def effect(change: "Change", sizes: "AbstractSet[str]") -> Message:
    """'2x completions per update, same memory per GPU': what changes for training, and the findings that stay.

    `sizes`: the settings that change no memory but that of activations; nothing is said about memory where others
    change.
    """
    before, after = change.before, change.after
    words = [
        _factor(before.value("completions_per_update"), after.value("completions_per_update")),
        _group(before.value("group_size"), after.value("group_size")),
        _updates(before.value("updates_per_rollout"), after.value("updates_per_rollout")),
        _memory(before.value("micro_batch"), after.value("micro_batch")) if change.values.keys() <= sizes else "",
        _left(change.left),
    ]
    return clauses(words)


def _factor(before: "Quantity", after: "Quantity") -> str:
    if max(before or 0, after or 0) > 1 << 50:
        return ""
    if not before or not after or before == after:
        return Message("same completions per update") if before == after and before else ""
    ratio = after / before
    if ratio < 1 and (1 / ratio).is_integer():
        return Message("{share} of the completions per update", {"share": f"1/{1 / ratio:g}"})
    return Message("{factor}x completions per update", {"factor": f"{ratio:.3g}" if ratio >= 1 else f"{ratio:.2g}"})


def _group(before: "Quantity", after: "Quantity") -> str:
    return (
        Message("groups of {after} instead of {before}", {"after": after, "before": before})
        if before != after and after
        else ""
    )


def _updates(before: "Quantity", after: "Quantity") -> str:
    return (
        Message(
            "{after} update per rollout instead of {before}",
            {"after": f"{after:g}", "before": f"{before:g}"},
            "{after} updates per rollout instead of {before}",
            after,
        )
        if before != after and before and after
        else ""
    )


def _memory(before: "Quantity", after: "Quantity") -> str:
    if not before or not after:
        return ""
    if before == after:
        return Message("same memory per GPU")
    return Message("less memory per GPU") if after < before else Message("more memory per GPU")


def _left(rules: "Iterable[Condition]") -> str:
    return Message("leaves {rules}", {"rules": ands(sorted(rule.name for rule in rules))}) if rules else ""
