"""The server as editors meet it: a process that speaks LSP."""

import asyncio
import json
import re
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
import pytest_lsp
from lsp_editor import PROFILES, SERVER, Editor, client, editor, make_client  # noqa: F401  # fixtures
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

from grpo_lint.lsp.server import Server

pytestmark = [pytest.mark.asyncio, pytest.mark.slow]

BAD = """\
# grpo-lint: dialect=trl version=1.16.0 world-size=7
learning_rate: 1.0e-6
num_generations: 8
per_device_train_batch_size: 1
gradient_accumulation_steps: 4
"""
GOOD = BAD.replace("world-size=7", "world-size=8")
OPEN = (
    GOOD.partition("\n")[2] + "beta: 0.04\nuse_vllm: true\nvllm_mode: colocate\nmax_completion_length: 512\n"
)  # says neither release nor processes
MISSPELT = """\
# grpo-lint: version=4.6.0 world-size=8
rlhf_type: grpo
num_generations: 8
per_device_train_batch_size: 8
train_type: lora
"""


async def until(condition):
    for _ in range(2000):
        if condition():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("not in 20 seconds")


def codes(diagnostics):
    return [diagnostic.code for diagnostic in diagnostics]


# --- diagnostics ----------------------------------------------------------------------------------------------------


async def test_a_client_that_cannot_ask_is_told(editor):
    offered = await editor.greet("emacs")
    assert offered.diagnostic_provider is None
    uri = editor.open("config.yaml", BAD)
    assert codes(await editor.pushed(uri, 1)) == ["GRPO203"]
    editor.edit(uri, 2, ((0, 52), (0, 53), "8"))
    assert codes(await editor.pushed(uri, 2)) == []
    editor.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
    await editor.answered()
    assert editor.client.versions[uri] is None and codes(editor.client.diagnostics[uri]) == []


async def test_a_client_that_asks_is_not_told(editor):
    offered = await editor.greet("vs-code")
    assert offered.diagnostic_provider.identifier == "grpo-lint"
    uri = editor.open("config.yaml", BAD)
    first = await editor.pulled(uri)
    assert codes(first.items) == ["GRPO203"]
    assert (await editor.pulled(uri, first.result_id)).kind == "unchanged"
    editor.edit(uri, 2, GOOD)
    second = await editor.pulled(uri, first.result_id)
    assert second.kind == "full" and codes(second.items) == []
    assert editor.client.published == 0
    editor.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
    editor.open("config.yaml", BAD)
    assert (
        await editor.pulled(uri, first.result_id)
    ).kind == "full"  # what was told of a document that is closed is forgotten


async def test_a_diagnostic_holds_what_the_client_announced(editor):
    await editor.greet("vs-code")
    (found,) = (await editor.pulled(editor.open("config.yaml", BAD))).items
    assert (found.source, found.severity) == ("grpo-lint", types.DiagnosticSeverity.Error)
    assert found.code_description.href.endswith("/docs/rules/rollout-holds-whole-groups.md")
    assert {place.message.partition(":")[0] for place in found.related_information} == {
        "world-size", "per_device_train_batch_size", "gradient_accumulation_steps",
    }  # fmt: skip
    assert {place.location.uri for place in found.related_information} == {(editor.folder / "config.yaml").as_uri()}
    assert found.data == {"rule": "rollout-holds-whole-groups", "stage": "config", "assumes": [], "version": 1}


async def test_a_diagnostic_holds_nothing_that_the_client_did_not_announce(editor):
    await editor.greet("emacs")
    (found,) = await editor.pushed(editor.open("config.yaml", BAD))
    assert (found.code_description, found.related_information, found.data) == (None, None, None)


async def test_a_key_of_other_versions_is_struck_through(editor):
    await editor.greet("vs-code")
    text = "# grpo-lint: dialect=trl version=1.16.0 world-size=8\nnum_generations: 8\nmax_prompt_length: 512\n"
    found = (await editor.pulled(editor.open("config.yaml", text))).items
    assert [list(diagnostic.tags) for diagnostic in found if diagnostic.data["rule"] == "key-is-of-this-version"] == [
        [types.DiagnosticTag.Deprecated]
    ]


@pytest.mark.parametrize(
    "profile, encoding, column", [("vs-code", "utf-16", 12), ("neovim-0.11", "utf-8", 14), ("emacs", "utf-32", 11)]
)
async def test_positions_count_in_the_units_that_were_agreed_on(editor, profile, encoding, column):
    assert (await editor.greet(profile)).position_encoding == encoding
    text = '# grpo-lint: dialect=trl version=1.16.0 world-size=8\n{run: "😀", num_iteratons: 2, num_generations: 8}\n'
    uri = editor.open("config.yaml", text)
    found = (await editor.pulled(uri)).items if profile == "vs-code" else await editor.pushed(uri)
    place = next(diagnostic.range for diagnostic in found if "num_iteratons" in diagnostic.message)
    assert (place.start.character, place.end.character) == (column, column + 13)
    editor.edit(uri, 2, ((1, column + 10), (1, column + 10), "i"))  # the missing letter
    found = (await editor.pulled(uri)).items if profile == "vs-code" else await editor.pushed(uri, 2)
    assert not [diagnostic for diagnostic in found if "num_itera" in diagnostic.message]


