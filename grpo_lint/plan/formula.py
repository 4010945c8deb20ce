"""One line of arithmetic: compiled when it is first needed, and shown as it is written."""

from math import ceil, lcm

from .. import shipped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any, TypeAlias

    from ..shared_types import Callable, Iterable, Mapping, Plan, Sequence

    Formulas: TypeAlias = "Mapping[str, tuple[Formula, ...]]"  # of each quantity, tried in this order


class Unknown(Exception):
    """An operand is not known, such as the number of processes or an interpolated value, so the result is not known."""


class Unset(Exception):
    """A setting is null: this formula does not apply."""


def ratio(numerator: "int | float", denominator: "int | float") -> "int | float":
    """An integer where the division is exact, otherwise a number rounded to four places."""
    return numerator // denominator if numerator % denominator == 0 else round(numerator / denominator, 4)


def beyond(names: "Iterable[str]", known: "Iterable[str]") -> str:
    """The names that are not among the known ones, as a message lists them; an empty text when all are known."""
    return ", ".join(sorted(name or "''" for name in set(names).difference(known)))


def is_text(value: object) -> bool:
    """Whether a value is a text without an interpolation."""
    return type(value) is str and "$" not in value and "{" not in value and "<" not in value


def unrolled(layout: str) -> str:
    """A pipeline layout such as "Et*3|(tt|)*29,m|L" with every x*n written out n times, and without commas."""
    import re

    text = layout.replace(",", "")
    for repeated in (r"\(([^()]+)\)\*(\d{1,4})", r"(.)\*(\d{1,4})"):
        if (
            len(text) > LONGEST_LAYOUT
            or sum(len(found[1]) * int(found[2]) for found in re.finditer(repeated, text)) > LONGEST_LAYOUT
        ):
            raise ValueError("no pipeline has so many layers")
        text = re.sub(repeated, lambda found: found[1] * int(found[2]), text)
    return text


LONGEST_LAYOUT = 2000  # characters after expansion, each a layer or the end of a stage; "t*9999" expands to many


def stages(layout: str) -> int:
    """The number of stages that a pipeline layout describes."""
    return unrolled(layout).count("|") + 1


# The functions that a formula may call.
VOCABULARY: "dict[str, object]" = {"__builtins__": {}, "beyond": beyond, "ceil": ceil, "int": int, "is_text": is_text, "lcm": lcm, "len": len, "max": max, "min": min, "ratio": ratio,
              "stages": stages, "unrolled": unrolled}  # fmt: skip


class Special(str):
    """A formula that is more than one line of arithmetic: the text is what is compiled, `shown` what people read."""

    __slots__ = ("shown", "names", "conditions")
    shown: str
    names: "tuple[str, ...] | None"  # that it reads, in order; None: those in the text
    conditions: "tuple[str, ...]"  # the lines of arithmetic of which it is made

    def __new__(
        cls, text: str, shown: str, names: "tuple[str, ...] | None" = None, conditions: "tuple[str, ...]" = ()
    ) -> "Special":
        made = super().__new__(cls, text)
        made.shown, made.names, made.conditions = shown, names, conditions
        return made


def words(*known: str) -> "Special":
    """A list of names that a release knows, such as those of its losses."""
    return Special(repr(known), ", ".join(known))


def word(name: str) -> "Special":
    """One name, such as the default of a choice."""
    return Special(repr(name), name or "an empty text")


def first_of(otherwise: str = "", **cases: str) -> "Special":
    """The name of the first case that holds (name=condition); `otherwise` when none does."""
    text = " else ".join([f"{name!r} if {test}" for name, test in cases.items()] + [repr(otherwise)])
    return Special(text, f"the first of {', '.join(cases)} that applies", None, tuple(cases.values()))


def each_of(**cases: str) -> "Special":
    """The names of all cases that hold (name=condition), each with a blank behind it."""
    text = " + ".join([f"({name + ' '!r} if {test} else '')" for name, test in cases.items()])
    return Special(text, f"those of {', '.join(cases)} that apply", None, tuple(cases.values()))


