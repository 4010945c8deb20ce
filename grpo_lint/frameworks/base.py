"""A framework is a composition of parts, each an object with a protocol of its own: its class here documents it and has the
defaults, and a folder of a framework derives from it where something differs. `registry` holds the names of all."""

from ..message import NOTHING, Message
from ..plan.formula import Formula
from ..record import Record
from ..source.entry import Flag
from ..source.yaml.reader import Mapping as Section, target
from ..unknown import LARGEST_NUMBER, UNKNOWN
from .by_release import Enforcements
from .command_spec import BY_FLAG, CONFIG_FORM
from .versions import bits_of, version_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

    from typing_extensions import Self

    from ..shared_types import (
        AbstractSet,
        Callable,
        Catalogue,
        CompanionFields,
        Entry,
        Field,
        Fields,
        Groups,
        Iterable,
        JsonFile,
        Key,
        Mapping,
        Regime,
        Severity,
        Shape,
        Stage,
    )
    from .protocols import Copy, NamedFile, NamedFiles, Release, Run

    # a condition that holds where a run writes no checkpoint, its setting, and words: of a script that reads one, of a program that saves
    Saving = tuple[str, str, tuple[str, ...], tuple[str, ...]]
    Lookup = Callable[[str], object]  # gives the value of a key of the file

MOST_SETTINGS = 5000  # of one file
MOST_LEVELS = 20  # of sections


def by_path(
    entries: "dict[str, Entry]", whole: "AbstractSet[str]" = frozenset(), keeps_empty: bool = False
) -> "dict[str, Entry]":
    """{path: entry} of the settings in some entries, including those in sections as far as the limits allow. `whole`:
    paths of mappings that are one setting; `keeps_empty`: sections without settings are told, too."""
    found: dict[str, Entry] = {}
    pending = list(entries.items())
    for path, entry in pending:
        node = target(entry.value)
        is_deeper = path not in whole and len(pending) < MOST_SETTINGS and path.count(".") < MOST_LEVELS
        if type(node) is Section and is_deeper and not (keeps_empty and not node.items()):
            pending += [(f"{path}.{name}", inner) for name, inner in node.items()]
        else:
            found[path] = entry
    return found


class Server:
    """The settings of a trainer that requests completions from a server. `is_asked`: a condition that holds where it
    does; `host`, `port`: of the server; `address`: replaces both; `lengths`: flags of the server with the length that it holds."""

    def __init__(self, is_asked: str, host: str, port: str, address: str, lengths: "tuple[str, ...]" = ()) -> None:
        self.is_asked: Formula = Formula(is_asked)
        self.host = host
        self.port = port
        self.address = address
        self.lengths = lengths


class Fault:
    """A value that the framework's parser or its first use refuses: when, under which rule, with which values for its
    message. `more` computes values that are slow to find, since many faults are never reported."""

    def __init__(
        self, stage: "Stage", rule: str, more: "Callable[[], dict[str, object]] | None" = None, /, **values: object
    ) -> None:
        self.stage = stage
        self.rule = rule
        self._values: dict[str, object] = values
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
        self.brief: Message = brief or consequence


# of the parser of a command, for what it does not know
REFUSED = Fate("error", "read", Message("the parser refuses it", plural="the parser refuses them", count=1))


def whole_number(value: object) -> "int | None":
    """A positive whole number, also when it is written as a text; None for anything else."""
    if type(value) is str and value.isascii() and value.isdigit() and len(value) < 20:
        value = int(value)
    return value if type(value) is int and 0 < value <= LARGEST_NUMBER else None


def pool_of(value: "Lookup", gpus: "tuple[str, int]", nodes: "tuple[str, int]") -> "tuple[int | None, int | None]":
    """(GPUs of a node, nodes) of those that train, by (setting, what holds where it is not written); None for what is not known."""
    per_node, count = (usual if value(name) is None else whole_number(value(name)) for name, usual in (gpus, nodes))
    return per_node, count


_LONGER = "VLLM_ALLOW_LONG_MAX_MODEL_LEN"


class Attached:
    """A value that a named file sets: its key there, and its place ("ds_zero3.json, line 4"). `file`: None where the
    place is in the checked file or in none."""

    is_unusable = False  # whether it is what is wrong with the file

    def __init__(self, key: str, value: object, place: str, file: "NamedFile | None" = None) -> None:
        self.key = key
        self.value = value
        self.place = place
        self.file = file


