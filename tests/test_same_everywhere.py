"""The same tree gives the same findings and plans to the command line, the hook, an editor, an agent and a program."""

import ast
import asyncio
import json
import os
import re
import subprocess
import sys
import types
from functools import cache
from pathlib import Path

import pytest
import yaml

pytest.importorskip("pygls")
pytest.importorskip("mcp")

import grpo_lint
from grpo_lint.cli.main import main
from grpo_lint.files import disk
from grpo_lint.lsp.client import Client
from grpo_lint.lsp.diagnostics import diagnostics
from grpo_lint.lsp.session import Session
from grpo_lint.mcp import tools
from grpo_lint.report.json import file

PACKAGE = Path(grpo_lint.__file__).parent
HOOK = yaml.safe_load((PACKAGE.parent / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))[0]
TREE = {
    "grpo.yaml": "# grpo-lint: dialect=trl version=1.16.0\nnum_generations: 8\nper_device_train_batch_size: 1\ngradient_accumulation_steps: 3\n",
    "run.sh": "accelerate launch --num_processes 6 train.py --config grpo.yaml\n",
    "train.py": "from trl import GRPOConfig, TrlParser\nTrlParser((GRPOConfig,)).parse_args_and_config()\n",
    "own.py": "from trl import GRPOConfig\nGRPOConfig(num_generations=7, per_device_train_batch_size=8)\n",
    "three.sh": "GROUP=7\n"
    + "trl grpo --num_processes 8 --per_device_train_batch_size 4 --num_generations $GROUP\n" * 3,
    "requirements.txt": "trl==1.16.0\n",
    "pyproject.toml": '[tool.grpo-lint]\nworld-size = 3\nignore = ["length-trained-on-is-capped"]\n',
}
UTF_16 = {
    "two.py": TREE["own.py"],
    "two.ipynb": json.dumps(
        {"cells": [{"cell_type": "code", "source": TREE["own.py"]}], "nbformat": 4, "metadata": {}}
    ),
}
CHECKED = ("grpo.yaml", "run.sh", "own.py", "three.sh")


def of_documents(answer):
    """The findings and the plan of a file of a JSON document."""
    found = sorted((each["code"], each["message"]) for each in answer["diagnostics"])
    return found, _known(answer["launches"][0]["plan"])


def of_report(report, plan):
    return sorted((each.code, each.message) for each in report.findings), _known(plan)


def _known(plan):
    return {name: value for name, value in plan.items() if value is not None}


def told_by_command_line(name, capsys):
    main(["check", "--output-format", "json", name])
    return of_documents(json.loads(capsys.readouterr().out)["files"][0])


def told_by_hook(name, capsys):
    """As pre-commit calls it: its entry in a process of its own, its arguments, and all names that its pattern lets through."""
    names = [each for each in TREE if re.search(HOOK["files"], each)]
    words = [sys.executable, "-m", *HOOK["entry"].replace("-", "_", 1).split(), "--output-format", "json", *names]
    kept = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    output = subprocess.run(words, capture_output=True, check=False, env=kept).stdout
    return next(of_documents(each) for each in json.loads(output)["files"] if each["path"] == name)


def told_by_editor(name, capsys):
    session, path = Session(), os.path.abspath(name)
    document = session.open(Path(path).as_uri(), path, 1, TREE[name])
    report = session.report(document)
    shown = {**file(report), "diagnostics": diagnostics(document, report, "utf-16", Client())}
    return of_documents(json.loads(json.dumps(shown)))


def told_by_agent(name, capsys):
    (found,) = asyncio.run(tools.check(path=name)).files
    plan = asyncio.run(tools.explain(path=name)).plan
    assert _known(found.plan) == _known(plan)
    return of_report(found, plan)


def told_by_program(name, capsys):
    report = grpo_lint.check(name)
    return of_report(report, report.plan)


OTHERS = (told_by_hook, told_by_editor, told_by_agent, told_by_program)