async def test_an_unsaved_script_counts_for_the_config_that_it_names(editor):
    (editor.folder / ".git").mkdir()
    (editor.folder / "config.yaml").write_text(OPEN)
    (editor.folder / "train.sh").write_text("accelerate launch --num_processes 8 train.py --config config.yaml\n")
    await editor.greet("vs-code")
    uri = editor.open("config.yaml", OPEN)
    before = await editor.pulled(uri)
    script = editor.open(
        "train.sh", "accelerate launch --num_processes 8 train.py --config config.yaml\n", "shellscript"
    )
    editor.edit(script, 2, ((0, 34), (0, 35), "7"))
    await until(lambda: editor.client.diagnostic_refresh_count and editor.client.refreshed)
    after = await editor.pulled(uri, before.result_id)
    assert "GRPO203" not in codes(before.items) and "GRPO203" in codes(after.items)
    editor.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(script)))
    assert "GRPO203" not in codes((await editor.pulled(uri)).items)  # what is on the disk counts again


async def test_a_named_file_that_changes_on_the_disk_counts(editor):
    await editor.greet("emacs")
    settings = editor.folder / ".grpo-lint.toml"
    settings.write_text("world-size = 8\n")
    uri = editor.open("config.yaml", BAD.replace(" world-size=7", ""))
    assert codes(await editor.pushed(uri, 1)) == []
    settings.write_text("world-size = 7\n")
    editor.client.published = 0
    editor.client.workspace_did_change_watched_files(
        types.DidChangeWatchedFilesParams([types.FileEvent(settings.as_uri(), types.FileChangeType.Changed)])
    )
    await editor.answered()
    assert codes(editor.client.diagnostics[uri]) == ["GRPO203"]
    assert "workspace/didChangeWatchedFiles" in editor.client.registered


@pytest.mark.parametrize("profile", ["vs-code", "emacs"])
async def test_files_that_are_not_open_are_checked_where_it_is_asked_for(editor, profile):
    """And nothing is told twice: not of a file that is opened."""
    (editor.folder / "closed.yaml").write_text(BAD)
    (editor.folder / "good.yaml").write_text(GOOD)
    uri = (editor.folder / "closed.yaml").as_uri()
    await editor.greet(profile, options={"workspaceDiagnostics": True})
    assert codes(await editor.pushed(uri)) == ["GRPO203"]
    assert (editor.folder / "good.yaml").as_uri() not in editor.client.diagnostics
    editor.open("closed.yaml", GOOD)
    await editor.answered()
    assert codes(editor.client.diagnostics[uri]) == []
    editor.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))
    await until(lambda: codes(editor.client.diagnostics[uri]) == ["GRPO203"])


async def test_the_workspace_is_requested_as_a_whole_and_only_what_changed_is_sent_again(editor):
    """Open or not; and what was sent before the client requested it is taken back."""
    for name, text in {"closed.yaml": BAD, "other.yaml": BAD, "good.yaml": GOOD, "services.yaml": "a: 1\n"}.items():
        (editor.folder / name).write_text(text)
    closed, other = ((editor.folder / name).as_uri() for name in ("closed.yaml", "other.yaml"))
    offered = await editor.greet("vs-code", options={"workspaceDiagnostics": True})
    assert offered.diagnostic_provider.workspace_diagnostics
    await editor.pushed(closed), await editor.pushed(other)
    found, numbers = await editor.pulled_all()
    assert found == {"closed.yaml": ["GRPO203"], "other.yaml": ["GRPO203"]}
    await until(lambda: not editor.client.diagnostics[closed] and not editor.client.diagnostics[other])
    assert await editor.pulled_all(numbers) == (dict.fromkeys(found), numbers)
    editor.open("closed.yaml", GOOD)
    (editor.folder / "other.yaml").unlink()
    gone = types.FileEvent(other, types.FileChangeType.Deleted)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([gone]))
    found, numbers = await editor.pulled_all(numbers)
    assert found == {"closed.yaml": [], "other.yaml": []} and list(numbers) == [closed]
    editor.client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(closed)))
    found, numbers = await editor.pulled_all(numbers)
    assert found == {"closed.yaml": ["GRPO203"]}
    assert not editor.client.diagnostics[closed]


