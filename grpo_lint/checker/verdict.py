"""What one release says of a launch: which rules it breaks there, and for which numbers of processes it breaks none."""

from itertools import islice

from ..frameworks.all_rules import CONDITIONS, DECIDING, RULES
from ..launch.facts import IN_PLAN, told
from ..launch.launch import Candidate, Patience
from ..launch.topology import PROCESSES
from ..plan.formula import Unknown, Unset, inputs
from ..plan.sweep import Sweep
from ..rules.base import STAGES
from ..source.entry import value_of
from ..source.quoting import plural
from ..unknown import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from collections.abc import Mapping as Table
    from collections.abc import Set as AbstractSet
    from typing import TypeAlias, TypeGuard

    from ..frameworks.base import Enforced, Enforcement, Regime
    from ..frameworks.catalogue import Fields
    from ..launch.launch import Launch
    from ..plan.formula import Formula
    from ..plan.plan import Plan
    from ..rules.base import Rule
    from .memory import Memory

    Condition: TypeAlias = Rule  # one that has a condition: its `broken` is never None
    Changes: TypeAlias = Table[str, object]  # {setting or fact: value, None to remove it}

# Process counts that are tried when the number of processes is unknown; all up to LARGEST before "none works" is said.
TRIED = range(1, 65)
LARGEST = 4096
MOST_NAMED = 8  # of the legal process counts
MOST_REMEMBERED = 10_000


class Judged(Candidate):
    """A release that is judged: what it enforces is known."""

    __slots__ = ()
    enforced: "Enforced"


class Violation:
    """A broken rule, the plan that breaks it, and what there is to note; `counts`: of several stated numbers of
    processes those that do."""

    __slots__ = ("rule", "plan", "note", "counts")
    rule: "Condition"
    plan: "Plan"
    note: str
    counts: "tuple[int, ...]"

    def __init__(self, rule: "Condition", plan: "Plan", note: str = "", counts: "tuple[int, ...]" = ()) -> None:
        self.rule = rule
        self.plan = plan
        self.note = note
        self.counts = counts


class Verdict:
    """What one release says.

    `broken`: the Violations; `hidden`: rules that are broken too, but blocked; `counts`: the legal process counts when
    they are the question; `open`: [(rule, text)] of demands that are not decided, and why; `settled`: of the newest, rules
    of which every release says the same; `solved`: those that hold in every one on the number of processes on
    which the newest works.
    """

    __slots__ = ("candidate", "plan", "broken", "hidden", "counts", "works_on", "open", "settled", "solved")
    candidate: "Judged"
    plan: "Plan"
    broken: "list[Violation]"
    hidden: "list[Condition]"
    counts: "str | None"
    works_on: "int | None"
    open: "list[tuple[Condition, str]]"
    settled: "frozenset[Condition]"
    solved: "frozenset[Condition]"

    def __init__(self, candidate: "Judged", plan: "Plan") -> None:
        self.candidate = candidate
        self.plan = plan
        self.broken = []
        self.hidden = []
        self.counts = self.works_on = None
        self.open = []
        self.settled = self.solved = frozenset()

    def take(self, broken: "list[Condition]", plan: "Plan", note: str = "", count: "int | None" = None) -> None:
        """Add rules broken under a plan, told apart into those that speak and those another one speaks for.

        `count`: the number of processes of the plan, when it depends on that whether they are broken.
        """
        speaking = unblocked(broken, self.candidate.enforced.refuses)
        known = {violation.rule: violation for violation in self.broken} if count else {}
        counts = (count,) if count else ()
        for rule in speaking:
            if rule in known:
                known[rule].counts += counts
            else:
                self.broken.append(Violation(rule, plan, note, counts))
        if len(speaking) < len(broken):
            self.hidden += [rule for rule in broken if rule not in speaking]

    def enforcement(self, rule: "Condition") -> "Enforcement | None":
        """How this release refuses what the rule, or one it speaks for, describes: the earliest refusal; None for
        none."""
        enforced = self.candidate.enforced
        rows = [enforced[name] for name in (rule.name, *(other.name for other in self.hidden if rule.name in other.blocked_by))
                if name in enforced]  # fmt: skip
        return min(rows, key=lambda row: STAGES.index(row.stage), default=None)

    @property
    def refuses(self) -> bool:
        return any(is_refusal(self.enforcement(violation.rule)) for violation in self.broken)


