"""Which runs of a grid hold, without trying each. A formula is computed once for each combination of values that it can
meet. A rule is a table over the settings that it reads, with one byte for each combination of their values."""

from array import array
from itertools import islice
from math import prod

from ..checker.verdict import unblocked
from ..fixes.state import states_of
from ..frameworks.all_rules import RULES
from ..message import Message, Telling
from ..plan.formula import Unknown, Unset, inputs
from ..plan.plan import Plan
from ..source.entry import Flag
from ..source.yaml.reader import Entry, Scalar
from ..unknown import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    from ..checker.findings import Finding, Report
    from ..checker.verdict import Condition
    from ..fixes.state import State
    from ..frameworks.all_rules import Rule
    from ..frameworks.catalogue import Field
    from ..launch.launch import Launch
    from ..plan.formula import Formula
    from .grids import Axis, Grid

    Box: TypeAlias = dict[str, list[object]]  # {setting: values}; every combination of them is refused

MOST_COMBINATIONS = 1 << 22  # of the settings read by one rule, or by rules that share settings
MOST_BOXES = 200  # that are built for one rule


class CannotSweep(Telling):
    """Why a grid cannot be judged; the message is meant for the user."""


class Refusal:
    """What one rule says of a grid. `count`: how many runs it refuses or, with `severity` "warning", harms; `names`:
    the smallest set of settings that decides; `boxes`: their values that fail, and `more`: how many further boxes there
    are."""

    __slots__ = ("rule", "severity", "stage", "count", "names", "boxes", "more")
    rule: "Rule"
    severity: str
    stage: str
    count: int
    names: "list[str]"
    boxes: "list[Box]"
    more: int


class Survey:
    """The verdict on a grid.

    total       runs of the grid
    refused     how many of them are refused, None where rules share too many settings to count
    undecided   how many further ones a setting may make fail that is not known, None where they cannot be counted
    unknown     those settings
    refusals    the Refusals, those of the most runs first
    open        [(setting, why it is left out)]: its values are not enumerated, or it is unknown
    launch      the first run
    always      what is wrong with every run, whatever the grid says
    """

    __slots__ = ("total", "refused", "undecided", "unknown", "refusals", "open", "launch", "always", "axes")
    total: int
    refused: "int | None"
    undecided: "int | None"
    unknown: "list[str]"
    refusals: "list[Refusal]"
    open: "list[tuple[str, Message]]"
    launch: "Launch"
    always: "list[Finding]"
    axes: "list[Axis]"


class Table:
    """Ids of values over the combinations of some axes, the last axis varying fastest; `values`: the value of each id,
    which may be Unknown or Unset."""

    __slots__ = ("axes", "ids", "values")
    axes: "tuple[int, ...]"
    ids: "array[int]"
    values: "list[object]"

    def __init__(self, axes: "tuple[int, ...]", ids: "array[int]", values: "list[object]") -> None:
        self.axes = axes
        self.ids = ids
        self.values = values


class TooMany(Exception):
    """A rule reads settings with more combinations than a table may hold."""


