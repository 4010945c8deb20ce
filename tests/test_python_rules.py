"""Rules of a team in files of Python: what they can say, what is wrong with one, and who may ask for them to be run."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from grpo_lint.cli import main as cli
from grpo_lint.launch import pins
from grpo_lint.settings import files as settings

RUN = """\
# grpo-lint: dialect=trl version=1.16.0 world-size=8
num_generations: 8
per_device_train_batch_size: 8
gradient_accumulation_steps: 4
beta: 0.0
"""
HEAD = "from grpo_lint.frameworks.all_rules import Rule\n"
FORMULA = 'Rule("TEAM001", "team-small-groups", "Groups are small", "group_size > 4", message="groups of {group_size}", why="w")'
FUNCTION = """
def too_many_tokens(completions_per_rollout, max_completion_length):
    return completions_per_rollout * max_completion_length > 100_000

RULES = [
    Rule(
        "TEAM002", "team-rollout-fits", "A rollout fits the engine", too_many_tokens,
        message="{completions_per_rollout} completions{completions_per_rollout.how} of {max_completion_length} tokens",
        why="It swaps.", instead="Shorten the completions.", at=("max_completion_length",), harm="error", cure={"max_completion_length": 256},
    ),
]
"""


@pytest.fixture(autouse=True)
def repository(tmp_path, monkeypatch):
    folder = tmp_path / "repository"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    settings.forget()
    pins.forget()
    Path("a.yaml").write_text(RUN)
    return folder


@pytest.fixture
def check(capsys):
    """check(text of a file of rules, word, ...) -> the diagnostics of a.yaml; `check.status` and `check.notes` are
    what else came of it."""

    def check(text, *words):
        Path("rules.py").write_text(text)
        check.status = cli.main(["check", "--output-format", "json", "--rules", "rules.py", *words, "a.yaml"])
        out, check.notes = capsys.readouterr()
        return json.loads(out)["files"][0]["diagnostics"] if out else None

    return check


def rules(*declared):
    return HEAD + f"RULES = [{', '.join(declared)}]\n"


# --- what they can say ----------------------------------------------------------------------------------------------


def test_a_formula(check):
    (found,) = check(rules(FORMULA))
    assert (found["code"], found["severity"], found["message"]) == ("TEAM001", 2, "groups of 8")
    assert (found["range"]["start"]["line"], found["data"]["rule"], found["data"]["stage"]) == (
        1,
        "team-small-groups",
        "never",
    )
    assert {"num_generations": 4} in [fix["set"] for fix in found["data"]["fixes"]]


def test_a_function(check):
    (found,) = check(HEAD + FUNCTION)
    assert (found["code"], found["severity"]) == ("TEAM002", 1)
    assert (
        found["message"]
        == "256 completions (per_device_train_batch_size 8 x 8 processes x gradient_accumulation_steps 4) of 512 tokens"
    )
    Path("a.yaml").write_text(RUN + "max_completion_length: 300\n")
    assert check(HEAD + FUNCTION) == []


def test_the_cure_that_the_rule_shows_is_tried(check):
    (found,) = check(HEAD + FUNCTION)
    assert found["data"]["fixes"] and {"max_completion_length": 256} in [fix["set"] for fix in found["data"]["fixes"]]


def test_a_function_is_asked_about_values_only(check):
    """What is unknown or not set is none."""
    Path("a.yaml").write_text(RUN.replace(" world-size=8", "").replace("beta: 0.0", "beta: ${BETA}"))
    told = "def told(beta, world_size, generation_batch_size):\n    raise AssertionError\n"
    declared = 'Rule("TEAM001", "team-x", "s", told, message="m", why="w")'
    assert [
        found
        for found in check(HEAD + told + f"RULES = [{declared}]\n")
        if found["severity"] < 3 and found["code"] != "GRPO110"
    ] == []


def test_unknown_numbers_of_processes(check):
    Path("a.yaml").write_text(RUN.replace(" world-size=8", ""))
    (found,) = check(HEAD + FUNCTION)
    assert (found["code"], found["severity"], found["message"]) == (
        "TEAM002",
        3,
        "A rollout fits the engine on 1, 2, 3, 4, 5 or 6 processes",
    )


def test_only_with(check):
    declared = FORMULA.replace('why="w"', 'why="w", only_with=("use_vllm",)')
    assert check(rules(declared)) == []
    Path("a.yaml").write_text(RUN + "use_vllm: true\n")
    assert [found["code"] for found in check(rules(declared))] == ["TEAM001"]


def test_several_files_and_settings(check):
    Path("more.py").write_text(HEAD + FUNCTION)
    Path("grpo-lint.toml").write_text('severity = { TEAM001 = "info" }\nrules.team-beta = { on = "beta", min = 1 }\n')
    assert {found["code"]: found["severity"] for found in check(rules(FORMULA), "--rules", "more.py")} == {
        "TEAM001": 3,
        "TEAM002": 1,
        "TEAM-BETA": 2,
    }
    assert [found["code"] for found in check(rules(FORMULA), "--rules", "more.py", "--ignore", "TEAM0")] == [
        "TEAM-BETA"
    ]


def test_suppression_baseline_and_page(check, capsys):
    Path("a.yaml").write_text(RUN.replace("num_generations: 8", "num_generations: 8 # grpo-lint: ignore[TEAM001] one"))
    assert check(rules(FORMULA)) == []
    Path("a.yaml").write_text(RUN)
    check(rules(FORMULA), "--baseline", "known.json", "--write-baseline")
    assert check(rules(FORMULA), "--baseline", "known.json") == []
    Path("rules.py").write_text(HEAD + FUNCTION)
    for words in (["team-rollout-fits"], ["TEAM002", "--markdown"], []):
        assert cli.main(["rule", *words, "--rules", "rules.py"]) == 0
        assert "A rollout fits the engine" in capsys.readouterr().out
    assert cli.main(["explain", "--rules", "rules.py", "a.yaml"]) == 0
    assert cli.main(["check", "--rules", "rules.py", "--show-settings", "a.yaml"]) == 0
    assert '# rules.team-rollout-fits = "A rollout fits the engine"  # rules.py' in capsys.readouterr().out


def test_the_editor_is_told_where_the_command_line_says_so(monkeypatch):
    from grpo_lint.lsp import server

    Path("rules.py").write_text(rules(FORMULA))
    started = []
    monkeypatch.setattr(server, "start", lambda policy: started.append(policy) or 0)
    assert cli.main(["server", "--rules", "rules.py"]) == 0
    assert cli.main(["server"]) == 0
    from grpo_lint.lsp.session import Session

    for policy, codes in zip(started, (["TEAM001"], []), strict=True):
        session = Session(policy=policy)
        document = session.open("file:///a.yaml", os.path.abspath("a.yaml"), 1, RUN, "yaml")
        assert [finding.rule.code for finding in session.report(document).findings] == codes
        session.forget()
        assert [finding.rule.code for finding in session.report(document).findings] == codes


# --- what is wrong --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("import nothing_of_this_name\n", "rules.py, line 1: ModuleNotFoundError: No module named"),
        ("x = 1\nx = (\n", "rules.py, line 2: SyntaxError: '(' was never closed"),
        ("def f():\n    return 1 / 0\nRULES = [f()]\n", "rules.py, line 2: ZeroDivisionError"),
        ("raise SystemExit\n", "rules.py, line 1: SystemExit"),
        ("import sys\nsys.exit('bye')\n", "SystemExit: bye"),
        ("", "has no RULES"),
        ("RULES = 1\n", "has no RULES"),
        ("RULES = [1]\n", "RULES[0]: not a Rule but 1"),
        (
            HEAD + 'RULES = [Rule("TEAM001", "team-x", "s", "beta > 1")]\n',
            "line 2: TypeError: Rule.__init__() missing 2 required keyword-only arguments",
        ),
        (rules(FORMULA.replace("TEAM001", "GRPO203")), "the codes of your own rules begin with TEAM"),
        (
            rules(FORMULA.replace("team-small-groups", "small-groups")),
            "are such as team-even-groups, not 'small-groups'",
        ),
        (rules(FORMULA, FORMULA), "TEAM001: the code or the name is used twice"),
        (rules(FORMULA.replace("group_size > 4", "group_sise > 4")), "did you mean 'group_size'?"),
        (rules(FORMULA.replace("group_size > 4", "group_size >")), "'group_size >' is no condition"),
        (rules(FORMULA.replace('"group_size > 4"', "None")), "it has no condition"),
        (
            rules(FORMULA.replace('"group_size > 4"', "lambda nothing: True")),
            "there is no setting or quantity 'nothing'",
        ),
        (
            rules(FORMULA.replace('"group_size > 4"', "lambda *values: True")),
            "a condition is a formula, or a function of settings and quantities",
        ),
        (
            rules(FORMULA.replace('"group_size > 4"', "3")),
            "a condition is a formula, or a function of settings and quantities",
        ),
        (rules(FORMULA.replace("{group_size}", "{group_sise}")), "did you mean 'group_size'?"),
        (rules(FORMULA.replace("{group_size}", "{group_size.__class__}")), "is neither {name} nor {name.how}"),
        (rules(FORMULA.replace("{group_size}", "{group_size")), "the message is no template"),
        (rules(FORMULA.replace('why="w"', "why=None")), "why is a text, not a NoneType"),
        (rules(FORMULA.replace('why="w"', 'why="w", harm="warn"')), "did you mean 'warning'?"),
    ],
)
def test_a_file_that_gives_no_rules(check, text, told):
    assert check(text) is None
    assert check.status == 2
    assert check.notes.startswith("grpo-lint: ") and told in check.notes and len(check.notes.splitlines()) == 1, (
        check.notes
    )


@pytest.mark.parametrize("name", ["nothing.py", ".", "a\0b", "large.py", "bytes.py"])
def test_a_file_that_cannot_be_read(name, capsys):
    Path("large.py").write_text("#" * (1 << 21))
    Path("bytes.py").write_bytes(b"\xff\xfe")
    for command in (["check", "a.yaml"], ["explain", "a.yaml"], ["rule"], ["server"]):
        assert cli.main([*command, "--rules", name]) == 2
        out, err = capsys.readouterr()
        assert out == "" and len(err.splitlines()) == 1 and "Traceback" not in err


def test_a_rule_that_fails_is_one_finding_of_each_file(check, capsys):
    """And it spoils nothing else: the other rules speak, and so do fixes."""
    told = "def told(beta, num_generations):\n    return 1 / beta > 3\n"
    declared = 'Rule("TEAM003", "team-x", "s", told, message="m", why="w")'
    found = check(HEAD + told + f"RULES = [{declared}, {FORMULA}]\n")
    assert [each["code"] for each in found] == ["GRPO904", "TEAM001"]
    assert found[0]["message"] == "TEAM003 team-x fails: rules.py, line 3: ZeroDivisionError: float division by zero"
    assert found[1]["data"]["fixes"] and check.status == 1
    Path("b.yaml").write_text(RUN.replace("beta: 0.0", "beta: 0.1"))
    cli.main(["check", "--output-format", "concise", "--rules", "rules.py", "a.yaml", "b.yaml"])
    assert capsys.readouterr().out.count("GRPO904") == 1


@pytest.mark.parametrize(
    "failure",
    [
        "raise SystemExit(3)",
        "return tell(beta)",
        "raise ValueError('x\\ny' * 500)",
        "class Odd:\n        def __bool__(self): raise OSError\n    return Odd()",
    ],
)
def test_no_failure_is_a_traceback(check, failure):
    found = check(
        HEAD + f'def tell(beta):\n    {failure}\nRULES = [Rule("TEAM003", "team-x", "s", tell, message="m", why="w")]\n'
    )
    assert (
        [each["code"] for each in found] == ["GRPO904"]
        and "\n" not in found[0]["message"]
        and len(found[0]["message"]) < 300
    )


# --- who may ask ----------------------------------------------------------------------------------------------------


def user_settings(tmp_path, text):
    path = tmp_path / "home" / "grpo-lint" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def codes(capsys):
    status = cli.main(["check", "--output-format", "concise", "a.yaml"])
    out, err = capsys.readouterr()
    return status, [line.split()[2] for line in out.splitlines() if line.startswith("a.yaml:")], err


def test_the_settings_of_the_user(tmp_path, capsys):
    path = user_settings(tmp_path, 'python-rules = ["mine.py"]\n')
    (path.parent / "mine.py").write_text(rules(FORMULA))
    assert codes(capsys) == (1, ["TEAM001"], "")
    assert cli.main(["rule", "TEAM001"]) == 0
    capsys.readouterr()


def test_home_is_asked_where_there_is_no_other_place(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    (tmp_path / "me" / ".config" / "grpo-lint").mkdir(parents=True)
    (tmp_path / "me" / "mine.py").write_text(rules(FORMULA))
    (tmp_path / "me" / ".config" / "grpo-lint" / "config.toml").write_text('python-rules = ["~/mine.py"]\n')
    assert codes(capsys) == (1, ["TEAM001"], "")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('python-rule = ["x.py"]\n', "unknown key 'python-rule'; did you mean 'python-rules'?"),
        ("world-size = 8\n", "unknown key 'world-size'"),
        ('python-rules = "x.py"\n', "python-rules must be a list of files"),
        ('python-rules = ["x.py"]\n', "x.py cannot be read"),
        ("python-rules = [\n", "is not TOML"),
    ],
)
def test_wrong_settings_of_the_user(tmp_path, capsys, text, told):
    user_settings(tmp_path, text)
    status, found, err = codes(capsys)
    assert (status, found, len(err.splitlines())) == (2, [], 1) and told in err


def test_settings_inside_of_the_repository_are_not_those_of_the_user(repository, monkeypatch, capsys):
    """Where the environment says so, whoever wrote the branch wrote them."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(repository / "config"))
    (repository / "config" / "grpo-lint").mkdir(parents=True)
    (repository / "config" / "grpo-lint" / "config.toml").write_text('python-rules = ["evil.py"]\n')
    (repository / "config" / "grpo-lint" / "evil.py").write_text("open('touched', 'w')\n")
    status, found, err = codes(capsys)
    assert (status, found) == (2, []) and "lies inside of the repository" in err
    assert not Path("touched").exists()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('python-rules = ["evil.py"]\n', 1),
        ('world-size = 8\npython-rules = "evil.py"\n', 2),
        ('[[overrides]]\npaths = ["*"]\npython-rules = ["evil.py"]\n', 3),
    ],
)
@pytest.mark.parametrize("name", ["grpo-lint.toml", ".grpo-lint.toml", "pyproject.toml"])
def test_settings_of_the_repository_cannot_ask(capsys, repository, text, line, name):
    settings.forget()
    if name == "pyproject.toml":
        text, line = text.replace("[[", "[[tool.grpo-lint."), line + 1
        text = "[tool.grpo-lint]\n" + text
    Path(name).write_text(text)
    Path("evil.py").write_text("open('touched', 'w')\n")
    status, found, err = codes(capsys)
    assert (status, found) == (2, [])
    assert err.startswith(
        f"grpo-lint: {repository}/{name}:{line}: python-rules would run code that comes with the repository"
    )
    assert not Path("touched").exists()


