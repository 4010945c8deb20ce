"""Files that are too large to be checked: only their words are looked at."""

from itertools import islice

from ..files import disk
from ..frameworks.recognition import LONGEST_WORD, is_surely_ours
from ..launch.own_files import begins_as_ours
from ..message import NOTHING, Message
from ..record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..rules.base import Severity

_PIECE, _MOST_PIECES = 1 << 20, 512  # bytes, and how often so many are searched
_WIDEST = 4  # bytes of a letter


class Search(Record):
    """What the words of a file tell.

    own        what it is that grpo-lint wrote, in words; empty for any other
    severity   of the finding that it is not checked; None where nobody expects that
    """

    own: Message = NOTHING
    severity: "Severity | None" = None


def search(beginning: bytes, path: "str | None" = None) -> Search:
    """Search the beginning of a file, and at a path the file to its end."""
    if own := begins_as_ours(beginning):
        return Search(own=own)
    if is_surely_ours(beginning):
        return Search(severity="error" if b"grpo-lint" in beginning else "info")
    return Search(severity="info" if path is not None and _holds_ours(path) else None)


def _holds_ours(path: str) -> bool:
    """Whether a file is surely ours, or too large even to be searched."""
    pieces = disk.pieces(path, _PIECE, LONGEST_WORD * _WIDEST)
    return any(map(is_surely_ours, islice(pieces, _MOST_PIECES))) or next(pieces, None) is not None
