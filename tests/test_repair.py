"""`check --fix`, `--unsafe-fixes`, `--diff`: what is applied, what is written, and that no byte is ever lost."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from conftest import comment, lint_text
from grpo_lint import engine
from grpo_lint.checker.contexts import Around
from grpo_lint.cli import main as cli
from grpo_lint.engine import repair
from grpo_lint.files import writing
from grpo_lint.fixes import repair as repairs
from grpo_lint.fixes.edits import apply
from grpo_lint.fixes.offering import Room, may_have_safe_fixes, safe_key_fix
from grpo_lint.launch import pins
from grpo_lint.settings import files as settings
from grpo_lint.source.text import Edit, Text

HEAD = comment(dialect="trl", version="1.16.0", world_size=1)
RENAMED = comment(dialect="swift", version="4.6.0", world_size=1) + (
    "rlhf_type: grpo\nmodel: Qwen/Qwen2.5-7B-Instruct\ndataset: [a/b]\nreward_funcs: [accuracy]\nnum_generations: 8\nper_device_train_batch_size: 8\ntrain_type: lora\n"
)
CUT_GROUP = (
    HEAD + "num_generations: 8  # as in the paper\nper_device_train_batch_size: 4\ngradient_accumulation_steps: 1\n"
)
BOTH = RENAMED.replace("num_generations: 8", "num_generations: 6")
CLEAN = HEAD + "num_generations: 8\nper_device_train_batch_size: 8\n"


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
    def run(*words):
        status = cli.main(list(words))
        return status, *capsys.readouterr()

    return run


def write(text, name="config.yaml"):
    path = Path(name)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


# --- what is applied ------------------------------------------------------------------------------------------------


def test_fix_applies_safe_fixes_only(run):
    path = write(BOTH)
    status, out, _ = run("--fix", "config.yaml")
    assert path.read_text() == BOTH.replace("train_type", "tuner_type")
    assert status == 1 and "error[GRPO203]" in out
    assert out.endswith("1 fixed; 1 error in 1 file checked\n1 fixable with --fix --unsafe-fixes\n")


def test_unsafe_fixes_are_applied_too_when_they_are_asked_for(run):
    path = write(BOTH)
    status, out, err = run("--fix", "--unsafe-fixes", "config.yaml")
    assert (status, err) == (0, "")
    assert out == "2 fixed; no problems in 1 file checked\n"
    assert path.read_text().startswith(BOTH.split("rlhf_type")[0])
    assert run("config.yaml")[:2] == (0, "no problems in 1 file checked\n")


def test_without_fix_nothing_is_written_and_the_summary_says_what_could_be(run):
    path = write(BOTH)
    status, out, _ = run("config.yaml")
    assert (status, path.read_text()) == (1, BOTH)
    assert out.endswith("2 errors in 1 file checked\n1 fixable with --fix, 1 more with --unsafe-fixes\n")


def test_a_file_that_needs_no_fix_is_not_touched(run):
    path = write(CLEAN)
    before = path.stat()
    assert run("--fix", "--unsafe-fixes", "config.yaml")[0] == 0
    after = path.stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_one_change_that_cures_two_findings_is_made_once():
    """The preferred fix of the error cures the warning as well; both offer it, and it must not be made twice."""
    text = comment(dialect="megatron", version="4.6.0", world_size=8) + (
        "rlhf_type: grpo\nvllm_mode: colocate\nmicro_batch_size: 1\nglobal_batch_size: 16\nsteps_per_generation: 1\nnum_generations: 4\n"
    )
    assert len([finding for finding in lint_text(text).findings if finding.severity != "info"]) == 2
    done = repair(text.encode(), "config.yaml", None, unsafe=True)
    assert done.data.decode() == text.replace("global_batch_size: 16", "global_batch_size: 32")
    assert done.fixed == 2


def test_repairing_is_idempotent():
    once = repair(BOTH.encode(), "config.yaml", None, unsafe=True)
    again = repair(once.data, "config.yaml", None, unsafe=True)
    assert (again.data, again.fixed) == (once.data, 0)


@pytest.mark.parametrize(
    "encode",
    [
        lambda text: text.encode(),
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: text.encode("utf-16"),
        lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.rstrip("\n").encode(),
    ],
    ids=["utf-8", "bom", "utf-16", "utf-16-be", "crlf", "no final line break"],
)
def test_encoding_and_line_breaks_stay(run, encode):
    path = write(encode(CUT_GROUP + "# 组 🚀\n"))
    assert run("--fix", "--unsafe-fixes", "config.yaml")[0] == 0
    assert path.read_bytes() == encode(CUT_GROUP.replace("steps: 1", "steps: 2") + "# 组 🚀\n")


# --- the difference -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [BOTH, BOTH.rstrip("\n"), BOTH.replace("\n", "\r\n"), "\ufeff" + BOTH],
    ids=["lf", "no break", "crlf", "bom"],
)
def test_diff_is_a_patch_and_writes_nothing(text):
    path = write(text)
    process = subprocess.run(
        [sys.executable, "-m", "grpo_lint", "--diff", "--unsafe-fixes", "config.yaml"],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[1]), "PYTHONIOENCODING": "utf-8"},
    )
    assert process.returncode == 1 and path.read_bytes() == text.encode()
    assert b"nothing was written" in process.stderr
    subprocess.run(["git", "apply", "-p0", "-"], input=process.stdout, check=True)
    assert path.read_bytes() == repair(text.encode(), "config.yaml", None, unsafe=True).data != text.encode()


def test_no_difference_is_status_0(run):
    write(CUT_GROUP)
    status, out, err = run("--diff", "config.yaml")  # what could be done is unsafe
    assert (status, out) == (0, "")
    assert "1 error in 1 file checked" in err


def test_a_file_that_cannot_be_read_is_no_success(run):
    write(b"\xff\xff\xff")
    status, out, err = run("--diff", "config.yaml")
    assert (status, out) == (1, "") and "not text" in err


# --- standard input and JSON ----------------------------------------------------------------------------------------


def piped(text, *words):
    environment = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[1])}
    return subprocess.run(
        [sys.executable, "-m", "grpo_lint", *words, "-"], input=text, capture_output=True, env=environment
    )


def test_standard_input_goes_fixed_to_standard_output():
    text = BOTH.replace("\n", "\r\n").encode()
    process = piped(text, "--fix")
    assert process.stdout == text.replace(b"train_type", b"tuner_type")
    assert process.returncode == 1 and b"GRPO203" in process.stderr


@pytest.mark.parametrize("text", [CLEAN.encode(), b"services: {}\r\n", b"\xff\xfe\xff", b""])
def test_standard_input_that_needs_no_fix_passes_through(text):
    assert piped(text, "--fix").stdout == text


def test_diff_of_standard_input():
    process = piped(RENAMED.encode(), "--diff", "--stdin-filename", "a/b.yaml")
    assert process.returncode == 1
    assert process.stdout.startswith(b"--- a/b.yaml\n+++ a/b.yaml\n@@")


def test_json_says_how_many_are_fixed(run):
    write(BOTH)
    _status, out, _ = run("--fix", "--output-format", "json", "config.yaml")
    report = json.loads(out)
    assert report["summary"] == {"files": 1, "errors": 1, "warnings": 0, "infos": 0, "fixed": 1}
    assert [each["code"] for each in report["files"][0]["diagnostics"]] == ["GRPO203"]


@pytest.mark.parametrize(
    "words", [("--unsafe-fixes",), ("--diff", "--output-format", "json"), ("--fix", "--output-format", "json", "-")]
)
def test_contradictions_are_wrong_usage(run, words):
    status, out, err = run(*words)
    assert (status, out) == (2, "") and err.count("\n") == 1


# --- writing --------------------------------------------------------------------------------------------------------


def left_behind():
    return sorted(name for name in os.listdir() if name != ".git")


def test_mode_and_symbolic_link_stay(run):
    os.mkdir("real")
    target = write(RENAMED, "real/config.yaml")
    target.chmod(0o640)
    os.symlink(target, "config.yaml")
    assert run("--fix", "config.yaml")[0] == 0
    assert os.path.islink("config.yaml") and os.listdir("real") == ["config.yaml"]
    assert target.read_text() == RENAMED.replace("train_type", "tuner_type")
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_read_only_file_is_left_alone_and_its_findings_are_told(run):
    path = write(RENAMED)
    path.chmod(0o444)
    status, out, err = run("--fix", "config.yaml")
    assert (status, err) == (2, "grpo-lint: config.yaml: not written: it is read-only\n")
    assert "train_type" in out and "fixed" not in out
    assert path.read_text() == RENAMED and left_behind() == ["config.yaml"]


def test_a_folder_that_takes_no_file_gives_a_message(run, monkeypatch):
    def refuse(**options):
        raise PermissionError(13, "Permission denied")

    path = write(RENAMED)
    monkeypatch.setattr(writing, "mkdtemp", refuse)
    status, _, err = run("--fix", "config.yaml")
    assert (status, err) == (2, "grpo-lint: config.yaml: not written: Permission denied\n")
    assert path.read_text() == RENAMED


def test_a_file_that_changed_meanwhile_is_left_alone(run, monkeypatch):
    path = write(RENAMED)
    real = writing.mkdtemp

    def edit_meanwhile(**options):
        path.write_text("somebody: else\n")
        return real(**options)

    monkeypatch.setattr(writing, "mkdtemp", edit_meanwhile)
    status, _, err = run("--fix", "config.yaml")
    assert (status, err) == (2, "grpo-lint: config.yaml: not written: it was changed since it was read\n")
    assert path.read_text() == "somebody: else\n" and left_behind() == ["config.yaml"]


@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
def test_a_failure_at_any_step_loses_nothing(run, monkeypatch, step):
    def fail(*arguments, **options):
        raise OSError(28, "No space left on device")

    path = write(RENAMED)
    monkeypatch.setattr(writing.os, step, fail)
    status, _, err = run("--fix", "config.yaml")
    assert (status, err) == (2, "grpo-lint: config.yaml: not written: No space left on device\n")
    assert path.read_text() == RENAMED and left_behind() == ["config.yaml"]


def test_an_interrupt_while_writing_loses_nothing(monkeypatch):
    def interrupt(descriptor):
        raise KeyboardInterrupt

    path = write(RENAMED)
    monkeypatch.setattr(writing.os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        cli.main(["--fix", "config.yaml"])
    assert path.read_text() == RENAMED and left_behind() == ["config.yaml"]


def test_what_is_no_regular_file_is_not_replaced():
    with pytest.raises(writing.NotWritten, match="no regular file"):
        writing.replace(os.devnull, b"", b"x")
    with pytest.raises(writing.NotWritten, match="No such file"):
        writing.replace("gone.yaml", b"", b"x")


# --- many launches in one script --------------------------------------------------------------------------------------

LAUNCH = "accelerate launch --num_processes 7 train_grpo.py --per_device_train_batch_size {} --num_generations 8 --max_completion_length 64\n"
SWEEP = ["#!/bin/bash\n", "# grpo-lint: version=1.16.0\n", *(LAUNCH.format(1 + number % 5) for number in range(40))]


def test_the_fixes_of_many_launches_are_those_of_each_alone(monkeypatch):
    checked = []
    whole = engine.lint
    monkeypatch.setattr(engine, "lint", lambda *words, **named: checked.append(1) or whole(*words, **named))
    together = whole(Text("".join(SWEEP), "sweep.sh"))
    assert len(checked) <= 12, "the text is linted again for each launch"
    fixes = [[(fix.title, fix.effect, fix.changes) for fix in finding.fixes] for finding in together.findings]
    assert len(fixes) == 40
    for launch, found in zip(SWEEP[2:], fixes, strict=True):
        (alone,) = whole(Text("".join([*SWEEP[:2], launch]), "sweep.sh")).findings
        assert found == [(fix.title, fix.effect, fix.changes) for fix in alone.fixes]


def test_many_launches_are_fixed(run):
    Path("sweep.sh").write_text("".join(SWEEP))
    assert run("sweep.sh", "--fix", "--unsafe-fixes")[:2] == (0, "40 fixed; no problems in 1 file checked\n")


def test_what_commands_share_has_to_be_right_for_all_of_them():
    """A flag in the body of a function is one of every call."""
    body = LAUNCH.format(1).replace("64\n", '64 "$@"\n')
    script = "".join(
        [
            *SWEEP[:2],
            "train() {\n  ",
            body,
            "}\n",
            *(f"train --gradient_accumulation_steps {each}\n" for each in (3, 5)),
        ]
    )
    report = engine.lint(Text(script, "shared.sh"))
    assert errors(report) and len(report.launches) == 2
    fixes = [fix for finding in report.findings for fix in finding.fixes if fix.edits]
    assert fixes
    for fix in fixes:
        assert errors(engine.lint(apply(report.text, fix.edits))) < errors(report)


def errors(report):
    """{(rule, place of the launch)}"""
    return {
        (finding.rule.code, report.launches.index(finding.launch))
        for finding in report.findings
        if finding.severity == "error"
    }


# --- how often a file is linted --------------------------------------------------------------------------------------


@pytest.fixture
def linted(monkeypatch):
    """The texts that were linted, in order."""
    texts, lint = [], engine.lint
    monkeypatch.setattr(
        engine, "lint", lambda text, *rest, **named: (texts.append(text.text), lint(text, *rest, **named))[1]
    )
    return texts


MISSPELT = [
    "weight_deca", "num_generation", "per_device_train_batch_siz", "gradient_accumulation_step", "max_completion_lenght",
    "loging_steps", "save_stepss", "warmup_step", "betaa", "tempratur",
]  # fmt: skip


@pytest.mark.parametrize("count", [1, 5, 10])
def test_each_misspelt_key_is_proven_once(linted, count):
    """Each rename is a pass of its own, and its proof is the report of the next one."""
    text = HEAD.replace("world", "loader=kwargs world") + "".join(f"{name}: 8\n" for name in MISSPELT[:count])
    done = repair(text.encode(), "config.yaml", unsafe=True, tells=False)
    assert done.fixed == count and all(f"{name}:" not in done.data.decode() for name in MISSPELT[:count])
    assert len(linted) == len(set(linted)) == 1 + count


CUT_SHORT = """
    adam_epsilo add_versio cpo_alph data_see dataloader_drop_las dataloader_num_worker dataloader_pin_memor ddp_broadcast_buffer ddp_timeou
    delt desirable_weigh disable_tqd do_predic do_trai eval_dela eval_limi eval_on_star freeze_alig freeze_ll freeze_vi full_determinis
