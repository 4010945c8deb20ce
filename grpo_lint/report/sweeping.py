"""What is known of a grid, told for people and as JSON."""

import json

from ..message import Message, clauses, parts
from ..source.quoting import listed, plural
from .language import ENGLISH
from .messages import message, text_of
from .printable import clean
from .text import painter, wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..planning.grid_survey import Refusal, Survey
    from ..shared_types import Iterator, Language, Sequence

MOST_LINES = 8  # of one rule
MOST_VALUES = 8  # of one setting in a line


def told(
    found: "Survey", path: str, colour: bool, width: int, verbose: bool = False, language: "Language" = ENGLISH
) -> str:
    """How much of the grid holds, and for each rule the settings that decide, with the values that fail."""
    paint, tr = painter(colour), language.text
    lines = [paint("strong", f"{clean(path)}{language.colon}{tr(_share(found))}"), ""]
    lines += wrapped(tr(_run(found)), width)
    for finding in found.always:
        head = f"{tr(Message('every run'))}{language.colon}{finding.rule.code}"
        lines += ["", *wrapped(f"{head}{language.colon}{clean(message(finding, language))}", width)]
    for refusal in found.refusals:
        lines += ["", *_refusal(refusal, found, width, verbose, language)]
    if found.left_out:
        lines += ["", paint("strong", tr(Message("left out")))]
        open_ = [clean(f"{name}{language.colon}{tr(why)}") for name, why in found.left_out]
        lines += [line for each in open_ for line in wrapped(each, width, "  ", "      ")]
    if len(found.launch.candidates) > 1:
        lines += ["", *wrapped(tr(_NEWEST), width)]
    return "\n".join(lines) + "\n"


_NEWEST = Message("No release is stated, so the newest that may be meant was asked; --framework-version states it.")


def _share(found: "Survey") -> Message:
    runs = plural(found.total, "run", ",")
    if found.refused is None:
        return parts((runs, Message("too many settings hang together for all that fails to be counted")))
    if not found.unknown:
        return clauses((runs, _holding(found.total - found.refused, found)))
    names = listed(list(map(clean, found.unknown)))
    if found.undecided is None:
        refused = Message("{count} of them are refused ({share} %)", _part(found.refused, found))
        others = Message("the others may fail by {names}, whose values are unknown here", {"names": names})
        return parts((clauses((runs, refused)), others))
    held = found.total - found.refused - found.undecided
    open_ = {"count": f"{found.undecided:,}", "names": names}
    others = Message("{count} may fail by {names}, which is not known", open_)
    return parts((clauses((runs, _holding(held, found))), others))


def _holding(count: int, found: "Survey") -> Message:
    return Message("{count} of them hold ({share} %)", _part(count, found))


def _part(count: int, found: "Survey") -> "dict[str, object]":
    return {"count": f"{count:,}", "share": f"{100 * count / found.total:.1f}"}


def _run(found: "Survey") -> Message:
    launch = found.launch
    sizes = " x ".join(f"{len(axis.values):,} {clean(axis.name)}" for axis in found.axes if len(axis.values) > 1)
    world = launch.facts.get("world_size")
    release = f"{launch.framework.title} {launch.candidates[0].text}"
    if any(axis.name == "world_size" for axis in found.axes):
        on = Message("{release}", {"release": release})
    elif world:
        on = Message("{release} on {count}", {"release": release, "count": plural(world.value, "process")})
    else:
        on = Message(
            "{release}, on a number of processes that is not known: --world-size states it", {"release": release}
        )
    return parts((on, Message("{sizes}", {"sizes": sizes}) if sizes else Message("one value of each setting")))


_WHEN = {
    "read": Message("refused when the file is read"),
    "config": Message("refused when the config is made"),
    "init": Message("refused at the start"),
    "run": Message("refused while it runs"),
}


def _refusal(refusal: "Refusal", found: "Survey", width: int, verbose: bool, language: "Language") -> "Iterator[str]":
    tr = language.text
    what = Message("started, and harmed")
    if refusal.severity == "error":
        what = _WHEN.get(refusal.stage, Message("refused"))
    runs = plural(refusal.count, "run", ",")
    share = Message(
        "{runs} ({share} %) {what}", {"runs": runs, "share": _part(refusal.count, found)["share"], "what": what}
    )
    rule = f"{language.colon}{language.text(text_of(refusal.rule, refusal.rule.summary))}{language.colon}"
    yield from wrapped(f"{tr(Message(refusal.severity))} {refusal.rule.code}{rule}{tr(share)}", width, "", "    ")
    boxes = refusal.boxes if verbose else refusal.boxes[:MOST_LINES]
    rows = [[_values(box.get(name), verbose, language) for name in refusal.names] for box in boxes]
    if refusal.names:
        yield from _table(refusal.names, rows)
    left = len(refusal.boxes) - len(boxes) + refusal.more
    if left:
        count = {"count": f"{left:,}"}
        told = (
            Message("and {count} or more such lines", count)
            if refusal.more
            else Message("and {count} such lines", count)
        )
        more = tr(told)
        yield f"    {more}{'' if verbose else tr(Message(' (-v shows them)'))}"


def _values(values: "Sequence[object] | None", verbose: bool, language: "Language") -> str:
    if values is None:
        return language.text(Message("any"))
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
        "left_out": [{"name": name, "why": why} for name, why in found.left_out],
    }
    return json.dumps(answer, indent=2, default=str) + "\n"
