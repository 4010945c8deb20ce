"""Finds the files that `grpo-lint check PATH...` is about.

A file that is named is taken, whatever it is called. A folder is walked in a fixed order for YAML files, JSON files, shell
scripts, files of Python and notebooks; folders that hold other people's or generated files are passed over, and in a
repository what git ignores. Symbolic links to folders are not followed: inside the tree their target is met anyway, and
outside of it nobody asked for it.
"""

import os
from bisect import bisect_left

from ..message import NOTHING, Message
from . import disk
from .budget import DEEPEST_FOLDER, WORK_OF_FOLDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Literal

    from .disk import Kind, Listing
    from .git_index import Tracked
    from .gitignore import Rules

    Severity = Literal["error", "info"]
    Excluding = Callable[[str], Callable[[str], bool] | None]  # of a folder: what of its paths is left out
    Seen = set[str | tuple[str, str]]  # paths of files; folders as (path, "walked")
    Waiting = tuple[str, str, list[Rules] | None, int]  # (folder, the same without links, rules of git, depth)

SCRIPTS = (".sh", ".bash", ".zsh", ".ksh", ".slurm", ".sbatch", ".job", ".pbs", ".lsf", ".qsub")
IMAGES = ("dockerfile", "containerfile")
RECIPES = ("makefile", "justfile", ".mk", *IMAGES)
YAML = (".yaml", ".yml")
DOCUMENTS = (".md", ".markdown", ".mdx")  # judged where they are named; a walk notes what starts training in them
PYTHON, NOTEBOOKS = (".py",), (".ipynb",)
SUFFIXES = (*YAML, ".json", *SCRIPTS, *RECIPES, *PYTHON, *NOTEBOOKS)
SKIPPED_FOLDERS = {"node_modules", "__pycache__", "venv", "site-packages", "build", "dist"}  # and all hidden ones
STDIN = "-"
COMMAND = "<command>"  # the name of what is no file, but a command that is about to start


class Unreadable:
    """A file or folder that was named, or met on the way, and cannot be read. `severity`: that of the finding about
    it."""

    def __init__(self, path: str, reason: Message, severity: "Severity" = "error") -> None:
        self.path = path
        self.reason = reason
        self.severity = severity

    def __repr__(self) -> str:
        return f"Unreadable({self.path!r}, {self.reason!r})"


class NotLookedAt(Unreadable):
    """A folder, or a `.gitignore` in it, that a walk leaves out because of a bound."""

    __slots__ = ()


def find_files(
    paths: "Iterable[str]",
    exclude: "Excluding | Iterable[str] | None" = None,
    suffixes: "tuple[str, ...]" = SUFFIXES,
    gitignore: bool = True,
    seen: "Seen | None" = None,
) -> "Iterator[str | Unreadable]":
    """Yield each file once, as a path in the spelling of the caller, and an Unreadable for each that cannot be had.

    `seen`: a set that takes in the paths of the files without links.

    `exclude` leaves out files and whole folders that are met while walking, never a path that is named: either patterns
    (relative to the working directory, see settings), or what `walk` takes; so does `gitignore` with what git ignores.
    `-` passes through.
    """
    if not (exclude is None or callable(exclude)):
        from .patterns import Globs

        globs = Globs(exclude, os.getcwd())
        exclude = lambda folder: globs.match  # noqa: E731
    seen = set() if seen is None else seen
    for path in paths:
        for identity, file in _named(path, suffixes, exclude, gitignore, seen):
            if identity not in seen:
                seen.add(identity)
                yield file


def _named(
    path: str, suffixes: "tuple[str, ...]", exclude: "Excluding | None", gitignore: bool, seen: "Seen"
) -> "Iterable[tuple[str, str | Unreadable]]":
    """What a path on the command line stands for, as (identity, file or Unreadable)."""
    if path == STDIN:
        return [(STDIN, STDIN)]
    if disk.is_folder(path):
        return walk(path, suffixes, exclude, gitignore, seen)
    return [(disk.real(path), path)]


def walk(
    top: str,
    suffixes: "tuple[str, ...]",
    exclude: "Excluding | None" = None,
    gitignore: bool = True,
    seen: "Seen | None" = None,
    most_work: "int | None" = None,
) -> "Iterator[tuple[str, str | Unreadable]]":
    """Yield (path without links, path or Unreadable) of each file below `top`: those of a folder first, then its
    folders, each by name.

    `exclude`: a function of a folder that gives a function of the paths in it, or None where nothing is left out;
    `seen`: a set that remembers the folders of several walks, so that none is walked twice; `most_work`: how many names
    may be looked at, and patterns of git tried on them.
    """
    return _Walk(suffixes, exclude, gitignore, set() if seen is None else seen, most_work).below(top)


