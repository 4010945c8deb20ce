"""Where a script changes an installed package before it starts a run: what was released says less of what runs then. It is known by
its text, line by line: a place below the folder of the package, and a tool that writes there."""

import os
import re
from itertools import islice

from ..files.budget import PROGRAMS
from ..frameworks.registry import imported_as
from ..message import Message
from ..record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..shared_types import Files, Framework, Origin

LONGEST_LINE = 1000  # characters; what is longer is data
MOST_LINES = 5000
MOST_STARTED = 10  # programs that a script starts before
MOST_LEVELS = 2  # scripts that start one another

_FILE, _PACKAGE, _AROUND = 0, 1, 2  # what a path leads to: a file of the package, its folder, the folder around that
_SITE = r"(?:site|dist)-packages"
_SET = re.compile(r"\s*(?:(?:export|local|readonly|typeset|declare)\s+)?(\w{1,80})=(.*)")
_LOOP = re.compile(r"\s*for\s+(\w{1,80})\s+in\s+(.*)")
_READ = re.compile(r"\bread\s+(?:-\w\s+)?(\w{1,80})\s*;?")
_DEFINED = re.compile(r"\s*(?:function\s+)?([\w-]{1,80})\s*\(\)")
_ENTERED = re.compile(r"\b(?:cd|pushd)\s+(\S+)")
_ANY_ARGUMENT = re.compile(r"\b(?:sed|perl|g?awk)\b.{0,200}?\s(?:-[a-zA-Z]*i|--in-place|inplace)|\b(?:patch|tee|truncate|touch|unzip|tar)\s"
                           r"|\bgit\s.{0,200}?\b(?:apply|am|checkout|restore)\s|\b(?:curl|wget)\b.{0,200}?\s-[oOP]")  # fmt: skip
_LAST_ARGUMENT = re.compile(r"\b(?:cp|mv|ln|rsync|install)\s")
_HERE_DOCUMENT = re.compile(r"<<-?\s*(['\"]?)(\w{1,40})\1")
_PYTHON = re.compile(r"\bpython[\d.]*\b|/python\b|\bPY(?:THON\w*)?\b")
_INLINE = re.compile(r"\s-c\s*(['\"])")
_STARTED = re.compile(
    r"(?:\b(?:bash|sh|source|python[\d.]*)|^\s*\.)\s+(?:-\w\s+)*[\"']?([^\s\"';&|]{1,300}\.(?:sh|bash|py))\b"
)
_WRITES = re.compile(r"\bwrite_(?:text|bytes)\(|(?<!stdout)(?<!stderr)\.writelines?\(|(?<!stdout)(?<!stderr)\.write\(|\bcopy(?:file|2|tree)?\("
                     r"|\bopen\([^()]{0,200},\s*(?:mode\s*=\s*)?['\"][wa]|\binplace\s*=|\bos\.(?:replace|rename|symlink)\(")  # fmt: skip
_LEADING = re.compile(r"^(?:\$\{?\w+\}?|\$\([^()]*\))/")  # the folder of a path that is computed


class Patch(Record):
    """A line that changes an installed package: its file and its number there."""

    path: str
    line: int


def told_of_patches(framework: "Framework", origin: "Origin", text: str) -> "Iterator[Message]":
    """Where the script of a command changes the installed framework before it starts the run."""
    path = (origin.script and origin.script.path) or origin.files.path
    package = imported_as(framework.releases.package)
    found = patch_before(text, origin.invocation.command.start, path, package, origin.files)
    if found is not None:
        told = {"path": found.path, "line": found.line, "title": framework.title}
        yield Message("{path}, line {line}, changes the {title} that is run: what it refuses may be another", told)


def is_started_before(program: str, origin: "Origin") -> bool:
    """Whether the script of a command runs a program, by its path, before it starts the run."""
    text, end = (origin.script.text if origin.script else origin.files.own_text) or "", origin.invocation.command.start
    name = os.path.basename(program)
    return name in text[:end] and any(
        os.path.basename(match[1]) == name for _, line in _joined(text[:end]) for match in _STARTED.finditer(line)
    )


