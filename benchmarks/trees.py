"""The files that are measured: configs that are checked, other YAML, and a repository that holds both."""

FACTS = "# grpo-lint: dialect=trl version=1.16.0 world-size=7\n"
RECIPE = """\
---
# Model
model_name_or_path: Qwen/Qwen2.5-1.5B-Instruct
model_revision: main
dtype: bfloat16
attn_implementation: flash_attention_2

# Data
dataset_name: example/math-{number}
dataset_config: default
dataset_train_split: train
dataset_test_split: test
reward_funcs:
  - accuracy
  - format
  - tag_count
reward_weights:
  - 1.0
  - 0.5
  - 0.5

# Generation
num_generations: {group}
max_completion_length: 2048
temperature: 0.7
top_p: 0.95
use_vllm: true
vllm_mode: colocate
vllm_tensor_parallel_size: 1
vllm_enable_sleep_mode: true
vllm_gpu_memory_utilization: 0.85

# Batch
per_device_train_batch_size: {micro_batch}
max_grad_norm: 1.0
gradient_accumulation_steps: {accumulation}
gradient_checkpointing: true
gradient_checkpointing_kwargs:
  use_reentrant: false

# Optimisation
learning_rate: 1.0e-06
lr_scheduler_type: cosine_with_min_lr
lr_scheduler_kwargs:
  min_lr_rate: 0.1
warmup_steps: 50
max_steps: -1
num_train_epochs: 1
beta: 0.04
loss_type: bnpo
bf16: true
seed: {number}

# Evaluation, logs, checkpoints
do_eval: false
eval_strategy: "no"
log_completions: true
logging_steps: 1
output_dir: runs/{number}
save_strategy: steps
save_steps: 200
"""
TRAIN = """\
from trl import GRPOConfig, GRPOTrainer, ModelConfig, TrlParser
from trl.scripts.grpo import GRPOScriptArguments

if __name__ == "__main__":
    _, arguments, _ = TrlParser((GRPOScriptArguments, GRPOConfig, ModelConfig)).parse_args_and_config()
    GRPOTrainer(args=arguments).train()
"""
FOREIGN = """\
---
services:
  web-{number}:
    image: example/web:{number}
    restart: unless-stopped
    depends_on: [cache, database]
    environment:
      DATABASE_URL: postgres://database:5432/web
      CACHE_URL: redis://cache:6379/0
      LOG_LEVEL: info
    ports:
      - "8080:8080"
    healthcheck:
      test: ["CMD", "wget", "-q", "-O", "-", "http://localhost:8080/"]
      interval: 30s
      retries: 3
  worker:
    image: example/web:{number}
    command: ["python", "-m", "worker"]
    environment:
      DATABASE_URL: postgres://database:5432/web
      CONCURRENCY: "4"
    deploy:
      replicas: 2
      resources:
        limits:
          cpus: "2"
          memory: 1g
  cache:
    image: redis:7
    command: ["redis-server", "--save", "60", "1"]
    volumes:
      - cache:/data
  database:
    image: postgres:16
    environment:
      POSTGRES_DB: web
      POSTGRES_PASSWORD_FILE: /run/secrets/database
    secrets:
      - database
    volumes:
      - database:/var/lib/postgresql/data
  proxy:
    image: nginx:1.27
    depends_on: [web-{number}]
    ports:
      - "80:80"
      - "443:443"
    volumes:
      - ./nginx.conf:/etc/nginx/nginx.conf:ro
secrets:
  database:
    file: ./database.txt
volumes:
  cache: {{}}
  database: {{}}
networks:
  default:
    name: web-{number}
"""
SCHEMA = {
    "type": "object",
    "required": ["num_generations", "per_device_train_batch_size"],
    "properties": {
        "num_generations": {"type": "integer", "minimum": 2},
        "per_device_train_batch_size": {"type": "integer", "minimum": 1},
        "gradient_accumulation_steps": {"type": "integer", "minimum": 1},
        "max_completion_length": {"type": "integer", "minimum": 1},
        "learning_rate": {"type": "number", "exclusiveMinimum": 0},
        "temperature": {"type": "number", "minimum": 0},
        "reward_funcs": {"type": "array", "items": {"type": "string"}},
        "eval_strategy": {"enum": ["no", "steps", "epoch"]},
    },
}


