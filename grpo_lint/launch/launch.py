"""One run that would start: framework, version, settings and facts, each with its origin."""

from ..message import NOTHING, Message
from ..plan.plan import Plan
from ..record import Record, derived
from ..source.entry import is_set, loaded
from ..source.quoting import shortened
from ..source.text import Span
from ..unknown import UNKNOWN
from .topology import topology_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, Literal, Protocol

    from ..frameworks.all_rules import Rule
    from ..frameworks.programs import Reading
    from ..frameworks.protocols import Copy
    from ..shared_types import (
        Attached,
        Callable,
        Collection,
        Enforced,
        Entry,
        Fact,
        Fault,
        Fields,
        Framework,
        Mapping,
        Origin,
        OtherTree,
        Program,
        Regime,
        Remembered,
        Sequence,
        Text,
    )
    from .assembly import Layer
    from .context import Policy
    from .topology import Topology

    Key = tuple[int, ...]  # a release as numbers

    class Place(Protocol):
        @property
        def start(self) -> int: ...
        @property
        def end(self) -> int: ...

    Certainty = Literal["stated", "shown", "assumed"]

MOST_REMEMBERED = 1000


class Setting:
    """One key or flag: its name for the framework, its value as PyYAML loads it, and the spans of key and value.

    `text`: the file in which it stands, None for the file that is judged.
    """

    __slots__ = ("name", "entry", "text")

    def __init__(self, name: str, entry: "Entry", text: "Text | None" = None) -> None:
        self.name = name
        self.entry = entry
        self.text = text

    @property
    def value(self) -> object:
        return loaded(self.entry.value)

    @property
    def key(self) -> Span:
        return Span.of(self.entry.key)

    @property
    def span(self) -> Span:
        return Span.of(self.entry.value)


class NoNumber:
    """A text, a list or a mapping where a number belongs. The setting counts as set, but nothing is computed from it:
    `8 * "x"` could be of any size."""

    __slots__ = ("_shown",)

    def __init__(self, value: object) -> None:
        self._shown: str = (
            Message("the text {text}", {"text": repr(shortened(value))})
            if type(value) is str
            else Message("a list")
            if type(value) is list
            else Message("a mapping")
        )

    def __repr__(self) -> str:
        return self._shown


class Candidate:
    """A release that may be the one in use: its text, its place in the catalogue, and its arithmetic.

    `enforced`: what it enforces, known of those that are judged; `releases`: the places of all candidate releases that
    it stands for.
    """

    __slots__ = ("text", "key", "index", "regime", "enforced", "releases")

    def __init__(
        self, text: str, key: "tuple[int, ...]", index: int, regime: "Regime", enforced: "Enforced | None" = None
    ) -> None:
        self.text = text
        self.key = key
        self.index = index
        self.regime = regime
        self.enforced: Enforced = enforced  # type: ignore[assignment]  # asked for only where a candidate is judged
        self.releases: list[int] = []

    def __repr__(self) -> str:
        return f"Candidate({self.text})"


