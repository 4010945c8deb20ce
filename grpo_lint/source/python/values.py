"""The values of Python expressions, as far as the text decides them. Nothing is run, and what is not certain is
unknown.

Known are literals, names that stand for them, arithmetic, items of literal mappings, fields of classes and defaults of
arguments.
"""

import ast
import operator

from ...record import derived, once
from ...unknown import UNKNOWN, is_beyond
from .reader import dotted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, TypeGuard

    from ...shared_types import Binding, Callable, Mapping, Scopes

    Given = str | Literal[True] | None  # what stands behind a flag: a text, an unknown one, or nothing

DEEPEST = 40  # levels of names that stand for names, and of nested expressions
MOST_STEPS = 20_000  # of all values of one file
LONGEST_LIST = 200
MOST_NAMES = 20  # of one argument
MOST_PARTS = 1000  # of a list or a mapping with all that is in it; a hundred characters of a text count as one
_ARITHMETIC: "dict[type[ast.operator], Callable[[Any, Any], Any]]" = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
}  # fmt: skip
_FUNCTIONS: "dict[str, Callable[..., Any]]" = {
    "int": int, "float": float, "bool": bool, "abs": abs, "max": max, "min": min, "round": round,
}  # fmt: skip
_FROM_TEXT: "dict[str, Callable[[str], Any]]" = {"int": int, "float": float, "str": str}


class Value:
    """The value of an expression.

    value     UNKNOWN, None, a truth value, a number, a text, a list or a mapping of these
    literal   the literal to edit to change the value, None where there are several or others read it
    assumes   the assumptions, each in words
    """

    __slots__ = ("value", "literal", "assumes")

    def __init__(self, value: object, literal: "ast.expr | None" = None, assumes: "tuple[str, ...]" = ()) -> None:
        self.value = value
        self.literal = literal
        self.assumes = assumes

    def __repr__(self) -> str:
        return f"Value({self.value!r})"


NOTHING = Value(UNKNOWN)


