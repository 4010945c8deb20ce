"""Written values, of a YAML file or of a command: one, and those of a mapping by their names."""

from ..unknown import UNKNOWN, is_beyond
from .yaml.reader import Entry, Mapping, Scalar, Sequence, is_text, target, to_python
from .yaml.scalars import WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping as Table
    from typing import TypeGuard

    from ..shared_types import Document, Node, Word


MOST_EXPANDED = 5_000  # characters of a list or a mapping with its aliases expanded, where it is written in fewer
MOST_LEVELS = 50  # of lists and mappings in a value


def loaded(node: "Node") -> object:
    """The value of a node as PyYAML's safe loader constructs it; UNKNOWN where it is too large. Values are converted to Python
    objects only here, so every such value has a bounded size and can be walked, compared and printed."""
    if type(node) is Scalar:
        value = node.value
        return UNKNOWN if type(value) is int and is_beyond(value) else value
    if type(node) is Sequence or type(node) is Mapping:
        try:
            return node.python  # its size was checked before
        except AttributeError:
            pass
    written = node.end - node.start
    found = target(node)
    if isinstance(found, Scalar):
        return UNKNOWN if is_beyond(found.value) else found.value
    return to_python(found) if found is None or _is_bounded(found, written) else UNKNOWN


def _is_bounded(node: "Mapping | Sequence", written: int) -> bool:
    """Whether a list or a mapping has a bounded size: nested aliases can expand to more than any memory holds.
    `written`: its characters in the file, of an alias those of its name. A long value that is written out is allowed; a
    long one that many keys repeat is not."""
    from .yaml.extent import extent

    size, levels = extent(node)
    return size <= max(MOST_EXPANDED, written) and levels <= MOST_LEVELS


def characters_of(node: "Node") -> float:
    """How many characters the value of a node has with its aliases expanded."""
    found = target(node)
    if found is None or isinstance(found, Scalar):
        return len(found.text) if found is not None else 0
    from .yaml.extent import extent

    return extent(found)[0]


def is_set(entry: "Entry") -> bool:
    """Whether an entry has a value that is not null."""
    if entry.line is not None:
        return entry.line.is_set
    node = entry.value
    if type(node) is not Scalar:
        return True
    if node.tag is None:  # the text decides, and the value need not be constructed
        return bool(node.style) or WORDS.get(node.text, node) is not None
    return node.value is not None


class Flag(Entry):
    """A flag of a command line; `words`: its values as the shell passes them."""

    __slots__ = ("words",)

    def __init__(self, key: "Node", value: "Node", words: "tuple[Word, ...]" = ()) -> None:
        super().__init__(key, value)
        self.words = words


def is_alone(entry: Entry) -> "TypeGuard[Flag]":
    """Whether an entry is a flag without a word, which switches something on or off."""
    return type(entry) is Flag and not entry.words


class Keyword(Entry):
    """A keyword of a call, or its equivalent: an item of a mapping, a field of a class, a later assignment.

    written    (start, end) of `name=value` as a whole where that is the form; None for any other
    editable   (start, end) of the literal that gives its value, None where it must not be edited
    assumes    the assumptions about its value, each in words
    place      where it stands in another file, in words; an empty text for this one
    is_later   whether it is assigned to an attribute of an object that was made before
    added_by   the package that alone knows it, and that this file does not import; an empty text for none
    flags      (flag of the command, where its text is written) of those that its value is made of
    """

    __slots__ = ("written", "editable", "assumes", "place", "is_later", "added_by", "flags")

    def __init__(self, key: "Node", value: "Node") -> None:
        super().__init__(key, value)
        self.written: tuple[int, int] | None = None
        self.editable: tuple[int, int] | None = None
        self.assumes: tuple[str, ...] = ()
        self.place = ""
        self.is_later = False
        self.added_by = ""
        self.flags: tuple[tuple[str, str], ...] = ()

    @property
    def known(self) -> object:
        """The value; UNKNOWN where it is not known."""
        return self.value.value if type(self.value) is Scalar else UNKNOWN


# The tag of a value that is composed of several places, so that no edit of one place can set it.
COMPOSED = "!composed"


# --- the entries of a file ------------------------------------------------------------------------------------------


def reader_of(*tables: "Table[str, Entry]") -> "Callable[[str], object]":
    """A function that reads the value of a name from the first of some {name: entry} that has it, None when none has."""

    def value(name: str) -> object:
        entry = next((table[name] for table in tables if name in table), None)
        return None if entry is None else loaded(entry.value)

    return value


def mapping_of(document: "Document") -> Mapping | None:
    """The mapping of a config file, None when it holds none or cannot be parsed."""
    return document.root if type(document.root) is Mapping and not document.problems else None


def sections_of(root: Mapping) -> tuple[str, ...]:
    """The names of the mappings in a mapping that may hold settings of a training: not those of what is done afterwards, and not
    those of another kind of training, which is a run of its own."""
    return tuple(name for name, entry in root.items() if type(entry.value) is Mapping and not _is_of_another_run(name))


def _is_of_another_run(section: str) -> bool:
    words = section.lower().replace("-", "_").split("_")
    if not _OTHER_TRAINING.isdisjoint(words) and "grpo" not in words:
        return True
    return not _OTHER_MODES.isdisjoint(words) and "train" not in words and "training" not in words


_OTHER_MODES = frozenset("eval evaluate evaluation val valid validation test testing infer inference benchmark".split())
_OTHER_TRAINING = frozenset("sft finetune finetuning pretrain pretraining dpo ipo kto orpo cpo simpo gkd".split())


def texts_in(entries: "Table[str, Entry]") -> "dict[str, str]":
    """The settings whose value is a text."""
    found = {name: entry.line.text for name, entry in entries.items() if entry.line is not None and entry.line.is_text}
    for name, entry in entries.items():
        if entry.line is None and type(node := entry.value) is Scalar and is_text(node) and type(node.value) is str:
            found[name] = node.value
    return found
