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

from .. import _api
from ..files import disk
from ..files.discovery import Unreadable, find_files
from ..frameworks.registry import framework as framework_named
from ..frameworks.versions import resolve_version
from ..launch import pins
from ..launch.facts import FACTS, option_name, parse_fact
from ..launch.files import LARGEST_FILE
from ..planning.batches import Wish, impossible, nearest, proposals, quantities
from ..report.planning import written
from ..settings import files as settings_files
from ..source.quoting import shown

MOST_FILES = 200  # that one call looks at
LARGEST_TEXT = LARGEST_FILE
LARGEST_SIZE, MOST_SIZES = 1 << 20, 64  # of what a plan is asked for; sizes in one list


Path = Annotated[str | None, Field(description="A file or folder below the root of this server; or else give `text`.")]
Text = Annotated[str | None, Field(description="The text of a config or script, in place of `path`.")]
Name = Annotated[
    str, Field(description="With `text`: a file name that says what it is, such as config.yaml or train.sh.")
]
Framework = Annotated[str | None, Field(description="The framework, where the keys do not tell it.")]
Version = Annotated[str | None, Field(description="The release of the framework, such as 1.16.0.")]
WorldSize = Annotated[int | None, Field(description="The number of training processes over all nodes.")]
Facts = Annotated[
    dict[str, str | int] | None,
    Field(
        description="What else no file tells, such as "
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
        files = list(islice(_files_at(path), 2))
        if len(files) != 1 or disk.is_folder(str(path)):
            raise Refused("explain takes one file")
        report, words = _api.check_file(files[0], **known), _api.explain(files[0], **known)
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
    told = str(parse_fact("version", version or "latest"))
    lists = (group_sizes, micro_batches, updates_per_rollout)
    parallel = (tensor_parallel, pipeline_parallel, context_parallel, expert_parallel)
    for sizes in (*(each or () for each in lists), parallel, (processes, completions_per_update, dataset_size, epochs)):
        _refuse_sizes(sizes)
    if model and not re.fullmatch(r"[\w./:@+-]{1,300}", model):
        raise Refused("the model is a name or a path without blanks")
    wish = Wish(
        name,
        resolve_version(told, framework_named(name).catalogue.releases),
        processes,
        *parallel,
        *lists,
        completions_per_update,
        dataset_size,
        epochs,
        model,
        memory or "",
    )
    found = proposals(wish)
    problem = None if found else impossible(wish)
    start = wish.start()
    return Planned(
        framework=name,
        version=wish.version,
        problem=problem,
        proposals=[
            Proposal(
                reasons=each.reasons,
                settings=each.settings,
                plan=quantities(each.plan),
                config=written(wish, each, as_command=False),
                command=start.launcher(processes) if start.reads_files else "",
            )
            for each in found or nearest(wish)
        ],
    )


TOOLS = (check, explain, plan)


# --- what is given --------------------------------------------------------------------------------------------------


def _bounded(text: str, path: str | None) -> str:
    if path is not None:
        raise Refused("give either path or text, not both")
    if len(text.encode("utf-8", "replace")) > LARGEST_TEXT:
        raise Refused(f"the text is larger than {LARGEST_TEXT >> 10} KB, which no config or script is")
    if "\0" in text:
        raise Refused("the text holds a NUL byte")
    return text


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
    if not disk.is_folder(path):
        return iter([path])
    return (each for each in find_files([path]) if not isinstance(each, Unreadable))


def forget() -> None:
    """Drop what was remembered of files: an agent changes them between two calls."""
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
