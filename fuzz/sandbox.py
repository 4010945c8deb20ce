"""A repository made of an input, a private folder beside it, and watched runs.

An input of these targets holds the command lines to run, one on each line, and then the files of the repository:

    grpo-lint check . --output-format json
    === config.yaml
    num_generations: 8
    === programs/train{n}.py * 50 @ 250000
    === grpo-lint.toml -> ../outside/secret.toml
    === pipe.yaml |

There are 50 copies of the second file, its text repeated as often as it fits into 250,000 bytes. The third is a link,
the last one a pipe. Inputs are changed at random: names and links that lead out of the sandbox are skipped, so that no
error harms the machine.
"""

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from grpo_lint.cli.main import main
from grpo_lint.files import disk
from grpo_lint.launch import pins
from grpo_lint.settings import files as settings

from .corpus import FILE, ROOT
from .limits import begin_again, limit_process

_top = tempfile.TemporaryDirectory()
TOP = os.path.realpath(_top.name)
HERE, OUTSIDE, SITE, MARK = (os.path.join(TOP, name) for name in ("here", "outside", "site", "marked"))
MOST_BYTES, MOST_FILES = (
    4 << 20,
    2500,
)  # of a repository: each file takes its time, and all together have twenty seconds
_DEVICES = ("/dev/zero", "/dev/null", "/dev/full", "/proc/self/environ")
_HANGS = 120  # wall-clock seconds after which a process is considered to hang

SECRETS = ("plughsecret", "7919373")  # in every file outside the repository only
_SECRET_SETTINGS = f"num_generations: {SECRETS[1]}\nper_device_train_batch_size: 4\nlearning_rate: {SECRETS[0]}\n{SECRETS[0]}: {SECRETS[1]}\n"
_OUTSIDE = {
    "secret.yaml": f"# grpo-lint: dialect=trl version=1.16.0\n{_SECRET_SETTINGS}",
    "secret.toml": f'{SECRETS[0]} = 1\nversion = "{SECRETS[0]}"\nworld-size = {SECRETS[1]}\n',
    "secret.json": f'{{"{SECRETS[0]}": 1, "train_micro_batch_size_per_gpu": {SECRETS[1]}, "optimizer": {{"params": {{"lr": "{SECRETS[0]}"}}}}}}\n',
    "secret.sh": f"export N={SECRETS[1]}\nswift rlhf --rlhf_type grpo --model {SECRETS[0]} --dataset d --num_generations {SECRETS[1]} --{SECRETS[0]} 1\n",
    "secret.py": f"from trl import GRPOTrainer\n@dataclass\nclass Own:\n    {SECRETS[0]}: int = {SECRETS[1]}\nGRPOTrainer(args=HfArgumentParser(Own))\n",
    "secret.txt": f"trl==1.{SECRETS[1]}\ntransformers=={SECRETS[0]}\n{SECRETS[0]}*.yaml\n",
    "folder/secret.yaml": f"# grpo-lint: dialect=trl version=1.16.0\n{_SECRET_SETTINGS}",
    "folder/.gitignore": f"{SECRETS[0]}\n",
    "folder/info/exclude": f"{SECRETS[0]}\n",
}


# --- the repository -------------------------------------------------------------------------------------------------


