"""The same training on other hardware: which settings change so that group, update and rollout stay what they are."""

from itertools import product

from ..checker.contexts import Around
from ..engine import lint_path
from ..fixes.state import states_of
from ..launch.facts import Fact
from ..plan.shape import Shape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..launch.launch import Launch
    from ..plan.plan import Plan

_KEPT = ("group_size", "completions_per_update", "completions_per_rollout")


class Move:
    """What changes: `settings` {name: value, None for one to be removed}; `kept`: whether group, update and rollout stay; the plans
    before and after."""

    __slots__ = ("settings", "kept", "before", "after")
    settings: "dict[str, object]"
    kept: bool
    before: "Plan"
    after: "Plan"

    def __init__(self, settings: "dict[str, object]", kept: bool, before: "Plan", after: "Plan") -> None:
        self.settings = settings
        self.kept = kept
        self.before = before
        self.after = after


class CannotMove(Exception):
    """Why a file cannot be moved to other hardware; the message is meant for the user."""


def move(path: str, processes: int, facts: "dict[str, Fact]") -> Move:
    """The Move of the first run of a file, with what lies around it, to so many processes. Raises CannotMove."""
    launch = _launch(path, facts)
    before = launch.plan(launch.candidates[0])
    sizes = [before.value(name) for name in ("micro_batch", *_KEPT)]
    if not all(type(size) is int and size > 0 for size in sizes):
        raise CannotMove("the batches of this run are not known: its number of processes has to be stated")
    micro, group, update, rollout = (int(str(size)) for size in sizes)
    moved = _launch(path, {**facts, "world_size": Fact(processes, "--gpus")})
    states = states_of(moved, processes)
    for changes, kept in _tries(moved, before, processes, micro, group, update, rollout):
        plan = None
        for state in states:
            speaking, made = state.speaking(changes)
            if speaking:
                break
            plan = plan or made
        else:
            if plan is not None:
                return Move(_differing(changes, before), kept, before, plan)
    raise CannotMove(
        f"no batch was found that {processes} processes can make and that is within twice the size of this one"
    )


def _launch(path: str, facts: "dict[str, Fact]") -> "Launch":
    report = lint_path(path, Around(facts).of(path), fixes=False)
    if not report.launches or not report.launches[0].candidates:
        raise CannotMove(report.skipped or "there is no run in it")
    return report.launches[0]


def _tries(
    launch: "Launch", before: "Plan", processes: int, micro: int, group: int, update: int, rollout: int
) -> "Iterator[tuple[dict[str, object], bool]]":
    """(changes, whether all stays), the nearest first: the same update with this or another micro batch, then other updates."""
    share = before.value("model_parallel_size") or 1
    parallel = launch.framework.parallel_knobs
    updates = sorted(
        {update, *(group * number for number in range(1, 2 * update // group + 1))}, key=lambda each: abs(each - update)
    )
    micros = sorted(
        {micro, *(micro << shift for shift in range(1, 4)), *(micro >> shift for shift in range(1, 4))} - {0},
        key=lambda each: (abs(each - micro), each),
    )
    for size, each in product(updates, micros):
        if 2 * size < update or (size != update and rollout % update):
            continue
        shape = Shape(processes, group, each, size, max(rollout // update, 1), tensor=int(str(share)))
        settings = launch.framework.settings_of(shape, launch.candidates[0].key)
        if settings is None:
            continue
        changes = {name: value for name, value in settings.items() if name not in parallel}
        if launch.setting("generation_batch_size") is not None:
            changes.pop("steps_per_generation", None)
            changes["generation_batch_size"] = size * max(rollout // update, 1)
        yield changes, size == update


def _differing(changes: "dict[str, object]", before: "Plan") -> "dict[str, object]":
    return {name: value for name, value in changes.items() if before.value(name) != value}
