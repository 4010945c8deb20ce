"""How a training script has its arguments read, as its calls of the parser say: what becomes of keys and flags that none
of its classes declares."""

import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final, Literal, TypeAlias

    Fates: TypeAlias = Literal["refused", "dropped", "by release", "unread"]

REFUSED: "Final" = "refused"
DROPPED: "Final" = "dropped"
BY_RELEASE: "Final" = "by release"
UNREAD: "Final" = "unread"

# {method of a parser: the place of the argument that says whether it returns what it does not know, counted after self}
_OF_FLAGS = {"parse_args_and_config": 1, "parse_args_into_dataclasses": 1}
_OF_FILES = {"parse_yaml_file": 1, "parse_json_file": 1, "parse_dict": 1}
_OF_NO_FLAGS = ("parse_yaml_file", "parse_json_file")  # a mapping may well be made of them
_OF_ARGPARSE = (
    "parse_args",
    "parse_known_args",
)  # they read flags as well, and say nothing of what becomes of a file's keys
_FAILS = 2  # the place of `fail_with_unknown_args` of parse_args_and_config


class Reading:
    """What becomes of what nobody declares.

    keys, flags   "refused", "dropped", "by release" where the parser's own default decides, None when it cannot be told; of flags
                  "unread" where a file is all that is parsed, so that those which are declared have no effect either
    is_closed     whether all classes of arguments are known, so that nothing else can declare a name
    """

    __slots__ = ("keys", "flags", "is_closed")
    keys: "Fates | None"
    flags: "Fates | None"
    is_closed: bool

    def __init__(self, keys: "Fates | None", flags: "Fates | None", is_closed: bool = False) -> None:
        self.keys = keys
        self.flags = flags
        self.is_closed = is_closed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reading) and (self.keys, self.flags) == (other.keys, other.flags)

    def __hash__(self) -> int:
        return hash((self.keys, self.flags))

    def __repr__(self) -> str:
        return f"Reading({self.keys!r}, {self.flags!r}, {self.is_closed!r})"


def reading_of(node: ast.Call, method: str) -> Reading | None:
    """What a call says of a method of some name, None where it parses nothing of ours."""
    flags: Fates | None
    if method in _OF_ARGPARSE:
        return Reading(None, None)
    if method in _OF_FILES:
        allows = _switch(node, "allow_extra_keys", _OF_FILES[method], False)
        flags = UNREAD if method in _OF_NO_FLAGS else None
        return Reading(DROPPED if allows else None if allows is None else REFUSED, flags)
    if method not in _OF_FLAGS or any(keyword.arg is None for keyword in node.keywords):
        return None
    returns = _switch(node, "return_remaining_strings", _OF_FLAGS[method], False)
    flags = None if returns is None else DROPPED if returns else REFUSED
    if method != "parse_args_and_config":
        return Reading(None, flags)
    fails = _switch(node, "fail_with_unknown_args", _FAILS, True)
    if returns or fails is False:
        return Reading(DROPPED, flags)
    return Reading(None if returns is None or fails is None else BY_RELEASE, flags)


def _switch(node: ast.Call, name: str, place: int, default: bool) -> bool | None:
    """The value of an argument that is True or False, None for one that is computed."""
    given = [keyword.value for keyword in node.keywords if keyword.arg == name] or node.args[place : place + 1]
    if not given:
        return None if any(isinstance(each, ast.Starred) for each in node.args) else default
    value = given[0].value if isinstance(given[0], ast.Constant) else None
    return value if type(value) is bool else None


def together(readings: "Iterable[Reading]", is_closed: bool = False) -> Reading | None:
    """What several calls say, as far as they agree; None for none."""
    found = list(readings)
    if not found:
        return None
    keys = {each.keys for each in found if each.keys}
    flags = {each.flags for each in found if each.flags}
    if len(flags) > 1 or not all(each.flags for each in found):
        flags.discard(UNREAD)  # another call reads them
    return Reading(keys.pop() if len(keys) == 1 else None, flags.pop() if len(flags) == 1 else None, is_closed)


def classes_given(node: ast.Call) -> "list[str] | None":
    """The names of the classes that a parser is made of, as they are written; None where they are computed."""
    given = [keyword.value for keyword in node.keywords if keyword.arg == "dataclass_types"] or node.args[:1]
    if not given:
        return None
    items = given[0].elts if isinstance(given[0], (ast.Tuple, ast.List)) else [given[0]]
    names = [_name(each) for each in items]
    return None if None in names else [name for name in names if name]


def _name(node: ast.expr) -> str | None:
    if isinstance(node, ast.Attribute):
        around = _name(node.value)
        return around and f"{around}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else None
