"""The framework releases that a repository pins, read from its requirement and lock files.

A statement that names one release, such as `trl==1.16.0`, counts first. Where there is none, ranges, tags and commits
of git limit the releases (`ranges`), and a copy of a framework one folder down states its own. The nearest folder goes
before its parents, and in a folder a lock file goes before everything else. Two files of the same rank that disagree
pin nothing, and neither does a lock file whose package comes from git or from a folder.

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
    from collections.abc import Iterator, Mapping
    from typing import TypeAlias

    Ranks: TypeAlias = list[list[tuple[str, str]]]  # (path, name of its reader), by rank
    Found: TypeAlias = "tuple[dict[str, Pin | None], int, str | None, dict[str, Pin]]"  # see `_pins_in`

# in the order in which they are told
PACKAGES = tuple(dict.fromkeys((*registry.PACKAGES, *COMPANIONS)))
# {folder that Python imports: the packages whose copies stand in it}
_COPIES: "dict[str, list[str]]" = {}
for _package, _files in registry.PACKAGES.items():
    _COPIES.setdefault(_files[0].partition("/")[0], []).append(_package)
LARGEST_FILE = 20 << 20
MOST_FILES = 64  # of one folder: enough for every real repository, and an end for the others


class Pin:
    """One exact release, and where it is pinned; `line` counts from 1, and is 0 for one that is installed in an environment, the `path`,
    or from a copy at that path outside of the repository.

    Without one (""), `between` are the releases before and after what is pinned, or `allows` is a range, such as
    `>=0.18,<0.20`, or `fork` is somebody's own repository (`owner/name`) that it is installed from.
    """

    def __init__(
        self,
        version: str,
        path: str,
        line: int,
        between: "tuple[str, ...]" = (),
        allows: str = "",
        fork: str = "",
    ) -> None:
        self.version = version
        self.path = path
        self.line = line
        self.between = between
        self.allows = allows
        self.fork = fork

    @property
    def is_of_a_copy(self) -> bool:
        """Whether a copy of the framework in the repository states it; the copy may have been changed."""
        return self.path.replace(os.sep, "/").endswith(registry.CHANGED_COPIES)

    @property
    def copied_to(self) -> "str | None":
        """The folder of the copy of a framework in the repository that states it; None where no copy does."""
        path = self.path.replace(os.sep, "/")
        for files in registry.PACKAGES.values():
            for file in files:
                if f"/{path}".endswith(f"/{file}"):
                    return os.path.join(path[: len(path) - len(file)], files[0].partition("/")[0])
        return None

    @property
    def place(self) -> str:
        """'requirements.txt:3', or the environment in which it is installed."""
        if not self.line:
            return self.path
        return f"{self.path.replace(chr(92), '/').rsplit('/', 1)[-1]}:{self.line}"

    def __repr__(self) -> str:
        return f"Pin({self.version!r}, {self.path!r}, {self.line!r})"


class Pins(dict[str, Pin]):
    """{package: Pin} that hold for a file; `cut`: the first file that was too much to be read as well, None for none;
    `ranges`: {package: Pin} of those that name no release of an index."""

    cut: "str | None" = None
    ranges: "dict[str, Pin]"


def pin_of(pins: "Mapping[str, Pin]", package: str) -> "Pin | None":
    """What is known of a package: its release, else the range that it is in."""
    found = pins.get(package)
    return pins.ranges.get(package) if found is None and isinstance(pins, Pins) else found


# --- which folders --------------------------------------------------------------------------------------------------

_by_folder: "dict[str, Pins]" = {}


def pins_for(path: str) -> Pins:
    """The pins that hold for the file at `path`: {package: Pin}; not to be changed."""
    folder = os.path.dirname(os.path.abspath(path))
    known = _by_folder.get(folder)
    if known is None:
        known = _by_folder[folder] = _pins_above(folder)
    return known


def files_for(path: str) -> "Iterator[tuple[str, str]]":
    """(path, name of its reader) of the files that may pin a release for the file at `path`, the nearest folder first."""
    for folder in _folders_of_project(os.path.dirname(os.path.abspath(path))):
        for rank in _pin_files(folder):
            yield from rank


def forget() -> None:
    """Drop everything remembered: for an editor's server, and for tests."""
    _by_folder.clear()
    _in_folder.clear()


