"""The first fix of typical findings is the one that an expert would choose. The table was written before the ranking."""

import pytest
import yaml

from conftest import lint_config, lint_text, said, suggestions
from grpo_lint.fixes.ranking import CRITERIA
from grpo_lint.fixes.search import Search

GROUPS, STEPS, UPDATES = "rollout-holds-whole-groups", "rollout-holds-whole-steps", "update-gives-ranks-whole-prompts"
BATCH, ACCUMULATION, GROUP = "per_device_train_batch_size", "gradient_accumulation_steps", "num_generations"
EVALUATION = {"eval_strategy": "steps"}
NO_EVALUATION = {"rlhf_type": "grpo", "eval_strategy": "no"}
COLOCATED = {"use_vllm": True, "vllm_mode": "colocate"}
MEGATRON = {"rlhf_type": "grpo", "vllm_mode": "colocate"}


def sizes(batch, accumulation, group, **more):
    return {BATCH: batch, ACCUMULATION: accumulation, GROUP: group, **more}


def megatron(micro, update, steps, group=4, **more):
    return {**MEGATRON, "micro_batch_size": micro, "global_batch_size": update, "steps_per_generation": steps, GROUP: group, **more}  # fmt: skip


# (framework, release, processes, settings, the rule that speaks, the first fix)
TABLE = [
    # groups stay, and passes make the rollout whole
    ("trl", "1.16.0", 1, sizes(8, 1, 16), GROUPS, {ACCUMULATION: 2}),
    # four or eight times the passes would be an expert's, and an update is never made more than twice as large while something else helps:
    # the rollout alone becomes larger, or, where it has no size of its own, the groups smaller
    ("trl", "1.16.0", 1, sizes(4, 1, 16), GROUPS, {"steps_per_generation": 4}),
    ("trl", "1.16.0", 7, {BATCH: 1, GROUP: 8}, GROUPS, {"steps_per_generation": 8}),
    ("trl", "0.17", 1, sizes(4, 1, 16), GROUPS, {GROUP: 4}),
    ("trl", "1.16.0", 3, sizes(1, 2, 4), GROUPS, {ACCUMULATION: 4}),
    ("trl", "1.16.0", 2, sizes(2, 1, 8), GROUPS, {ACCUMULATION: 2}),
    ("swift", "3.8", 4, {**sizes(1, 1, 8), **NO_EVALUATION}, GROUPS, {ACCUMULATION: 2}),
    ("swift", "4.6", 6, {**sizes(1, 4, 16), **NO_EVALUATION}, GROUPS, {ACCUMULATION: 8}),
    # before accumulation counted for a rollout: the device batch, if it is no more than doubled
    ("trl", "0.15.2", 2, sizes(2, 4, 8), GROUPS, {BATCH: 4}),
    ("trl", "0.15.2", 7, {BATCH: 1, GROUP: 8}, GROUPS, {GROUP: 7}),
    # a group size that nobody chooses becomes one that people train with
    ("trl", "1.16.0", 8, sizes(4, 2, 7), GROUPS, {GROUP: 8}),
    ("trl", "1.16.0", 1, sizes(2, 4, 7), GROUPS, {GROUP: 8}),
    ("trl", "1.16.0", 1, sizes(4, 1, 3), GROUPS, {GROUP: 4}),
    ("trl", "1.16.0", 4, sizes(4, 2, 6), GROUPS, {GROUP: 8}),
    ("swift", "4.6", 8, {**sizes(1, 4, 9), **NO_EVALUATION}, GROUPS, {GROUP: 8}),
    ("trl", "1.16.0", 1, sizes(8, 1, 1), "group-has-two-completions", {GROUP: 8}),
    # the key of the finding, and a number that people write
    ("trl", "1.16.0", 2, sizes(4, 2, 4, generation_batch_size=36), STEPS, {"generation_batch_size": 32}),
    ("trl", "1.16.0", 8, sizes(4, 1, 8, generation_batch_size=100), STEPS, {"generation_batch_size": 96}),
    ("trl", "1.16.0", 8, sizes(4, 1, 8, generation_batch_size=100), GROUPS, {"generation_batch_size": 96}),
    ("trl", "1.16.0", 2, sizes(4, 4, 4, generation_batch_size=32, steps_per_generation=4), "rollout-size-set-once",
     {"generation_batch_size": None}),
    ("trl", "1.16.0", 1, sizes(8, 1, 8, per_device_eval_batch_size=3, **EVALUATION), "evaluation-holds-whole-groups",
     {"per_device_eval_batch_size": 8}),
    ("trl", "1.16.0", 1, sizes(16, 1, 16, per_device_eval_batch_size=8, **EVALUATION), "evaluation-holds-whole-groups",
     {"per_device_eval_batch_size": 16}),
    ("swift", "4.6", 1, {**sizes(8, 1, 8, per_device_eval_batch_size=1), **NO_EVALUATION, **EVALUATION, "val_dataset": "held-out.jsonl"}, "evaluation-holds-whole-groups",
     {"per_device_eval_batch_size": 8}),
    ("trl", "1.16.0", 6, sizes(8, 1, 8, vllm_tensor_parallel_size=4, **COLOCATED), "vllm-tensor-parallel-divides-world",
     {"vllm_tensor_parallel_size": 2}),
    # what a first file of a new user gets wrong
    ("swift", "4.0", 8, {**sizes(4, 2, 24), **NO_EVALUATION}, GROUPS, {GROUP: 32}),
    ("trl", "1.16.0", 8, sizes(4, 4, 8, generation_batch_size=100), STEPS, {"generation_batch_size": None}),
    ("trl", "1.16.0", 8, sizes(4, 4, 8, steps_per_generation=6), "updates-keep-to-one-rollout", {"steps_per_generation": 8}),
    ("trl", "1.16.0", 8, sizes(4, 4, 8, per_device_eval_batch_size=3, num_generations_eval=5, **EVALUATION),
     "evaluation-holds-whole-groups", {"per_device_eval_batch_size": 5}),
    ("megatron", "4.0", 8, megatron(2, 120, 1, group=8, tensor_model_parallel_size=4), "rollout-prompts-divide-over-ranks",
     {"global_batch_size": 128}),
    ("megatron", "4.6", 16, megatron(1, 16, 2, tensor_model_parallel_size=2), UPDATES, {"global_batch_size": 32}),
    ("megatron", "4.6", 16, megatron(2, 32, 2, tensor_model_parallel_size=2), UPDATES, {"global_batch_size": 64}),
    ("megatron", "4.1", 8, megatron(1, 16, 1), "rollout-prompts-divide-over-ranks", {"global_batch_size": 32}),
    ("megatron", "4.6", 8, megatron(1, 12, 8), "update-holds-whole-micro-batches", {"global_batch_size": 16}),
    ("megatron", "4.6", 12, megatron(1, 48, 1, tensor_model_parallel_size=8), "model-parallel-divides-world",
     {"tensor_model_parallel_size": 4}),
]  # fmt: skip

