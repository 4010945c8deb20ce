"""Training scripts around TRL, read without running them: with which trainer they train, and which arguments they declare
themselves. The module is the `ScriptReader` of its framework (`frameworks/programs.py`)."""

import ast

from ...source.python.reader import dotted, modules_of
from ..programs import NONE, Program
from .argument_defaults import defaults_of
from .handing import handed_to_configs
from .modules import HYDRA, OTHER_PARSER, USUAL_PARSER, Module, agreed_readings, module_of
from .names import ARGUMENTS, CLASSES_OF_GROUPS, CONFIGS, EXPERIMENTS, OF_REWARDS, OTHER_TRAINERS, PACKAGE, TRAINERS
from .recognition import FOREIGN_KEYS

__all__ = ["handed_to_configs", "is_launched_with", "made_without_evaluation", "module_of", "program_of", "together"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from ...shared_types import AbstractSet, Mapping, Scopes, Sequence
    from ..programs import Fields, Reading
    from .modules import Class

    Kinds: TypeAlias = dict[str | None, set[str]]  # {kind of a trainer, None when it cannot be told: names}
    Known: TypeAlias = "dict[tuple[Module, str], str | None]"  # {(module, name): kind} of what was looked at

_DEEPEST = 50  # classes that are made from one another
_OURS, _OTHER, _OWN, _OF_TRANSFORMERS, _FROM_NOTHING = (
    "the framework's",
    "another one of the framework's",
    "its own",
    "of transformers",
    "from nothing",
)


# Of the settings of a training, those that a script which only generates or evaluates has not.
_OF_TRAINING = frozenset(
    """per_device_train_batch_size gradient_accumulation_steps learning_rate num_train_epochs max_steps gradient_checkpointing beta
    sync_ref_model disable_dropout epsilon loss_type lr_scheduler_type warmup_ratio""".split()
)


# what the names of programs say that train otherwise, or not at all
_OF_OTHERS = "sft dpo kto orpo cpo ppo gkd nash xpo distill reward eval generate sample infer".split()


def is_launched_with(names: "AbstractSet[str]", program: str) -> bool:
    """Whether flags, which a launcher of several processes hands to a program that nobody can read, are those of a training."""
    name = program.rpartition("/")[2].lower()
    is_other = any(word in name for word in _OF_OTHERS) or not names.isdisjoint(FOREIGN_KEYS)
    return not is_other and "num_generations" in names and not names.isdisjoint(_OF_TRAINING)


# --- a program ------------------------------------------------------------------------------------------------------


def program_of(path: str, modules: "list[Module]", sizes: dict[str, int], is_whole: bool, is_partial: bool) -> Program:
    """The Program of a Python file and the modules that it imports, of which these ones were read."""
    kinds = _kinds(modules)
    own, is_ours = _own_trainer(kinds), _OURS in kinds
    declares, parsers = _all(modules, "declares"), _all(modules, "parsers")
    defaults, unread_arguments = defaults_of(modules) if parsers == {USUAL_PARSER} else ({}, None)
    is_known = is_whole and not is_partial
    return Program(
        name=path,
        path=path,
        trainer=own,
        unread=None if is_ours or own else min(kinds.get(None, ()), default=None),
        uses_trainer=is_ours,
        uses_config=_uses_config(modules),
        overrides=_methods_of(kinds.get(_OURS, set()), modules),
        compares=_all(modules, "compares"),
        refusals=_joined(modules, "refusals"),
        declares=declares,
        lacks=_lacks(modules) if is_known else {},
        defaults=defaults,
        unread_arguments=unread_arguments,
        reads=_all(modules, "reads"),
        sets=_all(modules, "sets"),
        replaces=_all(modules[:1], "replaces"),
        reads_nothing_of_it=is_whole and bool(declares or parsers) and not _some(modules, "imports_package"),
        own_parser=_parser_of(parsers) not in (None, USUAL_PARSER),
        usual_parser=_parser_of(parsers) == USUAL_PARSER,
        sizes=sizes,
        partial=is_partial,
        reading=_reading(modules, parsers, is_known),
        algorithm=_algorithm_of(kinds) if _reads_config(modules) else None,
        builds=_algorithm_of(kinds) if _reads_config(modules) or _some(modules, "makes_config") else None,
        takes=_all(modules, "takes"),
        takes_no_other=is_known and _some(modules, "makes_config"),
        mentions=_all(modules, "mentions"),
        trains_otherwise=is_known and _OTHER in kinds and kinds.keys() <= {_OTHER, _OF_TRANSFORMERS},
    )


def together(programs: list[Program], partial: bool, is_shown: bool) -> Program:
    """What is true of each of some programs that may read the same file, of those that train where some do.

    `partial`: whether there may be more of them; `is_shown`: whether they are shown to read it, else nothing in them takes a
    finding away.
    """
    training, one = [program for program in programs if program.trains], _only(programs)
    return Program(
        name=one.name if one else "the training script of this repository",
        path=one.path if one else None,
        trainer=_trainer_of_all(training) if is_shown else None,
        uses_trainer=_some(training, "uses_trainer"),
        uses_config=_some(training, "uses_config"),
        overrides=_shared(training, "overrides"),
        compares=_shared(training, "compares"),
        refusals=_joined(training, "refusals"),
        declares=_shared(_trainers_first(programs), "declares"),
        reads=_shared(training, "reads"),
        sets=_all(training, "sets"),
        replaces=_shared(training, "replaces"),
        own_parser=is_shown and bool(training) and not _some(training, "usual_parser"),
        reading=agreed_readings(filter(None, (program.reading for program in training))),
        partial=partial or _some(programs, "partial"),
        defaults=_uncertain_defaults(training),
        builds=_built_by_all(training) if is_shown else None,
        others=() if is_shown and one else programs,
    )


def _built_by_all(training: list[Program]) -> str | None:
    """The algorithm whose config each of some programs builds."""
    found = {program.builds for program in training}
    return found.pop() if len(found) == 1 else None


def _only(programs: list[Program]) -> Program | None:
    return programs[0] if len(programs) == 1 else None


def _trainers_first(programs: list[Program]) -> list[Program]:
    """Those of some programs that train; where none is seen to, those that may."""
    for test in (lambda each: each.trains, lambda each: bool(each.unread)):
        if found := [*filter(test, programs)]:
            return found
    return programs


def _trainer_of_all(training: list[Program]) -> str | None:
    """A trainer of their own with which programs train, where each of them has one."""
    trainers = [program.trainer or "" for program in training]
    return min(trainers, key=_is_for_another_task) if all(trainers) and trainers else None


def _uncertain_defaults(training: list[Program]) -> "Fields":
    """The settings that some of these programs give a default, of which nobody knows what it is for another one."""
    return {name: default.unknown() for each in training for name, default in each.defaults.items()}


def _parser_of(parsers: frozenset[str]) -> str | None:
    """The parser that decides where a program has several."""
    return next((each for each in (HYDRA, USUAL_PARSER, OTHER_PARSER) if each in parsers), None)


def _some(sources: "Sequence[Module | Program]", name: str) -> bool:
    """Whether one of some modules or programs says something under a name."""
    return any(getattr(each, name) for each in sources)


def _joined(sources: "Sequence[Module | Program]", name: str) -> list[str]:
    """The lists that some modules or programs have under a name, as one."""
    return [text for each in sources for text in getattr(each, name)]


def _all(sources: "Sequence[Module | Program]", name: str) -> frozenset[str]:
    """What all of some modules or programs say under a name."""
    return NONE.union(*(getattr(each, name) for each in sources))


def _shared(programs: list[Program], name: str) -> frozenset[str]:
    """What each of some programs says under a name."""
    return frozenset.intersection(*(getattr(each, name) for each in programs)) if programs else NONE


def _methods_of(trainers: "set[str]", modules: "list[Module]") -> frozenset[str]:
    """The methods of the classes of some trainers."""
    return NONE.union(
        *(module.classes[each].methods for module in modules for each in trainers if each in module.classes)
    )


def _algorithm_of(kinds: "Kinds") -> str | None:
    """The algorithm of all trainers that are used: those of the framework, made from them, or by their names of their kind; None where
    they differ, or others are used."""
    own = kinds.get(_OWN, set()) | kinds.get(_FROM_NOTHING, set())
    ours = kinds.get(_OURS, set()) | own
    if kinds.keys() - {_OURS, _OF_TRANSFORMERS, _OWN, _FROM_NOTHING} or any(map(_is_for_another_task, own)):
        return None
    found = {"rloo" if "RLOO" in name else "grpo" for name in ours}
    return found.pop() if len(found) == 1 else None


# --- classes of arguments -------------------------------------------------------------------------------------------


class _Arguments:
    """The classes of arguments of the parsers of some modules, by their names, and those that they are made from."""

    def __init__(self, modules: "list[Module]") -> None:
        self.given = [given for module in modules for given in module.arguments]
        # of two classes of one name that of the program counts, and not that of a module which it imports
        self.classes: dict[str, Class] = {
            name: each for module in reversed(modules) for name, each in module.classes.items()
        }
        self.imported = {local: name for module in modules for local, name in module.from_package.items()}

    @property
    def names(self) -> list[str]:
        """The names of those that the parsers are given."""
        return [name for given in self.given for name in given or ()]

    def original(self, name: str) -> str:
        """The name that a class has where it is defined."""
        return self.imported.get(name, name.rpartition(".")[2])

    def is_known(self, name: str) -> bool:
        """Whether a class has no arguments but those of a catalogue."""
        original = self.original(name)
        is_ours = original in ARGUMENTS and (name in self.imported or name.startswith(f"{PACKAGE}."))
        return is_ours or name == "object" or original == "TrainingArguments"


def _reads_config(modules: "list[Module]") -> bool:
    """Whether a parser fills TRL's config class, or one made from it: not where the program builds it itself."""
    arguments = _Arguments(modules)
    waiting, seen = arguments.names, set()
    for name in waiting:
        last = arguments.original(name)
        if last in CONFIGS and (last not in arguments.classes or name != last):
            return True
        if last in arguments.classes and last not in seen:
            seen.add(last)
            waiting += arguments.classes[last].bases
    return False


def _reading(modules: "list[Module]", parsers: "frozenset[str]", is_whole: bool) -> "Reading | None":
    """What becomes of what nobody declares, as all calls of parsers say."""
    is_closed = is_whole and parsers == {USUAL_PARSER} and _declares_all(modules)
    return agreed_readings((each for module in modules for each in module.readings), is_closed)


def _declares_all(modules: "list[Module]") -> bool:
    """Whether all classes of arguments, and those that they are made from, are TRL's or stand in these modules."""
    return _classes_of_the_package(modules) is not None


def _classes_of_the_package(modules: "list[Module]") -> "set[str] | None":
    """The classes of arguments of TRL that the parsers are given, or that theirs are made from; None where others may be among them."""
    arguments = _Arguments(modules)
    if None in arguments.given:
        return None
    waiting, seen, found = arguments.names, set(), set()
    for name in waiting:
        if name in seen:
            continue
        last = arguments.original(name)
        if arguments.is_known(name):
            found.add(last)
        elif last not in arguments.classes:
            return None
        else:
            waiting += arguments.classes[last].bases
        seen.add(name)
    return found if waiting else None


def _lacks(modules: "list[Module]") -> "dict[str, str]":
    """{field of TRL's own training script: a class that has it} of those that no parser of a program takes."""
    found = _classes_of_the_package(modules)
    if found is None or found.isdisjoint(CONFIGS) or _all(modules, "parsers") != {USUAL_PARSER}:
        return {}
    from .catalogue import FIELDS  # where another framework trains it is not loaded

    missing = {group: names[0] for group, names in CLASSES_OF_GROUPS.items() if found.isdisjoint(names)}
    rows: Mapping[str, tuple[tuple[str, ...], ...]] = FIELDS  # type: ignore[assignment]  # it is generated
    lacks = {
        name: missing[spans[0][0]]
        for name, spans in rows.items()
        if missing.keys() >= {group for span in spans for group in span[0].split()}
    }
    if not found.intersection(CLASSES_OF_GROUPS["script"][1:]):
        lacks.update(dict.fromkeys(OF_REWARDS, CLASSES_OF_GROUPS["script"][1]))
    return lacks


def _uses_config(modules: "list[Module]") -> bool:
    """Whether TRL's config class checks the settings: not when a class of the repository goes by its name and is not
    made from it."""
    own = [(name, module) for module in modules for name in module.classes if name in CONFIGS]
    for name, module in own:
        if not any(
            base in module.from_package or base.startswith(f"{PACKAGE}.") for base in module.classes[name].bases
        ):
            return False
    return bool(own) or any(module.uses_config or module.configs for module in modules)


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
    if _OURS in kinds or None in kinds:
        own = [name for name in own if name.endswith(tuple(TRAINERS)) and _OURS in kinds]
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
    """The kind of a name by where it comes from, and of what it is made."""
    if name in module.from_package or name.startswith(f"{PACKAGE}."):
        original = module.from_package.get(name, name.rpartition(".")[2])
        return _OURS if original in TRAINERS else _OTHER if original in OTHER_TRAINERS else _OWN
    if name not in module.classes:
        name = module.renamed.get(name, name)
    home = next((each for each in (module, *modules) if name in each.classes), None)
    if home is None:
        return _kind_unseen(name)
    made = home.classes[name]
    if made.starts_anew or not made.bases:
        return _OWN if made.starts_anew else _FROM_NOTHING
    kinds = {
        _kind(base, home, modules, known, depth + 1) if base != name else _kind_abroad(base, home)
        for base in made.bases
        if not base.endswith("Mixin")
    }
    return _kind_of_all(kinds)


def _kind_unseen(name: str) -> str | None:
    """The kind of a class that stands in none of the modules."""
    if name in TRAINERS:
        return _OURS
    return _OF_TRANSFORMERS if name.rpartition(".")[2] == "Trainer" else None


def _kind_of_all(kinds: set[str | None]) -> str | None:
    """The kind of a class that is made from classes of these kinds."""
    if _OURS in kinds:
        return _OURS
    if kinds == {_FROM_NOTHING}:
        return _FROM_NOTHING
    return _OWN if kinds and kinds <= {_OWN, _OF_TRANSFORMERS, _OTHER, _FROM_NOTHING} else None


def _kind_abroad(name: str, module: Module) -> str | None:
    """The kind of a class that a class of the same name is made from."""
    return _OURS if module.from_package.get(name, name) in TRAINERS else None


# --- the trainer that a file makes with a config ----------------------------------------------------------------------

# Where the constructor takes what, counted from 0, when it is given without a name.
_PLACES = {"args": 2, "eval_dataset": 4}
# Around a call that is meant to fail, or to be made up for.
_GUARDS = (ast.Try, ast.With, ast.AsyncWith)


def made_without_evaluation(scopes: "Scopes", config: ast.Call) -> "ast.Call | None":
    """The call that makes a trainer with the config that another one makes, and surely without a set to evaluate on; None where any call that
    takes the config is another trainer's, may hand such a set in, or may be meant to fail."""
    calls = [call for call in scopes.calls if _makes_use_of(config, call, scopes)]
    return calls[0] if calls and all(_is_without_evaluation(call, scopes) for call in calls) else None


def _makes_use_of(made: ast.Call, call: ast.Call, scopes: "Scopes") -> bool:
    """Whether a call takes the config that another one makes as its `args`."""
    argument = _argument(call, "args")
    if isinstance(argument, ast.Name):
        binding = scopes.binding(argument.id, call)
        return binding is not None and binding.value is made and binding.index is None and not binding.argument
    return argument is made


def _is_without_evaluation(call: ast.Call, scopes: "Scopes") -> bool:
    evaluated = _argument(call, "eval_dataset")
    is_told = not any(isinstance(each, ast.Starred) for each in call.args) and all(each.arg for each in call.keywords)
    is_none = evaluated is None or (isinstance(evaluated, ast.Constant) and evaluated.value is None)
    is_guarded = any(isinstance(node, _GUARDS) for node in scopes.source.above(call))
    return is_told and is_none and not is_guarded and _is_trainer_of_package(dotted(call.func), call, scopes)


def _argument(call: ast.Call, name: str) -> "ast.expr | None":
    named = next((each.value for each in call.keywords if each.arg == name), None)
    return named if named is not None else next(iter(call.args[_PLACES[name] : _PLACES[name] + 1]), None)


def _is_trainer_of_package(name: str, call: ast.Call, scopes: "Scopes") -> bool:
    """Whether a name is that of a trainer of TRL, and of no class made from it."""
    root, _, rest = name.partition(".")
    binding = scopes.binding(root, call)
    wholes = (
        [f"{module}.{rest}".rstrip(".") for module in modules_of(binding.node, root)] if binding is not None else []
    )
    return any(
        whole.partition(".")[0] == PACKAGE
        and not whole.startswith(EXPERIMENTS)
        and whole.rpartition(".")[2] in TRAINERS
        for whole in wholes
    )
