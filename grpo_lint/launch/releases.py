"""Which releases a launch may run on, and how that is known."""

from ..frameworks.commands import CONFIG_FORM
from ..frameworks.companions import COMPANIONS
from ..frameworks.versions import resolve_version, version_key
from ..record import Record
from .launch import MOST_REMEMBERED, Candidate
from .pins import pin_of, pins_for
from .sighting import texts_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ..frameworks.base import Framework
    from ..frameworks.programs import Program
    from .context import Context
    from .facts import Fact
    from .layers import Written
    from .origin import Origin
    from .pins import Pin
    from .sighting import Sighting


class Versions(Record):
    """The releases of a framework that may be meant.

    candidates   newest first
    neighbours   where they are inferred, the releases that know one key less
    source       who said it
    newer        whether it is stated, and newer than every known release
    missing      the stated version, when it has no such trainer
    beyond       names that came later than the pinned release
    allowed_by   the place of the range that they lie in, an empty text for none
    """

    candidates: "list[Candidate]"
    neighbours: "Sequence[Candidate]" = ()
    source: str
    newer: bool = False
    missing: "str | None" = None
    beyond: "Sequence[str]" = ()
    allowed_by: str = ""


class Releases(Record):
    """The releases that a run may have.

    versions   those of the framework, and how they are known
    stated     {package: version} of the companions that somebody named
    pin        what the repository says of the framework's release, None for nothing
    telling_names   the names of the settings by which they were told apart
    """

    versions: Versions
    stated: "Mapping[str, str]"
    pin: "Pin | None"
    telling_names: "AbstractSet[str]"

    @property
    def newest(self) -> "Candidate | None":
        """The newest release that may be meant; None where the stated one has no such trainer."""
        return self.versions.candidates[0] if self.versions.candidates else None

    @property
    def is_pinned_to_a_copy(self) -> bool:
        """Whether a copy of the framework in the repository says the release."""
        return self.pin is not None and self.pin.is_of_a_copy


def releases_of(
    sighting: "Sighting",
    written: "Written",
    groups: "tuple[str, ...]",
    facts: "Mapping[str, Fact]",
    pinned: "Pinned",
    find_program: "Callable[[], Program | None]",
) -> Releases:
    """The releases that a run may have, as it, its command and its repository say."""
    framework, origin = sighting.framework, sighting.origin
    names = _telling_names(framework, written, origin)
    stated = {
        package: facts[package].value for package in COMPANIONS if package in facts and facts[package].value != "latest"
    }
    for package, other in pinned.all.items():
        if package != framework.package:
            stated.setdefault(package, other.version)

    def declared() -> "Iterable[str]":
        program = find_program()
        return program.declares if program else ()

    def texts() -> "Mapping[str, str]":
        form = origin.config_form(framework) if origin else ""  # which tells releases apart as well as a setting does
        return {**texts_in({**written.in_file, **written.flags}), **({CONFIG_FORM: form} if form else {})}

    versions = find_versions(
        framework,
        groups,
        names,
        facts.get("version"),
        pinned.framework,
        (lambda candidate: _goes_along(framework, stated, candidate)) if stated else None,
        declared,
        texts,
    )
    return Releases(versions=versions, stated=stated, pin=pinned.framework, telling_names=names)


class Pinned(Record):
    """What the repository around a run pins: the release of its framework, and `all` by package."""

    framework: "Pin | None"
    all: "Mapping[str, Pin]"


def pinned_for(sighting: "Sighting", context: "Context") -> Pinned:
    """What the repository around a run pins. The script may lie beside the project that it starts."""
    package, origin = sighting.framework.package, sighting.origin
    pin = pin_of(context.pins, package)
    if not (origin and origin.program and origin.program.path and context.repository) or package in context.pins:
        return Pinned(framework=pin, all=context.pins)
    beside = pins_for(origin.program.path)
    return Pinned(framework=beside.get(package) or pin or pin_of(beside, package), all={**beside, **context.pins})


def _telling_names(framework: "Framework", written: "Written", origin: "Origin | None") -> "AbstractSet[str]":
    """The names of the settings by which releases are told apart."""
    if framework.nested:
        together = {**written.in_file, **written.flags}
        names = {framework.written(name, entry) for name, entry in together.items() if name not in written.in_file}
        return names | written.in_file.keys()
    if origin and origin.program:
        return written.names - origin.program.declares  # what a script declares itself tells no release
    return written.names


