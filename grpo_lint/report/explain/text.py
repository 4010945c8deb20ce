"""A story for a terminal: the answer first, then the picture when it is asked for, then the tables."""

from ...launch.path_ends import known_by_end
from ...message import Message, on_lines, parts, series, within
from ...plan.quantities import GROUPS
from ...source.shell_words import check_of
from ..language import ENGLISH
from ..messages import message_of
from ..printable import clean, shown_path
from ..text import cells, painter, wrapped
from .checks import FAILS, NOBODY, OK, OPEN, UNENFORCED, why_open
from .picture import Picture, in_text
from .story import Story

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Language, Paint, Report
    from .story import Given, Row

WIDEST_LABEL = 28
_GAP = 2
_STYLES = {OK: "fix", FAILS: "error", UNENFORCED: "warning", OPEN: "grey"}


def explanation(
    report: "Report",
    colour: bool,
    width: int,
    verbose: bool = False,
    picture: bool = False,
    language: "Language" = ENGLISH,
    teaches: bool = False,
) -> str:
    """The text about one file: of each launch what it was taken for, and what it does; `teaches`: what the words mean as well."""
    paint = painter(colour)
    path = shown_path(report.path)
    if not report.launches:
        return f"{paint('strong', path)}: {clean(language.text(report.skipped or why_not(report)))}\n\n"
    parts = []
    for launch in report.launches:
        lines = [paint("strong", path)]
        if launch.candidates:
            page = Page(Story(report, launch), paint, width, verbose, language)
            lines += [*page.lines(picture), *(page.lesson() if teaches else ())]
        else:
            lines += wrapped(clean(language.text(why_not(report))), width, first="  ", rest="    ")
        parts.append("\n".join(lines) + "\n\n")
    return "".join(parts)


def why_not(report: "Report") -> Message:
    """Why there is nothing to explain in a file."""
    return parts(map(message_of, report.findings)) or Message("no launch in it")


