"""Shell scripts inside a YAML file: `run: |` of a workflow, `command: [bash, -c, ...]` of a container."""

import re

from ..record import Record
from .shell.tree import Piece
from .shell.words import Word, loosened, unknown_word
from .text import Text
from .yaml.reader import Alias, Mapping, Scalar, Sequence, parts_of, read_yaml

TYPE_CHECKING = False
if TYPE_CHECKING:
    import collections.abc as abc

    from ..shared_types import Document, Node
    from .shell.script import Allocated

MOST_SCRIPTS = 100  # of one document that are read


class Embedded(Record):
    """A script inside a document: the `Piece`s that it consists of, with their places, what the document sets for it, and the GPUs
    that it gives it."""

    start: int
    pieces: "list[Piece]"
    environment: "abc.Mapping[str, Word]"
    allocated: "Allocated | None" = None


def embedded_scripts(document: "Document", starts: str, programs: "tuple[str, ...]") -> "list[Embedded]":
    """The scripts of a document in the order of the file.

    `starts`: a pattern for the start of a training in a script; `programs`: the words with which such a command begins.
    """
    text = document.text.text
    if not re.search(starts, text):
        return []
    found, continued = [], {}
    waiting: list[tuple[Node, abc.Mapping[str, Word], Allocated | None]] = [
        (root, {}, None) for root in document.documents
    ]
    while waiting:
        node, environment, allocated = waiting.pop()
        if isinstance(node, Mapping):  # a container, before its parts
            continued.update(_continued(node))
            environment = {**environment, **_set_by(node, text), **_told_by_cloud(node, text)}
            allocated = _allocated_by(node) or allocated
        pieces: list[Piece] = []
        if isinstance(node, Scalar) and len(node.text) > 20 and re.search(starts, node.text):
            pieces = _of_scalar(node, text)
        elif isinstance(node, Sequence):
            words, rest = _words(node), continued.get(id(node))
            words += _words(rest)
            if len(words) > 3 and words[0].text in programs:
                pieces = as_command(words, text) + (_of_scalar(rest, text) if isinstance(rest, Scalar) else [])
        if pieces:
            found.append(Embedded(start=node.start, pieces=pieces, environment=environment, allocated=allocated))
        waiting += [(part, environment, allocated) for part in parts_of(node)]
    return sorted(found, key=lambda each: each.start)


# Kubernetes, GitHub and Buildkite; SkyPilot; compose; GitLab; Ray.
_ENVIRONMENTS = ("env", "envs", "environment", "variables", "env_vars")
_CAN_BE_SET = "envs"  # a default, which the command line of SkyPilot replaces
_MOST_MERGED = 5  # mappings in one another by `<<`
_FILLED_IN_LATER = ("${", "$(", "{{", "<<")  # by the system that starts the script


def _set_by(node: Mapping, text: str) -> "dict[str, Word]":
    """{name: value} of the variables that a mapping sets for the scripts in it."""
    found: dict[str, Word] = {}
    for entry in node.entries:
        if entry.name in _ENVIRONMENTS:
            for name, value in _pairs(entry.value, text):
                if name.isidentifier():
                    found[name] = loosened(value) if entry.name == _CAN_BE_SET else value
        elif entry.name == "runtime_env" and isinstance(entry.value, Mapping):
            found.update(_set_by(entry.value, text))
        elif entry.name == "runtimeEnvYAML" and isinstance(entry.value, Scalar):
            found.update(_set_by_text(entry.value))
    return found


def _told_by_cloud(node: Mapping, text: str) -> "dict[str, Word]":
    """{name: number} of the variables that SkyPilot sets according to a task; its command line may replace them."""
    values = {entry.name: entry.value for entry in node.entries}
    resources, nodes = values.get("resources"), values.get("num_nodes")
    if not isinstance(resources, Mapping) or "run" not in values:
        return {}
    found: dict[str, Word] = {}
    accelerators = next((entry.value for entry in resources.entries if entry.name == "accelerators"), None)
    if isinstance(accelerators, Mapping) and len(accelerators.entries) == 1:
        found[_OF_SKYPILOT[0]] = _value(accelerators.entries[0].value, text)
    elif isinstance(accelerators, Scalar):
        found[_OF_SKYPILOT[0]] = _behind_colon(accelerators)
    if nodes is None:
        place = resources.start
        found[_OF_SKYPILOT[1]] = Word(place, place, [Piece("1", place, place)])
    else:
        found[_OF_SKYPILOT[1]] = _value(nodes, text)
    return {name: loosened(word) for name, word in found.items() if (word.value or "").isdecimal()}


