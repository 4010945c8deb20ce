"""Which rules a launch breaks: in every release it may run on, and for every number of processes it may run with."""

from itertools import islice

from .facts import FACT_OF
from .findings import Finding
from .launch.launch import Candidate, Patience, is_set
from .plan import UNKNOWN, Sweep, Unknown, Unset, inputs
from .rules import CONDITIONS, DECIDING, RULES
from .rules.base import STAGES
from .source.yaml_reader import Scalar, to_python

# Process counts that are tried when the number of processes is unknown; all up to LARGEST before "none works" is said.
TRIED = range(1, 65)
LARGEST = 4096
MOST_NAMED = 8  # of the legal process counts
MOST_REMEMBERED = 10_000


class Breach:
    """A broken rule, the plan that breaks it, and what there is to note; `counts`: of several stated numbers of processes those that do."""

    __slots__ = ("rule", "plan", "note", "counts")

    def __init__(self, rule, plan, note="", counts=()):
        self.rule = rule
        self.plan = plan
        self.note = note
        self.counts = counts


class Verdict:
    """What one release says.

    `broken`: the Breaches; `hidden`: rules that are broken too, but blocked; `counts`: the legal process counts when
    they are the question; `open`: [(rule, text)] of demands that are not decided, and why.
    """

    __slots__ = ("candidate", "plan", "broken", "hidden", "counts", "works_on", "open")

    def __init__(self, candidate, plan):
        self.candidate = candidate
        self.plan = plan
        self.broken = []
        self.hidden = []
        self.counts = self.works_on = None
        self.open = []

    def take(self, broken, plan, note="", count=None):
        """Add rules broken under a plan, told apart into those that speak and those another one speaks for.

        `count`: the number of processes of the plan, when it depends on that whether they are broken.
        """
        speaking = unblocked(broken, self.candidate.regime.refuses)
        known = {breach.rule: breach for breach in self.broken} if count else {}
        for rule in speaking:
            if rule in known:
                known[rule].counts += (count,)
            else:
                self.broken.append(Breach(rule, plan, note, (count,) if count else ()))
        if len(speaking) < len(broken):
            self.hidden += [rule for rule in broken if rule not in speaking]

    def enforcement(self, rule):
        """How this release refuses what the rule, or one it speaks for, describes: the earliest refusal; None for none."""
        enforced = self.candidate.regime.enforced
        refusals = [enforced[name] for name in (rule.name, *(other.name for other in self.hidden if rule.name in other.blocked_by))
                    if name in enforced]  # fmt: skip
        return min(refusals, key=lambda refusal: STAGES.index(refusal.stage), default=None)

    @property
    def refuses(self):
        return any(_is_refusal(self.enforcement(breach.rule)) for breach in self.broken)


def _is_refusal(enforced):
    return enforced is not None and enforced.stage != "never"


def judge(launch):
    """The findings of a launch about its arithmetic and its options; those about single keys are in `keys`."""
    numbers = None if launch.demands or launch.incomplete else _numbers(launch)
    if numbers in _in_order:
        return list(_idle_findings(launch))
    newest, *older = one_per_regime(launch)
    verdicts = [_verdict(launch, newest)]
    verdicts += [_verdict(launch, candidate, verdicts[0]) for candidate in older]
    if any(verdict.refuses for verdict in verdicts) and launch.program and launch.program.trainer:
        numbers = None  # with another program they may be refused
        for verdict in verdicts:
            verdict.broken = [breach for breach in verdict.broken if not _is_up_to_the_trainer(launch, verdict, breach.rule)]
    newest = verdicts[0]
    shown = newest
    if not newest.refuses:
        shown = next((verdict for verdict in verdicts if verdict.refuses and _knows_as_much(launch, verdict.candidate)), newest)
    refused_by_all = all(verdict.refuses for verdict in verdicts)
    findings = [
        finding
        for verdict in ([newest] if shown is newest else [newest, shown])
        for finding in _findings(launch, verdict, verdicts, refused_by_all)
        if verdict is newest or _is_refusal(finding.enforced)
        # a pin between two releases is not known to be like the one that refuses
        if refused_by_all or launch.version_source == "inferred" or not _is_refusal(finding.enforced)
        if not _is_about_an_argument_of_the_script(launch, finding)
    ]
    if not findings and newest.counts is None and numbers is not None and len(_in_order) < MOST_REMEMBERED:
        _in_order.add(numbers)
    findings += _idle_findings(launch)
    if newest.counts is not None and not any(finding.severity == "error" for finding in findings):
        findings.append(_counts_finding(launch, newest))
    return findings


