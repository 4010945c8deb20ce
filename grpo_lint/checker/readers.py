"""What one of several programs of a repository would make of a finding: nobody shows which of them reads the file, so that the
finding stays, and names the program that would take what it is about."""

from ..message import Message, ands
from .judge import lets_pass
from .keys import looks_for, strange_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Finding, Launch, Program

_OF_KEYS = ("key-is-known", "key-is-of-this-version", "keys-are-read")
_OF_VALUES = ("value-is-a-choice", "value-has-the-type-of-its-key")


def name_those_that_accept(launch: "Launch", findings: "list[Finding]") -> None:
    """Let findings say which of the programs that may read the file would not have them: they are no errors then."""
    if launch.program is None:
        return
    for finding in findings if launch.program.others else ():
        if finding.severity == "info":
            continue
        told = next(filter(None, (_accepted_by(launch, finding, each) for each in launch.program.others)), None)
        if told is not None:
            finding.hinge_on([told])


def _accepted_by(launch: "Launch", finding: "Finding", program: "Program") -> "tuple[str, Message] | None":
    """(what is taken for granted, in words) where a program would not have a finding; None where it would."""
    values: dict[str, object] = {"program": program.name}
    if finding.rule.name in _OF_KEYS:
        names = _keys_of(launch, finding)
        taken = [each for each in names if each in program.declares or (program.trains and each in program.reads)]
        if taken:
            values["names"] = ands(taken)
            return "trainer", Message("unless {program} reads this file, which takes {names}", values)
    if program.own_parser and finding.rule.name in (*_OF_KEYS, *_OF_VALUES):
        return "loader", Message("unless {program} reads this file, which has a parser of its own", values)
    if finding.rule.name in _OF_VALUES and finding.at is not None:
        value = launch.value(finding.at.name)
        if looks_for(program, value):
            values["value"] = value
            return "trainer", Message("unless {program} reads this file, which knows {value}", values)
    if finding.enforced is not None and lets_pass(launch, program, finding.enforced, finding.rule):
        values["trainer"] = program.trainer
        return "trainer", Message("unless {program} reads this file, which trains with {trainer}", values)
    return None


def _keys_of(launch: "Launch", finding: "Finding") -> "list[str]":
    """The names of the keys that a finding is about."""
    if finding.rule.name == "keys-are-read":
        return strange_keys(launch)
    return [finding.at.name] if finding.at is not None else []
