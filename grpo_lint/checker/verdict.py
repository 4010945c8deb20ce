"""What one release says of a launch: which rules it breaks there, and for which numbers of processes it breaks none."""

from ..frameworks.rule_sets import TRAINS_NOTHING, rules_of
from ..launch.facts import IN_PLAN
from ..launch.launch import Candidate
from ..launch.topology import PROCESSES
from ..message import NOTHING, Message
from ..plan.formula import Unknown, Unset, reached
from ..rules.base import STAGES
from ..source.entry import characters_of, loaded
from ..source.yaml.reader import Entry, Line, Mapping, Scalar, Sequence
from ..unknown import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping as Table, Set as AbstractSet
    from typing import TypeGuard

    from ..shared_types import Candidate, Enforced, Enforcement, Launch, Node, Plan, Regime, Remembered, Rule

    Condition = Rule  # one that has a condition: its `broken` is never None
    Changes = Table[str, object]  # {setting or fact: value, None to remove it}
    Text = tuple[object, ...]  # all that something depends on
    Written = Line | Text  # what is written of a setting
    Undecided = dict[int, frozenset[Condition]]  # {release, by its place in the catalogue: the rules it leaves open}


class Judged(Candidate):
    """A release that is judged: what it enforces is known; `rows`: the rows of that, as bits."""

    __slots__ = ("rows",)
    enforced: "Enforced"
    rows: int


class Violation:
    """A broken rule, the plan that breaks it, and what there is to note; `counts`: of several stated numbers of
    processes those that do."""

    def __init__(
        self, rule: "Condition", plan: "Plan", note: Message = NOTHING, counts: "tuple[int, ...]" = ()
    ) -> None:
        self.rule = rule
        self.plan = plan
        self.note = note
        self.counts = counts


