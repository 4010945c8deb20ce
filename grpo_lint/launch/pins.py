"""The exact framework releases that a repository pins, read from its requirement and lock files.

Only what names one release counts: `trl==1.16.0` does; `trl>=1.16`, `trl==1.*` and `trl @ git+https://...` do not. The
folder nearest to the config goes before its parents; in one folder a lock file goes before everything else; two files
of the same rank that disagree pin nothing, and neither does a lock file whose package comes from git or from a folder.

`pin_formats` reads the files as text. Nothing is executed; what a setup.py computes is not seen.
"""

import os

from ..files import disk
from ..files.budget import LARGEST_PINS
from ..frameworks import registry
from ..frameworks.companions import COMPANIONS
from ..frameworks.versions import version_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    Ranks: TypeAlias = list[list[tuple[str, str]]]  # (path, name of its reader), by rank
    Found: TypeAlias = "tuple[dict[str, Pin | None], int, str | None]"  # see `_pins_in`

# in the order in which they are told
PACKAGES = tuple(dict.fromkeys((*registry.PACKAGES, *COMPANIONS)))
_COPIES = {files[0].partition("/")[0]: (package, files) for package, files in registry.PACKAGES.items()}
LARGEST_FILE = 20 << 20
MOST_FILES = 64  # of one folder: enough for every real repository, and an end for the others


class Pin:
    """One exact release, and where it is pinned; `line` counts from 1."""

    __slots__ = ("version", "path", "line")
    version: str
    path: str
    line: int

    def __init__(self, version: str, path: str, line: int) -> None:
        self.version = version
        self.path = path
        self.line = line

    def __repr__(self) -> str:
        return f"Pin({self.version!r}, {self.path!r}, {self.line!r})"


class Pins(dict[str, Pin]):
    """{package: Pin} that hold for a file; `cut`: the first file that was too much to be read as well, None for none."""

    cut: "str | None" = None


# --- which folders --------------------------------------------------------------------------------------------------

_by_folder: "dict[str, Pins]" = {}
_PROJECT_FILES = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt")


def pins_for(path: str) -> Pins:
    """The pins that hold for the file at `path`: {package: Pin}; not to be changed."""
    folder = os.path.dirname(os.path.abspath(path))
    known = _by_folder.get(folder)
    if known is None:
        known = _by_folder[folder] = _pins_above(folder)
    return known


def forget() -> None:
    """Drop everything remembered: for an editor's server, and for tests."""
    _by_folder.clear()
    _in_folder.clear()


def _pins_above(folder: str) -> Pins:
    pins: dict[str, Pin | None] = {}
    left, cut = LARGEST_PINS, None
    for each in _folders_of_project(folder):
        found, size, cut = _pins_in(each)
        left -= size
        if cut or left < 0:
            cut = cut or each
            break
        for package, pin in found.items():
            pins.setdefault(package, pin)
    # A folder whose files disagree says None, and that hides what its parents say.
    known = Pins((package, pin) for package, pin in pins.items() if pin is not None)
    known.cut = cut
    return known


def _folders_of_project(folder: str) -> list[str]:
    """`folder` and those above it, up to the repository root.

    Outside of a repository (an unpacked archive) the nearest folder that looks like a project is the end: a
    requirements.txt that happens to lie in somebody's home is not about this file.
    """
    folders: list[str] = []
    project_end = 0
    while True:
        folders.append(folder)
        if disk.exists(os.path.join(folder, ".git")):
            return folders
        if not project_end and any(disk.is_file(os.path.join(folder, name)) for name in _PROJECT_FILES):
            project_end = len(folders)
        parent = os.path.dirname(folder)
        if parent == folder:
            return folders[: project_end or 1]
        folder = parent


# --- one folder -----------------------------------------------------------------------------------------------------

_in_folder: "dict[str, Found]" = {}


def _pins_in(folder: str) -> "Found":
    """({package: Pin, or None where the files of this folder disagree}, bytes that were read for it, the first file
    that was not read)."""
    known = _in_folder.get(folder)
    if known is None:
        known = _in_folder[folder] = _read_folder(folder)
    return known


