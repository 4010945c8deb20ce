"""Fragments of documents that somebody names with their dialect."""

import pytest

from conftest import names, said
from grpo_lint.checker.contexts import Around
from grpo_lint.cli.main import main
from grpo_lint.engine import lint
from grpo_lint.launch.facts import Fact
from grpo_lint.source.text import Text
from grpo_lint.unknown import UNKNOWN

# 7 processes with 2 completions each do not hold groups of 8
FRAGMENTS = {
    "notes.txt": "NPROC=7\nper_device_train_batch_size=2\nnum_generations=8\n",
    "part.sh": "export NUM_GPUS=7\nPER_DEVICE_TRAIN_BATCH_SIZE='2' # a GPU\nNUM_GENERATIONS=8\n",
    "flags": "WORLD_SIZE=7\n  --per_device_train_batch_size 2 \\\n  --num-generations=8 \\\n",
    "a.md": "# Run\n```yaml\nper_device_train_batch_size: 2\nnum_generations: 8\n```\n",
    "b.md": "```ini\nNPROC=7\nper_device_train_batch_size=2\nnum_generations=8\n```\n",
}


def judged(name, text, **facts):
    context = Around({key: Fact(value, "command line") for key, value in facts.items()}).of(name)
    return lint(Text(text, name), context)


@pytest.mark.parametrize("name", FRAGMENTS)
def test_a_fragment_that_is_named_with_its_dialect_is_judged(name):
    world_size = {"world_size": 7} if name == "a.md" else {}
    report = judged(name, FRAGMENTS[name], dialect="trl", version="1.16.0", **world_size)
    assert names(report, "error", "warning") == ["rollout-holds-whole-groups"]
    (launch,) = report.launches
    assert launch.world_size == 7


@pytest.mark.parametrize("name", FRAGMENTS)
def test_without_a_dialect_it_is_left_alone(name):
    report = judged(name, FRAGMENTS[name])
    assert report.launches == [] and report.findings == []


@pytest.mark.parametrize("text", ["", "some words\n", "PATH=/usr/bin\n", "```yaml\nservices: [a]\n```\n"])
def test_what_holds_no_setting_of_it_is_told_as_before(text):
    assert judged("notes.md", text, dialect="trl").launches == []


def test_overrides_without_their_command():
    text = "  data.train_batch_size=30 \\\n  actor_rollout_ref.rollout.n=8 trainer.n_gpus_per_node=8\n"
    (launch,) = judged("part.txt", text, dialect="verl").launches
    assert launch.world_size is UNKNOWN  # who knows how many nodes
    (launch,) = judged("part.txt", f"{text}trainer.nnodes=2\n", dialect="verl").launches
    assert launch.world_size == 16


PARTS = {
    "slime": "ROLLOUT_ARGS=(\n --rollout-batch-size 32\n --n-samples-per-prompt 8\n --global-batch-size 250\n)\n",
    "openrlhf": "--rollout_batch_size 64\n--train_batch_size 100\n--n_samples_per_prompt 8\n",
    "trl": 'export NPROC_PER_NODE=8\nOURS=1\nARGS="--num_generations 7 --per_device_train_batch_size 4"\n',
}


@pytest.mark.parametrize("dialect", PARTS)
def test_what_a_fragment_does_not_write_is_not_known(dialect):
    """No error about what stands elsewhere, a doubt where a default is reckoned with, and a word on what was read."""
    report = judged("part.sh", PARTS[dialect], dialect=dialect)
    assert names(report, "error") == [] and len(names(report, "warning")) == 1
    assert "which this fragment does not write" in str(
        next(each.note for each in report.findings if each.severity == "warning")
    )
    told = str(said(report, "file-is-looked-at-to-its-end").values["problem"])
    assert told.startswith("a part of a run of") and ("ours are not" in told) == (dialect == "trl")


def test_names_that_are_no_settings_are_told(tmp_path, capsys):
    (tmp_path / "v.sh").write_text("BS=4\nNGEN=7\n")
    main(["check", "--dialect", "trl", str(tmp_path / "v.sh")])
    told = capsys.readouterr().err
    assert "no setting of TRL stands in it by its name: bs and ngen" in told and "--dialect" not in told
