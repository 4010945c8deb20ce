"""The benchmark of docs/speed.md measures what it says: each program ends as it should, on each of its files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parents[1] / "benchmarks" / "start_up.py"


@pytest.mark.slow
def test_all_that_is_measured_ends_as_expected():
    """It stops at the first program with another exit status; nothing is written, and times are not looked at."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, str(BENCHMARK), "--files", "10", "--rounds", "1"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for row in (
        "failing config",
        "a command that starts a clean config",
        "a script for verl",
        "sweep",
        "10 files: clean",
    ):
        assert row in done.stdout
