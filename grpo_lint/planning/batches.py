"""The batches for the run that a user wishes: shapes of a grid, filtered by the rules and ranked."""

from itertools import islice, product
from math import lcm, log2

from ..fixes.state import states_of
from ..frameworks.base import Arithmetic
from ..frameworks.registry import run_template
from ..frameworks.run_template import NO_SAVER, Saver
from ..message import Message, clauses
from ..plan.quantities import QUANTITIES
from ..plan.shape import Shape
from ..record import Record
from ..source.quoting import plural
from .room import engine_sizes, is_beyond
from .stages import ends_of, why_not_cut
from .starts import UNNAMED, Start

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..fixes.state import State
    from ..shared_types import Callable, Iterator, Mapping, Plan, Sequence

MOST_SHAPES = 20_000  # that are tried for one wish
USUAL_GROUPS = (8, 4, 16, 12, 6, 32, 2)
USUAL_MICROS = (1, 2, 4)
USUAL_UPDATES_PER_ROLLOUT = (1, 2, 4)
MOST_UPDATES = 64  # sizes of an update that are tried with each group and micro batch where none is wished
LARGEST_UPDATE = 512  # completions, where the usual one is not larger
# {what may be wished of a batch and of its spread: its value where it is free}
FREE: "Mapping[str, object]" = {
    "update": None, "groups": None, "micros": None, "reuses": None, "tensor": 1, "pipeline": 1, "context": 1, "expert": 1,
    "backend": "", "model": "", "gpu_memory": None,
}  # fmt: skip


