"""The settings of a run by their places, the weakest first: files, the command that starts them, defaults of a training script."""

from ..record import Record, derived
from ..source.entry import Flag, entries_of, is_set, reader_of
from ..source.yaml.reader import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from ..frameworks.base import Framework
    from ..frameworks.catalogue import Fields
    from ..source.text import Text
    from ..source.yaml.reader import Entry
    from .composition import Composition
    from .context import Context
    from .launch import Candidate
    from .origin import Origin
    from .sighting import Call, Sighting


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

    file: "Sequence[Layer]"
    flags: "Mapping[str, Flag]"
    composition: "Composition | None"
    by_key: "Callable[[str], object]"

    @derived
    def in_file(self) -> "Mapping[str, Entry]":
        """{name: Entry} of what counts in the files."""
        return winning(self.file)

    @derived
    def names(self) -> "AbstractSet[str]":
        """The names of all settings."""
        return {**self.in_file, **self.flags}.keys() if self.flags else self.in_file.keys()

    @property
    def parts(self) -> "AbstractSet[str]":
        """The names of what counts from other files that Hydra composes."""
        return self.composition.texts.keys() - self.flags.keys() if self.composition else frozenset()

    @property
    def unknown_part(self) -> str:
        """The element of a list of defaults whose file is not known, as it is written; empty where there is none."""
        return self.composition.unknown if self.composition else ""


def written_in(sighting: "Sighting", context: "Context") -> Written:
    """What is written of a run."""
    framework, root, origin = sighting.framework, sighting.root, sighting.origin
    own = origin.config if origin else None
    entries = entries_of(root, sighting.sections)
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


def _is_composed(sighting: "Sighting") -> bool:
    """Whether a run is put together of several files."""
    root, own = sighting.root, sighting.origin.invocation if sighting.origin else None
    if not sighting.framework.reader.configs.primaries:
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

    layers: "Sequence[Layer]"
    as_written: "Mapping[str, Entry]"
    entries: "Mapping[str, Entry]"

    @derived
    def defaults(self) -> "Mapping[str, Entry]":
        unset = [layer.entries for layer in self.layers if layer.is_default]
        return {name: each for table in unset for name, each in table.items() if name not in self.entries}


def layers_of(
    sighting: "Sighting", written: Written, groups: "tuple[str, ...]", newest: "Candidate | None", stated: "Mapping[str, str]",
    context: "Context",
) -> Layers:  # fmt: skip
    """The layers of a run as the newest release that it may run on takes them; None where there is no such release."""
    framework, origin = sighting.framework, sighting.origin
    set_here: Sequence[Layer] = written.file
    unset: Iterable[Layer] = ()
    if origin is not None:
        set_here = _under_a_command(framework, groups, newest, written, origin)
        unset = _defaults(framework, groups, newest, origin, context)
    as_written = entries = winning(set_here)
    layers = [*unset, *set_here]
    if newest is None:
        return Layers(layers=layers, as_written=as_written, entries=entries)
    fields = framework.releases.fields(groups, newest.index, stated)
    if framework.reader.keys.abbreviates:
        layers = [each.but(entries=_unabbreviated(each.entries, fields, sighting.call)) for each in layers]
        entries = winning([each for each in layers if not each.is_default])
    elif not framework.reader.renames.old_names.keys().isdisjoint(entries):
        old = _old_names(framework, entries, fields)
        layers = [each.but(entries=_renamed(each.entries, old)) for each in layers]
        entries = _renamed(entries, old)
    return Layers(layers=layers, as_written=as_written, entries=entries)


def _old_names(framework: "Framework", entries: "Mapping[str, Entry]", fields: "Fields") -> dict[str, str]:
    """{old name: name} of the settings whose old name the release still takes: it wins over the new one."""
    return {
        old: name
        for old, name in framework.reader.renames.old_names.items()
        if fields[old] and old in entries and is_set(entries[old])
    }


def _under_a_command(
    framework: "Framework", groups: "tuple[str, ...]", newest: "Candidate | None", written: Written, origin: "Origin"
) -> "list[Layer]":
    """A file and the command that starts it, in the order in which the framework lays one over the other."""
    flags: dict[str, Entry] = {**written.flags}
    if newest is not None and not framework.reader.configs.nested:
        fields = framework.catalogue.fields(groups, newest.index)
        flags = dict(_as_field(name, flag, fields) for name, flag in written.flags.items())
    command = Layer(entries=flags, text=origin.script)
    file_wins = newest is not None and framework.reader.configs.file_wins(newest.key)
    return [command, *written.file] if file_wins else [*written.file, command]


def _defaults(
    framework: "Framework", groups: "tuple[str, ...]", newest: "Candidate | None", origin: "Origin", context: "Context"
) -> "Iterable[Layer]":
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


def _as_field(name: str, flag: Flag, fields: "Fields") -> tuple[str, Flag]:
    """(field, flag): the field that argparse takes a flag for; `--no_x` switches x off."""
    found = unabbreviated(name, fields)
    if fields[found] is None and found.startswith("no_") and fields[found[3:]] is not None:
        value = Scalar(flag.value.start, flag.value.end, "False", style='"')
        return found[3:], Flag(flag.key, value)
    return found, flag


def winning(layers: "Sequence[Layer]") -> "Mapping[str, Entry]":
    """{name: Entry} of what counts where layers, the weakest first, lie over one another."""
    return (
        layers[0].entries
        if len(layers) == 1
        else {name: each for layer in layers for name, each in layer.entries.items()}
    )


def _renamed(table: "Mapping[str, Entry]", names: dict[str, str]) -> "dict[str, Entry]":
    """A table by new names, {old: new}; where it holds both, what stands under the new name is overwritten."""
    overwritten = {new for old, new in names.items() if old in table}
    return {names.get(name, name): entry for name, entry in table.items() if name not in overwritten}


def _unabbreviated(table: "Mapping[str, Entry]", fields: "Fields", call: "Call | None") -> "dict[str, Entry]":
    """A table by the names of fields; what a call gives comes as it is, and no parser converts it."""
    found = {name if fields[name] else unabbreviated(name, fields): entry for name, entry in table.items()}
    return found if call is None else call.as_they_come(found, fields)


def unabbreviated(name: str, fields: "Fields") -> str:
    """The field that argparse takes a flag for: dashes are underscores, and the beginning of one field's name is
    enough.

    A beginning without an underscore matches a field with one in both its spellings, which argparse calls ambiguous.
    """
    name = name.replace("-", "_")
    if fields[name]:
        return name
    matches = fields.beginning_with(name)
    clear = len(matches) == 1 and ("_" in name or "_" not in matches[0])
    return matches[0] if clear else name
