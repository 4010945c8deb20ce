"""What the logs of a framework hold: `metrics` in its folder, which `conformance/metrics` writes from the sources of its releases."""

from ..record import Record
from .registry import FOLDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    # {part of a log: (name of a metric, first release, first one without it), ...}
    Metrics = Mapping[str, Iterable[tuple[str, str, str]]]

# {part: (settings that decide about it, by their names in the table of all frameworks; rules, of which a framework has one)}
BEHIND: "Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]" = {
    "cut": (
        ("max_completion_length",),
        ("engine-holds-prompt-and-completion", "engine-length-holds-a-sequence", "engine-holds-both-limits"),
    ),
    "even": (
        ("num_generations", "temperature"),
        ("completions-are-sampled", "completions-of-a-group-differ", "group-has-two-completions"),
    ),
    "ratio_clipped": (("num_iterations", "epsilon"), ("updates-keep-to-one-rollout", "rollout-is-whole-updates", "rollout-holds-whole-updates")),
    "kl": (("beta",), ("divergence-has-a-reference", "reference-is-skipped-without-kl")),
    "reward": (("temperature",), ("completions-are-sampled", "group-has-two-completions", "group-samples-at-a-temperature")),
}  # fmt: skip


class Logs(Record):
    """What the logs of a framework are.

    metrics   the metrics that its releases log; none where nobody asked them
    steps     what a step of a log is: `updates` or `rollouts`
    forms     how its logs are written, by the names of `logs/reading.py`
    """

    metrics: "Metrics"
    steps: str = "updates"
    forms: "tuple[str, ...]" = ()


def logs_of(name: str) -> Logs:
    """The logs of a framework."""
    try:
        found = __import__(f"grpo_lint.frameworks.{FOLDERS[name]}.metrics", fromlist=["METRICS"])
    except ModuleNotFoundError:
        return Logs(metrics={})
    return Logs(metrics=found.METRICS, steps=found.STEPS, forms=found.FORMS)
