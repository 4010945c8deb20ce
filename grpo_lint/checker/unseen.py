"""What is taken for granted behind a finding: of releases, programs, readers and values that nobody sees. Loaded where there is a finding."""

from ..frameworks.companions import COMPANION_OF
from ..launch.facts import IN_PLAN
from ..message import Message, ands, parts
from ..source.entry import loaded
from .keys import taking_companion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Candidate, Entry, Finding, Iterator, Launch, Origin, Plan, Sequence


def weigh(launch: "Launch", findings: "list[Finding]") -> None:
    """Let no finding weigh more than what is not seen allows."""
    for finding in findings:
        _weigh_an_argument_of_the_script(launch, finding)
        _weigh_what_others_mean(launch, finding)
        if launch.program is not None and finding.severity != "info":
            from .readers import weigh_what_it_sets

            weigh_what_it_sets(launch, launch.program, finding)
        if finding.severity == "error":
            finding.hinge_on(_unseen(launch, finding))
        if finding.severity != "info" and launch.loader == "kwargs":
            from .readers import tell_flags

            tell_flags(launch, finding)
        if finding.severity != "info" and launch.origin is not None:
            _weigh_its_defaults(launch, launch.origin, finding, findings)
    _weigh_evaluation_alone(launch, findings)
    if _may_be_softened(launch, findings):
        from .softened import soften  # most findings in files are of numbers

        soften(launch, findings)
    if launch.origin is not None and launch.copy is not None and launch.framework.copies.parser:
        _weigh_what_a_copy_may_set(launch, launch.origin, findings)
    if launch.copy is not None and launch.framework.copies.folder:
        from .copied_checks import weigh as weigh_by_copy  # few checkouts hold a copy

        weigh_by_copy(launch, launch.copy, findings)


def _may_be_softened(launch: "Launch", findings: "list[Finding]") -> bool:
    return launch.origin is not None or any(each.rule.name in OF_UNKNOWN_KEYS for each in findings)


def _weigh_what_others_mean(launch: "Launch", finding: "Finding") -> None:
    """Let a finding be an info where a fork, or a trainer of the repository's own, may mean what is written."""
    refusals = launch.framework.refusals
    if finding.rule.name in refusals.only_where_stated and not _is_known_whose(launch):
        told = Message("a fork of {framework} may know this name", {"framework": launch.framework.title})
        finding.hinge_on([("version", told)])
        finding.severity = "info"
    elif finding.rule.name in refusals.of_the_loss and launch.program and launch.program.trainer:
        trains = {"program": launch.program.name, "trainer": launch.program.trainer}
        make_doubtful(finding, Message("{program} trains with {trainer}, whose loss may mean it", trains))


def weigh_a_test(findings: "list[Finding]") -> None:
    """Let what is refused by nobody be an info in a test, which trains to see that something works."""
    for finding in findings:
        if finding.severity == "warning" and finding.rule.broken is not None and finding.enforced is None:
            make_doubtful(finding, Message("what a test trains is seldom used"))


def make_doubtful(finding: "Finding", told: Message) -> None:
    """Let a finding be an info that says why it may be none."""
    finding.severity = "info"
    finding.note = parts(filter(None, (told, finding.note)))


OF_UNKNOWN_KEYS = ("key-is-known", "keys-are-read")
EVALUATING = frozenset(
    "eval evaluate evaluation val validate validation test infer inference generate generation".split()
)


def _weigh_evaluation_alone(launch: "Launch", findings: "list[Finding]") -> None:
    """Where a setting that no release has means by its name that the program only evaluates (`--eval_only`, `mode: test`), what is said of
    the training is an info: it may make none."""
    weighed = [finding for finding in findings if finding.severity != "info" and finding.rule.broken is not None]
    flags = launch.origin.flags if launch.origin is not None else {}
    for name, entry in {**launch.entries, **flags}.items() if weighed else ():
        if not _says_evaluation(name, entry) or launch.framework.catalogue.knows(name):
            continue
        told = {"flag": f"--{entry.name}" if name in flags else entry.name}
        for finding in weighed:
            if finding.severity != "info":
                make_doubtful(finding, Message("with {flag} this program may train nothing", told))


_OFF = ("false", "0", "no")


