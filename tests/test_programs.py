"""The training script that a launch names, read without running it."""

import os

import pytest

from conftest import lint_text, names, said, told
from grpo_lint.checker.contexts import Around
from grpo_lint.engine import lint_path
from grpo_lint.launch.context import Context
from grpo_lint.launch.files import Files, read_text
from grpo_lint.launch.programs import Library
from grpo_lint.report.messages import message

LAUNCH = """\
#!/bin/bash
# grpo-lint: version=1.16.0
accelerate launch --num_processes 3 src/{program} --per_device_train_batch_size 1 --num_generations 8 \\
    --max_completion_length 256 --learning_rate 1e-6 --cosine_reward true --curiculum easy
"""
OF_TRL = (
    "from trl import GRPOConfig, GRPOTrainer, TrlParser\n\nTrlParser(GRPOConfig)\ntrainer = GRPOTrainer(model='m')\n"
)
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
CHECK = """\

def check(size, group):
    if size % group:
        raise ValueError(f"The global train batch size ({size} x 1) must be evenly divisible by the number of generations per prompt ({group}). Given the current train batch size")
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
    return lint_path(str(path), Context(files=Files(str(path))))


def test_arguments_that_the_script_declares_are_known(repository):
    report = linted(repository, train="from my_rl.configs import Extra\n" + OF_TRL, my_rl__configs=ARGUMENTS)
    assert "cosine_reward" not in str(told(report))
    assert "did you mean curriculum?" in message(said(report, "key-is-known"))


@pytest.mark.parametrize(
    ("head", "is_declared"),
    [
        ("class Extra(BaseModel):", True),
        ("class Extra(pydantic.BaseModel):", True),
        ("class Extra(TypedDict):", True),
        ("@attrs.define\nclass Extra:", True),
        ("class Extra(Reward):", False),
    ],
)
def test_a_class_of_fields_need_not_be_a_dataclass(repository, head, is_declared):
    fields = f"{head}\n    cosine_reward: float\n    curriculum: str\n    trainer: 'Trainer'\n"
    report = linted(repository, train="from my_rl.configs import Extra\n" + OF_TRL, my_rl__configs=fields)
    assert ("cosine_reward" not in str(told(report))) is is_declared


def test_classes_of_arguments_are_read_first_of_many_modules(repository):
    others = {f"my_rl__a{number}": "" for number in range(40)}
    imports = "".join(f"from my_rl.a{number} import x\n" for number in range(40)) + "from my_rl.configs import Extra\n"
    report = linted(repository, train=imports + OF_TRL, my_rl__configs=ARGUMENTS, **others)
    assert "cosine_reward" not in str(told(report))


def test_arguments_that_its_trainer_reads_are_declared_somewhere(repository):
    trainer = "from trl import GRPOTrainer\n\nclass CosineTrainer(GRPOTrainer):\n    def score(self):\n        return {}.cosine_reward\n"
    main = (
        OF_TRL.replace("GRPOTrainer(", "CosineTrainer(")
        + "from my_rl.trainer import CosineTrainer\nfrom elsewhere import Arguments\n"
    )
    for taken, known in (("self.args", True), ("training_args", True), ("self.metrics", False)):
        assert (
            "cosine_reward" not in str(told(linted(repository, train=main, my_rl__trainer=trainer.format(taken))))
        ) is known


def test_without_them_they_are_not(repository):
    assert "cosine_reward" in str(told(linted(repository, train=OF_TRL)))


def test_the_flags_of_a_script_that_is_not_here_may_be_its_own(repository):
    report = linted(repository)  # train.py lies in another checkout
    assert (
        said(report, "keys-are-read").severity == "info"
        and said(report, "rollout-holds-whole-groups").severity == "warning"  # its accumulation may be its own
    )
    (repository / "src" / "train.py").write_text(OF_TRL)
    assert said(linted(repository), "keys-are-read").severity == "warning"


def test_settings_of_trls_scripts_that_the_script_declares_itself_are_its_own(repository):
    adapter = "@dataclass\nclass Adapter:\n    lora_r: int = 8\n"
    for declared, told_of in ((adapter, False), (adapter.replace("lora_r", "rank"), True)):
        linted(repository, train=declared + OF_TRL)
        path = repository / "train.sh"
        path.write_text(
            LAUNCH.format(program="train.py").replace("--num_generations 8", "--num_generations 3 --lora_r 16")
        )
        assert ("adapter-is-used" in names(lint_path(str(path), Context(files=Files(str(path)))))) == told_of


def test_a_trainer_of_trl_keeps_its_errors(repository):
    subclass = OF_TRL + "class MyTrainer(GRPOTrainer):\n    pass\nMyTrainer()\n"
    for text in (OF_TRL, subclass):
        assert said(linted(repository, train=text), "rollout-holds-whole-groups").severity == "error"


OWN_MAIN = "from my_rl.trainer import PreferenceFreeTrainer\nPreferenceFreeTrainer()\n"


def test_a_trainer_of_its_own_that_does_not_check_it_is_not_judged_by_what_trl_refuses(repository):
    assert "rollout-holds-whole-groups" not in names(linted(repository, train=OWN_MAIN, my_rl__trainer=OWN))


def test_a_trainer_of_its_own_that_kept_the_check_makes_a_warning(repository):
    finding = said(linted(repository, train=OWN_MAIN, my_rl__trainer=OWN + CHECK), "rollout-holds-whole-groups")
    assert (finding.severity, finding.assumes) == ("warning", ["trainer"])
    assert "src/train.py trains with PreferenceFreeTrainer" in message(finding)


def test_a_config_class_of_trl_refuses_whoever_trains(repository):
    main = "from trl import GRPOConfig, TrlParser\nTrlParser(GRPOConfig)\n" + OWN_MAIN
    assert said(linted(repository, train=main, my_rl__trainer=OWN), "rollout-holds-whole-groups").severity == "error"


OWN_CONFIG = "from {module} import {base}\n\nclass GRPOConfig({base}):\n    pass\n"


@pytest.mark.parametrize(
    "module, base, refused",
    [("transformers", "TrainingArguments", False), ("trl", "GRPOConfig", True)],
    ids=["of transformers", "of TRL"],
)
def test_a_config_class_by_the_name_of_trls_refuses_when_it_is_made_from_it(repository, module, base, refused):
    main = "from trl import TrlParser\nfrom my_rl.config import GRPOConfig\nTrlParser(GRPOConfig)\n" + OWN_MAIN
    trainer = "from trl import GRPOConfig\n" + OWN  # it names TRL's for a default
    report = linted(
        repository, train=main, my_rl__trainer=trainer, my_rl__config=OWN_CONFIG.format(module=module, base=base)
    )
    assert ("rollout-holds-whole-groups" in names(report)) is refused


@pytest.mark.parametrize(
    "changes, severity",
    [
        ("settings.per_device_train_batch_size *= 8", "warning"),
        ("settings.seed = 1", "error"),
        ("self.num_generations = 2", "error"),
    ],
)
def test_a_setting_that_the_script_sets_once_it_has_read_it_is_in_doubt(repository, changes, severity):
    path = repository / "train.sh"
    (repository / "src" / "train.py").write_text(OF_TRL + changes + "\n")
    path.write_text(
        LAUNCH.format(program="train.py").replace("version=1.16.0", "version=0.16.1")
    )  # checked by its trainer
    finding = said(lint_path(str(path), Context(files=Files(str(path)))), "rollout-holds-whole-groups")
    assert finding.severity == severity and (
        "src/train.py sets per_device_train_batch_size itself" in message(finding)
    ) is (severity == "warning")
    path.write_text(LAUNCH.format(program="train.py"))  # checked when the config is built, before
    assert said(lint_path(str(path), Context(files=Files(str(path)))), "rollout-holds-whole-groups").severity == "error"


def test_the_next_program_is_judged_for_itself(repository):
    linted(repository, train=OWN_MAIN, my_rl__trainer=OWN)
    assert said(linted(repository, train=OF_TRL), "rollout-holds-whole-groups").severity == "error"


@pytest.mark.parametrize("text", ["", "def broken(:", "import train", "\0"])
def test_what_cannot_be_told_changes_nothing(repository, text):
    report = linted(repository, train=text)
    assert said(report, "rollout-holds-whole-groups").severity == "error"
    assert "key-is-known" in names(report) or "keys-are-read" in names(report)


def test_a_trainer_that_cannot_be_read_makes_a_warning(repository):
    report = linted(repository, train="from elsewhere import GroupTrainer\nGroupTrainer()\n")
    finding = said(report, "rollout-holds-whole-groups")
    assert (finding.severity, finding.assumes) == ("warning", ["trainer"])
    assert "trains with GroupTrainer, which may be none of TRL's" in message(finding)


def test_nothing_is_executed(repository):
    (repository / "src" / "train.py").write_text("import pathlib\npathlib.Path('executed').touch()\n" + OF_TRL)
    Library(read_text).program(str(repository / "src" / "train.py"))
    assert not (repository / "executed").exists()


# --- whose trainer it is --------------------------------------------------------------------------------------------

NAMESAKE = "from transformers import Trainer\n\nclass GRPOTrainer(Trainer):\n    pass\n"
CHILD = "import trl\n\nclass GRPOTrainer(trl.GRPOTrainer):\n    pass\n"
CHILD_OF_ALIAS = "from trl import GRPOTrainer as Base\nfrom helpers import TimingMixin\n\nclass GRPOTrainer(TimingMixin, Base):\n    pass\n"


@pytest.mark.parametrize(
    "trainer, severity",
    [(NAMESAKE + CHECK, "warning"), (CHILD, "error"), (CHILD_OF_ALIAS, "error")],
    ids=["its own", "TRL's", "TRL's by another name"],
)
def test_a_trainer_of_the_same_name_is_told_by_what_it_is_made_from(repository, trainer, severity):
    main = "from trl import TrlParser\nfrom my_rl.trainer import GRPOTrainer\n\nTrlParser()\nGRPOTrainer(model='m')\n"
    assert (
        said(linted(repository, train=main, my_rl__trainer=trainer), "rollout-holds-whole-groups").severity == severity
    )


@pytest.mark.parametrize(
    "trainer, severity",
    [(NAMESAKE, None), (NAMESAKE + CHECK, "warning"), (CHILD, "error")],
    ids=["its own", "its own that checks it", "TRL's"],
)
def test_a_trainer_that_is_imported_by_the_name_of_trls_is_told_by_its_class(repository, trainer, severity):
    """`from fast import FastGRPOTrainer as GRPOTrainer`, which people write to change one line."""
    main = "from trl import TrlParser\nfrom my_rl.trainer import FastGRPOTrainer as GRPOTrainer\n\nTrlParser()\nGRPOTrainer(model='m')\n"
    fast = trainer.replace("class GRPOTrainer", "class FastGRPOTrainer")
    found = linted(repository, train=main, my_rl__trainer=fast).findings
    severities = [each.severity for each in found if each.rule.name == "rollout-holds-whole-groups"]
    assert severities == ([severity] if severity else [])


def test_a_trainer_by_the_name_of_trls_that_is_not_here_makes_a_warning(repository):
    main = "from trl import TrlParser\nfrom elsewhere import FastGRPOTrainer as GRPOTrainer\n\nTrlParser()\nGRPOTrainer(model='m')\n"
    assert said(linted(repository, train=main), "rollout-holds-whole-groups").severity == "warning"


def test_where_a_flag_chooses_between_trainers_the_own_one_may_be_meant(repository):
    fast = "from transformers import Trainer\nclass FastGRPOTrainer(Trainer):\n    pass\n" + CHECK
    main = "from trl import GRPOTrainer, TrlParser\nfrom my_rl.fast import FastGRPOTrainer\n(FastGRPOTrainer if args.fast else GRPOTrainer)(args)\n"
    finding = said(linted(repository, train=main, my_rl__fast=fast), "rollout-holds-whole-groups")
    assert finding.severity == "warning" and "FastGRPOTrainer" in message(finding)


def test_a_helper_for_another_stage_is_not_the_trainer(repository):
    main = (
        OF_TRL
        + "from transformers import Trainer\nclass WarmUpTrainer(Trainer):\n    pass\nWarmUpTrainer(model='m').train()\n"
    )
    assert said(linted(repository, train=main), "rollout-holds-whole-groups").severity == "error"


TOOLS = "from trl.trainer.sft_trainer import SFTTrainer\n\nclass DistillingTrainer(SFTTrainer):\n    pass\n"
FROM_NOTHING = "class Base:\n    def __init__(self, model):\n        self.model = model\n\nclass MovingGRPOTrainerOfOurs(Base):\n    pass\n"
ANEW = "from transformers import Trainer\nfrom trl import GRPOTrainer\n\nclass LeanTrainer(GRPOTrainer):\n    def __init__(self, model):\n        {}(self, model=model)\n"


@pytest.mark.parametrize(
    "trainer, name, refused",
    [(TOOLS, "DistillingTrainer", False), (FROM_NOTHING.replace("Base", "BaseTrainer"), "MovingGRPOTrainerOfOurs", False), (ANEW.format("Trainer.__init__"), "LeanTrainer", False),
     (ANEW.format("GRPOTrainer.__init__"), "LeanTrainer", True)],
    ids=["made from another one of TRL's", "made from nothing", "past the constructor of TRL's", "by the constructor of TRL's"],
)  # fmt: skip
def test_what_never_runs_the_checks_of_trls_trainer_is_not_judged_by_them(repository, trainer, name, refused):
    main = f"from trl import TrlParser\nfrom my_rl.trainer import {name}\n\nTrlParser()\n{name}(model='m')\n"
    told_of = "rollout-holds-whole-groups" in names(linted(repository, train=main, my_rl__trainer=trainer))
    kept = said(linted(repository, train=main, my_rl__trainer=trainer + CHECK), "rollout-holds-whole-groups")
    assert (told_of, kept.severity) == ((True, "error") if refused else (False, "warning"))


# --- whether it is TRL at all ---------------------------------------------------------------------------------------

ELSEWHERE = """\
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--num_generations", type=int)
parser.add_argument("--mix-ratio", type=float)
"""


def test_a_script_that_reads_its_flags_itself_and_never_imports_trl_is_not_ours(repository):
    report = linted(repository, train="from my_rl.flags import parser\n", my_rl__flags=ELSEWHERE)
    assert not report.launches and not report.findings and report.skipped


def test_it_is_ours_when_anything_it_imports_imports_trl(repository):
    report = linted(
        repository,
        train="from my_rl.flags import parser\nfrom my_rl.run import main\n",
        my_rl__flags=ELSEWHERE,
        my_rl__run=OF_TRL,
    )
    assert said(report, "rollout-holds-whole-groups").severity == "error"


def test_a_script_that_hands_its_flags_on_says_nothing_about_trl(repository):
    report = linted(repository, train="import sys\nfrom our_cluster import submit\n\nsubmit(sys.argv[1:])\n")
    assert said(report, "rollout-holds-whole-groups").severity == "error"


@pytest.mark.parametrize("line", ["from my_rl.run import (\n    main,\n)", "from .run import main", "import os, sys\n    from my_rl.run import main as go",
                                  "import my_rl.run"])  # fmt: skip
def test_modules_that_only_pass_on_are_followed(repository, line):
    between = f'"""What comes\nfrom here and there."""\nif True:\n    {line}\n'
    report = linted(
        repository, train="from my_rl.between import main\n", my_rl__between=between, my_rl__run=ELSEWHERE + OF_TRL
    )
    assert said(report, "rollout-holds-whole-groups").severity == "error"
    assert "curiculum" in str(told(report)) and "mix_ratio" in report.launches[0].declared


def test_flags_of_argparse_are_declared(repository):
    report = linted(
        repository, train=OF_TRL + "import argparse\nargparse.ArgumentParser().add_argument('--cosine-reward')\n"
    )
    assert "cosine_reward" not in str(told(report))


# --- a config that no command names ---------------------------------------------------------------------------------

CONFIG = """\
# grpo-lint: version={version} world-size=4
per_device_train_batch_size: 1
num_generations: {group}
max_completion_length: 256
learning_rate: 1.0e-6
cosine_reward: true
loss_type: {loss}
"""
RUNS = "from trl import TrlParser\nif __name__ == '__main__':\n    TrlParser().parse_args_and_config()\n"
OWN_LOSS = """\
class SteadyTrainer(GRPOTrainer):
    def compute_loss(self, model, inputs):
        if self.loss_type == "steady":
            return 0

