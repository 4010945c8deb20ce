"""`# grpo-lint: expect ...`: what a file says its runs are to be, in configs and scripts."""

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from conftest import config, lint_text, told
from grpo_lint.checker.expectations import MOST
from grpo_lint.cli import main as cli
from grpo_lint.engine import lint
from grpo_lint.fixes.edits import apply
from grpo_lint.fixes.offering import COST_OF_DEMAND, MOST_CHARACTERS, Proof
from grpo_lint.launch import pins
from grpo_lint.launch.comment_grammar import MOST_PROBLEMS
from grpo_lint.launch.context import Context
from grpo_lint.report.messages import message
from grpo_lint.settings import files as settings
from grpo_lint.settings.policy import Policy
from grpo_lint.source.text import Edit, Text

RUN = """\
# grpo-lint: dialect=trl version=1.16.0 world-size=8
num_generations: 8
per_device_train_batch_size: 8
gradient_accumulation_steps: 4
"""


def expecting(words, run=RUN):
    """The report of a run whose second comment says what is expected."""
    return lint_text(f"# grpo-lint: expect {words}\n{run}")


def found(report):
    return [(finding.severity, message(finding)) for finding in report.findings]


# --- configs --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    ["completions_per_update=256", "completions_per_update=256 updates_per_rollout=1", "completions-per-update = 256", "num_generations=8",
     "loss_type=dapo", "evaluates=false", "learning_rate=1.0e-6", "world_size=8", "completions_per_update=256  # the reference run"],
)  # fmt: skip
def test_an_expectation_that_holds_says_nothing(words):
    assert told(expecting(words)) == []


def test_one_that_does_not_hold_is_an_error_at_its_word():
    report = expecting("updates_per_rollout=1 completions_per_update=512 loss_type=bnpo")
    assert found(report) == [
        (
            "error",
            "completions_per_update is 256 (per_device_train_batch_size 8 x 8 processes x gradient_accumulation_steps 4), and is expected to be 512",
        ),
        ("error", "loss_type is dapo, and is expected to be bnpo"),
    ]
    first, second = report.findings
    assert [report.text[finding.span] for finding in report.findings] == [
        "completions_per_update=512",
        "loss_type=bnpo",
    ]
    assert {finding.rule.code for finding in report.findings} == {"GRPO903"}
    assert first.key != second.key


@given(
    batch=st.integers(1, 30),
    accumulation=st.integers(1, 30),
    world=st.integers(1, 30),
    expected=st.integers(1, 2000) | st.none(),
)
def test_expectations_say_what_python_says(batch, accumulation, world, expected):
    update = batch * accumulation * world
    expected = expected or update
    run = config({"per_device_train_batch_size": batch, "gradient_accumulation_steps": accumulation, "num_generations": 2},
                 dialect="trl", version="1.16.0", world_size=world)  # fmt: skip
    codes = {finding.rule.code for finding in expecting(f"completions_per_update={expected}", run).findings}
    assert ("GRPO903" in codes) is (update != expected)


def test_the_comment_may_stand_anywhere():
    for place in range(5):
        lines = RUN.splitlines()
        lines.insert(place, "# grpo-lint: expect completions_per_update=512")
        assert [finding.rule.name for finding in lint_text("\n".join(lines) + "\n").findings] == ["expectation-holds"]
    behind = RUN.replace("steps: 4", "steps: 4 # grpo-lint: expect completions_per_update=512")
    assert len(lint_text(behind).findings) == 1


@pytest.mark.parametrize(
    "comment", ["#grpo-lint: expect", "# grpo_lint: expect", "# grpo-lint expect", "#  grpo-lint :expect"]
)
def test_ways_to_write_it(comment):
    (finding,) = lint_text(f"{comment} completions_per_update=512\n{RUN}").findings
    assert finding.rule.name == "expectation-holds"


@pytest.mark.parametrize(
    ("words", "span", "problem"),
    [
        ("completions_per_updat=512", "completions_per_updat", "did you mean 'completions_per_update'?"),
        ("worldsize=8", "worldsize", "did you mean 'world_size'?"),
        ("num_generation=8", "num_generation", "did you mean 'num_generations'?"),
        ("512 completions per update", "512", "is not an expectation; write name=value"),
        ("completions_per_update", "completions_per_update", "is not an expectation; write name=value"),
        ("completions_per_update=", "completions_per_update=", "can be expected to be a number"),
        ("completions_per_update=many", "completions_per_update=many", "can be expected to be a number, not 'many'"),
        ("beta=null", "beta=null", "a number or a text, not 'null'"),
        ("beta=.nan", "beta=.nan", "a number or a text"),
        ("", "# grpo-lint: expect ", "expect needs name=value"),
    ],
)
def test_what_is_not_understood(words, span, problem):
    report = expecting(words)
    (finding,) = report.findings
    assert (finding.rule.name, finding.severity) == ("comment-is-understood", "warning")
    assert report.text[finding.span] == span and problem in message(finding)


def test_the_others_of_a_comment_count():
    assert [finding.rule.name for finding in expecting("dp_siz=3 completions_per_update=512").findings] == [
        "comment-is-understood",
        "expectation-holds",
    ]


