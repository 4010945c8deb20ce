"""What a repository says of a release without naming one: ranges (`trl>=0.18,<0.20`), and tags and commits of git."""

import re
from itertools import chain, islice

from ..frameworks.commits import COMMITS, HOMES
from ..frameworks.registry import OFFICIAL, PACKAGES, PINNED, RANGED
from ..frameworks.versions import normal_version, version_key
from .bounds import tests_of
from .pins import Pin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    Told = tuple[str, str, bytes]  # path of a file, name of its reader, its bytes

MOST_CLAIMS = 100
_TELLING_FOLDERS = ("pyproject", "requirements", "conda", "dockerfile", "submodules", "installer")
_MARKS_OF_FOLDERS = (b"-e ", b"--editable", b"install ./", b"\n./", b"path =", b"[submodule")
_TELLING_RANGES = ("lock", "pyproject", "quoted", "setup-cfg", "requirements", "conda", "dockerfile", "installer")
_NAME = RANGED
_ONE = r"(?:===?|[<>~!]=|[<>^~])[ \t]*[\w.*+!-]{1,40}"
_SPAN = rf"({_ONE}(?:[ \t]*,[ \t]*{_ONE}){{0,8}})"
_REQUIREMENT = rf"(?:^|[\s\"'=:]){_NAME}(?:[ \t]{{0,9}}\[[\w., \t-]{{0,80}}\])?[ \t]{{0,9}}\(?[ \t]{{0,9}}{_SPAN}"
_OF_POETRY = rf"^[ \t]*[\"']?{_NAME}[\"']?[ \t]*=[ \t]*(?:\{{[^}}\n]{{0,200}}?\bversion[ \t]*=[ \t]*)?[\"']{_SPAN}[\"']"
_FROM_GIT = rf"(?:git\+)?(?:https|ssh|git)://[^\s\"'/]{{1,80}}/({'|'.join(HOMES)})(?:\.git)?"
_ADDRESS = r"(?:https|ssh|git)://(?:[^\s\"'/@]{1,40}@)?[^\s\"'/]{1,80}/([\w.-]{1,60}/[\w.-]{1,60})"
# of any repository: the name of the package stands in front of the address, on its line (see `_name_before`), or is its `egg`
_INSTALLED = rf"git\+{_ADDRESS}(?:@[\w./-]{{1,60}})?(?:#egg=([\w-]{{1,40}}))?"
_SOURCE_OF_UV = rf"\bgit[ \t]{{0,9}}=[ \t]{{0,9}}[\"']{_ADDRESS}()"
_SOURCE_OF_POETRY = rf"\btype = \"git\"\nurl = \"{_ADDRESS}()"
_ARCHIVE = rf"(?<=@)[ \t]{{0,9}}{_ADDRESS}()/"
_CLONED = rf"\bgit[ \t]+clone[ \t][^\n;&|#]{{0,200}}?{_ADDRESS}()(?=[^#]{{0,2000}}?\binstall\b[^\n;&|#]{{0,200}}?[ \t](?:-e|--editable|\.))"
_SOURCES = (_INSTALLED, _SOURCE_OF_UV, _SOURCE_OF_POETRY, _ARCHIVE, _CLONED)
_NAMED = re.compile(
    rf"{PINNED}[ \t]*(?:\[[\w., \t-]*\])?[ \t]*@[ \t]*\Z|^[ \t]*{PINNED}[ \t]*=[ \t]*\{{[^}}]*\Z", re.IGNORECASE
)
_LONGEST_NAME = 200
_IN_TABLE = re.compile(rf"\n\[\[package\]\]\s*name = \"{PINNED}\"|\n?\[[^\]\n]*\.{PINNED}\][ \t]*\n", re.IGNORECASE)
_LONGEST_TABLE = 1 << 16
_AT = rf"{_FROM_GIT}@([\w./-]{{1,60}})"
_OF_UV = rf"{_FROM_GIT}/?[\"'][ \t]*,[ \t]*(?:rev|tag)[ \t]*=[ \t]*[\"']([\w./-]{{1,60}})[\"']"
_LOCKED = rf"{_FROM_GIT}(?:\?[^\"'#\s]{{0,99}})?#([0-9a-f]{{7,40}})"


class Range:
    """What is said of a package: `version`, where that is one release; `between`: two releases, one before and one after
    what is installed; `allows`: a text such as `>=0.18,<0.20`; `fork`: somebody's own repository. `offset`: where."""

    def __init__(
        self,
        package: str,
        offset: int,
        version: str = "",
        between: "tuple[str, ...]" = (),
        allows: str = "",
        fork: str = "",
    ) -> None:
        self.package = package
        self.offset = offset
        self.version = version
        self.between = between
        self.allows = allows
        self.fork = fork


def add_ranges(told: "Iterable[Told]", pins: "dict[str, Pin | None]", ranges: "dict[str, Pin]") -> None:
    """Add what the files of a folder say of the frameworks without naming a release. Of several ranges all count; a tag or a commit
    goes before a range."""
    local: list[Told] = []
    for path, form, data in told:
        if form in _TELLING_FOLDERS and any(mark in data for mark in _MARKS_OF_FOLDERS):
            local.append((path, form, data))
        if form in _TELLING_RANGES:
            _add_ranges_of(path, form, data.decode("utf-8", "replace"), ranges)
    if local:
        from .installs import add_copies

        add_copies(local, pins, ranges)