async def test_nothing_of_the_workspace_is_answered_where_the_settings_do_not_ask_for_it(editor):
    (editor.folder / "closed.yaml").write_text(BAD)
    await editor.greet("vs-code")
    assert await editor.pulled_all() == ({}, {})


async def test_a_request_for_the_workspace_can_be_cancelled(editor):
    for number in range(100):
        (editor.folder / f"config_{number}.yaml").write_text(BAD + f"# {number}\n")
    await editor.greet("vs-code", options={"workspaceDiagnostics": True})
    asked = types.WorkspaceDiagnosticParams([])
    answer = editor.client.protocol.send_request(types.WORKSPACE_DIAGNOSTIC, asked, msg_id="cancelled")
    editor.client.cancel_request(types.CancelParams("cancelled"))
    with pytest.raises(Exception, match="cancel"):
        await asyncio.wrap_future(answer)
    assert len((await editor.pulled_all())[0]) == 100


async def test_files_of_other_kinds_are_left_alone(editor):
    await editor.greet("emacs")
    editor.open("notes.md", BAD, "markdown")
    editor.open("other.yaml", "services: {}\n")
    await editor.answered()
    assert list(map(codes, editor.client.diagnostics.values())) == [[]]


async def test_a_text_without_a_file_is_checked(editor):
    await editor.greet("vs-code", folders=[])
    uri = "untitled:Untitled-1"
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "yaml", 1, BAD)))
    assert codes((await editor.pulled(uri)).items) == ["GRPO203"]


# --- settings -------------------------------------------------------------------------------------------------------


async def test_settings_of_a_folder_hold_in_it(editor):
    folders = [editor.folder / "seven", editor.folder / "eight"]
    for folder in folders:
        folder.mkdir()
    for folder, size in zip(folders, (7, 8)):
        editor.client.set_configuration({"grpo-lint": {"worldSize": size}}, scope_uri=folder.as_uri())
    await editor.greet("vs-code", folders=folders)
    text = BAD.replace(" world-size=7", "")
    found = [codes((await editor.pulled(editor.open(f"{folder.name}/config.yaml", text))).items) for folder in folders]
    assert found == [["GRPO203"], []]


async def test_a_folder_that_is_added_brings_its_settings(editor):
    await editor.greet("vs-code")
    other = editor.folder / "other"
    other.mkdir()
    uri = editor.open("other/config.yaml", BAD.replace(" world-size=7", ""))
    assert codes((await editor.pulled(uri)).items) == ["GRPO410"]
    editor.client.set_configuration({"grpo-lint": {"worldSize": 7}}, scope_uri=other.as_uri())
    added = types.WorkspaceFoldersChangeEvent([types.WorkspaceFolder(other.as_uri(), "other")], [])
    editor.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(added))
    await until(lambda: editor.client.diagnostic_refresh_count)
    assert codes((await editor.pulled(uri)).items) == ["GRPO203"]


async def test_what_two_texts_bear_on_is_told_after_both(editor):
    """A script and a file for accelerate are typed in turn; the config that one of them names is checked again."""
    (editor.folder / ".git").mkdir()
    (editor.folder / "config.yaml").write_text(OPEN)
    start = "accelerate launch --num_processes 8 train.py --config config.yaml\n"
    (editor.folder / "train.sh").write_text(start)
    await editor.greet("emacs")
    config, script = editor.open("config.yaml", OPEN), editor.open("train.sh", start, "shellscript")
    assert "GRPO203" not in codes(await editor.pushed(config, 1))
    editor.edit(script, 2, ((0, 34), (0, 35), "7"))
    editor.open("accelerate.yaml", "distributed_type: MULTI_GPU\nnum_processes: 4\n")
    await until(lambda: "GRPO203" in codes(editor.client.diagnostics[config]))


@pytest.mark.parametrize(
    "precedence, expected", [(None, []), ("editorFirst", ["GRPO203"]), ("editorOnly", ["GRPO203"])]
)
async def test_the_settings_file_wins_unless_told_otherwise(editor, precedence, expected):
    (editor.folder / ".grpo-lint.toml").write_text("world-size = 8\n")
    await editor.greet("emacs", options={"worldSize": 7, "settingsPrecedence": precedence})
    assert codes(await editor.pushed(editor.open("config.yaml", BAD.replace(" world-size=7", "")))) == expected


@pytest.mark.parametrize(
    "said, expected", [({}, ["GRPO203"]), (None, ["GRPO203"]), ({"grpo-lint": {"world_size": 8}}, [])]
)
async def test_what_a_client_says_later_counts_and_silence_changes_nothing(editor, said, expected):
    await editor.greet("emacs", options={"worldSize": 7})
    editor.client.set_configuration((said and {"grpo-lint": {"worldSize": 8}}) or {})
    uri = editor.open("config.yaml", BAD.replace(" world-size=7", ""))
    assert codes(await editor.pushed(uri)) == ["GRPO203"]
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(said))
    await editor.answered()
    await editor.answered()  # it has asked for the settings, and has got them
    assert codes(editor.client.diagnostics[uri]) == expected


