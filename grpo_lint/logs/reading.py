"""Logs of runs: how far a run came, how long its steps take, and what it measured.

trainer_state.json     what transformers writes into each checkpoint
logging.jsonl          lines of JSON with a counter: {"global_step/max_steps": "5/100", ...}
lines of JSON          with a step and its data: {"step": 1, "data": {...}}
lines of a console     `step:1 - actor/pg_loss:0.1 - ...`, whatever stands before them, and the bar that shows the progress
"""

import json
import math
import re
from contextlib import suppress

from ..message import Message, Telling
from ..record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Values = dict[str, float]

MOST_STEPS = 10**12  # what is more is no number of steps
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_STEP = re.compile(r"(?:^|[\s\]])step:(\d{1,9}) - ")
_PROGRESS = re.compile(r"Training Progress: .{0,80}\| (\d{1,9})/(\d{1,9}) ")
_MEASURE = re.compile(r"(\d{1,9}) ?([dhms])")
_SECONDS = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
# What the lines of a logging.jsonl count steps in.
_COUNTERS = ("global_step/max_steps", "iteration")


class NoLog(Telling):
    """Why a text is the log of no run; the message is meant for the user."""


class Row(Record):
    """What was logged behind one step. A value that is no number (`null`, NaN) is NaN."""

    step: int
    values: "Values"


class Log(Record):
    """What a run has written.

    rows        what it measured, in the order of its steps
    done        steps that were taken: updates, or rollouts, as the framework counts
    most        steps that it announced; None where the log does not say
    epoch       passes through the data so far; None where the log does not say
    seconds     of all that was done, as the log itself has it; None where it does not
    """

    rows: "tuple[Row, ...]"
    done: int
    most: "int | None" = None
    epoch: "float | None" = None
    seconds: "float | None" = None

    def values(self, name: str) -> "list[tuple[int, float]]":
        """(step, value) of a metric, wherever it was logged."""
        return [(row.step, row.values[name]) for row in self.rows if name in row.values]


def read_log(text: str) -> Log:
    """The Log in a text. Raises NoLog."""
    start = text.lstrip()[:1]
    state = _loaded(text) if start == "{" else None
    if isinstance(state, dict) and isinstance(state.get("log_history"), list):
        return _of_transformers(state)
    rows: list[tuple[Row, dict[str, object]]] = []
    for line in text.splitlines():
        rows += _rows_of(line)
    if not rows:
        raise NoLog(
            Message(
                "it is no log that is known: a trainer_state.json, a logging.jsonl, or lines such as `step:1 - actor/kl:0.1 - ...`"
            )
        )
    return _of_lines(rows)


def _loaded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _of_transformers(state: "dict[str, object]") -> Log:
    history = state["log_history"]
    assert isinstance(history, list)  # asked before
    records = [each for each in history if isinstance(each, dict) and _is_step(each.get("step"))]
    rows = tuple(Row(step=each["step"], values=_numbers(each)) for each in records)
    done, most, epoch = state.get("global_step"), state.get("max_steps"), _number(state.get("epoch"))
    return Log(
        rows=rows,
        done=done if _is_step(done) else max((row.step for row in rows), default=0),  # type: ignore[arg-type]  # asked
        most=most if _is_step(most) and most else None,  # type: ignore[arg-type]  # asked
        epoch=epoch if epoch is not None and 1e-9 < epoch < 1e9 else None,
        seconds=_last(rows, "train_runtime"),
    )


def _is_step(value: object) -> bool:
    """Whether a value can be a number of steps."""
    return type(value) is int and 0 <= value < MOST_STEPS


def _rows_of(line: str) -> "Iterator[tuple[Row, dict[str, object]]]":
    """The row on a line, with what it holds besides numbers."""
    if line.lstrip()[:1] == "{":
        record = _loaded(line)
        if isinstance(record, dict):
            yield from _row_of_json(record)
        return
    if "step:" in line:
        line = _COLOUR.sub("", line)
        found = _STEP.search(line)
        if found:
            values = dict(_metrics(line[found.end() :]))
            yield from [(Row(step=int(found[1]), values=values), {})] if values else []
    elif "Training Progress: " in line:
        for done, most in _PROGRESS.findall(line)[-1:]:
            yield Row(step=int(done), values={}), {"most": int(most)}


def _metrics(written: str) -> "Iterator[tuple[str, float]]":
    """(name, value) of each metric in `name:value - name:value`; numbers of numpy may say so: np.float64(0.5)."""
    for piece in written.split(" - "):
        name, colon, value = piece.strip().rpartition(":")
        if not colon or " " in name:
            continue
        value = value.partition("(")[2].rstrip(")") if value.startswith("np.") else value
        with suppress(ValueError):
            yield name, float(value)


def _row_of_json(record: "dict[str, object]") -> "Iterator[tuple[Row, dict[str, object]]]":
    data, step = record.get("data"), record.get("step")
    if isinstance(data, dict) and _is_step(step):
        yield (
            Row(
                step=step,  # type: ignore[arg-type]  # asked
                values=_numbers(data),
            ),
            {},
        )
        return
    counter = next((record[name] for name in _COUNTERS if isinstance(record.get(name), str)), None)
    done, _, most = str(counter).partition("/")
    if counter is not None and done.isdecimal() and most.isdecimal() and len(str(counter)) < 20:
        yield Row(step=int(done), values=_numbers(record)), {**record, "most": int(most)}


def _of_lines(found: "list[tuple[Row, dict[str, object]]]") -> Log:
    rows = tuple(row for row, _ in found if row.values)
    announced = [more["most"] for _, more in found if type(more.get("most")) is int]
    times = [more["elapsed_time"] for _, more in found if "elapsed_time" in more]
    return Log(
        rows=rows,
        done=max(row.step for row, _ in found),
        most=announced[-1] if announced else None,  # type: ignore[arg-type]  # asked
        epoch=_last(rows, "epoch"),
        seconds=seconds_in(str(times[-1])) if times else None,
    )


def _last(rows: "Iterable[Row]", name: str) -> "float | None":
    found = [row.values[name] for row in rows if name in row.values]
    return found[-1] if found else None


def _numbers(record: "dict[str, object]") -> "Values":
    """The numbers of a record, with NaN for what is null. Texts and lists are no metrics."""
    found = {name: math.nan if value is None else _number(value) for name, value in record.items()}
    return {name: value for name, value in found.items() if value is not None}


def _number(value: object) -> "float | None":
    """A number as a float; None for what is none, or beyond all floats."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if isinstance(value, float) or abs(value) < 1 << 1000 else None


def seconds_in(text: str) -> "float | None":
    """The seconds of a duration such as `68`, `68s`, `1m 8s` or `1d 2h 3m 4s`; None where it is none."""
    text = text.strip()
    if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?s?", text):
        return float(text.rstrip("s"))
    if len(text) > 60 or re.fullmatch(rf"(?:{_MEASURE.pattern} ?)+", text) is None:
        return None
    return float(sum(int(number) * _SECONDS[unit] for number, unit in _MEASURE.findall(text)))
