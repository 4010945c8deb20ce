"""EasyR1: its one file, the commands that name it, releases told by keys and copies, fixes."""

import pytest

from conftest import lint_text, names, plan_of, said
from grpo_lint.fixes.edits import apply
from grpo_lint.frameworks.schema import schema_of
from grpo_lint.report.messages import message

BASE = {
    "data.rollout_batch_size": 128,
    "worker.actor.global_batch_size": 64,
    "worker.actor.micro_batch_size_per_device_for_update": 4,
    "worker.actor.micro_batch_size_per_device_for_experience": 8,
    "worker.rollout.n": 8,
    "worker.rollout.tensor_parallel_size": 2,
    "trainer.n_gpus_per_node": 8,
}
FILE = """\
data:
  rollout_batch_size: 128
  max_prompt_length: 2048
algorithm:
  adv_estimator: grpo
  kl_coef: 1.0e-2
worker:
  actor:
    global_batch_size: 64
    micro_batch_size_per_device_for_update: 4
    micro_batch_size_per_device_for_experience: 8
  rollout:
    n: 8
    tensor_parallel_size: 2
    val_override_config:
      temperature: 0.5
  reward:
    reward_function: ./reward.py:main
trainer:
  n_gpus_per_node: 8
  logger: ["console"]
"""


def command(*words, start="python3 -m verl.trainer.main", **changes):
    """A command in order but for `words`; `changes` by the last part of a path, None leaves one out."""
    settings = {path: changes.get(path.rpartition(".")[2], value) for path, value in BASE.items()}
    told = [f"{path}={value}" for path, value in settings.items() if value is not None]
    return " \\\n    ".join([start, *told, *words]) + "\n"


def judged(text, version="0.3.2", path="run.sh", **more):
    return lint_text((f"# grpo-lint: dialect=easyr1 version={version}\n" if version else "") + text, path=path, **more)


def in_a_repository(folder, files, path):
    from grpo_lint.engine import lint_path
    from grpo_lint.launch.context import Context
    from grpo_lint.launch.files import Files
    from grpo_lint.launch.pins import pins_for

    (folder / ".git").mkdir()
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    path = str(folder / path)
    return lint_path(path, Context(files=Files(path), pins=pins_for(path)))


def test_sizes_of_updates_count_prompts():
    plan = plan_of(judged(command()))
    assert plan.value("completions_per_rollout") == 1024
    assert plan.value("completions_per_update") == 512
    assert plan.value("updates_per_rollout") == 2
    assert plan.value("generation_engines") == 4


@pytest.mark.parametrize(
    ("word", "rule"),
    [
        ("worker.actor.optim.lr=1e-6", None),
        ("worker.actor.optim.lr=1", None),
        ("data.rollout_batch_size=128.0", "value-has-the-type-of-its-key"),
        ("data.shuffle=off", None),
        ("data.shuffle=maybe", "value-has-the-type-of-its-key"),
        ("data.seed=null", "value-has-the-type-of-its-key"),
        ("data.min_pixels=null", None),
        ("trainer.logger=[console,wandb]", None),
        ("'trainer.logger=[\"console\"]'", None),
        ('worker.rollout.val_override_config=\'{"n":16,"top_p":0.7}\'', None),
        ("worker.rollout.val_override_config.n=4", None),
        ("worker.rollout.foo=4", "key-is-known"),
        ("+worker.rollout.seed=4", "key-is-known"),
        ("trainer.total_episodes=4", "key-is-of-this-version"),
        ("worker.actor.model.lora.rank=4", "key-is-of-this-version"),
        ("algorithm.kl_penalty=k3", "value-is-a-choice"),
        ("algorithm.adv_estimator=grp0", "advantage-estimator-is-known"),
        ("worker.rollout.n=1", "group-has-two-completions"),
        ("data.max_response_length=16384", "engine-takes-a-sequence"),
    ],
)  # fmt: skip
def test_settings_are_merged_into_dataclasses(word, rule):
    assert names(judged(command(word)), "error") == ([rule] if rule else [])


def test_names_of_the_divergence_are_looked_up_where_there_is_one():
    assert names(judged(command("algorithm.kl_penalty=k3", "algorithm.disable_kl=true")), "error") == []


