"""The repository around a config: the scripts that start training with it, and the programs that may read it."""

import os
from itertools import islice

from . import disk
from .discovery import SCRIPTS, walk
from .launch.files import read_text

MOST_SCRIPTS = 500
MOST_MODULES = 2000  # Python files that are looked at
MOST_PROGRAMS = 50
MOST_FOLDERS = 5000


class Repository:
    """Finds the commands that name a config. A repository is searched once, and each of its scripts is read once.

    The search is bounded: hidden and generated folders are left out, what git ignores, and what comes after the first 500 scripts.
    """

    def __init__(self, read=read_text):
        self._read = read
        self._paths = {}  # root of a repository -> paths of its scripts
        self._around = {}  # folder of a config -> paths of the scripts of its repository
        self._texts = {}  # path of a script -> its text
        self._origins = {}  # path of a script -> [(real path of the config, Origin)]
        self._programs = {}  # root of a repository -> what its training scripts have in common

    def origins_of(self, text):
        """The `assembly.Origin` of each command that names the config at the path of a text."""
        name = os.path.basename(text.path)
        naming = [path for path in self._scripts_around(os.path.dirname(text.path)) if name in self._text(path)]
        real = disk.real(text.path) if naming else None
        return [origin for path in naming for config, origin in self._started_by(path) if config == real]

    def program_around(self, path):
        """What the training scripts of the repository around a path have in common (`launch.programs.Program`); None for nothing."""
        root = disk.root_of(path)
        if root is not None and root not in self._programs:
            self._programs[root] = self._read_programs(root)
        return self._programs.get(root)

    def _read_programs(self, root):
        training, others, usual = [], [], False
        for path in _files_below(root, (".py",), MOST_MODULES):
            text = self._read(path) or ""
            training += [path] if _may_train(text) else []
            others += [path] if _may_be_trained_with(text) else []
            usual = usual or _reads_usually(text)
        training, others = training[:MOST_PROGRAMS], [] if usual else others[:MOST_PROGRAMS]
        if not (training or others):
            return None
        from .launch.programs import Imports, read_program, together

        imports = Imports()
        programs = [read_program(path, self._read, imports=imports) for path in training]
        if not any(program.trains for program in programs):  # what reads the arguments was not found
            programs += [program for program in (read_program(path, self._read, imports=imports) for path in others) if program.trains]
        return together(programs)

    def changed(self, path):
        """A file is not what it was: read it again, and what the scripts say about it."""
        self._origins.clear()
        self._programs.clear()
        for script in [script for script in self._texts if os.path.abspath(script) == path]:
            del self._texts[script]

    def _scripts_around(self, folder):
        found = self._around.get(folder)
        if found is None:
            root = disk.root_of(os.path.join(folder, "file"))
            if root is not None and root not in self._paths:
                self._paths[root] = list(_files_below(root, SCRIPTS, MOST_SCRIPTS))
            found = self._around[folder] = self._paths.get(root, ())
        return found

    def _text(self, path):
        if path not in self._texts:
            self._texts[path] = self._read(path) or ""
        return self._texts[path]

    def _started_by(self, path):
        if path not in self._origins:
            from .scripts import origins_with_config
            from .source.text import Text

            found = origins_with_config(Text(self._text(path), path), self._read)
            self._origins[path] = [(disk.real(config), origin) for config, origin in found]
        return self._origins[path]


def _may_train(text):
    """Whether a Python file may be a training script, or another program that reads the same configs."""
    reads_arguments = _reads_usually(text) or ("ArgumentParser" in text and ("trl" in text or "yaml" in text))
    loads_config = "hydra.main" in text or (("GRPOConfig" in text or "RLOOConfig" in text) and ("yaml" in text or "OmegaConf" in text))
    return (reads_arguments or loads_config) and ("__main__" in text or "def main(" in text)


def _reads_usually(text):
    """Whether a Python file may read arguments with the parser of transformers or TRL."""
    return "TrlParser" in text or "HfArgumentParser" in text


def _may_be_trained_with(text):
    """Whether a Python file may train as ours do, whatever calls it."""
    return "GRPOTrainer" in text or "RLOOTrainer" in text


def _files_below(root, suffixes, most):
    """The paths of files of a repository, in a fixed order; relative to the working directory where that is shorter."""
    found = (path for _, path in walk(root, suffixes, most_folders=MOST_FOLDERS) if type(path) is str)
    for path in islice(found, most):
        yield min(os.path.relpath(path), path, key=len)