def _goes_along(framework: "Framework", stated: dict[str, str], candidate: "Candidate") -> bool:
    """Whether a release supports the stated versions of its companions."""
    facts = framework.companion_facts({**framework.catalogue.companions[candidate.index], **stated}, candidate.key)
    return all(supported for name, supported in facts.items() if name.endswith("_is_supported"))


def find_versions(
    framework: "Framework",
    groups: "tuple[str, ...]",
    names: "Iterable[str]",
    fact: "Fact | None",
    pin: "Pin | None",
    goes_along: "Callable[[Candidate], bool] | None" = None,
    declared: "Callable[[], Iterable[str]]" = tuple,
    texts: "Callable[[], Mapping[str, str]]" = dict,
) -> Versions:
    """The version that was stated (`fact`) or pinned in the repository (`pin`), else the candidates the names of the
    settings allow.

    `goes_along(candidate)`: whether a release supports what is installed beside it; None when nothing is known about
    that.
    `declared()`: names that training scripts declare themselves; they tell no release. `texts()`: {name: value} of the
    settings that hold texts.
    """
    if fact is not None:
        stated = _stated(framework, groups, fact.value, fact.source)
        # settings hold for a whole repository: a version of TRL there says nothing about a file of ms-swift
        if stated.missing is None or fact.source != "settings":
            return stated
    near = _near(framework, pin)
    told = _told_by(framework, groups, names, pin, bool(near)) if pin is not None else None
    if told is not None:
        return told
    allowed = _allowed(framework, pin) if pin is not None and pin.allows else None
    inferred, neighbours = _inferred(framework, groups, names, texts(), allowed)
    if near:
        inferred, neighbours = _kept_near(near, inferred, neighbours)
    if goes_along is not None and len(inferred) + len(neighbours) > 1:
        supporting = [candidate for candidate in inferred + neighbours if goes_along(candidate)]
        lost = _known(framework, groups, names, inferred + neighbours) - _known(framework, groups, names, supporting)
        if supporting and (not lost or lost <= set(declared())):
            best = [candidate for candidate in inferred if candidate in supporting]
            neighbours = [candidate for candidate in neighbours if candidate in supporting] if best else []
            inferred = best or supporting
    allowed_by = pin.place if allowed and pin is not None else ""
    return Versions(candidates=inferred, source="inferred", neighbours=neighbours, allowed_by=allowed_by)


def _near(framework: "Framework", pin: "Pin | None") -> "list[tuple[int, ...]]":
    """The releases, as (major, minor), around a checkout of a framework: what it says of itself before a release, it says
    long after the one before."""
    if pin is None or not framework.nested or ".dev" not in pin.version:
        return []
    major, minor = version_key(pin.version)[:2]
    return [(major, minor + step) for step in (-1, 0)]


def _told_by(
    framework: "Framework", groups: "tuple[str, ...]", names: "Iterable[str]", pin: "Pin", is_checkout: bool
) -> "Versions | None":
    """The release that a pin names, or those around the commit that it names; None where it leaves more open."""
    if pin.version and not is_checkout:
        pinned = _pinned(framework, groups, names, pin)
        if pinned.missing is None:
            return pinned
    around = _around(framework, groups, pin) if pin.between else None
    return around if around is not None and around.candidates else None


def _kept_near(
    near: "list[tuple[int, ...]]", inferred: "list[Candidate]", neighbours: "list[Candidate]"
) -> "tuple[list[Candidate], list[Candidate]]":
    """The candidates and neighbours that are near a checkout, or else nearest to it."""
    if not any(candidate.key[:2] in near for candidate in inferred):
        near = [min((candidate.key[:2] for candidate in inferred), key=lambda one: abs(one[1] - near[1][1]))]
    kept = [[candidate for candidate in each if candidate.key[:2] in near] for each in (inferred, neighbours)]
    return kept[0], kept[1]


def _allowed(framework: "Framework", pin: "Pin") -> "set[int]":
    """The places of the releases that a range allows; none where it allows none that is known."""
    from .ranges import allowed

    return allowed(pin.allows, framework.catalogue.releases)


def _around(framework: "Framework", groups: "tuple[str, ...]", pin: "Pin") -> Versions:
    """The releases before and after a commit that a repository pins: it may be like either of them."""
    catalogue = framework.catalogue
    found = (
        _candidate(framework, groups, release, version_key(release), catalogue.release_index(version_key(release)))
        for release in reversed(pin.between)
    )
    return Versions(candidates=[candidate for candidate in found if candidate], source=pin.place)


