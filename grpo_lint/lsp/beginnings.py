"""What a text is about to become: the launch of a file, a command or a call that has too few settings yet to be known as
one."""

import re

from ..engine import lint
from ..files.discovery import PYTHON, has_suffix
from ..frameworks.base import Framework
from ..frameworks.recognition import is_surely_ours, may_be_ours, may_hold_a_command
from ..frameworks.registry import (
    NAMES,
    commands,
    framework as framework_named,
    run_template,
    serves_scripts,
    trained_by_sure_scripts,
)
from ..launch.facts import Fact
from ..message import Message
from ..planning.starts import filled, without_config
from ..source.text import Text
from ..source.yaml.reader import Mapping, Scalar, parts_of, read_yaml
from .braces import Member, is_object
from .places import has_launches, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..shared_types import Context, Launch, Report

_FIRST_KEY = "seed"  # every framework has it, and no rule reads it
# A text of which no framework is known yet is looked at as far as people write before they look for help.
_LONGEST_BEGINNING = 4_000  # characters
_LONGEST_FILE = 40_000  # characters of a file that is read again, perhaps by the slow parser
_FLAG = re.compile(r"(?<!\S)--([\w-]+)")
_IMPORT = re.compile(r"^[ \t]*(from[ \t]+[\w.]+[ \t]+import[ \t]*(?:\([^()]*\)|.*)|import[ \t].*)", re.MULTILINE)
_ALGORITHMS = ("grpo", "rloo")  # a section of such a name is nobody else's
_ABOUT = Message("the text")
_sections: "dict[str, frozenset[str]]" = {}  # {framework: its sections}


# --- a file of settings -----------------------------------------------------------------------------------------------


def begun(text: "Text", offset: int, context: "Context", known: "Report | None" = None) -> "Report | None":
    """The report of a file without what is being typed; None where no framework is known yet, and none has all its keys, or it is longer
    than what people have just begun. `known`: a report without launches, of this text or of an earlier one."""
    if len(text.text) > _LONGEST_FILE:
        return None
    whole, without_it, started = _states(text, offset)
    is_known = known is not None and known.text.text == whole
    found = (
        (None if is_known else _linted(whole, text.path, context))
        or _linted(without_it, text.path, context)
        or _linted(started, text.path, context, _FIRST_KEY)  # a new file, whose directive states its framework
    )
    if found is not None or len(text.text) > _LONGEST_BEGINNING:
        return found
    for source in (whole, without_it):
        name = _framework_of(source)
        if name is not None:
            stated = with_framework(context, name)
            return _linted(source, text.path, stated) or _linted(started, text.path, stated, _FIRST_KEY)
    return None


def _states(text: "Text", offset: int) -> "tuple[str, str, str]":
    """(a text, the same without the line or member that is being typed, that with a setting of which nobody says anything)."""
    if is_object(text):
        return Member(text.text, offset).texts(f'"{_FIRST_KEY}": 1')
    line = text.position(offset)[0]
    start = text.starts[line]
    without_it = text.text[:start] + text.text[start + len(text.line_text(line)) :]
    return text.text, without_it, f"{without_it}\n{_FIRST_KEY}: 1\n"


def _framework_of(source: str) -> "str | None":
    """The first framework that has all settings and empty sections of a short file; None where they may be anybody's."""
    root = read_yaml(Text(source)).root
    names = frozenset(_paths(root))
    if not names:
        return None
    base = _built_on(root)
    if base is not None:
        return base if _has_all(framework_named(base), names) else None
    is_sure = is_surely_ours(source.encode(errors="replace"))
    found = _having_all(names, is_sure or may_be_ours(source), is_sure)
    is_enough = found is not None and (is_sure or may_be_ours(source) or _say_enough(found, names))
    return found.name if found is not None and is_enough else None


def _having_all(names: "frozenset[str]", is_ours: bool, is_sure: bool) -> "Framework | None":
    """The first framework that has all settings and sections of some names; `is_ours`, `is_sure`: what their words say of
    them."""
    has_sections = any("." in name or name in _ALGORITHMS for name in names)
    if not has_sections and not is_ours and trained_by_sure_scripts(names) is None:
        return None
    for framework in map(framework_named, NAMES):
        may_be = has_sections or is_sure if framework.reader.configs.nested else not has_sections
        if may_be and _has_all(framework, names):
            return framework
    return None


def _say_enough(framework: "Framework", names: "frozenset[str]") -> bool:
    """Whether settings that a framework has are hardly anybody else's: several, a section in another one, or a long name."""
    (name, *others) = names
    return bool(others) or name in _ALGORITHMS or name.count("_") > 1 or name in _sections_of(framework)


def _built_on(root: object) -> "str | None":
    """The framework of which one of its own files is named among the defaults from which Hydra composes a file."""
    defaults = root.get("defaults") if isinstance(root, Mapping) else None
    parts = parts_of(defaults.value) or [defaults.value] if defaults is not None else []
    named = {str(each.value).removesuffix(".yaml") for each in parts if isinstance(each, Scalar)}
    return next((each.framework for each in commands() if not named.isdisjoint(each.primaries)), None)


def _has_all(framework: "Framework", names: "frozenset[str]") -> bool:
    groups = framework.reader.trainer.groups(framework.reader.trainer.value, "script")
    is_nested, known, keys = framework.reader.configs.nested, framework.catalogue.known, framework.reader.keys
    return all(
        known(name, groups) or (is_nested and name in _sections_of(framework)) or keys.reads_somewhere(name)
        for name in names
    )


