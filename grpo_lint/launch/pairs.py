"""Candidates are pairs: a release of a framework, and the release of transformers beside it, which declares some of its fields.

Asked only where a run sets such a field, or somebody says something of what is installed beside the framework.
"""

from ..frameworks.companions import COMPANION_OF
from ..frameworks.requirements import REQUIREMENTS
from ..frameworks.versions import version_key
from ..record import Record, derived, kept
from .bounds import tests_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Callable, Candidate, Collection, Framework, Mapping, Program, Sequence
    from .releases import Line, Versions

PACKAGE = "transformers"

_answers: "dict[tuple[object, ...], Answers]" = {}
MOST_REMEMBERED = 1000


class Answers:
    """What holds of all runs with the same settings that transformers declares, whatever their numbers: {a transformers: how many of
    them it knows}, {place of a release: how many the best transformers beside it knows}, and {releases: what `judged_with` says}."""

    __slots__ = ("counts", "most", "judged")

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.most: dict[int, int] = {}
        self.judged: dict[tuple[object, ...], dict[int, tuple[str, ...]]] = {}


def may_stand_beside(framework: "Framework", index: int, package: str, version: str) -> bool:
    """Whether a release can be installed with a version of a package, by its metadata. What only an extra requires is no matter:
    nobody need have asked for it."""
    required = _required_by(framework.releases.package, framework.catalogue.releases[index])
    return _is_in(version, required.get(package, "")) if required else True


@kept(MOST_REMEMBERED)
def _required_by(package: str, release: str) -> "Mapping[str, str]":
    """What a release requires, as the last one before it whose metadata are known; empty where none is."""
    key = version_key(release)
    found: Mapping[str, str] = {}
    for each, bounds in REQUIREMENTS.get(package, {}).items():
        found = bounds if version_key(each) <= key else found
    return found


def _is_in(version: str, allows: str) -> bool:
    key = version_key(version)
    return all(test(key) for test in tests_of(allows) or ())


def beside(framework: "Framework", index: int, allows: str) -> "list[str]":
    """The transformers that may stand beside a release, the newest first; none where a range of the repository rules out all."""
    usual: str = framework.catalogue.companions[index][PACKAGE]
    required = _required_by(framework.releases.package, framework.catalogue.releases[index]).get(PACKAGE, "")
    return _standing(framework, required, allows, usual)


@kept(MOST_REMEMBERED)
def _standing(framework: "Framework", required: str, allows: str, usual: str) -> "list[str]":
    """Of all transformers that are known those in two ranges, the newest first; the usual one need not be in the first of them."""
    goes_with = {each[PACKAGE] for each in framework.catalogue.companions}
    possible = {*_within(required, goes_with | {*_versions_in(allows)}), usual}
    return sorted(_within(allows, possible), key=version_key, reverse=True)


def _within(allows: str, versions: "Collection[str]") -> "Collection[str]":
    """Those of some versions that are in a range."""
    tests = tests_of(allows)
    return [each for each in versions if all(test(version_key(each)) for test in tests)] if tests else versions


def _versions_in(allows: str) -> "list[str]":
    """The versions that a range names."""
    if not allows:
        return []
    import re  # few repositories give one

    return re.findall(r"\b\d{1,9}(?:\.\d{1,9}){1,9}", allows)


