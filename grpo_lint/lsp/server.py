"""The server: the Language Server Protocol 3.17 over standard input and output. The answers are computed in other
modules."""

import asyncio
import logging
import os
import sys
from itertools import chain, count as numbers

from pygls.exceptions import JsonRpcContentModified, JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.uris import to_fs_path

from .. import __version__
from ..checker.contexts import ask_for
from ..files.discovery import SCRIPTS
from ..message import Message
from ..report.json import lsp_range
from ..source.quoting import plural
from .actions import KINDS, SHOW_RULE, actions, complete, searching, workspace_edit
from .client import SECTION, Client, at, client_of, read_settings, says_nothing
from .completion import completion
from .definition import definition, links
from .diagnostics import diagnostics
from .framing import Input, types
from .hover import hover, plain
from .numbers import SHOW_PLAN, code_lenses, inlay_hints, symbols
from .pages import SCHEME, Pages
from .places import has_launches
from .session import Session
from .whole_files import AS_SNIPPET
from .words import rendered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import TimerHandle
    from concurrent.futures import Future
    from typing import Any, TypeVar

    from ..shared_types import Callable, Cell, Iterable, Json, Policy, Report, View
    from .session import Document

    Kind = TypeVar("Kind")

FIX_ALL_FILES = "grpo-lint.fixAllFiles"
# A document whose check takes longer than this is checked in a pause in typing; nearly all checks are done before the
# next key.
_SLOW, _LONGEST_PAUSE = 0.05, 0.3  # seconds
# While more messages have arrived already, a check waits for the last edit among them, but no longer than this after one.
_BURST = 0.02  # seconds
# Other documents that depend on the text being typed are checked again after such a pause.
_PAUSE = 0.1  # seconds
# Before fixes are searched for, a newer text or a cancellation gets this long to arrive.
_A_MOMENT = 0.01  # seconds
_INVALID_REQUEST, _NOT_INITIALIZED = -32600, -32002  # JSON-RPC and LSP
_MOST_SHOWN = 1_000  # diagnostics in one request
_FILLED = frozenset(("edit", "command"))  # of an action: it does something
_SERVER_CANCELLED = -32802  # LSP: ask again
_OF_EVERY_DAY = (_SERVER_CANCELLED, JsonRpcContentModified.CODE, JsonRpcInvalidParams.CODE)
_WATCHED = (
    "**/{pyproject.toml,.grpo-lint.toml,grpo-lint.toml}",
    "**/{setup.py,setup.cfg,environment.yml,environment.yaml,Pipfile.lock,poetry.lock,uv.lock,pdm.lock}",
    "**/*requirements*.{txt,in}",
    f"**/*.{{{','.join(suffix[1:] for suffix in SCRIPTS)}}}",
    "**/*.{yaml,yml,json}",
)


class Protocol(LanguageServerProtocol):
    """The protocol with three differences from pygls. Texts are kept in the session, since pygls cuts lines where LSP
    does not. Requests that cannot be read, or come too early or too late, get an answer. An editor that has left gets none: pygls
    would write a traceback for each."""

    _server: "Server"
    _has_left = False

    lsp_text_document__did_open = lsp_text_document__did_change = lsp_text_document__did_close = None  # type: ignore[assignment]
    lsp_notebook_document__did_open = lsp_notebook_document__did_change = lsp_notebook_document__did_close = None  # type: ignore[assignment]

    def structure_message(self, data: "Json") -> "Any":
        if isinstance(data, dict) and data.get("method") == types.INITIALIZE and isinstance(data.get("params"), dict):
            _drop_folders_that_are_none(data["params"])
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if data.get("method") == types.INITIALIZE and self._drop_nonsense(data):
                return super().structure_message(data)
            if "method" not in data or type(data.get("id")) not in (int, str):
                raise
            self._send_response(data["id"], error=error.to_response_error())
            return None

    def _drop_nonsense(self, data: "Json") -> bool:
        """Remove client capabilities that do not have the form of LSP. False when the message is wrong in something
        else."""
        params = data.get("params")
        said = params.get("capabilities") if isinstance(params, dict) else None
        if not isinstance(params, dict) or not _can_be_read(self._converter, {**params, "capabilities": {}}):
            return False
        params["capabilities"] = kept = {}
        for area, members in said.items() if isinstance(said, dict) else ():
            parts = [(name, {name: value}) for name, value in members.items()] if isinstance(members, dict) else []
            good = [part for _, part in parts if _can_be_read(self._converter, {"capabilities": {area: part}})]
            kept[area] = {name: value for part in good for name, value in part.items()}
        return True

    def _send_response(self, msg_id: "Any", result: "Any" = None, error: "types.ResponseError | None" = None) -> None:
        if error is not None and error.code == JsonRpcInternalError.CODE:
            error.data = None  # a traceback, which is in the log
        if isinstance(result, dict) and error is None:  # plain already, and walked through by nobody
            self._result_types.pop(msg_id, None)
            self._send_data({"jsonrpc": "2.0", "id": msg_id, "result": result})
            return
        super()._send_response(msg_id, result, error)

    def _send_data(self, data: "Any") -> None:
        if not self._has_left:
            super()._send_data(data)

    def handle_message(self, message: "Any") -> None:
        if message is None:  # it could not be read; its sender was told
            return
        method, number = getattr(message, "method", None), getattr(message, "id", None)
        code, why = 0, ""
        if self._shutdown:
            code, why = _INVALID_REQUEST, "the server was asked to shut down"
        elif self._workspace is None and method != types.INITIALIZE:
            code, why = _NOT_INITIALIZED, "the server has not been initialized"
        elif self._workspace is not None and method == types.INITIALIZE:
            code, why = _INVALID_REQUEST, "the server has been initialized before"
        if method != types.TEXT_DOCUMENT_DID_CHANGE:
            self._server.end_bursts()
        self._has_left |= method == types.EXIT
        if not why or method in (None, types.EXIT):  # answers have no method
            super().handle_message(message)
        elif number is not None:
            self._send_response(number, error=types.ResponseError(code, why))


