"""What Hydra composes of a config and the files that its list of defaults names, in the order in which it merges them.

A file that is not here is unknown, and so is all that it may set. The files of a framework's own tree are not read: what a release
has in them stands in its catalogue.
"""

import os

from ..files import disk
from ..frameworks.base import MOST_SETTINGS, by_path
from ..frameworks.registry import commands
from ..source.entry import COMPOSED, loaded
from ..source.overrides import Override, chooses_a_file, may_choose_a_file
from ..source.yaml.reader import Entry, Mapping, Scalar, Sequence, target
from ..source.yaml.scalars import shown_value
from ..unknown import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping as Table

    from ..shared_types import Files, Flag, Framework, Node, Text, Word
    from .files import NamedFile

MOST_PARTS = 100  # files of one config
MOST_LEVELS = 20  # of files that name each other
PRIMARY = "--config-name"
_SELF, _GLOBAL, _HERE, _MISSING = "_self_", "_global_", "_here_", "???"
_NOT_SET = ("defaults", "hydra")  # of a file: what is for Hydra itself
_VARIABLE = "oc.env:"


class Composition:
    """What a config sets together with the files that it builds on.

    entries    {path: Entry}, of those with one path the one that is merged last
    texts      {path: Text} of the entries that do not stand in the config itself
    start      {option of Hydra: Entry} that names the file of the tree below all others; nothing where there is none
    consumed   names of the overrides of the command that choose a file and set nothing
    is_whole   whether all that is not among the entries has the default of the framework's tree
    unknown    the first element of a list of defaults whose file is not known, as it is written; empty where there is none
    """

    entries: "dict[str, Entry]"
    texts: "dict[str, Text]"
    start: "dict[str, Entry]"
    consumed: "set[str]"
    is_whole: bool
    unknown: str

    def __init__(self) -> None:
        self.entries, self.texts, self.start, self.consumed = {}, {}, {}, set()
        self.is_whole, self.unknown = False, ""

    def by_text(self) -> "list[tuple[Text | None, dict[str, Entry]]]":
        """The entries of each file, those of the config itself first, with None; no path stands in two of them."""
        found: dict[int, tuple[Text | None, dict[str, Entry]]] = {id(None): (None, {})}
        for path, entry in self.entries.items():
            text = self.texts.get(path)
            found.setdefault(id(text), (text, {}))[1][path] = entry
        return list(found.values())


def compose(
    framework: "Framework",
    config: "Mapping | None",
    path: str,
    levels: int,
    files: "Files | None",
    flags: "Table[str, Flag]",
    extra: "tuple[str, ...]" = (),
    variables: "Table[str, Word] | None" = None,
) -> Composition:
    """The Composition of the config at a path, which lies `levels` folders below the one in which Hydra looks for files; `flags`:
    the overrides of the command, `extra`: further folders that it names, `variables`: those of its environment that are known."""
    sources = _Sources(framework, path, levels, files, [*extra, *_search_path(config, flags)])
    return _Composer(framework, sources, flags, variables or {}).compose(config, path, levels)


def compose_tree(
    framework: "Framework",
    config: "Mapping",
    path: str,
    files: "Files",
    choices: "Table[str, str]",
    tree: str,
    partly: bool,
) -> "dict[str, Entry] | None":
    """{path: Entry} of the tree below a primary config of a copy of a framework, whose files are in the folder `tree` or beside that
    config, with the option that is chosen for each group; None where a part of it is not here, unless it is wanted `partly`."""
    others = [tree] if os.path.dirname(path) != tree else []
    sources = _Sources(framework, path, 0, files, others, of_the_tree=True)
    composer = _Composer(framework, sources, {}, {})
    composer.choose(choices)
    found = composer.compose(config, path, 0)
    found.entries.pop("defaults", None)
    is_whole = composer.is_known and not found.unknown and not composer.lacks_choices
    return found.entries if is_whole or partly else None


def _search_path(config: "Mapping | None", flags: "Table[str, Flag]") -> "list[str]":
    """The further places in which Hydra looks for files: those of the command, else those of the config."""
    given: object = loaded(flags["hydra.searchpath"].value) if "hydra.searchpath" in flags else None
    if given is None:
        hydra = None if config is None else config.get("hydra")
        given = loaded(hydra.value) if hydra is not None else None
        given = given.get("searchpath") if type(given) is dict else None
    return [place for place in given if type(place) is str] if type(given) is list else []


