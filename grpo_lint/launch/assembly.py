"""Puts a launch together: the settings of a file, the flags of a command over or under them, and the facts about both."""

from ..files.budget import LAUNCHES, NAMED, OTHER_SCRIPTS, PINS
from ..frameworks.commands import CONFIG_FORM
from ..frameworks.companions import COMPANIONS
from ..frameworks.ms_swift.recognition import is_misspelt
from ..frameworks.registry import OF_SCRIPTS, recognise, serves_scripts, trained_by_scripts, trained_by_sure_scripts
from ..frameworks.registry import framework as framework_named
from ..frameworks.trl.programs import PACKAGE
from ..frameworks.versions import version_key
from ..source.entry import Flag, value_of
from ..source.yaml.reader import Alias, Mapping, Scalar, Sequence, is_text
from ..unknown import UNKNOWN
from .facts import Fact
from .launch import Launch, Layer, unabbreviated, winning
from .pins import pin_of, pins_for
from .versions import find_versions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import abc

    from ..files.budget import Budget
    from ..frameworks.base import Attached, Framework, NamedFiles
    from ..frameworks.catalogue import Fields
    from ..source.yaml.reader import Document, Entry
    from .composition import Composition
    from .context import Context
    from .files import Files, NamedFile
    from .launch import Candidate
    from .origin import Origin
    from .pins import Pin
    from .programs import Program
    from .versions import Versions


_RLOO_OF_GROUPS = (0, 22)  # of TRL


def facts_in(path: str, facts: "dict[str, Fact]") -> "dict[str, Fact]":
    """Facts that another file states. Those whose place is in that file get its path."""
    return {
        name: Fact(fact.value, f"{fact.source} in {path}", (path, *fact.where[1:]))
        if fact.where and fact.where[0] is None
        else fact
        for name, fact in facts.items()
    }


def reader_of(*tables: "abc.Mapping[str, Entry]") -> "abc.Callable[[str], object]":
    """A function that reads the value of a name from the first of some {name: entry} that has it, None when none has."""

    def value(name: str) -> object:
        entry = next((table[name] for table in tables if name in table), None)
        return None if entry is None else value_of(entry)

    return value


def entries_of(root: Mapping | None, sections: "tuple[str, ...]" = ()) -> "dict[str, Entry]":
    """{name: entry} of a mapping and of the sections in it that count as its top level; empty for None."""
    entries = {} if root is None else dict(root.items())
    for section in sections:
        entry = entries.get(section)
        node = None if entry is None else entry.value.target if type(entry.value) is Alias else entry.value
        if type(node) is Mapping:
            del entries[section]
            for name, inner in node.items():
                entries.setdefault(name, inner)
    return entries


def mapping_of(document: "Document") -> Mapping | None:
    """The mapping of a config file, None when it holds none or cannot be parsed."""
    return document.root if type(document.root) is Mapping and not document.problems else None


def _form_of(framework: "Framework", origin: "Origin | None") -> "dict[str, str]":
    """How the framework's own command is given its config file, where releases differ in reading it."""
    form = origin.config_form(framework) if origin else ""
    return {CONFIG_FORM: form} if form else {}


def _texts(entries: "dict[str, Entry]") -> "dict[str, str]":
    """The settings whose value is a text."""
    return {
        name: node.value
        for name, entry in entries.items()
        if type(node := entry.value) is Scalar and is_text(node) and type(node.value) is str
    }


def sections_of(root: Mapping) -> tuple[str, ...]:
    """The names of the mappings in a mapping."""
    return tuple(name for name, entry in root.items() if type(entry.value) is Mapping)


def _reader(framework: "Framework", root: Mapping | None, sections: "tuple[str, ...]") -> tuple[str, bool]:
    """(what reads the settings in the place of the framework's own parser, "" for nothing; whether further settings
    stand elsewhere)."""
    if sections:
        return f"what reads the sections {', '.join(sections)}", False
    if root is None or not framework.read_by_scripts:
        return "", False
    parts = root.get("defaults")
    composed = parts is not None and type(parts.value) is Sequence
    return ("Hydra" if composed or root.get("_target_") is not None else ""), composed


