"""The plan of a run and the page of a rule, in an editor that opens documents when the server asks it to."""

import os
import time
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname

import pytest
import pytest_asyncio
from lsp_editor import CONFIG, PROFILES, Editor, vs_code
from lsprotocol import types

from grpo_lint.lsp.actions import EXPLAIN, actions
from grpo_lint.lsp.client import Client
from grpo_lint.lsp.session import Session

pytestmark = pytest.mark.asyncio

BAD = """\
# grpo-lint: dialect=trl version=1.16.0 world-size=7
num_generations: 8
per_device_train_batch_size: 1
gradient_accumulation_steps: 4
"""
PLAN, RULE = "grpo-lint.plan", "grpo-lint.rule"


def opening(content=False):
    """A client that opens documents and has no way of its own; `content`: and asks the server for texts."""
    capabilities = vs_code()
    capabilities.experimental = None
    capabilities.window.show_document = types.ShowDocumentClientCapabilities(True)
    if content:
        capabilities.workspace.text_document_content = types.TextDocumentContentClientCapabilities(True)
    return capabilities


@pytest_asyncio.fixture
async def desk(tmp_path, monkeypatch):
    """desk(profile, opens) -> an editor; `opens`: what it answers to the server."""
    started = []

    async def desk(capabilities, opens=True):
        client = await CONFIG.start()
        client.opens, client.outdated = opens, []

        @client.feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT_REFRESH)
        def refreshed(params: types.TextDocumentContentRefreshParams):
            client.outdated.append(params.uri)

        monkeypatch.setitem(PROFILES, "opening", lambda: capabilities)
        editor = Editor(client, tmp_path)
        await editor.greet("opening")
        started.append(client)
        return editor

    yield desk
    for client in started:
        await client.shutdown_session()
        await client.stop()
        left = [
            each.uri for each in client.asked if each.uri.startswith("file:") and os.path.lexists(file_of(each.uri))
        ]
        assert left == []  # the server has removed what it wrote


async def asked(editor, command, about):
    told = await editor.client.workspace_execute_command_async(types.ExecuteCommandParams(command, [about]))
    await editor.answered()
    return told


def file_of(uri):
    return Path(url2pathname(urlparse(uri).path))


async def until(editor, condition):
    """Wait until something holds: a page follows the text in a pause in typing."""
    end = time.monotonic() + 60
    while not condition() and time.monotonic() < end:
        await editor.answered()
    assert condition()


async def test_a_client_opens_the_plan_which_follows_the_text(desk):
    editor = await desk(opening())
    uri = editor.open("config.yaml", BAD)
    told = await asked(editor, PLAN, {"uri": uri})
    (shown,) = editor.client.asked
    page = file_of(shown.uri)
    assert page.name == "config.yaml.run.txt" and page.read_text() == told and "28 completions" in told
    editor.edit(uri, 2, BAD.replace("steps: 4", "steps: 8"))
    await until(editor, lambda: "56 completions" in page.read_text())
    await asked(editor, PLAN, {"uri": uri})
    assert [each.uri for each in editor.client.asked] == [shown.uri] * 2  # it is the same page
    assert editor.client.messages == []


async def test_a_client_that_asks_for_texts_is_told_which_of_them_are_old(desk):
    editor = await desk(opening(content=True))
    assert types.WORKSPACE_TEXT_DOCUMENT_CONTENT in editor.client.registered
    uri = editor.open("a #1.yaml", BAD)
    told = await asked(editor, PLAN, {"uri": uri})
    (shown,) = editor.client.asked
    assert shown.uri.startswith("grpo-lint:///a%20%231.yaml.run.txt?")

    async def content():
        params = types.TextDocumentContentParams(shown.uri)
        return (await editor.client.workspace_text_document_content_async(params)).text

    assert await content() == told
    editor.edit(uri, 2, BAD.replace("steps: 4", "steps: 8"))
    await until(editor, lambda: editor.client.outdated == [shown.uri])
    assert "56 completions" in await content()


async def test_a_client_opens_the_page_of_a_rule(desk):
    editor = await desk(opening())
    told = await asked(editor, RULE, "GRPO203")
    assert await asked(editor, RULE, "rollout-holds-whole-groups") == told
    first, second = editor.client.asked
    assert file_of(first.uri).name == "GRPO203.md" and file_of(first.uri).read_text() == told and first == second


async def test_what_cannot_be_opened_is_a_message(desk):
    editor = await desk(opening(), opens=False)
    uri = editor.open("config.yaml", BAD)
    told = await asked(editor, PLAN, {"uri": uri})
    await until(editor, lambda: [each.message for each in editor.client.messages] == [told])


def commands(client):
    """(command, argument) of the actions on line 2 that open something, for what a client announced."""
    session = Session()
    document = session.open("file:///nowhere/config.yaml", "/nowhere/config.yaml", 1, BAD)
    found = [each for each in actions(session, document, len(BAD.splitlines()[0]) + 2, 60, None, client) if each]
    return [
        (each["command"]["command"], *each["command"]["arguments"]) for each in found if each.get("kind") == EXPLAIN
    ]


async def test_actions_open_them_where_the_client_has_no_way_of_its_own(desk):
    """Asked as functions: the client library takes an action with a command for a command."""
    offered = commands(Client(opens_documents=True))
    assert offered == [(PLAN, {"uri": "file:///nowhere/config.yaml"}), (RULE, "GRPO203")]
    assert commands(Client()) == commands(Client(shows_plan=True)) == []
    editor = await desk(opening())
    uri = editor.open("config.yaml", BAD)
    for command, about in ((PLAN, {"uri": uri}), (RULE, "GRPO203")):
        await asked(editor, command, about)
    assert [file_of(each.uri).name for each in editor.client.asked] == ["config.yaml.run.txt", "GRPO203.md"]


async def test_an_extension_with_its_own_panel_is_asked_nothing(desk):
    capabilities = opening()
    capabilities.experimental = {PLAN: True}
    editor = await desk(capabilities)
    uri = editor.open("config.yaml", BAD)
    assert await asked(editor, PLAN, {"uri": uri}) and await asked(editor, RULE, "GRPO203")
    assert editor.client.asked == []
