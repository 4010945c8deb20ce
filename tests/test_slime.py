"""slime is started by train.py with flags, which tell whose program it is, as they stand in arrays of bash."""

import pytest

from conftest import lint_text, plan_of
from grpo_lint.checker.contexts import Around
from grpo_lint.engine import lint_path
from grpo_lint.launch.launch import Given
from grpo_lint.planning.starts import Start
from grpo_lint.report.messages import advice
from grpo_lint.unknown import UNKNOWN

ARRAYS = """\
ROLLOUT_ARGS=(
   --num-rollout 3000
   --rollout-batch-size 32
   # --n-samples-per-prompt 4
   --n-samples-per-prompt 8
   {more}
)
ray job submit --address="http://127.0.0.1:8265" --runtime-env-json="${{RUNTIME_ENV_JSON}}" \\
   -- python3 {program} --actor-num-nodes 1 --actor-num-gpus-per-node {gpus} ${{ROLLOUT_ARGS[@]}}
"""


def linted(more="--global-batch-size 256", program="train.py", gpus="8", head=""):
    return lint_text(head + ARRAYS.format(more=more, program=program, gpus=gpus), path="run.sh", fixes=False)


@pytest.mark.parametrize("program", ["train.py", "train_async.py", "/root/slime/train.py", "my_training.py"])
def test_its_flags_tell_it_whatever_the_program_is_called(program):
    report = linted(program=program)
    assert report.launches[0].framework.name == "slime" and not report.findings
    sizes = {"dp_size": 8, "group_size": 8, "completions_per_rollout": 256, "updates_per_rollout": 1}
    assert {name: plan_of(report).value(name) for name in sizes} == sizes


def test_flags_are_not_abbreviated():
    """Up to 0.2.2 one is refused; since 0.2.3 it is ignored, and sets nothing."""
    for version, severity in (("0.2.1", "error"), ("0.3.1", "warning")):
        report = linted("--global-batch-size 256 --n-samples-per-promp 4", head=f"# grpo-lint: version={version}\n")
        assert [(each.rule.code, each.severity) for each in report.findings] == [("GRPO102", severity)]
        assert plan_of(report).value("group_size") == 8


def test_a_flag_has_one_spelling():
    """argparse takes no underscores for dashes: up to 0.2.2 such a flag is refused, since then ignored."""
    for version, severity in (("0.2.2", "error"), ("0.3.1", "warning")):
        more = "--global-batch-size 256 --micro-batch-size 1 --micro_batch_size 2 --use-checkpoint-opt_param-scheduler"
        text = ARRAYS.format(more=more, program="train.py", gpus="8")
        report = lint_text(f"# grpo-lint: version={version}\n{text}", path="run.sh", fixes=True)
        assert [(each.rule.code, each.severity) for each in report.findings] == [("GRPO102", severity)]
        assert plan_of(report).value("micro_batch") == 1
    text = text.replace("--micro-batch-size 1", "")
    report = lint_text(f"# grpo-lint: version=0.3.1\n{text}", path="run.sh", fixes=True)
    assert [fix.edits[0].new for each in report.findings for fix in each.fixes] == ["micro-batch-size"]


def test_the_flag_that_the_parser_asks_for_is_missed_where_all_flags_are_here():
    text = ARRAYS.format(more="--global-batch-size 256", program="train.py", gpus="8").replace(
        "--rollout-batch-size 32", ""
    )
    missing = [each for each in lint_text(text, path="run.sh").findings if each.rule.name == "required-key-is-given"]
    assert [(each.severity, each.values["key"]) for each in missing] == [("error", "rollout_batch_size")]
    assert advice(missing[0]) == "Add the flag --rollout-batch-size."
    text = text.replace("--global-batch-size 256", "${MORE[@]}")
    assert "required-key-is-given" not in [each.rule.name for each in lint_text(text, path="run.sh").findings]


def test_gpus_that_nobody_knows_are_not_taken_for_one_process():
    report = linted("--global-batch-size 250", gpus="${NUM_GPUS}")
    assert report.launches[0].facts.get("world_size") is None
    assert not [each for each in report.findings if each.rule.code == "GRPO870" and each.severity == "error"]


@pytest.mark.parametrize("more", ["${MORE[@]}", "--colocate ${MORE[@]}"])
def test_an_array_that_is_not_known_may_say_what_is_not_written(more):
    """Behind a flag, too: an array may hold the values of the flag, or further flags."""
    report = lint_text(ARRAYS.format(more=more, program="train.py", gpus="8"), path="run.sh", fixes=False)
    assert report.launches[0].incomplete and not report.findings


@pytest.mark.parametrize("array", ["MODEL_ARGS", "MORE"])
def test_the_array_of_a_model_says_what_the_model_is_and_nothing_else(array):
    """scripts/models/*.sh fill it, and lie elsewhere in most scripts: how many layers there are is not known, all else is."""
    more = f"--global-batch-size 250 --pipeline-model-parallel-size 2 --colocate ${{{array}[@]}}"
    report = lint_text(ARRAYS.format(more=more, program="train.py", gpus="8"), path="run.sh", fixes=False)
    assert report.launches[0].incomplete is (array == "MORE")
    assert ("GRPO870" in [each.rule.code for each in report.findings]) is (array == "MODEL_ARGS")
    given = Given(report.launches[0], report.launches[0].candidates[0])
    assert given["num_layers"] is UNKNOWN
    assert given["colocate"] is (True if array == "MODEL_ARGS" else UNKNOWN)


