"""Suppressions: where they hold, what is wrong with them, and that an unused one can be removed."""

from pathlib import Path

import pytest

from conftest import lint_text, names, said
from grpo_lint.checker import suppressions
from grpo_lint.checker.findings import Finding, Report, comment_finding, span_of
from grpo_lint.checker.suppressions import suppress
from grpo_lint.cli.main import main
from grpo_lint.fixes.edits import apply
from grpo_lint.frameworks.all_rules import RULES
from grpo_lint.report.messages import message
from grpo_lint.source.text import Span, Text
from grpo_lint.source.yaml.reader import read_yaml

HEAD = "# grpo-lint: dialect=trl version=1.16.0 world-size=7\n"
GROUPS = "num_generations: 8\nper_device_train_batch_size: 1\ngradient_accumulation_steps: 4\n"
NAMED = [
    "GRPO203",
    "grpo203",
    "rollout-holds-whole-groups",
    "GRPO203, GRPO102",
    "key-is-known rollout-holds-whole-groups",
]


def lint(text, **options):
    return lint_text(HEAD + text, **options)


# --- where they hold ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", NAMED)
@pytest.mark.parametrize("opening", ["grpo-lint: ", "grpo_lint:", "grpo-lint "])
def test_on_the_line(rules, opening):
    report = lint(GROUPS.replace("8\n", f"8 # {opening}ignore[{rules}] only seven GPUs today # and more\n"))
    assert "rollout-holds-whole-groups" not in names(report)


@pytest.mark.parametrize("rules", NAMED)
def test_on_the_line_above_with_others_between(rules):
    assert "rollout-holds-whole-groups" not in names(
        lint(f"# grpo-lint: ignore[{rules}]\n\n# groups of eight\n{GROUPS}")
    )


def test_for_the_file_from_anywhere_in_it():
    assert names(lint(f"{GROUPS}# grpo-lint: ignore-file[GRPO203]\n")) == []


@pytest.mark.parametrize("text", [
    GROUPS.replace("1\n", "1 # grpo-lint: ignore[GRPO203]\n"),
    f"{GROUPS}# grpo-lint: ignore[GRPO203]\n",
    f"# grpo-lint: ignore[GRPO203]\noutput_dir: runs\n{GROUPS}",
    f"{GROUPS}optim: sgd # x grpo-lint: ignore[GRPO203]\n",
    f'{GROUPS}run_name: "# grpo-lint: ignore-file[GRPO203]"\n',
    f"{GROUPS}run_name: |\n  # grpo-lint: ignore-file[GRPO203]\n",
])  # fmt: skip
def test_nowhere_else(text):
    assert "rollout-holds-whole-groups" in names(lint(text))


BLOCK = """\
{above}
training_args:{behind}
  max_step: 9
  logging_step: 3
learning_rat: 1.0e-6
"""


@pytest.mark.parametrize("place", ["above", "behind"])
def test_for_a_block(place):
    text = Text(BLOCK.format(**commented(place, "GRPO102")), "a.yaml")
    report = Report("a.yaml", text)
    report.document = read_yaml(text)
    spans = [
        Span(text.text.index(key), text.text.index(key) + len(key))
        for key in ("max_step", "logging_step", "learning_rat")
    ]
    report.findings = [Finding(RULES["key-is-known"], "warning", "never", span=span) for span in spans]
    suppress(report)
    assert [span_of(finding) for finding in report.findings] == spans[2:]


def commented(place, code):
    return {"above": "", "behind": "", place: f" # grpo-lint: ignore[{code}] all of it"}


SCRIPT = """\
#!/bin/bash
{above}
NPROC_PER_NODE=8 swift rlhf \\
    --rlhf_type grpo \\
    --num_generations 7{behind}
swift rlhf --num_generations 6
"""


