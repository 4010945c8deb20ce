"""Training scripts, read without running them: with which trainer they train, and which arguments they declare
themselves."""

import ast
import os
import re
from copy import copy
from itertools import islice
from warnings import catch_warnings, simplefilter

from ..files import disk
from ..files.budget import LARGEST_PROGRAMS, PROGRAMS
from ..frameworks.trl.programs import ARGUMENTS, CONFIGS, PACKAGE, TRAINERS, is_of_trl
from ..source.python.reader import dotted, has_endless_name
from .argument_defaults import defaults_of, fields_of, preset_by
from .readings import classes_given, reading_of
from .readings import together as readings_together

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from collections.abc import Set as AbstractSet
    from typing import Any, TypeAlias

    from ..source.text import Text
    from .argument_defaults import Fields
    from .commands import Invocation
    from .files import Files, Read
    from .readings import Reading

    Kinds: TypeAlias = dict[str | None, set[str]]  # {kind of a trainer, None when it cannot be told: names}
    Known: TypeAlias = "dict[tuple[Module, str], str | None]"  # {(module, name): kind} of what was looked at

MOST_FILES = 30
MOST_REMEMBERED = 2 * LARGEST_PROGRAMS  # characters of Python
MOST_ABOVE = 9  # folders above a module in which its imports are looked for
_DEEPEST = 50  # classes that are made from one another
_DOTTED_CONFIGS = frozenset(f"{PACKAGE}.{name}" for name in CONFIGS)
_USUAL_PARSER, _OTHER_PARSER, _HYDRA = "of transformers", "another", "of Hydra"
_OTHER_PARSERS = frozenset(
    """argparse.ArgumentParser ArgumentParser typer.Typer Typer typer.run click.command fire.Fire Fire tyro.cli jsonargparse.CLI
    yaml.safe_load yaml.load OmegaConf.load""".split()
)
_OF_TRL, _OTHER_OF_TRL, _OWN, _OF_TRANSFORMERS, _FROM_NOTHING = (
    "the framework's",
    "another one of the framework's",
    "its own",
    "of transformers",
    "from nothing",
)


