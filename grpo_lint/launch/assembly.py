"""Puts a launch together, stage by stage: what is written, whose trainer it is, which releases it may have, who reads it."""

from ..files.budget import LAUNCHES, NAMED, OTHER_SCRIPTS, PINS
from ..frameworks.command_spec import CONFIG_FORM, PROGRAM
from ..message import NOTHING, Message, series, verbatim
from ..record import Record, derived
from ..source.entry import Flag, is_set, loaded, mapping_of, reader_of, texts_in
from ..source.yaml.reader import Scalar, Sequence, entries_of
from ..unknown import UNKNOWN
from .facts import Fact
from .launch import ASSUMED, SHOWN, STATED, Belief, Launch
from .releases import Said, pinned_for, releases_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import abc
    from typing import Any

    from ..frameworks.protocols import Copy
    from ..shared_types import (
        Attached,
        Candidate,
        Context,
        Entry,
        Fields,
        Files,
        Framework,
        NamedFiles,
        Origin,
        OtherTree,
        Pin,
        Program,
        Repository,
        Sighting,
        Text,
    )
    from ..source.yaml.reader import Mapping
    from .composition import Composition
    from .files import NamedFile
    from .releases import Releases

    ReadLauncher = abc.Callable[[abc.Mapping[str, object], NamedFile | None, NamedFiles | None], dict[str, Attached]]


def started_launch(sighting: "Sighting | None", context: "Context") -> Launch | None:
    """The launch that a command starts; None when it trains something else."""
    launch = launch_of(sighting, context) if sighting is not None else None
    # of a program that nobody knows keys are judged, and no keys where it does not start from the framework's tree
    return None if launch is None or (launch.incomplete and not launch.framework.arithmetic.knows_batches) else launch


class Stages(Record):
    """What is known of a run before it is one Launch, each made of those above it."""

    sighting: "Sighting"
    written: "Written"
    copy: "Copy | None"
    trainer: "Trainer"
    facts: "dict[str, Fact]"
    releases: "Releases"
    layers: "Layers"
    reading: "Reading"
    find_program: "abc.Callable[[], Program | None]"


def launch_of(sighting: "Sighting", context: "Context") -> Launch:
    """The launch that a mapping describes, or a command with the mapping of its file."""
    written = written_in(sighting, context)
    trainer = _trainer_of(sighting, written, context)
    facts = _facts_of(sighting, written, context)
    pinned = pinned_for(sighting, context)
    folder = _folder_of_copy(sighting, pinned.framework, context) if "version" not in facts else None
    sighting = _as_copied(sighting, trainer, folder, context)
    find_program = _program_finder(sighting, trainer.loader, context)
    names = _telling_names(sighting.framework, written, sighting.origin)
    said = Said(texts=_texts_of(sighting, written), values=_values_of(written))
    releases = releases_of(sighting, names, said, trainer.groups, facts, pinned, find_program)
    copy = context.copy_at(folder or _folder_beside(sighting, releases, context))
    own = _own_flags(sighting, copy)
    layers = layers_of(sighting, written, trainer.groups, releases.newest, releases.beside_newest, context, own)
    reading = _reading_of(sighting, written, trainer, releases, copy, context)
    stages = Stages(
        sighting=sighting,
        written=written,
        copy=copy,
        trainer=trainer,
        facts=facts,
        releases=releases,
        layers=layers,
        reading=reading,
        find_program=find_program,
    )
    return _complete(stages, context)


def _as_copied(sighting: "Sighting", trainer: "Trainer", folder: "str | None", context: "Context") -> "Sighting":
    """The sighting with the framework as the copy in a folder has it."""
    if folder is None or context.repository is None:
        return sighting
    config = ""
    if sighting.origin is not None and (sighting.origin.invocation.entry is None or sighting.root is not None):
        from .which_copy import config_beside, config_of_program

        config_of = config_of_program if sighting.origin.invocation.entry is None else config_beside
        config = config_of(folder, sighting.origin)
    found = context.repository.framework_of_copy(sighting.framework, folder, trainer.groups[0], config)
    return sighting if found is None else sighting.but(framework=found)