class Launch(Record):
    """Everything that decides what a run does, complete when it is made.

    layers             the places that say its settings (`layers.Layer`), the weakest first, by the names that the framework
                       takes them for; below all of them lie the defaults of a release, which are looked up in the catalogue
    entries            {name: Entry}: of each setting that somebody sets the one that counts, that of the strongest layer
    defaults           {name: Entry}: of those that nobody sets, what the layers of defaults say
    facts              {name: Fact}: what the file cannot say (`world-size`, `dataset-size`, ...), with its source
    candidates         the releases that may be meant, newest first; one when the version is known
    neighbours         where they are inferred, the releases that know one key less, newest first
    version_source     how the version is known: "command line", "comment", "settings", "requirements.txt", "inferred",
                       ...
    newer              the stated version is newer than every known one
    missing            the stated version, when it has no such trainer; there are no candidates then
    allowed_by         the place of the range that the candidates lie in, an empty text for none
    keys_newer_than_pin   names of settings that came later than the pinned release
    companion_versions    {package: version} of the companions that somebody named; the others go with the release
    beside             {place of a candidate: the transformers that it is judged with, then all that may stand beside it}
    parts              the names of the settings that stand in a file on which its config builds
    unknown_part       the element of a list of defaults whose file is not known, as it is written; empty where there is none
    origin             the command that starts it (`origin.Origin`), None when only the file is known
    started_by         the command that starts the file of Python that makes it; `origin` of any other run
    policy             what the team says about keys (`policy.Policy`), or None
    reader             what reads the file in the place of the framework's own parser, such as Hydra; an empty text for
                       nothing
    incomplete         whether it takes further settings from elsewhere, so that what is not there has no default
    attached           {operand: Attached}: values that a file sets which the config names
    demands            further rules that the run is to keep: the team's, and what its file expects of it
    groups             the groups of the catalogue whose fields it may hold
    places             what in a file of Python makes it, each with start and end: its call and its settings
    beliefs            what was taken to be so on the way to it (`beliefs.Belief`)
    budget             how long numbers of processes are sought for which they hold
    remembered         what the run of the linter knows from other launches
    find_program       finds the training script that reads the settings
    registered_at      (the place of the Python around the run that may register a name with some words, an empty text for none; whether
                       not all of it was looked at)
    copy               the copy of the framework in the checkout that is run, None for a release
    declared_at        the place of the Python around the run that declares a field of some name; an empty text for none
    other_trees        the trees of settings that the checkout holds besides that of the copy which is run
    """

    framework: "Framework"
    algorithm: str
    loader: str
    groups: "tuple[str, ...]"
    layers: "Sequence[Layer]"
    entries: "Mapping[str, Entry]"
    defaults: "Mapping[str, Entry]"
    facts: "Mapping[str, Fact]"
    candidates: "list[Candidate]"
    neighbours: "Sequence[Candidate]"
    version_source: str
    newer: bool
    missing: "str | None"
    keys_newer_than_pin: "Sequence[str]"
    allowed_by: str
    companion_versions: "Mapping[str, str]"
    beside: "Mapping[int, tuple[str, ...]]"
    attached: "Mapping[str, Attached]"
    remembered: "Remembered"
    origin: "Origin | None" = None
    started_by: "Origin | None" = None
    policy: "Policy | None" = None
    demands: "Sequence[Rule]" = ()
    budget: "SearchBudget | None" = None
    reader: str = ""
    incomplete: bool = False
    beliefs: "Sequence[Belief]" = ()
    places: "Sequence[Place]" = ()
    parts: "Collection[str]" = ()
    unknown_part: str = ""
    find_program: "Callable[[], Program | None]" = staticmethod(lambda: None)
    registered_at: "Callable[[str, tuple[str, ...]], tuple[str, bool]]" = staticmethod(lambda name, words: ("", False))
    copy: "Copy | None" = None
    declared_at: "Callable[[str], str]" = staticmethod(lambda name: "")
    other_trees: "Callable[[], Sequence[OtherTree]]" = staticmethod(tuple)

    @derived
    def topology(self) -> "Topology":
        """The pools of processes by role; `world_sizes` and `world_size` are of the ones that train."""
        return topology_of(self.facts, self.attached)

    @derived
    def world_sizes(self) -> "tuple[int, ...]":
        """The numbers of processes that the run has to work with, one after the other; none when that is unknown."""
        return self.topology.train.counts

    @derived
    def world_size(self) -> object:
        """The number of processes, UNKNOWN when nobody said it; of several the first one."""
        return self.topology.train.count

    @derived
    def _given(self) -> "dict[int, Given]":
        return {}

    @derived
    def _given_names(self) -> "dict[frozenset[str], frozenset[str]]":
        return {}

    @derived
    def _plans(self) -> "dict[tuple[int, int], Plan]":
        return {}

    @derived
    def _readings(self) -> "dict[tuple[str, Key], tuple[object, Fault | None]]":
        return {}

    @derived
    def archive(self) -> str:
        """An archive in the repository that may hold a changed framework, by its path from the root; empty for none."""
        from .which_copy import archive_around

        return archive_around(self.origin.files.path, self.framework.releases.package) if self.origin else ""

    @derived
    def _values(self) -> "dict[str, object]":
        return {}

    @property
    def unseen(self) -> "list[Belief]":
        """What beside the file was not looked at and may say otherwise."""
        return [belief for belief in self.beliefs if belief.note]

    @property
    def title(self) -> str:
        """What people call the algorithm: GRPO with the ratios of whole sequences is GSPO."""
        from ..frameworks.roles import RATIOS, RATIOS_OF_SEQUENCES

        if self.algorithm == "grpo" and RATIOS in self.entries and self.value(RATIOS) in RATIOS_OF_SEQUENCES:
            return "GSPO"
        return self.algorithm.upper()

    @property
    def trains_otherwise(self) -> bool:
        """Whether the file chooses a trainer outside of the GRPO family. Only a file whose framework was stated gets
        this far."""
        key = self.framework.reader.trainer.key
        return key is not None and key in self.entries and self.value(key) != self.framework.reader.trainer.value

    def read_by(self, reader: str) -> "Launch":
        """The same launch where something else than the framework's own parser reads the settings; its defaults are unknown."""
        told = Belief(about="reader", value=reader, certainty=SHOWN)
        return self.but(reader=reader, incomplete=True, beliefs=[*self.beliefs, told])

    def forget_plans(self) -> None:
        """Drop the plans made so far. They refer back to the launch: without them it is freed with its last user, and needs no
        search for garbage."""
        self._given.clear()
        self._plans.clear()

    @property
    def is_stated(self) -> bool:
        """Whether somebody says whose run it is: of which framework, or of which release."""
        return "dialect" in self.facts or "version" in self.facts

    @property
    def knows_its_release(self) -> bool:
        """Whether the release is stated or pinned."""
        return self.version_source != "inferred"

    def registers(self, setting: str, words: "tuple[str, ...]" = ()) -> "tuple[str, bool]":
        """(where the Python around the run registers the name that a setting holds, which takes a look at all of it, or the copy of the
        framework that is run knows this name; it knows its own default; whether Python that was not looked at may register it)."""
        folder = self.framework.copies.folder
        if setting not in self.entries:
            return folder, False
        value = self.value(setting)
        value = value[0] if type(value) is list and len(value) == 1 else value
        if type(value) is not str or not value:
            return "", False
        parts = setting.removesuffix(".name").rpartition(".")
        if self.copy is not None and self.copy.knows(value, (parts[2], *words)):
            return folder or self.framework.releases.package, False
        return self.registered_at(value, words) if words else ("", False)

    def copy_declares(self, name: str) -> bool:
        """Whether the copy of the framework that is run declares a flag, by its name as its parser reads it."""
        if self.copy is None or not self.framework.copies.parser:
            return False
        from .own_flags import declares  # few checkouts hold one

        return declares(self.copy, name, self.framework.reader.keys.abbreviates)

    @property
    def program(self) -> "Program | None":
        """The training script that reads the settings (`frameworks.programs.Program`), None when nothing is known about it."""
        return self.find_program()

    @property
    def is_read_by_the_framework(self) -> bool:
        """Whether the framework's own script is known to read the settings. For a file that was found in a folder
        nothing says so, and what a call is given no script reads."""
        told = self.facts.get("loader")
        if told is not None:
            return not self.framework.reader.programs.read_by_scripts or told.value in ("script", "cli")
        is_own = self.origin is not None and self.origin.starts_the_frameworks_module
        return not self.framework.reader.programs.read_by_scripts or self.loader == "cli" or is_own

    def reads_flag_as_declared(self, name: str) -> bool | None:
        """Whether the framework's parser reads the flag of a setting by what the release declares; None where the training script
        is not here, which may declare it anew. A class of the script's own in the place of the framework's, not made from it, declares
        all of them."""
        program = self.program
        if self.is_read_by_the_framework or program is None:
            return self.is_read_by_the_framework or None
        return program.usual_parser and name not in program.declares and (program.uses_config or not program.trains)

    @property
    def reading(self) -> "Reading | None":
        """What the training script does with keys that nothing declares; None where that is unknown."""
        return self.program.reading if self.program else None

    @property
    def is_read_by(self) -> str:
        """The training script of the repository that is known to read the settings, or TRL's own for a framework's
        command; an empty text where it is unknown."""
        if self.origin and self.origin.program:
            return self.origin.program.name
        return f"{self.framework.title}'s own script" if self._starts_the_frameworks_script() else ""

    def _starts_the_frameworks_script(self) -> bool:
        told = self.facts.get("loader")
        if told is not None:
            return told.value in ("script", "cli")
        return self.origin is not None and self.origin.invocation.framework is not None

    @property
    def program_is_partial(self) -> bool:
        """Whether only a part of the training script was read: it may declare further keys."""
        return self.program is not None and self.program.partial

    @property
    def doubt(self) -> Message:
        """Why the pinned release may not be the one that runs, in words; an empty text for no doubt."""
        name = (
            next((name for name in self.keys_newer_than_pin if name not in self.declared), None)
            if self.keys_newer_than_pin
            else None
        )
        if not name:
            return NOTHING
        told = {"source": self.version_source, "version": self.candidates[0].text, "name": name}
        return Message("{source} pins {version}, but this run is for a release that knows {name}", told)

    @property
    def declared(self) -> "Collection[str]":
        """The names of the arguments that the training script declares itself, as far as it can be read."""
        return self.program.declares if self.program else ()

    @property
    def lacks(self) -> "Mapping[str, str]":
        """{field of the framework: a class that has it} of those that the parser of the program which a command starts does not take."""
        program = self.origin.program if self.origin else None
        return program.lacks if program and not self.is_read_by_the_framework else {}

    def given(self, names: frozenset[str]) -> frozenset[str]:
        """Those of the names (a frozen set) that have a value in the file or are known facts."""
        known = self._given_names.get(names)
        if known is not None:
            return known
        entries = self.entries
        found = {name for name in names.intersection(entries) if is_set(entries[name]) or self._null_is_text(name)}
        found.update(self.attached)
        found.update(name for name in ("dataset_size", "gpu_memory") if name in self.facts)
        found.update(name for name in names.intersection(self.defaults) if is_set(self.defaults[name]))
        self._given_names[names] = frozenset(found)
        return self._given_names[names]

    def _null_is_text(self, name: str) -> bool:
        field = self.fields(self.candidates[0])[name] if self.candidates else None
        return field is not None and self.framework.reader.values.null_is_text(field)

    def setting(self, name: str) -> Setting | None:
        """The Setting of a name that counts, None where nobody says it."""
        return self._setting(name, self.entries.get(name))

    def default(self, name: str) -> Setting | None:
        """The Setting of a default that the training script has of its own, None where it is set, or has that of the release."""
        return self._setting(name, self.defaults.get(name))

    def _setting(self, name: str, entry: "Entry | None") -> Setting | None:
        if entry is None:
            return None
        for layer in self.layers:
            if layer.entries.get(name) is entry:
                return Setting(name, entry, layer.text)
        return Setting(name, entry)

    def overridden(self, name: str) -> "list[Setting]":
        """What other layers say of a setting, which does not count: that of the strongest of them first."""
        if len(self.layers) == 1:
            return []
        entry = self.entries.get(name)
        found = [(layer.entries.get(name), layer.text) for layer in reversed(self.layers)]
        return [Setting(name, other, text) for other, text in found if other is not None and other is not entry]

    def all_occurrences(self, name: str) -> "list[Setting]":
        """All that is said of a setting: what counts, then what that overrides."""
        setting = self.setting(name)
        return [setting, *self.overridden(name)] if setting is not None else []

    @property
    def entries_in_this_file(self) -> "dict[str, Entry]":
        """{name: Entry} of the settings that count and stand in the file that is judged."""
        here = [layer.entries for layer in self.layers if layer.text is None]
        return {name: entry for name, entry in self.entries.items() if any(each.get(name) is entry for each in here)}

    def fields(self, candidate: Candidate) -> "Fields":
        """{name: (type, default, choices)}: what a release may be given; None for a name it does not know."""
        told = self._told_of(candidate) if self.beside else self.companion_versions
        return self.framework.releases.fields(self.groups, candidate.index, told)

    def value(self, name: str) -> object:
        """The value that counts of a setting, as it is written; KeyError where nobody says it."""
        value = self._values.get(name, self)
        if value is self:
            value = self._values[name] = loaded(self.entries[name].value)
        return value

    def read(self, name: str, fields: "Fields", key: "tuple[int, ...]") -> "tuple[object, Fault | None]":
        """(value, Fault or None) of a setting as the parser of a release takes it; KeyError when either does not know
        it. The plan and what is said of keys share one reading."""
        reading = self._readings.get((name, key))
        if reading is None:
            reading = self._readings[name, key] = self._read(name, fields, key)
        return reading

    def _read(self, name: str, fields: "Fields", key: "tuple[int, ...]") -> "tuple[object, Fault | None]":
        field = fields[name]
        value = self.value(name)
        if field is None:
            return self._undeclared(name, fields), None
        if field.has_type_of(value) and not self.framework.reader.configs.nested:
            return value, None
        if value is UNKNOWN or (type(value) is list and UNKNOWN in value):
            return UNKNOWN, None
        value, fault = self.framework.reader.values.read(name, value, field, self, key)
        if type(value) in (str, list, dict) and field.type.rstrip("?") in ("int", "float"):
            return NoNumber(value), fault
        return value, fault

    def _undeclared(self, name: str, fields: "Fields") -> object:
        """The value of a setting that the release does not declare."""
        if self.demands and self.policy and self.policy.knows(name):
            return self.value(name)
        if not self.framework.reader.configs.nested or name not in self.entries:
            raise KeyError(name)
        from ..frameworks.shared.sections import appended  # such a framework has it loaded

        return appended(name, self.entries[name], fields)

    def companions_of(self, candidate: Candidate) -> dict[str, str]:
        """The versions of the companions: as stated, as settings tell, else those a release goes with."""
        return {**self.framework.catalogue.companions[candidate.index], **self._told_of(candidate)}

    def _told_of(self, candidate: Candidate) -> "Mapping[str, str]":
        """Those that somebody states, or that the settings tell."""
        beside = self.beside.get(candidate.index)
        return {"transformers": beside[0], **self.companion_versions} if beside else self.companion_versions

    def plan(self, candidate: Candidate, changes: "Mapping[str, object] | None" = None) -> Plan:
        """The plan under one release. `changes` replaces settings and facts, to see what would follow."""
        if changes is None:
            key = candidate.index, id(candidate.regime.formulas)
            if key not in self._plans:
                self._plans[key] = self._plan(candidate)
            return self._plans[key]
        return self._plan(candidate, changes)

    def _plan(self, candidate: Candidate, changes: "Mapping[str, object] | None" = None) -> Plan:
        given = self._given.get(candidate.index)
        if given is None:
            given = self._given[candidate.index] = Given(self, candidate)
        return Plan(candidate.regime.formulas, given, self.fields(candidate), changes)


