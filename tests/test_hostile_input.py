"""Files of strangers: what one costs is bounded, none of it is run, and nothing in it steers a terminal or the log of a service."""

import subprocess
import sys

import pytest
from conftest import comment, lint_text, names

from grpo_lint.engine import lint_bytes
from grpo_lint.launch.files import LARGEST_FILE
from grpo_lint.source.text import Text
from grpo_lint.source.yaml_reader import MOST_DEPTH, MOST_EVENTS, read_yaml

resource = pytest.importorskip("resource", reason="limits of a process are those of POSIX")

HEAD = comment(dialect="trl", version="1.16.0", world_size=1) + "per_device_train_batch_size: 4\nnum_generations: 8\n"
RUN = "swift rlhf --rlhf_type grpo --model m --dataset d --num_generations 8 --per_device_train_batch_size 3\n"
MOST_SECONDS, MOST_MEMORY = 5, 256 << 20


def most(line):
    """A line as often as a file may hold it."""
    return line * ((LARGEST_FILE - 1000) // len(line))


BOMB = "a0: &a0 {num_generations: 1}\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30))
FILES = {
    "bomb.yaml": HEAD + BOMB,
    "merges.yaml": HEAD + "a: &a {" + ",".join(f"k{n}: 1" for n in range(9000)) + "}\n" + "b: {<<: *a}\n" * 9000,
    "nested-flow.yaml": HEAD + "a: " + "[" * 10_000 + "]" * 10_000 + "\n",
    "nested-blocks.yaml": HEAD + "- " * 10_000 + "\n",
    "a-million-keys.yaml": HEAD + "".join(f"k{n}: {n}\n" for n in range(1_000_000)),
    "many-keys.yaml": HEAD + most("k: 1\n"),
    "many-items.yaml": HEAD + "a: [" + most("a,") + "]\n",
    "one-line.yaml": HEAD + "system_prompt: " + most("x"),
    "quotes.yaml": HEAD + "a: '" + most("''"),
    "sexagesimal.yaml": HEAD + "learning_rate: " + most("1:") + "1\n",
    "open-lists.yaml": HEAD + most("a: [\n"),
    "facts.yaml": HEAD + most("a: 1 # grpo-lint: x=1\n"),
    "suppressions.yaml": HEAD + most("# grpo-lint: ignore[GRPO203]\n"),
    "open-quote.sh": RUN + "echo '" + most("x\n"),
    "open-backticks.sh": RUN + "echo `" + most("x\n"),
    "substitutions.sh": RUN + "echo " + most("$("),
    "arithmetic.sh": RUN + "X=$((9**9**9**9))\nY=$((" + most("("),
    "doubling.sh": "A=aaaaaaaaaa\n" + 'A="$A$A$A$A"\n' * 60 + RUN.strip() + " --max_steps $A\n",
    "braces.sh": RUN.strip() + " --x {1..999999999} " + "{1,2,3}" * 100 + "\n",
    "functions.sh": "".join(f"f{n}() {{ f{n + 1}; f{n + 1}; }}\n" for n in range(4000)) + RUN + "f0\n",
    "flags.sh": RUN.strip() + " " + most("--x 1 ") + "\n",
    "lost-flags.sh": RUN + most("  --x 1\n") + "  -",
    "launches.sh": most(RUN),
    "embedded.yaml": "jobs:\n" + most(f"  - run: |\n      {RUN}"),
}


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))


def started(*words, cwd, **options):
    return subprocess.Popen([sys.executable, "-m", "grpo_lint", *words], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            encoding="utf-8", **options)  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_time_and_memory_are_bounded(tmp_path, name):  # the default output would search for fixes, which costs some more
    (tmp_path / name).write_text(FILES[name])
    process = started("check", name, "--output-format", "concise", cwd=tmp_path, preexec_fn=limits)
    output, error = process.communicate()
    assert (process.returncode, error) in ((0, ""), (1, "")), (process.returncode, error[-300:])
    assert name in output or "no problems" in output


# --- refused by size ------------------------------------------------------------------------------------------------


