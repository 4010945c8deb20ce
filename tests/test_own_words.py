"""What grpo-lint says is said in its own words: those of the interpreter differ from one Python to the next."""

import ast
import builtins
import json
import re
from pathlib import Path

import pytest

from grpo_lint.frameworks.shared.json_files import no_json
from grpo_lint.source.python.code import Code
from grpo_lint.source.python.reader import Unparsed, read_python
from grpo_lint.source.text import Text

PACKAGE = Path(__file__).parent.parent / "grpo_lint"
# What an exception knows that is no sentence of the interpreter; `strerror` is a sentence of the operating system.
FACTS = {"strerror", "errno", "filename", "lineno", "colno", "offset", "pos", "start", "end", "name", "code"}
# Where an exception is handed on: a mistake of grpo-lint itself or of somebody's Python rule is told with its exception.
TELL_OF_MISTAKES = {"own_failure", "failed", "_note_failure", "failure_of"}
# What takes the place of a mistake from an exception, or the words of the system.
TAKES_FACTS = {"isinstance", "type", "why", "no_toml", "_not_done"}
OUR_OWN = {
    "mcp/server.py: str(error)",  # of facts that nobody knows, which `grpo_lint` refuses in words of its own
    "source/yaml/parsing.py: getattr(error, 'problem', '')",  # of PyYAML, whose refusal is what is told
    "source/yaml/parsing.py: TooMuch(_TOO_DEEP) if getattr(error, 'problem', '') == _TOO_DEEP_FOR_LIBYAML else error",
    "cli/subcommands.py: _told_of_libraries(error)",  # of a library that cannot be loaded, with its exception
}


def foreign_exceptions(handler):
    """The names of the exceptions of Python and its library that a handler catches."""
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = [ast.unparse(each) for each in caught]
    return [name for name in names if hasattr(builtins, name) or name.startswith("json.")]


def is_a_fact(node, parents):
    """Whether a use of a caught exception takes nothing of its words."""
    parent = parents[node]
    if isinstance(parent, ast.Attribute):
        return parent.attr in FACTS
    if isinstance(parent, ast.Raise):
        return parent.cause is node
    if isinstance(parent, ast.Call) and isinstance(parent.func, (ast.Name, ast.Attribute)):
        return ast.unparse(parent.func).rpartition(".")[2] in TELL_OF_MISTAKES | TAKES_FACTS
    return False


def quotes(path):
    """The places of a module that take the words of an exception of Python: 'module.py: str(error)'."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for handler in ast.walk(tree):
        if isinstance(handler, ast.ExceptHandler) and handler.name and foreign_exceptions(handler):
            for node in (each for statement in handler.body for each in ast.walk(statement)):
                if isinstance(node, ast.Name) and node.id == handler.name and not is_a_fact(node, parents):
                    yield f"{path.relative_to(PACKAGE).as_posix()}: {ast.unparse(parents[node])}"


def test_no_message_quotes_the_interpreter():
    assert {each for path in sorted(PACKAGE.rglob("*.py")) for each in quotes(path)} == OUR_OWN


# What some Pythons refuse at another place, or in other words, is refused alike by all of them.
NO_JSON = {
    '{"a": 1,}': "no comma belongs before } in line 1, column 8",
    '{"a": [1,\n]}': "no comma belongs before ] in line 1, column 9",
    '{"a" 1}': "1 is not expected in line 1, column 6",
    "{'a': 1}": "' is not expected in line 1, column 2",
    '{"a": 1': "it ends too early in line 1, column 8",
    '{"a": 1} {': "{ is not expected in line 1, column 10",
}


@pytest.mark.parametrize("text", NO_JSON)
def test_what_isno_json_is_told_alike_by_every_python(text):
    with pytest.raises(json.JSONDecodeError) as raised:
        json.loads(text)
    assert no_json(text, raised.value.pos)[0] == f"is no JSON: {NO_JSON[text]}"


def test_the_comma_is_told_where_a_python_stops_at_it():
    assert no_json('{"a": 1, }', 7) == no_json('{"a": 1, }', 9)


@pytest.mark.parametrize("name", ["a" + ".a" * 2500, "-" * 2500 + "1", "f" + "()" * 2500])
def test_what_nests_deep_is_read_by_no_python(name):
    with pytest.raises(Unparsed, match="it nests too deep"):
        read_python(Code(Text(f"x = {name}\n", "a.py")))


# --- the words of the code ------------------------------------------------------------------------------------------

# a docstring that begins so is understood only by who has read the function above it
LEANING = re.compile(
    r"(The same|Likewise|As (above|before|in the base class))\b(?! (context|framework|launch|node|origin|part|program|setting|text|training|command))"
)


def test_docstrings_need_no_other_docstring():
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    found = [
        f"{path.relative_to(PACKAGE)}:{node.lineno} {node.name}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, kinds) and LEANING.match(ast.get_docstring(node) or "")
    ]
    assert found == []
