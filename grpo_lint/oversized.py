"""Files that are too large to be checked, and what is no file: only their words are looked at."""

from .checker.findings import Report
from .engine import CannotRead, largest, unreadable
from .files import disk
from .frameworks.recognition import LONGEST_WORD, is_surely_ours
from .launch.files import LARGEST_FILE
from .launch.own_files import begins_as_ours
from .message import Message

_PIECE, _MOST_PIECES = 1 << 20, 512  # bytes, and how often so many are searched
_WIDEST = 4  # bytes of a letter


def report_of(data: bytes, path: str) -> Report:
    """The report of a file that is too large, by its beginning."""
    if own := begins_as_ours(data):
        return Report(path, skipped=own)
    limit = _limit(path)
    if is_surely_ours(data):
        return unreadable(path, _not_checked(limit), "error" if b"grpo-lint" in data else "info")
    return Report(path, skipped=limit)


def _limit(path: str) -> Message:
    return Message("larger than {size} KB", {"size": largest(path) >> 10})


def _not_checked(limit: Message) -> Message:
    return Message("is {limit}, and is not checked", {"limit": limit})


def search_to_its_end(path: str, beginning: bytes) -> None:
    """Raise CannotRead where a file that is too large to be checked is surely ours, or is too large even to be
    searched."""
    if is_surely_ours(beginning) or begins_as_ours(beginning):
        return
    overlap = LONGEST_WORD * _WIDEST
    for number, piece in enumerate(disk.pieces(path, _PIECE, overlap)):
        if number == _MOST_PIECES or is_surely_ours(piece):
            raise CannotRead(_not_checked(_limit(path)), "info")


def read_special(path: str) -> bytes:
    """The bytes of a device, or of a pipe of the shell (`<(...)`); any other pipe may wait for ever for somebody to
    write."""
    if not path.startswith("/dev/"):
        raise CannotRead(Message("cannot be read: it is a pipe"))
    try:
        return disk.read_special(path, LARGEST_FILE)
    except OSError as error:
        raise CannotRead(Message("cannot be read: {reason}", {"reason": disk.why(error)})) from None
