"""Secrets that are harder to see: under misspelt names, behind a variable, on the lines of a key. Only what tells
something loads this."""

from .credentials import _KINDS, _LONGEST, _SHORTEST_RANDOM, _WORDS, OWNERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_SLIPPED = ("secret", "password", "passwd", "passphrase", "credential")  # known with one slip in their spelling, too
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def is_misspelt(name: str) -> bool:
    """Whether a name is one slip away from one that says it: `hub_tokenn`, `wnadb_key`, `pasword`."""
    before, _, kind = name.rpartition("_")
    owner = before.rpartition("_")[2]
    if owner in OWNERS:
        return _is_a_slip(kind, "token") or _is_near_a_word(kind)
    if kind in _KINDS and len(owner) > 1:
        return any((len(each) > 4 or each == "hub") and _is_a_slip(owner, each) for each in OWNERS)
    return _is_near_a_word(kind)


def _is_near_a_word(word: str) -> bool:
    return any(_is_a_slip(word, each) for each in _SLIPPED)


def _is_a_slip(word: str, meant: str) -> bool:
    """Whether one letter is another, too much or missing, or two have changed places."""
    if abs(len(word) - len(meant)) > 1:
        return False
    at = 0
    while word[at : at + 1] == meant[at : at + 1] != "":
        at += 1
    rest, wanted = word[at:], meant[at:]
    return (
        rest[1:] == wanted[1:]
        or rest[1:] == wanted
        or rest == wanted[1:]
        or (rest[:2] == wanted[1::-1] and rest[2:] == wanted[2:])
    )


def misspelt_words(lower: str) -> "set[str]":
    """What stands at the end of names and is one slip away from a word for secrets."""
    names = [part[-_LONGEST:].rstrip(" \t\"'])") for sign in "=:" for part in lower.split(sign)[:-1]]
    if "--" in lower:
        names += [word for word in lower.split() if word.startswith("--")]
    ends = {name[len(name.rstrip(_LETTERS)) :] for name in names}
    return {word for word in ends if word not in _WORDS and (_is_a_slip(word, "token") or _is_near_a_word(word))}


def held_by(value: str, text: str) -> "Iterator[str]":
    """What the variable that a value names is given elsewhere in the text."""
    import re

    named = re.match(r"\$?\{?([A-Za-z_]\w{0,60})\}?(?![\w.(-])", value)
    if named and named[1] in text:
        for given in re.finditer(
            rf"(?<![\w.-]){named[1]}(?:[ ]{{0,9}}:[^=\n]{{1,60}})?[ ]{{0,9}}=[ ]{{0,9}}(\S{{1,300}})", text
        ):
            yield given[1].strip("\"'();,")


def lines_of_private_keys(text: str) -> "Iterator[str]":
    """The lines of keys in PEM, each of which may be told alone."""
    for part in text.split("PRIVATE KEY-----\n")[1:]:
        inside = part.partition("-----")[0]
        yield from (line for line in inside.split() if len(line) >= _SHORTEST_RANDOM)
