"""Launch scripts: each command that starts training is judged with the file it names and the flags it adds."""

import os
from itertools import islice

from ..files import disk
from ..frameworks.recognition import is_surely_ours, may_be_ours
from ..frameworks.rule_sets import rule_named, rules_of
from ..launch.assembly import started_launch
from ..launch.commands import FIRST_WORDS, STARTS, invocations, options_of_accelerate, servers
from ..launch.comments import comments_in, comments_of, region_of
from ..launch.scripts import (
    MOST_LAUNCHES,
    _origins,
    facts_in_comments_of_script,
    may_start_ours,
    read_embedded,
    scripts_of,
)
from ..launch.sighting import sighted
from ..message import Message
from ..source.credentials import unless_secret
from ..source.entry import loaded
from ..source.overrides import BEHIND_AN_OPTION, DASHES, NO_OPTION, Override, appends_again
from ..source.patterns import pattern
from ..source.quoting import listed, plural
from ..source.shell.reader import LIMITS
from ..source.text import CONFLICT, Edit, Span, is_in_conflict
from ..source.yaml.reader import MOST_COMMENTS
from ..unknown import UNKNOWN
from .findings import Finding, comment_finding, passed_over
from .judge import disagreements, judge_launch
from .keys import strange_keys

TYPE_CHECKING = False
MOST_STRANGE = 2  # keys that are told of those that only a fork can know

if TYPE_CHECKING:
    from ..shared_types import (
        Collection,
        Commands,
        Context,
        Document,
        Fact,
        Flag,
        Invocation,
        Iterable,
        Iterator,
        Launch,
        Origin,
        Report,
        Script,
        Sequence,
        Severity,
        Text,
        Word,
        Wrong,
    )
    from ..source.yaml.reader import Mapping
    from .cut_commands import Cuts
    from .expectations import Policy


def judge_script(report: "Report", context: "Context") -> None:
    """Add the launches of a script to its report, and what is wrong with them in the script itself."""
    text = report.text
    if not may_start_ours(text.text):
        report.skipped = passed_over(text, Message("no command that starts GRPO-family training"))
        return
    stated, problems = facts_in_comments_of_script(text)
    if "expect" in text.text:
        from .expectations import expect

        problems += expect(report, context.policy)
    _judge(report, scripts_of(text, context.files), stated, context)
    if not report.launches and not report.findings:
        report.skipped = passed_over(text, Message("no command that starts GRPO-family training"))
        return
    report.findings += [comment_finding(*problem) for problem in problems]
    report.why = plural(len(report.launches), "launch")


def judge_commands(
    report: "Report", scripts: "Iterable[Script]", stated: "dict[str, Fact]", context: "Context"
) -> None:
    """Add the launches of the commands in a notebook to its report. `stated`: facts of its comments."""
    _judge(report, list(scripts), stated, context)


def judge_embedded(report: "Report", stated: "dict[str, Fact]", context: "Context") -> bool:
    """Add the launches of the scripts inside a YAML file; whether there are any. `stated`: facts of its comments."""
    from ..source.embedded import MOST_SCRIPTS, embedded_scripts

    problems = _expect_in_embedded(report, context.policy) if "expect" in report.text.text else ()
    document: Document = report.document  # type: ignore[assignment]  # it was read
    scripts = embedded_scripts(document, STARTS, FIRST_WORDS)  # type: ignore[arg-type]  # a set will do
    _judge(report, [read_embedded(report.text, each) for each in scripts[:MOST_SCRIPTS]], stated, context)
    if len(scripts) > MOST_SCRIPTS and report.launches:
        cut = scripts[MOST_SCRIPTS]
        report.findings.append(
            _unread(
                Span(cut.pieces[0].start, cut.pieces[-1].end),
                Message(
                    "{most} scripts are looked at in one file: this one and all below it are not",
                    {"most": MOST_SCRIPTS},
                ),
            )
        )
    report.findings += [comment_finding(*problem) for problem in problems]
    text = report.text
    conflict = next((each for each in document.problems if is_in_conflict(text.text, each.offset)), None)
    if report.launches and conflict is not None:  # nothing reads the file, and what it cuts is not known
        span = Span(conflict.offset, max(conflict.end, conflict.offset))
        report.findings = [Finding("file-can-be-parsed", "error", "read", span=span, values={"problem": CONFLICT})]
    if report.launches:
        report.why = Message("{launches} in its scripts", {"launches": plural(len(report.launches), "launch")})
    return bool(report.launches)


