"""Puts a launch together, stage by stage: what is written, whose trainer it is, which releases it may have, who reads it."""

from ..files.budget import LAUNCHES, NAMED, OTHER_SCRIPTS, PINS
from ..message import NOTHING, Message, series, verbatim
from ..record import Record
from ..source.entry import Flag, entries_of, mapping_of, value_of
from ..source.yaml.reader import Sequence
from ..unknown import UNKNOWN
from .beliefs import ASSUMED, SHOWN, STATED, Belief
from .facts import Fact
from .launch import Launch
from .layers import layers_of, written_in
from .releases import pinned_for, releases_of
from .sighting import choices_of_a_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import abc
    from typing import TypeAlias

    from ..frameworks.base import Attached, Framework, NamedFiles
    from ..frameworks.programs import Program
    from ..source.yaml.reader import Entry
    from .context import Context
    from .files import Files, NamedFile
    from .layers import Layers, Written
    from .origin import Origin
    from .pins import Pin
    from .releases import Releases
    from .sighting import Sighting

    ReadLauncher: TypeAlias = abc.Callable[
        [abc.Mapping[str, object], NamedFile, NamedFiles | None], dict[str, Attached]
    ]


def started_launch(sighting: "Sighting | None", context: "Context") -> Launch | None:
    """The launch that a command starts; None when it trains something else."""
    launch = launch_of(sighting, context) if sighting is not None else None
    # of a program that nobody knows keys are judged, and no keys where it does not start from the framework's tree
    return None if launch is None or (launch.incomplete and not launch.framework.arithmetic.knows_batches) else launch


class Stages(Record):
    """What is known of a run before it is one Launch, each made of those above it."""

    sighting: "Sighting"
    written: "Written"
    trainer: "Trainer"
    facts: "dict[str, Fact]"
    releases: "Releases"
    layers: "Layers"
    reading: "Reading"
    find_program: "abc.Callable[[], Program | None]"


def launch_of(sighting: "Sighting", context: "Context") -> Launch:
    """The launch that a mapping describes, or a command with the mapping of its file."""
    written = written_in(sighting, context)
    trainer = _trainer_of(sighting, written)
    facts = _facts_of(sighting, written, context)
    pinned = pinned_for(sighting, context)
    find_program = _program_finder(sighting, trainer.loader, context, pinned.framework)
    releases = releases_of(sighting, written, trainer.groups, facts, pinned, find_program)
    layers = layers_of(sighting, written, trainer.groups, releases.newest, releases.companion_versions, context)
    reading = _reading_of(sighting, written, trainer, releases, context)
    stages = Stages(
        sighting=sighting,
        written=written,
        trainer=trainer,
        facts=facts,
        releases=releases,
        layers=layers,
        reading=reading,
        find_program=find_program,
    )
    return _complete(stages, context)


def _complete(stages: Stages, context: "Context") -> Launch:
    sighting, releases, layers = stages.sighting, stages.releases, stages.layers
    versions, call, policy = releases.versions, sighting.call, context.policy
    return Launch(
        framework=sighting.framework,
        algorithm=stages.trainer.algorithm,
        loader=stages.trainer.loader,
        groups=stages.trainer.groups,
        layers=layers.layers,
        entries=layers.entries,
        defaults=layers.defaults,
        facts=stages.facts,
        candidates=versions.candidates,
        neighbours=versions.neighbours,
        version_source=versions.source,
        newer=versions.newer,
        missing=versions.missing,
        keys_newer_than_pin=versions.keys_newer_than_pin,
        allowed_by=versions.allowed_by,
        companion_versions=releases.companion_versions,
        attached=_attached(sighting, stages.written, layers, stages.reading, context),
        origin=sighting.origin,
        started_by=sighting.started_by,
        policy=policy,
        demands=[*(policy.wanted_rules().values() if policy else ()), *sighting.asked.rules(sighting.origin)],
        budget=sighting.asked.budget,
        remembered=context.remembered,
        reader=stages.reading.reader,
        incomplete=stages.reading.incomplete,
        beliefs=[*_beliefs_of(stages.facts, releases), *stages.reading.beliefs],
        places=[call, *(each.value for each in layers.entries.values())] if call else (),
        parts=stages.written.parts,
        unknown_part=stages.written.unknown_part,
        find_program=(lambda: call.program(context)) if call else stages.find_program,
        **_lookups(sighting.framework, releases.pin, context),
    )


def _lookups(framework: "Framework", pin: "Pin | None", context: "Context") -> "dict[str, abc.Callable[..., bool]]":
    """Functions that look names up in the Python around a run."""
    found: dict[str, abc.Callable[..., bool]] = {}
    if framework.refusals.registrations and context.repository and context.files:
        repository, path, budget = context.repository, context.files.path, context.budget
        found["may_register"] = lambda name, words: repository.registers(name, words, path, budget)
    takes_more = choices_of_a_copy(pin, context)
    if takes_more is not None:
        found["may_take"] = takes_more
    return found


