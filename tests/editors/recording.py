"""A recording of a real session at the command line: each command is run in a terminal of its own, its screen is a scene.

python tests/editors/recording.py docs/session.svg
"""

import os
import sys
import tempfile
from pathlib import Path

from screen_svg import animated
from terminal import Terminal

EXAMPLE = Path(__file__).parents[2] / "examples" / "bad" / "trl-grpo-7-gpus.yaml"
# (words of the command, seconds that it takes to read what it prints, whether the screen is cleared before)
COMMANDS = [
    (["check", EXAMPLE.name], 9, True),
    (["check", "--fix", "--unsafe-fixes", EXAMPLE.name], 5, False),
    (["explain", EXAMPLE.name], 10, True),
]
TITLE = "grpo-lint finds a batch that does not hold whole groups, corrects it, and explains the run"
COLUMNS, LINES = 100, 200  # of the terminal: as many lines that nothing is scrolled away
ROWS = 34  # that are shown


def session(folder):
    """The screens of the commands, one after the other on the same file: [(screen, seconds)]."""
    (folder / EXAMPLE.name).write_bytes(EXAMPLE.read_bytes())
    scenes, before = [], b""
    for words, seconds, is_cleared in COMMANDS:
        terminal = _run(folder, words, b"" if is_cleared else before + b"\r\n")
        scenes.append((terminal.screen, seconds))
        before = terminal.shown
    return scenes


def _run(folder, words, before):
    """The terminal in which a command has run, below what was shown there before."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C.UTF-8"}
    terminal = Terminal([sys.executable, "-I", "-m", "grpo_lint", *words], folder, environment, LINES, COLUMNS)
    terminal.show(before + f"\x1b[1m$ grpo-lint {' '.join(words)}\x1b[m\r\n".encode())  # as it would be typed
    terminal.wait_for_end()
    return terminal


def recorded():
    """The SVG of the session."""
    with tempfile.TemporaryDirectory() as folder:
        return animated(TITLE, session(Path(folder)), ROWS)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(recorded(), encoding="utf-8")
