"""The configs that a file of Python makes: calls of the frameworks' classes, or of classes made from them, as mappings of
settings like those of a file of YAML."""

import ast
import os
from bisect import bisect_right

from ..files.budget import PROGRAMS
from ..files.discovery import NOTEBOOKS
from ..frameworks.programs import Program
from ..frameworks.python_calls import CLASSES, FIRST_ARGUMENT, PATCHERS, ConfigClass, tried_out
from ..record import derived, once
from ..source.entry import COMPOSED, Keyword, loaded
from ..source.python.code import Code
from ..source.python.keyword import mapping_of, node_of
from ..source.python.loads import loading_of
from ..source.python.reader import Unparsed, dotted, is_dataclass, modules_of, read_python
from ..source.python.scopes import Scopes
from ..source.python.values import NOTHING, Value, Values, fields_of
from ..source.text import Text
from ..source.yaml.reader import Mapping, Scalar, target
from ..unknown import UNKNOWN
from .handing_on import filtered_of, handed_on_by
from .origin import place_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from ..message import Message
    from ..shared_types import Binding, Context, Entry, Field, Fields, Files, Iterable, Origin
    from ..source.yaml.reader import Mapping as Node, Node as AnyNode

    Given = dict[str, Keyword]
    Line = tuple[ConfigClass, list[tuple[Scopes, ast.ClassDef]]]

MOST_CONFIGS = 100  # of one file
MOST_SETTINGS = 100_000  # that are taken for all configs of one file; 100 configs of people have a tenth of that
MOST_DOUBTS = 10  # about one attribute: objects that may be the config by another name
MOST_MAPPINGS = 5  # that are put into one another with `**`
MOST_CLASSES = 10  # that are made from one another
MOST_MODULES = 10  # of the repository that are read for classes that a file imports
_SET_LATER = "{name} is set after the config is made, when its own checks have run"


class Commanded:
    """What a command gives the file of Python that it starts. `flags`: {name: text}, None for an unknown text and for several,
    True for a flag that is followed by none; `is_all`: whether it gives nothing else; `places`: {name: where its text is written}."""

    def __init__(self, origin: "Origin") -> None:
        invocation = origin.invocation
        self.places: dict[str, Message] = {}
        self.flags: dict[str, str | Literal[True] | None] = {}
        for name, flag in invocation.flags.items():
            value = loaded(flag.value) if flag.words else True
            self.flags[name.replace("-", "_")] = value if type(value) is str or value is True else None
            self.places[name.replace("-", "_")] = origin.place_of_flag(name)
        self.is_all: bool = invocation.passes_on is None and invocation.config is None


class Config:
    """One call that makes a config.

    kind         the class of the framework
    path         of the file
    name         how the class is called there
    call         the call, and its place: start, end
    settings     the mapping of its settings
    is_whole     whether all settings are told by name; what is not there has its default then
    declares     the names of fields that classes of one's own add
    trainer      a trainer of the file that may check otherwise than that of the class; an empty text for none
    doubts       what may make it another config, as [(what is assumed, how that reads)]
    """

    kind: ConfigClass
    path: str
    name: str
    call: ast.Call
    start: int
    end: int
    settings: "Node"
    is_whole: bool
    declares: "frozenset[str]"
    trainer: str
    doubts: "list[tuple[str, str]]"
    _made_by: "Program | None"

    def as_they_come(self, entries: "dict[str, Entry]", fields: "Fields") -> "dict[str, Entry]":
        """The settings, of which nobody knows those that the parser of a command would convert: a call does not."""
        return {
            name: _unknown(entry)
            if (field := fields[name]) is not None
            and isinstance(entry, Keyword)
            and not _comes_as_it_is(field, entry.known)
            else entry
            for name, entry in entries.items()
        }

    def program(self, context: "Context") -> "Program":
        """The program that the file is."""
        if self._made_by is not None:
            return self._made_by
        if context.files is None:
            self._made_by = Program(name=self.path, declares=self.declares)
            return self._made_by
        found = context.files.library.program(self.path).of_keywords(self.declares)
        unread = found.unread or self.trainer or None
        self._made_by = found.but(name=os.path.basename(self.path), partial=False, unread=unread)
        return self._made_by


class _TooMany(Exception):
    """More settings than `MOST_SETTINGS`."""


