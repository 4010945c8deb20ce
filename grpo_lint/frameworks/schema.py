"""JSON Schemas (2020-12) of the config files, made from the catalogues.

A schema describes what the framework's own loader accepts. TRL converts texts by the type of the field and keeps other
values; ms-swift turns everything into command-line flags. Relations between keys are left to `check`. Two things cannot
be expressed. JSON has one kind of number, so `8.0` is valid where `8` is, although the loaders refuse it. Keys that
ms-swift would accept abbreviated, or with dashes, are refused like unknown ones.

    python -m grpo_lint.settings.schema FOLDER      writes the schemas of the newest releases again
"""

import math

from .. import REPOSITORY
from ..message import Message
from .descriptions import describe, suggestions_for
from .ms_swift.shared import JSON_FIELDS, MAPPING_FIELDS, NAMES, NO_JSON, NO_MAPPING, TEXTS_BESIDE_JSON
from .registry import framework as framework_named
from .trl.values import ANY_NUMBER, KNOWN_AT_FIRST_STEP, dataset_keys
from .versions import BadVersion, resolve_version, version_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, TypeAlias

    from .base import Framework
    from .by_release import Key
    from .catalogue import Catalogue, Field, Fields

    Schema: TypeAlias = dict[str, Any]
    Choices: TypeAlias = tuple[object, ...]
    _Kind: TypeAlias = "_Keywords | _Flags"

META = "https://json-schema.org/draft/2020-12/schema"
HOME = REPOSITORY.replace("github.com", "raw.githubusercontent.com") + "/main/schemas"
# The schemas that are committed and shipped: (framework, algorithm).
SHIPPED = (
    ("trl", "grpo"),
    ("trl", "rloo"),
    ("swift", "grpo"),
    ("megatron", "grpo"),
    ("verl", "grpo"),
    ("easyr1", "grpo"),
)

# A placeholder stands for a value that something else will fill in; as for `check`, it is valid everywhere.
_PLACEHOLDER = r"\$.*|.*(\$\{|\{\{).*|<.*>"
_DIGITS = r"[0-9]+(_[0-9]+)*"
_INT_TEXT = rf"^(\s*[-+]?{_DIGITS}\s*|{_PLACEHOLDER})$"
_FLOAT_TEXT = (
    rf"^(\s*[-+]?({_DIGITS}\.?({_DIGITS})?|\.{_DIGITS})([eE][-+]?{_DIGITS})?\s*"
    rf"|\s*[-+]?([iI][nN][fF]([iI][nN][iI][tT][yY])?|[nN][aA][nN])\s*|{_PLACEHOLDER})$"
)
_BOOL_TEXT = rf"^([yY]([eE][sS])?|[nN][oO]?|[tT]([rR][uU][eE])?|[fF]([aA][lL][sS][eE])?|[01]|{_PLACEHOLDER})$"

_TEXT: "Schema" = {"type": "string"}
_NUMERIC_TEXT: "dict[str, Schema]" = {
    "bool": {"type": ["boolean", "string", "integer"], "minimum": 0, "maximum": 1, "pattern": _BOOL_TEXT},
    "int": {"type": ["integer", "string"], "pattern": _INT_TEXT},
    "float": {"type": ["number", "string"], "pattern": _FLOAT_TEXT},
}
_NUMBER: "dict[str, Schema]" = {
    "bool": {"type": ["boolean", "integer"], "minimum": 0, "maximum": 1},
    "int": {"type": "integer"},
    "float": {"type": "number"},
}
_IN_WORDS = {
    "bool": "true or false",
    "int": "whole number",
    "float": "number",
    "str": "text",
    "dict": "mapping",
    "any": "anything",
}


class NoSchema(ValueError):
    """A schema does not exist; the message is meant for the user."""


def schema_of(
    framework_name: str, version: str = "latest", algorithm: str = "grpo", loader: str = "script"
) -> "Schema":
    """The schema of a file for one release of a framework, as a JSON-serialisable dictionary."""
    framework = framework_named(framework_name)
    if framework.reader.configs.nested:
        from .sections_schema import schema_of_sections

        return schema_of_sections(framework, version)
    algorithm = "rloo" if algorithm == "rloo" else "grpo"
    release = _Release(framework, version, algorithm, loader)
    values = _KINDS[framework.reader.values.schema_kind](release)
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


