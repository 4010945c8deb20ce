"""The GitHub action and the snippets of docs/ci.md: valid for their services, and their shell steps run as they stand."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from junitparser import JUnitXml
from sources import copy_folders
from traps import Traps

from grpo_lint import REPOSITORY

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
WORKFLOWS = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / ".github/workflows").iterdir()}
SNIPPETS = re.findall(r"```(yaml|sh)\n(.*?)```", (ROOT / "docs/ci.md").read_text(encoding="utf-8"), re.DOTALL)
GITHUB, COMMENT, GITLAB, PLAIN, CHANGED = (text for _, text in SNIPPETS)

CLEAN = "# grpo-lint: dialect=trl version=1.16.0\nper_device_train_batch_size: 8\nnum_generations: 8\n"
BROKEN = CLEAN.replace("_size: 8", "_size: 1")
FOREIGN = "services:\n  web:\n    image: example/web\n"
TRAP = "raise SystemExit('code of the repository was run')\n"


def run(command, folder, **environment):
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("GIT_", "GRPO_LINT", "PYTHON", "GITHUB_"))
    }
    identity = {f"GIT_{role}_{part}": "a@example.com" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
    environment = {**kept, **identity, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", **environment}
    return subprocess.run(
        command, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def committed(folder, files):
    """Commit files to a repository, new or not; the commit."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for words in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--allow-empty", "--message", "x"]):
        ended = run(["git", *words], folder)
        assert ended.returncode == 0, ended.stdout
    return run(["git", "rev-parse", "HEAD"], folder).stdout.strip()


# --- the action -----------------------------------------------------------------------------------------------------


def test_the_action_is_valid_for_github():
    ended = run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions", "action.yml"], ROOT
    )
    assert ended.returncode == 0, ended.stdout


def test_nothing_from_outside_becomes_part_of_a_script():
    assert all("${{" not in step["run"] for step in ACTION["runs"]["steps"])


def test_the_comment_takes_nothing_from_outside_into_its_script():
    (step,) = yaml.safe_load(COMMENT)
    assert "${{" not in step["run"] and "changes.md" in step["run"]


class Runner:
    """Runs the steps of the action in a checkout, as a runner does: bash as GitHub calls it, expressions filled in."""

    def __init__(self, folder):
        self.temporary, self.source = folder / "temporary", folder / "action"
        self.temporary.mkdir()
        ignored = shutil.ignore_patterns("__pycache__", ".*", "tests")
        shutil.copytree(ROOT, self.source, ignore=ignored)

    def step(self, step, checkout, base="", PYTHONPATH="", **inputs):
        inputs = {**{name: spec["default"] for name, spec in ACTION["inputs"].items()}, **inputs}
        values = {f"inputs.{name}": value for name, value in inputs.items()}
        values["github.event.pull_request.base.sha || github.event.before"] = base
        values["runner.temp"] = str(self.temporary)

        def filled(text):
            return re.sub(r"\$\{\{ (.*?) \}\}", lambda match: values[match[1]], text)

        summary = self.temporary / "summary.md"
        summary.write_text("")
        ended = run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            filled(step.get("working-directory", str(checkout))),
            **{"PYTHONPATH": PYTHONPATH, **{name: filled(value) for name, value in step.get("env", {}).items()}},
            RUNNER_TEMP=str(self.temporary), GITHUB_ACTION_PATH=str(self.source), GITHUB_STEP_SUMMARY=str(summary),
        )  # fmt: skip
        ended.summary = summary.read_text(encoding="utf-8")
        return ended


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    """A Runner that has done all steps but the last, in a checkout that lies on the PYTHONPATH of the job."""
    folder = tmp_path_factory.mktemp("runner")
    trap = folder / "checkout"
    trap.mkdir()
    traps = Traps(trap, folder / "sprung").modules()
    runner = Runner(folder)
    for step in ACTION["runs"]["steps"][:-1]:
        ended = runner.step(step, trap, PYTHONPATH=str(trap))
        assert ended.returncode == 0, ended.stdout
    assert traps.sprung == []
    return runner


