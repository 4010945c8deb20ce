"""The same training in another framework. The batch is converted through the plan, every other setting by the table of
counterparts. Settings without a counterpart and settings to review are listed. The result is linted, and its plan
compared."""

from ..engine import lint
from ..frameworks.registry import framework as framework_named
from ..frameworks.roles import ACCUMULATION, DEVICE_BATCH
from ..frameworks.shared.counterparts import (
    ADAPTER_RANK,
    ALWAYS,
    BEFORE_THE_SETTING,
    CHOSEN,
    ENGINE_MEMORY,
    ENGINE_MODE,
    ENGINE_SLEEPS,
    FRAMEWORKS,
    LACKS,
    ROWS,
    SERVER_ADDRESSES,
    SERVER_HOST,
    USES_ENGINE,
    CannotSay,
    Pair,
    companions_of,
    defaults_that_differ,
    is_of_the_batch,
    is_parallel_size,
    is_said_by_others,
    means_the_same,
    remark_on,
    row_named,
    row_of,
    switches_of,
    trains_lora,
    unsharded,
)
from ..frameworks.versions import version_key
from ..message import Message
from ..plan.shape import Shape
from ..source.entry import value_of
from ..unknown import UNKNOWN
from .batches import USUAL_MICROS
from .runs import Chosen, NoRun, chosen
from .translated import Line, in_place_of_a_command, in_place_of_keys, is_flat, whole_command, whole_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..checker.findings import Finding, Report
    from ..frameworks.shared.counterparts import Row
    from ..plan.plan import Plan

COMPARED = (
    "group_size",
    "micro_batch",
    "completions_per_update",
    "completions_per_rollout",
    "prompts_per_rollout",
    "updates_per_rollout",
    "total_steps",
)
_BATCH = ("group_size", "completions_per_update", "completions_per_rollout")  # the quantities to keep
_UNEQUAL = 1000  # the penalty of another batch, in findings
_HALVINGS = 6  # of a device's batch, to find a size that divides


class CannotConvert(Exception):
    """Why a run cannot be converted; the message is meant for the user."""


class Dropped:
    """A setting without a counterpart: its name, its value as it is shown, and why; an empty text where the framework
    just lacks it."""

    __slots__ = ("name", "value", "why")
    name: str
    value: str
    why: str

    def __init__(self, name: str, value: object, why: str = "") -> None:
        self.name = name
        self.value = "something that is computed" if value is UNKNOWN else str(value)
        self.why = why


class Conversion:
    """The result of converting a run: the text, and what to know about it.

    source, target   the titles of the frameworks with their releases
    run              the run that was converted, and the places of the other runs of its file
    lines            the settings of the result, each with its origin
    dropped          settings without a counterpart
    look_at          [(setting, what to review)]
    before, after    the plans; `after` is None where no run was found in the result
    findings         the findings of `check` in the result, without infos
    idle             its findings about settings that have no effect there
    """

    __slots__ = (
        "source",
        "target",
        "run",
        "text",
        "is_command",
        "lines",
        "dropped",
        "look_at",
        "before",
        "after",
        "findings",
        "idle",
    )
    source: str
    target: str
    run: Chosen
    text: str
    is_command: bool
    lines: "list[Line]"
    dropped: "list[Dropped]"
    look_at: "list[tuple[str, str]]"
    before: "Plan"
    after: "Plan | None"
    findings: "list[Finding]"
    idle: "list[Finding]"

    @property
    def compared(self) -> "list[tuple[str, object, object]]":
        """[(quantity, before, after)] of those that are known before or after."""
        after = self.after
        if after is None:
            return []
        found = [(name, self.before.value(name), after.value(name)) for name in COMPARED]
        return [each for each in found if each[1] is not None and each[2] is not None]

    @property
    def is_equal(self) -> bool:
        """Whether group, update and rollout have the same sizes in completions as before, as far as they are known."""
        return self.after is not None and all(
            before == after for name, before, after in self.compared if name in _BATCH
        )

    @property
    def is_refused(self) -> bool:
        """Whether the result would not start."""
        return self.after is None or any(finding.severity == "error" for finding in self.findings)


