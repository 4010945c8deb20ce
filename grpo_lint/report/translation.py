"""Languages other than English, each with a gettext catalogue; `python -m translation` writes and compiles them."""

import gettext
from io import BytesIO

from ..frameworks.descriptions import MEANING
from ..message import NO_VALUES, TIE, Message, Tied
from .language import Language, is_chinese

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

CATALOGUES = "locale"
_CLOSED = "\x00"  # behind a value that ends in a wide parenthesis, which needs no blank behind it
_EDGE = "\x01"  # where a value begins or ends in a wide character: a blank between two of them is none
_SAID, _MEANINGS = "grpo_lint", "meanings"  # the catalogues: of what is said, and of what keys mean


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
        self._catalogues: dict[str, gettext.NullTranslations] = {}

    def text(self, told: Message) -> str:
        found = self._template_of(told)
        if told.values is not NO_VALUES:
            found = found.format_map(_Parts(told.values, self))
            if _CLOSED in found:
                found = found.replace(f"{_CLOSED} ", "").replace(_CLOSED, "")
            if _EDGE in found:
                found = _joined(found)
        return found.replace(" ", TIE) if isinstance(told, Tied) else found

    def within(self, text: str, more: str) -> str:
        return f"{text}（{more}）"

    def _template_of(self, told: Message) -> str:
        if not told.template:  # gettext's name for the header of a catalogue
            return ""
        context, template = told.context, told.template
        if context == MEANING:
            return self._loaded(_MEANINGS).gettext(template)
        catalogue = self._loaded(_SAID)
        if told.plural is None:
            return catalogue.pgettext(context, template) if context else catalogue.gettext(template)
        number = told.number if isinstance(told.number, int) else 2  # what is counted together is several
        if context:
            return catalogue.npgettext(context, template, told.plural, number)
        return catalogue.ngettext(template, told.plural, number)

    def _loaded(self, name: str) -> gettext.NullTranslations:
        if name not in self._catalogues:
            folder = f"{__file__.rpartition('report')[0]}{CATALOGUES}/{self.name.replace('-', '_')}/LC_MESSAGES"
            get_data = __spec__.loader.get_data  # type: ignore[union-attr]  # the package may be in an archive
            loaded = gettext.GNUTranslations(BytesIO(get_data(f"{folder}/{name}.mo")))
            loaded.add_fallback(_Untranslated(self.missing))
            self._catalogues[name] = loaded
        return self._catalogues[name]


class _Parts(dict[str, object]):
    """The values of a Message, each looked up where the template names it."""

    def __init__(self, values: "Mapping[str, object]", language: Translation) -> None:
        self._values = values
        self._language = language

    def __missing__(self, name: str) -> "_Part":
        return _Part(self._values[name], self._language)


class _Part:
    """A value of a Message: a Message is translated as well, any other is taken as it is."""

    def __init__(self, value: object, language: Translation) -> None:
        self._value = value
        self._language = language

    def __format__(self, spec: str) -> str:
        if isinstance(self._value, Message):
            told = self._language.text(self._value)
            opened = f"{_EDGE}{told}" if is_chinese(told[:1]) else told
            return (
                f"{opened}{_CLOSED}" if told.endswith("）") else f"{opened}{_EDGE}" if is_chinese(told[-1:]) else opened
            )
        return format(self._value, spec)

    def __getattr__(self, name: str) -> "_Part":
        return _Part(getattr(self._value, name), self._language)


def _joined(text: str) -> str:
    """A text without its edges, and without a blank that has an edge on one side and wide characters on both."""
    pieces = text.split(_EDGE)
    found = pieces[0]
    for piece in pieces[1:]:
        if found.endswith(" ") and is_chinese(found[-2:-1]) and is_chinese(piece[:1]):
            found = found[:-1]
        elif piece.startswith(" ") and is_chinese(found[-1:]) and is_chinese(piece[1:2]):
            piece = piece[1:]
        found += piece
    return found


class _Untranslated(gettext.NullTranslations):
    """What is asked for what the catalogue does not know."""

    def __init__(self, missing: "set[str]") -> None:
        super().__init__()
        self._missing = missing

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return self.ngettext(msgid1, msgid2, n)

    def gettext(self, message: str) -> str:
        if any(map(str.isalpha, message)):
            self._missing.add(message)
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self._missing.add(msgid1)
        return msgid1 if n == 1 else msgid2


CHINESE = Translation("zh-CN")