ACTOR, ROLLOUT = "actor_rollout_ref.actor.", "actor_rollout_ref.rollout."
EASYR1 = "worker.actor."


def verl(prompts, update, micro, group, **more):
    return {"data.train_batch_size": prompts, f"{ACTOR}ppo_mini_batch_size": update, f"{ACTOR}ppo_micro_batch_size_per_gpu": micro,
            f"{ROLLOUT}n": group, f"{ROLLOUT}log_prob_micro_batch_size_per_gpu": 8, "algorithm.adv_estimator": "grpo",
            "actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu": 8, **more}  # fmt: skip


def easyr1(prompts, update, micro, group):
    return {"data": {"rollout_batch_size": prompts},
            "worker": {"actor": {"global_batch_size": update, "micro_batch_size_per_device_for_update": micro}, "rollout": {"n": group}},
            "trainer": {"nnodes": 1, "n_gpus_per_node": 8}}  # fmt: skip


EIGHT = {f"{ROLLOUT}name": "vllm", "trainer.n_gpus_per_node": 8}


def nemo(prompts, gpus, update=512):
    return {"grpo": {"num_prompts_per_step": prompts, "num_generations_per_prompt": 16},
            "policy": {"train_global_batch_size": update, "dtensor_cfg": {"enabled": True, "tensor_parallel_size": 1}}, "cluster": {"gpus_per_node": gpus, "num_nodes": 1}}  # fmt: skip


