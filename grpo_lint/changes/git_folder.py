"""The folder of git of a repository, laid out anew in a folder of our own, where nothing leads out of it.

git follows whatever a repository says: links, included settings, borrowed objects, a work tree or a common folder
elsewhere. A stranger's may lead to any file of this machine. So git is shown a copy of the references, with settings of
ours, and the objects where they are, once it is known that they lead nowhere else.
"""

import os
import re
from typing import NamedTuple

from ..files import disk
from ..message import Message, Telling

LARGEST_SETTINGS = 4 << 20  # bytes of a file of git that says where something is
LARGEST_REFERENCES = 64 << 20  # bytes of all that names commits
MOST_REFERENCES = 50_000  # files
_HEADS = ("HEAD", "FETCH_HEAD", "MERGE_HEAD", "ORIG_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD", "shallow")
_REFERENCES = (*_HEADS, "packed-refs", "refs", "reftable")
# The settings that say what a revision is called; `git config` writes the names of sections and keys in lower case.
_TELLING = re.compile(
    r"core\.repositoryformatversion|extensions\.(objectformat|refstorage)|push\.default|remote\.pushdefault"
    r"|branch\..*\.(remote|merge|pushremote)|remote\..*\.(fetch|push)",
    re.DOTALL,
)


class NoRevision(Telling):
    """A revision that cannot be read; the message is meant for the user."""