class Trainer(Record):
    """Whose settings a run has: its algorithm, what reads them, and the groups of the catalogue whose fields it may hold."""

    algorithm: str
    loader: str
    groups: "tuple[str, ...]"


def _trainer_of(sighting: "Sighting", written: "Written") -> Trainer:
    reads, facts, origin = sighting.framework.reader.trainer, sighting.facts, sighting.origin
    algorithm: str = (
        facts["algorithm"].value
        if "algorithm" in facts
        else _started_algorithm(origin) or reads.algorithm(written.names)
    )
    loader: str = facts["loader"].value if "loader" in facts else _loader_of(origin)
    groups = reads.groups(algorithm, loader, written.by_key)
    if origin and origin.invocation.passes_on is not None:
        groups = reads.groups_shown_by(written.names) or groups
    return Trainer(algorithm=algorithm, loader=loader, groups=groups)


def _started_algorithm(origin: "Origin | None") -> "str | None":
    """The algorithm that a command chooses, or the program that it starts."""
    if origin is None:
        return None
    trains_rloo = origin.program is not None and origin.program.algorithm == "rloo"
    return origin.invocation.algorithm or ("rloo" if trains_rloo else None)


def _loader_of(origin: "Origin | None") -> str:
    """What reads the settings of a command: a script of one's own is one that was found and calls the parser itself."""
    loader = origin.invocation.loader if origin else "script"
    is_own = loader == "script" and origin is not None and origin.program is not None and origin.program.reading
    return "own" if is_own else loader


def _facts_of(sighting: "Sighting", written: "Written", context: "Context") -> "dict[str, Fact]":
    """{name: Fact} of what is said of a run, of what its file says in keys, and of what is presumed."""
    framework, origin = sighting.framework, sighting.origin
    by_key = written.by_key
    if framework.reader.configs.composed and not (sighting.is_started and not _is_open(origin)):
        by_key = _unknown_where_absent(by_key)
    in_file = framework.reader.configs.facts_in_file(by_key)
    facts = {**sighting.facts}
    for name, (value, key) in in_file.items():
        facts.setdefault(name, Fact(value, Message("key {names}", {"names": key})))
    if origin:
        return {**origin.presumed(), **facts}
    if "world_size" not in facts and context.repository and context.files:
        shown = context.repository.told_processes(context.files.path, context.budget)
        return {**facts, "world_size": shown} if shown else facts
    return facts


def _unknown_where_absent(by_key: "abc.Callable[[str], object]") -> "abc.Callable[[str], object]":
    """The values of a file where files hold only a few of the settings: one that is not written is not at its default."""
    return lambda name: UNKNOWN if by_key(name) is None else by_key(name)


def _is_open(origin: "Origin | None") -> bool:
    """Whether more of what a command says is not known than the arguments that it passes on: its file, or words of its own."""
    return origin is not None and (origin.invocation.lacks_words or origin.lacks_its_config)


def _program_finder(
    sighting: "Sighting", loader: str, context: "Context", pin: "Pin | None"
) -> "abc.Callable[[], Program | None]":
    """A function that gives the training script that reads the settings (`frameworks.programs.Program`), None when nothing
    is known of it.

    Where no command names one, it is what the training scripts of the repository have in common.
    """
    found: list[Program | None] = []

    def program() -> "Program | None":
        if not found:
            found.append(_program_of(sighting, loader, context, pin))
        return found[0]

    return program


def _program_of(sighting: "Sighting", loader: str, context: "Context", pin: "Pin | None") -> "Program | None":
    framework, origin, repository = sighting.framework, sighting.origin, context.repository
    if origin is not None and origin.program is not None:
        return origin.program
    if repository is None:
        return None
    is_by_some_script = (
        framework.reader.programs.read_by_scripts
        and loader in ("script", "own")
        and (origin is None or origin.invocation.framework is None)
    )
    if is_by_some_script and context.files:
        return repository.program_around(context.files.path, context.budget)
    return repository.copy_of(framework.title, pin.path) if pin is not None and pin.is_of_a_copy else None


# --- who reads the settings -----------------------------------------------------------------------------------------


class Reading(Record):
    """Who reads the settings of a run.

    reader       what does so in the place of the framework's own parser, an empty text for nothing
    is_open      whether settings stand elsewhere that nobody knows, before one asks who reads them
    incomplete   whether what is not written has no default that is known
    """

    reader: str
    is_open: bool
    incomplete: bool
    beliefs: "abc.Sequence[Belief]"


