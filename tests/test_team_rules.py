"""Rules that a team declares in its settings: what they find, where, how they are suppressed, and what is wrong with a
declaration."""

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator

from conftest import config
from grpo_lint.cli import main as cli
from grpo_lint.engine import lint
from grpo_lint.launch import pins
from grpo_lint.launch.context import Context
from grpo_lint.plan.formula import Formula
from grpo_lint.report.messages import message
from grpo_lint.settings import files as settings
from grpo_lint.settings.limits import KEYS, BadRule, Limit, read_limit
from grpo_lint.settings.policy import Policy
from grpo_lint.source.text import Text
from pages.schemas import settings_schema

RUN = """\
# grpo-lint: dialect=trl version=1.16.0 world-size=8
num_generations: 8
per_device_train_batch_size: 8
gradient_accumulation_steps: 4
loss_type: bnpo
beta: 0.2
"""
WHOLE_UPDATES = '[rules.team-updates-of-512]\non = "completions_per_update"\nmultiple-of = 512\n'


@pytest.fixture(autouse=True)
def repository(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    settings.forget()
    pins.forget()
    return tmp_path


@pytest.fixture
def check(capsys):
    """check(settings, text, word, ...) -> the diagnostics of a file; `check.status` and `check.notes` are what else
    came of it."""

    def check(written, text=RUN, *words, path="a.yaml"):
        settings.forget()
        Path("grpo-lint.toml").write_text(written)
        Path(path).parent.mkdir(exist_ok=True, parents=True)
        Path(path).write_text(text)
        check.status = cli.main(["check", "--output-format", "json", *words, path])
        out, check.notes = capsys.readouterr()
        return json.loads(out)["files"][0]["diagnostics"]

    return check


def report_of(text, *limits, fixes=False):
    policy = Policy(rules={limit.name: limit for limit in limits})
    return lint(Text(text, "a.yaml"), Context(policy=policy), fixes=fixes)


def limit(on, **limits):
    return read_limit("team-rule", {"on": on, **{name.replace("_", "-"): value for name, value in limits.items()}})


def told(report):
    return [(finding.severity, message(finding)) for finding in report.findings if finding.rule.code.startswith("TEAM")]


# --- what they find -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("on", "limits", "expected"),
    [
        ("completions_per_update", {"multiple_of": 256}, None),
        ("completions_per_update", {"multiple_of": 512}, "completions_per_update is 256 (per_device_train_batch_size 8 x 8 processes x "
         "gradient_accumulation_steps 4), and must be a multiple of 512"),
        ("completions_per_update", {"max": 256, "min": 256}, None),
        ("completions-per-update", {"max": 255}, "and must be at most 255"),
        ("completions_per_update", {"min": 257, "max": 300}, "and must be at most 300 and at least 257"),
        ("completions_per_update", {"one_of": [128, 256]}, None),
        ("completions_per_update", {"one_of": [128, 512]}, "and must be one of 128, 512"),
        ("beta", {"max": 0.1}, "beta is 0.2, and must be at most 0.1"),
        ("beta", {"min": 0.1}, None),
        ("loss_type", {"one_of": ["dapo"]}, "loss_type is bnpo, and must be dapo"),
        ("loss_type", {"one_of": ["dapo", "{beta}"]}, "loss_type is bnpo, and must be one of dapo, {beta}"),
        ("evaluates", {"one_of": [False]}, None),
        ("world_size", {"multiple_of": 16}, "world_size is 8, and must be a multiple of 16"),
        ("num_generations", {"min": "world_size"}, None),
        ("num_generations", {"multiple_of": "completions_per_step"}, "num_generations is 8, and must be a multiple of completions_per_step "
         "64 (per_device_train_batch_size 8 x 8 processes)"),
        ("num_iterations", {"min": 2}, "num_iterations is 1, and must be at least 2"),
        # what cannot be told is not told
        ("total_steps", {"max": 1}, None),
        ("global_batch_size", {"max": 1}, None),
        ("loss_type", {"max": 1}, None),
        ("completions_per_update", {"multiple_of": "loss_type"}, None),
        ("generation_batch_size", {"min": 10**6}, None),
    ],
)  # fmt: skip
def test_a_limit_speaks_when_it_is_broken(on, limits, expected):
    found = told(report_of(RUN, limit(on, **limits)))
    assert [severity for severity, _ in found] == (["warning"] if expected else [])
    assert not expected or found[0][1].endswith(expected), found


