"""What a training script of a repository refuses of the flags that a command gives it, where `argparse` alone reads them and all that it
declares stands in its one file."""

import ast

from ..files.budget import PROGRAMS
from ..message import Message
from ..record import Record
from ..source.python.reader import TooMuch, dotted, parsed
from .programs import path_of_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Files, Flag, Invocation, Iterable, Iterator

MOST_TOLD = 10  # of one command
_KNOWN = frozenset("type default help required choices action nargs dest metavar const".split())
_ACTIONS = ("store_true", "store_false")
_NUMBERS = {"int": (int, Message("no whole number")), "float": (float, Message("no number"))}
_MEANT_AS_FALSE = ("false", "0", "no")
_PARSES = "parse_args"
# what a parser does beside, after which more may be declared than stands in the file
_OPENS = frozenset(
    "parse_known_args parse_known_intermixed_args parse_intermixed_args add_subparsers convert_arg_line_to_args register".split()
)


class Argument(Record):
    """An argument that a script declares. `names`: without their dashes; `takes`: (least, most) number of values, None for no most."""

    names: "tuple[str, ...]"
    takes: "tuple[int, int | None]"
    kind: str
    choices: "tuple[str, ...]"
    required: bool


class Told(Record):
    """What is wrong with a flag; `flag`: None for one that is not given."""

    name: str
    problem: Message
    flag: "Flag | None"
    is_refused: bool = True


def told_by_parser(invocation: "Invocation", files: "Files") -> "list[Told]":
    """What the own parser of the program that a command starts says of its flags; nothing where not all of it is known."""
    path = path_of_program(invocation, files) if invocation.own is None else None
    text = files.read(path) if path is not None else None
    if (
        path is None
        or text is None
        or "ArgumentParser" not in text
        or not files.budget.allows(PROGRAMS, path, len(text))
    ):
        return []
    declared = declared_in(text)
    return list(_problems(invocation, declared))[:MOST_TOLD] if declared is not None else []


def declared_in(text: str) -> "list[Argument] | None":
    """The arguments of the one parser of a program; None where there may be others."""
    try:
        tree = parsed(text)
    except (SyntaxError, TooMuch):
        return None
    calls = [(dotted(node.func).rpartition(".")[2], node) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    made, reads = _named(calls, "ArgumentParser"), _named(calls, _PARSES)
    if len(made) != 1 or len(reads) != 1 or _is_changed(text, tree):
        return None
    if not _stands_alone(made[0], reads[0], calls, tree):
        return None
    found = [*map(_argument, _named(calls, "add_argument"))]
    return None if None in found else [each for each in found if each is not None]


def _stands_alone(made: ast.Call, reads: ast.Call, calls: "list[tuple[str, ast.Call]]", tree: ast.Module) -> bool:
    """Whether a parser is made, filled and asked in the open, by a run of the program."""
    if _named(calls, *_OPENS) or not _is_run(reads, calls, tree):
        return False
    return _is_plain(made, reads, tree) and not _is_handed_over(made, calls, tree)


def _is_changed(text: str, tree: ast.Module) -> bool:
    """Whether a program has a hand in what its parser reads or refuses: it looks at the words itself, or derives a parser."""
    derives = any(
        dotted(base).endswith("ArgumentParser")
        for each in ast.walk(tree)
        if isinstance(each, ast.ClassDef)
        for base in each.bases
    )
    return derives or "argv" in text or "REMAINDER" in text or "Namespace" in text


def _is_run(reads: ast.Call, calls: "list[tuple[str, ast.Call]]", tree: ast.Module) -> bool:
    """Whether the words are read in a run of the program: outside of any function, or in one that it calls."""
    around = [
        each
        for each in ast.walk(tree)
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)) and reads in ast.walk(each)
    ]
    called = {name for name, _ in calls}
    others = [
        name for name in called if name.endswith("Parser") and name != "ArgumentParser"
    ]  # which read the words as well
    return not others and all(each.name in called for each in around)


def _named(calls: "list[tuple[str, ast.Call]]", *ends: str) -> "list[ast.Call]":
    """The calls of functions whose names end so."""
    return [call for name, call in calls if name.endswith(ends)]


def _is_plain(made: ast.Call, reads: ast.Call, tree: ast.Module) -> bool:
    """Whether a parser is one of argparse with nothing but words about it, which reads the command line."""
    name = dotted(made.func)
    imported = any(isinstance(each, ast.ImportFrom) and each.module == "argparse" for each in ast.walk(tree))
    of_argparse = name == "argparse.ArgumentParser" or (name == "ArgumentParser" and imported)
    words = ("description", "prog", "epilog", "usage", "formatter_class")
    return of_argparse and not (reads.args or reads.keywords) and all(each.arg in words for each in made.keywords)


