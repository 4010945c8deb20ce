"""EasyR1 as a copy in a checkout has it, by its dataclasses: all that a file or a command can set is a field of them."""

from ...record import Record
from ...unknown import UNKNOWN
from ..catalogue import CatalogueOfPatches
from ..shared.copies import PLAIN, as_copied, inner_type, is_optional, most_alike
from ..shared.sections import ANY
from .checks import CHECKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...shared_types import Framework
    from ..catalogue import FieldRows
    from ..protocols import Copy, DeclaredField

_ROOT = "verl.trainer.config.PPOConfig"
_LISTS, _MAPPINGS = ("list", "tuple"), ("dict", "mapping")
DEEPEST = 8  # sections in one another


class _Module(Record):
    """What a generated module of a catalogue holds."""

    RELEASES: "tuple[str, ...]"
    COMPANIONS: "tuple[dict[str, str], ...]"
    FIELDS: "Mapping[str, FieldRows]"


def framework_of(framework: "Framework", copy: "Copy", group: str) -> "Framework | None":
    """EasyR1 as a copy has it; None where one of its classes is not found."""
    try:
        fields = {path: _typed(field) for path, field in _settings_of(copy, _ROOT, "")}
    except LookupError:
        return None
    if framework.reader.trainer.field not in fields:
        return None
    releases = framework.catalogue
    alike, likeness = most_alike(framework, (group,), fields.keys())
    texts = tuple(releases.releases[index] for index in alike)
    rows = {path: ((group, 0, len(alike) - 1, kind, default),) for path, (kind, default) in fields.items()}
    own = CatalogueOfPatches(_Module(RELEASES=texts, COMPANIONS=({},) * len(texts), FIELDS=rows))  # type: ignore[arg-type]  # as good as a module
    return as_copied(framework, copy, own, texts, likeness, CHECKS)


def _settings_of(copy: "Copy", target: str, path: str) -> "Iterator[tuple[str, DeclaredField]]":
    """(path, field) of all settings below a class. Raises LookupError where it is not found."""
    fields = copy.fields_of(target)
    if fields is None or path.count(".") > DEEPEST:
        raise LookupError(target)
    for name, field in fields.items():
        place = f"{path}.{name}" if path else name
        kind = inner_type(field.annotation)
        if kind.isidentifier() and kind.endswith("Config"):
            yield from _settings_of(copy, f"{field.home}.{kind}", place)
        else:
            yield place, field


def _typed(field: "DeclaredField") -> "tuple[str, object]":
    """The type of a field in the notation of the catalogues, and its default."""
    kind = inner_type(field.annotation).partition("[")[0]
    kind = "list" if kind.lower() in _LISTS else "dict" if kind.lower() in _MAPPINGS else kind if kind in PLAIN else ANY
    default = None if kind in ("list", "dict") or field.default is UNKNOWN else field.default
    return kind + ("?" if is_optional(field.annotation) else ""), default
