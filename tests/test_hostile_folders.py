"""A stranger's folder as the working directory: nothing in it is imported, whichever way of those that are written down
starts us.

Done with every Python of PATH that we support, each with an environment of its own into which the wheel is installed.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from traps import MODULES, Traps

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
BAD = "# grpo-lint: dialect=trl version=1.16.0 world-size=1\nnum_iteratons: 2\nper_device_train_batch_size: 4\nnum_generations: 8\n"


# --- what is written down -------------------------------------------------------------------------------------------

PAGES = [
    *(
        ROOT / name
        for name in (
            "README.md",
            "action.yml",
            ".pre-commit-hooks.yaml",
            "editors/vscode/README.md",
            "editors/vscode/package.json",
        )
    ),
    *(ROOT / "docs").glob("*.md"),
    *(ROOT / "editors/vscode/src").glob("*.ts"),
    *(ROOT / "grpo_lint/cli").glob("*.py"),  # scripts for shells, hints what to install, the hook's entry
]
OF_EDITORS = [
    block
    for block in re.findall(
        r"^```(?:lua|elisp|vim|toml)\n(.*?)^```$",
        (ROOT / "docs/editors.md").read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    if "grpo-lint" in block
]


def start_of_vscode():
    """What the extension puts behind an interpreter."""
    text = (ROOT / "editors/vscode/src/command.ts").read_text(encoding="utf-8")
    (words,) = re.findall(r"return \{ command: python, args: \[(.*?)\]", text)
    constants = {
        name: told for name, _, told in re.findall(r"""^const (\w+) = (["'`])(.*)\2;(?: //.*)?$""", text, re.MULTILINE)
    }
    filled = {name: re.sub(r"\$\{(\w+)\}", lambda of: constants[of[1]], told) for name, told in constants.items()}
    return [filled[word] if word in filled else json.loads(word) for word in words.split(", ")]


def starts_by_module():
    """[(page, options)] of every `python OPTIONS -m grpo_lint` of the pages, however it is written."""
    start = re.compile(r"""((?:-\w+["',\s]+)*)-m["',\s]+grpo_lint(?![.\w])""")
    return [
        (page.name, re.findall(r"-\w+", options))
        for page in PAGES
        for options in start.findall(page.read_text(encoding="utf-8"))
    ]


def test_a_start_by_module_is_isolated():
    """Without -I a folder grpo_lint/ of the stranger runs before any line of ours."""
    found = starts_by_module()
    assert found and [page for page, options in found if "-I" not in options] == []


def test_the_extension_starts_in_isolation():
    assert start_of_vscode()[0] == "-I"


def test_editors_start_the_program():
    assert len(OF_EDITORS) == 7
    for block in OF_EDITORS:
        quoted = re.findall(r"""["']([^"'\n]*)["']""", block)
        assert "grpo-lint" in quoted and any(word.split()[-1:] == ["server"] for word in quoted), block
        assert not re.search(r"python\S* +-|-m\b", block), block


def test_the_hooks_start_the_program():
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")):
        assert (hook["language"], hook["entry"].split()[0]) == ("python", "grpo-lint")


def test_modules_that_are_run_elsewhere_are_isolated_as_well():
    """`python -m venv`, `python -m pip`: in the checkout that is to be linted they import what lies there."""
    for page in (ROOT / "action.yml", ROOT / "docs/ci.md"):
        assert re.findall(r"python3?(?! -I)(?: -\w+)* -m", page.read_text(encoding="utf-8")) == []


# --- what they do ---------------------------------------------------------------------------------------------------


def interpreters():
    """{version: program} of this Python, and of the others that PATH has and that run."""
    found = {f"{sys.version_info[0]}.{sys.version_info[1]}": sys.executable}
    for minor in range(10, 20):
        try:
            told = subprocess.run(
                [f"python3.{minor}", "-I", "-c", "import sys; print(sys.executable)"],
                capture_output=True,
                encoding="utf-8",
            )
        except OSError:
            continue
        if told.returncode == 0:
            found.setdefault(f"3.{minor}", told.stdout.strip())
    return found


INTERPRETERS = interpreters()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT], folder)
    (path,) = folder.iterdir()
    return path


@pytest.fixture(scope="module", params=INTERPRETERS)
def programs(request, wheel, tmp_path_factory):
    """The folder with `python` and `grpo-lint` of an environment."""
    folder = tmp_path_factory.mktemp("environment")
    run([INTERPRETERS[request.param], "-I", "-m", "venv", folder], folder)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    run([programs / "python", "-I", "-m", "pip", "install", "--quiet", f"{wheel}[lsp]"], folder)
    return programs


