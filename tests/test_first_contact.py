"""What was told wrongly at first contact with repositories that nobody here had seen: one small case of each cause."""

import json

import pytest

from conftest import lint_text, names, said, stated
from grpo_lint.checker.contexts import Around
from grpo_lint.cli.main import main
from grpo_lint.engine import lint_path
from grpo_lint.report.messages import message

# --- sections of other runs -------------------------------------------------------------------------------------------

TWO_RUNS = """\
# grpo-lint: version=1.16.0
{other}:
  warmup_steps: 10
  eval_strategy: steps
  eval_steps: 100
grpo:
  per_device_train_batch_size: 8
  num_generations: 8
  max_completion_length: 64
  learning_rate: 5.0e-6
  max_steps: 3
"""


@pytest.mark.parametrize(
    ("other", "is_told"), [("sft", False), ("sft_training", False), ("dpo", False), ("trainer", True)]
)
def test_what_another_kind_of_training_is_set_is_not_mixed_into_this_one(other, is_told):
    report = lint_text(TWO_RUNS.format(other=other))
    assert report.launches
    assert ("warmup-ends-within-the-run" in names(report), "evaluation-comes-within-the-run" in names(report)) == (
        is_told,
        is_told,
    )


# --- attributes of a config that is made ------------------------------------------------------------------------------

LATER = """\
from trl import GRPOConfig, GRPOTrainer
made = GRPOConfig(output_dir="o", num_generations=3, per_device_train_batch_size=8, remove_unused_columns=False)
made.engine_options = {"size": 8}
made.num_generation = 4
script_args.remove_unused_columns = True
GRPOTrainer(model="m", args=made, reward_funcs=[len], train_dataset=data)
"""


def test_an_attribute_that_is_set_later_is_refused_by_nobody():
    """Python takes any name there; what another object is set concerns only findings about the same attribute."""
    report = lint_text(LATER, path="train.py", outside=stated("command line", version="1.16.0", world_size=1))
    attribute, misspelt, batch = (
        said(report, name) for name in ("keys-are-read", "key-is-known", "rollout-holds-whole-groups")
    )
    assert (attribute.severity, misspelt.severity, batch.severity) == ("info", "warning", "error")
    assert all("set after the config is built" in message(each) for each in (attribute, misspelt))
    assert not any("of script_args" in message(each) for each in report.findings)


@pytest.mark.parametrize("patches", [False, True])
def test_a_key_of_a_package_that_another_module_imports_is_an_info(patches):
    """Unsloth adds it to the class as soon as anything imports it."""
    code = 'from trl import GRPOConfig\nGRPOConfig(output_dir="o", vllm_sampling_params=1, num_generations=8)\n'
    report = lint_text(
        f"import unsloth\n{code}" if patches else code,
        path="train.py",
        outside=stated("command line", version="1.16.0"),
    )
    assert "key-is-known" not in names(report)
    assert patches or (
        said(report, "keys-are-read").severity,
        "unsloth adds it" in message(said(report, "keys-are-read")),
    ) == ("info", True)


# --- a framework that is changed where it is installed ----------------------------------------------------------------

COMMAND = (
    "python -m verl.trainer.main_ppo algorithm.adv_estimator=grpo +actor_rollout_ref.rollout.multi_turn.patience=9\n"
)
PATCH = 'FIELD = "{field}"\n\n\ndef patch(path):\n    text = path.read_text()\n    path.write_text(text + f"    {{FIELD}}")\n'


@pytest.mark.parametrize(
    ("field", "severity"), [("patience: float = 0.0", "warning"), ("impatience: float = 0.0", "error")]
)
def test_a_field_that_the_repository_adds_to_the_installed_framework(tmp_path, field, severity):
    """Whether the program that changes the installed package ran, nobody knows."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "patch_it.py").write_text(PATCH.format(field=field))
    (tmp_path / "run.sh").write_text(COMMAND)
    report = lint_path(
        str(tmp_path / "run.sh"), Around(stated("command line", version="0.9.0")).of(str(tmp_path / "run.sh"))
    )
    finding = said(report, "appended-key-is-a-field")
    assert (finding.severity, "patch_it.py declares patience" in message(finding)) == (severity, severity == "warning")


def test_a_field_that_a_program_adds_which_the_script_runs_before_is_held_back(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "patch_it.py").write_text(PATCH.format(field="patience: float = 0.0"))
    script = tmp_path / "run.sh"
    context = Around(stated("command line", version="0.9.0")).of(str(script))
    runs = 'python3 "${ROOT}/tools/patch_it.py" \\\n  --target "${VERL}/config.py"\n'
    script.write_text(runs + COMMAND)
    report = lint_path(str(script), context)
    assert "appended-key-is-a-field" not in names(report)
    (held,) = report.held
    assert "tools/patch_it.py, which the script runs before, declares" in str(held.held_by)
    script.write_text(f"{COMMAND}\n{runs}")  # behind the run it changes nothing
    assert said(lint_path(str(script), context), "appended-key-is-a-field").severity == "warning"


# --- one of several programs takes the keys ---------------------------------------------------------------------------

PROGRAM = """\
from dataclasses import dataclass
from trl import GRPOConfig, GRPOTrainer, TrlParser
@dataclass
class Mine:
    {field}: str = ""
