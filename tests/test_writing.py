"""What docs/writing.md asks of texts, as far as it can be tested."""

import re
from gettext import GNUTranslations
from pathlib import Path
from string import Formatter

import pytest

from grpo_lint.cli.help import help_of
from grpo_lint.cli.options import COMMANDS
from grpo_lint.engine import lint
from grpo_lint.frameworks.all_rules import ALL
from grpo_lint.frameworks.shared.meant import MOST_CHOICES, NEAREST
from grpo_lint.frameworks.shared.values import wrong_choice
from grpo_lint.source.text import Text

ROOT = Path(__file__).parent.parent
LONGEST = 100  # characters of a message, without the values and names of the file
NOT_USED = re.compile(
    r"\b(?:un)?told\b|\bstands?\b|\b(?:some|no)body\b|\bone's own\b|\bwithout a word\b|\b[Mm]end(?:s|ed)?\b|\blearnt\b|\bslip of the pen\b"
    r"|\bstrangers?\b"
)
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/*.md"),
        *ROOT.glob("docs/frameworks/*.md"),
        ROOT / "conformance/README.md",
    )
    if path.name != "writing.md"  # which lists the words
)


def written(template):
    """What of a template is always there, without names of settings."""
    literal = "".join(literal for literal, *_ in Formatter().parse(template))
    return re.sub(r"--[\w-]+|[\w.]*(?:_|\w\.\w)[\w.]*", "", literal)


def messages():
    """The templates of all that is said, in English."""
    for name in ("grpo_lint", "meanings"):
        with (ROOT / f"grpo_lint/locale/zh_CN/LC_MESSAGES/{name}.mo").open("rb") as file:
            for key in GNUTranslations(file)._catalog:
                yield (key if isinstance(key, str) else key[0]).rpartition("\x04")[2]


def test_messages_of_rules_are_short():
    templates = [(rule.code, text) for rule in ALL for text in (rule.message, *(text for _, text in rule.special))]
    assert [(code, text) for code, text in templates if len(written(text)) > LONGEST] == []


def test_words_of_the_style_guide_are_not_used():
    assert [text for text in messages() if NOT_USED.search(re.sub(r"\{[^{}]*\}", "", text))] == []


@pytest.mark.parametrize("page", PAGES)
def test_pages_do_not_use_them_either(page):
    names = r"`[^`]*`|\(.*?\.md.*?\)|\{[^{}]*\}|GRPO\d+ [\w-]+"  # code, links, rules by their names
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if NOT_USED.search(re.sub(names, "", line))] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_help_does_not_use_them_either(name):
    assert NOT_USED.findall(help_of(name, COMMANDS[name].options())) == []


@pytest.mark.parametrize("count", [MOST_CHOICES, MOST_CHOICES + 1])
def test_of_a_long_list_the_nearest_are_named(count):
    names = [f"{letter}_mode" for letter in "abcdefghijklmnopq"[:count]]
    told = wrong_choice("config", "m_mod", names).values["choices"]
    assert (
        told == ", ".join(names)
        if count == MOST_CHOICES
        else f"and {count - NEAREST} more (`grpo-lint schema` lists all)" in told
    )
    assert told.startswith("m_mode") or count == MOST_CHOICES


def test_a_common_slip_is_answered_in_one_line():
    text = "# grpo-lint: dialect=trl version=1.16.0 world-size=1\nper_device_train_batch_size: 8\nnum_generations: 8\noptim: adamw\n"
    (found,) = (finding for finding in lint(Text(text, "a.yaml")).findings if finding.severity == "error")
    assert found.values["choices"].startswith("adamw_torch") and found.values["choices"].count(",") == NEAREST - 1