@given(
    batch=st.integers(1, 40), accumulation=st.integers(1, 40), world=st.integers(1, 40), high=st.integers(1, 3000),
    low=st.integers(1, 3000), step=st.integers(1, 600), choices=st.lists(st.integers(1, 3000), min_size=1, max_size=3),
)  # fmt: skip
def test_limits_say_what_python_says(batch, accumulation, world, high, low, step, choices):
    text = config({"per_device_train_batch_size": batch, "gradient_accumulation_steps": accumulation, "num_generations": 2},
                  dialect="trl", version="1.16.0", world_size=world)  # fmt: skip
    update = batch * accumulation * world
    for each, holds in (({"max": high}, update <= high), ({"min": low}, update >= low), ({"multiple_of": step}, update % step == 0),
                        ({"one_of": choices}, update in choices)):  # fmt: skip
        assert (told(report_of(text, limit("completions_per_update", **each))) == []) is holds, each


@pytest.mark.parametrize(
    ("on", "key"),
    [
        ("num_generations", "num_generations"),
        ("completions_per_update", "gradient_accumulation_steps"),  # completions per step x accumulation steps
        ("completions_per_step", "per_device_train_batch_size"),
        ("prompts_per_rollout", "num_generations"),
    ],
)
def test_a_finding_points_at_the_key_that_enters_most_directly(on, key):
    (finding,) = [each for each in report_of(RUN, limit(on, max=0)).findings if each.rule.name == "team-rule"]
    assert finding.at.name == key


def test_a_default_is_pointed_at_nowhere_and_named():
    (finding,) = report_of(RUN, limit("num_iterations", min=2)).findings
    assert finding.at is None


def test_a_finding_is_like_those_of_other_rules(check):
    (found,) = check(WHOLE_UPDATES + 'why = "Our  learning rates\\nare tuned for it."\nseverity = "error"\n')
    assert (found["code"], found["severity"], found["range"]["start"]) == (
        "TEAM-UPDATES-OF-512",
        1,
        {"line": 3, "character": 0},
    )
    assert (found["data"]["rule"], found["data"]["stage"], found["data"]["assumes"]) == (
        "team-updates-of-512",
        "never",
        [],
    )
    assert [related["message"] for related in found["relatedInformation"]] == [
        "per_device_train_batch_size: 8",
        "world-size: 8 (comment)",
    ]
    assert found["codeDescription"]["href"].endswith("/docs/team-rules.md")
    assert check.status == 1


def test_keys_of_the_teams_own_scripts_can_be_limited(check):
    written = 'known-keys = ["team_*"]\nrules.team-workers = { on = "team_workers", max = 4 }\n'
    (found,) = check(written, RUN + "team_workers: 8\n")
    assert (found["code"], found["range"]["start"]["line"]) == ("TEAM-WORKERS", 6)
    assert check(written, RUN + "team_workers: 3\n") == []


@pytest.mark.parametrize(
    ("text", "on"),
    [
        (
            "# grpo-lint: version=4.6.0 world-size=4\nrlhf_type: grpo\nnum_generations: 4\nper_device_train_batch_size: 4\n",
            "completions_per_update",
        ),
        (
            "# grpo-lint: version=4.6.0 world-size=4\nrlhf_type: grpo\nmicro_batch_size: 1\nglobal_batch_size: 16\nnum_generations: 4\n",
            "global_batch_size",
        ),
    ],
)
def test_other_frameworks(text, on):
    assert len(told(report_of(text, limit(on, one_of=[7])))) == 1


