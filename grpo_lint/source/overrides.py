"""Overrides such as `a.b=c`, `+a=1` and `~a`: the arguments of programs that Hydra configures.

This module has the grammar, from a word of the shell to a typed value. The meaning of an override for the settings is
computed elsewhere.
"""

from ..unknown import UNKNOWN
from .entry import COMPOSED, Flag, loaded
from .yaml.reader import Scalar
from .yaml.scalars import plain_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeVar

    from ..shared_types import Callable, Word

    Item = TypeVar("Item")
    Operator = Literal["set", "add", "force", "delete"]  # a=1, +a=1, ++a=1, ~a

OPERATORS: "dict[str, Operator]" = {"": "set", "+": "add", "++": "force", "~": "delete"}
_SWEEP = "Ambiguous value for argument"
NO_VALUE = "missing EQUAL at '<EOF>'"
BEHIND_AN_OPTION = "unrecognized arguments"
DASHES = "token recognition error at: '--'"
NO_OPTION = "Hydra takes no such option"  # its parser says "unrecognized arguments", and names them all
_LONGEST_JSON = 1000
MOST_NESTED = 50  # lists and mappings in one value

_NUMBER = r"[+-]?(?:0|[1-9](?:_?[0-9])*)"
_POINT = r"(?:(?:0|[1-9](?:_?[0-9])*)\.|(?:0|[1-9](?:_?[0-9])*)?\.[0-9](?:_?[0-9])*)"
_EXPONENT = rf"(?:(?:0|[1-9](?:_?[0-9])*)|{_POINT})[eE][+-]?[0-9](?:_?[0-9])*"
_FLOAT = rf"[+-]?(?:{_EXPONENT}|{_POINT}|[Ii][Nn][Ff]|[Nn][Aa][Nn])"
_KEY = r"(?:[A-Za-z_$][\w$-]*|[0-9]+)(?:[./][\w$-]+)*"
_PLAIN = "/-\\+.$%*@?|:_~"  # besides letters, digits and blanks
_ESCAPED = "\\()[]{}:=, \t"
_ENDS = ",()[]{}='\""


class Override(Flag):
    """One override: `path` is the key without its operator, `name` the key with it, as written."""

    __slots__ = ("path", "operator", "start", "end", "problem", "is_apart")

    def __init__(self, key: Scalar, value: Scalar, word: "Word", path: str, operator: "Operator", problem: str) -> None:
        super().__init__(key, value, (word,))
        self.path = path
        self.operator = operator
        self.start = word.start  # of the whole word, including quotes
        self.end = word.end
        self.problem = problem  # why Hydra refuses it, in its words; empty where it does not
        self.is_apart = False  # whether it is a part of a value that falls apart at its blanks

    @property
    def sets_nothing(self) -> bool:
        """Whether it is a word without a value."""
        return self.problem == NO_VALUE

    @property
    def is_a_sweep(self) -> bool:
        """Whether it gives several values, one for each of several runs."""
        return self.problem.startswith(_SWEEP)


def read_override(word: "Word") -> "Override | None":
    """The Override of a word; None where its key is not known."""
    left, right = word.partition("=")
    written = left.value
    if written is None or word.start == word.end:
        return None
    prefix = "++" if written.startswith("++") else written[:1] if written[:1] in ("+", "~") else ""
    path = written[len(prefix) :]
    key = _scalar(left, written, '"')
    if right is None:
        node = Scalar(word.end, word.end, "", style='"')
        problem = "" if prefix == "~" else NO_VALUE
        return Override(key, node, word, path, OPERATORS[prefix], problem)
    node = _scalar(right, right.value or "")
    node.value, problem = (UNKNOWN, "") if right.value is None else read_value(right.value)
    return Override(key, node, word, path, OPERATORS[prefix], problem)


def together(earlier: Override, later: Override) -> Override:
    """Two overrides of one path as one. The first decides whether the path exists before, the last which value it
    gets."""
    if later.operator == "delete" or earlier.operator == later.operator == "set":
        return later
    key, value = earlier.key, later.value
    if not isinstance(key, Scalar) or not isinstance(value, Scalar):
        return later
    if earlier.operator == "delete":  # the path exists, and may be appended again
        key = Scalar(key.start, key.end, f"++{later.path}", style='"', tag=COMPOSED)
    operator = "force" if earlier.operator == "delete" else earlier.operator
    return Override(key, value, later.words[0], later.path, operator, later.problem)


