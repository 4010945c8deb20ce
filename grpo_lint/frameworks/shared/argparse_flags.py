"""Commands that Python's argparse reads as it is: a flag that is true or false takes no word, any other the words of its kind."""

from ...message import Message
from ...source.entry import is_alone
from ...unknown import UNKNOWN
from ..base import Flags, Values
from .values import WANTED, from_text, quoted, wrong_choice, wrong_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Fault, Field, Key, Run

    Read = tuple[object, Fault | None]


class Switches(Flags):
    spellings = 1

    def written(self, name: str, told: str = "", is_on: bool = False) -> str:
        return super().written(name, "" if is_on else told)


def stray_word() -> "Fault":
    """What a parser says of a word behind a switch."""
    return wrong_type("read", Message("a word, but this flag takes none"))


class WordValues(Values):
    """The words behind a flag, by kind, number of words and choices."""

    def read(self, name: str, value: object, field: "Field", launch: "Run", key: "Key") -> "Read":
        entry, kind = launch.entries.get(name), field.type.rstrip("?")
        is_bare = entry is not None and is_alone(entry)
        if kind == "bool":
            return self.switch(value, field, is_bare, key)
        if is_bare and not kind.startswith(("list", "pair")):
            return UNKNOWN, wrong_type("read", Message("no value: the parser needs a word after this flag"))
        if value is None:
            return None, None
        return self.words(name, [] if is_bare else value if type(value) is list else [value], field)

    def switch(self, value: object, field: "Field", is_bare: bool, key: "Key") -> "Read":
        """What a flag says that is true or false."""
        return value if type(value) is bool else True, None

    def words(self, name: str, words: "list[object]", field: "Field") -> "Read":
        """What the words behind any other flag make."""
        return self.one(words[0], field) if len(words) == 1 else (UNKNOWN, None)

    def one(self, word: object, field: "Field") -> "Read":
        """What one word makes, by kind and choices."""
        kind = field.type.rstrip("?")
        found = from_text(word, kind) if kind in ("int", "float") and type(word) is str else word
        if found is None:
            told = {"what": quoted(str(word)), "wanted": WANTED[kind]}
            return UNKNOWN, wrong_type("read", Message("the text {what} where {wanted} belongs", told))
        if field.choices and found not in field.choices:
            return UNKNOWN, wrong_choice("read", word, field.choices)
        return found, None