SteadyTrainer(model="m")
"""


def linted_config(repository, version="1.16.0", group=4, loss="grpo", **files):
    for name, text in files.items():
        (repository / "src" / name.replace("__", "/")).with_suffix(".py").write_text(text)
    path = repository / "recipe.yaml"
    path.write_text(CONFIG.format(version=version, group=group, loss=loss))
    return lint_path(str(path), Around().of(str(path)))


def test_what_the_scripts_of_the_repository_declare_is_known(repository):
    assert "cosine_reward" in str(told(linted_config(repository, train=RUNS + OF_TRL)))
    report = linted_config(
        repository, train="from my_rl.configs import Extra\n" + RUNS + OF_TRL, my_rl__configs=ARGUMENTS
    )
    assert "cosine_reward" not in str(told(report))


def test_the_trainer_is_their_own_when_it_is_in_all_of_them(repository):
    own = "from my_rl.trainer import PreferenceFreeTrainer\n" + RUNS + "PreferenceFreeTrainer()\n"
    assert "rollout-holds-whole-groups" not in names(linted_config(repository, group=8, train=own, my_rl__trainer=OWN))
    finding = said(linted_config(repository, group=8, other=RUNS + OF_TRL), "rollout-holds-whole-groups")
    assert finding.severity == "warning" and "train.py, which trains with Preference" in message(finding)


def test_a_trainer_by_another_name_is_their_own_as_well(repository):
    own = "from my_rl.trainer import FastTrainer as GRPOTrainer\n" + RUNS + "GRPOTrainer()\n"
    fast = OWN.replace("PreferenceFreeTrainer", "FastTrainer")
    assert "rollout-holds-whole-groups" not in names(linted_config(repository, group=8, train=own, my_rl__trainer=fast))


def test_a_loss_that_their_trainer_computes_is_known(repository):
    assert said(linted_config(repository, loss="steady", train=RUNS + OF_TRL), "value-is-a-choice").severity == "error"
    assert "value-is-a-choice" not in names(linted_config(repository, loss="steady", train=RUNS + OF_TRL + OWN_LOSS))
    assert (
        said(linted_config(repository, loss="stead", train=RUNS + OF_TRL + OWN_LOSS), "value-is-a-choice").severity
        == "error"
    )


def test_a_repository_without_scripts_says_nothing(repository):
    assert said(linted_config(repository, group=8), "rollout-holds-whole-groups").severity == "error"


# --- a copy of TRL in the repository --------------------------------------------------------------------------------


def test_a_copy_of_trl_may_declare_more_than_the_release(repository):
    (repository / "trl" / "scripts").mkdir(parents=True)
    script = repository / "trl" / "scripts" / "grpo.py"
    (repository / "train.sh").write_text(LAUNCH.replace("src/{program}", "trl/scripts/grpo.py"))

    def report():
        path = str(repository / "train.sh")
        return lint_path(path, Around().of(path))

    assert "cosine_reward" in str(told(report()))
    script.write_text(ARGUMENTS + OF_TRL)
    assert "cosine_reward" not in str(told(report()))


OWN_MODULE = """\
# grpo-lint: version=0.27.2
{start} --num_generations 4 --per_device_train_batch_size 4 --reward_funcs accuracy format
"""


@pytest.mark.parametrize(
    ("start", "severity"),
    [
        ("accelerate launch --num_processes 8 -m trl.scripts.grpo", "error"),
        ("python -m trl.scripts.grpo", "error"),
        ("accelerate launch --num_processes 8 -m scripts.grpo", None),
        ("accelerate launch --num_processes 8 trl/scripts/grpo.py", None),
    ],
)
def test_a_module_of_trl_is_trls_own_script(repository, start, severity):
    """It looks up rewards by name; a file of the same path may be anybody's, and so may a copy in the repository."""

    def report():
        path = repository / "train.sh"
        path.write_text(OWN_MODULE.format(start=start))
        return lint_path(str(path), Around().of(str(path)))

    found = [each for each in report().findings if each.rule.name == "value-is-a-choice"]
    assert [each.severity for each in found] == ([severity] if severity else [])
    (repository / "trl" / "scripts").mkdir(parents=True)
    (repository / "trl" / "scripts" / "grpo.py").write_text(ARGUMENTS + OF_TRL)
    assert not any(each.rule.name == "value-is-a-choice" for each in report().findings)


