"""Completion of keys that are not set yet, of their values, and of directives."""

import re

from ..engine import is_script
from ..files.discovery import RECIPES, has_suffix
from ..frameworks.schema import has_schema
from .beginnings import begun
from .braces import in_object, in_section, in_yaml, is_object
from .command_places import command_in
from .comments import in_comment
from .offers import add_key, keys_of_section, missing_keys, values_of
from .places import has_launches, is_inside_a_text, our_comment
from .script_completion import in_command, in_script
from .tokens import Token, items_for, token
from .whole_files import whole_files
from .word_lists import in_list, list_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Context, Json, Launch, Report, Span, Text

    Offered = tuple[Token | None, list[Json]]

_KEY = re.compile(r"([ \t]*)([\w-]*)\Z")
_KEY_AND_VALUE = re.compile(
    r"""([ \t]*)["']?([\w-]+)["']?[ \t]*:([ \t]*)(\[(?:[^\[\]]*,)?[ \t]*)?(["']?)([^\s"'#,\[\]{}]*)\Z"""
)
_ITEM = re.compile(r"""([ \t]*)-[ \t]+(["']?)([^\s"'#,]*)\Z""")
_KEY_OF_LIST = re.compile(r"""([ \t]*)["']?([\w-]+)["']?[ \t]*:[ \t]*(?:#.*)?\Z""")
_BEFORE_BRACE = re.compile(r"^([ ]*)([\w-]+):[ \t]*(?=\{)", re.MULTILINE)
_SECTION = re.compile(r"([ ]*)([\w-]+):[ \t]*(?:#.*)?\Z")
# How a token goes on behind the cursor, and what has to follow it.
_WORD = re.compile(r"[\w-]*")
_FACT = re.compile(r"[\w.|-]*")
_AFTER_KEY = re.compile(r"[ \t]*:(?:[ \t]|\Z)|[ \t]*\Z|[ \t]+#")
_QUOTED = {'"': re.compile(r'[^"\\]*'), "'": re.compile("[^']*")}
_AFTER_QUOTED = re.compile(r"""["'][ \t]*(?:[,\]}]|[ \t]#|\Z)|\Z""")
_REST_OF_ITEM = re.compile(r"""(?<![^\s:,\[])(?:"[^"\\]*"|'[^']*')|[^\s"'#,\[\]{}]*""")
_AFTER_ITEM = re.compile(r"[ \t]*(?:[,\]}]|[ \t]#|\Z)")
_NO_PLAIN_SCALAR = tuple("[{&*!|>%@`#")


def completion(text: "Text", offset: int, known: "Report | None", context: "Context", encoding: str) -> "list[Json]":
    """The LSP CompletionItems for a place in a text.

    `known`: the report of the text, or of an earlier one while this one cannot be parsed; None when there was none.
    """
    where, items = _offered(text, offset, known, context)
    return items_for(text, offset, where, items, encoding) if where is not None else []


def _offered(text: "Text", offset: int, known: "Report | None", context: "Context") -> "Offered":
    comment = None if has_suffix(text.path, (".json",)) else our_comment(text, offset)
    if comment is not None:
        return _in_comment(text, offset, comment, known, context)
    if is_script(text):
        return in_script(text, offset, known, context)
    words, front = list_of(text, offset)
    found = in_list(text, offset, words, front, context) if words is not None else None
    if found is not None:
        return found
    command = command_in(text, offset, known)
    if command is not None:
        return in_command(text, offset, command, context)
    return (None, []) if has_suffix(text.path, RECIPES) else _in_settings(text, offset, known, context)


def _in_comment(text: "Text", offset: int, comment: "Span", known: "Report | None", context: "Context") -> "Offered":
    line, column = text.position(offset)
    written = text.line_text(line)
    report = known if has_launches(known) else begun(text, offset, context)
    launches = [launch for launch in report.launches if launch.candidates] if report else []
    start, items = in_comment(text[comment], written[:column], launches, context)
    return token(written, start, column, _FACT if written[start - 1 : start] == "=" else _WORD), items


def _in_settings(text: "Text", offset: int, known: "Report | None", context: "Context") -> "Offered":
    """What is offered at a place of a file of settings."""
    report = known if known is not None and has_launches(known) else begun(text, offset, context)
    if report is None:
        return whole_files(text, offset)
    launch = next(launch for launch in report.launches if launch.candidates)
    is_nested = launch.framework.reader.configs.nested
    if is_inside_a_text(report, text, offset) or not has_schema(launch.framework.name):  # or it reads no such files
        return None, []
    if is_object(text):
        return in_object(text, offset, launch)
    line, column = text.position(offset)
    if is_nested:
        return _in_braces(text, offset, launch) or _in_section(text, line, launch, column)
    return _in_mapping(text, line, launch, column, _indentation(report, launch))


# --- keys and values ------------------------------------------------------------------------------------------------


def _in_mapping(text: "Text", line: int, launch: "Launch", column: int, indentation: int) -> "Offered":
    """What is offered at a column of a line of a flat file, whose keys are indented so far."""
    written = text.line_text(line)
    before = written[:column]
    value = _KEY_AND_VALUE.match(before)
    if value and len(value[1]) == indentation:
        return _value(text, line, column, launch, value, value[2])
    item = _ITEM.match(before)
    if item:
        where = _place_of_value(text, line, column, item.start(3), item[2], len(item[1]), False)
        name = _key_of_list(text, line, item[1])
        return where, values_of(launch, name, str if item[2] else in_yaml)
    key = _KEY.match(before)
    return _key(written, column, launch, key) if key and len(key[1]) == indentation else (None, [])


