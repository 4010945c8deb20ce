"""What the tests of the server share: a client for each kind of editor, and a file that it opens."""

import asyncio
import sys

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.protocol import default_converter
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities
from pytest_lsp.client import DEFAULT_CLIENT_FEATURES, register_lsp_features

SERVER = [sys.executable, "-m", "grpo_lint", "server"]


def vs_code():
    """A current VS Code: it asks for diagnostics, and can do nearly everything."""
    capabilities = client_capabilities("visual-studio-code")
    capabilities.text_document.diagnostic = types.DiagnosticClientCapabilities(
        dynamic_registration=True, related_document_support=False
    )
    capabilities.workspace.diagnostics = types.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    capabilities.workspace.did_change_watched_files = types.DidChangeWatchedFilesClientCapabilities(
        dynamic_registration=False
    )
    capabilities.workspace.did_change_configuration = types.DidChangeConfigurationClientCapabilities(
        dynamic_registration=False
    )
    capabilities.notebook_document = types.NotebookDocumentClientCapabilities(
        types.NotebookDocumentSyncClientCapabilities(dynamic_registration=True)
    )
    capabilities.experimental = {"grpo-lint.plan": True}  # as our extension says
    capabilities.general.position_encodings = [types.PositionEncodingKind.Utf16]
    return capabilities


def emacs():
    """Emacs with eglot as it comes: without the package markdown-mode it shows no Markdown."""
    capabilities = client_capabilities("emacs")
    capabilities.text_document.hover.content_format = [types.MarkupKind.PlainText]
    return capabilities


PROFILES = {
    "vs-code": vs_code,
    "neovim-0.11": lambda: client_capabilities("neovim@0.11"),
    "neovim-0.9": lambda: client_capabilities("neovim@0.9"),
    "emacs": emacs,
}


class Editor:
    """A client that has been greeted, and what tests do with it."""

    def __init__(self, client, folder):
        self.client = client
        self.folder = folder
        self.answer = None

    async def greet(self, profile, options=None, folders=None):
        """Start a session as one of the PROFILES would, with the folder of the test open."""
        folders = [self.folder] if folders is None else folders
        self.answer = await self.client.initialize_session(
            types.InitializeParams(
                capabilities=PROFILES[profile](),
                workspace_folders=[types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders],
                initialization_options=options,
            )
        )
        await self.answered()  # by then the server has asked for its settings
        return self.answer.capabilities

    def open(self, name, text, language="yaml", version=1):
        """Open a file of the folder with a text that need not be on the disk. Returns its URI."""
        uri = (self.folder / name).as_uri()
        self.client.text_document_did_open(
            types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, language, version, text))
        )
        return uri

    def edit(self, uri, version, *changes):
        """Change an open text: each change is ((line, character), (line, character), new text), or a whole new text."""
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(version=version, uri=uri), [_change(change) for change in changes]
            )
        )

    async def pushed(self, uri, version=None):
        """The diagnostics of a document once they have been sent, if a version is given for that one."""
        while uri not in self.client.diagnostics or (version is not None and self.client.versions.get(uri) != version):
            await self.client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        return self.client.diagnostics[uri]

    async def has_pushed(self, uri, count):
        """Wait until a document has so many diagnostics; after a slow check the server waits for a pause in typing."""
        while len(await self.pushed(uri)) != count:
            await asyncio.wait_for(self.client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS), 60)

    async def pulled(self, uri, previous=None):
        """The answer to a request for diagnostics."""
        return await self.client.text_document_diagnostic_async(
            types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri), previous_result_id=previous)
        )

    async def pulled_all(self, previous=()):
        """The answer to a request for the diagnostics of the workspace: {name of a file: its codes, None for unchanged},
        and {URI: number} for the next request."""
        ids = [types.PreviousResultId(uri, value) for uri, value in dict(previous).items()]
        found = await self.client.workspace_diagnostic_async(types.WorkspaceDiagnosticParams(ids))
        codes = {
            each.uri.rpartition("/")[2]: None if each.kind == "unchanged" else [one.code for one in each.items]
            for each in found.items
        }
        return codes, {each.uri: each.result_id for each in found.items if each.result_id}

    async def hover(self, uri, line, character):
        found = await self.client.text_document_hover_async(
            types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
        )
        return found and found.contents.value

    async def complete(self, uri, line, character):
        found = await self.client.text_document_completion_async(
            types.CompletionParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
        )
        return {item.label: item for item in found.items}

    async def actions(self, uri, first, last, only=None):
        """The code actions for the lines from first to last, but those that open a page: the library of the client takes an
        action with a command for a command (`test_pages` asks for them)."""
        where = types.Range(types.Position(first, 0), types.Position(last, 0))
        found = await self.client.text_document_code_action_async(
            types.CodeActionParams(types.TextDocumentIdentifier(uri), where, types.CodeActionContext([], only))
        )
        return tuple(each for each in found if isinstance(each, types.CodeAction))

    async def answered(self):
        """Wait until the server has worked through everything that was sent before."""
        await self.client.text_document_document_symbol_async(
            types.DocumentSymbolParams(types.TextDocumentIdentifier((self.folder / "nothing.yaml").as_uri()))
        )


def _change(change):
    if isinstance(change, str):
        return types.TextDocumentContentChangeWholeDocument(change)
    start, end, text = change
    return types.TextDocumentContentChangePartial(types.Range(types.Position(*start), types.Position(*end)), text)


def published(client: LanguageClient, params: types.PublishDiagnosticsParams):
    client.diagnostics[params.uri] = params.diagnostics
    client.versions[params.uri] = params.version
    client.published += 1


def registered(client: LanguageClient, params: types.RegistrationParams):
    client.registered += [registration.method for registration in params.registrations]


def refreshed(client: LanguageClient, params: None):
    client.refreshed += 1


def shown(client: LanguageClient, params: types.ShowMessageParams):
    client.messages.append(params)


def asked_to_open(client: LanguageClient, params: types.ShowDocumentParams):
    client.asked.append(params)
    return types.ShowDocumentResult(client.opens)


def make_client():
    client = LanguageClient(converter_factory=default_converter)
    client.versions, client.published, client.registered, client.refreshed = {}, 0, [], 0
    client.asked, client.opens = [], True  # the documents that it was asked to open, and whether it can
    own = {
        types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: published,
        types.CLIENT_REGISTER_CAPABILITY: registered,
        types.WINDOW_SHOW_MESSAGE: shown,
        types.WINDOW_SHOW_DOCUMENT: asked_to_open,
    }
    own |= {types.WORKSPACE_INLAY_HINT_REFRESH: refreshed, types.WORKSPACE_CODE_LENS_REFRESH: refreshed}
    register_lsp_features(client, {**DEFAULT_CLIENT_FEATURES, **own})
    return client


CONFIG = ClientServerConfig(server_command=SERVER, client_factory=make_client)


@pytest_lsp.fixture(config=CONFIG)
async def client(client: LanguageClient):
    yield
    await client.shutdown_session()


@pytest.fixture
def editor(client, tmp_path):
    return Editor(client, tmp_path)
