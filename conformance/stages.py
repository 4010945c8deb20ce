"""The verdict on a command whose checks run one after the other, on a CPU."""

import contextlib
import io
import json
import sys

LONGEST = 300  # characters of an error


def verdict(case, release, checks):
    """What a release says of a command. `checks` are [(stage, check)] in the order of a run: each takes what the one before it made,
    and notes numbers in `derived`."""
    derived, errors, state = {}, io.StringIO(), case["argv"]
    answer = {"id": case["id"], "version": release, "accepted": True, "stage": None, "error": None, "derived": derived}
    for stage, check in checks:
        try:
            with contextlib.redirect_stderr(errors), contextlib.redirect_stdout(io.StringIO()):
                state = check(state, derived)
        except SystemExit:
            return {**answer, "accepted": False, "stage": stage, "error": errors.getvalue().strip()[-LONGEST:]}
        except Exception as error:
            told = f"{type(error).__name__}: {error}"[:LONGEST]
            return {**answer, "accepted": False, "stage": stage, "error": told}
    return answer


def answer(judge):
    """Judge each case on standard input, one JSON object a line."""
    for line in sys.stdin.readlines():  # as a whole, since a check may close what it is told to open
        if line.strip():
            print(json.dumps(judge(json.loads(line))), flush=True)