if __name__ == "__main__":
    mine, training = TrlParser((Mine, GRPOConfig)).parse_args_and_config()
    GRPOTrainer(model=mine.{field}, args=training, reward_funcs=len).train()
"""
RECIPE = "# grpo-lint: version=0.17.0 world-size=1\nbase: m\n{more}per_device_train_batch_size: 8\nnum_generations: 8\nmax_completion_length: 64\n"


@pytest.mark.parametrize(("more", "severity"), [("", "info"), ("nobody_reads: 1\n", "warning")])
def test_keys_that_one_of_several_programs_takes_are_no_warning(tmp_path, more, severity):
    (tmp_path / ".git").mkdir()
    for name, field in {"one": "base", "other": "seed_text"}.items():
        (tmp_path / f"{name}.py").write_text(PROGRAM.format(field=field))
    (tmp_path / "grpo.yaml").write_text(RECIPE.format(more=more))
    finding = said(lint_path(str(tmp_path / "grpo.yaml"), Around().of(str(tmp_path / "grpo.yaml"))), "keys-are-read")
    assert (finding.severity, "one.py, which" in message(finding)) == (severity, True)


@pytest.mark.parametrize("method", ["pip_install", "uv_pip_install"])
def test_the_image_of_a_cloud_says_what_is_installed(method):
    code = f'image = modal.Image.debian_slim().{method}(\n    "datasets", "trl==0.15.2",\n)\n'
    made = 'from trl import GRPOConfig\nGRPOConfig(output_dir="o", num_generations=8, per_device_train_batch_size=8)\n'
    launch = lint_text(code + made, path="app.py").launches[0]
    assert (launch.candidates[0].text, str(launch.version_source)) == ("0.15.2", "app.py:2")


# --- records ------------------------------------------------------------------------------------------------------------

STARTED = "python train_grpo.py --num_generations 8 --per_device_train_batch_size 4"


def test_what_an_agent_was_told_starts_nothing(tmp_path, capsys):
    """Traces, chats and logs of a repository are no configs; a job in JSON is one, and so is a file that is named."""
    chat = [
        {"role": "assistant", "content": f"Run this:\n```bash\n{STARTED}\n```"},
        {"role": "tool", "content": STARTED},
    ]
    (tmp_path / "traces").mkdir()
    for number in range(3):
        (tmp_path / "traces" / f"{number}.json").write_text(json.dumps({"messages": chat}))
        (tmp_path / "traces" / f"log-{number}.json").write_text(json.dumps({"cmd": STARTED, "stdout": "done"}))
    assert main(["check", str(tmp_path)]) == 0
    assert "203" not in capsys.readouterr().out
    (tmp_path / "job.json").write_text(json.dumps({"command": STARTED}))
    assert main(["check", str(tmp_path)]) == 1
    assert "job.json" in capsys.readouterr().out
    assert main(["check", str(tmp_path / "traces" / "log-0.json")]) == 1


# --- the program beside a file ----------------------------------------------------------------------------------------

OF_ONE = "rlhf_type: grpo\nmodel: own/model\ndataset: own\nreward_funcs: [accuracy]\nper_device_train_batch_size: 4\nnum_generations: 1\n"
OF_MEGATRON = OF_ONE.replace("per_device_train_batch_size", "tensor_model_parallel_size: 2\nmicro_batch_size")


@pytest.mark.parametrize(
    ("program", "may_read"),
    [
        ("subprocess.run(['python', 'prepare.py', name], check=True)", False),
        ("subprocess.run(['swift', 'rlhf', '--config', 'grpo.yaml'])", False),
        ("words = ['swift', 'rlhf', '--config', 'grpo.yaml']\n    subprocess.run(words)", False),
        ("print('grpo.yaml is a file')", False),
        ("open('other/grpo.yaml')", False),
        ("glob('*.json')", False),
        ("parser.add_argument('--seed')", False),
        ("yaml.safe_load(open('grpo.yaml'))", True),
        ("yaml.safe_load(open(f'./{name}.yaml'))", True),
        ("glob('g*.yaml')", True),
        ("[name for name in os.listdir('.') if name.endswith('.yaml')]", True),
        ("parser.add_argument('--config')", True),
        ("hydra.main(config_name='own')", True),
        ("yaml.safe_load(open(sys.argv[1]))", True),
    ],
)
@pytest.mark.parametrize("text", [OF_ONE, OF_MEGATRON])
def test_a_program_beside_a_file_weighs_where_it_is_shown_that_it_may_read_it(tmp_path, program, may_read, text):
    (tmp_path / ".git").mkdir()
    path = tmp_path / "grpo.yaml"
    path.write_text(text, encoding="utf-8")
    (tmp_path / "start.py").write_text(f"if __name__ == '__main__':\n    {program}\n", encoding="utf-8")
    finding = said(lint_path(str(path), Around().of(str(path)), fixes=False), "group-has-two-completions")
    assert ("unless start.py beside this file" in message(finding)) is may_read
