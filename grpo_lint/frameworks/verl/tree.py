"""The trees of settings of verl by release: the generated catalogue, parsed line by line on first use."""

from ...unknown import UNKNOWN
from ..catalogue import CatalogueOfPatches, Field, Fields
from ..versions import version_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, KeysView
    from types import ModuleType

    from ..catalogue import Beside, Groups

    Row = tuple[frozenset[str], int, int, str, str | None]  # (groups, first, last, type, default)

# How the names of settings end that count things.
COUNTS = ("_batch_size", "_batch_size_per_gpu", "parallel_size", "_per_gpu", ".n", "_per_node", ".nnodes", "num_workers",
          "_epochs", "_size", "_length")  # fmt: skip
_SET, _ADD = 0, 1  # how a path may be written: plainly, or only appended
_OPEN, _STRICT = "map", "node"
# Strict sections that every run converts to a dataclass, so that an unknown field ends the run; of the others this is
# unknown.
BUILT = ("actor_rollout_ref.actor", "actor_rollout_ref.rollout")


_OR_ALL = "fsdp_size"  # -1 stands for all GPUs


class AskedField(Field):
    """A field of whose value something is asked: what the code does with it, in the words of the catalogue, which `demands.py`
    reads, or that it counts things."""

    __slots__ = ("asked", "is_count")

    def __init__(self, type: str, default: object, asked: str, is_count: bool) -> None:
        words = asked.partition("=")[2].partition(";")[0]
        super().__init__(type, default, tuple(words.split("|")) if words else None)
        self.asked = asked
        self.is_count = is_count

    def has_type_of(self, value: object) -> bool:
        """Whether a value has the field's type, and is in every range that is asked for."""
        if value.__class__ is int and self.is_count and value < 0:
            return False
        if "!" in self.asked and not is_of_type(value, self.asked):
            return False
        if self.asked[-1:] in (",", "]", ")") and value.__class__ in (int, float):
            return is_within(value, self.asked) and super().has_type_of(value)
        return super().has_type_of(value)


def is_of_type(value: object, asked: str) -> bool:
    """Whether a value has one of the types of the first `!int|str` that is asked for; a truth value is a number as well."""
    types = asked.partition("!")[2].partition(";")[0].split("|")
    return type(value).__name__ in types or (type(value) is bool and "int" in types)


def is_within(value: "int | float", asked: str) -> bool:
    """Whether a number is in the range at the end of what is asked, such as `(0,1]`, whose ends may be open."""
    start = max(asked.rfind("("), asked.rfind("["))
    low, _, high = asked[start + 1 :].rstrip("])").partition(",")
    above = not low or (value > float(low) if asked[start] == "(" else value >= float(low))
    return above and (not high or (value < float(high) if asked[-1] == ")" else value <= float(high)))


class Node:
    """What the releases know of a path: [(groups, first, last, type, default)], and bits of releases by group and
    access. `asked`: what their code asks of a value, in the same form without a default."""

    __slots__ = ("rows", "asked", "_bits")

    def __init__(self, rows: "list[Row]", asked: "tuple[Row, ...]" = ()) -> None:
        self.rows = rows
        self.asked = asked
        self._bits: dict[tuple[frozenset[str], int, str | None], int] = {}

    def bits(self, groups: "Iterable[str]", access: int = _SET, kind: "str | None" = None) -> int:
        """The releases that have it in a tree of one of the groups: plainly, or as a field that has to be appended."""
        key = frozenset(groups), access, kind
        found = self._bits.get(key)
        if found is None:
            found = 0
            for letters, first, last, type, _ in self.rows:
                if (type[0] == "+") == (access == _ADD) and kind in (None, type) and not letters.isdisjoint(groups):
                    found |= (1 << last + 1) - (1 << first)
            self._bits[key] = found
        return found

    def null_bits(self, groups: "Iterable[str]") -> int:
        """The releases in which it is null, or may be, in a tree of one of the groups. There Hydra allows appending it
        again."""
        found, wanted = 0, frozenset(groups)
        for letters, first, last, type, default in self.rows:
            is_null = type in ("ref", "required") or (
                default is None and type not in (_OPEN, _STRICT, "list") and type[0] != "+"
            )
            if is_null and not letters.isdisjoint(wanted):
                found |= (1 << last + 1) - (1 << first)
        return found


