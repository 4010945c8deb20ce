"""The same training on other hardware: which settings change so that the sizes of group, update and rollout stay."""

from itertools import product

from ..fixes.state import states_of
from ..frameworks.roles import ROLLOUT_SIZE, ROLLOUT_STEPS
from ..launch.facts import Fact
from ..message import Message
from ..plan.shape import Shape
from .runs import Chosen, NoRun, chosen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..checker.findings import Report
    from ..launch.launch import Launch
    from ..plan.plan import Plan

MOST_UPDATES = 1000  # sizes of an update, in completions, that are tried on each side of the present one
_KEPT = ("group_size", "completions_per_update", "completions_per_rollout")


class Move:
    """The changes for other hardware. `run`: the run that is moved; `settings`: {name: value, None to remove it};
    `kept`: whether group, update and rollout keep their sizes; the plans before and after; `left`: the codes of the
    rules that the run breaks whatever its batches are."""

    __slots__ = ("run", "settings", "kept", "before", "after", "left")
    run: Chosen
    settings: "dict[str, object]"
    kept: bool
    before: "Plan"
    after: "Plan"
    left: "list[str]"

    def __init__(
        self, run: Chosen, settings: "dict[str, object]", kept: bool, before: "Plan", after: "Plan", left: "list[str]"
    ) -> None:
        self.run = run
        self.settings = settings
        self.kept = kept
        self.before = before
        self.after = after
        self.left = left


class CannotMove(Exception):
    """Why a file cannot be moved to other hardware; the message is meant for the user."""


def move(lint: "Callable[[dict[str, Fact]], Report]", processes: int, facts: "dict[str, Fact]", line: str = "") -> Move:
    """The Move of a run to a number of processes: the run at `line`, else the first one. `lint`: gives the report of
    its file with these facts. Raises CannotMove."""
    run = _run(lint(facts), line)
    launch = run.launch
    before = launch.plan(launch.candidates[0])
    sizes = [before.value(name) for name in ("micro_batch", *_KEPT)]
    if not all(type(size) is int and size > 0 for size in sizes):
        raise CannotMove(_why_unknown(launch))
    micro, group, update, rollout = (int(str(size)) for size in sizes)
    moved = _run(lint({**facts, "world_size": Fact(processes, "--gpus")}), line).launch
    states = states_of(moved, processes)
    for changes in _tries(moved, before, processes, micro, group, update, rollout):
        plan, left = None, set()
        for state in states:
            speaking, made = state.speaking(changes)
            untouched = state.untouched(changes)
            if speaking - untouched:
                break
            left |= {rule.code for rule in speaking}
            plan = plan or made
        else:
            if plan is not None:
                kept = all(plan.value(name) == before.value(name) for name in _KEPT)
                return Move(run, _differing(changes, before), kept, before, plan, sorted(left))
    raise CannotMove(
        Message(
            "no batch was found that {count} processes can make and that is within twice the size of this one",
            {"count": processes},
        )
    )


def _why_unknown(launch: "Launch") -> str:
    if launch.world_sizes:
        return "the batches of this run are not known: `grpo-lint explain` tells what they need"
    return (
        "the batches of this run are not known: a comment can state its number of processes, # grpo-lint: world-size=8"
    )


def _run(report: "Report", line: str) -> Chosen:
    try:
        return chosen(report, line)
    except NoRun as why:
        raise CannotMove(str(why)) from None


def _tries(
    launch: "Launch", before: "Plan", processes: int, micro: int, group: int, update: int, rollout: int
) -> "Iterator[dict[str, object]]":
    """Changes to try, the nearest first: the same update with this or another micro batch, then other updates."""
    share = before.value("model_parallel_size") or 1
    parallel = launch.framework.knobs.parallel
    whole = update // group
    near = (group * (whole + step) for away in range(MOST_UPDATES) for step in (-away, away + 1))
    updates = [update, *(each for each in near if 0 < each <= 2 * update and each != update)]
    micros = sorted(
        {micro, *(micro << shift for shift in range(1, 4)), *(micro >> shift for shift in range(1, 4))} - {0},
        key=lambda each: (abs(each - micro), each),
    )
    for size, each in product(updates, micros):
        if 2 * size < update or (size != update and rollout % update):
            continue
        shape = Shape(processes, group, each, size, max(rollout // update, 1), tensor=int(str(share)))
        settings = launch.framework.arithmetic.settings_of(shape, launch.candidates[0].key)
        if settings is None:
            continue
        changes = {name: value for name, value in settings.items() if name not in parallel}
        if launch.setting(ROLLOUT_SIZE) is not None:
            changes.pop(ROLLOUT_STEPS, None)
            changes[ROLLOUT_SIZE] = size * max(rollout // update, 1)
        yield changes


def _differing(changes: "dict[str, object]", before: "Plan") -> "dict[str, object]":
    return {name: value for name, value in changes.items() if before.value(name) != value}