class Library:
    """The Python of a repository, as far as a file imports classes from it. `files`: finds it, None where nobody may look."""

    def __init__(self, files: "Files | None") -> None:
        self._files = files
        self._left = MOST_MODULES
        self._known: dict[str, Scopes | None] = {}

    def scopes(self, path: str, level: int, module: str) -> "list[tuple[str, Scopes]]":
        """[(path, Scopes)] of the files that a module may be, imported by the file at a path."""
        if self._files is None:
            return []
        found: list[tuple[str, Scopes]] = []
        for each in self._files.library.files(os.path.dirname(path), level, module):
            if each not in self._known and self._left > 0:
                self._left -= 1
                self._known[each] = self._read(each)
            scopes = self._known.get(each)
            if scopes is not None:
                found.append((each, scopes))
        return found

    @once
    def settings(self, name: str) -> "tuple[Text, Node] | None":
        """(text, mapping) of the file of YAML that a name means, as seen from the file; None when it is not there, or could be
        several."""
        file = None if self._files is None or os.path.isabs(name) else self._files.find(name)
        document = file.document if file is not None else None
        is_one = document is not None and not document.problems and len(document.documents) == 1
        root = document.root if is_one and document is not None else None
        return (Text(file.text, file.path), root) if file is not None and type(root) is Mapping else None

    def tell_cut(self, problem: str) -> None:
        """Note that something of the file was not read."""
        if self._files is not None:
            self._files.budget.cut("settings", problem)

    def _read(self, path: str) -> "Scopes | None":
        text = self._files.read(path) if self._files else None
        if text is None or self._files is None or not self._files.budget.allows(PROGRAMS, path, len(text)):
            return None
        try:
            return Scopes(read_python(Code(Text(text, path))))
        except Unparsed:
            return None


def configs_of(scopes: Scopes, library: "Library | None" = None, commanded: Commanded | None = None) -> "list[Config]":
    """The configs of a file, in its order. `library`: finds the classes that it imports from its repository, the same for all commands
    that start it; `commanded`: by one of these, None where nobody knows the command."""
    return _Reader(scopes, library or Library(None), commanded).configs()


def is_one_process(text: Text) -> bool:
    """Whether a file runs in one process: a notebook does, unless it starts more itself."""
    return text.path.lower().endswith(NOTEBOOKS) and not any(
        word in text.text for word in ("notebook_launcher", "debug_launcher", "torch.multiprocessing", "mp.spawn")
    )