# Every file has its own batch numbers (up to 2,000 files), so that no verdict can be cached from another file.


# A typical script of 60 lines for verl, and the same settings as a file of the same size.
VERL_SCRIPT = r"""#!/bin/bash
set -x

export VLLM_USE_V1=1

python3 -m verl.trainer.main_ppo \
    algorithm.adv_estimator=grpo \
    data.train_files=$HOME/data/gsm8k/train.parquet \
    data.val_files=$HOME/data/gsm8k/test.parquet \
    data.train_batch_size=1024 \
    data.max_prompt_length=512 \
    data.max_response_length=1024 \
    data.filter_overlong_prompts=True \
    data.truncation='error' \
    data.shuffle=True \
    data.seed=42 \
    actor_rollout_ref.model.path=Qwen/Qwen2.5-7B-Instruct \
    actor_rollout_ref.model.use_remove_padding=True \
    actor_rollout_ref.model.enable_gradient_checkpointing=True \
    actor_rollout_ref.actor.optim.lr=1e-6 \
    actor_rollout_ref.actor.optim.lr_warmup_steps=10 \
    actor_rollout_ref.actor.optim.weight_decay=0.1 \
    actor_rollout_ref.actor.ppo_mini_batch_size=256 \
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=16 \
    actor_rollout_ref.actor.use_kl_loss=True \
    actor_rollout_ref.actor.kl_loss_coef=0.001 \
    actor_rollout_ref.actor.kl_loss_type=low_var_kl \
    actor_rollout_ref.actor.entropy_coeff=0 \
    actor_rollout_ref.actor.clip_ratio_low=0.2 \
    actor_rollout_ref.actor.clip_ratio_high=0.28 \
    actor_rollout_ref.actor.grad_clip=1.0 \
    actor_rollout_ref.actor.loss_agg_mode=token-mean \
    actor_rollout_ref.actor.ppo_epochs=1 \
    actor_rollout_ref.actor.fsdp_config.param_offload=False \
    actor_rollout_ref.actor.fsdp_config.optimizer_offload=False \
    actor_rollout_ref.rollout.name=vllm \
    actor_rollout_ref.rollout.n=8 \
    actor_rollout_ref.rollout.temperature=1.0 \
    actor_rollout_ref.rollout.top_p=1.0 \
    actor_rollout_ref.rollout.top_k=-1 \
    actor_rollout_ref.rollout.gpu_memory_utilization=0.6 \
    actor_rollout_ref.rollout.tensor_model_parallel_size=2 \
    actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=32 \
    actor_rollout_ref.rollout.enforce_eager=False \
    actor_rollout_ref.rollout.free_cache_engine=True \
    actor_rollout_ref.rollout.max_num_batched_tokens=8192 \
    actor_rollout_ref.rollout.val_kwargs.temperature=0.6 \
    actor_rollout_ref.rollout.val_kwargs.do_sample=True \
    actor_rollout_ref.ref.log_prob_micro_batch_size_per_gpu=32 \
    actor_rollout_ref.ref.fsdp_config.param_offload=True \
    algorithm.use_kl_in_reward=False \
    trainer.critic_warmup=0 \
    trainer.logger='["console","wandb"]' \
    trainer.project_name=verl_grpo_gsm8k \
    trainer.experiment_name=qwen2_5_7b \
    trainer.n_gpus_per_node=8 \
    trainer.nnodes=1 \
    trainer.save_freq=20 \
    trainer.test_freq=5 \
    trainer.val_before_train=False \
    trainer.total_epochs=15
"""
VERL_FILE = """---
algorithm:
  adv_estimator: grpo
  use_kl_in_reward: false
data:
  train_files: $HOME/data/gsm8k/train.parquet
  val_files: $HOME/data/gsm8k/test.parquet
  train_batch_size: 1024
  max_prompt_length: 512
  max_response_length: 1024
  filter_overlong_prompts: true
  truncation: error
  shuffle: true
  seed: 42
actor_rollout_ref:
  model:
    path: Qwen/Qwen2.5-7B-Instruct
    use_remove_padding: true
    enable_gradient_checkpointing: true
  actor:
    optim:
      lr: 1e-6
      lr_warmup_steps: 10
      weight_decay: 0.1
    ppo_mini_batch_size: 256
    ppo_micro_batch_size_per_gpu: 16
    use_kl_loss: true
    kl_loss_coef: 0.001
    kl_loss_type: low_var_kl
    entropy_coeff: 0
    clip_ratio_low: 0.2
    clip_ratio_high: 0.28
    grad_clip: 1.0
    loss_agg_mode: token-mean
    ppo_epochs: 1
    fsdp_config:
      param_offload: false
      optimizer_offload: false
  rollout:
    name: vllm
    n: 8
    temperature: 1.0
    top_p: 1.0
    top_k: -1
    gpu_memory_utilization: 0.6
    tensor_model_parallel_size: 2
    log_prob_micro_batch_size_per_gpu: 32
    enforce_eager: false
    free_cache_engine: true
    max_num_batched_tokens: 8192
    val_kwargs:
      temperature: 0.6
      do_sample: true
  ref:
    log_prob_micro_batch_size_per_gpu: 32
    fsdp_config:
      param_offload: true
trainer:
  critic_warmup: 0
  logger: [console]
  project_name: verl_grpo_gsm8k
"""


