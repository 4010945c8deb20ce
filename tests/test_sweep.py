"""`grpo-lint sweep`: what is said of a grid is what `check` says of each of its runs."""

import itertools
import json
import os
import random
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from grpo_lint.checker.contexts import Around
from grpo_lint.cli.main import main
from grpo_lint.engine import lint
from grpo_lint.fixes.state import states_of
from grpo_lint.launch.facts import Counts, Fact
from grpo_lint.planning import grid_survey
from grpo_lint.planning.grid_survey import CannotSweep, survey
from grpo_lint.planning.grids import Axis, Grid, grid_in, loops_in, values_of
from grpo_lint.source.overrides import swept_values
from grpo_lint.source.text import Text

BASES = {
    "trl": """\
# grpo-lint: dialect=trl version=1.16.0 world-size=8
model_name_or_path: m
dataset_name: d
reward_funcs: [accuracy_reward]
per_device_train_batch_size: 8
num_generations: 8
learning_rate: 1.0e-06
""",
    "swift": """\
# grpo-lint: dialect=swift version=4.6.0 world-size=8
rlhf_type: grpo
model: m
dataset: [d]
reward_funcs: [accuracy]
per_device_train_batch_size: 8
gradient_accumulation_steps: 1
num_generations: 8
""",
    "megatron": """\
# grpo-lint: dialect=megatron version=4.6.0 world-size=8
rlhf_type: grpo
model: m
dataset: [d]
reward_funcs: [accuracy]
use_vllm: true
vllm_mode: colocate
micro_batch_size: 1
train_iters: 100
global_batch_size: 64
num_generations: 8
""",
}
VARIED = {
    "trl": {
        "per_device_train_batch_size": [1, 2, 3, 4, 8, 16],
        "gradient_accumulation_steps": [1, 2, 3, 4],
        "num_generations": [1, 2, 6, 8, 32],
        "steps_per_generation": [None, 1, 2, 3, 8],
        "generation_batch_size": [None, 64, 100],
        "num_iterations": [1, 2],
        "beta": [0.0, 0.04, "x"],
        "max_completion_length": [128, 0, 4096],
        "loss_type": ["grpo", "dapo", "nonsense"],
        "epsilon": [0.2, 0.3],
        "warmup_steps": [0, 10, -1],
    },
    "swift": {
        "per_device_train_batch_size": [1, 2, 3, 8],
        "gradient_accumulation_steps": [1, 2, 5],
        "num_generations": [1, 4, 8, 12],
        "steps_per_generation": [1, 4, 7],
        "generation_batch_size": [64, 128],
        "eval_strategy": ["no", "steps"],
        "per_device_eval_batch_size": [1, 3, 8],
        "num_iterations": [1, 3],
        "loss_type": ["grpo", "real"],
        "use_vllm": [True, False],
        "vllm_mode": ["colocate", "server"],
    },
    "megatron": {
        "micro_batch_size": [1, 2, 3],
        "global_batch_size": [16, 32, 64, 100],
        "num_generations": [1, 4, 8, 16],
        "steps_per_generation": [1, 2, 3],
        "tensor_model_parallel_size": [1, 2, 3],
        "pipeline_model_parallel_size": [1, 2],
        "expert_model_parallel_size": [1, 4, 16],
        "vllm_tensor_parallel_size": [1, 2, 5],
        "num_iterations": [1, 2],
    },
}


@pytest.fixture(autouse=True)
def nothing_around(tmp_path, monkeypatch):
    """The runs stand in no repository: not in that of grpo-lint itself, whose scripts would be read for each of them."""
    monkeypatch.chdir(tmp_path)


def report_of(text, **facts):
    told = {name: Fact(value, "test") for name, value in facts.items()}
    return lint(Text(text, "run.yaml"), Around(told).of("run.yaml"), fixes=False)


def grid_of(varied):
    grid = Grid()
    grid.axes = [Axis(name=name, values=values) for name, values in varied.items()]
    return grid


def with_settings(base, chosen):
    lines = [line for line in base.splitlines() if line.partition(":")[0] not in chosen]
    return "\n".join([*lines, *(f"{name}: {value}" for name, value in chosen.items() if value is not None)]) + "\n"


