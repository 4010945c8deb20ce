"""Where a finding about a launch is told, and whether another finding has said it already. Loaded where there is a finding."""

from ..frameworks.recognition import may_be_settings
from ..message import Message
from ..rules.base import SEVERITIES
from ..source.text import Span
from ..source.yaml.reader import Mapping
from .findings import span_of
from .unseen import depends_on_processes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Document, Launch, Origin, Report, Text
    from .findings import Finding, Place


def tell(
    report: "Report",
    launch: "Launch",
    findings: "list[Finding]",
    said: "list[Finding]",
    speakers: "list[Finding]",
    call: "Span | None",
    known: "dict[Place, int]",
) -> None:
    """Add the findings about a launch to a report, each where it belongs, and once.

    said        those about the command that starts it; `speakers`: those that may speak for others
    call        in a file of Python, the place of what makes the launch
    known       where in the report those of other launches are, by what they are about and where
    """
    for finding in findings:
        finding.launch = launch
        _place(finding, launch, report, call)
        if finding.held_by:
            report.held.append(finding)
            continue
        speaker = next((other for other in speakers if _says_already(other, finding, said)), None)
        if speaker is not None:
            speaker.launch = launch
            speaker.absorb(finding)
        elif not _is_told_elsewhere(finding, launch):
            _tell_once(report, finding, known)


def _place(finding: "Finding", launch: "Launch", report: "Report", call: "Span | None") -> None:
    """Say a finding about a launch where it belongs, and of what stands elsewhere, where that is."""
    if launch.parts:
        _place_in_whole(finding, launch, report.document)
    if launch.places and finding.at is not None and (place := getattr(finding.at.entry, "place", "")):
        finding.say_first(Message("{key} is set in {place}", {"key": finding.at.name, "place": place}))
    if launch.origin is not None:
        _place_in_launch(finding, launch.origin, report.text)
    elif call is not None and _is_about_facts(launch, finding):
        _place_at_call(finding, launch, call)
    elif finding.at is None and finding.span is None and launch.framework.reader.configs.nested:
        _place_in_section(finding, report.document)


def _is_told_elsewhere(finding: "Finding", launch: "Launch") -> bool:
    """Whether a finding about a run that a command starts belongs to another file than the one that is judged."""
    if launch.origin is None:
        return False
    is_in_another = finding.at.text is not None if finding.at is not None else finding.span is None
    return is_in_another or _is_about_its_command(launch, finding)


def _tell_once(report: "Report", finding: "Finding", known: "dict[Place, int]") -> None:
    """Add a finding to a report; where another launch has led to the same one, the worse of the two is told. `known`:
    where in the report those of the other launches are, by what they are about and where."""
    is_placed = finding.at is not None or (
        finding.span is not None and not finding.rule.span
    )  # a demand is one of each run
    index = known.get((finding.key, span_of(finding))) if is_placed else None
    if index is None:
        report.findings.append(finding)
        return
    other = report.findings[index]
    if SEVERITIES.index(finding.severity) < SEVERITIES.index(other.severity):
        finding.elsewhere = [other, *other.elsewhere]
        report.findings[index] = finding
    else:
        other.elsewhere.append(finding)


def _says_already(other: "Finding", finding: "Finding", said: "list[Finding]") -> bool:
    """Whether a finding about the command speaks for another one: where the processes are not those that are meant,
    all about their number. `said`: those about the command."""
    if other.stays is not None:
        return finding not in said and finding.key not in other.stays
    if other.rule.name in finding.rule.blocked_by:
        return True
    return other.rule.name == "launch-reads-its-processes" and depends_on_processes(finding)


def _is_about_its_command(launch: "Launch", finding: "Finding") -> bool:
    """Whether a finding about a config is one about facts alone, which the script tells that starts a run with it: it is told
    there."""
    if launch.origin is None or launch.origin.script is None or finding.span is not None:
        return False
    return _is_about_facts(launch, finding)


def _is_about_facts(launch: "Launch", finding: "Finding") -> bool:
    """Whether a finding hinges on facts alone that another file tells, and on nothing that its own file sets."""
    if finding.plan is None or finding.rule.broken is None:
        return False
    leaves = finding.plan.leaves(finding.rule.broken.names)
    told = [launch.facts[name].where for name in leaves if name in launch.facts]
    own = launch.entries.keys() | launch.attached.keys()  # what a key names is set by it
    return own.isdisjoint(leaves) and any(where is not None and where[0] is not None for where in told)


def _place_at_call(finding: "Finding", launch: "Launch", call: Span) -> None:
    """What only the command causes that starts a file of Python is said of the call, with the place of the command: no argument
    is at fault, and a script that names no training of ours may not be judged."""
    place = launch.started_by.place if launch.started_by is not None else ""
    if finding.span is None and place:
        finding.at, finding.span = None, call
        finding.say_first(Message("in the run that {place} starts", {"place": place}))


def _place_in_launch(finding: "Finding", origin: "Origin", text: "Text") -> None:
    """What no key says, and for how many processes a run is good, is said where the run is started; what a comment
    says, with that place."""
    if finding.rule.span:
        place = origin.place or Message("line {line}", {"line": text.position(origin.invocation.command.start)[0] + 1})
        finding.say_first(Message("in the run that {place} starts", {"place": place}))
    if finding.rule.name == "legal-process-counts":
        finding.at = None
    if finding.at is None and finding.span is None and origin.script is None:
        finding.span = origin.invocation.span


def _place_in_section(finding: "Finding", document: "Document | None") -> None:
    """What is missing in a file with sections is said of the innermost section around it; where the file has none of those, of
    its first key."""
    around = document.root if document is not None else None
    if type(around) is not Mapping or not around.entries:
        return
    place = around.entries[0].key
    broken = finding.rule.broken
    leaves = finding.plan.leaves(broken.names) if finding.plan is not None and broken is not None else []
    missing = next((name for name in (*(finding.rule.cure or ()), *leaves) if "." in name), "")
    for name in missing.split(".")[:-1]:
        entry = around.get(name)
        if entry is None or type(entry.value) is not Mapping:
            break
        place, around = entry.key, entry.value
    finding.span = Span(place.start, place.end)


def _place_in_whole(finding: "Finding", launch: "Launch", document: "Document | None") -> None:
    """What stands in a file on which the config builds is said where the config names the others; that file may be part of
    many. A config of which nobody would see that it is one of ours has it said where it is started."""
    at, whole = finding.at, launch.origin.config if launch.origin else None
    is_silent = whole is not None and not may_be_settings(whole.text)
    if at is None or at.text is None or not (at.name in launch.parts or (is_silent and at.text is whole)):
        return
    from ..launch.origin import place_of  # few configs are made of several files

    told = Message("{key} is set in {place}", {"key": at.name, "place": place_of(at.text, at.key.start)})
    finding.say_first(told)
    root = document.root if document is not None else None
    names_them = root.get("defaults") if type(root) is Mapping else None
    if is_silent and launch.origin is not None:
        finding.at, finding.span = None, launch.origin.invocation.span
    elif names_them is not None:
        finding.at, finding.span = None, Span(names_them.key.start, names_them.key.end)
