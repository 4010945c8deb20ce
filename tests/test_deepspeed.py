"""The DeepSpeed configuration that a run names: found where the repository keeps it, compared with the run.

That transformers compares them in the same way was measured with `conformance/deepspeed`.
"""

import json

import pytest

from conftest import comment, names, said, told
from grpo_lint.cli import main as cli
from grpo_lint.engine import lint_path, repair
from grpo_lint.files import writing
from grpo_lint.launch.context import Context
from grpo_lint.launch.files import Files
from grpo_lint.lsp.actions import actions, complete
from grpo_lint.lsp.client import Client
from grpo_lint.lsp.session import Session
from grpo_lint.report.json import diagnostic
from grpo_lint.report.messages import contributions, message
from grpo_lint.report.sarif import _fix as sarif_fix

SIZES = "per_device_train_batch_size: 4\ngradient_accumulation_steps: 2\nnum_generations: 8\n"


@pytest.fixture
def repository(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "recipes" / "math").mkdir(parents=True)
    return tmp_path


def written(path, content):
    path.parent.mkdir(exist_ok=True)
    if isinstance(content, dict) and path.suffix == ".json":
        content = {**content, "zero_optimization": {"stage": 2}}  # without it no configuration is one
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=2), encoding="utf-8")


def held(text):
    """What a configuration says beside what each of them has to."""
    return {key: value for key, value in json.loads(text).items() if key != "zero_optimization"}


def linted(repository, deepspeed, lines=SIZES, **facts):
    facts = {"dialect": "trl", "version": "1.16.0", "world_size": 8, **facts}
    path = repository / "recipes" / "math" / "run.yaml"
    written(path, comment(**facts) + lines + f"deepspeed: {deepspeed}\n")
    return lint_path(str(path), Context(files=Files(str(path))))


def about_deepspeed(report):
    return [name for name in names(report) if name.startswith("deepspeed")]


def test_a_batch_of_other_processes(repository):
    written(repository / "configs" / "ds.json", {"train_batch_size": 32, "train_micro_batch_size_per_gpu": "auto"})
    report = linted(repository, "configs/ds.json")
    finding = said(report, "deepspeed-batch-agrees")
    assert (finding.severity, finding.stage) == ("error", "run")
    assert "train_batch_size of the DeepSpeed configuration is 32" in message(finding) and "8 processes" in message(
        finding
    )
    places = [part.source for part in contributions(finding, report.launches[0])]
    assert any(place.endswith("ds.json, line 2") for place in places), places


def test_what_is_auto_agrees(repository):
    written(
        repository / "ds.json",
        {"train_batch_size": "auto", "bf16": {"enabled": "auto"}, "zero_optimization": {"stage": 3}},
    )
    assert names(linted(repository, "ds.json"), "error", "warning") == []


def test_one_mistake_is_one_finding(repository):
    written(repository / "ds.json", {"train_batch_size": 32, "train_micro_batch_size_per_gpu": 2})
    assert names(linted(repository, "ds.json"), "error") == ["deepspeed-micro-batch-agrees"]


def test_an_unknown_number_of_processes_is_solved_for(repository):
    written(repository / "ds.json", {"train_batch_size": 32})
    report = linted(repository, "ds.json", world_size=None)
    assert names(report, "error", "warning") == [] and "works on 4 processes only" in message(
        said(report, "legal-process-counts")
    )


def test_ms_swift_compares_too(repository):
    written(repository / "ds.json", {"gradient_accumulation_steps": 4})
    report = linted(
        repository,
        "ds.json",
        SIZES + "rlhf_type: grpo\nmodel: Qwen/Qwen3-8B\ndataset: math.jsonl\n",
        dialect="swift",
        version="4.6.0",
    )
    assert "deepspeed-accumulation-agrees" in names(report, "error"), told(report)


def test_the_folder_of_the_config_and_those_above_it_are_looked_at(repository):
    files = Files(str(repository / "recipes" / "math" / "run.yaml"))
    written(repository / "recipes" / "ds.json", {"train_batch_size": 1})
    assert held(files.find("ds.json").text) == {"train_batch_size": 1}
    assert held(files.find(str(repository / "recipes" / "ds.json")).text) == {"train_batch_size": 1}
    written(repository / "ds.json", {"train_batch_size": 2})
    assert files.find("ds.json") is None, "which one is meant nobody knows"
    written(repository.parent / "outside.json", {})
    assert files.find("outside.json") is None, "beyond the repository"


@pytest.mark.parametrize("content", ["", "{", "[1]", "null", '{"optimizer": 3}', '{"bf16": true}', "{" * 10_000])
def test_a_file_that_is_no_configuration_says_nothing(repository, content):
    written(repository / "ds.json", content)
    assert about_deepspeed(linted(repository, "ds.json")) == []


