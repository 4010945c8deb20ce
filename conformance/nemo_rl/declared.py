"""Write which values NeMo-RL's declared settings take, from the release that checks them.

    python conformance/nemo_rl/declared.py FOLDER RELEASE

Since 0.7 the program hands its config to pydantic, so that the annotations count. Here pydantic itself says what it makes of them.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

OUT = Path(__file__).parents[2] / "grpo_lint" / "frameworks" / "nemo_rl" / "declared.py"
KINDS = {"integer": "int", "number": "float", "boolean": "bool", "string": "str"}
HEAD = '''"""What pydantic takes for a setting of NeMo-RL {release}, which is the first release that asks it.

Generated from its annotations; do not edit. To write it again:

    python conformance/nemo_rl/declared.py FOLDER RELEASE

KINDS: path -> kinds with `|` between them; a word in quotes is a choice. SWITCHED: sections of which only those with `enabled: true` are
checked.
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


def main():
    folder, release = sys.argv[1:3]
    declared = Declared(schema_of(folder, release))
    lines = [f'    "{path}": "{kinds}",\n' for path, kinds in sorted(declared.kinds.items())]
    text = HEAD.format(release=release) + "KINDS = {\n" + "".join(lines) + "}\n"
    OUT.write_text(text + f"SWITCHED = {tuple(sorted(declared.switched))!r}\n".replace("'", '"'), encoding="utf-8")


if __name__ == "__main__":
    main()
