"""PyYAML with libyaml alone: what is stood in for is the real thing as soon as somebody wants it."""

import subprocess
import sys

import pytest

START = "from grpo_lint.source.yaml import libyaml; libyaml.install()\n"


def run(code):
    """What a fresh interpreter prints in which libyaml stands alone."""
    return subprocess.run(
        [sys.executable, "-c", START + code], capture_output=True, encoding="utf-8", check=True
    ).stdout


def test_the_parser_comes_without_the_rest():
    code = "import sys, yaml.events; from yaml._yaml import CParser; print(hasattr(sys.modules['yaml'], '__file__'), 're' in sys.modules)"
    assert run(code) == "False False\n"


@pytest.mark.parametrize(
    "code",
    [
        "import yaml; print(yaml.safe_load('a: 1.5e+3'))",
        "from yaml import safe_load; print(safe_load('a: 1.5e+3'))",
        "from yaml.constructor import SafeConstructor\nimport yaml; print(yaml.safe_load('a: 1.5e+3'))",
        "import yaml; print(yaml.load('a: 1.5e+3', yaml.CSafeLoader))",
    ],
)
def test_who_wants_more_gets_it(code):
    assert run(code) == "{'a': 1500.0}\n"


def test_the_errors_of_libyaml_are_those_of_pyyaml():
    code = """
from yaml._yaml import CParser
import yaml
try:
    yaml.load("a: [1", yaml.CSafeLoader)
except yaml.parser.ParserError as error:
    print(isinstance(error, yaml.MarkedYAMLError), error.problem_mark.index)
print(type(CParser("a").get_event()) is yaml.StreamStartEvent, yaml.error.YAMLError is yaml.YAMLError)
"""
    assert run(code) == "True 5\nTrue True\n"


def test_an_error_before_that_is_one_of_pyyaml_too():
    code = """
from yaml._yaml import CParser
from yaml.error import YAMLError
parser = CParser("a: [1")
try:
    while parser.get_event():
        pass
except YAMLError as error:
    first = error
import yaml
print(isinstance(first, yaml.YAMLError), first.problem_mark.index)
"""
    assert run(code) == "True 5\n"


def test_a_pyyaml_that_is_loaded_stays():
    code = "import yaml\nfrom grpo_lint.source.yaml import libyaml; libyaml.install(); import yaml.loader; print(yaml.loader.SafeLoader is yaml.SafeLoader)"
    assert subprocess.check_output([sys.executable, "-c", code], encoding="utf-8") == "True\n"


def test_a_pyyaml_without_libyaml_is_loaded_as_a_whole():
    code = (
        """
import sys
class Refusing:
    def find_spec(self, name, path=None, target=None):
        if name == "yaml._yaml":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Refusing())
"""
        + START
        + "import yaml; print(yaml.safe_load('[1]'), yaml.__with_libyaml__)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], encoding="utf-8") == "[1] False\n"
