"""What docs/writing.md asks of texts, as far as it can be tested."""

import ast
import re
from gettext import GNUTranslations
from pathlib import Path
from string import Formatter

import pytest

from grpo_lint.cli.help import help_of
from grpo_lint.cli.options import COMMANDS
from grpo_lint.cli.subcommands import _package
from grpo_lint.engine import lint
from grpo_lint.frameworks.all_rules import ALL
from grpo_lint.frameworks.shared.meant import MOST_CHOICES, NEAREST
from grpo_lint.frameworks.shared.values import wrong_choice
from grpo_lint.launch.facts import FACTS
from grpo_lint.mcp import tools as mcp_tools
from grpo_lint.source.text import Text
from translation import records

ROOT = Path(__file__).parent.parent
LONGEST = 100  # characters of a message, without the values and names of the file; of a line of help
LONGEST_SENTENCE = 120  # of a note, a reason or an advice, without values and names
NOT_USED = re.compile(
    r"\b(?:un)?told\b|\b[Tt]ells?\b|\bstands?\b|\b(?:some|no)body\b|\bone's own\b|\bwithout a word\b|\b[Mm]end(?:s|ed)?\b|\blearnt\b|\bslip of the pen\b"
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
# Texts that people read and that are no Message.
FOR_USERS = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (
        *(
            ROOT / name
            for name in ("action.yml", ".pre-commit-hooks.yaml", "playground/index.html", "playground/playground.js")
        ),
        *(ROOT / f"editors/vscode/{name}" for name in ("package.json", "README.md")),
        *ROOT.glob("editors/vscode/src/*.ts"),
        *ROOT.glob("schemas/*.json"),
        *ROOT.glob("docs/rules/*.md"),
        *ROOT.glob("examples/**/*.yaml"),
        *ROOT.glob("examples/**/*.sh"),
    )
)


def written(template):
    """What of a template is always there, without names of settings and code."""
    literal = re.sub(r"\{[^{}]*\}|`[^`]*`", "", template)
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


def test_sentences_are_short():
    """Of all that is said: summaries, reasons, advice, notes, moments, purposes of commands, meanings of keys."""
    said = {template.singular for template in (*records.messages(), *records.sentences())}
    choices = ", ".join(FACTS["dialect"].choices)
    parts = [part for text in said for part in re.split(r"(?<=[.:;?!])\s+|\n+", text.replace(choices, ""))]
    assert [part for part in parts if len(written(part)) > LONGEST_SENTENCE] == []


def test_an_advice_names_what_is_to_be_set():
    """It is read without the sentence before it, and often without the page."""
    unclear = re.compile(r"^(Set|Give|Raise|Lower|Turn) it\b|in its range|^Set an? [a-z]+ that")
    assert [rule.code for rule in ALL if unclear.search(rule.instead)] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_lines_of_help_are_short(name):
    told = [(option.name, option.help) for option in COMMANDS[name].options()]
    assert [each for each in told if len(each[1]) > LONGEST] == []


def placeholders_without_values(tree):
    """(line, names) of the Messages in code whose template has a placeholder that their values do not fill."""
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        if not (isinstance(call.func, ast.Name) and call.func.id == "Message") or len(call.args) < 2:
            continue
        values, templates = call.args[1], [each for each in ast.walk(call.args[0]) if isinstance(each, ast.Constant)]
        if isinstance(values, ast.Dict) and all(isinstance(key, ast.Constant) for key in values.keys):
            needed = {
                name.partition(".")[0] for each in templates for _, name, _, _ in Formatter().parse(each.value) if name
            }
            if values.keys and (lost := needed - {key.value for key in values.keys}):
                yield call.lineno, lost


def test_each_placeholder_of_a_note_has_a_value():
    """Without one the note fails when it is made: in a file that no test has, perhaps."""
    sources = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(ROOT.glob("grpo_lint/**/*.py"))}
    assert {path.name: found for path, tree in sources.items() if (found := [*placeholders_without_values(tree)])} == {}
    assert [*placeholders_without_values(ast.parse('Message("{a} or {b}", {"a": 1})'))] == [(1, {"b"})]


def test_words_of_the_style_guide_are_not_used():
    assert [text for text in messages() if NOT_USED.search(re.sub(r"\{[^{}]*\}", "", text))] == []


@pytest.mark.parametrize("page", PAGES)
def test_pages_do_not_use_them_either(page):
    names = r"`[^`]*`|\(.*?\.md.*?\)|\{[^{}]*\}|GRPO\d+ [\w-]+"  # code, links, rules by their names
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if NOT_USED.search(re.sub(names, "", line))] == []


def literals(path):
    """(line, text) of the strings of Python code that are no docstrings and have more than a word."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = [node for node in ast.walk(tree) if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))]
    docstrings = {id(node.body[0].value) for node in documented if node.body and isinstance(node.body[0], ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            if " " in node.value:
                yield node.lineno, re.sub(r"\{[^{}]*\}", "", node.value)


def test_what_is_no_message_does_not_use_them_either():
    """Texts of the servers and of the command line that are glued, quoted or given to a library."""
    files = sorted(ROOT.glob("grpo_lint/**/*.py"))
    found = [(path.name, *each) for path in files for each in literals(path) if NOT_USED.search(each[1])]
    assert found == []


@pytest.mark.parametrize("name", FOR_USERS)
def test_files_for_users_do_not_use_them_either(name):
    """What an editor, an action, a playground, a hook or a schema shows: its strings, and the comments of examples."""
    text = (ROOT / name).read_text(encoding="utf-8")
    if name.endswith((".ts", ".js")):
        code = re.sub(r"/\*.*?\*/", "", re.sub(r"(?<!:)//.*", "", text), flags=re.DOTALL)
        shown = re.findall(r'"[^"\n]* [^"\n]*"|`[^`\n]* [^`\n]*`', code)
    else:
        shown = [re.sub(r"`[^`]*`", "", line) for line in text.splitlines()]
    names = re.compile(r"\$?\{[^{}]*\}|[a-z]+(?:-[a-z]+)+(?:\.md)?")  # values, and rules by their names
    assert [each for each in shown if NOT_USED.search(names.sub("", each))] == []


def test_tools_of_agents_do_not_use_them_either():
    """Their docstrings are what an agent reads."""
    tools = [each for each in vars(mcp_tools).values() if getattr(each, "__module__", "") == mcp_tools.__name__]
    assert [each.__name__ for each in tools if NOT_USED.search(getattr(each, "__doc__", None) or "")] == []


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


def test_pages_and_program_install_the_same_package():
    """No index has it: what a page advises and what the program advises is taken from the repository."""
    for extra, pages in (
        ("lsp", ("README.md", "docs/editors.md", "editors/vscode/README.md")),
        ("mcp", ("docs/agents.md",)),
    ):
        assert all(f"pip install {_package(extra)}" in (ROOT / page).read_text(encoding="utf-8") for page in pages)
    advised = re.compile(r"pip install (?:--upgrade )?'?grpo-lint(?!(?:\[\w+\])? @ git\+)[^\n]*")
    files = (*ROOT.glob("grpo_lint/**/*.py"), *ROOT.glob("docs/*.md"), *ROOT.glob("*.md"))
    assert [found for path in files for found in advised.findall(path.read_text(encoding="utf-8"))] == []
