"""Inlay hints behind the batch keys and a line above each launch: the numbers of the run."""

from ..frameworks.roles import LENGTHS
from ..message import NOTHING, Message, parts
from ..report.json import lsp_range
from ..report.language import ENGLISH
from ..report.messages import processes
from ..report.side_by_side import shown_plan
from ..source.text import Span
from .numbers import EVALUATION, ROLLOUT, UPDATE, batches, per_rank, reuse, updates
from .words import about, aside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..checker.findings import Report
    from ..launch.launch import Launch, Setting
    from ..report.document import Json
    from ..report.language import Language

_BATCHES = (UPDATE, ROLLOUT, EVALUATION)
LONGEST_LABEL = 40
PARAMETER = 2  # LSP InlayHintKind
SHOW_PLAN = "grpo-lint.plan"  # the server's command that shows the whole plan of a file


def inlay_hints(report: "Report", first: int, last: int, encoding: str, language: "Language" = ENGLISH) -> "list[Json]":
    """The LSP InlayHints between two offsets."""
    hints = []
    for launch in report.launches:
        for setting, label, full in _numbers_behind(launch) if launch.candidates else ():
            if setting is not None and setting.text is None and first <= setting.span.end <= last:
                place = lsp_range(report.text, Span(setting.span.end, setting.span.end), encoding)["start"]
                hint = {
                    "position": place,
                    "label": _short(language.text(label)),
                    "kind": PARAMETER,
                    "paddingLeft": True,
                }
                hints.append({**hint, "tooltip": full})
    return hints


def _short(label: str) -> str:
    """A label cut to the length that editors show: VS Code cuts labels over 43 characters."""
    return label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1].rstrip()}\u2026"


def _numbers_behind(launch: "Launch") -> "Iterator[tuple[Setting | None, Message, Message]]":
    """Yield (Setting, short text, full text) for the known numbers of a launch."""
    plan = shown_plan(launch)
    counted = batches(launch, plan)
    for batch, keys in zip(_BATCHES, launch.framework.arithmetic.batch_keys):
        number = batch.text(plan) if batch in counted else NOTHING
        if number:
            more = [reuse(plan), per_rank(plan)] if batch is ROLLOUT else []
            yield (
                _first(launch, keys),
                about(batch.label, batch.in_short(plan)),
                parts([about(batch.name, number), *more]),
            )
    number = updates(plan)
    if number:
        yield _first(launch, LENGTHS), number, about(Message("the run"), number)


def _first(launch: "Launch", keys: "Iterable[str]") -> "Setting | None":
    return next((launch.setting(key) for key in keys if key in launch.entries), None)


def headline(launch: "Launch") -> Message:
    """What a launch is, such as 'TRL 1.16.0 GRPO on 7 processes'."""
    release = launch.candidates[0].text if launch.candidates else launch.missing
    inferred = "?" if launch.version_source == "inferred" and len(launch.candidates) > 1 else ""
    count = processes(launch.world_sizes) if launch.world_sizes else Message("an unknown number of processes")
    run = f"{launch.framework.title} {release}{inferred} {launch.title}"
    return Message("{run} on {processes}", {"run": run, "processes": count})


def summary(launch: "Launch") -> Message:
    """The known numbers of a launch, such as 'a rollout: 28 completions = 3.5 prompts of 8; 350 updates'."""
    if not launch.candidates:
        return NOTHING
    plan = shown_plan(launch)
    known = [batch for batch in batches(launch, plan) if batch.text(plan)]
    return parts([*(about(batch.name, batch.text(plan)) for batch in known), updates(plan)])


def place_of_launch(launch: "Launch") -> "Span":
    """The Span of a launch in its report's file: its command, or its first key."""
    if launch.origin is not None and launch.origin.script is None:
        return launch.origin.invocation.span
    own = [entry.key for entry in launch.entries_in_this_file.values()]
    first = min(own, key=lambda key: key.start, default=None)
    return Span.of(first) if first is not None else Span(0, 0)


def _extent(launch: "Launch") -> "Span":
    """The Span of all that belongs to a launch in its report's file: its command, or from its first key to the end of
    its last value."""
    place = place_of_launch(launch)
    if launch.origin is not None and launch.origin.script is None:
        return place
    own = [entry.value.end for entry in launch.entries_in_this_file.values()]
    return Span(place.start, max(own, default=place.end))


def code_lenses(report: "Report", uri: str, encoding: str) -> "list[Json]":
    """An LSP CodeLens above each launch; choosing it shows the whole plan."""
    return [
        {
            "range": lsp_range(report.text, place_of_launch(launch), encoding),
            "command": {
                "title": aside((headline(launch), summary(launch))),
                "command": SHOW_PLAN,
                "arguments": [{"uri": uri}],
            },
        }
        for launch in report.launches
    ]


def symbols(report: "Report", encoding: str) -> "list[Json]":
    """An LSP DocumentSymbol for each launch."""
    found = []
    for launch in report.launches:
        place, whole = place_of_launch(launch), _extent(launch)
        found.append(
            {
                "name": headline(launch),
                "detail": summary(launch),
                "kind": 24,  # LSP SymbolKind.Event
                "range": lsp_range(report.text, whole, encoding),
                "selectionRange": lsp_range(report.text, place, encoding),
            }
        )
    return found
