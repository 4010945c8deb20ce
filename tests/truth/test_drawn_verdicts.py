"""Commands that were drawn at random after the code was done, as `conformance/run --record` keeps them: what a framework's own code said of
each, compared with what is said here. The fast set asks about some of each release."""

import gzip
import json
from functools import cache
from pathlib import Path

import pytest

from conftest import counted, lint_text

SETS = sorted((Path(__file__).parent / "drawn").glob("*.jsonl.gz"))
ORDER = ("read", "config", "init", "run")
OF_THE_MODEL = (
    "heads-divide-over-ranks"  # which Megatron-Core refuses when it builds the model, after all that was asked
)
EACH = 25  # one of so many is asked about in the fast set


@cache
def cases(path):
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).decode().splitlines()]


def said(case):
    """The stage of the earliest error; None for none. The flags and their values are checked at once."""
    findings = lint_text(case["script"], path="run.sh", fixes=False).findings
    stages = [each.stage for each in findings if each.severity == "error" and each.rule.name != OF_THE_MODEL]
    found = min(stages, key=ORDER.index, default=None)
    return "read" if found == "config" else found


def wrong(some):
    return [
        (case["script"], case["stage"], ours, case["error"]) for case in some if (ours := said(case)) != case["stage"]
    ]


@pytest.mark.parametrize("path", SETS, ids=lambda path: path.name.partition(".jsonl")[0])
def test_some_runs_are_refused_as_recorded(path):
    assert wrong(cases(path)[::EACH]) == []


@pytest.mark.slow
@pytest.mark.parametrize("path", SETS, ids=lambda path: path.name.partition(".jsonl")[0])
def test_all_runs_are_refused_as_recorded(path):
    found = wrong(cases(path))
    counted.append(f"drawn {path.name}: {len(cases(path))} verdicts, {len(found)} otherwise")
    assert found == []


def test_sets_are_all_there():
    """400 for each release, of which the framework takes 40 to 60 %."""
    assert SETS
    for path in SETS:
        share = sum(case["stage"] is None for case in cases(path)) / len(cases(path))
        assert len(cases(path)) == 400 and 0.4 <= share <= 0.6, (path.name, share)
