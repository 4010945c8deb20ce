"""A file that is too large to be checked, or cannot be read, is searched for the words that tell ours, to its end: it is
never passed over in silence."""

import json

import pytest

from grpo_lint.checker import oversized
from grpo_lint.cli.main import main
from grpo_lint.engine import lint, lint_path
from grpo_lint.frameworks import recognition
from grpo_lint.source.text import Text

COMMENTS = "# a remark\n" * 30_000
SETTINGS = "num_generations: 8\nper_device_train_batch_size: 1\n"
SECTIONS = "algorithm:\n  adv_estimator: grpo\n"
FILES = {
    "a.yaml": SETTINGS,
    "b.yaml": SECTIONS,
    "run.sh": "swift rlhf --rlhf_type grpo\n",
    "verl.sh": "python3 -m verl.trainer.main_ppo\n",
    "train.py": "GRPOConfig(num_generations=8)\n",
}


def told(path):
    """The code and the severity of the one finding of a file."""
    (finding,) = lint_path(str(path)).findings
    return finding.rule.code, finding.severity


@pytest.mark.parametrize("name", FILES)
def test_keys_behind_many_comments_are_told(name, tmp_path):
    path = tmp_path / name
    path.write_text(COMMENTS + FILES[name])
    assert told(path) == ("GRPO002", "info")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_keys_at_the_end_of_a_large_file_are_told(tmp_path, encoding):
    path = tmp_path / "a.yaml"
    width = len("#".encode(f"{encoding}-le")) if encoding != "utf-8" else 1
    path.write_bytes((COMMENTS * (60 // width) + SETTINGS).encode(encoding))
    assert path.stat().st_size > 17 << 20
    assert told(path) == ("GRPO002", "info")


@pytest.mark.parametrize("word", recognition._SURELY_OURS, ids=bytes.decode)
def test_each_word_of_recognition_is_found_wherever_it_stands(word, tmp_path, monkeypatch):
    """Also where it begins in one piece and ends in the next."""
    monkeypatch.setattr(oversized, "_PIECE", 1 << 16)
    for before in (1 << 18, (5 << 16) - 1, (5 << 16) - len(word) // 2, (5 << 16) - len(word) + 1):
        path = tmp_path / "a.yaml"
        path.write_bytes(b"# " * (before // 2) + b"#" * (before % 2) + word)
        assert told(path) == ("GRPO002", "info")


def test_the_command_line_tells_of_it(tmp_path, monkeypatch, capsys):
    (tmp_path / "a.yaml").write_text(COMMENTS * 60 + SETTINGS)
    monkeypatch.chdir(tmp_path)
    assert main(["check", "."]) == 0
    assert "is larger than 256 KB, and is not checked" in capsys.readouterr().out


def test_what_is_too_large_even_to_be_searched_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(oversized, "_MOST_PIECES", 3)
    path = tmp_path / "data.json"
    path.write_text("[" + "1,\n" * (1 << 20) + SETTINGS)
    assert path.stat().st_size == 1 + (3 << 20) + len(SETTINGS)
    assert told(path) == ("GRPO002", "info")
    path.write_text("[" + "1,\n" * (900 << 10))
    assert lint_path(str(path)).findings == []


def test_a_large_file_of_others_is_passed_over(tmp_path):
    path = tmp_path / "data.yaml"
    path.write_text(COMMENTS + "key: a generation of rewards, and its completion\n")
    report = lint_path(str(path))
    assert report.skipped == "larger than 256 KB" and not report.findings


# --- what cannot be read --------------------------------------------------------------------------------------------

CELL = '{"cells": [{"cell_type": "code", "source": ["%s"]}], "nbformat": 4, "metadata": {}}'
UNREADABLE = {
    "no such encoding": ("a.py", b"# coding: latin-99\nGRPOConfig(num_generations=8)  # \xe9\n"),
    "none told": ("b.py", b"GRPOConfig(num_generations=8)  # \xe9\n"),
    "of two bytes": ("c.py", "GRPOConfig(num_generations=8)\n".encode("utf-16-le")),
    "with its mark": ("f.py", "GRPOConfig(num_generations=8)\n".encode("utf-16")),
    "a notebook with its mark": ("g.ipynb", (CELL % "GRPOConfig(num_generations=8)").encode("utf-16")),
    "a notebook of two bytes": ("h.ipynb", (CELL % "!swift rlhf --rlhf_type grpo").encode("utf-16-be")),
    "a notebook": ("d.ipynb", (CELL % "GRPOConfig(num_generations=8)  # é").encode("latin-1")),
    "a notebook with a command": ("e.ipynb", (CELL % "!swift rlhf --rlhf_type grpo  # é").encode("latin-1")),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_python_that_cannot_be_read_is_told_where_it_is_ours(name, tmp_path):
    file, data = UNREADABLE[name]
    (tmp_path / file).write_bytes(data)
    assert told(tmp_path / file) == ("GRPO002", "info")


@pytest.mark.parametrize("name", UNREADABLE)
def test_python_of_others_that_cannot_be_read_is_passed_over(name, tmp_path):
    file, data = UNREADABLE[name]
    (tmp_path / file).write_bytes(
        data.replace(b"G", b"g").replace(b"r", b"R").replace(b"rlhf", b"x").replace(b"num", b"x")
    )
    assert lint_path(str(tmp_path / file)).findings == []


TOO_MUCH = {
    "parts": f"x = [{'-0,' * 80_000}]\n",
    "depth": f"x = {'-' * 2500}1\n",
    "a name": f"import {'a.' * 60_000}b\n",
}
OURS = "from trl import GRPOConfig\nGRPOConfig(num_generations=7)\n"


@pytest.mark.parametrize("text", TOO_MUCH.values(), ids=TOO_MUCH)
def test_a_program_that_is_met_and_too_much_to_be_read_is_told_where_it_is_ours(tmp_path, text, monkeypatch, capsys):
    (tmp_path / "train.py").write_text(text + OURS)
    monkeypatch.chdir(tmp_path)
    assert main(["check", "."]) == 0
    assert "train.py: info: this program is not checked" in capsys.readouterr().out.replace("\n", " ")
    (tmp_path / "train.py").write_text(text)
    assert main(["check", "."]) == 0 and "train.py" not in capsys.readouterr().out


# --- notebooks that are cut -----------------------------------------------------------------------------------------

WRONG = "from trl import GRPOConfig\nGRPOConfig(num_generations=7, per_device_train_batch_size=8)\n"
CUT = {
    "cells of Python": lambda: [WRONG, "x = [\n" + "  'abcdefgh',\n" * 26_000 + "]\n"],
    "many cells": lambda: [*["x\n"] * 20_000, WRONG],
    "many strings": lambda: [["\n"] * 600_000, WRONG],
}


def notebook(sources, **cell):
    cells = [{"cell_type": "code", "source": source, **cell} for source in sources]
    return json.dumps({"cells": cells, "nbformat": 4, "metadata": {}})


@pytest.mark.parametrize(
    "name", ["cells of Python", "many cells", pytest.param("many strings", marks=pytest.mark.slow)]
)
def test_a_notebook_that_is_too_large_is_told_where_it_is_ours(name, tmp_path, capsys):
    path = tmp_path / "a.ipynb"
    path.write_text(notebook(CUT[name]()))
    assert told(path) == ("GRPO905", "info")
    for asked in (path, tmp_path):
        main(["check", str(asked)])
        assert "info: it is not checked: i" in capsys.readouterr().out
    path.write_text(notebook(CUT[name]()).replace("GRPOConfig", "Config"))
    assert lint_path(str(path)).findings == []


def test_what_is_not_read_is_one_line_a_folder(tmp_path, capsys):
    """A folder of logs or traces is no wall of text; who names a file is told of it."""
    for name in ("a.ipynb", "b.ipynb", "c.ipynb", "logs/d.ipynb"):
        (tmp_path / "logs").mkdir(exist_ok=True)
        (tmp_path / name).write_text(notebook(CUT["many cells"]()))
    main(["check", "--output-format=concise", str(tmp_path)])
    assert capsys.readouterr().out.count("GRPO905") == 2
    main(["check", "-v", str(tmp_path)])
    assert capsys.readouterr().err.count("GRPO905 is not reported") == 2
    for asked in (
        ["--strict", str(tmp_path)],
        [str(tmp_path / name) for name in ("a.ipynb", "b.ipynb", "c.ipynb", "logs/d.ipynb")],
    ):
        main(["check", "--output-format=concise", *asked])
        assert capsys.readouterr().out.count("GRPO905") == 4


def test_what_the_scripts_of_a_folder_have_in_common_is_one_line(tmp_path, capsys):
    run = "python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo trainer.default_local_dir=kept trainer.save_freq={}\n"
    for name, often in (("a.sh", -1), ("b.sh", -1), ("c.sh", 0), ("more/d.sh", -1)):
        (tmp_path / "more").mkdir(exist_ok=True)
        (tmp_path / name).write_text(run.format(often))
    main(["check", "--output-format=concise", str(tmp_path)])
    told = [line for line in capsys.readouterr().out.splitlines() if "GRPO778" in line]
    assert [line.split(":")[0].rpartition("/")[2] for line in told] == ["a.sh", "c.sh", "d.sh"]
    main(["check", "-v", str(tmp_path)])
    assert "GRPO778 is not reported, because the same is said of" in capsys.readouterr().err
    main(["check", "--strict", "--output-format=concise", str(tmp_path)])
    assert capsys.readouterr().out.count("GRPO778") == 4


def test_a_cell_is_found_behind_thousands_of_others(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text(notebook([*(f"x{number} = {number}\n" for number in range(3000)), WRONG]))
    report = lint_path(str(path))
    assert report.launches and "GRPO203" in {each.rule.code for each in report.findings}


def test_a_notebook_whose_outputs_are_too_large_is_told(tmp_path, capsys):
    path = tmp_path / "a.ipynb"
    path.write_text(notebook([WRONG, "x\n", WRONG], outputs=[{"data": {"image/png": "A" * (6 << 20)}}]))
    for asked in (path, tmp_path):
        main(["check", str(asked)])
        assert "info: is larger than 16384 KB, and is not checked" in capsys.readouterr().out


@pytest.mark.parametrize(("tail", "told"), [("# a completion\n", []), ("swift rlhf --rlhf_type grpo\n", ["GRPO905"])])
def test_a_script_whose_values_grow_is_told_where_it_may_train(tail, told):
    """A word that others use as well, such as completion, makes it none of ours."""
    grown = "x0=abcdefghijklmnopqrstuvwxyz\n" + "".join(f"x{each + 1}=$x{each}$x{each}\n" for each in range(12))
    report = lint(Text(grown + "echo $x12 $x12 $x12 $x12\n" * 20_000 + tail, "run.sh"), fixes=False)
    assert [each.rule.code for each in report.findings] == told
