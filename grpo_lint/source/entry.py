"""One written value, of a YAML file or of a command."""

from ..unknown import UNKNOWN, is_beyond
from .yaml.reader import Entry, Mapping, Scalar, Sequence, target, to_python
from .yaml.scalars import WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .shell.words import Word
    from .yaml.reader import Node

MOST_EXPANDED = 5_000  # characters that a list or a mapping would take without aliases, where it is written in fewer
MOST_LEVELS = 50  # of lists and mappings in a value


def value_of(entry: "Entry") -> object:
    """The value of an entry as PyYAML's safe loader constructs it; UNKNOWN for one that is too large to look at."""
    return loaded(entry.value)


def loaded(node: "Node") -> object:
    """The value of a node, which is the one way from what somebody wrote to a Python object: whatever compares it,
    converts it or prints it may walk all of it, for it is bounded."""
    if type(node) is Scalar:
        value = node.value
        return UNKNOWN if type(value) is int and is_beyond(value) else value
    if type(node) is Sequence or type(node) is Mapping:
        try:
            return node.python  # it was found to be bounded
        except AttributeError:
            pass
    written = node.end - node.start
    found = target(node)
    if isinstance(found, Scalar):
        return UNKNOWN if is_beyond(found.value) else found.value
    return to_python(found) if found is None or _is_bounded(found, written) else UNKNOWN


def _is_bounded(node: "Mapping | Sequence", written: int) -> bool:
    """Whether a list or a mapping has an end that is near enough: aliases nested in each other stand for more than any
    memory holds. `written`: its characters in the file, for an alias those of its name; what is written once may be
    long, and what many keys repeat may not."""
    from .yaml.extent import extent

    size, levels = extent(node)
    return size <= max(MOST_EXPANDED, written) and levels <= MOST_LEVELS


def is_set(entry: "Entry") -> bool:
    """Whether an entry has a value that is not null."""
    node = entry.value
    if type(node) is not Scalar:
        return True
    if node.tag is None:  # the text tells, and the value need not be made
        return bool(node.style) or WORDS.get(node.text, node) is not None
    return node.value is not None


class Flag(Entry):
    """A flag of a command line; `words`: its values as the shell gives them."""

    __slots__ = ("words",)
    words: "tuple[Word, ...]"

    def __init__(self, key: "Node", value: "Node", words: "tuple[Word, ...]" = ()) -> None:
        super().__init__(key, value)
        self.words = words


# The tag of a value that is put together of several places, so that no edit of one place can set it.
COMPOSED = "!composed"
