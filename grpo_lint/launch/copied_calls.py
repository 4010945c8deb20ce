"""What the code of a copy of a framework hands to some of its functions, as it is written. Nothing is executed."""

import os
import re

from ..files import disk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..shared_types import Read

MOST_FILES = 1000  # of one copy that are looked through
MOST_LEVELS = 8
_FLAG_OF_A_NAME = re.compile(r"add_argument\(\s{0,99}f[\"']--\{")
_FIELD = re.compile(r"^ {4}(\w{1,80}) {0,4}: ", re.MULTILINE)
_CALL = r"\b(\w{1,80})\(\s{0,99}([^,()\s]{0,200})"


def first_arguments(folder: str, functions: "tuple[str, ...]", read: "Read") -> "list[str]":
    """The first argument of each call below a folder, but for those in the file that defines one of the functions."""
    return [
        argument
        for text in texts_of(folder, read)
        if any(name in text for name in functions) and not any(f"def {name}(" in text for name in functions)
        for argument in _arguments_in(text, functions)
    ]


def fields_that_are_flags(folder: str, read: "Read") -> "frozenset[str]":
    """The fields of dataclasses below a folder from whose names the module that holds them makes flags: `f"--{field.name}"`."""
    texts = (text for text in texts_of(folder, read) if "fields(" in text and _FLAG_OF_A_NAME.search(text))
    return frozenset(name for text in texts for name in _FIELD.findall(text))


def texts_of(folder: str, read: "Read") -> "Iterator[str]":
    """The texts of the Python below a folder; one more than are looked through tells that there are others."""
    return (text or "" for _, text in modules_of(folder, read))


def modules_of(folder: str, read: "Read") -> "Iterator[tuple[str, str | None]]":
    """(path, text) of them; None for a text that cannot be read, as that of a link which leads out."""
    return ((path, read(path)) for path, _ in zip(_modules(folder, MOST_LEVELS), range(MOST_FILES + 1)))


def _arguments_in(text: str, functions: "tuple[str, ...]") -> "Iterator[str]":
    for call in re.finditer(_CALL, text):
        if call[1] in functions and "#" not in text[text.rfind("\n", 0, call.start()) + 1 : call.start()]:
            yield call[2]


def _modules(folder: str, levels: int) -> "Iterator[str]":
    for name, kind in sorted(disk.entries(folder)):
        path = os.path.join(folder, name)
        if kind == "folder" and levels:
            yield from _modules(path, levels - 1)
        elif name.endswith(".py") or (kind == "link" and "." not in name):
            yield path
