"""The effects of bash's builtin commands on the state of the shell.

Each of BUILTINS takes the reader, the node, its words and the assignments before it. It returns the status of the
command, or None where the command is to be recorded like a program.
"""

from ..credentials import learn
from ..patterns import pattern
from .arithmetic import integer
from .expansion import change_folder, expand, stored, without_empty_default
from .parameters import calculate_text
from .programs import parse, record, start
from .state import ARGUMENTS, LIKELY, NO, OPEN, YES, Stop
from .tree import NAME, Assignment, Literal, Piece
from .variables import Variable, changed
from .words import Word, unknown, unknown_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Callable, RawWord, Sequence, Simple
    from .reader import _Reader

    Builtin = Callable[[_Reader, Simple, list[Word], dict[str, Variable]], str | None]

# Sourced files of these names set up programs, not the variables of a launch.
_ACTIVATION = pattern(
    r"(?:^|/)(?:activate|conda\.sh|mamba\.sh|modules\.sh|bash|\.?(?:bashrc|profile|bash_profile|zshrc))$"
)
_SUBSCRIPTED = pattern(r"\[[^\]]*\]\+?=")
_FOR_ARRAY = pattern(r"-[A-Za-z]*a$")
_UP_TO = pattern(r"-[A-Za-z]*d$")  # the option that says where `read` ends
_SEPARATES = pattern(r"\S$")
_ONE_LINE = pattern(r"[^\n\\]*$")


# Assignments and declarations
# ------------------------------------------------------------------------------------------


def assigned_variable(reader: "_Reader", node: "Assignment") -> "Variable":
    """The variable that an assignment creates."""
    before = reader.lookup(node.name)
    if isinstance(node.value, list):
        return _array(reader, node, node.value, before)
    word = stored(reader, node.value)
    if word.value:
        learn(node.name, word.value)
    if node.element or (before is not None and before.items is not None):
        variable = reader.plain_variable(node.name, unknown_word(node.start, node.end))
        variable.items = [unknown_word(node.start, node.end, many=True)]
        return variable
    if not node.append:
        return reader.plain_variable(node.name, without_empty_default(word))
    pieces = [unknown(node.start, node.end)] if before is None else before.word.pieces
    return reader.plain_variable(node.name, Word(word.start, word.end, [*pieces, *word.pieces]))


def _array(reader: "_Reader", node: "Assignment", raws: "list[RawWord]", before: "Variable | None") -> "Variable":
    """The variable that `A=(...)` creates."""
    items = _as_items(before, node) if node.append else []
    for raw in raws:
        is_placed = _SUBSCRIPTED.match(_beginning(raw))
        items += [unknown_word(raw.start, raw.end, many=True)] if is_placed else expand(reader, raw)
    variable = reader.plain_variable(node.name, items[0] if items else Word(node.start, node.end, []))
    if variable.fickle:
        items = [unknown_word(node.start, node.end, many=True)]
    if variable.fickle or not node.element:
        variable.items = items
    return variable


def _beginning(raw: "RawWord") -> str:
    """The literal text that a word begins with."""
    if raw.plain is not None or not raw.parts:
        return raw.plain or ""
    first = raw.parts[0]
    return first.text if type(first) is Literal and not first.quoted else ""


def _as_items(variable: "Variable | None", node: "Assignment") -> "list[Word]":
    """The items of an array before it is appended to."""
    if variable is None:
        return [unknown_word(node.start, node.start, outside=True, many=True)]
    return [variable.word] if variable.items is None else list(variable.items)


def declare(reader: "_Reader", node: "Simple", kind: str) -> str:
    """`export`, `declare`, `local`, `readonly`."""
    options = ""
    for item in node.words[1:]:
        if isinstance(item, Assignment):
            variable = _declared(reader, item, options)
            if _exports(kind, options) or "x" in options:
                variable.exported = True
            _keep_local(reader, item.name, kind, options)
            reader.write(item.name, variable)
            continue
        for word in expand(reader, item):
            value = word.value
            if value is not None and value[:1] in ("-", "+") and value != "-":
                options += value[1:] if value[0] == "-" else ""
                if "n" in options and kind != "export":
                    reader.forget([name for name in reader.table if name[0] != " "])
            elif "f" not in options:
                _declare_word(reader, word, kind, options)
    return YES


