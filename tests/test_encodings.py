"""Files in other encodings than UTF-8: what Python reads is read and written back, the rest is told, and nothing fails."""

import json
import subprocess
import sys
from codecs import BOM_UTF8
from pathlib import Path

import pytest

from grpo_lint import engine
from grpo_lint.cli import main as cli
from grpo_lint.cli.options import FORMATS
from grpo_lint.launch.files import read_text
from grpo_lint.lsp.actions import edit_of_fix_all
from grpo_lint.lsp.client import Client
from grpo_lint.lsp.session import Session
from grpo_lint.settings import files as settings
from grpo_lint.source.python.encoding import ENCODINGS, declared, known
from grpo_lint.source.text import NotText, Text

# a Latin-1 comment, and a line whose text stands before the finding
PROGRAM = """# {declaration}
# {word}
from trl import GRPOConfig, GRPOTrainer

name = "{word}"; args = GRPOConfig(output_dir="{word}", per_device_train_batch_size=4, num_generations=8, gradient_accumulation_steps=1)  # {word}
"""
FIXED = "gradient_accumulation_steps=2"
OPTIONS = ("--framework-version", "1.16.0", "--world-size", "1")
WORDS = {
    "latin-1": "café\x85\xa0ÿ",
    "iso-8859-15": "œuvre €",
    "cp1252": "“naïve” €",
    "koi8-r": "обучение",
    "gbk": "训练中文",
    "gb18030": "训练😀",
    "big5": "訓練功許蓋",  # with a backslash as the second byte of a character
    "shift_jis": "表示ソ能",
    "euc-jp": "学習",
    "euc-kr": "학습",
    "utf-8": "été😀",
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    settings.forget()
    return tmp_path


def program(encoding, declaration=None, word=None, line_end="\n"):
    text = PROGRAM.format(declaration=declaration or f"-*- coding: {encoding} -*-", word=word or WORDS[encoding])
    return text.replace("\n", line_end)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", WORDS)
def test_python_is_read_and_written_in_the_encoding_that_it_declares(encoding, line_end, capsys):
    text = program(encoding, line_end=line_end)
    path = Path("train.py")
    path.write_bytes(text.encode(encoding))
    report = engine.lint_path("train.py", fixes=False)
    assert report.text.text == text and report.launches
    assert cli.main(["--fix", "--unsafe-fixes", *OPTIONS, "train.py"]) == 0
    assert path.read_bytes() == text.replace("gradient_accumulation_steps=1", FIXED).encode(encoding)
    capsys.readouterr()


def test_mixed_line_ends_stay():
    lines = program("latin-1").split("\n")
    text = "".join(line + end for line, end in zip(lines, ["\r\n", "\n", "\r\n", "\n", "\r\n", ""], strict=True))
    Path("train.py").write_bytes(text.encode("latin-1"))
    cli.main(["--fix", "--unsafe-fixes", *OPTIONS, "train.py"])
    assert Path("train.py").read_bytes() == text.replace("steps=1", "steps=2").encode("latin-1")


@pytest.mark.parametrize("encoding", WORDS)
def test_a_diff_can_be_applied_to_the_bytes(encoding):
    before = program(encoding).encode(encoding)
    Path("train.py").write_bytes(before)
    words = [sys.executable, "-m", "grpo_lint", "--unsafe-fixes", *OPTIONS, "train.py"]
    shown = subprocess.run([*words, "--diff"], capture_output=True, check=False)
    if encoding == "latin-1":  # a control character is not printed
        assert b"not to be applied" in shown.stdout
        return
    subprocess.run(["git", "apply", "-p0", "-"], input=shown.stdout, check=True)
    applied = Path("train.py").read_bytes()
    Path("train.py").write_bytes(before)
    subprocess.run([*words, "--fix"], capture_output=True, check=False)
    assert applied == Path("train.py").read_bytes() != before


def test_places_are_those_of_the_characters(capsys):
    Path("train.py").write_bytes(program("gb18030").encode("gb18030"))
    cli.main([*OPTIONS, "--output-format", "json", "train.py"])
    (told,) = json.loads(capsys.readouterr().out)["files"][0]["diagnostics"]
    line = program("gb18030").split("\n")[4]
    start = len(line[: line.index("num_generations")].encode("utf-16-le")) // 2
    assert told["range"]["start"] == {"line": 4, "character": start}


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("# coding: latin-1", "latin-1"),
        ("# -*- coding: utf-8 -*-", "utf-8"),
        ("# vim: set fileencoding=gbk :", "gbk"),
        ("#!/usr/bin/env python\n# coding=cp1252", "cp1252"),
        ("#!/usr/bin/env python\r\n# coding=cp1252\r\n", "cp1252"),
        ("\n\n# coding: gbk", ""),
        ("import x\n# coding: gbk", ""),
        ("x = 1  # coding: gbk", ""),
        ("'# coding: gbk'", ""),
        ("\x0c # coding: gbk", "gbk"),
    ],
)
def test_a_declaration_stands_in_a_comment_of_the_first_two_lines(line, name):
    assert declared(line.encode()) == name


