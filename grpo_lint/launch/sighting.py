"""What may start a run: a file with settings, a command, a call of Python; and whose run it would be."""

from ..frameworks.registry import (
    OF_SCRIPTS,
    PACKAGES,
    fork_of,
    framework as framework_named,
    imported_as,
    recognise,
    script_reader,
    serves_scripts,
    trained_by_scripts,
    trained_by_sure_scripts,
)
from ..frameworks.versions import version_key
from ..record import Record
from ..source.entry import loaded, reader_of
from ..source.yaml.reader import entries_of
from ..unknown import UNKNOWN
from .pins import pin_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import abc
    from typing import Protocol

    from ..frameworks.all_rules import Rule
    from ..shared_types import Callable, Context, Entry, Fact, Fields, Framework, Origin, Program, Sequence
    from ..source.yaml.reader import Mapping
    from .launch import Place, SearchBudget

    class Call(Place, Protocol):
        """A call of Python that makes the settings."""

        @property
        def is_whole(self) -> bool: ...
        @property
        def doubts(self) -> Sequence[tuple[str, str]]: ...
        def program(self, context: Context) -> Program: ...
        def as_they_come(self, entries: dict[str, Entry], fields: Fields) -> dict[str, Entry]: ...


class Asked(Record):
    """What is asked of all runs of a file beside what its frameworks demand.

    rules    gives the rules that a run is to keep, by the command that starts it
    budget   how long numbers of processes are sought for which they hold
    """

    rules: "Callable[[Origin | None], list[Rule]]" = staticmethod(lambda origin: [])
    budget: "SearchBudget | None" = None


NOTHING_ASKED = Asked()


class Sighting(Record):
    """What may start a run.

    root         the mapping of its settings; None for a command without a file
    facts        {name: Fact} of what is said about it
    origin       the command that starts it, None where only the file is known
    sections     mappings in its file that hold the settings, where a loader of the repository's own reads it
    unhanded     keys of these that no Python of the repository hands on, so that they are no settings
    is_part      whether it is a fragment of a run: what it does not write is unknown
    call         what makes the settings in a file of Python
    started_by   the command that starts that file; `origin` of any other file
    """

    framework: "Framework"
    root: "Mapping | None"
    facts: "abc.Mapping[str, Fact]"
    origin: "Origin | None" = None
    sections: "tuple[str, ...]" = ()
    unhanded: "abc.Set[str]" = frozenset()
    is_part: bool = False
    call: "Call | None" = None
    started_by: "Origin | None" = None
    asked: Asked = NOTHING_ASKED

    @property
    def entries(self) -> "dict[str, Entry]":
        """{name: entry} of the settings in its file."""
        entries = entries_of(self.root, self.sections)
        if not self.unhanded:
            return entries
        return {name: entry for name, entry in entries.items() if name not in self.unhanded}

    @property
    def is_started(self) -> bool:
        """Whether a command is known that starts it, or the user says whose it is."""
        return self.origin is not None or "dialect" in self.facts


def sighted(
    origin: "Origin",
    root: "Mapping | None",
    facts: "abc.Mapping[str, Fact]",
    context: "Context",
    asked: Asked = NOTHING_ASKED,
) -> Sighting | None:
    """What a command starts; None when it trains something else.

    `root`: the mapping of its file, None when it has none; `facts`: what comments and settings say.
    """
    entries = {**entries_of(root), **origin.flags}
    found = _framework_of(origin, entries, facts, context)
    if found is None or _has_nothing_of_it(origin, facts):
        return None
    known = {name: fact for name, fact in facts.items() if name not in origin.stated or fact.source != "settings"}
    said = {**origin.stated, **known, **origin.facts(), **origin.releases(found), **context.outside}
    if _is_of_an_older_kind(found, origin, said, context):
        return None
    return Sighting(framework=found, root=root, facts=said, origin=origin, asked=asked, started_by=origin)


def _framework_of(
    origin: "Origin", entries: "dict[str, Entry]", facts: "abc.Mapping[str, Fact]", context: "Context"
) -> "Framework | None":
    """The framework with which a command trains; None where it may train something else."""
    invocation = origin.invocation
    forced = facts.get("dialect") or origin.stated.get("dialect")
    if not invocation.framework:
        name = _framework_of_run(origin, entries, forced, context)
        return framework_named(name) if name is not None else None
    is_said_to_be_usual = (
        forced is not None and invocation.own is not None and invocation.entry is invocation.own.others
    )
    entry = None if is_said_to_be_usual else invocation.entry
    name = invocation.framework
    if entry is None:
        name = fork_of(name, forced.value if forced is not None else None, reader_of(entries))
    found = framework_named(name, entry)
    if found.reader.trainer.key and not _trains_with(found, entries.get(found.reader.trainer.key)):
        return None
    return None if trains_with_a_copy(found, entries, context) else found


