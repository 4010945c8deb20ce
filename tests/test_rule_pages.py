"""The rule pages: their examples do what they say, their text is up to date, and a search for an error finds them."""

import re
from pathlib import Path

import pytest

from grpo_lint.engine import lint
from grpo_lint.frameworks.all_rules import ALL, RULES
from grpo_lint.frameworks.registry import NAMES
from grpo_lint.frameworks.registry import framework as framework_named
from grpo_lint.launch.context import Surroundings
from grpo_lint.report import rule_page
from grpo_lint.source.text import Text

FOLDER = Path(__file__).parents[1] / "docs" / "rules"
WITH_EXAMPLE = [rule for rule in ALL if rule.example]


def findings(text):
    return lint(Text(text, "example.yaml"), Surroundings()).findings


@pytest.mark.parametrize("rule", WITH_EXAMPLE, ids=str)
def test_the_example_breaks_the_rule(rule):
    assert rule.code in {finding.rule.code for finding in findings(rule_page.example(rule))}


# Their examples break another rule as well: one mistake, two findings.
NOT_ALONE = {"rollout-holds-whole-updates", "every-rank-gets-a-prompt"}


@pytest.mark.parametrize("rule", [rule for rule in WITH_EXAMPLE if rule.name not in NOT_ALONE], ids=str)
def test_the_example_has_no_other_error(rule):
    assert {finding.rule.code for finding in findings(rule_page.example(rule)) if finding.severity == "error"} <= {
        rule.code
    }


@pytest.mark.parametrize("rule", [rule for rule in WITH_EXAMPLE if rule.fixed], ids=str)
def test_the_fixed_example_is_whole(rule):
    left = findings(rule_page.fixed_example(rule))
    assert rule.code not in {finding.rule.code for finding in left}
    assert [finding for finding in left if finding.severity == "error"] == []


def test_only_what_no_text_can_show_has_no_example():
    assert {rule.name for rule in ALL if not rule.example} == {
        "file-can-be-read", "baseline-is-current", "agreed-key-is-given", "file-is-looked-at-to-its-end", "team-rule-runs",
        "linter-does-not-fail",
    }  # fmt: skip


def test_every_page_says_who_refuses_it_or_that_nobody_does():
    for rule in ALL:
        told = rule_page.page(rule).partition("## Who refuses it, and when\n")[2].strip()
        if rule.broken:
            assert told.startswith("| framework |") and len(told.splitlines()) > 2, rule
        else:
            assert rule.refused_by or told.startswith("* "), rule
            assert rule.refused_by in told and told, rule


@pytest.mark.parametrize("name", NAMES)
def test_parsers_speak_of_rules_that_have_no_condition(name):
    assert [rule for rule in framework_named(name).parser_says if RULES[rule].broken] == []


def test_codes_and_names_are_unique_and_well_formed():
    assert len({rule.code for rule in ALL}) == len(RULES) == len(ALL)
    assert all(re.fullmatch(r"GRPO\d{3}", rule.code) and re.fullmatch(r"[a-z]+(-[a-z]+)+", rule.name) for rule in ALL)


def test_pages_are_up_to_date():
    written = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()}
    stale = [name for name, text in rule_page.pages().items() if written.pop(name, None) != text]
    assert (stale, list(written)) == ([], []), "run: python -m grpo_lint.report.rule_page docs/rules"


def test_searching_the_text_of_an_error_finds_its_rule():
    pages = rule_page.pages()
    for framework in map(framework_named, NAMES):
        for row in framework.enforcement.rows:
            assert row.rule in RULES, f"{framework.title} {row.since} enforces {row.rule}, which is no rule"
            assert row.wording.replace("|", "\\|") in pages[f"{row.rule}.md"]
