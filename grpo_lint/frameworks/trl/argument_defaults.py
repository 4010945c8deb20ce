"""The defaults that classes of arguments of a training script give the settings, in the place of those of the framework."""

import ast

from ...source.python.reader import dotted, is_dataclass
from ...unknown import UNKNOWN, is_beyond
from ..programs import Default
from .names import ARGUMENTS, CONFIGS, PACKAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..programs import Fields
    from .modules import Class, Module

MOST_FIELDS = 20_000  # of all classes of a program with those that they are made from
_DEEPEST = 50  # classes that are made from one another
_PLAIN = (type(None), bool, int, float, str)


def fields_of(node: ast.ClassDef) -> "Fields":
    """{name: Default} of the fields of a dataclass that say one; of any other class nothing is a field."""
    if not is_dataclass(node):
        return {}
    found: Fields = {}
    for each in node.body:
        if not isinstance(each, ast.AnnAssign) or not isinstance(each.target, ast.Name) or each.value is None:
            continue
        kind = each.annotation.value if isinstance(each.annotation, ast.Subscript) else each.annotation
        is_field = dotted(kind).rpartition(".")[2] != "ClassVar"  # what every config has, and no parser sets
        found[each.target.id] = Default(_value(_default(each.value)) if is_field else UNKNOWN, line=each.lineno)
    for name in _set_afterwards(node):
        found[name] = Default(UNKNOWN, line=found[name].line if name in found else node.lineno)
    return found


def _set_afterwards(node: ast.ClassDef) -> "set[str]":
    """The fields that a dataclass sets once it is made."""
    methods = [each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__post_init__"]
    attributes = [each for method in methods for each in ast.walk(method) if isinstance(each, ast.Attribute)]
    return {each.attr for each in attributes if not isinstance(each.ctx, ast.Load) and dotted(each.value) == "self"}


def _default(node: ast.expr) -> ast.expr:
    """The expression of a default; what `default_factory` makes is computed, and without a default the class is refused."""
    if not isinstance(node, ast.Call) or dotted(node.func).rpartition(".")[2] != "field":
        return node
    return next((each.value for each in node.keywords if each.arg == "default"), node)


def _value(node: ast.expr) -> object:
    """The value of a literal, UNKNOWN for any other expression."""
    sign = 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node, sign = node.operand, -1
    value = node.value if isinstance(node, ast.Constant) else UNKNOWN
    if type(value) not in _PLAIN or is_beyond(value):
        return UNKNOWN
    if sign < 0:
        return -value if type(value) in (int, float) else UNKNOWN  # type: ignore[operator]  # a number
    return value


def preset_by(call: ast.Call) -> "Iterator[str]":
    """The names of the arguments whose defaults a call of `set_defaults` replaces."""
    yield from (keyword.arg for keyword in call.keywords if keyword.arg is not None)


def defaults_of(modules: "list[Module]") -> "tuple[Fields, str | None]":
    """({name: Default} of what the classes that the parsers of a program are made of say in the place of TRL's, a class that is not here
    and may say more, None for none). Where two of them differ, nobody knows which one is meant."""
    known = _Classes(modules)
    found: Fields = {}
    for module in modules:
        for name in dict.fromkeys(name for given in module.arguments for name in given or ()):
            for field, default in known.fields(name, module).items() if len(found) < MOST_FIELDS else ():
                other = found.get(field)
                found[field] = default if other is None else _agreed(default, other)
    for module in modules:
        found.update({name: Default(UNKNOWN, module.path) for name in module.presets})
    return found, None if known.has_config else min(known.unread, default=None)


def _agreed(one: Default, other: Default) -> Default:
    alike = type(one.value) is type(other.value) and one.value == other.value
    return one if alike else one.unknown()


class _Classes:
    """The classes of the modules of a program, by their names.

    has_config   whether TRL's config class was met
    unread       the names of the classes that were not found
    """

    has_config: bool
    unread: set[str]

    def __init__(self, modules: "Iterable[Module]") -> None:
        self._homes: dict[str, list[Module]] = {}
        for module in modules:
            for name in module.classes:
                self._homes.setdefault(name, []).append(module)
        self._open: set[tuple[Module, str]] = set()  # those whose bases are looked at
        self._known: dict[tuple[Module, str], Fields] = {}
        self._left = MOST_FIELDS
        self.has_config, self.unread = False, set()

    def fields(self, name: str, module: "Module") -> "Fields":
        """{name: Default} of a class, and of those that it is made from, as it is called in a module."""
        if _is_of_package(name, module):
            self.has_config |= module.from_package.get(name, name.rpartition(".")[2]) in CONFIGS
            return {}
        if name not in module.classes:
            name = module.renamed.get(name, name)
        last = name.rpartition(".")[2]
        if last == name and name in module.classes and (module, name) not in self._open:
            return self._of_class(module.classes[name], module)
        homes = [home for home in self._homes.get(last, ()) if home is not module]
        each = [self._of_class(home.classes[last], home) for home in homes]
        if not each and name not in module.classes:
            self.unread.add(name)
        if len(each) == 1:
            return each[0]
        return {field: default.unknown() for fields in each for field, default in fields.items()}

    def _of_class(self, each: "Class", home: "Module") -> "Fields":
        """What a class says lies over what those say that it is made from, the first of them over the others."""
        key = home, each.name
        if key in self._known or key in self._open or len(self._open) > _DEEPEST:
            return self._known.get(key, {})
        self._open.add(key)
        found: Fields = {}
        for base in reversed(each.bases):
            if _is_of_package(base, home):  # which may have fields by the names of those behind it
                found = {field: default.unknown() for field, default in found.items()}
            found.update(self.fields(base, home))
        self._open.discard(key)
        found.update({name: Default(default.value, home.path, default.line) for name, default in each.fields.items()})
        self._left -= len(found)
        self._known[key] = found if self._left >= 0 else {}
        return self._known[key]


def _is_of_package(name: str, module: "Module") -> bool:
    """Whether a name is that of a class of arguments of TRL, whose defaults are in the catalogue."""
    if name.startswith(f"{PACKAGE}.") or (
        "." in name and module.imports_package and name.rpartition(".")[2] in CONFIGS
    ):
        return True
    if name in CONFIGS and "*" in module.from_package and name not in module.classes:
        return True
    return name in module.from_package and name not in module.classes and module.from_package[name] in ARGUMENTS