@pytest.fixture
def check(runner, tmp_path):
    """Runs the last step in a checkout."""
    return lambda **inputs: runner.step(ACTION["runs"]["steps"][-1], tmp_path, **inputs)


@pytest.mark.slow
def test_the_action_annotates_and_sums_up(check, tmp_path):
    committed(tmp_path, {"a/broken.yaml": BROKEN, "b/clean.yaml": CLEAN, "compose.yaml": FOREIGN})
    ended = check(**{"args": "--world-size 4 --fail-on error", "sarif-file": "out.sarif"})
    assert ended.returncode == 1
    (line,) = ended.stdout.splitlines()
    assert line.startswith("::error file=a/broken.yaml,line=3,")
    assert (
        ended.summary.startswith("### grpo-lint: 1 error in 2 files checked, 1 skipped\n")
        and "| error | a/broken.yaml:3 |" in ended.summary
    )
    (result,) = json.loads((tmp_path / "out.sarif").read_text())["runs"][0]["results"]
    assert result["ruleId"] == "GRPO203"


@pytest.mark.slow
def test_the_action_passes(check, tmp_path):
    committed(tmp_path, {"a/broken.yaml": BROKEN, "b/clean.yaml": CLEAN, "b c.yaml": BROKEN})
    ended = check(path="b", args="--world-size 4")
    assert (ended.returncode, ended.stdout) == (0, "")
    assert ended.summary == "### grpo-lint: no problems in 1 file checked\n"


@pytest.mark.slow
def test_the_action_checks_what_is_changed(check, tmp_path):
    base = committed(tmp_path, {"old.yaml": BROKEN, "gone.yaml": BROKEN, "changed.yaml": CLEAN})
    (tmp_path / "gone.yaml").unlink()
    committed(tmp_path, {"changed.yaml": BROKEN, "a b/$(touch x);.yaml": BROKEN, "notes.md": "x"})
    ended = check(**{"changed-only": "true", "args": "--world-size 4", "base": base})
    assert ended.returncode == 1
    assert re.findall(r"file=(.*?),line", ended.stdout) == ["a b/$(touch x);.yaml", "changed.yaml"]
    assert not (tmp_path / "x").exists()
    base = committed(tmp_path, {})
    committed(tmp_path, {"notes.md": "y"})
    ended = check(**{"changed-only": "true", "base": base, "sarif-file": "out.sarif"})
    assert (ended.returncode, ended.stdout) == (0, "")
    assert json.loads((tmp_path / "out.sarif").read_text())["runs"][0]["results"] == []


@pytest.mark.slow
def test_the_action_checks_everything_when_there_is_nothing_to_compare_with(check, tmp_path):
    committed(tmp_path, {"old.yaml": BROKEN})
    ended = check(**{"changed-only": "true", "args": "--world-size 4", "base": "0" * 40})
    assert ended.returncode == 1
    assert "::notice::nothing to compare with" in ended.stdout and "file=old.yaml" in ended.stdout


@pytest.mark.slow
def test_the_action_says_so_when_it_cannot_work(check, tmp_path):
    committed(tmp_path, {"a.yaml": CLEAN})
    ended = check(args="--wrld-size 4")
    assert (ended.returncode, ended.summary) == (2, "")
    assert "did you mean '--world-size'?" in ended.stdout


@pytest.mark.slow
def test_the_action_tells_what_a_change_does_to_training(check, tmp_path):
    base = committed(tmp_path, {"run.yaml": CLEAN})
    committed(
        tmp_path, {"run.yaml": CLEAN.replace("num_generations: ", "max_completion_length: 100\nnum_generations: ")}
    )
    ended = check(**{"diff": "true", "diff-file": "changes.md", "base": base})
    assert ended.returncode == 0, ended.stdout
    assert "### What this does to training" in ended.summary and "max_completion_length" in ended.summary
    assert (tmp_path / "changes.md").read_text().startswith("### What this does to training")
    ended = check(diff="true", base="0" * 40)
    assert "what changes for training is not known" in ended.stdout


