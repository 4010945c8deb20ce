"""What releases call their metrics: (name, first release, first one without it). Written by conformance/metrics."""

METRICS = {
    "reward": (("critic/rewards/mean", "0.2", ""),),
    "score": (("critic/score/mean", "0.2", ""),),
    "cut": (("response_length/clip_ratio", "0.2", ""),),
    "length": (("response_length/mean", "0.2", ""),),
    "ratio_clipped": (("actor/pg_clipfrac", "0.2", ""),),
    "kl": (("actor/kl_loss", "0.2", ""),),
    "entropy": (
        ("actor/entropy", "0.4.0", ""),
        ("actor/entropy_loss", "0.2", "0.4.1"),
        ("actor/entropy_loss", "0.7.1", ""),
    ),
    "tokens": (("perf/total_num_tokens", "0.3.0.post0", ""),),
    "seconds": (("perf/time_per_step", "0.3.0.post0", ""),),
}
# what a step of its log is
STEPS = "rollouts"
# how its logs are written: grpo_lint/logs/reading.py
FORMS = ("steps", "records")
