#!/usr/bin/env python3
"""Writes grpo_lint/frameworks/NAME/places.py: where the source of a framework holds the check of each row of enforcement.

    python conformance/places.py verl WHEELS/verl-*.whl          of each release a wheel,
    python conformance/places.py slime ENVIRONMENTS/slime-*      or a folder NAME-RELEASE with its source

A row is looked up in the newest of these releases that refuses so. Its place is the file that holds its text, or the code of its check,
and the function around it; of a check of another package the name of that, from elsewhere.txt.
"""

import argparse
import ast
import importlib
import sys
import tempfile
import zipfile
from functools import cache
from pathlib import Path

import witnesses
from witnesses import DIALECTS, ELSEWHERE, ROOT

from grpo_lint.frameworks.registry import FOLDERS, framework
from grpo_lint.frameworks.versions import version_key
from grpo_lint.launch.copied_words import as_one, line_with, split_comments

MOST = 2  # files that are named
OWN_CHECKS = ("checks", "copied")  # modules with CHECKS
# checks of other packages whose words stand in the source as well
COPIED = {"verl layers-divide-over-stages": "Megatron-Core"}
NO_PACKAGE = ("no text", "Python", "?")
HEAD = '''"""Where {title} holds the checks that its rows quote, for rule pages. Generated from its source; do not edit. To write it again:

    python conformance/places.py {package} SOURCES

PLACES: rule and first release of a row -> the file, with the function in it, or the package that refuses.
"""

PLACES = {{
{lines}
}}
'''


def sources(package, paths, scratch):
    """{release: the folder that is read} of wheels and folders."""
    found = {}
    for path in map(Path, paths):
        if path.suffix == ".whl":
            inner = Path(scratch) / path.name
            zipfile.ZipFile(path).extractall(inner)
            release = path.name.split("-")[1]
        else:
            inner, release = path, path.name.removeprefix(f"{package}-")
        if (inner / DIALECTS[package][1]).is_dir():
            found[release] = inner
    return found


@cache
def modules(folder, inner):
    """[(path, text, its code as one text)] of a release."""
    paths = sorted((folder / inner).rglob("*.py"))
    texts = [(path, path.read_text(encoding="utf-8", errors="replace")) for path in paths]
    return [(path.relative_to(folder).as_posix(), text, as_one(split_comments(text)[0])) for path, text in texts]


def around(text, row):
    """`Class.function` around a line of a module, counted from zero; empty at its top."""
    names, nodes = [], [ast.parse(text)]
    while nodes:
        node = nodes.pop()
        for each in ast.iter_child_nodes(node):
            if hasattr(each, "lineno") and each.lineno <= row + 1 <= each.end_lineno:
                names += [each.name] if isinstance(each, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) else []
                nodes.append(each)
    return ".".join(names)


def places_in(folder, inner, words):
    """The places of the files that hold one of some texts, the likeliest first."""
    for word in words:
        holding = [(path, text) for path, text, code in modules(folder, inner) if witnesses.stands(word, code)]
        holding.sort(key=lambda each: ("grpo" not in each[0], "experimental" in each[0], len(each[0])))
        found = [f"{path} {around(text, line_with((word,), text) or 0)}".strip() for path, text in holding[:MOST]]
        if found:
            return found
    return []


def checks_of(dialect):
    for name in OWN_CHECKS:
        try:
            return importlib.import_module(f"grpo_lint.frameworks.{FOLDERS[dialect]}.{name}").CHECKS
        except (ImportError, AttributeError):
            continue
    return {}


def places_of(dialect, package, known):
    """{rule and first release: place} of the rows of a dialect that refuse."""
    told = framework(dialect)
    others = {**dict(line.split(": ", 1) for line in ELSEWHERE.read_text(encoding="utf-8").splitlines()), **COPIED}
    newest_first = sorted(known, key=version_key, reverse=True)
    for row in sorted(told.refusals.enforcement.rows, key=lambda row: (row.rule, version_key(row.since))):
        at = (each for each in newest_first if told.refusals.enforcement.at(version_key(each)).get(row.rule) is row)
        release = next(at, None)
        if row.stage == "never" or release is None:
            continue
        words = (*([str(row.wording)] if row.wording else ()), *checks_of(dialect).get(row.rule, ()))
        is_copied = f"{dialect} {row.rule}" in COPIED
        found = [] if is_copied else places_in(known[release], DIALECTS[package][1], words)
        other = others.get(f"{dialect} {row.rule}", "?")
        if found or other not in NO_PACKAGE:
            yield f"{row.rule} {row.since}", ", ".join(found) or other


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", choices=DIALECTS)
    parser.add_argument("paths", nargs="+")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        known = sources(options.package, options.paths, scratch)
        for dialect in DIALECTS[options.package][0]:
            found = [*places_of(dialect, options.package, known)]
            lines = "\n".join(f'    "{row}": "{place}",' for row, place in found)
            file = ROOT / "grpo_lint" / "frameworks" / Path(*FOLDERS[dialect].split(".")) / "places.py"
            head = HEAD.format(title=framework(dialect).title, package=options.package, lines=lines)
            file.write_text(head, encoding="utf-8")
            rows = [row for row in framework(dialect).refusals.enforcement.rows if row.stage != "never"]
            print(f"{dialect}: {len(rows)} rows refuse, of {len(found)} the place is known ({len(known)} releases)")


if __name__ == "__main__":
    sys.exit(main())