class Program:
    """A training script, with the modules of its repository that it imports.

    name         how it is called in messages
    path         of its file, None when it stands for several
    trainer      the trainer class of its own that it trains with, None when it is one of TRL's or cannot be told
    unread       a trainer class whose origin cannot be told, where no other is used; None for none
    of_trl       whether it uses a trainer of TRL, or one that is built by its constructor
    config_of_trl   whether it uses a config class of TRL, or one made from it
    overrides    the methods that it puts in the place of those of TRL's trainer
    compares     the texts that it compares something with
    refusals     the texts of the errors that the modules around its own trainer raise
    declares     the names of the arguments that it declares itself
    defaults     what its own classes of arguments have as defaults, {name: argument_defaults.Default}
    unread_arguments   a class of arguments that is not here, in the place of TRL's config class; None for none
    reads        the names of the arguments that it reads, wherever they are declared
    sets         the names of what it sets on other objects, such as arguments that it has read
    leaves_trl   whether it reads its arguments itself and nothing of all that imports TRL
    usual_parser whether the parser of transformers or TRL reads its arguments, and nothing before it
    own_parser   whether something else than the parser of transformers or TRL reads its arguments: their defaults are
                 its own
    reading      what becomes of what nobody declares (`readings.Reading`), None where its calls do not tell
    trains_otherwise   whether it is known to train with other trainers of TRL (SFTTrainer) and with nothing else
    trains_groups   whether it trains with GRPOTrainer of TRL, one made from it, or one of its own by a name of the kind,
                 and with nothing else
    trains_rloo   the same of RLOOTrainer
    sizes        {path: characters} of the Python that was parsed for it
    partial      whether there is more of it than may be read: what it does not declare, it may declare there
    rival        another file that a command may start in its place, and that trains otherwise; None for none
    """

    __slots__ = ("name", "path", "trainer", "unread", "of_trl", "config_of_trl", "overrides", "compares", "refusals", "declares", "reads", "sets",
                 "leaves_trl", "usual_parser", "own_parser", "sizes", "partial", "reading", "trains_groups", "trains_rloo",
                 "trains_otherwise", "rival", "defaults", "unread_arguments")  # fmt: skip
    name: str
    path: "str | None"
    trainer: "str | None"
    unread: "str | None"
    of_trl: bool
    config_of_trl: bool
    overrides: "frozenset[str]"
    compares: "frozenset[str]"
    refusals: "tuple[str, ...]"
    declares: "frozenset[str]"
    defaults: "Fields"
    unread_arguments: "str | None"
    reads: "frozenset[str]"
    sets: "frozenset[str]"
    leaves_trl: bool
    usual_parser: bool
    own_parser: bool
    sizes: "dict[str, int]"
    partial: bool
    reading: "Reading | None"
    trains_groups: bool
    trains_rloo: bool
    trains_otherwise: bool
    rival: "str | None"

    def __init__(
        self, name: str, trainer: "str | None" = None, of_trl: bool = False, config_of_trl: bool = False,
        overrides: "frozenset[str]" = frozenset(), compares: "frozenset[str]" = frozenset(), refusals: "tuple[str, ...]" = (),
        declares: "frozenset[str]" = frozenset(), leaves_trl: bool = False, own_parser: bool = False, path: "str | None" = None,
        unread: "str | None" = None, usual_parser: bool = False, sets: "frozenset[str]" = frozenset(), reads: "frozenset[str]" = frozenset(),
        sizes: "dict[str, int] | None" = None, partial: bool = False, reading: "Reading | None" = None, trains_groups: bool = False,
        trains_rloo: bool = False, trains_otherwise: bool = False, defaults: "Fields | None" = None,
        unread_arguments: "str | None" = None,
    ) -> None:  # fmt: skip
        self.name = name
        self.path = path
        self.trainer = trainer
        self.unread = unread
        self.of_trl = of_trl
        self.config_of_trl = config_of_trl
        self.overrides = overrides
        self.compares = compares
        self.refusals = refusals
        self.declares = declares
        self.reads = reads
        self.sets = sets
        self.leaves_trl = leaves_trl
        self.usual_parser = usual_parser
        self.own_parser = own_parser
        self.sizes = sizes or {}
        self.partial = partial
        self.reading = reading
        self.trains_groups = trains_groups
        self.trains_rloo = trains_rloo
        self.trains_otherwise = trains_otherwise
        self.rival = None
        self.defaults = defaults or {}
        self.unread_arguments = unread_arguments

    def of_keywords(self, declares: "frozenset[str]") -> "Program":
        """The same program for a config that it makes itself: besides the framework's fields only those of its own
        class are read."""
        found = copy(self)
        found.declares, found.reads, found.defaults = declares, frozenset(), {}
        found.unread_arguments = None
        return found

    def called(self, name: str, partial: bool) -> "Program":
        """The same program by another name."""
        found = copy(self)
        found.name, found.partial = name, partial
        return found

    @property
    def trains(self) -> bool:
        """Whether it trains with a trainer of the GRPO family, TRL's or its own."""
        return self.of_trl or self.trainer is not None

    def refuses(self, wordings: "Iterable[str]") -> bool:
        """Whether its own trainer refuses something in one of the wordings; `...` stands for numbers there, and ` / `
        between alternatives."""
        alternatives = [alternative.split("...") for wording in wordings for alternative in wording.split(" / ")]
        telling = [[part for part in parts if len(part) > 20] for parts in alternatives]
        return any(all(part in refusal for part in parts) for parts in telling if parts for refusal in self.refusals)


def path_of_program(invocation: "Invocation", files: "Files") -> str | None:
    """The path of the file or module of the repository that a command starts, the nearest to the command; None when it is
    not found."""
    return next(iter(_paths_of_program(invocation, files)), None)


def _paths_of_program(invocation: "Invocation", files: "Files") -> list[str]:
    """The paths of the files of the repository that a command may start, the nearest to the command first."""
    word = invocation.program
    paths = files.places_by(invocation.command, word)
    if not paths and word.value and "/" not in word.value:
        module = word.value.replace(".", "/")
        places = (f"{folder}{module}{end}" for folder in ("", "src/") for end in (".py", "/__main__.py"))
        paths = next(filter(None, map(files.places, places)), [])
    return paths


def program_of(invocation: "Invocation", files: "Files") -> Program | None:
    """The Program that a command starts, a file or a module of the repository; None when it is not found."""
    paths = _paths_of_program(invocation, files)
    if not paths:
        return None
    path, *others = paths
    name = invocation.program.value or path
    if files.budget.has_cut(PROGRAMS):
        return Program(name, partial=True)
    found = files.library.program(path)
    is_partial = not all(files.budget.allows(PROGRAMS, *each) for each in found.sizes.items())
    found = found.called(name, found.partial or is_partial)
    found.rival = next((each for each in others if not _trains_alike(files, each, found)), None)
    found.partial |= found.rival is not None  # which may declare more
    return found


