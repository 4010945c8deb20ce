"""The JSON report: one object, the contract that other programs read. Diagnostics are those of LSP 3.17."""

import os
from math import inf
from urllib.parse import quote

from .. import REPOSITORY, __version__
from ..checker.findings import span_of
from ..frameworks.all_rules import is_of_a_team
from ..launch.facts import told
from ..source.hiding import masked, masked_value
from ..source.text import Span
from .document import DocumentPrinter, as_json, checked
from .language import ENGLISH
from .messages import CHECK, contributions, message
from .repeated import same_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import (
        Candidate,
        Finding,
        Fix,
        Iterable,
        Json,
        Language,
        Launch,
        Mapping,
        Report,
        Rule,
        Text,
        Totals,
    )


_SEVERITY = {"error": 1, "warning": 2, "info": 3}
# LSP: 1 is unnecessary, 2 is deprecated; editors grey out the one and strike through the other.
_TAGS = {"keys-are-read": [1], "settings-have-an-effect": [1], "key-is-of-this-version": [2], "dtype-is-read": [2]}
PAGES = REPOSITORY + "/blob/main/docs"


class JsonPrinter(DocumentPrinter):
    """All reports in one object, those of skipped files as well."""

    shows_fixes = True

    def file(self, report: "Report") -> None:
        self._gathered.append(checked(file(report)))

    def document(self, files: "list[Json]", totals: "Totals") -> str:
        return as_json(_document(files, totals.fixed))


def document(reports: "Iterable[Report]") -> "Json":
    """The whole report as one JSON-ready object."""
    return _document([file(report) for report in reports])


def _document(files: "list[Json]", fixed: "int | None" = None) -> "Json":
    """`fixed`: how many findings are gone by --fix, None where it was not asked for."""
    found = [diagnostic["severity"] for file in files for diagnostic in file["diagnostics"]]
    return {
        "version": 1,
        "tool": {"name": "grpo-lint", "version": __version__},
        "files": files,
        "summary": {
            "files": len(files),
            "errors": found.count(_SEVERITY["error"]),
            "warnings": found.count(_SEVERITY["warning"]),
            "infos": found.count(_SEVERITY["info"]),
            **({} if fixed is None else {"fixed": fixed}),
        },
    }


def file(report: "Report") -> "Json":
    return {
        "path": report.path,
        "skipped": report.skipped,
        "launches": [launch_object(launch) for launch in report.launches if launch.candidates],
        "diagnostics": [diagnostic(report, finding) for finding in report.findings],
    }


def launch_object(launch: "Launch") -> "Json":
    """What is known about a launch. Of several numbers of processes the first one makes the plan, and `plans` has one
    for each."""
    newest = launch.candidates[0]
    world = launch.facts.get("world_size")
    counts = launch.world_sizes
    plans = (
        [_plan_object(launch, newest, {"world_size": count}) for count in counts]
        if len(counts) > 1
        else [_plan_object(launch, newest)]
    )
    return {
        "dialect": launch.framework.name,
        "framework_version": newest.text,
        "version_source": launch.version_source,
        "candidates": [candidate.text for candidate in reversed(launch.candidates)],
        "algorithm": launch.algorithm,
        "loader": launch.loader,
        "world_size": counts[0] if counts else None,
        "world_size_source": world.source if world else "unknown",
        "plan": plans[0],
        **({"world_sizes": list(counts), "plans": plans} if len(counts) > 1 else {}),
    }


def _plan_object(launch: "Launch", candidate: "Candidate", changes: "Mapping[str, object] | None" = None) -> "Json":
    plan = launch.plan(candidate, changes)
    return {name: _shown(plan.value(name)) for name in ("world_size", *candidate.regime.quantities)}


def _shown(value: object) -> object:
    """JSON has no infinity, and a quantity that is no number, text or yes and no says nothing: a date where a size
    belongs."""
    return value if type(value) in (bool, int, str) or (type(value) is float and -inf < value < inf) else None


def diagnostic(
    report: "Report", finding: "Finding", encoding: str = "utf-16", language: "Language" = ENGLISH
) -> "Json":
    """An LSP 3.17 Diagnostic, positions in code units of an encoding. `language`: of an editor; machines are told in
    English."""
    return {
        "range": lsp_range(report.text, span_of(finding), encoding),
        "severity": _SEVERITY[finding.severity],
        "code": finding.rule.code,
        "codeDescription": {"href": page_of(finding.rule)},
        "source": "grpo-lint",
        "message": masked(message(finding, language)),
        "relatedInformation": _related(report.text, finding, encoding, language),
        "tags": _TAGS.get(finding.rule.name, []),
        "data": {
            "rule": finding.rule.name,
            "stage": finding.stage,
            "assumes": finding.assumes,
            "fixes": [_fix_object(report.text, fix, encoding) for fix in finding.fixes],
            **({"world_sizes": list(finding.counts)} if finding.counts else {}),
            **({"search_stopped": True} if finding.search_stopped else {}),
        },
    }


def _related(text: "Text", finding: "Finding", encoding: str, language: "Language") -> "list[Json]":
    """The settings that a finding comes of, and where else it is the same; a default has no place of its own, so it is told where the
    finding is."""
    launch, at = finding.launch, span_of(finding)
    others = [span_of(each) for each in finding.elsewhere if each.at is None or each.at.text is None]
    same = [
        {
            "location": location(text, span, encoding),
            "message": language.text(same_in([str(text.position(span.start)[0] + 1)])),
        }
        for span in others
        if span.start != at.start
    ]
    check = [{"location": location(*finding.check, encoding), "message": language.text(CHECK)}] if finding.check else []
    return (
        same
        + check
        + [
            {
                "location": location(*(part.place or (text, part.span or at)), encoding),
                "message": masked(language.text(part.label)),
            }
            for part in (contributions(finding, launch) if launch else ())
        ]
    )


def _fix_object(text: "Text", fix: "Fix", encoding: str) -> "Json":
    return {
        "title": masked(fix.title),
        "safety": fix.safety,
        "set": {told(name): masked_value(told(name), value) for name, value in fix.changes.items()},
        "edits": [
            {"path": of.path, "range": lsp_range(of, Span.of(edit), encoding), "newText": edit.new}
            for of, edits in ((text, fix.edits), *fix.beside)
            for edit in edits
        ],
    }


def page_of(rule: "Rule") -> str:
    """The address of what is written about a rule."""
    return f"{PAGES}/team-rules.md" if is_of_a_team(rule.code) else f"{PAGES}/rules/{rule.name}.md"


def location(text: "Text", span: "Span", encoding: str) -> "Json":
    """An LSP 3.17 Location."""
    return {"uri": uri(text.path), "range": lsp_range(text, span, encoding)}


def uri(path: str) -> str:
    """The URI of a file, as LSP wants it."""
    return "file://" + quoted(os.path.abspath(path).replace(os.sep, "/"))


def quoted(path: str) -> str:
    """A path as it stands in a URI; its bytes may be in any encoding."""
    return quote(os.fsencode(path))


def lsp_range(text: "Text", span: "Span", encoding: str = "utf-16") -> "Json":
    """An LSP 3.17 Range."""
    start, end = text.encoded_position(span.start, encoding), text.encoded_position(span.end, encoding)
    return {
        "start": {"line": start[0], "character": start[1]},
        "end": {"line": end[0], "character": end[1]},
    }
