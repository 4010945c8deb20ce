"""The fields of a framework by release."""

from bisect import bisect_left
from itertools import islice, takewhile

from .versions import minor, version_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, KeysView, Mapping
    from types import ModuleType
    from typing import Any

    Groups = tuple[str, ...]  # names of classes of arguments
    FieldRows = tuple[tuple[Any, ...], ...]  # (groups, first, last, type, default), and choices where there are
    Key = tuple[int, ...]
    # {field that a package beside the framework declares: (package, first release with it, first without it)}
    CompanionFields = dict[str, tuple[str, Key | None, Key | None]]
    Beside = tuple[str, str, CompanionFields]  # a package, its version, and the fields that it declares

REQUIRED = "<required>"
MOST_BESIDE = (
    200  # versions of packages whose fields are remembered: an editor shows a new one with every stroke of a key
)
_NOBODYS = ("", None, None)


# Where the value already has the type of the field there is nothing to convert and nothing to refuse.
_NUMBER = (float, int)
_EXACTLY: "dict[str, tuple[type, ...]]" = {
    "int": (int,),
    "int?": (int,),
    "float": _NUMBER,
    "float?": _NUMBER,
    "bool": (bool,),
    "bool?": (bool,),
}


class Field:
    """A setting of one release: its type as in the catalogue ("int", "float?" for one that may be null), its default,
    and its choices, None where there is no closed list of them."""

    __slots__ = ("type", "default", "choices")

    def __init__(self, type: str, default: object = None, choices: "tuple[object, ...] | None" = None) -> None:
        self.type = type
        self.default = default
        self.choices = choices

    def has_type_of(self, value: object) -> bool:
        """Whether a value has the field's type and no list of choices limits it, so that it is neither converted nor
        refused."""
        return value.__class__ in _EXACTLY.get(self.type, ()) and not self.choices


class Fields(dict[str, "Field | None"]):
    """The fields of one release that a file may hold: {name: Field}, None for an unknown name.

    Fields are looked up on first use, since a file names some forty of several hundred. `moved`: gives the release to take a field
    from, -1 for none, where a package beside the framework declares some.
    """

    __slots__ = ("_rows", "_groups", "_index", "_moved", "_names", "_sorted", "kept")

    def __init__(
        self,
        spans: "Mapping[str, FieldRows]",
        groups: "Groups",
        index: int,
        moved: "Callable[[str], int] | None" = None,
    ) -> None:
        self._rows = spans
        self._groups: frozenset[str] = frozenset(groups)
        self._index = index
        self._moved = moved
        self.kept: dict[str, Any] = {}  # what others found out of them
        self._names: list[str] | None = None
        self._sorted: list[str] | None = None

    @property
    def groups(self) -> "Groups":
        return tuple(sorted(self._groups))

    def __missing__(self, name: str) -> "Field | None":
        if name not in self._rows:
            return None  # not cached: an editor would add a new one with every key stroke
        field = self[name] = self._find(self._rows[name], self._moved(name) if self._moved else self._index)
        return field

    def _find(self, spans: "FieldRows", index: int) -> "Field | None":
        for span in spans:
            if span[1] <= index <= span[2] and not self._groups.isdisjoint(span[0].split()):
                default = None if span[4] == REQUIRED else span[4]
                return Field(span[3], default, span[5] if len(span) > 5 else None)
        return None

    def required(self) -> list[str]:
        """The names that must be given, because they have no default."""
        return [
            name
            for name, spans in self._rows.items()
            for span in spans
            if span[4] == REQUIRED
            and span[1] <= self._index <= span[2]
            and not self._groups.isdisjoint(span[0].split())
        ]

    def beginning_with(self, text: str) -> list[str]:
        """The names of the release that begin with a text; a command may ask for thousands."""
        if self._sorted is None:
            self._sorted = sorted(self.names())
        first = bisect_left(self._sorted, text)
        return [*takewhile(lambda name: name.startswith(text), islice(self._sorted, first, None))]

    def names(self) -> list[str]:
        """All names of the release."""
        if self._names is None:  # asked for with each unknown flag
            self._names = [name for name in self._rows if self[name] is not None]
        return [*self._names]


