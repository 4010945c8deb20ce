"""Files of strangers: what one costs is bounded, none of it is run, and nothing in it steers a terminal or the log of
a service."""

import json
import subprocess
import sys

import pytest
from processor_time import whole_seconds

from conftest import comment, lint_text, names
from grpo_lint.checker.findings import span_of, told
from grpo_lint.engine import lint_bytes, offering
from grpo_lint.fixes.search import Work
from grpo_lint.launch import commands
from grpo_lint.launch.files import LARGEST_FILE
from grpo_lint.report.messages import message
from grpo_lint.source.text import Text
from grpo_lint.source.yaml.reader import MOST_DEPTH, MOST_EVENTS, read_yaml

pytestmark = pytest.mark.slow

resource = pytest.importorskip("resource", reason="limits of a process are those of POSIX")

HEAD = comment(dialect="trl", version="1.16.0", world_size=1) + "per_device_train_batch_size: 4\nnum_generations: 8\n"
RUN = "swift rlhf --rlhf_type grpo --model m --dataset d --num_generations 8 --per_device_train_batch_size 3\n"
VERL = "python -m verl.trainer.main_ppo data.train_batch_size=7 actor_rollout_ref.rollout.n=5 algorithm.adv_estimator=grpo "
# The longest takes some 20 units on a machine of its own; beside other programs a core does half as much.
MOST_UNITS, MOST_MEMORY = 60, 256 << 20


def most(line):
    """A line as often as a file may hold it."""
    return line * ((LARGEST_FILE - 1000) // len(line))


BOMB = "a0: &a0 {num_generations: 1}\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30)
)
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
    "hashes.sh": HEAD + RUN + most("# "),
    "hashes.yaml": HEAD + most("# "),
    "names.sh": RUN + most("# grpo-lint "),
    "names.yaml": HEAD + "# " + most("grpo-lint "),
    "loops.sh": "while [[ x\n" * 25 + RUN,
    "conditions.sh": "if " * 25 + RUN + "then x; fi; " * 25,
    "commands.sh": RUN + most("x\n"),
    "blanks.sh": RUN.strip() + most(" ") + "--max_steps 1\n",
    "arguments.sh": "set -- " + "a " * 60_000 + "\n" + "shift\n" * 20_000 + RUN,
    "empty-arguments.sh": "set -- " + "'' " * 499 + "\n" + 'x "$@"\n' * 20_000 + RUN,
    "arguments-of-functions.sh": 'f() { g "$@"; }\ng() { shift; }\nset -- '
    + "a " * 20_000
    + "\n"
    + 'f "$@"\n' * 19_000
    + RUN,
    "folders-below.sh": RUN + most("cd a\n"),
    "folders-above.sh": RUN + most("cd ..\n"),
    "folders-in-values.sh": "cd " + "a/" * 30_000 + "\n" + "x $(dirname $(pwd))\n" * 9_000 + RUN,
    "repeated-settings.sh": VERL + " ".join(f"a.b={n}" for n in range(18_000)) + "\n",
    "unknown-beginnings.sh": "megatron rlhf --rlhf_type grpo "
    + " ".join(f"--micro_batch_siz{n} 1" for n in range(9000))
    + "\n",
    "embedded.yaml": "jobs:\n" + most(f"  - run: |\n      {RUN}"),
}


@pytest.fixture(scope="module")
def limits():
    """A function that sets the limits of a child: memory, and processor time in the measure of this machine."""
    seconds = whole_seconds(MOST_UNITS)

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))

    return limit


def started(*words, cwd, **options):
    return subprocess.Popen([sys.executable, "-m", "grpo_lint", *words], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            encoding="utf-8", **options)  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_time_and_memory_are_bounded(tmp_path, limits, name):
    """Fixing takes all that checking takes, but for printing what it has mended."""
    path = tmp_path / name
    path.write_text(FILES[name])
    within(limits, path, "--fix", "--unsafe-fixes")
    if path.read_text() != FILES[name]:
        path.write_text(FILES[name])
        within(limits, path)


def within(limits, path, *words):
    """What a check of a file within limits prints."""
    process = started("check", path.name, "--output-format", "full", *words, cwd=path.parent, preexec_fn=limits)
    output, error = process.communicate()
    assert (process.returncode, error) in ((0, ""), (1, "")), (process.returncode, error[-300:])
    assert path.name in output or "no problems" in output
    return output