@pytest.mark.parametrize("place", ["above", "behind"])
def test_for_a_command_of_a_script(place):
    text = Text(SCRIPT.format(**commented(place, "GRPO005")), "train.sh")
    report = Report("train.sh", text)
    starts = [text.text.index(word) for word in ("NPROC", "--rlhf_type", "--num_generations 7", "--num_generations 6")]
    report.findings = [comment_finding(Span(start, start + 5), "x") for start in starts]
    suppress(report)
    assert [span_of(finding).start for finding in report.findings] == starts[3:]


def test_in_a_script_from_end_to_end():
    plain = SCRIPT.format(above="# grpo-lint: version=4.6.0", behind="").replace("swift rlhf --num_generations 6\n", "")
    before = lint_text(plain, path="train.sh")
    (code,) = {finding.rule.code for finding in before.findings if finding.severity == "error"}
    comment = f"# grpo-lint: version=4.6.0\n# grpo-lint: ignore[{code}] for the moment"
    after = lint_text(plain.replace("# grpo-lint: version=4.6.0", comment), path="train.sh")
    assert code not in [finding.rule.code for finding in after.findings] and "suppression-is-needed" not in names(after)


JOB = """\
kind: Job
spec:
  # {above}
  args:
    - |
      # grpo-lint: version=1.16.0
      # {inside}
      accelerate launch --num_processes 4 train_grpo.py --per_device_train_batch_size 1 --num_generations 8 --max_completion_length 64
"""


@pytest.mark.parametrize("place", ["above", "inside"])
def test_in_a_script_inside_of_yaml(place):
    comment = {"above": "", "inside": "", place: "grpo-lint: ignore[GRPO203]"}
    assert names(lint_text(JOB.format(above="", inside=""), path="job.yaml")) == ["rollout-holds-whole-groups"]
    assert names(lint_text(JOB.format(**comment), path="job.yaml")) == []


@pytest.mark.parametrize("command, fixes", [
    ("{head} --num_generations 4 # grpo-lint: ignore[GRPO203]\n", 1),
    ("{head} \\\n    --num_generations 4\n# grpo-lint: ignore[GRPO203]\n", 1),
    ("{head} --num_generations 4 \\\n    # grpo-lint: ignore[GRPO203]\n    --bf16 true\n", 0),
    ("{head} --num_generations 4 \\ # grpo-lint: ignore[GRPO203]\n    --bf16 true\n", 0),
])  # fmt: skip
def test_a_comment_that_ends_a_command_is_not_removed(command, fixes):
    """Without it the command would go on with the next line, and the run would be another."""
    head = "# grpo-lint: version=1.16.0\naccelerate launch --num_processes 4 train_grpo.py --max_completion_length 64 --per_device_train_batch_size 1"
    report = lint_text(command.format(head=head), path="train.sh")
    assert len(said(report, "suppression-is-needed").fixes) == fixes


FOLDERS = [Path(__file__).parent / "golden", Path(__file__).parents[1] / "examples" / "bad"]


@pytest.mark.parametrize(
    "path", [path for folder in FOLDERS for path in sorted(folder.glob("*.yaml"))], ids=lambda path: path.stem
)
def test_whatever_is_found_can_be_suppressed(path):
    """A comment above the line of a finding takes away what is found of its rule there, and nothing else."""
    before = lint_text(path.read_text(encoding="utf-8"))
    if before.document is None or before.document.problems:
        return
    for finding in before.findings:
        row, _ = before.text.position(span_of(finding).start)
        if not before.text.line_text(row).strip() or before.text.line_text(row).startswith("#"):
            continue
        start = before.text.starts[row]
        comment = f"# grpo-lint: ignore[{finding.rule.name}]\n"
        after = lint_text(before.text.text[:start] + comment + before.text.text[start:])
        assert [message(other) for other in after.findings if other.rule.code != "GRPO901"] == [
            message(other) for other in before.findings
            if other.rule is not finding.rule or before.text.position(span_of(other).start)[0] != row
        ]  # fmt: skip
        assert "suppression-is-needed" not in names(after)


