"""JSON Schemas (2020-12) of the config files, made from the catalogues.

A schema describes what the framework's own loader accepts. TRL converts texts by the type of the field and keeps other
values; ms-swift turns everything into command-line flags. Relations between keys are left to `check`. Two things cannot
be expressed. JSON has one kind of number, so `8.0` is valid where `8` is, although the loaders refuse it. Keys that
ms-swift would accept abbreviated, or with dashes, are refused like unknown ones.

    python -m pages.schemas FOLDER      writes the schemas of the newest releases again
"""

import math

from .. import REPOSITORY
from ..message import NOTHING, Message, any_of, sentences, within
from .descriptions import describe, suggestions_for
from .registry import SHIPPED_SCHEMAS, framework as framework_named, kind_of_schema
from .versions import BadVersion, resolve_version, version_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from ..shared_types import Field, Fields, Framework

    Schema = dict[str, Any]
    Choices = tuple[object, ...]

    class SchemaKind(Protocol):
        """How the loader of a framework accepts values."""

        def __init__(self, release: "SchemaRelease") -> None: ...
        @property
        def about(self) -> str: ...
        @property
        def refuses_unknown_keys(self) -> bool: ...
        def own(self, name: str, kind: str, choices: "Choices | None") -> "Schema | None":
            """What one field accepts, where it differs from its type."""

        def accepted(self, kind: str) -> "Schema":
            """What the fields of a type accept."""

        def can_write(self, default: object, kind: str, choices: "Choices | None") -> bool: ...
        def launch_keys(self) -> "dict[str, Schema]":
            """Keys that are read where a run is started, and are no fields."""

        def definitions(self, properties: "dict[str, Schema]") -> "dict[str, Schema]":
            """Definitions that the properties refer to, besides those of the types."""


META = "https://json-schema.org/draft/2020-12/schema"
HOME = REPOSITORY.replace("github.com", "raw.githubusercontent.com") + "/main/schemas"

# A placeholder stands for a value that something else will fill in; as for `check`, it is valid everywhere.
PLACEHOLDER = r"\$.*|.*(\$\{|\{\{).*|<.*>"
_DIGITS = r"[0-9]+(_[0-9]+)*"
_INT_TEXT = rf"^(\s*[-+]?{_DIGITS}\s*|{PLACEHOLDER})$"
_FLOAT_TEXT = (
    rf"^(\s*[-+]?({_DIGITS}\.?({_DIGITS})?|\.{_DIGITS})([eE][-+]?{_DIGITS})?\s*"
    rf"|\s*[-+]?([iI][nN][fF]([iI][nN][iI][tT][yY])?|[nN][aA][nN])\s*|{PLACEHOLDER})$"
)
_BOOL_TEXT = rf"^([yY]([eE][sS])?|[nN][oO]?|[tT]([rR][uU][eE])?|[fF]([aA][lL][sS][eE])?|[01]|{PLACEHOLDER})$"

TEXT: "Schema" = {"type": "string"}
NUMERIC_TEXT: "dict[str, Schema]" = {
    "bool": {"type": ["boolean", "string", "integer"], "minimum": 0, "maximum": 1, "pattern": _BOOL_TEXT},
    "int": {"type": ["integer", "string"], "pattern": _INT_TEXT},
    "float": {"type": ["number", "string"], "pattern": _FLOAT_TEXT},
}
NUMBER: "dict[str, Schema]" = {
    "bool": {"type": ["boolean", "integer"], "minimum": 0, "maximum": 1},
    "int": {"type": "integer"},
    "float": {"type": "number"},
}
KINDS = {
    "bool": Message("true or false"),
    "int": Message("whole number"),
    "float": Message("number"),
    "str": Message("text"),
    "dict": Message("mapping"),
    "list": Message("list"),
    "any": Message("anything"),
}


class NoSchema(ValueError):
    """A schema does not exist; the message is meant for the user."""