class Values:
    """The values of the expressions of one text. `flags`: {name: text} of the command that starts it, None for an
    unknown text, True for none behind the flag; `flags_are_all`: whether the command certainly gives no other flags, so that defaults are in force."""

    def __init__(
        self, scopes: "Scopes", flags: "Mapping[str, Given] | None" = None, flags_are_all: bool = False
    ) -> None:
        self.scopes = scopes
        self._flags: Mapping[str, Given] = flags or {}
        self.asked: set[str] = set()  # the flags whose texts were taken, until somebody clears it
        self._flags_are_all = flags_are_all
        self._steps = MOST_STEPS
        self._arguments: dict[str, Value] = {}
        self._of_sections: set[str] = {name.rpartition(".")[2] for name in self._flags if "." in name}
        self._declared: dict[str, list[ast.Call]] = {}
        self._called: dict[str, list[ast.Call]] = {}
        self._known: dict[Binding, Value] = {}
        self._has_command_line = any(dotted(each.func) in _COMMAND_LINES for each in scopes.calls)
        for call in scopes.calls:
            self._called.setdefault(dotted(call.func).rpartition(".")[2], []).append(call)
            if isinstance(call.func, ast.Attribute) and call.func.attr == "add_argument":
                name = _destination(call)
                if name:
                    self._declared.setdefault(name, []).append(call)

    def of(self, node: "ast.expr | None", depth: int = 0) -> Value:
        """The Value of an expression."""
        self._steps -= 1
        if node is None or depth > DEEPEST or self._steps < 0:
            return NOTHING
        reader = _READERS.get(type(node))
        return NOTHING if reader is None else reader(self, node, depth + 1)

    # --- expressions

    def _constant(self, node: ast.Constant, depth: int) -> Value:
        value = node.value
        if type(value) not in (type(None), bool, int, float, str) or is_beyond(value):
            return NOTHING
        return Value(value, node)

    def _unary(self, node: ast.UnaryOp, depth: int) -> Value:
        inner = self.of(node.operand, depth)
        if isinstance(node.op, ast.Not) and type(inner.value) is bool:
            return Value(not inner.value, None, inner.assumes)
        if type(inner.value) not in (int, float) or not isinstance(node.op, (ast.USub, ast.UAdd)):
            return NOTHING
        sign = -1 if isinstance(node.op, ast.USub) else 1
        literal = node if isinstance(node.operand, ast.Constant) else None
        return Value(sign * inner.value, literal, inner.assumes)  # type: ignore[operator]  # it is a number

    def _binary(self, node: ast.BinOp, depth: int) -> Value:
        left, right = self.of(node.left, depth), self.of(node.right, depth)
        both = left.value, right.value
        if not all(type(each) in (int, float) and not is_beyond(each) for each in both):
            return NOTHING
        if isinstance(node.op, ast.Pow):
            if not (type(both[1]) is int and 0 <= both[1] < 64 and abs(both[0]) < 1 << 32):  # type: ignore[arg-type]
                return NOTHING
            compute: Callable[[Any, Any], Any] = pow
        elif type(node.op) in _ARITHMETIC:
            compute = _ARITHMETIC[type(node.op)]
        else:
            return NOTHING
        return _computed(lambda: compute(*both), left, right)

    def _list(self, node: ast.List, depth: int) -> Value:
        if len(node.elts) > LONGEST_LIST:
            return NOTHING
        items = [self.of(each, depth) for each in node.elts]
        return _whole([each.value for each in items], node, items)

    def _dict(self, node: ast.Dict, depth: int) -> Value:
        if len(node.keys) > LONGEST_LIST:
            return NOTHING
        found, parts = {}, []
        for key, value in zip(node.keys, node.values, strict=True):
            if not (isinstance(key, ast.Constant) and type(key.value) is str):
                return NOTHING
            parts.append(self.of(value, depth))
            found[key.value] = parts[-1].value
        return _whole(found, node, parts)

    def _choice(self, node: ast.IfExp, depth: int) -> Value:
        one, other = self.of(node.body, depth), self.of(node.orelse, depth)
        same = type(one.value) is type(other.value) and one.value == other.value
        return Value(one.value, None, _together([one, other])) if same else NOTHING

    def _call(self, node: ast.Call, depth: int) -> Value:
        if not isinstance(node.func, ast.Name) or self.scopes.bindings(node.func.id, node):
            return NOTHING
        if node.func.id == "dict" and not node.args:
            return self._called_dict(node, depth)
        compute = _FUNCTIONS.get(node.func.id)
        given = [self.of(each, depth) for each in node.args]
        if compute is None or node.keywords or not given:
            return NOTHING
        if not all(type(each.value) in (bool, int, float) for each in given):
            return NOTHING
        return _computed(lambda: compute(*(each.value for each in given)), *given)

    def _called_dict(self, node: ast.Call, depth: int) -> Value:
        parts = {each.arg: self.of(each.value, depth) for each in node.keywords}
        if None in parts or len(parts) > LONGEST_LIST:
            return NOTHING
        return _whole({str(name): each.value for name, each in parts.items()}, None, list(parts.values()))

    def _name(self, node: ast.Name, depth: int) -> Value:
        binding = self.scopes.binding(node.id, node)
        if binding is None:
            return NOTHING
        if binding.index is not None:
            return self._of_item(binding, depth)
        if binding.argument:
            return self._of_argument(binding, depth)
        if binding.value is None:
            return NOTHING
        if binding not in self._known:
            self._known[binding] = self._of_binding(node.id, binding.value, depth)
        return self._known[binding]

    def _of_item(self, binding: "Binding", depth: int) -> Value:
        """The value of a name that is bound to one item of several, as in `a, b = 1, 2`."""
        several, index = binding.value, binding.index
        if not isinstance(several, (ast.Tuple, ast.List)) or index is None or index >= len(several.elts):
            return NOTHING
        is_open = any(isinstance(each, ast.Starred) for each in several.elts)
        found = NOTHING if is_open else self.of(several.elts[index], depth)
        return Value(found.value, None, found.assumes)

    def _of_binding(self, name: str, value: ast.expr, depth: int) -> Value:
        found = self.of(value, depth)
        if isinstance(value, ast.Dict) and self.set_later(name) != frozenset():
            return NOTHING
        is_read_once = len(self.scopes.names[name]) == 2
        return Value(found.value, found.literal if is_read_once else None, found.assumes)

    @once
    def set_later(self, name: str) -> "frozenset[str] | None":
        """The keys that are set on a mapping after it is created; None where that is not certain."""
        parent = self.scopes.source.parent
        found: set[str] = set()
        for node in self.scopes.names.get(name, ()):
            if isinstance(node.ctx, ast.Load):
                around = parent[node]
                depth = 0
                while isinstance(around, ast.Subscript):
                    depth += 1
                    if not isinstance(around.ctx, ast.Load):
                        key = around.slice.value if isinstance(around.slice, ast.Constant) else None
                        if depth > 1 or type(key) is not str:
                            return None
                        found.add(key)
                    around = parent[around]
                if isinstance(around, ast.Attribute) and around.attr in _CHANGES:
                    return None
        return frozenset(found)

    def _of_argument(self, binding: "Binding", depth: int) -> Value:
        """The default of an argument of a function, where nothing in the file passes another value."""
        if binding.value is None or not isinstance(binding.node, ast.arg):
            return NOTHING
        name = binding.node.arg
        function = self.scopes.source.parent[self.scopes.source.parent[binding.node]]
        title = getattr(function, "name", "")
        if self._is_handed_on(function):
            return (self._flag(name, _kind_of(binding)) if self._is_command_line(function) else None) or NOTHING
        given = self._given_to(title)
        if given is None or name in given:
            return NOTHING
        found = self.of(binding.value, depth)
        told = f"{title}() is called with the default of {name}"
        return Value(found.value, None, (*found.assumes, told)) if title else NOTHING

    @once
    def _is_handed_on(self, function: ast.AST) -> "TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]":
        """Whether something else than the calls of the file calls a function: what decorates it, what it is handed to (`fire.Fire(main)`),
        or a library for command lines, which finds by itself what nothing here calls."""
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return False
        return self._is_decorated(function) or self._is_passed(function.name)

    def _is_decorated(self, function: "ast.FunctionDef | ast.AsyncFunctionDef") -> bool:
        wrapped = (each.func if isinstance(each, ast.Call) else each for each in function.decorator_list)
        return any(dotted(each).rpartition(".")[2] not in _HARMLESS for each in wrapped)

    def _is_passed(self, title: str) -> bool:
        parent = self.scopes.source.parent
        for each in self.scopes.names.get(title, ()):
            around = parent[each]
            if isinstance(each.ctx, ast.Load) and not (isinstance(around, ast.Call) and around.func is each):
                return True
        return title not in self._called and self._has_command_line

    def _is_command_line(self, function: "ast.FunctionDef | ast.AsyncFunctionDef") -> bool:
        """Whether the flags of the command seem to be the arguments of a function."""
        if self._has_command_line:
            return True
        return any(isinstance(each, ast.Attribute) and each.attr == "command" for each in function.decorator_list)

    @once
    def _given_to(self, title: str) -> "set[str] | None":
        """The names of the arguments that the calls of a function give it, None where that cannot be told."""
        calls = self._called.get(title, [])
        names = [each.arg for call in calls for each in call.keywords]
        return None if None in names or any(call.args for call in calls) else {str(name) for name in names}

    @once
    def _keywords_of(self, call: ast.Call) -> "dict[str | None, ast.expr]":
        """{name: expression} of what a call gives by name, None the name of what it gives with `**`."""
        return {each.arg: each.value for each in reversed(call.keywords)}  # the first one counts

    def _subscript(self, node: ast.Subscript, depth: int) -> Value:
        if not (isinstance(node.slice, ast.Constant) and type(node.slice.value) is str):
            return NOTHING
        holder = self.mapping(node.value, depth)
        found = self._items_of(holder).get(node.slice.value) if holder else None
        return NOTHING if found is None else self.of(found, depth)

    @once
    def _items_of(self, node: ast.Dict) -> "dict[object, ast.expr]":
        """{key: expression} of a literal mapping, as far as nothing behind an item may be another one by its key."""
        found: dict[object, ast.expr] = {}
        for key, value in zip(reversed(node.keys), reversed(node.values)):
            if not isinstance(key, ast.Constant):
                break
            found.setdefault(key.value, value)
        return found

    @once
    def is_handed_over(self, name: str, key: "str | None" = None) -> bool:
        """Whether something else may change a mapping, or what stands in it under a key: it is an argument of a call, or another name
        stands for it."""
        loads = [node for node in self.scopes.names.get(name, ()) if isinstance(node.ctx, ast.Load)]
        return any(self._may_change(node, key) for node in loads)

    def _may_change(self, node: ast.expr, key: "str | None") -> bool:
        parent = self.scopes.source.parent
        around = parent[node]
        if key is not None:
            if not (isinstance(around, ast.Subscript) and around.value is node):
                return False
            if not (isinstance(around.slice, ast.Constant) and around.slice.value == key):
                return not isinstance(around.slice, ast.Constant)
            around = parent[around]
        if isinstance(around, ast.keyword):
            return around.arg is not None
        return not (isinstance(around, (ast.Subscript, ast.Attribute, ast.Compare)) or _only_shows(around))

    def bound(self, node: ast.Name) -> "ast.expr | None":
        """The expression that a name stands for; None where that is not certain."""
        binding = self.scopes.binding(node.id, node)
        return binding.value if binding and binding.index is None and not binding.argument else None

    def mapping(self, node: ast.expr, depth: int = 0) -> "ast.Dict | None":
        """The literal mapping that an expression stands for; None where there is none."""
        if depth > DEEPEST:
            return None
        if isinstance(node, ast.Dict):
            return node
        if isinstance(node, ast.Name):
            value = self.bound(node)
            return value if isinstance(value, ast.Dict) and self.set_later(node.id) == frozenset() else None
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            holder = self.mapping(node.value, depth + 1)
            found = self._items_of(holder).get(node.slice.value) if holder else None
            return found if isinstance(found, ast.Dict) else None
        return None

    # --- attributes

    def _attribute(self, node: ast.Attribute, depth: int) -> Value:
        stores = self.scopes.stores.get(node.attr, [])
        if "*" in self.scopes.stores:
            return NOTHING
        made = self._made_by(node.value, depth)
        if made is not None:
            return self._field(*made, node.attr, stores, depth)
        if stores:
            return NOTHING
        return self._argument(node, depth)

    def _made_by(self, node: ast.expr, depth: int) -> "tuple[ast.ClassDef, ast.Call | None, bool] | None":
        """(class, the call that creates it, whether nothing else can fill it) of an object; None where its class is not
        known to be one of the file."""
        if not isinstance(node, ast.Name):
            made = self._class(node.func) if isinstance(node, ast.Call) else None
            return (made, node, True) if made and isinstance(node, ast.Call) else None
        if node.id in ("self", "cls"):
            around = next((each for each in self.scopes.source.above(node) if isinstance(each, ast.ClassDef)), None)
            return (around, None, False) if around else None
        binding = self.scopes.binding(node.id, node)
        return self._made_as(binding) if binding is not None else None

    def _made_as(self, binding: "Binding") -> "tuple[ast.ClassDef, ast.Call | None, bool] | None":
        """(class, the call that creates it, whether nothing else can fill it) of what a name is bound to; None where it is not known."""
        if isinstance(binding.node, ast.ClassDef):
            return binding.node, None, True
        found = None
        if isinstance(binding.node, ast.arg) and binding.node.annotation is not None:
            found = self._class(binding.node.annotation)
        elif isinstance(binding.value, ast.Call):
            made = self._class(binding.value.func) if binding.index is None else None
            if made is not None:
                return made, binding.value, True
            found = self._parsed_class(binding.value, binding.index)
        return (found, None, False) if found else None

    def _class(self, node: ast.expr) -> "ast.ClassDef | None":
        """The class of the file that a name refers to."""
        binding = self.scopes.binding(node.id, node) if isinstance(node, ast.Name) else None
        return binding.node if binding and isinstance(binding.node, ast.ClassDef) else None

    def _parsed_class(self, call: ast.Call, index: "int | None") -> "ast.ClassDef | None":
        """The class of an item that a parser of classes returns."""
        if not (isinstance(call.func, ast.Attribute) and call.func.attr.startswith("parse_") and index is not None):
            return None
        holder = call.func.value
        binding = self.scopes.binding(holder.id, holder) if isinstance(holder, ast.Name) else None
        made = binding.value if binding else holder
        if not isinstance(made, ast.Call) or not (made.args or made.keywords):
            return None
        given = self._keywords_of(made).get("dataclass_types")
        given = given or (made.args[0] if made.args else None)
        items = given.elts if isinstance(given, (ast.Tuple, ast.List)) else [given] if given else []
        return self._class(items[index]) if index < len(items) else None

    def _field(
        self,
        owner: ast.ClassDef,
        call: "ast.Call | None",
        is_sure: bool,
        name: str,
        stores: "list[ast.AST]",
        depth: int,
    ) -> Value:
        """The value of a field of an object of a class."""
        if call is not None:
            keywords = self._keywords_of(call)
            if call.args or None in keywords:
                return NOTHING
            given = keywords.get(name)
            if given is not None:
                return NOTHING if stores else self.of(given, depth)
        flag = None if is_sure else self._flag(name)
        if flag is not None:
            return flag
        default = self.default_of(owner, name)
        if default is None and len(stores) == 1:
            default, stores = self._set_by_constructor(owner, stores[0]), []
        if default is None or stores:
            return NOTHING
        found = self.of(default, depth)
        told = f"{name} of {owner.name} has its default"
        return found if is_sure else Value(found.value, None, (*found.assumes, told))

    def default_of(self, owner: ast.ClassDef, name: str) -> "ast.expr | None":
        """The expression that a class assigns to a field; None where there is none, or several."""
        return self._defaults_of(owner).get(name)

    @once
    def _defaults_of(self, owner: ast.ClassDef) -> "dict[str, ast.expr | None]":
        found: dict[str, ast.expr | None] = {}
        for each, value, _ in fields_of(owner):
            found[each] = None if each in found else value
        return found

    def _set_by_constructor(self, owner: ast.ClassDef, store: ast.AST) -> "ast.expr | None":
        """The expression that `__init__` assigns to an attribute of `self` outside of branches."""
        parent = self.scopes.source.parent
        statement = parent[store]
        if not (isinstance(statement, ast.Assign) and isinstance(store, ast.Attribute)):
            return None
        function = parent[statement]
        if not (isinstance(function, ast.FunctionDef) and function.name == "__init__" and parent[function] is owner):
            return None
        return statement.value if dotted(store.value) == "self" else None

    def _argument(self, node: ast.Attribute, depth: int) -> Value:
        """The value of an argument of the command line: as the command gives it, or its default."""
        calls = self._declared.get(node.attr, [])
        if len(calls) != 1 or not isinstance(node.value, (ast.Name, ast.Attribute)):
            return NOTHING
        holder = dotted(node.value).rpartition(".")[2].lower()
        if not any(word in holder for word in ("arg", "opt", "conf", "cfg", "param", "flags", "ns")):
            if not self._is_parsed(node.value):
                return NOTHING
        if node.attr not in self._arguments:
            self._arguments[node.attr] = NOTHING  # while it is looked at
            self._arguments[node.attr] = self._of_declared(node.attr, calls[0], depth)
        return self._arguments[node.attr]

    def _of_declared(self, name: str, call: ast.Call, depth: int) -> Value:
        given = self._keywords_of(call)
        action = self._action(given.get("action"), depth)
        if action is None or None in given or not self._presets.isdisjoint((name, None)):
            return NOTHING
        kind = dotted(given["type"]) if "type" in given else None
        said = self._said(call, action == _TWO_WAYS)
        if said is _ABSENT:
            return self._default_of(name, given, kind, action, depth)
        if action == "store":
            return _converted(said if type(said) is str and "nargs" not in given else None, kind or "str")
        value = said if action == _TWO_WAYS else action
        return Value(value) if type(value) is bool else NOTHING

    def _action(self, node: "ast.expr | None", depth: int) -> "str | bool | None":
        """What the flag of an argument does: "store", `_TWO_WAYS`, or the truth value that it stands for; None for what is not read."""
        if node is None:
            return "store"
        if dotted(node).rpartition(".")[2] == _TWO_WAYS:
            return _TWO_WAYS
        word = self.of(node, depth).value
        return "store" if word == "store" else _SWITCHES.get(word) if type(word) is str else None

    def _default_of(
        self, name: str, given: "dict[str | None, ast.expr]", kind: "str | None", action: "str | bool", depth: int
    ) -> Value:
        """The value of an argument for which the command has no flag."""
        if "default" in given and "required" not in given:
            value = self.of(given["default"], depth)
            if value.value is None or (type(value.value) is str and kind not in (None, "str")):
                return NOTHING  # None often stands for a value that is computed later; a text is converted to the type
        elif type(action) is bool:
            value = Value(not action)
        else:
            return NOTHING
        told = () if self._flags_are_all else (f"--{name} has its default",)
        return Value(value.value, None, (*value.assumes, *told))

    def _said(self, call: ast.Call, is_two_ways: bool) -> object:
        """What the command gives an argument: what stands behind its flag, False behind the flag that negates it, None where that is
        not known, `_ABSENT` for no flag. The beginning of a name may be meant for it."""
        names = _flags_of(call)
        given = [name for name in names if name in self._flags]
        self.asked.update(given)
        found: list[object] = [*map(self._flags.__getitem__, given)]
        found += [False for name in names if is_two_ways and f"no_{name}" in self._flags]
        if len(found) > 1 or len(names) > MOST_NAMES:
            return None
        others = [] if found else [flag for flag in self._flags if flag not in self._options]
        if any(name.startswith(flag) for name in names for flag in others):
            return None
        return found[0] if found else _ABSENT

    @derived
    def _options(self) -> "set[str]":
        """The names of the flags of all arguments."""
        return {name for calls in self._declared.values() for call in calls for name in _flags_of(call)}

    @derived
    def _presets(self) -> "set[str | None]":
        """The names of the arguments whose defaults a call replaces; None among them for names that are not known."""
        calls = self._called.get("set_defaults", ())
        return {each.arg for call in calls for each in call.keywords} | {None for call in calls if call.args}

    def _is_parsed(self, node: "ast.Name | ast.Attribute") -> bool:
        """Whether a name stands for the result of an argument parser."""
        binding = self.scopes.binding(node.id, node) if isinstance(node, ast.Name) else None
        made = binding.value if binding else None
        return isinstance(made, ast.Call) and dotted(made.func).endswith(".parse_args")

    def _flag(self, name: str, kind: str = "") -> "Value | None":
        """The Value that the command gives an argument; None where it gives none, so that the default is in force."""
        if name not in self._flags:
            return NOTHING if name in self._of_sections else None
        said = self._flags[name]
        self.asked.add(name)
        return NOTHING if said is True else _converted(said, kind)