def _expect_in_embedded(report: "Report", policy: "Policy | None") -> "list[Wrong]":
    """Note what all comments expect, those of YAML and of its scripts; returns what is wrong with the latter."""
    from .expectations import expect

    told = comments_of(report)
    problems = expect(report, policy, comments_in(report.text)[:MOST_COMMENTS])
    return [problem for problem in problems if not any(start <= problem[0].start < end for start, end in told)]


def _judge(report: "Report", scripts: "list[Script]", stated: "dict[str, Fact]", context: "Context") -> None:
    text = report.text
    facts = {**context.settings, **stated, **context.outside}
    started = [invocations(script) for script in scripts]
    found = [
        (script, list(_origins(islice(each, MOST_LAUNCHES), script, text, context)))
        for script, each in zip(scripts, started)
    ]
    if report.expected:
        from .expectations import place_at_commands

        starts = [origin.invocation.command.start for _, origins in found for origin, _ in origins]
        place_at_commands(report.expected, starts, lambda comment: region_of(report, comment, of_commands=True))
    for (script, origins), each in zip(found, started):
        cuts = _cuts(script, report, facts, context)
        _judge_commands(report, script, origins, facts, stated, context, cuts)
        _tell_what_is_not_run(report, script, each)
        if cuts is not None and cuts.refused is not None and (report.launches or cuts.is_of_ours):
            _tell_what_never_starts(report, script, cuts.refused)


def _judge_commands(
    report: "Report",
    script: "Script",
    origins: "list[tuple[Origin, Mapping | None]]",
    facts: "dict[str, Fact]",
    stated: "dict[str, Fact]",
    context: "Context",
    cuts: "Cuts | None",
) -> None:
    """Judge the runs that the commands of a script start, and add what is wrong with the script around them."""
    text, serving = report.text, servers(script)
    is_batch_job = bool(script.headers) and not _is_told_by_slurm(context)
    report.findings += _about_servers(None, serving, script) if serving else ()
    ours: dict[int, Origin] = {}  # the commands that start our runs, by their place
    for origin, root in origins:
        report.findings += _about_own_arguments(origin)
        launch = started_launch(sighted(origin, root, facts, context, report.asked), context)
        if launch is None:
            if origin.invocation.own is None or origin.invocation.entry is not None:
                report.findings += map(_unreadable, origin.invocation.problems)
                report.findings += _what_is_judged(origin.invocation, None)
            continue
        line = text.position(origin.invocation.command.start)[0] + 1
        if not context.budget.judges(len(launch.entries), f"line {line}"):
            break
        ours[origin.invocation.command.start] = origin
        also = [*_about_the_words(launch, origin, serving, script)]
        also += _about_the_checkpoint(launch, text)
        also += [*_what_is_judged(origin.invocation, launch), *_about_devices_of(launch, script, is_batch_job)]
        judge_launch(report, launch, also, cut=cuts.speaking_for(origin.invocation.command) if cuts else ())
        report.findings += disagreements(origin, stated, Message("the command in line {line}", {"line": line}))
        if origin.config is not None and origin.config is not text:
            report.linked.append(origin.config.path)
    report.findings += _about_ranks(script, ours) if is_batch_job else ()
    report.findings += _uncounted_rounds(script, ours)
    report.findings += cuts.told(ours) if cuts else ()


def _about_servers(launch: "Launch | None", serving: "list[Invocation]", script: "Script") -> "Iterable[Finding]":
    """What is told of servers that a script starts: alone, or beside a run."""
    from .servers import about_the_server, lacks_devices

    if launch is not None:
        return about_the_server(launch, serving, script.text)
    return [found for server in serving if (found := lacks_devices(server, script)) is not None]


