"""Runs of which only a part is known: what is not there has no default. Hydra puts configs together, with keys of its
own."""

import pytest

from conftest import lint_text, names, plan_of, said
from grpo_lint.checker.contexts import Around
from grpo_lint.engine import lint_path
from grpo_lint.launch.context import Context
from grpo_lint.launch.files import Files
from grpo_lint.report.messages import message
from grpo_lint.unknown import UNKNOWN

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
    assert "assuming that Hydra passes these keys to TRL" in message(finding)


def test_keys_of_its_own_are_none_of_our_business():
    text = FACTS + PART.format(
        group=4, more="gradient_accumulation_steps: 1\ndataset_streaming:\n  enabled: false\nlearning_rte: 1.0e-6\n"
    )
    assert not names(lint_text(text))


OBJECT = "_target_: {target}\nper_device_train_batch_size: 4\nnum_generations: 3\nmax_completion_length: 64\nmax_steps: ${{steps}}\n"


@pytest.mark.parametrize("target", ["trl.GRPOConfig", "trl.trainer.grpo_config.GRPOConfig"])
def test_an_object_of_trls_is_judged_with_its_defaults(target):
    finding = said(lint_text(FACTS + OBJECT.format(target=target)), "rollout-holds-whole-groups")
    assert finding.severity == "warning" and "Hydra" in message(finding)


@pytest.mark.parametrize(
    "target", ["trl.experimental.online.OnlineConfig", "my_rl.loops.TrainingLoop", "my_rl.AsyncGRPOConfig"]
)
def test_an_object_of_another_class_is_not_ours(target):
    assert lint_text(FACTS.replace("grpo-lint:", "") + OBJECT.format(target=target)).skipped


def test_a_command_whose_file_is_missing_has_no_defaults(tmp_path):
    command = "# grpo-lint: version=1.16.0\naccelerate launch --num_processes 1 train.py {} --num_generations 16 --max_completion_length 64 --learning_rate 1e-6\n"
    for config, found in (("", ["rollout-holds-whole-groups"]), ("--config gone.yaml", ["config-file-exists"])):
        path = tmp_path / "train.sh"
        path.write_text(command.format(config))
        assert names(lint_path(str(path), Context(files=Files(str(path))))) == found


PARSERS = [
    "import argparse\nargparse.ArgumentParser()",
    "import typer\napp = typer.Typer()",
    "import click\n@click.command()\ndef main(): ...",
]


@pytest.mark.parametrize("parser", PARSERS, ids=["argparse", "typer", "click"])
def test_a_script_with_a_parser_of_its_own_has_defaults_and_flags_of_its_own(tmp_path, parser):
    (tmp_path / "train.py").write_text(f"from trl import GRPOConfig, GRPOTrainer\n{parser}\nGRPOTrainer()\n")
    command = "# grpo-lint: version=1.16.0\npython train.py --num_generations 3 --max_completion_length 64 --learning_rate 1e-6 --rounds 4 {}\n"
    path = tmp_path / "train.sh"
    for more in ("", "--per_device_train_batch_size 4"):
        path.write_text(command.format(more))
        report = lint_path(str(path), Context(files=Files(str(path))))
        assert report.launches and not report.findings
    (tmp_path / "train.py").write_text(
        "from trl import GRPOConfig, GRPOTrainer, TrlParser\nTrlParser(GRPOConfig)\nGRPOTrainer()\n"
    )
    report = lint_path(str(path), Context(files=Files(str(path))))
    assert "keys-are-read" in names(report) and said(report, "rollout-holds-whole-groups").severity == "error"


def test_sections_have_the_defaults_of_the_trainer_and_not_those_of_trls_scripts():
    text = (
        FACTS
        + "grpo:\n  per_device_train_batch_size: {batch}\n  num_generations: 4\n  max_completion_length: 64\n  learning_rate: 1.0e-6\nadapter:\n  lora_r: 16\n"
    )
    assert not names(lint_text(text.format(batch=4)))  # use_peft is not known to be off
    assert names(lint_text(text.format(batch=2))) == ["rollout-holds-whole-groups"]


# --- a config that no command names, and what reads it --------------------------------------------------------------

ALONE = """\
per_device_train_batch_size: 4
num_generations: 3
generation_batch_size: 8
max_completion_length: 64
learning_rate: 1.0e-6
lora_r: 16
rounds: 4
"""
TRAINS = "from trl import GRPOConfig, GRPOTrainer\n{reads}\nGRPOTrainer(args=GRPOConfig(**settings))\n"
READERS = {
    "yaml": "import yaml\ndef main():\n    settings = yaml.safe_load(open('grpo.yaml'))",
    "omegaconf": "from omegaconf import OmegaConf\ndef main():\n    settings = OmegaConf.load('grpo.yaml')",
    "hydra": "import hydra\nfrom transformers import HfArgumentParser\n@hydra.main()\ndef main(settings):\n    HfArgumentParser(GRPOConfig).parse_dict(settings)",
    "a library": "def train(settings):\n    ...",
    "argparse": "import argparse, yaml\ndef main():\n    argparse.ArgumentParser()",
}


def alone(tmp_path, text=ALONE, **files):
    (tmp_path / ".git").mkdir(exist_ok=True)
    for name, code in files.items():
        (tmp_path / f"{name}.py").write_text(code)
    path = tmp_path / "grpo.yaml"
    path.write_text("# grpo-lint: version=1.16.0\n" + text)
    return lint_path(str(path), Around().of(str(path)))


