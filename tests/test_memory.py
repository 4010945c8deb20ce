"""The least memory of a GPU at an update: what each framework holds, by hand, and what `plan` makes of it."""

import pytest

from grpo_lint.checker.contexts import Around
from grpo_lint.engine import lint
from grpo_lint.launch.facts import Fact
from grpo_lint.planning.batches import Wish, proposals
from grpo_lint.planning.room import megabytes, whole_model
from grpo_lint.report.explain.text import explanation
from grpo_lint.report.planning import told
from grpo_lint.source.text import Text

PARAMETERS = 8_000_000_000
_MEGATRON = "NPROC_PER_NODE=16 megatron rlhf --rlhf_type grpo --model m --dataset d --num_train_epochs 1 --use_vllm true --reward_funcs accuracy "
_VERL = "python3 -m verl.trainer.main_ppo --config-name=ppo_megatron_trainer actor_rollout_ref.rollout.name=vllm actor_rollout_ref.model.path=m "
_VERL += "trainer.n_gpus_per_node=16 trainer.nnodes=1 "
_SIZES = "--tensor_model_parallel_size 2 --pipeline_model_parallel_size 2 --sequence_parallel true "
_OPENRLHF = "python3 -m openrlhf.cli.train_ppo_ray --actor_num_nodes 1 --actor_num_gpus_per_node 16 --pretrain m --remote_rm_url r.py --bf16 "
_SLIME = "python3 train.py --actor-num-nodes 2 --actor-num-gpus-per-node 8 --colocate --hf-checkpoint /m --num-rollout 9 --rollout-batch-size 32 "
_SLIME += "--n-samples-per-prompt 8 --tensor-model-parallel-size 2 --pipeline-model-parallel-size 2 "


def plan_of(text, version):
    facts = {"parameters": Fact(PARAMETERS, "test"), "version": Fact(version, "test")}
    launch = lint(Text(text + "\n", "run.sh"), Around(facts).of("run.sh"), fixes=False).launches[0]
    return launch.plan(launch.candidates[0])


# (run, release, bytes of a parameter on the fullest GPU as weight, gradient and states: 16 processes)
HELD = [
    (_MEGATRON + _SIZES, "4.6.0", (2 / 4, 4 / 4, 12 / 16)),
    (_MEGATRON + _SIZES + "--use_distributed_optimizer false ", "4.6.0", (2 / 4, 4 / 4, 12 / 4)),
    (_MEGATRON + _SIZES + "--expert_model_parallel_size 4 ", "4.6.0", (2 / 8, 4 / 8, 12 / 16)),
    (_MEGATRON + "--expert_model_parallel_size 8 ", "3.11.3", (2 / 8, 4 / 8, 12 / 16)),
    (_VERL + "actor_rollout_ref.actor.megatron.tensor_model_parallel_size=4", "0.9.1", (2 / 4, 4 / 4, 12 / 16)),
    (
        _VERL
        + "actor_rollout_ref.actor.megatron.tensor_model_parallel_size=2 actor_rollout_ref.actor.megatron.expert_model_parallel_size=4",
        "0.9.1",
        (2 / 8, 4 / 8, 12 / 16),  # experts are tensor parallel too, unless something else is said
    ),
    (_OPENRLHF + "--zero_stage 3", "0.9.0", (2 / 16, 2 / 16, 12 / 16)),
    (_OPENRLHF + "--zero_stage 2", "0.9.0", (2, 2 / 16, 12 / 16)),
    (_SLIME + "--accumulate-allreduce-grads-in-fp32", "0.3.1", (2 / 4, 4 / 4, 12 / 16)),
    (_SLIME, "0.3.1", (2 / 4, 2 / 4, 12 / 16)),
]


