"""Expansion of braces: `{a,b}` and `{1..4}` in a word without quotes."""

from itertools import product

from ..patterns import pattern

MOST_WORDS = 100  # that one word makes

_GROUP = pattern(
    r"\{(?:([^{},]*(?:,[^{},]*)+)|(-?[0-9]{1,9}|[A-Za-z])\.\.(-?[0-9]{1,9}|[A-Za-z])(?:\.\.-?([0-9]{1,9}))?)\}"
)


def expanded(text: str) -> "list[str] | None":
    """The words that a text becomes; None where it is not read: braces in braces, or too many words."""
    parts: list[list[str]] = []
    at, count = 0, 1
    for group in _GROUP.finditer(text):
        items = group[1].split(",") if group[1] is not None else _sequence(*group.group(2, 3, 4))
        if not items or count * len(items) > MOST_WORDS:
            return None
        count *= len(items)
        parts += [[text[at : group.start()]], items]
        at = group.end()
    parts.append([text[at:]])
    if any("{" in part[0] or "}" in part[0] for part in parts[::2]):
        return None
    return [word for word in map("".join, product(*parts)) if word]


def _sequence(first: str, last: str, step: "str | None") -> "list[str]":
    """The items of `first..last..step`; nothing where bash makes none of it, or something odd."""
    numbers = [each.lstrip("-").isdigit() for each in (first, last)]
    if any(numbers) != all(numbers) or (not any(numbers) and first.isupper() != last.isupper()):
        return []
    start, end = (int(first), int(last)) if all(numbers) else (ord(first), ord(last))
    apart = int(step or 1) or 1
    found = range(start, end + 1, apart) if start <= end else range(start, end - 1, -apart)
    if len(found) > MOST_WORDS:
        return []
    if not all(numbers):
        return [chr(each) for each in found]
    width = max(len(first), len(last)) if any(map(_is_padded, (first, last))) else 0
    return [f"{each:0{width}d}" for each in found]


def _is_padded(number: str) -> bool:
    digits = number.lstrip("-")
    return len(digits) > 1 and digits[0] == "0"