class Space:
    """Tables of quantities over the axes of a grid, under one State."""

    def __init__(self, state: "State", names: "Sequence[str]", values: "Sequence[Sequence[object]]") -> None:
        self.state = state
        self.names = list(names)
        self.values = values
        self.sizes = [len(each) for each in values]
        self.formulas = state.candidate.regime.formulas
        self._base = state.launch.plan(state.candidate, state.facts)
        self._scratch = Plan({}, {}, {})
        self._tables: dict[str, Table] = {}

    def rule(
        self, rule: "Condition", given: "frozenset[str]", undecided: bool = False
    ) -> "tuple[tuple[int, ...], bytes]":
        """(axes, a byte for each combination that is 1 where the rule is broken). `given`: the settings of the first run;
        `undecided`: the same where it is not known whether the rule is broken."""
        condition = rule.broken
        assert condition is not None
        deciding = [self.names.index(name) for name in rule.only_with | rule.with_any if name in self.names]
        nullable = [place for place in deciding if None in self.values[place]]
        table = self._combined(tuple(condition.names), (condition,))
        broken = bytes(
            value is Unknown if undecided else value is True or (value not in (Unknown, Unset) and bool(value))
            for value in table.values
        )
        found = broken and bytes(map(broken.__getitem__, table.ids))
        axes = table.axes
        for place in nullable:  # where it is null, the rule may not apply to the run
            wanted = tuple(sorted({*axes, place}))
            without = given - {self.names[place]}
            if not rule.applies(without):
                mask = bytes(value is not None for value in self.values[place])
                found = _both(self.spread(found, axes, wanted), self.spread(mask, (place,), wanted))
                axes = wanted
        return axes, found

    def table(self, name: str) -> Table:
        """The values of a setting, a fact or a quantity."""
        found = self._tables.get(name)
        if found is None:
            found = self._tables[name] = self._table(name)
        return found

    def _table(self, name: str) -> Table:
        if name in self.names:
            place = self.names.index(name)
            given = self.values[place]
            kept: list[object] = [Unset if value is None else Unknown if value is UNKNOWN else value for value in given]
            return Table((place,), array("I", range(len(given))), kept)
        if inputs((name,), self.formulas).isdisjoint(self.names):
            try:
                return Table((), array("I", [0]), [self._base[name]])
            except (Unknown, Unset) as why:
                return Table((), array("I", [0]), [type(why)])
            except KeyError:
                return Table((), array("I", [0]), [Unset])
        formulas = self.formulas[name]
        read = tuple(dict.fromkeys(each for formula in formulas for each in formula.names))
        return self._combined(read, formulas)

    def _combined(self, names: "tuple[str, ...]", formulas: "Sequence[Formula]") -> Table:
        """The table of the first formula that applies, over what the formulas read. It is computed once for each
        combination of values, however many combinations of settings lead to it."""
        tables = [self.table(name) for name in names]
        axes = tuple(sorted({place for table in tables for place in table.axes}))
        if prod(self.sizes[place] for place in axes) > MOST_COMBINATIONS:
            raise TooMany
        classes = _Classes(self, names, [table.values for table in tables], formulas)
        spread = [self.spread(table.ids, table.axes, axes) for table in tables]
        ids = array("I", map(classes.__getitem__, zip(*spread))) if spread else array("I", [classes[()]])
        return Table(axes, ids, classes.results)

    def spread(
        self, ids: "array[int] | bytes", have: "tuple[int, ...]", want: "tuple[int, ...]"
    ) -> "array[int] | bytes":
        """The same table over more axes."""
        if have == want:
            return ids
        strides, stride = {}, 1
        for place in reversed(have):
            strides[place] = stride
            stride *= self.sizes[place]
        last = max((number for number, place in enumerate(want) if place in strides), default=-1)

        def block(number: int, offset: int) -> "array[int] | bytes":
            if number > last:
                return ids[offset : offset + 1] * prod(self.sizes[place] for place in want[number:])
            place = want[number]
            if place not in strides:
                return block(number + 1, offset) * self.sizes[place]
            if want[number:] == have[len(have) - len(want[number:]) :]:
                return ids[offset : offset + strides[place] * self.sizes[place]]
            found = ids[:0]
            for value in range(self.sizes[place]):
                found += block(number + 1, offset + value * strides[place])  # type: ignore[operator]  # both are of one kind
            return found

        return block(0, 0)

    def unknown(self, names: "Iterable[str]") -> "list[str]":
        """The settings behind some names, together with those that vary, that the run sets to values nobody knows. What such
        a setting does alone, as a seed out of its range, is no question of the grid."""
        read = inputs(names, self.formulas)
        if read.isdisjoint(self.names):
            return []
        return [
            name
            for name in sorted(read.difference(self.names))
            if self._base.fields[name] is not None and self._is_unknown(name)
        ]

    def _is_unknown(self, name: str) -> bool:
        try:
            return self._base.given[name] is UNKNOWN
        except KeyError:
            return False

    def value(self, formulas: "Sequence[Formula]", values: "dict[str, object]") -> object:
        """The value of the first formula that applies for these values of its names; Unknown or Unset where there is
        none."""
        plan = self._scratch
        plan.clear()
        plan._blank = {name: value for name, value in values.items() if value is Unknown or value is Unset}
        plan.update((name, value) for name, value in values.items() if name not in plan._blank)
        for formula in formulas:
            try:
                return plan.evaluate(formula)
            except Unset:
                continue
            except Unknown:
                return Unknown
        return Unset


