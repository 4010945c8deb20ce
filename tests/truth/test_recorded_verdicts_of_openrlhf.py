"""The verdicts of OpenRLHF's own code, compared with ours: each case as a command. The random cases are here; those made of its own
scripts are compared where they lie beside the checkout."""

import gzip
import json
from functools import cache
from pathlib import Path
from shlex import quote

import pytest

from conftest import counted, lint_text, plan_of

HERE = Path(__file__).parent / "openrlhf"
BESIDE = Path(__file__).parents[3] / "shared" / "truth" / "openrlhf"
RANDOM = sorted(path.name.removesuffix(".jsonl.gz") for path in HERE.glob("*.jsonl.gz"))
SETS = [*RANDOM, *sorted(path.stem for path in BESIDE.glob("realistic-*.jsonl"))]
STAGES = {"parse": ("read", "config"), "launch": ("init",), "init": ("init",), "step": ("run",)}
ORDER = ("read", "config", "init", "run")
# {quantity of the plan: what it is called in what was recorded}
QUANTITIES = {
    "prompts_per_rollout": "prompts_per_rollout",
    "group_size": "group_size",
    "completions_per_rollout": "completions_per_rollout",
    "updates_per_rollout": "updates_per_rollout",
    "dp_size": "dp_size",
    "accumulation": "gradient_accumulation",
}


@cache
def cases(name):
    path = HERE / f"{name}.jsonl.gz"
    text = gzip.decompress(path.read_bytes()).decode() if path.exists() else (BESIDE / f"{name}.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def script_of(case):
    words = " \\\n    ".join(map(quote, case["argv"]))
    return f"# grpo-lint: dialect=openrlhf version={case['version']}\npython3 -m openrlhf.cli.train_ppo_ray \\\n    {words}\n"


def said(report):
    """The stage of the earliest error; None for none."""
    errors = [finding.stage for finding in report.findings if finding.severity == "error"]
    return min(errors, key=ORDER.index, default=None)


@pytest.mark.parametrize("name", SETS)
def test_runs_are_refused_as_recorded(name):
    wrong = [
        (case["id"], expected, found, case["error"])
        for case in cases(name)
        for expected in [(None,) if case["accepted"] else STAGES[case["stage"]]]
        if (found := said(lint_text(script_of(case), path="run.sh", fixes=False))) not in expected
    ]
    counted.append(f"openrlhf {name}: {len(cases(name))} verdicts, {len(wrong)} otherwise")
    assert wrong == []


@pytest.mark.parametrize("name", SETS)
def test_quantities_are_those_of_the_plan(name):
    accepted = [case for case in cases(name) if case["accepted"]]
    wrong = [
        (case["id"], quantity, value, case["derived"][recorded])
        for case in accepted
        for plan in [plan_of(lint_text(script_of(case), path="run.sh", fixes=False))]
        for quantity, recorded in QUANTITIES.items()
        if recorded in case["derived"] and (value := plan.value(quantity)) != case["derived"][recorded]
    ]
    assert accepted and wrong == []


def test_sets_are_all_there():
    assert [len(cases(name)) for name in RANDOM] == [75] * 4