async def test_what_is_switched_off_disappears_at_once(editor):
    await editor.greet("vs-code")
    document = types.TextDocumentIdentifier(editor.open("config.yaml", BAD))
    params = types.InlayHintParams(document, types.Range(types.Position(0, 0), types.Position(99, 0)))
    assert await editor.client.text_document_inlay_hint_async(params)
    await editor.pulled(document.uri)
    editor.client.refreshed = 0
    editor.client.set_configuration({"grpo-lint": {"inlayHints": False}})
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(None))
    await until(lambda: editor.client.refreshed)
    assert await editor.client.text_document_inlay_hint_async(params) == ()


async def test_a_mistake_in_the_settings_is_told_once(editor):
    await editor.greet("neovim-0.9", options={"worldsize": 7, "version": 1.16})
    for version in range(3):
        editor.open("config.yaml", BAD, version=version)
    await editor.answered()
    told = [message.message for message in editor.client.messages]
    assert len(told) == 2 and "did you mean" in told[0] and "needs quotes" in told[1], told


# --- what a user asks for -------------------------------------------------------------------------------------------


async def test_hover_completion_hints_lens_and_symbols(editor):
    await editor.greet("vs-code")
    uri = editor.open("config.yaml", BAD)
    document = types.TextDocumentIdentifier(uri)
    assert (
        "1 x 7 processes x gradient_accumulation_steps 4 = **28 completions** = 3.5 prompts of 8"
        in await editor.hover(uri, 2, 3)
    )
    assert await editor.hover(uri, 40, 0) is None
    editor.edit(uri, 2, BAD + "loss_type: \nbe")
    assert "dapo" in await editor.complete(uri, 5, 11)
    keys = await editor.complete(uri, 6, 2)
    assert keys["beta"].text_edit.new_text == "beta: " and "num_generations" not in keys
    editor.edit(uri, 3, BAD)
    everything = types.Range(types.Position(0, 0), types.Position(99, 0))
    hints = await editor.client.text_document_inlay_hint_async(types.InlayHintParams(document, everything))
    assert [hint.label for hint in hints][0] == "update: 28 = 3.5 prompts of 8"
    (lens,) = await editor.client.text_document_code_lens_async(types.CodeLensParams(document))
    assert lens.command.title.startswith("TRL 1.16.0 GRPO on 7 processes")
    (symbol,) = await editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert symbol.name == "TRL 1.16.0 GRPO on 7 processes"
    plan = await editor.client.workspace_execute_command_async(
        types.ExecuteCommandParams(lens.command.command, lens.command.arguments)
    )
    assert "One rollout makes" in plan and editor.client.messages == []


async def test_a_client_that_shows_no_answers_is_told_the_plan(editor):
    await editor.greet("emacs")
    uri = editor.open("config.yaml", BAD)
    await editor.client.workspace_execute_command_async(types.ExecuteCommandParams("grpo-lint.plan", [{"uri": uri}]))
    (told,) = editor.client.messages
    assert "One rollout makes" in told.message


async def test_the_page_of_a_rule_is_told_by_its_code_or_name(editor):
    await editor.greet("vs-code")
    for word, wanted in (
        ("GRPO203", "# GRPO203 rollout-holds-"),
        ("rollout-holds-whole-groups", "# GRPO203 "),
        ("nothing", None),
    ):
        asked = types.ExecuteCommandParams("grpo-lint.rule", [word])
        told = await editor.client.workspace_execute_command_async(asked)
        assert told is wanted or told.startswith(wanted)


async def test_the_plan_is_a_page_for_a_client_that_shows_one(editor):
    await editor.greet("emacs")
    uri = editor.open("config.yaml", BAD)

    async def page():
        asked = types.ExecuteCommandParams("grpo-lint.plan", [{"uri": uri, "format": "html"}])
        return await editor.client.workspace_execute_command_async(asked)

    told = await page()
    assert (
        told.startswith("<!DOCTYPE html>")
        and "One rollout makes 28 completions" in told
        and told.count("<script>") == 1
    )
    editor.edit(uri, 2, BAD + "bet")  # half of a line: the plan of before
    assert "One rollout makes 28 completions" in await page() and editor.client.messages == []


async def test_a_client_gets_texts_as_it_can_show_them(editor):
    await editor.greet("emacs")
    told = await editor.hover(editor.open("config.yaml", BAD), 2, 3)
    assert "= 28 completions = 3.5 prompts of 8" in told
    assert not any(mark in told for mark in ("**", "`", "]("))


