"""The recorded verdicts once more, each case written as the launch script that would start it.

What has no flag form is left out, and counted: null, empty lists, numbers in lists, texts with line breaks. So are
cases of TRL with
an unknown keyword argument: whether an unknown flag is refused depends on the training script.
"""

import json
import shlex

import pytest
from test_recorded_verdicts import TRL_BESIDE, VERDICTS, cases, minor, refusals

from conftest import comment, counted, lint_text, told

pytestmark = pytest.mark.slow


def as_words(value):
    """The words of a flag's value; None when it has no flag form."""
    if isinstance(value, (bool, int, float)):
        return [str(value)]
    if isinstance(value, str):
        return [value] if value and "\n" not in value else None
    if isinstance(value, dict):
        return [json.dumps(value)]
    if isinstance(value, list) and value and all(isinstance(item, str) and item for item in value):
        return value
    return None


def script_of(case):
    """The script of a case, None when it has none."""
    flags = []
    for key, value in case["config"].items():
        words = as_words(value)
        if words is None or any(word.startswith("-") and not word[1:2].isdigit() for word in words):
            return None
        flags.append(" ".join([f"--{key}", *map(shlex.quote, words)]))
    body = " \\\n    ".join(flags)
    version = case["version"]
    if "dialect" not in case:
        data = (
            "" if "dataset_name" in case["config"] else "--dataset_name d \\\n    "
        )  # what the first releases ask of a script
        # explicit facts, because a case may lack the keys that tell, and since train.py, which is not here, may have defaults of its own
        return (
            f"#!/bin/bash\n{comment(dialect='trl', version=version, algorithm=case['algo'], loader='own')}"
            f"accelerate launch --num_processes {case['world_size']} train.py \\\n    --output_dir out \\\n    {data}{body}\n"
        )
    environment = {"NPROC_PER_NODE": case["world_size"], **case.get("env", {})}
    program = "megatron" if case["dialect"] == "megatron" else "swift"
    beside = {"trl": TRL_BESIDE[minor(version)]} if case["dialect"] == "swift" else {}
    assignments = " ".join(f"{name}={value}" for name, value in environment.items())
    return f"#!/bin/bash\n{comment(version=version, **beside)}{assignments} \\\n{program} rlhf \\\n    {body}\n"


def is_about_keywords(case):
    """Whether TRL's verdict is one that only keyword arguments get."""
    return "dialect" not in case and "unexpected keyword argument" in (case["error"] or "")


@pytest.mark.parametrize("name", VERDICTS)
def test_a_case_as_a_script_has_the_same_verdict(name):
    astray, compared = [], 0
    for case in cases(name):
        text = script_of(case)
        if text is None or is_about_keywords(case):
            continue
        if case.get("dialect") and case["config"].get("rlhf_type") != "grpo":
            continue  # `swift rlhf` trains something else then
        compared += 1
        report = lint_text(text, path="case.sh")
        if bool(refusals(case, report)) == bool(case["accepted"]):
            astray.append(f"{case['id']}\n{text}\n  recorded: {case['error']}\n  ours: {told(report)}")
    counted.append(f"recorded verdicts of {name} as scripts: {compared} of {len(cases(name))} cases have a flag form")
    assert compared > 100
    assert astray == []
