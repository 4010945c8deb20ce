"""Rewards against data, as far as a checkout shows both."""

import pytest

from conftest import lint_text, names
from grpo_lint.engine import lint_path
from grpo_lint.launch.context import Context
from grpo_lint.launch.files import Files

EASYR1 = """\
# grpo-lint: dialect=easyr1 version=0.3.2
python3 -m verl.trainer.main data.train_files=train.jsonl data.rollout_batch_size=16 worker.actor.global_batch_size=16 \\
    worker.actor.micro_batch_size_per_device_for_update=4 worker.actor.micro_batch_size_per_device_for_experience=4 \\
    worker.rollout.tensor_parallel_size=1 worker.reward.reward_function=./reward.py:{name} {more}
"""
SWIFT = """\
# grpo-lint: dialect=swift version=4.6.0 world-size=8
swift rlhf --rlhf_type grpo --model Qwen/Qwen2.5-0.5B --dataset {data} --external_plugins plugin.py --reward_funcs {rewards}
"""
PLUGIN = """\
from swift.plugin import ORM, orms


class Own(ORM):
    def __call__(self, completions, {parameters}):
        return {returned}


orms["own"] = Own
"""
TRL = """\
from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer
from trl.rewards import accuracy_reward


{decorated}def reward({parameters}):
    return {returned}


data = load_dataset("json", data_files="train.jsonl", split="train"){changed}
config = GRPOConfig(output_dir="out", num_generations=8, per_device_train_batch_size=8)
trainer = GRPOTrainer("Qwen/Qwen2.5-0.5B", reward_funcs={rewards}, args=config, train_dataset=data)
"""
ROW = '{"prompt": "1 + 1", "answer": "2"}\n'


def said(tmp_path, name, text, **beside):
    """The names of the rules of rewards that speak of a file, with others beside it."""
    for other, content in beside.items():
        (tmp_path / other.replace("__", ".")).write_text(content, encoding="utf-8")
    (tmp_path / name).write_text(text, encoding="utf-8")
    path = str(tmp_path / name)
    report = lint_path(path, Context(files=Files(path)))
    assert "linter-does-not-fail" not in names(report)
    return [each.rule.name for each in report.findings if "GRPO614" <= each.rule.code <= "GRPO619"]


@pytest.mark.parametrize(
    ("parameters", "returned", "told"),
    [
        ("reward_inputs", "[{'overall': 1.0} for _ in reward_inputs]", []),
        ("reward_inputs, weight=0.1", "score(reward_inputs)", []),
        ("predicts, ground_truths", "[]", ["reward-takes-what-it-is-passed"]),
        ("reward_inputs", "{'overall': 1.0}", ["reward-returns-what-is-read"]),
        ("reward_inputs", "1.0", ["reward-returns-what-is-read"]),
    ],
)
def test_a_function_that_easyr1_calls_with_a_batch(tmp_path, parameters, returned, told):
    beside = {"reward__py": f"def main({parameters}):\n    return {returned}\n", "train__jsonl": ROW}
    assert said(tmp_path, "run.sh", EASYR1.format(name="main", more=""), **beside) == told


def test_a_function_that_easyr1_calls_with_one_completion_returns_a_mapping(tmp_path):
    text = EASYR1.format(name="main", more="worker.reward.reward_type=sequential")
    beside = {"reward__py": "def main(reward_input):\n    return {'score': 1.0}\n", "train__jsonl": ROW}
    assert said(tmp_path, "run.sh", text, **beside) == ["reward-returns-what-is-read"]


@pytest.mark.parametrize(
    ("kind", "told"), [('"sequential"', []), ('"batch"', ["reward-returns-what-is-read"]), ("chosen()", [])]
)
def test_the_file_of_easyr1_says_how_its_function_is_called(tmp_path, kind, told):
    """Since 0.3.3 the name REWARD_TYPE of the file decides, and not the config."""
    text = EASYR1.format(name="main", more="").replace("0.3.2", "0.3.3.dev0")
    program = f"REWARD_TYPE = {kind}\ndef main(reward_input):\n    return {{'overall': 1.0}}\n"
    assert said(tmp_path, "run.sh", text, reward__py=program, train__jsonl=ROW) == told


def test_a_function_and_columns_that_are_not_there(tmp_path):
    beside = {"reward__py": "def main(reward_inputs):\n    return []\n", "train__jsonl": '{"problem": "1 + 1"}\n'}
    text = EASYR1.format(name="score", more="")
    told = said(tmp_path, "run.sh", text, **beside)
    assert sorted(told) == ["data-has-its-columns", "data-has-its-columns", "reward-is-defined"]


