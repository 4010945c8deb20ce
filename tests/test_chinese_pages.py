"""The Chinese pages of the documentation: each page that users read has one, with the same commands and headings."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
USERS = ("index", "batch", "choosing", "explain", "scripts", "ci", "editors")  # pages of the first days with grpo-lint
CHINESE = sorted([*ROOT.glob("docs/**/*.zh-CN.md"), ROOT / "README.zh-CN.md"])
FENCED = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
IDEOGRAPH = "[\u4e00-\u9fff]"
# Names of things that have several English words.
NAMES = re.compile(
    r"`` .*? ``|`[^`]*`|\]\([^)]*\)|<!--.*?-->|https?://\S+|GRPO\d+ [\w-]+|Explain This Run|Open the Rule Page|Fix All in the Workspace"
    r"|Settings、Languages & Frameworks、Language Servers|Language Server Protocol|Shell Script"
)
ENGLISH = re.compile(r"[A-Za-z][a-z']+(?: [a-z']{2,}){2,}")


def parts(name):
    """The text of a page, and of its Chinese one."""
    return tuple((ROOT / f"docs/{name}{ending}.md").read_text(encoding="utf-8") for ending in ("", ".zh-CN"))


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


@pytest.mark.parametrize("name", USERS)
def test_headings_agree(name):
    english, chinese = (re.findall(r"^#+(?= )", FENCED.sub("", page), re.MULTILINE) for page in parts(name))
    assert english == chinese


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