def is_refusal(enforced: "Enforcement | None") -> "TypeGuard[Enforcement]":
    return enforced is not None and enforced.stage != "never"


# --- which releases, which rules -------------------------------------------------------------------------------------

# What only the names of the settings decide is kept: most files of a repository hold the same ones.
_regimes_of: "dict[tuple[str, frozenset[str], tuple[str, ...]], list[Judged]]" = {}
_rules_of: "dict[tuple[int, int, tuple[str, ...], frozenset[str], bool], list[Condition]]" = {}


def one_per_regime(launch: "Launch", releases: "list[Candidate] | None" = None) -> "list[Judged]":
    """The newest of every regime among some releases, by default the candidates, newest first: within a regime all
    releases judge alike.

    Those under other rows stand apart where the rules of these rows apply to the launch.
    """
    releases = launch.candidates if releases is None else releases
    given = launch.given(DECIDING)
    key = launch.framework.name, given, tuple(candidate.text for candidate in releases)
    if key not in _regimes_of and len(_regimes_of) < MOST_REMEMBERED:
        _regimes_of[key] = _one_per_regime(launch, releases, given)
    return list(_regimes_of.get(key) or _one_per_regime(launch, releases, given))


def _one_per_regime(launch: "Launch", releases: "list[Candidate]", given: "frozenset[str]") -> "list[Judged]":
    enforcement = launch.framework.enforcement
    applying = enforcement.bits_of(lambda rule: RULES[rule].applies(given))
    chosen: dict[tuple[int, int], Judged] = {}
    for candidate in releases:
        bits = enforcement.bits(candidate.key)
        alike = id(candidate.regime), bits & applying
        group = chosen.get(alike)
        if group is None:
            # a fix may make a rule apply: one that then refuses counts against it, one that tells of a harm does not
            enforced = enforcement.enforced(bits & (applying | enforcement.refusing))
            group = Judged(candidate.text, candidate.key, candidate.index, candidate.regime, enforced)
            chosen[alike] = group
        group.releases.append(candidate.index)
    return list(chosen.values())


# --- one release ----------------------------------------------------------------------------------------------------

_conditions: "dict[tuple[int, int, tuple[str, ...]], list[Condition]]" = {}


def conditions(launch: "Launch", candidate: "Judged", changes: "Changes | tuple[()]" = ()) -> "list[Condition]":
    """The rules that apply to a launch, `changes` made: those its release enforces, and those that do harm."""
    deciding = (
        DECIDING.union(*(rule.only_with | rule.with_any for rule in launch.demands)) if launch.demands else DECIDING
    )
    given = launch.given(deciding)
    if changes:
        given = given.difference(changes).union(name for name in changes if changes[name] is not None)
    rules = _rules_for(launch, candidate, given)
    return rules + [rule for rule in launch.demands if rule.applies(given)] if launch.demands else rules


def _rules_for(launch: "Launch", candidate: "Judged", given: "frozenset[str]") -> "list[Condition]":
    """Our own rules that apply where these settings and facts are given; not to be changed."""
    own = launch.is_read_by_the_framework
    key = id(candidate.regime), id(candidate.enforced), launch.groups, given, own
    rules = _rules_of.get(key)
    if rules is None:
        kind = key[:3]
        if kind not in _conditions:
            _conditions[kind] = _conditions_of(
                candidate, launch.framework.catalogue.fields(launch.groups, candidate.index)
            )
        told = launch.framework.script_rules
        rules = [
            rule for rule in _conditions[kind] if rule.applies(given) and (own or told.get(rule.name) is not False)
        ]
        if len(_rules_of) < MOST_REMEMBERED:
            _rules_of[key] = rules
    return rules


