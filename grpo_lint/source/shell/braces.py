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
    if all(numbers):
        start, end = int(first), int(last)
    elif any(numbers) or first.isupper() != last.isupper():
        return []
    else:
        start, end = ord(first), ord(last)
    apart = int(step or 1) or 1
    found = range(start, end + 1, apart) if start <= end else range(start, end - 1, -apart)
    if len(found) > MOST_WORDS:
        return []
    if not all(numbers):
        return [chr(each) for each in found]
    is_padded = any(each.lstrip("-")[0] == "0" and len(each.lstrip("-")) > 1 for each in (first, last))
    width = max(len(first), len(last)) if is_padded else 0
    return [f"{each:0{width}d}" if width else str(each) for each in found]
