"""Conditions on versions such as `>=4.46,<5`. Read without `re`, since configs whose keys hang on a version of transformers ask for them."""

from ..frameworks.versions import BadVersion, version_key
from ..record import kept

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Test = Callable[[tuple[int, ...]], bool]

_OPERATORS = ("===", "==", "<=", ">=", "~=", "!=", "<", ">", "^", "~")


def tests_of(allows: str) -> "list[Test] | None":
    """The conditions of a specifier such as `~=0.18.0`; None for a text that is none."""
    found = [_test(part.strip()) for part in allows.split(",")]
    return None if None in found else [test for test in found if test]


@kept(1000)
def _test(part: str) -> "Test | None":
    operator = next((each for each in _OPERATORS if part.startswith(each)), "")
    text = part[len(operator) :].lstrip(" \t")
    text = text[1:] if len(text) > 1 and text[0] == "v" else text
    if not operator or not text or "\n" in text:
        return None
    numbers = _numbers(text.removesuffix(".*"))
    try:
        key = version_key(text.removesuffix(".*"))
    except BadVersion:
        return None
    if text.endswith(".*"):
        within = _beginning(numbers)
        return within if operator == "==" else (lambda other: not within(other)) if operator == "!=" else None
    return _compared(operator, numbers, key)


def _numbers(text: str) -> "tuple[int, ...]":
    """The first four numbers in a text."""
    words = "".join(each if each.isdecimal() else " " for each in text).split()
    return tuple(int(each[:9]) for each in words[:4])


def _compared(operator: str, numbers: "tuple[int, ...]", key: "tuple[int, ...]") -> "Test | None":
    if operator in ("~=", "^", "~"):
        within = _beginning(_kept(operator, numbers))
        return lambda other: other >= key and within(other)
    tests: dict[str, Test] = {
        "==": lambda other: other == key,
        "===": lambda other: other == key,
        "!=": lambda other: other != key,
        ">=": lambda other: other >= key,
        "<=": lambda other: other <= key,
        ">": lambda other: other > key,
        "<": lambda other: other < key,
    }
    return tests[operator]


def _kept(operator: str, numbers: "tuple[int, ...]") -> "tuple[int, ...]":
    """The numbers of a release that stay: all but the last for pip's `~=`, those up to the first that is not 0 for
    Poetry's caret, two for its tilde."""
    if operator == "~=":
        return numbers[:-1]
    if operator == "~":
        return numbers[:2]
    first = next((place for place, number in enumerate(numbers) if number), len(numbers) - 1)
    return numbers[: first + 1]


def _beginning(numbers: "Iterable[int]") -> "Test":
    wanted = tuple(numbers)
    return lambda other: other[: len(wanted)] == wanted