def _reading_of(
    sighting: "Sighting", written: "Written", trainer: Trainer, releases: "Releases", context: "Context"
) -> Reading:
    framework, origin, call = sighting.framework, sighting.origin, sighting.call
    reader, is_open = _reader_in_file(sighting)
    lacks_its_config = origin is not None and origin.lacks_its_config  # what the file says, nobody knows
    is_taken_as_whole = False
    if lacks_its_config or not _holds_all(sighting, written):
        # other files may build on one that no command is known to start, and set what it leaves out
        is_taken_as_whole = origin is None and framework.reader.configs.may_be_complete(written.by_key)
        is_open = not is_taken_as_whole
    if _is_of_a_fork(sighting, written, trainer.groups, releases, context):
        reader = Message("a fork of {framework}", {"framework": framework.title})
    incomplete = is_open or (call is not None and not call.is_whole)
    program = _own_parser(sighting)
    if program is not None:
        reader, incomplete = Message("the parser of {program}", {"program": program.name}), True
    beliefs = _assumptions(sighting, releases, context, is_taken_as_whole)
    read = [Belief(about="reader", value=reader, certainty=SHOWN)] if reader else []
    return Reading(reader=reader, is_open=is_open, incomplete=incomplete, beliefs=[*read, *beliefs])


def _own_parser(sighting: "Sighting") -> "Program | None":
    """The program of a command, where it reads its arguments with another parser than the usual one."""
    origin = sighting.origin if sighting.framework.reader.programs.read_by_scripts else None
    return origin.program if origin and origin.program and origin.program.own_parser else None


def _reader_in_file(sighting: "Sighting") -> tuple[str, bool]:
    """(what reads the settings in the place of the framework's own parser, "" for nothing; whether further settings
    stand elsewhere), as their file shows."""
    root = sighting.root
    if sighting.sections:
        return Message("what reads the sections {names}", {"names": series(sighting.sections)}), False
    if root is None or not sighting.framework.reader.programs.read_by_scripts:
        return NOTHING, False
    parts = root.get("defaults")
    composed = parts is not None and type(parts.value) is Sequence
    is_composed = composed or root.get("_target_") is not None
    return verbatim("Hydra") if is_composed else NOTHING, composed


def _holds_all(sighting: "Sighting", written: "Written") -> bool:
    """Whether a file and its command hold all settings that differ from their defaults."""
    framework, origin, composition = sighting.framework, sighting.origin, written.composition
    if framework.reader.configs.composed and _is_open(origin):
        return False
    if not framework.reader.configs.nested:
        return True
    is_based = sighting.root is None and not (origin and origin.invocation.config)
    is_based = composition.is_whole if composition else is_based
    return framework.reader.configs.is_complete(is_based, sighting.is_started, written.by_key)


def _is_of_a_fork(
    sighting: "Sighting", written: "Written", groups: "tuple[str, ...]", releases: "Releases", context: "Context"
) -> bool:
    """Whether settings show that a changed copy of the framework reads them."""
    framework = sighting.framework
    if not framework.reader.configs.nested or "version" in sighting.facts:
        return False
    names = releases.telling_names
    # what a file of somebody's own sets is no setting of the framework, and tells nothing of its batches where none are judged
    told_names = names if framework.arithmetic.knows_batches else names - written.in_file.keys()
    if framework.releases.is_a_fork(told_names, groups, releases.is_pinned_to_a_copy):
        return True
    if (
        sighting.origin is None
        or context.files is None
        or releases.newest is None
        or not framework.reader.configs.primaries
    ):
        return False
    from .copies import differs_from_a_copy

    return differs_from_a_copy(framework, groups, releases.newest.index, written.flags, context.files)


# --- what is taken to be so -----------------------------------------------------------------------------------------


def _beliefs_of(facts: "abc.Mapping[str, Fact]", releases: "Releases") -> "abc.Iterator[Belief]":
    """What is believed of the facts and of the releases of a run."""
    for name, fact in facts.items():
        yield Belief(about=name, value=fact.value, certainty=ASSUMED if fact.is_weak else STATED, place=fact.source)
    versions = releases.versions
    if releases.newest is not None and "version" not in facts:
        is_inferred = versions.source == "inferred"
        place = "" if is_inferred else versions.source
        yield Belief(
            about="version", value=releases.newest.text, certainty=ASSUMED if is_inferred else SHOWN, place=place
        )
    for package, version in releases.companion_versions.items():
        if package not in facts:
            yield Belief(about=f"companion:{package}", value=version, certainty=SHOWN)


