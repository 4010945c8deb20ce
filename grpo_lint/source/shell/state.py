"""The state of the shell at a point of a script: variables, functions, folder and arguments, and how certain it is that
the script reaches this point."""

from ...message import Message
from ..text import Problem
from .arithmetic import PLAIN, integer
from .variables import History, Variable, changed, merged, unsettled, visible
from .words import START, unknown_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from ...shared_types import AbstractSet, Callable, Held, Iterable, Piece, Script, Word
    from .tree import Function, Place

    Result = TypeVar("Result")
# Keys of the table that are not variables; no variable can have these names.
FOLDER = " folder"
FOLDER_BEFORE = " folder before"
FOLDER_STACK = " folder stack"
ARGUMENTS = " arguments"

# Limits of nesting while running, and of the size of one value. The total work is limited by the size of the script.
DEPTH = 40
MOST_STEPS = 60_000
MOST_ROUNDS = 24  # of loops in loops that are followed one by one
MOST_ROUNDS_OF_SCRIPT = 48
_PIECES = 500
_CHARACTERS = 100_000


def size_of(words: "Iterable[Word]") -> int:
    """How much room words take, the empty ones as well."""
    return sum(1 + size_of_pieces(word.pieces) for word in words)


def size_of_pieces(pieces: "Iterable[Piece]") -> int:
    """How much room the pieces of a word take; what is unknown of it may be a folder, with its path."""
    size = 0
    for piece in pieces:
        size += len(piece.text or "") + 1
        if piece.place is not None:
            size += len(piece.place[1])
    return size


# What each shell has of its own, beside its table.
_OF_A_SHELL = ("since", "call", "locals", "main", "all_exported", "background", "jumped", "is_far")

_DECIDED = 200  # variables that other ones decide, and of these for one of them: more are not followed


