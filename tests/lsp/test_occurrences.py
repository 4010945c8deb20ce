"""Where else a setting is said, what can be folded, and the runs of a workspace."""

import os

import pytest
from lsp_editor import client, editor  # noqa: F401  # fixtures
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from grpo_lint.fixes.edits import apply
from grpo_lint.lsp.occurrences import folds, highlights, matches, name_at, references, renamed, runs
from grpo_lint.lsp.session import Session

CONFIG = "num_generations: 8\nper_device_train_batch_size: 1\nreport_to:\n  - wandb\n  - tensorboard\n"
SCRIPT = "#!/bin/bash\nset -e\n\ntrl grpo --config config.yaml \\\n    --num_generations 2 \\\n    --num_processes 8\n\necho done\n"
NESTED = "algorithm:\n  adv_estimator: grpo\nactor_rollout_ref:\n  rollout:\n    n: 8\n    name: vllm\n\n# the end\n"


@pytest.fixture
def opened(tmp_path):
    """opened(name): the document of a file in a folder with a config and the script that starts it."""
    session = Session()
    for name, text in (("config.yaml", CONFIG), ("run.sh", SCRIPT)):
        (tmp_path / name).write_text(text)

    def opened(name):
        path = tmp_path / name
        return session.open(path.as_uri(), str(path), 1, path.read_text())

    opened.report = lambda document: session.report(document)
    return opened


def test_a_key_is_found_wherever_the_runs_of_its_file_say_it(opened):
    script, config = opened("run.sh"), opened("config.yaml")

    def found(document, with_itself):
        at = document.text.text.index("num_generations") + 3
        places = references(opened.report(document), document.uri, at, "utf-16", with_itself)
        return sorted((each["uri"].rpartition("/")[2], each["range"]["start"]["line"]) for each in places)

    assert found(config, True) == [("config.yaml", 0), ("run.sh", 4)]
    assert found(config, False) == [("run.sh", 4)]
    assert found(script, False) == [("config.yaml", 0)]


def test_the_same_setting_is_highlighted_in_its_file():
    """In each of its runs; beside a word that is no setting, nothing."""
    text = SCRIPT + SCRIPT.partition("set -e\n")[2]
    document = Session().open("file:///nowhere/run.sh", "/nowhere/run.sh", 1, text)
    report = Session().report(document)
    at = text.index("num_generations")
    assert [each["range"]["start"]["line"] for each in highlights(report, at, "utf-16")] == [4, 10]
    assert highlights(report, text.index("echo"), "utf-16") == []


@pytest.mark.parametrize(
    ("name", "at", "new", "wanted"),
    [
        (
            "config.yaml",
            "num_gen",
            "group_size",
            {"config.yaml": "group_size: 8\n", "run.sh": "    --group_size 2 \\\n"},
        ),
        (
            "dashed.sh",
            "num-gen",
            "group_size",
            {"dashed.sh": "    --group-size 2 \\\n", "config.yaml": "group_size: 8\n"},
        ),
        ("nested.yaml", "n: 8", "count", {"nested.yaml": "    count: 8\n"}),
        ("overrides.sh", "n=8", "count", {"overrides.sh": "    actor_rollout_ref.rollout.count=8 \\\n"}),
        ("config.yaml", "num_gen", "two words", {}),
        ("config.yaml", "8", "group_size", {}),  # the value is no name
    ],
)
def test_a_key_is_renamed_wherever_the_runs_of_its_file_say_it(opened, tmp_path, name, at, new, wanted):
    texts = {
        "config.yaml": CONFIG,
        "run.sh": SCRIPT,
        "dashed.sh": SCRIPT.replace("num_generations", "num-generations"),
        "nested.yaml": NESTED,
        "overrides.sh": "python -m verl.trainer.main_ppo algorithm.adv_estimator=grpo \\\n"
        "    actor_rollout_ref.rollout.n=8 \\\n    trainer.nnodes=1\n",
    }
    for each in {name, "run.sh"}:
        (tmp_path / each).write_text(texts[each])
    document = opened(name)
    offset = texts[name].index(at)
    found = renamed(opened.report(document), offset, new)
    changed = {os.path.basename(text.path): apply(text, edits).text for text, edits in found}
    before = {each: set(texts[each].splitlines(True)) for each in changed}
    assert {each: "".join(set(after.splitlines(True)) - before[each]) for each, after in changed.items()} == wanted
    assert (name_at(opened.report(document), offset) is None) == (at == "8")


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("config.yaml", CONFIG, [(2, 4)]),
        ("run.sh", SCRIPT, [(3, 5)]),
        ("nested.yaml", NESTED, [(0, 1), (2, 5), (3, 5)]),
        ("half.yaml", "num_generations: [8\n", []),
    ],
)
def test_sections_and_commands_fold(name, text, lines):
    session = Session()
    document = session.open(f"file:///nowhere/{name}", f"/nowhere/{name}", 1, text)
    assert [(each["startLine"], each["endLine"]) for each in folds(session.report(document))] == lines


