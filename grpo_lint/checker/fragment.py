"""Judges a fragment of a document, of which the user says whose it is: settings as variables of a shell, as flags or overrides without
their command, and blocks of YAML in Markdown."""

import re

from ..files.discovery import DOCUMENTS, has_suffix
from ..frameworks.registry import commands, framework as framework_named
from ..launch.facts import Fact
from ..launch.scripts import facts_in_comments_of_script, placed
from ..message import Message, verbatim
from ..source.documents import document_blocks
from ..source.entry import mapping_of
from ..source.patterns import pattern
from ..source.python.code import Code
from ..source.quoting import listed
from ..source.shell.tree import Piece
from ..source.text import Span, Text
from ..source.yaml.reader import Mapping, read_yaml
from .config_file import judge_written
from .findings import Finding
from .fragment_findings import kept_of_a_fragment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Callable, Context, Framework, Iterator, Launch, Report

    Written = tuple[str, str, int]  # the name of a setting, its value, and where that begins

MOST_SETTINGS = 1000  # of one fragment
_VALUE = r"(\"[^\"\n$`]*\"|'[^'\n]*'|[^\s\"'$`;#\\]+)"
_ASSIGNED = pattern(
    rf"^[ \t]*(?:(?:export|declare|readonly)[ \t]+)?([A-Za-z_]\w*)={_VALUE}(?<!,)[ \t]*(?:#.*)?$", re.MULTILINE
)
# of Python, INI and TOML: what is no literal is not known
_LITERAL = r"(\"[^\"\n]*\"|'[^'\n]*'|[-+]?[0-9][0-9_.eE+-]*|[Tt]rue|[Ff]alse)"
_KEYWORD = pattern(rf"(?:^|[(,])[ \t]*([A-Za-z_]\w*)[ \t]*=[ \t]*{_LITERAL}(?=[ \t]*(?:[,)#]|$))", re.MULTILINE)
_FLAG = pattern(rf"(?<![^\s\"'])--([A-Za-z][\w-]*)(?:=|[ \t]+){_VALUE}")
_OVERRIDE = pattern(rf"(?<!\S)\+{{0,2}}([A-Za-z_]\w*(?:\.\w+)+)={_VALUE}")
_BLOCKS = ("yaml", "yml", "json")
# what people call the number of processes on a node, and that of nodes
_ON_A_NODE = frozenset(
    "nproc nproc_per_node num_processes num_gpus n_gpus ngpus gpus_per_node num_gpu n_gpus_per_node".split()
)
_MOST_NAMED = 6  # settings in one message
_OF_ALL, _NODES = "world_size", frozenset(("nnodes", "num_nodes", "num_machines"))
_OF_PROCESSES = _ON_A_NODE | _NODES | {_OF_ALL}


def judge_fragment(report: "Report", context: "Context") -> bool:
    """Judge a text that is no config and starts nothing, where the user says whose settings it holds; whether it holds any."""
    text = report.text
    told = facts_in_comments_of_script(text)[0]
    dialect = context.outside.get("dialect") or told.get("dialect") or context.settings.get("dialect")
    if dialect is None or not context.forces(dialect):
        return False
    if any(name in text.text for own in commands() for name in own.trains_nothing):
        return False  # the arguments of a program that trains nothing
    framework = framework_named(str(dialect.value))
    read: list[Written] = []
    for block in _blocks(text):
        read += [] if block[0] in _BLOCKS else _written(text.text, *block[1:])
        pieces, counts = _settings_of(text, block, framework.catalogue.knows)
        root = mapping_of(placed(read_yaml(Text("".join(piece.text or "" for piece in pieces), text.path)), pieces))
        if root is not None and _is_known(root, framework.catalogue.knows):
            judge_written(report, root, {**counts, **told, "dialect": dialect}, context, is_part=True)
    if not report.launches:
        report.why = _nothing_of(framework, read)
        return False
    report.findings = [*kept_of_a_fragment(report.findings), *_tell_what_is_read(report.launches, read)]
    report.document, report.code = None, Code(text)  # it is no YAML, so that no key has a place to be put at
    return True


def _nothing_of(framework: "Framework", read: "list[Written]") -> Message:
    """Why a text is judged by nobody, though it is said whose settings it holds."""
    values: dict[str, object] = {"framework": framework.title}
    if not read:
        return Message("it holds no setting of {framework}", values)
    values["names"] = listed(sorted({name for name, *_ in read})[:_MOST_NAMED])
    return Message("it holds no setting of {framework} by its name: {names}", values)


