"""What is remembered of the last launch of a kind: a verdict is the same with it and without."""

import random
from itertools import product

import pytest
import yaml

from conftest import lint_text
from grpo_lint.checker import memory, verdict
from grpo_lint.frameworks.registry import NAMES
from grpo_lint.frameworks.registry import framework as framework_named
from grpo_lint.source.text import Text
from grpo_lint.source.yaml.reader import read_yaml
from grpo_lint.unknown import UNKNOWN

SAMPLES = (None, "", "x", "none", "auto", True, 0, 3, -1, 1.5, [], ["x"], {}, {"x": 1})
RECIPE = {
    "model_name_or_path": "m",
    "reward_funcs": ["accuracy"],
    "use_vllm": True,
    "vllm_mode": "colocate",
    "per_device_train_batch_size": 2,
    "gradient_accumulation_steps": 4,
    "num_generations": 8,
    "max_completion_length": 64,
    "lr_scheduler_type": "cosine",
    "warmup_steps": 5,
    "temperature": 0.7,
    "beta": 0.0,
    "save_strategy": "steps",
    "eval_strategy": "no",
}
VALUES = {
    "per_device_train_batch_size": [1, 2, 3, 8],
    "gradient_accumulation_steps": [1, 4, 8],
    "num_generations": [1, 2, 7, 8, None],
    "temperature": [0.7, 0, -1.0],
    "lr_scheduler_type": ["cosine", "cosine_with_min_lr", "none"],
    "reward_funcs": [["accuracy"], ["accuracy", "format"], None],
    "reward_weights": [[1.0], [1.0, 2.0]],
    "warmup_steps": [5, -1, 0.5],
    "eval_strategy": ["no", "steps"],
    "eval_steps": [None, 5, 0.5],
    "generation_batch_size": [None, 16, 20],
    "vllm_tensor_parallel_size": [1, 2, 3],
    "importance_sampling_level": ["token", "sequence"],
    "top_p": [1.0, -0.5],
    "logging_steps": [1, "abc", None],
    "max_grad_norm": [None, 1.0],
    "dtype": ["bfloat16", "bf16"],
    "loss_type": ["dapo", "dapoo"],
    "no_such_key": [1, 2],
    "output_dir": ["out", ""],
    "gradient_checkpointing_kwargs": [{"use_reentrant": False}, {"use_reentrannt": False}, ["use_reentrant"]],
}


def said(text):
    return [
        (
            finding.rule.name,
            finding.severity,
            finding.note,
            finding.at and finding.at.name,
            finding.counts,
            str(finding.values),
        )
        for finding in lint_text(text).findings
    ]


@pytest.mark.parametrize("facts", ["", "# grpo-lint: version=1.16.0 world-size=4\n", "# grpo-lint: world-size=6\n"])
def test_a_verdict_does_not_hang_on_what_was_judged_before(facts, monkeypatch):
    drawn = random.Random(7)
    texts, settings = [], dict(RECIPE)
    for _ in range(60):
        for name in drawn.sample(sorted(VALUES), drawn.randint(1, 3)):
            settings[name] = drawn.choice(VALUES[name])
        texts.append(facts + yaml.safe_dump(settings, sort_keys=False))
    texts += drawn.sample(texts, 30)  # what was there before comes back
    remembered = [said(text) for text in texts]
    monkeypatch.setattr("grpo_lint.checker.launch.memory_of", lambda launch: None)
    assert [said(text) for text in texts] == remembered


OTHERS = {
    "swift": {"num_generations": [4, 7, 8], "per_device_train_batch_size": [1, 2, 8], "gradient_accumulation_steps": [1, 3], "beta": [0.0, 0.1],
              "vllm_mode": ["colocate", "server"], "use_vllm": [True, False], "loss_type": ["grpo", "dapo", "none"], "num_iterations": [1, 2]},
    "megatron": {"num_generations": [4, 7, 8], "micro_batch_size": [1, 2, 3], "global_batch_size": [16, 24, 32], "steps_per_generation": [None, 2],
                 "tensor_model_parallel_size": [1, 2], "pipeline_model_parallel_size": [1, 2], "vllm_tensor_parallel_size": [1, 3]},
}  # fmt: skip


@pytest.mark.parametrize("facts", ["", " world-size=4", " version=4.3.2 world-size=6"])
@pytest.mark.parametrize("dialect", OTHERS)
def test_a_verdict_on_the_other_commands_does_not_hang_on_it_either(dialect, facts, monkeypatch):
    drawn = random.Random(11)
    texts, settings = [], {"rlhf_type": "grpo", "model": "m", "dataset": ["d"], "reward_funcs": ["format"]}
    for _ in range(40):
        for name in drawn.sample(sorted(OTHERS[dialect]), drawn.randint(1, 3)):
            settings[name] = drawn.choice(OTHERS[dialect][name])
        texts.append(f"# grpo-lint: dialect={dialect}{facts}\n{yaml.safe_dump(settings, sort_keys=False)}")
    remembered = [said(text) for text in texts]
    monkeypatch.setattr("grpo_lint.checker.launch.memory_of", lambda launch: None)
    assert [said(text) for text in texts] == remembered


