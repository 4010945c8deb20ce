"""Which rules a launch breaks: in every release it may run on, and for every number of processes it may run with."""

from ..frameworks.companions import COMPANION_OF
from ..frameworks.versions import bits_of, release_ranges
from ..launch.facts import IN_PLAN
from ..launch.topology import PROCESSES
from ..message import Message, ands, parts, series
from ..source.entry import is_set
from ..source.text import Span
from ..unknown import UNKNOWN
from .findings import Finding
from .keys import taking_companion
from .verdict import inputs_of, is_refusal, one_per_regime, verdict_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..frameworks.by_release import Enforcement
    from ..frameworks.programs import Program
    from ..launch.launch import Candidate, Launch, Setting
    from ..plan.plan import Plan
    from .evaluations import Evaluations
    from .verdict import Condition, Verdict, Violation
    from .votes import Votes


def judge(launch: "Launch", votes: "Votes", evaluations: "Evaluations | None" = None) -> "list[Finding]":
    """The findings of a launch about its arithmetic and its options; those about single keys are in `keys`. What the
    releases say of the whole run is added to the votes."""
    release, *older = one_per_regime(launch)
    newest = votes.newest = verdict_of(launch, release, None, evaluations)
    verdicts = [newest, *(verdict_of(launch, candidate, newest, evaluations) for candidate in older)]
    if evaluations is not None:
        evaluations.keep({verdict.candidate.index: verdict.left for verdict in verdicts})
    _leave_out_what_is_replaced(launch, verdicts)
    refusing = [verdict for verdict in verdicts if verdict.refuses]
    for verdict in refusing:
        votes.refusing |= bits_of(verdict.candidate.releases)
    told = [*_findings(launch, newest, verdicts)]
    if refusing and not newest.refuses:
        told += _findings(launch, refusing[0], verdicts)
    findings = [finding for finding in told if not _is_about_an_argument_of_the_script(launch, finding)]
    findings += _told_idle(launch, _idle_in_all(launch))
    is_refused = any(finding.severity == "error" for finding in findings)
    return findings if newest.counts is None or is_refused else [*findings, _counts_finding(launch, newest)]


def _leave_out_what_is_replaced(launch: "Launch", verdicts: "list[Verdict]") -> None:
    """Take out what would be refused only by something in whose place the repository has something else: the trainer, a name, a
    copy of the framework."""
    # the script is looked for where something is refused, and only there: that takes a look at the repository's Python
    program = launch.program if any(verdict.refuses for verdict in verdicts) else None
    if program and program.trainer:
        for verdict in verdicts:
            verdict.broken = [
                violation
                for violation in verdict.broken
                if not _refused_only_by_replaced_trainer(launch, program, verdict, violation.rule)
            ]
    registered = _registered(launch, verdicts)
    for verdict in verdicts if registered else ():
        verdict.broken = [violation for violation in verdict.broken if violation.rule.name not in registered]


def _registered(launch: "Launch", verdicts: "list[Verdict]") -> "frozenset[str]":
    """The broken rules about names of which the repository registers the one that is set, or holds a copy of the framework
    that may know it. It is looked at only where one is broken, as for the script above."""
    registrations, looked_up = launch.framework.refusals.registrations, launch.framework.refusals.looked_up
    broken = {violation.rule.name for verdict in verdicts for violation in verdict.broken} & {
        *registrations,
        *looked_up,
    }
    return frozenset(
        name
        for name in broken
        if (name in registrations and launch.registers(*registrations[name]))
        or (name in looked_up and launch.may_be_a_choice(looked_up[name], launch.value(looked_up[name])))
    )


# --- findings -------------------------------------------------------------------------------------------------------


