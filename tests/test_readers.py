"""Who reads a file of settings that no command names: what takes a finding away is shown of this very file; a guess never silences."""

import pytest

from conftest import names, said, told
from grpo_lint.checker.contexts import Around
from grpo_lint.cli.main import main
from grpo_lint.engine import lint_path
from grpo_lint.report.messages import message

RECIPE = """\
# grpo-lint: version=1.16.0 world-size=1
model_name_or_path: Qwen/Qwen2.5-0.5B
output_dir: out
per_device_train_batch_size: 3
num_generations: 8
max_completion_length: 512
report_too: wandb
my_key: 3
loss_type: foo
use_vllm: true
"""
FOUND = {"rollout-holds-whole-groups": "error", "key-is-known": "warning", "keys-are-read": "warning", "value-is-a-choice": "error"}  # fmt: skip

MADE = 'args = GRPOConfig(output_dir="q", per_device_train_batch_size=8, num_generations=8{more})\n'
QUICK = (
    "from trl import GRPOConfig, GRPOTrainer\n" + MADE + "GRPOTrainer(model='m', reward_funcs=len, args=args).train()\n"
)
PARSER = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--my_key')\na = p.parse_args()\n"
OWN_TRAINER = (
    "from transformers import Trainer\nclass MyTrainer(Trainer):\n    def __init__(self, **k):\n        pass\n"
)
USUAL = """\
from dataclasses import dataclass
from trl import GRPOConfig, GRPOTrainer, TrlParser, ScriptArguments
@dataclass
class Mine(ScriptArguments):
    {field}: int = 1
if __name__ == "__main__":
    script, training = TrlParser((Mine, GRPOConfig)).parse_args_and_config()
    {trainer}(model="m", args=training).train()
"""
TRAIN = USUAL.format(field="seeds", trainer="GRPOTrainer")
DECLARES = USUAL.format(field="my_key", trainer="GRPOTrainer")
OWN = OWN_TRAINER + USUAL.format(field="seeds", trainer="MyTrainer")
YAML_OF_ITS_OWN = "import yaml\nc = yaml.safe_load(open('c'))\n" + PARSER + QUICK.format(more=", **c")


@pytest.fixture
def judged(tmp_path):
    def judge(text=RECIPE, name="recipes/grpo.yaml", **files):
        (tmp_path / ".git").mkdir(exist_ok=True)
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        for each, code in files.items():
            (tmp_path / f"{each}.py").write_text(code)
        return lint_path(str(path), Around().of(str(path)))

    return judge


def severities(report):
    return {finding.rule.name: finding.severity for finding in report.findings if finding.severity != "info"}


@pytest.mark.parametrize(
    "quick",
    {
        "literals": QUICK.format(more=""),
        "arguments of a command": PARSER + QUICK.format(more=""),
        "the whole command": PARSER + QUICK.format(more=", **vars(a)"),
        "rows of JSON": "import json\nrows = json.load(open('rows.json'))\n" + PARSER + QUICK.format(more=""),
        "a trainer of its own": OWN_TRAINER + QUICK.format(more="").replace("GRPOTrainer(", "MyTrainer("),
    }.values(),
)
def test_a_program_that_cannot_read_a_file_says_nothing_of_it(judged, quick):
    assert severities(judged(quick=quick)) == FOUND
    assert severities(judged(quick=quick, train=TRAIN)) == FOUND


def test_the_only_program_that_takes_configs_reads_them(judged):
    assert "keys-are-read" not in names(judged(train=DECLARES))
    assert not severities(judged(train=YAML_OF_ITS_OWN))  # its keys are its own, and so are its defaults


def test_of_several_programs_that_declare_other_keys_the_finding_names_the_one_that_takes_it(judged):
    report = judged(train=TRAIN, other=DECLARES)
    # it takes all but the key that is misspelt, so that most likely nothing else is dropped
    assert severities(report) == {name: severity for name, severity in FOUND.items() if name != "keys-are-read"}
    assert said(report, "keys-are-read").severity == "info"
    assert "other.py, which accepts my_key, reads this file" in message(said(report, "keys-are-read"))