def spanned(claims: "list[tuple[str | None, str, int]]") -> "Pin | None":
    """The range from the oldest to the newest of releases that differ; None where one of the claims is no release."""
    told = [(version_key(version), version, path, line) for version, path, line in claims if version is not None]
    if len(told) < len(claims):
        return None
    oldest, newest = min(told), max(told)
    return Pin("", *newest[2:], allows=f">={oldest[1]},<={newest[1]}")


def fork_in(text: str, path: str, package: str) -> "Pin | None":
    """Somebody's own repository from which a script installs a package, before it starts a run."""
    found = next((each for each in ranges_in(text) if each.fork and each.package == package), None)
    return Pin("", path, text.count("\n", 0, found.offset) + 1, fork=found.fork) if found else None


def _add_ranges_of(path: str, form: str, text: str, ranges: "dict[str, Pin]") -> None:
    for found in ranges_in(text):
        if form == "lock" and found.allows:
            continue
        line = text.count("\n", 0, found.offset) + 1
        pin = Pin(found.version, path, line, found.between, found.allows, found.fork)
        before = ranges.get(found.package)
        ranges[found.package] = pin if before is None else _closer(before, pin)


def _closer(one: Pin, other: Pin) -> Pin:
    """What two statements without a release say together."""
    if not one.allows:
        return one
    if not other.allows:
        return other
    return Pin(one.version, one.path, one.line, one.between, f"{one.allows},{other.allows}")


def ranges_in(text: str) -> "Iterator[Range]":
    """What a text says of the frameworks without naming a release; unknown commits say nothing."""
    flags = re.MULTILINE | re.IGNORECASE
    for match in _some(re.finditer(_REQUIREMENT, text, flags), re.finditer(_OF_POETRY, text, flags)):
        if not _in_comment(text, match.start(1)) and tests_of(match[2]):
            yield Range(re.sub("[-_.]+", "-", match[1]).lower(), match.start(1), allows=match[2])
    if "://" not in text:
        return
    for match in _some(re.finditer(_AT, text), re.finditer(_OF_UV, text), re.finditer(_LOCKED, text)):
        if not _in_comment(text, match.start()):
            yield from _of_git(HOMES[match[1]], match[2], match.start())
    for match in _some(*(re.finditer(source, text, flags) for source in _SOURCES)):
        if not _in_comment(text, match.start(1)):
            name = _name_before(text, match.start()) or match[2] or _name_above(text, match.start())
            yield from _of_a_fork(name, match[1].removesuffix(".git"), match.start(1))


def _name_before(text: str, at: int) -> str:
    """The package that the words in front of an address name. It is looked for once for each address: a pattern that
    began with the name would be tried at each name of a table of many megabytes."""
    line = max(text.rfind("\n", 0, at) + 1, at - _LONGEST_NAME)
    found = _NAMED.search(text[line:at])
    return (found[1] or found[2]) if found else ""


def _name_above(text: str, at: int) -> str:
    """The package whose table an address stands in: `[tool.uv.sources.trl]`, or `[[package]]` of a lock file."""
    lowest = max(0, at - _LONGEST_TABLE)
    table = text.rfind("\n[[package]]", lowest, at)
    found = _IN_TABLE.match(text, table if table >= 0 else max(text.rfind("\n[", lowest, at), 0))
    return (found[1] or found[2]) if found else ""


def _of_a_fork(name: "str | None", home: str, offset: int) -> "Iterator[Range]":
    """What is installed from somebody's own repository. `name`: of the package, where it is told."""
    package = fork_of(name, home)
    if package:
        yield Range(package, offset, fork=home)


def fork_of(name: "str | None", home: str) -> str:
    """The package that somebody's own repository has changed; empty where it is none of ours, or the framework's own."""
    for each in filter(None, (name, home.rpartition("/")[2])):
        told = re.sub("[-_.]+", "-", each).lower()
        package = next((each for each in PACKAGES if each in (told, told.removeprefix("ms-"))), "")
        if package:
            return "" if home.lower() in OFFICIAL else package
    return ""


def _some(*found: "Iterator[re.Match[str]]") -> "Iterator[re.Match[str]]":
    return islice(chain.from_iterable(found), MOST_CLAIMS)


def _in_comment(text: str, at: int) -> bool:
    return "#" in text[text.rfind("\n", 0, at) + 1 : at]


def _of_git(package: str, name: str, offset: int) -> "Iterator[Range]":
    """What a tag or a commit says."""
    release = normal_version(name.rpartition("/")[2])
    if release and "." in release:
        yield Range(package, offset, version=release)
    elif name[:7] in COMMITS.get(package, ()):
        yield Range(package, offset, between=COMMITS[package][name[:7]])


def allowed(allows: str, releases: "Sequence[str]") -> "set[int]":
    """The places of the releases that a specifier allows; a release also counts where an earlier patch with the same
    fields is allowed."""
    tests = tests_of(allows) or []
    found, before = set(), ""
    for place, release in enumerate(releases):
        if any(all(test(version_key(each)) for test in tests) for each in _alike(release, before)):
            found.add(place)
        before = release
    return found


def _alike(release: str, before: str) -> "Iterator[str]":
    """A release, and the patches between it and the one before it, which a catalogue leaves out where they are like it."""
    yield release
    numbers, last = release.split("."), before.split(".")
    if len(numbers) == 3 and numbers[2].isdecimal():
        first = int(last[2]) + 1 if last[:2] == numbers[:2] and last[2:] and last[2].isdecimal() else 0
        for patch in range(first, int(numbers[2])):
            yield f"{numbers[0]}.{numbers[1]}.{patch}"
