"""The Python of a file, and the mapping from its offsets to those of the file. In a notebook the Python is in pieces,
inside JSON strings."""

from bisect import bisect_right

from ..text import Edit, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Iterable, Piece


class Code:
    """The Python of a plain Python file.

    text      its `Text`; `raw` and `raw_end` take offsets in it
    shown     the text as written, including what only IPython accepts
    scripts   the shell scripts in it, each as pieces of the file
    written   the files that it writes
    """

    def __init__(self, text: Text) -> None:
        self.text = self.shown = text
        self.scripts: list[list[Piece]] = []
        self.written: list[Written] = []

    def raw(self, offset: int) -> int:
        """The offset in the file of a character of the Python."""
        return offset

    def raw_end(self, offset: int) -> int:
        """The offset in the file behind the character that precedes an offset of the Python."""
        return offset

    def inner(self, offset: int) -> int:
        """The offset in the Python of an offset in the file; that of the next character where there is none."""
        return offset

    def inner_span(self, start: int, end: int) -> "tuple[int, int]":
        """(start, end) in the Python of a part of the file."""
        first = self.inner(start)
        return first, self.inner(end - 1) + 1 if end > start else first

    def place(self, offset: int) -> str:
        """An offset of the file as it is shown to users: '12:5', or 'cell 3:2:5' in a notebook."""
        row, column = self.text.position(offset)
        return f"{row + 1}:{column + 1}"

    def line(self, row: int) -> int:
        """The line number, from 1, that users see for a row of the Python: in a notebook, the number within its
        cell."""
        return row + 1

    def cell_start(self, offset: int) -> int:
        """The offset in the Python at which the cell of another offset begins."""
        return 0

    def edits(self, start: int, end: int, new: str) -> "list[Edit]":
        """The edits of the file that replace a part of the Python by a new text."""
        return [Edit(start, end, new)]

    def escaped(self, new: str) -> str:
        """A text with the escapes that the file needs."""
        return new


class Written:
    """A file that a cell of a notebook writes: its `name`, and the place of its text in the Python."""

    def __init__(self, name: str, start: int, end: int) -> None:
        self.name = name
        self.start = start
        self.end = end


class Run:
    """A run of characters that are contiguous in the file: `size` characters of the Python at `start`, `raw_size`
    characters of the file at `raw`. An escaped character is a run of its own. `string`: the number of the string of the
    file that holds it."""

    def __init__(self, start: int, size: int, raw: int, raw_size: int, string: int) -> None:
        self.start = start
        self.size = size
        self.raw = raw
        self.raw_size = raw_size
        self.string = string


class Cells(Code):
    """The Python of the cells of a notebook, one below the other. `cells`: [(number of the cell, offset in the Python
    at which it begins)]."""

    def __init__(self, text: Text, runs: "list[Run]", cells: "list[tuple[int, int]]") -> None:
        super().__init__(text)
        self.cells = cells
        self._runs = runs
        self._starts: list[int] = [run.start for run in runs]
        self._raws: list[int] = [run.raw for run in runs]

    def with_text(self, text: Text) -> "Cells":
        """These cells with another text of equal length, where a part of some was replaced."""
        return Cells(text, self._runs, self.cells)

    def _run(self, offset: int) -> "Run | None":
        at = bisect_right(self._starts, offset) - 1
        return self._runs[at] if at >= 0 else None

    def raw(self, offset: int) -> int:
        run = self._run(offset)
        if run is None:
            return 0
        inside = offset - run.start
        return run.raw + (inside if run.size == run.raw_size and inside <= run.size else min(inside, 1) * run.raw_size)

    def raw_end(self, offset: int) -> int:
        run = self._run(offset - 1)
        if run is None:
            return self.raw(offset)
        return run.raw + (
            offset - run.start if run.size == run.raw_size and offset - run.start <= run.size else run.raw_size
        )

    def inner(self, offset: int) -> int:
        at = bisect_right(self._raws, offset) - 1
        if at < 0:
            return 0
        run = self._runs[at]
        if offset >= run.raw + run.raw_size:
            return run.start + run.size
        return run.start + (offset - run.raw if run.size == run.raw_size else 0)

    def place(self, offset: int) -> str:
        inner = self.inner(offset)
        row, column = self.text.position(inner)
        return f"cell {self._cell(inner)[0]}:{self.line(row)}:{column + 1}"

    def line(self, row: int) -> int:
        start = self._cell(self.text.starts[row])[1]
        return row - self.text.position(start)[0] + 1

    def _cell(self, inner: int) -> "tuple[int, int]":
        """(number, offset at which it begins) of the cell that holds an offset of the Python."""
        at = bisect_right(self.cells, inner, key=lambda cell: cell[1]) - 1
        return self.cells[max(at, 0)] if self.cells else (1, 0)

    def cell_start(self, offset: int) -> int:
        return self._cell(offset)[1]

    def edits(self, start: int, end: int, new: str) -> "list[Edit]":
        """One edit for each string of the file that holds a part of it; the new text goes into the first."""
        new = self.escaped(new)
        if start == end:
            at = self.raw(start) if start == self.cell_start(start) else self.raw_end(start)
            return [Edit(at, at, new)]
        found: list[Edit] = []
        string = -1
        for run in self._runs:
            first, last = max(start, run.start), min(end, run.start + run.size)
            if first >= last:
                continue
            begin, behind = self.raw(first), self.raw_end(last)
            if run.string == string and found:
                found[-1] = Edit(found[-1].start, behind, found[-1].new)
            else:
                found.append(Edit(begin, behind, "" if found else new))
            string = run.string
        return found

    def escaped(self, new: str) -> str:
        return "".join(_ESCAPES.get(each, each) for each in new)


# escapes in a JSON string
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def pieces_of(code: Code, parts: "Iterable[tuple[int, int]]") -> "list[Piece]":
    """Parts of the Python, (start, end) each, as pieces of a script with their places in the file."""
    from ..shell.tree import Piece

    found = []
    for start, end in parts:
        at = start
        while at < end:
            run = code._run(at) if isinstance(code, Cells) else None
            last = end if run is None else min(end, max(run.start + run.size, at + 1))
            exact = run is None or run.size == run.raw_size
            found.append(Piece(code.text.text[at:last], code.raw(at), code.raw_end(last), exact=exact))
            at = last
    return found
