"""Writing a file in one step: afterwards it holds either the new content or the old one, never a part."""

import os
from errno import EISDIR
from stat import S_IMODE, S_ISDIR, S_ISLNK, S_ISREG
from tempfile import mkdtemp
from time import time

from ..message import NOTHING, Message, Telling, told_by
from . import disk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_WRITE_BITS = 0o222
_PREFIX, _SUFFIX = ".grpo-lint-", ".tmp"  # of the names of folders with a file that is not complete yet
_FILE, _IGNORING = "new", ".gitignore"  # what is in such a folder
_LONG = 3600  # seconds


class NotWritten(Telling):
    """The file was left as it was; the message says why."""


def replace(path: str, old: bytes, new: bytes) -> Message:
    """Replace the bytes `old` of a file by `new`; raises NotWritten, and then nothing was changed.

    Returns what is not as it was, in words: a file with several names is another one now under this name; "" for
    nothing. Mode, owner and extended attributes stay, and of a symbolic link the target is replaced. A file that does
    not hold `old` any more was changed by somebody else since it was read, and a file that nobody may write is meant to
    stay as it is.
    """
    return _replaced(path, old, new)[0]


def _replaced(path: str, old: bytes, new: bytes) -> "tuple[Message, bool]":
    """(what `replace` returns, whether the file did not hold the new text already)."""
    try:
        target = disk.target_of(path)
        status = os.stat(target)
        if not S_ISREG(status.st_mode):
            raise NotWritten(Message("it is no regular file"))
        if not status.st_mode & _WRITE_BITS or not os.access(target, os.W_OK):
            raise NotWritten(Message("it is read-only"))
        if not _swap(target, status, old, new):
            return NOTHING, False
        others = status.st_nlink - 1
        return (_kept(others) if others else NOTHING, True)
    except OSError as error:
        raise NotWritten(disk.why(error)) from None


def _kept(others: int) -> Message:
    links = Message("{count} hard link", {}, "{count} hard links", others)
    return Message("its other names ({links}) keep the old text", {"links": links})


def replace_all(files: "Sequence[tuple[str, bytes, bytes]]") -> "list[tuple[str, Message]]":
    """`replace` several files, each (path, old, new), or none of them; returns (path, what is not as it was) where that is
    something."""
    remarks: list[tuple[str, Message]] = []
    written: list[tuple[str, bytes, bytes]] = []
    for path, old, new in files:
        try:
            remark, is_written = _replaced(path, old, new)
        except NotWritten as reason:
            for done, before, after in written:
                replace(done, after, before)
            raise NotWritten(
                Message("{path}: {problem}", {"path": path, "problem": told_by(reason)})
                if len(files) > 1
                else told_by(reason)
            ) from None
        written += [(path, old, new)] if is_written else []
        remarks += [(path, remark)] if remark else []
    return remarks


def create(path: str, new: bytes) -> None:
    """Write a file that does not exist yet. Raises NotWritten, and then it does not exist."""
    try:
        place = disk.place_of(path)
        with open(place, "xb") as file:
            try:
                file.write(new)
                file.flush()
                os.fsync(file.fileno())
            except BaseException:
                os.unlink(place)
                raise
    except FileExistsError:
        raise NotWritten(Message("it is there by now")) from None
    except OSError as error:
        raise NotWritten(disk.why(error)) from None


def put(path: str, new: bytes) -> None:
    """Write a file, whatever has its name now. Raises NotWritten, and then the old content is still there.

    A link of that name is replaced, so that nothing is written where it leads. A pipe, a device, or a file that a
    process has open is written to.
    """
    try:
        status = os.lstat(path) if os.path.lexists(path) else None
        if path.startswith(_OPEN_FILES) or _is_special(status):
            with open(path, "wb") as file:
                file.write(new)
            return
        place = disk.place_of(path)
        if os.path.isdir(place):
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        status = status if status and S_ISREG(status.st_mode) else None
        try:
            _swap(place, status, None, new)
        except PermissionError:
            if status is None:
                raise
            with open(place, "wb", opener=_no_link) as file:  # it may be changed in a folder that may not
                file.write(new)
    except OSError as error:
        raise NotWritten(disk.why(error)) from None
    except ValueError as error:  # a NUL in the path
        raise NotWritten(disk.why(error)) from None