class Catalogue:
    """The fields of a framework by release; a thin view of a generated module. `rows`: {name: its spans}, as they stand there."""

    def __init__(self, module: "ModuleType") -> None:
        self.releases: tuple[str, ...] = module.RELEASES
        self.companions: tuple[dict[str, str], ...] = module.COMPANIONS
        self.rows: Mapping[str, FieldRows] = module.FIELDS
        self._keys: tuple[tuple[int, ...], ...] = tuple(version_key(release) for release in module.RELEASES)
        self._fields: dict[tuple[Groups, int], Fields] = {}
        self._beside: dict[tuple[Groups, int, str, str], Fields] = {}
        self._known: dict[Groups, dict[str, int]] = {}
        self._orders: dict[tuple[int, str, Key], list[int]] = {}

    def knows(self, name: str) -> bool:
        """Whether any release has a field of this name."""
        return name in self.rows

    def names(self) -> "KeysView[str]":
        """The names of the fields of all releases."""
        return self.rows.keys()

    def settings(self, groups: "Groups") -> "Iterator[tuple[str, int]]":
        """(name, the releases that have it, as bits) of all settings."""
        return ((name, self.known(name, groups)) for name in self.names())

    def release_index(self, key: "tuple[int, ...]") -> int:
        """The release whose fields are used for a version: that of the same minor, or the nearest older one; -1 for
        none."""
        minor = key[:2]
        index = -1
        for position, release_key in enumerate(self._keys):
            if release_key[:2] <= minor:
                index = position
        return index

    def is_newer_than_all(self, key: "tuple[int, ...]") -> bool:
        return key[:2] > self._keys[-1][:2]

    def label(self, index: int) -> str:
        """The name of a release among the others: the catalogue has one of each minor."""
        return minor(self.releases[index])

    def fields(self, groups: "Groups", index: int, beside: "Beside | None" = None) -> "Fields":
        """The fields of a release in the argument classes named by `groups`, with a package beside it that declares some of them."""
        if beside is not None:
            return self._fields_beside(groups, index, *beside)
        fields = self._fields.get((groups, index))
        if fields is None:
            fields = self._fields[groups, index] = Fields(self.rows, groups, index)
        return fields

    def _fields_beside(
        self, groups: "Groups", index: int, package: str, version: str, declared: "CompanionFields"
    ) -> "Fields":
        """The fields of a release with this version of a package beside it; `declared`: the fields that the package
        declares."""
        key = groups, index, package, version
        fields = self._beside.get(key)
        if fields is None:
            key_beside = version_key(version)

            def moved(name: str) -> int:
                owner, since, gone = declared.get(name, _NOBODYS)
                return (
                    self._release_beside(name, groups, index, package, key_beside, since, gone)
                    if owner == package
                    else index
                )

            if len(self._beside) >= MOST_BESIDE:
                self._beside.clear()
            fields = self._beside[key] = Fields(self.rows, groups, index, moved)
        return fields

    def field_beside(
        self, name: str, groups: "Groups", version: str, declared: "tuple[str, Key | None, Key | None]"
    ) -> "Field | None":
        """The field as the newest release has it with this version of the package that declares it."""
        package, since, gone = declared
        place = self._release_beside(name, groups, len(self.releases) - 1, package, version_key(version), since, gone)
        return self.fields(groups, place)[name] if place >= 0 else None

    def _release_beside(
        self,
        name: str,
        groups: "Groups",
        index: int,
        package: str,
        version: "Key",
        since: "Key | None",
        gone: "Key | None",
    ) -> int:
        """The release that has a field as this version of a package declares it: the one with the nearest companion of
        the same major that is no newer, then the nearest one. -1 where that version has no such field."""
        if (since and version < since) or (gone and version >= gone):
            return -1
        known = self.known(name, groups)
        order = self._order_beside(index, package, version)
        return next((place for place in order if known >> place & 1), -1)

    def _order_beside(self, index: int, package: str, version: "Key") -> "list[int]":
        """All releases, those first in which a field is most likely as it is beside the one at a place."""
        order = self._orders.get((index, package, version))
        if order is None:
            if len(self._orders) >= MOST_BESIDE:
                self._orders.clear()
            order = self._orders[index, package, version] = self._ordered(index, package, version)
        return order

    def _ordered(self, index: int, package: str, version: "Key") -> "list[int]":
        told = enumerate(each.get(package) for each in self.companions)
        keys = {place: version_key(each) for place, each in told if each is not None}
        ranks = {key: rank for rank, key in enumerate(sorted({*keys.values()}))}

        def distance(place: int) -> "tuple[object, ...]":
            key = keys[place]
            is_newer, rank = key[:2] > version[:2], ranks[key]
            return key[0] != version[0], is_newer, rank if is_newer else -rank, abs(place - index)

        return sorted(keys, key=distance)

    def known(self, name: str, groups: "Groups") -> int:
        """The releases that know the name, as a bit set."""
        cache = self._known.setdefault(groups, {})
        bits = cache.get(name)
        if bits is None:
            bits = 0
            if name not in self.rows:
                return 0
            for span in self.rows[name]:
                if any(group in groups for group in span[0].split()):
                    bits |= (1 << (span[2] + 1)) - (1 << span[1])
            cache[name] = bits
        return bits

    def fitting(self, name: str, value: object, groups: "Groups") -> int:
        """The releases that have a value among the choices of a name, as a bit set."""
        bits = 0
        for span in self.rows.get(name, ()):
            if len(span) > 5 and span[5] and value in span[5] and any(group in groups for group in span[0].split()):
                bits |= (1 << (span[2] + 1)) - (1 << span[1])
        return bits


class CatalogueOfPatches(Catalogue):
    """A catalogue of a framework whose patches differ in their fields, so that each patch is a release of its own."""

    def release_index(self, key: "tuple[int, ...]") -> int:
        """The release itself; else the newest one of its three numbers, or the nearest older one."""
        if key in self._keys:
            return self._keys.index(key)
        return max((place for place, known in enumerate(self._keys) if known[:3] <= key[:3]), default=-1)

    def is_newer_than_all(self, key: "tuple[int, ...]") -> bool:
        return key[:3] > self._keys[-1][:3]

    def label(self, index: int) -> str:
        """The name of a release among the others."""
        return self.releases[index]
