"""Everything that people read has a Chinese text, with the same numbers in it and the punctuation of Chinese."""

import ast
import os
import re
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.pofile import read_po
from lsprotocol import types

from grpo_lint.cli.console import speak
from grpo_lint.cli.help import help_of
from grpo_lint.cli.main import main
from grpo_lint.cli.options import COMMANDS
from grpo_lint.engine import lint
from grpo_lint.frameworks.all_rules import ALL
from grpo_lint.frameworks.registry import NAMES, framework
from grpo_lint.frameworks.shared.counterparts import FRAMEWORKS
from grpo_lint.lsp.client import Client, client_of
from grpo_lint.lsp.diagnostics import diagnostics
from grpo_lint.lsp.hover import hover
from grpo_lint.lsp.session import Session
from grpo_lint.message import Message, both, within
from grpo_lint.report.cases import cases_of
from grpo_lint.report.explain import explanation
from grpo_lint.report.rule_page import page
from grpo_lint.report.text import TextPrinter, cells, wrapped
from grpo_lint.report.totals import Totals
from grpo_lint.report.translation import CHINESE, _Part
from grpo_lint.source.text import Text
from translation.__main__ import LOCALE, compiled, merged, read, template
from translation.records import Template, Unknown, _templates_of

ROOT = Path(__file__).parent.parent
NAMES_OF_CATALOGUES = ["grpo_lint", "meanings"]
CATALOGUES = {name: LOCALE / f"zh_CN/LC_MESSAGES/{name}.po" for name in NAMES_OF_CATALOGUES}
WRITTEN = {name: read(path) for name, path in CATALOGUES.items()}
TRANSLATIONS = [
    (
        each.id if isinstance(each.id, str) else each.id[-1],
        each.string if isinstance(each.string, str) else each.string[0],
    )
    for catalogue in WRITTEN.values()
    for each in catalogue
    if each.id
]

GRAMMAR = {"are", "them"}  # values that only make English right
EXAMPLES = [
    path
    for folder in ("examples", "tests/golden", "tests/scripts", "tests/formats")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in (".yaml", ".sh", ".slurm")
]


def placeholders(template):
    """The names of a template with their attributes."""
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


@pytest.fixture(autouse=True)
def words(monkeypatch):
    """The sentences of ours that fill a Message without being one: they stay English, and nobody is told."""
    sentences = {english for english, chinese in TRANSLATIONS if english != chinese and english.count(" ") > 1}
    sentences -= {
        row.wording for name in NAMES for row in framework(name).refusals.enforcement.rows
    }  # these are quoted
    found = set()
    taken = _Part.__format__

    def noted(part, form):
        if type(part._value) is str and part._value in sentences:
            found.add(part._value)
        return taken(part, form)

    monkeypatch.setattr(_Part, "__format__", noted)
    yield found
    assert found == set()


def test_words_that_are_no_message_are_found(words):
    CHINESE.text(Message("{value}", {"value": "when the file is read"}))
    assert words == {"when the file is read"}
    words.clear()


# --- the catalogue --------------------------------------------------------------------------------------------------


def told(catalogue):
    """{message: translation} of a catalogue, each with its plural and its context."""
    return {(each.id, each.context): each.string for each in catalogue if each.id}


@pytest.mark.parametrize("name", NAMES_OF_CATALOGUES)
def test_each_message_has_a_translation_and_each_translation_a_message(name):
    """What is told is asked of the records: a sentence that has changed has none until somebody writes one."""
    written = WRITTEN[name]
    assert told(written) == told(merged(written))
    assert [message for message, chinese in told(written).items() if not "".join(chinese)] == []
    assert [each.id for each in written if each.fuzzy] == []
    assert told(read_po((LOCALE / f"{name}.pot").open("rb"))).keys() == told(template(name)).keys()


@pytest.mark.parametrize("name", NAMES_OF_CATALOGUES)
def test_what_gettext_loads_is_what_is_written(name):
    loaded, current = (
        GNUTranslations(BytesIO(data))._catalog
        for data in (CATALOGUES[name].with_suffix(".mo").read_bytes(), compiled(WRITTEN[name]))
    )
    assert {key: text for key, text in loaded.items() if key} == {key: text for key, text in current.items() if key}


