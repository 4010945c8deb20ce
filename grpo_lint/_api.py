"""The public face for Python: what `import grpo_lint` offers. Everything else in this package is private.

The functions here use the engine of the command line, so both say the same. Nothing is executed and nothing is written;
only `check`, `check_file` and `explain` of a path read files: that one, and what stands around it (settings, pins, scripts).
"""

import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Literal

from . import engine
from .checker import findings as internal
from .checker.contexts import Around, of_text
from .files import disk
from .frameworks.companions import COMPANIONS
from .frameworks.registry import NAMES, framework as framework_named
from .launch.facts import BadFact, Counts, Fact, fact_named, option_name, parse_fact
from .message import Message, parts
from .source.entry import MOST_LEVELS
from .source.hiding import masked, masked_value
from .source.quoting import listed
from .source.text import Text
from .unknown import LARGEST_NUMBER

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from dataclasses import Field
    from typing import Any

    from .checker.findings import Fix as Proven
    from .frameworks.python_calls import ConfigClass
    from .launch.pins import Pin

Form = Literal["text", "svg"]  # of an explanation
SOURCE = Message("argument")  # of the facts that a caller states
NAME = "config"  # of a config that stands in no file
INSTALLED = "installed"
BASE = "transformers"  # the package whose TrainingArguments people make classes of their own from


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that is proven to make a finding go away.

    `title`: what to do, in words; `effect`: what it changes for training, may be empty; `changes`: {key: value}, a password masked;
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
    setting that is pointed at, None for none; `line` and `column` count from 1, in the text that was checked (a mapping
    counts as one with a setting to a line); `assumes`: what was taken for granted, such as "version"; `fixes`: the best
    first.
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

    `framework`: "trl", "swift", "megatron", "verl", "easyr1" or "verl-agent", where the settings do not tell; `version`: its release, or "installed" for the
    one in this environment, which is the default for an instance of a framework's own class (one for other training, such as
    DPOConfig, is skipped); `world_size`: the number of
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
    return _public(_judged_text(Text(text, path), framework, version, world_size, facts))


def explain(
    config: object,
    *,
    framework: str | None = None,
    version: str | None = None,
    world_size: int | None = None,
    output_format: Form = "text",
    **facts: object,
) -> str:
    """The plan of a run as a table in words, as `grpo-lint explain` prints it; as "svg" the picture of a rollout and its
    updates, empty where there is nothing to draw. The other arguments are those of `check`."""
    return _explained(_judged(config, framework, version, world_size, facts, fixes=False), output_format)


def explain_text(
    text: str,
    *,
    path: str = NAME + ".yaml",
    framework: str | None = None,
    version: str | None = None,
    world_size: int | None = None,
    output_format: Form = "text",
    **facts: object,
) -> str:
    """The plan of the run that a text describes, as `explain` tells it of a file; the text is given as to `check_text`."""
    return _explained(_judged_text(Text(text, path), framework, version, world_size, facts, fixes=False), output_format)


def as_json(
    text: str,
    *,
    path: str = NAME + ".yaml",
    framework: str | None = None,
    version: str | None = None,
    world_size: int | None = None,
    **facts: object,
) -> dict[str, object]:
    """Check a text as `check_text` does, for a page or an editor: what `--output-format json` says of one file, with the
    ranges of the findings and the edits of their fixes."""
    from .report import json

    return json.file(_judged_text(Text(text, path), framework, version, world_size, facts))


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
        if "\n" in name:
            raise ValueError("a path has no line breaks: check_text takes the text of a config")
        asked_before = disk.what_is_asked_for()
        try:
            return _by_release(
                lambda stated, pins, fixes: engine.lint_path(name, Around(stated, asked=[name], installed=pins).of(name), fixes),
                framework, version, world_size, facts, fixes,
            )  # fmt: skip
        finally:
            disk.forget_what_was_asked_for(but=asked_before)
    settings, own = _settings_of(config)
    if isinstance(own, Message):
        return internal.Report(NAME, skipped=own)
    if own is not None:
        framework = framework or own.framework
        version = version or INSTALLED
        facts.setdefault("loader", "kwargs")
        facts.setdefault("algorithm", own.algorithm)
    report = _judged_text(_SettingsOfACall(_as_yaml(settings), NAME), framework, version, world_size, facts, fixes)
    report.findings = [each for each in report.findings if each.rule.name != "version-reads-yaml"]  # here is no file
    if report.skipped and framework is None:
        report.skipped = parts(
            (report.skipped, Message("framework= says what reads it: {names}", {"names": listed(NAMES)}))
        )
    return report


