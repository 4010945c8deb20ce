"""The rule pages: their examples do what they say, their text is up to date, and a search for an error finds them."""

import re
from functools import cache
from pathlib import Path
from string import Formatter
from typing import NamedTuple

import pytest

import grpo_lint
from grpo_lint.engine import lint
from grpo_lint.frameworks import registry
from grpo_lint.frameworks.all_rules import ALL, RULES
from grpo_lint.frameworks.registry import NAMES, framework as framework_named
from grpo_lint.message import on_lines
from grpo_lint.plan.quantities import INNER_LABELS, QUANTITIES, label
from grpo_lint.report import messages, rule_page
from grpo_lint.report.cases import cases_of
from grpo_lint.report.explain.arithmetic import NAMED
from grpo_lint.report.explain.story import Story
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

# The case of the page breaks these as well, for the one mistake is both.
TOGETHER = {
    "command-takes-its-config", "rollout-prompts-divide-over-ranks", "every-rank-gets-a-prompt",
    "rank-prompts-fill-micro-batches", "sapo-has-temperatures", "rollout-holds-a-critic-update", "rows-divide-over-all-nodes", "split-leaves-rows-to-train",
}  # fmt: skip


pages = cache(rule_page.pages)


class Said(NamedTuple):
    """A finding without its launch, so that those of all cases can be kept."""

    code: str
    name: str
    severity: str
    template: str
    text: str
    filled: "frozenset[str]"  # names in its template that have a text


@cache
def findings(case, text=None):
    """What is said of a case, or of another text in its place: once, for all tests that ask."""
    found = lint(Text(case.config if text is None else text, case.path), case.context(), fixes=False).findings
    return [
        Said(
            each.rule.code,
            each.rule.name,
            each.severity,
            str(each.message),
            messages.message(each),
            frozenset(filled(each)),
        )
        for each in found
    ]


def filled(finding):
    """The names in the template of a finding that have a text."""
    values = messages._Values(finding)
    return [name for name in named_in(str(finding.message)) if f"{{{name}}}".format_map(values)]


def named_in(template):
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def errors(found):
    return {finding.name for finding in found if finding.severity == "error"}


@pytest.mark.parametrize(("rule", "case"), ALL_CASES)
def test_a_case_is_reported_as_it_says(rule, case):
    reported = {finding.severity for finding in findings(case) if finding.code == rule.code}
    assert reported == ({case.reported} - {"nothing"})


@pytest.mark.parametrize(("rule", "case"), [each for each in ALL_CASES if each.values[1].fixed])
def test_a_fixed_case_is_whole(rule, case):
    left = findings(case, case.fixed)
    assert rule.code not in {finding.code for finding in left}
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


@pytest.mark.parametrize("rule", [rule for rule in ALL if CASES[rule] and rule.name not in TOGETHER], ids=str)
def test_the_case_of_the_page_breaks_no_other_rule(rule):
    """Of those that are reported as errors or warnings."""
    told = {found.name for found in findings(CASES[rule][0]) if found.severity != "info"}
    assert told <= {rule.name}


# names of formulas that are also keys of a framework
KEYS = {"sequence_parallel", "context_parallel"}


def test_no_message_names_a_formula():
    """Its numbers are those of keys of the file, or of quantities in words: '2 processes per model copy'."""
    formulas = {*QUANTITIES, *INNER_LABELS} - KEYS
    named = {
        (said.code, word)
        for case in {case for cases in CASES.values() for case in cases}
        for said in findings(case)
        for word in re.findall(r"(?<![\w.])\w+_\w+(?![\w.])", said.text)
        if word in formulas and word not in case.config
    }
    assert named == set()


def names_of_formulas(case):
    """What `explain` shows of a case with a name that only formulas have: neither a key nor a label in words."""
    report = lint(Text(case.config, case.path), case.context(), fixes=False)
    shown = set()
    for launch in (launch for launch in report.launches if launch.candidates):
        story = Story(report, launch)
        texts = [*(row.how for row in story.rows), *(check.text for check in story.checks)]
        names = {name.replace("_", " "): name for name in story.plan.formulas if "_" in name}
        spoken = {label(name) for name in (*QUANTITIES, *NAMED)} | set(INNER_LABELS.values())
        for found in re.findall(r"([a-z][a-z ]+) -?[\d.,]+", " ".join(on_lines(text) for text in texts)):
            shown |= {name for words, name in names.items() if found == words and words not in spoken}
    return shown


