"""What a run of the linter remembers of the values that it has seen: a verdict is the same with it and without."""

import random
from itertools import product

import pytest
import yaml

from conftest import lint_text
from grpo_lint.checker import verdict
from grpo_lint.engine import lint
from grpo_lint.frameworks.registry import NAMES, framework as framework_named
from grpo_lint.launch import context
from grpo_lint.launch.context import Context, Remembered
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


def said(text, remembered=None, path="config.yaml"):
    """What is said of a text; `remembered`: by a run that has seen others."""
    return [
        (
            finding.rule.name,
            finding.severity,
            finding.note,
            finding.at and finding.at.name,
            finding.counts,
            str(finding.values),
        )
        for finding in lint(Text(text, path), Context(remembered=remembered), fixes=False).findings
    ]


def said_by_one_run(texts):
    remembered = Remembered()
    return [said(text, remembered) for text in texts]


@pytest.mark.parametrize("facts", ["", "# grpo-lint: version=1.16.0 world-size=4\n", "# grpo-lint: world-size=6\n"])
def test_a_verdict_does_not_hang_on_what_was_judged_before(facts):
    drawn = random.Random(7)
    texts, settings = [], dict(RECIPE)
    for _ in range(60):
        for name in drawn.sample(sorted(VALUES), drawn.randint(1, 3)):
            settings[name] = drawn.choice(VALUES[name])
        texts.append(facts + yaml.safe_dump(settings, sort_keys=False))
    texts += drawn.sample(texts, 30)  # what was there before comes back
    assert said_by_one_run(texts) == [said(text) for text in texts]


OTHERS = {
    "swift": {"num_generations": [4, 7, 8], "per_device_train_batch_size": [1, 2, 8], "gradient_accumulation_steps": [1, 3], "beta": [0.0, 0.1],
              "vllm_mode": ["colocate", "server"], "use_vllm": [True, False], "loss_type": ["grpo", "dapo", "none"], "num_iterations": [1, 2]},
    "megatron": {"num_generations": [4, 7, 8], "micro_batch_size": [1, 2, 3], "global_batch_size": [16, 24, 32], "steps_per_generation": [None, 2],
                 "tensor_model_parallel_size": [1, 2], "pipeline_model_parallel_size": [1, 2], "vllm_tensor_parallel_size": [1, 3]},
}  # fmt: skip


@pytest.mark.parametrize("facts", ["", " world-size=4", " version=4.3.2 world-size=6"])
@pytest.mark.parametrize("dialect", OTHERS)
def test_a_verdict_on_the_other_commands_does_not_hang_on_it_either(dialect, facts):
    drawn = random.Random(11)
    texts, settings = [], {"rlhf_type": "grpo", "model": "m", "dataset": ["d"], "reward_funcs": ["format"]}
    for _ in range(40):
        for name in drawn.sample(sorted(OTHERS[dialect]), drawn.randint(1, 3)):
            settings[name] = drawn.choice(OTHERS[dialect][name])
        texts.append(f"# grpo-lint: dialect={dialect}{facts}\n{yaml.safe_dump(settings, sort_keys=False)}")
    assert said_by_one_run(texts) == [said(text) for text in texts]


def the_launch(text, path="config.yaml", settings=None):
    (launch,) = lint_text(text, path=path, settings=settings).launches
    return launch, verdict.what_is_written(launch.entries)


def test_launches_are_told_apart_by_the_settings_on_which_the_reading_of_others_hangs():
    """eval_steps is a number that transformers compares only where it evaluates in steps."""
    contexts = [
        verdict.context_of(*the_launch(yaml.safe_dump({**RECIPE, "eval_strategy": strategy, "beta": beta})))
        for strategy, beta in (("no", 0.0), ("no", 0.5), ("steps", 0.5))
    ]
    assert contexts[0] == contexts[1] != contexts[2]
    launch, written = the_launch(yaml.safe_dump(RECIPE))
    newest, oldest = launch.candidates[0], launch.candidates[-1]
    kept = verdict.settings_in_order(launch, newest, written)
    assert kept is verdict.settings_in_order(launch, newest, {**written, "beta": ()})
    assert kept is not verdict.settings_in_order(launch, newest, {**written, "eval_strategy": ()})
    assert kept is not verdict.settings_in_order(launch, oldest, written)


OF_VERL = """\
python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_batch_size={} \\
    actor_rollout_ref.actor.ppo_mini_batch_size=32 actor_rollout_ref.rollout.n=8 trainer.n_gpus_per_node=8
"""


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("# grpo-lint: dialect=trl world-size=8|7\nnum_generations: 8\n", "config.yaml"),
        (
            "# grpo-lint: dialect=trl loader=cli version=1.16.0\nnum_generations: 8\n",
            "config.yaml",
        ),  # its launcher judges too
        ("# grpo-lint: dialect=trl\n# grpo-lint: expect num_generations=8\nnum_generations: 8\n", "config.yaml"),
        (OF_VERL.format("'${actor_rollout_ref.actor.ppo_mini_batch_size}'"), "train.sh"),
        ("from trl import GRPOConfig\nGRPOConfig(num_generations=8, **more)\n", "train.py"),
    ],
)
def test_of_what_hangs_on_more_than_what_is_written_nothing_is_kept(text, path):
    assert verdict.evaluations_of(*the_launch(text, path)) is None


