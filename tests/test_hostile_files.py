"""What is no file, what stops being one, and what happens when writing fails half-way: always a word about it, and
nothing lost."""

import ast
import contextlib
import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import grpo_lint
from conftest import comment
from grpo_lint.cli.main import main
from grpo_lint.files import disk, writing
from grpo_lint.launch.files import LARGEST_FILE

pytestmark = pytest.mark.slow

HEAD = comment(dialect="trl", version="1.16.0", world_size=1)
BAD = HEAD + "per_device_train_batch_size: 4\nnum_generations: 8\n"
posix = pytest.mark.skipif(os.name == "nt", reason="pipes, signals and limits of a process are those of POSIX")


@pytest.fixture
def here(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.yaml").write_text(BAD)
    return tmp_path


def run(*words, cwd, seconds=60, **options):
    """A process of ours, its output and status. It must end by itself: a pipe that nobody writes to would keep it for
    ever."""
    words = [sys.executable, "-m", "grpo_lint", *words]
    return subprocess.run(
        words, cwd=cwd, capture_output=True, encoding="utf-8", check=False, timeout=seconds, **options
    )


# --- what is no file ------------------------------------------------------------------------------------------------

PLACES = ("named.yaml", "grpo-lint.toml", "pyproject.toml", "requirements.txt", "uv.lock", "ds.json", "accelerate.yaml", "train.py", "config.yaml", "run.sh",
          "swift/version.py", ".gitignore")  # fmt: skip
SCRIPT = "accelerate launch --config_file accelerate.yaml train.py --config config.yaml --deepspeed ds.json --num_generations 8\n"


@posix
@pytest.mark.parametrize("kind", ["pipe", "loop", "nowhere", "folder", "device", "socket"])
@pytest.mark.parametrize("place", PLACES)
def test_what_is_no_file_in_every_place(here, place, kind):
    path = here / place
    path.parent.mkdir(exist_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "loop":
        path.symlink_to(path)
    elif kind == "nowhere":
        path.symlink_to("is-not-there")
    elif kind == "folder":
        path.mkdir()
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        import socket

        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(os.path.relpath(path))
    (here / "start.sh").write_text(SCRIPT)
    (here / "linked.yaml").write_text(BAD + "deepspeed: ds.json\n")
    result = run("check", ".", cwd=here)
    assert result.returncode in (1, 2) and "Traceback" not in result.stderr and "internal error" not in result.stderr, (
        result.stderr
    )
    assert "bad.yaml" in result.stdout, "the others are checked all the same"


@posix
def test_what_is_no_file_on_the_command_line(here):
    os.mkfifo("pipe")
    os.symlink("loop.yaml", "loop.yaml")
    for words in (
        ["loop.yaml"],
        ["bad.yaml", "--baseline", "pipe"],
        ["bad.yaml", "--baseline", "/dev/zero"],
        ["pipe"],
        ["explain", "pipe"],
    ):
        result = run(*words, cwd=here)
        assert result.returncode in (0, 1, 2) and len((result.stdout + result.stderr).splitlines()) >= 1
        assert "Traceback" not in result.stderr and "internal error" not in result.stderr
    assert run("--files-from", "/dev/zero", cwd=here).returncode == 2
    assert "larger than" in run("-v", "/dev/zero", cwd=here).stderr


def test_links_that_lead_in_circles(here, capsys):
    for name, target in (("up", ".."), ("self", "self"), ("a", "b"), ("b", "a"), ("inner", "folder/inner")):
        os.symlink(target, name)
    (here / "folder").mkdir()
    os.symlink("..", "folder/inner")
    os.symlink("../bad.yaml", "folder/same.yaml")
    assert main(["check", "."]) == 1
    assert "1 error in 1 file checked" in capsys.readouterr().out


MODULES = '[submodule "verl"]\n\tpath = verl\n\turl = https://example.org/verl.git\n'


@pytest.mark.parametrize(("modules", "where"), [("", ","), (MODULES, " in the submodule verl,")])
def test_a_link_into_what_is_not_checked_out_fails_no_run_over_a_folder(here, capsys, modules, where):
    (here / ".git").mkdir(exist_ok=True)
    (here / ".gitmodules").write_text(modules)
    (here / "bad.yaml").unlink()
    os.symlink("verl/trainer/ppo.yaml", "ppo.yaml")
    assert main(["check", "--output-format", "concise", "."]) == 0
    told = f"cannot be read: it is a link to verl/trainer/ppo.yaml{where} which is not there"
    assert f"ppo.yaml:1:1: info GRPO002 file-can-be-read: {told}" in capsys.readouterr().out
    assert main(["check", "--output-format", "concise", "ppo.yaml"]) == 1
    assert f"ppo.yaml:1:1: error GRPO002 file-can-be-read: {told}" in capsys.readouterr().out


def test_standard_input_is_read_as_far_as_a_file(here):
    result = run("-v", "-", cwd=here, input=BAD + "# x\n" * LARGEST_FILE)
    assert result.returncode == 1 and "larger than" in result.stdout
    text = "# x\n" * LARGEST_FILE
    assert run("--fix", "-", cwd=here, input=text).stdout == text, "all of it is passed on"


# --- what stops being one -------------------------------------------------------------------------------------------


def test_files_that_vanish_after_they_were_met(here, monkeypatch, capsys):
    for name in ("a.yaml", "z.yaml"):
        (here / name).write_text(BAD)
    real = disk.read

    def read(path, *rest):
        if os.path.basename(path) == "a.yaml":
            os.unlink(path)
        return real(path, *rest)

    monkeypatch.setattr(disk, "read", read)
    assert main(["check", "."]) == 1
    output = capsys.readouterr().out
    assert "a.yaml" in output and "No such file" in output and "z.yaml:3" in output


@pytest.mark.parametrize("change", ["grows", "shrinks", "is emptied"])
def test_files_that_change_while_they_are_read(here, monkeypatch, capsys, change):
    real, path = os.read, here / "bad.yaml"

    def read(descriptor, size):
        if change == "grows" and path.stat().st_size < 3 * LARGEST_FILE:
            with open(path, "a") as file:
                file.write("# more\n" * 1000)
        data = real(descriptor, min(size, 40))
        if change != "grows":
            os.truncate(path, 50 if change == "shrinks" else 0)
        return data

    monkeypatch.setattr(os, "read", read)
    assert main(["check", "bad.yaml"]) in (0, 1)
    assert "internal error" not in capsys.readouterr().err


def test_folders_that_cannot_be_listed(here, monkeypatch, capsys):
    (here / "closed").mkdir()
    real = os.scandir

    def scandir(folder="."):
        if os.path.basename(folder) == "closed":
            raise PermissionError(13, "Permission denied", folder)
        return real(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    assert main(["check", "."]) == 1
    output = capsys.readouterr().out
    assert "closed" in output and "Permission denied" in output and "bad.yaml:3" in output


@posix
def test_a_working_directory_that_is_gone(here):
    (here / "gone").mkdir()
    code = "import os, sys; os.chdir('gone'); os.rmdir('../gone'); sys.argv[1:] = {}; from grpo_lint.cli.start import console; console()"
    for words in (["check", "."], ["check", "../bad.yaml"], ["explain", "../bad.yaml"], []):
        result = subprocess.run(
            [sys.executable, "-c", code.format(words)], cwd=here, capture_output=True, encoding="utf-8", check=False
        )
        (here / "gone").mkdir(exist_ok=True)
        assert (
            result.returncode in (1, 2) and "Traceback" not in result.stderr and "internal error" not in result.stderr
        ), result.stderr


# --- writing --------------------------------------------------------------------------------------------------------

ROOM = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({room}, {room}))
sys.argv[1:] = {words}
from grpo_lint.cli.start import console
console()
"""


def run_with_room(room, *words, cwd):
    """A process of ours that may write no file of more bytes: the disk is full half-way."""
    code = textwrap.dedent(ROOM).format(room=room, words=list(words))
    return subprocess.run(
        [sys.executable, "-B", "-c", code], cwd=cwd, capture_output=True, encoding="utf-8", check=False
    )


@posix
def test_a_full_disk_loses_nothing(here):
    (here / "bad.yaml").write_text(BAD + "# x\n" * 1000)
    (here / "known.json").write_text(json.dumps({"version": 1, "findings": []}) + " " * 3000)
    (here / "report.json").write_text("x" * 3000)
    before = {path.name: path.read_bytes() for path in here.iterdir() if path.is_file()}
    for words in (["--fix", "--unsafe-fixes", "bad.yaml"], ["bad.yaml", "--baseline", "known.json", "--write-baseline"],
                  ["bad.yaml", "--output-format", "json", "--output-file", "report.json"]):  # fmt: skip
        result = run_with_room(60, *words, cwd=here)
        assert result.returncode == 2 and "File too large" in result.stderr and "Traceback" not in result.stderr, (
            result.stderr
        )
        assert {path.name: path.read_bytes() for path in here.iterdir() if path.is_file()} == before


@posix
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_an_output_without_room(here):
    with open("/dev/full", "w") as full:
        for words in (
            ["bad.yaml"],
            ["bad.yaml", "--output-format", "json"],
            ["explain", "bad.yaml"],
            ["rule"],
            ["--help"],
        ):
            result = subprocess.run(
                [sys.executable, "-m", "grpo_lint", *words],
                stdout=full,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                check=False,
            )
            assert result.returncode == 2 and "No space left" in result.stderr and "Traceback" not in result.stderr, (
                result.stderr
            )


@posix
def test_closed_streams(here):
    for closed in (">&-", "2>&-", ">&- 2>&-", "<&-"):
        result = subprocess.run(
            ["sh", "-c", f'exec "$0" -m grpo_lint bad.yaml {closed}', sys.executable],
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert result.returncode == 1 and result.stderr == "", (closed, result)
        assert (">&-" in closed.split()) != ("bad.yaml:3" in result.stdout)


def test_a_file_that_an_option_names_is_written_whole_or_not_at_all(here, monkeypatch):
    (here / "known.json").write_text("old")
    for step in ("replace", "fsync", "chmod"):

        def fail(*arguments, **options):
            raise OSError(5, "Input/output error")

        with monkeypatch.context() as patched:
            patched.setattr(writing.os, step, fail)
            with pytest.raises(writing.NotWritten, match="Input/output"):
                writing.put("known.json", b"new")
        assert (here / "known.json").read_text() == "old"
        assert sorted(os.listdir(here)) == [".git", "bad.yaml", "known.json"]
    writing.put("known.json", b"new")
    assert (here / "known.json").read_text() == "new"


@posix
def test_the_mode_of_what_is_written(here):
    old = os.umask(0o027)
    try:
        writing.put("fresh.json", b"x")
        (here / "kept.json").write_text("old")
        os.chmod("kept.json", 0o604)
        writing.put("kept.json", b"x")
    finally:
        os.umask(old)
    assert os.stat("fresh.json").st_mode & 0o777 == 0o640 and os.stat("kept.json").st_mode & 0o777 == 0o604


@posix
def test_output_into_a_pipe_and_into_an_open_file(here):
    result = run("bad.yaml", "--output-format", "json", "--output-file", "/dev/stdout", cwd=here)
    assert json.loads(result.stdout)["summary"]["errors"] == 1
    with open("out.json", "w") as out:
        subprocess.run(
            [sys.executable, "-m", "grpo_lint", "bad.yaml", "--output-format", "json", "--output-file", "/dev/stdout"],
            stdout=out,
            check=False,
        )
    assert json.loads((here / "out.json").read_text())["summary"]["errors"] == 1


@pytest.mark.parametrize("name", ["組" * 80 + ".yaml", "x" * 250 + ".yaml"])
def test_a_name_as_long_as_a_file_system_allows_is_fixed(here, capsys, name):
    (here / name).write_text(BAD)
    assert main(["--fix", "--unsafe-fixes", name]) == 0 and (here / name).read_text() != BAD


@posix
def test_what_a_fix_cannot_keep_of_a_file_is_said(here, capsys):
    os.link("bad.yaml", "same.txt")
    if hasattr(os, "setxattr"):
        with contextlib.suppress(OSError):  # not every file system keeps them
            os.setxattr("bad.yaml", "user.note", b"mine")
            kept = True
    assert main(["--fix", "--unsafe-fixes", "bad.yaml"]) == 0
    assert "bad.yaml: its other names (1 hard link) keep the old text" in capsys.readouterr().err
    assert (here / "same.txt").read_text() == BAD
    assert "kept" not in locals() or os.getxattr("bad.yaml", "user.note") == b"mine"


# --- signals --------------------------------------------------------------------------------------------------------

SIGNALLED = """
import os, signal, sys
from grpo_lint.files import writing
number, step, turn = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
real = getattr(os, step)
def strike(*arguments, **options):
    global turn
    turn -= 1
    if turn == 0:
        os.kill(os.getpid(), number)
    return real(*arguments, **options)
setattr(writing.os, step, strike)
sys.argv[1:] = ["--fix", "--unsafe-fixes", "."]
from grpo_lint.cli.start import console
console()
"""


def in_the_foreground():
    """What a shell starts in the background ignores SIGINT, and what `nohup` starts SIGHUP; children would, too."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


@posix
@pytest.mark.parametrize("turn", [1, 2])
@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])
def test_a_signal_in_the_middle_of_a_fix_loses_nothing(tmp_path, name, step, turn):
    """In the first file or in the second; step `fsync` comes twice for each, for the file and for its folder."""
    number = getattr(signal, name)
    for each in "ab":
        (tmp_path / f"{each}.yaml").write_text(BAD)
    words = [sys.executable, "-c", textwrap.dedent(SIGNALLED), str(int(number)), step, str(turn)]
    result = subprocess.run(
        words, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False, preexec_fn=in_the_foreground
    )
    assert result.returncode != 0 and "Traceback" not in result.stderr
    texts = [(tmp_path / f"{each}.yaml").read_text() for each in "ab"]
    fixed = [text != BAD for text in texts]
    assert all(
        text == BAD or ("num_generations" in text and text.startswith(HEAD) and len(text) >= len(BAD) - 3)
        for text in texts
    ), texts
    assert fixed == ([False, False] if turn == 1 else [True, False])
    if number != signal.SIGKILL:
        assert result.returncode == {"SIGINT": 130}.get(name, 143) and sorted(os.listdir(tmp_path)) == [
            "a.yaml",
            "b.yaml",
        ]


