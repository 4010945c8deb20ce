"""Slips of the hand in the words of a command: a long dash where -- belongs, a blank behind `=`, and a blank that a backslash makes part of
a word. The command is read as it is meant, so that nothing else is told of what only follows from a slip."""

from ..record import Record
from ..source.overrides import BEHIND_AN_OPTION, read_override
from ..source.patterns import pattern
from ..source.shell.tree import Piece
from ..source.shell.words import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Command, Sequence
    from ..source.overrides import Override

_DASHED = pattern(r"(?:-?[\u2012-\u2014\u2212]{1,2})([A-Za-z][\w.-]{0,200}(?:=.*)?)", 16)  # 16: . is any letter
_OPEN = pattern(r"--?[A-Za-z][\w.-]{0,200}=|[+~]{0,2}[A-Za-z_]\w{0,100}(?:\.\w{1,100}){1,20}=")
_INDENTED = pattern(r"[ \t]+(?:--?[A-Za-z]|[+~]{0,2}[A-Za-z_][\w.]*=)")
_BEHIND_AN_OPTION = pattern(r"= {0,9}-[- ]{0,9}(=)")
_FILE = (".py", ".sh", ".yaml", ".yml", ".json")


class Slip(Record):
    """A word that was not meant as it is written.

    flag     what is meant
    blanks   whether a backslash made blanks part of the word, which is here without them
    rest     the word behind the blank, an empty text for a dash
    at       its place among the words of the command
    behind   the flag before it, as it is written, to which a parser gives the word
    gap      (start, end) of what stands between a flag and its value; None for a dash
    """

    word: Word
    flag: str
    at: int
    behind: str
    rest: str = ""
    gap: "tuple[int, int] | None" = None
    blanks: bool = False


def mended(command: "Command") -> "tuple[Command, list[Slip]]":
    """A command as it is meant, and its slips."""
    given, slips = _without_blanks(command.words)
    words: list[Word] = []
    waiting = list(reversed(given))
    behind = ""
    while waiting:
        word = waiting.pop()
        value = word.value or ""
        dashed = _DASHED.fullmatch(value)
        if dashed is not None and word.origin is not None:
            start, end = word.origin
            at = start + len(value) - len(dashed[1])
            flag = "--" + dashed[1].partition("=")[0]
            slips.append(Slip(word=word, flag=flag, at=len(words), behind=behind))
            word = Word(start, end, [Piece("--", start, at), Piece(dashed[1], at, end)])
        elif waiting and _OPEN.fullmatch(value) and _is_its_value(value, waiting[-1].value):
            rest = waiting.pop()
            gap = _between(word, rest)
            slips.append(Slip(word=word, flag=value[:-1], at=len(words), behind=behind, rest=rest.value or "", gap=gap))
            word = Word(word.start, rest.end, [*word.pieces, *rest.pieces], rest.glob)
        elif value[:1] == "-":
            behind = value.partition("=")[0]
        words.append(word)
    return (command.but(words=words) if slips else command), slips


def behind_an_option(words: "Sequence[Word]") -> "list[Override]":
    """The first override behind an option of Hydra that is itself behind an override: its parser takes overrides in one place only."""
    shown = [word.shown() for word in words]
    kinds = "".join("-" if each[:1] == "-" else "=" if "=" in each else " " for each in shown)
    found = _BEHIND_AN_OPTION.search(kinds)
    override = read_override(words[found.start(1)]) if found is not None else None
    if override is None or override.problem:
        return []
    override.problem = BEHIND_AN_OPTION
    return [override]


def _without_blanks(words: "list[Word]") -> "tuple[list[Word], list[Slip]]":
    """(words without the blanks at the start of flags and settings, the slips that these are)."""
    found, slips, behind = [*words], [], ""
    for at, word in enumerate(words):
        value = word.shown()
        if value[:1] in " \t" and _INDENTED.match(value):
            found[at] = _without_its_blanks(word)
            flag = value.lstrip().partition("=")[0]
            slips.append(Slip(word=found[at], flag=flag, at=at, behind=behind, blanks=True))
        elif value[:1] == "-":
            behind = value.partition("=")[0]
    return found, slips


def _without_its_blanks(word: Word) -> Word:
    pieces = [*word.pieces]
    while pieces and pieces[0].text is not None and not pieces[0].text.strip():
        del pieces[0]
    first = pieces[0].text if pieces else None
    if first is not None:
        pieces[0] = pieces[0].cut(len(first) - len(first.lstrip()), len(first))
    return Word(pieces[0].start if pieces else word.start, word.end, pieces, word.glob)


def _between(word: Word, rest: Word) -> "tuple[int, int]":
    """What stands between two words, where the text says them: maybe in a variable, or in a list."""
    end = word.origin[1] if word.origin is not None else word.end
    return end, rest.origin[0] if rest.origin is not None else rest.start


def _is_its_value(flag: str, value: "str | None") -> bool:
    """Whether the word behind an empty value is the value: no flag, no setting, no file that a program takes by its place."""
    if not value or value.endswith(_FILE):
        return False
    is_number = value[:1] == "-" and value[1:2].isdigit()
    return is_number or (value[:1] not in "-+~\u2013\u2014" and ("=" not in value or flag[:1] == "-"))
