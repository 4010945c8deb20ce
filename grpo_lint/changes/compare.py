"""Two runs side by side: which quantities, settings and defaults differ, and what a change does to training."""

from ..frameworks.roles import BESIDE_TRAINING, OF_MEMORY, SWITCHES
from ..launch.launch import NoNumber
from ..message import NOTHING, Message, verbatim
from ..plan.plan import Plan
from ..source.entry import loaded
from ..unknown import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Iterator, Launch


RUN = ("release", "algorithm", "policy")  # what a run is made of besides quantities, in words
# The quantities that decide what a run learns from, in the order in which they are shown. The others are intermediate.
TOLD = (
    "dp_size", "group_size", "completions_per_update", "prompts_per_update", "completions_per_rollout", "prompts_per_rollout",
    "updates_per_rollout", "padding_completions", "eval_completions", "evaluates", "rows_used", "total_steps", "executed_steps",
)  # fmt: skip
MEMORY, LEFT, REFUSED = map(verbatim, ("memory", "left", "refused"))  # why a changed default is not to be written out


class Change:
    """One difference: `kind` ("run", "quantity", "setting", "default"), its name, both values (None: not known, or not
    set) and `why`, a text that may be empty."""

    def __init__(self, kind: str, name: str, before: object, after: object, why: Message = NOTHING) -> None:
        self.kind = kind
        self.name = name
        self.before = before
        self.after = after
        self.why = why

    def __repr__(self) -> str:
        return f"Change({self.kind!r}, {self.name!r}, {self.before!r}, {self.after!r})"


def compare(before: "Launch", after: "Launch") -> "list[Change]":
    """The differences between two runs, the most important first. Both must have a release (`candidates`)."""
    return [*_runs(before, after), *quantities(before, after), *_settings(before, after), *defaults(before, after)]


def newest_plan(launch: "Launch") -> Plan:
    """The plan of a run under its newest candidate release."""
    return launch.plan(launch.candidates[0])


def _runs(before: "Launch", after: "Launch") -> "Iterator[Change]":
    releases = [f"{each.framework.title} {each.candidates[0].text}" for each in (before, after)]
    if releases[0] != releases[1]:
        yield Change("run", "release", releases[0], releases[1])
    if before.title != after.title:
        yield Change("run", "algorithm", before.title, after.title)
    counts = [_processes(each) for each in (before, after)]
    if counts[0] != counts[1]:
        yield Change("run", "processes", counts[0], counts[1])


def _processes(launch: "Launch") -> object:
    if not launch.world_sizes:
        return None
    return launch.world_sizes[0] if len(launch.world_sizes) == 1 else "|".join(map(str, launch.world_sizes))


def quantities(before: "Launch", after: "Launch") -> "Iterator[Change]":
    """The quantities that differ. One that is known for one run only counts, since some setting has decided it."""
    old, new = newest_plan(before), newest_plan(after)
    names = before.candidates[0].regime.quantities, after.candidates[0].regime.quantities
    evaluates = any(plan.value("evaluates") is not False for plan in (old, new))
    for name in TOLD:
        if name == "eval_completions" and not evaluates:
            continue
        values = [plan.value(name) if name in known else None for plan, known in zip((old, new), names, strict=True)]
        if not _are_alike(*values) and not (None in values and name not in names[0]):
            yield Change("quantity", name, values[0], values[1])
        if name == "updates_per_rollout" and policy(values[0]) != policy(values[1]):
            yield Change("quantity", "policy", policy(values[0]), policy(values[1]))


def policy(updates: object) -> "str | None":
    """Whether each update learns from completions of the weights that it changes. Several rollouts may make one
    update."""
    if not isinstance(updates, (int, float)):
        return None
    return "on-policy" if updates <= 1 else "off-policy"


def _settings(before: "Launch", after: "Launch") -> "Iterator[Change]":
    """The settings that one of the runs sets and whose value in force differs in the other."""
    plans = newest_plan(before), newest_plan(after)
    for name in dict.fromkeys((*before.entries, *after.entries)):
        given = [name in launch.entries for launch in (before, after)]
        values = [_in_force(launch, plan, name) for launch, plan in zip((before, after), plans, strict=True)]
        if not _are_alike(*values) or UNKNOWN in values:
            if UNKNOWN in values and _written(before, name) == _written(after, name):
                continue
            whose = NOTHING
            if not all(given) and None not in values:
                whose = Message("by default before") if given[1] else Message("by default now")
            yield Change("setting", name, values[0], values[1], whose)