def _says_evaluation(name: str, entry: "Entry") -> bool:
    """Whether the name of a setting, with its value, says that a program evaluates and does not train."""
    words = name.lower().replace("-", "_").split("_")
    if words[-1] == "mode":
        return str(loaded(entry.value)).lower() in EVALUATING
    is_only = "only" in words and len(words) == 2 and not EVALUATING.isdisjoint(words)
    return is_only and str(loaded(entry.value)).lower() not in _OFF


def _weigh_what_a_copy_may_set(launch: "Launch", origin: "Origin", findings: "list[Finding]") -> None:
    """Where a command hands a copy of the framework a flag that the copy alone declares, what is said of settings that are all at their
    defaults is an info: the copy may set them by that flag. So is what is said of the size of a rollout where the name of such a flag is
    about that."""
    own = [flag.name for name, flag in origin.flags.items() if not launch.framework.catalogue.knows(name)]
    own = [name for name in own if launch.copy_declares(name)]
    sizing = next((name for name in own if {"rollout", "size"} <= {*name.replace("-", "_").split("_")}), "")
    for finding in findings:
        if finding.severity != "warning":
            continue
        names = finding.rule.broken.names if finding.rule.broken else ()
        leaves = finding.plan.leaves(names) if finding.plan else ()
        is_written = not leaves or not launch.entries.keys().isdisjoint(leaves)
        flag = sizing if "completions_per_rollout" in names else "" if is_written else next(iter(own), "")
        if flag:
            told = {"title": launch.framework.title, "flag": f"--{flag}"}
            make_doubtful(
                finding, Message("the {title} of this repository may set it by {flag}, which it alone has", told)
            )


def _weigh_its_defaults(launch: "Launch", origin: "Origin", finding: "Finding", findings: "list[Finding]") -> None:
    """Say which defaults of the framework a finding takes the training script to have. What has flags of its own has most likely defaults
    of its own: nothing is certain where nobody refuses it, or the release is open."""
    assumed = [*assumed_of_its_defaults(launch, origin, finding)]
    finding.hinge_on(assumed)
    if assumed and (finding.enforced is None or "version" in finding.assumes):
        from .readers import takes_flags_of_its_own

        finding.severity = "info" if takes_flags_of_its_own(launch, findings) else finding.severity


def declares_more(launch: "Launch") -> bool:
    """Whether the training script has classes of arguments that are not here, so that it may declare what the framework does not."""
    return launch.reading is not None and not launch.reading.is_closed


def depends_on_processes(finding: "Finding") -> bool:
    if finding.plan is None or finding.rule.broken is None:
        return False
    return not {"world_size", "processes_per_node"}.isdisjoint(finding.plan.leaves(finding.rule.broken.names))


_ABOUT_KEYS = ("key-is-known", "key-is-of-this-version", "appended-key-is-new", "field-outside-the-tree-is-appended",
               "appended-key-is-a-field")  # fmt: skip


def _unseen(launch: "Launch", finding: "Finding") -> "Iterator[tuple[str, str]]":
    """(what is assumed, in words) of all that may take back an error and was too much to be looked at, or is not here."""
    for belief in launch.unseen:
        yield belief.about, belief.note
    if launch.program and launch.program_is_partial:
        yield "trainer", Message("not all of {program} was read", {"program": launch.program.name})
    registration = launch.framework.refusals.registrations.get(finding.rule.name)
    if registration is not None and launch.registers(*registration)[1]:
        yield "trainer", Message("not all Python of this repository was read, and some of it may register this name")
    starters = launch.framework.reader.flags.fileless_starters
    if starters and finding.rule.name == "training-state-fits-the-gpu" and finding.plan is not None:
        from .held_elsewhere import assumed_of_memory  # few runs state the memory of a GPU

        yield from assumed_of_memory(launch, finding.plan, starters)
    yield from _assumed_of_values(launch, finding)
    yield from _assumed_of_flags(launch, finding)
    if finding.rule.name in _ABOUT_KEYS:
        from .unknown_keys import assumed_of_the_framework

        yield from assumed_of_the_framework(launch, finding)
    world = launch.facts.get("world_size")
    if world is not None and world.is_weak and depends_on_processes(finding):
        yield "world_size", Message("assuming the processes of {place}", {"place": world.source})


