"""Reports and recovers a file that is not valid YAML. Imported only for such files.

What was read before the error is kept. From the last top-level key on, the text is cut into pieces, each from one line
that begins like a top-level key to the next. Each piece is read by itself, so that one broken piece costs only its own
value.
"""

import re
from itertools import islice

from yaml.error import MarkedYAMLError
from yaml.reader import Reader

from ...message import NOTHING, Message, told_by
from ..text import CONFLICT, Problem, is_in_conflict
from .parsing import TooMuch, _read
from .reader import UNREADABLE, Entry, Mapping, Scalar, line_end, nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from .reader import KnownPieces, Node, ReadError, Reading, Sequence

MOST_PIECES = 2000  # that are read of a broken file

# The beginning of a line that may be a plain or quoted key, or one being typed. Every piece begins so; the parser
# decides whether it is valid.
_WORD = r"""(?=[^\s#\-:\[\]{}&*!|>%@`,?])"""
WORD_LINE = re.compile(f"^{_WORD}", re.MULTILINE)  # at the top level
# After a key: the colon, then the rest of the line up to a comment or trailing blanks.
_REST_OF_LINE = r"[ \t]*:[ \t]*((?:[^\s#]|(?<!\s)#|[ \t]+(?![ \t#\r\n]|\Z))*)"


def recover(source: str, reading: "Reading", error: "ReadError", known: "KnownPieces | None" = None) -> "Reading":
    """The best reading of a source at which the parser stopped; its problems include the reason. `known`: returns the
    entries of a piece at a place, None where it has to be read here."""
    unprintable = Reader.NON_PRINTABLE.search(source)
    if unprintable:
        return _without_unprintables(source, unprintable)
    if type(error) is TooMuch:
        problem = _too_much(source, reading, error)
        _close_all(reading, reading.open)
    else:
        problem = syntax_problem(source, error)
        _rescue(source, reading, known)
    reading.problems.append(problem)
    return reading


def _without_unprintables(source: str, found: "re.Match[str]") -> "Reading":
    """Read a source with its control characters replaced by a stand-in of the same length, since PyYAML stops at the
    first."""
    cleaned = Reader.NON_PRINTABLE.sub("\ufffd", source)
    reading, error = _read(cleaned)
    if error is not None:
        _rescue(cleaned, reading)
    message = Message("the control character U+{number} is not allowed in YAML", {"number": f"{ord(found[0]):04X}"})
    reading.problems.append(Problem(found.start(), found.end(), "unprintable", message))
    return reading


def _rescue(source: str, reading: "Reading", known: "KnownPieces | None" = None) -> None:
    """Close the collections that the error left open, and read the top-level keys that the parser did not reach."""
    _close_all(reading, reading.open[1:])
    if not reading.open:
        if not reading.roots or type(reading.roots[-1]) is Scalar:
            _read_from_the_start(source, reading, known)
        return
    root = reading.open[0][0]
    if type(root) is Mapping and not root.flow:
        key = reading.open[0][1] or (root.entries.pop().key if root.entries else None)
        indent = _indentation(source, root.start)
        begin = root.start if key is None else key.start
        _read_pieces(source, reading, root, begin - indent, " " * indent, known)
        reading._close(root, root.start)
    else:
        _close_all(reading, reading.open[:1])


def _read_from_the_start(source: str, reading: "Reading", known: "KnownPieces | None") -> None:
    """Search for keys where no top-level mapping was begun, perhaps because the first line is no key."""
    root = Mapping(0)
    _read_pieces(source, reading, root, 0, "", known)
    if root.entries:
        root.start = root.entries[0].key.start
        reading._close(root, root.start)
        reading.roots[-1:] = [root]


def _indentation(source: str, offset: int) -> int:
    line = source[max(source.rfind(end, 0, offset) for end in "\r\n") + 1 : offset]
    return len(line) if not line.strip(" ") else 0


def _close_all(reading: "Reading", open_: "list[tuple[Mapping | Sequence, Node | None]]") -> None:
    """Complete collections that were left open, from the innermost out."""
    for collection, key in reversed(open_):
        if key is not None and isinstance(collection, Mapping):
            collection.entries.append(Entry(key, _unread_value(reading.source, key)))
        children = (
            [entry.value for entry in collection.entries] if isinstance(collection, Mapping) else collection.items
        )
        reading._close(collection, children[-1].end if children else collection.end)


def _unread_value(source: str, key: "Node") -> "Scalar":
    """The text after a key whose value could not be read, up to the end of the line or a comment."""
    rest = re.compile(_REST_OF_LINE).match(source, key.end)
    if rest is None:
        return Scalar(key.end, key.end, "", tag=UNREADABLE)
    return Scalar(rest.start(1), rest.end(1), rest[1], tag=UNREADABLE)


def _read_pieces(
    source: str, reading: "Reading", root: "Mapping", position: int, indent: str, known: "KnownPieces | None"
) -> None:
    """Read the text from `position` on, piece by piece, into the entries of `root`."""
    line = re.compile(f"^{indent}{_WORD}", re.MULTILINE) if indent else WORD_LINE
    starts = [match.start() for match in islice(line.finditer(source, position), MOST_PIECES + 1)]
    for start, end in zip(starts[:MOST_PIECES], [*starts[1:], len(source)]):
        entries = known(source[start:end], start) if known is not None and not indent else None
        root.entries.extend(_read_piece(source, reading, start, end) if entries is None else entries)