def _is_special(status: "os.stat_result | None") -> bool:
    """Whether something is a pipe or a device; not what a link leads to."""
    return status is not None and not any(test(status.st_mode) for test in (S_ISREG, S_ISLNK, S_ISDIR))


def _no_link(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0))


_OPEN_FILES = ("/dev/", "/proc/")  # names for what a process has open: it is to get the text, and no file of this name


def _swap(target: str, status: "os.stat_result | None", old: "bytes | None", new: bytes) -> bool:
    """Write the new file beside the target, then rename it. `old`: what the target has to hold until then, None for
    anything. Returns whether it did not hold the new text by then."""
    folder = os.path.dirname(target)
    _remove_left_over(folder)
    place = mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", suffix=_SUFFIX, dir=folder)
    temporary = os.path.join(place, _FILE)
    try:
        _hide_from_git(place)
        with open(temporary, "xb", opener=_for_us_alone) as file:
            file.write(new)
            file.flush()
            _keep_attributes(target, temporary, status)
            os.fsync(file.fileno())
        if old is not None:
            with open(target, "rb") as file:
                found = file.read()
            if found == new:  # another run was faster
                return False
            if found != old:
                raise NotWritten(Message("it was changed since it was read"))
        os.replace(temporary, target)
    finally:
        _remove(place)
    _settle(folder)
    return True


def _hide_from_git(place: str) -> None:
    """Let git ignore a folder and all in it, so that nobody commits what a run that was killed leaves behind."""
    with open(os.path.join(place, _IGNORING), "xb", buffering=0) as file:
        file.write(b"*\n")


def _for_us_alone(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _remove(place: str) -> None:
    """Remove a folder that was made for a file, as far as nothing else was put into it."""
    for name in (_FILE, _IGNORING):  # in this order: git ignores the file as long as it is there
        try:
            os.unlink(os.path.join(place, name))
        except OSError:
            pass  # it was renamed, or never made
    try:
        os.rmdir(place)
    except OSError:
        pass  # it holds what somebody else put there


def _remove_left_over(folder: str) -> None:
    """Remove what a run of ours began in a folder and left there, since it was killed: today folders, once files."""
    try:
        names = [name for name in os.listdir(folder) if name.startswith(_PREFIX) and name.endswith(_SUFFIX)]
    except OSError:
        return
    for name in names:
        path = os.path.join(folder, name)
        try:
            status = os.lstat(path)
            if _is_left_over(name, status):
                _remove(path) if S_ISDIR(status.st_mode) else os.unlink(path)
        except OSError:
            pass  # somebody else's, or gone


def _is_left_over(name: str, status: "os.stat_result") -> bool:
    """Whether nobody writes a file any more in or at what has a name of ours: its process is gone, or it is an hour old."""
    if not (S_ISREG(status.st_mode) or S_ISDIR(status.st_mode)):
        return False
    process, dash, _ = name[len(_PREFIX) :].partition("-")
    is_named = bool(dash) and process.isascii() and process.isdigit() and len(process) < 10
    return time() - status.st_mtime > _LONG or (is_named and not _is_running(int(process)))


def _is_running(process: int) -> bool:
    """Whether a process may be running; of systems that cannot be asked without harm that is taken to be so."""
    if os.name != "posix" or process == 0:
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _keep_attributes(target: str, temporary: str, status: "os.stat_result | None") -> None:
    """Give a new file the owner, mode and extended attributes of the one whose place it takes, `status`."""
    if status is None:  # a new file gets the mode that the user gives to new files
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        return
    if hasattr(os, "chown"):
        try:
            os.chown(temporary, status.st_uid, status.st_gid)
        except OSError:
            pass  # only the owner and the administrator may give a file away
    os.chmod(temporary, S_IMODE(status.st_mode))
    if hasattr(os, "listxattr"):
        try:
            for name in os.listxattr(target):
                os.setxattr(temporary, name, os.getxattr(target, name))
        except OSError:
            pass  # the file system keeps none, or keeps these for the administrator


def _settle(folder: str) -> None:
    """Flush the folder, so that the new name survives a power cut, where folders can be flushed."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        pass
    finally:
        os.close(descriptor)