class GitFolder(NamedTuple):
    """Where a repository keeps what git knows; paths without links."""

    root: str
    own: str  # what belongs to this work tree
    common: str  # what all work trees of the repository share

    def objects(self) -> str:
        """The folder of the objects, when nothing in it leads out of the repository."""
        objects = os.path.join(self.common, "objects")
        seen: set[str] = set()
        pending = [objects]
        while pending:
            folder = pending.pop()
            if folder not in seen:
                seen.add(folder)
                _walk_without_links(folder)
                pending += self._borrowed(folder)
        return objects

    def _borrowed(self, objects: str) -> "list[str]":
        """The folders from which a folder of objects borrows."""
        told = _told(os.path.join(objects, "info", "alternates"))
        places = [os.path.join(objects, line) for line in told.split("\n") if line and not line.startswith("#")]
        # Git takes `..` out of the text before it looks at links, and knows quoted lines and ends at a NUL.
        found = [disk.real(os.path.normpath(place)) for place in places]
        for place in (*found, *map(disk.real, places)):
            if '"' in told or "\0" in told or not any(_is_below(place, each) for each in (self.root, self.common)):
                raise _leads_out("objects/info/alternates")
        return found

    def settings(self) -> str:
        """The settings as they are written there."""
        return _told(os.path.join(self.common, "config"))

    def copy(self, place: str, settings: "list[tuple[str, str]]", with_logs: bool) -> str:
        """Lay it out in a folder that is there; the path of what belongs to the work tree."""
        names = (*_REFERENCES, "logs") if with_logs else _REFERENCES
        room = _Room()
        room.copy(self.common, place, names)
        os.makedirs(os.path.join(place, "refs"), exist_ok=True)
        os.makedirs(os.path.join(place, "objects"))
        with open(os.path.join(place, "config"), "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            file.write(_written(settings))
        if self.own == self.common:
            return place
        own = os.path.join(place, "worktrees", "this")
        os.makedirs(own)
        room.copy(self.own, own, names)
        with open(os.path.join(own, "commondir"), "w", encoding="ascii") as file:
            file.write("../..\n")
        return own


def git_folder(root: str) -> GitFolder:
    """That of the repository with this root.

    Where `.git` is a file or a link, git goes wherever it leads. What came in an archive may lead to any repository of
    this machine. One that git made for a work tree or a submodule says in turn which folder it belongs to.
    """
    pointer = os.path.join(root, ".git")
    top = disk.real(root)
    own = disk.real(pointer)
    if not disk.is_folder(pointer):
        own = disk.real(os.path.join(root, _told(pointer).removeprefix("gitdir:").strip()))
    elif os.path.dirname(own) != top or os.path.lexists(os.path.join(own, "commondir")):
        raise _knows_nothing()
    back = _told(os.path.join(own, "gitdir")).strip()
    if not back or disk.is_folder(pointer):
        if not _is_work_tree(own, top, disk.is_folder(pointer)):
            raise _knows_nothing()
        return GitFolder(top, own, own)
    common = disk.real(os.path.join(own, _told(os.path.join(own, "commondir")).strip()))
    above, folder = os.path.split(os.path.dirname(own))
    if disk.real(os.path.join(own, back)) != disk.real(pointer) or (common, "worktrees") != (above, folder):
        raise _knows_nothing()
    return GitFolder(top, own, common)


def _is_work_tree(own: str, top: str, unless_said: bool) -> bool:
    """Whether the settings of a folder of git name a folder as its work tree. `unless_said`: where they name none."""
    tree = re.search(r"^[ \t]*worktree[ \t]*=[ \t]*(.*)", _told(os.path.join(own, "config")), re.MULTILINE | re.I)
    return unless_said if tree is None else disk.real(os.path.join(own, tree[1].strip().strip('"'))) == top


def telling(listed: bytes) -> "list[tuple[str, str]]":
    """(key, value) of what counts in the answer of `git config --null --list`."""
    lines = listed.decode("utf-8", "surrogateescape").split("\0")
    pairs = (line.partition("\n") for line in lines)
    return [(key, value) for key, _, value in pairs if _TELLING.fullmatch(key)]


def _written(settings: "list[tuple[str, str]]") -> str:
    """A file of settings for git."""
    lines = ["[core]", "\tbare = true"]
    for name, value in settings:
        section, _, rest = name.partition(".")
        inner, _, key = rest.rpartition(".")
        lines += [f"[{section} {_quoted(inner)}]" if inner else f"[{section}]", f"\t{key} = {_quoted(value)}"]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{text}"'


class _Room:
    """Copies what names commits, as far as there is room."""

    def __init__(self) -> None:
        self._files, self._bytes = MOST_REFERENCES, LARGEST_REFERENCES

    def copy(self, source: str, target: str, names: "tuple[str, ...]") -> None:
        """Copy these files and folders of a folder."""
        for name in names:
            path = os.path.join(source, name)
            for file in _walk_without_links(path):
                copied = os.path.join(target, os.path.relpath(file, source))
                os.makedirs(os.path.dirname(copied), exist_ok=True)
                self._copy_file(file, copied)

    def _copy_file(self, file: str, copied: str) -> None:
        try:
            data = disk.read(file, self._bytes)
        except OSError:  # gone meanwhile, or not for us to read
            return
        self._files, self._bytes = self._files - 1, self._bytes - len(data)
        if self._files < 0 or self._bytes < 0:
            raise NoRevision(Message("this repository has too many branches and tags"))
        with open(copied, "xb") as written:
            written.write(data)


def _walk_without_links(path: str) -> "list[str]":
    """The files at and below a path of git; none of the way is a link, a pipe or a device."""
    found: list[str] = []
    pending = [path]
    while pending:
        place = pending.pop()
        if disk.is_link(place):
            raise _leads_out(os.path.basename(path))
        if not disk.is_folder(place):
            found += [place] if disk.is_file(place) else []
            continue
        for name, kind in disk.entries(place):
            inner = os.path.join(place, name)
            if kind == disk.FILE:
                found.append(inner)
            elif kind == disk.FOLDER:
                pending.append(inner)
            else:
                raise _leads_out(os.path.relpath(inner, os.path.dirname(path)))
    return found


def _told(path: str) -> str:
    """What a file of git says; nothing where there is none."""
    if disk.is_link(path):
        raise _leads_out(os.path.basename(path))
    try:
        data = disk.read(path, LARGEST_SETTINGS)
    except (OSError, ValueError):
        return ""
    if len(data) > LARGEST_SETTINGS:
        raise NoRevision(Message("a file in .git is too large: {name}", {"name": os.path.basename(path)}))
    return data.decode("utf-8", "surrogateescape")


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(os.path.join(folder, ""))


def _leads_out(name: str) -> NoRevision:
    return NoRevision(
        Message("what git knows of this repository may not lead out of it: {name} in .git does", {"name": name})
    )


def _knows_nothing() -> NoRevision:
    return NoRevision(Message(".git leads to a repository that knows nothing of this folder"))
