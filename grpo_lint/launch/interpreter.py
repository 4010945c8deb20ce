"""The releases that a command will import: its interpreter is looked up as the system would, and its site-packages are
read.

Nothing is run. A console script names its interpreter in its first lines, a virtual environment its base in
pyvenv.cfg, and the folders `*.dist-info` in site-packages say what is installed. What cannot be followed in this way
(a wrapper in another language, a container, PYTHONHOME) is unknown.
"""

import os

from ..files import disk
from ..frameworks import registry
from ..frameworks.versions import normal_version
from ..message import NOTHING, Message
from .facts import Fact
from .pins import PACKAGES, Pin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# Programs in front of another one that leave it the environment as it is.
TRANSPARENT = frozenset(
    "nohup time exec stdbuf numactl taskset timeout nice setsid xvfb-run chrt ionice srun mpirun".split()
)
_RUN_FILES = ("torchrun", "accelerate", "deepspeed")  # programs that start a file or a module with Python
_HEAD = 512  # bytes at the beginning of a console script, which name its interpreter
_PACKAGE_FOLDERS = ("site-packages", "dist-packages")
_INFO = (".dist-info", ".egg-info")
_COPIED = {name: registry.imported_as(name) for name in registry.INSTALLED_COPIES}  # {package: its folder}


def installed(words: "Sequence[str]", at: int, environment: "Mapping[str, str]", folder: str) -> "dict[str, Fact]":
    """{package: Fact} of the frameworks and their companions that a command will import: their releases, or the Pin of a copy that is
    judged by what stands there.

    `words[at]` is the program that starts training, `environment` that of the command, `folder` where it runs.
    """
    if "PYTHONHOME" in environment:
        return {}
    folders = _search_path(words[:at], environment, folder)
    runs_a_file = at > 0 and words[at].endswith(".py")  # by the Python that stands first
    binary = _interpreter("python" if runs_a_file else words[at], folders, folder) if folders else None
    if binary is None:
        return {}
    folders = [*_folders_of(environment.get("PYTHONPATH", ""), folder), *_site_packages(binary, environment)]
    return {**_installed_in(folders, folder), **_searched_first(words[at:], environment, folder)}


def installed_for(python: str, folder: str) -> "dict[str, Pin]":
    """{package: Pin} of what an interpreter imports, or that of an environment; `folder`: where a run would be started."""
    binary = os.path.join(python, "bin", "python") if disk.is_folder(python) else python
    found = _installed_in(list(_site_packages(binary, {})), folder)
    return {
        package: Pin(fact.value, str(fact.source.values["environment"]), 0) if type(fact.value) is str else fact.value
        for package, fact in found.items()
    }


def _installed_in(folders: "Sequence[str]", folder: str) -> "dict[str, Fact]":
    """{package: Fact} of what lies in the folders in which Python looks for packages, in its order."""
    found: dict[str, Fact] = {}
    changed: dict[str, Fact] = {}
    hidden: set[str] = set()  # what lies there without a release: a copy, or two releases of one package
    for each in folders:
        here, unknown = _packages_in(each)
        first = [name for name in _COPIED if name in here and name not in found and name not in hidden]
        for package, version in here.items():
            if package not in hidden:
                found.setdefault(
                    package,
                    Fact(version, Message("installed in {environment}", {"environment": _environment_of(each)})),
                )
        for name in first:
            changed.update(_copies_in(each, name, here[name], folder, found[name].source))
        hidden.update(unknown - found.keys())
    return {**found, **changed}


def _copies_in(packages: str, name: str, release: str, folder: str, source: Message) -> "dict[str, Fact]":
    from .installed_copies import installed_copies  # which reads all of it

    copies = installed_copies(packages, name, release, folder)
    return {package: Fact(pin, source) for package, pin in copies.items()}


