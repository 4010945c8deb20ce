"""The fields of a framework by release."""

from .versions import minor, version_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, KeysView, Mapping, Sequence
    from types import ModuleType
    from typing import Any, TypeAlias

    Field: TypeAlias = tuple[str, object, tuple[object, ...] | None]  # (type, default, choices)
    Groups: TypeAlias = tuple[str, ...]  # names of classes of arguments
    Spans: TypeAlias = tuple[tuple[Any, ...], ...]  # (groups, first, last, type, default), and choices where there are

REQUIRED = "<required>"


class Fields(dict[str, "Field | None"]):
    """The fields of one release that a file may hold: {name: (type, default, choices)}, None for a name it does not
    know.

    Looked up when they are asked for: a file names some forty of several hundred. `in_order`: (name, text, style) of
    scalars
    that were seen to be values of their fields, for most files say much the same.
    """

    __slots__ = ("_spans", "_groups", "_index", "in_order")
    _spans: "Mapping[str, Spans]"
    _groups: "frozenset[str]"
    _index: int
    in_order: "set[tuple[str, str, str]]"

    def __init__(self, spans: "Mapping[str, Spans]", groups: "Groups", index: int) -> None:
        self._spans = spans
        self._groups = frozenset(groups)
        self._index = index
        self.in_order = set()

    def __missing__(self, name: str) -> "Field | None":
        if name not in self._spans:
            return None  # not remembered: an editor shows a new one with every stroke of a key
        field = self[name] = self._find(self._spans[name])
        return field

    def _find(self, spans: "Spans") -> "Field | None":
        for span in spans:
            if span[1] <= self._index <= span[2] and not self._groups.isdisjoint(span[0].split()):
                default = None if span[4] == REQUIRED else span[4]
                return span[3], default, span[5] if len(span) > 5 else None
        return None

    def required(self) -> list[str]:
        """The names that must be given, because they have no default."""
        return [
            name
            for name, spans in self._spans.items()
            for span in spans
            if span[4] == REQUIRED
            and span[1] <= self._index <= span[2]
            and not self._groups.isdisjoint(span[0].split())
        ]

    def names(self) -> list[str]:
        """All names of the release."""
        return [name for name in self._spans if self[name] is not None]


class Catalogue:
    """The fields of a framework by release; a thin view of a generated module."""

    releases: "tuple[str, ...]"
    companions: "tuple[dict[str, str], ...]"
    _spans: "Mapping[str, Spans]"
    _keys: "tuple[tuple[int, ...], ...]"
    _fields: "dict[tuple[Groups, int], Fields]"
    _known: "dict[Groups, dict[str, int]]"

    def __init__(self, module: "ModuleType") -> None:
        self.releases = module.RELEASES
        self.companions = module.COMPANIONS
        self._spans = module.FIELDS
        self._keys = tuple(version_key(release) for release in module.RELEASES)
        self._fields = {}
        self._known = {}

    def knows(self, name: str) -> bool:
        """Whether any release has a field of this name."""
        return name in self._spans

    def names(self) -> "KeysView[str]":
        """The names of the fields of all releases."""
        return self._spans.keys()

    def release_index(self, key: "tuple[int, ...]") -> int:
        """The release whose fields stand for a version: the one of the same minor, or the nearest older one; -1 for
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
        """A release as it is told apart from those beside it: of each minor one is known."""
        return minor(self.releases[index])

    def fields(self, groups: "Groups", index: int) -> "Fields":
        """What a release knows, in the argument classes named by `groups`."""
        fields = self._fields.get((groups, index))
        if fields is None:
            fields = self._fields[groups, index] = Fields(self._spans, groups, index)
        return fields

    def known(self, name: str, groups: "Groups") -> int:
        """The releases that know the name, as a bit set."""
        cache = self._known.setdefault(groups, {})
        bits = cache.get(name)
        if bits is None:
            bits = 0
            if name not in self._spans:
                return 0
            for span in self._spans[name]:
                if any(group in groups for group in span[0].split()):
                    bits |= (1 << (span[2] + 1)) - (1 << span[1])
            cache[name] = bits
        return bits

    def fitting(self, name: str, value: object, groups: "Groups") -> int:
        """The releases that have a value among the choices of a name, as a bit set."""
        bits = 0
        for span in self._spans.get(name, ()):
            if len(span) > 5 and span[5] and value in span[5] and any(group in groups for group in span[0].split()):
                bits |= (1 << (span[2] + 1)) - (1 << span[1])
        return bits

    def candidates(
        self, names: "Iterable[str]", groups: "Groups", possible: "Sequence[int]", fitting: "Iterable[int]" = ()
    ) -> "tuple[list[int], list[int]]":
        """(the releases that know the most of the names, those that know one less); `possible` and the answers are
        release indices. `fitting`: for values that only some releases take, those that do, as bit sets: each counts like a
        name."""
        everywhere = 0
        for index in possible:
            everywhere |= 1 << index
        telling: dict[int, int] = {}  # a set of releases -> how many names only these know; most names share a few sets
        known = self._known.setdefault(groups, {})
        for name in names:
            bits = (known[name] if name in known else self.known(name, groups)) & everywhere
            if bits and bits != everywhere:
                telling[bits] = telling.get(bits, 0) + 1
        for bits in fitting:
            if bits & everywhere and bits & everywhere != everywhere:
                telling[bits & everywhere] = telling.get(bits & everywhere, 0) + 1
        if not telling:
            return list(possible), []
        scores = [sum(count for bits, count in telling.items() if bits >> index & 1) for index in possible]
        best = max(scores)
        scored = list(zip(possible, scores))
        return [index for index, score in scored if score == best], [
            index for index, score in scored if score == best - 1
        ]
