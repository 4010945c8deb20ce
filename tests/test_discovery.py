"""Which files a check is about."""

import errno
import os

import pytest

from grpo_lint.checker.contexts import ask_for
from grpo_lint.engine import CannotRead, read
from grpo_lint.files.discovery import find_files


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def touch(*paths):
    for path in paths:
        if os.path.dirname(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w"):
            pass


def found(*paths, **options):
    ask_for(paths)
    return list(find_files(paths, **options))


def test_folder_is_walked_for_yaml_in_a_fixed_order(here):
    touch("b.yml", "a.yaml", "c.json", "z/a.yaml", "d/b.yaml", "d/a.yaml", "d/e/a.yml", "README.md")
    assert found(".") == ["a.yaml", "b.yml", "c.json", "d/a.yaml", "d/b.yaml", "d/e/a.yml", "z/a.yaml"]


def test_order_is_not_that_of_the_disk(here, monkeypatch):
    touch("a.yaml", "b.yaml", "c/a.yaml", "d/a.yaml")
    forward = found(".")
    real = os.scandir

    class Backwards:
        def __init__(self, folder):
            self.entries = sorted(real(folder), key=lambda entry: entry.name, reverse=True)

        def __enter__(self):
            return self.entries

        def __exit__(self, *_):
            pass

    monkeypatch.setattr(os, "scandir", Backwards)
    assert found(".") == forward == ["a.yaml", "b.yaml", "c/a.yaml", "d/a.yaml"]


def test_paths_keep_the_spelling_of_the_caller(here):
    touch("configs/a.yaml")
    assert found("configs") == ["configs/a.yaml"]
    assert found("configs/") == ["configs/a.yaml"]
    assert found(str(here)) == [str(here / "configs" / "a.yaml")]


@pytest.mark.parametrize(
    "folder", [".git", ".github", "node_modules", "__pycache__", ".venv", "venv", "site-packages", "build", "dist"]
)
def test_folders_of_others_are_passed_over_unless_named(here, folder):
    touch(f"{folder}/a.yaml", f"deep/{folder}/a.yaml", "b.yaml")
    assert found(".") == ["b.yaml"]
    assert found(folder) == [f"{folder}/a.yaml"]


def test_named_file_is_taken_whatever_it_is_called(here):
    touch("train.txt", "build/a.yaml")
    assert found("train.txt", "build/a.yaml") == ["train.txt", "build/a.yaml"]


def test_hidden_file_is_a_file(here):
    touch(".grpo.yaml")
    assert found(".") == [".grpo.yaml"]


def test_other_suffixes(here):
    touch("a.yaml", "run.sh", "._run.sh")  # macOS packs the last one beside the second
    assert found(".", suffixes=(".sh",)) == ["run.sh"]


def test_same_file_is_given_once(here):
    touch("configs/a.yaml", "b.yaml")
    os.symlink("configs/a.yaml", "c.yaml")
    assert found("configs/a.yaml", "./configs/../configs/a.yaml", "configs", ".", ".") == ["configs/a.yaml", "b.yaml"]


def test_folder_inside_a_folder_that_was_named(here):
    touch("a/a.yaml", "a/b/b.yaml")
    assert found("a/b", "a") == ["a/b/b.yaml", "a/a.yaml"]


def test_folder_that_is_named_twice_is_walked_once(here, monkeypatch):
    touch("a/a.yaml")
    walked = []
    real = os.scandir
    monkeypatch.setattr(os, "scandir", lambda folder: walked.append(folder) or real(folder))
    assert found("a", str(here / "a"), ".") == ["a/a.yaml"]
    assert walked == ["a", "."]


def test_hard_links_are_two_files(here):
    touch("a.yaml")
    os.link("a.yaml", "b.yaml")
    assert found(".") == ["a.yaml", "b.yaml"]


def test_standard_input_passes_through_once(here):
    touch("a.yaml")
    assert found("-", "a.yaml", "-") == ["-", "a.yaml"]


class TestExclude:
    def test_patterns_are_relative_to_the_working_directory(self, here):
        touch("a.yaml", "old/a.yaml", "deep/old/b.yaml", "deep/c_old.yaml")
        assert found(".", exclude=["old", "*_old.yaml"]) == ["a.yaml"]
        assert found(str(here), exclude=["/old"]) == [
            str(here / path) for path in ("a.yaml", "deep/c_old.yaml", "deep/old/b.yaml")
        ]

    def test_function_is_asked_about_folders_first(self, here):
        touch("keep/a.yaml", "drop/a.yaml")
        asked = []
        assert found(".", exclude=lambda folder: lambda path: asked.append(path) or path == "drop") == ["keep/a.yaml"]
        assert sorted(asked) == ["drop", "keep", "keep/a.yaml"]

    def test_named_path_is_taken_all_the_same(self, here):
        touch("old/a.yaml")
        assert found("old/a.yaml", exclude=["old"]) == ["old/a.yaml"]


class TestLinks:
    def test_loop_of_folders_ends(self, here):
        touch("a/a.yaml")
        os.symlink("..", "a/up")
        os.symlink(".", "a/self")
        assert found(".") == ["a/a.yaml"]
        assert found("a/up") == ["a/up/a/a.yaml"]

    def test_link_to_a_folder_is_followed_only_when_it_is_named(self, here):
        touch("outside/a.yaml")
        os.makedirs("inside")
        os.symlink("../outside", "inside/link")
        assert found("inside") == []
        assert found("inside/link") == ["inside/link/a.yaml"]

    @pytest.mark.parametrize("target", ["missing.yaml", "a.yaml"])
    def test_link_that_leads_nowhere_is_found_and_cannot_be_read(self, here, target):
        os.symlink(target, "a.yaml")
        touch("b.yaml")
        assert found(".") == ["a.yaml", "b.yaml"]
        with pytest.raises(
            CannotRead, match=f"is a link to missing.yaml, which is not there|{os.strerror(errno.ELOOP)}"
        ):
            read("a.yaml")

    def test_link_to_a_folder_with_the_name_of_a_file(self, here):
        os.makedirs("folder")
        os.symlink("folder", "a.yaml")
        assert found(".") == []


class TestUnreadable:
    @pytest.mark.parametrize("path", ["missing.yaml", "", "nul\0byte", "x" * 5000])
    def test_path_that_does_not_exist_cannot_be_read(self, here, path):
        assert found(path) == [path]
        with pytest.raises(CannotRead, match="cannot be read: "):
            read(path)

    def test_missing_path_named_twice_is_reported_once(self, here):
        assert len(found("missing.yaml", "missing.yaml")) == 1

    def test_folder_without_permission_does_not_end_the_walk(self, here, monkeypatch):
        touch("a/a.yaml", "b/b.yaml", "c.yaml")
        real = os.scandir

        def refuse(folder):
            if folder == "a":
                raise PermissionError(errno.EACCES, "Permission denied")
            return real(folder)

        monkeypatch.setattr(os, "scandir", refuse)
        first, refused, last = found(".")
        assert (first, last) == ("c.yaml", "b/b.yaml")
        assert (refused.path, refused.reason) == ("a", "Permission denied")

    @pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
    def test_real_permissions(self, here):
        touch("a.yaml", "closed/b.yaml")
        os.chmod("a.yaml", 0)
        os.chmod("closed", 0)
        try:
            assert [str(path) for path in found(".")] == ["a.yaml", "Unreadable('closed', 'Permission denied')"]
            with pytest.raises(CannotRead, match="Permission denied"):
                read("a.yaml")
        finally:
            os.chmod("closed", 0o700)

    def test_fifo_is_passed_over_unless_named(self, here):
        os.mkfifo("a.yaml")
        assert found(".") == []
        assert found("a.yaml") == ["a.yaml"]


def test_names_that_are_hard_to_print(here):
    names = ["two\nlines.yaml", "sp ace.yaml", "日本.yaml", os.fsdecode(b"latin\xe9.yaml")]
    touch(*names)
    assert sorted(found(".")) == sorted(names)