def schema_of(
    framework_name: str, version: str = "latest", algorithm: str = "grpo", loader: str = "script"
) -> "Schema":
    """The schema of a file for one release of a framework, as a JSON-serialisable dictionary."""
    framework = framework_named(framework_name)
    if not has_schema(framework_name):
        told = Message("{title} reads no files of settings: it is given flags", {"title": framework.title})
        raise NoSchema(told)
    if framework.reader.configs.nested:
        from .sections_schema import schema_of_sections

        return schema_of_sections(framework, version)
    algorithm = "rloo" if algorithm == "rloo" else "grpo"
    release = SchemaRelease(framework, version, algorithm, loader)
    values = kind_of_schema(framework_name)(release)
    properties = {**_properties(release, values), **values.launch_keys()}
    return {
        "$schema": META,
        "$id": f"{HOME}/{release.file_name}",
        "title": f"{framework.title} {release.text}: config of a {algorithm.upper()} run",
        "description": values.about,
        "type": "object",
        "properties": properties,
        "additionalProperties": not values.refuses_unknown_keys,
        "$defs": {**_definitions(release, values), **values.definitions(properties)},
    }


def has_schema(framework_name: str) -> bool:
    """Whether a framework reads files of settings."""
    return (framework_name, "grpo") in SHIPPED_SCHEMAS


def file_name(framework_name: str, algorithm: str) -> str:
    """The name of a shipped schema."""
    return f"{framework_name}-{algorithm}.schema.json"