def _pins_above(folder: str) -> Pins:
    pins: dict[str, Pin | None] = {}
    ranges: dict[str, Pin] = {}
    left, cut = LARGEST_PINS, None
    for each in _folders_of_project(folder):
        found, size, cut, wide = _pins_in(each)
        left -= size
        if cut or left < 0:
            cut = cut or each
            break
        for package, pin in found.items():
            pins.setdefault(package, pin)
        for package, pin_of_range in wide.items():
            ranges.setdefault(package, pin_of_range)
    # A folder whose files disagree says None, and that hides what its parents say.
    known = Pins((package, pin) for package, pin in pins.items() if pin is not None)
    known.cut = cut
    known.ranges = ranges
    return known


def _folders_of_project(folder: str) -> list[str]:
    """`folder` and those above it, up to the root of the repository.

    Outside of a repository (an unpacked archive) the nearest folder that looks like a project ends the search: a
    requirements.txt that happens to lie in a user's home is not about this file.
    """
    folders: list[str] = []
    project_end = 0
    for each in disk.folders_up_to_root(folder):
        folders.append(each)
        if not project_end and disk.is_project(each):
            project_end = len(folders)
    return folders if disk.is_repository(folders[-1]) else folders[: project_end or 1]


# --- one folder -----------------------------------------------------------------------------------------------------

_in_folder: "dict[str, Found]" = {}


def _pins_in(folder: str) -> "Found":
    """({package: Pin, or None where the files of this folder disagree}, bytes that were read for it, the first file
    that was not read, {package: Pin} without a release)."""
    known = _in_folder.get(folder)
    if known is None:
        known = _in_folder[folder] = _read_folder(folder)
    return known


def _read_folder(folder: str) -> "Found":
    pins: dict[str, Pin | None] = {}
    ranges: dict[str, Pin] = {}
    spans: dict[str, Pin] = {}
    size = 0
    more: list[tuple[str, str, bytes]] = []  # what may say something without naming a release
    for rank in _pin_files(folder):
        claims: list[tuple[str, str | None, str, int]] = []
        for path, form in rank:
            data = read_pins(path)
            size += len(data)
            if size > LARGEST_PINS:
                return {}, size, path, {}
            more += [(path, form, data)] if any(mark in data for mark in _MARKS) else []
            claims += claims_in(path, form, data)
        _add_agreed(claims, pins, spans)
    if more:
        from .ranges import add_ranges  # few repositories say so

        add_ranges(more, pins, ranges)
    return pins, size, None, {**ranges, **spans}


def _add_agreed(
    claims: "list[tuple[str, str | None, str, int]]", pins: "dict[str, Pin | None]", spans: "dict[str, Pin]"
) -> None:
    """Add the pin of each package, None where the claims differ: then `spans` has the range that they lie in."""
    for package in PACKAGES:
        about = [(version, path, line) for name, version, path, line in claims if name == package]
        if about and (package not in pins or _is_installed_from(pins[package], about)):
            pins[package] = _agreed(about)
            if pins[package] is None:
                from .ranges import spanned  # few repositories pin what differs

                spans.update({package: span} if (span := spanned(about)) else {})


def _is_installed_from(pin: "Pin | None", claims: "list[tuple[str | None, str, int]]") -> bool:
    """Whether a pin is the release that a copy one folder down states: `conda env export` and `pip freeze` write that of a copy which
    is installed from its folder."""
    copy = _agreed(claims)
    return pin is not None and copy is not None and copy.copied_to is not None and pin.version == copy.version


def _agreed(claims: "list[tuple[str | None, str, int]]") -> Pin | None:
    """The one pin behind all claims, or None when they differ or one of them is no release at all, unless all others are of copies."""
    of_copies: list[tuple[str | None, str, int]] = [
        (version, path, line)
        for version, path, line in claims
        if version is not None and Pin(version, path, line).copied_to is not None
    ]
    if len(of_copies) == sum(version is not None for version, _, _ in claims):
        claims = of_copies or claims
    versions = [version for version, _, _ in claims if version is not None]
    if len(versions) < len(claims) or len(set(map(version_key, versions))) > 1:
        return None
    return Pin(versions[0], *claims[0][1:])