def _folder_of_copy(sighting: "Sighting", pin: "Pin | None", context: "Context") -> "str | None":
    """The folder of the copy of a framework that Python imports; None where the checkout has none, or pins a release."""
    tree, is_of_another = (
        sighting.framework.reader.primaries.folder,
        sighting.framework.releases.is_of_another_package,
    )
    folder = (_copy_started(sighting.origin, tree) if tree else None) or (pin.copied_to if pin is not None else None)
    is_told = pin is not None and not is_of_another and (pin.version or pin.fork or pin.is_of_a_copy)
    return folder if folder or is_told or not tree or context.files is None else _copy_nearby(sighting, tree, context)


def _copy_started(origin: "Origin | None", tree: str) -> "str | None":
    """The folder of the copy whose own program a command starts as a part of another package."""
    if origin is None or f"/{tree.partition('/')[0]}/" not in (origin.invocation.program.value or "").replace(".", "/"):
        return None
    from .which_copy import copy_around_program  # few commands come here

    return copy_around_program(tree, origin)


def _copy_nearby(sighting: "Sighting", tree: str, context: "Context") -> "str | None":
    """The folder of the copy that is nearest above a run, or the only one around a file that no command starts."""
    files, repository = context.files, context.repository
    primaries = [f"{tree}/{primary}.yaml" for primary in sighting.framework.reader.primaries.names]
    primaries += _built_on(sighting.root, tree)
    found: list[str] | None = next(filter(None, map(files.places, primaries)), None)  # type: ignore[union-attr]  # there are some
    if found:
        return found[0][: found[0].rindex(tree)] + tree.partition("/")[0]
    in_src = [place for each in primaries for place in files.places(f"src/{each}")]  # type: ignore[union-attr]
    if not in_src and (sighting.origin is not None or repository is None or not primaries):
        return None
    from .which_copy import installed_from_src, only_copy

    folder = installed_from_src(in_src, tree, files)  # type: ignore[arg-type]
    if folder or sighting.origin is not None or repository is None:
        return folder
    return only_copy(files.path, primaries[0], repository)  # type: ignore[union-attr]


def _own_flags(sighting: "Sighting", copy: "Copy | None") -> "frozenset[str]":
    """The flags of a command that its program or a copy declares: none of them abbreviates another one."""
    program = sighting.origin.program if sighting.origin is not None else None
    declared = program.declares if program is not None else frozenset()
    if copy is None or not sighting.framework.copies.parser:
        return declared
    from .own_flags import own_among

    return declared.union(own_among(sighting, copy))


def _folder_beside(sighting: "Sighting", releases: "Releases", context: "Context") -> "str | None":
    """The folder of the copy that says the release, or of one beside the run that declares its flags."""
    if releases.pin is not None and releases.pin.copied_to:
        return releases.pin.copied_to
    if not sighting.framework.copies.parser:
        return None
    from .own_flags import folder_with_a_parser  # few frameworks have flags alone

    return folder_with_a_parser(sighting.framework.copies.parser, context)


def _built_on(root: "Mapping | None", tree_folder: str) -> "abc.Iterator[str]":
    """The paths of the framework's own files on which a file builds by its list of defaults, as `../lib/verl/trainer/config/x@_here_`."""
    built_on = next((entry.value for entry in root.entries if entry.name == "defaults"), None) if root else None
    for item in built_on.items if isinstance(built_on, Sequence) else ():
        if isinstance(item, Scalar) and f"{tree_folder}/" in item.text:
            yield f"{item.text.partition('@')[0].removesuffix('.yaml')}.yaml"


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
        beside=releases.beside,
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
        copy=stages.copy,
        **_lookups(sighting.framework, stages.copy, context),
    )


def _lookups(framework: "Framework", copy: "Copy | None", context: "Context") -> "dict[str, abc.Callable[..., Any]]":
    """Functions that look names up in the Python around a run, and in other trees of settings."""
    found: dict[str, abc.Callable[..., Any]] = {}
    if framework.refusals.registrations and context.repository and context.files:
        repository, path, budget = context.repository, context.files.path, context.budget
        found["registered_at"] = lambda name, words: repository.registered_at(name, words, path, budget)
        if not framework.copies.folder:  # what is installed may be changed by what is here; a copy is read as it is
            found["declared_at"] = lambda name: _declared_at(name, repository.python_around(path))
        elif copy is not None:
            found["other_trees"] = lambda: _other_trees(framework, copy, path, repository)
    return found


