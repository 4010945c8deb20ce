"""`grpo-lint diff`: what a change does to training, of made repositories with real git."""

import json
import os
import subprocess
import sys

import pytest
from traps import Traps

from grpo_lint.changes.revisions import NoRevision, Revision, _stays_inside
from grpo_lint.cli import main as cli

RECIPE = """\
model_name_or_path: Qwen/Qwen2.5-0.5B
dataset_name: x
per_device_train_batch_size: 4
gradient_accumulation_steps: 8
num_generations: 8
learning_rate: 1.0e-6
"""
TRAIN = """\
from trl import GRPOConfig, GRPOTrainer, TrlParser
if __name__ == "__main__":
    (arguments,) = TrlParser((GRPOConfig,)).parse_args_and_config()
    GRPOTrainer(args=arguments).train()
"""
ACCELERATE = "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_GPU\nnum_processes: 7\n"
LAUNCH = "accelerate launch --config_file accelerate.yaml train.py --config recipe.yaml\n"


def git(folder, *words):
    who = ("-c", "user.name=x", "-c", "user.email=x@x", "-c", "commit.gpgsign=false")
    ended = subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, encoding="utf-8", check=True)
    return ended.stdout.strip()


def committed(folder, files):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True) if text is None else path.write_text(text)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "x")
    return git(folder, "rev-parse", "HEAD")


