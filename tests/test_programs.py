"""The training script that a launch names, read without running it."""

import pytest
from conftest import names, said, told

from grpo_lint.engine import Surroundings, lint_path
from grpo_lint.launch.files import Files, read_text
from grpo_lint.launch.programs import read_program
from grpo_lint.wording import message

LAUNCH = """\
#!/bin/bash
# grpo-lint: version=1.16.0
accelerate launch --num_processes 3 src/{program} --per_device_train_batch_size 1 --num_generations 8 \\
    --max_completion_length 256 --learning_rate 1e-6 --cosine_reward true --curiculum easy
"""
OF_TRL = "from trl import GRPOConfig, GRPOTrainer, TrlParser\n\ntrainer = GRPOTrainer(model='m')\n"
ARGUMENTS = """\
from dataclasses import dataclass
from trl import ScriptArguments

@dataclass
class Extra(ScriptArguments):
    cosine_reward: bool = False
    curriculum: str = "easy"
"""
OWN = """\
from transformers import Trainer

class PreferenceFreeTrainer(Trainer):
    pass

PreferenceFreeTrainer(model="m").train()
"""


@pytest.fixture
def repository(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "src" / "my_rl").mkdir(parents=True)
    return tmp_path


def linted(repository, **files):
    for name, text in files.items():
        (repository / "src" / name.replace("__", "/")).with_suffix(".py").write_text(text)
    path = repository / "train.sh"
    path.write_text(LAUNCH.format(program="train.py"))
    return lint_path(str(path), Surroundings(files=Files(str(path))))


def test_arguments_that_the_script_declares_are_known(repository):
    report = linted(repository, train="from my_rl.configs import Extra\n" + OF_TRL, my_rl__configs=ARGUMENTS)
    assert "cosine_reward" not in str(told(report))
    assert "did you mean curriculum?" in message(said(report, "key-is-known"))


def test_without_them_they_are_not(repository):
    assert "cosine_reward" in str(told(linted(repository, train=OF_TRL)))


def test_a_trainer_of_trl_keeps_its_errors(repository):
    subclass = OF_TRL + "class MyTrainer(GRPOTrainer):\n    pass\nMyTrainer()\n"
    for text in (OF_TRL, subclass):
        assert said(linted(repository, train=text), "rollout-holds-whole-groups").severity == "error"


def test_a_trainer_of_its_own_makes_them_warnings(repository):
    finding = said(linted(repository, train="from my_rl.trainer import PreferenceFreeTrainer\nPreferenceFreeTrainer()\n", my_rl__trainer=OWN),
                   "rollout-holds-whole-groups")  # fmt: skip
    assert (finding.severity, finding.assumes) == ("warning", ["trainer"])
    assert "src/train.py trains with PreferenceFreeTrainer" in message(finding)


@pytest.mark.parametrize("text", ["", "def broken(:", "import train", "from elsewhere import NewTrainer\nNewTrainer()", "\0"])
def test_what_cannot_be_told_changes_nothing(repository, text):
    report = linted(repository, train=text)
    assert said(report, "rollout-holds-whole-groups").severity == "error"
    assert "key-is-known" in names(report) or "keys-are-read" in names(report)


def test_nothing_is_executed(repository):
    (repository / "src" / "train.py").write_text("import pathlib\npathlib.Path('executed').touch()\n" + OF_TRL)
    read_program(str(repository / "src" / "train.py"), read_text)
    assert not (repository / "executed").exists()
