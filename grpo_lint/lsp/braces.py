"""Completion in an object in braces: a file of JSON, or a YAML file that is one flow mapping. A member may be on a line of its
own, or between others."""

import re

from ..files.discovery import has_suffix
from .lists import in_values
from .offers import BOOLEANS, keys_of_section, values_of
from .tokens import Token, token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import AbstractSet, Callable, Launch, Text
    from .completion import Offered

_OBJECT = re.compile(r"(?:\s|#[^\n]*(?:\n|\Z)|---[ \t]*\n)*\{")
# Texts, which end with their line at the latest, and comments of YAML, in which brackets mean nothing; and what parts members.
_SIGN = re.compile(r"""(?<![^\s:,\[{])(?:"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?)|(?<!\S)\#[^\n]*|[{}\[\],]""")
_BLANK = re.compile(r"(?:\s|#[^\n]*\n)*")
_ENDS = {"{": "}", "[": "]"}
_KEY = re.compile(r"""(?:\s|\#[^\n]*\n)*(["']?)([\w-]*)\Z""")
_VALUE = re.compile(r"""(?:\s|\#[^\n]*\n)*["']?([\w-]+)["']?\s*:(\s*)(["']?)([^\s"'#,\[\]{}]*)\Z""")
_NAME = re.compile(r"""(?:\s|\#[^\n]*\n)*["']?([\w-]+)["']?\s*:""")
_LISTED = re.compile(rf"{_NAME.pattern}\s*(?=\[)")
_GIVEN = re.compile(r"""[{,]\s*["']?([\w-]+)["']?\s*:""")
# How a token goes on behind the cursor, and what has to follow it.
_WORD = re.compile(r"[\w-]*")
_QUOTED = {'"': re.compile(r'[^"\\]*'), "'": re.compile("[^']*")}
_AFTER_QUOTED = re.compile(r"""["'][ \t]*(?:[,\]}]|[ \t]#|\Z)|\Z""")
_AFTER_KEY = re.compile(r"""(["']?)([ \t]*:|[ \t]*[,}]|[ \t]*(?:\Z|#))""")
_QUOTE_AND_COLON = re.compile(r"""["'][ \t]*:""")
_REST_OF_VALUE = re.compile(r"""(?<![^\s:,\[])(?:"[^"\\]*"|'[^']*')|[^\s"'#,\[\]{}]*""")
_AFTER_VALUE = re.compile(r"[ \t]*(?:[,\]}]|[ \t]#|\Z)")


def is_object(text: "Text") -> bool:
    """Whether a text is an object in braces, or JSON of which nothing is written yet."""
    return has_suffix(text.path, (".json",)) or _OBJECT.match(text.text) is not None


class Member:
    """The member around a place, of the outermost object or of a list in it.

    start   behind the brace or the comma before it
    """

    def __init__(self, source: str, offset: int) -> None:
        self._source = source
        opened: list[tuple[str, int]] = []
        for sign in _SIGN.finditer(source, 0, offset):
            _follow(opened, sign)
        self._opened = opened
        self._offset = offset
        self.start = opened[0][1] if opened else 0

    def texts(self, instead: str) -> "tuple[str, str, str]":
        """(the text, the same without the member, the same with another member in its place), each with its brackets closed."""
        source, opened, end = self._source, list(self._opened), None
        for sign in _SIGN.finditer(source, self._offset):
            if end is None and len(opened) == 1 and sign[0] in (",", "}"):
                end = sign.start()
            _follow(opened, sign)
        before, after = source[: self.start], _closing(opened)
        if end is None:
            after = _closing(self._opened[:1])
        else:
            after = source[end:] + after
        without = before + after[1:] if after[:1] == "," else before.removesuffix(",") + after
        return source + _closing(opened), without, f"{before} {instead}{after}"


def _closing(opened: "list[tuple[str, int]]") -> str:
    return "".join(_ENDS[bracket] for bracket, _ in reversed(opened))


def _follow(opened: "list[tuple[str, int]]", sign: "re.Match[str]") -> None:
    """Note in the open brackets, each with where its current member starts, what a sign does."""
    if sign[0] in _ENDS:
        opened.append((sign[0], sign.end()))
    elif sign[0] in ("}", "]"):
        del opened[-1:]
    elif sign[0] == "," and opened:
        opened[-1] = opened[-1][0], sign.end()


class Style:
    """How members are written: whether keys are quoted, whether a colon needs a blank behind it, how a value is written."""

    def __init__(self, quotes_keys: bool, needs_blank: bool, write: "Callable[[str], str]") -> None:
        self.quotes_keys = quotes_keys
        self.needs_blank = needs_blank
        self.write = write


def in_object(text: "Text", offset: int, launch: "Launch") -> "Offered":
    """What is offered at a place of an object in braces."""
    start = _OBJECT.match(text.text)
    return (start and in_section(text, offset, launch, start.end() - 1, "")) or (None, [])


