"""Open notebooks. An editor keeps each cell as a document of its own; the notebook is checked as one file.

The text of that file is written so that each line of a cell is a string on its own line. A place is then mapped by line
and, within a line, by what JSON escapes.
"""

import json
from bisect import bisect_right

from ..frameworks.recognition import is_foreign_notebook
from ..source.text import Edit, Text
from .places import lines_of
from .session import Document
from .view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..shared_types import Iterable, Json, Sequence
    from .session import Part

_HEAD, _TAIL = '{"cells": [', "\n]}\n"


class Cell(Document):
    """A cell as the editor has it. `whole`: its notebook; `row`: its first line in the notebook's text."""

    notebook: "Notebook"

    def __init__(self, uri: str, version: "int | None", text: str, is_code: bool) -> None:
        super().__init__(uri, None, version, Text(text, ".ipynb"))
        self.is_code = is_code
        self.row = 0

    @property
    def whole(self) -> "Document":
        return self.notebook

    def is_foreign(self) -> bool:
        return is_foreign_notebook(self.beside().encode(errors="replace"))

    def beside(self) -> str:
        return "\n".join([cell.text.text for cell in self.notebook.cells if cell.is_code])


class Notebook(Document):
    """A notebook, whose text is that of a file with its cells."""

    cells: "list[Cell]"

    def __init__(self, uri: str, path: "str | None", cells: "Sequence[Cell]") -> None:
        super().__init__(uri, path, None, Text("", path or f"{uri.rpartition('/')[2]}.ipynb"))
        self.edited: Cell | None = None  # the last cell whose text has changed
        self.take(cells)

    def take(self, cells: "Sequence[Cell]", edited: "Cell | None" = None) -> None:
        """Replace the cells; `edited`: the one whose text has changed."""
        self.cells, self.edited = list(cells), edited
        rows = [_HEAD]
        for cell in self.cells:
            cell.notebook, cell.row = self, len(rows) + 1
            kind = "code" if cell.is_code else "markdown"
            comma = "," if cell is not self.cells[0] else ""
            rows.append(f'{comma}{{"cell_type": "{kind}", "source": [')
            rows += [f"{_string(line)}," for line in lines_of(cell.text.text)]
            rows[-1] = f"{rows[-1][:-1]}]}}"
        self.text, self.report = Text("\n".join(rows) + _TAIL, self.text.path), None

    def shown_as(self) -> "list[Document]":
        return list(self.cells)

    def is_broken(self) -> bool:
        """Whether the cell being edited cannot be parsed. Other cells that cannot be parsed are skipped, as in a
        file."""
        if self.report is None or self.report.launches or self.report.code is None or self.edited is None:
            return False
        code = self.report.code
        start, end = (code.inner(self.outer(self.edited, at)) for at in (0, len(self.edited.text.text)))
        return bool(self.edited.text.text.strip()) and not code.text.text[start:end].strip()

    def cell_at(self, row: int) -> "Cell | None":
        """The cell that holds a row of the text; the first cell for row 0, None between two cells."""
        at = bisect_right(self.cells, row, key=lambda cell: cell.row) - 1
        cell = self.cells[max(at, 0)] if self.cells else None
        return cell if cell and row < cell.row + cell.text.line_count else None

    def inner(self, cell: Cell, offset: int) -> int:
        """The offset in a cell for an offset in the text; the nearest one where the cell does not hold it."""
        row, column = self.text.position(offset)
        row = row - cell.row
        if row < 0 or row >= cell.text.line_count:
            return 0 if row < 0 else len(cell.text.text)
        start = cell.text.starts[row]
        size = 0
        column -= 1  # the quotation mark
        for sign in cell.text.text[start : cell.text.offset(row + 1, 0)]:
            column -= len(_string(sign)) - 2
            if column < 0:
                break
            size += 1
        return start + size

    def outer(self, cell: Cell, offset: int) -> int:
        """The offset in the text for an offset in a cell."""
        row, column = cell.text.position(offset)
        start = self.text.starts[cell.row + row]
        return start + len(_string(cell.text.text[cell.text.starts[row] :][:column])) - 1

    def parts(self, edits: "Iterable[Edit]") -> "list[Part]":
        found: dict[str, Part] = {}
        for edit in edits:
            cell = self.cell_at(self.text.position(edit.start)[0])
            if cell is not None:
                changed = Edit(self.inner(cell, edit.start), self.inner(cell, edit.end), _written(edit.new))
                found.setdefault(cell.uri, (cell, []))[1].append(changed)
        return list(found.values())

    def difference(self, after: str) -> "list[Part]":
        from .actions import difference

        sources = ["".join(cell["source"]) for cell in json.loads(after)["cells"]]
        edits = [(cell, difference(cell.text.text, source)) for cell, source in zip(self.cells, sources)]
        return [(cell, changed) for cell, changed in edits if changed]


class CellView(View):
    """A notebook's View, seen from one of its cells."""

    _seen: View  # of the whole notebook

    def __init__(self, cell: Cell, seen: View) -> None:
        self.report, self.uri, self.is_earlier = seen.report, cell.uri, seen.is_earlier
        self._cell, self._seen = cell, seen

    def offset(self, line: int, character: int, encoding: str) -> "int | None":
        cell, whole = self._cell, self._cell.notebook
        offset = whole.outer(cell, cell.text.encoded_offset(line, character, encoding))
        return self._seen.offset(*whole.text.encoded_position(offset, encoding), encoding)

    def span(self, where: "Any", encoding: str) -> "tuple[int, int]":
        start = self.offset(where.start.line, where.start.character, encoding)
        end = self.offset(where.end.line, where.end.character, encoding)
        return start or 0, len(self.report.text.text) if end is None else end

    def shown(self, answer: "Any", encoding: str) -> "Any":
        """An answer with its places moved into the cell; list entries in other cells are left out."""
        return self._shown(self._seen.shown(answer, encoding), encoding)

    def _shown(self, answer: "Any", encoding: str) -> "Any":
        if isinstance(answer, list):
            return [self._shown(each, encoding) for each in answer if self._is_here(each)]
        if not isinstance(answer, dict):
            return answer
        if answer.keys() == {"line", "character"}:
            return self._place(answer, encoding)
        if "uri" in answer and "range" in answer:  # a location
            return self._location(answer, encoding)
        return {name: self._shown(value, encoding) for name, value in answer.items()}

    def _is_here(self, answer: "Any") -> bool:
        place = answer.get("position") or answer.get("range", {}).get("start") if isinstance(answer, dict) else None
        return place is None or "uri" in answer or self._cell.notebook.cell_at(place["line"]) is self._cell

    def _place(self, place: "dict[str, int]", encoding: str) -> "Json":
        whole = self._cell.notebook
        offset = whole.inner(self._cell, whole.text.encoded_offset(place["line"], place["character"], encoding))
        line, character = self._cell.text.encoded_position(offset, encoding)
        return {"line": line, "character": character}

    def _location(self, location: "Json", encoding: str) -> "Json":
        whole = self._cell.notebook
        cell = whole.cell_at(location["range"]["start"]["line"]) if location["uri"] == whole.uri else None
        if cell is None:
            return location
        there = CellView(cell, self._seen)
        return {
            "uri": cell.uri,
            "range": {name: there._place(each, encoding) for name, each in location["range"].items()},
        }


def _written(new: str) -> str:
    """A new text of the file as the text of a cell."""
    try:
        return str(json.loads(f'"{new}"', strict=False))
    except ValueError:
        return new


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
