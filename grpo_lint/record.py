"""A plain holder whose fields are stated once, as annotations of its class."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from functools import cached_property
    from typing import TypeVar

    from typing_extensions import Self, dataclass_transform

    Method = TypeVar("Method", bound=Callable[..., object])
    Function = TypeVar("Function", bound=Callable[..., object])
    derived = cached_property
else:

    def dataclass_transform(**_):
        return lambda kind: kind

    class derived:  # used as a decorator
        """What follows from the fields of a record, computed when it is first asked for."""

        def __init__(self, make):
            self.make = make

        def __get__(self, record, kind):
            if record is None:
                return self
            found = record.__dict__[self.make.__name__] = self.make(record)
            return found


_ANSWERS = "_answers of "  # a method that is asked once keeps them in the holder, by this and its name


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Record:
    """Fields are given by keywords; one that is not given has the value that stands at its annotation, which nobody can change.
    What is missing, and that nothing is assigned later, is for mypy to find: nothing of it costs time at the start.

    What is made by the thousand has slots instead: they are quicker to make, and smaller.
    """

    def __init__(self, **fields: object) -> None:
        self.__dict__.update(fields)

    def but(self, **changes: object) -> "Self":
        """A record with other values in some fields; what was derived of them, or asked, is found anew."""
        kind = type(self)
        kept = {
            name: value
            for name, value in vars(self).items()
            if type(getattr(kind, name, None)) is not derived and not name.startswith(_ANSWERS)
        }
        return type(self)(**{**kept, **changes})


def once(method: "Method") -> "Method":
    """A method whose answers are kept, by its arguments, as long as the object lives."""
    name = f"{_ANSWERS}{method.__name__}"

    def ask(self: object, *arguments: object) -> object:
        known = self.__dict__.setdefault(name, {})
        if arguments not in known:
            known[arguments] = method(self, *arguments)
        return known[arguments]

    return ask  # type: ignore[return-value]  # it takes what the method takes


def kept(most: int) -> "Callable[[Function], Function]":
    """A function whose answers are kept, by its arguments; all are dropped when there are `most`. What `functools` does for it takes
    longer to load than ten files to be judged."""

    def decorate(function: "Function") -> "Function":
        known: dict[tuple[object, ...], object] = {}

        def ask(*arguments: object) -> object:
            if arguments not in known:
                if len(known) >= most:
                    known.clear()
                known[arguments] = function(*arguments)
            return known[arguments]

        return ask  # type: ignore[return-value]  # it takes what the function takes

    return decorate


def forget(holder: object, *names: str) -> None:
    """Drop what an object keeps of its methods (`once`) and properties (`derived`) by these names."""
    for name in names:
        holder.__dict__.pop(f"{_ANSWERS}{name}", None)
        holder.__dict__.pop(name, None)


def forget_where(holder: object, name: str, is_stale: "Callable[..., bool]") -> None:
    """Drop the answers of a method (`once`) to those arguments for which `is_stale` holds."""
    place = f"{_ANSWERS}{name}"
    known = holder.__dict__.get(place, {})
    holder.__dict__[place] = {arguments: found for arguments, found in known.items() if not is_stale(*arguments)}