def _read_folder(folder: str) -> "Found":
    pins: dict[str, Pin | None] = {}
    size = 0
    for rank in _pin_files(folder):
        claims: list[tuple[str, str | None, str, int]] = []
        for path, form in rank:
            data = _read(path)
            size += len(data)
            if size > LARGEST_PINS:
                return {}, size, path
            claims += _claims(path, form, data)
        for package in PACKAGES:
            about = [(version, path, line) for name, version, path, line in claims if name == package]
            if about and package not in pins:
                pins[package] = _agreed(about)
    return pins, size, None


def _agreed(claims: "list[tuple[str | None, str, int]]") -> Pin | None:
    """The one pin behind all claims, or None when they differ or one of them is no release at all."""
    versions = [version for version, _, _ in claims if version is not None]
    if len(versions) < len(claims) or len(set(map(version_key, versions))) > 1:
        return None
    return Pin(versions[0], *claims[0][1:])


# {name of a file: its reader in `pin_formats`}
_LOCKS = {"uv.lock": "lock", "poetry.lock": "lock", "pdm.lock": "lock", "Pipfile.lock": "pipfile-lock"}
_OTHERS = {"pyproject.toml": "pyproject", "setup.py": "quoted", "setup.cfg": "setup-cfg"}


def _pin_files(folder: str) -> "Ranks":
    """The files of a folder that can pin, as (path, name of its reader), in two ranks: lock files, then all others."""
    locks: list[tuple[str, str]] = []
    others: list[tuple[str, str]] = []
    for name in _names(folder):
        if name in _LOCKS:
            locks.append((name, _LOCKS[name]))
        elif name.startswith("pylock.") and name.endswith(".toml"):  # pylock.toml and pylock.<name>.toml
            locks.append((name, "lock"))
        elif name in _OTHERS:
            others.append((name, _OTHERS[name]))
        elif name.startswith(("requirements", "constraints")) and name.endswith(".txt"):
            others.append((name, "requirements"))
        elif name.startswith("environment") and name.endswith((".yml", ".yaml")):
            others.append((name, "conda"))
        elif name == "Dockerfile" or name.startswith("Dockerfile.") or name.endswith(".Dockerfile"):
            others.append((name, "dockerfile"))
        elif name in _COPIES:  # a repository may carry a framework itself: what it imports is this one
            package, files = _COPIES[name]
            locks += [(os.path.join(*file.split("/")), _reader_of_copy(package, file)) for file in files]
        elif name == "requirements":
            texts = [text for text in _names(os.path.join(folder, name)) if text.endswith(".txt")]
            others += [(os.path.join(name, text), "requirements") for text in texts]
    return [[(os.path.join(folder, name), reader) for name, reader in rank[:MOST_FILES]] for rank in (locks, others)]


def _reader_of_copy(package: str, file: str) -> str:
    return f"copy-of-{package}" if file.endswith(".py") else f"version-of-{package}"


def _names(folder: str) -> list[str]:
    try:
        return [name for name, _ in disk.listing(folder)]
    except OSError:
        return []


def _claims(path: str, reader: str, data: bytes) -> "Iterator[tuple[str, str | None, str, int]]":
    """Each (package, version or None, path, line) that the bytes of a file state."""
    if not ("-of-" in reader or _mentions_a_package(data)):
        return
    from .pin_formats import pinned

    text = data.decode("utf-8", "replace")
    for package, version, offset in pinned(text, reader):
        yield package, version, path, text.count("\n", 0, offset) + 1


def _read(path: str) -> bytes:
    """The bytes of a regular file as UTF-8; nothing when it is too large or cannot be read."""
    try:
        data = disk.read(path, LARGEST_FILE)
    except OSError:
        return b""
    if len(data) > LARGEST_FILE:
        return b""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):  # `pip freeze > requirements.txt` in PowerShell
        return data.decode("utf-16", "replace").encode()
    return data.removeprefix(b"\xef\xbb\xbf")


_MENTIONS = (
    b"trl",
    b"verl",
    b"swift",
    b"transformers",
    b"vllm",
    b"liger",
    b"TRL",
    b"Swift",
    b"SWIFT",
    b"Transformers",
    b"vLLM",
    b"Liger",
)


def _mentions_a_package(data: bytes) -> bool:
    return any(word in data for word in _MENTIONS)