class Part(Record):
    """A part of a framework. Each framework has a copy of its own, whose `framework` it is, since parts ask each other: what is
    replaced in one of them counts for all."""

    framework: "ClassVar[Framework]"

    def of(self, framework: "Framework") -> "Self":
        """The same part in a framework."""
        return self.but(framework=framework)


class Configs(Part):
    """How settings stand in a config and in the command that starts it. `value(name)`: the value of a key of the file, None where
    it is absent."""

    nested: bool = False  # whether settings are in sections and named by their paths
    # whether a file holds a few settings of many, and other files and the command of the run the others
    composed: bool = False
    roles: "Mapping[str, str]" = {}  # sections of a flat file, each with what the settings in it begin with; {} for none
    needed_in: str = ""  # the module with what each run of a release reads, where no parser says so

    def layers_in(self, entries: "dict[str, Entry]") -> "list[dict[str, Entry]]":
        """{name of a setting: entry} of the top-level entries of a file, once for each layer, later ones overriding
        earlier ones. By default there is one layer: the entries or, where settings are in sections, the settings in
        them."""
        return [by_path(entries) if self.nested else entries]

    def file_wins(self, key: "Key") -> bool:
        """Whether a config file overrides the command line that names it; by default it does not."""
        return False

    def is_complete(self, is_based: bool, is_started: bool, value: "Lookup") -> bool:
        """Whether a file, with its command, holds all settings that differ from their defaults; by default it does.
        `is_based`: there is no file, or it certainly overrides all defaults; `is_started`: the command is known, or the
        user states that it is."""
        return True

    def may_be_complete(self, value: "Lookup") -> bool:
        """Whether a file of which no command is known says so much that the defaults are taken to hold for the rest; what is refused
        is then a warning that says so. By default, none does."""
        return False

    def facts_in_file(self, value: "Lookup") -> "dict[str, tuple[int, str]]":
        """{fact: (value, key)} that keys of the file state about the run, in the fact's unit; none by default."""
        return {}

    def implied(self, value: "Lookup", is_whole: bool) -> "dict[str, Attached]":
        """{operand: Attached}: settings that other keys of the file imply; none by default. `is_whole`: a
        command starts it, and settings that are not written have their defaults."""
        return {}


class Primaries(Part):
    """The configs from which a run of Hydra starts, each with a tree of settings."""

    names: "tuple[str, ...]" = ()  # those of the framework, the usual one first
    # the end of the path of the folder that holds them; empty where a file builds on them by `defaults` that are paths
    folder: str = ""
    trees: "Mapping[str, str]" = {}  # {one from which a command may start: the group of the catalogue that is its tree}
    programs: "tuple[str, ...]" = ()  # the modules of another program than the usual one, beside which its configs lie

    def other_with(self, name: str, launch: "Run", index: int) -> "tuple[str, Message] | None":
        """(another one that has a setting of this name, what of the run is for it); None for none."""
        return None


class Trainer(Part):
    """Which trainer a launch asks for, and whose classes of arguments read its settings."""

    # the key that chooses the trainer; where the file lacks it, a trainer of GRPO is assumed. None: the script chooses
    key: "str | None" = None
    value: str = "grpo"  # the value of that key for GRPO
    others: "frozenset[str]" = frozenset()  # its values for trainers that are none of groups
    groups_since: "Mapping[str, Key]" = {}  # {algorithm: the release in which it became a trainer of groups}
    field: str = "num_generations"  # a setting that every release with the trainer has
    by_algorithm: bool = False  # whether each algorithm has its own trainer, and so its own fields

    def algorithm(self, names: "AbstractSet[str]") -> str:
        """The algorithm, "grpo" or "rloo", as far as the keys of a file decide it; by default "grpo"."""
        return "grpo"

    def is_no_trainer(self, kind: object) -> bool:
        """Whether a value of the key that chooses the trainer is none of any release, such as gspo, so that GRPO may be meant."""
        return kind is None or (type(kind) is str and kind not in self.others and kind != self.value)

    def groups(self, algorithm: str, loader: str, value: "Lookup" = lambda name: None) -> "tuple[str, ...]":
        """The groups of the catalogue whose fields the file may hold, the trainer's first; by default the framework
        itself. `loader`: what reads the file: "script", "cli" or "kwargs"."""
        return (self.framework.name,)

    def groups_shown_by(self, names: "AbstractSet[str]") -> "tuple[str, ...] | None":
        """The groups that the settings decide, for a command with some unknown arguments; None where they decide
        nothing, as by default."""
        return None


