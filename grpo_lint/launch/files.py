"""Other files that a config names, such as the DeepSpeed configuration of a run."""

import os

from ..files import disk
from ..files.budget import NAMED, Budget
from ..record import derived
from ..source.text import NotText, Text, encoding_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import (
        Callable,
        Command,
        Document,
        Fact,
        Invocation,
        Iterator,
        Library,
        Mapping,
        Repository,
        Word,
    )
    from ..source.shell.script import Given

    Read = Callable[[str], str | None]  # of a path: its text, None when there is none

LARGEST_FILE = 256 << 10  # bytes; ten times as much as any config or script that people write
LARGEST_NOTEBOOK = 16 << 20  # pictures and all that its cells have printed


class NamedFile:
    """A file that a config names: its path, as we reached it, and its text."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self._document: Document | None = None

    @property
    def document(self) -> "Document":
        """The file read as YAML, which is done once."""
        if self._document is None:
            from ..source.yaml.reader import read_yaml

            self._document = read_yaml(Text(self.text, self.path))
        return self._document


MOST_NAMED = 1 << 20  # characters of named files whose nodes are kept


class _NamedFiles(dict["tuple[str, str]", NamedFile]):
    """Named files by their paths and texts, the same for all runs that name them: what they say is read once."""

    size = 0

    def __missing__(self, key: "tuple[str, str]") -> NamedFile:
        self.size += len(key[1])
        if self.size > MOST_NAMED:
            self.clear()
            self.size = len(key[1])
        found = self[key] = NamedFile(*key)
        return found


named = _NamedFiles()


class Files:
    """Finds the files that the config at `path` names.

    A relative name counts from the folder in which the run is started, and nobody knows that one. So it is looked for
    in the folder of the config and in those above it, up to the root of the repository, and never outside; a name that
    means different texts in two of them is not known. `read` gives the text of a path: an editor's may be newer than
    the one on the disk.
    `budget` says how much may be read for the config, `repository` holds its Python (`library`).
    """

    is_start = False  # whether names count from one known folder, that of a command that is about to start
    given: "Given | None" = None  # what the script at `path` is given by its caller

    def __init__(
        self,
        path: str,
        read: "Read | None" = None,
        budget: "Budget | None" = None,
        repository: "Repository | None" = None,
    ) -> None:
        self.path = path
        self.read: Read = read or read_text
        self.budget: Budget = budget or Budget()
        self._repository = repository
        self._root: str | None = None
        self._above: list[str] | None = None
        self._opened: dict[str, NamedFile | None] = {}  # path -> NamedFile
        # {(folder, name)} of what was sought from a folder in vain; the files of a repository name much the same
        self._missing: set[tuple[str, str]] = set() if repository is None else repository.missing
        self.by_end: dict[str, str] = {}  # whole path of another machine -> the file here that it means
        self.started: dict[str, list[Invocation]] = {}  # path of another script -> its Invocations

    def installed_for(self, command: "Command", start: int) -> "Mapping[str, Fact]":
        """{package: Fact} of the releases that the program at an offset of a command will import; nothing where its
        machine is unknown."""
        return {}

    def preset_of(self, invocation: "Invocation") -> "NamedFile | None":
        """The config that a launcher reads although its command names none; None where that is unknown."""
        return None

    def processes_of(self, invocation: "Invocation") -> "Fact | None":
        """How many processes a launcher starts where no file and no option says it; None where that is unknown."""
        return None

    @property
    def library(self) -> "Library":
        """The `programs.Library` of the repository."""
        if self._repository is None:
            from .repository import Repository

            self._repository = Repository(self.read)
        return self._repository.library

    def counted_by(self, budget: Budget) -> "Files":
        """These files for another file that is judged, on whose budget the reading counts."""
        found = Files.__new__(Files)
        found.__dict__.update(self.__dict__)
        found.budget = budget
        return found

    def seeing(self, texts: "Mapping[str, str]") -> "Files":
        """These files where some, by their paths as they are reached from here, hold other texts."""
        found = self.counted_by(self.budget)
        read = self.read
        found.read = lambda path: texts[path] if path in texts else read(path)
        found._opened = {}
        found._missing = set()
        return found

    def find(self, name: str) -> "NamedFile | None":
        """The NamedFile of a name; None when there is none, when it cannot be read, or when it could be several."""
        return self._open(self.place(name))

    def at(self, path: str) -> "NamedFile | None":
        """The NamedFile at a path, seen from where we are."""
        return self._open(os.path.normpath(path))

    def named_by(self, command: "Command", word: "Word") -> "NamedFile | None":
        """The NamedFile of a word of a command, seen from the folder in which the command runs."""
        return self._open(self.place_by(command, word))

    def place(self, name: str) -> str | None:
        """The path of the file that a name means; None when there is none, when it cannot be read, or when it could be
        several."""
        return _only(self.places(name))

    def places(self, name: str) -> list[str]:
        """The paths of the files that a name may mean, one for each text, the nearest first."""
        sought = os.path.dirname(self.path), name
        if sought in self._missing:
            return []
        paths = (os.path.normpath(os.path.join(folder, name)) for folder in self.folders_for(name))
        found: dict[str, str] = {}
        for path in paths:
            text = self._text(path)
            if text is not None:
                found.setdefault(text, path)
        if not found:
            self._missing.add(sought)
        return list(found.values())

    def place_by(self, command: "Command", word: "Word") -> str | None:
        """The path of the file that a word of a command means, seen from the folder in which the command runs."""
        return _only(self.places_by(command, word))

    def places_by(self, command: "Command", word: "Word") -> list[str]:
        """The paths of the files that a word of a command may mean, seen from there, the nearest first."""
        known = command.path(word)
        if known is None:
            return self.places(word.value) if word.value else self._places_by_end(word, "")
        base, name = known  # a folder known by its role: "script", "repository", "start" or "absolute"
        if base not in ("script", "repository"):
            return self.places(name) or self._places_by_end(word, name)
        folder = os.path.dirname(self.path) if base == "script" else self._top(name)
        path = os.path.normpath(os.path.join(folder, name))
        return [] if self._text(path) is None else [path]

    def _places_by_end(self, word: "Word", path: str) -> list[str]:
        from .path_ends import places_by_end  # few commands name files of another machine

        return [] if self.is_start else places_by_end(word, path, self, self._text)

    def _open(self, path: str | None) -> "NamedFile | None":
        if path is None:
            return None
        if path not in self._opened:
            text = self._text(path)
            if text is not None and not self.budget.allows(NAMED, path, len(text)):
                text = None
            self._opened[path] = None if text is None else named[path, text]
        return self._opened[path]

    def _text(self, path: str) -> str | None:
        return self.read(path) if self.may_be_read(path) else None

    @derived
    def own_text(self) -> str | None:
        """The text of the file at `path`."""
        return self._text(self.path)

    def may_be_read(self, path: str) -> bool:
        """Whether a named file may be read: a config in a repository, which may be a stranger's, cannot name files
        outside of it."""
        if not self._root:
            self._root = os.path.join(disk.real(disk.checkout_of(self.path) or os.sep), "")
        return "\0" not in path and disk.real(path).startswith(self._root)

    def _top(self, name: str) -> str:
        """The folder of the repository."""
        return self.folders_for(name)[-1]

    def folders_for(self, name: str) -> list[str]:
        if os.path.isabs(name):
            return [""]
        if self._above is None:
            self._above = list(_above(os.path.dirname(self.path)))
        return self._above


def _only(paths: list[str]) -> str | None:
    """The path that is alone."""
    return paths[0] if len(paths) == 1 else None


def _above(folder: str) -> "Iterator[str]":
    """A folder and those above it, up to the root of the repository."""
    for _ in disk.folders_up_to_root(os.path.abspath(folder)):
        yield folder
        folder = os.path.join(folder, os.pardir)


def read_text(path: str) -> str | None:
    """The text of a file; None for what is none, or cannot be read, or is too large to be a config or a script."""
    try:
        data = disk.read(path, LARGEST_FILE)
        text = data.decode(encoding_of(data, path)) if len(data) <= LARGEST_FILE else None
    except (OSError, ValueError, NotText):
        return None
    return text and text.replace("\r\n", "\n").replace("\r", "\n")
