"""What can be said, and saved, when a file is not YAML. Imported only when that happens.

The reading up to the error is kept. From the last top-level key on, the text is cut into pieces, each from one
top-level key to the next, and each piece is read by itself: one broken piece costs only its own value.
"""

import re

from yaml.error import MarkedYAMLError
from yaml.reader import Reader

from .yaml_reader import UNREADABLE, _REST_OF_LINE, Entry, Mapping, Problem, Scalar, Sequence, _read

# A line that begins with a plain or quoted key. A piece has to begin so; whether it holds is for the parser to say.
_KEY = r"""(?:"[^"\r\n]*"|'[^'\r\n]*'|[^\s#\-:\[\]{}&*!|>%@`,?'"][^\r\n:#]*)[ ]*:(?=\s|$)"""
_BREAK = re.compile(r"[\r\n\x85\u2028\u2029]")


def recover(source, reading, error):
    """The best reading of a source that the parser gave up on; its problems include the reason."""
    unprintable = Reader.NON_PRINTABLE.search(source)
    if unprintable:
        return _without_unprintables(source, unprintable)
    problem = syntax_problem(source, error)
    _rescue(source, reading)
    reading.problems.append(problem)
    return reading


def _without_unprintables(source, found):
    """PyYAML stops at the first control character; a stand-in of the same length shows the rest of the file."""
    cleaned = Reader.NON_PRINTABLE.sub("\ufffd", source)
    reading, error = _read(cleaned)
    if error is not None:
        _rescue(cleaned, reading)
    message = f"the control character U+{ord(found[0]):04X} is not allowed in YAML"
    reading.problems.append(Problem(found.start(), found.end(), "unprintable", message))
    return reading


def _rescue(source, reading):
    """Close what the error left open, and read the top-level keys that the parser did not reach."""
    for depth in range(len(reading.open) - 1, 0, -1):
        _close_early(source, reading, *reading.open[depth])
    root = reading.open[0][0] if reading.open else None
    if root is None:
        if not reading.roots:
            root = Mapping(0)
            _read_pieces(source, reading, root, 0, "")
            if root.entries:
                reading.roots.append(root)
    elif type(root) is Mapping and not root.flow:
        key = reading.open[0][1]
        if key is None and root.entries:
            key = root.entries.pop().key
        indent = _indentation(source, root.start)
        begin = root.start if key is None else key.start
        _read_pieces(source, reading, root, begin - indent, " " * indent)
    else:
        _close_early(source, reading, *reading.open[0])
        return
    if root is not None:
        reading._close(root, root.start)


def _indentation(source, offset):
    line = source[max(source.rfind(end, 0, offset) for end in "\r\n") + 1 : offset]
    return len(line) if not line.strip(" ") else 0


def _close_early(source, reading, collection, key):
    if key is not None:
        collection.entries.append(Entry(key, _unread_value(source, key)))
    children = collection.entries if type(collection) is Mapping else collection.items
    last = children[-1] if children else collection
    reading._close(collection, last.value.end if type(last) is Entry else last.end)


def _unread_value(source, key):
    """What stands behind a key whose value could not be read, up to the end of the line or a comment."""
    rest = _REST_OF_LINE.match(source, key.end)
    if rest is None:
        return Scalar(key.end, key.end, "", tag=UNREADABLE)
    return Scalar(rest.start(1), rest.end(1), rest[1], tag=UNREADABLE)


def _read_pieces(source, reading, root, position, indent):
    """Read the text from `position` on, piece by piece, into the entries of `root`."""
    key_line = re.compile(f"^{indent}{_KEY}", re.MULTILINE)
    starts = [match.start() for match in key_line.finditer(source, position)]
    for start, end in zip(starts, [*starts[1:], len(source)]):
        root.entries.extend(_read_piece(source, reading, start, end))


def _read_piece(source, reading, start, end):
    """The entries of one piece; if it is broken, its first line alone may still hold a whole `key: value`."""
    attempt, error = _read(source[start:end], reading.anchors)
    if error is not None:
        line_end = _BREAK.search(source, start, end)
        if line_end:
            first_line, line_error = _read(source[start : line_end.start()], reading.anchors)
            if line_error is None and _has_value(first_line):
                attempt, error = first_line, None
    for depth in range(len(attempt.open) - 1, -1, -1):
        _close_early(attempt.source, attempt, *attempt.open[depth])
    reading.anchors.update(attempt.anchors)
    root = attempt.roots[0] if attempt.roots else None
    if type(root) is not Mapping:
        return []
    reading.duplicates.extend(item for item in attempt.duplicates if item[0] is not root)
    _shift(root, start)
    return root.entries


def _shift(root, distance):
    """Move the spans of a tree that was read out of the middle of a text."""
    pending = [root]
    while pending:
        node = pending.pop()
        node.start += distance
        node.end += distance
        if type(node) is Mapping:
            for entry in node.entries:
                pending += (entry.key, entry.value)
        elif type(node) is Sequence:
            pending += node.items


def _has_value(reading):
    root = reading.roots[0] if reading.roots else None
    if type(root) is not Mapping or not root.entries:
        return False
    value = root.entries[0].value
    return value.end > value.start


def syntax_problem(source, error):
    """The parser's error in words that say what to do."""
    if not isinstance(error, MarkedYAMLError):
        return Problem(0, 0, "syntax", f"this is not YAML (PyYAML: {_one_line(error)})")
    complaint = error.problem or error.context or "unreadable"
    mark = error.problem_mark or error.context_mark
    context = error.context_mark
    offset = mark.index if mark else 0
    for pattern, at_context, sentence in _SENTENCES:
        match = re.search(pattern, f"{error.context or ''}: {complaint}")
        if match:
            if at_context and context is not None:
                offset = context.index
            message = match.expand(sentence) if "\\" in sentence else sentence
            break
    else:
        message = f"this is not valid YAML: {complaint}" + (f" {error.context}" if error.context else "")
    offset = min(offset, len(source))
    end = _BREAK.search(source, offset)
    return Problem(offset, end.start() if end else len(source), "syntax", message)


def _one_line(error):
    return " ".join(str(error).split())


# (what PyYAML says, whether the mistake is where its context began, what we say)
_SENTENCES = (
    (r"'\\t' that cannot start any token", False, "a tab stands where YAML only allows spaces"),
)