_ABSENT = object()
# Decorators that hand a function the arguments of its callers.
_HARMLESS = frozenset("record no_grad inference_mode cache lru_cache wraps staticmethod classmethod property".split())
# What calls functions with the flags of the command.
_COMMAND_LINES = frozenset(
    """fire.Fire Fire tyro.cli typer.run typer.Typer Typer click.command click.group jsonargparse.CLI jsonargparse.auto_cli CLI auto_cli
    defopt.run plac.call cyclopts.App cyclopts.run""".split()
)
_SWITCHES = {"store_true": True, "store_false": False}  # {action of an argument: what its flag stands for}
_TWO_WAYS = "BooleanOptionalAction"  # --x and --no-x
_CHANGES = frozenset("update setdefault pop popitem clear __setitem__".split())
_READERS: "dict[type[ast.expr], Callable[[Values, Any, int], Value]]" = {
    ast.Constant: Values._constant, ast.UnaryOp: Values._unary, ast.BinOp: Values._binary, ast.List: Values._list,
    ast.Dict: Values._dict, ast.IfExp: Values._choice, ast.Call: Values._call, ast.Name: Values._name,
    ast.Subscript: Values._subscript, ast.Attribute: Values._attribute,
}  # fmt: skip


def fields_of(owner: ast.ClassDef) -> "list[tuple[str, ast.expr | None, ast.stmt]]":
    """[(name, default, statement)] of the fields of a class, in order; `field(default=8)` gives the 8."""
    found: list[tuple[str, ast.expr | None, ast.stmt]] = []
    for each in owner.body:
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
            found.append((each.target.id, _default(each.value), each))
        elif isinstance(each, ast.Assign):
            found += [(name.id, _default(each.value), each) for name in each.targets if isinstance(name, ast.Name)]
    return found


