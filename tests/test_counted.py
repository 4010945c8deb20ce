"""What a start takes is what is recorded, or less: see benchmarks/counted.py."""

import copy
import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROGRAM = ROOT / "benchmarks" / "counted.py"
of_3_11 = pytest.mark.skipif(
    sys.implementation.name != "cpython" or sys.version_info[:2] != (3, 11),
    reason="the numbers are those of CPython 3.11",
)

spec = importlib.util.spec_from_file_location("counted", PROGRAM)
counted = importlib.util.module_from_spec(spec)
spec.loader.exec_module(counted)


@pytest.fixture(scope="module")
def now():
    return counted.all_counted()


@of_3_11
def test_no_start_takes_more_than_is_recorded(now):
    told = [*counted.problems(counted.read_record(), now)]
    assert told == [], f'{told}: lower them, or `python benchmarks/counted.py --update --reason "why"`'


@of_3_11
def test_the_numbers_are_the_same_elsewhere(now, tmp_path):
    """In another folder, without bytecode, and not as a package that is being worked on."""
    elsewhere = tmp_path / "a folder" / "deeper"
    shutil.copytree(ROOT / "grpo_lint", elsewhere / "grpo_lint", ignore=shutil.ignore_patterns("__pycache__"))
    program = f"import sys; sys.path[:0] = [{str(elsewhere)!r}, {str(PROGRAM.parent)!r}]; import counted, json; print(json.dumps(counted.all_counted()))"
    ended = subprocess.run([sys.executable, "-B", "-c", program], cwd=tmp_path, capture_output=True, check=True)
    assert json.loads(ended.stdout) == now


# --- what is recorded -----------------------------------------------------------------------------------------------


@pytest.fixture
def record():
    numbers = {start: dict.fromkeys(counted.MEASURES, 1000) for start in counted.STARTS}
    return {"commit": "abc", "first": numbers, "recorded": copy.deepcopy(numbers), "reasons": {}}


def numbers(record, **changed):
    found = copy.deepcopy(record["recorded"])
    found["one failing"].update(changed)
    return found


def test_lower_numbers_are_recorded_and_higher_ones_refused(record):
    found = counted.updated(record, numbers(record, calls=900, modules=1010), None)
    assert found["recorded"]["one failing"] == {"modules": 1000, "bytes": 1000, "calls": 900}
    assert found["reasons"] == {} and record["recorded"]["one failing"]["calls"] == 1000
    assert [*counted.problems(found, numbers(record, modules=1010))] == [
        "one failing: 1,010 modules, not 1,000",
        "one failing: 1,000 calls, not 900",
    ]


def test_higher_numbers_need_a_reason(record):
    now = numbers(record, bytes=1100)
    found = counted.updated(record, now, "of ours")
    assert found["reasons"] == {"one failing: bytes": ["of ours"]} and [*counted.problems(found, now)] == []
    found["reasons"] = {}
    assert [*counted.problems(found, now)] == ["one failing: 1,100 bytes are recorded, 1,000 at first, and no reason"]


def test_a_reason_goes_with_what_it_explained(record):
    raised = counted.updated(record, numbers(record, bytes=1100), "of ours")
    assert counted.updated(raised, numbers(record, bytes=1000), None)["reasons"] == {}


def test_a_little_more_is_another_python(record):
    now = numbers(record, bytes=1004, calls=1005)
    assert [*counted.problems(record, now)] == []
    assert counted.updated(record, now, "of ours") == record


def test_raises_have_an_end(record):
    now = numbers(record, calls=1701)
    found = counted.updated(record, now, "of ours")
    assert [*counted.problems(found, now)] == ["calls: 10.0% more than at abc, in sum, and 10% are allowed"]
    for start in counted.STARTS:
        found["first"][start]["calls"] = 1002
    assert [*counted.problems(found, now)] == []