@pytest.mark.parametrize("reads", READERS.values(), ids=READERS)
def test_a_config_that_the_training_script_loads_itself_has_keys_and_defaults_of_its_own(tmp_path, reads):
    report = alone(tmp_path, train=TRAINS.format(reads=reads))
    assert names(report) == ["rollout-holds-whole-groups"]
    assert "train.py passes these keys to TRL" in message(report.findings[0])


def test_one_training_script_that_reads_configs_as_trl_does_is_enough(tmp_path):
    usual = TRAINS.format(reads="from trl import TrlParser\ndef main():\n    TrlParser(GRPOConfig)")
    report = alone(tmp_path, train=usual, other=TRAINS.format(reads=READERS["argparse"]))
    assert {"adapter-is-used", "keys-are-read"} < set(names(report)) and said(
        report, "rollout-holds-whole-groups"
    ).severity == "error"


def test_a_repository_without_a_training_script_tells_nothing(tmp_path):
    report = alone(tmp_path, tool=READERS["argparse"])
    assert {"adapter-is-used", "keys-are-read"} < set(names(report)) and said(
        report, "rollout-holds-whole-groups"
    ).severity == "error"


def test_a_file_most_of_whose_keys_are_not_trls_is_read_by_something_else(tmp_path):
    strange = "".join(f"knob_{number}: {number}\n" for number in range(8))
    report = alone(tmp_path, ALONE + strange)
    assert names(report, "warning") == ["rollout-holds-whole-groups"] and names(report, "info") == ["keys-are-read"]
    assert "assuming that what reads this file passes these keys to TRL" in message(
        said(report, "rollout-holds-whole-groups")
    )
    declared = (
        "from dataclasses import dataclass\nfrom trl import TrlParser\n@dataclass\nclass Extra:\n    "
        + strange.replace("knob", "\n    knob").replace(": ", ": int = ")
    )
    report = alone(tmp_path, ALONE + strange, train=declared + "def main():\n    TrlParser(Extra)\n")
    assert "adapter-is-used" in names(report)


@pytest.mark.parametrize("section", ["eval", "evaluation", "test_set", "inference", "val-generation"])
def test_sections_of_another_mode_say_nothing_of_the_training(section):
    """`eval: {temperature: 0.0}` is how answers are made when all is over."""
    training = f"{FACTS}training:\n  num_generations: 8\n  per_device_train_batch_size: 8\n  max_completion_length: 64\n  learning_rate: 1.0e-6\n"
    afterwards = lint_text(f"{training}{section}:\n  temperature: 0.0\n")
    assert afterwards.launches and "temperature-is-positive" not in names(afterwards)
    assert "temperature-is-positive" in names(lint_text(f"{training}generation:\n  temperature: 0.0\n"))


def test_a_table_of_cases_is_no_run():
    """Several sections that each set a batch are not handed on together, however few they are."""
    case = "  num_generations: 3\n  per_device_train_batch_size: 4\n  learning_rate: 1.0e-6\n  use_vllm: true\n"
    report = lint_text(f"short:\n{case}long:\n{case}")
    assert not report.launches and "2 of its sections" in str(report.skipped)


SECTIONS = f"""{FACTS}grpo:
  num_generations: 8
  per_device_train_batch_size: 8
  max_completion_length: 64
  learning_rate: 1.0e-6
  top_k: -5
decoding:
  temperature: 0.0
"""
CALL = """import yaml
from trl import GRPOConfig
settings = yaml.safe_load(open("grpo.yaml"))["grpo"]
config = GRPOConfig(num_generations=settings["num_generations"], per_device_train_batch_size=8, top_k=settings["top_k"])
"""


@pytest.mark.parametrize(
    ("code", "found"),
    [
        (CALL, ["top-k-counts-tokens"]),
        (CALL.replace(", top_k=", ", seed="), []),
        (CALL.replace("grpo.yaml", "other.yaml").replace(", top_k=", ", seed="), ["top-k-counts-tokens"]),
        (CALL.replace('per_device_train_batch_size=8, top_k=settings["top_k"]', "**settings"), ["top-k-counts-tokens"]),
        (f"{CALL}decoding = 1", ["top-k-counts-tokens"]),
        (f"{CALL}decoding = 1\nGRPOConfig(temperature=1.0)", ["top-k-counts-tokens", "temperature-is-positive"]),
        ("flat = {}", ["top-k-counts-tokens", "temperature-is-positive"]),
    ],
    ids=["named", "not handed", "another file", "all handed", "not to the trainer", "handed elsewhere", "flattened"],
)
def test_of_sections_those_are_settings_that_a_reader_takes(tmp_path, code, found):
    report = alone(tmp_path, SECTIONS, train=code)
    assert sorted(names(report, "error", "warning")) == sorted(found)


def test_what_describes_a_run_for_a_reader_of_its_own_is_no_config_of_a_framework():
    """`framework: ms-swift` in a file with keys of TRL: whatever reads it, it is not TRL."""
    described = "framework: {}\nmodel_name_or_path: q\nnum_generations: 8\nper_device_train_batch_size: 8\nreward_functions: [a]\n"
    report = lint_text(described.format("ms-swift"))
    assert not report.launches and "framework says that it is for ms-swift" in str(report.skipped)
    for same in ("trl", "TRL", "ours"):
        assert not names(lint_text(described.format(same)), "error", "warning")
        assert "keys-are-read" in names(lint_text(described.format(same)), "info")
    of_swift = (
        "framework: ms-swift\nrlhf_type: grpo\nmodel: q\nadapter: a\nreward_functions: [a]\nreward_weights: {a: 1}\n"
    )
    assert names(lint_text(of_swift), "info") == ["keys-are-read"] and not names(
        lint_text(of_swift), "error", "warning"
    )