def test_a_message_that_no_record_knows_is_refused():
    with pytest.raises(Unknown):
        list(_templates_of(ast.parse("Message(glued + words)").body[0].value))
    assert list(_templates_of(ast.parse('Message("{count} row", {}, "{count} rows", count)').body[0].value)) == [
        Template("{count} row", "{count} rows")
    ]


def test_a_message_without_a_translation_stays_english_and_is_noted():
    CHINESE.missing.clear()
    assert CHINESE.text(Message("no such {thing}", {"thing": "sentence"})) == "no such sentence"
    assert CHINESE.missing == {"no such {thing}"}
    CHINESE.missing.clear()


def test_values_are_translated_each_in_its_place():
    steps = both(["set", Message("when the file is read")])
    inner = Message("{count} row", {"count": "7"}, "{count} rows", 7)
    assert CHINESE.text(within(inner, steps)) == "7 行（set 和读取文件时）"
    assert within(inner, steps) == "7 rows (set and when the file is read)"


def test_placeholders_are_the_same():
    filled = [each for each in TRANSLATIONS if re.search(r"\{\w+(\.\w+)?\}", each[0])]
    assert [each for each in filled if placeholders(each[0]) != placeholders(each[1])] == []


def test_punctuation_is_chinese():
    ideograph = "[\u4e00-\u9fff]"
    wrong = f"{ideograph}[,;:?!](?!\\w)|{ideograph}\\.(\\s|$)"
    assert [chinese for _, chinese in TRANSLATIONS if re.search(wrong, chinese)] == []


def test_a_blank_stands_between_chinese_and_latin():
    wrong = "[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]"
    assert [chinese for _, chinese in TRANSLATIONS if re.search(wrong, chinese)] == []


def test_things_are_counted_with_their_usual_words():
    """One word for a thing on all pages; and nobody is spoken to, as in English."""
    wrong = r"(?<!整)个补全|[个块] ?[GN]PU|条提示|[您你]|小组大小|代码(?:仓)?库|数据并行组|在在|坏处"
    assert [chinese for _, chinese in TRANSLATIONS if re.search(wrong, chinese)] == []
    pages = {
        page: page.read_text(encoding="utf-8") for page in (*ROOT.glob("*.zh-CN.md"), *ROOT.glob("docs/**/*.zh-CN.md"))
    }
    assert [(page.name, found) for page, text in pages.items() for found in re.findall(wrong, text)] == []


def test_moments_fit_behind_their_preposition():
    """会在{when}拒绝"""
    moments = {
        row.moment for name in NAMES for row in framework(name).refusals.enforcement.rows if row.stage != "never"
    }
    assert [told for each in moments if (told := CHINESE.text(Message(each))).startswith("在")] == []


def test_no_blank_is_left_where_values_meet_words():
    inner = Message("{count} row", {"count": "7"}, "{count} rows", 7)
    assert CHINESE.text(Message("run on {counts}", {"counts": inner})) == "用 7 行运行"
    assert CHINESE.text(Message("run on {counts}", {"counts": "N"})) == "用 N 运行"


def test_names_of_settings_stay():
    """What a framework calls a key or a value is no word to translate."""
    name = r"(?<![{.])\b[a-z]+(?:_[a-z]+)+\b(?![.}:])"
    lost = {
        (each, chinese)
        for english, chinese in TRANSLATIONS
        for each in re.findall(name, english)
        if each not in chinese
    }
    assert lost == set()


# --- what is told of files ------------------------------------------------------------------------------------------


WORDINGS = "".join(
    (
        *(row.wording for name in NAMES for row in framework(name).refusals.enforcement.rows),
        *(rule.refused_by for rule in ALL),  # which quotes some
    )
)


def faults(told):
    """What of a Chinese text is no Chinese: blanks between characters, English words in formulas, sentences in English."""
    ours = re.sub(r"^ *\d* \|.*", "", told, flags=re.MULTILINE)  # without lines of the file
    return [
        *re.findall("[）。，：；”] [\u4e00-\u9fff]|[\u4e00-\u9fff] [（，。：；]", told),
        *re.findall("(?<!  )[\u4e00-\u9fff]+ [\u4e00-\u9fff]+", ours),
        *(
            name  # in a formula, and no setting
            for name in re.findall(r"[-=x/%+*(] ?([a-z]+(?: [a-z]+)+) [\d(]", ours)
            if name not in WORDINGS
        ),
    ]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_examples_are_told_in_chinese(path):
    CHINESE.missing.clear()
    told = "".join(told_of(Text.from_bytes(path.read_bytes(), path.relative_to(ROOT).as_posix())))
    assert CHINESE.missing == set() and faults(told) == []
    if path.parent.parent.name == "examples":
        assert all(cells(line) <= 100 for line in told.splitlines())


