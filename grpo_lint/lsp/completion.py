"""Completion of keys that are not set yet, of their values, and of directives."""

import os
import re

from ..engine import is_script
from ..files.discovery import RECIPES, YAML, has_suffix
from ..frameworks.schema import has_schema
from ..source.text import Text
from .beginnings import begun, with_framework
from .braces import in_object, in_section, in_yaml, is_object
from .command_places import command_in, written_file
from .comments import in_comment
from .lists import MOST_READ, in_values
from .offers import add_key, keys_of_section, missing_keys, takes_several, values_of
from .places import has_launches, is_inside_a_text, lines_of, our_comment
from .script_completion import in_command, in_script
from .tokens import Token, items_for, token
from .whole_files import whole_files
from .word_lists import in_list, list_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Callable, Context, Json, Launch, Report, Span

    Offered = tuple[Token | None, list[Json]]

_BLANKED = re.compile(r"[^\n\r]")
_KEY = re.compile(r"""([ \t]*)(["']?)([\w-]*)\Z""")
_KEY_AND_VALUE = re.compile(r"""([ \t]*)["']?([\w-]+)["']?[ \t]*:([ \t]*)(["']?)([^\s"'#,\[\]{}]*)\Z""")
_ITEM = re.compile(r"""([ \t]*)(-[ \t]+)?(["']?)([^\s"'#,:\[\]{}]*)\Z""")
_KEY_OF_LIST = re.compile(r"""([ \t]*)["']?([\w-]+)["']?[ \t]*:[ \t]*(?:#.*)?\Z""")
_BEFORE_BRACKET = re.compile(r"""^([ ]*)["']?([\w-]+)["']?[ \t]*:\s*(?=\[)""", re.MULTILINE)
_BEFORE_BRACE = re.compile(r"""^([ ]*)["']?([\w-]+)["']?[ \t]*:\s*(?=\{)""", re.MULTILINE)
_SECTION = re.compile(r"""([ ]*)["']?([\w-]+)["']?[ \t]*:[ \t]*(?:#.*)?\Z""")
# How a token goes on behind the cursor, and what has to follow it.
_WORD = re.compile(r"[\w-]*")
_FACT = re.compile(r"[\w.|-]*")
_AFTER_KEY = re.compile(r"[ \t]*:(?:[ \t]|\Z)|[ \t]*\Z|[ \t]+#")
_QUOTED = {'"': re.compile(r'[^"\\]*'), "'": re.compile("[^']*")}
_AFTER_QUOTED = re.compile(r"""["'][ \t]*(?:[,\]}]|[ \t]#|\Z)|\Z""")
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
        written = written_file(text, offset)
        return (
            _in_written(text, offset, *written, known, context) if written else in_script(text, offset, known, context)
        )
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
    report = known if has_launches(known) else begun(text, offset, context, known)
    launches = [launch for launch in report.launches if launch.candidates] if report else []
    start, items = in_comment(text[comment], written[:column], launches, context)
    return token(written, start, column, _FACT if written[start - 1 : start] == "=" else _WORD), items


def _in_written(
    text: "Text", offset: int, name: str, body: "Span", known: "Report | None", context: "Context"
) -> "Offered":
    """What is offered in a file of settings that a script writes."""
    if not has_suffix(name, (*YAML, ".json")):
        return None, []
    lines = "".join(
        line
        if start in range(body.start, body.end) or our_comment(text, start + len(line) - 1)
        else _BLANKED.sub(" ", line)
        for start, line in zip(text.starts, lines_of(text.text))
    )
    for launch in known.launches if known is not None else ():
        if any(entry.key.start in range(body.start, body.end) for entry in launch.entries_in_this_file.values()):
            context = with_framework(context, launch.framework.name)
    return _in_settings(Text(lines, os.path.join(os.path.dirname(text.path), name)), offset, None, context)


def _in_settings(text: "Text", offset: int, known: "Report | None", context: "Context") -> "Offered":
    """What is offered at a place of a file of settings."""
    report = known if known is not None and has_launches(known) else begun(text, offset, context, known)
    if report is None:
        return whole_files(text, offset)
    launch = next(launch for launch in report.launches if launch.candidates)
    is_nested = launch.framework.reader.configs.nested
    if is_inside_a_text(report, text, offset) or not has_schema(launch.framework.name):  # or it reads no such files
        return None, []
    if is_object(text):
        return in_object(text, offset, launch)
    line, column = text.position(offset)
    indentation = -1 if is_nested else _indentation(report, launch)
    listed = _in_brackets(text, offset, launch, indentation)
    if listed is not None:
        return listed
    if is_nested:
        return _in_braces(text, offset, launch) or _in_section(text, line, launch, column)
    return _in_mapping(text, line, launch, column, indentation)


# --- keys and values ------------------------------------------------------------------------------------------------


def _in_brackets(text: "Text", offset: int, launch: "Launch", indentation: int) -> "Offered | None":
    """What is offered in a list in brackets that is the value of a key; None where the place is in none. `indentation`: that of the
    keys of a flat file, -1 for one in sections."""
    begun = list(_BEFORE_BRACKET.finditer(text.text, max(0, offset - MOST_READ), offset))
    if not begun or indentation not in (-1, len(begun[-1][1])):
        return None
    key = begun[-1]
    section = _section_around(text, text.position(key.start())[0], len(key[1])) if indentation < 0 else ""
    return in_values(text, offset, key.end(), launch, f"{section}{key[2]}", in_yaml)


