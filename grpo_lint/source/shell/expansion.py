"""Expansion of a word of the script to the words that a program gets: `$` expressions are replaced, fields are split,
quotes are removed."""

from posixpath import dirname

from ..patterns import pattern
from .arithmetic import assigned
from .parameters import calculate_text, is_set, items_of, length_of, scalar, transformed
from .state import FOLDER, FOLDER_BEFORE, FOLDER_STACK, size_of, size_of_pieces
from .tree import NAME, UNKNOWN, Arithmetic, Literal, Parameter, Piece, RawWord, Simple, Substitution
from .words import REPOSITORY, Word, made_overridable, parent, place_of, unknown, unknown_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Chain, Held, Opaque, Sequence, Shell
    from .tree import Part, Place

    Owner = tuple[int, int] | None  # (start, end) of the list item that a piece belongs to
    Token = tuple[Piece, str, Owner]  # (piece, mode, owner)
    Tokens = list[Token | None]

_FIELD = pattern(r"[ \t\n]+|[^ \t\n]+")


def expand(shell: "Shell", raw: "RawWord") -> "Sequence[Word]":
    """The words to which one word of the script expands."""
    if raw.always is not None:
        return raw.always
    if raw.braces:
        raw.always = tuple(_braced(shell, raw))
        return raw.always
    if (
        raw.plain is not None and len(raw.parts) == 1 and not raw.tilde and UNKNOWN not in raw.plain
    ):  # the most frequent case
        raw.always = (Word(raw.start, raw.end, _literal(raw).pieces, has_pattern(raw.plain)),)
        return raw.always
    return _fields(shell, raw)


def _braced(shell: "Shell", raw: "RawWord") -> "list[Word]":
    """The words of one with braces; unknown ones where it is more than letters and braces, or the script is for `sh`, which may not
    expand them."""
    from .braces import expanded  # few scripts have such words

    first = shell.script.text.text.partition("\n")[0]
    is_read = (
        raw.plain is not None and not raw.tilde and UNKNOWN not in raw.plain and not first.endswith(("/sh", " sh"))
    )
    found = expanded(raw.plain) if is_read and raw.plain else None
    if found is None:
        return [unknown_word(raw.start, raw.end, many=True)]
    return [Word(raw.start, raw.end, [Piece(word, raw.start, raw.end)], has_pattern(word)) for word in found]


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


def _mode(part: "Parameter | Arithmetic | Substitution | Opaque") -> str:
    return "quoted" if part.quoted else "split"


def _add_tokens(shell: "Shell", parts: "list[Part]", tokens: "Tokens", single: bool, nested: bool) -> None:
    alone = len(parts) == 1 and (not tokens or tokens[-1] is None)
    for part in parts:
        if isinstance(part, Literal):
            mode = "quoted" if part.quoted else "split" if nested and not single else "literal"
            tokens += [(piece, mode, None) for piece in part.pieces]
            if nested and not shell.spend(len(part.text)):
                return
        elif isinstance(part, Parameter):
            _add_parameter(shell, part, tokens, single, alone)
        else:
            tokens += [(piece, _mode(part), None) for piece in _computed(shell, part)]


def _computed(shell: "Shell", part: "Arithmetic | Substitution | Opaque") -> "list[Piece]":
    """The pieces of what is computed."""
    if isinstance(part, Arithmetic):
        number, overridable = calculate(shell, part)
        is_known = number is not None
        return [
            Piece(str(number), part.start, part.end, False, overridable) if is_known else unknown(part.start, part.end)
        ]
    if not isinstance(part, Substitution):
        return [unknown(part.start, part.end, many=not part.quoted)]
    captured = shell.isolated(_captured, shell, part.body)
    if not isinstance(captured, list) or not shell.spend(size_of_pieces(captured)):
        return [unknown(part.start, part.end)]
    return captured or ([Piece("", part.start, part.end)] if part.quoted else [])