def in_a_box(box, chosen):
    return all(chosen[name] in values for name, values in box.items())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", BASES)
def test_each_run_is_judged_as_check_judges_it(name, seed):
    """Some axes by chance, and every combination of them linted as a text of its own."""
    chance = random.Random(f"{name}-{seed}")
    names = chance.sample(list(VARIED[name]), 3)
    varied = {each: chance.sample(VARIED[name][each], min(3, len(VARIED[name][each]))) for each in names}
    found = survey(grid_of(varied), report_of(BASES[name]))
    refused = 0
    for values in itertools.product(*varied.values()):
        chosen = dict(zip(varied, values))
        report = report_of(with_settings(BASES[name], chosen))
        errors = {finding.rule.code for finding in report.findings if finding.severity == "error"}
        told = {
            each.rule.code
            for each in found.refusals
            if each.severity == "error" and any(in_a_box(box, chosen) for box in each.boxes)
        }
        assert told == errors, chosen
        refused += bool(errors)
    assert (found.refused, found.total) == (refused, len(list(itertools.product(*varied.values()))))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", BASES)
def test_each_run_is_judged_as_a_fix_judges_it(name, seed):
    """Wider grids, and each combination asked of the State of the first run."""
    chance = random.Random(f"{name}-{seed}")
    names = chance.sample(
        [each for each in VARIED[name] if each not in ("beta", "loss_type", "warmup_steps", "max_completion_length")], 5
    )
    varied = {each: [value for value in VARIED[name][each] if value is not None] for each in names}
    report = report_of(BASES[name])
    found = survey(grid_of(varied), report)
    states = states_of(report.launches[0], report.launches[0].world_size)
    refuses = states[0].candidate.enforced.refuses
    counts, refused = {}, 0
    for values in itertools.product(*varied.values()):
        visible = {rule for state in states for rule in state.visible_violations(dict(zip(varied, values)))[0]}
        refused += any(rule.name in refuses for rule in visible)
        for rule in visible:
            counts[rule.code] = counts.get(rule.code, 0) + 1
    assert found.refused == refused
    assert {each.rule.code: each.count for each in found.refusals if each.severity == "error"} == {
        code: count for code, count in counts.items() if code in {rule.code for rule in found_rules(found)}
    }


def found_rules(found):
    return [each.rule for each in found.refusals if each.severity == "error"]


def test_boxes_are_the_smallest_set_of_settings():
    varied = {"beta": [0.0, 0.1], "num_generations": [1, 2, 4], "epsilon": [0.2, 0.3]}
    found = survey(grid_of(varied), report_of(BASES["megatron"]))
    (refusal,) = (each for each in found.refusals if each.rule.code == "GRPO201")
    assert refusal.names == ["num_generations"] and refusal.boxes == [{"num_generations": [1]}] and refusal.count == 4


def test_several_numbers_of_processes_have_to_work():
    base = BASES["trl"].replace(" world-size=8", "")
    found = survey(grid_of({"num_generations": [2, 3, 4]}), report_of(base, world_size=Counts((2, 3))))
    assert [box for each in found.refusals if each.severity == "error" for box in each.boxes] == [
        {"num_generations": [3]}
    ]


def big(size, count):
    return {
        "per_device_train_batch_size": list(range(1, size + 1)),
        "gradient_accumulation_steps": list(range(1, size + 1)),
        "num_generations": list(range(1, size + 1)),
        "steps_per_generation": list(range(1, size + 1)),
        "num_iterations": list(range(1, size + 1)),
        "max_steps": list(range(1, count + 1)),
    }


def test_a_hundred_thousand_runs_cost_a_few_thousand_formulas(monkeypatch):
    """It is the structure that is asked, not each run: formulas are evaluated for values that differ."""
    evaluated = 0
    value = grid_survey.Space.value

    def counted(self, *words):
        nonlocal evaluated
        evaluated += 1
        return value(self, *words)

    monkeypatch.setattr(grid_survey.Space, "value", counted)
    found = survey(grid_of(big(10, 1)), report_of(BASES["trl"]))
    assert found.total == 100_000 and 0 < found.refused < found.total
    assert evaluated < 20_000