class _Sources:
    """The places in which files are looked for, the first one with a file counts."""

    def __init__(
        self,
        framework: "Framework",
        path: str,
        levels: int,
        files: "Files | None",
        places: "list[str]",
        of_the_tree: bool = False,
    ) -> None:
        self._framework = framework
        self.of_the_tree = of_the_tree  # whether the framework's own tree is meant
        self._files = files
        root = os.path.dirname(path)
        for _ in range(levels):
            root = os.path.dirname(root)
        self._root: str = root
        self._others: list[str] = [*filter(None, map(_folder, places))]
        self.is_all: bool = not places  # whether what is not found here is nowhere

    def find(self, name: str) -> "NamedFile | None":
        """The file of a config, by its path below a folder that is searched."""
        if self._files is None or "${" in name:
            return None
        name = f"{name.removesuffix('.yaml')}.yaml"
        path = os.path.join(self._root, name)
        found = None if self._is_in_the_catalogue(path) else self._files.at(path)
        for folder in self._others:
            path = os.path.join(folder, name)
            if found is None and not self._is_in_the_catalogue(path):
                found = self._files.find(path)
        return found

    def _is_in_the_catalogue(self, path: str) -> bool:
        return not self.of_the_tree and is_of_the_tree(self._framework, path)

    def header_at(self, path: str) -> "str | None":
        """The package that the file at a path names for itself."""
        file = self._files.at(path) if self._files is not None else None
        return None if file is None else _header(file.text)


def _folder(place: str) -> str:
    """The folder that an entry of a search path means; empty for one that is none of a file system."""
    kind, mark, rest = place.partition("://")
    if not mark:
        return place
    return rest if kind == "file" else rest.replace(".", "/") if kind == "pkg" else ""


def is_of_the_tree(framework: "Framework", path: str) -> bool:
    """Whether a file is one that the catalogue stands for: a copy of the framework holds them as well."""
    folder, name = os.path.split(os.path.abspath(path))
    is_there = f"{folder.replace(os.sep, '/')}/".endswith(f"/{framework.reader.primaries.folder}/")
    return is_there and name.removesuffix(".yaml") in framework.reader.primaries.names


_WRITTEN_OUT = "_generated_"  # the name of a tree of verl that a program of it composed into one file
_GROUPS_OF_A_TREE = ("actor", "rollout")  # folders beside the head of a tree that was taken over whole


def is_of_a_copy(framework: "Framework", path: str) -> bool:
    """Whether a file is in the tree of settings of a copy of a framework, beside its program, or heads such a tree elsewhere: its
    settings are the copy's defaults."""
    folder, name = os.path.split(os.path.abspath(path).replace(os.sep, "/"))
    tree = framework.reader.primaries.folder
    if not tree or not folder.endswith(f"/{tree}"):
        is_primary = name.removeprefix(_WRITTEN_OUT).removesuffix(".yaml") in framework.reader.primaries.names
        return is_primary and all(disk.is_folder(f"{folder}/{group}") for group in _GROUPS_OF_A_TREE)
    programs = (name for own in commands() if own.framework == framework.name for name in own.modules)
    return any(disk.is_file(folder.removesuffix(tree) + name) for name in programs if name.endswith(".py"))


