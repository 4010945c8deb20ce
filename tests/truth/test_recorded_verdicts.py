"""The verdicts of the real frameworks, compared with ours; see README.md beside this file."""

import gzip
import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from texts import TEXTS, quotes, speakers, text_of

from conftest import counted, lint_config, plan_of, told

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
SETS = sorted(path.name.removesuffix(".jsonl.gz") for path in HERE.glob("*.jsonl.gz"))
STEPS = [name for name in SETS if name.startswith("trl-steps-")]
VERDICTS = [name for name in SETS if name not in STEPS]
TRL_BESIDE = {
    "3.2": "0.16.1", "3.4": "0.17.0", "3.5": "0.19.1", "3.8": "0.23.1", "3.11": "0.24.0", "3.12": "0.24.0",
    "4.0": "0.28.0", "4.1": "0.28.0", "4.3": "0.29.1", "4.6": "0.29.1",
}  # fmt: skip
# Recorded as "You must specify reward_funcs or reward_model", with a trainer that the recording program gave no teacher where none was
# named. The real trainer of 4.4 and later then takes the model for its own teacher (`_setup_teacher`), and a whole run of 4.6.0 without
# rewards goes through (`no reward` in swift-runs.json.gz); `conformance/ask_swift.py`, which sets up the teacher, accepts them; Megatron-SWIFT sets it up alike.
ASKED_AGAIN = {"swift-4.6.0-0639", "swift-4.6.0-0857", "swift-4.6.0-0881", "megatron-4.6.0-0057", "megatron-4.6.0-0475"}


def test_sets_are_all_there():
    kinds = Counter(name.rsplit("-", 1)[0] for name in SETS)
    assert kinds == {"trl": 23, "trl-steps": 6, "swift": 10, "megatron": 6}


# --- a case as a file -----------------------------------------------------------------------------------------------


