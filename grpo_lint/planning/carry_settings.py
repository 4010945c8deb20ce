"""The settings of a run under the names of another framework, all but those of its batch: what the run sets, what would
have another value by default, what has no counterpart, and what a person should look at."""

from math import prod

from ..frameworks.base import whole_number
from ..frameworks.registry import framework as framework_named, run_template
from ..frameworks.shared import more_counterparts as further, parallel_names
from ..frameworks.shared.counterparts import (
    ADAPTER_RANK,
    ALWAYS,
    BEFORE_THE_SETTING,
    CHOSEN,
    ENGINE_MEMORY,
    ENGINE_MODE,
    ENGINE_SLEEPS,
    FRAMEWORKS,
    KL_WEIGHT,
    LACKS,
    ROWS,
    SERVER_ADDRESSES,
    SERVER_HOST,
    SPREAD,
    USES_ENGINE,
    CannotSay,
    Pair,
    companions_of,
    defaults_that_differ,
    has_a_lowest,
    is_of_the_batch,
    is_said_by_others,
    means_the_same,
    remark_on,
    row_named,
    row_of,
    rows_of,
    switches_of,
    trains_lora,
    unsharded,
)
from ..frameworks.shared.left_behind import FATES, IMPLIED, LOST, REWARDS, fate, is_of_rewards, why_implied
from ..frameworks.versions import version_key
from ..message import NOTHING, Message, told_by, verbatim
from ..plan.shape import Shape
from ..source.entry import loaded
from ..unknown import UNKNOWN
from .emit_target import Dropped, Line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..frameworks.shared.counterparts import Row
    from ..shared_types import Field, Launch, Mapping

_TOLD_WHERE_FIXED = ("loss", "same", "scale", "first", "second", "estimate")  # kinds of rows
_PLAIN_TYPES = (str, int, float, bool, list, dict, type(None))


class CannotConvert(Exception):
    """Why a run cannot be converted; the message is meant for the user."""