def _add_parameter(shell: "Shell", part: "Parameter", tokens: "Tokens", single: bool, alone: bool) -> None:
    """Append the value of a parameter."""
    items = items_of(shell, part)
    if items is not None and not part.prefix:
        _add_items(shell, part, items, tokens, single, alone)
        return
    if part.operator in _CHOICES and not part.prefix:
        pieces = _add_choice(shell, part, tokens, single)
        if pieces is None:
            return
    else:
        pieces = _value_of(shell, part)
    if not shell.spend(size_of_pieces(pieces)):
        pieces = [unknown(part.start, part.end)]
    if part.quoted and not pieces:
        pieces = [Piece("", part.start, part.end)]
    tokens += [(piece, _mode(part), None) for piece in pieces]


# `$@`, `${A[*]}`


def _add_items(
    shell: "Shell", part: "Parameter", items: "list[Word]", tokens: "Tokens", single: bool, alone: bool
) -> None:
    """Append the words of a list."""
    taken = _sliced(part, items) if part.operator == ":" else None
    if taken is not None:
        items = taken
    elif part.operator and not _are_items_taken(shell, part, items, tokens, single):
        return
    if single or (part.quoted and "*" in (part.subscript or part.name)):
        _add_joined(shell, part, items, tokens)
    else:
        _add_separate(shell, part, items, tokens, alone)


_SLICE = pattern(r"[ \t]*(-?[0-9]{1,4})[ \t]*(?::[ \t]*([0-9]{1,4})[ \t]*)?")


def _sliced(part: "Parameter", items: "list[Word]") -> "list[Word] | None":
    """The items that `${@:2}` or `${A[@]:1:3}` takes; None where these are not known. Arguments count from one: the first is the script."""
    found = _SLICE.fullmatch(_pattern_text(part.argument) or "")
    if found is None or any(item.many or item.glob for item in items):
        return None
    start = int(found[1])
    start = start + len(items) if start < 0 else start - (part.name in ("@", "*"))
    rest = items[start:] if start >= 0 else None
    return rest if rest is None or found[2] is None else rest[: int(found[2])]


def _are_items_taken(shell: "Shell", part: "Parameter", items: "list[Word]", tokens: "Tokens", single: bool) -> bool:
    """Whether a list with an operator stands for its items; if not, what it stands for is appended."""
    is_known = part.operator in _OPTIONS and not any(item.value is None for item in items)
    takes_argument = (part.operator[-1] == "+") == bool(items)
    is_empty = takes_argument and part.operator[0] == ":" and items and not any(item.value for item in items)
    if not is_known or is_empty:
        tokens.append((unknown(part.start, part.end, many=not single), _mode(part), None))
    elif takes_argument:  # `${A[@]+"${A[@]}"}` is the usual way to write an array that may be empty
        _add_tokens(shell, part.argument, tokens, single, not part.quoted)
    else:
        return part.operator[-1] == "-"
    return False


def _affordable(shell: "Shell", part: "Parameter", items: "list[Word]") -> "list[Word]":
    """The items of a list; something unknown where they take too much room."""
    can_be_held = shell.spend(size_of(items) + 9 * len(items))
    return items if can_be_held else [unknown_word(part.start, part.end, many=True)]


def _is_unknown_argument(item: "Word") -> bool:
    """Whether a word stands for the arguments of the script, which have no place in it."""
    return item.end == 0 and item.value is None


def _add_joined(shell: "Shell", part: "Parameter", items: "list[Word]", tokens: "Tokens") -> None:
    """Append the items of a list as one word, with blanks between them."""
    mode, span = _mode(part), (part.start, part.end)
    if shell.table.get("IFS") is not None:
        tokens.append((unknown(*span), mode, None))
        return
    if not items and part.quoted:
        tokens.append((Piece("", *span), mode, None))
    before: Word | None = None
    for item in _affordable(shell, part, items):
        if (
            before is not None and not item.many and not before.many
        ):  # a list that may be empty takes the blanks around it away
            tokens.append((Piece(" ", *span), mode, None))
        pieces = item.pieces or [Piece("", item.start, item.end)]
        if _is_unknown_argument(item):
            pieces = [unknown(*span, outside=True)]
        elif item.many:
            pieces = [unknown(item.start, item.end)]
        tokens += [(piece, mode, None) for piece in pieces]
        before = item