def test_a_script_is_told_at_the_flag(check):
    script = "accelerate launch --num_processes 8 train.py \\\n  --num_generations 8 --per_device_train_batch_size 8\n"
    found = check('version = "1.16.0"\ndialect = "trl"\n' + WHOLE_UPDATES, script, path="train.sh")
    assert [(each["code"], each["range"]["start"]) for each in found] == [
        ("TEAM-UPDATES-OF-512", {"line": 1, "character": 24})
    ]


# --- what is unknown ------------------------------------------------------------------------------------------------

ANY_MACHINE = RUN.replace(" world-size=8", "")


def test_on_some_machines_it_is_an_info():
    assert told(report_of(ANY_MACHINE, limit("completions_per_update", multiple_of=512))) == [
        ("info", "completions_per_update is a multiple of 512 on multiples of 16 processes")
    ]
    assert told(report_of(ANY_MACHINE, limit("completions_per_update", one_of=[512]))) == [
        ("info", "completions_per_update is 512 on 16 processes only")
    ]


def test_on_no_machine_it_is_a_finding():
    ((severity, text),) = told(report_of(ANY_MACHINE, limit("completions_per_update", max=31)))
    assert severity == "warning"
    assert text.startswith("completions_per_update is 32") and "on every number of processes" in text


def test_on_every_machine_it_is_silent():
    assert told(report_of(ANY_MACHINE, limit("completions_per_update", multiple_of=32))) == []


def test_a_version_that_may_be_meant_and_keeps_it_makes_an_error_a_warning():
    """A rollout is 32 completions in 0.15 and 0.16, and more in the others."""
    text = "# grpo-lint: dialect=trl world-size=4\nnum_generations: 8\nper_device_train_batch_size: 8\ngradient_accumulation_steps: 4\n"
    for high, severity, told in ((100, "warning", "with TRL 0.14, 0.17 - 1.16"), (10, "error", "")):
        rule = read_limit("team-rule", {"on": "completions_per_rollout", "max": high, "severity": "error"})
        (finding,) = [finding for finding in report_of(text, rule).findings if finding.rule is rule]
        assert (finding.severity, finding.note) == (severity, told)


# --- who hears of it ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "words", "severities"),
    [
        ("", (), [2]),
        ('ignore = ["team-updates-of-512"]\n', (), []),
        ('ignore = ["TEAM"]\n', (), []),
        ('ignore = ["GRPO"]\n', (), [2]),
        ('select = ["GRPO2"]\n', (), []),
        ('select = ["GRPO2"]\nextend-select = ["TEAM"]\n', (), [2]),
        ('ignore = ["TEAM"]\nselect = ["TEAM-UPDATES-OF-512"]\n', (), [2]),
        ('severity = { TEAM = "info" }\n', (), [3]),
        ('severity = { team-updates-of-512 = "error" }\n', (), [1]),
        ("", ("--ignore", "team-updates-of-512"), []),
        ("", ("--select", "GRPO,TEAM-OTHERS"), []),
    ],
)
def test_settings_and_options_choose_them(check, written, words, severities):
    assert [found["severity"] for found in check(written + WHOLE_UPDATES, RUN, *words)] == severities
    assert check.notes == ""


def test_an_override_adds_and_replaces(check):
    written = (
        WHOLE_UPDATES
        + """
[[overrides]]
paths = ["small"]
[overrides.rules.team-updates-of-512]
on = "completions_per_update"
multiple-of = 256
[overrides.rules.team-beta]
on = "beta"
max = 0.1
"""
    )
    assert [found["code"] for found in check(written)] == ["TEAM-UPDATES-OF-512"]
    assert [found["code"] for found in check(written, path="small/a.yaml")] == ["TEAM-BETA"]


