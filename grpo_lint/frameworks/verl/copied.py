"""verl as a copy in a checkout has it: its tree composed, and the dataclasses that runs make of sections."""

import re

from ...record import kept
from ...unknown import UNKNOWN
from ..registry import FORKS, framework as framework_named
from ..shared.copies import PLAIN, as_copied, inner_type, most_alike, plain_type
from .checks import CHECKS
from .framework import PRIMARY_TREES
from .tree import CopiedNodes, Node, Tree, TreeFields

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Set as AbstractSet

    from ...shared_types import Framework
    from ..protocols import Copy, DeclaredField

    Row = tuple[str, str | None]  # (type, default) as in the generated module

_PRIMARIES = {"dp": "ppo_trainer", "megatron": "ppo_megatron_trainer"}
_TARGET = "_target_"
_UNTYPED = ""  # the type of a setting that is null, and that no class declares
_BY_VALUE = "="  # in front of the type of a number that no class declares
_MARK = "trainer.use_v1"  # the trainer that is new in 0.9 hands prompts out otherwise
_MOST_CONFIGS = 20  # of a copy, in which a setting is looked for
_MAKING = ("omega_conf_to_dataclass", "validate_config")  # functions that make of a section the class that it names


def framework_of(framework: "Framework", copy: "Copy", group: str) -> "Framework | None":
    """verl as a copy has it, with the tree of one engine; None where that cannot be composed."""
    releases = framework.catalogue
    if not isinstance(releases, Tree) or not releases.is_of_releases:
        return None
    tree = _tree_of(framework, copy, group)
    if tree:
        framework = _as_forked(framework, tree)
        releases = framework.catalogue
    if not tree or framework.reader.trainer.field not in tree or not isinstance(releases, Tree):
        return None
    names = {path for path in tree if not path.endswith(f".{_TARGET}")}
    alike, likeness = most_alike(framework, (group,), names, _MARK)
    if not alike:
        return None
    fields = releases.fields((group,), alike[-1])
    nodes = {
        path: Node([(frozenset((group,)), 0, len(alike) - 1, _type_as_in(fields, path, kind), default)])
        for path, (kind, default) in _rows_of(tree, copy).items()
    }
    own = releases.copied_as(CopiedNodes(nodes), tuple(releases.releases[index] for index in alike))
    return as_copied(framework, copy, own, own.releases, likeness, CHECKS)


def _tree_of(framework: "Framework", copy: "Copy", group: str) -> "dict[str, object] | None":
    """The tree of one engine. Where files of it are not here, as those in folders that git ignores, the rest of it lies over the whole
    tree that verl keeps composed in one file."""
    choices = {} if group in _PRIMARIES else {"model_engine": group}
    primaries = _primaries_of(framework, copy, group)
    for primary in primaries:
        tree = copy.composed(framework, primary, choices)
        if tree:
            return tree
    usual = framework.reader.primaries.folder, f"{_PRIMARIES.get(group, f'ppo_{group}_trainer')}.yaml"
    for primary in sorted(primaries, key=lambda each: each != copy.config):
        folder, _, name = primary.rpartition("/")
        for place, tree_name in ((folder, usual[1] if choices else name), usual):
            kept = copy.composed(framework, f"{place}/_generated_{tree_name}", {})
            own = copy.composed(framework, primary, choices, partly=True) if kept else None
            if kept and (own or place == folder):
                return {**kept, **(own or {})}
    return None


def other_config_with(name: str, framework: "Framework", copy: "Copy") -> str:
    """The config of its own that a copy has beside those of verl and that has a setting, the one with the shortest name; empty for none."""
    return next((config for config, names in _other_configs(framework, copy) if name in names), "")


@kept(10)
def _other_configs(framework: "Framework", copy: "Copy") -> "list[tuple[str, AbstractSet[str]]]":
    """(config, the settings of its tree) of those of its own, those with the shortest names first."""
    of_program = framework.reader.primaries
    own = [each for each in copy.configs_in(of_program.folder) if each not in of_program.names and each[0] != "_"]
    trees = (
        (each, copy.composed(framework, f"{of_program.folder}/{each}.yaml", {}) or {})
        for each in sorted(own[:_MOST_CONFIGS], key=len)
    )
    return [(each, tree.keys()) for each, tree in trees if framework.reader.trainer.field in tree]


def _as_forked(framework: "Framework", tree: "Container[str]") -> "Framework":
    """The fork of a framework whose settings a tree has all; of a fork, the framework itself where the tree has not."""
    base = FORKS[framework.name][0] if framework.name in FORKS else framework.name
    if framework.name == base and framework is not framework_named(base):
        return framework  # as another program has it
    for fork, (of, section, marks) in FORKS.items():
        if of == base and all(f"{section}.{mark}" in tree for mark in marks):
            return framework_named(fork)
    return framework_named(base)


