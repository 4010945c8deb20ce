"""Findings for people: the place, the lines that matter, the numbers, who refuses it when, and what to do."""

import os

from ..checker.findings import preferred, span_of
from ..files import disk
from ..message import NOTHING, Message, verbatim, within
from .language import ENGLISH, is_chinese
from .messages import (
    advice,
    contributions,
    gathered,
    judged_as,
    moment,
    release,
    sentence,
    suggestion,
    text_of,
    verdict,
)
from .printable import JOINER, clean, ends_of_marks, shown_character, shown_path
from .totals import fixable, summary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from ..shared_types import (
        Callable,
        Contribution,
        Finding,
        Iterable,
        Iterator,
        Language,
        Launch,
        Report,
        Text,
        Totals,
    )

    Paint = Callable[[str, str], str]  # (style, text)
    Mark = tuple[int, int, str]  # (first column, last column, "at" or "part")
    Remark = tuple[Message, str, Message]  # (label, its style, text)

WIDTH = 100  # where no terminal says otherwise
NARROWEST, WIDEST = 40, 120  # a sentence that is wider is hard to read
MOST_LINES = 6  # of the file in one finding, besides the one that is pointed at; 2 in short
MOST_FIXES = 3  # 2 in short
MOST_FILES = 3  # that are named of those with the same infos
FIXABLE = "[*]"  # marks what plain --fix mends

_CODES = {"error": "1;31", "warning": "1;33", "info": "36", "strong": "1", "grey": "2", "label": "1;34", "fix": "32"}


def painter(colour: bool) -> "Paint":
    """A function that paints a text in one of the styles above, or leaves it as it is."""
    if not colour:
        return lambda style, text: text
    return lambda style, text: f"\x1b[{_CODES[style]}m{text}\x1b[0m" if text else ""


def terminal_width(stream: "IO[str]") -> int:
    """How many columns to fill."""
    width = disk.environment("COLUMNS") or ""
    if width.isdecimal() and int(width):
        return min(max(int(width), NARROWEST), WIDEST)
    columns = disk.columns(stream)
    return WIDTH if not columns else min(max(columns, NARROWEST), WIDEST)


# --- the width of a text ----------------------------------------------------------------------


def cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return len(text) if text.isascii() else sum(map(_cells_of_character, text))


def _cells_of_character(character: str) -> int:
    if character < "\u0300":
        return 1
    if is_chinese(character):
        return 2
    from unicodedata import category, east_asian_width

    if category(character) in ("Mn", "Me", "Cf"):  # accents and joiners share the cell of their neighbour
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def wrapped(text: str, width: int, first: str = "", rest: str = "") -> "list[str]":
    """The text in lines of at most `width` columns, words kept whole; `first` and `rest` begin the lines."""
    lines, line, used = [], first, cells(first)
    room = False  # whether the line holds a word already
    for gap, word in _words(text):
        needed = cells(word)
        if (
            room and used + len(gap) + needed > width and not word.startswith("::")
        ):  # at the beginning of a line, a command to GitHub
            lines.append(line)
            line, used, room = rest, cells(rest), False
        line += f"{gap}{word}" if room else word
        used += needed + (len(gap) if room else 0)
        room = True
    return [*lines, line]


def _words(text: str) -> "Iterator[tuple[str, str]]":
    """The words of a text that a line must not break, each with the blank in front of it. Chinese has no blanks: there
    a line may end behind every character that no punctuation follows."""
    for place, word in enumerate(text.split(" ")):
        gap = " " if place else ""
        if not word.isascii():
            start = 0
            for at in range(1, len(word)):
                if _may_break(word[at - 1], word[at]):
                    yield gap, word[start:at]
                    gap, start = "", at
            word = word[start:]
        yield gap, word


_NOT_FIRST = "，。；：、？！）」』”’》…"  # of a line
_NOT_LAST = "（「『“‘《"