def _is_handed_over(made: ast.Call, calls: "list[tuple[str, ast.Call]]", tree: ast.Module) -> bool:
    """Whether something else may declare arguments: a function that is given the parser, or a loop that adds them."""
    names = _bound_to(made, tree)
    given = (each for _, call in calls for each in (*call.args, *(word.value for word in call.keywords)))
    return not names or any(isinstance(each, ast.Name) and each.id in names for each in given)


def _bound_to(made: ast.Call, tree: ast.Module) -> "set[str]":
    bound = [each for each in ast.walk(tree) if isinstance(each, ast.Assign) and each.value is made]
    return {target.id for each in bound for target in each.targets if isinstance(target, ast.Name)}


def _argument(call: ast.Call) -> "Argument | None":
    """The argument that a call declares; None where its words do not tell it."""
    given = {str(each.arg): each.value for each in call.keywords}
    names = [name for name in map(_constant, call.args) if isinstance(name, str) and name[:1] == "-"]
    action = _constant(given.get("action"))
    is_read = len(names) == len(call.args) > 0 and _KNOWN.issuperset(given)
    if not is_read or (action not in _ACTIONS if "action" in given else False):
        return None
    return Argument(
        names=tuple(name.lstrip("-") for name in names),
        takes=_number_of_values(given),
        kind=dotted(given["type"]) if "type" in given else "",
        choices=_choices_of(given.get("choices")),
        required=_constant(given.get("required")) is True,
    )


def _number_of_values(given: "dict[str, ast.expr]") -> "tuple[int, int | None]":
    if "action" in given:
        return 0, 0
    number = _constant(given.get("nargs")) if "nargs" in given else 1
    if type(number) is int:
        return number, number
    return (1 if number == "+" else 0), (1 if number == "?" else None)


def _choices_of(node: "ast.expr | None") -> "tuple[str, ...]":
    """The texts that are listed, none where something else is listed as well."""
    items = [_constant(each) for each in node.elts] if isinstance(node, (ast.List, ast.Tuple)) else []
    found = [each for each in items if isinstance(each, str)]
    return tuple(found) if len(found) == len(items) else ()


def _constant(node: "ast.expr | None") -> object:
    return node.value if isinstance(node, ast.Constant) else None


def _problems(invocation: "Invocation", declared: "list[Argument]") -> "Iterator[Told]":
    by_name = {name: each for each in declared for name in each.names}
    met: set[tuple[str, ...]] = set()
    for flag in invocation.flags.values():
        name = getattr(flag.key, "text", "")
        fits = {by_name[each].names: by_name[each] for each in _meant_by(name, by_name)}
        met |= fits.keys()
        if len(fits) == 1:
            yield from _wrong_values(next(iter(fits.values())), name, flag)
        elif name not in ("h", "help") and name[:1] not in by_name:  # `-g8`
            yield Told(name=name, problem=_SEVERAL if fits else _NO_SUCH, flag=flag)
    if invocation.passes_on is None and invocation.config is None:
        yield from _lacking(declared, met)


def _lacking(declared: "list[Argument]", met: "set[tuple[str, ...]]") -> "Iterator[Told]":
    for each in declared:
        if each.required and each.names not in met:
            yield Told(name=each.names[0], problem=_LACKING, flag=None)


def _meant_by(name: str, known: "Iterable[str]") -> "list[str]":
    """The names that one stands for: itself, or those that begin so."""
    found = [each for each in known if each.startswith(name)]
    return [name] if name in found else found


_NO_SUCH = Message("it declares no such argument")
_SEVERAL = Message("several arguments begin so")
_LACKING = Message("it is required, and not given")


def _wrong_values(argument: Argument, name: str, flag: "Flag") -> "Iterator[Told]":
    count = len(flag.words)
    least, most = argument.takes
    lacks, exceeds = count < least, most is not None and count > most
    if (lacks or exceeds) and not any(word.many for word in flag.words):
        numbers = {"takes": least if lacks else most, "count": count}
        yield Told(name=name, problem=Message("values it takes: {takes}, given: {count}", numbers), flag=flag)
        return
    for value in filter(None, (word.value for word in flag.words)):
        problem = _wrong_value(argument, value)
        if problem is not None:
            yield Told(name=name, problem=problem, flag=flag)
        elif argument.kind == "bool" and value.lower() in _MEANT_AS_FALSE:
            told = Message("type=bool makes true of {value}, as of every text", {"value": value})
            yield Told(name=name, problem=told, flag=flag, is_refused=False)


def _wrong_value(argument: Argument, value: str) -> "Message | None":
    if argument.choices and value not in argument.choices:
        return Message("{value} is none of its choices", {"value": value})
    if argument.kind not in _NUMBERS:
        return None
    convert, what = _NUMBERS[argument.kind]
    try:
        convert(value)
    except ValueError:
        return Message("{value} is {what}", {"value": value, "what": what})
    return None
