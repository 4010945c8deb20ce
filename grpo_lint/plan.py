"""The plan: what a run does, counted in completions.

A *formula* is one line of text over names ("completions_per_step * steps_per_rollout"). The text is what runs and what is
shown, so an explanation cannot disagree with the computation. A name is a quantity (it has formulas of its own), a
setting of the framework, or a fact about the launch such as `world_size`. Formulas are ours; a team brings
its own only in files of Python that somebody asked to run.

A quantity may have several formulas, tried in order: one that reads a setting which is null (not set) is passed over.
A formula that reads something unknown makes the quantity unknown: nothing is guessed.
"""

from math import ceil

from .source.scalars import is_beyond


class Unknown(Exception):
    """An operand is not known (the number of processes, an interpolated value): the result is not known either."""


class Unset(Exception):
    """A setting is null: this formula does not apply."""


class _UnknownValue:
    """The value of a setting that is written down but cannot be known by reading."""

    def __repr__(self):
        return "unknown"


UNKNOWN = _UnknownValue()


def ratio(numerator, denominator):
    """An integer where the division is exact, otherwise a number rounded to four places."""
    return numerator // denominator if numerator % denominator == 0 else round(numerator / denominator, 4)


def beyond(names, known):
    """The names that are not among the known ones, as a message lists them; an empty text when all are known."""
    return ", ".join(sorted(name or "''" for name in set(names).difference(known)))


def unrolled(layout):
    """A pipeline layout such as "Et*3|(tt|)*29,m|L" with every x*n as n times x, and without commas."""
    import re

    text = layout.replace(",", "")
    for repeated in (r"\(([^)]+)\)\*(\d{1,4})", r"(.)\*(\d{1,4})"):
        if len(text) > LONGEST_LAYOUT or sum(len(found[1]) * int(found[2]) for found in re.finditer(repeated, text)) > LONGEST_LAYOUT:
            raise ValueError("no pipeline has so many layers")
        text = re.sub(repeated, lambda found: found[1] * int(found[2]), text)
    return text


LONGEST_LAYOUT = 2000  # characters, each a layer or the end of a stage; written "t*9999" they are few


def stages(layout):
    """How many stages a pipeline layout describes."""
    return unrolled(layout).count("|") + 1


# What a formula may call.
VOCABULARY = {"__builtins__": {}, "beyond": beyond, "ceil": ceil, "int": int, "len": len, "max": max, "min": min, "ratio": ratio,
              "stages": stages, "unrolled": unrolled}  # fmt: skip


class Formula:
    """One line of arithmetic; compiled when it is first needed."""

    __slots__ = ("text", "_code", "_names")

    def __init__(self, text):
        self.text = text
        self._code = None
        self._names = None

    @property
    def code(self):
        if self._code is None:
            self._code = compile(self.text, self.text, "eval")
        return self._code

    @property
    def names(self):
        """The names this formula mentions, in the order of the text."""
        if self._names is None:
            self._names = tuple(name for name in self.code.co_names if name not in VOCABULARY)
        return self._names


_shared = {}


def formulas(table):
    """{quantity: text or (text, text, ...)} as {quantity: (Formula, ...)}; equal texts share one Formula."""
    return {
        name: tuple(_shared.get(text) or _shared.setdefault(text, Formula(text)) for text in ((texts,) if isinstance(texts, str) else texts))
        for name, texts in table.items()
    }


def inputs(names, formulas):
    """The settings and facts that the named quantities can read, through all their formulas."""
    pending, seen = list(names), set()
    while pending:
        name = pending.pop()
        if name not in seen:
            seen.add(name)
            for formula in formulas.get(name, ()):
                pending += formula.names
    return seen.difference(formulas)