def test_a_million_runs_stay_in_bounds():
    report = report_of(BASES["trl"])
    tracemalloc.start()
    found = survey(grid_of(big(10, 10)), report)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.total == 1_000_000 and most < 64 << 20


@pytest.mark.slow
def test_what_hangs_together_too_much_is_not_counted_and_said():
    found = survey(grid_of(big(60, 2)), report_of(BASES["trl"]))
    assert found.total == 2 * 60**5 and (found.refused is None or found.left_out)


# --- how people write grids -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec, values",
    [
        ([1, 2], [1, 2]),
        ({"values": [1, 2]}, [1, 2]),
        ({"value": 3}, [3]),
        ({"min": 1, "max": 4}, [1, 2, 3, 4]),
        ({"distribution": "int_uniform", "min": 1, "max": 3}, [1, 2, 3]),
        ({"distribution": "q_uniform", "min": 0, "max": 1, "q": 0.5}, [0.0, 0.5, 1.0]),
        ({"distribution": "q_uniform", "min": 8, "max": 32, "q": 8}, [8, 16, 24, 32]),
        ({"grid_search": [4, 8]}, [4, 8]),
        ({"type": "categorical", "choices": [4, 8]}, [4, 8]),
        ({"type": "int", "low": 2, "high": 6, "step": 2}, [2, 4, 6]),
        ("choice(1, 2, 4)", [1, 2, 4]),
        ("range(1, 4)", [1, 2, 3]),
        ("1,2,4", [1, 2, 4]),
        (7, [7]),
    ],
)
def test_values_of_an_axis(spec, values):
    assert values_of(spec) == (values, "")


@pytest.mark.parametrize(
    "spec",
    [{"min": 0.1, "max": 0.9}, {"distribution": "log_uniform_values", "min": 1e-7, "max": 1e-5}, {"distribution": "normal", "mu": 0}, "interval(0, 1)", "${oc.env:X}",
     {"min": 1, "max": 10**9}, {"min": 1, "max": 0}, {"min": 1, "max": 5, "q": -1}, [], {"type": "float", "low": 1, "high": 2}],
)  # fmt: skip
def test_what_is_not_enumerated_says_why(spec):
    values, why = values_of(spec)
    assert values == [] and why


def test_values_of_hydra():
    assert swept_values("a,b") == ["a", "b"] and swept_values("[1,2],[3]") == [[1, 2], [3]]
    assert (
        swept_values("range(0,10,5)") == [0, 5] and swept_values("range(x)") is None and swept_values("glob(*)") is None
    )


def test_sections_are_paths():
    text = "parameters:\n  data:\n    parameters:\n      train_batch_size: {values: [8, 16]}\n"
    assert [axis.name for axis in grid_in(Text(text, "s.yaml")).axes] == ["data.train_batch_size"]


WANDB = """\
program: train.py
method: bayes
metric: {name: reward, goal: maximize}
parameters:
  num_generations: {values: [1, 8]}
  per_device_train_batch_size: {values: [8]}
  learning_rate: {distribution: log_uniform_values, min: 1.0e-7, max: 1.0e-5}
"""


def run(path, *words, capsys):
    status = main(["sweep", str(path), *words])
    return status, capsys.readouterr().out


def test_a_sweep_of_wandb_names_its_config_in_its_command(tmp_path, capsys):
    (tmp_path / "base.yaml").write_text(BASES["trl"])
    sweep = tmp_path / "sweep.yaml"
    sweep.write_text(
        WANDB
        + 'command: ["${env}", accelerate, launch, --num_processes, "8", "${program}", --config, base.yaml, "${args}"]\n'
    )
    status, told = run(sweep, "--framework-version", "1.16.0", "--output-format", "json", capsys=capsys)
    document = json.loads(told)
    assert status == 1 and (document["total"], document["refused"], document["processes"]) == (2, 1, "8")
    assert document["rules"][0]["code"] == "GRPO201" and document["rules"][0]["fails"] == [{"num_generations": [1]}]
    assert document["left_out"] == [{"name": "learning_rate", "why": "every number from 1e-07 to 1e-05 may be taken"}]