def convert(
    report: "Report", target: str, version: str, spread: "Mapping[str, int] | None" = None, line: str = ""
) -> Conversion:
    """The Conversion of a run of a report: the run at `line`, else the first one. `spread`: the processes that share a
    copy of the model, by kind as in `Shape`. Raises CannotConvert."""
    try:
        run = chosen(report, line)
    except NoRun as why:
        raise CannotConvert(str(why)) from None
    if run.launch.framework.name not in FRAMEWORKS:
        raise CannotConvert(
            Message(
                "what the settings of {title} are elsewhere is not known here", {"title": run.launch.framework.title}
            )
        )
    return _Work(report, run, target, version, spread or {}).conversion()


class _Work:
    """A conversion in progress."""

    def __init__(self, report: "Report", run: Chosen, target: str, version: str, spread: "Mapping[str, int]") -> None:
        launch = run.launch
        self.report, self.run, self.launch, self.version, self.spread = report, run, launch, version, spread
        self.candidate = launch.candidates[0]
        self.source, self.target = launch.framework, framework_named(target)
        self.key = version_key(version)
        self.before = launch.plan(self.candidate)
        index = self.target.catalogue.release_index(self.key)
        groups = self.target.reader.trainer.groups(
            launch.algorithm if target == launch.framework.name else "grpo", "script"
        )
        self.fields = self.target.releases.fields(groups, index, {})
        self.pair = Pair(self.source.name, target, self._updates() or 1)
        self.lines: list[Line] = []
        self.dropped: list[Dropped] = []
        self.look_at: list[tuple[str, str]] = []

    def conversion(self) -> Conversion:
        if self.target.arithmetic.regime(self.key) is None:
            raise CannotConvert(
                Message(
                    "{title} {version} has no trainer for this", {"title": self.target.title, "version": self.version}
                )
            )
        self._translate()
        self._write_out()
        best, fewest = None, 0
        for batch in self._batches():
            found = self._taken(batch)
            wrong = sum(finding.severity == "error" for finding in found.findings) + _UNEQUAL * (not found.is_equal)
            if best is None or wrong < fewest:
                best, fewest = found, wrong
            if not wrong:
                break
        assert best is not None  # there is at least one batch to try
        return best

    # --- settings ---------------------------------------------------------------------------------------------------

    def _has(self, name: str) -> bool:
        return self.fields[name] is not None

    def _translate(self) -> None:
        """Convert the settings that the run sets."""
        for name, entry in self.launch.entries.items():
            if name.startswith("--") or is_said_by_others(name):
                continue
            row, value = row_of(name, self.source.name), self._given(name)
            if (row is not None and row.is_of_the_batch) or is_of_the_batch(name):
                self._note_spread(name, value)
                continue
            if value is UNKNOWN and row is not None and row.kind != "same":
                self.dropped.append(Dropped(name, value, "its value is not known here"))
            elif row is not None:
                self._carry(row, name, value)
            elif means_the_same(name, self.source.name, self.target.name) and self._has(name):
                self._put(Line(name, value, name, same=True))
            else:
                self.dropped.append(Dropped(name, value, self._why(name)))

    def _why(self, name: str) -> str:
        """Why a name has no counterpart in the other framework."""
        if self.launch.fields(self.candidate)[name] is None:
            return Message("{source} has no such setting either", {"source": self.source.title})
        return LACKS.get((self.target.name, name)) or self.target.reader.renames.remarks.get(name, "")

    def _note_spread(self, name: str, value: object) -> None:
        """Report that a way to spread the model over processes was not converted."""
        kind = name.partition("_model_parallel")[0]
        if name.endswith("parallel_size") and value not in (None, 1) and self.spread.get(kind, 1) == 1:
            self.dropped.append(
                Dropped(name, value, "each process holds a copy of the model, or a part of one that it shares")
            )

    def _carry(self, row: "Row", name: str, value: object) -> None:
        told = row.name(self.target.name, self._has)
        if told is None:
            self.dropped.append(Dropped(name, value, self._why(name)))
            return
        if row.kind == "lora" and self._trains_lora is False:
            self.dropped.append(Dropped(name, value, "no LoRA is trained"))
            return
        if value is UNKNOWN:
            self._put(Line(told, value, name, same=True))
            return
        if value is None and not self._type(told).endswith("?"):
            self.dropped.append(Dropped(name, value, "it is not set"))
            return
        try:
            made = self.pair.value(row.kind, value, self._type(told))
        except CannotSay as why:
            self.dropped.append(Dropped(name, value, str(why)))
            return
        self._put(Line(told, made, name, same=made == value and type(made) is type(value)))
        remark = remark_on(row, self.pair)
        if remark:
            self.look_at.append((told, remark))
        if row.kind == "data" and "#" in str(value) and not self.pair.takes_rows_by_name:
            shown = value[0] if type(value) is list and len(value) == 1 else value
            self.look_at.append(
                (
                    told,
                    Message(
                        "{value} took so many rows; {title} takes all of them",
                        {"value": shown, "title": self.target.title},
                    ),
                )
            )

    def _type(self, name: str) -> str:
        field = self.fields[name]
        return field.type if field else ""

    def _put(self, line: Line) -> None:
        if all(line.name != other.name for other in self.lines):
            self.lines.append(line)

    def _write_out(self) -> None:
        """Write out settings whose default differs in the other framework."""
        for name, value in ALWAYS[self.target.name].items():
            self._put(Line(name, value, next((each for each in self.launch.entries if each == name), ""), same=True))
        self._settle_other_ways()
        if self._trains_lora and row_named(ADAPTER_RANK).name(self.target.name, self._has) is None:
            self.look_at.append(
                (
                    "LoRA",
                    Message(
                        "{source} trains an adapter, and {target} trains all weights",
                        {"source": self.source.title, "target": self.target.title},
                    ),
                )
            )
        written = {line.name for line in self.lines}
        for row in ROWS:
            if row.decides and not any(name in self.launch.entries for name in row.names[self.source.name]):
                self._write_default(row)
        for name, value, why in companions_of(
            self.source.name, self.target.name, {line.name: line.value for line in self.lines}
        ):
            beside = row_of(name, self.target.name)
            if not self._has(name) or name in written:
                continue
            if beside is None or beside.kind != "mode" or self._default_there(beside, name) != value:
                self._put(Line(name, value, "", why=why))
        self._free_the_engine()
        self._note_shards()
        self._tell_other_defaults()

    def _free_the_engine(self) -> None:
        """Let the engine sleep where it shares the GPUs and sleeps in the other framework without being told to."""
        row, mode = row_named(ENGINE_SLEEPS), row_named(ENGINE_MODE)
        told, where = row.name(self.target.name, self._has), mode.name(self.target.name, self._has)
        if not told or not where or self._default_of(row) not in (True, 1, 2) or not self._makes_rollouts_by_vllm:
            return
        written = {line.name: line.value for line in self.lines}
        if told in written or written.get(where, self._default_there(mode, where)) != "colocate":
            return
        if not self._default_there(row, told):
            value = self.pair.value(row.kind, True, self._type(told))
            why = Message(
                "{source} frees the engine's memory while it trains, {target} only when told to",
                {"source": self.source.title, "target": self.target.title},
            )
            self._put(Line(told, value, "", why=why))

    @property
    def _makes_rollouts_by_vllm(self) -> bool:
        row = row_named(USES_ENGINE)
        name = row.name(self.target.name, self._has)
        written = next((line.value for line in self.lines if line.name == name), None)
        return (self._default_there(row, name) if written is None and name else written) is True

    def _note_shards(self) -> None:
        """Say of a model that was spread over the processes that it is not, where nothing tells the other framework to."""
        world = self.before.value("world_size")
        found = unsharded(self.source.name, self.target.name, self.before.value)
        if found is None or world == 1 or any(size > 1 for kind, size in self.spread.items() if kind != "context"):
            return
        name, by, how = found
        if all(line.name not in ("deepspeed", "fsdp") for line in self.lines):
            what = Message(
                "{source} spreads the model by {by}, and here each process holds all of it: {how}",
                {"source": self.source.title, "by": by, "how": how},
            )
            self.look_at.append((name, what))

    def _settle_other_ways(self) -> None:
        """Convert what one framework states by a switch and the other by a number."""
        told = switches_of(self.source.name, self.target.name, self.launch.algorithm, self.before.value)
        for name, value, why, look_at in told:
            if not self._has(name):
                raise CannotConvert(f"{self.target.title} {self.version} has no {name}: {value}")
            self.lines = [line for line in self.lines if line.name != name]
            self._put(Line(name, value, "", why=why))
            if look_at:
                self.look_at.append((name, look_at))

    def _write_default(self, row: "Row") -> None:
        told = row.name(self.target.name, self._has)
        ours = self._trains_lora if row.kind == "tuner" else self._default_of(row)
        if told is None or (row.kind == "lora" and not self._trains_lora):
            return
        if not self._has_effect(row):
            return
        theirs = self._default_there(row, told)
        if row.kind == "dtype" and theirs is None and ours is not None:  # beside it, others say what is computed with
            why = "that of the model is taken where nothing is said"
            self.look_at.append(
                (
                    told,
                    Message(
                        "{source} takes {ours} by default: {why}",
                        {"source": self.source.title, "ours": ours, "why": why},
                    ),
                )
            )
            return
        if ours is None:
            if theirs is not None and row.names[self.source.name] and not self.launch.incomplete:
                self.look_at.append(
                    (
                        told,
                        Message(
                            "it is not written, and {source} chooses it; {target} takes {theirs}",
                            {"source": self.source.title, "target": self.target.title, "theirs": theirs},
                        ),
                    )
                )
            return
        try:
            made = self._default_pair(row).value(row.kind, ours, self._type(told))
        except CannotSay as why:
            self.look_at.append(
                (
                    told,
                    Message(
                        "{source} takes {ours} by default: {why}",
                        {"source": self.source.title, "ours": ours, "why": why},
                    ),
                )
            )
            return
        if made != theirs and [made] != theirs and made != [theirs]:
            shown = f"{self.target.title} {'chooses it' if theirs is None else f'takes {theirs}'} by default"
            ours = ("lora" if ours else "full") if row.kind == "tuner" else ours
            self._put(Line(told, made, "", why=f"{shown}, {self.source.title} {ours}"))
            remark = remark_on(row, self.pair)
            if remark:
                self.look_at.append((told, remark))

    def _has_effect(self, row: "Row") -> bool:
        """Whether a setting of a row has an effect in the run, as far as the engine is concerned."""
        value = self.before.value
        if row.kind == "mode":
            return bool(value(USES_ENGINE))
        if row.title == ENGINE_MEMORY:
            is_shared = value("engines_share_gpus")
            is_used = self.target.reader.configs.nested or self._makes_rollouts_by_vllm
            return is_used and bool(is_shared or (is_shared is None and self.source.reader.configs.nested))
        if row.title == SERVER_HOST:
            address = self.launch.entries.keys() & SERVER_ADDRESSES
            return bool(value(USES_ENGINE)) and value(ENGINE_MODE) == "server" and not address
        return True

    def _tell_other_defaults(self) -> None:
        """Tell of the defaults that differ and are not written out."""
        ours = self.launch.fields(self.candidate)
        told = [
            f"{name} ({source} -> {target})"
            for name, source, target in defaults_that_differ(self.pair, ours, self.fields, self.launch.entries.keys())
        ]
        if told:
            self.look_at.append(
                ("defaults", Message("not written out, though they differ: {defaults}", {"defaults": ", ".join(told)}))
            )

    def _default_there(self, row: "Row", told: str) -> object:
        """The value that the other framework uses where a setting is not written."""
        theirs = CHOSEN.get((self.target.name, told), self.fields[told].default)  # type: ignore[union-attr]  # it has it
        leader = row.follows()
        if theirs is None and leader:
            name = leader.name(self.target.name, self._has)
            written = next((line.value for line in self.lines if line.name == name), None)
            return self._default_there(leader, name) if written is None and name else written
        return theirs

    def _default_pair(self, row: "Row") -> Pair:
        """The pair that states a default. A setting that a release lacks is treated as in TRL and ms-swift."""
        has = self.launch.fields(self.candidate)
        is_there = row.kind == "tuner" or any(has[name] is not None for name in row.names[self.source.name])
        return self.pair if is_there else Pair(FRAMEWORKS[0], self.target.name, self.pair.updates)

    def _default_of(self, row: "Row") -> object:
        """The value of a setting that is not written; None where it is unknown."""
        source, told = self.source.name, row.title
        for name in row.names[source]:
            if self.launch.fields(self.candidate)[name] is not None:
                found = self.before.value(name)
                found = CHOSEN.get((source, name)) if found is None else found
                return self._followed(row, found)
        before = BEFORE_THE_SETTING.get(told) if self.launch.algorithm == "grpo" else None
        return CHOSEN.get((source, told), before)

    def _followed(self, row: "Row", value: object) -> object:
        """The value of a setting that takes that of another one where it is null."""
        leader = row.follows()
        if value is None and leader:
            return next((self.before.value(name) for name in leader.names[self.source.name]), None)
        return value

    def _given(self, name: str) -> object:
        """The value of a written setting, as the release reads it."""
        try:
            value = self.launch.read(name, self.launch.fields(self.candidate), self.candidate.key)[0]
        except KeyError:
            value = value_of(self.launch.entries[name])
        return UNKNOWN if type(value) not in (str, int, float, bool, list, dict, type(None)) else value

    @property
    def _trains_lora(self) -> "bool | None":
        has = self.launch.fields(self.candidate)
        return trains_lora(self.source.name, self.before.value, lambda name: has[name] is not None)

    # --- the batch --------------------------------------------------------------------------------------------------

    def _updates(self) -> "int | None":
        """For how many updates one rollout is used, not counting repeated passes over it; None where it is not a whole
        number."""
        update, rollout = (self.before.value(name) for name in ("completions_per_update", "completions_per_rollout"))
        if type(update) is int and type(rollout) is int and update and rollout % update == 0:
            return rollout // update
        return None

    def _batches(self) -> "Iterator[dict[str, object]]":
        """Settings for the batch, the best guess first: by the same names, then by the inverse of the formulas."""
        same = self._by_name()
        if same is not None:
            yield same
        sizes = [self.before.value(name) for name in ("world_size", "group_size", "completions_per_update")]
        if not all(type(size) is int and size > 0 for size in sizes):
            if same is None:
                raise CannotConvert("its batches are not known: state the number of processes with --world-size")
            return
        processes, group, update = (int(str(size)) for size in sizes)
        micro = self._micro()
        updates = self._updates()
        found = same is not None
        if updates:
            for each in dict.fromkeys(max(micro >> halving, 1) for halving in range(_HALVINGS)):
                shape = Shape(processes, group, each, update, updates, **self.spread)
                settings = self.target.arithmetic.settings_of(shape, self.key)
                if settings is not None:
                    found = True
                    yield settings
        if not found:
            per = "is made of several rollouts" if not updates else f"cannot be made on {processes} processes"
            raise CannotConvert(f"{self.target.title} {self.version}: an update of {update:,} completions {per}")

    def _micro(self) -> int:
        """The completions of one pass on a device; a usual number where batches are counted in tokens."""
        micro = self.before.value("micro_batch")
        if type(micro) is int and micro > 0:
            return micro
        name = row_named(DEVICE_BATCH).name(self.target.name, self._has)
        self.look_at.append(
            (str(name), "no number of completions is a micro batch there; this one decides about speed and memory")
        )
        return USUAL_MICROS[-1]

    def _by_name(self) -> "dict[str, object] | None":
        """The settings of the batch unchanged, where the other framework has all of them under the same names."""
        settings: dict[str, object] = {}
        for row in ROWS:
            if row.is_of_the_batch and not self.spread:
                for name in row.names[self.source.name]:
                    if name in self.launch.entries or row.kind == "size":
                        if not self._has(name):
                            return None
                        settings[name] = self.before.value(name)
        accumulation = self.before.value("accumulation")
        if self._has(ACCUMULATION) and accumulation is not None:
            settings[ACCUMULATION] = accumulation
        for name in self.launch.entries:
            if is_parallel_size(name):
                if not self._has(name):
                    return None
                settings[name] = self.before.value(name)
        return {name: value for name, value in settings.items() if value is not None} or None

    # --- the text ---------------------------------------------------------------------------------------------------

    def _taken(self, batch: "dict[str, object]") -> Conversion:
        """The Conversion with these settings of the batch, written and linted."""
        found = Conversion()
        found.source = f"{self.source.title} {self.candidate.text}"
        found.target = f"{self.target.title} {self.version}"
        found.run = self.run
        found.lines = self._with_batch(batch)
        found.dropped, found.look_at, found.before = self.dropped, list(self.look_at), self.before
        report, launch = self.report, self.launch
        reads_files = not self.target.reader.configs.nested and (
            self.target.reader.files.reads_yaml_since is None or self.key >= self.target.reader.files.reads_yaml_since
        )
        started = launch.origin is not None and launch.origin.script is None
        in_place = started and report.document is None and report.code is None
        found.is_command = started or not reads_files
        if (
            found.is_command and not self.target.reader.configs.nested
        ):  # a missing flag means null, and no flag can state null
            found.lines = [line for line in found.lines if line.value is not None]
        world = launch.facts.get("world_size")
        processes = str(world.value) if world else ""
        dropped = [(each.name, each.value) for each in self.dropped]
        count = int(processes.partition("|")[0] or 0)
        if in_place:
            found.text = in_place_of_a_command(report, launch, self.target, self.version, found.lines, count, dropped)
        elif found.is_command:
            found.text = whole_command(self.target, self.version, found.lines, count, dropped)
        elif is_flat(report, launch):
            found.text = in_place_of_keys(report, launch, self.target, self.version, found.lines, processes, dropped)
            if "#" in found.text:
                found.look_at.append(
                    ("comments", "they are as they were, also where they tell of numbers and commands")
                )
        else:
            found.text = whole_file(self.target, self.version, found.lines, processes, dropped)
        if not in_place and not (reads_files and is_flat(report, launch)) and report.text and "#" in report.text.text:
            found.look_at.append(("comments", "those of the file are not carried over into a new text"))
        self._lint(found)
        return found

    def _with_batch(self, batch: "dict[str, object]") -> "list[Line]":
        """All lines. The settings of the batch take the places of the settings of the same quantities, where there are
        such."""
        places = {}
        for name in self.launch.entries:
            row = row_of(name, self.source.name)
            if row is not None and row.is_of_the_batch:
                places.update(
                    {each: name for each in row.names[self.target.name] if each in batch and each not in places}
                )
            elif name in batch:
                places[name] = name
        made = [
            Line(name, value, places.get(name, ""), same=name == places.get(name) and value == self._given(name))
            for name, value in batch.items()
        ]
        order = {name: place for place, name in enumerate(self.launch.entries)}
        return sorted(made + self.lines, key=lambda line: order.get(line.source, len(order)))

    def _lint(self, found: Conversion) -> None:
        from ..source.text import Text

        path = self.report.path if self.report.path not in ("", "-") else "config.yaml"
        if found.is_command and not path.endswith(".sh"):
            path += ".sh"
        elif not found.is_command and not path.endswith((".yaml", ".yml")):
            path += ".yaml"
        report = lint(Text(found.text, path), fixes=False)
        at = self.report.launches.index(self.launch) if len(report.launches) == len(self.report.launches) else 0
        runs = [each for each in report.launches[at:] if each.framework is self.target and each.candidates]
        found.after = runs[0].plan(runs[0].candidates[0]) if runs else None
        said = [each for each in report.findings if each.launch is None or each.launch in runs[:1]]
        found.findings = [finding for finding in said if finding.severity != "info"]
        found.idle = [finding for finding in said if finding.rule.name == "settings-have-an-effect"]