def _conditions_of(candidate: "Judged", fields: "Fields") -> "list[Condition]":
    """The rules that a release enforces, and those that do harm and whose operands it has."""
    formulas, enforced = candidate.regime.formulas, candidate.enforced

    def computable(name: str) -> bool:
        return name in formulas or name == PROCESSES or fields[name] is not None

    return [
        rule for rule in CONDITIONS if rule.name in enforced or (rule.harm and all(map(computable, rule.broken.names)))
    ]


def inputs_of(rule: "Condition", regime: "Regime") -> "set[str]":
    """The settings and facts that a rule's condition can read in a regime."""
    found = rule.inputs.get(id(regime))
    if found is None:
        found = rule.inputs[id(regime)] = inputs(rule.broken.names, regime.formulas)  # type: ignore[union-attr]  # has one
    return found


def decide(rules: "Iterable[Condition]", plan: "Plan") -> "tuple[list[Condition], list[Condition]]":
    """(broken rules, rules that an unknown operand leaves open), before anything is blocked."""
    broken, undecided = [], []
    for rule in rules:
        try:
            if plan.evaluate(rule.broken):  # type: ignore[arg-type]  # it has one
                broken.append(rule)
        except Unknown:
            undecided.append(rule)
        except Unset:
            pass
    return broken, undecided


def unblocked(broken: "list[Condition]", refuses: "AbstractSet[str]") -> "list[Condition]":
    """Without the rules that say again what another broken rule has said.

    Of a rule and its blocker the blocker speaks, unless only the other one is refused by this version.
    """
    if len(broken) < 2:
        return broken
    hidden = set()
    for rule in broken:
        for other in broken:
            if other.name in rule.blocked_by:
                hidden.add(other.name if rule.name in refuses and other.name not in refuses else rule.name)
    return [rule for rule in broken if rule.name not in hidden]


def verdict_of(
    launch: "Launch", candidate: "Judged", newest: "Verdict | None" = None, memory: "Memory | None" = None
) -> "Verdict":
    """What one release says; the newest one, of which no other is told, also on which numbers of processes it works
    when that is unknown. `memory`: what need not be asked."""
    rules = conditions(launch, candidate)
    solved: list[Condition] = []
    if memory is not None:
        rules = memory.open_rules(rules, candidate.index, lambda rule: inputs_of(rule, candidate.regime))
    if newest is not None:  # of an older release only refusals are told
        refuses = candidate.enforced.refuses
        settled = newest.settled
        rules = [rule for rule in rules if (rule.name in refuses and rule not in settled) or rule in launch.demands]
        solved = [rule for rule in rules if rule in newest.solved]
        rules = [rule for rule in rules if rule not in newest.solved] if solved else rules
    if newest is not None and memory is not None and not rules:
        memory.note(candidate.index, solved)
        return Verdict(candidate, newest.plan)  # nobody asks for its numbers
    plan = launch.plan(candidate)
    broken, undecided = decide(rules, plan)
    if memory is not None:
        memory.note(candidate.index, (*broken, *undecided, *solved))
    verdict = Verdict(candidate, plan)
    if newest is None and len(launch.candidates) > 1:
        verdict.settled = _settled(launch, candidate, rules, set(broken))
    if len(launch.world_sizes) > 1:
        _judge_on_each(launch, verdict, rules)
    else:
        verdict.take(broken, plan)
    if launch.world_size is UNKNOWN and not verdict.refuses:
        _solve_for_processes(launch, verdict, rules, broken, undecided, newest, solved)
    elif launch.world_size is not UNKNOWN and launch.framework.launcher_checks(candidate.key, launch.loader):
        _judge_in_launcher(launch, verdict, rules)
    if launch.demands and newest is None:
        _settle_demands(launch, verdict, undecided)
    return verdict


def _settled(
    launch: "Launch", candidate: "Judged", rules: "list[Condition]", left: "set[Condition]"
) -> "frozenset[Condition]":
    """The rules that no other release that may be meant need be asked about: they hold, or cannot be decided, by formulas that
    all of them share, of values that all of them read alike. What hinges on the number of processes may be asked again of
    another number."""
    return _alike_in_all(launch, candidate, [rule for rule in rules if rule not in left], ())


