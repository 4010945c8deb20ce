"""Judges a file of Python: each call that makes a config is judged as its settings would be, in each of the commands that start the
file, and each list of flags as a command."""

import os
import sys

from ..files.budget import LAUNCHES, LIMITS
from ..frameworks.python_calls import ENTRY_FUNCTIONS
from ..frameworks.recognition import is_surely_ours, may_start_programs
from ..frameworks.registry import framework as framework_named, script_reader
from ..frameworks.roles import EVALUATION_SWITCHES
from ..launch.assembly import launch_of, started_launch
from ..launch.comments import facts_in_spans
from ..launch.facts import Fact
from ..launch.origin import Origin
from ..launch.python_configs import MOST_CONFIGS, Commanded, Library, configs_of
from ..launch.python_pins import pins_of
from ..launch.sighting import Sighting, sighted
from ..message import Message, series, verbatim, within
from ..source.python.code import Code
from ..source.python.comments import comments_of_python
from ..source.python.reader import TooMuch, Unparsed, dotted, read_python
from ..source.python.scopes import Scopes
from ..source.quoting import plural
from ..source.text import CONFLICT, Span, is_in_conflict
from .findings import Finding, comment_finding
from .judge import disagreements, judge_launch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..launch.python_configs import Config
    from ..shared_types import Code, Context, Fact, Iterator, Launch, Origin, Report, Sequence

MOST_WORK = 500_000  # nodes of Python that are read for one file, once for each command that starts it
_UNKNOWN_START: "Sequence[Origin | None]" = (None,)
FOREIGN = Message("no call that makes a config of GRPO-family training")
ALONE = Message("a notebook's one process")


def judge_python(report: "Report", context: "Context") -> None:
    """Find the configs that a file of Python makes, and add their launches with their findings to its report."""
    report.code = code = Code(report.text)
    report.comments = []
    origins = context.repository.starting(report.text.path, context.budget) if context.repository is not None else []
    judge_code(report, code, context, origins)


def judge_code(
    report: "Report", code: "Code", context: "Context", origins: "Sequence[Origin]", is_alone: bool = False
) -> None:
    """Find the configs that one program makes, and add their launches to its report. `origins`: the commands that start it; `is_alone`: whether it is one process, unless a command
    says otherwise."""
    try:
        scopes = Scopes(read_python(code))
    except Unparsed as problem:
        _tell_unparsed(report, problem, context)
        return
    comments = comments_of_python(scopes.source)
    report.comments = sorted([*(report.comments or ()), *comments])
    facts, wrong = facts_in_spans(report.text, comments)
    if "expect" in report.text.text:
        from .expectations import expect

        wrong += expect(report, context.policy)
    stated = {**context.settings, **facts, **context.outside}
    around = context.with_pins({**context.pins, **pins_of(code, report.text)})
    found = [*_launches(report, scopes, stated, around, origins, is_alone)]
    if any(name in code.text.text for _, name in ENTRY_FUNCTIONS):
        found += _commands(report, scopes, stated, around, origins, is_alone)
    is_started = _judge_what_it_starts(report, scopes, facts, around)
    if not found:
        report.skipped = None if report.launches else FOREIGN
        report.findings += [comment_finding(*problem) for problem in wrong if is_started]
        return
    report.findings += [comment_finding(*problem) for problem in wrong]
    told = dict.fromkeys(within(each.name, code.place(each.start)) for each in found)
    report.why, report.skipped = Message("makes {configs}", {"configs": series(list(told))}), None
    found[0].also = [*found[0].also, *_about_rewards(found[0].launch, scopes, context)]
    _judge_each(report, code, found, facts)


def _judge_each(report: "Report", code: "Code", found: "list[_Found]", facts: "dict[str, Fact]") -> None:
    """Add each run of a program to its report."""
    for each in found:
        also = [*each.also, *_about_saving(each.launch, code)]
        judge_launch(report, each.launch, also, Span(each.start, each.start + len(each.name)))
        if each.origin is not None and each.origin.script is not None:
            report.linked.append(each.origin.script.path)
            report.findings += disagreements(each.origin, facts, each.origin.place)
    if report.findings and _is_a_test(report.text.path):
        from .unseen import weigh_a_test

        weigh_a_test(report.findings)


def _is_a_test(path: str) -> bool:
    """Whether pytest collects a file."""
    name = os.path.basename(path)
    return name.startswith(("test_", "conftest.")) or name.endswith("_test.py")


def _about_saving(launch: "Launch", code: "Code") -> "Sequence[Finding]":
    """A program that trains, whose config saves nothing."""
    saving = launch.framework.refusals.saving
    if saving is None or not saving[3] or saving[1] not in launch.entries:
        return ()
    from .checkpoints import saved_by_nobody

    return [*saved_by_nobody(launch, code.text)]


def _about_rewards(launch: "Launch", scopes: "Scopes", context: "Context") -> "Sequence[Finding]":
    """The reward functions of a program, where it hands some to a trainer."""
    if "reward" not in scopes.source.text.text:
        return ()
    from .rewards import about_rewards_in

    return [*about_rewards_in(launch, scopes, context)]


def _judge_what_it_starts(report: "Report", scopes: "Scopes", facts: "dict[str, Fact]", context: "Context") -> bool:
    """Judge the runs that a program starts by commands; whether it starts any. What a test starts is no training."""
    if _is_a_test(report.text.path) or not may_start_programs(scopes.source.text.text.encode(errors="replace")):
        return False
    from ..launch.python_starts import scripts_started
    from .script_file import judge_commands

    before = len(report.launches)
    for script in scripts_started(scopes):
        judge_commands(report, [script], facts, context)
    started = len(report.launches) - before
    if started:
        report.why = plural(started, "launch")
    return started > 0


