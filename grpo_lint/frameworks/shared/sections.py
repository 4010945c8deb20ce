"""Frameworks with settings in sections, named by their paths: the family of verl."""

from itertools import islice

from ...record import Record
from ...source.entry import loaded
from ...unknown import UNKNOWN
from ..base import Arithmetic, Attached, Configs, Releases, Renames, pool_of
from ..rule_sets import TRAINS_NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    from ...message import Message
    from ...shared_types import AbstractSet, Entry, Fields, Key, Lookup, Mapping, NamedFiles, Shape


MOST_LOOKED_AT = 20  # keys unknown to all releases that are compared with known ones to find misspellings
ANY = "any"  # the type of a setting of a copy that takes more than one type, or one of no release
_ONLY_EVALUATES, _EVALUATES_FIRST = "trainer.val_only", "trainer.val_before_train"
_EPOCHS, _STEPS_INSTEAD = "trainer.total_epochs", "trainer.max_steps"
_GPUS, _NODES = "trainer.n_gpus_per_node", "trainer.nnodes"


def reference_in(text: str) -> str:
    """The path in a text that is only one reference, `${a.b}` or `${.x}`; empty for any other."""
    path = text[2:-1]
    return path if text == f"${{{path}}}" and {":", "{", "}"}.isdisjoint(path) else ""


class Sizes(Record):
    """The settings of prompts per rollout, completions per prompt, prompts per update, and completions per GPU in one pass."""

    rollout: str
    group: str
    update: str
    micro: "tuple[str, ...]"


def beside(value: object, files: "NamedFiles | None") -> "dict[str, Attached]":
    """What finds files of data and rewards, where a value names Python or JSON; it has no key."""
    found = Attached("", files, "")
    found.is_unusable = True
    return {"beside": found} if files is not None and (".py" in str(value) or ".json" in str(value)) else {}


class SectionConfigs(Configs):
    nested = True
    composed = True

    def implied(self, value: "Lookup", is_whole: bool) -> "dict[str, Attached]":
        """That nothing is trained: `fit` returns after the validation in front of the first step, or makes no step, which is
        meant where the config says that this validation takes place."""
        evaluates, epochs = value(_EVALUATES_FIRST), value(_EPOCHS)
        if evaluates in (None, True) and value(_ONLY_EVALUATES) is True:
            return {TRAINS_NOTHING: Attached(_ONLY_EVALUATES, True, "set")}
        if epochs != 0 or value(_STEPS_INSTEAD) is not None:
            return {}
        found = {TRAINS_NOTHING: Attached(_EPOCHS, 0, "set")} if evaluates in (None, True) else {}
        return found if evaluates is True else {**found, "lacks_epochs": Attached(_EPOCHS, 0, "set")}

    def facts_in_file(self, value: "Lookup") -> "dict[str, tuple[int, str]]":
        """The GPUs of the trainer, 8 on 1 node unless something else is written."""
        per_node, nodes = pool_of(value, (_GPUS, 8), (_NODES, 1))
        facts = {"processes_per_node": (per_node, _GPUS)} if per_node else {}
        if per_node and nodes:
            facts["world_size"] = (per_node * nodes, f"{_GPUS} x {_NODES}")
        return facts


def appended(name: str, entry: "Entry", fields: "Fields") -> object:
    """The value of a setting that a release does not declare, in a section that takes it: appended by a command, or in a file. Raises
    KeyError where it is neither."""
    section = fields[name.rpartition(".")[0]]
    if section is None or section.type != "map" or getattr(entry, "operator", "add") == "set":
        raise KeyError(name)
    value = loaded(entry.value)
    return value if type(value) in (int, bool) or (type(value) is str and "$" not in value) else UNKNOWN


