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
from ..files.discovery import PYTHON, RECIPES, SCRIPTS, SUFFIXES, YAML, NotLookedAt, walk
from ..frameworks.recognition import may_be_of_own_programs, may_be_written_by_us
from ..frameworks.registry import script_looks
from ..record import derived, forget, forget_where, once
from ..source.text import Text
from .files import Files, read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import (
        AbstractSet,
        Budget,
        Callable,
        Collection,
        Fact,
        Framework,
        Iterator,
        Library,
        Origin,
        Program,
        Read,
        Sequence,
        Text,
    )
    from .adopted import Configured, OwnProgram
    from .mentions import Mentions
    from .source import Source

    # what `_started_by` gives: ([(real path of a config, Origin)], what it took, what was not looked at)
    Started = tuple[list[tuple[str, Origin]], int, list[str]]

WORKFLOWS = (".github", "workflows")
MOST_WORKFLOWS = 50
MOST_TEXT = 16 << 20  # characters of the Python of a repository that are kept
MOST_REMEMBERED = 400_000  # characters and steps of the scripts of which the commands are kept

_OF_PYTHON = (
    "library",
    "_read_programs",
    "_texts_with",
    "_program_with",
    "_texts_of",
)  # what Python says, and is kept


class Repository:
    """Finds the commands that name a config. A repository is searched once, and each of its scripts is read once.

    The search is bounded (see `budget`). Hidden and generated folders, and what git ignores, are left out; so is what
    comes after the first 500 scripts.
    """

    def __init__(self, read: "Read" = read_text) -> None:
        self._read = read
        # (root of a repository, whether unpacked packages are looked into) -> (paths of its scripts, why there may be others)
        self._scripts: dict[tuple[str, bool], tuple[list[str], str]] = {}
        self._around: dict[str, tuple[list[str], str]] = {}  # folder of a config -> the same
        self._texts: dict[str, str] = {}  # path of a script -> its text
        # (path of a script, whether programs are asked for) -> what `_started_by` gives
        self._origins: dict[tuple[str, bool], Started] = {}
        self._asked: dict[tuple[str, bool], set[str]] = {}  # the files that were asked for to find these
        self._configured: Configured = {}  # which programs start from which files
        self._remembered = 0  # of `_origins`, as it is counted
        self._mentions: dict[str, Mentions] = {}  # root of a repository -> which of its files name which
        self._files_by_name: dict[tuple[str, str], tuple[list[str], str]] = {}  # what `files_named` gives
        self.missing: set[tuple[str, str]] = set()  # (folder, name of a file) that is found neither there nor above
        # the scripts that count, by their paths without links and by their names; None for all
        self._starters: AbstractSet[str] | None = None

    @derived
    def library(self) -> "Library":
        """The Python of the repository."""
        from .programs import Library

        return Library(self._read)

    def origins_of(self, text: "Text", budget: "Budget") -> "list[Origin]":
        """The `origin.Origin` of each command that names the config at the path of a text."""
        named = [program.name for _, program in self.programs_from(text, budget)]
        return self._origins_of(text.path, budget, False, named)

    def starting(self, path: str, budget: "Budget") -> "list[Origin]":
        """The `origin.Origin` of each command that starts the file of Python at a path."""
        return self._origins_of(path, budget, True)

    def programs_from(self, text: "Text", budget: "Budget") -> "Sequence[tuple[str, OwnProgram]]":
        """The programs that say themselves that they start from a file of settings, with their paths."""
        if not may_be_of_own_programs(text.text):
            return ()
        from .adopted import programs_from  # which parses Python

        return programs_from(text.path, self._configured, self._modules, budget)

    def _origins_of(
        self, path: str, budget: "Budget", is_program: bool, others: "Sequence[str]" = ()
    ) -> "list[Origin]":
        """`others`: names in the commands of programs that read the file unnamed."""
        paths, problem = self._scripts_around(os.path.dirname(path))
        names = [os.path.basename(path), *others]
        naming = [
            each for each in paths if self._counts(each) and any(_may_name(self._texts[each], name) for name in names)
        ]
        real = disk.real(path) if naming else None
        found: list[Origin] = []
        for path in naming:
            if not budget.allows(OTHER_SCRIPTS, path, len(self._texts[path])):
                break
            started, cost, problems = self._started_by(path, is_program)
            budget.spend(OTHER_SCRIPTS, (path, "read"), cost)
            problem = next(iter(problems), problem)
            for number, (started_file, origin) in enumerate(started):
                if started_file == real and budget.allows(LAUNCHES, (path, number), 1, path):
                    found.append(origin.counted_by(budget))
        if problem:
            budget.cut(OTHER_SCRIPTS, problem)
        return found

    def _counts(self, script: str) -> bool:
        return self._starters is None or (
            os.path.basename(script) in self._starters and disk.real(script) in self._starters
        )

    def told_processes(self, path: str, budget: "Budget") -> "Fact | None":
        """The number of processes with which the README of a repository starts the config at a path, None where it says none
        or several: a weak source, for whoever reads it changes the number."""
        found: dict[object, Fact] = {}
        for readme, words, files in self.readmes_naming(path, budget):
            from .readme import processes_of

            for fact in processes_of(words, readme, disk.real(path), files):
                found.setdefault(fact.value, fact)
        return next(iter(found.values())) if len(found) == 1 else None

    def readmes_naming(self, path: str, budget: "Budget") -> "Iterator[tuple[str, str, Files]]":
        """(path, text, files around it) of each README above a path in which its name stands."""
        root = disk.project_of(path)
        for readme in _readmes(os.path.dirname(os.path.abspath(path)), root) if root is not None else ():
            words = self._words_of(readme)
            if os.path.basename(path) in words and budget.allows(OTHER_SCRIPTS, readme, len(words)):
                yield readme, words, Files(readme, self._read, repository=self)

    @once
    def _words_of(self, readme: str) -> str:
        return self._read(readme) or ""

    def may_hold(self, path: str, name: str) -> bool:
        """Whether a file that goes by a relative name may stand somewhere in the repository around a path, as seen from the
        folder in which a run is started; nobody knows that outside of a repository."""
        root = disk.project_of(path)
        if root is None:
            return True
        wanted = name.rsplit("./", 1)[-1]
        paths, cut = _files_below(root, (os.path.basename(wanted),), MOST_REMEMBERED)
        return bool(cut) or any(f"/{each}".endswith(f"/{wanted}") for each in map(disk.real, paths))

    def naming(self, path: str) -> list[str]:
        """The paths of the scripts around a file in which its name stands."""
        name = os.path.basename(path)
        return [
            script for script in self._scripts_around(os.path.dirname(path))[0] if _may_name(self._texts[script], name)
        ]

    def readers_of(self, path: str) -> "list[str]":
        """The paths of the files of the repository whose runs may read the file at a path, or what reads it: those in which
        its name stands."""
        root = disk.project_of(path)
        if root is None:
            return []
        if root not in self._mentions:
            from .mentions import Mentions

            paths = _files_below(root, SUFFIXES, MOST_MODULES, None, self._is_unpacked(os.path.dirname(path), root))[0]
            scripts = self._scripts_around(os.path.dirname(path))[0]
            self._mentions[root] = Mentions([*scripts, *paths], self._read)
        return self._mentions[root].around(path)

    def seeing(self, read: "Read", edited: "Collection[str]") -> "Repository":
        """This repository where some files, by their paths without links, hold what `read` gives."""
        from copy import copy  # for the proof of a fix

        found = copy(self)
        found._read = read
        found._origins, found._asked, found._remembered = {}, {}, 0
        forget(found, "_words_of")
        names = {os.path.basename(path) for path in edited}
        found._texts = dict(self._texts)
        for script in self._texts:
            if os.path.basename(script) in names and disk.real(script) in edited:
                found._texts[script] = found._script(script)
        if any(name.endswith(PYTHON) for name in names):
            forget(found, *_OF_PYTHON)
            found._configured = {}
        found._forget_copies(edited)
        return found

    def _forget_copies(self, paths: "Collection[str]") -> None:
        """Look again at the copies of frameworks that hold some files, by their paths without links."""

        def is_stale(folder: str, config: str = "") -> bool:
            below = os.path.join(disk.real(os.path.dirname(folder) if config else folder), "")
            return any(path.startswith(below) for path in paths)

        forget_where(self, "framework_of_copy", lambda framework, folder, group, config="": is_stale(folder, config))
        forget_where(self, "copy_at", is_stale)

    def started_by(self, scripts: "AbstractSet[str]") -> "Repository":
        """This repository where only the commands of these scripts, by their paths without links, start a run."""
        from copy import copy  # for the proof of a fix

        found = copy(self)
        found._starters = {*scripts, *map(os.path.basename, scripts)}
        return found

    def program_around(self, path: str, budget: "Budget") -> "Program | None":
        """What the programs of the repository that may read the file at a path have in common (`frameworks.programs.Program`);
        None for nothing."""
        root = disk.project_of(path)
        if root is None:
            return None
        folder = os.path.dirname(path)
        around = "" if self._is_in_a_copy(folder, root) else root
        found, problem = self._read_programs(root, around, bool(around) and not self._is_unpacked(folder, root))
        if problem:
            budget.cut(PROGRAMS, problem)
        if not found and not problem:
            return None
        from .readers import of_this_repository, programs_told_by, reader_of

        own = of_this_repository(found, root) if around and len(found) > 1 else found
        told = programs_told_by(self.readmes_naming(path, budget), path) if len(own) > 1 else {}
        return reader_of(path, own, bool(problem), told)

    def registered_at(self, name: str, words: "tuple[str, ...]", path: str, budget: "Budget") -> "tuple[str, bool]":
        """(the path of the Python of the repository around a path that may register a name with one of the words, an empty text for
        none; whether there may be one that is not looked at)."""
        from .registrations import registered_in

        root = disk.project_of(path)
        if root is None:
            return "", False
        python, problem = self._python_with(root, words)
        found = registered_in(name, python, words)
        if problem and not found:
            budget.cut(PROGRAMS, problem)
        return found, bool(problem)

    def python_around(self, path: str) -> "Iterator[tuple[str, str]]":
        """(path, text) of the files of Python around a path, as many as are looked at."""
        root = disk.project_of(path)
        yield from () if root is None else ((each, text) for each, text, _ in self._modules(root) if each)

    def python_of_project(self, path: str) -> "tuple[list[str], str]":
        """(the texts of the Python of the project around a path, why there may be more)."""
        root = disk.project_of(path)
        return ([], "") if root is None else self._texts_of(root)

    @once
    def _texts_of(self, root: str) -> "tuple[list[str], str]":
        texts: list[str] = []
        problem, size = "", 0
        for _, text, problem in self._modules(root):
            size += len(text)
            if size > MOST_TEXT:
                return texts, root
            texts.append(text)
        return texts, problem

    def program_with(self, words: "tuple[str, ...]", path: str, but: str) -> str:
        """The path of a program of the repository around a path in which all of some words stand, other than those that end `but`;
        empty where there is none."""
        root = disk.project_of(path)
        return self._program_with(words, root, but) if root is not None else ""

    @once
    def _program_with(self, words: "tuple[str, ...]", root: str, but: str) -> str:
        own = (path for path, text, _ in self._modules(root) if path and all(word in text for word in words))
        return next((path for path in own if not f"/{path}".endswith(f"/{but}")), "")

    @once
    def _python_with(self, root: str, words: "tuple[str, ...]") -> "tuple[list[tuple[str, str]], str]":
        """([(path, text) of the Python that may register a name with one of the words], why there may be more)."""
        from .registrations import may_register

        found: list[tuple[str, str]] = []
        problem = ""
        for path, text, problem in self._modules(root):
            found += [(path, text)] if may_register(text, words) else []
        return found, problem

    @once
    def framework_of_copy(
        self, framework: "Framework", folder: str, group: str, config: str = ""
    ) -> "Framework | None":
        """A framework as a copy of it has it, with the fields of a group of its catalogue; None where it is taken for a release.
        `config`: of another program of the copy, by its path from the folder around it."""
        return framework.copies.framework_of(self.copy_at(folder, config), group)

    @once
    def copy_at(self, folder: str, config: str = "") -> "Source":
        """The copy of a framework in a folder."""
        from .source import Source  # few checkouts hold one

        return Source(folder, self._read, config)

    def files_named(self, root: str, name: str) -> "tuple[list[str], str]":
        """(the paths of the files of this name below a root, why there may be others)."""
        key = root, name
        if key not in self._files_by_name:
            self._files_by_name[key] = _files_below(root, (name,), MOST_MODULES)
        return self._files_by_name[key]

    @once
    def _read_programs(self, root: str, around: str, own: bool) -> "tuple[list[Program], str]":
        """(its programs that may read a file of settings, why there may be others). Of those of frameworks that lie in `around`, such
        as their examples, as many as there is room for; `own`: none of unpacked packages."""
        training, others, problem = self._may_train(root, not own)
        sizes: dict[str, int] = {}
        programs, left = self._read_all(training, sizes, around)
        if others and not left and not any(program.trains for program in programs):
            found, left = self._read_all(others, sizes, around)
            programs += [program for program in found if program.trains]
        return programs, problem or left

    @once
    def _is_in_a_copy(self, folder: str, root: str) -> bool:
        from .unpacked import is_in_a_copy  # asked where a file fails

        return is_in_a_copy(folder, root, self._is_in_a_copy)

    @once
    def _is_unpacked(self, folder: str, root: str | None) -> bool:
        """Whether a folder is that of a package which was unpacked into the repository, or in one."""
        if root is None or not any(map(_has_unpacked, disk.folders_up_to_root(os.path.abspath(folder)))):
            return False
        from .unpacked import lies_in_one

        return lies_in_one(folder, root)

    def _may_train(self, root: str, whole: bool) -> "tuple[list[str], list[str], str]":
        """(the paths of what may be a training script, those of what trains whatever reads its arguments, where no file reads them as
        usual; why there may be others)."""
        looks = script_looks()
        training: list[str] = []
        others: list[str] = []
        reads_usually, problem = False, ""
        for path, text, problem in self._modules(root, whole):
            training += [path] if looks.may_train(text) else []
            others += [path] if looks.may_be_trained_with(text) else []
            reads_usually = reads_usually or looks.reads_usually(text)
        return training, [] if reads_usually else others, problem

    def _read_all(self, paths: "list[str]", sizes: "dict[str, int]", around: str) -> "tuple[list[Program], str]":
        """(the programs of some files, why not all of them)."""

        def is_copied(path: str) -> bool:
            return bool(around) and self._is_in_a_copy(os.path.dirname(path), around)

        programs: list[Program] = []
        for path in sorted(paths, key=is_copied) if len(paths) > MOST_PROGRAMS else paths:
            problem = self._add_program(programs, path, sizes)
            if problem:
                return programs, "" if is_copied(path) else problem
        return programs, ""

    def _modules(self, root: str, whole: bool = True) -> "Iterator[tuple[str, str, str]]":
        """(path, text, "") of each Python file below a folder; the last one is ("", "", why there may be more, or ""). `whole`: look
        into unpacked packages, too."""
        left = LARGEST_LOOK
        paths, problem = _files_below(root, (".py",), MOST_MODULES, None, whole)
        for path in paths:
            text = self._read(path) or ""
            left -= len(text)
            if left < 0:
                problem = _most_is_looked_at(path)
                break
            yield path, text, ""
        yield "", "", problem

    def _add_program(self, programs: "list[Program]", path: str, sizes: dict[str, int]) -> str:
        """Add the Program of a path where it may read a config, and to `sizes` what was read for it; or return why not."""
        if len(programs) == MOST_PROGRAMS or sum(sizes.values()) > LARGEST_PROGRAMS:
            return f"{MOST_PROGRAMS} programs of this repository that may train are read, and {LARGEST_PROGRAMS >> 20} MB: {path} and what comes after it are not"
        program = self.library.program(path)
        sizes.update(program.sizes)
        if program.takes or not program.takes_no_other:  # else it says nothing of the files around it
            programs.append(program)
        return ""

    def changed(self, path: str) -> None:
        """A file is not what it was: read it again, and what the scripts say about it."""
        real = disk.real(path)
        self._origins = {
            key: found
            for key, found in self._origins.items()
            if not path.endswith(PYTHON) and real not in self._asked[key]
        }
        self._configured.clear()
        for mentions in self._mentions.values():
            mentions.changed(path, self._read)
        forget(self, "_words_of", *(_OF_PYTHON if path.endswith(PYTHON) else ()))
        self._forget_copies([real])
        for script in [script for script in self._texts if os.path.abspath(script) == path]:
            self._texts[script] = self._script(script)

    def _scripts_around(self, folder: str) -> tuple[list[str], str]:
        found = self._around.get(folder)
        if found is None:
            root = disk.project_of(os.path.join(folder, "file"))
            key = root or "", self._is_unpacked(folder, root)
            if root is not None and key not in self._scripts:
                self._scripts[key] = self._read_scripts(*key)
            found = self._around[folder] = self._scripts[key] if root is not None else ([], "")
        return found

    def _read_scripts(self, root: str, whole: bool) -> tuple[list[str], str]:
        """(paths of the scripts of a repository, why there may be others). `whole`: look into unpacked packages, too."""
        paths, problem = _files_below(root, (*SCRIPTS, *RECIPES, *YAML), MOST_SCRIPTS, _may_be_a_script, whole)
        paths += _files_below(os.path.join(root, *WORKFLOWS), YAML, MOST_WORKFLOWS)[0]
        left = LARGEST_SCRIPTS
        for number, path in enumerate(paths):
            self._texts[path] = self._script(path)
            left -= len(self._texts[path])
            if left < 0:
                return (
                    paths[:number],
                    f"{LARGEST_SCRIPTS >> 20} MB of the scripts of this repository are read: {path} and what comes after it are not",
                )
        return paths, problem

    def _script(self, path: str) -> str:
        """The text of a script; none of a report of ours, which quotes commands."""
        text = self._read(path) or ""
        if may_be_written_by_us(text):
            from .own_files import is_text_of_ours

            return "" if is_text_of_ours(text, path) else text
        return text

    def _started_by(self, path: str, is_program: bool) -> "Started":
        """([(real path of a config, or of a program, Origin)] of the commands of a script, what it took to find them, what was
        not looked at)."""
        if (path, is_program) not in self._origins:
            from .scripts import origins_with_config, origins_with_program

            files = Files(path, self._noting(path, is_program), repository=self)
            find = origins_with_program if is_program else origins_with_config
            found, steps = find(Text(self._texts[path], path), files)
            cost = steps * STEP + files.budget.spent(NAMED, OTHER_SCRIPTS)
            self._remembered += len(self._texts[path]) + cost
            if self._remembered > MOST_REMEMBERED:
                self._origins.clear()
                self._remembered = len(self._texts[path]) + cost
            self._origins[path, is_program] = (
                [(disk.real(config), origin) for config, origin in found],
                cost,
                files.budget.problems(),
            )
        return self._origins[path, is_program]

    def _noting(self, script: str, is_program: bool) -> "Read":
        """What reads files and notes that what a script says hangs on them."""
        asked = self._asked[script, is_program] = {disk.real(script)}

        def read(path: str) -> "str | None":
            asked.add(disk.real(path))
            return self._read(path)

        return read