@posix
@pytest.mark.parametrize("turn", [1, 2])
@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
def test_git_does_not_see_what_a_run_that_was_killed_leaves_behind(tmp_path, step, turn):
    def git(*words):
        return subprocess.run(["git", *words], cwd=tmp_path, capture_output=True, encoding="utf-8", check=True).stdout

    git("init", "--quiet")
    for each in "ab":
        (tmp_path / f"{each}.yaml").write_text(BAD)
    words = [sys.executable, "-c", textwrap.dedent(SIGNALLED), str(int(signal.SIGKILL)), step, str(turn)]
    assert subprocess.run(words, cwd=tmp_path, capture_output=True, check=False).returncode == -signal.SIGKILL
    assert len(os.listdir(tmp_path)) == 3 + (step != "fsync" or turn == 1)
    assert git("status", "--short", "--untracked-files=all") == "?? a.yaml\n?? b.yaml\n"
    git("add", "--all")
    assert git("ls-files").split() == ["a.yaml", "b.yaml"]


@posix
def test_what_a_run_that_was_killed_left_behind_is_removed_and_nothing_else(here):
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    for name in (f".grpo-lint-{gone.pid}-old.tmp", f".grpo-lint-{os.getpid()}-running.tmp", ".grpo-lint-own"):
        (here / name).mkdir()
        (here / name / "new").write_text("part")
        (here / name / ".gitignore").write_text("*\n")
    (here / f".grpo-lint-{gone.pid}-file.tmp").write_text("part")
    (here / f".grpo-lint-{gone.pid}-link.tmp").symlink_to(".grpo-lint-own")
    (here / f".grpo-lint-{gone.pid}-more.tmp").mkdir()
    (here / f".grpo-lint-{gone.pid}-more.tmp" / "notes.txt").write_text("mine")
    assert main(["--fix", "--unsafe-fixes", "bad.yaml"]) == 0
    left = [f"{gone.pid}-link.tmp", f"{gone.pid}-more.tmp", f"{os.getpid()}-running.tmp", "own"]
    assert sorted(os.listdir(here)) == sorted([".git", "bad.yaml", *(f".grpo-lint-{each}" for each in left)])
    assert sorted(os.listdir(here / ".grpo-lint-own")) == [".gitignore", "new"]
    assert os.listdir(here / f".grpo-lint-{gone.pid}-more.tmp") == ["notes.txt"]


