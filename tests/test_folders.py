"""How much code a framework needs: the folder of each that came after the house was built, and nothing of it elsewhere."""

import ast
import io
import tokenize
from pathlib import Path

import pytest

from grpo_lint.frameworks import registry

DATA = (
    "catalogue.py",
    "declared.py",
    "meanings.py",
    "metrics.py",
    "needed.py",
    "places.py",
    "spread.py",
)  # generated, texts, and tables of names
MOST = 1100  # lines of code
NEWER = ("nemo-rl", "slime", "openrlhf", "verl-agent")
_NO_CODE = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def code_lines(text):
    """The lines with code in them: no blank ones, comments and docstrings."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    lines = {line for each in tokens if each.type not in _NO_CODE for line in range(each.start[0], each.end[0] + 1)}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            lines -= {*range(node.body[0].lineno, node.body[0].end_lineno + 1)}
    return len(lines)


def test_what_is_counted():
    assert (
        code_lines(
            '"""A text\n\nof three lines."""\n\nX = (  # a comment\n    1,\n)\n\n\ndef f():\n    """No code."""\n'
        )
        == 4
    )


def sizes(name):
    """{module of a framework's folder: lines of code}"""
    folder = Path(registry.__file__).parent / registry.FOLDERS[name]
    modules = (path for path in folder.glob("*.py") if path.name not in DATA)
    return {path.name: code_lines(path.read_text(encoding="utf-8")) for path in modules}


@pytest.mark.parametrize("name", NEWER)
def test_a_folder_is_small(name):
    found = sizes(name)
    assert len(found) > 5 and sum(found.values()) <= MOST, found
