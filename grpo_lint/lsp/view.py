"""A report as answers use it, with its places mapped to the current text.

A half-typed line often makes a text that cannot be parsed. The earlier report is still used then: each place is moved
by the lines that were added or removed around it.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..shared_types import Report, Text


class View:
    """A report, seen from the current text.

    report   of an earlier text while the current one cannot be parsed
    uri      that of its document
    is_earlier   whether the report is of an earlier text
    """

    _first: int  # lines before this one are the same in both texts
    _last: int  # in the report's text, lines from this one on are in the current text, ...
    _moved: int  # ... so many lines further down

    def __init__(self, report: "Report", uri: str, today: "Text", is_earlier: bool) -> None:
        self.report = report
        self.uri = uri
        self.is_earlier = is_earlier
        self._today = today
        if not is_earlier:
            self._first, self._last, self._moved = today.line_count, today.line_count, 0
            return
        old, new = report.text, today
        before = _alike(old.text, new.text)
        is_end = all(text.text[before : before + 1] in ("", "\n", "\r") for text in (old, new))  # of a line
        self._first = old.position(before)[0] + is_end
        behind = _alike(*(text.text[before:][::-1] for text in (old, new)))
        ends = [text.position(len(text.text) - behind) for text in (old, new)]
        whole = all(column == 0 for _, column in ends)  # the common end begins with a line
        self._last = max(self._first, ends[0][0] + (not whole))
        self._moved = new.line_count - old.line_count

    def offset(self, line: int, character: int, encoding: str) -> "int | None":
        """The offset in the report's text of a place in the current text; None where the line is only in the current
        text."""
        if line >= self._first:
            if line < self._last + self._moved:
                return None
            line -= self._moved
        return self.report.text.encoded_offset(line, character, encoding)

    def nearest(self, offset: int, at_end: bool) -> int:
        """The offset in the report's text of one in the current text; for one that is only there, an end of what was
        edited."""
        line, column = self._today.position(offset)
        if line >= self._first:
            if line < self._last + self._moved:
                return self.report.text.offset(self._last if at_end else self._first, 0)
            line -= self._moved
        return self.report.text.offset(line, column)

    def span(self, where: "Any", encoding: str) -> "tuple[int, int]":
        """(start, end) in the report's text of a range in the current text, including what was edited between."""
        start = self.offset(where.start.line, where.start.character, encoding)
        end = self.offset(where.end.line, where.end.character, encoding)
        text = self.report.text
        return (
            text.offset(self._first, 0) if start is None else start,
            text.offset(self._last, 0) if end is None else end,
        )

    def shown(self, answer: "Any", encoding: str) -> "Any":
        """An LSP answer about the report, with its places moved to the current text."""
        if self.is_earlier:
            self._move(answer, encoding)
        return answer

    def _move(self, answer: "Any", encoding: str) -> None:
        if isinstance(answer, list):
            for each in answer:
                self._move(each, encoding)
        elif isinstance(answer, dict):
            if answer.keys() == {"line", "character"}:
                self._move_place(answer, encoding)
            elif "range" not in answer or answer.get("uri", self.uri) == self.uri:  # not a place in another file
                self._move(list(answer.values()), encoding)

    def _move_place(self, place: "dict[str, int]", encoding: str) -> None:
        line = place["line"]
        if line < self._first:
            return
        if line >= self._last:
            place["line"] += self._moved
            return
        today = self._today
        line = min(line, max(self._last + self._moved - 1, self._first), today.line_count - 1)
        place["line"], place["character"] = today.encoded_position(
            today.encoded_offset(line, place["character"], encoding), encoding
        )


def _alike(one: str, other: str) -> int:
    """How many characters both texts have in common at their beginning."""
    if one == other:
        return len(one)
    least, most = 0, min(len(one), len(other))
    while least < most:
        middle = (least + most + 1) // 2
        if one[least:middle] == other[least:middle]:
            least = middle
        else:
            most = middle - 1
    return least