# --- settings of a stranger -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "../outside.json",
        "/etc/passwd",
        "link.json",
        "folder/../../outside.json",
        "a\0b",
        "~/x.json",
        "${HOME}/x.json",
        "",
    ],
)
def test_settings_name_no_baseline_outside(tmp_path, monkeypatch, capsys, path):
    repository = tmp_path / "repository"
    (repository / ".git").mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(repository)
    known = {
        "version": 1,
        "findings": [{"path": "bad.yaml", "rule": "GRPO203", "key": "num_generations", "value": "8"}],
    }
    (tmp_path / "outside.json").write_text(json.dumps(known))
    (repository / "bad.yaml").write_text(BAD)
    os.symlink("../outside.json", repository / "link.json")
    (repository / "grpo-lint.toml").write_text(f"baseline = {json.dumps(path)}\n")
    before = (tmp_path / "outside.json").read_bytes()
    assert main(["check", "bad.yaml"]) == 2
    captured = capsys.readouterr()
    assert "bad.yaml:3" in captured.out and "grpo-lint.toml:1: " in captured.err
    assert main(["check", "bad.yaml", "--write-baseline"]) == 2
    assert (tmp_path / "outside.json").read_bytes() == before and sorted(os.listdir(tmp_path)) == [
        "outside.json",
        "repository",
    ]


