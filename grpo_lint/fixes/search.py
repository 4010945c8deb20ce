"""The search for fixes: on plain integers, one knob first, pairs only where no single knob makes the launch clean."""

from itertools import combinations, product
from math import lcm, log2

from ..frameworks.roles import ACCUMULATION, ROLLOUT_SIZE, ROLLOUT_STEPS
from ..launch.topology import PROCESSES
from ..message import Message, ands, clauses
from ..plan.plan import whole
from ..record import kept
from ..source.quoting import plural
from ..unknown import UNKNOWN
from .edits import written
from .ranking import Ranking, growths, is_odd, oddness, serves_alike
from .state import states_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..shared_types import (
        AbstractSet,
        Candidate,
        Condition,
        Fields,
        Generator,
        Iterable,
        Iterator,
        Launch,
        Mapping,
        Plan,
        Sequence,
    )
    from .ranking import Order
    from .state import Known, State

    Values = Mapping[str, object]  # {setting: value, None to remove it}
    Partial = list[
        tuple[Values, set[Condition]]
    ]  # of changes that cure a rule: (values, the rules that they newly break)
    Steps = Generator[
        None, None, list["Change"]
    ]  # a search: it stops for a moment after each piece, and gives what it found
    Quantity = Any  # of a plan: a number, None where it is not known; formulas tell no types

MOST_ALTERNATIVES = 3
LARGEST_VALUE = 4096
LARGEST_PRODUCT = 1 << 24  # of sizes whose divisors are looked for
MOST_TRIES = 40_000  # of one file; a change is tried in every regime that may be meant
NEAREST = 6  # values of a knob in each direction that take part in pairs
MOST_KEYS = 4
PIECE = 200  # tries after which a search may be interrupted
BEAM = 60  # changes that are worth going on with, where two keys do not help


class Change:
    """Settings to change, {key: value or None to remove it}, and how good that is: a smaller `order` is better.

    left            rules that it leaves broken, of those that depend on what it touches or that it lays open
    others          rules that it neither touches nor cures
    open_after      the codes of `left`, those too that no change cures
    before, after   the plans
    useless_in      the newest of the releases in question in which the rule stays broken, for it holds in the newest one of all
    """

    __slots__ = ("values", "left", "others", "open_after", "order", "before", "after", "useless_in")

    def __init__(self, values: "Values", left: "set[Condition]", order: "Order", before: "Plan", after: "Plan",
                 others: "AbstractSet[Condition]" = frozenset(), useless_in: "Candidate | None" = None) -> None:  # fmt: skip
        self.values = values
        self.left = left
        self.others = others
        self.open_after: set[str] = {rule.code for rule in left}
        self.order = order
        self.before = before
        self.after = after
        self.useless_in = useless_in

    @property
    def cost(self) -> int:
        """0 unless something grows to more than twice its size."""
        return max(growths(self.before, self.after))


class Work:
    """How often changes may still be tried in a file; `stopped` when that was not enough."""

    def __init__(self, tries: int = MOST_TRIES) -> None:
        self.tries = tries
        self.stopped = False

    def is_over(self) -> bool:
        self.stopped = self.stopped or self.tries <= 0
        return self.stopped


