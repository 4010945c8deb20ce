"""A revision of a repository, written to a folder of its own to be linted. Git is run in this module only.

A repository may be a stranger's, and its configuration may name programs. So git is only asked to name a commit, list a
tree and output objects (`rev-parse`, `ls-tree`, `cat-file --batch`). These commands read no work tree and no index, and
run no hook, filter, textconv or monitor. Missing objects are not fetched. Only regular files that a check may read are
written, and no links.
"""

import errno
import os
import re
import subprocess
import tempfile
import threading

from ..files import disk
from ..files.discovery import RECIPES, SCRIPTS, YAML
from ..launch.interpreter import program_at
from ..message import Message, Telling, verbatim
from ..source.quoting import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_FILES = 20_000
LARGEST_FILE, LARGEST_TREE = 1 << 20, 128 << 20  # bytes
LARGEST_LISTING = 32 << 20  # bytes: some dozen objects that were made by hand stand for any number of files
LARGEST_ANSWER = LARGEST_TREE + (4 << 20)  # bytes of all objects that are looked at, with the lines between
LARGEST_SETTINGS = 256 << 10  # bytes of a file of git that says where something is
PATIENCE = 120  # seconds for one command of git
_ENDINGS = (
    *YAML,
    ".json",
    *SCRIPTS,
    *RECIPES,
    ".py",
    ".ipynb",
    ".txt",
    ".toml",
    ".cfg",
    ".lock",
    ".in",
    ".md",
    "dockerfile",
    "version",
)
_OPTIONS = (
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    "protocol.allow=never",
)
# A tree that somebody made by hand has names that no work tree here can have, nor git check out.
_IMPOSSIBLE_NAMES = (errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.EILSEQ, errno.EINVAL)
_GUARDS = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}


class NoRevision(Telling):
    """A revision that cannot be read; the message is meant for the user."""


class Revision:
    """The files of a revision, in a folder that `close` removes. `cut`: whether some were left out because there are
    too many."""

    folder: str
    cut: bool

    def __init__(self, root: str, name: str) -> None:
        """`root`: the folder with `.git`; `name`: a branch, a tag or a commit."""
        self.cut = False
        if not _is_known_to_git(root):
            raise NoRevision(Message(".git leads to a repository that knows nothing of this folder"))
        commit = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}").strip().decode()
        if not commit:
            raise NoRevision(Message("{name} is no revision of this repository", {"name": shown(name)}))
        files = list(
            self._wanted(_git(root, "ls-tree", "-r", "-z", "--long", "--full-tree", commit, most=LARGEST_LISTING))
        )
        self._place = tempfile.TemporaryDirectory(prefix="grpo-lint-")
        self.folder = os.path.join(disk.real(self._place.name), "tree")
        os.makedirs(os.path.join(self.folder, ".git"))  # the search for files around a config ends here
        try:
            self._write(files, _objects(root, [name for name, _, _ in files]))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._place.cleanup()

    def _wanted(self, listing: bytes) -> "Iterator[tuple[str, int, str]]":
        """(object, size, path) of the regular files that a check may read."""
        count = total = 0
        if len(listing) == LARGEST_LISTING:  # it ends anywhere
            listing, self.cut = listing.rpartition(b"\0")[0], True
        for line in listing.split(b"\0"):
            facts, _, path = line.partition(b"\t")
            words = facts.split()
            if len(words) != 4 or words[0] not in (b"100644", b"100755"):
                continue
            name = os.fsdecode(path)
            if not name.lower().endswith(_ENDINGS) or not _stays_inside(name):
                continue
            if not words[3].isdigit():  # git says BAD: the object is missing in a partial clone
                raise NoRevision(Message("this clone does not hold {name} of that revision", {"name": shown(name)}))
            size = int(words[3])
            if size > LARGEST_FILE:
                continue
            count, total = count + 1, total + size
            if count > MOST_FILES or total > LARGEST_TREE:
                self.cut = True
                return
            yield words[2].decode("ascii"), size, name

    def _write(self, files: "list[tuple[str, int, str]]", objects: bytes) -> None:
        at = 0
        for name, size, path in files:
            end = objects.find(b"\n", at)
            if objects[at:end] != f"{name} blob {size}".encode():
                raise NoRevision(Message("git does not give out {path}", {"path": shown(path)}))
            place = os.path.join(self.folder, path)
            try:
                os.makedirs(os.path.dirname(place), exist_ok=True)
                with open(place, "xb") as file:
                    file.write(objects[end + 1 : end + 1 + size])
            except FileExistsError:  # two names that are one on this file system
                pass
            except OSError as error:
                if error.errno not in _IMPOSSIBLE_NAMES:
                    raise
            at = end + 2 + size