# --- files beside it ------------------------------------------------------------------------------------------------

LINKED = "accelerate launch --config_file accelerate.yaml train.py --config config.yaml --deepspeed ds.json --num_generations 8\n"
MEGABYTE, SETTINGS = 1 << 20, (1 << 20) - 100
DIAMONDS = "".join(
    f"class {side}{n}Trainer(L{n + 1}Trainer, R{n + 1}Trainer): pass\n" for n in range(2000) for side in "LR"
)


def up_to(line, size):
    """A line as often as it fits."""
    return line * (size // len(line))


NEIGHBOURS = {
    "grpo-lint.toml": {
        "nested": "a = " + "[" * 100_000,
        "tables": "".join(f"[a{n}.b.c.d]\n" for n in range(55_000)),
        "keys of many parts": ".".join(["a"] * 50_000) + " = 1\n",
        "keys of 49 parts": up_to(".".join(["a"] * 49) + ".{} = 1\n", SETTINGS).format(*range(20_000)),
        "a number": "world-size = " + "9" * SETTINGS,
        "overrides": '[[overrides]]\npaths=["a"]\nworld-size=8\n' * 25_000,
        "patterns": "exclude = [" + ",".join([f'"{"*a" * 50}b"'] * 9_000) + "]\n",
        "keys of a team": "known-keys = [" + ",".join(f'"{"*a" * 20}{n}"' for n in range(20_000)) + "]\n",
        "unknown rules": "ignore = [" + ",".join(f'"GRP{n}"' for n in range(90_000)) + "]\n",
        "severities": "[severity]\n" + "".join(f'GRP{n} = "worse"\n' for n in range(50_000)),
        "unknown keys": "".join(f"key{n} = 1\n" for n in range(70_000)),
        "rules": "".join(f'[rules.team-r{n}]\non="num_generations"\nmin=64\n' for n in range(20_000)),
        "an open text": 'a = """' + 'x"' * 500_000,
        "escapes": 'a = "' + "\\\\" * 500_000,
    },
    "pyproject.toml": {
        "tables": "trl\n" + up_to("[tool.poetry.dependencies]\n", 19 * MEGABYTE),
        "open tables": "[tool.poetry.dependencies]\n" + up_to("trl = {a\n", 19 * MEGABYTE),
        "quotes": up_to('"trl[', 19 * MEGABYTE),
        "names before an address": up_to("trl[", 250)
        + " @ git+https://github.com/someone/trl\n"
        + up_to("verl = { git =\n", 19 * MEGABYTE),
    },
    "requirements.txt": {
        "blanks": "trl" + " " * (19 * MEGABYTE),
        "lines of blanks": "trl" + up_to(" " * 1000 + "\n", 19 * MEGABYTE),
        "brackets": up_to("trl[", 19 * MEGABYTE),
        "addresses": up_to("verl @ git+https://a.b/c/verl\n", 19 * MEGABYTE),
        "dashes": "ms" + "-" * (19 * MEGABYTE),
        "one release": "trl==" + "1" * (19 * MEGABYTE),
        "releases": up_to("trl==1.16.0\n", 19 * MEGABYTE),
    },
    "uv.lock": {
        "names": up_to('\nname = "trl"\n', 19 * MEGABYTE),
        "one entry": '\nname = "trl"\n' + "x" * (19 * MEGABYTE),
        "packages": up_to('\n[[package]]\nname = "trl"\nversion = "1.16.0"\n', 19 * MEGABYTE),
    },
    "Pipfile.lock": {"open": up_to('"trl": {', 19 * MEGABYTE)},
    "Dockerfile": {"one line": up_to(" trl[", 19 * MEGABYTE), "lines": up_to("RUN x trl==1.0\n", 19 * MEGABYTE)},
    "setup.cfg": {"equals": up_to("trl = = trl == \n", 19 * MEGABYTE)},
    "environment.yml": {
        "builds": up_to("- a::trl=1=\n", 19 * MEGABYTE),
        "channels": "- " + up_to("a/", 19 * MEGABYTE) + "trl",
    },
    "swift/version.py": {"lines": up_to("__version__ = '3.8.0'\n", 19 * MEGABYTE)},
    "ds.json": {
        "nested": most("["),
        "objects": most('{"optimizer":'),
        "a number": '{"gradient_clipping": ' + most("9") + "}",
        "no numbers": '{"gradient_clipping": 1e999999999, "train_micro_batch_size_per_gpu": NaN, "train_batch_size": -Infinity}',
        "a text": '{"gradient_clipping": "' + most("x") + '"}',
    },
    "train.py": {
        "brackets": most("("),
        "signs": most("-") + "1",
        "sums": most("1+") + "1",
        "attributes": most("a.") + "a",
        "calls": "a" + most("()"),
        "lambdas": most("lambda:") + "1",
        "items": "a = [" + most("1,") + "]",
        "imports": most("import m\n"),
        "decorators": most("@a\n") + "class A: pass\n",
        "lineage": "".join(f"class A{n}(A{n + 1}): pass\n" for n in range(9000)) + "A0Trainer(1)\n",
        "diamonds": DIAMONDS + "L0Trainer(1)\n",
        "NUL": "a\0b",
    },
    "accelerate.yaml": {"nested": "a: " + most("["), "keys": most("num_processes: 7\n")},
    "known.json": {
        "nested": "[" * MEGABYTE,
        "a number": '{"version": ' + "1" * MEGABYTE + ', "findings": []}',
        "other files": json.dumps(
            {
                "version": 1,
                "findings": [{"path": f"p{n}", "rule": "GRPO203", "key": "a", "value": "b"} for n in range(40_000)],
            }
        ),
        "one file": json.dumps(
            {
                "version": 1,
                "findings": [
                    {"path": "bad.yaml", "rule": "GRPO203", "key": "a", "value": str(n)} for n in range(40_000)
                ],
            }
        ),
    },
    ".gitignore": {"stars": up_to("*a*a*a*a*a*a*a*b\n", 4 * MEGABYTE), "one pattern": "*a" * MEGABYTE + "b\n"},
}


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name in NEIGHBOURS for kind in NEIGHBOURS[name]])
def test_time_and_memory_are_bounded_for_the_files_beside_it(tmp_path, limits, name, kind):
    (tmp_path / ".git").mkdir()
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(NEIGHBOURS[name][kind])
    for other, text in (
        ("bad.yaml", HEAD),
        ("config.yaml", HEAD),
        ("linked.yaml", HEAD + "deepspeed: ds.json\n"),
        ("start.sh", LINKED),
    ):
        (tmp_path / other).write_text(text)
    baseline = ("--baseline", "known.json") if name == "known.json" else ()
    process = started("check", ".", "--output-format", "concise", *baseline, cwd=tmp_path, preexec_fn=limits)
    output, error = process.communicate()
    assert process.returncode in (1, 2) and "internal error" not in error and "Traceback" not in error, (
        process.returncode,
        error[-300:],
    )
    assert len(output) < 50_000 and len(error) < 10_000
    assert "bad.yaml:3" in output or (baseline and "is no baseline" in error)


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


