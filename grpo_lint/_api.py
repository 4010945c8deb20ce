"""The public face for Python: what `import grpo_lint` offers. Everything else in this package is private.

The functions here use the engine of the command line, so both say the same. Nothing is executed and nothing is written;
only `check`, `check_file` and `explain` of a path read files: that one, and what stands around it (settings, pins, scripts).
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Literal

from . import engine
from .checker import findings as internal
from .checker.contexts import Around
from .files import disk
from .launch.context import Context
from .launch.facts import BadFact, Counts, Fact, fact_named, parse_fact
from .source.text import Text

__all__ = ["ConfigError", "Finding", "Fix", "Report", "check", "check_file", "check_text", "explain"]

SOURCE = "argument"  # of the facts that a caller states
NAME = "config"  # of a config that stands in no file
INSTALLED = "installed"
DERIVED = "generation_batch_size"  # what a config class computes from the two others, and then refuses beside them


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that is proven to make a finding go away.

    `title`: what to do, in words; `effect`: what it changes for training, may be empty; `changes`: {key: value};
    `is_safe`: the run trains the same with it.
    """

    title: str
    effect: str
    changes: Mapping[str, object]
    is_safe: bool


@dataclass(frozen=True, slots=True)
class Finding:
    """One broken rule.

    `code` and `name` of the rule; `severity`; `stage`: when the framework notices ("never" when it does not); `key`: the
    setting that is pointed at, None for none; `line` and `column` count from 1, in the text that was checked;
    `assumes`: what was taken for granted, such as "version"; `fixes`: the best first.
    """

    code: str
    name: str
    severity: Literal["error", "warning", "info"]
    stage: Literal["read", "config", "init", "run", "never"]
    message: str
    key: str | None
    path: str
    line: int
    column: int
    assumes: tuple[str, ...]
    fixes: tuple[Fix, ...]

    def __str__(self) -> str:
        fix = f"\n  fix: {self.fixes[0].title}" if self.fixes else ""
        where = f"{self.key}: " if self.key else ""
        return f"{self.severity} {self.code} {where}{self.message}{fix}"


class ConfigError(ValueError):
    """Raised by `Report.raise_if_errors`; `findings` are the errors."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__("\n".join(map(str, findings)))
        self.findings = findings


@dataclass(frozen=True, slots=True)
class Report:
    """What was found.

    `framework` and `version`: what the config was judged as, None when it is no config of GRPO-family training, which
    `skipped` then explains; `plan`: {quantity: value} of the run, counted in completions unless its name says otherwise, None
    for what is not known. Of a script that starts several runs the first one is told, and the findings of all.
    """

    findings: tuple[Finding, ...]
    framework: str | None
    version: str | None
    plan: Mapping[str, object]
    skipped: str | None

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings of runs that the framework refuses, or that die later."""
        return tuple(finding for finding in self.findings if finding.severity == "error")

    def raise_if_errors(self) -> None:
        """Raise ConfigError when there is an error."""
        if self.errors:
            raise ConfigError(self.errors)


# --- the functions --------------------------------------------------------------------------------------------------


def check(
    config: object,
    *,
    framework: str | None = None,
    version: str | None = None,
    world_size: int | None = None,
    **facts: object,
) -> Report:
    """Check a config: a mapping of settings, an instance of GRPOConfig or of another dataclass, or the path of a file.

    `framework`: "trl", "swift", "megatron", "verl" or "easyr1", where the settings do not tell; `version`: its release, or "installed" for the
    one in this environment, which is the default for an instance of a framework's own class; `world_size`: the number of
    training processes over all nodes, by default the environment's WORLD_SIZE; `facts`: further ones, as a
    `# grpo-lint:` comment takes them (`dataset_size`, `loader`, `processes_per_node`, ...).

    Raises TypeError for a config of another kind, and ValueError for a fact that nobody knows or a value it cannot have.
    """
    return _public(_judged(config, framework, version, world_size, facts))


