"""Judges a file of Python, or a notebook: each call that makes a config is judged as its settings would be, in each of the
commands that start the file."""

import sys

from ..files.budget import LAUNCHES, LIMITS
from ..frameworks.all_rules import RULES
from ..frameworks.registry import framework as framework_named
from ..launch.assembly import launch_of
from ..launch.comments import facts_in_spans
from ..launch.python_configs import MOST_CONFIGS, Commanded, configs_of, is_one_process
from ..launch.python_pins import pins_of
from ..source.python.comments import comments_of_python
from ..source.python.reader import Unparsed, read_python
from ..source.python.scopes import Scopes
from ..source.text import Span
from .findings import Finding, comment_finding
from .launch import disagreements, judge_launch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..launch.context import Context
    from ..launch.facts import Fact
    from ..launch.launch import Launch
    from ..launch.origin import Origin
    from ..launch.python_configs import Config
    from ..source.python.code import Code
    from .findings import Report

MOST_WORK = 500_000  # nodes of Python that are read for one file, once for each command that starts it
FOREIGN = "no call that makes a config of GRPO-family training"


def judge_python(report: "Report", context: "Context") -> None:
    """Find the configs that a file of Python makes, and add their launches with their findings to its report."""
    from ..source.python.code import Code

    _judge(report, Code(report.text), context)


def judge_notebook(report: "Report", context: "Context") -> None:
    """The same of a notebook, and of the commands for the shell in it."""
    from ..source.notebook import NoNotebook, read_notebook
    from .script_file import judge_commands

    try:
        code = read_notebook(report.text)
    except NoNotebook as problem:
        report.skipped = str(problem)
        return
    _judge(report, code, context)
    if code.scripts:
        judge_commands(report, code.scripts, context)
        if report.launches or report.findings:
            report.skipped = None


def _judge(report: "Report", code: "Code", context: "Context") -> None:
    report.code = code
    try:
        scopes = Scopes(read_python(code))
    except Unparsed as problem:
        _tell_unparsed(report, problem, context)
        return
    report.comments = comments_of_python(scopes.source)
    facts, wrong = facts_in_spans(report.text, report.comments)
    if "expect" in report.text.text:
        from .expectations import expect

        wrong += expect(report, context.policy)
    stated = {**context.settings, **facts, **context.outside}
    found = list(_launches(report, scopes, stated, context))
    if not found:
        report.skipped = FOREIGN
        return
    report.findings += [comment_finding(*problem) for problem in wrong]
    told = dict.fromkeys(f"{config.name} ({code.place(config.start)})" for config, _, _ in found)
    report.why = f"makes {', '.join(told)}"
    for _, launch, origin in found:
        judge_launch(report, launch)
        if origin is not None and origin.script is not None:
            report.linked.append(origin.script.path)
            report.findings += disagreements(origin, facts, origin.place)


def _launches(
    report: "Report", scopes: "Scopes", stated: "dict[str, Fact]", context: "Context"
) -> "Iterator[tuple[Config, Launch, Origin | None]]":
    """Each config that a file makes, in each command that starts the file: (Config, Launch, Origin or None)."""
    origins: list[Origin | None] = []
    pins = {**context.pins, **pins_of(report.text)}
    if context.repository is not None:
        origins += context.repository.starting(report.text.path, context.budget)
    launches = work = 0
    for origin in origins or [None]:
        if launches >= MOST_CONFIGS or work > MOST_WORK:
            where = origin.place if origin is not None else report.text.path
            context.budget.cut(LAUNCHES, LIMITS[LAUNCHES][1].format(where))
            return
        work += len(scopes.source.nodes)
        commanded = Commanded(origin.invocation) if origin is not None else None
        for config in configs_of(scopes, context.files, commanded):
            launch = _launch(report, config, origin, stated, context.with_pins(pins))
            if launch is not None:
                launches += 1
                yield config, launch, origin


def _launch(
    report: "Report", config: "Config", origin: "Origin | None", stated: "dict[str, Fact]", context: "Context"
) -> "Launch":
    from ..launch.facts import Fact

    facts, framework = dict(stated), framework_named(config.kind.framework)
    if origin is not None:
        known = {name: fact for name, fact in facts.items() if name not in origin.stated or fact.source != "settings"}
        told = {**origin.facts(), **origin.releases(framework)}
        facts = {**origin.presumed(), **origin.stated, **known, **told, **context.outside}
    elif is_one_process(report.text):
        facts.setdefault("world_size", Fact(1, "a notebook's one process"))
    facts["loader"] = Fact("kwargs", config.name)
    if config.kind.algorithm is not None:
        facts["algorithm"] = Fact(config.kind.algorithm, config.name)
    launch = launch_of(framework, config.settings, facts, context)
    launch.started_by = origin
    config.complete(launch, report.text.path, context)
    return launch


def _tell_unparsed(report: "Report", problem: "Unparsed", context: "Context") -> None:
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    told = f"this is no Python that Python {version}, which runs this program, can read: {problem}"
    if context.is_met:
        report.skipped = told
        return
    start = problem.offset
    report.findings.append(
        Finding(
            RULES["file-is-looked-at-to-its-end"], "info", "never", span=Span(start, start), values={"problem": told}
        )
    )
