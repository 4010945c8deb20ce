"""The one door to files, folders and the environment: nothing that bears on a run goes past it."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from test_cache import SOURCE, here, write  # noqa: F401  `here` is a fixture

PACKAGE = SOURCE / "grpo_lint"
# The door itself; the cache, which is no input, and neither is the line that shows how far a run is; commands that are never replayed;
# what writes files, and says so; what only makes the documentation.
DOORS = ("disk.py", "cache.py", "start.py", "cli/progress.py", "lsp", "cli/init.py", "fixes/writing.py", "report/rule_page.py", "schema.py")
LOOKS = {
    "os": """open stat lstat fstat listdir scandir walk fwalk access readlink environ environb getenv get_terminal_size statvfs popen system
             getlogin getuid geteuid umask isatty""".split(),
    "os.path": "exists lexists isfile isdir islink ismount getsize getmtime getctime getatime realpath samefile expanduser expandvars".split(),
    "sys": ["stdin"],
}
MODULES = "pathlib glob shutil subprocess socket tempfile importlib pkgutil platform getpass locale time datetime random uuid".split()


def dotted(node):
    """The dotted name that an expression spells, or None."""
    if isinstance(node, ast.Name):
        return node.id
    outer = dotted(node.value) if isinstance(node, ast.Attribute) else None
    return outer and f"{outer}.{node.attr}"


def looks(tree):
    """(line, what) of each expression that looks at the world without the door."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            owner = dotted(node.value)
            if node.attr in LOOKS.get(owner, ()) or node.attr == "isatty":
                yield node.lineno, f"{owner}.{node.attr}"
        elif isinstance(node, ast.Call) and dotted(node.func) == "open":
            yield node.lineno, "open"
        elif isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names if alias.name.partition(".")[0] in MODULES)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            module = node.module or ""
            if module.partition(".")[0] in MODULES:
                yield node.lineno, module
            yield from ((node.lineno, alias.name) for alias in node.names if alias.name in LOOKS.get(module, ()))


def modules():
    """The modules that go through the door."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if not path.relative_to(PACKAGE).as_posix().startswith(DOORS):
            yield path


@pytest.mark.parametrize("path", list(modules()), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_no_module_goes_past_the_door(path):
    tree = ast.parse(path.read_text())
    writers = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and "disk.unrepeatable()" in ast.unparse(node)]
    inside = {line for node in writers for line in range(node.lineno, node.end_lineno + 1)}
    assert [(line, what) for line, what in looks(tree) if line not in inside] == []


def test_the_test_can_see():
    source = "import os, subprocess\nfrom os.path import exists\nopen('x')\nos.path.isdir('x')\nos.environ['x']\nsys.stdout.isatty()\n"
    assert [what for _, what in sorted(looks(ast.parse(source)))] == ["subprocess", "exists", "open", "os.path.isdir", "os.environ", "sys.stdout.isatty"]


PROBE = """
import json, os, sys
seen, looked = [], []
def audit(event, arguments):
    if event in ("open", "os.listdir", "os.scandir") and arguments and isinstance(arguments[0], (str, bytes)):
        frame, files = sys._getframe(1), []
        while frame:
            files.append(frame.f_code.co_filename)
            frame = frame.f_back
        if not any("importlib" in file or "zipimport" in file for file in files):
            looked.append(os.fsdecode(arguments[0]))
for name in ("stat", "lstat", "access", "readlink"):
    real = getattr(os, name)
    setattr(os, name, lambda path, *rest, real=real, **more: looked.append(os.fsdecode(path)) or real(path, *rest, **more))
sys.addaudithook(audit)
from grpo_lint import cache, start
cache._YOUNG = 0
observations = cache.Watch.observations
def keep(watch):
    found = [*looked]
    seen.extend(os.fsdecode(path) for _, path, _, _ in observations(watch) or ())
    looked[:] = found
    return None
cache.Watch.observations = keep
start._leave = lambda status: print(json.dumps([status, seen, looked]), file=sys.stderr)
sys.argv[1:] = sys.argv[2:]
start.console()
"""


def looked_at(*words):
    """(status, the paths that the watch was told of, the paths that the system was asked for) of a run in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    result = subprocess.run([sys.executable, "-c", PROBE, "", *words], capture_output=True, encoding="utf-8", env=environment)
    return json.loads(result.stderr.splitlines()[-1])


@pytest.mark.parametrize(
    "words",
    [["."], ["configs/b.yaml", "--output-format", "json"], ["a.yaml", "scripts", "--baseline", "known.json"], ["--show-settings", "configs/b.yaml"],
     [".", "--diff", "--unsafe-fixes"], [".", "--output-format", "sarif", "--world-size", "8"], ["--files-from", "list.txt", "--statistics"]],
    ids=" ".join,
)  # fmt: skip
def test_nothing_is_looked_at_unnoticed(here, words):  # noqa: F811
    write("pyproject.toml", '[tool.grpo-lint]\nfail-on = "error"\nbaseline = "known.json"\n')
    write("requirements.txt", "trl==1.16.0\n")
    write("known.json", '{"version": 1, "findings": []}\n')
    write("list.txt", "a.yaml\nconfigs\n")
    os.symlink("../a.yaml", "configs/link.yaml")
    status, seen, looked = looked_at(*words)
    assert status in (0, 1, 2) and len(seen) > 10
    seen, looked = ({Path(os.path.abspath(path)) for path in paths} for paths in (seen, looked))
    above = {folder for path in seen for folder in path.parents}  # looked at for links in the way to it
    assert {path for path in looked - seen - above if Path(os.environ["GRPO_LINT_CACHE_DIR"]) not in path.parents} == set()
    assert Path("zero.json").resolve() in looked or words[0] == "--show-settings"
