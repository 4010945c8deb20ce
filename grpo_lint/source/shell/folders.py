"""Folders and files as (base, path), relative to a base; None where that is unknown."""

from posixpath import dirname, join, normpath

from .words import unknown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .tree import Piece, Place
    from .words import Word

# The bases of a folder.
START = "start"  # the folder in which the script is started
SCRIPT = "script"  # the folder of the script
REPOSITORY = "repository"  # the top of the git repository
ABSOLUTE = "absolute"  # the root: the path begins with a slash

# The place of the script itself; `dirname` turns it into the folder.
SCRIPT_FILE = "$0"


def place_of(word: "Word", folder: "Place | None") -> "Place | None":
    """(base, path) of what a word names, relative to a folder; None when that is unknown."""
    pieces = [piece for piece in word.pieces if piece.text != ""]
    if pieces and pieces[0].place is not None and not word.glob:
        rest = [piece.text for piece in pieces[1:] if piece.text is not None]
        if len(rest) != len(pieces) - 1 or (rest and rest[0][0] != "/"):
            return None
        base, path = pieces[0].place
        return joined((base, path), "".join(rest).lstrip("/"))
    return joined(folder, word.value) if word.value else None


def joined(folder: "Place | None", path: str) -> "Place | None":
    if path[:1] == "/":
        return ABSOLUTE, normpath(path)
    return folder and (folder[0], normpath(join(folder[1], path)) if path else folder[1])


def parent(place: "Place", start: int, end: int) -> "list[Piece]":
    """The parent folder of a place."""
    base, path = place
    if path == SCRIPT_FILE:
        path = ""
    elif path in ("", ".") or path.split("/")[-1] == "..":
        path = join(path, "..") if path not in ("", ".") else ".."
    else:
        path = dirname(path)
    return [unknown(start, end, place=(base, path))]
