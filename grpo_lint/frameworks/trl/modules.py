"""What the text of one Python file says of a training: its classes, trainers, parsers and arguments."""

import ast
import re
from itertools import islice
from warnings import catch_warnings, simplefilter

from ...source.python.reader import dotted, has_endless_name
from ..programs import BY_RELEASE, DROPPED, REFUSED, UNREAD, Reading
from .argument_defaults import fields_of, preset_by
from .names import CONFIGS, PACKAGE, is_of_package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from ..programs import Fates

USUAL_PARSER, OTHER_PARSER, HYDRA = "of transformers", "another", "of Hydra"
_DOTTED_CONFIGS = frozenset(f"{PACKAGE}.{name}" for name in CONFIGS)
_OTHER_PARSERS = frozenset(
    """argparse.ArgumentParser ArgumentParser typer.Typer Typer typer.run click.command fire.Fire Fire tyro.cli jsonargparse.CLI
    yaml.safe_load yaml.load OmegaConf.load""".split()
)


class Module:
    """What the text of a Python file says.

    classes        {name: Class}
    declares       the arguments that its dataclasses and its argparse parsers add
    reads          the names of the attributes that it reads of `args` and the like
    sets           the names of the attributes that it sets on other objects
    replaces       those that it sets on arguments in any case, before it makes its trainer
    parsers        the kinds of parsers that it makes of its arguments
    trainers       the names with Trainer in them that are used, not only defined, imported or made a class from
    from_package       {local name: name} of what it imports from the framework
    renamed        {local name: name} of what it imports from elsewhere by another name
    imports_package    whether it imports anything of TRL
    imports        {(level, module)} that it imports; the level counts the dots in front
    refusals       the texts of the errors that it raises
    compares       the texts that it compares something with
    uses_config  whether it names a config class of TRL
    configs        the names of TRL's config classes that it takes out of some module
    size           what it cost to read it, in characters that were parsed
    readings       what its calls of parsers say
    arguments      the names of the classes of arguments that each parser is made of, None where they are computed
    presets        the names of the arguments whose defaults it replaces
    path           of its file
    makes_config   whether it makes a config of TRL itself, of keywords that stand there
    is_handed      whether it makes one of settings that it is handed from somewhere
    takes          the forms of files that it may read, or be handed: "yaml", "json"
    mentions       the names of such files, and patterns of names, that stand in its text
    """

    def __init__(self, tree: ast.Module, path: str, size: int, compares: "Iterable[str]" = ()) -> None:
        self.path, self.size = path, size
        self.makes_config = self.is_handed = False
        self.takes: frozenset[str] = frozenset()
        self.mentions: frozenset[str] = frozenset()
        self.classes: dict[str, Class] = {}
        self.declares: set[str] = set()
        self.reads: set[str] = set()
        self.sets: set[str] = set()
        self.replaces: set[str] = set()
        self.parsers: set[str] = set()
        self.from_package: dict[str, str] = {}
        self.renamed: dict[str, str] = {}
        self.imports_package = False
        self.imports: set[tuple[int, str]] = set()
        self.refusals: list[str] = []
        self.compares = {*compares}
        self.uses_config = False
        self.configs: set[str] = set()
        self.readings: list[Reading] = []
        self.arguments: list[list[str] | None] = []
        self.presets: set[str] = set()
        self._uses: dict[str, int] = {}
        self._take_all(tree)
        self.trainers = {name for name, times in self._uses.items() if times > 0}

    def _take_all(self, tree: ast.Module) -> None:
        takers: dict[type[ast.AST], Callable[[Any], None]] = {
            ast.ClassDef: self._take_class, ast.Import: self._take_import, ast.ImportFrom: self._take_import, ast.Call: self._take_call,
            ast.Attribute: self._take_attribute, ast.Compare: self._take_comparison, ast.Raise: self._take_error, ast.Name: self._take_name,
            ast.Module: self._take_body, ast.FunctionDef: self._take_body,
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

    def _take_body(self, node: "ast.Module | ast.FunctionDef") -> None:
        """Whatever branches it takes, a body runs its own statements."""
        found: set[str] = set()
        for statement in node.body:
            if isinstance(statement, (ast.Assign, ast.AugAssign)):
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                found.update(
                    each.attr
                    for each in targets
                    if isinstance(each, ast.Attribute) and dotted(each.value).endswith("args")
                )
            if found and any(_makes_a_trainer(each) for each in ast.walk(statement)):
                self.replaces |= found

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
            self.uses_config |= dotted(node) in _DOTTED_CONFIGS

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
            self.imports_package |= any(is_of_package(alias.name) for alias in node.names)
            return
        self.imports.update(
            [(node.level, node.module)] if node.module else [(node.level, alias.name) for alias in node.names]
        )
        if not node.level and is_of_package(node.module or ""):
            self.imports_package = True
            self.from_package.update((alias.asname or alias.name, alias.name) for alias in node.names)
            self.uses_config |= any(alias.name in CONFIGS for alias in node.names)
        else:
            self.renamed.update((alias.asname, alias.name) for alias in node.names if alias.asname)

    def _take_call(self, node: ast.Call) -> None:
        path = dotted(node.func)
        name = path.rpartition(".")[2]
        if name == "add_argument":
            words = [word.value for word in node.args if isinstance(word, ast.Constant) and type(word.value) is str]
            self.declares.update(word.lstrip("-").replace("-", "_") for word in words)
        if name in CONFIGS:
            self.makes_config = True
            self.is_handed |= any(_is_handed(keyword) for keyword in node.keywords)
        if name.endswith(("HfArgumentParser", "TrlParser")):
            self.parsers.add(USUAL_PARSER)
            self.arguments.append(classes_given(node) if name in ("HfArgumentParser", "TrlParser") else None)
        elif name == "set_defaults":
            self.presets.update(preset_by(node))
        elif name[:6] == "parse_":
            found = reading_of(node, name)
            self.readings += [found] if found else []
        elif path in _OTHER_PARSERS:
            self.parsers.add(OTHER_PARSER)
        elif path == "hydra.main":  # composes the files before anybody else sees them
            self.parsers.add(HYDRA)


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
    """A class.

    name, fields  its name; where it is a dataclass, the fields that say a default
    bases         as they are written (`Trainer`, `trl.GRPOTrainer`)
    methods       their names
    starts_anew   whether it is made by the constructor of transformers' Trainer, past those of the classes in between
    """

    def __init__(self, node: ast.ClassDef) -> None:
        self.name, self.fields = node.name, fields_of(node)
        self.bases = [dotted(base) for base in node.bases]
        methods = [item for item in node.body if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef))]
        self.methods = frozenset(method.name for method in methods)
        self.starts_anew = any(_calls(method, "Trainer.__init__") for method in methods if method.name == "__init__")


