"""What a team wants to hear of: rules and severities by word and path, its own keys; `--show-settings`; the schema of
the settings."""

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from jsonschema import Draft202012Validator

from grpo_lint.cli import main as cli
from grpo_lint.frameworks.all_rules import RULES, find_rule
from grpo_lint.frameworks.schema import as_text
from grpo_lint.launch import pins
from grpo_lint.launch.facts import BY_OPTION
from grpo_lint.settings import files as settings, reading
from grpo_lint.settings.files import settings_for
from grpo_lint.settings.policy import Policy
from grpo_lint.settings.reading import POLICY
from pages.schemas import FILE_NAME, settings_schema

ROOT = Path(__file__).parents[1]
BROKEN = """\
# grpo-lint: dialect=trl version=1.16.0 world-size=7
num_generations: 8
per_device_train_batch_size: 1
gradient_accumulation_steps: 4
learning_rat: 1.0e-6
team_name: x
team_size: 4
vllm_tensor_parallel_size: 2
"""
ALL = ["GRPO203", "GRPO102", "GRPO104", "GRPO599"]


@pytest.fixture(autouse=True)
def repository(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    settings.forget()
    pins.forget()
    (tmp_path / "a.yaml").write_text(BROKEN)
    return tmp_path


@pytest.fixture
def check(capsys):
    """check(settings, word, ...) -> (exit status, {code: severity number})"""

    def check(text, *words):
        settings.forget()
        Path("grpo-lint.toml").write_text(text)
        status = cli.main(["--output-format", "json", *words])
        out, check.notes = capsys.readouterr()
        return status, {
            found["code"]: found["severity"] for file in json.loads(out)["files"] for found in file["diagnostics"]
        } if out else None

    return check


# --- which rules ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("select, extend, ignore, wanted", [
    (None, (), (), True),
    (None, (), ("GRPO2",), False),
    (None, (), ("GRPO1",), True),
    (None, (), ("rollout-holds-whole-groups",), False),
    (("GRPO2",), (), (), True),
    (("GRPO1",), (), (), False),
    (("grpo2",), (), ("grpo203",), False),
    (("GRPO203",), (), ("GRPO2",), True),
    (("Rollout-holds-whole-groups",), (), ("GRPO",), True),
    (("GRPO203",), (), ("rollout-holds-whole-groups",), False),
    (("GRPO1",), ("GRPO20",), (), True),
    ((), (), (), False),
    (None, ("GRPO203",), ("GRPO2",), True),
])  # fmt: skip
def test_the_more_exact_word_counts(select, extend, ignore, wanted):
    assert Policy(select, extend, ignore).wants(find_rule("GRPO203")) is wanted


@pytest.mark.parametrize("words", ["select", "ignore"])
def test_every_rule_is_named_by_its_code_and_name_and_by_no_other(words):
    for name, rule in RULES.items():
        for word in (name, rule.code):
            policy = Policy(**{words: [word]})
            assert [other for other in RULES.values() if policy.wants(other) is (words == "select")] == [rule]


@pytest.mark.parametrize("text, words, codes", [
    ("", (), ALL),
    ('select = ["GRPO1"]', (), ["GRPO102", "GRPO104"]),
    ('ignore = ["GRPO1", "settings-have-an-effect"]', (), ["GRPO203"]),
    ('ignore = ["GRPO1"]\nextend-select = ["key-is-known"]', (), ["GRPO203", "GRPO102", "GRPO599"]),
    ('select = ["GRPO1"]', ("--select", "GRPO2,GRPO5"), ["GRPO203", "GRPO599"]),
    ('ignore = ["GRPO1"]', ("--ignore", "GRPO203", "--ignore=GRPO5"), []),
    ('ignore = ["GRPO1"]', ("--extend-select", "GRPO102"), ["GRPO203", "GRPO102", "GRPO599"]),
    ('[[overrides]]\npaths = ["*.yaml"]\nignore = ["GRPO1"]', (), ["GRPO203", "GRPO599"]),
    ('[[overrides]]\npaths = ["b.yaml"]\nignore = ["GRPO1"]', (), ALL),
    ('ignore = ["GRPO5"]\n[[overrides]]\npaths = ["a*"]\nignore = ["GRPO1"]\n[[overrides]]\npaths = ["?.yaml"]\nselect = ["GRPO"]', (), ["GRPO203"]),
])  # fmt: skip
def test_settings_and_options_choose_rules(check, text, words, codes):
    assert list(check(text, *words)[1]) == codes


