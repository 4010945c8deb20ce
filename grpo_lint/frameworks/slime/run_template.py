"""How a run of slime is configured to begin with."""

from ..run_template import RunTemplate, Usual

# Files of slime's scripts/models, by the models whose layers they describe.
_QWEN_25 = {
    f"Qwen/Qwen2.5-{size}{kind}": f"qwen2.5-{size}"
    for size in ("0.5B", "1.5B", "3B", "7B", "32B")
    for kind in ("", "-Instruct")
}
_QWEN_3 = {
    f"Qwen/Qwen3-{size}": f"qwen3-{size}"
    for size in ("0.6B", "1.7B", "4B", "8B", "14B", "32B", "30B-A3B", "235B-A22B", "4B-Instruct-2507")
}
_OTHERS = {
    "meta-llama/Llama-3.1-8B-Instruct": "llama3.1-8B-Instruct",
    "meta-llama/Llama-3.2-3B-Instruct": "llama3.2-3B-Instruct",
    "zai-org/GLM-4.5": "glm4.5-355B-A32B",
    "zai-org/GLM-4.5-Air": "glm4.5-106B-A12B",
    "deepseek-ai/DeepSeek-V3": "deepseek-v3",
    "deepseek-ai/DeepSeek-R1": "deepseek-v3",
    "moonshotai/Moonlight-16B-A3B-Instruct": "moonlight",
}  # fmt: skip

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
    model_files=_QWEN_25 | _QWEN_3 | _OTHERS,
    of_model=("source scripts/models/{file}.sh", '"${MODEL_ARGS[@]}"'),
    layers="num_layers",
    steps="num_rollout",
    epochs=("num_epoch",),
    engine_size="rollout_num_gpus_per_engine",
    usual=Usual(group=8, update=256),
)