def _declared_at(name: str, python: "abc.Iterable[tuple[str, str]]") -> str:
    from .registrations import declared_at  # few runs ask

    return declared_at(name, python)


def _other_trees(
    framework: "Framework", copy: "Copy", path: str, repository: "Repository"
) -> "abc.Sequence[OtherTree]":
    from .other_trees import other_trees  # few runs ask

    return other_trees(framework, copy, path, repository)


class Trainer(Record):
    """Whose settings a run has: its algorithm, what reads them, and the groups of the catalogue whose fields it may hold."""

    algorithm: str
    loader: str
    groups: "tuple[str, ...]"


def _trainer_of(sighting: "Sighting", written: "Written", context: "Context") -> Trainer:
    reads, facts, origin = sighting.framework.reader.trainer, sighting.facts, sighting.origin
    algorithm: str = (
        facts["algorithm"].value
        if "algorithm" in facts
        else _started_algorithm(origin) or _algorithm_by_keys(reads.algorithm(written.names), sighting, context)
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
    return origin.invocation.algorithm or (origin.program.builds if origin.program is not None else None)


def _algorithm_by_keys(algorithm: str, sighting: "Sighting", context: "Context") -> str:
    """The algorithm that keys tell, unless the program that reads their file builds another one. Few files have such keys, and only
    for them one looks at the repository's Python."""
    reads = sighting.framework.reader
    is_usual = algorithm == reads.trainer.algorithm(frozenset()) or not reads.programs.read_by_scripts
    if is_usual or sighting.origin or sighting.call or context.repository is None or context.files is None:
        return algorithm
    program = context.repository.program_around(context.files.path, context.budget)
    return (program.builds if program is not None else None) or algorithm


def _loader_of(origin: "Origin | None") -> str:
    """What reads the settings of a command: a script of one's own is one that was found and calls the parser itself."""
    loader = origin.invocation.loader if origin else "script"
    is_own = loader == "script" and origin is not None and origin.program is not None and origin.program.reading
    return "own" if is_own else loader


def _facts_of(sighting: "Sighting", written: "Written", context: "Context") -> "dict[str, Fact]":
    """{name: Fact} of what is said of a run, of what its file says in keys, and of what is presumed."""
    framework, origin = sighting.framework, sighting.origin
    by_key = written.by_key
    if sighting.is_part or (framework.reader.configs.composed and not _says_all(sighting, written)):
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


def _says_all(sighting: "Sighting", written: "Written") -> bool:
    """Whether what is not written of a run, whose files hold only some of the settings, has a default that is known."""
    if sighting.is_started:
        return not _is_open(sighting.origin)
    composition = written.composition if _is_built_on_paths(sighting.framework) else None
    return composition is not None and composition.is_whole


def _unknown_where_absent(by_key: "abc.Callable[[str], object]") -> "abc.Callable[[str], object]":
    """The values of a file where files hold only a few of the settings: one that is not written is not at its default."""
    return lambda name: UNKNOWN if by_key(name) is None else by_key(name)


def _is_open(origin: "Origin | None") -> bool:
    """Whether more of what a command says is not known than the arguments that it passes on: its file, or words of its own."""
    return origin is not None and (origin.invocation.lacks_words or origin.lacks_its_config)


def _program_finder(sighting: "Sighting", loader: str, context: "Context") -> "abc.Callable[[], Program | None]":
    """A function that gives the training script that reads the settings (`frameworks.programs.Program`), None when nothing
    is known of it.

    Where no command names one, it is what the training scripts of the repository have in common.
    """
    found: list[Program | None] = []

    def program() -> "Program | None":
        if not found:
            found.append(_program_of(sighting, loader, context))
        return found[0]

    return program


def _program_of(sighting: "Sighting", loader: str, context: "Context") -> "Program | None":
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
    return None


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
    sighting: "Sighting",
    written: "Written",
    trainer: Trainer,
    releases: "Releases",
    copy: "Copy | None",
    context: "Context",
) -> Reading:
    framework, origin, call = sighting.framework, sighting.origin, sighting.call
    reader, is_open = _reader_in_file(sighting)
    lacks_its_config = origin is not None and origin.lacks_its_config  # what the file says, nobody knows
    is_taken_as_whole = False
    if lacks_its_config or not _holds_all(sighting, written):
        # other files may build on one that no command is known to start, and set what it leaves out
        is_taken_as_whole = origin is None and framework.reader.configs.may_be_complete(written.by_key)
        is_open = not is_taken_as_whole
    reader = _fork_of(sighting, written, trainer.groups, releases) or reader
    incomplete = is_open or (call is not None and not call.is_whole)
    program = _own_parser(sighting) or _own_reader(sighting, context)
    if program:
        reader, incomplete = Message("the parser of {program}", {"program": program}), True
    beliefs = _assumptions(sighting, releases, copy, context, is_taken_as_whole)
    read = [Belief(about="reader", value=reader, certainty=SHOWN)] if reader else []
    return Reading(reader=reader, is_open=is_open, incomplete=incomplete, beliefs=[*read, *beliefs])


