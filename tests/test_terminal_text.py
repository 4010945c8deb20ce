"""The full terminal text, as golden files; and the small functions behind it."""

import random

import golden
import pytest

from grpo_lint.report.printable import clean
from grpo_lint.report.text import cells, clip, wrapped

FOLDER = golden.Path(__file__).parent / "golden"


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
