"""What the folder of a framework says of it, and what the registry lists, agree."""

import ast
from pathlib import Path

import pytest

from conftest import imports_at_run_time
from grpo_lint.frameworks import registry
from grpo_lint.frameworks.base import Framework
from grpo_lint.frameworks.companions import COMPANIONS
from grpo_lint.launch.pins import PACKAGES
from grpo_lint.plan.quantities import QUANTITIES

FOLDER = Path(registry.__file__).parent
each_framework = pytest.mark.parametrize("name", registry.NAMES)


def public(kind):
    return {name for name in dir(kind) if not name.startswith("_")}


@each_framework
def test_a_framework_overrides_what_there_is(name):
    """A method that is misspelt would be dropped, and its default hold."""
    kind = type(registry.framework(name))
    above = {*public(Framework)}.union(*(public(each) for each in kind.__mro__ if ".shared." in each.__module__))
    assert public(kind) == above


@each_framework
def test_a_framework_says_who_it_is(name):
    framework = registry.framework(name)
    assert framework.name == name
    assert framework.title
    assert framework.package in registry.PACKAGES
    assert framework.catalogue.releases
    assert framework.regimes
    assert framework.read_by_scripts == registry.serves_scripts(name)


@each_framework
def test_knobs_and_quantities_are_known(name):
    framework = registry.framework(name)
    assert all(framework.catalogue.knows(knob) for knob in (*framework.knobs, *framework.parallel_knobs))
    assert framework.memory_knob in framework.knobs
    assert framework.own_names.keys() <= QUANTITIES.keys()


def test_every_framework_has_commands():
    assert [own.framework for own in registry.commands()] == list(registry.NAMES)
    programs = [own.program for own in registry.commands() if own.program]
    assert len(set(programs)) == len(programs)
    for own in registry.commands():
        assert own.modules and bool(own.trains) == bool(own.program)


def test_what_is_asked_of_every_file_and_script_loads_no_framework():
    light = [
        FOLDER / "registry.py",
        *FOLDER.rglob("commands.py"),
        *FOLDER.rglob("programs.py"),
        *FOLDER.rglob("recognition.py"),
    ]
    assert len(light) > len(registry.NAMES) + 1
    imported = {
        node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
        for path in light
        for node in imports_at_run_time(path)
    }
    assert imported == {None, "commands", "recognition"}  # None: `from . import recognition`, which imports nothing


def test_pins_are_of_frameworks_and_what_stands_beside_them():
    assert set(PACKAGES) == {*registry.PACKAGES, *COMPANIONS}
