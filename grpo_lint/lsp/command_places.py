"""Commands that stand in other files than scripts, in a Dockerfile or Makefile, in a text of YAML, in a cell of a notebook; and files
that a script writes itself."""

import re

from ..files.discovery import NOTEBOOKS, RECIPES, YAML, has_suffix
from ..launch.commands import STARTS
from ..source.text import Span
from ..source.yaml.reader import Scalar, parts_of, read_yaml

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Document, Node, Report, Text

_START = re.compile(STARTS)
_BLOCKS = ("|", ">")
_MOST_READ = 20_000  # characters of YAML that are parsed for this alone
# What stands before a command: an instruction of a Dockerfile, signs of make and of a notebook.
_INSTRUCTION = re.compile(r"[ \t]*(?:(?:RUN|CMD|ENTRYPOINT)[ \t]+(?:--\S+[ \t]+)*|[@-]+)?", re.IGNORECASE)
_SHELL_CELL = re.compile(r"\s*%%(?:bash|sh|script[ \t]+(?:ba)?sh)\b[^\n]*(?:\n|\Z)")
_HERE = re.compile(r"""<<-?[ \t]*(["']?)(\w+)\1[^\n]*\n""")
_WRITTEN = re.compile(r"[\w./-]{1,200}\.(?:ya?ml|json|py)\b|\bpython[\d.]{0,9}\b")
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
    elif has_suffix(text.path, YAML) and _START.search(text.text, max(0, lines.start - _MOST_READ), offset):
        value = _text_around(text, offset, known)
        if value is None or (value.style in _BLOCKS and text.position(offset)[1] < _indentation(value, text)):
            return None
        lines = paragraph_around(text, offset) if value.style in (">", "") else lines
        start = max(lines.start, _begins(value, text))
        lines = Span(start, max(min(lines.end, value.end), offset))
    else:
        return None
    is_begun = start < offset and _START.search(text.text, start, offset)
    return Span(start, lines.end) if is_begun else None


def written_file(text: "Text", offset: int) -> "tuple[str, Span] | None":
    """(name, text) of the file that a script writes around a place, `cat > run.yaml <<EOF`; None where it writes none there."""
    for found in _HERE.finditer(text.text, max(0, offset - _MOST_READ), offset):
        first = text.position(found.end())[0]
        rows = (row for row in range(first, text.line_count) if text.line_text(row).lstrip("\t") == found[2])
        end = next(rows, None)
        last = text.starts[end] if end is not None else len(text.text)
        is_here = found.end() <= offset < last
        name = _WRITTEN.search(text.line_text(text.position(found.start())[0])) if is_here else None
        if name is not None:
            return name[0], Span(found.end(), last)
    return None


def paragraph_around(text: "Text", offset: int) -> "Span":
    """The lines around a place up to the next empty ones, which YAML joins."""
    first = last = text.position(offset)[0]
    while first and text.line_text(first - 1).strip():
        first -= 1
    while last + 1 < text.line_count and text.line_text(last + 1).strip():
        last += 1
    return Span(text.starts[first], text.starts[last] + len(text.line_text(last)))


def _begins(value: "Scalar", text: "Text") -> int:
    """Where the text of a value begins: behind its quote, or below the sign of a block."""
    if value.style in _BLOCKS:
        return text.starts[text.position(value.start)[0] + 1]
    return value.start + (value.style in ("'", '"'))


def _indentation(block: "Scalar", text: "Text") -> int:
    """How far the lines of a block are indented."""
    first = text.line_text(text.position(block.start)[0] + 1)
    return len(first) - len(first.lstrip())


def _behind(pattern: "re.Pattern[str]", text: "Text", lines: "Span") -> int:
    found = pattern.match(text.text, lines.start, lines.end)
    return found.end() if found else lines.start


def _text_around(text: "Text", offset: int, known: "Report | None") -> "Scalar | None":
    """The text of YAML that holds a place, or ends before it on the same line; a block also where it would go on in the next."""
    document = known.document if known is not None and known.text.text == text.text else None
    if document is None and len(text.text) <= _MOST_READ:
        document = read_yaml(text)
    line, column = text.position(offset)
    written = text.line_text(line)[:column].rstrip()
    if not written and line:
        line, written = line - 1, text.line_text(line - 1).rstrip()
    found = _scalar_at(document, text.starts[line] + len(written)) if document is not None else None
    is_next = line < text.position(offset)[0]
    return None if found is not None and is_next and found.style not in _BLOCKS else found


def _scalar_at(document: "Document", end: int) -> "Scalar | None":
    """The scalar that holds a place or ends there."""
    pending: list[Node] = list(document.documents)
    while pending:
        node = pending.pop()
        if isinstance(node, Scalar):
            return node
        pending += [part for part in parts_of(node) if part.start < end <= part.end]
    return None
