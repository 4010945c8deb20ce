"""What the code of a copy of a framework shows of a finding: that it has the check, that it has given it up, or nothing. Loaded where
something is found in a checkout that holds a copy."""

from ..frameworks.registry import places
from ..frameworks.shared.copies import OnlyShown
from ..frameworks.versions import version_key
from ..message import Message, parts, series
from .verdict import is_refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..frameworks.protocols import Copy
    from ..shared_types import Enforcement, Finding, Launch, Rule, Verdict


def is_gone(launch: "Launch", copy: "Copy", verdict: "Verdict", rule: "Rule") -> bool:
    """Whether the copy that is run does not refuse what the release does that it is most like: the check stands in a comment, or
    nowhere although each release that has it holds it in its code."""
    row = verdict.candidate.enforced.get(rule.name)
    if not is_refusal(row):
        return False
    if _knows_the_names(launch, copy, rule.name):
        return True
    place = _place_of(launch, copy, row)
    if type(row) is OnlyShown:
        return place != "code"
    return place == "comment" or (not place and rule.name in launch.framework.copies.checks)


def _knows_the_names(launch: "Launch", copy: "Copy", rule: str) -> bool:
    """Whether all names of a setting are in the registry of the copy."""
    setting, registry = launch.framework.copies.registries.get(rule, ("", ""))
    value = launch.value(setting) if setting in launch.entries else None
    names = value if type(value) is list else [value]
    return all(type(each) is str and copy.knows(each, (registry,)) for each in names)


FAR = 60  # per cent of settings in common with a release, below which a copy counts in its own way


def weigh(launch: "Launch", copy: "Copy", findings: "list[Finding]") -> None:
    """Let no finding of which the code of the copy shows nothing be more than an info, nor what a copy that is far from all releases may
    compute otherwise; of others, name the check that it has."""
    is_far = launch.framework.copies.percent < FAR
    for finding in findings:
        is_of_a_framework = finding.rule.broken is not None and finding.rule not in launch.demands
        if type(finding.enforced) is OnlyShown:
            told = {"folder": launch.framework.copies.folder, "releases": series(launch.framework.copies.alike)}
            check = Message("the check is in the code of {folder}, and not in that of {releases}", told)
            finding.hinge_on([("version", check)])
        elif finding.severity != "info" and is_of_a_framework and not _is_shown(launch, copy, finding):
            finding.severity = "info"
            told = {"folder": launch.framework.copies.folder}
            finding.note = parts((Message("nothing in the code of {folder} shows this", told), finding.note))
        elif is_far and is_of_a_framework and finding.severity != "info":
            finding.severity = "info"
            finding.note = finding.note or launch.framework.copies.doubt
        if finding.severity != "info" and is_of_a_framework and is_refusal(finding.enforced):
            finding.check = copy.check_with(_words_of(launch, finding.enforced))


def _is_shown(launch: "Launch", copy: "Copy", finding: "Finding") -> bool:
    """Whether a copy holds the words of a refusal or, where these are another package's, or nothing is refused, reads the setting; a copy
    that is much changed shows only by its words what not all releases do."""
    framework = launch.framework
    row = finding.enforced or _row_of(launch, finding)
    if row is not None and _place_of(launch, copy, row) in ("code", "unread"):
        return True
    if row is not None and framework.copies.doubt and _is_newer(launch, row):
        return False
    if finding.at is None or not framework.reader.configs.nested:
        return row is None or not is_refusal(row) or not _lacks_its_check(launch, copy, row)
    return copy.names(finding.at.name.rpartition(".")[2])


def _lacks_its_check(launch: "Launch", copy: "Copy", row: "Enforcement") -> bool:
    """Whether a copy, which holds the words of a refusal nowhere, has the function in which releases hold it."""
    place = places(launch.framework.name).get(f"{row.rule} {row.since}", "").partition(",")[0]
    name = place.partition(" ")[2].partition(".")[0]
    return bool(name) and (copy.names(f"class {name}") or copy.names(f"def {name}"))


def _row_of(launch: "Launch", finding: "Finding") -> "Enforcement | None":
    """The row of a harm."""
    if finding.candidate is None:
        return None
    return launch.framework.refusals.enforcement.at(finding.candidate.key).get(finding.rule.name)


def _is_newer(launch: "Launch", row: "Enforcement") -> bool:
    """Whether a row begins later than others."""
    rows = launch.framework.refusals.enforcement.rows
    return version_key(row.since) > min(version_key(each.since) for each in rows)


def _place_of(launch: "Launch", copy: "Copy", row: "Enforcement") -> str:
    """Where a copy holds what some release refuses with; see `Copy.place_of`."""
    return copy.place_of(_words_of(launch, row))


def _words_of(launch: "Launch", row: "Enforcement") -> "tuple[str, ...]":
    """What shows a check in code, the words of this release first."""
    rows = (each for each in launch.framework.refusals.enforcement.rows if each.rule == row.rule)
    words = dict.fromkeys(str(each.wording) for each in (row, *rows) if each.wording)
    return (*words, *launch.framework.copies.checks.get(row.rule, ()))
