"""The full terminal text, as golden files; and the small functions behind it."""

import random
import re

import golden
import pytest

from grpo_lint.engine import lint, lint_path
from grpo_lint.report import text as text_report
from grpo_lint.report.printable import clean
from grpo_lint.report.text import TextPrinter, cells, clip, wrapped
from grpo_lint.report.totals import Totals
from grpo_lint.source.text import Text

FOLDER = golden.Path(__file__).parent / "golden"
ROOT = FOLDER.parents[1]
EVERY_OUTPUT = [*FOLDER.glob("*.out"), *ROOT.glob("examples/**/*.out"), *ROOT.glob("tests/scripts/*.out")]


@pytest.mark.parametrize("path", golden.inputs(FOLDER), ids=lambda path: path.stem)
def test_what_is_printed(path, capsys, monkeypatch):
    golden.check(path, capsys, monkeypatch)


def test_every_golden_file_has_its_input():
    assert {path.name for path in FOLDER.glob("*.out")} == {path.name + ".out" for path in golden.inputs(FOLDER)}


@pytest.mark.parametrize("name", ["rollout-cuts-a-group", "wide-characters", "long-lines"])
def test_colour_changes_nothing_but_the_colour(name, capsys, monkeypatch):
    import re

    from grpo_lint.cli.main import main

    monkeypatch.chdir(FOLDER)
    monkeypatch.delenv("COLUMNS", raising=False)
    main(["--color", "always", f"{name}.yaml"])
    painted = capsys.readouterr().out
    assert "\x1b[1;31m" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == (FOLDER / f"{name}.yaml.out").read_text(encoding="utf-8")


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
@pytest.mark.parametrize("name", ["rollout-cuts-a-group", "wide-characters", "long-lines", "tabs"])
def test_no_line_of_the_file_is_wider_than_the_terminal(name, columns, capsys, monkeypatch):
    from grpo_lint.cli.main import main

    monkeypatch.chdir(FOLDER)
    monkeypatch.setenv("COLUMNS", str(columns))
    main([f"{name}.yaml"])
    lines = capsys.readouterr().out.splitlines()
    assert max(cells(line) for line in lines if " | " in line) <= columns
    assert any("^" in line for line in lines)


# --- widths ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, width",
    [
        ("", 0),
        ("abc", 3),
        ("é", 1),
        ("e\u0301", 1),
        ("数学", 4),
        ("🎉", 2),
        ("ｆｕｌｌ", 8),
        ("a\u200bb", 2),
        ("\xa0", 1),
    ],
)
def test_cells(text, width):
    assert cells(text) == width


@pytest.mark.parametrize(
    "text, shown",
    [
        ("plain", "plain"),
        ("a\tb", "a    b"),
        ("\x1b[31mred\x1b[0m", "\ufffd[31mred\ufffd[0m"),
        ("\u202eevil", "\ufffdevil"),
        ("two\nlines", "two lines"),
        ("数学\u3000🎉", "数学\u3000🎉"),
        ("\udc80", "\ufffd"),
    ],
)
def test_clean(text, shown):
    assert clean(text) == shown


def test_words_are_kept_whole_and_lines_are_short():
    text = "one two three " * 20 + "a-word-that-is-longer-than-a-line-of-this-text"
    lines = wrapped(text, 30, "first: ", "    ")
    assert all(cells(line) <= 30 for line in lines[:-1])
    assert lines[0].startswith("first: one")
    assert " ".join(line.strip() for line in lines).removeprefix("first: ") == text.replace("  ", " ")


def test_clipping_keeps_the_marked_part_in_sight():
    chance = random.Random(1)
    letters = "ab数🎉\t\x1b e\u0301"
    for _ in range(2000):
        line = "".join(chance.choice(letters) for _ in range(chance.randrange(0, 200)))
        first = chance.randrange(0, len(line) + 1)
        last = min(len(line), first + chance.randrange(0, 20))
        shown, marks = clip(line, [(first, last, "at")], 60)
        (start, end, _), *_ = marks
        assert cells(shown) <= 60
        assert 0 <= start < end
        assert start <= cells(shown)
        assert cells(shown[: len(shown)]) >= start


# --- short and long -------------------------------------------------------------------------------------------------

MOST_LINES = 12


def blocks_of(text):
    """The findings of an output, each with its lines."""
    return [block.splitlines() for block in text.split("\n\n") if re.match(r"(error|warning)\[", block)]


@pytest.mark.parametrize("golden", sorted(EVERY_OUTPUT), ids=lambda path: path.name)
def test_a_finding_is_short(golden):
    assert [block for block in blocks_of(golden.read_text(encoding="utf-8")) if len(block) > MOST_LINES] == []


def test_verbose_tells_all_there_is(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(
        "# grpo-lint: dialect=trl version=1.16.0 world-size=7\nper_device_train_batch_size: 1\nnum_generations: 8\n"
    )
    report = lint_path(str(path))
    short, long = TextPrinter().file(report), TextPrinter(verbose=True).file(report)
    assert "(grpo-lint rule GRPO203)" in short and "All completions of a prompt" not in short
    assert "All completions of a prompt belong to one rollout" in " ".join(long.split())
    assert '"generation_batch_size (7) must be divisible by num_generations (8)."' in " ".join(long.split())


def test_what_was_told_of_another_file_is_told_in_a_line(tmp_path):
    for name in "abc":
        (tmp_path / f"{name}.yaml").write_text(
            "# grpo-lint: dialect=trl version=1.16.0 world-size=7\nper_device_train_batch_size: 1\nnum_generations: 8\n"
        )
    printer = TextPrinter()
    first, second, third = (printer.file(lint_path(str(tmp_path / f"{name}.yaml"))) for name in "abc")
    assert len(first.splitlines()) > 8
    assert second == f"{tmp_path}/b.yaml:3:1: error[GRPO203]: as in {tmp_path}/a.yaml:3:1\n\n"
    assert third == f"{tmp_path}/c.yaml:3:1: error[GRPO203]: as in {tmp_path}/a.yaml:3:1\n\n"


def test_what_plain_fix_mends_is_marked(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text(
        "# grpo-lint: dialect=trl version=1.16.0 world-size=8\nper_device_train_batch_size: 8\nnum_generations: 8\ntorch_dtype: float32\n"
    )
    report = lint_path(str(path))
    told = TextPrinter().file(report)
    assert ("[*]" in told) == any(
        fix.safety == "safe" and fix.edits for finding in report.findings for fix in finding.fixes[:1]
    )


def test_equal_infos_about_many_files_are_one_line(tmp_path):
    printer = TextPrinter()
    text = "# grpo-lint: dialect=trl version=1.16.0\nnum_generations: 8\nper_device_train_batch_size: 7\n"
    assert "".join(printer.file(lint(Text(text, f"c{number}.yaml"))) for number in range(6)) == ""
    printer.quiet = True
    (line,) = printer.end(Totals()).split("\n\n")[:-1]
    assert line.startswith("c0.yaml, c1.yaml, c2.yaml and 3 more files: info: ")


def test_of_a_long_line_only_what_is_shown_is_looked_at(monkeypatch):
    """A command of thousands of flags is shown with each of its findings."""
    looked_at = []
    monkeypatch.setattr(text_report, "clean", lambda text: (looked_at.append(len(text)), clean(text))[1])
    for line in ("x" * 100_000, "\u0301" * 50 + "组" * 100_000):
        looked_at.clear()
        clip(line, [(90_000, 90_010, "at")], 60)
        assert sum(looked_at) < 5_000
