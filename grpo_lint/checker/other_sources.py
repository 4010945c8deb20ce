"""What is said of a command that is written for something else than the copy of the framework that it starts: a later release, or another
tree of the checkout. Loaded where a copy does not know several keys."""

from functools import reduce
from operator import and_

from ..frameworks.registry import framework as framework_named
from ..frameworks.versions import bits_of
from ..message import NOTHING, Message, series
from ..source.text import Span
from .keys import finding_on, is_taken
from .unknown_keys import FEWEST_ELSEWHERE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Candidate, Finding, Launch, OtherTree
    from .keys import Named

MOST_NAMED = 3  # keys that one finding names


def of_another_source(
    launch: "Launch", candidate: "Candidate", unknown: "list[Named]"
) -> "tuple[list[Finding], list[Named]]":
    """(one finding about all keys that another tree of the checkout has, or some release, and the copy that is run has not; the other
    unknown keys)."""
    written = [name for name, entry in unknown if entry.name == name]  # not appended
    tree = max(launch.other_trees(), key=lambda each: _fit(each, written), default=None)
    of_tree = [name for name in written if tree is not None and name in tree.names]
    release, of_release = _in_a_release(launch, written)
    having = of_tree if len(of_tree) >= len(of_release) else of_release
    if len(having) < FEWEST_ELSEWHERE:
        return [], unknown
    if having is of_release:
        told = {"where": f"{launch.framework.title} {release}"}
        advice = Message("Run it with a {title} that it is written for, such as {where}, or write it for this one.",
                         {**told, "title": launch.framework.title})  # fmt: skip
    else:
        told = {"where": tree.shown}  # type: ignore[union-attr]  # it has some
        advice = Message("Start it with the program of {where}, or write it for the one that it starts.", told)
    finding = _of_several(launch, candidate, having, told["where"], advice)
    if having is of_tree and tree.is_imported_alike:  # type: ignore[union-attr]
        told["framework"], told["folder"] = launch.framework.releases.package, launch.framework.copies.folder
        finding.hinge_on([("version", Message("assuming that {framework} is imported from {folder}", told))])
    return [finding], [each for each in unknown if each[0] not in having]


def _fit(tree: "OtherTree", written: "list[str]") -> "tuple[int, bool]":
    """How well a tree fits a command: how many of the keys it has, and whether the command may import it as it is."""
    return len(tree.names.intersection(written)), tree.is_imported_alike


def _in_a_release(launch: "Launch", written: "list[str]") -> "tuple[str, list[str]]":
    """(the oldest release that has all of the keys that any release has, these keys); none where no release has them all."""
    releases = framework_named(launch.framework.name).catalogue
    having = {name: bits for name in written if (bits := releases.known(name, launch.groups))}
    having_all = reduce(and_, having.values(), -1)
    if not having or not having_all:
        return "", []
    return releases.releases[(having_all & -having_all).bit_length() - 1], [*having]


def _of_several(
    launch: "Launch", candidate: "Candidate", having: "list[str]", where: str, advice: "Message"
) -> "Finding":
    """One finding about keys that something else has than the copy that is run."""
    first, *others = having
    fate = launch.framework.reader.keys.fate_of(launch.entries[first], candidate.key, launch)
    told = {"where": where, "names": series(others[:MOST_NAMED]), "count": len(others) - MOST_NAMED}
    told["more"] = Message(" and {count} more", told) if len(others) > MOST_NAMED else NOTHING
    hint = Message("; {where} has it, as it has {names}{more}", told)
    finding = finding_on(launch, candidate, "key-is-known", fate.severity, fate.stage, first, key=launch.entries[first].name, hint=hint,
                         title=launch.framework.title, version=candidate.text, consequence=fate.consequence, advice=advice)  # fmt: skip
    finding.values["of_elsewhere"] = tuple(having)
    refusing = (each.index for each in launch.candidates if not is_taken(launch, each, first, launch.entries[first]))
    finding.refusing = bits_of(refusing) if fate.severity == "error" else 0
    finding.related = [(name, launch.value(name), Span.of(launch.entries[name].key)) for name in others[:MOST_NAMED]]
    return finding
