"""What the code of verl asks of a value: a number where it reckons, a word that it looks up, a number in a range. Loaded only
where a value may miss it."""

import re

from ...message import Message
from ..base import Fault
from ..shared.values import WANTED, quoted, wrong_choice, wrong_type
from .tree import AskedField, is_of_type, is_within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Callable, Field, Stage

_STAGES: "dict[str, Stage]" = {"c": "config", "i": "init", "r": "run", "n": "never"}
_DEMAND = re.compile(r"([cirn])((?:\?!?[\w.:]+)*)(.*)")  # its stage, the settings on which it hangs, what is asked
_OF_TYPE = {**WANTED, "str": Message("a text"), "list": Message("a list"), "dict": Message("a mapping")}
_FALSE = frozenset(("false", "no", "off", "n", "f", "0", "none"))
_EXPONENT = re.compile(r"[-+]?[0-9.]+[eE][-+]?[0-9]+")  # a number for OmegaConf, and none for YAML


def fault_of(
    name: str, value: object, field: "Field", holds: "Callable[[str], bool]", is_built: bool = True
) -> "Fault | None":
    """What is wrong with a value that is no reference. `holds`: whether the setting on which a demand hangs is so, as `a.b` that is true,
    `!a.b` that is false or `a.b:word`. `is_built`: whether the run makes what the setting is about."""
    kind = field.type.rstrip("?")
    demands = _demands_of(field, holds)
    if not is_built:
        demands = [("never", what) for _, what in demands]
    typed = [(stage, what) for stage, what in demands if what[:1] == "!"]
    for stage, what in typed:
        if stage != "never" and not is_of_type(value, what):
            return _misfit(stage, value, kind, _OF_TYPE[what[1:].split("|")[0]])
    if value is None and typed:
        return None
    demands = [demand for demand in demands if demand not in typed]
    if kind == "bool":
        return _switch(value)
    if kind in ("int", "float"):
        return _number(value, kind, field, demands)
    return _word(value, field, demands)


# Names that rules look up, with the stage at which null or a collection ends the run; of the others it is not known.
_LOOKED_UP: "dict[str, Stage]" = {
    "algorithm.adv_estimator": "run",
    "actor_rollout_ref.actor.loss_agg_mode": "config",
}


def no_word(name: str, value: object) -> "Fault | None":
    """What is wrong with a value where a name is looked up: nothing, where it is a text or a number, which a rule judges."""
    is_none_at_all = type(value) in (list, dict) or (value is None and name in _LOOKED_UP)
    return _misfit(_LOOKED_UP.get(name, "never"), value, "str", _OF_TYPE["str"]) if is_none_at_all else None


def _word(value: object, field: "Field", demands: "list[tuple[Stage, str]]") -> "Fault | None":
    """What is wrong with a value that has no type of its own: a number out of its range, or none of the words."""
    outside = _outside(value, "int", field, demands) if type(value) in (int, float) else None  # type: ignore[arg-type]
    if outside is not None:
        return outside
    for stage, what in demands:
        if what[:1] == "=" and (value is not None or not _is_null(field)) and value not in what[1:].split("|"):
            return wrong_choice(stage, value, what[1:].split("|"))
    return None


def _demands_of(field: "Field", holds: "Callable[[str], bool]") -> "list[tuple[Stage, str]]":
    """(stage, what is asked) of each demand; one that hangs on a setting that is not so ends no run."""
    found: list[tuple[Stage, str]] = []
    for demand in field.asked.split(";") if isinstance(field, AskedField) else ():
        matched = _DEMAND.fullmatch(demand)
        if matched:
            stage, needs, what = matched.groups()
            found.append((_STAGES[stage] if all(map(holds, needs.split("?")[1:])) else "never", what))
    return found


def _is_null(field: "Field") -> bool:
    return field.default is None and field.type != "any?"


def _switch(value: object) -> "Fault | None":
    """A text that is meant to be a truth value, and is none: every text is true. Other texts may name a file or a mode."""
    if type(value) is str:
        word = value.lower()
        return Fault("never", "truth-value-is-no-text", value=value) if word in _FALSE or _is_misspelt(word) else None
    return _misfit("never", value, "bool") if type(value) in (list, dict) else None


def _is_misspelt(word: str) -> bool:
    from difflib import get_close_matches  # loaded only for mistakes

    return len(word) < 8 and bool(get_close_matches(word, ("true", "false"), n=1, cutoff=0.7)) and word != "true"


def _number(value: object, kind: str, field: "Field", demands: "list[tuple[Stage, str]]") -> "Fault | None":
    if type(value) is bool or (kind == "float" and type(value) is str and _EXPONENT.fullmatch(value)):
        return None  # a truth value counts as 1 or 0
    reckoned: Stage = next((stage for stage, what in demands if not what), "never")
    if value is None:  # a bound is compared with it, too
        reckoned = next(
            (stage for stage, what in demands if what[:1] in ("", "(", "[", ",") and stage != "never"), "never"
        )
        return _misfit(reckoned, value, kind) if reckoned != "never" else None
    if type(value) in (int, float):
        return _outside(value, kind, field, demands)  # type: ignore[arg-type]
    return _misfit(reckoned, value, kind)


def _outside(value: "int | float", kind: str, field: "Field", demands: "list[tuple[Stage, str]]") -> "Fault | None":
    """A count that is none, or a number out of its range."""
    if isinstance(field, AskedField) and field.is_count and not field.has_type_of(value):
        return _misfit("never", value, kind, None if type(value) is float else Message("a number of things"))
    missed = ((stage, what) for stage, what in demands if what[:1] in ("(", "[", ",") and not is_within(value, what))
    return next((_misfit(stage, value, kind, range_in_words(what)) for stage, what in missed), None)


def _misfit(stage: "Stage", value: object, kind: str, wanted: "Message | None" = None) -> "Fault":
    told = {"what": _shown(value), "wanted": wanted or WANTED[kind]}
    if stage == "never":
        return wrong_type(stage, Message("{what}, where the code expects {wanted}", told))
    return wrong_type(stage, Message("{what}, and takes {wanted}", told))


def _shown(value: object) -> "Message | str":
    if type(value) is str:
        return quoted(value)
    if type(value) is bool:
        return "true" if value else "false"
    if value is None:
        return Message("null")
    return Message("a collection") if type(value) in (list, dict) else str(value)


def range_in_words(range: str) -> "Message":
    low, high = range.strip("[]()").split(",")
    at_least = Message("above {low}", {"low": low}) if range[0] == "(" else Message("of at least {low}", {"low": low})
    at_most = (
        Message("below {high}", {"high": high}) if range[-1] == ")" else Message("of at most {high}", {"high": high})
    )
    if low and high:
        return Message("a number {above} and {below}", {"above": at_least, "below": at_most})
    return Message("a number {bound}", {"bound": at_least if low else at_most})
