"""What a text is about to become: the launch of a file, a command or a call that has too few settings yet to be known as
one, and whole files to begin with."""

import re
from itertools import count

from ..engine import is_script, lint
from ..files.discovery import PYTHON, has_suffix
from ..frameworks.base import Framework
from ..frameworks.recognition import may_be_ours, may_hold_a_command
from ..frameworks.registry import NAMES, framework as framework_named, trained_by_sure_scripts
from ..launch.facts import Fact
from ..message import Message
from ..planning.batches import Proposal, Wish, proposals
from ..planning.starts import UNNAMED, Start
from ..source.text import Text
from ..source.yaml.reader import Mapping, parts_of, read_yaml
from .places import has_launches, without
from .tokens import token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..shared_types import Context, Json, Launch, Report
    from .completion import Offered

SNIPPET, AS_SNIPPET = 15, 2  # LSP: CompletionItemKind, InsertTextFormat
_FIRST_KEY = "seed"  # every framework has it, and no rule reads it
# A text of which no framework is known yet is looked at as far as people write before they look for help.
_LONGEST_BEGINNING = 4_000  # characters
_WORD = re.compile(r"[\w-]*")
_TYPED = re.compile(r"[ \t]*([\w-]*)\Z")
_NOTHING = re.compile(r"(?:#!.*\n)?\s*\Z")
_IMPORT = re.compile(r"^[ \t]*(from[ \t]+[\w.]+[ \t]+import[ \t]*(?:\([^()]*\)|.*)|import[ \t].*)", re.MULTILINE)
_ALGORITHMS = ("grpo", "rloo")  # a section of such a name is nobody else's
_PROCESSES = 8  # of a whole file: one node as people have it
_PROMPTS_AND_GROUP = 8  # and of its update: 8 prompts of 8
_ABOUT = Message("the text")
_known: "dict[str, tuple[Start, Proposal] | None]" = {}  # {framework: a run that holds, as `plan` finds it}


# --- a file of settings -----------------------------------------------------------------------------------------------


def begun(text: "Text", offset: int, context: "Context") -> "Report | None":
    """The report of a file without the line that is being typed; None where no framework is known yet, and none has all
    its keys."""
    line = text.position(offset)[0]
    start = text.starts[line]
    end = start + len(text.line_text(line))
    found = _linted(text.text, text.path, context)
    if found is None:
        found = _linted(text.text[:start] + text.text[end:], text.path, context)
    if found is None:  # a new file, whose directive states its framework
        found = _linted(f"{text.text[:start]}{_FIRST_KEY}: 1{text.text[end:]}", text.path, context, _FIRST_KEY)
    if found is None and len(text.text) <= _LONGEST_BEGINNING:
        source = text.text[:start] + text.text[end:]
        name = _framework_of(source)
        if name is not None:
            stated = _with_framework(context, name)
            found = _linted(source, text.path, stated) or _linted(
                f"{source}\n{_FIRST_KEY}: 1\n", text.path, stated, _FIRST_KEY
            )
    return found


def _framework_of(source: str) -> "str | None":
    """The first framework that has all settings and empty sections of a short file; None where they may be anybody's."""
    names = frozenset(_paths(read_yaml(Text(source)).root))
    if not names:
        return None
    has_sections = any("." in name or name in _ALGORITHMS for name in names)
    if not has_sections and not may_be_ours(source) and trained_by_sure_scripts(names) is None:
        return None
    for name in NAMES:
        framework = framework_named(name)
        if framework.reader.configs.nested == has_sections and _has_all(framework, names):
            return name
    return None


def _has_all(framework: "Framework", names: "frozenset[str]") -> bool:
    groups = framework.reader.trainer.groups(framework.reader.trainer.value, "script")
    missing = [name for name in names if not framework.catalogue.known(name, groups)]
    paths = framework.catalogue.fields(groups, len(framework.catalogue.releases) - 1).names() if missing else ()
    return all(any(path.startswith(f"{name}.") for path in paths) for name in missing)


def _paths(node: object, above: str = "") -> "Iterator[str]":
    """The settings of a mapping, and of those in it, by their paths."""
    for name, entry in node.items() if isinstance(node, Mapping) else ():
        inner = entry.value
        is_section = isinstance(inner, Mapping) and bool(parts_of(inner))
        yield from _paths(inner, f"{above}{name}.") if is_section else (f"{above}{name}",)


