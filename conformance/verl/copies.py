"""Compares what grpo-lint reads of a copy of a framework with its catalogue, release by release.

    pip download --no-deps -d WHEELS verl==0.9.1 ...
    python conformance/verl/copies.py verl WHEELS/*.whl
    python conformance/verl/copies.py easyr1 CHECKOUTS/0.3.2 ...
    python conformance/verl/copies.py trl WHEELS/*.whl          or swift, megatron

A released wheel, or a checkout of EasyR1, is taken for a copy in somebody's repository. Its tree and its classes are read as they are of any
copy, without running anything; the catalogue was written by the real Hydra and the real dataclasses. The exit status is 1 where a key, a type, a
default or a reference differs, or another release is found to be most alike.
"""

import argparse
import sys
import tempfile
import zipfile
from pathlib import Path

from grpo_lint.frameworks.registry import framework
from grpo_lint.launch.files import read_text
from grpo_lint.launch.source import Source

GROUPS = {"verl": ("dp", "megatron", "veomni", "torchtitan", "mindspeed"), "easyr1": ("easyr1",), "trl": ("grpo", "rloo"),
          "swift": ("swift",), "megatron": ("megatron",)}  # fmt: skip
FOLDERS = {"trl": "trl", "swift": "swift", "megatron": "swift"}


def releases_in(name, paths, scratch):
    """(release, folder of the package) of each wheel or checkout."""
    for path in map(Path, paths):
        if path.suffix == ".whl":
            root = Path(scratch) / path.stem
            zipfile.ZipFile(path).extractall(root)
            (root / ".git").mkdir()
            yield path.name.split("-")[1], root / FOLDERS.get(name, "verl")
        else:
            text = (path / "verl" / "__init__.py").read_text(encoding="utf-8")
            yield text.partition('__version__ = "')[2].partition('"')[0], path / "verl"


def differences(own, theirs, own_group, index):
    """Lines about the fields in which a copy and the catalogue differ."""
    here = own.fields((own_group,), index if own.releases == theirs.releases else len(own.releases) - 1)
    there = theirs.fields((own_group,), index)
    for path in sorted({*own.names(), *theirs.names()}):
        mine, known = here[path], there[path]
        if mine is None and known is None:
            continue
        told = [each and (each.type, each.default) for each in (mine, known)]
        if is_open(here[path], there[path]) or (
            mine is None and is_open(*(all[path.rpartition(".")[0]] for all in (here, there)))
        ):
            continue
        if told[0] != told[1]:
            yield f"  {path}: {told[0]} here, {told[1]} in the catalogue"
        elif hasattr(here, "reference") and here.reference(path) != there.reference(path):
            yield f"  {path}: follows {here.reference(path)} here, {there.reference(path)} in the catalogue"


def is_open(here, there):
    """Whether a section may hold anything here: the release itself does not have its class, or nothing in its code makes it."""
    return [each and each.type for each in (here, there)] == ["map", "node"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("framework", choices=GROUPS)
    parser.add_argument("paths", nargs="+")
    options = parser.parse_args()
    released = framework(options.framework)
    wrong = trees = settings = 0
    with tempfile.TemporaryDirectory() as scratch:
        for release, folder in releases_in(options.framework, options.paths, scratch):
            if release not in released.catalogue.releases:
                continue  # of a framework in the same package, which this release does not have yet
            index = released.catalogue.releases.index(release)
            for group in GROUPS[options.framework]:
                copied = released.copies.framework_of(Source(str(folder), read_text), group)
                count = sum(bits >> index & 1 for _, bits in released.catalogue.settings((group,)))
                if copied is None or not copied.copies.alike:
                    if count and released.catalogue.known(released.reader.trainer.field, (group,)) >> index & 1:
                        wrong += 1
                        print(f"{release} {group}: {count} settings in the catalogue, and no tree that can be read")
                    continue
                found = [*differences(copied.catalogue, released.catalogue, group, index)]
                nearest = release in copied.copies.alike
                trees, settings = trees + 1, settings + count
                wrong += len(found) + (not nearest)
                print(
                    f"{release} {group}: {count} settings, {len(found)} differ; most like {', '.join(copied.copies.alike)}, "
                    f"in {copied.copies.percent} %"
                )
                print(*found, sep="\n", end="\n" if found else "")
    print(f"{trees} trees, {settings} settings, {wrong} differences")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
