"""Languages other than English, each with a gettext catalogue; `python -m translation` writes and compiles them."""

import gettext
import re
from io import BytesIO

from ..message import Message
from .chinese import GLUED
from .chinese.phrases import PHRASES
from .language import Language

CATALOGUES = "locale"


class Translation(Language):
    """A language with a catalogue. A Message without a translation stays English; `missing` remembers it for the tests."""

    wraps = True
    colon = "："
    semicolon = "；"
    stop = "。"
    blank = ""

    def __init__(self, name: str) -> None:
        self.name = name
        self.missing: set[str] = set()
        self._catalogue: gettext.NullTranslations | None = None

    def text(self, english: str) -> str:
        if isinstance(english, Message):
            return self._rendered(english)
        before = set(self.missing)
        found = self._known(english)
        if self.missing == before:
            return found
        self.missing.intersection_update(before)
        LEFT.add(("glued", english))
        return GLUED.text(english)

    def part(self, english: str, kind: str) -> str:
        return self._rendered(english) if isinstance(english, Message) else GLUED.part(english, kind)

    def within(self, text: str, more: str) -> str:
        return f"{text}（{more}）"

    def formula(self, english: str) -> str:
        return GLUED.formula(english)

    def template(self, english: str) -> str:
        """The translation of a text without values, or of a template that its caller fills."""
        return GLUED.template(english)

    def _rendered(self, told: Message) -> str:
        found = KINDS.get(told.template) or self._template_of(told)
        if not told.values:
            return found
        return found.format_map({name: _Part(value, self) for name, value in told.values.items()})

    def value(self, value: object) -> object:
        """What fills a placeholder: words of ours in this language, anything else as it is."""
        return self._rendered(value) if isinstance(value, Message) else value

    def _template_of(self, told: Message) -> str:
        if told.plural is None:
            return self._known(told.template)
        number = told.number if isinstance(told.number, int) else 2
        return self._loaded().ngettext(told.template, told.plural, number)

    def _known(self, english: str) -> str:
        return self._loaded().gettext(english) if english else ""

    def _loaded(self) -> gettext.NullTranslations:
        if self._catalogue is None:
            folder = f"{__file__.rpartition('report')[0]}{CATALOGUES}/{self.name.replace('-', '_')}/LC_MESSAGES"
            get_data = __spec__.loader.get_data  # type: ignore[union-attr]  # the package may be in an archive
            loaded = gettext.GNUTranslations(BytesIO(get_data(f"{folder}/grpo_lint.mo")))
            loaded.add_fallback(_Untranslated(self.missing))
            self._catalogue = loaded
        return self._catalogue


class _Part:
    """A value of a Message; one that is glued is translated as its kind says."""

    def __init__(self, value: object, language: Translation) -> None:
        self._value = value
        self._language = language

    def __format__(self, spec: str) -> str:
        if isinstance(self._value, Message):
            return self._language.text(self._value)
        found = GLUED.part(str(self._value), spec) if spec else str(self._value)
        if found != str(self._value):
            LEFT.add((spec, str(self._value)))
        return found


LEFT: "set[tuple[str, str]]" = set()
_KIND = re.compile(r"\{(\w+):(\w+)\}")


def _with_kinds(english: str, chinese: str) -> str:
    for name, kind in _KIND.findall(english):
        chinese = chinese.replace("{" + name + "}", "{" + name + ":" + kind + "}")
    return chinese


KINDS = {
    _KIND.sub(r"{\1}", english): _with_kinds(english, chinese)
    for english, chinese in PHRASES.items()
    if _KIND.search(english)
}


class _Untranslated(gettext.NullTranslations):
    """What is asked for what the catalogue does not know."""

    def __init__(self, missing: "set[str]") -> None:
        super().__init__()
        self._missing = missing

    def gettext(self, message: str) -> str:
        if any(map(str.isalpha, message)):
            self._missing.add(message)
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self._missing.add(msgid1)
        return msgid1 if n == 1 else msgid2


CHINESE = Translation("zh-CN")
GLUED.missing = CHINESE.missing