def _about_the_checkpoint(launch: "Launch", text: "Text") -> "Sequence[Finding]":
    """A checkpoint that the script names, of a run that may write none."""
    saving = launch.framework.refusals.saving
    if saving is None or not any(word in text.text for word in saving[2]):
        return ()
    from .checkpoints import read_afterwards

    return [*read_afterwards(launch, text)]


def _about_the_words(
    launch: "Launch", origin: "Origin", serving: "list[Invocation]", script: "Script"
) -> "Iterator[Finding]":
    """What is wrong with the words of a command, and between it and the servers of its script."""
    yield from about_the_command(origin, script.text)
    if serving:
        yield from _about_servers(launch, serving, script)
    if origin.invocation.slips:
        from .slips import about_slips  # few commands have one

        yield from about_slips(launch, script.text.text)


def _about_own_arguments(origin: "Origin") -> "Iterator[Finding]":
    """What the training script that a command starts refuses of its flags, where it reads them itself."""
    invocation, program = origin.invocation, origin.program if origin.invocation.own is None else None
    if program is None or not program.trains or program.partial or program.rival is not None:
        return
    from ..launch.own_arguments import told_by_parser

    for told in told_by_parser(invocation, origin.files):
        span = Span.of(told.flag.key) if told.flag is not None else invocation.span
        values = {"program": invocation.program.value, "flag": told.name, "problem": told.problem}
        finding = Finding("own-script-takes-its-flags", "error" if told.is_refused else "warning",
                          "read" if told.is_refused else "never", span=span, values=values)  # fmt: skip
        if not told.is_refused:
            finding.message = _TAKEN_OTHERWISE
        yield finding


_TAKEN_OTHERWISE = Message("{program} takes --{flag} otherwise than it is written: {problem}")


def _about_devices_of(launch: "Launch", script: "Script", is_batch_job: bool) -> "Iterator[Finding]":
    devices = launch.origin.invocation.devices if launch.origin is not None else None
    if not is_batch_job and script.allocated is None and devices is None:
        return
    from .allocation import (
        about_the_allocation,
        about_visible_devices,
    )  # only what says how many GPUs there are pays for it

    if is_batch_job or script.allocated is not None:
        yield from about_the_allocation(launch, script)
    yield from about_visible_devices(launch, script)


def _about_ranks(script: "Script", ours: "dict[int, Origin]") -> "Iterator[Finding]":
    from .allocation import about_ranks

    return about_ranks(script, ours)


def _cuts(script: "Script", report: "Report", facts: "dict[str, Fact]", context: "Context") -> "Cuts | None":
    """What is lost of the commands of a script; None for nothing."""
    if not script.lost and not script.refusals:
        return None
    from .cut_commands import Cuts

    return Cuts(script, report, facts, context)


def _uncounted_rounds(script: "Script", ours: "Collection[int]") -> "Iterator[Finding]":
    """The loops around our runs with too many rounds for a look at each. `sweep` computes with all of them."""
    told = set()
    for start, end, problem in script.loops:
        if start not in told and any(start <= place < end for place in ours):
            told.add(start)
            yield _unread(
                Span(problem.offset, problem.end),
                Message("{message}; `grpo-lint sweep` counts all its runs", {"message": problem.message}),
                "info",
            )


def _is_told_by_slurm(context: "Context") -> bool:
    """Whether a script is given options of its job, which count more than its lines, by the command that is about to queue it."""
    given = context.files.given if context.files else None
    return given is not None and any(name.startswith("SLURM_") for name in given.environment)


