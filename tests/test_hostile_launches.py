"""Many runs of many settings in one file: the work is counted together, and nothing in it grows with a square."""

import resource
import subprocess
import sys

import pytest
from processor_time import whole_seconds

from grpo_lint.checker import config_file, script_file
from grpo_lint.checker.contexts import Around, of_text
from grpo_lint.checker.judge import judge_launch
from grpo_lint.cli.main import main
from grpo_lint.engine import lint, lint_path
from grpo_lint.files import disk
from grpo_lint.files.budget import COST_OF_RUN, JUDGED, LIMITS
from grpo_lint.fixes.offering import Proof
from grpo_lint.fixes.search import Search, Work
from grpo_lint.source.shell import state
from grpo_lint.source.text import Text

MOST_UNITS, MOST_MEMORY = 40, 256 << 20
VERL = "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo data.train_batch_size={} trainer.nnodes=1 x.y=1\n"
SWIFT = "NPROC_PER_NODE=7 swift rlhf --rlhf_type grpo --num_generations 8 --per_device_train_batch_size {} --learning_rte 1e-6\n"
ARMS = "case $1 in\n{}\nesac\nswift rlhf --rlhf_type grpo --per_device_train_batch_size 3 --num_generations $N\n"


def calls(settings, count, arguments="**x"):
    keys = ",".join(f'"k{number}":1' for number in range(settings))
    made = "".join(f"GRPOConfig({arguments}, seed={number})\n" for number in range(count))
    return f'from trl import GRPOConfig\nx = {{"num_generations": 8,{keys}}}\n{made}'


def arms(count):
    return ARMS.format("\n".join(f"{number})v{number}=1;;" for number in range(count)))


def many(line, count):
    return "".join(line.format(number + 3) for number in range(count))


def in_workflow(script):
    return "jobs:\n  a:\n    steps:\n    - run: |\n" + "".join(f"        {line}\n" for line in script.splitlines())


def in_many_steps(script, count):
    lines = "".join(f"        {line}\n" for line in script.splitlines())
    return "jobs:\n  a:\n    steps:\n" + f"    - run: |\n{lines}" * count


RECIPE = "num_generations: 8\n" + "".join(f"k{number}: 1\n" for number in range(12_000))
STARTS = "".join(f"trl grpo --config c.yaml --seed {number}\n" for number in range(100))
FOLDERS = {
    "6 calls of 15,000 keys": {"train.py": calls(15_000, 6)},
    "50 calls of 15,000 keys": {"train.py": calls(15_000, 50)},
    "100 commands of verl": {"run.sh": many(VERL, 100)},
    "1,900 commands": {"run.sh": many(SWIFT, 1900)},
    "300 commands in a workflow": {"job.yml": in_workflow(many(VERL, 300))},
    "10,000 commands in a workflow": {"job.yml": in_many_steps("swift rlhf --rlhf_type grpo\n" * 100, 90)},
    "15,000 arms": {"run.sh": arms(15_000)},
    "a config of 12,000 keys in 100 commands": {"c.yaml": RECIPE, "run.sh": STARTS},
    "100 commands with a config of 12,000 keys": {"run.sh": STARTS, "c.yaml": RECIPE},
}


def limit():
    seconds = whole_seconds(MOST_UNITS)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))


@pytest.mark.slow
@pytest.mark.parametrize("name", FOLDERS)
def test_what_one_file_may_cost(name, tmp_path):
    """Fixing takes all that checking takes, but for printing what it has mended."""
    (tmp_path / ".git").mkdir()
    written = write(FOLDERS[name], tmp_path)
    whole_seconds(MOST_UNITS)  # measured here, not in the process with limits
    cost_of(tmp_path, "--fix", "--unsafe-fixes", next(iter(FOLDERS[name])))
    if {path: path.read_text() for path in written} != written:
        write(FOLDERS[name], tmp_path)
        cost_of(tmp_path, next(iter(FOLDERS[name])))


def write(files, folder):
    """{path: its text}."""
    for path, text in files.items():
        (folder / path).write_text(text)
    return {folder / path: text for path, text in files.items()}


def cost_of(folder, *words):
    command = [sys.executable, "-I", "-m", "grpo_lint", "check", "-q", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, preexec_fn=limit, encoding="utf-8")
    assert done.returncode in (0, 1), (done.returncode, done.stderr[-300:])
    assert "GRPO906" not in done.stdout and "Traceback" not in done.stderr