def _knows_as_much(launch, candidate):
    """Whether a release knows as many of the trainer's settings as the newest one that may be meant: one that does not is hardly the one that
    is used. What a script reads beside them (reward_funcs) people's own scripts have read before TRL's did."""

    def known_by(index):
        return sum(launch.dialect.catalogue.known(name, launch.groups[:1]) >> index & 1 for name in launch.entries)

    return known_by(candidate.index) >= known_by(launch.candidates[0].index)


def one_per_regime(launch):
    """The newest candidate of every regime, newest first: within a regime all releases judge alike.

    Refusals that only some versions of a regime know count where their rule applies; then these versions stand apart.
    """
    given = launch.given(DECIDING)
    key = launch.dialect.name, given, tuple(candidate.text for candidate in launch.candidates)
    if key not in _regimes_of and len(_regimes_of) < MOST_REMEMBERED:
        _regimes_of[key] = _one_per_regime(launch, given)
    return list(_regimes_of.get(key) or _one_per_regime(launch, given))


def _one_per_regime(launch, given):
    refusals = [refusal for refusal in launch.dialect.refusals if RULES[refusal.rule].applies(given)]
    chosen = {}
    for candidate in launch.candidates:
        regime = launch.dialect.effective(candidate.regime, candidate.key, refusals) if refusals else candidate.regime
        group = chosen.get(id(regime))
        if group is None:
            chosen[id(regime)] = group = Candidate(candidate.text, candidate.key, candidate.index, regime)
        group.releases.append(candidate.index)
    return list(chosen.values())


# Numbers that were judged before and found in order: in a repository of recipes, and while a file is edited, most are.
_in_order = set()
_operands = {}
# The same for what only the names of the settings decide: most files of a repository hold the same ones.
_regimes_of = {}
_rules_of = {}


def _numbers(launch):
    """Everything that the verdict on the arithmetic can depend on; None when that is not worth finding out: for the first
    launch of its kind, and when its version is known."""
    if len(launch.candidates) == 1:
        return None  # one release is judged faster than looked up
    kind = (launch.groups, launch.loader, tuple(candidate.text for candidate in launch.candidates))
    if kind not in _operands:
        _operands[kind] = None
        return None
    operands = _operands[kind]
    if operands is None:
        rules = ((rule, candidate.regime) for candidate in one_per_regime(launch) for rule in CONDITIONS)
        operands = _operands[kind] = sorted(DECIDING.union(*(inputs_of(rule, regime) for rule, regime in rules)))
    values = []
    for name in operands:
        entry = launch.entries.get(name)
        if entry is not None:
            node = entry.value
            values.append((name, node.text, node.style) if type(node) is Scalar else (name, repr(to_python(node))))
    facts = tuple((name, launch.facts[name].value) for name in _NUMERIC_FACTS if name in launch.facts)
    attached = tuple((operand, str(found.value)) for operand, found in launch.attached.items())
    return kind, tuple(values), facts, attached, tuple(launch.stated.items()), launch.dialect.trainer_key in launch.entries


_NUMERIC_FACTS = ("world-size", "processes-per-node", "visible-devices", "dataset-size", "eval-dataset-size")


# --- one release ----------------------------------------------------------------------------------------------------

_conditions = {}