def patch_before(text: str, end: int, path: str, package: str, files: "Files", level: int = 0) -> "Patch | None":
    """Where a script, up to an offset, changes the installed package that Python imports by this name; None for nowhere."""
    lines = _Lines(package)
    started: list[str] = []
    for number, line in islice(_joined(text[:end]), MOST_LINES):
        if lines.changes(line):
            return Patch(path=path, line=number)
        started += [match[1] for match in _STARTED.finditer(line)] if not lines.is_data else []
    for name in started[:MOST_STARTED]:
        found = _patch_in(_LEADING.sub("", name), package, files, level)
        if found is not None:
            return found
    return None


def _patch_in(name: str, package: str, files: "Files", level: int) -> "Patch | None":
    """Where a program that a script starts changes the package."""
    found = files.places(name)
    text = files.read(found[0]) if found else None
    if text is None or package not in text or not files.budget.allows(PROGRAMS, found[0], len(text)):
        return None
    path = min(os.path.relpath(found[0]), found[0], key=len)
    if not name.endswith(".py"):
        return patch_before(text, len(text), path, package, files, level + 1) if level < MOST_LEVELS else None
    code = _Code(package)
    for number, line in islice(_joined(text), MOST_LINES):
        code.add(number, line)
    return Patch(path=path, line=code.writes_at) if code.changes else None


def _joined(text: str) -> "Iterator[tuple[int, str]]":
    """(its number, the text) of each line that is no comment, those that go on in the next one together."""
    start, waiting = 1, ""
    for number, line in enumerate(text.split("\n"), 1):
        if not waiting:
            start = number
        waiting += line
        if line.endswith("\\") and len(waiting) < LONGEST_LINE:
            waiting = f"{waiting[:-1]} "
            continue
        if not waiting.lstrip().startswith("#"):
            yield start, waiting[:LONGEST_LINE]
        waiting = ""


class _Code:
    """Code of Python: whether it names a place of the package, and where it writes."""

    def __init__(self, package: str) -> None:
        self._names = re.compile(
            rf"{_SITE}/{package}\b|\b{package}[\w.]*\.__(?:file|path)__|find_spec\(\s*['\"]{package}\b"
        )
        self._imports = re.compile(rf"\b(?:import|from)\s+{package}\b")
        self._is_named = self._is_imported = False
        self.writes_at = 0

    def add(self, number: int, line: str) -> None:
        self._is_imported = self._is_imported or self._imports.search(line) is not None
        by_alias = self._is_imported and (".__file__" in line or "getsourcefile(" in line or "getfile(" in line)
        self._is_named = self._is_named or by_alias or self._names.search(line) is not None
        if not self.writes_at and _WRITES.search(line):
            self.writes_at = number

    def is_told(self) -> None:
        """It is handed a place of the package."""
        self._is_named = True

    @property
    def changes(self) -> bool:
        return self._is_named and self.writes_at > 0


