"""Passwords, tokens and keys, hidden wherever a text is told: those that `credentials` knows by their names, and those
that their own form gives away."""

from .credentials import OWNERS, PLACEHOLDER, is_secret, known, unless_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from re import Match

# What stands in a text that may hold a password of a service; without any of it, nothing is looked for but what is random.
_HINTS = (
    "hf_", "api_org_", "sk-", "gho_", "ghp_", "ghr_", "ghs_", "ghu_", "github_pat_", "glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-",
    "glagent-", "glsoat-", "xox", "xapp-", "aiza", "ya29.", "akia", "asia", "npm_", "pypi-", "r8_", "_v1_", "nvapi-", "gsk_", "xai-", "rpa_", "dckr_",
    "eyj", "token", "key", "secret", "passw", "passphrase", "_pass", "-pass", "pwd", "credential", "bearer", "auth", "://", "webhook", "hooks.slack", "gocspx-",
)  # fmt: skip
# What tokens begin with, and what follows: where words begin alike, nothing but letters and digits.
_FORMS = (
    r"(?:hf_|api_org_|sk-|gh[oprsu]_|github_pat_|gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat)-|xox[a-z]-|xapp-|ya29\.|nvapi-|gsk_|xai-|dckr_pat_"
    r"|AKIA|ASIA|AIza|GOCSPX-|wandb_v\d_)(?P<form>[\w-]{12,})"
    r"|(?:npm_|r8_|rpa_|do[opr]_v1_)(?P<plain>[A-Za-z0-9]{20,})|pypi-(?P<package>[\w-]{20,})"
    r"|hooks\.slack(?:-gov)?\.com/\w{1,20}/(?P<slack>[\w/-]{8,300})"
    r"|ms-(?P<uuid>[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})|eyJ(?P<web>[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,})"
)
# A password of a service by the name it is given (not `eos_token`, which is no secret).
_NAME = rf"(?i:(?:{'|'.join(OWNERS)})[_-]?(?:token|key)s?|secrets?|passw(?:or)?d|passphrase|credentials?)"
_BETWEEN = r"['\"]?\]?[ ]{0,9}[:=][ ]{0,9}(?:!!?\w{0,20}[ ]{1,9})?"  # a key and its value
_VALUE = r"(?:\"(?P<double>[^\"\n]{6,300})\"|'(?P<single>[^'\n]{6,300})'|['\"]?(?P<named>[\w.+/~-]{8,}))"
_ITEM = rf"(?<![\w$.+/~{{-]){_VALUE}"  # one of several, no variable
_SECRET = (
    rf"\b(?:{_FORMS})"
    r"|-----BEGIN[ ][A-Z ]{0,30}PRIVATE[ ]KEY-----(?P<pem>[^-]{8,10000})"
    rf"|(?:(?<![\w-])--[\w-]{{0,20}}{_NAME}[ ]{{1,9}}|{_NAME}{_BETWEEN}|(?<![\w-])(?i:token|auth(?:orization)?){_BETWEEN})"
    rf"(?:[\[{{](?P<list>[^\]}}\n]{{6,2000}})|{_VALUE})"
    rf"|(?i:[_-](?:key|token|pwd|pass|auth)){_BETWEEN}['\"]?(?P<drawn>(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{{24,}})\b"
    r"|\b[Bb]earer[ ]{1,9}(?P<bearer>[\w.~+/=-]{12,})"
    r"|://[^\s/:@'\"]{0,60}:(?P<password>[^\s/@'\"]{1,200})@"
    rf"|(?i:webhook)(?:[_-]?(?i:url))?{_BETWEEN}['\"]?https?://[^/\s]{{1,100}}/(?P<hook>[^\s'\"]{{1,300}})"
)
# What may have been drawn: letters and digits alone, or the forty signs of a secret key of AWS.
_DRAWN = r"(?<![\w/+.-])(?:[A-Za-z0-9]{32,}|[A-Za-z0-9/+]{40})(?![\w/+.-])"
_SHORTEST_DRAWN, _LENGTH_OF_AWS = 32, 40


def masked(text: str) -> str:
    """The text with stars in the place of passwords of services; its length stays."""
    return hidden(text, _stars)


def masked_value(name: str, value: object) -> object:
    """A value that a fix gives a setting, to be read: the edits are what is applied, and they hold what the file needs."""
    return masked(unless_secret(name, value)) if type(value) is str else value


def with_placeholders(name: str, value: object) -> object:
    """A value for a text that somebody will use; `name`: the setting that holds it, or nothing."""
    if type(value) is str:
        return (
            PLACEHOLDER
            if is_secret(name, value) and not value.startswith("$")
            else hidden(value, lambda secret: PLACEHOLDER)
        )
    if type(value) is list:
        return [with_placeholders(name, each) for each in value]
    if type(value) is dict:
        return {key: with_placeholders(str(key), each) for key, each in value.items()}
    return value


def _stars(secret: str) -> str:
    return "*" * len(secret)


def hidden(text: str, instead: "Callable[[str], str]") -> str:
    """The text with something else in the place of passwords, tokens and keys."""
    lower = text.lower()
    if [hint for hint in _HINTS if hint in lower] or ("ms-" in lower and lower.count("-") > 4):
        import re

        text = re.sub(_SECRET, lambda match: _without_secret(match, instead), text)
    if len(text) >= _SHORTEST_DRAWN and [
        word for word in text.split() if len(word) >= _SHORTEST_DRAWN and _may_be_drawn(word)
    ]:
        import re

        text = re.sub(_DRAWN, lambda match: instead(match[0]) if _is_drawn(match[0]) else match[0], text)
    for secret in known():
        if secret in text:
            text = text.replace(secret, instead(secret))
    return text


def _may_be_drawn(word: str) -> bool:
    return not word.islower() and not word.isupper() and any(map(str.isdigit, word))


def _is_drawn(text: str) -> bool:
    """Whether letters and digits were drawn by chance, which no name, path or commit is: capital and small letters and
    digits change all the time."""
    signs = "".join(
        ["a" if each.islower() else "A" if each.isupper() else "1" if each.isdigit() else "" for each in text]
    )
    if len(set(signs)) < 3 or text.startswith("/"):
        return False
    changes = sum(map(str.__ne__, signs, signs[1:])) / (len(signs) - 1)
    least = 0.3 if len(text) == _LENGTH_OF_AWS else 0.42
    return changes >= 0.5 or (changes >= least and "aaaaa" not in signs)


def _without_secret(match: "Match[str]", instead: "Callable[[str], str]") -> str:
    import re

    start, end = (bound - match.start() for bound in match.span(match.lastgroup or 0))
    inner = match[0][start:end]
    told = (
        re.sub(_ITEM, lambda item: _without_secret(item, instead), inner)
        if match.lastgroup == "list"
        else instead(inner)
    )
    return f"{match[0][:start]}{told}{match[0][end:]}"
