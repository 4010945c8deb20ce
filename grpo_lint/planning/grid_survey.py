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
from ..record import Record, once
from ..source.entry import Flag
from ..source.yaml.reader import Entry, Scalar
from ..unknown import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..fixes.state import State
    from ..shared_types import Condition, Finding, Formula, Iterable, Iterator, Launch, Report, Rule, Sequence
    from .grids import Axis, Grid

    Box = dict[str, list[object]]  # {setting: values}; every combination of them is refused
    Axes = tuple[int, ...]  # places of the settings that vary
    Flags = tuple[Axes, bytes]  # a byte for each combination of the values of some axes
    Broken = dict[Condition | Rule, Flags]  # 1 where the rule is broken

MOST_COMBINATIONS = 1 << 22  # of the settings read by one rule, or by rules that share settings
MOST_BOXES = 200  # that are built for one rule


class CannotSweep(Telling):
    """Why a grid cannot be judged; the message is meant for the user."""


class Refusal(Record):
    """What one rule says of a grid. `count`: how many runs it refuses or, with `severity` "warning", harms; `names`:
    the smallest set of settings that decides; `boxes`: their values that fail, and `more`: how many further boxes there
    are."""

    rule: "Condition | Rule"
    severity: str
    stage: str
    count: int
    names: "list[str]"
    boxes: "list[Box]"
    more: int


class Survey(Record):
    """The verdict on a grid.

    total       runs of the grid
    refused     how many of them are refused, None where rules share too many settings to count
    undecided   how many further ones a setting may make fail that is not known, None where they cannot be counted
    unknown     those settings
    refusals    the Refusals, those of the most runs first
    left_out    [(setting, why)]: its values are not enumerated, or it is unknown
    launch      the first run
    always      what is wrong with every run, whatever the grid says
    """

    total: int
    refused: "int | None"
    undecided: "int | None"
    unknown: "list[str]"
    refusals: "list[Refusal]"
    left_out: "list[tuple[str, Message]]"
    launch: "Launch"
    always: "list[Finding]"
    axes: "list[Axis]"


class Table(Record):
    """Ids of values over the combinations of some axes, the last axis varying fastest; `values`: the value of each id,
    which may be Unknown or Unset."""

    axes: "Axes"
    ids: "array[int]"
    values: "list[object]"


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

    def rule(self, rule: "Condition", given: "frozenset[str]", undecided: bool = False) -> "Flags":
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

    def combinations(self, axes: "Iterable[int]") -> int:
        """How many combinations some axes have."""
        return prod(self.sizes[place] for place in axes)

    @once
    def table(self, name: str) -> Table:
        """The values of a setting, a fact or a quantity."""
        if name in self.names:
            place = self.names.index(name)
            given = self.values[place]
            kept: list[object] = [Unset if value is None else Unknown if value is UNKNOWN else value for value in given]
            return Table(axes=(place,), ids=array("I", range(len(given))), values=kept)
        if inputs((name,), self.formulas).isdisjoint(self.names):
            return Table(axes=(), ids=array("I", [0]), values=[self._value_of_all(name)])
        formulas = self.formulas[name]
        read = tuple(dict.fromkeys(each for formula in formulas for each in formula.names))
        return self._combined(read, formulas)

    def _value_of_all(self, name: str) -> object:
        """The value of what does not vary."""
        try:
            return self._base[name]
        except (Unknown, Unset) as why:
            return type(why)
        except KeyError:
            return Unset

    def _combined(self, names: "tuple[str, ...]", formulas: "Sequence[Formula]") -> Table:
        """The table of the first formula that applies, over what the formulas read. It is computed once for each
        combination of values, however many combinations of settings lead to it."""
        tables = [self.table(name) for name in names]
        axes = tuple(sorted({place for table in tables for place in table.axes}))
        if self.combinations(axes) > MOST_COMBINATIONS:
            raise TooMany
        classes = _Classes(self, names, [table.values for table in tables], formulas)
        spread = [self.spread(table.ids, table.axes, axes) for table in tables]
        ids = array("I", map(classes.__getitem__, zip(*spread))) if spread else array("I", [classes[()]])
        return Table(axes=axes, ids=ids, values=classes.results)

    def spread(self, ids: "array[int] | bytes", have: "Axes", want: "Axes") -> "array[int] | bytes":
        """The ids of a table over the axes `have`, laid out over those of `want`, which are more."""
        if have == want:
            return ids
        strides, stride = {}, 1
        for place in reversed(have):
            strides[place] = stride
            stride *= self.sizes[place]
        last = max((number for number, place in enumerate(want) if place in strides), default=-1)

        def block(number: int, offset: int) -> "array[int] | bytes":
            if number > last:
                return ids[offset : offset + 1] * self.combinations(want[number:])
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

    def __missing__(self, ids: "Axes") -> int:
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
    judge = _Judge(grid, launch, report)
    if not judge.axes:
        if judge.left_out:
            name, why = judge.left_out[0]
            raise CannotSweep(Message("{name} is left out: {why}", {"name": name, "why": why}))
        raise CannotSweep(Message("nothing in it varies a setting"))
    return judge.survey()


