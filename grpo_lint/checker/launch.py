"""Judges a launch as a part of its file: what is said of it once, where, and who speaks for whom."""

from ..frameworks.command_spec import BY_FLAG
from ..frameworks.recognition import may_be_settings
from ..frameworks.versions import bits_of
from ..launch.facts import Counts, option_name
from ..message import NOTHING, Message, parts
from ..rules.base import SEVERITIES
from ..source.entry import value_of
from ..source.text import Span
from ..source.yaml.scalars import shown_value
from .evaluations import evaluations_of, what_is_written
from .findings import Finding, comment_finding, span_of
from .judge import judge
from .keys import key_findings, strange_keys
from .votes import Votes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..launch.facts import Fact
    from ..launch.launch import Launch
    from ..launch.origin import Origin
    from ..source.text import Text
    from .findings import Place, Report


def judge_launch(
    report: "Report", launch: "Launch", also: "Iterable[Finding]" = (), call: "Span | None" = None
) -> None:
    """Add a launch to a report, with the findings about it that belong to the file of the report: one for each cause.

    `also`: findings about the command that starts it; `call`: in a file of Python, the place of what makes it.
    """
    known = report.places_of_other_launches()
    said = [*also]
    speakers = _first_of_each_rule(said)
    findings = [*said, *_findings_of(launch)]
    reader = _other_reader(launch) if any(finding.severity != "info" for finding in findings) else ""
    if reader:
        launch = launch.read_by(reader)
        findings = [*said, *_strange_format(launch), *_findings_of(launch)]
    report.launches.append(launch)
    for finding in findings:
        finding.launch = launch
        _place(finding, launch, report.text, call)
        speaker = next((other for other in speakers if _says_already(other, finding)), None)
        if speaker is not None:
            speaker.absorb(finding)
        elif not _is_told_elsewhere(finding, launch):
            _tell_once(report, finding, known)


def _place(finding: "Finding", launch: "Launch", text: "Text", call: "Span | None") -> None:
    """Say a finding about a launch where it belongs, and of what stands elsewhere, where that is."""
    if launch.parts:
        _place_in_whole(finding, launch)
    if launch.places and finding.at is not None and (place := getattr(finding.at.entry, "place", "")):
        finding.say_first(Message("{key} stands in {place}", {"key": finding.at.name, "place": place}))
    if launch.origin is not None:
        _place_in_launch(finding, launch.origin, text)
    elif call is not None and _is_about_facts(launch, finding):
        _place_at_call(finding, launch, call)


def _is_told_elsewhere(finding: "Finding", launch: "Launch") -> bool:
    """Whether a finding about a run that a command starts belongs to another file than the one that is judged."""
    if launch.origin is None:
        return False
    is_in_another = finding.at.text is not None if finding.at is not None else finding.span is None
    return is_in_another or _is_about_its_command(launch, finding)


def _tell_once(report: "Report", finding: "Finding", known: "dict[Place, int]") -> None:
    """Add a finding to a report; where another launch has led to the same one, the worse of the two is told. `known`:
    where in the report those of the other launches are, by what they are about and where."""
    is_at_call = finding.span is not None and finding.launch is not None and finding.launch.origin is None
    index = known.get((finding.key, span_of(finding))) if finding.at is not None or is_at_call else None
    if index is None:
        report.findings.append(finding)
        return
    other = report.findings[index]
    if SEVERITIES.index(finding.severity) < SEVERITIES.index(other.severity):
        finding.elsewhere = [other, *other.elsewhere]
        report.findings[index] = finding
    else:
        other.elsewhere.append(finding)


def _findings_of(launch: "Launch") -> "list[Finding]":
    if not launch.candidates:
        return [_no_trainer(launch)]
    votes, written = Votes(launch), what_is_written(launch.entries)
    keys = () if launch.reader else (*key_findings(launch, written), *_file_findings(launch))
    findings = [*_config_findings(launch), *keys, *judge(launch, votes, evaluations_of(launch, written))]
    findings = _causes(votes.weigh(findings))
    _tell_defaults_in_place(launch, findings)
    for finding in findings:
        if finding.severity == "error":
            finding.hinge_on(_unseen(launch, finding))
    return findings


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


