"""What is said of a command that is written for a later release than the copy of the framework that it starts. Loaded where a copy does
not know several keys."""

from functools import reduce
from operator import and_

from ..frameworks.registry import framework as framework_named
from ..frameworks.versions import bits_of
from ..message import NOTHING, Message, series
from ..source.text import Span
from .keys import finding_on, is_taken
from .unknown_keys import FEWEST_LATER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Candidate, Finding, Launch
    from .keys import Named

MOST_NAMED = 3  # keys that one finding names


def of_a_later_release(
    launch: "Launch", candidate: "Candidate", unknown: "list[Named]"
) -> "tuple[list[Finding], list[Named]]":
    """(one finding about all keys that some release has, and the copy that is run has not, the other unknown keys)."""
    releases = framework_named(launch.framework.name).catalogue
    written = [name for name, entry in unknown if entry.name == name]  # not appended
    having = {name: bits for name in written if (bits := releases.known(name, launch.groups))}
    having_all = reduce(and_, having.values(), -1)
    if len(having) < FEWEST_LATER or not having_all:
        return [], unknown
    first, *others = having
    fate = launch.framework.reader.keys.fate_of(launch.entries[first], candidate.key, launch)
    told = {
        "title": launch.framework.title,
        "release": releases.releases[(having_all & -having_all).bit_length() - 1],
        "names": series(others[:MOST_NAMED]),
    }
    told["more"] = (
        Message(" and {count} more", {"count": len(others) - MOST_NAMED}) if len(others) > MOST_NAMED else NOTHING
    )
    hint = Message("; {title} {release} has it, as it has {names}{more}", told)
    advice = Message("Run it with a {title} that it is written for, such as {release}, or write it for this one.", told)
    finding = finding_on(launch, candidate, "key-is-known", fate.severity, fate.stage, first, key=launch.entries[first].name, hint=hint,
                         title=launch.framework.title, version=candidate.text, consequence=fate.consequence, advice=advice)  # fmt: skip
    finding.values["later"] = tuple(having)
    refusing = (each.index for each in launch.candidates if not is_taken(launch, each, first, launch.entries[first]))
    finding.refusing = bits_of(refusing) if fate.severity == "error" else 0
    finding.related = [(name, launch.value(name), Span.of(launch.entries[name].key)) for name in others[:MOST_NAMED]]
    return [finding], [each for each in unknown if each[0] not in having]
