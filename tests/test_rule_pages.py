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
        for regime in framework.regimes:
            for name, enforced in regime.enforced.items():
                assert name in RULES, f"{framework.title} {regime.since} enforces {name}, which is no rule"
                assert enforced.wording in pages[RULES[name].name + ".md"]
