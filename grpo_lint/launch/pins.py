"""The exact framework releases that a repository pins, read from its requirement and lock files.

Only what names one release counts: `trl==1.16.0` does; `trl>=1.16`, `trl==1.*` and `trl @ git+https://...` do not. The
folder nearest to the config goes before its parents; in one folder a lock file goes before everything else; two files
of the same rank that disagree pin nothing, and neither does a lock file whose package comes from git or from a folder.

Files are searched as text: the formats are uniform enough, and a lock file of some megabytes would take longer to parse
than everything else that a run does. Nothing is executed; what a setup.py computes is not seen.
"""

import os
import re
from itertools import islice

from grpo_lint.facts import normal_version, version_key

PACKAGES = ("trl", "ms-swift", "transformers", "vllm", "liger-kernel")
LARGEST_FILE = 20 << 20
# Enough for every real repository, and an end for the others: files in one folder, pins in one file, characters in the
# entry of one package of a lock file.
MOST_FILES = 64
MOST_CLAIMS = 100
LONGEST_ENTRY = 1 << 18


class Pin:
    """One exact release, and where it is pinned; `line` counts from 1."""

    __slots__ = ("version", "path", "line")

    def __init__(self, version, path, line):
        self.version = version
        self.path = path
        self.line = line

    def __repr__(self):
        return f"Pin({self.version!r}, {self.path!r}, {self.line!r})"


# --- which folders --------------------------------------------------------------------------------------------------

_by_folder = {}
_PROJECT_FILES = ("pyproject.toml", "setup.py", "setup.cfg", "requirements.txt")


def pins_for(path):
    """The pins that hold for the file at `path`: {package: Pin}; not to be changed."""
    folder = os.path.dirname(os.path.abspath(path))
    known = _by_folder.get(folder)
    if known is None:
        known = _by_folder[folder] = _pins_above(folder)
    return known


def forget():
    """Drop everything remembered: for an editor's server, and for tests."""
    _by_folder.clear()
    _in_folder.clear()


def _pins_above(folder):
    pins = {}
    for each in _folders_of_project(folder):
        for package, pin in _pins_in(each).items():
            pins.setdefault(package, pin)
    # A folder whose files disagree says None, and that hides what its parents say.
    return {package: pin for package, pin in pins.items() if pin is not None}


def _folders_of_project(folder):
    """`folder` and those above it, up to the repository root.

    Outside of a repository (an unpacked archive) the nearest folder that looks like a project is the end: a
    requirements.txt that happens to lie in somebody's home is not about this file.
    """
    folders, project_end = [], 0
    while True:
        folders.append(folder)
        if os.path.exists(os.path.join(folder, ".git")):
            return folders
        if not project_end and any(os.path.isfile(os.path.join(folder, name)) for name in _PROJECT_FILES):
            project_end = len(folders)
        parent = os.path.dirname(folder)
        if parent == folder:
            return folders[: project_end or 1]
        folder = parent


# --- one folder -----------------------------------------------------------------------------------------------------

_in_folder = {}


def _pins_in(folder):
    """{package: Pin, or None where the files of this folder disagree}."""
    known = _in_folder.get(folder)
    if known is None:
        known = _in_folder[folder] = _read_folder(folder)
    return known


def _read_folder(folder):
    pins = {}
    for rank in _pin_files(folder):
        claims = [claim for path, reader in rank for claim in _claims(path, reader)]
        for package in PACKAGES:
            about = [(version, path, line) for name, version, path, line in claims if name == package]
            if about and package not in pins:
                pins[package] = _agreed(about)
    return pins


def _agreed(claims):
    """The one pin behind all claims, or None when they differ or one of them is no release at all."""
    if any(version is None for version, _, _ in claims):
        return None
    if len({version_key(version) for version, _, _ in claims}) > 1:
        return None
    return Pin(*claims[0])


def _pin_files(folder):
    """The files of a folder that can pin, as (path, reader), in two ranks: lock files, then all others."""
    locks, others = [], []
    for name in _names(folder):
        path = os.path.join(folder, name)
        if name in _READERS_OF_LOCKS:
            locks.append((path, _READERS_OF_LOCKS[name]))
        elif name.startswith("pylock.") and name.endswith(".toml"):  # pylock.toml and pylock.<name>.toml
            locks.append((path, _lock))
        elif name in _READERS_BY_NAME:
            others.append((path, _READERS_BY_NAME[name]))
        elif name.startswith(("requirements", "constraints")) and name.endswith(".txt"):
            others.append((path, _requirements))
        elif name.startswith("environment") and name.endswith((".yml", ".yaml")):
            others.append((path, _conda))
        elif name == "Dockerfile" or name.startswith("Dockerfile.") or name.endswith(".Dockerfile"):
            others.append((path, _dockerfile))
        elif name == "swift":  # a repository may carry ms-swift itself: what it imports is this one
            locks.append((os.path.join(path, "version.py"), _vendored))
        elif name == "requirements":
            texts = [text for text in _names(path) if text.endswith(".txt")]
            others += [(os.path.join(path, text), _requirements) for text in texts]
    return locks[:MOST_FILES], others[:MOST_FILES]