def launch_of(
    framework: "Framework",
    root: Mapping | None,
    facts: "dict[str, Fact]",
    context: "Context",
    origin: "Origin | None" = None,
    sections: "tuple[str, ...]" = (),
) -> Launch:
    """The launch that a mapping describes, or a command with the mapping of its file (None when it has no file).

    `sections`: mappings in it that hold the settings, where a loader of the repository's own reads the file.
    """
    own = origin.config if origin else None
    file = [Layer(entries, own) for entries in framework.layers_in(entries_of(root, sections))]
    flags: dict[str, Flag] = origin.flags if origin else {}
    composition = _composed(framework, root, context, origin)
    if composition is not None:
        file = [Layer(entries, text or own) for text, entries in composition.by_text()]
        flags = {name: flag for name, flag in flags.items() if name not in composition.consumed}
    in_file = winning(file)
    names: abc.Set[str] = {**in_file, **flags}.keys() if flags else in_file.keys()
    told = _told_algorithm(origin) if origin else None
    algorithm: str = facts["algorithm"].value if "algorithm" in facts else told or framework.algorithm(names)
    loader: str = facts["loader"].value if "loader" in facts else origin.invocation.loader if origin else "script"
    if loader == "script" and "loader" not in facts and origin and origin.program and origin.program.reading:
        loader = "own"
    start = composition.start if composition else {}
    stated_keys = reader_of(flags, in_file if framework.nested else entries_of(root), start)
    groups = framework.groups(algorithm, loader, stated_keys)
    if origin and origin.invocation.passes_on is not None:
        groups = framework.groups_told_by(names) or groups
    is_started = origin is not None or "dialect" in facts
    for name, (value, key) in framework.facts_in_file(
        stated_keys if is_started and not _is_open(origin) else _written(stated_keys, framework)
    ).items():
        facts.setdefault(name, Fact(value, f"key {key}"))
    if origin:
        facts = {**origin.presumed(), **facts}
    elif "world_size" not in facts and context.repository and context.files:
        shown = context.repository.told_processes(context.files.path, context.budget)
        facts = {**facts, "world_size": shown} if shown else facts
    stated = {
        package: facts[package].value for package in COMPANIONS if package in facts and facts[package].value != "latest"
    }
    pins = context.pins
    pin = pin_of(pins, framework.package)
    if origin and origin.program and origin.program.path and context.repository and framework.package not in pins:
        beside = pins_for(origin.program.path)  # the script may lie beside the project that it starts
        pin = beside.get(framework.package) or pin or pin_of(beside, framework.package)
        pins = {**beside, **pins}
    for package, other in pins.items():
        if package != framework.package:
            stated.setdefault(package, other.version)
    if origin and origin.program:
        names = names - origin.program.declares  # what a script declares itself tells no release
    if framework.nested:
        names = {framework.written(name, entry) for name, entry in {**in_file, **flags}.items() if name not in in_file}
        names |= in_file.keys()
    goes_along = (lambda candidate: _goes_along(framework, stated, candidate)) if stated else None
    program = _program_of(framework, loader, origin, context, pin)
    versions = find_versions(
        framework,
        groups,
        names,
        facts.get("version"),
        pin,
        goes_along,
        lambda: _declared_by(program),
        lambda: {**_texts({**in_file, **flags}), **_form_of(framework, origin)},
    )
    layers = _layers(framework, groups, versions, file, flags, origin) if origin else file
    unset = _defaults(framework, groups, versions, origin, context) if origin else []
    reader, incomplete = _reader(framework, root, sections)
    is_taken_as_whole = False
    if origin and origin.invocation.config is not None and not origin.has_config:
        incomplete = True  # what the file says, nobody knows
    elif (framework.composed and _is_open(origin)) or (
        framework.nested
        and not framework.is_whole(
            composition.is_whole if composition else root is None and not (origin and origin.invocation.config),
            is_started,
            stated_keys,
        )
    ):
        is_taken_as_whole = origin is None and framework.may_be_whole(stated_keys)
        incomplete = not is_taken_as_whole
    # other files may build on one that no command is known to start, and set what it leaves out
    attached = framework.implied(stated_keys, origin is not None and not incomplete)
    attached.update(_attached(framework, winning(layers), context, origin))
    if framework.nested and "version" not in facts:
        # what a file of somebody's own sets is no setting of the framework, and tells nothing of its batches where none are judged
        told_names = names if framework.knows_batches else names - in_file.keys()
        if framework.is_a_fork(told_names, groups, pin is not None and pin.is_of_a_copy) or _is_a_changed_copy(
            framework, groups, versions, flags, context, origin
        ):
            reader = f"a fork of {framework.title}"
    if framework.read_by_scripts and origin and origin.program and origin.program.own_parser:
        reader, incomplete = f"the parser of {origin.program.name}", True
    found = Launch(
        framework, algorithm, loader, [*unset, *layers], facts, versions, stated, attached, origin, context.policy, program, reader, incomplete,
        _unseen(framework, context.budget, versions, origin, facts, pin, is_taken_as_whole), groups,
    )  # fmt: skip
    if framework.registrations and context.repository and context.files:
        repository, path, budget = context.repository, context.files.path, context.budget
        found.names_are_registered_as(lambda name, words: repository.registers(name, words, path, budget))
    takes_more = _choices_of_a_copy(pin, context)
    if takes_more is not None:
        found.more_is_taken(takes_more)
    if composition is not None:
        found.parts = composition.texts.keys() - flags.keys()
        found.unknown_part = composition.unknown
    return found


