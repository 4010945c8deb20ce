"""Fragments of documents that somebody names with their dialect."""

import pytest

from conftest import names, said
from grpo_lint.checker.contexts import Around
from grpo_lint.checker.findings import span_of
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
    "c.md": "```python\nargs = GRPOConfig(\n    num_generations=8,\n    per_device_train_batch_size=2,\n)\n```\n",
    "call.txt": "GRPOConfig(num_generations=8, per_device_train_batch_size=2, beta=args.beta)\n",
    "run.ini": "num_generations = 8\nper_device_train_batch_size = 2\n",
    "run.rst": "The run: a part\n\n    --num_generations 8 --per_device_train_batch_size 2\n",
    "b.md": "```ini\nNPROC=7\nper_device_train_batch_size=2\nnum_generations=8\n```\n",
}


def judged(name, text, **facts):
    context = Around({key: Fact(value, "command line") for key, value in facts.items()}).of(name)
    return lint(Text(text, name), context)


@pytest.mark.parametrize("name", FRAGMENTS)
def test_a_fragment_that_is_named_with_its_dialect_is_judged(name):
    world_size = {} if "7" in FRAGMENTS[name] else {"world_size": 7}
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
    assert "which this fragment does not set" in str(
        next(each.note for each in report.findings if each.severity == "warning")
    )
    told = str(said(report, "file-is-looked-at-to-its-end").values["problem"])
    assert told.startswith("part of a ") and ("ours are not" in told) == (dialect == "trl")


def test_names_that_are_no_settings_are_told(tmp_path, capsys):
    (tmp_path / "v.sh").write_text("BS=4\nNGEN=7\n")
    main(["check", "--dialect", "trl", str(tmp_path / "v.sh")])
    told = capsys.readouterr().err
    assert "it holds no setting of TRL by its name: bs and ngen" in told and "--dialect" not in told


# --- blocks of Markdown -----------------------------------------------------------------------------------------------

COMMAND = "accelerate launch --num_processes 7 train_grpo.py --num_generations 8 --per_device_train_batch_size 2 --learning_rate 1e-6"
CALL = "from trl import GRPOConfig\nconfig = GRPOConfig(num_generations=8, per_device_train_batch_size=2, gradient_accumulation_steps=1)\n"
BLOCKS = {
    "bash": (f"Run\n\n```bash\n{COMMAND}\n```\n", 3),
    "yaml": (f"- a list\n\n  ```yaml\n  - name: train\n    run: |\n      {COMMAND}\n  ```\n", 5),
    "python": (f"| a | table |\n|---|---|\n\n```python\n# grpo-lint: world-size=7\n{CALL}```\n", 6),
}


@pytest.mark.parametrize("dialect", [None, "trl"])
@pytest.mark.parametrize("kind", BLOCKS)
def test_a_block_of_markdown_is_judged_at_its_place(kind, dialect):
    text, line = BLOCKS[kind]
    report = judged("README.md", text, **({"dialect": dialect} if dialect else {}))
    (finding,) = [each for each in report.findings if each.severity != "info"]
    assert finding.rule.code == "GRPO203"
    assert report.text.position(span_of(finding).start)[0] == line


def test_markdown_is_no_yaml():
    report = judged("README.md", "# Title: a `thing`\n\n`defaults: x` and `y: z`\n", dialect="trl")
    assert report.findings == [] and report.launches == []


@pytest.mark.parametrize(
    "rest", [" \\\n    ...", " \\\n    [other overrides...]", " ...", " \\\n    \u2026 \\\n    --beta 0.1"]
)
def test_a_command_that_leaves_out_a_part_is_a_fragment(rest):
    """Nothing about what is not there, and none of the words that stand for it."""
    start = "accelerate launch --num_processes 7 train_grpo.py --learning_rate 1e-6 --num_generations 8"
    assert judged("a.md", f"```bash\n{start}{rest}\n```\n").findings == []
    report = judged("a.md", f"```bash\n{COMMAND} --gradient_accumulation_steps 1{rest}\n```\n")
    assert names(report, "error", "warning") == ["rollout-holds-whole-groups"]


def test_a_walk_notes_what_starts_training_in_a_document(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = BLOCKS["bash"][0]
    (tmp_path / "README.md").write_text(text)
    (tmp_path / "OTHER.md").write_text("# grpo in words\n")
    assert main(["check", "--fix", "--unsafe-fixes", "."]) == 0 and capsys.readouterr().err.count("README") == 0
    assert main(["check", "-v", "--fix", "--unsafe-fixes", "."]) == 0
    told = capsys.readouterr().err
    assert "README.md: 1 launch in its blocks of code" in told and "OTHER" not in told
    assert (tmp_path / "README.md").read_text() == text
    assert main(["check", "README.md"]) == 1
