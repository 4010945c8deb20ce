"""The rule pages: their examples do what they say, their text is up to date, and a search for an error finds them."""

import re
from functools import cache
from pathlib import Path

import pytest

import grpo_lint
from grpo_lint.engine import lint
from grpo_lint.frameworks.all_rules import ALL, RULES
from grpo_lint.frameworks.registry import NAMES, framework as framework_named
from grpo_lint.report import rule_page
from grpo_lint.report.cases import cases_of
from grpo_lint.source.text import Text
from pages import frameworks as framework_page

FOLDER = Path(__file__).parents[1] / "docs" / "rules"
CASES = {rule: cases_of(rule) for rule in ALL}
ALL_CASES = [
    pytest.param(rule, case, id=f"{rule}-{place}") for rule, cases in CASES.items() for place, case in enumerate(cases)
]
# What no text can show, for it takes other files as well.
WITHOUT_CASES = {
    "flags-are-read", "named-file-exists", "program-saves-its-model",
    "file-can-be-read", "baseline-is-current", "agreed-key-is-given", "file-is-looked-at-to-its-end", "team-rule-runs",
    "linter-does-not-fail",
}  # fmt: skip
# The first case breaks another rule as well: one mistake, two findings.
NOT_ALONE = {"rollout-holds-whole-updates", "every-rank-gets-a-prompt"}


pages = cache(rule_page.pages)


def findings(case, text=None):
    """What is said of a case, or of another text in its place."""
    return lint(Text(case.config if text is None else text, case.path), case.context(), fixes=False).findings


def errors(found):
    return {finding.rule.name for finding in found if finding.severity == "error"}


@pytest.mark.parametrize(("rule", "case"), ALL_CASES)
def test_a_case_is_reported_as_it_says(rule, case):
    reported = {finding.severity for finding in findings(case) if finding.rule.code == rule.code}
    assert reported == ({case.reported} - {"nothing"})


@pytest.mark.parametrize(("rule", "case"), [each for each in ALL_CASES if each.values[1].fixed])
def test_a_fixed_case_is_whole(rule, case):
    left = findings(case, case.fixed)
    assert rule.code not in {finding.rule.code for finding in left}
    assert errors(left) == set()


def test_every_rule_has_cases_on_both_sides():
    assert {rule.name for rule in ALL if not CASES[rule]} == WITHOUT_CASES
    for rule, cases in CASES.items():
        if cases:
            assert cases[0].reported != "nothing", rule
            assert any(case.reported == "nothing" or case.fixed for case in cases), rule


@pytest.mark.parametrize("rule", [rule for rule in ALL if CASES[rule] and rule.name not in NOT_ALONE], ids=str)
def test_the_case_of_the_page_has_no_other_error(rule):
    shown = CASES[rule][0]
    assert errors(findings(shown)) <= {rule.name}


def test_every_file_of_cases_belongs_to_a_rule():
    files = list(Path(grpo_lint.__file__).parent.rglob("cases/*.yaml"))
    assert sorted(path.stem for path in files) == sorted(rule.code for rule in ALL if CASES[rule])


def test_every_page_says_who_refuses_it_or_that_nobody_does():
    for rule in ALL:
        told = pages()[f"{rule.name}.md"].partition("## Who refuses it, and when\n")[2].strip()
        if rule.broken:
            assert told.startswith("| framework |") and len(told.splitlines()) > 2, rule
        else:
            assert rule.refused_by or told.startswith("* "), rule
            assert rule.refused_by in told and told, rule


@pytest.mark.parametrize("name", NAMES)
def test_parsers_speak_of_rules_that_have_no_condition(name):
    assert [rule for rule in framework_named(name).refusals.parser_says if RULES[rule].broken] == []


def test_codes_and_names_are_unique_and_well_formed():
    assert len({rule.code for rule in ALL}) == len(RULES) == len(ALL)
    assert all(re.fullmatch(r"GRPO\d{3}", rule.code) and re.fullmatch(r"[a-z]+(-[a-z]+)+", rule.name) for rule in ALL)


def test_pages_are_up_to_date():
    written = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    stale = [name for name, text in pages().items() if written.pop(name, None) != text]
    assert (stale, list(written)) == ([], []), "run: python -m grpo_lint.report.rule_page docs/rules"


def test_pages_of_frameworks_are_up_to_date():
    folder = FOLDER.parent / "frameworks"
    written = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    assert written == framework_page.pages(), "run: python -m pages.frameworks docs/frameworks"


def test_page_of_a_framework_tells_what_a_release_changed():
    trl = framework_page.page(framework_named("trl"))
    of_110 = trl.partition("### 1.10\n")[2].partition("\n### ")[0]
    assert "`max_completion_length` (`256` -> `512`)" in of_110
    of_19 = trl.partition("### 1.9\n")[2].partition("\n### ")[0]
    assert "[GRPO218 batch-size-is-fixed](../rules/batch-size-is-fixed.md)" in of_19


def test_searching_the_text_of_an_error_finds_its_rule():
    for framework in map(framework_named, NAMES):
        for row in framework.refusals.enforcement.rows:
            assert row.rule in RULES, f"{framework.title} {row.since} enforces {row.rule}, which is no rule"
            assert row.wording.replace("|", "\\|") in pages()[f"{row.rule}.md"]
