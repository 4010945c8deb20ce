"""Which files git tracks, read from its index: what is tracked is not ignored, whatever a `.gitignore` says.

git itself is not asked: it runs what the configuration of a stranger's repository names.
"""

import os

from . import disk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST_INDEX = 32 << 20
MOST_ENTRIES = 200_000
_HEAD, _FIXED = 12, 62  # bytes of the header, and of an entry before its name
_EXTENDED, _LENGTH = 0x4000, 0xFFF  # bits of the flags in front of a name


class Tracked:
    """The files below a folder that git tracks and whose names end in some way, and the folders that they stand in."""

    __slots__ = ("files", "folders")

    def __init__(self, root: str, suffixes: "tuple[str, ...]") -> None:
        ends = tuple(map(str.encode, suffixes))
        self.files: set[bytes] = {name for name in _names(_read(root)) if name.lower().endswith(ends)}
        self.folders: set[bytes] = set()
        for name in self.files:
            folder = name.rpartition(b"/")[0]
            while folder and folder not in self.folders:
                self.folders.add(folder)
                folder = folder.rpartition(b"/")[0]

    def holds(self, path: str, is_folder: bool) -> bool:
        """Whether a path, as seen from the root, is tracked or leads to what is."""
        return os.fsencode(path.replace(os.sep, "/")) in (self.folders if is_folder else self.files)


def _read(root: str) -> bytes:
    try:
        data = disk.read(os.path.join(root, ".git", "index"), LARGEST_INDEX)
    except OSError:
        return b""
    return data if len(data) <= LARGEST_INDEX else b""


def _names(data: bytes) -> "Iterator[bytes]":
    """The paths in an index; it ends where it cannot be read on."""
    version = int.from_bytes(data[4:8], "big")
    if data[:4] != b"DIRC" or version not in (2, 3, 4):
        return
    at, name = _HEAD, b""
    for _ in range(min(int.from_bytes(data[8:12], "big"), MOST_ENTRIES)):
        flags = int.from_bytes(data[at + 60 : at + 62], "big")
        start = at + _FIXED + (2 if version > 2 and flags & _EXTENDED else 0)
        if version == 4:
            start, cut = _number(data, start)
            kept = name[: len(name) - cut]
        end = data.find(b"\0", start)
        if end < 0:
            return
        name = kept + data[start:end] if version == 4 else data[start:end]
        if min(len(name), _LENGTH) != flags & _LENGTH:  # no index as we know it
            return
        yield name
        at = end + 1 if version == 4 else at + (end - at + 8) // 8 * 8


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