def _exports(kind: str, options: str) -> bool:
    return kind == "export" and "n" not in options


def _declare_word(reader: "_Reader", word: "Word", kind: str, options: str) -> None:
    """Declare what a word names, with a value or without."""
    if word.value is not None and NAME.fullmatch(word.value):
        _declare_name(reader, word.value, kind, options)
        return
    before, value = word.partition("=")
    name = before.value or ""
    if value is None or not NAME.fullmatch(name):
        reader.doubt()
        return
    _keep_local(reader, name, kind, options)
    variable = reader.plain_variable(name, unknown_word(word.start, word.end))
    variable.exported = _exports(kind, options) or variable.exported
    reader.write(name, variable)


def _declared(reader: "_Reader", assignment: "Assignment", options: str) -> "Variable":
    variable = assigned_variable(reader, assignment)
    if set(options) & set("inluA"):
        start, end = assignment.start, assignment.end
        variable = Variable(unknown_word(start, end), None, variable.exported, True)
        if "A" in options or type(assignment.value) is list:
            variable.items = [unknown_word(start, end, many=True)]
    return variable


def _is_local(reader: "_Reader", kind: str, options: str) -> bool:
    """Whether a declaration holds only until the function around it returns."""
    return reader.locals is not None and kind in ("local", "declare", "typeset") and "g" not in options


def _keep_local(reader: "_Reader", name: str, kind: str, options: str) -> None:
    """Undo a declaration inside a function when the function returns."""
    if reader.locals is not None and _is_local(reader, kind, options):
        reader.locals.setdefault(name, reader.table.get(name))


def _declare_name(reader: "_Reader", name: str, kind: str, options: str) -> None:
    """Declare a name without a value: set its attributes and, where it is local, give it no value."""
    before, fresh = reader.lookup(name), _is_local(reader, kind, options)
    _keep_local(reader, name, kind, options)
    if before is None or fresh:
        before = changed(None)
        if not fresh:
            before.word.pieces[0].outside = True
        if "a" in options and not fresh:
            before.items = [unknown_word(0, 0, many=True)]
    fickle = before.fickle or (kind != "export" and bool(set(options) & set("inluA")))
    exported = _exports(kind, options) or (before.exported if "x" not in options else True)
    if kind == "export" and "n" in options:
        exported = False
    reader.write(name, Variable(before.word, before.items, exported, fickle))


# Variables and arguments
# -----------------------------------------------------------------------------------------------


def _unset(reader: "_Reader", node: "Simple", words: "list[Word]", overlay: "dict[str, Variable]") -> str:
    for word in words[1:]:
        if word.value is None:
            reader.doubt()
        elif words[1].value == "-f":
            reader.write(f"{word.value}()", None)
        elif NAME.fullmatch(word.value):
            variable = changed(None)
            variable.exported = False
            reader.write(word.value, variable)
        elif word.value[:1] != "-":
            beginning = NAME.match(word.value)
            reader.forget([beginning[0]] if beginning else [])
    return YES


def _takes_names(
    reader: "_Reader", node: "Simple", words: "list[Word]", overlay: "dict[str, Variable]"
) -> "str | None":
    """`read`, `mapfile`, `getopts`, `printf -v`, `wait -p`: every word that may be a name gets an unknown value."""
    values = [word.value for word in words[1:]]
    if words[0].value == "printf" and values[:1] != ["-v"]:
        return None
    names = [value for value in values if value is not None and NAME.fullmatch(value)]
    if None in values:
        reader.doubt()
    extra = {"read": ["REPLY"], "getopts": ["OPTARG", "OPTIND"], "mapfile": ["MAPFILE"], "readarray": ["MAPFILE"]}
    reader.forget(names + extra.get(words[0].value or "", []))
    _fill_array(reader, node, words[0].value or "", values)
    if names and words[0].value == "read":
        _fill_with_text(reader, node, names[-1], values)
    if words[0].value == "getopts" and reader.arguments and reader.arguments[-1].pieces[0].outside:
        reader.write("OPTARG", Variable(unknown_word(node.start, node.start, outside=True)))
    return OPEN


