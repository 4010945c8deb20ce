"""Runs that are replayed: what comes out is always what a run without the cache would print."""

import contextlib
import gc
import io
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grpo_lint import cache, cli, disk, fingerprint, start
from grpo_lint import settings as settings_files
from grpo_lint.cli.options import COMMANDS
from grpo_lint.launch import pins

FACTS = "# grpo-lint: dialect=trl version=1.16.0 world-size=7\n"
RECIPE = "model_name_or_path: a/b\nmax_completion_length: 256\nnum_generations: {group}\nper_device_train_batch_size: {batch}\ngradient_accumulation_steps: 1\n"
LAUNCH = "#!/bin/bash\naccelerate launch --num_processes {processes} train.py --config {config}\n"
FIXABLE = "# grpo-lint: version=4.6.0 world-size=1\nrlhf_type: grpo\nmodel: a/b\ndataset: [a/b]\nnum_generations: 8\nper_device_train_batch_size: 8\ntrain_type: lora\n"
SOURCE = Path(cache.__file__).parents[1]


class Outcome:
    """What a run prints and returns, and whether it was a replay."""

    def __init__(self, status, out, err, replayed):
        self.said = status, out, err
        self.replayed = replayed


def run(*words):
    """The Outcome of a command line in this process, which knows nothing from the runs before."""
    settings_files.forget()
    pins.forget()
    fingerprint._roots.clear()
    runs = []
    main, cli.main = cli.main, lambda words: runs.append(words) or main(words)
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = start.obey(list(words))
    finally:
        cli.main = main
        gc.enable()
    return Outcome(status, out.getvalue(), err.getvalue(), not runs)


def write(path, text):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def process(*words, **environment):
    """The command line in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), **environment}
    return subprocess.run([sys.executable, "-m", "grpo_lint", *words], capture_output=True, encoding="utf-8", env=environment)


@contextlib.contextmanager
def repository():
    """A small repository with everything that bears on a config, as the working directory; the cache stands beside it."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        elsewhere = os.environ["GRPO_LINT_CACHE_DIR"]
        os.environ["GRPO_LINT_CACHE_DIR"] = os.path.join(place, "kept")
        os.makedirs("repository/.git")
        os.chdir("repository")
        write("a.yaml", FACTS + RECIPE.format(group=8, batch=2))
        write("configs/b.yaml", RECIPE.format(group=4, batch=2) + "deepspeed: zero.json\n")
        write("configs/foreign.yaml", "services: {web: {image: nginx}}\n")
        write("zero.json", '{"train_micro_batch_size_per_gpu": 2}\n')
        write("scripts/train.sh", LAUNCH.format(processes=4, config="configs/b.yaml"))
        write("train.py", "from trl import GRPOTrainer\nfrom extra import More\n")
        write("extra.py", "class More: pass\n")
        try:
            yield Path(place)
        finally:
            os.environ["GRPO_LINT_CACHE_DIR"] = elsewhere
            os.chdir(before)


@pytest.fixture
def here(monkeypatch):
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR", "GRPO_LINT_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    with repository() as place:
        yield place


def records(place):
    return sorted((place / "kept").glob("?/*"))


# --- always the same ------------------------------------------------------------------------------------------------