def _trains_alike(files: "Files", path: str, program: Program) -> bool:
    """Whether the file at a path is known to train with the same as another program, so that it does not matter which of
    them is started."""
    if files.budget.has_cut(PROGRAMS):
        return False
    other = files.library.program(path)
    if not all(files.budget.allows(PROGRAMS, *each) for each in other.sizes.items()):
        return False
    return all(getattr(other, name) == getattr(program, name) for name in _HOW_IT_TRAINS)


_HOW_IT_TRAINS = ("defaults", "trainer", "unread", "of_trl", "config_of_trl", "own_parser", "declares", "overrides")


def _program(path: str, modules: "list[Module]", sizes: dict[str, int], is_whole: bool, is_partial: bool) -> Program:
    """The Program of a Python file and the modules that it imports, of which these ones were read."""
    kinds = _kinds(modules)
    declares = _all(module.declares for module in modules)
    parsers = _all(module.parsers for module in modules)
    reads_arguments = bool(declares or parsers)
    return Program(
        path,
        _own_trainer(kinds),
        of_trl=_OF_TRL in kinds,
        config_of_trl=_uses_config_of_trl(modules),
        overrides=_all(
            module.classes[each].methods
            for module in modules
            for each in kinds.get(_OF_TRL, ())
            if each in module.classes
        ),
        compares=_all(module.compares for module in modules),
        refusals=tuple(text for module in modules for text in module.refusals),
        declares=declares,
        reads=_all(module.reads for module in modules),
        sets=_all(module.sets for module in modules),
        leaves_trl=reads_arguments and is_whole and not any(module.imports_trl for module in modules),
        own_parser=_HYDRA in parsers or (_OTHER_PARSER in parsers and _USUAL_PARSER not in parsers),
        usual_parser=_USUAL_PARSER in parsers and _HYDRA not in parsers,
        path=path,
        unread=None if _OF_TRL in kinds or _own_trainer(kinds) else min(kinds.get(None, ()), default=None),
        sizes=sizes,
        partial=is_partial,
        reading=_reading(modules, parsers, is_whole and not is_partial),
        trains_groups=_trains_with(kinds, rloo=False) and _reads_config_of_trl(modules),
        trains_rloo=_trains_with(kinds, rloo=True) and _reads_config_of_trl(modules),
        trains_otherwise=is_whole
        and not is_partial
        and _OTHER_OF_TRL in kinds
        and kinds.keys() <= {_OTHER_OF_TRL, _OF_TRANSFORMERS},
        **_defaults(modules, parsers),
    )


def _defaults(modules: "list[Module]", parsers: "frozenset[str]") -> "dict[str, Any]":
    if parsers != {_USUAL_PARSER}:
        return {}
    defaults, unread = defaults_of(modules)
    return {"defaults": defaults, "unread_arguments": unread}


def _trains_with(kinds: "Kinds", rloo: bool) -> bool:
    """Whether all trainers that are used are GRPOTrainer of TRL, or made from it, or by their names of its kind; or
    RLOOTrainer."""
    own = kinds.get(_OWN, set()) | kinds.get(_FROM_NOTHING, set())
    ours = kinds.get(_OF_TRL, set()) | own
    return (
        bool(ours)
        and kinds.keys() <= {_OF_TRL, _OF_TRANSFORMERS, _OWN, _FROM_NOTHING}
        and not any(map(_is_for_another_task, own))
        and all(("RLOO" in name) is rloo for name in ours)
    )


def _reads_config_of_trl(modules: "list[Module]") -> bool:
    """Whether a parser fills TRL's config class, or one made from it: not where the program builds it itself."""
    waiting = [name for module in modules for given in module.arguments for name in given or ()]
    classes = {name: each for module in modules for name, each in module.classes.items()}
    from_trl = {local: name for module in modules for local, name in module.from_trl.items()}
    seen = set()
    for name in waiting:
        last = from_trl.get(name, name.rpartition(".")[2])
        if last in CONFIGS and (last not in classes or name != last):
            return True
        if last in classes and last not in seen:
            seen.add(last)
            waiting += classes[last].bases
    return False


def _reading(modules: "list[Module]", parsers: "frozenset[str]", is_whole: bool) -> "Reading | None":
    """What becomes of what nobody declares, as all calls of parsers say."""
    is_closed = is_whole and parsers == {_USUAL_PARSER} and _declares_all(modules)
    return readings_together((each for module in modules for each in module.readings), is_closed)


