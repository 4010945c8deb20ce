"""Completion in the commands of a script: flags and overrides that are not given yet, and their values."""

import os
import re

from ..engine import is_script, lint
from ..files.discovery import YAML, has_suffix
from ..source.shell_words import shell_word
from ..source.text import Span
from .beginnings import begun_by_command, begun_by_words
from .command_places import lines_around
from .offers import add_key, is_a_switch, missing_keys, takes_several, values_of
from .places import has_launches, without
from .tokens import token
from .view import View
from .whole_files import whole_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Context, Json, Launch, Report, Text
    from .completion import Offered

_FLAG = re.compile(r"(?:-|--[\w.-]*)?\Z")
_FLAG_AND_VALUE = re.compile(r"--([\w.-]+)=([\w./:@%+,-]*)\Z")
_VALUE = re.compile(r"[\w./:@%+,-]*")
_OVERRIDE = re.compile(r"\+{0,2}([\w.]*)\Z")
_OVERRIDE_AND_VALUE = re.compile(r"\+{0,2}([\w.]+)=([\w./-]*)\Z")
_NAME = re.compile(r"[\w.-]*")
_PATH = re.compile(r"[\w.]*")
_ENDS = re.compile(r"""[\s="');|&]|\\?\Z""")
_ENDS_OF_VALUE = re.compile(r"""[\s"');|&]|\\?\Z""")
_ARRAY = re.compile(r"[\w]\+?=\(")
_NAMED = re.compile(r"(?<!\w)([A-Za-z_]\w*)\+?=\(\Z")
_QUOTED = r"""\"(?:[^"\\]|\\(?s:.))*(?:"|\Z)|'[^']*(?:'|\Z)"""
_IN_PARENTHESES = (
    r"\$\(\([^\n]*?(?:\)\)|\Z)|\$\([^()\n]*\)"  # arithmetic, also a half of it, and a command whose output counts
)
_PIECES = re.compile(
    r"""(?P<space>[ \t\r\n]|\\\r?\n)|(?P<break>[;|&()])|(?P<comment>\#[^\n]*)"""
    rf"""|(?P<word>(?:{_QUOTED}|{_IN_PARENTHESES}|\\[^\n]|\\\Z|[^\s;|&()"'\\])+)"""
)
_END_OF_ARRAY = re.compile(rf"{_QUOTED}|{_IN_PARENTHESES}|(?<!\S)#[^\n]*|(\))")
_OPEN_QUOTE = re.compile(r"""((?:[^"'\\]|\\.|"(?:[^"\\]|\\(?s:.))*"|'[^']*')*(["']))(?:[^"'\\]|\\(?s:.))*\Z""")
_COMPUTED = re.compile(r"[$`]")
_LONGEST_COMMAND = 20_000  # characters before the cursor that are read


class Typed:
    """The words of a command before a place.

    words   those that are complete, without their quotes
    start   where the one being typed begins, behind its quote
    quote   which is open around it; an empty text for none
    """

    def __init__(self) -> None:
        self.words: list[str] = []
        self.start = 0
        self.quote = ""


def in_script(text: "Text", offset: int, known: "Report | None", context: "Context") -> "Offered":
    """What is offered at a place in a script: for the command, or the array of words, around it."""
    region = command_around(text, offset)
    typed = words_before(text.text, region.start, offset)
    if typed is None:
        return None, []
    if not (typed.words or typed.quote or text.text[region.start - 1 : region.start] == "("):
        return whole_files(text, offset)  # no program stands before it
    known = known or lint(text, context, fixes=False)
    launch = _launch_of(text, region, offset, known) or _begun(text, region, typed, offset, context)
    return _in_words(text, offset, launch, typed) if launch is not None else whole_files(text, offset)


def in_command(text: "Text", offset: int, region: "Span", context: "Context") -> "Offered":
    """What is offered at a place in a command that stands in another file than a script."""
    typed = words_before(text.text, region.start, offset)
    launch = _begun(text, region, typed, offset, context) if typed is not None and typed.words else None
    return _in_words(text, offset, launch, typed) if typed is not None and launch is not None else (None, [])


def in_a_word(launch: "Launch", item: str, column: int, words: "list[str]") -> "Offered":
    """What is offered at a column of an item of a list of words, behind some others, for a launch."""
    typed = Typed()
    typed.words, typed.quote = words, '"'
    if launch.framework.reader.configs.nested:
        return _in_overrides(launch, item, 0, column, typed.quote)
    return _in_flags(launch, item, 0, column, typed)


