"""The words with which a release refuses a run, in the code of a copy of it: whether they still stand there, or only in a comment.
Nothing is executed."""

import io
import re
import tokenize
from functools import lru_cache
from itertools import accumulate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_TAKEN_OUT = re.compile(r"^(?:assert|raise)\b", re.MULTILINE)
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
    if "#" not in text:
        return text, ""
    try:
        tokens = [
            each for each in tokenize.generate_tokens(io.StringIO(text).readline) if each.type == tokenize.COMMENT
        ]
    except (tokenize.TokenError, SyntaxError):
        return text, ""
    lines = text.split("\n")
    for token in tokens:
        row, column = token.start
        lines[row - 1] = lines[row - 1][:column]
    return "\n".join(lines), "\n".join(token.string.lstrip("# ") for token in tokens)


def as_one(text: str) -> str:
    """Code or comments, squeezed: the parts of a text over several lines join once its quotes and prefixes are gone."""
    return squeezed(re.sub(r"\b[fr]+(?=[\"'])", "", text))


@lru_cache(maxsize=200)
def _squeezed_parts(text: str) -> "tuple[str, str]":
    """(code, comments) of a module, each as one text: several rows ask for the same modules. A comment that is no statement which was
    taken out says nothing of a check."""
    code, comments = split_comments(text)
    return as_one(code), as_one(comments) if _TAKEN_OUT.search(comments) else ""


def alternatives(wording: str) -> "list[list[str]]":
    """The parts of each of several texts of which a refusal quotes one; none of a sentence of ours about a refusal without a text."""
    return [parts for _, parts in _told(wording)]


@lru_cache(maxsize=200)
def _told(wording: str) -> "list[tuple[str, list[str]]]":
    """(its longest word, its parts) of each of them."""
    texts = [each.rpartition("(without a message): ")[2] for each in wording.split(" / ")]
    return [(max(re.findall(r"\w+", each), key=len), pieces(each)) for each in texts if pieces(each)]


def place_of(wanted: "Iterable[str]", texts: "Iterable[str]") -> str:
    """Where some modules hold one of some texts: in their "code", or only in a "comment", where a check was given up; empty for neither.
    A comment counts more: what is taken out may still stand in a program that is not run."""
    wanted = tuple(wanted)
    found = ""
    for text in texts:
        for among in _likely(wanted, text):
            code, comments = _squeezed_parts(text)
            if _holds(comments, among):
                return "comment"
            found = found or ("code" if _holds(code, among) else "")
    return found


def line_with(wanted: "Iterable[str]", text: str) -> "int | None":
    """The line, counted from zero, in which the code of a module says what is rarest in it of one of some texts; None where it says none."""
    for among in _likely(wanted, text):
        code = _squeezed_parts(text)[0]
        parts = next((parts for parts in among if all(each in code for each in parts)), None)
        if parts is not None:
            lines = [as_one(line) for line in split_comments(text)[0].split("\n")]
            whole = "".join(lines)
            at = whole.find(min(parts, key=lambda each: (whole.count(each) or len(whole), -len(each))))
            ends = accumulate(map(len, lines))
            return next((row for row, end in enumerate(ends) if end > at), None) if at >= 0 else None
    return None


def _likely(wanted: "Iterable[str]", text: str) -> "Iterator[list[list[str]]]":
    """Of each of some texts the `alternatives` whose longest word a module has."""
    told = ([parts for word, parts in _told(each) if word in text] for each in wanted)
    return (among for among in told if among)


def _holds(squeezed_text: str, among: "list[list[str]]") -> bool:
    return any(all(each in squeezed_text for each in parts) for parts in among)