def clean(number):
    return FACTS + recipe(number, group=7, micro_batch=1 + number % 40, accumulation=1 + number // 40 % 50)


def tenth_fails(number):
    if number % 10:
        return clean(number)
    return FACTS + recipe(number, group=8, micro_batch=1 + number % 40 * 2, accumulation=1 + number // 40 % 50 * 2)


def facts_unknown(number):
    return clean(number).removeprefix(FACTS)


def recipe(number, group, micro_batch, accumulation):
    return RECIPE.format(number=number, group=group, micro_batch=micro_batch, accumulation=accumulation)


def foreign(number):
    return FOREIGN.format(number=number)


PROGRAM = "import torch\nfrom transformers import Trainer, TrainingArguments\n\n" + "\n\n".join(
    f"def reward_{number}(completions, **kwargs):\n    return [float(len(each)) / {number + 1} for each in completions]"
    for number in range(60)
)


def foreign_program(number):
    """The text of a Python file that trains something else."""
    return f"# file {number}\n{PROGRAM}\n"


WORKFLOW = """\
name: tests
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    strategy:
      matrix:
        python: ["3.10", "3.11", "3.12"]
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: ${{ matrix.python }}
      - run: pip install .
      - run: pytest
"""
SCRIPT = "#!/bin/bash\nset -e\naccelerate launch --num_processes 7 train.py --config recipes/{number:05}.yaml\n"
IGNORED = "__pycache__/\n*.py[cod]\n*.egg-info/\n.env\n.venv/\nbuild/\ndist/\n*.log\n.coverage\nhtmlcov/\n.pytest_cache/\nwandb/\noutputs/\n/runs\n*.tmp.yaml\n!keep.tmp.yaml\n"


def write_tree(folder, count, text, suffix=".yaml"):
    folder.mkdir(parents=True)
    for number in range(count):
        (folder / f"{number:05}{suffix}").write_text(text(number))
    return folder


def write_repository(folder, foreign_files, own_files):
    """Write a repository in which most YAML is not checked. Returns the paths of all its YAML, as `git ls-files` lists
    them."""
    (folder / ".git").mkdir(parents=True)
    (folder / ".gitignore").write_text(IGNORED)
    (folder / "requirements.txt").write_text("torch\ntrl==1.16.0\n")
    (folder / "train.py").write_text("from trl import GRPOTrainer\n")
    for first in range(0, foreign_files, 100):
        write_tree(
            folder / "services" / f"{first // 1000:03}" / f"{first // 100 % 10}",
            min(100, foreign_files - first),
            lambda number: foreign(first + number),
        )
    write_tree(folder / "recipes", own_files, facts_unknown)
    (folder / "scripts").mkdir()
    for number in range(0, own_files, 10):
        (folder / "scripts" / f"{number:05}.sh").write_text(SCRIPT.format(number=number))
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.yaml"))


# --- a repository of research code ----------------------------------------------------------------------------------

TRAINING_PROGRAM = """\
import logging
import os
from dataclasses import dataclass, field
from datetime import datetime
from typing import Optional

import torch
from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer, ModelConfig, ScriptArguments, TrlParser, get_peft_config

from {package}.library.module_{first} import reward_{first}
from {package}.library.module_{second} import reward_{second}
from {package}.library.module_{third} import *

logger = logging.getLogger(__name__)


@dataclass
class Arguments{number}(ScriptArguments):
    own_argument_{number}: Optional[int] = field(default={number}, metadata={{"help": "an argument of this program"}})
    reward_funcs: list[str] = field(default_factory=lambda: ["accuracy", "format"])

{functions}

def main(script_args, training_args, model_args):
    dataset = load_dataset(script_args.dataset_name, name=script_args.dataset_config)
    rewards = [reward_{first}, reward_{second}]
    trainer = GRPOTrainer(
        model=model_args.model_name_or_path,
        reward_funcs=rewards,
        args=training_args,
        train_dataset=dataset[script_args.dataset_train_split],
        peft_config=get_peft_config(model_args),
    )
    trainer.train()
    trainer.save_model(training_args.output_dir)


if __name__ == "__main__":
    parser = TrlParser((Arguments{number}, GRPOConfig, ModelConfig))
    main(*parser.parse_args_and_config())
"""
FUNCTION = '''

def reward_{name}(completions, solution, **kwargs):
    """Reward one for each completion whose answer is the solution, and nothing for the others."""
    contents = [completion[0]["content"] for completion in completions]
    rewards = []
    for content, expected in zip(contents, solution):
        reward = 0.0
        try:
            answer = content.split("<answer>")[1].split("</answer>")[0].strip()
            if float(answer) == float(expected):
                reward = 1.0
        except (IndexError, ValueError) as error:
            logger.warning("no answer in %s: %s", content[:100], error)
        if os.getenv("DEBUG_MODE") == "true":
            with open(os.getenv("LOG_PATH"), "a") as file:
                file.write(f"{{datetime.now()}} reward: {{reward}} content: {{content}} solution: {{expected}}\\n")
        rewards.append(reward)
    return rewards
'''
MODULE = '''\
"""Helpers for reading, scoring and writing what a model said about number {number}."""

import json
import logging
import os
from datetime import datetime

from . import module_{next}

logger = logging.getLogger(__name__)


class ScoreConfig{number}:
    threshold = 0.5
{functions}'''
RESEARCH_SCRIPT = """\
#!/bin/bash
export DEBUG_MODE="true"
export LOG_PATH="./log_{number}.txt"
torchrun --nproc_per_node 8 --nnodes 1 --master_port 12{number:03} {program} --config configs/{number:03}.yaml --run_name run-{number}
"""


def write_research_repository(folder, packages=3, programs=13, modules=100, configs=40, others=2400):
    """Write a repository of several packages: Python programs that train and share modules, configs with keys of these
    programs, and scripts."""
    (folder / ".git").mkdir(parents=True)
    (folder / ".gitignore").write_text(IGNORED)
    (folder / "configs").mkdir()
    for package in range(packages):
        _write_package(folder / f"package{package}", programs, modules)
    for number in range(configs):
        text = facts_unknown(number) + f"own_argument_{number % programs}: 1\nan_argument_of_nobody: 2\n"
        (folder / "configs" / f"{number:03}.yaml").write_text(text)
        if number % 2:  # the others are started by hand
            program = f"package{number % packages}/train_{number % programs}.py"
            (folder / f"run_{number:03}.sh").write_text(RESEARCH_SCRIPT.format(number=number, program=program))
    for number in range(others):
        (folder / "data" / f"{number // 100:02}").mkdir(parents=True, exist_ok=True)
        (folder / "data" / f"{number // 100:02}" / f"{number:04}.{('json', 'png', 'md')[number % 3]}").write_text(
            '{"answer": 1}\n'
        )


def _write_package(folder, programs, modules):
    (folder / "library").mkdir(parents=True)
    (folder / "library" / "__init__.py").write_text("")
    for number in range(modules):
        functions = "".join(FUNCTION.format(name=f"{number}" if not each else f"{number}_{each}") for each in range(15))
        (folder / "library" / f"module_{number}.py").write_text(
            MODULE.format(number=number, next=(number + 1) % modules, functions=functions)
        )
    for number in range(programs):
        functions = "".join(FUNCTION.format(name=f"own_{each}") for each in range(12))
        text = TRAINING_PROGRAM.format(
            number=number, package=folder.name, first=number, second=number + 1, third=number + 2, functions=functions
        )
        (folder / f"train_{number}.py").write_text(text)


# runs of other frameworks, about 60 lines each
NEMO_FILE = """\
# grpo-lint: dialect=nemo-rl version=0.7.0
defaults: grpo_math_1B.yaml
grpo:
  num_prompts_per_step: 64
  num_generations_per_prompt: 16
  max_num_steps: 500
  max_num_epochs: 1
  max_rollout_turns: 1
  normalize_rewards: true
  use_leave_one_out_baseline: true
  val_period: 20
  val_at_start: false
  max_val_samples: 256
  val_batch_size: 256
  overlong_filtering: false
  seed: 42
loss_fn:
  reference_policy_kl_penalty: 0.01
  ratio_clip_min: 0.2
  ratio_clip_max: 0.28
  use_on_policy_kl_approximation: false
  use_importance_sampling_correction: false
  token_level_loss: true
checkpointing:
  enabled: true
  checkpoint_dir: results/own
  metric_name: val:accuracy
  higher_is_better: true
  keep_top_k: 3
  save_period: 20
policy:
  model_name: Qwen/Qwen2.5-7B-Instruct
  train_global_batch_size: 512
  train_micro_batch_size: 4
  logprob_batch_size: 4
  max_total_sequence_length: 4096
  precision: bfloat16
  dtensor_cfg:
    enabled: true
    cpu_offload: false
    sequence_parallel: false
    activation_checkpointing: true
    tensor_parallel_size: 2
    context_parallel_size: 1
  sequence_packing:
    enabled: true
  max_grad_norm: 1.0
  generation:
    backend: vllm
    max_new_tokens: 4096
    temperature: 1.0
    top_p: 1.0
    vllm_cfg:
      tensor_parallel_size: 2
      gpu_memory_utilization: 0.6
logger:
  log_dir: logs
  wandb_enabled: false
cluster:
  gpus_per_node: 8
  num_nodes: 1
"""
SLIME_SCRIPT = r"""#!/bin/bash
# grpo-lint: version=0.3.1
set -ex
export PYTHONUNBUFFERED=1

CKPT_ARGS=(
   --hf-checkpoint Qwen/Qwen3-4B
   --ref-load Qwen3-4B_torch_dist
   --load Qwen3-4B_slime
   --save Qwen3-4B_slime
   --save-interval 20
)
ROLLOUT_ARGS=(
   --prompt-data dapo-math-17k.jsonl
   --input-key prompt
   --label-key label
   --apply-chat-template
   --rollout-shuffle
   --rm-type deepscaler
   --num-rollout 3000
   --rollout-batch-size 32
   --n-samples-per-prompt 8
   --rollout-max-response-len 8192
   --rollout-temperature 1.0
   --global-batch-size 256
   --balance-data
)
PERF_ARGS=(
   --tensor-model-parallel-size 2
   --sequence-parallel
   --pipeline-model-parallel-size 1
   --context-parallel-size 1
   --recompute-granularity full
   --recompute-method uniform
   --recompute-num-layers 1
   --use-dynamic-batch-size
   --max-tokens-per-gpu 9216
)
GRPO_ARGS=(
   --advantage-estimator grpo
   --use-kl-loss
   --kl-loss-coef 0.001
   --kl-loss-type low_var_kl
   --entropy-coef 0.00
   --eps-clip 0.2
   --eps-clip-high 0.28
)
OPTIMIZER_ARGS=(
   --optimizer adam
   --lr 1e-6
   --lr-decay-style constant
   --weight-decay 0.1
   --adam-beta1 0.9
   --adam-beta2 0.98
)
python3 train.py --actor-num-nodes 1 --actor-num-gpus-per-node 8 --colocate \
   --rollout-num-gpus-per-engine 2 --sglang-mem-fraction-static 0.7 \
   ${CKPT_ARGS[@]} ${ROLLOUT_ARGS[@]} ${PERF_ARGS[@]} ${GRPO_ARGS[@]} \
   ${OPTIMIZER_ARGS[@]}
"""
OPENRLHF_SCRIPT = r"""#!/bin/bash
# grpo-lint: version=0.11.2
set -x
export VLLM_USE_V1=1
MODEL=Qwen/Qwen2.5-7B-Instruct
SAVED=checkpoints/own

python3 -m openrlhf.cli.train_ppo_ray \
   --actor.model_name_or_path $MODEL \
   --actor.num_nodes 1 \
   --actor.num_gpus_per_node 8 \
   --ref.num_nodes 1 \
   --ref.num_gpus_per_node 8 \
   --vllm.num_engines 4 \
   --vllm.tensor_parallel_size 2 \
   --vllm.gpu_memory_utilization 0.6 \
   --vllm.enable_sleep \
   --train.colocate_all \
   --train.batch_size 512 \
   --train.micro_batch_size 4 \
   --train.max_epochs 1 \
   --train.num_episodes 1 \
   --train.seed 42 \
   --rollout.batch_size 64 \
   --rollout.micro_batch_size 8 \
   --rollout.n_samples_per_prompt 8 \
   --rollout.max_new_tokens 2048 \
   --rollout.temperature 1.0 \
   --rollout.top_p 1.0 \
   --data.prompt_dataset prompts.jsonl \
   --data.input_key prompt \
   --data.label_key label \
   --data.apply_chat_template \
   --data.max_samples 100000 \
   --data.max_len 4096 \
   --reward.remote_url reward.py \
   --reward.normalize_enable \
   --algo.advantage.estimator group_norm \
   --algo.kl.init_coef 0.001 \
   --algo.kl.use_loss \
   --algo.kl.estimator k3 \
   --actor.eps_clip 0.2 \
   --actor.gradient_checkpointing_enable \
   --actor.adam.lr 1e-6 \
   --actor.lr_scheduler constant_with_warmup \
   --actor.max_norm 1.0 \
   --ds.zero_stage 3 \
   --ds.param_dtype bf16 \
   --ds.adam_offload \
   --ds.packing_samples \
   --eval.steps -1 \
   --ckpt.output_dir $SAVED/final \
   --ckpt.path $SAVED/steps \
   --ckpt.save_steps 20 \
   --ckpt.max_num 3 \
   --ckpt.save_hf \
   --ckpt.load_enable \
   --logger.logging_steps 1 \
   --logger.tensorboard_dir logs
"""