@pytest.mark.slow
def test_the_action_runs_no_code_of_the_repository(check, tmp_path):
    names = ("grpo_lint/__init__.py", "yaml.py", "os.py", "re.py", "sitecustomize.py")
    committed(tmp_path, {"a.yaml": CLEAN, **dict.fromkeys(names, TRAP)})
    ended = check(args="--world-size 1")
    assert (ended.returncode, ended.stdout) == (0, "")


@pytest.mark.slow
@pytest.mark.parametrize("is_there", [True, False])
def test_the_action_lets_git_run_nothing_that_the_repository_names(runner, tmp_path, is_there):
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    base = committed(checkout, {"old.yaml": CLEAN, ".gitattributes": "* diff=evil filter=evil\n"})
    committed(checkout, {"new.yaml": BROKEN, "old.yaml": CLEAN + "# more\n"})
    traps = Traps(checkout, tmp_path / "sprung").git()
    inputs = {"changed-only": "true", "args": "--world-size 4", "base": base if is_there else "1" * 40}
    ended = runner.step(ACTION["runs"]["steps"][-1], checkout, **inputs)
    assert ended.returncode == 1 and "file=new.yaml" in ended.stdout, ended.stdout
    assert ("nothing to compare with" in ended.stdout) == (not is_there)
    assert traps.sprung == []


@pytest.mark.slow
@pytest.mark.parametrize("args, path", [
    ("--world-size 4\n--fail-on never\n", "a\n'b c'\n"),
    ("--world-size\n4\n--fail-on\nnever", '"a"\n\n"b c/"'),
    ("--world-size=4\n\n  --fail-on\tnever", "a b\\ c"),
    ("--'world-size' 4 --fail-on \"never\"", "a 'b c'"),
])  # fmt: skip
def test_the_action_takes_words_as_a_shell_does(check, tmp_path, args, path):
    committed(tmp_path, {"a/x.yaml": BROKEN, "b c/x.yaml": BROKEN, "d/x.yaml": BROKEN})
    ended = check(args=args, path=path)
    assert ended.returncode == 0, ended.stdout
    assert re.findall(r"^::error file=(.*?),line", ended.stdout, re.MULTILINE) == ["a/x.yaml", "b c/x.yaml"]


@pytest.mark.slow
def test_the_action_takes_lines_when_it_checks_what_is_changed(check, tmp_path):
    base = committed(tmp_path, {})
    committed(tmp_path, {"a/x.yaml": BROKEN, "b c/x.yaml": BROKEN, "d/x.yaml": BROKEN})
    ended = check(
        **{"changed-only": "true", "args": "--world-size 4\n--fail-on never", "path": "a\n'b c'\n", "base": base}
    )
    assert ended.returncode == 0
    assert re.findall(r"file=(.*?),line", ended.stdout) == ["a/x.yaml", "b c/x.yaml"]


@pytest.mark.slow
@pytest.mark.parametrize("text", ["$(touch x) `touch x`; touch x", "* ~ $HOME {a,b}"])
def test_the_action_expands_nothing(check, tmp_path, text):
    committed(tmp_path, {"a.yaml": CLEAN})
    ended = check(path=text)
    assert ended.returncode == 1
    missing = re.findall(r"file=(.*?),", ended.stdout)
    assert missing and not (tmp_path / "x").exists()
    assert {name.replace("%3A", ":").replace("%2C", ",") for name in missing} <= set(text.split())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["args", "path"])
def test_the_action_refuses_a_quote_without_an_end(check, tmp_path, name):
    committed(tmp_path, {"a.yaml": CLEAN})
    ended = check(**{name: "--ignore 'GRPO"})
    assert ended.returncode == 2
    assert f"::error::the input '{name}' has a quote without an end" in ended.stdout