# --- what is not looked at is said ----------------------------------------------------------------------------------


def about(report, name):
    """[(line, message)] of what a rule says, lines from 1."""
    return [
        (report.text.position(span_of(finding).start)[0] + 1, message(finding))
        for finding in report.findings
        if finding.rule.name == name
    ]


def test_launches_beyond_the_hundredth_are_told():
    run = RUN.replace("size 3", "size 8 --reward_funcs accuracy")
    for count, expected in ((100, []), (101, [101]), (150, [101])):
        report = lint_text("#!/bin/bash\n" + run * count, path="run.sh")
        said = about(report, "file-is-looked-at-to-its-end")
        assert [line - 1 for line, _ in said] == expected
        assert len(report.launches) == min(count, 100)
    assert "100 commands that start a run are looked at in one script: this one and all below it are not" in said[0][1]
    others = lint_text("#!/bin/bash\n" + run + "python -m http.server --port 1\n" * 150, path="run.sh")
    assert not about(others, "file-is-looked-at-to-its-end"), "what cannot be ours is not missed"
    others = lint_text("#!/bin/bash\n" + "python generation/answer.py --max_tokens 1\n" * 150, path="run.sh")
    assert not about(others, "file-is-looked-at-to-its-end"), "nor what is named by a folder, where none is ours"


def test_launches_beyond_the_hundredth_are_not_read(monkeypatch):
    read, read_arguments = [], commands._read_arguments
    monkeypatch.setattr(
        commands,
        "_read_arguments",
        lambda invocation, words: (read.append(invocation), read_arguments(invocation, words)),
    )
    lint_text("#!/bin/bash\n" + RUN * 1000, path="run.sh")
    assert len(read) == 101  # the last of them is told


