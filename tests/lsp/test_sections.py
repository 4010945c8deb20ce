"""Hover, completion and hints where settings stand in sections: overrides in scripts, and files."""

import sys

import pytest
from test_answers import completed, split

from conftest import lint_text
from grpo_lint.checker.contexts import of_text
from grpo_lint.lsp.completion import completion
from grpo_lint.lsp.hover import hover
from grpo_lint.lsp.numbers import inlay_hints
from grpo_lint.report.language import ENGLISH
from grpo_lint.report.translation import CHINESE
from grpo_lint.source.text import Text

SCRIPT = """\
# grpo-lint: dialect=verl version=0.9.1
python3 -m verl.trainer.main_ppo \\
    algorithm.adv_estimator=grpo \\
    data.train_batch_size=64 \\
    actor_rollout_ref.actor.ppo_mini_batch_size=32 \\
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4 \\
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8 \\
    actor_rollout_ref.rollout.name=vllm \\
    actor_rollout_ref.rollout.n=8"""
FILE = """\
# grpo-lint: dialect=easyr1 version=0.3.2
data:
  rollout_batch_size: 128
worker:
  actor:
    global_batch_size: 64
    optim:
      lr: 1.0e-6
  rollout:
    n: 8
"""


def hovered(marked, path, language=ENGLISH):
    text, offset = split(marked)
    return hover(lint_text(text, path=path), offset, "utf-16", "", language)["contents"]["value"]


@pytest.mark.parametrize(
    ("text", "path", "at", "told"),
    [
        (SCRIPT, "run.sh", "ppo_mini|_batch", ("whole number · default `256`", "an update: ", "= 32 prompts of 8")),
        (SCRIPT, "run.sh", "train|_batch", ("default `1024`", "**512 completions** = 64 prompts of 8")),
        (SCRIPT, "run.sh", "adv_|estimator", ("text · default `gae`", "One of `gae`, `grpo`")),
        (FILE, "config.yaml", "rollout_|batch_size", ("default `512`", "**1024 completions** = 128 prompts of 8")),
        (FILE, "config.yaml", "l|r: ", ("**worker.actor.optim.lr** · number",)),
    ],
)
def test_hover_tells_a_path_and_its_numbers(text, path, at, told):
    found = hovered(text.replace(at.replace("|", ""), at, 1), path)
    assert all(each in found for each in told), found
    assert "no key of" not in found


HYDRA = """\
# grpo-lint: dialect=verl version=0.9.1
defaults:
  - ppo_trainer
  - _self_
hydra:
  searchpath: [pkg://verl.trainer.config]
actor_rollout_ref:
  rollout:
    n: 8
    val_kwargs: {n: 1}
"""
RAY = "# grpo-lint: dialect=megatron version=4.6.0\nrlhf_type: grpo\nuse_ray: true\ntrain:\n  gpus: 4\nrollout:\n  gpus: 4\nENV:\n  NPROC_PER_NODE: 8\n"
SWIFT = "NPROC_PER_NODE=8 CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7 swift rlhf --rlhf_type grpo --model m --dataset d --num_generations 8\n"


@pytest.mark.parametrize(
    ("text", "path", "at", "english", "chinese"),
    [
        (
            FILE,
            "config.yaml",
            "work|er:",
            "**worker** · section\n\nWhat the processes do",
            "**worker** · 配置段\n\n各进程的工作",
        ),
        (FILE, "config.yaml", "opti|m:", "Optimizer and schedule of the learning rate.", "优化器和学习率调度。"),
        (FILE, "config.yaml", "l|r: ", "Highest learning rate of the schedule.", "学习率调度的最高值。"),
        (HYDRA, "grpo.yaml", "defa|ults", "files that are merged in this order", "按此顺序合并的文件"),
        (HYDRA, "grpo.yaml", "search|path", "further places where", "另外在哪些位置"),
        (HYDRA, "grpo.yaml", "rollo|ut:", "Generation: engine, lengths", "生成：引擎、长度"),
        (HYDRA, "grpo.yaml", "val_|kwargs", "Sampling in evaluation.", "评估时的采样。"),
        (RAY, "grpo.yaml", "tra|in:", "Ray layout: the GPUs of training", "Ray 布局：训练的 GPU"),
        (RAY, "grpo.yaml", "NPROC|_PER", "Training processes on each node", "每个节点上的训练进程数"),
        (SWIFT, "run.sh", "NPROC|_PER", "Training processes on each node", "每个节点上的训练进程数"),
        (SWIFT, "run.sh", "VISIBLE|_DEV", "GPUs that a process may use", "进程可用的 GPU 编号"),
    ],
)
def test_hover_tells_what_keys_sections_and_variables_mean_in_both_languages(text, path, at, english, chinese):
    CHINESE.missing.clear()
    marked = text.replace(at.replace("|", ""), at, 1)
    assert english in hovered(marked, path)
    assert chinese in hovered(marked, path, CHINESE)
    assert CHINESE.missing == set()