@pytest.mark.parametrize("word", ["team-updates-of-512", "TEAM-UPDATES-OF-512"])
def test_a_comment_suppresses_one(check, word):
    suppressed = RUN.replace("steps: 4", f"steps: 4 # grpo-lint: ignore[{word}] until Friday")
    assert check(WHOLE_UPDATES, suppressed) == []


def test_a_suppression_that_suppresses_nothing(check):
    (found,) = check(
        WHOLE_UPDATES, RUN.replace("steps: 4", "steps: 8 # grpo-lint: ignore[team-updates-of-512] until Friday")
    )
    assert (found["code"], found["data"]["fixes"][0]["title"]) == ("GRPO901", "remove the comment")


def test_a_suppression_of_a_rule_that_is_ignored_may_stay(check):
    assert (
        check(
            'ignore = ["TEAM"]\n' + WHOLE_UPDATES,
            RUN.replace("steps: 4", "steps: 4 # grpo-lint: ignore[team-updates-of-512]"),
        )
        == []
    )


def test_a_rule_that_is_not_at_hand_may_be_suppressed(check):
    """Rules in Python are there only when the command line says so; the comments about them stay."""
    text = RUN.replace("steps: 4", "steps: 4 # grpo-lint: ignore[TEAM001, team-x, GRPO203, team-updates-of-512]")
    (found,) = check(WHOLE_UPDATES, text)
    assert found["message"].endswith("GRPO203 is not found here")
    assert found["data"]["fixes"][0]["edits"][0]["newText"] == "TEAM001, team-x, team-updates-of-512"


def test_a_baseline_knows_one(check):
    assert len(check(WHOLE_UPDATES)) == 1
    assert cli.main(["--baseline", "known.json", "--write-baseline", "a.yaml"]) == 0
    assert "TEAM-UPDATES-OF-512" in Path("known.json").read_text()
    assert (check(WHOLE_UPDATES, "# moved\n" + RUN, "--baseline", "known.json"), check.status) == ([], 0)
    # a rule that is not declared in this run may be a rule in Python that is not at hand
    assert (check("", RUN, "--baseline", "known.json"), check.status) == ([], 0)


def test_sarif_has_the_rule_and_no_page_that_is_not_there(check, capsys):
    check(WHOLE_UPDATES)
    cli.main(["--output-format", "sarif", "a.yaml"])
    (rule,) = json.loads(capsys.readouterr().out)["runs"][0]["tool"]["driver"]["rules"]
    assert (rule["id"], rule["name"], rule["shortDescription"]["text"]) == (
        "TEAM-UPDATES-OF-512", "team-updates-of-512", "completions_per_update is a multiple of 512.",
    )  # fmt: skip
    assert rule["helpUri"].endswith("docs/team-rules.md")


@pytest.mark.parametrize(
    "words", [("rule", "team-updates-of-512"), ("rule", "TEAM-UPDATES-OF-512", "--markdown"), ("rule",)]
)
def test_it_has_a_page_and_a_line_in_the_table(check, capsys, words):
    check(WHOLE_UPDATES + 'why = "Our learning rates are tuned for it."\n')
    assert cli.main([*words, "--color", "never"]) == 0
    page = capsys.readouterr().out
    assert "TEAM-UPDATES-OF-512" in page and "completions_per_update is a multiple of 512" in page
    assert len(words) == 1 or ("completions_per_update % 512 != 0" in page and "tuned for it" in page)


def test_show_settings(check, capsys):
    check(WHOLE_UPDATES)
    assert cli.main(["--show-settings", "a.yaml"]) == 0
    assert 'rules.team-updates-of-512 = { "on" = "completions_per_update", "multiple-of" = 512 }' in (
        shown := capsys.readouterr().out
    )
    check(shown)
    cli.main(["--show-settings", "a.yaml"])
    assert [line.partition("  # ")[0] for line in capsys.readouterr().out.splitlines()] == [
        line.partition("  # ")[0] for line in shown.splitlines()
    ]