class Verdict:
    """What one release says.

    `broken`: the Violations; `hidden`: rules that are broken too, but blocked; `left`: those that another launch like this one
    has to ask again; `counts`: the legal process counts when they are the question; `undecided`: [(rule, text)] of demands that
    cannot be decided, and why; `solved`: of the newest, rules that hold in every release on the number of processes on which it works.
    """

    __slots__ = ("candidate", "plan", "broken", "hidden", "left", "counts", "works_on", "undecided", "solved")
    counts: "str | None"
    works_on: "int | None"

    def __init__(self, candidate: "Judged", plan: "Plan", left: "Iterable[Condition]" = ()) -> None:
        self.candidate = candidate
        self.plan = plan
        self.broken: list[Violation] = []
        self.hidden: list[Condition] = []
        self.left: frozenset[Condition] = frozenset(left)
        self.counts = self.works_on = None
        self.undecided: list[tuple[Condition, str]] = []
        self.solved: frozenset[Condition] = frozenset()

    def take(
        self, broken: "list[Condition]", plan: "Plan", note: Message = NOTHING, count: "int | None" = None
    ) -> None:
        """Add rules broken under a plan, told apart into those that are visible and those that another one hides.

        `count`: the number of processes of the plan, when it depends on that whether they are broken.
        """
        visible = unblocked(broken, self.candidate.enforced.refuses)
        known = {violation.rule: violation for violation in self.broken} if count else {}
        counts = (count,) if count else ()
        for rule in visible:
            if rule in known:
                known[rule].counts += counts
            else:
                self.broken.append(Violation(rule, plan, note, counts))
        if len(visible) < len(broken):
            self.hidden += [rule for rule in broken if rule not in visible]

    def enforcement(self, rule: "Condition") -> "Enforcement | None":
        """How this release refuses what the rule, or one it hides, describes: the earliest refusal; None for
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


def one_per_regime(launch: "Launch", releases: "list[Candidate] | None" = None) -> "list[Judged]":
    """The newest of every regime among some releases, by default the candidates, newest first: within a regime all
    releases judge alike.

    Those under other rows stand apart where the rules of these rows apply to the launch.
    """
    releases = launch.candidates if releases is None else releases
    given = launch.given(rules_of(launch.framework.name).deciding)
    # what only the names of the settings decide is kept: most files of a repository hold the same ones
    key = "regimes", launch.framework, given, tuple([candidate.text for candidate in releases])
    found: list[Judged] | None = launch.remembered.get(key)
    return found if found is not None else launch.remembered.keep(key, _one_per_regime(launch, releases, given))


def _one_per_regime(launch: "Launch", releases: "list[Candidate]", given: "frozenset[str]") -> "list[Judged]":
    enforcement = launch.framework.refusals.enforcement
    rules = rules_of(launch.framework.name).by_name
    applying = enforcement.bits_of(lambda rule: rules[rule].applies(given))
    chosen: dict[tuple[Regime, int], Judged] = {}
    for candidate in releases:
        bits = enforcement.bits(candidate.key)
        alike = candidate.regime, bits & applying
        group = chosen.get(alike)
        if group is None:
            # a fix may make a rule apply: one that then refuses counts against it, one that tells of a harm does not
            rows = bits & (applying | enforcement.refusing)
            group = chosen[alike] = Judged(
                candidate.text, candidate.key, candidate.index, candidate.regime, enforcement.enforced(rows)
            )
            group.rows = rows
        group.releases.append(candidate.index)
    return list(chosen.values())


# --- one release ----------------------------------------------------------------------------------------------------


def conditions(launch: "Launch", candidate: "Judged", changes: "Changes | tuple[()]" = ()) -> "list[Condition]":
    """The rules that apply to a launch, `changes` made: those its release enforces, and those that do harm."""
    deciding = rules_of(launch.framework.name).deciding
    if launch.demands:
        deciding = deciding.union(*(rule.only_with | rule.with_any for rule in launch.demands))
    given = launch.given(deciding)
    if changes:
        given = given.difference(changes).union(name for name in changes if changes[name] is not None)
    rules = _rules_for(launch, candidate, given)
    if launch.defaults:
        rules = [rule for rule in rules if not _is_of_defaults_alone(rule, launch, candidate)]
    if TRAINS_NOTHING in launch.attached:
        rules = [rule for rule in rules if not _is_of_training(rule, candidate)]
    return rules + [rule for rule in launch.demands if rule.applies(given)] if launch.demands else rules


def _is_of_defaults_alone(rule: "Condition", launch: "Launch", candidate: "Judged") -> bool:
    """Whether what does no harm but to somebody's intention stands nowhere: the script's own classes have a default for it."""
    row = candidate.enforced.get(rule.name)
    is_refused = row is not None and row.stage != "never"
    return bool(rule.with_any) and not is_refused and rule.with_any.isdisjoint(launch.entries)


def _is_of_training(rule: "Condition", candidate: "Judged") -> bool:
    """Whether what a rule is about happens in training: a run that only evaluates is over before."""
    row = candidate.enforced.get(rule.name)
    return row.stage in ("run", "never") if row else rule.name == "group-has-two-completions"


def _rules_for(launch: "Launch", candidate: "Judged", given: "frozenset[str]") -> "list[Condition]":
    """Our own rules that apply where these settings and facts are given; not to be changed."""
    own, is_call = launch.is_read_by_the_framework, launch.loader == "kwargs"
    key = launch.framework, candidate.regime, candidate.rows, candidate.index, launch.groups, given, own, is_call
    rules: list[Condition] | None = launch.remembered.get(key)
    if rules is not None:
        return rules
    of_scripts = {} if own else launch.framework.refusals.script_rules
    silent = {name for name, is_for_any in of_scripts.items() if is_call or not is_for_any}
    enforced = candidate.enforced
    rules = [
        rule
        for rule in rules_of(launch.framework.name).conditions
        if rule.applies(given)
        and rule.name not in silent
        and (rule.name in enforced or (rule.harm and _does_harm(rule, launch, candidate)))
    ]
    return launch.remembered.keep(key, rules)


def _does_harm(rule: "Condition", launch: "Launch", candidate: "Judged") -> bool:
    """Whether a release that does not enforce a rule has what its condition reads."""
    formulas, fields = candidate.regime.formulas, launch.framework.catalogue.fields(launch.groups, candidate.index)
    return all(name in formulas or name == PROCESSES or fields[name] is not None for name in rule.broken.names)  # type: ignore[union-attr]  # it has one


def inputs_of(rule: "Condition", regime: "Regime") -> "set[str]":
    """The settings and facts that a rule's condition can read in a regime."""
    found = rule.inputs.get(regime)
    if found is None:
        found = rule.inputs[regime] = reached(rule.broken.names, regime.formulas).difference(regime.formulas)  # type: ignore[union-attr]  # has one
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
    launch: "Launch",
    candidate: "Judged",
    newest: "Verdict | None" = None,
    evaluations: "Evaluations | None" = None,
) -> "Verdict":
    """Judge one release. Without `newest` it is the newest that may be meant, and the numbers of processes on which it works
    are sought too when that is unknown; of any other only refusals count. `evaluations`: what need not be asked."""
    rules = conditions(launch, candidate)
    if evaluations is not None:
        rules = evaluations.rules_to_ask(rules, candidate.index)
    solved: list[Condition] = []
    if newest is not None:
        rules, solved = _of_an_older_release(launch, candidate, rules, newest)
        if evaluations is not None and not rules:
            return Verdict(candidate, newest.plan, solved)  # nobody asks for its numbers
    plan = launch.plan(candidate)
    broken, undecided = decide(rules, plan)
    if newest is None and evaluations is not None:
        by_number = [rule for rule in undecided if PROCESSES in inputs_of(rule, candidate.regime)]
        evaluations.agree(launch, candidate, set(rules).difference(broken, by_number))
    verdict = Verdict(candidate, plan, (*broken, *undecided, *solved))
    if len(launch.world_sizes) > 1:
        _judge_on_each(launch, verdict, rules)
    else:
        verdict.take(broken, plan)
    if launch.world_size is UNKNOWN:
        from .processes import judge_processes

        judge_processes(launch, verdict, rules, broken, undecided, newest, solved)
    else:
        _judge_in_launcher(launch, verdict, rules)
    if launch.demands and newest is None:
        from .processes import resolve_demands

        resolve_demands(launch, verdict, undecided)
    return verdict