def test_what_is_no_section_is_none():
    text = HYDRA + "my:\n  rollout:\n    n: 8\n"
    assert "no key of verl" in hovered(
        text.replace("    n: 8\n    val", "    val").replace("n: 8", "n|: 8"), "grpo.yaml"
    )
    assert hover(lint_text(text, path="grpo.yaml"), text.rindex("rollout") + 2, "utf-16") is None


def test_hints_stand_behind_the_batch_keys():
    for text, path, lines in ((SCRIPT, "run.sh", (4, 3)), (FILE, "config.yaml", (5, 2))):
        found = inlay_hints(lint_text(text, path=path), 0, len(text), "utf-16")
        assert tuple(hint["position"]["line"] for hint in found) == lines
        assert [hint["label"].partition(":")[0] for hint in found] == ["update", "rollout"]


def test_overrides_are_completed_by_section():
    found = completed(f"{SCRIPT} \\\n    actor_rollout_ref.rollout.temp|\n", path="run.sh")
    assert all(name.startswith("actor_rollout_ref.rollout.") for name in found)
    assert (
        found["actor_rollout_ref.rollout.temperature"]["textEdit"]["newText"]
        == "actor_rollout_ref.rollout.temperature="
    )
    assert "actor_rollout_ref.rollout.n" not in found  # it stands there
    assert "trainer.nnodes" in completed(f"{SCRIPT} \\\n    tr|\n", path="run.sh")


def test_values_of_overrides_are_completed():
    text = SCRIPT.replace("adv_estimator=grpo", "adv_estimator=|")
    assert {"grpo", "rloo", "gae"} <= completed(text + "\n", path="run.sh").keys()
    assert completed(f"{SCRIPT} \\\n    trainer.val_before_train=|\n", path="run.sh").keys() == {"true", "false"}


@pytest.mark.parametrize(
    ("typed", "some", "none"),
    [
        ("    temp|\n", {"temperature", "tensor_parallel_size"}, {"n", "lr", "trainer"}),
        ("tr|\n", {"trainer", "algorithm"}, {"data", "worker", "temperature"}),
        ("trainer:\n  nn|\n", {"nnodes", "max_steps"}, {"temperature", "trainer"}),
        ("  r|\n", {"ref", "critic"}, {"actor", "rollout", "nnodes"}),
    ],
)
def test_keys_of_a_section_are_completed_in_it(typed, some, none):
    found = completed(FILE + typed)
    assert some <= found.keys() and none.isdisjoint(found)


def test_values_of_a_section_are_completed():
    assert {"grpo", "rloo"} <= completed(f"{FILE}algorithm:\n  adv_estimator: |\n").keys()
    assert completed(f"{FILE}trainer:\n  val_only: |\n").keys() == {"true", "false"}


def test_completion_in_a_long_file_looks_at_each_setting_once_or_twice():
    """Counted in calls, since no time is the same twice; it was a hundred for each setting."""
    text = Text(FILE + "notes:\n" + "".join(f"  note_{number}: 1\n" for number in range(2_000)), "config.yaml")
    known, offset, calls = lint_text(text.text), text.text.index("global_batch"), 0

    def count(frame, event, what):
        nonlocal calls
        calls += event in ("call", "c_call")

    for _ in range(2):  # the first one loads what the second one finds
        calls = 0
        sys.setprofile(count)
        try:
            found = completion(text, offset, known, of_text(), "utf-16")
        finally:
            sys.setprofile(None)
    labels = {each["label"] for each in found}
    assert len(known.launches[0].entries) > 2_000 and "optim" not in labels and "use_kl_loss" in labels
    assert calls < 5 * 2_000, calls