# --- the snippets ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "schema, text",
    [("vendor.github-workflows", GITHUB), ("vendor.gitlab-ci", GITLAB)]
    + [("vendor.github-workflows", text) for text in WORKFLOWS.values()],
    ids=["GitHub", "GitLab", *WORKFLOWS],
)
def test_snippets_and_workflows_are_valid_for_their_services(schema, text, tmp_path):
    (tmp_path / "snippet.yml").write_text(text)
    ended = run([sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, "snippet.yml"], tmp_path)
    assert ended.returncode == 0, ended.stdout


def test_the_workflow_uses_what_the_action_has():
    steps = yaml.safe_load(GITHUB)["jobs"]["configs"]["steps"]
    (ours,) = [step for step in steps if step["uses"].startswith("grpo-lint/grpo-lint@")]
    assert ours["uses"] == "grpo-lint/grpo-lint@COMMIT"
    assert ours["with"].keys() <= ACTION["inputs"].keys()


def test_actions_are_pinned_by_commit():
    """Ours by one that the reader looks up: a commit does not know its own name."""
    used = [
        line
        for text in (GITHUB, *WORKFLOWS.values())
        for line in re.findall(r"uses: *(.*)", text)
        if not line.startswith("grpo-lint/grpo-lint@")
    ]
    assert len(used) >= 10
    assert [line for line in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)] == []


