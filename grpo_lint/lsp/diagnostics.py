"""Findings as LSP diagnostics of one document, limited to what its client supports."""

from ..engine import failed
from ..report.json import diagnostic, uri
from ..report.repeated import told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Client, Finding, Json, Report, View
    from .session import Document


def diagnostics(
    document: "Document", report: "Report", encoding: str, client: "Client", view: "View | None" = None
) -> "list[Json]":
    """The LSP diagnostics of a document; where `view` is of an earlier text, that text's as well."""
    try:
        if view is not None and document is not document.whole:  # a cell
            cell: list[Json] = view.shown(_of(view.report, document, encoding, client), encoding)
            return cell
        found = _of(report, document, encoding, client)
        if view is not None and view.is_earlier:
            found += view.shown(_of(view.report, document, encoding, client), encoding)
        return found
    except Exception as error:  # the server goes on
        return _of(failed(document.text.path, error), document, encoding, client)


def _of(report: "Report", document: "Document", encoding: str, client: "Client") -> "list[Json]":
    return [
        _adapted(diagnostic(report, finding, encoding, client.language), finding, document, client)
        for finding in told(report)
    ]


def _adapted(found: "Json", finding: "Finding", document: "Document", client: "Client") -> "Json":
    """A diagnostic without what the client did not announce. Fixes are computed on request."""
    if not client.code_description:
        del found["codeDescription"]
    own = uri(document.whole.text.path)
    for related in found["relatedInformation"]:
        if related["location"]["uri"] == own:
            related["location"]["uri"] = document.whole.uri
    if not client.related or not found["relatedInformation"]:
        del found["relatedInformation"]
    found["tags"] = [tag for tag in found["tags"] if tag in client.tags]
    if not found["tags"]:
        del found["tags"]
    if client.data:
        found["data"] = {
            "rule": finding.rule.name,
            "stage": finding.stage,
            "assumes": finding.assumes,
            "version": document.version,
        }
    else:
        del found["data"]
    return found
