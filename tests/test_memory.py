"""The least memory of a GPU at an update: what each framework holds, by hand, and what `plan` makes of it."""

import pytest

from grpo_lint.checker.contexts import Around
from grpo_lint.engine import lint, lint_path
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
    (_VERL + "actor_rollout_ref.actor.megatron.tensor_model_parallel_size=4", "0.5.0", (2 / 4, 4 / 4, 12 / 16)),
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
    assert (
        megabytes(usual.plan, Wish("trl", "1.16.0", 8, **wish)) == "15,229 - 121,849" and not usual.wish.saver.spreads
    )
    large = proposals(Wish("trl", "1.16.0", 8, gpu_memory=80, **wish), 1)[0]
    assert large.wish.saver.launcher[1] == "--use_deepspeed --zero_stage 3" and "use_peft" not in large.settings
    small = proposals(Wish("trl", "1.16.0", 4, gpu_memory=24, **wish), 1)[0]
    assert small.settings["use_peft"] == "true" and small.settings["dtype"] == "bfloat16"
    swift = proposals(Wish("swift", "4.6.0", 8, gpu_memory=80, model="Qwen/Qwen2.5-32B-Instruct"), 1)[0]
    assert swift.settings["deepspeed"] == "zero3"


def test_an_engine_is_spread_where_its_weights_take_more_than_half_of_a_gpu():
    wish = {"model": "Qwen/Qwen2.5-32B-Instruct", "gpu_memory": 80}
    assert proposals(Wish("megatron", "4.6.0", 16, tensor=8, **wish), 1)[0].settings["vllm_tensor_parallel_size"] == 2


_KNOWN = "# grpo-lint: dialect=trl version=1.16.0 world-size=8\nmodel_name_or_path: Qwen/Qwen2.5-7B-Instruct\nnum_generations: 8\n"


_EASYR1 = (
    "# grpo-lint: dialect=easyr1 version={version}\ndata: {{rollout_batch_size: 512}}\nworker:\n  rollout: {{n: 5}}\n  actor:\n"
    "      global_batch_size: 128\n      micro_batch_size_per_device_for_update: 4\n      micro_batch_size_per_device_for_experience: 4\n"
    "      model: {{model_path: Qwen/Qwen2.5-7B-Instruct}}\n{more}trainer: {{n_gpus_per_node: 8, nnodes: 1}}\n"
)
_NEMO = (
    "# grpo-lint: dialect=nemo-rl version={version}\ndefaults: grpo_math_1B.yaml\ngrpo: {{num_prompts_per_step: 32, num_generations_per_prompt: 16}}\n"
    "policy:\n  model_name: Qwen/Qwen2.5-7B-Instruct\n  train_global_batch_size: 512\n  train_micro_batch_size: 4\n{more}"
    "cluster: {{gpus_per_node: 8, num_nodes: 1}}\n"
)


@pytest.mark.parametrize(
    ("text", "megabytes"),
    [
        # 16 bytes of a parameter over 8 processes, each part rounded down
        *((_EASYR1.format(version=release, more=""), 15_229) for release in ("0.3.0", "0.3.1", "0.3.2", "0.3.3.dev0")),
        (_EASYR1.format(version="0.3.2", more="      offload: {offload_params: true, offload_optimizer: true}\n"), 15_229),
        (_EASYR1.format(version="0.3.2", more="      fsdp: {torch_dtype: bf16}\n"), 7_613),
        (_EASYR1.format(version="0.3.2", more="      fsdp: {fsdp_size: 4}\n"), 30_461),
        *((_NEMO.format(version=release, more=""), 15_229) for release in ("0.2.1", "0.3.1", "0.5.0", "0.7.0")),
        (_NEMO.format(version="0.7.0", more="  dtensor_cfg: {dp_replicate_size: 2}\n"), 30_461),
        # the frozen weights beside an adapter: of NeMo-RL in full precision, of EasyR1 in half
        (_NEMO.format(version="0.7.0", more="  dtensor_cfg: {lora_cfg: {enabled: true}}\n"), 3_807),
        (_EASYR1.format(version="0.3.3.dev0", more="").replace("{model_path", "{lora: {rank: 16}, model_path"), 1_903),
    ],
)  # fmt: skip
def test_what_a_gpu_holds_of_easyr1_and_nemo_rl(text, megabytes):
    report = lint(Text(text, "c.yaml"), Around({}).of("c.yaml"), fixes=False)
    plan = report.launches[0].plan(report.launches[0].candidates[0])
    assert plan.value("training_memory") == megabytes