def _in_words(text: "Text", offset: int, launch: "Launch", typed: "Typed") -> "Offered":
    """What is offered for the word that is being typed in a command of a launch."""
    row, column = text.position(offset)
    start = typed.start - text.starts[row]
    if start < 0 or _COMPUTED.search(
        text.text, typed.start, offset
    ):  # a word over several lines, or of the shell's own
        return None, []
    if launch.framework.reader.configs.nested:
        return _in_overrides(launch, text.line_text(row), start, column, typed.quote)
    return _in_flags(launch, text.line_text(row), start, column, typed)


def command_around(text: "Text", offset: int) -> "Span":
    """The lines that a backslash joins to the one of a place, or the words of the array around it."""
    opened = [found.end() for found in _ARRAY.finditer(text.text, max(0, offset - _LONGEST_COMMAND), offset)]
    if opened:
        parts = _END_OF_ARRAY.finditer(text.text, opened[-1], opened[-1] + 2 * _LONGEST_COMMAND)
        end = next((part.start() for part in parts if part[1]), len(text.text))
        if offset <= end:
            return Span(opened[-1], end)
    return lines_around(text, offset)


def words_before(source: str, start: int, end: int) -> "Typed | None":
    """The words between two places, the last of which is being typed; None in a comment."""
    typed = Typed()
    at, closed = max(start, end - _LONGEST_COMMAND), -1
    for found in _PIECES.finditer(source, at, end):
        kind, closed = found.lastgroup, found.end()
        if kind == "break":
            typed.words = []
        elif kind == "comment" and closed == end:
            return None
        elif kind == "word":
            typed.words.append(found[0].strip("\"'"))
    if closed == end and typed.words and found.lastgroup == "word":
        typed.words.pop()
        return _being_typed(typed, source, found.start(), end)
    typed.start = end
    return typed


def _being_typed(typed: Typed, source: str, start: int, end: int) -> "Typed | None":
    """The word that is being typed; where it is a text of several words, as in ARGS="--a 1 --b 2", the last of them."""
    opened = _OPEN_QUOTE.match(source, start, end)
    typed.start, typed.quote = (opened.end(1), opened[2]) if opened else (start, "")
    if opened and any(each in " \t\n" for each in source[typed.start : end]):
        return words_before(source, typed.start, end)
    return typed


def _launch_of(text: "Text", region: "Span", offset: int, known: "Report") -> "Launch | None":
    """The known launch whose command, or some of whose words, are around a place, and whose program stands before it; without
    the setting that is being typed, which may be short for another one."""
    if not has_launches(known):
        return None
    view, array = View(known, "", text, known.text.text != text.text), _array_at(text.text, region)
    around = range(view.nearest(region.start, False), view.nearest(region.end, True) + 1)
    here = view.nearest(offset, True)
    for launch in reversed(known.launches):
        if launch.origin is None or not launch.candidates or launch.origin.script is not None:
            continue
        command, own = launch.origin.invocation.command, launch.entries_in_this_file
        is_around = command.start in around or command.start <= around.start < command.end
        if is_around and launch.origin.invocation.program.end >= here and not view.is_earlier:
            return None
        if is_around or _takes_words(launch, known, array, around):
            return without(launch, {name for name, entry in own.items() if entry.key.start <= here <= entry.key.end})
    return None


def _takes_words(launch: "Launch", known: "Report", array: str, around: range) -> bool:
    """Whether a launch takes the words of an array, or some that stand around a place."""
    own, origin = launch.entries_in_this_file.values(), launch.origin
    if any(entry.key.start in around for entry in own):
        return True
    command = origin.invocation.command if origin is not None and array else None
    return command is not None and f"{{{array}[" in known.text.text[command.start : command.end]


def _array_at(source: str, region: "Span") -> str:
    """The name of the array whose words a region is; empty where it is a command."""
    found = _NAMED.search(source, max(0, region.start - 100), region.start)
    return found[1] if found else ""