def _tell_what_is_not_run(report: "Report", script: "Script", unread: "Iterator[Invocation]") -> None:
    """Where bash gives up on a script, and where we do. `unread`: the commands that are too many."""
    text = report.text
    may_be = (
        may_be_ours if report.launches else _is_surely_ours
    )  # where none of many is, a word may be that of a folder
    cut = next(
        (each for each in unread if each.framework or may_be(text.text[each.command.start : each.command.end])),
        None,
    )
    if cut is not None:
        problem = (
            f"{MOST_LAUNCHES} commands that start a run are looked at in one script: this one and all below it are not"
        )
        report.findings.append(_unread(cut.span, problem))
    limit = next((problem for problem in script.problems if problem.kind in LIMITS), None)
    if limit is not None and (report.launches or may_be(text.text[limit.offset :])):
        report.findings.append(_unread(Span(limit.offset, limit.end), limit.message))


def _tell_what_never_starts(report: "Report", script: "Script", refused: "Finding") -> None:
    """Where bash gives up on a script that starts our runs, or a conflict takes flags that may be ours."""
    reached = script.refusals[0][0]
    commands = [launch.origin.invocation.command for launch in report.launches if launch.origin]
    stopped = next((command for command in commands if command.end > reached), None)
    if stopped is not None:
        refused.severity, refused.stage = "error", "read"
        line = report.text.position(stopped.start)[0] + 1
        refused.values["consequence"] = Message("the run in line {line} never starts", {"line": line})
    report.findings.append(refused)


# --- findings about commands ----------------------------------------------------------------------------------------


def about_the_command(origin: "Origin", text: "Text") -> "Iterator[Finding]":
    """What is wrong with a command that starts a run, whatever it sets."""
    invocation = origin.invocation
    one_spelling = invocation.own is not None and invocation.own.one_spelling
    for earlier, later in invocation.repeated:
        if one_spelling and earlier.name != later.name:
            continue  # two flags to such a parser
        yield _appended_again(later) if _is_refused(earlier, later) else _twice(earlier, later, origin, text)
    yield from _about_unreadable(invocation.problems)
    yield from _not_as_demanded(invocation)
    if origin.has_unread_flags:
        yield _unread_flags(invocation)
    word = invocation.config
    if word is not None and origin.reads_elsewhere and invocation.own and origin.config is not None:
        yield Finding("config-file-exists", "warning", "never", span=Span.of(word),
                      values={"file": origin.config.path, "program": invocation.program.value}, message=_RELATIVE)  # fmt: skip
    yield from _missing_files(origin, text)
    yield from _unknown_to_accelerate(origin)
    if invocation.own and invocation.unread_counts:
        yield _unread_processes(invocation, invocation.own, invocation.unread_counts)
    yield from _kept_variables(invocation, text)


def _unknown_to_accelerate(origin: "Origin") -> "Iterator[Finding]":
    """What accelerate launch refuses: options, and keys of its file."""
    invocation = origin.invocation
    options = options_of_accelerate(invocation)
    file = invocation.launcher_config if invocation.starter == "accelerate" else None
    if not options and file is None:
        return
    from ..launch.accelerate import KEYS, OPTIONS

    for name, word in options:
        if name not in OPTIONS:
            yield _unknown_of_accelerate({"option": f"--{name}"}, word, name, OPTIONS, {each for each, _ in options})
    entries = _entries_of_launcher(origin) if file is not None else {}
    if file is not None and "sagemaker" not in str(entries.get("compute_environment", "")).lower():
        for name in entries:
            if name not in KEYS:
                path = origin.launcher.path if origin.launcher is not None else ""
                yield _unknown_of_accelerate({"option": name, "file": path}, file, name, KEYS, entries)


def _entries_of_launcher(origin: "Origin") -> "dict[str, object]":
    """The keys of the file for accelerate that a command names, with their values."""
    found = (
        loaded(origin.launcher.document.documents[0])
        if origin.launcher and origin.launcher.document.documents
        else None
    )
    return {str(name): value for name, value in found.items()} if type(found) is dict else {}