async def test_hints_and_lenses_can_be_switched_off(editor):
    await editor.greet("neovim-0.9", options={"inlayHints": {"enable": False}, "codeLens": False})
    document = types.TextDocumentIdentifier(editor.open("config.yaml", BAD))
    everything = types.Range(types.Position(0, 0), types.Position(99, 0))
    assert await editor.client.text_document_inlay_hint_async(types.InlayHintParams(document, everything)) == ()
    assert await editor.client.text_document_code_lens_async(types.CodeLensParams(document)) == ()


@pytest.mark.parametrize("profile", PROFILES)
async def test_a_fix_is_offered_and_cures(editor, profile):
    assert (await editor.greet(profile)).code_action_provider.resolve_provider
    uri = editor.open("config.yaml", BAD)
    offered = [action for action in await editor.actions(uri, 2, 2) if action.kind == types.CodeActionKind.QuickFix]
    assert [action.is_preferred for action in offered] == [True, False, False, False]
    if profile == "emacs":
        action = offered[0]
    else:
        assert offered[0].edit is None
        action = await editor.client.code_action_resolve_async(offered[0])
    edit = action.edit
    if profile in ("vs-code", "emacs"):
        (changed,) = edit.document_changes
        assert (changed.text_document.uri, changed.text_document.version) == (uri, 1)
        edits = changed.edits
    else:
        edits = edit.changes[uri]
    if profile == "vs-code":
        assert not edit.change_annotations["run"].needs_confirmation  # the title has told
        assert edits[0].annotation_id == "run"
    editor.edit(
        uri,
        2,
        *(
            (
                (each.range.start.line, each.range.start.character),
                (each.range.end.line, each.range.end.character),
                each.new_text,
            )
            for each in edits
        ),
    )
    found = (await editor.pulled(uri)).items if profile == "vs-code" else await editor.pushed(uri, 2)
    assert codes(found) == []


async def test_a_fix_of_an_older_text_is_worked_out_again_or_not_at_all(editor):
    await editor.greet("vs-code")
    uri = editor.open("config.yaml", BAD)
    offered = (await editor.actions(uri, 2, 2))[0]
    editor.edit(uri, 2, "# one line more\n" + BAD)
    edit = (await editor.client.code_action_resolve_async(offered)).edit.document_changes[0]
    assert edit.text_document.version == 2 and edit.edits[0].range.start.line == 5
    editor.edit(uri, 3, GOOD)
    assert (await editor.client.code_action_resolve_async(offered)).edit is None


async def test_kinds_are_prefixes(editor):
    await editor.greet("vs-code")
    uri = editor.open("config.yaml", MISSPELT)
    for only in (["source"], ["source.fixAll"], ["source.fixAll.grpo-lint"]):
        (action,) = await editor.actions(uri, 0, 0, only)
        assert action.kind == "source.fixAll.grpo-lint"
    assert await editor.actions(uri, 0, 0, ["source.organizeImports"]) == ()
    assert await editor.actions(uri, 0, 0, ["source.fixAll.grpo"]) == ()
    (edit,) = (await editor.client.code_action_resolve_async(action)).edit.document_changes
    assert [each.new_text for each in edit.edits] == ["tuner_type: lora\n"]


async def test_what_a_file_leaves_open_can_be_declared(editor):
    await editor.greet("vs-code")
    uri = editor.open("config.yaml", OPEN)
    offered = {action.title.partition(" in ")[0]: action for action in await editor.actions(uri, 0, 0, ["refactor"])}
    (edit,) = offered["Declare world-size=8"].edit.document_changes
    assert edit.edits[0].new_text == "# grpo-lint: world-size=8\n"
    assert "Declare version=1.16.0" in offered


# --- life and death -------------------------------------------------------------------------------------------------

BROKEN = """
import grpo_lint.checker.judge, sys
whole = grpo_lint.checker.judge.judge
def judge(launch, *words):
    if "beta" in launch.entries:
        raise ZeroDivisionError("a rule of ours")
    return whole(launch, *words)
grpo_lint.checker.judge.judge = judge
from grpo_lint.cli.main import main
sys.exit(main(["server"]))
"""


async def test_a_rule_that_raises_is_one_diagnostic(tmp_path):
    client = await ClientServerConfig([sys.executable, "-c", BROKEN], make_client).start()
    editor = Editor(client, tmp_path)
    await editor.greet("emacs")
    uri = editor.open("config.yaml", BAD + "beta: 0.1\n")
    (found,) = await editor.pushed(uri, 1)
    assert "ZeroDivisionError: a rule of ours" in found.message
    editor.edit(uri, 2, BAD)
    assert codes(await editor.pushed(uri, 2)) == ["GRPO203"]
    await client.shutdown_session()
    await client.stop()


