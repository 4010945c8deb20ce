"""The Chinese pages of the documentation: each page that users read has one, of the same parts: commands, headings, lists, tables, names, links."""

import re
from pathlib import Path

import pytest

from grpo_lint.frameworks.registry import NAMES as FRAMEWORKS

ROOT = Path(__file__).parent.parent
USERS = (
    "index",
    "batch",
    "choosing",
    "explain",
    "findings",
    "settings",
    "scripts",
    "ci",
    "editors",
    "memory",
    "before-a-run",
    "upgrade",
)  # of the first days with grpo-lint
CHINESE = sorted([*ROOT.glob("docs/**/*.zh-CN.md"), ROOT / "README.zh-CN.md"])
FENCED = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
IDEOGRAPH = "[\u4e00-\u9fff]"
# Names of things that have several English words.
NAMES = re.compile(
    r"`` .*? ``|`[^`]*`|\]\([^)]*\)|<!--.*?-->|https?://\S+|GRPO\d+ [\w-]+|Explain This Run|Open the Rule Page|Fix All in the Workspace"
    r"|Settings、Languages & Frameworks、Language Servers|Language Server Protocol|Shell Script"
)
ENGLISH = re.compile(r"[A-Za-z][a-z']+(?: [a-z']{2,}){2,}")
PAIRS = [*(f"docs/{name}" for name in USERS), *(f"docs/frameworks/{name}" for name in FRAMEWORKS), "README"]
# Names that only one of the two has, each with its reason.
OWN_NAMES = {
    "--lang zh-CN",  # how the output becomes Chinese
    "args: --world-size 8 --lang zh-CN",
    *("when", "fix", "何时", "修复"),  # what stands before a line of output
    *("# grpo-lint: ignore[GRPO203] reason", "# grpo-lint: ignore[GRPO203] 原因"),
    *(f"# grpo-lint: dialect={name}" for name in ("trl version=1.16.0 world-size=8", "swift version=4.6.0 world-size=8")),
    *("dp_size = processes / (tensor x pipeline x context)", "dp_size = 进程数 / (张量并行 x 流水线并行 x 上下文并行)"),
    *("rows / prompts_per_rollout x updates_per_rollout x epochs", "行数 / prompts_per_rollout x updates_per_rollout x epoch 数"),
}  # fmt: skip


def parts(name):
    """The text of a page, and of its Chinese one."""
    return tuple((ROOT / f"docs/{name}{ending}.md").read_text(encoding="utf-8") for ending in ("", ".zh-CN"))


def texts(pair):
    """An English page, and its Chinese one, without fenced code."""
    return tuple(FENCED.sub("", (ROOT / f"{pair}{ending}.md").read_text(encoding="utf-8")) for ending in ("", ".zh-CN"))


def sections(text):
    """For each heading its level, the items of its lists, and its tables: how many columns each row has."""
    return [
        (
            len(level),
            len(re.findall(r"^ *(?:\*|\d+\.) ", body, re.MULTILINE)),
            [
                [len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()]
                for table in re.findall(r"(?:^ *\|.*\n)+", body, re.MULTILINE)
            ],
        )
        for level, body in re.findall(r"^(#+) .*\n((?:(?!#+ ).*\n)*)", text + "\n", re.MULTILINE)
    ]


def names_in(text):
    """What a page says in the words of a program: `code`."""
    return {" ".join(found.split()) for found in re.findall(r"(?<!`)`([^`]+)`(?!`)", text)}


def links_in(text):
    """The pages and pictures that a page leads to, whatever the language."""
    return {target.replace(".zh-CN", "") for target in re.findall(r"\]\(([^)\s]+)\)", text)}


def prose(page):
    """A page without the blocks of code and what is indented as code."""
    return re.sub(r"^ {4}(?![ |*]).*$", "", FENCED.sub("", page.read_text(encoding="utf-8")), flags=re.MULTILINE)


@pytest.mark.parametrize("name", USERS)
def test_commands_are_the_same(name):
    english, chinese = (
        [text for kind, text in FENCED.findall(page) if kind != "text" and not (name == "index" and kind == "sh")]
        for page in parts(name)
    )
    assert english == chinese


@pytest.mark.parametrize("pair", PAIRS)
def test_headings_lists_and_tables_agree(pair):
    english, chinese = map(sections, texts(pair))
    assert len(english) > 1 and english == chinese


@pytest.mark.parametrize("pair", PAIRS)
def test_no_name_is_left_out_and_none_is_added(pair):
    """A sentence that only one of the pages has rarely has no key, option or command in it."""
    english, chinese = map(names_in, texts(pair))
    assert (english ^ chinese) - OWN_NAMES == set()


@pytest.mark.parametrize("pair", PAIRS)
def test_links_and_pictures_are_the_same(pair):
    english, chinese = map(links_in, texts(pair))
    assert english and english == chinese


@pytest.mark.parametrize("name", USERS)
def test_each_leads_to_the_other_and_is_in_the_navigation(name):
    english, chinese = parts(name)
    assert f"[简体中文]({name}.zh-CN.md)" in english and f"[English]({name}.md)" in chinese
    assert f": {name}.zh-CN.md\n" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


def test_each_framework_has_a_chinese_page_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in (ROOT / "docs/frameworks").glob("*.md"):
        assert f": frameworks/{page.name}\n" in navigation
        assert page.with_name(page.name.partition(".")[0] + ".zh-CN.md").exists()


@pytest.mark.parametrize("page", CHINESE, ids=lambda page: page.name)
def test_no_blank_comes_between_chinese_and_chinese(page):
    """A line that ends within a paragraph is a blank where the page is shown."""
    text = prose(page)
    assert re.findall(f"{IDEOGRAPH}[，。：；、）”]?\n *{IDEOGRAPH}.*", text) == []
    assert re.findall(f"{IDEOGRAPH} +{IDEOGRAPH}.*|[，。：；、（] +{IDEOGRAPH}.*", text) == []


@pytest.mark.parametrize("page", CHINESE, ids=lambda page: page.name)
def test_no_english_sentence_is_left(page):
    assert [found[0] for found in ENGLISH.finditer(NAMES.sub(" ", prose(page)))] == []
