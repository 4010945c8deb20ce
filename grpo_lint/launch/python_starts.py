"""The commands that a file of Python starts through `subprocess` and its like, as scripts of a shell: a list of words, which are
quoted so that they stay words, or a text. What Python computes is unknown."""

import ast

from ..record import Record
from ..source.python.reader import dotted, modules_of
from ..source.python.values import Values
from ..source.shell.reader import read_shell
from ..source.shell.tree import Piece
from ..unknown import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from ..shared_types import Callable, Iterator, Scopes, Script

    Pieces: TypeAlias = list[Piece]
    Known: TypeAlias = dict[str, Pieces]  # what names stand for in a round of a loop

MOST_STARTS = 100  # commands of one file
MOST_PIECES = 4000  # of one command
_DEEPEST = 20  # expressions that stand for others
_MOST_STEPS = 20_000  # of all expressions of one file
_LONGEST = 200_000  # characters of one command
_MOST_ROUNDS = 200  # of a loop over a literal

# {function: the place of its command among its arguments}
_STARTING = {
    **{f"subprocess.{name}": 0 for name in "run call check_call check_output Popen getoutput getstatusoutput".split()},
    **dict.fromkeys(("os.system", "os.popen", "asyncio.create_subprocess_shell", "asyncio.create_subprocess_exec"), 0),
    **dict.fromkeys(("os.execvp", "os.execv", "os.execvpe", "os.execve"), 1),
}
# {function that makes a job of a cluster: the keyword that holds its command}
_JOBS = {"azure.ai.ml.command": "command", "sky.Task": "run"}
_WITH_ENVIRONMENT = ("os.execve", "os.execvpe")
# how a file changes the environment that it hands on
_CHANGES = ("environ[", "environ.update", "environ.setdefault", "environ |=", "putenv(", "load_dotenv")
_NAMES_OF_COMMANDS = frozenset(("args", "cmd", "command", "cmds", "commands"))
_STARTS_BY_NAME = (
    "run",
    "launch",
    "exec",
    "system",
    "submit",
    "spawn",
    "popen",
)  # in the name of a function of another module
_ONLY_SHOW = frozenset(
    "print info debug warning error log join write append dumps quote list2cmdline len str repr".split()
)


class _Part(Record):
    """What is added to a list or a text: an expression, whether it certainly is, and what names stand for in it."""

    node: ast.expr
    is_item: bool = False
    is_sure: bool = True
    known: "Known | None" = None


def scripts_started(scopes: "Scopes") -> "Iterator[Script]":
    """The commands of a file, each as a script of its own."""
    reader = _Reader(scopes)
    for number, (pieces, is_listed, is_far) in enumerate(reader.commands()):
        if number == MOST_STARTS:
            return
        script = read_shell(scopes.source.text, pieces)
        script.is_listed = is_listed
        if is_far:
            script.commands = [each.but(is_far=True) for each in script.commands]
        yield script