class Sandbox:
    """The repository of an input: `commands` are its command lines, `files` the paths of its plain files."""

    def __init__(self, data):
        parts = re.split(rb"(?m)^" + FILE.encode() + rb"([^\r\n]*)\r?\n", data)
        self.commands = parts[0].decode("utf-8", "replace").splitlines()
        self.files = []
        for folder in (HERE, OUTSIDE):
            shutil.rmtree(folder, ignore_errors=True)
        Path(MARK).unlink(missing_ok=True)
        for name, text in _OUTSIDE.items():
            path = Path(OUTSIDE, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        if any(b".git/" in name for name in parts[1::2]) and shutil.which("git"):  # git accepts it as a repository then
            subprocess.run(
                ["git", "init", "--quiet", "--template=", HERE],
                env={"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull},
                check=True,
            )
        os.makedirs(os.path.join(HERE, ".git"), exist_ok=True)
        self._room, self._places = MOST_BYTES, MOST_FILES
        for header, text in zip(parts[1::2], parts[2::2]):
            with contextlib.suppress(OSError, ValueError):  # an invalid name, or one that is taken
                self._lay(os.fsdecode(header.replace(b"\0", b"")), text)

    def _lay(self, header, text):
        name, arrow, target = header.partition(" -> ")
        if arrow:
            return self._link(name.strip(), target.strip())
        if name.endswith(" |"):
            return os.mkfifo(self._path(name[:-2]))
        name, copies, size = re.fullmatch(r"(.*?)(?: \* (\d{1,5}))?(?: @ (\d{1,7}))?", name).groups()
        if size and text:
            text *= max(1, int(size) // len(text))
        for number in range(int(copies or 1)):
            self._room -= len(text)
            self._places -= 1
            if self._room < 0 or self._places < 0:
                return None
            path = self._path(name.replace("{n}", str(number)))
            if os.path.lexists(path) and not (os.path.isfile(path) and not os.path.islink(path)):
                os.unlink(path)  # a pipe would wait for a reader, and a link would lead elsewhere
            Path(path).write_bytes(text)
            self.files.append(path)

    def _link(self, name, target):
        path = self._path(name)
        inside = not os.path.isabs(target) and _is_below(
            TOP, os.path.normpath(os.path.join(os.path.dirname(path), target))
        )
        if inside or target in _DEVICES:
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path)
            os.symlink(target, path)

    def _path(self, name):
        """The path of a name in the repository; its folders are created. Raises ValueError for one that leads out of
        it, through links as well."""
        path = os.path.normpath(os.path.join(HERE, name))
        folder = os.path.dirname(path)
        if not _is_below(HERE, path) or not _is_below(HERE, os.path.realpath(folder) + os.sep):
            raise ValueError(name)
        os.makedirs(folder, exist_ok=True)
        return path

    def assert_untouched(self, output=""):
        """Check that nothing outside is shown or was changed, and that nothing of the repository was run."""
        shown = [secret for secret in SECRETS if secret in output]
        assert not shown, (
            "a file outside is shown: " + next(line for line in output.splitlines() if shown[0] in line)[:200]
        )
        left = {
            os.path.relpath(os.path.join(folder, name), OUTSIDE)
            for folder, _, names in os.walk(OUTSIDE)
            for name in names
        }
        assert left == {*_OUTSIDE}, f"there are other files outside: {left ^ {*_OUTSIDE}}"
        changed = [name for name, text in _OUTSIDE.items() if Path(OUTSIDE, name).read_text() != text]
        assert not changed, f"files outside are written: {changed}"
        assert not os.path.exists(MARK), "code of the repository was run"


def _is_below(folder, path):
    return path.startswith(os.path.join(folder, ""))


def is_safe(words):
    """Whether a command line is harmless when it is run: it names only what is in the repository."""
    return not any(
        word.startswith(("/", "~", "--rules")) or ".." in word or "=/" in word or "=~" in word for word in words
    )


# --- in this process ------------------------------------------------------------------------------------------------

_FORBIDDEN = ("subprocess", "socket", "urllib", "http", "ctypes", "pty")
_STARTS = ("os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty")
_LOOKS = (
    "open",
    "os.listdir",
    "os.scandir",
    "os.truncate",
    "os.chmod",
    "os.chown",
    "os.utime",
    "os.setxattr",
    "os.removexattr",
    "os.chdir",
)
_CHANGES = (
    "os.remove",
    "os.rename",
    "os.mkdir",
    "os.rmdir",
    "os.link",
    "os.symlink",
)  # these change a link itself, not its target
_LIBRARIES = tuple(
    {
        os.path.realpath(path)
        for path in (ROOT / "grpo_lint", sys.prefix, sys.base_prefix, os.path.dirname(os.__file__), os.devnull)
    }
)
_seen = None  # what was done outside the repository while it is watched


def _watch(event, arguments):
    if _seen is None:
        return
    if event.split(".")[0] in _FORBIDDEN or event.startswith(_STARTS):
        _seen.append(f"{event} {arguments!r}"[:200])
    elif (
        event == "open"
        and type(arguments[2]) is int
        and arguments[2] & getattr(os, "O_NOFOLLOW", 0)
        and os.path.islink(arguments[0])
    ):
        pass  # the system refuses it
    elif event in _LOOKS or event in _CHANGES:
        for path in arguments[: 2 if event in ("os.rename", "os.link") else 1]:
            if isinstance(path, (str, bytes)) and not _may_be_seen(os.fsdecode(path), event in _CHANGES):
                _seen.append(f"{event} {os.path.relpath(os.fsdecode(path), HERE)} -> {os.path.realpath(path)}"[:200])


def _may_be_seen(path, as_link):
    path = os.path.abspath(path)
    with contextlib.suppress(ValueError):  # a NUL: not a path
        path = (
            os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))
            if as_link
            else os.path.realpath(path)
        )
    return path == HERE or path in sys.path or path.startswith((os.path.join(HERE, ""), *_LIBRARIES))


