"""Files that build on each other are composed as Hydra composes them: recorded with Hydra itself
(`conformance/verl/composition.py`), over the tree of verl 0.9.1."""

import gzip
import json
import shlex
from pathlib import Path

import pytest

from grpo_lint.engine import lint_path
from grpo_lint.launch.context import Context
from grpo_lint.launch.files import Files
from grpo_lint.source.entry import value_of
from grpo_lint.unknown import UNKNOWN

RECORDED = Path(__file__).parent / "truth" / "verl-compositions.jsonl.gz"
CASES = [json.loads(line) for line in gzip.decompress(RECORDED.read_bytes()).splitlines()]
COMPOSED = [case for case in CASES if case["found"] is not None]
ABSENT, SECTION = "<absent>", "<section>"


def launched(folder, case):
    (folder / ".git").mkdir()
    for path, text in case["files"].items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    script = folder / "run.sh"
    words = " ".join(map(shlex.quote, case["overrides"]))
    script.write_text(
        "# grpo-lint: version=0.9.1\n"
        f"python3 -m verl.trainer.main_ppo --config-path={folder}/conf --config-name=start {words}\n",
        encoding="utf-8",
    )
    return lint_path(str(script), Context(files=Files(str(script)))).launches[0]


def says(launch, path):
    """The value of a setting as we see it; UNKNOWN where we do not know it."""
    if getattr(launch.entries.get(path), "operator", "") == "delete":
        return ABSENT
    if path in launch.entries:
        return value_of(launch.entries[path])
    if any(name.startswith(f"{path}.") for name in launch.entries):
        return SECTION
    if launch.incomplete:
        return UNKNOWN
    field = launch.fields(launch.candidates[0])[path]
    if field is None:
        return ABSENT
    if field.type in ("map", "node"):
        return SECTION
    return UNKNOWN if field.type == "ref" else field.default


@pytest.mark.slow
def test_what_hydra_composes(tmp_path):
    known = wrong = 0
    for number, case in enumerate(COMPOSED):
        folder = tmp_path / str(number)
        folder.mkdir()
        launch = launched(folder, case)
        for path, value in case["found"].items():
            ours = says(launch, path)
            known += ours is not UNKNOWN
            is_empty = value == SECTION and ours == ABSENT  # a section that holds nothing is none for us
            if ours is not UNKNOWN and ours != value and not is_empty:
                wrong += 1
                print(number, path, "ours", ours, "Hydra", value, json.dumps(case, indent=1).replace("\\n", "\n"))
    assert wrong == 0
    assert known > 0.6 * sum(len(case["found"]) for case in COMPOSED)
    print(known, sum(len(case["found"]) for case in COMPOSED))
