"""`grpo-lint diff`: what a change does to training, of made repositories with real git."""

import io
import json
import os
import shutil
import subprocess
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from traps import Traps

from conftest import one_run
from grpo_lint.changes.git_folder import NoRevision
from grpo_lint.changes.revisions import Revision, _stays_inside, leads_inside
from grpo_lint.cli import main as cli
from grpo_lint.files import disk
from grpo_lint.launch import pins
from grpo_lint.settings import files as settings

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
    """`grpo-lint diff` in a folder, which knows nothing of those before it."""
    disk.forget_what_was_asked_for()
    settings.forget()
    pins.forget()
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err), one_run():
        patch.chdir(folder)
        status = cli.main(["diff", *words])
    return subprocess.CompletedProcess(words, status, out.getvalue(), err.getvalue())


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


def test_what_is_reached_by_links_is_no_change(repository):
    (repository / "deep" / "configs").mkdir(parents=True)
    (repository / "deep" / "configs" / "own.yaml").write_text(RECIPE)
    (repository / "configs").symlink_to("deep/configs")
    (repository / "deep" / "same.yaml").symlink_to("../recipe.yaml")
    committed(repository, {"run.sh": "trl grpo --config configs/own.yaml\ntrl grpo --config deep/same.yaml\n"})
    assert diff(repository, "HEAD").stdout == "Nothing of what these runs train changes.\n"
    (repository / "deep" / "configs" / "own.yaml").write_text(RECIPE.replace("1.0e-6", "2.0e-6"))
    assert "1e-06 -> 2e-06" in diff(repository, "HEAD").stdout


@pytest.mark.parametrize(
    ("path", "target", "leads"),
    [
        ("a/link", "../b/c.yaml", True),
        ("link", "b", True),
        ("link", "../b", False),
        ("a/link", "../../b", False),
        ("a/link", "..", False),
        ("link", "/etc", False),
        ("link", "a/../../b", False),
        ("link", "a/..", False),
        ("link", ".git/config", False),
        ("link", "a\\..\\b", False),
        ("link", "", False),
    ],
)
def test_which_links_surely_stay_inside(path, target, leads):
    assert leads_inside(path, target) is leads


def test_no_link_of_a_tree_made_by_hand_leads_out(repository, tmp_path):
    """A name that is a link and a folder too: what stands below is not written through the link."""
    from grpo_lint.changes import revisions

    (tmp_path / "outside").mkdir()
    revision = revisions.Revision(str(repository), "HEAD")
    try:
        os.symlink(tmp_path / "outside", os.path.join(revision.folder, "led"))
        revision._write([("0" * 40, 1, "led/x.yaml", False)], b"0" * 40 + b" blob 1\nx\n")
        assert os.listdir(tmp_path / "outside") == []
    finally:
        revision.close()


def test_each_object_is_asked_for_its_size_once(repository, monkeypatch):
    from grpo_lint.changes import revisions

    asked = []
    sizes = revisions._Git.sizes
    monkeypatch.setattr(revisions._Git, "sizes", lambda git, names: asked.append(len(names)) or sizes(git, names))
    committed(repository, {f"many/{each:03}.yaml": RECIPE for each in range(100)})
    revisions.Revision(str(repository), "HEAD").close()
    assert asked[0] < 50


@pytest.mark.parametrize("way", ["--shared", "--separate-git-dir"])
def test_a_clone_that_leads_out_is_told_what_to_do(repository, tmp_path, way):
    words = [way] if way == "--shared" else [way, str(tmp_path / "elsewhere")]
    git(tmp_path, "clone", "--quiet", *words, str(repository), "clone")
    told = diff(tmp_path / "clone", "HEAD")
    assert told.returncode == 2
    command = told.stderr.rpartition(": ")[2].split()
    assert command[:2] == ["git", "clone"]
    git(tmp_path / "clone", *command[1:])
    assert diff(tmp_path / "whole", "HEAD").stdout == "Nothing of what these runs train changes.\n"


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


