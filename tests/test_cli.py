"""The command line: options, exit status, streams, and what happens when something breaks."""

import gc
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from grpo_lint import __version__, engine
from grpo_lint.cli import console, main as cli, more_options, options, start
from grpo_lint.frameworks.registry import framework as framework_named
from grpo_lint.launch import pins
from grpo_lint.settings import files as settings

CLEAN = """\
# grpo-lint: version=1.16.0 world-size=8
output_dir: out
per_device_train_batch_size: 8
num_generations: 8
max_completion_length: 256
"""
BROKEN = CLEAN.replace("num_generations: 8", "num_generations: 7")
OPEN = CLEAN.replace(" world-size=8", "").replace("per_device_train_batch_size: 8", "per_device_train_batch_size: 4")
WARNED = CLEAN.replace("num_generations: 8", "num_generations: 4\nnum_generations: 8")
FOREIGN = "kind: Pod\nmetadata: {name: generation}\n"
ASSUMED = BROKEN.replace("1.16.0", "9.0.0")  # newer than all that is known
STATISTICS = """\
2  GRPO203  rollout-holds-whole-groups  2 fixable with --fix --unsafe-fixes
1  GRPO102  key-is-known
1  GRPO410  legal-process-counts

2 errors, 1 warning in 3 files checked
"""
SOURCE = Path(cli.__file__).parents[1]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR", "GRPO_LINT_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    settings.forget()
    pins.forget()
    return tmp_path


@pytest.fixture
def run(capsys):
    """run(word, ...) -> (status, standard output, standard error)"""

    def run(*words):
        status = cli.main(list(words))
        return status, *capsys.readouterr()

    return run


def write(name, text):
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return name