class _Found:
    """A run of a program: what makes it, by its name and place; its launch, the command that starts the program, and what is
    said of the run besides."""

    def __init__(
        self, name: str, start: int, launch: "Launch", origin: "Origin | None", also: "Sequence[Finding]" = ()
    ) -> None:
        self.name = name
        self.start = start
        self.launch = launch
        self.origin = origin
        self.also = also


def _launches(
    report: "Report",
    scopes: "Scopes",
    stated: "dict[str, Fact]",
    context: "Context",
    origins: "Sequence[Origin]",
    is_alone: bool,
) -> "Iterator[_Found]":
    """Each config that a program makes, in each command that starts it."""
    launches, work, library = 0, 0, Library(context.files)
    for origin in origins or _UNKNOWN_START:
        if launches >= MOST_CONFIGS or work > MOST_WORK:
            where = origin.place if origin is not None else report.text.path
            context.budget.cut(LAUNCHES, LIMITS[LAUNCHES][1].format(where))
            return
        work += len(scopes.source.nodes)
        commanded = Commanded(origin) if origin is not None else None
        for config in configs_of(scopes, library, commanded):
            around = {**_evaluation_of(scopes, config), **stated}
            launch = _launch(report, config, origin, around, context, is_alone)
            launches += 1
            if not context.budget.judges(len(launch.entries), _place_of(report, origin, config.start)):
                return
            yield _Found(config.name, config.start, launch, origin)


def _place_of(report: "Report", origin: "Origin | None", start: int) -> str:
    """How a run is named that is too much to be judged: by the command that starts it, else by its line."""
    return origin.place if origin is not None else report.code.place(start)  # type: ignore[union-attr]  # it was read


def _evaluation_of(scopes: "Scopes", config: "Config") -> "dict[str, Fact]":
    """The fact that a config that asks for evaluation is handed to a trainer without a set for it."""
    switches = [*filter(None, map(config.settings.get, EVALUATION_SWITCHES))]
    if not switches:
        return {}
    is_sure = not config.trainer and not config.doubts and not any(getattr(each, "assumes", ()) for each in switches)
    call = script_reader().made_without_evaluation(scopes, config.call) if is_sure else None
    if call is None:
        return {}
    where = scopes.source.start(call), scopes.source.end(call)
    return {
        "eval_dataset_size": Fact(0, Message("the call of {function}", {"function": dotted(call.func)}), (None, *where))
    }


def _launch(
    report: "Report",
    config: "Config",
    origin: "Origin | None",
    stated: "dict[str, Fact]",
    context: "Context",
    is_alone: bool,
) -> "Launch":
    facts, framework = dict(stated), framework_named(config.kind.framework)
    if origin is not None:
        known = {name: fact for name, fact in facts.items() if name not in origin.stated or fact.source != "settings"}
        told = {**origin.facts(), **origin.releases(framework)}
        facts = {**origin.presumed(), **origin.stated, **known, **told, **context.outside}
    elif is_alone:
        facts.setdefault("world_size", Fact(1, ALONE))
    facts["loader"] = Fact("kwargs", verbatim(config.name))
    if config.kind.algorithm is not None:
        facts["algorithm"] = Fact(config.kind.algorithm, verbatim(config.name))
    sighting = Sighting(
        framework=framework, root=config.settings, facts=facts, call=config, started_by=origin, asked=report.asked
    )
    return launch_of(sighting, context)


def _commands(
    report: "Report",
    scopes: "Scopes",
    stated: "dict[str, Fact]",
    context: "Context",
    origins: "Sequence[Origin]",
    is_alone: bool,
) -> "Iterator[_Found]":
    """Each command that a program gives itself, on the processes of each command that starts the program."""
    from copy import copy

    from ..launch.files import Files
    from ..launch.python_commands import commands_of
    from .script_file import about_the_command

    files = context.files or Files(report.text.path)
    alone = {"world_size": Fact(1, ALONE)} if is_alone else {}
    for invocation in commands_of(scopes):
        for around in origins[:MOST_CONFIGS] or _UNKNOWN_START:
            given = copy(invocation)
            given.presumed = alone if around is None else around.presumed()
            more, told = ({}, {}) if around is None else (around.facts(), around.stated)
            origin = Origin(given, files, more=more, stated=told)
            sighting = sighted(origin, None, stated, context, report.asked)
            launch = started_launch(sighting.but(started_by=around) if sighting is not None else None, context)
            if launch is not None:
                if not context.budget.judges(len(launch.entries), _place_of(report, around, invocation.start)):
                    return
                name = invocation.resolved.partition(" --")[0]
                yield _Found(name, invocation.start, launch, origin, [*about_the_command(origin, report.text)])


_CONFLICT = Message("Python gives up here: {problem}")


def _tell_unparsed(report: "Report", problem: "Unparsed", context: "Context") -> None:
    text = report.text.text
    if is_in_conflict(text, problem.offset) and is_surely_ours(text.encode(errors="replace")):
        span = Span(problem.offset, problem.offset + 7)
        report.findings.append(
            Finding("script-can-be-parsed", "error", "read", span=span, values={"problem": CONFLICT}, message=_CONFLICT)
        )
        return
    if isinstance(problem, TooMuch):
        told = Message("this program is not checked: {problem}", {"problem": problem})
        is_expected = is_surely_ours(report.text.text.encode(errors="replace"))
    else:
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        told = Message(
            "this is no Python that Python {version}, which runs this program, can read: {problem}",
            {"version": version, "problem": problem},
        )
        is_expected = False
    if context.is_met and not is_expected:
        report.skipped = told
        return
    start = problem.offset
    report.findings.append(
        Finding(
            "file-is-looked-at-to-its-end",
            "info",
            "never",
            span=Span(start, start),
            values={"problem": told},
        )
    )