def cut(report):
    return [str(each.values["problem"]) for each in report.findings if each.rule.code == "GRPO905"]


def assert_bounded(report, settings):
    """Runs are judged until the limit is reached, and the next one is named."""
    most = LIMITS[JUDGED][0]
    assert 1 <= len(report.launches) < 100
    assert (len(report.launches) - 1) * (settings + COST_OF_RUN) < most
    assert any("settings of the runs of this file" in problem for problem in cut(report)), cut(report)


@pytest.mark.slow
def test_the_settings_of_all_calls_count_together():
    report = lint(Text(calls(9_000, 20), "train.py"), fixes=False)
    assert_bounded(report, 9_000)
    assert "train.py" not in str(cut(report)) and ":1" in str(cut(report))


def test_one_run_is_judged_however_large_it_is():
    report = lint(
        Text("# grpo-lint: dialect=trl\nnum_generations: 8\n" + "".join(f"k{n}: 1\n" for n in range(9_000)), "a.yaml"),
        fixes=False,
    )
    assert len(report.launches) == 1 and not cut(report)


@pytest.mark.slow
@pytest.mark.parametrize("path", ["c.yaml", "run.sh"])
def test_the_settings_of_all_commands_count_together(path, tmp_path, monkeypatch):
    (tmp_path / ".git").mkdir()
    (tmp_path / "c.yaml").write_text(
        "# grpo-lint: dialect=trl\nnum_generations: 8\n" + "".join(f"k{n}: 1\n" for n in range(3_000))
    )
    (tmp_path / "run.sh").write_text(STARTS)
    monkeypatch.chdir(tmp_path)
    report = lint_path(path, Around().of(path), fixes=False)
    assert_bounded(report, 3_000)
    assert all("run.sh, line" in each if path == "c.yaml" else "line" in each for each in cut(report))


def test_all_scripts_of_a_workflow_count_together():
    report = lint(Text(in_many_steps("swift rlhf --rlhf_type grpo\n" * 100, 20), "job.yml"), fixes=False)
    assert report.launches
    assert len(report.launches) * COST_OF_RUN <= LIMITS[JUDGED][0] + COST_OF_RUN
    assert "the run in line" in str(cut(report))


def test_each_look_at_a_file_may_judge_as_much_as_the_first_one(monkeypatch):
    """The proofs of fixes judge the runs of a file again, and take nothing from the next look at it."""
    monkeypatch.setitem(LIMITS, JUDGED, (10 * COST_OF_RUN, LIMITS[JUDGED][1]))
    text, context = Text(many(SWIFT, 6), "run.sh"), of_text()
    first, second = (lint(text, context, fixes=fixes) for fixes in (True, False))
    assert len(first.launches) == len(second.launches) == 6
    assert all(finding.fixes for finding in first.findings if finding.severity == "error")


def test_hundred_ordinary_commands_are_all_judged():
    report = lint(Text(many(VERL, 100), "run.sh"), fixes=False)
    assert len(report.launches) == 100 and not cut(report)


def test_the_arms_of_a_case_are_merged_in_proportion_to_what_they_write(monkeypatch):
    merges = []
    merged = state.merged
    monkeypatch.setattr(state, "merged", lambda *entries: merges.append(1) or merged(*entries))
    lint(Text(arms(400), "run.sh"), fixes=False)
    assert 0 < len(merges) <= 3 * 400


def test_what_is_known_of_a_file_is_looked_through_once(monkeypatch):
    """Each run is compared with the findings of those before it."""
    from grpo_lint.checker import findings

    asked = []
    span_of = findings.span_of
    monkeypatch.setattr(findings, "span_of", lambda finding: asked.append(1) or span_of(finding))
    report = lint(Text(many(VERL, 60), "run.sh"), fixes=False)
    assert len(report.launches) == 60 and 0 < len(asked) <= 3 * len(report.findings)