class Stop(Exception):
    """The last command ends the construct named by `kind`: "exit", "return" or "loop"."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class Frame:
    """A function or a loop that is running: its `kind` as in `Stop`, how `uncertain` it was when it began, and whether
    a command may have `left` it early. `ended`: whether a command in this round ended all of a loop, None where that is
    not known."""

    __slots__ = ("kind", "uncertain", "left", "ended")

    def __init__(self, kind: str, uncertain: int) -> None:
        self.kind = kind
        self.uncertain = uncertain
        self.left = False
        self.ended: bool | None = False


class Shell:
    """The known state of a shell, with what is needed to undo the effects of a branch."""

    def __init__(self, script: "Script", size: int) -> None:
        self.script = script
        self.table: dict[str, Held] = {}
        self.history = History()
        self.trail: list[tuple[str, Held]] = []  # what was written: (name, entry before), for undoing
        self.time = 0
        self.asked: set[str] | None = None  # the variables that were looked up, where it matters
        self.decided: dict[str, frozenset[str]] = {}  # a variable -> those whose defaults decide what it holds
        self.since = -1  # in a child: variables older than this are visible only when exported
        self.budget = 200_000 + 5 * size
        self.steps = MOST_STEPS
        self.depth = 0
        self.conditional = 0  # the number of enclosing undecided branches
        self.uncertain = 0  # the same, with programs that may fail
        self.assumed = 0  # enclosing branches that only defaults decide
        self.background = False
        self.silent = 0  # enclosing runs that only find out what is written
        self.jumped: list[Frame] = []  # the running functions and loops
        self.call: tuple[int, int] | None = None
        self.locals: dict[str, Held] | None = None
        self.main = True  # not in a child shell, which has another $0
        self.all_exported = False
        self.running: list[Function] = []  # the running functions
        self.functions: dict[Function, bool] = {}  # every definition that was reached -> whether it was run
        self.written_in_loops: dict[int, dict[str, Held]] = {}
        self.read_headers = False
        self.is_far = False  # in a container, or on another machine
        self.rounds = 1  # of all running loops that are followed round by round
        self.rounds_left = MOST_ROUNDS_OF_SCRIPT
        self.write(FOLDER, (START, ""))
        self.write(ARGUMENTS, [unknown_word(0, 0, outside=True, many=True)])

    # The table

    def write(self, name: str, entry: "Held") -> None:
        if self.decided and not self.uncertain:
            self.decided.pop(name, None)
        if type(entry) is Variable:
            entry = self._bounded(entry, self.table.get(name))
        elif type(entry) is list:
            if not self._can_hold(len(entry), size_of(entry)):
                entry = None
        elif type(entry) is tuple:  # a folder, or a stack of those that are held anyway
            if not self.spend(sum(len(each) if type(each) is str else 1 for each in entry)):
                entry = None
        self.put_back(name, entry)

    def _bounded(self, variable: Variable, before: "Held") -> Variable:
        """A variable as it is held: unknown where it is too large, and loosened where defaults decide whether it is set."""
        word, items = variable.word, variable.items
        if self._can_hold(len(word.pieces) + len(items or ()), size_of((word, *(items or ())))):
            return variable.loosened(before) if self.assumed else variable
        many = None if items is None else [unknown_word(word.start, word.end, many=True)]
        return Variable(unknown_word(word.start, word.end), many, variable.exported, variable.fickle)

    def _can_hold(self, parts: int, size: int) -> bool:
        return parts <= _PIECES and size <= _CHARACTERS and self.spend(size)

    def put_back(self, name: str, entry: "Held") -> None:
        """Write what the table has held before, which takes no more room than it did."""
        self.trail.append((name, self.table.get(name)))
        self._set(name, entry)

    def _set(self, name: str, entry: "Held") -> None:
        self.time += 1
        if type(entry) is Variable:
            if entry.time:
                entry = Variable(entry.word, entry.items, entry.exported, entry.fickle)
            entry.time = self.time
        self.table[name] = entry
        self.history.record(name, entry, self.time)

    def lookup(self, name: str) -> "Variable | None":
        """The variable of a name as it is visible here, or None."""
        if self.asked is not None:
            self.asked.add(name)
        variable = visible(self.table.get(name), self.since)
        if variable is None:
            return None
        return self.history.doubted(variable, self.time) if self.history.doubts else variable

    @property
    def arguments(self) -> "list[Word] | None":
        """The arguments of the script or of the running function; None when even their number is unknown."""
        return self.table[ARGUMENTS]  # type: ignore[return-value]  # nothing else has this name

    @property
    def folder(self) -> "Place | None":
        """The current folder; None when it is unknown."""
        return self.table[FOLDER]  # type: ignore[return-value]  # nothing else has this name

    def number(self, name: str) -> "int | None":
        """The whole number that a variable holds, or None."""
        variable = self.lookup(name)
        if variable is None or variable.items is not None or variable.word.value is None:
            return None
        return integer(variable.word.value)

    def plain_variable(self, name: str, word: "Word") -> "Variable":
        """A new scalar for a name; it stays exported."""
        before = self.lookup(name)
        fickle = before is not None and before.fickle
        if fickle:
            word = unknown_word(word.start, word.end)
        return Variable(word, None, self.all_exported or (before is not None and before.exported), fickle)

    def rewind(self, mark: int) -> "dict[str, Held]":
        """Undo what was written since a mark of the trail. Returns {name: last entry}."""
        before: dict[str, Held] = {}
        for name, entry in self.trail[mark:]:
            before.setdefault(name, entry)
        del self.trail[mark:]
        written = {name: self.table.get(name) for name in before}
        for name, entry in before.items():
            self._set(name, entry)
        return written

    def merge(self, alternatives: "list[dict[str, Held]]", keep: "tuple[str, ...]" = ()) -> None:
        """Merge the outcomes of several branches, each {name: entry}. Names in `keep` are taken from the last one."""
        written_as: dict[str, list[Held]] = {}
        for written in alternatives:
            for name, entry in written.items():
                written_as.setdefault(name, []).append(entry)
        for name, entries in written_as.items():
            now = self.table.get(name)
            if name in keep:
                entry = alternatives[-1].get(name, now)
            else:
                if len(entries) < len(
                    alternatives
                ):  # once for all that do not write it: a `case` may have thousands of arms
                    entries.insert(0, now)
                entry = entries.pop() if name in alternatives[-1] else entries.pop(0)
                for other in entries:
                    entry = merged(entry, other)
            if entry is not now:
                self.write(name, entry)

    def forget(self, names: "Iterable[str]") -> None:
        """Mark variables as changed to unknown values."""
        for name in names:
            before = self.table.get(name)
            if type(before) is Variable or (before is None and name[0] != " "):
                self.write(name, changed(before))
            elif before is not None:
                self.write(name, None)

    def names_since(self, mark: int) -> "set[str]":
        """The variables that were written since a mark of the trail."""
        return {name for name, _ in self.trail[mark:] if name[0] != " "}

    def decided_by(self, names: "Iterable[str]", subjects: "AbstractSet[str]") -> "dict[str, frozenset[str]]":
        """These variables, each with those whose defaults decide what it holds after a test of some variables."""
        if len(self.decided) > _DECIDED or len(subjects) > _DECIDED:
            return {}
        deeper = [self.decided[name] for name in subjects if name in self.decided]
        decides = frozenset(subjects).union(*deeper)
        return {name: self.decided.get(name, frozenset()) | decides for name in names}

    def disbelieve(self, subjects: "AbstractSet[str]") -> None:
        """Forget what the defaults of some variables have decided: here they are not in force."""
        given = [
            name
            for name in subjects
            if (held := self.table.get(name)) and type(held) is Variable and held.word.overridable
        ]
        names = [name for name, decides in self.decided.items() if not decides.isdisjoint(subjects)]
        for name in (*given, *names):
            before = self.table.get(name)
            if type(before) is Variable:
                self.write(name, before.doubted())

    def unsettle(self, mark: int) -> None:
        """Merge the states before and after what was written since a mark of the trail, which may have run, or not, or
        partly."""
        now: dict[str, Held] = {}
        for name, entry in self.trail[mark:]:
            now[name] = unsettled(entry, now.get(name, self.table[name]))
        for name, entry in now.items():
            self.write(name, entry)

    def doubt(self) -> None:
        """Note that a script that is not found ran in this shell: it may have set any variable."""
        self.time += 1
        self.history.doubts.append(self.time)

    def spend(self, amount: int) -> bool:
        """Whether the limit of work on values allows this amount; a script of a few lines can ask for more than any
        machine has."""
        if self.budget < 0:
            return False
        self.budget -= amount
        if self.budget < 0:
            message = Message("the values of this script grow too large: from somewhere on they are not followed")
            self.script.problems.append(Problem(0, 0, "too-large", message))
        return self.budget >= 0

    def step(self) -> bool:
        """Whether one more command may be followed: each enclosing loop doubles how often that happens."""
        self.steps -= 1
        if self.steps == 0:
            message = Message(
                "loops in loops and functions in functions are followed for {most} steps: some commands of this script are not looked at",
                {"most": f"{MOST_STEPS:,}"},
            )
            self.script.problems.append(Problem(0, 0, "too-long", message))
        return self.steps > 0

    def isolated(self, run: "Callable[..., Result]", *arguments: object) -> "Result | str":
        """Run in a child shell: what it writes is lost. A part of the script may end there, but not the script
        itself."""
        state = {name: getattr(self, name) for name in _OF_A_SHELL}
        mark = len(self.trail)
        self.jumped = []
        try:
            return run(*arguments)
        except Stop:
            return LIKELY
        finally:
            self.rewind(mark)
            self.__dict__.update(state)


# --- how a command ends -------------------------------------------------------------------------------------------------

# The two assumed ones depend on a default. LIKELY is that of an unknown program, which is assumed to succeed.
YES, NO, ASSUMED_YES, ASSUMED_NO, LIKELY, OPEN = "yes", "no", "assumed yes", "assumed no", "likely", "open"
INVERSE = {YES: NO, NO: YES, ASSUMED_YES: ASSUMED_NO, ASSUMED_NO: ASSUMED_YES, LIKELY: OPEN, OPEN: OPEN}

_COMPARISONS = {"-eq": "==", "-ne": "!=", "-lt": "<", "-le": "<=", "-gt": ">", "-ge": ">="}


def decide(items: "list[Word]") -> str:
    """The status of `[ items ]`."""
    negated = False
    while items and items[0].value == "!" and len(items) > 1:
        negated = not negated
        items = items[1:]
    status = _decide_plain(items)
    return INVERSE[status] if negated else status


def _decide_plain(items: "list[Word]") -> str:
    values = [item.value for item in items if item.value is not None]
    if len(values) < len(items):
        return _decide_unknown(items)
    if not values:
        return ASSUMED_NO  # an unquoted word has vanished, and its value may be another one
    if values in (["-z"], ["-n"], ["!"]):
        return ASSUMED_YES  # the same
    result = _result(values)
    if result is None:
        return OPEN
    if any(item.overridable for item in items):
        return ASSUMED_YES if result else ASSUMED_NO
    return YES if result else NO


def _decide_unknown(items: "list[Word]") -> str:
    """The status of a test of unknown words: what only the caller can set is taken to be empty."""
    values = [item.value for item in items]
    word, means_empty = None, False
    if len(items) == 2 and values[0] in ("-z", "-n"):
        word, means_empty = items[1], values[0] == "-z"
    elif len(items) == 3 and values[1] in ("=", "==", "!=") and "" in values:
        word, means_empty = items[2] if values[0] == "" else items[0], values[1] != "!="
    if word is None or len(word.pieces) != 1 or not word.pieces[0].outside:
        return OPEN
    return ASSUMED_YES if means_empty else ASSUMED_NO


def _result(values: "list[str]") -> "bool | None":
    """Whether a test of known words is true; None for one that is not understood."""
    if len(values) == 1:
        return bool(values[0])
    if len(values) == 2 and values[0] in ("-z", "-n"):
        return bool(values[1]) == (values[0] == "-n")
    if len(values) != 3:
        return None
    left, operator, right = values
    if operator in ("=", "==", "!="):
        return (left == right) == (operator != "!=")
    first, second = (integer(value) if value.strip() else None for value in (left, right))
    if operator not in _COMPARISONS or first is None or second is None:
        return None
    return bool(PLAIN[_COMPARISONS[operator]](first, second))
