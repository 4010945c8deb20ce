"""A launch under one release, prepared to be judged many times under changes: what a change does not touch is computed
once."""

from ..checker.verdict import conditions, decide, inputs_of, one_per_regime, unblocked
from ..plan.formula import Unknown, Unset, following, reached
from ..record import kept
from ..unknown import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..checker.verdict import Changes
    from ..shared_types import Condition, Iterable, Judged, Launch, Plan, Regime, Sequence

    Question = object  # stands for a rule with all that its answer hangs on beside the changes
    Known = dict[Question, bool]  # whether the rule is broken, of some changes
    Blanks = dict[str, type[Unknown | Unset]]
    Seed = tuple[list[Condition], list[Condition], dict[str, object], Blanks]


def states_of(launch: "Launch", world_size: object) -> "list[State]":
    """The states in which a fix has to hold: the launch under each candidate regime, the newest first, and in a
    launcher that checks.

    `world_size`: the number of processes that comes first when there are several, and is assumed when there is none.
    """
    if len(launch.world_sizes) > 1:
        counts: list[Changes] = [
            {"world_size": count} for count in sorted(launch.world_sizes, key=lambda count: count != world_size)
        ]
    else:
        counts = [{} if launch.world_sizes or world_size is UNKNOWN else {"world_size": world_size}]
    states: list[State] = []
    asked: dict[tuple[object, ...], Question] = {}
    for candidate in one_per_regime(launch):
        states += [State(launch, candidate, facts, asked) for facts in counts]
        if launch.world_size is not UNKNOWN and launch.framework.reader.programs.launcher_check(
            candidate.key, launch.loader
        ):
            states.append(State(launch, candidate, {"world_size": 1}, asked, stage="config"))
    return states