def test_a_sweep_of_wandb_may_hold_all_of_the_run(tmp_path, capsys):
    sweep = tmp_path / "sweep.yaml"
    sweep.write_text(WANDB)
    assert main(["sweep", str(sweep)]) == 1 and "--dialect" in capsys.readouterr().err
    status, told = run(sweep, "--dialect", "trl", "--framework-version", "1.16.0", "--world-size", "8", capsys=capsys)
    assert status == 1 and "2 runs, 1 of them hold (50.0 %)" in told and "on 8 processes" in told


def test_a_search_space_needs_its_config(tmp_path, capsys):
    (tmp_path / "base.yaml").write_text(BASES["megatron"])
    space = tmp_path / "space.yaml"
    space.write_text("search_space:\n  global_batch_size: {type: int, low: 8, high: 64, step: 8}\n  nonsense: [1, 2]\n")
    assert main(["sweep", str(space)]) == 1 and "--config" in capsys.readouterr().err
    _, told = run(space, "--config", str(tmp_path / "base.yaml"), capsys=capsys)
    assert "16 runs" in told and "nonsense: no setting of Megatron-SWIFT 4.6.0" in told


MULTIRUN = """\
#!/bin/bash
# grpo-lint: version=0.9.1
python3 -m verl.trainer.main_ppo -m algorithm.adv_estimator=grpo data.train_files=a.parquet data.val_files=b.parquet \\
    actor_rollout_ref.model.path=m actor_rollout_ref.rollout.name=vllm trainer.n_gpus_per_node=8 trainer.nnodes=1 \\
    data.train_batch_size=64,96,100 actor_rollout_ref.rollout.n=8 actor_rollout_ref.actor.ppo_mini_batch_size=32 \\
    'actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=choice(1,3,4)' actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=1 \\
    actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=1
"""


def test_a_multirun_of_hydra(tmp_path, capsys):
    script = tmp_path / "run.sh"
    script.write_text(MULTIRUN)
    _, told = run(script, "--output-format", "json", capsys=capsys)
    document = json.loads(told)
    assert document["axes"] == {
        "data.train_batch_size": [64, 96, 100],
        "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu": [1, 3, 4],
    }
    for batch, micro in itertools.product([64, 96, 100], [1, 3, 4]):
        text = MULTIRUN.replace("64,96,100", str(batch)).replace(
            "'actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=choice(1,3,4)'",
            f"actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu={micro}",
        )
        errors = {
            each.rule.code
            for each in lint(Text(text.replace(" -m algo", " algo"), "run.sh"), fixes=False).findings
            if each.severity == "error"
        }
        chosen = {"data.train_batch_size": batch, "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu": micro}
        told = {
            each["code"]
            for each in document["rules"]
            if each["severity"] == "error" and any(in_a_box(box, chosen) for box in each["fails"])
        }
        assert told == errors, chosen


LOOPS = """\
#!/bin/bash
# grpo-lint: version=4.6.0
for group in 1 8 12; do
  for gpus in 4 8; do
    for seed in 1 2 3; do
      NPROC_PER_NODE=$gpus swift rlhf --rlhf_type grpo --model m --dataset d --reward_funcs accuracy \\
        --per_device_train_batch_size 4 --gradient_accumulation_steps 1 --num_generations "$group" --seed ${seed}
    done
  done
done
"""


def test_loops_of_a_script(tmp_path, capsys):
    script = tmp_path / "run.sh"
    script.write_text(LOOPS)
    status, told = run(script, "--output-format", "json", capsys=capsys)
    document = json.loads(told)
    assert {name: len(values) for name, values in document["axes"].items()} == {
        "num_generations": 3,
        "seed": 3,
        "world_size": 2,
    }
    assert status == 1 and (document["total"], document["refused"]) == (18, 12)
    errors = {each["code"]: each["settings"] for each in document["rules"] if each["severity"] == "error"}
    assert errors["GRPO201"] == ["num_generations"]


def test_a_loop_that_is_computed_with_is_told():
    grid = loops_in("for x in $(seq 3); do\n  echo\ndone\nfor y in 1 2; do\n  echo $y\ndone\n")
    assert list(grid.loops) == ["y"] and "for y in 1; do" in grid.script and "$(seq 3)" in grid.script