def _alike_in_all(
    launch: "Launch", candidate: "Judged", rules: "list[Condition]", but: "Collection[str]"
) -> "frozenset[Condition]":
    """The rules that all releases that may be meant compute alike, of values that all of them read alike, `but` some names."""
    releases = (*launch.candidates, *launch.neighbours)
    regimes = tuple({id(each.regime): each.regime for each in releases}.values())
    alike: dict[str, bool] = {}

    def is_alike(name: str) -> bool:
        if name not in alike:
            alike[name] = _is_alike(launch, candidate, releases, name)
        return alike[name]

    return frozenset(
        rule
        for rule in rules
        if _has_one_formula(rule, regimes) and all(map(is_alike, inputs_of(rule, candidate.regime).difference(but)))
    )


def _is_alike(launch: "Launch", candidate: "Judged", releases: "Sequence[Candidate]", name: str) -> bool:
    """Whether a setting or fact has one value in all releases and for all questions: a fact of the run, a value that is taken as it stands,
    or one default."""
    if name in IN_PLAN:
        return name != PROCESSES
    field = launch.fields(candidate)[name]
    if name in launch.entries:
        if field is None:
            return False
        value = value_of(launch.entries[name])
        return field.has_type_of(value) or (
            type(value) in (str, list, dict)
            and launch.read(name, launch.fields(candidate), candidate.key) == (value, None)
        )
    if not launch.framework.catalogue.knows(name):
        return False  # of a package beside the release
    if launch.incomplete or launch.reader:
        return False
    key = launch.framework.name, launch.groups, name, tuple(each.index for each in releases)
    found = _one_default.get(key)
    if found is None:
        others = (launch.fields(each)[name] for each in releases)
        found = len({repr(other.default if other else None) for other in others}) == 1
        if len(_one_default) < MOST_REMEMBERED:
            _one_default[key] = found
    return found


_one_default: "dict[tuple[object, ...], bool]" = {}

_one_formula: "dict[tuple[str, tuple[int, ...]], bool]" = {}


def _has_one_formula(rule: "Condition", regimes: "tuple[Regime, ...]") -> bool:
    """Whether a condition is computed alike in some regimes."""
    if rule.broken is None or rule.source:
        return False
    key = rule.name, tuple(map(id, regimes))
    found = _one_formula.get(key)
    if found is None:
        found = _reaches_none_of(_differing(regimes), rule.broken.names, regimes[0])
        if len(_one_formula) < MOST_REMEMBERED:
            _one_formula[key] = found
    return found


def _differing(regimes: "tuple[Regime, ...]") -> "AbstractSet[str]":
    """The quantities that some regimes compute in different ways; equal formulas are one object."""
    key = tuple(map(id, regimes))
    found = _differences.get(key)
    if found is None:
        first, *others = (regime.formulas for regime in regimes)
        found = {name for other in others for name in first.keys() | other.keys() if first.get(name) != other.get(name)}
        if len(_differences) < MOST_REMEMBERED:
            _differences[key] = found
    return found


_differences: "dict[tuple[int, ...], AbstractSet[str]]" = {}


def _reaches_none_of(names: "AbstractSet[str]", start: "Sequence[str]", regime: "Regime") -> bool:
    """Whether nothing of what some quantities are computed from is among names."""
    seen: set[str] = set()
    pending = list(start)
    while pending:
        name = pending.pop()
        if name in names:
            return False
        if name not in seen:
            seen.add(name)
            for formula in regime.formulas.get(name, ()):
                pending += formula.names
    return True


def _judge_on_each(launch: "Launch", verdict: "Verdict", rules: "list[Condition]") -> None:
    """Judge a run that has to work on several numbers of processes."""
    for count in launch.world_sizes:
        plan = launch.plan(verdict.candidate, {PROCESSES: count})
        verdict.take(decide(rules, plan)[0], plan, count=count)


