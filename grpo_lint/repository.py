"""The repository around a config: the scripts that start training with it."""

import os

from .discovery import SCRIPTS, SKIPPED_FOLDERS

MOST_SCRIPTS = 500
MOST_FOLDERS = 5000
LARGEST_SCRIPT = 1 << 20


class Repository:
    """Finds the commands that name a config. A repository is searched once, and each of its scripts is read once.

    The search is bounded: hidden and generated folders are left out, and so is what comes after the first 500 scripts.
    """

    def __init__(self):
        self._scripts = {}  # root of a repository -> [(path, text)]
        self._origins = {}  # path of a script -> [(real path of the config, Origin)]

    def origins_of(self, text):
        """The `assembly.Origin` of each command that names the config at the path of a text."""
        name, real = os.path.basename(text.path), os.path.realpath(text.path)
        found = []
        for path, content in self._scripts_around(text.path):
            if name in content:
                found += [origin for config, origin in self._started_by(path, content) if config == real]
        return found

    def _scripts_around(self, path):
        root = _root(path)
        if root is None:
            return ()
        if root not in self._scripts:
            self._scripts[root] = list(_scripts_below(root))
        return self._scripts[root]

    def _started_by(self, path, content):
        if path not in self._origins:
            from .scripts import origins_with_config
            from .source.text import Text

            self._origins[path] = [(os.path.realpath(config), origin) for config, origin in origins_with_config(Text(content, path))]
        return self._origins[path]


def _root(path):
    """The folder with `.git` around a file; None outside of a repository."""
    folder = os.path.dirname(os.path.abspath(path))
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def _scripts_below(root):
    """(path, text) of the scripts of a repository, in a fixed order; a path is relative to the working directory where that is shorter."""
    scripts = 0
    for folders, (folder, names, files) in enumerate(os.walk(root)):
        names[:] = sorted(name for name in names if not name.startswith(".") and name not in SKIPPED_FOLDERS)
        for name in sorted(files):
            if name.endswith(SCRIPTS):
                path = os.path.join(folder, name)
                text = _read(path)
                if text is not None:
                    yield min(os.path.relpath(path), path, key=len), text
                scripts += 1
        if scripts >= MOST_SCRIPTS or folders >= MOST_FOLDERS:
            return


def _read(path):
    try:
        if os.path.isfile(path) and os.path.getsize(path) <= LARGEST_SCRIPT:
            with open(path, encoding="utf-8") as file:
                return file.read()
    except (OSError, ValueError):
        pass
    return None
