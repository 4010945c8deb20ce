"""All rules. Each is declared in one module and nowhere else."""

from ..rules.base import Rule as Rule  # for a team's rules
from .rule_sets import MODULES, OF_FILES, RuleSet, declared_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_MODULES = dict.fromkeys((*OF_FILES, *(module for modules in MODULES.values() for module in modules)))
ALL = tuple(sorted(declared_in(_MODULES), key=lambda rule: rule.code))
RULES = {rule.name: rule for rule in ALL}
_BY_CODE = {rule.code: rule for rule in ALL}
CONDITIONS = RuleSet(ALL).conditions


def find_rule(word: str, team: "Mapping[str, Rule] | None" = None) -> "Rule | None":
    """The rule with a code or a name, or None. `team`: {name: rule} of a team's own rules."""
    found = RULES.get(word) or _BY_CODE.get(word.upper())
    if found is None and team:
        found = team.get(word) or next((rule for rule in team.values() if rule.code == word.upper()), None)
    return found


def is_of_a_team(word: str) -> bool:
    """Whether a word names a team's rule, which may be unknown in this run."""
    return word.upper().startswith("TEAM")