def appends_again(earlier: Override, later: Override) -> bool:
    """Whether Hydra refuses to append a path that an override of the same command has set."""
    held, added = loaded(earlier.value), loaded(later.value)
    is_merged = UNKNOWN in (held, added) or type(held) in (list, dict) or type(added) in (list, dict)
    return later.operator == "add" and earlier.operator != "delete" and held is not None and not is_merged


def read_assignment(word: "Word") -> "Override | None":
    """The Override of a word `a.b=c` whose value is read as YAML, as OmegaConf does; None where its key is unknown."""
    left, right = word.partition("=")
    if left.value is None or right is None or word.start == word.end:
        return None
    text = right.value or ""
    node = _scalar(right, text)
    if text[:1] in ("[", "{"):
        node.value = _collection(text)
    else:  # of others the type is unknown without a YAML parser
        is_plain = right.value is not None and text[:1] not in tuple("\"'&*!|>%@`#")
        node.value = plain_value(text) if is_plain else UNKNOWN
    return Override(_scalar(left, left.value, '"'), node, word, left.value, "set", "")


def _collection(text: str) -> object:
    """A list or a mapping that is written for YAML; UNKNOWN where it is neither JSON nor what Hydra reads as well."""
    found = read_value(text)[0]
    if found is not UNKNOWN or len(text) > _LONGEST_JSON:
        return found
    import json  # loaded only where one is written

    try:
        return json.loads(text, parse_int=lambda digits: _typed(digits, digits))
    except (ValueError, RecursionError):
        return UNKNOWN


def _scalar(word: "Word", text: str, style: str = "") -> Scalar:
    """A word as a node; composed where no place of the file has its text."""
    origin = word.origin
    start, end = origin or (word.start, word.end)
    return Scalar(start, end, text, style, None if origin else COMPOSED)


def chooses_a_file(name: str) -> bool:
    """Whether the key of an override names a config group, such as `group@package` or `a/b`."""
    return ("@" in name or "/" in name) and not name.startswith(("hydra", "--"))


def may_choose_a_file(name: str) -> bool:
    """Whether the key of an override names, or may name, a config group: a bare name may be a folder."""
    return chooses_a_file(name) or ("." not in name and not name.startswith(("hydra", "--")))


def is_key(text: str) -> bool:
    """Whether a text may precede the equals sign, without its operator."""
    import re

    return re.fullmatch(rf"{_KEY}(?:@{_KEY})?", text, re.ASCII) is not None


def read_value(text: str) -> "tuple[object, str]":
    """(value, why Hydra refuses it or an empty text) for the text after the equals sign."""
    if "\n" in text or ("<" in text and ">" in text and "</" not in text):  # a placeholder to fill in is no mistake
        return UNKNOWN, ""
    if text.isdecimal() and text[:1] != "0" and len(text) < 19:
        return int(text), ""
    return _Value(text).read()


class _Refused(Exception):
    """The text is not a value."""


class _Unread(Exception):
    """The value of the text is unknown, such as the call of a function."""