class _Reader:
    """Finds the configs of one file."""

    def __init__(self, scopes: Scopes, library: Library, commanded: Commanded | None) -> None:
        self.scopes = scopes
        self.source = scopes.source
        self.values = Values(scopes, commanded.flags, commanded.is_all) if commanded else Values(scopes)
        self._places = commanded.places if commanded else {}
        self.library = library
        self._blocks: dict[int, tuple[dict[str, list[int]], list[int]]] = {}
        self._lines: dict[tuple[ast.AST, str, int, bool], Line | None] = {}
        self._settings_left = MOST_SETTINGS
        self._stores: _Stores | None = None
        self.trainer = self._other_trainer()
        imported = {module.partition(".")[0] for node in self.source.nodes for module in _imported_by(node)}
        self.patchers = [patcher for patcher in PATCHERS if patcher.package in imported]

    def _other_trainer(self) -> str:
        """A trainer that the file takes from where a framework keeps what it tries out: it goes by the usual name."""
        for node in self.source.nodes:
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    if tried_out(node.module, alias.name):
                        return f"{alias.name} of {node.module}"
        return ""

    def configs(self) -> "list[Config]":
        """The configs in the order of the file."""
        found: list[Config] = []
        for call in self.scopes.calls:
            name = dotted(call.func)
            if not name.strip(".") or len(found) >= MOST_CONFIGS:
                continue
            line = self._line(name, call, self.scopes, self.source.text.path)
            if line is not None and not self._is_expected_to_fail(call):
                try:
                    config = self._config(call, name, *line)
                except _TooMany:
                    self.library.tell_cut(
                        f"{MOST_SETTINGS:,} settings of configs of this file are looked at, and it has more"
                    )
                    break
                if config is not None:
                    found.append(config)
        return sorted(found, key=lambda config: config.start)

    # --- classes

    def _line(self, name: str, at: ast.AST, scopes: Scopes, path: str, depth: int = 0) -> "Line | None":
        """(the class of a framework, the classes of one's own made from it, the outermost first) that a name means; None
        for any other class."""
        if depth > MOST_CLASSES:
            return None
        key = scopes.scope_that_binds(name.partition(".")[0], at), name, depth, False
        if key not in self._lines:
            self._lines[key] = self._line_anew(name, at, scopes, path, depth)
        return self._lines[key]

    def _line_below(self, name: str, at: ast.AST, scopes: Scopes, path: str, depth: int) -> "Line | None":
        """What a name means without the classes of one's own that are made from another one by the same name, as in
        `class GRPOConfig(GRPOConfig)`."""
        key = scopes.scope_that_binds(name, at), name, depth, True
        if key not in self._lines:
            self._lines[key] = None
            for each in scopes.bindings(name, at):
                bases = each.node.bases if isinstance(each.node, ast.ClassDef) else []
                found = self._of_binding(each, name, scopes, path, depth) if name not in map(dotted, bases) else None
                if found is not None:
                    self._lines[key] = found
                    break
        return self._lines[key]

    def _line_anew(self, name: str, at: ast.AST, scopes: Scopes, path: str, depth: int) -> "Line | None":
        first, _, last = name.rpartition(".")
        if not first:
            bindings = scopes.bindings(name, at)
            for binding in bindings:
                found = self._of_binding_once(binding, name, scopes, path, depth)
                if found is not None:
                    return found
            return self._of_star(name, scopes) if not bindings else None
        kind = CLASSES.get(last)
        if kind is None:
            return None
        root, _, rest = first.partition(".")
        for binding in scopes.bindings(root, at):
            for module in modules_of(binding.node, root):
                if kind.comes_from(f"{module}.{rest}"):
                    return kind, []
        return None

    @once
    def _of_binding_once(self, binding: "Binding", name: str, scopes: Scopes, path: str, depth: int) -> "Line | None":
        """What a binding means, kept: all functions of a file see the bindings around them."""
        return self._of_binding(binding, name, scopes, path, depth)

    def _imported_anywhere(
        self, name: str, scopes: Scopes
    ) -> "tuple[ConfigClass, list[tuple[Scopes, ast.ClassDef]]] | None":
        for node in scopes.source.nodes:
            if isinstance(node, ast.ImportFrom) and CLASSES[name].comes_from(node.module or ""):
                if any(alias.name == name for alias in node.names):
                    return CLASSES[name], []
        return None

    def _of_star(self, name: str, scopes: Scopes) -> "tuple[ConfigClass, list[tuple[Scopes, ast.ClassDef]]] | None":
        kind = CLASSES.get(name)
        for node in scopes.source.nodes if kind else ():
            if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names) and not node.level:
                if kind is not None and kind.comes_from(node.module or ""):
                    return kind, []
        return None

    def _of_binding(
        self, binding: "Binding", name: str, scopes: Scopes, path: str, depth: int
    ) -> "tuple[ConfigClass, list[tuple[Scopes, ast.ClassDef]]] | None":
        node = binding.node
        if isinstance(node, ast.arg) and node.arg == name in CLASSES:  # as in the cells of marimo
            return self._imported_anywhere(name, scopes)
        if isinstance(node, ast.ClassDef):
            return self._of_class(node, name, scopes, path, depth)
        if isinstance(node, ast.Assign) and isinstance(binding.value, (ast.Name, ast.Attribute)):
            return self._line(dotted(binding.value), node, scopes, path, depth + 1)
        if isinstance(node, ast.FunctionDef):
            return self._of_function(node, scopes, path, depth)
        return self._of_import(node, name, scopes, path, depth) if isinstance(node, ast.ImportFrom) else None

    def _of_class(
        self, node: ast.ClassDef, name: str, scopes: Scopes, path: str, depth: int
    ) -> "tuple[ConfigClass, list[tuple[Scopes, ast.ClassDef]]] | None":
        for base in node.bases:
            if dotted(base) == name:
                found = self._line_below(name, node, scopes, path, depth + 1)
            else:
                found = self._line(dotted(base), node, scopes, path, depth + 1)
            if found is not None:
                return found[0], [(scopes, node), *found[1]]
        return None

    def _of_function(
        self, node: ast.FunctionDef, scopes: Scopes, path: str, depth: int
    ) -> "tuple[ConfigClass, list[tuple[Scopes, ast.ClassDef]]] | None":
        """What a function makes that hands all its keywords on, or those that the release knows."""
        handed = handed_on_by(node)
        found = self._line(dotted(handed[0].func), handed[0], scopes, path, depth + 1) if handed else None
        return found and (found[0].but(is_open=found[0].is_open or handed[1]), found[1])  # type: ignore[index]  # there is a call

    def _of_import(
        self, node: ast.ImportFrom, name: str, scopes: Scopes, path: str, depth: int
    ) -> "tuple[ConfigClass, list[tuple[Scopes, ast.ClassDef]]] | None":
        original = next((each.name for each in node.names if (each.asname or each.name) == name), name)
        kind = CLASSES.get(original)
        if kind is not None and not node.level and kind.comes_from(node.module or ""):
            return kind, []
        for where, other in self.library.scopes(path, node.level, node.module or original):
            found = self._line(original, other.source.tree, other, where, depth + 1)
            if found is not None:
                return found
        return None

    # --- one call

    def _is_expected_to_fail(self, call: ast.Call) -> bool:
        """Whether a test, or a `try` with another config in its place, waits for this call to fail, or what is made with
        it."""
        parent = self.source.parent[call]
        if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name) and self._fails_later(parent):
            return True
        below: ast.AST = call
        for node in self.source.above(call):
            if _waits_for_errors(node):
                return True
            if isinstance(node, ast.Try) and any(below is each for each in node.body):
                name = dotted(call.func)
                if any(name in self._read_in(handler) for handler in node.handlers):
                    return True
            below = node
        return False

    def _fails_later(self, statement: ast.Assign) -> bool:
        """Whether the name that is assigned is used where a test waits for a failure, before it is assigned again."""
        name = dotted(statement.targets[0])
        block = self.scopes.block_of(statement)
        if block is None:
            return False
        again = self._next_by_the_name(name, block)
        waiting = self._of_block(block[0])[1]
        return any(
            block[1] < at and (again is None or at < again) and name in self._read_in(block[0][at]) for at in waiting
        )

    @once
    def _read_in(self, node: ast.AST) -> "set[str]":
        """The names in a statement, and how the functions are called that it calls."""
        inside = list(ast.walk(node))
        names = {each.id for each in inside if isinstance(each, ast.Name)}
        return names.union(dotted(each.func) for each in inside if isinstance(each, ast.Call))

    def _of_block(self, block: "list[ast.stmt]") -> "tuple[dict[str, list[int]], list[int]]":
        """({name: places of the statements that assign to it}, places of those that wait for errors) of a block."""
        if id(block) not in self._blocks:
            assigned: dict[str, list[int]] = {}
            waiting: list[int] = []
            for at, each in enumerate(block):
                for target in each.targets if isinstance(each, ast.Assign) else ():
                    assigned.setdefault(dotted(target), []).append(at)
                if isinstance(each, (ast.With, ast.AsyncWith)) and _waits_for_errors(each):
                    waiting.append(at)
            self._blocks[id(block)] = assigned, waiting
        return self._blocks[id(block)]

    def _config(
        self, call: ast.Call, name: str, kind: ConfigClass, own: "list[tuple[Scopes, ast.ClassDef]]"
    ) -> "Config | None":
        found = Config()
        found.kind, found.name, found.call = kind, name, call
        found.path = self.source.text.path
        found.start, found.end = self.source.start(call), self.source.end(call)
        found.is_whole, found.doubts, found.trainer, found._made_by = True, [], self.trainer, None
        given: Given = {}
        declares: set[str] = set()
        changed: set[str] = set()
        for scopes, each in reversed(own):
            if not self._take_class(given, declares, changed, scopes, each, call):
                return None
        self._droppable: set[str] = set()  # keys that only a release which knows them is given
        found.is_whole = self._take_call(given, call)
        declares |= self._droppable
        given.update({each: self._setting(each, NOTHING, call) for each in changed})
        self._take_later(given, call, found)
        given = self._as_patched(given, found)
        if not given or not _is_chosen(kind, given):
            return None
        if kind.is_open:
            declares.update(given)
        found.declares = frozenset(declares)
        found.settings = mapping_of(given.values(), found.start, found.end)
        return found

    def _as_patched(self, given: "Given", config: Config) -> "Given":
        """The settings as packages leave them that put their own classes in the place of the framework's."""
        for patcher in self.patchers:
            for key in patcher.changes & given.keys():
                given[key] = _unknown(given[key])
            given = {key: each for key, each in given.items() if not key.startswith(patcher.adds)}
            told = f"{patcher.package} builds its own {config.kind.name} of it, and changes some values"
            config.doubts.append(("trainer", told))
        for patcher in PATCHERS:  # of the others another module may have been imported before
            for key, each in given.items():
                each.added_by = patcher.package if key.startswith(patcher.marks) else each.added_by
        return given

    def _take_class(
        self,
        given: "Given",
        declares: "set[str]",
        changed: "set[str]",
        scopes: Scopes,
        node: ast.ClassDef,
        call: ast.Call,
    ) -> bool:
        """Take the fields of a class of one's own, where they, and nothing else, make the config; whether that is so.
        `changed`: takes in what its `__post_init__` sets."""
        is_here = scopes is self.scopes
        values, fields, changed_later = self._own_class(scopes, node)
        if changed_later is None:
            return False
        for name, default, statement in fields:
            declares.add(name)
            if default is None:
                given.pop(name, None)
                continue
            value = values.of(default)
            if is_here:
                given[name] = self._setting(name, value, statement, default)
            else:
                given[name] = self._setting(name, Value(value.value, None, value.assumes), call)
        changed.update(changed_later)
        return True

    @once
    def _own_class(
        self, scopes: Scopes, node: ast.ClassDef
    ) -> "tuple[Values, list[tuple[str, ast.expr | None, ast.stmt]], set[str] | None]":
        """(the values of its file, its fields, what its `__post_init__` sets, None where something else makes the config) of
        a class of one's own."""
        values = self.values if scopes is self.scopes else Values(scopes)
        fields = [each for each in fields_of(node) if isinstance(each[2], ast.AnnAssign)] if is_dataclass(node) else []
        return values, fields, _set_by_methods(node)

    def _setting(
        self, name: str, value: Value, place: "ast.expr | ast.stmt | ast.keyword", written: "ast.expr | None" = None
    ) -> Keyword:
        """The Keyword of a setting, one of the many that may be taken."""
        self._count()
        keyword = node_of(self.source, name, value, place, written)
        keyword.flags = tuple((f"--{flag}", self._places[flag]) for flag in sorted(self.values.asked))
        self.values.asked.clear()
        return keyword

    def _count(self) -> None:
        self._settings_left -= 1
        if self._settings_left < 0:
            raise _TooMany

    def _take_call(self, given: "Given", call: ast.Call, depth: int = 0) -> bool:
        """Take what a call gives; whether that is all."""
        is_whole = True
        for place, argument in enumerate(call.args):
            if place or isinstance(argument, ast.Starred):
                is_whole = False
            else:
                given[FIRST_ARGUMENT] = self._setting(FIRST_ARGUMENT, self.values.of(argument), argument, argument)
        for keyword in call.keywords:
            if keyword.arg is not None:
                value = self.values.of(keyword.value)
                given[keyword.arg] = self._setting(keyword.arg, value, keyword, keyword.value)
            else:
                is_whole &= self._take_mapping(given, keyword.value, depth)
        return is_whole

    def _take_mapping(self, given: "Given", node: ast.expr, depth: int = 0) -> bool:
        """Take the items of a mapping that a call is given with `**`; whether all of them are known."""
        self._count()
        loaded = loading_of(node, self.values)
        if loaded is not None:
            return self._take_loaded(given, node, *loaded)
        later: frozenset[str] | None = frozenset()
        found: ast.expr | None = node
        if isinstance(node, ast.Name):
            found, later = self.values.bound(node), self.values.set_later(node.id)
        elif isinstance(node, ast.Subscript):
            found = self.values.mapping(node)
        source = filtered_of(found)
        if source is not None and depth <= MOST_MAPPINGS:
            before = set(given)
            is_whole = self._take_mapping(given, source, depth + 1)
            self._droppable |= given.keys() - before
            return is_whole
        if later is None or not isinstance(found, (ast.Dict, ast.Call)) or depth > MOST_MAPPINGS:
            return False
        is_whole = self._take_items(given, found, depth + 1)
        for name in later:
            given[name] = self._setting(name, NOTHING, node)
        if later:
            self._droppable |= later & self._asked_for
        return is_whole

    @derived
    def _asked_for(self) -> "frozenset[str]":
        """The names that the file looks for in something: `if "beta" in known`."""
        compared = (node for node in self.source.nodes if isinstance(node, ast.Compare))
        asked = (node.left for node in compared if isinstance(node.ops[0], (ast.In, ast.NotIn)))
        return frozenset(node.value for node in asked if isinstance(node, ast.Constant) and type(node.value) is str)

    def _take_loaded(
        self, given: "Given", node: ast.expr, name: str, path: "tuple[str, ...]", later: "frozenset[str]", is_json: bool
    ) -> bool:
        """Take the items of a mapping that stands in a file of YAML or JSON, or below a path of keys in it; whether all of them are known."""
        found = self.library.settings(name)
        if found is None or self.source.text.text.count(os.path.basename(name)) > 1:  # the program may write it before
            return False
        text, root = found
        for key in path:
            entry = root.get(key)
            inner = target(entry.value) if entry is not None else None
            if type(inner) is not Mapping:
                return False
            root = inner
        for key, entry in root.items():
            keyword = self._setting(key, Value(_as_json(entry.value) if is_json else loaded(entry.value)), node)
            keyword.place = place_of(text, entry.key.start)
            given[key] = keyword
        for key in later:
            given[key] = self._setting(key, NOTHING, node)
        return True

    def _take_items(self, given: "Given", found: "ast.Dict | ast.Call", depth: int) -> bool:
        """Take the items of a mapping as it is written; whether all of them are known."""
        if isinstance(found, ast.Call):
            return dotted(found.func) == "dict" and not found.args and self._take_call(given, found, depth)
        is_whole = True
        for key, value in zip(found.keys, found.values, strict=True):
            if key is None:
                is_whole &= self._take_mapping(given, value, depth)
            elif isinstance(key, ast.Constant) and type(key.value) is str:
                given[key.value] = self._setting(key.value, self.values.of(value), key, value)
            else:
                is_whole = False
        return is_whole

    def _take_later(self, given: "Given", call: ast.Call, config: Config) -> None:
        """Take what is assigned to the attributes of a config after it was made."""
        name = self._name_of(call)
        block = self.scopes.block_of(call)
        again = self._next_by_the_name(name, block) if name and block else None
        if self._stores is None:
            self._stores = _Stores(self.scopes)
        for attribute, place in self._stores.by_holder.get(name, ()):
            self._count()
            if not isinstance(place, ast.Attribute):
                given[attribute] = self._setting(attribute, NOTHING, call)
            elif name:
                self._take_attribute(given, attribute, place, block, again)
        for attribute, keyword in given.items():
            doubts = self._stores.doubts.get(attribute, {})
            keyword.assumes += tuple(doubt for holder, doubt in doubts.items() if holder != name)
        if not self._stores.open_holders.isdisjoint((name, "args", "training_args", "config")):
            config.is_whole = False
            given.update({key: _unknown(each) for key, each in given.items()})

    def _name_of(self, call: ast.Call) -> str:
        """The name to which the result of a call is assigned alone; empty for none."""
        parent = self.source.parent[call]
        target = parent.targets[0] if isinstance(parent, ast.Assign) and len(parent.targets) == 1 else None
        return dotted(target) if target is not None else ""

    def _take_attribute(
        self,
        given: "Given",
        attribute: str,
        place: ast.Attribute,
        block: "tuple[list[ast.stmt], int] | None",
        again: "int | None",
    ) -> None:
        statement = self.source.parent[place]
        other = self.scopes.block_of(place)
        # how many statements of its own block lie between, None in another block
        behind = other[1] - block[1] if block and other and other[0] is block[0] else None
        if block and behind is not None and (behind < 0 or (again is not None and block[1] + behind > again)):
            return  # of an earlier or a later config by the same name
        if behind is None or not isinstance(statement, ast.Assign) or statement.targets != [place]:
            given[attribute] = found = self._setting(attribute, NOTHING, place)
        else:
            value = self.values.of(statement.value)
            told = Value(value.value, value.literal, (*value.assumes, _SET_LATER.format(name=attribute)))
            given[attribute] = found = self._setting(attribute, told, place, statement.value)
        found.is_later = True

    def _next_by_the_name(self, name: str, block: "tuple[list[ast.stmt], int]") -> "int | None":
        """Where in a block the name of a config is assigned again."""
        places = self._of_block(block[0])[0].get(name, [])
        after = bisect_right(places, block[1])
        return places[after] if after < len(places) else None


