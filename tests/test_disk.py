"""The one door to files, folders and the environment: nothing that bears on a run goes past it."""

import ast
from pathlib import Path

import pytest

import grpo_lint
from grpo_lint import check
from grpo_lint.cli.main import main
from grpo_lint.files import disk

PACKAGE = Path(grpo_lint.__file__).parent
# The door itself; the line that shows how far a run is, which is no input; what writes files; what only makes the
# documentation.
DOORS = (
    "files/disk.py",
    "shipped.py",  # finds the code of this package, as the import system does
    "cli/start.py",
    "cli/progress.py",
    "lsp",
    "cli/init.py",
    "cli/hook_entry.py",  # what pip recorded of this package
    "cli/plan.py",  # asks on a terminal
    "files/writing.py",
    "report/cases.py",
    "report/explain/html.py",
    "report/rule_page.py",
    "changes/revisions.py",  # runs git, for `diff` alone
    "changes/git_folder.py",  # copies what git is shown, without any link
    "_api.py",  # what a caller of Python asks for: the packages of its own environment
)
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
    assert list(looks(ast.parse(path.read_text()))) == []


def test_the_test_can_see():
    source = "import os, subprocess\nfrom os.path import exists\nopen('x')\nos.path.isdir('x')\nos.environ['x']\nsys.stdout.isatty()\n"
    assert [what for _, what in sorted(looks(ast.parse(source)))] == [
        "subprocess",
        "exists",
        "open",
        "os.path.isdir",
        "os.environ",
        "sys.stdout.isatty",
    ]


# --- without a repository -------------------------------------------------------------------------------------------


@pytest.fixture
def archive(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for folder in ("home/archive/recipes", "home/archive/scripts"):
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path / "home" / "archive"


def test_the_folder_that_looks_like_a_project_is_searched(archive):
    path = str(archive / "recipes" / "grpo.yaml")
    assert disk.project_of(path) is None
    (archive / "setup.py").write_text("")
    assert disk.project_of(path) == str(archive)


def test_the_folder_that_was_asked_for_is_searched(archive):
    path = str(archive / "recipes" / "grpo.yaml")
    disk.walk_is_asked_for(str(archive))
    assert disk.project_of(path) == str(archive)
    (archive / "recipes" / "requirements.txt").write_text("")
    assert disk.project_of(path) == str(archive)


def test_the_home_of_a_user_is_never_searched(archive):
    (archive.parent / "setup.py").write_text("")
    disk.walk_is_asked_for(str(archive.parent.parent))
    assert disk.project_of(str(archive / "recipes" / "grpo.yaml")) is None


def test_a_repository_goes_before_all_that(archive):
    (archive / ".git").mkdir()
    (archive / "recipes" / "setup.py").write_text("")
    assert disk.project_of(str(archive / "recipes" / "grpo.yaml")) == str(archive)
    assert list(disk.folders_up_to_root(str(archive / "recipes"))) == [str(archive / "recipes"), str(archive)]


SCRIPT = "accelerate launch --num_processes 3 train.py --config {}\n"
RUN = "# grpo-lint: dialect=trl version=1.16.0\nnum_generations: 8\nper_device_train_batch_size: 2\n"


@pytest.mark.parametrize(
    "ask", [lambda path: main(["check", path]), lambda path: check(path)], ids=["command", "program"]
)
def test_what_one_run_asks_for_says_nothing_about_the_next(ask, tmp_path, monkeypatch, capsys):
    """A file above the folder of another makes no checkout of all that is below it."""
    inner = tmp_path / "outer" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "outer" / "a.yaml").write_text(RUN)
    (tmp_path / "outer" / "start.sh").write_text(SCRIPT.format("inner/b.yaml"))
    (inner / "b.yaml").write_text(RUN)
    monkeypatch.chdir(inner)
    before = check("b.yaml").findings
    ask("../a.yaml")
    assert check("b.yaml").findings == before
    capsys.readouterr()
    main(["check", "b.yaml", "../a.yaml"])
    assert "a rollout of 6 completions" in capsys.readouterr().out, "unlike one run that asks for both"
