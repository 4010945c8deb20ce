"""What is taken for granted of a program that is not here: it may have defaults of its own."""

from ..launch.facts import IN_PLAN
from ..message import Message, ands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Finding, Iterator, Launch, Origin


def defaults_behind(launch: "Launch", finding: "Finding") -> "list[str]":
    """The settings that nobody writes, and on whose defaults in the framework a finding rests."""
    plan, rule = finding.plan, finding.rule
    if plan is None or rule.broken is None:
        return []
    fields = launch.fields(finding.candidate or launch.candidates[0])
    leaves = [name for name in plan.leaves(rule.broken.names) if name not in IN_PLAN and name not in launch.entries]
    return [name for name in leaves if fields[name] and plan.value(name) is not None and not launch.default(name)]


def assumed_of_its_defaults(launch: "Launch", origin: "Origin", finding: "Finding") -> "Iterator[tuple[str, Message]]":
    """The defaults of the framework on which a finding rests, for a training script of somebody's own."""
    is_of_scripts = launch.framework.reader.programs.read_by_scripts
    if origin.invocation.framework or "loader" in launch.facts or not is_of_scripts:
        return
    if names := defaults_behind(launch, finding):
        told = {"program": origin.invocation.program.shown(), "framework": launch.framework.title, "names": ands(names)}
        yield (
            "arguments",
            Message("taking {program}, which is not here, to leave {names} at the defaults of {framework}", told),
        )


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
                "taking {names}, which this fragment does not write, to be at the defaults of {framework}", told
            )
            finding.hinge_on([("arguments", note)])
        yield finding
