"""A run whose every input is unchanged is not made again: it is replayed.

While a run goes on, a `Watch` notes whatever it looks at (`disk` tells it): contents of files, what is there and what is not, listings,
the environment. The next run of the same command in the same folder would look at these things first, and at others only if one of them
had changed. So where all of them are as they were, it would print the same, and what was printed is printed again. That holds for every
format and option, and needs no list of what a finding may depend on.

A file is as it was when its inode says so (size, times, number), unless it was young when it was seen: then, and on another machine, its
content decides. The program is an input, too. Nothing of a record is executed or unpickled; one that is damaged or not ours counts as none.
"""

import os
import sys
from itertools import chain

from . import disk

try:
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b  # takes four times as long to load

LARGEST_CACHE = 64 << 20  # bytes of all records together
_FOLDERS = 16  # over which the records are spread, so that each is quickly looked through
_MAGIC = b"grpo-lint cache 1\n"
_READING = os.O_RDONLY | getattr(os, "O_BINARY", 0)
_WRITING = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_TIMES_TELL = os.name == "posix"  # elsewhere a time that was put back hides a change
_YOUNG = 2_000_000_000  # nanoseconds: the clock of a file system may be as coarse as that
_PROGRAM = ("grpo_lint", "yaml", "_yaml", "tomli")  # the packages that make the outcome
_BEGINNING = 1 << 17  # bytes of a program file that tell it from others


# --- where ----------------------------------------------------------------------------------------------------------


def folder_of(words):
    """The folder of the cache for a command line, None when it is to do without."""
    given = None
    for position, word in enumerate(words):
        name, equals, value = word.partition("=")
        name = name.replace("_", "-").lower()
        if name == "--":
            break
        if name == "--no-cache":
            return None
        if name == "--cache-dir":
            given = value if equals else "".join(words[position + 1 : position + 2])
    return given or os.environ.get("GRPO_LINT_CACHE_DIR") or _folder_of_user()


def _folder_of_user():
    """Where the programs of a user keep such things; never in a repository, which a stranger may have filled."""
    home = os.environ.get("HOME", "")
    if os.name == "nt":
        place = os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        place = os.path.join(home, "Library", "Caches")
    else:
        place = os.environ.get("XDG_CACHE_HOME", "")
        if not os.path.isabs(place):
            place = os.path.join(home, ".cache")
    return os.path.join(place, "grpo-lint") if os.path.isabs(place) else None


def key_of(words):
    """What a record is found by: the command line, where it is given, by which Python, and how texts are encoded there; None for nowhere."""
    encodings = [str(getattr(stream, "encoding", "")) for stream in (sys.stdout, sys.stderr)]
    try:
        parts = [os.getcwd(), sys.prefix, sys.version, sys.getfilesystemencoding(), *encodings, *words]
        return _digest("\0".join(parts).encode("utf-8", "surrogatepass"))
    except OSError:  # the folder is gone
        return None


def _path(folder, key):
    return os.path.join(folder, key[:1], key)


def _digest(data):
    return blake2b(data, digest_size=16).hexdigest()


# --- records --------------------------------------------------------------------------------------------------------


class Record:
    """What a run has seen and said.

    observations   [(aspect, path, signature, value)], all texts: which of the functions of `_ASPECTS` looked, at what, how the inode was
                   (empty where that proves nothing), and what was seen
    status         the exit status
    said           [(1 or 2, text)]: what went to standard output and standard error, in this order
    """

    __slots__ = ("observations", "status", "said")

    def __init__(self, observations, status, said):
        self.observations = observations
        self.status = status
        self.said = said


def find(folder, key):
    """The Record under a key, None when there is none that holds: everything that it has seen is as it was."""
    try:
        path = _path(folder, key)
        record = _load(path, key)
        observations = record and _seen_again(record.observations)
        if observations is None:
            return None
        if observations is record.observations:
            os.utime(path)  # what is not used is the first to go
        else:
            record.observations = observations
            save(folder, key, record)
        return record
    except (OSError, ValueError):
        return None


