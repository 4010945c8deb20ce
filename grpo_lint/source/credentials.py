"""Which texts are somebody's password, token or key: by the name of the key or variable that they came through.

What a text of its own form gives away is found by `hiding`. A value that a file gives to such a name is told
nowhere, whichever setting it reaches in the end: `remember` notes the files that are judged, `known` what they hold.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

OWNERS = """hub hf api access auth bearer wandb secret swanlab openai anthropic modelscope ms github gitlab aws azure mlflow comet clearml neptune
    npm pypi replicate deepseek dashscope gemini google cohere mistral groq nvidia ngc kaggle slack discord telegram feishu lark dingtalk
    digitalocean private signing encryption session refresh client bot deploy registry docker ssh""".split()
_KINDS = ("token", "key")
_ENDS = tuple(
    [f"{owner}{between}{kind}" for owner in OWNERS for kind in _KINDS for between in ("_", "")]
    + ["secret", "password", "passwd", "passphrase", "credential"]
)
_WHOLE = ("token", "auth", "authorization")
_PERHAPS = ("_token", "_key", "_pwd", "_pass", "_auth")  # names that say it when the value looks like it
_SHORTEST, _SHORTEST_RANDOM, _LONGEST = 8, 24, 300  # characters
_MOST_TEXTS, _MOST_KNOWN, _LARGEST = 16, 1000, 1 << 20
PLACEHOLDER = "SECRET"

_texts: "dict[str, str]" = {}  # {path: text} of those judged, and not searched yet
_known: "dict[str, None]" = {}


def is_secret(name: str, value: str) -> bool:
    """Whether a value is secret by the name that it came through."""
    last = name.lower().replace("-", "_").rpartition(".")[2].removesuffix("s")
    if last.endswith(_ENDS) or last in _WHOLE or (last.endswith(_PERHAPS) and is_random(value)):
        return True
    from .secret_values import is_misspelt

    return is_misspelt(last)


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
    if _texts:
        from .secret_values import held, lines_of_private_keys
    while _texts:
        text = _texts.popitem()[1]
        for name, value in held(text):
            learn(name, value)
        for line in lines_of_private_keys(text):
            _known[line] = None
    return _known