def _own_parser(sighting: "Sighting") -> str:
    """The program of a command, where it reads its arguments with another parser than the usual one; empty where it does not."""
    origin = sighting.origin if sighting.framework.reader.programs.read_by_scripts else None
    return origin.program.name if origin and origin.program and origin.program.own_parser else ""


def _own_reader(sighting: "Sighting", context: "Context") -> str:
    """A program of the repository that reads such files by classes of its own, where nothing says which program reads this one; empty
    where there is none."""
    programs, repository = sighting.framework.reader.programs, context.repository
    is_told = sighting.origin is not None or not sighting.facts.keys().isdisjoint(("dialect", "version"))
    if is_told or not programs.words_of_own_readers or repository is None or context.files is None:
        return ""
    return repository.program_with(programs.words_of_own_readers, context.files.path, programs.path)


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
    is_based = sighting.root is None and not (origin and origin.invocation.config and not origin.starts_from_a_primary)
    is_based = composition.is_whole if composition else is_based
    return framework.reader.configs.is_complete(is_based, sighting.is_started, written.by_key)


def _fork_of(sighting: "Sighting", written: "Written", groups: "tuple[str, ...]", releases: "Releases") -> Message:
    """The changed framework that reads the settings: one that is installed from somebody's own repository, or that settings show;
    an empty text for none."""
    framework = sighting.framework
    if releases.pin is not None and releases.pin.fork and releases.versions.source == "inferred":
        return Message("the {framework} of {fork}", {"framework": framework.title, "fork": releases.pin.fork})
    if not framework.reader.configs.nested or "version" in sighting.facts or framework.copies.folder:
        return NOTHING
    names = releases.telling_names
    # what a file of somebody's own sets is no setting of the framework, and tells nothing of its batches where none are judged
    told_names = names if framework.arithmetic.knows_batches else names - written.in_file.keys()
    if framework.releases.is_a_fork(told_names, groups, releases.is_pinned_to_a_copy):
        return Message("a fork of {framework}", {"framework": framework.title})
    return NOTHING


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
    sighting: "Sighting",
    releases: "Releases",
    copy: "Copy | None",
    context: "Context",
    is_taken_as_whole: bool,
) -> "abc.Iterator[Belief]":
    """What beside the file was not read and may change the verdict."""
    framework, origin = sighting.framework, sighting.origin
    if is_taken_as_whole or (framework.reader.configs.composed and not sighting.is_started):
        yield _assumed("arguments", Message("assuming that the command of this run sets nothing else"))
    is_inferred = releases.versions.source == "inferred"
    if is_inferred:
        yield from _doubts_of_a_copy(framework, releases.pin)
    yield from _doubts_of_own_flags(sighting, copy)
    if origin is not None:
        yield from _doubts_of_patches(framework, origin)
        yield from _doubts_of_own_program(framework, origin)
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


# words of scripts that change what is installed, or start another program that may do so
_OF_INSTALLED = ("-packages", "__file__", "__path__", "find_spec", "sitepackages", "purelib", "pip show", ".sh", ".py")


def _doubts_of_patches(framework: "Framework", origin: "Origin") -> "abc.Iterator[Belief]":
    """Where the script of a command changes the installed framework before it starts the run."""
    text, end = (origin.script.text if origin.script else origin.files.own_text) or "", origin.invocation.command.start
    if any(0 <= text.find(word) < end for word in _OF_INSTALLED):
        from .patches import told_of_patches  # few scripts change something

        yield from (_assumed("version", note) for note in told_of_patches(framework, origin, text))


