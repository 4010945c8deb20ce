"""How a run of TRL is configured to begin with."""

from ..run_template import RunTemplate, Saver

_ZERO_3 = ("accelerate launch", "--use_deepspeed --zero_stage 3")
_LORA = {"use_peft": "true", "dtype": "bfloat16", "torch_dtype": "bfloat16"}  # the second name before 0.24
TEMPLATE = RunTemplate(
    framework="trl",
    about="a GRPO config of TRL",
    config="""\
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
""",
    launcher="accelerate launch --num_processes {processes} train_grpo.py --config config.yaml",
    launcher_of_flags="accelerate launch --num_processes {processes} -m trl.scripts.grpo",
    steps="max_steps",
    savers=(
        Saver(launcher=_ZERO_3),
        Saver(settings=_LORA, spreads=False),
        Saver(settings=_LORA, launcher=_ZERO_3),
    ),
    epochs=("num_train_epochs",),
)
