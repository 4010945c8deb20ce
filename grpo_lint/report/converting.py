"""What became of a run that was converted, told for people and as JSON."""

import json

from .messages import message
from .printable import clean
from .text import painter, wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..planning.convert import Conversion


def told(found: "Conversion", path: str, colour: bool, width: int) -> str:
    """What stays, what differs, what was left out or is to be looked at, and what `check` says of the result."""
    paint, lines = painter(colour), []
    lines.append(paint("strong", f"{clean(path)}: {found.source} -> {found.target}"))
    for title, items in _parts(found):
        lines += ["", paint("strong", title)]
        lines += [line for item in items for line in wrapped(clean(item), width, "  ", "      ")]
    return "\n".join(lines) + "\n"


def _parts(found: "Conversion") -> "Iterator[tuple[str, list[str]]]":
    same = [f"{name} {before}" for name, before, after in found.compared if before == after]
    differing = [f"{name}: {before} -> {after}" for name, before, after in found.compared if before != after]
    if same:
        yield "the same", [", ".join(same)]
    if differing:
        yield "not the same", differing
    written = [f"{line.name}: {line.value}  ({line.why})" for line in found.lines if line.why]
    if written:
        yield "written out, for it would be another value otherwise", written
    if found.dropped:
        yield (
            "no counterpart",
            [f"{each.name}: {each.value}" + (f"  ({each.why})" if each.why else "") for each in found.dropped],
        )
    if found.look_at:
        yield "to be looked at", [f"{name}: {what}" for name, what in found.look_at]
    if found.after is None:
        yield "grpo-lint check", ["no run was found in the result"]
    elif found.findings:
        yield "grpo-lint check", [f"{each.severity} {each.rule.code}: {message(each)}" for each in found.findings]


def document(found: "Conversion") -> str:
    """All of it as one JSON object."""
    answer = {
        "version": 1,
        "source": found.source,
        "target": found.target,
        "is_command": found.is_command,
        "is_equal": found.is_equal,
        "is_refused": found.is_refused,
        "text": found.text,
        "settings": [
            {"name": line.name, "value": line.value if _is_plain(line.value) else None, "from": line.source or None, "why": line.why or None}
            for line in found.lines
        ],
        "no_counterpart": [{"name": each.name, "value": each.value, "why": each.why or None} for each in found.dropped],
        "to_be_looked_at": [{"name": name, "what": what} for name, what in found.look_at],
        "quantities": {name: {"before": before, "after": after} for name, before, after in found.compared},
        "findings": [{"code": each.rule.code, "severity": each.severity, "message": message(each)} for each in found.findings],
    }  # fmt: skip
    return json.dumps(answer, indent=2, default=str) + "\n"


def _is_plain(value: object) -> bool:
    return type(value) in (str, int, float, bool, list, dict)
