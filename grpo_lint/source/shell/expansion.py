"""Expansion of a word of the script to the words that a program gets: `$` expressions are replaced, fields are split,
quotes are removed."""

from posixpath import dirname

from ..patterns import pattern
from .arithmetic import assigned
from .folders import REPOSITORY, parent, place_of
from .parameters import calculate_text, is_set, items_of, length_of, scalar, transformed
from .state import FOLDER, FOLDER_BEFORE, FOLDER_STACK, size_of, size_of_pieces
from .tree import NAME, UNKNOWN, Arithmetic, Literal, Parameter, Piece, RawWord, Simple, Substitution
from .words import Word, made_overridable, unknown, unknown_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from .state import Shell
    from .tree import Chain, Opaque, Part, Place
    from .variables import Held

    Owner: TypeAlias = tuple[int, int] | None  # (start, end) of the list item that a piece belongs to
    Token: TypeAlias = tuple[Piece, str, Owner]  # (piece, mode, owner)
    Tokens: TypeAlias = list[Token | None]

_FIELD = pattern(r"[ \t\n]+|[^ \t\n]+")


def expand(shell: "Shell", raw: "RawWord") -> "Sequence[Word]":
    """The words to which one word of the script expands."""
    if raw.always is not None:
        return raw.always
    if raw.braces:
        return [unknown_word(raw.start, raw.end, many=True)]
    if (
        raw.plain is not None and len(raw.parts) == 1 and not raw.tilde and UNKNOWN not in raw.plain
    ):  # the most frequent case
        raw.always = (Word(raw.start, raw.end, _literal(raw).pieces, has_pattern(raw.plain)),)
        return raw.always
    return _fields(shell, raw)


def unsplit(shell: "Shell", raw: "RawWord") -> "Word":
    """The one word to which a word expands where nothing is split: in assignments, `case`, `[[ ]]`."""
    pieces = []
    shape = []
    for token in _tokens(shell, raw, single=True):
        if token is None:
            continue
        piece, mode, _ = token
        pieces.append(piece)
        shape.append("\1" if mode == "quoted" or piece.text is None else piece.text if mode == "literal" else "")
    return Word(raw.start, raw.end, pieces, has_pattern("".join(shape)))


def stored(shell: "Shell", raw: "RawWord") -> "Word":
    """The value that an assignment stores: as `unsplit`, with `*` as a plain character."""
    word = unsplit(shell, raw)
    return Word(word.start, word.end, word.pieces)


def without_empty_default(word: "Word") -> "Word":
    """The value that a variable gets. A value that consists of an empty default only is unknown, since the caller may
    set it."""
    default = word.pieces[0] if len(word.pieces) == 1 else None
    is_empty = default is not None and default.outside and default.text == ""
    return unknown_word(word.start, word.end, outside=True) if is_empty else word


def has_pattern(text: str) -> bool:
    """Whether a text is a pattern of file names: it has a `*`, a `?` or a `[` with its `]`."""
    return "*" in text or "?" in text or ("[" in text and "]" in text[text.find("[") :])


def _literal(raw: "RawWord") -> "Literal":
    """The unquoted literal with which a word begins."""
    return raw.parts[0]  # type: ignore[return-value]  # what begins with a letter or a tilde begins with a literal


class _Fields:
    """The words into which the parts of one word are split. `add` appends a part to the current word, `flush` ends
    it."""

    def __init__(self, raw: "RawWord") -> None:
        self.words: list[Word] = []
        self._raw = raw
        self._pieces: list[Piece] = []
        self._shape: list[str] = []
        self._owners: set[Owner] = set()

    def add(self, piece: "Piece", text: str, owner: "Owner") -> None:
        self._pieces.append(piece)
        self._shape.append(text)
        self._owners.add(owner)

    def flush(self) -> None:
        if not self._pieces:
            return
        owner = next(iter(self._owners)) if len(self._owners) == 1 else None
        start, end = owner or (self._raw.start, self._raw.end)
        self.words.append(Word(start, end, self._pieces, has_pattern("".join(self._shape))))
        self._pieces = []
        self._shape = []
        self._owners = set()


def _fields(shell: "Shell", raw: "RawWord") -> "list[Word]":
    fields = _Fields(raw)
    split_unknown = shell.table.get("IFS") is not None
    for token in _tokens(shell, raw):
        if token is None:
            fields.flush()
            continue
        piece, mode, owner = token
        if mode == "split" and split_unknown and piece.text:
            piece = unknown(piece.start, piece.end)
        if piece.text is None and mode != "quoted" and not piece.many:
            piece = unknown(piece.start, piece.end, piece.outside, True, piece.place)
        if piece.text is None or mode == "quoted":
            fields.add(piece, "\1", owner)
        elif mode == "literal":
            if piece.text:
                fields.add(piece, piece.text, owner)
        else:
            for field in _FIELD.finditer(piece.text):
                if field[0][0] in " \t\n":
                    fields.flush()
                else:
                    fields.add(piece.cut(*field.span()), field[0], owner)
    fields.flush()
    return fields.words


