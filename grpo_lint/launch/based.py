"""What a config sets together with the files on which it builds by their paths, which are seen from its own folder.

A file that is not here is one of the framework's own configs, by its name, of which the catalogue tells what is in it; any other is
unknown, and so is all that it may set.
"""

import os

from ..source.entry import loaded
from ..source.yaml.reader import Entry, Mapping
from .composition import MOST_LEVELS, MOST_PARTS, PRIMARY, Composition, Part, composed_word, laid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Files, Framework, Text
    from .files import NamedFile

_LISTED = "defaults"
MISSING, LOOPS = "--missing", "--loops"  # options by which the framework sees that a path leads nowhere, and why


def built_on(framework: "Framework", config: Mapping, path: str, files: "Files | None") -> Composition:
    """The Composition of the config at a path."""
    return _Builder(framework, files).build(config, path)


class _Builder:
    def __init__(self, framework: "Framework", files: "Files | None") -> None:
        self._framework = framework
        self._files = files
        self._left = MOST_PARTS
        self._parts: list[Part] = []  # the weakest first
        self._base = ""  # the framework's own config below all others
        self._unknown = ""
        self._missing = ""  # a path that surely leads nowhere
        self._loops = False  # because it is the config itself, or builds on it
        self._open: list[str] = []  # the files that are being read, each for the one before it

    def build(self, config: Mapping, path: str) -> Composition:
        self._add(config, path, None, 0)
        found = laid(self._parts, self._framework, False)
        found.unknown, found.is_whole = self._unknown, not self._unknown
        where = config.get(_LISTED)
        if self._missing and where is not None:
            found.start[MISSING] = Entry(composed_word(where, MISSING), composed_word(where, self._missing))
            if self._loops:
                found.start[LOOPS] = found.start[MISSING]
        if self._base and where is not None:
            found.start[PRIMARY] = Entry(composed_word(where, PRIMARY), composed_word(where, self._base))
        return found

    def _add(self, config: Mapping, path: str, text: "Text | None", depth: int) -> None:
        """Take a config, behind all on which it builds."""
        self._open.append(os.path.normpath(path))
        written = config.get(_LISTED)
        listed = loaded(written.value) if written is not None else None
        for name in listed if type(listed) is list else [listed]:
            if name is not None:
                self._add_named(name, path, depth)
        self._parts.append(Part("", config, text))
        self._open.pop()

    def _add_named(self, name: object, path: str, depth: int) -> None:
        """Take a config on which another one builds, by its path from there."""
        self._left -= 1
        if type(name) is not str or "${" in name or self._left < 0 or depth > MOST_LEVELS:
            self._unknown = self._unknown or str(name)
            return
        place = os.path.normpath(os.path.join(os.path.dirname(path), name))
        file = self._file_at(place)
        if place in self._open or (file is None and _is_doubled(name, path)):
            self._loops |= file is not None
            self._missing = self._unknown = self._missing or name
        elif file is None:
            self._add_one_of_the_framework(name)
        else:
            self._add_file(file, name, depth)

    def _file_at(self, place: str) -> "NamedFile | None":
        return self._files.at(place) if self._files is not None else None

    def _add_file(self, file: "NamedFile", name: str, depth: int) -> None:
        """Take a config that was found by the name of its path."""
        if type(file.document.root) is Mapping and not file.document.problems:
            self._add(file.document.root, file.path, file.document.text, depth + 1)
        else:
            self._unknown = self._unknown or name

    def _add_one_of_the_framework(self, name: str) -> None:
        """Take a config that is not here for the one of the framework with its name, where it is below all others."""
        base = name.rpartition("/")[2].removesuffix(".yaml")
        is_known = base in self._framework.reader.primaries.names
        if is_known and not self._parts and not self._base:
            self._base = base
        else:
            self._unknown = self._unknown or name


def _is_doubled(name: str, path: str) -> bool:
    """Whether a path repeats the folders in which its file lies: it was written from where the run is started."""
    folder = os.path.dirname(os.path.normpath(name))
    return bool(folder) and not name.startswith(("/", ".")) and f"/{os.path.dirname(path)}".endswith(f"/{folder}")