class _Item:
    """One element of a list of defaults: the option `name` of a `group`, or a file by its path; None for a name that is null.

    package     where it says that the file is to stand, None where it does not
    chooses     whether it is an option, which an override replaces
    """

    group: str
    names: "list[str | None]"
    optional: bool
    overrides: bool

    def __init__(self, written: str, value: object, chooses: bool, entry: "Entry | None" = None) -> None:
        self.written: str = f"{written}: {shown_value(value)}" if chooses else written  # as it stands in its list
        *words, place = written.split(" ")
        self.optional, self.overrides = "optional" in words, "override" in words
        path, mark, package = place.partition("@")
        self.package: str | None = None if not mark else "" if package == _HERE else package
        self.is_absolute: bool = path.startswith("/")
        path = path.removeprefix("/")
        self.chooses, self.entry = chooses, entry
        if chooses:
            self.group = path
            self.names = [*value] if type(value) is list else [value]  # type: ignore[list-item]  # texts, or null
        else:
            self.group, _, name = path.rpartition("/")
            self.names = [name]

    @property
    def interpolated(self) -> str:
        """The text of its name, or of its path, where that refers to something else."""
        name = self.names[0] if len(self.names) == 1 else None
        text = name if self.chooses else "/".join(filter(None, (self.group, name)))
        return text if type(text) is str and "${" in text else ""

    def is_of_hydra(self, base: str) -> bool:
        """Whether it chooses something for Hydra itself, such as how it writes its log."""
        return self.chooses and self.package is None and self.group_path(base).startswith("hydra/")

    def group_path(self, base: str) -> str:
        return self.group if self.is_absolute else "/".join(filter(None, (base, self.group)))

    def own_package(self, header: "str | None", group: str) -> str:
        """The package relative to that of the file which names it."""
        if self.package is not None:
            if "_group_" in self.package:
                return f"{_GLOBAL}.{self.package.replace('_group_', group.replace('/', '.'))}"
            return self.package
        return self.group.replace("/", ".") if header is None else header

    def key(self, base: str, package: str) -> str:
        """How an override names it: its group, and its package where that is another one."""
        group = self.group_path(base)
        final = _below(package, self.own_package(None, group))
        return group if final == group.replace("/", ".") else f"{group}@{final or _GLOBAL}"


def _below(package: str, own: str) -> str:
    """A package in another one; what is global begins anew."""
    full = ".".join(filter(None, (package, own)))
    at = full.rfind(_GLOBAL)
    return full if at < 0 else full[at + len(_GLOBAL) + 1 :]


def _items(config: "Mapping") -> "list[_Item] | None":
    """The elements of the list of defaults of a file; None where they cannot be read."""
    written = config.get("defaults")
    if written is None:
        return []
    node = target(written.value)
    if type(node) is not Sequence:
        return None
    found = []
    for element in node.items:
        item = _item(element)
        if item is None:
            return None
        found.append(item)
    return found


def _item(element: "Node") -> "_Item | None":
    node = target(element)
    if type(node) is Mapping:
        inner = node.items()
        value = loaded(inner[0][1].value) if len(inner) == 1 else UNKNOWN
        names = value if type(value) is list else [value]
        is_read = all(name is None or type(name) is str for name in names) and (value is None or None not in names)
        return _Item(inner[0][0], value, True, inner[0][1]) if is_read and inner else None
    value = loaded(element)
    return _Item(value, None, False) if type(value) is str else None


def _header(text: str) -> "str | None":
    """The package that the comments at the top of a file name."""
    for line in text.splitlines():
        line = line.strip()
        if line and not line.startswith("#"):
            return None
        mark, _, package = line.lstrip("#").strip().partition(" ")
        if mark == "@package":
            package = package.strip()
            return package if package.startswith(_GLOBAL) else f"{_GLOBAL}.{package}" if package else _GLOBAL
    return None


class Part:
    """One file in the order of merging: `entries` in a `package`; without a config it is the framework's tree, where it has
    the whole package, or nobody knows what it sets there."""

    def __init__(
        self, package: str, config: "Mapping | None" = None, text: "Text | None" = None, tree: str = ""
    ) -> None:
        self.package = package
        self.config = config
        self.text = text
        self.tree = tree