def cases(name):
    with gzip.open(HERE / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    return [{**case, "accepted": True} if case["id"] in ASKED_AGAIN else case for case in found]


def minor(version):
    return ".".join(version.split(".")[:2])


def report_of(case, **settings):
    """The report of a recorded case, with some settings added."""
    facts = {"version": case["version"], "world_size": case["world_size"]}
    if "dialect" not in case:
        return lint_config(
            {"output_dir": "out", **case["config"], **settings},
            dialect="trl",
            algorithm=case["algo"],
            loader="kwargs",
            **facts,
        )
    if case["dialect"] == "swift":
        facts["trl"] = TRL_BESIDE[minor(case["version"])]
    environment = case.get("env", {})
    if environment:
        facts["visible_devices"] = len(environment["CUDA_VISIBLE_DEVICES"].split(","))
        facts["processes_per_node"] = environment["NPROC_PER_NODE"]
    return lint_config({**case["config"], **settings}, dialect=case["dialect"], **facts)


def refusals(case, report):
    """The findings that say what a recorded refusal says."""
    stages = {"read", "config"} | ({"init"} if "dialect" in case else set())
    checked_late = case["version"].startswith(("0.15.", "0.16.", "0.17."))
    return [
        finding
        for finding in report.findings
        if finding.severity == "error"
        and (finding.stage in stages or (checked_late and finding.stage == "init" and finding.rule.code[4] in "123"))
    ]


def deaths(report, codes="GRPO"):
    """The rules, of these codes, by which a run that starts dies later."""
    late = (finding.rule for finding in report.findings if finding.severity == "error" and finding.stage == "run")
    return [rule.name for rule in late if rule.code.startswith(codes)]


@cache
def judged(name):
    """[(case, report, refusals, text of our list)] of a set, linted once for all tests."""
    dialect = name.split("-")[0]
    found = []
    for case in cases(name):
        report = report_of(case)
        text = None if case["accepted"] else text_of(dialect, case["error"])
        found.append((case, report, refusals(case, report), text))
    return found


def shown(case, report):
    return f"{case['id']}, {case['world_size']} processes, {case['config']}\n  recorded: {case['error']}\n  ours: {told(report)}"


# --- verdicts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VERDICTS)
def test_no_false_alarm(name):
    accepted = [(case, report, refused) for case, report, refused, _ in judged(name) if case["accepted"]]
    assert len(accepted) >= 90
    assert [shown(case, report) for case, report, refused in accepted if refused] == []


@pytest.mark.parametrize("name", VERDICTS)
def test_every_refusal_is_found(name):
    """All of them: batch and parallel sizes, other options, types, names, and what the environment decides."""
    theirs = [(case, report, refused) for case, report, refused, _ in judged(name) if not case["accepted"]]
    assert len(theirs) >= 90
    assert [shown(case, report) for case, report, refused in theirs if not refused] == []


@pytest.mark.parametrize("name", VERDICTS)
def test_the_rule_found_is_the_one_that_the_framework_means(name):
    dialect = name.split("-")[0]
    astray = [
        shown(case, report)
        for case, report, refused, text in judged(name)
        if text and speakers(dialect, text, case["config"]).isdisjoint(finding.rule.name for finding in refused)
    ]
    assert astray == []


@pytest.mark.parametrize("name", VERDICTS)
def test_the_words_of_the_framework_are_among_ours(name):
    """What the framework says first is quoted by one of our findings, so that a search for the error finds the rule."""
    assert [
        shown(case, report)
        for case, report, refused, _ in judged(name)
        if not case["accepted"] and not any(quotes(finding, case["error"]) for finding in refused)
    ] == []


def test_every_listed_text_was_recorded():
    """A text that no framework said would map nothing, and a typo in the list would hide cases."""
    recorded = {(name.split("-")[0], text) for name in VERDICTS for *_, text in judged(name) if text}
    assert {(dialect, text) for dialect, texts in TEXTS.items() for text in texts} == recorded


def test_what_was_compared_is_counted():
    for dialect in ("trl", "swift", "megatron"):
        counts = Counter(
            kind(*judgement) for name in VERDICTS if name.split("-")[0] == dialect for judgement in judged(name)
        )
        total = sum(counts.values())
        assert counts["accepted"] > 0.45 * total and counts["batch or parallel"] > 0.1 * total
        split = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
        counted.append(f"recorded verdicts of {dialect}: {total} cases: {split}")


def kind(case, report, refused, text):
    if case["accepted"]:
        return "accepted, with an environment" if case.get("env") else "accepted"
    if text:
        return "batch or parallel"
    return "about the environment" if case.get("env") else "about other options"


# --- the plan -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in VERDICTS if name.startswith("trl-")])
def test_rollout_of_the_plan_is_the_one_of_the_config_class(name):
    differing, compared = [], 0
    for case, report, _, _ in judged(name):
        recorded = case["generation_batch_size"], case["steps_per_generation"]
        if not case["accepted"] or recorded == (None, None):
            continue
        compared += 1
        plan = plan_of(report)
        if (plan.value("completions_per_rollout"), plan.value("steps_per_rollout")) != recorded:
            differing.append((case["id"], case["config"], case["world_size"], recorded, plan))
    assert differing == []
    has_sizes_of_its_own = case["version"] not in ("0.14.0", "0.15.2", "0.16.1", "0.17.0")
    assert (compared > 90) == has_sizes_of_its_own


# --- what happens later ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in VERDICTS if name.startswith("megatron-")])
class TestLateDeathsOfMegatron:
    """Only the sizes of rollouts were tried: not, for example, how the model is built, for one small model stood for all."""

    def dies_of_its_sizes(self, report):
        return bool(deaths(report, ("GRPO2", "GRPO3")))

    def started(self, name):
        return [(case, report, case.get("late", {})) for case, report, _, _ in judged(name) if case["accepted"]]

    def test_training_dies_exactly_where_the_first_step_died(self, name):
        cases = self.started(name)
        assert any(late.get("first_train_step_error") for _, _, late in cases)
        assert [
            shown(case, report)
            for case, report, late in cases
            if self.dies_of_its_sizes(report) != bool(late.get("first_train_step_error"))
        ] == []

    def test_evaluation_dies_exactly_where_the_first_evaluation_died(self, name):
        astray = []
        for case, _, late in self.started(name):
            report = report_of(case, val_dataset=["held-out"])
            recorded = late.get("first_train_step_error") or late.get("first_eval_step_error")
            if self.dies_of_its_sizes(report) != bool(recorded):
                astray.append(shown(case, report))
        assert astray == []

    def test_nothing_is_said_about_evaluation_without_a_validation_set(self, name):
        evaluating = {"val_dataset", "cached_val_dataset", "split_dataset_ratio"}
        cases = [(case, report) for case, report, _, _ in judged(name) if evaluating.isdisjoint(case["config"])]
        assert len(cases) > 100
        assert [
            shown(case, report)
            for case, report in cases
            if any(finding.rule.code.startswith("GRPO3") for finding in report.findings)
        ] == []


# --- steps ----------------------------------------------------------------------------------------------------------


def steps_report(case):
    return lint_config(
        {"output_dir": "out", **case["config"]},
        dialect="trl",
        version=case["version"],
        world_size=case["world_size"],
        dataset_size=case["dataset_size"],
        loader="kwargs",
    )


@pytest.mark.parametrize("name", STEPS)
def test_steps_are_those_of_the_real_loop(name):
    differing, crashed, ran = [], 0, 0
    for case in cases(name):
        report = steps_report(case)
        if not case["accepted"]:
            crashed += 1
            if not deaths(report):
                differing.append(shown(case, report))
            continue
        ran += 1
        plan = plan_of(report)
        ours = tuple(plan.value(name) for name in ("total_steps", "executed_steps", "micro_steps_per_epoch"))
        recorded = case["max_steps"], case["global_step"], case["len_train_dataloader"]
        if ours != recorded or deaths(report):
            differing.append(
                (case["id"], case["config"], case["world_size"], case["dataset_size"], ours, recorded, told(report))
            )
    assert differing == []
    assert ran >= 20 and ran + crashed == 25
