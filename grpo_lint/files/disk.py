"""The one door to what lies around a run: files, folders, the environment, the terminal.

Whatever a check looks at, it looks at through these functions. So one rule holds for all of it: what a stranger put
into a checkout says nothing about what lies outside. A link that leads out of its checkout is there (`kind`), but it is
not read, listed or written through; it raises LeadsOutside. A checkout is a folder with `.git`, or a folder without a
repository that the user asked us to walk. Any other path is the user's own, and is followed wherever it leads.
"""

import os
import sys
from errno import EBADF
from stat import S_ISDIR, S_ISREG

from ..message import Message, verbatim
from .budget import DEEPEST_FOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO, Final, Literal

    Kind = Literal["file", "folder", "link", "other"]
    Listing = list[tuple[str, Kind]]

FILE: "Final" = "file"
FOLDER: "Final" = "folder"
LINK: "Final" = "link"
OTHER: "Final" = "other"
_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_PROJECT_FILES = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt")
LONGEST_PATH = 4096  # characters; no system has longer ones, and each part of a path is looked at


class Special(OSError):
    """A pipe, a socket, a device: no regular file."""


class LeadsOutside(OSError):
    """A link of a checkout that leads out of it."""

    def __init__(self, path: str) -> None:
        super().__init__(0, Message("a link leads out of the repository"), path)


class LeadsNowhere(OSError):
    """A link whose target is not there. `submodule`: the submodule of git in which it would be; empty for none."""

    def __init__(self, path: str, target: str, submodule: str) -> None:
        told = Message("it is a link to {target}, which is not there", {"target": target})
        if submodule:
            names = {"target": target, "submodule": submodule}
            told = Message("it is a link to {target} in the submodule {submodule}, which is not there", names)
        super().__init__(2, told, path)
        self.submodule = submodule


# --- what is remembered ---------------------------------------------------------------------------------------------

_listings: "dict[str, Listing] | None" = (
    None  # {folder: its listing} in a process that lives for one run, and looks at a folder once
)
_roots: "dict[str, str | None] | None" = None  # {folder: the folder with `.git` around it}, for one run as well
_bounds: "dict[str, str | None] | None" = None  # {folder: its bounds}, for one run as well
_projects: "dict[str, str | None] | None" = None  # {folder: what `project_of` gives}, for one run as well
_walked: "set[str]" = set()  # the folders without a repository that the user asked for, as absolute paths
_asked: "set[str]" = set()  # the files in them that the user named, as absolute paths


def remember(yes: bool) -> None:
    """Whether each folder is listed once and then remembered. That is right for a short run and wrong for a process
    that serves an editor."""
    global _listings, _roots, _bounds, _projects
    _listings, _roots, _bounds, _projects = ({}, {}, {}, {}) if yes else (None, None, None, None)


# --- repositories and links -----------------------------------------------------------------------------------------


def root_of(path: str) -> "str | None":
    """The folder with `.git` around a file, as its path is spelled; None outside of a repository."""
    return _root_around(os.path.dirname(os.path.abspath(path)))


def _root_around(folder: str) -> "str | None":
    visited = []
    found: str | None = None
    for each in _and_above(folder):
        if _roots is not None and each in _roots:
            found = _roots[each]
            break
        visited.append(each)
        if is_repository(each):
            found = each
            break
    if _roots is not None:
        _roots.update(dict.fromkeys(visited, found))
    return found


def _and_above(folder: str) -> "Iterator[str]":
    """A folder and those above it; none of a path that is too long for any system."""
    while len(folder) <= LONGEST_PATH:
        yield folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return
        folder = parent


def is_repository(folder: str) -> bool:
    """Whether a folder is the root of a repository of git."""
    return kind(os.path.join(folder, ".git")) is not None


def is_project(folder: str) -> bool:
    """Whether a folder looks like the root of a project."""
    return FILE in map(kind, [os.path.join(folder, name) for name in _PROJECT_FILES])


def folders_up_to_root(folder: str) -> "Iterator[str]":
    """A folder, an absolute path, and those above it, up to the one with `.git`, or all of them where there is none."""
    for _ in range(DEEPEST_FOLDER):
        yield folder
        parent = os.path.dirname(folder)
        if parent == folder or is_repository(folder):
            return
        folder = parent