def _names(folder):
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def _claims(path, reader):
    """Each (package, version or None, path, line) that a file states."""
    data = _read(path)
    if reader is not _vendored and not _mentions_a_package(data):
        return
    text = data.decode("utf-8", "replace")
    for name, version, offset in islice(reader(text), MOST_CLAIMS):
        package = _normal_name(name)
        if version is not None:
            version = _full_version(version)
            if version is None:
                continue  # `==1.*`, `==${TRL_VERSION}`
        yield package, version, path, text.count("\n", 0, offset) + 1


def _read(path):
    """The bytes of a regular file as UTF-8; nothing when it is too large or cannot be read."""
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > LARGEST_FILE:
            return b""
        with open(path, "rb") as file:
            data = file.read(LARGEST_FILE)
    except OSError:
        return b""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):  # `pip freeze > requirements.txt` in PowerShell
        return data.decode("utf-16", "replace").encode()
    return data.removeprefix(b"\xef\xbb\xbf")


_MENTIONS = (b"trl", b"swift", b"transformers", b"vllm", b"liger", b"TRL", b"Swift", b"SWIFT", b"Transformers", b"vLLM", b"Liger")


def _mentions_a_package(data):
    return any(word in data for word in _MENTIONS)


def _normal_name(name):
    return re.sub("[-_.]+", "-", name).lower()


def _full_version(text):
    """The release an exact pin names: `==1.16` means 1.16.0, unlike the minor of a fact, which means its last patch."""
    version = normal_version(text)
    if version is None or version == "latest":
        return None
    version = version.partition("+")[0]
    numbers = version.split(".")
    if all(number.isdecimal() for number in numbers):
        numbers += ["0"] * (3 - len(numbers))
    return ".".join(numbers)


# --- one file -------------------------------------------------------------------------------------------------------
# A reader yields (name, version or None, offset) for each package of ours that a text pins; None: to no release.

_NAME = r"(trl|ms[-_.]+swift|transformers|vllm|liger[-_.]+kernel)"
_EXTRAS = r"[ \t]*(?:\[[^\]\n]*\])?"
_RELEASE = r"([^\s;,#\"'()\\]+)"
_EXACTLY = rf"{_NAME}{_EXTRAS}[ \t]*\(?===?[ \t]*{_RELEASE}"


def _find(pattern, text):
    return islice(re.finditer(pattern, text, re.MULTILINE | re.IGNORECASE), MOST_CLAIMS)


def _requirements(text):
    """`trl[vllm]==1.16.0 ; marker --hash=... # comment`, one to a line."""
    for match in _find(rf"^[ \t]*{_EXACTLY}", text):
        yield match[1], match[2], match.start(1)


def _quoted_requirements(text):
    """The same inside quotes, as in pyproject.toml and in the plain lists of a setup.py."""
    for match in _find(rf"[\"'][ \t]*{_EXACTLY}", text):
        line_start = text.rfind("\n", 0, match.start()) + 1
        if "#" not in text[line_start : match.start()]:
            yield match[1], match[2], match.start(1)


def _setup_cfg(text):
    """Requirements on lines of their own, or the only one behind its key."""
    for match in _find(rf"^(?:[\w.-]+[ \t]*=[ \t]*|[ \t]+){_EXACTLY}", text):
        yield match[1], match[2], match.start(1)


def _conda(text):
    """`- trl==1.16.0` under pip, `- conda-forge::transformers=4.51.3=py_0` as `conda env export` writes it.

    A single `=` without a build is a prefix for conda, so it pins nothing.
    """
    for match in _find(rf"^[ \t]*-[ \t]*[\"']?(?:[\w./-]+::)?{_EXACTLY}", text):
        yield match[1], match[2].partition("=")[0], match.start(1)
    for match in _find(rf"^[ \t]*-[ \t]*[\"']?(?:[\w./-]+::)?{_NAME}=([^\s=\"'#]+)=[^\s=]", text):
        yield match[1], match[2], match.start(1)