def _doubts_of_a_copy(framework: "Framework", pin: "Pin | None") -> "abc.Iterator[Belief]":
    """What is not known of the release that a copy of the framework says it has."""
    if framework.releases.is_of_another_package:
        return
    if pin is not None and ".dev" in pin.version and _is_later_than_the_first(framework, pin.version):
        yield _assumed(
            "version",
            Message(
                "the {title} {version} of this repository lies between two releases",
                {"title": framework.title, "version": pin.version},
            ),
        )
    elif pin is not None and pin.is_of_a_copy and pin.version:
        told = f"the copy of {framework.title} in this repository says {pin.version}, which is not known"
        yield _assumed("version", told)


def _is_later_than_the_first(framework: "Framework", version: str) -> bool:
    from ..frameworks.versions import version_key  # few copies lie between releases

    return version_key(version) > version_key(framework.catalogue.releases[0])


def _doubts_of_own_program(framework: "Framework", origin: "Origin") -> "abc.Iterator[Belief]":
    """What a program of somebody's own may do with settings before it trains with the functions of a framework."""
    if origin.invocation.own is not None and origin.invocation.own.calls:
        from .own_settings import doubt_of_program

        yield from (_assumed("trainer", note) for note in doubt_of_program(origin, framework.title))


def _doubts_of_own_flags(sighting: "Sighting", copy: "Copy | None") -> "abc.Iterable[Belief]":
    """What the flags of a command show that a copy of the framework declares."""
    if copy is None or not sighting.framework.copies.parser:
        return ()
    from .own_flags import doubts_of_own_flags

    return doubts_of_own_flags(sighting, copy)


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
    found.update(_of_the_command(sighting.framework, origin))
    for name, read in files.attachments.items():
        value = loaded(entries[name].value) if name in entries else UNKNOWN
        found.update({} if value is UNKNOWN else read(value, context.files))
    for name in filter(entries.__contains__, files.json_files):
        from ..frameworks.shared.json_files import attached

        finder, elsewhere = _files_of(entries[name], context, origin)
        found.update(attached(name, files.json_files[name], loaded(entries[name].value), finder, elsewhere))
    if files.launcher_attachment and "deepspeed" not in entries:
        found.update(_of_the_launcher(origin, files.launcher_attachment, context))
    found.update(_of_the_starter(sighting.framework, origin))
    return found


def _of_the_command(framework: "Framework", origin: "Origin | None") -> "abc.Mapping[str, Attached]":
    """What the program of a command and its environment contribute."""
    if origin is None:
        return {}
    programs = framework.reader.programs
    return {
        **programs.surroundings({**origin.invocation.variables_here, **dict.fromkeys(origin.invocation.arrays)}),
        **programs.dated(origin.dated_program(framework)),
    }


def _of_the_starter(framework: "Framework", origin: "Origin | None") -> "abc.Mapping[str, Attached]":
    """What a program that reads no file for accelerate contributes."""
    flags = framework.reader.flags
    read = flags.starter_attachment
    if read is None or origin is None or origin.invocation.starter not in flags.fileless_starters:
        return {}
    return read(origin.invocation.starter, origin.invocation.variables_here)


def _of_the_launcher(origin: "Origin | None", read: "ReadLauncher", context: "Context") -> "abc.Mapping[str, Attached]":
    """What the file for the launcher contributes, unless an option of the launcher has the last word."""
    if origin is None or origin.invocation.tells_deepspeed:
        return {}
    launcher = origin.launcher
    if launcher is None:
        return {} if origin.has_launcher else read({}, None, None)
    launcher = _as_it_is_seen(launcher, context.files)
    settings = {name: loaded(entry.value) for name, entry in entries_of(mapping_of(launcher.document)).items()}
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


def _telling_names(framework: "Framework", written: "Written", origin: "Origin | None") -> "abc.Set[str]":
    """The names of the settings by which releases are told apart."""
    if framework.reader.configs.nested:
        together = {**written.in_file, **written.flags}
        names = {
            framework.reader.keys.written(name, entry)
            for name, entry in together.items()
            if name not in written.in_file
        }
        return names | written.in_file.keys()
    if origin and origin.program:
        return written.names - origin.program.declares  # what a script declares itself tells no release
    return written.names