def _default(node: "ast.expr | None") -> "ast.expr | None":
    if isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] in ("field", "Field"):
        given = [each.value for each in node.keywords if each.arg == "default"]
        return given[0] if given else None
    return node


def _destination(call: ast.Call) -> str:
    """The name of the attribute in which argparse stores an argument."""
    told = next((each.value for each in call.keywords if each.arg == "dest"), None)
    if told is not None:
        return str(told.value) if isinstance(told, ast.Constant) else ""
    names = [each.value for each in call.args if isinstance(each, ast.Constant) and type(each.value) is str]
    names = [name for name in names if name.startswith("--")] or names
    return names[0].lstrip("-").replace("-", "_") if names else ""


def _only_shows(node: ast.AST) -> bool:
    """Whether a call prints what it is given."""
    return isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] in ("print", "pprint", "info", "len")


def _kind_of(binding: "Binding") -> str:
    """The type of an argument of a function, as it is annotated, or that of its default."""
    if isinstance(binding.node, ast.arg) and binding.node.annotation is not None:
        kind = dotted(binding.node.annotation)
    else:
        kind = type(binding.value.value).__name__ if isinstance(binding.value, ast.Constant) else ""
    return kind if kind in ("int", "float") else ""  # a text may become a number


def _flags_of(call: ast.Call) -> "list[str]":
    """The names of the flags of an argument, as they stand in a command without their dashes."""
    names = [each.value for each in call.args if isinstance(each, ast.Constant) and type(each.value) is str]
    return list(dict.fromkeys(name.lstrip("-").replace("-", "_") for name in names if name[:1] == "-"))


