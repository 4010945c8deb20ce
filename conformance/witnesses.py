#!/usr/bin/env python3
"""Does the text with which a release refuses a run stand in its own source?

    python conformance/witnesses.py verl 0.9.1 FOLDER           FOLDER: with the source of the release
    python conformance/witnesses.py verl 0.9.1 FOLDER --write   keep the rows without one in elsewhere.txt
    python conformance/witnesses.py verl 0.9.1 FOLDER --checks  the rules of CHECKS that the source shows nothing of: a copy without it
                                                                would be taken to have given them up
    python conformance/witnesses.py nemo-rl 0.7.0 FOLDER --alone the rules of ALONE whose words the source holds although the release does
                                                                not refuse them: a copy with these words need not, either

A row of enforcement quotes what the framework says. Where the row refuses, the text stands in the source of the release, or the row is
listed in elsewhere.txt with what refuses: another package, Python itself, or a check without a text. A row of neither kind has moved, was
reworded or is gone: somebody has to look, and until then its span is not to be believed.
"""

import argparse
import importlib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from grpo_lint.frameworks.registry import framework  # noqa: E402
from grpo_lint.frameworks.versions import version_key  # noqa: E402
from grpo_lint.launch.copied_words import alternatives, as_one, split_comments  # noqa: E402

ELSEWHERE = Path(__file__).with_name("elsewhere.txt")
# {package: its dialects, and the folder of it that is read}
DIALECTS = {"verl": (("verl",), "verl"), "easyr1": (("easyr1",), "verl"), "trl": (("trl",), "trl"),
            "ms-swift": (("swift", "megatron"), "swift"), "nemo-rl": (("nemo-rl",), "nemo_rl"), "slime": (("slime",), "slime"),
            "openrlhf": (("openrlhf",), "openrlhf")}  # fmt: skip


HELD_IN = {"nemo-rl": "nemo_rl.copied"}  # the modules with ALONE


def source_of(folder):
    """All Python below a folder, without comments, squeezed."""
    texts = (path.read_text(encoding="utf-8", errors="replace") for path in sorted(Path(folder).rglob("*.py")))
    return "\n".join(as_one(split_comments(text)[0]) for text in texts)


def refusing(dialect, release):
    rows = framework(dialect).refusals.enforcement.at(version_key(release)).values()
    return sorted((row.rule, str(row.wording)) for row in rows if row.stage != "never")


def stands(wording, source):
    """Whether a text, or one of several, stands in a source; a sentence of ours about a refusal without a text does not."""
    return any(all(each in source for each in found) for found in alternatives(wording))


def without_witness(package, release, folder):
    """{"dialect rule": its text} of the rows that refuse in a release, and whose text does not stand in its source."""
    dialects, inner = DIALECTS[package]
    source = source_of(Path(folder) / inner)
    return {
        f"{dialect} {rule}": wording
        for dialect in dialects
        for rule, wording in refusing(dialect, release)
        if not stands(wording, source)
    }


def lost(package, release, folder):
    """Those of them that are not known to refuse elsewhere."""
    known = {line.partition(": ")[0] for line in ELSEWHERE.read_text(encoding="utf-8").splitlines()}
    missing = without_witness(package, release, folder)
    return {row: wording for row, wording in missing.items() if row not in known}


def not_shown(package, release, folder):
    """Rules that `CHECKS` of a framework names, and that a release refuses without the code that is to show it."""
    dialect = DIALECTS[package][0][0]
    checks = importlib.import_module(f"grpo_lint.frameworks.{dialect}.checks").CHECKS
    source, rows = source_of(Path(folder) / DIALECTS[package][1]), framework(dialect).refusals.enforcement.rows
    for rule, _ in refusing(dialect, release):
        words = (*(str(row.wording) for row in rows if row.rule == rule), *checks.get(rule, ()))
        if rule in checks and not any(stands(each, source) for each in words):
            yield rule


def stands_alone(package, release, folder):
    """Rules that `ALONE` of a framework names, and whose words stand in a release that does not refuse them."""
    dialect = DIALECTS[package][0][0]
    module = importlib.import_module(f"grpo_lint.frameworks.{HELD_IN[dialect]}")
    source, rows = source_of(Path(folder) / DIALECTS[package][1]), framework(dialect).refusals.enforcement.rows
    refused = {rule for rule, _ in refusing(dialect, release)}
    for rule in sorted(module.ALONE - refused):
        words = (*(str(row.wording) for row in rows if row.rule == rule), *module.CHECKS.get(rule, ()))
        if any(stands(each, source) for each in words if each):
            yield rule


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package", choices=DIALECTS)
    parser.add_argument("release")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--checks", action="store_true")
    parser.add_argument("--alone", action="store_true")
    options = parser.parse_args()
    if options.checks or options.alone:
        ask = not_shown if options.checks else stands_alone
        found = [*ask(options.package, options.release, options.folder)]
        print(*found, sep="\n")
        return bool(found)
    found = lost(options.package, options.release, options.folder)
    rows = sum(len(refusing(dialect, options.release)) for dialect in DIALECTS[options.package][0])
    missing = without_witness(options.package, options.release, options.folder)
    print(f"{options.package} {options.release}: {rows} rows refuse, the text of {rows - len(missing)} stands in its source, "
          f"{len(missing) - len(found)} are known to refuse elsewhere, {len(found)} are not")  # fmt: skip
    print(*(f"{row}: {wording}" for row, wording in found.items()), sep="\n")
    if options.write:
        known = {*ELSEWHERE.read_text(encoding="utf-8").splitlines(), *(f"{row}: ?" for row in found)}
        ELSEWHERE.write_text("".join(f"{each}\n" for each in sorted(known)), encoding="utf-8")
    return bool(found) and not options.write


if __name__ == "__main__":
    sys.exit(main())