def _with_framework(context: "Context", name: str) -> "Context":
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
        words = " ".join([f"--{name} {value}" for name, value in added.items()])
        found = _linted(f"{command} {words}\n", path, context, *added) if added else None
        if found is not None and (not framework.reader.trainer.key or _is_own(found.launches[-1])):
            return found
    return None


def _is_own(launch: "Launch") -> bool:
    """Whether a launch is started by a program of its framework: a setting does not make others' programs ours."""
    return launch.origin is not None and launch.origin.invocation.own is not None


def _settings_that_tell(framework: "Framework", command: str) -> "dict[str, object]":
    """Settings that show that a command trains with a framework, where nothing in it says otherwise."""
    trainer, configs = framework.reader.trainer, framework.reader.configs
    if configs.nested:
        return {}
    if trainer.key:
        return {} if trainer.key in command else {trainer.key: trainer.value}
    return {name: 8 for name in framework.knobs.names if name not in command} if may_be_ours(command) else {}


def begun_by_call(text: "Text", name: str, beside: str, context: "Context") -> "Report | None":
    """The report of a call by a name as the imports of a program mean it, whatever is in its brackets; `beside`: other text
    whose imports hold, as of other cells."""
    imports = [found[1] for found in _IMPORT.finditer(f"{beside}\n{text.text}")]
    path = text.path if has_suffix(text.path, PYTHON) else f"{text.path}.py"
    return _linted("\n".join([*imports, f"{name}({_FIRST_KEY}=1)", ""]), path, context, _FIRST_KEY)


# --- whole files --------------------------------------------------------------------------------------------------------


def whole_files(text: "Text", offset: int) -> "Offered":
    """Whole files to begin with, in one that is empty but for the word being typed."""
    line, column = text.position(offset)
    written = text.line_text(line)
    word = _TYPED.match(written[:column])
    where = token(written, word.start(1), column, _WORD) if word else None
    if where is None or where.start or where.rest.strip():
        return None, []
    start = text.starts[line]
    around = text.text[:start] + text.text[start + where.end :]
    if has_suffix(text.path, (".json",)) or not _NOTHING.match(around):
        return None, []
    return where, list(_whole_files(is_script(text)))


def _whole_files(in_script: bool) -> "Iterator[Json]":
    for name in NAMES:
        if name not in _known:
            _known[name] = _planned(name)
        planned = _known[name]
        if planned is not None and (in_script or planned[0].reads_files):
            yield _whole_file(*planned, in_script)


def _planned(name: str) -> "tuple[Start, Proposal] | None":
    """The run of a framework that `plan` proposes for one node; None where it knows of none."""
    version = framework_named(name).catalogue.releases[-1]
    wish = Wish(name, version, _PROCESSES, groups=[_PROMPTS_AND_GROUP], reuses=[1], update=_PROMPTS_AND_GROUP**2)
    found = proposals(wish, 1)
    return (wish.start(), found[0]) if found else None


def _whole_file(start: "Start", proposal: "Proposal", in_script: bool) -> "Json":
    written = (
        start.command(proposal.settings, _PROCESSES) if in_script else start.written(proposal.settings, _PROCESSES)
    )
    places = _placeholders(start)
    numbers = count(1)
    new = written.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")
    for place in [each for each in places if each in written]:
        new = new.replace(place, f"${{{next(numbers)}:{place}}}", 1)
    return {
        "label": f"{start.framework.name}-grpo",
        "kind": SNIPPET,
        "detail": Message(
            "GRPO for {framework}, {count} GPUs", {"framework": start.framework.title, "count": _PROCESSES}
        ),
        "documentation": written,
        "new": new,
        "insertTextFormat": AS_SNIPPET,
    }


def _placeholders(start: "Start") -> "list[str]":
    """What a user replaces in a run to begin with."""
    template = start.template
    data = [word.rpartition("=")[2] for word in template.command.split() if word.endswith(".parquet")]
    marked = re.findall(r"<([^<>]+)>", template.config) or data
    return [UNNAMED, *(each for each in marked if not each.isdecimal())]
