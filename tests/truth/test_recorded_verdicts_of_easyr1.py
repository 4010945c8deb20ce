"""The verdicts of EasyR1's own code, compared with ours: each case as a command, and as a file that a command names."""

import gzip
import json
from functools import cache
from pathlib import Path
from shlex import quote

import pytest

from conftest import counted, lint_text, plan_of

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent / "easyr1"
SETS = sorted(path.name.removesuffix(".jsonl.gz") for path in HERE.glob("*.jsonl.gz"))
STAGES = {"read": "read", "init": "init", "step": "run"}  # of the asking program, and ours
ORDER = [*STAGES.values()]


@cache
def cases(name):
    with gzip.open(HERE / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def script_of(case):
    words = [
        quote(f"{key}={value if type(value) is str else json.dumps(value)}") for key, value in case["config"].items()
    ]
    arguments = " \\\n    ".join(words)
    return f"# grpo-lint: dialect=easyr1 version={case['version']}\npython3 -m verl.trainer.main \\\n    {arguments}\n"


def file_of(case):
    tree = {}
    for path, value in case["config"].items():
        *sections, key = path.split(".")
        node = tree
        for section in sections:
            node = node.setdefault(section, {})
        node[key] = value
    return f"# grpo-lint: dialect=easyr1 version={case['version']}\n{json.dumps(tree, indent=1)}\n"


def said(report):
    """The stage of the earliest error; None for none."""
    errors = [finding.stage for finding in report.findings if finding.severity == "error"]
    return min(errors, key=ORDER.index, default=None)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize(("kind", "path"), [(script_of, "run.sh"), (file_of, "run.yaml")])
def test_runs_are_refused_as_recorded(name, kind, path):
    wrong = [
        (case["id"], expected, found)
        for case in cases(name)
        for expected in [None if case["accepted"] else STAGES[case["stage"]]]
        if (found := said(lint_text(kind(case), path=path, fixes=False))) != expected
    ]
    counted.append(f"easyr1 {name} as {path}: {len(cases(name))} verdicts, {len(wrong)} otherwise")
    assert wrong == []


@pytest.mark.parametrize("name", SETS)
def test_quantities_are_those_of_the_plan(name):
    accepted = [case for case in cases(name) if case["accepted"]]
    wrong = [
        (case["id"], quantity)
        for case in accepted
        for plan in [plan_of(lint_text(script_of(case), path="run.sh", fixes=False))]
        for quantity, value in case["derived"].items()
        if plan.value(quantity) != value
    ]
    assert len(accepted) > 40 and wrong == []


def test_sets_are_all_there():
    assert [len(cases(name)) for name in SETS] == [300] * 4