class _Reader:
    """Makes shell of the expressions that functions are given which start programs."""

    def __init__(self, scopes: "Scopes") -> None:
        self.scopes = scopes
        self.source = scopes.source
        self.values = Values(scopes)
        self._steps = _MOST_STEPS
        self._functions: dict[str, list[ast.FunctionDef]] = {}
        for node in self.source.nodes:
            if isinstance(node, ast.FunctionDef):
                self._functions.setdefault(node.name, []).append(node)
        self._own = self._own_starters()
        written = self.source.code.text.text
        self._changes_environment = any(each in written for each in _CHANGES)

    # --- which calls start something

    def commands(self) -> "Iterator[tuple[Pieces, bool, bool]]":
        """(the command, whether it is a list, whether it has an environment of its own) of each call that starts one, in the order of the file."""
        seen: set[tuple[int, int]] = set()
        for call in sorted(self.scopes.calls, key=lambda each: (each.lineno, each.col_offset)):
            given = self._command_of(call)
            if given is None:
                continue
            words = self._list(given)
            pieces = self._text(given) if words is None else words
            place = (pieces[0].start, pieces[-1].end) if pieces else None
            size = sum(len(piece.text or "") for piece in pieces)
            if pieces and place not in seen and 0 < size < _LONGEST:
                seen.add(place)  # type: ignore[arg-type]  # there are pieces
                yield pieces, words is not None, self._has_own_environment(call)

    def _has_own_environment(self, call: ast.Call) -> bool:
        """Whether variables may be set that nobody knows: the call is given an environment, or the file changes its own."""
        given = any(each.arg == "env" and _is_something(each.value) for each in call.keywords)
        full = self._full(call)
        return given or self._changes_environment or full in _WITH_ENVIRONMENT or full in _JOBS

    def _command_of(self, call: ast.Call) -> "ast.expr | None":
        """The expression that is the command which a call starts; None where it starts none."""
        if job := _JOBS.get(self._full(call)):
            return next((each.value for each in call.keywords if each.arg == job), None)
        place = self._place_in(call)
        if place is None:
            return None
        named = next((each.value for each in call.keywords if each.arg in _NAMES_OF_COMMANDS), None)
        given = call.args[place] if place < len(call.args) else named
        if isinstance(given, ast.Starred):
            return given.value
        if given is not None and len(call.args) > place + 1 and self._full(call).endswith("_exec"):
            return ast.copy_location(ast.Tuple(elts=call.args[place:], ctx=ast.Load()), given)
        return given

    def _place_in(self, call: ast.Call) -> "int | None":
        """At which place a call is given the command that it starts."""
        full = self._full(call)
        if full in _STARTING:
            return _STARTING[full]
        last = full.rpartition(".")[2]
        if last in self._own:
            return self._own[last]
        is_elsewhere = last not in self._functions
        return 0 if is_elsewhere and any(stem in last.lower() for stem in _STARTS_BY_NAME) else None

    def _full(self, call: ast.Call) -> str:
        """The name of the function that is called, with its module."""
        root, dot, rest = dotted(call.func).partition(".")
        for each in self.scopes.bindings(root, call.func) if root else ():
            for module in modules_of(each.node, root):
                return f"{module}{dot}{rest}"
        return f"{root}{dot}{rest}"

    def _own_starters(self) -> "dict[str, int]":
        """{function of the file: the place of the argument that it hands to a function which starts it}."""
        self._own = {}
        for _ in range(3):
            found = dict(self._own)
            found.update(filter(None, map(self._handed_on_by, self.scopes.calls)))
            if found == self._own:
                break
            self._own = found
        return self._own

    def _handed_on_by(self, call: ast.Call) -> "tuple[str, int] | None":
        """(function, the place of its argument) of the function that is called to start what its caller hands it; None for none."""
        given = _unsplit(self._command_of(call))
        binding = self.scopes.binding(given.id, given) if isinstance(given, ast.Name) else None
        if binding is None or not binding.argument or not isinstance(binding.node, ast.arg):
            return None
        arguments = self.source.parent[binding.node]
        function = self.source.parent[arguments]
        if not (isinstance(function, ast.FunctionDef) and isinstance(arguments, ast.arguments)):
            return None
        names = [each.arg for each in arguments.args if each.arg not in ("self", "cls")]
        return (function.name, names.index(binding.node.arg)) if binding.node.arg in names else None

    def _is_spent(self) -> bool:
        """Whether no more of the file is looked into."""
        self._steps -= 1
        return self._steps < 0

    # --- lists

    def _list(self, node: ast.expr, depth: int = 0, known: "Known | None" = None) -> "Pieces | None":
        """The items of a list, each quoted; None for what is no list."""
        read = _LISTS.get(type(node))
        return None if read is None or depth > _DEEPEST or self._is_spent() else read(self, node, depth, known or {})

    def _items(self, node: "ast.List | ast.Tuple", depth: int, known: "Known") -> "Pieces":
        return [piece for item in node.elts for piece in self._item(item, depth, known)][:MOST_PIECES]

    def _named(self, node: ast.Name, depth: int, known: "Known") -> "Pieces | None":
        return self._grown(node, depth, as_list=True)

    def _sliced(self, node: ast.Subscript, depth: int, known: "Known") -> "Pieces | None":
        return self._list(node.value, depth + 1, known) if _is_whole(node.slice) else None

    def _added(self, node: ast.BinOp, depth: int, known: "Known") -> "Pieces | None":
        """The items of two lists that are added, one of which may be unknown."""
        left, right = (self._list(each, depth + 1, known) for each in (node.left, node.right))
        if not isinstance(node.op, ast.Add) or (left is None and right is None):
            return None
        return (left or self._open(node.left)) + (right or self._open(node.right))

    def _made_list(self, node: ast.Call, depth: int, known: "Known") -> "Pieces | None":
        """The items of a list that a call makes of another one, or of a text."""
        name = dotted(node.func)
        if name in ("shlex.split", "split") and node.args:
            return self._text(node.args[0], depth + 1)
        if name in ("list", "tuple", "map") and node.args:
            return self._list(node.args[-1], depth + 1)
        if isinstance(node.func, ast.Attribute) and not node.args and node.func.attr in ("split", "copy"):
            read = self._text if node.func.attr == "split" else self._list
            return read(node.func.value, depth + 1)
        returned = self._returned_by(node)
        return None if returned is None else self._list(returned, depth + 1)

    def _returned_by(self, call: ast.Call) -> "ast.expr | None":
        """What a function of the file returns at its one place; None for any other call."""
        found = self._functions.get(dotted(call.func).rpartition(".")[2], [])
        if len(found) != 1 or self._is_spent():
            return None
        returns = [each.value for each in ast.walk(found[0]) if isinstance(each, ast.Return)]
        return returns[0] if len(returns) == 1 else None

    def _item(self, node: ast.expr, depth: int, known: "Known") -> "Pieces":
        if isinstance(node, ast.Starred):
            return self._list(node.value, depth + 1, known) or self._open(node.value)
        start, end = self._inside(node)
        found: Pieces = []
        for piece in self._text(node, depth + 1, known, is_word=True):
            found += _quoted(piece)
        return [Piece("'", start, start), *found, Piece("'", end, end), Piece(" ", end, end)]

    def _inside(self, node: ast.expr) -> "tuple[int, int]":
        """Where the text of a literal begins and ends, or any other expression."""
        start, end = self.source.start(node), self.source.end(node)
        plain = self._plain(node)
        return (plain.start, plain.end) if plain is not None else (start, end)

    def _open(self, node: ast.expr, is_sure: bool = True) -> "Pieces":
        """Any number of words that nobody knows; `is_sure`: whether there certainly are some."""
        start, end = self.source.start(node), self.source.end(node)
        return [Piece(None, start, end, many=True, outside=not is_sure), Piece(" ", end, end)]

    def _comprehended(self, node: ast.ListComp, depth: int, known: "Known") -> "Pieces | None":
        """The items of `[f"{k}={v}" for k, v in settings.items()]`."""
        if len(node.generators) != 1 or node.generators[0].ifs:
            return None
        loop = node.generators[0]
        if isinstance(loop.target, ast.Name) and isinstance(node.elt, ast.Call) and dotted(node.elt.func) == "str":
            return self._list(loop.iter, depth + 1, known)
        rounds = self._rounds(loop.target, loop.iter, depth)
        if rounds is None:
            return None
        return [piece for each in rounds for piece in self._item(node.elt, depth + 1, {**known, **each})]

    def _rounds(self, target: ast.expr, over: ast.expr, depth: int) -> "list[Known] | None":
        """What the names of a loop over a literal stand for in each of its rounds; None where that is not known."""
        if isinstance(over, ast.Call):
            return self._pairs(target, over, depth)
        items = self.values.bound(over) if isinstance(over, ast.Name) else over
        if not isinstance(items, (ast.List, ast.Tuple)) or len(items.elts) > _MOST_ROUNDS:
            return None
        return (
            [{target.id: self._text(each, depth + 1)} for each in items.elts] if isinstance(target, ast.Name) else None
        )

    def _pairs(self, target: ast.expr, over: ast.Call, depth: int) -> "list[Known] | None":
        """What the names of a loop over the items of a literal mapping stand for; None where that is not known."""
        is_of_items = isinstance(over.func, ast.Attribute) and over.func.attr == "items"
        pairs = self.values.mapping(over.func.value) if is_of_items else None  # type: ignore[attr-defined]  # it is one
        names = [dotted(each) for each in target.elts] if isinstance(target, ast.Tuple) else []
        if pairs is None or len(names) != 2 or len(pairs.keys) > _MOST_ROUNDS:
            return None
        return [
            {names[0]: self._text(key, depth + 1), names[1]: self._text(value, depth + 1)}
            for key, value in zip(pairs.keys, pairs.values)
            if key is not None
        ]

    # --- what grows

    def _grown(self, node: ast.Name, depth: int, as_list: bool) -> "Pieces | None":
        """What a name stands for where it is read: what it is bound to, with all that is added to it before; None where it is no
        list, or no text."""
        parts = self._parts_of(node)
        if parts is None:
            return None
        found: Pieces = []
        for number, part in enumerate(parts):
            each = self._read(part, depth + 1, as_list)
            if each is None and number == 0:
                return None
            found += each if each is not None and part.is_sure else self._open(part.node, is_sure=part.is_sure)
        return found[:MOST_PIECES]

    def _read(self, part: _Part, depth: int, as_list: bool) -> "Pieces | None":
        read = self._item if part.is_item else self._list if as_list else self._text
        return read(part.node, depth, part.known or {})

    def _parts_of(self, node: ast.Name) -> "list[_Part] | None":
        """What makes up the value of a name where it is read, in order; None where that is not known."""
        places = self._places_before(node)
        around = self._blocks_around(node)
        bound = [each for each in places if self._is_bound_at(each)][-1:]
        value = self._value_at(bound[0]) if bound and self._block(bound[0]) in around else None
        if value is None:
            return None
        later = places[places.index(bound[0]) + 1 :]
        return [_Part(node=value), *(part for each in later for part in self._added_at(each, bound[0], around))]

    def _places_before(self, node: ast.Name) -> "list[ast.Name]":
        """The places of the same name before one, in their order."""
        scope = self.scopes.scope_that_binds(node.id, node)
        found = [each for each in self.scopes.names.get(node.id, ()) if _place(each) < _place(node)]
        return sorted((each for each in found if self.scopes.scope_that_binds(node.id, each) is scope), key=_place)

    def _is_bound_at(self, node: ast.Name) -> bool:
        return isinstance(node.ctx, ast.Store) and not isinstance(self.source.parent[node], ast.AugAssign)

    def _value_at(self, node: ast.Name) -> "ast.expr | None":
        """What a name is bound to at one of its places; None where that is no expression."""
        statement = self.source.parent[node]
        return statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None

    def _added_at(self, node: ast.Name, base: ast.Name, around: "set[int]") -> "list[_Part]":
        """What is added to a list or a text at a place of its name."""
        statement = self.source.parent[node]
        rounds = self._loop_around(node, base)
        is_sure = rounds is not None and (rounds != [{}] or self._block(node) in around)
        given, is_item = self._given_at(statement, node)
        if given is None:
            return [_Part(node=node, is_sure=False)] if self._may_change(statement, node) else []
        each_round = rounds if is_sure and rounds is not None else [{}]
        return [_Part(node=given, is_item=is_item and is_sure, is_sure=is_sure, known=known) for known in each_round]

    def _given_at(self, statement: ast.AST, node: ast.Name) -> "tuple[ast.expr | None, bool]":
        """(what is added to a name by a statement, None for nothing, whether it is one item)."""
        if isinstance(statement, ast.AugAssign) and statement.target is node:
            return statement.value, False
        call = self.source.parent.get(statement)
        if isinstance(statement, ast.Attribute) and isinstance(call, ast.Call) and len(call.args) == 1:
            if statement.attr in ("append", "extend"):
                return call.args[0], statement.attr == "append"
        return None, False

    def _may_change(self, around: ast.AST, node: ast.Name) -> bool:
        """Whether what is done with a list may change it in a way that nobody can tell."""
        if isinstance(around, ast.Attribute):
            return around.attr in ("insert", "pop", "remove", "clear", "append", "extend")
        if not isinstance(around, ast.Call) or node not in around.args or self._place_in(around) is not None:
            return False
        return dotted(around.func).rpartition(".")[2] not in _ONLY_SHOW

    def _loop_around(self, node: ast.Name, base: ast.Name) -> "list[Known] | None":
        """The rounds of the loop in which something is added: one without names outside of any; None where they are not known."""
        above = set(self.source.above(base))
        loops = [
            each for each in self.source.above(node) if isinstance(each, (ast.For, ast.While)) and each not in above
        ]
        if not loops:
            return [{}]
        loop = loops[0]
        if len(loops) > 1 or not isinstance(loop, ast.For) or self._block(node) != id(loop.body):
            return None
        return self._rounds(loop.target, loop.iter, 1) if self._block(loop) in self._blocks_around(base) else None

    def _block(self, node: ast.AST) -> int:
        """Which list of statements a node stands in."""
        found = self.scopes.block_of(node)
        return id(found[0]) if found else 0

    def _blocks_around(self, node: ast.AST) -> "set[int]":
        found = {self._block(node)}
        return found | {self._block(each) for each in self.source.above(node) if isinstance(each, ast.stmt)}

    # --- texts

    def _text(self, node: ast.expr, depth: int = 0, known: "Known | None" = None, is_word: bool = False) -> "Pieces":
        """The text of an expression, unknown where Python computes it. `is_word`: of an item of a list."""
        plain, known = self._plain(node), known or {}
        if plain is not None:
            return [plain]
        if depth > _DEEPEST or self._is_spent():
            return self._open(node)[:1]
        if isinstance(node, ast.Name):
            grown = known.get(node.id) or (None if is_word else self._grown(node, depth + 1, as_list=False))
            return self._computed(node) if grown is None else grown
        return self._made_text(node, depth, known, is_word)

    def _formatted(self, node: ast.JoinedStr, depth: int, known: "Known") -> "Pieces":
        return [piece for part in node.values for piece in self._of_part(node, part, depth, known)]

    def _of_part(self, whole: ast.JoinedStr, part: ast.expr, depth: int, known: "Known") -> "Pieces":
        """A part of `f"..."`, whose places inside it only later releases of Python tell."""
        if isinstance(part, ast.FormattedValue):
            if part.format_spec is None and part.conversion < 0:
                found = self._text(part.value, depth + 1, known, is_word=True)
                return [self._at(whole, piece) for piece in found]
            return [Piece(None, self.source.start(whole), self.source.end(whole))]
        text = part.value if isinstance(part, ast.Constant) else None
        return [Piece(str(text), self.source.start(whole), self.source.end(whole))] if text else []

    def _at(self, node: ast.expr, piece: Piece) -> Piece:
        return Piece(piece.text, self.source.start(node), self.source.end(node), overridable=piece.overridable)

    def _made_text(self, node: ast.expr, depth: int, known: "Known", is_word: bool) -> "Pieces":
        """The text that an expression makes of others, or of a list."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return [piece for each in (node.left, node.right) for piece in self._text(each, depth + 1, known, is_word)]
        if isinstance(node, ast.JoinedStr):
            return self._formatted(node, depth, known)
        found = self._called_text(node, depth, known) if isinstance(node, ast.Call) else None
        return self._computed(node) if found is None else found

    def _called_text(self, node: ast.Call, depth: int, known: "Known") -> "Pieces | None":
        name, given = dotted(node.func), node.args[0] if node.args else None
        method, of = (node.func.attr, node.func.value) if isinstance(node.func, ast.Attribute) else ("", node.func)
        if given is None:
            return self._text(of, depth + 1, known) if method == "strip" else None
        if name in ("str", "textwrap.dedent", "dedent", "shlex.quote", "quote"):
            return self._text(given, depth + 1, known, is_word=name == "str")
        if name in ("shlex.join", "subprocess.list2cmdline"):
            return self._list(given, depth + 1, known)
        return self._joined(given, depth, known) if method == "join" and _is_blank(of) else None

    def _joined(self, given: ast.expr, depth: int, known: "Known") -> "Pieces | None":
        """The items of a list as a text, in which a shell parts the words once more."""
        words = self._list(given, depth + 1, known)
        return words and [piece for piece in words if not (piece.text == "'" and piece.start == piece.end)]

    def _computed(self, node: ast.expr) -> "Pieces":
        """The value of an expression as a text; unknown where nobody knows it, and one that may be replaced where it is the default of
        an argument."""
        start, end = self.source.start(node), self.source.end(node)
        found = self.values.of(node)
        if found.value is UNKNOWN or type(found.value) not in (str, int, float):
            return [Piece(None, start, end)]
        return [Piece(str(found.value), start, end, overridable=bool(found.assumes))]

    def _plain(self, node: ast.expr) -> "Piece | None":
        """A literal text with its place; None for any other expression."""
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            return None
        start, end = self.source.start(node), self.source.end(node)
        code = self.source.code
        first, last = code.inner_span(start, end)
        written = code.text.text[first:last]
        quotes = 3 if written[:3] in ('"""', "'''") else 1
        if node.value and written[quotes:-quotes] == node.value:
            begin, behind = code.raw(first + quotes), code.raw_end(last - quotes)
            return Piece(node.value, begin, behind, exact=behind - begin == len(node.value))
        return Piece(node.value, start, end)


