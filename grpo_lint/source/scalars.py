"""What PyYAML makes of a scalar: its type and its value, by PyYAML's own tables.

YAML 1.1 is full of surprises (`no` is False, `010` is 8, `5e-6` is a string), and a linter has to be surprised in the
same way as the framework that loads the file. So the rare cases go through PyYAML's resolver and constructor
themselves; only words and ordinary decimal integers, which are nearly everything, take a short way around them.
"""

from yaml.constructor import SafeConstructor
from yaml.nodes import ScalarNode
from yaml.resolver import Resolver

_STANDARD = "tag:yaml.org,2002:"
STR = _STANDARD + "str"
FLOAT = _STANDARD + "float"
SET = _STANDARD + "set"
_NUMBERS = (_STANDARD + "int", FLOAT)
LONGEST_NUMBER = 4300  # digits, as in Python
PAIRS = (_STANDARD + "omap", _STANDARD + "pairs")
_MAPPINGS = (_STANDARD + "map", SET)
_SEQUENCES = (_STANDARD + "seq", *PAIRS)

_RESOLVERS = Resolver.yaml_implicit_resolvers


def resolve(text):
    """The tag that PyYAML gives to a plain scalar."""
    for tag, pattern in _RESOLVERS.get(text[:1], ()):
        if pattern.match(text):
            return tag
    return STR


def construct(text, tag):
    """The value of a scalar under a tag; its text, or None if empty, where PyYAML refuses to build one."""
    try:
        return _build(text, tag)
    except Exception:
        return text or None


def refusal(tag, text):
    """Why PyYAML refuses a scalar with an explicit tag: a sentence, or None if it does not."""
    if tag not in SafeConstructor.yaml_constructors:
        return _unknown(tag)
    try:
        _build(text, tag)
    except Exception:
        return _misfit(tag)
    return None


def collection_refusal(tag, is_mapping):
    """The same for a mapping or a sequence."""
    if tag not in SafeConstructor.yaml_constructors:
        return _unknown(tag)
    return None if tag in (_MAPPINGS if is_mapping else _SEQUENCES) else _misfit(tag)


def _unknown(tag):
    return f"the tag {_short(tag)} is unknown to yaml.safe_load, which refuses the file"


def _misfit(tag):
    return f"this value does not fit its tag {_short(tag)}, and yaml.safe_load refuses the file"


def _short(tag):
    return tag.replace(_STANDARD, "!!", 1)


def _build(text, tag):
    # Raises not only YAMLError: a month 13 is a ValueError, `!!bool maybe` a KeyError, `!!int ""` an IndexError.
    if len(text) > LONGEST_NUMBER and tag in _NUMBERS:
        raise ValueError("Python reads no number of so many digits, and PyYAML takes long over `1:1:1...`")
    # `deep` because the constructors of collections are generators, which would refuse a scalar only later.
    return SafeConstructor().construct_object(ScalarNode(tag, text), deep=True)


# Every word that is not a string. PyYAML knows three spellings of each: no, No and NO, but not nO.
WORDS = {
    spelling: construct(spelling, resolve(spelling))
    for word in (*SafeConstructor.bool_values, "null", "~", "")
    for spelling in (word, word.capitalize(), word.upper())
}

# With these characters begin the numbers and timestamps. (`<<` and `=` are strings to anybody who asks for a value.)
_NUMERIC = frozenset("+-.0123456789")


def plain_value(text):
    """The value of an unquoted scalar without a tag."""
    if text in WORDS:
        return WORDS[text]
    if text[0] not in _NUMERIC:
        return text
    if text.isdecimal() and text.isascii() and text[0] != "0" and len(text) < 20:
        return int(text)
    tag = resolve(text)
    if tag == FLOAT and len(text) <= LONGEST_NUMBER and ":" not in text and "_" not in text and text[-1].isdigit():
        return float(text)
    return text if tag == STR else construct(text, tag)


def shown_value(value):
    """A value as YAML writes it."""
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    return str(value)