PATIENT = "import sys; from grpo_lint.lsp import server; server._A_MOMENT = 5; server._pause = lambda document: 5; sys.exit(server.start())"


@pytest_lsp.fixture(config=ClientServerConfig([sys.executable, "-c", PATIENT], client_factory=make_client))
async def patient(patient: LanguageClient):
    """One for which every check and every search takes long."""
    yield
    await patient.shutdown_session()


def action_request(uri):
    return types.CodeActionParams(
        types.TextDocumentIdentifier(uri),
        types.Range(types.Position(0, 0), types.Position(9, 0)),
        types.CodeActionContext([]),
    )


async def test_a_request_that_is_cancelled_is_answered(patient, tmp_path):
    editor = Editor(patient, tmp_path)
    await editor.greet("vs-code")
    uri = editor.open("config.yaml", BAD)
    answer = patient.protocol.send_request(types.TEXT_DOCUMENT_CODE_ACTION, action_request(uri), msg_id="cancelled")
    patient.cancel_request(types.CancelParams("cancelled"))
    with pytest.raises(Exception, match="cancel"):
        await asyncio.wrap_future(answer)
    await editor.answered()


async def test_what_is_outdated_is_not_worked_on(patient, tmp_path):
    """Neither is anything else held up: all of this takes less time than one of the pauses."""
    editor = Editor(patient, tmp_path)
    await editor.greet("vs-code")
    uri = editor.open("config.yaml", BAD)
    started = time.monotonic()
    hover = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(2, 3))
    pull = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
    asked = [
        asyncio.wrap_future(patient.protocol.send_request(method, params))
        for method, params in (
            (types.TEXT_DOCUMENT_CODE_ACTION, action_request(uri)), (types.TEXT_DOCUMENT_HOVER, hover), (types.TEXT_DOCUMENT_DIAGNOSTIC, pull)
        )
    ]  # fmt: skip
    editor.edit(uri, 2, GOOD)
    await editor.answered()
    assert time.monotonic() - started < 5
    failed = await asyncio.gather(*asked, return_exceptions=True)
    assert [error.code for error in failed] == [-32801, -32801, -32802]  # content modified; ask again
    assert failed[2].data["retriggerRequest"] is True


async def test_a_burst_of_edits_publishes_what_is_current(editor):
    await editor.greet("emacs")
    uri = editor.open("config.yaml", BAD)
    await editor.pushed(uri, 1)
    before = editor.client.published
    for version in range(2, 202):
        editor.edit(uri, version, ((0, 52), (0, 53), "78"[version % 2]))
    assert codes(await editor.pushed(uri, 201)) == []
    await editor.answered()
    assert editor.client.versions[uri] == 201 and editor.client.published - before < 100


def frame(message):
    return f"Content-Length: {len(message)}\r\n\r\n{message}".encode()


HELLO = frame('{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}')
SHUTDOWN = frame('{"jsonrpc": "2.0", "id": 2, "method": "shutdown"}')
EXIT = frame('{"jsonrpc": "2.0", "method": "exit"}')


@pytest.mark.parametrize("end, status", [(SHUTDOWN + EXIT, 0), (EXIT, 1), (b"", 1)])
async def test_the_server_ends_when_it_is_told(end, status):
    """Also when the editor is gone: its end of the pipe is closed then."""
    done = subprocess.run([*SERVER, "--stdio"], input=HELLO + end, capture_output=True, timeout=30)
    assert done.returncode == status
    assert b'"serverInfo"' in done.stdout and b"Traceback" not in done.stderr


async def test_a_header_may_be_written_in_any_case():
    sent = (HELLO + SHUTDOWN).replace(b"Content-Length", b"content-length") + EXIT
    done = subprocess.run(SERVER, input=sent, capture_output=True, timeout=30)
    assert b'"serverInfo"' in done.stdout and (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (b"Content-Length: abc\r\n\r\n{}\r\n", b"no header"),
        (b"Content-Length: -5\r\n\r\n{}\r\n", b"no header"),
        (b"Content-Size: 2\r\n\r\n{}\r\n", b"no header"),
        (b"\xff\xfe" * 10_000 + b"\r\n", b"no header"),
        (b"Content-Length: 99999999999999\r\n\r\n{}", b"99999999999999 bytes"),
        (b"Content-Length: " + b"9" * 4000 + b"\r\n\r\n{}\r\n", b"no header"),
        (frame("{"), b"cannot be read"),
        (frame("[1]"), b"cannot be read"),
        (frame("[" * 100_000), b"cannot be read"),
        (b"Content-Length: 3\r\n\r\n\xff\xfe1", b"cannot be read"),
    ],
)
async def test_what_is_no_message_is_told_in_a_line(sent, told):
    """What comes next is read, except behind a message that no memory holds."""
    done = subprocess.run(SERVER, input=sent + HELLO + SHUTDOWN + EXIT, capture_output=True, timeout=30)
    assert told in done.stderr and b"Traceback" not in done.stderr and b"internal error" not in done.stderr
    assert len(done.stderr.splitlines()) == 1 or sent.startswith(b"\xff")
    is_read = b"bytes" not in told
    assert (b'"serverInfo"' in done.stdout, done.returncode) == (is_read, 0 if is_read else 1)


