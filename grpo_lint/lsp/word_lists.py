"""Completion in the words of a command that stand in a list: of Python, of YAML, in `CMD` of a Dockerfile."""

import os
import re
from itertools import dropwhile

from ..files.discovery import IMAGES, YAML, has_suffix
from ..frameworks.python_calls import ENTRY_FUNCTIONS
from ..launch.commands import STARTS
from ..source.embedded import words_in_front
from ..source.shell_words import shell_word
from ..source.yaml.reader import read_yaml
from .beginnings import begun_by_command
from .lists import COMPUTED, MOST_READ, WordList, in_brackets, read_list
from .script_completion import in_a_word
from .tokens import Token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Context, Json, Text
    from .completion import Offered

_INSTRUCTION = re.compile(r"^[ \t]*(?:CMD|(ENTRYPOINT))[ \t]+(?=\[)", re.MULTILINE | re.IGNORECASE)
_FROM = re.compile(r"^[ \t]*FROM[ \t]", re.MULTILINE | re.IGNORECASE)
_FLOW = re.compile(r"""^[ \t]*(?:-[ \t]+)*["']?[\w-]+["']?[ \t]*:[ \t]*(?=\[)""", re.MULTILINE)
_BLOCK_ITEM = re.compile(r"""([ \t]*)-[ \t]+(["']?)(.*?)\2[ \t]*\Z""")
_CALL = re.compile(r"(?<![\w.])([\w.]+)[ \t]*\(\s*\Z")


def in_list(text: "Text", offset: int, found: WordList, front: "list[str]", context: "Context") -> "Offered | None":
    """What is offered for an item of a list of words, in front of which some others are given; None where no command that may
    train begins there."""
    words = [*front, *found.before]
    item, after = text.text[found.begins : found.ends], found.after
    if item[:1] == "-":  # its value means nothing without it
        after = [*dropwhile(lambda word: word[:1] != "-", after)]
    command = " ".join(each if each == COMPUTED else shell_word(each) for each in [*words, *after])
    if not re.search(STARTS, f"{command} "):
        return None
    report = begun_by_command(command, os.path.join(os.path.dirname(text.path), "command.sh"), context)
    launches = report.launches if report is not None else []
    launch = next((each for each in reversed(launches) if each.candidates), None)
    start = text.starts[text.position(offset)[0]]
    if launch is None or found.begins < start:
        return None, []
    where, items = in_a_word(launch, item, offset - found.begins, words)
    if where is None:
        return None, []
    for each in items:
        _make_item(each, '"' if found.needs_quotes and not found.quote else "", "," if found.needs_comma else "")
    begins = found.begins - start
    return Token(begins + where.start, begins + where.end, where.rest), items


def _make_item(item: "Json", quote: str, comma: str) -> None:
    """Make what is offered for a command an item of a list, with the comma that parts it from the next one."""
    item["new"] = f"{quote}{item['new'].rstrip(' ')}{quote}{comma}"
    if "filterText" in item:
        item["filterText"] = f"{quote}{item['filterText']}"
    if item["new"][-1:] != "=":
        item.pop("goes_on", None)


# --- in a Dockerfile -------------------------------------------------------------------------------------------------


def in_image(text: "Text", offset: int) -> "tuple[WordList | None, list[str]]":
    """(the list of a Dockerfile around a place, the words that its entry point puts in front of it)."""
    begun = list(_INSTRUCTION.finditer(text.text, 0, offset))
    found = in_brackets(text.text, begun[-1].end(), offset) if begun else None
    if found is None or begun[-1][1]:
        return found, []
    stages = [each.start() for each in _FROM.finditer(text.text, 0, offset)]
    entry = next((each.end() for each in reversed(begun) if each[1] and each.start() > max(stages, default=-1)), None)
    return found, [word for _, _, word in read_list(text.text, entry).items] if entry is not None else []


# --- in YAML ----------------------------------------------------------------------------------------------------------


def in_yaml(text: "Text", offset: int) -> "tuple[WordList | None, list[str]]":
    """(the list of YAML around a place, in brackets or in lines; the words of the one that is put in front of it)."""
    begun = [each.end() for each in _FLOW.finditer(text.text, max(0, offset - MOST_READ), offset)]
    found = (in_brackets(text.text, begun[-1], offset) if begun else None) or _in_lines(text, offset)
    if found is None or len(text.text) > MOST_READ:
        return found, []
    return found, words_in_front(read_yaml(text), found.start)


def _in_lines(text: "Text", offset: int) -> "WordList | None":
    """The list whose items are lines."""
    row = text.position(offset)[0]
    here, start = _BLOCK_ITEM.match(text.line_text(row)), text.starts[row]
    if here is None or not start + here.start(3) <= offset <= start + here.end(3):
        return None
    above = _words_of_lines(text, range(row - 1, -1, -1), here[1])
    below = _words_of_lines(text, range(row + 1, text.line_count), here[1])
    return WordList(
        start=text.starts[row - len(above)] + len(here[1]),
        before=above[::-1],
        after=below,
        begins=start + here.start(3),
        ends=start + here.end(3),
        quote=here[2],
        needs_quotes=False,
    )


def _words_of_lines(text: "Text", rows: range, indentation: str) -> "list[str]":
    """The words of the items in some lines, as far as these are items of one list."""
    found: list[str] = []
    for row in rows:
        item = _BLOCK_ITEM.match(text.line_text(row))
        if item is None or item[1] != indentation:
            break
        found.append(item[3])
    return found


def list_of(text: "Text", offset: int) -> "tuple[WordList | None, list[str]]":
    """(the list of words around a place of a file that is no program, the words in front of it)."""
    if has_suffix(text.path, IMAGES):
        return in_image(text, offset)
    return in_yaml(text, offset) if has_suffix(text.path, YAML) else (None, [])


# --- in Python --------------------------------------------------------------------------------------------------------


def words_of_call(source: str, start: int) -> "list[str]":
    """The words for which a function of a framework stands that is called with the list that opens at a place."""
    called = _CALL.search(source, max(0, start - 200), start)
    name = called[1].rpartition(".")[2] if called is not None else ""
    words = (words for (package, function), words in ENTRY_FUNCTIONS.items() if function == name and package in source)
    return [*next(words, ())]
