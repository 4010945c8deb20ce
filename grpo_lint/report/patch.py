"""`--diff`: what --fix would change, as a patch."""

import re
from difflib import unified_diff

from ..source.text import encoding_of
from .printable import JOINER, clean

CHANGED = "# Passwords, and characters that steer a terminal or a log, are replaced below, so this is to be read and not to be applied.\n"


def difference(path: str, before: bytes, after: bytes) -> str:
    """The unified diff between two states of a file, given as bytes. It can be applied, unless its lines hold
    something that must not be printed."""
    told: list[str] = []
    for line in unified_diff(_lines(before, path), _lines(after, path), path, path):
        told += [line] if line.endswith("\n") else [f"{line}\n", "\\ No newline at end of file\n"]
    shown = [_shown(line) for line in told]
    return "".join(shown if shown == told else [CHANGED, *shown])


def difference_in_bytes(path: str, before: bytes, after: bytes) -> bytes:
    """The unified diff as a patch of the bytes, which may be in an encoding that Python declares."""
    head, text = _split(difference(path, before, after))
    return head.encode("utf-8", "backslashreplace") + text.encode(encoding_of(before, path), "backslashreplace")


def _split(text: str) -> "tuple[str, str]":
    """The lines that name the file, and those behind them."""
    at = text.find("\n@@ ") + 1
    return text[:at], text[at:]


def is_in_another_encoding(path: str, data: bytes) -> bool:
    """Whether the bytes of a file are not those that are written for its characters everywhere."""
    return not data.isascii() and encoding_of(data, path) not in ("utf-8", "utf_8", "utf-16")


def _lines(data: bytes, path: str) -> "list[str]":
    """The lines of a file as a patch counts them; a byte order mark belongs to the first."""
    text = data.decode(encoding_of(data, path))
    return [line for line in re.split(r"(?<=\n)", text) if line]


def _shown(line: str) -> str:
    """A line of a patch as it may be printed: GitHub finds a command behind the blank of an unchanged line."""
    content = line.rstrip("\r\n")
    mark = "\ufeff" if content[1:2] == "\ufeff" else ""  # a byte order mark, which the patch needs
    shown = "\t".join(map(clean, content[1 + len(mark) :].split("\t")))
    if line[:1] == " " and shown.lstrip().startswith("::"):
        shown = shown.replace("::", f":{JOINER}:", 1)
    return line[:1] + mark + shown + line[len(content) :]
