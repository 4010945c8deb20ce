"""All rules. Each is declared in one of the family modules and nowhere else."""

from ..rules import evaluation_batch, launching, linter, names, reading, schedule, topology, training_batch
from ..rules.base import Rule as Rule  # for a team's rules
from .easyr1 import rules as easyr1_rules
from .ms_swift import rules as swift_arguments
from .ms_swift.megatron import batch_rules as megatron_batch
from .ms_swift.megatron import rules as megatron_options
from .ms_swift.swift import rules as swift_options
from .shared import rules as deepspeed
from .trl import ranges as trl_ranges
from .trl import rules as trl_options
from .verl import rules as verl_rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FAMILIES = (
    reading, names, training_batch, evaluation_batch, topology, launching, deepspeed, schedule, trl_options, trl_ranges, swift_arguments, swift_options,
    megatron_batch, megatron_options, verl_rules, easyr1_rules, linter,
)  # fmt: skip
ALL = tuple(sorted((rule for family in FAMILIES for rule in family.RULES), key=lambda rule: rule.code))
RULES = {rule.name: rule for rule in ALL}
_BY_CODE = {rule.code: rule for rule in ALL}
CONDITIONS = tuple(rule for rule in ALL if rule.broken)
# the settings and facts that decide whether a rule applies at all
DECIDING = frozenset().union(*(rule.only_with | rule.with_any for rule in CONDITIONS))


def find_rule(word: str, team: "Mapping[str, Rule] | None" = None) -> "Rule | None":
    """The rule with a code or a name, or None. `team`: {name: rule} of a team's own rules."""
    found = RULES.get(word) or _BY_CODE.get(word.upper())
    if found is None and team:
        found = team.get(word) or next((rule for rule in team.values() if rule.code == word.upper()), None)
    return found


def is_of_a_team(word: str) -> bool:
    """Whether a word names a team's rule, which may be unknown in this run."""
    return word.upper().startswith("TEAM")
