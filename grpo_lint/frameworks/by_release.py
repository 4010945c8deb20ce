"""What differs by release: regimes (spans of versions with the same arithmetic), and rows of what each version enforces."""

from bisect import bisect_right

from ..message import Message
from ..plan.formula import Formula, formulas

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from ..shared_types import Callable, Formulas, Iterable, Mapping, Rule, Sequence, Severity, Stage

    Key = tuple[int, ...]  # a release as numbers, (1, 16, 0)
    Table = Mapping[str, str | tuple[str, ...]]  # {quantity: its formulas, tried in order}
    Changes = Mapping[str, Mapping[str, str | tuple[str, ...] | None]]  # {version: changes of a Table}
    Idle = Mapping[str, tuple[str, tuple[str, ...]]]  # {reason: (condition, settings)}
    Entry = TypeVar("Entry")


# Formulas of quantities that every framework derives alike; a regime's own formula takes their place. What the quantities mean
# is in `plan.quantities`, which only what prints them loads.
COMMON: "Table" = {
    "completions_per_engine": "ratio(completions_per_rollout, generation_engines)",
    "on_policy": "updates_per_rollout <= 1",
    "rows_used": "training_rows // prompts_per_sampled_batch * prompts_per_sampled_batch",
    "rows_dropped": "training_rows - rows_used",
    "completions_per_epoch": "training_rows * group_size",
    "rollouts_per_epoch": "rows_used // prompts_per_rollout",
    "rollouts": ("ceil(executed_steps / updates_per_rollout)", "ceil(total_steps / updates_per_rollout)"),
}


ALSO_SHOWN = ("written_update", "update_per_rank")  # options that are shown where a regime has them


class Regime:
    """The versions with the same arithmetic: from `since` on, until the next regime of the framework begins.

    `formulas`: how quantities follow from settings. `idle`: {reason: (condition, settings)}, settings that have no
    effect where the condition holds. `quantities`: the names of the plan that are shown. `options`: further formulas,
    which only rules and other formulas read.
    """

    def __init__(self, since: str, table: "Table", idle: "Idle | None" = None, options: "Table | None" = None) -> None:
        self.since: Key = _numbers(since)
        self.formulas: Formulas = formulas({**(options or {}), **COMMON, **table})
        also = [name for name in ALSO_SHOWN if name in (options or {})]
        self.quantities: tuple[str, ...] = tuple({**COMMON, **table, **dict.fromkeys(also)})
        self.idle: dict[str, tuple[Formula, tuple[str, ...]]] = {
            reason: (Formula(condition), names) for reason, (condition, names) in (idle or {}).items()
        }


def regimes_of(
    batch: "Changes",
    options: "Changes",
    idle: "Idle",
    own_batch: "Changes | None" = None,
    own_options: "Changes | None" = None,
) -> "tuple[Regime, ...]":
    """The regimes of a framework from the changes of its formulas by version. A regime begins with each change of the
    batch or of other options. `own_batch`, `own_options`: changes of another program, which count whatever the others change
    later."""
    over_batch, over_options = own_batch or {}, own_options or {}
    borders = sorted({*batch, *options, *over_batch, *over_options}, key=_numbers)
    return tuple(
        Regime(since, _over(batch, over_batch, since), idle, _over(options, over_options, since)) for since in borders
    )


def _over(usual: "Changes", own: "Changes", version: str) -> "dict[str, str | tuple[str, ...]]":
    """Two tables at a version, the one laid over the other."""
    found: dict[str, str | tuple[str, ...]] = in_force(usual, version)
    for name in {name for since, change in own.items() if _numbers(since) <= _numbers(version) for name in change}:
        found.pop(name, None)
    found.update(in_force(own, version))
    return found


class Enforcement:
    """One row: the versions from `since` to `until`, both included, that refuse what a rule describes, or are harmed by
    it.

    `until`: an end such as "0.21" means its last patch, None that no version has changed it yet. `stage`: `read`,
    `config`, `init` or `run`; or `never`, when the run is accepted and harmed, and then `severity` says how much that
    matters. `wording`: the framework's own text, with ... for the numbers, so that a search for the error finds the
    rule. `moment`: in words, when a run of stage `run` fails.
    """

    __slots__ = ("rule", "since", "until", "stage", "wording", "moment", "severity")

    def __init__(
        self,
        rule: str,
        since: str,
        until: "str | None",
        stage: "Stage",
        wording: str = "",
        moment: str = "",
        severity: "Severity | None" = None,
    ) -> None:
        self.rule = rule
        self.since = since
        self.until = until
        self.stage = stage
        self.wording = wording
        self.moment = moment
        self.severity: Severity = severity or ("warning" if stage == "never" else "error")

    def between(self, since: str, until: "str | None") -> "Enforcement | None":
        """The row in those of its versions that lie between two, both included; None where none does."""
        first = max(self.since, since, key=_numbers)
        last = min(filter(None, (self.until, until)), key=_after, default=None)
        if last is not None and _after(last) <= _numbers(first):
            return None
        if (first, last) == (self.since, self.until):
            return self
        return Enforcement(self.rule, first, last, self.stage, self.wording, self.moment, self.severity)