def _tell_what_is_read(launches: "list[Launch]", read: "list[Written]") -> "Iterator[Finding]":
    """The info that says what of a fragment is read, once for a file."""
    names = {name for launch in launches for name in launch.entries}
    written = dict.fromkeys(name for name, value, _ in read if value[:1] not in "-(")  # no lists of flags
    others = [name for name in written if name not in names and name not in _OF_PROCESSES]
    values: dict[str, object] = {"framework": launches[0].framework.title, "names": listed(sorted(names)[:_MOST_NAMED])}
    told = Message("part of a run of {framework}: {names} are read here; all other settings are unknown", values)
    if others:
        values["others"] = listed(others[:_MOST_NAMED])
        told = Message(
            "part of a run of {framework}: {names} are read here, {others} are not; all other settings are unknown",
            values,
        )
    yield Finding("file-is-looked-at-to-its-end", "info", "never", span=Span(0, 0), values={"problem": told})


def _settings_of(
    text: Text, block: "tuple[str, int, int]", knows: "Callable[[str], bool]"
) -> "tuple[list[Piece], dict[str, Fact]]":
    """(the settings of a block as YAML, the number of processes that it tells)."""
    language, start, end = block
    if language in _BLOCKS:
        return [Piece(text.text[start:end], start, end, exact=True)], {}
    written = [each for each in _written(text.text, start, end) if len(each[1]) < 200][:MOST_SETTINGS]
    return _as_yaml([each for each in written if knows(each[0])]), _processes(written)


def _is_known(root: Mapping, knows: "Callable[[str], bool]") -> bool:
    return any(knows(name) or isinstance(entry.value, Mapping) for name, entry in root.items())


def _blocks(text: Text) -> "list[tuple[str, int, int]]":
    """(language, start, end) of the blocks of a document; the whole of any other text."""
    if has_suffix(text.path, DOCUMENTS):
        return document_blocks(text.text)
    return [("", 0, len(text.text))]


def _written(text: str, start: int, end: int) -> "Iterator[Written]":
    """The settings that a part of a text writes, in any of the forms that a shell has for them."""
    for form in (_ASSIGNED, _KEYWORD, _FLAG, _OVERRIDE):
        for found in form.finditer(text, start, end):
            name = found[1] if "." in found[1] else found[1].replace("-", "_").lower()
            quotes = found[2][:1] in "\"'"
            yield name, found[2][1:-1] if quotes else found[2], found.start(2) + quotes


def _processes(written: "list[Written]") -> "dict[str, Fact]":
    """The number of processes that some variables tell."""
    numbers = {
        name: (int(value), start, len(value)) for name, value, start in written if value.isdecimal() and len(value) < 7
    }
    total = numbers.get(_OF_ALL)
    on_a_node = next((each for name, each in numbers.items() if name in _ON_A_NODE), None)
    if total is None and on_a_node is not None:
        nodes = next((each[0] for name, each in numbers.items() if name in _NODES), 1)
        total = (on_a_node[0] * nodes, *on_a_node[1:])
    if total is None or total[0] < 1:
        return {}
    count, start, size = total
    name = next(each for each, _, place in written if place == start)
    return {_OF_ALL: Fact(count, verbatim(name.upper()), (None, start, start + size))}


def _as_yaml(written: "list[Written]") -> "list[Piece]":
    """Settings as YAML, the last one of each name, in sections where their names are paths."""
    sections: dict[str, object] = {}
    for name, value, start in written:
        *above, last = name.split(".")
        around = sections
        for each in above:
            inner = around.setdefault(each, {})
            around = inner if isinstance(inner, dict) else {}
        around[last] = (value, start)
    return [*_lines(sections, 0)]


def _lines(sections: "dict[str, object]", depth: int) -> "Iterator[Piece]":
    for name, inner in sections.items():
        if isinstance(inner, tuple):
            value, start = inner
            yield Piece(f"{'  ' * depth}{name}: ", start, start)
            yield Piece(value, start, start + len(value), exact=True)
            yield Piece("\n", start + len(value), start + len(value))
        elif isinstance(inner, dict):
            yield Piece(f"{'  ' * depth}{name}:\n", 0, 0)
            yield from _lines(inner, depth + 1)