def _key(written: str, column: int, launch: "Launch", key: "re.Match[str]") -> "Offered":
    """The keys that are offered in place of one, each with what follows it."""
    where = token(written, key.start(2), column, _WORD, _AFTER_KEY)
    if where is None:
        return None, []
    missing = missing_keys(launch, written[where.start : where.end])
    return where, [add_key(launch, name, described, f"{name}: ") for name, described in missing]


def _value(text: "Text", line: int, column: int, launch: "Launch", found: "re.Match[str]", name: str) -> "Offered":
    """The values that are offered behind a key and its colon."""
    in_quotes = bool(found[5])
    if not found[3] and (found[6] or in_quotes or found[4]):
        return None, []  # a colon without a space behind it is a piece of a word
    where = _place_of_value(text, line, column, found.start(6), found[5], len(found[1]), bool(found[4]))
    space = "" if found[3] else " "
    write = str if in_quotes else in_yaml
    return where, values_of(launch, name, lambda choice: f"{space}{write(choice)}")


def _place_of_value(
    text: "Text", line: int, column: int, start: int, quote: str, indentation: int, in_list: bool
) -> "Token | None":
    """The token of a value; None where it is more than a word on this line."""
    written = text.line_text(line)
    if quote:
        where = token(written, start, column, _QUOTED[quote], _AFTER_QUOTED)
        return where if where is None or where.rest[:1] in ("", quote) else None
    if in_list:
        return token(written, start, column, _REST_OF_ITEM, _AFTER_ITEM)
    return None if _goes_on(text, line, indentation) else _plain_scalar(written, start, column)


def _plain_scalar(written: str, start: int, column: int) -> "Token | None":
    """The scalar that begins at a column of a line of YAML, without quotes around the cursor; None where it is none."""
    comment = min([at for at in (written.find(" #", column), written.find("\t#", column)) if at >= 0], default=None)
    end = column + len(written[column:comment].rstrip())
    value = written[start:end].strip()
    if value[:1] in ("'", '"'):
        is_whole = len(value) > 1 and value[-1] == value[0] and value.count(value[0]) == 2
    else:
        is_whole = not value.startswith(_NO_PLAIN_SCALAR) and ": " not in value and value[-1:] != ":"
    return Token(start, end, written[end:]) if is_whole else None


def _goes_on(text: "Text", line: int, indentation: int) -> bool:
    """Whether the value of a line goes on below it: more is indented there, or a list begins."""
    for row in range(line + 1, text.line_count):
        below = text.line_text(row)
        words = below.lstrip()
        if words and words[0] != "#":
            depth = len(below) - len(words)
            return depth > indentation or (depth == indentation and words[:2] == "- " and not _is_item(text, line))
    return False


def _is_item(text: "Text", line: int) -> bool:
    return text.line_text(line).lstrip()[:2] == "- "


def _in_section(text: "Text", line: int, launch: "Launch", column: int) -> "Offered":
    """What is offered where settings are grouped in sections: the keys of the section around the line."""
    written = text.line_text(line)
    value = _KEY_AND_VALUE.match(written[:column])
    key = value or _KEY.match(written[:column])
    if key is None:
        return None, []
    section = _section_around(text, line, len(key[1]))
    if value:
        return _value(text, line, column, launch, value, f"{section}{value[2]}")
    where = token(written, key.start(2), column, _WORD, _AFTER_KEY)
    return where, keys_of_section(launch, section, written[where.start : where.end]) if where is not None else []


def _in_braces(text: "Text", offset: int, launch: "Launch") -> "Offered | None":
    """What is offered where a section is written in braces, on one line or on several; None where none is around the place."""
    opened = list(_BEFORE_BRACE.finditer(text.text, 0, offset))
    if not opened:
        return None
    above = _section_around(text, text.position(opened[-1].start())[0], len(opened[-1][1]))
    return in_section(text, offset, launch, opened[-1].end(), f"{above}{opened[-1][2]}.")


def _section_around(text: "Text", line: int, indentation: int) -> str:
    """The path, with a dot behind it, of the section in which a line stands that is indented so far."""
    section = ""
    while line and indentation:
        line -= 1
        above = _SECTION.match(text.line_text(line))
        if above and len(above[1]) < indentation:
            section, indentation = f"{above[2]}.{section}", len(above[1])
    return section


def _key_of_list(text: "Text", line: int, indentation: str) -> str:
    """The key whose list has its items at this indentation above a line; empty when it is not found."""
    for row in range(line - 1, -1, -1):
        above = text.line_text(row)
        if above.strip() and not above.lstrip().startswith(("- ", "#")):
            found = _KEY_OF_LIST.match(above)
            return found[2] if found and len(found[1]) <= len(indentation) else ""
    return ""


def _indentation(report: "Report", launch: "Launch") -> int:
    """How far the keys of the file are indented."""
    first = next((entry.key.start for entry in launch.entries_in_this_file.values()), 0)
    return report.text.position(first)[1]
