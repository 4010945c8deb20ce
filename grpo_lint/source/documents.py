"""The commands in a document: the blocks of code of a Markdown file that are for a shell."""

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


def _line(line: str, at: int) -> "list[Piece]":
    """A line of a block, without the prompt in front of it."""
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