class Keys(Part):
    """What becomes of a key: who takes it, how it has to be written, and what happens to one that nobody knows."""

    abbreviates: bool = False  # whether keys may be abbreviated, as flags of argparse may be
    takes_own_keys: bool = True  # whether sections may hold a user's own keys

    def written(self, name: str, entry: "Entry") -> str:
        """A key in the form that tells releases apart; by default its name."""
        return name

    def takes(self, name: str, entry: "Entry", launch: "Run", index: int) -> bool:
        """Whether a release, by its index in the catalogue, accepts a key as it is written."""
        known = self.framework.catalogue.known(self.written(name, entry), launch.groups)
        return bool(known >> index & 1)

    def misplaced(self, name: str, entry: "Entry", launch: "Run", candidate: "Release") -> "Fault | None":
        """The Fault of a release with how a key is written that it knows or could know; by default None."""
        return None

    def launch_key(self, name: str, key: "Key", loader: str) -> bool:
        """Whether the launcher or the usual scripts read a key that is no field; by default none does."""
        return False

    def reads_somewhere(self, name: str) -> bool:
        """Whether some loader of the framework reads a key that is no field."""
        newest = version_key(self.framework.catalogue.releases[-1])
        return any(self.launch_key(name, newest, loader) for loader in ("script", "cli", "kwargs"))

    def prefix_matches(self, name: str, fields: "Fields") -> list[str]:
        """The known keys that begin with a name, where keys may be abbreviated; argparse accepts each in two
        spellings."""
        if not self.abbreviates:
            return []
        name = name.replace("-", "_")
        found = fields.beginning_with(name)
        return found * 2 if len(found) == 1 and "_" not in name and "_" in found[0] else found

    def unknown_key(self, key: "Key", launch: "Run", is_flag: bool) -> "Fate":
        """The Fate of unknown keys of a file, or of unknown flags, in a release; by default they are dropped."""
        return Fate(
            "warning",
            "never",
            Message("it is silently dropped", plural="they are silently dropped", count=1),
        )

    def fate_of(self, entry: "Entry", key: "Key", launch: "Run") -> "Fate":
        """The Fate of an unknown entry in a release, by how it is written."""
        if getattr(entry, "is_later", False):
            return _ATTRIBUTE
        if package := getattr(entry, "added_by", ""):
            told = {"package": package}
            return Fate("info", "config", Message("{package} adds it, and has to be imported before", told, "{package} adds them, and has to be imported before", 1))  # fmt: skip
        return self.unknown_key(key, launch, isinstance(entry, Flag))


# of an attribute that is set on a config which was made before: Python takes any, and code of one's own may well read it
_ATTRIBUTE = Fate(
    "warning",
    "never",
    Message("it is set after the config is built, where only your own code can read it", plural="they are set after the config is built, where only your own code can read them", count=1),
)  # fmt: skip


class Renames(Part):
    """The names that settings had, have and will have, and what to write for one that a release does not know."""

    successors: "Mapping[str, str]" = {}  # {old name: its successor}
    # {old name: name}, where a release that still knows the old one lets it override the other
    old_names: "Mapping[str, str]" = {}
    # {setting: (the setting that replaces it since a release, the formula of its value before, that release)}
    converted: "Mapping[str, tuple[str, str, str]]" = {}
    remarks: "Mapping[str, str]" = {}  # {name: what to do instead}, for names without a successor
    # {removed name: another key that can take over some of its values}, so that its value is not lost
    fallback_keys: "Mapping[str, str]" = {}
    costly_keys: "Mapping[str, str]" = {}  # {name: the rule that reports it when a release has dropped it}

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

    def fallback(self, name: str, value: object, run: "Run", companions: "Mapping[str, str]") -> str | None:
        """The key of `fallback_keys` that accepts this value of another one unchanged, with `companions` {package: version}; by
        default none."""
        return None


class Values(Part):
    """How a value is read, and which values mean the same."""

    # settings that decide whether other settings may be null or of a wrong type
    read_together: "frozenset[str]" = frozenset()
    choices: "Mapping[str, str]" = {}  # {setting: quantity whose formulas list its values}, where the catalogue has none
    unset_means: "Mapping[str, object]" = {}  # {setting: the value that its trainers use where it is null}
    # {setting: sets of equivalent values, also of different releases}
    equivalent: "Mapping[str, tuple[tuple[object, ...], ...]]" = {}
    # settings with an effect by default, which ends with the release that drops them
    defaults_dropped_later: "frozenset[str]" = frozenset()
    # {setting: what releases that do not have it yet do in its place, each from a release on}
    done_before: "Mapping[str, tuple[tuple[Key, object], ...]]" = {}
    # {setting that later releases have no more: what they do in its place}
    done_since: "Mapping[str, Message]" = {}

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


