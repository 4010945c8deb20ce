"""A framework as a copy of it in a checkout has it, where its settings are the fields of flat classes of arguments: fields that the
copy added, and the defaults and plain types that it changed. Which release it is like, its version says."""

from ...record import Record
from ...unknown import UNKNOWN
from ..catalogue import REQUIRED, Catalogue
from .copies import PLAIN, choices_of, is_optional, plain_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Framework, Mapping
    from ..base import Copy, DeclaredField
    from ..catalogue import FieldRows


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


def framework_with_fields(framework: "Framework", copy: "Copy", classes: Classes) -> "Framework | None":
    """A framework with the fields of a copy, in all its releases. None where it differs in no field. All groups are read, whichever is
    meant."""
    catalogue = framework.catalogue
    changed: dict[str, FieldRows] = {}
    newest = len(catalogue.releases) - 1
    for group, targets in classes.by_group.items():
        fields = _fields_of(copy, targets, classes.of_others)
        if group in classes.trainers and framework.reader.trainer.field not in fields:
            continue
        for name, field in fields.items():
            rows = changed.get(name, catalogue.rows.get(name, ()))
            known = [row for row in rows if group in row[0].split()]
            own = _row(field, group, newest, known, classes.unknown_type)
            if own is not None:
                changed[name] = (own, *rows)
    own_catalogue = Catalogue(_Rows(catalogue, changed))  # type: ignore[arg-type]  # as good as a module
    return framework.with_(catalogue=own_catalogue) if changed else None


def _fields_of(copy: "Copy", targets: "tuple[str, ...]", of_others: "frozenset[str]") -> "Mapping[str, DeclaredField]":
    return next(filter(None, (copy.fields_of(target, of_others) for target in targets)), {})


def _row(
    field: "DeclaredField", group: str, newest: int, known: "list[tuple[object, ...]]", unknown_type: str
) -> "tuple[object, ...] | None":
    """The row of a field for all releases; None where some release has it so, or where its default cannot be told."""
    kind, own = _type_of(field)
    if not known:
        default = None if field.default is UNKNOWN else field.default
        return group, 0, newest, kind or unknown_type, default, *own
    is_same = any((row[3], row[4]) == (kind, field.default) and (not own or row[5:] == own) for row in known)
    if is_same or not kind or field.default is UNKNOWN or any(row[4] == REQUIRED for row in known):
        return None
    kept = known[-1][5:] if is_optional(field.annotation) == str(known[-1][3]).endswith("?") else ()
    return group, 0, newest, kind, field.default, *(own or kept)


def _type_of(field: "DeclaredField") -> "tuple[str, tuple[object, ...]]":
    """(the type of a field, empty for none of the plain ones; its choices as the only element, empty where it states none)."""
    choices = choices_of(field.annotation)
    kind = type(choices[0]).__name__ + "?" * is_optional(field.annotation) if choices else plain_type(field.annotation)
    return kind + "?" * (field.default is None and kind in PLAIN), (choices,) if choices else ()
