"""How a run of OpenRLHF is configured to begin with: as flags, for it reads no config files."""

from ..run_template import RunTemplate, Usual

_START = "python3 -m openrlhf.cli.train_ppo_ray"

TEMPLATE = RunTemplate(
    framework="openrlhf",
    about="a run of OpenRLHF with groups",
    config="""\
actor.model_name_or_path: <Qwen/Qwen2.5-0.5B-Instruct>
data.prompt_dataset: <prompts.jsonl>
reward.remote_url: <reward.py>
algo.advantage.estimator: rloo
rollout.n_samples_per_prompt: 8
train.colocate_all: true
vllm.num_engines: 8
vllm.enable_sleep: true
""",
    launcher=_START,
    launcher_of_flags=_START,
    steps="",
    epochs=("train.num_episodes", "num_episodes"),
    usual=Usual(group=8, update=1024),
)