class ConfigFiles(Part):
    """The config file itself, and the files that settings name."""

    reads_yaml_since: "Key | None" = None  # the first release that reads YAML files; None: every one does
    # {whether its own command is given the config by --config: the first and the last minor that read it so, None: the
    # newest}; nothing where every release takes it either way
    config_forms: "Mapping[bool, tuple[Key, Key | None]]" = {}
    config_read_with: str = ""  # the flag with which another program reads the config, in its own way
    accepts_strange_arguments: str = ""  # the setting with which its command drops arguments that it does not know
    # the first and the last minor whose YAML loader refuses a duplicate key; None: none does
    unique_keys: "tuple[Key, Key] | None" = None
    # {key that names a file: reader of the value and the files, giving {operand: Attached}}
    attachments: "Mapping[str, Callable[[object, NamedFiles | None], dict[str, Attached]]]" = {}
    # of the settings of a file for accelerate that starts the run, that file, and what finds further files: {operand: Attached}
    launcher_attachment: "Callable[[Mapping[str, object], NamedFile | None, NamedFiles | None], dict[str, Attached]] | None" = None
    # {key that names a file of JSON, which the run opens: what is known of it}
    json_files: "Mapping[str, JsonFile]" = {}

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


class Flags(Part):
    """How its command takes settings as flags."""

    abbreviates: bool = True  # whether it takes the beginning of a flag for the flag
    # the programs that start it without reading a file of accelerate, which may move what is held in memory elsewhere
    fileless_starters: "tuple[str, ...]" = ()
    # of such a program, and of the environment that it is given: {operand: Attached}
    starter_attachment: "Callable[[str, Mapping[str, object]], dict[str, Attached]] | None" = None
    spellings: int = 2  # in how many it takes a flag: with dashes for underscores as well, or as it is

    def written(self, name: str, told: str = "", is_on: bool = False) -> str:
        """How a setting is written, by default by its name; `told`: its value in words, `is_on`: whether it is true."""
        return f"--{name} {told}".rstrip()


class Programs(Part):
    """The programs around a trainer: users' training scripts, the launcher, a server of completions."""

    read_by_scripts: bool = False  # whether users' training scripts read its files, with arguments of their own
    script_settings: "frozenset[str]" = frozenset()  # settings that only its own training script reads, in its own way

    # words that a program has which reads such files by classes of its own, and the end of the path of the framework's own program
    words_of_own_readers: "tuple[str, ...]" = ()
    path: str = ""
    model_key: str = "model"  # the setting that names the model to train
    rewards: str = ""  # the module that knows how functions of rewards are called, and what they need of the data
    server: "Server | None" = None  # how a trainer connects to an engine that was started separately

    def dated(self, program: str) -> "dict[str, Attached]":
        """{operand: Attached} of a program, by the last part of its path, that only some releases have; by default nobody asks."""
        return {}

    def surroundings(self, environment: "Mapping[str, object]") -> "dict[str, Attached]":
        """{operand: Attached} of the variables that a command's script gives to its program."""
        return {"window_is_passed": Attached(_LONGER, True, Message("set"))} if _LONGER in environment else {}

    def launcher_check(self, key: "Key", loader: str) -> Message:
        """What is told where the launcher also checks the config, in one process; by default only the workers do."""
        return NOTHING


class Reader(Part):
    """What reads settings: configs, commands, calls and programs."""

    configs: Configs = Configs()
    primaries: Primaries = Primaries()
    trainer: Trainer = Trainer()
    keys: Keys = Keys()
    renames: Renames = Renames()
    values: Values = Values()
    files: ConfigFiles = ConfigFiles()
    flags: Flags = Flags()
    programs: Programs = Programs()

    def called(self, name: str, fields: "Fields") -> str:
        """What a release calls a setting."""
        return name if fields[name] else self.renames.successor(name, fields)[0] or name

    def of(self, framework: "Framework") -> "Self":
        reader = super().of(framework)
        for name in Reader.__annotations__:
            reader.__dict__[name] = getattr(self, name).of(framework)
        return reader


