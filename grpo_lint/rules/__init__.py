"""All rules. A rule is declared in one of the family modules and nowhere else."""

from . import evaluation_batch, names, reading, schedule, topology, training_batch, trl_options

ALL = (*reading.RULES, *names.RULES, *training_batch.RULES, *evaluation_batch.RULES, *topology.RULES, *schedule.RULES, *trl_options.RULES)
RULES = {rule.name: rule for rule in ALL}
CONDITIONS = tuple(rule for rule in ALL if rule.broken)
# the settings and facts that decide whether a rule applies at all
DECIDING = frozenset().union(*(rule.only_with | rule.with_any for rule in CONDITIONS))


def find_rule(word):
    """The rule of a code or a name, or None."""
    return RULES.get(word) or next((rule for rule in ALL if rule.code == word.upper()), None)