def _may_break(before: str, after: str) -> bool:
    """Whether a line may end between two characters."""
    ideographs = "\u2e80" <= before <= "\uffef" or "\u2e80" <= after <= "\uffef"
    return ideographs and after not in _NOT_FIRST and before not in _NOT_LAST


# --- the report -----------------------------------------------------------------------------------------------------


class TextPrinter:
    """Prints reports for people. A finding takes about ten lines; one that was printed for an earlier file takes one.

    `quiet` leaves out the lines about files and the summary. `verbose` adds where the numbers come from, why it
    matters, and the framework's own words.
    """

    shows_fixes = True

    def __init__(
        self,
        colour: bool = False,
        width: int = WIDTH,
        quiet: bool = False,
        verbose: bool = False,
        language: "Language" = ENGLISH,
    ) -> None:
        self.paint = painter(colour)
        self.width = width
        self.quiet = quiet
        self.verbose = verbose
        self.language = language
        self._told: dict[tuple[str, ...], str] = {}  # what makes findings equal -> the place where it was told in full
        self._infos: dict[str, list[str]] = {}  # what is told at the end -> the files that it is told of
        self._line = ("", "")  # the last line that was shown, and what is shown of it: a long one may be told of often

    def file(self, report: "Report") -> str:
        """The text about one file; nothing for a file without findings."""
        if not report.findings:
            return ""
        explained: set[str] = set()
        blocks: list[list[str]] = []
        repeated: list[str] = []
        for finding in report.findings:
            if finding.severity == "info":
                continue
            if self._place_of_equal(report, finding):
                repeated.append(self._again(report, finding))
            else:
                blocks.append(self.finding(report, finding, explained))
        if blocks and not self.quiet:
            blocks.insert(0, self.heading(report))
        blocks += [repeated, self._infos_of(report)]
        return "".join("\n".join(block) + "\n\n" for block in blocks if block)

    def _infos_of(self, report: "Report") -> "list[str]":
        """The line of infos about a file; nothing where it is kept for the end, with those of other files."""
        infos = [finding for finding in report.findings if finding.severity == "info"]
        if not infos:
            return []
        told = self.infos(infos)
        if self.verbose:
            return [self._of_files(told, [report.path])]
        self._infos.setdefault(told, []).append(report.path)
        return []

    def _place_of_equal(self, report: "Report", finding: "Finding") -> str:
        """Where an equal finding of another file was printed; empty where there was none."""
        if self.verbose:
            return ""
        fixes = (suggestion(fix) for fix in finding.fixes)
        equal = (finding.severity, finding.rule.code, sentence(finding), finding.note, *fixes)
        place = self._told.setdefault(equal, self._place_of(report, finding))
        return "" if place.startswith(f"{clean(report.path)}:") else place

    def _again(self, report: "Report", finding: "Finding") -> str:
        """The line about a finding that was printed for another file."""
        head = self.paint(finding.severity, f"{self.language.text(Message(finding.severity))}[{finding.rule.code}]")
        place = self._place_of(report, finding).removeprefix(clean(report.path))
        same = self.language.text(Message("as in {place}", {"place": self._place_of_equal(report, finding)}))
        return f"{shown_path(report.path)}{place}: {head}: {same}"

    def _place_of(self, report: "Report", finding: "Finding") -> str:
        start = span_of(finding).start
        if report.code is not None:
            return f"{clean(report.path)}:{report.code.place(start)}"
        row, column = report.text.position(start)
        return f"{clean(report.path)}:{row + 1}:{column + 1}"

    def end(self, totals: "Totals") -> str:
        infos = "".join(f"{self._of_files(told, paths)}\n\n" for told, paths in self._infos.items())
        return infos + ("" if self.quiet else self._summary(totals))

    def _summary(self, totals: "Totals") -> str:
        style = "error" if totals.errors or totals.broken else "warning" if totals.warnings else "strong"
        told = [self.paint(style, self.language.text(summary(totals))), *map(self.language.text, fixable(totals))]
        return "".join(f"{line}\n" for line in told)

    def heading(self, report: "Report") -> "list[str]":
        """What the file was judged as: the first thing to look at when a finding surprises."""
        concerned = dict.fromkeys(finding.launch for finding in report.findings if finding.severity != "info")
        judged = report.launches if len(report.launches) == 1 else [launch for launch in concerned if launch]
        told = dict.fromkeys(judged_as(launch) for launch in judged)  # two branches of a script may start the same run
        return [
            line
            for each in told
            for line in wrapped(
                f"{shown_path(report.path)}: {self.language.text(Message('judged as {run}', {'run': each}))}",
                self.width,
                rest="  ",
            )
        ]

    def infos(self, infos: "list[Finding]") -> str:
        """The infos about a file, in one line."""
        return self.language.semicolon.join(
            dict.fromkeys(
                self.language.within(clean(sentence(finding, self.language)), finding.rule.code) for finding in infos
            )
        )

    def _of_files(self, told: str, paths: "list[str]") -> str:
        """The line of infos about one file, or about several with the same infos."""
        names = [shown_path(path) for path in paths[:MOST_FILES]]
        more = (
            f" {self.language.text(Message('and {count} more files', {'count': len(paths) - len(names)}))}"
            if len(paths) > len(names)
            else ""
        )
        return f"{', '.join(names)}{more}: {self.paint('info', self.language.text(Message('info')))}: {told}"

    def finding(self, report: "Report", finding: "Finding", explained: "set[str]") -> "list[str]":
        """The lines about one finding; `explained`: rules whose why this file has read already."""
        launch = finding.launch
        parts = contributions(finding, launch) if launch else []
        return [
            *self._title(finding),
            self._place(report, finding),
            *self._snippet(report, finding, parts),
            *self._remarks(finding, parts, explained),
        ]

    def _title(self, finding: "Finding") -> "list[str]":
        severity, code = finding.severity, finding.rule.code
        mark = f" {FIXABLE}" if preferred(finding) else ""
        head = f"{self.language.text(Message(severity))}[{code}]{mark}: "
        lines = wrapped(clean(sentence(finding, self.language)), self.width, first=head, rest="    ")
        head, _, tail = lines[0].partition(": ")
        lines[0] = self.paint(severity, head) + ": " + self.paint("strong", tail)
        return [lines[0], *(self.paint("strong", line) for line in lines[1:])]

    def _place(self, report: "Report", finding: "Finding") -> str:
        name = self.paint("grey", f"({finding.rule.name})")
        return f"  {self.paint('label', '-->')} {self._place_of(report, finding)} {name}"

    # --- the lines of the file

    def _snippet(self, report: "Report", finding: "Finding", parts: "list[Contribution]") -> "list[str]":
        text, code = report.text, report.code
        spans = self._spans(finding, parts)
        if code is not None:
            text, spans = code.shown, [(*code.inner_span(start, end), kind) for start, end, kind in spans]
        rows = _marks_by_row(text, spans)
        if not rows or not text.text:
            return []
        gutter = len(str(max(rows) + 1))
        room = max(self.width - gutter - 4, 20)
        bar = f" {'':{gutter}} {self.paint('label', '|')}"
        lines = []
        for row, previous in zip(sorted(rows), (None, *sorted(rows))):
            if self.verbose and previous is not None and row > previous + 1:
                lines.append(self.paint("label", f" {'...':<{gutter}}"))
            line = row + 1 if code is None else code.line(row)
            shown, marks = clip(self._without_passwords(text.line_text(row)), rows[row], room)
            pointed = any(kind == "at" for _, _, kind in rows[row])
            number = self.paint("label", f" {line:>{gutter}} |")
            lines.append(f"{number} {shown if pointed else self.paint('grey', shown)}".rstrip())
            if pointed or self.verbose:
                lines.append(f"{bar} {self._underlined(marks, finding.severity)}")
        return [bar, *lines, bar] if self.verbose else lines

    def _spans(self, finding: "Finding", parts: "list[Contribution]") -> "list[Mark]":
        """What is shown of a file: where the numbers come from, and what is pointed at."""
        most = MOST_LINES if self.verbose else 2
        spans = [(*part.span, "part") for part in parts if part.span is not None and not part.overridden][:most]
        if finding.span is not None or finding.at is not None:
            spans.append((*span_of(finding), "at"))
        return spans

    def _without_passwords(self, line: str) -> str:
        if self._line[0] != line:
            from ..source.hiding import masked

            self._line = line, masked(line)
        return self._line[1]

    def _underlined(self, marks: "Iterable[Mark]", severity: str) -> str:
        """Carets under what is pointed at, dashes under what contributes."""
        line, at = "", 0
        for start, end, kind in marks:
            start = max(start, at)
            if end > start:
                sign, style = ("^", severity) if kind == "at" else ("-", "grey")
                line += " " * (start - at) + self.paint(style, sign * (end - start))
                at = end
        return line

    # --- what there is to say

    def _remarks(self, finding: "Finding", parts: "list[Contribution]", explained: "set[str]") -> "list[str]":
        is_new = finding.rule.code not in explained
        explained.add(finding.rule.code)
        told = self._at_length if self.verbose else self._in_short
        remarks = [*told(finding, parts, is_new), *self._ways_out(finding)]
        return [
            line
            for label, style, text in remarks
            if text
            for line in self._remark(label, style, clean(self.language.text(text)))
        ]

    def _at_length(self, finding: "Finding", parts: "list[Contribution]", is_new: bool) -> "Iterator[Remark]":
        yield Message("from"), "grey", gathered([part for part in parts if part.span is None or part.overridden])
        yield Message("note"), "label", finding.note
        if is_new:
            yield Message("why"), "label", text_of(finding.rule, finding.rule.why)
        yield Message("when"), "label", self._when(finding)
        yield Message("code"), "label", _check_of(finding)

    def _in_short(self, finding: "Finding", parts: "list[Contribution]", is_new: bool) -> "Iterator[Remark]":
        launch = finding.launch
        if launch and "misspelt" not in finding.values:
            by_default = [part for part in parts if part.release and part.name == launch.framework.reader.trainer.field]
            yield Message("from"), "grey", gathered(by_default)
        yield Message("note"), "label", finding.note
        when, page = self._when(finding), verbatim(f"grpo-lint rule {finding.rule.code}")
        if is_new and not when:
            yield Message("more"), "label", page
        yield Message("when"), "label", within(when, page) if is_new and when else when
        yield Message("code"), "label", _check_of(finding)

    def _when(self, finding: "Finding") -> Message:
        """When which release refuses this."""
        launch = finding.launch
        if not launch or not launch.candidates:
            return NOTHING
        return verdict(finding, launch, quoted=self.verbose) or _nobody(finding, launch)

    def _ways_out(self, finding: "Finding") -> "Iterator[Remark]":
        fixes = [suggestion(fix) for fix in finding.fixes[: MOST_FIXES if self.verbose else 2]]
        for number, fix in enumerate(fixes or [advice(finding)]):
            yield Message("or") if number else Message("fix"), "fix", fix
        if finding.search_stopped:
            stopped = Message("the search for fixes stopped early in this file: there may be more and better ones")
            yield Message("note"), "label", stopped

    def _remark(self, label: Message, style: str, text: str) -> "list[str]":
        word = self.language.text(label)
        head = f"{' ' * (6 - cells(word))}{word}{self.language.colon}"
        lines = wrapped(text, self.width, first=head, rest=" " * cells(head))
        if style == "grey":
            return [self.paint("grey", line) for line in lines]
        return [self.paint(style, head) + lines[0][len(head) :], *lines[1:]]


