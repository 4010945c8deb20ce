"""Every format twice: its golden file, and what its own schema or its consumer makes of it.

To write the golden files again and look at the difference: UPDATE_GOLDEN=1 python -m pytest tests/formats, then git
diff.
"""

import json
import os
import re
import shutil
from pathlib import Path
from urllib.parse import unquote

import jsonschema
import pytest
from junitparser import JUnitXml
from markdown_it import MarkdownIt

from grpo_lint.cli.main import main
from grpo_lint.cli.options import FORMATS

HERE = Path(__file__).parent
# The schema of the SARIF committee, as the package sarif-om 1.0.4 (MIT) carries it.
SARIF = json.loads((HERE / "sarif-2.1.0-rtm.4.json").read_text(encoding="utf-8"))
RULES = ["GRPO203", "GRPO111", "GRPO102", "GRPO104", "GRPO599"]


@pytest.fixture(autouse=True)
def repository(tmp_path, monkeypatch):
    """A repository with a broken recipe, a clean one and a file of somebody else."""
    for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR", "GRPO_LINT_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / ".git").mkdir()
    (tmp_path / "recipes").mkdir()
    for name in ("recipe.yaml", "clean.yaml", "compose.yaml"):
        shutil.copy(HERE / name, tmp_path / "recipes")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def printed(capsys):
    """printed(format, word, ...) -> standard output; nothing may stand on standard error."""

    def printed(form, *words):
        main(["--output-format", form, *words])
        out, err = capsys.readouterr()
        assert not err
        return out

    return printed


@pytest.mark.parametrize("form", FORMATS)
def test_what_is_printed(form, printed, repository):
    text = printed(form, "recipes").replace(str(repository), "/repository")
    golden = HERE / "golden" / f"recipes.{form}"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(text, encoding="utf-8", newline="\n")
    assert text == golden.read_text(encoding="utf-8")


def test_every_golden_file_has_its_format():
    assert {path.name for path in (HERE / "golden").iterdir()} == {f"recipes.{form}" for form in FORMATS}


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_steers_a_terminal_or_a_log(form, printed):
    text = printed(form, "recipes")
    assert not set(map(chr, [*range(9), *range(11, 32), 127])) & set(text)
    assert [line for line in text.splitlines() if re.match(r"\s*(::|##\[)", line)] == (
        text.splitlines() if form == "github" else []
    )


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_takes_the_document_and_standard_output_nothing(form, printed):
    text = printed(form, "recipes")
    assert printed(form, "recipes", "--output-file", "out") == ""
    assert Path("out").read_text(encoding="utf-8") == text


