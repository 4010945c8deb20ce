"""Everything that people read has a Chinese text, with the same numbers in it and the punctuation of Chinese."""

import re
from pathlib import Path
from string import Formatter

import pytest
from lsprotocol import types

from grpo_lint.engine import lint
from grpo_lint.frameworks.all_rules import ALL
from grpo_lint.frameworks.registry import NAMES, framework
from grpo_lint.lsp.client import Client, client_of
from grpo_lint.lsp.diagnostics import diagnostics
from grpo_lint.lsp.hover import hover
from grpo_lint.lsp.session import Session
from grpo_lint.plan.quantities import QUANTITIES, label
from grpo_lint.report.cases import cases_of
from grpo_lint.report.chinese import CHINESE
from grpo_lint.report.chinese.phrases import PHRASES
from grpo_lint.report.chinese.templates import TEMPLATES
from grpo_lint.report.explain import explanation
from grpo_lint.report.rule_page import page
from grpo_lint.report.text import TextPrinter, cells, wrapped
from grpo_lint.report.totals import Totals
from grpo_lint.source.text import Text

ROOT = Path(__file__).parent.parent


GRAMMAR = {"are", "them"}  # values that only make English right
EXAMPLES = [
    path
    for folder in ("examples", "tests/golden", "tests/scripts", "tests/formats")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in (".yaml", ".sh", ".slurm")
]


def placeholders(template):
    """The names of a template with their attributes, without how they are shown."""
    return sorted({name for _, name, _, _ in Formatter().parse(template) if name} - GRAMMAR)


def told_of(text):
    """What is said of a file, with and without details; notes in CHINESE.missing what has no translation."""
    report, totals = lint(text), Totals()
    totals.add(report, lambda path: "warning")
    for verbose in (False, True):
        printer = TextPrinter(language=CHINESE, verbose=verbose)
        yield printer.file(report) + printer.end(totals)
        if report.launches:
            yield explanation(report, False, 100, verbose, picture=True, language=CHINESE)


def texts_of(rule):
    """The texts that a rule is told in."""
    return {text for text in (rule.summary, rule.message, rule.why, rule.instead, rule.refused_by) if text} | {
        told for _, told in rule.special
    }


@pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.code)
def test_every_rule_has_chinese_texts(rule):
    assert texts_of(rule) - TEMPLATES.keys() == set()


@pytest.mark.parametrize("name", NAMES)
def test_every_refusal_has_a_chinese_moment(name):
    CHINESE.missing.clear()
    for row in framework(name).enforcement.rows:
        CHINESE.text(row.moment)
    assert CHINESE.missing == set()
    assert set(framework(name).parser_says.values()) - TEMPLATES.keys() == set()


def test_every_quantity_has_a_chinese_label_and_meaning():
    assert [label(name) for name in QUANTITIES if label(name) not in PHRASES | {"on-policy": ""}] == []
    CHINESE.missing.clear()
    for _, unit, meaning in QUANTITIES.values():
        CHINESE.text(unit)
        CHINESE.text(meaning)
    assert CHINESE.missing == set()


@pytest.mark.parametrize("english, chinese", TEMPLATES.items(), ids=lambda text: text[:40])
def test_placeholders_are_the_same(english, chinese):
    assert placeholders(english) == placeholders(chinese)


@pytest.mark.parametrize("english, chinese", [*TEMPLATES.items(), *PHRASES.items()], ids=lambda text: text[:40])
def test_punctuation_is_chinese(english, chinese):
    ideograph = "[\u4e00-\u9fff]"
    assert not re.search(f"{ideograph}[,;:?!](?!\\w)|{ideograph}\\.(\\s|$)", chinese)


@pytest.mark.parametrize("english, chinese", [*TEMPLATES.items(), *PHRASES.items()], ids=lambda text: text[:40])
def test_a_blank_stands_between_chinese_and_latin(english, chinese):
    assert not re.search("[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]", chinese)