class _Classes(dict["tuple[int, ...]", int]):
    """{ids of the values that are read: id of the result}, each computed when it is first needed."""

    def __init__(
        self, space: Space, names: "tuple[str, ...]", given: "list[list[object]]", formulas: "Sequence[Formula]"
    ) -> None:
        super().__init__()
        self.results: list[object] = []
        self._space, self._names, self._given, self._formulas = space, names, given, formulas
        self._ids: dict[object, int] = {}

    def __missing__(self, ids: "tuple[int, ...]") -> int:
        values = {name: given[each] for name, given, each in zip(self._names, self._given, ids)}
        value = self._space.value(self._formulas, values)
        key: object = (type(value), value if type(value) in (int, float, bool, str) else repr(value))
        if key not in self._ids:
            self._ids[key] = len(self.results)
            self.results.append(value)
        found = self[ids] = self._ids[key]
        return found


def _both(one: "array[int] | bytes", other: "array[int] | bytes") -> bytes:
    return (_number(one) & _number(other)).to_bytes(len(one), "big")


def _number(flags: "array[int] | bytes") -> int:
    return int.from_bytes(bytes(flags), "big")


# --- a grid ---------------------------------------------------------------------------------------------------------


def survey(grid: "Grid", report: "Report") -> Survey:
    """The Survey of a grid over the first run of a report. Raises CannotSweep."""
    launch = next((each for each in report.launches if each.candidates), None)
    if launch is None:
        raise CannotSweep(report.skipped or Message("there is no run that the grid varies"))
    found = Survey()
    found.launch, found.open = launch, list(grid.open)
    found.axes = _known_axes(grid, launch, found)
    if not found.axes:
        raise CannotSweep(Message("nothing in it varies a setting"))
    found.total = prod(len(axis.values) for axis in found.axes)
    return _Judge(found, report).survey()


def _known_axes(grid: "Grid", launch: "Launch", found: Survey) -> "list[Axis]":
    """The axes under the framework's names of the settings; unknown settings are noted."""
    from .grids import Axis

    fields = launch.fields(launch.candidates[0])
    axes = []
    for axis in grid.axes:
        name = axis.name.lstrip("+~-")
        name = name if launch.framework.reader.configs.nested else name.replace("-", "_")
        if fields[name] is None and name != "world_size":
            found.open.append(
                (
                    axis.name,
                    Message(
                        "no setting of {framework} {version}: it counts, and no rule reads it",
                        {"framework": launch.framework.title, "version": launch.candidates[0].text},
                    ),
                )
            )
        axes.append(Axis(name, axis.values))
    return axes


