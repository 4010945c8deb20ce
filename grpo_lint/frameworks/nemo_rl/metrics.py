"""What releases call their metrics on their console: (name, first release, first one without it). Read in the sources of 0.2.1 to 0.7.0."""

METRICS = {
    "reward": (
        ("Avg Reward", "0.2.1", ""),
        ("Avg Total Reward", "0.4.0", ""),
    ),
    "length": (("Mean Generation Length", "0.2.1", ""),),
    "seconds": (("Total step time", "0.2.1", ""),),
}
# what a step of its log is
STEPS = "rollouts"
# how its logs are written: grpo_lint/logs/reading.py
FORMS = ("headed",)