def test_classes_that_are_made_from_one_another_in_every_way_are_looked_at_once():
    """A million ways lead from the first class to the last: none of them is gone twice, and a long one is not gone to
    its end."""
    steps = [
        f"class {kind}{number}Trainer(A{number + 1}Trainer, B{number + 1}Trainer): pass"
        for number in range(500)
        for kind in "AB"
    ]
    text = "\n".join(["import trl", *steps, "class A500Trainer(A0Trainer): pass", "A0Trainer(1)"])
    assert Library({"train.py": text}.get).program("train.py").trainer is None


# --- a command of few words -----------------------------------------------------------------------------------------

SHORT = "# grpo-lint: version=1.16.0\naccelerate launch --num_processes 3 src/train.py --per_device_train_batch_size 1 --num_generations 8 --output_dir out\n"


@pytest.mark.parametrize(
    "main, ours", [(OF_TRL, True), ("from trl import SFTTrainer, TrlParser\nSFTTrainer()\n", False), ("", False)]
)
def test_a_script_that_trains_groups_makes_few_flags_enough(repository, main, ours):
    (repository / "src" / "train.py").write_text(main)
    path = repository / "train.sh"
    path.write_text(SHORT)
    report = lint_path(str(path), Context(files=Files(str(path))))
    assert ("rollout-holds-whole-groups" in names(report)) is ours and bool(report.launches) is ours


