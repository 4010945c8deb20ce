"""What grpo-lint costs beside its peers: CPU seconds of whole processes, the programs in turn, all in one run.

    python benchmarks/start_up.py                             # the table of the README; takes a few minutes
    python benchmarks/start_up.py --files 200 --rounds 5      # a quick look

Run it with the interpreter of an environment in which `pip install '.[test]'` was done: it measures the programs that
stand beside that interpreter. CPU seconds are user and system time of a child and what it waited for, as the kernel
counts them, so that other work on the machine matters little. Only the ratios mean anything elsewhere.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

PROGRAMS = Path(sysconfig.get_path("scripts"))
CLEAN, FINDINGS = 0, 1

# --- the files ------------------------------------------------------------------------------------------------------

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


# Every file has batch numbers of its own (up to 2,000 files), so that no verdict can be remembered from another file.


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


TREES = {
    "clean, processes and version known": (clean, CLEAN),
    "10 % of them fail": (tenth_fails, FINDINGS),
    "processes unknown, version inferred": (facts_unknown, CLEAN),
    "YAML that is not ours": (foreign, CLEAN),
}


def write_tree(folder, count, text):
    folder.mkdir()
    for number in range(count):
        (folder / f"{number:05}.yaml").write_text(text(number))
    return folder


# --- measuring ------------------------------------------------------------------------------------------------------


def environment():
    """That of a user: bytecode is kept, and nothing of this project changes how the programs behave."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "GRPO_LINT", "YAMLLINT"))}


def cpu_seconds(command, folder, status):
    """User and system seconds of one run, which must end with `status`: a crash is not to be measured."""
    process = subprocess.Popen(command, cwd=folder, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, ended, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(ended)
    if process.returncode != status:
        sys.exit(f"start_up: exit status {process.returncode}, not {status}: {' '.join(map(str, command[:6]))}")
    return usage.ru_utime + usage.ru_stime


def medians(programs, folder, rounds):
    """{name: median CPU seconds} of {name: (command, status)}, run in turn; a first round fills caches and is not counted."""
    seconds = {name: [] for name in programs}
    for counted in [False] + [True] * rounds:
        for name, (command, status) in programs.items():
            spent = cpu_seconds(command, folder, status)
            if counted:
                seconds[name].append(spent)
    return {name: statistics.median(spent) for name, spent in seconds.items()}


def program(name):
    path = PROGRAMS / name
    if not path.exists():
        sys.exit(f"start_up: {name} is not installed beside {sys.executable}: pip install '.[test]'")
    return str(path)


# --- the tables -----------------------------------------------------------------------------------------------------


def one_file(folder, schema, rounds):
    file = "00000.yaml"
    nothing = "python -c pass"
    measured = medians(
        {
            nothing: ([sys.executable, "-c", "pass"], CLEAN),
            "grpo-lint": ([program("grpo-lint"), "check", file], CLEAN),
            "yamllint": ([program("yamllint"), file], CLEAN),
            "check-jsonschema": ([program("check-jsonschema"), "--schemafile", schema, file], CLEAN),
        },
        folder,
        rounds,
    )
    print("| one clean file, cold process | CPU ms | x pass | x yamllint |\n|---|---:|---:|---:|")
    for name, spent in measured.items():
        print(f"| {name} | {spent * 1000:.1f} | {spent / measured[nothing]:.2f} | {spent / measured['yamllint']:.2f} |")
    print(flush=True)


def many_files(folders, schema, count, rounds):
    print(f"| {count:,} files, one process | | CPU s | ms per file | x yamllint |\n|---|---|---:|---:|---:|")
    for name, folder in folders.items():
        programs = {
            "grpo-lint": ([program("grpo-lint"), "check", "."], TREES[name][1]),
            "yamllint": ([program("yamllint"), "."], CLEAN),
        }
        if TREES[name][0] is clean:
            files = sorted(path.name for path in folder.iterdir())
            programs["check-jsonschema"] = ([program("check-jsonschema"), "--schemafile", schema, *files], CLEAN)
        measured = medians(programs, folder, rounds)
        for peer, spent in measured.items():
            ratio = spent / measured["yamllint"]
            print(f"| {name} | {peer} | {spent:.2f} | {spent / count * 1000:.2f} | {ratio:.3f} |", flush=True)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--files", type=int, default=2000, help="files in a tree (default: 2000)")
    parser.add_argument("--rounds", type=int, default=21, help="rounds over one file (default: 21); trees take a seventh of it")
    return parser.parse_args()


def main():
    wanted = arguments()
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        schema = place / "schema.json"
        schema.write_text(json.dumps(SCHEMA))
        folders = {name: write_tree(place / text.__name__, wanted.files, text) for name, (text, _) in TREES.items()}
        one_file(write_tree(place / "one", 1, clean), schema, wanted.rounds)
        many_files(folders, schema, wanted.files, max(wanted.rounds // 7, 1))


if __name__ == "__main__":
    main()
