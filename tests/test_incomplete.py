"""Runs of which only a part is known: what is not there has no default. Hydra puts configs together, with keys of its own."""

import pytest
from conftest import lint_text, names, plan_of, said

from grpo_lint.engine import Surroundings, lint_path
from grpo_lint.launch.files import Files
from grpo_lint.plan import UNKNOWN
from grpo_lint.wording import message

PART = "defaults:\n  - base\n  - _self_\nexp_name: sums\nper_device_train_batch_size: 4\nmax_completion_length: 64\nnum_generations: {group}\n{more}"
FACTS = "# grpo-lint: version=1.16.0 world-size=1\n"


def test_what_does_not_stand_there_is_unknown():
    plan = plan_of(lint_text(FACTS + PART.format(group=6, more="")))
    assert plan.value("num_generations") == 6 and plan.value("gradient_accumulation_steps") in (None, UNKNOWN)
    assert not names(lint_text(FACTS + PART.format(group=6, more="")))  # a base may well set accumulation to 3


def test_what_stands_there_is_judged_with_a_doubt():
    finding = said(lint_text(FACTS + PART.format(group=6, more="gradient_accumulation_steps: 2\nsteps_per_generation: 2\ngeneration_batch_size: null\n")),
                   "rollout-holds-whole-groups")  # fmt: skip
    assert (finding.severity, finding.assumes) == ("warning", ["loader"])
    assert "taking Hydra to hand these keys to TRL" in message(finding)


def test_keys_of_its_own_are_none_of_our_business():
    text = FACTS + PART.format(group=4, more="gradient_accumulation_steps: 1\ndataset_streaming:\n  enabled: false\nlearning_rte: 1.0e-6\n")
    assert not names(lint_text(text))


OBJECT = "_target_: {target}\nper_device_train_batch_size: 4\nnum_generations: 3\nmax_completion_length: 64\nmax_steps: ${{steps}}\n"


@pytest.mark.parametrize("target", ["trl.GRPOConfig", "trl.trainer.grpo_config.GRPOConfig"])
def test_an_object_of_trls_is_judged_with_its_defaults(target):
    finding = said(lint_text(FACTS + OBJECT.format(target=target)), "rollout-holds-whole-groups")
    assert finding.severity == "warning" and "Hydra" in message(finding)


@pytest.mark.parametrize("target", ["trl.experimental.online.OnlineConfig", "my_rl.loops.TrainingLoop", "my_rl.AsyncGRPOConfig"])
def test_an_object_of_another_class_is_not_ours(target):
    assert lint_text(FACTS.replace("grpo-lint:", "") + OBJECT.format(target=target)).skipped


def test_a_command_whose_file_is_missing_has_no_defaults(tmp_path):
    command = "# grpo-lint: version=1.16.0\naccelerate launch --num_processes 1 train.py {} --num_generations 16 --max_completion_length 64 --learning_rate 1e-6\n"
    for config, found in (("", ["rollout-holds-whole-groups"]), ("--config gone.yaml", ["config-file-exists"])):
        path = tmp_path / "train.sh"
        path.write_text(command.format(config))
        assert names(lint_path(str(path), Surroundings(files=Files(str(path))))) == found


PARSERS = ["import argparse\nargparse.ArgumentParser()", "import typer\napp = typer.Typer()", "import click\n@click.command()\ndef main(): ..."]


@pytest.mark.parametrize("parser", PARSERS, ids=["argparse", "typer", "click"])
def test_a_script_with_a_parser_of_its_own_has_defaults_and_flags_of_its_own(tmp_path, parser):
    (tmp_path / "train.py").write_text(f"from trl import GRPOConfig, GRPOTrainer\n{parser}\nGRPOTrainer()\n")
    command = "# grpo-lint: version=1.16.0\npython train.py --num_generations 3 --max_completion_length 64 --learning_rate 1e-6 --rounds 4 {}\n"
    path = tmp_path / "train.sh"
    for more in ("", "--per_device_train_batch_size 4"):
        path.write_text(command.format(more))
        report = lint_path(str(path), Surroundings(files=Files(str(path))))
        assert report.launches and not report.findings
    (tmp_path / "train.py").write_text("from trl import GRPOConfig, GRPOTrainer, TrlParser\nTrlParser(GRPOConfig)\nGRPOTrainer()\n")
    report = lint_path(str(path), Surroundings(files=Files(str(path))))
    assert "keys-are-read" in names(report) and said(report, "rollout-holds-whole-groups").severity == "error"


def test_sections_have_the_defaults_of_the_trainer_and_not_those_of_trls_scripts():
    text = FACTS + "grpo:\n  per_device_train_batch_size: {batch}\n  num_generations: 4\n  max_completion_length: 64\n  learning_rate: 1.0e-6\nadapter:\n  lora_r: 16\n"
    assert not names(lint_text(text.format(batch=4)))  # use_peft is not known to be off
    assert names(lint_text(text.format(batch=2))) == ["rollout-holds-whole-groups"]
