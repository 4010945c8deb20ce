"""Asks Hydra which overrides the files of verl's other trainers take, over the trees of the releases, and records its answers.

    python conformance/verl/entry_verdicts.py WHEELS CHECKOUT RECIPES --words 25 --seed 1 > VERDICTS.jsonl

The arguments are those of `entry_points.py`. Each line holds an entry point, the file it starts from, a release, and the words that are
taken and refused, each asked alone. `tests/test_entry_points.py` compares the linter with the recorded answers.
"""

import argparse
import json
import os
import random
import sys
import tempfile
import zipfile
from pathlib import Path

from catalogue import release_key
from entry_points import ENTRY_POINTS, composed, file_of


def leaves(node, path=""):
    """The dotted paths of the settings in a tree."""
    for key, value in node.items():
        place = f"{path}.{key}" if path else str(key)
        if isinstance(value, dict):
            yield from leaves(value, place)
        elif key != "_target_":
            yield place


def files_of(release, root, checkout, recipes):
    """(entry point, name of its file, folder with it) of those that a release has."""
    for entry, (folders, names) in ENTRY_POINTS.items():
        for name in names.values():
            text = next(filter(None, (file_of(each, name, release, root, checkout, recipes) for each in folders)), "")
            if text:
                own = root / "own" / entry
                own.mkdir(parents=True, exist_ok=True)
                (own / f"{name}.yaml").write_text(text, encoding="utf-8")
                yield entry, name, own.resolve()


def is_taken(folder, name, tree, word):
    try:
        composed(folder, name, tree, [word])
    except Exception:  # whatever Hydra refuses
        return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheels", type=Path)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("recipes", type=Path)
    parser.add_argument("--words", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        found, own_keys, all_keys = [], set(), set()
        wheels = sorted(options.wheels.glob("verl-*.whl"), key=lambda each: release_key(each.name.split("-")[1]))
        for wheel in wheels:
            release = wheel.name.split("-")[1]
            root = Path(folder) / release
            zipfile.ZipFile(wheel).extractall(root)
            tree = (root / "verl" / "trainer" / "config").resolve()
            base = set(leaves(composed(tree, "ppo_trainer", tree)))
            all_keys |= base
            for entry, name, own in files_of(release, root, options.checkout, options.recipes):
                own_keys |= set(leaves(composed(own, name, tree))) - base
                found.append((entry, name, own, release, tree))
        # those that another tree of the release has may well be keys of an engine
        own_keys = sorted(key for key in own_keys if not key.startswith("actor_rollout_ref.") or "async" in key)
        for entry, name, own, release, tree in found:
            keys = draw.sample(own_keys, min(options.words // 2, len(own_keys)))
            keys += draw.sample(sorted(all_keys), options.words - len(keys))
            words = [f"{draw.choice(('', '', '', '+', '++'))}{key}=1" for key in dict.fromkeys(keys)]
            answers = {word: is_taken(own, name, tree, word) for word in words}
            line = {"entry": entry, "file": name, "release": release}
            line["taken"] = [word for word, taken in answers.items() if taken]
            line["refused"] = [word for word, taken in answers.items() if not taken]
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