def _declares_all(modules: "list[Module]") -> bool:
    """Whether all classes of arguments, and those that they are made from, are TRL's or stand in these modules."""
    waiting, seen = [], set()
    for module in modules:
        for given in module.arguments:
            if given is None:
                return False
            waiting += given
    classes = {name: each for module in modules for name, each in module.classes.items()}
    from_trl = {local: name for module in modules for local, name in module.from_trl.items()}
    for name in waiting:
        last = from_trl.get(name, name.rpartition(".")[2])
        if name in seen or (last in ARGUMENTS and (name in from_trl or name.startswith(f"{PACKAGE}."))):
            continue
        if name == "object" or last == "TrainingArguments":
            continue
        if last not in classes:
            return False
        seen.add(name)
        waiting += classes[last].bases
    return bool(waiting)


def _uses_config_of_trl(modules: "list[Module]") -> bool:
    """Whether TRL's config class checks the settings: not when a class of the repository goes by its name and is not
    made from it."""
    own = [(name, module) for module in modules for name in module.classes if name in CONFIGS]
    for name, module in own:
        if not any(base in module.from_trl or base.startswith("trl.") for base in module.classes[name].bases):
            return False
    return bool(own) or any(module.config_of_trl or module.configs for module in modules)


def together(programs: list[Program], partial: bool = False) -> Program | None:
    """What is true of every training script of a repository, where one of them reads a config; the declared arguments
    are those of all of them. None for none.

    `partial`: whether there are more of them than were read.
    """
    if not programs and not partial:
        return None
    training = [program for program in programs if program.trains]
    trainers = [program.trainer for program in training if program.trainer]
    return Program(
        "the training script of this repository",
        min(trainers, key=_is_for_another_task) if trainers and len(trainers) == len(training) else None,
        of_trl=any(program.of_trl for program in training),
        config_of_trl=any(program.config_of_trl for program in training),
        overrides=frozenset.intersection(*(program.overrides for program in training)) if training else frozenset(),
        compares=_all(program.compares for program in training),
        refusals=tuple(text for program in training for text in program.refusals),
        declares=_all(program.declares for program in programs),
        reads=_all(program.reads for program in training),
        sets=_all(program.sets for program in training),
        own_parser=bool(training) and not any(program.usual_parser for program in training),
        reading=readings_together(program.reading for program in training if program.reading),
        partial=partial or any(program.partial for program in programs),
        defaults={name: default.unknown() for each in training for name, default in each.defaults.items()},
    )


def _all(sets: "Iterable[AbstractSet[str]]") -> frozenset[str]:
    none: frozenset[str] = frozenset()
    return none.union(*sets)


# --- one file -------------------------------------------------------------------------------------------------------