def verdict_of_an_older(
    launch: "Launch", candidate: "Judged", newest: "Verdict", evaluations: "Evaluations | None"
) -> "Verdict":
    """Judge a release other than the newest; most have nothing to say that is not known."""
    if evaluations is not None and evaluations.to_ask(candidate.index) == set():
        return Verdict(candidate, newest.plan)
    return verdict_of(launch, candidate, newest, evaluations)


def _of_an_older_release(
    launch: "Launch", candidate: "Judged", rules: "list[Condition]", newest: "Verdict"
) -> "tuple[list[Condition], list[Condition]]":
    """(the rules that a release other than the newest is asked, those that need an answer only where the run is refused on the
    number of processes on which the newest works)."""
    refuses = candidate.enforced.refuses
    rules = [rule for rule in rules if rule.name in refuses or rule in launch.demands]
    solved = [rule for rule in rules if rule in newest.solved]
    return [rule for rule in rules if rule not in newest.solved] if solved else rules, solved


def _judge_on_each(launch: "Launch", verdict: "Verdict", rules: "list[Condition]") -> None:
    """Judge a run that has to work on several numbers of processes."""
    for count in launch.world_sizes:
        plan = launch.plan(verdict.candidate, {PROCESSES: count})
        verdict.take(decide(rules, plan)[0], plan, count=count)


