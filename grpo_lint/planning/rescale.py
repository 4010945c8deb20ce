"""The same training on other hardware: which settings change so that the sizes of group, update and rollout stay."""

from itertools import product

from ..fixes.state import states_of
from ..frameworks.roles import ROLLOUT_SIZE, ROLLOUT_STEPS
from ..launch.facts import Fact
from ..message import Message, Telling, told_by, verbatim
from ..plan.shape import Shape
from ..record import Record
from .batches import is_decided_by_episodes, undecided, whole_sizes
from .select_run import Chosen, NoRun, chosen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..fixes.state import State
    from ..shared_types import Callable, Condition, Iterator, Launch, Plan, Report

MOST_UPDATES = 1000  # sizes of an update, in completions, that are tried on each side of the present one
_KEPT = ("group_size", "completions_per_update", "completions_per_rollout")


class Move(Record):
    """The changes for other hardware. `run`: the run that is moved; `settings`: {name: value, None to remove it};
    `kept`: whether group, update and rollout keep their sizes; the plans before and after; `left`: the codes of the
    rules that the run breaks whatever its batches are."""

    run: Chosen
    settings: "dict[str, object]"
    kept: bool
    before: "Plan"
    after: "Plan"
    left: "list[str]"


class CannotMove(Telling):
    """Why a file cannot be moved to other hardware; the message is meant for the user."""


def move(lint: "Callable[[dict[str, Fact]], Report]", processes: int, facts: "dict[str, Fact]", line: str = "") -> Move:
    """The Move of a run to a number of processes: the run at `line`, else the first one. `lint`: gives the report of
    its file with these facts. Raises CannotMove."""
    report = lint(facts)
    run = _run(report, line)
    standing = {each.rule for each in report.findings if each.launch is run.launch and each.severity == "warning"}
    before = run.launch.plan(run.launch.candidates[0])
    sizes = whole_sizes(before, (_batch_of_a_device(before, run.launch), *_KEPT))
    if sizes is None:
        raise CannotMove(_why_unknown(run.launch))
    moved = _run(lint({**facts, "world_size": Fact(processes, verbatim("--gpus"))}), line).launch
    states = states_of(moved, processes)
    for changes in _tries(moved, before, processes, *sizes):
        after, left = _judged(states, changes, standing)
        if after is not None:
            return Move(
                run=run,
                settings={name: value for name, value in changes.items() if before.value(name) != value},
                kept=all(after.value(name) == before.value(name) for name in _KEPT),
                before=before,
                after=after,
                left=sorted(left),
            )
    raise CannotMove(
        Message(
            "no batch was found that {count} processes can make and that is within twice the size of this one",
            {"count": processes},
        )
    )


def _batch_of_a_device(plan: "Plan", launch: "Launch") -> str:
    """The quantity of completions of a device; where batches are made of tokens, the setting that counts them and stays what it is."""
    if plan.value("micro_batch") is not None:
        return "micro_batch"
    framework = launch.framework
    return framework.reader.called(framework.knobs.for_memory, launch.fields(launch.candidates[0]))


def _judged(
    states: "list[State]", changes: "dict[str, object]", standing: "set[Condition]"
) -> "tuple[Plan | None, set[str]]":
    """(the plan under some changes, the codes of the rules that are broken with and without them); no plan where the changes
    break another rule. `standing`: what warns of the run as it is, and may go on doing so."""
    plan, left = None, set[str]()
    for state in states:
        visible, made = state.visible_violations(changes)
        if visible - state.untouched(changes) - standing:
            return None, left
        left |= {rule.code for rule in visible}
        plan = plan or made
    return plan, left


def _why_unknown(launch: "Launch") -> Message:
    if is_decided_by_episodes(launch.framework.arithmetic):
        return undecided(launch.framework.title, launch.candidates[0].text)
    if launch.world_sizes:
        return Message("the batches of this run are not known: `grpo-lint explain` says what they need")
    return Message(
        "the batches of this run are not known: a comment can state its number of processes, # grpo-lint: world-size=8"
    )


def _run(report: "Report", line: str) -> Chosen:
    try:
        return chosen(report, line)
    except NoRun as why:
        raise CannotMove(told_by(why)) from None


def _tries(
    launch: "Launch", before: "Plan", processes: int, micro: int, group: int, update: int, rollout: int
) -> "Iterator[dict[str, object]]":
    """Changes to try, the nearest first: the same update with this or another micro batch, then other updates."""
    share = int(str(before.value("model_parallel_size") or 1))
    parallel, reuse = launch.framework.knobs.parallel, max(rollout // update, 1)
    for size, each in product(_updates_near(update, group, is_whole=rollout % update == 0), _micros_near(micro)):
        shape = Shape(processes, group, each, size, reuse, tensor=share)
        settings = launch.framework.arithmetic.settings_of(shape, launch.candidates[0].key, before.value)
        if settings is None:
            continue
        changes = {name: value for name, value in settings.items() if name not in parallel}
        if launch.setting(ROLLOUT_SIZE) is not None:
            changes.pop(ROLLOUT_STEPS, None)
            changes[ROLLOUT_SIZE] = size * reuse
        yield changes


def _updates_near(update: int, group: int, is_whole: bool) -> "Iterator[int]":
    """Sizes of an update from half to twice the present one, the nearest first; only this one where a rollout is no whole number
    of them."""
    yield update
    whole = update // group
    near = (group * (whole + step) for away in range(MOST_UPDATES) for step in (-away, away + 1))
    yield from (each for each in near if is_whole and update <= 2 * each <= 4 * update and each != update)


def _micros_near(micro: int) -> "list[int]":
    """A device's batch, and its doubles and halves, the nearest first."""
    sizes = {micro, *(micro << shift for shift in range(1, 4)), *(micro >> shift for shift in range(1, 4))} - {0}
    return sorted(sizes, key=lambda each: (abs(each - micro), each))