# the same for frameworks whose settings are in sections
SECTIONS = [
    ("verl", "0.5.0", verl(100, 32, 4, 5), {"data.train_batch_size": 128}),
    # no update is left with a part of a rollout
    ("verl", "0.7.0", verl(100, 100, 4, 5, **EIGHT),
     {"data.train_batch_size": 128, f"{ACTOR}ppo_mini_batch_size": 128}),
    ("verl", "0.7.0", verl(64, 20, 4, 6, **EIGHT), {f"{ACTOR}ppo_mini_batch_size": 16}),
    ("verl", "0.7.0", verl(64, 32, 4, 8, **EIGHT, **{f"{ROLLOUT}tensor_model_parallel_size": 3}), {f"{ROLLOUT}tensor_model_parallel_size": 4}),
    ("verl", "0.7.0", verl(64, 32, 4, 8, **EIGHT, **{f"{ACTOR}ulysses_sequence_parallel_size": 3}), {f"{ACTOR}ulysses_sequence_parallel_size": 4}),
    ("nemo-rl", "0.6.0", nemo(32, 8, 516), {"policy.train_global_batch_size": 512}),
    ("nemo-rl", "0.6.0", nemo(33, 8, 256), {"grpo.num_prompts_per_step": 32}),
    # where no power of two helps, three of one is what people write
    ("nemo-rl", "0.7.0", nemo(64, 6), {"grpo.num_prompts_per_step": 48, "policy.train_global_batch_size": 384}),
    ("nemo-rl", "0.7.0", nemo(32, 6), {"grpo.num_prompts_per_step": 24, "policy.train_global_batch_size": 384}),
    ("verl", "0.5.0", verl(64, 256, 4, 8), {f"{ACTOR}ppo_mini_batch_size": 64}),
    ("verl", "0.5.0", verl(128, 64, 6, 8), {f"{ACTOR}ppo_micro_batch_size_per_gpu": 4}),
    # an update of so many prompts holds as many times more completions: again no more than twice as many while that helps; 8 is second
    ("verl", "0.5.0", verl(128, 64, 4, 1), {f"{ROLLOUT}n": 2}),
    ("verl", "0.5.0", verl(128, 64, 4, 8, **{f"{ACTOR}ppo_micro_batch_size": 32}), {f"{ACTOR}ppo_micro_batch_size": None}),
    ("easyr1", "0.3.2", easyr1(512, 120, 5, 5), {f"{EASYR1}global_batch_size": 128}),
    ("easyr1", "0.3.2", easyr1(512, 128, 6, 5), {f"{EASYR1}micro_batch_size_per_device_for_update": 4}),
    ("easyr1", "0.3.2", easyr1(512, 128, 4, 1), {"worker.rollout.n": 2}),
]  # fmt: skip


# commands of OpenRLHF by the flags in which they differ from one that runs
RUN = {"actor_num_gpus_per_node": 8, "ref_num_gpus_per_node": 8, "vllm_num_engines": 4, "vllm_tensor_parallel_size": 2, "micro_train_batch_size": 4,
       "train_batch_size": 128, "micro_rollout_batch_size": 8, "rollout_batch_size": 128, "n_samples_per_prompt": 8,
       "advantage_estimator": "group_norm", "pretrain": "m", "remote_rm_url": "r.py", "colocate_all_models": "", "prompt_data": "d"}  # fmt: skip
DOTTED = {"actor.num_gpus_per_node": 8, "ref.num_gpus_per_node": 8, "vllm.num_engines": 4, "vllm.tensor_parallel_size": 2, "train.micro_batch_size": 4,
          "train.batch_size": 128, "rollout.micro_batch_size": 8, "rollout.batch_size": 128, "rollout.n_samples_per_prompt": 8,
          "algo.advantage.estimator": "group_norm", "actor.model_name_or_path": "m", "reward.remote_url": "r.py", "train.colocate_all": ""}  # fmt: skip
SLIME = {"hf-checkpoint": "m", "ref-load": "r", "actor-num-gpus-per-node": 8, "rollout-batch-size": 32, "n-samples-per-prompt": 8, "num-rollout": 9,
         "global-batch-size": 256}  # fmt: skip
