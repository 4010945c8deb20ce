"""Which releases a launch may run on, and how that is known."""

from ..frameworks.versions import resolve_version, version_key
from .launch import MOST_REMEMBERED, Candidate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ..frameworks.base import Framework
    from .facts import Fact
    from .pins import Pin


class Versions:
    """`candidates`, newest first; `neighbours`: where they are inferred, the releases that know one key less; `source`: who
    said it; `newer`: stated, and newer than every known release; `missing`: the stated version, when it has no such
    trainer; `beyond`: names that came later than the pinned release."""

    __slots__ = ("candidates", "neighbours", "source", "newer", "missing", "beyond", "allowed_by")
    candidates: "list[Candidate]"
    neighbours: "list[Candidate]"
    source: str
    newer: bool
    missing: "str | None"
    beyond: "Sequence[str]"
    allowed_by: str

    def __init__(
        self,
        candidates: "list[Candidate]",
        source: str,
        newer: bool = False,
        missing: "str | None" = None,
        beyond: "Sequence[str]" = (),
        neighbours: "Sequence[Candidate]" = (),
    ) -> None:
        self.candidates = candidates
        self.neighbours = list(neighbours)
        self.source = source
        self.newer = newer
        self.missing = missing
        self.beyond = beyond
        self.allowed_by = ""


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
    found = Versions(inferred, "inferred", neighbours=neighbours)
    if allowed and pin is not None:
        found.allowed_by = pin.place
    return found


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
    return Versions([candidate for candidate in found if candidate], pin.place)


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
    if ".dev" in pin.version and not pinned.newer:
        for index in range(candidate.index - 1, max(candidate.index - 3, -1), -1):
            before = catalogue.releases[index]
            found = _candidate(framework, groups, before, version_key(before), index)
            pinned.candidates += [found] if found else []
    known = (1 << candidate.index + 1) - 1
    pinned.beyond = [
        name for name in names if catalogue.known(name, groups) and not catalogue.known(name, groups) & known
    ]
    return pinned


def _stated(framework: "Framework", groups: "tuple[str, ...]", version: str, source: str) -> Versions:
    catalogue = framework.catalogue
    text = resolve_version(version, catalogue.releases)
    key = version_key(text)
    candidate = _candidate(framework, groups, text, key, catalogue.release_index(key))
    if candidate is None:
        return Versions([], source, missing=text)
    return Versions([candidate], source, newer=catalogue.is_newer_than_all(key))


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