def _judge_in_launcher(launch: "Launch", verdict: "Verdict", rules: "list[Condition]") -> None:
    """Judge the config as the launcher builds it once more, where it does: it counts one process."""
    told = launch.framework.reader.programs.launcher_check(verdict.candidate.key, launch.loader)
    if not told:
        return
    plan = launch.plan(verdict.candidate, {PROCESSES: 1})
    already = {violation.rule for violation in verdict.broken}
    enforced = verdict.candidate.enforced
    alone = [
        rule
        for rule in decide(rules, plan)[0]
        if rule not in already and rule.name in enforced and enforced[rule.name].stage == "config"
    ]
    if alone:
        verdict.take(alone, plan, told)


# --- evaluations --------------------------------------------------------------------------------------------------------

# What conditions said of values, kept for a run of the linter: the files of a repository say much the same, and so does a file
# that is edited.
#
# What a condition says in a release hangs on the facts of the launch and on what is written of the settings that it can read, and
# on nothing else. So launches of the same releases and facts are of one *kind*, and for a kind, a rule, and what is written of the
# settings that the rule can read, the releases are kept that leave the rule open: it is broken there, or cannot be decided. Of the
# next launch of the kind only those rules are asked of which nothing is kept, or which were left open. All of it is in
# `Launch.remembered`, which the run owns.

LONGEST_WRITTEN = 2_000  # characters of a value that is remembered; a longer one is asked each time


class Kind:
    """Launches that differ in what their settings say, and in nothing else."""

    # reads     {rule: the settings that it can read in one of the releases}; None until a second launch of the kind comes, for most runs
    #           see one launch
    # readers   the same by settings
    # last      what is written of the last launch, the rules that it left open with the releases that did, and the plan of its newest release

    def __init__(self) -> None:
        self.reads: dict[Condition, tuple[str, ...]] | None = None
        self.readers: dict[str, set[Condition]] = {}
        self.last: tuple[dict[str, Written], dict[Condition, frozenset[int]], Plan] | None = None

    def read(self, reads: "dict[Condition, tuple[str, ...]]") -> "dict[Condition, tuple[str, ...]]":
        """Take what the rules can read, and return it."""
        self.reads = reads
        for rule, names in reads.items():
            for name in names:
                self.readers.setdefault(name, set()).add(rule)
        return reads


