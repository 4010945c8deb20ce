"""Write the catalogue of slime again, from a table of its flags by release.

    python conformance/slime/catalogue.py KEYS.json

KEYS.json is what the real parsers of the releases list: slime's own flags, and those of the Megatron that its image pins. For each flag its
spans of releases with the kind of action, type, default and choices.
"""

import json
import sys
from pathlib import Path

# What an earlier parser than that of the table reads from 0.2.3 on, so that the table ends too early.
READ_EARLY = ("--debug-rollout-only", "--debug-train-only", "--load-debug-rollout-data", "--train-backend")
NUMBERS = {"int": int, "float": float, "str": str}
OUT = Path(__file__).parents[2] / "grpo_lint" / "frameworks" / "slime" / "catalogue.py"
HEAD = '''"""The flags of slime {first} to {last}, and of the Megatron that each release pins.

Generated from a table of its flags; do not edit. To write it again:

    python conformance/slime/catalogue.py KEYS.json

FIELDS: flag -> its spans (groups, first, last, type, default) or (groups, first, last, type, default, choices), where first and last are
indices into RELEASES, both included. Groups: whose parser declares it. A switch is on where it is written.
"""

# fmt: off
'''
REQUIRED = "<required>"


def _span(flag, span, releases):
    """(first, last, type, default, choices) of a span; a switch says whether it is written, whatever it turns."""
    last = releases[-1] if flag in READ_EARLY else span["to"]
    place = releases.index(span["from"]), releases.index(last)
    if span["a"] in ("StoreTrue", "StoreFalse", "BooleanOptional"):
        return *place, "bool", bool(span["d"]) and span["a"] != "StoreFalse" and not flag.startswith("--no-"), None
    kind = span.get("t") or "str"
    choices = tuple(map(NUMBERS.get(kind, str), span.get("c") or ())) or None
    default = span["d"]
    if span["a"] == "Append" or kind not in NUMBERS or (default is not None and not _is_of(default, kind)):
        return *place, "any?", None, None
    if span.get("r"):
        return *place, kind, REQUIRED, choices
    return *place, kind + ("?" if default is None else ""), default, choices


def _is_of(default, kind):
    return type(default) is NUMBERS[kind] or (kind == "float" and type(default) is int)


def catalogue(table):
    releases = table["releases"]
    fields = {}
    for flag, spans in sorted(table["flags"].items()):
        if flag.startswith("--") and flag != "--help":
            name = flag[2:] if "_" in flag else flag[2:].replace("-", "_")  # a second spelling, as it stands
            fields[name] = [(span["o"], *_span(flag, span, releases)) for span in spans]
    lines = [HEAD.format(first=releases[0], last=releases[-1])]
    lines.append(f"RELEASES = ({', '.join(map(json.dumps, releases))})\n")
    lines.append('COMPANIONS: "tuple[dict[str, str], ...]" = ({},) * len(RELEASES)\n')
    lines.append(f'REQUIRED = "{REQUIRED}"  # the default of a flag that has none\n')
    lines.append('FIELDS: "dict[str, object]" = {\n')
    for name, rows in fields.items():
        shown = ", ".join(
            f'("{whose}", {first}, {last}, {json.dumps(kind)}, {_shown(default)}{f", {_shown(choices)}" if choices else ""})'
            for whose, first, last, kind, default, choices in rows
        )
        lines.append(f'    "{name}": ({shown},),\n')
    lines.append("}\n")
    return "".join(lines)


def _shown(value):
    if isinstance(value, tuple):
        return f"({', '.join(map(_shown, value))},)"
    return json.dumps(value) if isinstance(value, str) else repr(value)


if __name__ == "__main__":
    OUT.write_text(catalogue(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))), encoding="utf-8")