def test_what_is_told(tmp_path, monkeypatch, capsys):
    """The table of a grid, word for word."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "base.yaml").write_text(BASES["megatron"])
    (tmp_path / "sweep.yaml").write_text(
        "method: random\nparameters:\n"
        "  global_batch_size: {values: [16, 32, 48, 64]}\n"
        "  steps_per_generation: {min: 1, max: 3}\n"
        "  num_generations: {values: [1, 4, 8, 12]}\n"
        "  tensor_model_parallel_size: {values: [1, 2, 3]}\n"
        "  loss_type: {values: [grpo, nonsense]}\n"
        "  lr: {distribution: log_uniform_values, min: 1.0e-7, max: 1.0e-5}\n"
    )
    assert main(["sweep", "sweep.yaml", "--config", "base.yaml"]) == 1
    told, golden = capsys.readouterr().out, Path(__file__).parent / "swept" / "megatron.told"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(told, encoding="utf-8", newline="\n")
    assert told == golden.read_text(encoding="utf-8")


def test_what_is_no_grid_says_so(tmp_path, capsys):
    path = tmp_path / "x.yaml"
    for text in ("a: 1\n", "- 1\n", "", "{", "parameters: 3\n"):
        path.write_text(text)
        assert main(["sweep", str(path)]) == 1 and "no grid" in capsys.readouterr().err
    with pytest.raises(CannotSweep):
        survey(Grid(), report_of(BASES["trl"]))


@pytest.mark.parametrize("words", [(), ("/nowhere/x.yaml",), (__file__, "--config", "/nowhere/y.yaml"), ("a", "b")])
def test_wrong_usage_is_told_in_a_line(words):
    ended = subprocess.run([sys.executable, "-m", "grpo_lint", "sweep", *words], capture_output=True, text=True)
    assert (
        ended.returncode in (1, 2) and len(ended.stderr.strip().splitlines()) <= 2 and "Traceback" not in ended.stderr
    )


# --- loops of a script ----------------------------------------------------------------------------------------------

LAUNCH = (
    "accelerate launch --num_processes 8 -m trl.scripts.grpo --model_name_or_path m --dataset_name d --output_dir o"
    " --reward_funcs accuracy_reward --num_generations {} --per_device_train_batch_size {}\n"
)


def checked(path, capsys):
    status = main(["check", "--output-format", "json", "--framework-version", "0.24.0", str(path)])
    return status, json.loads(capsys.readouterr().out)["files"][0]["diagnostics"]


def test_check_takes_a_loop_for_as_many_launches(tmp_path, capsys):
    """A loop over words that are written in the script: a run that dies in one round is an error, wherever the others end."""
    path = tmp_path / "run.sh"
    path.write_text("for g in 4 8; do for b in 1 2; do\n" + LAUNCH.format("$g", "$b") + "done; done\n")
    status, told = checked(path, capsys)
    assert status == 0 and not told
    path.write_text("for g in 4 6; do for b in 1 2; do\n" + LAUNCH.format("$g", "$b") + "done; done\n")
    status, told = checked(path, capsys)
    assert status == 1 and [(each["code"], each["severity"]) for each in told] == [("GRPO203", 1)]


def test_check_points_to_the_sweep_where_the_rounds_are_too_many(tmp_path, capsys):
    path = tmp_path / "run.sh"
    path.write_text("for g in 4 5 6 7 8; do for b in 1 2 3 4 5; do\n" + LAUNCH.format("$g", "$b") + "done; done\n")
    status, told = checked(path, capsys)
    (finding,) = told
    assert status == 0 and finding["code"] == "GRPO905" and finding["severity"] == 3
    assert "grpo-lint sweep" in finding["message"]
    path.write_text("for g in 4 5 6 7 8; do for b in 1 2 3 4 5; do echo $g; done; done\n" + LAUNCH.format(8, 4))
    assert not checked(path, capsys)[1]  # a loop around something else


@pytest.mark.parametrize(
    "script",
    [
        "for g in 4 6 8; do for b in 1 2; do\n{}done; done\n",
        "for g in 4 6 8; do for b in 1 2; do {}done; done\n",
        "for g in 4 6 8\ndo\n  for b in 1 '2'; do\n{}done\ndone\n",
        "run() {{ if true; then for g in 4 6 8; do\nfor b in 1 2; do # of for x in 1 2; do\n{}done; done; fi; }}\nrun\n",
        "for g in 4 6 8; do { for b in 1 2; do {{ {}}} & done; }; done | tee log\n".replace("{ for", "{{ for").replace(
            "; };", "; }};"
        ),
    ],
)
def test_loops_in_loops_are_found_wherever_they_begin(script, tmp_path, capsys):
    path = tmp_path / "run.sh"
    path.write_text(script.format(LAUNCH.format("$g", "$b")))
    told = json.loads(run(path, "--framework-version", "0.24.0", "--output-format", "json", capsys=capsys)[1])
    assert (told["total"], told["refused"], told["undecided"]) == (6, 2, 0)


def test_a_run_that_hangs_on_something_unknown_does_not_hold(tmp_path, capsys):
    path = tmp_path / "run.sh"
    path.write_text("for g in 4 1 8; do\n" + LAUNCH.format("$g", "$B") + "done\n")
    told = json.loads(run(path, "--framework-version", "0.24.0", "--output-format", "json", capsys=capsys)[1])
    assert (told["total"], told["refused"], told["undecided"]) == (3, 1, 2)  # one completion is no group
    assert told["unknown"] == ["per_device_train_batch_size"]
    words = run(path, "--framework-version", "0.24.0", capsys=capsys)[1]
    assert "3 runs, 0 of them hold (0.0 %); 2 may fail by per_device_train_batch_size, which is not known" in words
    path.write_text("for g in 4 8; do\n" + LAUNCH.format("$g", "4 --seed $B --output_dir $C") + "done\n")
    assert "2 runs, 2 of them hold (100.0 %)\n" in run(path, "--framework-version", "0.24.0", capsys=capsys)[1]


# --- arrays of Slurm, and programs that search ----------------------------------------------------------------------

ARRAY = """\
#!/bin/bash
#SBATCH --array={tasks}
SIZES=({sizes})
GROUPS_OF=({groups})
accelerate launch --num_processes 4 train_grpo.py --learning_rate 1e-6 --num_generations ${{GROUPS_OF[{group}]}} \\
    --per_device_train_batch_size ${{SIZES[{size}]}}