def _texts_of(sighting: "Sighting", written: "Written") -> "abc.Callable[[], abc.Mapping[str, str]]":
    """A function that gives {name: text} of the settings that hold texts, and the form in which a command names its config: that
    tells releases apart as well as a setting does."""

    def texts() -> "abc.Mapping[str, str]":
        form = sighting.origin.config_form(sighting.framework) if sighting.origin else ""
        program = sighting.origin.dated_program(sighting.framework) if sighting.origin else ""
        found = {CONFIG_FORM: form, PROGRAM: program}
        return {
            **texts_in({**written.in_file, **written.flags}),
            **{name: text for name, text in found.items() if text},
        }

    return texts


def _values_of(written: "Written") -> "abc.Callable[[abc.Iterable[str]], abc.Mapping[str, object]]":
    """Gives {name: value} of some settings."""

    def values(names: "abc.Iterable[str]") -> "abc.Mapping[str, object]":
        flags, in_file = written.flags, written.in_file
        return {name: loaded((flags[name] if name in flags else in_file[name]).value) for name in names}

    return values


# --- layers -------------------------------------------------------------------------------------------------------------

# The settings of a run by their places, the weakest first: files, the command that starts them, defaults of a training script.


class Layer(Record):
    """The settings that one place says: a config file, or the command that starts it.

    entries      {name: Entry}
    text         the file in which they stand, None for the file that is judged
    is_default   whether they are what counts where nobody says anything: defaults that the training script's own classes of arguments
                 have
    """

    entries: "dict[str, Entry]"
    text: "Text | None" = None
    is_default: bool = False


class Written(Record):
    """What the files of a run and its command say, before anybody knows the release that reads it.

    file          the layers of the file and of those on which it builds
    flags         {name: Flag} of the command, but for those that only choose a file
    composition   what the file and those that it names set together; None for one file, or none
    by_key        gives the value of a setting by its key in them, None where it is absent
    """

    file: "abc.Sequence[Layer]"
    flags: "abc.Mapping[str, Flag]"
    composition: "Composition | None"
    by_key: "abc.Callable[[str], object]"

    @derived
    def in_file(self) -> "abc.Mapping[str, Entry]":
        """{name: Entry} of what counts in the files."""
        return winning(self.file)

    @derived
    def names(self) -> "abc.Set[str]":
        """The names of all settings."""
        return {**self.in_file, **self.flags}.keys() if self.flags else self.in_file.keys()

    @property
    def parts(self) -> "abc.Set[str]":
        """The names of what counts from other files that Hydra composes."""
        return self.composition.texts.keys() - self.flags.keys() if self.composition else frozenset()

    @property
    def unknown_part(self) -> str:
        """The element of a list of defaults whose file is not known, as it is written; empty where there is none."""
        return self.composition.unknown if self.composition else ""


def written_in(sighting: "Sighting", context: "Context") -> Written:
    """What is written of a run."""
    framework, origin = sighting.framework, sighting.origin
    own = origin.config if origin else None
    entries = sighting.entries
    file = [Layer(entries=each, text=own) for each in framework.reader.configs.layers_in(entries)]
    flags: dict[str, Flag] = origin.flags if origin else {}
    composition = _composed(sighting, context)
    if composition is not None:
        file = [Layer(entries=each, text=text or own) for text, each in composition.by_text()]
        flags = {name: flag for name, flag in flags.items() if name not in composition.consumed}
    in_file = winning(file) if framework.reader.configs.nested else entries
    by_key = reader_of(flags, in_file, composition.start if composition else {})
    return Written(file=file, flags=flags, composition=composition, by_key=by_key)


def _composed(sighting: "Sighting", context: "Context") -> "Composition | None":
    """What a config and the files that it names set together, where Hydra composes them; None for one file, or none."""
    framework, root, origin = sighting.framework, sighting.root, sighting.origin
    if _is_built_on_paths(framework):
        return _built_on_paths(sighting, context)
    if not _is_composed(sighting):
        return None
    from .composition import compose, is_of_the_tree

    path = context.files.path if context.files else ""
    if origin and origin.config is not None:
        path = origin.config.path
    if is_of_the_tree(framework, path):
        return None  # what it sets stands in the catalogue
    if origin is None:
        return compose(framework, root, path, 0, context.files, {}, (), {})
    own = origin.invocation
    levels, folders, variables = own.config_levels, own.folders, own.variables_here
    return compose(framework, root, path, levels, context.files, own.flags, folders, variables)