def test_what_the_run_overwrites_is_told():
    report = judged(command("worker.actor.use_kl_loss=true"))
    assert "worker.actor.use_kl_loss (the run overwrites it)" in message(said(report, "settings-have-an-effect"))


@pytest.mark.parametrize("version", ["0.3.0", "0.3.2"])
def test_a_fix_is_made_in_the_command(version):
    report = judged(command(rollout_batch_size=96), version, fixes=True)
    fix = said(report, "rollout-prompts-fill-updates").fixes[0]
    mended = lint_text(apply(report.text, fix.edits).text, path="run.sh")
    assert names(mended, "error", "warning") == []
    assert plan_of(mended).value("group_size") == 8


def test_a_moved_key_is_renamed():
    report = judged(command("worker.actor.ulysses_sequence_parallel_size=2"), fixes=True)
    (fix,) = said(report, "key-is-of-this-version").fixes
    assert " worker.actor.ulysses_size=2" in apply(report.text, fix.edits).text


def test_a_file_is_recognised_and_may_be_a_part_of_a_run():
    report = lint_text(FILE.replace("batch_size: 128", "batch_size: 96"))
    assert report.launches[0].framework.name == "easyr1"
    assert said(report, "rollout-prompts-fill-updates").severity == "warning"
    assert names(lint_text(FILE), "error", "warning") == []


@pytest.mark.parametrize("text", ["worker:\n  image: nginx\ndata: x\n", "worker:\n  actor: {}\nreplicas: 2\n"])
def test_files_of_others_are_none(text):
    assert lint_text("# rollout_batch_size\n" + text).launches == []


def test_a_key_that_stands_twice_is_refused():
    report = judged(FILE + "trainer:\n  nnodes: 1\n", path="config.yaml")
    assert said(report, "key-stands-once").severity == "error"


def test_a_command_and_its_file_are_one_run(tmp_path):
    script = command(
        rollout_batch_size=None, global_batch_size=48, start="python3 -m verl.trainer.main config=config.yaml"
    )
    files = {"config.yaml": FILE, "run.sh": script, "verl/__init__.py": '__version__ = "0.3.1"\n'}
    report = in_a_repository(tmp_path, files, "run.sh")
    assert report.launches[0].candidates[0].text == "0.3.1"
    assert names(report, "error") == ["rollout-prompts-fill-updates"]
    assert plan_of(report).value("prompts_per_rollout") == 128


def test_a_key_of_a_copy_that_somebody_changed_is_no_mistake(tmp_path):
    files = {"run.sh": command("worker.actor.entropy_bonus=1"), "verl/__init__.py": '__version__ = "0.3.1"\n'}
    assert names(in_a_repository(tmp_path, files, "run.sh"), "error") == []


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [
        ((), "0.3.0", "0.3.3.dev0"),
        (("worker.actor.ulysses_size=1",), "0.3.1", "0.3.3.dev0"),
        (("trainer.total_episodes=1",), "0.3.0", "0.3.0"),
        (("worker.actor.dynamic_batching=true",), "0.3.2", "0.3.3.dev0"),
        (("worker.actor.model.lora.rank=8",), "0.3.3.dev0", "0.3.3.dev0"),
    ],
)
def test_keys_tell_the_releases(words, first, last):
    found = [candidate.text for candidate in reversed(judged(command(*words), None).launches[0].candidates)]
    assert (found[0], found[-1]) == (first, last)


def test_the_schema_knows_all_keys():
    from jsonschema import Draft202012Validator

    schema = Draft202012Validator(schema_of("easyr1", "0.3.2"))
    assert schema.is_valid(
        {"data": {"rollout_batch_size": 8}, "worker": {"rollout": {"val_override_config": {"n": 1}}}}
    )
    assert not schema.is_valid({"data": {"rollout_batch": 8}})
    assert not schema.is_valid({"data": {"rollout_batch_size": "many"}})


def test_a_key_in_a_section_is_renamed_within_it():
    """What stands there is the last part of a path; another section's name would be no mend."""
    text = "# grpo-lint: dialect=easyr1 version=0.3.2\nworker:\n  actor:\n    optim:\n      {}: 0.1\ndata:\n  rollout_batch_size: 512\n"
    report = lint_text(text.format("warmup_ratio"), fixes=True)
    (fix,) = said(report, "key-is-known").fixes
    assert fix.title == "rename warmup_ratio to worker.actor.optim.lr_warmup_ratio" and fix.safety == "unsafe"
    assert apply(report.text, fix.edits).text == text.format("lr_warmup_ratio")