class _Lines:
    """The lines of a shell script that were read: which variables hold a place of the package, and where it is."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._names = re.compile(rf"\b{package}[\w.]*\.__(?:file|path)__|find_spec\(\s*\\?['\"]{package}\b")
        self._literal = re.compile(rf"{_SITE}/{package}(?![\w.-])")
        self._around = re.compile(
            rf"getsitepackages|purelib|platlib|usersitepackages|{_SITE}[\"']?\)*$|\bshow\s+(?:-f\s+)?{package}\b"
        )
        self._holding: dict[str, int] = {}  # {variable: what it leads to}
        self._functions: set[str] = set()
        self._is_inside = False
        self._code: _Code | None = None
        self._ends = ""  # what ends a text that is read as code or as data
        self.is_data = False

    def changes(self, line: str) -> bool:
        """Read one more line; whether it changes the package."""
        if self.is_data:
            return self._goes_on(line)
        self._learn(line)
        begun = self._begins(line)
        return begun or self._writes(line)

    # --- texts inside -----------------------------------------------------------------------------------------------

    def _begins(self, line: str) -> bool:
        """Begin a text that a line hands to a program; whether that is whole in the line, and changes the package."""
        document, inline = _HERE_DOCUMENT.search(line), _INLINE.search(line)
        is_python = _PYTHON.search(line) is not None
        if document is None and not (is_python and inline):
            return False
        self._code = _Code(self._package) if is_python else None
        if self._code is not None and self._leads_inside(line):
            self._code.is_told()
        if document is not None:
            self._ends, self.is_data = document[2], True
            return False
        quote, rest = inline[1], line[inline.end() :]  # type: ignore[index, union-attr]  # one of them was found
        self.is_data = quote not in rest
        self._ends = quote
        return self._goes_on(rest, is_first=True) if self._code is not None else False

    def _goes_on(self, line: str, is_first: bool = False) -> bool:
        is_quoted = self._ends in ("'", '"')
        is_last = self._ends in line if is_quoted else line.strip() == self._ends
        self.is_data = not is_last
        if self._code is not None and (is_quoted or not is_last):
            self._code.add(1, line.partition(self._ends)[0] if is_quoted else line)
        return self._code is not None and self._code.changes

    # --- commands ---------------------------------------------------------------------------------------------------

    def _learn(self, line: str) -> None:
        """What variables and functions a line makes, and the folder that it enters."""
        made = _SET.match(line) or _LOOP.match(line)
        if made is not None:
            depth = self._depth(made[2])
            if depth is None:
                self._holding.pop(made[1], None)
            else:
                self._holding[made[1]] = depth
        elif (read := _READ.search(line)) and self._leads_inside(line):
            self._holding[read[1]] = _FILE
        elif defined := _DEFINED.match(line):
            self._functions.add(defined[1])
        if entered := _ENTERED.search(line):
            self._is_inside = self._leads_inside(f"{entered[1]} ") or self._is_around(entered[1])

    def _depth(self, value: str) -> "int | None":
        """What the value of a variable leads to; None for a place of something else."""
        up = value.count("dirname") + len(re.findall(r"\.parent\b", value))
        up += sum(int(each) + 1 for each in re.findall(r"\.parents\[(\d)\]", value))
        if self._literal.search(value) or self._leads_below(value):
            return _PACKAGE
        named = self._names.search(value)
        if named is not None:
            return min(up + ("__file__" not in named[0]), _AROUND)
        if self._around.search(value):
            return _AROUND
        held = [depth for name, depth in self._holding.items() if re.search(rf"\$\{{?{name}\b", value)]
        return min(held[0] + up, _AROUND) if held else None

    def _leads_inside(self, text: str) -> bool:
        """Whether a place of the package stands in a text."""
        if self._literal.search(text) or self._names.search(text) or self._leads_below(text):
            return True
        return any(depth < _AROUND and re.search(rf"\$\{{?{name}\b", text) for name, depth in self._holding.items())

    def _leads_below(self, text: str) -> bool:
        """Whether the folder around the package stands there, with the package."""
        around = (name for name, depth in self._holding.items() if depth >= _AROUND)
        return any(re.search(rf"\$\{{?{name}\}}?[\"']?/{self._package}(?![\w.-])", text) for name in around)

    def _is_around(self, text: str) -> bool:
        around = (name for name, depth in self._holding.items() if depth >= _AROUND)
        return any(re.search(rf"\$\{{?{name}\}}?[\"']?$", text) for name in around)

    def _writes(self, line: str) -> bool:
        """Whether a command of a line writes to a place of the package."""
        if not (self._is_inside or self._leads_inside(line) or self._hands_around(line)):
            return False
        for command in re.split(r"&&|\|\||;|(?<!\|)\|(?!\|)", line):
            if _ANY_ARGUMENT.search(command):
                return True
            if _LAST_ARGUMENT.search(command) and self._is_there(command.split()[-1]):
                return True
            if ">" in command and self._is_there(command.rpartition(">")[2]):
                return True
        first = line.split(None, 1)[0] if line.strip() else ""
        return first in self._functions and self._leads_inside(line)

    def _is_there(self, word: str) -> bool:
        is_relative = self._is_inside and re.match(r"[\"']?[\w.]", word) is not None
        return self._leads_inside(f"{word} ") or is_relative

    def _hands_around(self, line: str) -> bool:
        """Whether a patch is applied in the folder around the package, in which it names the package itself."""
        is_patch = re.search(r"\bpatch\s|\bgit\s.{0,200}?\bapply\b", line) is not None
        return is_patch and any(re.search(rf"\$\{{?{name}\b", line) for name in self._holding)
