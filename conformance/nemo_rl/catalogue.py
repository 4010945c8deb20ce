"""Write the catalogue of NeMo-RL from checkouts of it, the oldest first.

    git -C RL archive v0.7.0 | tar -x -C CHECKOUTS/nemo-rl-0.7.0 ...
    python conformance/nemo_rl/catalogue.py CHECKOUTS/nemo-rl-0.2.1 CHECKOUTS/nemo-rl-0.3.1 ...

A folder is called after its release. Read are the classes below `MasterConfig`, by their source, and the examples on which configs build;
nothing is imported.
"""

import argparse
import ast
import json
import re
from pathlib import Path

import yaml

# {example, as other configs build on it: its group in the catalogue}
BASES = {
    "grpo_math_1B": "1B",
    "grpo_math_8B": "8B",
    "grpo_math_1B_megatron": "1B-megatron",
    "grpo_math_8B_megatron": "8B-megatron",
    "vlm_grpo_3B": "vlm",
}
USUAL = "grpo_math_1B"
DECLARED = "declared"  # the group of what is a setting whether or not an example has it
FOREVER = (99, 0)  # until this release holds what the newest one has
ABSENT, SECTION = "<absent>", "<map>"
OUT = Path(__file__).parents[2] / "grpo_lint" / "frameworks" / "nemo_rl" / "catalogue.py"
HEAD = '''"""The settings of NeMo-RL {first} to {last}, as its examples have them.

Generated from its checkouts; do not edit. To write it again:

    python conformance/nemo_rl/catalogue.py CHECKOUTS/nemo-rl-*

FIELDS: path -> its spans (groups, first, last, type, default), first and last as indices into RELEASES, both included. A group is an example
on which configs build, by BASES, or "{declared}" for what is a setting whether or not an example has it. GPUS: {{example: (GPUs of a node,
nodes)}} of its cluster. REFERRED: {{setting: (what refers to it in {usual}, since which release, until which)}}.
"""

# fmt: off
'''


# --- a checkout -----------------------------------------------------------------------------------------------------


class Classes:
    """The classes of a checkout by module and name, with what a module imports of others, also below a condition."""

    def __init__(self, folder):
        self.folder, self.modules = folder, {}

    def module(self, name):
        """(its classes and aliases, {name: (module, name there) that it imports})."""
        if name not in self.modules:
            place = self.folder.joinpath(*name.split("."))
            path = next((each for each in (place.with_suffix(".py"), place / "__init__.py") if each.exists()), None)
            tree = ast.parse(path.read_text(encoding="utf-8") if path else "")
            imported = {
                each.asname or each.name: (node.module, each.name)
                for node in ast.walk(tree)
                if isinstance(node, ast.ImportFrom) and node.module
                for each in node.names
            }
            defined = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
            for node in tree.body:
                if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                    defined[node.targets[0].id] = node
            self.modules[name] = defined, imported
        return self.modules[name]

    def find(self, module, name, depth=0):
        """(module, node) of the class or the alias that a name means in a module; None for what is no part of the package."""
        defined, imported = self.module(module)
        if name in defined:
            return module, defined[name]
        origin, there = imported.get(name, ("", ""))
        return self.find(origin, there, depth + 1) if origin.startswith("nemo_rl") and depth < 6 else None

    def fields(self, module, node):
        """(module, annotated name) of each field of a class, those of its bases first."""
        for base in node.bases:
            found = self.find(module, base.id) if isinstance(base, ast.Name) else None
            if found and isinstance(found[1], ast.ClassDef):
                yield from self.fields(*found)
        for each in node.body:
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                yield module, each

    def walk(self, prefix, module, node, seen, found):
        """Collect {path: annotation} of a class and of those that its annotations name."""
        for place, field in self.fields(module, node):
            path = prefix + field.target.id
            text = ast.unparse(field.annotation)
            found.setdefault(path, text.replace("NotRequired[", "?[", 1) if text.startswith("NotRequired") else text)
            for name in names_in(field.annotation):
                self._walk_named(f"{path}.", place, name, seen, found)
        return found

    def _walk_named(self, prefix, module, name, seen, found):
        meant = self.find(module, name)
        if meant and isinstance(meant[1], ast.Assign):  # an alias of several
            for each in names_in(meant[1].value):
                inner = self.find(meant[0], each)
                if inner and isinstance(inner[1], ast.ClassDef) and each not in seen:
                    self.walk(prefix, *inner, (*seen, each), found)
        elif meant and name not in seen:
            self.walk(prefix, *meant, (*seen, name), found)


def names_in(node):
    """The names in an expression, also those that are written as texts."""
    yield from (each.id for each in ast.walk(node) if isinstance(each, ast.Name))
    yield from (each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and type(each.value) is str)


class Loader(yaml.SafeLoader):
    """Numbers as OmegaConf reads them: 1e-6 is one."""


Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"[-+]?\d[\d_]*\.?[\d_]*[eE][-+]?\d+\Z"), list("-+0123456789")
)


def merged(base, own):
    """A mapping over another one, as the releases merge them."""
    if not isinstance(base, dict) or not isinstance(own, dict) or own.get("_override_"):
        return {name: value for name, value in own.items() if name != "_override_"} if isinstance(own, dict) else own
    return {**base, **{name: merged(base.get(name), value) for name, value in own.items()}}


def composed(path):
    """The values of an example with those on which it builds."""
    own = yaml.load(path.read_text(encoding="utf-8"), Loader)
    defaults, found = own.pop("defaults", []), {}
    for name in [defaults] if isinstance(defaults, str) else defaults:
        found = merged(found, composed(path.parent / name))
    return merged(found, own)


