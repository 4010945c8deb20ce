"""On which numbers of processes a run works, and its demands hold, where nobody says how many there are."""

from itertools import islice

from ..frameworks.roles import FIXED_SIZES
from ..launch.facts import IN_PLAN, told
from ..launch.launch import SearchBudget
from ..launch.topology import PROCESSES
from ..message import Message, ands, either, parts, series
from ..plan.formula import Unknown, Unset, reached
from ..plan.process_counts import Sweep
from ..source.quoting import plural
from ..unknown import UNKNOWN
from .verdict import decide, inputs_of, unblocked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import (
        AbstractSet,
        Callable,
        Candidate,
        Condition,
        Formula,
        Iterable,
        Judged,
        Launch,
        Plan,
        Verdict,
    )


# Process counts that are tried when the number of processes is unknown; all up to LARGEST before "none works" is said.
TRIED = range(1, 65)
LARGEST = 4096
MOST_NAMED = 8  # of the legal process counts


def judge_processes(
    launch: "Launch",
    verdict: "Verdict",
    rules: "list[Condition]",
    broken: "list[Condition]",
    undecided: "list[Condition]",
    newest: "Verdict | None",
    solved: "list[Condition]",
) -> None:
    """Find the numbers of processes for which no rule refuses the run, unless it is refused on every number.

    `solved`: rules that hold on the number on which the newest release works; only where that one is refused do they count.
    """
    candidate = verdict.candidate
    refuses = candidate.enforced.refuses
    by_number = [rule for rule in undecided if PROCESSES in inputs_of(rule, candidate.regime)]
    refusing = [rule for rule in by_number if rule.name in refuses]
    if verdict.refuses or not refusing:
        return

    def plan_on(count: int) -> "Plan":
        plan: Plan = launch.plan(candidate, {PROCESSES: count})
        plan.take_over(verdict.plan)
        return plan

    # A rule that refuses is hidden only by a rule that refuses too. So a number of processes is refused exactly when one
    # of these conditions holds, and who hides whom need not be asked.
    sweep = Sweep([rule.broken for rule in refusing], plan_on, PROCESSES)  # type: ignore[misc]  # it has one
    if newest is None:
        if _take_working_counts(launch, verdict, sweep, refusing):
            return
    elif not sweep.holds(newest.works_on or 1):
        return
    elif solved:
        judge_processes(launch, verdict, rules, broken, [*undecided, *solved], newest, [])
        return
    elif not all(map(sweep.holds, range(1, LARGEST + 1))):
        return

    def refusals(count: int) -> int:
        found, _ = decide(by_number, plan_on(count))
        return sum(rule.name in refuses for rule in unblocked(broken + found, refuses))

    _take_the_best(launch, verdict, rules, min(TRIED, key=refusals))


def _take_the_best(launch: "Launch", verdict: "Verdict", rules: "list[Condition]", best: int) -> None:
    """Note what refuses the run on the number of processes on which the fewest rules do."""
    plan, refuses = launch.plan(verdict.candidate, {PROCESSES: best}), verdict.candidate.enforced.refuses
    note = Message(
        "no number of processes up to {most} satisfies every constraint; the numbers are those for {counts}",
        {"most": LARGEST, "counts": plural(best, "process")},
    )
    verdict.take([rule for rule in decide(rules, plan)[0] if rule.name in refuses], plan, note)


def _take_working_counts(launch: "Launch", verdict: "Verdict", sweep: Sweep, refusing: "list[Condition]") -> bool:
    """Whether any number of processes is accepted by the rules that may refuse one; the verdict notes which. Whole nodes are tried
    first, then all numbers."""
    sizes = _sizes(launch, verdict.candidate)

    def works(count: int) -> bool:
        return not sweep.holds(count)

    nodes = _whole_nodes(launch)
    working = sweep.free(nodes)
    if working:
        verdict.works_on = working[0]
        verdict.counts = working_counts(working, works, sizes, nodes)
        if len(launch.candidates) > 1:
            verdict.solved = same_in_all_releases(launch, verdict.candidate, refusing)
        return True
    working = sweep.free(TRIED) or list(islice(filter(works, range(TRIED.stop, LARGEST + 1)), MOST_NAMED + 1))
    if working:
        verdict.counts = working_counts(working, works, sizes)
    return bool(working)