class Wish:
    """What a user wishes of a run. Fields that are None are free.

    `groups`, `micros`, `reuses`: allowed sizes of a group and of a device's batch in completions, and updates per
    rollout. `update`: completions behind one update. `rows`, `epochs`: of the data. `model`: its name; none is assumed.
    `memory`: "tight" or "free", which decides between two micro batches. `backend`: the training engine. `asked`: {name: value} of
    what is not free, by the names of FREE. `gpu_memory`: GiB of a GPU. `parameters`: of the model. `saver`: how less is held on each GPU.
    """

    def __init__(
        self,
        framework: str,
        version: str,
        processes: int,
        tensor: int = 1,
        pipeline: int = 1,
        context: int = 1,
        expert: int = 1,
        groups: "Sequence[int] | None" = None,
        micros: "Sequence[int] | None" = None,
        reuses: "Sequence[int] | None" = None,
        update: "int | None" = None,
        rows: "int | None" = None,
        epochs: "int | None" = None,
        model: str = "",
        memory: str = "",
        backend: str = "",
        gpu_memory: "int | None" = None,
        parameters: "int | None" = None,
        saver: Saver = NO_SAVER,
    ) -> None:
        asked = (update, groups, micros, reuses, tensor, pipeline, context, expert, backend, model, gpu_memory)
        self.asked = {name: value for name, value in zip(FREE, asked, strict=True) if value and value != FREE[name]}
        self.framework = framework
        self.version = version
        self.processes = processes
        self.tensor, self.pipeline, self.context, self.expert = tensor, pipeline, context, expert
        self.backend = backend
        self.usual = run_template(framework).usual
        self.groups = tuple(groups or dict.fromkeys((self.usual.group, *USUAL_GROUPS)))
        self.micros = tuple(micros or (*USUAL_MICROS, *self.groups))
        self.reuses = tuple(reuses or USUAL_UPDATES_PER_ROLLOUT)
        self.update = update
        self.rows, self.epochs = rows, epochs
        self.model, self.parameters = model, parameters
        self.memory, self.gpu_memory = memory, gpu_memory
        self.saver = saver
        self._ends = ends_of(model, pipeline)

    def but(self, **changes: object) -> "Wish":
        """The wish with other values of what was asked; FREE has those of what is not."""
        asked: dict[str, Any] = {"saver": self.saver, **self.asked, **changes}
        return Wish(
            self.framework,
            self.version,
            self.processes,
            rows=self.rows,
            epochs=self.epochs,
            memory=self.memory,
            parameters=self.parameters,
            **asked,
        )

    def start(self) -> Start:
        """The run in which settings are tried, of a model that nothing is known of where none is named."""
        epochs = (self.epochs or 1) if self.rows else None
        return Start(self.framework, self.version, self.model or UNNAMED, epochs, self.saver)

    def facts(self) -> "dict[str, object]":
        """What is stated of the run and in no setting."""
        told = {"dataset_size": self.rows, "gpu_memory": self.gpu_memory, "parameters": self.parameters}
        return {name: value for name, value in told.items() if value}

    def savers(self) -> "tuple[Saver, ...]":
        """The ways to hold less on a GPU, the first one to hold all as usual."""
        return (NO_SAVER, *(run_template(self.framework).savers if self.gpu_memory else ()))

    @property
    def ranks(self) -> int:
        """Data-parallel ranks; 0 where the copies of the model do not divide the processes."""
        return self.shape(1, 1, 1, 1).ranks

    def shapes(self, any_update: bool = False) -> "Iterator[Shape]":
        """The shapes that fit the wish; `any_update`: with updates of every size, whatever size is wished."""
        for group, micro, reuse in product(self.groups, self.micros, self.reuses):
            for update in self._updates(group, micro, any_update):
                yield self.shape(group, micro, update, reuse)

    def _updates(self, group: int, micro: int, any_update: bool) -> "Iterator[int]":
        if self.update and not any_update:
            yield self.update
            return
        step = lcm(group, micro * max(self.ranks, 1))
        largest = max(LARGEST_UPDATE, 4 * step, 2 * (self.update or self.usual.update))
        if not any_update:  # rounder ones where there would be many
            step *= max(largest // step // MOST_UPDATES, 1)
        yield from range(step, largest + 1, step)

    def shape(self, group: int, micro: int, update: int, updates: int) -> Shape:
        spread = (self.tensor, self.pipeline, self.context, self.expert, self.backend)
        return Shape(self.processes, group, micro, update, updates, *spread, ends=self._ends)


class Proposal(Record):
    """A config that holds: its shape, its settings, the resulting plan, why to choose it, and the wish that it fulfils: another one than
    was asked where something is given up."""

    shape: Shape
    settings: "dict[str, object]"
    plan: "Plan"
    reasons: "list[Message]"
    wish: Wish


def proposals(wish: Wish, most: int = 3) -> "list[Proposal]":
    """The best configs for a wish, each with another size of update or rollout; none where nothing holds."""
    for saver in wish.savers():
        saving = wish.but(saver=saver)
        found = _found(saving, saving.shapes(), most, lambda shape: (round(_octaves(shape, wish)), shape.updates))
        if found:
            return found
    return []


def nearest(wish: Wish, most: int = 3) -> "list[Proposal]":
    """The nearest configs with another number of completions per update."""
    return _found(wish, wish.shapes(any_update=True), most, lambda shape: shape.update) if wish.update else []


def nearest_in(wish: Wish, distance: "Callable[[Shape], float]") -> "Proposal | None":
    """The best of the configs for a wish that are nearest; none where nothing holds."""
    found = _found(wish, wish.shapes(), 1, lambda shape: 0, lambda shape: (distance(shape), *_rank(shape, wish)))
    return found[0] if found else None


def _found(
    wish: Wish,
    shapes: "Iterator[Shape]",
    most: int,
    kind: "Callable[[Shape], object]",
    rank: "Callable[[Shape], tuple[float, ...]] | None" = None,
) -> "list[Proposal]":
    """The best proposals of different kinds."""
    if why_not_cut(wish.model, wish.pipeline):
        return []
    start = wish.start()
    rank = rank or (lambda shape: _rank(shape, wish))
    ranked = sorted(_held(wish, start, shapes), key=lambda held: rank(held[0]))
    found: list[Proposal] = []
    for shape, settings in ranked:
        if any(kind(shape) == kind(other.shape) for other in found) or (found and _is_a_pair(shape, wish)):
            continue
        plan = _proven(start, shape, settings, wish)
        if plan is not None:
            reasons = list(_reasons(shape, plan, wish))
            found.append(Proposal(shape=shape, settings=settings, plan=plan, reasons=reasons, wish=wish))
        if len(found) == most:
            break
    return found


def _held(wish: Wish, start: Start, shapes: "Iterator[Shape]") -> "Iterator[tuple[Shape, dict[str, object]]]":
    """The shapes for which no rule reports a finding, with their settings."""
    saved = start.saved(wish.saver) | engine_sizes(wish)
    states: dict[frozenset[str], list[State]] = {}  # of a run with settings of these names
    for shape in islice(shapes, MOST_SHAPES):
        settings = start.settings_of(shape)
        if settings is None:
            continue
        settings.update(saved)
        names = frozenset(settings)
        if names not in states:
            launches = start.report(settings, wish.processes, wish.facts()).launches[:1]
            states[names] = [
                state for launch in launches if launch.candidates for state in states_of(launch, launch.world_size)
            ]
        if states[names] and not any(state.visible_violations(settings)[0] for state in states[names]):
            yield shape, settings


def _proven(start: Start, shape: Shape, settings: "dict[str, object]", wish: Wish) -> "Plan | None":
    """The plan of the written config; None where it has a finding, or another shape."""
    report = start.report(settings, wish.processes, wish.facts())
    if not report.launches or any(finding.severity != "info" for finding in report.findings):
        return None
    plan = report.launches[0].plan(report.launches[0].candidates[0])
    if is_beyond(plan, wish):
        return None
    made = [plan.value(name) for name in ("group_size", "completions_per_update", "updates_per_rollout", "dp_size")]
    wanted = [shape.group, shape.update, shape.updates, shape.ranks]
    return plan if all(each in (size, None) for each, size in zip(made, wanted)) else None


def _rank(shape: Shape, wish: Wish) -> "tuple[float, ...]":
    """The sort key of a shape, best first: no group of two, an update of the wished or usual size and on-policy, then a
    usual group, a round number of prompts, then speed."""
    octaves = abs(_octaves(shape, wish))
    off_policy = abs(log2(shape.updates / (1 if wish.update else wish.usual.updates)))
    # Where no size is wished, near ones count alike, and twice the size weighs as much as a second update per rollout.
    distance = octaves if wish.update else round(octaves) + off_policy
    micro = abs(shape.micro - USUAL_MICROS[-1])
    if wish.memory:
        micro = shape.micro if wish.memory == "tight" else shape.passes
    return (
        _is_a_pair(shape, wish),
        distance,
        off_policy,
        abs(log2(shape.group / wish.usual.group)),
        _odd_part(shape.update // shape.group or 1),
        octaves,
        -shape.update,
        micro,
    )


def _odd_part(number: int) -> int:
    """What is left of a number when it is halved as often as it is even: 1 of 256, 23 of 368."""
    return number // (number & -number)


def _is_a_pair(shape: Shape, wish: Wish) -> bool:
    """Whether it has groups of two, the smallest that train, and nobody asked for what needs them."""
    return shape.group == 2 and "groups" not in wish.asked and not wish.update


def _octaves(shape: Shape, wish: Wish) -> float:
    """The distance of an update from the wished size, or from the usual one for so many ranks, in powers of two."""
    return log2(shape.update / (wish.update or max(wish.usual.update, 8 * shape.ranks)))


def _reasons(shape: Shape, plan: "Plan", wish: Wish) -> "Iterator[Message]":
    prompts, part = divmod(shape.update, shape.group)
    update = {
        "update": plural(shape.update, "completion", ","),
        "prompts": plural(prompts, "prompt", ","),
        "group": shape.group,
    }
    if part:
        yield Message("{update} per update, of groups of {group}", update)
    else:
        yield Message("{update} per update: {prompts} x {group}", update)
    policy = Message("on-policy")
    if shape.updates != 1:
        policy = Message("{off} of {all} updates off-policy", {"off": shape.updates - 1, "all": shape.updates})
    of_rollout = plural(shape.update * shape.updates, "completion", ",")
    used = {"rollout": of_rollout, "updates": plural(shape.updates, "update", ","), "policy": policy}
    yield Message("{rollout} per rollout, used for {updates} ({policy})", used)
    yield Message(
        "{ranks}, {passes} of {micro} each",
        {
            "ranks": plural(shape.ranks, "data-parallel rank", ","),
            "passes": plural(shape.passes, "micro step", ","),
            "micro": plural(shape.micro, "completion", ","),
        },
    )
    steps, dropped = plan.value("total_steps"), plan.value("rows_used")
    if wish.rows and type(steps) is int:
        rows = {
            "rows": plural(wish.rows, "row", ","),
            "epochs": plural(wish.epochs or 1, "epoch", ","),
            "updates": plural(steps, "update", ","),
        }
        length = Message("{rows} in {epochs} are {updates}", rows)
        if type(dropped) is int and dropped < wish.rows:
            lost = plural(wish.rows - dropped, "row", ",")
            length = clauses((length, Message("{rows} of each epoch dropped", {"rows": lost})))
        yield length


def quantities(plan: "Plan") -> "dict[str, object]":
    """{quantity: value} of the known quantities of a plan."""
    return {name: value for name in QUANTITIES if type(value := plan.value(name)) in (int, float)}


def is_decided_by_episodes(arithmetic: Arithmetic) -> bool:
    """Whether no setting says what an update takes, so that there is no batch to plan."""
    return type(arithmetic).settings_of is Arithmetic.settings_of


def undecided(title: str, version: str) -> Message:
    told = {"title": title, "version": version}
    return Message("{title} {version} cannot be planned: its episodes decide how many rows an update takes", told)


def whole_sizes(plan: "Plan", names: "Sequence[str]") -> "tuple[int, ...] | None":
    """The sizes of a plan by these names; None where one is unknown or none."""
    sizes = [plan.value(name) for name in names]
    found = tuple(size for size in sizes if type(size) is int and size > 0)
    return found if len(found) == len(sizes) else None
