"""Whether an installed framework is the release that it calls itself: what pip says of where it came from, and the hashes of its files.
One that is not is judged as a copy is: by what stands there. Nothing of it is imported."""

import base64
import hashlib
import json
import os

from ..files import disk
from ..frameworks.registry import INSTALLED_COPIES, catalogue_module, imported_as
from ..frameworks.versions import BadVersion, version_key
from .pins import Pin
from .which_copy import copy_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST_RECORD = 4 << 20
LARGEST_FILE = 1 << 20
LARGEST_PACKAGE = 32 << 20
MOST_FILES = 5000
_JUDGED = (".py", ".yaml")
_TOLD = "direct_url.json"


def installed_copies(packages: str, name: str, release: str, folder: str) -> "dict[str, Pin]":
    """{package: copy} of the framework in a folder of packages, nothing where it is an unchanged release; a fork where it lies in a folder
    that is not looked at. `folder`: where the command runs."""
    info = next((each for each, _ in disk.entries(packages) if _is_info(each, name, release)), "")
    if not info:
        return {}
    came_from = _came_from(os.path.join(packages, info))
    if came_from is None and _is_release(name, release) and _is_whole(packages, name, info):
        return {}
    if not came_from:
        return copies_at(packages, name, release)
    found = (
        _copies_installed_from(came_from, name, release, folder) if _may_be_read(came_from, packages, folder) else {}
    )
    told = os.path.join(packages, info, _TOLD)
    return found or {package: Pin("", told, 0, fork=came_from) for package in INSTALLED_COPIES[name][2]}


def _copies_installed_from(path: str, name: str, release: str, folder: str) -> "dict[str, Pin]":
    """{package: copy} of those in the folder of an editable install."""
    return _copies_led_to(path, name, release, folder) or _copies_led_to(
        os.path.join(path, "src"), name, release, folder
    )


def _copies_led_to(path: str, name: str, release: str, folder: str) -> "dict[str, Pin]":
    """{package: copy} of those in a folder that may lie outside of the repository around the one in which a command runs."""
    is_inside = _inside(path, folder) is not None
    found = copies_at(path, name, release).items()
    return {package: Pin(pin.version, pin.path, pin.line if is_inside else 0) for package, pin in found}


def _may_be_read(path: str, packages: str, folder: str) -> bool:
    """Whether an environment may lead to a folder: one that lies in the repository around the folder in which a command runs leads
    nowhere else, for it may be somebody else's as the repository is."""
    return _inside(packages, folder) is None or _inside(path, folder) is not None


def copies_at(around: str, name: str, release: str) -> "dict[str, Pin]":
    """{package: copy} of those below a folder of the import path, by the release that it is installed as."""
    found = {package: copy_at(around, package) for package in INSTALLED_COPIES[name][2]}
    return {
        package: Pin(release or copy.version, copy.path, copy.line)
        for package, copy in found.items()
        if copy is not None
    }


def imported_copies(folders: "list[str]", name: str, folder: str) -> "dict[str, Pin]":
    """{package: copy} of those in folders that Python searches before what is installed, wherever the command that is about to start
    leads it. `folder`: where that runs."""
    found: dict[str, Pin] = {}
    for each in folders:
        found = {**_copies_led_to(os.path.join(os.path.abspath(folder), each), name, "", folder), **found}
    return found


def _is_info(folder: str, name: str, release: str) -> bool:
    stem, dot, ending = folder.rpartition(".")
    package, _, version = stem.partition("-")
    is_it = package.lower().replace("_", "-") == name and version.partition("-")[0] == release
    return dot + ending == ".dist-info" and is_it


def _came_from(info: str) -> "str | None":
    """The folder that an editable install leads to, "" for what came from another address than an index; None for what came from one."""
    try:
        told = json.loads(disk.read(os.path.join(info, _TOLD), 1 << 16))
    except (OSError, ValueError, RecursionError):
        return None
    told = told if type(told) is dict else {}
    url, kind = told.get("url"), told.get("dir_info")
    is_editable = type(kind) is dict and kind.get("editable") is True
    if not is_editable or type(url) is not str or not url.startswith("file:///"):
        return ""
    from urllib.parse import unquote  # few environments hold such a package

    return unquote(url.removeprefix("file://"))


def _inside(path: str, folder: str) -> "str | None":
    """A path, where it lies in the repository around the folder in which a command runs."""
    path = os.path.normpath(os.path.join(os.path.abspath(folder), path))
    root = disk.checkout_of(os.path.join(os.path.abspath(folder), "file"))
    is_in = root is not None and os.path.join(disk.real(path), "").startswith(os.path.join(disk.real(root), ""))
    return path if is_in else None


def _is_release(name: str, release: str) -> bool:
    framework, has_to_be_known, _ = INSTALLED_COPIES[name]
    known = catalogue_module(framework).RELEASES
    try:
        is_known = version_key(release) in map(version_key, known)
        return "+" not in release and (is_known or not (has_to_be_known or ".dev" in release))
    except BadVersion:
        return False


def _is_whole(packages: str, name: str, info: str) -> bool:
    """Whether the files of a package are those that its installer wrote."""
    left = LARGEST_PACKAGE
    for number, (path, wanted) in enumerate(_recorded(os.path.join(packages, info, "RECORD"), name)):
        try:
            data = disk.read(os.path.join(packages, *path.split("/")), LARGEST_FILE)
        except OSError:
            return False
        left -= len(data)
        if left < 0 or number == MOST_FILES:
            return True
        found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        if len(data) <= LARGEST_FILE and found != wanted:
            return False
    return True


def _recorded(path: str, distribution: str) -> "Iterator[tuple[str, str]]":
    """(name, hash) of the files of the package that are read or run."""
    try:
        text = disk.read(path, LARGEST_RECORD).decode("utf-8", "replace")
    except OSError:
        return
    first = imported_as(distribution)
    for line in text.splitlines():
        name, _, rest = line.partition(",")
        wanted = rest.partition(",")[0]
        is_own = name.startswith(f"{first}/") and name.endswith(_JUDGED) and ".." not in name.split("/")
        if is_own and wanted.startswith("sha256="):
            yield name, wanted.removeprefix("sha256=")