@pytest.mark.parametrize("table", ['rules = "../evil.py"', 'rules = ["evil.py"]', 'plugins = ["evil.py"]', '[rules.team-x]\nfile = "evil.py"', 'extend = "../other.toml"',
                                   'cache-dir = "/tmp/x"', 'output-file = "x"', "fix = true"])  # fmt: skip
def test_settings_run_nothing_and_write_nothing(here, capsys, table):
    (here / "evil.py").write_text("open('touched', 'w')\n")
    (here / "grpo-lint.toml").write_text(table + "\n")
    assert main(["check", "."]) == 2
    assert "grpo-lint.toml" in capsys.readouterr().err
    assert not (here / "touched").exists() and (here / "bad.yaml").read_text() == BAD


# --- other systems --------------------------------------------------------------------------------------------------

ONLY_POSIX = {
    "fcntl",
    "pwd",
    "grp",
    "resource",
    "termios",
    "tty",
    "pty",
    "posix",
    "syslog",
    "crypt",
    "spwd",
    "readline",
    "curses",
}
OF_POSIX = {"getuid", "geteuid", "getgid", "getpgid", "getpgrp", "setsid", "fork", "forkpty", "mkfifo", "mknod", "chown", "lchown", "fchown", "fchmod", "killpg",
            "nice", "getloadavg", "uname", "statvfs", "sched_getaffinity", "pread", "O_NONBLOCK", "O_CLOEXEC", "O_NOFOLLOW", "O_DIRECTORY"}  # fmt: skip
OF_SIGNALS = {"SIGHUP", "SIGALRM", "SIGPIPE", "SIGKILL", "SIGUSR1", "setitimer", "alarm", "pthread_sigmask"}


def test_the_package_needs_nothing_that_only_posix_has():
    """Names of `os` and `signal` that Windows lacks may be used where the module asks whether they are there."""
    for path in Path(grpo_lint.__file__).parent.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Import):
                assert not ONLY_POSIX.intersection(alias.name for alias in node.names), path
            elif isinstance(node, ast.ImportFrom):
                assert node.module not in ONLY_POSIX, path
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                lacking = {"os": OF_POSIX, "signal": OF_SIGNALS}.get(node.value.id, ())
                asked = f"hasattr({node.value.id}, " in source
                assert node.attr not in lacking or asked, (path, node.lineno, node.attr)
