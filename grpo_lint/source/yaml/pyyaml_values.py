"""The results of PyYAML's resolver and constructor for a scalar. Imported only for rare scalars, since PyYAML loads
slowly."""

from yaml.constructor import SafeConstructor
from yaml.nodes import ScalarNode
from yaml.resolver import Resolver

from ...message import Message
from .scalars import FLOAT, INT, LONGEST_NUMBER, MAPPINGS, SEQUENCES, STANDARD, STR

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_RESOLVERS: "dict[str, list[tuple[str, re.Pattern[str]]]]" = Resolver.yaml_implicit_resolvers


def resolved(text: str) -> object:
    """The value of a plain scalar, by the tag that PyYAML gives it."""
    tag = next((tag for tag, pattern in _RESOLVERS.get(text[:1], ()) if pattern.match(text)), STR)
    if tag == FLOAT and len(text) <= LONGEST_NUMBER and ":" not in text and "_" not in text and text[-1].isdigit():
        return float(text)
    return text if tag == STR else construct(text, tag)


def construct(text: str, tag: str) -> object:
    """The value of a scalar with a tag; its text, or None if empty, where PyYAML refuses to construct one."""
    try:
        return _build(text, tag)
    except Exception:
        return text or None


def refusal(tag: str, text: str) -> "Message | None":
    """Why PyYAML refuses a scalar with an explicit tag: a sentence, or None if it does not."""
    if tag not in SafeConstructor.yaml_constructors:
        return _unknown(tag)
    try:
        _build(text, tag)
    except Exception:
        return _misfit(tag)
    return None


def collection_refusal(tag: str, is_mapping: bool) -> "Message | None":
    """Why PyYAML refuses a mapping or a sequence with an explicit tag: a sentence, or None if it does not."""
    if tag not in SafeConstructor.yaml_constructors:
        return _unknown(tag)
    return None if tag in (MAPPINGS if is_mapping else SEQUENCES) else _misfit(tag)


def _unknown(tag: str) -> Message:
    return Message("the tag {tag} is unknown to yaml.safe_load, which refuses the file", {"tag": _short(tag)})


def _misfit(tag: str) -> Message:
    return Message("this value does not fit its tag {tag}, and yaml.safe_load refuses the file", {"tag": _short(tag)})


def _short(tag: str) -> str:
    tag = tag.replace(STANDARD, "!!", 1)
    tag = tag if tag.isprintable() else repr(tag)[1:-1]  # `%0A` is a line break
    return tag if len(tag) <= 80 else f"{tag[:77]}..."


def _build(text: str, tag: str) -> object:
    # PyYAML raises more than YAMLError: a month 13 is a ValueError, `!!bool maybe` a KeyError, `!!int ""` an
    # IndexError.
    is_of_bits = text.lstrip("+-_")[:1] == "0"  # 0x, 0b or octal: of these Python reads as many digits as there are
    if len(text) > LONGEST_NUMBER and ((tag == INT and not is_of_bits) or (tag in (INT, FLOAT) and ":" in text)):
        raise ValueError(Message("Python reads no number of so many digits, and PyYAML takes long over `1:1:1...`"))
    # `deep` because the constructors of collections are generators, which would refuse a scalar only later.
    return SafeConstructor().construct_object(ScalarNode(tag, text), deep=True)
