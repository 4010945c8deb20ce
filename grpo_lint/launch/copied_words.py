"""The words with which a release refuses a run, in the code of a copy of it: whether they still stand there, or only in a comment.
Nothing is executed."""

import io
import re
import tokenize
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

SHORTEST = 12  # letters; shorter texts stand in any source


def squeezed(text: str) -> str:
    """A text without what a formatter may change: spaces, quotes, brackets and commas."""
    return re.sub(r"[\s\"'`()\[\]{},\\]+", "", text)


def pieces(wording: str) -> "list[str]":
    """The parts of a quoted text that are the same in every refusal; a list, and a word at its end, are of that run."""
    parts = re.split(r"\.\.\.|\d+|[\"'`]|\[\]|(?<=: )\w+\.?$", wording)
    return [each for each in map(squeezed, parts) if len(each) >= SHORTEST]


def split_comments(text: str) -> "tuple[str, str]":
    """(the code of a text of Python, its comments)."""
    try:
        tokens = [
            each for each in tokenize.generate_tokens(io.StringIO(text).readline) if each.type == tokenize.COMMENT
        ]
    except (tokenize.TokenError, SyntaxError):
        return text, ""
    lines = text.splitlines()
    for token in tokens:
        row, column = token.start
        lines[row - 1] = lines[row - 1][:column]
    return "\n".join(lines), "\n".join(token.string.lstrip("# ") for token in tokens)


def as_one(text: str) -> str:
    """Code or comments, squeezed: the parts of a text over several lines join once its quotes and prefixes are gone."""
    return squeezed(re.sub(r"\b[fr]+(?=[\"'])", "", text))


@lru_cache(maxsize=20)
def _squeezed_parts(text: str) -> "tuple[str, str]":
    """(code, comments) of a module, each as one text: several rows ask for the same modules."""
    code, comments = split_comments(text)
    return as_one(code), as_one(comments)


def is_gone(wording: str, texts: "Iterable[str]", has_to_stand: bool) -> bool:
    """Whether a check is gone from some modules: its words stand in a comment, or, where they `have_to_stand` in the code, nowhere."""
    wanted = pieces(wording)
    if not wanted:
        return False
    is_there, telling = False, max(re.findall(r"\w+", wording), key=len)
    for text in texts:
        if telling in text:
            code, comments = _squeezed_parts(text)
            if all(each in comments for each in wanted):
                return True
            is_there = is_there or all(each in code for each in wanted)
    return has_to_stand and not is_there