class SectionArithmetic(Arithmetic):
    sizes: Sizes
    gpus: "tuple[str, str]" = (_GPUS, _NODES)  # the settings of GPUs of a node, and of nodes
    update_counts_prompts: bool = True
    spread_by: str = (
        "grpo_lint.frameworks.shared.spread"  # what spreads a model over processes, by its name: few runs ask
    )

    def settings_of(self, shape: "Shape", key: "Key", value: "Lookup | None" = None) -> "dict[str, object] | None":
        spread = self._spread.settings(shape, key)
        if spread is None or not shape.ranks or shape.update % shape.group:
            return None
        prompts = shape.update // shape.group
        return {
            self.gpus[0]: shape.per_node,
            self.gpus[1]: shape.nodes,
            self.sizes.rollout: prompts * shape.updates,
            self.sizes.group: shape.group,
            self.sizes.update: prompts if self.update_counts_prompts else shape.update,
            **dict.fromkeys(self.sizes.micro, shape.micro),
            **spread,
        }

    def why_not(self, shape: "Shape", version: str, key: "Key") -> "Message":
        told: Message = self._spread.why_not(shape, key, {"title": self.framework.title, "version": version})
        return told

    def backends(self) -> "tuple[str, ...]":
        return getattr(self._spread, "BACKENDS", ())

    @property
    def _spread(self) -> "ModuleType":
        return __import__(self.spread_by, fromlist=["settings"])


class SectionReleases(Releases):
    def is_a_fork(self, names: "AbstractSet[str]", groups: "tuple[str, ...]", has_copy: bool) -> bool:
        """Two settings that no release has ever had are no misspellings. One is enough where the repository has a copy
        of the framework, or where another setting is written as no release accepts it."""
        catalogue, reader = self.framework.catalogue, self.framework.reader
        fields = catalogue.fields(groups, len(catalogue.releases) - 1)
        plain = [name for name in names if not name.startswith("+")]
        strange = (name for name in plain if not catalogue.knows(name))
        foreign = [name for name in islice(strange, MOST_LOOKED_AT) if not reader.keys.launch_key(name, (), "")]
        found = _unlike_all(foreign, fields) if foreign else 0
        if found == 1 and not has_copy:
            found += any(catalogue.knows(name) and not catalogue.known(name, groups) for name in plain)
        return found >= (1 if has_copy else 2)


def _unlike_all(names: "list[str]", fields: "Fields") -> int:
    """How many of the names are like none of the settings, two at most."""
    from .near_names import likely  # few files have such a name

    return sum(1 for _ in islice((name for name in names if not likely(name, fields)), 2))


class SectionRenames(Renames):
    """`moved`: {path: the path that replaced it}; `moved_sections`: the same for beginnings of paths."""

    moved: "Mapping[str, str]" = {}
    moved_sections: "tuple[tuple[str, str], ...]" = ()

    def successor(self, name: str, fields: "Fields") -> "tuple[str | None, str]":
        """The path to which a setting has moved, or another setting with the same last part: of one that a release has had, only where no
        release has both, for they mean something else then, and where the settings beside it went the same way."""
        new = self._elsewhere(name)
        if new and fields[new]:
            return new, ""
        from .near_names import likely, may_be

        near = likely(name, fields)
        return (near if near and may_be(name, near, fields, self.framework.catalogue) else None), ""

    def is_moved(self, name: str, other: str) -> bool:
        return self._elsewhere(name) == other

    def moves(self) -> "tuple[Mapping[str, str], tuple[tuple[str, str], ...]]":
        return self.moved, self.moved_sections

    def _elsewhere(self, name: str) -> "str | None":
        """The path of a setting in other releases."""
        moved, moved_sections = self.moves()
        moves = [*moved.items(), *((there, here) for here, there in moved.items())]
        sections = [*moved_sections, *((there, here) for here, there in moved_sections)]
        found = (there for here, there in moves if here == name)
        beside = (there + name[len(here) :] for here, there in sections if name.startswith(here))
        return next(found, None) or next(beside, None)