def _is_one_value(kind: str, values: "list[object]") -> bool:
    """Whether a list is the value of a setting that takes lists, and not several values of it."""
    return "list" in kind and not all(type(each) is list for each in values)


class _Judge:
    """The verdict on a grid, under the newest candidate release.

    faults    {rule about values: (rule, stage, {axis: a byte for each of its values, 1 where it is refused})}
    unsure    for each rule that reads something unknown, where it may be broken
    """

    def __init__(self, grid: "Grid", launch: "Launch", report: "Report") -> None:
        self.launch, self.report = launch, report
        self.left_out = list(grid.left_out)
        self.unknown: list[str] = []
        self.unsure: list[Flags] = []
        self.faults: dict[str, tuple[Rule, str, dict[int, bytearray]]] = {}
        self.axes = self._known_axes(grid)
        self.names = [axis.name for axis in self.axes]
        self.values = [
            [self._value(place, number, axis, value) for number, value in enumerate(axis.values)]
            for place, axis in enumerate(self.axes)
        ]
        self.total = prod(len(axis.values) for axis in self.axes)
        states = states_of(launch, launch.world_size)
        self.states = [state for state in states if state.candidate is states[0].candidate]
        self.space = Space(self.states[0], self.names, self.values)

    def _known_axes(self, grid: "Grid") -> "list[Axis]":
        """The axes under the framework's names of the settings; unknown settings are noted."""
        launch, axes = self.launch, []
        fields = launch.fields(launch.candidates[0])
        for axis in grid.axes:
            name = axis.name.lstrip("+~-")
            name = name if launch.framework.reader.configs.nested else name.replace("-", "_")
            field = fields[name]
            if axis.name in grid.plain and field is not None and _is_one_value(field.type, axis.values):
                continue
            if field is None and name != "world_size":
                release = {"framework": launch.framework.title, "version": launch.candidates[0].text}
                told = Message("no setting of {framework} {version}: it counts, and no rule reads it", release)
                self.left_out.append((axis.name, told))
            axes.append(axis.but(name=name))
        return axes

    def _value(self, place: int, number: int, axis: "Axis", value: object) -> object:
        """A value as the release reads it. One that it refuses is noted and left out of the rules."""
        launch, candidate = self.launch, self.launch.candidates[0]
        field = launch.fields(candidate)[axis.name]
        if field is None:
            return value if axis.name == "world_size" else UNKNOWN
        if value is None or (field.has_type_of(value) and not launch.framework.reader.configs.nested):
            return value
        trial = self._trying(axis.name, value)
        made, fault = launch.framework.reader.values.read(axis.name, value, field, trial, candidate.key)
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
        entry = Flag(node, node, written.words) if isinstance(written, Flag) else Entry(node, node)
        return launch.but(entries={**launch.entries, name: entry})

    def survey(self) -> Survey:
        broken: Broken = {}
        for state in self.states:
            self._judge(state, broken)
        for rule, _, flags in self.faults.values():
            for place, bad in flags.items():
                self._join(broken, rule, ((place,), bytes(bad)))
        refuses = self.states[0].candidate.enforced.refuses
        refusing = {rule for rule in broken if rule.name in refuses or rule.name in self.faults}
        always = self._always()
        refused = self.total if always else self._count([broken[rule] for rule in refusing])
        either = self._count([*(broken[rule] for rule in refusing), *self.unsure]) if self.unsure else refused
        undecided = None if refused is None or either is None else max(either - refused, 0)
        return Survey(
            total=self.total,
            refused=refused,
            undecided=undecided,
            unknown=self.unknown,
            refusals=self._refusals(broken, refusing),
            left_out=self.left_out,
            launch=self.launch,
            always=always,
            axes=self.axes,
        )

    def _judge(self, state: "State", broken: "Broken") -> None:
        """Ask the rules of one state, and add where each is broken."""
        space = Space(state, self.names, self.values)
        varied = zip(self.names, self.values)
        sample = {name: next((value for value in values if value is not None), None) for name, values in varied}
        given = frozenset(
            (
                *self.launch.entries,
                *self.launch.attached,
                *(name for name, value in sample.items() if value is not None),
            )
        )
        for rule in state._rules(sample):
            if state._is_remark(rule):
                continue
            try:
                flags = space.rule(rule, given)
                self._ask_for_the_unknown(state, space, rule, given)
            except TooMany:
                self.left_out.append(
                    (
                        rule.code,
                        Message(
                            "it reads settings with more than {most} combinations, and was not asked",
                            {"most": f"{MOST_COMBINATIONS:,}"},
                        ),
                    )
                )
                continue
            if any(flags[1]):
                self._join(broken, rule, flags)

    def _ask_for_the_unknown(self, state: "State", space: Space, rule: "Condition", given: "frozenset[str]") -> None:
        """Note where a rule that refuses may be broken by a setting that nobody knows."""
        if rule.broken is None or rule.name not in state.candidate.enforced.refuses:
            return
        unknown = space.unknown(rule.broken.names)
        unsure = space.rule(rule, given, undecided=True) if unknown else ((), b"")
        if any(unsure[1]):
            self.unsure.append(unsure)
            self.unknown += [name for name in unknown if name not in self.unknown]

    def _join(self, broken: "Broken", rule: "Condition | Rule", flags: "Flags") -> None:
        """Add further combinations that break a rule: for another number of processes, or by another value."""
        if rule in broken:
            axes = tuple(sorted({*flags[0], *broken[rule][0]}))
            flags = axes, self._either([flags, broken[rule]], axes)
        broken[rule] = flags

    def _either(self, tables: "Sequence[Flags]", axes: "Axes") -> bytes:
        number = 0
        for have, flags in tables:
            number |= _number(self.space.spread(flags, have, axes))
        return number.to_bytes(self.space.combinations(axes), "big")

    def _count(self, tables: "list[Flags]") -> "int | None":
        """How many runs at least one of some rules refuses. Rules that share no setting are counted separately."""
        holding = self.total
        groups: list[tuple[set[int], list[Flags]]] = []
        for axes, flags in tables:
            together = [group for group in groups if not group[0].isdisjoint(axes)]
            groups = [group for group in groups if group not in together]
            members = [(axes, flags), *(each for group in together for each in group[1])]
            groups.append((set(axes).union(*(group[0] for group in together)), members))
        for places, members in groups:
            axes = tuple(sorted(places))
            size = self.space.combinations(axes)
            if size > MOST_COMBINATIONS:
                return None
            holding = holding // size * self._either(members, axes).count(0)
        return self.total - holding

    def _refusals(self, broken: "Broken", refusing: "set[Condition | Rule]") -> "list[Refusal]":
        found = [self._refusal(rule, broken, refusing) for rule in broken]
        order = lambda each: (each.severity != "error", -each.count, each.rule.code)  # noqa: E731
        return sorted((each for each in found if each.count), key=order)

    def _refusal(self, rule: "Condition | Rule", broken: "Broken", refusing: "set[Condition | Rule]") -> Refusal:
        """The Refusal of a rule, without the runs that another rule has reported."""
        axes, flags = self._essential(*self._reported_by_itself(rule, broken, {each.name for each in refusing}))
        enforced = self.states[0].candidate.enforced.get(rule.name)
        boxes = list(islice(self._boxes(axes, flags), MOST_BOXES + 1))
        return Refusal(
            rule=rule,
            severity="error" if rule in refusing else "warning",
            stage=self.faults[rule.name][1] if rule.name in self.faults else enforced.stage if enforced else "never",
            count=flags.count(1) * (self.total // self.space.combinations(axes)),
            names=[self.names[place] for place in axes],
            boxes=boxes[:MOST_BOXES],
            more=max(len(boxes) - MOST_BOXES, 0),
        )

    def _reported_by_itself(self, rule: "Condition | Rule", broken: "Broken", refusing: "set[str]") -> "Flags":
        """The combinations that break a rule and none of those behind which it is not reported."""
        axes, flags = broken[rule]
        for other, (other_axes, other_flags) in broken.items():
            wanted = tuple(sorted({*axes, *other_axes}))
            size = self.space.combinations(wanted)
            hides = other is not rule and unblocked([rule, other], refusing) == [other]
            if hides and size <= MOST_COMBINATIONS:
                mine, theirs = (
                    self.space.spread(flags, axes, wanted),
                    self.space.spread(other_flags, other_axes, wanted),
                )
                axes, flags = wanted, (_number(mine) & ~_number(theirs)).to_bytes(size, "big")
        return axes, flags

    def _essential(self, axes: "Axes", flags: bytes) -> "Flags":
        """A table over no more axes than it depends on."""
        for place in axes:
            position, sizes = axes.index(place), [self.space.sizes[each] for each in axes]
            inner, count = prod(sizes[position + 1 :]), sizes[position]
            blocks = range(0, len(flags), inner * count)
            if all(flags[start : start + inner] * count == flags[start : start + inner * count] for start in blocks):
                flags = b"".join(flags[start : start + inner] for start in blocks)
                axes = (*axes[:position], *axes[position + 1 :])
        return axes, flags

    def _boxes(self, axes: "Axes", flags: bytes) -> "Iterator[Box]":
        """The failing combinations in as few boxes as possible: values of an axis that fail with the same other values
        are joined."""
        if not axes:
            if flags[:1] == b"\1":
                yield {}
            return
        axis, inner = self.axes[axes[0]], len(flags) // self.space.sizes[axes[0]]
        alike: dict[bytes, list[object]] = {}
        for number, value in enumerate(axis.values):
            alike.setdefault(flags[number * inner : (number + 1) * inner], []).append(value)
        for part, values in alike.items():
            varied = {axis.name: values} if len(values) < len(axis.values) else {}
            for box in self._boxes(axes[1:], part) if 0 in part else [{}]:
                yield {**varied, **box}

    def _always(self) -> "list[Finding]":
        """The errors about keys that do not vary, which none of the rules asked here reports."""
        return [
            each
            for each in self.report.findings
            if each.severity == "error" and each.rule.broken is None and not (each.at and each.at.name in self.names)
        ]