def _primaries_of(framework: "Framework", copy: "Copy", group: str) -> "list[str]":
    """The paths, below the folder around a copy, that may hold the config from which a program starts with an engine: the configs of
    another program than the usual one lie beside it, where one may have a name of its own; so may that of the usual one."""
    of_program = framework.reader.primaries
    own_config = [copy.config] if copy.config else []
    if not of_program.programs:
        usual = f"{of_program.folder}/{_PRIMARIES.get(group, 'ppo_trainer')}.yaml"
        return [*own_config, usual] if group == "dp" else [usual]
    own = [name for name, tree in of_program.trees.items() if tree == group and name not in PRIMARY_TREES]
    folders = ["/".join([*program.split(".")[:-1], "config"]) for program in of_program.programs]
    return [f"{folder}/{name}.yaml" for folder in folders for name in own] + own_config


def _rows_of(tree: "dict[str, object]", copy: "Copy") -> "dict[str, Row]":
    """{path: (type, default)} of the settings of a tree, of its sections, and of the fields that stand in a dataclass alone."""
    classes = {
        path.rpartition(".")[0]: copy.fields_of(target)
        for path, target in tree.items()
        if path.endswith(f".{_TARGET}") and type(target) is str and _may_be_made(copy, path.split("."))
    }
    rows: dict[str, Row] = {}
    for path, value in tree.items():
        section, _, key = path.rpartition(".")
        if key != _TARGET:
            rows[path] = _row(value, _fields_in(copy, tree, classes, section).get(key))
        while section and section not in rows:
            # of a class that is not found nobody knows which fields it has
            rows[section] = "node" if classes.get(section) else "map", None
            section = section.rpartition(".")[0]
    for section, fields in classes.items():
        rows |= _appended(section, fields, rows) if fields else {}
    return rows


def _fields_in(
    copy: "Copy", tree: "dict[str, object]", classes: "Mapping[str, Mapping[str, DeclaredField] | None]", section: str
) -> "Mapping[str, DeclaredField]":
    """The fields of a section: those of the class that it names, or that the class of its own section says for this part."""
    above, _, name = section.rpartition(".")
    field = None if classes.get(section) else (classes.get(above) or {}).get(name)
    package = str(tree.get(f"{above}.{_TARGET}")).rpartition(".")[0]
    own = classes.get(section) if field is None else copy.fields_of(f"{package}.{inner_type(field.annotation)}")
    return own or {}


def _may_be_made(copy: "Copy", names: "list[str]") -> bool:
    """Whether code of a copy may make the class of a section with these names on its path. A fork that has taken over the tree of a
    later release, and not its workers, names classes that nothing makes: there a section takes any key."""
    handed = copy.first_arguments(_MAKING)
    return not handed or any("." not in each or not set(names).isdisjoint(each.split(".")) for each in handed)


def _appended(section: str, fields: "Mapping[str, DeclaredField]", rows: "dict[str, Row]") -> "dict[str, Row]":
    """The fields of the class of a section that its tree does not have."""
    own = {f"{section}.{name}": field for name, field in fields.items() if not name.startswith("_")}
    return {
        path: (f"+{plain_type(field.annotation) or 'any?'}", None) for path, field in own.items() if path not in rows
    }


def _row(value: object, field: "DeclaredField | None") -> "Row":
    """The type and the default of a setting, by its value in the tree and its field in the dataclass."""
    told = plain_type(field.annotation) if field is not None else ""
    if isinstance(value, dict):
        return "map", None
    if type(value) is str and "${" in value:
        return "ref", value[2:-1] if value.startswith("${") and value.count("}") == 1 else value
    if value == "???":
        return "required", None
    if value is None:
        return told or ("any?" if field is not None else _UNTYPED), None
    if value is UNKNOWN or type(value) is list:
        return "list", None
    return _type_of(value, told, field), str(value) or "''"


def _type_of(value: object, told: str, field: "DeclaredField | None") -> str:
    kind = type(value).__name__
    if field is not None and kind != "str" and "str" in re.split(r"\W+", field.annotation):
        return "any"  # `str | float`
    if field is None and kind in ("int", "float"):
        return f"{_BY_VALUE}{kind}"
    return "float" if kind == "int" and told.startswith("float") else kind


def _type_as_in(fields: TreeFields, path: str, kind: str) -> str:
    """The type of a setting that no class of the copy declares, as the nearest release has it: of one that is null, and of a number, in
    the place of which the copy may take a word where no release has the setting."""
    if kind.startswith(_BY_VALUE):
        return kind.removeprefix(_BY_VALUE) if fields[path] is not None else "any"
    if kind != _UNTYPED:
        return kind
    known = fields[path]
    told = known.type.rstrip("?") if known is not None else ""
    return f"{told}?" if told in PLAIN else "any?"