def diff(folder, *words):
    return subprocess.run(
        [sys.executable, "-m", "grpo_lint", "diff", *words],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch", "main")
    files = {"recipe.yaml": RECIPE, "train.py": TRAIN, "accelerate.yaml": ACCELERATE, "train.sh": LAUNCH}
    committed(folder, {**files, "requirements.txt": "trl==0.18.2\n", "docs/compose.yaml": "services: {}\n"})
    return folder


def test_a_pull_request_that_doubles_the_processes_and_the_rollout(repository):
    head = {
        "accelerate.yaml": ACCELERATE.replace("7", "14"),
        "recipe.yaml": RECIPE.replace("1.0e-6", "2.0e-6") + "steps_per_generation: 16\n",
    }
    committed(repository, head)
    result = diff(repository, "HEAD~1", "HEAD")
    assert (result.returncode, result.stderr) == (0, "")
    assert (
        result.stdout
        == """\
recipe.yaml, started by train.sh
  processes 7 -> 14
  dp size 7 -> 14
  completions per update 224 -> 448
  prompts per update 28 -> 56
  completions per rollout 224 -> 896
  prompts per rollout 28 -> 112
  updates per rollout 1 -> 2
  policy on-policy -> off-policy
  learning_rate 1e-06 -> 2e-06
  steps_per_generation not set -> 16
"""
    )


def test_a_pin_brings_other_defaults(repository):
    committed(repository, {"requirements.txt": "trl==1.16.0\n"})
    (run,) = json.loads(diff(repository, "HEAD~1", "--output-format", "json").stdout)["runs"]
    changes = {change["name"]: (change["before"], change["after"]) for change in run["changes"]}
    assert changes["release"] == ("TRL 0.18.2", "TRL 1.16.0")
    assert changes["beta"] == (0.04, 0.0) and changes["loss_type"] == ("bnpo", "dapo")
    assert "completions_per_update" not in changes


def test_a_script_counts_and_findings_come_and_go(repository):
    committed(repository, {"train.sh": LAUNCH.replace("launch", "launch --num_processes 3")})
    committed(repository, {"recipe.yaml": RECIPE.replace("steps: 8", "steps: 1")})
    before, after = diff(repository, "HEAD~2", "HEAD~1").stdout, diff(repository, "HEAD~1").stdout
    assert "processes 7 -> 3" in before and "completions per update 224 -> 96" in before and "new " not in before
    assert "new error GRPO203: a rollout of 12 completions" in after
    assert "no longer error GRPO203" in diff(repository, "HEAD", "HEAD~1").stdout


def test_runs_that_are_new_gone_and_moved(repository):
    committed(repository, {"second.yaml": RECIPE.replace("x", "y")})
    assert "second.yaml is new\n  group size 8" in diff(repository, "HEAD~1").stdout
    assert diff(repository, "HEAD", "HEAD~1").stdout == "second.yaml is gone\n"
    moved = {"second.yaml": None, "recipes/second.yaml": RECIPE.replace("x", "y").replace("steps: 8", "steps: 16")}
    committed(repository, moved)
    assert "recipes/second.yaml\n" in diff(repository, "HEAD~1").stdout


def test_what_changes_nothing_of_training_is_not_told(repository):
    committed(repository, {"recipe.yaml": "# tidied\n" + RECIPE.replace("1.0e-6", "0.000001"), "README.md": "new"})
    assert diff(repository, "HEAD~1", "HEAD").stdout == "Nothing of what these runs train changes.\n"


def test_markdown_for_a_comment(repository):
    committed(repository, {"recipe.yaml": RECIPE.replace("num_generations: 8", "num_generations: 16")})
    text = diff(repository, "HEAD~1", "--output-format", "markdown").stdout
    assert text.startswith("### What this does to training\n\n**recipe.yaml, started by train.sh**\n")
    assert "| group size | 8 | 16 |" in text and "| num_generations | 8 | 16 |" in text
    hostile = RECIPE.replace("dataset_name: x", "dataset_name: '<img src=x>|[a](javascript:b) `c`'")
    committed(repository, {"recipe.yaml": hostile})
    text = diff(repository, "HEAD~1", "--output-format", "markdown").stdout
    assert "<img" not in text.replace("\\<", "") and "](" not in text.replace("\\]", "")


def test_two_files_and_two_folders(tmp_path):
    for name, size in (("old", 4), ("new", 8)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.yaml").write_text(RECIPE.replace("size: 4", f"size: {size}"))
    (tmp_path / "one.yaml").write_text(RECIPE)
    (tmp_path / "two.yaml").write_text(RECIPE.replace("8", "16"))
    facts = ("--world-size", "4", "--framework-version", "1.16.0")
    assert "run.yaml\n" in diff(tmp_path, "old", "new", *facts).stdout
    assert "completions per update 128 -> 256" in diff(tmp_path, "old", "new", *facts).stdout
    assert "group size 8 -> 16" in diff(tmp_path, "one.yaml", "two.yaml", *facts).stdout
    assert diff(tmp_path, "one.yaml", "old").returncode == 2


def test_what_cannot_be_compared(repository, tmp_path):
    for words, message in (
        ((), "takes two files"),
        (("nowhere",), "is no revision"),
        (("--exec=touch x", "HEAD"), "unknown option"),
        (("--", "--output=x", "HEAD"), "is no revision"),
    ):
        result = diff(repository, *words)
        assert result.returncode == 2 and message in result.stderr, words
    result = diff(tmp_path, "a", "b")
    assert result.returncode == 2 and "no repository" in result.stderr


def test_git_runs_nothing_that_the_repository_names(repository, tmp_path):
    committed(repository, {".gitattributes": "* diff=evil filter=evil\n", "recipe.yaml": RECIPE.replace("8", "16")})
    traps = Traps(repository, tmp_path / "sprung").git()
    result = diff(repository, "HEAD~1", "HEAD")
    assert "group size 8 -> 16" in result.stdout, result.stderr
    assert traps.sprung == []


def test_links_and_paths_of_a_tree_made_by_hand(repository, tmp_path):
    (tmp_path / "outside.yaml").write_text(RECIPE)
    (repository / "link.yaml").symlink_to(tmp_path / "outside.yaml")
    committed(repository, {"x": "y"})
    assert diff(repository, "HEAD~1", "HEAD").stdout == "Nothing of what these runs train changes.\n"
    blob = git(repository, "rev-parse", "HEAD:recipe.yaml")
    tree = b"100644 ..\0" + bytes.fromhex(blob)
    made = subprocess.run(
        ["git", "hash-object", "-t", "tree", "-w", "--literally", "--stdin"],
        cwd=repository,
        input=tree,
        capture_output=True,
    )
    assert made.returncode == 0
    commit = git(repository, "commit-tree", made.stdout.decode().strip(), "-m", "x")
    assert diff(repository, commit, "HEAD").returncode in (0, 2)
    assert [_stays_inside(path) for path in ("a/b.yaml", "../a", "a/../b", "/a", ".git/config", "a/.GIT/b", "a\\b", "c:d")] == [
        True, *[False] * 7
    ]  # fmt: skip


def other_repository(folder):
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch", "main")
    committed(folder, {"secret.yaml": RECIPE})
    return folder


@pytest.mark.parametrize("way", ["file", "link", "relative file", "nowhere", "nothing", "common folder"])
def test_a_repository_elsewhere_is_not_read(tmp_path, monkeypatch, capsys, way):
    other = other_repository(tmp_path / "other")
    folder = tmp_path / "unpacked"
    folder.mkdir()
    (folder / "recipe.yaml").write_text(RECIPE)
    texts = {
        "file": f"gitdir: {other}/.git\n",
        "relative file": "gitdir: ../other/.git",
        "nowhere": "gitdir: x",
        "nothing": "",
    }
    if way == "common folder":
        git(folder, "init", "--quiet")
        (folder / ".git" / "commondir").write_text(f"{other}/.git")
    elif way == "link":
        (folder / ".git").symlink_to(other / ".git")
    else:
        (folder / ".git").write_text(texts[way])
    monkeypatch.chdir(folder)
    assert cli.main(["diff", "main"]) == 2
    out, said = capsys.readouterr()
    assert "knows nothing of this folder" in said and "secret" not in out + said


def test_work_trees_and_submodules_are_compared(repository, tmp_path, monkeypatch, capsys):
    git(repository, "worktree", "add", "--quiet", "--detach", str(tmp_path / "beside"))
    outer = other_repository(tmp_path / "outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repository), "inner")
    for folder in (tmp_path / "beside", outer / "inner"):
        assert (folder / ".git").is_file()
        (folder / "recipe.yaml").write_text(RECIPE.replace("1.0e-6", "2.0e-6"))
        monkeypatch.chdir(folder)
        assert cli.main(["diff", "HEAD"]) == 0
        assert "1e-06 -> 2e-06" in capsys.readouterr().out


def test_a_tree_that_is_too_large_is_cut(repository, monkeypatch):
    from grpo_lint.changes import revisions

    monkeypatch.setattr(revisions, "MOST_FILES", 2)
    revision = revisions.Revision(str(repository), "HEAD")
    try:
        assert revision.cut and sum(len(files) for _, _, files in os.walk(revision.folder)) == 2
    finally:
        revision.close()
    assert not os.path.exists(revision.folder)


def test_a_file_that_a_partial_clone_does_not_hold_is_not_new(repository):
    name = git(repository, "rev-parse", "HEAD:recipe.yaml").strip()
    (repository / ".git/objects" / name[:2] / name[2:]).unlink()
    with pytest.raises(NoRevision, match=r"does not hold '?recipe\.yaml"):
        Revision(str(repository), "HEAD")


PROGRAM = """\
from trl import GRPOConfig
config = GRPOConfig(per_device_train_batch_size=2, num_generations=8)
"""


def test_a_file_of_python_and_the_scripts_that_start_it(repository):
    files = {"own.py": PROGRAM, "small.sh": "accelerate launch --num_processes 4 own.py\n"}
    committed(repository, files)
    committed(repository, {"a.sh": "accelerate launch --num_processes 8 own.py\n"})
    added = diff(repository, "HEAD~1").stdout
    assert added.startswith("own.py, started by a.sh is new") and "small.sh" not in added
    committed(repository, {"a.sh": "accelerate launch --num_processes 16 own.py\n"})
    started = diff(repository, "HEAD~1").stdout
    assert "own.py, started by a.sh\n  processes 8 -> 16\n" in started and "eval completions" not in started
    committed(repository, {"own.py": PROGRAM.replace("size=2", "size=4")})
    changed = diff(repository, "HEAD~1").stdout
    assert changed.count("per_device_train_batch_size 2 -> 4") == 2


def test_a_rollout_that_is_a_part_of_an_update_is_told_as_one(tmp_path):
    text = "# grpo-lint: dialect=trl version=1.16.0 world-size=2\nnum_generations: 8\nper_device_train_batch_size: 8\n"
    text += "gradient_accumulation_steps: 8\nsteps_per_generation: "
    for name, steps in (("old.yaml", 1), ("new.yaml", 16)):
        (tmp_path / name).write_text(f"{text}{steps}\n")
    told = diff(tmp_path, "old.yaml", "new.yaml").stdout
    assert "updates per rollout 1/8 (8 rollouts make 1 update) -> 2" in told and "on-policy -> off-policy" in told
