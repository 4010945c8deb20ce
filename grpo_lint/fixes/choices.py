"""The cures of a setting that holds one of a few words: the word that was most likely meant."""

from ..frameworks.shared.meant import likely
from ..frameworks.shared.values import is_nothing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Condition, Launch, Mapping, Plan

    Values = Mapping[str, object]  # {setting: value, None to remove it}


def meant_choices(rule: "Condition", launch: "Launch", before: "Plan", sizes: "tuple[str, ...]") -> "list[Values]":
    """For a text that is not among the choices that a rule allows: the choice that it is most likely meant for. `sizes`: the
    settings that hold no words."""
    at = rule.at[0]
    value = before.value(at)
    is_list = type(value) is list and len(value) == 1
    value = value[0] if is_list else value  # type: ignore[index]  # it is one
    if type(value) is not str or at not in launch.entries or at in sizes:
        return []
    choices = _choices(rule, launch, before)
    if rule.cure and value in choices:  # what the rule names are no choices then
        return []
    meant = likely(value, choices)
    if choices and not meant and is_nothing(value):
        return [{at: None}]
    return [{at: [meant] if is_list else meant}] if meant else []


def _choices(rule: "Condition", launch: "Launch", before: "Plan") -> "list[str]":
    """The texts that a rule allows: those of the lists that it, or a formula that it reads, names, but for what is written."""
    names = dict.fromkeys(rule.broken.names)  # type: ignore[union-attr]  # it has one
    for name in [*names]:
        formula = before.chosen.get(name)
        names.update(dict.fromkeys(formula.names if formula is not None else ()))
    lists = [before.value(name) for name in names if name not in launch.entries]
    found = [text for texts in lists if type(texts) in (tuple, list) for text in texts]  # type: ignore[attr-defined]  # it is
    return [text for text in found if type(text) is str]