class _Composer:
    _choices: "dict[str, tuple[object, Entry | None]]"  # {key of an override: what it chooses, where}
    _left: "set[str]"  # the keys that no element has had
    _appended: "list[_Item]"
    _consumed: "set[str]"
    _left_to_read: int  # how many more files are looked at
    _made: "dict[str, object]"  # {key: option} of the choices that are made so far, which later ones may refer to
    _unknown: str
    is_known = False  # whether all files of what was composed are here, or in the framework's tree

    def __init__(
        self, framework: "Framework", sources: _Sources, flags: "Table[str, Flag]", variables: "Table[str, Word]"
    ) -> None:
        self._framework, self._sources, self._variables = framework, sources, variables
        self._choices, self._left, self._appended, self._consumed, self._made = {}, set(), [], set(), {}
        self._left_to_read, self._unknown = MOST_PARTS, ""
        for name, flag in flags.items():
            if isinstance(flag, Override) and may_choose_a_file(name):
                self._take(name, flag)

    def _take(self, name: str, flag: Override) -> None:
        """An override of a command that chooses a file, which only files tell from a setting."""
        value = loaded(flag.value)
        group = name.partition("@")[0]
        is_sure = chooses_a_file(name) or (type(value) is str and self._sources.find(f"{group}/{value}") is not None)
        if is_sure:
            self._consumed.add(name)
        if flag.operator == "add" and is_sure:
            self._appended.append(_Item(f"/{name}", value if type(value) in (str, list) else UNKNOWN, True))
        elif flag.operator != "add":
            # `++group` is refused, so that this one goes back to `~group`, after which no other option counts
            is_deleted = flag.operator == "delete" or (is_sure and flag.operator == "force")
            self._choices[name] = (None if is_deleted else value), None
            if is_sure:
                self._left.add(name)

    @property
    def lacks_choices(self) -> bool:
        """Whether something is chosen for a group that no file has."""
        return bool(self._left)

    def choose(self, choices: "Table[str, str]") -> None:
        """Choose options of groups, as a command would."""
        for key, option in choices.items():
            self._choices[key] = option, None
            self._left.add(key)

    def compose(self, config: "Mapping | None", path: str, levels: int) -> Composition:
        """`config`: None for a command that starts from the tree itself."""
        parts = self._of_config(config, path, levels)
        found = laid(parts, self._framework, self._sources.of_the_tree)
        found.consumed, found.unknown = self._consumed, self._unknown
        trees = [part.tree for part in parts if part.tree]
        where = None if config is None else config.get("defaults")
        if where is not None:
            found.entries["defaults"] = where
            if len(trees) == 1:
                found.start[PRIMARY] = Entry(composed_word(where, PRIMARY), composed_word(where, trees[0]))
        is_known = self.is_known = all(part.config is not None or part.tree for part in parts)
        others = [key for key in self._choices_of_the_tree() if not self._take_as_setting(key, found)]
        found.is_whole &= len(trees) == 1 and is_known and not others
        return found

    def _choices_of_the_tree(self) -> "set[str]":
        """The groups for which a command chooses another file than the tree does, as far as that is known. Of a group of the tree
        nothing is appended: another option is chosen as well, or Hydra refuses it."""
        appended = (item.key("", "") for item in self._appended)
        consumed = (key for key in self._choices if key in self._consumed)
        return self._left | {key for key in (*consumed, *appended) if self._is_of_the_tree(key)}

    def _take_as_setting(self, key: str, found: Composition) -> bool:
        """Take a choice that is a setting as well, such as that of the engine; whether it is one."""
        value, entry = self._choices.get(key, (None, None))
        if key not in self._left or entry is None or type(value) is not str or not self._framework.catalogue.knows(key):
            return False
        found.entries.setdefault(key, Entry(composed_word(entry, key), composed_word(entry, value)))
        return True

    def _is_of_the_tree(self, key: str) -> bool:
        """Whether an override may choose another file for a section of the tree as well."""
        group, _, package = key.partition("@")
        return self._framework.catalogue.knows(package or group.replace("/", "."))

    def _of_config(self, config: "Mapping | None", path: str, levels: int) -> "list[Part]":
        if config is None:
            appended = [part for item in reversed(self._appended) for part in self._of_item(item, "", "", 1)]
            return [Part("", tree=self._framework.reader.primaries.names[0]), *reversed(appended)]
        folders = os.path.dirname(path).replace(os.sep, "/").split("/")
        group = "/".join(folders[len(folders) - levels :]) if levels else ""
        header = self._sources.header_at(path) if group else None
        package = group.replace("/", ".") if header is None else _below("", header)
        return self._of_file(Part(package, config), group, 0)[::-1]

    def _of_file(self, own: Part, group: str, depth: int) -> "list[Part]":
        """The parts of a file, itself among them, the one that is merged last in front: so Hydra goes through them, for an
        override counts for all that stands before it."""
        items = _items(own.config) if own.config is not None else None
        if items is None:
            return [own, Part("")]  # Hydra refuses it, or it is more than is understood here
        if _merges_itself_last(items):
            items.append(_Item(_SELF, None, False))
        items += self._appended if depth == 0 else []
        for item in items:
            if item.overrides:
                self._override(item, group, own.package)
        found = [part for parts in self._of_items(items, own, group, depth) for part in parts]
        return found or [own]

    def _of_items(self, items: "list[_Item]", own: Part, group: str, depth: int) -> "list[list[Part]]":
        """The parts of each element of a file that overrides nothing, the last one in front."""
        found: list[list[Part]] = []
        waiting: list[tuple[int, _Item]] = []
        for item in reversed(items):
            if item.names == [_SELF]:
                found.append([own])
            elif not item.overrides:
                self._choose(item, group, own.package)
                if item.interpolated:
                    waiting.append((len(found), item))
                found.append([] if item.interpolated else self._of_item(item, group, own.package, depth + 1))
        for place, item in waiting:  # what refers to the choices of others is looked up after them
            resolved = self._resolved(item, group)
            if resolved is None:
                found[place] = self._unknown_part(item, group, own.package)
            else:
                found[place] = self._of_item(resolved, group, own.package, depth + 1)
        return found

    def _override(self, item: _Item, group: str, package: str) -> None:
        if item.is_of_hydra(group):
            return
        key = item.key(group, package)
        if key not in self._choices:
            self._choices[key] = item.names[0] if len(item.names) == 1 else item.names, item.entry
            self._left.add(key)

    def _choose(self, item: _Item, base: str, package: str) -> None:
        """Give an element the option that an override has for it."""
        key = item.key(base, package)
        if item.chooses and key in self._choices:
            chosen = self._choices[key][0]
            item.names = [*chosen] if type(chosen) is list else [chosen]  # type: ignore[list-item]  # unknown, or as in `_Item`
            self._left.discard(key)
            self._consumed.add(key)

    def _resolved(self, item: _Item, base: str) -> "_Item | None":
        """An element whose name refers to the choices of others, with what they have chosen; None where that is not known."""
        if not item.chooses:
            # Hydra resolves the whole path, and takes the result for one that is relative
            path = self._resolved_text(os.path.join(item.group_path(base), item.names[0] or ""))
            package = "" if item.package is None else f"@{item.package or _HERE}"
            return None if path is None else _Item(f"{path}{package}", None, False)
        name = self._resolved_text(item.interpolated)
        item.names = [name]
        return None if name is None else item

    def _resolved_text(self, text: str) -> "str | None":
        """A text with what its references stand for: `${group}` for the option of a group, `${oc.env:NAME}` for a variable."""
        found, mark, rest = text.partition("${")
        while mark:
            inner, _, rest = rest.partition("}")
            value = self._named(inner)
            if value is None:
                return None
            literal, mark, rest = rest.partition("${")
            found += value + literal
        return found if "\\" not in found else None

    def _named(self, reference: str) -> "str | None":
        """What a reference in a list of defaults stands for; None where that is not known."""
        if reference.startswith(_VARIABLE):
            word = self._variables.get(reference[len(_VARIABLE) :].partition(",")[0])
            return None if word is None else word.value
        value = self._made.get(reference) if not {".", ":", "$", " "} & set(reference) else None
        return value if type(value) is str else None

    def _unknown_part(self, item: _Item, base: str, package: str) -> "list[Part]":
        """What stands for a file of an element that is not known: it may set whatever its package allows."""
        if item.is_of_hydra(base):
            return []
        self._unknown = self._unknown or item.written
        return [Part("" if item.package is None else _below(package, item.own_package(None, item.group_path(base))))]

    def _of_item(self, item: _Item, base: str, package: str, depth: int) -> "list[Part]":
        if item.chooses and len(item.names) == 1:
            self._made.setdefault(item.key(base, package), item.names[0])
        known = [name for name in item.names if name is not None]
        return [part for name in reversed(known) for part in self._of_name(item, name, base, package, depth)]

    def _of_name(self, item: _Item, name: object, base: str, package: str, depth: int) -> "list[Part]":
        """The parts of one file that an element names, the last one in front."""
        group = item.group_path(base)
        if type(name) is not str or name == _MISSING or self._left_to_read <= 0 or depth > MOST_LEVELS:
            return self._unknown_part(item, base, package)
        self._left_to_read -= 1
        path = os.path.normpath(f"{group}/{name}" if group else name).replace(os.sep, "/").removesuffix(".yaml")
        file = self._sources.find(path)
        if file is None:
            return self._of_no_file(item, path, base, package)
        root = Mapping(0) if file.document.root is None else file.document.root
        if type(root) is not Mapping or file.document.problems:
            return self._unknown_part(item, base, package)
        header = _header(file.text) if item.package is None else None
        own = Part(_below(package, item.own_package(header, group)), root, file.document.text)
        return self._of_file(own, group, depth)

    def _of_no_file(self, item: _Item, path: str, base: str, package: str) -> "list[Part]":
        """The parts of an element whose file is not here: the framework's own tree, or one that is not known."""
        if item.optional and self._sources.is_all:
            return []
        if path in self._framework.reader.primaries.names and not _below(package, item.package or ""):
            return [Part("", tree=path)]
        return self._unknown_part(item, base, package)