def test_a_file_that_cannot_be_written(capsys):
    assert main(["recipes", "--output-file", "none/such"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err == "grpo-lint: --output-file: none/such cannot be written: No such file or directory\n"


# --- SARIF ----------------------------------------------------------------------------------------------------------


def run_of(text):
    """The one run of a SARIF log, which is valid."""
    log = json.loads(text)
    jsonschema.Draft4Validator(SARIF, format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER).validate(log)
    (run,) = log["runs"]
    return run


def selected(region, text):
    """What a region selects, and the text before and after it; columns in UTF-16 units, as the run says."""
    lines = text.splitlines(keepends=True) + [""]

    def offset(line, column):
        row = lines[line - 1].encode("utf-16-le")[: 2 * (column - 1)].decode("utf-16-le")
        return sum(map(len, lines[: line - 1])) + len(row)

    start, end = offset(region["startLine"], region["startColumn"]), offset(region["endLine"], region["endColumn"])
    assert 0 <= start <= end <= len(text)
    return text[:start], text[start:end], text[end:]


def test_sarif_is_valid_and_complete(printed):
    run = run_of(printed("sarif", "recipes"))
    assert run["columnKind"] == "utf16CodeUnits"
    assert [result["ruleId"] for result in run["results"]] == RULES
    rules = run["tool"]["driver"]["rules"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])
    assert all(len(rule["help"]["text"]) > 40 and rule["helpUri"] in rule["help"]["markdown"] for rule in rules)
    assert [result["level"] for result in run["results"]] == ["error", "error", "warning", "warning", "note"]


def test_sarif_points_at_keys_and_at_what_contributes(printed, repository):
    text = (repository / "recipes/recipe.yaml").read_text(encoding="utf-8")
    results = run_of(printed("sarif", "recipes"))["results"]

    def words(location):
        place = location["physicalLocation"]
        assert place["artifactLocation"] == {"uri": "recipes/recipe.yaml", "uriBaseId": "%SRCROOT%"}
        return selected(place["region"], text)[1]

    assert [words(result["locations"][0]) for result in results] == [
        "num_generations", "optim", "learning_rat", "team_note", "vllm_tensor_parallel_size",
    ]  # fmt: skip
    assert {words(location) for location in results[0]["relatedLocations"]} == {
        "world-size=7", "per_device_train_batch_size", "gradient_accumulation_steps",
    }  # fmt: skip


SCRIPT = "# grpo-lint: version=1.16.0\ntrl grpo --num_processes 7 --config 'c #1.yaml'\n"
ELSEWHERE = "num_generations: 8\nper_device_train_batch_size: 1  # \U0001f680\ngradient_accumulation_steps: 4\n"


def test_sarif_points_at_what_contributes_in_other_files_and_in_cells(printed, repository):
    """What comes from a script is there under its own URI, and what comes from a notebook by its line in the file."""
    (repository / "recipes/run 1%.sh").write_text(SCRIPT, encoding="utf-8")
    (repository / "recipes/c #1.yaml").write_text(ELSEWHERE, encoding="utf-8")
    cell = ["from trl import GRPOConfig\n", "# grpo-lint: version=1.16.0 world-size=7\n",
            "GRPOConfig(num_generations=8, per_device_train_batch_size=1, gradient_accumulation_steps=4)\n"]  # fmt: skip
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": cell}]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (repository / "recipes/a.ipynb").write_text(json.dumps(notebook, indent=1), encoding="utf-8")
    results = run_of(printed("sarif", "recipes/c #1.yaml", "recipes/a.ipynb"))["results"]
    found = {}
    for result in (each for each in results if each["ruleId"] == "GRPO203"):
        related = result["relatedLocations"]
        assert [each["id"] for each in related] == list(range(len(related)))
        assert all(each["message"]["text"] for each in related)
        for place in (each["physicalLocation"] for each in [*result["locations"], *related]):
            assert place["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
            name = unquote(place["artifactLocation"]["uri"])
            text = (repository / name).read_text(encoding="utf-8")
            found.setdefault(name, set()).add(selected(place["region"], text)[1])
    assert found == {
        "recipes/c #1.yaml": {"num_generations", "per_device_train_batch_size", "gradient_accumulation_steps"},
        "recipes/run 1%.sh": {"7"},
        "recipes/a.ipynb": {
            "num_generations",
            "per_device_train_batch_size",
            "gradient_accumulation_steps",
            "world-size=7",
        },
    }


def test_sarif_fixes_do_what_they_promise(printed, repository):
    """Each fix, applied as a consumer would who knows nothing but SARIF, makes its result go away."""
    path = repository / "recipes/recipe.yaml"
    text = path.read_text(encoding="utf-8")
    results = run_of(printed("sarif", "recipes"))["results"]
    fixes = [(result, fix) for result in results for fix in result.get("fixes", ())]
    assert len(fixes) >= 3
    for result, fix in fixes:
        (change,) = fix["artifactChanges"]
        edited = text
        for replacement in reversed(change["replacements"]):
            before, _, after = selected(replacement["deletedRegion"], edited)
            edited = before + replacement["insertedContent"]["text"] + after
        path.write_text(edited, encoding="utf-8")
        left = run_of(printed("sarif", "recipes"))["results"]
        assert result["partialFingerprints"] not in [other["partialFingerprints"] for other in left]
        assert len(left) < len(results)


def test_sarif_of_clean_files(printed):
    assert run_of(printed("sarif", "recipes/clean.yaml"))["results"] == []


def test_sarif_of_odd_paths(printed, tmp_path_factory):
    text = (HERE / "recipe.yaml").read_text(encoding="utf-8")
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "a.yaml"
    names = ["100% ours #1.yaml", "研究:a.yaml", os.fsdecode(b"latin\xe9.yaml"), str(elsewhere)]
    for name in names:
        Path(name).write_text(text, encoding="utf-8")
    run = run_of(printed("sarif", *names))
    found = [result["locations"][0]["physicalLocation"]["artifactLocation"] for result in run["results"]]
    *inside, outside = list(dict.fromkeys(location["uri"] for location in found))
    assert [os.fsencode(name) for name in names[:3]] == [unquote(uri, "latin-1").encode("latin-1") for uri in inside]
    assert outside == elsewhere.as_uri() and "uriBaseId" not in found[-1]


# --- fingerprints ---------------------------------------------------------------------------------------------------


def test_fingerprints_do_not_depend_on_lines_or_on_where_we_stand(printed, repository, monkeypatch):
    path = repository / "recipes/recipe.yaml"

    def fingerprints(*words):
        sarif = [result["partialFingerprints"]["grpoLint/v1"] for result in run_of(printed("sarif", *words))["results"]]
        assert sarif == [entry["fingerprint"] for entry in json.loads(printed("gitlab", *words))]
        assert len(set(sarif)) == len(sarif)
        return sarif

    first = fingerprints("recipes")
    comment, _, rest = path.read_text(encoding="utf-8").partition("\n")
    path.write_text(f"# moved\n\n{comment} # since\n{rest}", encoding="utf-8")
    assert fingerprints(str(path)) == first
    path.write_text(path.read_text(encoding="utf-8").replace("team_note", "other_note"), encoding="utf-8")
    assert [one == other for one, other in zip(fingerprints("recipes"), first, strict=True)] == [
        True,
        True,
        True,
        False,
        True,
    ]
    monkeypatch.chdir("recipes")
    assert fingerprints("recipe.yaml")[:3] == first[:3]


# --- GitHub ---------------------------------------------------------------------------------------------------------


def commands(text):
    """[(command, {property: value}, message)] of a log, as the runner reads it."""
    found = []
    for line in text.splitlines():
        name, properties, message = re.fullmatch(r"::(\w+) ([^:]*)::(.*)", line).groups()
        pairs = dict(pair.split("=", 1) for pair in properties.split(","))
        found.append((name, {key: unescaped(value) for key, value in pairs.items()}, unescaped(message)))
    return found


def unescaped(text):
    for sign, code in (("\r", "%0D"), ("\n", "%0A"), (":", "%3A"), (",", "%2C"), ("%", "%25")):
        text = text.replace(code, sign)
    return text


def test_github_annotations_arrive_whole(printed, repository):
    Path("a,b:c%0A.yaml").write_text((HERE / "recipe.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    found = commands(printed("github", "a,b:c%0A.yaml"))
    assert [name for name, *_ in found] == ["error", "error", "warning", "warning", "notice"]
    assert all(properties["file"] == "a,b:c%0A.yaml" for _, properties, _ in found)
    _, properties, message = found[0]
    assert properties == {"file": "a,b:c%0A.yaml", "line": "3", "endLine": "3", "col": "1", "endColumn": "15",
                          "title": "GRPO203 (rollout-holds-whole-groups)"}  # fmt: skip
    assert re.fullmatch(r"a rollout of 28 .* groups of 8\nfix: set .*", message)
    assert "%0A::error::no" in found[1][2]


def test_github_has_nothing_to_say_of_clean_files(printed):
    assert printed("github", "recipes/clean.yaml", "recipes/compose.yaml") == ""


# --- GitLab ---------------------------------------------------------------------------------------------------------

CODE_QUALITY = {  # the fields and values that GitLab's documentation names
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": r"^(?!\./|/)"},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}


def test_gitlab_is_what_gitlab_reads(printed):
    entries = json.loads(printed("gitlab", "./recipes"))
    jsonschema.validate(entries, CODE_QUALITY)
    assert [entry["check_name"].split()[0] for entry in entries] == RULES
    assert {entry["location"]["path"] for entry in entries} == {"recipes/recipe.yaml"}
    assert [entry["location"]["lines"]["begin"] for entry in entries] == [3, 6, 7, 8, 10]
    assert json.loads(printed("gitlab", "recipes/clean.yaml")) == []


# --- JUnit ----------------------------------------------------------------------------------------------------------


def test_junit_is_read_by_its_consumers(printed):
    report = JUnitXml.fromstring(printed("junit", "recipes").encode())
    suites = {suite.name: suite for suite in report}
    assert list(suites) == ["recipes/clean.yaml", "recipes/recipe.yaml"]
    assert (report.tests, report.failures) == (5, 4)
    (passed,) = suites["recipes/clean.yaml"]
    assert passed.is_passed
    failed = list(suites["recipes/recipe.yaml"])
    assert [case.name.split()[0] for case in failed] == RULES[:4]
    assert [case.result[0].type for case in failed] == ["error", "error", "warning", "warning"]
    assert "recipes/recipe.yaml:3:1" in failed[0].result[0].text
    assert "x|y <b>`z`</b> _w_ &amp;" in failed[1].result[0].message
    assert "vllm_tensor_parallel_size" in suites["recipes/recipe.yaml"]._elem.findtext("system-out")


@pytest.mark.parametrize(
    ("words", "failures"),
    [(["--fail-on", "error"], 2), (["--fail-on", "info"], 5), (["--strict"], 5), (["--fail-on", "never"], 0)],
)
def test_junit_fails_as_the_run_does(words, failures, printed):
    report = JUnitXml.fromstring(printed("junit", "recipes/recipe.yaml", *words).encode())
    told = list((next(iter(report))._elem.findtext("system-out") or "").splitlines())
    assert report.failures == failures and len(told) == 5 - failures


@pytest.mark.parametrize("character", ["\ufffe", "\uffff", "\ud800", "\x0b"])
def test_junit_holds_no_character_that_xml_forbids(character, printed, repository):
    text = (HERE / "recipe.yaml").read_text(encoding="utf-8").replace("x|y", f"x\\u{ord(character):04x}y")
    (repository / "recipes/recipe.yaml").write_text(text, encoding="utf-8")
    assert JUnitXml.fromstring(printed("junit", "recipes").encode()).failures == 4


# --- Markdown -------------------------------------------------------------------------------------------------------


def cells(text):
    """The rows of the table of a Markdown text, each cell as a list of inline tokens."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough").parse(text)
    assert [token.type for token in tokens if token.type in ("html_block", "code_block", "fence")] == []
    rows = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline" and rows:
            rows[-1].append(token.children)
    return rows


def test_markdown_shows_values_as_they_are(printed):
    header, *rows = cells(printed("markdown", "recipes"))
    assert [len(row) for row in (header, *rows)] == [3] * 6
    shown = ["".join(token.content for token in row[2] if token.type == "text") for row in rows]
    assert "optim is 'x|y <b>`z`</b> _w_ &amp; %0A::error::no" in shown[1]
    assert {token.type for row in rows for cell in row for token in cell} <= {
        "text",
        "text_special",
        "link_open",
        "link_close",
        "html_inline",
    }
    assert {token.content for row in rows for cell in row for token in cell if token.type == "html_inline"} == {
        "<br>",
        "<!-- -->",
    }
    assert not any(re.search(r"[@#]\w|://", token.content) for row in rows for cell in row for token in cell)


def test_markdown_is_no_longer_than_a_comment(printed, repository):
    text = (HERE / "recipe.yaml").read_text(encoding="utf-8")
    for number in range(40):
        (repository / f"recipes/{number}.yaml").write_text(text, encoding="utf-8")
    comment = printed("markdown", "recipes")
    rows = comment.count("\n| ") - 1
    assert 59_000 < len(comment) < 61_000
    assert comment.endswith(f"\n... and {41 * 5 - rows} more.\n")


def test_markdown_of_clean_files(printed):
    assert printed("markdown", "recipes/clean.yaml") == "### grpo-lint: no problems in 1 file checked\n"
