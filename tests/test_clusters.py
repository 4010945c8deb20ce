"""A run that has to work on several clusters: `world-size=8|16|64`."""

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from conftest import config, lint_text, stated
from grpo_lint.cli import main as cli
from grpo_lint.engine import lint
from grpo_lint.fixes.edits import apply
from grpo_lint.launch import pins
from grpo_lint.launch.comment_grammar import read_comment
from grpo_lint.launch.facts import BadFact, Counts, parse_fact
from grpo_lint.lsp.hover import hover
from grpo_lint.lsp.numbers import code_lenses, inlay_hints
from grpo_lint.report.explain import explanation
from grpo_lint.report.messages import message
from grpo_lint.settings import files as settings
from grpo_lint.source.text import Text

RUN = """\
# grpo-lint: dialect=trl version=1.16.0 world-size={counts}
num_generations: 8
per_device_train_batch_size: 2
gradient_accumulation_steps: 2
"""


def run(counts):
    return RUN.format(counts=counts)


def told(report):
    return [(finding.severity, message(finding).partition(" (")[0]) for finding in report.findings]


# --- how it is said -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("8|16|64", (8, 16, 64)),
        ("8,16,64", (8, 16, 64)),
        (" 8 | 16 ", (8, 16)),
        ("64|8", (64, 8)),
        ("8|8", 8),
        ("8", 8),
        (8, 8),
        ([8, 16], (8, 16)),
        ([8], 8),
    ],
)
def test_a_text_or_a_list(written, value):
    assert parse_fact("world-size", written) == value
    assert isinstance(parse_fact("world-size", written), Counts) is isinstance(value, tuple)


@pytest.mark.parametrize(
    "written", ["8|", "|8", "8|x", "8|0", [], [0], ["x"], [True], "8 16", "|".join(map(str, range(1, 18))), 8.5]
)
def test_what_is_no_number_of_processes(written):
    with pytest.raises(BadFact, match="world-size"):
        parse_fact("world-size", written)


def test_in_a_comment():
    (comment,) = [read_comment(f"# grpo-lint: world-size={counts} version=1.16.0", 0) for counts in ["8|16|64"]]
    facts, problems = comment
    assert (facts["world_size"].value, facts["version"].value, problems) == ((8, 16, 64), "1.16.0", [])
    assert read_comment("# grpo-lint: world-size=8,16 version=1.16.0", 0)[0]["world_size"].value == (8, 16)


@pytest.mark.parametrize("other", ["processes-per-node", "visible-devices", "dataset-size"])
def test_other_facts_have_one_value(other):
    with pytest.raises(BadFact):
        parse_fact(other, "8|16")


