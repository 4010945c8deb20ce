"""Completion in the Python call that creates a config: keywords that are not set yet, and their values."""

import re
from itertools import islice

from .beginnings import begun_by_call
from .braces import Style, in_members
from .command_places import command_in
from .lists import in_brackets, in_values
from .offers import add_key, missing_keys, values_of
from .script_completion import in_command
from .tokens import items_for, token
from .word_lists import in_list, words_of_call

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
_VALUE = re.compile(r"""(?:^|[(,\s])(\w+)\s*=\s*(["']?)([\w.-]*)\Z""")
_LISTED = re.compile(r"""(?:[(,\s](\w+)\s*=|["'](\w+)["']\s*:)\s*\Z""")
# How a token goes on behind the cursor, and what has to follow it.
_NAME = re.compile(r"\w*")
_ENDS_OF_KEYWORD = re.compile(r"[ \t]*(?:=(?!=)|[,)}]|#|\\?\Z)")
_QUOTED = {'"': re.compile(r'[^"\\]*'), "'": re.compile(r"[^'\\]*")}
_WORD = re.compile(r"""(?<=[\s=\[,])(?:"[^"\\]*"|'[^'\\]*')|[\w.-]*""")
_ENDS_OF_VALUE = re.compile(r"""["']?[ \t]*(?:[,)\]}]|#|\\?\Z)""")
_UNPACKED = re.compile(r"\*\*[ \t]*\Z")
_USED = re.compile(r"\*\*[ \t]*(\w+)")
_ASSIGNED = re.compile(r"(?<![\w.])(\w+)[ \t]*(?::[ \t]*[\w.\[\], ]+)?=[ \t]*\Z")
_SET = re.compile(r"[(,\s](\w+)[ \t]*=(?!=)")
_KEY = re.compile(r"""[{,\s]["'](\w+)["'][ \t]*:""")
_PART = re.compile(rf"{_TOKEN.pattern}|,")
_ANOTHER = re.compile(r"\s*(?:\w+[ \t]*=(?!=)|\*\*)")  # keyword
_BEHIND_A_VALUE = ("", ",", ")", "}", "#")  # otherwise a comma is missing
_LONGEST_VALUE = 500  # characters before a place in which its keyword is looked for
_MOST_USES, _MOST_NESTED = 10, 3  # of a dictionary that are looked at; dictionaries in each other


class Place:
    """The keywords, or the keys of a dictionary, around a place.

    called      the calls that may be handed them, by the names that are called
    start       behind the bracket that opens before them
    inner       behind the innermost bracket, as of a list that is a value
    is_display  whether they are the keys of a dictionary in braces
    """

    def __init__(self, called: "list[str]", start: int, inner: int, is_display: bool) -> None:
        self.called = called
        self.start = start
        self.inner = inner
        self.is_display = is_display

    def given(self, source: str) -> "set[str]":
        """The names that are there."""
        return set(
            (_KEY if self.is_display else _SET).findall(source, self.start - 1, _end_of_call(source, self.start))
        )


def in_python(
    text: "Text", offset: int, known: "Report | None", context: "Context", encoding: str, beside: str = ""
) -> "list[Json]":
    """The LSP CompletionItems for a place in a Python file or in a cell. `known`: the report of the text or of an earlier
    one, None where there is none; `beside`: the text of other cells."""
    command = command_in(text, offset, None)
    if command is not None:
        where, items = in_command(text, offset, command, context)
        return items_for(text, offset, where, items, encoding) if where is not None else []
    opened = _open_brackets(text.text, offset)
    listed = _in_words(text, offset, opened, context)
    if listed is not None:
        where, items = listed
        return items_for(text, offset, where, items, encoding) if where is not None else []
    place = _place(text.text, opened, beside or text.text)
    if place is None:
        return []
    given = place.given(text.text)
    found = (_launch(known, name, given) or _begun(text, name, beside, context) for name in place.called)
    launch = next((each for each in found if each is not None), None)
    if launch is None:
        return []
    if text.text[place.inner - 1] == "[":
        where, items = _in_values(text, offset, launch, place.inner - 1)
    elif place.is_display:
        where, items = in_members(text, offset, _member(text.text, place, offset), launch, _PYTHON, given)
    else:
        where, items = _offered(text, offset, launch, given, place.inner)
    return items_for(text, offset, where, items, encoding) if where is not None else []


def _begun(text: "Text", name: str, beside: str, context: "Context") -> "Launch | None":
    report = begun_by_call(text, name, beside, context)
    return report.launches[0] if report is not None else None


def _offered(text: "Text", offset: int, launch: "Launch", given: "set[str]", start: int) -> "Offered":
    """What is offered in a call whose bracket opens before `start` and that has some keywords already."""
    row, column = text.position(offset)
    line = text.line_text(row)
    value = _VALUE.search(text.text, max(start - 1, offset - _LONGEST_VALUE), offset)
    if value:
        return _value(text, offset, launch, value)
    keyword = _KEYWORD.search(line[:column])
    if keyword is None or _is_a_value(text.text[start : offset - len(keyword[1])]):
        return None, []
    where = token(line, keyword.start(1), column, _NAME, _ENDS_OF_KEYWORD)
    if where is None:
        return None, []
    present = line[where.start : where.end]
    behind = _next_sign(text, text.starts[row] + where.end)
    if behind == "=" and not where.rest.strip():  # on another line
        return None, []
    missing = [(key, about) for key, about in missing_keys(launch, present) if key not in given or key == present]
    return where, [_keyword(launch, key, about, behind in _BEHIND_A_VALUE) for key, about in missing]