class SearchBudget:
    """How often all numbers of processes may be tried for the launches of one file."""

    def __init__(self, left: int = 10) -> None:
        self.left = left

    def is_over(self) -> bool:
        self.left -= 1
        return self.left < 0


class Given(dict[str, object]):
    """Facts, and settings that are converted when they are first read. A key that the release does not know is not
    given."""

    __slots__ = ("_launch", "_fields", "_key")

    def __init__(self, launch: Launch, candidate: Candidate) -> None:
        facts = launch.facts
        self._launch = launch
        self._fields: Fields = launch.fields(candidate)
        self._key: tuple[int, ...] = candidate.key
        self.update(_companion_facts(launch, candidate))
        self["dataset_size"] = facts["dataset_size"].value if "dataset_size" in facts else UNKNOWN
        self.update((operand, attached.value) for operand, attached in launch.attached.items())
        self.update(launch.topology.given())
        for name in ("eval_dataset_size", "parameters", "gpu_memory"):
            self[name] = facts[name].value if name in facts else None
        self["stated_devices"] = facts["visible_devices"].value if "visible_devices" in facts else None

    def __missing__(self, name: str) -> object:
        launch = self._launch
        if name not in launch.entries and not launch.incomplete and not launch.reader:
            if name not in launch.defaults or not self._fields[name]:
                raise KeyError(name)
            value = self[name] = loaded(launch.defaults[name].value)  # no parser reads it
            return value
        if (launch.incomplete or launch.reader) and name not in launch.entries and self._fields[name]:
            # what reads the file has defaults of its own, but for the trainer's class, which is built of what is there
            if launch.incomplete or not launch.framework.catalogue.known(name, launch.groups[:1]):
                return UNKNOWN
        value = self[name] = launch.read(name, self._fields, self._key)[0]
        return value


