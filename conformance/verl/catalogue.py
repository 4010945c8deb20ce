"""Writes grpo_lint/frameworks/verl/catalogue.py from released wheels of verl.

    pip download --no-deps -d WHEELS verl==0.9.1 ...
    python conformance/verl/catalogue.py WHEELS/*.whl

It needs hydra-core and omegaconf, and neither verl nor torch: the trees are what Hydra composes of the entry files that a
wheel ships, and the fields of strict nodes (those with `_target_`) are read from the source of their dataclasses, and what the code does with values by `uses.py`.
"""

import argparse
import ast
import re
import sys
import tempfile
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import uses

HERE = Path(__file__).resolve().parents[2] / "grpo_lint" / "frameworks" / "verl" / "catalogue.py"
ENGINES = ("veomni", "torchtitan", "mindspeed")  # of the group model_engine, besides dp and megatron

LETTERS = {"dp": "d", "megatron": "m", "veomni": "v", "torchtitan": "t", "mindspeed": "s"}
HEAD = '''"""The settings of verl {first} to {last}; groups: the trees of the training engines.

Generated from the released packages; do not edit. To write it again:

    python conformance/verl/catalogue.py WHEELS/*.whl

SECTIONS: path of a section -> a line for each of its keys, `key type spans default`; a line that begins with a blank goes on
with the key above it. A span is the letters of its GROUPS with the first and the last release, as indices into RELEASES, both
included, without the last one where it is the newest. Types: `map` is an open mapping, `node` one of which verl makes a
dataclass, `ref` a reference; those that begin with + stand in the dataclass only, so that a command has to append them. In
place of a type stands behind a colon what the code asks of a value, in the words of conformance/verl/uses.py.
COMPANIONS is parallel to RELEASES.
"""

'''


def release_key(release):
    numbers, _, post = release.partition(".post")
    return [*map(int, (numbers.split(".") + ["0", "0"])[:3]), int(post or -1)]


# --- dataclasses ----------------------------------------------------------------------------------------------------


def dataclasses_of(root):
    """{qualified name: (module, bases, {field: annotation})}."""
    found = {}
    for path in sorted((root / "verl").rglob("*.py")):
        try:
            tree = ast.parse(path.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError):
            continue
        module = ".".join(path.relative_to(root).with_suffix("").parts)
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and any("dataclass" in ast.unparse(each) for each in node.decorator_list):
                fields = {
                    each.target.id: ast.unparse(each.annotation)
                    for each in node.body
                    if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
                }
                bases = [ast.unparse(base).split("[")[0].rpartition(".")[2] for base in node.bases]
                found[f"{module}.{node.name}"] = module, bases, fields
    return found


def class_of(classes, target):
    """The dataclass of a `_target_`, which another module may re-export."""
    if target in classes:
        return target
    package, _, name = target.rpartition(".")
    alike = [each for each in classes if each.rpartition(".")[2] == name]
    return min(alike, key=lambda each: (not each.startswith(package), len(each)), default=None)


def fields_of(classes, name, seen=()):
    module, bases, own = classes[name]
    found = {}
    for base in bases:
        parent = class_of(classes, f"{module}.{base}") if base not in seen else None
        if parent:
            found.update(fields_of(classes, parent, (*seen, base)))
    return {**found, **{field: kind for field, kind in own.items() if "ClassVar" not in kind}}


# --- trees ----------------------------------------------------------------------------------------------------------


def trees_of(root):
    """(group, composed tree) of each training engine."""
    from hydra import compose, initialize_config_dir
    from hydra.core.global_hydra import GlobalHydra
    from omegaconf import OmegaConf

    folder = root / "verl" / "trainer" / "config"
    wanted = [("dp", "ppo_trainer", []), ("megatron", "ppo_megatron_trainer", [])]
    wanted += [
        (engine, "ppo_trainer", [f"model_engine={engine}"])
        for engine in ENGINES
        if (folder / "model_engine" / f"{engine}.yaml").exists()
    ]
    for group, name, overrides in wanted:
        GlobalHydra.instance().clear()
        with initialize_config_dir(config_dir=str(folder.resolve()), version_base=None):
            config = compose(config_name=name, overrides=overrides)
        yield group, OmegaConf.to_container(config, resolve=False)


def simple_type(annotation):
    """int, float, bool or str, with a question mark when None is one of the values; an empty text for others."""
    text = annotation.replace("typing.", "").replace("'", "").replace('"', "")
    optional = "None" in text or "Optional" in text
    inner = re.sub(r"Optional\[(.*)\]", r"\1", text).replace("| None", "").replace("None |", "").strip()
    return inner + ("?" if optional else "") if inner in ("int", "float", "bool", "str") else ""


def kind_of(value, annotation):
    if isinstance(value, dict):
        return "node" if "_target_" in value else "map"
    if isinstance(value, str) and "${" in value:
        return "ref"
    if isinstance(value, str) and value == "???":
        return "required"
    told = simple_type(annotation or "")
    if value is None:
        return told or "any?"
    name = type(value).__name__
    if name in ("int", "float", "bool") and "str" in re.split(r"\W+", annotation or ""):
        return "any"  # `str | float`
    return "float" if name == "int" and told.startswith("float") else name


def class_of_part(classes, annotation, package):
    """The dataclass that a field of a class of a package says for a section that names none itself."""
    inner = re.sub(r"Optional\[(.*)\]|\s*\|\s*None|None\s*\|\s*", r"\1", annotation).strip("'\"")
    return class_of(classes, f"{package}.{inner}") if inner.isidentifier() else None