@pytest.mark.parametrize(
    "value",
    ["zero3", "missing.json", "/no/such/file.json", "'{broken'", "{stage: 3}", "[a]", "null", "true", "../" * 40],
)
def test_what_cannot_be_read_says_nothing(repository, value):
    assert about_deepspeed(linted(repository, value)) == []


# --- "auto" in the file that is named -------------------------------------------------------------------------------


@pytest.fixture
def two_files(repository):
    """(config, DeepSpeed configuration) that disagree in two values."""
    written(repository / "conf" / "ds.json", {"train_micro_batch_size_per_gpu": 2, "gradient_accumulation_steps": 4})
    linted(repository, "conf/ds.json")
    return repository / "recipes" / "math" / "run.yaml", repository / "conf" / "ds.json"


AUTO = {"train_micro_batch_size_per_gpu": "auto", "gradient_accumulation_steps": "auto"}


def run(*arguments):
    return cli.main([*map(str, arguments)])


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_the_fix_is_made_where_the_value_stands(two_files, ends, capsys):
    config, named = two_files
    named.write_bytes(named.read_bytes().replace(b"\n", ends.encode()))
    before = config.read_bytes(), named.read_bytes()
    assert run("--diff", "--unsafe-fixes", config) == 1 and (config.read_bytes(), named.read_bytes()) == before
    assert capsys.readouterr().out.count('+  "') == 2
    assert run("--fix", config) == 1 and (config.read_bytes(), named.read_bytes()) == before, "it changes the run"
    assert run("--fix", "--unsafe-fixes", config) == 0
    assert held(named.read_text()) == AUTO and config.read_bytes() == before[0]
    assert named.read_bytes().count(ends.encode()) == before[1].count(ends.encode())


def test_several_configs_name_it(two_files, capsys):
    config, named = two_files
    (config.parent / "other.yaml").write_text(config.read_text())
    run("--diff", "--unsafe-fixes", config.parent)
    assert capsys.readouterr().out.count("+++") == 1
    assert run("--fix", "--unsafe-fixes", config.parent) == 0 and held(named.read_text()) == AUTO


def test_all_files_are_written_or_none(two_files, monkeypatch, capsys):
    config, named = two_files
    config.write_text(config.read_text().replace("version=1.16.0", "version=1.16.0 ") + "loss_type: dapoo\n")
    before = config.read_bytes(), named.read_bytes()
    replace = writing._replaced

    def failing(path, old, new):
        if str(path).endswith("ds.json") and new != before[1]:
            raise writing.NotWritten("it is read-only")
        return replace(path, old, new)

    monkeypatch.setattr(writing, "_replaced", failing)
    assert run("--fix", "--unsafe-fixes", config) == 2
    assert (config.read_bytes(), named.read_bytes()) == before
    assert "ds.json: it is read-only" in capsys.readouterr().err


def test_a_text_on_standard_input_changes_no_file(two_files):
    config, _ = two_files
    context = Context(files=Files(str(config)))
    done = repair(config.read_bytes(), str(config), context, unsafe=True, alone=True)
    assert not done.beside and b"per_device_train_batch_size: 2" in done.data


def test_all_formats_name_the_file(two_files):
    config, _ = two_files
    report = lint_path(str(config), Context(files=Files(str(config))))
    finding = said(report, "deepspeed-micro-batch-agrees")
    assert [fix.safety for fix in finding.fixes[:2]] == ["unsafe", "unsafe"]
    first, second = diagnostic(report, finding)["data"]["fixes"][:2]
    assert first["edits"][0]["path"].endswith("ds.json") and first["edits"][0]["newText"] == '"auto"'
    assert second["edits"][0]["path"] == str(config)
    (change,) = sarif_fix(report.text, finding.fixes[0])["artifactChanges"]
    assert (
        change["artifactLocation"]["uri"].endswith("ds.json")
        and change["replacements"][0]["deletedRegion"]["startLine"] == 2
    )


@pytest.mark.parametrize("client", [Client(document_changes=True), Client()], ids=["versions", "changes"])
def test_an_editor_changes_the_file_that_is_named(two_files, client):
    config, named = two_files
    session = Session()
    document = session.open(config.as_uri(), str(config), 1, config.read_text())
    at = document.text.text.index("per_device")
    action = next(
        each for each in actions(session, document, at, at, ["quickfix"], client) if each and "auto" in each["title"]
    )
    complete(session, document, action, client)
    edit = action["edit"]
    places = (
        [each["textDocument"]["uri"] for each in edit["documentChanges"]]
        if client.document_changes
        else [*edit["changes"]]
    )
    assert places == [named.as_uri()]