class _Stores:
    """What a file sets of objects, sorted once for all its configs.

    by_holder      {object as it is written: [(attribute, what sets it)]}
    open_holders   the objects of which attributes are set whose names are not known
    doubts         {attribute: {object that may be the config by another name: how that reads}}
    """

    by_holder: "dict[str, list[tuple[str, ast.AST]]]"
    open_holders: "set[str]"
    doubts: "dict[str, dict[str, str]]"

    def __init__(self, scopes: Scopes) -> None:
        self.by_holder, self.open_holders, self.doubts = {}, set(), {}
        for attribute, places in scopes.stores.items():
            for place in places:
                self._take(attribute, place)

    def _take(self, attribute: str, place: ast.AST) -> None:
        holder = dotted(place.value) if isinstance(place, ast.Attribute) else _first(place)
        if attribute == "*":
            self.open_holders.add(holder)
            return
        self.by_holder.setdefault(holder, []).append((attribute, place))
        if isinstance(place, ast.Attribute) and "arg" in holder and not holder.startswith("self."):
            doubt = f"line {place.lineno} sets {attribute} of {holder}"
            of_attribute = self.doubts.setdefault(attribute, {})
            if len(of_attribute) < MOST_DOUBTS:
                of_attribute.setdefault(holder, doubt)


