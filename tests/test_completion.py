"""Shell completion: somebody types at the real shells, presses TAB and enter, and the command gets these words."""

import os
import pty
import re
import select
import shutil
import subprocess
import time

import pytest

from grpo_lint.cli import main as cli
from grpo_lint.cli.options import COMMANDS, SHELLS

PATIENCE = 30  # seconds until a shell that says nothing has failed the test
START = {
    "bash": ["bash", "--norc", "--noprofile", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
SET_UP = {
    "bash": "bind 'set enable-bracketed-paste off'; grpo-lint() { printf '<%s>' \"$@\"; echo .; }; source ./script",
    "zsh": "unsetopt zle_bracketed_paste; autoload -U compinit && compinit -u -D; grpo-lint() { printf '<%s>' $@; echo . }; source ./script",
    "fish": "function grpo-lint; printf '<%s>' $argv; echo .; end; source ./script",
}


@pytest.fixture(params=SHELLS)
def typed(request, tmp_path, capsys):
    """typed(keys) -> the words that grpo-lint was called with, once somebody has typed that into a fresh shell."""
    shell = request.param
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    assert cli.main(["completion", shell]) == 0
    (tmp_path / "script").write_text(capsys.readouterr().out)
    (tmp_path / "recipes").mkdir()
    (tmp_path / "recipes" / "unusual.yaml").touch()

    def typed(keys):
        terminal = Terminal(START[shell], tmp_path)
        try:
            terminal.type(SET_UP[shell] + "; echo rea''dy\r")
            terminal.wait_for("ready")
            terminal.type(f"grpo-lint {keys}")
            terminal.type("\r")
            return re.findall("<(.*?)>", terminal.wait_for(r"(?m)^(<.*>)\.")[1])
        finally:
            terminal.end()

    return typed


class Terminal:
    """A program that believes somebody sits before it."""

    def __init__(self, command, folder):
        self.process, self.screen = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(
                command[0],
                command,
                {"HOME": str(folder), "PATH": os.environ["PATH"], "TERM": "dumb", "PS1": "$ ", "COLUMNS": "300"},
            )
        self.seen = ""

    def type(self, keys):
        """Type slowly enough for a shell that looks at each TAB by itself."""
        for key in re.split("(\t)", keys):
            os.write(self.screen, key.encode())
            if key == "\t":
                self._settle()

    def _settle(self):
        while select.select([self.screen], [], [], 0.5)[0]:
            self.seen += os.read(self.screen, 65536).decode(errors="replace")

    def wait_for(self, pattern):
        """The match of a pattern in what the program shows, without the colours."""
        until = time.monotonic() + PATIENCE
        while True:
            shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()=>][0B]?", "", self.seen).replace("\r", "\n")
            if found := re.search(pattern, shown):
                self.seen = ""
                return found
            assert time.monotonic() < until and select.select([self.screen], [], [], PATIENCE)[0], shown
            self.seen += os.read(self.screen, 65536).decode(errors="replace")

    def end(self):
        os.close(self.screen)
        os.kill(self.process, 9)
        os.waitpid(self.process, 0)


@pytest.mark.parametrize(
    "keys, words",
    [
        ("--output-fo\tsar\t", "--output-format sarif"),
        ("--output-format=sar\t", "--output-format sarif"),
        ("expl\t--verb\t", "explain --verbose"),
        ("explain rec\tunu\t", "explain recipes/unusual.yaml"),
        ("rule GRPO203\t", "rule GRPO203"),
        ("rule rollout-holds-whole-g\t", "rule rollout-holds-whole-groups"),
        ("--select GRPO101,rollout-holds-whole-g\t", "--select GRPO101,rollout-holds-whole-groups"),
        ("schema mega\t", "schema megatron"),
    ],
)
def test_what_a_tab_completes(typed, keys, words):
    assert " ".join(typed(keys)).replace("=", " ") == words


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_option_can_be_completed(shell, capsys):
    assert cli.main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for name, command in COMMANDS.items():
        assert name in script
        for option in command.options():
            assert (f"-l {option.name[2:]} " if shell == "fish" else option.name) in script


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_valid(shell, capsys):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    cli.main(["completion", shell])
    checked = subprocess.run([shell, "-n"], input=capsys.readouterr().out, text=True, capture_output=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")
