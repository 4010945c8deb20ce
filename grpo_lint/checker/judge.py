"""Judges a launch: which rules it breaks, in every release that it may run on and for every number of processes; what its file says of
that once, and where; and what the releases say together."""

from ..frameworks.command_spec import BY_FLAG
from ..frameworks.versions import bits_of, places_of, release_ranges
from ..launch.facts import IN_PLAN, Counts, option_name
from ..launch.topology import PROCESSES
from ..message import NOTHING, Message, parts, series
from ..source.entry import is_set, loaded
from ..source.text import Span
from ..unknown import UNKNOWN
from .findings import Finding, comment_finding
from .keys import OF_ONE_KEY, is_taken, is_unread, key_findings, misfits, strange_keys, way_of
from .verdict import (
    evaluations_of,
    inputs_of,
    is_refusal,
    one_per_regime,
    verdict_of,
    verdict_of_an_older,
    what_is_written,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from ..shared_types import (
        Candidate,
        Condition,
        Evaluations,
        Fact,
        Iterable,
        Iterator,
        Launch,
        Origin,
        Plan,
        Report,
        Sequence,
        Setting,
        Verdict,
    )
    from .verdict import Violation


def judge_launch(
    report: "Report",
    launch: "Launch",
    also: "Iterable[Finding]" = (),
    call: "Span | None" = None,
    cut: "Iterable[Finding]" = (),
) -> None:
    """Add a launch to a report, with the findings about it that belong to the file of the report: one for each cause.

    `also`: findings about the command that starts it; `call`: in a file of Python, the place of what makes it;
    `cut`: findings that are told elsewhere, and that speak for what would not be wrong with the whole of its command.
    """
    known = report.places_of_other_launches()
    said = [*also]
    speakers = [*_first_of_each_rule(said), *cut]
    findings = [*said, *findings_of(launch)]
    reader = _other_reader(launch) if any(finding.severity != "info" for finding in findings) else NOTHING
    if reader:
        launch = launch.read_by(reader)
        elsewhere = [*said, *_strange_format(launch), *findings_of(launch)]
        findings = [*elsewhere, *readers().held_back(launch, findings, elsewhere, reader)]
    elif findings and _may_be_read_otherwise(launch, findings):
        readers().name_those_that_accept(launch, findings)
    elif findings and launch.origin is None and not launch.framework.reader.programs.read_by_scripts:
        from .beside import name_the_one_beside

        name_the_one_beside(launch, findings, report.text.path)
    report.launches.append(launch)
    if findings:
        from .placing import tell  # most files have no finding

        tell(report, launch, findings, said, speakers, call, known)


def findings_of(launch: "Launch") -> "list[Finding]":
    """What is wrong with a launch, one finding for each cause."""
    if not launch.candidates:
        return [_no_trainer(launch)]
    votes, written = Votes(launch), what_is_written(launch.entries)
    keys = _unread(launch) if launch.reader else (*key_findings(launch, written), *_file_findings(launch))
    judged = judge(launch, votes, evaluations_of(launch, written))
    held = [finding for finding in judged if finding.held_by]
    judged = [finding for finding in judged if not finding.held_by] if held else judged
    findings = _causes(votes.weigh([*_config_findings(launch), *keys, *judged]))
    findings += held
    if any(finding.rule.name in OF_ONE_KEY for finding in findings):
        from .unknown_keys import tell_defaults_in_place

        tell_defaults_in_place(launch, findings)
    if findings:
        from .unseen import weigh  # most files have none

        weigh(launch, findings)
    return findings


def _unread(launch: "Launch") -> "Iterable[Finding]":
    """What is told of keys where something else reads them."""
    if "fork" not in getattr(launch.reader, "values", ()) or launch.framework.reader.configs.nested:
        return ()
    from .unknown_keys import of_a_fork

    return of_a_fork(launch)


def _file_findings(launch: "Launch") -> "Iterable[Finding]":
    """What is wrong with the files that the settings of a launch name."""
    unusable = [each for each in launch.attached.values() if each.is_unusable]
    if not unusable:
        return ()
    from .named_files import file_findings

    return file_findings(launch, unusable)


def _causes(findings: "list[Finding]") -> "list[Finding]":
    """The findings without those of a text None that a null became, for which the one about the null speaks."""
    nulls = {
        finding.at.name: finding for finding in findings if finding.rule.name == "null-is-not-a-text" and finding.at
    }
    if not nulls:
        return findings
    kept = []
    for finding in findings:
        cause = nulls.get(finding.at.name) if finding.at else None
        if cause is None or cause is finding or finding.severity == "info":
            kept.append(finding)
        else:
            cause.absorb(finding)
    return kept


def _config_findings(launch: "Launch") -> "Iterator[Finding]":
    """Where the command is given its config file as not all releases read it."""
    framework, origin = launch.framework, launch.origin
    form = origin.config_form(framework) if origin else ""
    refusing = [
        each
        for each in launch.candidates
        if form and not framework.reader.files.reads_config(form == BY_FLAG, each.key)
    ]
    ignores = launch.entries.get(framework.reader.files.accepts_strange_arguments)
    if not refusing or origin is None or (ignores is not None and loaded(ignores.value) is not False):
        return
    config = origin.invocation.config
    finding = Finding(
        "command-takes-its-config",
        "error",
        "read",
        candidate=refusing[0],
        span=Span.of(config) if config is not None and origin.script is None else None,
        values={"title": framework.title, "version": refusing[0].text, "form": form},
    )
    finding.refusing = bits_of(each.index for each in refusing)
    yield finding


def _strange_format(launch: "Launch") -> "Iterator[Finding]":
    """Where the keys are those of somebody's own format, that none of them is checked."""
    from .described import is_of_another_format

    if is_of_another_format(launch):
        strange = strange_keys(launch)
        yield Finding("keys-are-read", "info", "never", candidate=launch.candidates[0], at=launch.setting(strange[0]),
                      values={"count": len(strange), "all": len(launch.entries), "title": launch.framework.title, "name": launch.framework.name},
                      message=Message("{count} of {all} keys are none of {title}'s, so something else reads this file: its keys are not "
                                      "checked, unless a comment says dialect={name}"))  # fmt: skip


_OTHER_READER = Message("what reads this file")


def _other_reader(launch: "Launch") -> Message:
    """What reads a config in the place of the framework's own parser, as the training scripts of its repository and its own keys
    tell; an empty text for nothing.

    That is asked only where there is something to say, for it takes a look at the repository's Python.
    """
    if not launch.candidates or launch.reader or launch.origin or launch.loader == "kwargs":
        return NOTHING
    if "loader" in launch.facts or "dialect" in launch.facts:  # somebody says what reads it
        return NOTHING
    is_named = "framework" in launch.entries or "library" in launch.entries
    if not (is_named or (launch.framework.reader.programs.read_by_scripts and launch.loader in ("script", "own"))):
        return NOTHING
    if told := _other_program(launch):
        return told
    from .described import is_of_another_format  # most files give nothing to say

    return _OTHER_READER if is_of_another_format(launch) else NOTHING


def _other_program(launch: "Launch") -> Message:
    """The program that reads a config in the place of the framework's parser, or for another trainer; an empty text for none."""
    program = launch.program
    if program is None or not (program.own_parser or program.trains_otherwise):
        return NOTHING
    told = {"program": program.name}
    if program.own_parser:
        return Message("the parser of {program}", told)
    return Message("{program}, which trains with another trainer,", told)


def readers() -> "ModuleType":
    """What is known of programs that read files: most launches are of none."""
    from . import readers

    return readers


def _may_be_read_otherwise(launch: "Launch", findings: "list[Finding]") -> bool:
    """Whether one of several programs may read a file, and what is found might not hold for it; asked only where something is."""
    is_open = launch.origin is None and launch.framework.reader.programs.read_by_scripts and launch.loader != "kwargs"
    if not is_open or launch.reader or all(finding.severity == "info" for finding in findings):
        return False
    return launch.program is not None and bool(launch.program.others)


def _first_of_each_rule(findings: "list[Finding]") -> "list[Finding]":
    """The findings that may speak for others: who speaks hangs on its rule alone, and a command may repeat a setting
    thousands of times."""
    first: dict[str, Finding] = {}
    for finding in findings:
        first.setdefault(finding.rule.name, finding)
    return [*first.values()]


def _no_trainer(launch: "Launch") -> "Finding":
    fact = launch.facts.get("version")
    span: Span | None = span_of_fact(fact) if fact is not None else Span(0, 0)
    if fact is not None and fact.where and fact.where[0] is not None:
        span = None  # it stands in another file, and is told there
    oldest = launch.framework.releases.first_with_trainer(launch.groups)
    # the RLOOConfig of TRL before 0.22 is of another trainer, which nothing here knows
    older = (
        launch.framework.reader.trainer.by_algorithm
        and launch.algorithm == "rloo"
        and launch.framework.reader.trainer.field not in launch.entries
    )
    return Finding(
        "version-has-the-trainer",
        "info" if older else "error",
        "never" if older else "config",
        span=span,
        values={
            "title": launch.framework.title,
            "version": launch.missing,
            "algorithm": launch.algorithm.upper(),
            "consequence": parts(
                (
                    Message("that came with {release}", {"release": oldest}),
                    Message("an older trainer of this name is not checked") if older else "",
                )
            ),
        },
    )


def span_of_fact(fact: "Fact") -> "Span":
    """Where a fact is told, in its file."""
    _, start, end = fact.where or (None, 0, 0)
    return Span(start or 0, end or 0)


def disagreements(origin: "Origin", facts: "dict[str, Fact]", place: Message) -> "Iterator[Finding]":
    """Comments that say something else than the command that starts the run, which stands at a place."""
    for name, fact in origin.facts().items():
        stated = facts.get(name)
        if stated is not None and stated.source == "comment" and not _agree(stated.value, fact.value):
            told = {"fact": option_name(name), "value": stated.value, "place": place, "count": fact.value}
            problem = Message(
                "{fact} is {value} here, but {place} starts the run with {count} ({source}), which counts",
                {**told, "source": fact.source},
            )
            yield comment_finding(span_of_fact(stated), problem)


def _agree(stated: object, value: object) -> bool:
    """Whether a comment says what a command does; it may name several numbers of processes."""
    return value in stated if isinstance(stated, Counts) else stated == value


# --- arithmetic and options -------------------------------------------------------------------------------------------


def judge(launch: "Launch", votes: "Votes", evaluations: "Evaluations | None" = None) -> "list[Finding]":
    """The findings of a launch about its arithmetic and its options; those about single keys are in `keys`. What the
    releases say of the whole run is added to the votes."""
    release, *older = one_per_regime(launch)
    newest = votes.newest = verdict_of(launch, release, None, evaluations)
    verdicts = [newest, *(verdict_of_an_older(launch, each, newest, evaluations) for each in older)]
    if evaluations is not None:
        evaluations.keep({verdict.candidate.index: verdict.left for verdict in verdicts}, newest.plan)
    held: list[Finding] = []
    if _may_be_left_out(launch, verdicts):
        from .left_out import leave_out_what_is_replaced  # most runs break nothing that another place has to do with

        held = [*leave_out_what_is_replaced(launch, verdicts, _finding)]
    refusing = [verdict for verdict in verdicts if verdict.refuses]
    for verdict in refusing:
        votes.refusing |= bits_of(verdict.candidate.releases)
    told = [*_findings(launch, newest, verdicts)]
    if refusing and not newest.refuses:
        told += _findings(launch, refusing[0], verdicts)
    findings = [*told]
    findings += _told_idle(launch, _idle_in_all(launch))
    if not launch.framework.refusals.may_replace.isdisjoint(launch.entries):
        from .replaced import replaced

        findings += replaced(launch, findings)
    is_refused = any(finding.severity == "error" for finding in findings)
    findings += held
    return findings if newest.counts is None or is_refused else [*findings, _counts_finding(launch, newest)]


def _may_be_left_out(launch: "Launch", verdicts: "list[Verdict]") -> bool:
    """Whether the repository may have something in the place of what refuses a run. It is looked for where something is refused, and
    only there: that takes a look at its Python."""
    broken = {violation.rule.name for verdict in verdicts for violation in verdict.broken}
    if not broken.isdisjoint(launch.framework.refusals.registrations):
        return True
    is_refused = any(verdict.refuses for verdict in verdicts)
    return bool(broken) and (launch.copy is not None or (is_refused and launch.program is not None))


# --- findings -------------------------------------------------------------------------------------------------------


def _findings(launch: "Launch", verdict: "Verdict", verdicts: "list[Verdict]") -> "Iterator[Finding]":
    """What one release says, of another than the newest only what it refuses; `verdicts`: those of all, the newest first."""
    for violation in verdict.broken:
        rule = violation.rule
        if rule.name not in launch.framework.refusals.for_any_trainer and launch.trains_otherwise:
            continue
        finding = _finding(launch, verdict, verdicts, violation)
        if finding.refusing or verdict is verdicts[0]:
            if finding.enforced and launch.origin is not None and launch.origin.invocation.passes_on is not None:
                from .passed_on import hold_what_may_be_passed_on  # few commands pass on what nobody sees

                hold_what_may_be_passed_on(launch, launch.origin, finding)
            yield finding
    yield from _undecided_demands(launch, verdict)


def _finding(launch: "Launch", verdict: "Verdict", verdicts: "list[Verdict]", violation: "Violation") -> "Finding":
    """What a release says of a rule that is broken."""
    rule, plan = violation.rule, violation.plan
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
        from .unseen import weigh_doubts  # few runs are refused

        weigh_doubts(launch, finding, plan)
    elif rule in launch.demands:
        _weigh_versions(launch, finding, verdicts)
    return finding


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


def _refusing(verdicts: "list[Verdict]", rule: "Condition") -> int:
    """The releases that refuse what a rule describes, as bits."""
    return bits_of(
        place
        for verdict in verdicts
        if any(violation.rule is rule for violation in verdict.broken) and is_refusal(verdict.enforcement(rule))
        for place in verdict.candidate.releases
    )


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
    """The setting a finding points at: the first contributing one in the rule's own order, before those of a file on which the config
    builds; else the nearest one."""
    for name in rule.at:
        plan.value(name)  # no other rule may have asked for it
    own = [leaf for name in rule.at for leaf in plan.leaves((name,)) if leaf in launch.entries]
    nearest = (leaf for leaf in plan.nearest(rule.broken.names) if leaf in launch.entries)  # type: ignore[union-attr]  # it has one
    leaf = next((leaf for leaf in own if leaf not in launch.parts), own[0] if own else next(nearest, None))
    return launch.setting(leaf) if leaf is not None else None


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
    if launch.origin is None:  # what a file is built on has a remark of its own
        own = {reason: [each for each in names if _stands_here(launch, each)] for reason, names in idle.items()}
        idle = {reason: names for reason, names in own.items() if names}
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
        if not given:
            continue
        plan = plan or launch.plan(candidate)
        if not plan.holds(condition):
            continue
        if reason.endswith(_OFF):
            given = [name for name in given if _wants_something(launch, candidate, name)]
        given = [name for name in given if not _is_of_one_device(launch, name)]
        if given:
            found[reason] = given
    return found


_OFF = " is off"  # reasons of settings that belong to a switch


def _wants_something(launch: "Launch", candidate: "Candidate", name: str) -> bool:
    """Whether a setting says anything against its switch, which is off: one of zero says the same, and what every release does
    was copied with the rest of the settings."""
    value, field = launch.value(name), launch.fields(candidate)[name]
    return bool(value) and (field is None or value != field.default)


def _is_of_one_device(launch: "Launch", name: str) -> bool:
    """Whether a setting of parallelism divides nothing, so that it is the same whether it is read or not."""
    value = launch.value(name)
    return "parallel" in name and value is not True and value in (1, "1", False)


def _counts_finding(launch: "Launch", verdict: "Verdict") -> "Finding":
    told = (launch.setting(name) for name in launch.framework.arithmetic.hint_keys if name in launch.entries)
    at = next(told, None)
    return Finding("legal-process-counts", "info", "never", candidate=verdict.candidate, plan=verdict.plan, at=at,
                   values={"counts": verdict.counts}, assumes=[PROCESSES])  # fmt: skip


# --- votes --------------------------------------------------------------------------------------------------------------

# What the releases that may be meant say together: the one place that weighs their votes.
#
# Every refusal is a vote, whether of a rule over the plan, of a key or of a value. The candidates decide between warning and
# info; an error needs all of them and their neighbours, the releases that know one key less: many a file has a key of somebody
# else's.


class Votes:
    """The votes on one launch; sets of releases are bits, each at the place of its release in the catalogue.

    `candidates`: those that may be meant; `refusing`: those of them that refuse the run, for whatever reason; `newest`: what
    the newest of them says of the arithmetic.
    """

    def __init__(self, launch: "Launch") -> None:
        self.launch = launch
        self.candidates: int = bits_of(candidate.index for candidate in launch.candidates)
        self._neighbours: int = bits_of(candidate.index for candidate in launch.neighbours)
        self.refusing = 0
        self.newest: Verdict | None = None
        self._refusing_neighbours: int | None = None
        self._sayings: dict[tuple[int, int], Message] = {}  # by who refuses and who has no say

    def weigh(self, findings: "list[Finding]") -> "list[Finding]":
        """The findings, of which those that are refusals have the severity that the votes allow."""
        disputed = [finding for finding in findings if finding.refusing]
        if not disputed or not (self.candidates & (self.candidates - 1) or self._neighbours):
            return findings
        if self.launch.version_source != "inferred":
            # a pin between two releases is not known to be like the one that refuses
            return [finding for finding in findings if not self._accepting(finding)]
        for finding in disputed:
            self.refusing |= finding.refusing
        left = self.candidates & ~self.refusing
        if left and self.refusing & self._newest:  # what the newest accepts is an info, whatever the others refuse
            self.refusing |= self._refusing_keys(left)
        for finding in disputed:
            self._weigh(finding)
        return findings

    @property
    def _newest(self) -> int:
        """The newest candidate, which knows each key that a finding is about."""
        return 1 << self.candidates.bit_length() - 1

    def _accepting(self, finding: "Finding") -> int:
        """The candidates that have a say in a refusal and do not refuse."""
        return self.candidates & ~finding.abstaining & ~finding.refusing if finding.refusing else 0

    def _weigh(self, finding: "Finding") -> None:
        if not finding.refusing & self._newest:
            finding.severity = "info"
        elif self._is_refused_by_all(self._accepting(finding), finding.abstaining):
            return
        else:
            finding.severity = "warning"
        finding.assumes = ["version", *finding.assumes]
        key = finding.refusing, finding.abstaining
        if key not in self._sayings:
            self._sayings[key] = self._told(finding)
        finding.say_first(self._sayings[key])

    def _is_refused_by_all(self, accepting: int, abstaining: int) -> bool:
        """Whether no release that may be meant would start the run."""
        if accepting & ~self.refusing:
            return False
        return not self._neighbours & ~abstaining & ~self._neighbours_that_refuse()

    def _told(self, finding: "Finding") -> Message:
        """'refused by TRL 0.15 - 0.16, accepted by 0.17'; who minds something else of the run is named apart."""
        refusing, everybody = self.refusing, self.candidates
        if not everybody & ~refusing:  # the neighbours make the doubt
            everybody |= self._neighbours
            refusing |= self._neighbours_that_refuse()
        accepting = everybody & ~refusing & ~finding.abstaining
        minding = refusing & self.candidates & ~finding.refusing  # something else
        releases: Message | str = f"{self.launch.framework.title} {self._ranges(refusing & ~minding)}"
        if minding:
            told = {"releases": releases, "more": self._ranges(minding)}
            releases = Message("{releases} ({more} for another reason)", told)
        if not accepting:
            return Message("refused by {releases}", {"releases": releases})
        told = {"releases": releases, "others": self._ranges(accepting)}
        return Message("refused by {releases}, accepted by {others}", told)

    def _ranges(self, releases: int) -> str:
        return release_ranges(self.launch, places_of(releases))

    def _neighbours_that_refuse(self) -> int:
        """The neighbours that refuse the run; found out only where all candidates do."""
        if self._refusing_neighbours is None:
            refusing = self._refusing_keys(self._neighbours)
            left = [release for release in self.launch.neighbours if not refusing >> release.index & 1]
            for candidate in one_per_regime(self.launch, left) if left else ():
                if verdict_of(self.launch, candidate, self.newest).refuses:
                    refusing |= bits_of(candidate.releases)
            self._refusing_neighbours = refusing
        return self._refusing_neighbours

    def _refusing_keys(self, releases: int) -> int:
        """Those of some releases that refuse a key or a value."""
        possible = (*self.launch.candidates, *self.launch.neighbours)
        return bits_of(
            release.index
            for release in possible
            if releases >> release.index & 1 and _refuses_a_key(self.launch, release)
        )


def _refuses_a_key(launch: "Launch", release: "Candidate") -> bool:
    """Whether a release refuses a key that it does not know, or a value."""
    if launch.reader:
        return False
    fields, fate_of = launch.fields(release), launch.framework.reader.keys.fate_of
    refused: dict[tuple[object, ...] | None, bool] = {}  # by how a key is written
    for name, entry in launch.entries.items():
        if is_taken(launch, release, name, entry):
            if fields[name] is not None and misfits(launch, release, name):
                return True
            continue
        way = way_of(entry)
        if way not in refused:
            refused[way] = fate_of(entry, release.key, launch).severity == "error"
        if refused[way] and is_unread(launch, release, name, entry):
            return True
    return False
