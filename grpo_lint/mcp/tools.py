"""The tools: functions with plain arguments and typed results. A tool is added by writing it here and naming it in `TOOLS`.

Their docstrings and types are what an agent reads. The functions know nothing of the protocol; what cannot be done raises
`Refused`, with a message for the agent.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Any, Literal

from pydantic import Field

from .. import _api, engine
from ..checker.contexts import Around, ask_for, of_text
from ..files import disk
from ..files.discovery import Unreadable, find_files
from ..frameworks.registry import framework as framework_named
from ..frameworks.shared.counterparts import FRAMEWORKS
from ..frameworks.versions import resolve_version
from ..launch import pins
from ..launch.facts import FACTS, option_name, parse_fact
from ..launch.files import LARGEST_FILE
from ..planning.batches import Wish, proposals, quantities
from ..planning.contradictions import alternatives, contradiction, given_up
from ..planning.convert import CannotConvert, convert as converted, convert_all
from ..planning.rescale import CannotMove, move
from ..report import converting
from ..report.planning import written
from ..settings import files as settings_files
from ..source import text as source
from ..source.quoting import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Callable, Conversion, Fact, Report


MOST_FILES = 200  # that one call looks at
LARGEST_TEXT = LARGEST_FILE
LARGEST_SIZE, MOST_SIZES = 1 << 20, 64  # of what a plan is asked for; sizes in one list


Path = Annotated[str | None, Field(description="A file or folder below the root of this server; or else give `text`.")]
Text = Annotated[str | None, Field(description="The text of a config or script, in place of `path`.")]
Name = Annotated[
    str, Field(description="With `text`: a file name that says what it is, such as config.yaml or train.sh.")
]
Line = Annotated[
    str | None,
    Field(
        description="Of several runs in a file, the line in which the one begins that is meant; the first otherwise."
    ),
]
Framework = Annotated[str | None, Field(description="The framework, where the keys do not show it.")]
Version = Annotated[str | None, Field(description="The release of the framework, such as 1.16.0.")]
WorldSize = Annotated[int | None, Field(description="The number of training processes over all nodes.")]
Facts = Annotated[
    dict[str, str | int] | None,
    Field(
        description="What else no file says, such as "
        '{"dataset_size": 8000, "visible_devices": 8, "algorithm": "rloo", "transformers": "5.0.0"}.'
    ),
]


class Refused(Exception):
    """A call that cannot be answered; the message says why."""


@dataclass(frozen=True)
class Fix:
    """A change that is proven to make the finding go away; `safe`: the run trains the same with it."""

    title: str
    effect: str
    changes: dict[str, Any]
    safe: bool


@dataclass(frozen=True)
class Finding:
    """One broken rule. `stage`: when the framework notices (read, config, init, run, or never); line and column from 1."""

    code: str
    name: str
    severity: str
    stage: str
    message: str
    key: str | None
    line: int
    column: int
    assumes: list[str]
    fixes: list[Fix]


@dataclass(frozen=True)
class Checked:
    """What was found in one file. `plan`: quantities in completions unless their names say otherwise; null where unknown."""

    path: str
    framework: str | None
    version: str | None
    plan: dict[str, Any]
    skipped: str | None
    findings: list[Finding]


@dataclass(frozen=True)
class Check:
    """`errors`, `warnings`: how many, over all files; `left_out`: whether there were more files than one call looks at."""

    errors: int
    warnings: int
    files: list[Checked]
    left_out: bool


@dataclass(frozen=True)
class Explanation:
    """The plan of a run in words and as {quantity: value}."""

    framework: str | None
    version: str | None
    text: str
    plan: dict[str, Any]


@dataclass(frozen=True)
class Proposal:
    """Batches that hold: `settings` to write into a config, `config` with them in full (a command where the release reads no
    files), `command` that starts it, empty where `config` does; `plan`: quantities in completions unless their names say
    otherwise."""

    reasons: list[str]
    settings: dict[str, Any]
    plan: dict[str, Any]
    config: str
    command: str


@dataclass(frozen=True)
class Planned:
    """Proposals, the best first. `problem`: why nothing makes exactly what was wished, null where something does; the proposals
    are then the nearest."""

    framework: str
    version: str
    problem: str | None
    proposals: list[Proposal]


@dataclass(frozen=True)
class NoCounterpart:
    """A setting that the other framework lacks; `why`: what to do instead, null where nothing is known; `fate`: "lost" where the training
    changes without it, "implied" where the other framework does so anyway, or "no effect"."""

    name: str
    value: str
    why: str | None
    fate: str


@dataclass(frozen=True)
class ConvertedRun:
    """What became of one run. `line`: where it begins; `is_equal`: whether group, update and rollout are the same; `is_refused`: whether
    the result would not start; `quantities`: {quantity: {"before", "after"}}; `written_out`: settings that would have another value by
    default; `taken_over`: settings that the batch, the cluster and the program of the result say; `no_counterpart` and `to_be_looked_at` are
    what a person has to decide."""

    line: str | None
    is_equal: bool
    is_refused: bool
    quantities: dict[str, dict[str, Any]]
    written_out: dict[str, str]
    no_counterpart: list[NoCounterpart]
    taken_over: list[str]
    to_be_looked_at: list[str]
    findings: list[str]


@dataclass(frozen=True)
class Converted(ConvertedRun):
    """A run in another framework, or all runs of a script. `text`: the config, or where `is_command` the script that starts it;
    `other_lines`: where runs of the file begin that were not converted; `runs`: what became of each of several, of which the first one is
    here as well, but for `is_equal` and `is_refused`, which hold for all, or for one."""

    source: str
    target: str
    text: str
    is_command: bool
    other_lines: list[str]
    runs: list[ConvertedRun]


@dataclass(frozen=True)
class Moved:
    """A run on other processes. `settings`: the values that change, null for a setting that goes; `is_equal`: whether group, update
    and rollout stay; `before`, `after`: quantities in completions unless their names say otherwise; `left`: the codes of the rules
    that the run breaks whatever its batches are; `line`, `other_lines`: as `convert` has them."""

    settings: dict[str, Any]
    is_equal: bool
    before: dict[str, Any]
    after: dict[str, Any]
    left: list[str]
    line: str | None
    other_lines: list[str]


async def check(
    path: Path = None,
    text: Text = None,
    name: Name = "config.yaml",
    framework: Framework = None,
    version: Version = None,
    world_size: WorldSize = None,
    facts: Facts = None,
) -> Check:
    """Check configs and launch scripts of GRPO-family training (GRPO, GSPO, RLOO).

    Give either `path` or `text`. An error is a run that the framework refuses or that dies; each fix was proven to work.
    """
    known = _facts(framework, version, world_size, facts)
    left_out = False
    if text is not None:
        found = [_checked(name, _api.check_text(_bounded(text, path), path=name, **known))]
    else:
        files = list(islice(_files_at(path), MOST_FILES + 1))
        left_out = len(files) > MOST_FILES
        found = [_checked(each, _api.check_file(each, **known)) for each in files[:MOST_FILES]]
        found = [each for each in found if each.skipped is None or len(files) == 1]
    counts = [finding.severity for each in found for finding in each.findings]
    return Check(errors=counts.count("error"), warnings=counts.count("warning"), files=found, left_out=left_out)


async def explain(
    path: Path = None,
    text: Text = None,
    name: Name = "config.yaml",
    framework: Framework = None,
    version: Version = None,
    world_size: WorldSize = None,
    facts: Facts = None,
) -> Explanation:
    """Explain the run that a config or a launch script describes: what one update learns from, how many completions a rollout
    makes and how often it is used, how many updates there are, and the formula and origin of each of these numbers.

    Give either the `path` of one file or `text`.
    """
    known = _facts(framework, version, world_size, facts)
    if text is not None:
        bounded = _bounded(text, path)
        report, words = _api.check_text(bounded, path=name, **known), _api.explain_text(bounded, path=name, **known)
    else:
        file = _one_file_at(path, "explain takes one file")
        report, words = _api.check_file(file, **known), _api.explain(file, **known)
    return Explanation(framework=report.framework, version=report.version, text=words, plan=dict(report.plan))


async def plan(
    framework: str,
    processes: int,
    version: str | None = None,
    completions_per_update: int | None = None,
    group_sizes: list[int] | None = None,
    micro_batches: list[int] | None = None,
    updates_per_rollout: list[int] | None = None,
    tensor_parallel: int = 1,
    pipeline_parallel: int = 1,
    context_parallel: int = 1,
    expert_parallel: int = 1,
    dataset_size: int | None = None,
    epochs: int | None = None,
    model: str = "",
    memory: Literal["tight", "free"] | None = None,
) -> Planned:
    """Propose batch settings that hold for a framework on so many training processes (GPUs over all nodes), before a config is
    written. Each proposal was checked as it is written.

    What is not given is left open: `version` (the newest), `completions_per_update`, and the sizes that may be taken:
    `group_sizes` (completions of one prompt), `micro_batches` (completions of one pass on a device), `updates_per_rollout`
    (1 is on-policy). `dataset_size`, in rows, and `epochs` add steps and dropped rows; `memory` says which of two micro batches
    is better.
    """
    name = str(parse_fact("dialect", framework))
    lists = (group_sizes, micro_batches, updates_per_rollout)
    parallel = (tensor_parallel, pipeline_parallel, context_parallel, expert_parallel)
    for sizes in (*(each or () for each in lists), parallel, (processes, completions_per_update, dataset_size, epochs)):
        _refuse_sizes(sizes)
    if model and not re.fullmatch(r"[\w./:@+-]{1,300}", model):
        raise Refused("the model is a name or a path without blanks")
    wish = Wish(
        name,
        _release(name, version),
        processes,
        *parallel,
        *lists,
        update=completions_per_update,
        rows=dataset_size,
        epochs=epochs,
        model=model,
        memory=memory or "",
    )
    return _planned(wish)


def _planned(wish: Wish) -> Planned:
    found, start = proposals(wish), wish.start()
    problem = None if found else contradiction(wish)
    return Planned(
        framework=wish.framework,
        version=wish.version,
        problem=f"{problem.why}. {' '.join(given_up(problem))}".rstrip() if problem else None,
        proposals=[
            Proposal(
                reasons=[*each.reasons],
                settings=each.settings,
                plan=quantities(each.plan),
                config=written(each, as_command=False),
                command=each.wish.start().launcher(wish.processes) if start.reads_files else "",
            )
            for each in (alternatives(wish, problem) if problem else found)
        ],
    )


async def plan_from(
    processes: Annotated[int, Field(description="How many training processes there will be over all nodes.")],
    path: Path = None,
    text: Text = None,
    name: Name = "config.yaml",
    line: Line = None,
    framework: Framework = None,
    version: Version = None,
    world_size: WorldSize = None,
    facts: Facts = None,
) -> Moved:
    """Say which batch settings of a config or a launch script change so that another number of training processes trains the same:
    group, completions per update and per rollout stay where that is possible.

    `processes`: how many there will be over all nodes; `world_size`: how many there are now, where the file does not say it. The
    other arguments are those of `convert`.
    """
    _refuse_sizes((processes,))
    known = _stated(framework, version, world_size, facts)
    try:
        found = move(_linting(path, text, name), processes, known, line or "")
    except CannotMove as why:
        raise Refused(str(why)) from None
    return Moved(
        settings=found.settings,
        is_equal=found.kept,
        before=quantities(found.before),
        after=quantities(found.after),
        left=found.left,
        line=found.run.place or None,
        other_lines=found.run.others,
    )


async def convert(
    to: Annotated[str, Field(description="The framework that is to train.")],
    path: Path = None,
    text: Text = None,
    name: Name = "config.yaml",
    line: Line = None,
    to_version: Annotated[str | None, Field(description="Its release; the newest where none is named.")] = None,
    tensor_parallel: Annotated[int, Field(description="The tensor parallel size of the result.")] = 1,
    pipeline_parallel: Annotated[int, Field(description="The pipeline parallel size of the result.")] = 1,
    context_parallel: Annotated[int, Field(description="The context parallel size of the result.")] = 1,
    expert_parallel: Annotated[int, Field(description="The expert parallel size of the result.")] = 1,
    framework: Framework = None,
    version: Version = None,
    world_size: WorldSize = None,
    facts: Facts = None,
) -> Converted:
    """Write the same training for another framework, or for another release of the same one: group, completions per update and per
    rollout stay, defaults that differ are written out, and what has no counterpart is listed.

    `to`: the framework that is to train, and `to_version` its release (the newest); `line`: of several runs in a file, where the one
    begins that is meant (all of a script that can be converted together, else the first; the result names the others); parallel sizes are those of the result. The other arguments are
    those of `check`; `path` is one file.
    """
    target = str(parse_fact("dialect", to))
    if target not in FRAMEWORKS:
        raise Refused(f"to is one of {', '.join(FRAMEWORKS)}")
    sizes = (tensor_parallel, pipeline_parallel, context_parallel, expert_parallel)
    _refuse_sizes(sizes)
    spread = {kind: size for kind, size in zip(("tensor", "pipeline", "context", "expert"), sizes) if size != 1}
    release, known = _release(target, to_version), _stated(framework, version, world_size, facts)
    report = _linting(path, text, name)(known)
    try:
        if line:
            one = converted(report, target, release, spread, line)
            return _converted([one], one.text)
        return _converted(*convert_all(report, target, release, spread))
    except CannotConvert as why:
        raise Refused(str(why)) from None


def _converted(found: "list[Conversion]", text: str) -> Converted:
    first, runs = found[0], [_run(each) for each in found]
    told = {
        **vars(runs[0]),
        "is_equal": all(each.is_equal for each in found),
        "is_refused": any(each.is_refused for each in found),
    }
    return Converted(
        **told,
        source=first.source,
        target=first.target,
        text=text,
        is_command=first.is_command,
        other_lines=first.run.others,
        runs=runs if len(runs) > 1 else [],
    )


def _run(found: "Conversion") -> ConvertedRun:
    answer = converting.answer(found)
    return ConvertedRun(
        line=answer["line"],
        is_equal=found.is_equal,
        is_refused=found.is_refused,
        quantities=answer["quantities"],
        written_out={each.name: each.why for each in found.lines if each.why},
        no_counterpart=[NoCounterpart(**each) for each in answer["no_counterpart"]],
        taken_over=found.taken_over,
        to_be_looked_at=[
            f"{each['name']}: {each['what']}" if each["name"] else each["what"] for each in answer["to_be_looked_at"]
        ],
        findings=[f"{each['severity']} {each['code']}: {each['message']}" for each in answer["findings"]],
    )


TOOLS = (check, explain, plan, plan_from, convert)


# --- what is given --------------------------------------------------------------------------------------------------


def _bounded(text: str, path: str | None) -> str:
    if path is not None:
        raise Refused("give either path or text, not both")
    if len(text.encode("utf-8", "replace")) > LARGEST_TEXT:
        raise Refused(f"the text is larger than {LARGEST_TEXT >> 10} KB, which no config or script is")
    if "\0" in text:
        raise Refused("the text holds a NUL byte")
    return text


def _linting(path: str | None, text: str | None, name: str) -> "Callable[[dict[str, Fact]], Report]":
    """What gives the report of one file, or of a text by a name, with such facts."""
    if text is not None:
        bounded = source.Text(_bounded(text, path), name)
        return lambda facts: engine.lint(bounded, of_text(facts), fixes=False)
    file = _one_file_at(path, "this takes one file")
    return lambda facts: engine.lint_path(file, Around(facts, asked=[file]).of(file), fixes=False)


def _one_file_at(path: str | None, otherwise: str) -> str:
    """The file at a path; refused with the words `otherwise` where it is a folder."""
    files = list(islice(_files_at(path), 2))
    if len(files) != 1 or disk.is_folder(str(path)):
        raise Refused(otherwise)
    return str(files[0])


def _release(framework: str, version: str | None) -> str:
    """The release of a framework that is meant; the newest where none is named."""
    named = str(parse_fact("version", version or "latest"))
    return resolve_version(named, framework_named(framework).catalogue.releases)


def _stated(framework: Framework, version: Version, world_size: WorldSize, facts: Facts) -> "dict[str, Fact]":
    """The facts of a call as the engine takes them."""
    known = _facts(framework, version, world_size, facts)
    return _api.stated_facts(
        known.pop("framework", None), known.pop("version", None), known.pop("world_size", None), known
    )


def _refuse_sizes(sizes: "Sequence[int | None]") -> None:
    if len(sizes) > MOST_SIZES or not all(size is None or 0 < size <= LARGEST_SIZE for size in sizes):
        raise Refused(f"sizes are whole numbers from 1 to {LARGEST_SIZE:,}, at most {MOST_SIZES} in one list")


def _files_at(path: str | None) -> "Any":
    """The files at a path below the root, which is the working directory; those of a folder as `grpo-lint check` finds them."""
    if path is None:
        raise Refused("give a path or a text")
    if "\0" in path or not disk.is_reachable(path):
        raise Refused("the path does not lead below the root of this server")
    if not disk.exists(path):
        raise Refused("there is no such file or folder")
    forget()
    ask_for([path])
    if not disk.is_folder(path):
        return iter([path])
    return (each for each in find_files([path]) if not isinstance(each, Unreadable))


def forget() -> None:
    """Drop what was remembered of files: an agent changes them between two calls."""
    disk.forget_what_was_asked_for()
    pins.forget()
    settings_files.forget()


def _facts(framework: Framework, version: Version, world_size: WorldSize, facts: Facts) -> dict[str, Any]:
    given = {"framework": framework, "version": version, "world_size": world_size}
    further = {name.lower().replace("-", "_"): value for name, value in (facts or {}).items()}
    known = [option_name(each) for each in FACTS]
    unknown = next((name for name in further if option_name(name) not in known), None)
    if unknown is not None:
        raise Refused(f"unknown fact {shown(unknown)}; facts are {', '.join(known)}")
    if "dialect" in further:
        given["framework"] = given["framework"] or str(further.pop("dialect"))
    return {**further, **{name: value for name, value in given.items() if value is not None}}


# --- what is told ---------------------------------------------------------------------------------------------------


def _checked(path: str, report: _api.Report) -> Checked:
    return Checked(
        path=os.path.normpath(path),
        framework=report.framework,
        version=report.version,
        plan=dict(report.plan),
        skipped=report.skipped,
        findings=[_finding(each) for each in report.findings],
    )


def _finding(finding: _api.Finding) -> Finding:
    return Finding(
        code=finding.code,
        name=finding.name,
        severity=finding.severity,
        stage=finding.stage,
        message=finding.message,
        key=finding.key,
        line=finding.line,
        column=finding.column,
        assumes=list(finding.assumes),
        fixes=[
            Fix(title=fix.title, effect=fix.effect, changes=dict(fix.changes), safe=fix.is_safe)
            for fix in finding.fixes
        ],
    )
