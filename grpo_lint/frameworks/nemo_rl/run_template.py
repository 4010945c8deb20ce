"""How a run of NeMo-RL is configured to begin with."""

from ..run_template import RunTemplate, Usual

TEMPLATE = RunTemplate(
    framework="nemo-rl",
    command="""\
uv run examples/run_grpo.py \\
    --config examples/configs/grpo_math_1B.yaml \\
    policy.model_name=Qwen/Qwen2.5-0.5B-Instruct
""",
    older_program=("run_grpo.py", "run_grpo_math.py", (0, 5)),
    launcher_of_flags="uv run examples/run_grpo.py",
    builds_on={"--config-name": "grpo_math_1B"},
    steps="grpo.max_num_steps",
    epochs=("grpo.max_num_epochs",),
    engine_size="policy.generation.vllm_cfg.tensor_parallel_size",
    usual=Usual(group=32, update=512, updates=4),
)
