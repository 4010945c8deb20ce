"""Which copy of a framework a command imports, where it says so: from the folder in which it runs, or from PYTHONPATH."""

import os
import re
from functools import lru_cache
from itertools import islice

from ..files import disk
from ..frameworks import registry
from ..source.shell.words import Word, place_of
from .pins import Pin, claims_in, read_pins, reader_of_copy
from .programs import path_of_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..shared_types import Command, Files, Origin, Repository
    from ..source.shell.tree import Piece, Place

MOST_PLACES = 20
_INSTALLING = ("setup.py", "pyproject.toml", "setup.cfg")
_PACKED = (".zip", ".tar.gz", ".tgz", ".tar", ".tar.bz2", ".tar.xz", ".whl")


def copy_of_command(package: str, command: "Command", files: "Files") -> "Pin | None":
    """The copy in the first folder that Python searches and that holds one; None for none."""
    for _, place in zip(range(MOST_PLACES), _places(command), strict=False):
        for folder in _folders_at(*place, files):
            found = copy_at(folder, package)
            if found is not None:
                return found
    return None


def copy_around_program(tree_folder: str, origin: "Origin") -> "str | None":
    """The folder of the copy whose own program a command starts by its place, beside which Hydra finds the tree:
    `-m mine.verl.trainer.main_ppo`, `mine/verl/trainer/main_ppo.py`."""
    package = tree_folder.partition("/")[0]
    path = (path_of_program(origin.invocation, origin.files) or "").replace(os.sep, "/")
    around = path[: path.rfind(f"/{package}/") + 1]
    return f"{around}{package}" if around and disk.is_folder(f"{around}{tree_folder}") else None


def only_copy(path: str, file: str, repository: "Repository") -> "str | None":
    """The folder of the copy of a framework that the repository around a path holds, by a file that each copy has; None for several,
    and for none."""
    root = disk.project_of(path)
    paths, problem = repository.files_named(root, os.path.basename(file)) if root is not None else ([], "")
    places = [each for each in paths if f"/{each}".replace(os.sep, "/").endswith(f"/{file}")]
    return places[0][: -len(file)] + file.partition("/")[0] if len(places) == 1 and not problem else None


def installed_from_src(places: "list[str]", tree: str, files: "Files") -> "str | None":
    """The folder of the copy of a framework in `src`, where a file beside that says that packages are installed from there; `places`: of
    the files of its tree."""
    for place in places:
        folder = place[: place.rindex(tree)]
        around = os.path.dirname(os.path.dirname(folder))
        if any("src" in (files.read(os.path.join(around, name)) or "") for name in _INSTALLING):
            return folder + tree.partition("/")[0]
    return None


def config_beside(folder: str, origin: "Origin") -> str:
    """The config from which another program of a copy starts, by its path from the folder around the copy; empty where it is
    elsewhere, or a script says all: those of a copy have one framework in common, which is made once."""
    path = os.path.abspath(origin.config.path if origin.config is not None else origin.files.path)
    around = os.path.join(os.path.dirname(os.path.abspath(folder)), "")
    return path[len(around) :].replace(os.sep, "/") if path.startswith(around) and path.endswith(".yaml") else ""


def config_of_program(folder: str, origin: "Origin") -> str:
    """The config from which the usual program of a copy starts, where it names another one than the framework's, by its path from
    the folder around the copy; empty where the command names one."""
    invocation = origin.invocation
    own, module = invocation.own, invocation.program.value or ""
    if own is None or "--config-name" in invocation.flags or invocation.named_file or module not in own.modules:
        return ""
    program = module if module.endswith(".py") else f"{module.replace('.', '/')}.py"
    text = origin.files.read(os.path.join(os.path.dirname(os.path.abspath(folder)), program))
    place = _config_in(text) if text is not None and "config_name" in text else ""
    name = os.path.basename(place)
    return "" if not place or name in own.primaries else os.path.normpath(f"{os.path.dirname(program)}/{place}.yaml")


