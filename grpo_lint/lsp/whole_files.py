"""Whole files to begin with: a run of each framework on one node, as `plan` proposes it."""

import json
import re
from itertools import count

from ..engine import is_script
from ..files.discovery import has_suffix
from ..frameworks.registry import NAMES, framework as framework_named
from ..message import Message
from ..planning.batches import Proposal, Wish, proposals
from ..planning.starts import UNNAMED, Start
from ..source.entry import loaded
from ..source.text import Text
from ..source.yaml.reader import read_yaml
from .tokens import Token, token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..shared_types import Json
    from .completion import Offered

SNIPPET, AS_SNIPPET = 15, 2  # LSP: CompletionItemKind, InsertTextFormat
_WORD = re.compile(r"[\w-]*")
_TYPED = re.compile(r"[ \t]*([\w-]*)\Z")
# What may stand in a file that is still empty: comments, but none in which we are told something.
_COMMENT = r"#(?![^\n]*grpo[-_]lint)[^\n]*"
_NO_SETTING = re.compile(rf"(?:\s|{_COMMENT}(?:\n|\Z)|---[ \t]*(?:\n|\Z))*\Z")
_NO_COMMAND = re.compile(rf"(?:\s|{_COMMENT}(?:\n|\Z)|set[ \t][^\n;&|]*(?:\n|\Z))*\Z")
_LONGEST_BEGINNING = 4_000  # characters
_PROCESSES = 8  # one node as people have it
_PROMPTS_AND_GROUP = 8  # of an update: 8 prompts of 8
_known: "dict[str, tuple[Start, Proposal] | None]" = {}  # {framework: a run that holds, as `plan` finds it}


def whole_files(text: "Text", offset: int) -> "Offered":
    """Whole files to begin with, in one that is empty but for comments and the word being typed, or for a pair of braces."""
    is_shell = is_script(text)
    form = _as_script if is_shell else _as_json if has_suffix(text.path, (".json",)) else _as_file
    where = _place(text, offset, _NO_COMMAND if is_shell else _NO_SETTING)
    if where is None and not is_shell:
        where, form = _between_braces(text, offset), _as_members
    return (where, list(_whole_files(form))) if where is not None and not _is_hidden(text.path) else (None, [])


def _place(text: "Text", offset: int, nothing: "re.Pattern[str]") -> "Token | None":
    """The word being typed; None where it does not stand alone on its line, or there is more in the text than nothing."""
    line, column = text.position(offset)
    written = text.line_text(line)
    word = _TYPED.match(written[:column])
    where = token(written, word.start(1), column, _WORD) if word else None
    if where is None or where.start or where.rest.strip():
        return None
    start = text.starts[line]
    around = text.text[:start] + text.text[start + where.end :]
    return where if len(around) <= _LONGEST_BEGINNING and nothing.match(around) else None


def _between_braces(text: "Text", offset: int) -> "Token | None":
    """The place between two braces that are the whole text; None where it is another one."""
    if (text.text[:offset].strip(), text.text[offset:].strip()) != ("{", "}"):
        return None
    line, column = text.position(offset)
    return Token(column, column, text.line_text(line)[column:])


def _is_hidden(path: str) -> bool:
    """Whether a file, or the folder in which it is, is one that a tool keeps for itself."""
    return any(part[:1] == "." and part.strip(".") for part in path.replace("\\", "/").split("/")[-2:])


def _whole_files(form: "Callable[[Start, dict[str, object]], str]") -> "Iterator[Json]":
    for name in NAMES:
        if name not in _known:
            _known[name] = _planned(name)
        planned = _known[name]
        if planned is not None and (form is _as_script or planned[0].reads_files):
            yield _whole_file(planned[0], form(planned[0], planned[1].settings))


def _as_file(start: "Start", settings: "dict[str, object]") -> str:
    return start.written(settings, _PROCESSES)


def _as_script(start: "Start", settings: "dict[str, object]") -> str:
    return start.command(settings, _PROCESSES)


def _as_json(start: "Start", settings: "dict[str, object]") -> str:
    root = read_yaml(Text(_as_file(start, settings))).root
    return json.dumps(loaded(root), indent=2, ensure_ascii=False) + "\n" if root is not None else ""


def _as_members(start: "Start", settings: "dict[str, object]") -> str:
    return _as_json(start, settings).strip()[1:-1]


def _planned(name: str) -> "tuple[Start, Proposal] | None":
    """The run of a framework that `plan` proposes for one node; None where it knows of none."""
    version = framework_named(name).catalogue.releases[-1]
    wish = Wish(name, version, _PROCESSES, groups=[_PROMPTS_AND_GROUP], reuses=[1], update=_PROMPTS_AND_GROUP**2)
    found = proposals(wish, 1)
    return (wish.start(), found[0]) if found else None


def _whole_file(start: "Start", written: str) -> "Json":
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
