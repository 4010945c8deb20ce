"""The plan: what a run does, counted in completions.

A *formula* is one line of text over names ("completions_per_step * steps_per_rollout"). The text is what runs and what
is shown, so an explanation cannot disagree with the computation. A name is one of three things: a quantity (it has
formulas of its own), a setting of the framework, or a fact about the launch such as `world_size`. Formulas are part of
grpo-lint; those of a team come only from Python files that the user has allowed to run.

A quantity may have several formulas, tried in order; a formula that reads a null setting (not set) is skipped. A
formula that reads something unknown makes the quantity unknown: nothing is guessed.
"""

from ..unknown import UNKNOWN, is_beyond
from .formula import READING, VOCABULARY, Formula, Reading, Unknown, Unset, reads_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from ..shared_types import AbstractSet, Formula, Formulas, Iterable, Mapping, Sequence

    class Field(Protocol):
        """What a release states about a setting."""

        default: object

    Fields = Mapping[str, Field | None]  # None: an unknown name


def whole(value: object) -> "int | None":
    """A positive whole number, None for anything else."""
    return value if type(value) is int and value > 0 else None


class Reference:
    """The value of a setting that takes the value of another one."""

    __slots__ = ("formula",)

    def __init__(self, name: str) -> None:
        self.formula: Formula = Formula(name)


class Plan(dict[str, object]):
    """Values by name, computed when they are first asked for. Reading an unknown value raises `Unknown`, reading a null one `Unset`."""

    # given     values of the settings in the file and of the facts about the launch, KeyError for others
    # fields    the settings of the release, whose defaults are used for settings that are not given
    # changes   replaces given values, for a hypothetical run

    __slots__ = ("formulas", "given", "fields", "changes", "chosen", "_blank")

    def __init__(
        self,
        formulas: "Formulas",
        given: "Mapping[str, object]",
        fields: "Fields",
        changes: "Mapping[str, object] | None" = None,
    ) -> None:
        self.formulas = formulas
        self.given = given
        self.fields = fields
        self.changes: Mapping[str, object] = changes or {}
        self.chosen: dict[str, Formula] = {}  # quantity -> the Formula that gave its value
        self._blank: dict[str, type[Unknown | Unset]] = {
            "unknown": Unknown
        }  # name -> Unknown or Unset, so that a failure is not computed twice

    def __missing__(self, name: str) -> object:
        if name in VOCABULARY:
            raise KeyError(name)
        if name == READING:
            return Reading(self)  # not kept: a plan that holds itself is freed late
        blank = self._blank.get(name)
        if blank is not None:
            raise blank(name)
        try:
            value = self[name] = self._compute(name) if name in self.formulas else self.look_up(name)
        except (Unknown, Unset) as reason:
            self._blank[name] = type(reason)
            raise
        return value

    def take_over(self, other: "Plan", but: "AbstractSet[str]" = frozenset()) -> None:
        """Copy the values and the nulls that another plan has found, `but` those of names whose values may be others here."""
        self.update(other)
        self.chosen.update(other.chosen)
        for name in but:
            self.pop(name, None)
            self.chosen.pop(name, None)
        self._blank.update(
            (name, reason) for name, reason in other._blank.items() if reason is Unset and name not in but
        )

    @property
    def selected(self) -> "tuple[object, ...]":
        """What it found so far beside numbers: the formulas that gave values, and the names that are null."""
        nulls = frozenset([name for name, reason in self._blank.items() if reason is Unset])
        return id(self.formulas), frozenset(self.chosen.items()), nulls

    def hanging_on(self, names: "AbstractSet[str]") -> "set[str]":
        """Those of the names that it was asked for which are among some names, or can depend on them."""
        reads = reads_of(self.formulas)
        return {each for each in (*self, *self._blank) if each in names or not names.isdisjoint(reads[each])}

    def look_up(self, name: str) -> object:
        if name in self.changes:
            value = self.changes[name]
        else:
            try:
                value = self.given[name]
            except KeyError:
                field = self.fields[name]
                # a setting that this release does not have is not set
                value = None if field is None else field.default
        if type(value) is Reference:
            value = self._followed(name, value)
        if value is UNKNOWN or is_beyond(value):
            raise Unknown(name)
        if value is None:
            raise Unset(name)
        return value

    def _followed(self, name: str, reference: Reference) -> object:
        """The value of the setting that another one refers to. It is unknown where references form a circle."""
        self._blank[name] = Unknown
        value = self.evaluate(reference.formula)
        del self._blank[name]
        self.chosen[name] = reference.formula
        return value

    def _compute(self, name: str) -> object:
        for formula in self.formulas[name]:
            try:
                value = self.evaluate(formula)
            except Unset:
                continue
            self.chosen[name] = formula
            return value
        raise Unset(name)

    def evaluate(self, formula: "Formula") -> object:
        """The value of a formula. An error such as a division by zero makes it unknown; a rule about sizes reports
        it."""
        try:
            return eval(formula._code or formula.code, VOCABULARY, self)
        except (ArithmeticError, TypeError, ValueError, LookupError) as reason:
            raise Unknown(formula.source) from reason

    def holds(self, condition: "Formula") -> bool:
        """Whether a condition certainly holds: False when it reads something unknown or not set."""
        try:
            return bool(self.evaluate(condition))
        except (Unknown, Unset):
            return False

    def value(self, name: str) -> object:
        """The value, or None when it is unknown or not set."""
        try:
            return self[name]
        except (Unknown, Unset):
            return None

    def is_unset(self, name: str) -> bool:
        try:
            self[name]
        except Unset:
            return True
        except Unknown:
            pass
        return False

    def nearest(self, names: "Iterable[str]") -> "list[str]":
        """The settings and facts from which the named quantities were computed, the most direct ones first."""
        found, seen, pending = {}, set(names), list(names)
        for name in pending:
            formula = self.chosen.get(name)
            if name not in self.formulas:
                found[name] = True
            if formula is not None:
                new = [each for each in formula.names if each not in seen]
                seen.update(new)
                pending += new
        return list(found)

    def leaves(self, names: "Sequence[str]") -> "list[str]":
        """The settings and facts from which the named quantities were computed, in the order of the formulas."""
        found: dict[str, bool] = {}
        pending = list(reversed(names))
        seen: set[str] = set()
        while pending:
            name = pending.pop()
            if name in seen:
                continue
            seen.add(name)
            formula = self.chosen.get(name)
            if name not in self.formulas:
                found[name] = True
            if formula is not None:
                pending.extend(reversed(formula.names))
        return list(found)