def in_section(text: "Text", offset: int, launch: "Launch", brace: int, section: str) -> "Offered | None":
    """What is offered at a place in the braces of a section, whose path has a dot behind it; None where the place is not in them."""
    opened: list[tuple[str, int]] = []
    for sign in _SIGN.finditer(text.text, brace, offset):
        _follow(opened, sign)
        if not opened:
            return None
    levels = opened[:-1] if opened and opened[-1][0] == "[" else opened
    path = _path(text.text, levels)
    if path is None or (path and not launch.framework.reader.configs.nested):
        return None, []
    end = text.text.find("}", offset)
    given = set(_GIVEN.findall(text.text, brace, end if end >= 0 else len(text.text)))
    style = _JSON if has_suffix(text.path, (".json",)) else _YAML
    if levels != opened:
        listed = _LISTED.match(text.text, levels[-1][1])
        return (
            listed and in_values(text, offset, listed.end(), launch, f"{section}{path}{listed[1]}", style.write)
        ) or (None, [])
    return in_members(text, offset, levels[-1][1], launch, style, given, section + path)


def _path(source: str, levels: "list[tuple[str, int]]") -> "str | None":
    """The path of the innermost of some open braces, from the first one on; None where a list is between them."""
    names = [_NAME.match(source, start) for _, start in levels[:-1]]
    if not levels or any(bracket == "[" for bracket, _ in levels) or not all(names):
        return None
    return "".join(f"{name[1]}." for name in names if name)


def in_members(
    text: "Text",
    offset: int,
    start: int,
    launch: "Launch",
    style: Style,
    given: "AbstractSet[str]",
    section: str = "",
) -> "Offered":
    """What is offered in a member that begins at `start`. `given`: names that are there, beside those of the launch; `section`: the
    path of the section that it is in, with a dot behind it."""
    value = _VALUE.match(text.text, start, offset)
    if value:
        return _value(text, offset, launch, value, style, f"{section}{value[1]}")
    key = _KEY.match(text.text, start, offset)
    return _key(text, offset, launch, key, style, given, section) if key else (None, [])


def _key(
    text: "Text",
    offset: int,
    launch: "Launch",
    key: "re.Match[str]",
    style: Style,
    given: "AbstractSet[str]",
    section: str,
) -> "Offered":
    """The keys in place of the one that is being typed, with a colon behind them where there is none."""
    where = _token_of_key(text, offset, key, style)
    if where is None:
        return None, []
    start = text.starts[text.position(offset)[0]]
    present = text.text[start + where.start : start + where.end]
    found = [item for item in keys_of_section(launch, section, present) if item["label"] not in given - {present}]
    is_named = bool(key[1] and _QUOTE_AND_COLON.match(where.rest))
    if key[1] and where.rest[:1] == key[1] and not is_named:
        where.end, where.rest = where.end + 1, where.rest[1:]
    before, behind = ("", f"{key[1]}: ") if key[1] or not style.quotes_keys else ('"', '": ')
    for item in found:
        item["new"] = item["label"] if is_named else f"{before}{item['label']}{behind}"
    if is_named:
        return where, found
    for item in () if _is_last(text, start + where.end) else found:
        item["snippet"] = f"{item['new']}$0,"
    return where, found


def _token_of_key(text: "Text", offset: int, key: "re.Match[str]", style: Style) -> "Token | None":
    """The token of a key without its quotes; None where what follows shows that it is none."""
    line, column = text.position(offset)
    written, quote = text.line_text(line), key[1]
    if not quote and style.quotes_keys and (key[2] or _WORD.match(written, column)[0]):  # type: ignore[index]  # it may be empty
        return None
    where = token(written, key.start(2) - text.starts[line], column, _WORD, _AFTER_KEY)
    is_piece = where is None or where.rest[:1] in {"'", '"'} - {quote}
    return None if is_piece else where


def _is_last(text: "Text", offset: int) -> bool:
    """Whether no other member follows a place, from which a comma would part this one."""
    behind = _BLANK.match(text.text, offset).end()  # type: ignore[union-attr]  # it may be empty
    return text.text[behind : behind + 1] in ("", ",", "}", ":")


def _token_of_value(written: str, start: int, column: int, quote: str) -> "Token | None":
    """The token of a value, without its quotes; None where it is only a piece of something else."""
    if not quote:
        return token(written, start, column, _REST_OF_VALUE, _AFTER_VALUE)
    where = token(written, start, column, _QUOTED[quote], _AFTER_QUOTED)
    return where if where is not None and where.rest[:1] in ("", quote) else None


def _value(text: "Text", offset: int, launch: "Launch", found: "re.Match[str]", style: Style, name: str) -> "Offered":
    """The values that are offered behind a key and its colon."""
    line, column = text.position(offset)
    written, start = text.line_text(line), found.start(4) - text.starts[line]
    quote, is_parted = found[3], not style.needs_blank or bool(found[2])
    if start < 0 or (not is_parted and (quote or found[4])):
        return None, []  # on an earlier line, or `a:b`, which is one word of YAML
    where = _token_of_value(written, start, column, quote)
    if where is None:
        return None, []
    write: Callable[[str], str] = str if quote else style.write
    space, end = "" if is_parted else " ", text.starts[line] + where.end
    comma = "" if quote or _is_last(text, end) else ","
    if comma and _NAME.match(text.text, end) is None:
        return None, []  # the value is on the next line
    return where, values_of(launch, name, lambda choice: f"{space}{write(choice)}{comma}")


def in_yaml(choice: str) -> str:
    """The text of a choice, quoted where YAML would read it as something other than a string."""
    return f'"{choice}"' if choice in ("no", "yes", "on", "off", "null") else choice


def _in_json(choice: str) -> str:
    return choice if choice in BOOLEANS else f'"{choice}"'


_JSON, _YAML = Style(True, False, _in_json), Style(False, True, in_yaml)