def conditions(launch, candidate, changes=()):
    """The rules that apply to a launch, `changes` made: those its regime enforces, and those that do harm."""
    deciding = DECIDING.union(*(rule.only_with | rule.with_any for rule in launch.demands)) if launch.demands else DECIDING
    given = launch.given(deciding)
    if changes:
        given = given.difference(changes).union(name for name in changes if changes[name] is not None)
    rules = _rules_for(launch, candidate, given)
    return rules + [rule for rule in launch.demands if rule.applies(given)] if launch.demands else rules


def _rules_for(launch, candidate, given):
    """Our own rules that apply where these settings and facts are given; not to be changed."""
    key = id(candidate.regime), launch.groups, given
    rules = _rules_of.get(key)
    if rules is None:
        kind = key[:2]
        if kind not in _conditions:
            _conditions[kind] = _conditions_of(candidate.regime, launch.fields(candidate))
        rules = [rule for rule in _conditions[kind] if rule.applies(given)]
        if len(_rules_of) < MOST_REMEMBERED:
            _rules_of[key] = rules
    return rules


def _conditions_of(regime, fields):
    """The rules that a regime enforces, and those that do harm and whose operands it has."""

    def computable(name):
        return name in regime.formulas or name == "world_size" or fields[name] is not None

    return [rule for rule in CONDITIONS if rule.name in regime.enforced or (rule.harm and all(map(computable, rule.broken.names)))]


def inputs_of(rule, regime):
    """The settings and facts that a rule's condition can read in a regime."""
    found = rule.inputs.get(id(regime))
    if found is None:
        found = rule.inputs[id(regime)] = inputs(rule.broken.names, regime.formulas)
    return found


def decide(rules, plan):
    """(broken rules, rules that an unknown operand leaves open), before anything is blocked."""
    broken, undecided = [], []
    for rule in rules:
        try:
            if plan.evaluate(rule.broken):
                broken.append(rule)
        except Unknown:
            undecided.append(rule)
        except Unset:
            pass
    return broken, undecided


def unblocked(broken, refuses):
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


def _verdict(launch, candidate, newest=None):
    """What one release says; the newest one, of which no other is told, also on which numbers of processes it works when that is unknown."""
    rules = conditions(launch, candidate)
    plan = launch.plan(candidate)
    broken, undecided = decide(rules, plan)
    verdict = Verdict(candidate, plan)
    if len(launch.world_sizes) > 1:
        _judge_on_each(launch, verdict, rules)
    else:
        verdict.take(broken, plan)
    if launch.world_size is UNKNOWN and not verdict.refuses:
        _solve_for_processes(launch, verdict, rules, broken, undecided, newest)
    elif launch.world_size is not UNKNOWN and launch.dialect.launcher_checks(candidate.key, launch.loader):
        _judge_in_launcher(launch, verdict, rules)
    if launch.demands and newest is None:
        _settle_demands(launch, verdict, undecided)
    return verdict


def _judge_on_each(launch, verdict, rules):
    """Judge a run that has to work on several numbers of processes."""
    for count in launch.world_sizes:
        plan = launch.plan(verdict.candidate, {"world_size": count})
        verdict.take(decide(rules, plan)[0], plan, count=count)


def _judge_in_launcher(launch, verdict, rules):
    """`trl grpo` builds the config once more in its launcher, where it counts one process."""
    plan = launch.plan(verdict.candidate, {"world_size": 1})
    already = {breach.rule for breach in verdict.broken}
    enforced = verdict.candidate.regime.enforced
    alone = [
        rule
        for rule in decide(rules, plan)[0]
        if rule not in already and rule.name in enforced and enforced[rule.name].stage == "config"
    ]
    if alone:
        verdict.take(alone, plan, "the launcher of `trl grpo` builds the config with 1 process before it starts the workers")


