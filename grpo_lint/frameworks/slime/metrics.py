"""What releases call their metrics on their console: (name, first release, first one without it). Read in the sources of 0.2.1, 0.2.3 and 0.3.1."""

METRICS = {
    "reward": (("rollout/raw_reward", "0.2.1", ""),),
    "length": (("rollout/response_len/mean", "0.2.1", ""),),
    "cut": (("rollout/truncated_ratio", "0.2.1", ""),),
    "ratio_clipped": (("train/pg_clipfrac", "0.2.1", ""),),
    "kl": (("train/kl_loss", "0.2.1", ""),),
    "entropy": (("train/entropy_loss", "0.2.1", ""),),
    "seconds": (("perf/step_time", "0.2.1", ""),),
}
# what a step of its log is
STEPS = "rollouts"
# how its logs are written: grpo_lint/logs/reading.py
FORMS = ("rollouts",)
