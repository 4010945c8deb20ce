"""Progress: on a terminal only, after a while, and nothing of it is left."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

import grpo_lint

SOURCE = Path(grpo_lint.__file__).parents[1]
TEXT = "# grpo-lint: version=1.16.0 world-size=8\nper_device_train_batch_size: 8\nnum_generations: {}\n"
# A command line whose files take their time.
SLOW = """
import sys, time
from grpo_lint.cli import main as cli; from grpo_lint import engine
from grpo_lint.cli import progress
progress.PATIENCE = {patience}
read = engine.read
engine.read = lambda *words: time.sleep({pause}) or read(*words)
sys.exit(cli.main(sys.argv[1:]))
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number in range(4):
        (tmp_path / f"实验-{number}.yaml").write_text(TEXT.format(7 if number == 2 else 8))
    return tmp_path


def run(*words, pause=0.6, patience=1.0, **environment):
    """(exit status, standard output, what the terminal behind standard error got)."""
    screen, terminal = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "TERM": "xterm", "PYTHONUTF8": "1", **environment}
    command = [sys.executable, "-c", SLOW.format(pause=pause, patience=patience), *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal, env=environment) as process:
        os.close(terminal)
        seen = b""
        try:
            while piece := os.read(screen, 65536):
                seen += piece
        except OSError:  # the other end is closed
            pass
        out = process.stdout.read()
    os.close(screen)
    return process.returncode, out.decode(), seen.decode()


def test_a_long_run_says_how_far_it_is(folder):
    status, out, seen = run("--output-format", "concise")
    assert status == 1
    assert out == run("--output-format", "concise", pause=0)[1]
    assert "grpo-lint: 2 files, 实验-1.yaml" in seen
    lines = seen.replace("\x1b[K", "").split("\r")
    assert all(line == "" or line.startswith("grpo-lint: ") for line in lines)
    assert seen.endswith("\r\x1b[K")  # the line is empty again


def test_one_slow_file_is_told_as_well(folder):
    assert "grpo-lint: 1 file, 实验-1.yaml" in run("实验-1.yaml", pause=2)[2]


def test_a_short_run_says_nothing(folder):
    assert run(patience=600)[2] == ""


@pytest.mark.parametrize("words, environment", [(["-q"], {}), ([], {"TERM": "dumb"})])
def test_who_wants_no_progress_gets_none(folder, words, environment):
    assert run(*words, **environment)[2] == ""


def test_notes_stand_on_lines_of_their_own(folder):
    (folder / "pyproject.toml").write_text("[tool.grpo-lint]\nworldsize = 8\n")
    (folder / "later").mkdir()
    (folder / "later" / "pyproject.toml").write_text("[tool.grpo-lint]\nsize = 8\n")
    (folder / "later" / "a.yaml").write_text(TEXT.format(8))
    status, _, seen = run()
    assert status == 2
    # what a terminal shows at the end: each line as it was written last
    shown = [line.rpartition("\r\x1b[K")[2].rstrip("\r") for line in seen.split("\r\n")]
    assert [line.partition(": ")[0] for line in shown if line] == ["grpo-lint", "grpo-lint"]
    assert "later" in shown[1]


def test_a_pipe_gets_nothing(folder):
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run(
        [sys.executable, "-c", SLOW.format(pause=0.6, patience=1.0)], capture_output=True, env=environment, check=False
    )
    assert (done.returncode, done.stderr) == (1, b"")