@pytest.mark.parametrize(
    ("flags", "ours"),
    [
        ("--num_generations 5 --beta 0.01 --machine_name x", True),
        ("--num_generations 5 --temperature 0.7", False),  # a script that samples
        ("--beta 0.01 --learning_rate 1e-6", False),
    ],
)
def test_a_launcher_that_hands_flags_of_a_training_to_a_program_that_is_not_here(tmp_path, flags, ours):
    path = tmp_path / "run.sh"
    path.write_text(f"accelerate launch --num_processes 6 train_big.py {flags}\n")
    assert bool(lint_path(str(path), Context(files=Files(str(path)))).launches) is ours


@pytest.mark.parametrize(
    "name, ours", [("src/grpo_vision.py", True), ("train_RLOO.py", True), ("src/sft.py", False), ("grpo/sft.py", False)]
)
def test_of_a_script_that_is_not_here_its_name_tells(repository, name, ours):
    path = repository / "train.sh"
    path.write_text(SHORT.replace("src/train.py", name))
    assert bool(lint_path(str(path), Context(files=Files(str(path)))).launches) is ours


OF_ITS_OWN = (
    "class {0}(Trainer):\n    pass\n\nTrlParser(({1}, ModelConfig)).parse_args_and_config()\n{0}(model='m').train()\n"
)


@pytest.mark.parametrize(
    ("trainer", "config", "algorithm"),
    [("ViewGRPOTrainer", "GRPOConfig", "grpo"), ("ViewTrainer", "GRPOConfig", None),
     ("ViewGRPOTrainer", "SFTConfig", None)],
)  # fmt: skip
def test_a_trainer_of_its_own_by_a_name_of_the_kind_makes_few_flags_enough(repository, trainer, config, algorithm):
    imports = f"from transformers import Trainer\nfrom trl import {config}, ModelConfig, TrlParser\n\n"
    (repository / "src" / "grpo.py").write_text(imports + OF_ITS_OWN.format(trainer, config))
    path = repository / "train.sh"
    path.write_text(
        "accelerate launch --num_processes 4 src/grpo.py --per_device_train_batch_size 1 --max_prompt_length 1024\n"
    )
    report = lint_path(str(path), Context(files=Files(str(path))))
    assert [launch.algorithm for launch in report.launches] == ([algorithm] if algorithm else [])
    assert not any(finding.severity == "error" for finding in report.findings)