class Enforced(dict[str, Enforcement]):
    """What one version enforces: {rule name: Enforcement}; `refuses`: the names of the rules whose violation it
    refuses."""

    __slots__ = ("refuses",)

    def __init__(self, rows: "Sequence[Enforcement]") -> None:
        super().__init__([(row.rule, row) for row in rows])  # lists: a generator is entered anew for each row
        self.refuses: frozenset[str] = frozenset([row.rule for row in rows if row.stage != "never"])


class Enforcements:
    """All rows of a framework: those of its table, and those that its own rules declare. The borders of the rows divide the versions once; a version then finds its rows between
    two borders, as a number with a bit for each row."""

    def __init__(self, rows: "Iterable[Enforcement]", rules: "Iterable[Rule]" = ()) -> None:
        self.rows: tuple[Enforcement, ...] = (
            *rows,
            *[Enforcement(rule.name, *row) for rule in rules for row in rule.enforced],
        )
        self._of_rules: dict[str, int] = {}
        self.refusing = 0  # the rows that refuse, not only harm
        changes: dict[Key, int] = {}
        for place, row in enumerate(self.rows):
            bit = 1 << place
            self._of_rules[row.rule] = self._of_rules.get(row.rule, 0) | bit
            self.refusing |= bit if row.stage != "never" else 0
            for border in borders_of(row):
                changes[border] = changes.get(border, 0) ^ bit
        self._borders: list[Key] = sorted(changes)
        self._between: list[int] = [0]
        for border in self._borders:
            self._between.append(self._between[-1] ^ changes[border])
        self._enforced: dict[int, Enforced] = {}

    def bits(self, key: "Key") -> int:
        """The rows that include a version, as bits."""
        return self._between[bisect_right(self._borders, key)]

    def at(self, key: "Key") -> "Enforced":
        """The Enforced of a version."""
        return self.enforced(self.bits(key))

    def bits_of(self, applies: "Callable[[str], bool]") -> int:
        """The rows of the rules for whose names `applies` holds."""
        bits = 0
        for rule, of_rule in self._of_rules.items():
            if applies(rule):
                bits |= of_rule
        return bits

    def enforced(self, bits: int) -> "Enforced":
        """The Enforced of some rows; equal bits share one object."""
        found = self._enforced.get(bits)
        if found is None:
            found = Enforced([row for place, row in enumerate(self.rows) if bits >> place & 1])
            self._enforced[bits] = found
        return found


def without_devices(since: str) -> "Enforcement":
    """The row of a framework's versions from `since` on for a process without a device."""
    return Enforcement(
        "processes-have-devices",
        since,
        None,
        "run",
        "CUDA error: invalid device ordinal",
        Message("when the last processes take their devices"),
    )


def in_force(changes: "Mapping[str, Mapping[str, Entry | None]]", version: str) -> "dict[str, Entry]":
    """A table at a version, put together from {version: what changed then}; None takes an entry out."""
    table: dict[str, Entry | None] = {}
    for since, change in changes.items():
        if _numbers(since) <= _numbers(version):
            table.update(change)
    return {name: entry for name, entry in table.items() if entry is not None}


def borders_of(row: "Enforcement") -> "tuple[Key, ...]":
    """The first version of a row, and the first one after it, where there is one."""
    return (_numbers(row.since), _after(row.until)) if row.until else (_numbers(row.since),)


def _numbers(version: str) -> "Key":
    """The sort key of a version; the first patch of a minor sorts as the minor itself."""
    numbers = tuple(map(int, version.split(".")))
    return numbers[:2] if numbers[2:] == (0,) else numbers


def _after(version: str) -> "Key":
    """The first version after all patches of a version."""
    *first, last = map(int, version.split("."))
    return (*first, last + 1)
