"""A log beside the plan of its run: whether it is the run that was planned, how long it takes, and what its metrics mean."""

import math
from statistics import fmean, median

from ..frameworks.metrics import logs_of
from ..frameworks.versions import version_key
from ..plan.plan import whole
from ..record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..shared_types import Launch, Plan
    from .reading import Log

RECENT = 20  # rows at the end of a log that tell how it is now
LONGEST_STEP = 10**7  # seconds: what is longer is no time of a step
WARM_UP = 1  # steps at the beginning that take longer: engines start, and kernels are compiled
MOST_PROCESSES = 1024


class Trend(Record):
    """A metric over the run.

    part                     what it measures, by the names of PARTS
    name                     what this release calls it
    first, now               means of the first and of the last rows; NaN where these are no numbers
    not_a_number             the first step at which it was none, None where it always was one
    always                   the value that it had in every row; None where it changed
    """

    part: str
    name: str
    first: float
    now: float
    not_a_number: "int | None" = None
    always: "float | None" = None


class Confirmation(Record):
    """What a log says of a launch.

    unit               what a step is: `updates` or `rollouts`
    planned            steps that the plan expects; None where it does not know
    as_processes       the number of processes with which the plan has as many steps as the log, where the stated one gives
                       others; `plan` is of this number then
    is_of_another      whether the framework of the run writes no such logs
    rows               rows of the data that the steps of an epoch speak of; None where nothing tells
    seconds            of one step: the median without the first; None where nothing tells
    tokens             of prompts and completions in one step, on average; None where nothing tells
    trends             the metrics of PARTS that were logged
    missing            parts of which this release logs nothing
    """

    launch: "Launch"
    plan: "Plan"
    log: "Log"
    unit: str = "updates"
    planned: "int | None" = None
    as_processes: "int | None" = None
    is_of_another: bool = False
    rows: "int | None" = None
    seconds: "float | None" = None
    tokens: "int | None" = None
    trends: "tuple[Trend, ...]" = ()
    missing: "tuple[str, ...]" = ()

    @property
    def steps(self) -> "int | None":
        """Steps of the whole run: those that it announced, else those that were planned."""
        known = self.log.most or self.planned
        return None if known is None else max(known, self.log.done)

    @property
    def left(self) -> "int | None":
        """Steps that are left."""
        return None if self.steps is None else self.steps - self.log.done

    def of_one_step(self, what: str) -> "int | float | None":
        """How many completions, prompts, or updates one step takes; None where the plan does not know."""
        value = self.plan.value(f"{what}_per_{self.unit.removesuffix('s')}")
        return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None

    @property
    def agrees(self) -> bool:
        """Whether the log is that of the planned run, as far as it tells."""
        if self.is_of_another or self.planned is None:
            return not self.is_of_another
        return (
            self.log.done <= self.planned if self.log.most is None else self.log.most == self.planned >= self.log.done
        )


# What is told of a run, in this order.
PARTS = ("reward", "even", "length", "cut", "ratio_clipped", "kl", "entropy")


def confirm(log: "Log", launch: "Launch", seconds: "float | None" = None) -> Confirmation:
    """The Confirmation of a run by its log. `seconds`: of one step, as the user states them."""
    candidate = launch.candidates[0]
    of_framework = logs_of(launch.framework.name)
    planned = _steps_of(launch.plan(candidate), of_framework.steps)
    as_processes = _processes_of(log, launch, planned, of_framework.steps)
    plan = launch.plan(candidate, {"world_size": as_processes} if as_processes else {})
    known = _names_in(candidate.text, of_framework.metrics)
    trends = [trend for part in PARTS if (trend := _trend(log, part, known.get(part, ()))) is not None]
    return Confirmation(
        launch=launch,
        plan=plan,
        log=log,
        unit=of_framework.steps,
        planned=planned,
        as_processes=as_processes,
        is_of_another=bool(log.form) and log.form not in of_framework.forms,
        rows=_rows_of_data(log, plan),
        seconds=seconds or _seconds(log, known),
        tokens=_tokens(log, known),
        trends=tuple(trends),
        missing=tuple(part for part in PARTS if log.rows and known and not known.get(part)),
    )