COMMAND_LINES = (
    ["."],
    ["check", "configs/b.yaml", "--output-format", "json"],
    ["a.yaml", "scripts", "--baseline", "known.json", "--output-format", "concise"],
    ["--show-settings", "configs/b.yaml"],
    ["--fix", "--diff", "."],
    ["missing.yaml", "configs"],
)
# What the steps of a random history do: a file gets one of these texts, or vanishes.
TEXTS = {
    "a.yaml": [FACTS + RECIPE.format(group=group, batch=2) for group in (7, 8)] + ["num_generations: [1\n"],
    "configs/b.yaml": [RECIPE.format(group=4, batch=batch) + end for batch in (1, 2) for end in ("deepspeed: zero.json\n", "epsilon: 1\n")],
    "configs/new.yaml": [RECIPE.format(group=3, batch=1)],
    "configs/foreign.yaml": ["services: {}\n", RECIPE.format(group=5, batch=1)],
    "zero.json": ['{"train_micro_batch_size_per_gpu": 3}\n', '{"train_micro_batch_size_per_gpu": 2}\n'],
    "scripts/train.sh": [LAUNCH.format(processes=number, config="configs/b.yaml") for number in (2, 3)],
    "tools/deep/other.sh": [LAUNCH.format(processes=5, config="configs/b.yaml"), "echo\n"],
    "train.py": ["from trl import GRPOTrainer\n", "from extra import More\nclass Own(Trainer): pass\nOwn()\n"],
    "extra.py": ["class More: pass\n", "from dataclasses import dataclass\n@dataclass\nclass ScriptArguments:\n    epsilon: int = 1\n"],
    ".grpo-lint.toml": ['version = "1.16.0"\n', 'ignore = ["GRPO2"]\n', 'exclude = ["configs"]\n', 'fail-on = "nothing"\n', 'baseline = "known.json"\n'],
    "configs/grpo-lint.toml": ["world-size = 8\n", 'severity = { GRPO104 = "info" }\n'],
    "pyproject.toml": ['[tool.grpo-lint]\nworld-size = 6\n', '[project]\ndependencies = ["trl==1.16.0"]\n'],
    "requirements.txt": ["trl==1.15.0\n", "trl==0.20.0\n", "trl\n"],
    "configs/requirements.txt": ["trl==0.16.0\n"],
    "known.json": ['{"version": 1, "findings": []}\n', '{"version": 1, "findings": [{"path": "gone.yaml", "rule": "GRPO203", "key": "", "value": ""}]}\n', "{"],
    ".git/HEAD": ["x"],
}
WRITING = st.sampled_from([("write", path, text) for path, texts in TEXTS.items() for text in texts])
VANISHING = st.sampled_from([("remove", path, "") for path in (*TEXTS, "scripts", "configs", ".git")])
SAME_TIME = st.sampled_from([("same time", "a.yaml", "7"), ("same time", "a.yaml", "8"), ("same time", "requirements.txt", "5"), ("same time", "scripts/train.sh", "6")])
OTHERS = st.sampled_from(
    [("touch", "a.yaml", ""), ("link", "configs/link.yaml", "../a.yaml"), ("link", "configs/link.yaml", "b.yaml"), ("rename", "configs", "settings"),
     ("rename", "settings", "configs"), ("folder", "configs/more.yaml", ""), ("environment", "NO_COLOR", "1"), ("environment", "FORCE_COLOR", "1"),
     ("environment", "COLUMNS", "60")]
)  # fmt: skip


def make(step):
    """Change the repository, or the environment."""
    action, path, more = step
    try:
        if action == "write":
            write(path, more)
        elif action == "remove":
            shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)
        elif action == "same time":  # another digit, and the times are put back
            status, text = os.stat(path), Path(path).read_text()
            digits = [at for at, character in enumerate(text) if character in "45678"]
            write(path, text[: digits[-1]] + more + text[digits[-1] + 1 :])
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        elif action == "touch":
            os.utime(path)
        elif action == "link":
            os.path.lexists(path) and os.unlink(path)
            os.symlink(more, path)
        elif action == "rename":
            os.rename(path, more)
        elif action == "folder":
            os.mkdir(path)
        elif action == "environment":
            os.environ[path] = "" if os.environ.get(path) else more
    except (OSError, IndexError):
        pass  # there is no such file at the moment


def histories(most):
    return st.lists(st.one_of(WRITING, WRITING, VANISHING, SAME_TIME, OTHERS), min_size=1, max_size=most)


counted = {"runs": 0, "replays": 0}


def live_through(steps, words, pause=0.0):
    with repository(), pytest.MonkeyPatch.context() as patch:
        for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR"):
            patch.setenv(name, "")
        for step in [("nothing", "", ""), *steps]:
            make(step)
            time.sleep(pause)
            fresh = run(*words, "--no-cache")
            for _ in range(2):
                kept = run(*words)
                assert kept.said == fresh.said, step
                counted["runs"] += 1
                counted["replays"] += kept.replayed


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(histories(8), st.sampled_from(COMMAND_LINES))
def test_any_history_known_by_content(steps, words):
    """Everything here is young: contents are compared."""
    live_through(steps, words)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(histories(6), st.sampled_from(COMMAND_LINES))