def _is_built_on_paths(framework: "Framework") -> bool:
    """Whether files name those on which they build by their paths, and not by places in a tree."""
    return bool(framework.reader.primaries.names) and not framework.reader.primaries.folder


def _built_on_paths(sighting: "Sighting", context: "Context") -> "Composition | None":
    """What a config and the files on which it builds by their paths set together; None without a config."""
    if sighting.root is None:
        return None
    from .based import built_on

    path = context.files.path if context.files else ""
    if sighting.origin and sighting.origin.config is not None:
        path = sighting.origin.config.path
    return built_on(sighting.framework, sighting.root, path, context.files)


def _is_composed(sighting: "Sighting") -> bool:
    """Whether a run is put together of several files."""
    root, own = sighting.root, sighting.origin.invocation if sighting.origin else None
    if not sighting.framework.reader.primaries.names:
        return False
    if root is None and own is not None and own.config is not None:
        return False  # its file is not here
    if (root is not None and root.get("defaults") is not None) or (own is not None and own.folders):
        return True
    from ..source.overrides import chooses_a_file, may_choose_a_file

    return own is not None and any(map(may_choose_a_file if root is not None else chooses_a_file, own.flags))


# --- under a release ------------------------------------------------------------------------------------------------


class Layers(Record):
    """The layers of a run by the names that the framework takes its settings for.

    layers     all of them, the weakest first
    as_written  {name: Entry} of what counts, by the names under which it is written; without any defaults
    entries    {name: Entry}: of each setting that somebody sets the one that counts
    defaults   {name: Entry}: of those that nobody sets, what the layers of defaults say
    """

    layers: "abc.Sequence[Layer]"
    as_written: "abc.Mapping[str, Entry]"
    entries: "abc.Mapping[str, Entry]"

    @derived
    def defaults(self) -> "abc.Mapping[str, Entry]":
        unset = [layer.entries for layer in self.layers if layer.is_default]
        return {name: each for table in unset for name, each in table.items() if name not in self.entries}


def layers_of(
    sighting: "Sighting", written: Written, groups: "tuple[str, ...]", newest: "Candidate | None", stated: "abc.Mapping[str, str]",
    context: "Context", own: "frozenset[str]" = frozenset(),
) -> Layers:  # fmt: skip
    """The layers of a run as the newest release that it may run on takes them; None where there is no such release. `own`: flags that
    are read as they are written."""
    framework, origin = sighting.framework, sighting.origin
    set_here: abc.Sequence[Layer] = written.file
    unset: abc.Iterable[Layer] = ()
    if origin is not None:
        set_here = _under_a_command(framework, groups, newest, written, origin, own)
        unset = _defaults(framework, groups, newest, origin, context)
    as_written = entries = winning(set_here)
    layers = [*unset, *set_here]
    if newest is None:
        return Layers(layers=layers, as_written=as_written, entries=entries)
    fields = framework.releases.fields(groups, newest.index, stated)
    if framework.reader.keys.abbreviates:
        layers = [each.but(entries=_unabbreviated(each.entries, fields, sighting, own)) for each in layers]
        entries = winning([each for each in layers if not each.is_default])
    elif not framework.reader.renames.old_names.keys().isdisjoint(entries):
        old = _old_names(framework, entries, fields)
        layers = [each.but(entries=_renamed(each.entries, old)) for each in layers]
        entries = _renamed(entries, old)
    return Layers(layers=layers, as_written=as_written, entries=entries)


def _old_names(framework: "Framework", entries: "abc.Mapping[str, Entry]", fields: "Fields") -> dict[str, str]:
    """{old name: name} of the settings whose old name the release still takes: it wins over the new one."""
    return {
        old: name
        for old, name in framework.reader.renames.old_names.items()
        if fields[old] and old in entries and is_set(entries[old])
    }


def _under_a_command(
    framework: "Framework", groups: "tuple[str, ...]", newest: "Candidate | None", written: Written, origin: "Origin",
    own: "frozenset[str]",
) -> "list[Layer]":  # fmt: skip
    """A file and the command that starts it, in the order in which the framework lays one over the other."""
    flags: dict[str, Entry] = {**written.flags}
    spelt = framework.reader.flags
    if newest is not None and not framework.reader.configs.nested:
        fields = framework.catalogue.fields(groups, newest.index)
        is_literal = spelt.spellings == 1
        if spelt.abbreviates:
            flags = dict(_as_field(name, flag, fields, is_literal, own) for name, flag in written.flags.items())
        elif is_literal:
            respelt = (flag for each in origin.invocation.repeated for flag in each)
            both = [*((flag.name.replace("-", "_"), flag) for flag in respelt), *written.flags.items()]
            flags = {_exactly(name, flag, fields, spelt.written(name)): flag for name, flag in both}
    command = Layer(entries=flags, text=origin.script)
    file_wins = newest is not None and framework.reader.configs.file_wins(newest.key)
    return [command, *written.file] if file_wins else [*written.file, command]