def test_severities(check):
    assert check("")[1] == {"GRPO203": 1, "GRPO102": 2, "GRPO104": 2, "GRPO599": 3}
    assert check('[severity]\nGRPO1 = "info"\nkey-is-known = "error"\nGRPO203 = "warning"')[1] == {
        "GRPO203": 2, "GRPO102": 1, "GRPO104": 3, "GRPO599": 3}  # fmt: skip
    assert check('ignore = ["GRPO1"]\nseverity = { GRPO2 = "info" }')[0] == 0


def test_a_suppression_of_an_ignored_rule_is_needed(check):
    Path("a.yaml").write_text(BROKEN.replace("8\n", "8 # grpo-lint: ignore[GRPO203]\n", 1))
    assert check('ignore = ["GRPO2"]')[1].keys() == {"GRPO102", "GRPO104", "GRPO599"}


def test_stale_baselines_can_be_ignored_too(check):
    Path("known.json").write_text(
        '{"version": 1, "findings": [{"path": "a.yaml", "rule": "GRPO001", "key": "", "value": ""}]}'
    )
    assert "GRPO902" in check('baseline = "known.json"')[1]
    assert "GRPO902" not in check('baseline = "known.json"\nignore = ["GRPO9"]')[1]


# --- keys -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("keys, left", [
    ('"team_name", "team_size"', {"GRPO203", "GRPO102", "GRPO599"}), ('"team_*"', {"GRPO203", "GRPO102", "GRPO599"}),
    ('"team-????"', {"GRPO203", "GRPO102", "GRPO599"}), ('"team_name"', set(ALL)), ('"*"', {"GRPO203", "GRPO599"}),
])  # fmt: skip
def test_known_keys(check, keys, left):
    assert check(f"known-keys = [{keys}]")[1].keys() == left


def test_required_keys(check, capsys):
    status, found = check('ignore = ["GRPO203", "GRPO104", "GRPO5"]\nrequired-keys = ["seed", "num_generations"]')
    assert (status, found) == (1, {"GRPO102": 2, "GRPO120": 2})
    cli.main(["--output-format", "concise", "--select", "GRPO120"])
    assert (
        "warning GRPO120 agreed-key-is-given: seed is not given, and the settings of this repository require it"
        in capsys.readouterr().out
    )
    Path("a.yaml").write_text(BROKEN + "seed: 1\n")
    assert "GRPO120" not in check('required-keys = ["seed"]')[1]


# --- mistakes -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text, told", [
    ('\nignore = ["GRPO99"]', "2: ignore: there is no rule 'GRPO99'; `grpo-lint rule` lists them"),
    ('select = ["rollout-hold-whole-groups"]', "1: select: there is no rule 'rollout-hold-whole-groups'; did you mean 'rollout-holds-whole-groups'?"),
    ('ignore = "GRPO2"', '1: ignore must be a list of rules, such as ["GRPO203", "GRPO6", "key-is-known"]'),
    ('severity = ["GRPO2"]', '1: severity must be a table of rules, such as { GRPO104 = "error" }'),
    ('severity = { GRPO2 = "err" }', "1: severity: GRPO2 is one of error, warning, info, not 'err'; did you mean 'error'?"),
    ("known-keys = [1]", '1: known-keys must be a list of keys, such as ["team_name"]'),
    ('ignored = ["GRPO2"]', "1: unknown key 'ignored'; did you mean 'ignore'?"),
    ('[[overrides]]\npaths = ["a.yaml"]\nignore = [2]', "3: overrides[1].ignore must be a list of rules"),
])  # fmt: skip
def test_mistakes_have_a_place(check, text, told):
    assert check(text)[0] == 2
    assert f"grpo-lint.toml:{told}" in check.notes


def test_mistakes_on_the_command_line(check):
    assert check("", "--ignore", "GRPO203,GRPO99") == (2, None)
    assert check.notes == "grpo-lint: --ignore: there is no rule 'GRPO99'; `grpo-lint rule` lists them\n"


# --- --show-settings ------------------------------------------------------------------------------------------------

SETTINGS = """\
version = "1.15.0"
world-size = 8
exclude = ["old"]
ignore = ["GRPO6"]
known-keys = ["team_*"]
severity = { GRPO102 = "error" }

[[overrides]]
paths = ["recipes"]
version = "1.16.0"
select = ["GRPO2"]
"""


