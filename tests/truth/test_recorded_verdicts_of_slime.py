"""The verdicts of slime's own code at three releases, with the Megatron that each pins, compared with ours: each case as the command
that starts it. The random cases are here; those made of its own scripts are compared where they lie beside the checkout."""

import gzip
import json
import shlex
from functools import cache
from pathlib import Path

import pytest

from conftest import lint_text, plan_of

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent / "slime"
BESIDE = Path(__file__).parents[3] / "shared" / "truth" / "slime"
SETS = [*sorted(HERE.glob("*.jsonl.gz")), *sorted(BESIDE.glob("realistic-*.jsonl"))]
each_set = pytest.mark.parametrize("path", SETS, ids=lambda path: path.name.partition(".jsonl")[0])
ORDER = ("read", "config", "init", "run")
STAGES = {"parse": "read", "launch": "init", "init": "init", "step": "run"}  # of the asking program, and ours
# {quantity of the asking program: of the plan}
QUANTITIES = dict.fromkeys(
    "prompts_per_rollout group_size completions_per_rollout completions_per_update updates_per_rollout dp_size".split()
)


@cache
def cases(path):
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in text.splitlines()]


def script_of(case, stated=True):
    """The script of a case, with its flags in an array as slime's own scripts have them."""
    head = f"# grpo-lint: dialect=slime version={case['version']}\n" if stated else ""
    words = " ".join(map(shlex.quote, case["argv"]))
    return f"#!/bin/bash\n{head}ALL_ARGS=({words})\nray job submit -- python3 train.py ${{ALL_ARGS[@]}}\n"


def recorded(case):
    return None if case["accepted"] else STAGES[case["stage"]]


def said(report):
    stages = [finding.stage for finding in report.findings if finding.severity == "error"]
    return min(stages, key=ORDER.index) if stages else None


def test_sets_are_all_there():
    assert [len(cases(path)) for path in SETS] == [*([75] * 3), *([25] * (len(SETS) - 3))]
    assert len(SETS) in (3, 6)
    share = sum(case["accepted"] for path in SETS for case in cases(path)) / sum(len(cases(path)) for path in SETS)
    assert 0.4 < share < 0.7


@each_set
def test_runs_are_refused_as_recorded(path):
    found = [
        (case["id"], recorded(case), said(lint_text(script_of(case), path="run.sh", fixes=False)))
        for case in cases(path)
    ]
    assert [each for each in found if each[1] != each[2]] == []


@each_set
def test_a_run_that_says_no_release_is_not_refused_where_a_release_takes_it(path):
    wrong = []
    for case in cases(path) if path.name.endswith("0.3.1.jsonl.gz") or path.suffix != ".gz" else ():
        report = lint_text(script_of(case, stated=False), path="run.sh", fixes=False)
        if case["accepted"] and case["version"] == "0.3.1" and said(report) is not None:
            wrong.append(case["id"])
    assert wrong == []


@each_set
def test_quantities_are_those_of_the_framework(path):
    wrong, compared = [], 0
    for case in cases(path):
        plan = plan_of(lint_text(script_of(case), path="run.sh", fixes=False)) if case["accepted"] else None
        for name in QUANTITIES if plan is not None else ():
            value = plan.value(name)
            compared += 1
            if value != case["derived"][name]:
                wrong.append((case["id"], name, value, case["derived"][name]))
    assert wrong == [] and compared > 100


@each_set
def test_words_that_no_parser_knows_are_told(path):
    """Since 0.2.3 nothing else tells of a flag that is misspelt."""
    for case in cases(path):
        ignored = {
            word for word in case["derived"].get("ignored") or () if word[:2] == "--" and word != "--debug-train-only"
        }
        findings = lint_text(script_of(case), path="run.sh", fixes=False).findings
        assert {f"--{finding.values['key']}" for finding in findings if finding.rule.code == "GRPO102"} >= ignored, (
            case["id"]
        )