def test_any_history_known_by_signature(steps, words):
    """Everything counts as old, as soon as the clock of the file system has gone on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache, "_YOUNG", 0)
        live_through(steps, words, pause=0.015)


def test_the_histories_were_replayed():
    assert counted["replays"] > counted["runs"] / 4 or not counted["runs"]


def replaced_by_folder(path):
    os.unlink(path)
    os.mkdir(path)


def link_elsewhere(path):
    os.unlink(path)
    os.symlink("zero.json", path)


# {what: (a look, a change that it must notice)}
CHANGES = {
    "content": (lambda: disk.read("a.yaml", 10_000), lambda: write("a.yaml", "other")),
    "content, same size and time": (lambda: disk.read("a.yaml", 10_000), lambda: make(("same time", "a.yaml", "5"))),
    "content up to a limit": (lambda: disk.read("a.yaml", 10), lambda: write("a.yaml", "x" + Path("a.yaml").read_text()[1:])),
    "content behind a link": (lambda: disk.read("link", 10_000), lambda: link_elsewhere("link")),
    "file vanishes": (lambda: disk.read("a.yaml", 10_000), lambda: os.unlink("a.yaml")),
    "file appears": (lambda: disk.kind("new.yaml"), lambda: write("new.yaml", "")),
    "file appears that was to be read": (lambda: pytest.raises(OSError, disk.read, "new.yaml", 10), lambda: write("new.yaml", "")),
    "file becomes a folder": (lambda: disk.kind("a.yaml"), lambda: replaced_by_folder("a.yaml")),
    "folder appears": (lambda: pytest.raises(OSError, disk.listing, "new"), lambda: os.mkdir("new")),
    "listing grows": (lambda: disk.listing("configs"), lambda: write("configs/new.yaml", "")),
    "listing shrinks": (lambda: disk.listing("configs"), lambda: os.unlink("configs/b.yaml")),
    "entry of a listing becomes a folder": (lambda: disk.listing("configs"), lambda: replaced_by_folder("configs/b.yaml")),
    "link leads elsewhere": (lambda: disk.real("link"), lambda: link_elsewhere("link")),
    "home": (lambda: disk.expanded("~/a"), lambda: os.environ.update(HOME="/elsewhere")),
    "environment": (lambda: disk.environment("COLUMNS"), lambda: os.environ.update(COLUMNS="60")),
    "environment, from empty to none": (lambda: disk.environment("NO_COLOR"), lambda: os.environ.pop("NO_COLOR")),
    "terminal": (lambda: disk.is_terminal(voice()), lambda: setattr(sys.stdout, "isatty", lambda: True)),
    "width of the terminal": (lambda: disk.columns(voice()), lambda: setattr(os, "get_terminal_size", lambda _: os.terminal_size((70, 20)))),
}


def voice():
    return disk.watch._voices[0]


@pytest.mark.parametrize("young", [True, False])
@pytest.mark.parametrize("what", CHANGES)
def test_whatever_was_seen_is_noticed_when_it_changes(here, monkeypatch, what, young):
    if not young:
        monkeypatch.setattr(cache, "_YOUNG", 0)
        time.sleep(0.015)
    for name in ("NO_COLOR", "HOME"):
        monkeypatch.setenv(name, "")
    monkeypatch.setattr(os, "get_terminal_size", os.get_terminal_size)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(open(os.devnull, "wb")))
    monkeypatch.setattr(disk, "watch", cache.Watch([cache.Voice(1, sys.stdout, [])]))
    os.symlink("a.yaml", "link")
    look, change = CHANGES[what]
    look()
    observations = [each for each in disk.watch.observations() if each[0] != "program"]
    disk.watch = None
    assert len(observations) == 1 and cache._seen_again(observations) is not None
    time.sleep(0 if young else 0.015)
    change()
    with contextlib.suppress(OSError):
        assert cache._seen_again(observations) is None


# --- what is replayed -----------------------------------------------------------------------------------------------


def test_an_unchanged_run_is_replayed_with_status_and_streams(here):
    first, second = run(".", "-v"), run(".", "-v")
    assert (first.replayed, second.replayed) == (False, True)
    assert first.said == second.said == run(".", "-v", "--no-cache").said
    assert first.said[0] == 1 and "GRPO203" in first.said[1] and "7 processes" in first.said[2]


def test_everything_around_a_config_may_be_there(here):
    write("pyproject.toml", '[project]\ndependencies = ["trl==1.16.0"]\n[tool.grpo-lint]\nbaseline = "known.json"\nexclude = ["old"]\n')
    write("known.json", '{"version": 1, "findings": []}\n')
    write("requirements.txt", "transformers==5.0.0\n")
    write("configs/grpo-lint.toml", "world-size = 4\n")
    write(".gitignore", "*.log\n")
    write("swift", "")  # where a folder would count
    write("requirements", "")
    os.mkdir("uv.lock")
    os.symlink("../a.yaml", "configs/link.yaml")
    os.symlink("nowhere", "configs/broken.yaml")
    assert not run(".").replayed
    assert run(".").replayed


def test_the_same_files_written_anew_are_replayed(here):
    run(".")
    shutil.copytree("configs", "copy")
    shutil.rmtree("configs")
    os.rename("copy", "configs")
    write("a.yaml", Path("a.yaml").read_text())
    assert run(".").replayed


def test_a_replay_renews_what_it_knows_files_by(here, monkeypatch):
    run("a.yaml")  # everything was young
    monkeypatch.setattr(cache, "_YOUNG", 0)
    time.sleep(0.015)
    assert run("a.yaml").replayed
    monkeypatch.setattr(cache.disk, "read", lambda *_: pytest.fail("the content was looked at"))
    monkeypatch.setattr(cache, "_program", lambda *_: pytest.fail("the program was looked at"))
    assert run("a.yaml").replayed


@pytest.mark.parametrize(
    "words",
    [["--fix", "fixable.yaml"], ["-"], ["a.yaml", "--output-file", "out.txt"], ["--baseline", "new.json", "--write-baseline", "."], ["--no-such-option"],
     [".", "--no-cache"], ["--files-from", "-"], ["explain", "a.yaml"]],
)  # fmt: skip
def test_what_does_more_than_look_and_print_is_never_replayed(here, monkeypatch, words):
    write("fixable.yaml", FIXABLE)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    run(*words)
    assert records(here) == []


def test_every_other_command_goes_without():
    assert {*COMMANDS, "init"} == {"check", *start.NEVER_REPLAYED}


@pytest.mark.parametrize(
    "look, change",
    [(lambda path: disk.read(path, 99), lambda path: write(path, "other")), (disk.kind, os.unlink), (disk.real, lambda path: os.rename("link", path))],
    ids=["content", "kind", "real"],
)
def test_a_run_that_sees_two_states_of_a_file_is_not_kept(here, monkeypatch, look, change):
    watch = cache.Watch([])
    monkeypatch.setattr(disk, "watch", watch)
    os.symlink("extra.py", "link")
    look("train.py"), look("train.py")
    assert not watch.spoilt
    change("train.py")
    look("train.py")
    assert watch.spoilt


def test_a_program_that_was_changed_is_asked_again(here):
    shutil.copytree(SOURCE / "grpo_lint", "../program/grpo_lint", ignore=shutil.ignore_patterns("__pycache__"))
    old = time.time() - 10
    for path in Path("../program").rglob("*.py"):
        os.utime(path, (old, old))
    wording = Path("../program/grpo_lint/rules/training_batch.py").resolve()
    there = str(Path("../program").resolve())
    time.sleep(2.1)  # a program that was just installed is not trusted yet
    assert "whole groups" in process("a.yaml", PYTHONPATH=there).stdout
    assert records(here)
    wording.write_text(wording.read_text().replace("whole groups", "WHOLE GROUPS"))
    assert "WHOLE GROUPS" in process("a.yaml", PYTHONPATH=there).stdout


def test_the_terminal_and_the_encoding_count(here):
    assert not run("a.yaml").replayed
    assert run("a.yaml").replayed
    record = cache._load(str(records(here)[0]), records(here)[0].name)
    aspects = {(aspect, path) for aspect, path, _, _ in record.observations}
    assert {("terminal", "1"), ("environment", "NO_COLOR"), ("environment", "COLUMNS")} <= aspects
    assert process("a.yaml", PYTHONIOENCODING="ascii").stdout == process("a.yaml", PYTHONIOENCODING="utf-8").stdout == run("a.yaml").said[1]
    assert len(records(here)) == 3


# --- records --------------------------------------------------------------------------------------------------------


def damaged(data):
    yield from (b"", data[:10], data[: len(data) // 2], data[:-1], data + b"\0", b"\x80\x04" + data[2:])
    for at in range(0, len(data), max(len(data) // 40, 1)):
        yield data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def test_a_damaged_record_is_none(here):
    fresh = run("a.yaml")
    (path,) = records(here)
    data = path.read_bytes()
    for wrong in damaged(data):
        path.write_bytes(wrong)
        outcome = run("a.yaml")
        assert not outcome.replayed and outcome.said == fresh.said
        assert run("a.yaml").replayed  # it was written anew


def test_a_record_of_another_command_is_none(here):
    run("a.yaml")
    (path,) = records(here)
    run("configs")
    (other,) = set(records(here)) - {path}
    other.write_bytes(path.read_bytes())
    assert not run("configs").replayed


@pytest.mark.skipif(os.name == "nt", reason="owners and modes are those of POSIX")
def test_a_record_that_others_may_have_written_is_none(here, monkeypatch):
    run("a.yaml")
    (path,) = records(here)
    assert path.stat().st_mode & 0o777 == 0o600 and path.parent.stat().st_mode & 0o777 == 0o700
    path.chmod(0o620)
    assert not run("a.yaml").replayed
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert not run("a.yaml").replayed


def test_the_cache_stays_small(here, monkeypatch):
    run("a.yaml")
    (path,) = records(here)
    limit = path.stat().st_size * 5
    monkeypatch.setattr(cache, "LARGEST_CACHE", limit * cache._FOLDERS)
    monkeypatch.setattr(cache, "_path", lambda folder, key: os.path.join(folder, "0", key))
    path.unlink()
    for width in range(40, 60):
        run("a.yaml", f"--stdin-filename={width}")
        assert run("a.yaml", "--stdin-filename=40").replayed  # what is used stays
        assert sum(path.stat().st_size for path in records(here)) <= limit
    assert len(records(here)) in (4, 5)
    assert not run("a.yaml", "--stdin-filename=41").replayed


def test_what_is_too_large_for_it_is_not_kept(here, monkeypatch):
    monkeypatch.setattr(cache, "LARGEST_CACHE", 1000 * cache._FOLDERS)
    assert not run("a.yaml").replayed and not run("a.yaml").replayed


@pytest.mark.parametrize("place", ["a.yaml", "/proc/nowhere", "a.yaml/below", "nul\0"])
def test_where_nothing_can_be_written_there_is_no_cache(here, place):
    fresh = run("a.yaml", "--no-cache")
    for _ in range(2):
        assert run("a.yaml", "--cache-dir", place).said == fresh.said


def test_a_full_disk_leaves_nothing_behind(here, monkeypatch):
    fresh = run("a.yaml", "--no-cache")
    monkeypatch.setattr(cache.os, "write", lambda descriptor, data: 7)
    assert run("a.yaml").said == fresh.said
    assert records(here) == []


def test_many_processes_at_once(here):
    words = [["."], ["a.yaml"], ["configs"], [".", "--output-format", "json"]] * 4
    fresh = [process(*each, "--no-cache") for each in words[:4]]
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    for _ in range(2):
        running = [
            subprocess.Popen([sys.executable, "-m", "grpo_lint", *each], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", env=environment)
            for each in words
        ]
        for number, each in enumerate(running):
            out, err = each.communicate()
            expected = fresh[number % 4]
            assert (each.returncode, out, err) == (expected.returncode, expected.stdout, expected.stderr)
    assert all(len(path.name) == 32 and cache._load(str(path), path.name) for path in records(here))


# --- where ----------------------------------------------------------------------------------------------------------


def test_the_folder_is_that_of_the_user_unless_somebody_says_otherwise(monkeypatch, tmp_path):
    for name in ("GRPO_LINT_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache.folder_of(["."]) == "/home/somebody/.cache/grpo-lint"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache.folder_of(["."]) == "/home/somebody/.cache/grpo-lint"
    monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")
    assert cache.folder_of(["."]) == "/elsewhere/grpo-lint"
    monkeypatch.setenv("GRPO_LINT_CACHE_DIR", "/here")
    assert cache.folder_of(["."]) == "/here"
    assert cache.folder_of([".", "--cache-dir", "there"]) == "there" == cache.folder_of(["--cache-dir=there"])
    assert cache.folder_of([".", "--no-cache"]) is None
    assert cache.folder_of(["--", "--no-cache"]) == "/here"
    for name in ("GRPO_LINT_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name)
    assert cache.folder_of(["."]) is None


def test_it_is_kept_out_of_commits_and_backups(here):
    run("a.yaml")
    assert (here / "kept/.gitignore").read_text() == "*\n"
    assert (here / "kept/CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")
