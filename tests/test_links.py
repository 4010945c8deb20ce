"""Links of a checkout: what lies outside of it is not read, shown or written through them, and what the user names
elsewhere is the user's."""

import json
import os
import stat

import pytest

from conftest import comment
from grpo_lint.cli.main import main
from grpo_lint.files import disk
from grpo_lint.files.writing import NotWritten, put, replace
from grpo_lint.launch import pins
from grpo_lint.settings import files as settings

SECRET = "geheim"
BAD = (
    comment(dialect="trl", version="1.16.0", world_size=1)
    + f"per_device_train_batch_size: 4\nnum_generations: 8\nrun_name: {SECRET}\n"
)
MESSAGE = "cannot be read: a link leads out of the repository"


@pytest.fixture(params=["as a run", "as a server"])
def repository(tmp_path, monkeypatch, request):
    """A repository that is the working directory; beside it lies what is none of its business."""
    root = tmp_path / "repository"
    (root / ".git").mkdir(parents=True)
    (tmp_path / "outside" / "folder").mkdir(parents=True)
    (tmp_path / "outside" / "secret.yaml").write_text(BAD)
    (tmp_path / "outside" / "folder" / "secret.yaml").write_text(BAD)
    monkeypatch.chdir(root)
    for module in (settings, pins):
        module.forget()
    disk.remember(request.param == "as a run")
    yield root
    disk.remember(False)


def run(capsys, *words):
    """(status, all that was said) of a command line, after which nothing outside has changed."""
    status = main([str(word) for word in words])
    captured = capsys.readouterr()
    assert (os.path.getsize("../outside/secret.yaml"), os.path.getsize("../outside/folder/secret.yaml")) == (
        len(BAD),
        len(BAD),
    )
    return status, captured.out + captured.err


WAYS = [["check", "."], ["check", "train.yaml"], ["--fix", "--unsafe-fixes", "."], ["--diff", "--unsafe-fixes", "train.yaml"], ["explain", "train.yaml"],
        *(["--output-format", form, "train.yaml"] for form in ("concise", "json", "sarif", "github", "gitlab", "junit", "markdown"))]  # fmt: skip


@pytest.mark.parametrize("words", WAYS, ids=" ".join)
@pytest.mark.parametrize("target", ["../outside/secret.yaml", "link-to-the-link.yaml", "folder-link/secret.yaml"])
def test_a_config_that_is_a_link(repository, capsys, words, target):
    os.symlink("../outside/secret.yaml", "link-to-the-link.yaml")
    os.symlink("../outside/folder", "folder-link")
    os.symlink(target, "train.yaml")
    status, said = run(capsys, *words)
    assert status == 0 and SECRET not in said and "num_generations" not in said
    assert MESSAGE in said or words[-2:] == ["github", "train.yaml"]


def test_a_folder_that_is_a_link(repository, capsys):
    os.symlink("../outside/folder", "configs")
    assert run(capsys, "configs", "configs/secret.yaml", "-v") == (0, f"configs: info: {MESSAGE} (GRPO002)\n\nconfigs/secret.yaml: info: {MESSAGE} (GRPO002)\n\n"
                                                                   "no problems in 2 files checked\n")  # fmt: skip
    assert run(capsys, ".")[0] == 0


def test_a_link_within_the_repository_is_followed(repository, capsys):
    (repository / "real.yaml").write_text(BAD)
    os.makedirs("inner")
    os.symlink("../real.yaml", "inner/train.yaml")
    assert run(capsys, "inner")[0] == 1
    assert run(capsys, "--fix", "--unsafe-fixes", "inner/train.yaml")[0] == 0
    assert os.path.islink("inner/train.yaml") and (repository / "real.yaml").read_text() != BAD


def test_what_the_user_names_elsewhere_is_theirs(repository, capsys):
    os.symlink("secret.yaml", "../outside/mine.yaml")
    os.symlink("../outside/folder", "../mine")
    assert SECRET in run(capsys, "../outside/mine.yaml", "../mine", "--diff", "--unsafe-fixes")[1]
    status, said = run(capsys, "../outside/mine.yaml", "../mine/secret.yaml", "--output-format", "concise")
    assert status == 1 and "2 errors in 2 files" in said


