"""The parts of a framework: a catalogue of fields by release, regimes (spans of versions with the same arithmetic), and
a table of what each release enforces."""

from bisect import bisect_right

from ..message import Message
from ..plan.common import COMMON
from ..plan.formula import Formula, formulas
from ..source.entry import Flag
from ..unknown import LARGEST_NUMBER, UNKNOWN
from .commands import BY_FLAG, CONFIG_FORM
from .sections import by_path
from .versions import bits_of, version_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from typing import Protocol, TypeAlias, TypeVar

    from ..plan.formula import Formulas
    from ..plan.shape import Shape
    from ..rules.base import Severity, Stage
    from ..source.yaml.reader import Entry
    from .catalogue import Catalogue, CompanionFields, Field, Fields, Groups
    from .commands import EntryPoint
    from .shared.json_files import JsonFile

    Key: TypeAlias = tuple[int, ...]  # a release as numbers
    Reader: TypeAlias = Callable[[str], object]  # reads a key of the file
    Table: TypeAlias = Mapping[str, str | tuple[str, ...]]  # {quantity: its formulas, tried in order}
    Changes: TypeAlias = Mapping[str, Mapping[str, str | tuple[str, ...] | None]]  # {version: changes of a Table}
    Idle: TypeAlias = Mapping[str, tuple[str, tuple[str, ...]]]  # {reason: (condition, settings)}
    Told = TypeVar("Told")

    class Release(Protocol):
        """A candidate of a launch."""

        @property
        def key(self) -> Key: ...
        @property
        def index(self) -> int: ...
        @property
        def text(self) -> str: ...
        @property
        def regime(self) -> "Regime": ...

    class Run(Protocol):
        """The parts of a launch that frameworks use."""

        @property
        def framework(self) -> "Framework": ...
        @property
        def loader(self) -> str: ...
        @property
        def groups(self) -> tuple[str, ...]: ...
        @property
        def incomplete(self) -> bool: ...
        @property
        def candidates(self) -> Sequence[Release]: ...
        @property
        def entries(self) -> Mapping[str, Entry]: ...
        @property
        def facts(self) -> Mapping[str, object]: ...
        @property
        def stated(self) -> Mapping[str, str]: ...
        @property
        def reading(self) -> "Reading | None": ...
        @property
        def program_is_partial(self) -> bool: ...
        @property
        def is_read_by(self) -> str: ...
        @property
        def is_read_by_the_framework(self) -> bool: ...
        def setting(self, name: str) -> "Valued | None": ...
        def overridden(self, name: str) -> "Sequence[Valued]": ...

    class Reading(Protocol):
        """What the training script does with settings that nothing declares."""

        @property
        def keys(self) -> str | None: ...
        @property
        def flags(self) -> str | None: ...
        @property
        def is_closed(self) -> bool: ...

    class Valued(Protocol):
        """A setting of a launch."""

        @property
        def value(self) -> object: ...

    class NamedFile(Protocol):
        """A file that a config names."""

        @property
        def path(self) -> str: ...
        @property
        def text(self) -> str: ...

    class NamedFiles(Protocol):
        """Finds the files that a config names."""

        def find(self, name: str) -> NamedFile | None: ...


class Regime:
    """The versions with the same arithmetic: from `since` on, until the next regime of the framework begins.

    `formulas`: how quantities follow from settings. `idle`: {reason: (condition, settings)}, settings that have no
    effect where the condition holds. `quantities`: the names of the plan that are shown. `options`: further formulas,
    which only rules and other formulas read.
    """

    __slots__ = ("since", "formulas", "quantities", "idle")
    since: "Key"
    formulas: "Formulas"
    quantities: "tuple[str, ...]"
    idle: "dict[str, tuple[Formula, tuple[str, ...]]]"

    def __init__(self, since: str, table: "Table", idle: "Idle | None" = None, options: "Table | None" = None) -> None:
        self.since = _numbers(since)
        self.formulas = formulas({**(options or {}), **COMMON, **table})
        self.quantities = tuple({**COMMON, **table})
        self.idle = {reason: (Formula(condition), names) for reason, (condition, names) in (idle or {}).items()}


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
    rule: str
    since: str
    until: "str | None"
    stage: "Stage"
    wording: str
    moment: str
    severity: "Severity"

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
        self.severity = severity or ("warning" if stage == "never" else "error")

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
    refuses: "frozenset[str]"

    def __init__(self, rows: "Sequence[Enforcement]") -> None:
        super().__init__((row.rule, row) for row in rows)
        self.refuses = frozenset(row.rule for row in rows if row.stage != "never")


