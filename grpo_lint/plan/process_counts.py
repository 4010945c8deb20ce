"""A plan for many values of one unknown number at once, such as that of processes."""

from .formula import FREE, MANY, NUMBERS, VOCABULARY, Steps, Unknown, Unset

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType

    from ..shared_types import Callable, Formula, Plan, Sequence


class Sweep:
    """Asks for many values of an unknown number whether one of some conditions certainly holds, as in `Plan.holds`.

    `plan_on` gives a plan for a value of the number `unknown`. Where it pays off, the formulas that lead to the
    conditions are compiled into one sequence of steps, as the plan for 1 selected them. This is done only where no
    number can select others. A value for which the steps fail is asked of a plan of its own.
    """

    def __init__(self, conditions: "Sequence[Formula]", plan_on: "Callable[[int], Plan]", unknown: str) -> None:
        self.conditions = conditions
        self._unknown = unknown
        self._plan_on = plan_on
        self._asked = 0
        self._scope: Plan | None = None
        self._steps: CodeType | None = None

    def holds(self, count: int) -> bool:
        self._asked += 1
        free = self._freed([count]) if self._asked >= MANY else None
        return any(map(self._plan_on(count).holds, self.conditions)) if free is None else not free

    def free(self, counts: "Sequence[int]") -> "list[int]":
        """Those of many values for which none of the conditions certainly holds."""
        self._asked += len(counts)
        free = self._freed(counts)
        return [count for count in counts if not self.holds(count)] if free is None else free

    def _freed(self, counts: "Sequence[int]") -> "list[int] | None":
        """Those of some values for which the steps find none of the conditions to hold; None where they fail, or there are none."""
        if self._scope is None:
            self._scope = self._plan_on(1)
            self._steps = Steps(self.conditions, self._scope, self._unknown).code
        if self._steps is None:
            return None
        found: list[int] = []
        self._scope[NUMBERS], self._scope[FREE] = counts, found
        try:
            exec(self._steps, VOCABULARY, self._scope)
        except (Unknown, Unset, ArithmeticError, TypeError, ValueError, LookupError):
            return None
        return found
