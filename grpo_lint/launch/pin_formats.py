"""How requirement and lock files pin a release: one reader for each format.

Files are searched as text: the formats are uniform enough, and a lock file of some megabytes would take longer to parse
than everything else that a run does.
"""

import re
from functools import partial
from itertools import islice

from ..frameworks.registry import PACKAGES, PINNED
from ..frameworks.versions import normal_version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Claim = tuple[str, str | None, int]  # (name, version or None, offset)
    Reader = Callable[[str], Iterable[Claim]]

# Enough for every real repository, and an end for the others: pins in one file, characters in the entry of one package
# of a lock file.
MOST_CLAIMS = 100
LONGEST_ENTRY = 1 << 18


def pinned(text: str, reader: str) -> "Iterator[Claim]":
    """Each (package, version or None, offset) that a text pins, found by a named reader; None: to no release of an
    index."""
    for name, version, offset in islice(_READERS[reader](text), MOST_CLAIMS):
        if version is not None:
            version = _full_version(version)
            if version is None:
                continue  # `==1.*`, `==${TRL_VERSION}`
        yield re.sub("[-_.]+", "-", name).lower(), version, offset


def places(text: str, reader: str) -> "Iterator[tuple[str, str, int, int]]":
    """(package, version, start, end) of each exact pin: where its version is written."""
    for name, written, offset in islice(_READERS[reader](text), MOST_CLAIMS):
        version = _full_version(written) if written is not None else None
        if version is not None and written is not None:
            start = text.find(written, offset)
            yield re.sub("[-_.]+", "-", name).lower(), version, start, start + len(written)


def _full_version(text: str) -> str | None:
    """The release an exact pin names: `==1.16` means 1.16.0, unlike the minor of a fact, which means its last patch."""
    version = normal_version(text)
    if version is None or version == "latest":
        return None
    version = version.partition("+")[0]
    numbers = version.split(".")
    if all(number.isdecimal() for number in numbers):
        numbers += ["0"] * (3 - len(numbers))
    return ".".join(numbers)


# --- the formats ----------------------------------------------------------------------------------------------------
# A reader yields (name, version or None, offset) for each package of ours that a text pins.

_NAME = PINNED
_EXTRAS = r"(?:[ \t]{0,20}\[[\w., \t-]{0,80}\])?"
_RELEASE = r"([^\s;,#\"'()\\]+)"
_EXACTLY = rf"{_NAME}{_EXTRAS}[ \t]*\(?===?[ \t]*{_RELEASE}"


def _find(pattern: str, text: str) -> "Iterator[re.Match[str]]":
    return islice(re.finditer(pattern, text, re.MULTILINE | re.IGNORECASE), MOST_CLAIMS)


def _requirements(text: str) -> "Iterator[Claim]":
    """`trl[vllm]==1.16.0 ; marker --hash=... # comment`, one to a line."""
    for match in _find(rf"^[ \t]*{_EXACTLY}", text):
        yield match[1], match[2], match.start(1)


def _quoted_requirements(text: str) -> "Iterator[Claim]":
    """Requirements inside quotes, as in pyproject.toml and in the plain lists of a setup.py."""
    for match in _find(rf"[\"'][ \t]*{_EXACTLY}", text):
        line_start = text.rfind("\n", 0, match.start()) + 1
        if "#" not in text[line_start : match.start()]:
            yield match[1], match[2], match.start(1)


def _setup_cfg(text: str) -> "Iterator[Claim]":
    """Requirements on lines of their own, or the only one behind its key."""
    for match in _find(rf"^(?:[\w.-]+[ \t]*=[ \t]*|[ \t]+){_EXACTLY}", text):
        yield match[1], match[2], match.start(1)


def _conda(text: str) -> "Iterator[Claim]":
    """`- trl==1.16.0` under pip, `- conda-forge::transformers=4.51.3=py_0` as `conda env export` writes it.

    A single `=` without a build is a prefix for conda, so it pins nothing.
    """
    for match in _find(rf"^[ \t]*-[ \t]*[\"']?(?:[\w./-]+::)?{_EXACTLY}", text):
        yield match[1], match[2].partition("=")[0], match.start(1)
    for match in _find(rf"^[ \t]*-[ \t]*[\"']?(?:[\w./-]+::)?{_NAME}=([^\s=\"'#]+)=[^\s=]", text):
        yield match[1], match[2], match.start(1)


def _dockerfile(text: str) -> "Iterator[Claim]":
    """`RUN pip install trl==1.16.0 "ms-swift[all]==4.6.0"`, comments left out."""
    for match in _find(rf"(?<=[\s\"'=]){_EXACTLY}", text):
        line_start = text.rfind("\n", 0, match.start()) + 1
        if not text[line_start : match.start()].lstrip().startswith("#"):
            yield match[1], match[2], match.start(1)


def _copy_of(package: str, text: str) -> "Iterator[Claim]":
    """`__version__ = '3.8.0'` of a copy of a package."""
    for match in _find(r"^__version__[ \t]*=[ \t]*[\"']([^\"'\n]+)[\"']", text):
        yield package, match[1], match.start(1)
    parts = re.search(_PARTS, text, re.MULTILINE)
    if parts is not None:
        yield package, f"{'.'.join(parts.group(1, 2, 3))}{parts[4]}", parts.start(1)


# a release that is written as its parts
_PARTS = r"^MAJOR = (\d{1,3})\nMINOR = (\d{1,3})\nPATCH = (\d{1,3})\nPRE_RELEASE = [\"']((?:rc\d{0,3})?)[\"']$"


def _version_of(package: str, text: str) -> "Iterator[Claim]":
    """A file beside a copy of a package that holds its release and nothing else."""
    if re.fullmatch(r"\s*\d+(\.\w+)+\s*", text):
        yield package, text.strip(), 0


def _pyproject(text: str) -> "Iterator[Claim]":
    yield from _quoted_requirements(text)
    yield from _poetry(text)


_POETRY_TABLE = rf"tool\.poetry\.(?:[\w.-]+\.)?(?:dev-)?dependencies(?:\.{_NAME})?"


def _poetry(text: str) -> "Iterator[Claim]":
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


def _lock(text: str) -> "Iterator[Claim]":
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


def _comes_from_url(block: str) -> bool:
    """pdm's `url = ...` of the package itself; below a `[package.source]` it is only the index it came from."""
    return bool(re.search(r"^url = ", re.split(r"\n\[(?!\[)", block, maxsplit=1)[0], re.MULTILINE))


def _pipfile_lock(text: str) -> "Iterator[Claim]":
    for match in _find(rf"\"{_NAME}\"[ \t]*:[ \t]*\{{([^{{}}]*)\}}", text):
        version = re.search(r"\"version\"\s*:\s*\"===?([^\"\n]+)\"", match[2])
        yield match[1], version and version[1], match.start(1)


_READERS: "dict[str, Reader]" = {
    "requirements": _requirements,
    "quoted": _quoted_requirements,
    "setup-cfg": _setup_cfg,
    "conda": _conda,
    "dockerfile": _dockerfile,
    **{f"copy-of-{package}": partial(_copy_of, package) for package in PACKAGES},
    **{f"version-of-{package}": partial(_version_of, package) for package in PACKAGES},
    "pyproject": _pyproject,
    "lock": _lock,
    "pipfile-lock": _pipfile_lock,
}