FOUND = "RUN=$(command -v it)\n"


@pytest.mark.parametrize(
    "starts, processes",
    [("$RUN launch --num_processes 3", 3), ('"$RUN" --nproc_per_node=4', 4), ("$RUN --nnodes 1 --nproc-per-node 2", 2),
     ('"$RUN" -m torch.distributed.run --nproc_per_node 5', 5), ('"$RUN" -u', 1), ('"$RUN"', 1), ("$(which python)/../python3.11", 1),
     ("/opt/$ENV/bin/torchrun --nproc_per_node 6", 6), ("$RUN", None), ("$RUN --local", None)],
)  # fmt: skip
def test_a_launcher_that_is_looked_up_is_told_by_what_it_is_given(repository, starts, processes):
    (repository / "src" / "train.py").write_text(OF_TRL)
    path = repository / "train.sh"
    path.write_text(FOUND + SHORT.partition("\n")[2].replace("accelerate launch --num_processes 3", starts))
    launches = lint_path(str(path), Context(files=Files(str(path)))).launches
    assert [launch.world_size for launch in launches] == ([processes] if processes else [])


def test_the_project_of_the_script_pins_the_release(repository):
    project = repository / "project"
    (project / "src").mkdir(parents=True)
    (project / "src" / "train.py").write_text(OF_TRL)
    (project / "setup.py").write_text("install_requires=['trl==0.16.0']")
    (repository / "scripts").mkdir()
    path = repository / "scripts" / "train.sh"
    path.write_text("cd project\n" + SHORT.partition("\n")[2])
    (launch,) = lint_path(str(path), Around().of(str(path))).launches
    assert [candidate.text for candidate in launch.candidates] == ["0.16.0"] and launch.version_source == "setup.py:1"


def started_between_two(repository, near, far, release="0.14.0"):
    """The report of a script below an old version of a repository, whose folders go by the names of those of the new one."""
    for folder, text, pinned in (("old", near, release), ("", far, "0.18.0")):
        project = repository / folder / "src" / "project"
        (project / "src").mkdir(parents=True)
        (project / "src" / "train.py").write_text(text)
        (project / "setup.py").write_text(f"setup(install_requires=['trl=={pinned}'])\n")
    path = repository / "old" / "src" / "scripts" / "train.sh"
    path.parent.mkdir()
    path.write_text("cd src/project\n" + SHORT.partition("\n")[2].strip() + " --cosine_reward 1\n")
    return lint_path(str(path), Around().of(str(path)))


def test_of_two_files_by_one_name_the_nearest_is_started(repository):
    report = started_between_two(repository, ARGUMENTS + OF_TRL, OF_TRL)
    (launch,) = report.launches
    assert [candidate.text for candidate in launch.candidates] == ["0.14.0"] and launch.version_source == "setup.py:1"
    assert "rollout-holds-whole-groups" not in names(report) and "cosine_reward" not in str(told(report))


@pytest.mark.parametrize(("far", "severity"), [(OWN, "warning"), (ARGUMENTS + OF_TRL + "# newer\n", "error")])
def test_what_depends_on_which_of_two_is_started_is_no_error(repository, far, severity):
    report = started_between_two(repository, ARGUMENTS + OF_TRL, far, "0.16.0")
    finding = said(report, "rollout-holds-whole-groups")
    assert finding.severity == severity
    assert ("may as well be" in (finding.note or "")) is (severity == "warning")


def test_what_only_one_of_two_declares_may_be_known(repository):
    report = started_between_two(repository, OF_TRL, ARGUMENTS + OF_TRL)
    assert said(report, "keys-are-read").severity == "info" and "key-is-known" not in names(report)


# --- how its parser is called ---------------------------------------------------------------------------------------

PARSES = """\
from dataclasses import dataclass
from trl import GRPOConfig, GRPOTrainer, ModelConfig, {parser}

@dataclass
class Rewards:
    cosine_reward: bool = False

def main():
    parser = {parser}({classes})
    args = parser.{call}
    GRPOTrainer(model="m", args=args).train()

if __name__ == "__main__":
    main()
"""
OF_OURS = "(Rewards, GRPOConfig, ModelConfig)"
READ = """\
# grpo-lint: version={version}
per_device_train_batch_size: 8
num_generations: 8
max_completion_length: 256
cosine_reward: true
curiculum: easy
"""


def linted_run(repository, call, version="1.16.0", classes=OF_OURS, parser="TrlParser", flags=""):
    (repository / "src" / "train.py").write_text(PARSES.format(call=call, classes=classes, parser=parser))
    (repository / "run.yaml").write_text(READ.format(version=version))
    path = repository / "train.sh"
    path.write_text(f"accelerate launch --num_processes 1 src/train.py --config run.yaml {flags}\n")
    return {
        name: lint_path(str(repository / name), Around().of(str(repository / name)))
        for name in ("run.yaml", "train.sh")
    }


REST, LENIENT = "(return_remaining_strings=True)", "(fail_with_unknown_args=False)"


@pytest.mark.parametrize(
    "call, version, refuses",
    [("parse_args_and_config()", "0.18.2", False), ("parse_args_and_config()", "0.19.0", True), ("parse_args_and_config()", "0.22.2", True),
     ("parse_args_and_config()", "1.16.0", True), (f"parse_args_and_config{REST}", "0.19.1", False), (f"parse_args_and_config{REST}", "1.16.0", False),
     (f"parse_args_and_config{LENIENT}", "1.16.0", False), ("parse_args_and_config(None, True)", "1.16.0", False),
     ("parse_args_and_config(None, False, False)", "1.16.0", False), ("parse_yaml_file('run.yaml')", "0.15.2", True),
     ("parse_yaml_file('run.yaml', allow_extra_keys=True)", "1.16.0", False)],
)  # fmt: skip
def test_the_call_of_the_parser_says_what_becomes_of_a_key(repository, call, version, refuses):
    finding = [
        each
        for each in linted_run(repository, call, version)["run.yaml"].findings
        if "curiculum" in message(each) and each.severity != "info"
    ]
    assert [(each.severity, each.stage) for each in finding] == [("error", "read") if refuses else ("warning", "never")]
    assert ("refuses it" in message(finding[0])) is refuses