def _merges_itself_last(items: "list[_Item]") -> bool:
    """Whether a file that does not say where it is merged itself comes after what it names."""
    return all(item.names != [_SELF] for item in items) and not (items and all(item.overrides for item in items))


def composed_word(entry: "Entry", text: str) -> Scalar:
    """A word that stands where an entry does, and that no edit there can set."""
    word = Scalar(entry.key.start, entry.key.end, text, style='"', tag=COMPOSED)
    word.value = text  # so that nobody asks PyYAML for it
    return word


def laid(parts: "list[Part]", framework: "Framework", is_tree: bool) -> Composition:
    """The settings of some parts, laid over each other: sections are merged, and anything else takes the place of what stood
    there. `is_tree`: of the framework's own tree the keys are wanted: also those of a file that stands at several places, and of
    empty sections."""
    found, sections, shared = Composition(), set[str](), set[str]()
    twice = _merged_twice(parts)
    for part in parts:
        if part.config is None:
            _forget(found.entries, part, framework)
            continue
        if part.package:
            _make_section(found.entries, sections, part.package)
        entries = _entries_of(part, is_tree)
        _lay_over(found, sections, entries, part)
        shared |= entries.keys() if id(part.config) in twice else set()
    for path in () if is_tree else shared:
        found.entries.pop(path, None)
    found.texts = {path: text for path, text in found.texts.items() if path in found.entries}
    found.is_whole = not twice
    return found


