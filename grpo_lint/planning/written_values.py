"""Values as configs and commands write them."""

import json
import re

from ..fixes.edits import written
from ..source.shell_words import printable_or_escaped, shell_word
from ..source.yaml.scalars import plain_value

_PLAIN = re.compile(r"[\w./+~-][\w./@+~#:=-]*\Z")  # no `@` first, which YAML keeps for itself


def in_yaml(value: object) -> str:
    """A value as YAML writes it, on one line."""
    if type(value) is str:
        return value if _is_plain(value) else _in_json(value)
    if type(value) is list:
        return f"[{', '.join(map(in_yaml, value))}]"
    if type(value) is dict:
        return "{" + ", ".join(f"{in_yaml(str(key))}: {in_yaml(each)}" for key, each in value.items()) + "}"
    return written(value)


def _is_plain(value: str) -> bool:
    """Whether a text stands without quotes, also in a list: there `-` alone is no text, and `---` begins a document."""
    return (
        _PLAIN.match(value) is not None
        and value.isprintable()
        and value.strip("-") != ""
        and value[-1] != ":"
        and plain_value(value) == value
    )


def in_words(value: object) -> str:
    """A value as the words that follow a flag."""
    if type(value) is list:
        return " ".join(map(in_words, value))
    if type(value) is dict:
        return shell_word(_in_json(value))
    return shell_word(value if type(value) is str else written(value))


def in_override(name: str, value: object) -> str:
    """A value as an override of Hydra."""
    return shell_word(f"{name}={in_yaml(value) if type(value) in (list, dict, str) else written(value)}")


def _in_json(value: object) -> str:
    """A value in JSON, with escapes for what steers a terminal or turns the reading direction."""
    return "".join(map(printable_or_escaped, json.dumps(value, ensure_ascii=False)))