def _sections_of(framework: "Framework") -> "frozenset[str]":
    """The sections of a framework by their paths."""
    found = _sections.get(framework.name)
    if found is None:
        groups = framework.reader.trainer.groups(framework.reader.trainer.value, "script")
        paths = framework.catalogue.fields(groups, len(framework.catalogue.releases) - 1).names()
        found = frozenset(path[:at] for path in paths for at, sign in enumerate(path) if sign == ".")
        _sections[framework.name] = found
    return found


def _paths(node: object, above: str = "") -> "Iterator[str]":
    """The settings of a mapping, and of those in it, by their paths."""
    for name, entry in node.items() if isinstance(node, Mapping) else ():
        inner = entry.value
        is_section = isinstance(inner, Mapping) and bool(parts_of(inner))
        yield from _paths(inner, f"{above}{name}.") if is_section else (f"{above}{name}",)


def with_framework(context: "Context", name: str) -> "Context":
    from copy import copy

    found = copy(context)
    found.outside = {**context.outside, "dialect": Fact(name, _ABOUT)}
    return found


def _linted(source: str, path: str, context: "Context", *added: str) -> "Report | None":
    """The report of a text, whose launches are without settings that were `added` to it; None when there is no launch."""
    report = lint(Text(source, path), context, fixes=False)
    if not has_launches(report):
        return None
    if added:
        report.launches = [without(launch, added) for launch in report.launches]
    return report


# --- a command, a call ------------------------------------------------------------------------------------------------


def begun_by_command(source: str, path: str, context: "Context") -> "Report | None":
    """The report of a command without the word that is being typed, as it would be with the setting that chooses the
    trainer, or with the sizes of a batch; None where it starts something else."""
    if len(source) > _LONGEST_BEGINNING or not may_hold_a_command(source):
        return None
    command = source.rstrip(" \t\r\n\\")
    known = _linted(f"{command}\n", path, context)
    if known is not None:
        return known
    for framework in map(framework_named, NAMES):
        added = _settings_that_tell(framework, command)
        words = " ".join([_word(framework, name, value) for name, value in added.items()])
        found = _linted(f"{command} {words}\n", path, context, *added) if added else None
        if found is not None and _is_theirs(found.launches[-1], command):
            return found
    return None


def begun_by_words(source: str, path: str, context: "Context") -> "Report | None":
    """The report of words of an array that no command uses yet; None where they may be anybody's."""
    if len(source) > _LONGEST_BEGINNING or not is_surely_ours(source.encode(errors="replace")):
        return None
    names = frozenset(name.replace("-", "_") for name in _FLAG.findall(source))
    for framework in map(framework_named, NAMES):
        template = run_template(framework.name)
        start = template.launcher_of_flags or without_config(filled(template.launcher, 1))
        if start and names and not framework.reader.configs.nested and _has_all(framework, names):
            words = " ".join(source.replace("\\\n", " ").split())
            return begun_by_command(f"{start} {words}", path, context)
    return None


def _word(framework: "Framework", name: str, value: object) -> str:
    """A setting as it stands in a command of a framework."""
    reader = framework.reader
    return f"{name}={value}" if reader.configs.nested else f"{reader.flags.written(name)} {value}"


def _is_theirs(launch: "Launch", command: str) -> bool:
    """Whether a launch is one of its framework not only by the settings that were added to its command: its program is the
    framework's own, or was read, or the flags tell."""
    if launch.origin is None:
        return False
    reader = launch.framework.reader
    if reader.trainer.key or reader.configs.nested:
        return launch.origin.invocation.own is not None
    return launch.origin.program is not None or _tells(launch.framework, command)


def _tells(framework: "Framework", command: str) -> bool:
    """Whether the flags of a command are those of a framework whose programs may have any name."""
    return may_be_ours(command) or _has_own_flags(framework, command)


def _has_own_flags(framework: "Framework", command: str) -> bool:
    """Whether a command has a flag of the usual command of a framework that no framework with files has."""
    usual = set(_FLAG.findall(run_template(framework.name).command))
    return any(flag in usual and not _is_shared(flag) for flag in _FLAG.findall(command))


def _is_shared(flag: str) -> bool:
    frameworks = [framework for framework in map(framework_named, NAMES) if framework.reader.trainer.key]
    return any(_has_all(each, frozenset((flag.replace("-", "_"),))) for each in frameworks)


def _settings_that_tell(framework: "Framework", command: str) -> "dict[str, object]":
    """Settings that show that a command trains with a framework, where nothing in it says otherwise."""
    trainer, configs = framework.reader.trainer, framework.reader.configs
    if configs.nested:
        marks = next((each.marks for each in commands() if each.framework == framework.name), ())
        return dict.fromkeys([name for name in framework.knobs.names if name.startswith(marks)][:1], 8)
    if trainer.key:
        return {} if trainer.key in command else {trainer.key: trainer.value}
    if not (serves_scripts(framework.name) or _tells(framework, command)):
        return {}
    written = framework.reader.flags.written
    return {name: 8 for name in framework.knobs.names if written(name) not in command}


def begun_by_call(text: "Text", name: str, beside: str, context: "Context") -> "Report | None":
    """The report of a call by a name as the imports of a program mean it, whatever is in its brackets; `beside`: other text
    whose imports hold, as of other cells."""
    imports = [found[1] for found in _IMPORT.finditer(f"{beside}\n{text.text}")]
    path = text.path if has_suffix(text.path, PYTHON) else f"{text.path}.py"
    trainers = (framework_named(each).reader.trainer for each in NAMES)
    for key, value in [(_FIRST_KEY, "1"), *{(each.key, repr(each.value)) for each in trainers if each.key}]:
        found = _linted("\n".join([*imports, f"{name}({key}={value})", ""]), path, context, key)
        if found is not None:
            return found
    return None
