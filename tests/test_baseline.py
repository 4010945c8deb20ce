"""Baselines: known findings pass and new ones fail, whatever moves; what is gone is told; nothing outside a repository
is read."""

import json
import os
from pathlib import Path

import pytest

from grpo_lint.cli import main as cli
from grpo_lint.launch import pins
from grpo_lint.settings import files as settings

HEAD = "# grpo-lint: dialect=trl version=1.16.0 world-size=7\n"
GROUPS = "num_generations: 8\nper_device_train_batch_size: 1\ngradient_accumulation_steps: 4\n"
BROKEN = HEAD + GROUPS
CLEAN = BROKEN.replace("=7", "=8")
TYPO = HEAD + "learning_rat: 1.0e-6\n"


@pytest.fixture(autouse=True)
def repository(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    settings.forget()
    pins.forget()
    return tmp_path


@pytest.fixture
def run(capsys):
    """run(word, ...) -> (exit status, ["path CODE", ...]); `notes` are the lines of standard error."""

    def run(*words):
        settings.forget()
        status = cli.main([*words, "--output-format", "json"])
        out, run.notes = capsys.readouterr()
        files = json.loads(out)["files"] if out else []
        return status, [f"{file['path']} {found['code']}" for file in files for found in file["diagnostics"]]

    return run


def write(path, text):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def entries(path="known.json"):
    return [(entry["path"], entry["rule"]) for entry in json.loads(Path(path).read_text())["findings"]]


@pytest.fixture
def known(run):
    """A repository whose two findings are known."""
    write("a/broken.yaml", BROKEN)
    write("b/typo.yaml", TYPO)
    assert run("--baseline", "known.json", "--write-baseline")[0] == 0
    assert run.notes == "grpo-lint: known.json: 2 findings, 2 of them new, 0 gone\n"
    assert entries() == [("a/broken.yaml", "GRPO203"), ("b/typo.yaml", "GRPO102")]


@pytest.fixture
def check(run, known):
    return lambda *words: run("--baseline", "known.json", *words)


def test_a_quiet_run_writes_it_without_a_word(run, check):
    assert check("--write-baseline", "--quiet") == (0, [])
    assert run.notes == ""


def test_what_is_known_passes_and_what_is_new_fails(check):
    assert check() == (0, [])
    write("a/broken.yaml", BROKEN + "learning_rat: 1\n")
    assert check() == (1, ["a/broken.yaml GRPO102"])
    write("a/broken.yaml", BROKEN.replace("8", "16"))  # another value is another finding
    assert check() == (1, ["a/broken.yaml GRPO203", "known.json GRPO902"])


def test_lines_may_move_and_files_too(check, monkeypatch):
    write("a/broken.yaml", f"# moved\n\n{HEAD}output_dir: runs\n{GROUPS}")
    assert check() == (0, [])
    os.renames("a/broken.yaml", "c/broken.yaml")
    os.rename("b/typo.yaml", "b/misspelt.yaml")
    assert check() == (0, [])
    monkeypatch.chdir("b")
    assert check("--baseline", "../known.json", "misspelt.yaml") == (0, [])


def test_a_copy_is_not_known(check):
    write("c/broken.yaml", BROKEN)
    assert check() == (1, ["c/broken.yaml GRPO203"])


def test_what_is_known_once_may_be_there_once(check):
    remark = "# grpo-lint: worldsize=8\n"
    write("b/typo.yaml", remark + TYPO)
    assert check("--write-baseline")[0] == 0
    assert check() == (0, [])
    write("b/typo.yaml", remark + TYPO + remark)
    assert check() == (1, ["b/typo.yaml GRPO005"])
    assert check("--write-baseline")[0] == 0
    assert check() == (0, [])
    assert entries().count(("b/typo.yaml", "GRPO005")) == 2


def test_what_is_gone_is_told_where_it_stands_and_taken_out(check, run):
    write("a/broken.yaml", CLEAN)
    status, found = check()
    assert (status, found) == (1, ["known.json GRPO902"])
    assert check("b") == (0, [])  # of files that nobody asked for nothing is known
    assert check("--write-baseline") == (0, [])
    assert run.notes == "grpo-lint: known.json: 1 finding, 0 of them new, 1 gone\n"
    assert entries() == [("b/typo.yaml", "GRPO102")]
    assert check() == (0, [])


def test_a_file_that_is_gone_is_told_by_whoever_walks_its_folder(check):
    os.remove("a/broken.yaml")
    assert check("b") == check("b/typo.yaml") == (0, [])
    assert check() == check("a") == (1, ["known.json GRPO902"])
    assert check("b", "--write-baseline")[0] == 0
    assert ("a/broken.yaml", "GRPO203") in entries()
    assert check("a", "--write-baseline")[0] == 0
    assert entries() == [("b/typo.yaml", "GRPO102")]


def test_the_place_in_the_baseline(check, capsys):
    write("b/typo.yaml", CLEAN)
    assert cli.main(["--baseline", "known.json", "--output-format", "concise"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "known.json:5:5: warning GRPO902 baseline-is-current: GRPO102 at learning_rat is no longer found in b/typo.yaml",
        "1 warning in 3 files checked, 1 skipped, 1 known finding",
    ]


def test_writing_keeps_what_is_known_of_other_files(check):
    write("a/broken.yaml", BROKEN + "learning_rat: 1\n")
    assert check("a", "--write-baseline")[0] == 0
    assert entries() == [("a/broken.yaml", "GRPO102"), ("a/broken.yaml", "GRPO203"), ("b/typo.yaml", "GRPO102")]


@pytest.mark.parametrize("text", [BROKEN.replace(" world-size=7", ""), HEAD + "num_generations: [8\n"])
def test_what_nobody_can_judge_stays_known(check, text):
    """Without a number of processes the arithmetic is open, and a file that cannot be parsed may hold anything."""
    write("a/broken.yaml", text)
    assert "known.json GRPO902" not in check()[1]
    assert check("--write-baseline")[0] == 0
    assert ("a/broken.yaml", "GRPO203") in entries()


def test_what_fails_is_what_is_written(run):
    write("a.yaml", TYPO)
    write("b.yaml", BROKEN)
    assert run("--baseline", "known.json", "--write-baseline", "--fail-on", "error")[0] == 0
    assert entries() == [("b.yaml", "GRPO203")]


def test_fixes_leave_alone_what_is_known(check):
    assert check("--fix") == (0, [])
    assert Path("b/typo.yaml").read_text() == TYPO


# --- baselines that cannot be used ----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [
    "", "no json", "[]", "1", '{"version": 2, "findings": []}', '{"version": 1}', '{"version": 1, "findings": 5}', '{"version": 1, "findings": [1]}',
    '{"version": 1, "findings": [{"path": "a"}]}', '{"version": 1, "findings": [{"path": [], "rule": "a", "key": "", "value": ""}]}',
    "[" * 100_000, '{"version": 1, "findings": [], "x": ' + "9" * 10_000 + "}",
])  # fmt: skip
def test_what_is_no_baseline_is_wrong_usage(run, text):
    write("a.yaml", BROKEN)
    write("known.json", text)
    assert run("--baseline", "known.json") == (2, [])
    assert (
        run.notes
        == "grpo-lint: known.json is no baseline of grpo-lint; --write-baseline writes it anew when it is gone\n"
    )


