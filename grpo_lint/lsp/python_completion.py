"""Completion in the Python call that creates a config: keywords that are not set yet, and their values."""

import re

from .beginnings import begun_by_call
from .offers import add_key, missing_keys, values_of
from .tokens import items_for, token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Context, Json, Launch, Report, Text
    from .completion import Offered

# Strings and comments, in which brackets are not counted, and the brackets. An unterminated string extends to the end
# of its line or of the text.
_TOKEN = re.compile(
    r"""\"{3}(?:[^"\\]|\\(?s:.)|"(?!""))*(?:\"{3}|\Z)|'{3}(?:[^'\\]|\\(?s:.)|'(?!''))*(?:'{3}|\Z)"""
    r"""|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|\#[^\n]*|[()\[\]{}]"""
)
_CALLED = re.compile(r"(?<![\w.])([\w.]+)[ \t]*\Z")
_KEYWORD = re.compile(r"(?:^|[(,\s])(\w*)\Z")
_VALUE = re.compile(r"""(?:^|[(,\s])(\w+)[ \t]*=[ \t]*\[?(["']?)([\w.-]*)\Z""")
# How a token goes on behind the cursor, and what has to follow it.
_NAME = re.compile(r"\w*")
_ENDS_OF_KEYWORD = re.compile(r"[ \t]*(?:=(?!=)|[,)}]|#|\\?\Z)")
_QUOTED = {'"': re.compile(r'[^"\\]*'), "'": re.compile(r"[^'\\]*")}
_WORD = re.compile(r"""(?<=[\s=\[,])(?:"[^"\\]*"|'[^'\\]*')|[\w.-]*""")
_ENDS_OF_VALUE = re.compile(r"""["']?[ \t]*(?:[,)\]}]|#|\\?\Z)""")
_UNPACKED = re.compile(r"\*\*[ \t]*\Z")


def in_python(
    text: "Text", offset: int, known: "Report | None", context: "Context", encoding: str, beside: str = ""
) -> "list[Json]":
    """The LSP CompletionItems for a place in a Python file or in a cell. `known`: the report of the text or of an earlier
    one, None where there is none; `beside`: the text of other cells."""
    call = _call_around(text.text, offset)
    if call is None:
        return []
    name, start, inner = call
    given = set(re.findall(r"(?:\A|[(,\s])(\w+)[ \t]*=(?!=)", text.text[start : _end_of_call(text.text, start)]))
    launch = _launch(known, name, given)
    if launch is None:
        report = begun_by_call(text, name, beside, context)
        if report is None:
            return []
        launch = report.launches[0]
    where, items = _offered(text, offset, launch, given, inner)
    return items_for(text, offset, where, items, encoding) if where is not None else []


def _offered(text: "Text", offset: int, launch: "Launch", given: "set[str]", start: int) -> "Offered":
    """What is offered in a call whose bracket opens before `start` and that has some keywords already."""
    row, column = text.position(offset)
    line = text.line_text(row)
    value = _VALUE.search(line[:column])
    if value:
        where = token(line, value.start(3), column, _QUOTED.get(value[2], _WORD), _ENDS_OF_VALUE)
        if where is None or (value[2] and where.rest[:1] not in ("", value[2])):
            return None, []
        return where, values_of(launch, value[1], str if value[2] else _in_python)
    keyword = _KEYWORD.search(line[:column])
    if keyword is None or _is_a_value(text.text[start : offset - len(keyword[1])]):
        return None, []
    where = token(line, keyword.start(1), column, _NAME, _ENDS_OF_KEYWORD)
    if where is None:
        return None, []
    present = line[where.start : where.end]
    behind = text.text[text.starts[row] + where.end :].lstrip()[:1]
    if behind == "=" and not where.rest.strip():  # on another line
        return None, []
    missing = [(key, about) for key, about in missing_keys(launch, present) if key not in given or key == present]
    return where, [_keyword(launch, key, about, behind in ("", ",", ")", "}", "#")) for key, about in missing]


def _keyword(launch: "Launch", key: str, about: "Json", ends: bool) -> "Json":
    """The item of a keyword; `ends`: whether no other one follows it, from which a comma would part it."""
    item = add_key(launch, key, about, f"{key}=")
    if not ends:
        item["snippet"] = f"{key}=$0,"
    return item


def _call_around(source: str, offset: int) -> "tuple[str, int, int] | None":
    """(called name, offset behind its bracket, offset behind the innermost bracket) of the call around a place; None in a
    comment. A `dict(...)` whose keywords are unpacked in a call belongs to it."""
    open_: list[tuple[str, int]] = []
    for found in _TOKEN.finditer(source, 0, offset):
        sign = found[0][0]
        if sign in "([{":
            open_.append((sign, found.end()))
        elif sign in ")]}":
            open_ = open_[:-1]
        elif sign == "#" and found.end() == offset:
            return None
    if open_ and open_[-1][0] == "[":  # a list as the value of a keyword
        open_ = open_[:-1]
    inner = open_[-1][1] if open_ else 0
    while open_ and open_[-1][0] == "(":
        start = open_[-1][1]
        called = _CALLED.search(source, max(0, start - 100), start - 1)
        if called and called[1] == "dict" and _UNPACKED.search(source, 0, called.start(1)):
            open_ = open_[:-1]
            continue
        return (called[1], start, inner) if called else None
    return None


def _is_a_value(before: str) -> bool:
    """Whether no keyword is expected, because something precedes since the last comma."""
    since = before
    for found in _TOKEN.finditer(before):
        if found[0][0] == "#":
            since = since.replace(found[0], "")
    return since.strip()[-1:] not in ("", ",")


def _launch(report: "Report | None", name: str, given: "set[str]") -> "Launch | None":
    """The launch of the call of a class with some keywords, or of another call of this class."""
    last = name.rpartition(".")[2]
    launches = [launch for launch in report.launches if launch.candidates] if report else []
    same = [launch for launch in launches if launch.facts["loader"].source.rpartition(".")[2] == last]
    return max(same, key=lambda launch: len(given.intersection(launch.entries)), default=None)


def _end_of_call(source: str, start: int) -> int:
    depth = 1
    for found in _TOKEN.finditer(source, start):
        depth += (found[0] in "([{") - (found[0] in ")]}")
        if depth == 0:
            return found.start()
    return len(source)


def _in_python(choice: str) -> str:
    if choice in ("true", "false"):
        return choice.capitalize()
    return choice if choice.replace(".", "", 1).isdecimal() else f'"{choice}"'