def _dockerfile(text):
    """`RUN pip install trl==1.16.0 "ms-swift[all]==4.6.0"`, comments left out."""
    for match in _find(rf"(?<=[\s\"'=]){_EXACTLY}", text):
        line_start = text.rfind("\n", 0, match.start()) + 1
        if not text[line_start : match.start()].lstrip().startswith("#"):
            yield match[1], match[2], match.start(1)


def _vendored(text):
    """`__version__ = '3.8.0'` of a copy of ms-swift."""
    for match in _find(r"^__version__[ \t]*=[ \t]*[\"']([^\"'\n]+)[\"']", text):
        yield "ms-swift", match[1], match.start(1)


def _pyproject(text):
    yield from _quoted_requirements(text)
    yield from _poetry(text)


_POETRY_TABLE = rf"tool\.poetry\.(?:[\w.-]+\.)?(?:dev-)?dependencies(?:\.{_NAME})?"


def _poetry(text):
    """`trl = "1.16.0"` or `trl = {version = "1.16.0", ...}` in the tables of Poetry, where a bare version is exact."""
    headers = [(match.start(), match[1]) for match in re.finditer(r"(?m)^[ \t]*\[([^\[\]\n]+)\]", text)]
    for (start, header), (end, _) in zip(headers, [*headers[1:], (len(text), "")]):
        table = re.fullmatch(_POETRY_TABLE, header.strip(), re.IGNORECASE)
        if table is None:
            continue
        body = text[start:end]
        if table[1]:
            pattern = r"^[ \t]*version[ \t]*=[ \t]*[\"'](?:==)?([^\"'\n]+)[\"']"
            found = [(table[1], match[1], match.start()) for match in _find(pattern, body)]
        else:
            inline = r"(?:\{[^}\n]*?\bversion[ \t]*=[ \t]*)?"
            pattern = rf"^[ \t]*[\"']?{_NAME}[\"']?[ \t]*=[ \t]*{inline}[\"'](?:==)?([^\"'\n]+)[\"']"
            found = [(match[1], match[2], match.start(1)) for match in _find(pattern, body)]
        for name, version, offset in found:
            yield name, version.strip(), start + offset


def _lock(text):
    """uv.lock, poetry.lock, pdm.lock and pylock.toml: `[[package]]`, then `name = "..."` and `version = "..."`."""
    # No `^`: a pattern that starts with plain letters is searched ten times as fast.
    for match in islice(re.finditer(rf"\nname = \"(?i:{_NAME})\"", text), MOST_CLAIMS):
        limit = match.end() + LONGEST_ENTRY
        start = max(text.rfind("\n[[", 0, match.start() + 1), match.start() - LONGEST_ENTRY)
        end = text.find("\n[[package", match.end(), limit)
        block = text[start + 1 : end if end >= 0 else limit]
        version = re.search(r"^version = \"([^\"\n]+)\"", block, re.MULTILINE)
        if re.search(_OTHER_SOURCE, block, re.MULTILINE) or _comes_from_url(block):
            yield match[1], None, match.start(1)
        elif version:
            yield match[1], version[1], start + 1 + version.start()


# How the four formats say that a package is no release from an index.
_OTHER_SOURCE = (
    r"^source = \{ *(?:git|url|path|editable|virtual|directory)\b"  # uv
    r"|^type = \"(?:git|url|file|directory)\""  # poetry
    r"|^(?:git|path|vcs|directory|archive) ?="  # pdm, pylock
    r"|^\[packages\.(?:vcs|directory|archive)\]"  # pylock
)


def _comes_from_url(block):
    """pdm's `url = ...` of the package itself; below a `[package.source]` it is only the index it came from."""
    return re.search(r"^url = ", re.split(r"\n\[(?!\[)", block, maxsplit=1)[0], re.MULTILINE)


def _pipfile_lock(text):
    for match in _find(rf"\"{_NAME}\"[ \t]*:[ \t]*\{{([^{{}}]*)\}}", text):
        version = re.search(r"\"version\"\s*:\s*\"===?([^\"\n]+)\"", match[2])
        yield match[1], version and version[1], match.start(1)


_READERS_OF_LOCKS = {
    "uv.lock": _lock,
    "poetry.lock": _lock,
    "pdm.lock": _lock,
    "Pipfile.lock": _pipfile_lock,
}
_READERS_BY_NAME = {
    "pyproject.toml": _pyproject,
    "setup.py": _quoted_requirements,
    "setup.cfg": _setup_cfg,
}