def _whole_nodes(launch: "Launch") -> range:
    """The numbers of processes that are tried: whole nodes, where the number of processes on a node is known."""
    fact = launch.facts.get("processes_per_node")
    size = fact.value if fact else 1
    return range(size, min(size * TRIED.stop, LARGEST + 1), size)


# --- what all releases say alike ---------------------------------------------------------------------------------------


def same_in_all_releases(launch: "Launch", newest: "Judged", rules: "Iterable[Condition]") -> "frozenset[Condition]":
    """The rules of which all releases that may be meant say the same as the newest on any number of processes: they compute
    them by the same formulas, of values that all of them read alike."""
    common = _common_of(launch)
    alike: dict[str, bool] = {_NOWHERE: False}
    return frozenset([rule for rule in rules if common.is_same(rule, launch, newest, alike)])


class Common:
    """What the releases have in common that may run some launches; `differing`: the quantities that they compute in different ways."""

    def __init__(self, releases: "tuple[Candidate, ...]") -> None:
        self._releases = releases
        self._differing = _differing_formulas(releases)
        self._inputs: dict[Condition, Iterable[str]] = {}
        self._declared: dict[str, bool] = {}
        self._unset: dict[str, bool] = {}

    def is_same(self, rule: "Condition", launch: "Launch", newest: "Judged", alike: "dict[str, bool]") -> bool:
        """Whether all releases say the same of a rule. `alike`: what was found of the settings of the launch."""
        for name in self._inputs_of(rule, newest):
            if name not in alike:
                alike[name] = self._is_read_alike(launch, newest, name)
            if not alike[name]:
                return False
        return True

    def _inputs_of(self, rule: "Condition", newest: "Judged") -> "Iterable[str]":
        """What a rule reads beside facts of the run; what no release has, where they compute it in different ways."""
        found = self._inputs.get(rule)
        if found is None:
            found = self._inputs[rule] = self._found_inputs(rule, newest)
        return found

    def _found_inputs(self, rule: "Condition", newest: "Judged") -> "Iterable[str]":
        if rule.broken is None or rule.source:
            return (_NOWHERE,)
        if not self._differing.isdisjoint(reached(rule.broken.names, newest.regime.formulas)):
            return (_NOWHERE,)
        return [name for name in inputs_of(rule, newest.regime) if name not in IN_PLAN]

    def _is_read_alike(self, launch: "Launch", newest: "Judged", name: str) -> bool:
        """Whether a setting has one value in all releases: one that is taken as it stands, or one default."""
        if name in launch.entries:
            return self._is_declared_alike(launch, name) and _is_taken_as_it_stands(launch, newest, name)
        if launch.incomplete or launch.reader or not launch.framework.catalogue.knows(name):
            return False  # something else has a default for it, or a package beside the release
        if name in launch.defaults:
            return launch.fields(newest)[name] is not None
        found = self._unset.get(name)
        if found is None:
            defaults = (launch.fields(release)[name] for release in self._releases)
            found = len({repr(other.default if other else None) for other in defaults}) == 1
            self._unset[name] = found
        return found

    def _is_declared_alike(self, launch: "Launch", name: str) -> bool:
        found = self._declared.get(name)
        if found is None:
            fields = [launch.fields(release)[name] for release in self._releases]
            kinds = {(each.type, repr(each.choices)) if each is not None else None for each in fields}
            found = self._declared[name] = len(kinds) == 1 and None not in kinds
        return found


_NOWHERE = ""  # a setting that no release has


