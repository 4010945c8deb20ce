"""Names that the Python of a repository registers with a framework. They are looked for as text: a training script may import
its parts in any way."""

import os
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_CALLS = 500  # that are looked at in one file


def may_register(text: str, words: "Sequence[str]") -> bool:
    """Whether one of the words that register stands in the text of a file."""
    return any(word in text for word in words)


def declared_at(name: str, python: "Iterable[tuple[str, str]]") -> str:
    """The path of the first file that declares a field of some name, `name: type`, be it in a text that it writes elsewhere; an
    empty text for none. `python`: (path, text) of each."""
    declared = re.compile(rf"(?<![\w.]){re.escape(name)}:\s*[A-Za-z]")
    found = next((path for path, text in python if name in text and declared.search(text)), "")
    return found and min(os.path.relpath(found), found, key=len)


def registered_in(name: str, python: "Iterable[tuple[str, str]]", words: "Sequence[str]") -> str:
    """The path of the first file that may register a name with one of the words: `@register("name")`, `register(name="name")`,
    `REGISTRY["name"]`; an empty text for none. `python`: (path, text) of each.

    A name that is computed may be any; a member of an Enum is one that is written beside it, or that its own name says. A class
    of that name defines what is written beside it.
    """
    found = next((path for path, text in python if _registers(name, text, words)), "")
    return found and min(os.path.relpath(found), found, key=len)


def _registers(name: str, text: str, words: "Sequence[str]") -> bool:
    """Whether one file may register a name."""
    if any(f"class {word}(" in text for word in words) and _is_quoted(name, text):
        return True
    return any(_may_be(argument, name, text, words) for argument in _arguments(text, words)) or bool(
        _renamed(words).search(text)
    )


def _may_be(argument: str, name: str, text: str, words: "Sequence[str]") -> bool:
    """Whether what a call is handed, as it is written, may be a name."""
    if argument[0] in "\"'":
        return argument[1:].startswith(f"{name}{argument[0]}")
    if "." in argument or _defines(text, words):
        return _is_quoted(name, text) or argument.rpartition(".")[2].lower() == name.lower()
    return True


def _arguments(text: str, words: "Sequence[str]") -> "Iterable[str]":
    """What is handed to the words, as it is written, up to the end of its line; comments and definitions are none."""
    for number, found in enumerate(_calls(words).finditer(text)):
        if number == MOST_CALLS:
            return
        if "#" not in text[text.rfind("\n", 0, found.start()) + 1 : found.start()]:
            yield found[1].rstrip()


def _calls(words: "Sequence[str]") -> "re.Pattern[str]":
    """`word(argument`, `word[argument` and `word(name=argument`, not behind `def` or `class`."""
    return re.compile(
        rf"(?<!def )(?<!class )\b(?:{'|'.join(words)})\s*[(\[]\s*(?:\w+\s*=(?!=)\s*)?([^\s,)\]][^\n,)\]]*)"
    )


def _renamed(words: "Sequence[str]") -> "re.Pattern[str]":
    """Where a word is imported by another name."""
    return re.compile(rf"\b(?:{'|'.join(words)})\s+as\s")


def _defines(text: str, words: "Sequence[str]") -> bool:
    return any(f"def {word}" in text for word in words)


def _is_quoted(name: str, text: str) -> bool:
    return f'"{name}"' in text or f"'{name}'" in text
