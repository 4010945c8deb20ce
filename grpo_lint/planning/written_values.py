"""Values as configs and commands write them."""

import json
import re
from shlex import quote

from ..fixes.edits import written
from ..source.yaml.scalars import plain_value

_PLAIN = re.compile(r"[\w./@+~-][\w./@+~#:=-]*\Z")


def in_yaml(value: object) -> str:
    """A value as YAML writes it, on one line."""
    if type(value) is str:
        plain = _PLAIN.match(value) and plain_value(value) == value and not value.endswith(":")
        return value if plain else _printable(json.dumps(value, ensure_ascii=False))
    if type(value) is list:
        return f"[{', '.join(map(in_yaml, value))}]"
    if type(value) is dict:
        return "{" + ", ".join(f"{in_yaml(str(key))}: {in_yaml(each)}" for key, each in value.items()) + "}"
    return written(value)


def in_words(value: object) -> str:
    """A value as the words that follow a flag."""
    if type(value) is list:
        return " ".join(map(in_words, value))
    if type(value) is dict:
        return quote(_printable(json.dumps(value, ensure_ascii=False)))
    return _word(value if type(value) is str else written(value))


def in_override(name: str, value: object) -> str:
    """A value as an override of Hydra."""
    return _word(f"{name}={in_yaml(value)}") if type(value) in (list, dict, str) else f"{name}={written(value)}"


def _printable(text: str) -> str:
    """A text with escapes for what steers a terminal or turns the reading direction."""
    return "".join([each if each.isprintable() else _escape(each) for each in text])


def _word(text: str) -> str:
    """A text as one word of bash, on one line."""
    if text.isprintable():
        return quote(text)
    escaped = re.sub(r"([\\'])", r"\\\1", text)
    return f"$'{_printable(escaped)}'"


def _escape(character: str) -> str:
    """The escape of a character, as YAML, JSON beyond ASCII, and bash read it."""
    return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else f"\\U{ord(character):08x}"