@pytest.mark.parametrize(
    "name", ["rot13", "rot_13", "zlib", "hex", "unicode_escape", "raw-unicode-escape", "idna", "punycode", "utf-7",
             "utf-16", "utf-32", "undefined", "mbcs", "oem", "cp037", "cp500", "iso2022_jp", "hz", "charmap", "string_escape",
             "os", "..", "__main__", "x" * 5000, "", "cp864"]
)  # fmt: skip
def test_what_is_no_plain_encoding_of_text_is_never_asked(name, capsys):
    assert known(name) == ""
    Path("train.py").write_bytes(program("utf-8", declaration=f"coding: {name or '?'}").encode())
    if name in ("", ".."):
        return
    report = engine.lint_path("train.py")
    assert [finding.severity for finding in report.findings] == ["info"] and not report.launches
    for words in (["--fix"], ["--diff"], ["--fix", "--unsafe-fixes"], *(["--output-format", form] for form in FORMATS)):
        assert cli.main([*words, "train.py"]) == 0
    assert "internal error" not in "".join(capsys.readouterr())


@pytest.mark.parametrize("encoding", sorted(ENCODINGS))
def test_each_encoding_says_ascii_in_the_bytes_of_ascii(encoding):
    """So that words that are sought in bytes stand there, and what is put in has the bytes that are expected."""
    letters = "".join(map(chr, range(32, 127)))
    if encoding in ("euc_jisx0213", "euc_jis_2004"):
        letters = letters.replace("\\", "").replace("~", "")
    assert letters.encode("ascii").decode(encoding) == letters and letters.encode(encoding) == letters.encode("ascii")


def test_bytes_that_would_not_come_back_are_not_edited(capsys):
    """Some characters have two codes in cp932, of which Python writes one."""
    data = program("cp932", word="X").encode("cp932").replace(b"X", b"\x87\x90")
    assert data.decode("cp932").encode("cp932") != data
    Path("train.py").write_bytes(data)
    assert cli.main(["--fix", "--unsafe-fixes", *OPTIONS, "train.py"]) == 1
    assert Path("train.py").read_bytes() == data and "GRPO203" in capsys.readouterr().out


def test_a_byte_order_mark_goes_before_a_declaration():
    data = BOM_UTF8 + program("utf-8").encode()
    Path("train.py").write_bytes(data)
    cli.main(["--fix", "--unsafe-fixes", *OPTIONS, "train.py"])
    assert Path("train.py").read_bytes() == data.replace(b"steps=1", b"steps=2")


BROKEN = {
    "undeclared.py": program("latin-1", declaration="x").encode("latin-1"),
    "wrong.py": program("utf-8", word="café").encode("latin-1"),
    "cells.ipynb": b'{"cells": [{"cell_type": "code", "source": ["from trl import GRPOConfig  # caf\xe9"]}]}',
    "nul.py": b"from trl import GRPOConfig\0\n",
    "config.yaml": b"num_generations: 8  # caf\xe9\n",
    "run.sh": b"trl grpo --num_generations 8  # caf\xe9\n",
    "large.py": b"# caf\xe9 GRPOConfig num_generations\n" + b"#" * 300_000,
    "config.json": '{"num_generations": 8, "é": 1}'.encode("latin-1"),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize(
    "words",
    [(), ("--fix",), ("--fix", "--unsafe-fixes"), ("--diff",), *(("--output-format", each) for each in FORMATS)],
    ids=" ".join,
)
def test_what_is_no_text_is_told_and_nothing_fails(name, words, capsys):
    path = Path(name)
    path.write_bytes(BROKEN[name])
    is_python = name.endswith((".py", ".ipynb"))
    assert cli.main([*words, name]) == (0 if is_python else 1)
    out, err = capsys.readouterr()
    assert "internal error" not in out + err and path.read_bytes() == BROKEN[name]
    if not words and name != "large.py":
        assert "not text" in out
    report = engine.lint_path(name)
    assert {finding.severity for finding in report.findings} == {"info" if is_python else "error"}


def test_python_that_names_no_trainer_is_passed_over():
    Path("plain.py").write_bytes("x = 'é'".encode("latin-1"))
    assert engine.lint_path("plain.py").skipped


def test_programs_are_read_in_their_encoding():
    Path("train.py").write_bytes(program("gbk").encode("gbk"))
    assert read_text("train.py") == program("gbk")
    Path("other.py").write_bytes(b"# coding: rot13\n")
    assert read_text("other.py") is None
    with pytest.raises(NotText):
        Text.from_bytes(b"# coding: zlib\n", "other.py")


def test_an_editor_holds_characters_whatever_is_declared(tmp_path):
    """A text from an editor is no longer in the encoding that it declares."""
    text = (
        "# coding: gbk\n# 训练 é\nfrom trl import GRPOConfig\n"
        "args = GRPOConfig(output_dir='o', num_generations=8, per_device_train_batch_size=8, use_liger_loss=True)\n"
        "# grpo-lint: version=1.16.0 world-size=1\n"
    )
    session = Session()
    path = tmp_path / "train.py"
    document = session.open(path.as_uri(), str(path), 1, text)
    edit = edit_of_fix_all(session, document, Client())
    assert edit is None or all("训练" not in each["newText"] for edits in edit["changes"].values() for each in edits)
    assert session.report(document).text.text == text


@pytest.mark.parametrize(("named", "severity"), [(".", "info"), ("run.sh", "error")])
def test_a_script_in_another_encoding_runs_and_is_no_error_of_a_repository(
    tmp_path, monkeypatch, capsys, named, severity
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.sh").write_bytes("# 训练\nswift rlhf --rlhf_type grpo --model m\n".encode("gbk"))
    status = cli.main(["check", named])
    told = capsys.readouterr().out
    assert "is not text" in told and (status == 1) is (severity == "error")