_OF_SKYPILOT = ("SKYPILOT_NUM_GPUS_PER_NODE", "SKYPILOT_NUM_NODES")


def _behind_colon(node: Scalar) -> "Word":
    """The number of `H100:8`; `H100` alone is one."""
    number = node.text.partition(":")[2] or "1"
    return Word(node.start, node.end, [Piece(number, node.start, node.end)])


def _allocated_by(node: Mapping) -> "Allocated | None":
    """The GPUs that a mapping gives to the scripts in it: a container, a job of Ray, a task of SkyPilot."""
    if not any(entry.name in _GIVES_GPUS for entry in node.entries):
        return None
    from .allocations import allocated_by  # few documents say it

    return allocated_by(node)


_GIVES_GPUS = ("resources", "rayClusterSpec")


def _set_by_text(node: Scalar) -> "abc.Iterator[tuple[str, Word]]":
    """The (name, value) of each variable that a mapping sets, which stands in a text: its parts have no places of their own."""
    root = read_yaml(Text(node.text)).root
    for name, word in _set_by(root, node.text).items() if isinstance(root, Mapping) else ():
        yield name, Word(node.start, node.end, [Piece(word.value, node.start, node.end)])


def _pairs(node: "Node | None", text: str, merged: int = 0) -> "abc.Iterator[tuple[str, Word]]":
    """The (name, value) of `A: 1`, of `- name: A` with its `value: 1`, and of `- A=1`. `merged`: how many mappings this one
    is merged into."""
    if isinstance(node, Alias):
        node = node.target
    if isinstance(node, Mapping):
        for entry in node.entries:
            if entry.name != "<<":
                yield entry.name, _value(entry.value, text)
            elif merged < _MOST_MERGED:
                yield from _pairs(entry.value, text, merged + 1)
    for item in node.items if isinstance(node, Sequence) else ():
        if isinstance(item, Mapping):
            values = {entry.name: entry.value for entry in item.entries}
            name = values.get("name")
            if isinstance(name, Scalar):
                yield name.text, _value(values.get("value"), text)
        elif isinstance(item, Scalar):
            yield _assignment(item, text)


def _assignment(item: Scalar, text: str) -> "tuple[str, Word]":
    """The (name, value) of `A=1`; of `A` alone somebody else tells the value."""
    name, equals, value = item.text.partition("=")
    if not equals:
        return name, unknown_word(item.start, item.end)
    start = item.end - (1 if item.style else 0) - len(value)
    is_exact = text[start : start + len(value)] == value
    return name, Word(item.start, item.end, [_piece(value, start if is_exact else item.start, item, is_exact)])


def value_at(value: str, start: int) -> "Word":
    """The value of a variable that stands in the text as it is."""
    return Word(start, start + len(value), [Piece(value, start, start + len(value), True)] if value else [])


def _value(node: "Node | None", text: str) -> "Word":
    """The value of a variable; unknown where it is no text, or is filled in later."""
    if not isinstance(node, Scalar):
        return unknown_word(0, 0) if node is None else unknown_word(node.start, node.end)
    start = node.start + (1 if node.style in ("'", '"') else 0)
    is_exact = text[start : start + len(node.text)] == node.text
    return Word(node.start, node.end, [_piece(node.text, start if is_exact else node.start, node, is_exact)])


def _piece(value: str, start: int, node: Scalar, is_exact: bool) -> Piece:
    if any(sign in value for sign in _FILLED_IN_LATER):
        return Piece(None, node.start, node.end)
    return Piece(value, start, start + len(value) if is_exact else node.end, is_exact)


def _words(node: "Node | None") -> "list[Scalar]":
    """The items of a list of words; nothing for any other node."""
    items = node.items if isinstance(node, Sequence) else []
    words = [item for item in items if isinstance(item, Scalar)]
    return words if len(words) == len(items) else []


