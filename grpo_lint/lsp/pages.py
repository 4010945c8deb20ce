"""Pages beside a text: the plan of its runs, and what a rule is about. The editor opens them where it can
(`window/showDocument`): as texts of the server (`workspace/textDocumentContent`), else as files that the server writes."""

import os
from tempfile import TemporaryDirectory
from urllib.parse import quote

from ..files.writing import NotWritten, put
from ..report.json import uri as uri_of
from .framing import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import Future
    from typing import Any

    from ..shared_types import Callable
    from .server import Server
    from .session import Document

SCHEME = "grpo-lint"


class Page:
    """What the editor was asked to open.

    about   the URI of the document whose runs it explains; "": of none, so it never changes
    text    what it says; `path`: its file, empty where the editor asks the server for the text
    """

    def __init__(self, about: str, text: str, path: str) -> None:
        self.about = about
        self.text = text
        self.path = path


class Pages:
    """The pages of one editor."""

    def __init__(self, server: "Server") -> None:
        self._server = server
        self._opened: dict[str, Page] = {}  # by URI
        self._folder: TemporaryDirectory[str] | None = None

    def show(self, name: str, text: str, otherwise: "Callable[[], object]", about: str = "") -> None:
        """Ask the editor to open a page; `otherwise` is done where it cannot."""
        try:
            place = self._place(name, text, about)
        except (OSError, NotWritten):
            otherwise()
            return

        def opened(answer: "Future[Any]") -> None:
            failed = answer.cancelled() or answer.exception() is not None
            if failed or not getattr(answer.result(), "success", False):
                self._opened.pop(place, None)
                otherwise()

        asked = types.ShowDocumentParams(place, external=False, take_focus=True)
        self._server.window_show_document(asked).add_done_callback(opened)

    def _place(self, name: str, text: str, about: str) -> str:
        """The URI under which a page can be opened."""
        for place, page in self._opened.items():
            if page.about == about and (about or page.text == text):
                self._update(place, page, text)
                return place
        path = ""
        if self.are_asked_for():
            place = f"{SCHEME}:///{quote(name)}" + (f"?{quote(about, safe='')}" if about else "")
        else:
            path = self._free_path(name)
            put(path, text.encode(errors="replace"))
            place = uri_of(path)
        self._opened[place] = Page(about, text, path)
        return place

    def are_asked_for(self) -> bool:
        """Whether the client asks for texts under a scheme of the server's own."""
        return self._server.supports("workspace.text_document_content.dynamic_registration")

    def _free_path(self, name: str) -> str:
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="grpo-lint-", ignore_cleanup_errors=True)
        stem, suffix = os.path.splitext(name)
        names = (name, *(f"{stem} {number}{suffix}" for number in range(2, len(self._opened) + 2)))
        paths = (os.path.join(self._folder.name, each) for each in names)
        return next(path for path in paths if not os.path.lexists(path))

    def text(self, place: str) -> str:
        """The text of a page that the client asks for; empty for one that it was never told of."""
        page = self._opened.get(place)
        return page.text if page is not None else ""

    def explain(self, document: "Document") -> bool:
        """Whether a page explains the runs of a document."""
        return any(page.about == document.uri for page in self._opened.values())

    def follow(self, document: "Document", text: str) -> None:
        """Say anew what there is to say of a document."""
        for place, page in self._opened.items():
            if page.about == document.uri:
                self._update(place, page, text)

    def _update(self, place: str, page: Page, text: str) -> None:
        if page.text == text:
            return
        page.text = text
        if not page.path:
            self._server.workspace_text_document_content_refresh(types.TextDocumentContentRefreshParams(place))
            return
        try:
            put(page.path, text.encode(errors="replace"))
        except NotWritten:
            pass  # the user's own copy of it

    def close(self) -> None:
        """Remove the files."""
        self._opened = {}
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
