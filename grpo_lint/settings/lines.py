"""Where keys stand in a settings file: the TOML reader keeps no positions."""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Where a table begins, and where a key is set.
_HEADER = r"^[ \t]*\[[^\]\n]*(?<![\w-]){}[ \t]*\]"
_KEY = r"^[ \t]*(?:[\w\"'-]+\.)*{}[ \t]*="


def line_of(text: str, key: str) -> int | None:
    """The line (from 1) that sets a key such as 'overrides[1].rules.team-x.on', else that of its table; None where
    several could."""
    override = re.match(r"overrides\[(\d{1,9})\]\.?", key)
    names = key[override.end() :].split(".") if override else key.split(".")
    headers = re.finditer(_HEADER.format(r"overrides[ \t]*\]"), text, re.MULTILINE)
    edges = [0, *(header.start() for header in headers), len(text)]
    number = int(override[1]) if override else 0
    found = None
    if number < len(edges) - 1:
        found = _between(text, names, edges[number], edges[number + 1])
        if found is None and number:
            found = edges[number]
    if found is None:
        found = _between(text, names, 0, len(text))
    return None if found is None else text.count("\n", 0, found) + 1


def _between(text: str, names: "Sequence[str]", start: int, end: int) -> int | None:
    """The offset of a key, given with the names of the tables it stands in; that of its table if it has none of its
    own."""
    name, *above = (rf"[\"']?{re.escape(name)}[\"']?" for name in reversed(names))
    table = _only(text, _HEADER.format(above[0]), start, end) if above else None
    found = [_only(text, _HEADER.format(name), start, end)]
    if table:
        following = re.compile(r"^[ \t]*\[", re.MULTILINE).search(text, table.end(), end)
        found.append(_only(text, _KEY.format(name), table.end(), following.start() if following else end))
    found += [_only(text, _KEY.format(each), start, end) for each in (name, *above[:1])]
    return next((match.start() for match in (*found, table) if match), None)


def _only(text: str, pattern: str, start: int, end: int) -> re.Match[str] | None:
    """The only match between two offsets, None when there is none or another one."""
    found = list(re.compile(pattern, re.MULTILINE).finditer(text, start, end))
    return found[0] if len(found) == 1 else None