def test_of_several_programs_with_other_trainers_the_finding_names_the_one_that_lets_it_pass(judged):
    report = judged(train=TRAIN, own=OWN)
    assert severities(report)["rollout-holds-whole-groups"] == "error"  # the config class itself refuses it
    report = judged(RECIPE.replace("version=1.16.0", "version=0.16.0"), train=TRAIN, own=OWN)
    finding = said(report, "rollout-holds-whole-groups")
    assert finding.severity == "warning" and "which trains with MyTrainer" in message(finding)
    assert "rollout-holds-whole-groups" not in names(
        judged(RECIPE.replace("version=1.16.0", "version=0.16.0"), train=OWN)
    )


@pytest.mark.parametrize("program, is_told", [("train.py", True), ("other.py", False)])
def test_the_program_with_which_a_readme_starts_a_file_reads_it(judged, tmp_path, program, is_told):
    readme = f"```bash\naccelerate launch \\\n  {program} \\\n  --config recipes/grpo.yaml\n  # --config recipes/large.yaml\n```\n"
    (tmp_path / "README.md").write_text(readme)
    assert ("keys-are-read" in severities(judged(train=TRAIN, other=DECLARES))) is is_told


def test_a_file_that_is_shown_to_be_read_by_another_trainer_has_no_finding(judged, tmp_path):
    of_ppo = USUAL.replace("GRPOConfig, GRPOTrainer", "PPOConfig, PPOTrainer").replace("GRPOConfig", "PPOConfig")
    (tmp_path / "README.md").write_text("```\npython other.py --config recipes/grpo.yaml\n```\n")
    report = judged(train=TRAIN, other=of_ppo.format(field="seeds", trainer="PPOTrainer"))
    assert "keys-are-read" not in severities(report) and "key-is-known" not in severities(report)


def test_a_program_of_a_framework_that_lies_here_is_nobodys_own(judged, tmp_path):
    scripts = tmp_path / "src" / "trl" / "scripts"
    scripts.mkdir(parents=True)
    (tmp_path / "src" / "trl" / "__init__.py").write_text('__version__ = "1.16.0"\n')
    (scripts / "grpo.py").write_text(TRAIN)
    assert "keys-are-read" not in names(judged(train=DECLARES))
    assert "keys-are-read" in severities(judged(train=TRAIN))


def test_a_parser_of_its_own_beside_the_usual_one_is_named(judged):
    report = judged(train=TRAIN, other=YAML_OF_ITS_OWN)
    assert set(severities(report)) == set(FOUND) - {"keys-are-read"}  # it takes the other key
    assert "other.py, which " in message(said(report, "key-is-known"))


@pytest.mark.parametrize(
    "mention",
    [
        '"""python other.py --config recipes/grpo.yaml"""',
        "DEFAULT = 'grpo.yaml'",
        "paths = glob('recipes/*.yaml')",
        "path = f'/home/me/recipes/{name}.yaml'",
        "path = f'{root}/recipes/g{name}.yaml'",
    ],
)
def test_a_program_that_names_a_file_reads_it(judged, mention):
    assert "keys-are-read" not in names(judged(train=TRAIN, other=f"{mention}\n{DECLARES}"))
    report = judged(name="recipes/b/gspo.yaml", train=TRAIN, other=f"{mention}\n{DECLARES}")
    assert "other.py" in "".join(told(report))


# --- what is held back ----------------------------------------------------------------------------------------------


@pytest.fixture
def checked(judged, tmp_path, monkeypatch, capsys):
    def check(*words, text=RECIPE, **files):
        judged(text, **files)
        monkeypatch.chdir(tmp_path)
        status = main([*words, "recipes/grpo.yaml"])
        return status, *capsys.readouterr()

    return check


