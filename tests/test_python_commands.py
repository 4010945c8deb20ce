"""Commands that a file of Python starts: as a list of words, as a text, put together in several statements."""

import pytest

from conftest import lint_text, names
from grpo_lint import engine
from grpo_lint.source.text import Text

TRAIN = '"accelerate", "launch", "--num_processes", "7", "train_grpo.py", "--num_generations", "8"'
REST = '"--per_device_train_batch_size", "1"'
IMPORTS = "import os, shlex, subprocess, sys\n"
# one way each to start the same run: 7 processes with one completion each, in groups of 8
WAYS = {
    "a list": f"subprocess.run([{TRAIN}, {REST}], check=True)",
    "a name": f"cmd = [{TRAIN}, {REST}]\nsubprocess.Popen(cmd, env=dict(os.environ))",
    "grown": f"cmd = [{TRAIN}]\ncmd += ['--beta', str(0.1)]\ncmd.extend([{REST}])\nsubprocess.check_call(cmd)",
    "appended": f"cmd = [{TRAIN}]\nfor each in [{REST}]:\n    cmd.append(each)\nsubprocess.call(cmd)",
    "added": f"launch = [{TRAIN}]\nsubprocess.run(launch + [{REST}])",
    "items": f"more = {{'per_device_train_batch_size': 1}}\ncmd = [{TRAIN}]\nfor k, v in more.items():\n"
    "    cmd += [f'--{k}', str(v)]\nsubprocess.run(cmd)",
    "comprehended": f"more = {{'per_device_train_batch_size': 1}}\n"
    f"subprocess.run([{TRAIN}, *[f'--{{k}}={{v}}' for k, v in more.items()]])",
    "joined": f"cmd = [{TRAIN}, {REST}]\nos.system(' '.join(cmd))",
    "a text": "os.system('accelerate launch --num_processes 7 train_grpo.py --num_generations 8 --per_device_train_batch_size 1')",
    "an f-string": "def main(out, n=7):\n    cmd = f'accelerate launch --num_processes {n} train_grpo.py --output_dir {out}'\n"
    "    cmd += ' --num_generations 8 --per_device_train_batch_size 1'\n    subprocess.run(cmd, shell=True)\nmain(out='x')",
    "split": "subprocess.run(shlex.split('accelerate launch --num_processes 7 train_grpo.py --num_generations 8 '\n"
    "    '--per_device_train_batch_size 1'))",
    "by bash": "subprocess.run(['bash', '-c', 'accelerate launch --num_processes 7 train_grpo.py --num_generations 8 "
    "--per_device_train_batch_size 1'])",
    "its own function": f"def go(cmd):\n    print(cmd)\n    subprocess.run(cmd)\ngo([{TRAIN}, {REST}])",
    "a function that parts its text": "def go(command):\n    subprocess.run(shlex.split(command))\n"
    "go('accelerate launch --num_processes 7 train_grpo.py --num_generations 8 --per_device_train_batch_size 1')",
    "several names at once": "N, SIZE = 7, 1\nos.system(f'accelerate launch --num_processes {N} train_grpo.py "
    "--num_generations 8 --per_device_train_batch_size {SIZE}')",
    "built": f"def command():\n    cmd = [{TRAIN}]\n    cmd += [{REST}]\n    return cmd\nsubprocess.run(command())",
    "this python": "subprocess.run([sys.executable, '-m', 'accelerate.commands.launch', '--num_processes', '7', 'train_grpo.py',\n"
    "    '--num_generations=8', '--per_device_train_batch_size=1'])",
}


def report(text: str, name: str = "start.py") -> engine.Report:
    return engine.lint(Text(IMPORTS + text + "\n", name))


@pytest.mark.parametrize("way", WAYS)
def test_started_as_in_a_shell(way: str) -> None:
    found = report(WAYS[way])
    assert [launch.facts["world_size"].value for launch in found.launches] == [7], way
    assert [finding.rule.code for finding in found.findings if finding.severity != "info"] == ["GRPO203"], way


@pytest.mark.parametrize(
    "text",
    [
        f"assert build() == [{TRAIN}, {REST}]",  # nothing is started
        f"print([{TRAIN}, {REST}])",
        "os.system('echo accelerate launch train_grpo.py --num_generations 8')",
    ],
)
def test_what_is_not_started(text: str) -> None:
    assert report(text).launches == []


def test_a_test_starts_no_training() -> None:
    assert report(WAYS["a list"], "test_start.py").launches == []


def test_what_a_branch_adds_lowers_and_hides_nothing() -> None:
    found = report(f"cmd = [{TRAIN}, {REST}]\nif more:\n    cmd += extra\nsubprocess.run(cmd)")
    assert [(each.rule.code, each.severity) for each in found.findings if each.severity != "info"] == [
        ("GRPO203", "warning")
    ]
    assert "passes on" in str(found.findings[0].note)


def test_a_fix_edits_the_literal() -> None:
    text = IMPORTS + WAYS["grown"] + "\n"
    found = engine.lint(Text(text, "start.py"))
    edit = next(fix for finding in found.findings for fix in finding.fixes if fix.edits).edits[0]
    assert text[edit.start : edit.end] == "8" and text[edit.start - 1] == '"'


def test_expressions_that_double_end() -> None:
    lines = "\n".join(f"a{number} = a{number - 1} + a{number - 1}" for number in range(1, 60))
    assert report(f"a0 = [{TRAIN}]\n{lines}\nsubprocess.run(a59)").launches == []


@pytest.mark.parametrize(
    "before, more",
    [("", ', env={**os.environ, "NPROC_PER_NODE": "8"}'), ('os.environ["NPROC_PER_NODE"] = "8"\n', ""), ('os.environ.setdefault("NPROC_PER_NODE", "8")\n', ""),
     ("e = dict(os.environ, NPROC_PER_NODE='8')\n", ", env=e")],
)  # fmt: skip
def test_an_environment_that_python_makes_may_tell_the_processes(before, more):
    words = "swift rlhf --rlhf_type grpo --model m --dataset d --reward_funcs accuracy --num_generations 16 --per_device_train_batch_size 4 --gradient_accumulation_steps 2".split()
    text = f"import os, subprocess\n{before}subprocess.run({words!r}{more})\n"
    report = lint_text(text, path="start.py")
    assert len(report.launches) == 1 and names(report, "error") == []
    assert names(lint_text(f"import subprocess\nsubprocess.run({words!r})\n", path="start.py"), "error") == [
        "rollout-holds-whole-groups"
    ]