@contextlib.contextmanager
def watched():
    """A context in which nothing outside the repository may be read, listed or written, and nothing run."""
    global _seen
    if not _hooked:
        sys.addaudithook(_watch)  # permanent; it acts only while a repository is watched
        _hooked.append(True)
    before, _seen = _seen, []
    try:
        yield
        seen = _seen
    finally:
        _seen = before
    assert not seen, f"outside of the repository: {seen[0]}"


_hooked = []


@contextlib.contextmanager
def inside():
    """A context in the repository, with empty caches and no user settings."""
    before, kept = os.getcwd(), dict(os.environ)
    os.chdir(HERE)
    os.environ.update(
        HOME=os.path.join(TOP, "home"), XDG_CONFIG_HOME=os.devnull, GRPO_LINT_DEBUG="1"
    )  # internal failures are raised
    settings.forget()
    pins.forget()
    try:
        yield
    finally:
        os.chdir(before)
        os.environ.clear()
        os.environ.update(kept)


def said(words):
    """(status, standard output, standard error) of a command line, run in this process."""
    streams = [
        io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace", newline="") for _ in range(2)
    ]
    begin_again()
    before, disk.listings = sys.stdin, {}
    sys.stdin = io.TextIOWrapper(io.BytesIO(b"num_generations: 8\nper_device_train_batch_size: 3\nlearning_rate: 1\n"))
    try:
        with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
            status = main(words)
    finally:
        sys.stdin, disk.listings = before, None
    for stream in streams:
        stream.flush()
    return status, *(stream.buffer.getvalue().decode() for stream in streams)


# --- as a process ---------------------------------------------------------------------------------------------------

_CONSOLE = f"#!{sys.executable}\nfrom grpo_lint.cli.start import console\nconsole()\n"


def _install():
    """Install grpo-lint as `pip install --target` does: the package, and the console script beside it."""
    if not os.path.exists(SITE):
        os.makedirs(os.path.join(SITE, "bin"))
        os.symlink(ROOT / "grpo_lint", os.path.join(SITE, "grpo_lint"))
        Path(SITE, "bin", "grpo-lint").write_text(_CONSOLE)
        os.chmod(os.path.join(SITE, "bin", "grpo-lint"), 0o755)


def process(start, words, standard_input=b"", **limits):
    """(status, standard output, standard error) of one of STARTS as a process of its own, in the repository. The status
    is None when the process did not end."""
    _install()
    environment = {
        "PATH": os.environ["PATH"], "HOME": os.path.join(TOP, "home"), "XDG_CONFIG_HOME": os.path.join(TOP, "home"), "PYTHONPATH": SITE, "MARK": MARK,
        "XDG_CACHE_HOME": os.path.join(HERE, ".cache"), "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8",
    }  # fmt: skip
    child = subprocess.Popen([*STARTS[start], *words], cwd=HERE, env=environment, preexec_fn=lambda: limit_process(**limits),
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
    try:
        output, error = child.communicate(standard_input, timeout=_HANGS)
    except subprocess.TimeoutExpired:
        child.kill()
        return None, "", ""
    return child.returncode, output.decode("utf-8", "backslashreplace"), error.decode("utf-8", "backslashreplace")


STARTS = {
    "grpo-lint": [os.path.join(SITE, "bin", "grpo-lint")],
    "isolated": [
        sys.executable,
        "-I",
        "-B",
        "-c",
        f"import sys; sys.path.insert(0, {SITE!r}); from grpo_lint.cli.start import console; console()",
    ],
    "module": [sys.executable, "-m", "grpo_lint"],
}
