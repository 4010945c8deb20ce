"""What became of a run that was converted, told for people and as JSON."""

import json

from .messages import message
from .printable import clean
from .text import painter, wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ..planning.convert import Conversion
    from ..planning.runs import Chosen

MOST_OTHERS = 10  # lines of other runs that are told


def told(found: "Conversion", path: str, colour: bool, width: int) -> str:
    """What stays, what differs, what was left out or is to be looked at, and what `check` says of the result."""
    paint, lines = painter(colour), []
    lines.append(paint("strong", f"{clean(path)}: {found.source} -> {found.target}"))
    lines += which(found.run, width)
    for title, items in _parts(found):
        lines += ["", paint("strong", title)]
        lines += [line for item in items for line in wrapped(clean(item), width, "  ", "      ")]
    return "\n".join(lines) + "\n"


def which(run: "Chosen", width: int) -> "list[str]":
    """Which run of several a file holds is told of; nothing where there is one."""
    if not run.others:
        return []
    others = ", ".join(run.others[:MOST_OTHERS]) + (", ..." if run.others[MOST_OTHERS:] else "")
    return wrapped(clean(f"the run in line {run.place}; --line takes another one: {others}"), width, "  ", "      ")


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
    if found.look_at or found.idle:
        idle = [message(each) for each in found.idle]
        yield "to be looked at", [*(f"{name}: {what}" for name, what in found.look_at), *idle]
    if found.after is None:
        yield "grpo-lint check", ["no run was found in the result"]
    elif found.findings:
        yield "grpo-lint check", [f"{each.severity} {each.rule.code}: {message(each)}" for each in found.findings]


def document(found: "Conversion") -> str:
    """All of it as one JSON object."""
    return json.dumps(answer(found), indent=2, default=str) + "\n"


def answer(found: "Conversion") -> "dict[str, Any]":
    """All of it as plain values."""
    return {
        "version": 1,
        "source": found.source,
        "target": found.target,
        "line": found.run.place or None,
        "other_lines": found.run.others,
        "is_command": found.is_command,
        "is_equal": found.is_equal,
        "is_refused": found.is_refused,
        "text": found.text,
        "settings": [
            {"name": line.name, "value": line.value if _is_plain(line.value) else None, "from": line.source or None, "why": line.why or None}
            for line in found.lines
        ],
        "no_counterpart": [{"name": each.name, "value": each.value, "why": each.why or None} for each in found.dropped],
        "to_be_looked_at": [
            *({"name": name, "what": what} for name, what in found.look_at),
            *({"name": None, "what": message(each)} for each in found.idle),
        ],
        "quantities": {name: {"before": before, "after": after} for name, before, after in found.compared},
        "findings": [{"code": each.rule.code, "severity": each.severity, "message": message(each)} for each in found.findings],
    }  # fmt: skip


def _is_plain(value: object) -> bool:
    return type(value) in (str, int, float, bool, list, dict)