class Module:
    """What the text of a Python file says.

    classes        {name: Class}
    declares       the arguments that its dataclasses and its argparse parsers add
    reads          the names of the attributes that it reads of `args` and the like
    sets           the names of the attributes that it sets on other objects
    parsers        the kinds of parsers that it makes of its arguments
    trainers       the names with Trainer in them that are used, not only defined, imported or made a class from
    from_trl       {local name: name} of what it imports from TRL
    renamed        {local name: name} of what it imports from elsewhere by another name
    imports_trl    whether it imports anything of TRL
    imports        {(level, module)} that it imports; the level counts the dots in front
    refusals       the texts of the errors that it raises
    compares       the texts that it compares something with
    config_of_trl  whether it names a config class of TRL
    configs        the names of TRL's config classes that it takes out of some module
    size           what it cost to read it, in characters that were parsed
    readings       what its calls of parsers say (`readings.Reading`)
    arguments      the names of the classes of arguments that each parser is made of, None where they are computed
    presets        the names of the arguments whose defaults it replaces
    path           of its file
    """

    __slots__ = ("classes", "declares", "parsers", "trainers", "from_trl", "imports_trl", "imports", "refusals", "compares", "config_of_trl",
                 "configs", "reads", "sets", "size", "readings", "arguments", "presets", "path", "renamed", "_uses")  # fmt: skip
    classes: "dict[str, Class]"
    declares: "set[str]"
    reads: "set[str]"
    sets: "set[str]"
    parsers: "set[str]"
    trainers: "set[str]"
    from_trl: "dict[str, str]"
    imports_trl: bool
    imports: "set[tuple[int, str]]"
    refusals: "list[str]"
    compares: "set[str]"
    config_of_trl: bool
    configs: "set[str]"
    size: int
    readings: "list[Reading]"
    arguments: "list[list[str] | None]"
    presets: "set[str]"
    path: str
    renamed: "dict[str, str]"
    _uses: "dict[str, int]"

    def __init__(self, tree: ast.Module, size: int, compares: "Iterable[str]" = ()) -> None:
        self.classes, self.declares, self._uses, self.from_trl, self.imports, self.refusals = (
            {},
            set(),
            {},
            {},
            set(),
            [],
        )
        self.imports_trl = self.config_of_trl = False
        self.size = size
        self.readings, self.arguments, self.presets, self.path, self.renamed = [], [], set(), "", {}
        self.compares, self.parsers, self.configs, self.reads, self.sets = set(compares), set(), set(), set(), set()
        takers: dict[type[ast.AST], Callable[[Any], None]] = {
            ast.ClassDef: self._take_class, ast.Import: self._take_import, ast.ImportFrom: self._take_import, ast.Call: self._take_call,
            ast.Attribute: self._take_attribute, ast.Compare: self._take_comparison, ast.Raise: self._take_error, ast.Name: self._take_name,
        }  # fmt: skip
        nodes: list[ast.AST] = [tree]
        for node in nodes:  # those nearer to the root first, as in `ast.walk`, which takes three times as long
            kind = type(node)
            if kind in _TELLS_NOTHING:
                continue
            if kind in takers:
                takers[kind](node)
                if kind is ast.Name:
                    continue
            for part in vars(node).values():
                if type(part) is list:
                    nodes += part
                elif type(part) not in _TELLS_NOTHING:
                    nodes.append(part)
        self.trainers = {name for name, times in self._uses.items() if times > 0}

    def _take_class(self, node: ast.ClassDef) -> None:
        self.classes.setdefault(node.name, Class(node))
        for base in node.bases:
            self._count_trainer(base, -1)  # it is told as a name as well
        if _holds_arguments(node):
            self.declares.update(
                item.target.id
                for item in node.body
                if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
            )

    def _take_attribute(self, node: ast.Attribute) -> None:
        self._count_trainer(node, 1)
        self._count_trainer(
            node.value, -1 if isinstance(node.value, ast.Attribute) else 0
        )  # whose attribute is read is not trained with
        if isinstance(node.ctx, ast.Store) and not (isinstance(node.value, ast.Name) and node.value.id == "self"):
            self.sets.add(node.attr)
        elif (getattr(node.value, "id", "") or getattr(node.value, "attr", "")).endswith("args"):
            self.reads.add(node.attr)
        if node.attr in CONFIGS:
            self.configs.add(node.attr)
            self.config_of_trl |= dotted(node) in _DOTTED_CONFIGS

    def _take_comparison(self, node: ast.Compare) -> None:
        self.compares.update(
            each.value for each in node.comparators if isinstance(each, ast.Constant) and type(each.value) is str
        )

    def _take_error(self, node: ast.Raise) -> None:
        self.refusals += ["".join(_texts(each)) for each in getattr(node.exc, "args", ())]

    def _take_name(self, node: ast.Name) -> None:
        if "Trainer" in node.id:
            self._count_trainer(node, 1)

    def _count_trainer(self, node: ast.expr, times: int) -> None:
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if "Trainer" in name and isinstance(getattr(node, "ctx", None), ast.Load):
            self._uses[name] = self._uses.get(name, 0) + times

    def _take_import(self, node: "ast.Import | ast.ImportFrom") -> None:
        if isinstance(node, ast.Import):
            self.imports.update((0, alias.name) for alias in node.names)
            self.imports_trl |= any(is_of_trl(alias.name) for alias in node.names)
            return
        self.imports.update(
            [(node.level, node.module)] if node.module else [(node.level, alias.name) for alias in node.names]
        )
        if not node.level and is_of_trl(node.module or ""):
            self.imports_trl = True
            self.from_trl.update((alias.asname or alias.name, alias.name) for alias in node.names)
            self.config_of_trl |= any(alias.name in CONFIGS for alias in node.names)
        else:
            self.renamed.update((alias.asname, alias.name) for alias in node.names if alias.asname)

    def _take_call(self, node: ast.Call) -> None:
        path = dotted(node.func)
        name = path.rpartition(".")[2]
        if name == "add_argument":
            words = [word.value for word in node.args if isinstance(word, ast.Constant) and type(word.value) is str]
            self.declares.update(word.lstrip("-").replace("-", "_") for word in words)
        if name.endswith(("HfArgumentParser", "TrlParser")):
            self.parsers.add(_USUAL_PARSER)
            self.arguments.append(classes_given(node) if name in ("HfArgumentParser", "TrlParser") else None)
        elif name == "set_defaults":
            self.presets.update(preset_by(node))
        elif name[:6] == "parse_":
            found = reading_of(node, name)
            self.readings += [found] if found else []
        elif path in _OTHER_PARSERS:
            self.parsers.add(_OTHER_PARSER)
        elif path == "hydra.main":  # composes the files before anybody else sees them
            self.parsers.add(_HYDRA)