def _unknown_of_accelerate(
    values: "dict[str, object]", word: "Word", name: str, known: "frozenset[str]", given: "Collection[str]"
) -> "Finding":
    """Refused for certain where it is spelt nearly as one that accelerate knows; another one may come with a release yet to be
    made. `given`: the names beside it."""
    from ..launch.accelerate import FIRST, LAST, meant

    near = meant(name, known)
    dashes = "" if "file" in values else "--"
    hint = (
        Message("; it looks like a second spelling of {name}, which is set here as well", {"name": f"{dashes}{near}"})
        if near in given
        else Message("; did you mean {name}?", {"name": f"{dashes}{near}"})
        if near
        else Message("; accelerate {first} to {last} were asked", {"first": FIRST, "last": LAST})
    )
    finding = Finding("launcher-knows-its-options", "error" if near else "warning", "read", span=Span.of(word),
                      values={**values, "hint": hint})  # fmt: skip
    if "file" in values:
        finding.message = _KEY_OF_ITS_FILE
    return finding


_KEY_OF_ITS_FILE = Message(
    "accelerate launch knows no key {option}, which {file} holds: it refuses the file and starts nothing{hint}"
)


def _unread_flags(invocation: "Invocation") -> "Finding":
    names = [f"--{name}" for name in invocation.flags]
    values = {"flags": listed(names), "are": "is" if len(names) == 1 else "are", "program": invocation.program.value}
    span = Span.of(next(iter(invocation.flags.values())).key)
    return Finding("flags-are-read", "warning", "never", span=span, values=values)


def _missing_files(origin: "Origin", text: "Text") -> "Iterator[Finding]":
    """The files that a command names, its config and that of its launcher, and that are not there: neither now nor when it
    runs, as far as its script tells."""
    invocation = origin.invocation
    if origin.is_cut or invocation.command.is_far or _is_looked_up_elsewhere(origin):
        return
    for word, is_there in ((invocation.config, origin.has_config), (invocation.launcher_config, origin.has_launcher)):
        if word is None or is_there or not word.value or word.value.startswith(("/", "~")):
            continue
        place = invocation.command.path(word)
        if place is not None and place[0] == "absolute":
            continue  # the script goes to a folder of one machine
        if _is_here(word.value, text.path):
            yield Finding("config-file-exists", "info", "never", span=Span.of(word), values={"file": word.value},
                          message=Message("{file} was not read: it is no text of UTF-8, or too large"))  # fmt: skip
        elif not _is_made(word.value, text.text[: invocation.command.start]):
            message = _NOT_AT_START if origin.is_start else None
            rule = "config-file-exists"
            values = {"file": word.value}
            yield Finding(rule, "warning", "never", span=Span.of(word), values=values, message=message)


def _is_looked_up_elsewhere(origin: "Origin") -> bool:
    """Whether a program of Hydra's looks for its config in folders of its own; one that takes a path takes it from where the
    repository is that the program is in."""
    own = origin.invocation.own
    if own is None or own.style != "hydra":
        return False
    return not own.config_option or not origin.files.places_by(origin.invocation.command, origin.invocation.program)


def _is_here(name: str, script: str) -> bool:
    """Whether a file that a script names lies in its checkout; nothing outside is looked at."""
    path = os.path.abspath(os.path.join(os.path.dirname(script), name))
    root = disk.checkout_of(script) or os.path.dirname(os.path.abspath(script))
    return path.startswith(root + os.sep) and not disk.leads_outside(os.path.dirname(path)) and disk.is_file(path)


_MAKERS = (">", "tee", "cp", "mv", "ln", "-o", "--output", "--out", "-O")


def _is_made(name: str, above: str) -> bool:
    """Whether the lines above a command seem to make a file of this name."""
    lines = (line.split() for line in above.splitlines() if name in line)
    return any(
        not line[0].startswith("#") and any(maker in line or f">{name}" in line for maker in _MAKERS)
        for line in lines
        if line
    )


_NOT_AT_START = Message("{file} is not in the folder in which the command starts, nor where its script goes with cd")
_RELATIVE = Message("a relative folder counts from that of {program}, and so {file} is not what it reads")