def flat(values, prefix=""):
    for name, value in values.items():
        if isinstance(value, dict) and value:
            yield prefix + name, SECTION
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def read(folder):
    """(release, {path: annotation}, {example: {path: value}}) of a checkout."""
    classes = Classes(folder)
    module, master = classes.find("nemo_rl.algorithms.grpo", "MasterConfig")
    declared = classes.walk("", module, master, ("MasterConfig",), {})
    paths = {name: folder / "examples" / "configs" / f"{name}.yaml" for name in BASES}
    examples = {name: dict(flat(composed(path))) for name, path in paths.items() if path.exists()}
    return folder.name.rpartition("-")[2], declared, examples


# --- the catalogue --------------------------------------------------------------------------------------------------


def _type(annotation, value):
    text = annotation or ""
    optional = text.startswith("?") or "None" in text or "Optional" in text
    inner = text.lstrip("?").removeprefix("[").removeprefix("Optional[").partition("|")[0].strip(" ]")
    kind = {"int": "int", "float": "float", "bool": "bool", "str": "str", "Literal[True": "bool"}.get(inner)
    if "float" in text and "int" in text:
        kind = "float"
    if kind is None:
        lowered = inner.lower()
        kind = "list" if lowered.startswith("list") else "dict" if lowered.startswith("dict") else None
    if kind is None:
        known = {bool: "bool", int: "int", float: "float", str: "str", list: "list", dict: "dict"}
        kind = "any" if value is None or "Literal" in text else known.get(type(value), "any")
    return kind + ("?" if optional or value is None else "")


def _plain(value):
    """A default that needs nothing else to be known: no reference, and no collection."""
    return None if isinstance(value, (list, dict)) or (isinstance(value, str) and "${" in value) else value


def _rows(path, dumps):
    """[(group, release index, type, default)] of a setting."""
    for index, (_, declared, examples) in enumerate(dumps):
        usual = examples[USUAL]
        if path not in declared and path not in usual:
            continue
        annotation, value = declared.get(path), usual.get(path, ABSENT)
        for base, group in BASES.items():
            found = examples.get(base, {}).get(path, value)
            found = value if found == SECTION else found
            if base in examples and found not in (ABSENT, SECTION):
                yield group, index, _type(annotation, found), _plain(found)
        if value == SECTION and "." not in path:
            yield DECLARED, index, "section?", None
        elif value != SECTION:
            kind = _type(annotation, None if value == ABSENT else value)
            yield DECLARED, index, kind.rstrip("?") + "?", None


def _spans(rows):
    """The rows of a setting with neighbouring releases and equal groups put together."""
    spans = []
    for group in (*BASES.values(), DECLARED):
        for _, index, kind, default in [row for row in rows if row[0] == group]:
            last = spans[-1] if spans else None
            if last and last[0] == group and last[2] == index - 1 and repr(last[3:]) == repr([kind, default]):
                last[2] = index
            else:
                spans.append([group, index, index, kind, default])
    together = {}
    for group, *rest in spans:
        together.setdefault(repr(rest), ([], rest))[0].append(group)
    return [(" ".join(groups), *rest) for groups, rest in together.values()]


def catalogue(dumps):
    """The text of the module for releases as `read` gives them, the oldest first."""
    releases = tuple(release for release, *_ in dumps)
    paths = sorted({path for _, declared, examples in dumps for path in (*declared, *examples[USUAL])})
    fields = {path: rows for path in paths if (rows := _spans([*_rows(path, dumps)]))}
    lines = [HEAD.format(first=releases[0], last=releases[-1], declared=DECLARED, usual=USUAL)]
    lines.append(f"RELEASES = {releases!r}\n".replace("'", '"'))
    lines.append('COMPANIONS: "tuple[dict[str, str], ...]" = ({},) * len(RELEASES)\n')
    lines.append(f"BASES = {BASES!r}\n".replace("'", '"'))
    lines.append(f"GPUS = {_gpus(dumps)!r}\n".replace("'", '"'))
    lines.append("REFERRED = {\n")
    lines += [f"    {_shown(path)}: {tuple(spans)!r},\n".replace("'", '"') for path, spans in _referred(dumps).items()]
    lines.append("}\nFIELDS = {\n")
    for path, rows in fields.items():
        shown = ", ".join(f"({', '.join(map(_shown, row))})" for row in rows)
        lines.append(f"    {_shown(path)}: ({shown},),\n")
    lines.append("}\n")
    return "".join(lines)


def _gpus(dumps):
    """{example: (GPUs of a node, nodes)} of the newest release that has it."""
    newest = {base: values for _, _, examples in dumps for base, values in examples.items()}
    return {
        base: tuple(newest[base][f"cluster.{name}"] for name in ("gpus_per_node", "num_nodes"))
        for base in BASES
        if base in newest
    }


def _referred(dumps):
    """{setting: [(what refers to it in the usual example, the release since which, the one until which)]}."""
    minors = [tuple(map(int, release.split(".")[:2])) for release, *_ in dumps]
    found = {}
    for index, (_, _, examples) in enumerate(dumps):
        for path, value in examples[USUAL].items():
            for target in re.findall(r"\$\{([\w.]+)\}", value) if isinstance(value, str) else ():
                found.setdefault(target, {}).setdefault(path, []).append(index)
    ends = [*minors[1:], FOREVER]
    return {
        target: [(path, minors[at[0]], ends[at[-1]]) for path, at in sorted(referring.items())]
        for target, referring in sorted(found.items())
    }


def _shown(value):
    return json.dumps(value) if isinstance(value, str) else repr(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkouts", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    options.out.write_text(catalogue([read(folder.resolve()) for folder in options.checkouts]), encoding="utf-8")


if __name__ == "__main__":
    main()
