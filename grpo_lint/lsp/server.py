"""The server: the Language Server Protocol 3.17 over standard input and output. What it says is worked out elsewhere."""

import asyncio
import os

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.uris import to_fs_path

from .. import __version__
from .actions import KINDS, actions, edit_of_fix, edit_of_fix_all
from .completion import completion
from .diagnostics import Client, diagnostics
from .hints import SHOW_PLAN, code_lenses, inlay_hints, symbols
from .hover import hover
from .session import Session
from .settings import SECTION, read_settings

# A check that takes longer than this waits for a pause in typing; nearly all are done before the next key.
_SLOW, _LONGEST_PAUSE = 0.02, 0.3  # seconds
# Before fixes are searched for, a newer text or a cancellation gets this long to arrive.
_A_MOMENT = 0.01  # seconds
_WATCHED = (
    "**/{pyproject.toml,.grpo-lint.toml,grpo-lint.toml}",
    "**/{setup.py,setup.cfg,environment.yml,environment.yaml,Pipfile.lock,poetry.lock,uv.lock,pdm.lock}",
    "**/*requirements*.{txt,in}",
    "**/*.{sh,bash,slurm,sbatch}",
    "**/*.{yaml,yml,json}",
)


class Protocol(LanguageServerProtocol):
    """pygls keeps texts of its own, and cuts lines where LSP does not: ours are in the session."""

    lsp_text_document__did_open = lsp_text_document__did_change = lsp_text_document__did_close = None


class Server(LanguageServer):
    """One editor's server."""

    def __init__(self):
        super().__init__("grpo-lint", __version__, protocol_cls=Protocol)
        self.session = Session()
        self.client = Client()
        self.pulls = False  # whether the client asks for diagnostics; else they are sent to it
        self.told = {}  # URI -> (number, diagnostics) that the client has
        self.complained = set()
        self.pending = {}  # URI -> handle of a check that waits for a pause in typing
        for method, (handler, options) in _FEATURES.items():
            self.feature(method, options)(handler)
        self.command(SHOW_PLAN)(show_plan)

    def structured(self, plain, kind):
        """An LSP object as the protocol library wants it."""
        return self.protocol._converter.structure(plain, kind)

    def supports(self, path):
        """Whether the client announced a capability, such as `workspace.configuration`."""
        return bool(_at(self.client_capabilities, path))

    # --- diagnostics

    def diagnostics(self, document):
        """(number, diagnostics) of a document; the number is a new one when they are."""
        report = self.session.report(document)
        found = diagnostics(document, report, self.session.encoding, self.client)
        number, before = self.told.get(document.uri, (0, None))
        if found != before:
            number += 1
        self.told[document.uri] = number, found
        return number, found

    def changed(self, document):
        """A document has a new text: tell what is found in it, and in those that depend on it."""
        waiting = self.pending.pop(document.uri, None)
        if waiting is not None:
            waiting.cancel()
        if document.cost > _SLOW:
            pause = min(document.cost, _LONGEST_PAUSE)
            self.pending[document.uri] = asyncio.get_running_loop().call_later(pause, self._check, document)
        else:
            self._check(document)

    def _check(self, document):
        self.pending.pop(document.uri, None)
        if self.session.documents.get(document.uri) is not document:
            return
        if not self.pulls:
            self.publish(document)
        self.refresh(self.session.affected_by(document))

    def publish(self, document):
        """Send the diagnostics of a document to a client that does not ask for them."""
        found = self.structured(self.diagnostics(document)[1], list[types.Diagnostic])
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(document.uri, found, document.version))

    def refresh(self, documents):
        """Bring up to date what the client knows of documents whose surroundings have changed."""
        before = {document.uri: self.told[document.uri] for document in documents if document.uri in self.told}
        stale = [document for document in documents if document.uri in before and self.diagnostics(document) != before[document.uri]]
        for document in stale:
            if not self.pulls:
                self.publish(document)
        if stale and self.pulls and self.supports("workspace.diagnostics.refresh_support"):
            self.workspace_diagnostic_refresh(None)
        if stale and self.supports("workspace.inlay_hint.refresh_support"):
            self.workspace_inlay_hint_refresh(None)
        if stale and self.supports("workspace.code_lens.refresh_support"):
            self.workspace_code_lens_refresh(None)

    def look_around(self):
        """Settings, pins, scripts or named files may have changed: check everything that is open again."""
        self.session.forget()
        self.complain()
        self.refresh(list(self.session.documents.values()))

    def complain(self):
        """Tell the user, once, what is wrong in the settings."""
        for problem in self.session.problems_of_settings():
            if problem not in self.complained:
                self.complained.add(problem)
                self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, f"grpo-lint: {problem}"))

    # --- settings

    def ask_for_settings(self):
        """Ask the client for its settings: those of all files, and of each workspace folder."""
        folders = [(folder.uri, to_fs_path(folder.uri)) for folder in self.workspace.folders.values()]
        items = [types.ConfigurationItem(section=SECTION), *(types.ConfigurationItem(uri, SECTION) for uri, _ in folders)]

        def take(answers):
            general, *of_folders = answers
            if general is not None:
                self.session.settings = read_settings(general)
            self.session.settings_of_folders = {
                path: read_settings(answer) for (_, path), answer in zip(folders, of_folders) if path and answer is not None
            }
            self.look_around()

        self.workspace_configuration(types.ConfigurationParams(items), take)