@pytest.mark.parametrize("english, chinese", TEMPLATES.items(), ids=lambda text: text[:40])
def test_names_of_settings_and_numbers_stay(english, chinese):
    """What a framework calls a key or a value is no word to translate."""
    names = set(re.findall(r"(?<![{.])\b[a-z]+(?:_[a-z]+)+\b(?![.}:])", english))
    assert {name for name in names if name not in chinese} == set()


def test_no_translation_is_left_of_a_text_that_is_gone():
    told = {text for rule in ALL for text in texts_of(rule)}
    told.update(text for name in NAMES for text in framework(name).parser_says.values())
    source = "\n".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "grpo_lint").rglob("*.py") if "chinese" not in path.parts
    )
    assert [text for text in TEMPLATES.keys() - told if text not in source] == []


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_examples_are_told_in_chinese(path):
    CHINESE.missing.clear()
    told = "".join(told_of(Text.from_bytes(path.read_bytes(), path.relative_to(ROOT).as_posix())))
    assert CHINESE.missing == set()
    if path.parent.parent.name == "examples":
        assert all(cells(line) <= 100 for line in told.splitlines())


@pytest.mark.slow
@pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.code)
def test_cases_and_pages_are_told_in_chinese(rule):
    CHINESE.missing.clear()
    page(rule, CHINESE)
    for case in cases_of(rule):
        list(told_of(Text(case.config, case.path)))
    assert CHINESE.missing == set()


def test_lines_end_between_characters_but_not_before_punctuation():
    lines = wrapped("每次 rollout 包含的补全数必须是组大小的整数倍，否则同一组的补全会被拆开。", 24)
    assert all(cells(line) <= 25 for line in lines) and len(lines) > 2
    assert not any(line[0] in "，。" for line in lines)
    assert "".join(lines).replace(" ", "") == "每次rollout包含的补全数必须是组大小的整数倍，否则同一组的补全会被拆开。"


BROKEN = """\
# grpo-lint: dialect=trl version=1.16.0 world-size=7
per_device_train_batch_size: 1
num_generations: 8
"""


def test_an_editor_whose_user_reads_chinese_is_told_in_it():
    session = Session()
    document = session.open("file:///a.yaml", "a.yaml", 1, BROKEN)
    client = Client(language=CHINESE)
    (found,) = diagnostics(document, session.report(document), "utf-16", client)
    assert found["message"].startswith("一次 rollout 有 7 条补全") and found["message"].endswith("不能被组大小 8 整除")
    told = hover(session.report(document), BROKEN.index("num_generations"), "utf-16", language=CHINESE)
    assert "一次 rollout 由完整的组构成。" in told["contents"]["value"]
    assert "会在构建配置时拒绝" in told["contents"]["value"]


@pytest.mark.parametrize("locale", ["zh-cn", "zh-CN", "zh-hans", "zh_CN.UTF-8", "zh", "en", "zh-tw", "", None])
def test_the_locale_of_an_editor(locale):
    chinese = (locale or "").lower().startswith(("zh-cn", "zh_cn", "zh-hans")) or locale == "zh"
    assert (client_of(types.ClientCapabilities(), "", locale).language is CHINESE) == chinese


def test_of_a_name_in_a_list_and_a_number_with_its_label():
    assert CHINESE.part("a, b and c", "names") == "a、b 和 c"
    assert CHINESE.part("num_generations 8 x (7 micro steps per rollout), at least 1", "arithmetic") == (
        "num_generations 8 x (rollout\xa0的微步数\xa07)，至少为 1"
    )
    assert CHINESE.text("set a to 1 and set b to 2 and remove c") == "将 a 设为 1，并将 b 设为 2，并去掉 c"


def test_a_rollout_without_updates_is_explained():
    text = "# grpo-lint: dialect=trl version=1.16.0 world-size=1\nnum_generations: 2\nsteps_per_generation: 0\n"
    assert "One rollout makes 0 completions" in " ".join(explanation(lint(Text(text, "a.yaml")), False, 100).split())
