"""Composes random chains of files with Hydra itself, over the tree of a release, and records the results.

    python conformance/verl/composition.py WHEEL --cases 400 --seed 1 > CASES.jsonl     # where hydra-core is installed

Each line holds the files, the command, its variables, and the values that Hydra gives some settings (null where it refuses).
`tests/test_composition.py` compares the linter with the recorded results.
"""

import argparse
import json
import os
import random
import sys
import tempfile
import warnings
import zipfile
from pathlib import Path

TREE = "verl/trainer/config"
# Settings that files set and whose results are recorded: by the section that a package may be.
SETTINGS = {
    "data": ("train_batch_size", "max_prompt_length"),
    "trainer": ("nnodes", "n_gpus_per_node"),
    "algorithm": ("gamma",),
    "actor_rollout_ref.actor": ("ppo_mini_batch_size", "ppo_epochs"),
    "actor_rollout_ref.rollout": ("n", "temperature"),
    "mine": ("a", "b"),
    "mine.deep": ("a",),
}
GROUPS = ("", "exp", "data", "kind/fine")
NAMES = ("one", "two", "three")
ABSENT = "<absent>"


def drawn(random):
    """A case: its files by path, the words of its command, the variables of its environment."""
    files, variables = {}, {}
    others = random.choices(GROUPS, k=random.choice((0, 1, 2, 3, 4)))
    paths = list(dict.fromkeys(f"{group}/{random.choice(NAMES)}".lstrip("/") for group in others))
    for place in range(len(paths)):
        is_beside = random.random() < 0.2
        named = paths[place + 1 :]
        files[f"{'more' if is_beside else 'conf'}/{paths[place]}.yaml"] = file(random, paths[place], named, variables)
    is_over_the_tree = random.random() < 0.7
    primary = file(random, "", paths, variables, is_over_the_tree, is_primary=True)
    if is_over_the_tree or any(path.startswith("more/") for path in files):
        primary = f"hydra:\n  searchpath:\n    - file://more\n    - file://{TREE}\n{primary}"
    files["conf/start.yaml"] = primary
    return {"files": files, "overrides": words(random, paths), "variables": variables}


def file(random, path, named, variables, is_over_the_tree=False, is_primary=False):
    """The text of a file that may name others."""
    lines = []
    if not is_primary and random.random() < 0.25:
        lines.append(f"# @package {random.choice(('_global_', 'data', 'mine', 'actor_rollout_ref.rollout'))}")
    taken = [other for other in named if random.random() < 0.6]
    elements = [element(random, path, other, taken, variables) for other in taken]
    if is_over_the_tree:
        elements.insert(random.choice((0, 0, 0, len(elements))), "ppo_trainer")
    overridden = [each for each in elements if ": " in each and random.random() < 0.15]
    if random.random() < 0.8:
        elements.insert(random.choice((0, len(elements), len(elements))), "_self_")
    for each in overridden:
        group, _, name = each.partition(": ")
        others = [
            other for other in named if "/" in other and other.rpartition("/")[0] == group.lstrip("/").partition("@")[0]
        ]
        chosen = random.choice(others).rpartition("/")[2] if others else name
        elements.append(f"override {group}: {chosen}")
    if is_over_the_tree and random.random() < 0.1:
        elements.append("override model_engine: megatron")
    if is_primary and random.random() < 0.1:
        elements.append(f"override {random.choice(('', '/'))}hydra/job_logging: disabled")
    if elements and (len(elements) > 1 or random.random() < 0.8):
        lines += ["defaults:", *(f"  - {each}" for each in elements)]
    # a config that holds nothing at all is none for the linter
    sections = random.sample(sorted(SETTINGS), k=random.choice((1 if is_primary else 0, 1, 2, 3)))
    return "\n".join([*lines, *contents(random, sections, path)]) + "\n"


def element(random, path, other, taken, variables):
    """One element of a list of defaults in the file at `path` that names another file, one of those that the list names."""
    group, _, name = other.rpartition("/")
    holder = path.rpartition("/")[0]
    package = random.choice(("", "", "@_global_", "@data", "@actor_rollout_ref.actor", "@_here_", "@mine", "@_group_"))
    slash = "/" if holder else random.choice(("", "/"))
    optional = "optional " if random.random() < 0.1 else ""
    refers = random.random() < 0.5
    if not group or random.random() < 0.2:
        whole = f"{group}/{reference(random, name, [], variables)}" if group and refers else other
        return f"{slash}{whole}{package}"
    value = random.choice((name, name, name, name, f"[{name}]", "null", "???"))
    if refers and value == name:
        value = reference(random, name, [each for each in taken if each != other], variables)
    return f"{optional}{slash}{group}{package}: {value}"