@pytest.mark.slow
def test_explain_names_no_formula():
    shown = {rule.code: names_of_formulas(CASES[rule][0]) for rule in ALL if CASES[rule] and rule.broken}
    assert {code: names for code, names in shown.items() if names} == {}


def sentences(text):
    """What a text says: its sentences, without marks and capitals."""
    return [
        re.sub(r"\W+", " ", each).strip().lower() for each in re.split(r"(?<=[.:;])\s+", text) if each.count(" ") > 2
    ]


@pytest.mark.parametrize("rule", ALL, ids=str)
def test_no_page_says_a_thing_twice(rule):
    """Each sentence of ours is on a page once; what is printed in the example is the message, and is none of them."""
    texts = [rule.summary, rule.why, rule.instead, rule.refused_by]
    said = [each for text in texts for each in sentences(text)]
    assert sorted(said) == sorted(set(said))


def test_pages_lead_to_related_rules():
    lonely = [rule.code for rule in ALL if rule.broken and not rule_page.related(rule)]
    assert len(lonely) < len(ALL) // 3
    assert all(rule not in rule_page.related(rule) for rule in ALL)
    assert "rollout-is-not-empty" in {each.name for each in rule_page.related(RULES["rollout-holds-whole-groups"])}


def test_the_index_lists_rules_by_stage_and_by_framework():
    index = pages()["README.md"]
    by_stage, by_framework = index.partition("## By stage")[2].split("## By framework")
    assert "* **config**" in by_stage and "(rollout-holds-whole-groups.md)" in by_stage
    assert [line.split("**")[1] for line in by_framework.splitlines() if line.startswith("* ")] == [
        framework_named(name).title for name in NAMES
    ]


def test_every_file_of_cases_belongs_to_a_rule():
    files = list(Path(grpo_lint.__file__).parent.rglob("cases/*.yaml"))
    assert sorted(path.stem for path in files) == sorted(rule.code for rule in ALL if CASES[rule])


def test_every_page_says_who_refuses_it_or_that_nobody_does():
    for rule in ALL:
        told = pages()[f"{rule.name}.md"].partition("## What happens\n")[2].partition("\n## ")[0].strip()
        if rule.broken:
            assert told.startswith("| framework |") and len(told.splitlines()) > 2, rule
        else:
            assert rule.refused_by or told.startswith("* "), rule
            assert rule.refused_by in told and told, rule


@pytest.mark.parametrize("name", NAMES)
def test_parsers_speak_of_rules_that_have_no_condition(name):
    assert [rule for rule in framework_named(name).refusals.parser_says if RULES[rule].broken] == []


@pytest.mark.parametrize("name", NAMES)
def test_each_place_is_of_a_row_that_refuses(name):
    rows = framework_named(name).refusals.enforcement.rows
    refusing = {f"{row.rule} {row.since}" for row in rows if row.stage != "never"}
    assert not registry.places(name).keys() - refusing  # after a row was changed: conformance/places.py


def test_a_page_names_the_file_and_the_function_of_a_check():
    told = rule_page.page(RULES["rollout-holds-an-update"])
    assert "`verl/trainer/ppo/ray_trainer.py` `RayPPOTrainer._validate_config`" in told


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


def test_each_placeholder_of_each_template_is_filled_in_some_case():
    """But the formulas behind a number, which a plain number has not."""
    filled = {}
    for said in (each for cases in CASES.values() for case in cases for each in findings(case)):
        filled.setdefault((said.code, said.template), set()).update(said.filled)
    templates = [
        (rule.code, template)
        for rule in ALL
        if rule.name not in WITHOUT_CASES
        for template in (rule.message, *(text for _, text in rule.special))
    ]
    assert [
        (code, template)
        for code, template in templates
        if not {name for name in named_in(template) if not name.endswith(".how")}
        <= filled.get((code, template), {None})
    ] == []