class _Value:
    """Reads one value from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0

    def read(self) -> "tuple[object, str]":
        try:
            if not self.text.strip(" \t"):
                return "", ""
            elements = self.elements()
            if self.at < len(self.text):
                return UNKNOWN, f"mismatched input '{self.text[self.at]}' expecting <EOF>"
        except _Refused as problem:
            return UNKNOWN, str(problem)
        except _Unread:
            return UNKNOWN, ""
        if len(elements) > 1:
            return UNKNOWN, f"{_SWEEP}: to use it as a list, use key=[value1,value2]"
        return elements[0], ""

    def elements(self) -> "list[object]":
        """What stands between commas, as far as it can be read."""
        self._skip()
        found = [self._element()]
        while self._take(","):
            found.append(self._element())
        return found

    def _skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in " \t":
            self.at += 1

    def _take(self, character: str) -> bool:
        """Skip a character and the blanks around it where it comes next."""
        start = self.at
        self._skip()
        if self.text.startswith(character, self.at):
            self.at += 1
            self._skip()
            return True
        self.at = start
        return False

    def _element(self) -> object:
        if self.at == len(self.text):
            raise _Refused("mismatched input '<EOF>'")
        first = self.text[self.at]
        if first in "[{":
            self.depth += 1
            if self.depth > MOST_NESTED:
                raise _Unread
            self.at += 1
            self._skip()
            found = self._items("]", self._element) if first == "[" else dict(self._items("}", self._pair))
            self.depth -= 1
            return found
        return self._quoted(first) if first in "'\"" else self._primitive()

    def _items(self, closer: str, read: "Callable[[], Item]") -> "list[Item]":
        """What stands in brackets, up to the one that closes them."""
        found: list[Item] = []
        if self._take(closer):
            return found
        while True:
            found.append(read())
            if self._take(closer):
                return found
            self._expect(",")

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            raise _Refused(f"no viable alternative at input '{self.text[:20]}'")

    def _pair(self) -> "tuple[object, object]":
        key = self._primitive(ends=_ENDS + ":")
        self._expect(":")
        return key, self._element()

    def _quoted(self, quote: str) -> str:
        start = self.at
        self.at += 1
        while self.at < len(self.text):
            character = self.text[self.at]
            if character == "\\" and self.at + 1 < len(self.text):
                self.at += 2
            elif character == quote:
                self.at += 1
                inner = self.text[start + 1 : self.at - 1]
                return inner.replace(f"\\{quote}", quote)
            else:
                self.at += 1
        raise _Refused(f"token recognition error at: '{self.text[start : start + 20]}'")

    def _primitive(self, ends: str = _ENDS) -> object:
        start, plain = self.at, self._unescaped(ends)
        written = self.text[start : self.at].rstrip(" \t")
        following = self.text[self.at : self.at + 1]
        if following == "(" and written.isidentifier():
            raise _Unread
        if following in ("'", '"', "[", "{", "(", "="):
            raise _Refused(f"mismatched input '{following}' expecting <EOF>")
        if not written:
            raise _Refused(f"mismatched input '{following or '<EOF>'}'")
        return _typed(written, plain.rstrip(" \t"))

    def _unescaped(self, ends: str) -> str:
        """The text up to one of some characters, without the backslashes that keep a character from its meaning."""
        found = ""
        while self.at < len(self.text):
            character, following = self.text[self.at], self.text[self.at + 1 : self.at + 2]
            size = 1
            if character == "$" and following == "{" and "}" in self.text[self.at :]:
                size = self.text.index("}", self.at) + 1 - self.at
                found += self.text[self.at : self.at + size]
            elif character == "\\" and following and following in _ESCAPED:
                size = 2
                found += following
            elif character in ends:
                break
            elif character.isascii() and (character.isalnum() or character in _PLAIN or character in " \t"):
                found += character
            else:
                raise _Refused(f"token recognition error at: '{character}'")
            self.at += size
        return found


def _typed(written: str, plain: str) -> object:
    """The value of an unquoted word: null, a truth value, a number or a text."""
    lower = written.lower()
    if lower in _NAMED:
        return _NAMED[lower]
    if written[0].isalpha() and lower not in ("inf", "nan"):
        return plain
    number = _usual_number(written)
    if number is not None:
        return number
    import re

    if re.fullmatch(_NUMBER, written, re.ASCII):
        return int(written.replace("_", "")) if len(written) < 30 else UNKNOWN
    if re.fullmatch(_FLOAT, written, re.ASCII):
        return float(written.replace("_", ""))
    return plain


def _usual_number(text: str) -> "int | float | None":
    """A number in one of the most common notations, parsed without a regular expression: 8, -1, 0.28 and 1e-6."""
    body = text[1:] if text[0] in "+-" else text
    whole, dot, rest = body.partition(".")
    if not dot:
        whole, mark, rest = body.partition("e")
        if mark and rest[:1] in ("+", "-"):
            rest = rest[1:]
        if not mark:
            rest = "0"
    if not (whole.isdecimal() and rest.isdecimal()) or (whole[0] == "0" and whole != "0") or len(text) > 18:
        return None
    return int(text) if body == whole else float(text)


_NAMED: "dict[str, bool | None]" = {"null": None, "true": True, "false": False}

MOST_SWEPT = 10_000  # values of one override


def swept_values(text: str) -> "list[object] | None":
    """The values that Hydra's sweeper takes in turn from `1,2,4`, `choice(1,2,4)`, `range(1,5)`; None for any other
    text."""
    import re

    called = re.fullmatch(r"\s*(choice|range)\s*\((.*)\)\s*", text, re.DOTALL)
    if called and called[1] == "range":
        return _range(called[2])
    reader = _Value(called[2] if called else text)
    try:
        found = reader.elements()
    except (_Refused, _Unread):
        return None
    return found[:MOST_SWEPT] if reader.at == len(reader.text) else None


def _range(text: str) -> "list[object] | None":
    """Hydra's range(stop), range(start, stop) and range(start, stop, step) of whole numbers, without the stop."""
    try:
        ends = [int(part.partition("=")[2] or part) for part in text.split(",")]
        return list(range(*ends)[:MOST_SWEPT]) if 1 <= len(ends) <= 3 else None
    except (ValueError, TypeError):
        return None
