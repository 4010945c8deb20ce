"""What in a repository is a framework, or a package that was unpacked or installed there, which lies beside the `.dist-info` of its
wheel: their files are nobody's own programs."""

import os

from ..files import disk
from ..frameworks.registry import PACKAGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

ENDING = ".dist-info"


def packages_in(folder: str) -> "frozenset[str]":
    """The names of the unpacked packages in a folder, as they are imported."""
    names = {name for name, kind in disk.entries(folder) if kind == disk.FOLDER}
    unpacked = {name.partition("-")[0].lower().replace("_", "-") for name in names if name.endswith(ENDING)}
    found = {name for name in names if name.lower().replace("_", "-") in unpacked}
    return frozenset(found.union(PACKAGES[name][0].partition("/")[0] for name in unpacked & PACKAGES.keys()))


def lies_in_one(folder: str, root: str) -> bool:
    """Whether a folder below a root is that of an unpacked package, or in one."""
    folder, root = os.path.abspath(folder), os.path.abspath(root)
    while folder != root and folder.startswith(root):
        folder, name = os.path.split(folder)
        if name in packages_in(folder):
            return True
    return False


def is_of_a_framework(folder: str, root: str) -> bool:
    """Whether a folder below a root is that of a framework's package, or in one."""
    folder, root = os.path.abspath(folder), os.path.abspath(root)
    while folder != root and folder.startswith(root):
        around, name = os.path.split(folder)
        files = (file for files in PACKAGES.values() for file in files[:1] if file.startswith(f"{name}/"))
        if any(disk.is_file(os.path.join(around, *file.split("/"))) for file in files):
            return True
        folder = around
    return False


def is_in_a_copy(folder: str, root: str, ask: "Callable[[str, str], bool]") -> bool:
    """Whether a folder below the root is of a framework: that of its package or of a checkout of it, or one in these. `ask` answers
    it for the folder above."""
    folder, root = os.path.abspath(folder), os.path.abspath(root)
    if folder == root or not folder.startswith(root):
        return False
    packages = ((os.path.dirname(folder), os.path.basename(folder)), (folder, ""))
    here = {name for name, _ in disk.entries(folder)}
    is_one = any(
        (name or file.partition("/")[0] in here) and disk.is_file(os.path.join(place, file))
        for place, name in packages
        for files in PACKAGES.values()
        for file in files[:1]
        if not name or file.startswith(f"{name}/")
    )
    return is_one or ask(os.path.dirname(folder), root)
