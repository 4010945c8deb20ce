"""Which sections of a file of settings, and which of their keys, the Python around it hands on to a trainer."""

from os.path import basename

from ..frameworks.registry import script_reader
from ..record import Record
from ..source.yaml.reader import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import AbstractSet, Context


class Taken(Record):
    """What of a file with sections is handed on.

    sections   those that are settings of the run
    unnamed    those that no Python around the file names, while it names the one with the batch
    unhanded   their keys that no call there hands to a trainer, where some Python names the file and all calls say what they are given
    """

    sections: "tuple[str, ...]"
    unnamed: "tuple[str, ...]" = ()
    unhanded: "AbstractSet[str]" = frozenset()


def taken_of(root: Mapping, sections: "tuple[str, ...]", batch: str, context: "Context") -> Taken:
    """What the Python around a file takes of its sections; all where that is not known. `batch`: a key of the batch."""
    if context.repository is None or context.files is None:
        return Taken(sections=sections)
    path = context.files.path
    texts, problem = context.repository.python_of_project(path)
    goes_by_names = any(batch in _keys(root, section) and _is_named(section, texts) for section in sections)
    if problem or not goes_by_names:
        return Taken(sections=sections)
    named = tuple(section for section in sections if _is_in(section, texts))
    unhanded = _unhanded(root, named, batch, texts) if _is_in(basename(path), texts) else frozenset[str]()
    return Taken(sections=named, unnamed=tuple(sorted({*sections}.difference(named))), unhanded=unhanded)


def _unhanded(root: Mapping, sections: "tuple[str, ...]", batch: str, texts: "list[str]") -> "AbstractSet[str]":
    """The keys of sections that no call hands to a trainer, where each call says what it is given, and one is given the batch."""
    handed = script_reader().handed_to_configs(texts)
    if handed is None or batch not in handed:
        return frozenset()
    return frozenset[str]().union(*(_keys(root, section) for section in sections)) - handed


def _is_named(section: str, texts: "list[str]") -> bool:
    """Whether some Python names a section: as a text, or as an attribute."""
    texts = [text for text in texts if section in text]
    return (
        _is_in(f'"{section}"', texts)
        or _is_in(f"'{section}'", texts)
        or any(_is_attribute(section, text) for text in texts)
    )


def _is_attribute(name: str, text: str) -> bool:
    return any(not (after[:1].isalnum() or after[:1] in ("_", "-")) for after in text.split(f".{name}")[1:])


def _is_in(word: str, texts: "list[str]") -> bool:
    return any(word in text for text in texts)


def _keys(root: Mapping, section: str) -> "AbstractSet[str]":
    entry = root.get(section)
    if entry is None or type(entry.value) is not Mapping:
        return frozenset()
    return {name for name, _ in entry.value.items()}