def test_of_a_launch_like_the_last_one_little_is_asked(monkeypatch):
    asked = []
    decide = verdict.decide
    monkeypatch.setattr(verdict, "decide", lambda rules, plan: asked.append(len(rules)) or decide(rules, plan))
    monkeypatch.setattr(memory, "_kinds", {})
    monkeypatch.setattr(memory, "_states", {})
    text = yaml.safe_dump(RECIPE, sort_keys=False)
    lint_text(text)
    first, asked[:] = sum(asked), []
    lint_text(text.replace("beta: 0.0", "beta: 0.04"))
    assert 0 < sum(asked) < first / 3


def test_of_the_launches_of_a_script_only_the_one_that_is_edited_is_asked_again(monkeypatch):
    asked = []
    decide = verdict.decide
    monkeypatch.setattr(verdict, "decide", lambda rules, plan: asked.append(len(rules)) or decide(rules, plan))
    for name in ("_kinds", "_states"):
        monkeypatch.setattr(memory, name, {})
    text = "".join(
        f"swift rlhf --rlhf_type grpo --model m{number} --dataset d{number} --reward_funcs format "
        f"--num_generations {number} --per_device_train_batch_size {number}\n"
        for number in range(2, 12)
    )
    lint_text(text, path="train.sh")
    first, asked[:] = sum(asked), []
    lint_text(text.replace("--model m7", "--model m70"), path="train.sh")
    edited, asked[:] = sum(asked), []
    lint_text(text.replace("--model m7", "--model m70"), path="train.sh")
    assert edited < sum(asked) + first / 5


def test_launches_are_kept_up_to_a_number(monkeypatch):
    monkeypatch.setattr(memory, "_states", {})
    monkeypatch.setattr(memory, "MOST_STATES", 5)
    for size in range(1, 20):
        lint_text(yaml.safe_dump({**RECIPE, "per_device_train_batch_size": size}))
    assert 0 < len(memory._states) <= 5


def test_kinds_of_launches_are_kept_up_to_a_number(monkeypatch):
    monkeypatch.setattr(memory, "_kinds", {})
    monkeypatch.setattr(memory, "MOST_KINDS", 3)
    for count in range(1, 9):
        lint_text(f"# grpo-lint: world-size={count}\n" + yaml.safe_dump(RECIPE))
    assert 0 < len(memory._kinds) <= 3


class Watched(dict):
    """Entries that note which of them is asked for."""

    def __init__(self, entries, seen):
        super().__init__(entries)
        self._seen = seen

    def get(self, name, default=None):
        self._seen.add(name)
        return super().get(name, default)

    def __getitem__(self, name):
        self._seen.add(name)
        return super().__getitem__(name)

    def __contains__(self, name):
        self._seen.add(name)
        return super().__contains__(name)

    def __iter__(self):
        for name in super().__iter__():
            self._seen.add(name)
            yield name


@pytest.mark.parametrize("dialect", [name for name in NAMES if not framework_named(name).reader.configs.nested])
def test_on_which_settings_the_reading_of_others_hangs(dialect):
    """Every field of the oldest and the newest release, with values that fit it and values that do not."""
    framework = framework_named(dialect)
    (launch,) = lint_text(f"# grpo-lint: dialect={dialect}\nnum_generations: 8\n").launches
    node = {
        repr(value): lint_text("# grpo-lint: dialect=trl\n" + yaml.safe_dump({"seed": value}))
        .launches[0]
        .entries["seed"]
        for value in (*SAMPLES, "steps")
    }
    seen = set()
    for candidate in (launch.candidates[0], launch.candidates[-1]):
        fields = launch.fields(candidate)
        for name in framework.catalogue.names():
            for value, others in product(SAMPLES if fields[name] else (), ([], True, "steps")):
                watched = set()
                around = (
                    {each: node[repr(others)] for each in framework.reader.values.read_together - {name}}
                    if others
                    else {}
                )
                launch.entries = Watched({name: node[repr(value)], **around}, watched)
                framework.reader.values.read(name, value, fields[name], launch, candidate.key)
                seen |= watched - {name}
    assert seen - framework.reader.values.read_together == set()
    assert bool(seen) == bool(framework.reader.values.read_together)


def test_what_aliases_make_long_is_not_written_out(monkeypatch):
    """Every key may say the same long list in a few characters."""
    written = []
    monkeypatch.setattr(memory, "repr", lambda value: (written.append(value), repr(value))[1], raising=False)
    few, many = f"[{'x, ' * 10}y]", f"[{'x, ' * memory.LONGEST_WRITTEN}y]"
    text = f"few: &few {few}\nmany: &many {many}\na: *few\nb: *many\nc: [*few]\nd: [*many]\ne: [&itself [*itself]]\n"
    root = read_yaml(Text(text)).root
    told = {name: memory.written_in(root.get(name)) for name in "abcde"}
    assert [value for value in written if value is not UNKNOWN] == [["x"] * 10 + ["y"], [["x"] * 10 + ["y"]]]
    again = {name: memory.written_in(root.get(name)) for name in "abcde"}
    assert [name for name in "abcde" if told[name] == again[name]] == ["a", "c", "e"]