def _defaults(
    framework: "Framework", groups: "tuple[str, ...]", newest: "Candidate | None", origin: "Origin", context: "Context"
) -> "abc.Iterable[Layer]":
    """The settings for which the classes of arguments of a training script have defaults of their own, by their files."""
    program = origin.program if framework.reader.programs.read_by_scripts else None
    if program is None or not program.defaults or newest is None or context.files is None:
        return ()
    fields = framework.catalogue.fields(groups, newest.index)
    by_path: dict[str, Layer] = {}
    for name, default in program.defaults.items():
        if not framework.catalogue.known(name, groups):
            continue
        if default.path not in by_path:
            text = context.files.library.text(default.path)
            by_path[default.path] = Layer(entries={}, text=text, is_default=True)
        layer = by_path[default.path]
        if layer.text is not None:
            layer.entries[name] = default.entry(name, layer.text, fields[name])
    return by_path.values()


def _as_field(name: str, flag: Flag, fields: "Fields", is_literal: bool, own: "frozenset[str]") -> tuple[str, Flag]:
    """(field, flag): the field that argparse takes a flag for; `--no_x` switches x off."""
    if name in own:
        return name, flag
    if is_literal:
        return flag.name if "-" in flag.name else unabbreviated(name, fields, True), flag
    found = unabbreviated(name, fields)
    if fields[found] is None and found.startswith("no_") and fields[found[3:]] is not None:
        value = Scalar(flag.value.start, flag.value.end, "False", style='"')
        return found[3:], Flag(flag.key, value)
    return found, flag


def _exactly(name: str, flag: Flag, fields: "Fields", told: str) -> str:
    """The field that a flag is read as where a parser takes one spelling of it; what is spelt otherwise is none."""
    if f"--{flag.name}" == told:
        return name
    return flag.name if "-" in flag.name and fields[flag.name] else f"--{flag.name}"


def winning(layers: "abc.Sequence[Layer]") -> "abc.Mapping[str, Entry]":
    """{name: Entry} of what counts where layers, the weakest first, lie over one another."""
    return (
        layers[0].entries
        if len(layers) == 1
        else {name: each for layer in layers for name, each in layer.entries.items()}
    )


def _renamed(table: "abc.Mapping[str, Entry]", names: dict[str, str]) -> "dict[str, Entry]":
    """A table by new names, {old: new}; where it holds both, what stands under the new name is overwritten."""
    overwritten = {new for old, new in names.items() if old in table}
    return {names.get(name, name): entry for name, entry in table.items() if name not in overwritten}


def _unabbreviated(
    table: "abc.Mapping[str, Entry]", fields: "Fields", sighting: "Sighting", own: "frozenset[str]"
) -> "dict[str, Entry]":
    """A table by the names of fields; what a call gives comes as it is, and no parser converts it."""
    is_literal, call = sighting.framework.reader.flags.spellings == 1, sighting.call
    found = {
        name if fields[name] or name in own else unabbreviated(name, fields, is_literal): entry
        for name, entry in table.items()
    }
    return found if call is None else call.as_they_come(found, fields)


def unabbreviated(name: str, fields: "Fields", is_literal: bool = False) -> str:
    """The field that argparse takes a flag for: dashes are underscores, and the beginning of one field's name is
    enough.

    A beginning without an underscore matches a field with one in both its spellings, which argparse calls ambiguous; `is_literal`: where
    a flag has only one.
    """
    if is_literal:
        matches = [name] if fields[name] else fields.beginning_with(name)
        return matches[0] if len(matches) == 1 else name
    name = name.replace("-", "_")
    if fields[name]:
        return name
    matches = fields.beginning_with(name)
    clear = len(matches) == 1 and ("_" in name or "_" not in matches[0])
    return matches[0] if clear else name