def _as_json(node: "AnyNode") -> object:
    """The value of a node of JSON, where `1e-6` is a number, and in YAML a text."""
    value = loaded(node)
    try:
        return float(value) if type(value) is str and isinstance(node, Scalar) and not node.style else value
    except ValueError:
        return value


def _is_chosen(kind: ConfigClass, given: "Given") -> bool:
    """Whether a config of a class that serves several trainers is for one of ours."""
    if kind.chosen_by is None:
        return True
    key, value = kind.chosen_by
    return key in given and given[key].known == value


def _set_by_methods(node: ast.ClassDef) -> "set[str] | None":
    """The attributes that the `__post_init__` of a class sets, None where its methods make the config otherwise."""
    methods = {each.name: each for each in node.body if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))}
    if not methods.keys().isdisjoint(("__init__", "__new__", "__setattr__")):
        return None
    method = methods.get("__post_init__")
    if method is None:
        return set()
    attributes = [each for each in ast.walk(method) if isinstance(each, ast.Attribute)]
    if _sets_by_name(method) or "__post_init__" not in {each.attr for each in attributes}:
        return None
    return {each.attr for each in attributes if not isinstance(each.ctx, ast.Load)}


def _sets_by_name(method: ast.AST) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "setattr" for each in ast.walk(method))


