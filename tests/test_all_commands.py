"""Each command on a small run of each framework: it ends as it should, and speaks of the settings by their names there."""

import json
import re

import pytest

from grpo_lint.cli.main import main
from grpo_lint.engine import lint
from grpo_lint.frameworks.registry import NAMES, ROOTS, framework
from grpo_lint.frameworks.shared.counterparts import FRAMEWORKS
from grpo_lint.frameworks.versions import resolve_version
from grpo_lint.launch.context import Context
from grpo_lint.lsp.completion import completion
from grpo_lint.lsp.hover import hover
from grpo_lint.source.text import Text

VERL = """\
    data.train_files=train.parquet data.val_files=val.parquet \\
    actor_rollout_ref.model.path=Qwen/Qwen2.5-1.5B-Instruct \\
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=4 \\
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=4 \\
    actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=4 \\
    trainer.n_gpus_per_node=8 trainer.nnodes=1 \\
"""
# {framework: (file, an early release, what is written)}; each makes 64 prompts x 8 completions on 8 GPUs and updates of 256, verl-agent
# sixteen groups of environments
RUNS = {
    "trl": (
        "trl.yaml",
        "0.24.0",
        "model_name_or_path: m\ndataset_name: d\nreward_funcs: [accuracy_reward]\nper_device_train_batch_size: 4\n"
        "gradient_accumulation_steps: 8\nsteps_per_generation: 16\nnum_generations: 8\nloss_type: grpo\n",
    ),
    "swift": (
        "swift.yaml",
        "4.5.0",
        "rlhf_type: grpo\nmodel: m\ntuner_type: full\ndataset: [d]\nreward_funcs: [accuracy]\nper_device_train_batch_size: 4\n"
        "gradient_accumulation_steps: 8\nsteps_per_generation: 16\nnum_generations: 8\n",
    ),
    "megatron": (
        "megatron.yaml",
        "4.5.0",
        "rlhf_type: grpo\nmodel: m\ndataset: [d]\nreward_funcs: [accuracy]\nuse_vllm: true\nvllm_mode: colocate\ntrain_iters: 100\n"
        "micro_batch_size: 4\nglobal_batch_size: 256\nsteps_per_generation: 2\nnum_generations: 8\n",
    ),
    "verl": (
        "verl.sh",
        "0.6.1",
        f"python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo \\\n{VERL}    data.train_batch_size=64 \\\n"
        "    actor_rollout_ref.actor.ppo_mini_batch_size=32 \\\n    actor_rollout_ref.rollout.name=vllm \\\n    actor_rollout_ref.rollout.n=8\n",
    ),
    "easyr1": (
        "easyr1.sh",
        "0.3.1",
        "python3 -m verl.trainer.main worker.actor.model.model_path=m data.train_files=t.parquet data.val_files=v.parquet \\\n"
        "    worker.actor.micro_batch_size_per_device_for_update=4 worker.actor.micro_batch_size_per_device_for_experience=4 \\\n"
        "    worker.reward.reward_function=score.py:score worker.reward.reward_type=batch \\\n"
        "    trainer.n_gpus_per_node=8 trainer.nnodes=1 data.rollout_batch_size=64 \\\n"
        "    worker.actor.global_batch_size=32 \\\n    worker.rollout.n=8\n",
    ),
    "verl-agent": (
        "verl-agent.sh",
        "2025.9.25",
        f"python3 -m verl.trainer.main_ppo algorithm.adv_estimator=gigpo \\\n{VERL}    data.train_batch_size=16 data.val_batch_size=128 \\\n"
        "    actor_rollout_ref.rollout.tensor_model_parallel_size=1 actor_rollout_ref.actor.ppo_mini_batch_size=64 \\\n"
        "    env.env_name=alfworld/AlfredTWEnv \\\n    env.rollout.n=8\n",
    ),
    "nemo-rl": (
        "nemo-rl.yaml",
        "0.6.0",
        "defaults: grpo_math_1B.yaml\npolicy:\n  model_name: Qwen/Qwen2.5-7B-Instruct\n  train_global_batch_size: 256\n"
        "  train_micro_batch_size: 4\ncluster:\n  gpus_per_node: 8\n  num_nodes: 1\ngrpo:\n  num_prompts_per_step: 64\n"
        "  num_generations_per_prompt: 8\n",
    ),
    "slime": (
        "slime.sh",
        "0.2.4",
        "python3 train.py --hf-checkpoint Qwen/Qwen3-4B --ref-load dist --prompt-data d.jsonl --rm-type deepscaler \\\n"
        "    --actor-num-nodes 1 --actor-num-gpus-per-node 8 --colocate --num-rollout 3000 --rollout-batch-size 64 \\\n"
        "    --global-batch-size 256 --micro-batch-size 4 \\\n    --n-samples-per-prompt 8\n",
    ),
    "openrlhf": (
        "openrlhf.sh",
        "0.9.10",
        "python3 -m openrlhf.cli.train_ppo_ray --pretrain Qwen/Qwen2.5-7B-Instruct --colocate_all_models --vllm_num_engines 8 \\\n"
        "    --actor_num_nodes 1 --actor_num_gpus_per_node 8 --ref_num_nodes 1 --ref_num_gpus_per_node 8 --prompt_data d.jsonl \\\n"
        "    --remote_rm_url reward.py --advantage_estimator group_norm --rollout_batch_size 64 \\\n"
        "    --train_batch_size 256 --micro_train_batch_size 4 \\\n    --n_samples_per_prompt 8\n",
    ),
}  # fmt: skip
# {framework: the setting of the size of a group, as the file writes its last word}
GROUP = {
    "trl": "num_generations", "swift": "num_generations", "megatron": "num_generations", "verl": "actor_rollout_ref.rollout.n",
    "easyr1": "worker.rollout.n", "verl-agent": "env.rollout.n", "nemo-rl": "grpo.num_generations_per_prompt",
    "slime": "n_samples_per_prompt", "openrlhf": "n_samples_per_prompt",
}  # fmt: skip
# {framework: a line that is typed at the end of the file, and what may be offered there}
TYPED = {
    **dict.fromkeys(("trl", "swift"), ("num_it|", "num_iterations")), "megatron": ("impor|", "importance_sampling_level"),
    "verl": ("actor_rollout_ref.actor.clip_r|", "actor_rollout_ref.actor.clip_ratio_high"),
    "easyr1": ("worker.actor.clip_r|", "worker.actor.clip_ratio_high"), "verl-agent": ("env.max_|", "env.max_steps"),
    "nemo-rl": ("  val_pe|", "val_period"), "slime": ("--eps-clip-h|", "eps-clip-high"),
    "openrlhf": ("--eps_clip_l|", "eps_clip_low_high"),
}  # fmt: skip
READ_NO_FILES = ("slime", "openrlhf")
WITHOUT_PLANS = ("verl-agent",)
# What a result lacks until it names the data, or the rewards, of the framework: there is nothing in the other one that says them.
LACK = {
    "trl": {"GRPO671", "GRPO672"}, "swift": {"GRPO550", "GRPO621"}, "megatron": {"GRPO550", "GRPO621"}, "easyr1": {"GRPO750"},
}  # fmt: skip