class State:
    """`before`: the plan as it is; `broken_before`: the visible ones of the rules that it breaks; `hidden`: those of what nobody refuses that are
    broken, whether they are visible or wait behind a refusal. `facts` replace those of the launch;
    `stage`: only what is refused then counts."""

    def __init__(
        self,
        launch: "Launch",
        candidate: "Judged",
        facts: "Changes",
        asked: "dict[tuple[object, ...], Question]",
        stage: "str | None" = None,
    ) -> None:
        self.launch = launch
        self.candidate = candidate
        self.facts = facts
        self.stage = stage
        self.before: Plan = launch.plan(candidate, facts)
        self._seeds: dict[tuple[tuple[str, bool], ...], Seed] = {}
        self._asked = asked  # by all states of the launch
        self._questions: dict[Condition, Question] = {}
        broken = decide(self._rules(()), self.before)[0]
        self.broken_before: set[Condition] = self._visible(broken)
        refuses = candidate.enforced.refuses
        self.hidden: set[Condition] = {
            rule for rule in broken if rule.name not in refuses and not self._is_remark(rule)
        }
        self._broken: list[Condition] = broken
        formulas = candidate.regime.formulas
        self._references: dict[str, Sequence[str]] = {
            name: each.names for name, each in self.before.chosen.items() if name not in formulas
        }

    def inputs(self, rule: "Condition") -> "set[str]":
        """The settings and facts that the rule reads in this release, also through a setting that refers to another."""
        found = inputs_of(rule, self.candidate.regime)
        referred = self._referred(found) if self._references else ()
        return found.union(referred) if referred else found

    def _referred(self, names: "Iterable[str]") -> "set[str]":
        """The settings to which others refer, followed through chains."""
        found: set[str] = set()
        pending = [name for name in names if name in self._references]
        while pending:
            new = set(self._references[pending.pop()]) - found
            found |= new
            pending += (name for name in new if name in self._references)
        return found

    def plan(self, changes: "Changes") -> "Plan":
        """The plan under the changes."""
        return self._prepared(changes)[2]

    def holds(self, rule: "Condition", changes: "Changes") -> bool:
        """Whether one rule holds under the changes."""
        rules, settled, plan = self._prepared(changes)
        return not decide((rule,), plan)[0] if rule in rules else rule not in settled

    def judge(
        self, changes: "Changes", target: "Condition", known: "Known"
    ) -> "tuple[set[Condition], Plan | None] | tuple[None, None]":
        """(the rules that are visibly broken under the changes, the plan where one was needed); (None, None) when the rule `target` is
        broken. `known`: what other states have said under the same changes, and this one adds to."""
        rules, settled, values, blanks = self._seed_of(changes)
        if target in settled:
            return None, None
        plan: Plan | None = None
        broken = [*settled]
        for rule in (target, *rules) if target in rules else rules:
            question = self._questions.get(rule) or self._question(rule)
            if question not in known:
                plan = self._planned(changes, values, blanks) if plan is None else plan
                known[question] = bool(decide((rule,), plan)[0])
            if known[question]:
                if rule is target:
                    return None, None
                broken.append(rule)
        return self._visible(broken), plan

    def _question(self, rule: "Condition") -> "Question":
        """Equal for two states that answer alike whatever is changed, as they have the same formulas and values."""
        names, shape = _read_by(rule, self.candidate.regime)
        values = (id(self),) if self._references else tuple([self._said(name) for name in names])
        question = self._questions[rule] = self._asked.setdefault((rule, shape, values), object())
        return question

    def _said(self, name: str) -> object:
        try:
            value = self.before[name]
        except (Unknown, Unset) as reason:
            return type(reason)
        return (type(value), value if type(value) in (int, float, str, bool) else repr(value))

    def visible_violations(self, changes: "Changes") -> "tuple[set[Condition], Plan]":
        """(the rules that are visibly broken under the changes, the plan)."""
        rules, settled, plan = self._prepared(changes)
        return self._visible(settled + decide(rules, plan)[0]), plan

    def untouched(self, changes: "Changes") -> "set[Condition]":
        """The rules that are broken now and that the changes do not touch."""
        return set(self._prepared(changes)[1])

    def _prepared(self, changes: "Changes") -> "tuple[list[Condition], list[Condition], Plan]":
        """(rules to decide under the changes, broken rules that they do not touch, the plan)."""
        rules, settled, values, blanks = self._seed_of(changes)
        return rules, settled, self._planned(changes, values, blanks)

    def _planned(self, changes: "Changes", values: "dict[str, object]", blanks: "Blanks") -> "Plan":
        plan = self.launch.plan(self.candidate, {**changes, **self.facts})
        plan.update(values)
        plan._blank.update(blanks)
        return plan

    def _seed_of(self, changes: "Changes") -> "Seed":
        seed = self._seeds.get(key := tuple([(name, value is None) for name, value in changes.items()]))
        if seed is None:
            seed = self._seeds[key] = self._seed(changes)
        return seed

    def _seed(self, changes: "Changes") -> "Seed":
        """(rules that the changes touch, broken rules that they do not, values and nulls that they do not)."""
        touched, affected = changes.keys(), self._affected(changes)
        rules = self._rules(changes)
        dependent = [
            rule
            for rule in rules
            if not affected.isdisjoint(rule.broken.names)  # type: ignore[union-attr]  # it has one
            or not (touched.isdisjoint(rule.only_with) and touched.isdisjoint(rule.with_any))
        ]
        settled = [rule for rule in self._broken if rule in rules and rule not in dependent]
        values = {name: value for name, value in self.before.items() if name not in affected}
        blanks: Blanks = {
            name: why for name, why in self.before._blank.items() if why is Unset and name not in affected
        }
        return dependent, settled, values, blanks

    def _affected(self, touched: "Iterable[str]") -> "set[str]":
        """What is touched, and all quantities and settings that can depend on it, also through a setting that refers to
        another."""
        formulas, found, pending = self.candidate.regime.formulas, set[str](), [*touched]
        while pending:
            name = pending.pop()
            new = {name, *following(formulas, name)} - found
            found |= new
            pending += [
                each for each, names in self._references.items() if not (each in found or new.isdisjoint(names))
            ]
        return found

    def _rules(self, changes: "Changes | tuple[()]") -> "list[Condition]":
        rules = conditions(self.launch, self.candidate, changes)
        if self.stage is None:
            return rules
        enforced = self.candidate.enforced
        return [rule for rule in rules if rule.name in enforced and enforced[rule.name].stage == self.stage]

    def _visible(self, broken: "list[Condition]") -> "set[Condition]":
        visible = unblocked(broken, self.candidate.enforced.refuses) if len(broken) > 1 else broken
        return {rule for rule in visible if not self._is_remark(rule)}

    def _is_remark(self, rule: "Condition") -> bool:
        """Whether a broken rule is an info only."""
        enforced = self.candidate.enforced.get(rule.name)
        return (enforced.severity if enforced else rule.harm) == "info"


@kept(10_000)
def _read_by(rule: "Condition", regime: "Regime") -> "tuple[list[str], object]":
    """(the settings and facts that a rule can read in a regime, what stands for the formulas through which it reads them)."""
    formulas = regime.formulas
    names = reached(rule.broken.names, formulas)  # type: ignore[union-attr]  # it has one
    shape = frozenset([(name, formulas[name]) for name in names if name in formulas])
    return sorted(names.difference(formulas)), _shapes.setdefault(shape, object())


_shapes: "dict[frozenset[tuple[str, object]], object]" = {}