def _comes_as_it_is(field: "Field", value: object) -> bool:
    """Whether a value is what the parser of a command would make of it. A call converts nothing and refuses nothing."""
    if field.has_type_of(value):
        return True
    if value is None:
        return field.type.endswith("?")
    return type(value) is str and (value in field.choices if field.choices else "str" in field.type)


def _unknown(keyword: Keyword) -> Keyword:
    """The same setting with an unknown value."""
    node = keyword.value
    found = Keyword(keyword.key, Scalar(node.start, node.end, "", tag=COMPOSED))
    found.value.value = UNKNOWN  # type: ignore[union-attr]  # a scalar
    found.written = keyword.written
    return found


def _waits_for_errors(node: ast.AST) -> bool:
    """Whether something of a test waits for what is inside to fail: `with pytest.raises(...)`, `assertRaises(..., lambda: ...)`, a
    test or a class of tests that is marked as one that fails."""
    if isinstance(node, (ast.With, ast.AsyncWith)):
        entered = [each.context_expr for each in node.items if isinstance(each.context_expr, ast.Call)]
        return any("raises" in dotted(each.func).lower() for each in entered)
    if isinstance(node, ast.Call):
        return "raises" in dotted(node.func).lower()
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return any(_is_of_failing_tests(each) for each in node.decorator_list)
    return False


def _is_of_failing_tests(mark: ast.expr) -> bool:
    """Whether a decorator marks what fails: `@pytest.mark.xfail(...)`, `@unittest.expectedFailure`."""
    name = dotted(mark.func if isinstance(mark, ast.Call) else mark).rpartition(".")[2]
    return name in ("xfail", "expectedFailure")


def _first(call: ast.AST) -> str:
    return dotted(call.args[0]) if isinstance(call, ast.Call) and call.args else ""


def _imported_by(node: ast.AST) -> "Iterable[str]":
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    return [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