def _load(path, key):
    """The Record in a file; None when it is not whole, or when somebody else may have written it."""
    descriptor = os.open(path, _READING)
    try:
        status = os.fstat(descriptor)
        if hasattr(os, "geteuid") and (status.st_uid != os.geteuid() or status.st_mode & 0o022):
            return None
        data = os.read(descriptor, status.st_size)
    finally:
        os.close(descriptor)
    start = len(_MAGIC) + len(key)
    body = data[start:]
    if data[:start] != _MAGIC + _checksum(key, body):
        return None
    count, status, *fields = body.decode("utf-8", "surrogatepass").split("\0")
    end = int(count) * 4
    said = [(int(stream), text) for stream, text in zip(fields[end::2], fields[end + 1 :: 2])]
    return Record(list(zip(fields[0:end:4], fields[1:end:4], fields[2:end:4], fields[3:end:4])), int(status), said)


def _checksum(key, body):
    return _digest(key.encode() + body).encode()


def save(folder, key, record):
    """Write a Record in one step, unless it is too large; where nothing can be written there is no cache."""
    fields = [str(len(record.observations)), str(record.status)]
    fields += chain.from_iterable(record.observations)
    for stream, text in record.said:
        fields += (str(stream), text)
    body = "\0".join(fields).encode("utf-8", "surrogatepass")
    data = _MAGIC + _checksum(key, body) + body
    if body.count(b"\0") != len(fields) - 1 or len(data) > LARGEST_CACHE // _FOLDERS:
        return
    path = _path(folder, key)
    try:
        _make_folders(folder, os.path.dirname(path))
        _make_room(os.path.dirname(path), len(data))
        _write(path, data)
    except (OSError, ValueError):  # ValueError: a NUL in the name of the folder
        pass


def _write(path, data):
    temporary = f"{path}.{os.getpid()}"
    descriptor = os.open(temporary, _WRITING, 0o600)
    try:
        written = os.write(descriptor, data)
    finally:
        os.close(descriptor)
    if written == len(data):
        os.replace(temporary, path)
    else:
        os.unlink(temporary)


def _make_folders(folder, inner):
    if os.path.isdir(inner):
        return
    os.makedirs(os.path.dirname(os.path.abspath(folder)), exist_ok=True)
    if not os.path.isdir(folder):
        os.mkdir(folder, 0o700)
        # nobody wants these files in a commit or a backup
        for name, text in ((".gitignore", "*\n"), ("CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n# Made by grpo-lint.\n")):
            with open(os.path.join(folder, name), "w", encoding="ascii") as file:
                file.write(text)
    os.mkdir(inner, 0o700)


def _make_room(folder, size):
    """Remove the records that were not used for the longest time, until another one fits in."""
    with os.scandir(folder) as entries:
        found = [(entry.stat(follow_symlinks=False), entry.path) for entry in entries]
    over = size + sum(status.st_size for status, _ in found) - LARGEST_CACHE // _FOLDERS
    for status, path in sorted(found, key=lambda each: each[0].st_mtime_ns) if over > 0 else ():
        if over > 0:
            os.unlink(path)
            over -= status.st_size


# --- what a run sees ------------------------------------------------------------------------------------------------


class Watch:
    """Notes what a run sees; `disk` calls it. `spoilt`: the run cannot be replayed."""

    def __init__(self, voices):
        self.spoilt = False
        self._voices = voices
        self._old = _old()
        self._seen = {}  # (aspect, path) -> the observation
        self._kinds = {}

    def content(self, path, limit, status, data):
        # of what was read as a whole as much is read again, and one byte more, if there is one
        self._note("content", path, f"{min(limit, len(data))} {_digest(data)}", _signature(status, self._old))

    def tested(self, path, limit, status, test):
        self._note(test.__name__, path, str(limit), _signature(status, self._old))

    def kind(self, path, kind):
        self.spoilt |= self._kinds.setdefault(path, kind) != kind

    def listing(self, folder, status, entries):
        self._note("listing", folder, _digest_of_listing(entries), _signature(status, self._old))

    def real(self, path, real):
        self._note("real", path, real)

    def expanded(self, path, found):
        self._note("expanded", path, found)

    def environment(self, name, value):
        self._note("environment", name, _shown(value))

    def terminal(self, stream, found):
        if stream in self._voices:
            self._note("terminal", str(stream.number), _shown(found))

    def columns(self, stream, found):
        if stream in self._voices:
            self._note("columns", str(stream.number), _shown(found))

    def _note(self, aspect, path, value, signature=""):
        if self._seen.setdefault((aspect, path), (aspect, path, signature, value))[3] != value:
            self.spoilt = True  # it changes while we look

    def observations(self):
        """All that was seen, as in a Record, and the program that saw it; None when nobody can be sure of all of it."""
        found = []
        for path in sorted(_program_files()):
            signature = _signature(os.stat(path), self._old)
            if not signature and _TIMES_TELL:  # it may have been written since it was loaded
                return None
            found.append(("program", path, signature, _program(path)))
        for path, kind in self._kinds.items():
            if (_IMPLIED.get(kind), path) not in self._seen:
                found.append(("kind", path, "", kind or ""))
        return [*found, *self._seen.values()]


