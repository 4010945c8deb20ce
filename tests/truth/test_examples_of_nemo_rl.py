"""The examples that each release of NeMo-RL ships, as its own code judged them: those that run have no error, and of those that do not there is
word. What each sets is written by `conformance/nemo_rl/examples.py`; it builds on the usual example of its release, as the catalogue has it."""

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest
import yaml

from grpo_lint import check

RECORD = Path(__file__).parent / "nemo-rl" / "examples.gz"
RELEASES = ("0.3.1", "0.4.0", "0.5.0", "0.6.0", "0.7.0")
ENVIRONMENT = {"GRPO809"}  # what a variable of the environment may switch off is a warning


def cases():
    return [json.loads(line) for line in gzip.decompress(RECORD.read_bytes()).splitlines()]


def nested(settings):
    tree = {}
    for path, value in settings.items():
        inner = tree
        *sections, name = path.split(".")
        for section in sections:
            inner = inner.setdefault(section, {})
        inner[name] = value
    return tree


def findings_of(case, folder):
    """What is said of an example that the usual program starts, in the command and in the file."""
    program = "run_grpo.py" if case["version"] >= "0.5" else "run_grpo_math.py"
    program = (
        "nemo_gym/run_grpo_nemo_gym.py" if "/nemo_gym/" in case["id"] else program
    )  # which counts the rows of validation
    builds_on = {"defaults": f"{case['base']}.yaml"} if case["base"] else {}
    (folder / ".git").mkdir(parents=True)
    (folder / "own.yaml").write_text(yaml.safe_dump({**builds_on, **nested(case["config"])}, sort_keys=False))
    comment = f"# grpo-lint: dialect=nemo-rl version={case['version']}\n"
    (folder / "run.sh").write_text(f"{comment}uv run examples/{program} --config own.yaml\n")
    return [each for name in ("run.sh", "own.yaml") for each in check(name).findings if each.severity != "info"]


def test_all_are_recorded():
    found = Counter(case["accepted"] for case in cases())
    assert found == {True: 405, False: 19}


@pytest.mark.slow
@pytest.mark.parametrize("release", RELEASES)
def test_an_example_is_judged_as_its_release_judges_it(tmp_path, monkeypatch, release):
    wrong, untold = [], []
    for number, case in enumerate(case for case in cases() if case["version"] == release):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        found = findings_of(case, folder)
        told = [each.code for each in found if each.severity == "error" or each.code in ENVIRONMENT]
        if case["accepted"]:
            wrong += [(case["id"], each.code) for each in found if each.severity == "error"]
        elif not told:
            untold.append((case["id"], case["stage"]))
    assert (wrong, untold) == ([], [])
