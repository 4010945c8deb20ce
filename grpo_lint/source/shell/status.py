"""The status of a command: certain, dependent on defaults, or unknown."""

from .arithmetic import PLAIN, integer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .words import Word

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
    values = [item.value for item in items]
    if not values or values in (
        ["-z"],
        ["-n"],
        ["!"],
    ):  # an unquoted word has vanished, and its value may be another one
        return ASSUMED_YES if values else ASSUMED_NO
    texts = [value for value in values if value is not None]
    if len(texts) < len(values):
        word, means_empty = _asked_to_be_empty(items)
        if word is not None and len(word.pieces) == 1 and word.pieces[0].outside:
            return ASSUMED_YES if means_empty else ASSUMED_NO
        return OPEN
    result = _result(texts)
    if result is None:
        return OPEN
    if any(item.overridable for item in items):
        return ASSUMED_YES if result else ASSUMED_NO
    return YES if result else NO


def _asked_to_be_empty(items: "list[Word]") -> "tuple[Word | None, bool]":
    """(the word that is tested only for being empty, whether the test is true for an empty word); (None, False) for
    other tests."""
    if len(items) == 2 and items[0].value in ("-z", "-n"):
        return items[1], items[0].value == "-z"
    if len(items) == 3 and items[1].value in ("=", "==", "!=") and "" in (items[0].value, items[2].value):
        return items[2] if items[0].value == "" else items[0], items[1].value != "!="
    return None, False


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
