"""Configs for an empty file: a minimal run for each framework."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# {name: (framework, what is chosen, lines)}; the user replaces `<..>` first.
MINIMAL_CONFIGS = {
    "trl-grpo": ("trl", "a GRPO config of TRL", """\
# grpo-lint: dialect=trl version={version} world-size=<8>
model_name_or_path: <Qwen/Qwen2.5-0.5B-Instruct>
dataset_name: <trl-lib/DeepMath-103K>
output_dir: <outputs/grpo>
reward_funcs: [<accuracy_reward>]
num_generations: 8
per_device_train_batch_size: 8
gradient_accumulation_steps: 4
max_completion_length: <1024>
learning_rate: 1.0e-6
max_steps: <500>
bf16: true
"""),
    "swift-grpo": ("swift", "a GRPO config of ms-swift", """\
# grpo-lint: version={version} world-size=<8>
rlhf_type: grpo
model: <Qwen/Qwen2.5-0.5B-Instruct>
dataset: [<AI-MO/NuminaMath-TIR#1000>]
output_dir: <outputs/grpo>
reward_funcs: [<accuracy>]
num_generations: 8
per_device_train_batch_size: 8
gradient_accumulation_steps: 4
max_completion_length: <1024>
tuner_type: full
learning_rate: 1.0e-6
max_steps: <500>
"""),
    "megatron-grpo": ("megatron", "a GRPO config of Megatron-SWIFT", """\
# grpo-lint: dialect=megatron version={version} world-size=<8>
rlhf_type: grpo
model: <Qwen/Qwen2.5-7B-Instruct>
dataset: [<AI-MO/NuminaMath-TIR#1000>]
output_dir: <outputs/grpo>
reward_funcs: [<accuracy>]
num_generations: 8
micro_batch_size: 1
global_batch_size: 64
tensor_model_parallel_size: 2
max_completion_length: <1024>
lr: 1.0e-6
train_iters: <500>
use_vllm: true
vllm_mode: colocate
"""),
}  # fmt: skip

# The frameworks that are usually given a command and no file.
COMMANDS = {
    "verl": """\
python3 -m verl.trainer.main_ppo \\
    algorithm.adv_estimator=grpo \\
    data.train_files=train.parquet \\
    data.val_files=val.parquet \\
    actor_rollout_ref.model.path=Qwen/Qwen2.5-0.5B-Instruct \\
    actor_rollout_ref.rollout.name=vllm \\
    actor_rollout_ref.rollout.tensor_model_parallel_size=1
""",
    "easyr1": """\
python3 -m verl.trainer.main \\
    data.train_files=train.parquet \\
    data.val_files=val.parquet \\
    worker.actor.model.model_path=Qwen/Qwen2.5-0.5B-Instruct \\
    worker.rollout.tensor_parallel_size=1
""",
}
# How a run of so many processes is started: {framework: the command before the config}.
LAUNCHERS = {
    "trl": "accelerate launch --num_processes {processes} train_grpo.py --config config.yaml",
    "swift": "NNODES={nodes} NPROC_PER_NODE={per_node} swift rlhf config.yaml",
    "megatron": "NNODES={nodes} NPROC_PER_NODE={per_node} megatron rlhf config.yaml",
}

# The same without a file, where that differs.
STARTS_OF_FLAGS = {
    "trl": "accelerate launch --num_processes {processes} -m trl.scripts.grpo",
    "verl": "python3 -m verl.trainer.main_ppo",
    "easyr1": "python3 -m verl.trainer.main",
}


def of_older_releases(has: "Callable[[str], bool]") -> "list[str]":
    """The lines that a minimal config needs in releases that lack settings of the newest one."""
    return ["load_safetensors: true"] if has("load_safetensors") and not has("output_dir") else []


# What ends a run: {framework: (the setting of steps in its minimal config, those of epochs, the newest name first)}.
ENDS = {
    "trl": ("max_steps", ("num_train_epochs",)),
    "swift": ("max_steps", ("num_train_epochs",)),
    "megatron": ("train_iters", ("num_train_epochs", "max_epochs")),
    "verl": ("", ("trainer.total_epochs",)),
    "easyr1": ("", ("trainer.total_epochs", "trainer.total_episodes")),
}