def _searched_first(words: "Sequence[str]", environment: "Mapping[str, str]", folder: str) -> "dict[str, Fact]":
    """{package: Fact} of the copies that Python finds before what is installed: beside the program that it runs, and in PYTHONPATH.
    `words`: from the program that starts training on."""
    own = _folder_of_program(words, folder)
    folders = [*([own] if own is not None else ()), *_folders_of(environment.get("PYTHONPATH", ""), folder)]
    found: dict[str, Fact] = {}
    for name, imported in _COPIED.items():
        if any(disk.is_folder(os.path.join(each, imported)) for each in folders):
            from .installed_copies import imported_copies

            copies = imported_copies(folders, name, folder)
            found.update({package: Fact(pin, NOTHING) for package, pin in copies.items()})
    return found


def _folder_of_program(words: "Sequence[str]", folder: str) -> "str | None":
    """The folder that Python searches first: that of the file that it runs, or for a module the one in which it is started. None for
    programs of an environment, which lie beside others like them."""
    program = os.path.basename(words[0])
    for word in words if program.startswith("python") or program in _RUN_FILES or program.endswith(".py") else ():
        if word in ("-m", "--module"):
            return folder
        if word.endswith(".py"):
            return os.path.join(folder, os.path.dirname(word))
    return None


# --- the interpreter ------------------------------------------------------------------------------------------------


def _search_path(before: "Sequence[str]", environment: "Mapping[str, str]", folder: str) -> "list[str]":
    """The folders in which the program is looked for, behind the words before it; none where they choose others."""
    usual = _folders_of(environment.get("PATH", ""), folder)
    if not before:
        return usual
    first, *options = before
    name = os.path.basename(first)
    if any(word.startswith(("--container", "--export")) and word != "--export=ALL" for word in options):
        return []
    if name == "uv":
        own = _environment_of_project(environment, folder)
        return [own, *usual] if own and options == ["run"] else []
    is_usual = all(map(_sets_something_else, options)) if name == "env" else name in TRANSPARENT
    return usual if is_usual else []


def _sets_something_else(word: str) -> bool:
    """Whether a word of `env` sets a variable, and not the one that leads to programs."""
    return "=" in word and not word.startswith(("PATH=", "-"))


def _environment_of_project(environment: "Mapping[str, str]", folder: str) -> "str | None":
    """The folder of programs of the environment that uv keeps for the project around a folder."""
    project = next(
        (each for each in disk.folders_up_to_root(folder) if disk.is_file(os.path.join(each, "pyproject.toml"))), None
    )
    if project is None:
        return None
    found = os.path.join(project, environment.get("UV_PROJECT_ENVIRONMENT", ".venv"), "bin")
    return found if disk.is_folder(found) else None


def _folders_of(path: str, folder: str) -> "list[str]":
    return [os.path.join(folder, each) for each in path.split(os.pathsep) if each]


def program_at(word: str, folders: "Sequence[str]", folder: str) -> "str | None":
    """The path of the program that a word names, as the system looks for it; None where there is none."""
    if os.sep in word:
        path = os.path.join(folder, word)
        return path if disk.is_file(path) else None
    paths = (os.path.join(each, word) for each in folders)
    return next((path for path in paths if disk.is_executable(path)), None)


def _interpreter(word: str, folders: "Sequence[str]", folder: str) -> "str | None":
    """The path of the Python that a program is, or that its first lines name; None where they name none."""
    path = program_at(word, folders, folder)
    head = _head_of(path) if path is not None else None
    if path is None or head is None:
        return None
    if not head.startswith("#!"):  # a program of the machine: Python itself, or something else
        return path if _is_python(path) else None
    named = _named_by(_first_words(head), folders, folder)
    return named if named is not None and _is_python(named) and disk.is_file(named) else None


def _named_by(words: "Sequence[str]", folders: "Sequence[str]", folder: str) -> "str | None":
    """The path of the program that the words of a first line name, those that env looks for among them."""
    if not words or os.path.basename(words[0]) != "env":
        return words[0] if words else None
    return program_at(words[-1], folders, folder) if words[-1].startswith("python") else None


def _is_python(path: str) -> bool:
    return os.path.basename(path).startswith("python")