def _continued(container: Mapping) -> "dict[int, Node | None]":
    """{id of what a container starts: what is appended to it}: the `args` to its `command` in Kubernetes, the `command` to its
    `entrypoint` in compose."""
    values = {entry.name: entry.value for entry in container.entries}
    return {id(values[first]): values[rest] for first, rest in _APPENDED if first in values and rest in values}


def words_in_front(document: "Document", start: int) -> "list[str]":
    """The words that are put in front of those of a list which begins at a place of a document."""
    waiting: list[Node] = list(document.documents)
    while waiting:
        node = waiting.pop()
        values = {entry.name: entry.value for entry in node.entries} if isinstance(node, Mapping) else {}
        for first, rest in _APPENDED:
            if first in values and rest in values and values[rest].start == start:
                return [word.text for word in _words(values[first])]
        waiting += [part for part in parts_of(node) if part.start <= start <= part.end]
    return []


_APPENDED = (("command", "args"), ("entrypoint", "command"))


def _of_scalar(node: Scalar, text: str) -> "list[Piece]":
    if node.style == "|":
        pieces = _of_block(node, text)
        if "".join(piece.text or "" for piece in pieces).rstrip("\n") == node.text.rstrip("\n"):
            return pieces
    quotes = 1 if node.style in ("'", '"') else 0
    if node.style != "|" and text[node.start + quotes : node.end - quotes] == node.text:
        return [Piece(node.text, node.start + quotes, node.end - quotes, exact=True)]
    pieces = _of_folded(node, text) if not quotes else []
    if pieces and "".join(piece.text or "" for piece in pieces).rstrip("\n") == node.text.rstrip("\n"):
        return pieces
    return [Piece(node.text, node.start, node.end)]  # escaped: only the span of the whole text is known


def _of_folded(node: Scalar, text: str) -> "list[Piece]":
    """The lines of a text that YAML joins with blanks, each at its place."""
    is_block = node.style == ">"
    lines = text[node.start : node.end].splitlines(keepends=True)
    position = node.start + (len(lines.pop(0)) if is_block and lines else 0)
    first = next((line for line in lines if line.strip()), "")
    indent = len(first) - len(first.lstrip(" "))
    pieces: list[Piece] = []
    blank_lines, was_deeper = 0, False
    for line in lines:
        content = line.splitlines()[0]
        before = min(indent, len(content)) if is_block else len(content) - len(content.lstrip())
        content = content[before:] if is_block else content.strip()
        if content.strip():
            start = position + before
            is_deeper = is_block and content[0] in " \t"  # lines that are indented further stay lines
            breaks = blank_lines + (is_deeper or was_deeper)
            if pieces:
                pieces.append(Piece("\n" * breaks or " ", pieces[-1].end, start))
            pieces.append(Piece(content, start, start + len(content), exact=True))
            blank_lines, was_deeper = 0, is_deeper
        else:
            blank_lines += 1
        position += len(line)
    return pieces


def _of_block(node: Scalar, text: str) -> "list[Piece]":
    """The lines of a literal block without their indentation."""
    lines = text[node.start : node.end].splitlines(keepends=True)
    position = node.start + len(lines[0])
    first = next((line for line in lines[1:] if line.strip()), "")
    indent = len(first) - len(first.lstrip(" "))
    pieces = []
    for line in lines[1:]:
        content = line.splitlines()[0]  # YAML has more line breaks than two
        if content.strip(" "):
            pieces.append(Piece(content[indent:], position + indent, position + len(content), exact=True))
        pieces.append(Piece("\n", position + len(content), position + len(line)))
        position += len(line)
    return pieces


def as_command(words: "list[Scalar]", text: str) -> "list[Piece]":
    """A list of words as a command; each is quoted so that it stays one word."""
    pieces = []
    for item in words:
        quote = '"' if "'" in item.text else "'"
        opening, closing = Piece(quote, item.start, item.start), Piece(quote, item.end, item.end)
        pieces += [opening, *_of_scalar(item, text), closing, Piece(" ", item.end, item.end)]
    return pieces