@pytest.mark.parametrize(("text", "version", "held"), HELD)
def test_what_a_gpu_holds(text, version, held):
    plan, million = plan_of(text, version), PARAMETERS // 1_000_000
    parts = [plan.value(f"{name}_memory") for name in ("weight", "gradient", "optimizer")]
    assert parts == [int(million * each) for each in held]
    assert plan.value("training_memory") == sum(parts)


@pytest.mark.parametrize(
    ("text", "version", "bytes_held"),
    [
        (_MEGATRON + _SIZES + "--tuner_type lora ", "4.6.0", 2 / 4),
        (_OPENRLHF + "--zero_stage 2 --lora_rank 16", "0.9.0", 2),
        (_OPENRLHF + "--zero_stage 3 --lora_rank 16", "0.9.0", 2 / 16),
        (_VERL.replace(" --config-name=ppo_megatron_trainer", "") + "actor_rollout_ref.model.lora_rank=8", "0.9.1", 4 / 16),
    ],
)  # fmt: skip
def test_of_adapters_the_frozen_weights_alone_are_counted(text, version, bytes_held):
    plan = plan_of(text, version)
    assert plan.value("training_memory") == plan.value("frozen_memory") == int(PARAMETERS * bytes_held) // 1_000_000
    assert plan.value("gradient_memory") is None


@pytest.mark.parametrize(
    ("text", "version"),
    [
        (_MEGATRON + _SIZES + "--optimizer_cpu_offload true ", "4.6.0"),
        (_MEGATRON + _SIZES + "--use_precision_aware_optimizer true ", "4.6.0"),
        (_MEGATRON + _SIZES + "--fp8_format e4m3 ", "4.6.0"),
        (_MEGATRON + _SIZES + "--optimizer sgd ", "4.6.0"),
        (_MEGATRON + _SIZES + "--freeze_llm true ", "4.6.0"),
        (_VERL + "actor_rollout_ref.actor.megatron.param_offload=True", "0.9.1"),
        (_VERL + "+actor_rollout_ref.actor.optim.override_optimizer_config.optimizer_cpu_offload=True", "0.9.1"),
        (_OPENRLHF + "--zero_stage 3 --adam_offload", "0.9.0"),
        (_OPENRLHF + "--zero_stage 3 --load_in_4bit --lora_rank 8", "0.9.0"),
        (_SLIME + "--optimizer-cpu-offload", "0.3.1"),
    ],
)  # fmt: skip
def test_where_something_else_holds_a_part_there_is_no_bound(text, version):
    assert plan_of(text, version).value("training_memory") is None


@pytest.mark.parametrize("stage", [2, 3])
@pytest.mark.parametrize("processes", [1, 2, 8, 64])
def test_no_more_than_deepspeed_estimates(stage, processes):
    """Its estimators count 4 bytes of a parameter and 16 shared out with stage 2, and 18 shared out with stage 3."""
    theirs = 4 + 16 / processes if stage == 2 else 18 / processes
    text = _OPENRLHF.replace("per_node 16", f"per_node {processes}") + f"--zero_stage {stage}"
    assert plan_of(text, "0.9.0").value("training_memory") <= PARAMETERS * theirs / 1_000_000


def test_a_proposal_fits_the_stated_memory():
    """7.6 billion parameters in full precision are 122 GB with gradients and states: ZeRO-3 on eight GPUs of 80 GiB, LoRA on four of 24."""
    wish = {"model": "Qwen/Qwen2.5-7B-Instruct"}
    assert whole_model(proposals(Wish("trl", "1.16.0", 8, **wish), 1)[0].plan) == 121_849
    usual = proposals(Wish("trl", "1.16.0", 8, **wish), 1)[0]
    assert megabytes(usual.plan, Wish("trl", "1.16.0", 8, **wish)) == "15,229 - 121,849" and not usual.saver.spreads
    large = proposals(Wish("trl", "1.16.0", 8, gpu_memory=80, **wish), 1)[0]
    assert large.saver.launcher[1] == "--use_deepspeed --zero_stage 3" and "use_peft" not in large.settings
    small = proposals(Wish("trl", "1.16.0", 4, gpu_memory=24, **wish), 1)[0]
    assert small.settings["use_peft"] == "true" and small.settings["dtype"] == "bfloat16"
    swift = proposals(Wish("swift", "4.6.0", 8, gpu_memory=80, model="Qwen/Qwen2.5-32B-Instruct"), 1)[0]
    assert swift.settings["deepspeed"] == "zero3"