def _begun(text: "Text", region: "Span", typed: Typed, offset: int, context: "Context") -> "Launch | None":
    """The launch of the command around a place without the word being typed; where nothing else tells whose it is, with it."""
    end = offset + len(re.compile(r"[^\s\"']*").match(text.text, offset)[0])  # type: ignore[index]  # it may be empty
    before, word, after = (
        text.text[start:end] for start, end in ((region.start, typed.start), (typed.start, end), (end, region.end))
    )
    if has_suffix(text.path, YAML) and "\\\n" not in before + after:
        before, after = before.replace("\n", " "), after.replace("\n", " ")  # as YAML joins them
    path = text.path if is_script(text) else os.path.join(os.path.dirname(text.path), "command.sh")
    if _array_at(text.text, region):
        found = begun_by_words(before + after, path, context)
        return found.launches[-1] if found is not None else None
    launch = _behind(begun_by_command(before + after, path, context), len(before))
    if launch is not None or word[:2] != "--":
        return launch
    launch = _behind(begun_by_command(before + word + after, path, context), len(before))
    return launch and without(launch, (word[2:].partition("=")[0].replace("-", "_"),))


def _behind(report: "Report | None", place: int) -> "Launch | None":
    """The last launch of a report whose program stands before a place."""
    for launch in reversed(report.launches if report is not None else []):
        origin = launch.origin if launch.candidates else None
        if origin is not None and origin.invocation.program.end <= place:
            return launch
    return None


def _in_flags(launch: "Launch", line: str, start: int, column: int, typed: Typed) -> "Offered":
    """The flags that are offered from a column on, or the values of the flag before it."""
    written = line[start:column]
    joined = _FLAG_AND_VALUE.match(written)
    write = str if typed.quote else shell_word
    if joined:
        where = token(line, start + joined.start(2), column, _VALUE, _ENDS_OF_VALUE)
        return where, values_of(launch, joined[1].replace("-", "_"), write)
    name, given = _last_flag(typed.words)
    values: list[Json] = []
    if name and written[:1] != "-" and _takes_a_word(launch, name) and (not given or takes_several(launch, name)):
        values = [each for each in values_of(launch, name, write) if each["label"] not in given]
        if written or not (given or is_a_switch(launch, name)):
            return token(line, start, column, _VALUE, _ENDS_OF_VALUE), values
    where, flags = _flags(launch, line, start, column)
    return where, values + flags


def _flags(launch: "Launch", line: str, start: int, column: int) -> "Offered":
    """The flags that are offered from a column on, with the dashes that are not there."""
    written = line[start:column]
    if not _FLAG.match(written):
        return None, []
    dashes = "" if written[:2] == "--" else "--"
    where = token(line, start if dashes else start + 2, column, _NAME, _ENDS)
    if where is None or (dashes and where.end > column):
        return None, []  # before a word that is there
    missing = missing_keys(launch, line[where.start : where.end].replace("-", "_"))
    return where, [_flag(launch, name, described, dashes) for name, described in missing]


def _flag(launch: "Launch", name: str, described: "Json", dashes: str) -> "Json":
    """The item of a flag as its framework writes it."""
    written = dashes + launch.framework.reader.flags.written(name).removeprefix("--")
    item = add_key(launch, name, described, f"{written} ")
    item["label"] = written.removeprefix("--")
    item["filterText"] = written
    if not _takes_a_word(launch, name):
        item.pop("goes_on", None)
    return item


def _takes_a_word(launch: "Launch", name: str) -> bool:
    """Whether a word follows a flag; none follows one that is true by itself."""
    return not is_a_switch(launch, name) or launch.framework.reader.flags.written(name, "true", True).endswith("true")


def _last_flag(words: "list[str]") -> "tuple[str, list[str]]":
    """(the last flag among words, the values behind it); an empty name where there is none."""
    given: list[str] = []
    for word in reversed(words):
        if word.startswith("--"):
            return ("", []) if "=" in word else (word[2:].replace("-", "_"), given)
        given.append(word)
    return "", []


def _in_overrides(launch: "Launch", line: str, start: int, column: int, quote: str) -> "Offered":
    """The overrides such as `a.b=c` that are offered from a column on: the keys of the section being typed, or values. `quote`: the one
    that is open."""
    written = line[start:column]
    value = _OVERRIDE_AND_VALUE.match(written)
    if value:
        where = token(line, start + value.start(2), column, _VALUE, _ENDS_OF_VALUE)
        return where, values_of(launch, value[1], str)
    key = _OVERRIDE.match(written)
    where = token(line, start + key.start(1), column, _PATH, _ENDS) if key else None
    if key is None or where is None or (not written and not quote and line[column : column + 1].strip(" \t\\)")):
        return None, []  # before a word that is there
    section, present = key[1].rpartition(".")[0], line[where.start : where.end]
    return where, [
        add_key(launch, name, described, f"{name}=")
        for name, described in missing_keys(launch, present)
        if not section or name.startswith(f"{section}.")
    ]