_IMPLIED = {disk.FILE: "content", disk.FOLDER: "listing"}  # what is read is there


def _program_files():
    for name, module in sys.modules.items():
        if name.partition(".")[0] in _PROGRAM and getattr(module, "__file__", None):
            yield module.__file__


def _seen_again(observations):
    """The same observations, with the signatures of today; None when one of them does not hold any more."""
    old = _old()
    renewed = {}
    for number, (aspect, path, signature, value) in enumerate(observations):
        now = ""
        if aspect in _WITH_SIGNATURE:
            now = _signature(os.stat(path), old)
            if now and now == signature:
                continue
        if _ASPECTS[aspect](path, value) != value:
            return None
        if now:
            renewed[number] = (aspect, path, now, value)
    if not renewed:
        return observations
    return [renewed.get(number, observation) for number, observation in enumerate(observations)]


def _old():
    """The time before which a file was changed that is not young any more."""
    from time import time_ns

    return time_ns() - _YOUNG


def _signature(status, old):
    """What changes with every change of a file or folder; empty where that cannot be relied on."""
    if not _TIMES_TELL or status.st_mtime_ns > old or status.st_ctime_ns > old:
        return ""
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"


def _content(path, value):
    limit = value.partition(" ")[0]
    return f"{limit} {_digest(disk.read(path, int(limit)))}"


def _is_foreign(path, value):
    from .dialects.recognition import is_foreign

    data = disk.read(path, int(value))
    return value if len(data) <= int(value) and is_foreign(data) else ""


def _program(path, value=""):
    with open(path, "rb", buffering=0) as file:
        return f"{os.fstat(file.fileno()).st_size} {_digest(file.read(_BEGINNING))}"


def _digest_of_listing(entries):
    return _digest("\0".join([part for entry in entries for part in entry]).encode("utf-8", "surrogatepass"))


def _shown(value):
    return "" if value is None else f"={value}"


def _stream(number):
    return sys.stdout if number == "1" else sys.stderr


# How each aspect is looked at again: a function of what was looked at and of what was seen then.
_ASPECTS = {
    "content": _content,
    "is_foreign": _is_foreign,
    "program": _program,
    "listing": lambda path, value: _digest_of_listing(disk.listing(path)),
    "kind": lambda path, value: disk.kind(path) or "",
    "real": lambda path, value: disk.real(path),
    "expanded": lambda path, value: os.path.expanduser(path),
    "environment": lambda name, value: _shown(os.environ.get(name)),
    "terminal": lambda number, value: _shown(_stream(number).isatty()),
    "columns": lambda number, value: _shown(disk.columns(_stream(number))),
}
_WITH_SIGNATURE = ("content", "is_foreign", "program", "listing")


# --- what a run says ------------------------------------------------------------------------------------------------


class Voice:
    """Standard output (1) or standard error (2) of a run: what is written there goes on, and is kept in `said`, which both share."""

    def __init__(self, number, stream, said):
        self.number = number
        self._stream = stream
        self._said = said

    def write(self, text):
        if self._said and self._said[-1][0] == self.number:
            self._said[-1][1].append(text)
        else:
            self._said.append((self.number, [text]))
        return self._stream.write(text)

    @property
    def buffer(self):
        disk.unrepeatable()
        return self._stream.buffer

    def __getattr__(self, name):
        return getattr(self._stream, name)


def kept(run, folder, key):
    """The exit status of a run; when the next one can be replayed from what it saw and said, that is written down."""
    said = []
    streams = sys.stdout, sys.stderr
    voices = [Voice(number, stream, said) for number, stream in enumerate(streams, 1)]
    disk.watch = Watch(voices)
    sys.stdout, sys.stderr = voices
    try:
        status = run()
    finally:
        sys.stdout, sys.stderr = streams
        watch, disk.watch = disk.watch, None
    if status in (0, 1) and not watch.spoilt:  # anything else is a mistake, of the user or ours
        observations = watch.observations()
        if observations:
            save(folder, key, Record(observations, status, [(number, "".join(texts)) for number, texts in said]))
    return status
