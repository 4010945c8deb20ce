"""Completion at places of each framework's own run, as a script, a file, and in each kind of file that may hold it: a key or a value that
stands there is one that is offered there, or no value of it is known; whatever is accepted, the text can still be read, and only the
token has changed."""

import json
import re

import pytest
from accepting import accepted, differ, values

from grpo_lint.checker.contexts import of_text
from grpo_lint.engine import lint
from grpo_lint.frameworks.registry import NAMES
from grpo_lint.lsp import whole_files
from grpo_lint.lsp.completion import completion
from grpo_lint.lsp.python_completion import in_python
from grpo_lint.source.text import Text

pytestmark = pytest.mark.slow

# A setting as a flag, an override, a key, in a list or an object, and what it has.
SETTING = re.compile(r"""(?<![\w./$-])(?:--|["'](?:--)?)?([a-z][\w.-]*[a-z_])["']?(?=[ =:,\\\n])""")


def _run(name):
    start, proposal = whole_files._planned(name)
    return start, proposal.settings


def _command(name):
    lines = whole_files._as_script(*_run(name)).splitlines()
    return "\n".join(line for line in lines if line.strip() and not line.startswith("#"))


def _indented(text, by):
    return "".join(f"{by}{line}\n" for line in text.splitlines())


def _words(name):
    words = re.sub(r"\\\n", " ", _command(name)).split()
    return [word for word in words if not set(word) & set("\"'$=") or "." in word.partition("=")[0]]


FORMS = {
    "run.sh": lambda name: f"#!/bin/bash\n{_command(name)}\n",
    "config.yaml": lambda name: whole_files._as_file(*_run(name)),
    "config.json": lambda name: whole_files._as_json(*_run(name)),
    "workflow.yaml": lambda name: f"jobs:\n  a:\n    steps:\n    - run: |\n{_indented(_command(name), ' ' * 8)}",
    "pod.yaml": lambda name: f"command: {json.dumps(_words(name))}\n",
    "job.yaml": lambda name: "command:\n" + "".join(f"- {json.dumps(word)}\n" for word in _words(name)),
    "Makefile": lambda name: "train:\n" + _indented(_command(name), "\t"),
    "Dockerfile": lambda name: f"FROM a\nRUN {_command(name)}\n",
    "cell.ipynb": lambda name: f"%%bash\n{_command(name)}\n",
    "start.py": lambda name: f"import subprocess\nsubprocess.run({json.dumps(_words(name), indent=4)})\n",
}


def _has(name, form):
    return not form.startswith("config") or _run(name)[0].reads_files


@pytest.mark.parametrize(
    ("name", "form"),
    [(name, form) for name in NAMES if whole_files._planned(name) for form in FORMS if _has(name, form)],
)
def test_what_stands_there_is_offered_there(name, form, tmp_path):
    text, path = FORMS[form](name), str(tmp_path / form)
    source, find = Text(text, path), in_python if form.endswith((".py", ".ipynb")) else completion
    known = lint(source, of_text(), fixes=False)
    keys = {key.replace("-", "_") for key in _run(name)[1]}
    before = values(text, form) if form.endswith((".sh", ".yaml", ".json", ".py")) else None
    missed, found = [], set()
    for setting in SETTING.finditer(text):
        key = setting[1].replace("-", "_")
        if key not in keys or key in found:
            continue
        for offset in (setting.start(1) + 1, (setting.start(1) + setting.end(1)) // 2, setting.end(1)):
            items = {
                item["label"].replace("-", "_").strip(): item
                for item in find(source, offset, known, of_text(), "utf-16")
            }
            shown = key if key in items else key.rpartition(".")[2]
            if shown not in items:
                missed.append((key, text[setting.start() : offset]))
                continue
            found.add(key)
            for item in (items[shown], *list(items.values())[:: max(1, len(items) // 2)]) if before else ():
                after = values(accepted(text, form, offset, item), form)
                assert after is not None and differ(before, after) <= 2, (text[:offset], item["textEdit"])
    assert not missed and len(found) >= min(3, len(keys)), (missed, found, keys)