def _tokens(shell: "Shell", raw: "RawWord", single: bool = False) -> "Tokens":
    """(piece, mode, owner) for each part of a word, None between two words. Modes: "literal", "split" and "quoted"."""
    tokens: Tokens = []
    parts = raw.parts
    if raw.tilde == ":":
        return [(unknown(raw.start, raw.end), "literal", None)]
    if raw.tilde:
        tokens.append((unknown(raw.start, raw.start + 1), "literal", None))
        pieces = _literal(raw).pieces
        rest = len(raw.tilde)
        for piece in pieces:
            length = len(piece.text or UNKNOWN)
            if rest < length:
                tokens.append((piece.cut(rest, length) if piece.text else piece, "literal", None))
            rest = max(rest - length, 0)
        parts = parts[1:]
    _add_tokens(shell, parts, tokens, single, False)
    return tokens


def _single_tokens(shell: "Shell", parts: "list[Part]") -> "list[Token]":
    """The tokens of a word that is not split."""
    tokens: Tokens = []
    _add_tokens(shell, parts, tokens, True, False)
    return [token for token in tokens if token is not None]


def _add_tokens(shell: "Shell", parts: "list[Part]", tokens: "Tokens", single: bool, nested: bool) -> None:
    alone = len(parts) == 1 and (not tokens or tokens[-1] is None)
    for part in parts:
        if isinstance(part, Literal):
            mode = "quoted" if part.quoted else "split" if nested and not single else "literal"
            for piece in part.pieces:
                tokens.append((piece, mode, None))
                if nested and not shell.spend(len(piece.text or "")):
                    return
        elif isinstance(part, Parameter):
            _add_parameter(shell, part, tokens, single, alone)
        else:
            mode = "quoted" if part.quoted else "split"
            if isinstance(part, Arithmetic):
                number, overridable = calculate(shell, part)
                known = number is not None
                piece = (
                    Piece(str(number), part.start, part.end, False, overridable)
                    if known
                    else unknown(part.start, part.end)
                )
                tokens.append((piece, mode, None))
            elif isinstance(part, Substitution):
                captured = shell.isolated(_captured, shell, part.body)
                if not isinstance(captured, list) or not shell.spend(size_of_pieces(captured)):
                    captured = [unknown(part.start, part.end)]
                for piece in captured or ([Piece("", part.start, part.end)] if part.quoted else []):
                    tokens.append((piece, mode, None))
            else:
                tokens.append((unknown(part.start, part.end, many=not part.quoted), mode, None))


def _add_parameter(shell: "Shell", part: "Parameter", tokens: "Tokens", single: bool, alone: bool) -> None:
    """Append the value of a parameter."""
    mode = "quoted" if part.quoted else "split"
    items = items_of(shell, part)
    if items is not None and not part.prefix:
        _add_items(shell, part, items, mode, tokens, single, alone)
        return
    pieces = _parameter(shell, part, tokens, single)
    if pieces is None:
        return
    if not shell.spend(size_of_pieces(pieces)):
        pieces = [unknown(part.start, part.end)]
    if part.quoted and not pieces:
        pieces = [Piece("", part.start, part.end)]
    for piece in pieces:
        tokens.append((piece, mode, None))


