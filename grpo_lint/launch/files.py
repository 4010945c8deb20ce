"""Other files that a config names, such as the DeepSpeed configuration of a run."""

import os

from .. import disk

LARGEST_FILE = 256 << 10  # bytes; ten times as much as any config or script that people write


class NamedFile:
    """A file that a config names: its path, as we reached it, and its text."""

    __slots__ = ("path", "text")

    def __init__(self, path, text):
        self.path = path
        self.text = text


class Attached:
    """A value that a named file sets: its key there, and where that stands ("ds_zero3.json, line 4")."""

    __slots__ = ("key", "value", "place")

    def __init__(self, key, value, place):
        self.key = key
        self.value = value
        self.place = place


class Files:
    """Finds the files that the config at `path` names.

    A relative name counts from the folder in which the run is started, and nobody knows that one. So it is looked for in
    the folder of the config and in those above it, up to the root of the repository, and never outside; a name that means different texts in
    two of them is not known. `read` gives the text of a path: an editor's may be newer than the one on the disk.
    """

    def __init__(self, path, read=None):
        self.path = path
        self.read = read or read_text
        self._root = None

    def find(self, name):
        """The NamedFile of a name; None when there is none, when it cannot be read, or when it could be several."""
        found = [file for file in (self._named(os.path.join(folder, name)) for folder in self._folders(name)) if file is not None]
        return found[0] if found and all(file.text == found[0].text for file in found) else None

    def named_by(self, command, word):
        """The NamedFile of a word of a command, seen from the folder in which the command runs."""
        path = command.path(word)
        if path is not None:
            return self.find_from(*path)
        return self.find(word.value) if word.value else None

    def find_from(self, base, name):
        """The NamedFile of a path that is relative to a folder known by its role: "script", "repository", "start" or "absolute"."""
        if base == "script":
            return self._named(os.path.join(os.path.dirname(self.path), name))
        if base == "repository":
            return self._named(os.path.join(self._folders(name)[-1], name))
        return self.find(name)

    def _named(self, path):
        path = os.path.normpath(path)
        text = self.read(path) if self._may_be_read(path) else None
        return None if text is None else NamedFile(path, text)

    def _may_be_read(self, path):
        """A config may come from a stranger's branch: in a repository, it has no say over what lies outside."""
        if not self._root:
            self._root = os.path.join(disk.real(disk.root_of(self.path) or os.sep), "")
        return "\0" not in path and disk.real(path).startswith(self._root)

    def _folders(self, name):
        if os.path.isabs(name):
            return [""]
        folder, folders = os.path.dirname(self.path), []
        real = os.path.abspath(folder)
        while True:
            folders.append(folder)
            parent = os.path.dirname(real)
            if parent == real or disk.exists(os.path.join(real, ".git")):
                return folders
            real, folder = parent, os.path.join(folder, os.pardir)


def read_text(path):
    """The text of a file; None for what is none, or cannot be read, or is too large to be a config or a script."""
    try:
        data = disk.read(path, LARGEST_FILE)
        text = data.decode("utf-8") if len(data) <= LARGEST_FILE else None
    except (OSError, ValueError):
        return None
    return text and text.replace("\r\n", "\n").replace("\r", "\n")
