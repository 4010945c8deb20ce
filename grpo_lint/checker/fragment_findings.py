"""What holds of a fragment of a run, of which the rest is not written."""

from ..message import Message, ands
from .unseen import defaults_behind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Finding, Iterator


def kept_of_a_fragment(findings: "list[Finding]") -> "Iterator[Finding]":
    """What holds of a fragment of a run: nothing about what it does not write, and what rests on such a setting with a doubt."""
    for finding in findings:
        launch = finding.launch
        if launch is None or finding.at is None or finding.at.name not in launch.entries:
            continue
        plan, broken = finding.plan, finding.rule.broken
        if plan is not None and broken is not None and finding.at.name not in plan.leaves(broken.names):
            continue  # it only stands where something else is wanted
        if finding.severity != "info" and (names := defaults_behind(launch, finding)):
            told = {"framework": launch.framework.title, "names": ands(names)}
            note = Message(
                "assuming that {names}, which this fragment does not set, have the defaults of {framework}", told
            )
            finding.hinge_on([("arguments", note)])
        yield finding
