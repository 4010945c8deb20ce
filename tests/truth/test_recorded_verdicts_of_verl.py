"""The verdicts of released verl, compared with ours: each case as a script, and as a file of settings where it can be one."""

import gzip
import json
from collections import Counter
from functools import cache
from pathlib import Path
from shlex import quote

import pytest

from conftest import counted, lint_text, plan_of

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent / "verl"
SETS = sorted(path.name.removesuffix(".jsonl.gz") for path in HERE.glob("*.jsonl.gz"))
STAGES = {"compose": "read", "validate": "config", "init": "init", "step": "run"}  # of verl, and ours
ORDER = [*STAGES.values()]
QUANTITIES = ("prompts_per_rollout", "completions_per_rollout", "dp_size", "completions_per_update", "updates_per_rollout",
              "generation_chunks", "padded_completions_per_rollout", "padding_completions")  # fmt: skip
# 0.2 keeps ppo_epochs out of the FSDP actor, which the recording program did not ask: it multiplied by it.
OTHERWISE = {("random-0.2", "rnd-150-epochs", "updates_per_rollout")}


@cache
def cases(name):
    with gzip.open(HERE / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def override(key, value):
    if value is None or type(value) is bool:
        return f"{key}={json.dumps(value)}"
    if type(value) is str and not all(character.isalnum() or character in "_-./~" for character in value):
        value = f"'{value}'"
    return f"{key}={json.dumps(value) if type(value) in (list, dict) else value}"


def script_of(case):
    words = [override(*item) for item in case["config"].items()]
    if case["config_name"] != "ppo_trainer":
        words.insert(0, f"--config-name={case['config_name']}")
    arguments = " \\\n    ".join(map(quote, words))
    return (
        f"# grpo-lint: dialect=verl version={case['version']}\npython3 -m verl.trainer.main_ppo \\\n    {arguments}\n"
    )


def primary_of(case):
    """A file of settings that Hydra starts from, over that of the release."""
    tree = {"defaults": [case["config_name"], "_self_"]}
    for path, value in case["config"].items():
        *sections, key = path.split(".")
        node = tree
        for section in sections:
            node = node.setdefault(section, {})
        node[key] = value
    return f"# grpo-lint: dialect=verl version={case['version']}\n{json.dumps(tree, indent=1)}\n"


def said(report):
    """The stage of the earliest error; None for none."""
    errors = [finding.stage for finding in report.findings if finding.severity == "error"]
    return min(errors, key=ORDER.index, default=None)


def recorded(case):
    """The stage at which verl refuses a case; None where it takes it.

    The asking program makes no engine. Of one name its own code was asked afterwards: `get_rollout_class` of 0.6.0 to 0.9.1 asserts that it
    knows none of the name sglang_async, which 0.4 took for sglang, and the workers of 0.5.0 have no branch for it.
    """
    early = case["version"].startswith(("0.2", "0.3", "0.4"))
    if case["accepted"] and not early and case["config"].get("actor_rollout_ref.rollout.name") == "sglang_async":
        return "init"
    return None if case["accepted"] else STAGES[case["stage"]]


def test_sets_are_all_there():
    assert Counter(name.partition("-")[0] for name in SETS) == {"random": 8, "realistic": 6, "uneven": 5}
    assert sum(len(cases(name)) for name in SETS) == 1652


@pytest.mark.parametrize("name", SETS)
def test_scripts_are_refused_as_recorded(name):
    wrong = [
        (case["id"], recorded(case), found)
        for case in cases(name)
        if (found := said(lint_text(script_of(case), path="run.sh", fixes=False))) != recorded(case)
    ]
    counted.append(f"verl {name} as scripts: {len(cases(name))} verdicts, {len(wrong)} otherwise")
    assert wrong == []


@pytest.mark.parametrize("name", SETS)
def test_files_of_settings_are_refused_as_recorded(name):
    """All but what Hydra refuses on a command line: a file may hold any key."""
    possible = [case for case in cases(name) if case["accepted"] or case["stage"] != "compose"]
    wrong = [
        (case["id"], recorded(case), found)
        for case in possible
        if (found := said(lint_text(primary_of(case), path="run.yaml", fixes=False))) != recorded(case)
    ]
    counted.append(f"verl {name} as files: {len(possible)} verdicts, {len(wrong)} otherwise")
    assert wrong == []


@pytest.mark.parametrize("name", SETS)
def test_quantities_are_those_of_the_plan(name):
    wrong = {
        (name, case["id"], quantity)
        for case in cases(name)
        if case["accepted"]
        for plan in [plan_of(lint_text(script_of(case), path="run.sh", fixes=False))]
        for quantity in QUANTITIES
        if quantity in case["derived"]
        # before 0.9 there is no padding, and so no such quantity
        if (plan.value(quantity) is not None or not quantity.startswith("padd"))
        if plan.value(quantity) != case["derived"][quantity]
    }
    assert wrong == {each for each in OTHERWISE if each[0] == name}
