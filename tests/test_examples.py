"""The files in examples/: each says what its `.out` file holds, and the comments in them are true. So is the README."""

import os
import re
from pathlib import Path

import golden
import pytest
import yaml

from conftest import plan_of
from grpo_lint.cli.console import speak
from grpo_lint.cli.main import main
from grpo_lint.engine import lint_path
from grpo_lint.launch.comment_grammar import read_comment

EXAMPLES = Path(__file__).parent.parent / "examples"
GOOD, BAD = golden.inputs(EXAMPLES / "good"), golden.inputs(EXAMPLES / "bad")


def name(path):
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", GOOD + BAD, ids=name)
def test_what_is_printed(path, capsys, monkeypatch):
    golden.check(path, capsys, monkeypatch)


@pytest.mark.parametrize("path", GOOD + BAD, ids=name)
def test_good_ones_pass_and_bad_ones_do_not(path, capsys):
    assert main(["check", str(path)]) == (0 if path in GOOD else 1), capsys.readouterr().out


def test_every_output_belongs_to_an_example():
    expected = {path.with_name(path.name + ".out") for path in GOOD + BAD}
    assert expected == set(EXAMPLES.glob("*/*.out"))


@pytest.mark.parametrize("path", BAD, ids=name)
def test_a_bad_one_breaks_one_rule(path):
    serious = [finding for finding in lint_path(str(path)).findings if finding.severity != "info"]
    assert len(serious) == 1


# What the comments in the files say, and how many steps the runs would take.
NUMBERS = {
    "good/trl-grpo-7-gpus": {"completions_per_rollout": 112, "prompts_per_rollout": 8},
    "good/trl-rloo": {"completions_per_rollout": 64, "prompts_per_rollout": 16, "eval_completions": 32},
    "good/swift-grpo": {
        "completions_per_rollout": 128,
        "prompts_per_rollout": 8,
        "eval_completions": 32,
        "total_steps": 1000,
    },
    "good/megatron-gspo-8-gpus": {"dp_size": 4, "update_prompts_per_rank": 1, "updates_per_rollout": 2},
    "good/megatron-ray": {"world_size": 4, "dp_size": 2, "update_prompts_per_rank": 1},
    "good/nemo-rl-grpo": {"completions_per_rollout": 1024, "updates_per_rollout": 2, "dp_size": 4},
    "bad/nemo-rl-grpo": {"dp_size": 4, "completions_per_rollout": 1024},
    "bad/trl-grpo-7-gpus": {"completions_per_rollout": 28},
    "bad/swift-grpo-evaluation": {"eval_completions": 6, "total_steps": 1320},
    "bad/megatron-gspo-16-gpus": {"dp_size": 8, "prompts_per_update": 4, "update_prompts_per_rank": 0.5},
    "bad/megatron-gspo-16-gpus-micro-batch-2": {"dp_size": 8, "update_prompts_per_rank": 1, "micro_batch": 2},
}


@pytest.mark.parametrize("example", NUMBERS)
def test_the_numbers_in_the_comments(example):
    plan = plan_of(lint_path(str(EXAMPLES / f"{example}.yaml")))
    assert {quantity: plan.value(quantity) for quantity in NUMBERS[example]} == NUMBERS[example]


# --- the README -----------------------------------------------------------------------------------------------------

README = EXAMPLES.parent / "README.md"
PAGES = [README, README.with_suffix(".zh-CN.md"), *sorted((README.parent / "docs").glob("*.md"))]


def blocks(kind, page=README):
    """The fenced blocks of one kind in a page, without their fences."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


SHOWN = [(page, block) for page in PAGES for block in blocks("text", page) if block.startswith("$ grpo-lint ")]


@pytest.mark.parametrize("page, block", SHOWN, ids=lambda part: getattr(part, "stem", str(part).partition("\n")[0]))
def test_what_the_pages_show_is_what_is_printed(page, block, capsys, monkeypatch):
    command, _, shown = block.partition("\n")
    program, *words = command.removeprefix("$ ").split()
    assert program == "grpo-lint"
    monkeypatch.chdir(README.parent)
    for variable in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(variable, raising=False)
    main(words)
    speak("")
    printed = capsys.readouterr().out
    if os.environ.get("UPDATE_GOLDEN"):
        told = page.read_text(encoding="utf-8").replace(block, f"{command}\n{printed}")
        page.write_text(told, encoding="utf-8", newline="\n")
        shown = printed
    assert printed == shown


def test_the_readme_has_the_two_commands_that_ci_runs():
    lint, test = ([line for line in block.splitlines() if line.startswith("$ ")] for block in blocks("console"))
    assert len(lint) == len(test) == 1
    assert lint[0].endswith("grpo-lint check examples") and test[0].endswith('-m pytest -n auto -m "not slow"')


def test_every_page_for_contributors_shows_these_commands():
    assert blocks("console", README.with_name("README.zh-CN.md")) == blocks("console")
    assert '| `pytest -n auto -m "not slow"` | The fast set' in README.with_name("CONTRIBUTING.md").read_text(
        encoding="utf-8"
    )


def test_the_comment_in_the_pages_is_understood():
    (comment,) = (block for block in blocks("yaml", README.parent / "docs" / "settings.md") if block.startswith("#"))
    facts, problems = read_comment(comment.strip(), 0)
    assert set(facts) == {"dialect", "version", "world_size", "dataset_size"} and not problems


def test_the_hook_in_the_readme_is_ours():
    (config,) = (yaml.safe_load(block) for block in blocks("yaml") if block.startswith("repos:"))
    offered = yaml.safe_load((EXAMPLES.parent / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (repository,) = config["repos"]
    assert repository["hooks"] == [{"id": offered[0]["id"]}]
    assert all(f"`{hook['id']}`" in README.read_text(encoding="utf-8") for hook in offered[1:])
    assert repository["rev"] == "COMMIT"  # which the text below it explains: there is no tag that could be had
    assert "`COMMIT` is a commit" in README.read_text(encoding="utf-8")