@pytest.mark.parametrize(
    "call, refuses",
    [("parse_args_and_config()", True), (f"parse_args_and_config{REST}", False), (f"parse_args_and_config{LENIENT}", True),
     ("parse_args_into_dataclasses()", True)],
)  # fmt: skip
def test_keys_and_flags_are_judged_apart(repository, call, refuses):
    report = linted_run(repository, call, flags="--learning_rte 1e-6")["train.sh"]
    assert ("key-is-known" in names(report, "error")) is refuses


@pytest.mark.parametrize(
    "classes", ["arguments_of(sys.argv)", "(Rewards, Elsewhere, GRPOConfig)", "(GRPOConfig, *more)", ""]
)
def test_where_not_all_arguments_are_known_a_key_may_be_declared(repository, classes):
    report = linted_run(repository, "parse_args_and_config()", classes=classes)["run.yaml"]
    assert not names(report, "error") and "curiculum" in str(told(report))


def test_who_reads_a_config_is_not_claimed_where_nobody_says_it(repository):
    (repository / "run.yaml").write_text(READ.format(version="1.16.0"))
    path = str(repository / "run.yaml")
    (finding,) = [
        each
        for each in lint_path(path, Around().of(path)).findings
        if "curiculum" in message(each) and each.severity == "warning"
    ]
    assert "silently" not in message(finding) and "your own script refuses" in message(finding)


@pytest.mark.parametrize("loader, severity", [("own", "error"), ("script", "warning")])
def test_a_comment_says_which_script_it_is(repository, loader, severity):
    (repository / "run.yaml").write_text(READ.format(version=f"1.16.0 loader={loader}"))
    path = str(repository / "run.yaml")
    report = lint_path(path, Around().of(path))
    assert {each.severity for each in report.findings if "curiculum" in message(each)} - {"info"} == {severity}


def test_a_changed_copy_of_a_framework_has_choices_of_its_own(repository):
    """What its Python names beside the setting is no error; what it does not name is one."""
    arguments = repository / "swift" / "arguments"
    arguments.mkdir(parents=True)
    (arguments.parent / "version.py").write_text("__version__ = '4.1.0.dev0'\n")
    path = repository / "train.sh"
    path.write_text(
        "swift rlhf --rlhf_type grpo --model m --dataset d --reward_funcs format --num_generations 8 --loss_type ours "
        "--vllm_mode theirs\n"
    )

    def report():
        return names(lint_path(str(path), Around().of(str(path))))

    assert {"loss-type-is-known", "value-is-a-choice"} <= {*report()}
    (arguments / "rlhf_args.py").write_text("class RLHFArguments:\n    loss_type: Literal['grpo', 'ours'] = 'grpo'\n")
    assert "loss-type-is-known" not in report() and "value-is-a-choice" in report()
    (arguments / "vllm_args.py").write_text('class VllmArguments:\n    vllm_mode: Literal["server", "theirs"]\n')
    assert {"loss-type-is-known", "value-is-a-choice"}.isdisjoint(report())


@pytest.mark.parametrize("name", ["train.sh", "train.yaml"])
def test_a_trainer_that_only_a_changed_copy_has_is_none_of_ours(repository, name):
    arguments = repository / "swift" / "arguments"
    arguments.mkdir(parents=True)
    (arguments.parent / "version.py").write_text("__version__ = '4.1.0.dev0'\n")
    (arguments / "rlhf_args.py").write_text(
        "@dataclass\nclass RLHFArguments:\n    rlhf_type: Literal['grpo', 'offline_ppo']\n    num_generations: int = 8\n"
    )
    path = repository / name
    command = name.endswith("sh")
    for kind in ("offline_ppo", "ofline_ppo"):  # the second one nobody has: grpo may be meant
        path.write_text(
            f"swift rlhf --rlhf_type {kind} --model m --dataset d --num_generations 3\n"
            if command
            else f"rlhf_type: {kind}\nmodel: m\ndataset: d\nnum_generations: 3\n"
        )
        report = lint_path(str(path), Around().of(str(path)))
        assert bool(report.launches) == (kind == "ofline_ppo")
    assert "value-is-a-choice" in names(report, "error")


# --- which commands are runs of ours --------------------------------------------------------------------------------

OF_ANOTHER_TASK = "from trl import SFTConfig, SFTTrainer, TrlParser\n\nTrlParser((SFTConfig,)).parse_args_and_config()\nSFTTrainer(model='m')\n"


def test_a_comment_makes_no_run_of_ours_of_a_program_that_trains_otherwise(repository):
    (repository / "src" / "sft.py").write_text(OF_ANOTHER_TASK)
    (repository / "src" / "grpo.py").write_text(OF_TRL)
    path = repository / "train.sh"
    command = "accelerate launch --num_processes 3 src/{}.py --per_device_train_batch_size 7 --num_generations 8\n"
    path.write_text("# grpo-lint: dialect=trl version=1.16.0\n" + command.format("sft") + command.format("grpo"))
    report = lint_path(str(path), Context(files=Files(str(path))))
    assert [launch.origin.invocation.program.value for launch in report.launches] == ["src/grpo.py"]
    assert names(report, "error") == ["rollout-holds-whole-groups"]


def test_command_and_arguments_of_a_container_are_one_command(repository):
    (repository / "src" / "grpo.py").write_text(OF_TRL)
    path = repository / "job.yaml"
    path.write_text(
        "apiVersion: batch/v1\nkind: Job\nspec:\n  template:\n    spec:\n      containers:\n      - name: train\n"
        '        command: [accelerate, launch, --num_processes, "3"]\n'
        '        args: [src/grpo.py, --per_device_train_batch_size, "7", --num_generations, "8", --learning_rate, "1e-6"]\n'
    )
    report = lint_path(str(path), Context(files=Files(str(path))))
    assert [launch.world_size for launch in report.launches] == [3]
    assert "rollout-holds-whole-groups" in names(report)