class _SettingsOfACall(Text):
    """Settings that stand in no text, written as one for the engine."""

    __slots__ = ()
    has_lines = False


def _judged_text(
    text: Text,
    framework: str | None,
    version: str | None,
    world_size: int | None,
    facts: dict[str, object],
    fixes: bool = True,
) -> internal.Report:
    """What the engine says of a text."""
    return _by_release(
        lambda stated, pins, fixes: engine.lint(text, of_text(stated, pins=pins), fixes),
        framework, version, world_size, facts, fixes,
    )  # fmt: skip


def _by_release(
    judged: "Callable[[dict[str, Fact], Mapping[str, Pin], bool], internal.Report]",
    framework: str | None,
    version: str | None,
    world_size: int | None,
    facts: Mapping[str, object],
    fixes: bool,
) -> internal.Report:
    """A report by the facts of a call; where the installed release is meant of a framework that only the config tells, that
    is recognised first."""
    if version == INSTALLED and framework is None and "dialect" not in facts:
        first = judged(stated_facts(None, None, world_size, facts), {}, False)
        if not first.launches:
            return first
        framework = first.launches[0].framework.name
    stated = stated_facts(framework, version, world_size, facts)
    changed = _changed_copies(str(stated["dialect"].value)) if version == INSTALLED else {}
    if changed:
        del stated["version"]
    return judged(stated, changed, fixes)


def stated_facts(
    framework: str | None, version: str | None, world_size: int | None, facts: Mapping[str, object]
) -> dict[str, Fact]:
    """The facts of a call, in the form in which the engine takes those of a command line."""
    given: dict[str, object] = {}
    told = {"dialect": framework, "version": version, "world_size": world_size}
    for name, value in (*told.items(), *facts.items()):
        fact = fact_named(name) or name
        if value is not None and fact in given:
            raise ValueError(f"{option_name(fact).replace('dialect', 'framework')} is stated twice")
        if value is not None:
            given[fact] = value
    if "world_size" not in given:
        given["world_size"] = _processes_of_the_environment()
    if given.get("version") == INSTALLED:
        given = {**_installed(given.get("dialect")), **{name: given[name] for name in given if name != "version"}}
    return {name: Fact(_value_of(name, value), SOURCE) for name, value in given.items() if value is not None}


def _processes_of_the_environment() -> int | None:
    """The number that torchrun and accelerate tell each process that they start; None where nothing does."""
    told = disk.environment("WORLD_SIZE", "") or ""
    return int(told) if re.fullmatch(r"0*[1-9][0-9]{0,14}", told, re.ASCII) else None


def _value_of(fact: str, value: object) -> "str | int | Counts":
    try:
        return parse_fact(fact, value)
    except BadFact as bad:
        raise ValueError(str(bad).replace("dialect is", "framework is")) from None


def _installed(framework: object) -> dict[str, object]:
    """The versions of the framework and of its companions in this environment; None for what is not there."""
    from importlib.metadata import PackageNotFoundError, version

    found: dict[str, object] = {}
    package = framework_named(str(_value_of("dialect", framework))).releases.package
    for fact, each in {"version": package, **{each: each for each in COMPANIONS}}.items():
        try:
            found[fact] = version(each)
        except PackageNotFoundError:
            found[fact] = None
    if found["version"] is None:
        raise ValueError(f"{package} is not installed in this environment, so its version has to be stated")
    found.pop(package, None)  # the framework itself is no companion
    return found