class Releases(Part):
    """Which releases there are, with which packages beside them."""

    package: str = ""  # that is installed and pinned
    is_of_another_package: bool = False  # whether that has releases of its own, which tell nothing of these
    companion_fields: "CompanionFields" = {}  # fields that transformers declares, by its release

    def companion_facts(self, versions: "Mapping[str, str]", key: "Key") -> dict[str, object]:
        """The facts that formulas and rules derive from {package: release} installed beside a release; none by
        default."""
        return {}

    def fields(self, groups: "tuple[str, ...]", index: int, stated: "Mapping[str, str]") -> "Fields":
        """The fields of a release, with the stated companions {package: version}."""
        catalogue = self.framework.catalogue
        if "transformers" in stated and self.companion_fields:
            return catalogue.fields(groups, index, ("transformers", stated["transformers"], self.companion_fields))
        return catalogue.fields(groups, index)

    def has(self, name: str, key: "Key") -> bool:
        """Whether a release has a setting, as the framework's own training script reads a GRPO file."""
        catalogue = self.framework.catalogue
        index = catalogue.release_index(key)
        groups = self.framework.reader.trainer.groups("grpo", "script")
        return index >= 0 and bool(catalogue.known(name, groups) >> index & 1)

    def fitting(self, name: str, value: str, groups: "Groups", releases: "Iterable[Release]") -> int:
        """The releases among some that have a value among the choices of a setting, as bits; 0 where its choices do not
        differ, or no release has the value."""
        reader, catalogue = self.framework.reader, self.framework.catalogue
        quantity = reader.values.choices.get(name)
        if name == CONFIG_FORM:
            by_flag = value == BY_FLAG
            return bits_of(release.index for release in releases if reader.files.reads_config(by_flag, release.key))
        if quantity is None:
            bits = catalogue.fitting(name, value, groups)
        else:
            listed = f"'{value}'"
            bits = bits_of(
                release.index
                for release in releases
                if any(listed in formula.source for formula in release.regime.formulas.get(quantity, ()))
            )
        return 0 if bits == catalogue.known(name, groups) else bits

    def first_with_trainer(self, groups: "tuple[str, ...]") -> str:
        """The first release with the trainer of these groups."""
        catalogue = self.framework.catalogue
        known = catalogue.known(self.framework.reader.trainer.field, groups[:1])
        first = next((release for index, release in enumerate(catalogue.releases) if known >> index & 1), None)
        return ".".join(first.split(".")[:2]) if first else "a later release"

    def is_a_fork(self, names: "AbstractSet[str]", groups: "tuple[str, ...]", has_copy: bool) -> bool:
        """Whether settings show that a modified copy of the framework reads them; by default they do not. `has_copy`:
        the repository holds a copy of it."""
        return False


class Copies(Part):
    """What is known of copies of the framework that checkouts hold."""

    folder: str = ""  # that of the copy which is judged in the place of releases, as it is told; empty where none is
    alike: "tuple[str, ...]" = ()  # the releases that it is most like, the oldest first
    percent: int = 0  # the share of settings that one of them and the copy both have
    doubt: Message = NOTHING  # why it may not refuse what the nearest release does
    choices: "frozenset[str]" = frozenset()  # settings whose values its own classes list
    # {rule: code, besides the words of its rows}: each release that refuses what the rule describes holds one of these, without which a
    # copy does not refuse it
    checks: "Mapping[str, tuple[str, ...]]" = {}

    registries: "Mapping[str, tuple[str, str]]" = {}  # {rule: (setting of names, the registry in which its code looks them up)}
    parser: str = (
        ""  # its file that declares the flags of its program, which a copy may add to; empty where no program has flags
    )

    module: str = ""  # what reads them, by its name; empty where they are taken for releases

    def framework_of(self, copy: "Copy", group: str) -> "Framework | None":
        """The framework as a copy has it, with the fields of one group of the catalogue; None where it is taken for a release."""
        if not self.module:
            return None
        reader = __import__(self.module, fromlist=["framework_of"])  # few checkouts hold one
        return reader.framework_of(self.framework, copy, group)  # type: ignore[no-any-return]  # of a module by its name