# What a page says in the words of a file or of a framework: code, links, tables of refusals, quotations.
QUOTED = re.compile(
    r"^```.*?^```$|^\|[^\n]*$|`` .*? ``|`[^`]*`|\[[^\]]*\]\([^)]*\)|GRPO\d+ [\w-]+|'[^'\n]*'", re.MULTILINE | re.DOTALL
)
SENTENCE = re.compile(r"[A-Za-z][a-z']+(?: [a-z']{2,}){3,}")


@pytest.mark.slow
@pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.code)
def test_cases_and_pages_are_told_in_chinese(rule):
    """No message is without a translation, none has English or stray blanks in it, and the page has no sentence in English."""
    CHINESE.missing.clear()
    shown = QUOTED.sub("C", page(rule, CHINESE))
    assert faults(shown) == []
    assert [each for each in SENTENCE.findall(shown) if each not in WORDINGS] == []
    for case in cases_of(rule):
        assert faults("".join(told_of(Text(case.config, case.path)))) == []
    assert CHINESE.missing == set()


# --- the commands besides check -------------------------------------------------------------------------------------

CONVERTED = ["good/swift-grpo.yaml", "good/trl-grpo-7-gpus.yaml", "good/megatron-gspo-8-gpus.yaml", "good/megatron-ray.yaml",
             "good/swift-grpo.sh", "good/trl-grpo-any-machine.yaml", "bad/swift-grpo-module.sh"]  # fmt: skip


def said(words, capsys):
    """(standard output, standard error) of a command in Chinese; what has no translation is in CHINESE.missing."""
    CHINESE.missing.clear()
    main([*words, "--lang", "zh-CN"])
    speak("")
    return capsys.readouterr()


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_chinese(name, capsys):
    printed = said([name, "--help"], capsys).out
    assert CHINESE.missing == set() and printed.startswith("用法：grpo-lint")
    english = help_of(name, COMMANDS[name].options())
    assert len(printed.splitlines()) == len(english.splitlines()), "one line for each of the English ones"


@pytest.mark.parametrize("target", FRAMEWORKS)
@pytest.mark.parametrize("example", CONVERTED)
def test_conversions_are_told_in_chinese(example, target, capsys):
    printed = said(["convert", str(ROOT / "examples" / example), "--to", target, "--world-size", "8"], capsys)
    assert CHINESE.missing == set()
    assert re.search("[\u4e00-\u9fff]", printed.err)


@pytest.mark.parametrize(
    "words",
    [
        "--dialect trl --gpus 8 --dataset-size 8001 --epochs 2",
        "--dialect megatron --gpus 16 --tp 2 --completions-per-update 256 --updates-per-rollout 1,2,4",
        "--dialect swift --gpus 8 --completions-per-update 100",
        "--dialect megatron --gpus 16 --tp 3",
        "--dialect trl --gpus 8 --tp 2",
        "--dialect verl --gpus 12",
        "--dialect easyr1 --gpus 1 --generations 7 --completions-per-update 8",
        *(
            f"--from {ROOT}/examples/good/{name} --gpus 16"
            for name in ("swift-grpo.yaml", "trl-grpo-7-gpus.yaml", "trl-grpo-any-machine.yaml")
        ),
        f"--from {ROOT}/examples/good/swift-grpo.sh --gpus 7 --line 9999",
        f"--from {ROOT}/mkdocs.yml --gpus 7",
    ],
    ids=lambda words: words[-40:],
)
def test_plans_are_told_in_chinese(words, capsys):
    printed = said(["plan", *words.split()], capsys)
    assert CHINESE.missing == set() and re.search("[\u4e00-\u9fff]", printed.out)


GRID = "method: grid\nparameters:\n  num_generations: {values: [4, 8, 7]}\n  per_device_train_batch_size: {values: [2, 3]}\n"