class CarriedSettings:
    """The settings of a run in a release of another framework.

    spread    {kind: processes that share a copy of the model in the result}, as in `Shape`
    ends      layers of the first and the last pipeline stage, as in `Shape`
    of_expert processes that share each expert; 0 where the run does not say it, or has no experts apart
    backend   the training engine, where the two are releases of one framework that has several
    pair      the two frameworks
    before    the plan of the run
    lines     the settings of the result, each with its origin
    dropped   settings without a counterpart
    look_at   [(setting, what to review)]
    """

    def __init__(self, launch: "Launch", target: str, version: str, spread: "Mapping[str, int]") -> None:
        self.launch, self.version = launch, version
        self.source, self.target = launch.framework, framework_named(target)
        self._names = self.source.name, self.target.name
        self._titles = {"source": self.source.title, "target": self.target.title}
        self.key = version_key(version)
        if self.target.arithmetic.regime(self.key) is None:
            raise CannotConvert(
                Message("{title} {version} has no trainer for this", {"title": self.target.title, "version": version})
            )
        self.candidate = launch.candidates[0]
        self.before = launch.plan(self.candidate)
        self._fields_before = launch.fields(self.candidate)
        engines = self.target.arithmetic.backends() if self.source is self.target else ()
        self.backend = next((each for each in engines if each in launch.groups), "")
        self.spread = dict(spread) or self._spread_as_before()
        stages = parallel_names.sizes_of(self.source.name, self.before.value).get("pipeline", 1)
        self.ends = parallel_names.ends_of(self.before.value, stages, self.spread.get("pipeline", 1))
        self.of_expert = parallel_names.sharers_of_an_expert(self.source.name, self.before.value)
        self._spreading = self._of_the_spread()
        algorithm = launch.algorithm if target == self.source.name else "grpo"
        self._groups = self.target.reader.trainer.groups(
            algorithm, "script", {**run_template(target).builds_on, **self._spreading}.get
        )
        self._index = self.target.catalogue.release_index(self.key)
        self._fields = self.target.releases.fields(self._groups, self._index, {})
        sharers = self.spread.get("context", 1)
        self.pair = Pair(
            self.source.name, target, self.updates_per_rollout or 1, self._now, sharers, self._are_shares()
        )
        self.lines: list[Line] = []
        self.dropped: list[Dropped] = []
        self.look_at: list[tuple[str, Message]] = []
        idle = self.candidate.regime.idle.values()
        self._idle = {name for condition, names in idle if self.before.holds(condition) for name in names}
        self._carry_what_is_set()
        self._write_out_what_differs()
        self.dropped.sort(key=lambda each: (not is_of_rewards(each.name), FATES.index(each.fate)))

    @property
    def updates_per_rollout(self) -> "int | None":
        """For how many updates one rollout is used, not counting repeated passes over it; None where it is not a whole
        number."""
        update, rollout = (self.before.value(name) for name in ("completions_per_update", "completions_per_rollout"))
        if type(update) is int and type(rollout) is int and update and rollout % update == 0:
            return rollout // update
        return None

    def _spread_as_before(self) -> "dict[str, int]":
        """The sizes of the run, as far as the other framework can have them; none in another release of the same that has all by their names."""
        if self.source is self.target and not self.target.reader.configs.nested:
            return {}
        sizes = parallel_names.sizes_of(self.source.name, self.before.value)
        taken = {kind: size for kind, size in sizes.items() if self.target.name in parallel_names.PARALLEL[kind]}
        shape = Shape(1, 1, 1, 1, **taken)  # type: ignore[arg-type]  # kinds of parallelism
        return {} if self.target.arithmetic.why_not(shape, self.version, self.key) else taken

    def _of_the_spread(self) -> "dict[str, object]":
        """The settings that spread a model so in the other framework, whatever its batch is."""
        processes = prod(size for kind, size in self.spread.items() if kind != "expert")
        return self.target.arithmetic.settings_of(self.shape(processes, 1, 1, 1), self.key, lambda name: None) or {}

    @property
    def engine(self) -> "dict[str, object]":
        """The settings that choose the engine, and those of the sizes over which it spreads a model."""
        return {name: value for name, value in self._spreading.items() if name in SPREAD or not self._is_sized(name)}

    def _is_sized(self, name: str) -> bool:
        row = row_of(name, self.target.name)
        return is_of_the_batch(name) or (row is not None and row.is_of_the_batch)

    def shape(self, processes: int, group: int, micro: int, update: int, updates: int = 1) -> Shape:
        """The shape of a batch in the result, spread as it is."""
        kinds: Mapping[str, Any] = self.spread
        more: Mapping[str, Any] = {"ends": self.ends, "backend": self.backend, "of_expert": self.of_expert}
        return Shape(processes, group, micro, update, updates, **more, **kinds)

    def has(self, name: str) -> bool:
        """Whether the other framework knows a setting, and reads it with the training engine that spreads the model so."""
        is_read = not further.is_of_the_other_engine(self.target.name, name, self._spreading.get)
        return is_read and self._fields[name] is not None

    def written(self, name: str) -> object:
        """The value of a setting of the result; None where it is not written."""
        return next((line.value for line in self.lines if line.name == name), None)

    def _now(self, title: str) -> object:
        """The value of a row in the run, written or by default."""
        return self._default_of(row_named(title))

    def _are_shares(self) -> "tuple[bool, bool]":
        """Whether the lowest learning rate is a share of the highest, in the run and in the other framework."""
        row = row_named(further.LOWEST_RATE)
        ours = row.name(self.source.name, lambda name: self._fields_before[name] is not None)
        names = (self.source.name, ours), (self.target.name, self.name_of(row))
        return further.is_a_share(*names[0]), further.is_a_share(*names[1])

    def name_of(self, row: "Row") -> "str | None":
        """The name of a row in the other framework; None where it has none."""
        return row.name(self.target.name, self.has)

    def value_set(self, name: str) -> object:
        """The value of a written setting, as the release reads it; UNKNOWN where it is none of YAML's."""
        try:
            value = self.launch.read(name, self._fields_before, self.candidate.key)[0]
        except KeyError:
            value = loaded(self.launch.entries[name].value)
        if value is UNKNOWN:  # a list or a number that is only handed on
            found = loaded(self.launch.entries[name].value)
            numbers = found if type(found) is list else [found] if self._fields_before[name] is None else [None]
            value = found if all(type(each) in (int, float) for each in numbers) else UNKNOWN
        return value if type(value) in _PLAIN_TYPES else UNKNOWN

    def _type(self, name: str) -> str:
        field = self._fields[name]
        return field.type if field else ""

    def _put(self, name: str, value: object, source: str = "", same: bool = False, why: Message = NOTHING) -> None:
        if all(line.name != name for line in self.lines):
            self.lines.append(Line(name=name, value=value, source=source, same=same, why=why))

    def _drop(self, name: str, value: object, why: Message = NOTHING, is_idle: bool = False) -> None:
        shown = Message("something that is computed") if value is UNKNOWN else verbatim(value)
        found = fate(name, value, {name} if is_idle else self._idle)
        if value == "lora" and self.name_of(row_named(ADAPTER_RANK)) is None:
            found = LOST
        why = why or (why_implied(name) if found == IMPLIED else NOTHING)
        self.dropped.append(Dropped(name=name, value=shown, why=why, fate=found))

    def _look_at(self, name: str, what: Message) -> None:
        self.look_at.append((name, what))

    def _remark_on(self, row: "Row", name: str) -> None:
        remark = remark_on(row, self.pair)
        if remark:
            self._look_at(name, remark)

    # --- what the run sets ------------------------------------------------------------------------------------------

    def _carry_what_is_set(self) -> None:
        for name in self.launch.entries:
            if name.startswith("--") or is_said_by_others(name):
                continue
            row, value = row_of(name, self.source.name), self.value_set(name)
            if further.is_of_the_other_engine(self.source.name, name, self.before.value):
                self._drop(name, value, Message("it is of the training engine that does not run"), is_idle=True)
            elif is_of_the_batch(name) or (row is not None and row.is_of_the_batch) or self._is_written_anew(name):
                self._note_spread(name, value)
            elif row is not None:
                for each in rows_of(name, self.source.name):
                    self._carry(each, name, value)
            elif means_the_same(name, self.source.name, self.target.name) and self.has(name):
                self._put(name, value, name, same=True)
            elif transformer := further.of_the_transformer(self._names, self.launch.entries[name].name, self.has):
                self._put(transformer, value, name)
            elif self._is_appended_alike(written := self.launch.entries[name].name):
                self._put(written, value, name, same=True)
            else:
                self._drop(name, value, self._why_dropped(name))

    def _is_appended_alike(self, written: str) -> bool:
        """Whether another release of the same framework takes what a command appends."""
        is_appended = self.source is self.target and written.startswith("+")
        return is_appended and bool(self.target.catalogue.known(written, self._groups) >> self._index & 1)

    def _why_dropped(self, name: str) -> Message:
        """Why a name has no counterpart in the other framework."""
        if name.startswith("sglang_"):
            return Message("it is read by SGLang")
        if self._fields_before[name] is None:
            if fate(name, self.value_set(name), ()) == IMPLIED:
                return NOTHING
            return Message("{source} has no such setting either", self._titles)
        row = row_of(name, self.source.name)
        told = (
            LACKS.get((self.target.name, name))
            or (LACKS.get((self.target.name, row.title)) if row else None)
            or self.target.reader.renames.remarks.get(name, "")
        )
        return Message(told) if told else NOTHING

    def _is_written_anew(self, name: str) -> bool:
        """Whether it says the layers of a stage, where the model is spread anew."""
        return bool(self.spread) and name in parallel_names.NAMES_OF_ENDS

    def _note_spread(self, name: str, value: object) -> None:
        """Report that a way to spread the model over processes was not converted."""
        why = NOTHING if self.source is self.target else parallel_names.why_lost(name, value, self.spread)
        if why:
            self._drop(name, value, why)

    def _carry(self, row: "Row", name: str, value: object) -> None:
        try:
            there, made = self._counterpart(row, name, value)
        except CannotSay as why:
            self._drop(name, value, told_by(why))
            return
        self._put(there, made, name, same=made is UNKNOWN or (made == value and type(made) is type(value)))
        if made is UNKNOWN:
            return
        self._remark_on(row, there)
        if row.kind == "data" and "#" in str(value) and not self.pair.takes_rows_by_name:
            shown = value[0] if type(value) is list and len(value) == 1 else value
            self._look_at(
                there,
                Message(
                    "{value} took so many rows; {title} takes all of them", {"value": shown, "title": self.target.title}
                ),
            )

    def _counterpart(self, row: "Row", name: str, value: object) -> "tuple[str, object]":
        """A setting of a row in the other framework: (name, value). Raises CannotSay."""
        if value is UNKNOWN and row.kind != "same":
            raise CannotSay(Message("its value is not known here"))
        there = self.name_of(row)
        if there is None:
            raise CannotSay(self._why_dropped(name))
        if row.kind in ("lora", "modules") and self._trains_lora is False:
            raise CannotSay(Message("no LoRA is trained"))
        if value is UNKNOWN:
            return there, value
        if value is None and not self._type(there).endswith("?"):
            raise CannotSay(Message("it is not set"))
        if row.kind == "warmup" and whole_number(value) and self.pair.replaces_steps_of_warmup(self.key):
            raise CannotSay(
                Message(
                    "with transformers 5.0 - 5.14 {title} {version} takes warmup_ratio in its place, also 0: set that to a share of the run",
                    {"title": self.target.title, "version": self.version},
                )
            )
        return there, self.pair.value(row.kind, value, self._type(there))

    # --- what would be otherwise by default -------------------------------------------------------------------------

    def _write_out_what_differs(self) -> None:
        for name, value in ALWAYS[self.target.name].items():
            self._put(name, value, name if name in self.launch.entries else "", same=True)
        self._replace_by_switches()
        if self._trains_lora and self.name_of(row_named(ADAPTER_RANK)) is None:
            self._look_at("LoRA", Message("{source} trains an adapter, and {target} trains all weights", self._titles))
        written = {line.name for line in self.lines}
        for row in ROWS:
            if row.decides and self.launch.entries.keys().isdisjoint(row.names[self.source.name]):
                self._write_default(row)
        settings = {line.name: line.value for line in self.lines}
        for name, value, why in companions_of(self.source.name, self.target.name, settings):
            if (
                self.has(name)
                and name not in written
                and name not in self._spreading
                and not self._is_the_mode_by_default(name, value)
            ):
                self._put(name, value, why=why)
        self._free_the_engine()
        self._note_shards()
        self._leave_to_a_person()
        self._tell_other_defaults()

    def _is_the_mode_by_default(self, name: str, value: object) -> bool:
        row = row_of(name, self.target.name)
        return row is not None and row.kind == "mode" and self._default_there(row, name) == value

    def _replace_by_switches(self) -> None:
        """Convert what one framework states by a switch and the other by a number."""
        switches = switches_of(
            self.source.name, self.target.name, self.launch.algorithm, self.before.value, self.name_of
        )
        for name, value, why, look_at in switches:
            if not self.has(name):
                raise CannotConvert(
                    Message(
                        "{title} {version} has no {name}: {value}",
                        {"title": self.target.title, "version": self.version, "name": name, "value": value},
                    )
                )
            self.lines = [line for line in self.lines if line.name != name]
            self._put(name, value, why=why)
            if look_at:
                self._look_at(name, look_at)

    def _write_default(self, row: "Row") -> None:
        """Write out the default of a row where the other framework takes another value."""
        name = self.name_of(row)
        if (row.kind in ("lora", "modules") and not self._trains_lora) or not self._has_effect(row):
            return
        if name is None:
            self._tell_what_is_fixed(row)
            return
        ours = self._trains_lora if row.kind == "tuner" else self._default_of(row)
        theirs = self._default_there(row, name)
        if ours is None:
            if theirs is not None and row.names[self.source.name] and not self.launch.incomplete:
                self._look_at(
                    name,
                    Message(
                        "it is not written, and {source} chooses it; {target} takes {theirs}",
                        {**self._titles, "theirs": theirs},
                    ),
                )
            return
        try:
            made = self._default_as_there(row, name, ours, theirs)
        except CannotSay as why:
            values = {**self._titles, "ours": ours, "why": told_by(why)}
            self._look_at(name, Message("{source} takes {ours} by default: {why}", values))
            return
        if not _are_alike(made, theirs):
            self._put(name, made, why=self._how_they_differ(row, made, ours, theirs))
            self._remark_on(row, name)

    def _how_they_differ(self, row: "Row", made: object, ours: object, theirs: object) -> Message:
        is_one_of_a_list = row.kind in ("first", "second") and type(ours) is not list
        told: object = ("lora" if ours else "full") if row.kind == "tuner" else made if is_one_of_a_list else ours
        sides = {**self._titles, "theirs": theirs, "ours": told}
        if theirs is None:
            return Message("{target} chooses it by default, {source} {ours}", sides)
        return Message("{target} takes {theirs} by default, {source} {ours}", sides)

    def _leave_to_a_person(self) -> None:
        """What the other framework refuses as it stands, and what no setting of the run says."""
        if self.source is self.target:
            return
        for name, needs, told in further.UNFOUNDED.get(self.target.name, ()):
            self._drop_what_is_unfounded(name, needs, Message(told))
        for name, told in further.LEFT.get(self.target.name, ()):
            self._look_at(name, Message(told))
        if not any(map(is_of_rewards, (*(line.name for line in self.lines), *(each.name for each in self.dropped)))):
            self._look_at(
                REWARDS,
                Message(
                    "no setting of the run says what rewards a completion: its data or its program does, and the result needs it as well"
                ),
            )

    def _drop_what_is_unfounded(self, name: str, needs: "tuple[str, ...]", why: Message) -> None:
        """Take away a setting that the other framework refuses without one of these."""
        line = next((line for line in self.lines if line.name == name), None)
        if line is not None and all(self.written(each) is None for each in needs):
            self.lines.remove(line)
            self._drop(line.source or name, line.value, why)

    def _tell_what_is_fixed(self, row: "Row") -> None:
        """Tell where the other framework has no setting for something, and does it otherwise."""
        fixed, ours = CHOSEN.get((self.target.name, row.title)), self._default_of(row)
        if fixed is None or ours is None or row.kind not in _TOLD_WHERE_FIXED:
            return
        try:
            made = Pair(self.source.name, FRAMEWORKS[0], 1).value(row.kind, ours, "")
        except CannotSay:
            made = ours
        if made != fixed:
            values = {**self._titles, "ours": ours, "theirs": fixed}
            self._look_at(row.title, Message("{source} takes {ours}, and {target} always {theirs}", values))

    def _default_as_there(self, row: "Row", name: str, ours: object, theirs: object) -> object:
        """A default as the other framework writes it. A setting that our release lacks, and the switch of LoRA, is treated as in TRL.
        Raises CannotSay."""
        if row.kind == "dtype" and theirs is None:  # beside it, others say what is computed with
            raise CannotSay(Message("that of the model is taken where nothing is said"))
        names = row.names[self.source.name]
        is_there = row.kind != "tuner" and any(self._fields_before[each] is not None for each in names)
        is_there = is_there or row.kind == "lowest"  # a share or a rate by its framework, not by TRL's
        pair = self.pair if is_there else Pair(FRAMEWORKS[0], self.target.name, self.pair.updates, self._now)
        return pair.value(row.kind, ours, self._type(name))

    def _has_effect(self, row: "Row") -> bool:
        """Whether a setting of a row has an effect in the run, as far as the engine is concerned."""
        value = self.before.value
        if row.kind == "mode":
            return bool(value(USES_ENGINE))
        if row.kind == "lowest":  # of a schedule that falls, and elsewhere ends at 0
            return has_a_lowest(self.target.name, self._now, self._default_of(row))
        if row.kind == "tokens":
            return self.counts_tokens
        if row.kind == "estimate":
            return self._has_kl_term
        if row.title == ENGINE_MEMORY:
            is_shared = value("engines_share_gpus")
            is_used = self.target.reader.configs.nested or self._makes_rollouts_by_vllm
            return is_used and bool(is_shared or (is_shared is None and self.source.reader.configs.nested))
        if row.title == SERVER_HOST:
            address = self.launch.entries.keys() & SERVER_ADDRESSES
            return bool(value(USES_ENGINE)) and value(ENGINE_MODE) == "server" and not address
        return True

    def _free_the_engine(self) -> None:
        """Let the engine sleep where it shares the GPUs and sleeps in the other framework without being told to."""
        sleep, mode = row_named(ENGINE_SLEEPS), row_named(ENGINE_MODE)
        name = self.name_of(sleep)
        if not name or not self.name_of(mode) or self._default_of(sleep) not in (True, 1, 2):
            return
        if not self._makes_rollouts_by_vllm or self._value_there(mode) != "colocate":
            return
        if not self._default_there(sleep, name):
            why = Message(
                "{source} frees the engine's memory while it trains, {target} only when asked to", self._titles
            )
            self._put(name, self.pair.value(sleep.kind, True, self._type(name)), why=why)

    @property
    def _makes_rollouts_by_vllm(self) -> bool:
        return self._value_there(row_named(USES_ENGINE)) is True

    @property
    def counts_tokens(self) -> bool:
        """Whether micro batches are counted in tokens, in the run and in the result."""
        row = row_named(further.COUNTS_TOKENS)
        name = self.name_of(row)
        return name is not None and self._value_there(row) is True and self._default_of(row) is True

    @property
    def sequences_of_a_pass(self) -> int:
        """What is written for a micro batch that is counted in tokens."""
        tokens = self._default_of(row_named(further.TOKENS))
        return further.sequences_of_a_pass(self.target.name, tokens, self.written)

    @property
    def _has_kl_term(self) -> bool:
        """Whether the loss of the result has a KL term, as far as its weight says so."""
        row = row_named(KL_WEIGHT)
        return self.name_of(row) is not None and bool(self._value_there(row))

    @property
    def _trains_lora(self) -> "bool | None":
        has = self._fields_before
        return trains_lora(self.source.name, self.before.value, lambda name: has[name] is not None)

    def _note_shards(self) -> None:
        """Say of a model that was spread over the processes that it is not, where nothing tells the other framework to."""
        found = unsharded(self.source.name, self.target.name, self.before.value)
        is_spread = any(size > 1 for kind, size in self.spread.items() if kind != "context")
        if found is None or is_spread or self.before.value("world_size") == 1:
            return
        name, by, how = found
        if all(line.name not in ("deepspeed", "fsdp") for line in self.lines):
            self._look_at(
                name,
                Message(
                    "{source} spreads the model by {by}, and here each process holds all of it: {how}",
                    {"source": self.source.title, "by": by, "how": how},
                ),
            )

    def _tell_other_defaults(self) -> None:
        """Tell of the defaults that differ and are not written out."""
        differing = defaults_that_differ(self.pair, self._fields_before, self._fields, self.launch.entries.keys())
        defaults = ", ".join(f"{name} ({source} -> {target})" for name, source, target in differing)
        if defaults:
            self._look_at(
                "defaults", Message("not written out, though they differ: {defaults}", {"defaults": defaults})
            )

    def _value_there(self, row: "Row") -> object:
        """The value of a row in the result: as it is written, or by default."""
        name = self.name_of(row)
        written = next((line.value for line in self.lines if line.name == name), None)
        return self._default_there(row, name) if written is None and name else written

    def _default_there(self, row: "Row", name: str) -> object:
        """The value that the other framework uses where a setting is not written."""
        field: Field = self._fields[name]  # type: ignore[assignment]  # it has it
        value = CHOSEN.get((self.target.name, name), field.default)
        leader = row.follows()
        value = self._value_there(leader) if value is None and leader else value
        return [value, value] if field.type.startswith("pair") and type(value) is float else value

    def _default_of(self, row: "Row") -> object:
        """The value of a setting that is not written; None where it is unknown."""
        source = self.source.name
        of_other, value_of = further.is_of_the_other_engine, self.before.value
        names = [name for name in row.names[source] if not of_other(source, name, value_of)]
        name = next((name for name in names if self._fields_before[name] is not None), None)
        if name is None and row.kind == "tokens":
            return further.tokens_of_a_pass(source, value_of)
        if name is None:
            before = BEFORE_THE_SETTING.get(row.title) if self.launch.algorithm == "grpo" else None
            return CHOSEN.get((source, row.title), before)
        value, leader = self.before.value(name), row.follows()
        if value is None:
            value = CHOSEN.get((source, name))
        if value is None and leader:  # it takes that of another one
            return next((self.before.value(each) for each in leader.names[source]), None)
        return value


def _are_alike(one: object, other: object) -> bool:
    """Whether two values are the same, of which one may be a list of the other alone."""
    return one == other or [one] == other or one == [other]
