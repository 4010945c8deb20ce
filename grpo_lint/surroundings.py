"""What stands around files and bears on them: settings, pins, scripts and the files that they name."""

import os

from .engine import Surroundings
from .launch.files import Files, read_text
from .launch.pins import pins_for
from .repository import Repository
from .settings import settings_for


class Around:
    """Finds the Surroundings of files; what holds for a whole folder is looked for once.

    `outside`: facts that win over everything the files say; `read` gives the text of a path, None when there is none.
    """

    def __init__(self, outside=None, read=read_text):
        self.outside = outside or {}
        self.repository = Repository(read)
        self._read = read
        self._folders = {}

    def of(self, path):
        """The Surroundings of a file."""
        settings, pins = self._folder(path)
        return Surroundings(self.outside, settings.facts_for(path), pins, Files(path, self._read), self.repository)

    def settings(self, path):
        """The Settings that govern a file."""
        return self._folder(path)[0]

    def _folder(self, path):
        folder = os.path.dirname(path)
        found = self._folders.get(folder)
        if found is None:
            found = self._folders[folder] = settings_for(path), pins_for(path)
        return found
