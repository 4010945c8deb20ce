"""What releases call their metrics: (name, first release, first one without it). Written by conformance/metrics."""

METRICS = {
    "reward": (("reward", "3.11.3", ""),),
    "spread": (("reward_std", "3.11.3", ""),),
    "even": (("frac_reward_zero_std", "3.11.3", ""),),
    "kl": (("kl", "3.9.3", ""),),
    "length": (("completions/mean_length", "3.11.3", ""),),
    "ratio_clipped": (("clip_ratio/region_mean", "3.11.3", ""),),
    "seconds": (("train_speed(s/it)", "4.0.4", ""),),
}
# what a step of its log is
STEPS = "updates"
# how its logs are written: grpo_lint/logs/reading.py
FORMS = ("mappings", "counters")