# --- fixes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("on", "limits", "fix"),
    [
        ("completions_per_update", {"multiple_of": 512}, {"gradient_accumulation_steps": 8}),
        ("completions_per_update", {"one_of": [1024]}, {"gradient_accumulation_steps": 16}),
        ("completions_per_update", {"max": 100}, {"gradient_accumulation_steps": 1}),
        ("beta", {"max": 0.1}, {"beta": 0.1}),
        ("beta", {"min": 0.5, "max": 1}, {"beta": 0.5}),
        ("loss_type", {"one_of": ["dapo", "grpo"]}, {"loss_type": "dapo"}),
    ],
)
def test_a_fix_is_found_and_holds(on, limits, fix):
    rule = limit(on, **limits)
    (finding,) = report_of(RUN, rule, fixes=True).findings
    assert finding.fixes[0].changes == fix
    from grpo_lint.fixes.edits import apply

    for each in finding.fixes:
        if each.edits:
            assert report_of(apply(Text(RUN, "a.yaml"), each.edits).text, rule).findings == []


def test_a_fix_breaks_no_other_rule_of_the_team():
    rules = [
        limit("completions_per_update", multiple_of=512),
        read_limit("team-steps", {"on": "gradient_accumulation_steps", "max": 4}),
    ]
    (finding,) = report_of(RUN, *rules, fixes=True).findings
    assert finding.fixes and all(fix.changes.get("gradient_accumulation_steps", 4) <= 4 for fix in finding.fixes)


def test_a_fix_need_not_keep_a_rule_that_is_not_wanted(check):
    text = RUN.replace("steps: 4", "steps: 8").replace("num_generations: 8", "num_generations: 7")
    fixes = [
        [fix["set"] for fix in check(written + WHOLE_UPDATES, text)[0]["data"]["fixes"]]
        for written in ("", 'ignore = ["TEAM"]\n')
    ]
    assert fixes[0] != fixes[1] == [fix["set"] for fix in check("", text)[0]["data"]["fixes"]]


def test_one_fix_may_cure_a_rule_of_the_team_and_one_of_the_framework():
    text = RUN.replace("steps: 4", "steps: 3").replace("num_generations: 8", "num_generations: 7")
    report = report_of(text, limit("completions_per_update", multiple_of=512), fixes=True)
    assert {finding.rule.name for finding in report.findings} == {"rollout-holds-whole-groups", "team-rule"}
    assert any(finding.fixes for finding in report.findings)


# --- wrong declarations ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "line", "message"),
    [
        ('[rules.team-a]\non = "completions_per_updat"\nmax = 1\n', 2, "did you mean 'completions_per_update'?"),
        ('[rules.team-a]\non = "num_generation"\nmax = 1\n', 2, "did you mean 'num_generations'?"),
        ('[rules.team-a]\non = "team_key"\nmax = 1\n', 2, "there is no setting or quantity 'team_key'"),
        ('[rules.team-a]\non = 3\nmax = 1\n', 2, "on is the name of a setting or quantity, not 3"),
        ('[rules.team-a]\non = "beta"\nmaxi = 1\n', 3, "unknown key 'maxi'; did you mean 'max'?"),
        ('[rules.team-a]\non = "beta"\n', 1, "it needs one of max, min, multiple-of, one-of"),
        ("[rules.team-a]\nmax = 1\n", 1, "needs the name of a setting or quantity"),
        ('rules.team-a = { on = "beta", max = "much" }\n', 1, "there is no setting or quantity 'much'"),
        ('rules.team-a = { on = "beta", max = true }\n', 1, "max is a number, or the name of a setting or quantity, not True"),
        ('rules.team-a = { on = "beta", max = nan }\n', 1, "max is a number"),
        ('rules.team-a = { on = "beta", max = 1, min = 2 }\n', 1, "min 2 is above max 1"),
        ('[rules]\nteam-a = { on = "beta", multiple-of = 0 }\n', 2, "multiple-of is a whole number greater than 0"),
        ('[rules.team-a]\non = "beta"\none-of = []\n', 3, "one-of is a list of numbers, texts, true or false"),
        ('[rules.team-a]\non = "beta"\nmax = 1\nseverity = "warn"\n', 4, "did you mean 'warning'?"),
        ('[rules.team-a]\non = "beta"\nmax = 1\nwhy = 3\n', 4, "why is a text"),
        ('[rules.team-a]\non = "beta"\nmax = 1\nwhy = "\\u001b[31m"\n', 4, "why is a text"),
        ('[rules.updates]\non = "beta"\nmax = 1\n', 1, "has a name such as team-updates-of-512, not 'updates'"),
        ('rules.team-a = 3\n', 1, "must be a table such as"),
        ("rules = 3\n", 1, "rules must be tables of rules"),
        ('world-size = 8\n[[overrides]]\npaths = ["a"]\n[overrides.rules.team-a]\non = "bata"\nmax = 1\n', 5, "overrides[1].rules.team-a: there is no"),
    ],
)  # fmt: skip
def test_a_wrong_declaration_has_its_line_and_a_hint(check, written, line, message):
    check(written)
    (told,) = check.notes.splitlines()
    assert told.startswith(f"grpo-lint: {Path.cwd()}/grpo-lint.toml:{line}: ") and message in told
    assert check.status == 2


