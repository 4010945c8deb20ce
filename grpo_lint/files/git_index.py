"""Which files git tracks, read from its index: what is tracked is not ignored, whatever a `.gitignore` says.

git itself is not asked: it runs what the configuration of a stranger's repository names.
"""

import os
import re

from . import disk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

LARGEST_INDEX = 32 << 20
MOST_ENTRIES = 200_000
_LARGEST_POINTER = 256 << 10
_HEAD, _FIXED, _HASH = 12, 62, 20  # bytes of the header, of an entry before its name, and of what stands at the end
_EXTENDED, _LENGTH = 0x4000, 0xFFF  # bits of the flags in front of a name


class Tracked:
    """The files below a folder that git tracks and whose names end in some way, and the folders that they stand in.

    `is_known` is False where an index is there that cannot be read: then anything may be tracked, and is looked at.
    """

    def __init__(self, root: str, suffixes: "tuple[str, ...]") -> None:
        ends = tuple(map(str.encode, suffixes))
        self.files: set[bytes] = set()
        self.is_known = True
        try:
            self.files.update(name for name in _tracked(root) if name.lower().endswith(ends))
        except (_Unknown, OSError, ValueError):
            self.is_known = False
        self.folders: set[bytes] = set()
        for name in self.files:
            folder = name.rpartition(b"/")[0]
            while folder and folder not in self.folders:
                self.folders.add(folder)
                folder = folder.rpartition(b"/")[0]

    def holds(self, path: str, is_folder: bool) -> bool:
        """Whether a path, as seen from the root, is tracked or leads to what is, as far as that is known."""
        known = self.folders if is_folder else self.files
        return not self.is_known or os.fsencode(path.replace(os.sep, "/")) in known


class _Unknown(Exception):
    """It cannot be told what is tracked."""


def _tracked(root: str) -> "Iterator[bytes]":
    """The paths that git tracks, and those that a split index has taken out of the one that it shares."""
    folder = _folder_of_git(root)
    try:
        data = _read(os.path.join(folder, "index"))
    except FileNotFoundError:  # nothing was added yet
        return
    end = yield from _names(data)
    shared = _shared(data, end)
    if shared:
        yield from _names(_read(os.path.join(folder, f"sharedindex.{shared}")))


def _folder_of_git(root: str) -> str:
    """Where git keeps the index of a work tree. One elsewhere counts only if it says in turn that it belongs to this
    work tree: what came in an archive may lead to any repository of this machine."""
    pointer = os.path.join(root, ".git")
    if disk.is_folder(pointer):
        return pointer
    told = _line(pointer)
    if not told.startswith("gitdir:"):
        raise _Unknown
    folder = disk.real(os.path.join(root, told.removeprefix("gitdir:").strip()))
    try:
        back = disk.real(os.path.join(folder, _line(os.path.join(folder, "gitdir"))))  # one of several work trees
    except FileNotFoundError:  # a submodule
        tree = re.search(
            r"^[ \t]*worktree[ \t]*=[ \t]*(.*)", _line(os.path.join(folder, "config")), re.MULTILINE | re.I
        )
        back = disk.real(os.path.join(folder, tree[1].strip().strip('"'), ".git")) if tree else ""
    if back != disk.real(pointer):
        raise _Unknown
    return folder


def _line(path: str) -> str:
    return os.fsdecode(disk.read(path, _LARGEST_POINTER)).strip()


def _read(path: str) -> bytes:
    data = disk.read(path, LARGEST_INDEX)
    if len(data) > LARGEST_INDEX:
        raise _Unknown
    return data


def _names(data: bytes) -> "Generator[bytes, None, int]":
    """The paths in an index; returns the place behind them."""
    version, count = int.from_bytes(data[4:8], "big"), int.from_bytes(data[8:12], "big")
    if data[:4] != b"DIRC" or version not in (2, 3, 4) or count > MOST_ENTRIES:
        raise _Unknown
    at, name = _HEAD, b""
    for _ in range(count):
        flags = int.from_bytes(data[at + 60 : at + 62], "big")
        start = at + _FIXED + (2 if version > 2 and flags & _EXTENDED else 0)
        if version == 4:
            start, cut = _number(data, start)
            kept = name[: len(name) - cut]
        end = data.find(b"\0", start)
        if end < 0:
            raise _Unknown
        name = kept + data[start:end] if version == 4 else data[start:end]
        if min(len(name), _LENGTH) != flags & _LENGTH:  # no index as we know it
            raise _Unknown
        yield name
        at = end + 1 if version == 4 else at + (end - at + 8) // 8 * 8
    return at


def _shared(data: bytes, at: int) -> str:
    """The name of the index that this one adds to; empty for none. `at`: the place behind the entries."""
    while at + 8 <= len(data) - _HASH:
        if data[at : at + 4] == b"link":
            name = data[at + 8 : at + 8 + _HASH]
            return name.hex() if any(name) else ""
        at += 8 + int.from_bytes(data[at + 4 : at + 8], "big")
    return ""


def _number(data: bytes, at: int) -> "tuple[int, int]":
    """(the place behind it, a number as git packs it): how much of the name before is not kept."""
    value = -1
    while at < len(data) and value < LARGEST_INDEX:
        byte = data[at]
        at += 1
        value = (value + 1 << 7) | byte & 0x7F
        if not byte & 0x80:
            break
    return at, value