def _first_words(head: str) -> "list[str]":
    """The program that the first line of another one names, and its arguments. One that is too long for a first line, or has
    blanks in its path, stands in the second."""
    first, _, rest = head[2:].partition("\n")
    if first.split()[:1] == ["/bin/sh"] and rest.startswith("'''exec'"):
        return [rest.partition("'''exec'")[2].partition(' "$0"')[0].strip().strip('"')]
    return first.split()


def _head_of(path: str) -> "str | None":
    """The beginning of a program as text; empty for a link, which environments make to Python."""
    try:
        return disk.read(path, _HEAD).decode("latin-1")
    except disk.LeadsOutside:
        return ""
    except (OSError, ValueError):
        return None


# --- what is installed ----------------------------------------------------------------------------------------------


def _site_packages(binary: str, environment: "Mapping[str, str]") -> "Iterator[str]":
    """The folders in which an interpreter looks for packages, in its order."""
    prefix = os.path.dirname(os.path.dirname(binary))
    settings = _settings_of(prefix)
    if settings is not None:
        yield from _below(prefix, "")
        if settings.get("include-system-site-packages") != "true":
            return
        home = settings.get("home", "")
        binary = disk.real(os.path.join(home, "python3")) if home else ""
    else:
        binary = disk.real(binary)
    release = os.path.basename(binary)  # python3.11
    if not release.startswith("python3."):
        return
    if "PYTHONNOUSERSITE" not in environment:
        yield os.path.join(disk.expanded("~"), ".local", "lib", release, _PACKAGE_FOLDERS[0])
    prefix = os.path.dirname(os.path.dirname(binary))
    yield from _below(os.path.join(prefix, "local"), release)
    yield from _below(prefix, release)


def _settings_of(prefix: str) -> "dict[str, str] | None":
    """{name: value} of the pyvenv.cfg of a virtual environment, None where there is none."""
    try:
        text = disk.read(os.path.join(prefix, "pyvenv.cfg"), 1 << 16).decode("utf-8", "replace")
    except OSError:
        return None
    pairs = (line.partition("=") for line in text.splitlines())
    return {
        name.strip().lower(): value.strip().lower() if "system" in name else value.strip() for name, _, value in pairs
    }


def _below(prefix: str, release: str) -> "Iterator[str]":
    """The folders of packages below a prefix: those of a release of Python, and those that all releases share.

    Without a release (""), the only one there is.
    """
    library = os.path.join(prefix, "lib")
    releases = [name for name, _ in disk.entries(library) if name.startswith("python3.")]
    if not release:
        release = releases[0] if len(releases) == 1 else ""
    for each in (release, "python3"):
        for name in _PACKAGE_FOLDERS if each else ():
            folder = os.path.join(library, each, name)
            if disk.is_folder(folder):
                yield folder


def _packages_in(folder: str) -> "tuple[dict[str, str], set[str]]":
    """({package: release} of ours in a folder of packages, the packages that lie there without one release)."""
    releases: dict[str, set[str]] = {}
    copies = set()
    for name, _ in disk.entries(folder):
        stem, dot, ending = name.rpartition(".")
        if dot + ending in _INFO:
            package, _, version = stem.partition("-")
            package = package.replace("_", "-").lower()
            if package in PACKAGES:
                releases.setdefault(package, set()).add(version.partition("-")[0])
        elif name in _IMPORTED_AS:
            copies.update(_IMPORTED_AS[name])
    one = {package: next(iter(found)) for package, found in releases.items() if len(found) == 1}
    found = {package: version for package, version in one.items() if normal_version(version) is not None}
    return found, (copies | releases.keys()) - found.keys()


_IMPORTED_AS: "dict[str, list[str]]" = {}  # {folder: the packages that lie there}
for _package in PACKAGES:
    _files = registry.PACKAGES.get(_package)
    _folder = _files[0].partition("/")[0] if _files is not None else _package.replace("-", "_")
    _IMPORTED_AS.setdefault(_folder, []).append(_package)


def _environment_of(folder: str) -> str:
    """The prefix of a folder of packages, as people know an environment."""
    prefix, name, _ = folder.rpartition(os.path.join(os.sep, "lib", ""))
    return prefix if name else folder
