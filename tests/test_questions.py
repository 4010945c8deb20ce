"""Questions that people asked in public, each with a run of its own that is like theirs: the finding or the number that answers it.

Forty threads and eighteen questions to `plan`. The runs are written for this test.
"""

import json
from typing import NamedTuple

import pytest

from grpo_lint.cli.main import main


class Thread(NamedTuple):
    """A question. `finds`: the rules of its errors and warnings; `explains`: what `explain` says of it."""

    about: str
    path: str
    text: str
    finds: "tuple[str, ...]" = ()
    explains: "tuple[str, ...]" = ()


def trl(about, version, processes, finds=(), explains=(), **settings):
    base = {"model_name_or_path": "Qwen/Qwen2.5-1.5B-Instruct", "dataset_name": "AI-MO/NuminaMath-TIR"}
    lines = [f"{name}: {value}" for name, value in {**base, **settings}.items()]
    comment = f"# grpo-lint: dialect=trl version={version} world-size={processes} dataset-size=8000"
    return Thread(about, "grpo.yaml", "\n".join([comment, *lines]) + "\n", finds, explains)


def swift(about, version, before, finds=(), explains=(), program="swift rlhf", **flags):
    base = {
        "rlhf_type": "grpo",
        "model": "Qwen/Qwen2.5-7B-Instruct",
        "dataset": "rows.jsonl",
        "reward_funcs": "accuracy",
    }
    words = [f"--{name} {value}" for name, value in {**base, **flags}.items()]
    return Thread(
        about, "run.sh", f"# grpo-lint: version={version}\n{before} {program} {' '.join(words)}\n", finds, explains
    )


def verl(
    about, version, finds=(), explains=(), first="", rows=0, train=64, mini=64, micro=8, n=8, nodes=1, gpus=8, **more
):
    comment = f"# grpo-lint: version={version}" + (f" dataset-size={rows}" if rows else "")
    words = {
        "algorithm.adv_estimator": "grpo", "data.train_files": "a.parquet", "data.val_files": "b.parquet",
        "data.train_batch_size": train, "actor_rollout_ref.model.path": "Qwen/Qwen2.5-7B-Instruct",
        "actor_rollout_ref.rollout.name": "vllm", "actor_rollout_ref.rollout.n": n,
        "actor_rollout_ref.actor.ppo_mini_batch_size": mini, "trainer.n_gpus_per_node": gpus, "trainer.nnodes": nodes,
    }  # fmt: skip
    if micro:
        words["actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu"] = micro
        words["actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu"] = micro
        words["actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu"] = micro
    sections = {"a": "actor_rollout_ref.actor", "r": "actor_rollout_ref.rollout", "m": "actor_rollout_ref.model", "ref": "actor_rollout_ref.ref",
                "d": "data", "t": "trainer"}  # fmt: skip
    for name, value in more.items():
        section, _, rest = name.partition("__")
        words[f"{sections[section]}.{rest.replace('__', '.')}"] = value
    command = " ".join(["python3 -m verl.trainer.main_ppo", *(f"{name}={value}" for name, value in words.items())])
    return Thread(about, "run.sh", f"{first}{comment}\n{command}\n", finds, explains)


def easyr1(about, update, micro, group, gpus, rows, finds=(), explains=()):
    text = (
        f"# grpo-lint: dialect=easyr1 dataset-size={rows}\ndata: {{train_files: a, val_files: b, rollout_batch_size: 512}}\n"
        f"algorithm: {{adv_estimator: grpo}}\nworker:\n  actor:\n    global_batch_size: {update}\n"
        f"    micro_batch_size_per_device_for_update: {micro}\n    micro_batch_size_per_device_for_experience: 8\n"
        f"    model: {{model_path: Qwen/Qwen2.5-VL-7B-Instruct}}\n  rollout: {{n: {group}, tensor_parallel_size: 2}}\n"
        f"trainer: {{total_epochs: 1, nnodes: 1, n_gpus_per_node: {gpus}}}\n"
    )
    return Thread(about, "easy.yaml", text, finds, explains)


