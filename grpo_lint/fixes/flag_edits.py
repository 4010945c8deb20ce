"""Text edits on the flags of a command in a launch script, in a notebook, or in a list of Python."""

from ..source.entry import COMPOSED, Flag
from ..source.overrides import Override
from ..source.text import Edit, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from ..shared_types import Code, Entry, Launch, Origin, Report, Setting
    from ..source.yaml.reader import Scalar

    Written = TypeVar("Written", bound=Entry)

_GAPS = (" ", "\t", "\\\n", "\\\r\n")  # what separates two words


def replacement(report: "Report", launch: "Launch", setting: "Setting", value: object) -> "Edit | None":
    """The new value of a flag, where that value is written: in the command, or where a variable or an argument of a function gets it,
    which may serve other launches too. None when several places make the value."""
    node = setting.entry.value
    if getattr(node, "tag", None) == COMPOSED or not hasattr(node, "text"):
        return None
    origin: Origin = launch.origin  # type: ignore[assignment, unused-ignore]  # a command of this script
    new = _in_a_list(value) if origin.invocation.is_listed else _quoted(value)
    if new is None or (origin.invocation.is_listed and node.start == node.end):
        return None
    return Edit(node.start, node.end, new if node.start < node.end else f" {new}")


def removal(report: "Report", launch: "Launch", setting: "Setting") -> "Edit | None":
    """The flag, its values, and the gap in front of it. The line break and the backslash in front go, those behind it
    stay."""
    flag = setting.entry
    if not isinstance(flag, Flag) or not _stands_alone(flag):  # a key of a config that the script writes is none
        return None
    code = _code_of(report)
    start, end = code.inner_span(*_written(flag))
    if launch.origin is not None and launch.origin.invocation.is_listed:
        return _item_removal(code, start - 1, end + 1)
    while gap := next((gap for gap in _GAPS if code.shown.text.endswith(gap, 0, start)), ""):
        start -= len(gap)
    return Edit(code.raw(start), code.raw_end(end), "")


def insertion(report: "Report", launch: "Launch", key: str, value: object) -> "Edit | None":
    """A flag behind the last related one, on a line of its own where that one has a line of its own."""
    own = {
        name: entry
        for name, entry in launch.entries_in_this_file.items()
        if isinstance(entry, Flag) and _stands_alone(entry)
    }
    last = last_relative(launch, own)
    if last is None:
        return None
    code = _code_of(report)
    text = code.shown
    written = _written(last)
    start, end = code.inner_span(*written)
    place = code.raw_end(end)
    line_start = text.starts[text.position(start)[0]]
    line_break = "\r\n" if "\r\n" in text.text else "\n"
    origin: Origin = launch.origin  # type: ignore[assignment, unused-ignore]  # a command of this script
    if origin.invocation.is_listed:
        new, quote = _in_a_list(value), text.text[start - 1 : start]
        place = code.raw_end(end + 1)
        indent = text.text[line_start : start - 1]
        gap = " " if indent.strip() else f"{line_break}{indent}"
        return None if new is None else Edit(place, place, f",{gap}{quote}--{key}{quote}, {quote}{new}{quote}")
    told = _quoted(value)
    flags = launch.framework.reader.flags
    added = "" if launch.fields(launch.candidates[0])[key] else "+"  # of a section that takes any setting
    flag = f"{added}{key}={told}" if isinstance(last, Override) else flags.written(key, told, value is True)
    indent = text.text[line_start:start]
    if indent.strip() or not indent:
        return Edit(place, place, f" {flag}")
    command = origin.invocation.command
    goes_on = " \\" if command.start <= written.start <= command.end else ""  # an array needs no backslash
    return Edit(place, place, f"{goes_on}{line_break}{indent}{flag}")


def last_relative(launch: "Launch", own: "dict[str, Written]") -> "Written | None":
    """The last of some entries, of those that sizes are said with where there is one: a new one comes behind it."""
    relatives = [entry for name, entry in own.items() if name in launch.framework.knobs.names] or own.values()
    return max(relatives, key=lambda entry: entry.key.start, default=None)


def _code_of(report: "Report") -> "Code":
    """The text in which the flags of a report stand, as people wrote it: in a notebook inside of strings of JSON."""
    if report.code is not None:
        return report.code
    from ..source.python.code import Code  # only a fix in a script pays for it

    return Code(report.text)


def _in_a_list(value: object) -> str | None:
    """A value as a text of Python holds it between its quotes, None for one that would need to be escaped."""
    value = value[0] if type(value) is list and len(value) == 1 else value
    told = str(value)
    return None if type(value) is list or not told.isprintable() or set(told) & set("\"'\\") else told


def _item_removal(code: "Code", start: int, end: int) -> "Edit | None":
    """Items of a list with the comma behind them, and the line when nothing else stands on it; the comma in front of the last
    ones."""
    import re

    text = code.shown.text
    behind = re.compile(r"[ \t]*,([ \t]*)(\n?)").match(text, end)
    line = text.rfind("\n", 0, start) + 1
    if behind is None:
        before = re.search(r",\s*\Z", text[:start])
        start = before.start() if before else start
    elif behind[2] and not text[line:start].strip():
        start, end = line, behind.end()
    elif behind[2]:
        start, end = len(text[:start].rstrip(" \t")), behind.start(1)
    elif text[behind.end() : behind.end() + 1] == "#":  # a comment is about what stands in front of it
        return None
    else:
        end = behind.end()
    return Edit(code.raw(start), code.raw_end(end), "")


def _quoted(value: object) -> str:
    from ..source.shell_words import shell_word  # only a fix in a script pays for it

    return shell_word(str(value[0] if type(value) is list and len(value) == 1 else value))


def _stands_alone(flag: "Flag") -> bool:
    """Whether the text of a flag and its values is theirs alone. In a folded or escaped text of YAML only the whole
    text has a place."""
    if isinstance(flag, Override):
        return flag.start < flag.end and flag.key.tag is None  # type: ignore[union-attr]  # a scalar
    key: Scalar = flag.key  # type: ignore[assignment]  # as that of every flag is
    return key.tag is None and all(word.start >= key.end for word in flag.words)


def _written(flag: "Flag") -> "Span":
    """The Span of a flag with its dashes and values, as the script writes them."""
    if isinstance(flag, Override):
        return Span.of(flag)
    return Span(flag.key.start - 2, max([flag.key.end, *(word.end for word in flag.words)]))