def answers(*messages):
    """{id: error or result} of what a server answers to messages; it may not print a traceback."""
    framed = b"".join(frame(json.dumps({"jsonrpc": "2.0", **message})) for message in messages)
    done = subprocess.run(SERVER, input=framed + EXIT, capture_output=True, timeout=30)
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    found = [json.loads(part.partition(b"\r\n\r\n")[2]) for part in re.split(rb"(?=Content-Length)", done.stdout)[1:]]
    return {each["id"]: each.get("error") or each.get("result") for each in found if "method" not in each}, found


def asked(number, method, **params):
    return {"id": number, "method": method, "params": params}


HOVER = {"textDocument": {"uri": "file:///nowhere/config.yaml"}, "position": {"line": 2, "character": 3}}


def opened(uri="file:///nowhere/config.yaml", text=BAD):
    document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
    return {"method": "textDocument/didOpen", "params": {"textDocument": document}}


async def test_a_request_that_comes_too_early_or_too_late_is_answered():
    hello = asked(1, "initialize", capabilities={})
    hover = "textDocument/hover"
    found, _ = answers(
        asked(0, hover, **HOVER), opened(), hello, asked(2, hover, **HOVER), asked(3, "initialize", capabilities={}),
        {"id": 4, "method": "shutdown"}, asked(5, hover, **HOVER), opened(),
    )  # fmt: skip
    assert found[0]["code"] == -32002 and found[3]["code"] == found[5]["code"] == -32600
    assert "serverInfo" in found[1] and found.get(2) is None and found.get(4) is None  # that text was opened too early


@pytest.mark.parametrize(
    "capabilities",
    [None, 5, [], {"textDocument": 5}, {"textDocument": {"hover": "yes", "completion": {"completionItem": 3}}},
     {"workspace": {"workspaceEdit": []}, "general": {"positionEncodings": [3]}, "experimental": 7}, {"unheard": {"of": 1}}],
)  # fmt: skip
async def test_nonsense_among_the_capabilities_is_passed_over(capabilities):
    found, _ = answers(
        asked(1, "initialize", capabilities=capabilities), opened(), asked(2, "textDocument/hover", **HOVER)
    )
    assert "serverInfo" in found[1] and "size of a group" in str(found[2]["contents"])


@pytest.mark.parametrize("line", [10**18, -1, 1.5, "3", None])
async def test_a_place_that_is_none_is_answered(line):
    hello = asked(1, "initialize", capabilities={})
    place = {"line": line, "character": 0}
    found, _ = answers(hello, opened(), asked(2, "textDocument/hover", **{**HOVER, "position": place}),
                       asked(3, "textDocument/hover", **HOVER))  # fmt: skip
    assert 2 in found and "size of a group" in str(found[3]["contents"])


@pytest.mark.parametrize(
    "uri",
    [
        "file:///\ud800.yaml",
        "untitled:\ud800",
        "file:///a\0b.yaml",
        "file:///%00.yaml",
        "file://[/x.yaml",
        "::",
        "",
        "file:///c%3A/Users/me/config.yaml",
        "file://server/share/config.yaml",
    ],
)
async def test_a_document_may_be_called_anything(uri):
    hover = {**HOVER, "textDocument": {"uri": uri}}
    found, sent = answers(asked(1, "initialize", capabilities={}), opened(uri), asked(2, "textDocument/hover", **hover))
    assert "size of a group" in str(found[2]["contents"])
    assert [each["params"]["diagnostics"][0]["code"] for each in sent if "method" in each] == ["GRPO203"]


@pytest.mark.parametrize(
    "folders",
    [{"rootUri": "file:///x/\ud800"}, {"rootUri": "file://["}, {"rootPath": "/x/\ud800"}, {"rootUri": "file:///%00"},
     {"workspaceFolders": [{"uri": "file://[", "name": "x"}, {"uri": "\ud800", "name": "y"}]}],
)  # fmt: skip
async def test_a_folder_that_none_can_be_is_passed_over(folders):
    found, _ = answers(
        asked(1, "initialize", capabilities={"workspace": {"configuration": True}}, **folders),
        {"method": "initialized", "params": {}}, opened(), asked(2, "textDocument/hover", **HOVER)
    )  # fmt: skip
    assert "serverInfo" in found[1] and "size of a group" in str(found[2]["contents"])