def test_a_baseline_that_is_not_there(run):
    write("a.yaml", BROKEN)
    assert run("--baseline", "none.json") == (2, [])
    assert run.notes == "grpo-lint: there is no baseline none.json; --write-baseline makes one\n"
    assert run("--write-baseline")[0] == 2
    assert "--baseline FILE" in run.notes


def test_an_entry_about_a_rule_that_is_no_more(run):
    write("a.yaml", CLEAN)
    write("known.json", '{"version": 1, "findings": [{"path": "a.yaml", "rule": "GRPO000", "key": "", "value": ""}]}')
    assert run("--baseline", "known.json") == (1, ["known.json GRPO902"])


# --- baselines that settings name -----------------------------------------------------------------------------------


def test_settings_name_a_baseline(run):
    write("a/broken.yaml", BROKEN)
    write("configs/known.json", '{"version": 1, "findings": []}')
    write("pyproject.toml", '[tool.grpo-lint]\nbaseline = "configs/known.json"\n')
    assert run() == (1, ["a/broken.yaml GRPO203"])
    assert run("--write-baseline")[0] == 0
    assert run() == (0, [])
    os.remove("configs/known.json")
    assert run("--write-baseline")[0] == 0
    assert run("a/broken.yaml") == (0, [])


@pytest.mark.parametrize(
    "value", ["../outside.json", "/etc/hostname", "a/../../outside.json", "link.json", "folder/outside.json"]
)
def test_settings_cannot_name_what_is_outside(run, repository, value, tmp_path_factory):
    """A settings file may come with a stranger's branch."""
    outside = tmp_path_factory.mktemp("outside") / "outside.json"
    outside.write_text('{"version": 1, "findings": []}')
    (repository / "link.json").symlink_to(outside)
    (repository / "folder").symlink_to(outside.parent)
    write("a.yaml", BROKEN)
    write("grpo-lint.toml", f'fail-on = "error"\nbaseline = "{value}"\n')
    assert run()[0] == 2
    assert f"grpo-lint.toml:2: baseline '{value}' must lie inside of the repository\n" in run.notes
    assert run("--write-baseline")[0] == 2
    assert outside.read_text() == '{"version": 1, "findings": []}'


def test_a_baseline_of_settings_that_cannot_be_used(run):
    write("a.yaml", BROKEN)
    write("grpo-lint.toml", 'baseline = "known.json"\n')
    assert run() == (2, ["a.yaml GRPO203"])
    assert "grpo-lint.toml:1: there is no baseline " in run.notes


def test_a_stale_baseline_is_named_from_here(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "grpo-lint.toml").write_text('baseline = "known.json"\n')
    (tmp_path / "c.yaml").write_text(
        "# grpo-lint: dialect=trl version=1.16.0 world-size=1\nnum_generations: 8\nper_device_train_batch_size: 4\n"
    )
    cli.main(["--write-baseline", "."])
    assert "grpo-lint: known.json: " in capsys.readouterr().err
    (tmp_path / "c.yaml").write_text(
        "# grpo-lint: dialect=trl version=1.16.0 world-size=1\nnum_generations: 8\nper_device_train_batch_size: 8\n"
    )
    cli.main(["."])
    assert "--> known.json:" in capsys.readouterr().out
