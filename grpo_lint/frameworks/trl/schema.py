"""How TRL accepts values, as a JSON Schema says it."""

from ...message import Message
from ..schema import (
    KINDS,
    NULL_WORDS,
    NUMBER,
    NUMERIC_TEXT,
    TEXT,
    environment,
    is_plain,
    joined,
    or_null_in_words,
    titled,
)
from .values import ANY_NUMBER, KNOWN_AT_FIRST_STEP, dataset_keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ...shared_types import Choices, Schema, SchemaRelease


class Keywords:
    """How TRL accepts values: texts are converted by the type of the field, everything else is passed on.

    Keyword arguments of Python (loader `kwargs`) are not converted at all.
    """

    # What the classes accept beyond their annotation: true and false have a meaning for fsdp and
    # resume_from_checkpoint; the text of lora_target_modules is PEFT's pattern, or all-linear.
    _ALSO = {"fsdp": "boolean", "resume_from_checkpoint": "boolean", "lora_target_modules": "string"}

    # From 1.6 the parser reads the words none and null as null, where no text is meant.
    _NULL_AS_TEXT = frozenset({"int?", "float?", "dict?"})

    def __init__(self, release: "SchemaRelease") -> None:
        self._release = release
        self._by_python = release.loader == "kwargs"

    @property
    def about(self) -> str:
        if self._by_python:
            return "Keyword arguments of the config class: no text is converted, and no unknown name is accepted."
        unknown = "refused" if self.refuses_unknown_keys else "passed over in silence"
        return f"Read by TRL's parser. Texts are converted by the type of their key; unknown keys are {unknown}."

    @property
    def refuses_unknown_keys(self) -> bool:
        return self._by_python or (0, 19) <= self._release.key[:2] <= (0, 21)

    def own(self, name: str, kind: str, choices: "Choices | None") -> "Schema | None":
        """What one field accepts, where it differs from its type."""
        choices = choices or self._names_of_the_first_step(name)
        if choices:
            return {"enum": [*choices, None] if kind.endswith("?") else list(choices)}
        if (
            name in ANY_NUMBER or name == "num_generations"
        ):  # some releases declare them optional, and all compute with them
            return self.accepted(kind.rstrip("?"))
        if name == "datasets":
            known: Schema = {key: {} for key in sorted(dataset_keys(self._release.key))}
            item = {"type": "object", "properties": known, "required": ["path"], "additionalProperties": False}
            return {"type": "array", "items": item}
        if name == "pad_to_multiple_of" and self._release.key >= (1, 16):
            words = rf"^(auto|{NULL_WORDS}|\s*[+-]?[0-9](_?[0-9])*\s*)$"
            return {"type": ["integer", "string", "null"], "pattern": words}
        if name in self._ALSO:
            return joined([self.accepted(kind), {"type": self._ALSO[name]}])
        return None

    def _names_of_the_first_step(self, name: str) -> "Choices | None":
        """The names that the first training step knows, for a text that the config class does not check."""
        if self._release.field(name).type != "str":
            return None
        spans = KNOWN_AT_FIRST_STEP.get(name, ())
        return next((names for since, names in spans if self._release.key >= since), None)

    def accepted(self, kind: str) -> "Schema":
        """What the fields of a type accept."""
        if kind == "bool|str" and not self._by_python:  # transformers' parser uses only the first type
            kind = "bool"
        if kind in self._NULL_AS_TEXT and not self._by_python and self._release.key >= (1, 6):
            return or_null_in_words(self._part(kind[:-1]))
        parts = [self._part(part) for part in kind.rstrip("?").split("|")]
        return joined([*parts, {"type": "null"}] if kind.endswith("?") else parts)

    def _part(self, part: str) -> "Schema":
        if part == "any":
            return {}
        if part.startswith("list["):
            items = part[5:-1]
            return {"type": "array", "items": TEXT if items == "str" else NUMBER.get(items, {})}
        if part in NUMBER:
            return NUMBER[part] if self._by_python else NUMERIC_TEXT[part]
        kinds: dict[str, Schema] = {"str": TEXT, "dict": {"type": "object"}}
        return kinds[part]

    def can_write(self, default: object, kind: str, choices: "Choices | None") -> bool:
        return kind.endswith("?") if default is None else "any" not in kind and is_plain(default)

    def launch_keys(self) -> "dict[str, Schema]":
        if self._by_python:
            return {}
        keys = {
            "env": environment(
                "env", Message("Environment variables, set before anything else happens. Values become texts.")
            )
        }
        if self._release.key >= (0, 29):
            keys["num_processes"] = {
                "title": titled("num_processes", KINDS["int"]),
                "description": Message(
                    "Training processes to start; the `trl` command hands it to accelerate, a training script passes it over."
                ),
                "$ref": "#/$defs/int",
            }
            keys["accelerate_config"] = {
                "title": titled("accelerate_config", KINDS["str"]),
                "description": Message(
                    "How the `trl` command starts the processes: a file of accelerate, or one of single_gpu, multi_gpu, "
                    "fsdp1, fsdp2, zero1, zero2 and zero3."
                ),
                **TEXT,
            }
        return keys

    def definitions(self, properties: "dict[str, Schema]") -> "dict[str, Schema]":
        return {}


KIND = Keywords