@lru_cache(maxsize=20)
def _config_in(text: str) -> str:
    """The config that the text of a program names for Hydra, by its path from the program without its ending."""
    from .adopted import read_program

    found = read_program(text)
    known = found is not None and found.file and not found.folder.startswith("pkg://")
    return f"{found.folder}/{found.file}" if known else ""  # type: ignore[union-attr]  # it is known


def archive_around(path: str, package: str) -> str:
    """An archive of a package in the repository around a path, by its path from the root: `verl.zip`, `third_party/verl-main.zip`,
    `verl_v0.5.tar.gz`, `verl-0.6.1-py3-none-any.whl`; empty for none. It is looked for beside the path, in the folders above it, and in
    those one below the root."""
    root = disk.project_of(path)
    if root is None:
        return ""
    packages = package, registry.imported_as(package)
    below = [os.path.join(root, name) for name, kind in disk.entries(root) if kind == disk.FOLDER and name[0] != "."]
    above = disk.folders_up_to_root(os.path.dirname(os.path.abspath(path)))
    folders = dict.fromkeys([root, *islice(above, MOST_PLACES), *sorted(below)[:MOST_PLACES]])
    for folder in folders:
        for name, _ in disk.entries(folder):
            if any(_packs(name, each) for each in packages):
                return os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")
    return ""


def _packs(name: str, package: str) -> bool:
    """Whether an archive is of a package by its name: alone, or with a branch, a release or a commit behind it."""
    ending = next((each for each in _PACKED if name.endswith(each)), None)
    if ending is None or not name.lower().replace("_", "-").startswith(package):
        return False
    rest = name[len(package) : -len(ending)].lstrip("-_.v")
    return rest in ("", "main", "master") or rest[0].isdigit() or re.fullmatch("[0-9a-f]{7,40}", rest) is not None


def _folders_at(base: str, path: str, files: "Files") -> "list[str]":
    """The folders that a place of a command may mean, the nearest first; none for the one in which a script is started, which is
    looked at whatever a command says."""
    if base == "start" and path in ("", "."):
        return []
    above = files.folders_for(path)
    around = {"script": [os.path.dirname(files.path)], "repository": above[-1:]}.get(base, above)
    paths = (os.path.normpath(os.path.join(folder, path)) for folder in around)
    return [each for each in paths if files.may_be_read(each) and disk.is_folder(each)]


def _places(command: "Command") -> "Iterator[Place]":
    if command.folder is not None:
        yield command.folder
    path = command.environment.get("PYTHONPATH")
    for part in _parts(path.pieces) if path is not None else ():
        place = place_of(Word(0, 0, part), command.folder) or _below_the_root(part)
        if place is not None:
            yield place


def _below_the_root(pieces: "list[Piece]") -> "Place | None":
    """The folder of the repository that a path means whose first part is not known: `$ROOT/third_party`."""
    last = pieces[-1].text or ""
    return ("repository", last.strip("/")) if len(pieces) > 1 and last.startswith("/") else None


def _parts(pieces: "list[Piece]") -> "Iterator[list[Piece]]":
    """The pieces of each folder of a list of folders, some of which may be unknown."""
    part: list[Piece] = []
    for piece in pieces:
        texts = piece.text.split(":") if piece.text is not None else []
        start = 0
        for text in texts[:-1]:
            yield [*part, piece.cut(start, start + len(text))]
            part = []
            start += len(text) + 1
        part.append(piece if not start or piece.text is None else piece.cut(start, len(piece.text)))
    yield part


def copy_at(folder: str, package: str) -> "Pin | None":
    """The copy of a package below a folder of the import path, with the release that it says it has, or ""; None where there is none."""
    files = [
        (os.path.join(folder, *file.split("/")), reader_of_copy(package, file)) for file in registry.PACKAGES[package]
    ]
    for path, reader in files:
        for _, version, _, line in claims_in(path, reader, read_pins(path)):
            return Pin(version or "", path, line)
    module = os.path.join(folder, registry.imported_as(package), "__init__.py")
    return Pin("", files[0][0], 1) if disk.is_file(module) else None
