"""What became of a run that was converted, told for people and as JSON."""

import json

from ..frameworks.shared.left_behind import IMPLIED, LOST, NO_EFFECT, REWARDS, is_of_rewards
from ..message import Message
from ..source.hiding import masked
from .language import ENGLISH
from .messages import message
from .printable import clean
from .text import painter, wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..planning.emit_target import Dropped, Line
    from ..planning.select_run import Chosen
    from ..shared_types import Conversion, Iterator, Language

MOST_OTHERS = 10  # lines of other runs that are told


def told(found: "Conversion", path: str, colour: bool, width: int, language: "Language" = ENGLISH) -> str:
    """What stays, what differs, what was left out or is to be looked at, and what `check` says of the result."""
    paint, lines = painter(colour), []
    lines.append(paint("strong", f"{clean(path)}: {found.source} -> {found.target}"))
    lines += which(found.run, width, language)
    for title, items in _parts(found, language):
        lines += ["", paint("strong", language.text(title))]
        lines += [line for item in items for line in wrapped(clean(item), width, "  ", "      ")]
    return "\n".join(lines) + "\n"


def which(run: "Chosen", width: int, language: "Language" = ENGLISH) -> "list[str]":
    """Which run of several a file holds is told of; nothing where there is one."""
    if not run.others:
        return []
    others = ", ".join(run.others[:MOST_OTHERS]) + (", ..." if run.others[MOST_OTHERS:] else "")
    told = language.text(
        Message("the run in line {line}; --line takes another one: {others}", {"line": run.place, "others": others})
    )
    return wrapped(clean(told), width, "  ", "      ")


def _parts(found: "Conversion", language: "Language") -> "Iterator[tuple[Message, list[str]]]":
    """(title, lines) of each part that has lines."""
    same = ", ".join(f"{name} {before}" for name, before, after in found.compared if before == after)
    differing = [f"{name}: {before} -> {after}" for name, before, after in found.compared if before != after]
    written = [_with_why(line, language) for line in found.lines if line.why]
    for title, lines in (
        (
            Message("rewards that are not carried over: the result is another training until you set them"),
            _rewards(found, language),
        ),
        (Message("the same"), [same] if same else []),
        (Message("not the same"), differing),
        (Message("written out, for it would be another value otherwise"), written),
        *_left_behind(found, language),
        (Message("said by the batch, the cluster or the program of the result"), _named(found.taken_over)),
        (Message("to be looked at"), _to_be_looked_at(found, language)),
        (Message("grpo-lint check"), _checked(found, language)),
    ):
        if lines:
            yield title, lines


def _rewards(found: "Conversion", language: "Language") -> "list[str]":
    lost = [_with_why(each, language) for each in found.dropped if _is_a_lost_reward(each)]
    return [*lost, *(language.text(what) for name, what in found.look_at if name == REWARDS)]


def _is_a_lost_reward(each: "Dropped") -> bool:
    return each.fate == LOST and is_of_rewards(each.name)


_FATES = {
    LOST: Message("no counterpart, and lost: the training changes unless you set something in their place"),
    IMPLIED: Message("no counterpart, and implied: the other framework does so anyway"),
    NO_EFFECT: Message("no counterpart, and no effect on what is learned"),
}


def _left_behind(found: "Conversion", language: "Language") -> "Iterator[tuple[Message, list[str]]]":
    """(title, lines) of the settings without a counterpart, by what becomes of them; rewards have a part of their own."""
    for each_fate, title in _FATES.items():
        dropped = [each for each in found.dropped if each.fate == each_fate and not _is_a_lost_reward(each)]
        yield title, [_with_why(each, language) for each in dropped]


def _named(names: "list[str]") -> "list[str]":
    return [", ".join(names)] if names else []


def _with_why(each: "Line | Dropped", language: "Language") -> str:
    """'beta: 0.04  (why)'."""
    why = f"  {language.within('', language.text(each.why)).strip()}" if each.why else ""
    return f"{each.name}: {each.value}{why}"


def _to_be_looked_at(found: "Conversion", language: "Language") -> "list[str]":
    named = [f"{name}{language.colon}{language.text(what)}" for name, what in found.look_at if name != REWARDS]
    return [*named, *(message(each, language) for each in found.idle)]


def _checked(found: "Conversion", language: "Language") -> "list[str]":
    if found.after is None:
        return [language.text(Message("no run was found in the result"))]
    return [
        f"{language.text(Message(each.severity))} {each.rule.code}{language.colon}{message(each, language)}"
        for each in found.findings
    ]


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
        "no_counterpart": [{"name": each.name, "value": each.value, "why": each.why or None, "fate": each.fate} for each in found.dropped],
        "taken_over": found.taken_over,
        "to_be_looked_at": [
            *({"name": name, "what": what} for name, what in found.look_at),
            *({"name": None, "what": masked(message(each))} for each in found.idle),
        ],
        "quantities": {name: {"before": before, "after": after} for name, before, after in found.compared},
        "findings": [{"code": each.rule.code, "severity": each.severity, "message": masked(message(each))} for each in found.findings],
    }  # fmt: skip


def several(found: "list[Conversion]", text: str) -> str:
    """Those of all runs of a script as one JSON object: the first one, the text of all, and the runs."""
    first, runs = answer(found[0]), [answer(each) for each in found]
    for each in runs:
        del each["text"], each["other_lines"]
    is_equal, is_refused = all(each.is_equal for each in found), any(each.is_refused for each in found)
    return (
        json.dumps(
            {**first, "text": text, "is_equal": is_equal, "is_refused": is_refused, "other_lines": [], "runs": runs},
            indent=2,
            default=str,
        )
        + "\n"
    )


def _is_plain(value: object) -> bool:
    return type(value) in (str, int, float, bool, list, dict)
