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