class Enforcements:
    """All rows of a framework. The borders of the rows divide the versions once; a version then finds its rows between
    two borders, as a number with a bit for each row."""

    __slots__ = ("rows", "_of_rules", "_borders", "_between", "_enforced", "refusing")
    rows: "tuple[Enforcement, ...]"
    _of_rules: "dict[str, int]"
    _borders: "list[Key]"
    _between: "list[int]"
    _enforced: "dict[int, Enforced]"
    refusing: int

    def __init__(self, rows: "Iterable[Enforcement]") -> None:
        self.rows = tuple(rows)
        self._of_rules = {}
        self.refusing = 0  # the rows that refuse, not only harm
        changes: dict[Key, int] = {}
        for place, row in enumerate(self.rows):
            bit = 1 << place
            self._of_rules[row.rule] = self._of_rules.get(row.rule, 0) | bit
            self.refusing |= bit if row.stage != "never" else 0
            for border in borders_of(row):
                changes[border] = changes.get(border, 0) ^ bit
        self._borders = sorted(changes)
        self._between = [0]
        for border in self._borders:
            self._between.append(self._between[-1] ^ changes[border])
        self._enforced = {}

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
        "when the last processes take their devices",
    )


def in_force(changes: "Mapping[str, Mapping[str, Told | None]]", version: str) -> "dict[str, Told]":
    """A table at a version, put together from {version: what changed then}; None takes an entry out."""
    table: dict[str, Told | None] = {}
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


