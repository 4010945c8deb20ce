"""A server that is not where the editor is: started through another program, for files that only the editor reaches."""

import sys

import pytest
from lsp_editor import SERVER, Editor, make_client, vs_code
from lsprotocol import types
from pytest_lsp import ClientServerConfig

pytestmark = pytest.mark.asyncio

BAD = "# grpo-lint: dialect=trl version=1.16.0 world-size=7\nnum_generations: 8\nper_device_train_batch_size: 1\n"
# What `docker exec -i` or `ssh` do: another process hands on what both sides say.
WRAPPER = "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]))"


@pytest.mark.parametrize(
    "uri", ["vscode-remote://ssh-remote%2Bhost/project/config.yaml", "docker://image/project/config.yaml"]
)
async def test_a_server_through_another_program_answers_for_files_that_it_does_not_see(uri, tmp_path):
    client = await ClientServerConfig([sys.executable, "-c", WRAPPER, *SERVER], make_client).start()
    editor = Editor(client, tmp_path)
    capabilities = vs_code()
    capabilities.workspace.diagnostics = None  # it is sent them
    elsewhere = 4_000_000  # the process of an editor on another machine is none here
    folder = types.WorkspaceFolder(uri.rpartition("/")[0], "project")
    await client.initialize_session(
        types.InitializeParams(capabilities, process_id=elsewhere, workspace_folders=[folder])
    )
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "yaml", 1, BAD)))
    assert [each.code for each in await editor.pushed(uri, 1)] == ["GRPO203"]
    assert "**7 completions**" in await editor.hover(uri, 1, 3)
    (fix, *_) = [each for each in await editor.actions(uri, 1, 1) if each.kind == "quickfix"]
    resolved = await client.code_action_resolve_async(fix)
    assert resolved.edit.document_changes[0].text_document.uri == uri
    await client.shutdown_session()
    await client.stop()
