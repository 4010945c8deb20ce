"""The values of a script's names over time, and what remains known of them where two paths of the script join."""

from bisect import bisect_right
from operator import is_

from .tree import Function, Piece
from .words import Word, loosened, unknown, unknown_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from .tree import Place

    # The value of a name of the table; folders and the arguments of the script are in it as well.
    Held: TypeAlias = (
        "Variable | Function | MaybeFunction | Literal[False] | list[Word] | Place | tuple[Place | None, ...] | None"
    )


class Variable:
    """The value of a name: a scalar, or an array with its `items`. Unknown values are words without a value.

    `exported` is None when only some of the paths that lead here export it.
    """

    __slots__ = ("word", "items", "exported", "fickle", "time")

    def __init__(
        self, word: "Word", items: "list[Word] | None" = None, exported: "bool | None" = False, fickle: bool = False
    ) -> None:
        self.word = word
        self.items = items
        self.exported = exported
        self.fickle = fickle  # declared as an integer, a reference or similar: an assignment does not store its text
        self.time = 0

    def loosened(self, before: "Held" = None) -> "Variable":
        """This variable with a value that the caller may have replaced. The items that it had `before` are there in any case."""
        kept = _items_kept(before, self) if isinstance(before, Variable) else 0
        items = self.items and [*self.items[:kept], *map(loosened, self.items[kept:])]
        word = self.word if kept else loosened(self.word)
        variable = Variable(word, items, self.exported, self.fickle)
        variable.time = self.time
        return variable

    def doubted(self) -> "Variable":
        """This variable without what the caller may have replaced."""
        if self.items is None:
            return changed(self)
        start, end = self.word.start, self.word.end
        items = [unknown_word(each.start, each.end, many=True) if each.overridable else each for each in self.items]
        return Variable(
            unknown_word(start, end), [*items, unknown_word(start, end, many=True)], self.exported, self.fickle
        )


class History:
    """All values that the entries of the table ever had, so that a command can later look up those at its time."""

    __slots__ = ("entries", "doubts")

    def __init__(self) -> None:
        self.entries: dict[str, tuple[list[int], list[Held]]] = {}  # name -> ([times], [entries])
        self.doubts: list[int] = []  # times at which an unknown script may have changed any variable

    def record(self, name: str, entry: "Held", time: int) -> None:
        times, entries = self.entries.setdefault(name, ([], []))
        times.append(time)
        entries.append(entry)

    def at(self, name: str, time: int) -> "Held":
        times, entries = self.entries.get(name, ((), ()))
        index = bisect_right(times, time) - 1
        entry = entries[index] if index >= 0 else None
        return self.doubted(entry, time) if type(entry) is Variable else entry

    def doubted(self, variable: "Variable", time: int) -> "Variable":
        index = bisect_right(self.doubts, variable.time)
        return variable.loosened() if index < len(self.doubts) and self.doubts[index] <= time else variable


class MaybeFunction:
    """A function that only some of the paths that lead here define."""

    __slots__ = ("function",)

    def __init__(self, function: "Function") -> None:
        self.function = function


def changed(before: "Variable | None") -> "Variable":
    """A variable after an unknown assignment."""
    if before is None:
        return Variable(unknown_word(0, 0))
    start, end = before.word.start, before.word.end
    items = None if before.items is None else [unknown_word(start, end, many=True)]
    return Variable(unknown_word(start, end), items, before.exported, before.fickle)


def _items_kept(before: Variable, after: Variable) -> int:
    """With how many of its items an array begins after it was appended to; 0 for one that is set anew."""
    items, others = before.items or [], after.items or []
    is_appended_to = len(items) <= len(others) and all(map(is_, items, others))
    return len(items) if is_appended_to else 0


def visible(variable: "Held", since: int) -> "Variable | None":
    """A variable as seen by a child shell that was started at a time: visible only when it is exported, or newer."""
    if type(variable) is not Variable or (variable.time <= since and variable.exported is False):
        return None
    return changed(variable) if variable.time <= since and variable.exported is None else variable


# Where two ways meet
# ---------------------------------------------------------------------------------------------------