_LISTS: "dict[type[ast.expr], Callable[[_Reader, Any, int, Known], Pieces | None]]" = {
    ast.List: _Reader._items,
    ast.Tuple: _Reader._items,
    ast.BinOp: _Reader._added,
    ast.Name: _Reader._named,
    ast.ListComp: _Reader._comprehended,
    ast.Subscript: _Reader._sliced,
    ast.Call: _Reader._made_list,
}


def _is_something(node: ast.expr) -> bool:
    """Whether an argument is given: None stands for what is usual."""
    return not (isinstance(node, ast.Constant) and node.value is None)


def _unsplit(node: "ast.expr | None") -> "ast.expr | None":
    """The text that is parted into words, and anything else as it is."""
    if isinstance(node, ast.Call) and dotted(node.func) == "shlex.split" and node.args:
        return node.args[0]
    is_split = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split"
    return node.func.value if is_split else node  # type: ignore[union-attr]  # it is such a call


def _is_whole(node: ast.expr) -> bool:
    """Whether a slice takes all items, as in `[:]`."""
    return isinstance(node, ast.Slice) and node.lower is None and node.upper is None


def _is_blank(node: ast.expr) -> bool:
    """Whether a text only parts words in a shell."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and not node.value.strip(" \\\n")


def _place(node: ast.expr) -> "tuple[int, int]":
    return node.lineno, node.col_offset


def _quoted(piece: Piece) -> "Pieces":
    """A piece as it stands between single quotes, which it must not end."""
    if piece.text is None or "'" not in piece.text:
        return [piece]
    escaped = Piece("'\\''", piece.start, piece.end)
    found: Pieces = []
    at = 0
    for place, sign in enumerate(piece.text):
        if sign == "'":
            found += [*([piece.cut(at, place)] if place > at else []), escaped]
            at = place + 1
    return [*found, *([piece.cut(at, len(piece.text))] if at < len(piece.text) else [])]
