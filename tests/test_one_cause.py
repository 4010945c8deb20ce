"""What one variable of a script, or one fact of a file, does to several launches is one finding, which names them."""

import json

import pytest

import grpo_lint
from grpo_lint.cli.main import main

HEAD = "#!/bin/bash\n# grpo-lint: version=1.16.0 dialect=trl\n"
RUN = "accelerate launch --num_processes 8 train.py --per_device_train_batch_size 4 --output_dir a "


def checked(tmp_path, capsys, script):
    path = tmp_path / "run.sh"
    path.write_text(HEAD + script, encoding="utf-8")
    main(["check", "--output-format=json", str(path)])
    told = json.loads(capsys.readouterr().out)
    return [each for each in told["files"][0]["diagnostics"] if each["code"] in ("GRPO203", "GRPO599")], told["summary"]


def lines(diagnostics):
    return [each["range"]["start"]["line"] + 1 for each in diagnostics]


def first_fix(diagnostic):
    fix = diagnostic["data"]["fixes"][0]
    return fix["title"], [(edit["range"]["start"]["line"] + 1, edit["newText"]) for edit in fix["edits"]]


# (what a script says, the lines of the findings, title of the first fix and its edits)
CASES = {
    "a variable": (
        f"GROUP=7\n{RUN}--num_generations $GROUP\n{RUN}--num_generations $GROUP\n",
        [3],
        ("set GROUP to 8 in line 3", [(3, "8")]),
    ),
    "the default of a variable, in quotes": (
        f'G="${{GROUP:-7}}"\n{RUN}--num_generations $G\n{RUN}--num_generations $G\n',
        [3],
        ("set GROUP to 8 in line 3", [(3, "8")]),
    ),
    "an argument": (
        f"run() {{\n{RUN}--num_generations $1\n}}\nrun 7\n",
        [4],
        ("set num_generations to 8 in line 6", [(6, "8")]),
    ),
    "arguments of two runs, of which an edit cures one": (
        f"run() {{\n{RUN}--num_generations $1\n}}\nrun 7\nrun 7\n",
        [4],
        ("set num_generations to 8 in line 6", []),
    ),
    "words of a variable": (
        f'ARGS="--num_generations 7"\n{RUN}$ARGS\n',
        [3],
        ("set num_generations to 8 in line 3", [(3, "8")]),
    ),
    "two mistakes": (
        f"{RUN}--num_generations 7\n{RUN}--num_generations 7\n",
        [3, 4],
        ("set num_generations to 8", [(3, "8")]),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("script", "where", "fix"), CASES.values(), ids=CASES)
def test_a_finding_is_told_where_its_cause_is(tmp_path, capsys, script, where, fix):
    found, summary = checked(tmp_path, capsys, script)
    assert (lines(found), first_fix(found[0])) == (where, fix)
    assert summary["errors"] + summary["warnings"] == len(where)


def test_what_another_run_cannot_go_with_is_shown_and_not_applied(tmp_path, capsys):
    script = f"GROUP=7\n{RUN}--num_generations $GROUP\naccelerate launch --num_processes 7 train.py --per_device_train_batch_size 1 --num_generations $GROUP\n"
    (found,), _ = checked(tmp_path, capsys, script)
    assert lines([found]) == [4]
    title, edits = first_fix(found)
    assert title == "set GROUP to 8 in line 3" and not edits


def test_a_variable_that_gives_two_settings_their_value_is_named_once(tmp_path, capsys):
    batch = "data.train_batch_size=$B actor_rollout_ref.actor.ppo_mini_batch_size=$B trainer.n_gpus_per_node=3"
    command = f"python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo actor_rollout_ref.rollout.n=4 {batch}\n"
    path = tmp_path / "run.sh"
    path.write_text(f"# grpo-lint: dialect=verl version=0.7.0\nB=32\n{command}", encoding="utf-8")
    main(["check", "--output-format=json", str(path)])
    told = json.loads(capsys.readouterr().out)["files"][0]["diagnostics"]
    (found,) = [each for each in told if each["code"] == "GRPO710"]
    title, edits = first_fix(found)
    assert title == f"set B to {edits[0][1]} in line 2" and len(edits) == 1


def test_the_lines_of_all_launches_are_named(tmp_path, capsys):
    launches = f"{RUN}--num_generations $GROUP\n" * 3
    (found,), _ = checked(tmp_path, capsys, f"GROUP=7\n{launches}")
    assert "[GROUP sets num_generations in lines 4, 5 and 6" in found["message"]
    idle = f"{RUN}--num_generations 8 --num_train_epochs 2 --max_steps 9\n" * 3
    (found,), summary = checked(tmp_path, capsys, idle)
    assert found["severity"] == 3 and "the same in lines 4 and 5" in found["message"]
    assert summary["infos"] == 1


def test_a_program_and_an_agent_are_told_the_same(tmp_path, capsys):
    script = f"GROUP=7\n{RUN}--num_generations $GROUP\n{RUN}--num_generations $GROUP\n"
    (found,), _ = checked(tmp_path, capsys, script)
    (told,) = [each for each in grpo_lint.check_file(tmp_path / "run.sh").findings if each.code == "GRPO203"]
    assert (told.message, told.line) == (found["message"], found["range"]["start"]["line"] + 1)


CALL = "GRPOConfig(num_generations={}, per_device_train_batch_size=4)\n"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (f"GROUP = 7\nargs = {CALL.format('GROUP')}", "set GROUP to 8 in line 3"),
        (f"GROUP: int = 7\nargs = {CALL.format('GROUP')}", "set GROUP to 8 in line 3"),
        (f"args = {CALL.format(7)}", "set num_generations to 8"),
    ],
)
def test_a_fix_in_python_says_the_place_of_a_name(text, title):
    about = "# grpo-lint: dialect=trl version=1.16.0 world-size=8\nfrom trl import GRPOConfig\n"
    (found,) = [each for each in grpo_lint.check_text(about + text, path="own.py").findings if each.code == "GRPO203"]
    assert found.fixes[0].title == title
