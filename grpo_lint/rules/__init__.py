"""All rules. A rule is declared in one of the family modules and nowhere else."""

from . import (
    deepspeed, evaluation_batch, launching, linter, megatron_options, names, reading, schedule, swift_options, topology, training_batch, trl_options,
)  # fmt: skip

FAMILIES = (
    reading, names, training_batch, evaluation_batch, topology, launching, deepspeed, schedule, trl_options, swift_options, megatron_options,
    linter,
)  # fmt: skip
ALL = tuple(rule for family in FAMILIES for rule in family.RULES)
RULES = {rule.name: rule for rule in ALL}
CONDITIONS = tuple(rule for rule in ALL if rule.broken)
# the settings and facts that decide whether a rule applies at all
DECIDING = frozenset().union(*(rule.only_with | rule.with_any for rule in CONDITIONS))


def find_rule(word):
    """The rule of a code or a name, or None."""
    return RULES.get(word) or next((rule for rule in ALL if rule.code == word.upper()), None)