def _findings(launch: "Launch", verdict: "Verdict", verdicts: "list[Verdict]") -> "Iterator[Finding]":
    """What one release says, of another than the newest only what it refuses; `verdicts`: those of all, the newest first."""
    for violation in verdict.broken:
        rule, plan = violation.rule, violation.plan
        if rule.name not in launch.framework.refusals.for_any_trainer and launch.trains_otherwise:
            continue
        enforced = verdict.enforcement(rule)
        span = _own_place(rule) or _place_of_fact(launch, rule)
        finding = Finding(
            rule,
            enforced.severity if enforced else rule.harm,  # type: ignore[arg-type]  # what nobody refuses does harm
            enforced.stage if enforced else "never",
            enforced=enforced if is_refusal(enforced) else None,
            candidate=verdict.candidate,
            plan=plan,
            at=None if span else pointed_at(launch, rule, plan),
            span=span,
            note=violation.note,
            counts=_telling(launch, verdict, violation),
            message=next((Message(told) for condition, told in rule.special if plan.holds(condition)), None),
        )
        if finding.enforced:
            finding.refusing = _refusing(verdicts, rule)
            _weigh_doubts(launch, finding, plan)
        elif rule in launch.demands:
            _weigh_versions(launch, finding, verdicts)
        if finding.refusing or verdict is verdicts[0]:
            yield finding
    yield from _undecided_demands(launch, verdict)


def _undecided_demands(launch: "Launch", verdict: "Verdict") -> "Iterator[Finding]":
    """What there is to say of demands that hold on some numbers of processes, or cannot be decided."""
    for rule, told in verdict.undecided:
        span = _own_place(rule)
        at = None if span else pointed_at(launch, rule, verdict.plan)
        assumes = [PROCESSES] if launch.world_size is UNKNOWN else ()
        yield Finding(rule, "info", "never", candidate=verdict.candidate, plan=verdict.plan, at=at, span=span,
                      values={"told": told}, assumes=assumes, message=Message("{told}"))  # fmt: skip


def _telling(launch: "Launch", verdict: "Verdict", violation: "Violation") -> "tuple[int, ...]":
    """The numbers of processes of a violation, unless it has nothing to do with them."""
    return violation.counts if PROCESSES in inputs_of(violation.rule, verdict.candidate.regime) else ()


def _weigh_versions(launch: "Launch", finding: "Finding", verdicts: "list[Verdict]") -> None:
    """A demand that only some of the releases break, which the run may use, is no error."""
    breaking = [verdict for verdict in verdicts if any(violation.rule is finding.rule for violation in verdict.broken)]
    if len(breaking) < len(verdicts):
        releases = release_ranges(launch, [index for verdict in breaking for index in verdict.candidate.releases])
        finding.assumes.append("version")
        finding.say_first(
            Message("with {framework} {releases}", {"framework": launch.framework.title, "releases": releases})
        )
        finding.severity = "warning" if finding.severity == "error" else finding.severity


def _is_about_an_argument_of_the_script(launch: "Launch", finding: "Finding") -> bool:
    """Whether a harm is told of a setting of TRL's scripts that the training script declares in the place of TRL: it
    has a use of its own for it."""
    at = finding.at
    if finding.enforced or at is None or launch.framework.catalogue.known(at.name, launch.groups[:1]):
        return False
    return at.name in launch.declared or launch.program_is_partial


def _refused_only_by_replaced_trainer(
    launch: "Launch", program: "Program", verdict: "Verdict", rule: "Condition"
) -> bool:
    """Whether only TRL's trainer would refuse this, and that of the training script, which is its own, does not."""
    enforced = verdict.enforcement(rule)
    if not is_refusal(enforced) or _checked_by_config(enforced, program):
        return False
    wordings = (row.wording for row in launch.framework.refusals.enforcement.rows if row.rule == rule.name)
    return not program.refuses((enforced.wording, *wordings))


def _checked_by_config(enforced: "Enforcement", program: "Program") -> bool:
    return enforced.stage in ("read", "config") and program.uses_config


def _refusing(verdicts: "list[Verdict]", rule: "Condition") -> int:
    """The releases that refuse what a rule describes, as bits."""
    return bits_of(
        place
        for verdict in verdicts
        if any(violation.rule is rule for violation in verdict.broken) and is_refusal(verdict.enforcement(rule))
        for place in verdict.candidate.releases
    )


def _weigh_doubts(launch: "Launch", finding: "Finding", plan: "Plan") -> None:
    """Let a refusal weigh no more than what was taken for granted allows."""
    finding.hinge_on(_doubts(launch, finding))
    if finding.rule.name in launch.framework.refusals.registrations:
        from .unknown_keys import weigh_a_name

        weigh_a_name(launch, finding, plan)


