"""What `-v` tells of Markdown in folders that are walked: what starts training there. Documents show parts of runs, so that one is
judged only where it is named."""

from itertools import islice

from ..files.discovery import DOCUMENTS
from ..message import Message
from ..source.quoting import plural
from .console import note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .run import Run

MOST_DOCUMENTS = 500  # that are looked at


def say_what_documents_hold(run: "Run") -> None:
    """Note the runs in documents that nobody named."""
    found = (file for file in run.files(DOCUMENTS) if isinstance(file, str) and not run.was_named(file))
    for file in islice(found, MOST_DOCUMENTS):
        report = run.guarded(file, lambda file: run.lint(file, False))
        if report is not None and report.launches:
            told = {"path": run.name(file), "launches": plural(len(report.launches), "launch")}
            note(Message("{path}: {launches} in its blocks of code, which are judged when the file is named", told))