def _check_of(finding: "Finding") -> Message:
    """Where the code of a copy refuses this, as editors and terminals open it."""
    if finding.check is None:
        return NOTHING
    text, span = finding.check
    path = min(os.path.relpath(text.path), text.path, key=len)
    return verbatim(f"{shown_path(path)}:{text.position(span.start)[0] + 1}")


def _nobody(finding: "Finding", launch: "Launch") -> Message:
    """The text for a finding with numbers that no version refuses."""
    if finding.rule.broken is None or finding.candidate is None or finding.severity == "info":
        return NOTHING
    told = {"release": release(launch, finding.candidate)}
    row = finding.candidate.enforced.get(finding.rule.name)
    if row is not None and row.moment:
        return Message("{release} starts it: {happens}", {**told, "happens": moment(row)})
    return Message("{release} does not refuse this: the run starts", told)


def _marks_by_row(text: "Text", spans: "Iterable[Mark]") -> "dict[int, list[Mark]]":
    """{row: [(first column, last column, kind)]}; a span over several lines is marked on its first."""
    rows: dict[int, list[Mark]] = {}
    for start, end, kind in spans:
        row, first = text.position(start)
        end_row, last = text.position(end)
        length = len(text.line_text(row))
        rows.setdefault(row, []).append((min(first, length), last if end_row == row else length, kind))
        if kind == "at" and not text.line_text(row).strip():
            _show_what_stands_before(text, row, rows)
    return rows


