"""What the logs of a framework hold: `metrics` in its folder, which `conformance/metrics` writes from the sources of its releases."""

from ..record import Record
from .registry import FOLDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    # {part of a log: (name of a metric, first release, first one without it), ...}
    Metrics = Mapping[str, Iterable[tuple[str, str, str]]]


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