def _value(text: "Text", offset: int, launch: "Launch", value: "re.Match[str]") -> "Offered":
    """The values that are offered behind a keyword."""
    row, column = text.position(offset)
    line, begins, quote = text.line_text(row), value.start(3) - text.starts[row], value[2]
    where = token(line, begins, column, _QUOTED.get(quote, _WORD), _ENDS_OF_VALUE) if begins >= 0 else None
    if where is None or (quote and where.rest[:1] not in ("", quote)):
        return None, []
    end = text.starts[row] + where.end
    if quote or _next_sign(text, end) in _BEHIND_A_VALUE:
        return where, values_of(launch, value[1], str if quote else _in_python)
    is_before_another = _ANOTHER.match(text.text, end) is not None  # else the value is on the next line
    return where, values_of(launch, value[1], lambda choice: f"{_in_python(choice)},") if is_before_another else []


def _next_sign(text: "Text", offset: int) -> str:
    """What follows a place, blanks and line ends left out."""
    return text.text[offset:].lstrip()[:1]


def _keyword(launch: "Launch", key: str, about: "Json", ends: bool) -> "Json":
    """The item of a keyword; `ends`: whether no other one follows it, from which a comma would part it."""
    item = add_key(launch, key, about, f"{key}=")
    if not ends:
        item["snippet"] = f"{key}=$0,"
    return item


def _in_values(text: "Text", offset: int, launch: "Launch", start: int) -> "Offered":
    """What is offered in a list that is the value of a keyword, or of a key of a dictionary."""
    named = _LISTED.search(text.text, max(0, start - _LONGEST_VALUE), start)
    return (named and in_values(text, offset, start, launch, named[1] or named[2], _in_python)) or (None, [])


def _in_words(text: "Text", offset: int, opened: "list[tuple[str, int]]", context: "Context") -> "Offered | None":
    """What is offered in a list of words that a program is started with; None where the place is in none."""
    start = opened[-1][1] - 1 if opened and opened[-1][0] == "[" else -1
    words = in_brackets(text.text, start, offset) if start >= 0 else None
    return in_list(text, offset, words, words_of_call(text.text, start), context) if words is not None else None


def _place(source: str, opened: "list[tuple[str, int]]", whole: str) -> "Place | None":
    """What the brackets that are open at a place hold; None where no call is handed it. `whole`: the source with that of other
    cells."""
    inner = opened[-1][1] if opened else 0
    if opened and opened[-1][0] == "[":  # a list as the value of a keyword
        opened = opened[:-1]
    if not opened or opened[-1][0] == "[":
        return None
    names = _taking(source, opened, whole)
    sign, start = opened[-1]
    return Place(names, start, inner, sign == "{") if names else None


def _open_brackets(source: str, offset: int) -> "list[tuple[str, int]]":
    """(bracket, offset behind it) of those that are open at a place; none in a comment."""
    opened: list[tuple[str, int]] = []
    for found in _TOKEN.finditer(source, 0, offset):
        sign = found[0][0]
        if sign in "([{":
            opened.append((sign, found.end()))
        elif sign in ")]}":
            del opened[-1:]
        elif sign == "#" and found.end() == offset:
            return []
    return opened


def _taking(source: str, opened: "list[tuple[str, int]]", whole: str, nested: int = 0) -> "list[str]":
    """What is called with what stands in the last of some open brackets as its keywords: in a call these themselves, and of a
    dictionary what is unpacked there, or by the name that it is given."""
    if not opened or opened[-1][0] == "[" or nested > _MOST_NESTED:
        return []
    sign, start = opened[-1]
    found = _CALLED.search(source, max(0, start - 100), start - 1) if sign == "(" else None
    if sign == "(" and (found is None or found[1] != "dict"):
        return [found[1]] if found is not None else []
    start = found.start() if found is not None else start - 1
    before = source[max(0, start - 200) : start]
    if _UNPACKED.search(before):
        return _taking(source, opened[:-1], whole, nested + 1)
    assigned = _ASSIGNED.search(before)
    return _taking_by_name(assigned[1], whole, nested + 1) if assigned else []


def _taking_by_name(name: str, whole: str, nested: int) -> "list[str]":
    """What is called with what goes by a name as its keywords."""
    uses = (found.start() for found in _USED.finditer(whole) if found[1] == name)
    opened = (_open_brackets(whole, use) for use in islice(uses, _MOST_USES))
    return [called for brackets in opened for called in _taking(whole, brackets, whole, nested)]


def _member(source: str, place: "Place", offset: int) -> int:
    """Where the member of a dictionary in braces begins that is around an offset."""
    depth, start = 0, place.start
    for found in _PART.finditer(source, place.start, offset):
        depth += (found[0] in "([{") - (found[0] in ")]}")
        if found[0] == "," and depth == 0:
            start = found.end()
    return start


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
    launches = [launch for launch in report.launches if launch.candidates and launch.origin is None] if report else []
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


_PYTHON = Style(True, False, _in_python)
