"""`benchmarks/trace.py` follows a key to its finding and to its fix."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
MOST_TO_FINDING, MOST_TO_FIX = 13, 20  # modules; one that merely hands a key on belongs into a neighbour


def test_the_way_of_a_key_is_counted():
    command = [sys.executable, "benchmarks/trace.py", "benchmarks/trace/stated.yaml", "num_generations"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    finding, fix = (re.search(r": (\d+) functions, (\d+) modules", line) for line in ended.stdout.splitlines()[:2])
    assert 10 < int(finding[1]) < int(fix[1]) and 5 < int(finding[2]) < int(fix[2])
    assert int(finding[2]) <= MOST_TO_FINDING and int(fix[2]) <= MOST_TO_FIX