ON_POLICY = "so the ratio is 1 and the clip ratio 0"
THREADS = [
    trl("groups of 8 on one process with a batch of 1, whatever is accumulated", "0.15", 1, ("GRPO203",),
        num_generations=8, per_device_train_batch_size=1, gradient_accumulation_steps=8),
    trl("seven processes, and groups of 8 by default", "0.15", 7, ("GRPO203",), per_device_train_batch_size=1),
    trl("three processes, and groups of 8 by default", "0.15", 3, ("GRPO203",), per_device_train_batch_size=1, use_vllm="true"),
    trl("one process, a batch of 1, groups of 4", "0.15", 1, ("GRPO203",), num_generations=4, per_device_train_batch_size=1),
    trl("four processes, a batch of 1, groups of 8", "0.15", 4, ("GRPO203",), num_generations=8, per_device_train_batch_size=1),
    trl("4,000 steps, or 8,000 / 12 = 666", "0.16", 3, (), ("8,000 rows are 2,000 updates an epoch, 4,000 in all", "8,000 rows x 6 = 48,000"),
        per_device_train_batch_size=4, gradient_accumulation_steps=2, num_generations=6, num_train_epochs=2),
    trl("what a batch of 4 twice differs in from one of 8", "0.25", 8, (), ("completions per rollout 64", "2 micro steps"),
        per_device_train_batch_size=4, gradient_accumulation_steps=2, num_generations=8, reward_funcs="[accuracy_reward]"),
    trl("a group that is made of two micro steps", "0.17", 1, (), ("completions per rollout 4 ",),
        per_device_train_batch_size=2, gradient_accumulation_steps=2, num_generations=4),
    trl("a batch larger than a group", "0.15", 1, (), ("2 prompts x 8",), per_device_train_batch_size=16, num_generations=8),
    trl("a rollout of 12 for batches of 8", "0.19", 4, ("GRPO204", "GRPO603"), per_device_train_batch_size=2, generation_batch_size=12,
        num_generations=4),
    trl("the clip ratio is always 0", "0.16", 8, (), ("on-policy", ON_POLICY), per_device_train_batch_size=8, num_generations=32, num_iterations=1),
    trl("no KL is logged", "0.22", 8, (), (ON_POLICY, "beta is 0 (by default): there is no KL term"),
        per_device_train_batch_size=8, num_generations=8),
    trl("rewards stay 0: completions are cut at 256 tokens, which nobody wrote", "0.22", 8, (),
        ("a completion ends after 256 tokens at the latest: max_completion_length (by default)",), per_device_train_batch_size=8, num_generations=8),
    trl("the engine takes 0.9 of a GPU that it shares with training", "0.18", 8, (), ("the engine takes 0.9 of each GPU, and training the rest: vllm_gpu_memory_utilization (line 6)",), use_vllm="true",
        vllm_mode="colocate", vllm_gpu_memory_utilization=0.9, per_device_train_batch_size=1, num_generations=8),
    Thread("a recipe of seven processes and one engine, with no group in it", "recipes/grpo/config_full.yaml",
           "# grpo-lint: version=0.15\nmodel_name_or_path: m\ndataset_name: d\nnum_processes: 7\nuse_vllm: true\nvllm_device: auto\n"
           "max_prompt_length: 512\nmax_completion_length: 1024\nper_device_train_batch_size: 1\ngradient_accumulation_steps: 16\n"
           "learning_rate: 2.0e-05\noutput_dir: data/out\n", ("GRPO203",)),
    Thread("in Python: a batch of 1, groups of 16", "train.py", "# grpo-lint: version=0.16 world-size=1\nfrom trl import GRPOConfig\n"
           "args = GRPOConfig(per_device_train_batch_size=1, gradient_accumulation_steps=4, num_generations=16, output_dir='o')\n", ("GRPO203",)),
    Thread("Unsloth: a batch of 1, groups of 8", "train.py", "from unsloth import FastLanguageModel\nfrom trl import GRPOConfig\n"
           "args = GRPOConfig(per_device_train_batch_size=1, num_generations=8, output_dir='o')\n", (), ("unsloth may change it, so that groups are whole",)),
    Thread("seven engines' worth of processes on two nodes", "job.sbatch", "#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --gpus-per-node=8\n"
           "srun accelerate launch --num_machines 2 --num_processes 15 --machine_rank $SLURM_PROCID src/open_r1/grpo.py "
           "--model_name_or_path m --dataset_name d --use_vllm true --per_device_train_batch_size 8 --num_generations 8\n", ("GRPO416",)),
    swift("a group of 1", "4.6.0", "CUDA_VISIBLE_DEVICES=0", ("GRPO201",), per_device_train_batch_size=1, num_generations=1),
    swift("1,320 steps of 8,000 rows", "3.3", "NPROC_PER_NODE=6", (),
          ("7,920 rows are 1,320 updates an epoch", "80 of 8,000 are kept back for evaluation"), dataset="rows.jsonl#8000",
          per_device_train_batch_size=8, per_device_eval_batch_size=8, gradient_accumulation_steps=2, num_generations=8, num_iterations=2,
          num_train_epochs=1),
    swift("steps grow with the group", "3.6", "NPROC_PER_NODE=8", (), ("1,000 rows are 500 updates", "1,000 rows x 16 = 16,000"),
          dataset="rows.jsonl#1000", split_dataset_ratio=0, per_device_train_batch_size=4, num_generations=16, num_train_epochs=1),
    swift("3,532 steps, and not 446", "3.4", "NPROC_PER_NODE=2", (), ("7,065 rows are 3,532 updates an epoch",), dataset="rows.jsonl#7136",
          use_vllm="false", per_device_train_batch_size=1, per_device_eval_batch_size=8, gradient_accumulation_steps=8, num_generations=8,
          num_train_epochs=1),
    swift("eight GPUs, and one process", "3.4", "NPROC_PER_NODE=8", ("GRPO440",), program="python3 -m swift.cli.rlhf",
          per_device_train_batch_size=1, num_generations=8),
    swift("groups of 8 in updates of 128 with micro batches of 4", "3.12", "NPROC_PER_NODE=8", ("GRPO216",), program="megatron rlhf",
          global_batch_size=128, micro_batch_size=4, steps_per_generation=4, num_generations=8, vllm_mode="colocate", load_safetensors="true",
          max_epochs=1),
    swift("num_iterations of Megatron", "4.0", "NPROC_PER_NODE=4", ("GRPO570",), program="megatron rlhf", global_batch_size=256,
          micro_batch_size=1, tensor_model_parallel_size=4, num_generations=8, num_iterations=4, vllm_mode="colocate", num_train_epochs=2),
    swift("the loss is 0 without a KL term", "3.4", "NPROC_PER_NODE=2", (), (ON_POLICY, "there is no KL term", "the logged loss is about 0"), use_vllm="false",
          per_device_train_batch_size=8, gradient_accumulation_steps=8, per_device_eval_batch_size=4, num_generations=8, beta="0.0"),
    swift("accumulation is 1 whatever is written", "3.3", "NPROC_PER_NODE=8", ("GRPO114",), ("One update learns from 8 completions",),
          use_vllm="true", sleep_level=1, num_infer_workers=8, per_device_train_batch_size=1, gradient_accumulation_steps=8, num_generations=8,
          per_device_eval_batch_size=1, tensor_parallel_size=8),
    swift("four GPUs, and no NPROC_PER_NODE", "3.7", "CUDA_VISIBLE_DEVICES=0,1,2,3", ("GRPO425",), use_vllm="true", vllm_mode="colocate",
          per_device_train_batch_size=8, num_generations=8),
    swift("six processes with a server, and an evaluation that nobody asked for", "3.5", "NPROC_PER_NODE=6", ("GRPO301",), use_vllm="true",
          vllm_mode="server", vllm_server_host="10.0.0.2", per_device_train_batch_size=2, gradient_accumulation_steps=8, num_generations=4),
    swift("rewards stay 0: completions of 16 tokens", "3.5", "NPROC_PER_NODE=3", (), ("a completion ends after 16 tokens at the latest: max_completion_length",),
          per_device_train_batch_size=2, gradient_accumulation_steps=4, num_generations=3, max_completion_length=16, temperature=0.1),
    swift("settings of an engine that does not run", "3.3", "NPROC_PER_NODE=8", ("GRPO114",), use_vllm="false", sleep_level=1,
          vllm_max_model_len=8192, per_device_train_batch_size=1, per_device_eval_batch_size=1, gradient_accumulation_steps=8, num_generations=8),
    swift("an engine of 1,024 tokens for 1,024 + 1,024", "4.1", "NPROC_PER_NODE=8", ("GRPO535",), use_vllm="true", vllm_mode="colocate",
          max_length=1024, max_completion_length=1024, vllm_max_model_len=1024, per_device_train_batch_size=1, gradient_accumulation_steps=4,
          num_generations=4),
    Thread("tensor parallel experts without sequence parallel", "moe.yaml", "# grpo-lint: dialect=megatron version=4.6.0 world-size=8\n"
           "rlhf_type: grpo\nmodel: Qwen/Qwen3-30B-A3B\ndataset: [d.jsonl]\nreward_funcs: [accuracy]\nnum_generations: 8\nmicro_batch_size: 1\n"
           "global_batch_size: 64\ntensor_model_parallel_size: 2\nexpert_model_parallel_size: 4\nvllm_mode: colocate\nnum_train_epochs: 1\n",
           ("GRPO418",)),
    verl("whether n doubles the batch", "0.2", (), ("64 prompts x 16", "completions per rollout 4,096 = 256 prompts per rollout x 16 per group"),
         train=256, mini=64, n=16),
    verl("80 does not divide 256", "0.3", (), ("completions per mini batch 1,280 = actor_rollout_ref.actor.ppo_mini_batch_size 256 x "
         "actor_rollout_ref.rollout.n 5", "completions per rank 160 = 1,280 per mini batch / 8 data-parallel ranks"),
         train=1024, mini=256, micro=80, n=5),
    verl("three GPUs, engines of two", "0.4", ("GRPO733",), train=4, mini=4, micro=2, n=3, nodes=3, gpus=1),
    verl("32 prompts on 128 workers", "0.2", ("GRPO750", "GRPO772"), ("This run dies",), train=32, mini=64, micro=0, n=32, nodes=16,
         a__use_dynamic_bsz=True, a__ppo_max_token_len_per_gpu=32768, d__max_prompt_length=1024, d__max_response_length=8192,
         r__log_prob_micro_batch_size_per_gpu=8, ref__log_prob_micro_batch_size_per_gpu=8),
    verl("16 prompts, updates of 128", "0.4", ("GRPO713",), train=16, mini=128, micro=2),
    verl("an update of one prompt on 8 ranks", "0.4", ("GRPO730",), train=8, mini=1, micro=1, n=4),
    verl("two nodes in a job of one", "0.9.1", ("GRPO415",), train=512, mini=32, micro=2, n=16, nodes=2, first="#!/bin/bash\n#SBATCH --nodes=1\n"
         "#SBATCH --gpus-per-node=8\nsrun --nodes=1 --ntasks=1 ray start --head --port=6379 --block &\nsleep 20\n"),
    verl("17,000 / 512 steps, or thousands", "0.4", (), ("17,000 rows are 528 updates an epoch",), rows=17000, train=512, mini=32, micro=4, n=16,
         nodes=16, t__total_epochs=1),
    verl("sequences longer than a pass", "0.5", ("GRPO774", "GRPO785"), train=8, mini=8, micro=0, n=4, d__max_prompt_length=8192,
         d__max_response_length=32768, m__use_remove_padding=True, a__use_dynamic_bsz=True, a__ppo_max_token_len_per_gpu=16384,
         ref__log_prob_use_dynamic_bsz=True, r__log_prob_use_dynamic_bsz=True),
    verl("Ulysses shares the tokens of a pass out", "0.3", ("GRPO785",), ("processes per model copy 4",), train=64, mini=32, micro=0,
         d__max_prompt_length=4096, d__max_response_length=28672, m__use_remove_padding=True, a__use_dynamic_bsz=True,
         a__ulysses_sequence_parallel_size=4, ref__ulysses_sequence_parallel_size=4, a__ppo_max_token_len_per_gpu=8192,
         r__log_prob_max_token_len_per_gpu=8192, ref__log_prob_max_token_len_per_gpu=8192),
    verl("a micro batch of 5 in updates of 16 x 5 on 8 ranks", "0.4", (), ("micro steps per update 2 = 10 per rank / 5 per micro batch",),
         train=128, mini=16, micro=5, n=5),
    verl("no checkpoint is written", "0.6", (), ("rollouts between checkpoints 0 = so none is written, also not at the end",)),
    verl("an engine of 1,024 tokens for 1,024 + 1,024", "0.7", ("GRPO777",), n=3, d__max_prompt_length=1024, d__max_response_length=1024,
         r__max_model_len=1024),
    easyr1("512 prompts over 6 GPUs", 128, 4, 5, 6, 6000, ("GRPO750", "GRPO731")),
    easyr1("why there are 11 steps", 16, 2, 5, 8, 6000, (), ("rollouts per epoch 11", "6,000 rows are 352 updates an epoch")),
    easyr1("what global_batch_size counts", 16, 4, 8, 8, 6000, (), ("16 prompts x 8",)),
]  # fmt: skip