def test_a_program_that_is_not_here_may_set_what_its_command_does_not():
    """`--train-batch-size 4` of a parser of its own may well be what becomes per_device_train_batch_size."""
    command = "# grpo-lint: dialect=trl version=1.16.0\npython /elsewhere/train_grpo.py --num-generations 16 {}\n"
    own = lint_text(command.format("--train-batch-size 4"), path="a.sh").findings
    plain = lint_text(command.format("--output-dir out"), path="a.sh").findings
    said = lint_text(
        command.format("--train-batch-size 4 --per_device_train_batch_size 8 --gradient_accumulation_steps 1"),
        path="a.sh",
    ).findings
    of_groups = [
        next(each for each in found if each.rule.name == "rollout-holds-whole-groups") for found in (own, plain, said)
    ]
    assert [finding.severity for finding in of_groups] == ["warning", "warning", "error"]
    assert "/elsewhere/train_grpo.py, which is not here, leaves per_device_train_batch_size and grad" in str(
        of_groups[1].note
    )
    assert (
        "--train-batch-size of /elsewhere/train_grpo.py, which is not here, leaves per_device_train_batch_size at"
        in str(of_groups[0].note)
    )


def test_packages_that_were_unpacked_beside_a_config_are_nobodys_programs(repository):
    """What lies beside the `.dist-info` of a wheel is not read: a failing file costs no look at a whole framework, and stays an error."""
    (repository / "conf").mkdir()
    path = repository / "conf" / "grpo.yaml"
    path.write_text(
        "# grpo-lint: dialect=trl version=1.16.0 world-size=7\nper_device_train_batch_size: 1\nnum_generations: 8\n"
    )
    for package, wheel in (("trl", "trl-1.16.0"), ("swift", "ms_swift-4.6.0"), ("Some_Lib", "some_lib-1.0")):
        (repository / f"{wheel}.dist-info").mkdir()
        (repository / package / "scripts").mkdir(parents=True)
        for name in ("__init__", "scripts/grpo", "scripts/other"):
            (repository / package / f"{name}.py").write_text(OF_TRL + OWN)
    read = []

    def reads(path):
        read.append(os.path.relpath(path, repository))
        return read_text(path)

    def findings(path):
        read.clear()
        return lint_path(str(path), Around(read=reads).of(str(path))).findings

    assert [finding.severity for finding in findings(path) if finding.rule.code == "GRPO203"] == ["error"]
    assert [each for each in read if each.endswith(".py")] == []
    (repository / "train.py").write_text(OF_TRL)  # one's own is read
    findings(path)
    assert "train.py" in {*read} and not any(each.startswith(("trl", "swift", "Some_Lib")) for each in read)
    inside = repository / "trl" / "scripts" / "grpo.yaml"
    inside.write_text(path.read_text())
    findings(inside)
    assert "trl/scripts/grpo.py" in {*read}  # its neighbours may read it


OWN_FLAGS = """\
#!/bin/bash
torchrun --nproc_per_node 2 {program} --model_name_or_path Qwen/Qwen3-8B --stage_one_adapter runs/sft --data_root data \\
    --callback_samples 2 --lora_rank 16 --lora_alpha 32 --gen_repetition_penalty 1.02 --num_generatoins 4 \\
    --per_device_train_batch_size 4 --max_completion_length 512 --max_prompt_length 512 --beta 0.04 --num_iterations 1
"""
HIDDEN_CLASSES = """\
from transformers import HfArgumentParser
from trl import GRPOConfig, GRPOTrainer
from verilog.configs import RewardConfig, ScriptConfig

script, reward, settings = HfArgumentParser((ScriptConfig, RewardConfig, GRPOConfig)).parse_args_into_dataclasses()
GRPOTrainer(model=script.model, args=settings)
"""


@pytest.mark.parametrize("program", ["/elsewhere/main.py", "main.py"])
def test_a_script_with_flags_of_its_own_that_cannot_be_seen_gets_no_warning_for_them(repository, program):
    (repository / "main.py").write_text(HIDDEN_CLASSES)
    (repository / "train.sh").write_text(OWN_FLAGS.format(program=program))
    path = str(repository / "train.sh")
    report = lint_path(path, Context(files=Files(path)))
    severities = {(each.rule.code, each.values.get("key", "")): each.severity for each in report.findings}
    assert severities["GRPO104", ""] == "info"
    assert severities["GRPO102", "lora_rank"] == severities["GRPO102", "gen_repetition_penalty"] == "info"
    assert severities["GRPO533", ""] == "info"  # its own classes may switch the adapter on
    assert severities["GRPO102", "num_generatoins"] == "warning"  # a slip of the hand, whoever reads it


# --- classes that a parser is not given -----------------------------------------------------------------------------

GIVEN = """\
from trl import {classes}, GRPOTrainer, TrlParser
from dataclasses import dataclass

@dataclass
class Mine(ScriptArguments):
    curriculum: str = "easy"

{first}, config, model = TrlParser(({given})).parse_args_and_config()
GRPOTrainer(model=model.model_name_or_path, args=config)
"""
WITH_REWARDS = "accelerate launch --num_processes 2 src/train.py --model_name_or_path m --dataset_name d --reward_funcs f --num_generations 4 --per_device_train_batch_size 4\n"