def _add_separate(shell: "Shell", part: "Parameter", items: "list[Word]", tokens: "Tokens", alone: bool) -> None:
    """Append each item of a list as a word."""
    items = _affordable(shell, part, items)
    if not alone and any(item.many for item in items):
        # Text beside the list is joined to its first and last word, whatever these are.
        items = [unknown_word(part.start, part.end, many=True)]
    for index, item in enumerate(items):
        if index:
            tokens.append(None)
        if _is_unknown_argument(item):
            item = unknown_word(part.start, part.end, outside=True, many=True)
        elif item.end == 0:  # an argument that the caller gives has no place in the script, but where it is asked for
            item = Word(part.start, part.end, [Piece(item.value, part.start, part.end)])
        owner = item.start, item.end
        pieces = [unknown(*owner, many=True)] if item.glob else item.pieces or [Piece("", *owner)]
        tokens += [(piece, _mode(part), owner) for piece in pieces]


# `${X%.*}`, `${X:-8}`

_OPTIONS = ("+", ":+", "-", ":-")  # operators that give the value or the argument
_CHOICES = (*_OPTIONS, "=", ":=")  # those, and what stores the argument


def _value_of(shell: "Shell", part: "Parameter") -> "list[Piece]":
    """The pieces of a parameter's value, with an operator on its text applied."""
    pieces, span = scalar(shell, part) or [], (part.start, part.end)
    operator = part.operator
    if part.prefix:  # a length
        return length_of(shell, part, pieces)
    if not operator or operator in (":?", "?"):
        return pieces
    if len(pieces) == 1 and pieces[0].place and operator == "%" and _pattern_text(part.argument) == "/*":
        return parent(pieces[0].place, *span)
    word = Word(*span, pieces)
    result = None
    if word.value is not None:
        result = transformed(shell, operator, word.value, _single_tokens(shell, part.argument))
    if result is None:
        return [unknown(*span)]
    return [Piece(result, *span, False, word.overridable)] if result else []


def _choice(shell: "Shell", part: "Parameter", found: "list[Piece] | None") -> "tuple[bool | None, bool, bool]":
    """Of `${A-B}`, `${A=B}` or `${A+B}`: (whether it stands for B, None where that is unknown; whether the caller may decide otherwise;
    whether only the caller can have set A). `found`: the value of A."""
    pieces, or_empty = found or [], part.operator[0] == ":"
    is_default = part.operator[-1] in "-="
    outside = len(pieces) == 1 and pieces[0].outside and (or_empty or not is_set(shell, part.name))
    if any(piece.text is None for piece in pieces):
        return outside if is_default else None, outside, outside
    is_missing = found is None or (or_empty and not any(piece.text for piece in pieces))
    return is_missing == is_default, any(piece.overridable for piece in pieces), outside


def _add_choice(shell: "Shell", part: "Parameter", tokens: "Tokens", single: bool) -> "list[Piece] | None":
    """The pieces of `${A-B}`, `${A=B}` or `${A+B}`; None where B was appended to the tokens instead."""
    found = scalar(shell, part)
    takes_argument, overridable, outside = _choice(shell, part, found)
    if takes_argument is None:
        return [unknown(part.start, part.end, many=not part.quoted)]
    if not takes_argument:
        return [] if part.operator[-1] == "+" else found or []
    return _add_argument(shell, part, tokens, single, overridable, outside)


def _add_argument(
    shell: "Shell", part: "Parameter", tokens: "Tokens", single: bool, overridable: bool, outside: bool
) -> "list[Piece] | None":
    """Append B of `${A-B}`, `${A=B}` or `${A+B}`, and store it for `=`; returns the pieces where it is empty, else None."""
    first, stores = len(tokens), part.operator[-1] == "="
    _add_tokens(shell, part.argument, tokens, single, not part.quoted)
    for index, token in enumerate(tokens[first:], first):
        if token is not None:
            piece, mode, owner = token
            # A stored value is split like every value, whether or not it was quoted.
            tokens[index] = (made_overridable(piece) if overridable else piece, _mode(part) if stores else mode, owner)
    empty = Piece("", part.start, part.end, overridable=overridable, outside=outside)
    value = [token[0] for token in tokens[first:] if token is not None]
    if outside and (single or stores) and not any(piece.text != "" for piece in value):
        value = [empty]
        del tokens[first:]
    if stores:
        _store(shell, part, value)
    return [empty] if first == len(tokens) else None


