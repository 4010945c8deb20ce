"""What releases call their metrics: (name, first release, first one without it). Written by conformance/metrics."""

METRICS = {
    "reward": (("critic/rewards/mean", "0.3.0", ""),),
    "score": (("critic/score/mean", "0.3.0", ""),),
    "cut": (("response_length/clip_ratio", "0.3.0", ""),),
    "length": (("response_length/mean", "0.3.0", ""),),
    "ratio_clipped": (("actor/pg_clipfrac_higher", "0.3.0", ""),),
    "kl": (("actor/kl_loss", "0.3.0", ""),),
    "entropy": (("actor/entropy_loss", "0.3.0", ""),),
    "tokens": (("perf/total_num_tokens", "0.3.0", ""),),
    "seconds": (("perf/time_per_step", "0.3.0", ""),),
}
# what a step of its log is
STEPS = "rollouts"
# how its logs are written: grpo_lint/logs/reading.py
FORMS = ("records",)
