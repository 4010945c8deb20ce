"""What is taken out of a verdict, for the repository has something else in the place of what would refuse it: the trainer, a name, a copy
of the framework. It is held back, with the place that shows it."""

from ..message import Message, parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from ..frameworks.protocols import Copy
    from ..shared_types import Callable, Finding, Iterator, Launch, Verdict
    from .verdict import Violation

    Made: TypeAlias = "Callable[[Launch, Verdict, list[Verdict], Violation], Finding]"


def leave_out_what_is_replaced(launch: "Launch", verdicts: "list[Verdict]", make: "Made") -> "Iterator[Finding]":
    """Take out what would be refused only by something in whose place the repository has something else: the trainer, a name, a
    copy of the framework. What the newest release would have refused is held back."""
    # the script is looked for where something is refused, and only there: that takes a look at the repository's Python
    program = launch.program if any(verdict.refuses for verdict in verdicts) else None
    if program and program.trainer:
        from .readers import refused_only_by_replaced_trainer  # of most launches no program is known

        trains = {"program": program.name, "trainer": program.trainer, "framework": launch.framework.title}
        told = Message("{program} trains with {trainer}, not a trainer of {framework}", trains)
        told = parts(filter(None, (told, program.shown_by)))
        for verdict in verdicts:
            held = [
                violation
                for violation in verdict.broken
                if refused_only_by_replaced_trainer(launch, program, verdict, violation.rule)
            ]
            yield from _take_out(launch, verdict, verdicts, held, told, make)
    for name, place in _registered(launch, verdicts).items():
        known = Message("{place} may register this name", {"place": place})
        for verdict in verdicts:
            held = [violation for violation in verdict.broken if violation.rule.name == name]
            yield from _take_out(launch, verdict, verdicts, held, known, make)
    copies = launch.framework.copies
    if launch.copy is not None and (copies.folder or copies.checks):
        yield from _leave_out_what_is_gone(launch, launch.copy, verdicts, make)


def _leave_out_what_is_gone(
    launch: "Launch", copy: "Copy", verdicts: "list[Verdict]", make: "Made"
) -> "Iterator[Finding]":
    """Take out what the release refuses and the copy that is run does not, as its code shows."""
    from .copied_checks import is_gone  # few checkouts hold a copy

    folder = launch.framework.copies.folder or copy.shown
    told = Message("the code of {folder} has no such check", {"folder": folder})
    for verdict in verdicts:
        held = [violation for violation in verdict.broken if is_gone(launch, copy, verdict, violation.rule)]
        yield from _take_out(launch, verdict, verdicts, held, told, make)


def _take_out(
    launch: "Launch",
    verdict: "Verdict",
    verdicts: "list[Verdict]",
    held: "list[Violation]",
    told: Message,
    make: "Made",
) -> "Iterator[Finding]":
    """Take violations out of a verdict; of the newest release, give what they would be told as."""
    if verdict is verdicts[0]:
        for violation in held:
            finding = make(launch, verdict, verdicts, violation)
            finding.held_by = told
            yield finding
    verdict.broken = [violation for violation in verdict.broken if violation not in held] if held else verdict.broken


def _registered(launch: "Launch", verdicts: "list[Verdict]") -> "dict[str, str]":
    """{broken rule about a name: the place that registers the one that is set}, be it in the copy of the framework. The repository is
    looked at only where one is broken, as for the script above."""
    registrations = launch.framework.refusals.registrations
    broken = {violation.rule.name for verdict in verdicts for violation in verdict.broken}
    places = {name: launch.registers(*registrations[name])[0] for name in broken & registrations.keys()}
    return {name: place for name, place in places.items() if place}
