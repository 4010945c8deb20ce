"""Which texts are somebody's password, token or key: by the name of the key or variable that they came through.

What a text of its own form gives away is found by `hiding`. A value that a file gives to such a name is told
nowhere, whichever setting it reaches in the end: `remember` notes the files that are judged, `known` what they hold.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

OWNERS = """hub hf api access auth bearer wandb secret swanlab openai anthropic modelscope ms github gitlab aws azure mlflow comet clearml neptune
    npm pypi replicate deepseek dashscope gemini google cohere mistral groq nvidia ngc kaggle slack discord telegram feishu lark dingtalk
    digitalocean private signing encryption session refresh client bot deploy registry docker ssh""".split()
_KINDS = ("token", "key")
_ENDS = tuple(
    [f"{owner}{between}{kind}" for owner in OWNERS for kind in _KINDS for between in ("_", "")]
    + ["secret", "password", "passwd", "passphrase", "credential"]
)
_WHOLE = ("token", "auth", "authorization")
_SLIPPED = ("secret", "password", "passwd", "passphrase", "credential")  # known with one slip in their spelling, too
_PERHAPS = ("_token", "_key", "_pwd", "_pass", "_auth")  # names that say it when the value looks like it
_WORDS = ("token", "key", "secret", "passw", "passphrase", "credential", "auth", "_pwd", "_pass")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SIGNS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."  # of a name
_SHORTEST, _SHORTEST_RANDOM, _LONGEST = 8, 24, 300  # characters
_MOST_TEXTS, _MOST_KNOWN, _LARGEST = 16, 1000, 1 << 20
_MOST_PASSED = 64  # values of one text that may be variables
PLACEHOLDER = "SECRET"

_texts: "dict[str, str]" = {}  # {path: text} of those judged, and not searched yet
_known: "dict[str, None]" = {}


def is_secret(name: str, value: str) -> bool:
    """Whether a value is secret by the name that it came through."""
    last = name.lower().replace("-", "_").rpartition(".")[2].removesuffix("s")
    return (
        last.endswith(_ENDS) or last in _WHOLE or (last.endswith(_PERHAPS) and is_random(value)) or _is_misspelt(last)
    )


def _is_misspelt(name: str) -> bool:
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


def unless_secret(name: str, text: str) -> str:
    """A value for a message; one that is secret by its name is left out."""
    return "***" if is_secret(name, text) else text


def is_random(value: str) -> bool:
    """Whether a value looks like a key that was drawn: letters and digits, and no words."""
    bare = value.replace("-", "") if value.count("-") == 4 else value  # a UUID
    return len(bare) >= _SHORTEST_RANDOM and bare.isalnum() and not bare.isalpha() and not bare.isdigit()


def remember(path: str, text: str) -> None:
    """Note a text that is judged: what is secret in it is known from now on."""
    if len(_texts) == _MOST_TEXTS:
        known()
    if len(text) <= _LARGEST:
        _texts.setdefault(path, text)


def learn(name: str, value: str) -> None:
    """Note a value that a variable holds, where the name of the variable says that it is secret."""
    if _SHORTEST <= len(value) <= _LONGEST and value[0] not in "$<{[" and is_secret(name, value) and _is_telling(value):
        _known[value] = None
        if len(_known) > _MOST_KNOWN:
            del _known[next(iter(_known))]


def _is_telling(value: str) -> bool:
    """Whether a value is no word, number or path, which other texts hold as well."""
    return (
        not value.isalpha() and any(map(str.isalpha, value)) and any(map(str.isdigit, value)) and value[0] not in "/."
    )


def known() -> "Iterable[str]":
    """The values that are secret by their names in the files that were judged."""
    while _texts:
        text = _texts.popitem()[1]
        passed: dict[str, str] = {}
        for name, value in _assigned(text):
            learn(name, value)
            if (
                len(passed) < _MOST_PASSED
                and value.strip("${}").partition(",")[0].isidentifier()
                and is_secret(name, value)
            ):
                passed[value] = name
        for value, name in passed.items():
            for each in _held_by(value, text):
                learn(name, each)
        for line in _lines_of_private_keys(text):
            _known[line] = None
    return _known


def _held_by(value: str, text: str) -> "Iterator[str]":
    """What the variable that a value names is given elsewhere in the text."""
    import re

    named = re.match(r"\$?\{?([A-Za-z_]\w{0,60})\}?(?![\w.(-])", value)
    if named and named[1] in text:
        for given in re.finditer(
            rf"(?<![\w.-]){named[1]}(?:[ ]{{0,9}}:[^=\n]{{1,60}})?[ ]{{0,9}}=[ ]{{0,9}}(\S{{1,300}})", text
        ):
            yield given[1].strip("\"'();,")


def _lines_of_private_keys(text: str) -> "Iterator[str]":
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


def _misspelt_words(lower: str) -> "set[str]":
    """What stands at the end of names and is one slip away from a word for secrets."""
    names = [part[-_LONGEST:].rstrip(" \t\"'])") for sign in "=:" for part in lower.split(sign)[:-1]]
    if "--" in lower:
        names += [word for word in lower.split() if word.startswith("--")]
    ends = {name[len(name.rstrip(_LETTERS)) :] for name in names}
    return {word for word in ends if word not in _WORDS and (_is_a_slip(word, "token") or _is_near_a_word(word))}


def _assigned_at(text: str, at: int, length: int) -> "Iterator[tuple[str, str]]":
    """The same of one place, where such a word stands."""
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
