"""Writes grpo_lint/frameworks/easyr1/catalogue.py from checkouts of EasyR1, the oldest first.

    git -C EasyR1 archive v0.3.0 | tar -x -C CHECKOUTS/0.3.0 ...
    python conformance/easyr1/catalogue.py CHECKOUTS/0.3.0 CHECKOUTS/0.3.1 ...

It needs what ask.py needs. The fields are those of the checkout's own dataclasses. Each checkout is read in a process
of its own.
"""

import argparse
import dataclasses
import json
import subprocess
import sys
import typing
from pathlib import Path

HERE = Path(__file__).resolve()
OUT = HERE.parents[2] / "grpo_lint" / "frameworks" / "easyr1" / "catalogue.py"
HEAD = '''"""The settings of EasyR1 {first} to {last}.

Generated from its source; do not edit. To write it again:

    python conformance/easyr1/catalogue.py CHECKOUTS/*

FIELDS: path -> its spans (group, first, last, type, default), first and last as indices into RELEASES, both included. AUTOMATIC: the
fields that a run overwrites. COMPANIONS is parallel to RELEASES.
"""

'''


def simple(annotation):
    """The type of a setting in the notation of the catalogues."""
    arguments = [each for each in typing.get_args(annotation) if each is not type(None)]
    origin = typing.get_origin(annotation)
    if origin is typing.Union:
        return simple(arguments[0]) + "?"
    if origin in (tuple, list):
        return "list"
    if origin is dict or annotation is dict:
        return "dict"
    return annotation.__name__


def walk(instance, path, fields, automatic):
    hints = typing.get_type_hints(type(instance))
    for field in dataclasses.fields(instance):
        value, place = getattr(instance, field.name), f"{path}.{field.name}" if path else field.name
        if dataclasses.is_dataclass(value):
            walk(value, place, fields, automatic)
            continue
        kind = simple(hints[field.name])
        fields[place] = kind, None if kind in ("dict", "list") else value
        if not field.init:
            automatic.append(place)


def read(root):
    """The settings of one checkout, read by a process of its own."""
    from checkout import Checkout

    checkout = Checkout(root)
    fields, automatic = {}, []
    walk(checkout.module("trainer.config").PPOConfig(), "", fields, automatic)
    return {"release": checkout.version, "fields": fields, "automatic": automatic}


def spans_of(path, dumps):
    found = []
    for index, dump in enumerate(dumps):
        told = dump["fields"].get(path)
        if told and found and found[-1][2] == index - 1 and repr(found[-1][3:]) == repr(tuple(told)):
            found[-1] = (*found[-1][:2], index, *told)
        elif told:
            found.append(("easyr1", index, index, *told))
    return found


def module_text(dumps):
    paths = sorted({path for dump in dumps for path in dump["fields"]})
    automatic = sorted({path for dump in dumps for path in dump["automatic"]})
    releases = [dump["release"] for dump in dumps]
    lines = [HEAD.format(first=releases[0], last=releases[-1])]
    lines += ["# fmt: off\n", f"RELEASES = {tuple(releases)!r}\n".replace("'", '"')]
    lines += ['COMPANIONS: "tuple[dict[str, str], ...]" = ({},) * len(RELEASES)\n\nFIELDS = {\n']
    for path in paths:
        lines.append(f'    "{path}": {tuple(spans_of(path, dumps))!r},\n'.replace("'", '"'))
    lines += ["}\n", "AUTOMATIC = frozenset((\n", *(f'    "{path}",\n' for path in automatic), "))\n# fmt: on\n"]
    return "".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", nargs="+")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--read", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        print(json.dumps(read(options.checkouts[0])))
        return
    dumps = []
    for root in options.checkouts:
        answer = subprocess.run(
            [sys.executable, HERE, root, "--read"], check=True, stdout=subprocess.PIPE, text=True
        ).stdout
        dumps.append(json.loads(answer.splitlines()[-1]))
    options.out.write_text(module_text(dumps), encoding="utf-8")
    print(f"{options.out}: {len(dumps)} releases, {options.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