def _add_items(
    shell: "Shell", part: "Parameter", items: "list[Word]", mode: str, tokens: "Tokens", single: bool, alone: bool
) -> None:
    if part.operator in ("+", ":+", "-", ":-") and not any(item.value is None for item in items):
        # `${A[@]+"${A[@]}"}` is the usual way to write an array that may be empty.
        if (part.operator[-1] == "+") == bool(items):
            if part.operator[0] == ":" and items and not any(item.value for item in items):
                tokens.append((unknown(part.start, part.end, many=not single), mode, None))
            else:
                _add_tokens(shell, part.argument, tokens, single, not part.quoted)
            return
        if part.operator[-1] == "+":
            return
    elif part.operator:
        tokens.append((unknown(part.start, part.end, many=not single), mode, None))
        return
    joined = single or (part.quoted and "*" in (part.subscript or part.name))
    if joined and shell.table.get("IFS") is not None:
        tokens.append((unknown(part.start, part.end), mode, None))
        return
    if joined and not items and part.quoted:
        tokens.append((Piece("", part.start, part.end), mode, None))
    if not shell.spend(size_of(items) + 9 * len(items)):
        items = [unknown_word(part.start, part.end, many=True)]
    if joined:
        # A list that may be empty removes the blanks around it with it.
        items = [unknown_word(item.start, item.end, many=True) if item.many else item for item in items]
    elif not alone and any(item.many for item in items):
        # Text beside the list is joined to its first and last word, whatever these are.
        items = [unknown_word(part.start, part.end, many=True)]
    for index, item in enumerate(items):
        if index and not joined:
            tokens.append(None)
        elif index and not item.many and not items[index - 1].many:
            tokens.append((Piece(" ", part.start, part.end), mode, None))
        if item.end == 0 and item.value is None:  # the arguments of the script, which are unknown
            item = unknown_word(part.start, part.end, outside=True, many=not joined)
        owner = None if joined else (item.start, item.end)
        if item.glob:
            tokens.append((unknown(item.start, item.end, many=True), mode, owner))
            continue
        for piece in item.pieces or [Piece("", item.start, item.end)]:
            if joined and piece.many:
                piece = unknown(piece.start, piece.end, piece.outside, False, piece.place)
            tokens.append((piece, mode, owner))


def _parameter(shell: "Shell", part: "Parameter", tokens: "Tokens", single: bool) -> "list[Piece] | None":
    """The pieces of a parameter's value; None when its argument, such as a default, was added to the tokens instead."""
    found = scalar(shell, part)
    pieces = found or []
    operator = part.operator
    if part.prefix:  # a length
        return length_of(shell, part, pieces)
    if not operator or operator in (":?", "?"):
        return pieces
    if operator in ("-", ":-", "=", ":=", "+", ":+"):
        return _or_argument(shell, part, found, tokens, single)
    if len(pieces) == 1 and pieces[0].place and operator == "%" and _pattern_text(part.argument) == "/*":
        return parent(pieces[0].place, part.start, part.end) or [unknown(part.start, part.end)]
    texts = [piece.text for piece in pieces if piece.text is not None]
    result = None
    if len(texts) == len(pieces):
        result = transformed(shell, operator, "".join(texts), _single_tokens(shell, part.argument))
    if result is None:
        return [unknown(part.start, part.end)]
    return [Piece(result, part.start, part.end, False, any(piece.overridable for piece in pieces))] if result else []


def _or_argument(
    shell: "Shell", part: "Parameter", found: "list[Piece] | None", tokens: "Tokens", single: bool
) -> "list[Piece] | None":
    """The value of `${A-B}`, `${A=B}` or `${A+B}` in the form of `_parameter`; `found`: the value of A."""
    operator, pieces = part.operator, found or []
    default = operator[-1] in "-="
    outside = len(pieces) == 1 and pieces[0].outside and (operator[0] == ":" or not is_set(shell, part.name))
    if all(piece.text is not None for piece in pieces):
        missing = found is None or (operator[0] == ":" and not any(piece.text for piece in pieces))
        takes = missing == default
        overridable = any(piece.overridable for piece in pieces)
    elif not default:
        return [unknown(part.start, part.end, many=not part.quoted)]
    else:
        takes = overridable = outside
    if not takes:
        return pieces if default else []
    first = len(tokens)
    _add_tokens(shell, part.argument, tokens, single, not part.quoted)
    # A value stored by `:=` is split like every value, whether or not it was quoted.
    stored_mode = ("quoted" if part.quoted else "split") if operator[-1] == "=" else None
    for index in range(first, len(tokens)):
        token = tokens[index]
        if token is not None:
            piece, mode, owner = token
            tokens[index] = (made_overridable(piece) if overridable else piece, stored_mode or mode, owner)
    empty = Piece("", part.start, part.end, overridable=overridable, outside=outside)
    value = [token[0] for token in tokens[first:] if token is not None]
    if outside and (single or operator[-1] == "=") and not any(piece.text != "" for piece in value):
        value = [empty]
        del tokens[first:]
    if operator[-1] == "=" and NAME.fullmatch(part.name) and not part.subscript:
        stored = without_empty_default(Word(part.start, part.end, value))
        shell.write(part.name, shell.plain_variable(part.name, stored))
    return [empty] if first == len(tokens) else None


def _pattern_text(parts: "list[Part]") -> "str | None":
    """The text of parts that are all literal and unquoted."""
    pieces = [piece for part in parts if type(part) is Literal and not part.quoted for piece in part.pieces]
    texts = [piece.text for piece in pieces if piece.text is not None]
    return "".join(texts) if len(texts) == len(pieces) and len(texts) >= len(parts) else None


