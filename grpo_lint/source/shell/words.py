"""Words as a program gets them, whose pieces know where they are written and who may override them; and the folders and files that words
name: (base, path), relative to a base, None where that is unknown."""

from posixpath import dirname, join, normpath

from .tree import Piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Piece
    from .tree import Place


class Word:
    """One word of a command as the program gets it, or the value of a variable.

    `start`, `end`: where it is written; for an element of an array, its place in the array. `pieces`: its parts.
    `value`: the text; None when a part of it is unknown or is a pattern of file names.
    """

    __slots__ = ("start", "end", "pieces", "glob", "value")

    def __init__(self, start: int, end: int, pieces: "list[Piece]", glob: bool = False) -> None:
        self.start = start
        self.end = end
        self.pieces = pieces
        self.glob = glob
        self.value: str | None = None
        if not glob and len(pieces) == 1:
            self.value = pieces[0].text
        elif not glob:
            texts = [piece.text for piece in pieces if piece.text is not None]
            self.value = "".join(texts) if len(texts) == len(pieces) else None

    @property
    def many(self) -> bool:
        """Whether it may expand to any number of words: `"$@"`, an unknown unquoted `$X`, a pattern of file names."""
        return self.glob or any(piece.many for piece in self.pieces)

    @property
    def overridable(self) -> bool:
        """Whether the value is a default that the caller may override."""
        return any(piece.overridable for piece in self.pieces)

    @property
    def is_of_the_caller(self) -> bool:
        """Whether only the caller of the script can know all of the value."""
        return len(self.pieces) == 1 and self.pieces[0].text is None and self.pieces[0].outside

    @property
    def origin(self) -> "tuple[int, int] | None":
        """(start, end) of the text in the file that is this value, including quotes; None when it is composed or
        computed."""
        pieces = [piece for piece in self.pieces if piece.text != ""] or self.pieces[:1]
        first = pieces[0] if pieces else None
        if first is None or not all(piece.exact for piece in pieces):
            return None
        for left, right in zip(pieces, pieces[1:], strict=False):
            if left.end != right.start:
                return None
        return first.start, pieces[-1].end

    def partition(self, separator: str) -> "tuple[Word, Word | None]":
        """The word before the first `separator` and the one after it. The second is None when the separator is not in
        the known beginning.

        For `--foo=$BAR`: the flag, and a value with an origin of its own.
        """
        for index, piece in enumerate(self.pieces):
            if piece.text is None:
                break
            at = piece.text.find(separator)
            if at >= 0:
                before = [*self.pieces[:index], piece.cut(0, at)]
                after = [*self.pieces[index + 1 :]]
                if at + len(separator) < len(piece.text) or not after:
                    after.insert(0, piece.cut(at + len(separator), len(piece.text)))
                middle = piece.start + at if piece.exact else self.start
                if not self.start <= middle <= self.end:
                    middle = self.start
                start = min(middle + len(separator), self.end) if middle > self.start else self.start
                return Word(self.start, max(middle, self.start), before), Word(start, self.end, after, self.glob)
        return self, None

    def shown(self, unknown: str = "...") -> str:
        """The text with a stand-in for unknown parts."""
        return "".join([unknown if piece.text is None else piece.text for piece in self.pieces])

    def __repr__(self) -> str:
        return f"Word({self.start}, {self.end}, {self.shown()!r})"


def unknown(start: int, end: int, outside: bool = False, many: bool = False, place: "Place | None" = None) -> "Piece":
    return Piece(None, start, end, outside=outside, many=many, place=place)


def unknown_word(start: int, end: int, outside: bool = False, many: bool = False) -> "Word":
    """A word of which only the place is known."""
    return Word(start, end, [unknown(start, end, outside, many)])


def loosened(word: "Word") -> "Word":
    return Word(word.start, word.end, [made_overridable(piece) for piece in word.pieces], word.glob)


def made_overridable(piece: "Piece") -> "Piece":
    if piece.text is None or piece.overridable:
        return piece
    return Piece(piece.text, piece.start, piece.end, piece.exact, True)


# --- folders ------------------------------------------------------------------------------------------------------------

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