def _changed_copies(framework: str) -> "Mapping[str, Pin]":
    """{package: its folder} of the framework in this environment, where that is no unchanged release."""
    from importlib.metadata import PackageNotFoundError, distribution

    from .frameworks.registry import INSTALLED_COPIES
    from .launch.installed_copies import installed_copies

    package = framework_named(framework).releases.package
    try:
        found = distribution(package) if package in INSTALLED_COPIES else None
    except PackageNotFoundError:
        found = None
    if found is None:
        return {}
    return installed_copies(str(found.locate_file("")), package, found.version, os.getcwd())


def _settings_of(config: object) -> tuple[dict[str, object], "ConfigClass | Message | None"]:
    """The settings of a mapping or an instance, and the class of a framework that it is an instance of; for an instance of
    one that configures something else, words for that."""
    if isinstance(config, Mapping):
        return {str(name): value for name, value in _contained(config).items()}, None
    if not is_dataclass(config) or isinstance(config, type):
        raise TypeError(f"a config is a mapping, an instance of a dataclass or a path, not {type(config).__name__}")
    kinds = [kind for kind in type(config).__mro__ if is_dataclass(kind)]
    found = _own_class(kinds)
    return _of_our_class(config, *found) if found else _of_another_class(config, kinds)


def _of_our_class(config: object, kind: type, own: "ConfigClass") -> tuple[dict[str, object], "ConfigClass | Message"]:
    from .frameworks.python_calls import DERIVED

    settings = _changed(config, fields(kind), kind)
    if settings.keys() >= set(DERIVED):
        del settings[DERIVED[0]]
    if own.chosen_by and settings.get(own.chosen_by[0]) != own.chosen_by[1]:
        return {}, Message(
            "{name} with another {key} than {value}",
            {"name": own.name, "key": own.chosen_by[0], "value": own.chosen_by[1]},
        )
    return settings, own


def _of_another_class(config: "Any", kinds: "list[type]") -> tuple[dict[str, object], Message | None]:
    from .frameworks.python_calls import PACKAGES

    foreign = _first_of(kinds, PACKAGES)
    if foreign is not None:
        return {}, Message(
            "{name} of {package} is no config of GRPO-family training",
            {"name": foreign.__name__, "package": _package_of(foreign)},
        )
    return _changed(config, fields(config), _first_of(kinds, (BASE,))), None


def _first_of(kinds: "list[type]", packages: "Collection[str]") -> "type | None":
    """The first of some classes that comes from one of some packages."""
    return next((kind for kind in kinds if _package_of(kind) in packages), None)


def _own_class(kinds: "list[type]") -> "tuple[type, ConfigClass] | None":
    """The first of some classes whose instances are configs of ours; what adds fields of its own to such a class gives way to
    it, for nobody else knows these."""
    from .frameworks.python_calls import CLASSES, GROUP

    known = [(kind, CLASSES[kind.__name__]) for kind in kinds if kind.__name__ in CLASSES]
    ours = [
        (kind, own)
        for kind, own in known
        if own.comes_from(kind.__module__) and GROUP in [each.name for each in fields(kind)]
    ]
    return next((each for each in ours if not each[1].is_open), ours[0] if ours else None)


def _changed(config: object, declared: "Iterable[Field[Any]]", kind: type | None) -> dict[str, object]:
    """The fields of an instance, without those that are at the default that a class of a framework gives them."""
    defaults = {each.name: each for each in fields(kind)} if kind is not None else {}
    found: dict[str, object] = {}
    for field in declared:
        value = getattr(config, field.name, None)
        if field.init and not (field.name in defaults and _is_at(defaults[field.name], value)):
            found[field.name] = value
    return found


def _is_at(field: "Field[Any]", value: object) -> bool:
    """Whether a value is the default of a field, or what its class itself makes of that: False -> "no", "" -> []."""
    default = field.default_factory() if callable(field.default_factory) else field.default
    if isinstance(default, bool):
        return value is default or isinstance(value, str)
    if value is default or (default == "" and isinstance(value, list) and not value):
        return True
    try:
        return bool(value == default)
    except Exception:  # an array is neither true nor false
        return False