ALONE = """\
data:
  rollout_batch_size: 512
algorithm:
  adv_estimator: grpo
worker:
  actor:
    global_batch_size: 512
    micro_batch_size_per_device_for_update: 3
    micro_batch_size_per_device_for_experience: 16
  rollout:
    n: 5
trainer:
  n_gpus_per_node: 8
"""


def test_a_file_alone_that_says_its_sizes_is_judged_with_the_defaults_and_says_so():
    (told,) = [each for each in lint_text(ALONE).findings if each.severity != "info"]
    assert (told.rule.name, told.severity) == ("rank-update-holds-whole-micro-batches", "warning")
    assert "assuming that the command of this run sets nothing else" in told.note


def test_a_file_alone_that_leaves_a_size_open_is_not():
    text = ALONE.replace("    global_batch_size: 512\n", "").replace("  n_gpus_per_node: 8\n", "  nnodes: 1\n")
    assert not [each for each in lint_text(text).findings if each.severity != "info"]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (
            "optm:\n      lr: 1.0e-6\n      weight_decay: 0.1",
            ["worker.actor.optm is not a key", "did you mean worker.actor.optim?"],
        ),
        ("mine: {a: 1, b: 2, c: {d: 3}}", ["worker.actor.mine is not a key"]),
        ("mine: 1", ["mine is not a key"]),
    ],
)
def test_an_unknown_section_is_one_mistake(written, told):
    """OmegaConf refuses the section, whatever is in it."""
    report = judged(FILE.replace("  actor:\n", f"  actor:\n    {written}\n"), path="config.yaml")
    (finding,) = [each for each in report.findings if each.rule.name == "key-is-known"]
    assert all(each in message(finding) for each in told)


def test_what_aliases_repeat_is_told_once():
    levels = "".join(
        f"a{level}: &a{level} {{{', '.join(f'k{each}: *a{level - 1}' for each in range(9))}}}\n"
        for level in range(1, 9)
    )
    report = judged(f"a0: &a0 {{k: 1}}\n{levels}{FILE}", path="config.yaml")
    assert len(report.findings) < 12, [message(finding) for finding in report.findings]


# ---------------------------------------------------------------- what its code asks of a value

# each was asked of the release: OmegaConf's words, or those of the code that reads it
MISFITS = {
    "worker.rollout.top_p=[1]": "read",
    'data.seed={"a": 1}': "read",
    "worker.rollout.val_override_config=abc": "read",
    "trainer.logger=7": "read",
    "worker.actor.fsdp.torch_dtype=bf17": "init",
    "worker.actor.fsdp.mp_reduce_dtype=half": "init",
    "worker.rollout.dtype=abc": "init",
    "worker.actor.optim.lr=-1e-6": "init",
    "worker.actor.optim.weight_decay=-0.1": "init",
    "worker.rollout.gpu_memory_utilization=90": "init",
    "trainer.nnodes=0": "init",
    "trainer.nnodes=1.5": "read",
}
FITTING = (
    "worker.actor.fsdp.torch_dtype=null",
    "worker.rollout.gpu_memory_utilization=1",
    "worker.actor.optim.lr=0",
    'trainer.logger=["console"]',
    "worker.rollout.val_override_config={temperature: 0.5}",
    "worker.actor.optim.strategy=adamw_bf16 worker.actor.optim.lr=-1",
    "worker.actor.micro_batch_size_per_device_for_update=-1",
)


@pytest.mark.parametrize("word", MISFITS)
def test_a_value_that_the_code_refuses_is_an_error(word):
    text = f"# grpo-lint: dialect=easyr1 version=0.3.2\n{command(f'{word!r}')}"
    errors = [each for each in lint_text(text, path="run.sh", fixes=False).findings if each.severity == "error"]
    assert [each.stage for each in errors] == [MISFITS[word]], errors


@pytest.mark.parametrize("word", FITTING)
def test_a_value_that_the_code_takes_is_none(word):
    words = [f"'{word}'"] if "{" in word or "[" in word else word.split()
    report = lint_text(f"# grpo-lint: dialect=easyr1 version=0.3.2\n{command(*words)}", path="run.sh", fixes=False)
    assert [each.rule.code for each in report.findings if each.severity == "error"] == []
