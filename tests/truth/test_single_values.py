"""Every field of TRL with every odd value, one at a time: the verdicts of the real parser and config class, and ours.

`trl-single-values.json` holds {version: {field: letters}}, one letter for each value in the order of
`conformance/cases.py`:
`.` is accepted, the others are the stage that refuses it: read, config, init.
"""

import json
import sys
from pathlib import Path

import pytest

from conftest import counted

pytestmark = pytest.mark.slow

RECORDED = json.loads(Path(__file__).with_name("trl-single-values.json").read_text(encoding="utf-8"))
CONFORMANCE = Path(__file__).parents[2] / "conformance"


@pytest.fixture(scope="module")
def programs():
    sys.path.insert(0, str(CONFORMANCE))
    import cases
    import compare

    yield cases, compare
    sys.path.remove(str(CONFORMANCE))


@pytest.mark.parametrize("version", RECORDED)
def test_single_values_are_refused_where_the_framework_refuses_them(programs, version):
    cases, compare = programs
    asked = list(cases.Cases("trl", version, "script").singly())
    recorded = "".join(RECORDED[version].values())
    assert len(asked) == len(recorded) > 3000 and recorded.count(".") > 0.6 * len(recorded)
    astray = [
        (cases.text_of(case), verdict)
        for case, verdict in zip(asked, recorded)
        if bool(compare.refusals(case, compare.lint(cases.text_of(case)))) != (verdict != ".")
    ]
    assert astray == []
    counted.append(f"single values of trl {version}: {len(asked)} cases, {recorded.count('.')} accepted")