def _at(tree, path):
    """The capability at a path, None where there is none."""
    for name in path.split("."):
        tree = getattr(tree, name, None)
    return tree


# --- life cycle -----------------------------------------------------------------------------------------------------


def initialize(ls, params):
    capabilities = params.capabilities
    ls.session = Session(str(getattr(ls.workspace.position_encoding, "value", ls.workspace.position_encoding)))
    ls.session.settings = read_settings(params.initialization_options)
    taken = _at(capabilities, "text_document.publish_diagnostics")
    ls.client = Client(
        related=bool(_at(taken, "related_information")),
        tags=[tag.value for tag in _at(taken, "tag_support.value_set") or ()],
        code_description=bool(_at(taken, "code_description_support")),
        data=bool(_at(taken, "data_support")),
        document_changes=bool(_at(capabilities, "workspace.workspace_edit.document_changes")),
        annotations=bool(_at(capabilities, "workspace.workspace_edit.change_annotation_support")),
        lazy_edits="edit" in (_at(capabilities, "text_document.code_action.resolve_support.properties") or ()),
    )
    ls.pulls = _at(capabilities, "text_document.diagnostic") is not None
    if ls.pulls:
        options = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier="grpo-lint")
        ls.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)(document_diagnostic)
    # names in messages are those of the command line: relative to the folder that is open
    folder = next((to_fs_path(folder.uri) for folder in ls.workspace.folders.values()), ls.workspace.root_path)
    if folder and os.path.isdir(folder):
        os.chdir(folder)


def initialized(ls, params):
    registrations = []
    if ls.supports("workspace.did_change_watched_files.dynamic_registration"):
        options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(pattern) for pattern in _WATCHED])
        registrations.append(types.Registration("watched-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
    if ls.supports("workspace.did_change_configuration.dynamic_registration"):
        options = types.DidChangeConfigurationRegistrationOptions(SECTION)
        registrations.append(types.Registration("configuration", types.WORKSPACE_DID_CHANGE_CONFIGURATION, options))
    if registrations:
        ls.client_register_capability(types.RegistrationParams(registrations))
    if ls.supports("workspace.configuration"):
        ls.ask_for_settings()
    ls.complain()


def configuration_changed(ls, params):
    if ls.supports("workspace.configuration"):
        ls.ask_for_settings()
    elif params.settings is not None:
        ls.session.settings = read_settings(params.settings)
        ls.look_around()


def folders_changed(ls, params):
    if ls.supports("workspace.configuration"):
        ls.ask_for_settings()
    else:
        ls.look_around()


def watched_files_changed(ls, params):
    paths = [to_fs_path(event.uri) for event in params.changes]
    if any(path and ls.session.matters(path) for path in paths):
        ls.look_around()


# --- documents ------------------------------------------------------------------------------------------------------


def did_open(ls, params):
    item = params.text_document
    path = to_fs_path(item.uri) if item.uri.startswith("file:") else None
    document = ls.session.open(item.uri, path, item.version, item.text, str(item.language_id))
    if document is not None:
        ls.changed(document)
        ls.complain()


def did_change(ls, params):
    document = ls.session.documents.get(params.text_document.uri)
    if document is not None:
        changes = [(_plain_range(getattr(change, "range", None)), change.text) for change in params.content_changes]
        ls.session.change(document, params.text_document.version, changes)
        ls.changed(document)


def _plain_range(where):
    if where is None:
        return None
    return {name: {"line": place.line, "character": place.character} for name, place in (("start", where.start), ("end", where.end))}


def did_save(ls, params):
    """What a client that watches no files saves may be what others are checked with."""
    if not ls.supports("workspace.did_change_watched_files.dynamic_registration"):
        ls.look_around()


def did_close(ls, params):
    uri = params.text_document.uri
    document = ls.session.documents.get(uri)
    if document is not None:
        ls.session.close(document)
        ls.told.pop(uri, None)
        if not ls.pulls:
            ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))
        ls.refresh(ls.session.affected_by(document))  # the text on the disk counts again


def document_diagnostic(ls, params):
    document = ls.session.documents.get(params.text_document.uri)
    if document is None:
        return types.RelatedFullDocumentDiagnosticReport([])
    number, found = ls.diagnostics(document)
    if params.previous_result_id == str(number):
        return types.RelatedUnchangedDocumentDiagnosticReport(str(number))
    return types.RelatedFullDocumentDiagnosticReport(ls.structured(found, list[types.Diagnostic]), result_id=str(number))


# --- what a user asks for -------------------------------------------------------------------------------------------