def _solve_for_processes(launch, verdict, rules, broken, undecided, newest):
    """Find the numbers of processes for which no rule refuses the run."""
    candidate = verdict.candidate
    refuses = candidate.regime.refuses
    open_rules = [rule for rule in undecided if "world_size" in inputs_of(rule, candidate.regime)]
    refusing = [rule for rule in open_rules if rule.name in refuses]
    if not refusing:
        return

    def plan_on(count):
        plan = launch.plan(candidate, {"world_size": count})
        plan.take_over(verdict.plan)
        return plan

    # The same as whether `refused_by` names a rule, for one that refuses is hidden by none but one that refuses as well.
    is_refused = Sweep([rule.broken for rule in refusing], plan_on).holds

    def refused_by(count):
        found, _ = decide(open_rules, plan_on(count))
        return [rule for rule in unblocked(broken + found, refuses) if rule.name in refuses]

    if newest and not (is_refused(newest.works_on or 1) and all(map(is_refused, range(1, LARGEST + 1)))):
        return
    nodes = _whole_nodes(launch)
    legal = [count for count in nodes if not is_refused(count)]
    if legal:
        verdict.works_on = legal[0]
        verdict.counts = legal_counts(legal, lambda count: not is_refused(count), _sizes(launch, candidate), nodes)
        return
    legal = [count for count in TRIED if not is_refused(count)]
    if not legal:
        legal = list(islice((count for count in range(TRIED.stop, LARGEST + 1) if not is_refused(count)), MOST_NAMED + 1))
    if legal:
        verdict.counts = legal_counts(legal, lambda count: not is_refused(count), _sizes(launch, candidate))
        return
    count = min(TRIED, key=lambda count: len(refused_by(count)))
    plan = launch.plan(candidate, {"world_size": count})
    processes = "1 process" if count == 1 else f"{count} processes"
    note = f"no number of processes up to {LARGEST} satisfies every constraint; the numbers are those for {processes}"
    verdict.take([rule for rule in decide(rules, plan)[0] if rule.name in refuses], plan, note)


def _whole_nodes(launch):
    """The numbers of processes that are tried: whole nodes, where the number of processes on a node is known."""
    fact = launch.facts.get("processes-per-node")
    size = fact.value if fact else 1
    return range(size, min(size * TRIED.stop, LARGEST + 1), size)


def _settle_demands(launch, verdict, undecided):
    """What there is to say of demands that are not decided, and of expectations about what the run does not have."""
    candidate = verdict.candidate
    open_demands = [rule for rule in launch.demands if rule in undecided]
    solved = _solve_demands(launch, verdict, open_demands) if launch.world_size is UNKNOWN else ()
    for rule in launch.demands:
        if rule.span and rule not in solved and (lack := _lack(launch, candidate, rule)):
            verdict.open.append((rule, lack))


def _solve_demands(launch, verdict, demands):
    """Find the numbers of processes for which demands hold; gives those for which nothing else has to be known."""

    def plan_on(count):
        return launch.plan(verdict.candidate, {"world_size": count})

    demands = [rule for rule in demands if "world_size" in inputs_of(rule, verdict.candidate.regime)]
    demands = [rule for rule in demands if rule not in decide(demands, plan_on(1))[1]]
    good = {rule: [] for rule in demands}
    for count in TRIED if demands else ():
        for rule in _holding(demands, plan_on(count)):
            good[rule].append(count)
    nowhere = [rule for rule in demands if not good[rule]]
    if nowhere and not (launch.patience or Patience()).is_over():
        for count in range(TRIED.stop, LARGEST + 1):
            for rule in _holding(nowhere, plan_on(count)):
                good[rule].append(count)
        nowhere = [rule for rule in nowhere if not good[rule]]
        verdict.take(nowhere, plan_on(1), f"on every number of processes up to {LARGEST}; the numbers are those for 1 process")
        nowhere = []
    sizes = _sizes(launch, verdict.candidate)
    for rule, legal in good.items():
        counts = legal and legal_counts(legal, lambda count, rule=rule: _holding([rule], plan_on(count)), {*sizes, *rule.sizes})
        if counts:
            verdict.open.append((rule, f"{rule.summary} on {counts}"))
    return [rule for rule in demands if rule not in nowhere]