@pytest.fixture
def workspace(tmp_path):
    """A folder with a config, around which traps are put."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "config.yaml").write_text(BAD)
    return Traps(folder, tmp_path / "sprung")


ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def run(words, folder):
    ended = subprocess.run(
        [str(word) for word in words], cwd=folder, env=ENVIRONMENT, capture_output=True, encoding="utf-8"
    )
    assert ended.returncode in (0, 1) and "Traceback" not in ended.stderr, ended.stdout + ended.stderr
    return ended


COMMANDS = {
    "check config.yaml": "error[GRPO203]",
    "check --output-format json .": '"code": "GRPO203"',
    "check --output-format sarif .": "GRPO203",
    "check --output-format junit .": "GRPO203",
    "check --fix --unsafe-fixes config.yaml": "2 fixed",
    "check --diff --unsafe-fixes .": "+++",
    "explain config.yaml": "completions per rollout",
    "rule GRPO203": "rollout-holds-whole-groups",
    "schema trl@1.16.0": '"$schema"',
    "completion bash": "complete",
    "init --yes": "grpo-lint",
}


def use_all_commands(start, folder):
    for command, expected in COMMANDS.items():
        (folder / "config.yaml").write_text(BAD)
        said = run([*start, *shlex.split(command)], folder)
        assert expected in said.stdout + said.stderr, (command, said.stdout, said.stderr)


# The server is pulled from only by clients that it can tell to pull again.
PULLING = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}


def talk(start, folder):
    """A session with the server that asks for whatever it loads only when it is asked."""
    uri = (folder / "config.yaml").as_uri()
    here = {"textDocument": {"uri": uri}}
    place = {**here, "position": {"line": 2, "character": 3}}
    whole = {**here, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 4, "character": 0}}}
    messages = [
        (
            "initialize",
            {"processId": None, "rootUri": folder.as_uri(), "capabilities": PULLING},
        ),
        ("initialized", {}),
        ("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "yaml", "version": 1, "text": BAD}}),
        ("textDocument/diagnostic", here),
        ("textDocument/hover", place),
        ("textDocument/completion", place),
        ("textDocument/inlayHint", whole),
        ("textDocument/codeLens", here),
        ("textDocument/documentSymbol", here),
        ("textDocument/codeAction", {**whole, "context": {"diagnostics": []}}),
        ("workspace/executeCommand", {"command": "grpo-lint.plan", "arguments": [{"uri": uri}]}),
        ("shutdown", None),
        ("exit", None),
    ]
    with subprocess.Popen(
        [str(word) for word in start], cwd=folder, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        answers = {}
        for number, (method, params) in enumerate(messages):
            is_asked = method not in ("initialized", "textDocument/didOpen", "exit")
            frame = json.dumps(
                {"jsonrpc": "2.0", "method": method, "params": params, **({"id": number} if is_asked else {})}
            )
            server.stdin.write(f"Content-Length: {len(frame)}\r\n\r\n{frame}".encode())
            server.stdin.flush()
            while is_asked and number not in answers:
                message = next_message(server.stdout)
                if "method" not in message:
                    answers[message["id"]] = message["result"]
    assert server.returncode == 0
    assert "GRPO203" in str(answers[3]) and "beta" in str(answers[5]) and "completions per rollout" in answers[10]


def next_message(stream):
    length = 0
    while line := stream.readline().strip():
        name, _, value = line.partition(b":")
        if name == b"Content-Length":
            length = int(value)
    return json.loads(stream.read(length))


def test_the_program_imports_nothing_from_there(programs, workspace):
    workspace.modules().package("grpo_lint")
    talk([programs / "grpo-lint", "server"], workspace.folder)
    use_all_commands([programs / "grpo-lint"], workspace.folder)
    assert workspace.sprung == []


def test_an_isolated_start_imports_nothing_from_there(programs, workspace):
    workspace.modules().package("grpo_lint")
    for start in (["-I", "-m", "grpo_lint", "server"], start_of_vscode()):
        run([programs / "python", *start[:-1], "check", "--exit-zero", "."], workspace.folder)
        talk([programs / "python", *start], workspace.folder)
    assert workspace.sprung == []


def test_a_start_by_module_imports_nothing_from_there(programs, workspace):
    """Nothing, that is, but what Python itself imports in order to find us."""
    (workspace.folder / "probe.py").write_text("import sys; print(*sys.modules)")
    before = run([programs / "python", "-m", "probe"], workspace.folder).stdout.split()
    workspace.modules(set(MODULES) - set(before))
    assert {"yaml", "pygls", "typing", "json", "re", "sitecustomize"} <= {
        path.stem for path in workspace.folder.iterdir()
    }
    talk([programs / "python", "-m", "grpo_lint", "server"], workspace.folder)
    use_all_commands([programs / "python", "-m", "grpo_lint"], workspace.folder)
    assert workspace.sprung == []


@pytest.mark.parametrize("option, left", [("-B", 0), ("-I", 1)])
def test_only_what_python_puts_first_for_a_module_goes(programs, tmp_path, option, left):
    """With -I it puts nothing there: an equal entry is the user's own."""
    code = f"""
import os, runpy, sys
sys.path.insert(0, {str(tmp_path)!r})
sys.argv[1:] = ["--version"]
os._exit = lambda status: print(sys.path.count(os.getcwd()))
runpy.run_module("grpo_lint", run_name="__main__")
"""
    assert run([programs / "python", option, "-c", code], tmp_path).stdout.split()[-1] == str(left)


def test_a_working_directory_that_is_gone_is_no_failure(programs, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    said = run(["sh", "-c", 'rmdir "$1"; "$0" -m grpo_lint --version', programs / "python", gone], gone)
    assert said.stdout.startswith("grpo-lint ")


def test_the_traps_work(programs, workspace):
    """What is looked for in the working directory is found there, and told."""
    workspace.modules(["yaml", "grpo_lint"])
    run([programs / "python", "-c", "import yaml"], workspace.folder)
    assert workspace.sprung == ["yaml"]