def _is_known_to_git(root: str) -> bool:
    """Whether the repository that `.git` leads to is that of a folder.

    Where `.git` is a file or a link, git goes wherever it leads. What came in an archive may lead to any repository of
    this machine. One that git made for a work tree or a submodule says in turn which folder it belongs to.
    """
    own = os.path.join(root, ".git")
    if disk.is_folder(own):
        is_whole = not disk.exists(os.path.join(own, "commondir"))
        return is_whole and os.path.dirname(disk.real(own)) == disk.real(root)
    pointer = _told(own).removeprefix("gitdir:").strip()
    there = os.path.join(root, pointer)
    back = _told(os.path.join(there, "gitdir")).strip()
    if back:
        return disk.real(os.path.join(there, back)) == disk.real(own)
    tree = re.search(r"^[ \t]*worktree[ \t]*=[ \t]*(.*)", _told(os.path.join(there, "config")), re.MULTILINE)
    return tree is not None and disk.real(os.path.join(there, tree[1].strip())) == disk.real(root)


def _told(path: str) -> str:
    """What a file of git says; nothing where there is none."""
    try:
        return disk.read(path, LARGEST_SETTINGS)[:LARGEST_SETTINGS].decode("utf-8", "surrogateescape")
    except (OSError, ValueError):
        return ""


def _stays_inside(path: str) -> bool:
    """Whether a path of a tree, which may be crafted, stays below the root."""
    parts = path.split("/")
    return not any(part in ("", ".", "..") or part.lower() == ".git" or "\\" in part or ":" in part for part in parts)


def _objects(root: str, names: "list[str]") -> bytes:
    return _git(root, "cat-file", "--batch", text="".join(f"{name}\n" for name in names).encode()) if names else b""


def _git(root: str, *words: str, text: bytes = b"", most: int = LARGEST_ANSWER) -> bytes:
    """What a command of git writes, at most so many bytes; nothing where it fails."""
    environment = {name: value for name, value in disk.whole_environment().items() if not name.startswith("GIT_")}
    folders = [each for each in environment.get("PATH", "").split(os.pathsep) if os.path.isabs(each)]
    program = program_at("git.exe" if os.name == "nt" else "git", folders, os.sep)
    if program is None:
        raise NoRevision(Message("git is not installed"))
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as complaints:
        given.write(text)
        given.seek(0)
        try:
            process = subprocess.Popen(
                [program, *_OPTIONS, "-C", root, *words],
                stdin=given,
                stdout=subprocess.PIPE,
                stderr=complaints,
                env={**environment, **_GUARDS},
            )
        except (OSError, ValueError) as error:
            raise NoRevision(Message("git cannot be asked: {error}", {"error": disk.why(error)})) from None
        assert process.stdout is not None
        impatience = threading.Timer(PATIENCE, process.kill)
        impatience.start()
        try:
            found = process.stdout.read(most)
            if len(found) == most:
                process.kill()
                return found
            status = process.wait()
        finally:
            impatience.cancel()
            process.stdout.close()
            process.kill()
            process.wait()
        complaints.seek(0)
        told = complaints.read(1000).decode("utf-8", "replace").strip().partition("\n")[0]
    problem = (verbatim(told) if told else Message("it gave up")) if status > 0 else Message("it took too long")
    if status and (words[0] != "rev-parse" or told):  # quiet: there is no such revision
        raise NoRevision(Message("git {command}: {problem}", {"command": words[0], "problem": problem}))
    return found
