"""Simplified Chinese, in the words that the documentation of ms-swift and verl uses.

`templates_*.py`: {English: Chinese} of texts whose placeholders are filled afterwards, by the hundred of the rule that they belong
to. `phrases.py`: {English: Chinese} of complete texts; {name} stands for anything that is taken over as it is, {name:word} for one
word of it, and {name:KIND} for something that is itself translated, as a part of this KIND.
"""

import re

from ..language import Language
from .arithmetic import arithmetic, in_chinese
from .phrases import PHRASES
from .templates import TEMPLATES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_PLACEHOLDER = re.compile(r"\{(\w+)(?::(\w+))?\}")
_PATTERNS = {
    "word": r"\S+",
    "number": r"-?[\d./]+",
    "amount": r"[\d,]+",
    "counted": r"[\d,]+ [a-z]+(?:[ -][a-z]+)*",
    "value": r"\S+|\[.*\]|'.*'",
    "names": r"\S+(?:(?:, | and | or )\S+)*",
    "counts": r".*process(?:es)?(?: only)?",
    "total": r", .*? in all.*?",
    "release": r"(?:[\w.]+ of )?[\w-]+ \d\S*",
}
_NEVER_ENGLISH = re.compile(r"[^a-z]*|(?!line )\S+(?: v?\d\S*)?|--.*")


class _Phrase:
    """One line of PHRASES that has placeholders."""

    def __init__(self, english: str, chinese: str) -> None:
        parts = _PLACEHOLDER.split(english)
        self._literals = [part for part in parts[::3] if part]
        self._parts = parts
        self._kinds = dict(zip(parts[1::3], (kind or "" for kind in parts[2::3])))
        self._pattern: re.Pattern[str] | None = None
        self._chinese = chinese

    @property
    def exactness(self) -> int:
        """How much of a text it says itself, and not by placeholders."""
        return sum(map(len, self._literals)) * 4 + sum(kind in _PATTERNS for kind in self._kinds.values())

    def translated(self, english: str, language: "Chinese") -> "str | None":
        if not all(literal in english for literal in self._literals):
            return None
        if self._pattern is None:
            self._pattern = self._compiled()
        found = self._pattern.fullmatch(english)
        if not found:
            return None
        values = {name: language.part(found[name], kind) for name, kind in self._kinds.items()}
        return self._chinese.format_map(values)

    def _compiled(self) -> "re.Pattern[str]":
        """What stands between two placeholders is not looked for again behind its first place: where the rest of the line
        does not fit there, it fits nowhere. Hence the atomic groups; a placeholder with a pattern of its own needs none."""
        parts = self._parts
        written = [re.escape(parts[0])]
        for place in range(1, len(parts), 3):
            name, after = parts[place], re.escape(parts[place + 2])
            kinds = [self._kinds[each] for each in parts[place : place + 4 : 3]]
            piece = f"(?P<{name}>{_PATTERNS.get(kinds[0], '.+?')}){after}"
            is_between = len(kinds) == 2 and _PATTERNS.keys().isdisjoint(kinds)
            written.append(f"(?=(?P<piece{place}>{piece}))(?P=piece{place})" if is_between else piece)
        return re.compile("".join(written), re.DOTALL)


class Chinese(Language):
    """What has no translation stays English; `missing` remembers it for the tests."""

    name = "zh-CN"
    wraps = True
    colon = "："
    semicolon = "；"
    stop = "。"
    blank = ""

    def __init__(self) -> None:
        self.missing: set[str] = set()
        self._phrases: list[_Phrase] | None = None

    def template(self, english: str) -> str:
        found = TEMPLATES.get(english)
        return self.text(english) if found is None else found

    def text(self, english: str) -> str:
        plain = PHRASES.get(english)
        if plain is not None:
            return plain
        behind = PHRASES.get(f"; {english}")  # what stands behind another sentence, by itself
        if behind is not None:
            return behind.removeprefix(self.semicolon)
        if self._phrases is None:
            phrases = (_Phrase(*line) for line in PHRASES.items() if "{" in line[0])
            self._phrases = sorted(phrases, key=lambda phrase: -phrase.exactness)
        for phrase in self._phrases:
            found = phrase.translated(english, self)
            if found is not None:
                return found
        if any(map(str.isalpha, english)):
            self.missing.add(english)
        return english

    def part(self, english: str, kind: str) -> str:
        if kind in ("text", "counts", "total"):
            return self.text(english)
        if kind == "template":
            return self.template(english)
        if kind == "texts":
            return "，".join(map(self.text, _split(english, ", ")))
        if kind == "parts":
            return self.semicolon.join(map(self.text, _split(english, "; ")))
        if kind == "things":  # '8 prompts', '(N / 2) prompts'
            return re.sub(r" (?:micro )?[a-z]+$", "", english)
        if kind == "label":
            return in_chinese(english)
        if kind == "counted":  # '8 prompts'
            number, _, things = english.partition(" ")
            return f"{number} {_COUNTED[things.removesuffix('es' if things.endswith('sses') else 's')]}"
        if kind == "arithmetic":
            return arithmetic(english)
        if kind == "and":
            return "，且".join(map(self.text, english.split(" and ")))
        if kind == "or":
            return "或".join(map(self.text, english.split(" or ")))
        if kind == "names" or kind == "list":
            return english.strip().replace(", ", "、").replace(" and ", " 和 ").replace(" or ", " 或 ")
        if kind in ("source", "idle") and english not in PHRASES and _NEVER_ENGLISH.fullmatch(english):
            return english
        return self.text(english) if kind in ("source", "idle") else english

    def within(self, text: str, more: str) -> str:
        return f"{text}（{more}）"

    def formula(self, english: str) -> str:
        told = re.sub(r"\b(\d+) (process(?:es)?|rows?)\b", _counted, english)
        return f"（{told[2:-1]}）" if told.startswith(" (") else told


_COUNTED = {
    "completion": "条补全",
    "prompt": "个提示",
    "update": "次更新",
    "data-parallel rank": "个数据并行 rank",
    "micro step": "个微步",
    "row": "行",
    "epoch": "个 epoch",
    "process": "个进程",
    "proces": "个进程",
}


def _counted(found: "re.Match[str]") -> str:
    return f"{found[1]} 个进程" if found[2].startswith("process") else f"{found[1]} 行"


def _split(english: str, between: str) -> "Iterator[str]":
    """The parts of a list, but for what separates them within parentheses."""
    start = depth = 0
    for place, character in enumerate(english):
        depth += (character == "(") - (character == ")")
        if not depth and english.startswith(between, place):
            yield english[start:place]
            start = place + len(between)
    yield english[start:]


GLUED = Chinese()
