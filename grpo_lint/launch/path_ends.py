"""Whole paths of another machine: the files of the repository that they mean, by their ends."""

import os

from ..files import disk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Files, Origin, Read, Word

FEWEST_PARTS = 2  # of an end by which a file is known


def places_by_end(word: "Word", path: str, files: "Files", read: "Read") -> list[str]:
    """The path of the file of a repository that a whole path of another machine means: below the root that with the longest end of it,
    or the one of its name beside the command. `path`: what a word of a command names, as far as that is known."""
    whole, root = path or _end(word), disk.checkout_of(files.path)
    if root is None or whole[:1] != "/":
        return []
    parts = whole.split("/")[1:]
    ends = [os.path.join(root, *parts[first:]) for first in range(len(parts) + 1 - FEWEST_PARTS)]
    for found in (*ends, os.path.join(os.path.dirname(files.path), parts[-1])):
        if read(found) is not None:
            found = min(os.path.relpath(found), found, key=len)
            files.by_end[word.shown()] = found
            return [found]
    return []


def _end(word: "Word") -> str:
    """What follows the last unknown part of a word, from a slash on; empty where there is no such."""
    texts: list[str] = []
    for piece in reversed(word.pieces):
        if piece.text is None:
            break
        texts.insert(0, piece.text)
    _, slash, rest = "".join(texts).partition("/")
    return slash + rest


def known_by_end(origin: "Origin") -> "dict[str, str]":
    """{whole path of another machine, as a command writes it: the file of the repository that is taken for it}."""
    own, found = origin.invocation, origin.files.by_end
    names = [word.shown() for word in (own.program, own.config, own.launcher_config) if word is not None]
    return {name: found[name] for name in names if name in found}
