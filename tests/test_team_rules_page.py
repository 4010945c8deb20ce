"""docs/team-rules.md: its settings, files and commands do what it says, one after the other.

UPDATE_GOLDEN=1 in the environment writes the output of the commands again.
"""

import os
import re
import shlex
from pathlib import Path

import pytest

from grpo_lint.cli import main as cli
from grpo_lint.launch import pins
from grpo_lint.settings import files as settings

PAGE = Path(__file__).parents[1] / "docs" / "team-rules.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILES = {"toml": "grpo-lint.toml", "yaml": "run.yaml", "sh": "train.sh", "python": "team_rules.py"}


@pytest.fixture
def shown(tmp_path, monkeypatch, capsys):
    """A function that gives the blocks of the page as they are when their commands are run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    (tmp_path / ".git").mkdir()

    def run(line):
        settings.forget()
        pins.forget()
        assert cli.main(shlex.split(line.removeprefix("$ grpo-lint "))) in (0, 1, 2)
        out, err = capsys.readouterr()
        return f"{line}\n{out}{err}".rstrip() + "\n"

    def block(kind, text):
        if kind != "console":
            Path(FILES[kind]).write_text(text, encoding="utf-8")
            return text
        return "".join(run(line) for line in text.splitlines() if line.startswith("$ "))

    return block


def test_every_command_prints_what_the_page_shows(shown):
    page = PAGE.read_text(encoding="utf-8")
    assert "```console\n" in page
    now = BLOCK.sub(lambda block: f"```{block[1]}\n{shown(block[1], block[2])}```", page)
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(now, encoding="utf-8")
    assert now == page
