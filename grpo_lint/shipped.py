"""Code that a wheel brings along in one file, so that a start looks for no hundred modules, and compiles no formula.

`python -m shipping` writes the file, and `shipping/hook.py` puts it into a wheel. Nothing hangs on it: where there is none, as in a
checkout, and with another Python, all is imported and compiled as usual, and so is a module whose source was changed since.

The file: the magic number of the Python whose code it is, where the index begins as ten digits, what the index names, and the index:
{module: Place} and {text of a formula: where its code begins and ends}.
"""

import os
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import MAGIC_NUMBER, SourceFileLoader
from _imp import _fix_co_filename as fix_file_name  # type: ignore[attr-defined]  # as the import system does with bytecode
from _thread import allocate_lock
from marshal import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from io import FileIO
    from types import CodeType, ModuleType

    # of a module: its file below the package, the bytes of this source, and where its code begins and ends
    Place = tuple[str, int, int, int]

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
        self._modules: Mapping[str, Place]
        self._formulas: Mapping[str, tuple[int, int]]
        self._modules, self._formulas = loads(file.readall())

    def code(self, start: int, end: int) -> "CodeType":
        """The code that is between two places of the file."""
        with self._reading:
            self._file.seek(start)
            content = self._file.read(end - start)
        return loads(content)  # type: ignore[no-any-return]  # nothing else is written

    def formula(self, text: str) -> "CodeType | None":
        """The code of a formula; None where it was not shipped, and is to be compiled."""
        place = self._formulas.get(text)
        return self.code(*place) if place else None

    def find_spec(self, name: str, path: object = None, target: object = None) -> "ModuleSpec | None":
        place = self._modules.get(name)
        if place is None:
            return None
        path = f"{self._folder}/{place[0]}"
        try:
            source = os.stat(path)
        except OSError:
            return None
        if source.st_size != place[1] or source.st_mtime > self._written + AT_ONCE:
            return None
        is_package = place[0].endswith("__init__.py")
        spec = ModuleSpec(name, Loader(name, path, self.code(*place[2:])), origin=path, is_package=is_package)
        if spec.submodule_search_locations is not None:
            spec.submodule_search_locations.append(path.rpartition("/")[0])
        return spec


class Loader(SourceFileLoader):
    """Loads a module by its code; its source is what a traceback shows."""

    def __init__(self, name: str, path: str, code: "CodeType") -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, fullname: str) -> "CodeType":
        fix_file_name(self._code, self.path)
        return self._code

    def exec_module(self, module: "ModuleType") -> None:
        module.__file__ = self.path
        super().exec_module(module)