def _doubts(launch: "Launch", finding: "Finding") -> "Iterator[tuple[str, Message]]":
    """Each (what was taken for granted, how that reads) for a refusal."""
    framework = launch.framework
    plan: Plan = finding.plan  # type: ignore[assignment]  # a refusal has one
    names = finding.rule.broken.names  # type: ignore[union-attr]  # and such a rule
    yield from _doubts_about_releases(launch, finding.candidate, _companions_read(plan, names))  # type: ignore[arg-type]
    if finding.rule.name in framework.refusals.script_rules and not launch.is_read_by_the_framework:
        yield (
            "loader",
            Message(
                "taking the training script to do with it what {framework}'s own does", {"framework": framework.title}
            ),
        )
    if launch.origin is not None and launch.origin.invocation.passes_on is not None:
        yield "arguments", Message("unless the arguments that the script passes on say something else")
    if launch.reader:
        yield (
            "loader",
            Message(
                "taking {reader} to hand these keys to {framework}",
                {"reader": launch.reader, "framework": framework.title},
            ),
        )
    if launch.program:
        yield from _doubts_about_the_program(launch, launch.program, finding.enforced, {*plan.leaves(names)})  # type: ignore[arg-type]
    is_for_any = finding.rule.name in framework.refusals.for_any_trainer
    if framework.reader.trainer.key and framework.reader.trainer.key not in launch.entries and not is_for_any:
        yield (
            "trainer",
            Message(
                "{key} is not in the file and taken to be {value}",
                {"key": framework.reader.trainer.key, "value": framework.reader.trainer.value},
            ),
        )


def _doubts_about_releases(
    launch: "Launch", candidate: "Candidate", packages: "set[str]"
) -> "Iterator[tuple[str, Message]]":
    """What is assumed about the release, and about the packages beside it that a refusal depends on."""
    framework = launch.framework
    if launch.newer:
        newest = f"{framework.title} {framework.catalogue.releases[-1]}"
        yield "version", Message("judged by the rules of {release}, the newest known release", {"release": newest})
    elif launch.doubt:
        yield "version", launch.doubt
    for package in sorted(
        packages.intersection(launch.companions_of(candidate).keys() - launch.companion_versions.keys())
    ):
        yield taking_companion(launch, candidate, package)


def _doubts_about_the_program(
    launch: "Launch", program: "Program", enforced: "Enforcement", settings: "set[str]"
) -> "Iterator[tuple[str, Message]]":
    """What is assumed about a training script for a refusal that depends on `settings`."""
    yield from _doubts_about_its_arguments(launch, program, settings)
    if program.rival:
        yield (
            "trainer",
            Message(
                "{program} may as well be {rival}, which trains otherwise",
                {"program": program.name, "rival": program.rival},
            ),
        )
    if enforced.stage not in ("read", "config"):
        changed = sorted(program.sets.intersection(launch.entries, settings))
        if changed:
            yield "trainer", Message("{program} sets {names} itself", {"program": program.name, "names": ands(changed)})
    if not _checked_by_config(enforced, program) and (program.trainer or program.unread):
        trains = {"program": program.name, "trainer": program.trainer or program.unread}
        trains["framework"] = launch.framework.title
        yield (
            "trainer",
            Message(
                "{program} trains with {trainer}, which is none of {framework}'s, but checks something like this",
                trains,
            )
            if program.trainer
            else Message("{program} trains with {trainer}, which may be none of {framework}'s", trains),
        )


def _doubts_about_its_arguments(
    launch: "Launch", program: "Program", settings: "set[str]"
) -> "Iterator[tuple[str, Message]]":
    """What is assumed about the defaults that a training script has for settings which nobody sets."""
    unset = settings - launch.entries.keys() - launch.defaults.keys()
    others = sorted(program.defaults.keys() & unset)
    if others:
        yield (
            "arguments",
            Message("{program} has defaults of its own for {names}", {"program": program.name, "names": ands(others)}),
        )
    if program.unread_arguments and any(launch.framework.catalogue.known(name, launch.groups) for name in unset):
        yield (
            "arguments",
            Message(
                "{program} reads {class_name}, which is not here and may have other defaults",
                {"program": program.name, "class_name": program.unread_arguments},
            ),
        )


