"""Which fix is best: one table of criteria, `Ranking.order`, compared from the first to the last. The first fix is the one that an expert would choose."""

from math import ceil, log2

from ..launch.topology import PROCESSES
from ..record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..shared_types import AbstractSet, Callable, Condition, Mapping, Plan

    Values = Mapping[str, object]  # {setting: value, None to remove it}
    Quantity = Any  # of a plan: a number, None where it is not known; formulas tell no types
    Order = tuple[Any, ...]  # one place for each criterion

MOST_MEMORY = 1  # powers of two of the device batch: what is more may not fit
MOST_GROWTH = 2  # powers of two beyond the first
NEARLY = 0.1  # powers of two between a size and one that is nearly the same: 100 and 96
# the names of the places in an order, from the first that counts
CRITERIA = ("doubling", "spread", "groups", "growth", "findings", "keys", "learnt", "memory", "releases", "policy", "own key", "evaluation", "common numbers",
            "reuse", "update", "rollout", "processes", "near", "small", "preference")  # fmt: skip
_LEARNT = ("group_size", "eval_group_size", "completions_per_update", "completions_per_rollout", "updates_per_rollout")


class Ranking(Record):
    """What changes of a launch are compared by, beside themselves."""

    before: "Plan"
    names: "tuple[str, ...]"  # the knobs, in order of preference
    parallel: "AbstractSet[str]"  # those that spread the run over processes
    memory_knob: str
    group_knob: str
    own: "AbstractSet[str]"  # the keys that the finding is about
    together: "AbstractSet[str]"  # several of them, of one size, that are best changed alike
    size_of: "Callable[[str], int | None]"  # of a knob; of one that is not set, what it mostly equals

    def order(
        self, values: "Values", left: "set[Condition]", after: "Plan", others: int = 0, in_part: bool = False
    ) -> "Order":
        """The rank of a change, smaller is better: a place for each of CRITERIA. `left`: the rules that it leaves broken, of those that
        it touches; `others`: how many more stay broken; `in_part`: whether it helps in the newer releases only."""
        before, grown = self.before, growths(self.before, after)
        return (
            # an update is made no more than twice as large while anything else helps
            grown[0] > 0,
            # parallel sizes and the number of processes are kept
            not self.parallel.isdisjoint(values),
            # the group size is the last to change
            self.groups(values, after, max(grown)),
            # nothing grows to more than twice its size: the update, the rollout, its reuse
            max(grown),
            # few findings are left, of those that the change touches
            len(left),
            # an edit that cures two findings before two edits; one key before two
            edits(values, others, self.together),
            # what is learnt is kept
            bool(left) or not self.trains_alike(values, after),
            # the device batch is kept, then lowered, then raised
            self.memory(values),
            # it helps in all releases that may run
            in_part,
            # on-policy stays on-policy
            self.is_reused(after),
            # the key that the finding is about changes, to a number that people write
            self.is_of_another_key(values),
            # evaluation keeps its group size
            not self.keeps("eval_group_size", after),
            # sizes become numbers that people write
            self.uncommon(values),
            # updates per rollout are kept
            not self.keeps_reuse(after),
            # completions per update, then prompts per rollout, change by the smallest factor
            distance(before.value("completions_per_update"), after.value("completions_per_update")),
            distance(prompts(before), prompts(after)),
            *self.nearness(values),
        )

    def nearness(self, values: "Values") -> "Order":
        """The last places, by the keys and values alone."""
        return (
            # the processes are kept, for the hardware is there
            PROCESSES in values,
            # the keys themselves change by the smallest factor, to small values
            round(sum([distance(self.size_of(key), values[key]) for key in values]), 9),
            sum([value for value in values.values() if type(value) is int]),
            # the keys that people change first; of keys that may go, those that they would miss least
            self.preference(values),
        )

    def at_best(self, values: "Values") -> "tuple[bool, bool, int]":
        """The best rank that a change of several keys can have, known before anything is computed."""
        return not self.parallel.isdisjoint(values), self.group_knob in values, self.memory(values)

    def keeps(self, size: str, after: "Plan") -> bool:
        return bool(self.before.value(size) == after.value(size))

    def keeps_reuse(self, after: "Plan") -> bool:
        return self.keeps("updates_per_rollout", after) or serves_alike(self.before, after)

    def groups(self, values: "Values", after: "Plan", cost: int) -> int:
        """The group size changes only before the device batch takes more than twice its memory, or something grows to more than eight
        times its size; one that nobody chooses, such as 7, becomes a common one first."""
        if (
            self.memory(values) == 2
            and distance(self.size_of(self.memory_knob), values[self.memory_knob]) > MOST_MEMORY
        ):
            return 3
        if self.group_knob not in values:
            return 1 if cost <= MOST_GROWTH else 2
        old, new = self.before.value("group_size"), after.value("group_size")
        return 0 if len(values) == 1 and oddness(old) and not oddness(new) and distance(old, new) <= 1 else 2

    def memory(self, values: "Values") -> int:
        """0 when the device batch of training stays, 1 when it is lowered, 2 when it is raised."""
        if self.memory_knob not in values:
            return 0
        before: Quantity = self.before.value(self.memory_knob)
        after: Quantity = values[self.memory_knob]
        if before is None or before == after:
            return 0
        return 1 if {type(before), type(after)} <= {int, float} and after < before else 2

    def trains_alike(self, values: "Values", after: "Plan") -> bool:
        """Whether groups, updates and rollouts hold what they held, no more memory is taken, and a pass holds more than one completion."""
        is_slow = self.memory(values) == 1 and values[self.memory_knob] == 1
        return not is_slow and self.memory(values) < 2 and all(self.keeps(size, after) for size in _LEARNT)

    def is_reused(self, after: "Plan") -> bool:
        """Whether a rollout of one update, or of less than one, newly serves several."""
        before: Quantity = self.before.value("updates_per_rollout")
        updates: Quantity = after.value("updates_per_rollout")
        return before is not None and updates is not None and before <= 1 < updates

    def is_of_another_key(self, values: "Values") -> bool:
        """The cures of an option stand in an order of their own: none is of another key."""
        is_of_sizes = all(key in self.names for key in values)
        return is_of_sizes and (self.own.isdisjoint(values) or any(self.oddness(key, values) for key in values))

    def uncommon(self, values: "Values") -> int:
        """How many sizes are no power of two, as people write them and as they divide the heads of most models, nor three of one, within
        a factor of two."""
        sizes = [(key, distance(self.size_of(key), value)) for key, value in values.items() if key != PROCESSES]
        return sum([self.oddness(key, values) + (2 if far > 1 else 0) for key, far in sizes])

    def oddness(self, key: str, values: "Values") -> int:
        """`oddness` of a value; 0 for three of a power of two that is nearly the size of a rollout in completions: these are made of
        groups and steps, and nobody chooses them freely."""
        odd, size = oddness(values[key]), self.size_of(key)
        is_rollout = size is not None and size == self.before.value("completions_per_rollout")
        return 0 if odd == 1 and is_rollout and distance(size, values[key]) < NEARLY else odd

    def preference(self, values: "Values") -> "list[int]":
        places = [self.names.index(key) if key in self.names else 0 for key in values]
        return [-place if value is None else place for place, value in zip(places, values.values())]