def as_text(schema: "Schema") -> str:
    """A schema as the text of its file: one line for each key, so that differences are readable."""
    import json

    def compact(value: "Any") -> str:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)

    def members(mapping: "Schema", indent: str) -> str:
        lines = ",\n".join(f"{indent}  {compact(name)}: {compact(value)}" for name, value in mapping.items())
        return f"{{\n{lines}\n{indent}}}"

    parts = [
        f"  {compact(name)}: {members(value, '  ') if name in ('properties', '$defs') else compact(value)}"
        for name, value in schema.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


class SchemaRelease:
    """One release of a framework, one algorithm, one loader: its fields, and the releases that have them."""

    def __init__(self, framework: "Framework", version: str, algorithm: str, loader: str) -> None:
        self.framework = framework
        self.catalogue = catalogue = framework.catalogue
        self.algorithm = algorithm
        self.loader = loader
        self.groups: tuple[str, ...] = framework.reader.trainer.groups(algorithm, loader)
        if algorithm == "rloo" and not framework.reader.trainer.by_algorithm:
            raise NoSchema(
                Message(
                    "{title} has no RLOO trainer of its own; there it is advantage_estimator: rloo",
                    {"title": framework.title},
                )
            )
        self.text: str = resolve_version(version, catalogue.releases)
        try:
            self.key = version_key(self.text)
        except BadVersion as bad:
            raise NoSchema(str(bad)) from None
        self.index: int = catalogue.release_index(self.key)
        self.fields: Fields = catalogue.fields(self.groups, self.index)
        if self.fields[framework.reader.trainer.field] is None:
            oldest = framework.releases.first_with_trainer(self.groups)
            raise NoSchema(
                Message(
                    "{title} {version} has no {algorithm} trainer; it came with {oldest}",
                    {"title": framework.title, "version": self.text, "algorithm": algorithm.upper(), "oldest": oldest},
                )
            )

    def field(self, name: str) -> "Field":
        """The type, default and choices of a field that the release knows."""
        return self.fields[name]  # type: ignore[return-value]

    @property
    def is_newest(self) -> bool:
        return self.index == len(self.catalogue.releases) - 1

    @property
    def file_name(self) -> str:
        if self.is_newest and self.loader == "script":
            return file_name(self.framework.name, self.algorithm)
        loader = "" if self.loader == "script" else f"-{self.loader}"
        return f"{self.framework.name}-{self.algorithm}-{self.text}{loader}.schema.json"

    def life(self, name: str) -> "tuple[str | None, str | None]":
        """(first release that knows a field or None if the oldest does, first release without it or None), as users
        write them."""
        known, label = self.catalogue.known(name, self.groups), self.catalogue.label
        releases = self.catalogue.releases
        first = min(index for index in range(len(releases)) if known >> index & 1)
        gone = next((index for index in range(self.index, len(releases)) if not known >> index & 1), None)
        return (label(first) if first else None), (None if gone is None else label(gone))


# --- the properties -------------------------------------------------------------------------------------------------


def _properties(release: "SchemaRelease", values: "SchemaKind") -> "dict[str, Schema]":
    return {name: _property(release, values, name) for name in sorted(release.fields.names())}


def _property(release: "SchemaRelease", values: "SchemaKind", name: str) -> "Schema":
    field = release.field(name)
    kind, default, choices = field.type, field.default, field.choices
    _, gone = release.life(name)
    found: Schema = {"title": titled(name, in_words(kind, choices)), "description": _description(release, name)}
    found.update(values.own(name, kind, choices) or {"$ref": f"#/$defs/{_definition_name(kind)}"})
    if "pattern" in found:
        found["errorMessage"] = _error_message(in_words(kind, choices))
    offered = suggestions_for(release.framework.name, name, release.key)
    if offered and "enum" not in found:
        found["examples"] = list(offered)
    if values.can_write(default, kind, choices):
        found["default"] = default
    if gone:
        found["deprecated"] = True
    return found


def _definitions(release: "SchemaRelease", values: "SchemaKind") -> "dict[str, Schema]":
    """What fields accept, by type, so that fields of one type share a definition."""
    fields = [release.field(name) for name in release.fields.names()]
    kinds = sorted({field.type for field in fields if not field.choices} | {"int"})
    return {_definition_name(kind): explained(values.accepted(kind), in_words(kind, None)) for kind in kinds}


def explained(schema: "Schema", words: str) -> "Schema":
    """A schema with a description of what it accepts, which editors show instead of a pattern."""
    return {**schema, "errorMessage": _error_message(words)} if "pattern" in schema else schema


def _error_message(words: str) -> str:
    return f"This has to be {words}."


def _definition_name(kind: str) -> str:
    """The name of a type in a form that an address can hold: `list[str]?` is list-of-str-or-null."""
    for sign, word in (("list[", "list-of-"), ("]", ""), ("|", "-or-"), ("?", "-or-null")):
        kind = kind.replace(sign, word)
    return kind


def titled(name: str, kind: Message) -> Message:
    """'beta: number'. The kind is among the values, for an editor that shows it alone."""
    return Message("{name}: {kind}", {"name": name, "kind": kind})


def _description(release: "SchemaRelease", name: str) -> Message:
    """What a field means, and which releases have it."""
    since, gone = release.life(name)
    title = release.framework.title
    return sentences(
        [
            describe(release.framework.name, name),
            Message("Since {framework} {release}.", {"framework": title, "release": since}) if since else NOTHING,
            Message("Gone from {framework} {release}.", {"framework": title, "release": gone}) if gone else NOTHING,
        ]
    )


def in_words(kind: str, choices: "Choices | None") -> Message:
    if choices:
        return Message("one of the choices")
    alternatives = any_of([_alternative_in_words(part) for part in kind.rstrip("?").split("|")])
    return Message("{kind}, or nothing", {"kind": alternatives}) if kind.endswith("?") else alternatives


def _alternative_in_words(part: str) -> Message:
    if part.startswith(("list[", "pair[")):
        return within(KINDS["list"], KINDS[part[5:-1]])
    return KINDS[part]


def joined(schemas: "list[Schema]") -> "Schema":
    """One schema for values that any of the schemas accepts; keywords of one type do not affect the others."""
    if not all(schemas):
        return {}
    joined: Schema = {}
    kinds: list[str] = []
    for schema in schemas:
        joined.update(schema)
        kinds += kinds_of(schema)
    if kinds.count("string") > 1:
        joined.pop("pattern", None)
    return {**joined, "type": list(dict.fromkeys(kinds))}


NULL_WORDS = "[Nn][Oo][Nn][Ee]|[Nn][Uu][Ll][Ll]"


def or_null_in_words(schema: "Schema") -> "Schema":
    """A schema that also accepts null, with a description."""
    pattern = schema.get("pattern")
    words = f"^({NULL_WORDS})$" + (f"|{pattern}" if pattern else "")
    return {**schema, "type": list(dict.fromkeys([*kinds_of(schema), "string", "null"])), "pattern": words}


def kinds_of(schema: "Schema") -> list[str]:
    return [schema["type"]] if type(schema["type"]) is str else schema["type"]


def environment(name: str, description: Message) -> "Schema":
    return {
        "title": titled(name, KINDS["dict"]),
        "description": description,
        "type": "object",
        "additionalProperties": {"type": ["string", "number", "boolean"]},
    }


def is_plain(value: object) -> bool:
    """Whether JSON can represent a default."""
    return type(value) is not float or math.isfinite(value)