def _common_of(launch: "Launch") -> Common:
    """What the releases have in common that may run a launch."""
    releases = (*launch.candidates, *launch.neighbours)
    beside = tuple(launch.beside.items()), tuple(launch.companion_versions.items())
    key = Common, launch.framework, launch.groups, tuple([release.key for release in releases]), beside
    found: Common | None = launch.remembered.get(key)
    return found if found is not None else launch.remembered.keep(key, Common(releases), 100)


def _differing_formulas(releases: "tuple[Candidate, ...]") -> "AbstractSet[str]":
    """The quantities that some releases compute in different ways; equal formulas are one object."""
    first, *others = dict.fromkeys(release.regime for release in releases)
    own = first.formulas
    return {
        name
        for other in others
        for name in own.keys() | other.formulas.keys()
        if own.get(name) != other.formulas.get(name)
    }


def _is_taken_as_it_stands(launch: "Launch", newest: "Judged", name: str) -> bool:
    """Whether the newest release changes nothing of a value."""
    value, fields = launch.value(name), launch.fields(newest)
    field = fields[name]
    if field is None or field.has_type_of(value):
        return field is not None
    return type(value) in (str, list, dict) and launch.read(name, fields, newest.key) == (value, None)


# --- demands -----------------------------------------------------------------------------------------------------------


def resolve_demands(launch: "Launch", verdict: "Verdict", undecided: "list[Condition]") -> None:
    """What there is to say of demands that are not decided, and of expectations about what the run does not have."""
    candidate = verdict.candidate
    by_number = [
        rule for rule in launch.demands if rule in undecided and PROCESSES in inputs_of(rule, candidate.regime)
    ]
    solved = _solve_demands(launch, verdict, by_number) if launch.world_size is UNKNOWN else ()
    for rule in launch.demands:
        if rule.span and rule not in solved and (lack := _lack(launch, candidate, rule)):
            verdict.undecided.append((rule, lack))


def _solve_demands(launch: "Launch", verdict: "Verdict", demands: "list[Condition]") -> "list[Condition]":
    """Find the numbers of processes for which demands hold; gives those for which nothing else has to be known."""

    def plan_on(count: int) -> "Plan":
        plan: Plan = launch.plan(verdict.candidate, {PROCESSES: count})
        return plan

    undecided = decide(demands, plan_on(1))[1]
    demands = [rule for rule in demands if rule not in undecided]
    good = _holding_on(TRIED, demands, plan_on)
    nowhere = [rule for rule in demands if not good[rule]]
    if nowhere and not (launch.budget or SearchBudget()).is_over():
        good |= _holding_on(range(TRIED.stop, LARGEST + 1), nowhere, plan_on)
        everywhere = Message("on every number of processes up to {most}", {"most": LARGEST})
        shown = Message("the numbers are those for {counts}", {"counts": plural(1, "process")})
        verdict.take([rule for rule in nowhere if not good[rule]], plan_on(1), parts((everywhere, shown)))
        nowhere = []
    sizes = _sizes(launch, verdict.candidate)
    for rule, working in good.items():
        is_kept = lambda count, rule=rule: _holding([rule], plan_on(count))  # noqa: E731
        counts = working and working_counts(working, is_kept, {*sizes, *rule.sizes})
        if counts:
            verdict.undecided.append((rule, Message("{rule} on {counts}", {"rule": rule.summary, "counts": counts})))
    return [rule for rule in demands if rule not in nowhere]


def _holding_on(
    counts: range, demands: "list[Condition]", plan_on: "Callable[[int], Plan]"
) -> "dict[Condition, list[int]]":
    """{demand: the numbers of processes for which it holds}."""
    good: dict[Condition, list[int]] = {rule: [] for rule in demands}
    for count in counts if demands else ():
        for rule in _holding(demands, plan_on(count)):
            good[rule].append(count)
    return good


