"""Write the catalogue of OpenRLHF again, from a table of its flags by release.

    python conformance/openrlhf/catalogue.py KEYS.json RENAMES.json

KEYS.json is made of the parsers of the releases: `releases`, and `flags` with the spans of each flag, its default, type, choices and number
of words; RENAMES.json has in `map` the flags that 0.10.2 replaced, with the new ones.
"""

import json
import sys
from pathlib import Path

OUT = Path(__file__).parents[2] / "grpo_lint" / "frameworks" / "openrlhf" / "catalogue.py"
# Releases whose checks differ from those of the one before, although its flags are the same.
OTHER_CHECKS = ("0.9.10", "0.10.1.post2", "0.10.4", "0.11.0")
HEAD = '''"""The flags of OpenRLHF {first} to {last}.

Generated from its parsers; do not edit. To write it again:

    python conformance/openrlhf/catalogue.py KEYS.json RENAMES.json

FIELDS: name -> its spans (group, first, last, type, default) or (..., choices), first and last as indices into RELEASES, both included.
RELEASES: those that differ from the one before. `pair[...]`: two words. RENAMED: {{flag until 0.10.1: those that took its place}}.
"""

# fmt: off
'''


def span_at(spans, release, order):
    return next((span for span in spans if order[span["from"]] <= order[release] <= order[span["to"]]), None)


def row_of(span):
    """(type, default) or (type, default, choices) of a flag in a release."""
    kind = "bool" if span["action"] in ("StoreTrue", "StoreFalse") else span.get("type") or "str"
    default = span["default"]
    if kind == "int" and isinstance(default, float):
        default = int(default)
    if "nargs" in span:
        kind = f"pair[{kind}]" if span["nargs"] == 2 else f"list[{kind}]"
    row = kind + ("?" if default is None else ""), default
    return (*row, tuple(span["choices"])) if span.get("choices") else row


def spans_of(rows):
    """The rows of a flag by release, with neighbours that are alike put together."""
    found = []
    for index, row in enumerate(rows):
        if row is None:
            continue
        if found and found[-1][2] == index - 1 and repr(found[-1][3:]) == repr(row):
            found[-1] = (*found[-1][:2], index, *row)
        else:
            found.append(("openrlhf", index, index, *row))
    return found


def catalogue(table, renames):
    order = {release: index for index, release in enumerate(table["releases"])}
    by_release = {
        release: {
            name[2:]: row_of(span)
            for name, spans in table["flags"].items()
            if (span := span_at(spans, release, order)) is not None
        }
        for release in order
    }
    releases, before = [], None
    for release, fields in by_release.items():
        if repr(fields) != repr(before) or release in OTHER_CHECKS:
            releases.append(release)
        before = fields
    renamed = {old[2:]: tuple(name[2:] for name in new) for old, new in renames["map"].items() if new}
    lines = [HEAD.format(first=releases[0], last=releases[-1])]
    lines.append(f"RELEASES = {tuple(releases)!r}\n")
    lines.append('COMPANIONS: "tuple[dict[str, str], ...]" = ({},) * len(RELEASES)\n')
    lines.append("RENAMED = {\n" + "".join(f"    {old!r}: {new!r},\n" for old, new in sorted(renamed.items())) + "}\n")
    lines.append('FIELDS: "dict[str, object]" = {\n')
    for name in sorted({name for fields in by_release.values() for name in fields}):
        rows = spans_of([by_release[release].get(name) for release in releases])
        lines.append(f"    {name!r}: ({', '.join(map(repr, rows))},),\n")
    lines.append("}\n")
    return "".join(lines).replace("'", '"').replace(" inf)", ' float("inf"))')


if __name__ == "__main__":
    tables = [json.loads(Path(path).read_text(encoding="utf-8")) for path in sys.argv[1:3]]
    OUT.write_text(catalogue(*tables), encoding="utf-8")
