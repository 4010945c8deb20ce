"""The dataclasses of a copy of a framework: their fields, with those of the classes that they are made from. Nothing is executed."""

import ast
import os

from ..files import disk
from ..record import Record, once
from ..source.python.reader import TooMuch, dotted, is_dataclass, parsed
from ..unknown import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Read

    Found = tuple[str, ast.ClassDef]  # (the module in which a class stands, its node)

MOST_FILES = 40  # of one package that are looked through for a class
MOST_BASES = 20  # classes that one is made from, or modules that hand one on
_WITHOUT_FIELDS = frozenset(("object", "ABC", "Mapping", "dict", "Generic", "Protocol"))


class Declared(Record):
    """A field of a dataclass.

    annotation  as it is written
    default     its value, UNKNOWN where that is no literal
    home        the module in which its names have their meaning
    """

    annotation: str
    default: object
    home: str


class Classes:
    """The dataclasses below a folder that Python imports. `read` gives the text of a path."""

    def __init__(self, folder: str, read: "Read") -> None:
        self._folder = folder
        self._read = read

    @once
    def fields_of(self, target: str, of_others: "frozenset[str]" = frozenset()) -> "dict[str, Declared] | None":
        """{name: Declared} of the class of this full name, which another module may only hand on; None where it, or one of those
        that it is made from, is not found. `of_others`: packages with classes whose fields are left out."""
        module, _, name = target.rpartition(".")
        return self._fields(module, name, MOST_BASES, of_others)

    def _fields(self, module: str, name: str, left: int, of_others: "frozenset[str]") -> "dict[str, Declared] | None":
        home, node = self._find(module, name, left) or ("", None)
        if node is None:
            return None
        found: dict[str, Declared] = {}
        for base in map(_last_name, reversed(node.bases)):  # what the first one says counts most
            if base not in _WITHOUT_FIELDS and not self._is_of(of_others, home, base):
                above = self._fields(home, base, left - 1, of_others)
                if above is None:
                    return None
                found.update(above)
        return {**found, **(_declared(node, home) if is_dataclass(node) else {})}

    def _is_of(self, packages: "frozenset[str]", module: str, name: str) -> bool:
        """Whether a module imports a class from one of these packages."""
        return bool(packages) and self._package(module).imported.get(name, "").partition(".")[0] in packages

    def _find(self, module: str, name: str, left: int) -> "Found | None":
        """The class of a name in a module or where it imports it from, else in a module of its package, which takes longer."""
        if left <= 0:
            return None
        for each in filter(None, (module, module.rpartition(".")[0])):
            package = self._package(each)
            if name in package.classes:
                return package.classes[name]
            home = package.imported.get(name)
            found = self._find(home, name, left - 1) if home else None
            if found is not None:
                return found
        return None

    @once
    def _package(self, name: str) -> "_Package":
        """A module, or the modules of a package."""
        own, parts = os.path.basename(os.path.abspath(self._folder)), name.split(".")
        package = _Package()
        if own not in parts:
            return package
        path = os.path.join(self._folder, *parts[parts.index(own) + 1 :])  # a copy may be part of another package
        self._add(package, f"{path}.py", name)
        files = sorted(file for file, _ in disk.entries(path) if file.endswith(".py"))
        for file in files[:MOST_FILES]:
            self._add(package, os.path.join(path, file), name if file == "__init__.py" else f"{name}.{file[:-3]}")
        return package

    def _add(self, package: "_Package", path: str, module: str) -> None:
        text = self._read(path)
        if text and ("class " in text or "import" in text):
            try:
                package.add(parsed(text).body, module, path.endswith("__init__.py"))
            except (SyntaxError, TooMuch):
                return


class _Package:
    """What stands in some modules.

    classes   {name: (its module, its node)}
    imported  {name: the module that it comes from}
    """

    def __init__(self) -> None:
        self.classes: dict[str, Found] = {}
        self.imported: dict[str, str] = {}

    def add(self, nodes: "list[ast.stmt]", module: str, is_package: bool) -> None:
        for node in nodes:
            if isinstance(node, ast.ClassDef):
                self.classes.setdefault(node.name, (module, node))
            elif isinstance(node, ast.ImportFrom):
                home = _imported_from(node, module, is_package)
                self.imported.update((alias.asname or alias.name, home) for alias in node.names)


def _imported_from(node: ast.ImportFrom, module: str, is_package: bool) -> str:
    """The full name of the module from which a statement imports."""
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    above = parts[: len(parts) - node.level + is_package]
    return ".".join([*above, *([node.module] if node.module else [])])


def _last_name(node: ast.expr) -> str:
    return dotted(node.value if isinstance(node, ast.Subscript) else node).rpartition(".")[2]


def _declared(node: ast.ClassDef, home: str) -> "dict[str, Declared]":
    """What a dataclass itself says."""
    fields = [each for each in node.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)]
    found = {
        each.target.id: Declared(annotation=ast.unparse(each.annotation), default=_default(each.value), home=home)  # type: ignore[union-attr]
        for each in fields
    }
    return {name: field for name, field in found.items() if "ClassVar" not in field.annotation}


def _default(node: "ast.expr | None") -> object:
    """The value of a default; UNKNOWN for one that is computed, and where there is none."""
    if isinstance(node, ast.Call) and _last_name(node.func) == "field":
        node = next((each.value for each in node.keywords if each.arg == "default"), None)
    try:
        return UNKNOWN if node is None else ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return UNKNOWN