@pytest.mark.parametrize("text", [_EASYR1.format(version="0.3.2", more=""), _NEMO.format(version="0.7.0", more="")])
def test_a_gpu_that_is_too_small_is_reported_for_them_as_well(text):
    facts = {"gpu_memory": Fact(12, "test")}
    report = lint(Text(text, "c.yaml"), Around(facts).of("c.yaml"), fixes=False)
    assert "GRPO465" in {each.rule.code for each in report.findings}
    facts = {"gpu_memory": Fact(80, "test")}
    assert "GRPO465" not in {
        each.rule.code for each in lint(Text(text, "c.yaml"), Around(facts).of("c.yaml"), fixes=False).findings
    }


_SWIFT = "swift rlhf --rlhf_type grpo --model m --tuner_type full --dataset d --reward_funcs accuracy --torch_dtype {dtype} {more}\n"
_TRL = "torchrun --nproc_per_node 8 -m trl.scripts.grpo --model_name_or_path m --dataset_name d --reward_funcs accuracy_reward {more}\n"


@pytest.mark.parametrize(
    ("start", "dtype", "more", "held"),
    [
        # each process loads the model on its own device
        ("NPROC_PER_NODE=8 swift", "bfloat16", "", (2, 2, 4)),
        ("NPROC_PER_NODE=8 swift", "float32", "", (4, 4, 8)),
        ("NNODES=2 NODE_RANK=0 MASTER_ADDR=h NPROC_PER_NODE=8 CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7 swift", "bfloat16", "", (2, 2, 4)),
        # or on as many as there are for each
        ("NPROC_PER_NODE=4 CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7 swift", "bfloat16", "", (2 / 2, 2 / 2, 4 / 2)),
        # unless something shards it, or may
        ("NPROC_PER_NODE=8 swift", "bfloat16", "--deepspeed zero3", (2 / 8, 2 / 8, 12 / 8)),
        ("NPROC_PER_NODE=8 swift", "bfloat16", "--fsdp fsdp2", (2 / 8, 2 / 8, 4 / 8)),
        ("ACCELERATE_USE_FSDP=true NPROC_PER_NODE=8 swift", "bfloat16", "", (2 / 8, 2 / 8, 4 / 8)),
        # ms-swift turns fp16 on for a model in full precision, and DeepSpeed casts it
        ("NPROC_PER_NODE=8 swift", "float32", "--deepspeed zero3", (2 / 8, 2 / 8, 12 / 8)),
        ("NPROC_PER_NODE=8 swift", "float32", "--fp16 false --bf16 false --deepspeed zero3", (4 / 8, 4 / 8, 8 / 8)),
    ],
)  # fmt: skip
def test_what_a_process_of_ms_swift_holds(start, dtype, more, held):
    command = start.removesuffix("swift") + _SWIFT.format(dtype=dtype, more=more)
    plan, million = plan_of(command, "4.6.0"), PARAMETERS // 1_000_000
    parts = [plan.value(f"{name}_memory") for name in ("weight", "gradient", "optimizer")]
    assert parts == [int(million * each) for each in held], command


@pytest.mark.parametrize(
    ("more", "held"),
    [
        ("--dtype float32", (4, 4, 8)),
        ("--fsdp full_shard", (4 / 8, 4 / 8, 8 / 8)),
        ("--deepspeed zero3", (2 / 8, 2 / 8, 12 / 8)),
        ("--bf16 false --deepspeed zero3", (4 / 8, 4 / 8, 8 / 8)),
        ("--bf16 false --deepspeed zero2", (4, 4 / 8, 12 / 8)),
        ("--bf16 false --fp16 true --deepspeed zero2", (2, 2 / 8, 12 / 8)),
    ],
)
def test_what_a_process_of_trl_holds(more, held, tmp_path, monkeypatch):
    for stage in (2, 3):
        (tmp_path / f"zero{stage}").write_text(f'{{"zero_optimization": {{"stage": {stage}}}}}')
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.sh").write_text(_TRL.format(more=more))
    facts = {"parameters": Fact(PARAMETERS, "test"), "version": Fact("1.16.0", "test")}
    path = str(tmp_path / "run.sh")
    launch = lint_path(path, Around(facts).of(path), fixes=False).launches[0]
    plan, million = launch.plan(launch.candidates[0]), PARAMETERS // 1_000_000
    parts = [plan.value(f"{name}_memory") for name in ("weight", "gradient", "optimizer")]
    assert parts == [int(million * each) for each in held], more


def test_several_devices_of_a_process_may_share_a_copy():
    """Where the devices are not stated, that each process has one is assumed."""
    command = "NPROC_PER_NODE=8 " + _SWIFT.format(dtype="bfloat16", more="")
    facts = {"parameters": Fact(PARAMETERS, "test"), "version": Fact("4.6.0", "test"), "gpu_memory": Fact(24, "test")}
    severities = []
    for text in (command, "CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7 " + command):
        found = lint(Text(text, "run.sh"), Around(facts).of("run.sh"), fixes=False).findings
        severities += [each.severity for each in found if each.rule.code == "GRPO465"]
    assert severities == ["warning", "error"]


