"""How a run of Megatron-SWIFT is configured to begin with."""

from ...run_template import RunTemplate, Saver

TEMPLATE = RunTemplate(
    framework="megatron",
    about="a GRPO config of Megatron-SWIFT",
    config="""\
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
""",
    launcher="NNODES={nodes} NPROC_PER_NODE={per_node} megatron rlhf config.yaml",
    steps="train_iters",
    savers=(Saver(settings={"tuner_type": "lora", "train_type": "lora"}),),
    engine_size="vllm_tensor_parallel_size",
    epochs=("num_train_epochs", "max_epochs"),
    older_lines={"load_safetensors: true": ("load_safetensors", "output_dir")},
)
