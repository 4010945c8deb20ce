"""What releases call their metrics: (name, first release, first one without it). Written by conformance/metrics."""

METRICS = {
    "reward": (("reward", "3.1.1.post1", ""),),
    "spread": (("reward_std", "3.1.1.post1", ""),),
    "even": (("frac_reward_zero_std", "3.7.3", ""),),
    "kl": (("kl", "3.1.1.post1", ""),),
    "entropy": (("entropy", "3.7.3", ""), ("entropy/mean", "3.7.3", "")),
    "cut": (("completions/clipped_ratio", "3.3.1", ""), ("response_clip_ratio", "3.2.2", "3.3.1")),
    "length": (("completions/mean_length", "3.3.1", ""), ("completion_length", "3.1.1.post1", "3.3.1")),
    "ratio_clipped": (
        ("clip_ratio/region_mean", "3.4.1.post1", ""),
        ("clip_ratio", "3.2.2", "3.4.1.post1"),
        ("clip_ratio", "3.5.3", ""),
    ),
    "seconds": (("train_speed(s/it)", "3.12.6", "4.0.4"),),
    "updates_a_second": (("train_speed(iter/s)", "3.1.1.post1", "3.12.6"),),
}
# what a step of its log is
STEPS = "updates"
# how its logs are written: grpo_lint/logs/reading.py
FORMS = ("state", "mappings", "counters")