def test_a_file_for_accelerate_that_is_not_here_may_offload(tmp_path, monkeypatch):
    text = "accelerate launch --config_file {file} --num_processes 8 -m trl.scripts.grpo --model_name_or_path Qwen/Qwen2.5-7B-Instruct --dataset_name d\n"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here.yaml").write_text("distributed_type: FSDP\nnum_processes: 8\n")
    for file, why in (("gone.yaml", "since the file that accelerate launch names is not here"), ("here.yaml", "")):
        path = str(tmp_path / "run.sh")
        (tmp_path / "run.sh").write_text(text.format(file=file))
        shown = " ".join(explanation(lint_path(path, Around({}).of(path), fixes=False), False, 200).split())
        assert (why in shown) if why else "MB on each GPU at least" in shown, shown


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
        (_KNOWN + "fsdp: [full_shard, offload]", "since fsdp is full_shard, offload"),
        (_EASYR1.format(version="0.3.2", more="      fsdp: {enable_cpu_offload: true}\n"), "since worker.actor.fsdp.enable_cpu_offload is true"),
        (_EASYR1.format(version="0.3.0", more="      optim: {strategy: adamw_bf16}\n"), "since worker.actor.optim.strategy is adamw_bf16"),
        (_NEMO.format(version="0.5.0", more="  dtensor_cfg: {cpu_offload: true}\n"), "since policy.dtensor_cfg.cpu_offload is true"),
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


_LARGE = "-m trl.scripts.grpo --model_name_or_path Qwen/Qwen2.5-72B-Instruct --dataset_name d --reward_funcs accuracy_reward --num_generations 8 "
_LARGE += "--per_device_train_batch_size 8 "


@pytest.mark.parametrize(
    ("start", "files", "severity"),
    [
        # all is stated: the file for accelerate or for DeepSpeed is here, and moves nothing elsewhere
        ("accelerate launch --config_file f.yaml", {"f.yaml": "distributed_type: FSDP\nnum_processes: 8\nfsdp_config: {fsdp_version: 2}\n"}, "error"),
        ("accelerate launch --config_file f.yaml", {"f.yaml": "distributed_type: MULTI_GPU\nnum_processes: 8\n"}, "error"),
        ("accelerate launch --config_file f.yaml", {"f.yaml": "distributed_type: DEEPSPEED\nnum_processes: 8\ndeepspeed_config: {zero_stage: 3}\n"}, "error"),
        ("torchrun --nproc_per_node 8", {}, "error"),
        ("accelerate launch --num_processes 8 --deepspeed z.json", {"z.json": '{"zero_optimization": {"stage": 3}}'}, "error"),
        # a default file of accelerate may say something else
        ("accelerate launch --num_processes 8", {}, "warning"),
        # something is held elsewhere, or may be
        ("accelerate launch --config_file f.yaml", {"f.yaml": "distributed_type: FSDP\nnum_processes: 8\nfsdp_config: {fsdp_offload_params: true}\n"}, None),
        ("accelerate launch --config_file gone.yaml --num_processes 8", {}, None),
        ("accelerate launch --num_processes 8 --deepspeed gone.json", {}, None),
        (
            "accelerate launch --num_processes 8 --deepspeed z.json",
            {"z.json": '{"zero_optimization": {"stage": 3, "offload_optimizer": {"device": "cpu"}}}'},
            None,
        ),
        ("torchrun --nproc_per_node 8 --optim adamw_8bit", {}, None),
        ("torchrun --nproc_per_node 8 --optim paged_adamw_32bit", {}, None),
        ("torchrun --nproc_per_node 8 --load_in_4bit", {}, None),
        ("torchrun --nproc_per_node 8 --use_peft", {}, None),
        ("torchrun --nproc_per_node 8 --model_name_or_path mine/72B", {}, None),
        ("torchrun --nproc_per_node 8 --fsdp 'full_shard offload'", {}, None),
    ],
)  # fmt: skip
def test_it_is_an_error_where_nothing_else_is_assumed(tmp_path, monkeypatch, start, files, severity):
    monkeypatch.chdir(tmp_path)
    words = start.split(" ")
    of_trl = next(
        (
            place
            for place, word in enumerate(words)
            if word.lstrip("-").split("_")[0] in ("deepspeed", "optim", "load", "use", "model", "fsdp")
        ),
        len(words),
    )
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    command = f"{' '.join(words[:of_trl])} {_LARGE}{' '.join(words[of_trl:])}\n"
    (tmp_path / "run.sh").write_text(command)
    path = str(tmp_path / "run.sh")
    facts = {"gpu_memory": Fact(24, "test"), "version": Fact("1.16.0", "test")}
    found = [
        each.severity
        for each in lint_path(path, Around(facts).of(path), fixes=False).findings
        if each.rule.code == "GRPO465"
    ]
    assert found == ([severity] if severity else []), command
