"""Reads YAML that consists of keys with simple values in blocks, as nearly every config does, without PyYAML: loading that takes
longer than everything else that a check does, and its events take as long as all else about a file of a folder.

What is read here is read alike by PyYAML (`tests/source/test_yaml_plain.py` compares the two). Where there is any doubt, nothing is
read: at an anchor, a tag, a list or a mapping between brackets, a text over several lines, an escape, a character that may not be
printed, or an indentation that does not fit.
"""

from .reader import Entry, Mapping, Scalar, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .reader import Reading

LONGEST = 50_000  # characters; fewer make no more events than are read
LONGEST_KEY = 200

_SIGNS_OF_KEYS = str.maketrans("", "", "_-./")
_FIRST_OF_VALUES = "_./~$+("  # beside letters and digits
_keys: "set[str]" = set()  # that are known to be plain: most files of a repository hold the same
_MOST_KEYS = 10_000


def read_plain(reading: "Reading") -> bool:
    """Read the whole of a source into an empty reading, and return whether it was simple enough; else nothing was read."""
    source = reading.source
    if len(source) > LONGEST or not source.replace("\n", "").isprintable():
        return False
    outer: list[tuple[Mapping | Sequence, int]] = []  # what is open around the block, with the indentation of each
    closed: list[Mapping] = []
    block: Any = None  # the innermost that is open
    is_begun = False  # by a line that says so
    indentation = at = 0
    key: Scalar | None = None  # one that has no value yet
    for line in source.split("\n"):
        at += len(line) + 1
        text = line.lstrip(" ")
        if not text or text[0] == "#":
            continue
        column = len(line) - len(text)
        start = at - 1 - len(text)
        is_item = text[:2] == "- "
        if block is None:
            if text.rstrip(" ") == "---" and not column and not is_begun:
                is_begun = True
                continue
            if column or is_item:
                break
            block = Mapping(start)
        elif key is not None:
            entries = block.entries
            if column > indentation or (is_item and column == indentation):
                outer.append((block, indentation))
                block, indentation = Sequence(start) if is_item else Mapping(start), column
                entries.append(Entry(key, block))
            else:
                entries.append(Entry(key, Scalar(key.end + 1, key.end + 1, "")))
            key = None
        while outer and (column < indentation or (not is_item and type(block) is Sequence)):
            _close(block, closed)
            block, indentation = outer.pop()
        if column != indentation or is_item is (type(block) is Mapping):
            break
        if is_item:
            item = _value(text[2:].lstrip(" "), at - 1)
            if item is None:
                break
            block.items.append(item)
            continue
        name, colon, rest = text.partition(":")
        if (name not in _keys and not _is_key(name)) or not colon or rest[:1] not in ("", " "):
            break
        key = Scalar(start, start + len(name), name)
        rest = rest.lstrip(" ")
        if rest and rest[0] != "#":
            value = _value(rest, at - 1)
            if value is None:
                break
            block.entries.append(Entry(key, value))
            key = None
    else:
        if block is not None:
            if key is not None:
                block.entries.append(Entry(key, Scalar(key.end + 1, key.end + 1, "")))
            for each in (block, *(each for each, _ in reversed(outer))):
                _close(each, closed)
            reading.roots = [closed[-1]]
            for each in closed:
                reading.index(each)
            return True
    return False


def _close(block: "Any", closed: "list[Mapping]") -> None:
    """End a block where its last child ends."""
    if type(block) is Mapping:
        block.end = block.entries[-1].value.end
        closed.append(block)
    else:
        block.end = block.items[-1].end


def _is_key(name: str) -> bool:
    """Whether a text is a key without doubt, whatever it means."""
    if not (name[:1].isalpha() or name[:1] == "_") or len(name) > LONGEST_KEY:
        return False
    if not name.isascii() or not (name.translate(_SIGNS_OF_KEYS).isalnum() or name.isidentifier()):
        return False
    if len(_keys) < _MOST_KEYS:
        _keys.add(name)
    return True


def _value(text: str, end: int) -> "Scalar | None":
    """The scalar with which a rest of a line begins that ends at a place; None where it is not simple."""
    start, first = end - len(text), text[:1]
    if first == '"' or first == "'":
        close = text.find(first, 1) + 1
        written, after = text[1 : close - 1], text[close:]
        if not close or (first == '"' and "\\" in written) or after[:1] not in ("", " "):
            return None
        return Scalar(start, start + close, written, first) if after.lstrip(" ")[:1] in ("", "#") else None
    if not (first.isalnum() or (first and first in _FIRST_OF_VALUES) or (first == "-" and text[1:2].isalnum())):
        return None
    comment = text.find(" #")
    text = (text if comment < 0 else text[:comment]).rstrip(" ")
    if ": " in text or text[-1] == ":" or "?" in text:
        return None
    return Scalar(start, start + len(text), text)
