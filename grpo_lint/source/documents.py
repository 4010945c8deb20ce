"""The commands in a document: the blocks of code of a Markdown file that are for a shell."""

import re

from .patterns import pattern
from .shell.tree import Piece

MOST_BLOCKS = 200  # of one file that are read
_FENCES = ("```", "~~~")
_OF_A_SHELL = ("", "bash", "sh", "shell", "zsh", "console", "shell-session", "terminal")
_PROMPT = "$ "


def document_scripts(text: str) -> "list[list[Piece]]":
    """The blocks for a shell in the order of the file, each as a list of `Piece`s with their places."""
    found: list[list[Piece]] = []
    block: list[Piece] | None = None
    fence, at = "", 0
    for line in text.split("\n"):
        bare = line.strip()
        if fence and bare.startswith(fence) and not bare.strip(fence[0]):
            fence, block = "", None
        elif fence and block is not None:
            block += _line(line, at)
        elif not fence and bare.startswith(_FENCES):
            fence, block = bare[:3], None
            if (
                bare.lstrip(fence[0]).strip(" {}.").partition(" ")[0].lower() in _OF_A_SHELL
                and len(found) < MOST_BLOCKS
            ):
                block = []
                found.append(block)
        at += len(line) + 1
    return found


# what stands for the rest of a command: `...`, `[other overrides...]`
_AND_SO_ON = pattern(
    r"(?<![^ \t\n])(?:\.{3,9}|\u2026|[\[<(][^\]>)\n]{0,80}(?:\.{3}|\u2026)[\]>)])[ \t]{0,20}(\\?)[ \t\r]{0,20}$",
    re.MULTILINE,
)


def leaves_out(text: str, start: int, end: int) -> bool:
    """Whether a block says that it leaves out a part of its commands."""
    block = text[start:end]
    return ("..." in block or "\u2026" in block) and _AND_SO_ON.search(block) is not None


def _line(line: str, at: int) -> "list[Piece]":
    """A line of a block, without the prompt in front of it, and what stands for more words behind it."""
    rest = _AND_SO_ON.search(line) if "..." in line or "\u2026" in line else None
    if rest is not None:
        end = at + len(line)
        goes_on = [Piece("\\", at + rest.start(1), at + rest.end(1), exact=True)] if rest[1] else []
        return [*_line(line[: rest.start()], at)[:-1], Piece(" ", end, end), *goes_on, Piece("\n", end, end + 1)]
    blank = len(line) - len(line.lstrip(" \t"))
    skipped = blank + len(_PROMPT) if line.startswith(_PROMPT, blank) else 0
    written = line[skipped:].rstrip("\r")
    start = at + skipped
    end = start + len(written)
    return [*([Piece(written, start, end, exact=True)] if written else []), Piece("\n", end, end + 1)]


def document_blocks(text: str) -> "list[tuple[str, int, int]]":
    """(language, start, end) of the blocks of code of a document."""
    found: list[tuple[str, int, int]] = []
    fence, language, begin, at = "", "", 0, 0
    for line in text.split("\n"):
        bare = line.strip()
        if fence and bare.startswith(fence) and not bare.strip(fence[0]):
            found.append((language, begin, at))
            fence = ""
        elif not fence and bare.startswith(_FENCES):
            fence, begin = bare[:3], at + len(line) + 1
            language = bare.lstrip(fence[0]).strip(" {}.").partition(" ")[0].lower()
        at += len(line) + 1
    return found[:MOST_BLOCKS]
