"""What is known of a grid, told for people and as JSON."""

import json

from ..source.quoting import listed, plural
from .messages import message
from .printable import clean
from .text import painter, wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..planning.sweep import Refusal, Survey

MOST_LINES = 8  # of one rule
MOST_VALUES = 8  # of one setting in a line


def told(found: "Survey", path: str, colour: bool, width: int, verbose: bool = False) -> str:
    """How much of the grid holds, and for each rule the settings that decide, with the values that fail."""
    paint, launch = painter(colour), found.launch
    lines = [paint("strong", f"{clean(path)}: {_share(found)}"), ""]
    lines += wrapped(_run(found), width)
    for finding in found.always:
        lines += ["", *wrapped(f"every run: {finding.rule.code}: {clean(message(finding))}", width)]
    for refusal in found.refusals:
        lines += ["", *_refusal(refusal, found, paint, width, verbose)]
    if found.open:
        lines += ["", paint("strong", "left out")]
        lines += [line for name, why in found.open for line in wrapped(clean(f"{name}: {why}"), width, "  ", "      ")]
    if len(launch.candidates) > 1:
        lines += [
            "",
            *wrapped(
                "No release is stated, so the newest that may be meant was asked; --framework-version states it.", width
            ),
        ]
    return "\n".join(lines) + "\n"


def _share(found: "Survey") -> str:
    runs = plural(found.total, "run", ",")
    if found.refused is None:
        return f"{runs}; too many settings hang together for all that fails to be counted"
    if not found.unknown:
        return f"{runs}, {_part(found.total - found.refused, found)}"
    names = listed(list(map(clean, found.unknown)))
    if found.undecided is None:
        return f"{runs}, {_part(found.refused, found, 'are refused')}; the others may fail by {names}, which nobody knows here"
    held = found.total - found.refused - found.undecided
    return f"{runs}, {_part(held, found)}; {found.undecided:,} may fail by {names}, which is not known"


def _part(count: int, found: "Survey", what: str = "hold") -> str:
    return f"{count:,} of them {what} ({100 * count / found.total:.1f} %)"


def _run(found: "Survey") -> str:
    launch = found.launch
    sizes = " x ".join(f"{len(axis.values):,} {clean(axis.name)}" for axis in found.axes if len(axis.values) > 1)
    world = launch.facts.get("world_size")
    on = (
        f" on {world.value} processes"
        if world
        else ", on a number of processes that is not known: --world-size states it"
    )
    if any(axis.name == "world_size" for axis in found.axes):
        on = ""
    return f"{launch.framework.title} {launch.candidates[0].text}{on}; {sizes or 'one value of each setting'}"


def _refusal(refusal: "Refusal", found: "Survey", paint: "object", width: int, verbose: bool) -> "Iterator[str]":
    when = {
        "read": "when the file is read",
        "config": "when the config is made",
        "init": "at the start",
        "run": "while it runs",
    }
    what = f"refused {when.get(refusal.stage, '')}".strip() if refusal.severity == "error" else "started, and harmed"
    share = f"{plural(refusal.count, 'run', ',')} ({100 * refusal.count / found.total:.1f} %) {what}"
    yield from wrapped(f"{refusal.severity} {refusal.rule.code}: {refusal.rule.summary}: {share}", width, "", "    ")
    boxes = refusal.boxes if verbose else refusal.boxes[:MOST_LINES]
    rows = [[_values(box.get(name), verbose) for name in refusal.names] for box in boxes]
    if refusal.names:
        yield from _table(refusal.names, rows)
    left = len(refusal.boxes) - len(boxes) + refusal.more
    if left:
        yield f"    and {left:,}{' or more' if refusal.more else ''} such lines{'' if verbose else ' (-v shows them)'}"


def _values(values: "Sequence[object] | None", verbose: bool) -> str:
    if values is None:
        return "any"
    shown = [clean("null" if value is None else str(value))[:40] for value in values]
    if len(shown) > MOST_VALUES and not verbose:
        shown = [*shown[:MOST_VALUES], f"... ({len(shown)})"]
    return ", ".join(shown)


def _table(names: "Sequence[str]", rows: "Sequence[Sequence[str]]") -> "Iterator[str]":
    columns = [max(len(name), *(len(row[place]) for row in rows)) for place, name in enumerate(names)]
    for row in (list(map(clean, names)), *rows):
        yield ("    " + "  ".join(cell.ljust(size) for cell, size in zip(row, columns))).rstrip()


def document(found: "Survey") -> str:
    """All of it as one JSON object."""
    world = found.launch.facts.get("world_size")
    answer = {
        "version": 1,
        "framework": found.launch.framework.name,
        "framework_version": found.launch.candidates[0].text,
        "processes": str(world.value) if world else None,
        "total": found.total,
        "refused": found.refused,
        "undecided": found.undecided,
        "unknown": found.unknown,
        "axes": {axis.name: axis.values for axis in found.axes},
        "rules": [
            {
                "code": each.rule.code,
                "name": each.rule.name,
                "severity": each.severity,
                "stage": each.stage,
                "runs": each.count,
                "settings": each.names,
                "fails": each.boxes,
                "more": each.more,
            }
            for each in found.refusals
        ],
        "always": [{"code": each.rule.code, "message": message(each)} for each in found.always],
        "left_out": [{"name": name, "why": why} for name, why in found.open],
    }
    return json.dumps(answer, indent=2, default=str) + "\n"
