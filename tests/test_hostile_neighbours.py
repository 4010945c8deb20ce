"""What lies beside a file is a stranger's as well: it is looked at within a budget, what was cut off is told, and
nothing is concluded from it.

Work is counted in calls of Python functions, in characters and in launches, never in seconds.
"""

import ast
import os
import subprocess
import sys

import pytest

from conftest import comment, names, said, told
from grpo_lint.checker import config_file as configs
from grpo_lint.checker.contexts import Around
from grpo_lint.cli.main import main
from grpo_lint.engine import lint_path
from grpo_lint.files import discovery
from grpo_lint.files.budget import DEEPEST_FOLDER, LARGEST_PINS, LARGEST_PROGRAMS, LAUNCHES, LIMITS, MOST_SCRIPTS
from grpo_lint.launch.pins import forget
from grpo_lint.report.messages import message

pytestmark = pytest.mark.slow

CUT = "file-is-looked-at-to-its-end"
SETTINGS = "per_device_train_batch_size: 4\nnum_generations: 8\nmax_completion_length: 100\nlearning_rate: 1.0e-6\n"
STATED = comment(version="1.16.0", world_size=1) + SETTINGS
PROGRAM = "from trl import GRPOConfig, GRPOTrainer, TrlParser\nif __name__ == '__main__':\n    TrlParser(GRPOConfig)\n    GRPOTrainer(1)\n"
LAUNCH = "accelerate launch --num_processes {} train.py --config config.yaml --max_steps {}\n"


