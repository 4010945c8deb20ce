"""The training scripts of a repository: which file a command starts, and what it reads together with the modules that it imports."""

import os
from itertools import islice

from ..files import disk
from ..files.budget import LARGEST_PROGRAMS, PROGRAMS
from ..frameworks.programs import Program
from ..frameworks.registry import script_reader
from ..record import once
from ..source.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..frameworks.programs import Module
    from ..shared_types import Files, Invocation, Iterator, Read, Text

MOST_FILES = 30
MOST_REMEMBERED = 2 * LARGEST_PROGRAMS  # characters of Python
MOST_ABOVE = 9  # folders above a module in which its imports are looked for


def path_of_program(invocation: "Invocation", files: "Files") -> str | None:
    """The path of the file or module of the repository that a command starts, the nearest to the command; None when it is
    not found."""
    return next(iter(_paths_of_program(invocation, files)), None)


def _paths_of_program(invocation: "Invocation", files: "Files") -> list[str]:
    """The paths of the files of the repository that a command may start, the nearest to the command first."""
    word = invocation.program
    paths = files.places_by(invocation.command, word)
    if not paths and word.value and "/" not in word.value:
        module = word.value.replace(".", "/")
        places = (f"{folder}{module}{end}" for folder in ("", "src/") for end in (".py", "/__main__.py"))
        paths = next(filter(None, map(files.places, places)), [])
    return paths


# the options of Hydra, as flags are named
_NAMES_OF_FILES = frozenset(("config_name", "cn"))
_OF_HYDRA = _NAMES_OF_FILES | frozenset("config_path cp config_dir cd multirun m package p".split())


def may_be_of_hydra(invocation: "Invocation", files: "Files") -> bool:
    """Whether Hydra may configure the program of a command, though none of its words shows of which framework they are."""
    if not _OF_HYDRA.issuperset(invocation.flags):
        return False
    path = path_of_program(invocation, files)
    if path is None:  # only its words are known
        return not _NAMES_OF_FILES.isdisjoint(invocation.flags)
    return "hydra" in (files.read(path) or "")


def program_of(invocation: "Invocation", files: "Files") -> Program | None:
    """The Program that a command starts, a file or a module of the repository; None when it is not found."""
    paths = _paths_of_program(invocation, files)
    if not paths:
        return None
    path, *others = paths
    name = invocation.program.value or path
    if files.budget.has_cut(PROGRAMS):
        return Program(name=name, partial=True)
    found = files.library.program(path)
    is_partial = not all(files.budget.allows(PROGRAMS, *each) for each in found.sizes.items())
    rival = next((each for each in others if not _trains_alike(files, each, found)), None)  # which may declare more
    return found.but(name=name, rival=rival, partial=found.partial or is_partial or rival is not None)


def _trains_alike(files: "Files", path: str, program: Program) -> bool:
    """Whether the file at a path is known to train with the same as another program, so that it does not matter which of
    them is started."""
    if files.budget.has_cut(PROGRAMS):
        return False
    other = files.library.program(path)
    if not all(files.budget.allows(PROGRAMS, *each) for each in other.sizes.items()):
        return False
    return all(getattr(other, name) == getattr(program, name) for name in _HOW_IT_TRAINS)


_HOW_IT_TRAINS = ("defaults", "trainer", "unread", "uses_trainer", "uses_config", "own_parser", "declares", "overrides")


class Library:
    """The Python of a repository: the programs in it, what their modules say, and where an import looks for one.

    What was read is remembered until it is too much. `read` gives the text of a path.
    """

    def __init__(self, read: "Read") -> None:
        self._read = read
        self._size = 0  # characters of what is remembered

    def forget(self) -> None:
        """Drop everything remembered, because files may have changed."""
        self.__dict__ = {"_read": self._read, "_size": 0}

    @once
    def program(self, path: str) -> Program:
        """The Program of a Python file and of the modules of its repository that it imports: no more than MOST_FILES,
        of LARGEST_PROGRAMS characters."""
        modules: list[Module] = []
        sizes: dict[str, int] = {}
        waiting, known = [path], {path}
        while waiting and len(modules) < MOST_FILES and sum(sizes.values()) <= LARGEST_PROGRAMS:
            each = min(waiting, key=_rank)  # of equals the one that came first
            waiting.remove(each)
            module = self._module(each)
            if module is not None:
                modules.append(module)
                sizes[each] = module.size
                for level, name in sorted(module.imports):
                    for file in self.files(os.path.dirname(each), level, name):
                        if file not in known:
                            known.add(file)
                            waiting.append(file)
        is_partial = sum(sizes.values()) > LARGEST_PROGRAMS
        is_whole = not any(map(disk.is_file, waiting))
        return script_reader().program_of(path, modules, sizes, is_whole, is_partial)

    @once
    def text(self, path: str) -> "Text":
        """The text of a file that was read, empty for one that is gone."""
        text = self._read(path) or ""
        self._size += len(text)
        return Text(text, path)

    @once
    def _module(self, path: str) -> "Module | None":
        module = script_reader().module_of(self._read(path), path)
        self._size += module.size if module else 0
        if self._size > MOST_REMEMBERED:
            self.forget()
        return module

    @once
    def files(self, folder: str, level: int, module: str) -> list[str]:
        """The files that `module` may be, imported by a file in a folder with `level` dots in front."""
        bases = _climb(folder, level - 1) if level else self._folders_above(folder)
        return [file for base in bases for file in self._in(base, module)]

    def _in(self, base: str, module: str) -> "Iterator[str]":
        top, _, rest = module.partition(".")
        names = self._names_in(base)
        place = os.path.normpath(os.path.join(base, *module.split(".")))
        if (top if rest else f"{top}.py") in names:
            yield f"{place}.py"
        if top in names:
            yield os.path.join(place, "__init__.py")

    @once
    def _names_in(self, folder: str) -> frozenset[str]:
        return frozenset(name for name, _ in disk.entries(folder or os.curdir))

    @once
    def _folders_above(self, folder: str) -> list[str]:
        """A folder, those above it up to the root of the repository, and their `src`: where an import without dots looks."""
        found: list[str] = []
        for _ in islice(disk.folders_up_to_root(os.path.abspath(folder)), MOST_ABOVE):
            found += [folder, os.path.join(folder, "src")]
            folder = os.path.normpath(
                os.path.join(folder, os.pardir)
            )  # by one name from wherever: its entries are kept by it
        return found


def _rank(path: str) -> int:
    """Where a module comes among those that a program imports, by its name: those that may hold classes of arguments first."""
    name = os.path.basename(path)
    return next((rank for rank, words in enumerate(_TELLING) if any(word in name for word in words)), len(_TELLING))


_TELLING = (("grpo", "rloo"), ("config", "arg", "__init__"))


def _climb(folder: str, levels: int) -> list[str]:
    """[the folder so many levels above], none where that is outside of the checkout."""
    above = os.path.join(folder, *[os.pardir] * levels)
    inside = disk.checkout_of(os.path.join(above, "module.py")) == disk.checkout_of(os.path.join(folder, "module.py"))
    return [above] if inside else []