# --- sizes --------------------------------------------------------------------------------------------------------------


def oddness(size: object) -> int:
    """0 for a power of two, 1 for three of one, such as 48, 2 for another size, such as 63."""
    if type(size) is not int or not size & (size - 1):
        return 0
    return 1 if size == 3 * (size & -size) else 2


def edits(values: "Values", others: int, together: "AbstractSet[str]") -> "tuple[int, bool, int]":
    """How many edits a change and what it leaves to be cured take, each key counted, those that change alike once; of as many one key
    before two, unless it becomes a number that nobody writes."""
    count = 1 if values.keys() == together else len(values)
    return count + others, others > 0 and is_odd(values), count


def is_odd(values: "Values") -> bool:
    """Whether all keys become numbers that nobody writes."""
    return all(oddness(value) == 2 for value in values.values())


def growths(before: "Plan", after: "Plan") -> "tuple[int, int, int]":
    """By how many powers of two, the first one free, the update, the rollout and its reuse grow."""
    return (
        _growth(before.value("completions_per_update"), after.value("completions_per_update")),
        _growth(prompts(before), prompts(after)),
        _growth(before.value("updates_per_rollout"), after.value("updates_per_rollout")),
    )


def _growth(old: "Quantity", new: "Quantity") -> int:
    return ceil(distance(max(old, 1), new)) - 1 if old and new and new > max(old, 1) else 0


def serves_alike(before: "Plan", after: "Plan") -> bool:
    """Whether only padding makes another number of updates of a rollout: 1024 prompts hold 4 updates of 250, as they do of 256, but with
    the first they are filled up to 8."""
    return bool(before.value("padding_completions")) and _updates_in(before) == _updates_in(after)


def _updates_in(plan: "Plan") -> int:
    """How many updates the completions of a rollout make, rounded."""
    rollout: Quantity = plan.value("completions_per_rollout")
    update: Quantity = plan.value("completions_per_update")
    return (2 * rollout + update) // (2 * update) if rollout and update else 0


def prompts(plan: "Plan") -> "float | None":
    """Prompts per rollout, not rounded: a rollout of 14 in groups of 8 holds 1.75."""
    completions: Quantity = plan.value("completions_per_rollout")
    group: Quantity = plan.value("group_size")
    if not completions or not group:
        return None
    found: float = completions / group if completions < 1 << 50 else completions // group
    return found


def distance(before: "Quantity", after: "Quantity") -> float:
    """|log2| of the factor between two numbers. It is 0 where one of them is unknown or not positive: there is no
    factor then."""
    if type(before) not in (int, float) or type(after) not in (int, float) or before <= 0 or after <= 0:
        return 0.0
    return round(abs(log2(after) - log2(before)), 9)
