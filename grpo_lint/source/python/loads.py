"""Which file of YAML or JSON an expression of Python is loaded from."""

import ast

from .reader import dotted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .values import Values

    Loading = tuple[str, tuple[str, ...], frozenset[str], bool]

_LOADERS = frozenset(("yaml.safe_load", "yaml.full_load", "safe_load", "full_load", "json.load", "json.loads"))
_TOLD_LOADERS = frozenset(("yaml.load",))  # what is given a loader
_USUAL = frozenset(("SafeLoader", "FullLoader", "Loader", "CSafeLoader", "CLoader"))
_MOST_KEYS = 5  # of sections in sections


def loading_of(node: ast.expr, values: "Values") -> "Loading | None":
    """(name of the file, keys that lead to the mapping in it, keys that are set later, whether it is read as JSON) of a mapping that
    is loaded from one and, as far as the text tells, not changed otherwise; None for any other expression."""
    keys: list[str] = []
    while isinstance(node, ast.Subscript) and len(keys) < _MOST_KEYS:
        if not (isinstance(node.slice, ast.Constant) and type(node.slice.value) is str):
            return None
        keys.insert(0, node.slice.value)
        node = node.value
    later: frozenset[str] | None = frozenset()
    if isinstance(node, ast.Name):
        later = values.set_later(node.id)
        bound = values.bound(node)
        if not isinstance(bound, ast.Call) or values.is_handed_over(node.id):
            return None
        if keys and (later or values.is_handed_over(node.id, keys[0])):
            return None
        node = bound
    name = _file_loaded_by(node, values) if isinstance(node, ast.Call) else None
    if name is None or later is None:
        return None
    return name, tuple(keys), later, isinstance(node, ast.Call) and dotted(node.func).startswith("json.")


def _file_loaded_by(call: ast.Call, values: "Values") -> str | None:
    name = dotted(call.func)
    loaders = [*call.args[1:], *(each.value for each in call.keywords if each.arg == "Loader")]
    if not call.args or not (name in _LOADERS or name in _TOLD_LOADERS):
        return None
    if name in _TOLD_LOADERS and [dotted(each).rpartition(".")[2] in _USUAL for each in loaders] != [True]:
        return None
    stream = call.args[0]
    if isinstance(stream, ast.Call) and isinstance(stream.func, ast.Attribute) and stream.func.attr == "read":
        stream = stream.func.value
    return _file_opened_by(_context(stream, call, values) or stream, values)


def _context(stream: ast.expr, call: ast.Call, values: "Values") -> ast.expr | None:
    """The expression of the `with` around a call that gives its stream."""
    name = stream.id if isinstance(stream, ast.Name) else None
    withs = [around for around in values.scopes.source.above(call) if isinstance(around, ast.With)]
    for item in [item for around in withs for item in around.items]:
        if isinstance(item.optional_vars, ast.Name) and item.optional_vars.id == name:
            return item.context_expr
    return None


def _file_opened_by(stream: ast.expr, values: "Values") -> str | None:
    """The name that `open(name)`, `Path(name).open()` or `Path(name).read_text()` is given."""
    if not isinstance(stream, ast.Call):
        return None
    named: ast.expr | None = None
    if dotted(stream.func) == "open" and stream.args:
        named = stream.args[0]
    elif isinstance(stream.func, ast.Attribute) and stream.func.attr in ("open", "read_text"):
        path = stream.func.value
        if isinstance(path, ast.Call) and dotted(path.func) in ("Path", "pathlib.Path") and len(path.args) == 1:
            named = path.args[0]
    found = values.of(named) if named is not None else None
    return found.value if found is not None and type(found.value) is str and not found.assumes else None
