"""What releases call their metrics: (name, first release, first one without it). Written by conformance/metrics."""

METRICS = {
    "reward": (("reward", "0.14.0", ""),),
    "spread": (("reward_std", "0.14.0", ""),),
    "even": (("frac_reward_zero_std", "0.18.2", ""),),
    "kl": (("kl", "0.14.0", ""),),
    "entropy": (("entropy", "0.20.0", ""),),
    "cut": (("completions/clipped_ratio", "0.17.0", ""),),
    "length": (("completions/mean_length", "0.17.0", ""), ("completion_length", "0.14.0", "0.17.0")),
    "ratio_clipped": (("clip_ratio/region_mean", "0.17.0", ""), ("clip_ratio", "0.16.1", "1.14.2")),
    "tokens_so_far": (("num_tokens", "0.16.1", ""),),
    "seconds": (("step_time", "0.26.2", ""),),
}
# what a step of its log is
STEPS = "updates"
# how its logs are written: grpo_lint/logs/reading.py
FORMS = ("state", "mappings")
