"""What the logs of a framework hold: `metrics` in its folder, which `conformance/metrics` writes from the sources of its releases."""

from .registry import FOLDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    # {part of a log: (name of a metric, first release, first one without it), ...}
    Metrics = Mapping[str, Iterable[tuple[str, str, str]]]


def logged_by(name: str) -> "tuple[Metrics, str]":
    """(the metrics of a framework, what a step of its log is: updates or rollouts); no metrics where nobody asked its releases."""
    try:
        found = __import__(f"grpo_lint.frameworks.{FOLDERS[name]}.metrics", fromlist=["METRICS"])
    except ModuleNotFoundError:
        return {}, "updates"
    return found.METRICS, found.STEPS