class Nodes:
    """The nodes of all trees by path. A section is split when one of its keys is first needed, and the node is parsed
    then."""

    def __init__(self, module: "ModuleType") -> None:
        self._sections: dict[str, str] = module.SECTIONS
        self._letters: dict[str, str] = module.GROUPS
        self._newest: int = len(module.RELEASES) - 1
        self._split: dict[str, dict[str, list[str]]] = {}  # {section: {key: its lines, without the key}}
        self._read: dict[str, Node] = {}

    def find(self, path: str) -> Node | None:
        found = self._read.get(path)
        if found is None:
            section, _, key = path.rpartition(".")
            lines = self._lines(section).get(key)
            if lines is None:
                return None
            found = self._read[path] = self._node(lines)
        return found

    def paths(self) -> list[str]:
        return [f"{section}.{key}" if section else key for section in self._sections for key in self._lines(section)]

    def _lines(self, section: str) -> "dict[str, list[str]]":
        found = self._split.get(section)
        if found is None:
            found = self._split[section] = {}
            key = ""
            for line in self._sections.get(section, "").splitlines():
                name, _, rest = line.partition(" ")
                if name:
                    key = name
                    found[key] = [rest]
                else:
                    found[key].append(rest)
        return found

    def _node(self, lines: "list[str]") -> Node:
        found: list[Row] = []
        asked: list[Row] = []
        for line in lines:
            type, spans, *rest = line.split(" ", 2)
            rows = asked if type[0] == ":" else found
            for span in spans.split(","):
                bare = span.lstrip("abcdefghijklmnopqrstuvwxyz")
                first, _, last = bare.partition("-")
                letters = frozenset(map(self._letters.__getitem__, span[: len(span) - len(bare)]))
                rows.append((letters, int(first), int(last) if last else self._newest, type, rest[0] if rest else None))
        return Node(found, tuple(asked))


def _default(type: str, text: "str | None") -> object:
    """The default of a setting; None for one that is null, or follows another one."""
    if text is None or type == "ref":
        return UNKNOWN if type == "list" else None
    kind = type.rstrip("?")
    if kind == "bool" or text in ("True", "False"):
        return text == "True"
    if kind == "int" or (kind == "any" and text.lstrip("-").isdigit()):
        return int(text)
    if kind in ("float", "any"):  # `any` where a class takes a text as well: the default is a number
        return float(text)
    return "" if text == "''" else text


class LaidNodes(Nodes):
    """The nodes of all trees with those of some sections over them, in the same form: what these know of a path counts first."""

    def __init__(self, module: "ModuleType", sections: "dict[str, str]", below: Nodes) -> None:
        super().__init__(module)
        self._sections = sections
        self._below = below

    def find(self, path: str) -> Node | None:
        own, below = super().find(path), self._below.find(path)
        return own if below is None else below if own is None else Node([*own.rows, *below.rows], below.asked)

    def paths(self) -> list[str]:
        return [*dict.fromkeys((*self._below.paths(), *super().paths()))]


class CopiedNodes(Nodes):
    """The nodes of the tree of one copy."""

    def __init__(self, nodes: "dict[str, Node]") -> None:
        self._read = nodes

    def find(self, path: str) -> Node | None:
        return self._read.get(path)

    def paths(self) -> list[str]:
        return [*self._read]


class TreeFields(Fields):
    """The fields of one release in the form of `catalogue.Fields`: {path: (type, default, choices)}, None for no
    setting."""

    __slots__ = ("_nodes",)

    def __init__(self, nodes: Nodes, groups: "Groups", index: int) -> None:
        super().__init__({}, groups, index)
        self._nodes = nodes

    def __missing__(self, path: str) -> "Field | None":
        node = self._nodes.find(path)
        field = None if node is None else self._field(path, node)
        if node is not None:
            self[path] = field
        return field

    def _field(self, path: str, node: Node) -> "Field | None":
        for letters, first, last, type, default in node.rows:
            if first <= self._index <= last and not letters.isdisjoint(self._groups):
                kind = type.lstrip("+")
                if kind in (_OPEN, _STRICT):
                    return Field(kind)
                told = self._followed_type(path, default) if kind == "ref" else "any?" if kind == "required" else kind
                asked, value = self._asked(node), _default(kind, default)
                is_count = path.endswith(COUNTS) and told.startswith("int") and (value is None or value >= 0)  # type: ignore[operator]
                is_count = is_count and not path.endswith(_OR_ALL)
                return AskedField(told, value, asked, is_count) if asked or is_count else Field(told, value)
        return None

    def _followed_type(self, path: str, target: "str | None") -> str:
        """The type of a setting that follows another one: that of the other one of the same name, where that is a number."""
        name = (target or "").removeprefix("oc.select:").partition(",")[0]
        if name == path or name.rpartition(".")[2] != path.rpartition(".")[2]:
            return "any?"
        kind = (self.kind(name) or "any").rstrip("?")
        return f"{kind}?" if kind in ("int", "float") else "any?"

    def _asked(self, node: Node) -> str:
        """What the code of the release asks of a value, without the colon."""
        for letters, first, last, asked, _ in node.asked:
            if first <= self._index <= last and not letters.isdisjoint(self._groups):
                return asked[1:]
        return ""

    def kind(self, path: str) -> str | None:
        """`map` or `node` for a section, the type of another setting, None for none."""
        field = self[path]
        return None if field is None else field.type

    def reference(self, path: str) -> str | None:
        """The path that a setting follows, None when it follows none."""
        node = self._nodes.find(path)
        for letters, first, last, type, default in node.rows if node is not None else ():
            if first <= self._index <= last and type == "ref" and not letters.isdisjoint(self._groups):
                return default
        return None

    def in_some_tree(self, path: str) -> bool:
        """Whether the release has a setting, even if only in the tree of another engine."""
        node = self._nodes.find(path)
        return node is not None and any(first <= self._index <= last for _, first, last, _, _ in node.rows)

    def required(self) -> list[str]:
        return []

    def names(self) -> list[str]:
        """All settings of the release that a command may write plainly, without sections."""
        if self._names is None:
            self._names = [*self._plain_names()]
        return [*self._names]

    def _plain_names(self) -> "Iterator[str]":
        bit = 1 << self._index
        for path in self._nodes.paths():
            node = self._nodes.find(path)
            if node is not None and node.bits(self._groups) & bit and self.kind(path) not in (_OPEN, _STRICT):
                yield path