def _most_is_looked_at(path: str) -> str:
    return f"{LARGEST_LOOK >> 20} MB of the Python of this repository are looked at: {path} and what comes after it are not"


def _may_name(text: str, name: str) -> bool:
    """Whether a script may name a file; of a config Hydra is told the name without its ending."""
    return name in text or (
        ("--config-name" in text or "-cn" in text) and name.endswith(".yaml") and name.removesuffix(".yaml") in text
    )


def _readmes(folder: str, root: str) -> list[str]:
    """The READMEs of a folder and of those above it, as far as the root of its project."""
    found = []
    for each in disk.folders_up_to_root(folder):
        path = os.path.join(each, "README.md")
        found += [min(os.path.relpath(path), path, key=len)] if disk.is_file(path) else []
        if each == root:
            break
    return found


# words in the paths of YAML files that describe jobs: of the others nobody knows, and they are not read for it
_OF_JOBS = (
    "job",
    "k8s",
    "kube",
    "cluster",
    "deploy",
    "infra",
    "cloud",
    "launch",
    "sky",
    "ray",
    "slurm",
    "argo",
    "workflow",
)


def _may_be_a_script(path: str) -> bool:
    """Whether a file below a repository may hold commands."""
    lower = path.lower()
    return not lower.endswith(YAML) or any(word in lower for word in _OF_JOBS)