def test_a_key_of_the_teams_own_scripts():
    policy = Policy(known_keys=["team_*"])
    text = Text(f"# grpo-lint: expect team_workers=4\nteam_workers: 8\n{RUN}", "a.yaml")
    assert found(lint(text, Context(policy=policy))) == [("error", "team_workers is 8, and is expected to be 4")]


def test_a_file_that_nobody_recognises_is_told_so():
    (finding,) = lint_text("# grpo-lint: expect completions_per_update=512\nname: x\n").findings
    assert "which framework reads this file" in message(finding)


# --- what is unknown ------------------------------------------------------------------------------------------------

ANY_MACHINE = RUN.replace(" world-size=8", "")


@pytest.mark.parametrize(
    ("words", "severity", "text"),
    [
        ("completions_per_update=512", "info", "completions_per_update is 512 on 16 processes only"),
        ("completions_per_update=500", "error", "on every number of processes up to 4096"),
        ("group_size=8", None, ""),
        (
            "steps_per_epoch=10",
            "info",
            "cannot check whether steps_per_epoch is 10: dataset-size and world-size unknown",
        ),
        ("expert_parallel_size=2", "info", "this run has no expert_parallel_size, which its file expects"),
    ],
)
def test_unknown_number_of_processes(words, severity, text):
    findings = [
        finding for finding in expecting(words, ANY_MACHINE).findings if finding.rule.name == "expectation-holds"
    ]
    assert [finding.severity for finding in findings] == ([severity] if severity else [])
    assert not severity or text in message(findings[0])


def test_what_is_missing_is_named():
    assert found(expecting("steps_per_epoch=10")) == [
        ("info", "cannot check whether steps_per_epoch is 10: dataset-size unknown")
    ]
    assert found(expecting("steps_per_epoch=10", RUN.replace("world-size=8", "world-size=8 dataset-size=320"))) == []
    unknown = RUN.replace("accumulation_steps: 4", "accumulation_steps: ${{ steps }}")
    assert found(expecting("completions_per_update=256", unknown)) == [
        ("info", "cannot check whether completions_per_update is 256: gradient_accumulation_steps unknown")
    ]


# --- files of strangers -----------------------------------------------------------------------------------------------


def test_a_file_expects_so_much_and_no_more():
    words = [f"completions_per_update={number}" for number in range(1000, 1000 + MOST + 5)]
    findings = expecting(" ".join(words)).findings
    assert [finding.rule.name for finding in findings] == ["expectation-holds"] * MOST + ["comment-is-understood"]
    assert "this one and all below are not looked at" in message(findings[-1])


def test_so_many_mistakes_are_told_and_no_more():
    findings = lint_text(RUN + "# grpo-lint: expect nonsense=1\n" * 50).findings
    assert len(findings) == MOST_PROBLEMS


def test_all_numbers_of_processes_are_tried_for_so_many_launches_and_no_more():
    command = "accelerate launch --num_processes $N train.py --num_generations 8 --per_device_train_batch_size 600\n"
    script = (
        "# grpo-lint: version=1.16.0 dialect=trl\n# grpo-lint: expect completions_per_update=500\nset -e\n"
        + command * 15
    )
    severities = [
        finding.severity
        for finding in lint_text(script, path="a.sh").findings
        if finding.rule.name == "expectation-holds"
    ]
    assert severities == ["error"] * 10 + ["info"] * 5


@pytest.mark.slow
def test_what_takes_long_is_proven_less_often():
    text = Text(
        f"# grpo-lint: expect {' '.join(f'completions_per_update={number}' for number in range(500, 500 + MOST))}\n{ANY_MACHINE}",
        "a.yaml",
    )
    prove = Proof(lint(text, fixes=False), lambda text, *beside: lint(text, fixes=False))
    proofs = 0
    while not prove.stopped:
        prove([], [Edit(0, 0, "\n" * proofs)])  # what was tried last is remembered
        proofs += 1
    assert proofs <= MOST_CHARACTERS // (MOST * COST_OF_DEMAND) + 1


# --- fixes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "fix"),
    [
        ("completions_per_update=512", {"gradient_accumulation_steps": 8}),
        ("completions_per_update=512 updates_per_rollout=1", {"gradient_accumulation_steps": 8}),
        ("prompts_per_rollout=16", {"gradient_accumulation_steps": 2}),
        ("beta=0.04", {"beta": 0.04}),
        ("loss_type=bnpo", {"loss_type": "bnpo"}),
    ],
)
def test_a_fix_is_proven(words, fix):
    text = Text(f"# grpo-lint: expect {words}\n{RUN}", "a.yaml")
    (finding,) = lint(text).findings
    assert finding.fixes[0].changes == fix
    for each in finding.fixes:
        assert not each.edits or lint(apply(text, each.edits)).findings == []


def test_a_fix_keeps_the_other_expectations():
    (finding,) = lint(
        Text(f"# grpo-lint: expect completions_per_update=512 gradient_accumulation_steps=4\n{RUN}", "a.yaml")
    ).findings
    assert finding.fixes
    assert all("gradient_accumulation_steps" not in fix.changes for fix in finding.fixes)