def _assumptions(
    sighting: "Sighting", releases: "Releases", context: "Context", is_taken_as_whole: bool
) -> "abc.Iterator[Belief]":
    """What beside the file was not read and may change the verdict."""
    framework, origin = sighting.framework, sighting.origin
    if is_taken_as_whole or (framework.reader.configs.composed and not sighting.is_started):
        yield _assumed("arguments", Message("taking the command that starts this run to set nothing else"))
    is_inferred = releases.versions.source == "inferred"
    if is_inferred:
        yield from _doubts_of_a_copy(framework, releases.pin)
    if origin is None:
        yield from _doubts_of_scripts(context)
    elif origin.invocation.is_of_a_fork:
        yield _assumed(
            "trainer",
            Message(
                "{starter} is taken to be {title} by another name",
                {"starter": origin.invocation.starter, "title": framework.title},
            ),
        )
    if is_inferred and context.budget.has_cut(PINS):
        yield _assumed("version", Message("not all files of this repository that may pin a release were read"))
    for about, note in sighting.call.doubts if sighting.call is not None else ():
        yield _assumed(about, note)


def _doubts_of_scripts(context: "Context") -> "abc.Iterator[Belief]":
    """What scripts may set that were not looked at."""
    if context.budget.has_cut(OTHER_SCRIPTS, LAUNCHES):
        yield _assumed(
            "arguments",
            Message(
                "not all scripts of this repository were looked at, and one of them may start it with other settings"
            ),
        )


def _doubts_of_a_copy(framework: "Framework", pin: "Pin | None") -> "abc.Iterator[Belief]":
    """What is not known of the release that a copy of the framework says it has."""
    if framework.reader.configs.nested and pin is not None and ".dev" in pin.version:
        yield _assumed(
            "version",
            Message(
                "the {title} {version} of this repository lies between two releases",
                {"title": framework.title, "version": pin.version},
            ),
        )
    elif pin is not None and pin.is_of_a_copy:
        told = f"the copy of {framework.title} in this repository says {pin.version}, which is not known"
        yield _assumed("version", told)


def _assumed(about: str, note: str) -> Belief:
    return Belief(about=about, value=note, certainty=ASSUMED, note=note)


# --- the files that settings name -----------------------------------------------------------------------------------


def _attached(
    sighting: "Sighting", written: "Written", layers: "Layers", reading: Reading, context: "Context"
) -> "dict[str, Attached]":
    """{operand: Attached}: what keys imply, and what the files that the settings name contribute to the run."""
    files, origin = sighting.framework.reader.files, sighting.origin
    entries = layers.as_written
    is_complete = origin is not None and not reading.is_open
    found = {**sighting.framework.reader.configs.implied(written.by_key, is_complete)}
    for name, read in files.attachments.items():
        value = value_of(entries[name]) if name in entries else UNKNOWN
        found.update({} if value is UNKNOWN else read(value, context.files))
    for name in filter(entries.__contains__, files.json_files):
        from ..frameworks.shared.json_files import attached

        finder, elsewhere = _files_of(entries[name], context, origin)
        found.update(attached(name, files.json_files[name], value_of(entries[name]), finder, elsewhere))
    if files.launcher_attachment and "deepspeed" not in entries:
        found.update(_of_the_launcher(origin, files.launcher_attachment, context))
    return found


def _of_the_launcher(origin: "Origin | None", read: "ReadLauncher", context: "Context") -> "abc.Mapping[str, Attached]":
    """What the file for the launcher contributes, unless an option of the launcher has the last word."""
    launcher = origin.launcher if origin and not origin.invocation.tells_deepspeed else None
    if launcher is None:
        return {}
    launcher = _as_it_is_seen(launcher, context.files)
    settings = {name: value_of(entry) for name, entry in entries_of(mapping_of(launcher.document)).items()}
    return read(settings, launcher, context.files)


def _as_it_is_seen(file: "NamedFile", files: "Files | None") -> "NamedFile":
    """A file that was read once for all, as it is now: an edit of it may be on trial."""
    text = files.read(file.path) if files else None
    return file if text is None or text == file.text else type(file)(file.path, text)


def _files_of(
    entry: "Entry", context: "Context", origin: "Origin | None"
) -> "tuple[NamedFiles | None, abc.Callable[[str], bool]]":
    """(what finds the files that a setting names, whether a file may be there that it does not find)."""
    files, repository = context.files, context.repository

    def may_be_elsewhere(name: str) -> bool:
        if files is None or repository is None or files.budget.has_cut(NAMED):
            return True
        return repository.may_hold(files.path, name)

    if files is not None and origin is not None and isinstance(entry, Flag) and len(entry.words) == 1:
        return _SeenFrom(files, origin, entry), may_be_elsewhere
    return files, may_be_elsewhere


class _SeenFrom:
    """Finds the file that a flag names, from the folder in which its command runs."""

    def __init__(self, files: "Files", origin: "Origin", flag: Flag) -> None:
        self._files = files
        self._command = origin.invocation.command
        self._word = flag.words[0]

    def find(self, name: str) -> "NamedFile | None":
        return self._files.named_by(self._command, self._word) or self._files.find(name)
