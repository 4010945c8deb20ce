"""The same tree gives the same findings and plans to the command line, the hook, an editor, an agent and a program."""

import asyncio
import json
import os
import types

import pytest

pytest.importorskip("pygls")
pytest.importorskip("mcp")

import grpo_lint
from grpo_lint.cli.main import main
from grpo_lint.files import disk
from grpo_lint.lsp.session import Session
from grpo_lint.mcp import tools
from grpo_lint.report.json import file

CONFIG = "# grpo-lint: dialect=trl version=1.16.0\nnum_generations: 8\nper_device_train_batch_size: 1\ngradient_accumulation_steps: 3\n"
SCRIPT = "accelerate launch --num_processes 6 train.py --config grpo.yaml\n"
PROGRAM = "from trl import GRPOConfig, TrlParser\nTrlParser((GRPOConfig,)).parse_args_and_config()\n"


def told_by_command_line(capsys):
    main(["check", "--output-format", "json", "grpo.yaml"])
    return json.loads(capsys.readouterr().out)["files"][0]


def told_by_hook(capsys):
    """The hook is the command line with the names of files."""
    main(["check", "--output-format", "json", "grpo.yaml", "run.sh"])
    return next(each for each in json.loads(capsys.readouterr().out)["files"] if each["path"] == "grpo.yaml")


def told_by_editor(capsys):
    session, path = Session(), os.path.abspath("grpo.yaml")
    return json.loads(json.dumps(file(session.report(session.open(f"file://{path}", path, 1, CONFIG)))))


def findings_and_plan(answer):
    found = sorted((each["code"], each["message"]) for each in answer["diagnostics"])
    return found, {name: value for name, value in answer["launches"][0]["plan"].items() if value is not None}


def of_program(report):
    found = sorted((each.code, each.message) for each in report.findings)
    return found, {name: value for name, value in report.plan.items() if value is not None}


def of_agent(answer):
    found = sorted((each.code, each.message) for each in answer.files[0].findings)
    return found, None


@pytest.fixture(params=["with .git", "without .git"])
def tree(request, tmp_path, monkeypatch):
    (tmp_path / "grpo.yaml").write_text(CONFIG)
    (tmp_path / "run.sh").write_text(SCRIPT)
    (tmp_path / "train.py").write_text(PROGRAM)
    if request.param == "with .git":
        (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(disk, "_walked", set())
    monkeypatch.setattr(disk, "_asked", set())
    return monkeypatch


def anew(tree):
    """Nothing that another one asked for is known."""
    tree.setattr(disk, "_walked", set())
    tree.setattr(disk, "_asked", set())


def test_a_tree_is_judged_alike_everywhere(tree, capsys):
    answers = {}
    for name, ask in (("command line", told_by_command_line), ("hook", told_by_hook), ("editor", told_by_editor)):
        anew(tree)
        answers[name] = findings_and_plan(ask(capsys))
    anew(tree)
    answers["program"] = of_program(grpo_lint.check("grpo.yaml"))
    anew(tree)
    agent, _ = of_agent(asyncio.run(tools.check(path="grpo.yaml")))
    first = answers["command line"]
    assert first[0] and first[1]["completions_per_rollout"] == 18
    assert {name: each for name, each in answers.items() if each != first} == {}
    assert agent == first[0]


def test_folders_that_an_editor_opens_are_asked_for(tree):
    from grpo_lint.lsp.server import Server

    anew(tree)
    asked = []
    tree.setattr(disk, "walk_is_asked_for", asked.append)
    server = types.SimpleNamespace(folders=lambda: ["a", "b"])
    Server.ask_for_folders(server)
    assert asked == ["a", "b"]
