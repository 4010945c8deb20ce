"""What is shipped: the sdist and the wheel build, hold what they should, and the wheel works in an empty environment."""

import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from grpo_lint import __version__

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


def run(*command, folder=None, check=True):
    ended = subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert not check or ended.returncode == 0, ended.stdout
    return ended


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder with both distributions. `build` makes the wheel from the sdist, so the sdist is complete, too."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT))
    return folder


def test_building_again_gives_the_same_bytes(built, tmp_path):
    run(sys.executable, "-m", "build", "--outdir", str(tmp_path), str(ROOT))
    first = {path.name: path.read_bytes() for path in built.iterdir() if path.is_file()}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == first


@pytest.fixture(scope="module")
def wheel(built):
    return next(built.glob("*.whl"))


@pytest.fixture(scope="module")
def wheel_names(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


@pytest.fixture(scope="module")
def sdist_names(built):
    """The files of the sdist, without its top folder."""
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The programs of an environment that holds the wheel and what it asks for, nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
    run(str(programs / "python"), "-m", "pip", "install", "--quiet", str(wheel))
    return programs


def test_the_version_is_that_of_the_package(built):
    assert {path.name for path in built.iterdir()} == {
        f"grpo_lint-{__version__}.tar.gz",
        f"grpo_lint-{__version__}-py3-none-any.whl",
    }


def test_the_wheel_holds_the_package_and_nothing_else(wheel_names):
    assert {name.split("/")[0] for name in wheel_names} == {"grpo_lint", f"grpo_lint-{__version__}.dist-info"}
    assert not [name for name in wheel_names if any(part.startswith("test") for part in name.split("/"))]


def test_the_wheel_holds_every_module(wheel_names):
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "grpo_lint").rglob("*.py")}
    assert modules == {name for name in wheel_names if name.endswith(".py")}


def test_the_sdist_holds_what_a_contributor_needs(sdist_names):
    wanted = {
        "README.md",
        "LICENSE",
        ".pre-commit-hooks.yaml",
        "benchmarks/start_up.py",
        "tests/conftest.py",
        "tests/test_packaging.py",
    }
    for folder in ("examples", "tests"):
        wanted |= {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*.yaml")}
    assert wanted <= sdist_names


def test_the_sdist_holds_nothing_that_was_made_on_the_way(sdist_names):
    assert not [name for name in sdist_names if name.endswith(".pyc") or "__pycache__" in name or ".venv" in name]


@pytest.mark.parametrize("command", [["grpo-lint"], ["python", "-m", "grpo_lint"]], ids=" ".join)
class TestInstalled:
    def test_says_its_version(self, installed, command, tmp_path):
        assert self.run(installed, command, tmp_path, "--version").stdout.startswith(f"grpo-lint {__version__}\n")

    def test_passes_a_good_file(self, installed, command, tmp_path):
        ended = self.run(installed, command, tmp_path, str(ROOT / "examples/good/trl-grpo-7-gpus.yaml"))
        assert ended.returncode == 0 and "no problems in 1 file" in ended.stdout

    def test_refuses_a_bad_file(self, installed, command, tmp_path):
        ended = self.run(installed, command, tmp_path, str(ROOT / "examples/bad/trl-grpo-7-gpus.yaml"))
        assert ended.returncode == 1 and "error[GRPO203]" in ended.stdout

    def run(self, programs, command, folder, *words):
        return run(str(programs / command[0]), *command[1:], *words, folder=folder, check=False)


def test_a_start_reads_the_code_that_the_wheel_brings_along(installed, tmp_path):
    program = "from grpo_lint import shipped; shipped.use(); import grpo_lint.cli.check as check; print(type(check.__spec__.loader).__name__)"
    assert run(str(installed / "python"), "-c", program, folder=tmp_path).stdout.strip() == "Loader"


def test_every_rule_page_can_be_shown(installed, tmp_path):
    """The pages are made from modules that `check` does not need; they must be in the wheel all the same."""
    assert "GRPO203" in run(str(installed / "grpo-lint"), "rule", "GRPO203", folder=tmp_path).stdout


# --- the public face ------------------------------------------------------------------------------------------------

CALLER = """\
import dataclasses
from collections.abc import Mapping
from pathlib import Path

import grpo_lint
from grpo_lint import ConfigError, Finding, Fix, Report
from grpo_lint.rules import Rule


@dataclasses.dataclass
class Settings:
    per_device_train_batch_size: int = 1
    num_generations: int = 8


def guard(settings: object) -> tuple[str, ...]:
    report: Report = grpo_lint.check(settings, framework="trl", version="1.16.0", world_size=7, dataset_size=100)
    errors: tuple[Finding, ...] = report.errors
    try:
        report.raise_if_errors()
    except ConfigError as error:
        assert error.findings == errors
    plan: Mapping[str, object] = report.plan
    assert plan["world_size"] == 7
    fixes: list[Fix] = [fix for finding in errors for fix in finding.fixes if not fix.is_safe]
    assert dict(fixes[0].changes) and fixes[0].title and isinstance(fixes[0].effect, str)
    return tuple(finding.code for finding in errors if finding.severity == "error" and finding.stage == "config")


assert guard({"per_device_train_batch_size": 1, "num_generations": 8}) == guard(Settings()) == ("GRPO203",)
path = Path("run.yaml")
path.write_text("# grpo-lint: dialect=trl version=1.16.0 world-size=7\\nnum_generations: 8\\nper_device_train_batch_size: 1\\n")
assert grpo_lint.check(path) == grpo_lint.check(str(path)) == grpo_lint.check_file(path)
assert [each.line for each in grpo_lint.check_text(path.read_text(), path="run.yaml").errors] == [2]
words: str = grpo_lint.explain(path)
rule: Rule = Rule("TEAM1", "team-x", "x", message="x", why="x", instead="x")
print(len(words) > 100, rule.name, grpo_lint.__version__)
reveal_type(grpo_lint.check({}).findings)
"""


def test_a_caller_is_checked_strictly_and_runs_where_nothing_else_is_installed(installed, tmp_path):
    caller = tmp_path / "caller.py"
    caller.write_text(CALLER, encoding="utf-8")
    checked = run(
        *(sys.executable, "-m", "mypy", "--strict", "--python-executable", str(installed / "python")),
        *("--cache-dir", str(tmp_path / "cache"), str(caller)),
        folder=tmp_path,
    )
    assert "Success: no issues found" in checked.stdout
    assert re.search(r'Revealed type is "(builtins\.)?tuple\[grpo_lint\._api\.Finding, \.\.\.\]"', checked.stdout)
    caller.write_text(CALLER.replace("reveal_type", "print"), encoding="utf-8")
    ended = run(str(installed / "python"), "-W", "error", str(caller), folder=tmp_path)
    assert ended.stdout.startswith(f"True team-x {__version__}\n")