class _Release:
    """One release of a framework, one algorithm, one loader: its fields, and the releases that have them."""

    catalogue: "Catalogue"
    key: "Key"

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
        if self.fields["num_generations"] is None:
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


def _properties(release: "_Release", values: "_Kind") -> "dict[str, Schema]":
    return {name: _property(release, values, name) for name in sorted(release.fields.names())}


def _property(release: "_Release", values: "_Kind", name: str) -> "Schema":
    field = release.field(name)
    kind, default, choices = field.type, field.default, field.choices
    _, gone = release.life(name)
    found: Schema = {"title": f"{name}: {_in_words(kind, choices)}", "description": _description(release, name)}
    found.update(values.own(name, kind, choices) or {"$ref": f"#/$defs/{_definition_name(kind)}"})
    if "pattern" in found:
        found["errorMessage"] = _error_message(_in_words(kind, choices))
    offered = suggestions_for(release.framework.name, name, release.key)
    if offered and "enum" not in found:
        found["examples"] = list(offered)
    if values.can_write(default, kind, choices):
        found["default"] = default
    if gone:
        found["deprecated"] = True
    return found


def _definitions(release: "_Release", values: "_Kind") -> "dict[str, Schema]":
    """What fields accept, by type, so that fields of one type share a definition."""
    fields = [release.field(name) for name in release.fields.names()]
    kinds = sorted({field.type for field in fields if not field.choices} | {"int"})
    return {_definition_name(kind): _explained(values.accepted(kind), _in_words(kind, None)) for kind in kinds}


def _explained(schema: "Schema", words: str) -> "Schema":
    """A schema with a description of what it accepts, which editors show instead of a pattern."""
    return {**schema, "errorMessage": _error_message(words)} if "pattern" in schema else schema


def _error_message(words: str) -> str:
    return f"This has to be {words}."


def _definition_name(kind: str) -> str:
    """The name of a type in a form that an address can hold: `list[str]?` is list-of-str-or-null."""
    for sign, word in (("list[", "list-of-"), ("]", ""), ("|", "-or-"), ("?", "-or-null")):
        kind = kind.replace(sign, word)
    return kind


def _description(release: "_Release", name: str) -> str:
    since, gone = release.life(name)
    title = release.framework.title
    parts = [describe(release.framework.name, name)]
    if since:
        parts.append(f"Since {title} {since}.")
    if gone:
        parts.append(f"Gone from {title} {gone}.")
    return " ".join(filter(None, parts))


def _in_words(kind: str, choices: "Choices | None") -> str:
    if choices:
        return "one of the choices"
    alternatives = [_alternative_in_words(part) for part in kind.rstrip("?").split("|")]
    return " or ".join(alternatives) + (", or nothing" if kind.endswith("?") else "")


def _alternative_in_words(part: str) -> str:
    return f"list ({_IN_WORDS[part[5:-1]]})" if part.startswith("list[") else _IN_WORDS[part]


def _joined(schemas: "list[Schema]") -> "Schema":
    """One schema for values that any of the schemas accepts; keywords of one type do not affect the others."""
    if not all(schemas):
        return {}
    joined: Schema = {}
    kinds: list[str] = []
    for schema in schemas:
        joined.update(schema)
        kinds += _kinds(schema)
    if kinds.count("string") > 1:
        joined.pop("pattern", None)
    return {**joined, "type": list(dict.fromkeys(kinds))}


_NULL_WORDS = "[Nn][Oo][Nn][Ee]|[Nn][Uu][Ll][Ll]"


def _or_null_in_words(schema: "Schema") -> "Schema":
    """A schema that also accepts null, with a description."""
    pattern = schema.get("pattern")
    words = f"^({_NULL_WORDS})$" + (f"|{pattern}" if pattern else "")
    return {**schema, "type": list(dict.fromkeys([*_kinds(schema), "string", "null"])), "pattern": words}


def _kinds(schema: "Schema") -> list[str]:
    return [schema["type"]] if type(schema["type"]) is str else schema["type"]


# --- TRL ------------------------------------------------------------------------------------------------------------