def _entries_of(part: Part, keeps_empty: bool) -> "dict[str, Entry]":
    """{path: Entry} of what a part sets."""
    written = part.config.items() if part.config is not None else ()
    inner = by_path({name: entry for name, entry in written if name not in _NOT_SET}, keeps_empty=keeps_empty)
    return {f"{part.package}.{path}": entry for path, entry in inner.items()} if part.package else inner


def _lay_over(found: Composition, sections: "set[str]", entries: "dict[str, Entry]", part: Part) -> None:
    """Lay the settings of a part over what is there."""
    for path, entry in entries.items():
        if path not in found.entries and len(found.entries) >= MOST_SETTINGS:
            continue
        _clear(found.entries, sections, path)
        found.entries[path] = entry
        if part.text is not None:
            found.texts[path] = part.text
        else:
            found.texts.pop(path, None)


def _merged_twice(parts: "list[Part]") -> "set[int]":
    """The configs that stand at several places: Hydra keeps one copy of them, which all that is merged over it changes, so that
    nobody knows what the next place gets."""
    seen, twice = set[int](), set[int]()
    for part in parts:
        if part.config is not None:
            (twice if id(part.config) in seen else seen).add(id(part.config))
    return twice


def _clear(entries: "dict[str, Entry]", sections: "set[str]", path: str) -> None:
    """Leave out what stands above and below a path, where it is set now."""
    _make_section(entries, sections, path.rpartition(".")[0])
    if path in sections:
        for other in [other for other in entries if other.startswith(f"{path}.")]:
            del entries[other]


def _make_section(entries: "dict[str, Entry]", sections: "set[str]", path: str) -> None:
    """Leave out a value that stands where a section is now, or one around it."""
    while path:
        sections.add(path)
        entries.pop(path, None)
        path = path.rpartition(".")[0]


def _forget(entries: "dict[str, Entry]", part: Part, framework: "Framework") -> None:
    """Leave out what another file, of which only the catalogue tells, has the last word on."""
    for path in list(entries):
        is_below = not part.package or f"{path}.".startswith(f"{part.package}.")
        if framework.catalogue.knows(path) if part.tree else is_below:
            del entries[path]
