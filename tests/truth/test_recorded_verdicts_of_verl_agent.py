"""The verdicts of verl-agent's own code at four commits, compared with ours: each case as a script, and as a file of settings where it
can be one. The random cases are here; those made of its own scripts are compared where they lie beside the checkout."""

import gzip
import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from test_recorded_verdicts_of_verl import ORDER, override, said

from conftest import counted, lint_text, plan_of
from grpo_lint.fixes.edits import apply

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent / "verl-agent"
BESIDE = Path(__file__).parents[3] / "shared" / "truth" / "verl-agent"
SETS = [*sorted(HERE.glob("*.jsonl.gz")), *sorted(BESIDE.glob("realistic-*.jsonl"))]
each_set = pytest.mark.parametrize("path", SETS, ids=lambda path: path.name.partition(".jsonl")[0])
STAGES = {"compose": "read", "validate": "config", "init": "init", "step": "run"}  # of the asking program, and ours
# What the recipe of HGPO refuses, and no rule describes: it takes the KL divergence of log-probabilities before they are computed.
NOT_JUDGED = "old_log_probs"
# {quantity of the asking program: of the plan}; it counts trajectories, which are completions of several steps
QUANTITIES = {
    "groups_per_rollout": "prompts_per_rollout",
    "trajectories_per_rollout": "completions_per_rollout",
    "rows_per_rollout_max": "most_rows_per_rollout",
    "rows_per_update": "rows_per_update",
    "dp_size": "dp_size",
    "engines": "generation_engines",
    "critic": "critic_model",
    "reference": "reference_model",
}


@cache
def cases(path):
    text = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in text.splitlines()]


def head_of(case):
    date = case["version"].split("-")[2]
    version = ".".join(str(int(part)) for part in (date[:4], date[4:6], date[6:]))
    return f"# grpo-lint: dialect=verl-agent version={version}\n"


def script_of(case, head=head_of):
    words = [f'"{override(*item)}"' for item in case["config"].items()]
    return (
        head(case)
        + " \\\n    ".join(
            [f"python3 -m {'verl.trainer.main_ppo' if _is_usual(case) else 'recipe.hgpo.main_hgpo'}", *words]
        )
        + "\n"
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
    return f"{head_of(case)}{json.dumps(tree, indent=1)}\n"


def _is_told(case, kind):
    return _is_usual(case) or (kind is script_of and case["stage"] != "compose")


def _is_usual(case):
    """Whether verl-agent's own main starts it: which program reads a file, nothing in it tells."""
    return case["config_name"] != "hgpo_trainer"


def recorded(case):
    """A run that returns after its validation takes no step, though the asking program takes one."""
    if case["accepted"] or (case["stage"] == "step" and case["config"].get("trainer.val_only")):
        return None
    return STAGES[case["stage"]]


def test_sets_are_all_there():
    assert [len(cases(path)) for path in SETS] == [*([75] * 7), *([25] * (len(SETS) - 7))]
    assert len(SETS) in (7, 11)


@each_set
@pytest.mark.parametrize(("kind", "name"), [(script_of, "run.sh"), (primary_of, "run.yaml")])
def test_runs_are_refused_as_recorded(path, kind, name):
    """A file may hold any key, so that nothing is told of what Hydra refuses on a command line. The file of a recipe, which is not
    here, may hold more than that of the release."""
    asked = [case for case in cases(path) if (kind is script_of or case["stage"] != "compose") and _is_told(case, kind)]
    wrong = [
        (case["id"], recorded(case), found)
        for case in asked
        if (found := said(lint_text(kind(case), path=name, fixes=False))) != recorded(case)
        and NOT_JUDGED not in (case["error"] or "")
    ]
    counted.append(f"verl-agent {path.name} as {name}: {len(asked)} verdicts, {len(wrong)} otherwise")
    assert wrong == []


def test_a_key_that_a_recipe_may_have_is_a_warning():
    refused = [case for path in SETS for case in cases(path) if case["stage"] == "compose" and not _is_usual(case)]
    reports = [lint_text(script_of(case), path="run.sh", fixes=False) for case in refused]
    told = [[each.severity for each in report.findings if each.rule.name == "key-is-known"] for report in reports]
    assert refused and told == [["warning"]] * len(refused)


@each_set
def test_a_run_that_says_no_release_is_not_refused_where_a_release_takes_it(path):
    """By its keys it is known as verl-agent's, and no error is told that its own release does not have."""
    wrong = [
        (case["id"], finding.rule.name)
        for case in cases(path)
        if case["accepted"]
        for report in [lint_text(script_of(case, lambda case: ""), path="run.sh", fixes=False)]
        for finding in [each for each in report.findings if each.severity == "error"]
    ]
    assert wrong == []


@each_set
def test_quantities_are_those_of_the_plan(path):
    wrong = [
        (case["id"], quantity)
        for case in cases(path)
        if case["accepted"]
        for plan in [plan_of(lint_text(script_of(case), path="run.sh", fixes=False))]
        for quantity, ours in QUANTITIES.items()
        if plan.value(ours) != case["derived"][quantity]
    ]
    assert wrong == []


@each_set
def test_the_first_fix_holds_or_none_is_offered(path):
    refused = [case for case in cases(path) if not case["accepted"]]
    assert [case["id"] for case in refused if broken_by_first_fixes(script_of(case))] == []


def broken_by_first_fixes(text):
    """The rules of whose errors there are no fewer when the first fix of one is made, or more of another rule."""
    report = lint_text(text, path="run.sh", fixes=True)
    before, broken = errors_of(report), set()
    for finding in report.findings:
        if finding.severity == "error" and finding.fixes and finding.fixes[0].edits:
            edited = apply(report.text, finding.fixes[0].edits).text
            left = errors_of(lint_text(edited, path="run.sh", fixes=False))
            broken |= (left - (before - Counter([finding.rule.name]))).keys()
    return broken


def errors_of(report):
    return Counter(finding.rule.name for finding in report.findings if finding.severity == "error")


def left_of(text):
    """The names of the errors of a script that are left when the others, one after the other, have had their first fix."""
    for _ in range(9):
        report = lint_text(text, path="run.sh", fixes=True)
        errors = [finding for finding in report.findings if finding.severity == "error"]
        fixed = next((finding.fixes[0] for finding in errors if finding.fixes and finding.fixes[0].edits), None)
        if fixed is None:
            return [finding.rule.name for finding in errors]
        text = apply(report.text, fixed.edits).text
    raise AssertionError(f"fixes come to no end: {text}")


# what has no fix: names and keys that may mean anything
WITHOUT = {
    "key-is-known",
    "key-is-of-this-version",
    "environment-is-known",
    "advantage-estimator-is-known",
    "gigpo-mode-is-known",
    "loss-mode-is-known",
}


@each_set
def test_fixes_leave_no_error(path):
    refused = [case for case in cases(path) if not case["accepted"]]
    left = [found for case in refused if (found := left_of(script_of(case)))]
    counted.append(f"verl-agent {path.name}: {len(refused)} refused, {len(left)} of them with an error that has no fix")
    assert len(left) * 2 < len(refused)
    assert set().union(*left) <= WITHOUT


assert [*STAGES.values()] == ORDER
