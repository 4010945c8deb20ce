"""Fixes where a DeepSpeed configuration contradicts the file: `auto` in its place takes the value of the trainer."""

from ..checker.fix import Fix
from ..message import NOTHING, Message
from ..source.text import Edit, Text
from .effects import named_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..checker.findings import Finding, Report
    from ..launch.launch import Launch


def auto_fix(report: "Report", finding: "Finding") -> "Fix | None":
    """Write `auto` in the place of a value, in the judged file or in the one that it names. None for a finding about
    something else."""
    launch = finding.launch
    names = finding.rule.broken.names if finding.rule.broken is not None else ()
    operand = next((name for name in names if name.startswith("deepspeed_")), "")
    attached = launch.attached.get(operand) if launch is not None else None
    if launch is None or attached is None:
        return None
    title = Message('write "auto" for {key} in {place}', {"key": attached.key, "place": named_place(attached.place)})
    if attached.file is not None:
        text = Text(attached.file.text, attached.file.path)
        found = _in_file(text, attached.key)
        return (
            Fix(title, NOTHING, "unsafe", {}, [], [(text, [found])])
            if found
            else Fix(title, NOTHING, "display", {}, [])
        )
    edit = _edit(report, launch, attached.key) if attached.place == "deepspeed" else None
    return Fix(title, NOTHING, "unsafe" if edit else "display", {}, [edit] if edit else [])


def _edit(report: "Report", launch: "Launch", key: str) -> "Edit | None":
    """The value of a key of a mapping in JSON that stands in single quotes or on lines of its own."""
    setting = launch.setting("deepspeed")
    if setting is None or setting.text is not None:
        return None
    start, written = setting.span.start, report.text[setting.span]
    found = None if written[:1] == '"' else _value(written, key)
    return Edit(start + found.start, start + found.end, found.new) if found else None


def _in_file(text: Text, key: str) -> "Edit | None":
    """The edit of a file of JSON, or of one for accelerate; in JSON a key that is missing is written in front of the others."""
    if text.path.endswith((".yaml", ".yml")):
        return _in_yaml(text, key)
    start = text.text.find("{") + 1
    missing = Edit(start, start, f'"{key}": "auto", ') if start and f'"{key}"' not in text.text else None
    return missing or _value(text.text, key)


def _in_yaml(text: Text, key: str) -> "Edit | None":
    """The edit of the first key of this name in YAML, whose value stands on its line."""
    start = 0
    for line in text.text.splitlines(keepends=True):
        name, colon, value = line.partition(":")
        if name.strip() == key and colon:
            told = value.partition("#")[0].strip()
            begin = start + line.index(told, len(name)) if told else 0
            return Edit(begin, begin + len(told), "auto") if told else None
        start += len(line)
    return None


def _value(written: str, key: str) -> "Edit | None":
    """The edit that makes "auto" of the value of a dotted key in a text of JSON."""
    import re

    position = 0
    for name in key.split("."):
        found = re.compile(rf'"{re.escape(name)}"\s*:\s*').search(written, position)
        if found is None:
            return None
        position = found.end()
    value = re.compile(r'[-+.0-9A-Za-z]+|"[^"\\]*"').match(written, position)
    return Edit(value.start(), value.end(), '"auto"') if value else None