def _show_what_stands_before(text: "Text", row: int, rows: "dict[int, list[Mark]]") -> None:
    """An empty line says nothing (a mistake at the end of the file): show the last line with text as well."""
    before = next((other for other in range(row - 1, -1, -1) if text.line_text(other).strip()), None)
    if before is not None:
        rows.setdefault(before, [])


def clip(line: str, marks: "list[Mark]", room: int) -> "tuple[str, list[Mark]]":
    """(what of a line is shown in `room` columns, the marks in those columns): of a long line, the part with the
    marks."""
    marks = sorted(marks, key=lambda mark: (mark[0], mark[2] == "part"))
    low, high = _in_sight(line, marks, room)
    start, prefix = 0, ""
    if _is_wider(line[:high], room - 3):
        slack = min(room // 3, room - 6 - cells(clean(line[low:high])))
        start = low
        while start and cells(clean(line[start - 1 : low])) <= slack:
            start -= 1
        prefix = "..." if start else ""
    shown, edges, used = [prefix], [len(prefix)], len(prefix)
    hidden = ends_of_marks(line)
    for column in range(start, len(line)):
        piece = shown_character(line[column]) if column not in hidden else f"{JOINER}#"
        used += cells(piece)
        if used > room - 3 and used + cells(clean(line[column + 1 : column + 1 + room])) > room:
            shown.append("...")
            break
        shown.append(piece)
        edges.append(used)
    last = len(edges) - 1

    def cell(column: int) -> int:
        return edges[min(max(column - start, 0), last)]

    in_sight = [mark for mark in marks if mark[2] == "at" or (mark[0] >= start and mark[0] < start + last)]
    return "".join(shown), [(cell(first), max(cell(end), cell(first) + 1), kind) for first, end, kind in in_sight]


def _is_wider(text: str, room: int) -> bool:
    """Whether a text takes more columns than there are. Of a long line only as much is looked at as fills them: a command
    of thousands of flags is shown with each of its findings."""
    used = 0
    for start in range(0, len(text), room):
        used += cells(clean(text[start : start + room]))
        if used > room:
            return True
    return False


def _in_sight(line: str, marks: "list[Mark]", room: int) -> "tuple[int, int]":
    """The columns that must be visible: all marks when they fit, else the one that is pointed at."""
    if not marks:
        return 0, 0
    low, high = marks[0][0], max(end for _, end, _ in marks)
    if cells(clean(line[low : min(high, low + room)])) <= room - 6 and high - low <= room:
        return low, high
    return next(((first, end) for first, end, kind in marks if kind == "at"), marks[0][:2])
