"""Real editors, without a screen: diagnostics, hover, a fix applied to the buffer, everything fixed, and a clean end.

They are skipped where the editor is not installed; continuous integration installs them.
"""

import json
import os
import shutil
import subprocess
import sys
from glob import glob
from pathlib import Path

import pytest

from grpo_lint.lsp.settings import read_settings

HERE = Path(__file__).parent
BAD = """\
# grpo-lint: dialect=trl version=1.16.0 world-size=7
learning_rate: 1.0e-6
num_generations: 8
per_device_train_batch_size: 1
gradient_accumulation_steps: 4
"""
FIXED = BAD.replace("steps: 4", "steps: 8")
SPELT = "# grpo-lint: version=4.6.0 world-size=8\nrlhf_type: grpo\nnum_generations: 8\nper_device_train_batch_size: 8\nnum_iterations: 2\n"


def neovim():
    return ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "config.yaml", "-c", f"luafile {HERE / 'neovim.lua'}"]


def emacs():
    """Emacs in batch; before 29 eglot is a package, whose folders -Q hides."""
    folders = [folder for name in ("eglot", "project", "xref", "seq") for folder in glob(f"/usr/share/emacs/site-lisp/elpa/{name}-[0-9]*")]
    return ["emacs", "-Q", "--batch", *(word for folder in folders for word in ("-L", folder)), "-l", str(HERE / "emacs.el")]


EDITORS = {"nvim": neovim, "emacs": emacs}


@pytest.mark.parametrize("editor", [
    pytest.param(name, marks=pytest.mark.skipif(shutil.which(name) is None, reason=f"{name} is not installed")) for name in EDITORS
])  # fmt: skip
def test_an_editor_shows_explains_and_fixes(editor, tmp_path):
    (tmp_path / "config.yaml").write_text(BAD)
    environment = {**os.environ, "GRPO_LINT_PYTHON": sys.executable, "HOME": str(tmp_path), "TERM": "dumb"}
    done = subprocess.run(EDITORS[editor](), cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", timeout=120)
    said = dict(line.split("\t", 1) for line in done.stdout.splitlines() if "\t" in line)
    said = {label: json.loads(value) for label, value in said.items()}
    assert "stopped" in said, done.stdout + done.stderr
    ((row, *words),) = said["diagnostics"]
    assert row == 2 and "GRPO203" in json.dumps(words)
    assert "= 28 completions = 3.5 prompts of 8" in said["hover"].replace("**", "")  # Emacs without markdown-mode shows no Markdown
    assert said["actions"][0].startswith("Set gradient_accumulation_steps to 8")
    assert text(said["buffer"]) == FIXED
    assert said["after"] == 0
    assert text(said["fixed"]) == SPELT
    assert said["stopped"] is True


def text(buffer):
    return buffer if isinstance(buffer, str) else "".join(line + "\n" for line in buffer)


def test_every_setting_of_the_extension_is_one_of_the_server():
    declared = json.loads((HERE.parents[1] / "editors" / "vscode" / "package.json").read_text())["contributes"]["configuration"]["properties"]
    values = {name.split(".")[1]: described["default"] for name, described in declared.items()}
    values |= {"version": "1.16.0", "worldSize": 8, "datasetSize": 8000}
    settings = read_settings(values)
    assert settings.problems == [] and settings.facts.keys() == {"version", "world-size", "dataset-size"}