class Evaluations:
    """What is known of the rules in one launch; `written`: what is written of its settings."""

    _remembered: "Remembered"
    _kind: Kind

    def __init__(self, launch: "Launch", written: "dict[str, Written]") -> None:
        context = context_of(launch, written)
        self._remembered = remembered = launch.remembered
        self._written = written
        self._kind = kind = remembered.get(context) or remembered.keep(context, Kind())
        self._unknown: set[Condition] | None = None  # of which nothing is kept; None for all
        self._agreed: frozenset[Condition] = frozenset()  # of which all releases say the same as the newest
        self._open: dict[Condition, frozenset[int]] = {}  # those kept as open, with the releases that left them so
        self._changed: set[str] = set()  # the settings of which something else is written than in the last launch
        if kind.reads is None and (first := remembered.pop(kind, None)) is not None:
            self._file(kind.read(_reads(launch)), *first)
        if kind.reads is not None:
            self._look_up(kind.reads)
        if kind.last is not None:
            self._begin(launch.plan(one_per_regime(launch)[0]), kind.last[2])

    def _look_up(self, reads: "dict[Condition, tuple[str, ...]]") -> None:
        """Find what is known. Of rules that read what the last launch said as well, the answer is that of then."""
        self._unknown = set()
        asked: Iterable[Condition] = reads
        if self._kind.last is not None:
            before, left_open, _ = self._kind.last
            now, readers = self._written, self._kind.readers
            changed = self._changed = {name for name, _ in before.items() ^ now.items()}
            asked = set().union(*(readers[name] for name in changed if name in readers))
            self._open = {rule: releases for rule, releases in left_open.items() if rule not in asked}
        for rule in asked:
            found = self._remembered.get((self._kind, rule, *map(self._written.get, reads[rule])))
            if found is None:
                self._unknown.add(rule)
            elif found:
                self._open[rule] = found

    def _begin(self, plan: "Plan", before: "Plan") -> None:
        """Take over what follows in a plan from settings of which the last launch, whose plan was another, said the same."""
        if (
            before.formulas is plan.formulas and before.chosen.keys() <= plan.formulas.keys()
        ):  # no setting refers to another one
            plan.take_over(before, before.hanging_on(self._changed))

    def agree(self, launch: "Launch", newest: "Judged", settled: "set[Condition]") -> None:
        """Ask no other release about what the newest finds in order, or cannot know, where all of them compute it alike."""
        if self._unknown is not None and settled and len(launch.candidates) > 1:
            from .processes import same_in_all_releases

            self._agreed = same_in_all_releases(launch, newest, settled)

    def rules_to_ask(self, rules: "list[Condition]", release: int) -> "list[Condition]":
        """Those of the rules that a release is to be asked."""
        asked = self.to_ask(release)
        return rules if asked is None else [rule for rule in rules if rule in asked]

    def to_ask(self, release: int) -> "set[Condition] | None":
        """Those that a release is to be asked, if they apply there; None for all."""
        if self._unknown is None:
            return None
        kept = [rule for rule, releases in self._open.items() if release in releases]
        return self._unknown.union(kept).difference(self._agreed)

    def keep(self, left: "Undecided", plan: "Plan") -> None:
        """Keep which rules the launch leaves open, now that all of its releases are judged, and the plan of the newest."""
        if self._unknown is None:
            self._remembered.keep(self._kind, (self._written, left), len(self._written))
        elif self._kind.reads is not None:
            found = self._file({rule: self._kind.reads[rule] for rule in self._unknown}, self._written, left)
            left_open = {**self._open, **{rule: each for rule, each in found.items() if each}}
            self._kind.last = self._written, left_open, plan

    def _file(
        self, reads: "dict[Condition, tuple[str, ...]]", written: "dict[str, Written]", left: "Undecided"
    ) -> "dict[Condition, frozenset[int]]":
        """Keep, and return, which releases leave rules open."""
        open_in: dict[Condition, list[int]] = {}
        for release, rules in left.items():
            for rule in rules:
                open_in.setdefault(rule, []).append(release)
        found = {rule: frozenset(open_in.get(rule, ())) for rule in reads}
        for rule, names in reads.items():
            self._remembered.keep((self._kind, rule, *map(written.get, names)), found[rule])
        return found


def _reads(launch: "Launch") -> "dict[Condition, tuple[str, ...]]":
    """{rule: the settings and facts that it can read in some release} of all rules that a launch is asked."""
    found: dict[Condition, set[str]] = {}
    for candidate in one_per_regime(launch):
        for rule in conditions(launch, candidate):
            found.setdefault(rule, set()).update(inputs_of(rule, candidate.regime))
    return {rule: tuple(names) for rule, names in found.items()}


def evaluations_of(launch: "Launch", written: "dict[str, Written]") -> "Evaluations | None":
    """What is known of a launch; None where a verdict depends on more than what is written: on demands of a team, on
    references between settings, on several numbers of processes."""
    framework = launch.framework
    if launch.incomplete or launch.reader or launch.demands or launch.defaults or len(launch.world_sizes) > 1:
        return None
    if framework.reader.programs.launcher_check(launch.candidates[0].key, launch.loader):
        return None
    if framework.reader.configs.nested and any("${" in _text_of(text) for text in written.values()):
        return None
    return Evaluations(launch, written)


def _text_of(written: "Written") -> str:
    """What is written of a setting as one text that holds all of it."""
    return written.text if isinstance(written, Line) else str(written[2:])


