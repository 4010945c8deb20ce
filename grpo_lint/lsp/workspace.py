"""All files of the workspace, open or not: one edit that fixes them, and their diagnostics."""

from itertools import islice
from pathlib import Path

from ..engine import CannotRead, foreign_test, read
from ..files.discovery import find_files
from ..fixes.offering import may_have_safe_fixes
from ..launch.files import LARGEST_FILE
from ..source.text import NotText, Text
from .actions import edit_of_fix_all
from .session import Document

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Client, Iterable, Iterator, Json, Session


MOST_FILES = 5_000  # of the workspace that are read


def documents(
    session: "Session", folders: "Iterable[str]", known: "dict[str, Document | None] | None" = None
) -> "Iterator[Document | None]":
    """Yield the files of folders that may be checked, each as it is open or as it is on the disk, and None for each
    other file, so that the caller may do something else. `known`: those that were read before, and that stay."""
    opened = {document.path: document for document in session.documents.values() if document.path}
    for path in islice(find_files(list(folders)), MOST_FILES):
        if not isinstance(path, str):
            yield None
        elif path in opened:
            yield opened[path]
        elif known is None:
            yield _on_disk(path)
        else:
            if path not in known:
                known[path] = _on_disk(path)
            yield known[path]


def _on_disk(path: str) -> "Document | None":
    try:
        data = read(path, foreign_test(path))
        if data is None or len(data) > LARGEST_FILE:
            return None
        return Document(Path(path).absolute().as_uri(), path, None, Text.from_bytes(data, path))
    except (CannotRead, NotText, ValueError):
        return None


def fixes(session: "Session", folders: "Iterable[str]", client: "Client") -> "Iterator[Json | None]":
    """Yield the LSP WorkspaceEdit of each file with safe fixes, and None between pieces of work."""
    for document in documents(session, folders):
        found = None
        if document is not None and may_have_safe_fixes(session.report(document)):
            found = edit_of_fix_all(session, document, client)
        yield found


def joined(edits: "Iterable[Json]") -> "Json":
    """Several LSP WorkspaceEdits as one."""
    whole: Json = {}
    for edit in edits:
        for name, value in edit.items():
            if isinstance(value, list):
                whole.setdefault(name, []).extend(value)
            else:
                whole.setdefault(name, {}).update(value)
    return whole