def text_of(name, version=None):
    file, early, text = RUNS[name]
    world = " world-size=8" if file.endswith(".yaml") and name != "nemo-rl" else ""
    return f"# grpo-lint: dialect={name} version={version or early}{world}\n{text}"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run a command in a folder with the file of a framework: (exit status, standard output, standard error)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "400")
    for name, (file, *_) in RUNS.items():
        (tmp_path / file).write_text(text_of(name))

    def command(*words):
        status = main(list(words))
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return command


def test_each_framework_has_a_run():
    assert set(RUNS) == set(GROUP) == set(TYPED) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
class TestCommands:
    def test_check(self, name, run):
        assert run("check", RUNS[name][0]) == (0, "no problems in 1 file checked\n", "")

    def test_explain(self, name, run):
        status, told, _ = run("explain", RUNS[name][0])
        assert (
            status == 0 and framework(name).title in told and GROUP[name].rpartition(".")[2] in told.replace("-", "_")
        )
        if name in WITHOUT_PLANS:
            assert "One rollout makes 128 completions on 8 processes." in told and "One update" not in told
        else:
            assert "One update learns from 256 completions: 32 prompts x 8. One rollout makes 512 completions" in told

    def test_plan(self, name, run):
        status, told, _ = run("plan", "--dialect", name, "--gpus", "8")
        assert status == int(name in WITHOUT_PLANS)
        assert (GROUP[name] in told.replace("-", "_")) != (name in WITHOUT_PLANS)
        assert ("its episodes decide" in told) == (name in WITHOUT_PLANS)

    def test_plan_from(self, name, run):
        status, told, _ = run("plan", "--from", RUNS[name][0], "--gpus", "16")
        assert status == int(name in WITHOUT_PLANS)
        kept = re.search(r"completions_per_update +256\n", told) and re.search(r"group_size +8\n", told)
        assert bool(kept) != (name in WITHOUT_PLANS) and ("its episodes decide" in told) == (name in WITHOUT_PLANS)

    def test_convert(self, name, run):
        target = "verl" if name != "verl" else "nemo-rl"
        status, text, told = run("convert", RUNS[name][0], "--to", target)
        if name not in FRAMEWORKS:
            assert (status, text) == (1, "") and f"what the settings of {name} are elsewhere is not known" in told
            return
        assert status == 0 and GROUP[target] in text and framework(target).title in told
        assert f"{GROUP[target]}=8" in text and "256" in told

    def test_upgrade(self, name, run):
        newest = resolve_version("latest", framework(name).catalogue.releases)
        status, told, _ = run("upgrade", RUNS[name][0], "--to", f"{name}@latest")
        assert status == 1 and told.startswith(
            f"{RUNS[name][0]}: {framework(name).title} {RUNS[name][1]} -> {newest}\n"
        )
        renamed = "rename    n_samples_per_prompt to rollout.n_samples_per_prompt"
        assert (renamed if name == "openrlhf" else f"version={newest}") in told

    def test_sweep(self, name, run, tmp_path):
        (tmp_path / "grid.yaml").write_text(f"parameters:\n  {GROUP[name]}:\n    values: [8, 16]\n")
        status, told, _ = run("sweep", "grid.yaml", "--config", RUNS[name][0])
        assert status == 0 and "2 runs, 2 of them hold" in told and GROUP[name] in told

    def test_schema(self, name, run):
        status, text, told = run("schema", name)
        if name in READ_NO_FILES:
            assert (status, text) == (2, "") and "reads no files of settings: it is given flags" in told
        else:
            assert status == 0 and GROUP[name].rpartition(".")[2] in text and json.loads(text)["type"] == "object"

    def test_hover(self, name):
        text, setting = text_of(name), GROUP[name]
        word = setting if RUNS[name][0].endswith(".sh") else setting.rpartition(".")[2]
        word = word.replace("_", "-") if name == "slime" else word
        told = hover(lint(Text(text, RUNS[name][0])), text.rindex(word) + 1, "utf-16")["contents"]["value"]
        assert told.startswith((f"**{setting}** · whole number", f"**--{word}** · whole number"))

    def test_completion(self, name):
        typed, offered = TYPED[name]
        text = text_of(name).rstrip()
        text += f" \\\n    {typed}\n" if RUNS[name][0].endswith(".sh") else f"\n{typed}\n"
        at = text.index("|")
        text = text[:at] + text[at + 1 :]
        items = completion(Text(text, RUNS[name][0]), at, None, Context(), "utf-16")
        assert offered in {item["label"].rstrip(" =:") for item in items}, [item["label"] for item in items][:20]


@pytest.mark.slow
@pytest.mark.parametrize("target", FRAMEWORKS)
@pytest.mark.parametrize("name", FRAMEWORKS)
def test_each_is_converted_to_each(name, target, run):
    """The batch stays; what refuses the result are data and rewards that the other framework does not say, and nothing else."""
    status, text, told = run("convert", RUNS[name][0], "--to", target)
    refused = set(re.findall(r"error (GRPO\d+)", told))
    assert refused <= LACK.get(target, set()) and status == int(bool(refused)), told
    assert "256" in told and text


def test_the_help_names_all_that_are_converted(run):
    assert set(ROOTS) == set(FRAMEWORKS)
    assert f"--to {'|'.join(ROOTS)}[@VERSION]" in run("convert", "--help")[1]
