"""Write the field catalogues of the dialects from the released packages themselves.

    python conformance/catalogue.py --environments DIR --dumps DIR [trl] [swift] [megatron]

For every release that has no dump yet: make its environment (environments.py), read its argument classes inside
(read_fields.py), keep the answer as DIR/PACKAGE-RELEASE.json, and delete the environment unless it is one of `KEPT`.
Then merge all dumps into the `catalogue.py` of each framework in grpo_lint/frameworks. The same dumps always give the
same bytes.

To add a release: append it to `RELEASES`, look after its companions in environments.py, run this, read the difference.
"""

import argparse
import json
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import environments

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from grpo_lint.frameworks.registry import FOLDERS

HERE = Path(__file__).resolve().parent
WIDTH = 120
REQUIRED = "<required>"

# the last patch of every minor release that knows GRPO, oldest first
RELEASES = {
    "trl": (
        "0.14.0",
        "0.15.2",
        "0.16.1",
        "0.17.0",
        "0.18.2",
        "0.19.1",
        "0.20.0",
        "0.21.0",
        "0.22.2",
        "0.23.1",
        "0.24.0",
        "0.25.1",
        "0.26.2",
        "0.27.2",
        "0.28.0",
        "0.29.1",
        "1.0.0",
        "1.1.0",
        "1.2.0",
        "1.3.0",
        "1.4.0",
        "1.5.1",
        "1.6.0",
        "1.7.1",
        "1.8.0",
        "1.9.2",
        "1.10.0",
        "1.11.0",
        "1.12.0",
        "1.13.0",
        "1.14.2",
        "1.15.0",
        "1.16.0",
    ),
    "ms-swift": (
        "3.1.1.post1",
        "3.2.2",
        "3.3.1",
        "3.4.1.post1",
        "3.5.3",
        "3.6.4",
        "3.7.3",
        "3.8.3",
        "3.9.3",
        "3.10.3",
        "3.11.3",
        "3.12.6",
        "4.0.4",
        "4.1.3",
        "4.2.3",
        "4.3.2",
        "4.4.2",
        "4.5.3",
        "4.6.0",
    ),
}
# environments that the conformance runs use afterwards
KEPT = {
    "trl": ("0.16.1", "0.18.2", "0.20.0", "1.0.0", "1.16.0"),
    "ms-swift": ("3.3.1", "3.8.3", "3.12.6", "4.3.2", "4.6.0"),
}


class Dialect(NamedTuple):
    package: str
    groups: tuple
    companions: tuple


DIALECTS = {
    "trl": Dialect("trl", ("grpo", "rloo", "script", "model", "mixture"), ("transformers",)),
    "swift": Dialect("ms-swift", ("swift",), ("transformers", "trl")),
    "megatron": Dialect("ms-swift", ("megatron",), ("transformers", "trl")),
}


class Span(NamedTuple):
    """One description of a field, and the releases (indices, both ends included) for which it holds."""

    groups: str
    first: int
    last: int
    description: tuple  # type, default, and the choices where there are any


# ---------------------------------------------------------------- dumps


def dump_of(package, release, options):
    """The output of read_fields.py for one release: from a file of an earlier run, or computed now."""
    path = options.dumps / f"{package}-{release}.json"
    if not path.exists():
        python = environments.make(package, release, options.environments)
        command = [python, str(HERE / "read_fields.py"), package]
        answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8").stdout
        path.write_text(answer, encoding="utf-8")
        if release not in KEPT[package]:
            environments.remove(package, release, options.environments)
    return json.loads(path.read_text(encoding="utf-8"))


def dumps_of(dialect, options):
    """The dumps of the releases that have the dialect, oldest first."""
    dumps = [dump_of(dialect.package, release, options) for release in RELEASES[dialect.package]]
    return [dump for dump in dumps if any(group in dump["groups"] for group in dialect.groups)]


# ---------------------------------------------------------------- merging


def describe(field):
    kind, default = field["type"], field["default"]
    if isinstance(default, dict) and set(default) == {"required"}:
        default = REQUIRED
    elif isinstance(default, dict) and set(default) == {"repr"}:
        kind, default = "any", default["repr"]
    choices = (tuple(field["choices"]),) if "choices" in field else ()
    return (kind, default, *choices)


def runs(descriptions):
    """Join neighbouring releases with equal descriptions; `descriptions` is [(index, description)] in order."""

    def keep_going(item):
        # constant along a run of indices, and equal only for descriptions that are written alike (1, 1.0 and True
        # differ)
        position, (index, description) = item
        return index - position, repr(description)

    for _, run in groupby(enumerate(descriptions), key=keep_going):
        items = [item for _, item in run]
        yield items[0][0], items[-1][0], items[0][1]