# --- scripts --------------------------------------------------------------------------------------------------------

SCRIPT = """\
#!/bin/bash
# grpo-lint: version=1.16.0 dialect=trl
{top}
export WANDB_MODE=offline

{above}
accelerate launch --num_processes 8 train.py \\
  --num_generations 8 \\
  --per_device_train_batch_size 8

accelerate launch --num_processes 4 train.py --num_generations 8 --per_device_train_batch_size 8  {behind}
"""


@pytest.mark.parametrize(
    ("place", "places"),
    [
        ("top", ["line 7", "line 11"]),
        ("above", ["line 7"]),
        ("behind", ["line 11"]),
    ],
)
def test_a_comment_at_a_command_is_about_that_command(place, places):
    comments = {"top": "", "above": "", "behind": "", place: "# grpo-lint: expect completions_per_update=512"}
    report = lint_text(SCRIPT.format(**comments), path="train.sh")
    told = [str(finding.note).partition(";")[0] for finding in report.findings]
    assert told == [f"in the run that {place} starts" for place in places]


def test_a_script_is_mended_at_its_flags():
    text = Text(SCRIPT.format(top="", above="# grpo-lint: expect completions_per_update=128", behind=""), "train.sh")
    (finding,) = lint(text).findings
    mended = [apply(text, fix.edits).text for fix in finding.fixes if fix.edits]
    assert any("gradient_accumulation_steps 2" in each for each in mended)
    assert all(lint_text(each, path="train.sh").findings == [] for each in mended)


JOB = """\
jobs:
  # grpo-lint: expect completions_per_update=512
  small:
    run: |
      # grpo-lint: expect completions_per_update=32 nonsense=1
      accelerate launch --num_processes 4 train.py --num_generations 8 --per_device_train_batch_size 8 --use_vllm true
  large:
    run: |
      accelerate launch --num_processes 64 train.py --num_generations 8 --per_device_train_batch_size 8 --use_vllm true
"""


def test_a_script_inside_of_a_job():
    report = lint_text("# grpo-lint: version=1.16.0\n" + JOB)
    assert [(finding.rule.name, report.text.position(finding.span.start)[0]) for finding in report.findings if finding.severity != "info"] == [
        ("expectation-holds", 2), ("comment-is-understood", 5),
    ]  # fmt: skip


@pytest.fixture
def repository(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    settings.forget()
    pins.forget()


@pytest.mark.usefixtures("repository")
def test_a_config_is_judged_in_the_runs_that_scripts_start(capsys):
    Path("a.yaml").write_text(
        "# grpo-lint: dialect=trl version=1.16.0\n# grpo-lint: expect completions_per_update=64\n"
        + RUN.partition("\n")[2]
    )
    Path("one.sh").write_text("accelerate launch --num_processes 2 train.py --config a.yaml\n")
    Path("two.sh").write_text("accelerate launch --num_processes 4 train.py --config a.yaml\n")
    assert cli.main(["a.yaml", "--output-format", "json"]) == 1
    files = json.loads(capsys.readouterr().out)["files"]
    told = [found["message"] for file in files for found in file["diagnostics"] if found["code"] == "GRPO903"]
    assert len(told) == 1 and told[0].endswith("and is expected to be 64 [in the run that two.sh, line 1 starts]")


# --- like other rules -----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("repository")
def test_settings_baselines_and_sarif_know_it(capsys):
    Path("a.yaml").write_text("# grpo-lint: expect completions_per_update=512 beta=1\n" + RUN)
    assert cli.main(["a.yaml", "--ignore", "expectation-holds"]) == 0
    assert cli.main(["a.yaml", "--baseline", "known.json", "--write-baseline"]) == 0
    assert cli.main(["a.yaml", "--baseline", "known.json"]) == 0
    capsys.readouterr()
    cli.main(["a.yaml", "--output-format", "sarif"])
    run = json.loads(capsys.readouterr().out)["runs"][0]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["GRPO903"]
    assert [result["ruleIndex"] for result in run["results"]] == [0, 0]
    cli.main(["a.yaml", "--statistics"])
    assert capsys.readouterr().out.startswith("2  GRPO903  expectation-holds ")


def test_no_comment_suppresses_it():
    report = lint_text("# grpo-lint: ignore-file[GRPO903] no\n# grpo-lint: expect completions_per_update=512\n" + RUN)
    assert sorted(finding.rule.name for finding in report.findings) == ["comment-is-understood", "expectation-holds"]


def test_a_repository_without_expectations_does_not_load_them():
    import subprocess
    import sys

    code = "import sys; from grpo_lint.engine import lint; from grpo_lint.source.text import Text; lint(Text(sys.stdin.read(), 'a.yaml')); print(list(sys.modules))"
    loaded = [
        subprocess.run(
            [sys.executable, "-c", code], input=text, capture_output=True, encoding="utf-8", check=True
        ).stdout
        for text in (RUN, "# grpo-lint: expect beta=0\n" + RUN)
    ]
    assert ["grpo_lint.checker.expectations" in each for each in loaded] == [False, True]
