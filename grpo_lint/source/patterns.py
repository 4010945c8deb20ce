"""Regular expressions that are compiled on first use. Most scripts need few of them, and compiling one takes a good
part of a millisecond."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re


class _Pattern:
    """A pattern that is compiled on first use: it stands for a `re.Pattern`, and gets the methods of the compiled expression
    when one of them is first used."""

    __slots__ = ("_text", "_flags", "match", "fullmatch", "search", "finditer", "findall", "sub", "split", "pattern")

    def __init__(self, text: str, flags: int = 0) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        if name not in _Pattern.__slots__:
            raise AttributeError(name)
        import re

        compiled = re.compile(self._text, self._flags)
        for method in _Pattern.__slots__[2:]:
            setattr(self, method, getattr(compiled, method))
        found: object = getattr(compiled, name)
        return found


if TYPE_CHECKING:
    pattern = re.compile
else:
    pattern = _Pattern
