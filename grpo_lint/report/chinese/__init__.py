"""Simplified Chinese, in the words that the documentation of ms-swift and verl uses.

`templates_*.py`: {English: Chinese} of texts whose placeholders are filled afterwards, by the hundred of the rule that they belong
to. `phrases.py`: {English: Chinese} of complete texts; {name} stands for anything that is taken over as it is, {name:text} for
something that is itself translated, {name:texts} for several of these between commas.
"""

import re

from ..language import Language
from .phrases import PHRASES
from .templates import TEMPLATES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_PLACEHOLDER = re.compile(r"\{(\w+)(?::(texts?))?\}")


class _Phrase:
    """One line of PHRASES that has placeholders."""

    def __init__(self, english: str, chinese: str) -> None:
        self.kinds = {found[1]: found[2] or "" for found in _PLACEHOLDER.finditer(english)}
        parts = _PLACEHOLDER.split(english)
        pattern = "".join(
            re.escape(part) if place % 3 == 0 else f"(?P<{part}>.+?)"
            for place, part in enumerate(parts)
            if place % 3 < 2
        )
        self._pattern = re.compile(pattern, re.DOTALL)
        self._chinese = chinese

    def translated(self, english: str, language: "Chinese") -> "str | None":
        found = self._pattern.fullmatch(english)
        if not found:
            return None
        values = {name: language.part(found[name], kind) for name, kind in self.kinds.items()}
        return self._chinese.format_map(values)


class Chinese(Language):
    """What has no translation stays English; `missing` remembers it for the tests."""

    name = "zh-CN"
    wraps = True

    def __init__(self) -> None:
        self.missing: set[str] = set()
        self._phrases: list[_Phrase] | None = None

    def template(self, english: str) -> str:
        found = TEMPLATES.get(english)
        if found is None:
            found = self.text(english)
        return found

    def text(self, english: str) -> str:
        plain = PHRASES.get(english)
        if plain is not None:
            return plain
        if self._phrases is None:  # the longest first: it is the most exact one
            self._phrases = [
                _Phrase(*line) for line in sorted(PHRASES.items(), key=lambda line: -len(line[0])) if "{" in line[0]
            ]
        for phrase in self._phrases:
            found = phrase.translated(english, self)
            if found is not None:
                return found
        if any(map(str.isalpha, english)):
            self.missing.add(english)
        return english

    def part(self, english: str, kind: str) -> str:
        """What stands in a placeholder of a phrase."""
        if kind == "text":
            return self.text(english)
        if kind == "texts":
            return "，".join(map(self.text, _listed(english)))
        return english

    def formula(self, english: str) -> str:
        return re.sub(r"\b(\d+) (process(?:es)?|rows?)\b", _counted, english)


def _counted(found: "re.Match[str]") -> str:
    return f"{found[1]} 个进程" if found[2].startswith("process") else f"{found[1]} 行"


def _listed(english: str) -> "Iterator[str]":
    """The parts of a list, but for commas within parentheses."""
    start = depth = 0
    for place, character in enumerate(english):
        depth += (character == "(") - (character == ")")
        if character == "," and not depth and english[place + 1 : place + 2] == " ":
            yield english[start:place]
            start = place + 2
    yield english[start:]


CHINESE = Chinese()
