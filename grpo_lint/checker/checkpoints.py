"""Runs that write no checkpoint: in a script that reads one afterwards, and in a program that saves nothing itself."""

from ..message import Message
from ..plan.formula import Formula
from ..source.text import Span
from ..source.yaml.scalars import shown_value
from .findings import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..frameworks.base import Saving
    from ..shared_types import Iterator, Launch, Text

_TRAINS = ".train("


def read_afterwards(launch: "Launch", text: "Text") -> "Iterator[Finding]":
    """What a script reads, behind the command of a run, of a run that writes no checkpoint."""
    saving = launch.framework.refusals.saving
    if launch.origin is None or saving is None or not _is_off(launch, saving):
        return
    _, key, readers, _ = saving
    command = launch.origin.invocation.command
    line = _reading_line(text, command.end, readers)
    if line is None:
        return
    at, plan = launch.setting(key), launch.plan(launch.candidates[0])
    is_here = at is not None and at.text is None
    values = {"setting": key, "value": shown_value(plan.look_up(key)),
              "line": line + 1, "reader": text.line_text(line).strip(" \t\\")[:60]}  # fmt: skip
    where = {"at": at} if is_here else {"span": Span(command.start, command.end)}
    yield Finding("read-checkpoint-is-written", "warning", "never", values=values, **where,
                  note=Message("assuming that the checkpoint is one of this run"))  # fmt: skip


def saved_by_nobody(launch: "Launch", text: "Text") -> "Iterator[Finding]":
    """A program of Python that trains, and neither its config nor its own code saves anything."""
    saving = launch.framework.refusals.saving
    if saving is None or not _is_off(launch, saving):
        return
    _, key, _, savers = saving
    if _TRAINS in text.text and not any(word in text.text for word in savers):
        yield Finding("program-saves-its-model", "info", "never", at=launch.setting(key))


def _is_off(launch: "Launch", saving: "Saving") -> bool:
    return bool(launch.candidates) and launch.plan(launch.candidates[0]).holds(Formula(saving[0]))


def _reading_line(text: "Text", end: int, words: "tuple[str, ...]") -> "int | None":
    """The first line behind a place that names a checkpoint, and is no comment and no setting of another run."""
    first = text.position(end)[0] + 1
    for number, line in enumerate(text.text.splitlines()[first:], first):
        if not line.lstrip().startswith("#") and any(word in line for word in words) and "resume_from" not in line:
            return number
    return None
