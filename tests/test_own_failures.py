"""Where grpo-lint itself breaks on a file: a finding of that file, in every format, and everything else is as it was."""

import json

import pytest

from grpo_lint import engine
from grpo_lint.checker import config_file as configs
from grpo_lint.cli import check, options
from grpo_lint.cli.main import main
from grpo_lint.files import writing
from grpo_lint.fixes import offering, repair
from grpo_lint.lsp import diagnostics as lsp_diagnostics, session as lsp_session
from grpo_lint.lsp.client import Client
from grpo_lint.report.messages import message

BROKEN = "# grpo-lint: dialect=trl version=1.16.0 world-size=1\nper_device_train_batch_size: 8\nnum_generations: 7\n"
FAILURE = "grpo-lint fails on b.yaml by its own mistake: ZeroDivisionError: of ours"


class Breaks:
    """Puts a function in the place of another that breaks on b.yaml, the first time or every time."""

    def __init__(self, whole, path, always):
        self.whole, self.path, self.always, self.done = whole, path, always, False

    def __call__(self, *words, **named):
        if self.path(*words) == "b.yaml" and (self.always or not self.done):
            self.done = True
            raise ZeroDivisionError("of ours")
        return self.whole(*words, **named)


@pytest.fixture
def breaks(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for name in ("a.yaml", "b.yaml", "c.yaml"):
        (tmp_path / name).write_text(BROKEN)

    def breaks(where, name, path, always=False):
        broken = Breaks(getattr(where, name), path, always)
        monkeypatch.setattr(where, name, lambda *words, **named: broken(*words, **named))
        return broken

    return breaks


STEPS = {
    "reading": (configs, "read_yaml", lambda text, *rest: text.path),
    "linting": (engine, "lint", lambda text, *rest: text.path),
    "judging": (configs, "judge_launch", lambda report, *rest: report.path),
    "the fixes": (offering.Offering, "adding", lambda self, *rest: self._report.path),
    "a search for fixes": (offering.Offering, "_search", lambda self, *rest: self._report.path),
    "an edit": (offering, "apply", lambda text, *rest: text.path),
    "a proof": (offering.Proof, "__call__", lambda self, *rest: self._report.path),
}
REPAIRS = {
    "a repair": (engine, "repair", lambda data, path, *rest: path),
    "a pass": (repair, "_edits_of_pass", lambda report, *rest: report.path),
    "the bytes": (repair, "encoded", lambda text, *rest: text.path),
    "what is written": (writing, "_replaced", lambda path, *rest: path),
}


def flat(output):
    """A text without its line breaks, which depend on the width."""
    return " ".join(output.split())


@pytest.mark.parametrize("form", options.FORMATS)
def test_a_failure_is_a_finding_in_every_format(breaks, capsys, form):
    assert main(["check", ".", "--output-format", form]) == 1
    whole = capsys.readouterr().out
    breaks(engine, "lint", lambda text, *rest: text.path)
    assert main(["check", ".", "--output-format", form]) == 2
    output, error = capsys.readouterr()
    assert error.count("\n") == 1 and "internal error in b.yaml" in error
    assert "of ours" in flat(output) and "GRPO906" in output and "GRPO906" not in whole
    if form == "json":
        before, after = json.loads(whole)["files"], json.loads(output)["files"]
        assert (after[0], after[2]) == (before[0], before[2]) and [
            each["message"] for each in after[1]["diagnostics"]
        ] == [FAILURE]


@pytest.mark.parametrize("step", STEPS)
def test_a_failure_in_any_step_of_the_engine(breaks, capsys, step):
    where, name, path = STEPS[step]
    broken = breaks(where, name, path)
    status = main(["check", ".", "--output-format", "json"])
    files = {
        file["path"]: [each["code"] for each in file["diagnostics"]]
        for file in json.loads(capsys.readouterr().out)["files"]
    }
    assert broken.done and status == 2
    assert files == {"a.yaml": ["GRPO203"], "b.yaml": ["GRPO906"], "c.yaml": ["GRPO203"]}


@pytest.mark.parametrize("step", REPAIRS)
def test_a_failure_in_any_step_of_a_repair(breaks, capsys, tmp_path, step):
    where, name, path = REPAIRS[step]
    broken = breaks(where, name, path)
    status = main(["check", ".", "--fix", "--unsafe-fixes", "--output-format", "json"])
    files = {
        file["path"]: [each["code"] for each in file["diagnostics"]]
        for file in json.loads(capsys.readouterr().out)["files"]
    }
    assert broken.done and status == 2
    assert files == {"a.yaml": [], "b.yaml": ["GRPO906"], "c.yaml": []}
    assert [(tmp_path / name).read_text() == BROKEN for name in files] == [False, True, False]


def test_what_comes_through_a_pipe_is_passed_on_where_its_repair_fails(breaks, capfdbinary, monkeypatch):
    monkeypatch.setattr("grpo_lint.files.disk.standard_input", lambda limit: BROKEN.encode())
    monkeypatch.setattr("grpo_lint.files.disk.pass_on_standard_input", lambda: None)
    breaks(engine, "repair", lambda data, path, *rest: path)
    assert main(["check", "--fix", "--stdin-filename", "b.yaml", "-"]) == 2
    output, error = capfdbinary.readouterr()
    assert output == BROKEN.encode() and b"internal error in b.yaml" in error


@pytest.mark.parametrize("always", [False, True], ids=["once", "always"])
@pytest.mark.parametrize("form", options.FORMATS)
def test_a_failure_of_a_printer(breaks, capsys, monkeypatch, form, always):
    real = check._printer

    def printer(*words):
        made = real(*words)
        made.file = Breaks(made.file, lambda report: report.path, always)
        return made

    monkeypatch.setattr(check, "_printer", printer)
    assert main(["check", ".", "--output-format", form]) == 2
    output, error = capsys.readouterr()
    assert error.count("\n") == 1 and "internal error in b.yaml" in error
    assert "a.yaml" in output and "c.yaml" in output and ("of ours" in flat(output)) is not always
    if form == "json":
        codes = [[each["code"] for each in file["diagnostics"]] for file in json.loads(output)["files"]]
        assert codes == [["GRPO203"], *([] if always else [["GRPO906"]]), ["GRPO203"]]


@pytest.mark.parametrize("form", ["json", "sarif", "gitlab"])
def test_what_no_document_can_hold_fails_with_its_file(breaks, capsys, monkeypatch, form):
    answers = iter([None, b"bytes", None, None])  # for the one finding of each file, and for the failure
    monkeypatch.setattr(f"grpo_lint.report.{form}.message", lambda finding, *_: next(answers) or message(finding))
    monkeypatch.setattr("grpo_lint.report.sarif.clean", lambda text: text)
    monkeypatch.setattr("grpo_lint.report.gitlab.clean", lambda text: text)
    assert main(["check", ".", "--output-format", form]) == 2
    output, error = capsys.readouterr()
    json.loads(output)
    assert (
        "internal error in b.yaml: TypeError" in error and "fails on b.yaml" in output and output.count("GRPO203") >= 2
    )


def test_a_failure_is_no_known_finding(breaks, capsys, tmp_path):
    breaks(engine, "lint", lambda text, *rest: text.path)
    assert main(["check", ".", "--baseline", "known.json", "--write-baseline"]) == 2
    assert {entry["path"] for entry in json.loads((tmp_path / "known.json").read_text())["findings"]} == {
        "a.yaml",
        "c.yaml",
    }


# --- editors --------------------------------------------------------------------------------------------------------


def opened():
    session = lsp_session.Session()
    return session, *(
        session.open(f"file:///nowhere/{name}", f"/nowhere/{name}", 0, BROKEN) for name in ("a.yaml", "b.yaml")
    )


def codes(session, document):
    return [
        each["code"] for each in lsp_diagnostics.diagnostics(document, session.report(document), "utf-16", Client())
    ]


def test_an_editor_is_told_of_a_failure_and_gets_its_other_answers(breaks, monkeypatch):
    broken = breaks(lsp_session, "lint", lambda text, *rest: text.path.removeprefix("/nowhere/"))
    session, other, document = opened()
    assert codes(session, document) == ["GRPO906"] and codes(session, other) == ["GRPO203"]
    session.change(document, 1, [(None, BROKEN)])
    assert broken.done and codes(session, document) == ["GRPO203"], "the next text may be better"


def test_an_editor_keeps_the_findings_whose_fixes_fail(breaks):
    breaks(lsp_session, "offering", lambda report, *rest: report.path.removeprefix("/nowhere/"), always=True)
    session, other, document = opened()
    for each in (document, other):
        for finding in session.report(each).findings:
            session.look_for_fixes(each, finding)
    assert codes(session, document) == ["GRPO203", "GRPO906"] and codes(session, other) == ["GRPO203"]
    assert session.report(other).findings[0].fixes and not session.report(document).findings[0].fixes


def test_an_editor_is_told_where_a_diagnostic_cannot_be_made(breaks):
    breaks(lsp_diagnostics, "diagnostic", lambda report, *rest: report.path.removeprefix("/nowhere/"))
    session, other, document = opened()
    assert codes(session, document) == ["GRPO906"] and codes(session, other) == ["GRPO203"]