# (release, the flags that are other ones, None for none; the first fix)
COMMANDS = [
    # as many engines as fill the GPUs: without engines the model itself would generate
    ("openrlhf", "0.9.10", {"vllm_num_engines": 3}, {"vllm_num_engines": 4}),
    ("openrlhf", "0.11.2", {"vllm.num_engines": 3}, {"vllm.num_engines": 4}),
    # no more memory than was asked for
    ("openrlhf", "0.9.10", {"micro_train_batch_size": 3}, {"micro_train_batch_size": 2}),
    ("openrlhf", "0.11.2", {"train.micro_batch_size": 3}, {"train.micro_batch_size": 2}),
    ("openrlhf", "0.11.2", {"train.batch_size": 100}, {"train.batch_size": 128}),
    ("openrlhf", "0.9.10", {"n_samples_per_prompt": 1}, {"n_samples_per_prompt": 8}),
    ("openrlhf", "0.11.2", {"rollout.n_samples_per_prompt": 1}, {"rollout.n_samples_per_prompt": 8}),
    ("openrlhf", "0.9.10", {"micro_rollout_batch_size": 256}, {"micro_rollout_batch_size": 128}),
    ("openrlhf", "0.9.10", {"ref_num_gpus_per_node": 4}, {"ref_num_gpus_per_node": 8}),
    ("openrlhf", "0.9.10", {"advantage_estimator": "grpo"}, {"advantage_estimator": "group_norm"}),
    ("openrlhf", "0.11.2", {"rollout.vllm_generate_batch_size": 256}, {"rollout.vllm_generate_batch_size": None}),
    ("openrlhf", "0.9.10", {"generate_max_len": 1024}, {"max_new_tokens": "1024"}),
    ("openrlhf", "0.11.2", {"generate_max_len": 1024}, {"rollout.max_new_tokens": "1024"}),
    ("openrlhf", "0.9.10", {"bf16": ""}, {"bf16": None}),
    ("openrlhf", "0.11.2", {"ds.tensor_parallel_size": 3, "ds.ring_attn_size": None}, {"ds.tensor_parallel_size": 4}),
    # a model of so many parts becomes one of the next power of two, which needs no more memory
    ("slime", "0.3.1", {"tensor-model-parallel-size": 3}, {"tensor_model_parallel_size": 4}),
    ("slime", "0.3.1", {"tensor-model-parallel-size": 6}, {"tensor_model_parallel_size": 8}),
    # one update a rollout, as slime's own scripts train
    ("slime", "0.3.1", {"global-batch-size": None}, {"global_batch_size": 256}),
    ("slime", "0.3.1", {"num-steps-per-rollout": 3}, {"num_steps_per_rollout": None}),
    ("slime", "0.3.1", {"num-rollout": None}, {"num_epoch": 1}),
    ("slime", "0.3.1", {"global-batch-size": 250}, {"global_batch_size": 256}),
    ("slime", "0.3.1", {"rollout-batch-size": 16}, {"rollout_batch_size": 32}),
    ("slime", "0.3.1", {"advantage-estimator": "group_norm"}, {"advantage_estimator": "grpo"}),
    ("slime", "0.3.1", {"advantage-estimator": "reinforce_plus_plus"}, {"normalize_advantages": True}),
]  # fmt: skip


MICRO, UPDATE = "micro_batch_size", "global_batch_size"
PROMPTS, MINI = "data.train_batch_size", f"{ACTOR}ppo_mini_batch_size"
EASYR1_MICRO = f"{EASYR1}micro_batch_size_per_device_for_update"


def on_gpus(prompts, update, micro, group, gpus=8, **more):
    return verl(prompts, update, micro, group, **{f"{ROLLOUT}name": "vllm", "trainer.n_gpus_per_node": gpus, **more})


def with_policy(**policy):
    return {**nemo(32, 8), "policy": {**nemo(32, 8)["policy"], **policy}}