def test_what_is_held_back_is_listed_with_what_shows_it_and_told_where_nothing_may_be_believed(checked):
    status, out, err = checked("check", train=YAML_OF_ITS_OWN)
    assert status == 0 and "GRPO111" not in out + err
    _, _, err = checked("check", "-v", train=YAML_OF_ITS_OWN)
    (line,) = [line for line in err.splitlines() if "GRPO111" in line]
    assert "recipes/grpo.yaml, line 9: GRPO111 is not reported, because the parser of train.py reads this file" in line
    assert "no other program here takes such files" in line and "loss_type is 'foo'" in line
    status, out, _ = checked("check", "--strict", train=YAML_OF_ITS_OWN)
    assert status == 1 and "error[GRPO111]" in out and "note: the parser of train.py reads this file" in out


def test_what_only_the_trainer_of_the_framework_refuses_is_held_back_by_another_one(checked):
    text = RECIPE.replace("version=1.16.0", "version=0.16.0")
    _, out, err = checked("check", "-v", text=text, train=OWN)
    assert (
        "GRPO203" not in out
        and "GRPO203 is not reported, because train.py trains with MyTrainer, not a trainer of TRL" in err
    )
    assert "error[GRPO203]" in checked("check", "--strict", text=text, train=OWN)[1]


@pytest.mark.parametrize(
    ("files", "reader"),
    [
        ({"train": TRAIN}, "read by train.py (no other program here takes such files)"),
        ({"train": TRAIN, "own": f"'recipes/grpo.yaml'\n{TRAIN}"}, "read by own.py (its text names this file)"),
        ({"train": TRAIN, "own": DECLARES}, "read by own.py and train.py: nothing shows which of them"),
        ({"train": YAML_OF_ITS_OWN}, "read by train.py (no other program here takes such files)"),
    ],
)
def test_explain_names_the_reader(checked, files, reader):
    assert reader in " ".join(checked("explain", **files)[1].split())


# --- which algorithm ------------------------------------------------------------------------------------------------

OF_RLOO = (
    "model_name_or_path: x\nkl_coef: 0.05\nnum_generations: 8\nper_device_train_batch_size: 8\nlearning_rate: 1e-6\n"
)
BUILT = PARSER.replace("my_key", "kl_coef") + QUICK.format(more=", beta=a.kl_coef")


def algorithms(report):
    return {launch.algorithm for launch in report.launches}


def test_the_algorithm_is_the_one_that_the_program_builds(judged, tmp_path):
    assert algorithms(judged(OF_RLOO)) == {"rloo"}
    assert algorithms(judged(OF_RLOO, train=TRAIN)) == {"grpo"}
    assert algorithms(judged(OF_RLOO, train=TRAIN.replace("GRPO", "RLOO"))) == {"rloo"}
    script = tmp_path / "run.sh"
    script.write_text("accelerate launch --num_processes 8 train.py --kl_coef 0.05 --per_device_train_batch_size 8\n")
    (tmp_path / "train.py").write_text(BUILT)
    report = lint_path(str(script), Around().of(str(script)))
    assert algorithms(report) <= {"grpo"}


START = """\
CONFIG_NAME=grpo
while [[ $# -gt 0 ]]; do
  case $1 in --config_name) CONFIG_NAME="$2"; shift 2 ;; *) shift ;; esac
done
python3 -m verl.trainer.main_ppo --config-path $PWD/recipes --config-name $CONFIG_NAME actor_rollout_ref.rollout.n=8
"""
GROUPS_OF_ONE = """\
defaults: [ppo_trainer, _self_]
data: {train_batch_size: 64}
actor_rollout_ref: {rollout: {n: 1}}
algorithm: {adv_estimator: grpo}
"""


