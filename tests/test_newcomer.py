"""What a newcomer does to teach grpo-lint something new: a rule is one declaration, which says as well which versions refuse
what it describes, beside a file of cases; a version is one declaration.

The package is copied, they are written where docs/architecture.md sends a newcomer, and the command line of the copy is
asked what it makes of them. What is left is the translation of the rule's texts.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import grpo_lint

RULE = """\
    Rule(
        "GRPO290",
        "group-is-even",
        "The group size is even",
        "group_size % 2 != 0",
        message="num_generations {group_size} is odd, and {prompts_per_rollout} prompts{prompts_per_rollout.how} share its pairs",
        why="This made-up trainer compares completions in pairs.",
        instead="Set num_generations to an even number.",
        at=("group_size",),
        blocked_by=("group-is-positive", "rollout-holds-whole-groups"),
        enforced=(("1.16.5", None, "config", "pairs of (...) completions do not come out even"),),
    ),
"""
CASES = """\
- config: |
    # grpo-lint: dialect=trl version=1.16.5 world-size=1
    per_device_train_batch_size: 15
    num_generations: 5
  reported: error
- config: |
    # grpo-lint: dialect=trl version=1.16.5 world-size=1
    per_device_train_batch_size: 8
    num_generations: 4
  reported: nothing
"""
REGIME = """\
    Regime("1.16.5", {**_V0261, "micro_batch": "per_device_train_batch_size * 1"}, _IDLE, _OPTIONS_028),
"""
CONFIG = """\
# grpo-lint: dialect=trl version={version} world-size=1
per_device_train_batch_size: 14
num_generations: 7
"""


def add_to(path, table, declaration):
    """Put a declaration at the end of a table of a module."""
    text = path.read_text(encoding="utf-8")
    end = text.index("\n)\n", text.index(f"\n{table} = (\n")) + 1
    path.write_text(text[:end] + declaration + text[end:], encoding="utf-8")


@pytest.fixture(scope="module")
def taught(tmp_path_factory):
    """A function that runs the command line of the copy, and gives the completed process."""
    home = tmp_path_factory.mktemp("newcomer")
    copy = shutil.copytree(
        Path(grpo_lint.__file__).parent, home / "grpo_lint", ignore=shutil.ignore_patterns("__pycache__")
    )
    folder = copy / "frameworks" / "trl"
    add_to(folder / "rules.py", "RULES", RULE)
    (folder / "cases" / "GRPO290.yaml").write_text(CASES, encoding="utf-8")
    add_to(folder / "framework.py", "REGIMES", REGIME)

    def run(*words, text=None):
        command = [sys.executable, "-m", "grpo_lint", *words]
        environment = {**os.environ, "PYTHONPATH": str(home), "COLUMNS": "200"}
        return subprocess.run(
            command, input=text, capture_output=True, encoding="utf-8", cwd=home, env=environment, check=False
        )

    run.home = home
    return run


def diagnostics(taught, version):
    result = taught("check", "-", "--output-format", "json", text=CONFIG.format(version=version))
    assert result.stderr == ""
    return json.loads(result.stdout)["files"][0]["diagnostics"]


def test_the_new_version_refuses_what_the_new_rule_describes(taught):
    (found,) = diagnostics(taught, "1.16.5")
    assert (found["code"], found["severity"], found["data"]["rule"], found["data"]["stage"]) == (
        "GRPO290",
        1,
        "group-is-even",
        "config",
    )
    assert (found["range"]["start"]["line"], found["data"]["assumes"]) == (2, [])


def test_the_message_is_filled_with_numbers_and_formulas(taught):
    (found,) = diagnostics(taught, "1.16.5")
    assert found["message"].startswith("num_generations 7 is odd, and 2 prompts (")


def test_older_versions_do_not_mind(taught):
    assert diagnostics(taught, "1.16.4") == diagnostics(taught, "1.0.0") == []


def test_fixes_satisfy_the_new_rule_and_all_others(taught):
    fixes = [fix["set"] for fix in diagnostics(taught, "1.16.5")[0]["data"]["fixes"]]
    assert {"num_generations": 14} in fixes or {"num_generations": 2} in fixes
    for changes in fixes:
        settings = {"num_generations": 7, "per_device_train_batch_size": 14, **changes}
        assert settings["num_generations"] % 2 == 0
        assert settings["per_device_train_batch_size"] % settings["num_generations"] == 0


def test_the_terminal_quotes_the_new_wording(taught):
    result = taught("check", "-v", "-", text=CONFIG.format(version="1.16.5"))
    assert result.returncode == 1
    assert "group-is-even" in result.stdout and "pairs of (...) completions do not come out even" in result.stdout


def test_the_page_and_the_table_hold_the_new_rule(taught):
    page = taught("rule", "group-is-even").stdout
    for told in (
        "GRPO290",
        "The group size is even",
        "compares completions in pairs",
        "1.16.5",
        "do not come out even",
    ):
        assert told in page
    assert taught("rule", "GRPO290").stdout == page
    assert "group-is-even" in taught("rule").stdout


def test_explain_shows_the_new_formula(taught):
    new, old = (taught("explain", "-", text=CONFIG.format(version=version)).stdout for version in ("1.16.5", "1.16.4"))
    assert "= per_device_train_batch_size 14 x 1" in new
    assert "= per_device_train_batch_size 14" in old and "14 x 1" not in old


def test_a_rule_takes_two_files_and_a_version_one(taught):
    assert taught("rule", "GRPO290").returncode == 0
    original, copy = Path(grpo_lint.__file__).parent, taught.home / "grpo_lint"
    written = [
        path.relative_to(copy).as_posix()
        for path in sorted(copy.rglob("*.py")) + sorted(copy.rglob("*.yaml"))
        if not (original / path.relative_to(copy)).exists()
        or path.read_bytes() != (original / path.relative_to(copy)).read_bytes()
    ]
    assert sorted(written) == [
        "frameworks/trl/cases/GRPO290.yaml",
        "frameworks/trl/framework.py",
        "frameworks/trl/rules.py",
    ]
