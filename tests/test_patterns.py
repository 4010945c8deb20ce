"""Patterns of paths: which ones they match, and that none takes long."""

import os

import pytest

from grpo_lint.files import patterns
from grpo_lint.files.patterns import Globs


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*.yaml", "a.yaml", True),
        ("*.yaml", "deep/er/a.yaml", True),
        ("*.yaml", "a.yml", False),
        ("/*.yaml", "a.yaml", True),
        ("/*.yaml", "deep/a.yaml", False),
        ("./*.yaml", "deep/a.yaml", False),
        ("configs/*.yaml", "configs/a.yaml", True),
        ("configs/*.yaml", "configs/deep/a.yaml", False),
        ("configs/*.yaml", "other/configs/a.yaml", False),
        ("**/configs/*.yaml", "other/configs/a.yaml", True),
        ("**/configs/*.yaml", "configs/a.yaml", True),
        ("configs/**/*.yaml", "configs/a.yaml", True),
        ("configs/**/*.yaml", "configs/x/y/a.yaml", True),
        ("configs/**", "configs/x/y/a.yaml", True),
        ("configs/**", "configsx/a.yaml", False),
        ("vendor", "a/vendor/b/c.yaml", True),
        ("vendor", "vendors/c.yaml", False),
        ("vendor/", "a/vendor/b/c.yaml", True),
        ("a/vendor/", "a/vendor/b/c.yaml", True),
        ("a/vendor/", "b/a/vendor/c.yaml", False),
        ("gpu?.yaml", "gpu8.yaml", True),
        ("gpu?.yaml", "gpu16.yaml", False),
        ("gpu?.yaml", "gpu.yaml", False),
        ("a?b", "a/b", False),
        ("a*b*c.yaml", "a-b-b-c.yaml", True),
        ("a*b*c.yaml", "a-c-b.yaml", False),
        ("[ab].yaml", "a.yaml", False),
        ("[ab].yaml", "[ab].yaml", True),
        ("a.yaml", "aXyaml", False),
        ("**", "anything/at.all", True),
        ("", "a.yaml", False),
        ("/", "a.yaml", False),
        ("../*.yaml", "a.yaml", False),
    ],
)
def test_semantics(tmp_path, pattern, path, matches):
    assert Globs([pattern], str(tmp_path)).match(tmp_path / path) is matches


def test_path_outside_never_matches(tmp_path):
    assert not Globs(["**"], str(tmp_path / "inner")).match(tmp_path / "innermost" / "a.yaml")


def test_root_of_the_file_system():
    assert Globs(["*.yaml"], os.sep).match(os.sep + "a.yaml")


@pytest.mark.parametrize("pattern", ["a*" * 60 + "b", "**/" * 60 + "b"])
def test_many_stars_take_steps_in_proportion(tmp_path, monkeypatch, pattern):
    steps = []
    real = patterns._character_matches
    monkeypatch.setattr(patterns, "_character_matches", lambda *pair: steps.append(1) or real(*pair))
    assert not Globs([pattern], str(tmp_path)).match(tmp_path / ("a" * 200))
    assert not Globs([pattern], str(tmp_path)).match(tmp_path / "/".join("a" * 200))
    assert len(steps) < 200 * 200
