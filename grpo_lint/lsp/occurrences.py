"""Where else a setting is said, what can be folded, and which runs a workspace has: loaded when an editor asks."""

import os
import re

from ..report.json import lsp_range, uri
from ..source.text import Edit, Span
from ..source.yaml.reader import Mapping, parts_of
from .numbers import headline, place_of_launch, summary
from .places import setting_at
from .words import aside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Iterator, Json, Report, Setting, Text

_EVENT = 24  # LSP SymbolKind, as for the symbols of a document
_WRITTEN = 3  # LSP DocumentHighlightKind
MOST_RUNS = 200  # in one answer
_NEW_NAME = re.compile(r"[^\W\d][\w-]*")


def occurrences(report: "Report", offset: int) -> "list[Setting]":
    """All places that say the setting at an offset, in all runs of the file: what counts, and what that overrides."""
    at = setting_at(report, offset)
    found: dict[tuple[str | None, int], Setting] = {}
    for launch in report.launches if at is not None else ():
        for setting in launch.all_occurrences(at[1].name):  # type: ignore[index]  # it is one
            found.setdefault((setting.text.path if setting.text is not None else None, setting.key.start), setting)
    return list(found.values())


def references(report: "Report", own: str, offset: int, encoding: str, with_itself: bool) -> "list[Json]":
    """The LSP Locations of the keys and flags that say the setting at an offset. `own`: the URI of the file; `with_itself`: also
    the place that is asked about."""
    return [
        {
            "uri": own if setting.text is None else uri(setting.text.path),
            "range": lsp_range(setting.text or report.text, setting.key, encoding),
        }
        for setting in occurrences(report, offset)
        if with_itself or setting.text is not None or not _holds(setting, offset)
    ]


def _holds(setting: "Setting", offset: int) -> bool:
    return setting.key.start <= offset <= max(setting.key.end, setting.span.end)


def name_at(report: "Report", offset: int) -> "Span | None":
    """The Span of the name of the setting whose key is at an offset, without its sections; None where there is none."""
    at = setting_at(report, offset)
    return _name_of(at[1], report.text) if at is not None and at[2] else None


def renamed(report: "Report", offset: int, name: str) -> "list[tuple[Text, list[Edit]]]":
    """Each file, that of the report first, with the edits that give the setting whose key is at an offset another name, wherever the runs of the file say it.
    A flag that is written with dashes keeps them. Empty where there is no such setting, or where this is no name."""
    if name_at(report, offset) is None or not _NEW_NAME.fullmatch(name):
        return []
    found: dict[str, tuple[Text, list[Edit]]] = {report.text.path: (report.text, [])}
    for setting in occurrences(report, offset):
        text = setting.text or report.text
        span = _name_of(setting, text)
        if span is not None:
            has_dashes = "-" in text.text[span.start : span.end]
            new = name.replace("_", "-") if has_dashes else name.replace("-", "_")
            found.setdefault(text.path, (text, []))[1].append(Edit(span.start, span.end, new))
    return list(found.values())


def _name_of(setting: "Setting", text: "Text") -> "Span | None":
    """Of a key such as `n`, '"n"', `--n` and `+actor.rollout.n`: the name without what stands around it."""
    written = text.text[setting.key.start : setting.key.end].rstrip("\"'=")
    name = written.rpartition(".")[2].lstrip("\"'+-~")
    end = setting.key.start + len(written)
    return Span(end - len(name), end) if _NEW_NAME.fullmatch(name) else None


def highlights(report: "Report", offset: int, encoding: str) -> "list[Json]":
    """An LSP DocumentHighlight for each place of the file that says the setting at an offset."""
    return [
        {"range": lsp_range(report.text, setting.key, encoding), "kind": _WRITTEN}
        for setting in occurrences(report, offset)
        if setting.text is None
    ]


def folds(report: "Report") -> "list[Json]":
    """The LSP FoldingRanges of a file: each section and list of several lines, and each command that starts a run."""
    text, found = report.text, dict[int, int]()
    for start, end in (*_sections(report), *_commands(report)):
        first, last = text.position(start)[0], text.position(len(text.text[:end].rstrip()))[0]
        if last > first:
            found[first] = max(last, found.get(first, 0))
    return [{"startLine": first, "endLine": last} for first, last in sorted(found.items())]


def _sections(report: "Report") -> "Iterator[tuple[int, int]]":
    pending = list(report.document.documents) if report.document is not None else []
    while pending:
        node = pending.pop()
        if isinstance(node, Mapping):
            yield from ((entry.key.start, entry.value.end) for entry in node.entries if not entry.merged)
        pending += parts_of(node)


def _commands(report: "Report") -> "Iterator[tuple[int, int]]":
    for launch in report.launches:
        if launch.origin is not None and launch.origin.script is None:
            command = launch.origin.invocation.command
            yield command.start, command.end


def runs(report: "Report", where: str, encoding: str) -> "list[Json]":
    """An LSP SymbolInformation for each run of a file, beside the name of the file. `where`: its URI."""
    return [
        {
            "name": aside((headline(launch), summary(launch))),
            "kind": _EVENT,
            "location": {"uri": where, "range": lsp_range(report.text, place_of_launch(launch), encoding)},
            "containerName": _shown(report.text),
        }
        for launch in report.launches
        if launch.candidates
    ]


def _shown(text: "Text") -> str:
    """The path of a file from the folder that is open."""
    path = os.path.relpath(text.path)
    return text.path if path.startswith(os.pardir) else path


def matches(query: str, symbol: "Json") -> bool:
    """Whether all words of a query are in the name of a run, or in that of its file."""
    told = f"{symbol['containerName']} {symbol['name']}".lower()
    return all(word in told for word in query.lower().split())