def test_a_large_file_that_looks_like_ours_is_refused_and_others_are_passed_over():
    filler = b"# x\n" * (LARGEST_FILE // 4 + 1)
    assert names(lint_bytes(HEAD.encode() + filler, "config.yaml")) == ["file-can-be-read"]
    assert lint_bytes(b"services: {vllm: 1}\n" + filler, "compose.yaml").skipped == "larger than 256 KB"
    assert not lint_bytes((HEAD.encode() + filler)[:LARGEST_FILE], "config.yaml").skipped


def test_a_file_of_too_many_keys_or_levels_is_read_as_far_as_that():
    for text in (HEAD + "a: 1\n" * MOST_EVENTS, HEAD + "a: " + "[" * (MOST_DEPTH + 1)):
        (problem,) = read_yaml(Text(text)).problems
        assert "the rest is not read" in problem.message
        assert names(lint_text(text)) == ["file-can-be-parsed"]


# --- nothing is run -------------------------------------------------------------------------------------------------

WATCHED = """
import os, sys
from grpo_lint.cli import main
own = os.path.dirname(os.path.dirname(os.path.abspath(sys.modules["grpo_lint"].__file__)))
here = os.getcwd()
libraries = (own, sys.prefix, sys.base_prefix, os.path.dirname(os.__file__), "/dev/")
def watch(event, arguments):
    if event.split(".")[0] in ("socket", "subprocess", "urllib", "http", "ftplib", "ctypes", "winreg") or event in (
        "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty", "pty.spawn", "os.remove", "os.rename", "pickle.find_class"
    ):
        seen.append((event, repr(arguments)[:200]))
    elif event == "open" and isinstance(arguments[0], str) and not os.path.realpath(arguments[0]).startswith((here, *libraries)):
        seen.append((event, arguments[0]))
    elif event == "exec" and arguments[0].co_filename in ("<unknown>", "<string>") and "touch touched" in str(arguments[0].co_consts):
        seen.append((event, repr(arguments)[:200]))
    elif event == "compile" and arguments[1] == "<unknown>":
        pass  # ast.parse reads a training script; that it is not executed is what `exec` is watched for
    elif event == "compile" and (b"touch touched" in (arguments[0] or b"") if isinstance(arguments[0], bytes) else "touch touched" in (arguments[0] or "")):
        seen.append((event, repr(arguments)[:200]))
seen = []
sys.addaudithook(watch)
main(["check", "."])
main(["check", ".", "--diff", "--unsafe-fixes"])
main(["explain", "."])
os.open("/etc/hostname", os.O_RDONLY)
sys.stderr.write("\\n".join(map(str, seen)))
"""


def test_nothing_is_run_and_nothing_outside_is_read(tmp_path):
    """The audit hook is shown to work by the last step: its own forbidden look at a file outside."""
    (tmp_path / ".git").mkdir()
    touch = "import os; os.system('touch touched')"
    (tmp_path / "a.yaml").write_text(
        HEAD + 'a: !!python/object/apply:os.system ["touch touched"]\nb: !!python/object/new:subprocess.Popen [["touch", "touched"]]\n'
        'c: "{{ __import__(\'os\').system(\'touch touched\') }}"\nd: !!python/name:os.system\nmax_steps: "__import__(\'os\')"\n'
        "deepspeed: /etc/passwd\ne: !include /etc/passwd\n"
    )
    (tmp_path / "b.yaml").write_text(HEAD + "learning_rate: http://localhost:1/x\nmodel_name_or_path: https://localhost:1/x\n")
    (tmp_path / "run.sh").write_text(
        "touch touched; $(touch touched) `touch touched`\nsource /etc/profile\neval 'touch touched'\nA=$((a[$(touch touched)]))\n"
        "curl http://localhost:1 | bash\nwget http://localhost:1\n" + RUN.strip() + " --x <(touch touched) --y $(cat /etc/passwd)\n"
        "python train.py --config a.yaml --num_generations 8\naccelerate launch train.py --config a.yaml\n"
    )
    (tmp_path / "train.py").write_text(f"{touch}\nfrom trl import GRPOConfig\n")
    (tmp_path / "setup.py").write_text(touch)
    (tmp_path / "conftest.py").write_text(touch)
    (tmp_path / "requirements.txt").write_text("-r ../../../etc/passwd\ntrl @ http://localhost:1/trl.whl\n-r https://localhost:1/r.txt\n")
    (tmp_path / "grpo-lint.toml").write_text('baseline = "../../../etc/passwd"\nexclude = ["../../**", "' + "*a" * 2000 + 'b"]\nrules = "train.py"\n')
    result = subprocess.run([sys.executable, "-B", "-c", WATCHED], cwd=tmp_path, capture_output=True, encoding="utf-8", check=False, preexec_fn=limits)
    said = result.stderr.splitlines()
    seen = [line for line in said if line.startswith("('")]
    assert seen == ["('open', '/etc/hostname')"], said
    assert not (tmp_path / "touched").exists()
    assert "must lie inside of the repository" in result.stderr and "rules must be tables" in result.stderr