# What stands in a tree, and neither tells anything nor has parts that do.
_TELLS_NOTHING = frozenset(
    (
        ast.Constant,
        ast.Load,
        ast.Store,
        ast.Del,
        ast.Pass,
        ast.Break,
        ast.Continue,
        ast.Global,
        ast.Nonlocal,
        str,
        int,
        type(None),
    )
)


class Class:
    """A class: its bases as they are written (`Trainer`, `trl.GRPOTrainer`), and the names of its methods.

    name, fields  its name; where it is a dataclass, the fields that say a default
    starts_anew   whether it is made by the constructor of transformers' Trainer, past those of the classes in between
    """

    __slots__ = ("name", "fields", "bases", "methods", "starts_anew")
    name: str
    fields: "Fields"
    bases: "list[str]"
    methods: "frozenset[str]"
    starts_anew: bool

    def __init__(self, node: ast.ClassDef) -> None:
        self.name, self.fields = node.name, fields_of(node)
        self.bases = [dotted(base) for base in node.bases]
        methods = [item for item in node.body if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef))]
        self.methods = frozenset(method.name for method in methods)
        self.starts_anew = any(_calls(method, "Trainer.__init__") for method in methods if method.name == "__init__")


def _calls(tree: ast.AST, name: str) -> bool:
    return any(isinstance(node, ast.Call) and dotted(node.func) == name for node in ast.walk(tree))


# A module without any of these words is about something else; only what it imports counts.
_TELLING = ("Trainer", "add_argument", "dataclass", "Arguments", "Config", "Parser")
_IMPORT = r"(?m)^[ \t]*(from[ \t]+[.\w]+[ \t]+import\b|import[ \t]+[\w.]+)[ \t]*(\w+)?"
# A function or method, with what is indented below it; without any of these words, and where it sets nothing but
# attributes of its own
# object, only what it compares counts.
_FUNCTION = r"(?m)^((?:    )?)(?:async )?def (\w+).*\n(?:(?:\1[ \t]+.*|[ \t]*(?:#.*)?|\1[)\]}].*)\n)*"
_TELLING_OF_FUNCTION = (
    *_TELLING,
    "import",
    "raise",
    "class ",
    "__post_init__",
    "set_defaults",
    "args.",
    "args .",
    ".parse_",
    "yper",
    "click",
    "Fire",
    "tyro",
    "CLI",
    "yaml",
    "OmegaConf",
    "hydra",
)
_SET_ATTRIBUTE = r"\.\s*\w+\s*(?:[:,)\]][^=\n]*)?[-+*/%&|^@<>]{0,2}=(?!=)"
_COMPARISONS = ("==", "!=", " in")
_COMPARED = r"""(?:==|!=| in)[\s(\\]*[rRuU]?(?:"([^"\\\n]*)"|'([^'\\\n]*)')"""


def module_of(text: str | None) -> Module | None:
    """The Module of a text, None when it is no Python."""
    if text is None:
        return None
    if not any(word in text for word in _TELLING):
        text = "".join(
            f"{start} {name or 'several'}\n" if start[:4] == "from" else f"{start}\n"
            for start, name in re.findall(_IMPORT, text)
        )
        return _parsed(text)
    compares: set[str] = set()
    shortened = _without_other_functions(text + "\n", compares)
    return _parsed(shortened, len(text) // 16, compares) or _parsed(text)


def _parsed(text: str, size: int = 0, compares: "Iterable[str]" = ()) -> Module | None:
    """The Module of a text; `size`: of what was looked at beside it."""
    if has_endless_name(text):
        return None
    with catch_warnings():  # a stranger's `"\d"` is none of our warnings
        simplefilter("ignore")
        try:
            return Module(ast.parse(text), size + len(text), compares)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _without_other_functions(text: str, compares: set[str]) -> str:
    """A text in which functions that declare nothing are cut short, which is quicker than to parse them. The texts
    that they compare something with are noted."""
    telling = [word for word in _TELLING_OF_FUNCTION if word in text]
    compares_something = any(word in text for word in _COMPARISONS)

    def shortened(match: re.Match[str]) -> str:
        body = match[0]
        if any(word in body for word in telling) or body.count('"""') % 2 or body.count("'''") % 2:
            return body  # the last two: it ends within a text, or begins there
        if any(not body.endswith("self", 0, found.start()) for found in re.finditer(_SET_ATTRIBUTE, body)):
            return body
        compares.update(one or other for one, other in (re.findall(_COMPARED, body) if compares_something else ()))
        return f"{match[1]}def {match[2]}(): pass" + "\n" * body.count("\n")  # so that lines keep their numbers

    return re.sub(_FUNCTION, shortened, text)


def _texts(node: ast.expr) -> "Iterator[str]":
    """The literal parts of a text, `...` for what is computed."""
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.JoinedStr):
        for part in node.values:
            yield str(part.value) if isinstance(part, ast.Constant) else "..."


