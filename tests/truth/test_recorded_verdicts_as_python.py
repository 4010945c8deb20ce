"""The recorded verdicts of TRL once more, each case written as the Python that makes its config: the same findings at the
keyword, and fixes that hold."""

import pytest
from test_recorded_verdicts import VERDICTS, cases, refusals, report_of

from conftest import comment, counted, lint_text, told

pytestmark = pytest.mark.slow
OF_TRL = [name for name in VERDICTS if name.startswith("trl-")]


def program_of(case):
    """The file of Python that makes the config of a case."""
    name = "RLOOConfig" if case["algo"] == "rloo" else "GRPOConfig"
    settings = {"output_dir": "out", **case["config"]}
    lines = [f"    {key}={value!r},\n" for key, value in settings.items()]
    facts = comment(version=case["version"], world_size=case["world_size"])
    return f"{facts}from trl import {name}\n\nargs = {name}(\n{''.join(lines)})\n"


def verdict(report):
    """What is said, wherever it stands."""
    return sorted(
        (finding.rule.code, finding.severity, finding.stage, finding.at.name if finding.at else None)
        for finding in report.findings
    )


@pytest.mark.parametrize("name", OF_TRL)
def test_a_call_is_judged_like_the_settings(name):
    astray, compared = [], 0
    for case in cases(name):
        if not all(key.isidentifier() for key in case["config"]):
            continue
        compared += 1
        report = lint_text(program_of(case), path="train.py")
        if verdict(report) != verdict(report_of(case)) or case["accepted"] == bool(refusals(case, report)):
            astray.append(f"{program_of(case)}{told(report)}\n{told(report_of(case))}")
    counted.append(f"recorded verdicts of {name} as calls of Python: {compared}")
    assert compared >= 190
    assert astray == []