class Framework:
    """A framework: its fields, how it reads a value, and its arithmetic. Its folder derives from this class and
    overrides what differs; `registry` holds the names of all.

    `key`: a release as a tuple of numbers, (1, 16, 0). `loader`: what reads the file: "script", "cli" or "kwargs".
    `value(name)`: the value of a key of the file, None where it is absent.
    """

    name = ""  # its value of the fact `dialect`
    title = ""  # as in its own documentation
    package = ""  # the package that is installed and pinned
    catalogue: "Catalogue" = None  # type: ignore[assignment]  # its fields by release, of a folder
    regimes: "tuple[Regime, ...]" = ()  # spans of releases with the same arithmetic, the oldest first
    enforcement = Enforcements(())  # the rows of what its releases refuse or are harmed by
    # {rule about keys and files: what refuses it and when, or that nothing does}
    parser_says: "dict[str, str]" = {}

    # {key that names a file: reader of the value and the files, giving {operand: Attached}}
    attachments: "dict[str, Callable[[object, NamedFiles | None], dict[str, Attached]]]" = {}
    # of the settings of a file for accelerate that starts the run, that file, and what finds further files: {operand: Attached}
    launcher_attachment: "Callable[[Mapping[str, object], NamedFile, NamedFiles | None], dict[str, Attached]] | None" = None
    json_files: "dict[str, JsonFile]" = {}  # {key that names a file of JSON, which the run opens: what is known of it}
    reads_yaml_since: "Key | None" = None  # the first release that reads YAML files; None: every one does
    # {whether its own command is given the config by --config: the first and the last minor that read it so, None: the
    # newest}; nothing where every release takes it either way
    config_forms: "dict[bool, tuple[Key, Key | None]]" = {}
    config_read_with = ""  # the flag with which another program reads the config, in its own way
    # the first and the last minor whose YAML loader refuses a duplicate key; None: none does
    unique_keys: "tuple[Key, Key] | None" = None
    # settings that decide whether other settings may be null or of a wrong type
    read_together: "frozenset[str]" = frozenset()
    abbreviates = False  # whether keys may be abbreviated, as flags of argparse may be
    read_by_scripts = False  # whether users' training scripts read its files, with arguments of their own

    schema_kind = "keywords"  # how `schema` describes values: "keywords" of a class, or texts of "flags"

    # the key that chooses the trainer; where the file lacks it, a trainer of GRPO is assumed. None: the script chooses
    trainer_key: "str | None" = None
    trainer_name = "grpo"  # the value of that key for GRPO
    other_trainers: "frozenset[str]" = frozenset()  # its values for trainers that are none of groups
    groups_since: "dict[str, Key]" = {}  # {algorithm: the release in which it became a trainer of groups}
    for_any_trainer: "frozenset[str]" = frozenset()  # rules that refuse the run with every value of that key
    # {rule about the framework's own training script: whether it is reported, as a warning, where the script is
    # unknown}
    script_rules: "dict[str, bool]" = {}
    script_settings: "frozenset[str]" = frozenset()  # settings that only that script reads, in its own way
    trainer_by_algorithm = False  # whether each algorithm has its own trainer, and so its own fields
    model_key = "model"  # the setting that names the model to train
    trainer_field = "num_generations"  # a setting that every release with the trainer has
    keeps_groups = False  # whether a fix changes the group size only for rules about the group size
    nested = False  # whether settings are in sections and named by their paths
    composed = (
        False  # whether a file holds a few settings of many, and other files and the command of the run the others
    )
    knows_batches = True  # whether the arithmetic of its batches is known; of a program that is not known, it is not
    # the keys behind which an editor shows an update and a rollout, the first that is written; empty: those of TRL
    batch_keys: "tuple[tuple[str, ...], ...]" = ()
    takes_own_keys = True  # whether such sections may hold a user's own keys

    successors: "dict[str, str]" = {}  # {old name: its successor}
    # {setting: (the setting that replaces it since a release, the formula of its value before, that release)}
    converted: "dict[str, tuple[str, str, str]]" = {}
    remarks: "dict[str, str]" = {}  # {name: what to do instead}, for names without a successor
    # {old name: name}, where a release that still knows the old one lets it override the other
    old_names: "dict[str, str]" = {}
    families: "tuple[tuple[str, ...], ...]" = ()  # settings that are removed together
    # {removed name: another key that can take over some of its values}, so that its value is not lost
    heirs: "dict[str, str]" = {}
    # whether one of several processes on a node takes more than one device where there are more devices than processes
    spreads_over_devices = False
    companion_fields: "CompanionFields" = {}  # fields that transformers declares, by its release
    unset_means: "dict[str, object]" = {}  # {setting: the value that its trainers use where it is null}
    # {setting: sets of equivalent values, also of different releases}
    alike: "dict[str, tuple[tuple[object, ...], ...]]" = {}
    ending_defaults: "frozenset[str]" = (
        frozenset()
    )  # settings with an effect by default, which ends with the release that drops them
    costly_keys: "dict[str, str]" = {}  # {name: the rule that reports it when a release has dropped it}
    knobs: "tuple[str, ...]" = ()  # settings that a fix may change, in order of preference
    likened_sizes: "dict[str, str]" = {}  # {knob: the setting whose size it usually has, for a fix where it is not set}
    outdated_knobs: "frozenset[str]" = frozenset()  # those of them that a fix may only remove
    token_knobs: "frozenset[str]" = frozenset()  # those of them that count tokens, and hold what they are compared with
    parallel_knobs: "frozenset[str]" = frozenset()  # settings that spread a model over processes
    # settings that have to divide something of the model, its heads, layers, experts or sequences, of which no file of ours
    # tells how many there are
    model_knobs: "frozenset[str]" = frozenset()
    # the settings behind which a number of processes that works is reported: the first that the file holds
    telling_keys: "tuple[str, ...]" = ("per_device_train_batch_size", "num_generations")
    server: "Server | None" = None  # how a trainer connects to an engine that was started separately
    memory_knob = "per_device_train_batch_size"  # the setting on which the memory of training depends
    primaries: "tuple[str, ...]" = ()  # Hydra's primary configs of the framework, the usual one first
    tree_folder = ""  # the end of the path of the folder that holds them
    choices: "dict[str, str]" = {}  # {setting: quantity whose formulas list its values}, where the catalogue has none
    # {rule about a name that is looked up: the setting that holds it, and the words with which code registers further ones}
    registrations: "dict[str, tuple[str, tuple[str, ...]]]" = {}
    # {rule about a name that the code of the framework looks up: the setting that holds it}; a changed copy may know others
    looked_up: "dict[str, str]" = {}
    own_names: "dict[str, str]" = {}  # {quantity of the plan: what the framework or its documents call it, several with commas}

    def algorithm(self, names: "AbstractSet[str]") -> str:
        """The algorithm, "grpo" or "rloo", as far as the keys of a file decide it; by default "grpo"."""
        return "grpo"

    def is_no_trainer(self, kind: object) -> bool:
        """Whether a value of the key that chooses the trainer is none of any release, such as gspo, so that GRPO may be meant."""
        return kind is None or (type(kind) is str and kind not in self.other_trainers and kind != self.trainer_name)

    def groups(self, algorithm: str, loader: str, value: "Reader" = lambda name: None) -> "tuple[str, ...]":
        """The groups of the catalogue whose fields the file may hold, the trainer's first; by default the algorithm
        itself."""
        return (self.name,)

    def groups_told_by(self, names: "AbstractSet[str]") -> "tuple[str, ...] | None":
        """The groups that the settings decide, for a command with some unknown arguments; None where they decide
        nothing, as by default."""
        return None

    def layers_in(self, entries: "dict[str, Entry]") -> "list[dict[str, Entry]]":
        """{name of a setting: entry} of the top-level entries of a file, once for each layer, later ones overriding
        earlier ones. By default there is one layer: the entries or, where settings are in sections, the settings in
        them."""
        return [by_path(entries) if self.nested else entries]

    def is_whole(self, is_based: bool, is_started: bool, value: "Reader") -> bool:
        """Whether a file, with its command, holds all settings that differ from their defaults; by default it does.
        `is_based`: there is no file, or it certainly overrides all defaults; `is_started`: the command is known, or the
        user states that it is."""
        return True

    def may_be_whole(self, value: "Reader") -> bool:
        """Whether a file of which no command is known says so much that the defaults are taken to hold for the rest; what is refused
        is then a warning that says so. By default, none does."""
        return False

    def is_a_fork(self, names: "AbstractSet[str]", groups: "tuple[str, ...]", has_copy: bool) -> bool:
        """Whether settings show that a modified copy of the framework reads them; by default they do not. `has_copy`:
        the repository holds a copy of it."""
        return False

    def takes(self, name: str, entry: "Entry", launch: "Run", index: int) -> bool:
        """Whether a release, by its index in the catalogue, accepts a key as it is written."""
        return bool(self.catalogue.known(self.written(name, entry), launch.groups) >> index & 1)

    def misplaced(self, name: str, entry: "Entry", launch: "Run", candidate: "Release") -> "Fault | None":
        """The Fault of a release with how a key is written that it knows or could know; by default None."""
        return None

    def written(self, name: str, entry: "Entry") -> str:
        """A key in the form that tells releases apart; by default its name."""
        return name

    def companion_facts(self, versions: "Mapping[str, str]", key: "Key") -> dict[str, object]:
        """The facts that formulas and rules derive from {package: release} installed beside a release; none by
        default."""
        return {}

    def read(
        self, name: str, value: object, field: "Field", launch: "Run", key: "Key"
    ) -> "tuple[object, Fault | None]":
        """(value, None) as the parser converts a YAML value, or (UNKNOWN, Fault) where it or its first use refuses it.

        `field`: its type, default and choices in this release. By default, a text for a number or a truth value is
        converted, as all values of a command are, and any other value is kept.
        """
        kind = field.type.rstrip("?")
        if type(value) is not str or kind not in ("int", "float", "bool"):
            return value, None
        from .shared.values import from_text

        meant = from_text(value, kind)
        return UNKNOWN if meant is None else meant, None

    def null_is_text(self, field: "Field") -> bool:
        """Whether a null becomes the text None for a field; by default it does not."""
        return False

    def takes_anything(self, name: str, field: "Field") -> bool:
        """Whether a field accepts every text, so that it need not be read; by default it does not."""
        return False

    def launch_key(self, name: str, key: "Key", loader: str) -> bool:
        """Whether the launcher or the usual scripts read a key that is no field; by default none does."""
        return False

    def unknown_key(self, key: "Key", launch: "Run") -> "Fate":
        """The Fate of unknown keys of a file in a release; by default they are dropped."""
        return Fate(
            "warning",
            "never",
            Message("it is dropped without a word", plural="they are dropped without a word", count=1),
        )

    def unknown_flag(self, key: "Key", launch: "Run") -> "Fate":
        """The Fate of unknown flags in a release; by default that of keys."""
        return self.unknown_key(key, launch)

    def fate_of(self, entry: "Entry", key: "Key", launch: "Run") -> "Fate":
        """The Fate of an unknown entry in a release, by how it is written."""
        return (self.unknown_flag if isinstance(entry, Flag) else self.unknown_key)(key, launch)

    def launcher_checks(self, key: "Key", loader: str) -> bool:
        """Whether the launcher also checks the config, in one process; by default only the workers do."""
        return False

    def facts_in_file(self, value: "Reader") -> "dict[str, tuple[int, str]]":
        """{fact: (value, key)} that keys of the file state about the run, in the fact's unit; none by default."""
        return {}

    def implied(self, value: "Reader", is_whole: bool) -> "dict[str, Attached]":
        """{operand: Attached}: settings that other keys of the file imply; none by default. `is_whole`: a
        command starts it, and settings that are not written have their defaults."""
        return {}

    def file_wins(self, key: "Key") -> bool:
        """Whether a config file overrides the command line that names it; by default it does not."""
        return False

    def has(self, name: str, key: "Key") -> bool:
        """Whether a release has a setting, as the framework's own training script reads a GRPO file."""
        index = self.catalogue.release_index(key)
        return index >= 0 and bool(self.catalogue.known(name, self.groups("grpo", "script")) >> index & 1)

    def settings_of(self, shape: "Shape", key: "Key") -> "dict[str, object] | None":
        """{setting: value} for batches of a shape, the inverse of the formulas; None where a release cannot have them.
        By default unknown."""
        return None

    def entered_by(self, entry: "EntryPoint | None") -> "Framework":
        """The framework as another of its programs has it; itself for the usual one."""
        return self

    def regime(self, key: "Key") -> "Regime | None":
        """The regime of a version; None when the framework had no such trainer yet."""
        return next((regime for regime in reversed(self.regimes) if regime.since <= key), None)

    def fields(self, groups: "tuple[str, ...]", index: int, stated: "Mapping[str, str]") -> "Fields":
        """The fields of a release, with the stated companions {package: version}."""
        if "transformers" in stated and self.companion_fields:
            return self.catalogue.fields_beside(
                groups, index, "transformers", stated["transformers"], self.companion_fields
            )
        return self.catalogue.fields(groups, index)

    def successor(self, name: str, fields: "Fields") -> "tuple[str | None, str]":
        """(the known field that replaces a name or None, what else to do or "")."""
        new = self.successors.get(name) or next((old for old, new in self.successors.items() if new == name), None)
        return (new if new and fields[new] else None), self.remarks.get(name, "")

    def is_moved(self, name: str, other: str) -> bool:
        """Whether two settings, of which one is the successor of the other, are known to be one; they may only be alike."""
        return True

    def remark(self, name: str, run: "Run") -> str:
        """What to do instead of a key that no release has; empty where unknown. By default from `remarks`."""
        return self.remarks.get(name, "")

    def heir(self, name: str, value: object, run: "Run", companions: "Mapping[str, str]") -> str | None:
        """The key of `heirs` that accepts this value of another one unchanged, with `companions` {package: version}; by
        default none."""
        return None

    def oldest_companion(self, package: str, key: "Key") -> "Key":
        """The oldest version of a package that a release can be installed with; empty where unknown."""
        return ()

    def reads_somewhere(self, name: str) -> bool:
        """Whether some loader of the framework reads a key that is no field."""
        newest = version_key(self.catalogue.releases[-1])
        return any(self.launch_key(name, newest, loader) for loader in ("script", "cli", "kwargs"))

    def fitting(self, name: str, value: str, groups: "Groups", releases: "Iterable[Release]") -> int:
        """The releases among some that have a value among the choices of a setting, as bits; 0 where its choices do not
        differ, or no release has the value."""
        quantity = self.choices.get(name)
        if name == CONFIG_FORM:
            return bits_of(release.index for release in releases if self.reads_config(value == BY_FLAG, release.key))
        if quantity is None:
            bits = self.catalogue.fitting(name, value, groups)
        else:
            listed = f"'{value}'"
            bits = bits_of(
                release.index
                for release in releases
                if any(listed in formula.source for formula in release.regime.formulas.get(quantity, ()))
            )
        return 0 if bits == self.catalogue.known(name, groups) else bits

    def beginnings(self, name: str, fields: "Fields") -> list[str]:
        """The known keys that begin with a name, where keys may be abbreviated; argparse accepts each in two
        spellings."""
        if not self.abbreviates:
            return []
        name = name.replace("-", "_")
        found = fields.beginning_with(name)
        return found * 2 if len(found) == 1 and "_" not in name and "_" in found[0] else found

    def reads_config(self, by_flag: bool, key: "Key") -> bool:
        """Whether a release's own command takes its config file as `--config`, or as the first argument."""
        if not self.config_forms:
            return True
        first, last = self.config_forms[by_flag]
        return first <= key[:2] and (last is None or key[:2] <= last)

    def refuses_duplicates(self, candidates: "Iterable[Release]") -> bool:
        """Whether the YAML loader of every candidate refuses a duplicate key."""
        if self.unique_keys is None:
            return False
        first, last = self.unique_keys
        return all(first <= candidate.key[:2] <= last for candidate in candidates)

    def first_release(self, groups: "tuple[str, ...]") -> str:
        """The first release with the trainer of these groups."""
        known = self.catalogue.known(self.trainer_field, groups[:1])
        releases = self.catalogue.releases
        first = next((release for index, release in enumerate(releases) if known >> index & 1), None)
        return ".".join(first.split(".")[:2]) if first else "a later release"


