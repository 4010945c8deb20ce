"""A framework as a copy of it in a checkout has it, where its settings are the fields of flat classes of arguments: fields that the
copy added, and the defaults, plain types and choices that it changed. Of the releases it is most like it is the one that it calls
itself."""

from ...record import Record
from ...unknown import UNKNOWN
from ..catalogue import REQUIRED, Catalogue
from .copies import PLAIN, as_copied, choices_of, is_optional, nearest, plain_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ...shared_types import Framework, Mapping
    from ..base import Copy, DeclaredField
    from ..catalogue import Field, FieldRows

    Row = tuple[Any, ...]


# what transformers declares, and only newer ones, so that it is in some releases of a framework by the age of what stood beside them
OF_TRANSFORMERS = frozenset(
    "activation_checkpointing activation_checkpointing_kwargs ddp_static_graph hub_revision liger_kernel_config parallelism_config "
    "trackio_bucket_id trackio_static_space_id use_ipex".split()
)


class Classes(Record):
    """The classes of arguments of a framework.

    by_group      {group of the catalogue: the full names that its class has in one release or another}
    trainers      those groups whose class is another one where it lacks the size of the group
    of_others     packages with classes that these are made from; their fields are in no copy
    unknown_type  of a setting of no release whose type is none of the plain ones
    """

    by_group: "Mapping[str, tuple[str, ...]]"
    trainers: "tuple[str, ...]"
    of_others: "frozenset[str]"
    unknown_type: str


class _Rows:
    """What a generated module of a catalogue holds, with the fields of a copy."""

    def __init__(self, catalogue: Catalogue, fields: "dict[str, FieldRows]") -> None:
        self.RELEASES, self.COMPANIONS = catalogue.releases, catalogue.companions
        self.FIELDS = {**catalogue.rows, **fields}


def framework_with_fields(framework: "Framework", copy: "Copy", group: str, classes: Classes) -> "Framework | None":
    """A framework with the fields of a copy, in all its releases, of which it is most like some by the fields of one group. Where the
    class of that group is not found its version tells the release; None where it differs in no field then. All groups are read."""
    catalogue, trainer = framework.catalogue, framework.reader.trainer.field
    found = {each: _fields_of(copy, targets, classes.of_others) for each, targets in classes.by_group.items()}
    found = {each: fields for each, fields in found.items() if trainer in fields or each not in classes.trainers}
    alike, likeness = nearest(_likeness(framework, group, found.get(group, {})))
    changed = _changed(catalogue, found, alike, classes.unknown_type)
    if changed:
        catalogue = Catalogue(_Rows(catalogue, changed))  # type: ignore[arg-type]  # as good as a module
    if not alike:
        return framework.with_(catalogue=catalogue) if changed else None
    choices = frozenset(name for name, field in found[group].items() if choices_of(field.annotation))
    return as_copied(framework, copy, catalogue, [catalogue.releases[index] for index in alike], likeness, choices)


def _changed(
    catalogue: Catalogue, found: "Mapping[str, Mapping[str, DeclaredField]]", alike: "list[int]", unknown_type: str
) -> "dict[str, FieldRows]":
    """The rows of the fields of some groups that the releases which are most alike do not have so; of any where none is."""
    changed: dict[str, FieldRows] = {}
    for group, fields in found.items():
        for name, field in fields.items():
            rows = changed.get(name, catalogue.rows.get(name, ()))
            known = [row for row in rows if group in row[0].split()]
            there = [next((row for row in known if row[1] <= index <= row[2]), None) for index in alike]
            own = _row(field, group, len(catalogue.releases) - 1, known, there, unknown_type)
            if own is not None:
                changed[name] = (own, *rows)
    return changed


def _likeness(framework: "Framework", group: str, fields: "Mapping[str, DeclaredField]") -> "dict[int, float]":
    """{release with the trainer: the share of settings that it and a copy with these fields both have, with the same default, of all
    that either has}, without those that transformers declares; none for a copy without fields."""
    catalogue = framework.catalogue
    with_trainer = catalogue.known(framework.reader.trainer.field, (group,)) if fields else 0
    others = {*framework.releases.companion_fields, *OF_TRANSFORMERS}
    own = {name: bits for name, bits in catalogue.settings((group,)) if name in fields or
           (bits & with_trainer != with_trainer and name not in others)}  # fmt: skip
    found: dict[int, float] = {}
    for index in range(len(catalogue.releases)):
        if with_trainer >> index & 1:
            known = [name for name, bits in own.items() if bits >> index & 1]
            released = catalogue.fields((group,), index)
            same = sum(name in fields and _has_default(fields[name], released[name]) for name in known)
            found[index] = same / len({*known, *fields})
    return found


def _has_default(field: "DeclaredField", released: "Field | None") -> bool:
    return released is not None and field.default in (UNKNOWN, released.default)


def _fields_of(copy: "Copy", targets: "tuple[str, ...]", of_others: "frozenset[str]") -> "Mapping[str, DeclaredField]":
    return next(filter(None, (copy.fields_of(target, of_others) for target in targets)), {})


def _row(
    field: "DeclaredField", group: str, newest: int, known: "list[Row]", there: "list[Row | None]", unknown_type: str
) -> "Row | None":
    """The row of a field for all releases; None where those that are most alike have it so, or have it and its default cannot be told.
    `known`: the rows of its name, `there`: those in the releases that are most alike."""
    kind, own = _type_of(field)
    if not known:
        default = None if field.default is UNKNOWN else field.default
        return group, 0, newest, kind or unknown_type, default, *own
    same = [row is not None and _says(row, kind, field.default, own) for row in there or known]
    if all(same) if there else any(same):
        return None
    last = known[-1]
    if _is_told(field, kind, known):
        kept = last[5:] if is_optional(field.annotation) == str(last[3]).endswith("?") else ()
        return group, 0, newest, kind, field.default, *(own or kept)
    return (group, 0, newest, last[3], None, *last[5:]) if None in there else None


def _is_told(field: "DeclaredField", kind: str, known: "list[Row]") -> bool:
    """Whether the type and the default of a field can be told."""
    return bool(kind) and field.default is not UNKNOWN and all(row[4] != REQUIRED for row in known)


def _says(row: "Row", kind: str, default: object, own: "tuple[object, ...]") -> bool:
    """Whether a row has a type and a default, and the choices where a copy states its own."""
    return (row[3], row[4]) == (kind, default) and (not own or row[5:] == own)


def _type_of(field: "DeclaredField") -> "tuple[str, tuple[object, ...]]":
    """(the type of a field, empty for none of the plain ones; its choices as the only element, empty where it states none)."""
    choices = choices_of(field.annotation)
    kind = type(choices[0]).__name__ + "?" * is_optional(field.annotation) if choices else plain_type(field.annotation)
    return kind + "?" * (field.default is None and kind in PLAIN), (choices,) if choices else ()