def _holding(demands, plan):
    broken = decide(demands, plan)[0]
    return [rule for rule in demands if rule not in broken]


def _lack(launch, candidate, rule):
    """Why a condition cannot be told, in words; empty when it can."""
    lacking = {}
    while True:
        try:
            launch.plan(candidate, lacking).evaluate(rule.broken)
        except Unset:
            return f"this run has no {rule.on}, which its file expects"
        except Unknown as reason:
            if str(reason).isidentifier() and str(reason) not in lacking:
                lacking[str(reason)] = 1  # any value, to see what else is missing
                continue
            if not lacking:
                return f"whether {rule.summary} cannot be told from these values"
        return f"whether {rule.summary} cannot be told without {' and '.join(FACT_OF.get(name, name) for name in lacking)}" if lacking else ""


def _sizes(launch, candidate):
    """The sizes of a run that do not depend on the number of processes, as far as they are given."""
    plan = launch.plan(candidate)
    sizes = (plan.value(name) for name in ("generation_batch_size", "global_batch_size", "num_generations", "completions_per_rollout"))
    return {size for size in sizes if type(size) is int and 0 < size <= 1 << 40}


def legal_counts(legal, is_legal, sizes, tried=TRIED):
    """The legal process counts in words, or None when every count is legal.

    `legal`: those among `tried`, or the first ones above; `sizes`: the sizes of the run, whose divisors limit a finite set.
    """
    step = legal[0]
    if legal == [count for count in tried if count % step == 0] and all(
        is_legal(step * factor) for factor in (67, 96, 128, 255, LARGEST // step) if step * factor <= LARGEST
    ):
        return None if step == tried.step else f"multiples of {step} processes"
    if len(legal) > MOST_NAMED and tried.step == 1 and legal == list(range(step, step + len(legal))):
        last = next((count for count in range(legal[-1], LARGEST) if not is_legal(count + 1)), LARGEST)
        return f"{step} or more processes" if last == LARGEST else f"{step} to {last} processes"
    more = True
    while more and len(legal) <= MOST_NAMED:
        more = [count for count in _beyond(legal, sizes, tried) if is_legal(count)]
        legal = legal + more
    if len(legal) > MOST_NAMED:
        return f"{', '.join(map(str, legal[: MOST_NAMED - 1]))}, ... processes"
    if len(legal) == 1:
        return f"{step} process{'' if step == 1 else 'es'} only"
    return f"{', '.join(map(str, legal[:-1]))} or {legal[-1]} processes"


def _beyond(legal, sizes, tried):
    """Counts above those looked at that may be legal too: multiples of legal ones, and what divides a size of the run."""
    last = max(legal[-1], tried[-1])
    found = {count * factor for count in (legal[0], legal[-1]) for factor in (*range(2, 17), 32, 64)}
    for size in sizes:
        for factor in range(1, 65):
            if size % factor == 0:
                found.add(size // factor)
                found.update(size // factor * count for count in legal[:2])
    return sorted(count for count in found if last < count <= LARGEST and count % tried.step == 0)


# --- findings -------------------------------------------------------------------------------------------------------


def _findings(launch, verdict, verdicts, refused_by_all):
    for breach in verdict.broken:
        rule, plan = breach.rule, breach.plan
        if rule.name not in launch.dialect.for_any_trainer and launch.trains_otherwise:
            continue
        enforced = verdict.enforcement(rule)
        finding = Finding(
            rule,
            enforced.severity if enforced else rule.harm,
            enforced.stage if enforced else "never",
            enforced=enforced if _is_refusal(enforced) else None,
            candidate=verdict.candidate,
            plan=plan,
            at=None if rule.span else pointed_at(launch, rule, plan),
            span=rule.span,
            note=breach.note,
            counts=_telling(launch, verdict, breach),
        )
        if finding.enforced:
            _weigh_assumptions(launch, finding, verdicts, refused_by_all)
        elif rule in launch.demands:
            _weigh_versions(launch, finding, verdicts)
        yield finding
    for rule, told in verdict.open:
        at = None if rule.span else pointed_at(launch, rule, verdict.plan)
        assumes = ["world_size"] if launch.world_size is UNKNOWN else ()
        yield Finding(rule, "info", "never", candidate=verdict.candidate, plan=verdict.plan, at=at, span=rule.span,
                      values={"told": told}, assumes=assumes, message="{told}")  # fmt: skip


def _telling(launch, verdict, breach):
    """The numbers of processes of a breach, unless it has nothing to do with them."""
    return breach.counts if "world_size" in inputs_of(breach.rule, verdict.candidate.regime) else ()


def _weigh_versions(launch, finding, verdicts):
    """A demand that only some of the releases break, which the run may use, is no error."""
    breaking = [verdict for verdict in verdicts if any(breach.rule is finding.rule for breach in verdict.broken)]
    if len(breaking) < len(verdicts):
        releases = spans(launch, [index for verdict in breaking for index in verdict.candidate.releases])
        finding.assumes.append("version")
        finding.note = f"with {launch.dialect.title} {releases}" + (f"; {finding.note}" if finding.note else "")
        finding.severity = "warning" if finding.severity == "error" else finding.severity


def _is_about_an_argument_of_the_script(launch, finding):
    """Whether a harm is told of a setting of TRL's scripts that the training script declares in the place of TRL: it has a use of its own for it."""
    at = finding.at
    if finding.enforced or at is None or launch.dialect.catalogue.known(at.name, launch.groups[:1]):
        return False
    return at.name in launch.declared


def _is_up_to_the_trainer(launch, verdict, rule):
    """Whether only TRL's trainer would refuse this, and that of the training script, which is its own, does not."""
    enforced = verdict.enforcement(rule)
    if not _is_refusal(enforced) or _checked_by_config(enforced, launch.program):
        return False
    wordings = (regime.enforced[rule.name].wording for regime in launch.dialect.regimes if rule.name in regime.enforced)
    return not launch.program.refuses((enforced.wording, *wordings))


def _checked_by_config(enforced, program):
    return enforced.stage in ("read", "config") and program.config_of_trl


def _weigh_assumptions(launch, finding, verdicts, refused_by_all):
    """An error that hinges on something assumed is a warning that says so."""
    doubts = list(_doubts(launch, finding, verdicts, refused_by_all))
    if doubts:
        finding.assumes += [assumed for assumed, _ in doubts]
        finding.note = "; ".join([*(note for _, note in doubts), *([finding.note] if finding.note else ())])
        finding.severity = "warning"


def _doubts(launch, finding, verdicts, refused_by_all):
    """Each (what was taken for granted, how that reads) for a refusal."""
    dialect = launch.dialect
    if not refused_by_all:
        yield "version", versions_note(launch, verdicts)
    elif launch.newer:
        yield "version", f"judged by the rules of {dialect.title} {dialect.catalogue.releases[-1]}, the newest known release"
    elif launch.doubt:
        yield "version", launch.doubt
    for package in sorted(launch.companions_of(finding.candidate).keys() - launch.stated.keys()):
        if package in _companions_read(launch, finding):
            version = launch.companions_of(finding.candidate)[package]
            yield f"companion:{package}", f"taking {package} {version} to be installed beside {dialect.title} {finding.candidate.text}"
    if launch.origin is not None and launch.origin.invocation.passes_on is not None:
        yield "arguments", "unless the arguments that the script passes on say something else"
    if launch.reader:
        yield "loader", f"taking {launch.reader} to hand these keys to {dialect.title}"
    program = launch.program
    if program and finding.enforced.stage not in ("read", "config"):
        changed = sorted(program.sets.intersection(launch.entries, finding.plan.leaves(finding.rule.broken.names)))
        if changed:
            yield "trainer", f"{program.name} sets {' and '.join(changed)} itself"
    if program and program.trainer and not _checked_by_config(finding.enforced, program):
        yield "trainer", f"{program.name} trains with {program.trainer}, which is none of TRL's, but checks something like this"
    elif program and program.unread and not _checked_by_config(finding.enforced, program):
        yield "trainer", f"{program.name} trains with {program.unread}, which may be none of TRL's"
    if dialect.trainer_key and dialect.trainer_key not in launch.entries and finding.rule.name not in dialect.for_any_trainer:
        yield "trainer", f"{dialect.trainer_key} is not in the file and taken to be grpo"


COMPANION_OF = {
    "trl_checks_evaluation": "trl",
    "trl_is_supported": "trl",
    "last_update_may_be_partial": "transformers",
    "batches_continuously": "transformers",
    "ratio_replaces_steps": "transformers",
    "vllm_is_supported": "vllm",
    "liger_is_supported": "liger-kernel",
}


def _companions_read(launch, finding):
    return {COMPANION_OF[name] for name in finding.plan.leaves(finding.rule.broken.names) if name in COMPANION_OF}


def versions_note(launch, verdicts):
    """'refused by TRL 0.15 - 0.16, accepted from 0.17': the releases of each verdict, in the order of the releases."""
    refusing = [index for verdict in verdicts if verdict.refuses for index in verdict.candidate.releases]
    accepting = [index for verdict in verdicts if not verdict.refuses for index in verdict.candidate.releases]
    return f"refused by {launch.dialect.title} {spans(launch, refusing)}, accepted by {spans(launch, accepting)}"


def spans(launch, indices):
    """Releases, given by their place in the catalogue, as '0.15 - 0.16, 0.20': consecutive minors joined."""
    indices = sorted(indices)
    releases = launch.dialect.catalogue.releases
    parts, start = [], 0
    for position in range(1, len(indices) + 1):
        if position == len(indices) or indices[position] != indices[position - 1] + 1:
            first, last = minor(releases[indices[start]]), minor(releases[indices[position - 1]])
            parts.append(first if first == last else f"{first} - {last}")
            start = position
    return ", ".join(parts)


def minor(release):
    return ".".join(release.split(".")[:2])


def pointed_at(launch, rule, plan):
    """The setting a finding points at: the first contributing one that stands in the file, in the rule's own order; else the nearest one."""
    own = (leaf for name in rule.at for leaf in plan.leaves((name,)))
    return next((launch.setting(leaf) for leaves in (own, plan.nearest(rule.broken.names)) for leaf in leaves if leaf in launch.entries), None)


def _idle_findings(launch):
    """One remark on the settings of the file that no candidate release looks at."""
    newest, *older = launch.candidates if len(launch.candidates) == 1 else one_per_regime(launch)
    idle = _idle(launch, newest)
    for candidate in older if idle else ():
        also = _idle(launch, candidate)
        idle = {reason: names for reason, names in idle.items() if reason in also}
    if idle:
        told = "; ".join(f"{', '.join(names)} ({reason})" for reason, names in idle.items())
        first = next(iter(idle.values()))[0]
        yield Finding(RULES["settings-have-an-effect"], "info", "never", candidate=newest, plan=launch.plan(newest),
                      at=launch.setting(first), values={"settings": told})  # fmt: skip


def _idle(launch, candidate):
    """{reason: settings of the file} that have no effect in one release."""
    plan, found = None, {}
    for reason, (condition, names) in candidate.regime.idle.items():
        given = [name for name in names if name in launch.entries and is_set(launch.entries[name])]
        if given:
            plan = plan or launch.plan(candidate)
            if plan.holds(condition):
                found[reason] = given
    return found


def _counts_finding(launch, verdict):
    told = (name for name in ("per_device_train_batch_size", "micro_batch_size", "num_generations") if name in launch.entries)
    at = launch.setting(next(told, None))
    return Finding(RULES["legal-process-counts"], "info", "never", candidate=verdict.candidate, plan=verdict.plan, at=at,
                   values={"counts": verdict.counts}, assumes=["world_size"])  # fmt: skip