def _companions_read(plan: "Plan", names: "Sequence[str]") -> "set[str]":
    return {COMPANION_OF[name] for name in plan.leaves(names) if name in COMPANION_OF}


def _own_place(rule: "Condition") -> "Span | None":
    """Where the file that is judged declares a rule: what it expects of its runs."""
    return Span(*rule.span) if rule.span else None


def _place_of_fact(launch: "Launch", rule: "Condition") -> "Span | None":
    """Where the file that is judged tells a fact that a rule points at: NPROC_PER_NODE=3, of a script."""
    for name in rule.at:
        fact = launch.facts.get(name) if name in IN_PLAN else None
        if fact is None or (launch.origin is not None and fact in launch.origin.invocation.presumed.values()):
            continue  # nobody says it
        path, start, end = fact.where or ("", None, None)
        if path is None and start is not None and end is not None and start < end:
            return Span(start, end)
    return None


def pointed_at(launch: "Launch", rule: "Condition", plan: "Plan") -> "Setting | None":
    """The setting a finding points at: the first contributing one that stands in the file, in the rule's own order;
    else the nearest one."""
    for name in rule.at:
        plan.value(name)  # no other rule may have asked for it
    own = (leaf for name in rule.at for leaf in plan.leaves((name,)))
    return next(
        (
            launch.setting(leaf)
            for leaves in (own, plan.nearest(rule.broken.names))  # type: ignore[union-attr]  # it has one
            for leaf in leaves
            if leaf in launch.entries
        ),
        None,
    )


def idle_under_all(launches: "Sequence[Launch]") -> "Iterator[Finding]":
    """The remark on settings without an effect in a file that several commands start: what one of them looks at has an effect."""
    first, *others = (_idle_in_all(launch) if launch.candidates else {} for launch in launches)
    common = {
        reason: [
            name
            for name in names
            if _stands_here(launches[0], name) and all(name in each.get(reason, ()) for each in others)
        ]
        for reason, names in first.items()
    }
    found = {reason: names for reason, names in common.items() if names}
    for finding in _told_idle(launches[0], found):
        finding.launch = launches[0]
        yield finding


def _stands_here(launch: "Launch", name: str) -> bool:
    setting = launch.setting(name)
    return setting is not None and setting.text is None


def _idle_in_all(launch: "Launch") -> "dict[str, list[str]]":
    """{reason: settings} that have no effect in any candidate release."""
    newest, *older = launch.candidates if len(launch.candidates) == 1 else one_per_regime(launch)
    idle = _idle(launch, newest)
    for candidate in older if idle else ():
        also = _idle(launch, candidate)
        idle = {reason: names for reason, names in idle.items() if reason in also}
    return idle


def _told_idle(launch: "Launch", idle: "dict[str, list[str]]") -> "Iterator[Finding]":
    """One remark on the settings of the file that no candidate release looks at: {reason: settings}."""
    newest = launch.candidates[0] if idle else None
    if newest is not None and not all(
        "eval" in name for names in idle.values() for name in names
    ):  # those idle in most files without evaluation
        told = parts(
            Message("{names} ({reason})", {"names": series(settings), "reason": Message(reason)})
            for reason, settings in idle.items()
        )
        first = next(iter(idle.values()))[0]
        yield Finding("settings-have-an-effect", "info", "never", candidate=newest, plan=launch.plan(newest),
                      at=launch.setting(first), values={"settings": told})  # fmt: skip


def _idle(launch: "Launch", candidate: "Candidate") -> "dict[str, list[str]]":
    """{reason: settings of the file} that have no effect in one release."""
    plan, found = None, {}
    for reason, (condition, names) in candidate.regime.idle.items():
        given = [name for name in names if name in launch.entries and is_set(launch.entries[name])]
        if given:
            plan = plan or launch.plan(candidate)
            if plan.holds(condition):
                found[reason] = given
    return found


def _counts_finding(launch: "Launch", verdict: "Verdict") -> "Finding":
    told = (launch.setting(name) for name in launch.framework.arithmetic.hint_keys if name in launch.entries)
    at = next(told, None)
    return Finding("legal-process-counts", "info", "never", candidate=verdict.candidate, plan=verdict.plan, at=at,
                   values={"counts": verdict.counts}, assumes=[PROCESSES])  # fmt: skip
