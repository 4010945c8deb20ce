"""Which modules declare the rules that each framework can break: only these are imported for its files."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Iterable, Rule


TRAINS_NOTHING = (
    "trains_nothing"  # attached to a run that is over after an evaluation: rules about training do not hold
)

_BATCH = ("rules.training_batch", "rules.topology")
_HUGGING_FACE = (
    "rules.evaluation_batch",
    "rules.launching",
    "rules.schedule",
    "frameworks.shared.rules",
    "frameworks.trl.rules",
    "frameworks.trl.ranges",
)
_MEGATRON = "frameworks.shared.megatron_rules"
_MS_SWIFT = ("frameworks.ms_swift.rules", "frameworks.ms_swift.swift.rules")

# The rules that only the reading of files breaks, whatever the framework.
OF_FILES = ("rules.reading", "rules.names", "rules.leaving", "rules.rewarding", "rules.linter")

# {name of a framework: its modules of rules, beside those that only the reading of files breaks}. ms-swift trains with TRL's
# trainers, Megatron-SWIFT takes ms-swift's arguments, and EasyR1 is made of verl.
MODULES = {
    "trl": (*_BATCH, *_HUGGING_FACE),
    "swift": (*_BATCH, *_HUGGING_FACE, *_MS_SWIFT),
    "megatron": (*_BATCH, *_HUGGING_FACE, *_MS_SWIFT, _MEGATRON, "frameworks.ms_swift.megatron.batch_rules", "frameworks.ms_swift.megatron.rules"),
    "verl": (*_BATCH, _MEGATRON, "frameworks.verl.rules"),
    "easyr1": (*_BATCH, "frameworks.verl.rules", "frameworks.easyr1.rules"),
    "verl-agent": (*_BATCH, _MEGATRON, "frameworks.verl.rules", "frameworks.verl_agent.rules"),
    "nemo-rl": (*_BATCH, _MEGATRON, "rules.schedule", "frameworks.trl.ranges", "frameworks.nemo_rl.rules"),
    "slime": (*_BATCH, _MEGATRON, "rules.schedule", "frameworks.trl.ranges", "frameworks.slime.rules"),
    "openrlhf": (*_BATCH, "rules.schedule", "frameworks.openrlhf.rules"),
}  # fmt: skip


class RuleSet:
    """The rules that a framework can break.

    `by_name`: all; `conditions`: those with a condition, by their codes; `deciding`: the settings and facts that decide
    whether one of these applies at all.
    """

    def __init__(self, rules: "Iterable[Rule]") -> None:
        self.by_name: dict[str, Rule] = {rule.name: rule for rule in rules}
        self.conditions: tuple[Rule, ...] = tuple(
            sorted([rule for rule in self.by_name.values() if rule.broken], key=lambda rule: rule.code)
        )
        self.deciding: frozenset[str] = frozenset().union(*[rule.only_with | rule.with_any for rule in self.conditions])


_sets: "dict[str, RuleSet]" = {}


def rules_of(framework: str) -> RuleSet:
    """The RuleSet of the framework with this name."""
    found = _sets.get(framework)
    if found is None:
        found = _sets[framework] = RuleSet(declared_in(MODULES[framework]))
    return found


def declared_in(modules: "Iterable[str]") -> "list[Rule]":
    """The rules of some modules of the package."""
    return [rule for module in modules for rule in __import__(f"grpo_lint.{module}", fromlist=["RULES"]).RULES]


def rule_named(name: str) -> "Rule":
    """The rule with this name, which need not be one of a framework. Others than those that were asked for are imported only
    where it is none of these."""
    for known in _sets.values():
        if name in known.by_name:
            return known.by_name[name]
    for rule in declared_in(OF_FILES):
        if rule.name == name:
            return rule
    from .all_rules import RULES

    return RULES[name]