def _place(ls, params):
    """(document, offset) of a request about a place; (None, 0) for a document that is not ours."""
    document = ls.session.documents.get(params.text_document.uri)
    if document is None:
        return None, 0
    return document, document.text.encoded_offset(params.position.line, params.position.character, ls.session.encoding)


def _span(ls, document, where):
    return tuple(document.text.encoded_offset(place.line, place.character, ls.session.encoding) for place in (where.start, where.end))


def on_hover(ls, params):
    document, offset = _place(ls, params)
    found = document and hover(ls.session.report(document), offset, ls.session.encoding)
    return ls.structured(found, types.Hover) if found else None


def on_completion(ls, params):
    document, offset = _place(ls, params)
    if document is None:
        return None
    items = completion(document.text, offset, document.good, ls.session.surroundings(document), ls.session.encoding)
    return types.CompletionList(False, ls.structured(items, list[types.CompletionItem]))


def on_inlay_hint(ls, params):
    document = ls.session.documents.get(params.text_document.uri)
    if document is None or not ls.session.client_settings(document).inlay_hints:
        return []
    first, last = _span(ls, document, params.range)
    return ls.structured(inlay_hints(ls.session.report(document), first, last, ls.session.encoding), list[types.InlayHint])


def on_code_lens(ls, params):
    document = ls.session.documents.get(params.text_document.uri)
    if document is None or not ls.session.client_settings(document).code_lens:
        return []
    return ls.structured(code_lenses(ls.session.report(document), document.uri, ls.session.encoding), list[types.CodeLens])


def on_document_symbol(ls, params):
    document = ls.session.documents.get(params.text_document.uri)
    if document is None:
        return []
    return ls.structured(symbols(ls.session.report(document), ls.session.encoding), list[types.DocumentSymbol])


async def on_code_action(ls, params):
    document = ls.session.documents.get(params.text_document.uri)
    if document is None:
        return []
    report = await _with_fixes(ls, document)
    first, last = _span(ls, document, params.range)
    only = params.context.only and [getattr(kind, "value", kind) for kind in params.context.only]
    found = actions(document, report, ls.session.surroundings(document), first, last, only, ls.session.encoding, ls.client)
    if not ls.client.lazy_edits:
        for action in found:
            _complete(ls, document, report, action)
    return ls.structured(found, list[types.CodeAction])


async def on_resolve_action(ls, params):
    document = ls.session.documents.get((params.data or {}).get("uri"))
    action = ls.protocol._converter.unstructure(params)
    if document is not None:
        _complete(ls, document, await _with_fixes(ls, document), action)
    return ls.structured(action, types.CodeAction)


async def _with_fixes(ls, document):
    """The report of a document with fixes; what is outdated or cancelled by now is not worked on."""
    if document.report is None or not document.with_fixes:
        version = document.version
        await asyncio.sleep(_A_MOMENT)
        if document.version != version:
            raise JsonRpcContentModified("the text has changed")
    return ls.session.report(document, fixes=True)


def _complete(ls, document, report, action):
    """Give an action its edit, if it has none yet."""
    data = action.get("data")
    if action.get("edit") or not data:
        return
    if data.get("fix_all"):
        edit = edit_of_fix_all(document, ls.session.surroundings(document), ls.session.encoding, ls.client)
    else:
        edit = edit_of_fix(document, report, data, ls.session.encoding, ls.client)
    if edit is not None:
        action["edit"] = edit


def show_plan(ls, where: dict):
    """The whole plan of a file in words, as `grpo-lint explain` tells it."""
    from ..report.explain import explanation

    document = ls.session.documents.get(where.get("uri"))
    return explanation(ls.session.report(document), colour=False, width=100) if document else None


_FEATURES = {
    types.INITIALIZE: (initialize, None),
    types.INITIALIZED: (initialized, None),
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: (configuration_changed, None),
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: (folders_changed, None),
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: (watched_files_changed, None),
    types.TEXT_DOCUMENT_DID_OPEN: (did_open, None),
    types.TEXT_DOCUMENT_DID_CHANGE: (did_change, None),
    types.TEXT_DOCUMENT_DID_SAVE: (did_save, None),
    types.TEXT_DOCUMENT_DID_CLOSE: (did_close, None),
    types.TEXT_DOCUMENT_HOVER: (on_hover, None),
    types.TEXT_DOCUMENT_COMPLETION: (on_completion, types.CompletionOptions(trigger_characters=[":", " ", "=", "[", "-"])),
    types.TEXT_DOCUMENT_INLAY_HINT: (on_inlay_hint, None),
    types.TEXT_DOCUMENT_CODE_LENS: (on_code_lens, None),
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (on_document_symbol, None),
    types.TEXT_DOCUMENT_CODE_ACTION: (on_code_action, types.CodeActionOptions(list(KINDS))),
    types.CODE_ACTION_RESOLVE: (on_resolve_action, None),
}


def start():
    """Serve an editor on standard input and output until it says goodbye; returns the exit status that LSP asks for."""
    protocol = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anybody prints by mistake goes to the log, not between the messages
    server = Server()
    server.start_io(stdout=protocol)
    return 0 if server.protocol._shutdown else 1
