"""The language of what people read: English as it is written in the code, or a translation of it.

What machines read (JSON, SARIF, the formats of services) is always English.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

LANGUAGES = ("en", "zh-CN")


class Language:
    """English: every text is what the code says. A translation overrides what it says in its own way.

    `template`   a text with placeholders that are filled afterwards, such as the message of a rule
    `text`       a text that is complete, such as 'set num_generations to 7'
    `part`       a piece of a text, of one of these kinds: "text", "template", "names" (between commas and a last 'and' or
                 'or'), "source" (who said a value), "texts" (several between commas), "parts" (several between semicolons),
                 "label" (of a quantity), "arithmetic" (numbers with their labels, as in '7 per micro step x 4 ranks')
    `within`     a text with another one in parentheses behind it
    `formula`    arithmetic with its numbers, such as 'num_generations 8 x 7 processes'
    `wraps`      whether a line may end between any two characters
    `colon`, `semicolon`, `stop`, `blank`   what stands between two pieces of a sentence, behind it, and before the next one
    """

    name = "en"
    wraps = False
    colon = ": "
    semicolon = "; "
    stop = "."
    blank = " "

    def template(self, english: str) -> str:
        return english

    def text(self, english: str) -> str:
        return english

    def part(self, english: str, kind: str) -> str:
        return english

    def within(self, text: str, more: str) -> str:
        return f"{text} ({more})"

    def formula(self, english: str) -> str:
        return english


ENGLISH = Language()


def language(name: str) -> Language:
    """The Language of a name out of LANGUAGES."""
    if name == "zh-CN":
        from .chinese import CHINESE

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