class _Walk:
    """One walk through folders; the arguments are those of `walk`."""

    def __init__(
        self,
        suffixes: "tuple[str, ...]",
        exclude: "Excluding | None",
        gitignore: bool,
        seen: "Seen",
        most_work: "int | None",
    ) -> None:
        self._suffixes = suffixes
        self._exclude = exclude
        self._gitignore = gitignore
        self._seen = seen
        self._work_left = most_work
        self._waiting: list[Waiting] = []
        self._tracked: dict[str, Tracked] = {}

    def below(self, top: str) -> "Iterator[tuple[str, str | Unreadable]]":
        from .gitignore import rules_above

        real = disk.real(top)
        rules = rules_above(real, self._suffixes) if self._gitignore and not disk.leads_outside(top) else None
        self._waiting.append((top, real, rules, 0))
        while self._waiting:
            folder, real, rules, depth = self._waiting.pop()
            if (real, "walked") in self._seen:  # named twice, or inside a folder that was named as well
                continue
            self._seen.add((real, "walked"))
            yield from self._folder(folder, real, rules, depth)
            if self._work_left is not None and self._work_left < 0 and self._waiting:
                folder, real, _, _ = self._waiting[-1]
                what = Message("so much of this repository is looked at: this folder and what comes after it are not")
                yield real, NotLookedAt(folder, what)
                return

    def _folder(
        self, folder: str, real: str, rules: "list[Rules] | None", depth: int
    ) -> "Iterator[tuple[str, str | Unreadable]]":
        """The files of one folder; the folders in it wait for their turn."""
        try:
            entries = disk.listing(folder, real)
        except OSError as error:
            severity: Severity = "info" if isinstance(error, disk.LeadsOutside) else "error"
            yield real, Unreadable(folder, disk.why(error), severity)
            return
        if self._gitignore:
            rules, problem = self._rules_within(rules, real, entries)
            if problem:
                yield real, NotLookedAt(os.path.join(folder, ".gitignore"), problem)
        names = [*filter(self._is_looked_at, entries)]
        yield from self._named(names, folder, real, rules, depth)
        if self._work_left is not None:
            self._work_left -= WORK_OF_FOLDER + len(names) * (1 + sum(each.work for each in rules or ()))

    def _named(
        self, names: "Listing", folder: str, real: str, rules: "list[Rules] | None", depth: int
    ) -> "Iterator[tuple[str, str | Unreadable]]":
        """The files among the names in a folder that are looked for."""
        folders: list[Waiting] = []
        inside, really_inside = "" if folder == os.curdir else os.path.join(folder, ""), os.path.join(real, "")
        excluded = self._exclude and self._exclude(folder)
        for name, kind in names:
            path = inside + name
            if excluded and excluded(path):
                continue
            within = self._rules_for(name, kind == disk.FOLDER, real, rules)
            if within is _IGNORED:
                continue
            if kind == disk.FOLDER:
                folders.append((path, really_inside + name, within, depth + 1))
            elif kind == disk.FILE:
                yield really_inside + name, path
            elif disk.kind(path) not in (disk.FOLDER, disk.OTHER):  # a link that leads nowhere is told when it is read
                yield disk.real(path), path
        if depth == DEEPEST_FOLDER and folders:
            what = Message(
                "folders are looked at that nest {depth} deep: those in this one are not", {"depth": DEEPEST_FOLDER}
            )
            yield real, NotLookedAt(folder, what)
        else:
            self._waiting.extend(reversed(folders))

    def _is_looked_at(self, entry: "tuple[str, Kind]") -> bool:
        """Whether the name of something in a folder is one of those that are looked for."""
        name, kind = entry
        if kind == disk.FOLDER:
            return not name.startswith(".") and name not in SKIPPED_FOLDERS
        is_image = name[:11] == "Dockerfile." and IMAGES[0] in self._suffixes
        # `._x.sh` is what macOS packs beside x.sh, and no text
        return kind != disk.OTHER and name[:2] != "._" and (is_image or name.lower().endswith(self._suffixes))

    def _rules_for(self, name: str, is_folder: bool, folder: str, rules: "list[Rules] | None") -> "list[Rules] | None":
        """The rules of git for what is in a folder of the walk, from those of the folder; `_IGNORED` where git ignores it."""
        from .gitignore import everything, is_ignored

        if not rules or not is_ignored(rules, folder, name, is_folder):
            return rules
        is_tracked = self._is_tracked(os.path.join(folder, name), is_folder)
        return everything(folder, self._suffixes) if is_tracked else _IGNORED  # what is not tracked is ignored there

    def _is_tracked(self, real: str, is_folder: bool) -> bool:
        """Whether git tracks what is at a path without links, or something in it."""
        root = disk.root_of(real)
        if root is None:
            return False
        if root not in self._tracked:
            from .git_index import Tracked

            self._tracked[root] = Tracked(root, self._suffixes)
        return self._tracked[root].holds(real[len(os.path.join(root, "")) :], is_folder)

    def _rules_within(
        self, rules: "list[Rules] | None", real: str, entries: "Listing"
    ) -> "tuple[list[Rules] | None, Message]":
        """(the rules of git in a folder, what of them was not read, in words). `rules`: those of the folders above it,
        None outside of a repository."""
        from . import gitignore

        if _kind(entries, ".git") is not None:  # a repository of its own
            rules = gitignore.rules_of_clone(real, self._suffixes)
        if rules is not None and _kind(entries, ".gitignore") == disk.FILE:  # as for git, a link is none
            return gitignore.rules_within(real, self._suffixes, rules)
        return rules, NOTHING


_IGNORED: "list[Rules]" = []  # stands for the rules for what is not looked at at all


def _kind(entries: "Listing", name: str) -> "Kind | None":
    """The kind of a name in a sorted listing; None when it is not there."""
    at = bisect_left(entries, (name,))
    return entries[at][1] if at < len(entries) and entries[at][0] == name else None


def has_suffix(name: str, suffixes: "tuple[str, ...]" = SUFFIXES) -> bool:
    """Whether the name of a file has one of some suffixes, in letters of either case. `Dockerfile.train` is a Dockerfile, too."""
    name = name.lower()
    return name.endswith(suffixes) or ("dockerfile." in name and IMAGES[0] in suffixes and is_dockerfile(name))


def is_dockerfile(name: str) -> bool:
    return name.rpartition("/")[2].startswith("dockerfile.")
