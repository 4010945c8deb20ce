"""Commands that stand in other files than scripts: in a Dockerfile or Makefile, in a text of YAML, in a cell of a notebook."""

import re

from ..files.discovery import NOTEBOOKS, RECIPES, YAML, has_suffix
from ..launch.commands import STARTS
from ..source.text import Span
from ..source.yaml.reader import Scalar, parts_of, read_yaml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Node, Report, Text

_START = re.compile(STARTS)
_MOST_READ = 20_000  # characters of YAML that are parsed for this alone
# What stands before a command: an instruction of a Dockerfile, signs of make and of a notebook.
_INSTRUCTION = re.compile(r"[ \t]*(?:(?:RUN|CMD|ENTRYPOINT)[ \t]+(?:--\S+[ \t]+)*|[@-]+)?", re.IGNORECASE)
_SHELL_CELL = re.compile(r"\s*%%(?:bash|sh|script[ \t]+(?:ba)?sh)\b[^\n]*(?:\n|\Z)")
_SHELL_LINE = re.compile(r"[ \t]*!{1,2}")


def lines_around(text: "Text", offset: int) -> "Span":
    """The lines that a backslash joins to the one of a place."""
    first = last = text.position(offset)[0]
    while first and text.line_text(first - 1).endswith("\\"):
        first -= 1
    while last + 1 < text.line_count and text.line_text(last).endswith("\\"):
        last += 1
    return Span(text.starts[first], text.starts[last] + len(text.line_text(last)))


def command_in(text: "Text", offset: int, known: "Report | None") -> "Span | None":
    """The command around a place of a text that is no script; None where none that may train stands before it.

    `known`: the report of the text or of an earlier one, None where there is none."""
    lines = lines_around(text, offset)
    start = lines.start
    if has_suffix(text.path, RECIPES):
        start = _behind(_INSTRUCTION, text, lines)
    elif has_suffix(text.path, NOTEBOOKS):
        cell, line = _SHELL_CELL.match(text.text), _SHELL_LINE.match(text.text, lines.start, lines.end)
        if cell is None and line is None:
            return None
        start = max(start, cell.end()) if cell is not None else _behind(_SHELL_LINE, text, lines)
    elif has_suffix(text.path, YAML) and _START.search(text.text, lines.start, offset):
        value = _text_around(text, offset, known)
        if value is None:
            return None
        start = max(start, value.start + (value.style in ("'", '"')))
        lines = Span(start, max(min(lines.end, value.end), offset))
    else:
        return None
    is_begun = start < offset and _START.search(text.text, start, offset)
    return Span(start, lines.end) if is_begun else None


def _behind(pattern: "re.Pattern[str]", text: "Text", lines: "Span") -> int:
    found = pattern.match(text.text, lines.start, lines.end)
    return found.end() if found else lines.start


def _text_around(text: "Text", offset: int, known: "Report | None") -> "Scalar | None":
    """The text of YAML that holds a place, or ends before it on the same line."""
    document = known.document if known is not None and known.text.text == text.text else None
    if document is None and len(text.text) <= _MOST_READ:
        document = read_yaml(text)
    line, column = text.position(offset)
    end = text.starts[line] + len(text.line_text(line)[:column].rstrip())
    pending: list[Node] = list(document.documents) if document is not None else []
    while pending:
        node = pending.pop()
        if isinstance(node, Scalar):
            return node
        pending += [part for part in parts_of(node) if part.start < end <= part.end]
    return None
