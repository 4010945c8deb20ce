"""Packages that were unpacked into a repository, or installed there: each lies beside the `.dist-info` of its wheel, and their files are
nobody's own programs. Loaded only where there is such a folder."""

import os

from ..files import disk
from ..frameworks.registry import PACKAGES

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
