"""Arrays of a script whose items nobody knows, `${MODEL_ARGS[@]}`, among the arguments of a program."""

import re

from ..source.entry import Flag
from ..source.yaml.reader import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Word
    from .commands import Invocation

_ARRAY = re.compile(r"\$\{(\w+)\[[@*]\]\}")


def see_arrays(invocation: "Invocation", text: str) -> None:
    """Note which arrays are expanded, and leave those to the framework whose flags it knows. Behind a flag one may hold its values as
    well as further flags; one that is known to hold flags leaves it without a value."""
    for name, flag in invocation.flags.items():
        array = array_in(flag.words[0], text) if len(flag.words) == 1 else ""
        if not array:
            continue
        invocation.open_words.append(flag.words[0])
        if array in invocation.known_arrays:
            end = flag.key.end
            invocation.flags[name] = Flag(flag.key, Scalar(end, end, "True", style='"'))
    arrays = [(array_in(word, text), word) for word in invocation.open_words]
    invocation.arrays = frozenset(name for name, _ in arrays if name)
    invocation.open_words = [word for name, word in arrays if name not in invocation.known_arrays]


def array_in(word: "Word", text: str) -> str:
    """The name of the array that an unknown word is, as it is written; empty for any other word."""
    found = _ARRAY.search(text, word.start, word.end) if word.value is None and word.many else None
    return found[1] if found else ""