_READ_LINES = ("mapfile", "readarray")


def _fill_array(reader: "_Reader", node: "Simple", command: str, values: "list[str | None]") -> None:
    array = _array_of(command, values)
    items = _items_read(reader, node) if array and command == "read" else None
    if array:
        items = [unknown_word(node.start, node.start, many=True)] if items is None else items
        reader.write(array, Variable(items[0] if items else Word(node.start, node.start, []), items))


def _fill_with_text(reader: "_Reader", node: "Simple", name: str, values: "list[str | None]") -> None:
    """What `read -r -d '' NAME <<EOF` makes of a here-document: all of it."""
    ends = [at for at, value in enumerate(values) if value and _UP_TO.match(value)]
    bodies = [each.body for each in node.redirections if each.body is not None]
    if ends and values[ends[0] + 1 : ends[0] + 2] == [""] and values[-1] == name and len(bodies) == 1:
        reader.write(name, reader.plain_variable(name, stored(reader, bodies[0])))


def _array_of(command: str, values: "list[str | None]") -> str:
    """The name of the array that `read -a NAME`, `mapfile NAME` or `readarray NAME` fills; empty where they fill none."""
    last = values[-1] if values else None
    if last is None or not NAME.fullmatch(last):
        return "MAPFILE" if command in _READ_LINES else ""
    option = values[-2] if len(values) > 1 else None
    is_of_an_array = command in _READ_LINES or (command == "read" and option is not None and _FOR_ARRAY.match(option))
    return last if is_of_an_array else ""


def _items_read(reader: "_Reader", node: "Simple") -> "list[Word] | None":
    """What `IFS=, read -a NAME <<< TEXT` makes of a text of one line; None where that is not known."""
    text = _only_word(reader, [each.target for each in node.redirections if each.operator == "<<<"])
    mark = _only_word(reader, [each.value for each in node.assignments if each.name == "IFS"])
    separator = mark.value if mark is not None else None
    if text is None or not text.value or not _SEPARATES.match(separator or "") or not _ONE_LINE.match(text.value):
        return None
    span = text.start, text.end
    parts = text.value.removesuffix(separator or "").split(separator)  # behind the last one there is no empty item
    return [Word(*span, [Piece(each, *span, False, text.overridable)]) for each in parts]


def _only_word(reader: "_Reader", raws: "Sequence[RawWord | list[RawWord] | None]") -> "Word | None":
    """The one word that the only one of some parts of a command expands to."""
    found = expand(reader, raws[0]) if len(raws) == 1 and raws[0] and not isinstance(raws[0], list) else []
    return found[0] if len(found) == 1 else None


def _let(reader: "_Reader", node: "Simple", words: "list[Word]", overlay: "dict[str, Variable]") -> str:
    for word in words[1:]:
        if word.value is None:
            reader.forget(NAME.findall(word.shown(" ")))
        else:
            calculate_text(reader, word.value, word.overridable, word.start, word.end)
    return OPEN


def _shift(reader: "_Reader", node: "Simple", words: "list[Word]", overlay: "dict[str, Variable]") -> str:
    number = 1 if len(words) == 1 else integer(words[1].value or "x") if len(words) == 2 else None
    arguments = reader.arguments
    if arguments is None or number is None:
        reader.write(ARGUMENTS, None)
        return OPEN
    index = next((index for index, word in enumerate(arguments[:number]) if word.many), None)
    if index is not None:
        rest = arguments[index:]
        reader.write(ARGUMENTS, rest if len(rest) == 1 and len(rest[0].pieces) == 1 else None)
        return OPEN
    if not 0 <= number <= len(arguments):
        return NO
    reader.write(ARGUMENTS, arguments[number:])
    return YES


