"""verl-agent: its other programs, its environments that show images, and the commands around a run. The verdicts of its own code are in
`truth/test_recorded_verdicts_of_verl_agent.py`."""

import gzip
import json
from pathlib import Path

import pytest

from conftest import lint_text, names, plan_of
from grpo_lint.fixes.edits import apply

HEAD = "# grpo-lint: dialect=verl-agent version=2026.2.27\n"
RANDOM = Path(__file__).parent / "truth" / "verl-agent" / "random-2026.2.27.jsonl.gz"
SETTINGS = {
    "algorithm.adv_estimator": "grpo",
    "data.train_batch_size": 16,
    "data.val_batch_size": 64,
    "env.env_name": "Webshop",
    "env.max_steps": 4,
    "env.rollout.n": 8,
    "trainer.n_gpus_per_node": 2,
    "actor_rollout_ref.actor.ppo_mini_batch_size": 256,
    "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu": 4,
    "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu": 4,
    "actor_rollout_ref.rollout.tensor_model_parallel_size": 1,
}


def judged(program="verl.trainer.main_ppo", before="", head=HEAD, **changes):
    settings = {**SETTINGS, **changes}
    words = [f"{name}={value}" for name, value in settings.items()]
    return lint_text(head + before + " ".join(["python3 -m", program, *words]) + "\n", path="run.sh")


HGPO = "recipe.hgpo.main_hgpo"


@pytest.mark.parametrize("head", [HEAD, "", "# grpo-lint: dialect=verl-agent\n"])
def test_the_recipe_of_hgpo_has_its_own_settings(head):
    own = {"algorithm.adv_estimator": "hgpo", "algorithm.hgpo.mode": "mean_norm", "trainer.val_out": False}
    report = judged(HGPO, head=head, **own)
    assert names(report, "error", "warning") == []
    assert report.launches[0].framework.name == "verl-agent"
    assert plan_of(report).value("group_size") == 8


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"algorithm.adv_estimator": "hgpo", "algorithm.hgpo.mode": "std"}, "value-is-a-choice"),
        ({"env.env_name": "gym_cards/EZPoints-v0"}, "environment-is-known"),
        ({"algorithm.adv_estimator": "hgpa"}, "advantage-estimator-is-known"),
        ({"actor_rollout_ref.rollout.n": 8}, "group-is-of-environments"),
    ],
)
def test_what_the_recipe_of_hgpo_refuses(changes, rule):
    assert names(judged(HGPO, **changes), "error") == [rule]


def test_a_mode_that_another_estimator_does_not_read_is_none_of_its_mistakes():
    assert names(judged(HGPO, **{"algorithm.hgpo.mode": "std"}), "error") == []


@pytest.mark.parametrize(
    ("environment", "multiple"),
    [
        ({"env.env_name": "gym_cards/EZPoints-v0"}, 256),
        ({"env.env_name": "alfworld/AlfredThorEnv"}, 256),
        ({"env.env_name": "Sokoban", "env.sokoban.mode": "rgb_array"}, 256),
        ({"env.env_name": "Sokoban"}, 8),
        ({"env.env_name": "alfworld/AlfredTWEnv"}, 8),
    ],
)
def test_rows_with_images_are_brought_to_a_multiple_of_the_mini_batch(environment, multiple):
    few = {"env.max_steps": 1, "data.train_batch_size": 2}
    assert plan_of(judged(**environment)).value("row_multiple") == multiple
    assert ("rollout-fills-the-row-multiple" in names(judged(**environment, **few), "error")) == (multiple == 256)


@pytest.mark.parametrize("dialect", ["verl", "verl-agent"])
def test_a_program_that_prepares_data_is_not_judged_as_a_run(dialect):
    text = "python3 -m examples.data_preprocess.prepare --mode text --train_data_size 16\npython3 prepare.py --n 8\n"
    assert names(lint_text(f"# grpo-lint: dialect={dialect}\n{text}", path="run.sh"), "error", "warning") == []


def test_the_first_fix_of_a_recorded_refusal_holds():
    """A sample; all of them are in the slow set."""
    refused = [
        case for case in map(json.loads, gzip.decompress(RANDOM.read_bytes()).splitlines()) if not case["accepted"]
    ]
    for case in refused[::9]:
        words = [f'"{name}={"null" if value is None else value}"' for name, value in case["config"].items()]
        report = lint_text(f"{HEAD}python3 -m verl.trainer.main_ppo {' '.join(words)}\n", path="run.sh")
        fixed = next(
            (each for each in report.findings if each.severity == "error" and each.fixes and each.fixes[0].edits), None
        )
        if fixed is not None:
            edited = apply(report.text, fixed.fixes[0].edits).text
            assert fixed.rule.name not in names(lint_text(edited, path="run.sh", fixes=False), "error"), case["id"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("trainer.n_gpus_per_node", "run-has-gpus"),
        ("actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu", "log-prob-micro-batch-reaches-each-rank"),
    ],
)
def test_sizes_of_0_by_which_the_rows_are_padded(name, told):
    assert told in names(judged(**{name: 0}), "error")