# --- what is wrong with them ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("comment, told", [
    ("ignore", "ignore needs a rule: ignore[GRPO203]; without one it would also hide future findings"),
    ("ignore because", "ignore needs a rule: ignore[GRPO203]; without one it would also hide future findings"),
    ("ignore[ ]", "ignore needs a rule: ignore[GRPO203]; without one it would also hide future findings"),
    ("ignore-file", "ignore-file needs a rule: ignore-file[GRPO203]; without one it would also hide future findings"),
    ("ignore[GRPO203", "ignore[ has no end: write ignore[GRPO203]"),
    ("ignore[GRPO2O3]", "there is no rule 'GRPO2O3'; `grpo-lint rule` lists them"),
    ("ignore[rollout-hold-whole-groups]", "there is no rule 'rollout-hold-whole-groups'; did you mean 'rollout-holds-whole-groups'?"),
    ("ignore[GRPO901]", "GRPO901 is about comments like this one, and no comment suppresses it"),
])  # fmt: skip
def test_what_cannot_be_understood_is_told_and_suppresses_nothing(comment, told):
    report = lint(GROUPS.replace("8\n", f"8 # grpo-lint: {comment}\n"))
    finding = said(report, "comment-is-understood")
    assert (finding.severity, message(finding)) == ("warning", told)
    assert "rollout-holds-whole-groups" in names(report)


@pytest.mark.parametrize("comment, text", [
    ("8 # grpo-lint: ignore[GRPO203, GRPO102] why\n", "8 # grpo-lint: ignore[GRPO203] why\n"),
    ("8 # grpo-lint: ignore[GRPO102,rollout-holds-whole-groups,GRPO110]\n", "8 # grpo-lint: ignore[rollout-holds-whole-groups]\n"),
    ("8   # grpo-lint: ignore[GRPO102] why\n", "8\n"),
    ("8\n  # grpo-lint: ignore[GRPO102, GRPO104] why\n", "8\n"),
])  # fmt: skip
def test_an_unused_suppression_can_be_removed(comment, text):
    report = lint(GROUPS.replace("8\n", comment))
    finding = said(report, "suppression-is-needed")
    (fix,) = finding.fixes
    assert (finding.severity, fix.safety) == ("warning", "safe")
    edited = apply(report.text, fix.edits).text
    assert edited == HEAD + GROUPS.replace("8\n", text)
    assert "suppression-is-needed" not in names(lint_text(edited))


def test_fix_removes_what_is_unused_and_nothing_else(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(
        f"{HEAD}{GROUPS}optim: sgd # grpo-lint: ignore[GRPO111] a\nbeta: 0 # grpo-lint: ignore[GRPO102,GRPO104]\n"
    )
    assert main(["--fix", str(path)]) == 1
    assert path.read_text() == f"{HEAD}{GROUPS}optim: sgd\nbeta: 0\n"


def test_nothing_is_unused_where_it_may_be_needed_elsewhere():
    """Without a number of processes nobody knows whether the arithmetic holds; and a file that cannot be parsed holds
    anything."""
    comment = "# grpo-lint: ignore-file[GRPO203]\n"
    assert "suppression-is-needed" not in names(lint_text(f"{HEAD.replace(' world-size=7', '')}{comment}{GROUPS}"))
    assert names(lint_text(f"{HEAD}{comment}num_generations: [8\n")) == ["file-can-be-parsed"]
    assert names(lint_text(f"{HEAD.replace('=7', '=8')}{comment}{GROUPS}")) == ["suppression-is-needed"]


def test_words_that_name_no_rule_are_bounded(monkeypatch):
    """Each is compared with the names of all rules: 80,000 of them took two minutes."""
    compared = []
    monkeypatch.setattr(suppressions, "did_you_mean", lambda *words: compared.append(words) or "")
    report = lint(f"# grpo-lint: ignore-file[{'x ' * 3000}, GRPO203]\n{GROUPS}")
    assert len(compared) == names(report).count("comment-is-understood") == suppressions.MOST_PROBLEMS
    assert "rollout-holds-whole-groups" not in names(report)