def _drop_folders_that_are_none(params: "Json") -> None:
    """Remove workspace folders that cannot be paths, such as one with half of a surrogate pair."""
    folders = params.get("workspaceFolders")
    if isinstance(folders, list):
        params["workspaceFolders"] = [
            each for each in folders if not isinstance(each, dict) or _is_readable(each.get("uri"))
        ]
    if not _is_readable(params.get("rootUri")):
        params["rootUri"] = None
    if not _is_readable(f"file://{params.get('rootPath')}"):
        params["rootPath"] = None


def _is_readable(uri: object) -> bool:
    """Whether a URI can be parsed, or is not one at all."""
    try:
        if isinstance(uri, str):
            uri.encode()
            to_fs_path(uri)
    except ValueError:
        return False
    return True


def _can_be_read(converter: "Any", params: "Json") -> bool:
    try:
        converter.structure({"processId": None, "rootUri": None, **params}, types.InitializeParams)
    except Exception:  # whatever the converter stumbles over
        return False
    return True


class Server(LanguageServer):
    """One editor's server."""

    def __init__(self, policy: "Policy | None" = None) -> None:
        super().__init__("grpo-lint", __version__, protocol_cls=Protocol, notebook_document_sync=_notebooks())
        self.policy = policy
        self.session = Session(policy=policy)
        self.client = Client()
        self.pulls = False  # whether the client requests diagnostics; otherwise they are sent to it
        self.sent: dict[str, tuple[int, list[Json]]] = {}  # {URI: (number, diagnostics) that the client has}
        # unique within a session, since a client may remember the number of a closed document
        self._numbers = numbers(1)
        self.shown_problems: set[str] = set()
        self.initial = read_settings(None)  # what the client sent first, in force until it sends more
        # {URI, None for dependent documents: handle} of work that waits for a pause in typing
        self.waiting: dict[str | None, TimerHandle] = {}
        self.input: Input | None = None  # what the editor sends
        self.bursts: dict[str, Document] = {}  # {URI: document} of those edited while more messages had arrived
        self.closed: set[str] = set()  # URIs of files that are not open and have published findings
        self.walk: asyncio.Task[None] | None = None
        self.pulls_workspace = False  # whether the client has requested the diagnostics of the workspace
        self.pulled: list[Document] | None = None  # the files of the workspace, until one of them may have changed
        self.pages = Pages(self)
        self.outdated: dict[str, Document] = {}  # {URI: document} of those that depend on what is being typed
        for method, (handler, options) in _FEATURES.items():
            self.feature(method, options)(handler)
        self.command(SHOW_PLAN)(show_plan)
        self.command(FIX_ALL_FILES)(fix_all_files)
        self.command(SHOW_RULE)(show_rule)

    def structured(self, plain: object, kind: "type[Kind]") -> "Kind":
        """An object of LSP as the class of the protocol library."""
        found: Kind = self.protocol._converter.structure(plain, kind)
        return found

    def folders(self) -> "list[str]":
        """The folders of the workspace."""
        paths = [_path(folder.uri) for folder in self.workspace.folders.values()] or [self.workspace.root_path]
        return [path for path in paths if path]

    def ask_for_folders(self) -> None:
        """Note that the user opened the folders of the workspace: their scripts count, as on the command line."""
        ask_for(self.folders())

    def supports(self, path: str) -> bool:
        """Whether the client announced a capability, such as `workspace.configuration`."""
        return bool(at(self.client_capabilities, path))

    # --- diagnostics

    def diagnostics(self, document: "Document") -> "tuple[int, list[Json]]":
        """(number, diagnostics) of a document; the number changes when the diagnostics do."""
        report, view = self.session.report(document), self.session.view(document)
        found = diagnostics(document, report, self.session.encoding, self.client, view)
        number, before = self.sent.get(document.uri, (0, None))
        if found != before:
            number = next(self._numbers)
        self.sent[document.uri] = number, found
        return number, found

    def is_asked_for(self, document: "Document") -> bool:
        """Whether the client requests the diagnostics of a document. VS Code requests those of its tabs, and cells are
        not tabs."""
        return self.pulls and document is document.whole

    def changed(self, document: "Document") -> None:
        """Handle the new text of a document: publish its findings and those of documents that depend on it."""
        self.debounce(document.uri, _pause(document), self._check, document)

    def edited(self, document: "Document") -> None:
        """Handle an edit: `changed`, unless another message has arrived already, which may be the next edit."""
        if self.input is None or not self.input.has_more():
            self.changed(document)
            return
        self.bursts[document.uri] = document
        self.debounce(document.uri, max(_pause(document), _BURST), self._check, document)

    def end_bursts(self) -> None:
        """Check what was edited last, since what comes now is no edit."""
        documents, self.bursts = list(self.bursts.values()), {}
        for document in documents:
            self.changed(document)

    def _check(self, document: "Document") -> None:
        self.bursts.pop(document.uri, None)
        if not self.session.has(document):
            return
        for part in document.shown_as():
            if self.is_asked_for(part):
                self.session.report(part)
            else:
                self.publish(part)
        if self.pages.explain(document):
            self.debounce(f"page of {document.uri}", _PAUSE, self._explain_anew, document)
        others = self.session.affected_by(document)
        if others:
            self.outdated.update((other.uri, other) for other in others)
            self.debounce(None, _PAUSE, self._catch_up)

    def _explain_anew(self, document: "Document") -> None:
        if self.session.has(document):
            self.pages.follow(document, self.explanation(document))

    def explanation(self, document: "Document") -> str:
        """What `explain` prints of a document, or of the last text of it that had a launch."""
        from ..report.explain import explanation

        report = self.session.view(document).report
        return explanation(report, colour=False, width=100, language=self.client.language)

    def show(self, name: str, text: str, about: str = "") -> None:
        """Show a text: as a document where the client opens one, else as a message. `about`: the URI of the text that it
        follows."""

        def tell() -> None:
            self.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))

        if self.client.opens_documents:
            self.pages.show(name, text, tell, about)
        else:
            tell()

    def _catch_up(self) -> None:
        documents, self.outdated = list(self.outdated.values()), {}
        self.refresh(documents)

    def debounce(self, about: "str | None", seconds: float, work: "Callable[..., object]", *words: object) -> None:
        """Do some work once nobody has asked for the same for this long; immediately where waiting is not needed."""
        earlier = self.waiting.pop(about, None)
        if earlier is not None:
            earlier.cancel()
        if seconds:
            self.waiting[about] = asyncio.get_running_loop().call_later(seconds, work, *words)
        else:
            work(*words)

    def drop_work(self) -> None:
        """Begin with nothing that waits: the editor has ended the session."""
        for handle in self.waiting.values():
            handle.cancel()
        if self.walk is not None:
            self.walk.cancel()
        self.pages.close()

    async def report(self, document: "Document") -> "Report":
        """The report of a document for a request. Where a check takes long, it waits until the text has not changed for
        a while."""
        document = document.whole
        if document.report is None and _pause(document):
            await self.yield_if_stale(document, _pause(document))
        return self.session.report(document)

    async def yield_if_stale(self, document: "Document", seconds: float = 0) -> None:
        """Yield to other tasks. Raises an error for the client where the text has changed meanwhile."""
        text, report = document.text, document.report
        await asyncio.sleep(seconds)
        if not self.session.has(document) or document.text is not text or report not in (None, document.report):
            raise JsonRpcContentModified("the text has changed")

    def publish(self, document: "Document") -> None:
        """Send the diagnostics of a document to a client that does not request them."""
        self.send_diagnostics(document.uri, self.diagnostics(document)[1], document.version)

    def refresh(self, documents: "Iterable[Document]") -> None:
        """Update the client on documents whose surroundings have changed."""
        shown = [part for document in documents for part in document.shown_as()]
        shown = [part for part in shown if part.uri in self.sent and self.session.has(part)]
        stale = [part for part in shown if self.sent[part.uri] != self.diagnostics(part)]
        for document in stale:
            if not self.is_asked_for(document):
                self.publish(document)
        if any(self.is_asked_for(document) for document in stale):
            self.workspace_diagnostic_refresh(None)
        for name, refresh in (
            ("inlay_hint", self.workspace_inlay_hint_refresh),
            ("code_lens", self.workspace_code_lens_refresh),
        ):
            if shown and self.supports(f"workspace.{name}.refresh_support"):
                refresh(None)

    def forget_cells(self, cells: "Iterable[Document]") -> None:
        """Drop cells that were removed."""
        for cell in cells:
            if self.sent.pop(cell.uri, None) is not None:
                self.send_diagnostics(cell.uri, [])

    def publish_closed_files(self) -> None:
        """Check the files of the workspace that are not open, one by one, where the settings ask for it."""
        self.pulled = None
        if self.walk is not None:
            self.walk.cancel()
        if self.pulls_workspace:
            self.workspace_diagnostic_refresh(None)
        elif self.session.settings.workspace_diagnostics or self.closed:
            self.walk = asyncio.ensure_future(self._publish_closed_files())

    async def _publish_closed_files(self) -> None:
        from .workspace import documents

        with_findings: set[str] = set()
        for document in documents(self.session, self.folders()) if self.session.settings.workspace_diagnostics else ():
            await asyncio.sleep(0)
            if document is None or document.uri in self.session.documents:
                continue
            found = diagnostics(document, self.session.report(document), self.session.encoding, self.client)
            if found:
                with_findings.add(document.uri)
                self.closed.add(document.uri)  # whatever becomes of this walk
                self.send_diagnostics(document.uri, found)
        for uri in self.closed - with_findings - self.session.documents.keys():
            self.send_diagnostics(uri, [])
        self.closed = with_findings

    def begin_to_pull(self) -> None:
        """Take back what was sent of files that are not open, since the client requests it from now on."""
        if self.pulls_workspace:
            return
        self.pulls_workspace = True
        if self.walk is not None:
            self.walk.cancel()
        for uri in self.closed:
            self.send_diagnostics(uri, [])
        self.closed = set()

    def send_diagnostics(self, uri: str, found: "list[Json]", version: "int | None" = None) -> None:
        """Send the diagnostics of a document."""
        shown = self.structured(found, list[types.Diagnostic])
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, shown, version))

    def reload_surroundings(self) -> None:
        """Check everything that is open again: settings, pins, scripts or named files may have changed."""
        self.session.forget()
        self.show_settings_problems()
        self.refresh(list(self.session.documents.values()))
        self.publish_closed_files()

    def show_settings_problems(self) -> None:
        """Tell the user, once, what is wrong in the settings."""
        for problem in self.session.problems_of_settings():
            if problem not in self.shown_problems:
                self.shown_problems.add(problem)
                told = f"grpo-lint: {self.client.language.text(problem)}"
                self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, told))

    # --- settings

    def ask_for_settings(self) -> None:
        """Ask the client for its settings: the global ones, and those of each workspace folder."""
        folders = [(folder.uri, _path(folder.uri)) for folder in self.workspace.folders.values()]
        items = [
            types.ConfigurationItem(section=SECTION),
            *(types.ConfigurationItem(uri, SECTION) for uri, _ in folders),
        ]

        def take(asked: "Future[Any]") -> None:
            answers = None if asked.cancelled() or asked.exception() else asked.result()
            if not isinstance(answers, (list, tuple)) or len(answers) != len(items):
                return
            general, *of_folders = answers
            self.session.settings_of_folders = {
                path: read_settings(answer)
                for (_, path), answer in zip(folders, of_folders)
                if path and not says_nothing(answer)
            }
            self.take_settings(general)

        self.workspace_configuration(types.ConfigurationParams(items)).add_done_callback(take)

    def take_settings(self, value: "Any") -> None:
        """Take new settings from the client. Where they are empty, those from its start are in force."""
        self.session.settings = self.initial if says_nothing(value) else read_settings(value)
        self.reload_surroundings()