class _Judge:
    """The verdict on a grid, under the newest candidate release."""

    def __init__(self, found: Survey, report: "Report") -> None:
        self.found, self.report = found, report
        self.launch = found.launch
        self.names = [axis.name for axis in found.axes]
        self.faults: dict[str, tuple[Rule, str, dict[int, bytearray]]] = {}
        self.values = [self._read(place, axis) for place, axis in enumerate(found.axes)]
        states = states_of(self.launch, self.launch.world_size)
        self.states = [state for state in states if state.candidate is states[0].candidate]

    def _read(self, place: int, axis: "Axis") -> "list[object]":
        """The values as the release reads them. A value that it refuses is noted and left out of the rules."""
        candidate = self.launch.candidates[0]
        field = self.launch.fields(candidate)[axis.name]
        return [self._value(place, number, axis, value, field) for number, value in enumerate(axis.values)]

    def _value(self, place: int, number: int, axis: "Axis", value: object, field: "Field | None") -> object:
        launch = self.launch
        if field is None:
            return value if axis.name == "world_size" else UNKNOWN
        if value is None or (field.has_type_of(value) and not launch.framework.reader.configs.nested):
            return value
        made, fault = launch.framework.reader.values.read(
            axis.name, value, field, self._trying(axis.name, value), launch.candidates[0].key
        )
        if fault is not None and fault.stage != "never":
            _, _, flags = self.faults.setdefault(fault.rule, (RULES[fault.rule], fault.stage, {}))
            flags.setdefault(place, bytearray(len(axis.values)))[number] = 1
            return UNKNOWN
        if type(made) in (str, list, dict) and field.type.rstrip("?") in ("int", "float"):
            return UNKNOWN
        return made

    def _trying(self, name: str, value: object) -> "Launch":
        """The run with another value of a setting, as its reader sees it."""
        launch = self.launch
        node = Scalar(0, 0, str(value))
        node.value = value
        written = launch.entries.get(name) or next(iter(launch.entries.values()))
        entry = Flag(node, node) if isinstance(written, Flag) else Entry(node, node)
        return launch.but(entries={**launch.entries, name: entry})

    def survey(self) -> Survey:
        found = self.found
        self.space = Space(self.states[0], self.names, self.values)
        broken: dict[Condition | Rule, tuple[tuple[int, ...], bytes]] = {}
        self.unsure: list[tuple[tuple[int, ...], bytes]] = []
        found.unknown = []
        for state in self.states:
            self._judge(state, broken)
        for rule, _, flags in self.faults.values():
            for place, bad in flags.items():
                self._join(broken, rule, (place,), bytes(bad))
        refuses = self.states[0].candidate.enforced.refuses
        refusing = {rule for rule in broken if rule.name in refuses or rule.name in self.faults}
        found.refusals = list(self._refusals(broken, refusing))
        found.always = self._always()
        found.refused = found.total if found.always else self._refused([broken[rule] for rule in refusing])
        found.undecided = self._undecided([broken[rule] for rule in refusing])
        return found

    def _undecided(self, refused: "list[tuple[tuple[int, ...], bytes]]") -> "int | None":
        """How many of the runs that nothing refuses might be refused by a rule that reads something unknown."""
        if self.found.refused is None or not self.unsure:
            return 0 if self.found.refused is not None else None
        either = self._refused([*refused, *self.unsure])
        return None if either is None else max(either - self.found.refused, 0)

    def _judge(self, state: "State", broken: "dict[Condition | Rule, tuple[tuple[int, ...], bytes]]") -> None:
        space = Space(state, self.names, self.values)
        sample = {
            name: next((value for value in values if value is not None), None)
            for name, values in zip(self.names, self.values)
        }
        rules = state._rules(sample)
        given = frozenset(
            {*self.launch.entries, *self.launch.attached}
            | {name for name, value in sample.items() if value is not None}
        )
        refuses = state.candidate.enforced.refuses
        for rule in rules:
            if state._is_remark(rule):
                continue
            unknown = space.unknown(rule.broken.names) if rule.broken is not None and rule.name in refuses else []
            try:
                axes, flags = space.rule(rule, given)
                unsure = space.rule(rule, given, undecided=True) if unknown else ((), b"")
            except TooMany:
                self.found.open.append(
                    (
                        rule.code,
                        Message(
                            "it reads settings with more than {most} combinations, and was not asked",
                            {"most": f"{MOST_COMBINATIONS:,}"},
                        ),
                    )
                )
                continue
            if any(unsure[1]):
                self.unsure.append(unsure)
                self.found.unknown += [name for name in unknown if name not in self.found.unknown]
            if any(flags):
                self._join(broken, rule, axes, flags)

    def _join(
        self,
        broken: "dict[Condition | Rule, tuple[tuple[int, ...], bytes]]",
        rule: "Condition | Rule",
        axes: "tuple[int, ...]",
        flags: bytes,
    ) -> None:
        """Add further combinations that break a rule: for another number of processes, or by another value."""
        if rule not in broken:
            broken[rule] = axes, flags
            return
        others, before = broken[rule]
        wanted = tuple(sorted({*axes, *others}))
        broken[rule] = wanted, self._either([(axes, flags), (others, before)], wanted)

    def _either(self, tables: "Sequence[tuple[tuple[int, ...], bytes]]", axes: "tuple[int, ...]") -> bytes:
        number = 0
        for have, flags in tables:
            number |= _number(self.space.spread(flags, have, axes))
        return number.to_bytes(prod(self.space.sizes[place] for place in axes), "big")

    def _refused(self, tables: "list[tuple[tuple[int, ...], bytes]]") -> "int | None":
        """How many runs at least one of some rules refuses. Rules that share no setting are counted separately."""
        left, free = self.found.total, self.found.total
        groups: list[tuple[set[int], list[tuple[tuple[int, ...], bytes]]]] = []
        for axes, flags in tables:
            together = [group for group in groups if not group[0].isdisjoint(axes)]
            groups = [group for group in groups if group not in together]
            groups.append(
                (
                    {*axes, *(place for group in together for place in group[0])},
                    [(axes, flags), *(each for group in together for each in group[1])],
                )
            )
        for places, each in groups:
            axes = tuple(sorted(places))
            size = prod(self.space.sizes[place] for place in axes)
            if size > MOST_COMBINATIONS:
                return None
            holding = self._either(each, axes).count(0)
            left = left // size * holding
        return free - left

    def _refusals(
        self, broken: "dict[Condition | Rule, tuple[tuple[int, ...], bytes]]", refusing: "set[Condition | Rule]"
    ) -> "Iterator[Refusal]":
        told = []
        for rule in broken:
            refusal = self._refusal(rule, broken, refusing)
            if refusal.count:
                told.append(refusal)
        yield from sorted(told, key=lambda each: (each.severity != "error", -each.count, each.rule.code))

    def _refusal(
        self,
        rule: "Condition | Rule",
        broken: "dict[Condition | Rule, tuple[tuple[int, ...], bytes]]",
        refusing: "set[Condition | Rule]",
    ) -> Refusal:
        """The Refusal of a rule, without the runs that another rule has reported."""
        axes, flags = broken[rule]
        for other in broken:
            hides = other is not rule and unblocked([rule, other], {each.name for each in refusing}) == [other]
            if hides:
                wanted = tuple(sorted({*axes, *broken[other][0]}))
                if prod(self.space.sizes[place] for place in wanted) > MOST_COMBINATIONS:
                    continue
                mine = _number(self.space.spread(flags, axes, wanted))
                theirs = _number(self.space.spread(broken[other][1], broken[other][0], wanted))
                flags, axes = (
                    (mine & ~theirs).to_bytes(prod(self.space.sizes[place] for place in wanted), "big"),
                    wanted,
                )
        axes, flags = self._essential(axes, flags)
        found = Refusal()
        enforced = self.states[0].candidate.enforced.get(rule.name)
        found.rule, found.severity = rule, "error" if rule in refusing else "warning"
        found.stage = self.faults[rule.name][1] if rule.name in self.faults else enforced.stage if enforced else "never"
        found.count = flags.count(1) * (self.found.total // prod(self.space.sizes[place] for place in axes))
        found.names = [self.names[place] for place in axes]
        boxes = list(islice(self._boxes(axes, flags), MOST_BOXES + 1))
        found.boxes, found.more = boxes[:MOST_BOXES], max(len(boxes) - MOST_BOXES, 0)
        return found

    def _essential(self, axes: "tuple[int, ...]", flags: bytes) -> "tuple[tuple[int, ...], bytes]":
        """The same table over the axes on which it depends."""
        for place in axes:
            position, sizes = axes.index(place), [self.space.sizes[each] for each in axes]
            inner, count = prod(sizes[position + 1 :]), sizes[position]
            blocks = range(0, len(flags), inner * count)
            if all(flags[start : start + inner] * count == flags[start : start + inner * count] for start in blocks):
                flags = b"".join(flags[start : start + inner] for start in blocks)
                axes = (*axes[:position], *axes[position + 1 :])
        return axes, flags

    def _boxes(self, axes: "tuple[int, ...]", flags: bytes) -> "Iterator[Box]":
        """The failing combinations in as few boxes as possible: values of an axis that fail with the same other values
        are joined."""
        if not axes:
            if flags[:1] == b"\1":
                yield {}
            return
        axis, inner = self.found.axes[axes[0]], len(flags) // self.space.sizes[axes[0]]
        alike: dict[bytes, list[object]] = {}
        for number, value in enumerate(axis.values):
            alike.setdefault(flags[number * inner : (number + 1) * inner], []).append(value)
        for part, values in alike.items():
            rest = [{}] if 0 not in part else self._boxes(axes[1:], part)
            for box in rest:
                yield {**({axis.name: values} if len(values) < len(axis.values) else {}), **box}

    def _always(self) -> "list[Finding]":
        """The errors about keys that do not vary, which none of the rules asked here reports."""
        return [
            each
            for each in self.report.findings
            if each.severity == "error" and each.rule.broken is None and not (each.at and each.at.name in self.names)
        ]