class Reading:
    """The settings, facts and quantities that a calculation reads, as attributes; reading one raises as `Plan` does."""

    __slots__ = ("_plan",)

    def __init__(self, plan: "Plan") -> None:
        self._plan = plan

    def __getattr__(self, name: str) -> "Any":
        if name[0] == "_":  # what tools ask of any object
            raise AttributeError(name)
        return self._plan[name]


def calculation(function: "Callable[[Reading], object]") -> "Special":
    """A formula that is a function, where one line of arithmetic would not be read: its docstring is what is shown, the
    attributes of its parameter are the names that it reads."""
    code = function.__code__
    names = tuple([name for name in code.co_names if name not in function.__globals__ and name not in PYTHON])
    VOCABULARY[code.co_name] = function
    return Special(f"{code.co_name}({READING})", (function.__doc__ or "").strip().partition("\n")[0], names)


READING = "reading"  # the name under which a formula hands a calculation what it reads
PYTHON = frozenset("all any bool float get int isinstance len max min next not sorted str sum tuple type zip".split())


class Formula:
    """One line of arithmetic, or a `Special`; compiled when it is first needed. `source`: what is compiled."""

    __slots__ = ("source", "_code", "_names")

    def __init__(self, source: str) -> None:
        self.source = source
        self._code: CodeType | None = None
        self._names: tuple[str, ...] | None = None

    @property
    def code(self) -> "CodeType":
        if self._code is None:
            text = str(self.source)
            self._code = (shipped.in_use and shipped.in_use.formula(text)) or (
                compile("name", text, "eval").replace(co_names=(text,)) if self.is_path else compile(text, text, "eval")
            )
        return self._code

    @property
    def is_path(self) -> bool:
        """Whether it is only the path of a setting in sections (`data.train_batch_size`), which is one name."""
        return "." in self.source and all(map(str.isidentifier, self.source.split(".")))

    @property
    def names(self) -> "tuple[str, ...]":
        """The names that this formula mentions, in the order of the text."""
        if self._names is None:
            names = self.source.names if isinstance(self.source, Special) else None
            self._names = names or tuple(name for name in self.code.co_names if name not in VOCABULARY)
        return self._names

    @property
    def reads_all(self) -> bool:
        """Whether it reads each of its names whatever their values are."""
        return not isinstance(self.source, Special) and not any(
            each in self.source.split() for each in ("if", "and", "or")
        )

    @property
    def text(self) -> str:
        """What people read: the line of arithmetic, or what a calculation says of itself."""
        return self.source.shown if isinstance(self.source, Special) else self.source


_shared: "dict[str, Formula]" = {}
_lists: "dict[str | tuple[str, ...], tuple[Formula, ...]]" = {}


def formulas(table: "Mapping[str, str | tuple[str, ...]]") -> "Formulas":
    """{quantity: text or (text, text, ...)} as {quantity: (Formula, ...)}. Equal texts share one Formula, and equal
    lists share one list."""
    return {name: _lists.get(texts) or _list(texts) for name, texts in table.items()}


def _list(texts: "str | tuple[str, ...]") -> "tuple[Formula, ...]":
    found = tuple(
        _shared.get(text) or _shared.setdefault(text, Formula(text))
        for text in ((texts,) if isinstance(texts, str) else texts)
    )
    _lists[texts] = found
    return found


def inputs(names: "Iterable[str]", formulas: "Formulas") -> "set[str]":
    """The settings and facts that the named quantities can depend on, through all their formulas."""
    return reached(names, formulas).difference(formulas)


def reached(names: "Iterable[str]", formulas: "Formulas") -> "set[str]":
    """The named quantities, and all quantities, settings and facts that they can depend on."""
    pending, seen = list(names), set()
    while pending:
        name = pending.pop()
        if name not in seen:
            seen.add(name)
            for formula in formulas.get(name, ()):
                pending += formula._names or formula.names  # found before, for most
    return seen