_UNREAD = ("key-is-known", "key-is-of-this-version")


def _tell_defaults_in_place(launch: "Launch", findings: "list[Finding]") -> None:
    """Say of what is reckoned with a default that the key which is meant for this setting stands there by a name that
    the release does not know."""
    meant = {
        rename: finding
        for finding in findings
        if finding.rule.name in _UNREAD
        and (rename := finding.values.get("rename")) is not None
        and rename not in launch.entries
    }
    for finding in findings if meant else ():
        if finding.plan is None or finding.rule.broken is None or finding.severity == "info":
            continue
        name = next((each for each in finding.plan.leaves(finding.rule.broken.names) if each in meant), None)
        value = None if name is None else finding.plan.value(name)
        if name is not None and value is not None:
            told = {"name": name, "value": shown_value(value), "key": meant[name].values["key"]}
            finding.say_first(Message("{name} is at its default of {value}, for {key} is not read", told))
            finding.values["misspelt"] = meant[name]


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
    if not refusing or origin is None or (ignores is not None and value_of(ignores) is not False):
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
    """Where more of the keys are somebody's own than the framework's, that none of them is checked."""
    strange = strange_keys(launch)
    if 2 * len(strange) > len(launch.entries):
        yield Finding("keys-are-read", "info", "never", candidate=launch.candidates[0], at=launch.setting(strange[0]),
                      values={"count": len(strange), "all": len(launch.entries), "title": launch.framework.title, "name": launch.framework.name},
                      message=Message("{count} of {all} keys are none of {title}'s, so something else reads this file: its keys are not "
                                      "checked, unless a comment says dialect={name}"))  # fmt: skip


def _unseen(launch: "Launch", finding: "Finding") -> "Iterator[tuple[str, str]]":
    """(what is assumed, in words) of all that may take back an error and was too much to be looked at, or is not here."""
    for belief in launch.unseen:
        yield belief.about, belief.note
    if launch.program and launch.program_is_partial:
        yield "trainer", Message("not all of {program} was read", {"program": launch.program.name})
    yield from _assumed_of_values(launch, finding)
    yield from _assumed_of_flags(launch, finding)
    framework = {"framework": launch.framework.title}
    if launch.lacks_files_of_its_program and finding.rule.name in _ABOUT_KEYS:
        yield (
            "version",
            Message("taking the files of {framework} to be those of that release, for they are not here", framework),
        )
    is_guessed = launch.places and finding.rule.name == "key-is-known" and not launch.knows_its_release
    if is_guessed and not (finding.values.get("rename") or finding.values.get("hint")):
        yield (
            "version",
            Message("taking {framework} to be one of its releases, none of which has ever known this key", framework),
        )
    world = launch.facts.get("world_size")
    if world is not None and world.is_weak and _depends_on_processes(finding):
        yield "world_size", Message("taking the processes to be those of {place}", {"place": world.source})


_ABOUT_KEYS = ("key-is-known", "key-is-of-this-version", "appended-key-is-new", "field-outside-the-tree-is-appended")


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


def _other_reader(launch: "Launch") -> Message:
    """What reads a config in the place of the framework's own parser, as the training scripts of its repository and its own keys
    tell; an empty text for nothing.

    That is asked only where there is something to say, for it takes a look at the repository's Python.
    """
    if (
        not launch.candidates
        or launch.reader
        or launch.origin
        or not launch.framework.reader.programs.read_by_scripts
        or launch.loader not in ("script", "own")
    ):
        return NOTHING
    if "loader" in launch.facts or "dialect" in launch.facts:  # somebody says what reads it
        return NOTHING
    if launch.program and launch.program.own_parser:
        return Message("the parser of {program}", {"program": launch.program.name})
    if 2 * len(strange_keys(launch)) > len(launch.entries):
        return Message("what reads this file")  # a format of somebody's own, that shares some names with TRL
    return NOTHING