@pytest.mark.parametrize("flags", ["", " --num_iterations $N", " --num_iterations ''"])
def test_runs_of_the_same_numbers_share_a_search(flags):
    run = RUN.replace("\n", flags + "\n")
    tries, shown = {}, {}
    for count in (1, 20):
        report, work = lint_text("#!/bin/bash\n" + run * count, path="run.sh"), Work()
        offering(report, work=work).add(report.findings)
        tries[count] = Work().tries - work.tries
        fixes = [
            [(fix.title, fix.effect, fix.safety) for fix in finding.fixes]
            for finding in report.findings
            if finding.fixes
        ]
        shown[count] = set(map(repr, fixes))
        assert all(
            any(finding.fixes for finding in report.findings if finding.launch is launch) for launch in report.launches
        )
    assert tries[1] == tries[20] > 0 and shown[1] == shown[20]


def test_runs_of_other_numbers_are_searched_apart():
    def tries(script):
        work = Work()
        report = lint_text("#!/bin/bash\n" + script, path="run.sh")
        offering(report, work=work).add(report.findings)
        return Work().tries - work.tries

    other, unknown, empty = (
        RUN.replace("\n", f" {flag}\n") for flag in ("--num_iterations 2", "--num_iterations $N", "--num_iterations ''")
    )
    assert tries(RUN + other) == tries(RUN) + tries(other)
    assert tries(unknown + empty) == tries(unknown) + tries(empty)


def test_scripts_beyond_the_hundredth_are_told():
    report = lint_text("jobs:\n" + f"- run: |\n    {RUN}" * 101)
    assert about(report, "file-is-looked-at-to-its-end") == [
        (203, "100 scripts are looked at in one file: this one and all below it are not")
    ]


@pytest.mark.parametrize("path", ["config.yaml", "run.sh"])
def test_comments_beyond_the_hundredth_are_told(path):
    body = (
        "per_device_train_batch_size: 8\nnum_generations: 8\n"
        if path == "config.yaml"
        else RUN.replace("size 3", "size 8 --reward_funcs accuracy")
    )
    told = [
        about(lint_text("# grpo-lint: dialect=trl\n" * count + body, path=path), "comment-is-understood")
        for count in (100, 101, 300)
    ]
    assert told[0] == [] and told[1] == told[2] == [
        (101, "100 comments for grpo-lint are read in one file: this one and all below it are not")
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("( " * 40 + RUN + " )" * 40, "nest more than 30 deep"),
        ("x\n" * 20_001 + RUN, "more than 20,000 commands of one script"),
        ("while [[ x\n" * 20 + RUN, "loops in loops"),
    ],
    ids=["nesting", "commands", "loops"],
)
def test_what_a_script_holds_too_much_of_is_told(text, said):
    report = lint_text("#!/bin/bash\n" + text, path="run.sh")
    assert any(said in told for _, told in about(report, "file-is-looked-at-to-its-end"))


def test_of_many_findings_of_a_kind_a_hundred_are_told():
    report = lint_text(HEAD.replace("size: 4", "size: 8") + "num_generations: 8\n" * 150)
    assert len(report.findings) == 150
    shown = told(report)
    assert len(shown) == 101
    assert about(report, "key-stands-once")[100][0] == 104
    assert message(shown[-1]) == "this finding of GRPO003 and 49 more of its kind in this file are not shown"


# --- what bash cannot read ------------------------------------------------------------------------------------------

GOOD_RUN = RUN.strip().replace("size 3", "size 8 --reward_funcs accuracy") + "\n"


@pytest.mark.parametrize(
    ("text", "severity", "line", "said"),
    [
        ("if x; then\n" + GOOD_RUN, "error", 2, "the run in line 3 never starts"),
        (GOOD_RUN + "fi\n", "warning", 3, "the commands above it have run by then"),
        ("echo 'x\n" + GOOD_RUN, "error", 2, "quote is never closed"),
        ("for n in 1 2; do\ndone\n" + GOOD_RUN, "error", 2, "this loop is empty"),
        ("if x; then y; else\n" + GOOD_RUN + "done\nfi\n", "error", 4, "the run in line 3 never starts"),
        ("f() (\n" + GOOD_RUN + "}\n", "error", 4, "`}` closes nothing"),
    ],
)
def test_what_bash_cannot_read(text, severity, line, said):
    report = lint_text("#!/bin/bash\n" + text, path="run.sh")
    (finding,) = [finding for finding in report.findings if finding.rule.name == "script-can-be-parsed"][:1]
    assert (finding.severity, report.text.position(finding.span.start)[0] + 1) == (severity, line) and said in message(
        finding
    )