@pytest.mark.parametrize(
    "given, lacking",
    [
        ("ScriptArguments, GRPOConfig, ModelConfig", {"reward_funcs": "GRPOScriptArguments"}),
        ("Mine, GRPOConfig, ModelConfig", {"reward_funcs": "GRPOScriptArguments"}),
        ("GRPOScriptArguments, GRPOConfig, ModelConfig", {}),
        ("GRPOScriptArguments, GRPOConfig", {"model_name_or_path": "ModelConfig"}),
        ("ModelConfig, GRPOConfig", {"reward_funcs": "GRPOScriptArguments", "dataset_name": "ScriptArguments"}),
        ("Unseen, GRPOConfig", {}),
        ("*more, GRPOConfig", {}),
    ],
)
def test_a_field_of_a_class_that_the_parser_is_not_given_is_refused(repository, given, lacking):
    """TRL 1.16.0 with ScriptArguments in the place of GRPOScriptArguments: "unrecognized arguments: --reward_funcs f"."""
    text = GIVEN.format(classes="GRPOConfig, GRPOScriptArguments, ModelConfig, ScriptArguments", first="_", given=given)
    (repository / "src" / "train.py").write_text(text)
    path = repository / "run.sh"
    path.write_text(f"# grpo-lint: version=1.16.0\n{WITH_REWARDS}")
    report = lint_path(str(path), Around().of(str(path)))
    found = [each for each in report.findings if each.severity == "error"]
    assert {each.at.entry.name: each.values["class_name"] for each in found} == lacking
    assert all("does not give to its parser" in str(message(each)) for each in found)


@pytest.mark.parametrize("trainer, severity", [("OwnTrainer", "info"), ("GRPOTrainer", "warning")])
def test_a_negative_coefficient_may_be_meant_by_a_loss_of_its_own(repository, trainer, severity):
    program = """\
from transformers import Trainer
from trl import GRPOConfig, GRPOTrainer, ModelConfig, TrlParser

class OwnTrainer(Trainer):
    pass

config, model = TrlParser((GRPOConfig, ModelConfig)).parse_args_and_config()
{}(model=model.model_name_or_path, args=config).train()
"""
    (repository / "src" / "train.py").write_text(program.format(trainer))
    path = repository / "run.sh"
    path.write_text(
        "accelerate launch --num_processes 2 src/train.py --model_name_or_path m --num_generations 4 "
        "--per_device_train_batch_size 4 --beta -0.01\n"
    )
    report = lint_path(str(path), Around().of(str(path)))
    assert [each.severity for each in report.findings if each.rule.code == "GRPO685"] == [severity]


@pytest.mark.parametrize(
    "flag, severity",
    [("--eval_only", "info"), ("--eval_only false", "warning"), ("--eval_steps_only_last", "warning"), ("", "warning")],
)
def test_a_program_that_only_evaluates_may_train_nothing(repository, flag, severity):
    """A mode of a fork: its flag is no flag of any release, and says by its name what it does."""
    path = repository / "run.sh"
    path.write_text(
        "python -m openrlhf.cli.train_ppo_ray --pretrain m --reward_pretrain r --rollout_batch_size 128 --micro_rollout_batch_size 1 "
        f"--train_batch_size 1 --micro_train_batch_size 8 --n_samples_per_prompt 8 --advantage_estimator group_norm {flag}\n"
    )
    report = lint_path(str(path), Around().of(str(path)))
    found = [each.severity for each in report.findings if each.rule.code == "GRPO857"]
    assert [("warning" if each == "error" else each) for each in found] == [severity]


@pytest.mark.parametrize(
    ("program", "severity"),
    [("scripts/eval_and_trade.py", "info"), ("scripts/train_and_eval.py", "warning"), ("eval_train.py", "warning")],
)
def test_a_program_that_is_named_after_an_evaluation_may_train_nothing(repository, program, severity):
    path = repository / "run.sh"
    path.write_text(
        f"python3 {program} --hf-checkpoint m --prompt-data d --rollout-batch-size 8 --n-samples-per-prompt 1 --num-rollout 2 "
        "--advantage-estimator grpo --actor-num-nodes 1 --actor-num-gpus-per-node 1 --colocate\n"
    )
    report = lint_path(str(path), Around().of(str(path)))
    assert [each.severity for each in report.findings if each.rule.code == "GRPO201"] == [severity]


@pytest.mark.parametrize(
    ("line", "severity"), [("run_mode: test", "info"), ("run_mode: train", "warning"), ("test_mode: fast", "warning")]
)
def test_a_config_of_a_mode_that_only_evaluates_may_train_nothing(line, severity):
    text = f"# grpo-lint: dialect=trl version=1.16.0\nmodel_name_or_path: m\nper_device_train_batch_size: 4\nnum_generations: 1\n{line}\n"
    found = said(lint_text(text), "group-has-two-completions")
    assert ("warning" if found.severity == "error" else found.severity) == severity


@pytest.mark.parametrize(("name", "severity"), [("test_it.py", "info"), ("it_test.py", "info"), ("it.py", "warning")])
def test_what_nobody_refuses_weighs_less_in_a_test(name, severity):
    text = "# grpo-lint: version=1.16.0 world-size=1\nfrom trl import GRPOConfig\nGRPOConfig(importance_sampling_level='sequence', loss_type='dapo', num_generations={}, per_device_train_batch_size=4)\n"
    assert said(lint_text(text.format(4), path=name), "sequence-ratios-meet-a-sequence-loss").severity == severity
    assert said(lint_text(text.format(3), path=name), "rollout-holds-whole-groups").severity == "error"


# --- a trainer that a copy of TRL adds ----------------------------------------------------------------------------------

OF_HYDRA = """\
import hydra
from trl.trainer.{module} import {trainer}

@hydra.main(config_path="configs", config_name="mine", version_base=None)
def main(cfg):
    {trainer}(model=cfg.model, args=cfg, method=cfg.method).train()

if __name__ == "__main__":
    main()
"""
SETTINGS = "# grpo-lint: version=1.16.0\nmodel: own\nmethod: tree\nnum_generations: 8\nper_device_train_batch_size: 8\nmax_completion_length: 64\n"


@pytest.mark.parametrize(("trainer", "is_held_back"), [("DraftTrainer", True), ("SFTTrainer", False)])
def test_a_trainer_that_no_release_has_is_one_of_a_copy_and_its_program_reads_its_own_settings(
    tmp_path, trainer, is_held_back
):
    (tmp_path / ".git").mkdir()
    (tmp_path / "configs").mkdir()
    (tmp_path / "train.py").write_text(OF_HYDRA.format(module="own", trainer=trainer))
    path = tmp_path / "configs" / "mine.yaml"
    path.write_text(SETTINGS)
    report = lint_path(str(path), Around().of(str(path)), fixes=False)
    assert ("keys-are-read" not in names(report)) is is_held_back