def _notebooks() -> "types.NotebookDocumentSyncOptions":
    """The notebooks of which the client reports all cells, since other servers see them too."""
    jupyter = [types.NotebookDocumentFilterWithNotebook(types.NotebookDocumentFilterNotebookType("jupyter-notebook", scheme=scheme))
               for scheme in ("file", "untitled")]  # fmt: skip
    return types.NotebookDocumentSyncOptions(jupyter)


def _pause(document: "Document") -> float:
    """How long to wait for the next key before a document is checked, in seconds."""
    return min(document.cost, _LONGEST_PAUSE) if document.cost > _SLOW else 0


# --- life cycle -----------------------------------------------------------------------------------------------------


def initialize(ls: "Server", params: "types.InitializeParams") -> None:
    capabilities = params.capabilities
    ls.session = Session(
        str(getattr(ls.workspace.position_encoding, "value", ls.workspace.position_encoding)), ls.policy
    )
    ls.session.settings = ls.initial = read_settings(params.initialization_options)
    ls.client = client_of(capabilities, SHOW_PLAN, params.locale)
    # A client that requests diagnostics and cannot be told to request them again would miss a change in another file.
    # It is sent them instead.
    ls.pulls = at(capabilities, "text_document.diagnostic") is not None and bool(
        at(capabilities, "workspace.diagnostics.refresh_support")
    )
    if ls.pulls:
        options = types.DiagnosticOptions(
            inter_file_dependencies=True, workspace_diagnostics=ls.initial.workspace_diagnostics, identifier="grpo-lint"
        )
        ls.feature(types.WORKSPACE_DIAGNOSTIC)(workspace_diagnostic)
        ls.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)(document_diagnostic)
    ls.ask_for_folders()
    # Names in messages are relative to the open folder, as on the command line.
    folder = next(iter(ls.folders()), None)
    if folder and os.path.isdir(folder):
        os.chdir(folder)