def calculate(shell: "Shell", node: "Arithmetic | Opaque") -> "tuple[int | None, bool]":
    """(value or None, whether it depends on a default) of an arithmetic expression; its assignment is carried out."""
    if type(node) is not Arithmetic:
        return None, False
    pieces = [token[0] for token in _single_tokens(shell, node.parts)]
    texts = [piece.text for piece in pieces if piece.text is not None]
    if len(texts) < len(pieces):
        literals = [piece.text or "" for part in node.parts if type(part) is Literal for piece in part.pieces]
        found = assigned(" ".join(literals))
        if found:
            shell.forget([found[0]] if found[1] else found[0])
        return None, False
    return calculate_text(shell, "".join(texts), any(piece.overridable for piece in pieces), node.start, node.end)


# What a substitution prints
# --------------------------------------------------------------------------------------------


def _captured(shell: "Shell", body: "list[Chain]") -> "list[Piece] | None":
    """The pieces that `$(...)` expands to, for the few programs whose output depends on the text alone; else None."""
    shell.silent += 1
    try:
        output = None
        for chain in body:
            for operator, node in chain.links:
                if (
                    type(node) is not Simple
                    or operator == "||"
                    or node.assignments
                    or chain.background
                    or output is not None
                ):
                    return None
                words = [word for raw in node.words if type(raw) is RawWord for word in expand(shell, raw)]
                if not words or words[0].value is None or any(word.many and not word.pieces[0].place for word in words):
                    return None
                if words[0].value == "cd":
                    change_folder(shell, words)
                    continue
                output = _output(shell, node, words)
                if output is None:
                    return None
        return output
    finally:
        shell.silent -= 1


def _output(shell: "Shell", node: "Simple", words: "list[Word]") -> "list[Piece] | None":
    """The output of one program, without trailing line breaks."""
    name = words[0].value
    arguments = [word for word in words[1:] if word.value not in ("--", "-P", "-L", "-f", "-m", "-e", "-s", "-z")]
    start, end = node.start, node.end
    folder = shell.folder
    bodies = [redirection.body for redirection in node.redirections if redirection.body is not None]
    if name == "cat" and len(words) == 1 and len(bodies) == 1 and len(node.redirections) == 1:
        return _without_last_breaks(stored(shell, bodies[0]).pieces)
    if any(redirection.descriptor != "2" and redirection.operator != "2>" for redirection in node.redirections):
        return None
    if name == "pwd" and not arguments:
        return folder and [unknown(start, end, place=folder)]
    if name == "git" and [word.value for word in words[1:]] == ["rev-parse", "--show-toplevel"]:
        return [unknown(start, end, place=(REPOSITORY, ""))]
    if name in ("realpath", "readlink") and len(arguments) == 1:
        place = place_of(arguments[0], folder)
        return place and [unknown(start, end, place=place)]
    if name == "dirname" and len(arguments) == 1:
        if arguments[0].value is not None:
            value = arguments[0].value
            plain = "//" not in value and value[-1:] != "/" and value.rfind("/") > 0
            return [Piece(dirname(value), start, end, False, arguments[0].overridable)] if plain else None
        place = place_of(arguments[0], folder)
        return place and parent(place, start, end)
    if (
        name == "echo"
        and all(word.value is not None for word in words[1:])
        and words[1:]
        and (words[1].value or "")[:1] != "-"
    ):
        pieces = []
        for word in words[1:]:
            pieces += [Piece(" ", start, end), *word.pieces]
        return _without_last_breaks(pieces[1:])
    return None


def change_folder(shell: "Shell", words: "list[Word]") -> None:
    """`cd`, `pushd` and `popd`."""
    now = shell.folder
    stack: tuple[Place | None, ...] = shell.table.get(FOLDER_STACK) or ()  # type: ignore[assignment]  # its name
    arguments = [word for word in words[1:] if word.value not in ("--", "-P", "-L")]
    folder: Held
    if words[0].value == "popd":
        folder, stack = (stack[-1], stack[:-1]) if stack and not arguments else (None, ())
    elif len(arguments) != 1:
        folder = None
    elif arguments[0].value == "-":
        folder = shell.table.get(FOLDER_BEFORE)
    else:
        folder = place_of(arguments[0], now)
    if words[0].value == "pushd":
        stack = (*stack[-100:], now)
    shell.write(FOLDER_BEFORE, now)
    shell.write(FOLDER_STACK, stack)
    shell.write(FOLDER, folder)


def _without_last_breaks(pieces: "list[Piece]") -> "list[Piece]":
    """An output as a substitution keeps it: without trailing line breaks."""
    pieces = list(pieces)
    while pieces and (text := pieces[-1].text) is not None:
        last = pieces.pop()
        length = len(text.rstrip("\n"))
        if length:
            pieces.append(last.cut(0, length))
            break
    return pieces