"""
CROSSED = {"group": "$((SLURM_ARRAY_TASK_ID / 2))", "size": "$((SLURM_ARRAY_TASK_ID % 2))"}
SUGGESTED = """\
import optuna
from trl import GRPOConfig
def objective(trial):
    size = trial.suggest_int("size", 1, 3)
    lr = trial.suggest_float("lr", 1e-6, 1e-5)
    return GRPOConfig(num_generations=trial.suggest_categorical("group", [2, 4]), per_device_train_batch_size=2 * size, learning_rate=lr)
"""
TUNED = """\
from ray import tune
from trl import GRPOConfig
def train(config):
    GRPOConfig(num_generations=config["num_generations"], per_device_train_batch_size=4)
space = {"num_generations": tune.grid_search([2, 4, 8]), "beta": tune.uniform(0, 1)}
"""
HANDED = """\
from ray import tune
from trl import GRPOConfig
def train(config):
    GRPOConfig(num_generations=config["g"], per_device_train_batch_size=config.get("b", 1){rest})
tune.Tuner(train, param_space={{"b": tune.grid_search([4, 8]), "g": tune.choice([4, 6, 8])}})
"""
HANDED_WHOLE = """\
from ray import tune
from trl import GRPOConfig
def train(config):
    GRPOConfig(per_device_train_batch_size=4, **config)