def _store(shell: "Shell", part: "Parameter", value: "list[Piece]") -> None:
    """Carry out the assignment of `${X:=8}`."""
    if NAME.fullmatch(part.name) and not part.subscript:
        word = without_empty_default(Word(part.start, part.end, value))
        shell.write(part.name, shell.plain_variable(part.name, word))


def _pattern_text(parts: "list[Part]") -> "str | None":
    """The text of parts that are all literal and unquoted."""
    literals = [part for part in parts if type(part) is Literal and not part.quoted]
    pieces = [piece for part in literals for piece in part.pieces]
    is_known = len(pieces) >= len(parts) and all(piece.text is not None for piece in pieces)
    return "".join([part.text for part in literals]) if is_known else None


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
    commands, output = _plain_commands(body), None
    shell.silent += 1
    try:
        for node in commands:
            words = [word for raw in node.words if type(raw) is RawWord for word in expand(shell, raw)]
            if output is not None or not words or any(word.many and not word.pieces[0].place for word in words):
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


def _plain_commands(body: "list[Chain]") -> "list[Simple]":
    """The commands of a body where they run one after the other, whatever becomes of them; else none."""
    links = [link for chain in body for link in chain.links]
    found = [node for operator, node in links if type(node) is Simple and operator != "||" and not node.assignments]
    return found if len(found) == len(links) and not any(chain.background for chain in body) else []


def _output(shell: "Shell", node: "Simple", words: "list[Word]") -> "list[Piece] | None":
    """The output of one program, without trailing line breaks."""
    name, span = words[0].value, (node.start, node.end)
    bodies = [redirection.body for redirection in node.redirections if redirection.body is not None]
    if name == "cat" and len(words) == len(bodies) == len(node.redirections) == 1:
        return _without_last_breaks(stored(shell, bodies[0]).pieces)
    if any(redirection.descriptor != "2" and redirection.operator != "2>" for redirection in node.redirections):
        return None
    if name == "echo":
        return _echoed(words[1:], span)
    arguments = [word for word in words[1:] if word.value not in ("--", "-P", "-L", "-f", "-m", "-e", "-s", "-z")]
    if name == "dirname" and len(arguments) == 1:
        return _parent_of(arguments[0], shell.folder, span)
    place = _printed_place(words, arguments, shell.folder)
    return place and [unknown(*span, place=place)]


def _printed_place(words: "list[Word]", arguments: "list[Word]", folder: "Place | None") -> "Place | None":
    """The folder or file whose path a command prints."""
    name = words[0].value
    if name == "pwd" and not arguments:
        return folder
    if name == "git" and [word.value for word in words[1:]] == ["rev-parse", "--show-toplevel"]:
        return REPOSITORY, ""
    return place_of(arguments[0], folder) if name in ("realpath", "readlink") and len(arguments) == 1 else None


def _parent_of(word: "Word", folder: "Place | None", span: "tuple[int, int]") -> "list[Piece] | None":
    """What `dirname` prints."""
    value = word.value
    if value is not None:
        is_plain = "//" not in value and value[-1:] != "/" and value.rfind("/") > 0
        return [Piece(dirname(value), *span, False, word.overridable)] if is_plain else None
    place = place_of(word, folder)
    return place and parent(place, *span)


def _echoed(words: "list[Word]", span: "tuple[int, int]") -> "list[Piece] | None":
    """What `echo` prints."""
    values = [word.value for word in words]
    if not values or None in values or (values[0] or "")[:1] == "-":
        return None
    pieces = [piece for word in words for piece in (Piece(" ", *span), *word.pieces)]
    return _without_last_breaks(pieces[1:])


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