def test_an_engine_is_spread_where_its_weights_take_more_than_half_of_a_gpu():
    wish = {"model": "Qwen/Qwen2.5-32B-Instruct", "gpu_memory": 80}
    assert proposals(Wish("megatron", "4.6.0", 16, tensor=8, **wish), 1)[0].settings["vllm_tensor_parallel_size"] == 2


_KNOWN = "# grpo-lint: dialect=trl version=1.16.0 world-size=8\nmodel_name_or_path: Qwen/Qwen2.5-7B-Instruct\nnum_generations: 8\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (_KNOWN.replace("Qwen/", "mine/"), "since the size of the model is not known; --parameters 7.6B states it"),
        (_KNOWN.replace(" world-size=8", ""), "needs world-size"),
        (_KNOWN + "optim: paged_adamw_8bit", "since optim is paged_adamw_8bit"),
        (_KNOWN + "load_in_4bit: true", "since load_in_4bit is true"),
        (_KNOWN + "load_in_4bit: true\nuse_peft: true", "since load_in_4bit is true"),
        (_KNOWN + "deepspeed: zero3.json", "since the DeepSpeed configuration is not here, and may offload to the host"),
        (_KNOWN + "fsdp: full_shard offload", "since fsdp is full_shard offload"),
        ("# grpo-lint: dialect=easyr1 version=0.3.2\ndata: {rollout_batch_size: 8}", "is known of runs of EasyR1"),
        (_MEGATRON + _SIZES + "--freeze_llm true ", "since freeze_llm is true"),
        (_OPENRLHF + "--zero_stage 3 --load_in_4bit --lora_rank 8", "since load_in_4bit is true"),
        (
            _VERL + "+actor_rollout_ref.actor.optim.override_optimizer_config.optimizer_cpu_offload=True",
            "since actor_rollout_ref.actor.optim.override_optimizer_config.optimizer_cpu_offload is set",
        ),
    ],
)  # fmt: skip
def test_where_there_is_no_bound_explain_says_why(text, why):
    path = "run.sh" if "python3" in text or "rlhf " in text else "c.yaml"
    facts = {"parameters": Fact(PARAMETERS, "test")} if path == "run.sh" else {}
    if path == "run.sh":
        facts["version"] = Fact({"p": "0.9.1", "N": "4.6.0"}[text[0]] if "openrlhf" not in text else "0.9.0", "test")
    shown = explanation(lint(Text(text + "\n", path), Around(facts).of(path), fixes=False), False, 200)
    assert [line for line in shown.splitlines() if "no bound" in line and line.endswith(why)], shown


def test_where_there_is_a_bound_nothing_is_said_of_reasons():
    for more in ("", "use_peft: true", "fsdp: full_shard", "deepspeed: zero3"):
        shown = explanation(
            lint(Text(_KNOWN + more + "\n", "c.yaml"), Around({}).of("c.yaml"), fixes=False), False, 200
        )
        assert "no bound" not in shown and "MB on each GPU at least" in shown, more


def test_what_was_checked_of_the_memory_is_said():
    wish = Wish("trl", "1.16.0", 8, model="Qwen/Qwen2.5-7B-Instruct", gpu_memory=80)
    found = proposals(wish, 1)
    assert "Not checked: memory beyond weights" in told(wish, found, None, False, 200)
    assert "Not checked: memory." in told(wish.but(gpu_memory=None), found, None, False, 200)
