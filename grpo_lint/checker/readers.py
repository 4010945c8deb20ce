"""What the programs that read a file have to do with what is found in it. What another reader than the framework's own is shown to take
is held back; where nothing shows which of several programs reads the file the finding stays, and names the one that would take it."""

from ..message import Message, ands, parts
from .keys import OF_ONE_KEY, looks_for, misspelt_in, strange_keys
from .verdict import is_refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Condition, Enforcement, Finding, Iterator, Launch, Program, Verdict

_OF_KEYS = (*OF_ONE_KEY, "keys-are-read")
_OF_VALUES = ("value-is-a-choice", "value-has-the-type-of-its-key")


def name_those_that_accept(launch: "Launch", findings: "list[Finding]") -> None:
    """Let findings say which of the programs that may read the file would not have them: they are no errors then."""
    if launch.program is None or not launch.program.others:
        return
    # what is misspelt for the framework is told apart, whoever takes the other keys
    apart = misspelt_in(findings)
    strange = [name for name in strange_keys(launch) if name not in apart]
    for finding in findings:
        if finding.severity == "info":
            continue
        told = next(filter(None, (_accepted_by(launch, finding, each) for each in launch.program.others)), None)
        if told is not None:
            finding.hinge_on([told])
            if finding.rule.name == "keys-are-read" and _is_taken_by_one(launch, strange):
                finding.severity = "info"


def _is_taken_by_one(launch: "Launch", names: "list[str]") -> bool:
    """Whether one of the programs that may read the file takes all of some keys, so that most likely nothing is dropped."""
    others = launch.program.others if launch.program is not None else ()
    return any(each.declares.union(each.reads if each.trains else ()).issuperset(names) for each in others)


def _accepted_by(launch: "Launch", finding: "Finding", program: "Program") -> "tuple[str, Message] | None":
    """(what is taken for granted, in words) where a program would not have a finding; None where it would."""
    values: dict[str, object] = {"program": program.name}
    if finding.rule.name in _OF_KEYS:
        names = _keys_of(launch, finding)
        taken = [each for each in names if each in program.declares or (program.trains and each in program.reads)]
        if taken:
            values["names"] = ands(taken)
            return "trainer", Message("unless {program}, which accepts {names}, reads this file", values)
    if program.own_parser and finding.rule.name in (*_OF_KEYS, *_OF_VALUES):
        return "loader", Message("unless {program}, which has its own parser, reads this file", values)
    if finding.rule.name in _OF_VALUES and finding.at is not None:
        value = launch.value(finding.at.name)
        if looks_for(program, value):
            values["value"] = value
            return "trainer", Message("unless {program}, which knows {value}, reads this file", values)
    if finding.enforced is not None and lets_pass(launch, program, finding.enforced, finding.rule):
        values["trainer"] = program.trainer
        return "trainer", Message("unless {program}, which trains with {trainer}, reads this file", values)
    return None


def _keys_of(launch: "Launch", finding: "Finding") -> "list[str]":
    """The names of the keys that a finding is about."""
    if finding.rule.name == "keys-are-read":
        return strange_keys(launch)
    return [finding.at.name] if finding.at is not None else []


# --- what is held back -------------------------------------------------------------------------------------------------


def held_back(
    launch: "Launch", findings: "list[Finding]", told: "list[Finding]", reader: Message
) -> "Iterator[Finding]":
    """Those of the findings that are not told, for something else than the framework's own parser reads the settings."""
    keys = {finding.key for finding in told}
    told_by = Message("{reader} reads this file", {"reader": reader})
    if launch.program is not None and launch.program.shown_by:
        told_by = parts((told_by, launch.program.shown_by))
    for finding in findings:
        if finding.severity != "info" and finding.key not in keys:
            finding.held_by = finding.held_by or told_by
            yield finding


# --- a trainer of its own -----------------------------------------------------------------------------------------------


def refused_only_by_replaced_trainer(
    launch: "Launch", program: "Program", verdict: "Verdict", rule: "Condition"
) -> bool:
    """Whether only TRL's trainer would refuse this, and that of the training script, which is its own, does not."""
    enforced = verdict.enforcement(rule)
    return is_refusal(enforced) and lets_pass(launch, program, enforced, rule)