def process(*words, text=None, **environment):
    """The command line in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), **environment}
    return subprocess.run(
        [sys.executable, "-m", "grpo_lint", *words], input=text, capture_output=True, env=environment, check=False
    )


# --- exit status ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, words, status",
    [
        (CLEAN, [], 0),
        (OPEN, [], 0),
        (OPEN, ["--fail-on", "info"], 1),
        (WARNED, [], 1),
        (WARNED, ["--fail-on=error"], 0),
        (BROKEN, [], 1),
        (BROKEN, ["--fail-on", "error"], 1),
        (BROKEN, ["--fail-on", "never"], 0),
        (FOREIGN, ["--fail-on", "info"], 0),
        (b"\xff\xfe\x00", [], 1),
        (b"num_generations: \x00", [], 1),
        ("", [], 0),
    ],
)
@pytest.mark.parametrize("output", options.FORMATS)
def test_exit_status(run, text, words, status, output):
    write("a.yaml", text)
    assert run("check", "a.yaml", "--output-format", output, *words)[0] == status


def test_check_is_the_default_and_the_current_folder_too(run):
    write("deep/down/a.yaml", BROKEN)
    assert run() == run("check") == run(".") == run("check", ".")
    assert run()[0] == 1


def test_nothing_to_check_is_clean(run):
    assert run()[:2] == (0, "no file to check was found\n")


def test_files_after_an_unreadable_one_are_checked(run):
    write("a.yaml", BROKEN)
    status, out, _ = run("missing.yaml", "a.yaml", "--output-format", "concise")
    assert status == 1
    assert "missing.yaml:1:1: error GRPO002" in out
    assert "a.yaml:4:1: error GRPO203" in out


def test_the_threshold_of_the_settings_and_of_the_command_line(run):
    write("pyproject.toml", '[tool.grpo-lint]\nfail-on = "error"\n')
    write("a.yaml", WARNED)
    assert run("a.yaml")[0] == 0
    assert run("a.yaml", "--fail-on", "warning")[0] == 1


def test_a_mistake_in_the_settings_is_wrong_usage_told_once(run):
    write("pyproject.toml", "[tool.grpo-lint]\nworldsize = 8\n")
    write("a.yaml", CLEAN)
    write("b.yaml", CLEAN)
    status, out, err = run()
    assert status == 2
    assert err.count("did you mean 'world-size'?") == 1
    assert "2 files checked" in out


def test_exit_zero_is_about_findings_only(run):
    write("a.yaml", BROKEN)
    assert run("a.yaml", "--exit-zero") == (0, *run("a.yaml")[1:])
    assert run("a.yaml", "--exit-zero", "--diff", "--unsafe-fixes")[0] == 0
    write("pyproject.toml", "[tool.grpo-lint]\nworldsize = 8\n")
    settings.forget()
    assert run("a.yaml", "--exit-zero")[0] == 2


def test_strict_lets_infos_fail(run):
    write("a.yaml", OPEN)
    status, out, _ = run("--strict")
    assert status == 1
    assert "GRPO410" in out and out.endswith("\n1 info in 1 file checked\n")
    assert run("--strict", "--fail-on", "warning")[0] == 0
    write("pyproject.toml", '[tool.grpo-lint]\nfail-on = "error"\n')
    settings.forget()
    assert run("--strict")[0] == 1


def test_strict_makes_an_error_of_what_is_a_warning_by_assumption_only(run):
    write("a.yaml", ASSUMED)
    severities = {}
    for words in ((), ("--strict",)):
        (diagnostic,) = json.loads(run("a.yaml", "--output-format", "json", *words)[1])["files"][0]["diagnostics"]
        assert diagnostic["data"]["assumes"] and diagnostic["data"]["stage"] != "never"
        severities[words] = diagnostic["severity"]
    assert severities == {(): 2, ("--strict",): 1}
    write("pyproject.toml", '[tool.grpo-lint]\nseverity = { GRPO = "warning" }\n')  # the team's own word still counts
    settings.forget()
    assert "1 warning in" in run("--strict")[1]


def test_strict_in_the_settings(run):
    write("a.yaml", OPEN)
    write("old/a.yaml", OPEN)
    write("old/b.yaml", ASSUMED)
    for table, infos, errors in (
        ("strict = true", 2, 1),
        ('strict = true\nfail-on = "warning"', 0, 1),
        ('strict = true\n[[tool.grpo-lint.overrides]]\npaths = ["old"]\nstrict = false', 1, 0),
        ('[[tool.grpo-lint.overrides]]\npaths = ["old"]\nstrict = true', 1, 1),
    ):
        write("pyproject.toml", f"[tool.grpo-lint]\n{table}\n")
        settings.forget()
        words = [
            f"{number} {noun}{'s' * (number > 1)}"
            for number, noun in ((errors, "error"), (1 - errors, "warning"), (infos, "info"))
            if number
        ]
        assert f"\n{', '.join(words)} in 3 files checked\n" in run()[1], table
        assert "\n1 error in 3 files checked\n" in run("--strict", "--fail-on", "error")[1], table


def test_strict_leaves_other_warnings_alone(run):
    write("a.yaml", WARNED)
    assert "1 warning in" in run("--strict")[1]


# --- options --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words, told",
    [
        (["--wrld-size", "8"], "did you mean '--world-size'?"),
        (["--num-processes", "8"], "did you mean '--world-size'?"),
        (["--nproc_per_node", "8"], "did you mean '--processes-per-node'?"),
        (["--world-size", "eight"], "world-size is a whole number greater than 0, not 'eight'"),
        (["--world-size", "0"], "world-size is a whole number greater than 0"),
        (["--world-size"], "--world-size needs a value: --world-size N"),
        (["--dialect", "tlr"], "did you mean 'trl'?"),
        (["--framework-version", "new"], "is a release such as"),
        (["--version", "1.16.0"], "did you mean '--framework-version'?"),
        (["--output-format", "jsn"], "did you mean 'json'?"),
        (["--fail-on=warn"], "did you mean 'warning'?"),
        (["--verbose=yes"], "--verbose takes no value"),
        (["--zzz"], "--help lists them"),
        (["-x"], "--help lists them"),
        (["rules"], "did you mean 'rule'?"),
        (["explian"], "did you mean 'explain'?"),
        (["explain"], "explain needs a file"),
        (["rule", "GRPO999"], "unknown rule 'GRPO999'"),
        (["rule", "rollout-holds-whole-group"], "did you mean 'rollout-holds-whole-groups'?"),
        (["explain", "--output-format", "sarif", "a.yaml"], "--output-format is one of text, json"),
    ],
)
def test_wrong_usage_is_one_kind_line(run, words, told):
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert told in err
    assert err.startswith("grpo-lint: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "words", [["--world-size", "4"], ["--world-size=4"], ["--world_size", "4"], ["--World-Size=4"]]
)
def test_facts_are_options(run, words):
    write("a.yaml", OPEN)
    status, out, _ = run("a.yaml", *words, "--output-format", "json")
    launch = json.loads(out)["files"][0]["launches"][0]
    assert (status, launch["world_size"], launch["world_size_source"]) == (0, 4, "command line")
    assert run("a.yaml", "--world-size", "3")[0] == 1


def test_the_version_of_the_framework_is_an_option(run):
    write("a.yaml", CLEAN)
    _, out, _ = run("a.yaml", "--framework-version", "1.15", "--output-format", "json")
    launch = json.loads(out)["files"][0]["launches"][0]
    assert (launch["framework_version"], launch["version_source"]) == ("1.15.0", "command line")


def test_every_fact_is_an_option_of_check_and_explain():
    from grpo_lint.launch.facts import FACTS

    for table in (options.check_options(), more_options.explain_options()):
        assert {option.fact for option in table if option.fact} == set(FACTS)


def test_short_options_may_stand_together(run):
    write("a.yaml", OPEN)
    assert run("-qv") == run("-q", "-v") != run("-v")
    assert "unknown option '-qx'" in run("-qx")[2]
    assert "unknown option '-qv'" in run("rule", "-qv")[2]


def test_two_dashes_end_the_options(run):
    write("-a.yaml", BROKEN)
    assert run("--output-format", "concise", "--", "-a.yaml")[1].startswith("-a.yaml:4:1: error GRPO203")


def test_excluding(run):
    write("a.yaml", BROKEN)
    write("old/b.yaml", BROKEN)
    write("vendor/c.yaml", BROKEN)
    assert run("--exclude", "old", "--exclude", "vendor/*.yaml", "--exclude", "a.yaml")[0] == 0
    assert run("--exclude", "a.yaml", "a.yaml")[0] == 1  # named, so taken
    write("pyproject.toml", '[tool.grpo-lint]\nexclude = ["*.yaml"]\n')
    settings.forget()
    assert run()[0] == 0


def test_help_names_every_option(run):
    for command, table in (
        ("check", options.check_options()),
        ("explain", more_options.explain_options()),
        ("rule", more_options.rule_options()),
    ):
        status, out, err = run(command, "--help")
        assert (status, err) == (0, "")
        assert all(option.name in out for option in table)
        assert run(command, "-h")[1] == out


def test_the_version_and_the_releases_that_are_known(run):
    from grpo_lint.frameworks.registry import NAMES

    status, out, err = run("--version")
    first, *frameworks = out.splitlines()
    assert (status, first, err) == (0, f"grpo-lint {__version__}", "")
    for name, line in zip(NAMES, frameworks, strict=True):
        releases = framework_named(name).catalogue.releases
        assert line == f"  {framework_named(name).title} {releases[0]} to {releases[-1]} ({len(releases)} releases)"


# --- lists of files and statistics ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["a.yaml\nb c.yaml\n", "a.yaml\r\nb c.yaml", "a.yaml\0b c.yaml\0", "train.py\n\nb c.yaml\na.yaml\na.yaml\n"]
)
def test_files_from_a_list(run, text):
    for name in ("a.yaml", "b c.yaml", "c.yaml"):
        write(name, BROKEN)
    write("train.py", "print()")
    write("list", text)
    _, out, _ = run("--files-from", "list", "--output-format", "concise")
    assert sorted({line.partition(":")[0] for line in out.splitlines() if "GRPO203" in line}) == ["a.yaml", "b c.yaml"]
    done = process("--files-from", "-", "--output-format", "concise", text=text.encode())
    assert done.stdout.decode() == out


def test_a_list_with_a_line_break_in_a_name(run):
    write("a\nb.yaml", BROKEN)
    write("list", "a\nb.yaml\0")
    assert "2 errors" not in run("--files-from", "list")[1]
    assert "1 error in 1 file checked" in run("--files-from", "list")[1]


def test_an_empty_list_is_nothing_to_check(run):
    write("a.yaml", BROKEN)
    write("list", "")
    assert run("--files-from", "list")[0] == 0
    assert "1 error in 1 file" in run("--files-from", "list", "a.yaml")[1]


def test_a_list_has_folders_and_heeds_exclusions(run):
    write("new/a.yaml", BROKEN)
    write("old/b.yaml", BROKEN)
    write("list", "new\nold/b.yaml\ngone.yaml\n")
    _, out, _ = run("--files-from", "list", "--exclude", "old", "--output-format", "concise")
    assert "new/a.yaml:" in out and "old/b.yaml" not in out
    assert "gone.yaml:1:1: error GRPO002" in out


def test_the_order_of_statistics_and_what_they_count(run):
    write("a.yaml", BROKEN)
    write("b.yaml", BROKEN + "max_prompt_lenght: 64\n")
    write("c.yaml", OPEN)
    assert run("--statistics") == (1, STATISTICS, "")
    assert run("--statistics", "--output-format", "concise") == (1, STATISTICS, "")
    assert run("--statistics", "-q")[1] == STATISTICS.partition("1  GRPO410")[0]
    report = json.loads(run("--statistics", "--output-format", "json")[1])
    first = {
        "code": "GRPO203",
        "rule": "rollout-holds-whole-groups",
        "severity": "error",
        "count": 2,
        "fixable": 0,
        "unsafe_fixable": 2,
    }
    assert report["statistics"][0] == first
    assert report["summary"] == json.loads(run("--output-format", "json")[1])["summary"]


# --- streams --------------------------------------------------------------------------------------------------------


def test_json_is_one_object_and_nothing_else(run):
    write("a.yaml", BROKEN)
    write("b.yaml", FOREIGN)
    write("pyproject.toml", "[tool.grpo-lint]\nnonsense = 1\n")
    _, out, err = run("-v", "--output-format", "json", ".", "missing.yaml")
    report = json.loads(out)
    assert report["summary"] == {"files": 3, "errors": 2, "warnings": 0, "infos": 0}
    assert [file["path"] for file in report["files"]] == ["a.yaml", "b.yaml", "missing.yaml"]
    assert "nonsense" in err


def test_concise_is_one_line_for_a_finding(run):
    write("a.yaml", BROKEN)
    _, out, _ = run("--output-format", "concise")
    assert re.fullmatch(r"a\.yaml:4:1: error GRPO203 rollout-holds-whole-groups: .*\n1 error in 1 file checked\n", out)


def test_quiet_prints_errors_and_warnings_only(run):
    write("a.yaml", OPEN)
    assert run("-q") == run("--quiet", "--output-format", "concise") == run("-q", "--statistics") == (0, "", "")
    for output in options.FORMATS:
        assert "GRPO410" not in run("-q", "--output-format", output)[1]
    write("b.yaml", BROKEN)
    out = run("-q")[1]
    assert out.startswith("error[GRPO203]")
    assert "checked" not in out


@pytest.mark.parametrize("output", options.FORMATS)
def test_quiet_never_hides_why_a_run_fails(run, output):
    write("a.yaml", OPEN)
    status, out, _ = run("-q", "--fail-on", "info", "--output-format", output)
    assert status == 1
    assert "multiples of 2 processes" in out


def test_verbose_says_why(run):
    write("a.yaml", CLEAN)
    write("b.yaml", FOREIGN)
    _, out, err = run("-v")
    assert out == "no problems in 1 file checked, 1 skipped\n"
    assert "a.yaml: TRL 1.16.0 (comment), GRPO, 8 processes (comment); has " in err
    assert "b.yaml: skipped: no config of GRPO-family training" in err


def test_standard_input():
    done = process("-", "--output-format", "concise", text=BROKEN.encode())
    assert done.returncode == 1
    assert done.stdout.startswith(b"<stdin>:4:1: error GRPO203")
    done = process("--stdin-filename", "conf/a.yaml", "-", "--output-format", "concise", text=BROKEN.encode())
    assert done.stdout.startswith(b"conf/a.yaml:4:1: error GRPO203")
    done = process("-", text=b"\xff\xfe\x00")
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"GRPO002" in done.stdout


def test_standard_input_has_the_settings_of_its_name():
    write("pyproject.toml", "[tool.grpo-lint]\nworld-size = 3\n")
    text = OPEN.replace("8", "4").encode()
    assert process("-", "--stdin-filename", "a.yaml", text=OPEN.encode()).returncode == 1
    assert process("-", "--stdin-filename", "a.yaml", text=text).returncode == 0


def test_any_encoding_of_the_terminal_will_do():
    write("a.yaml", BROKEN.replace("num_generations: 7", "num_generations: 7 # 实验 🎉"))
    done = process("a.yaml", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"\\u5b9e" in done.stdout


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_reader_that_leaves_early():
    for number in range(300):
        write(f"{number}.yaml", BROKEN)
    command = f"{sys.executable} -m grpo_lint . | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, env={**os.environ, "PYTHONPATH": str(SOURCE)}, check=False
    )
    assert done.stderr == b""
    assert done.returncode in (1, start.KILLED_BY_PIPE)


# --- our own failures -----------------------------------------------------------------------------------------------


@pytest.fixture
def breaks_on_b(monkeypatch):
    whole = engine.lint

    def lint(text, *rest, **named):
        if text.path == "b.yaml":
            raise ZeroDivisionError("of ours")
        return whole(text, *rest, **named)

    monkeypatch.setattr(engine, "lint", lint)
    write("a.yaml", CLEAN)
    write("b.yaml", CLEAN)
    write("c.yaml", BROKEN)


@pytest.mark.parametrize("output", options.FORMATS)
def test_breaking_on_a_file_is_one_line_and_the_others_are_checked(run, breaks_on_b, output):
    status, out, err = run("--output-format", output)
    assert status == 2
    assert err.startswith("grpo-lint: internal error in b.yaml: ZeroDivisionError: of ours. Please report it")
    assert err.count("\n") == 1
    assert "b.yaml" in out and "c.yaml" in out
    if output == "json":
        assert len(json.loads(out)["files"]) == 3


def test_explain_survives_a_failure_too(run, breaks_on_b):
    status, out, err = run("explain", "b.yaml", "a.yaml")
    assert status == 2
    assert "internal error in b.yaml" in err
    assert "completions per rollout" in out


def test_the_traceback_for_those_who_ask(run, breaks_on_b, monkeypatch):
    monkeypatch.setenv("GRPO_LINT_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run("b.yaml")


def test_losing_patience(monkeypatch):
    monkeypatch.setattr(cli, "main", lambda words: (_ for _ in ()).throw(KeyboardInterrupt))
    monkeypatch.setattr(sys, "argv", ["grpo-lint"])
    statuses = []
    monkeypatch.setattr(start, "_leave", statuses.append)
    start.console()
    gc.enable()
    assert statuses == [start.KILLED_BY_KEYBOARD]


# --- colour ---------------------------------------------------------------------------------------------------------


class Terminal:
    def isatty(self):
        return True


class Pipe:
    def isatty(self):
        return False


@pytest.mark.parametrize(
    "words, stream, environment, coloured",
    [
        ([], Terminal(), {}, True),
        ([], Pipe(), {}, False),
        ([], Terminal(), {"NO_COLOR": "1"}, False),
        ([], Terminal(), {"NO_COLOR": ""}, True),
        ([], Terminal(), {"TERM": "dumb"}, False),
        ([], Pipe(), {"FORCE_COLOR": "1"}, True),
        ([], Pipe(), {"FORCE_COLOR": "0"}, False),
        ([], Pipe(), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (["--color", "always"], Pipe(), {"NO_COLOR": "1"}, True),
        (["--color", "never"], Terminal(), {"FORCE_COLOR": "1"}, False),
    ],
)
def test_when_there_is_colour(words, stream, environment, coloured, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert console.uses_colour(options.read_arguments(words, options.check_options()), stream) is coloured


# --- start-up -------------------------------------------------------------------------------------------------------

HEAVY = """argparse asyncio ast concurrent configparser ctypes dataclasses difflib email gettext html http importlib.metadata
inspect json logging multiprocessing pathlib pickle pkgutil platform random shlex shutil socket ssl string subprocess tempfile
textwrap threading tomllib tomli traceback typing unicodedata urllib uuid xml zipfile jsonschema ruamel pygls
grpo_lint.report.json grpo_lint.report.explain grpo_lint.report.rule_page""".split()


@pytest.mark.parametrize("text", [CLEAN, BROKEN, OPEN])
@pytest.mark.parametrize("output", ["full", "concise"])
def test_checking_imports_nothing_heavy(text, output):
    write("a.yaml", text)
    code = f"import sys; before = set(sys.modules); from grpo_lint.cli.main import main; main(['a.yaml', '--output-format', {output!r}]); "
    code += "print(*sorted(set(sys.modules) - before), file=sys.stderr)"
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    loaded = done.stderr.split()
    assert "grpo_lint.source.yaml.reader" in loaded and "yaml" not in loaded
    assert [name for name in loaded if name in HEAVY or name.partition(".")[0] in HEAVY] == []


# --- explain and rule -----------------------------------------------------------------------------------------------


def test_explain_shows_every_number_and_its_origin(run):
    write("a.yaml", CLEAN)
    status, out, _ = run("explain", "a.yaml", "--dataset-size", "800")
    assert status == 0
    rows = [line.split() for line in out.splitlines()]
    assert ["world_size", "8", "comment,", "line", "1"] in rows
    assert ["num_generations", "8", "line", "4"] in rows
    assert ["dataset_size", "800", "command", "line"] in rows
    assert not any("gradient_accumulation_steps" in row and "default" in row for row in rows)
    assert "completions per micro step 64 = 8 per micro batch x 8 processes" in " ".join(out.split())
    assert "800 rows are 100 updates an epoch, 300 in all; 0 rows are dropped." in " ".join(out.split())
    rows = [line.split() for line in run("explain", "a.yaml", "-v")[1].splitlines()]
    assert ["gradient_accumulation_steps", "1", "default", "of", "TRL", "1.16.0"] in rows


def test_explain_says_what_is_missing(run):
    write("a.yaml", OPEN)
    out = run("explain", "a.yaml")[1]
    assert re.search(r"completions per rollout +4 x N", out)
    assert re.search(r"rows dropped +unknown +needs dataset-size and world-size\n", out)
    assert re.search(r"world_size +unknown +say it with --world-size", out)
    assert "N: the number of processes" in out and "rows: the rows of the data set" in out


def test_explain_keeps_parentheses_where_they_matter(run):
    from grpo_lint.plan.formula import Formula
    from grpo_lint.plan.plan import Plan
    from grpo_lint.report.explain import numbers_put_in

    plan = Plan({}, {"a": 2, "b": 7, "c": 3}, {})
    for text in (
        "a * (b // c)",
        "a * b // c",
        "a - (b - c)",
        "(a + b) * c",
        "a // (b * c)",
        "a * (b * c)",
        "a % (b + c)",
    ):
        shown = numbers_put_in(plan, Formula(text)).replace("\xa0", " ")
        python = re.sub(r"[abc] (\d)", r"\1", shown).replace("x", "*")
        assert eval(python) == plan.evaluate(Formula(text)), shown


def test_explain_a_file_of_somebody_else(run):
    write("a.yaml", FOREIGN)
    assert run("explain", "a.yaml")[:2] == (0, "a.yaml: no config of GRPO-family training\n\n")
    assert run("explain", ".")[:2] == (0, "")


def test_explain_values_that_something_else_fills_in(run):
    write("a.yaml", CLEAN.replace("num_generations: 8", "num_generations: ${GROUP}"))
    out = run("explain", "a.yaml")[1]
    assert re.search(r"num_generations +unknown +something else fills it in\n", out)
    assert re.search(r"prompts per rollout +unknown +needs num_generations\n", out)


def test_explain_a_version_without_the_trainer(run):
    write("a.yaml", "# grpo-lint: version=3.8.3\nrlhf_type: grpo\nmicro_batch_size: 1\nglobal_batch_size: 16\n")
    status, out, _ = run("explain", "a.yaml")
    assert status == 0
    assert "Megatron-SWIFT 3.8.3 has no GRPO trainer" in " ".join(out.split())


def test_the_steps_that_are_announced_and_not_taken(run):
    text = CLEAN.replace("1.16.0", "0.18.2").replace("8\n", "1\n").replace("num_generations: 1", "num_generations: 8")
    write("a.yaml", text + "gradient_accumulation_steps: 2\n")
    out = run("explain", "a.yaml", "--dataset-size", "103", "--world-size", "8")[1]
    assert (
        "103 rows are 52 updates an epoch, 156 in all, of which the run takes 153; 1 row is dropped in each."
        in " ".join(out.split())
    )


def test_a_formula_that_is_shown_is_described():
    from grpo_lint.frameworks.registry import NAMES, framework as framework_named
    from grpo_lint.plan.quantities import GROUPS, QUANTITIES

    used = {name for each in NAMES for regime in framework_named(each).arithmetic.regimes for name in regime.quantities}
    assert used - QUANTITIES.keys() == set(), "describe them in quantities.py"
    assert QUANTITIES.keys() - used == set(), "no regime has them any more"
    assert {group for group, _, _ in QUANTITIES.values()} == set(GROUPS)


def test_rule_pages_on_the_terminal(run):
    by_code, by_name = run("rule", "grpo203"), run("rule", "rollout-holds-whole-groups")
    assert by_code == by_name
    assert "generation_batch_size (...) must be divisible by num_generations (...)." in " ".join(by_code[1].split())
    table = run("rule")[1]
    assert "GRPO203  rollout-holds-whole-groups" in table


def test_a_named_file_that_is_not_checked_is_told_with_what_would_change_that(run):
    names = [write("a.yaml", FOREIGN), write("b.py", "print(1)\n"), *(write(f"{name}.yaml", FOREIGN) for name in "cde")]
    lines = run(*names, "--quiet")[2].splitlines()
    assert lines == []
    of_yaml, of_python, _, more = run(*names)[2].splitlines()
    assert "a.yaml is not checked: " in of_yaml and of_yaml.endswith("`# grpo-lint: dialect=NAME`, makes it one")
    assert "b.py is not checked: " in of_python and "makes it one" not in of_python
    assert more.endswith("2 more of the named files are not checked (-v says why)")


@pytest.mark.parametrize("words", [("--lang", "zh-CN"), ("--lang=zh-CN",)], ids=" ".join)
def test_a_language_may_stand_before_the_command(run, words):
    write("a.yaml", BROKEN)
    assert run(*words, "rule", "GRPO203") == run("rule", "GRPO203", *words) != run("rule", "GRPO203")
    assert run(*words, "a.yaml") == run("check", "a.yaml", *words)


def test_an_empty_list_of_files_says_so(run):
    write("list", "")
    assert run("--files-from", "list") == (0, "no file to check was found\n", "")


def test_an_upgrade_that_changes_nothing_says_so(run):
    write(
        "a.yaml",
        "# grpo-lint: dialect=trl version=1.16.0 world-size=8\nnum_generations: 8\nper_device_train_batch_size: 8\n",
    )
    status, out, told = run("upgrade", "a.yaml", "--to", "trl@1.16")
    assert (status, out) == (0, "") and "nothing has to change for TRL 1.16.0: 1 file checked" in told