def _is_a_changed_copy(
    framework: "Framework", groups: "tuple[str, ...]", versions: "Versions", flags: "dict[str, Flag]", context: "Context",
    origin: "Origin | None",
) -> bool:  # fmt: skip
    """Whether a command starts a copy of the framework, in its repository, with other settings than the release has."""
    if origin is None or context.files is None or not versions.candidates or not framework.primaries:
        return False
    from .copies import differs_from_a_copy

    return differs_from_a_copy(framework, groups, versions.candidates[0].index, flags, context.files)


def _choices_of_a_copy(pin: "Pin | None", context: "Context") -> "abc.Callable[[str, str], bool] | None":
    """A function that tells whether the copy of a framework in the repository may take a value of a setting; None where
    there is no copy."""
    folder, repository = pin.copied_to if pin else None, context.repository
    if folder is None or repository is None:
        return None
    return lambda name, value: repository.copy_may_take(name, value, folder)


def trains_with_a_copy(framework: "Framework", entries: "abc.Mapping[str, Entry]", context: "Context") -> bool:
    """Whether settings choose a trainer that only the repository's own copy of a framework has."""
    entry = entries.get(framework.trainer_key) if framework.trainer_key else None
    kind = None if entry is None else value_of(entry)
    if framework.trainer_key is None or type(kind) is not str or not is_misspelt(kind):
        return False
    takes = _choices_of_a_copy(pin_of(context.pins, framework.package), context)
    return takes is not None and takes(framework.trainer_key, kind)


def _is_open(origin: "Origin | None") -> bool:
    """Whether more of what a command says is not known than the arguments that it passes on: its file, or words of its own."""
    if origin is None:
        return False
    return origin.invocation.lacks_words or (origin.invocation.config is not None and not origin.has_config)


def _composed(
    framework: "Framework", root: Mapping | None, context: "Context", origin: "Origin | None"
) -> "Composition | None":
    """What a config and the files that it names set together, where Hydra composes them; None for one file, or none."""
    invocation = origin.invocation if origin else None
    flags: dict[str, Flag] = invocation.flags if invocation else {}
    has_parts = root is not None and root.get("defaults") is not None
    if not framework.primaries or (root is None and invocation is not None and invocation.config is not None):
        return None
    from ..source.overrides import chooses_a_file, may_choose_a_file

    chooses = may_choose_a_file if root is not None else chooses_a_file
    if not has_parts and not any(chooses(name) for name in flags) and not (invocation and invocation.folders):
        return None
    from .composition import compose, is_of_the_tree

    path = context.files.path if context.files else ""
    if origin and origin.config is not None:
        path = origin.config.path
    if is_of_the_tree(framework, path):
        return None  # what it sets stands in the catalogue
    levels = invocation.config_levels if invocation else 0
    folders, variables = (invocation.folders, invocation.variables_here) if invocation else ((), {})
    return compose(framework, root, path, levels, context.files, flags, folders, variables)


def _told_algorithm(origin: "Origin") -> str | None:
    """The algorithm that a command names, or that its script alone trains with."""
    trains_rloo = origin.program is not None and origin.program.trains_rloo
    return origin.invocation.algorithm or ("rloo" if trains_rloo else None)


def _is_older_rloo(origin: "Origin", facts: "dict[str, Fact]", context: "Context") -> bool:
    """Whether a script trains with the RLOO of a release before that became a trainer of groups."""
    if origin.program is None or not origin.program.trains_rloo:
        return False
    pin = pin_of(context.pins, PACKAGE)
    release = facts["version"].value if "version" in facts else pin.version if pin else ""
    return release[:1].isdigit() and version_key(release) < _RLOO_OF_GROUPS


def _written(value: "abc.Callable[[str], object]", framework: "Framework") -> "abc.Callable[[str], object]":
    """The values of a file. Where files hold only a few of the settings, one that is not written is unknown, not at
    its default."""
    return (lambda name: UNKNOWN if value(name) is None else value(name)) if framework.composed else value