async def test_an_action_of_another_server_comes_back_as_it_was():
    action = {"title": "x", "data": ["another", "server"]}
    found, _ = answers(asked(1, "initialize", capabilities={}), opened(), asked(2, "codeAction/resolve", **action))
    assert found[2] == action


async def test_no_traceback_is_sent(tmp_path):
    (tmp_path / "broken.py").write_text(
        "import sys\nfrom grpo_lint.lsp import server\n"
        "def hover(*words): raise ZeroDivisionError('twelve')\nserver.hover = hover\nsys.exit(server.start())"
    )
    messages = [asked(1, "initialize", capabilities={}), opened(), asked(2, "textDocument/hover", **HOVER)]
    framed = b"".join(frame(json.dumps({"jsonrpc": "2.0", **message})) for message in messages)
    done = subprocess.run(
        [sys.executable, tmp_path / "broken.py"], input=framed + EXIT, capture_output=True, timeout=30
    )
    assert b"ZeroDivisionError: twelve" in done.stdout and b"traceback" not in done.stdout
    assert b"Traceback" in done.stderr  # in the log


async def test_a_text_that_is_too_long_to_be_looked_at_is_not_completed():
    document = {"textDocument": {"uri": "file:///nowhere/config.yaml"}, "position": {"line": 4, "character": 0}}
    found, _ = answers(asked(1, "initialize", capabilities={}), opened(text=BAD + "x" * 2_000_000),
                       asked(2, "textDocument/completion", **document))  # fmt: skip
    assert found[2] is None


async def test_millions_of_characters_in_one_change_are_not_read():
    change = {"textDocument": {"uri": "file:///nowhere/config.yaml", "version": 2},
              "contentChanges": [{"text": BAD + "run_name: 😀" + "y" * 8_000_000}]}  # fmt: skip
    place = {"line": 5, "character": 4_000_000}
    found, _ = answers(asked(1, "initialize", capabilities={}), opened(),
                       {"method": "textDocument/didChange", "params": change},
                       asked(2, "textDocument/hover", **{**HOVER, "position": place}), asked(3, "textDocument/hover", **HOVER))  # fmt: skip
    assert 2 in found and "size of a group" in str(found[3]["contents"])


NOT_THERE = "raise ModuleNotFoundError('No module', name={name!r})"


@pytest.mark.parametrize(
    ("pygls", "status", "told"),
    [
        (
            NOT_THERE,
            2,
            "needs pygls, which is not installed: pip install 'grpo-lint[lsp] @ git+https://github.com/grpo-lint/grpo-lint'",
        ),
        (
            "",
            2,
            "cannot use the pygls that is installed: pip install --upgrade 'grpo-lint[lsp] @ git+https://github.com/grpo-lint/grpo-lint'",
        ),  # of old it had no pygls.lsp
        ("x = (", 2, "the libraries of the server are broken here (SyntaxError: "),
        (
            "raise OSError('half of a wheel')",
            2,
            "(OSError: half of a wheel): pip install --force-reinstall 'grpo-lint[lsp] @ git+https://github.com/grpo-lint/grpo-lint'",
        ),
        ("import of_pygls_alone", 2, "(ModuleNotFoundError: No module named 'of_pygls_alone')"),
        (None, 0, "the server can start"),
    ],
)
@pytest.mark.parametrize("words", [["server"], ["server", "--check"]])
async def test_the_command_says_whether_the_server_can_start(tmp_path, words, pygls, status, told):
    if pygls is not None:
        (tmp_path / "pygls").mkdir()
        (tmp_path / "pygls" / "__init__.py").write_text(pygls.format(name="pygls"))
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from grpo_lint.cli.main import main; sys.exit(main({words}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL)
    if pygls is None and words == ["server"]:  # it starts, and nobody speaks
        assert done.returncode == 1 and done.stderr == ""
        return
    said = done.stderr if status else done.stdout
    assert done.returncode == status and told in said and len(said.splitlines()) == 1


async def test_nothing_is_sent_to_an_editor_that_has_left(caplog):
    """Its stream is closed, which is no failure of the server."""
    protocol, sent = Server().protocol, []
    protocol.writer = SimpleNamespace(write=sent.append, close=lambda: None)
    protocol.notify("window/logMessage", types.LogMessageParams(types.MessageType.Info, "before"))
    with pytest.raises(SystemExit):
        protocol.handle_message(types.ExitNotification())
    protocol.notify("window/logMessage", types.LogMessageParams(types.MessageType.Info, "after"))
    assert [b"before" in each for each in sent] == [True]
    assert not caplog.records
