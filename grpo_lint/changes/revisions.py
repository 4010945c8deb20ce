"""A revision of a repository, written to a folder of its own to be linted. Git is run in this module only.

A repository may be a stranger's, and its configuration may name programs. So git is only asked to name a commit, list a
tree and output objects (`rev-parse`, `ls-tree`, `cat-file --batch`). These commands read no work tree and no index, and
run no hook, filter, textconv or monitor. Missing objects are not fetched. Only regular files that a check may read are
written, and no links.
"""

import os
import subprocess
import tempfile

from ..files import disk
from ..files.discovery import RECIPES, SCRIPTS, YAML
from ..launch.interpreter import program_at
from ..source.quoting import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_FILES = 20_000
LARGEST_FILE, LARGEST_TREE = 1 << 20, 128 << 20  # bytes
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
_GUARDS = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}


class NoRevision(Exception):
    """A revision that cannot be read; the message is meant for the user."""


class Revision:
    """The files of a revision, in a folder that `close` removes. `cut`: whether some were left out because there are
    too many."""

    folder: str
    cut: bool

    def __init__(self, root: str, name: str) -> None:
        """`root`: the folder with `.git`; `name`: a branch, a tag or a commit."""
        self.cut = False
        commit = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}").strip().decode()
        if not commit:
            raise NoRevision(f"{shown(name)} is no revision of this repository")
        files = list(self._wanted(_git(root, "ls-tree", "-r", "-z", "--long", "--full-tree", commit)))
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
        for line in listing.split(b"\0"):
            facts, _, path = line.partition(b"\t")
            words = facts.split()
            if len(words) != 4 or words[0] not in (b"100644", b"100755"):
                continue
            name = os.fsdecode(path)
            if not name.lower().endswith(_ENDINGS) or not _stays_inside(name):
                continue
            if not words[3].isdigit():  # git says BAD: the object is missing in a partial clone
                raise NoRevision(f"this clone does not hold {shown(name)} of that revision")
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
                raise NoRevision(f"git does not give out {shown(path)}")
            place = os.path.join(self.folder, path)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            try:
                with open(place, "xb") as file:
                    file.write(objects[end + 1 : end + 1 + size])
            except FileExistsError:  # two names that are one on this file system
                pass
            at = end + 2 + size


def _stays_inside(path: str) -> bool:
    """Whether a path of a tree, which may be crafted, stays below the root."""
    parts = path.split("/")
    return not any(part in ("", ".", "..") or part.lower() == ".git" or "\\" in part or ":" in part for part in parts)


def _objects(root: str, names: "list[str]") -> bytes:
    return _git(root, "cat-file", "--batch", text="".join(f"{name}\n" for name in names).encode()) if names else b""


def _git(root: str, *words: str, text: bytes = b"") -> bytes:
    """The output of a git command; empty where it fails."""
    environment = {name: value for name, value in disk.whole_environment().items() if not name.startswith("GIT_")}
    folders = [each for each in environment.get("PATH", "").split(os.pathsep) if os.path.isabs(each)]
    program = program_at("git.exe" if os.name == "nt" else "git", folders, os.sep)
    if program is None:
        raise NoRevision("git is not installed")
    try:
        done = subprocess.run(
            [program, *_OPTIONS, "-C", root, *words],
            input=text,
            capture_output=True,
            env={**environment, **_GUARDS},
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise NoRevision(f"git cannot be asked: {error}") from None
    if done.returncode and (words[0] != "rev-parse" or done.stderr.strip()):  # quiet: there is no such revision
        told = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise NoRevision(f"git {words[0]}: {told or done.returncode}")
    return done.stdout