class Tree(CatalogueOfPatches):
    """The settings of verl. A name may be written as on the command line: `+a.b` is known where it can be appended,
    `~a.b` where it can be deleted."""

    def __init__(self, nodes: Nodes, releases: "tuple[str, ...]", built: "tuple[str, ...]" = BUILT) -> None:
        """`built`: sections of which a run makes dataclasses."""
        self._built = built
        self.releases = releases
        self.companions = ({},) * len(releases)
        self._nodes = nodes
        self._keys = tuple(map(version_key, releases))
        self._all: int = (1 << len(releases)) - 1
        self._trees: dict[tuple[Groups, int], TreeFields] = {}
        self._known = {}

    def copied_as(self, nodes: Nodes, releases: "tuple[str, ...]") -> "Tree":
        """The tree of a copy of some releases, of which a run makes the same dataclasses."""
        return Tree(nodes, releases, self._built)

    @property
    def is_of_releases(self) -> bool:
        """Whether it is as the releases have it."""
        return not isinstance(self._nodes, CopiedNodes)

    def knows(self, name: str) -> bool:
        return self._nodes.find(name) is not None

    def names(self) -> "KeysView[str]":
        return dict.fromkeys(self._nodes.paths()).keys()

    def settings(self, groups: "Groups") -> "Iterator[tuple[str, int]]":
        """(path, the releases that have it, as bits) of all settings that a command may write plainly, without sections."""
        for path in self._nodes.paths():
            node = self._nodes.find(path)
            if node is not None:
                yield path, node.bits(groups) & ~node.bits(groups, kind=_OPEN) & ~node.bits(groups, kind=_STRICT)

    def fitting(self, name: str, value: object, groups: "Groups") -> int:
        """The releases that take a value which some of them look up."""
        node = self._nodes.find(name)
        taking = refusing = 0
        for letters, first, last, asked, _ in node.asked if node is not None else ():
            if "=" in asked and not letters.isdisjoint(groups):
                bits = (1 << last + 1) - (1 << first)
                if value in asked.partition("=")[2].split("|"):
                    taking |= bits
                else:
                    refusing |= bits
        return node.bits(groups) & ~(refusing & ~taking) if node is not None and taking else 0

    def fields(self, groups: "Groups", index: int, beside: "Beside | None" = None) -> TreeFields:
        found = self._trees.get((groups, index))
        if found is None:
            found = self._trees[groups, index] = TreeFields(self._nodes, groups, index)
        return found

    def known(self, name: str, groups: "Groups") -> int:
        """The releases that accept a key as it is written, as a bit set."""
        cache = self._known.setdefault(groups, {})
        bits = cache.get(name)
        if bits is None:
            bits = cache[name] = self._known_as(name, groups)
        return bits

    def _known_as(self, name: str, groups: "Groups") -> int:
        path = name.lstrip("+~")
        node = self._nodes.find(path)
        present = node.bits(groups) if node is not None else 0
        if name == path or name[0] == "~":
            return present
        appended = self._appendable(path, node, groups)
        if name.startswith("++"):
            return present | appended
        return appended & ~present | (node.null_bits(groups) if node is not None else 0)

    def _appendable(self, path: str, node: Node | None, groups: "Groups") -> int:
        """The releases in which a path that is not in the tree can be appended without ending the run."""
        strict = next((section for section in self._built if path.startswith(f"{section}.")), None)
        if strict is None:
            return self._all
        taken = node.bits(groups, _ADD) if node is not None else 0
        left, section = self._all & ~taken, path
        while left and section:
            section = section.rpartition(".")[0]
            holder = self._nodes.find(section) if section else None
            if holder is None:
                continue
            there = holder.bits(groups)
            taken |= left & holder.bits(groups, kind=_OPEN)
            # a field of a dataclass that is no mapping in the tree may hold anything
            taken |= left & holder.bits(groups, _ADD)
            taken |= left & there & ~holder.bits(groups, kind=_OPEN) & ~holder.bits(groups, kind=_STRICT)
            left &= ~(there | holder.bits(groups, _ADD))
        return taken | left


def tree_of(module: "ModuleType", over: "dict[str, str] | None" = None, built: "tuple[str, ...]" = BUILT) -> Tree:
    """The trees of all releases, from the generated module. `over`: sections that another program lays over them; `built`: those
    of which a run makes dataclasses."""
    nodes = Nodes(module)
    return Tree(LaidNodes(module, over, nodes) if over else nodes, module.RELEASES, built)