def _judge_in_launcher(launch: "Launch", verdict: "Verdict", rules: "list[Condition]") -> None:
    """`trl grpo` builds the config once more in its launcher, where it counts one process."""
    plan = launch.plan(verdict.candidate, {PROCESSES: 1})
    already = {violation.rule for violation in verdict.broken}
    enforced = verdict.candidate.enforced
    alone = [
        rule
        for rule in decide(rules, plan)[0]
        if rule not in already and rule.name in enforced and enforced[rule.name].stage == "config"
    ]
    if alone:
        verdict.take(
            alone, plan, "the launcher of `trl grpo` builds the config with 1 process before it starts the workers"
        )


def _solve_for_processes(
    launch: "Launch",
    verdict: "Verdict",
    rules: "list[Condition]",
    broken: "list[Condition]",
    undecided: "list[Condition]",
    newest: "Verdict | None",
    solved: "list[Condition]",
) -> None:
    """Find the numbers of processes for which no rule refuses the run.

    `solved`: rules that hold on the number on which the newest release works; only where that one is refused do they count.
    """
    candidate = verdict.candidate
    refuses = candidate.enforced.refuses
    open_rules = [rule for rule in undecided if PROCESSES in inputs_of(rule, candidate.regime)]
    refusing = [rule for rule in open_rules if rule.name in refuses]
    if not refusing:
        return None

    def plan_on(count: int) -> "Plan":
        plan: Plan = launch.plan(candidate, {PROCESSES: count})
        plan.take_over(verdict.plan)
        return plan

    # The same as whether `refused_by` names a rule, for one that refuses is hidden by none but one that refuses as
    # well.
    is_refused = Sweep([rule.broken for rule in refusing], plan_on, PROCESSES).holds  # type: ignore[misc]  # it has one

    def refused_by(count: int) -> "list[Condition]":
        found, _ = decide(open_rules, plan_on(count))
        return [rule for rule in unblocked(broken + found, refuses) if rule.name in refuses]

    if newest and not is_refused(newest.works_on or 1):
        return None
    if solved:
        return _solve_for_processes(launch, verdict, rules, broken, [*undecided, *solved], newest, [])
    if newest and not all(map(is_refused, range(1, LARGEST + 1))):
        return None
    nodes = _whole_nodes(launch)
    legal = [count for count in nodes if not is_refused(count)]
    if legal:
        verdict.works_on = legal[0]
        if newest is None and len(launch.candidates) > 1:
            verdict.solved = _alike_in_all(launch, candidate, refusing, {PROCESSES})
        verdict.counts = legal_counts(legal, lambda count: not is_refused(count), _sizes(launch, candidate), nodes)
        return None
    legal = [count for count in TRIED if not is_refused(count)]
    if not legal:
        legal = list(
            islice((count for count in range(TRIED.stop, LARGEST + 1) if not is_refused(count)), MOST_NAMED + 1)
        )
    if legal:
        verdict.counts = legal_counts(legal, lambda count: not is_refused(count), _sizes(launch, candidate))
        return None
    count = min(TRIED, key=lambda count: len(refused_by(count)))
    plan = launch.plan(candidate, {PROCESSES: count})
    processes = "1 process" if count == 1 else f"{count} processes"
    note = f"no number of processes up to {LARGEST} satisfies every constraint; the numbers are those for {processes}"
    verdict.take([rule for rule in decide(rules, plan)[0] if rule.name in refuses], plan, note)


def _whole_nodes(launch: "Launch") -> range:
    """The numbers of processes that are tried: whole nodes, where the number of processes on a node is known."""
    fact = launch.facts.get("processes_per_node")
    size = fact.value if fact else 1
    return range(size, min(size * TRIED.stop, LARGEST + 1), size)


def _settle_demands(launch: "Launch", verdict: "Verdict", undecided: "list[Condition]") -> None:
    """What there is to say of demands that are not decided, and of expectations about what the run does not have."""
    candidate = verdict.candidate
    open_demands = [rule for rule in launch.demands if rule in undecided]
    solved = _solve_demands(launch, verdict, open_demands) if launch.world_size is UNKNOWN else ()
    for rule in launch.demands:
        if rule.span and rule not in solved and (lack := _lack(launch, candidate, rule)):
            verdict.open.append((rule, lack))