def test_a_folder_without_a_repository_that_is_walked_is_a_checkout(repository, capsys):
    unpacked = repository.parent / "unpacked"
    (unpacked / "inner").mkdir(parents=True)
    os.symlink("../outside/secret.yaml", unpacked / "train.yaml")
    os.symlink("../../outside/folder/secret.yaml", unpacked / "inner" / "train.yaml")
    os.symlink("../outside/secret.yaml", unpacked / "grpo-lint.toml")
    status, said = run(capsys, unpacked)
    assert status == 0 and MESSAGE in said and SECRET not in said and "grpo-lint.toml: is not read" in said
    assert all(str(path) in said for path in (unpacked / "train.yaml", unpacked / "inner" / "train.yaml"))


def test_a_linked_repository_is_no_way_out(repository, capsys):
    """Another repository of the user, to which a committed link leads."""
    (repository.parent / "outside" / ".git").mkdir()
    os.symlink("../outside", "vendor")
    assert MESSAGE in run(capsys, "vendor/secret.yaml")[1] and MESSAGE in run(capsys, "vendor")[1]


def test_a_repository_that_the_user_reaches_by_a_link(repository, capsys):
    (repository / "bad.yaml").write_text(BAD)
    os.symlink("repository", "../shortcut")
    assert run(capsys, "../shortcut/bad.yaml")[0] == 1 == run(capsys, "../shortcut")[0]


@pytest.mark.parametrize("name", ["grpo-lint.toml", ".grpo-lint.toml", "pyproject.toml"])
def test_settings_that_are_a_link(repository, capsys, name):
    (repository.parent / "outside" / "own.toml").write_text(
        f'[tool.grpo-lint]\n{SECRET} = "{SECRET}"\nfail-on = "info"\n'
    )
    os.symlink("../outside/own.toml", name)
    (repository / "fine.yaml").write_text(BAD.replace(": 4", ": 8").replace(SECRET, "x"))
    status, said = run(capsys, "fine.yaml")
    assert (
        status == 0 and SECRET not in said and ("is not read: a link leads out" in said) == (name != "pyproject.toml")
    )


def test_neighbours_that_are_links(repository, capsys):
    outside = repository.parent / "outside"
    (outside / "ds.json").write_text(json.dumps({"train_micro_batch_size_per_gpu": 77777}))
    (outside / "requirements.txt").write_text("trl==0.17.0\n")
    (outside / "run.sh").write_text(
        f"accelerate launch --num_processes 7 train.py --config {repository}/train.yaml --run_name {SECRET}\n"
    )
    for name in ("ds.json", "requirements.txt", "run.sh"):
        os.symlink(f"../outside/{name}", name)
    os.symlink("../outside", "requirements")
    (repository / "train.yaml").write_text(
        "model_name_or_path: a/b\nnum_generations: 8\nper_device_train_batch_size: 8\nmax_completion_length: 64\ndeepspeed: ds.json\n"
    )
    (repository / "start.sh").write_text(
        "accelerate launch --num_processes 8 train.py --config train.yaml --deepspeed ds.json\n"
    )
    said = run(capsys, ".", "-v")[1]
    assert (
        SECRET not in said
        and "77777" not in said
        and "0.17" not in said
        and "7 processes" not in said
        and "8 processes" in said
    )


@pytest.mark.parametrize("option", ["--output-file", "--baseline"])
def test_a_file_that_is_written_is_made_anew(repository, capsys, option):
    (repository / "bad.yaml").write_text(BAD)
    os.symlink("../outside/secret.yaml", "report.json")
    words = (
        ["--baseline", "report.json", "--write-baseline"]
        if option == "--baseline"
        else ["--output-format", "json", "--output-file", "report.json"]
    )
    status, said = run(capsys, "bad.yaml", *words)
    if option == "--baseline":  # it would be read first
        assert status == 2 and "a link leads out of the repository" in said and SECRET not in said
    else:
        assert (
            status == 1
            and not os.path.islink("report.json")
            and json.loads((repository / "report.json").read_text())["summary"]["errors"] == 1
        )


