"""How a training script has its arguments read, as its calls of the parser say: what becomes of keys and flags that none
of its classes declares."""

import ast

from ..programs import BY_RELEASE, DROPPED, REFUSED, UNREAD, Reading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..programs import Fates

# {method of a parser: the place of the argument that says whether it returns what it does not know, counted after self}
_OF_FLAGS = {"parse_args_and_config": 1, "parse_args_into_dataclasses": 1}
_OF_FILES = {"parse_yaml_file": 1, "parse_json_file": 1, "parse_dict": 1}
_OF_NO_FLAGS = ("parse_yaml_file", "parse_json_file")  # a mapping may well be made of them
_OF_ARGPARSE = (
    "parse_args",
    "parse_known_args",
)  # they read flags as well, and say nothing of what becomes of a file's keys
_OF_BOTH = "parse_args_and_config"
_FAILS = 2  # the place of `fail_with_unknown_args` of parse_args_and_config


def reading_of(node: ast.Call, method: str) -> Reading | None:
    """What a call says of a method of some name, None where it parses nothing of ours."""
    if method in _OF_ARGPARSE:
        return Reading(keys=None, flags=None)
    if method in _OF_FILES:
        drops = _switch(node, "allow_extra_keys", _OF_FILES[method], False)
        return Reading(keys=_fate(drops), flags=UNREAD if method in _OF_NO_FLAGS else None)
    if method not in _OF_FLAGS or any(keyword.arg is None for keyword in node.keywords):
        return None
    drops = _switch(node, "return_remaining_strings", _OF_FLAGS[method], False)
    return Reading(keys=_keys_beside_flags(node, drops) if method == _OF_BOTH else None, flags=_fate(drops))


def _keys_beside_flags(node: ast.Call, drops: bool | None) -> "Fates | None":
    """What becomes of the keys of a file that is read with the flags, which are dropped or not."""
    fails = _switch(node, "fail_with_unknown_args", _FAILS, True)
    if drops or fails is False:
        return DROPPED
    return None if drops is None or fails is None else BY_RELEASE


def _fate(drops: bool | None) -> "Fates | None":
    return None if drops is None else DROPPED if drops else REFUSED


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
    return Reading(keys=_agreed(keys), flags=_agreed(flags), is_closed=is_closed)


def _agreed(fates: "set[Fates]") -> "Fates | None":
    return next(iter(fates)) if len(fates) == 1 else None


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
