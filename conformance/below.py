#!/usr/bin/env python3
"""Look up what the layers below the frameworks say: whether each wording of tests/truth/below.json is in that file of that release.

    python conformance/below.py DIR

DIR has bare clones by the names of their repositories (`deepspeedai+DeepSpeed/repo`), with their tags. Of PyTorch, whose clone is large, the file
alone may lie there (`pytorch+pytorch/COMMIT.cpp`). The exit status is 1 where a wording is not there.
"""

import json
import subprocess
import sys
from pathlib import Path

ROWS = Path(__file__).resolve().parents[1] / "tests" / "truth" / "below.json"


def text_of(folder, repository, release, path):
    home = folder / repository.replace("/", "+")
    alone = home / f"{release}{Path(path).suffix}"
    if alone.exists():
        return alone.read_text(encoding="utf-8")
    found = subprocess.run(["git", f"--git-dir={home}/repo", "show", f"{release}:{path}"], capture_output=True)
    return found.stdout.decode(errors="replace") if found.returncode == 0 else None


def main():
    folder, counts = Path(sys.argv[1]), {"there": 0, "not there": 0, "no file": 0}
    for row in json.loads(ROWS.read_text(encoding="utf-8")):
        for release in row["releases"]:
            text = text_of(folder, row["repository"], release, row["file"])
            state = "no file" if text is None else "there" if row["wording"] in text else "not there"
            counts[state] += 1
            if state != "there":
                print(f"{state}: {row['repository']} {release} {row['file']}: {row['wording']}")
    print(", ".join(f"{count} {state}" for state, count in counts.items()))
    return 1 if counts["not there"] else 0


if __name__ == "__main__":
    sys.exit(main())