def reference(random, name, others, variables):
    """A text that refers to what may be, or hold, a name: to a variable, or to the choice of a group."""
    alike = [group for group, _, own in (each.rpartition("/") for each in others) if group and own == name]
    if alike and random.random() < 0.8:
        return f"${{{random.choice(alike)}}}"
    start = random.choice((0, 0, 1))
    variable = f"NAME_{len(variables)}"
    if random.random() < 0.8:
        variables[variable] = name[start:]
        return f"{name[:start]}${{oc.env:{variable}{random.choice(('', ',two'))}}}"
    return random.choice((f"${{oc.env:{variable},{name}}}", f"${{oc.env:{variable}}}", "${exp}", f"${{data}}{name}"))


def contents(random, sections, path):
    """The settings of a file; in a config group it may set them without their section."""
    lines, seen = [], {}
    for section in sections:
        for name in SETTINGS[section]:
            seen[f"{section}.{name}"] = random.randrange(1, 100)
    if "/" in path and random.random() < 0.5:
        for name in random.choice(list(SETTINGS.values())):
            seen[name] = random.randrange(1, 100)
    tree = {}
    for name, value in seen.items():
        node = tree
        *above, last = name.split(".")
        for part in above:
            node = node.setdefault(part, {})
            if not isinstance(node, dict):
                break
        else:
            node[last] = value
    if random.random() < 0.05:
        tree["mine"] = random.choice((None, 7))
    return [f"{name}: {json.dumps(value)}" for name, value in tree.items()] or lines


def words(random, paths):
    """Overrides that choose files."""
    found = []
    for path in paths:
        group, _, name = path.rpartition("/")
        if not group:
            continue
        chance = random.random()
        if chance < 0.15:
            found.append(f"+{group}{random.choice(('', '@mine', '@_global_'))}={name}")
        elif chance < 0.25:
            found.append(f"{group}={name}")
        elif chance < 0.3:
            found.append(f"~{group}")
        elif chance < 0.33:
            found.append(f"~{group}={name}")
    return found


def asked(case, folder, tree):
    """The values that Hydra gives some settings of a case; None where it refuses."""
    from hydra import compose, initialize_config_dir
    from omegaconf import OmegaConf

    for path, text in case["files"].items():
        place = Path(folder, path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text.replace("file://", f"file://{folder}/"), encoding="utf-8")
    Path(folder, TREE).parent.mkdir(parents=True, exist_ok=True)
    Path(folder, TREE).symlink_to(tree)
    os.environ.update(case["variables"])
    try:
        with initialize_config_dir(str(Path(folder, "conf")), version_base=None):
            config = compose("start", overrides=case["overrides"])
    except Exception as refusal:
        return None, f"{type(refusal).__name__}: {refusal}"
    finally:
        for name in case["variables"]:
            del os.environ[name]
    found = {}
    for section, names in SETTINGS.items():
        for path in [section, *(f"{section}.{name}" for name in names)]:
            value = OmegaConf.select(config, path, default=ABSENT)
            found[path] = "<section>" if OmegaConf.is_config(value) else value
    found["model_engine"] = config.get("model_engine", ABSENT)
    return found, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--cases", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    source = random.Random(options.seed)
    refused = {}
    with tempfile.TemporaryDirectory() as unpacked:
        zipfile.ZipFile(options.wheel).extractall(unpacked)
        for _ in range(options.cases):
            case = drawn(source)
            with tempfile.TemporaryDirectory() as folder:
                case["found"], why = asked(case, os.path.realpath(folder), Path(unpacked, TREE))
            refused[why[:60]] = refused.get(why[:60], 0) + 1
            print(json.dumps(case))
    for why, count in sorted(refused.items(), key=lambda pair: -pair[1])[:12]:
        print(f"{count:5} {why or 'composed'}", file=sys.stderr)


if __name__ == "__main__":
    main()
