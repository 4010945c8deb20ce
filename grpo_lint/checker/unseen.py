"""What is taken for granted of a program that is not here: it may have defaults of its own."""

from ..launch.facts import IN_PLAN
from ..message import Message, ands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Finding, Iterator, Launch, Origin


def assumed_of_its_defaults(launch: "Launch", origin: "Origin", finding: "Finding") -> "Iterator[tuple[str, Message]]":
    """The defaults of the framework on which a finding rests, for a training script of somebody's own."""
    plan, rule = finding.plan, finding.rule
    if origin.invocation.framework or "loader" in launch.facts or plan is None or rule.broken is None:
        return
    fields = launch.fields(finding.candidate or launch.candidates[0])
    leaves = [name for name in plan.leaves(rule.broken.names) if name not in IN_PLAN and name not in launch.entries]
    names = [name for name in leaves if fields[name] and plan.value(name) is not None and not launch.default(name)]
    if names:
        told = {"program": origin.invocation.program.shown(), "framework": launch.framework.title, "names": ands(names)}
        yield (
            "arguments",
            Message("taking {program}, which is not here, to leave {names} at the defaults of {framework}", told),
        )