def spans_of(dumps, groups):
    """name -> spans, in the order of their first release."""
    seen = {}
    for index, dump in enumerate(dumps):
        for group in groups:
            for field in dump["groups"].get(group, ()):
                seen.setdefault(field["name"], {}).setdefault(group, []).append((index, describe(field)))
    return {name: merge_groups(seen[name], groups) for name in sorted(seen)}


def merge_groups(by_group, groups):
    """Groups with the same span share a line; others have their own."""
    sharing = {}
    for group in groups:
        for first, last, description in runs(by_group.get(group, ())):
            sharing.setdefault((first, last, repr(description)), (description, []))[1].append(group)
    spans = [
        Span(" ".join(names), first, last, description) for (first, last, _), (description, names) in sharing.items()
    ]
    return sorted(spans, key=lambda span: (span.first, groups.index(span.groups.split()[0])))


# ---------------------------------------------------------------- writing


def text(value):
    """A literal on one line; strings in double quotes."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple):
        return "(" + ", ".join(map(text, value)) + ("," if len(value) == 1 else "") + ")"
    if isinstance(value, list):
        return "[" + ", ".join(map(text, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{text(key)}: {text(item)}" for key, item in value.items()) + "}"
    return {"inf": "1e999", "-inf": "-1e999"}.get(repr(value), repr(value))  # infinity has no literal


def fill(items, indent):
    """Put items on as few lines as the width allows."""
    lines = []
    for item in items:
        if lines and len(lines[-1]) + len(item) + 2 <= WIDTH:
            lines[-1] += f" {item},"
        else:
            lines.append(f"{indent}{item},")
    return lines


def span_lines(span, indent):
    values = (span.groups, span.first, span.last, *span.description)
    line = f"{indent}{text(values)},"
    if len(line) <= WIDTH or len(span.description) < 3:
        return [line]
    *head, choices = values
    return [f"{indent}({text(tuple(head))[1:-1]}, (", *fill(map(text, choices), indent + "    "), f"{indent})),"]


def field_lines(name, spans):
    if len(spans) == 1:
        line = f"    {text(name)}: ({''.join(span_lines(spans[0], ''))}),"
        if len(line) <= WIDTH and len(span_lines(spans[0], "")) == 1:
            return [line]
    lines = [line for span in spans for line in span_lines(span, "        ")]
    return [f"    {text(name)}: (", *lines, "    ),"]


def tuple_lines(name, items):
    return [f"{name} = (", *fill(map(text, items), "    "), ")"]


def module_text(dialect_name, dialect, dumps):
    releases = [dump["release"] for dump in dumps]
    companions = [{name: dump["companions"][name] for name in dialect.companions} for dump in dumps]
    lines = [
        f'"""The fields of {dialect.package} {releases[0]} to {releases[-1]}; groups: {", ".join(dialect.groups)}.',
        "",
        "Generated from the released packages; do not edit. To write it again:",
        "",
        f"    python conformance/catalogue.py --environments DIR --dumps DIR {dialect_name}",
        "",
        "FIELDS: name -> spans; a span is (groups, first, last, type, default) or (groups, first, last, type, default,",
        "choices), where first and last are indices into RELEASES, both included. COMPANIONS is parallel to RELEASES.",
        '"""',
        "",
        *tuple_lines("RELEASES", releases),
        *tuple_lines("COMPANIONS", companions),
        f"REQUIRED = {text(REQUIRED)}  # the default of a field that has none",
        "",
        'FIELDS: "dict[str, object]" = {',
    ]
    for name, spans in spans_of(dumps, dialect.groups).items():
        lines += field_lines(name, spans)
    return "\n".join([*lines, "}", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dialects", nargs="*", metavar="dialect", help="default: " + " ".join(DIALECTS))
    parser.add_argument("--environments", type=Path, required=True, help="directory for the environments")
    parser.add_argument("--dumps", type=Path, required=True, help="directory for the answers of single releases")
    options = parser.parse_args()
    options.dumps.mkdir(parents=True, exist_ok=True)
    for name in options.dialects or DIALECTS:
        dialect = DIALECTS.get(name) or sys.exit(f"no such dialect: {name}")
        module = HERE.parent / "grpo_lint" / "frameworks" / Path(*FOLDERS[name].split(".")) / "catalogue.py"
        module.write_text(module_text(name, dialect, dumps_of(dialect, options)), encoding="utf-8")
        print(module.relative_to(HERE.parent))


if __name__ == "__main__":
    main()