def test_every_look_of_a_search_counts(monkeypatch):
    """What only finds out which values are worth a try is limited too."""
    looked = []
    monkeypatch.setattr("grpo_lint.fixes.state.State.holds", lambda *_: looked.append(1) or True)
    report = lint(Text(VERL.format(7), "run.sh"), fixes=False)
    (launch,) = report.launches
    rule = next(each.rule for each in report.findings if each.rule.broken is not None and each.plan is not None)
    search = Search(launch, Work(10))
    for _ in range(50):
        search._holds(rule, {"train_batch_size": 8})
    assert search.work.stopped and len(looked) <= 10 + len(search.states)


CONFIG = (
    "# grpo-lint: dialect=trl\nnum_generations: 8\nper_device_train_batch_size: 4\nlearning_rate: 1e-6\nown_key: 1\n"
)
LOOP = "for n in 1 2 3 4; do\n  swift rlhf --config config.yaml --rlhf_type grpo --num_generations 8 --per_device_train_batch_size 3\ndone\n"


def judged_with_scripts(count, folder, monkeypatch):
    """How many runs are judged where so many scripts share a config and all that can be changed is proposed."""
    (folder / ".git").mkdir(parents=True)
    (folder / "requirements.txt").write_text("ms-swift==3.8.0\n")
    (folder / "config.yaml").write_text(CONFIG)
    for number in range(count):
        (folder / f"run{number}.sh").write_text(LOOP)
    monkeypatch.chdir(folder)
    judged = []
    of_runs = judge_launch
    for module in (script_file, config_file):
        monkeypatch.setattr(module, "judge_launch", lambda *given, **more: judged.append(1) or of_runs(*given, **more))
    assert main(["check", ".", "--diff", "--unsafe-fixes", "-q"]) == 1
    return len(judged)


def test_the_proof_for_a_script_judges_no_runs_that_other_scripts_start(tmp_path, monkeypatch, capsys):
    """A config that scripts share is judged for a change of one of them in the runs of that one."""
    few = judged_with_scripts(5, tmp_path / "few", monkeypatch)
    many = judged_with_scripts(10, tmp_path / "many", monkeypatch)
    assert "+++ run9.sh" in capsys.readouterr().out
    assert few < many <= 2.2 * few


def looks_to_fix(count, folder, monkeypatch):
    """How many files are read and folders listed to fix so many scripts that share a config, beside Python that may
    train with it."""
    (folder / ".git").mkdir(parents=True)
    (folder / "requirements.txt").write_text("ms-swift==3.8.0\ntrl==1.16.0\n")
    (folder / "config.yaml").write_text(CONFIG)
    for number in range(count):
        (folder / f"run{number}.sh").write_text(LOOP)
        (folder / f"other{number}").mkdir()
        (folder / f"other{number}" / "train.py").write_text("from trl import GRPOTrainer\nGRPOTrainer(args)\n")
        (folder / f"other{number}" / "config.yaml").write_text(CONFIG.replace("trl", "trl world-size=1"))
    monkeypatch.chdir(folder)
    looks, read, listing = [], disk.read, disk.listing
    monkeypatch.setattr(disk, "read", lambda *given: looks.append(1) or read(*given))
    monkeypatch.setattr(disk, "listing", lambda *given: looks.append(1) or listing(*given))
    assert main(["check", ".", "--fix", "--unsafe-fixes", "-q"]) == 1
    monkeypatch.undo()
    return len(looks)


def test_a_file_that_was_fixed_is_all_that_is_read_again(tmp_path, monkeypatch, capsys):
    few = looks_to_fix(10, tmp_path / "few", monkeypatch)
    many = looks_to_fix(40, tmp_path / "many", monkeypatch)
    assert few < many <= 5 * few


def test_the_one_fix_that_reaches_other_runs_is_found_by_halves(monkeypatch):
    tried = []

    def judged(proof, trials):
        tried.append(len(trials))
        return None if "reaches others" in [finding for finding, *_ in trials] else [True] * len(trials)

    monkeypatch.setattr(Proof, "_judged_apart", judged)
    monkeypatch.setattr(Proof, "__call__", lambda _, findings, *rest: tried.append(1) or findings == ["does not"])
    proof = Proof(lint(Text(many(VERL, 2), "run.sh"), fixes=False), lint)
    trials = [("reaches others" if place == 11 else "does not", [], frozenset()) for place in range(64)]
    assert proof.apart(trials) == [place != 11 for place in range(64)]
    assert len(tried) <= 2 * 7
