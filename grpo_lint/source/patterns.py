"""Regular expressions that are compiled when they are first used: most scripts need few of them, and each costs a good part of a
millisecond."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re


class _Pattern:
    """Stands for a `re.Pattern`; its methods are those of the compiled expression once one of them was asked for."""

    __slots__ = ("_text", "_flags", "match", "fullmatch", "search", "finditer", "findall", "sub", "split", "pattern")

    def __init__(self, text: str, flags: int) -> None:
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


def pattern(text: str, flags: int = 0) -> "re.Pattern[str]":
    """What `re.compile` gives, made later."""
    return _Pattern(text, flags)  # type: ignore[return-value]  # it has the methods that are used