def _in_force(launch: "Launch", plan: Plan, name: str) -> object:
    """The value of a setting in force: given, or the default of its release."""
    if name not in launch.entries:
        field = launch.fields(launch.candidates[0])[name]
        return None if field is None else field.default
    value = plan.value(name)
    return loaded(launch.entries[name].value) if value is None or type(value) is NoNumber else value


def _are_alike(before: object, after: object) -> bool:
    """Whether two values are the same; what is no number is not equal to itself."""
    return before == after or (type(before) is type(after) and repr(before) == repr(after))


def _written(launch: "Launch", name: str) -> object:
    return loaded(launch.entries[name].value) if name in launch.entries else None


def defaults(before: "Launch", after: "Launch") -> "Iterator[Change]":
    """The defaults that another release has changed, of settings that neither run sets and that affect training.

    `why` is MEMORY where only memory and speed depend on the setting. It is LEFT where the new release has no default
    and decides itself, so that the effect on training is unknown.
    """
    if not has_comparable_defaults(before, after):
        return
    old, new = before.fields(before.candidates[0]), after.fields(after.candidates[0])
    if old is new:
        return
    left_out = {*_idle(before), *_idle(after), *before.entries, *after.entries}
    for name in old.names():
        was, now = old[name], new[name]
        if was is None or now is None or name in left_out or _is_beside_training(name):
            continue
        values = [_meant(after, name, field.default) for field in (was, now)]
        if UNKNOWN not in values and not _alike(after, name, *values):
            is_of_memory = name.rpartition(".")[2] in OF_MEMORY
            why = MEMORY if is_of_memory else LEFT if values[1] is None else NOTHING
            yield Change("default", name, values[0], values[1], why)
    yield from _done_before(before, after, left_out)


def _done_before(before: "Launch", after: "Launch", left_out: "set[str]") -> "Iterator[Change]":
    """The settings that the new release has by default, and that the old one, without them, did otherwise."""
    old, new = before.fields(before.candidates[0]), after.fields(after.candidates[0])
    for name, each in before.framework.reader.values.done_before.items():
        now = new[name]
        if old[name] is None and now is not None and name not in left_out:
            was_done = [value for since, value in each if since <= before.candidates[0].key][-1]
            if not _alike(after, name, was_done, now.default):
                yield Change("default", name, was_done, now.default, NOTHING)


def has_comparable_defaults(before: "Launch", after: "Launch") -> bool:
    """Whether what is not written has its default in both runs, and means the same there."""
    return before.framework is after.framework and not (before.incomplete or before.reader)


def _is_beside_training(name: str) -> bool:
    return name.startswith(BESIDE_TRAINING) or "profiler" in name


def _meant(launch: "Launch", name: str, default: object) -> object:
    return launch.framework.reader.values.unset_means.get(name) if default is None else default


def _alike(launch: "Launch", name: str, was: object, now: object) -> bool:
    """Whether two values mean the same: equal ones, two ways to leave a setting unset, or values that the framework
    treats alike."""
    if was in (now, [now]) or now == [was] or (_says_nothing(was) and _says_nothing(now)):
        return True
    return any(was in values and now in values for values in launch.framework.reader.values.equivalent.get(name, ()))


def _says_nothing(value: object) -> bool:
    return value is None or (type(value) in (str, list, dict, tuple) and not value)


def _idle(launch: "Launch") -> "set[str]":
    """The settings that have no effect in a run."""
    plan, regime = newest_plan(launch), launch.candidates[0].regime
    held = (names for condition, names in regime.idle.values() if plan.holds(condition))
    off = tuple(prefix for switch, prefix in SWITCHES.items() if plan.value(switch) is False)
    fields = launch.fields(launch.candidates[0]).names() if off else ()
    return {name for names in held for name in names}.union(name for name in fields if name.startswith(off))