# Launches as people write them: (framework, release, processes or None where the launch tells them, settings, the first fixes of which an expert
# would choose one). Written before anybody looked at what is offered; *every* error and warning of a launch begins with one of them, so that one edit
# cures what one slip broke.
LAUNCHES = [
    ("trl", "1.16.0", 8, sizes(2, 1, 32), [{ACCUMULATION: 2}]),
    ("trl", "1.16.0", 7, sizes(2, 2, 8), [{ACCUMULATION: 4}]),
    ("trl", "1.16.0", 6, sizes(4, 1, 16), [{ACCUMULATION: 2}]),
    ("trl", "1.16.0", 8, sizes(8, 1, 12), [{GROUP: 16}, {GROUP: 8}]),
    ("trl", "1.16.0", 2, sizes(8, 1, 8, per_device_eval_batch_size=1, **EVALUATION), [{"per_device_eval_batch_size": 4}, {"per_device_eval_batch_size": 8}]),
    ("trl", "1.16.0", 8, sizes(4, 4, 8, generation_batch_size=96), [{"generation_batch_size": 128}, {"generation_batch_size": None}]),
    ("trl", "1.16.0", 8, sizes(8, 1, 8, vllm_tensor_parallel_size=3, **COLOCATED), [{"vllm_tensor_parallel_size": 4}]),
    ("trl", "0.19", 1, sizes(3, 4, 8), [{BATCH: 4}, {BATCH: 2}, {ACCUMULATION: 8}]),
    ("swift", "4.6", 8, {**sizes(1, 1, 16), **NO_EVALUATION}, [{ACCUMULATION: 2}]),
    ("swift", "3.12", 4, {**sizes(2, 2, 6), **NO_EVALUATION}, [{GROUP: 8}]),
    ("swift", "4.6", 8, {**sizes(4, 2, 8, generation_batch_size=100), **NO_EVALUATION}, [{"generation_batch_size": 96}, {"generation_batch_size": 128}, {"generation_batch_size": None}]),
    ("swift", "4.3", 6, {**sizes(8, 1, 8, vllm_tensor_parallel_size=4, **COLOCATED), **NO_EVALUATION}, [{"vllm_tensor_parallel_size": 2}]),
    ("megatron", "4.6", 8, megatron(3, 64, 1), [{MICRO: 2}, {MICRO: 4}]),
    ("megatron", "4.6", 8, megatron(1, 20, 1, group=8, tensor_model_parallel_size=2), [{UPDATE: 32}, {UPDATE: 16}]),
    ("megatron", "4.6", 8, megatron(1, 64, 1, pipeline_model_parallel_size=3), [{"pipeline_model_parallel_size": 4}, {"pipeline_model_parallel_size": 2}]),
    ("verl", "0.7.0", None, on_gpus(512, 200, 16, 5), [{MINI: 256}]),
    ("verl", "0.9.1", None, on_gpus(512, 200, 16, 5), [{MINI: 256}]),
    ("verl", "0.6.0", None, on_gpus(256, 64, 16, 5), [{ACTOR + "ppo_micro_batch_size_per_gpu": 8}]),
    ("verl", "0.5.0", None, on_gpus(1024, 300, 4, 8), [{MINI: 256}]),
    ("verl", "0.7.0", None, on_gpus(128, 512, 4, 8), [{MINI: 128}]),
    ("verl", "0.7.0", None, on_gpus(256, 64, 4, 8, 6), [{PROMPTS: 192, MINI: 48}, {PROMPTS: 192, MINI: 96}]),
    ("verl", "0.7.0", None, on_gpus(192, 48, 4, 8, 6, **{ROLLOUT + "tensor_model_parallel_size": 4}), [{ROLLOUT + "tensor_model_parallel_size": 2}]),
    ("easyr1", "0.3.2", None, easyr1(500, 128, 4, 5), [{"data.rollout_batch_size": 512}]),
    ("easyr1", "0.3.2", None, easyr1(512, 128, 12, 5), [{EASYR1_MICRO: 8}, {EASYR1_MICRO: 10}]),
    ("easyr1", "0.3.2", None, easyr1(256, 512, 4, 5), [{EASYR1+"global_batch_size": 256}]),
    ("easyr1", "0.3.2", None, easyr1(512, 200, 16, 5), [{EASYR1+"global_batch_size": 256}]),
    ("nemo-rl", "0.7.0", None, nemo(32, 8, 500), [{"policy.train_global_batch_size": 512}]),
    ("nemo-rl", "0.7.0", None, with_policy(dtensor_cfg={"enabled": True, "tensor_parallel_size": 3}), [{"policy.dtensor_cfg.tensor_parallel_size": 4}, {"policy.dtensor_cfg.tensor_parallel_size": 2}]),
    ("nemo-rl", "0.7.0", None, with_policy(train_micro_batch_size=3), [{"policy.train_micro_batch_size": 2}, {"policy.train_micro_batch_size": 4}]),
    ("openrlhf", "0.9.10", None, {"train_batch_size": 120}, [{"train_batch_size": 128}]),
    ("openrlhf", "0.9.10", None, {"rollout_batch_size": 100}, [{"rollout_batch_size": 128}]),
    ("openrlhf", "0.9.10", None, {"micro_train_batch_size": 6}, [{"micro_train_batch_size": 4}]),
    ("slime", "0.3.1", None, {"global-batch-size": 200}, [{"global_batch_size": 256}]),
    ("slime", "0.3.1", None, {"rollout-batch-size": 30}, [{"rollout_batch_size": 32}]),
    ("slime", "0.3.1", None, {"n-samples-per-prompt": 6}, [{"global_batch_size": 192}, {"n_samples_per_prompt": 8}]),
    ("slime", "0.3.1", None, {"pipeline-model-parallel-size": 3}, [{"pipeline_model_parallel_size": 4}, {"pipeline_model_parallel_size": 2}]),
]  # fmt: skip