def initialized(ls: "Server", params: "types.InitializedParams") -> None:
    registrations = []
    if ls.supports("workspace.did_change_watched_files.dynamic_registration"):
        options = types.DidChangeWatchedFilesRegistrationOptions(
            [types.FileSystemWatcher(pattern) for pattern in _WATCHED]
        )
        registrations.append(types.Registration("watched-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
    if ls.supports("workspace.did_change_configuration.dynamic_registration"):
        about = types.DidChangeConfigurationRegistrationOptions(SECTION)
        registrations.append(types.Registration("configuration", types.WORKSPACE_DID_CHANGE_CONFIGURATION, about))
    if ls.pages.are_asked_for():
        pages = types.TextDocumentContentRegistrationOptions([SCHEME])
        registrations.append(types.Registration("pages", types.WORKSPACE_TEXT_DOCUMENT_CONTENT, pages))
    if registrations:
        ls.client_register_capability(types.RegistrationParams(registrations))
    if ls.supports("workspace.configuration"):
        ls.ask_for_settings()
    else:
        ls.publish_closed_files()
    ls.show_settings_problems()


def ending(ls: "Server", params: object = None) -> None:
    ls.drop_work()


def configuration_changed(ls: "Server", params: "types.DidChangeConfigurationParams") -> None:
    if ls.supports("workspace.configuration"):
        ls.ask_for_settings()
    else:
        ls.take_settings(params.settings)


def folders_changed(ls: "Server", params: "types.DidChangeWorkspaceFoldersParams") -> None:
    ls.ask_for_folders()
    if ls.supports("workspace.configuration"):
        ls.ask_for_settings()
    else:
        ls.reload_surroundings()


def watched_files_changed(ls: "Server", params: "types.DidChangeWatchedFilesParams") -> None:
    ls.pulled = None
    paths = [_path(event.uri) for event in params.changes]
    for path in paths:
        ls.session.closed_files.pop(path or "", None)
    if any(path and ls.session.matters(path) for path in paths):
        ls.reload_surroundings()
    elif ls.pulls_workspace:
        ls.workspace_diagnostic_refresh(None)


# --- documents ------------------------------------------------------------------------------------------------------


def did_open(ls: "Server", params: "types.DidOpenTextDocumentParams") -> None:
    item = params.text_document
    if _is_cell(ls, item.uri):  # it came with its notebook
        return
    document = ls.session.open(item.uri, _path(item.uri), item.version, item.text, str(item.language_id))
    if document is not None:
        if ls.pulls and item.uri in ls.closed:  # the client requests it from now on
            ls.send_diagnostics(item.uri, [])
        ls.closed.discard(item.uri)
        ls.changed(document)
        ls.show_settings_problems()


def _path(uri: str) -> "str | None":
    """The path of a file's URI; None where it cannot be a path."""
    try:
        path = to_fs_path(uri) if uri.startswith("file:") else None
        return path if path and os.fsencode(path) and "\0" not in path else None
    except ValueError:  # not a URI, or one with half of a surrogate pair
        return None


def did_change(ls: "Server", params: "types.DidChangeTextDocumentParams") -> None:
    document = ls.session.documents.get(params.text_document.uri)
    if document is not None and document is document.whole:
        ls.session.change(document, params.text_document.version, _plain_changes(params.content_changes))
        ls.edited(document)


def _plain_changes(changes: "Iterable[types.TextDocumentContentChangeEvent]") -> "list[tuple[Json | None, str]]":
    """[(range as in LSP or None for the whole text, new text)] of an editor's changes."""
    return [(_plain_range(getattr(change, "range", None)), change.text) for change in changes]


def _plain_range(where: "types.Range | None") -> "Json | None":
    if where is None:
        return None
    return {
        name: {"line": place.line, "character": place.character}
        for name, place in (("start", where.start), ("end", where.end))
    }


def did_save(ls: "Server", params: "types.DidSaveTextDocumentParams") -> None:
    """Handle a saved file. It may take part in the check of others where the client does not watch files."""
    if not ls.supports("workspace.did_change_watched_files.dynamic_registration"):
        ls.reload_surroundings()


def did_close(ls: "Server", params: "types.DidCloseTextDocumentParams") -> None:
    uri = params.text_document.uri
    document = ls.session.documents.get(uri)
    if document is not None and document is document.whole:
        ls.session.close(document)
        ls.sent.pop(uri, None)
        if not ls.pulls:
            ls.send_diagnostics(uri, [])
        ls.publish_closed_files()
        ls.refresh(ls.session.affected_by(document))  # the text on the disk is in force again


# --- notebooks ------------------------------------------------------------------------------------------------------


def _is_cell(ls: "Server", uri: str) -> bool:
    document = ls.session.documents.get(uri)
    return document is not None and document is not document.whole


def notebook_opened(ls: "Server", params: "types.DidOpenNotebookDocumentParams") -> None:
    about = params.notebook_document
    texts = {item.uri: item for item in params.cell_text_documents}
    notebook = ls.session.open_notebook(about.uri, _path(about.uri), [_cell(each, texts) for each in about.cells])
    ls.changed(notebook)
    ls.show_settings_problems()


def _cell(cell: "types.NotebookCell", texts: "dict[str, types.TextDocumentItem]") -> "Cell":
    from .notebooks import Cell

    item = texts.get(cell.document)
    is_code = cell.kind == types.NotebookCellKind.Code and item is not None and item.language_id == "python"
    return Cell(cell.document, item.version if item else None, item.text if item else "", is_code)


def notebook_changed(ls: "Server", params: "types.DidChangeNotebookDocumentParams") -> None:
    from .notebooks import Notebook

    notebook = ls.session.documents.get(params.notebook_document.uri)
    changed = params.change.cells
    if not isinstance(notebook, Notebook) or changed is None:
        return
    cells = list(notebook.cells)
    if changed.structure is not None:
        _change_structure(cells, changed.structure)
    edited = None
    for content in changed.text_content or ():
        edited = next((cell for cell in cells if cell.uri == content.document.uri), None)
        if edited is not None:
            edited.text = ls.session.changed(edited.text, _plain_changes(content.changes))
            edited.version = content.document.version
    gone = [cell for cell in notebook.cells if cell not in cells]
    ls.session.change_notebook(notebook, cells, edited)
    ls.forget_cells(gone)
    ls.changed(notebook)


def _change_structure(cells: "list[Cell]", structure: "types.NotebookDocumentCellChangeStructure") -> None:
    """Put new cells, and cells that have moved, in the place of others."""
    texts = {item.uri: item for item in structure.did_open or ()}
    known = {cell.uri: cell for cell in cells if cell.uri not in texts}
    array = structure.array
    made = [known.get(each.document) or _cell(each, texts) for each in array.cells or ()]
    cells[array.start : array.start + array.delete_count] = made


def notebook_closed(ls: "Server", params: "types.DidCloseNotebookDocumentParams") -> None:
    from .notebooks import Notebook

    notebook = ls.session.documents.get(params.notebook_document.uri)
    if isinstance(notebook, Notebook):
        ls.forget_cells(notebook.cells)
        ls.session.change_notebook(notebook, [])
        ls.session.close(notebook)


async def document_diagnostic(
    ls: "Server", params: "types.DocumentDiagnosticParams"
) -> "types.DocumentDiagnosticReport":
    document = ls.session.documents.get(params.text_document.uri)
    if document is None or not ls.is_asked_for(document):
        return types.RelatedFullDocumentDiagnosticReport([])
    try:
        await ls.report(document)
    except JsonRpcContentModified as outdated:
        raise JsonRpcException(outdated.message, _SERVER_CANCELLED, {"retriggerRequest": True}) from None
    number, found = ls.diagnostics(document)
    if params.previous_result_id == str(number):
        return types.RelatedUnchangedDocumentDiagnosticReport(str(number))
    return types.RelatedFullDocumentDiagnosticReport(
        ls.structured(found, list[types.Diagnostic]), result_id=str(number)
    )


async def workspace_diagnostic(
    ls: "Server", params: "types.WorkspaceDiagnosticParams"
) -> "types.WorkspaceDiagnosticReport":
    """The diagnostics of the files of the workspace, file by file, so that a cancellation stops it in between; of those that are
    known already only that they are. Nothing where the settings do not ask for it."""
    ls.begin_to_pull()
    known = {each.uri: each.value for each in params.previous_result_ids}
    found: list[types.WorkspaceFullDocumentDiagnosticReport | types.WorkspaceUnchangedDocumentDiagnosticReport] = []
    documents = await _pulled(ls) if ls.session.settings.workspace_diagnostics else []
    for document in (each for each in documents if each.shown_as() == [each]):  # cells are requested by themselves
        if document.report is None:
            await asyncio.sleep(0)
        number, shown = ls.diagnostics(document)
        before = known.pop(document.uri, None)
        if before == str(number):
            same = types.WorkspaceUnchangedDocumentDiagnosticReport(document.uri, before, document.version)
            found.append(same)
        elif shown or before is not None:
            items = ls.structured(shown, list[types.Diagnostic])
            found.append(
                types.WorkspaceFullDocumentDiagnosticReport(
                    document.uri, items, document.version, result_id=str(number)
                )
            )
    gone = (uri for uri in known if uri not in ls.session.documents)  # what is open is requested by itself
    found += [types.WorkspaceFullDocumentDiagnosticReport(uri, []) for uri in gone]
    return types.WorkspaceDiagnosticReport(found)


async def _pulled(ls: "Server") -> "list[Document]":
    """The files of the workspace that may be checked, open or not, remembered where the client says which of them change."""
    from .workspace import documents

    if ls.pulled is not None:
        return [ls.session.documents.get(each.uri, each) for each in ls.pulled]
    found, whole = [], ls.session.closed_files
    for document in documents(ls.session, ls.folders(), whole):
        await asyncio.sleep(0)
        if document is not None and document is document.whole:
            found.append(document)
    if whole is ls.session.closed_files and ls.supports("workspace.did_change_watched_files.dynamic_registration"):
        ls.pulled = found
    return found


# --- what a user asks for -------------------------------------------------------------------------------------------


async def _asked(ls: "Server", params: "Any") -> "tuple[Document, View] | None":
    """(document, its View) for a request; None for a document that is not checked."""
    document = ls.session.documents.get(params.text_document.uri)
    if document is None:
        return None
    await ls.report(document)
    return document, ls.session.view(document)


async def _asked_alone(ls: "Server", params: "Any") -> "tuple[Document, View] | None":
    """(document, its View) for a request; None for one that is not checked, and for Python, where another server knows more."""
    document = ls.session.documents.get(params.text_document.uri)
    return None if document is None or document.is_program else await _asked(ls, params)


def _offset(ls: "Server", document: "Document", place: "types.Position") -> int:
    """The offset of a place in the text that is checked."""
    if document is not document.whole:
        return ls.session.view(document).offset(place.line, place.character, ls.session.encoding) or 0
    return document.text.encoded_offset(place.line, place.character, ls.session.encoding)


async def on_hover(ls: "Server", params: "types.HoverParams") -> "types.Hover | None":
    asked = await _asked(ls, params)
    if asked is None:
        return None
    view, encoding = asked[1], ls.session.encoding
    offset = view.offset(params.position.line, params.position.character, encoding)
    if offset is None:
        return None
    found = view.shown(hover(view.report, offset, encoding, ls.client.explains, ls.client.language), encoding)
    if found and not ls.client.markdown:
        found["contents"] = {"kind": "plaintext", "value": plain(found["contents"]["value"])}
    return ls.structured(found, types.Hover) if found else None


def on_completion(ls: "Server", params: "types.CompletionParams") -> "Json | None":
    document = ls.session.documents.get(params.text_document.uri)
    if document is None or document.is_too_large:
        return None
    offset = document.text.encoded_offset(params.position.line, params.position.character, ls.session.encoding)
    known, context = _known(ls, document.whole), ls.session.context(document.whole)
    if not document.is_program:
        items = completion(document.text, offset, known, context, ls.session.encoding)
    elif not has_launches(known) and document.is_foreign():  # nearly all Python files
        return None
    else:
        from .python_completion import in_python

        items = in_python(document.text, offset, known, context, ls.session.encoding, document.beside())
    # plain objects, since hundreds of items would become objects of the protocol library only to become these again
    return {"isIncomplete": False, "items": [_as_announced(ls.client, item) for item in items]}


def _known(ls: "Server", document: "Document") -> "Report | None":
    """The report that completion uses: of the text, where it is known or quickly made and has a launch, else the last one
    that had."""
    if document.report is None and not _pause(document):
        ls.session.report(document)
    return document.report if has_launches(document.report) else document.good or document.report


def _as_announced(client: "Client", item: "Json") -> "Json":
    """A completion as a client shows it, in its language."""
    for name in ("detail", "documentation"):
        if isinstance(item.get(name), Message):
            item[name] = client.language.text(item[name])
    if not client.completion_tags:
        item.pop("tags", None)
    edit, snippet = item["textEdit"], item.pop("snippet", None)
    if snippet and client.snippets:
        edit["newText"], item["insertTextFormat"] = snippet, AS_SNIPPET
    elif not client.snippets and item.pop("insertTextFormat", None):
        edit["newText"] = item["documentation"]
    if client.inserts_or_replaces:  # half of an old word behind a new one is never meant
        item["textEdit"] = {"newText": edit["newText"], "insert": edit["range"], "replace": edit["range"]}
    if item.pop("goes_on", False) and client.suggests:
        item["command"] = {"title": "", "command": client.suggests}
    return item


def _listing(
    find: "Callable[[Server, Any, Document, View], list[Json]]", kind: "type[Kind]", alone: bool = False
) -> "Callable[..., Any]":
    """A request that is answered by a list, empty for a document that is not checked. `alone`: and for Python, where another
    server knows more."""

    async def answer(ls: "Server", params: "Any") -> "list[Kind]":
        asked = await (_asked_alone if alone else _asked)(ls, params)
        if asked is None:
            return []
        document, view = asked
        found = view.shown(rendered(find(ls, params, document, view), ls.client.language), ls.session.encoding)
        return ls.structured(found, list[kind])  # type: ignore[valid-type]  # it is a class of the protocol library

    return answer


def _hints(ls: "Server", params: "types.InlayHintParams", document: "Document", view: "View") -> "list[Json]":
    if not ls.session.client_settings(document).inlay_hints:
        return []
    first, last = view.span(params.range, ls.session.encoding)
    return inlay_hints(view.report, first, last, ls.session.encoding, ls.client.language)


def _lenses(ls: "Server", params: "types.CodeLensParams", document: "Document", view: "View") -> "list[Json]":
    if not ls.session.client_settings(document).code_lens:
        return []
    return code_lenses(view.report, document.uri, ls.session.encoding)


def _symbols(ls: "Server", params: "types.DocumentSymbolParams", document: "Document", view: "View") -> "list[Json]":
    return symbols(view.report, ls.session.encoding)


def _definitions(ls: "Server", params: "types.DefinitionParams", document: "Document", view: "View") -> "list[Json]":
    encoding = ls.session.encoding
    offset = view.offset(params.position.line, params.position.character, encoding)
    return [] if offset is None else definition(view.report, document.path, document.uri, offset, encoding)


def _links(ls: "Server", params: "types.DocumentLinkParams", document: "Document", view: "View") -> "list[Json]":
    return links(view.report, document.path, ls.session.encoding)


def _references(ls: "Server", params: "types.ReferenceParams", document: "Document", view: "View") -> "list[Json]":
    from .occurrences import references

    encoding = ls.session.encoding
    offset = view.offset(params.position.line, params.position.character, encoding)
    with_itself = params.context.include_declaration
    return [] if offset is None else references(view.report, document.uri, offset, encoding, with_itself)


def _folds(ls: "Server", params: "types.FoldingRangeParams", document: "Document", view: "View") -> "list[Json]":
    from .occurrences import folds

    return [] if view.is_earlier else folds(view.report)


async def on_highlight(ls: "Server", params: "types.DocumentHighlightParams") -> "list[types.DocumentHighlight] | None":
    """The places that say the same setting; None where there is none, so that an editor shows the same words."""
    from .occurrences import highlights

    asked = await _asked_alone(ls, params)
    if asked is None:
        return None
    view, encoding = asked[1], ls.session.encoding
    offset = view.offset(params.position.line, params.position.character, encoding)
    found = [] if offset is None else view.shown(highlights(view.report, offset, encoding), encoding)
    return ls.structured(found, list[types.DocumentHighlight]) if found else None


async def on_prepare_rename(ls: "Server", params: "types.PrepareRenameParams") -> "types.Range | None":
    """The name of the key at a place; None where there is none, and for Python, where another server renames."""
    from .occurrences import name_at

    asked = await _asked_alone(ls, params)
    if asked is None or asked[1].is_earlier:
        return None
    text, encoding = asked[0].text, ls.session.encoding
    span = name_at(asked[1].report, _offset(ls, asked[0], params.position))
    return ls.structured(lsp_range(text, span, encoding), types.Range) if span is not None else None


async def on_rename(ls: "Server", params: "types.RenameParams") -> "types.WorkspaceEdit | None":
    """Another name for a key, wherever the runs of its file say it: in the config, in flags of scripts, in Python."""
    from .occurrences import renamed

    asked = await _asked_alone(ls, params)
    if asked is None or asked[1].is_earlier:
        return None
    document = asked[0]
    found = renamed(asked[1].report, _offset(ls, document, params.position), params.new_name)
    if not found:
        raise JsonRpcInvalidParams(f"{params.new_name!r} cannot be the name of this key")
    (_, edits), *beside = found
    return ls.structured(
        workspace_edit(document, edits, ls.session.encoding, ls.client, beside=beside), types.WorkspaceEdit
    )


async def on_workspace_symbol(ls: "Server", params: "types.WorkspaceSymbolParams") -> "list[types.SymbolInformation]":
    """The runs of the workspace, of files that are not open as well; these are read once, until one changes."""
    from .occurrences import MOST_RUNS, matches, runs
    from .workspace import documents

    found: list[Json] = []
    opened = [document for document in ls.session.documents.values() if document is document.whole]
    closed = documents(ls.session, ls.folders(), ls.session.closed_files)
    for document in chain(opened, (each for each in closed if each not in opened)):
        await asyncio.sleep(0)
        if document is not None and len(found) < MOST_RUNS:
            told = runs(ls.session.report(document), document.uri, ls.session.encoding)
            found += [each for each in rendered(told, ls.client.language) if matches(params.query, each)]
    return ls.structured(found[:MOST_RUNS], list[types.SymbolInformation])


async def on_code_action(ls: "Server", params: "types.CodeActionParams") -> "list[types.CodeAction]":
    """Compute the actions piece by piece; a newer text or a cancellation stops it in between."""
    asked = await _asked(ls, params)
    if asked is None:
        return []
    shown_in, document = asked[0], asked[0].whole
    await ls.yield_if_stale(document, _A_MOMENT)
    first, last = (_offset(ls, shown_in, place) for place in (params.range.start, params.range.end))
    only = params.context.only and [getattr(kind, "value", kind) for kind in params.context.only]
    shown = {
        (str(each.code), _offset(ls, shown_in, each.range.start))
        for each in params.context.diagnostics[:_MOST_SHOWN]
        if each.source in (None, "grpo-lint")
    }
    found = []
    for action in actions(ls.session, document, first, last, only, ls.client, shown):
        if action is None:
            await ls.yield_if_stale(document)
            continue
        if shown_in is not document and "diagnostics" in action:
            action["diagnostics"] = ls.session.view(shown_in).shown(action["diagnostics"], ls.session.encoding)
        found.append(action)
    if not ls.client.lazy_edits:
        for action in found:
            complete(ls.session, document, action, ls.client)
        found = [action for action in found if not _FILLED.isdisjoint(action)]
    return ls.structured(rendered(found, ls.client.language), list[types.CodeAction])


async def on_resolve_action(ls: "Server", params: "types.CodeAction") -> "types.CodeAction":
    data = params.data if isinstance(params.data, dict) else {}
    document = ls.session.documents.get(str(data.get("uri")))
    action = ls.protocol._converter.unstructure(params)
    if document is not None:
        await ls.report(document)
        for _ in searching(ls.session, document, action):
            await ls.yield_if_stale(document)
        complete(ls.session, document, action, ls.client)
    return ls.structured(rendered(action, ls.client.language), types.CodeAction)


async def fix_all_files(ls: "Server") -> str:
    """Apply all safe fixes in the files of the workspace as one edit. Answers with a sentence that says what was
    done."""
    from .workspace import fixes, joined

    edits = []
    for edit in fixes(ls.session, ls.folders(), ls.client):
        if edit is None:
            await asyncio.sleep(0)
        else:
            edits.append(edit)
    say = ls.client.language.text
    if not edits:
        return say(Message("There is nothing to fix that leaves the training as it is."))
    label = say(Message("Fix all (grpo-lint)"))
    whole = ls.structured(rendered(joined(edits), ls.client.language), types.WorkspaceEdit)
    answer = await ls.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(whole, label))
    if not answer.applied:
        return say(Message("The editor did not apply the edit."))
    return say(Message("Fixed {files}.", {"files": plural(len(edits), "file")}))


async def show_plan(
    ls: "Server",
    where: dict,  # type: ignore[type-arg]  # pygls reads these annotations
) -> "str | None":
    """The whole plan of a file as `grpo-lint explain` prints it: as text, or as a web page where `format` is "html". A
    client that shows no answers of commands is asked to open it as a document that follows the text, or is sent it as a
    message."""
    document = ls.session.documents.get(where.get("uri", ""))
    if document is None:
        return None
    document = document.whole
    await ls.report(document)
    report = ls.session.view(document).report
    if where.get("format") == "html":
        from ..report.explain import html

        file, launches = html.part(report)
        return html.document([({**file, "path": os.path.basename(file["path"])}, launches)])
    text = ls.explanation(document)
    if text and not ls.client.shows_plan:
        ls.show(f"{os.path.basename(document.path or document.uri)}.run.txt", text, document.uri)
    return text


async def show_rule(ls: "Server", code: str) -> "str | None":
    """The page of a rule in Markdown, by its code or name, which the client is asked to open; None where there is none."""
    from ..frameworks.all_rules import find_rule
    from ..report.rule_page import page

    rule = find_rule(code) if isinstance(code, str) else None
    if rule is None:
        return None
    text = page(rule, ls.client.language)
    if ls.client.opens_documents:
        ls.show(f"{rule.code}.md", text)
    return text


def page_content(ls: "Server", params: "types.TextDocumentContentParams") -> "types.TextDocumentContentResult":
    return types.TextDocumentContentResult(ls.pages.text(params.uri))


_FEATURES: "dict[str, tuple[Callable[..., Any], Any]]" = {
    types.INITIALIZE: (initialize, None),
    types.INITIALIZED: (initialized, None),
    types.SHUTDOWN: (ending, None),
    types.EXIT: (ending, None),
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: (configuration_changed, None),
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: (folders_changed, None),
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: (watched_files_changed, None),
    types.TEXT_DOCUMENT_DID_OPEN: (did_open, None),
    types.TEXT_DOCUMENT_DID_CHANGE: (did_change, None),
    types.TEXT_DOCUMENT_DID_SAVE: (did_save, None),
    types.TEXT_DOCUMENT_DID_CLOSE: (did_close, None),
    types.NOTEBOOK_DOCUMENT_DID_OPEN: (notebook_opened, None),
    types.NOTEBOOK_DOCUMENT_DID_CHANGE: (notebook_changed, None),
    types.NOTEBOOK_DOCUMENT_DID_CLOSE: (notebook_closed, None),
    types.TEXT_DOCUMENT_HOVER: (on_hover, None),
    types.TEXT_DOCUMENT_COMPLETION: (
        on_completion,
        types.CompletionOptions(trigger_characters=[":", " ", "=", "[", "-", ".", "(", ",", '"']),
    ),
    types.TEXT_DOCUMENT_INLAY_HINT: (_listing(_hints, types.InlayHint), None),
    types.TEXT_DOCUMENT_DEFINITION: (_listing(_definitions, types.Location, alone=True), None),
    types.TEXT_DOCUMENT_DOCUMENT_LINK: (
        _listing(_links, types.DocumentLink, alone=True),
        types.DocumentLinkOptions(),
    ),
    types.TEXT_DOCUMENT_CODE_LENS: (_listing(_lenses, types.CodeLens), None),
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (_listing(_symbols, types.DocumentSymbol), None),
    types.TEXT_DOCUMENT_REFERENCES: (_listing(_references, types.Location, alone=True), None),
    types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: (on_highlight, None),
    types.TEXT_DOCUMENT_FOLDING_RANGE: (_listing(_folds, types.FoldingRange, alone=True), None),
    types.TEXT_DOCUMENT_PREPARE_RENAME: (on_prepare_rename, None),
    types.TEXT_DOCUMENT_RENAME: (on_rename, types.RenameOptions(prepare_provider=True)),
    types.WORKSPACE_SYMBOL: (on_workspace_symbol, None),
    types.TEXT_DOCUMENT_CODE_ACTION: (on_code_action, types.CodeActionOptions(list(KINDS), resolve_provider=True)),
    types.CODE_ACTION_RESOLVE: (on_resolve_action, None),
    types.WORKSPACE_TEXT_DOCUMENT_CONTENT: (page_content, None),
}


def start(policy: "Policy | None" = None) -> int:
    """Serve an editor on standard input and output until it exits. Returns the exit status that LSP asks for.

    `policy`: the `policy.Policy` of the command line, with a team's own rules.
    """
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_worth_a_line)
    logging.getLogger("pygls.server").addFilter(_as_one_line)
    protocol = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints by mistake goes to the log, not between the messages
    server = Server(policy)
    server.input = Input(sys.stdin.buffer)  # type: ignore[arg-type]  # it is a buffered one
    server.start_io(stdin=server.input, stdout=protocol)  # type: ignore[arg-type]  # it is read from, no more
    return 0 if server.protocol._shutdown else 1


def _as_one_line(record: "logging.LogRecord") -> bool:
    """Tell of a message that is none of JSON-RPC without the calls that led to it: what is wrong is not in them."""
    if record.msg == "Unable to handle message" and record.exc_info:
        record.msg, record.args, record.exc_info = "a message that cannot be read: %s", (record.exc_info[1],), None
    return True


def _is_worth_a_line(record: "logging.LogRecord") -> bool:
    """Whether to log a record. Outdated requests, and cancellations of requests already answered, are too frequent to
    log. A message that could not be read is one line."""
    if str(record.msg).startswith("Unable to deserialize"):
        record.msg, record.args = "a message that is not as LSP has it", ()
    error = record.exc_info and record.exc_info[1]
    return not (isinstance(error, JsonRpcException) and error.code in _OF_EVERY_DAY) and not str(record.msg).startswith(
        "Cancel notification"
    )
