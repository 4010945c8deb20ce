"""Which releases a launch may run on, and how that is known."""

from ..facts import resolve_version, version_key
from .launch import Candidate


class Versions:
    """`candidates`, newest first; `source`: who said it; `newer`: stated, and newer than every known release;
    `missing`: the stated version, when it has no such trainer."""

    __slots__ = ("candidates", "source", "newer", "missing")

    def __init__(self, candidates, source, newer=False, missing=None):
        self.candidates = candidates
        self.source = source
        self.newer = newer
        self.missing = missing


def find_versions(dialect, groups, names, fact, pin):
    """The version that was stated (`fact`) or pinned in the repository (`pin`), else the candidates the keys allow."""
    if fact is not None:
        stated = _stated(dialect, groups, fact.value, fact.source)
        # settings hold for a whole repository: a version of TRL there says nothing about a file of ms-swift
        if stated.missing is None or fact.source != "settings":
            return stated
    if pin is not None:
        stated = _stated(dialect, groups, pin.version, f"{pin.path.replace(chr(92), '/').rsplit('/', 1)[-1]}:{pin.line}")
        if stated.missing is None:
            return stated
    return Versions(_inferred(dialect, groups, names), "inferred")


def _stated(dialect, groups, version, source):
    catalogue = dialect.catalogue
    text = resolve_version(version, catalogue.releases)
    key = version_key(text)
    candidate = _candidate(dialect, groups, text, key, catalogue.release_index(key))
    if candidate is None:
        return Versions([], source, missing=text)
    return Versions([candidate], source, newer=catalogue.is_newer_than_all(key))


def _candidate(dialect, groups, text, key, index):
    regime = dialect.regime(key)
    if regime is None or index < 0 or not _has_trainer(dialect, groups, index):
        return None
    return Candidate(text, key, index, regime)


def _has_trainer(dialect, groups, index):
    """Whether a release knows the trainer at all: its group size is a field of every one of them."""
    return bool(dialect.catalogue.known("num_generations", groups[:1]) >> index & 1)


_all = {}


def _inferred(dialect, groups, names):
    candidates = _all.get((dialect.name, groups))
    if candidates is None:
        found = (
            _candidate(dialect, groups, release, version_key(release), index)
            for index, release in enumerate(dialect.catalogue.releases)
        )
        candidates = _all[dialect.name, groups] = {candidate.index: candidate for candidate in found if candidate}
    indices = dialect.catalogue.candidates(names, groups, list(candidates))
    return [candidates[index] for index in reversed(indices)]