def test_workflows_may_do_no_more_than_they_need():
    for text in (GITHUB, *WORKFLOWS.values()):
        workflow = yaml.safe_load(text)
        assert workflow["permissions"] == {}
        for job in workflow["jobs"].values():
            checkouts = [step for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")]
            assert all(step["with"]["persist-credentials"] is False for step in checkouts)
            assert all("${{" not in step.get("run", "") for step in job["steps"])


def test_an_action_has_one_commit_everywhere():
    """What one text pins anew, the others do not keep."""
    commits = {}
    for text in (GITHUB, *WORKFLOWS.values()):
        for action, commit in re.findall(r"uses: *([\w./-]+)@(.*)", text):
            commits.setdefault(action, set()).add(commit)
    assert {action for action, named in commits.items() if len(named) > 1} == set()


# --- the workflow of this repository --------------------------------------------------------------------------------


def test_a_change_is_tried_with_every_python_that_is_promised():
    workflow = yaml.safe_load(WORKFLOWS["ci.yml"])
    assert workflow[True].keys() == {"push", "pull_request", "workflow_dispatch"}  # `on` is a truth in YAML
    everything = workflow["jobs"]["everything"]
    assert everything["steps"][-1] == {"run": ".ci/run"} and everything["runs-on"] == "ubuntu-latest"
    pythons = [tuple(map(int, version.split("."))) for version in everything["strategy"]["matrix"]["python"]]
    oldest = re.search(r'requires-python = ">=3\.(\d+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))[1]
    assert pythons == [(3, minor) for minor in range(int(oldest), int(oldest) + len(pythons))] and len(pythons) >= 5
    here = re.search(r'^supported="([\d ]+)"', (ROOT / ".ci/run").read_text(encoding="utf-8"), re.MULTILINE)[1]
    assert [(3, int(minor)) for minor in here.split()] == pythons


def test_other_systems_run_the_fast_set_that_is_documented():
    fast = yaml.safe_load(WORKFLOWS["ci.yml"])["jobs"]["fast"]
    assert set(fast["strategy"]["matrix"]["system"]) == {"windows-latest", "macos-latest"}
    command = fast["steps"][-1]["run"].removeprefix("python -m ")
    assert f"`{command}`" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """Runs the script of a page with this version as the commit that the page has the reader put in, in the repository that it names."""
    folder = tmp_path_factory.mktemp("published")
    copy_folders(folder)
    commit = committed(
        folder, {name: (ROOT / name).read_text(encoding="utf-8") for name in ("pyproject.toml", "README.md", "LICENSE")}
    )
    there = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.{folder}.insteadOf", "GIT_CONFIG_VALUE_0": REPOSITORY}

    def run_script(script, place, **environment):
        assert "COMMIT" in script
        return run(["sh", "-ec", script.replace("COMMIT", commit)], place, **there, **environment)

    return run_script


@pytest.mark.slow
def test_the_script_for_gitlab(published, tmp_path):
    job = yaml.safe_load(GITLAB)["grpo-lint"]
    (tmp_path / "work").mkdir()
    committed(tmp_path / "work", {"recipe.yaml": BROKEN.replace("1.16.0\n", "1.16.0 world-size=4\n")})
    traps = Traps(tmp_path / "work", tmp_path / "sprung").modules().package("grpo_lint")
    setup = run([sys.executable, "-m", "venv", "image"], tmp_path)
    assert setup.returncode == 0, setup.stdout
    path = f"{tmp_path / 'image' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    ended = published("\n".join(job["script"]), tmp_path / "work", PATH=path)
    assert ended.returncode == 1, ended.stdout
    report = json.loads((tmp_path / "work" / job["artifacts"]["reports"]["codequality"]).read_text())
    assert [entry["location"]["path"] for entry in report] == ["recipe.yaml"]
    assert traps.sprung == []


@pytest.mark.slow
def test_the_plain_script(published, tmp_path):
    work = tmp_path / "work"
    work.mkdir()
    committed(work, {"recipe.yaml": BROKEN.replace("1.16.0\n", "1.16.0 world-size=4\n")})
    traps = Traps(work, tmp_path / "sprung").modules().package("grpo_lint")
    ended = published(PLAIN, work)
    assert ended.returncode == 1, ended.stdout
    assert JUnitXml.fromfile(str(work / "grpo-lint.xml")).failures == 1
    assert traps.sprung == []


@pytest.mark.slow
def test_the_list_of_what_is_changed(runner, tmp_path):
    """As documented, in a repository whose .git/config names programs for all that git could run."""
    work = tmp_path / "work"
    work.mkdir()
    committed(work, {"old.yaml": BROKEN, "gone.yaml": BROKEN, ".gitattributes": "* diff=evil filter=evil\n"})
    (work / "gone.yaml").unlink()
    run(["git", "branch", "-M", "main"], work)
    run(["git", "checkout", "--quiet", "-b", "topic"], work)
    committed(work, {"é new.yaml": BROKEN})
    traps = Traps(work, tmp_path / "sprung").git()
    program = tmp_path / "bin" / "grpo-lint"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\nPYTHONPATH="{runner.temporary}/grpo-lint" exec "{runner.temporary}/grpo-lint/bin/grpo-lint" --world-size 4 "$@"\n'
    )
    program.chmod(0o755)
    ended = run(["sh", "-ec", CHANGED], work, PATH=f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    assert ended.returncode == 1 and "1 error in 1 file checked" in ended.stdout, ended.stdout
    assert traps.sprung == []


def test_git_is_written_down_only_where_these_tests_run_it():
    """A command of git in the pages for users would run whatever a stranger's .git/config names."""
    pages = [
        ROOT / "README.md",
        ROOT / "action.yml",
        ROOT / ".pre-commit-hooks.yaml",
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "editors").rglob("README.md"),
    ]
    command = re.compile(r"(?:^|[`$|(;{]|&&)[ \t]*((?:[A-Z_]+=\S+ )*git [a-z-][^`\n]*)", re.MULTILINE)
    written = {
        line
        for page in pages
        if "node_modules" not in page.parts
        for line in command.findall(page.read_text(encoding="utf-8"))
    }
    assert {re.search(r"git (?:-\S+ \S+ )*([a-z-]+)", line)[1] for line in written} == {
        "cat-file",
        "diff-tree",
        "diff",
        "ls-remote",
    }
    (diff,) = [line for line in written if line.startswith("git diff ")]
    assert "would run" in (ROOT / "docs/ci.md").read_text(encoding="utf-8").partition(diff)[2][:20]  # told, not advised