def walk(classes, node, path, found, name=None):
    """Collect {path: (type, default)} of a tree; a default of an unsupported kind becomes None. `name`: the class that the section
    around it says for it."""
    target = node.get("_target_")
    is_named = isinstance(target, str)
    name = class_of(classes, target) if is_named else name
    annotations = fields_of(classes, name) if name else {}
    for key, value in node.items():
        if key == "_target_":
            continue
        place = f"{path}.{key}" if path else str(key)
        kind = kind_of(value, annotations.get(key))
        if isinstance(value, dict):
            found[place] = (kind, None)
            part = class_of_part(classes, annotations.get(key, ""), (name or "").rpartition(".")[0])
            walk(classes, value, place, found, part)
        else:
            found[place] = (kind, value if kind not in ("list", "required") else None)
    for key, annotation in annotations.items() if is_named else ():
        if key not in node and not key.startswith("_"):
            found[f"{path}.{key}"] = (f"+{simple_type(annotation) or 'any?'}", None)


def classes_in(classes, node, path=""):
    """(section, its dataclass) of all sections of a tree that name one."""
    name = class_of(classes, node["_target_"]) if isinstance(node.get("_target_"), str) else None
    if name:
        yield path, name
    for key, value in node.items():
        if isinstance(value, dict):
            yield from classes_in(classes, value, f"{path}.{key}" if path else str(key))


def read(wheel, folder):
    """(release, {group: {path: (type, default)}}, {(group, path): what its code asks of a value}) of a wheel."""
    release = Path(wheel).name.split("-")[1]
    root = Path(folder) / release
    zipfile.ZipFile(wheel).extractall(root)
    classes, trees, nodes = dataclasses_of(root), {}, []
    for group, tree in trees_of(root):
        walk(classes, tree, "", trees.setdefault(group, {}))
        nodes += [(*each, group) for each in classes_in(classes, tree)]
    return release, trees, uses.demands(root, trees, classes, nodes)


# --- the module -----------------------------------------------------------------------------------------------------


def runs_of(path, releases):
    """{(type, default): [(group, first, last)]}: the runs of releases in which a tree has the same setting at a
    path."""
    runs = {}
    for group in LETTERS:
        start = None
        for index in range(len(releases) + 1):
            now = releases[index][1].get(group, {}).get(path) if index < len(releases) else None
            before = releases[index - 1][1].get(group, {}).get(path) if index else None
            if repr(now) != repr(before):
                if before is not None:
                    runs.setdefault(repr(before), (before, []))[1].append((group, start, index - 1))
                start = index
    return [*runs.values()]


def demands_of(path, releases):
    """{demand: [(group, first, last)]}: the runs of releases whose code asks this of a setting."""
    found = {}
    for group in LETTERS:
        start = None
        for index in range(len(releases) + 1):
            now = releases[index][2].get((group, path)) if index < len(releases) and len(releases[index]) > 2 else None
            before = releases[index - 1][2].get((group, path)) if index and len(releases[index - 1]) > 2 else None
            if now != before:
                if before is not None:
                    found.setdefault(before, []).append((group, start, index - 1))
                start = index
    return found


def settled_types(fields):
    """Set the types of null defaults from other releases."""
    for runs in fields.values():
        told = {kind.lstrip("+").rstrip("?") for (kind, _), _ in runs} & {"int", "float", "bool", "str"}
        if len(told) == 1:
            runs[:] = [((kind.replace("any?", f"{min(told)}?"), default), spans) for (kind, default), spans in runs]


def spans_text(spans, newest):
    """`dm0-4,vt11-`: the groups of each pair of releases together."""
    together = {}
    for group, first, last in spans:
        together.setdefault((first, last), []).append(LETTERS[group])
    return ",".join(
        f"{''.join(groups)}{first}-{'' if last == newest else last}"
        for (first, last), groups in sorted(together.items())
    )


def default_text(default):
    if default is None:
        return ""
    text = str(default)
    return "''" if text == "" else text[2:-1] if text.startswith("${") and text.count("}") == 1 else text


def module_text(releases, head=HEAD, engines=tuple(LETTERS)):
    names = [release for release, *_ in releases]
    paths = sorted({path for _, trees, *_ in releases for tree in trees.values() for path in tree})
    fields = {path: runs_of(path, releases) for path in paths}
    settled_types(fields)
    sections = {}
    for path, runs in fields.items():
        section, _, key = path.rpartition(".")
        lines = sections.setdefault(section, [])
        for place, ((kind, default), spans) in enumerate(runs):
            told = f"{kind} {spans_text(spans, len(names) - 1)} {default_text(default)}".rstrip()
            lines.append(f"{'' if place else key} {told}")
        for demand, spans in demands_of(path, releases).items():
            lines.append(f" :{demand} {spans_text(spans, len(names) - 1)}")
    text = [head.format(first=names[0], last=names[-1]), "RELEASES = (\n"]
    text += [f'    "{name}",\n' for name in names]
    text += [')\nCOMPANIONS: "tuple[dict[str, str], ...]" = ({},) * len(RELEASES)\n']
    groups = ", ".join(f'"{letter}": "{group}"' for group, letter in LETTERS.items() if group in engines)
    text += [f"GROUPS = {{{groups}}}\n\n"]
    text += ["# fmt: off\nSECTIONS = {\n"]
    for section, lines in sections.items():
        joined = "\n".join(lines)
        assert "\\" not in joined and '"""' not in joined, section
        text.append(f'"{section}": """\\\n{joined}""",\n')
    text.append("}\n# fmt: on\n")
    return "".join(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheels", nargs="+")
    parser.add_argument("--out", type=Path, default=HERE)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        releases = sorted((read(wheel, folder) for wheel in options.wheels), key=lambda each: release_key(each[0]))
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(module_text(releases), encoding="utf-8")
    print(f"{options.out}: {len(releases)} releases, {options.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