def context_of(launch: "Launch", written: "dict[str, Written]") -> "Text":
    """All that a verdict on the arithmetic depends on beside the settings that the rules read."""
    facts = launch.facts
    return (
        *_reading(launch, written),
        launch.is_read_by_the_framework,
        tuple([candidate.text for candidate in (*launch.candidates, *launch.neighbours)]),
        len(launch.candidates),
        tuple([(name, facts[name].value) for name in _NUMBERS if name in facts]),
        tuple([(operand, str(found.value)) for operand, found in launch.attached.items()]),
        launch.given(rules_of(launch.framework.name).deciding),
    )


_NUMBERS = sorted(IN_PLAN)


def _reading(launch: "Launch", written: "dict[str, Written]") -> "Text":
    """How a release takes what is written: not what the settings say, but for those on which the reading of others hangs."""
    together = launch.framework.reader.values.read_together
    return (launch.framework, launch.groups, launch.loader, launch.algorithm, tuple(launch.companion_versions.items()), tuple(launch.beside.items()),
            frozenset([(name, written[name]) for name in written.keys() & together]))  # fmt: skip


def numbers_of(launch: "Launch") -> "Text":
    """Everything that the verdict on the arithmetic of a launch can depend on, where it has no demands and nothing is
    incomplete."""
    written = what_is_written({**launch.defaults, **launch.entries})
    context = context_of(launch, written)
    operands = launch.remembered.get(("operands", context))
    if operands is None:
        known = rules_of(launch.framework.name)
        rules = ((rule, candidate.regime) for candidate in one_per_regime(launch) for rule in known.conditions)
        operands = known.deciding.union(*(inputs_of(rule, regime) for rule, regime in rules))
        launch.remembered.keep(("operands", context), operands, len(operands))
    values = frozenset([(name, text) for name, text in written.items() if name in operands])
    return context, values, launch.framework.reader.trainer.key in launch.entries


def settings_in_order(
    launch: "Launch", release: "Candidate", written: "dict[str, Written]"
) -> "set[tuple[str, Written]]":
    """What is known to be in order of the settings of launches whose values a release takes alike: (name, what is written of it)."""
    key = release.index, launch.is_read_by_the_framework, *_reading(launch, written)
    found: set[tuple[str, Written]] | None = launch.remembered.get(key)
    return found if found is not None else launch.remembered.keep(key, set())


def what_is_written(entries: "Table[str, Entry]") -> "dict[str, Written]":
    """What entries say, by the names of their settings."""
    return {name: entry.line or written_in(entry) for name, entry in entries.items()}


def written_in(entry: "Entry") -> "Written":
    """What an entry says, in as far as two that are alike are read alike."""
    if entry.line is not None:
        return entry.line
    node = entry.value
    if node.end - node.start > LONGEST_WRITTEN:
        return (object(),)
    if type(node) is Scalar:
        is_alone = entry.__class__ is not Entry and not getattr(entry, "words", True)
        return entry.__class__, entry.name, node.text, node.style, node.tag, is_alone
    parts = _scalars_in(node)
    if parts is not None:
        return entry.__class__, entry.name, type(node), *[(part.text, part.style, part.tag) for part in parts]
    value = loaded(entry.value)  # aliases stand for much in a few characters
    if value is not UNKNOWN and characters_of(node) > LONGEST_WRITTEN:
        return (object(),)
    return entry.__class__, entry.name, repr(value)


def _scalars_in(node: "Node") -> "list[Scalar] | None":
    """The scalars of which a list or a mapping consists, as they are written; None where there is more to it."""
    if type(node) is Sequence:
        found: list[Node] = node.items
    elif type(node) is Mapping:
        found = [part for entry in node.entries for part in (entry.key, entry.value)]
    else:
        return None
    scalars = [part for part in found if type(part) is Scalar]
    return scalars if node.tag is None and len(scalars) == len(found) else None
