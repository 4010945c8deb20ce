"""How a run of ms-swift is configured to begin with."""

from ...run_template import RunTemplate, Saver

_LORA = {"tuner_type": "lora", "train_type": "lora"}  # the second name before 4.0
TEMPLATE = RunTemplate(
    framework="swift",
    about="a GRPO config of ms-swift",
    config="""\
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
""",
    launcher="NNODES={nodes} NPROC_PER_NODE={per_node} swift rlhf config.yaml",
    steps="max_steps",
    savers=(
        Saver(settings={"deepspeed": "zero3"}),
        Saver(settings=_LORA, spreads=False),
        Saver(settings={**_LORA, "deepspeed": "zero3"}),
    ),
    epochs=("num_train_epochs",),
)