class Server:
    """The settings of a trainer that requests completions from a server. `is_asked`: a condition that holds where it
    does; `host`, `port`: of the server; `address`: replaces both."""

    __slots__ = ("is_asked", "host", "port", "address")
    is_asked: Formula
    host: str
    port: str
    address: str

    def __init__(self, is_asked: str, host: str, port: str, address: str) -> None:
        self.is_asked = Formula(is_asked)
        self.host = host
        self.port = port
        self.address = address


class Fault:
    """A value that the framework's parser or its first use refuses: when, under which rule, with which values for its
    message. `more` computes values that are slow to find, since many faults are never reported."""

    __slots__ = ("stage", "rule", "_values", "_more")
    stage: "Stage"
    rule: str
    _values: "dict[str, object]"
    _more: "Callable[[], dict[str, object]] | None"

    def __init__(
        self, stage: "Stage", rule: str, more: "Callable[[], dict[str, object]] | None" = None, /, **values: object
    ) -> None:
        self.stage = stage
        self.rule = rule
        self._values = values
        self._more = more

    @property
    def values(self) -> "dict[str, object]":
        if self._more is not None:
            self._values.update(self._more())
            self._more = None
        return self._values


class Fate:
    """What happens to a key that a release does not know, and the assumptions of that verdict. `consequence` has a plural, of
    several keys; so has `brief`, which says the same without its reasons."""

    __slots__ = ("severity", "stage", "consequence", "assumes", "brief")
    severity: "Severity"
    stage: "Stage"
    consequence: Message
    assumes: "tuple[str, ...]"
    brief: Message

    def __init__(
        self,
        severity: "Severity",
        stage: "Stage",
        consequence: Message,
        assumes: "tuple[str, ...]" = (),
        brief: "Message | None" = None,
    ) -> None:
        self.severity = severity
        self.stage = stage
        self.consequence = consequence
        self.assumes = assumes
        self.brief = brief or consequence


def whole_number(value: object) -> "int | None":
    """A positive whole number, also when it is written as a text; None for anything else."""
    if type(value) is str and value.isascii() and value.isdigit() and len(value) < 20:
        value = int(value)
    return value if type(value) is int and 0 < value <= LARGEST_NUMBER else None


class Attached:
    """A value that a named file sets: its key there, and its place ("ds_zero3.json, line 4"). `file`: None where the
    place is in the checked file or in none."""

    __slots__ = ("key", "value", "place", "file")
    key: str
    value: object
    place: str
    file: "NamedFile | None"

    def __init__(self, key: str, value: object, place: str, file: "NamedFile | None" = None) -> None:
        self.key = key
        self.value = value
        self.place = place
        self.file = file