@pytest.mark.parametrize("target", ["../outside/new.json", "../outside", "nowhere/at/all"])
def test_a_link_that_leads_nowhere_makes_nothing_there(repository, capsys, target):
    (repository / "bad.yaml").write_text(BAD)
    os.symlink(target, "report.json")
    status, _ = run(capsys, "bad.yaml", "--output-format", "json", "--output-file", "report.json")
    assert status == (2 if target == "../outside" else 1) and sorted(os.listdir("../outside")) == [
        "folder",
        "secret.yaml",
    ]


def test_a_folder_to_write_in_that_is_a_link(repository, capsys):
    (repository / "bad.yaml").write_text(BAD)
    os.symlink("../outside", "reports")
    status, said = run(capsys, "bad.yaml", "--output-format", "json", "--output-file", "reports/report.json")
    assert (
        status == 2
        and "a link leads out of the repository" in said
        and sorted(os.listdir("../outside")) == ["folder", "secret.yaml"]
    )


def test_init_writes_through_no_link(repository, capsys):
    for name in (".pre-commit-config.yaml", ".grpo-lint.toml"):
        os.symlink("../outside/secret.yaml", name)
    _status, said = run(capsys, "init", "--yes")
    assert SECRET not in said and os.path.islink(".pre-commit-config.yaml")


def test_writing_through_a_link(repository):
    os.symlink("../outside/secret.yaml", "train.yaml")
    with pytest.raises(NotWritten, match="leads out of the repository"):
        replace("train.yaml", BAD.encode(), b"x")
    (repository / "real.json").write_text("old")
    os.symlink("real.json", "link.json")
    put("link.json", b"new")
    assert (
        (repository / "real.json").read_text() == "old"
        and (repository / "link.json").read_text() == "new"
        and not os.path.islink("link.json")
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_a_pipe_is_written_to(repository):
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        put("pipe", b"new")
        assert os.read(reader, 10) == b"new" and stat.S_ISFIFO(os.stat("pipe").st_mode)
    finally:
        os.close(reader)


@pytest.mark.parametrize(
    "words", [["--show-settings", "a.yaml"], ["--show-settings", "."], ["explain", "a.yaml"], ["a.yaml"]], ids=" ".join
)
def test_what_lies_beside_a_named_file_without_a_repository(repository, capsys, monkeypatch, words):
    """The file is the user's own wherever it leads; what came with it is not."""
    unpacked = repository.parent / "archive"
    unpacked.mkdir()
    (repository.parent / "outside" / "own.toml").write_text(f'{SECRET} = "{SECRET}"\nworld-size = 7777\n')
    os.symlink("../outside/own.toml", unpacked / ".grpo-lint.toml")
    (unpacked / "a.yaml").write_text(BAD.replace(SECRET, "x"))
    monkeypatch.chdir(unpacked)
    said = run(capsys, *words)[1]
    assert SECRET not in said and "7777" not in said and ".grpo-lint.toml: is not read" in said


def test_a_named_file_without_a_repository_is_the_users_own(repository, capsys, monkeypatch):
    archive = repository.parent / "archive"
    archive.mkdir()
    os.symlink("../outside/secret.yaml", archive / "mine.yaml")
    monkeypatch.chdir(archive)
    assert run(capsys, "mine.yaml", "--output-format", "concise")[0] == 1


def test_nothing_of_a_linked_repository_is_opened(repository, capsys, monkeypatch):
    inner = repository.parent / "outside" / ".git" / "info"
    inner.mkdir(parents=True)
    (inner / "exclude").write_text("*.yaml\n")
    os.symlink("../outside", "vendor")
    opened = []
    real = os.open
    monkeypatch.setattr(
        os, "open", lambda path, *rest, **more: opened.append(os.path.realpath(path)) or real(path, *rest, **more)
    )
    assert MESSAGE in run(capsys, "vendor")[1]
    assert [path for path in opened if "outside" in path] == []
