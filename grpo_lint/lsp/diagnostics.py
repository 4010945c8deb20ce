"""Findings as the diagnostics of one document, with what its client can take."""

from ..checker.findings import told
from ..engine import failed
from ..report.json import diagnostic, uri
from ..report.language import ENGLISH
from ..report.messages import message
from ..report.printable import masked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..checker.findings import Finding, Report
    from ..report.document import Json
    from .client import Client
    from .session import Document
    from .view import View


def diagnostics(
    document: "Document", report: "Report", encoding: str, client: "Client", view: "View | None" = None
) -> "list[Json]":
    """The diagnostics of a document, each as LSP has it; those of an earlier text as well, where `view` is one."""
    try:
        found = _of(report, document, encoding, client)
        if view is not None and view.is_earlier:
            found += view.shown(_of(view.report, document, encoding, client), encoding)
        return found
    except Exception as error:  # the server lives on
        return _of(failed(document.text.path, error), document, encoding, client)


def _of(report: "Report", document: "Document", encoding: str, client: "Client") -> "list[Json]":
    return [_adapted(diagnostic(report, finding, encoding), finding, document, client) for finding in told(report)]


def _adapted(found: "Json", finding: "Finding", document: "Document", client: "Client") -> "Json":
    """A diagnostic without what its client did not announce, in its language. Fixes are looked for when they are asked for."""
    if not client.code_description:
        del found["codeDescription"]
    if client.language is not ENGLISH:
        found["message"] = masked(message(finding, client.language))
    own = uri(document.text.path)
    for related in found["relatedInformation"]:
        if related["location"]["uri"] == own:
            related["location"]["uri"] = document.uri
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
