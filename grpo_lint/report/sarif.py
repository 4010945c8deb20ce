"""SARIF 2.1.0, the format of code scanning: results with their rules, fixes, related places and fingerprints."""

import os

from .. import REPOSITORY, __version__
from ..checker.findings import span_of
from ..checker.fingerprint import fingerprints, repository_path
from ..frameworks.all_rules import RULES
from ..source.text import Span
from .document import DocumentPrinter, as_json, checked
from .json import lsp_range, page_of, quoted, uri
from .messages import CHECK, contributions, message, suggestion
from .printable import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Finding, Fix, Json, Report, Rule, Text, Totals

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


class SarifPrinter(DocumentPrinter):
    shows_fixes = True
    _rules: "dict[str, tuple[int, Rule]]"

    def __init__(self, colour: bool = False, width: "int | None" = None, quiet: bool = False) -> None:
        super().__init__(colour, width, quiet)
        self._rules = {}  # {code: (place in the list of rules, rule)}, in the order of the findings

    def entries(self, report: "Report") -> "list[Json]":
        digests = dict(fingerprints(report))
        return [checked(self._result(report, finding, digests[finding])) for finding in report.findings]

    def document(self, entries: "list[Json]", totals: "Totals") -> str:
        driver = {
            "name": "grpo-lint",
            "semanticVersion": __version__,
            "informationUri": REPOSITORY,
            "rules": [_descriptor(rule) for _, rule in self._rules.values()],
        }
        failed = {"invocations": [{"executionSuccessful": False}]} if totals.broken else {}
        run = {"tool": {"driver": driver}, **failed, "columnKind": "utf16CodeUnits", "results": entries}
        return as_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})

    def _result(self, report: "Report", finding: "Finding", digest: str) -> "Json":
        rule = finding.rule
        result = {
            "ruleId": rule.code,
            "ruleIndex": self._rules.setdefault(rule.code, (len(self._rules), RULES.get(rule.name, rule)))[0],
            "level": _LEVELS[finding.severity],
            "message": {"text": clean(message(finding))},
            "locations": [_location(report.text, span_of(finding))],
            "partialFingerprints": {"grpoLint/v1": digest},
            "properties": {"stage": finding.stage, "assumes": finding.assumes},
        }
        related = _related(report, finding)
        fixes = [_fix(report.text, fix) for fix in finding.fixes if fix.can_be_applied]
        return {**result, **({"relatedLocations": related} if related else {}), **({"fixes": fixes} if fixes else {})}


def _descriptor(rule: "Rule") -> "Json":
    page = page_of(rule)
    help = "\n\n".join(text for text in (rule.why, rule.instead) if text)
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": f"{rule.summary}."},
        "fullDescription": {"text": rule.why},
        "help": {"text": help, "markdown": f"{help}\n\n[{rule.code} {rule.name}]({page})"},
        "helpUri": page,
    }


def _related(report: "Report", finding: "Finding") -> "list[Json]":
    """The keys and comments that a number comes from; defaults have no place."""
    parts = contributions(finding, finding.launch) if finding.launch else ()
    placed = [(part.place or (part.span and (report.text, part.span)), part.label) for part in parts]
    places = [(place, told) for place, told in ((finding.check, CHECK), *placed) if place]
    return [
        {"id": number, **_location(text, span), "message": {"text": clean(told)}}
        for number, ((text, span), told) in enumerate(places)
    ]


def _location(text: "Text", span: "Span") -> "Json":
    return {"physicalLocation": {"artifactLocation": _artifact(text.path), "region": _region(text, span)}}


def _artifact(path: str) -> "Json":
    path = repository_path(path)
    return {"uri": uri(path)} if os.path.isabs(path) else {"uri": quoted(path), "uriBaseId": "%SRCROOT%"}


def _region(text: "Text", span: "Span") -> "Json":
    found = lsp_range(text, span)
    places = {"start": found["start"], "end": found["end"]}
    return {
        f"{edge}{name}": place[part] + 1
        for edge, place in places.items()
        for name, part in (("Line", "line"), ("Column", "character"))
    }


def _fix(text: "Text", fix: "Fix") -> "Json":
    return {
        "description": {"text": clean(suggestion(fix))},
        "artifactChanges": [
            {
                "artifactLocation": _artifact(of.path),
                "replacements": [
                    {"deletedRegion": _region(of, Span.of(edit)), "insertedContent": {"text": edit.new}}
                    for edit in edits
                ],
            }
            for of, edits in ((text, fix.edits), *fix.beside)
            if edits
        ],
    }