def test_runs_are_found_by_words_of_their_name_and_file(opened):
    (found,) = runs(opened.report(opened("run.sh")), "file:///x/run.sh", "utf-16")
    assert found["location"]["range"]["start"]["line"] == 3
    found = {**found, "name": str(found["name"])}
    assert matches("", found) and matches("TRL run.sh", found) and not matches("verl", found)


@pytest.mark.slow
@pytest.mark.asyncio
async def test_an_editor_is_answered(editor):
    """Also of files that are not open, and of those that changed since."""
    offered = await editor.greet("vs-code")
    assert offered.references_provider and offered.document_highlight_provider and offered.folding_range_provider
    (editor.folder / "config.yaml").write_text(CONFIG)
    (editor.folder / "alone.yaml").write_text("# grpo-lint: dialect=trl\n" + CONFIG)
    (editor.folder / "other.yaml").write_text("services: {}\n")
    uri = editor.open("run.sh", SCRIPT, "shellscript")
    place = {"text_document": types.TextDocumentIdentifier(uri), "position": types.Position(4, 8)}
    context = types.ReferenceContext(include_declaration=True)
    found = await editor.client.text_document_references_async(types.ReferenceParams(context=context, **place))
    assert [(each.uri.rpartition("/")[2], each.range.start.line) for each in found] == [
        ("run.sh", 4),
        ("config.yaml", 0),
    ]
    found = await editor.client.text_document_document_highlight_async(types.DocumentHighlightParams(**place))
    assert [each.range.start.line for each in found] == [4]
    nowhere = {**place, "position": types.Position(7, 1)}
    assert await editor.client.text_document_document_highlight_async(types.DocumentHighlightParams(**nowhere)) is None
    named = await editor.client.text_document_prepare_rename_async(types.PrepareRenameParams(**place))
    assert (named.start.character, named.end.character) == (6, 21)
    edit = await editor.client.text_document_rename_async(types.RenameParams(new_name="group_size", **place))
    assert sorted(each.text_document.uri.rpartition("/")[2] for each in edit.document_changes) == [
        "config.yaml",
        "run.sh",
    ]
    with pytest.raises(JsonRpcException, match="cannot be the name"):
        await editor.client.text_document_rename_async(types.RenameParams(new_name="a b", **place))
    found = await editor.client.text_document_folding_range_async(
        types.FoldingRangeParams(types.TextDocumentIdentifier(uri))
    )
    assert [(each.start_line, each.end_line) for each in found] == [(3, 5)]

    async def names(query=""):
        found = await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams(query))
        return sorted((each.container_name, each.location.range.start.line) for each in found)

    assert await names() == [("alone.yaml", 1), ("run.sh", 3)] and await names("verl") == []
    (editor.folder / "alone.yaml").write_text("# nothing\n")
    changed = types.FileEvent((editor.folder / "alone.yaml").as_uri(), types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
    assert await names() == [("run.sh", 3)]