def test_settings_command_line_and_comment(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    settings.forget()
    pins.forget()
    Path("a.yaml").write_text(run("").replace(" world-size=", ""))
    for written, words, counts in (
        ("[7, 8]", (), [7, 8]),
        ('"7|8"', (), [7, 8]),
        ("8", ("--world-size", "7,8"), [7, 8]),
        ("[7, 8]", ("--world-size=8",), None),
    ):
        settings.forget()
        Path("grpo-lint.toml").write_text(f"world-size = {written}\n")
        cli.main(["a.yaml", "--output-format", "json", *words])
        (launch,) = json.loads(capsys.readouterr().out)["files"][0]["launches"]
        assert (launch.get("world_sizes"), launch["world_size"]) == (counts, counts[0] if counts else 8)


# --- what is found --------------------------------------------------------------------------------------------------


def test_a_finding_names_the_counts_that_fail():
    assert told(lint_text(run("4|7|8|9"))) == [("error", "with 7 or 9 processes: a rollout of 28 completions")]
    (finding,) = lint_text(run("4|7|8|9")).findings
    assert (finding.counts, finding.plan["world_size"]) == ((7, 9), 7)


def test_where_all_fail_it_is_as_with_one():
    assert told(lint_text(run("7|9"))) == [("error", "a rollout of 28 completions")]
    assert told(lint_text(run("4|8"))) == []


def test_what_has_nothing_to_do_with_processes_is_as_with_one():
    alone, several = (
        lint_text(run(counts).replace("num_generations: 8", "num_generations: 1")) for counts in ("8", "8|16")
    )
    assert [message(finding) for finding in several.findings] == [message(finding) for finding in alone.findings] != []
    assert several.findings[0].counts == ()


def test_a_rule_may_be_hidden_on_some_counts_only():
    """Where a rollout is empty nobody says that it holds no whole groups."""
    text = run("2|3").replace(
        "per_device_train_batch_size: 2", "generation_batch_size: 12\nper_device_train_batch_size: 2"
    )
    for count in (2, 3):
        single = {finding.rule.name for finding in lint_text(text.replace("2|3", str(count))).findings}
        several = {
            finding.rule.name for finding in lint_text(text).findings if not finding.counts or count in finding.counts
        }
        assert single == several


KEYS = {
    "trl": {"dialect": "trl", "version": "1.16.0"},
    "swift": {"dialect": "swift", "version": "4.6.0"},
    "megatron": {"dialect": "megatron", "version": "4.6.0"},
}
SMALL = st.integers(1, 12)


@st.composite
def runs(draw):
    """(settings, facts) of a run of one of the frameworks."""
    dialect = draw(st.sampled_from(list(KEYS)))
    if dialect == "megatron":
        found = {"rlhf_type": "grpo", "micro_batch_size": draw(SMALL), "global_batch_size": draw(st.integers(1, 64)), "num_generations": draw(SMALL),
                 "tensor_model_parallel_size": draw(st.sampled_from([1, 2, 4]))}  # fmt: skip
    else:
        found = {
            "per_device_train_batch_size": draw(SMALL),
            "gradient_accumulation_steps": draw(SMALL),
            "num_generations": draw(SMALL),
        }
        if dialect == "swift":
            found["rlhf_type"] = "grpo"
        if draw(st.booleans()):
            found["steps_per_generation"] = draw(SMALL)
        if draw(st.booleans()):
            found |= {"eval_strategy": "steps", "per_device_eval_batch_size": draw(SMALL)}
    return found, KEYS[dialect]


def serious(report):
    return [finding for finding in report.findings if finding.severity != "info"]


@given(runs(), st.lists(st.integers(1, 24), min_size=2, max_size=4, unique=True))
def test_each_count_is_judged_as_if_it_stood_alone(described, counts):
    values, facts = described
    several = serious(lint_text(config(values, **facts, world_size="|".join(map(str, counts)))))
    for count in counts:
        alone = {
            (finding.rule.name, finding.severity)
            for finding in serious(lint_text(config(values, **facts, world_size=count)))
        }
        assert {
            (finding.rule.name, finding.severity)
            for finding in several
            if not finding.counts or count in finding.counts
        } == alone


@pytest.mark.slow
@given(runs(), st.lists(st.integers(1, 16), min_size=2, max_size=3, unique=True))
def test_a_fix_holds_on_every_count(described, counts):
    values, facts = described
    text = Text(config(values, **facts, world_size="|".join(map(str, counts))), "config.yaml")
    for finding in serious(lint(text)):
        for fix in finding.fixes:
            assert "world_size" not in fix.changes
            after = apply(text, fix.edits).text
            for count in counts:
                alone = lint_text(after, outside=stated("command line", world_size=count))
                assert finding.rule.name not in {each.rule.name for each in serious(alone)}


def test_a_fix_for_several_counts():
    (finding,) = lint(Text(run("3|7"), "a.yaml")).findings
    assert finding.fixes[0].changes == {"gradient_accumulation_steps": 4}


# --- commands -------------------------------------------------------------------------------------------------------


def test_a_command_that_names_one_of_them_does_not_disagree():
    script = "# grpo-lint: version=1.16.0 dialect=trl world-size=8|16\naccelerate launch --num_processes {} train.py --num_generations 8 --per_device_train_batch_size 8\n"
    assert [finding.rule.name for finding in lint_text(script.format(16), path="a.sh").findings] == []
    assert [finding.rule.name for finding in lint_text(script.format(32), path="a.sh").findings] == [
        "comment-is-understood"
    ]


def test_a_number_that_the_command_leaves_open():
    script = "# grpo-lint: version=1.16.0 dialect=trl world-size=7|8\naccelerate launch --num_processes $N train.py --num_generations 8 --per_device_train_batch_size 1\n"
    # a warning: the program is not here, and may have other defaults
    assert told(lint_text(script, path="a.sh")) == [("warning", "with 7 processes: a rollout of 7 completions")]


# --- what is shown --------------------------------------------------------------------------------------------------


def test_json_has_a_plan_for_each(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("a.yaml").write_text(run("4|7"))
    cli.main(["a.yaml", "--output-format", "json"])
    file = json.loads(capsys.readouterr().out)["files"][0]
    launch = file["launches"][0]
    assert (launch["world_size"], launch["world_sizes"]) == (4, [4, 7])
    assert launch["plan"] == launch["plans"][0]
    assert [(plan["world_size"], plan["completions_per_update"]) for plan in launch["plans"]] == [(4, 16), (7, 28)]
    assert file["diagnostics"][0]["data"]["world_sizes"] == [7]
    Path("a.yaml").write_text(run("7"))
    cli.main(["a.yaml", "--output-format", "json"])
    file = json.loads(capsys.readouterr().out)["files"][0]
    assert (
        not {"world_sizes", "plans"} & file["launches"][0].keys()
        and "world_sizes" not in file["diagnostics"][0]["data"]
    )


def test_explain_shows_each():
    text = explanation(
        lint_text(run("4|7|8").replace("world-size", "dataset-size=100 world-size")), colour=False, width=160
    )
    text = " ".join(text.split())
    assert "4, 7 or 8 processes (comment)" in text
    for line in (
        "world_size 4 | 7 | 8",
        "completions per update 16 | 28 | 32 =",
        "= 8 | 14 | 16 per micro step x 2 micro steps per update",
        "completions per group 8 = num_generations 8",
    ):
        assert line in text
    assert "100 rows are 50 | 33 | 25 updates an epoch, 150 | 99 | 75 in all" in text


def test_the_editor_shows_each():
    text = run("4|8")
    report = lint_text(text)
    (lens,) = code_lenses(report, "file:///a.yaml", "utf-16")
    assert (
        "on 4 or 8 processes" in lens["command"]["title"]
        and "16 | 32 completions = 2 | 4 prompts of 8" in lens["command"]["title"]
    )
    hints = inlay_hints(report, 0, len(text), "utf-16")
    assert any("update: 16 | 32 = 2 | 4 prompts of 8" in hint["label"] for hint in hints)
    assert any("an update: 16 | 32 completions" in hint["tooltip"] for hint in hints)
    told = hover(report, text.index("gradient_accumulation"), "utf-16")["contents"]["value"]
    assert "4 or 8 processes" in told and "x 4 | 8 processes" in told and "**16 | 32 completions**" in told