@pytest.fixture(params=["with .git", "without .git"])
def tree(request, tmp_path, monkeypatch):
    for name, text in TREE.items():
        (tmp_path / name).write_text(text)
    if request.param == "with .git":
        (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    anew(monkeypatch)
    return monkeypatch


def anew(patch):
    """Nothing that another one asked for is known."""
    patch.setattr(disk, "_walked", set())
    patch.setattr(disk, "_asked", set())


@pytest.mark.parametrize("name", CHECKED)
def test_a_tree_is_judged_alike_everywhere(tree, name, capsys):
    first = told_by_command_line(name, capsys)
    assert first[1]["completions_per_rollout"] and bool(first[0]) is (name != "run.sh")
    for told in OTHERS:
        anew(tree)
        assert told(name, capsys) == first, told.__name__


@pytest.mark.parametrize("name", UTF_16)
def test_what_python_cannot_read_is_told_alike(tree, name, tmp_path, capsys):
    """By whoever reads the file itself: an editor and an agent's text are no bytes of UTF-16 any more."""
    (tmp_path / name).write_bytes(UTF_16[name].encode("utf-16"))
    answers = []
    for asked in (name, "."):
        main(["check", "--output-format", "json", asked])
        files = json.loads(capsys.readouterr().out)["files"]
        (found,) = (each["diagnostics"] for each in files if each["path"] == name)
        answers.append([(each["code"], each["message"]) for each in found])
    answers.append([(each.code, each.message) for each in grpo_lint.check(name).findings])
    answers.append([(each.code, each.message) for each in asyncio.run(tools.check(path=name)).files[0].findings])
    assert [code for code, _ in answers[0]] == ["GRPO002"] and answers == answers[:1] * 4


def test_the_script_beside_a_config_counts(tree, capsys):
    assert told_by_command_line("grpo.yaml", capsys)[1]["completions_per_rollout"] == 18


def test_the_order_of_what_is_asked_for_says_nothing(tree, tmp_path, capsys):
    """A file is judged with the folder in mind that is named behind it."""
    (tmp_path / "recipes").mkdir()
    (tmp_path / "grpo.yaml").rename(tmp_path / "recipes" / "grpo.yaml")
    (tmp_path / "run.sh").write_text(TREE["run.sh"].replace("grpo.yaml", "recipes/grpo.yaml"))
    (tmp_path / "pyproject.toml").unlink()
    (tmp_path / "requirements.txt").unlink()
    answers = []
    for names in (["recipes/grpo.yaml", "."], [".", "recipes/grpo.yaml"]):
        anew(tree)
        main(["check", "--output-format", "json", *names])
        files = json.loads(capsys.readouterr().out)["files"]
        answers.append(next(of_documents(each) for each in files if each["path"].endswith("grpo.yaml")))
    assert answers[0] == answers[1] and answers[0][1]["completions_per_rollout"] == 18


def test_folders_that_an_editor_opens_are_asked_for(tree, tmp_path):
    from grpo_lint.lsp.server import Server

    (tmp_path / "opened").mkdir()
    Server.ask_for_folders(types.SimpleNamespace(folders=lambda: ["opened"]))
    assert (str(tmp_path / "opened") in disk._walked) == (disk.root_of("grpo.yaml") is None)


# --- one factory ----------------------------------------------------------------------------------------------------

FACTORY = "checker/contexts.py"


@cache
def all_calls():
    """[(module, name, call)] of each call of a function or a class by its name, anywhere in the package."""
    return [
        (path.relative_to(PACKAGE).as_posix(), getattr(node.func, "id", getattr(node.func, "attr", None)), node)
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    ]


def calls(name):
    return [(module, call) for module, called, call in all_calls() if called == name]


def test_only_the_factory_makes_a_context():
    assert {module for module, _ in calls("Context")} == {FACTORY}


def test_only_the_factory_tells_the_disk_what_was_asked_for():
    told = {module for door in ("path", "file", "walk") for module, _ in calls(f"{door}_is_asked_for")}
    assert told == {FACTORY, "files/disk.py"}


def test_whoever_looks_around_says_what_was_asked_for():
    found = calls("Around")
    assert len(found) > 5
    assert [module for module, call in found if "asked" not in {each.arg for each in call.keywords}] == []