def check_file(
    path: str | os.PathLike[str],
    *,
    framework: str | None = None,
    version: str | None = None,
    world_size: int | None = None,
    **facts: object,
) -> Report:
    """Check a file as the command line does, with the settings, pins and scripts around it. A file that cannot be read is
    a finding. For the other arguments see `check`."""
    return _public(_judged(os.fspath(path), framework, version, world_size, facts))


def check_text(
    text: str,
    *,
    path: str = NAME + ".yaml",
    framework: str | None = None,
    version: str | None = None,
    world_size: int | None = None,
    **facts: object,
) -> Report:
    """Check a text: YAML, JSON, or a launch script when `path` or its first line says so. No file is read."""
    stated = stated_facts(framework, version, world_size, facts)
    return _public(engine.lint(Text(text, path), Context(outside=stated)))


def explain(
    config: object,
    *,
    framework: str | None = None,
    version: str | None = None,
    world_size: int | None = None,
    **facts: object,
) -> str:
    """The plan of a run as a table in words, as `grpo-lint explain` prints it. The arguments are those of `check`."""
    from .report.explain import explanation

    report = _judged(config, framework, version, world_size, facts, fixes=False)
    return explanation(report, colour=False, width=100)


def explain_text(
    text: str,
    *,
    path: str = NAME + ".yaml",
    framework: str | None = None,
    version: str | None = None,
    world_size: int | None = None,
    **facts: object,
) -> str:
    """The same of a text, as `check_text` takes it."""
    from .report.explain import explanation

    stated = stated_facts(framework, version, world_size, facts)
    return explanation(engine.lint(Text(text, path), Context(outside=stated), fixes=False), colour=False, width=100)


# --- what is given --------------------------------------------------------------------------------------------------


def _judged(
    config: object,
    framework: str | None,
    version: str | None,
    world_size: int | None,
    facts: dict[str, object],
    fixes: bool = True,
) -> internal.Report:
    """What the engine says of a config of any kind that `check` takes."""
    if isinstance(config, (str, os.PathLike)):
        name = os.fspath(config)
        return engine.lint_path(name, Around(stated_facts(framework, version, world_size, facts)).of(name), fixes)
    settings, own = _settings_of(config)
    if own is not None:
        framework = framework or own
        version = version or INSTALLED
        facts.setdefault("loader", "kwargs")
    stated = stated_facts(framework, version, world_size, facts)
    return engine.lint(Text(_as_yaml(settings), NAME), Context(outside=stated), fixes)


def stated_facts(
    framework: str | None, version: str | None, world_size: int | None, facts: Mapping[str, object]
) -> dict[str, Fact]:
    """The facts of a call, in the form in which the engine takes those of a command line."""
    given = dict(facts)
    if framework is not None:
        given["dialect"] = framework
    if version is not None:
        given["version"] = version
    own = disk.environment("WORLD_SIZE", "")
    if world_size is None and own and own.isdecimal():
        world_size = int(own)
    if world_size is not None:
        given["world_size"] = world_size
    if given.get("version") == INSTALLED:
        given.update(_installed(framework))
    found = {}
    for name, value in given.items():
        if value is not None:
            found[fact_named(name) or name] = Fact(_value_of(name, value), SOURCE)
    return found


def _value_of(fact: str, value: object) -> "str | int | Counts":
    try:
        return parse_fact(fact, value)
    except BadFact as bad:
        raise ValueError(str(bad).replace("dialect is", "framework is")) from None


def _installed(framework: str | None) -> dict[str, object]:
    """The versions of the framework and of its companions in this environment; None for what is not there."""
    from importlib.metadata import PackageNotFoundError, version

    from .frameworks.companions import COMPANIONS
    from .frameworks.registry import NAMES
    from .frameworks.registry import framework as framework_named

    if framework not in NAMES:
        raise ValueError(f'version="{INSTALLED}" needs framework, one of {", ".join(NAMES)}')
    found: dict[str, object] = {}
    package = framework_named(framework).package
    for fact, name in {"version": package, **{each: each for each in COMPANIONS}}.items():
        try:
            found[fact] = version(name)
        except PackageNotFoundError:
            found[fact] = None
    if found["version"] is None:
        raise ValueError(f"{package} is not installed in this environment, so its version has to be stated")
    found.pop(package, None)  # the framework itself is no companion
    return found