def _twice(earlier: "Flag", later: "Flag", origin: "Origin", text: "Text") -> "Finding":
    """A flag that stands twice. Where one of the two stands in the command, and the other one in what calls it or in an array, it is
    meant to win; so it is where the array grows by it later, or has it from another array, and where the script passes on what it is
    given."""
    first, last = _shown(earlier), _shown(later)
    command = origin.invocation.command
    inside = [command.start <= each.key.start < command.end for each in (earlier, later)]
    is_meant = inside[0] != inside[1] or _FILLS.search(text.text, earlier.key.end, later.key.start) is not None
    is_passed_on = text.text[later.key.start : later.value.end].startswith(("$@", "$*", "${@", "${*"))
    severity: Severity = "info" if first == last or is_meant or is_passed_on else "warning"
    is_known = UNKNOWN not in (loaded(earlier.value), loaded(later.value))
    same = None if first != last else _TWICE_THE_SAME if is_known else _TWICE
    first, last = unless_secret(later.name, first), unless_secret(later.name, last)
    finding = Finding("flag-stands-once", severity, "never", span=Span.of(later.key),
                      values={"flag": _named(later), "first": first, "last": last}, message=same)  # fmt: skip
    finding.related = [(earlier.name, first, Span.of(earlier.key))]
    return finding


_TWICE = Message("{flag} is given twice: the last value is used")
_TWICE_THE_SAME = Message("{flag} is given twice, with the same value: {last}")
_FILLS = pattern(r"\b[A-Za-z_]\w*(?:\+=|=\()")  # the beginning of what fills an array, or adds to a variable


def _is_refused(earlier: "Flag", later: "Flag") -> bool:
    return isinstance(earlier, Override) and isinstance(later, Override) and appends_again(earlier, later)


def _appended_again(later: "Flag") -> "Finding":
    values = {
        "key": later.name,
        "title": "this command",
        "version": "already",
        "consequence": Message("Hydra refuses it"),
    }
    return Finding("appended-key-is-new", "error", "read", span=Span.of(later.key), values=values)


def _named(flag: "Flag") -> str:
    """A flag as it is written."""
    return flag.name if isinstance(flag, Override) else f"--{flag.name}"


def _about_unreadable(overrides: "list[Override]") -> "Iterator[Finding]":
    """What Hydra cannot read. All words that are written as if they were options are one mistake."""
    with_dashes = [override for override in overrides if override.problem in (DASHES, NO_OPTION)]
    for first in with_dashes[:1]:
        finding = _unreadable(first)
        finding.values.update(
            key=first.path if first.problem == DASHES else f"--{first.path}",
            hint=Message("; an override is written without dashes, as key=value"),
            advice=Message("Write each setting as key=value, without dashes."),
        )
        finding.related = [(each.path, each.problem, Span.of(each)) for each in with_dashes[1:]]
        yield finding
    yield from (_unreadable(override) for override in overrides if override not in with_dashes)


def _unreadable(override: "Override") -> "Finding":
    apart = Message("; it is a part of a value that needs double quotes") if override.is_apart else ""
    hint = Message("; a list needs brackets") if override.is_a_sweep else apart
    if override.problem == BEHIND_AN_OPTION:
        hint = Message("; options such as --config-name come before all overrides, or after them")
    values = {"key": override.path, "problem": override.problem, "hint": hint}
    return Finding("override-can-be-read", "error", "read", span=Span.of(override), values=values)


_PARTLY = Message("{program} trains in its own way: its keys are checked, and what is known of its batches and workers")
_ITS_KEYS = Message(
    "{program} is not a program of {title}, but starts from its settings: keys are checked, batch sizes are not"
)
_OF_A_FORK = Message(
    "no release of {title} has {keys}: this run is for a fork, so its keys are not checked and nothing is an error"
)


_KNOWN = "program-is-known"


