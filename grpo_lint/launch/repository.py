"""The repository around a config: the scripts that start training with it, and the programs that may read it."""

import os

from ..files import disk
from ..files.budget import (
    LARGEST_LOOK,
    LARGEST_PROGRAMS,
    LARGEST_SCRIPTS,
    LAUNCHES,
    MOST_MODULES,
    MOST_PROGRAMS,
    MOST_SCRIPTS,
    MOST_WORK,
    NAMED,
    OTHER_SCRIPTS,
    PROGRAMS,
    STEP,
)
from ..files.discovery import SCRIPTS, NotLookedAt, walk
from ..frameworks.trl.programs import CONFIGS, PACKAGE
from .files import Files, read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from ..files.budget import Budget
    from ..source.text import Text
    from .files import Read
    from .origin import Origin
    from .programs import Library, Program

    # what `_started_by` gives: ([(real path of a config, Origin)], what it took, what was not looked at)
    Started: TypeAlias = tuple[list[tuple[str, Origin]], int, list[str]]

MOST_REMEMBERED = 400_000  # characters and steps of the scripts of which the commands are kept


class Repository:
    """Finds the commands that name a config. A repository is searched once, and each of its scripts is read once.

    The search is bounded (see `budget`): hidden and generated folders are left out, what git ignores, and what comes
    after the first 500 scripts.
    """

    _read: "Read"
    _scripts: "dict[str, tuple[list[str], str]]"
    _around: "dict[str, tuple[list[str], str]]"
    _texts: "dict[str, str]"
    _origins: "dict[str, Started]"
    _programs: "dict[str, tuple[Program | None, str]]"
    _remembered: int
    _library: "Library | None"

    def __init__(self, read: "Read" = read_text) -> None:
        self._read = read
        self._scripts = {}  # root of a repository -> (paths of its scripts, why there may be others)
        self._around = {}  # folder of a config -> the same
        self._texts = {}  # path of a script -> its text
        self._origins = {}  # path of a script -> what `_started_by` gives
        self._programs = {}  # root of a repository -> (what its training scripts have in common, why there may be others)
        self._remembered = 0  # of `_origins`, as it is counted
        self._library = None

    @property
    def library(self) -> "Library":
        """The Python of the repository."""
        if self._library is None:
            from .programs import Library

            self._library = Library(self._read)
        return self._library

    def origins_of(self, text: "Text", budget: "Budget") -> "list[Origin]":
        """The `origin.Origin` of each command that names the config at the path of a text."""
        name = os.path.basename(text.path)
        paths, problem = self._scripts_around(os.path.dirname(text.path))
        naming = [path for path in paths if name in self._texts[path]]
        real = disk.real(text.path) if naming else None
        found: list[Origin] = []
        for path in naming:
            if not budget.allows(OTHER_SCRIPTS, path, len(self._texts[path])):
                break
            started, cost, problems = self._started_by(path)
            budget.spend(OTHER_SCRIPTS, (path, "read"), cost)
            problem = next(iter(problems), problem)
            for number, (config, origin) in enumerate(started):
                if config == real and budget.allows(LAUNCHES, (path, number), 1, path):
                    found.append(origin.counted_by(budget))
        if problem:
            budget.cut(OTHER_SCRIPTS, problem)
        return found

    def program_around(self, path: str, budget: "Budget") -> "Program | None":
        """What the training scripts of the repository around a path have in common (`launch.programs.Program`); None
        for nothing."""
        root = disk.root_of(path)
        if root is None:
            return None
        if root not in self._programs:
            self._programs[root] = self._read_programs(root)
        found, problem = self._programs[root]
        if problem:
            budget.cut(PROGRAMS, problem)
        return found

    def _read_programs(self, root: str) -> "tuple[Program | None, str]":
        """(what its training scripts have in common, why there may be others)."""
        training: list[str] = []
        others: list[str] = []
        usual, problem = False, ""
        left = LARGEST_LOOK
        paths, more = _files_below(root, (".py",), MOST_MODULES)
        for path in paths:
            text = self._read(path) or ""
            left -= len(text)
            if left < 0:
                problem = f"{LARGEST_LOOK >> 20} MB of the Python of this repository are looked at: {path} and what comes after it is not"
                break
            training += [path] if _may_train(text) else []
            others += [path] if _may_be_trained_with(text) else []
            usual = usual or _reads_usually(text)
        others = [] if usual else others
        if not (training or others):
            return None, problem or more
        from .programs import together

        sizes: dict[str, int] = {}
        programs: list[Program] = []
        for path in training:
            problem = problem or self._add_program(programs, path, sizes)
        if not any(program.trains for program in programs):  # what reads the arguments was not found
            found: list[Program] = []
            for path in others:
                problem = problem or self._add_program(found, path, sizes)
            programs += [program for program in found if program.trains]
        problem = problem or more
        return together(programs, bool(problem)), problem

    def _add_program(self, programs: "list[Program]", path: str, sizes: dict[str, int]) -> str:
        """Add the Program of a path, and to `sizes` what was read for it; or return why not."""
        if len(programs) == MOST_PROGRAMS or sum(sizes.values()) > LARGEST_PROGRAMS:
            return f"{MOST_PROGRAMS} programs of this repository that may train are read, and {LARGEST_PROGRAMS >> 20} MB: {path} and what comes after it are not"
        programs.append(self.library.program(path))
        sizes.update(programs[-1].sizes)
        return ""

    def changed(self, path: str) -> None:
        """A file is not what it was: read it again, and what the scripts say about it."""
        self._origins.clear()
        self._programs.clear()
        self._library = None
        for script in [script for script in self._texts if os.path.abspath(script) == path]:
            self._texts[script] = self._read(script) or ""

    def _scripts_around(self, folder: str) -> tuple[list[str], str]:
        found = self._around.get(folder)
        if found is None:
            root = disk.root_of(os.path.join(folder, "file"))
            if root is not None and root not in self._scripts:
                self._scripts[root] = self._read_scripts(root)
            found = self._around[folder] = self._scripts[root] if root is not None else ([], "")
        return found

    def _read_scripts(self, root: str) -> tuple[list[str], str]:
        """(paths of the scripts of a repository, why there may be others)."""
        paths, problem = _files_below(root, SCRIPTS, MOST_SCRIPTS)
        left = LARGEST_SCRIPTS
        for number, path in enumerate(paths):
            self._texts[path] = self._read(path) or ""
            left -= len(self._texts[path])
            if left < 0:
                return (
                    paths[:number],
                    f"{LARGEST_SCRIPTS >> 20} MB of the scripts of this repository are read: {path} and what comes after it are not",
                )
        return paths, problem

    def _started_by(self, path: str) -> "Started":
        """([(real path of a config, Origin)] of the commands of a script, what it took to find them, what was not
        looked at)."""
        if path not in self._origins:
            from ..source.text import Text
            from .scripts import origins_with_config

            files = Files(path, self._read, repository=self)
            found, steps = origins_with_config(Text(self._texts[path], path), files)
            cost = steps * STEP + files.budget.spent(NAMED, OTHER_SCRIPTS)
            self._remembered += len(self._texts[path]) + cost
            if self._remembered > MOST_REMEMBERED:
                self._origins.clear()
                self._remembered = len(self._texts[path]) + cost
            self._origins[path] = (
                [(disk.real(config), origin) for config, origin in found],
                cost,
                files.budget.problems(),
            )
        return self._origins[path]