""".split()


@pytest.mark.parametrize("count", [1, 7, len(CUT_SHORT)])
def test_safe_fixes_are_proven_together(linted, count):
    """A key that is cut short is safe to spell out."""
    text = RENAMED.replace("train_type", "tuner_type") + "".join(f"{name}: 1\n" for name in CUT_SHORT[:count])
    done = repair(text.encode(), "config.yaml", tells=False)
    assert done.fixed == count and all(f"\n{name}:" not in done.data.decode() for name in CUT_SHORT[:count])
    assert linted == [text, done.data.decode()]


RUN = "NPROC_PER_NODE=4 swift rlhf --rlhf_type grpo --model m --dataset d --reward_funcs accuracy --num_generations 8 --per_device_train_batch_size 8"


@pytest.mark.parametrize("count", [2, 10, 50])
def test_keys_of_different_commands_are_proven_together(linted, count):
    """One of each command at a time; those of one command are proven one by one."""
    text = "#!/bin/bash\n# grpo-lint: version=4.6.0\n" + f"{RUN} --learnin_rate 1e-6 --loging_steps 3\n" * count
    report = lint_text(text, path="run.sh", fixes=True)
    assert [len(finding.fixes) for finding in report.findings if finding.severity == "error"] == [1] * 2 * count
    assert len(linted) == 2  # the proofs alone: the text itself is linted under another name
    linted.clear()
    done = repair(text.encode(), "run.sh", unsafe=True, tells=False)
    assert done.fixed == 2 * count and not {"--learnin_rate", "--loging_steps"} & {*done.data.decode().split()}
    assert len(linted) <= 5


@pytest.mark.parametrize("said", ["in each command", "once above them"])
@pytest.mark.parametrize("count", [2, 10, 50])
def test_processes_of_different_commands_are_proven_together(linted, count, said):
    """What needs no search as well; and an edit that cures many runs is tried once."""
    run = RUN.removeprefix("NPROC_PER_NODE=4 ")
    above, before = ("", "NPROC_PER_NODE=4 ") if said == "in each command" else ("export NPROC_PER_NODE=4\n", "")
    text = f"# grpo-lint: version=4.6.0\n{above}" + f"CUDA_VISIBLE_DEVICES=0,1 {before}{run}\n" * count
    report = lint_text(text, path="run.sh", fixes=True)
    found = [finding for finding in report.findings if finding.rule.code == "GRPO426"]
    places = count if said == "in each command" else 1  # what one line says is told once
    assert [[str(fix.title) for fix in finding.fixes] for finding in found] == [["set NPROC_PER_NODE=2"]] * places
    assert len(linted) <= 2


def near(number):
    """A key that looks like a field: one letter is too much."""
    name = ("learning_rate", "num_generations", "warmup_steps", "logging_steps", "save_steps")[number % 5]
    place, letter = divmod(number // 5, 26)
    return f"{name[: place % 9 + 1]}{chr(97 + letter)}{name[place % 9 + 1 :]}"


MANY = {
    "config.yaml": lambda keys: HEAD + "".join(f"{key}: 1\n" for key in keys),
    "run.sh": lambda keys: f"# grpo-lint: version=4.6.0\n{RUN} {' '.join(f'--{key} 1' for key in keys)}\n",
    "train.py": lambda keys: (
        f"from trl import GRPOConfig, GRPOTrainer\n\nargs = GRPOConfig({', '.join(f'{key}=1' for key in keys)})\nGRPOTrainer(args=args)\n"
    ),
}


@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", MANY)
def test_a_file_of_a_thousand_misspelt_keys_is_linted_a_few_times(linted, name, count):
    """Twenty of them are told with a suggestion, and a pass for each of those is the most that is made."""
    text = MANY[name](dict.fromkeys(map(near, range(count))))
    done = repair(text.encode(), name, unsafe=True, tells=False)
    assert done.first.launches and len(linted) <= 25


class Proposed:
    """A finding, and its fix, whose edits stand at these places."""

    def __init__(self, *places):
        self.fixes = []
        self.edits = [Edit(start, end, "") for start, end in places]


def held(proposed, wrong=(), limit=None):
    """(the places in a list of Proposed of those that hold together, how often it was asked) where each of those at
    the places `wrong` breaks something."""
    asked = []

    def prove(findings, edits):
        asked.append(findings)
        assert edits == [edit for each in findings for edit in each.edits]
        return (limit is None or len(asked) <= limit) and not any(proposed[place] in findings for place in wrong)

    found = repairs._holding(prove, [], [(each, each) for each in proposed])
    return [proposed.index(each) for each, _ in found], len(asked)


APART = [(10 * place, 10 * place + 5) for place in range(64)]


def test_one_fix_that_does_not_hold_is_found_by_halves():
    assert held([Proposed(place) for place in APART]) == ([*range(64)], 1)
    for wrong in (0, 20, 63):
        found, asked = held([Proposed(place) for place in APART], wrong=[wrong])
        assert found == [place for place in range(64) if place != wrong] and asked <= 2 * 6 + 1
    assert held([Proposed(place) for place in APART], wrong=[3, 40])[0] == [
        place for place in range(64) if place not in (3, 40)
    ]


def test_what_holds_so_far_is_kept_when_no_more_may_be_proven():
    assert held([Proposed(place) for place in APART], wrong=[40], limit=2)[0] == [*range(32)]


def test_of_two_fixes_that_touch_the_first_one_that_holds_is_made():
    touching = [Proposed((0, 5), (5, 9)), Proposed((9, 12)), Proposed((20, 25)), Proposed((13, 15), (25, 25))]
    assert held(touching)[0] == [0, 2]
    assert held(touching, wrong=[0])[0] == [1, 2]
    assert held(touching, wrong=[0, 2])[0] == [1, 3]


def test_a_fix_that_was_offered_already_is_made_alone():
    one = Proposed((0, 5))
    one.fixes = [one]
    assert held([one], wrong=[0])[0] == [0]


def test_of_each_run_only_the_worst_finding_is_looked_at(linted):
    """What comes after it may be cured as well. In the report that is shown each finding that is left has its fixes."""
    text = BOTH + "loss_type: dapoo\nlr_scheduler_type: cosin\n"
    told = repair(text.encode(), "config.yaml")
    assert [finding.rule.code for finding in told.report.findings if finding.fixes]
    assert told.data.decode() == text.replace("train_type", "tuner_type")
    assert {fix.safety for finding in told.report.findings for fix in finding.fixes} == {"unsafe"}
    silent = repair(text.encode(), "config.yaml", tells=False)
    assert silent.data == told.data and not any(finding.fixes for finding in silent.report.findings)


@pytest.mark.slow
def test_a_config_of_many_runs_costs_what_they_cost_together(linted):
    """Each run judges all of its settings, so that fewer proofs may be made."""
    counts = []
    text = "output_dir: o\nnum_generations: 8\n" + "".join(
        f"{key}: 1\n" for key in dict.fromkeys(map(near, range(500)))
    )
    write(text)
    for runs in (1, 40):
        write("trl grpo --config config.yaml\n" * runs, "run.sh")
        linted.clear()
        report = engine.lint_path("config.yaml", Around().of("config.yaml"))
        assert len(report.launches) == runs
        counts.append(len(linted))
    alone, together = counts
    assert alone > 10 and 2 <= together < alone / 4


def test_an_info_is_no_reason_to_edit():
    """A second spelling may be one, where the training script may declare it itself."""
    text = CLEAN.replace("world", "loader=script world") + "num-generations: 8\n"
    assert repair(text.encode(), "config.yaml").data == text.replace("num-generations: 8\n", "").encode()
    report = lint_text(text)
    (finding,) = [finding for finding in report.findings if safe_key_fix(report, finding)]
    finding.severity = "info"
    assert safe_key_fix(report, finding) is None and not may_have_safe_fixes(report)


def test_a_file_that_is_passed_over_is_judged_once_whatever_is_fixed(tmp_path, monkeypatch, capsys):
    (tmp_path / "b.yaml").write_text(CUT_GROUP)
    for number in range(40):
        (tmp_path / f"c{number}.py").write_text("from trl import GRPOConfig\nclass Own(GRPOConfig):\n    pass\n")
    monkeypatch.chdir(tmp_path)
    judged, lint = [], engine.lint
    monkeypatch.setattr(
        engine, "lint", lambda text, *given, **more: judged.append(text.path) or lint(text, *given, **more)
    )
    cli.main(["check", ".", "--fix", "--unsafe-fixes"])
    assert "40 skipped" in capsys.readouterr().out
    assert Counter(path for path in judged if path.endswith(".py")) == Counter(f"c{n}.py" for n in range(40))


def linted_to_fix(text, monkeypatch, **options):
    """(Repair, how often texts are linted after the first time)."""
    count, lint = [], engine.lint
    monkeypatch.setattr(engine, "lint", lambda *given, **more: count.append(1) or lint(*given, **more))
    return repair(text.encode(), "a.yaml", None, True, **options), len(count) - 1


def test_alternatives_of_the_fix_that_is_applied_are_not_proven(monkeypatch):
    done, linted = linted_to_fix(CUT_GROUP, monkeypatch)
    assert (done.fixed, linted) == (1, 1)


def test_alternatives_are_told_where_no_fix_is_applied(monkeypatch):
    (finding,) = repair(CUT_GROUP.encode(), "a.yaml").report.findings
    assert len(finding.fixes) == 3


def test_all_passes_share_one_limit_of_what_is_linted(monkeypatch):
    misspelt = (
        "learning_rte: 1e-6",
        "max_step: 9",
        "logging_step: 9",
        "save_step: 9",
        "weight_deca: 0.1",
        "temperatur: 1.0",
    )
    text = CLEAN + "".join(f"{line}\n" for line in misspelt)
    done, linted = linted_to_fix(text, monkeypatch)
    assert done.fixed == len(misspelt) <= linted
    monkeypatch.setattr(repairs, "Room", lambda most: Room(4000))
    done, linted = linted_to_fix(text, monkeypatch)
    assert 0 < done.fixed <= linted <= 4