class Plan(dict):
    """Values by name, computed when they are first asked for.

    `given`: values of the settings in the file and of the facts about the launch, KeyError for others; `fields`: what
    the release knows, whose defaults stand for the others; `changes` replaces given values, to ask what would be. Asking for an unknown value
    raises `Unknown`, for a null one `Unset`.
    """

    __slots__ = ("formulas", "given", "fields", "changes", "chosen", "_blank")

    def __init__(self, formulas, given, fields, changes=None):
        self.formulas = formulas
        self.given = given
        self.fields = fields
        self.changes = changes or {}
        self.chosen = {}  # quantity -> the Formula that gave its value
        self._blank = {}  # name -> Unknown or Unset, so that nothing is computed twice

    def __missing__(self, name):
        if name in VOCABULARY:
            raise KeyError(name)
        blank = self._blank.get(name)
        if blank is not None:
            raise blank(name)
        try:
            value = self[name] = self._compute(name) if name in self.formulas else self._look_up(name)
        except (Unknown, Unset) as reason:
            self._blank[name] = type(reason)
            raise
        return value

    def take_over(self, other):
        """Take the values and the nulls that another plan has found; what is unknown there is still to be computed."""
        self.update(other)
        self.chosen.update(other.chosen)
        self._blank.update((name, reason) for name, reason in other._blank.items() if reason is Unset)

    def _look_up(self, name):
        if name in self.changes:
            value = self.changes[name]
        else:
            try:
                value = self.given[name]
            except KeyError:
                field = self.fields[name]
                # a setting that this release does not have is not set, whoever asks for it
                value = None if field is None else field[1]
        if value is UNKNOWN or is_beyond(value):
            raise Unknown(name)
        if value is None:
            raise Unset(name)
        return value

    def _compute(self, name):
        for formula in self.formulas[name]:
            try:
                value = self.evaluate(formula)
            except Unset:
                continue
            self.chosen[name] = formula
            return value
        raise Unset(name)

    def evaluate(self, formula):
        """The value of a formula; a division by zero and the like make it unknown (a rule about sizes speaks instead)."""
        try:
            return eval(formula._code or formula.code, VOCABULARY, self)
        except (ArithmeticError, TypeError, ValueError, LookupError) as reason:
            raise Unknown(formula.text) from reason

    def holds(self, condition):
        """Whether a condition holds for certain: not when it reads something unknown or not set."""
        try:
            return bool(self.evaluate(condition))
        except (Unknown, Unset):
            return False

    def value(self, name):
        """The value, or None when it is unknown or not set."""
        try:
            return self[name]
        except (Unknown, Unset):
            return None

    def is_unset(self, name):
        try:
            self[name]
        except Unset:
            return True
        except Unknown:
            pass
        return False

    def nearest(self, names):
        """The settings and facts from which the named quantities were computed, those that enter most directly first."""
        found, seen, pending = {}, set(names), list(names)
        for name in pending:
            formula = self.chosen.get(name)
            if formula is not None:
                new = [each for each in formula.names if each not in seen]
                seen.update(new)
                pending += new
            elif name not in self.formulas:
                found[name] = True
        return list(found)

    def leaves(self, names):
        """The settings and facts from which the named quantities were computed, in the order of the formulas."""
        found = {}
        pending = list(reversed(names))
        seen = set()
        while pending:
            name = pending.pop()
            if name in seen:
                continue
            seen.add(name)
            formula = self.chosen.get(name)
            if formula is not None:
                pending.extend(reversed(formula.names))
            elif name not in self.formulas:
                found[name] = True
        return list(found)


class Sweep:
    """Asks for many numbers of processes whether one of some conditions holds, certainly, as `Plan.holds` says.

    `plan_on` gives a plan for a number of processes. Where it is worth it, the formulas that lead from there to the conditions are run one behind
    the other, as the plan for 1 process chose them and no other choice is possible; what fails in this way is asked of a plan of its own.
    """

    __slots__ = ("conditions", "_plan_on", "_asked", "_scope", "_steps")

    def __init__(self, conditions, plan_on):
        self.conditions = conditions
        self._plan_on = plan_on
        self._asked = 0
        self._scope = self._steps = None

    def holds(self, count):
        self._asked += 1
        if self._asked == MANY:
            self._scope = self._plan_on(1)
            self._steps = _steps_to(self.conditions, self._scope)
        if self._steps is not None:
            self._scope["world_size"] = count
            try:
                exec(self._steps, VOCABULARY, self._scope)
                return bool(self._scope[_OUTCOME])
            except (Unknown, Unset, ArithmeticError, TypeError, ValueError, LookupError):
                pass
        return any(map(self._plan_on(count).holds, self.conditions))


MANY = 4  # questions that are answered one by one before the rest is prepared
_OUTCOME = "one_holds"
_compiled = {}
_following = {}  # id of a table of formulas -> the table, and the quantities in it that follow from `world_size`


def _steps_to(conditions, plan):
    """The code that computes from `world_size` whether one of the conditions holds; None where the formulas may be others on another number."""
    if id(plan.formulas) not in _following:
        _following[id(plan.formulas)] = plan.formulas, {name for name in plan.formulas if "world_size" in inputs((name,), plan.formulas)}
    following = _following[id(plan.formulas)][1]
    steps = {}

    def are_certain(names):
        return all(name not in following or name in steps or is_certain(name) for name in names)

    def is_certain(name):
        chosen = plan.chosen.get(name)
        if chosen is None:
            return False
        before = plan.formulas[name][: plan.formulas[name].index(chosen)]
        if not all(map(stays_unset, before)) or not are_certain(chosen.names):
            return False
        steps[name] = chosen.text
        return True

    def stays_unset(formula):
        lacks = any(name != "world_size" and name not in following and plan.is_unset(name) for name in formula.names)
        return lacks and not any(word in formula.text.split() for word in ("if", "and", "or")) and are_certain(formula.names)

    for condition in conditions:
        plan.holds(condition)
        if not are_certain(condition.names):
            return None
    steps[_OUTCOME] = " or ".join([f"({condition.text})" for condition in conditions])
    text = "\n".join([f"{name} = {step}" for name, step in steps.items()])
    code = _compiled.get(text)
    if code is None:
        code = _compiled[text] = compile(text, "<steps>", "exec")
    return code