def _companion_facts(launch: Launch, candidate: Candidate) -> dict[str, object]:
    """The operands that depend on the packages beside a release: the same for all files of a repository."""
    companions = launch.companions_of(candidate)
    key = "companions", launch.framework, candidate.index, candidate.text, tuple(companions.items())
    found: dict[str, object] | None = launch.remembered.get(key)
    if found is None:
        found = launch.framework.releases.companion_facts(companions, candidate.key)
        launch.remembered.keep(key, found)
    return found


# --- beliefs ------------------------------------------------------------------------------------------------------------

# What is taken to be so of a run, and how sure that is: each stage on the way to a launch adds its own.

STATED: "Final" = "stated"  # by the user, the file, a pin
SHOWN: "Final" = "shown"  # by a text that names this very file
ASSUMED: "Final" = "assumed"  # likely, from the neighbourhood


class Belief(Record):
    """Something that is taken to be so.

    about      what: a fact, "version", "reader", "arguments", "trainer", "companion:transformers"
    value      what is believed of it
    certainty  whether it is stated, shown or assumed
    place      where that stands, in words; empty where nowhere
    note       how the assumption reads in a finding that it weakens; empty where others weigh it
    """

    about: str
    value: object
    certainty: "Certainty"
    place: str = ""
    note: str = ""