# (pattern of the name of a file, its reader in `pin_formats`): lock files, then all others; the first that fits counts
_LOCKS = (
    ("uv.lock", "lock"), ("poetry.lock", "lock"), ("pdm.lock", "lock"), ("Pipfile.lock", "pipfile-lock"),
    ("pylock.*.toml", "lock"), ("pylock.toml", "lock"),
)  # fmt: skip
_OTHERS = (
    ("pyproject.toml", "pyproject"), ("setup.py", "quoted"), ("setup.cfg", "setup-cfg"),
    ("requirements*.txt", "requirements"), ("constraints*.txt", "requirements"),
    ("environment*.yml", "conda"), ("*environment.yml", "conda"), ("*env.yml", "conda"),
    ("environment*.yaml", "conda"), ("*environment.yaml", "conda"), ("*env.yaml", "conda"),
    ("Dockerfile", "dockerfile"), ("Dockerfile.*", "dockerfile"), ("*.Dockerfile", "dockerfile"),
    (".gitmodules", "submodules"), ("install*.sh", "installer"), ("setup*.sh", "installer"),
)  # fmt: skip
_OF_FOLDERS = ("submodules", "installer")  # which tell folders alone
_FOLDER = "requirements"  # of requirement files, one for each purpose


def _pin_files(folder: str) -> "Ranks":
    """The files of a folder that can pin, as (path, name of its reader), in three ranks: lock files, all others, copies one folder
    down."""
    locks: list[tuple[str, str]] = []
    others: list[tuple[str, str]] = []
    for name, _ in disk.entries(folder):
        locks += _read_by(name, _LOCKS)
        others += _read_by(name, _OTHERS)
        for package in _COPIES.get(name, ()):  # a repository may carry a framework itself: what it imports is this one
            files = registry.PACKAGES[package]
            locks += [(os.path.join(*file.split("/")), reader_of_copy(package, file)) for file in files]
        if name == _FOLDER:
            texts = [text for text, _ in disk.entries(os.path.join(folder, name)) if text.endswith(".txt")]
            others += [(os.path.join(name, text), "requirements") for text in texts]
    ranks = (locks, others, _copies_below(folder))
    return [[(os.path.join(folder, name), reader) for name, reader in rank[:MOST_FILES]] for rank in ranks]


def _read_by(name: str, patterns: "tuple[tuple[str, str], ...]") -> "list[tuple[str, str]]":
    """[(name, its reader)] of a file that fits a pattern, which holds one star at most; nothing for any other file."""
    for pattern, reader in patterns:
        start, star, end = pattern.partition("*")
        if name == pattern or (star and name.startswith(start) and name.endswith(end)):
            return [(name, reader)]
    return []


def _copies_below(folder: str) -> "list[tuple[str, str]]":
    """The files that say the release of a copy of a framework one folder down, which is installed from there."""
    found: list[tuple[str, str]] = []
    for name, _ in disk.entries(folder):
        if name.replace("_", "-") in registry.PACKAGES or name in _COPIES:
            for package, files in registry.PACKAGES.items():
                found += [
                    (os.path.join(name, *file.split("/")), reader_of_copy(package, file))
                    for file in files
                    if disk.is_file(os.path.join(folder, name, *file.split("/")))
                ]
    return found


def reader_of_copy(package: str, file: str) -> str:
    return f"copy-of-{package}" if file.endswith(".py") else f"version-of-{package}"


def claims_in(path: str, reader: str, data: bytes) -> "Iterator[tuple[str, str | None, str, int]]":
    """Each (package, version or None, path, line) that the bytes of a file state."""
    if reader in _OF_FOLDERS or not ("-of-" in reader or _mentions_a_package(data)):
        return
    from .pin_formats import pinned

    text = data.decode("utf-8", "replace")
    for package, version, offset in pinned(text, reader):
        yield package, version, path, text.count("\n", 0, offset) + 1


def read_pins(path: str) -> bytes:
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


# in what says something of a framework without a release: names, addresses, folders
_MARKS = (
    b"trl",
    b"swift",
    b"TRL",
    b"Swift",
    b"SWIFT",
    b"transformers",
    b"git",
    b"-e ",
    b"--editable",
    b"install ./",
    b"\n./",
    b"path =",
    b"[submodule",
)
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
