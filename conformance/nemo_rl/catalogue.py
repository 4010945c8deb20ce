"""Write the catalogue of NeMo-RL again, from a table of its keys by release.

    python conformance/nemo_rl/catalogue.py KEYS.json

KEYS.json is made of the released checkouts: `keys` has for each path the spans of releases with it (the first and the last), and by release its annotation in
the TypedDicts below `MasterConfig` and its value in the example `grpo_math_1B.yaml`; `bases` has what the other examples change in that one.
"""

import json
import sys
from pathlib import Path

RELEASES = ("0.2.1", "0.3.1", "0.4.0", "0.5.0", "0.6.0", "0.7.0")
# {example, as other configs build on it: its group in the catalogue}
BASES = {
    "grpo_math_1B": "1B",
    "grpo_math_8B": "8B",
    "grpo_math_1B_megatron": "1B-megatron",
    "grpo_math_8B_megatron": "8B-megatron",
    "vlm_grpo_3B": "vlm",
}
DECLARED = "declared"  # the group of what is a setting whether or not an example has it
ABSENT, SECTION = "<absent>", "<map>"
OUT = Path(__file__).parents[2] / "grpo_lint" / "frameworks" / "nemo_rl" / "catalogue.py"
HEAD = '''"""The settings of NeMo-RL {first} to {last}, as its examples have them.

Generated from a table of its keys; do not edit. To write it again:

    python conformance/nemo_rl/catalogue.py KEYS.json

FIELDS: path -> its spans (groups, first, last, type, default), first and last as indices into RELEASES, both included. A group is an example
on which configs build, by BASES, or "{declared}" for what is a setting whether or not an example has it. GPUS: {{example: (GPUs of a node,
nodes)}} of its cluster.
"""

# fmt: off
'''


def _key(release):
    return tuple(map(int, release.split(".")))


def _of(history, release):
    """The entry of a history [(since, ...)] that holds in a release."""
    found = [entry for entry in history if _key(entry[0]) <= _key(release)]
    return found[-1] if found else None


def _exists(spans, release):
    return any(_key(since) <= _key(release) and (last is None or _key(release) <= _key(last)) for since, last in spans)


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


def _rows(path, spans, history, bases):
    """[(group, release index, type, default)] of a setting."""
    for index, release in enumerate(RELEASES):
        entry = _of(history, release) if _exists(spans, release) else None
        if entry is None:
            continue
        _, annotation, _, _, value = entry
        for base, group in BASES.items():
            own = bases.get(f"{base}.yaml", {}).get(release)
            if own is None and base != "grpo_math_1B":
                continue
            found = (own or {}).get(path, value)
            if found not in (ABSENT, SECTION):
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


def catalogue(table):
    bases = table["bases"]
    fields = {}
    for path, spans, history in sorted(table["keys"]):
        rows = _spans([*_rows(path, spans, history, bases)])
        if rows:
            fields[path] = rows
    for changed in bases.values():  # what only other examples have
        for path in {path for own in changed.values() for path in own} - {path for path, *_ in table["keys"]}:
            print(f"not in the table of keys: {path}", file=sys.stderr)
    lines = [HEAD.format(first=RELEASES[0], last=RELEASES[-1], declared=DECLARED)]
    lines.append(f"RELEASES = {RELEASES!r}\n".replace("'", '"'))
    lines.append('COMPANIONS: "tuple[dict[str, str], ...]" = ({},) * len(RELEASES)\n')
    lines.append(f"BASES = {BASES!r}\n".replace("'", '"'))
    lines.append(f"GPUS = {_gpus(fields)!r}\n".replace("'", '"'))
    lines.append("FIELDS = {\n")
    for path, rows in fields.items():
        shown = ", ".join(f"({', '.join(map(_shown, row))})" for row in rows)
        lines.append(f"    {_shown(path)}: ({shown},),\n")
    lines.append("}\n")
    return "".join(lines)


def _gpus(fields):
    """{example: (GPUs of a node, nodes)}, which are the same in all releases."""
    found = {}
    for base, group in BASES.items():
        sizes = []
        for path in ("cluster.gpus_per_node", "cluster.num_nodes"):
            (size,) = {row[4] for row in fields[path] if group in row[0].split()}
            sizes.append(size)
        found[base] = tuple(sizes)
    return found


def _shown(value):
    return json.dumps(value) if isinstance(value, str) else repr(value)


if __name__ == "__main__":
    OUT.write_text(catalogue(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))), encoding="utf-8")