def _solve_demands(launch: "Launch", verdict: "Verdict", demands: "list[Condition]") -> "list[Condition]":
    """Find the numbers of processes for which demands hold; gives those for which nothing else has to be known."""

    def plan_on(count: int) -> "Plan":
        plan: Plan = launch.plan(verdict.candidate, {PROCESSES: count})
        return plan

    demands = [rule for rule in demands if PROCESSES in inputs_of(rule, verdict.candidate.regime)]
    demands = [rule for rule in demands if rule not in decide(demands, plan_on(1))[1]]
    good: dict[Condition, list[int]] = {rule: [] for rule in demands}
    for count in TRIED if demands else ():
        for rule in _holding(demands, plan_on(count)):
            good[rule].append(count)
    nowhere = [rule for rule in demands if not good[rule]]
    if nowhere and not (launch.patience or Patience()).is_over():
        for count in range(TRIED.stop, LARGEST + 1):
            for rule in _holding(nowhere, plan_on(count)):
                good[rule].append(count)
        nowhere = [rule for rule in nowhere if not good[rule]]
        verdict.take(
            nowhere, plan_on(1), f"on every number of processes up to {LARGEST}; the numbers are those for 1 process"
        )
        nowhere = []
    sizes = _sizes(launch, verdict.candidate)
    for rule, legal in good.items():
        counts = legal and legal_counts(legal, lambda count: _holding([rule], plan_on(count)), {*sizes, *rule.sizes})
        if counts:
            verdict.open.append((rule, f"{rule.summary} on {counts}"))
    return [rule for rule in demands if rule not in nowhere]


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
            return f"this run has no {rule.on}, which its file expects"
        except Unknown as reason:
            if str(reason).isidentifier() and str(reason) not in lacking:
                lacking[str(reason)] = 1  # any value, to see what else is missing
                continue
            if not lacking:
                return f"whether {rule.summary} cannot be told from these values"
        return (
            f"whether {rule.summary} cannot be told without {' and '.join(told(name) for name in lacking)}"
            if lacking
            else ""
        )


def _sizes(launch: "Launch", candidate: "Judged") -> "set[int]":
    """The sizes of a run that do not depend on the number of processes, as far as they are given."""
    plan = launch.plan(candidate)
    sizes = (
        plan.value(name)
        for name in ("generation_batch_size", "global_batch_size", "num_generations", "completions_per_rollout")
    )
    return {size for size in sizes if type(size) is int and 0 < size <= 1 << 40}


def legal_counts(
    legal: "list[int]", is_legal: "Callable[[int], object]", sizes: "Iterable[int]", tried: range = TRIED
) -> "str | None":
    """The legal process counts in words, or None when every count is legal.

    `legal`: those among `tried`, or the first ones above; `sizes`: the sizes of the run, whose divisors limit a finite
    set.
    """
    step = legal[0]
    if legal == [count for count in tried if count % step == 0] and all(
        is_legal(step * factor) for factor in (67, 96, 128, 255, LARGEST // step) if step * factor <= LARGEST
    ):
        return None if step == tried.step else f"multiples of {step} processes"
    if len(legal) > MOST_NAMED and tried.step == 1 and legal == list(range(step, step + len(legal))):
        last = next((count for count in range(legal[-1], LARGEST) if not is_legal(count + 1)), LARGEST)
        return f"{step} or more processes" if last == LARGEST else f"{step} to {last} processes"
    more = legal
    while more and len(legal) <= MOST_NAMED:
        more = [count for count in _beyond(legal, sizes, tried) if is_legal(count)]
        legal = legal + more
    if len(legal) > MOST_NAMED:
        return f"{', '.join(map(str, legal[: MOST_NAMED - 1]))}, ... processes"
    if len(legal) == 1:
        return f"{plural(step, 'process')} only"
    return f"{', '.join(map(str, legal[:-1]))} or {legal[-1]} processes"


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