def _package_of(kind: type) -> str:
    return kind.__module__.partition(".")[0]


def _contained(config: Mapping[object, object]) -> Mapping[object, object]:
    """A mapping itself; of one of OmegaConf what stands in it, whose references and missing values are not resolved."""
    if _package_of(type(config)) != "omegaconf":
        return config
    contained: dict[object, object] = sys.modules["omegaconf"].OmegaConf.to_container(config)
    return contained


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


def _plain(value: object, around: tuple[object, ...] = ()) -> object:
    """A value as YAML has it; _ODD for what it has not. `around`: the lists and mappings that it stands in."""
    from enum import Enum

    if isinstance(value, Enum):
        value = value.value
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        value = value.item()  # type: ignore[attr-defined]  # a number of its own
    if value is None:
        return None
    if isinstance(value, (bool, int, float, str)):  # or of a subclass, which YAML does not know
        plain = next(kind(value) for kind in (bool, int, float, str) if isinstance(value, kind))
        return max(min(plain, LARGEST_NUMBER + 1), -LARGEST_NUMBER - 1) if type(plain) is int else plain
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return _ODD if any(value is each for each in around) or len(around) > MOST_LEVELS else _plain_items(value, around)


def _plain_items(value: object, around: tuple[object, ...]) -> object:
    """A list or a mapping as YAML has it, or what torch calls a dtype."""
    inside = (*around, value)
    if isinstance(value, Mapping):
        found = {str(name): _plain(each, inside) for name, each in value.items()}
        return {name: each for name, each in found.items() if each is not _ODD}
    if isinstance(value, (list, tuple, set, frozenset)):
        items = [_plain(each, inside) for each in value]
        return _ODD if _ODD in items else items
    return str(value).removeprefix("torch.") if type(value).__module__ == "torch" else _ODD  # a dtype


# --- what is told ---------------------------------------------------------------------------------------------------


def _explained(report: internal.Report, output_format: Form) -> str:
    """The runs of a report in words, or those that can be drawn as a picture."""
    from .report.explain import explanation, svg
    from .report.explain.picture import Picture

    if output_format == "text":
        return explanation(report, colour=False, width=100)
    drawn = [(path, story) for path, story in svg.part(report) if Picture.of(story)]
    return svg.document([drawn]) if drawn else ""


def _public(report: internal.Report) -> Report:
    """A report of the engine as the public classes tell it."""
    from .report.json import launch_object

    launch = next((launch for launch in report.launches if launch.candidates), None)
    told = launch_object(launch) if launch else {}
    return Report(
        findings=tuple(_finding(report, finding) for finding in _told(report)),
        framework=told.get("dialect"),
        version=told.get("framework_version"),
        plan=told.get("plan", {}),
        skipped=report.skipped,
    )


def _told(report: internal.Report) -> list[internal.Finding]:
    """The findings that are told, those of one cause once, as the command line tells them."""
    from .report.repeated import told

    return told(report)


def _changes(fix: "Proven") -> Mapping[str, object]:
    return {name: masked_value(name, value) for name, value in fix.changes.items()}


def _finding(report: internal.Report, finding: internal.Finding) -> Finding:
    from .report.messages import message

    line, column = report.text.position(internal.span_of(finding).start) if report.text else (0, 0)
    return Finding(
        code=finding.rule.code,
        name=finding.rule.name,
        severity=finding.severity,
        stage=finding.stage,
        message=masked(message(finding)),
        key=finding.at.name if finding.at is not None else None,
        path=report.path,
        line=line + 1,
        column=column + 1,
        assumes=tuple(finding.assumes),
        fixes=tuple(
            Fix(masked(fix.title), masked(fix.effect), _changes(fix), fix.safety == "safe") for fix in finding.fixes
        ),
    )
