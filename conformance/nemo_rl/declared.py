"""Say which values the declared settings of a release of NeMo-RL take, for `conformance/new-release`, which writes them.

    python conformance/nemo_rl/declared.py FOLDER RELEASE > kinds.json

Since 0.7 the program hands its config to pydantic, so that the annotations count. Here pydantic itself says what it makes of them.
"""

import ast
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

KINDS = {"integer": "int", "number": "float", "boolean": "bool", "string": "str"}
ANY = "any"  # the kind of what a release does not declare
HEAD = '''"""What pydantic takes for a setting of NeMo-RL, in the releases that ask it: {releases}.

Generated from their annotations; do not edit. `conformance/new-release` writes it again, with the catalogue.

KINDS: path -> (the release since which, kinds with `|` between them), the oldest first; a word in quotes is a choice, "any" anything. SWITCHED:
sections of which only those with `enabled: true` are checked.
"""

# fmt: off
'''


class Declared:
    """The kinds of the settings below a model of pydantic, which its JSON schema describes."""

    def __init__(self, schema):
        self.definitions = schema["$defs"]
        self.kinds, self.switched = {}, set()
        self._section("", schema)

    def _resolved(self, node):
        return {**self.definitions[node["$ref"].rpartition("/")[2]], **node} if "$ref" in node else node

    def _section(self, path, node):
        for name, below in self._resolved(node).get("properties", {}).items():
            self._setting(f"{path}.{name}".lstrip("."), self._resolved(below))

    def _setting(self, path, node):
        if "properties" in node:
            self._section(path, node)
            return
        ways = [self._resolved(way) for way in node.get("anyOf", [node])]
        sections = [way for way in ways if "properties" in way]
        if not sections:
            kinds = [kind for way in ways for kind in self._kinds(way)]
            if kinds and "any" not in kinds:
                self.kinds[path] = "|".join(dict.fromkeys(kinds))
            return
        others = [way for way in ways if way not in sections]
        if len(sections) == 2 and not others and "enabled" in sections[1]["properties"]:
            self.switched.add(path)  # by a section that is on, and one that is off and has no more to say
            sections = sections[:1]
        if len(sections) == 1:
            self._section(path, sections[0])
            self.kinds.pop(f"{path}.enabled", None)

    def _kinds(self, way):
        if "enum" in way or "const" in way:
            return map(repr, way.get("enum", [way.get("const")]))
        if way.get("type") == "array":
            of = [*self._kinds(self._resolved(way.get("items", {})))]
            return ["any"] if len(of) != 1 else [f"list[{of[0]}]"]
        return [{"null": "null", "object": "dict", **KINDS}.get(way.get("type"), "any")]


def schema_of(folder, release):
    """The JSON schema of `MasterConfig`; callables in it are anything."""
    sys.argv = ["declared.py", folder, release]
    import ask
    from pydantic.json_schema import GenerateJsonSchema

    class Lenient(GenerateJsonSchema):
        def handle_invalid_for_json_schema(self, schema, error_info):
            return {}

    return ask.G.MasterConfig.model_json_schema(schema_generator=Lenient)


def asks_pydantic(folder):
    """Whether a checkout hands its config to pydantic, by its source."""
    text = (Path(folder) / "nemo_rl" / "algorithms" / "grpo.py").read_text(encoding="utf-8")
    classes = {node.name: node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)}
    return any(getattr(base, "id", "") == "BaseModel" for base in classes["MasterConfig"].bases)


def module_text(found):
    """The text of the module for {release: {"kinds": ..., "switched": ...}} of those that ask pydantic, the oldest first."""
    spans, switched = {}, set()
    for release, declared in found.items():
        since = tuple(map(int, release.split(".")[:2]))
        switched.update(declared["switched"])
        for path in sorted({*spans, *declared["kinds"]}):
            kinds, known = declared["kinds"].get(path, ANY), spans.setdefault(path, [])
            if kinds != (known[-1][1] if known else ANY):
                known.append((since, kinds))
    rows = {path: ", ".join(f'({since}, "{kinds}")' for since, kinds in known) for path, known in sorted(spans.items())}
    lines = [f'    "{path}": ({row},),\n' for path, row in rows.items()]
    text = HEAD.format(releases=", ".join(found)) + "KINDS = {\n" + "".join(lines) + "}\n"
    return text + f"SWITCHED = {tuple(sorted(switched))!r}\n".replace("'", '"')


def main():
    folder, release = sys.argv[1:3]
    declared = Declared(schema_of(folder, release))
    print(json.dumps({"kinds": declared.kinds, "switched": sorted(declared.switched)}))


if __name__ == "__main__":
    main()
