"""The pre-commit hook: which files it takes, and that the real pre-commit installs and runs it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from identify.identify import tags_from_filename
from sources import copy_folders
from traps import Traps

from grpo_lint import REPOSITORY, __version__
from grpo_lint.files.discovery import SUFFIXES

ROOT = Path(__file__).parents[2]
HOOK = "grpo-lint"
HOOKS = (HOOK, "grpo-lint-fix")

CLEAN = "# grpo-lint: dialect=trl version=1.16.0 world-size=4\nper_device_train_batch_size: 8\nnum_generations: 8\n"
BROKEN = CLEAN.replace("_size: 8", "_size: 1")
UNDECIDED = "".join(CLEAN.splitlines(keepends=True)[1:]) + "reward_funcs: [accuracy]\noutput_dir: runs\n"
SCRIPT = """\
#!/bin/bash
#SBATCH --nodes=1
# grpo-lint: version=1.16.0
accelerate launch --num_processes 4 train_grpo.py --per_device_train_batch_size 1 --num_generations 8 --max_completion_length 64
"""
FOREIGN = "services:\n  web:\n    image: example/web\n"


def manifest():
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    return {hook["id"]: hook for hook in hooks}


# --- which files ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize("path", [
    "recipe.yaml", "recipe.yml", "recipes/qwen/grpo.yaml", ".github/workflows/ci.yml", "CONFIG.YAML", "train.sh", "scripts/a b.bash",
    "jobs/grpo.slurm", "jobs/grpo.sbatch", "jobs/grpo.job", "Dockerfile", "zero3.json", "train.py", "notebooks/Qwen3 GRPO.ipynb",
])  # fmt: skip
def test_takes_configs_and_scripts(hook, path):
    assert taken(hook, path)


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize(
    "path",
    [
        "train.pyi",
        "pyproject.toml",
        "notes.md",
        "recipe.yaml.j2",
        "yaml",
        "README",
        "a.yaml/README",
        "data.jsonl",
        "sh",
    ],
)
def test_leaves_everything_else_alone(hook, path):
    assert not taken(hook, path)


@pytest.mark.parametrize("hook", HOOKS)
def test_takes_what_a_folder_is_walked_for(hook):
    pattern = manifest()[hook]["files"]
    assert all(re.search(pattern, f"a{suffix}") for suffix in SUFFIXES)
    found = re.fullmatch(r"\(\?i\)\(\\\.\((.*?)\)\|(.*)\)\$", pattern)
    stems, others = found[1].replace("ya?ml", "yaml|yml").split("|"), found[2].split("|")
    assert {*(f".{stem}" for stem in stems), *others[:-1]} == set(SUFFIXES)
    assert re.search(pattern, "requirements-dev.txt") and not re.search(pattern, "notes.txt")  # what pins a release


def test_the_hooks_take_the_same():
    check, fix = (manifest()[hook] for hook in HOOKS)
    assert {**check, "id": "", "name": "", "description": "", "entry": ""} == {
        **fix,
        "id": "",
        "name": "",
        "description": "",
        "entry": "",
    }


def taken(hook, path):
    """Whether pre-commit hands a file of this name to a hook. Slurm scripts are texts for it by their content only, as
    is all we take."""
    hook = manifest()[hook]
    assert not hook.keys() & {"exclude", "types_or", "exclude_types"}, "this test knows nothing of these filters"
    assert hook["types"] == ["text"] and "binary" not in tags_from_filename(path)
    return bool(re.search(hook["files"], path))


# --- the real pre-commit --------------------------------------------------------------------------------------------


def run(*command, folder, home, check=True, **more):
    """Run a command as a user would who knows nothing of the repository the tests are run from."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT", "GRPO_LINT"))
    }
    environment.update(
        PRE_COMMIT_HOME=str(home), PRE_COMMIT_COLOR="never", GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1"
    )
    environment.update(more)
    for role in ("AUTHOR", "COMMITTER"):
        environment.update({f"GIT_{role}_NAME": "somebody", f"GIT_{role}_EMAIL": "somebody@example.com"})
    ended = subprocess.run(
        command, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert not check or ended.returncode == 0, ended.stdout
    return ended


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Where pre-commit keeps the environments it installs; one for all tests, because an installation takes its time."""
    return tmp_path_factory.mktemp("pre-commit-home")


@pytest.fixture(scope="module")
def our_repository(tmp_path_factory, home):
    """(a repository that holds what this checkout holds now, its commit)."""
    folder = tmp_path_factory.mktemp("grpo-lint")
    for name in (".pre-commit-hooks.yaml", "action.yml", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    copy_folders(folder)
    return folder, committed(folder, home)


def committed(folder, home):
    run("git", "init", "--quiet", folder=folder, home=home)
    run("git", "add", "--all", folder=folder, home=home)
    run("git", "commit", "--quiet", "--message", "everything", folder=folder, home=home)
    return run("git", "rev-parse", "HEAD", folder=folder, home=home).stdout.strip()


@pytest.fixture
def their_repository(tmp_path, our_repository, home):
    """A function that makes a repository of somebody who uses the hook, and runs pre-commit there."""

    def runs(files, hook=HOOK, **options):
        folder, commit = our_repository
        config = {"repos": [{"repo": str(folder), "rev": commit, "hooks": [{"id": hook, **options}]}]}
        write(tmp_path, {**files, ".pre-commit-config.yaml": yaml.safe_dump(config)})
        committed(tmp_path, home)
        return run(*PRE_COMMIT, "run", "--all-files", folder=tmp_path, home=home, check=False)

    return runs


PRE_COMMIT = (sys.executable, "-I", "-m", "pre_commit")


def write(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@pytest.mark.slow
def test_passes_on_clean_and_foreign_files(their_repository):
    ended = their_repository({"recipes/clean.yaml": CLEAN, "recipes/undecided.yml": UNDECIDED, "compose.yaml": FOREIGN})
    assert ended.returncode == 0, ended.stdout
    assert "Passed" in ended.stdout


@pytest.mark.slow
def test_fails_on_a_broken_config(their_repository):
    ended = their_repository({"recipes/broken.yaml": BROKEN, "recipes/clean.yaml": CLEAN, "compose.yaml": FOREIGN})
    assert ended.returncode == 1
    assert "error[GRPO203]" in ended.stdout and "recipes/broken.yaml:3:1" in ended.stdout
    assert "exit code: 1" in ended.stdout
    assert "clean.yaml" not in ended.stdout


@pytest.mark.slow
def test_takes_arguments(their_repository):
    files = {"undecided.yaml": UNDECIDED.replace("_size: 8", "_size: 1")}
    ended = their_repository(
        files, args=["--world-size", "4", "--framework-version", "1.16.0", "--output-format", "concise"]
    )
    assert ended.returncode == 1
    assert "undecided.yaml:2:1" in ended.stdout and "GRPO203" in ended.stdout
    assert "-->" not in ended.stdout


@pytest.mark.slow
def test_takes_scripts_and_leaves_alone_what_is_not_ours(their_repository):
    files = {
        "train.slurm": SCRIPT,
        "zero3.json": '{"zero_optimization": {"stage": 3}}',
        "package.json": '{\n\t"name": "x"\n}',
        "build.sh": "make all\n",
    }
    ended = their_repository(files, args=["--output-format", "concise"])
    assert ended.returncode == 1
    assert "train.slurm:" in ended.stdout and "GRPO203" in ended.stdout
    assert "1 warning in 1 file checked" in ended.stdout  # train.py is not here: it may have defaults of its own


@pytest.mark.slow
def test_fixes_and_passes_the_second_time(their_repository, tmp_path):
    config = CLEAN.replace("num_generations: 8", "num_generations: 8 # grpo-lint: ignore[GRPO203] not any more")
    ended = their_repository({"clean.yaml": config}, hook="grpo-lint-fix")
    assert ended.returncode == 1
    assert (
        "files were modified by this hook" in ended.stdout and "1 fixed; no problems in 1 file checked" in ended.stdout
    )
    assert (tmp_path / "clean.yaml").read_text(encoding="utf-8") == CLEAN
    assert "Passed" in their_repository({}, hook="grpo-lint-fix").stdout


@pytest.mark.slow
def test_does_not_fix_what_is_not_safe(their_repository, tmp_path):
    assert their_repository({"broken.yaml": BROKEN}, hook="grpo-lint-fix").returncode == 1
    assert (tmp_path / "broken.yaml").read_text(encoding="utf-8") == BROKEN


@pytest.mark.slow
def test_imports_nothing_of_the_repository(their_repository, tmp_path, tmp_path_factory):
    traps = Traps(tmp_path, tmp_path_factory.mktemp("told") / "sprung").modules().package("grpo_lint")
    ended = their_repository({"recipes/broken.yaml": BROKEN})
    assert ended.returncode == 1 and "error[GRPO203]" in ended.stdout
    assert traps.sprung == []


@pytest.mark.slow
def test_has_nothing_to_do_without_files_of_its_kinds(their_repository):
    ended = their_repository({"train.txt": "num_generations = 8\n"}, exclude=r"^\.pre-commit-config\.yaml$")
    assert ended.returncode == 0
    assert "no files to check" in ended.stdout


@pytest.mark.slow
def test_can_be_tried_without_a_config(tmp_path, our_repository, home):
    """`pre-commit try-repo`, the first thing somebody does who has heard of us."""
    folder, commit = our_repository
    write(tmp_path, {"broken.yaml": BROKEN, "compose.yaml": FOREIGN})
    committed(tmp_path, home)
    command = (*PRE_COMMIT, "try-repo", str(folder), HOOK, "--ref", commit, "--all-files", "--verbose")
    ended = run(*command, folder=tmp_path, home=home, check=False)
    assert ended.returncode == 1
    assert "error[GRPO203]" in ended.stdout and "broken.yaml:3:1" in ended.stdout


# --- the hooks of this repository ----------------------------------------------------------------------------------

OWN = ROOT / ".pre-commit-config.yaml"


def own_hooks():
    (repository,) = yaml.safe_load(OWN.read_text(encoding="utf-8"))["repos"]
    return {hook["id"]: hook for hook in repository["hooks"]}


def test_our_own_config_is_valid(home):
    run(*PRE_COMMIT, "validate-config", str(OWN), folder=ROOT, home=home)


def test_we_take_what_others_take():
    assert {key: own_hooks()[HOOK][key] for key in ("types", "files", "require_serial")} == {
        key: manifest()[HOOK][key] for key in ("types", "files", "require_serial")
    }


def test_our_own_hooks_have_exact_versions_and_ruff_is_that_of_the_tests():
    wanted = {
        requirement
        for name, hook in own_hooks().items()
        for requirement in hook["additional_dependencies"]
        if name != HOOK
    }
    assert all(re.fullmatch(r"[\w-]+==[\d.]+", requirement) for requirement in wanted)
    (ruff,) = (requirement for requirement in wanted if requirement.startswith("ruff=="))
    assert f'"{ruff}",' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_our_own_hook_passes_here_and_would_not_with_the_bad_examples(home):
    """As pre-commit calls it, without the environment that pre-commit would install."""
    hook = own_hooks()[HOOK]
    program, *words = hook["entry"].split()
    assert program == "python"
    folders = ("examples", "docs", "schemas", "editors", "conformance", "benchmarks", ".github", ".ci")
    paths = [path.relative_to(ROOT).as_posix() for folder in folders for path in (ROOT / folder).rglob("*")]
    paths = [path for path in paths if re.search(hook["files"], path) and "node_modules" not in path]
    kept = [path for path in paths if not re.search(hook["exclude"], path)]
    assert len(kept) >= 12 and "examples/good/trl-rloo.yaml" in kept
    ended = run(sys.executable, *words, *kept, folder=ROOT, home=home)
    assert "no problems in" in ended.stdout
    assert run(sys.executable, *words, *paths, folder=ROOT, home=home, check=False).returncode == 1


# --- grpo-lint init -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_what_init_sets_up_works(tmp_path, our_repository, home):
    """The entry as it was written: old findings pass, new ones do not, and a second time there is nothing to do."""
    folder, commit = our_repository
    run("git", "tag", "--force", f"v{__version__}", commit, folder=folder, home=home)
    here = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.{folder}.insteadOf", "GIT_CONFIG_VALUE_0": REPOSITORY}
    own = "# ours\nrepos:\n-   repo: local\n    hooks:\n    -   {id: echo, name: echo, entry: echo, language: system}  # first\n"
    write(tmp_path, {"old.yaml": BROKEN, "compose.yaml": FOREIGN, ".pre-commit-config.yaml": own})
    run("git", "init", "--quiet", folder=tmp_path, home=home)
    init = (sys.executable, "-m", "grpo_lint", "init", "--yes")
    run(*init, folder=tmp_path, home=home, PYTHONPATH=str(ROOT))
    assert (tmp_path / ".pre-commit-config.yaml").read_text(encoding="utf-8").startswith(own)
    committed(tmp_path, home)
    hooks = (*PRE_COMMIT, "run", "--all-files")
    ended = run(*hooks, folder=tmp_path, home=home, check=False, **here)
    assert ended.returncode == 0, ended.stdout
    assert re.search(r"^echo\.*Passed$", ended.stdout, re.MULTILINE) and re.search(
        r"^grpo-lint\.*Passed$", ended.stdout, re.MULTILINE
    )
    write(tmp_path, {"new.yaml": BROKEN})
    committed(tmp_path, home)
    ended = run(*hooks, folder=tmp_path, home=home, check=False, **here)
    assert ended.returncode == 1
    assert "new.yaml:3:1" in ended.stdout and "old.yaml:" not in ended.stdout
    assert "nothing to do" in run(*init, folder=tmp_path, home=home, PYTHONPATH=str(ROOT)).stdout