@pytest.mark.parametrize(
    ("parameters", "returned", "told"),
    [
        ("answer, **kwargs", "[1.0 for _ in completions]", []),
        ("target, **kwargs", "[1.0 for _ in completions]", ["reward-finds-its-columns"]),
        ("answer", "[1.0 for _ in completions]", ["reward-takes-what-it-is-passed"]),
        ("**kwargs", "1.0", ["reward-returns-what-is-read"]),
        ("trainer_state, **kwargs", "score(completions)", []),
    ],
)
@pytest.mark.parametrize("data", ["train.jsonl#100", "mine --custom_dataset_info dataset_info.json"])
def test_a_class_that_ms_swift_calls(tmp_path, parameters, returned, told, data):
    info = '[{"dataset_name": "mine", "dataset_path": "train.jsonl"}]'
    beside = {
        "plugin__py": PLUGIN.format(parameters=parameters, returned=returned),
        "train__jsonl": ROW,
        "dataset_info__json": info,
    }
    assert said(tmp_path, "run.sh", SWIFT.format(data=data, rewards="own"), **beside) == told


@pytest.mark.parametrize(
    "more", ['--columns \'{"answer": "solution"}\'', "--custom_register_path data.py", "train2.jsonl"]
)
def test_columns_that_may_come_from_elsewhere_are_not_known(tmp_path, more):
    assert said(tmp_path, "run.sh", SWIFT.format(data="train.jsonl", rewards="accuracy"), train__jsonl=ROW) == [
        "reward-finds-its-columns"
    ]
    assert (
        said(tmp_path, "run.sh", SWIFT.format(data=f"train.jsonl {more}", rewards="accuracy"), train__jsonl=ROW) == []
    )


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, []),
        ({"parameters": "completions"}, ["reward-takes-what-it-is-passed"]),
        ({"parameters": "prompts, completions, target, **kwargs"}, ["reward-finds-its-columns"]),
        ({"parameters": "prompts, completions, target, **kwargs", "changed": ".map(print)"}, []),
        ({"parameters": "completions, trainer_state, **kwargs"}, []),
        ({"returned": "1.0"}, ["reward-returns-what-is-read"]),
        ({"returned": "None"}, ["reward-returns-what-is-read"]),
        ({"returned": "scores(completions)"}, []),
        ({"rewards": "accuracy_reward"}, ["reward-finds-its-columns"]),
        ({"parameters": "completions", "decorated": "@wrapped\n"}, []),  # another function takes its place
    ],
)
def test_functions_that_a_program_hands_to_a_trainer_of_trl(tmp_path, change, told):
    usual = {"parameters": "completions, **kwargs", "returned": "[1.0 for _ in completions]", "rewards": "[reward]", "changed": "", "decorated": ""}  # fmt: skip
    assert said(tmp_path, "train.py", TRL.format(**{**usual, **change}), train__jsonl=ROW) == told


@pytest.mark.parametrize(
    "text", ["", "no JSON", '{"a": 1}\n[1]\n', "[1, 2]", "version https://git-lfs.github.com/spec/v1\n"]
)
def test_what_is_no_rows_of_json_says_nothing_of_columns(tmp_path, text):
    assert said(tmp_path, "run.sh", SWIFT.format(data="train.jsonl", rewards="accuracy"), train__jsonl=text) == []


@pytest.mark.parametrize(
    "text",
    ["", "def main(:\n", "def main(x):\n    raise NotImplementedError\n", "main = partial(other)\n", "import main\n"],
)
def test_programs_of_which_nothing_is_known(tmp_path, text):
    told = said(tmp_path, "run.sh", EASYR1.format(name="main", more=""), reward__py=text, train__jsonl=ROW)
    assert told == (["reward-is-defined"] if text == "" else [])


def test_nothing_is_read_of_a_text_without_a_place():
    assert not [
        each for each in names(lint_text(EASYR1.format(name="main", more=""), path="run.sh")) if "reward" in each
    ]


def test_files_outside_of_the_repository_are_not_read(tmp_path):
    (tmp_path / "reward.py").write_text("x = 1\n", encoding="utf-8")
    inner = tmp_path / "checkout"
    (inner / ".git").mkdir(parents=True)
    text = EASYR1.format(name="main", more="").replace("./reward.py", "../reward.py")
    assert said(inner, "run.sh", text, train__jsonl=ROW) == []
