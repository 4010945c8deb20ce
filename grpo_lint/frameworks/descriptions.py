"""What fields mean, with their units, and values to suggest for them: for schemas, hover and completion.

Both are in `meanings` of each folder; the sentences of several frameworks in `shared`. Translations have a catalogue of their own.
"""

from ..message import NO_VALUES, NOTHING, Message
from .registry import meanings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Iterable, Iterator, Key

ALWAYS = (0,)
MEANING = "meaning"  # the context of the sentences, whose translations are loaded for them alone
TRACKERS = ("none", "tensorboard", "wandb", "swanlab", "mlflow")


def describe(framework_name: str, field: str) -> Message:
    """One or two sentences about a field; an empty text where there are none.

    A setting in a section is named by its path, and so is the section; `*.optim.lr` describes every path that ends so, and the
    longest end that has a sentence counts.
    """
    return _first(framework_name, (field, *_ends(field)))


def describe_launch_key(framework_name: str, name: str) -> Message:
    """One sentence about a key that is no setting, such as Hydra's `defaults`. It may be anybody's, so that its end says nothing but
    where it is one of Hydra's own."""
    end = name.rpartition(".")[2]
    return _first(framework_name, (name, f"*.{end}") if end.startswith("_") else (name,))


def _first(framework_name: str, names: "Iterable[str]") -> Message:
    tables = meanings(framework_name).TABLES
    told = next((table[name] for name in names for table in tables if name in table), None)
    return Message(told, NO_VALUES, context=MEANING) if told else NOTHING


def _ends(path: str) -> "Iterator[str]":
    """The ends of a path, the longest first: `*.optim.lr` and `*.lr` of `actor.optim.lr`."""
    while "." in path:
        path = path.partition(".")[2]
        yield f"*.{path}"


def suggestions_for(framework_name: str, field: str, release: "Key") -> "tuple[str, ...]":
    """Names built into a release, to suggest for a field that accepts others too: completion shows them, and schemas list them as
    `examples`. No value is refused because of them. None for most fields."""
    spans = meanings(framework_name).SUGGESTIONS.get(field, ())  # ((first release, names), ...), the newest first
    return next((names for since, names in spans if release >= since), ())
