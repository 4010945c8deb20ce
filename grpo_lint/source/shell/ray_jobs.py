"""What a job of Ray finds in its environment: `ray job submit --runtime-env-json '{"env_vars": {...}}'`."""

import json

from .others import Other, all_options, value_of
from .tree import Piece
from .variables import Variable
from .words import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_AS_TEXT = ("--runtime-env-json",)
_LONGEST = 100_000  # characters


def set_for_job(words: "list[Word]") -> "Iterator[tuple[str, Variable]]":
    """The (name, value) of each variable that a command sets for the job that it hands to a cluster."""
    given = value_of(all_options(words, Other()), _AS_TEXT)
    if given is None or given.value is None or len(given.value) > _LONGEST:
        return
    try:
        told = json.loads(given.value)
    except (ValueError, RecursionError):
        return
    variables = told.get("env_vars") if isinstance(told, dict) else None
    for name, value in variables.items() if isinstance(variables, dict) else ():
        if isinstance(value, str) and name.isidentifier():
            yield name, Variable(Word(given.start, given.end, [Piece(value, given.start, given.end)]), None, True)