def _unseen(
    framework: "Framework", budget: "Budget", versions: "Versions", origin: "Origin | None", facts: "dict[str, Fact]", pin: "Pin | None",
    is_taken_as_whole: bool = False,
) -> list[tuple[str, str]]:  # fmt: skip
    """What beside the file was not read and may change the verdict: each (what is assumed, how that reads)."""
    found = []
    if is_taken_as_whole or (framework.composed and origin is None and "dialect" not in facts):
        found.append(("arguments", "taking the command that starts this run to set nothing else"))
    if framework.nested and pin is not None and ".dev" in pin.version and versions.source == "inferred":
        found.append(("version", f"the {framework.title} {pin.version} of this repository lies between two releases"))
    elif pin is not None and pin.is_of_a_copy and versions.source == "inferred":
        found.append(
            ("version", f"the copy of {framework.title} in this repository says {pin.version}, which is not known")
        )
    if origin is None and budget.has_cut(OTHER_SCRIPTS, LAUNCHES):
        found.append(
            (
                "arguments",
                "not all scripts of this repository were looked at, and one of them may start it with other settings",
            )
        )
    if origin is not None and origin.invocation.is_of_a_fork:
        found.append(("trainer", f"{origin.invocation.starter} is taken to be {framework.title} by another name"))
    if versions.source == "inferred" and budget.has_cut(PINS):
        found.append(("version", "not all files of this repository that may pin a release were read"))
    return found


def _program_of(
    framework: "Framework", loader: str, origin: "Origin | None", context: "Context", pin: "Pin | None"
) -> "abc.Callable[[], Program | None]":
    """A function that gives the training script that reads the settings (`launch.programs.Program`), None when nothing
    is known of it.

    Where no command names one, it is what the training scripts of the repository have in common.
    """
    found: list[Program | None] = []

    def program() -> "Program | None":
        if not found:
            found.append(origin.program if origin else None)
            by_some_script = (
                framework.read_by_scripts
                and loader in ("script", "own")
                and (origin is None or origin.invocation.framework is None)
            )
            if found[0] is None and by_some_script and context.repository and context.files:
                found[0] = context.repository.program_around(context.files.path, context.budget)
            elif found[0] is None and pin is not None and pin.is_of_a_copy and context.repository:
                found[0] = context.repository.copy_of(framework.title, pin.path)
        return found[0]

    return program


def _declared_by(program: "abc.Callable[[], Program | None]") -> "abc.Iterable[str]":
    """The names that a program, if there is one, declares itself."""
    found = program()
    return found.declares if found else ()


def _goes_along(framework: "Framework", stated: dict[str, str], candidate: "Candidate") -> bool:
    """Whether a release supports the stated versions of its companions."""
    facts = framework.companion_facts({**framework.catalogue.companions[candidate.index], **stated}, candidate.key)
    return all(supported for name, supported in facts.items() if name.endswith("_is_supported"))


def _layers(
    framework: "Framework",
    groups: "tuple[str, ...]",
    versions: "Versions",
    file: "list[Layer]",
    given: "dict[str, Flag]",
    origin: "Origin",
) -> "list[Layer]":
    """A file and the command that starts it, in the order in which the framework lays one over the other; `given`: what the command
    sets."""
    flags: dict[str, Entry] = {**given}
    file_wins = False
    if versions.candidates:
        newest = versions.candidates[0]
        fields = framework.catalogue.fields(groups, newest.index)
        if not framework.nested:
            flags = dict(_as_field(name, flag, fields) for name, flag in given.items())
        file_wins = framework.file_wins(newest.key)
    command = Layer(flags, origin.script)
    return [command, *file] if file_wins else [*file, command]


def _defaults(
    framework: "Framework", groups: "tuple[str, ...]", versions: "Versions", origin: "Origin", context: "Context"
) -> "list[Layer]":
    """The settings for which the classes of arguments of a training script have defaults of their own, by their files."""
    program = origin.program if framework.read_by_scripts else None
    if program is None or not program.defaults or not versions.candidates or context.files is None:
        return []
    fields = framework.catalogue.fields(groups, versions.candidates[0].index)
    by_path: dict[str, Layer] = {}
    for name, default in program.defaults.items():
        if not framework.catalogue.known(name, groups):
            continue
        if default.path not in by_path:
            by_path[default.path] = Layer({}, context.files.library.text(default.path), is_default=True)
        layer = by_path[default.path]
        if layer.text is not None:
            layer.entries[name] = default.entry(name, layer.text, fields[name])
    return [*by_path.values()]


