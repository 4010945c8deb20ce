"""What releases call their metrics on their console: (name, first release, first one without it). Read in the sources of its tags from 0.8.0 to 0.11.2."""

METRICS = {
    "reward": (
        ("rollout/reward_mean", "0.9.8", ""),
        ("reward", "0.8.1", ""),
    ),
    "length": (
        ("rollout/response_length_mean", "0.9.8", ""),
        ("response_length", "0.8.1", ""),
    ),
    "cut": (
        ("rollout/truncated_rate", "0.9.8", ""),
        ("response_clip_ratio", "0.8.3", "0.9.9"),
    ),
    "ratio_clipped": (("ppo_clip_ratio", "0.8.3", ""),),
    "kl": (("kl", "0.8.1", ""),),
    "entropy": (("entropy_loss", "0.8.1", ""),),
    "seconds": (("timing/step_total", "0.9.7", ""),),
}
# what a step of its log is
STEPS = "rollouts"
# how its logs are written: grpo_lint/logs/reading.py
FORMS = ("global",)
