"""Secrets that are harder to see: under misspelt names, behind a variable, on the lines of a key. Only what tells
something loads this."""

from ..record import kept
from .credentials import _KINDS, _LONGEST, _SHORTEST_RANDOM, OWNERS, is_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_SLIPPED = ("secret", "password", "passwd", "passphrase", "credential")  # known with one slip in their spelling, too
_SIGNS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."  # of a name
_WORDS = ("token", "key", "secret", "passw", "passphrase", "credential", "auth", "_pwd", "_pass")
_MOST_PASSED = 64  # values of one text that may be variables
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


@kept(1000)  # most files of a repository hold the same keys
def _is_near_a_word(word: str) -> bool:
    return any(_is_a_slip(word, each) for each in _SLIPPED)


@kept(1000)
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


def _misspelt_words(lower: str) -> "set[str]":
    """What stands at the end of names and is one slip away from a word for secrets."""
    return set().union(*map(_misspelt_on, lower.split("\n")))


@kept(10_000)  # most files of a repository hold the same lines
def _misspelt_on(lower: str) -> "frozenset[str]":
    """What stands at the end of names on one line and is one slip away from a word for secrets."""
    names = [part[-_LONGEST:].rstrip(" \t\"'])") for sign in "=:" for part in lower.split(sign)[:-1]]
    if "--" in lower:
        names += [word for word in lower.split() if word.startswith("--")]
    ends = {name[len(name.rstrip(_LETTERS)) :] for name in names}
    return frozenset(
        word for word in ends if word not in _WORDS and (_is_near_a_word(word) or _is_a_slip(word, "token"))
    )


def held(text: str) -> "Iterator[tuple[str, str]]":
    """(name, value) of what a text gives to names that may be secret, itself or through a variable."""
    passed: dict[str, str] = {}
    for name, value in _assigned(text):
        yield name, value
        is_variable = value.strip("${}").partition(",")[0].isidentifier()
        if is_variable and len(passed) < _MOST_PASSED and is_secret(name, value):
            passed[value] = name
    if passed:
        yield from _held_by_variables(passed, text)


# What stands behind the name of a variable that is given a value, maybe with its type.
_GIVEN = r"(?:[ ]{0,9}:[^=\n]{1,60})?[ ]{0,9}=[ ]{0,9}(\S{1,300})"


def _held_by_variables(passed: "dict[str, str]", text: str) -> "Iterator[tuple[str, str]]":
    """(name, value) of what variables are given elsewhere in the text. `passed`: {what names a variable: the setting it is for}."""
    import re

    names: dict[str, str] = {}
    for value, name in passed.items():
        if variable := re.match(r"\$?\{?([A-Za-z_]\w{0,60})\}?(?![\w.(-])", value):
            names[variable[1]] = name
    for word in re.finditer(r"(?<![\w.-])([A-Za-z_]\w{0,60})(?!\w)", text) if names else ():
        if word[1] in names and (given := re.compile(_GIVEN).match(text, word.end())):
            yield names[word[1]], given[1].strip("\"'();,")


def lines_of_private_keys(text: str) -> "Iterator[str]":
    """The lines of keys in PEM, each of which may be told alone."""
    for part in text.split("PRIVATE KEY-----\n")[1:]:
        inside = part.partition("-----")[0]
        yield from (line for line in inside.split() if len(line) >= _SHORTEST_RANDOM)


def _assigned(text: str) -> "Iterator[tuple[str, str]]":
    """(name, value) of what a text, whatever its language, gives to names that may be secret."""
    lower = text.lower()
    for word in (*_WORDS, *_misspelt_words(lower)):
        at = lower.find(word)
        while at >= 0:
            yield from _assigned_at(text, at, len(word))
            at = lower.find(word, at + len(word))


def _assigned_at(text: str, at: int, length: int) -> "Iterator[tuple[str, str]]":
    """(name, value) of what a text gives to a name that may be secret at one place, where such a word stands."""
    line = text[at + length : at + length + _LONGEST].partition("\n")[0].lstrip(_SIGNS)
    rest = line.lstrip("\"'])")
    sign = rest.lstrip(" \t")[:1]
    if sign not in (":", "=") and not (rest[:1] == " " and "--" in text[max(at - _LONGEST, 0) : at]):
        return
    before = text[max(at - _LONGEST, 0) : at]
    name = before[len(before.rstrip(_SIGNS)) :] + text[at : at + length] + _beginning(text, at + length)
    if sign not in (":", "=") and not name.startswith("--"):
        return
    values = rest.lstrip(" \t:=[{(").split(",") if "[" in rest else [rest.lstrip(" \t:=(")]
    for value in values:
        value = value.strip(" \t[]{}")
        quote = value[:1]
        inside = value[1:].partition(quote)[0] if quote in ("'", '"') else value.partition(" ")[0].rstrip(";,)\"'")
        yield name.lstrip("-"), inside


def _beginning(text: str, at: int) -> str:
    """The rest of a name that stands at a place."""
    rest = text[at : at + _LONGEST]
    return rest[: len(rest) - len(rest.lstrip(_SIGNS))]