def linted(dialect, version, processes, settings):
    """The report of a launch, in the form that people give it."""
    if dialect in ("openrlhf", "slime"):
        return lint_text(command_of(dialect, version, settings), path="run.sh", fixes=True)
    if processes is not None:
        return lint_config(settings, fixes=True, dialect=dialect, version=version, world_size=processes)
    about = f"# grpo-lint: dialect={dialect} version={version}\n"
    if dialect != "verl":
        return lint_text(about + yaml.safe_dump(settings), path="run.yaml", fixes=True)
    words = " ".join(f"{key}={value}" for key, value in settings.items())
    return lint_text(f"{about}python3 -m verl.trainer.main_ppo {words}\n", path="run.sh", fixes=True)


def command_of(dialect, version, other):
    """A command that runs but for the flags that are other ones."""
    program, usual = (
        ("train.py", SLIME)
        if dialect == "slime"
        else ("-m openrlhf.cli.train_ppo_ray", DOTTED if version.startswith("0.11") else RUN)
    )
    flags = {name: value for name, value in {**usual, **other}.items() if value is not None}
    words = " ".join(f"--{name} {value}" for name, value in flags.items())
    return f"# grpo-lint: version={version}\npython3 {program} {words}\n"


def serious(report):
    return [finding for finding in report.findings if finding.severity in ("error", "warning")]


def told(case):
    return " ".join(f"{key.rpartition('.')[2]}={value}" for key, value in case[-1].items())


@pytest.mark.parametrize("case", TABLE, ids=lambda case: f"{case[0]} {case[1]} {told(case)}")
def test_the_first_fix_is_an_experts(case):
    dialect, version, processes, settings, rule, first = case
    report = lint_config(settings, fixes=True, dialect=dialect, version=version, world_size=processes)
    assert suggestions(said(report, rule))[0] == first


@pytest.mark.parametrize("case", SECTIONS, ids=lambda case: f"{case[0]} {told(case)}")
def test_the_first_fix_of_settings_in_sections_is_an_experts(case):
    dialect, version, settings, first = case
    assert [first] in [suggestions(finding)[:1] for finding in serious(linted(dialect, version, None, settings))]


@pytest.mark.parametrize("case", COMMANDS, ids=lambda case: f"{case[0]} {case[1]} {told(case)}")
def test_the_first_fix_of_a_command_is_an_experts(case):
    dialect, version, other, first = case
    assert [suggestions(finding)[:1] for finding in serious(linted(dialect, version, None, other))] == [[first]]


@pytest.mark.parametrize("case", LAUNCHES, ids=lambda case: f"{case[0]} {case[1]} {told((*case[:-1], case[-1][0]))}")
def test_every_first_fix_of_a_launch_is_an_experts(case):
    *launch, good = case
    found = [suggestions(finding)[:1] for finding in serious(linted(*launch))]
    assert found and all(first and first[0] in good for first in found), found


@pytest.mark.parametrize(("size", "fixes"), [(256, ["rename global_batch_size to global-batch-size"]), (250, [])])
def test_a_misspelt_size_is_no_missing_one(size, fixes):
    """What is told of the size that is not there speaks of the one that is."""
    words = " ".join(f"--{name} {value}" for name, value in SLIME.items() if name != "global-batch-size")
    text = f"# grpo-lint: version=0.3.1\npython3 train.py {words} --global_batch_size {size}\n"
    found = said(lint_text(text, path="run.sh", fixes=True), "update-has-a-size")
    assert "is not read" in str(found.note) and [str(fix.title) for fix in found.fixes] == fixes


def test_a_limit_of_prompts_becomes_no_limit_of_prompts_and_completions():
    """Since 0.9.8 one limit counts both: only the user knows the sum."""
    words = " ".join(f"--{name} {value}" for name, value in {**RUN, "prompt_max_len": 1024}.items())
    report = lint_text(
        f"# grpo-lint: version=0.9.10\npython3 -m openrlhf.cli.train_ppo_ray {words}\n", path="run.sh", fixes=True
    )
    (finding,) = [each for each in report.findings if each.severity == "error"]
    assert not finding.fixes and "max_len" in str(finding.values["hint"])


def test_what_is_best_is_one_table_of_criteria():
    """Each has a name that docs/fixes.md and the tests of the ranking use."""
    launch = lint_config(sizes(4, 1, 16), dialect="trl", version="1.16.0", world_size=1).launches[0]
    search = Search(launch)
    assert len(search._ranking.order({ACCUMULATION: 4}, set(), search.before)) == len(CRITERIA) == len({*CRITERIA})
