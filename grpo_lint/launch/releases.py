"""Which releases a launch may run on, and how that is known."""

from ..frameworks.companions import COMPANIONS
from ..frameworks.versions import resolve_version, version_key
from ..record import Record
from .launch import MOST_REMEMBERED, Candidate
from .pins import pin_of, pins_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..shared_types import (
        AbstractSet,
        Callable,
        Context,
        Fact,
        Framework,
        Iterable,
        Mapping,
        Origin,
        Pin,
        Program,
        Sequence,
        Sighting,
    )
    from .pairs import Pairs


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
    keys_newer_than_pin: "Sequence[str]" = ()
    allowed_by: str = ""


class Releases(Record):
    """The releases that a run may have.

    versions   those of the framework, and how they are known
    stated     {package: version} of the companions that somebody named
    beside     {place of a release: the transformers that it is judged with, then all that may stand beside it}
    pin        what the repository says of the framework's release, None for nothing
    telling_names   the names of the settings by which they were told apart
    """

    versions: Versions
    companion_versions: "Mapping[str, str]"
    beside: "Mapping[int, tuple[str, ...]]"
    pin: "Pin | None"
    telling_names: "AbstractSet[str]"

    @property
    def newest(self) -> "Candidate | None":
        """The newest release that may be meant; None where the stated one has no such trainer."""
        return self.versions.candidates[0] if self.versions.candidates else None

    @property
    def beside_newest(self) -> "Mapping[str, str]":
        """{package: version} of what is known to stand beside the newest release."""
        told = self.beside.get(self.newest.index) if self.newest else None
        return {"transformers": told[0], **self.companion_versions} if told else self.companion_versions

    @property
    def is_pinned_to_a_copy(self) -> bool:
        """Whether a copy of the framework in the repository says the release."""
        return self.pin is not None and self.pin.is_of_a_copy


def releases_of(
    sighting: "Sighting",
    names: "AbstractSet[str]",
    said: "Said",
    groups: "tuple[str, ...]",
    facts: "Mapping[str, Fact]",
    pinned: "Pinned",
    find_program: "Callable[[], Program | None]",
) -> Releases:
    """The releases that a run may have, as it, its command and its repository say. `names`: of the settings by which releases are
    told apart."""
    framework = sighting.framework
    stated = _stated(framework.releases.package, facts, pinned)
    beside = names & framework.releases.companion_fields.keys()  # what transformers beside a release decides
    pairs = None
    if beside or stated or (pinned.transformers and framework.releases.companion_fields):
        from .pairs import Pairs

        values, allows = said.values(beside), pinned.transformers
        pairs = Pairs(framework=framework, groups=groups, values=values, stated=stated, allows=allows)
    line = Line(framework=framework, groups=groups, names=names - beside, pairs=pairs)
    if framework.copies.folder:
        from .copied_versions import copied  # few checkouts hold a copy

        versions = copied(line, pinned.framework)
    else:
        versions = _versions(line, facts.get("version"), pinned.framework, said.texts)
    if pairs is not None and versions.source == "inferred":
        versions = pairs.going_along(line, versions, find_program)
    return Releases(
        versions=versions,
        companion_versions=stated,
        beside=pairs.judged_with(versions) if pairs is not None else {},
        pin=pinned.framework,
        telling_names=names,
    )


def _stated(package: str, facts: "Mapping[str, Fact]", pinned: "Pinned") -> "dict[str, str]":
    """{package: version} of what somebody says that stands beside a framework's package."""
    stated = {other: pin.version for other, pin in pinned.all.items() if other != package}
    for other in COMPANIONS:
        if other in facts and facts[other].value != "latest":
            stated[other] = facts[other].value
    return stated


class Said(Record):
    """What settings say: `texts()`: {name: text} of those that hold texts; `values(names)`: {name: value} of some."""

    texts: "Callable[[], Mapping[str, str]]"
    values: "Callable[[Iterable[str]], Mapping[str, object]]"