class _Keywords:
    """How TRL accepts values: texts are converted by the type of the field, everything else is passed on.

    Keyword arguments of Python (loader `kwargs`) are not converted at all.
    """

    # What the classes accept beyond their annotation: true and false have a meaning for fsdp and
    # resume_from_checkpoint; the text of lora_target_modules is PEFT's pattern, or all-linear.
    _ALSO = {"fsdp": "boolean", "resume_from_checkpoint": "boolean", "lora_target_modules": "string"}

    # From 1.6 the parser reads the words none and null as null, where no text is meant.
    _NULL_AS_TEXT = frozenset({"int?", "float?", "dict?"})

    def __init__(self, release: "_Release") -> None:
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
            words = rf"^(auto|{_NULL_WORDS}|\s*[+-]?[0-9](_?[0-9])*\s*)$"
            return {"type": ["integer", "string", "null"], "pattern": words}
        if name in self._ALSO:
            return _joined([self.accepted(kind), {"type": self._ALSO[name]}])
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
            return _or_null_in_words(self._part(kind[:-1]))
        parts = [self._part(part) for part in kind.rstrip("?").split("|")]
        return _joined([*parts, {"type": "null"}] if kind.endswith("?") else parts)

    def _part(self, part: str) -> "Schema":
        if part == "any":
            return {}
        if part.startswith("list["):
            items = part[5:-1]
            return {"type": "array", "items": _TEXT if items == "str" else _NUMBER.get(items, {})}
        if part in _NUMBER:
            return _NUMBER[part] if self._by_python else _NUMERIC_TEXT[part]
        kinds: dict[str, Schema] = {"str": _TEXT, "dict": {"type": "object"}}
        return kinds[part]

    def can_write(self, default: object, kind: str, choices: "Choices | None") -> bool:
        return kind.endswith("?") if default is None else "any" not in kind and _is_plain(default)

    def launch_keys(self) -> "dict[str, Schema]":
        if self._by_python:
            return {}
        keys = {
            "env": _environment("env", "Environment variables, set before anything else happens. Values become texts.")
        }
        if self._release.key >= (0, 29):
            keys["num_processes"] = {
                "title": "num_processes: whole number",
                "description": "Training processes to start; the `trl` command hands it to accelerate, a training script passes it over.",
                "$ref": "#/$defs/int",
            }
            keys["accelerate_config"] = {
                "title": "accelerate_config: text",
                "description": "How the `trl` command starts the processes: a file of accelerate, or one of single_gpu, multi_gpu, "
                "fsdp1, fsdp2, zero1, zero2 and zero3.",
                **_TEXT,
            }
        return keys

    def definitions(self, properties: "dict[str, Schema]") -> "dict[str, Schema]":
        return {}


# --- ms-swift and Megatron-SWIFT ------------------------------------------------------------------------------------