@pytest.mark.parametrize(
    "text",
    [
        "#!/bin/zsh\nif x { y }\n" + GOOD_RUN,
        "#!/bin/bash\r\nif x; then\r\n" + GOOD_RUN,
        "#!/bin/bash\n" + GOOD_RUN + "cat <<EOF\nx\n",
        "#!/bin/bash\n" + GOOD_RUN + "x=$(echo `|` y)\n",
        "#!/bin/bash\n" + GOOD_RUN.strip() + " --model <your_model>\n",
        "#!/bin/bash\ncat <<EOF\nif ( then\nEOF\n" + GOOD_RUN,
    ],
    ids=["zsh", "windows", "here-document", "backquotes", "placeholder", "text"],
)
def test_what_bash_reads_or_nobody_asks_it_to(text):
    assert not about(lint_text(text, path="run.sh"), "script-can-be-parsed")


# --- nothing is run -------------------------------------------------------------------------------------------------

WATCHED = """
import os, sys
sys.path[:0] = eval(sys.argv[1])
from grpo_lint.cli.main import main
own = os.path.dirname(os.path.dirname(os.path.abspath(sys.modules["grpo_lint"].__file__)))
here = os.getcwd()
libraries = (own, sys.prefix, sys.base_prefix, os.path.dirname(os.__file__), "/dev/")
looks = ("open", "os.listdir", "os.scandir")
changes = ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.chmod", "os.chown", "os.truncate", "os.utime", "os.setxattr")
def is_outside(path, *more):
    return isinstance(path, str) and not os.path.realpath(path).startswith((here, *more))
def watch(event, arguments):
    if event == "open" and isinstance(arguments[0], str) and arguments[2] & os.O_NOFOLLOW and os.path.islink(arguments[0]):
        return  # it is refused
    if event.split(".")[0] in ("socket", "subprocess", "urllib", "http", "ftplib", "ctypes", "winreg") or event in (
        "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty", "pty.spawn", "pickle.find_class"
    ):
        seen.append((event, repr(arguments)[:200]))
    elif event in changes and any(is_outside(os.path.dirname(path) or ".") for path in arguments if isinstance(path, str)):  # a link is changed, not its target
        seen.append((event, repr(arguments)[:200]))
    elif event == "open" and arguments[1] not in ("r", "rb", None) and is_outside(arguments[0], "/dev/"):
        seen.append((event, repr(arguments)[:200]))
    elif event in looks and is_outside(arguments[0], *libraries):
        seen.append((event, arguments[0]))
    elif event == "exec" and arguments[0].co_filename.startswith(here):
        seen.append((event, arguments[0].co_filename))  # a module of the working directory
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
for form in ("json", "sarif", "github", "gitlab", "junit", "markdown"):
    main(["check", ".", "--output-format", form, "--verbose"])
main(["check", ".", "--show-settings"])
for words in (["rule"], ["rule", "GRPO203"], ["schema", "trl@1.16"], ["completion", "bash"], ["--statistics"], ["--strict", "--exit-zero"], ["--version"],
              ["--baseline", "known.json", "--write-baseline"], ["--output-format", "json", "--output-file", "out.json"], ["--fix", "--unsafe-fixes"], ["init", "--yes"]):
    main(words)
from grpo_lint.lsp.actions import actions, complete
from grpo_lint.lsp.client import Client
from grpo_lint.lsp.completion import completion
from grpo_lint.lsp.hover import hover
from grpo_lint.lsp.session import Session
session, answers = Session(), []
for name in ("a.yaml", "b.yaml", "run.sh"):
    path = os.path.join(here, name)
    document = session.open("file://" + path, path, 1, open(path).read())
    report = session.report(document)
    for offset in range(0, len(document.text.text), 7):
        answers += filter(None, [hover(report, offset, "utf-16")])
        answers += completion(document.text, offset, report, session.context(document), "utf-16")
    for action in filter(None, actions(session, document, 0, len(document.text.text), None, Client())):
        complete(session, document, action, Client())
        answers.append(action)
print("answers to an editor:", len(answers))
os.open("/etc/hostname", os.O_RDONLY)
sys.stderr.write("\\n".join(map(str, seen)))
"""