def _makes_a_trainer(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and dotted(node.func).endswith("Trainer")


def _calls(tree: ast.AST, name: str) -> bool:
    return any(isinstance(node, ast.Call) and dotted(node.func) == name for node in ast.walk(tree))


# A module without any of these words is about something else; only what it imports counts.
_TELLING = ("Trainer", "add_argument", "dataclass", "Arguments", "Config", "Parser", "BaseModel", "TypedDict")
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


# With one of these a program may read a file of settings of any form, or of JSON.
_READERS = r"""(?x) \b(?: yaml | ruamel | omegaconf | OmegaConf | hydra | toml\w* | configparser | HfArgumentParser | TrlParser
    | jsonargparse | configargparse | simple_parsing | draccus | pyrallis | dynaconf
    | (?:from|load|parse|read)_(?:config|toml|yaml)\w* )\b"""
_READERS_OF_JSON = r"""(?x) \b(?: (?:from|load|parse|read)_json\w* | json\.load | json\.loads\([^)\n]*read\w* )\b"""
_ENDINGS = r"\.(?:ya?ml|json)\b|\bconfig_name\s{0,9}=\s{0,9}[\"']([\w/-]{1,99})[\"']"
_LONGEST_NAME = 200  # of a file in the text of a program
_MOST_NAMES = 200


def module_of(text: str | None, path: str) -> Module | None:
    """The Module of the text of a file, None when it is no Python."""
    if text is None:
        return None
    module = _module_of(text, path)
    if module is not None:
        takes_any = module.is_handed or re.search(_READERS, text) is not None
        takes_json = takes_any or re.search(_READERS_OF_JSON, text) is not None
        module.takes = frozenset(("yaml", "json") if takes_any else ("json",) if takes_json else ())
        module.mentions = _mentions(text) if takes_json else frozenset()
    return module


def _mentions(text: str) -> frozenset[str]:
    """The names of files of settings, and patterns of names, that stand in a text."""
    found: set[str] = set()
    for match in islice(re.finditer(_ENDINGS, text), _MOST_NAMES):
        before = text[max(0, match.start() - _LONGEST_NAME) : match.start()]
        found.add(f"{match[1]}.yaml" if match[1] else re.split(r"[^\w./*{}$-]", before)[-1] + match[0])
    return frozenset(found)


def _is_handed(keyword: ast.keyword) -> bool:
    """Whether what a call is given by `**` may be of a file; the arguments of a command are none: `vars(args)`, `args.__dict__`."""
    if keyword.arg is not None:
        return False
    value = keyword.value
    is_called = isinstance(value, ast.Call) and dotted(value.func) == "vars"
    return not (is_called or (isinstance(value, ast.Attribute) and value.attr == "__dict__"))


def _module_of(text: str, path: str) -> Module | None:
    if not any(word in text for word in _TELLING):
        text = "".join(
            f"{start} {name or 'several'}\n" if start[:4] == "from" else f"{start}\n"
            for start, name in re.findall(_IMPORT, text)
        )
        return _parsed(text, path)
    compares: set[str] = set()
    shortened = _without_other_functions(text + "\n", compares)
    return _parsed(shortened, path, len(text) // 16, compares) or _parsed(text, path)


def _parsed(text: str, path: str, size: int = 0, compares: "Iterable[str]" = ()) -> Module | None:
    """The Module of a text; `size`: of what was looked at beside it."""
    if has_endless_name(text):
        return None
    with catch_warnings():  # a stranger's `"\d"` is none of our warnings
        simplefilter("ignore")
        try:
            return Module(ast.parse(text), path, size + len(text), compares)
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


# what a class is made from or decorated with, whose annotations are fields: dataclasses, models of pydantic, classes of attrs
_BASES_OF_FIELDS = ("Arguments", "Args", "Config", "BaseModel", "BaseSettings", "TypedDict", "NamedTuple")
_DECORATORS_OF_FIELDS = frozenset(("dataclass", "define", "frozen", "attrs"))


def _holds_arguments(node: ast.ClassDef) -> bool:
    decorators = [
        dotted(each.func if isinstance(each, ast.Call) else each).rpartition(".")[2] for each in node.decorator_list
    ]
    return not _DECORATORS_OF_FIELDS.isdisjoint(decorators) or any(
        dotted(base).endswith(_BASES_OF_FIELDS) for base in node.bases
    )


# --- how a script has its arguments read ----------------------------------------------------------------------------


# {method of a parser: the place of the argument that says whether it returns what it does not know, counted after self}
_OF_FLAGS = {"parse_args_and_config": 1, "parse_args_into_dataclasses": 1}
_OF_FILES = {"parse_yaml_file": 1, "parse_json_file": 1, "parse_dict": 1}
_OF_NO_FLAGS = ("parse_yaml_file", "parse_json_file")  # a mapping may well be made of them
_OF_ARGPARSE = (
    "parse_args",
    "parse_known_args",
)  # they read flags as well, and say nothing of what becomes of a file's keys
_OF_BOTH = "parse_args_and_config"
_FAILS = 2  # the place of `fail_with_unknown_args` of parse_args_and_config


def reading_of(node: ast.Call, method: str) -> Reading | None:
    """What a call says of a method of some name, None where it parses nothing of ours."""
    if method in _OF_ARGPARSE:
        return Reading(keys=None, flags=None)
    if method in _OF_FILES:
        drops = _switch(node, "allow_extra_keys", _OF_FILES[method], False)
        return Reading(keys=_fate(drops), flags=UNREAD if method in _OF_NO_FLAGS else None)
    if method not in _OF_FLAGS or any(keyword.arg is None for keyword in node.keywords):
        return None
    drops = _switch(node, "return_remaining_strings", _OF_FLAGS[method], False)
    return Reading(keys=_keys_beside_flags(node, drops) if method == _OF_BOTH else None, flags=_fate(drops))


def _keys_beside_flags(node: ast.Call, drops: bool | None) -> "Fates | None":
    """What becomes of the keys of a file that is read with the flags, which are dropped or not."""
    fails = _switch(node, "fail_with_unknown_args", _FAILS, True)
    if drops or fails is False:
        return DROPPED
    return None if drops is None or fails is None else BY_RELEASE


def _fate(drops: bool | None) -> "Fates | None":
    return None if drops is None else DROPPED if drops else REFUSED


def _switch(node: ast.Call, name: str, place: int, default: bool) -> bool | None:
    """The value of an argument that is True or False, None for one that is computed."""
    given = [keyword.value for keyword in node.keywords if keyword.arg == name] or node.args[place : place + 1]
    if not given:
        return None if any(isinstance(each, ast.Starred) for each in node.args) else default
    value = given[0].value if isinstance(given[0], ast.Constant) else None
    return value if type(value) is bool else None


def agreed_readings(readings: "Iterable[Reading]", is_closed: bool = False) -> Reading | None:
    """What several calls say, as far as they agree; None for none."""
    found = list(readings)
    if not found:
        return None
    keys = {each.keys for each in found if each.keys}
    flags = {each.flags for each in found if each.flags}
    if len(flags) > 1 or not all(each.flags for each in found):
        flags.discard(UNREAD)  # another call reads them
    return Reading(keys=_agreed(keys), flags=_agreed(flags), is_closed=is_closed)


def _agreed(fates: "set[Fates]") -> "Fates | None":
    return next(iter(fates)) if len(fates) == 1 else None


def classes_given(node: ast.Call) -> "list[str] | None":
    """The names of the classes that a parser is made of, as they are written; None where they are computed."""
    given = [keyword.value for keyword in node.keywords if keyword.arg == "dataclass_types"] or node.args[:1]
    if not given:
        return None
    items = given[0].elts if isinstance(given[0], (ast.Tuple, ast.List)) else [given[0]]
    names = [_name(each) for each in items]
    return None if None in names else [name for name in names if name]


def _name(node: ast.expr) -> str | None:
    if isinstance(node, ast.Attribute):
        around = _name(node.value)
        return around and f"{around}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else None
