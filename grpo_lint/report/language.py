"""The language of what people read: English as it is written in the code, or a translation of it.

What machines read (JSON, SARIF, the formats of services) is always English.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from ..message import Message

LANGUAGES = ("en", "zh-CN")


class Language:
    """English: a Message is its English text. A translation renders the template and the values of each Message anew.

    `text`       what a Message says
    `within`     a text with another one in parentheses behind it
    `wraps`      whether a line may end between any two characters
    `colon`, `semicolon`, `stop`, `blank`   what stands between two pieces of a sentence, behind it, and before the next one
    """

    name = "en"
    wraps = False
    colon = ": "
    semicolon = "; "
    stop = "."
    blank = " "

    def text(self, told: "Message") -> str:
        return told

    def within(self, text: str, more: str) -> str:
        return f"{text} ({more})"


ENGLISH = Language()


def language(name: str) -> Language:
    """The Language of a name out of LANGUAGES."""
    if name == "zh-CN":
        from .translation import CHINESE

        return CHINESE
    return ENGLISH


def spoken(variable_of: "Callable[[str], str | None]") -> str:
    """The language that the variables of a terminal ask for, as gettext reads them; English where there is no
    translation."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        asked = variable_of(variable)
        if asked:
            return nearest(asked.split(":")[0])
    return "en"


def nearest(locale: str) -> str:
    """The one of LANGUAGES that a locale such as `zh_CN.UTF-8` or `zh-hans` asks for; English where it is none of ours."""
    plain = locale.lower().replace("-", "_")
    return "zh-CN" if plain == "zh" or plain.startswith(("zh_cn", "zh_hans")) else "en"


def is_chinese(character: str) -> bool:
    """Whether a character is one of those of which a Chinese text is made; no character is none."""
    return "\u4e00" <= character <= "\u9fff"