def test_nothing_is_run_and_nothing_outside_is_read(tmp_path, limits):
    """The audit hook is shown to work by the last step: its own forbidden look at a file outside."""
    outside, tmp_path = tmp_path, tmp_path / "repository"
    (tmp_path / ".git").mkdir(parents=True)
    touch = "import os; os.system('touch touched')"
    for name in ("yaml", "json", "re", "typing", "difflib", "tempfile", "pygls", "lsprotocol", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text(touch)
    (outside / "secret.yaml").write_text(
        HEAD + "per_device_train_batch_size: 4\nnum_generations: 8\nrun_name: geheim\n"
    )
    (outside / "secrets").mkdir()
    (outside / "secrets" / "secret.sh").write_text(RUN)
    for link in (
        "linked.yaml",
        "linked.sh",
        "ds.json",
        "pyproject.toml",
        ".gitignore",
        ".grpo-lint.toml",
        "uv.lock",
        "trainer.py",
        "out.json",
    ):
        (tmp_path / link).symlink_to("../secret.yaml")
    for link in ("configs", "requirements", "swift"):
        (tmp_path / link).symlink_to("../secrets")
    (tmp_path / "c.yaml").write_text(
        HEAD
        + "per_device_train_batch_size: 4\nnum_generations: 8\ndeepspeed: ds.json\nfsdp_config: configs/secret.sh\n"
    )
    (tmp_path / "start.sh").write_text("accelerate launch --config_file linked.yaml trainer.py --config linked.yaml\n")
    (tmp_path / "a.yaml").write_text(
        HEAD
        + 'a: !!python/object/apply:os.system ["touch touched"]\nb: !!python/object/new:subprocess.Popen [["touch", "touched"]]\n'
        "c: \"{{ __import__('os').system('touch touched') }}\"\nd: !!python/name:os.system\nmax_steps: \"__import__('os')\"\n"
        "deepspeed: /etc/passwd\ne: !include /etc/passwd\n"
    )
    (tmp_path / "b.yaml").write_text(
        HEAD + "learning_rate: http://localhost:1/x\nmodel_name_or_path: https://localhost:1/x\n"
    )
    (tmp_path / "run.sh").write_text(
        "touch touched; $(touch touched) `touch touched`\nsource /etc/profile\neval 'touch touched'\nA=$((a[$(touch touched)]))\n"
        "curl http://localhost:1 | bash\nwget http://localhost:1\n"
        + RUN.strip()
        + " --x <(touch touched) --y $(cat /etc/passwd)\n"
        "python train.py --config a.yaml --num_generations 8\naccelerate launch train.py --config a.yaml\n"
    )
    (tmp_path / "train.py").write_text(f"{touch}\nfrom trl import GRPOConfig\n")
    (tmp_path / "setup.py").write_text(touch)
    (tmp_path / "conftest.py").write_text(touch)
    (tmp_path / "requirements.txt").write_text(
        "-r ../../../etc/passwd\ntrl @ http://localhost:1/trl.whl\n-r https://localhost:1/r.txt\n"
    )
    (tmp_path / "grpo-lint.toml").write_text(
        'baseline = "../../../etc/passwd"\nexclude = ["../../**", "' + "*a" * 2000 + 'b"]\nrules = "train.py"\n'
    )
    before = {path: path.read_bytes() for path in outside.rglob("secret.*")}
    path = repr([entry for entry in sys.path if entry])
    result = subprocess.run(
        [sys.executable, "-I", "-B", "-c", WATCHED, path],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    said = result.stderr.splitlines()
    seen = [line for line in said if line.startswith("('")]
    assert seen == ["('open', '/etc/hostname')"], said[-12:]
    assert (
        not (tmp_path / "touched").exists()
        and {path: path.read_bytes() for path in outside.rglob("secret.*")} == before
    )
    assert "geheim" not in result.stdout + result.stderr
    assert (
        (tmp_path / "known.json").exists()
        and not (tmp_path / "out.json").is_symlink()
        and int(result.stdout.rpartition("answers to an editor: ")[2]) > 100
    )
    assert ".grpo-lint.toml: is not read: a link leads out of the repository" in result.stderr
    (tmp_path / ".grpo-lint.toml").unlink()
    result = subprocess.run(
        [sys.executable, "-I", "-B", "-c", WATCHED, path],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert "must lie inside of the repository" in result.stderr and "rules must be tables" in result.stderr