def test_nor_where_something_else_reads_it_or_has_defaults_for_it():
    launch, written = the_launch(yaml.safe_dump(RECIPE))
    assert verdict.evaluations_of(launch, written) is not None
    for other in (launch.but(reader="Hydra"), launch.but(defaults=launch.entries), launch.but(incomplete=True)):
        assert verdict.evaluations_of(other, written) is None
    assert verdict.evaluations_of(*the_launch(OF_VERL.format(64), "train.sh")) is not None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("world-size=4", "world-size=3"),
        ("world-size=4", "world-size=4 version=0.15.2"),
        ("world-size=4 loader=cli", "world-size=4 loader=kwargs"),
        ("world-size=4", "world-size=4 algorithm=rloo"),
        ("world-size=4 transformers=4.57.0", "world-size=4 transformers=4.49.0"),
        ("world-size=4 dataset-size=100", "world-size=4 dataset-size=1"),
    ],
)
def test_facts_and_releases_are_kept_apart(first, second):
    texts = [f"# grpo-lint: dialect=trl {facts}\n{yaml.safe_dump(RECIPE)}" for facts in (first, first, second, first)]
    assert said_by_one_run(texts) == [said(text) for text in texts]


@pytest.fixture
def asked(monkeypatch):
    """How many rules are asked, each time that a plan is asked."""
    found, decide = [], verdict.decide
    monkeypatch.setattr(verdict, "decide", lambda rules, plan: found.append(len(rules)) or decide(rules, plan))
    return found


def test_of_a_launch_like_another_one_little_is_asked(asked):
    text, remembered = yaml.safe_dump(RECIPE, sort_keys=False), Remembered()
    said(text, remembered)
    first, asked[:] = sum(asked), []
    said(text.replace("beta: 0.0", "beta: 0.04"), remembered)
    assert 0 < sum(asked) < first / 3
    edited, asked[:] = sum(asked), []
    said(text, remembered)  # known by now, but for what was left open
    assert 0 < sum(asked) < edited


def test_another_run_asks_anew(asked):
    text = yaml.safe_dump(RECIPE, sort_keys=False)
    said(text, Remembered())
    first, asked[:] = sum(asked), []
    said(text, Remembered())
    assert sum(asked) == first


def test_of_the_launches_of_a_script_only_the_one_that_is_edited_is_asked_again(asked):
    text, remembered = (
        "".join(
            f"swift rlhf --rlhf_type grpo --model m{number} --dataset d{number} --reward_funcs format "
            f"--num_generations {number} --per_device_train_batch_size {number}\n"
            for number in range(2, 12)
        ),
        Remembered(),
    )
    said(text, remembered, "train.sh")
    first, asked[:] = sum(asked), []
    said(text.replace("--num_generations 7", "--num_generations 70"), remembered, "train.sh")
    edited, asked[:] = sum(asked), []
    said(text.replace("--num_generations 7", "--num_generations 70"), remembered, "train.sh")
    assert sum(asked) < edited < first / 2


def test_what_is_remembered_is_bounded(monkeypatch):
    monkeypatch.setattr(context, "MOST_REMEMBERED", 200)
    remembered, most = Remembered(), 0
    for size in range(1, 40):
        said(
            f"# grpo-lint: world-size={size % 3 + 1}\n{yaml.safe_dump({**RECIPE, 'per_device_train_batch_size': size})}",
            remembered,
        )
        most = max(most, len(remembered))
    assert 20 < most <= 200


def test_a_result_that_takes_much_memory_counts_more(monkeypatch):
    monkeypatch.setattr(context, "MOST_REMEMBERED", 10)
    remembered = Remembered()
    assert remembered.keep("small", 1) == 1
    remembered.keep("large", 2, 9)
    assert remembered == {"small": 1, "large": 2}
    remembered.keep("third", 3)
    assert remembered == {"third": 3}
    assert remembered.size == 1


@pytest.mark.parametrize("value", ["x" * 3000, f"[{'x, ' * 1000}y]"])
def test_what_is_long_is_not_kept(value):
    remembered = Remembered()
    said(f"# grpo-lint: dialect=trl\nnum_generations: 8\noutput_dir: {value}\n", remembered)
    assert len(str(list(remembered))) < len(value) + 10_000 and value[:2500] not in str(list(remembered))


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
    monkeypatch.setattr(verdict, "repr", lambda value: (written.append(value), repr(value))[1], raising=False)
    few, many = f"[{'x, ' * 10}y]", f"[{'x, ' * verdict.LONGEST_WRITTEN}y]"
    text = f"few: &few {few}\nmany: &many {many}\na: *few\nb: *many\nc: [*few]\nd: [*many]\ne: [&itself [*itself]]\n"
    root = read_yaml(Text(text)).root
    told = {name: verdict.written_in(root.get(name)) for name in "abcde"}
    assert [value for value in written if value is not UNKNOWN] == [["x"] * 10 + ["y"], [["x"] * 10 + ["y"]]]
    again = {name: verdict.written_in(root.get(name)) for name in "abcde"}
    assert [name for name in "abcde" if told[name] == again[name]] == ["a", "c", "e"]