def _has_unpacked(folder: str) -> bool:
    return any(name.endswith(".dist-info") for name, _ in disk.entries(folder))


def _unpacked_in(folder: str) -> "Callable[[str], bool] | None":
    """What tells the packages that were unpacked into a folder by their paths; None where there are none."""
    if not _has_unpacked(folder):
        return None
    from .unpacked import packages_in

    packages = packages_in(folder)
    return lambda path: os.path.basename(path) in packages


def _files_below(
    root: str,
    suffixes: tuple[str, ...],
    most: int,
    wanted: "Callable[[str], bool] | None" = None,
    whole: bool = True,
) -> tuple[list[str], str]:
    """(the paths of files of a repository, in a fixed order; why there may be others); relative to the working
    directory where that is shorter. `wanted`: which of them, by their paths below the root; `whole`: those of unpacked packages, too."""
    paths: list[str] = []
    problem = ""
    for _, path in walk(root, suffixes, None if whole else _unpacked_in, most_work=MOST_WORK):
        if type(path) is NotLookedAt:
            problem = problem or f"{path.path}: {path.reason}"
        elif type(path) is str and (wanted is None or wanted(path[len(root) :])):
            path = min(os.path.relpath(path), path, key=len)
            if len(paths) == most:
                return (
                    paths,
                    f"{most:,} files ({', '.join(suffixes)}) of this repository are looked at: {path} and what comes after it are not",
                )
            paths.append(path)
    return paths, problem
