"""Which rules all releases that may be meant compute alike: what one of them says of these, all say."""

from ..launch.facts import IN_PLAN
from ..launch.topology import PROCESSES
from .verdict import inputs_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from collections.abc import Set as AbstractSet

    from ..frameworks.by_release import Regime
    from ..launch.launch import Candidate, Launch
    from .verdict import Condition, Judged

MOST_REMEMBERED = 10_000


def settled_rules(
    launch: "Launch", candidate: "Judged", rules: "list[Condition]", left: "set[Condition]"
) -> "frozenset[Condition]":
    """The rules that no other release that may be meant need be asked about: they hold, or cannot be decided, by formulas that
    all of them share, of values that all of them read alike. What hinges on the number of processes may be asked again of
    another number."""
    return alike_in_all(launch, candidate, [rule for rule in rules if rule not in left], ())


def alike_in_all(
    launch: "Launch", candidate: "Judged", rules: "list[Condition]", but: "Collection[str]"
) -> "frozenset[Condition]":
    """The rules that all releases that may be meant compute alike, of values that all of them read alike, `but` some names."""
    releases = (*launch.candidates, *launch.neighbours)
    regimes = tuple({id(each.regime): each.regime for each in releases}.values())
    alike: dict[str, bool] = {}

    def is_alike(name: str) -> bool:
        if name not in alike:
            alike[name] = _is_alike(launch, candidate, releases, name)
        return alike[name]

    return frozenset(
        rule
        for rule in rules
        if _has_one_formula(rule, regimes) and all(map(is_alike, inputs_of(rule, candidate.regime).difference(but)))
    )


def _is_alike(launch: "Launch", candidate: "Judged", releases: "Sequence[Candidate]", name: str) -> bool:
    """Whether a setting or fact has one value in all releases and for all questions: a fact of the run, a value that is taken as it stands,
    or one default."""
    if name in IN_PLAN:
        return name != PROCESSES
    field = launch.fields(candidate)[name]
    if name in launch.entries:
        if field is None:
            return False
        value = launch.value(name)
        return field.has_type_of(value) or (
            type(value) in (str, list, dict)
            and launch.read(name, launch.fields(candidate), candidate.key) == (value, None)
        )
    if not launch.framework.catalogue.knows(name):
        return False  # of a package beside the release
    if launch.incomplete or launch.reader:
        return False
    if name in launch.defaults:
        return field is not None
    key = launch.framework, launch.groups, name, tuple(each.index for each in releases)
    found = _one_default.get(key)
    if found is None:
        others = (launch.fields(each)[name] for each in releases)
        found = len({repr(other.default if other else None) for other in others}) == 1
        if len(_one_default) < MOST_REMEMBERED:
            _one_default[key] = found
    return found


_one_default: "dict[tuple[object, ...], bool]" = {}


_one_formula: "dict[tuple[str, tuple[int, ...]], bool]" = {}


def _has_one_formula(rule: "Condition", regimes: "tuple[Regime, ...]") -> bool:
    """Whether a condition is computed alike in some regimes."""
    if rule.broken is None or rule.source:
        return False
    key = rule.name, tuple(map(id, regimes))
    found = _one_formula.get(key)
    if found is None:
        found = _reaches_none_of(_differing(regimes), rule.broken.names, regimes[0])
        if len(_one_formula) < MOST_REMEMBERED:
            _one_formula[key] = found
    return found


def _differing(regimes: "tuple[Regime, ...]") -> "AbstractSet[str]":
    """The quantities that some regimes compute in different ways; equal formulas are one object."""
    key = tuple(map(id, regimes))
    found = _differences.get(key)
    if found is None:
        first, *others = (regime.formulas for regime in regimes)
        found = {name for other in others for name in first.keys() | other.keys() if first.get(name) != other.get(name)}
        if len(_differences) < MOST_REMEMBERED:
            _differences[key] = found
    return found


_differences: "dict[tuple[int, ...], AbstractSet[str]]" = {}


def _reaches_none_of(names: "AbstractSet[str]", start: "Sequence[str]", regime: "Regime") -> bool:
    """Whether nothing of what some quantities are computed from is among names."""
    seen: set[str] = set()
    pending = list(start)
    while pending:
        name = pending.pop()
        if name in names:
            return False
        if name not in seen:
            seen.add(name)
            for formula in regime.formulas.get(name, ()):
                pending += formula.names
    return True