@pytest.mark.parametrize("words", [[], ["--world-size", "8"], ["--dialect", "trl"], ["--framework-version", "1.16"]])
def test_sweeps_are_told_in_chinese(words, tmp_path, capsys):
    more = "  world: {distribution: normal}\n  seed: {min: 1, max: 2}\n  lr: []\n  nothing: {a: 1}\n  no_such_key: {values: [1, 2]}\n"
    for number, text in enumerate(
        (GRID, GRID + more, "parameters:\n  seed: {values: [1]}\n", "parameters: {}\n", "a: [")
    ):
        (tmp_path / "grid.yaml").write_text(text)
        (tmp_path / "base.yaml").write_text("num_generations: 8\nper_device_train_batch_size: 2\nlearning_rate: -1.0\n")
        for base in ([], ["--config", str(tmp_path / "base.yaml")], ["--config", "nowhere.yaml"]):
            printed = said(["sweep", str(tmp_path / "grid.yaml"), *base, *words], capsys)
            assert CHINESE.missing == set(), number
            assert re.search("[\u4e00-\u9fff]", printed.out + printed.err), (number, base)


def test_wrong_facts_and_links_are_told_in_chinese(tmp_path, capsys):
    (tmp_path / ".git").mkdir()
    os.symlink("nowhere.yaml", tmp_path / "a.yaml")
    facts = "world-size=x dataset-size=-1 eval-dataset-size=-1 version=three versoin=3 algorithm=grop loader=mine"
    (tmp_path / "b.yaml").write_text(
        f"# grpo-lint: dialect=trl {facts}\nnum_generations: 8\nper_device_train_batch_size: 8\n"
    )
    printed = said(["check", str(tmp_path / "a.yaml"), str(tmp_path / "b.yaml")], capsys).out
    assert CHINESE.missing == set()
    assert "而后者不存在" in printed and "应为大于 0 的整数，而不是 'x'" in printed and "whole number" not in printed


def test_upgrades_are_told_in_chinese(tmp_path, capsys):
    (tmp_path / "requirements.txt").write_text("trl==0.17.0\n")
    (tmp_path / "trl.yaml").write_text(
        "# grpo-lint: dialect=trl world-size=8\nper_device_train_batch_size: 8\nnum_generations: 8\nmax_prompt_length: 7\nuse_vllm: true\n"
        "vllm_device: auto\ngradient_accumulation_steps: 2\n"
    )
    (tmp_path / "swift.yaml").write_text(
        "# grpo-lint: version=3.5.3 world-size=8\nrlhf_type: grpo\nmodel: m\nnum_generations: 8\ntrain_type: lora\n"
    )
    for words in (
        ["--to", "trl@1.16"],
        ["--to", "trl@1.16", "--pins"],
        ["--to", "swift@4.6", "--verbose"],
        ["--to", "trl@1.16", "--pin-defaults", "--verbose"],
    ):
        printed = said(["upgrade", str(tmp_path), *words], capsys)
        assert CHINESE.missing == set()
        assert re.search("[\u4e00-\u9fff]", printed.out)


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_differences_are_told_in_chinese(form, tmp_path, capsys):
    for name, size, more in (("a", 1, "beta: 0.04\n"), ("b", 4, "num_iterations: 2\nloss_type: bnpo\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.yaml").write_text(
            f"# grpo-lint: dialect=trl version={'0.20.0' if name == 'a' else '1.16.0'} world-size={8 * size}\nper_device_train_batch_size: {size}\n"
            f"num_generations: 8\n{more}"
        )
        (tmp_path / name / f"only-{name}.yaml").write_text(
            "# grpo-lint: version=4.6.0 world-size=3\nrlhf_type: grpo\nmodel: m\nnum_generations: 8\n"
        )
    printed = said(["diff", str(tmp_path / "a"), str(tmp_path / "b"), "--verbose", "--output-format", form], capsys)
    assert CHINESE.missing == set()
    assert "更新的补全数 8 -> 128" in printed.out.replace(" | ", " ").replace("8 128", "8 -> 128")


def test_nothing_is_chinese_unless_it_is_asked_for(capsys, monkeypatch):
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert main(["plan", "--dialect", "trl", "--gpus", "8"]) == 0 and capsys.readouterr().out.isascii()
    assert main(["convert"]) == 2 and capsys.readouterr().err.isascii()


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


def test_a_rollout_without_updates_is_explained():
    text = "# grpo-lint: dialect=trl version=1.16.0 world-size=1\nnum_generations: 2\nsteps_per_generation: 0\n"
    assert "One rollout makes 0 completions" in " ".join(explanation(lint(Text(text, "a.yaml")), False, 100).split())