class Pinned(Record):
    """What the repository around a run pins: the release of its framework, `all` by package, and a range of transformers."""

    framework: "Pin | None"
    all: "Mapping[str, Pin]"
    transformers: str = ""


def pinned_for(sighting: "Sighting", context: "Context") -> Pinned:
    """What the repository around a run pins. The script may lie beside the project that it starts."""
    package, origin, pins = sighting.framework.releases.package, sighting.origin, context.pins
    pin, wide = pin_of(pins, package), pin_of(pins, "transformers")
    if origin is not None:
        copy = _copy_told_by(origin, package)
        beside = _pins_of_program(origin, context) if copy is None and package not in pins else None
        if beside is not None:
            pin = beside.get(package) or pin or pin_of(beside, package)
            wide, pins = wide or pin_of(beside, "transformers"), {**beside, **pins}
        pin = copy or pin or _fork_installed_by(origin, package)
    return Pinned(framework=pin, all=pins, transformers=wide.allows if wide else "")


def _pins_of_program(origin: "Origin", context: "Context") -> "Mapping[str, Pin] | None":
    """What is pinned around the program that a command starts."""
    program = origin.program
    return pins_for(program.path) if program and program.path and context.repository else None


def _fork_installed_by(origin: "Origin", package: str) -> "Pin | None":
    """Where the script of a command installs somebody's own copy of a package."""
    text = origin.script.text if origin.script else origin.files.own_text
    if not text or "git+" not in text:
        return None
    from .ranges import fork_in  # few scripts install something

    return fork_in(text, (origin.script and origin.script.path) or origin.files.path, package)


def _copy_told_by(origin: "Origin", package: str) -> "Pin | None":
    """The copy of a framework that a command imports, where it says from which folder, or where this machine shows it."""
    command = origin.invocation.command
    told = None
    if command.folder not in (None, ("start", "")) or {"PYTHONPATH"} & {*command.assignments, *command.history.entries}:
        from .which_copy import copy_of_command  # few commands come here

        told = copy_of_command(package, command, origin.files)
    shown = origin.installed.get(package)
    return told or (shown.value if shown is not None and type(shown.value) is not str else None)


def _versions(
    line: "Line", fact: "Fact | None", pin: "Pin | None", texts: "Callable[[], Mapping[str, str]]"
) -> Versions:
    """The version that is stated or pinned, else the candidates that the names of the settings allow, and `texts()`: {name: value} of
    those that hold texts."""
    if fact is not None:
        stated = line.stated(fact.value, fact.source)
        # settings hold for a whole repository: a version of TRL there says nothing about a file of ms-swift
        if stated.missing is None or fact.source != "settings":
            return stated
    if pin is None or line.framework.releases.is_of_another_package:
        return line.inferred(texts())
    named = line.named_by(pin)
    if named is not None:
        return named
    allowed = _allowed(line.framework, pin) if pin.allows else _oldest_known(line.framework, pin)
    return line.inferred(texts(), allowed).but(allowed_by=pin.place if allowed else "")


def _oldest_known(framework: "Framework", pin: "Pin") -> "set[int] | None":
    """The place of the oldest known release, for a copy that is older than any; None for every other one."""
    releases = framework.catalogue.releases
    is_old = pin.copied_to is not None and bool(pin.version) and version_key(pin.version) < version_key(releases[0])
    return {0} if is_old else None


def _allowed(framework: "Framework", pin: "Pin") -> "set[int]":
    """The places of the releases that a range allows; none where it allows none that is known."""
    from .ranges import allowed

    return allowed(pin.allows, framework.catalogue.releases)


# --- the releases of a framework ------------------------------------------------------------------------------------

LONGEST_CHOICE = 100  # characters; what is longer is prose, of which nothing is remembered