def _depends_on_processes(finding: "Finding") -> bool:
    if finding.plan is None or finding.rule.broken is None:
        return False
    return not {"world_size", "processes_per_node"}.isdisjoint(finding.plan.leaves(finding.rule.broken.names))


def _first_of_each_rule(findings: "list[Finding]") -> "list[Finding]":
    """The findings that may speak for others: who speaks hangs on its rule alone, and a command may repeat a setting
    thousands of times."""
    first: dict[str, Finding] = {}
    for finding in findings:
        first.setdefault(finding.rule.name, finding)
    return [*first.values()]


def _says_already(other: "Finding", finding: "Finding") -> bool:
    """Whether a finding about the command speaks for another one: where the processes are not those that are meant,
    all about their number."""
    if other.rule.name in finding.rule.blocked_by:
        return True
    return other.rule.name == "launch-reads-its-processes" and _depends_on_processes(finding)


def _is_about_its_command(launch: "Launch", finding: "Finding") -> bool:
    """Whether a finding about a config is one about facts alone, which the script tells that starts a run with it: it is told
    there."""
    if launch.origin is None or launch.origin.script is None or finding.span is not None:
        return False
    return _is_about_facts(launch, finding)


def _is_about_facts(launch: "Launch", finding: "Finding") -> bool:
    """Whether a finding hinges on facts alone that another file tells, and on nothing that its own file sets."""
    if finding.plan is None or finding.rule.broken is None:
        return False
    leaves = finding.plan.leaves(finding.rule.broken.names)
    told = [launch.facts[name].where for name in leaves if name in launch.facts]
    return launch.entries.keys().isdisjoint(leaves) and any(
        where is not None and where[0] is not None for where in told
    )


def _place_at_call(finding: "Finding", launch: "Launch", call: Span) -> None:
    """What only the command causes that starts a file of Python is said of the call, with the place of the command: no argument
    is at fault, and a script that names no training of ours may not be judged."""
    place = launch.started_by.place if launch.started_by is not None else ""
    if finding.span is None and place:
        finding.at, finding.span = None, call
        finding.say_first(Message("in the run that {place} starts", {"place": place}))


def _place_in_launch(finding: "Finding", origin: "Origin", text: "Text") -> None:
    """What no key says, and for how many processes a run is good, is said where the run is started; what a comment
    says, with that place."""
    if finding.rule.span:
        place = origin.place or Message("line {line}", {"line": text.position(origin.invocation.command.start)[0] + 1})
        finding.say_first(Message("in the run that {place} starts", {"place": place}))
    if finding.rule.name == "legal-process-counts":
        finding.at = None
    if finding.at is None and finding.span is None and origin.script is None:
        finding.span = origin.invocation.span


def _place_in_whole(finding: "Finding", launch: "Launch") -> None:
    """What stands in a file on which the config builds is said where the config names the others; that file may be part of
    many. A config of which nobody would see that it is one of ours has it said where it is started."""
    at, whole = finding.at, launch.origin.config if launch.origin else None
    is_silent = whole is not None and not may_be_settings(whole.text)
    if at is None or at.text is None or not (at.name in launch.parts or (is_silent and at.text is whole)):
        return
    from ..launch.origin import place_of  # few configs are made of several files

    told = Message("{key} stands in {place}", {"key": at.name, "place": place_of(at.text, at.key.start)})
    finding.say_first(told)
    names_them = launch.setting("defaults")
    if is_silent and launch.origin is not None:
        finding.at, finding.span = None, launch.origin.invocation.span
    elif names_them is not None and names_them.text is None:
        finding.at, finding.span = None, names_them.key


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
