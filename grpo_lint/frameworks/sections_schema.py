"""JSON Schemas of files with settings in sections: every setting of a release at its place.

A file of verl may hold any key, since it is merged into the tree of the release. So unknown keys are no error.
"""

from ..message import NOTHING, Message, sentences, told_by
from .catalogue import Field
from .descriptions import describe, suggestions_for
from .schema import HOME, KINDS, META, NoSchema, file_name, titled
from .versions import BadVersion, resolve_version, version_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..shared_types import Fields, Framework, Schema

_KINDS = {kind: KINDS[kind] for kind in ("int", "float", "bool", "str", "list", "any")}
_TYPES = {"int": "integer", "float": "number", "bool": "boolean", "list": "array"}
_DEFINITIONS = {
    "reference": {"type": "string", "pattern": r"\$\{"},
    **{
        kind: {"anyOf": [{"type": type}, {"type": "null"}, {"$ref": "#/$defs/reference"}]}
        for kind, type in _TYPES.items()
    },
    "str": {"type": ["string", "number", "boolean", "null"]},
    "any": True,
}


def schema_of_sections(framework: "Framework", version: str = "latest") -> "Schema":
    """The schema for one release, as a JSON-serialisable dictionary."""
    catalogue = framework.catalogue
    text = version if version in catalogue.releases else resolve_version(version, catalogue.releases)
    try:
        index = catalogue.release_index(version_key(text))
    except BadVersion as bad:
        raise NoSchema(told_by(bad)) from None
    groups = framework.reader.trainer.groups("grpo", "script")
    if index < 0 or not catalogue.known(framework.reader.trainer.field, groups) >> index & 1:
        raise NoSchema(
            Message(
                "{title} {version} is not known; the first release that is known is {first}",
                {"title": framework.title, "version": text, "first": catalogue.releases[0]},
            )
        )
    closed: Schema = {} if framework.reader.keys.takes_own_keys else {"additionalProperties": False}
    newest = text == resolve_version("latest", catalogue.releases)
    name = file_name(framework.name, "grpo") if newest else f"{framework.name}-grpo-{text}.schema.json"
    return {
        "$schema": META,
        "$id": f"{HOME}/{name}",
        "title": f"{framework.title} {text}: settings of a run, over {'the tree' if framework.reader.keys.takes_own_keys else 'the defaults'} of the release",
        "description": "The values of settings; keys of your own are merged like all others."
        if framework.reader.keys.takes_own_keys
        else "The values of settings; a key that is not listed is refused.",
        "type": "object",
        "properties": {
            **({} if closed else _of_hydra(framework)),
            **_properties(framework, catalogue.fields(groups, index), groups, closed),
        },
        **closed,
        "$defs": _DEFINITIONS,
    }


def _kinds_of_defaults(framework: "Framework") -> "str | list[str]":
    """What names the files that are merged first: where these are paths, one of them needs no list."""
    return "array" if framework.reader.primaries.folder else ["array", "string"]


def _properties(framework: "Framework", fields: "Fields", groups: "tuple[str, ...]", closed: "Schema") -> "Schema":
    """The properties of the top level, with those of its sections in them."""
    root: Schema = {"properties": {}}
    names = fields.names()
    sections_of_others = {name[:end] for name in names for end, letter in enumerate(name) if letter == "."}
    for path in sorted(set(names) - sections_of_others):
        *sections, key = path.split(".")
        node = root
        for depth, name in enumerate(sections, 1):
            section = node["properties"].get(name)
            if section is None:
                section = {
                    "type": ["object", "string", "null"],
                    **_about(framework, sections[:depth]),
                    "properties": {},
                    **closed,
                }
                node["properties"][name] = section
            node = section
        node["properties"][key] = _property(framework, groups, path, fields[path] or Field("any"))
    found: Schema = root["properties"]
    return found


def _of_hydra(framework: "Framework") -> "Schema":
    title = "defaults: the files that are merged first"
    return {"defaults": {"type": _kinds_of_defaults(framework), "title": title, **_about(framework, ["defaults"])}}


def _about(framework: "Framework", section: "list[str]") -> "Schema":
    """What a section holds, where there is a sentence about it."""
    told = describe(framework.name, ".".join(section))
    return {"description": told} if told else {}


def properties_by_path(framework: "Framework", groups: "tuple[str, ...]", version: str) -> "dict[str, Schema]":
    """{path: the schema of its value} of all settings of a release."""
    catalogue = framework.catalogue
    fields = catalogue.fields(groups, catalogue.release_index(version_key(version)))
    return {
        path: {"description": "", **_property(framework, groups, path, fields[path] or Field("any"))}
        for path in fields.names()
    }


def _property(framework: "Framework", groups: "tuple[str, ...]", path: str, field: Field) -> "Schema":
    kind = field.type.rstrip("?")
    kind = "list" if kind.startswith("list[") else kind if kind in _KINDS else "any"
    known, releases = framework.catalogue.known(path, groups), framework.catalogue.releases
    first = (known & -known).bit_length() - 1
    found: Schema = {"title": titled(path, _KINDS[kind]), "$ref": f"#/$defs/{kind}"}
    since = {"framework": framework.title, "release": framework.catalogue.label(first)} if first > 0 else None
    description = sentences(
        [describe(framework.name, path), Message("Since {framework} {release}.", since) if since else NOTHING]
    )
    if description:
        found["description"] = description
    offered = suggestions_for(framework.name, path, version_key(releases[-1]))
    if offered:
        found["examples"] = list(offered)
    if type(field.default) in (int, float, bool, str):
        found["default"] = field.default
    return found