def _assumed_of_values(launch: "Launch", finding: "Finding") -> "list[tuple[str, str]]":
    """What was taken for granted about the values that a finding depends on, in a file of Python."""
    names = [finding.at.name] if finding.at is not None else []
    if finding.plan is not None and finding.rule.broken is not None:
        names += finding.plan.leaves(finding.rule.broken.names)
    entries = (launch.entries.get(name) for name in dict.fromkeys(names))
    told = dict.fromkeys(each for entry in entries for each in getattr(entry, "assumes", ()))
    return [("arguments", each) for each in told]


def _assumed_of_flags(launch: "Launch", finding: "Finding") -> "Iterator[tuple[str, str]]":
    """What was taken for granted about a program that is not here and may take flags of its own."""
    reads_flags = launch.framework.reader.programs.read_by_scripts
    if reads_flags and launch.origin is not None and launch.origin.program is None:
        from .unknown_keys import assumed_of_its_flags

        yield from assumed_of_its_flags(launch, launch.origin, finding)


def weigh_doubts(launch: "Launch", finding: "Finding", plan: "Plan") -> None:
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
                "assuming that the training script does with it what {framework}'s own script does",
                {"framework": framework.title},
            ),
        )
    if launch.origin is not None and launch.origin.invocation.passes_on is not None:
        yield "arguments", Message("unless the arguments that the script passes on change this")
    if launch.reader:
        yield (
            "loader",
            Message(
                "assuming that {reader} passes these keys to {framework}",
                {"reader": launch.reader, "framework": framework.title},
            ),
        )
    if launch.program:
        from .readers import doubts_about_the_program  # of most launches no program is known

        yield from doubts_about_the_program(launch, launch.program, finding.enforced, {*plan.leaves(names)})  # type: ignore[arg-type]  # a refusal is enforced
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
    elif launch.doubt or framework.copies.doubt:
        yield "version", launch.doubt or framework.copies.doubt
    for package in sorted(
        packages.intersection(launch.companions_of(candidate).keys() - launch.companion_versions.keys())
    ):
        yield taking_companion(launch, candidate, package)


def _companions_read(plan: "Plan", names: "Sequence[str]") -> "set[str]":
    return {COMPANION_OF[name] for name in plan.leaves(names) if name in COMPANION_OF}


def defaults_behind(launch: "Launch", finding: "Finding") -> "list[str]":
    """The settings that nobody writes, and on whose defaults in the framework a finding rests."""
    plan, rule = finding.plan, finding.rule
    if plan is None or rule.broken is None:
        return []
    fields = launch.fields(finding.candidate or launch.candidates[0])
    leaves = [name for name in plan.leaves(rule.broken.names) if name not in IN_PLAN and name not in launch.entries]
    return [name for name in leaves if fields[name] and plan.value(name) is not None and not launch.default(name)]


def assumed_of_its_defaults(launch: "Launch", origin: "Origin", finding: "Finding") -> "Iterator[tuple[str, Message]]":
    """The defaults of the framework on which a finding rests, for a training script of somebody's own."""
    is_of_scripts = launch.framework.reader.programs.read_by_scripts
    if origin.invocation.framework or "loader" in launch.facts or not is_of_scripts:
        return
    if origin.program is not None and (finding.enforced is not None or not declares_more(launch)):
        return
    if names := defaults_behind(launch, finding):
        told = {"program": origin.invocation.program.shown(), "framework": launch.framework.title, "names": ands(names)}
        note = Message(
            "assuming that {program}, which is not here, leaves {names} at the defaults of {framework}", told
        )
        if origin.program is not None:
            note = Message("assuming that {program} leaves {names} at the defaults of {framework}", told)
        yield "arguments", note


def _weigh_an_argument_of_the_script(launch: "Launch", finding: "Finding") -> None:
    """Hold back a harm that is told of a setting of TRL's scripts which the training script declares in the place of TRL: it has a use
    of its own for it. Where not all of the script was read, it may."""
    at, program = finding.at, launch.program
    if (
        finding.enforced
        or at is None
        or program is None
        or launch.framework.catalogue.known(at.name, launch.groups[:1])
    ):
        return
    told = {"program": program.name, "name": at.name}
    if at.name in launch.declared:
        finding.held_by = Message("{program} declares {name} itself", told)
    elif launch.program_is_partial:
        finding.hinge_on([("trainer", Message("not all of {program} was read", told))])
        finding.severity = "info"


def _is_known_whose(launch: "Launch") -> bool:
    """Whether a run is known to be of the framework itself, and of none of its forks."""
    return bool(launch.framework.copies.folder) or launch.is_stated