class Pairs(Record):
    """The pairs that may run something, and what each knows of it.

    groups   those of the catalogue whose fields the run may hold
    values   {name: value} of its settings that transformers declares
    stated   {package: version} of what somebody says that stands beside the framework
    allows   the range of transformers that the repository gives, an empty text for none
    """

    framework: "Framework"
    groups: "tuple[str, ...]"
    values: "Mapping[str, object]"
    stated: "Mapping[str, str]"
    allows: str = ""

    @derived
    def _answers(self) -> Answers:
        """Most files of a repository hold the same keys."""
        kinds = frozenset((name, type(_as_read(value)) is float) for name, value in self.values.items())
        asked = self.framework, self.groups, kinds, self.stated.get(PACKAGE), self.allows
        found = _answers.get(asked)
        if found is None:
            if len(_answers) >= MOST_REMEMBERED:
                _answers.clear()
            found = _answers[asked] = Answers()
        return found

    def known_by(self, version: str) -> int:
        """How many of the settings are known, and taken, with one transformers."""
        counts = self._answers.counts
        if version not in counts:
            counts[version] = len(self.values) - len(self.unknown_to(version))
        return counts[version]

    def unknown_to(self, version: str) -> "list[str]":
        """The names of the settings that one transformers does not know, or not take."""
        return [name for name, value in self.values.items() if not self._is_known(name, value, version)]

    def _is_known(self, name: str, value: object, version: str) -> bool:
        field = self.framework.catalogue.field_beside(
            name, self.groups, version, self.framework.releases.companion_fields[name]
        )
        value = _as_read(value)
        return field is not None and (type(value) is not float or field.has_type_of(value))

    def beside(self, index: int) -> "list[str]":
        """The transformers that may stand beside a release, the newest first."""
        return [self.stated[PACKAGE]] if PACKAGE in self.stated else beside(self.framework, index, self.allows)

    def most_known(self, index: int) -> int:
        """How many of the settings the best transformers beside a release knows."""
        most = self._answers.most
        if index not in most:
            most[index] = max(map(self.known_by, self.beside(index)), default=0) if self.values else 0
        return most[index]

    def accepting(self, index: int, possible: "Sequence[str]") -> str:
        """Of the transformers that may stand beside a release the nearest to the usual one that takes all settings; an empty text
        for none."""
        knowing = [each for each in possible if self.known_by(each) == len(self.values)]
        return self._nearest(index, possible, knowing) if knowing else ""

    def judged_with(self, versions: "Versions") -> "dict[int, tuple[str, ...]]":
        """{place: the transformers that a release is judged with, and all that may stand beside it}, where nobody says which one does.

        It is the one that knows the most settings, and of these the one that is nearest to what usually stands there. Where somebody
        states the release, the settings tell nothing: they are what is judged.
        """
        if PACKAGE in self.stated or not self.framework.releases.companion_fields:
            return {}
        is_inferred = versions.source == "inferred"
        places = tuple([release.index for release in (*versions.candidates, *versions.neighbours)])
        judged = self._answers.judged
        found = judged.get((places, is_inferred))
        if found is None:
            found = judged[places, is_inferred] = self._judged_with(places, self.values if is_inferred else {})
        return found

    def _judged_with(self, places: "Sequence[int]", values: "Mapping[str, object]") -> "dict[int, tuple[str, ...]]":
        found = {}
        for index in places:
            possible, best = self.beside(index), self.most_known(index)
            knowing = [each for each in possible if not values or self.known_by(each) == best]
            if knowing:
                found[index] = (self._nearest(index, possible, knowing), *possible)
        return found

    def _nearest(self, index: int, possible: "Sequence[str]", knowing: "Sequence[str]") -> str:
        """That of some transformers which is the nearest, of all that may stand beside a release, to what usually stands there."""
        usual = version_key(self.framework.catalogue.companions[index][PACKAGE])
        place = sum(version_key(each) > usual for each in possible)
        return min(knowing, key=lambda each: (abs(possible.index(each) - place), possible.index(each)))

    def going_along(self, line: "Line", inferred: "Versions", program: "Callable[[], Program | None]") -> "Versions":
        """Of inferred releases those that can be installed with what stands beside them, unless keys tell that they are not meant;
        what training scripts declare themselves tells no release."""
        both = [*inferred.candidates, *inferred.neighbours]
        if len(both) < 2 or not (self.stated or self.allows):
            return inferred
        possible = [each for each in both if self._is_installable(each)]
        lost = line.known_by(both) - line.known_by(possible)
        if not possible or (lost and not _are_declared(lost, program())):
            return inferred
        return self._preferring(line, _only(inferred, possible))

    def _is_installable(self, release: "Candidate") -> bool:
        always = self.framework.catalogue.companions[release.index]
        if PACKAGE in always and not self.beside(release.index):
            return False
        stated = self.stated.items()
        return self._is_supported(release, always) and all(
            may_stand_beside(self.framework, release.index, *each) for each in stated
        )

    def _preferring(self, line: "Line", inferred: "Versions") -> "Versions":
        """The releases that support the stated vLLM are the likelier ones; the others have a say, for nothing keeps them from being
        installed with it."""
        likely = [each for each in inferred.candidates if self._is_supported(each, ("vllm",))]
        if not likely or line.known_by(inferred.candidates) != line.known_by(likely):
            return inferred
        others = {*inferred.candidates, *inferred.neighbours}.difference(likely)
        neighbours = sorted(others, key=lambda each: each.index, reverse=True)
        return inferred.but(candidates=likely, neighbours=neighbours)

    def _is_supported(self, release: "Candidate", packages: "Collection[str]") -> bool:
        """Whether a release supports the stated versions of some packages."""
        companions = {**self.framework.catalogue.companions[release.index], **self.stated}
        facts = self.framework.releases.companion_facts(companions, release.key)
        told = (name for name in facts if name.endswith("_is_supported") and COMPANION_OF[name] in packages)
        return all(facts[name] for name in told)


def _as_read(value: object) -> object:
    """A value as it counts here: a flag may hold a number with a point."""
    if type(value) is not str:
        return value
    whole, _, part = value.partition(".")
    return float(value) if part.isdecimal() and (not whole or whole.isdecimal()) else value


def _are_declared(names: "set[str]", program: "Program | None") -> bool:
    """Whether a training script declares some settings itself."""
    return program is not None and names.issubset(program.declares)


def _only(inferred: "Versions", possible: "Collection[Candidate]") -> "Versions":
    """Of inferred releases some, which may be none of the best ones."""
    best = [each for each in inferred.candidates if each in possible]
    if not best:
        return inferred.but(candidates=[*possible], neighbours=[])
    return inferred.but(candidates=best, neighbours=[each for each in inferred.neighbours if each in possible])