def _settings_of(config: object) -> tuple[dict[str, object], str | None]:
    """The settings of a mapping or an instance, and the framework whose own class it is an instance of."""
    if isinstance(config, Mapping):
        return {str(name): value for name, value in config.items()}, None
    if not is_dataclass(config) or isinstance(config, type):
        raise TypeError(f"a config is a mapping, an instance of a dataclass or a path, not {type(config).__name__}")
    own = next((kind for kind in type(config).__mro__ if _framework_of(kind) and is_dataclass(kind)), None)
    found: dict[str, object] = {}
    for field in fields(own or config):
        value = getattr(config, field.name, None)
        default = field.default_factory() if callable(field.default_factory) else field.default
        is_made_of_a_switch = isinstance(default, bool) and isinstance(value, str)  # by the class itself: False -> "no"
        if field.init and not (value is default or value == default or is_made_of_a_switch):
            found[field.name] = value
    if own and DERIVED in found and "steps_per_generation" in found:
        del found[DERIVED]
    return found, _framework_of(own) if own else None


def _framework_of(kind: type) -> str | None:
    """The framework in which a config class is declared."""
    package = kind.__module__.partition(".")[0]
    if package == "trl":
        return "trl"
    if package == "swift":
        return "megatron" if ".megatron." in kind.__module__ else "swift"
    return None


def _as_yaml(settings: Mapping[str, object]) -> str:
    """Settings as a text of YAML. What is no plain value (a function, a model) is left out."""
    import yaml

    lines = []
    for name, value in settings.items():
        plain = _plain(value)
        if plain is not _ODD:
            lines.append(
                yaml.safe_dump(
                    {name: plain}, default_flow_style=False, width=1_000_000, allow_unicode=True, sort_keys=False
                )
            )
    return "".join(lines) or "{}\n"


_ODD = object()


def _plain(value: object) -> object:
    """A value as YAML has it; _ODD for what it has not."""
    from enum import Enum

    if isinstance(value, Enum):
        value = value.value
    if value is None or isinstance(value, (bool, int, float, str)):
        return value if type(value) in (bool, int, float, str, type(None)) else _base_of(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return _without_odd({str(name): _plain(each) for name, each in value.items()})
    if isinstance(value, (list, tuple, set, frozenset)):
        found = [_plain(each) for each in value]
        return _ODD if _ODD in found else found
    if type(value).__module__ == "torch":
        return str(value).removeprefix("torch.")  # a dtype
    return _ODD


def _without_odd(found: dict[str, object]) -> dict[str, object]:
    return {name: each for name, each in found.items() if each is not _ODD}


def _base_of(value: object) -> object:
    """An instance of a subclass of a plain type as that type."""
    return next(kind(value) for kind in (bool, int, float, str) if isinstance(value, kind))


# --- what is told ---------------------------------------------------------------------------------------------------


def _public(report: internal.Report) -> Report:
    """A report of the engine as the public classes tell it."""
    from .report.json import launch_object

    launch = next((launch for launch in report.launches if launch.candidates), None)
    told = launch_object(launch) if launch else {}
    return Report(
        findings=tuple(_finding(report, finding) for finding in internal.told(report)),
        framework=told.get("dialect"),
        version=told.get("framework_version"),
        plan=told.get("plan", {}),
        skipped=report.skipped,
    )


def _finding(report: internal.Report, finding: internal.Finding) -> Finding:
    from .report.messages import message

    line, column = report.text.position(internal.span_of(finding).start) if report.text else (0, 0)
    return Finding(
        code=finding.rule.code,
        name=finding.rule.name,
        severity=finding.severity,
        stage=finding.stage,
        message=message(finding),
        key=finding.at.name if finding.at is not None else None,
        path=report.path,
        line=line + 1,
        column=column + 1,
        assumes=tuple(finding.assumes),
        fixes=tuple(Fix(fix.title, fix.effect, dict(fix.changes), fix.safety == "safe") for fix in finding.fixes),
    )
