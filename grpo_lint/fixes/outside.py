"""Where a script gives a flag of a command its value outside of the command: in a variable, an argument of a function, a list of a loop."""

from ..source.entry import COMPOSED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Launch, Report


def set_outside(report: "Report", launch: "Launch", key: str) -> "tuple[str, int] | None":
    """(variable, line) where a setting gets its value outside of the command that it is a flag of; the variable is empty where an argument
    of a function or an item of a list is the value."""
    setting, origin = launch.setting(key), launch.origin
    if setting is None or origin is None or origin.script is not None or setting.text is not None:
        return None
    node, command = setting.entry.value, origin.invocation.command
    is_elsewhere = hasattr(node, "text") and getattr(node, "tag", None) != COMPOSED and node.start < node.end
    if not is_elsewhere or command.start <= node.start <= command.end:
        return None
    start = node.start
    text, line = report.text, report.text.position(start)[0]
    before = text.line_text(line)[: start - text.starts[line]].rstrip("'\"")
    return _variable_before(before), line + 1


def _variable_before(text: str) -> str:
    """The name of the variable that gets its value behind a text: `A=` or `${A:-`."""
    name = text[:-1].rstrip(":") if text.endswith(("=", "-")) else ""
    is_default = text.endswith("-") and "${" in text
    name = name.rpartition("${")[2] if is_default else name.split()[-1] if name.split() else ""
    return name if name.isidentifier() and (is_default or text.endswith("=")) else ""
