"""What is said once for a folder: that its files are larger than what is looked at, or name more than that; and what its scripts,
made from one another, have in common: the program that they start, and that they keep no checkpoint."""

from os.path import dirname

from ..files import disk
from ..message import Message
from ..report.messages import message
from .check import UNREAD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Finding, Report


def hold_back(report: "Report", found: "list[Finding]", told: "dict[tuple[str, str], str]") -> None:
    """Hold back what is said of a file that was met in a folder where it has been said of another file. `told`: {(folder, what is said):
    the name of that file}; of a file that is not read to its end the reason does not matter."""
    folder = dirname(disk.real(report.path))
    for finding in found:
        is_unread = finding.rule.name in UNREAD
        first = told.setdefault((folder, "" if is_unread else message(finding)), report.path)
        if first != report.path:
            report.findings.remove(finding)
            report.held.append(finding)
            finding.held_by = (
                Message("{path} beside it is said not to be read to its end either", {"path": first})
                if is_unread
                else Message("the same is said of {path} beside it", {"path": first})
            )
