"""What a newcomer does to add a framework: a folder of declarations, its name in the registry, its rules in the list of rules.

The made-up framework (`newcomer/pools`) has settings in sections, one pool of GPUs that train and one that generate, and a command
of its own. The package is copied, the folder is put into it, and the command line of the copy is asked.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import grpo_lint

FOLDER = Path(__file__).parent / "newcomer" / "pools"
ELSEWHERE = {
    "registry.py": ('    "verl": "verl",\n', '    "verl": "verl",\n    "pools": "pools",\n'),
    "rule_sets.py": ("MODULES = {\n", 'MODULES = {\n    "pools": (*_BATCH, "frameworks.pools.rules"),\n'),
}
CONFIG = "learner: {gpus: 4, batch_size: 32}\nsampler:\n  gpus: 6\n  group_size: 8\n  engine: {tensor_parallel: 4}\n"


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    """A function that asks the copy's command line about a file of some text, in an empty repository."""
    home = tmp_path_factory.mktemp("newcomer")
    (home / ".git").mkdir()
    package = shutil.copytree(Path(grpo_lint.__file__).parent, home / "path" / "grpo_lint")
    shutil.copytree(FOLDER, package / "frameworks" / "pools")
    for name, (old, new) in ELSEWHERE.items():
        path = package / "frameworks" / name
        path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")

    def run(*words, config=CONFIG, version="1.1.0"):
        comment = "" if config[0] == "#" else f"# grpo-lint: version={version}\n"
        (home / "run.yaml").write_text(comment + config)
        environment = {**os.environ, "PYTHONPATH": str(home / "path"), "COLUMNS": "200"}
        command = [sys.executable, "-m", "grpo_lint", *words]
        return subprocess.run(command, capture_output=True, encoding="utf-8", cwd=home, env=environment, check=False)

    run.home = home
    return run


def found(ask, **config):
    result = ask("check", "--output-format", "json", "run.yaml", **config)
    return [each for file in json.loads(result.stdout)["files"] for each in file["diagnostics"]]


def test_a_file_of_it_is_recognised_and_both_pools_are_judged(ask):
    (refused,) = found(ask)
    assert (refused["code"], refused["severity"], refused["range"]["start"]["line"]) == ("GRPO290", 1, 5)
    assert {"sampler.engine.tensor_parallel": 2} in [fix["set"] for fix in refused["data"]["fixes"]]
    assert found(ask, config=CONFIG.replace("parallel: 4", "parallel: 3")) == []


@pytest.mark.parametrize(
    "was, now, code", [("batch_size: 32", "batch_size: 36", "GRPO203"), ("batch_size", "batchsize", "GRPO102")]
)
def test_rules_of_all_frameworks_hold_for_it(ask, was, now, code):
    assert code in [each["code"] for each in found(ask, config=CONFIG.replace(was, now))]
    assert [each["code"] for each in found(ask, version="1.0.0")] == ["GRPO103"]


def test_explaining_its_rule_and_its_cases(ask):
    assert "= sampler.engine.tensor_parallel" in ask("explain", "run.yaml").stdout
    page = ask("rule", "engines-fill-their-pool").stdout
    assert "Pools" in page and "1.1 and later" in page and "GPUs cannot hold engines" in page
    for case in (FOLDER / "cases" / "GRPO290.yaml").read_text(encoding="utf-8").split("- config: |\n")[1:]:
        config, _, reported = case.replace("\n    ", "\n").partition("\n  reported: ")
        assert bool(found(ask, config=config.strip() + "\n")) == (reported.strip() == "error")


def test_its_command_overrides_the_file(ask):
    (ask.home / "run.sh").write_text("#!/bin/bash\npools train run.yaml --sampler.gpus 8\n")
    assert found(ask) == []


# --- a fork of a framework ------------------------------------------------------------------------------------------

FORK = Path(__file__).parent / "newcomer" / "mazes"
MOST_LINES = 40
FORKED = {
    "registry.py": {
        '    "verl": "verl",\n': '    "verl": "verl",\n    "mazes": "mazes",\n',
        "FORKS = {": 'FORKS = {\n    "mazes": ("verl", "maze", ("copies",)),\n   ',
    },
    "rule_sets.py": {"MODULES = {\n": 'MODULES = {\n    "mazes": (*_BATCH, _MEGATRON, "frameworks.verl.rules"),\n'},
}


@pytest.fixture(scope="module")
def told_of_a_fork(tmp_path_factory):
    """A function that gives what a copy of the package with a fork of verl says of a command: (launch, diagnostics)."""
    home = tmp_path_factory.mktemp("fork")
    work = home / "work"
    (work / ".git").mkdir(parents=True)
    package = shutil.copytree(Path(grpo_lint.__file__).parent, home / "path" / "grpo_lint")
    shutil.copytree(FORK, package / "frameworks" / "mazes")
    for name, changes in FORKED.items():
        path = package / "frameworks" / name
        text = path.read_text(encoding="utf-8")
        for old, new in changes.items():
            assert text.count(old) == 1
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")

    def ask(*words):
        (work / "run.sh").write_text(" ".join(["python3 -m verl.trainer.main_ppo", *BATCH, *words]) + "\n")
        command = [sys.executable, "-m", "grpo_lint", "check", "--output-format", "json", "run.sh"]
        environment = {**os.environ, "PYTHONPATH": str(home / "path")}
        result = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=work, env=environment, check=False)
        (file,) = json.loads(result.stdout)["files"]
        (launch,) = file["launches"]
        return launch, file["diagnostics"]

    return ask


BATCH = (
    "data.train_batch_size=16", "actor_rollout_ref.actor.ppo_mini_batch_size=16", "trainer.n_gpus_per_node=8",
    "actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=2", "actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=2",
    "actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=2", "actor_rollout_ref.rollout.name=vllm",
)  # fmt: skip


def test_a_fork_is_made_in_few_lines():
    text = "".join(path.read_text(encoding="utf-8") for path in FORK.rglob("*.py"))
    assert len(text.splitlines()) + sum(len(changes) for changes in FORKED.values()) < MOST_LINES


@pytest.mark.parametrize(
    ("words", "dialect", "group", "codes"),
    [
        (("maze.copies=5", "algorithm.adv_estimator=mazy"), "mazes", 5, []),
        (("maze.copies=5", "algorithm.adv_estimator=gigpo"), "mazes", 5, ["GRPO722"]),
        (("maze.copies=5", "maze.size=3", "algorithm.adv_estimator=mazy"), "mazes", 5, ["GRPO102"]),
        (("actor_rollout_ref.rollout.n=5", "algorithm.adv_estimator=grpo"), "verl", 5, []),
    ],
)
def test_a_fork_has_a_group_and_estimators_of_its_own(told_of_a_fork, words, dialect, group, codes):
    launch, told = told_of_a_fork(*words)
    assert (launch["dialect"], launch["plan"]["group_size"]) == (dialect, group)
    assert [each["code"] for each in told if each["severity"] < 3] == codes


def test_a_group_of_one_in_a_fork_is_mended_at_its_own_setting(told_of_a_fork):
    _, told = told_of_a_fork("maze.copies=1", "algorithm.adv_estimator=mazy")
    (alone,) = [each for each in told if each["code"] == "GRPO201"]
    assert {"maze.copies": 8} in [fix["set"] for fix in alone["data"]["fixes"]]
