"""The one door to what lies around a run: files, folders, the environment, the terminal.

Whatever a check looks at, it looks at through these functions. So a run can be watched: `watch` is told what was seen, and the cache can
tell later whether a run would see the same again (see `cache`). A run that does something else says so with `unrepeatable`.
"""

import os
import sys
from stat import S_ISDIR, S_ISREG

FILE, FOLDER, LINK, OTHER = "file", "folder", "link", "other"
_READING = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)

watch = None  # the `cache.Watch` of this process
listings = None  # {folder: its listing} in a process that lives for one run, and looks at a folder once


class Special(OSError):
    """A pipe, a socket, a device: no regular file."""


def read(path, limit):
    """The bytes of a regular file, one more than `limit` of a larger one. Raises Special, OSError, and ValueError for a NUL in the path."""
    status, data = _status_and_bytes(path, limit)
    if watch:
        watch.content(path, limit, status, data)
    return data


def read_unless(path, limit, test):
    """The same, None where a test of the bytes holds: nothing else of the file counts then. For a file of up to `limit` bytes."""
    status, data = _status_and_bytes(path, limit)
    holds = len(data) <= limit and test(data)
    if watch:
        if holds:
            watch.tested(path, limit, status, test)
        else:
            watch.content(path, limit, status, data)
    return None if holds else data


def _status_and_bytes(path, limit):
    try:
        descriptor = os.open(path, _READING)  # of a pipe it does not wait for anybody to write
    except OSError as error:
        _failed(path, error)
        raise
    try:
        status = os.fstat(descriptor)
        if S_ISDIR(status.st_mode):
            raise IsADirectoryError(21, "Is a directory")
        if not S_ISREG(status.st_mode):
            raise Special(22, "not a regular file")
        size = status.st_size
        data = os.read(descriptor, min(size, limit) + 1)
        while len(data) <= limit and len(data) != size:  # it changes, or comes in pieces
            more = os.read(descriptor, limit + 1 - len(data))
            if not more:
                break
            data += more
    except OSError as error:
        _failed(path, error)
        raise
    finally:
        os.close(descriptor)
    return status, data


def _failed(path, error):
    """Note why a path could not be read: what is there can be asked again; a refusal may be lifted by anybody at any time."""
    if isinstance(error, (FileNotFoundError, NotADirectoryError, IsADirectoryError, Special)):
        kind(path)
    else:
        unrepeatable()


def read_special(path, limit):
    """The bytes of a pipe or a device, at most one more than `limit`; raises OSError."""
    unrepeatable()
    with open(path, "rb") as file:
        return file.read(limit + 1)


def kind(path):
    """What is at a path, links followed: FILE, FOLDER, OTHER, or None for nothing that can be reached."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):  # ValueError: a NUL in the path
        found = None
    else:
        found = FILE if S_ISREG(mode) else FOLDER if S_ISDIR(mode) else OTHER
    if watch:
        watch.kind(path, found)
    return found


def exists(path):
    return kind(path) is not None


def is_file(path):
    return kind(path) == FILE


def is_folder(path):
    return kind(path) == FOLDER


def listing(folder, real=""):
    """[(name, FILE, FOLDER, LINK or OTHER)] of what is in a folder, by name; not to be changed. `real`: its path without links, if that is known.

    Raises OSError.
    """
    if listings is not None and (real or folder) in listings:
        return listings[real or folder]
    try:
        status = os.stat(folder) if watch else None
        with os.scandir(folder) as entries:
            found = sorted([(entry.name, _kind_of_entry(entry)) for entry in entries])
    except OSError as error:
        _failed(folder, error)
        raise
    if watch:
        watch.listing(folder, status, found)
    if listings is not None:
        listings[real or folder] = found
    return found


def _kind_of_entry(entry):
    if entry.is_file(follow_symlinks=False):
        return FILE
    if entry.is_dir(follow_symlinks=False):
        return FOLDER
    return LINK if entry.is_symlink() else OTHER


def real(path):
    """The path without symbolic links; one that no file can have stays as it is."""
    try:
        found = os.path.realpath(path)
    except ValueError:  # a NUL, or half of a surrogate pair
        found = os.path.abspath(path)
    if watch:
        watch.real(path, found)
    return found


def expanded(path):
    """The path with the home of a user in the place of a `~`."""
    found = os.path.expanduser(path)
    if watch:
        watch.expanded(path, found)
    return found


def environment(name, default=None):
    """An environment variable."""
    value = os.environ.get(name)
    if watch:
        watch.environment(name, value)
    return default if value is None else value


def is_terminal(stream):
    """Whether somebody looks at a stream."""
    found = stream.isatty()
    if watch:
        watch.terminal(stream, found)
    return found


def columns(stream):
    """The width of the terminal of a stream, None when it has none."""
    try:
        found = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError, AttributeError):  # not a terminal, closed, or no real file
        found = None
    if watch:
        watch.columns(stream, found)
    return found


def unrepeatable():
    """The run does more than to look and to print, or has seen what nobody can be sure to see again: it cannot be replayed."""
    if watch:
        watch.spoilt = True


def standard_input(limit):
    """The bytes of standard input, at most one more than `limit`."""
    unrepeatable()
    return sys.stdin.buffer.read(limit + 1)


def pass_on_standard_input():
    """Copy what was not read of standard input to standard output."""
    from shutil import copyfileobj

    copyfileobj(sys.stdin.buffer, sys.stdout.buffer)