def _known(
    framework: "Framework", groups: "tuple[str, ...]", names: "Iterable[str]", candidates: "list[Candidate]"
) -> set[str]:
    """Those of the names that at least one of the candidates knows."""
    releases = sum(1 << candidate.index for candidate in candidates)
    return {name for name in names if framework.catalogue.known(name, groups) & releases}


def _pinned(framework: "Framework", groups: "tuple[str, ...]", names: "Iterable[str]", pin: "Pin") -> Versions:
    """The release that a repository pins.

    What lies before it (`3.8.0.dev0`) is between the first 3.7 and the first 3.8, of which we know the last ones: it
    may be like 3.6, 3.7 or 3.8.
    """
    pinned = _stated(framework, groups, pin.version, pin.place)
    if pinned.missing is not None:
        return pinned
    candidate = pinned.candidates[0]
    catalogue = framework.catalogue
    candidates = [candidate]
    if ".dev" in pin.version and not pinned.newer:
        for index in range(candidate.index - 1, max(candidate.index - 3, -1), -1):
            before = catalogue.releases[index]
            found = _candidate(framework, groups, before, version_key(before), index)
            candidates += [found] if found else []
    known = (1 << candidate.index + 1) - 1
    beyond = [name for name in names if catalogue.known(name, groups) and not catalogue.known(name, groups) & known]
    return pinned.but(candidates=candidates, beyond=beyond)


def _stated(framework: "Framework", groups: "tuple[str, ...]", version: str, source: str) -> Versions:
    catalogue = framework.catalogue
    text = resolve_version(version, catalogue.releases)
    key = version_key(text)
    candidate = _candidate(framework, groups, text, key, catalogue.release_index(key))
    if candidate is None:
        return Versions(candidates=[], source=source, missing=text)
    return Versions(candidates=[candidate], source=source, newer=catalogue.is_newer_than_all(key))


def _candidate(
    framework: "Framework", groups: "tuple[str, ...]", text: str, key: "tuple[int, ...]", index: int
) -> Candidate | None:
    regime = framework.regime(key)
    if regime is None or index < 0 or not _has_trainer(framework, groups, index):
        return None
    return Candidate(text, key, index, regime)


def _has_trainer(framework: "Framework", groups: "tuple[str, ...]", index: int) -> bool:
    """Whether a release knows the trainer at all: its group size is a field of every one of them."""
    return bool(framework.catalogue.known(framework.trainer_field, groups[:1]) >> index & 1)


_all: "dict[tuple[Framework, tuple[str, ...]], dict[int, Candidate]]" = {}  # by framework and groups, then by index


def _inferred(
    framework: "Framework",
    groups: "tuple[str, ...]",
    names: "Iterable[str]",
    texts: "Mapping[str, str]",
    allowed: "set[int] | None" = None,
) -> "tuple[list[Candidate], list[Candidate]]":
    """(the releases that know the most of the names and texts, those that know one less), newest first."""
    candidates = _all.get((framework, groups))
    if candidates is None:
        found = (
            _candidate(framework, groups, release, version_key(release), index)
            for index, release in enumerate(framework.catalogue.releases)
        )
        candidates = _all[framework, groups] = {candidate.index: candidate for candidate in found if candidate}
    fitting = [_fitting(framework, name, text, groups, candidates) for name, text in texts.items()]
    possible = [index for index in candidates if index in allowed] if allowed else []
    told = frozenset(names), tuple(filter(None, fitting))
    key = framework, groups, told, tuple(possible)
    chosen = _best.get(key)
    if chosen is None:
        if len(_best) >= MOST_REMEMBERED:
            _best.clear()
        chosen = _best[key] = framework.catalogue.candidates(told[0], groups, possible or list(candidates), told[1])
    best, less = chosen
    return [candidates[index] for index in reversed(best)], [candidates[index] for index in reversed(less)]


LONGEST_CHOICE = 100  # characters; what is longer is prose, of which nothing is remembered


def _fitting(
    framework: "Framework", name: str, text: str, groups: "tuple[str, ...]", candidates: "dict[int, Candidate]"
) -> int:
    """The releases that take a text for a setting, as bits; asked once."""
    if len(text) > LONGEST_CHOICE:
        return framework.fitting(name, text, groups, candidates.values())
    key = framework, groups, name, text
    found = _fit.get(key)
    if found is None:
        if len(_fit) >= MOST_REMEMBERED:
            _fit.clear()
        found = _fit[key] = framework.fitting(name, text, groups, candidates.values())
    return found


# Most files of a repository hold the same keys, and the same words.
_fit: "dict[tuple[object, ...], int]" = {}
_best: "dict[tuple[object, ...], tuple[list[int], list[int]]]" = {}