class Page:
    """The lines about one launch."""

    def __init__(
        self, story: "Story", paint: "Paint", width: int, verbose: bool, language: "Language" = ENGLISH
    ) -> None:
        self.language = language
        self.story = story
        self.paint = paint
        self.width = width
        self.verbose = verbose
        self.rows = [row for row in story.rows if verbose or row.is_told]
        self.label = min(max((cells(language.text(row.label)) for row in self.rows), default=0), WIDEST_LABEL)
        self.value = max((cells(self._value(row)) for row in self.rows if row.value is not None), default=0)

    def lines(self, picture: bool) -> "list[str]":
        lines = [*self._recognised(), "", *wrapped(self._answer(), self.width, "  ", "  ")]
        drawn = Picture.of(self.story) if picture else None
        if drawn:
            lines += ["", *in_text(drawn, self.paint, self.width, self.language)]
        lines += [*self._given(), *self._quantities(), *self._besides(), *self._checks(), *self._ending()]
        return lines

    def _besides(self) -> "list[str]":
        told = [clean(self.language.text(each)) for each in self.story.besides]
        lines = [line for each in told for line in wrapped(each, self.width, "    ", "      ")]
        return [*self._heading(Message("completions, loss and engine")), *lines] if lines else []

    def lesson(self) -> "list[str]":
        """What the kinds of parallelism are, and the loop of the run as pseudo code."""
        from .teach import kinds, loop  # most runs are explained without it

        say = self.language.text
        lines = self._heading(Message("the loop of this run"))
        lines += [f"    {'    ' * depth}{clean(say(line))}" for depth, line in loop(self.story.plan)]
        lines += self._heading(Message("how a model is spread over processes"))
        for each in kinds(self.story.plan, self.story.launch.framework.name):
            lines += ["", *wrapped(clean(say(each)), self.width, "    ", "    ")]
        return lines

    def _answer(self) -> str:
        return self.language.blank.join(clean(self.language.text(sentence)) for sentence in self.story.answer)

    def _recognised(self) -> "list[str]":
        story = self.story
        tr = self.language.text
        lines = wrapped(clean(tr(story.judged)), self.width, first="  ", rest="    ")
        if self.verbose:
            lines += wrapped(
                clean(tr(Message("recognised: {why}", {"why": story.report.why}))), self.width, first="  ", rest="    "
            )
        if story.launch.started_by is not None:
            command = clean(story.launch.started_by.invocation.resolved)
            lines += wrapped(
                tr(Message("starts: {command}", {"command": command})), self.width, first="  ", rest="    "
            )
            for name, path in known_by_end(story.launch.started_by).items():
                told = Message("{path} is taken for {name}, whose end it is", {"path": path, "name": name})
                lines += wrapped(clean(tr(told)), self.width, first="  ", rest="    ")
        return lines

    def _heading(self, text: Message) -> "list[str]":
        first, *more = wrapped(self.language.text(text), self.width, "  ", "    ")
        return ["", *(self.paint("label", line) for line in (first, *more))]

    def _given(self) -> "list[str]":
        given = [each for each in self.story.given if self.verbose or not each.is_default]
        name = max((cells(each.name) for each in given), default=0)
        texts = [self._value(each) for each in given]
        value = max(map(cells, texts), default=0)
        lines = self._heading(Message("given"))
        for each, text in zip(given, texts):
            head = f"    {_padded(each.name, name)}  {_right(text, value)}"
            lines += self._wrapped(head, clean(self.language.text(each.where)))
            if self.verbose and each.meaning:
                lines += self._remark(self.language.text(each.meaning))
        return lines

    def _remark(self, told: str) -> "list[str]":
        return [self.paint("grey", line) for line in wrapped(told, self.width, "      ", "      ")]

    def _value(self, told: "Given | Row") -> str:
        return self.language.text(told.text)

    def _quantities(self) -> "list[str]":
        lines: list[str] = []
        for group in GROUPS:
            rows = [row for row in self.rows if row.group == group]
            if group == "evaluation" and self.story.why_not_evaluated:
                lines += self._heading(self.story.why_not_evaluated)
            elif group == "memory" and self.story.why_no_memory:
                lines += self._heading(self.story.why_no_memory)
            elif rows:
                lines += self._heading(Message(group))
                lines += [line for row in rows for line in self._row(row)]
        return lines

    def _row(self, row: "Row") -> "list[str]":
        label, text = self.language.text(row.label), self._value(row)
        is_number = row.value is not None and type(row.value) is not bool
        how = self.language.text(row.how)
        how = f"= {how}" if how and is_number else how
        notes = " ".join(filter(None, [how, f"({row.own})" if row.own and row.own not in row.how else ""]))
        if row.value is None and row.text != "unknown":
            lines = wrapped(
                f"{text} {notes}".strip(),
                self.width,
                f"    {_padded(label, self.label)}  ",
                " " * (self.label + 8),
            )
        else:
            lines = self._wrapped(f"    {_padded(label, self.label)}  {_right(text, self.value)}", notes)
        lines[0] = lines[0].replace(label, self.paint("strong", label), 1)
        if row.concerns:
            concerns = self.language.text(Message("{codes} is about this", {"codes": series(list(row.concerns))}))
            lines.append("      " + self.paint("warning", concerns))
        if self.verbose and row.meaning:
            unit, meaning = self.language.text(row.unit), self.language.text(row.meaning)
            meaning = (self.language.within(row.name, unit) if unit else row.name) + self.language.colon + meaning
            lines += self._remark(meaning)
        return lines

    def _wrapped(self, head: str, text: str) -> "list[str]":
        """A row: its head, and what is told of it behind that, or below where there is no room."""
        room = cells(head) + _GAP
        words = max((cells(word) for word in text.split(" ")), default=0)
        if not text:
            return [head.rstrip()]
        if room + max(words, 20) <= self.width:
            found = wrapped(text, self.width, head + " " * _GAP, " " * room)
        else:
            found = [head.rstrip(), *wrapped(text, self.width, "        ", "          ")]
        return [on_lines(line) for line in found]

    def _checks(self) -> "list[str]":
        story = self.story
        lines: list[str] = []
        checks = [check for check in story.checks if self.verbose or not check.inner]
        moments = sorted(dict.fromkeys(check.when for check in checks), key=lambda when: when == NOBODY)
        tr = self.language.text
        widest = max((cells(tr(check.mark)) for check in checks), default=0)
        for when in moments:
            told = (
                Message("checks that {release} makes {when}", {"release": story.release, "when": when})
                if when != NOBODY
                else Message("checks that {release} does not make", {"release": story.release})
            )
            lines += self._heading(told)
            for check in checks:
                if check.when == when:
                    codes = series([check.rule.code, *map(Message, check.rule.also_called[:1])])
                    named = on_lines(tr(within(check.text, codes)))
                    named += self.language.colon + tr(why_open(story.plan, check)) if check.mark == OPEN else ""
                    head = f"    {_padded(tr(check.mark), widest)}  "
                    found = [on_lines(line) for line in wrapped(named, self.width, head, " " * (widest + 8))]
                    found[0] = found[0].replace(tr(check.mark), self.paint(_STYLES[check.mark], tr(check.mark)), 1)
                    lines += found
        return lines

    def _ending(self) -> "list[str]":
        story = self.story
        tr = self.language.text
        lines = [*map(tr, story.signs)]
        if any(row.own for row in self.rows):
            lines.append(
                tr(
                    Message(
                        "in parentheses: what {framework} or its documents call it",
                        {"framework": story.launch.framework.title},
                    )
                )
            )
        lines = [self.paint("grey", line) for text in lines for line in wrapped(text, self.width, "  ", "    ")]
        if story.ending:
            told, check = f"  {tr(story.ending)}{self.language.colon}", clean(check_of(story.report.path))
            fits = cells(told + check) <= self.width  # a command is not broken: its name may have blanks
            lines += [*([""] if lines else []), *([told + check] if fits else [told.rstrip(), f"    {check}"])]
        return ["", *lines] if lines else []


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cells(text))


def _right(text: str, width: int) -> str:
    return " " * (width - cells(text)) + text
