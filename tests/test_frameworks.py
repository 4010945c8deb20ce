"""What the folder of a framework says of it, and what the registry lists, agree."""

import ast
from pathlib import Path

import pytest

from conftest import imports_at_run_time
from grpo_lint.frameworks import base, registry
from grpo_lint.frameworks.base import Framework, Part
from grpo_lint.frameworks.catalogue import Catalogue
from grpo_lint.frameworks.companions import COMPANIONS
from grpo_lint.launch.pins import PACKAGES
from grpo_lint.plan.quantities import QUANTITIES

FOLDER = Path(registry.__file__).parent
each_framework = pytest.mark.parametrize("name", registry.NAMES)


MOST_MEMBERS = 10


def public(kind):
    return {name for name in (*dir(kind), *vars(kind).get("__annotations__", ())) if not name.startswith("_")}


def own_members(kind):
    """What a class adds to those that it derives from."""
    return public(kind) - set().union(*map(public, kind.__bases__))


def parts_of(framework):
    """The parts of a framework, and those of a part."""
    parts = [part for part in vars(framework).values() if isinstance(part, Part)]
    return [*parts, *(inner for part in parts for inner in vars(part).values() if isinstance(inner, Part))]


PROTOCOLS = [
    kind for kind in vars(base).values() if isinstance(kind, type) and issubclass(kind, Part) and kind is not Part
]


@pytest.mark.parametrize("kind", [Framework, Catalogue, *PROTOCOLS], ids=lambda kind: kind.__name__)
def test_a_part_is_small_and_says_what_it_is(kind):
    assert kind.__doc__
    assert len(own_members(kind)) <= MOST_MEMBERS, sorted(own_members(kind))


@each_framework
def test_a_part_of_a_framework_has_the_members_of_its_protocol(name):
    """A method that is misspelt would be dropped, and its default hold."""
    for part in parts_of(registry.framework(name)):
        kinds = [kind for kind in type(part).__mro__ if kind in PROTOCOLS or ".shared." in kind.__module__]
        assert public(type(part)).union(vars(part)) - set().union(*map(public, kinds)) == {"framework"}, type(part)


@each_framework
def test_each_part_knows_its_framework(name):
    framework = registry.framework(name)
    assert len(parts_of(framework)) == len(PROTOCOLS)
    assert all(part.framework is framework for part in parts_of(framework))


def test_a_fork_is_made_by_replacing_parts():
    trl = registry.framework("trl")
    fork = trl.with_(title="A fork", arithmetic=trl.arithmetic.but(own_names={"group_size": "siblings"}))
    assert (fork.name, fork.title, fork.arithmetic.own_names) == ("trl", "A fork", {"group_size": "siblings"})
    assert all(part.framework is fork for part in parts_of(fork))
    assert all(part.framework is trl for part in parts_of(trl))
    assert fork.catalogue is trl.catalogue
    assert fork.arithmetic.regimes is trl.arithmetic.regimes and "group_size" not in trl.arithmetic.own_names


@each_framework
def test_a_framework_says_who_it_is(name):
    framework = registry.framework(name)
    assert framework.name == name
    assert framework.title
    assert framework.releases.package in registry.PACKAGES
    assert framework.catalogue.releases
    assert framework.arithmetic.regimes
    assert framework.reader.programs.read_by_scripts == registry.serves_scripts(name)


@each_framework
def test_knobs_and_quantities_are_known(name):
    framework = registry.framework(name)
    assert all(framework.catalogue.knows(knob) for knob in (*framework.knobs.names, *framework.knobs.parallel))
    assert framework.knobs.for_memory in framework.knobs.names
    assert framework.arithmetic.own_names.keys() <= QUANTITIES.keys()


def test_every_framework_has_commands():
    """A fork is started by the programs of the framework that it is made of."""
    assert [own.framework for own in registry.commands()] == [
        name for name in registry.NAMES if name not in registry.FORKS
    ]
    assert {base for base, *_ in registry.FORKS.values()} <= {own.framework for own in registry.commands()}
    programs = [own.program for own in registry.commands() if own.program]
    assert len(set(programs)) == len(programs)
    for own in registry.commands():
        assert (own.modules or own.marks) and bool(own.trains) == bool(own.program)


def test_what_is_asked_of_every_file_and_script_loads_no_framework():
    light = [
        FOLDER / "registry.py",
        *FOLDER.rglob("command_spec.py"),
        *(path for path in FOLDER.rglob("names.py") if path.parent.name != "shared"),
        *FOLDER.rglob("recognition.py"),
    ]
    assert len(light) > len(registry.NAMES) + 1
    imported = {
        node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
        for path in light
        for node in imports_at_run_time(path)
    }
    # None: `from . import recognition`; neither it nor what a Message is imports anything
    assert imported == {None, "command_spec", "recognition", "message"}


def test_pins_are_of_frameworks_and_what_stands_beside_them():
    assert set(PACKAGES) == {*registry.PACKAGES, *COMPANIONS}