# Most files of a repository hold the same keys, and the same words.
_all: "dict[tuple[Framework, tuple[str, ...]], dict[int, Candidate]]" = {}  # by framework and groups, then by index
_fit: "dict[tuple[object, ...], int]" = {}
_best: "dict[tuple[object, ...], tuple[list[int], list[int]]]" = {}
_stated_ones: "dict[tuple[object, ...], tuple[Candidate | None, str, bool]]" = {}


class Line(Record):
    """The releases of a framework, as the settings of a run see them.

    groups   those of the catalogue whose fields the run may hold
    names    of the settings by which releases are told apart
    pairs    what transformers beside them know of the others; None where nothing hangs on it
    """

    framework: "Framework"
    groups: "tuple[str, ...]"
    names: "AbstractSet[str]"
    pairs: "Pairs | None" = None

    def candidate(self, text: str, key: "tuple[int, ...]", index: int) -> Candidate | None:
        """A release, None where it has no such trainer: its group size is a field of each that has."""
        regime = self.framework.arithmetic.regime(key)
        if regime is None or index < 0:
            return None
        has_trainer = self.framework.catalogue.known(self.framework.reader.trainer.field, self.groups[:1]) >> index & 1
        return Candidate(text, key, index, regime) if has_trainer else None

    def stated(self, version: str, source: str) -> Versions:
        """The release that somebody states."""
        key = self.framework, self.groups, version
        found = _stated_ones.get(key)
        if found is None:
            _make_room(_stated_ones)
            found = _stated_ones[key] = self._resolved(version)
        candidate, text, is_newer = found
        if candidate is None:
            return Versions(candidates=[], source=source, missing=text)
        return Versions(candidates=[candidate], source=source, newer=is_newer)

    def _resolved(self, version: str) -> "tuple[Candidate | None, str, bool]":
        """(the release that a version means, its text, whether it is newer than all that are known)."""
        catalogue = self.framework.catalogue
        text = resolve_version(version, catalogue.releases)
        key = version_key(text)
        return self.candidate(text, key, catalogue.release_index(key)), text, catalogue.is_newer_than_all(key)

    def named_by(self, pin: "Pin") -> "Versions | None":
        """The release that a pin names, or those around the commit that it names; None where it leaves more open, as a copy does that
        calls itself the same from one release to the next, and so does a framework that keeps such a number for long."""
        is_before = ".dev" in pin.version and self.framework.reader.configs.nested
        if pin.copied_to is not None:
            is_before = ".dev" in pin.version or "rc" in pin.version
        if pin.version and not is_before:
            pinned = self._pinned(pin)
            # a copy with a parser of its own may be later than its number says
            is_changed = pinned.keys_newer_than_pin and self.framework.copies.parser and pin.copied_to is not None
            if pinned.missing is None and not is_changed:
                return pinned
        return self._around(pin) if pin.between else None

    def _around(self, pin: "Pin") -> "Versions | None":
        """The releases before and after a commit that a repository pins: it may be like either of them."""
        catalogue = self.framework.catalogue
        keys = [(release, version_key(release)) for release in reversed(pin.between)]
        found = (self.candidate(release, key, catalogue.release_index(key)) for release, key in keys)
        candidates = [candidate for candidate in found if candidate]
        return Versions(candidates=candidates, source=pin.place) if candidates else None

    def _pinned(self, pin: "Pin") -> Versions:
        """The release that a repository pins.

        What lies before it (`3.8.0.dev0`) is between the first 3.7 and the first 3.8, of which we know the last ones: it
        may be like 3.6, 3.7 or 3.8. So it is written where something was installed that is not here (`conda env export`); a copy
        that is here is judged by what stands in it, whatever it calls itself.
        """
        pinned = self.stated(pin.version, pin.place)
        if pinned.missing is not None:
            return pinned
        candidate = pinned.candidates[0]
        candidates = [candidate]
        if ".dev" in pin.version and not pinned.newer:
            before = range(candidate.index - 1, max(candidate.index - 3, -1), -1)
            candidates += [each for each in map(self._of_index, before) if each]
        catalogue, known = self.framework.catalogue, (1 << candidate.index + 1) - 1
        bits = {name: catalogue.known(name, self.groups) for name in self.names}
        beyond = [name for name in self.names if bits[name] and not bits[name] & known]
        return pinned.but(candidates=candidates, keys_newer_than_pin=beyond)

    def _of_index(self, index: int) -> Candidate | None:
        release = self.framework.catalogue.releases[index]
        return self.candidate(release, version_key(release), index)

    def known_by(self, candidates: "Iterable[Candidate]") -> set[str]:
        """Those of the names that at least one of some releases knows."""
        releases = sum(1 << candidate.index for candidate in candidates)
        return {name for name in self.names if self.framework.catalogue.known(name, self.groups) & releases}

    def inferred(self, texts: "Mapping[str, str]", allowed: "set[int] | None" = None) -> Versions:
        """The releases that know the most of the names and texts, and as neighbours those that know one less. `allowed`: the places
        of those that come into question."""
        candidates = self._candidates()
        fitting = tuple(filter(None, (self._fitting(name, text, candidates) for name, text in texts.items())))
        possible = tuple(index for index in candidates if index in allowed) if allowed else ()
        beside = {index: self.pairs.most_known(index) for index in candidates} if self.pairs else {}
        key = self.framework, self.groups, frozenset(self.names), fitting, possible, tuple(beside.values())
        chosen = _best.get(key)
        if chosen is None:
            _make_room(_best)
            chosen = _best[key] = self._knowing_most(possible or (*candidates,), fitting, beside)
        best, less = ([candidates[index] for index in reversed(each)] for each in chosen)
        return Versions(candidates=best, source="inferred", neighbours=less)

    def _candidates(self) -> "dict[int, Candidate]":
        key = self.framework, self.groups
        if key not in _all:
            found = map(self._of_index, range(len(self.framework.catalogue.releases)))
            _all[key] = {candidate.index: candidate for candidate in found if candidate}
        return _all[key]

    def _fitting(self, name: str, text: str, candidates: "dict[int, Candidate]") -> int:
        """The releases that take a text for a setting, as bits; asked once."""
        if len(text) > LONGEST_CHOICE:
            return self.framework.releases.fitting(name, text, self.groups, candidates.values())
        key = self.framework, self.groups, name, text
        found = _fit.get(key)
        if found is None:
            _make_room(_fit)
            found = _fit[key] = self.framework.releases.fitting(name, text, self.groups, candidates.values())
        return found

    def _knowing_most(
        self, possible: "Sequence[int]", fitting: "Iterable[int]", beside: "Mapping[int, int]"
    ) -> "tuple[list[int], list[int]]":
        """(the releases that know the most of the names, those that know one less), by their places. `fitting`: for values that only
        some releases take, those releases as bits; each counts like a name; `beside`: how many names the best transformers beside
        each knows."""
        known = (self.framework.catalogue.known(name, self.groups) for name in self.names)
        telling = _telling((*known, *fitting), sum(1 << index for index in possible))
        if not telling and len({*beside.values()}) < 2:
            return list(possible), []
        scores = {
            index: beside.get(index, 0) + sum(telling[bits] for bits in telling if bits >> index & 1)
            for index in possible
        }
        best = max(scores.values())
        most, less = ([index for index, score in scores.items() if score == each] for each in (best, best - 1))
        return most, less


def _telling(known: "Iterable[int]", everywhere: int) -> "dict[int, int]":
    """{a set of releases: how many names only these know}; most names share a few sets."""
    telling: dict[int, int] = {}
    for bits in known:
        bits &= everywhere
        if bits and bits != everywhere:
            telling[bits] = telling.get(bits, 0) + 1
    return telling


def _make_room(remembered: "dict[tuple[object, ...], Any]") -> None:
    if len(remembered) >= MOST_REMEMBERED:
        remembered.clear()