def _in_mapping(text: "Text", line: int, launch: "Launch", column: int, indentation: int) -> "Offered":
    """What is offered at a column of a line of a flat file, whose keys are indented so far."""
    written = text.line_text(line)
    before = written[:column]
    value, key = _KEY_AND_VALUE.match(before), _KEY.match(before)
    begins = _beginning_of_keys(text, line, launch, value or key, indentation)
    if value and begins is not None:
        return _value(text, line, column, launch, value, value[2])
    if key and begins is not None:
        return _key(written, column, key, lambda present: _keys(launch, present, begins))
    return _below_its_key(text, line, launch, column) or (None, [])


def _beginning_of_keys(
    text: "Text", line: int, launch: "Launch", typed: "re.Match[str] | None", indentation: int
) -> "str | None":
    """With what the keys begin that may stand where one is typed: any at the top of the file, some in a section of a role; None where
    there are none."""
    if typed is None or len(typed[1]) == indentation:
        return ""
    return launch.framework.reader.configs.roles.get(_section_around(text, line, len(typed[1]))[:-1])


def _keys(launch: "Launch", present: str, begins: str) -> "list[Json]":
    missing = missing_keys(launch, present)
    return [add_key(launch, name, about, f"{name}: ") for name, about in missing if name.startswith(begins)]


def _key(written: str, column: int, key: "re.Match[str]", keys: "Callable[[str], list[Json]]") -> "Offered":
    """The keys that are offered in place of one, each with what follows it. `keys`: gives those that may be there instead of a name."""
    where, quote = token(written, key.start(3), column, _WORD), key[2]
    if where is None or (quote and where.rest[:1] not in ("", quote)):
        return None, []
    items = keys(written[where.start : where.end])
    if quote:
        where = Token(where.start, where.end + len(where.rest[:1]), where.rest[1:])
    if not _AFTER_KEY.match(where.rest):
        return None, []
    for item in items if quote else ():
        item["new"] = item["new"].replace(":", f"{quote}:", 1)
    return where, items


def _below_its_key(text: "Text", line: int, launch: "Launch", column: int) -> "Offered | None":
    """What is offered for a value, or an item of a list, on a line below its key; None where no key is above it."""
    item = _ITEM.match(text.line_text(line)[:column])
    above = _key_above(text, line, item) if item else None
    if item is None or above is None:
        return None
    row, key = above
    section = _section_around(text, row, len(key[1])) if launch.framework.reader.configs.nested else ""
    name = f"{section}{key[2]}"
    dash = "- " if not (item[2] or item[3]) and takes_several(launch, name) else ""
    where = _place_of_value(text, line, column, item.start(4), item[3], len(item[1]))
    write = str if item[3] else in_yaml
    items = values_of(launch, name, lambda choice: f"{dash}{write(choice)}")
    for each in items if dash else ():
        each["filterText"] = each["new"]  # a dash may be there
    return where, items


def _value(text: "Text", line: int, column: int, launch: "Launch", found: "re.Match[str]", name: str) -> "Offered":
    """The values that are offered behind a key and its colon."""
    in_quotes = bool(found[4])
    if not found[3] and (found[5] or in_quotes):
        return None, []  # a colon without a space behind it is a piece of a word
    where = _place_of_value(text, line, column, found.start(5), found[4], len(found[1]))
    space = "" if found[3] else " "
    write = str if in_quotes else in_yaml
    return where, values_of(launch, name, lambda choice: f"{space}{write(choice)}")


def _place_of_value(text: "Text", line: int, column: int, start: int, quote: str, indentation: int) -> "Token | None":
    """The token of a value; None where it is more than a word on this line."""
    written = text.line_text(line)
    if quote:
        where = token(written, start, column, _QUOTED[quote], _AFTER_QUOTED)
        return where if where is None or where.rest[:1] in ("", quote) else None
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
    below = _below_its_key(text, line, launch, column)
    if below is not None and below[1]:
        return below
    key = value or _KEY.match(written[:column])
    if key is None:
        return None, []
    section = _section_around(text, line, len(key[1]))
    if value:
        return _value(text, line, column, launch, value, f"{section}{value[2]}")
    return _key(written, column, key, lambda present: keys_of_section(launch, section, present))


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


def _key_above(text: "Text", line: int, item: "re.Match[str]") -> "tuple[int, re.Match[str]] | None":
    """(line, match) of the key whose value, or whose list with an item, is below it; None where there is none."""
    passed = ("- ", "#") if item[2] else ("#",)
    most = len(item[1]) - (not item[2])  # how far its key may be indented
    for row in range(line - 1, -1, -1):
        above = text.line_text(row)
        if above.strip() and not above.lstrip().startswith(passed):
            found = _KEY_OF_LIST.match(above)
            return (row, found) if found and len(found[1]) <= most else None
    return None


def _indentation(report: "Report", launch: "Launch") -> int:
    """How far the keys of the file are indented."""
    first = next((entry.key.start for entry in launch.entries_in_this_file.values()), 0)
    return report.text.position(first)[1]
