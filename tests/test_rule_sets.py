"""Of which modules the rules of a framework come: none that it can break is left out."""

import re

import pytest

from grpo_lint.frameworks.all_rules import ALL, CONDITIONS
from grpo_lint.frameworks.registry import NAMES, framework as framework_named
from grpo_lint.frameworks.rule_sets import MODULES, rule_named, rules_of
from grpo_lint.launch.topology import PROCESSES
from grpo_lint.plan.quantities import QUANTITIES


def can_be_told(rule, framework, regime):
    """Whether a regime of a framework has all that a harmful rule reads, and the quantities that it tells."""
    told = QUANTITIES.keys() & set(re.findall(r"\{(\w+)", rule.message))
    return told <= regime.formulas.keys() and all(
        name in regime.formulas or name == PROCESSES or framework.catalogue.knows(name) for name in rule.broken.names
    )


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_that_a_framework_can_break_is_in_its_set(name):
    framework = framework_named(name)
    enforced = {row.rule for row in framework.refusals.enforcement.rows}
    harmful = {
        rule.name
        for rule in CONDITIONS
        if rule.harm and any(can_be_told(rule, framework, regime) for regime in framework.arithmetic.regimes)
    }
    assert enforced | harmful <= set(rules_of(name).by_name)


def test_every_framework_has_a_set_and_every_rule_is_declared_once():
    assert set(MODULES) == set(NAMES)
    assert len({rule.code for rule in ALL}) == len({rule.name for rule in ALL}) == len(ALL)
    assert all(rule_named(rule.name) is rule for rule in ALL)
    assert {rule for name in NAMES for rule in rules_of(name).conditions} == set(CONDITIONS)