def merged(
    entry: "Held",
    other: "Held",
) -> "Held":
    """What is known of an entry that has one of two values."""
    if entry is other:
        return entry
    if not isinstance(entry, Variable) or not isinstance(other, Variable):
        if type(entry) is Variable or type(other) is Variable:
            return unsettled(entry, other)
        if {Function, MaybeFunction} & {type(entry), type(other)}:
            return _merged_function(entry, other)
        return entry if entry == other else None
    exported = entry.exported if entry.exported is other.exported else None
    fickle = entry.fickle or other.fickle
    word = _merged_word(entry.word, other.word)
    items = entry.items
    if entry.items is not None or other.items is not None:
        items = _merged_items(*[[each.word] if each.items is None else each.items for each in (entry, other)])
    return Variable(word, items, exported, fickle)


def _merged_function(entry: "Held", other: "Held") -> "MaybeFunction | Literal[False]":
    """The function of a name where there may be none; False where there are two."""
    functions: set[object] = {each.function if isinstance(each, MaybeFunction) else each for each in (entry, other)}
    functions.discard(None)
    only = functions.pop() if len(functions) == 1 else None
    return MaybeFunction(only) if isinstance(only, Function) else False


def _merged_word(word: "Word", other: "Word") -> "Word":
    """The common value, one that the caller may override, or the common beginning followed by an unknown piece."""
    if word.pieces == other.pieces:
        return word
    start, end = word.start, word.end
    if word.value is not None and word.value == other.value:
        overridable = word.overridable or other.overridable
        return Word(start, end, [Piece(word.value, start, end, False, overridable)] if word.value else [])
    if word.is_of_the_caller or other.is_of_the_caller:
        known, said = (other, word) if word.is_of_the_caller else (word, other)
        if known.value is not None:  # what stands unless the caller of the script says something else
            return loosened(known) if known.value else said
    return _common_beginning(word, other)


def _common_beginning(word: "Word", other: "Word") -> "Word":
    """The words with which both values begin, then an unknown piece."""
    start, end = word.start, word.end
    common = []
    for left, right in zip(word.pieces, other.pieces, strict=False):
        if left != right:
            break
        common.append(left)
    rests = [each.pieces[len(common) :] for each in (word, other)]
    if all(not rest or (rest[0].text or "x")[0] in " \t\n" for rest in rests):
        common = [*common, Piece(" ", start, end)]  # a blank separates the unknown piece from the known beginning
    elif common:
        common = []
    return Word(start, end, [*common, unknown(start, end)])


def _merged_items(items: "list[Word]", others: "list[Word]") -> "list[Word]":
    """The items with which both arrays begin, then any number of unknown ones."""
    common = []
    for left, right in zip(items, others, strict=False):
        if left.glob != right.glob or (
            left.pieces != right.pieces and (left.value is None or left.value != right.value)
        ):
            break
        common.append(_merged_word(left, right))
    if len(common) == len(items) == len(others):
        return items
    start, end = (items or others)[-1].start, (items or others)[-1].end
    return [*common, unknown_word(start, end, many=True)]


def after_rounds(before: "Held", after: "Held") -> "Held":
    """An entry after any number of rounds of a loop, of which one makes `after`."""
    if isinstance(before, Variable) and isinstance(after, Variable) and before.items is after.items is None:
        if after.word.overridable and after.word.value == before.word.value:
            return merged(before, after)  # as it was, unless the caller of the script says something else
    if type(before) is list and before == after:
        return before  # `shift` leaves arguments of which nothing is known as they are
    return unsettled(before, after)


def unsettled(before: "Held", after: "Held") -> "Held":
    """An entry that has either value, or an unknown one."""
    variables = [entry for entry in (before, after) if isinstance(entry, Variable)]
    if not variables:
        return _merged_function(before, after) if {Function, MaybeFunction} & {type(before), type(after)} else None
    known = variables[-1]
    variable = changed(known)
    if any(entry.items is not None for entry in variables):
        start, end = known.word.start, known.word.end
        variable.items = [unknown_word(start, end, many=True)]
    if len(variables) == 1 or variables[0].exported is not known.exported:
        variable.exported = None if any(entry.exported is not False for entry in variables) else False
    return variable