def test_a_run_without_rollouts_evaluates_where_the_rate_has_a_schedule():
    """slime 0.2.1 and 0.3.1 accept --num-rollout 0 with --lr-decay-iters 1, and refuse it without."""
    found = {}
    for more in ("", "--lr-decay-iters 1"):
        text = ARRAYS.format(
            more=f"--global-batch-size 256 --eval-interval 1 --eval-prompt-data a b {more}",
            program="train.py",
            gpus="8",
        )
        report = lint_text(text.replace("--num-rollout 3000", "--num-rollout 0"), path="run.sh", fixes=False)
        found[more] = [each.rule.code for each in report.findings]
    assert found == {"": ["GRPO889"], "--lr-decay-iters 1": []}


@pytest.mark.parametrize(
    ("lost", "told"),
    [("--rollout-batch-size 32", "--rollout-batch-size"), ("${ROLLOUT_ARGS[@]}", "${ROLLOUT_ARGS[@]}")],
)
def test_a_command_that_loses_most_of_its_flags_is_one_of_slime(lost, told):
    """Without a backslash the flags behind it never reach the program, which is known by those before, nor does an array of flags."""
    head = "ROLLOUT_ARGS=(--rollout-batch-size 32 --n-samples-per-prompt 8 --num-rollout 3 --global-batch-size 256)\n"
    start = "ray job submit -- python3 train.py --actor-num-nodes 1 --actor-num-gpus-per-node 8 --colocate\n"
    report = lint_text(
        head + start + f"  {lost} \\\n  --n-samples-per-prompt 8 --num-rollout 3 --global-batch-size 256\n",
        path="run.sh",
        fixes=False,
    )
    assert [each.framework.name for each in report.launches] == ["slime"]
    assert [each.rule.code for each in report.findings] == ["GRPO007"] and told in report.findings[0].values["flags"]


def test_a_plan_writes_flags_as_the_parser_takes_them():
    written = Start("slime", "0.3.1", "my/model", epochs=2).written({"global_batch_size": 64, "micro_batch_size": 2}, 8)
    words = written.replace("\\\n", "").split()
    assert words[words.index("--global-batch-size") + 1] == "64" and words.count("--global-batch-size") == 1
    assert words[-2:] == ["--micro-batch-size", "2"] and "my/model" in words and "--num-rollout" not in words


@pytest.mark.parametrize(("more", "found"), [("", ["GRPO201"]), ("--debug-rollout-only", [])])
def test_a_run_that_only_generates_compares_no_group(more, found):
    report = linted(f"--global-batch-size 32 --n-samples-per-prompt 1 {more}")
    assert [each.rule.code for each in report.findings if each.rule.code == "GRPO201"] == found


@pytest.mark.parametrize(
    ("maker", "told"), [('f"--{field.name}"', []), ('"--config"', [("GRPO102", "warning")])], ids=["fields", "one"]
)
def test_a_copy_may_make_flags_of_the_fields_of_a_dataclass(tmp_path, maker, told):
    """A backend of its own declares what it reads once, as fields, and its parser takes their names."""
    (tmp_path / ".git").mkdir()
    place = tmp_path / "slime" / "utils" / "arguments.py"
    place.parent.mkdir(parents=True)
    place.write_text(
        "from dataclasses import dataclass, fields\n\n@dataclass\nclass Own:\n    expert_parallel_size: int = 1\n\n"
        f"def more(parser):\n    for field in fields(Own):\n        parser.add_argument({maker}, type=field.type)\n"
    )
    script = tmp_path / "run.sh"
    text = ARRAYS.format(more="--global-batch-size 256 --expert-parallel-size 8", program="train.py", gpus=8)
    script.write_text(text)
    report = lint_path(str(script), Around({}, asked=[str(script)]).of(str(script)), fixes=False)
    assert [(each.rule.code, each.severity) for each in report.findings if each.rule.code == "GRPO102"] == told


@pytest.mark.parametrize(
    ("program", "is_its"),
    [("from argparse import ArgumentParser\n", False), ("from slime.ray import train\n", True), (None, True)],
)
def test_a_program_that_is_here_and_does_not_name_it_has_flags_of_its_own(tmp_path, program, is_its):
    (tmp_path / ".git").mkdir()
    if program is not None:
        (tmp_path / "train_new.py").write_text(program)
    path = tmp_path / "run.sh"
    path.write_text(ARRAYS.format(more="--global-batch-size 256", program="train_new.py", gpus="8"))
    report = lint_path(str(path), Around().of(str(path)), fixes=False)
    assert [launch.framework.name for launch in report.launches] == ["slime"] * is_its