def _holds_arguments(node: ast.ClassDef) -> bool:
    decorators = [
        dotted(each.func if isinstance(each, ast.Call) else each).rpartition(".")[2] for each in node.decorator_list
    ]
    return "dataclass" in decorators or any(dotted(base).endswith(("Arguments", "Config")) for base in node.bases)


# --- the trainer ----------------------------------------------------------------------------------------------------


def _kinds(modules: list[Module]) -> "Kinds":
    """{kind: names} of the trainers that are used."""
    kinds: Kinds = {}
    known: Known = {}
    for module in modules:
        for name in module.trainers:
            if _is_trainer(name, modules, set()):
                kinds.setdefault(_kind(name, module, modules, known), set()).add(name)
    return kinds


def _is_trainer(name: str, modules: list[Module], seen: set[str]) -> bool:
    """Whether a name is that of a trainer: it ends like one, or its class is made from one. `seen`: the names that
    were looked at."""
    if name.endswith("Trainer"):
        return True
    home = None if name in seen else next((module for module in modules if name in module.classes), None)
    seen.add(name)
    return home is not None and any(
        _is_trainer(base.rpartition(".")[2], modules, seen) for base in home.classes[name].bases
    )


def _own_trainer(kinds: "Kinds") -> str | None:
    """A trainer class of the repository's own that is used: it descends from no trainer of TRL. Where one of TRL's is
    used, too, it is taken for another way to train only when it goes by the same name."""
    own = sorted(
        kinds.get(_OWN, set()) | {name for name in kinds.get(_FROM_NOTHING, ()) if not _is_for_another_task(name)}
    )
    if _OF_TRL in kinds or None in kinds:
        own = [name for name in own if name.endswith(tuple(TRAINERS)) and _OF_TRL in kinds]
    return own[0] if own else None


def _is_for_another_task(name: str) -> bool:
    return "GRPO" not in name and "RLOO" not in name


def _kind(name: str, module: Module, modules: list[Module], known: "Known", depth: int = 0) -> str | None:
    """Whose trainer a name is in a module: one of TRL's GRPO family or derived from it, another one of TRL's, the
    repository's own, or None when that is unknown. A class derived from another trainer of TRL (SFTTrainer) checks
    nothing of what the GRPO family checks, and counts as the repository's own.

    `known`: {(module, name): kind} of the classes that were looked at; None for one whose bases are being looked at.
    """
    if (module, name) in known or depth > _DEEPEST:
        return known.get((module, name))
    known[module, name] = None
    known[module, name] = found = _kind_of_bases(name, module, modules, known, depth)
    return found


def _kind_of_bases(name: str, module: Module, modules: list[Module], known: "Known", depth: int) -> str | None:
    if name in module.from_trl or name.startswith("trl."):
        return _OF_TRL if module.from_trl.get(name, name.rpartition(".")[2]) in TRAINERS else _OTHER_OF_TRL
    if name not in module.classes:
        name = module.renamed.get(name, name)
    home = module if name in module.classes else next((each for each in modules if name in each.classes), None)
    if home is None:
        return _OF_TRL if name in TRAINERS else _OF_TRANSFORMERS if name.rpartition(".")[2] == "Trainer" else None
    if home.classes[name].starts_anew:
        return _OWN
    if not home.classes[name].bases:
        return _FROM_NOTHING
    bases = [base for base in home.classes[name].bases if not base.endswith("Mixin")]
    kinds = {
        _kind(base, home, modules, known, depth + 1) if base != name else _kind_abroad(base, home) for base in bases
    }
    if _OF_TRL in kinds:
        return _OF_TRL
    if kinds == {_FROM_NOTHING}:
        return _FROM_NOTHING
    return _OWN if kinds and kinds <= {_OWN, _OF_TRANSFORMERS, _OTHER_OF_TRL, _FROM_NOTHING} else None


def _kind_abroad(name: str, module: Module) -> str | None:
    """The kind of a class that a class of the same name is made from."""
    return _OF_TRL if module.from_trl.get(name, name) in TRAINERS else None


