"""How a run of slime is configured to begin with."""

from ..run_template import RunTemplate, Usual

TEMPLATE = RunTemplate(
    framework="slime",
    command="""\
python3 train.py \\
    --hf-checkpoint Qwen/Qwen3-4B \\
    --ref-load Qwen3-4B_torch_dist \\
    --prompt-data dapo-math-17k.jsonl \\
    --actor-num-nodes 1 \\
    --actor-num-gpus-per-node 8 \\
    --colocate \\
    --num-rollout 3000 \\
    --rollout-batch-size 32 \\
    --n-samples-per-prompt 8 \\
    --global-batch-size 256
""",
    launcher_of_flags="python3 train.py",
    steps="num_rollout",
    epochs=("num_epoch",),
    engine_size="rollout_num_gpus_per_engine",
    usual=Usual(group=8, update=256),
)