def _read_piece(source: str, reading: "Reading", start: int, end: int) -> "list[Entry]":
    """The entries of one piece. If it is broken, its first line alone may still be a whole `key: value`."""
    attempt, error = _read(source[start:end], reading.anchors)
    if error is not None:
        first_line, line_error = _read(source[start : line_end(source, start, end)], reading.anchors)
        if line_error is None and _has_value(first_line):
            attempt = first_line
    _close_all(attempt, attempt.open)
    reading.anchors.update(attempt.anchors)
    root = attempt.roots[0] if attempt.roots else None
    if type(root) is not Mapping:
        return []
    reading.duplicates.extend(item for item in attempt.duplicates if item[0] is not root)
    shift([root], start)
    return root.entries


def shift(roots: "Iterable[Node]", distance: int) -> None:
    """Move the spans of trees."""
    for node in nodes(roots):
        node.start += distance
        node.end += distance


def _has_value(reading: "Reading") -> bool:
    root = reading.roots[0] if reading.roots else None
    if type(root) is not Mapping or not root.entries:
        return False
    value = root.entries[0].value
    return value.end > value.start


def syntax_problem(source: str, error: "ReadError") -> "Problem":
    """The parser's error, at the place and in words that help to correct it, followed by PyYAML's own words."""
    if not isinstance(error, MarkedYAMLError):
        return _bare_problem(source, error)
    theirs = f"{error.context}: {error.problem}" if error.context else error.problem or ""
    for pattern, place, sentence in _SENTENCES:
        found = re.search(pattern, theirs)
        if found:
            sentence = Message(sentence, {"found": found[1]} if found.re.groups else {})
            break
    else:
        place, sentence = _AT, Message("this is not valid YAML")
    mark = error.context_mark if place is _BEGAN and error.context_mark else error.problem_mark
    start = min(mark.index, len(source)) if mark else 0
    sentence = CONFLICT if is_in_conflict(source, start) else sentence
    message = Message("{sentence} (PyYAML: {words})", {"sentence": sentence, "words": " ".join(theirs.split())})
    return Problem(start, line_end(source, start, len(source)), "syntax", message)


def _bare_problem(source: str, error: "ReadError") -> "Problem":
    """The problem of a Python error without a position that PyYAML's parser raises, for example for an escape beyond
    Unicode."""
    escape = re.search(r"\\U(?!000[0-9A-F]|0010)[0-9A-F]{8}", source, re.IGNORECASE)
    start, end = escape.span() if escape else (0, 0)
    reason = Message(": the escape is beyond Unicode") if escape else NOTHING
    return Problem(start, end, "syntax", Message("PyYAML cannot read this file{reason}", {"reason": reason}))


def _too_much(source: str, reading: "Reading", error: "TooMuch") -> "Problem":
    """The problem of a file that holds more than is read, at the place where reading ended."""
    start = max((node.end for node in nodes(reading.roots)), default=0)
    return Problem(start, line_end(source, start, len(source)), "too-much", told_by(error))


_AT = "where the parser stopped"
_BEGAN = "where the thing began that the parser was reading"

# (PyYAML's "context: problem", the better place to point at, what it means). The first match is used.
_SENTENCES = (
    (r"character '\\t' that cannot start", _AT, "this is a tab, and YAML allows only spaces here"),
    (r"character '.' that cannot start", _AT, "a value that begins with this character needs quotes"),
    (r"simple key: could not find expected ':'", _BEGAN, "this line is no `key: value` and does not continue a value"),
    (
        r"mapping values are not allowed here",
        _AT,
        "a key is not possible here: either the value before has a `: ` in it and needs quotes, "
        "or the line is indented deeper than its neighbours",
    ),
    (r"sequence entries are not allowed here", _AT, "a list item is not possible here: its `- ` needs an own line"),
    (r"mapping keys are not allowed here", _AT, "a `? ` key is not possible here"),
    (r"quoted scalar: found unexpected", _BEGAN, "this quote is never closed"),
    (
        r"unknown escape character '(.)'",
        _AT,
        r"`\{found}` means nothing in double quotes: double the backslash or use single quotes",
    ),
    (r"expected ',' or '([\]}])'", _BEGAN, "this collection lacks a comma or its closing `{found}`"),
    (r"flow node: expected the node content, but found '<stream end>'", _AT, "a `[` or `{` is still open at the end"),
    (r"expected the node content, but found '(.*)'", _AT, "a value is expected here, not `{found}`"),
    (r"expected <block end>, but found '([\]},])'", _AT, "this `{found}` closes nothing"),
    (r"expected <block end>, but found '<block", _AT, "this line is indented differently from the lines it belongs to"),
    (
        r"expected <block end>",
        _AT,
        "this does not belong to what is before it: a quote ends too early, or the indentation is off",
    ),
    (r"block scalar: expected a comment or a line break", _AT, "after `|` or `>` the text begins on the next line"),
    (r"block scalar: ", _AT, "this is no proper beginning of a block text"),
    (r"scanning an (alias|anchor)", _BEGAN, "YAML takes this for an {found}; to be a value it needs quotes"),
    (r"scanning a tag|tag handle", _AT, "YAML takes this for a tag; to be a value it needs quotes"),
    (r"directive|incompatible YAML document", _AT, "YAML cannot read this directive, a line that begins with `%`"),
    (r"expected '<document start>'", _AT, "the YAML document ends before this text, which belongs to nothing"),
)