def _steps_of(plan: "Plan", unit: str) -> "int | None":
    """The steps of a run, as the framework counts them in its log."""
    if unit == "rollouts":
        return whole(plan.value("rollouts"))
    return whole(plan.value("executed_steps")) or whole(plan.value("total_steps"))


def _names_in(release: str, metrics: "Mapping[str, Iterable[tuple[str, str, str]]]") -> "dict[str, tuple[str, ...]]":
    """{part: the names that a release has for it}."""
    at = version_key(release)
    return {
        part: tuple(
            name for name, since, until in names if version_key(since) <= at and (not until or at < version_key(until))
        )
        for part, names in metrics.items()
    }


def _named(log: "Log", names: "tuple[str, ...]") -> "tuple[str, list[tuple[int, float]]]":
    """The first of some names that stands in the log, and its values."""
    return next(((name, found) for name in names if (found := log.values(name))), ("", []))


def _trend(log: "Log", part: str, names: "tuple[str, ...]") -> "Trend | None":
    name, found = _named(log, names)
    if not found:
        return None
    values = [value for _, value in found]
    size = min(RECENT, max(1, len(values) // 2))
    return Trend(
        part=part,
        name=name,
        first=fmean(values[:size]),
        now=fmean(values[-size:]),
        not_a_number=next((step for step, value in found if math.isnan(value)), None),
        always=values[0] if len(set(values)) == 1 and len(values) > 1 else None,
    )


def _seconds(log: "Log", known: "dict[str, tuple[str, ...]]") -> "float | None":
    """Seconds of one step, from what measures each, else from those of the whole run."""
    _, found = _named(log, known.get("seconds", ()))
    values = [value for step, value in found if step > WARM_UP or len(found) == 1]
    if not values:
        _, found = _named(log, known.get("updates_a_second", ()))
        values = [1 / value for _, value in found[-1:] if value > 1 / LONGEST_STEP]
    values = [value for value in values if 0 < value < LONGEST_STEP]
    if values:
        return median(values)
    whole_run = log.seconds / log.done if log.seconds and log.done else 0.0
    return whole_run if 0 < whole_run < LONGEST_STEP else None


def _tokens(log: "Log", known: "dict[str, tuple[str, ...]]") -> "int | None":
    """Tokens of one step, from what counts those of each, else from what counts all so far, which a checkpoint goes on with."""
    _, found = _named(log, known.get("tokens", ()))
    values = [value for _, value in found if math.isfinite(value)]
    if values:
        return round(fmean(values))
    _, found = _named(log, known.get("tokens_so_far", ()))
    counted = [(step, value) for step, value in found if math.isfinite(value)]
    if not counted:
        return None
    (first, before), (last, now) = counted[0], counted[-1]
    if first == last:
        first, before = 0, 0.0
    return round((now - before) / (last - first)) if last > first and now > before else None


def _processes_of(log: "Log", launch: "Launch", planned: "int | None", unit: str) -> "int | None":
    """The one number of processes that explains the steps of the log, where those of the plan are others."""
    if log.most is None or planned is None or log.most == planned:
        return None
    candidate = launch.candidates[0]
    found = [
        count
        for count in range(1, MOST_PROCESSES + 1)
        if _steps_of(launch.plan(candidate, {"world_size": count}), unit) == log.most
    ]
    return found[0] if len(found) == 1 else next((count for count in found if count & (count - 1) == 0), None)


def _rows_of_data(log: "Log", plan: "Plan") -> "int | None":
    """How many rows the data has, by the steps of an epoch and the prompts of a step; within a batch."""
    prompts, epoch = plan.value("prompts_per_update"), log.epoch
    if plan.value("dataset_size") is not None or not isinstance(prompts, (int, float)) or not epoch or epoch <= 0:
        return None
    return round(log.done / epoch * prompts) if log.done else None