def lets_pass(launch: "Launch", program: "Program", enforced: "Enforcement", rule: "Condition") -> bool:
    """Whether a program that trains with a trainer of its own does not refuse what the framework's does."""
    if not program.trainer or _checked_by_config(enforced, program):
        return False
    wordings = (row.wording for row in launch.framework.refusals.enforcement.rows if row.rule == rule.name)
    return not program.refuses((enforced.wording, *wordings))


def _checked_by_config(enforced: "Enforcement", program: "Program") -> bool:
    return enforced.stage in ("read", "config") and program.uses_config


def doubts_about_the_program(
    launch: "Launch", program: "Program", enforced: "Enforcement", settings: "set[str]"
) -> "Iterator[tuple[str, Message]]":
    """What is assumed about a training script for a refusal that depends on `settings`."""
    yield from _doubts_about_its_arguments(launch, program, settings)
    if program.rival:
        yield (
            "trainer",
            Message(
                "{program} may as well be {rival}, which trains otherwise",
                {"program": program.name, "rival": program.rival},
            ),
        )
    if enforced.stage not in ("read", "config"):
        changed = sorted(program.sets.intersection(launch.entries, settings))
        if changed:
            yield "trainer", Message("{program} sets {names} itself", {"program": program.name, "names": ands(changed)})
    if not _checked_by_config(enforced, program) and (program.trainer or program.unread):
        trains = {"program": program.name, "trainer": program.trainer or program.unread}
        trains["framework"] = launch.framework.title
        yield (
            "trainer",
            Message(
                "{program} trains with {trainer}, not a trainer of {framework}, but with a similar check",
                trains,
            )
            if program.trainer
            else Message("{program} trains with {trainer}, which may be none of {framework}'s", trains),
        )


def weigh_what_it_sets(launch: "Launch", program: "Program", finding: "Finding") -> None:
    """Hold back what is found of values in whose place the program has other ones in any case; make an info of what nobody refuses,
    where it may have other ones."""
    if (
        finding.plan is None
        or finding.rule.broken is None
        or (finding.enforced and finding.stage in ("read", "config"))
    ):
        return
    settings = launch.entries.keys() & finding.plan.leaves(finding.rule.broken.names)
    is_shown = launch.origin is not None or program.shown_by
    if is_shown and (replaced := sorted(settings & program.replaces)):
        finding.held_by = Message("{program} sets {names} itself", {"program": program.name, "names": ands(replaced)})
    elif finding.enforced is None and (changed := sorted(settings & program.sets)):
        told = Message("{program} sets {names} itself", {"program": program.name, "names": ands(changed)})
        finding.hinge_on([("trainer", told)])
        finding.severity = "info"


def takes_flags_of_its_own(launch: "Launch", findings: "list[Finding]") -> bool:
    """Whether a command gives a program flags that are none of the framework's, beside those that are misspelt."""
    return not misspelt_in(findings).issuperset(strange_keys(launch))


def tell_flags(launch: "Launch", finding: "Finding") -> None:
    """Say where the command writes the values that a file of Python takes from its flags."""
    if finding.plan is None or finding.rule.broken is None:
        return
    found: dict[str, dict[str, None]] = {}  # {place: flags}
    for name in finding.plan.leaves(finding.rule.broken.names):
        for flag, place in getattr(launch.entries.get(name), "flags", ()):
            if place:
                found.setdefault(place, {})[flag] = None
    for place, flags in found.items():
        told = {"flags": ands([*flags]), "place": place}
        finding.say_first(Message("{flags} is given in {place}", told, "{flags} are given in {place}", len(flags)))


def _doubts_about_its_arguments(
    launch: "Launch", program: "Program", settings: "set[str]"
) -> "Iterator[tuple[str, Message]]":
    """What is assumed about the defaults that a training script has for settings which nobody sets."""
    unset = settings - launch.entries.keys() - launch.defaults.keys()
    others = sorted(program.defaults.keys() & unset)
    if others:
        yield (
            "arguments",
            Message("{program} has defaults of its own for {names}", {"program": program.name, "names": ands(others)}),
        )
    if program.unread_arguments and any(launch.framework.catalogue.known(name, launch.groups) for name in unset):
        yield (
            "arguments",
            Message(
                "{program} reads {class_name}, which is not here and may have other defaults",
                {"program": program.name, "class_name": program.unread_arguments},
            ),
        )