def _has_nothing_of_it(origin: "Origin", facts: "abc.Mapping[str, Fact]") -> bool:
    """Whether a program that is here, and whose flags alone show a framework, does not name it, and nobody states it."""
    own, files = origin.invocation.own, origin.files
    if (
        "dialect" in facts
        or "dialect" in origin.stated
        or own is None
        or own.modules
        or own.style != "gnu"
        or files is None
    ):
        return False
    path = files.place_by(origin.invocation.command, origin.invocation.program)
    text = files.read(path) if path is not None else None
    return text is not None and own.framework not in text


def _is_of_an_older_kind(
    framework: "Framework", origin: "Origin", facts: "dict[str, Fact]", context: "Context"
) -> bool:
    """Whether a script trains with an algorithm in a release before that became a trainer of groups."""
    since = (
        framework.reader.trainer.groups_since.get(origin.program.algorithm or "")
        if origin.program is not None
        else None
    )
    if since is None:
        return False
    pin = pin_of(context.pins, framework.releases.package)
    release = facts["version"].value if "version" in facts else pin.version if pin else ""
    return release[:1].isdigit() and version_key(release) < since


def _trains_with(framework: "Framework", entry: "Entry | None") -> bool:
    """Whether an entry chooses a trainer of the GRPO family, or one that does not exist, which is reported then."""
    if entry is None:
        return False
    kind = loaded(entry.value)
    return kind is UNKNOWN or kind == framework.reader.trainer.value or framework.reader.trainer.is_no_trainer(kind)


def trains_with_a_copy(framework: "Framework", entries: "abc.Mapping[str, Entry]", context: "Context") -> bool:
    """Whether settings choose a trainer that only the repository's own copy of a framework has."""
    entry = entries.get(framework.reader.trainer.key) if framework.reader.trainer.key else None
    kind = None if entry is None else loaded(entry.value)
    if (
        framework.reader.trainer.key is None
        or type(kind) is not str
        or not framework.reader.trainer.is_no_trainer(kind)
    ):
        return False
    pin = pin_of(context.pins, framework.releases.package)
    copy = context.copy_at(pin.copied_to if pin else None)
    return copy is not None and copy.knows(kind, (framework.reader.trainer.key,))


def _framework_of_run(
    origin: "Origin", entries: "dict[str, Entry]", stated: "Fact | None", context: "Context"
) -> str | None:
    """The name of the framework with which a training script trains; None where it may train something else."""
    if origin.program and origin.program.trains_otherwise:
        return None  # whatever is said of the file: another of its commands is meant
    if stated is not None and context.forces(stated):
        from ..frameworks.not_judged import is_another_program

        invocation = origin.invocation
        is_another = is_another_program(str(stated.value), invocation.flags, invocation.alike)
        return None if is_another else str(stated.value)
    name = _recognised(origin, entries)
    if name is None:
        return OF_SCRIPTS[0] if _trains_groups(origin, entries.keys()) else None
    if serves_scripts(name) and origin.program and origin.program.reads_nothing_of_it:
        return None
    return str(stated.value) if stated is not None else name


def _recognised(origin: "Origin", entries: "dict[str, Entry]") -> str | None:
    """The name of the framework that the keys of a run tell, or few keys and a script that trains with them."""
    name = recognise(entries.keys(), reader_of(entries))[0]
    if name in OF_SCRIPTS and _is_a_module_of_another(origin, name):
        return None
    if name is not None:
        return name
    trained = trained_by_scripts(entries.keys())
    if trained and _trains(origin):
        return trained
    return OF_SCRIPTS[0] if _is_launched(origin, entries.keys()) else None


def _is_a_module_of_another(origin: "Origin", name: str) -> bool:
    """Whether a command starts a module of another framework (`-m verl.mine`)."""
    package, is_module, rest = (origin.invocation.program.value or "").partition(".")
    return bool(is_module) and "/" not in rest and package != name and package in map(imported_as, PACKAGES)


def _is_launched(origin: "Origin", names: "abc.Set[str]") -> bool:
    """Whether a launcher of several processes hands the flags of a training to a program that is not here."""
    if origin.program or not origin.invocation.is_launched or origin.has_config:
        return False
    return script_reader().is_launched_with(names, origin.invocation.program.value or "")


def _trains_groups(origin: "Origin", names: "abc.Set[str]") -> bool:
    """Whether the script of a command trains only with trainers of the GRPO family, where the keys do not say so."""
    if trained_by_sure_scripts(names) is None and (origin.has_config or not _is_told(origin)):
        return False
    program = origin.program
    return bool(program and program.algorithm == "grpo" and program.usual_parser)


def _is_told(origin: "Origin") -> bool:
    """Whether a command whose config is not here is one of training all the same: it names such a file, or says in its words
    what it trains."""
    invocation = origin.invocation
    return invocation.config is not None or "grpo" in (invocation.program.value or "").lower()


def _trains(origin: "Origin") -> bool:
    """Whether the script of a command trains with the GRPO family; where the script is not found, its name decides."""
    if origin.program:
        return origin.program.trains
    name = (origin.invocation.program.value or "").rpartition("/")[2].lower()
    return "grpo" in name or "rloo" in name
