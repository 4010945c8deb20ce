"""The defaults that classes of arguments of a training script give the settings, in the place of those of the framework."""

import ast

from ..frameworks.trl.programs import ARGUMENTS, CONFIGS, PACKAGE
from ..source.entry import COMPOSED
from ..source.python.reader import dotted
from ..source.yaml.reader import Entry, Scalar
from ..unknown import UNKNOWN, is_beyond

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from ..frameworks.catalogue import Field
    from ..source.text import Text
    from .programs import Class, Module

    Fields: TypeAlias = "dict[str, Default]"

MOST_FIELDS = 20_000  # of all classes of a program with those that they are made from
_DEEPEST = 50  # classes that are made from one another
_PLAIN = (type(None), bool, int, float, str)


class Default:
    """The default of an argument: its value, UNKNOWN where it is computed, and the file and line (from 1) where it stands."""

    __slots__ = ("value", "path", "line")
    value: object
    path: str
    line: int

    def __init__(self, value: object, path: str = "", line: int = 1) -> None:
        self.value = value
        self.path = path
        self.line = line

    def unknown(self) -> "Default":
        """The same default where nobody knows whether it is the one that counts."""
        return Default(UNKNOWN, self.path, self.line)

    def entry(self, name: str, text: "Text", field: "Field | None") -> Entry:
        """It as an entry of its file; `field`: what the release may be given by this name."""
        start = text.starts[self.line - 1] if self.line <= len(text.starts) else 0
        start += len(line := text.line_text(self.line - 1)) - len(line.lstrip()) if start else 0
        end = min(start + len(name), len(text.text))
        value = self.value if field is None or _comes_as_it_is(field, self.value) else UNKNOWN
        node = Scalar(start, end, "" if value is UNKNOWN else str(value), '"' if type(value) is str else "", COMPOSED)
        node.value = value
        return Entry(Scalar(start, end, name), node)


def _comes_as_it_is(field: "Field", value: object) -> bool:
    """Whether argparse hands a default on as it stands: it converts texts alone."""
    if value is None or field.has_type_of(value):
        return True
    return type(value) is str and "str" in field.type


def is_dataclass(node: ast.ClassDef) -> bool:
    """Whether what a class annotates is a field. Without the decorator one that is made from a dataclass adds none, and changes
    no default."""
    decorators = (each.func if isinstance(each, ast.Call) else each for each in node.decorator_list)
    return "dataclass" in [dotted(each).rpartition(".")[2] for each in decorators]


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
    set_later = {
        target.attr
        for method in node.body
        if isinstance(method, ast.FunctionDef) and method.name == "__post_init__"
        for target in ast.walk(method)
        if isinstance(target, ast.Attribute) and not isinstance(target.ctx, ast.Load) and dotted(target.value) == "self"
    }
    found.update(
        {name: Default(UNKNOWN, line=found[name].line if name in found else node.lineno) for name in set_later}
    )
    return found


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
        if _is_of_trl(name, module):
            self.has_config |= module.from_trl.get(name, name.rpartition(".")[2]) in CONFIGS
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
            if _is_of_trl(base, home):  # which may have fields by the names of those behind it
                found = {field: default.unknown() for field, default in found.items()}
            found.update(self.fields(base, home))
        self._open.discard(key)
        found.update({name: Default(default.value, home.path, default.line) for name, default in each.fields.items()})
        self._left -= len(found)
        self._known[key] = found if self._left >= 0 else {}
        return self._known[key]


def _is_of_trl(name: str, module: "Module") -> bool:
    """Whether a name is that of a class of arguments of TRL, whose defaults are in the catalogue."""
    if name.startswith(f"{PACKAGE}.") or ("." in name and module.imports_trl and name.rpartition(".")[2] in CONFIGS):
        return True
    if name in CONFIGS and "*" in module.from_trl and name not in module.classes:
        return True
    return name in module.from_trl and name not in module.classes and module.from_trl[name] in ARGUMENTS
