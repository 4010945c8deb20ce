"""The type and value that PyYAML gives a scalar, by PyYAML's own tables.

YAML 1.1 has surprising rules (`no` is False, `010` is 8, `5e-6` is a string), and a linter must read a value as the
framework does. So rare cases go through PyYAML's own resolver and constructor (`pyyaml_values`). Words and ordinary
numbers, which are nearly all scalars, are resolved here.
"""

STANDARD = "tag:yaml.org,2002:"
STR = STANDARD + "str"
INT = STANDARD + "int"
FLOAT = STANDARD + "float"
SET = STANDARD + "set"
PAIRS = (STANDARD + "omap", STANDARD + "pairs")
MAPPINGS = (STANDARD + "map", SET)
SEQUENCES = (STANDARD + "seq", *PAIRS)
LONGEST_NUMBER = 4300  # digits, as in Python

# Every word that is not a string. PyYAML knows three spellings of each: no, No and NO, but not nO.
WORDS = {
    spelling: value
    for words, value in (("yes true on", True), ("no false off", False), ("null ~", None))
    for word in words.split()
    for spelling in (word, word.capitalize(), word.upper())
}
WORDS[""] = None

# Numbers and timestamps begin with these characters. (`<<` and `=` count as strings here.)
_NUMERIC = frozenset("+-.0123456789")

# The characters of numbers, except for the words .inf and .nan, and numbers that begin with 0x or 0b.
_OF_NUMBERS = frozenset("+-.0123456789_:eETtZz \t")


def plain_value(text: str) -> object:
    """The value of an unquoted scalar without a tag."""
    if text in WORDS:
        return WORDS[text]
    if text[0] not in _NUMERIC:
        return text
    digits = text[1:] if text[0] in "+-" else text
    if digits.isdecimal() and digits.isascii() and (digits[0] != "0" or text == "0") and len(text) < 20:
        return int(text)
    if _is_float(digits):
        return float(text)
    if _is_no_number(text, digits):
        return text
    from .pyyaml_values import resolved

    return resolved(text)


def _is_float(text: str) -> bool:
    """Whether a text is a float in its ordinary spelling: 0.5, 1., 1.0e-06."""
    mantissa, e, exponent = text.partition("e")
    whole, point, fraction = mantissa.partition(".")
    if not (point and (whole + fraction).isdecimal() and whole and text.isascii() and len(text) < LONGEST_NUMBER):
        return False
    return not e or (exponent[:1] in ("+", "-") and exponent[1:].isdecimal())


def _is_no_number(text: str, digits: str) -> bool:
    """Whether a text that begins like a number is a string at first sight: 8-gpus, 1e-6 (a float has a point), 127.0.0.1
    (and no more than one)."""
    if not _OF_NUMBERS.issuperset(text):
        return "/" in text or digits[:1] not in ("0", ".")
    return text.count(".") > 1 or ("." not in text and ":" not in text and ("e" in text or "E" in text))


def shown_value(value: object) -> str:
    """A value as YAML writes it."""
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    return str(value)