def _converted(text: "str | None", kind: str) -> Value:
    """The Value of a word that a type of argparse converts."""
    convert = _FROM_TEXT.get(kind)
    if text is None or convert is None:
        return NOTHING
    try:
        value = convert(text)
    except ValueError:
        return NOTHING
    return NOTHING if is_beyond(value) else Value(value)


def _computed(compute: "Callable[[], object]", *parts: Value) -> Value:
    try:
        value = compute()
    except (ArithmeticError, ValueError, TypeError):
        return NOTHING
    known = type(value) in (bool, int, float) and not is_beyond(value)
    return Value(value, None, _together(list(parts))) if known else NOTHING


def _whole(value: "list[object] | dict[str, object]", literal: "ast.expr | None", parts: "list[Value]") -> Value:
    """A list or a mapping of parts; unknown where names that stand for others make it too large."""
    left = MOST_PARTS
    open_: list[object] = [value]
    while open_:
        each = open_.pop()
        left -= 1 + (len(each) // 100 if type(each) is str else 0)
        if left < 0:
            return NOTHING
        if type(each) is list:
            open_ += each
        elif type(each) is dict:
            open_ += each.values()
    return Value(value, literal, _together(parts))


def _together(parts: "list[Value]") -> "tuple[str, ...]":
    return tuple(dict.fromkeys(told for part in parts for told in part.assumes))