def _may_train(text: str) -> bool:
    """Whether a Python file may be a training script, or another program that reads the same configs."""
    reads_arguments = _reads_usually(text) or ("ArgumentParser" in text and (PACKAGE in text or "yaml" in text))
    loads_config = "hydra.main" in text or (
        any(name in text for name in CONFIGS) and ("yaml" in text or "OmegaConf" in text)
    )
    return (reads_arguments or loads_config) and ("__main__" in text or "def main(" in text)


def _reads_usually(text: str) -> bool:
    """Whether a Python file may read arguments with the parser of transformers or TRL."""
    return "TrlParser" in text or "HfArgumentParser" in text


def _may_be_trained_with(text: str) -> bool:
    """Whether a Python file may train as ours do, whatever calls it."""
    return "GRPOTrainer" in text or "RLOOTrainer" in text


def _files_below(root: str, suffixes: tuple[str, ...], most: int) -> tuple[list[str], str]:
    """(the paths of files of a repository, in a fixed order; why there may be others); relative to the working
    directory where that is shorter."""
    paths: list[str] = []
    problem = ""
    for _, path in walk(root, suffixes, most_work=MOST_WORK):
        if type(path) is NotLookedAt:
            problem = problem or f"{path.path}: {path.reason}"
        elif type(path) is str:
            path = min(os.path.relpath(path), path, key=len)
            if len(paths) == most:
                return (
                    paths,
                    f"{most:,} files ({', '.join(suffixes)}) of this repository are looked at: {path} and what comes after it are not",
                )
            paths.append(path)
    return paths, problem