def test_a_config_that_a_script_starts_unless_its_caller_names_another_one_is_started(judged, tmp_path):
    (tmp_path / "run.sh").write_text(START)
    assert "group-has-two-completions" not in names(judged(GROUPS_OF_ONE))
    (tmp_path / "run.sh").unlink()
    assert "group-has-two-completions" in names(judged(GROUPS_OF_ONE))


SETS = """\
from trl import GRPOConfig, GRPOTrainer, TrlParser
def main(training_args):
    {test}training_args.per_device_train_batch_size *= training_args.gradient_accumulation_steps
    if last(training_args.output_dir) is None:
        training_args.adam_epsilon = 1e-8
    GRPOTrainer(model="m", args=training_args).train()
main(*TrlParser((GRPOConfig,)).parse_args_and_config())
"""
DIVIDED = """\
# grpo-lint: version=0.15.2 world-size=1
model_name_or_path: m
output_dir: out
adam_epsilon: 0.0
per_device_train_batch_size: 2
gradient_accumulation_steps: 8
num_generations: 8
"""


@pytest.mark.parametrize(("test", "severity"), [("", None), ("if True: ", "warning")])
def test_what_is_found_of_a_value_that_the_program_replaces_is_held_back(judged, test, severity):
    """In any case that is; where it may replace it a refusal is a warning that says so, and what nobody refuses an info."""
    found = judged(DIVIDED, train=SETS.format(test=test))
    severities = {finding.rule.name: finding.severity for finding in found.findings}
    assert severities.get("rollout-holds-whole-groups") == severity
    divided = said(found, "adam-epsilon-is-positive")
    assert divided.severity == "info" and "adam_epsilon itself" in str(divided.note)


PASSED_ON = """\
# grpo-lint: version=1.16.0
run() {
  accelerate launch --num_processes 2 train.py --num_generations "$1"
}
run 6
"""
TAKES_A_FLAG = """\
import argparse
from trl import GRPOConfig, GRPOTrainer
parser = argparse.ArgumentParser()
parser.add_argument("--num_generations", type=int)
args = parser.parse_args()
config = GRPOConfig(output_dir="o", num_generations=args.num_generations, per_device_train_batch_size=4, gradient_accumulation_steps=1)
GRPOTrainer(model="m", reward_funcs=len, args=config).train()
"""


def test_a_value_that_a_file_of_python_takes_from_a_command_is_told_with_its_place(judged, tmp_path):
    (tmp_path / "run.sh").write_text(PASSED_ON)
    found = said(judged(TAKES_A_FLAG, name="train.py"), "rollout-holds-whole-groups")
    assert str(found.note).endswith("run.sh, line 5") and "--num_generations is given in " in str(found.note)


@pytest.mark.parametrize(
    ("flags", "severity"), [("--gamma 0.99", "info"), ("--learning_rat 1e-6", "warning"), ("", "warning")]
)
def test_what_rests_on_a_default_of_a_program_with_flags_of_its_own_is_an_info(judged, flags, severity):
    """It is not here, and the default differs between releases."""
    command = "accelerate launch --num_processes 5 mine.py --model_name m --sync_ref_model --num_generations 5"
    report = judged(f"{command} --per_device_train_batch_size 1 {flags}\n", name="run.sh")
    assert said(report, "reference-model-exists").severity == severity


@pytest.mark.parametrize(
    ("declared", "severity"), [("use_lora: bool = False", "info"), ("other: bool = False", "warning")]
)
def test_a_key_that_a_class_declares_beside_a_parser_without_trl_may_be_read(judged, tmp_path, declared, severity):
    """The parser is in one file and the trainer in another one, which is started by nothing that is here."""
    (tmp_path / "arguments.py").write_text(
        f"from dataclasses import dataclass\n@dataclass\nclass Mine:\n    {declared}\n"
    )
    report = judged("use_lora: true\nnum_generations: 8\nper_device_train_batch_size: 8\nmax_completion_length: 64\n")
    assert [each.severity for each in report.findings if each.rule.name == "key-is-known"] == [severity]
