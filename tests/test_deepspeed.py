"""The DeepSpeed configuration that a run names: found where the repository keeps it, compared with the run.

That transformers compares them in the same way was measured with `conformance/deepspeed`.
"""

import json

import pytest

from conftest import comment, names, said, told
from grpo_lint.engine import lint_path
from grpo_lint.launch.context import Context
from grpo_lint.launch.files import Files
from grpo_lint.report.messages import contributions, message

SIZES = "per_device_train_batch_size: 4\ngradient_accumulation_steps: 2\nnum_generations: 8\n"


@pytest.fixture
def repository(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "recipes" / "math").mkdir(parents=True)
    return tmp_path


def written(path, content):
    path.parent.mkdir(exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=2), encoding="utf-8")


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
    assert "train_batch_size 32" in message(finding) and "8 processes" in message(finding)
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
    assert names(report, "error", "warning") == [] and "runs on 4 processes only" in message(
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
    assert json.loads(files.find("ds.json").text) == {"train_batch_size": 1}
    assert json.loads(files.find(str(repository / "recipes" / "ds.json")).text) == {"train_batch_size": 1}
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