class _Flags:
    """How ms-swift accepts values: as the texts of a command-line flag; a list is several texts, a mapping its JSON.

    null is always refused: it becomes the text None, which most fields cannot read and the others keep as a text.
    """

    refuses_unknown_keys = True

    def __init__(self, release: "_Release") -> None:
        self._release = release
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
            return self._several({"type": ["string"], "pattern": rf"^({'|'.join(NAMES[name])}|{_PLACEHOLDER})$"})
        if name in JSON_FIELDS and "str" in kind:
            form = "json-mapping" if name in MAPPING_FIELDS else "json"
            also = TEXTS_BESIDE_JSON.get(name)
            return self._one(_json_text(NO_JSON, also)) if also else {"$ref": f"#/$defs/{form}"}
        if kind == "bool?" and self._release.field(name).default is not None:
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
        return {**item, "type": [*_kinds(item), "array"], "items": self._item(item), "minItems": 1}

    def _switch(self, item: "Schema") -> "Schema":
        """Like one text, but the flag may also be without a value, as for an empty list, which means true."""
        return {**item, "type": [*_kinds(item), "array"], "prefixItems": [self._item(item)], "maxItems": 1}

    def _one(self, item: "Schema") -> "Schema":
        """One text; a list of one item is the same flag. (`items` would make editors complete the key with a list.)"""
        return {**item, "type": [*_kinds(item), "array"], "contains": self._item(item), "minItems": 1, "maxItems": 1}

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
        return "any" not in kind and _is_plain(default)

    def launch_keys(self) -> "dict[str, Schema]":
        keys = {}
        if self._release.key >= (4, 1):
            keys["ENV"] = _environment(
                "ENV",
                "Environment variables of the run, among them NPROC_PER_NODE and NNODES, which start its processes.",
            )
        return {**keys, **self._ray_keys()}

    def _has_ray(self) -> bool:
        return self._release.framework.name == "megatron" and self._release.key >= (4, 3)

    def _ray_keys(self) -> "dict[str, Schema]":
        if not self._has_ray():
            return {}
        roles = {"train": "training", "rollout": "generation", "teacher": "the teacher model"}
        sections = {
            name: {
                "title": f"{name}: mapping",
                "description": f"Ray layout: the GPUs of {role}, and settings that hold for it alone.",
                "$ref": f"#/$defs/{'section' if name == 'train' else 'open-section'}",
            }
            for name, role in roles.items()
        }
        return {
            **sections,
            "colocate_groups": {
                "title": "colocate_groups: list of lists",
                "description": "Ray layout: sections that share their GPUs, such as [[train, rollout]]; all of a group have as many.",
                "type": "array",
                "items": {"type": "array", "items": {"enum": list(roles)}, "minItems": 2},
            },
            "nnodes": {
                "title": "nnodes: whole number",
                "description": "Ray layout: nodes over which the GPUs of a section are spread evenly.",
                "$ref": "#/$defs/int",
                "default": 1,
            },
        }

    def definitions(self, properties: "dict[str, Schema]") -> "dict[str, Schema]":
        """Definitions that the properties refer to, besides those of the types."""
        forms = {
            "json": self._one(_json_text(NO_JSON)),
            "json-mapping": self._one(_json_text(NO_MAPPING)),
            "switch-or-null": self._switch(_flag("bool")),
        }
        used = {described.get("$ref", "").rpartition("/")[2] for described in properties.values()}
        words = {
            "json": "a number or a mapping, JSON, or a file that holds it",
            "json-mapping": "a mapping, its JSON, or a file that holds it",
        }
        told = {name: _explained(form, words.get(name, _in_words("bool?", None))) for name, form in forms.items()}
        return {name: form for name, form in told.items() if name in used} | self._section(properties)

    def _section(self, properties: "dict[str, Schema]") -> "dict[str, Schema]":
        """What a section of the Ray layout holds: its GPUs, and any field of the file. Settings that its engine does
        not know are dropped."""
        if not self._has_ray():
            return {}
        gpus = {
            "title": "gpus: whole number",
            "description": "GPUs of this section, over all nodes.",
            "$ref": "#/$defs/int",
        }
        fields = {name: {"$ref": f"#/properties/{name}"} for name in properties if self._release.fields[name]}
        section = {"type": "object", "properties": {"gpus": gpus, **fields}}
        return {"section": {**section, "additionalProperties": False}, "open-section": section}


# by `Framework.schema_kind`
_KINDS: "dict[str, type[_Keywords] | type[_Flags]]" = {"keywords": _Keywords, "flags": _Flags}


def _flag(part: str) -> "Schema":
    """A single value of a flag: any value with a valid text."""
    if part in _NUMERIC_TEXT:
        return _NUMERIC_TEXT[part]
    return {"type": ["string", "number", "boolean", "object"]}


def _json_text(wrong: str, also: "Iterable[str]" = ()) -> "Schema":
    """A mapping, its JSON, or a file that holds it; see `ms_swift.JSON_FIELDS`."""
    kinds = ["string", "object"] if wrong is NO_MAPPING else ["string", "number", "object"]
    words = "".join(f"|{word}" for word in also)
    return {"type": kinds, "pattern": rf"^({_PLACEHOLDER}|(?!({wrong})$)[\s\S]*{words})$"}


def _forms(choice: object) -> "tuple[object, ...]":
    """A choice, and the text that means the same."""
    return (choice,) if type(choice) is str else (choice, str(choice))


def _environment(name: str, description: str) -> "Schema":
    return {
        "title": f"{name}: mapping",
        "description": description,
        "type": "object",
        "additionalProperties": {"type": ["string", "number", "boolean"]},
    }


def _is_plain(value: object) -> bool:
    """Whether JSON can represent a default."""
    return type(value) is not float or math.isfinite(value)
