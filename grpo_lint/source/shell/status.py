"""The status of a command: certain, dependent on defaults, or unknown."""

from .arithmetic import integer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .words import Word

# The two assumed ones depend on a default. LIKELY is that of an unknown program, which is assumed to succeed.
YES, NO, ASSUMED_YES, ASSUMED_NO, LIKELY, OPEN = "yes", "no", "assumed yes", "assumed no", "likely", "open"
INVERSE = {YES: NO, NO: YES, ASSUMED_YES: ASSUMED_NO, ASSUMED_NO: ASSUMED_YES, LIKELY: OPEN, OPEN: OPEN}

_COMPARISONS = {
    "-eq": lambda left, right: left == right,
    "-ne": lambda left, right: left != right,
    "-lt": lambda left, right: left < right,
    "-le": lambda left, right: left <= right,
    "-gt": lambda left, right: left > right,
    "-ge": lambda left, right: left >= right,
}


def decide(items: "list[Word]") -> str:
    """The status of `[ items ]`."""
    negated = False
    while items and items[0].value == "!" and len(items) > 1:
        negated = not negated
        items = items[1:]
    status = _decide_plain(items)
    return INVERSE[status] if negated else status


def _asked_to_be_empty(items: "list[Word]") -> "tuple[Word | None, bool]":
    """(the word that is tested only for being empty, whether the test is true for an empty word); (None, False) for
    other tests."""
    if len(items) == 2 and items[0].value in ("-z", "-n"):
        return items[1], items[0].value == "-z"
    if len(items) == 3 and items[1].value in ("=", "==", "!=") and "" in (items[0].value, items[2].value):
        return items[2] if items[0].value == "" else items[0], items[1].value != "!="
    return None, False


def _decide_plain(items: "list[Word]") -> str:
    if not items:
        return ASSUMED_NO  # an unquoted word has vanished, and its value may be another one
    if any(item.value is None for item in items):
        word, means_empty = _asked_to_be_empty(items)
        if word is not None and len(word.pieces) == 1 and word.pieces[0].outside:
            return ASSUMED_YES if means_empty else ASSUMED_NO
        return OPEN
    values = [item.value for item in items]
    if len(values) == 1 and values[0] in ("-z", "-n", "!"):
        return ASSUMED_YES  # the same
    if len(values) == 1:
        result = bool(values[0])
    elif len(values) == 2 and values[0] in ("-z", "-n"):
        result = bool(values[1]) == (values[0] == "-n")
    elif len(values) == 3 and values[1] in ("=", "==", "!="):
        result = (values[0] == values[2]) == (values[1] != "!=")
    elif len(values) == 3 and values[1] in _COMPARISONS:
        left, right = (integer(value) if value and value.strip() else None for value in values[::2])
        if left is None or right is None:
            return OPEN
        result = _COMPARISONS[values[1]](left, right)
    else:
        return OPEN
    if any(item.overridable for item in items):
        return ASSUMED_YES if result else ASSUMED_NO
    return YES if result else NO