def project_of(path: str) -> "str | None":
    """The folder that is searched for what belongs to a file: its repository. Where there is none, as in an unpacked
    archive, it is the outermost folder that the user asked for, or the nearest one above the file that looks like a
    project's. It is never a user's home, or a folder above one."""
    folder = os.path.dirname(os.path.abspath(path))
    if _projects is not None and folder in _projects:
        return _projects[folder]
    found = _root_around(folder) or _project_around(folder)
    if _projects is not None:
        _projects[folder] = found
    return found


def _project_around(folder: str) -> "str | None":
    project = next(filter(is_project, folders_up_to_root(folder)), None)
    asked = filter(_walked.__contains__, _and_above(folder)) if _walked else ()
    home = os.path.join(os.path.abspath(expanded("~")), "")
    inner = [each for each in (project, *asked) if each and not home.startswith(os.path.join(each, ""))]
    return min(inner, key=len, default=None)


def checkout_of(path: str) -> "str | None":
    """The folder of the checkout around a file, as its path is spelled; None for a file of the user's own."""
    folder = os.path.dirname(os.path.abspath(path))
    return _root_around(folder) or _walked_around(folder)


def walk_is_asked_for(folder: str) -> None:
    """Note that the user asked for a whole folder: without a repository around it, it is a checkout of its own."""
    folder = os.path.abspath(folder)
    if folder not in _walked and _root_around(folder) is None:
        _walked.add(folder)
        if _bounds:
            _bounds.clear()
        if _projects:
            _projects.clear()


def what_is_asked_for() -> "tuple[set[str], set[str]]":
    """The folders and files that the user asked for until now, for `forget_what_was_asked_for`."""
    return _walked.copy(), _asked.copy()


def forget_what_was_asked_for(but: "tuple[Iterable[str], Iterable[str]]" = ((), ())) -> None:
    """Begin anew, as each run does in a process that lives for several: what the user asked for in one of them says nothing
    about another. `but`: what was asked for before the run that has ended."""
    for kept, asked in zip((_walked, _asked), but):
        kept.clear()
        kept.update(asked)
    for remembered in (_bounds, _projects):
        if remembered:
            remembered.clear()


def path_is_asked_for(path: str) -> None:
    """Note that the user named a file or a folder."""
    (walk_is_asked_for if is_folder(path) else file_is_asked_for)(path)


def file_is_asked_for(path: str) -> None:
    """Note that the user named a file. Without a repository around it, it is the user's own, wherever it leads; the
    files beside it are not."""
    path = os.path.abspath(path)
    if len(path) <= LONGEST_PATH and _root_around(os.path.dirname(path)) is None and exists(path):
        walk_is_asked_for(os.path.dirname(path))
        _asked.add(path)


def _is_own(path: str) -> bool:
    """Whether a file was named by the user where no repository is around it."""
    return bool(_asked) and os.path.abspath(path) in _asked


def _bounds_of(folder: str) -> "str | None":
    """What may be reached from a folder: the path without links, and with a separator at its end, of the checkout
    around it; "" for anything.

    None for a folder that is itself reached by a link that leads out of its checkout, or out of the checkout around
    that one.
    """
    if _bounds is not None and folder in _bounds:
        return _bounds[folder]
    absolute = os.path.abspath(folder)
    found = _bounds_of(absolute) if absolute != folder else _found_bounds(absolute)
    if _bounds is not None:
        _bounds[folder] = found
    return found


def _found_bounds(absolute: str) -> "str | None":
    """`_bounds_of` a folder that is not known yet."""
    repository = _root_around(absolute)
    root = repository or _walked_around(absolute)
    if root is None:
        return ""
    if root != absolute:
        found = _bounds_of(root)
        return found if found is not None and os.path.join(real(absolute), "").startswith(found) else None
    around = _bounds_of(os.path.dirname(root)) if repository and os.path.dirname(root) != root else ""
    found = os.path.join(real(root), "")
    return found if around is not None and found.startswith(around) else None


def _walked_around(folder: str) -> "str | None":
    return next(filter(_walked.__contains__, _and_above(folder)), None) if _walked else None