def _set_options(reader: "_Reader", node: "Simple", words: "list[Word]", overlay: "dict[str, Variable]") -> None:
    values = [word.value for word in words[1:]]
    option = ""
    for index, value in enumerate(values):
        if "o" in option[1:] and value is not None:  # `set -eo pipefail`, `set -eou pipefail`
            if value == "allexport":
                reader.all_exported = option[0] == "-"
            option = ""
        elif value is not None and value[:1] in ("-", "+") and value != "--":
            option = value
            if "a" in option:
                reader.all_exported = option[0] == "-"
        else:
            reader.write(ARGUMENTS, words[index + 1 + (value == "--") :])
            break


# Folders, other scripts, and the end of this one
# -----------------------------------------------------------------------


def _cd(reader: "_Reader", node: "Simple", words: "list[Word]", overlay: "dict[str, Variable]") -> str:
    record(reader, node, words, overlay)
    change_folder(reader, words)
    return YES


def _source_file(reader: "_Reader", node: "Simple", words: "list[Word]", overlay: "dict[str, Variable]") -> str:
    record(reader, node, words, overlay)
    path = words[1].shown() if len(words) > 1 else ""
    if not _ACTIVATION.search(path):
        reader.doubt()
    return LIKELY


def _eval(reader: "_Reader", node: "Simple", words: "list[Word]", overlay: "dict[str, Variable]") -> "str | None":
    pieces = []
    for word in words[1:]:
        pieces += [Piece(" ", word.start, word.start), *word.pieces]
    if any(piece.text is None for piece in pieces):
        reader.doubt()
    if all(piece.text is None or not piece.text.strip() for piece in pieces):
        return None
    mark = len(reader.trail)
    for name, variable in overlay.items():
        reader.write(name, variable)
    status = reader.run_list(parse(reader, pieces[1:]))
    if overlay:
        written = reader.rewind(mark)
        reader.merge([{name: entry for name, entry in written.items() if name not in overlay}])
    return status


def _exec(reader: "_Reader", node: "Simple", words: "list[Word]", overlay: "dict[str, Variable]") -> str:
    if len(words) == 1:
        return YES
    start(reader, node, words, overlay)
    return _jump(reader, "exit")


def _break(reader: "_Reader", node: "Simple", words: "list[Word]", overlay: "dict[str, Variable]") -> str:
    loops = [frame for frame in reader.jumped if frame.kind == "loop"]
    if len(words) > 1:
        for frame in reader.jumped:
            frame.left, frame.ended = True, None
    elif words[0].value == "break" and loops and loops[-1].ended is False:
        loops[-1].ended = True if reader.uncertain == loops[-1].uncertain else None
    return _jump(reader, "loop")


def _jump(reader: "_Reader", kind: str) -> str:
    """Leave a function, a loop or the script, certainly or perhaps."""
    frames = [frame for frame in reader.jumped if frame.kind == kind]
    if kind == "exit" or not frames:
        if kind != "loop" and not reader.uncertain:
            raise Stop("exit")
        return YES
    frame = frames[-1]
    # Inner constructs that are left on the way may also stop early.
    for inner in reader.jumped[reader.jumped.index(frame) :]:
        inner.left = inner.left or reader.uncertain > inner.uncertain or inner is not frame
    if reader.uncertain == frame.uncertain:
        raise Stop(kind)
    return YES


BUILTINS: "dict[str, Builtin]" = {
    ".": _source_file,
    "break": _break,
    "cd": _cd,
    "continue": _break,
    "eval": _eval,
    "exec": _exec,
    "exit": lambda reader, *_: _jump(reader, "exit"),
    "getopts": _takes_names,
    "let": _let,
    "mapfile": _takes_names,
    "popd": _cd,
    "printf": _takes_names,
    "pushd": _cd,
    "read": _takes_names,
    "readarray": _takes_names,
    "return": lambda reader, *_: _jump(reader, "return"),
    "set": _set_options,
    "shift": _shift,
    "source": _source_file,
    "unset": _unset,
}
