"""How ms-swift accepts values, as a JSON Schema says it."""

from ...message import Message
from ..schema import NUMERIC_TEXT, PLACEHOLDER, environment, explained, in_words, is_plain, kinds_of
from .shared import JSON_FIELDS, MAPPING_FIELDS, NAMES, NO_JSON, NO_MAPPING, TEXTS_BESIDE_JSON

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Choices, Iterable, Schema, SchemaRelease


class Flags:
    """How ms-swift accepts values: as the texts of a command-line flag; a list is several texts, a mapping its JSON.

    null is always refused: it becomes the text None, which most fields cannot read and the others keep as a text.
    """

    refuses_unknown_keys = True

    def __init__(self, release: "SchemaRelease") -> None:
        self.release = release
        # These releases join the items of a list without converting them to texts first.
        self._lists_hold_texts = (3, 10) <= release.key[:2] < (4, 6)

    @property
    def about(self) -> str:
        text = "Every value becomes the text of a command-line flag; unknown keys are refused."
        return text + " The items of a list have to be texts: quote numbers." if self._lists_hold_texts else text

    def own(self, name: str, kind: str, choices: "Choices | None") -> "Schema | None":
        choices = choices or (None if name == "debug" else NAMES.get(name))
        if choices:
            return {"enum": list(dict.fromkeys(form for choice in choices for form in _forms(choice)))}
        if name == "debug":
            return self._several({"type": ["string"], "pattern": rf"^({'|'.join(NAMES[name])}|{PLACEHOLDER})$"})
        if name in JSON_FIELDS and "str" in kind:
            form = "json-mapping" if name in MAPPING_FIELDS else "json"
            also = TEXTS_BESIDE_JSON.get(name)
            return self._one(json_text(NO_JSON, also)) if also else {"$ref": f"#/$defs/{form}"}
        if kind == "bool?" and self.release.field(name).default is not None:
            return {"$ref": "#/$defs/switch-or-null"}
        return None

    def accepted(self, kind: str) -> "Schema":
        """What the fields of a type accept."""
        parts, nullable = kind.rstrip("?").split("|"), kind.endswith("?")
        # transformers turns a union into one flag: of a text or another type, whichever its rules find first.
        if "str" in parts and (nullable or "dict" in parts or parts == ["str"]):
            return self._one(_flag("str"))
        lists = [part[5:-1] for part in parts if part.startswith("list[")]
        if lists:
            return self._several(_flag(lists[0]))
        if parts[0] in ("dict", "any"):
            return {"const": "", "$comment": "The parser cannot read this field from a flag."}
        if parts[0] == "bool" and not nullable:  # a truth value that may be null has no flag without a value
            return self._switch(_flag("bool"))
        return self._one(_flag(parts[0]))

    def _several(self, item: "Schema") -> "Schema":
        """A list with at least one item; a single item may be written without a list."""
        return {**item, "type": [*kinds_of(item), "array"], "items": self._item(item), "minItems": 1}

    def _switch(self, item: "Schema") -> "Schema":
        """Like one text, but the flag may also be without a value, as for an empty list, which means true."""
        return {**item, "type": [*kinds_of(item), "array"], "prefixItems": [self._item(item)], "maxItems": 1}

    def _one(self, item: "Schema") -> "Schema":
        """One text; a list of one item is the same flag. (`items` would make editors complete the key with a list.)"""
        return {**item, "type": [*kinds_of(item), "array"], "contains": self._item(item), "minItems": 1, "maxItems": 1}

    def _item(self, item: "Schema") -> "Schema":
        if not self._lists_hold_texts:
            return item
        return {"type": "string", **({"pattern": item["pattern"]} if "pattern" in item else {})}

    def can_write(self, default: object, kind: str, choices: "Choices | None") -> bool:
        if default is None:
            return choices is not None and None in choices
        if type(default) is list or (default == "" and "list[" in kind):
            return bool(default) and all(
                type(item) is str or (item is not None and not self._lists_hold_texts) for item in default
            )
        return "any" not in kind and is_plain(default)

    def launch_keys(self) -> "dict[str, Schema]":
        keys = {}
        if self.release.key >= (4, 1):
            keys["ENV"] = environment(
                "ENV",
                Message(
                    "Environment variables of the run, among them NPROC_PER_NODE and NNODES, which start its processes."
                ),
            )
        return keys

    def definitions(self, properties: "dict[str, Schema]") -> "dict[str, Schema]":
        """Definitions that the properties refer to, besides those of the types."""
        forms = {
            "json": self._one(json_text(NO_JSON)),
            "json-mapping": self._one(json_text(NO_MAPPING)),
            "switch-or-null": self._switch(_flag("bool")),
        }
        used = {described.get("$ref", "").rpartition("/")[2] for described in properties.values()}
        words = {
            "json": "a number or a mapping, JSON, or a file that holds it",
            "json-mapping": "a mapping, its JSON, or a file that holds it",
        }
        described_forms = {
            name: explained(form, words.get(name, in_words("bool?", None))) for name, form in forms.items()
        }
        return {name: form for name, form in described_forms.items() if name in used}


def _flag(part: str) -> "Schema":
    """A single value of a flag: any value with a valid text."""
    if part in NUMERIC_TEXT:
        return NUMERIC_TEXT[part]
    return {"type": ["string", "number", "boolean", "object"]}


def json_text(wrong: str, also: "Iterable[str]" = ()) -> "Schema":
    """A mapping, its JSON, or a file that holds it; see `ms_swift.JSON_FIELDS`."""
    kinds = ["string", "object"] if wrong is NO_MAPPING else ["string", "number", "object"]
    words = "".join(f"|{word}" for word in also)
    return {"type": kinds, "pattern": rf"^({PLACEHOLDER}|(?!({wrong})$)[\s\S]*{words})$"}


def _forms(choice: object) -> "tuple[object, ...]":
    """A choice, and the text that means the same."""
    return (choice,) if type(choice) is str else (choice, str(choice))
