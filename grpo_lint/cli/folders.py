"""What is said once for a folder: that its files are larger than what is looked at, or name more than that."""

from os.path import dirname

from ..files import disk
from ..message import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Finding, Report


def hold_back(report: "Report", unread: "list[Finding]", told: "dict[str, str]") -> None:
    """Hold back what is said of a file that was met in a folder where another file has been said to be as unread. `told`: {folder: the
    name of that file}."""
    folder = dirname(disk.real(report.path))
    first = told.setdefault(folder, report.path)
    if first == report.path:
        return
    report.findings = [finding for finding in report.findings if finding not in unread]
    report.held += unread
    for finding in unread:
        finding.held_by = Message("{path} beside it is said not to be read to its end either", {"path": first})