class Arithmetic(Part):
    """How quantities follow from settings, and where they are shown."""

    regimes: "tuple[Regime, ...]" = ()  # spans of releases with the same arithmetic, the oldest first
    knows_batches: bool = (
        True  # whether the arithmetic of its batches is known; of a program that is not known, it is not
    )
    # whether one of several processes on a node takes more than one device where there are more devices than processes
    spreads_over_devices: bool = False
    own_names: "Mapping[str, str]" = {}  # {quantity: what the framework or its documents call it, several with commas}
    # the keys behind which an editor shows an update, a rollout and the evaluation, the first that is written
    batch_keys: "tuple[tuple[str, ...], ...]" = (
        ("gradient_accumulation_steps", "global_batch_size", "per_device_train_batch_size", "micro_batch_size"),
        ("steps_per_generation", "generation_batch_size", "num_generations"),
        ("per_device_eval_batch_size", "num_generations_eval"),
    )
    # the settings behind which a number of processes that works is reported: the first that the file holds
    hint_keys: "tuple[str, ...]" = ("per_device_train_batch_size", "num_generations")

    def regime(self, key: "Key") -> "Regime | None":
        """The regime of a version; None when the framework had no such trainer yet."""
        return next((regime for regime in reversed(self.regimes) if regime.since <= key), None)

    def settings_of(self, shape: "Shape", key: "Key", value: "Lookup | None" = None) -> "dict[str, object] | None":
        """{setting: value} for batches of a shape, the inverse of the formulas; None where a release cannot have them.
        By default unknown. `value`: what a run has now, where something else has to follow."""
        return None

    def backends(self) -> "tuple[str, ...]":
        """Its training engines, where a run chooses one of several."""
        return ()

    def why_not(self, shape: "Shape", version: str, key: "Key") -> Message:
        """Why a release spreads no model in the way of a shape, whatever its batches are; empty where it does."""
        return NOTHING


class Refusals(Part):
    """What its releases refuse or are harmed by, and where that is not certain."""

    enforcement: Enforcements = Enforcements(())  # the rows
    # {rule about keys and files: what refuses it and when, or that nothing does}
    parser_says: "Mapping[str, str]" = {}
    may_replace: "frozenset[str]" = frozenset()  # settings that its releases replace
    replaced_in: str = ""  # the module that says by what
    saving: "Saving | None" = None  # what tells that nothing is left of a run
    for_any_trainer: "frozenset[str]" = frozenset()  # rules that refuse the run whatever trainer is chosen
    # {rule about the framework's own training script: whether it is reported, as a warning, where the script is
    # unknown}
    script_rules: "Mapping[str, bool]" = {}
    # {rule about a name that is looked up: the setting that holds it, and the words with which code registers further ones; a changed
    # copy may know others without such words}
    registrations: "Mapping[str, tuple[str, tuple[str, ...]]]" = {}
    of_the_loss: "frozenset[str]" = (
        frozenset()
    )  # harms that the loss of its own trainers does, and another trainer's may mean
    # rules that may not hold in forks of a fork, of which nothing is known where nobody says whose run it is, and no copy is here
    only_where_stated: "frozenset[str]" = frozenset()


class Knobs(Part):
    """What a fix may change."""

    names: "tuple[str, ...]" = ()  # the settings, in order of preference
    size_hint_from: "Mapping[str, str]" = {}  # {knob: the setting whose size it usually has, for a fix where it is not set}
    outdated: "frozenset[str]" = frozenset()  # those that a fix may only remove
    counting_tokens: "frozenset[str]" = frozenset()  # those that count tokens, and hold what they are compared with
    parallel: "frozenset[str]" = frozenset()  # settings that spread a model over processes
    # settings that have to divide something of the model, its heads, layers, experts or sequences, of which no file of ours
    # tells how many there are
    dividing_the_model: "frozenset[str]" = frozenset()
    for_memory: str = "per_device_train_batch_size"  # the setting on which the memory of training depends
    staying: "frozenset[str]" = (
        frozenset()
    )  # those that a fix never leaves out: what is done without them is something else
    keeps_groups: bool = False  # whether a fix changes the group size only for rules about the group size
    families: "tuple[tuple[str, ...], ...]" = ()  # settings that are removed together


class Framework(Record):
    """A framework: its parts. A fork of it, or another program, is made by replacing some of them."""

    name: str  # its value of the fact `dialect`
    title: str  # as in its own documentation
    catalogue: "Catalogue"  # its fields by release
    reader: Reader
    releases: Releases
    copies: Copies = Copies()
    arithmetic: Arithmetic
    refusals: Refusals
    knobs: Knobs = Knobs()

    if not TYPE_CHECKING:  # mypy knows the arguments by the annotations

        def __init__(self, **parts):
            super().__init__(**parts)
            for name in Framework.__annotations__:
                part = getattr(self, name)
                if isinstance(part, Part):
                    self.__dict__[name] = part.of(self)

    def with_(self, **parts: object) -> "Self":
        """The same framework with other parts."""
        return self.but(**parts)
