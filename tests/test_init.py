"""`grpo-lint init`: what it plans, that nothing is written before somebody agrees, and that nothing is ever lost."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import given, strategies as st
from ruamel.yaml import YAML

import grpo_lint
from grpo_lint import REPOSITORY, __version__
from grpo_lint.cli import hook_entry, init, main as cli
from grpo_lint.cli.hook_entry import NotAdded, with_hook
from grpo_lint.launch import pins
from grpo_lint.settings import files as settings

SOURCE = Path(grpo_lint.__file__).parents[1]
CLEAN = "# grpo-lint: dialect=trl version=1.16.0 world-size=8\nper_device_train_batch_size: 8\nnum_generations: 8\n"
BROKEN = CLEAN.replace("num_generations: 8", "num_generations: 7")
OPEN = (
    "reward_funcs: [accuracy]\nper_device_train_batch_size: 8\nnum_generations: 8\noutput_dir: out\nteam_name: blue\n"
)
FROM = hook_entry.Origin(REPOSITORY, f"v{__version__}", True)
ENTRY = hook_entry.entry(FROM)
WRITTEN = {".grpo-lint.toml", ".grpo-lint-baseline.json", ".pre-commit-config.yaml"}


@pytest.fixture(autouse=True)
def repository(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    write("recipes/broken.yaml", BROKEN, tmp_path)
    write("recipes/open.yaml", OPEN, tmp_path)
    write("requirements.txt", "trl==1.16.0\n", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(init, "origin", lambda: FROM)  # whatever these tests are installed from
    settings.forget()
    pins.forget()
    return tmp_path


@pytest.fixture
def run(capsys):
    def run(*words):
        settings.forget()
        pins.forget()
        status = cli.main(list(words))
        return status, *capsys.readouterr()

    return run


def as_text():
    return hook_entry.as_text(FROM)


def write(name, text, folder=Path()):
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8", newline="")


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# --- what is planned, and when it is done ---------------------------------------------------------------------------


def test_a_dry_run_shows_everything_and_writes_nothing(run, repository):
    before = files(repository)
    status, out, err = run("init", "--dry-run")
    assert (status, err) == (0, "")
    assert all(f"  create  {name}" in out for name in WRITTEN)
    assert "2 findings in 2 files" in out
    assert '+baseline = ".grpo-lint-baseline.json"' in out and "+      - id: grpo-lint" in out
    assert files(repository) == before


def test_without_a_terminal_nothing_is_written_unless_told(run, repository):
    before = files(repository)
    status, out, err = run("init")
    assert status == 2
    assert "--yes writes" in err and "  create  " in out
    assert files(repository) == before
    assert run("init", "--yes")[0] == 0
    assert set(files(repository)) - set(before) == WRITTEN


@pytest.mark.parametrize(
    "answer, written", [(b"y\n", True), (b"YES\n", True), (b"n\n", False), (b"\n", False), (b"\x04", False)]
)
def test_on_a_terminal_it_asks(repository, answer, written):
    screen, terminal = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "TERM": "dumb"}
    command = [sys.executable, "-m", "grpo_lint", "init"]
    with subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, env=environment) as process:
        os.close(terminal)
        seen = b""
        try:
            while piece := os.read(screen, 65536):
                seen += piece
                if seen.endswith(b"[y/N] ") and answer:
                    os.write(screen, answer)
                    answer = b""
        except OSError:  # the other end is closed
            pass
    os.close(screen)
    assert process.returncode == 0
    assert (b"Nothing was written." in seen) is not written
    assert WRITTEN.isdisjoint(files(repository)) is not written


def test_a_second_time_there_is_nothing_to_do(run, repository):
    run("init", "--yes")
    before = files(repository)
    status, out, _ = run("init", "--yes")
    assert (status, "nothing to do" in out) == (0, True)
    assert files(repository) == before


def test_what_fails_today_passes_and_what_is_new_fails(run, repository):
    assert run("--fail-on", "warning")[0] == 1
    run("init", "--yes")
    assert run()[0] == 0
    write("recipes/new.yaml", BROKEN)
    assert run()[0] == 1


def test_it_works_from_a_folder_below(run, repository, monkeypatch):
    monkeypatch.chdir(repository / "recipes")
    assert run("init", "--yes")[0] == 0
    assert set(files(repository)) > WRITTEN
    assert run()[0] == 0


def test_where_nothing_fails_there_is_no_baseline(run, repository):
    write("recipes/broken.yaml", CLEAN)
    write("recipes/open.yaml", CLEAN)
    run("init", "--yes")
    assert WRITTEN & set(files(repository)) == WRITTEN - {".grpo-lint-baseline.json"}
    assert "\nbaseline" not in Path(".grpo-lint.toml").read_text()


def test_each_framework_has_its_own_release(run, repository):
    """One `version` cannot hold for all files where several frameworks are used."""
    write("verl/run.sh", "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_batch_size=256\n")
    write("recipes/swift.sh", "swift rlhf --rlhf_type grpo --model m --dataset d\n")
    run("init", "--yes")
    text = Path(".grpo-lint.toml").read_text()
    assert text.count("# version = ") == 3 and "each has its release below" in text
    assert '# [[overrides]]  # verl\n# paths = ["verl/*"]' in text and '# paths = ["recipes/swift.sh"]' in text
    lines = text.partition("For some files only.\n\n")[2].splitlines()
    stated = "".join(f"{line[2:]}\n" for line in lines if line.startswith(("# [[", "# paths", "# version")))
    write(".grpo-lint.toml", stated)
    assert run("check", ".")[0] == 1
    assert "(settings)" in run("explain", "verl/run.sh")[1]


def test_files_that_state_their_release_need_no_other(run, repository):
    write(
        "verl/run.sh",
        "# grpo-lint: version=0.9.1\npython3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_batch_size=256\n",
    )
    write("recipes/swift.sh", "swift rlhf --rlhf_type grpo --model m --dataset d\n")
    run("init", "--yes")
    text = Path(".grpo-lint.toml").read_text()
    assert '# paths = ["verl/*"]' not in text and '# paths = ["recipes/swift.sh"]' in text


def test_without_git_there_is_no_hook(run, repository):
    (repository / ".git").rmdir()
    run("init", "--yes")
    assert not Path(".pre-commit-config.yaml").exists()


def test_a_repository_without_configs_is_told_so(run, repository):
    for name in ("broken", "open"):
        Path(f"recipes/{name}.yaml").unlink()
    assert "No config or script of GRPO-family training was found here." in run("init", "--dry-run")[1]


@pytest.mark.parametrize("words", [("file.yaml",), (".",)])
def test_it_takes_no_files(run, words):
    assert run("init", *words)[0] == 2


# --- what is there stays --------------------------------------------------------------------------------------------


def test_settings_that_are_there_stay(run, repository):
    write("pyproject.toml", "[tool.grpo-lint]\nseverity = { GRPO104 = 'info' }\n")
    before = files(repository)
    status, out, _ = run("init", "--yes")
    assert status == 0
    assert (
        'To let what fails now pass (1 finding), put baseline = ".grpo-lint-baseline.json" into pyproject.toml' in out
    )
    assert {name: text for name, text in files(repository).items() if name != ".pre-commit-config.yaml"} == before


def test_a_baseline_that_settings_name_is_written(run, repository):
    write("grpo-lint.toml", 'baseline = "ci/known.json"\n')
    (repository / "ci").mkdir()
    run("init", "--yes")
    assert len(json.loads(Path("ci/known.json").read_text())["findings"]) == 2
    assert not Path(".grpo-lint.toml").exists()
    assert run()[0] == 0


def test_a_baseline_that_is_there_stays_and_is_named(run, repository):
    known = '{"version": 1, "findings": []}\n'
    write(".grpo-lint-baseline.json", known)
    run("init", "--yes")
    assert Path(".grpo-lint-baseline.json").read_text() == known
    assert '\nbaseline = ".grpo-lint-baseline.json"\n' in Path(".grpo-lint.toml").read_text()


def test_wrong_settings_are_to_be_mended_first(run, repository):
    write(".grpo-lint.toml", "worldsize = 8\n")
    status, out, err = run("init", "--yes")
    assert (status, out) == (2, "")
    assert "did you mean 'world-size'?; correct that first" in err
    assert not Path(".pre-commit-config.yaml").exists()


def test_findings_below_other_settings_are_not_in_the_baseline(run, repository):
    write("recipes/old/.grpo-lint.toml", 'fail-on = "error"\n')
    write("recipes/old/broken.yaml", BROKEN)
    run("init", "--yes")
    known = json.loads(Path(".grpo-lint-baseline.json").read_text())["findings"]
    assert {entry["path"] for entry in known} == {"recipes/broken.yaml", "recipes/open.yaml"}


def test_a_file_that_came_meanwhile_is_not_overwritten(run, repository, monkeypatch):
    monkeypatch.setattr(init, "_show", lambda *plan: write(".grpo-lint.toml", "# mine\n"))
    status, _, err = run("init", "--yes")
    assert status == 2
    assert ".grpo-lint.toml: not written: it is there by now" in err
    assert Path(".grpo-lint.toml").read_text() == "# mine\n"


def test_a_hook_config_that_changed_meanwhile_is_not_overwritten(run, repository, monkeypatch):
    write(".pre-commit-config.yaml", "repos: []\n")
    monkeypatch.setattr(init, "_show", lambda *plan: write(".pre-commit-config.yaml", "repos: []  # mine\n"))
    assert run("init", "--yes")[0] == 2
    assert Path(".pre-commit-config.yaml").read_text() == "repos: []  # mine\n"


def test_a_link_out_of_the_repository_is_not_followed(run, repository, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "file"
    outside.write_text("repos: []\n")
    Path(".pre-commit-config.yaml").symlink_to(outside)
    Path(".grpo-lint-baseline.json").symlink_to(outside.parent / "nothing")
    status, out, err = run("init", "--yes")
    assert status == 2
    assert "a link that leads out of the repository" in out and ".grpo-lint-baseline.json: not written" in err
    assert [path.name for path in outside.parent.iterdir()] == ["file"]
    assert outside.read_text() == "repos: []\n"


def test_a_hook_config_that_cannot_be_changed_is_left_alone_and_the_rest_is_done(run, repository):
    config = 'repos:\n  - repo: "a\n'
    write(".pre-commit-config.yaml", config)
    status, out, _ = run("init", "--yes")
    assert status == 0
    assert (
        ".pre-commit-config.yaml was left alone (line 2: this quote is never closed" in out
        and as_text().rstrip() in out
    )
    assert Path(".pre-commit-config.yaml").read_text() == config
    assert Path(".grpo-lint.toml").exists()


def test_nothing_of_a_file_steers_the_terminal(run, repository):
    for text in ("repos:\n- repo: 'a'  # \u202e\u009b31m\n", "repos: *\u202ea\n", "? \u202e\n- b\n"):
        write(".pre-commit-config.yaml", text)
        out = run("init", "--dry-run")[1]
        assert "\u202e" not in out and "\u009b" not in out


@pytest.mark.parametrize(
    "data",
    [b"\xef\xbb\xbfrepos:\n- repo: a\n  hooks: []\n", "repos: []\n".encode("utf-16"), b"\xff", b"\0", b"a: " * 400_000],
)
def test_other_encodings_and_no_text_at_all(run, repository, data):
    Path(".pre-commit-config.yaml").write_bytes(data)
    status, out, err = run("init", "--yes")
    assert (status, err) == (0, "")
    written = Path(".pre-commit-config.yaml").read_bytes()
    assert (written == data and "was left alone" in out) or (
        written.startswith(data) and yaml.safe_load(written)["repos"][-1] == ENTRY
    )


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_what_is_no_file_is_left_alone(run, repository, make):
    make(".pre-commit-config.yaml")
    status, out, _ = run("init", "--yes")
    assert (status, "was left alone" in out) == (0, True)


# --- the settings file ----------------------------------------------------------------------------------------------


def uncommented(text):
    """The settings file with everything in force that is shown in comments."""
    shown = [line.removeprefix("# ") for line in text.splitlines()]
    return "\n".join(
        line for line in shown if line.startswith("[[") or line.partition(" = ")[0].replace("-", "").isalpha()
    )


def test_the_settings_say_what_was_found(run, repository):
    run("init", "--yes")
    text = Path(".grpo-lint.toml").read_text()
    assert "trl 1.16.0 (requirements.txt:1)" in text
    assert '# known-keys = ["team_name"]' in text
    assert "the configs of recipes (1 file)" in text and '# paths = ["recipes/**"]' in text


def test_the_pattern_that_is_shown_is_one_of_the_files_that_are_open(run, repository):
    for path in Path("recipes").iterdir():
        path.unlink()
    write(
        "train.py",
        "from trl import GRPOConfig\nargs = GRPOConfig(per_device_train_batch_size=8, num_generations=8, output_dir='o')\n",
    )
    run("init", "--yes")
    assert '# paths = ["*.py"]' in Path(".grpo-lint.toml").read_text()


NAMES = ["recipes", 'a"b', "\\", "x\nbaseline = 3\n", "\u202e", "🎉", "[[overrides]]"]


@pytest.mark.parametrize("name", NAMES)
def test_the_settings_are_valid_and_so_is_all_that_they_show(run, repository, name):
    write(f"{name}/open.yaml", OPEN)
    Path("recipes/open.yaml").unlink()
    run("init", "--yes")
    text = Path(".grpo-lint.toml").read_text(encoding="utf-8")
    settings.forget()
    found = settings.settings_for_folder(str(repository))
    assert found.problems == []
    assert (
        os.path.basename(found.baseline) == ".grpo-lint-baseline.json"
        and not found.facts
        and not found.policy
        and not found.overrides
    )
    write(".grpo-lint.toml", uncommented(text))
    settings.forget()
    found = settings.settings_for_folder(str(repository))
    assert found.problems == []
    assert (
        found.facts["version"].value == "1.16.0"
        and found.policy.required_keys == ["seed"]
        and len(found.overrides) == 1
    )


# --- where the hook comes from --------------------------------------------------------------------------------------

COMMIT = "0123456789abcdef0123456789abcdef01234567"
VCS = {"vcs": "git", "commit_id": COMMIT}


def from_git(url=f"{REPOSITORY}.git", **more):
    return {"url": url, "vcs_info": {**VCS, **more}}


@pytest.mark.parametrize("recorded, expected", [
    (None, (REPOSITORY, f"v{__version__}", True)),  # from an index
    (from_git(), (REPOSITORY, COMMIT, True)),
    (from_git(requested_revision="main"), (REPOSITORY, COMMIT, True)),
    (from_git(requested_revision="v0.1.0"), (REPOSITORY, "v0.1.0", True)),
    (from_git("https://github.com/Someone/fork"), ("https://github.com/Someone/fork", COMMIT, True)),
    (from_git("https://name:secret@example.com/a.git"), ("https://example.com/a.git", COMMIT, True)),
    (from_git("ssh://git@github.com/grpo-lint/grpo-lint"), ("ssh://git@github.com/grpo-lint/grpo-lint", COMMIT, True)),
    (from_git("https://x/a\n  - repo: evil"), (REPOSITORY, COMMIT, True)),
    (from_git(commit_id="$(touch pwned)"), (REPOSITORY, f"v{__version__}", False)),
    ({"url": "file:///a", "dir_info": {"editable": True}}, (REPOSITORY, f"v{__version__}", False)),
    ({"url": "file:///a.whl", "archive_info": {}}, (REPOSITORY, f"v{__version__}", False)),
    ({}, (REPOSITORY, f"v{__version__}", False)),
])  # fmt: skip
def test_the_hook_is_what_is_installed(monkeypatch, recorded, expected):
    """By what pip has recorded (PEP 610): the tag of a release, else the commit, which is there for certain."""
    monkeypatch.setattr(hook_entry, "_recorded", lambda: recorded)
    found = hook_entry.origin()
    assert (found.repository, found.revision, found.is_certain) == expected
    added = yaml.safe_load(with_hook("", found))["repos"]
    assert added == [{"repo": expected[0], "rev": expected[1], "hooks": [{"id": "grpo-lint"}]}]


@pytest.mark.parametrize("text", [json.dumps(from_git()), None, "", "[]", "{", "\x00"])
def test_what_pip_recorded_is_read(monkeypatch, tmp_path, text):
    """From the real place, beside the package; what cannot be read says nothing."""
    place = tmp_path / "site" / "grpo_lint-9.dist-info"
    place.mkdir(parents=True)
    (place / "METADATA").write_text("Metadata-Version: 2.1\nName: grpo-lint\nVersion: 9\n")
    if text is not None:
        (place / "direct_url.json").write_text(text)
    monkeypatch.syspath_prepend(str(place.parent))
    found = hook_entry.origin()
    assert found.revision == (COMMIT if text and "vcs" in text else f"v{__version__}")
    assert found.is_certain is (text is None or "vcs" in text)


@pytest.mark.parametrize("is_certain", [True, False])
def test_a_revision_that_may_not_be_there_is_told(run, monkeypatch, is_certain):
    monkeypatch.setattr(init, "origin", lambda: hook_entry.Origin(REPOSITORY, "v9", is_certain))
    out = run("init", "--dry-run")[1]
    assert "+    rev: v9" in out and (f"git ls-remote {REPOSITORY} HEAD prints the newest." in out) is not is_certain


# --- the entry of the hook ------------------------------------------------------------------------------------------

LAYOUTS = {
    "usual": (
        "repos:\n- repo: a\n  rev: v1  # x\n  hooks:\n  - id: b\n    exclude: |\n      x\n",
        "- repo: {}\n  hooks:\n  - id: grpo-lint\n",
        "",
    ),
    "wide": (
        "fail_fast: true\nrepos:\n-   repo: a\n    hooks:\n    -   id: b",
        "\n-   repo: {}\n    hooks:\n    -   id: grpo-lint\n",
        "",
    ),
    "deep": (
        "repos:\n  - repo: a\n    hooks:\n      - id: b\n",
        "  - repo: {}\n    hooks:\n      - id: grpo-lint\n",
        "\n# end\nci: {}\n",
    ),
    "comment inside": (
        "repos:\n- repo: a\n  hooks:\n  - id: b\n\n  # - id: c\n",
        "- repo: {}\n  hooks:\n  - id: grpo-lint\n",
        "# end\n",
    ),
    "empty lines": (
        "repos:\n- repo: a\n  hooks: [id: x]\n\n- repo: b\n  hooks: []\n",
        "\n- repo: {}\n  hooks:\n    - id: grpo-lint\n",
        "\n\n",
    ),
    "braces inside": (
        "repos:\n  - {repo: a, hooks: [{id: b}]}\n",
        "  - repo: {}\n    hooks:\n      - id: grpo-lint\n",
        "",
    ),
    "end of document": (
        "---\nrepos:\n- repo: a\n  hooks:\n  - id: b\n",
        "- repo: {}\n  hooks:\n  - id: grpo-lint\n",
        "...\n",
    ),
    "nothing": ("", "repos:\n  - repo: {}\n    hooks:\n      - id: grpo-lint\n", ""),
    "no repos": ("# ours\nci: {}", "\nrepos:\n  - repo: {}\n    hooks:\n      - id: grpo-lint\n", ""),
    "null": ("repos:  # soon", "\n  - repo: {}\n    hooks:\n      - id: grpo-lint", "\nci: {}\n"),
}


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_entry_has_the_layout_of_the_file_and_changes_nothing_else(layout, line_break):
    before, entry, after = (part.replace("\n", line_break) for part in LAYOUTS[layout])
    result = with_hook(before + after, FROM)
    line_break = "\r\n" if "\r\n" in before + after else "\n"
    column = entry.index("repo: {}") - (entry.rfind("\n", 0, entry.index("repo: {}")) + 1)
    repo = f"repo: {ENTRY['repo']}{line_break}{' ' * column}rev: {ENTRY['rev']}"
    assert result == before + entry.replace("\r\n", "\n").replace("\n", line_break).replace("repo: {}", repo) + after
    expected = yaml.safe_load(before + after) or {}
    assert yaml.safe_load(result) == {**expected, "repos": [*(expected.get("repos") or []), ENTRY]}
    assert YAML().load(result)["repos"][-1] == ENTRY  # pre-commit reads it with PyYAML, others with other readers
    assert with_hook(result, FROM) == result


def test_empty_brackets_give_way():
    assert with_hook("repos: [ ]  # none yet\nci: {}\n", FROM) == f"repos:  # none yet\n{as_text()}ci: {{}}\n"


@pytest.mark.parametrize("text", [
    "repos: [{repo: a, hooks: [{id: b}]}]\n", '{"repos": []}\n', "- a\n", "text\n", "repos: text\n", "---\nrepos: []\n---\nrepos: []\n",
    "repos: &a\n- &b\n  repo: a\n  hooks: []\n", "repos:\n- a\n b: c\n", "repos: {a: b}\n", "\tx: y\n",
])  # fmt: skip
def test_what_cannot_be_changed_surely_is_refused(text):
    with pytest.raises(NotAdded):
        with_hook(text, FROM)


@pytest.mark.parametrize("hook", ["grpo-lint", "grpo-lint-fix"])
def test_a_hook_that_is_there_is_not_added_again(hook):
    text = f"repos:\n- repo: https://example.com/mirror\n  rev: main\n  hooks:\n  - id: other\n  - id: {hook}\n"
    assert with_hook(text, FROM) == text


words = st.text("ab#:-'\" \n", max_size=6)
hooks = st.lists(
    st.fixed_dictionaries({"id": words}, optional={"args": st.lists(words, max_size=2), "exclude": words}), max_size=2
)
repositories = st.lists(st.fixed_dictionaries({"repo": words}, optional={"rev": words, "hooks": hooks}), max_size=3)
configs = st.fixed_dictionaries(
    {}, optional={"repos": repositories, "exclude": words, "ci": st.dictionaries(words, words, max_size=2)}
)


@given(
    configs, st.sampled_from([None, False]), st.sampled_from([None, '"', "'", "|"]), st.integers(2, 6), st.booleans()
)
def test_whatever_the_file_holds_it_is_kept(config, flow, style, indent, sort):
    before = yaml.safe_dump(config, default_flow_style=flow, default_style=style, indent=indent, sort_keys=sort)
    try:
        after = with_hook(before, FROM)
    except NotAdded:
        assert flow is None or style is not None or not config
        return
    expected = yaml.safe_load(before)
    assert yaml.safe_load(after) == {**expected, "repos": [*(expected.get("repos") or []), ENTRY]}
    rest = iter(after.splitlines())
    assert all(line in rest for line in before.splitlines() if not line.endswith("[]"))
