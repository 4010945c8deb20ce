"""What completion offers for a launch: keys that are not set yet, and values of a key."""

from ..frameworks.schema import KINDS
from ..message import NOTHING, Message
from ..source.yaml.scalars import shown_value
from .places import kind_of, properties
from .words import aside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Callable, Iterable, Json, Launch

# LSP: CompletionItemKind and CompletionItemTag are plain numbers.
MODULE, PROPERTY, ENUM_MEMBER = 9, 10, 20
DEPRECATED = 1
BOOLEANS = ("true", "false")


def missing_keys(launch: "Launch", written: str = "") -> "list[tuple[str, Json]]":
    """(name, JSON Schema) of the keys that may be added, or stand in place of the one that is `written`. Those that
    decide the batch come first, deprecated ones last. What `written` abbreviates is not there yet."""
    knobs = launch.framework.knobs.names
    missing = [
        (name, described)
        for name, described in properties(launch).items()
        if name not in launch.entries or (written and written in (name, launch.entries[name].name.replace("-", "_")))
    ]
    return sorted(missing, key=lambda pair: (pair[1].get("deprecated", False), pair[0] not in knobs, pair[0]))


def keys_of_section(launch: "Launch", section: str, present: str) -> "list[Json]":
    """The keys and sections that may stand in a section in place of the one that is `present`."""
    begun, sections = _sections_in(launch.entries, section), _sections_in(properties(launch), section)
    found: dict[str, Json] = {}
    for name, described in missing_keys(launch, f"{section}{present}"):
        if not name.startswith(section):
            continue
        head = name.removeprefix(section).partition(".")[0]
        if head not in found and (head == present or head not in begun):
            found[head] = _section(head) if head in sections else add_key(launch, head, described, f"{head}: ")
    return list(found.values())


def _sections_in(names: "Iterable[str]", section: str) -> "set[str]":
    """The sections in a section: those of a file, of which no second one is begun, or those that there may be."""
    inside = (name.removeprefix(section).partition(".") for name in names if name.startswith(section))
    return {head for head, dot, _ in inside if dot}


def _section(name: str) -> "Json":
    return {"label": name, "kind": MODULE, "detail": Message("section"), "documentation": "", "new": f"{name}:"}


def add_key(launch: "Launch", name: str, described: "Json", new: str) -> "Json":
    default = NOTHING
    if "default" in described:
        default = Message("default {value}", {"value": shown_value(described["default"])})
    item = {
        "label": name,
        "kind": PROPERTY,
        "detail": aside([kind_of(described), default]),
        "documentation": described["description"],
        "new": new,
    }
    if described.get("deprecated"):
        item["tags"] = [DEPRECATED]
    if _choices(described):
        item["goes_on"] = True
    return item


def values_of(launch: "Launch", name: str, written: "Callable[[str], str]") -> "list[Json]":
    """Values that a key may have, its default first, of one that chooses what is trained our own; `written`: quotes a value for the place it goes to."""
    described = properties(launch).get(name)
    if described is None:
        return []
    choices = _choices(described)
    trainer = launch.framework.reader.trainer
    first = trainer.value if name == trainer.key else None  # what is trained here
    default = shown_value(described["default"]) if "default" in described else None
    if default is not None and default not in choices and choices and type(described["default"]) is str:
        choices.append(default)  # a name that is not among the examples
    return [
        {
            "label": choice,
            "kind": ENUM_MEMBER,
            "detail": Message("default") if choice == default else "",
            "new": written(choice),
        }
        for choice in sorted(choices, key=lambda choice: (choice != first, choice != default))
    ]


def takes_several(launch: "Launch", name: str) -> bool:
    """Whether a key takes a list of values."""
    described = properties(launch).get(name)
    return described is not None and kind_of(described).startswith(KINDS["list"])


def is_a_switch(launch: "Launch", name: str) -> bool:
    """Whether a key is true or false, so that its flag may stand alone."""
    described = properties(launch).get(name)
    return described is not None and kind_of(described).startswith(KINDS["bool"])


def _choices(described: "Json") -> "list[str]":
    known = described.get("enum") or described.get("examples", ())
    choices = [shown_value(choice) for choice in known if choice is not None]
    return choices or (list(BOOLEANS) if kind_of(described).startswith(KINDS["bool"]) else [])
