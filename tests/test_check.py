"""How `check` ends: the status and the summary agree."""

import json
from xml.etree import ElementTree

import pytest

from grpo_lint import engine
from grpo_lint.cli import options
from grpo_lint.cli.main import main
from grpo_lint.files import writing
from grpo_lint.settings import files as settings_files

CLEAN = "# grpo-lint: dialect=trl version=1.16.0 world-size=1\nper_device_train_batch_size: 8\nnum_generations: 8\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a clean config, as the working directory."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "clean.yaml").write_text(CLEAN)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _settings_are_no_toml(folder, monkeypatch):
    (folder / ".grpo-lint.toml").write_text("[broken")


def _settings_have_a_mistake(folder, monkeypatch):
    (folder / "pyproject.toml").write_text('[tool.grpo-lint]\nworld-size = "many"\n')


def _grpo_lint_breaks(folder, monkeypatch):
    def breaks(*words, **named):
        raise ZeroDivisionError

    for name in ("lint_bytes", "repair"):
        monkeypatch.setattr(engine, name, breaks)
    monkeypatch.setattr(engine, "failed", lambda path, error: engine.foreign(path))  # a policy may hide that finding


FAILURES = {
    "settings are no TOML": _settings_are_no_toml,
    "settings have a mistake": _settings_have_a_mistake,
    "grpo-lint breaks": _grpo_lint_breaks,
}
WAYS = {
    **{form: ["--output-format", form] for form in options.FORMATS},
    **{f"statistics {form}": ["--statistics", "--output-format", form] for form in options.STATISTICS},
    "colour": ["--color", "always"],
    "Chinese": ["--lang", "zh-CN"],
    "verbose": ["--verbose"],
    "fix": ["--fix"],
    "diff": ["--diff"],
    "never fails": ["--fail-on", "never", "--exit-zero"],
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("failure", FAILURES)
def test_a_run_that_failed_never_says_that_there_are_no_problems(folder, monkeypatch, capsys, failure, way):
    assert main(["check", "clean.yaml", *WAYS[way]]) == 0
    whole = "".join(capsys.readouterr())
    FAILURES[failure](folder, monkeypatch)
    settings_files.forget()
    assert main(["check", "clean.yaml", *WAYS[way]]) == 2
    told = "".join(capsys.readouterr())
    for words in ("no problems", "没有问题"):
        assert words not in told
        if words in whole:
            assert "the run failed" in told or "本次运行失败" in told


def test_documents_for_machines_say_that_a_run_failed(folder, monkeypatch, capsys):
    _settings_are_no_toml(folder, monkeypatch)
    assert main(["check", "clean.yaml", "--output-format", "sarif"]) == 2
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert run["invocations"] == [{"executionSuccessful": False}]
    assert main(["check", "clean.yaml", "--output-format", "junit"]) == 2
    suites = ElementTree.fromstring(capsys.readouterr().out)
    assert (suites.get("tests"), suites.get("errors")) == ("2", "1")


def test_a_text_that_cannot_be_written_is_a_run_that_failed(folder, monkeypatch, capsys):
    def refuses(*words):
        raise writing.NotWritten("of ours")

    (folder / "clean.yaml").write_text(CLEAN.replace("num_generations: 8", "num_generations: 7"))
    monkeypatch.setattr(writing, "replace_all", refuses)
    assert main(["check", "--fix", "--unsafe-fixes", "clean.yaml"]) == 2
    assert "the run failed" in capsys.readouterr().out
