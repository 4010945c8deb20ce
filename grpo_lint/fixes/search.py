"""The search for fixes: on plain integers, one knob first, pairs only where no single knob makes the launch clean."""

from itertools import combinations
from math import log2

from ..judge import conditions, decide, inputs_of, one_per_regime, unblocked
from ..plan import UNKNOWN
from ..rules import DECIDING, RULES

MOST_ALTERNATIVES = 3
LARGEST_VALUE = 4096
PARALLEL = frozenset(
    "tensor_model_parallel_size pipeline_model_parallel_size context_parallel_size expert_model_parallel_size".split()
)


class Change:
    """Settings to change, {key: value or None to remove it}, and how good that is: a smaller `order` is better."""

    __slots__ = ("values", "left", "order", "before", "after")

    def __init__(self, values, left, order, before, after):
        self.values = values
        self.left = left
        self.order = order
        self.before = before
        self.after = after


class Search:
    """Changes that make one rule hold in a launch whose number of processes is known."""

    def __init__(self, launch):
        self.launch = launch
        self.candidates = one_per_regime(launch)
        self.newest = self.candidates[0]
        self.before = launch.plan(self.newest)
        self._rules = {}
        self.broken_before = set().union(*(self._broken(candidate, {}) for candidate in self.candidates))

    def _broken(self, candidate, changes):
        """Names of the rules that speak up in one release under the changes."""
        deciding = tuple(sorted((name, changes[name] is None) for name in DECIDING.intersection(changes)))
        rules = self._rules.get((candidate, deciding))
        if rules is None:
            rules = self._rules[candidate, deciding] = conditions(self.launch, candidate, changes)
        broken, _ = decide(rules, self.launch.plan(candidate, changes))
        speaking = unblocked(broken, candidate.regime.refuses) if broken else ()
        return {rule.name for rule in speaking if not _is_remark(rule, candidate.regime)}

    def _left(self, rule, changes, in_the_way):
        """The rules that are still broken after the changes, or None when `rule` is among them or another one is new.

        A new one is added to `in_the_way`.
        """
        left = set()
        for candidate in self.candidates:
            broken = self._broken(candidate, changes)
            if rule.name in broken:
                return None
            if not broken <= self.broken_before:
                in_the_way |= broken - self.broken_before
                return None
            left |= broken
        return left

    def alternatives(self, rule):
        """Up to three changes after which `rule` holds and nothing else newly breaks, the best first."""
        knobs = self._knobs([rule])
        in_the_way = set()
        found = self._try(rule, ({knob: value} for knob in knobs for value in self._values(knob)), in_the_way)
        if not any(not left for _, left in found):
            # what a single change newly breaks tells what else to change
            knobs = self._knobs([rule, *(RULES[name] for name in in_the_way)])
            nearest = {knob: self._values(knob, near=True) for knob in knobs}
            pairs = (
                {first: one, second: two}
                for first, second in combinations(knobs, 2)
                for one in nearest[first]
                for two in nearest[second]
            )
            found += self._try(rule, pairs, set())
        return chosen([self._change(values, left) for values, left in found])

    def _try(self, rule, proposals, in_the_way):
        """[(values, the rules they leave broken)] of the proposals that help."""
        found = []
        for values in proposals:
            left = self._left(rule, values, in_the_way)
            if left is not None:
                found.append((values, left))
        return found

    def _change(self, values, left):
        after = self.launch.plan(self.newest, values)
        return Change(values, left, self._order(values, left, after), self.before, after)

    def _knobs(self, rules):
        """The settings that a fix may change and that one of the rules depends on, in the dialect's order."""
        fields = self.launch.fields(self.newest)
        inputs = set()
        for candidate in self.candidates:
            for rule in rules:
                inputs |= inputs_of(rule, candidate.regime)
        knobs = [knob for knob in self.launch.dialect.knobs if knob in inputs and fields[knob]]
        # a second name for the size of a rollout is only of use where it is already in use
        return [knob for knob in knobs if knob != "generation_batch_size" or knob in self.launch.entries]

    def _values(self, knob, near=False):
        """Values worth trying for a knob: small ones, and multiples and divisors of what the run is made of.

        None, for a key of the file that may be left out, removes it.
        """
        plan = self.before
        current = plan.value(knob)
        present = knob in self.launch.entries
        base = min(current, LARGEST_VALUE) if type(current) is int and current > 0 else 1
        sizes = {base}
        for name in ("group_size", "world_size", "dp_size", "completions_per_step", "completions_per_pass", "completions_per_update"):
            value = plan.value(name)
            if type(value) is int and value > 0:
                sizes.add(value)
        group, ranks, micro = (plan.value(name) for name in ("group_size", "dp_size", "micro_batch"))
        if all(type(value) is int and value > 0 for value in (group, ranks, micro)):
            sizes.add(group * ranks * micro)
        factors = (1, 2, 3, 4) if near else range(1, 17)
        values = {size * factor for size in sizes for factor in factors}
        values |= {size // factor for size in sizes for factor in factors if size % factor == 0}
        values |= set(range(1, 5)) if near else set(range(1, 33))
        ordered = sorted((value for value in values if 1 <= value <= LARGEST_VALUE and value != current), key=lambda value: abs(log2(value / base)))
        if near:
            ordered = ordered[:8]
        removable = present and self.launch.fields(self.newest)[knob][1] is None
        return ordered + [None] if removable else ordered

    def _order(self, values, left, after):
        """The rank of a change; compared from left to right. This is the one place that says what a good fix is.

        1 findings left in the launch, 2 parallel sizes kept, 3 few keys, 4 memory of training: the device batch kept, then lowered,
        then raised, 5 group size kept, 6 updates per rollout kept (on-policy stays on-policy), 7 completions per update, and
        8 prompts per rollout, changed by the smallest factor, 9 the keys themselves: smallest factor, powers of two, small values.
        """
        before = self.before
        micro = _compare(before.value("micro_batch"), after.value("micro_batch"))
        return (
            len(left),
            any(key in PARALLEL for key in values),
            len(values),
            micro if values.keys() & {"micro_batch_size", "per_device_train_batch_size"} else 0,
            any(before.value(size) != after.value(size) for size in ("group_size", "eval_group_size")),
            before.value("updates_per_rollout") != after.value("updates_per_rollout"),
            _distance(before.value("completions_per_update"), after.value("completions_per_update")),
            _distance(_prompts(before), _prompts(after)),
            round(sum(_distance(before.value(key), value) for key, value in values.items()), 9),
            sum(value is not None and value & (value - 1) != 0 for value in values.values()),
            sum(value or 0 for value in values.values()),
            tuple(self.launch.dialect.knobs.index(key) for key in values),
        )


def _is_remark(rule, regime):
    """Whether a broken rule is an info only."""
    enforced = regime.enforced.get(rule.name)
    return (enforced.severity if enforced else rule.harm) == "info"


def chosen(found):
    """The best change for each set of keys, none whose keys contain those of a better one, three at most.

    The third place is kept for the best change of one key that leaves the completions per update as they are.
    """
    always = set.intersection(*(change.left for change in found)) if found else set()
    best = []
    for change in sorted(found, key=lambda change: change.order):
        keys = change.values.keys()
        if not any(keys >= better.values.keys() for better in best):
            change.left = change.left - always  # what no change cures is no difference between them
            best.append(change)
    same_update = next((change for change in best[2:] if len(change.values) == 1 and _keeps_update(change)), None)
    return best[: MOST_ALTERNATIVES - 1] + [same_update] if same_update else best[:MOST_ALTERNATIVES]


def _keeps_update(change):
    parallel = any(key in PARALLEL for key in change.values)
    return not parallel and change.before.value("completions_per_update") == change.after.value("completions_per_update")


def _prompts(plan):
    """Prompts per rollout, not rounded: a rollout of 14 in groups of 8 holds 1.75."""
    completions, group = plan.value("completions_per_rollout"), plan.value("group_size")
    if not completions or not group:
        return None
    return completions / group if completions < 1 << 50 else completions // group


def _compare(before, after):
    if before is None or after is None or before == after:
        return 0
    return 1 if after < before else 2


def _distance(before, after):
    """|log2| of the factor between two numbers; 0 where one is not known or not positive, for then there is no factor."""
    if before is UNKNOWN or not before or not after or before < 0 or after < 0:
        return 0.0
    return round(abs(log2(after) - log2(before)), 9)