def _as_field(name: str, flag: Flag, fields: "Fields") -> tuple[str, Flag]:
    """(field, flag): the field that argparse takes a flag for; `--no_x` switches x off."""
    found = unabbreviated(name, fields)
    if fields[found] is None and found.startswith("no_") and fields[found[3:]] is not None:
        value = Scalar(flag.value.start, flag.value.end, "False", style='"')
        return found[3:], Flag(flag.key, value)
    return found, flag


def _attached(
    framework: "Framework", entries: "dict[str, Entry]", context: "Context", origin: "Origin | None"
) -> "dict[str, Attached]":
    """{operand: Attached}: what the files that the settings name contribute to the run."""
    found: dict[str, Attached] = {}
    for name, read in framework.attachments.items():
        if name in entries:
            value = value_of(entries[name])
            found.update({} if value is UNKNOWN else read(value, context.files))
    for name, kind in framework.json_files.items():
        if name in entries:
            from ..frameworks.shared.json_files import attached

            files, elsewhere = _files_of(entries[name], context, origin)
            found.update(attached(name, kind, value_of(entries[name]), files, elsewhere))
    launcher = origin.launcher if origin and not origin.invocation.tells_deepspeed else None
    if launcher is not None and framework.launcher_attachment and "deepspeed" not in entries:
        launcher = _as_it_is_seen(launcher, context.files)
        settings = {name: value_of(entry) for name, entry in entries_of(mapping_of(launcher.document)).items()}
        found.update(framework.launcher_attachment(settings, launcher, context.files))
    return found


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


def started_launch(
    origin: "Origin", root: Mapping | None, facts: "dict[str, Fact]", context: "Context"
) -> Launch | None:
    """The launch that a command starts; None when it trains something else.

    `root`: the mapping of its file, None when it has none; `facts`: what comments and settings say.
    """
    invocation = origin.invocation
    entries = {**entries_of(root), **origin.flags}
    forced = facts.get("dialect") or origin.stated.get("dialect")
    if invocation.framework:
        is_said_to_be_usual = (
            forced is not None and invocation.own is not None and invocation.entry is invocation.own.others
        )
        found = framework_named(invocation.framework).entered_by(None if is_said_to_be_usual else invocation.entry)
        if found.trainer_key and not _trains_with(found, entries.get(found.trainer_key)):
            return None
        if trains_with_a_copy(found, entries, context):
            return None
    else:
        name = _framework_of_run(origin, entries, forced, context)
        if name is None:
            return None
        found = framework_named(name)
    known = {name: fact for name, fact in facts.items() if name not in origin.stated or fact.source != "settings"}
    said = {**origin.stated, **known, **origin.facts(), **origin.releases(found), **context.outside}
    if serves_scripts(found.name) and _is_older_rloo(origin, said, context):
        return None
    launch = launch_of(found, root, said, context, origin)
    # of a program that nobody knows keys are judged, and no keys where it does not start from the framework's tree
    return None if launch.incomplete and not found.knows_batches else launch


def _trains_with(framework: "Framework", entry: "Entry | None") -> bool:
    """Whether an entry chooses a trainer of the GRPO family, or one that does not exist, which is reported then."""
    if entry is None:
        return False
    kind = value_of(entry)
    return kind is UNKNOWN or kind == framework.trainer_name or is_misspelt(kind)


def _framework_of_run(
    origin: "Origin", entries: "dict[str, Entry]", stated: "Fact | None", context: "Context"
) -> str | None:
    """The name of the framework with which a training script trains; None where it may train something else."""
    if origin.program and origin.program.trains_otherwise:
        return None  # whatever is said of the file: another of its commands is meant
    if stated is not None and context.forces(stated):
        return str(stated.value)
    names = entries.keys()
    name = recognise(names, reader_of(entries))[0]
    if name is None:  # few keys, but maybe a script that trains with them
        told = trained_by_scripts(names)
        name = told if told and _trains(origin) else None
    if name is None and _trains_groups(origin, names):
        return OF_SCRIPTS[0]
    if name is None or (serves_scripts(name) and origin.program and origin.program.leaves_trl):
        return None
    return str(stated.value) if stated is not None else name


def _trains_groups(origin: "Origin", names: "abc.Set[str]") -> bool:
    """Whether the script of a command trains only with trainers of the GRPO family, where the keys do not say so."""
    if trained_by_sure_scripts(names) is None and (origin.has_config or not _is_told(origin)):
        return False
    program = origin.program
    return bool(program and program.trains_groups and program.usual_parser)


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