class Search:
    """Changes after which one rule holds in a launch. `world_size`: the number of processes to use first, or where the
    launch does not say one."""

    _divisors: "frozenset[int]"
    _common: "frozenset[int]"
    _subject: str  # the setting that the rule points at
    _bounds: "list[int]"  # the sizes that the rule compares

    def __init__(self, launch: "Launch", work: "Work | None" = None, world_size: object = UNKNOWN) -> None:
        self.launch = launch
        self.work: Work = work or Work()
        self.states: list[State] = states_of(launch, world_size)
        self.before: Plan = self.states[0].before
        self.broken_before: set[Condition] = set().union(*(state.broken_before for state in self.states))
        self.refuses: frozenset[str] = frozenset().union(*(state.candidate.enforced.refuses for state in self.states))
        self.names: tuple[str, ...] = (
            *launch.framework.knobs.names,
            *((PROCESSES,) if len(launch.world_sizes) == 1 else ()),
        )
        self.parallel: frozenset[str] = launch.framework.knobs.parallel | {PROCESSES}
        self._fields: Fields = launch.fields(launch.candidates[0])
        framework = launch.framework
        own_name = framework.arithmetic.own_names.get("group_size", "")
        of_groups = own_name if own_name in self.names else framework.reader.trainer.field
        self.group_knob: str = framework.reader.called(of_groups, self._fields)
        self._divisors = self._common = frozenset().union(
            *(_divisors_of_sizes(state.before) for state in self.states[: max(len(launch.world_sizes), 1)])
        )
        self._subject, self._bounds = "", []
        self._found: dict[Condition, list[Change]] = {}
        self._pause_at: int = self.work.tries - PIECE
        self._nearest: dict[str, list[int | None]] = {}
        self._without_knobs: set[Condition] | None = None  # broken rules that no change of a knob cures
        self._nodes: int = launch.topology.train.nodes or 1
        self._ranking = self._ranked_for(frozenset())

    def alternatives(self, rule: "Condition") -> "list[Change]":
        """The changes after which `rule` holds and nothing else is newly broken: the best for each set of keys, the
        best first. They are searched once."""
        for _ in self.searching(rule):
            pass
        return self._found[rule]

    def searching(self, rule: "Condition") -> "Steps":
        """`alternatives` in pieces, between which others may work."""
        if rule not in self._found:
            self._found[rule] = yield from self._search(rule)
        return self._found[rule]

    def _search(self, rule: "Condition") -> "Steps":
        knobs = self._knobs([rule])
        partial: Partial = []
        self._look_at(rule)
        group = self.before.value("group_size")
        if self.group_knob in knobs and type(group) is int and group < 2:
            from .usual_groups import is_among_wrong_sizes, usual_groups  # few groups are so small

            usual = yield from usual_groups(self, rule)
            if usual or is_among_wrong_sizes(self, rule):
                return usual
        values = self._usual(rule)
        if values and (usual := (yield from self.try_all(rule, [values], []))):
            options = yield from self.try_all(rule, self._options(rule), [])
            return ranked(usual, self.broken_before) + ranked(options, set())
        singles: list[Values] = [{knob: value} for knob in knobs for value in self._values(knob)]
        found = yield from self.try_all(rule, singles + self._together() + self._options(rule), partial)
        found += yield from self.try_all(rule, self._with_fewer_passes(found), [])
        if not self._has_clean_single(found, rule):
            # the rules that single changes newly break, or leave broken, say which other knobs matter
            others = self._knobs([rule, *self.broken_before.union(*(new for _, new in partial))])
            found += yield from self._pairs(rule, knobs, others, partial)
        if not any(PROCESSES not in change.values for change in found):
            found += yield from self._deeper(rule, partial)
        return ranked(found, self.broken_before)

    def _with_fewer_passes(self, found: "list[Change]") -> "list[Values]":
        """The changes that make an update much larger, each with so much less accumulation that it stays as large as it was."""
        passes: Quantity = self.before.value(ACCUMULATION)
        was: Quantity = self.before.value("completions_per_update")
        if ACCUMULATION not in self.names or ACCUMULATION not in self.launch.entries or not whole(passes) or not was:
            return []
        return [
            {**change.values, ACCUMULATION: passes * was // update}
            for change in found
            if change.cost
            and len(change.values) == 1
            and PROCESSES not in change.values
            and ACCUMULATION not in change.values
            and (update := whole(change.after.value("completions_per_update")))
            and passes * was % update == 0
        ]

    def _look_at(self, rule: "Condition") -> None:
        """Include what this rule is about, and the sizes that only it reads."""
        leaves = (leaf for name in rule.at for leaf in self.before.leaves((name,)))
        own = [leaf for leaf in leaves if leaf in self.launch.entries]
        self._subject = own[0] if own else ""
        self._ranking = self._ranked_for(
            frozenset(self.launch.entries.keys() & {*rule.at} or (self._subject,)), self._of_one_size(own)
        )
        compared = {name: whole(self.before.value(name)) for name in rule.broken.names}  # type: ignore[union-attr]  # it has one
        self._bounds = sorted(filter(None, compared.values()))
        sizes = {size for name, size in compared.items() if name not in self.states[0].candidate.regime.formulas}
        sizes.update(rule.sizes)
        group = whole(self.before.value("group_size")) or 1
        self._divisors = self._common.union(
            *(_divisors_of(size * group) for size in sizes if size and size * group <= LARGEST_PRODUCT)
        )
        self._nearest.clear()

    def _of_one_size(self, keys: "Sequence[str]") -> "frozenset[str]":
        """The knobs among some keys that the file sets, where all of them hold the same size: two micro batches of 24."""
        knobs = [key for key in keys if key in self.names]
        if (
            len(knobs) < 2
            or len({self.before.value(key) for key in knobs}) > 1
            or not whole(self.before.value(knobs[0]))
        ):
            return frozenset()
        return frozenset(knobs)

    def _together(self) -> "list[Values]":
        """The changes of the finding's own keys that are of one size, as a person would make them: of all alike."""
        keys = sorted(self._ranking.together, key=self.names.index)
        return [dict.fromkeys(keys, value) for value in self._values(keys[0]) if value is not None] if keys else []

    def _ranked_for(self, own: "AbstractSet[str]", together: "AbstractSet[str]" = frozenset()) -> Ranking:
        """What ranks the changes for a finding about these keys."""
        framework = self.launch.framework
        return Ranking(
            before=self.before,
            names=self.names,
            parallel=self.parallel,
            memory_knob=framework.reader.called(framework.knobs.for_memory, self._fields),
            group_knob=self.group_knob,
            own=own,
            together=together,
            size_of=self._size_to_begin_with,
        )

    def _options(self, rule: "Condition") -> "list[Values]":
        """Changes of settings that are no sizes: the value of another file, the cure that the rule declares, or the
        removal of a key."""
        names = rule.broken.names  # type: ignore[union-attr]  # it has one
        # a dimension of the model is no value for a setting
        attached = (name for name in names if name in self.launch.attached and not name.startswith("model_"))
        operand = next(attached, None)
        if operand is not None and rule.at:
            own = rule.at[0] not in self.names and self._fields[rule.at[0]]
            return [{rule.at[0]: self.launch.attached[operand].value}] if own else []
        if rule.on and rule.on not in self.names and self._fields[rule.on]:
            cures = rule.cures(self.before.value(rule.on))  # type: ignore[attr-defined]  # it is a Limit
            return [{rule.on: value} for value in cures]
        meant = self._meant(rule)
        return meant if meant or rule.cure is None else [*self._cures(rule), *self._removal()]

    def _meant(self, rule: "Condition") -> "list[Values]":
        """The word that was most likely meant, for a setting of words."""
        if not rule.at or type(self.before.value(rule.at[0])) not in (str, list):
            return []
        from .choices import meant_choices  # most findings are about sizes

        return meant_choices(rule, self.launch, self.before, self.names)

    def _cures(self, rule: "Condition") -> "Iterator[Values]":
        """What the rule declares, without the removal of keys that are not there, as far as the release has all of it."""
        for cure in (rule.cure or {}, *rule.other_cures):
            present = {name: value for name, value in cure.items() if value is not None or name in self.launch.entries}
            if present and all(name not in self.names and self._fields[name] for name in present):
                yield present

    def _usual(self, rule: "Condition") -> "Values":
        """What people write where a rule misses a setting; the name of a quantity stands for its size, and none for one that is left out."""
        told = [(name, value) for name, value in rule.usual.items() if self._fields[name] or self._is_appendable(name)]
        sizes = {name: self.before.value(value) if type(value) is str else value for name, value in told}
        return {name: size for name, size in sizes.items() if size is not None or name in self.launch.entries}

    def _is_appendable(self, name: str) -> bool:
        """Whether a command may append a setting to a section of the tree."""
        catalogue, index = self.launch.framework.catalogue, self.launch.candidates[0].index
        return bool(
            self._fields[name.rpartition(".")[0]] and catalogue.known(f"+{name}", self.launch.groups) >> index & 1
        )

    def _removal(self) -> "list[Values]":
        """The removal of the key that the rule points at, where it may be left out."""
        return [{self._subject: None}] if self._subject not in self.names and self._is_free(self._subject) else []

    def _has_clean_single(self, found: "Iterable[Change]", rule: "Condition") -> bool:
        """Whether one edit is enough, that of a pair of keys which are changed alike aside."""
        together = self._ranking.together
        return any(change.values.keys() != together and self._is_clean(change, rule) for change in found)

    def _is_clean(self, change: "Change", rule: "Condition") -> bool:
        """Whether a change of the file costs little and leaves nothing broken that another change could cure. Another
        number of processes is no change of the file."""
        stays = change.left | change.others if is_odd(change.values) else change.left
        return PROCESSES not in change.values and not change.cost and stays <= self._incurable(rule)

    def _incurable(self, rule: "Condition") -> "set[Condition]":
        if self._without_knobs is None:
            self._without_knobs = {other for other in self.broken_before if not self._knobs([other])}
        return self._without_knobs - {rule}

    # --- what is tried

    def _pairs(
        self, rule: "Condition", target: "Sequence[str]", others: "Sequence[str]", partial: "Partial"
    ) -> "Steps":
        """Pairs with a knob that the rule depends on, the gentler ones first. Once enough of them are clean, harsher
        ones are not tried."""
        batches: dict[tuple[bool, bool, int], list[Values]] = {}
        for first, second in combinations([knob for knob in others if knob != PROCESSES], 2):
            if self.work.tries <= self._pause_at:
                yield from self._pause()
            for values in self._pairs_of(rule, first, second, target):
                batches.setdefault(self._ranking.at_best(values), []).append(values)
        found = []
        for _, batch in sorted(batches.items(), key=lambda item: item[0]):
            found += yield from self.try_all(rule, batch, partial)
            if len({frozenset(change.values) for change in found if self._is_clean(change, rule)}) >= MOST_ALTERNATIVES:
                break
        return found

    def _pairs_of(self, rule: "Condition", first: str, second: str, target: "Sequence[str]") -> "Iterator[Values]":
        """The pairs of values of two knobs. Where the rule depends on one of them only, its values are those that cure
        by themselves."""
        values = {first: self._near(first), second: self._near(second)}
        if first not in target and second not in target:
            return
        if not (first in target and second in target):
            knob = first if first in target else second
            values[knob] = [value for value in values[knob] if self._holds(rule, {knob: value})]
        for one in values[first]:
            for two in values[second]:
                yield {first: one, second: two}

    def _holds(self, rule: "Condition", values: "Values") -> bool:
        """Whether a rule holds under a change in all states; this counts as tries too."""
        if self.work.is_over():
            return False
        for state in self.states:
            self.work.tries -= 1
            if not state.holds(rule, values):
                return False
        return True

    def _deeper(self, rule: "Condition", partial: "Partial") -> "Steps":
        """Changes of more keys, where nothing less helps: a change that cures the finding and breaks other rules is
        extended by knobs of those rules."""
        partial = [each for each in partial if PROCESSES not in each[0]]
        found = [] if partial else (yield from self.try_all(rule, self._triples(rule), partial))
        for _ in range(MOST_KEYS - 1):
            partial.sort(key=lambda each: (len(each[1]), len(each[0]), self._ranking.at_best(each[0])))
            nearest, partial = partial[:BEAM], []
            for values, new in nearest:
                if found:
                    return found
                plan = self.states[0].plan(values)
                more = (knob for knob in self._knobs(new) if knob not in values and knob != PROCESSES)
                proposals = ({**values, knob: value} for knob in more for value in self._near(knob, plan))
                found = yield from self.try_all(rule, proposals, partial)
        return found

    def _triples(self, rule: "Condition") -> "Iterator[Values]":
        """The values of three knobs that are set, of those that a rule depends on."""
        present = [knob for knob in self._knobs([rule]) if knob in self.launch.entries]
        for keys in combinations(present, 3):
            for values in product(*map(self._near, keys)):
                yield dict(zip(keys, values))

    def try_all(self, rule: "Condition", proposals: "Iterable[Values]", partial: "Partial") -> "Steps":
        """The Changes of the proposals after which the rule holds, in the newest release at least, and no other is newly broken.

        Those that break others are added to `partial`, with these rules.
        """
        found, several = [], len(self.launch.world_sizes) > 1
        for values in proposals:
            if self.work.is_over():
                break
            if self.work.tries <= self._pause_at:
                yield from self._pause()
            if None in values.values() and self._uncovers(values):
                continue
            left: set[Condition] = set()
            new: set[Condition] = set()
            after: Plan | None = None
            useless_in: Candidate | None = None
            known: Known = {}
            for state in self.states:
                self.work.tries -= 1
                broken, plan = state.judge(values, rule, known)
                if broken is None:
                    if not self._may_stay_broken(state, values):
                        break
                    useless_in = useless_in or state.candidate
                    continue
                left |= broken
                new |= broken - (state.broken_before if several else self.broken_before) - state.hidden
                after = plan if after is None else after
            else:
                if new:
                    partial.append((values, new))
                    continue
                after = self.states[0].plan(values) if after is None else after
                if not self._cuts_an_update(after):
                    found.append(self._change(values, left, after, useless_in))
        return found

    def _change(
        self, values: "Values", broken: "set[Condition]", after: "Plan", useless_in: "Candidate | None"
    ) -> Change:
        left = self._touched(broken, values)
        others = broken - left
        order = self._ranking.order(values, left, after, len(others), useless_in is not None)
        return Change(values, left, order, self.before, after, others, useless_in)

    def _may_stay_broken(self, state: "State", values: "Values") -> bool:
        """Whether a change need not help in a state: an older release, which has all of its keys, so that it does no harm there."""
        if state.candidate is self.states[0].candidate:
            return False
        fields = self.launch.fields(state.candidate)
        return all(key == PROCESSES or fields[key] for key in values)

    def _pause(self) -> "Iterator[None]":
        """Stop for a moment, since much has been tried by now."""
        self._pause_at = self.work.tries - PIECE
        yield

    def _uncovers(self, values: "Values") -> bool:
        """Whether a change removes a setting that another layer says as well, so that no default would count, or without which nobody
        knows how large an update, a rollout or a group is."""
        if any(value is None and self.launch.overridden(name) for name, value in values.items()):
            return True
        after = self.states[0].plan(values)
        sizes = [
            "completions_per_update",
            "group_size",
            *(["completions_per_rollout"] if self.launch.world_sizes else []),
        ]
        return any(self.before.value(size) and not after.value(size) for size in sizes)

    def _touched(self, rules: "set[Condition]", values: "Values") -> "set[Condition]":
        """The rules that depend on what a change touches, or that are hidden by the one that it cures. The others have
        fixes of their own."""
        names = values.keys()
        return {
            rule
            for rule in rules
            if rule not in self.broken_before or any(not names.isdisjoint(state.inputs(rule)) for state in self.states)
        }

    def _cuts_an_update(self, after: "Plan") -> bool:
        """Whether a rollout would newly end in the middle of an update."""
        before: Quantity = self.before.value("updates_per_rollout")
        updates: Quantity = after.value("updates_per_rollout")
        if self._fields[ROLLOUT_STEPS] is None:
            return self._leaves_a_rest(after)
        if not updates or updates < 0 or updates == before:
            return False
        is_usual = before is not None and 0 < before < 1
        return not float(1 / updates if is_usual and updates < 1 else updates).is_integer()

    def _leaves_a_rest(self, after: "Plan") -> bool:
        """Whether what changes a rollout or an update leaves a part of an update. Where a rollout has no size of its own it is part of one."""
        rollout: Quantity = after.value("completions_per_rollout")
        update: Quantity = after.value("completions_per_update")
        if not whole(rollout) or not whole(update) or rollout < update or rollout % update == 0:
            return False
        return not all(
            self._ranking.keeps(size, after) for size in ("completions_per_rollout", "completions_per_update")
        )

    # --- knobs and their values

    def _knobs(self, rules: "Iterable[Condition]") -> "list[str]":
        """The settings that a fix may change and that one of the rules depends on, the more natural ones first."""
        inputs = set()
        for state in self.states:
            for rule in rules:
                inputs |= state.inputs(rule)
        knobs = [knob for knob in self.names if knob in inputs and (knob == PROCESSES or self._fields[knob])]
        if self.launch.framework.knobs.keeps_groups and not any("group_size" in rule.broken.names for rule in rules):  # type: ignore[union-attr]
            knobs = [knob for knob in knobs if knob != self.group_knob]
        # a second name for the size of a rollout is only of use where it is already in use
        return [knob for knob in knobs if knob != ROLLOUT_SIZE or knob in self.launch.entries]

    def _near(self, knob: str, plan: "Plan | None" = None) -> "list[int | None]":
        """The values of a knob that are tried together with other knobs: those nearest to the current one, 1, and
        none."""
        if plan is None and knob in self._nearest:
            return self._nearest[knob]
        values = self._values(knob, plan or self.before, finest=2)
        base = self._size_to_begin_with(knob) or 1
        numbers = [value for value in values if value is not None]
        above = _nearest([value for value in numbers if value >= base])
        below = [value for value in numbers if value < base]
        near = [*above, *_nearest(below), *below[NEAREST:][-1:], *values[len(numbers) :]]
        if plan is None:
            self._nearest[knob] = near
        return near

    def _values(self, knob: str, plan: "Plan | None" = None, finest: int = 1) -> "list[int | None]":
        """Values worth trying for a knob, the nearest first. None stands for the removal of a key that may be left
        out.

        Every condition wants a size to be a multiple of others, or to divide them. So the values are the multiples
        next to the current value of everything that divides the sizes of the run (from `finest` on), and these
        divisors themselves.
        """
        others = self._values_of_no_size(knob)
        if others is not None:
            return others
        current = self.before.value(knob)
        base = min(self._size_to_begin_with(knob) or 1, LARGEST_VALUE)
        divisors = self._divisors if plan is None or plan is self.before else self._divisors | _divisors_of_sizes(plan)
        near = {1, 2, 3, 4} | divisors
        for divisor in divisors:
            if divisor >= finest:
                near.update(
                    ((base - 1) // divisor * divisor, -(-base // divisor) * divisor, (base // divisor + 1) * divisor)
                )
        step = self._nodes if knob == PROCESSES else 1
        values = [value for value in near if 1 <= value <= LARGEST_VALUE and value != current and value % step == 0]
        ordered: list[int | None] = [*sorted(values, key=lambda value: (abs(log2(value / base)), value))]
        return ordered + [None] if self._may_go(knob) else ordered

    def _may_go(self, knob: str) -> bool:
        """Whether a key that is written may be left out."""
        is_written = knob in self.launch.entries and knob not in self.launch.framework.knobs.staying
        return is_written and self._is_free(knob) and knob not in self._fields.required()

    def _is_free(self, name: str) -> bool:
        """Whether nothing holds in the place of a key that is left out: it has no default, and all settings are known."""
        field = self._fields[name]
        return field is not None and field.default is None and not self.launch.incomplete

    def _values_of_no_size(self, knob: str) -> "list[int | None] | None":
        """Those of a knob that is no size, the best first; None for a size."""
        knobs, field, is_set = self.launch.framework.knobs, self._fields[knob], knob in self.launch.entries
        if knob in knobs.outdated:
            return [None] if is_set else []
        if field and field.type == "bool":
            return [False] if is_set else []
        current = self.before.value(knob)
        if knob in knobs.dividing_the_model:
            return _lowered(current)
        return [size for size in self._bounds if size != current] if knob in knobs.counting_tokens else None

    def _size_to_begin_with(self, knob: str) -> "int | None":
        """The size of a knob; of one that is not set, that of the setting which it mostly equals."""
        size = whole(self.before.value(knob))
        other = self.launch.framework.knobs.size_hint_from.get(knob)
        return whole(self.before.value(other)) if size is None and other else size


def _divisors_of_sizes(plan: "Plan") -> "set[int]":
    """All divisors of the sizes that a run is made of."""
    sizes = {name: whole(plan.value(name)) or 1 for name in _SIZES}
    world = sizes[PROCESSES]
    products = {
        lcm(sizes["completions_per_update"], sizes["group_size"] * world * sizes["micro_batch"]),
        lcm(sizes["eval_group_size"], sizes["group_size"]) * world,
        lcm(sizes["model_parallel_size"], sizes["expert_parallel_size"], sizes["engine_ranks"]),
        sizes[ROLLOUT_SIZE],
        sizes["completions_per_rollout"],
    }
    return set().union(*(_divisors_of(product) for product in products if product <= LARGEST_PRODUCT))


def _nearest(sizes: "list[int]") -> "list[int]":
    """The first of some sizes; the last of them gives way to the first one that people write, if that is none of them."""
    found = sizes[:NEAREST]
    if found and min(map(oddness, found)) == 2:
        found[-1] = next((size for size in sizes if oddness(size) < 2), found[-1])
    return found


_SIZES = ("group_size", "eval_group_size", "micro_batch", "model_parallel_size", "expert_parallel_size",
          "engine_ranks", ROLLOUT_SIZE, "completions_per_rollout", "completions_per_update", PROCESSES)  # fmt: skip


def ranked(found: "list[Change]", told: "set[Condition]") -> "list[Change]":
    """The best change for each set of keys. A change whose keys include those of a better one is left out. `told`: the
    rules that are reported already."""
    always = set.intersection(told, *(change.left for change in found)) if found else set()
    best: list[Change] = []
    for change in sorted(found, key=lambda change: change.order):
        keys = change.values.keys()
        if not any(keys >= better.values.keys() for better in best):
            change.left = change.left - always  # what every change leaves broken does not tell them apart
            best.append(change)
    return best


class Offers:
    """The ranked changes in the order in which they are offered, until MOST_ALTERNATIVES are proven.

    The last place is for the best change of one key that keeps the completions per update and leaves warnings only.
    """

    def __init__(self, best: "Iterable[Change]", refuses: "AbstractSet[str]", parallel: "AbstractSet[str]") -> None:
        """`refuses`: the names of the rules that leave an error; `parallel`: the knobs that spread the run over processes."""
        self._left: list[Change] = list(best)
        self._held = 0
        self._refuses = refuses
        self._parallel = parallel

    def next(self) -> "Change | None":
        """The change to be tried now, None when there is none left or none is needed."""
        if self._held == MOST_ALTERNATIVES or not self._left:
            return None
        return self._left.pop(0)

    def hold(self) -> None:
        """Note that the last change holds."""
        self._held += 1
        if self._held == MOST_ALTERNATIVES - 1:
            self._left.sort(key=lambda change: not self._is_gentle(change))

    def _is_gentle(self, change: "Change") -> bool:
        size = "completions_per_update"
        return (
            len(change.values) == 1
            and change.before.value(size) == change.after.value(size)
            and self._parallel.isdisjoint(change.values)
            and not any(rule.name in self._refuses for rule in change.left)
        )


@kept(1000)
def _divisors_of(number: int) -> "frozenset[int]":
    """The divisors of a number up to LARGEST_VALUE."""
    most = int(min(number, LARGEST_PRODUCT) ** 0.5)  # a number that is larger is no size of a run
    small = [divisor for divisor in range(1, most + 1) if number % divisor == 0]
    return frozenset(each for divisor in small for each in (divisor, number // divisor) if each <= LARGEST_VALUE)


def _lowered(size: "Quantity") -> "list[int | None]":
    """The divisors of a size, the largest first: a number of parts that divides the model can be lowered to each of
    its divisors. For one that is no power of two those next to it come first, which divide most models."""
    if not whole(size):
        return [1]
    above = 1 << (size - 1).bit_length()
    return [*([above, above // 2] if above > size else []), *sorted(_divisors_of(size) - {size}, reverse=True)]


# --- changes in words ---------------------------------------------------------------------------------------------------


def title(change: "Change", places: "Mapping[str, tuple[str, int]] | None" = None, own: str = "") -> Message:
    """'set global_batch_size to 32 and num_generations to 4'. `places`: {key: (variable, line)} of values that stand outside of their command;
    `own`: the key that the finding points at, which need not be named beside its variable."""
    edits: dict[object, str] = {}  # {what is edited: its key}, since one variable may give several keys their values
    for key in change.values:
        place = (places or {}).get(key)
        edit = place if place and place[0] else key
        if key == own or edit not in edits:
            edits[edit] = key
    *others, told = [_step(key, change.values[key], (places or {}).get(key), own) for key in edits.values()]
    for each in reversed(others):
        told = Message("{step} and {steps}", {"step": each, "steps": told})
    return told


def _step(key: str, value: object, place: "tuple[str, int] | None" = None, own: str = "") -> Message:
    if key == "world_size":
        return Message("run on {counts}", {"counts": plural(value, "process")})
    if place is not None and value is not None:
        variable, line = place
        told = {"variable": variable, "name": key, "value": written(value), "line": line}
        if variable and key != own:
            told["name"] = key.rpartition(".")[2]
            return Message("set {variable} to {value} in line {line}, for {name}", told)
        told["name"] = variable or key
        return Message("set {name} to {value} in line {line}", told)
    return (
        Message("remove {name}", {"name": key})
        if value is None
        else Message("set {name} to {value}", {"name": key, "value": written(value)})
    )


def named_place(place: str) -> Message:
    """'zero3.json, line 4'; for the judged file itself, the key."""
    return Message("the value of deepspeed") if place == "deepspeed" else Message("{place}", {"place": place})


def effect(change: "Change", sizes: "AbstractSet[str]") -> Message:
    """'2x completions per update, same memory per GPU': what changes for training, and the findings that stay.

    `sizes`: the settings that change no memory but that of activations; nothing is said about memory where others
    change.
    """
    if change.values and all(map(_is_of_evaluation, change.values)):
        return clauses([Message("training is not changed"), _left(change.left)])
    before, after = change.before, change.after
    words = [
        _factor(before.value("completions_per_update"), after.value("completions_per_update")),
        _group(before.value("group_size"), after.value("group_size")),
        _updates(before, after),
        _memory(before.value("micro_batch"), after.value("micro_batch")) if change.values.keys() <= sizes else "",
        _left(change.left),
        Message("only after {release}", {"release": change.useless_in.text}) if change.useless_in else "",
    ]
    return clauses(words)


def _is_of_evaluation(name: str) -> bool:
    return not {"eval", "val"}.isdisjoint(name.replace(".", "_").split("_"))


def _factor(before: "Quantity", after: "Quantity") -> str:
    if max(before or 0, after or 0) > 1 << 50 or min(before or 0, after or 0) < 0:
        return ""  # no ratio of numbers that no run has
    if not before or not after or before == after:
        return Message("same completions per update") if before == after and before else ""
    ratio = after / before
    if ratio < 1 and (1 / ratio).is_integer():
        return Message("{share} of the completions per update", {"share": f"1/{1 / ratio:g}"})
    return Message("{factor}x completions per update", {"factor": _rounded(ratio)})


def _rounded(ratio: float) -> str:
    """'1.02', and '1.004' rather than 1."""
    digits = 4 if 0.99 < ratio < 1.005 else 3 if ratio > 1 else 2
    return f"{ratio:.{digits}g}"


def _group(before: "Quantity", after: "Quantity") -> str:
    return (
        Message("groups of {after} instead of {before}", {"after": after, "before": before})
        if before != after and after
        else ""
    )


def _updates(plan: "Plan", changed: "Plan") -> str:
    """Nothing where only padding made more updates of a rollout."""
    before: Quantity = plan.value("updates_per_rollout")
    after: Quantity = changed.value("updates_per_rollout")
    if serves_alike(plan, changed):
        return ""
    return (
        Message(
            "{after} update per rollout instead of {before}",
            {"after": f"{after:g}", "before": f"{before:g}"},
            "{after} updates per rollout instead of {before}",
            after,
        )
        if before != after and before and after and min(before, after) > 0
        else ""
    )


def _memory(before: "Quantity", after: "Quantity") -> str:
    if not before or not after:
        return ""
    if before == after:
        return Message("same memory per GPU")
    return Message("less memory per GPU") if after < before else Message("more memory per GPU")


def _left(rules: "Iterable[Condition]") -> str:
    codes = sorted(rule.code for rule in rules)
    return Message("{rules} remains", {"rules": ands(codes)}, "{rules} remain", len(codes)) if codes else ""
