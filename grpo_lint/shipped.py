"""Code that a wheel brings along in one file, so that a start looks for no hundred modules, and compiles no formula.

`python -m shipping` writes the file, and `shipping/hook.py` puts it into a wheel. Nothing hangs on it: where there is none, as in a
checkout, and with another Python, all is imported and compiled as usual, and so is a module whose source was changed since.

What the same typical starts need is a group, which is read and run at once: an import costs four times as much as its module where the import
system looks for each by itself, and a name that stands in fifty modules is made once.

The file: the magic number of the Python whose code it is, where the index begins as ten digits, the groups, and the index:
{module: Place} and where each group begins and ends. A group: ({module: its code}, in the order in which they can be run, and
{text of a formula: what `marshal` makes of its code}).
"""

import os
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import MAGIC_NUMBER, SourceFileLoader
from _imp import _fix_co_filename as fix_file_name  # type: ignore[attr-defined]  # as the import system does with bytecode
from _thread import _count as threads, allocate_lock
from marshal import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import FileIO
    from types import CodeType, ModuleType

    # of a module: its file below the package, the bytes of this source, and the number of its group
    Place = tuple[str, int, int]

FILE = f"shipped.{sys.implementation.cache_tag}"
DIGITS = 10
AT_ONCE = 60.0  # seconds in which an installation writes its files

in_use: "Shipped | None" = None


def use(folder: str = os.path.dirname(__file__)) -> None:
    """Import what follows from the file of a folder that holds the package, where it has one of this Python."""
    global in_use
    try:
        file = open(f"{folder}/{FILE}", "rb", buffering=0)  # it stays open: what is needed is read when it is
    except OSError:
        return
    head = file.read(len(MAGIC_NUMBER) + DIGITS)
    if head[: len(MAGIC_NUMBER)] != MAGIC_NUMBER or sys.flags.optimize:
        file.close()
        return
    in_use = Shipped(folder, file, int(head[len(MAGIC_NUMBER) :]))
    sys.meta_path.insert(0, in_use)


class Shipped:
    """Finds the modules whose code is in the file, and whose sources are those that it was made from."""

    def __init__(self, folder: str, file: "FileIO", index: int) -> None:
        self._folder = folder
        self._file = file
        self._reading = allocate_lock()  # an editor's requests are answered in threads
        self._written = os.fstat(file.fileno()).st_mtime
        file.seek(index)
        self._places: dict[str, Place]
        self._groups: list[tuple[int, int] | None]  # None: it was read
        self._places, self._groups = loads(file.readall())
        self._waiting: dict[str, CodeType] = {}  # the modules that were read, and have not been run
        self._formulas: dict[str, bytes] = {}

    def formula(self, text: str) -> "CodeType | None":
        """The code of a formula; None where no group that was read has it: it is to be compiled."""
        code = self._formulas.get(text)
        return loads(code) if code else None

    def find_spec(self, name: str, path: object = None, target: object = None) -> "ModuleSpec | None":
        place = self._places.get(name)
        if place is None:
            return None
        modules = self._read(place[2])
        if not threads():  # another one could see a module that has not been run to its end
            for module, code in modules.items():
                self._run(module, code)
        if name in sys.modules and target is None:
            return sys.modules[name].__spec__  # its loader knows that it has been run
        return self._spec(name, self._waiting.pop(name)) if name in self._waiting else None

    def _read(self, group: int) -> "dict[str, CodeType]":
        """The modules of a group; none when it was read before."""
        with self._reading:
            place, self._groups[group] = self._groups[group], None
            if place is None:
                return {}
            self._file.seek(place[0])
            modules, formulas = loads(self._file.read(place[1] - place[0]))
            self._waiting.update(modules)
            self._formulas.update(formulas)
        return modules  # type: ignore[no-any-return]  # nothing else is written

    def _run(self, name: str, code: "CodeType") -> None:
        """Import a module whose package is there, as the import system does."""
        package, _, last = name.rpartition(".")
        if name in sys.modules or package not in sys.modules or self._waiting.pop(name, None) is None:
            return
        spec = self._spec(name, code)
        if spec is None:
            return
        module = sys.modules[name] = type(sys)(name)
        module.__spec__, module.__loader__, module.__package__ = spec, spec.loader, spec.parent
        if spec.submodule_search_locations is not None:
            module.__path__ = spec.submodule_search_locations
        try:
            spec.loader.exec_module(module)  # type: ignore[union-attr]  # it is the one below
        except BaseException as error:
            del sys.modules[name]
            if isinstance(error, Exception):
                return  # who needs this module imports it from its source, and gets the error
            raise
        setattr(sys.modules[package], last, module)

    def _spec(self, name: str, code: "CodeType") -> "ModuleSpec | None":
        """How to import a module with this code; None where its source is another one now."""
        file, size, _ = self._places[name]
        path = f"{self._folder}/{file}"
        try:
            source = os.stat(path)
        except OSError:
            return None
        if source.st_size != size or source.st_mtime > self._written + AT_ONCE:
            return None
        spec = ModuleSpec(name, Loader(name, path, code), origin=path, is_package=file.endswith("__init__.py"))
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(path.rpartition("/")[0])
        return spec


class Loader(SourceFileLoader):
    """Loads a module by its code; its source is what a traceback shows."""

    def __init__(self, name: str, path: str, code: "CodeType") -> None:
        super().__init__(name, path)
        self._code: CodeType | None = code

    def create_module(self, spec: "ModuleSpec") -> "ModuleType | None":
        """The module that was run with its group; None, as for others, where it was not."""
        return sys.modules.get(spec.name)

    def exec_module(self, module: "ModuleType") -> None:
        code, self._code = self._code, None
        if code is None:
            return
        module.__file__ = self.path
        fix_file_name(code, self.path)
        exec(code, module.__dict__)