def test_a_submodule_is_no_change(repository, tmp_path):
    outer = other_repository(tmp_path / "outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repository), "inner")
    git(outer, "commit", "--quiet", "--message", "x")
    assert diff(outer, "HEAD").stdout == "Nothing of what these runs train changes.\n"


def secret_repository(folder):
    """A repository of the user beside the checkout, and the commit that a stranger would like to read."""
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch", "main")
    return committed(folder, {"secret.yaml": RECIPE.replace("dataset_name: x", "dataset_name: private")})


def with_settings(folder, text):
    with open(folder / ".git" / "config", "a") as file:
        file.write(text)


def borrow(folder, line):
    (folder / ".git" / "objects" / "info" / "alternates").write_text(line)


def lead(folder, name, target):
    """Let a file or folder of git be a link, with what was there beside it."""
    place = folder / ".git" / name
    if place.is_dir():
        shutil.rmtree(place)
    place.unlink(missing_ok=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(target)


INDIRECTIONS = {
    "objects": lambda folder, other: lead(folder, "objects", other / ".git/objects"),
    "one folder of objects": lambda folder, other: lead(folder, "objects/pack", other / ".git/objects/pack"),
    "references": lambda folder, other: lead(folder, "refs", other / ".git/refs"),
    "one reference": lambda folder, other: lead(folder, "refs/heads/other", other / ".git/refs/heads/main"),
    "packed references": lambda folder, other: lead(folder, "packed-refs", other / "packed-refs"),
    "head": lambda folder, other: lead(folder, "HEAD", other / ".git/HEAD"),
    "settings": lambda folder, other: lead(folder, "config", other / ".git/config"),
    "alternates": lambda folder, other: borrow(folder, f"# here\n{other}/.git/objects\n"),
    "relative alternates": lambda folder, other: borrow(folder, "../../../other/.git/objects\n"),
    "quoted alternates": lambda folder, other: borrow(folder, f'"{other}/.git/objects"\n'),
    "linked alternates": lambda folder, other: lead(folder, "objects/info/alternates", other / "alternates"),
    "common folder": lambda folder, other: (folder / ".git/commondir").write_text(f"{other}/.git"),
    "linked common folder": lambda folder, other: lead(folder, "commondir", other / "commondir"),
    "work tree": lambda folder, other: with_settings(folder, f"[core]\n\tworktree = {other}\n"),
    "a pipe": lambda folder, other: os.mkfifo(folder / ".git/refs/heads/pipe"),
}


@pytest.mark.parametrize("way", INDIRECTIONS)
def test_nothing_of_git_leads_out_of_the_repository(repository, tmp_path, way):
    committed(repository, {"recipe.yaml": RECIPE.replace("1.0e-6", "2.0e-6")})
    other = tmp_path / "other"
    commit = secret_repository(other)
    (other / "alternates").write_text(f"{other}/.git/objects\n")
    (other / "commondir").write_text(f"{other}/.git\n")
    (other / "packed-refs").write_text(f"{commit} refs/heads/main\n")
    INDIRECTIONS[way](repository, other)
    for name in ("main", "HEAD", commit):
        result = diff(repository, name)
        assert result.returncode == 2, name
        assert "may not lead out of it" in result.stderr or "knows nothing of this folder" in result.stderr
        assert "private" not in result.stdout + result.stderr and commit not in result.stderr.replace(name, "")


@pytest.mark.parametrize("section", ["include", 'includeIf "gitdir:**"'])
def test_settings_that_are_included_are_not_read(repository, tmp_path, section):
    (tmp_path / "private").write_text("password of mine\n")
    os.mkfifo(tmp_path / "pipe")
    committed(repository, {"recipe.yaml": RECIPE.replace("1.0e-6", "2.0e-6")})
    for name in ("private", "pipe"):
        with_settings(repository, f"[{section}]\n\tpath = {tmp_path / name}\n")
        result = diff(repository, "HEAD~1")
        assert (result.returncode, result.stderr) == (0, "") and "1e-06 -> 2e-06" in result.stdout


def test_what_git_complains_of_is_not_passed_on(repository):
    (repository / ".git" / "config").write_text("password of mine\n")
    result = diff(repository, "HEAD")
    assert result.returncode == 2 and "git config cannot read" in result.stderr and "password" not in result.stderr


def test_a_work_tree_of_which_only_an_archive_tells(repository, tmp_path):
    """Two folders of one archive point to each other, and share what is elsewhere."""
    other = tmp_path / "other"
    secret_repository(other)
    beside = tmp_path / "archive" / "beside"
    own = tmp_path / "archive" / "git" / "worktrees" / "beside"
    for folder in (beside, own):
        folder.mkdir(parents=True)
    (beside / ".git").write_text("gitdir: ../git/worktrees/beside\n")
    (own / "gitdir").write_text("../../../beside/.git\n")
    (own / "HEAD").write_text("ref: refs/heads/main\n")
    (own / "commondir").write_text(f"{other}/.git\n")
    result = diff(beside, "main")
    assert result.returncode == 2 and "knows nothing of this folder" in result.stderr


def test_all_ways_to_name_a_revision(repository, tmp_path):
    first = git(repository, "rev-parse", "HEAD")
    git(repository, "tag", "-a", "v1", "-m", "x")
    second = committed(repository, {"recipe.yaml": RECIPE.replace("1.0e-6", "2.0e-6")})
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", str(repository), str(clone))
    committed(clone, {"recipe.yaml": RECIPE.replace("1.0e-6", "3.0e-6")})
    git(clone, "pack-refs", "--all")
    git(clone, "repack", "-a", "-d", "--quiet")
    git(clone, "worktree", "add", "--quiet", "--detach", str(tmp_path / "beside"))
    for folder, names in (
        (clone, (second, second[:9], "HEAD~1", "origin/main", "@{upstream}", "HEAD@{1}", "main^", ":/x")),
        (tmp_path / "beside", (second, "HEAD~1", "origin", "main^")),
    ):
        for name in names:
            assert "2e-06 -> 3e-06" in diff(folder, name).stdout or name == ":/x", name
        assert "1e-06 -> 3e-06" in diff(folder, "v1").stdout == diff(folder, first).stdout


def test_a_tree_that_is_too_large_is_cut(repository, monkeypatch):
    from grpo_lint.changes import revisions

    monkeypatch.setattr(revisions, "MOST_FILES", 2)
    revision = revisions.Revision(str(repository), "HEAD")
    try:
        assert revision.cut and sum(len(files) for _, _, files in os.walk(revision.folder)) == 2
    finally:
        revision.close()
    assert not os.path.exists(revision.folder)


def test_one_file_at_very_many_places_is_cut_only_where_the_listing_is(repository, monkeypatch):
    from grpo_lint.changes import revisions

    number = revisions.MOST_COPIES + 9
    committed(repository, {f"many/{each:03}.yaml": RECIPE for each in range(number)})
    assert diff(repository, "HEAD").stdout == "Nothing of what these runs train changes.\n"
    listed = len(git(repository, "ls-tree", "-r", "-z", "--full-tree", "HEAD"))
    monkeypatch.setattr(revisions, "LARGEST_LISTING", listed - 5)
    revision = revisions.Revision(str(repository), "HEAD")
    try:
        assert revision.cut and len(os.listdir(os.path.join(revision.folder, "many"))) == revisions.MOST_COPIES
    finally:
        revision.close()


def test_a_notebook_that_is_large_because_of_what_it_printed_is_compared(repository):
    code = {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": PROGRAM}
    cell = {**code, "outputs": [{"output_type": "stream", "name": "stdout", "text": "x" * (2 << 20)}]}
    committed(
        repository, {"n.ipynb": json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})}
    )
    assert diff(repository, "HEAD").stdout == "Nothing of what these runs train changes.\n"


def test_git_that_takes_too_long(repository, monkeypatch):
    from grpo_lint.changes import revisions

    late = revisions._answer
    monkeypatch.setattr(revisions, "_answer", lambda process, most: (late(process, most)[0], "ls-tree" in process.args))
    revision = revisions.Revision(str(repository), "HEAD")
    assert revision.cut and "recipe.yaml" in os.listdir(revision.folder)
    revision.close()
    monkeypatch.setattr(revisions, "_answer", lambda process, most: (late(process, most)[0], True))
    with pytest.raises(NoRevision, match="git config took too long"):
        revisions.Revision(str(repository), "HEAD")
    assert revisions.PATIENCE <= 5


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


def test_what_is_wrong_with_a_repository_is_told_in_chinese(tmp_path):
    (tmp_path / ".git").write_text("gitdir: nowhere\n")
    assert ".git 指向的仓库并不包含此文件夹" in diff(tmp_path, "main", "--lang", "zh-CN").stderr


WRONG_VALUES = """\
from trl import GRPOConfig
config = GRPOConfig(per_device_train_batch_size=2, num_generations="8", learning_rate="1e-6", beta=[1.0, float("nan")], weight_decay=float("nan"),
                    max_steps={"a": 1}, epsilon=None, temperature=unknown())
"""
WRONG_YAML = (
    RECIPE.replace("1.0e-6", ".nan")
    + "beta: [.nan, 1]\nweight_decay: {a: .nan}\nmax_steps: 2026-11-23\nepsilon: ten\nloss_type: [a]\n"
)


def test_values_of_a_wrong_type_that_stay_are_no_change(repository):
    committed(
        repository,
        {
            "wrong.py": WRONG_VALUES,
            "wrong.yaml": WRONG_YAML,
            "wrong.sh": "trl grpo --config wrong.yaml --beta x --num_iterations y\n",
        },
    )
    committed(repository, {"README.md": "new"})
    assert diff(repository, "HEAD~1", "HEAD").stdout == "Nothing of what these runs train changes.\n"
    committed(repository, {"wrong.py": WRONG_VALUES.replace("1e-6", "2e-6").replace("[1.0", "[2.0")})
    told = diff(repository, "HEAD~1", "HEAD").stdout
    assert "learning_rate 1e-6 -> 2e-6\n" in told and "beta [1.0, unknown] -> [2.0, unknown]\n" in told


def test_a_copy_of_the_examples_changes_nothing(tmp_path):
    examples = Path(__file__).parents[1] / "examples"
    for name in ("old", "new"):
        shutil.copytree(examples, tmp_path / name)
    assert diff(tmp_path, "old", "new", "--verbose").stdout == "Nothing of what these runs train changes.\n"