WATCHED = """
import sys
seen = []
def watch(event, arguments):
    if event in ("exec", "compile", "open", "import") and "evil" in repr(arguments[:2]):
        seen.append(event)
sys.addaudithook(watch)
from grpo_lint.cli.main import main
print(main([{words}]), file=sys.stderr)
print(sorted(set(seen)), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("words", "events"),
    [
        ("'check', '.'", ["open"]),  # looked at like every file of Python, and not run
        ("'check', '.', '--fix'", ["open"]),
        ("'explain', 'a.yaml'", ["open"]),  # it names the program that reads the file
        ("'rule', 'GRPO203'", []),
        ("'check', 'a.yaml', '--rules', 'evil.py'", ["compile", "exec", "open"]),  # the watch sees what is asked for
    ],
)
def test_what_the_repository_names_is_not_run(words, events):
    Path("grpo-lint.toml").write_text('python-rules = ["evil.py"]\nrules = ["evil.py"]\n')
    Path("evil.py").write_text("RULES = []\n")
    result = subprocess.run(
        [sys.executable, "-c", WATCHED.format(words=words)], capture_output=True, encoding="utf-8", check=True
    )
    assert result.stderr.splitlines()[-1] == str(events)


def test_nothing_of_python_rules_is_loaded_where_nobody_asks():
    code = "import sys; from grpo_lint.cli.main import main; main(['a.yaml']); print([name for name in sys.modules if name.startswith('grpo_lint')])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True).stdout
    assert "grpo_lint.engine" in loaded and "python_files" not in loaded