def _holding(demands: "list[Condition]", plan: "Plan") -> "list[Condition]":
    broken = decide(demands, plan)[0]
    return [rule for rule in demands if rule not in broken]


def _lack(launch: "Launch", candidate: "Judged", rule: "Condition") -> str:
    """Why a condition cannot be told, in words; empty when it can."""
    broken: Formula = rule.broken  # type: ignore[assignment]  # it has one
    lacking: dict[str, object] = {}
    while True:
        try:
            launch.plan(candidate, lacking).evaluate(broken)
        except Unset:
            return Message("this run has no {quantity}, which its file expects", {"quantity": rule.on})
        except Unknown as reason:
            if str(reason).isidentifier() and str(reason) not in lacking:
                lacking[str(reason)] = 1  # any value, to see what else is missing
                continue
            if not lacking:
                return Message("cannot check whether {rule}: these values do not decide it", {"rule": rule.summary})
        return (
            Message(
                "cannot check whether {rule}: {names} unknown",
                {"rule": rule.summary, "names": ands([told(name) for name in lacking])},
            )
            if lacking
            else ""
        )


def _sizes(launch: "Launch", candidate: "Judged") -> "set[int]":
    """The sizes of a run that do not depend on the number of processes, as far as they are given."""
    plan = launch.plan(candidate)
    sizes = map(plan.value, FIXED_SIZES)
    return {size for size in sizes if type(size) is int and 0 < size <= 1 << 40}


def working_counts(
    working: "list[int]", works: "Callable[[int], object]", sizes: "Iterable[int]", tried: range = TRIED
) -> "Message | None":
    """The numbers of processes that work, in words, or None when every number does.

    `working`: those among `tried`, or the first ones above; `sizes`: the sizes of the run, whose divisors limit a finite
    set.
    """
    step = working[0]
    if working == [count for count in tried if count % step == 0] and _works_on_multiples(step, works):
        return None if step == tried.step else Message("multiples of {count} processes", {"count": step})
    if len(working) > MOST_NAMED and tried.step == 1 and working == list(range(step, step + len(working))):
        return _named_range(working, works)
    more = working
    while more and len(working) <= MOST_NAMED:
        more = [count for count in _beyond(working, sizes, tried) if works(count)]
        working = working + more
    return _named(working)


def _named_range(working: "list[int]", works: "Callable[[int], object]") -> Message:
    last = next((count for count in range(working[-1], LARGEST) if not works(count + 1)), LARGEST)
    if last == LARGEST:
        return Message("{count} or more processes", {"count": working[0]})
    return Message("{first} to {last} processes", {"first": working[0], "last": last})


def _named(working: "list[int]") -> Message:
    if len(working) > MOST_NAMED:
        return Message("{counts}, ... processes", {"counts": series(working[: MOST_NAMED - 1])})
    if len(working) == 1:
        return Message("{counts} only", {"counts": plural(working[0], "process")})
    return Message("{counts} processes", {"counts": either(working)})


def _works_on_multiples(step: int, works: "Callable[[int], object]") -> bool:
    """Whether some multiples beyond those that were tried work too: of a prime, of 2 and 3, of powers of 2, and the largest."""
    return all(works(step * factor) for factor in (67, 96, 128, 255, LARGEST // step) if step * factor <= LARGEST)


def _beyond(legal: "list[int]", sizes: "Iterable[int]", tried: range) -> "list[int]":
    """Counts above those looked at that may be legal too: multiples of legal ones, and what divides a size of the run."""
    last = max(legal[-1], tried[-1])
    found = {count * factor for count in (legal[0], legal[-1]) for factor in (*range(2, 17), 32, 64)}
    for size in sizes:
        for factor in range(1, 65):
            if size % factor == 0:
                found.add(size // factor)
                found.update(size // factor * count for count in legal[:2])
    return sorted(count for count in found if last < count <= LARGEST and count % tried.step == 0)
