"""Logs of runs: how far a run came, how long its steps take, and what it measured.

A log has a form, by the name that `logs` of a framework's `metrics` has for it:

state       a trainer_state.json, which transformers writes into each checkpoint
mappings    the console of transformers: `{'loss': 0.1, ...}` between the bars that show the progress
counters    lines of JSON with a counter: {"global_step/max_steps": "5/100", ...}
records     lines of JSON with a step: {"step": 1, "data": {...}}, or with groups of metrics beside it: {"step": 1, "reward": {"mean": 0.1}}
steps       the lines `step:1 - actor/pg_loss:0.1 - ...` of a console, whatever stands before them
headed      a heading with the step, `===== Step 3/100 =====`, and lines `• Loss: 0.1` below it
global      the lines `Global step 3: {'reward': 0.1, ...}` of a console
rollouts    the lines `rollout 0: {...}`, `step 0: {...}` and `perf 0: {...}` of a console, of which the first rollout is 0
"""

import json
import math
import re
from contextlib import suppress

from ..message import Message, Telling
from ..record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    Values = dict[str, float]

MOST_STEPS = 10**12  # what is more is no number of steps
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_STEP = re.compile(r"(?:^|[\s\]])step:(\d{1,9}) - ")
_PROGRESS = re.compile(r"Training Progress: .{0,80}\| (\d{1,9})/(\d{1,9}) ")
_BAR = re.compile(r"^ {0,3}\d{1,3}%\|.{0,200}\| (\d{1,9})/(\d{1,9}) \[")
_HEADING = re.compile(r"={5} Step (\d{1,9})/(\d{1,9}) ={5}")
_BULLET = re.compile(r"\u2022 ([A-Z][A-Za-z ]{1,60}): (-?[\d.]{1,40}(?:e-?\d{1,3})?|nan)s?\b")
_GLOBAL = re.compile(r"Global step (\d{1,9}): \{")
_MARKED = re.compile(r"\b(rollout|perf|step) (\d{1,9}): \{")
_PAIR = re.compile(r"'([^'\s]{1,100})': '?([^',}]{1,60})")
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

    form        how it is written, see above
    rows        what it measured, in the order of its steps
    done        steps that were taken: updates, or rollouts, as the framework counts
    most        steps that it announced; None where the log does not say
    epoch       passes through the data so far; None where the log does not say
    seconds     of all that was done, as the log itself has it; None where it does not
    """

    form: str
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
    state = _loaded(text) if text.lstrip()[:1] == "{" else None
    if isinstance(state, dict) and isinstance(state.get("log_history"), list):
        return _of_transformers(state["log_history"], state)
    read = _Lines()
    for line in text.splitlines():
        read.line(line)
    return read.log()


def _loaded(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _of_transformers(history: "list[object]", state: "dict[str, object]") -> Log:
    rows = tuple(
        Row(step=step, values=_numbers(each))
        for each in history
        if isinstance(each, dict) and (step := _step(each.get("step"))) is not None
    )
    done, epoch = _step(state.get("global_step")), _number(state.get("epoch"))
    return Log(
        form="state",
        rows=rows,
        done=max((row.step for row in rows), default=0) if done is None else done,
        most=_step(state.get("max_steps")) or None,
        epoch=epoch if epoch is not None and 1e-9 < epoch < 1e9 else None,
        seconds=_last(rows, "train_runtime"),
    )


def _step(value: object) -> "int | None":
    """A number of steps; None for what cannot be one."""
    return value if type(value) is int and 0 <= value < MOST_STEPS else None


class _Lines:
    """A log that is read line by line; the first line that tells decides its form."""

    def __init__(self) -> None:
        self.form = ""
        self.rows: list[Row] = []
        self.waiting: list[Values] = []  # what the console of transformers logged before the bar that tells its step
        self.done = 0
        self.most: int | None = None
        self.heading = 0  # the step that the last heading began
        self.seconds: float | None = None

    def line(self, line: str) -> None:
        start = line.lstrip()[:2]
        if start == "{'":
            self._mapping(line)
        elif start[:1] == "{":
            record = _loaded(line)
            if isinstance(record, dict):
                self._record(record)
        elif "step:" in line:
            line = _COLOUR.sub("", line)
            found = _STEP.search(line)
            values = dict(_metrics(line[found.end() :])) if found else {}
            if found and values:
                self._row("steps", int(found[1]), values)
        elif "| " in line:
            self._bar(line)
        elif "Step " in line or "\u2022 " in line:
            self._headed(line)
        elif ": {" in line:
            self._told_by_a_step(_COLOUR.sub("", line))

    def _headed(self, line: str) -> None:
        """A heading, which begins a step, or a metric of the step that the last one has."""
        heading = _HEADING.search(line)
        if heading:
            self.form, self.heading, self.most = self.form or "headed", int(heading[1]), int(heading[2])
        elif (
            self.form == "headed" and (bullet := _BULLET.search(line)) and (number := _number_in(bullet[2])) is not None
        ):
            if not self.rows or self.rows[-1].step != self.heading:
                self._row("headed", self.heading, {})
            self.rows[-1].values.setdefault(bullet[1], number)

    def _told_by_a_step(self, line: str) -> None:
        """A mapping behind its step, as Python prints it."""
        found = _GLOBAL.search(line)
        form, step = ("global", int(found[1])) if found else ("rollouts", 0)
        marked = None if found else _MARKED.search(line)
        if marked:  # what an update logs belongs to the rollout that it uses
            step = int(marked[2]) + 1 if marked[1] != "step" else max(self.done, 1)
        elif not found:
            return
        pairs = _PAIR.findall(line[(found or marked).end() - 1 :])  # type: ignore[union-attr]  # one of them
        values = {name: number for name, text in pairs if (number := _number_in(text)) is not None}
        if values and self.form in ("", form):
            self._row(form, step, values)

    def _row(self, form: str, step: int, values: "Values") -> None:
        self.form = self.form or form
        self.rows.append(Row(step=step, values=values))
        self.done = max(self.done, step)

    def _bar(self, line: str) -> None:
        found = _PROGRESS.search(line) or (_BAR.search(line) if self.waiting else None)
        if found and self.most in (None, int(found[2])):  # another number is that of an evaluation
            self.done, self.most = max(self.done, int(found[1])), int(found[2])
            for values in self.waiting:
                self._row("mappings", int(found[1]), values)
            self.waiting = []

    def _mapping(self, line: str) -> None:
        """A mapping as Python prints it, of which names and numbers are read; its step is that of the next bar."""
        record = dict(_PAIR.findall(line))
        if not self._counted(record):
            values = {name: number for name, text in record.items() if (number := _number_in(text)) is not None}
            self.waiting += [values] if values else []

    def _record(self, record: "dict[str, object]") -> None:
        step, data = _step(record.get("step")), record.get("data")
        if step is not None:
            self._row("records", step, _numbers(data if isinstance(data, dict) else _flat(record)))
        else:
            self._counted(record)

    def _counted(self, record: "Mapping[str, object]") -> bool:
        """Whether a record counts its steps: "5/100"; it is added then."""
        counter = next((record[name] for name in _COUNTERS if isinstance(record.get(name), str)), "")
        done, _, most = str(counter).partition("/")
        if not (done.isdecimal() and most.isdecimal() and len(str(counter)) < 20):
            return False
        numbers = {name: _number_in(value) if isinstance(value, str) else value for name, value in record.items()}
        self._row("counters", int(done), _numbers(numbers))
        self.most = int(most)
        if "elapsed_time" in record:
            self.seconds = seconds_in(str(record["elapsed_time"]))
        return True

    def log(self) -> Log:
        """The Log in all lines. Raises NoLog."""
        if self.waiting and not self.rows:
            raise NoLog(Message("its lines do not say at which step they were logged"))
        for values in self.waiting:  # behind the last bar
            self._row("mappings", self.done, values)
        if not self.rows and self.most is None:
            raise NoLog(
                Message(
                    "it is no log that is known: a trainer_state.json, a logging.jsonl, or lines such as `step:1 - actor/kl:0.1 - ...` and `Global step 1: {...}`"
                )
            )
        rows = tuple(row for row in self.rows if row.values)
        return Log(
            form=self.form or "steps",
            rows=rows,
            done=self.done,
            most=self.most,
            epoch=_last(rows, "epoch"),
            seconds=self.seconds if self.seconds is not None else _last(rows, "train_runtime"),
        )


def _flat(record: "dict[str, object]", groups: int = 3) -> "dict[str, object]":
    """{"reward": {"mean": 0.1}} as {"reward/mean": 0.1}; what is deeper in groups is left out."""
    found: dict[str, object] = {}
    for name, value in record.items():
        if not isinstance(value, dict):
            found[name] = value
        elif groups:
            found.update({f"{name}/{each}": one for each, one in _flat(value, groups - 1).items()})
    return found


def _metrics(written: str) -> "Iterator[tuple[str, float]]":
    """(name, value) of each metric in `name:value - name:value`; numbers of numpy may say so: np.float64(0.5)."""
    for piece in written.split(" - "):
        name, colon, value = piece.strip().rpartition(":")
        if not colon or " " in name:
            continue
        value = value.partition("(")[2].rstrip(")") if value.startswith("np.") else value
        number = _number_in(value)
        if number is not None:
            yield name, number


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


def _number_in(text: str) -> "float | None":
    """The number that a text writes; None where it writes none."""
    with suppress(ValueError):
        return float(text)
    return None


def seconds_in(text: str) -> "float | None":
    """The seconds of a duration such as `68`, `68s`, `1m 8s` or `1d 2h 3m 4s`; None where it is none."""
    text = text.strip()
    if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?s?", text):
        return float(text.rstrip("s"))
    if len(text) > 60 or re.fullmatch(rf"(?:{_MEASURE.pattern} ?)+", text) is None:
        return None
    return float(sum(int(number) * _SECONDS[unit] for number, unit in _MEASURE.findall(text)))