def test_so_many_rules_and_no_more(check):
    many = "".join(f'rules.team-x{number} = {{ on = "beta", max = 1 }}\n' for number in range(101))
    assert check(many) == []
    assert "rules holds 100 rules at most, not 101" in check.notes and check.status == 2


def test_the_other_declarations_count(check):
    found = check('rules.team-a = { on = "bata", max = 0.1 }\nrules.team-b = { on = "beta", max = 0.1 }\n')
    assert [each["code"] for each in found] == ["TEAM-B"]


NAME = st.sampled_from(
    ["beta", "completions_per_update", "loss_type", "world_size", "world-size", "nonsense", "lambda", "max", "a; b", ""]
)
VALUE = st.one_of(
    st.integers(-(10**17), 10**17),
    st.floats(),
    st.booleans(),
    st.text(max_size=5),
    NAME,
    st.lists(st.integers() | st.text(max_size=3), max_size=3),
)
TABLE = st.dictionaries(st.sampled_from([*KEYS, "nonsense"]), VALUE, max_size=5) | st.dictionaries(
    st.sampled_from(KEYS[:5]), NAME | VALUE, max_size=4
)


@given(TABLE)
def test_a_declaration_is_a_rule_or_a_clear_problem(table):
    try:
        rule = read_limit("team-rule", table)
    except BadRule as bad:
        assert bad.key in ("", *table) and str(bad)
        return
    assert isinstance(rule, Limit)
    assert set(rule.broken.names) <= {"beta", "completions_per_update", "loss_type", "world_size"}
    told(report_of(RUN, rule))
    schema = settings_schema()
    assert list(Draft202012Validator(schema).iter_errors({"rules": {"team-rule": table}})) == []


@given(st.text(max_size=30))
def test_texts_of_a_declaration_are_literals(text):
    try:
        rule = limit("loss_type", one_of=[text])
    except BadRule:
        assert not text.isprintable()
        return
    assert rule.broken.names == ("loss_type",)
    assert Formula(rule.broken.text).code.co_consts[0] in (text, (text,))


def test_nothing_is_loaded_for_rules_where_there_are_none():
    import subprocess
    import sys

    Path("a.yaml").write_text(RUN)
    code = "import sys; from grpo_lint.cli.main import main; main(['a.yaml']); print([name for name in sys.modules if name.startswith('grpo_lint')])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True).stdout
    assert "grpo_lint.engine" in loaded
    assert "grpo_lint.settings.limits" not in loaded and "grpo_lint.plan.quantities" not in loaded