tune.Tuner(train, param_space={"num_generations": tune.choice([4, 6, 8]), "beta": tune.uniform(0, 1)})
"""


def swept(tmp_path, capsys, name, text):
    (tmp_path / name).write_text(text)
    status = main(
        ["sweep", "--framework-version", "1.16.0", "--world-size", "4", "--output-format", "json", str(tmp_path / name)]
    )
    captured = capsys.readouterr()
    found = json.loads(captured.out) if captured.out else None
    return status, found and {"runs": found["total"], "refused": found["refused"]}, captured.err


@pytest.mark.parametrize(
    ("name", "text", "runs", "refused"),
    [
        ("a.sh", ARRAY.format(tasks="0-3%2", sizes="1 2", groups="4 8", **CROSSED), 4, 1),  # 1 x 4 in groups of 8
        ("b.sh", ARRAY.format(tasks="0,1", sizes="1", groups="4 3", group="$SLURM_ARRAY_TASK_ID", size="0"), 2, 1),
        ("c.py", SUGGESTED, 6, 0),
        ("d.py", TUNED, 3, 0),
        ("e.py", HANDED.format(rest=""), 6, 2),  # 16 and 32 in groups of 6
        ("f.py", HANDED_WHOLE, 3, 1),
    ],
)
def test_arrays_and_searches_are_grids(tmp_path, capsys, name, text, runs, refused):
    status, found, told = swept(tmp_path, capsys, name, text)
    assert found == {"runs": runs, "refused": refused}, told
    assert status == (1 if refused else 0)


def test_a_choice_that_nothing_takes_is_no_axis(tmp_path, capsys):
    text = HANDED.format(rest="").replace('config.get("b", 1)', "size_of(config)")
    (tmp_path / "a.py").write_text(text)
    assert main(["sweep", "--framework-version", "1.16.0", "--world-size", "4", str(tmp_path / "a.py")]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "3 runs" in told and "b: nothing that is read of the program takes it" in told


LONG = "import optuna\nfrom trl import GRPOConfig\ndef objective(trial):\n    return GRPOConfig(num_generations=7, per_device_train_batch_size={})\n"


@pytest.mark.parametrize(
    ("choice", "runs", "refused"),
    [
        ("trial.suggest_int('a', 1, 64)", 64, 55),
        ("trial.suggest_int('a', 1, 65)", 65, 56),
        ("trial.suggest_categorical('a', list(range(1, 80)))", 79, 68),
    ],
)
def test_more_values_than_are_tried_are_judged_where_they_are_those_of_a_setting(
    tmp_path, capsys, choice, runs, refused
):
    assert swept(tmp_path, capsys, "a.py", LONG.format(choice))[1] == {"runs": runs, "refused": refused}


@pytest.mark.parametrize(
    ("choice", "why"),
    [
        ("2 * trial.suggest_int('a', 1, 65)", "more than 64 values, with which the program computes"),
        ("trial.suggest_int('a', 1, 20000)", "its values are computed, or more than 10,000"),
        ("trial.suggest_categorical('a', sizes())", "its values are computed, or more than 10,000"),
        ("trial.suggest_float('a', 1, 2)", "its values are drawn from a distribution"),
    ],
)
def test_a_choice_whose_values_are_not_known_is_left_out_by_name(tmp_path, capsys, choice, why):
    status, found, told = swept(tmp_path, capsys, "a.py", LONG.format(choice))
    assert (status, found) == (1, None) and f"a is left out: {why}" in told


def test_what_varies_together_is_no_grid(tmp_path, capsys):
    both = dict.fromkeys(("group", "size"), "$SLURM_ARRAY_TASK_ID")
    status, found, told = swept(tmp_path, capsys, "a.sh", ARRAY.format(tasks="0-1", sizes="1 2", groups="4 8", **both))
    assert status == 1 and found is None and "varies together" in told


def test_a_list_is_no_axis_where_its_setting_takes_one(tmp_path, capsys):
    lists = "reward_funcs: [a, b]\nreport_to: [wandb, tensorboard]\nlora_target_modules: [q_proj, v_proj]\n"
    base = "# grpo-lint: dialect=trl\nmodel_name_or_path: m\nper_device_train_batch_size: 4\n" + lists
    _, found, told = swept(tmp_path, capsys, "a.yaml", base + "num_generations: 8\n")
    assert found is None and "nothing in it varies" in told
    assert swept(tmp_path, capsys, "b.yaml", base + "num_generations: [4, 8, 3]\n")[1] == {"runs": 3, "refused": 1}