MANY = 4  # questions that are answered one by one before code for the rest is prepared
NUMBERS, FREE = "_numbers", "_free"
MOST_SELECTED = 1_000
prepared: "dict[str, CodeType]" = {}  # the code of steps, by their text
_selected: "dict[tuple[object, ...], CodeType | None]" = {}  # the same by what selects it
_reads: "dict[int, Reads]" = {}  # id of a table of formulas -> what is known of it, which keeps the table
# (id of a table of formulas, name of a number) -> the quantities in it that depend on that number
_following: "dict[tuple[int, str], set[str]]" = {}


class Steps:
    """Code that computes for which of some NUMBERS none of some conditions holds, and adds them to FREE, from the number through the
    quantities that depend on it.

    `code` is None where another number may select other formulas.
    """

    __slots__ = ("code", "_plan", "_unknown", "_reads", "_steps")

    def __init__(self, conditions: "Sequence[Formula]", plan: "Plan", unknown: str) -> None:
        self._plan = plan
        self._unknown = unknown
        self._reads = reads_of(plan.formulas)
        self._steps: dict[str, str] = {}
        for condition in conditions:
            plan.holds(condition)  # this selects the formulas
        # which steps there are hangs on these and on nothing else, and most files of a repository select the same ones
        key = unknown, tuple(conditions), *plan.selected
        if key not in _selected:
            if len(_selected) >= MOST_SELECTED:
                _selected.clear()
            are_certain = all(self._are_certain(condition.names) for condition in conditions)
            _selected[key] = self._compiled(conditions) if are_certain else None
        self.code: CodeType | None = _selected[key]

    def _are_certain(self, names: "Iterable[str]") -> bool:
        return all(name in self._steps or not self._follows(name) or self._is_certain(name) for name in names)

    def _follows(self, name: str) -> bool:
        """Whether it is a quantity that can depend on the unknown number."""
        return self._unknown in self._reads[name]

    def _is_certain(self, name: str) -> bool:
        """Whether a quantity has the same formula for every number. It becomes a step then."""
        chosen = self._plan.chosen.get(name)
        if chosen is None:
            return False
        before = self._plan.formulas[name][: self._plan.formulas[name].index(chosen)]
        if not all(map(self._stays_unset, before)) or not self._are_certain(chosen.names):
            return False
        self._steps[name] = chosen.source
        return True

    def _stays_unset(self, formula: "Formula") -> bool:
        """Whether a formula is skipped for every number, because a setting that it reads is null."""
        is_unset, follows = self._plan.is_unset, self._follows
        lacks = any(name != self._unknown and not follows(name) and is_unset(name) for name in formula.names)
        return lacks and formula.reads_all and self._are_certain(formula.names)

    def _compiled(self, conditions: "Sequence[Formula]") -> "CodeType":
        outcome = " or ".join([f"({condition.source})" for condition in conditions])
        steps = "".join([f" {name} = {step}\n" for name, step in self._steps.items()])
        text = f"for {self._unknown} in {NUMBERS}:\n{steps} if not ({outcome}): {FREE}.append({self._unknown})"
        code = prepared.get(text)
        if code is None:
            code = (shipped.in_use and shipped.in_use.formula(text)) or compile(text, "<steps>", "exec")
            prepared[text] = code
        return code


class Reads(dict[str, "set[str]"]):
    """The settings and facts that each quantity of a table of formulas can depend on, found when it is first asked for; nothing for
    what is no quantity of it."""

    __slots__ = ("_formulas",)

    def __init__(self, formulas: "Formulas") -> None:
        self._formulas = formulas

    def __missing__(self, name: str) -> "set[str]":
        formulas = self._formulas
        found = self[name] = reached((name,), formulas).difference(formulas) if name in formulas else set()
        return found


def reads_of(formulas: "Formulas") -> Reads:
    """What the quantities of a table can depend on."""
    if id(formulas) not in _reads:
        _reads[id(formulas)] = Reads(formulas)
    return _reads[id(formulas)]


def following(formulas: "Formulas", number: str) -> "set[str]":
    """The quantities of a table of formulas that can depend on a number; not to be changed."""
    key = id(formulas), number
    if key not in _following:
        reads = reads_of(formulas)
        _following[key] = {name for name in formulas if number in reads[name]}
    return _following[key]