@pytest.mark.parametrize("thread", THREADS, ids=[thread.about for thread in THREADS])
def test_a_thread_is_answered(thread, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / thread.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(thread.text)
    main(["check", "--output-format", "json", thread.path])
    files = json.loads(capsys.readouterr().out)["files"]
    found = {each["code"] for file in files for each in file["diagnostics"] if each["severity"] < 3}
    assert files and files[0]["launches"] and found == set(thread.finds)
    main(["explain", thread.path])
    told = " ".join(capsys.readouterr().out.split())
    assert [words for words in thread.explains if words not in told] == []


# (what a log ends with, what is said of it, a rule that may be broken then)
LOGS = [
    ("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB", "A GPU is full", "GRPO465"),
    ("deepspeed: torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.50 GiB. GPU 3", "A GPU is full", ""),
    ("ValueError: The decoder prompt (length 2100) is longer than the maximum model length of 2048.", "longer than the engine takes", "GRPO535"),
    ("ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`", "share of the memory", "GRPO692"),
    ("NotImplementedError: Reward function is not implemented for data_source='my/rows'", "data_source", ""),
    ("ValueError: Total available GPUs 8 is less than total desired GPUs 16", "GPUs", "GRPO415"),
    ("[rank1]: Watchdog caught collective operation timeout: WorkNCCL(SeqNum=42)", "waited for another", ""),
    ("RuntimeError: CUDA error: invalid device ordinal", "does not see", "GRPO441"),
    ("Exception: Current loss scale already at minimum - cannot decrease scale anymore. Exiting run.", "Train in bf16", "GRPO458"),
    ("RuntimeError: FlashAttention only support fp16 and bf16 data type", "loaded in float32", ""),
    ("torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:1970, unhandled system error", "NCCL_DEBUG=INFO", ""),
    ("ValueError: fp16 mixed precision requires a GPU (not 'cpu').", "sees no GPU", "GRPO441"),
]  # fmt: skip


@pytest.mark.parametrize("log, told, rule", LOGS)
def test_what_a_log_ends_with_is_explained(log, told, rule, capsys):
    assert main(["rule", log]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert told in out and rule in out


# (what people see, the first rule that it may come from, or what is said of it)
SYMPTOMS = [
    ("only some GPUs are used", "GRPO442"), ("只有部分GPU被使用", "GRPO442"), ("out of memory", "GRPO465"), ("显存不足", "GRPO465"),
    ("no checkpoint is saved", "GRPO778"), ("没有保存检查点", "GRPO778"), ("the run hangs at its start", "GRPO416"), ("训练卡住", "GRPO416"),
    ("the reward is always 0", "GRPO694"), ("奖励一直是0", "GRPO694"), ("too many steps", "GRPO603"), ("步数不对", "GRPO603"),
    ("completions are cut off", "GRPO535"), ("回答被截断", "GRPO535"), ("rows are dropped", "GRPO205"), ("my setting is ignored", "GRPO102"),
    ("参数没有生效", "GRPO102"), ("training ends at once", "GRPO602"), ("the clip ratio is always 0", "On-policy the ratio"),
    ("the loss is 0", "On-policy the ratio"), ("kl is nan", "Without a KL term"),
]  # fmt: skip


@pytest.mark.parametrize("seen, told", SYMPTOMS)
def test_what_people_see_finds_what_it_comes_from(seen, told, capsys):
    assert main(["rule", seen, "--lang", "en"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert out.startswith(told) if told.startswith("GRPO") else told in out
    assert sum(word.startswith("GRPO") and word[4:].isdigit() for word in out.split()) <= 6


@pytest.mark.parametrize("word", ["GPU", "steps", "reward", "loss", "data", "我的GPU", "completion"])
def test_a_word_alone_is_no_symptom(word):
    from grpo_lint.report.rule_search import search
    from grpo_lint.report.symptoms import expected

    assert (
        not any("its text speaks of" in each.why for each in search(word) if word == "GPU") and expected(word) is None
    )


class Plan(NamedTuple):
    """A question to `plan`. `has`: settings of its first proposal; `written`: words of its command; `told`: what is said."""

    words: str
    has: "dict[str, object]" = {}
    written: "tuple[str, ...]" = ()
    told: "tuple[str, ...]" = ()
    status: int = 0


_7B, _32B, _30B = "Qwen/Qwen2.5-7B-Instruct", "Qwen/Qwen2.5-32B-Instruct", "Qwen/Qwen3-30B-A3B-Instruct-2507"
_EXPERTS = {"expert_model_parallel_size": 8, "sequence_parallel": True}
_A, _M = "actor_rollout_ref.actor.", "actor_rollout_ref.actor.megatron."
PLANS = [
    Plan(f"trl --gpus 8 --model {_7B} --gpu-memory 80", {"num_generations": 8}, ("--use_deepspeed", "--zero_stage 3")),
    Plan(f"megatron --gpus 64 --tp 4 --pp 2 --ep 8 --model {_30B}", {**_EXPERTS, "pipeline_model_parallel_size": 2}),
    Plan(f"trl --gpus 4 --model {_7B} --memory tight --gpu-memory 24", {"per_device_train_batch_size": 1, "use_peft": "true"}),
    Plan(f"swift --gpus 8 --model {_32B} --memory tight --gpu-memory 80", {"per_device_train_batch_size": 1, "deepspeed": "zero3"}),
    Plan("swift --gpus 8 --generations 16 --completions-per-update 256", {"num_generations": 16}, (), ("256 completions per update: 16 prompts x 16",)),
    Plan(f"verl --gpus 8 --model {_7B} --dataset-size 7473 --epochs 15", {"data.train_batch_size": 1024, f"{_A}ppo_mini_batch_size": 256},
         ("trainer.save_freq=",), ("7,473 rows in 15 epochs are 420 updates",)),
    Plan("verl --gpus 8 --completions-per-update 1280 --updates-per-rollout 4 --generations 5", {"data.train_batch_size": 1024}),
    Plan("verl --gpus 64 --tp 4 --pp 2 --ep 8", {f"{_M}tensor_model_parallel_size": 4, f"{_M}expert_model_parallel_size": 8},
         ("ppo_megatron_trainer",), ("8 data-parallel ranks",)),
    Plan("verl --gpus 8 --cp 4", {f"{_A}ulysses_sequence_parallel_size": 4}, (), ("2 data-parallel ranks",)),
    Plan("megatron --gpus 8 --tp 2 --cp 4", {"context_parallel_size": 4, "tensor_model_parallel_size": 2}, (), ("1 data-parallel rank",)),
    Plan("megatron --gpus 64 --tp 8 --completions-per-update 256 --generations 8", {"global_batch_size": 256}),
    Plan("megatron --gpus 32 --tp 8 --pp 4 --completions-per-update 512", {"global_batch_size": 512}),
    Plan(f"megatron --gpus 16 --tp 2 --ep 8 --model {_30B}", _EXPERTS),
    Plan("megatron --gpus 128 --tp 8 --pp 4 --model deepseek-ai/DeepSeek-R1",
         {"sequence_parallel": True, "decoder_first_pipeline_num_layers": 15, "decoder_last_pipeline_num_layers": 14}, (), ("Not checked: memory.",)),
    Plan("trl --gpus 8 --cp 2", {}, (), ("GRPO has no context parallel there", "With --cp 1 in the place of --cp 2 it holds."), 1),
    Plan("easyr1 --gpus 8 --completions-per-update 640 --generations 5", {"worker.rollout.n": 5, "worker.actor.global_batch_size": 128}),
    Plan("trl --gpus 7", {"num_generations": 8}, (), ("56 completions per update: 7 prompts x 8",)),
    Plan("swift --gpus 1 --memory tight", {"per_device_train_batch_size": 1}),
]  # fmt: skip


@pytest.mark.parametrize("question", PLANS, ids=[each.words for each in PLANS])
def test_a_question_to_plan_is_answered(question, capsys):
    def asked(form):
        status = main(["plan", "--dialect", *question.words.split(), "--output-format", form])
        return status, capsys.readouterr().out

    status, text = asked("json")
    document = json.loads(text)
    assert status == question.status and (document["problem"] is None) == (status == 0)
    assert question.has.items() <= document["proposals"][0]["settings"].items()
    assert [words for words in question.told if words not in " ".join(asked("text")[1].split())] == []
    assert not question.written or [words for words in question.written if words not in asked("command")[1]] == []


_FULL = "NPROC_PER_NODE=8 CUDA_VISIBLE_DEVICES=0,1,2,3,4,5,6,7 swift rlhf --rlhf_type grpo --model Qwen/Qwen2.5-7B-Instruct --tuner_type full "
_FULL += "--torch_dtype bfloat16 --dataset rows.jsonl#1000 --reward_funcs accuracy --num_generations 8 --per_device_train_batch_size 8\n"


@pytest.mark.parametrize(
    ("log", "told"),
    [
        # PyTorch says how large the GPU is: 60.9 GB of states are in no GPU of 40 GiB
        ("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of 39.39 GiB of which", "GRPO465"),
        ("torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 3; 39.39 GiB total capacity; 38 GiB", "GRPO465"),
        # a larger one holds them: what it holds is said
        ("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of 79.15 GiB of which", "60,924 MB"),
        ("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.", "60,924 MB"),
    ],
)  # fmt: skip
def test_a_full_gpu_is_compared_with_what_the_run_holds(log, told, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.sh").write_text(f"# grpo-lint: version=4.6.0\n{_FULL}")
    (tmp_path / "crash.log").write_text(log)
    main(["check", "--error", "crash.log", "run.sh"])
    captured = capsys.readouterr()
    shown = captured.out + captured.err
    assert told in shown
    assert ("GRPO465" in captured.out) == (told == "GRPO465")