# --- imports --------------------------------------------------------------------------------------------------------


class Library:
    """The Python of a repository: the programs in it, what their modules say, and where an import looks for one.

    What was read is remembered until it is too much. `read` gives the text of a path.
    """

    _read: "Read"
    _names: "dict[str, frozenset[str]]"
    _above: "dict[str, list[str]]"
    _files: "dict[tuple[str, int, str], list[str]]"
    _modules: "dict[str, Module | None]"
    _programs: "dict[str, Program]"
    _texts: "dict[str, Text]"
    _size: int

    def __init__(self, read: "Read") -> None:
        self._read = read
        self.forget()

    def forget(self) -> None:
        """Drop everything remembered, because files may have changed."""
        self._names = {}  # folder -> names in it
        self._above = {}  # folder -> where an import without dots looks
        self._files = {}
        self._modules = {}  # path -> Module
        self._programs = {}  # path -> Program
        self._texts = {}  # path -> Text
        self._size = 0

    def program(self, path: str) -> Program:
        """The Program of a Python file and of the modules of its repository that it imports: no more than MOST_FILES,
        of LARGEST_PROGRAMS characters."""
        if path in self._programs:
            return self._programs[path]
        modules: list[Module] = []
        sizes: dict[str, int] = {}
        waiting, known = [path], {path}
        while waiting and len(modules) < MOST_FILES and sum(sizes.values()) <= LARGEST_PROGRAMS:
            each = waiting.pop(0)
            module = self._module(each)
            if module is not None:
                modules.append(module)
                sizes[each] = module.size
                for level, name in sorted(module.imports):
                    for file in self.files(os.path.dirname(each), level, name):
                        if file not in known:
                            known.add(file)
                            waiting.append(file)
        is_partial = sum(sizes.values()) > LARGEST_PROGRAMS
        found = self._programs[path] = _program(path, modules, sizes, not any(map(disk.is_file, waiting)), is_partial)
        return found

    def text(self, path: str) -> "Text":
        """The text of a file that was read, empty for one that is gone."""
        if path not in self._texts:
            from ..source.text import Text

            text = self._read(path) or ""
            self._size += len(text)
            self._texts[path] = Text(text, path)
        return self._texts[path]

    def declared_in(self, paths: "Iterable[str]") -> frozenset[str]:
        """The names of the arguments that some files declare."""
        modules = (self._module(path) for path in paths)
        return _all(module.declares for module in modules if module)

    def _module(self, path: str) -> Module | None:
        if path not in self._modules:
            module = module_of(self._read(path))
            if module is not None:
                module.path = path
            self._size += module.size if module else 0
            if self._size > MOST_REMEMBERED:
                self.forget()
            self._modules[path] = module
        return self._modules[path]

    def files(self, folder: str, level: int, module: str) -> list[str]:
        """The files that `module` may be, imported by a file in a folder with `level` dots in front."""
        key = folder, level, module
        if key not in self._files:
            bases = _climb(folder, level - 1) if level else self._folders_above(folder)
            self._files[key] = [file for base in bases for file in self._in(base, module)]
        return self._files[key]

    def _in(self, base: str, module: str) -> "Iterator[str]":
        top, _, rest = module.partition(".")
        names = self._names_in(base)
        place = os.path.normpath(os.path.join(base, *module.split(".")))
        if (top if rest else f"{top}.py") in names:
            yield f"{place}.py"
        if top in names:
            yield os.path.join(place, "__init__.py")

    def _names_in(self, folder: str) -> frozenset[str]:
        if folder not in self._names:
            try:
                self._names[folder] = frozenset(name for name, _ in disk.listing(folder or os.curdir))
            except OSError:
                self._names[folder] = frozenset()
        return self._names[folder]

    def _folders_above(self, folder: str) -> list[str]:
        if folder not in self._above:
            self._above[folder] = list(_above(folder))
        return self._above[folder]


def _climb(folder: str, levels: int) -> list[str]:
    """[the folder so many levels above], none where that is outside of the checkout."""
    above = os.path.join(folder, *[os.pardir] * levels)
    inside = disk.checkout_of(os.path.join(above, "module.py")) == disk.checkout_of(os.path.join(folder, "module.py"))
    return [above] if inside else []


def _above(folder: str) -> list[str]:
    """A folder, those above it up to the root of the repository, and their `src`."""
    found: list[str] = []
    for _ in islice(disk.folders_up_to_root(os.path.abspath(folder)), MOST_ABOVE):
        found += [folder, os.path.join(folder, "src")]
        folder = os.path.join(folder, os.pardir)
    return found
