"""Text edits on the flags of a command in a launch script."""

from ..source.entry import COMPOSED, Flag
from ..source.overrides import Override
from ..source.text import Edit, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..checker.findings import Report
    from ..launch.launch import Launch, Setting
    from ..launch.origin import Origin
    from ..source.yaml.reader import Scalar

_GAPS = (" ", "\t", "\\\n", "\\\r\n")  # what separates two words


def replacement(report: "Report", launch: "Launch", setting: "Setting", value: object) -> "Edit | None":
    """The new value of a flag, where that value is written. None when several places or several launches use it.

    A variable that is set outside of the command may serve others, so it is edited only in a script with one launch.
    """
    node = setting.entry.value
    if getattr(node, "tag", None) == COMPOSED or not hasattr(node, "text"):
        return None
    origin: Origin = launch.origin  # type: ignore[assignment, unused-ignore]  # a command of this script
    command = origin.invocation.command
    if not command.start <= node.start <= command.end and len(report.launches) > 1:
        return None
    new = _quoted(value)
    return Edit(node.start, node.end, new if node.start < node.end else f" {new}")


def removal(report: "Report", setting: "Setting") -> "Edit | None":
    """The flag, its values, and the gap in front of it. The line break and the backslash in front go, those behind it
    stay."""
    flag = setting.entry
    if not isinstance(flag, Flag) or not _stands_alone(flag):  # a key of a config that the script writes is none
        return None
    start, end = _written(flag)
    while gap := next((gap for gap in _GAPS if report.text.text.endswith(gap, 0, start)), ""):
        start -= len(gap)
    return Edit(start, end, "")


def insertion(report: "Report", launch: "Launch", key: str, value: object) -> "Edit | None":
    """A flag behind the last related one, on a line of its own where that one has a line of its own."""
    own = {name: entry for name, entry in launch.own.items() if isinstance(entry, Flag) and _stands_alone(entry)}
    relatives = [entry for name, entry in own.items() if name in launch.framework.knobs] or list(own.values())
    if not relatives:
        return None
    text = report.text
    last = max(relatives, key=lambda entry: entry.key.start)
    start, end = _written(last)
    flag = f"{key}={_quoted(value)}" if isinstance(last, Override) else f"--{key} {_quoted(value)}"
    line_start = text.starts[text.position(start)[0]]
    indent = text.text[line_start:start]
    if indent.strip() or not indent:
        return Edit(end, end, f" {flag}")
    origin: Origin = launch.origin  # type: ignore[assignment, unused-ignore]  # a command of this script
    command = origin.invocation.command
    goes_on = " \\" if command.start <= start <= command.end else ""  # an array needs no backslash
    line_break = "\r\n" if "\r\n" in text.text else "\n"
    return Edit(end, end, f"{goes_on}{line_break}{indent}{flag}")


def _quoted(value: object) -> str:
    from shlex import quote  # only a fix in a script pays for it

    return quote(str(value[0] if type(value) is list and len(value) == 1 else value))


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