@pytest.fixture
def repository(tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def checked(path="config.yaml"):
    return lint_path(path, Around().of(path), fixes=False)


def cut(report):
    """What was cut off; it fails no run."""
    found = [finding for finding in report.findings if finding.rule.name == CUT]
    assert {finding.severity for finding in found} <= {"info"}
    return [message(finding) for finding in found]


class TooMuch(BaseException):
    pass


def within(most, work):
    """What some work returns that calls no more functions of Python than so many."""
    left = most

    def count(frame, event, argument):
        nonlocal left
        if event == "call":
            left -= 1
            if left < 0:
                sys.setprofile(None)
                raise TooMuch

    sys.setprofile(count)
    try:
        return work()
    except TooMuch:
        pytest.fail(f"more than {most:,} calls")
    finally:
        sys.setprofile(None)


# --- programs -------------------------------------------------------------------------------------------------------


def big_programs(repository, count=50):
    for number in range(count):
        (repository / f"train{number:02}.py").write_text(
            PROGRAM + f"x = {number}\n" + "f(a.b.c, d[1], e='x')\n" * 11_000
        )


def parsed(monkeypatch):
    """The sizes of the texts that are parsed from now on."""
    sizes, parse = [], ast.parse
    monkeypatch.setattr(
        ast, "parse", lambda text, *more, **others: sizes.append(len(text)) or parse(text, *more, **others)
    )
    return sizes


def test_of_programs_that_may_train_a_megabyte_is_read(repository, monkeypatch):
    big_programs(repository)
    (repository / "config.yaml").write_text(STATED + "strange_key: 1\n")
    sizes = parsed(monkeypatch)
    report = checked()
    assert sum(sizes) < 2 * LARGEST_PROGRAMS
    assert any("programs of this repository" in problem for problem in cut(report))
    assert said(report, "keys-are-read").severity == "info", "a program that was not read may declare it"
    finding = said(report, "rollout-holds-whole-groups")
    assert (finding.severity, finding.assumes) == ("warning", ["trainer"]) and "not all of" in message(finding)


def test_programs_that_a_script_starts_are_read_up_to_a_megabyte(repository, monkeypatch):
    big_programs(repository, 30)
    (repository / "run.sh").write_text("# grpo-lint: version=1.16.0\n" + "".join(
        f"torchrun train{number:02}.py --num_generations 8 --per_device_train_batch_size 3 --max_completion_length 9 --strange_key 1\n" for number in range(30)
    ))  # fmt: skip
    sizes = parsed(monkeypatch)
    report = checked("run.sh")
    assert sum(sizes) < 2 * LARGEST_PROGRAMS
    assert any("programs that this file starts" in problem for problem in cut(report))


def test_a_function_that_tells_nothing_is_not_parsed_and_what_tells_something_is(repository, monkeypatch):
    helper = 'def helper{}(a, b):\n    """Says\nnothing."""\n    if a == "x":\n        return {}\n    self.a = (\n        b\n    )\n'
    helper += "\ndef other{}(a,\n    b,\n):\n    return a in 'b'\n"
    text = PROGRAM + "".join(helper.replace("{}", str(number)) for number in range(500))
    text += "class OwnTrainer(GRPOTrainer):\n    def step(self):\n        return self.args.strange_key\n    x: int = 1\nOwnTrainer()\n"
    (repository / "train.py").write_text(text)
    (repository / "config.yaml").write_text(STATED + "strange_key: 1\n")
    sizes = parsed(monkeypatch)
    assert "strange_key" not in str(told(checked()))
    assert 0 < sizes[0] < len(text)


# --- scripts --------------------------------------------------------------------------------------------------------


def launch_scripts(repository, count, launches, filler=""):
    for number in range(count):
        lines = "".join(LAUNCH.format(1 + run % 3, number * launches + run) for run in range(launches))
        (repository / f"s{number:03}.sh").write_text("#!/bin/bash\n" + filler + lines)


def test_of_the_commands_that_start_a_config_a_hundred_are_judged(repository, monkeypatch):
    launch_scripts(repository, 30, 100)
    (repository / "config.yaml").write_text(SETTINGS)
    judged, judge = [], configs.judge_launch
    monkeypatch.setattr(configs, "judge_launch", lambda report, launch: judged.append(launch) or judge(report, launch))
    report = checked()
    assert len(judged) == LIMITS[LAUNCHES][0]
    assert any("100 commands that start a run of this file" in problem for problem in cut(report))
    assert said(report, "rollout-holds-whole-groups").assumes == ["version", "arguments"], "this run does start"


def test_of_the_scripts_that_name_a_config_some_are_read(repository):
    launch_scripts(repository, MOST_SCRIPTS + 1, 1, "echo config.yaml\n" * 1000)
    (repository / "config.yaml").write_text(STATED)
    (repository / "s000.sh").write_text("echo config.yaml GRPO --config\n" * 8000)
    report = within(5_000_000, checked)
    assert cut(report)


def test_where_a_script_was_not_read_an_error_of_the_file_alone_is_a_warning(repository):
    (repository / "config.yaml").write_text(STATED)
    assert said(checked(), "rollout-holds-whole-groups").severity == "error"
    for number in range(3):
        (repository / f"s{number}.sh").write_text("echo python --config config.yaml\n" * 7000)
    (repository / "z.sh").write_text(LAUNCH.format(2, 1))
    report = checked()
    finding = said(report, "rollout-holds-whole-groups")
    assert (finding.severity, finding.assumes) == ("warning", ["arguments"]) and "not all scripts" in message(finding)
    assert "only some of the scripts that name this file are looked at" in str(cut(report))


def test_files_that_a_script_names_are_read_once_and_up_to_a_megabyte(repository):
    for number in range(20):
        (repository / f"c{number}.yaml").write_text(SETTINGS + "# x\n" * 60_000)
    (repository / "run.sh").write_text(
        "# grpo-lint: version=1.16.0\n"
        + "".join(f"torchrun train.py --config c{number}.yaml\n" for number in range(20)) * 4
    )
    report = checked("run.sh")
    assert "1 MB of the files that this one names are read" in str(cut(report))
    assert "config-file-exists" not in names(report)


def test_memory_is_freed_between_files(repository):
    """A process that checks more scripts needs hardly more memory."""

    (repository / "config.yaml").write_text(SETTINGS)

    def peak(count):
        launch_scripts(repository, count, 100)
        words = [sys.executable, "-c", "import resource, sys\nfrom grpo_lint.cli import start\nsys.argv[1:] = ['check', '.', '-q']\nstart._leave = lambda status: "
                 "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\nstart.console()"]  # fmt: skip
        return int(subprocess.run(words, capture_output=True, encoding="utf-8", check=True).stdout.split()[-1])

    few = peak(4)
    assert peak(16) < 1.5 * few


# --- folders and patterns -------------------------------------------------------------------------------------------


def test_two_thousand_globs_are_cheap(repository):
    (repository / ".gitignore").write_text("".join(f"*a{number}*b*.y*\n" for number in range(2000)))
    for number in range(200):
        (repository / f"x{number}.yaml").write_text("a: 1\n")
    found = within(200_000, lambda: list(discovery.find_files(["."])))
    assert len(found) == 200


def test_folders_are_walked_to_a_depth(repository, capsys):
    for number in range(300):
        (repository / "config.yaml").write_text(STATED if number < 1 else "a: 1\n")
        (repository / ".gitignore").write_text(f"*.tmp{number}.yaml\n")
        repository = repository / "a"
        repository.mkdir()
    found = within(1_000_000, lambda: list(discovery.find_files(["."])))
    assert sum(type(file) is str for file in found) == DEEPEST_FOLDER + 1
    (left_out,) = [file for file in found if type(file) is not str]
    assert type(left_out) is discovery.NotLookedAt and left_out.path.count("a") == DEEPEST_FOLDER
    main(["check", "a", "--output-format", "concise"])
    output = capsys.readouterr().out
    assert " info GRPO905 " in output and " error " not in output


def test_patterns_that_are_not_tried_are_told(repository):
    (repository / ".gitignore").write_text("**/" + "*a*/" * 10 + "b\n")
    assert list(discovery.find_files(["."])) == []
    (repository / "config.yaml").write_text("a: 1\n")
    (repository / ".gitignore").write_text(("**/" + "*a*/" * 10 + "b\n") * 2000 + "config.yaml\n")
    found = list(discovery.find_files(["."]))
    assert [type(file) for file in found] == [discovery.NotLookedAt, str]
    assert os.path.basename(found[0].path) == ".gitignore"


# --- pins -----------------------------------------------------------------------------------------------------------


def test_files_that_pin_are_read_up_to_a_size(repository):
    (repository / "config.yaml").write_text(SETTINGS.replace("8", "[8]"))
    assert names(checked(), "error")
    (repository / "requirements.txt").write_text("trl==1.16.0\n")
    for number in range(3):
        (repository / f"requirements-{number}.txt").write_text("# trl\n" * (LARGEST_PINS // 15))
    forget()
    report = checked()
    assert "may pin a release" in str(cut(report)) and "were read" in str(told(report)) and not names(report, "error")


NAME_WITHOUT_END = "a/" * 60_000 + "x.json"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("go.sh", f"accelerate launch --num_processes 8 train.py --config {NAME_WITHOUT_END} --num_generations 8\n"),
        ("config.yaml", f"{STATED}deepspeed: {NAME_WITHOUT_END}\n"),
        ("train.py", f"{PROGRAM}import {'a.' * 60_000}a\n"),
        ("train.py", f"{PROGRAM}from {'a.' * 60_000}a import b\n"),
    ],
    ids=["script", "config", "import", "from"],
)
def test_names_without_end_take_no_memory(repository, name, text):
    """A path is looked at part by part, and Python's parser joins the parts of a module one by one: 2 GB and more."""
    (repository / "config.yaml").write_text(STATED + "own_key: 1\n")
    (repository / "train.py").write_text(PROGRAM)
    (repository / "start.sh").write_text(LAUNCH.format(8, 9))
    (repository / name).write_text(text)
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_DATA, (256 << 20, 256 << 20)); "
        "from grpo_lint.cli.main import main; sys.exit(main(['check', '.']))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False)
    assert result.returncode in (0, 1) and "MemoryError" not in result.stdout + result.stderr, result.stderr[-500:]
