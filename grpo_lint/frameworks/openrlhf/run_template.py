"""How a run of OpenRLHF is configured to begin with."""

from ..run_template import RunTemplate

TEMPLATE = RunTemplate(
    framework="openrlhf",
    command="""\
python3 -m openrlhf.cli.train_ppo_ray \\
    --actor.model_name_or_path Qwen/Qwen2.5-0.5B-Instruct \\
    --data.prompt_dataset prompts.jsonl \\
    --reward.remote_url reward.py \\
    --algo.advantage.estimator group_norm \\
    --rollout.n_samples_per_prompt 8 \\
    --vllm.num_engines 8
""",
    launcher_of_flags="python3 -m openrlhf.cli.train_ppo_ray",
    steps="",
    epochs=("train.num_episodes", "num_episodes"),
)
