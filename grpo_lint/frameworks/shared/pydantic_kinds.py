"""What pydantic takes for a kind in its usual mode, in which numbers may be texts.

Kinds have `|` between them: int, float, bool, str, null, dict, list[kind], a choice in quotes, or number, which is no text.
"""

from ...message import Message
from ...unknown import UNKNOWN
from .values import WANTED, in_words, wrong_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Iterable, Key, Mapping, Run, Stage
    from ..base import Fault

_WANTED = {
    **WANTED,
    "number": WANTED["float"],
    "str": Message("a text"),
    "dict": Message("a mapping"),
    "null": Message("null"),
}
_TRUTH = ("0", "off", "f", "false", "n", "no", "1", "on", "t", "true", "y", "yes")


class Annotations:
    """The kinds of the settings that a model of pydantic declares.

    kinds     {path: (the release since which, kinds), the oldest first}
    switched  sections that are looked at only where `enabled` in them is true
    compared  settings that each release compares with a number when the workers are set up: {path: another setting and the value that it
              has to have for that, or None}
    """

    def __init__(
        self,
        kinds: "Mapping[str, tuple[tuple[Key, str], ...]]",
        switched: "Iterable[str]",
        compared: "Mapping[str, tuple[str, str] | None]",
    ) -> None:
        self._kinds = kinds
        self._switched = tuple(switched)
        self._compared = compared

    def fault(self, name: str, value: object, launch: "Run", key: "Key") -> "Fault | None":
        """What a release says of the value of a setting; None where it takes it, or does not look at it, or something else fills the value
        in. A copy of the framework may declare other kinds."""
        if launch.copy is not None or value is UNKNOWN or (type(value) is str and "$" in value):
            return None
        kinds = next((kinds for since, kinds in reversed(self._kinds.get(name, ())) if since <= key[:2]), "any")
        if not is_taken(value, kinds) and self._is_looked_at(name, launch):
            return wrong_type("config", told(value, kinds))
        if name in self._compared and not is_taken(value, "number") and _may_be(self._compared[name], launch):
            return wrong_type("init", told(value, "number"))
        return None

    def _is_looked_at(self, name: str, launch: "Run") -> bool:
        return all(_is_on(f"{section}.enabled", launch) for section in self._switched if name.startswith(f"{section}."))


def _may_be(needed: "tuple[str, str] | None", launch: "Run") -> bool:
    """Whether another setting has the value that is needed, or is not written."""
    entry = launch.entries.get(needed[0]) if needed else None
    other: object = None if entry is None else entry.value
    return needed is None or entry is None or other == needed[1]


def _is_on(switch: str, launch: "Run") -> bool:
    """Whether a switch is true, in the config or on what it builds."""
    if switch in launch.entries:
        written: object = launch.entries[switch].value
        return written is True
    catalogue = launch.framework.catalogue
    field = catalogue.fields(launch.groups, len(catalogue.releases) - 1)[switch]
    return field is not None and field.default is True


def null_section(stage: "Stage") -> "Fault":
    """A section with nothing in it is null, and the settings on which it builds are gone."""
    return wrong_type(stage, told(None, "dict"))


def is_taken(value: object, kinds: str) -> bool:
    """Whether pydantic takes a value for a setting of these kinds."""
    return any(_is_of(value, kind) for kind in kinds.split("|"))


def told(value: object, kinds: str) -> Message:
    """What a setting holds that takes other kinds: "holds 'abc', and takes a whole number"."""
    return Message("{what}, and takes {wanted}", {"what": in_words(value), "wanted": _wanted(kinds)})


def _wanted(kinds: str) -> "str | Message":
    """The first kind in words, or the choices."""
    every = [kind for kind in kinds.split("|") if kind != "null"]
    if every[0].startswith("'"):
        return ", ".join(every)
    return Message("a list") if every[0].startswith("list") else _WANTED[every[0]]


def _is_of(value: object, kind: str) -> bool:
    if kind == "any":
        return True
    if kind.startswith("'"):
        return value == kind.strip("'")
    if kind.startswith("list"):
        return type(value) is list and all(is_taken(each, kind[5:-1]) for each in value)
    if kind == "null":
        return value is None
    if kind == "dict":
        return isinstance(value, dict)
    if kind == "number":
        return type(value) in (bool, int, float)
    if kind == "str":
        return type(value) is str
    return _is_number(value, kind) if kind != "bool" else _is_truth(value)


def _is_truth(value: object) -> bool:
    if type(value) is str:
        return value.lower() in _TRUTH
    return type(value) in (bool, int, float) and value in (0, 1)


def _is_number(value: object, kind: str) -> bool:
    """A whole number may be written as a text or with a point."""
    if type(value) is str:
        try:
            value = float(value)
        except ValueError:
            return False
    if type(value) is float and kind == "int":
        return value.is_integer()
    return type(value) in (bool, int, float)