_confined: "str | None" = None  # the path without links, with a separator at its end, of all that may be read


def confine(root: str) -> None:
    """From now on this process reads nothing outside of a folder, whatever names it and wherever links lead."""
    global _confined
    _confined = os.path.join(os.path.realpath(root), "")


def is_reachable(path: str) -> bool:
    """Whether a path leads to a place that this process may look at."""
    return _confined is None or os.path.join(real(path), "").startswith(_confined)


def leads_outside(folder: str) -> bool:
    """Whether a folder is reached by a link that leads out of its checkout."""
    return _bounds_of(folder) is None


def place_of(path: str) -> str:
    """The path at which a file is made or replaced, without links in the way to it; raises LeadsOutside."""
    folder, name = os.path.split(path)
    if _bounds_of(folder) is None:
        raise LeadsOutside(path)
    return os.path.join(real(folder or os.curdir), name)


def target_of(path: str) -> str:
    """The path of a file without links; raises LeadsOutside."""
    bounds = _bounds_of(os.path.dirname(path))
    target = real(path)
    if bounds is None or not (target.startswith(bounds) or _is_own(path)):
        raise LeadsOutside(path)
    return target


# --- files and folders ----------------------------------------------------------------------------------------------


_held: "dict[str, bytes]" = {}  # {path without links: bytes} of files that are taken to be written


def hold(path: str, data: bytes) -> None:
    """From now on read the file at a path without links as if it held these bytes."""
    _held[path] = data


def let_go() -> None:
    """Read all files as they are."""
    _held.clear()


def why(error: Exception) -> Message:
    """Why a file could not be had, in the words of the system. A ValueError is about its name: a NUL in it."""
    words = getattr(error, "strerror", None)
    if words:
        return verbatim(words)
    return Message("no file can have this name") if isinstance(error, ValueError) else Message("the system refuses it")


def read(path: str, limit: int) -> bytes:
    """The bytes of a regular file, one more than `limit` of a larger one.

    Raises Special, LeadsOutside, any other OSError, and ValueError for a NUL in the path.
    """
    if _held and (held := _held.get(real(path))) is not None:
        return held[: limit + 1]
    descriptor = _open(path)
    try:
        status = os.fstat(descriptor)
        if S_ISDIR(status.st_mode):
            raise IsADirectoryError(21, "Is a directory")
        if not S_ISREG(status.st_mode):
            raise Special(22, "not a regular file")
        size = status.st_size
        data = os.read(descriptor, min(size, limit) + 1)
        while len(data) <= limit and len(data) != size:  # it changes, or comes in pieces
            more = os.read(descriptor, limit + 1 - len(data))
            if not more:
                break
            data += more
        return data
    finally:
        os.close(descriptor)


def pieces(path: str, size: int, overlap: int) -> "Iterator[bytes]":
    """The bytes of a regular file in pieces of a size; each begins with the end of the one before. Raises what `read` does."""
    if _held and (held := _held.get(real(path))) is not None:
        yield held
        return
    descriptor = _open(path)
    try:
        end = b""
        while data := os.read(descriptor, size):
            yield end + data
            end = data[-overlap:]
    finally:
        os.close(descriptor)


def _open(path: str) -> int:
    """The descriptor of what is at a path; of a pipe it does not wait for anybody to write."""
    if not is_reachable(path):
        raise LeadsOutside(path)
    bounds = _bounds_of(os.path.dirname(path))
    if bounds == "":
        return os.open(path, _READING)
    if bounds is None:
        raise LeadsOutside(path)
    if not _NO_LINK and os.path.islink(path):
        return _open_target(path, _READING)
    try:
        return os.open(path, _READING | _NO_LINK)
    except OSError:
        if not os.path.islink(path):
            raise
    return _open_target(path, _READING | _NO_LINK)


def _open_target(path: str, flags: int) -> int:
    """The descriptor of what a link leads to."""
    target = target_of(path)
    try:
        return os.open(target, flags)
    except FileNotFoundError:
        raise LeadsNowhere(path, os.readlink(path), _submodule_around(target)) from None


_LARGEST_MODULES = 256 << 10  # bytes of a `.gitmodules`