def test_show_settings_says_who_says_what(repository, capsys):
    Path("grpo-lint.toml").write_text(SETTINGS)
    Path("recipes").mkdir()
    assert (
        cli.main(
            ["--show-settings", "recipes", "a.yaml", "--world-size", "4", "--ignore", "GRPO1", "--fail-on", "error"]
        )
        == 0
    )
    out, err = capsys.readouterr()
    assert err == ""
    assert (
        out.replace(f"{repository}/", "")
        == """\
# recipes
version = "1.16.0"  # grpo-lint.toml:10 overrides[1]
world-size = 4  # command line
select = ["GRPO2"]  # grpo-lint.toml:11 overrides[1]
ignore = ["GRPO6", "GRPO1"]  # grpo-lint.toml:4, command line
severity = { "GRPO102" = "error" }  # grpo-lint.toml:6
known-keys = ["team_*"]  # grpo-lint.toml:5
fail-on = "error"  # command line
exclude = ["old"]  # grpo-lint.toml:3
# a.yaml
version = "1.15.0"  # grpo-lint.toml:1
world-size = 4  # command line
ignore = ["GRPO6", "GRPO1"]  # grpo-lint.toml:4, command line
severity = { "GRPO102" = "error" }  # grpo-lint.toml:6
known-keys = ["team_*"]  # grpo-lint.toml:5
fail-on = "error"  # command line
exclude = ["old"]  # grpo-lint.toml:3
"""
    )


def test_what_is_shown_is_a_settings_file(repository, capsys):
    """What holds for a file, written down as settings, holds again."""
    Path("grpo-lint.toml").write_text(SETTINGS)
    cli.main(["--show-settings", "a.yaml"])
    first = capsys.readouterr().out
    Path("grpo-lint.toml").write_text(first)
    settings.forget()
    cli.main(["--show-settings", "a.yaml"])
    assert [line.split("  # ")[0] for line in capsys.readouterr().out.splitlines()] == [
        line.split("  # ")[0] for line in first.splitlines()
    ]


# --- the schema -----------------------------------------------------------------------------------------------------

SCHEMA = settings_schema()


def test_the_shipped_schema_is_up_to_date():
    """`python -m pages.schemas schemas` writes it again."""
    Draft202012Validator.check_schema(SCHEMA)
    assert (ROOT / "schemas" / FILE_NAME).read_text(encoding="utf-8") == as_text(SCHEMA)


def test_the_schema_knows_every_key_and_no_other():
    reader = reading._Reader("", settings.Settings(""))
    assert SCHEMA["properties"].keys() == {*BY_OPTION, *POLICY, *reader.keys}
    assert SCHEMA["$defs"]["override"]["properties"].keys() == {*BY_OPTION, *POLICY, "paths"}
    assert all(described["description"] for described in SCHEMA["properties"].values())


def is_fine(table, folder):
    """Whether `settings` has nothing against a table."""
    (folder / ".grpo-lint.toml").write_text(
        "".join(f"{key} = {toml(value)}\n" for key, value in table.items()), encoding="utf-8"
    )
    settings.forget()
    return not settings_for(folder / "a.yaml").problems


def toml(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return json.dumps(value)


WORDS = st.sampled_from(["GRPO2", "GRPO203", "key-is-known", "G", "GRPO99", "key-is-none", "", "GRPO2033"])
ANY = st.one_of(st.integers(-1, 9), st.booleans(), st.sampled_from(["", "x", "trl", "1.16", "v1.2", "latest", "1.x", "error", "script", "a.json"]),
                st.lists(st.one_of(WORDS, st.integers(0, 2)), max_size=2),
                st.dictionaries(WORDS, st.sampled_from(["error", "info", "fatal", 1]), max_size=2))  # fmt: skip
PLAIN = st.dictionaries(st.sampled_from([*BY_OPTION, *POLICY, "nonsense"]), ANY, max_size=2)
OVERRIDES = st.lists(
    st.tuples(PLAIN, st.booleans()).map(lambda pair: {**pair[0], **({"paths": ["a"]} if pair[1] else {})}), max_size=2
)
TABLES = st.fixed_dictionaries(
    {}, optional={"fail-on": ANY, "exclude": ANY, "baseline": ANY, "overrides": st.one_of(ANY, OVERRIDES)}
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("settings")


@given(table=st.builds(lambda plain, table: {**plain, **table}, PLAIN, TABLES))
def test_schema_and_settings_are_of_one_mind(folder, table):
    assert is_fine(table, folder) is Draft202012Validator(SCHEMA).is_valid(table)


@pytest.mark.parametrize("table", [
    {}, {"version": "1.16"}, {"select": ["GRPO2"], "severity": {"GRPO203": "info"}}, {"baseline": "a.json", "fail-on": "info"},
    {"overrides": [{"paths": ["a"], "world-size": 8, "ignore": ["key-is-known"]}]}, {"known-keys": ["a*"], "required-keys": ["b"]},
])  # fmt: skip
def test_both_accept_what_is_right(folder, table):
    assert is_fine(table, folder) and Draft202012Validator(SCHEMA).is_valid(table)