def _what_is_judged(invocation: "Invocation", launch: "Launch | None") -> "Iterator[Finding]":
    """What is judged of a run whose program is not the usual one of a release. `launch`: None where only its words are judged."""
    own = invocation.own or invocation.alike
    if own is None:
        return
    values: dict[str, object] = {"program": invocation.program.shown(), "title": own.framework}
    told = None
    if launch is not None:
        if launch.reader and launch.candidates:
            named = [name for name in strange_keys(launch) if launch.entries[name].name[:1] not in "+~"]
            if not named:
                return
            values |= {"keys": listed(named[:MOST_STRANGE]), "are": "is" if len(named) == 1 else "are"}
            told = _OF_A_FORK
        elif invocation.entry is not None and (
            invocation.entry is not own.others or not launch.framework.arithmetic.knows_batches
        ):
            told = _PARTLY if launch.framework.arithmetic.knows_batches else _ITS_KEYS
        else:
            return
    yield Finding(
        rules_of(own.framework).by_name.get(_KNOWN) or rule_named(_KNOWN),
        "info",
        "never",
        span=invocation.span,
        values=values,
        message=told,
    )


def _not_as_demanded(invocation: "Invocation") -> "Iterator[Finding]":
    """What a command sets, or leaves, otherwise than its program asks for. A file of settings that is not the program's own may
    say all that is not written here."""
    is_whole = invocation.config is None and invocation.passes_on is None
    for demand in invocation.entry.demands if invocation.entry is not None else ():
        flag = invocation.flags.get(demand.path)
        given = loaded(flag.value) if flag is not None else demand.default if is_whole else UNKNOWN
        if not isinstance(given, (bool, int, float)) or demand.is_kept(given):
            continue
        wanted = Message("at least {limit}", {"limit": demand.wanted}) if demand.is_least else demand.wanted
        values = {"program": invocation.program.value, "key": demand.path, "wanted": wanted, "given": given}
        told = None if flag else Message("{program} asks for {key}={wanted}; nothing is written, which means {given}")
        severity: Severity = "error" if invocation.passes_on is None else "warning"
        span = Span.of(flag.key) if flag else invocation.span
        yield Finding("separate-trainer-is-told-so", severity, "init", span=span, values=values, message=told)


def _shown(flag: "Flag") -> str:
    value = loaded(flag.value)
    return (
        Message("something unknown")
        if value is UNKNOWN
        else " ".join(map(str, value))
        if type(value) is list
        else str(value)
    )


def _unread_processes(invocation: "Invocation", own: "Commands", variables: "list[str]") -> "Finding":
    command = f"{own.program} {next(iter(own.trains))}"
    values: dict[str, object] = {"program": invocation.program.value, "variable": listed(variables), "command": command}
    if invocation.program.origin is not None:
        values["replacement"] = Edit(invocation.start, invocation.program.end, command)
    return Finding(
        "launch-reads-its-processes",
        "warning",
        "never",
        span=Span.of(invocation.program),
        values=values,
    )


_KEPT_DEVICES = Message(
    "{variable} is set in this script and not exported, so {program} does not see it: without one from outside this run sees all "
    "devices of its machine"
)


def _kept_variables(invocation: "Invocation", text: "Text") -> "Iterator[Finding]":
    """Variables for numbers of processes, and for devices, that nothing in the script hands on or reads."""
    devices = {} if "#SBATCH" in text.text else invocation.kept_devices  # Slurm has exported it
    for name, word in (*invocation.kept_counts.items(), *devices.items()):
        span = Span(*word.origin) if word.origin else Span.of(word)
        if f"${name}" in text.text or f"${{{name}" in text.text:
            continue  # somebody reads it, and may hand it on
        values: dict[str, object] = {"variable": name, "program": f"{invocation.starter} {invocation.program.value}"}
        start = span.start - len(name) - 1
        if (
            text.text[start : span.start].rstrip("\"'") == f"{name}="
            and not text.text[:start].rpartition("\n")[2].strip()
        ):
            values["replacement"] = Edit(start, start, "export ")
        message = _KEPT_DEVICES if name in devices else None
        yield Finding("processes-are-handed-on", "warning", "never", span=span, values=values, message=message)


def _unread(span: "Span", problem: str, severity: "Severity" = "warning") -> "Finding":
    return Finding("file-is-looked-at-to-its-end", severity, "never", span=span, values={"problem": problem})


def _is_surely_ours(command: str) -> bool:
    return is_surely_ours(command.encode(errors="replace"))
