"""The JSON Schema of our own settings: of the table `[tool.grpo-lint]`, and of a whole `grpo-lint.toml`."""

from grpo_lint.frameworks.all_rules import ALL
from grpo_lint.frameworks.registry import SHIPPED_SCHEMAS
from grpo_lint.frameworks.schema import HOME, META, as_text, file_name, schema_of
from grpo_lint.frameworks.versions import VERSION_PATTERN
from grpo_lint.launch.facts import (
    CHOICE,
    COUNTS,
    FACTS,
    GIGABYTES,
    LEAST_PARAMETERS,
    MOST_COUNTS,
    PARAMETERS,
    POSITIVE,
    VERSION,
    option_name,
)
from grpo_lint.settings.limits import LARGEST, LIMITS, LONGEST_TEXT, MOST_CHOICES, NAME
from grpo_lint.settings.reading import SEVERITIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from grpo_lint.launch.facts import Spec

    Schema = dict[str, Any]
    Described = dict[str, tuple[str, Schema]]  # {key: (what it is, its schema)}

FILE_NAME = "grpo-lint.schema.json"

_TEXTS: "Schema" = {"type": "array", "items": {"type": "string"}}
_POLICY: "Described" = {
    "select": ("Rules that are wanted; all unless this says which.", {"$ref": "#/$defs/rules"}),
    "extend-select": ("Rules that are wanted besides.", {"$ref": "#/$defs/rules"}),
    "ignore": (
        "Rules that are not wanted. Of two words about a rule the more exact one counts.",
        {"$ref": "#/$defs/rules"},
    ),
    "severity": (
        "How serious findings are, by rule.",
        {
            "type": "object",
            "propertyNames": {"$ref": "#/$defs/rule"},
            "additionalProperties": {"enum": list(SEVERITIES)},
        },
    ),
    "known-keys": (
        "Keys that the team's own scripts read; `*` matches any characters, `?` one.",
        {"$ref": "#/$defs/keys"},
    ),
    "required-keys": ("Keys that every config has to state.", {"$ref": "#/$defs/keys"}),
    "rules": (
        "The team's own rules: limits of settings and quantities, by the names of the rules.",
        {
            "type": "object",
            "propertyNames": {"pattern": f"^{NAME}$"},
            "additionalProperties": {"$ref": "#/$defs/limit"},
        },
    ),
    "strict": (
        "Infos fail as well, unless fail-on is set; and what is a warning only because something is assumed is an error.",
        {"type": "boolean"},
    ),
}
_LIMIT: "Described" = {
    "on": ("The setting or quantity that the rule is about.", {"type": "string"}),
    "max": ("The largest value: a number, or the name of another setting or quantity.", {"$ref": "#/$defs/bound"}),
    "min": ("The smallest value: a number, or the name of another setting or quantity.", {"$ref": "#/$defs/bound"}),
    "multiple-of": (
        "What the value has to be a multiple of: a whole number, or the name of another setting or quantity.",
        {"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 1, "maximum": LARGEST}]},
    ),
    "one-of": (
        "The values that are good.",
        {"type": "array", "items": {"type": ["number", "string", "boolean"]}, "minItems": 1, "maxItems": MOST_CHOICES},
    ),
    "severity": ("How serious it is; a warning unless this says otherwise.", {"enum": list(SEVERITIES)}),
    "why": ("Why it matters, for whoever meets the finding.", {"type": "string", "maxLength": LONGEST_TEXT}),
}
_FILE: "Described" = {
    "exclude": (
        "Files and folders that are left out when folders are walked, as patterns relative to this file.",
        _TEXTS,
    ),
    "fail-on": ("The least severity that makes the exit status 1.", {"enum": list(SEVERITIES)}),
    "baseline": (
        "A file with findings that are known and pass; inside of the repository.",
        {"type": "string", "minLength": 1},
    ),
    "overrides": (
        "What holds for some files only; a later table wins.",
        {"type": "array", "items": {"$ref": "#/$defs/override"}},
    ),
}


def settings_schema() -> "Schema":
    """The schema, as a dictionary that JSON can hold."""
    everywhere = {
        **{
            option_name(name): {"description": f"{spec.help[0].upper()}{spec.help[1:]}.", **_fact(spec)}
            for name, spec in FACTS.items()
        },
        **_described(_POLICY),
    }
    return {
        "$schema": META,
        "$id": f"{HOME}/{FILE_NAME}",
        "title": "grpo-lint: settings of a repository",
        "type": "object",
        "properties": {**everywhere, **_described(_FILE)},
        "additionalProperties": False,
        "$defs": _definitions(everywhere),
    }


def _definitions(everywhere: "Schema") -> "Schema":
    """The schemas to which others refer; `everywhere`: what a whole file and an override may hold."""
    return {
        "override": {
            "type": "object",
            "properties": {
                "paths": {"description": "The files, as patterns relative to this file.", **_TEXTS},
                **everywhere,
            },
            "required": ["paths"],
            "additionalProperties": False,
        },
        "rule": {
            "description": "A code, the beginning of a code, or a name.",
            "anyOf": [{"enum": _words()}, {"pattern": "^(TEAM|team)"}],
        },
        "limit": {
            "type": "object",
            "properties": _described(_LIMIT),
            "required": ["on"],
            "anyOf": [{"required": [key]} for key in LIMITS],
            "additionalProperties": False,
        },
        "bound": {"type": ["number", "string"], "minimum": -LARGEST, "maximum": LARGEST},
        "rules": {"type": "array", "items": {"$ref": "#/$defs/rule"}},
        "keys": {"type": "array", "items": {"type": "string", "minLength": 1}},
    }


def _described(table: "Described") -> "Schema":
    return {name: {"description": description, **schema} for name, (description, schema) in table.items()}


def _fact(spec: "Spec") -> "Schema":
    if spec.kind == CHOICE:
        return {"enum": list(spec.choices)}
    if spec.kind == VERSION:
        return {"type": "string", "pattern": f"^({VERSION_PATTERN}|latest)$"}
    count = {"type": "integer", "minimum": int(spec.kind in (POSITIVE, COUNTS)), "maximum": 10**15 - 1}
    if spec.kind in (PARAMETERS, GIGABYTES):
        unit = "[bBmM]" if spec.kind == PARAMETERS else "[gG]([iI]?[bB])?"
        texts = {"type": "string", "pattern": rf"^[0-9]{{1,15}}(\.[0-9]+)? ?({unit})?$"}
        return {
            "anyOf": [
                {
                    "type": "integer",
                    "minimum": LEAST_PARAMETERS if spec.kind == PARAMETERS else 1,
                    "maximum": 10**15 - 1,
                },
                texts,
            ]
        }
    if spec.kind == COUNTS:
        several = {"type": "array", "items": count, "minItems": 1, "maxItems": MOST_COUNTS}
        return {
            "anyOf": [
                count,
                several,
                {"type": "string", "pattern": r"^[1-9][0-9]{0,14}([|,][1-9][0-9]{0,14}){0,%d}$" % (MOST_COUNTS - 1)},
            ]
        }
    return count


def _words() -> list[str]:
    codes = [rule.code for rule in ALL]
    return sorted(
        {code[:length] for code in codes for length in range(1, 8)}, key=lambda word: (len(word), word)
    ) + sorted(rule.name for rule in ALL)


def write_shipped(folder: "Path") -> None:
    """Write the schemas of the newest releases, and that of our settings, into a folder (a pathlib.Path)."""
    (folder / FILE_NAME).write_text(as_text(settings_schema()), encoding="utf-8", newline="\n")
    for framework_name, algorithm in SHIPPED_SCHEMAS:
        path = folder / file_name(framework_name, algorithm)
        path.write_text(as_text(schema_of(framework_name, algorithm=algorithm)), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    import sys
    from pathlib import Path

    write_shipped(Path(sys.argv[1]))
