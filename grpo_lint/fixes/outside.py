"""Where a script gives a flag its value outside of the command, or Python a keyword outside of the call: in a variable, an argument of a
function, a list of a loop."""

from ..source.entry import COMPOSED, Keyword

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Code, Launch, Report


def set_outside(report: "Report", launch: "Launch", key: str) -> "tuple[str, int] | None":
    """(variable, line) where a setting gets its value outside of the command that it is a flag of; the variable is empty where an argument
    of a function or an item of a list is the value."""
    setting, origin = launch.setting(key), launch.origin
    if setting is None or setting.text is not None:
        return None
    if isinstance(setting.entry, Keyword):
        return _set_in_python(report, setting.entry)
    if origin is None or origin.script is not None:
        return None
    node, command = setting.entry.value, origin.invocation.command
    is_elsewhere = hasattr(node, "text") and getattr(node, "tag", None) != COMPOSED and node.start < node.end
    if not is_elsewhere or command.start <= node.start <= command.end:
        return None
    start = node.start
    text, line = report.text, report.text.position(start)[0]
    before = text.line_text(line)[: start - text.starts[line]].rstrip("'\"")
    return _variable_before(before), line + 1


def _set_in_python(report: "Report", entry: Keyword) -> "tuple[str, int] | None":
    """(variable, line) of the literal that gives a keyword of a call its value through a name."""
    code: Code | None = report.code
    if code is None or entry.written is None or entry.editable is None:
        return None
    start, end = code.inner_span(*entry.written)
    place, _ = code.inner_span(*entry.editable)
    if start <= place < end:
        return None
    text = code.shown
    row = text.position(place)[0]
    before = text.line_text(row)[: place - text.starts[row]].rstrip()
    left = before[:-1].strip() if before.endswith("=") else ""
    annotated = left.partition(":")[0].strip()  # `name: int = 7`
    name = annotated if annotated.isidentifier() else "".join(left.split()[-1:])
    return (name if name.isidentifier() else ""), code.line(row)


def _variable_before(text: str) -> str:
    """The name of the variable that gets its value behind a text: `A=` or `${A:-`."""
    name = text[:-1].rstrip(":") if text.endswith(("=", "-")) else ""
    is_default = text.endswith("-") and "${" in text
    name = name.rpartition("${")[2] if is_default else name.split()[-1] if name.split() else ""
    return name if name.isidentifier() and (is_default or text.endswith("=")) else ""
