"""Every format of every command, with values and names of a stranger: found by the tables of options, so that a new
format is tried too."""

import os
import re
import subprocess
from shlex import quote

import pytest

from conftest import comment
from grpo_lint.cli.main import main
from grpo_lint.cli.options import COMMANDS
from grpo_lint.report.printable import in_markdown, in_markdown_of_an_editor
from grpo_lint.source.shell_words import check_of, shell_word

pytestmark = pytest.mark.slow

CALLS = "@someone #12 !12 GH-12 %1 http://evil.example www.evil.example user@evil.example 0123456789abcdef0123456789abcdef01234567"
MARKS = ("$(touch pwned)", "`touch pwned`", "a;touch pwned;", "a'b\"c d&", "-x", "::error::x", "~x")
NAMES = ("".join(MARKS[:4]), "-x @someone #12 www.evil.example", "::error::x")
COMMANDS_OF_A_LOG = "'::error::x': '::error::x'\n'::stop-commands::x': 1\n"
HEAD = comment(dialect="trl", version="1.16.0", world_size=8)
GOOD = "per_device_train_batch_size: 4\nnum_generations: 8\n"
# What each command that has formats is asked about; `{name}` is a hostile file.
QUESTIONS = {
    "check": (["."],),
    "explain": (["{name}", "values.yaml"], [".", "--verbose"]),
    "upgrade": (["{name}", "values.yaml", "--to", "trl@1.0", "--from", "trl@0.18.2"],),
    "diff": (["{name}", "values.yaml"], ["old", "new", "--verbose"]),
    "plan": (["--dialect", "trl", "--gpus", "8", "--model={name}"], ["--dialect", "verl", "--gpus", "8", "--model={name}"],
             ["--from", "{name}", "--gpus", "16"]),
    "convert": (["{name}", "--to", "swift"], ["values.yaml", "--to", "verl"]),
    "sweep": (["sweep.yaml"],),
    "confirm": (["./{name}.log", "{name}"], ["--step-time", "9s", "{name}"]),
}  # fmt: skip


def formats():
    """(command, format, words) of all that can be asked for in a format."""
    for name, command in COMMANDS.items():
        options = {option.name: option for option in command.options()}
        if "--output-format" in options:
            for form in options["--output-format"].choices:
                yield from (
                    pytest.param(name, form, words, id=f"{name}-{form}-{words[0]}") for words in QUESTIONS[name]
                )


@pytest.fixture(params=NAMES)
def name(request, tmp_path, monkeypatch):
    """The name of a file; it and others hold what a service, a terminal or a shell would take for its own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    name = f"{request.param}.yaml"
    bad = HEAD + GOOD.replace("8", "6") + COMMANDS_OF_A_LOG
    values = "".join(f"{key}: '{CALLS}'\n" for key in ("run_name", "output_dir", "optim", "loss_type"))
    texts = {
        name: bad,
        "values.yaml": HEAD + GOOD + values + f"'{CALLS}': '{CALLS}'\n{COMMANDS_OF_A_LOG}",
        f"{name}.log": f"step:1 - critic/rewards/mean:0.5 - {CALLS}:1 - '::error::x':1\n::error::x\n",
        "sweep.yaml": bad.replace("6", "[6, 8]") + values + "'::error::x': [1, 2]\n",
    }
    for folder, size in (("old", "8"), ("new", "16")):
        (tmp_path / folder).mkdir()
        texts[f"{folder}/{name}"] = (
            HEAD
            + GOOD.replace("8", size)
            + f"run_name: '{folder} {CALLS}'\n'{folder} {CALLS}': 1\n'::error::{folder}': '::error::x'\n"
        )
    texts[f"new/x{name}"] = HEAD + GOOD + values
    for path, text in texts.items():
        (tmp_path / path).write_text(text)
    return name


@pytest.mark.parametrize(("command", "form", "words"), list(formats()))
def test_no_format_calls_leads_or_runs(name, capsys, command, form, words):
    asked = [f"./{name}" if word == "{name}" and name.startswith("-") else word.format(name=name) for word in words]
    assert main([command, *asked, "--output-format", form, "--color", "never"]) in (0, 1)
    output, errors = capsys.readouterr()
    assert output
    ours = ("::error ", "::warning ", "::notice ") if form == "github" else ()
    for line in (output + errors).splitlines():
        assert not line.lstrip().startswith("::") or line.startswith(ours), line
    if form == "markdown":
        assert list(calls(output)) == []
    for line in output.replace("\\n", "\n").splitlines():
        for suggested in re.findall("(?<!`)grpo-lint check .*", line if form in ("text", "full") else ""):
            assert runs_nothing(suggested), line
    if form == "command" and "--from" not in words:
        assert runs_nothing(output), output


def calls(markdown):
    """What a service would link in a document: references and addresses that stand in its text as they are."""
    ours = re.sub(r"\]\(https://[^)]*\)", "]", markdown)
    plain = re.sub(r"<code>[0-9a-f]*</code>|\\(?=[^\w\s])", "", ours)
    yield from re.findall(r"\b[0-9a-f]{40}\b|(?<!&)[@#]\w+|![0-9]+|\bGH-\d+|https?://\S+|\bwww\.\S+", plain)


def runs_nothing(command):
    """Whether bash, given a line, starts only programs that it names in its first word, and each gets its words."""
    programs = "grpo-lint accelerate python3 python swift megatron trl torchrun".split()
    stubs = "".join(f"function {program} {{ :; }}\n" for program in programs)
    done = subprocess.run(
        ["bash", "--norc", "-c", f"PATH=/nowhere\n{stubs}function touch {{ echo ran; }}\n{command}\n"],
        capture_output=True,
        text=True,
        env={"HOME": os.getcwd()},
    )
    return not done.stdout and not done.stderr


def test_every_command_with_formats_is_asked():
    assert {
        name for name, command in COMMANDS.items() if any(each.name == "--output-format" for each in command.options())
    } == set(QUESTIONS)


@pytest.mark.parametrize("path", [*MARKS, *NAMES, "a\nb", "\x1b[31m$(x)'", "é ü", "\u202e'x"])
def test_a_suggested_command_is_about_the_file(path):
    command = check_of(f"{path}.yaml")
    assert command.isprintable()
    told = subprocess.run(
        ["bash", "-c", f"function grpo-lint {{ printf '%s' \"$2\"; }}\n{command}"],
        capture_output=True,
        text=True,
        env={"LC_ALL": "C.UTF-8"},
    )
    assert told.stdout == (f"./{path}.yaml" if path.startswith(("-", "::")) else f"{path}.yaml")
    assert shell_word("plain/path-1.yaml") == "plain/path-1.yaml"


@pytest.mark.parametrize(
    "word", ["", "a", "a b", "it's", "''", "a=b,c", "~x", "$x", 'a"b', "ä", "1e-6", "*", "a/b.c:d@e%f+g"]
)
def test_a_word_is_quoted_as_python_quotes_it(word):
    assert shell_word(word) == quote(word)


def test_markdown_calls_nobody():
    assert list(calls(in_markdown(f"{CALLS} @_x a@b WWW.x.y"))) == []
    assert in_markdown("# a") == "\\# a" and in_markdown("1. a") == "1\\. a" and in_markdown("- a") == "\\- a"
    assert "://" not in in_markdown_of_an_editor("http://x") and "<" not in in_markdown_of_an_editor("@a #1 http://x")