def _submodule_around(path: str) -> str:
    """The folder of the submodule of git in which a path lies, as its repository names it; empty for none."""
    root = checkout_of(path)
    if root is None:
        return ""
    try:
        told = read(os.path.join(root, ".gitmodules"), _LARGEST_MODULES).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
    inside = os.path.relpath(path, real(root)).replace(os.sep, "/")
    for line in told.splitlines():
        name, equals, folder = (part.strip() for part in line.partition("="))
        if name == "path" and equals and folder and inside.startswith(f"{folder}/"):
            return folder
    return ""


def read_special(path: str, limit: int) -> bytes:
    """The bytes of a pipe or a device, at most one more than `limit`; raises OSError."""
    if _confined is not None:
        raise LeadsOutside(path)
    with open(path, "rb") as file:
        return file.read(limit + 1)


def kind(path: str) -> "Kind | None":
    """What is at a path, links followed: FILE, FOLDER, OTHER, or None where nothing can be reached."""
    if _confined is not None and not is_reachable(path):
        return None
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):  # ValueError: a NUL in the path
        return None
    return FILE if S_ISREG(mode) else FOLDER if S_ISDIR(mode) else OTHER


def exists(path: str) -> bool:
    return kind(path) is not None


def is_file(path: str) -> bool:
    return kind(path) == FILE


def is_folder(path: str) -> bool:
    return kind(path) == FOLDER


def is_executable(path: str) -> bool:
    """Whether a file may be started as a program."""
    return is_file(path) and os.access(path, os.X_OK)


def entries(folder: str) -> "Listing":
    """What `listing` gives of a folder; nothing of one that cannot be read."""
    try:
        return listing(folder)
    except (OSError, ValueError):
        return []


def listing(folder: str, real: str = "") -> "Listing":
    """[(name, FILE, FOLDER, LINK or OTHER)] of what is in a folder, by name; not to be changed. `real`: its path
    without links, if that is known.

    Raises OSError.
    """
    if _listings is not None and (real or folder) in _listings:
        return _listings[real or folder]
    if _bounds_of(folder) is None or not is_reachable(folder):
        raise LeadsOutside(folder)
    with os.scandir(folder) as entries:
        found = sorted([(entry.name, _kind_of_entry(entry)) for entry in entries])
    if _listings is not None:
        _listings[real or folder] = found
    return found


def _kind_of_entry(entry: "os.DirEntry[str]") -> "Kind":
    if entry.is_file(follow_symlinks=False):
        return FILE
    if entry.is_dir(follow_symlinks=False):
        return FOLDER
    return LINK if entry.is_symlink() else OTHER


def real(path: str) -> str:
    """The path without symbolic links; one that no file can have stays as it is."""
    if len(path) > LONGEST_PATH:
        return os.path.abspath(path)
    try:
        return os.path.realpath(path)
    except ValueError:  # a NUL, or half of a surrogate pair
        return os.path.abspath(path)


def is_link(path: str) -> bool:
    """Whether the path itself is a symbolic link."""
    return os.path.islink(path)


def expanded(path: str) -> str:
    """The path with the home of a user in the place of a `~`."""
    return os.path.expanduser(path)


# --- the process ----------------------------------------------------------------------------------------------------


def environment(name: str, default: "str | None" = None) -> "str | None":
    """An environment variable."""
    return os.environ.get(name, default)


def whole_environment() -> "dict[str, str]":
    """The environment of this process, as a program that it starts would get it."""
    return dict(os.environ)


def is_terminal(stream: "IO[str]") -> bool:
    """Whether a stream is a terminal."""
    return stream.isatty()


def columns(stream: "IO[str]") -> "int | None":
    """The width of the terminal of a stream, None when it has none."""
    try:
        return os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError, AttributeError):  # not a terminal, closed, or no real file
        return None


no_standard_input = False  # whether the caller has closed it


def standard_input(limit: int) -> bytes:
    """The bytes of standard input, at most one more than `limit`; raises OSError."""
    if no_standard_input:
        raise OSError(EBADF, "standard input is closed")
    return sys.stdin.buffer.read(limit + 1)


def pass_on_standard_input() -> None:
    """Copy what was not read of standard input to standard output."""
    from shutil import copyfileobj

    copyfileobj(sys.stdin.buffer, sys.stdout.buffer)
